/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session says, and opening and closing.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/defaults.h"
#include "core/error.h"
#include "ui/app/compat.h"
#include "ui/app/settings/settings_bar.h"
#include "ui/app/widgets/toasts.h"
#include "ui/paint/views.h"

G_DEFINE_FINAL_TYPE (LsWindow, ls_window, ADW_TYPE_APPLICATION_WINDOW)

void
ls_window_toast (LsWindow *self, const char *sentence)
{
  g_autofree char *full = ls_sentence (sentence);

  ls_toasts_add (ADW_TOAST_OVERLAY (self->toasts), full, 6, NULL, NULL);
  ls_window_event (self, "toast %s", full);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_CLASS (ls_window_parent_class)->size_allocate (widget, width, height, baseline);
  ls_window_queue_width (LS_WINDOW (widget), width);
}

static void
set_banner_button (LsWindow *self, guint i, const char *label, const char *action)
{
  gtk_widget_set_visible (self->banner_buttons[i], label != NULL);
  if (label == NULL)
    return;
  ls_compat_name_button (self->banner_buttons[i], label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_buttons[i]), action);
}

static void
show_banner (LsWindow *self)
{
  const LsSessionMode mode = ls_session_mode (self->session);
  g_autofree char *text = ls_session_learnt (self->session), *kept = ls_session_kept_words (self->session);
  const gboolean over = text != NULL,
                 offered = !over && kept != NULL && mode != LS_SESSION_PLAYBACK && mode != LS_SESSION_FAILED;

  if (mode == LS_SESSION_PLAYBACK)
    text = g_strdup (_("A recording is played back; nothing is trained."));
  else if (mode == LS_SESSION_FAILED)
    text = g_strdup (ls_session_problem (self->session));
  else if (offered)
    text = g_steal_pointer (&kept);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->banner), text != NULL && !self->projector);
  if (over && !self->run_over)
    ls_window_event (self, "over %s", text);
  if (over && !self->run_over && self->projector)
    ls_window_toast (self, text);
  self->run_over = over;
  if (offered && !self->offered)
    ls_window_event (self, "kept %s", text);
  self->offered = offered;
  if (text == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->banner_text), text);
  if (over)
    set_banner_button (self, 0, _("Train _On"), "win.train-on");
  else if (offered)
    set_banner_button (self, 0, _("_Go On with It"), "win.go-on");
  else if (mode == LS_SESSION_PLAYBACK)
    set_banner_button (self, 0, _("Back to _Training"), "win.close-recording");
  else
    set_banner_button (self, 0, _("_Settings"), "win.settings");
  if (offered)
    set_banner_button (self, 1, _("_Leave It"), "win.leave-kept");
  else
    set_banner_button (self, 1, over ? _("Start _Anew") : NULL, "win.run-again");
}

void
ls_window_set_projector (LsWindow *self, gboolean projector)
{
  if (self->projector == projector)
    return;
  self->projector = projector;
  gtk_widget_set_visible (self->header, !projector);
  gtk_widget_set_visible (self->card, !projector);
  if (projector)
    {
      gtk_revealer_set_reveal_child (GTK_REVEALER (self->settings_revealer), FALSE);
      gtk_window_fullscreen (GTK_WINDOW (self));
    }
  else
    gtk_window_unfullscreen (GTK_WINDOW (self));
  gtk_widget_set_visible (self->time_bar, !projector);
  show_banner (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->stages); i++)
    if (ls_window_canvas (self, i) != NULL)
      ls_canvas_set_projector (ls_window_canvas (self, i), projector);
  ls_window_apply_width (self);
  gtk_widget_grab_focus (self->canvas);
  ls_window_event (self, "projector %s", projector ? "yes" : "no");
}

void
ls_window_set_view (LsWindow *self, guint view)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  if (view >= n)
    return;
  ls_window_keep_apart (self, views[view]);
  ls_canvas_set_view (LS_CANVAS (self->canvas), views[view]);
  if (self->canvas == self->stages[0].canvas && self->stages[1].canvas != NULL)
    gtk_widget_queue_draw (self->stages[1].canvas); /* the session's clock may be another */
  ls_sidebar_set_view (LS_SIDEBAR (self->sidebar), view);
  if (self->width > 0 && self->width < LS_WINDOW_MEDIUM)
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->sidebar_revealer), FALSE);
  ls_window_update_lanes (self);
  ls_window_event (self, "view %s", views[view]->name);
}

/* ---- what the session says ---- */

/* The batch is a condition of every rate: where there is little room the network's sizes give way to its
 * name. */
void
ls_window_show_title (LsWindow *self)
{
  LsViewData *data = ls_session_data (self->session);
  const gboolean brief = self->width < LS_WINDOW_MEDIUM;

  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), data == NULL ? _("Lockstep")
                                                              : brief      ? data->brief
                                                                           : data->title);
  gtk_widget_set_tooltip_text (self->title, data != NULL && brief ? data->title : NULL);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title),
                                 data != NULL ? data->when : _("getting ready"));
}

