/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsWindow: the program's window: header bar, sidebar, stage, time bar, settings. It puts widgets together
 * and turns actions into what the session and the canvas are asked for; it computes nothing.
 */
#pragma once

#include <adwaita.h>

#include "core/options.h"

G_BEGIN_DECLS

#define LS_TYPE_WINDOW (ls_window_get_type ())
G_DECLARE_FINAL_TYPE (LsWindow, ls_window, LS, WINDOW, AdwApplicationWindow)

/* train: begins to, with these options; otherwise it waits for ls_window_open(). */
GtkWidget *ls_window_new (GtkApplication *application, const LsOptions *options, gboolean train);
/* A recording to show, or a data folder to train on. */
void ls_window_open (GFile *file, gpointer window);

G_END_DECLS
