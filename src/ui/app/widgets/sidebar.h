/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSidebar: the views that there are, each with its number key, and at the foot the key to the marks of
 * evidence, which filters: a mark that is pressed fades all other data. With words, or narrow with icons
 * alone.
 *
 * Signals: "view" (guint: position in ls_views()), "evidence" (gint: LsEvidence, −1: all).
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LS_TYPE_SIDEBAR (ls_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (LsSidebar, ls_sidebar, LS, SIDEBAR, GtkWidget)

GtkWidget *ls_sidebar_new (void);
void ls_sidebar_set_view (LsSidebar *self, guint view);
/* As a press on that mark; −1: on the next one, after the last none. */
void ls_sidebar_filter (LsSidebar *self, gint evidence);
void ls_sidebar_set_narrow (LsSidebar *self, gboolean narrow);

G_END_DECLS
