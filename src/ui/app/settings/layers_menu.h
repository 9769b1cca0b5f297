/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The layers that can be added: a button for each kind, with a line on what it does, in a popover.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/spec.h"

G_BEGIN_DECLS

/* clicked_cb: (GtkButton *, data), of any of the buttons. */
GtkWidget *ls_layers_menu_new (GCallback clicked_cb, gpointer data);
LsLayerKind ls_layers_menu_kind (GtkButton *button);

G_END_DECLS
