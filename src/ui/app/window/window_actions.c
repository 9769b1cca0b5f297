/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be done, as actions, and the keys for it. Keys without Ctrl or Alt are listened to where they
 * bubble up to, so that a focused entry or button takes them first.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "data/datadir.h"
#include "ui/app/compat.h"
#include "ui/app/dialogs/lab_dialog.h"
#include "ui/app/dialogs/tune_dialog.h"
#include "ui/paint/views.h"

static void
play (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  ls_session_set_playing (self->session, !ls_session_playing (self->session));
}

static void
train_on (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_session_train_on (LS_WINDOW (widget)->session);
  gtk_widget_grab_focus (LS_WINDOW (widget)->canvas);
}

static void
step (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_session_step (LS_WINDOW (widget)->session, g_str_equal (name, "win.step") ? 1 : -1);
}

static void
jump (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_session_jump (LS_WINDOW (widget)->session, g_str_has_prefix (name, "win.next") ? 1 : -1,
                   g_str_has_suffix (name, "short-op"));
}

static void
turn (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_dial_turn (LS_DIAL (LS_WINDOW (widget)->dial), g_str_equal (name, "win.faster") ? 1 : -1);
}

static void
view (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_set_view (LS_WINDOW (widget), (guint) g_variant_get_int32 (parameter) - 1);
}

static void
sidebar (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  ls_window_show_sidebar (self, !gtk_revealer_get_reveal_child (GTK_REVEALER (self->sidebar_revealer)));
}

static void
devices_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LsWindow) self = data;
  g_auto (GStrv) names = ls_session_list_devices_finish (LS_SESSION (source), result);

  if (names != NULL)
    ls_settings_pane_set_devices (LS_SETTINGS_PANE (self->settings), (const char *const *) names);
}

/* Now it can have the focus: as long as it slides in from nothing, it can't. */
static void
settings_mapped_cb (LsWindow *self)
{
  g_clear_signal_handler (&self->settings_come, self->settings);
  gtk_widget_child_focus (self->settings, GTK_DIR_TAB_FORWARD);
}

static void
settings (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);
  const gboolean shown = gtk_revealer_get_reveal_child (GTK_REVEALER (self->settings_revealer));

  ls_window_set_projector (self, FALSE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->settings_revealer), !shown);
  if (!shown && !self->listed)
    {
      self->listed = TRUE;
      ls_session_list_devices (self->session, devices_cb, g_object_ref (self));
    }
  g_clear_signal_handler (&self->settings_come, self->settings);
  if (shown)
    gtk_widget_grab_focus (self->canvas);
  else if (gtk_widget_get_mapped (self->settings))
    gtk_widget_child_focus (self->settings, GTK_DIR_TAB_FORWARD);
  else
    self->settings_come = g_signal_connect_swapped (self->settings, "map", G_CALLBACK (settings_mapped_cb),
                                                    self);
}

static void
projector (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_set_projector (LS_WINDOW (widget), !LS_WINDOW (widget)->projector);
}

static void
fullscreen (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (widget)))
    gtk_window_unfullscreen (GTK_WINDOW (widget));
  else
    gtk_window_fullscreen (GTK_WINDOW (widget));
}

