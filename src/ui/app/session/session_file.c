/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's recordings from files: played back while the run, if there is one, rests.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>

#include "core/file.h"

typedef struct {
  LsRecording *recording;
  LsSessionKept *lab; /* what it holds of experiments */
  char *problem;      /* why that isn't all; or NULL */
} Loaded;

static void
loaded_free (Loaded *loaded)
{
  g_clear_pointer (&loaded->recording, ls_recording_unref);
  ls_session_kept_free (loaded->lab);
  g_free (loaded->problem);
  g_free (loaded);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loaded, loaded_free)

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (Loaded) loaded = g_new0 (Loaded, 1);
  GError *error = NULL;

  loaded->recording = ls_recording_load (data, &error);
  if (loaded->recording == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  loaded->lab = ls_session_recorded_kept (loaded->recording, &error);
  if (error != NULL)
    {
      g_autofree char *name = ls_file_display_name (data);

      g_prefix_error (&error, _("The results of experiments in “%s” can’t be read: "), name);
      loaded->problem = g_strdup (error->message);
      g_error_free (error);
    }
  g_task_return_pointer (task, g_steal_pointer (&loaded), (GDestroyNotify) loaded_free);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (Loaded) loaded = g_task_propagate_pointer (G_TASK (result), &error);
  LsRecording *recording;
  const char *host;

  if (G_TASK (result) != self->opening)
    return; /* another one, or a run, was asked for meanwhile */
  self->opening = NULL;
  if (loaded == NULL)
    {
      ls_session_say (self, error->message);
      return;
    }
  recording = loaded->recording;
  if (loaded->problem != NULL)
    ls_session_say (self, loaded->problem);
  ls_session_kept_free (self->recorded);
  self->recorded = g_steal_pointer (&loaded->lab);
  ls_session_set_playing (self, FALSE);
  g_clear_pointer (&self->file, ls_recording_unref);
  self->file = ls_recording_ref (recording);
  g_free (self->origin);
  host = g_hash_table_lookup (recording->conditions, "host");
  self->origin = host != NULL ? g_strdup_printf ("%s, %.10s", host, recording->date)
                              : g_strndup (recording->date, 10);
  self->mode = LS_SESSION_PLAYBACK;
  ls_session_rebuild (self);
  ls_session_show (self, recording, TRUE);
  ls_session_set_playing (self, TRUE);
  ls_session_emit_state (self);
}

void
ls_session_open (LsSession *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, loaded_cb, NULL);

  self->opening = task;
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_thread);
}

void
ls_session_close_file (LsSession *self)
{
  if (self->file == NULL)
    return;
  self->opening = NULL;                 /* another one that is still being read comes too late */
  ls_session_set_playing (self, FALSE); /* the recording; training has rested since it was opened */
  g_clear_pointer (&self->file, ls_recording_unref);
  ls_session_kept_free (g_steal_pointer (&self->recorded));
  g_clear_pointer (&self->origin, g_free);
  g_clear_pointer (&self->shown, ls_recording_unref);
  self->mode = self->coordinator != NULL ? LS_SESSION_LIVE
               : self->making != NULL    ? LS_SESSION_STARTING
                                         : LS_SESSION_NONE;
  if (self->newest != NULL)
    ls_session_show (self, self->newest, TRUE);
  else
    {
      ls_playhead_set_data (&self->playhead, NULL, TRUE); /* it was over the recording */
      ls_session_rebuild (self);
    }
  ls_session_emit_state (self);
}

/* ---- laid over ---- */

/* What is still being read comes too late. */
static void
lay_over (LsSession *self, LsRecording *recording)
{
  self->laying = NULL;
  g_clear_pointer (&self->other, ls_view_data_unref);
  if (recording != NULL)
    self->other = ls_view_data_from_recording (recording, NULL);
  if (self->data != NULL)
    ls_session_rebuild (self);
}

static void
laid_over_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (Loaded) loaded = g_task_propagate_pointer (G_TASK (result), &error);

  if (G_TASK (result) != self->laying)
    return;
  self->laying = NULL;
  if (loaded == NULL)
    ls_session_say (self, error->message);
  else
    lay_over (self, loaded->recording);
}

void
ls_session_lay_over (LsSession *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, laid_over_cb, NULL);

  self->laying = task;
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, load_thread);
}

void
ls_session_lay_over_step (LsSession *self)
{
  if (self->data != NULL && self->data->recording != NULL)
    lay_over (self, self->data->recording);
}

void
ls_session_lay_over_none (LsSession *self)
{
  lay_over (self, NULL);
}
