/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See window_rig.h.
 */
#include "config.h"
#include "window_rig.h"

#include <string.h>

#include "ui/app/window/application.h"

/* Private to application.c, and what the program is. */
GType ls_application_get_type (void);

static GtkApplication *application;

void
window_rig_init (int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("GSK_RENDERER", "cairo", TRUE);                  /* as the program chooses */
  g_setenv ("XDG_DATA_HOME", "/nonexistent/lockstep", TRUE); /* no run of another test's is offered */
  g_unsetenv ("LOCKSTEP_FIRST_RUN");                         /* the store says which start is the first */
  gtk_test_init (argc, argv, NULL);
  application = g_object_new (ls_application_get_type (), "application-id", LS_APP_ID, "resource-base-path",
                              "/io/github/lockstep_lab/Lockstep", "flags", G_APPLICATION_NON_UNIQUE, NULL);
  g_application_set_default (G_APPLICATION (application));
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  window_gone (window_of (0)); /* the next one's isn't the first start any more */
}

GtkApplication *
window_rig_application (void)
{
  return application;
}

LsWindow *
window_of (guint steps)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  LsWindow *self = LS_WINDOW (ls_window_new (application, options, FALSE));

  g_object_ref (self);
  self->listed = TRUE; /* no driver is asked for its devices */
  window_set_width (self, 1280);
  if (steps > 0)
    window_live (self);
  for (guint i = 1; i <= steps; i++)
    window_record (self, 100 * i);
  return self;
}

void
window_live (LsWindow *self)
{
  self->session->mode = LS_SESSION_LIVE;
  window_take (self, running ());
}

void
window_record (LsWindow *self, guint64 step)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);

  recording->step = step;
  self->session->stepped = self->session->show_next = TRUE; /* it was asked for */
  ls_session_take_recording (self->session, recording);
}

void
window_take (LsWindow *self, LsSnapshot *snapshot)
{
  ls_session_take_snapshot (self->session, snapshot);
}

void
window_set_width (LsWindow *self, int px)
{
  self->width = px;
  ls_window_apply_width (self);
}

void
window_gone (LsWindow *self)
{
  gpointer gone = self;

  g_object_add_weak_pointer (G_OBJECT (self), &gone);
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
  rig_settle ();
  g_assert_null (gone);
}

/* The window's own keys are listened to where they bubble up to. (transfer full) */
static GtkEventController *
keys_of (LsWindow *self)
{
  GtkWidget *content = adw_application_window_get_content (ADW_APPLICATION_WINDOW (self));
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (content);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) keys = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_KEY (keys))
        return g_steal_pointer (&keys);
    }
  g_error ("the window listens to no keys");
}

gboolean
window_press (LsWindow *self, guint key, GdkModifierType state)
{
  g_autoptr (GtkEventController) keys = keys_of (self);
  gboolean taken = FALSE;

  g_signal_emit_by_name (keys, "key-pressed", key, 0, state, &taken);
  return taken;
}

void
window_release (LsWindow *self, guint key)
{
  g_autoptr (GtkEventController) keys = keys_of (self);

  g_signal_emit_by_name (keys, "key-released", key, 0, 0);
}

GtkWidget *
window_popover (LsWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (self->canvas); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_visible (child))
      return child;
  return NULL;
}

void
window_close_popover (LsWindow *self)
{
  g_assert_nonnull (window_popover (self));
  gtk_popover_popdown (GTK_POPOVER (window_popover (self)));
  rig_settle ();
  g_assert_null (window_popover (self));
}

static void G_GNUC_PRINTF (3, 4) say (GString *words, const char *name, const char *format, ...)
{
  va_list arguments;

  g_string_append_printf (words, "%s%s ", words->len > 0 ? "; " : "", name);
  va_start (arguments, format);
  g_string_append_vprintf (words, format, arguments);
  va_end (arguments);
}

static const char *
yes (gboolean is)
{
  return is ? "yes" : "no";
}

char *
window_words (LsWindow *self)
{
  GString *words = g_string_new (NULL);
  const LsPlayhead *playhead = ls_session_playhead (self->session);
  const LsRecording *shown = ls_session_shown (self->session);
  const gint64 span = ls_playhead_span (playhead);
  LsCanvas *canvas = LS_CANVAS (self->canvas);

  say (words, "plays", "%s", yes (playhead->playing));
  say (words, "step", "%d", shown != NULL ? (int) shown->step : 0);
  say (words, "time", "%s",
       playhead->time_ns == 0      ? "beginning"
       : playhead->time_ns == span ? "end"
                                   : "between");
  say (words, "op", "%u", playhead->ops->len > 0 ? playhead->at : 0);
  say (words, "dial", "%u", ls_dial_position (playhead->dial_ns));
  say (words, "pace", "%s", ls_options_find ("pace")->choices[ls_session_pace (self->session)]);
  say (words, "view", "%s", ls_canvas_view (canvas)->name);
  say (words, "seconds", "%s", yes (ls_canvas_seconds (canvas)));
  say (words, "picked", "%s", yes (ls_canvas_has_pick (canvas)));
  say (words, "projector", "%s", yes (self->projector));
  say (words, "two", "%s", yes (self->two_wanted));
  say (words, "views", "%s", yes (gtk_revealer_get_reveal_child (GTK_REVEALER (self->sidebar_revealer))));
  say (words, "settings", "%s", yes (gtk_revealer_get_reveal_child (GTK_REVEALER (self->settings_revealer))));
  say (words, "asked", "%s", yes (self->session->show_next));
  if (window_popover (self) != NULL)
    say (words, "popover", "%s",
         gtk_widget_has_css_class (window_popover (self), "fair-popover")       ? "fair"
         : gtk_widget_has_css_class (window_popover (self), "evidence-popover") ? "evidence"
                                                                                : "another");
  return g_string_free (words, FALSE);
}

char *
window_changes (LsWindow *self, const char *before)
{
  g_autofree char *after = window_words (self);
  g_auto (GStrv) was = g_strsplit (before, "; ", -1), is = g_strsplit (after, "; ", -1);
  GString *changes = g_string_new (NULL);

  for (guint i = 0; is[i] != NULL; i++)
    if (i >= g_strv_length (was))
      g_string_append_printf (changes, "%s%s", changes->len > 0 ? "; " : "", is[i]);
    else if (strcmp (was[i], is[i]) != 0)
      g_string_append_printf (changes, "%s%s > %s", changes->len > 0 ? "; " : "", was[i],
                              strchr (is[i], ' ') + 1);
  return g_string_free (changes, FALSE);
}