static void export(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_export (LS_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_copy (LS_WINDOW (widget));
}

static void
help (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_help (LS_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
open_recording (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_compat_choose_file (GTK_WINDOW (widget), LS_CHOOSE_OPEN, _("Open a Recording"), NULL, "*.lockstep",
                         _("Recordings"), ls_window_open, g_object_ref (widget), g_object_unref);
}

/* A recording that came with the program, by the name of its network. */
static void
open_example (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *file = g_strconcat ("recordings/", g_variant_get_string (parameter, NULL), ".lockstep",
                                       NULL);
  g_autofree char *path = ls_data_dir_find (file);

  if (path != NULL)
    {
      ls_window_forget_opening (LS_WINDOW (widget));
      ls_session_open (LS_WINDOW (widget)->session, path);
    }
  else
    ls_window_toast (LS_WINDOW (widget), _("The example recordings aren’t installed."));
}

static void
laid_over (GFile *file, gpointer window)
{
  g_autofree char *path = ls_window_path_here (window, file);

  if (path != NULL)
    ls_session_lay_over (LS_WINDOW (window)->session, path);
}

/* "file", "step" or "none". */
static void
lay_over (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);
  const char *what = g_variant_get_string (parameter, NULL);

  if (g_str_equal (what, "file"))
    ls_compat_choose_file (GTK_WINDOW (widget), LS_CHOOSE_OPEN, _("Lay a Recording over the Timeline"), NULL,
                           "*.lockstep", _("Recordings"), laid_over, g_object_ref (widget), g_object_unref);
  else if (g_str_equal (what, "step"))
    ls_session_lay_over_step (self->session);
  else
    ls_session_lay_over_none (self->session);
}

static void
open_data (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_choose_data (LS_WINDOW (widget), LS_CHOOSE_FOLDER, ls_window_open, widget);
}

static void
close_recording (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  ls_session_close_file (self->session);
  if (ls_session_mode (self->session) == LS_SESSION_NONE)
    ls_window_run_again (self);
  ls_session_set_playing (self->session, TRUE);
}

static void
run_again (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_run_again (LS_WINDOW (widget));
}

static void
look_at_aside (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_session_look_at_aside (LS_WINDOW (widget)->session);
}

static void
retry (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_session_retry (LS_WINDOW (widget)->session);
}

static void
seconds (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  ls_canvas_set_seconds (LS_CANVAS (self->canvas), !ls_canvas_seconds (LS_CANVAS (self->canvas)));
}

static void
kernels (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);

  if (g_str_equal (name, "win.edit-kernels"))
    ls_window_edit_kernels (self);
  else if (g_str_equal (name, "win.own-kernels"))
    ls_window_own_kernels (self);
  else
    ls_window_kernel_message (self);
}

static void
two (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_set_two (LS_WINDOW (widget), !LS_WINDOW (widget)->two_wanted);
}

static void
evidence (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_canvas_next_evidence (LS_CANVAS (LS_WINDOW (widget)->canvas));
}

static void
filter (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_sidebar_filter (LS_SIDEBAR (LS_WINDOW (widget)->sidebar), g_variant_get_int32 (parameter));
}

static void
let_go (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const gboolean shown = gtk_revealer_get_reveal_child (GTK_REVEALER (self->settings_revealer)),
                 among = shown && focus != NULL && gtk_widget_is_ancestor (focus, self->settings);

  /* Escape is for what has the focus: among the settings it doesn’t let go of the picture’s marks. */
  if (!among && (ls_canvas_let_go (LS_CANVAS (self->canvas)) || ls_session_drop_changes (self->session)))
    return;
  if (self->projector)
    ls_window_set_projector (self, FALSE);
  else if (shown)
    gtk_widget_activate_action (widget, "win.settings", NULL);
  else if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
}

static void
fair (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_window_show_fair (LS_WINDOW (widget));
}

static void
tune (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_tune_dialog_present (GTK_WINDOW (widget), LS_WINDOW (widget)->session);
}

static void
lab (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ls_lab_dialog_present (GTK_WINDOW (widget), LS_WINDOW (widget)->session);
}

/* ---- keys ---- */

static gboolean
arrow (LsWindow *self, int dx, int dy, gboolean all)
{
  if (ls_canvas_has_pick (LS_CANVAS (self->canvas)))
    ls_canvas_move_pick (LS_CANVAS (self->canvas), dx, dy);
  else if (dx != 0)
    ls_session_step (self->session, dx);
  else
    ls_session_jump (self->session, dy, all);
  return TRUE;
}

static gboolean
key_cb (LsWindow *self, guint key, guint code, GdkModifierType state)
{
  if (ls_canvas_zoom_key (LS_CANVAS (self->canvas), key, state)
      || ls_canvas_view_key (LS_CANVAS (self->canvas), key, state))
    return TRUE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_space:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.play", NULL);
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return arrow (self, -1, 0, state & GDK_SHIFT_MASK);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return arrow (self, 1, 0, state & GDK_SHIFT_MASK);
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return arrow (self, 0, -1, state & GDK_SHIFT_MASK);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return arrow (self, 0, 1, state & GDK_SHIFT_MASK);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      ls_canvas_pick (LS_CANVAS (self->canvas));
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.faster", NULL);
    case GDK_KEY_underscore: /* as plus is, a key with Shift; minus is a view's */
    case GDK_KEY_KP_Subtract:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.slower", NULL);
    case GDK_KEY_p:
    case GDK_KEY_P:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.projector", NULL);
    case GDK_KEY_u:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.fair", NULL);
    case GDK_KEY_t:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.seconds", NULL);
    case GDK_KEY_b:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.two", NULL);
    case GDK_KEY_e:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.evidence", NULL);
    case GDK_KEY_E:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.filter", "i", -1);
    case GDK_KEY_f:
    case GDK_KEY_F:
      ls_session_hold_full (self->session, TRUE);
      return TRUE;
    case GDK_KEY_Escape:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.let-go", NULL);
    default:
      if (ls_view_of_key (gdk_keyval_to_unicode (key)) >= 0)
        return gtk_widget_activate_action (GTK_WIDGET (self), "win.view", "i",
                                           (gint32) ls_view_of_key (gdk_keyval_to_unicode (key)) + 1);
      return FALSE;
    }
}