static void
time_cb (LsWindow *self)
{
  ls_window_card_seen (self);
  if (!ls_session_playing (self->session))
    ls_window_event (self, "playhead %lld", (long long) ls_session_playhead (self->session)->time_ns);
}

/* The pane can check networks against a folder's samples once it was read. */
static void
tell_shape (LsWindow *self)
{
  const LsSnapshot *snapshot = ls_session_snapshot (self->session);
  LsData *samples = ls_session_samples (self->session);

  if (snapshot == NULL || snapshot->plan == self->told)
    return;
  g_clear_pointer (&self->told, ls_plan_unref); /* held: another one may lie where it was */
  self->told = ls_plan_ref (snapshot->plan);
  if (samples != NULL && !g_strv_contains (ls_data_names (), snapshot->options->data))
    {
      LsSettingsRead *read = g_new0 (LsSettingsRead, 1);

      read->preview = ls_data_preview_new (samples);
      ls_settings_pane_set_read (LS_SETTINGS_PANE (self->settings), snapshot->options, read);
    }
  ls_settings_pane_set_shape (LS_SETTINGS_PANE (self->settings), snapshot->options->data,
                              snapshot->plan->in_shape, snapshot->plan->n_classes,
                              samples != NULL ? samples->train.n : 0);
}

static void
data_cb (LsWindow *self)
{
  LsRecording *shown = ls_session_shown (self->session);

  tell_shape (self);
  ls_window_tell_devices (self);
  ls_window_show_title (self);
  ls_window_update_lanes (self);
  if (shown != NULL && !self->stepped)
    {
      self->stepped = TRUE;
      ls_window_event (self, "first-step %lld",
                       (long long) (g_get_monotonic_time () - self->started_us) / 1000);
    }
  time_cb (self); /* the op may be another */
}

