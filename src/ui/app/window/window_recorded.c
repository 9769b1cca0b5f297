/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * “Train This Network”: the network of the recording that is shown begins to be trained, with the data, the
 * batch, the optimizer and the seed that the recording knows of. Where its data aren't there, those of the
 * settings are taken, if they fit.
 */
#include "config.h"
#include "ui/app/window/window_private.h"

#include <glib/gi18n.h>

#include "core/error.h"
#include "core/file.h"
#include "data/dataset.h"
#include "data/recorded_run.h"

typedef struct {
  LsRecording *recording;
  LsOptions *options; /* of the new run */
  guint number;       /* LsWindow.opened */
} Wish;

static void
wish_free (Wish *wish)
{
  ls_recording_unref (wish->recording);
  ls_options_free (wish->options);
  g_free (wish);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wish, wish_free)

/* read: (transfer full), or NULL. */
static void
begin (LsWindow *self, const LsOptions *options, LsSettingsRead *read)
{
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);

  ls_settings_pane_set_running (pane, options);
  if (read != NULL)
    ls_settings_pane_set_read (pane, options, read);
  ls_window_run_again (self);
}

/* On those of the settings. */
static void
begin_otherwise (LsWindow *self, Wish *wish)
{
  LsSettingsPane *pane = LS_SETTINGS_PANE (self->settings);
  const LsOptions *own = ls_settings_pane_options (pane);
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  gint64 shape[3];
  gint n_classes;

  const gboolean known = ls_settings_pane_shape (pane, shape, &n_classes);

  sentence = ls_recorded_run_instead (wish->recording, wish->options->data, own->data, known ? shape : NULL,
                                      n_classes, &error);
  if (sentence != NULL)
    {
      ls_recorded_run_other_data (wish->options, own);
      begin (self, wish->options, NULL);
    }
  ls_window_toast (self, sentence != NULL ? sentence : error->message);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsWindow *self = LS_WINDOW (source);
  g_autoptr (Wish) wish = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSettingsRead) read = ls_settings_read_data_finish (result, &error);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)) || wish->number != self->opened)
    return;
  if (g_error_matches (error, LS_ERROR, LS_ERROR_USAGE)) /* there is nothing at that path */
    begin_otherwise (self, wish);
  else if (read == NULL)
    ls_window_toast (self, error->message);
  else if (!ls_recorded_run_fits (wish->recording, read->preview->shape, read->preview->n_classes))
    {
      g_autofree char *file
        = ls_file_display_name (wish->options->data),
        *sentence = g_strdup_printf (
          _("The data “%s” aren’t what they were when this was recorded, and don’t fit its network."), file);
      ls_window_toast (self, sentence);
    }
  else
    begin (self, wish->options, g_steal_pointer (&read));
}

static void
train_network (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LsWindow *self = LS_WINDOW (widget);
  LsRecording *recording = ls_session_shown (self->session);
  g_autoptr (Wish) wish = NULL;
  const LsOptions *options;

  if (ls_session_mode (self->session) != LS_SESSION_PLAYBACK || recording == NULL)
    return;
  wish = g_new0 (Wish, 1);
  wish->recording = ls_recording_ref (recording);
  wish->options = ls_options_copy (ls_settings_pane_options (LS_SETTINGS_PANE (self->settings)));
  ls_window_forget_opening (self);
  wish->number = self->opened;
  ls_recorded_run_take (recording, TRUE, wish->options);
  options = wish->options;
  if (g_strv_contains (ls_data_names (), options->data))
    begin (self, options, NULL);
  else
    ls_settings_read_data (self, options, options->data, NULL, read_cb, g_steal_pointer (&wish));
}

void
ls_window_update_recorded (LsWindow *self)
{
  const gboolean shown = ls_session_mode (self->session) == LS_SESSION_PLAYBACK;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.train-network", shown);
  ls_window_event (self, "shows %s", shown ? "recording" : "run");
}

void
ls_window_class_add_recorded (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.train-network", NULL, train_network);
}