static void
released_cb (LsWindow *self, guint key, guint code, GdkModifierType state)
{
  if (key == GDK_KEY_f || key == GDK_KEY_F)
    ls_session_hold_full (self->session, FALSE);
}

/* A key that is let go of over another window isn't told of. */
static void
active_cb (LsWindow *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self)))
    ls_session_hold_full (self->session, FALSE);
}

void
ls_window_add_keys (LsWindow *self, GtkWidget *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  g_signal_connect_swapped (keys, "key-released", G_CALLBACK (released_cb), self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
  gtk_widget_add_controller (widget, keys);
}

void
ls_window_class_add_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name, *parameter;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "win.play", NULL, play },
    { "win.step", NULL, step },
    { "win.step-back", NULL, step },
    { "win.next-op", NULL, jump },
    { "win.previous-op", NULL, jump },
    { "win.faster", NULL, turn },
    { "win.next-short-op", NULL, jump },
    { "win.previous-short-op", NULL, jump },
    { "win.slower", NULL, turn },
    { "win.view", "i", view },
    { "win.sidebar", NULL, sidebar },
    { "win.settings", NULL, settings },
    { "win.projector", NULL, projector },
    { "win.fullscreen", NULL, fullscreen },
    { "win.export", "s", export },
    { "win.copy", NULL, copy },
    { "win.open", NULL, open_recording },
    { "win.lay-over", "s", lay_over },
    { "win.open-example", "s", open_example },
    { "win.open-data", NULL, open_data },
    { "win.let-go", NULL, let_go },
    { "win.close-recording", NULL, close_recording },
    { "win.run-again", NULL, run_again },
    { "win.retry", NULL, retry },
    { "win.look-at-aside", NULL, look_at_aside },
    { "win.seconds", NULL, seconds },
    { "win.edit-kernels", NULL, kernels },
    { "win.own-kernels", NULL, kernels },
    { "win.kernel-message", NULL, kernels },
    { "win.evidence", NULL, evidence },
    { "win.filter", "i", filter },
    { "win.two", NULL, two },
    { "win.help", "s", help },
    { "win.tune", NULL, tune },
    { "win.lab", NULL, lab },
    { "win.fair", NULL, fair },
    { "win.train-on", NULL, train_on },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].parameter,
                                     actions[i].activate);
}
