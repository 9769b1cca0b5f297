/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A settings pane in a window, its signals counted, used as somebody would.
 */
#pragma once

#include "rig.h"
#include "ui/app/settings/settings_pane.h"
#include "ui/app/settings/settings_row.h"

G_BEGIN_DECLS

typedef struct {
  LsSettingsPane *pane;
  GtkWidget *window; /* NULL: the test has closed it */
  guint live, restart, pending, folder, file;
  gboolean told; /* live or pending */
} Rig;

void rig_set_up (Rig *rig, gconstpointer data);
void rig_tear_down (Rig *rig, gconstpointer data);
GtkWidget *rig_control (Rig *rig, const char *name);
char *rig_option (Rig *rig, const char *name);
/* Into the field, and Enter. */
void rig_type (Rig *rig, const char *name, const char *text);
/* A key, which one of its own controllers must take. */
void rig_press (Rig *rig, const char *name, guint key);
void rig_choose (Rig *rig, const char *name, guint item);
/* The large button of a data set, pressed. */
void rig_picture (Rig *rig, const char *data);
/* What is wrong, in the note under the row, and what the option was; "" if there is none. */
const char *rig_note (Rig *rig, const char *name);
const char *rig_was (Rig *rig, const char *name);

#define assert_option(rig, name, expected)                                                                   \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    g_autofree char *text_ = rig_option (rig, name);                                                         \
    g_assert_cmpstr (text_, ==, expected);                                                                   \
  }                                                                                                          \
  G_STMT_END

G_END_DECLS
