/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsHelpWindow (F1): the help topics, each with its marks as the views paint them. It stands beside the main
 * window and doesn't stop anything. Escape closes it.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LS_TYPE_HELP_WINDOW (ls_help_window_get_type ())
G_DECLARE_FINAL_TYPE (LsHelpWindow, ls_help_window, LS, HELP_WINDOW, AdwWindow)

GtkWidget *ls_help_window_new (GtkWindow *parent);
/* name: of a help topic. Presents the window. */
void ls_help_window_show (LsHelpWindow *self, const char *name);

G_END_DECLS
