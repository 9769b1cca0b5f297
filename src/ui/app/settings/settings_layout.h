/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSettingsLayout: a column of rows, each of three widgets in turn: name, control, note. Names stand beside
 * controls, all controls as wide as the widest, at the far edge; where the longest word or the largest type
 * leaves too little room, all names stand above. The note has a line to itself, and so have a control
 * that expands and a name without a control: a heading. So nothing is cut off at any language or text size.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_SETTINGS_LAYOUT (ls_settings_layout_get_type ())
G_DECLARE_FINAL_TYPE (LsSettingsLayout, ls_settings_layout, LS, SETTINGS_LAYOUT, GtkLayoutManager)

GtkLayoutManager *ls_settings_layout_new (void);
/* Adds a row with that alone, from edge to edge. */
void ls_settings_layout_add_wide (GtkWidget *list, GtkWidget *child);

G_END_DECLS
