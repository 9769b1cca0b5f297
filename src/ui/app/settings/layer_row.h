/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLayerRow: one layer in the list of the editor: its words, quietly the shape it makes, and, while it is
 * the chosen one, fields for its numbers. Signal "edited": a number was changed; ls_layer_row_get_layer() has
 * it.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/spec.h"

G_BEGIN_DECLS

#define LS_TYPE_LAYER_ROW (ls_layer_row_get_type ())
G_DECLARE_FINAL_TYPE (LsLayerRow, ls_layer_row, LS, LAYER_ROW, GtkListBoxRow)

GtkWidget *ls_layer_row_new (LsLayerKind kind);
/* number: from 1; shape: "16×28×28", or NULL; wrong: it is the first that doesn't fit. */
void ls_layer_row_show (LsLayerRow *self, const LsLayer *layer, guint number, const char *shape,
                        gboolean wrong);
void ls_layer_row_set_open (LsLayerRow *self, gboolean open);
const LsLayer *ls_layer_row_get_layer (LsLayerRow *self);

G_END_DECLS
