/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network's line of text: a text view that breaks the line where it must and is as high as its text.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What to place; the text view in it is *view. */
GtkWidget *ls_layers_line_new (GtkWidget **view);

G_END_DECLS
