/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLayersEditor: a network, layer by layer: a list to add to, remove from and move in, with each layer's
 * numbers and the shape it makes; above it the same as one line of text, as the terminal takes it. What
 * doesn't fit says which word, where, and what was expected; only a network that fits is handed on.
 *
 * Signal: "changed" (the network is another one, and it fits): ls_layers_editor_get_text().
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_LAYERS_EDITOR (ls_layers_editor_get_type ())
G_DECLARE_FINAL_TYPE (LsLayersEditor, ls_layers_editor, LS, LAYERS_EDITOR, GtkWidget)

GtkWidget *ls_layers_editor_new (void);
/* A preset's name or a spec; forgets what could be undone. */
void ls_layers_editor_set_text (LsLayersEditor *self, const char *text);
/* The network that is edited, a preset's name where it is one; NULL while it doesn't fit. (transfer full) */
char *ls_layers_editor_get_text (LsLayersEditor *self);
/* What goes in, and how many classes must come out; NULL: not known, so only the words are checked. */
void ls_layers_editor_set_input (LsLayersEditor *self, const gint64 shape[3], gint n_classes);

G_END_DECLS
