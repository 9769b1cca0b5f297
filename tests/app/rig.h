/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests of widgets share: a window that is shown, widgets found by name or kind, waiting for what must
 * come.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A shown window of that size with the widget in it. */
GtkWidget *rig_show (GtkWidget *child, int width, int height);
/* Closes it, and fails if the child outlives it. */
void rig_close (GtkWidget *window);

/* Below widget, itself included; NULL if there is none. */
GtkWidget *rig_find (GtkWidget *widget, const char *name);
GtkWidget *rig_find_kind (GtkWidget *widget, GType type);
/* The i-th of that kind, in the order in which they stand, and the i-th label's text; fail if there aren't so
 * many. */
GtkWidget *rig_find_nth (GtkWidget *widget, GType type, guint i);
const char *rig_label (GtkWidget *widget, guint i);
/* What screen readers are told; widget: a GtkAccessible. */
void rig_assert_says (gpointer widget, GtkAccessibleProperty property, const char *words);
/* A button by its accessible name or label. */
GtkWidget *rig_find_button (GtkWidget *widget, const char *words);
void rig_click (GtkWidget *widget, const char *words);
/* A key that the widget itself or its class listens to; fails if nobody takes it. */
void rig_press_shortcut (GtkWidget *widget, guint key);

/* The window of that kind, or NULL. */
gpointer rig_toplevel (GType type);
/* Until the progress bar says that; fails after ten seconds, and if that can't be read there. */
void rig_wait_bar (GtkWidget *bar, const char *words);

/* Runs the main loop until *flag, at most ten seconds: then it fails. */
void rig_wait_for (const gboolean *flag);
void rig_wait_ms (guint ms);
/* Until it is mapped, or isn't: a transition lasts for frames, not for milliseconds. Fails after ten
 * seconds. */
void rig_wait_mapped (GtkWidget *widget, gboolean mapped);
/* Until nothing is left to do. */
void rig_settle (void);

/* Fails if a label's words don't fit into it, or widgets in a box overlap; if a widget that takes the focus
 * has no name. */
void rig_assert_whole (GtkWidget *widget);
void rig_assert_named (GtkWidget *widget);
/* Every label's words 1.4 times as long. */
void rig_lengthen (GtkWidget *widget);

G_END_DECLS
