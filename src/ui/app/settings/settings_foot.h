/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under the settings while changes wait for a new run: “Run with these”, “Undo both”, and what
 * will happen.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  GtkWidget *revealer, *run, *undo, *sentence;
} LsSettingsFoot;

void ls_settings_foot_init (LsSettingsFoot *foot, GCallback run_cb, GCallback undo_cb, gpointer data);
/* n: how many changes wait; fits: there can be such a run; same_seed: it begins with the weights of the one
 * that is on. */
void ls_settings_foot_show (LsSettingsFoot *foot, guint n, gboolean fits, gboolean same_seed);

G_END_DECLS
