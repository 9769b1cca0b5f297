/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pane's files share: settings_pane.c (pages, foot, and the widget),
 * settings_pane_pending.c (what was changed, and what waits).
 */
#pragma once

#include "ui/app/settings/layers_editor.h"
#include "ui/app/settings/settings_foot.h"
#include "ui/app/settings/settings_pane.h"
#include "ui/app/settings/settings_row.h"
#include "ui/app/settings/settings_wish.h"

struct _LsSettingsPane {
  GtkWidget parent;

  LsSettingsWish wish;
  gboolean pending;
  GPtrArray *rows; /* LsSettingsRow, by place */
  LsSettingsRow *network, *data, *device, *lr, *lanes;

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
/* All rows show what is wished. */
void ls_settings_pane_show_all (LsSettingsPane *self);

G_END_DECLS
