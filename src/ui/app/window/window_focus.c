/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the keys go. A menu that opens a dialog leaves the window's focus in itself, where no key is heard
 * any more, F10 neither; one that is closed otherwise leaves it on its button, which Space opens again. So
 * when any popover of the window closes, the focus is the picture's; but not from among the settings, where
 * one goes on from row to row. And whenever the window gets the keys back, what has the focus must be on
 * screen.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

static gboolean
is_within (GtkWidget *widget, GtkWidget *whole)
{
  return widget != NULL && (widget == whole || gtk_widget_is_ancestor (widget, whole));
}

static gboolean
come_back_cb (gpointer data)
{
  LsWindow *self = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  self->focus_later = 0;
  if (focus == NULL || !gtk_widget_get_mapped (focus) || !is_within (focus, self->settings))
    gtk_widget_grab_focus (self->canvas);
  return G_SOURCE_REMOVE;
}

/* Afterwards, for GTK still moves the focus itself; but before the next event, which may be a key already. */
static void
come_back (LsWindow *self)
{
  if (self->focus_later == 0)
    self->focus_later = g_idle_add_full (G_PRIORITY_HIGH, come_back_cb, self, NULL);
}

/* Of every popover in the program. */
static gboolean
closed_cb (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  LsWindow *self = data;

  if (gtk_widget_get_root (g_value_get_object (&values[0])) == GTK_ROOT (self))
    come_back (self);
  return TRUE;
}

static void
active_cb (LsWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (gtk_window_is_active (GTK_WINDOW (self)) && (focus == NULL || !gtk_widget_get_mapped (focus)))
    come_back (self);
}

void
ls_window_watch_focus (LsWindow *self)
{
  g_type_ensure (GTK_TYPE_POPOVER);
  g_type_class_unref (g_type_class_ref (GTK_TYPE_POPOVER)); /* or it has no signals yet */
  self->closed_hook = g_signal_add_emission_hook (g_signal_lookup ("closed", GTK_TYPE_POPOVER), 0, closed_cb,
                                                  self, NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
}

void
ls_window_forget_focus (LsWindow *self)
{
  g_clear_handle_id (&self->focus_later, g_source_remove);
  if (self->closed_hook != 0)
    g_signal_remove_emission_hook (g_signal_lookup ("closed", GTK_TYPE_POPOVER), self->closed_hook);
  self->closed_hook = 0;
}
