/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pane's files share: settings_pane.c (pages, foot, and the widget),
 * settings_pane_pending.c (what was changed, and what waits).
 */
#pragma once

#include "ui/app/settings/layers_editor.h"
#include "ui/app/settings/settings_foot.h"
#include "ui/app/settings/settings_pane.h"
#include "ui/app/settings/settings_reading.h"
#include "ui/app/settings/settings_row.h"
#include "ui/app/settings/settings_wish.h"

/* Data of one's own that were looked at. */
typedef struct {
  char *key; /* ls_settings_reading_key(); NULL: none were */
  LsSettingsRead *read;
  char *problem; /* or what was wrong */
} LsSettingsLook;

struct _LsSettingsPane {
  GtkWidget parent;

  LsSettingsWish wish;
  gboolean pending;
  GPtrArray *rows; /* LsSettingsRow, by place */
  LsSettingsRow *network, *data, *device, *lr, *lanes, *batch;
  LsSettingsLook running, wished;
  const LsSettingsLook *shown;  /* one of them, or NULL */
  char *reading;                /* the key of what is being read; NULL: nothing is */
  LsSettingsPart *reading_part; /* of what is being read, or was; NULL: nothing was yet */
  guint reading_timer;
  gboolean busy; /* a set is being read, maybe one that isn't wished any more: one at a time */

  GtkWidget *stack; /* "settings", "layers" */
  LsLayersEditor *editor;
  GtkWidget *state; /* beside the title: how many changes wait */
  LsSettingsFoot foot;
};

G_BEGIN_DECLS

/* The option of a row is to be this text: what the row's listener does with it. data: the pane. */
void ls_settings_pane_take_cb (LsSettingsRow *row, const char *text, gpointer data);
/* What hangs on data and batch, and isn't given, follows; row: what was changed, or NULL. */
void ls_settings_pane_follow (LsSettingsPane *self, const LsSettingsRow *row);
/* Rows, head and foot say what waits; and "pending" is emitted where something begins to wait, or nothing any
 * more. */
void ls_settings_pane_update_pending (LsSettingsPane *self);
/* settings_pane_samples.c: shows the wished data's first samples, and reads them if need be. */
void ls_settings_pane_look (LsSettingsPane *self);
void ls_settings_look_clear (LsSettingsLook *look);
/* All rows show what is wished. */
void ls_settings_pane_show_all (LsSettingsPane *self);

G_END_DECLS
