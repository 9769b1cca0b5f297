/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's window in the test's own process, without lanes: its session is handed invented snapshots and
 * recorded steps. What can be seen of it is told in words, so that a test can say what a key changes, and
 * that nothing else does.
 */
#pragma once

#include "rig.h"
#include "ui/app/window/window_private.h"
#include "view_rig.h"

/* What main() does first and returns. */
void window_rig_init (int *argc, char ***argv);
/* The application that the program has. */
GtkApplication *window_rig_application (void);

/* Live, paused at the end of the last of so many recorded steps, 100 apart; 0: none, as it is at first.
 * (transfer full) */
LsWindow *window_of (guint steps);
/* A run of two lanes that goes on; one of its recorded steps comes and is shown, from its beginning
 * where it plays. */
void window_live (LsWindow *self);
void window_record (LsWindow *self, guint64 step);
void window_take (LsWindow *self, LsSnapshot *snapshot); /* (transfer full) */
/* As if the window were so wide. */
void window_set_width (LsWindow *self, int px);
/* Closes it, and fails where it outlives that. */
void window_gone (LsWindow *self);

/* FALSE: it wasn't taken. */
gboolean window_press (LsWindow *self, guint key, GdkModifierType state);
void window_release (LsWindow *self, guint key);
/* The one that is open over the picture, or NULL. */
GtkWidget *window_popover (LsWindow *self);
void window_close_popover (LsWindow *self);
/* "plays yes; step 400; …": all that keys and actions may change. (transfer full) */
char *window_words (LsWindow *self);
/* What of it has changed since those words: "plays yes > no; …". (transfer full) */
char *window_changes (LsWindow *self, const char *before);