static void
state_cb (LsWindow *self)
{
  const gboolean playing = ls_session_playing (self->session);
  const char *words = playing ? _("Pause") : _("Play");
  LsRecording *shown = ls_session_shown (self->session);

  gtk_button_set_icon_name (GTK_BUTTON (self->play),
                            playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (self->play, words);
  ls_compat_name (self->play, words);
  show_banner (self);
  ls_window_update_recorded (self);
  ls_window_show_title (self);
  ls_window_event (self, "playing %s", playing ? "yes" : "no");
  ls_window_event (self, "pace %s", ls_options_find ("pace")->choices[ls_session_pace (self->session)]);
  if (shown != NULL)
    ls_window_event (self, "step %llu", (unsigned long long) shown->step);
}

void
ls_window_live_changed (LsWindow *self)
{
  ls_session_configure (self->session, ls_settings_pane_running (LS_SETTINGS_PANE (self->settings)));
  ls_window_update_lanes (self);
  ls_window_save_state (self);
}

void
ls_window_new_run (LsWindow *self)
{
  const LsOptions *options = ls_session_options (self->session);

  memset (self->devices, 0, sizeof self->devices); /* the new ones may lie where the old ones were */
  ls_settings_pane_set_running (LS_SETTINGS_PANE (self->settings), options);
  ls_window_update_lanes (self);
  ls_window_event (self, "run %s", options->model);
  ls_window_save_state (self);
}

void
ls_window_run_again (LsWindow *self)
{
  g_autoptr (LsOptions) options = ls_options_copy (
    ls_settings_pane_options (LS_SETTINGS_PANE (self->settings)));

  options->pace = ls_session_options (self->session)->pace; /* the header's, not the pane's */
  ls_session_give_data (self->session, ls_settings_pane_take_data (LS_SETTINGS_PANE (self->settings)));
  ls_session_train (self->session, options);
  ls_window_new_run (self);
}

void
ls_window_set_option (LsWindow *self, const char *name, const char *text)
{
  g_autoptr (LsOptions) options = ls_options_copy (ls_session_options (self->session));
  const LsData *samples = ls_session_samples (self->session),
               *read = g_strv_contains (ls_data_names (), options->data) ? NULL : samples;

  if (!ls_options_set (options, ls_options_find (name), text, NULL))
    return;
  /* the rate may follow the batch; the network and the batch of data that were read stay as they are */
  ls_data_suggest (options, read != NULL ? read->n_classes : 0, read != NULL ? read->train.n : 0);
  if (ls_options_find (name)->effect == LS_OPTION_RESTART)
    {
      ls_session_train (self->session, options);
      memset (self->devices, 0, sizeof self->devices);
      ls_settings_pane_set_running (LS_SETTINGS_PANE (self->settings), options);
    }
  else
    {
      ls_session_configure (self->session, options);
      ls_settings_pane_change_running (LS_SETTINGS_PANE (self->settings), options);
    }
  ls_window_update_switches (self);
  ls_window_save_state (self);
  ls_window_event (self, "%s %s", name, text);
}

void
ls_window_set_lanes (LsWindow *self, const char *lanes)
{
  g_autoptr (LsOptions) options = ls_options_copy (ls_session_options (self->session));

  if (!ls_options_set (options, ls_options_find ("lanes"), lanes, NULL))
    return;
  ls_session_configure (self->session, options);
  ls_settings_pane_change_running (LS_SETTINGS_PANE (self->settings), options);
  ls_window_update_lanes (self);
  ls_window_save_state (self);
  ls_window_event (self, "lanes %s", lanes);
}

/* ---- closing ---- */

static gboolean
close_request (GtkWindow *window)
{
  LsWindow *self = LS_WINDOW (window);

  gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
  ls_window_save_state (self);
  g_clear_handle_id (&self->meter, g_source_remove);
  ls_session_end (self->session);
  ls_window_event (self, "closed");
  return GTK_WINDOW_CLASS (ls_window_parent_class)->close_request (window);
}

static void
realize (GtkWidget *widget)
{
  LsWindow *self = LS_WINDOW (widget);

  GTK_WIDGET_CLASS (ls_window_parent_class)->realize (widget);
  if (!self->events)
    return;
  ls_window_add_meter (self);
}

static void
dispose (GObject *object)
{
  LsWindow *self = LS_WINDOW (object);

  g_clear_handle_id (&self->meter, g_source_remove);
  g_clear_handle_id (&self->width_later, g_source_remove);
  ls_window_forget_focus (self);
  g_clear_pointer (&self->fault, g_free);
  g_clear_pointer (&self->told, ls_plan_unref);
  if (self->session != NULL)
    ls_session_end (self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (ls_window_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LS_WINDOW (object)->switches);
  for (guint i = 0; i < G_N_ELEMENTS (LS_WINDOW (object)->before_fight); i++)
    g_free (LS_WINDOW (object)->before_fight[i]);
  G_OBJECT_CLASS (ls_window_parent_class)->finalize (object);
}

static void
ls_window_class_init (LsWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  widget_class->size_allocate = size_allocate;
  widget_class->realize = realize;
  GTK_WINDOW_CLASS (class)->close_request = close_request;
  ls_window_class_add_actions (widget_class);
  ls_window_class_add_kept (widget_class);
  ls_window_class_add_lab (widget_class);
  ls_window_class_add_recorded (widget_class);
}

static void
ls_window_init (LsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->started_us = g_get_monotonic_time ();
  self->switches = g_ptr_array_new_with_free_func (g_free);
  self->events = g_getenv ("LOCKSTEP_EVENTS") != NULL;
  self->tells_faults = g_strcmp0 (g_getenv ("LOCKSTEP_EVENTS"), "faults") == 0;
  self->sidebar_wanted = self->two_wanted = TRUE;
  self->session = ls_session_new ();
  ls_window_make_stage (self);
  self->header = ls_window_make_header (self);
  self->banner = ls_window_make_banner (self);
  self->toasts = adw_toast_overlay_new ();
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->toasts), self->over);
  gtk_widget_set_vexpand (self->toasts, TRUE);
  gtk_box_append (GTK_BOX (box), self->header);
  gtk_box_append (GTK_BOX (box), self->banner);
  self->reading = ls_settings_bar_new (TRUE);
  gtk_widget_set_margin_start (self->reading, 12);
  gtk_widget_set_margin_end (self->reading, 12);
  gtk_widget_set_margin_bottom (self->reading, 6);
  gtk_box_append (GTK_BOX (box), self->reading);
  gtk_box_append (GTK_BOX (box), ls_window_make_card (self));
  gtk_box_append (GTK_BOX (box), self->toasts);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), box);
  ls_window_add_kernels (self);
  ls_window_add_keys (self, box);
  ls_window_watch_focus (self);
  ls_compat_add_drop (GTK_WIDGET (self), ls_window_open, self);
  ls_window_update_recorded (self);
  g_signal_connect_object (self->session, "data", G_CALLBACK (data_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "time", G_CALLBACK (time_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "message", G_CALLBACK (ls_window_toast), self, G_CONNECT_SWAPPED);
}

GtkWidget *
ls_window_new (GtkApplication *application, const LsOptions *options, gboolean train)
{
  LsWindow *self = g_object_new (LS_TYPE_WINDOW, "application", application, "title", _("Lockstep"), NULL);
  g_autoptr (LsOptions) chosen = ls_options_copy (options);

  ls_window_load_state (self, chosen);
  ls_options_suggest (chosen, ls_options_find ("pace"), "watch");
  ls_session_set_pace (self->session, (LsPace) chosen->pace);
  ls_window_show_card (self);
  ls_settings_pane_set_running (LS_SETTINGS_PANE (self->settings), chosen);
  ls_session_keep_runs (self->session, options);
  if (train)
    ls_session_train (self->session, chosen);
  ls_window_update_lanes (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->canvas);
  return GTK_WIDGET (self);
}
