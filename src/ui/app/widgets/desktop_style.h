/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures follow the desktop: light or dark, high contrast, size of text, font.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/paint/scene/fonts.h"

G_BEGIN_DECLS

/* What pictures in windows look like, unless they are for a projector. */
LsLook ls_desktop_look (void);
/* fonts: replaced; may be NULL at first. */
void ls_desktop_style (GtkWidget *widget, LsLook look, LsStyle *style, LsFonts **fonts);
/* Whenever something of that changes, changed is called with the widget alone. */
void ls_desktop_follow (GtkWidget *widget, GCallback changed);

G_END_DECLS
