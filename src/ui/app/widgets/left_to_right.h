/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Widgets that keep their order where a language is written from the right: time runs to the right in every
 * language, and what stands on a picture follows the picture, whose lanes always keep their sides.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The widget and what is in it, but for menus. */
void ls_left_to_right (GtkWidget *widget);

G_END_DECLS
