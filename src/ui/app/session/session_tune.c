/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner in the window: training rests, the tuner works on a thread (and in a child process, tune.h) for
 * the network of the run, what it found is kept, the lanes take it over, and training goes on as it did. The
 * window never waits.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>
#include <pthread.h>

#include "core/error.h"
#include "ui/app/session/session_tune.h"

#define SECONDS    30  /* one network; both presets take less than a minute */
#define REST_MS    50  /* between two looks whether the lanes rest */
#define REST_LOOKS 200 /* a lane that hangs isn't waited for */

typedef struct {
  LsTuneWish wish;
  char *device, *model;
  gboolean was_playing;
  guint looks;
  pthread_mutex_t mutex;
  LsSessionTuning progress; /* behind the mutex */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->device);
  g_free (job->model);
  pthread_mutex_destroy (&job->mutex);
  g_free (job);
}

/* On the tuner's thread. */
static void
progress_cb (const LsTuneProgress *p, gpointer data)
{
  Job *job = data;

  pthread_mutex_lock (&job->mutex);
  job->progress.task = p->task;
  job->progress.n_tasks = p->n_tasks;
  job->progress.seconds_left = p->seconds_left;
  g_snprintf (job->progress.words, sizeof job->progress.words, "%s %s, %s", p->op, p->example, p->candidate);
  pthread_mutex_unlock (&job->mutex);
}

static void
tune_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancel)
{
  Job *job = data;
  g_autoptr (LsTuneResult) result = NULL;
  GError *error = NULL;

  if (ls_tune (&job->wish, progress_cb, job, cancel, &result, &error))
    ls_tuned_keep (result->entries, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&result), (GDestroyNotify) ls_tune_result_free);
}

static gboolean
rest_cb (gpointer data)
{
  GTask *task = data;
  LsSession *self = g_task_get_source_object (task);
  Job *job = g_task_get_task_data (task);

  if (self->coordinator != NULL && !g_cancellable_is_cancelled (g_task_get_cancellable (task))
      && (ls_session_any_comes (self)
          || (!ls_coordinator_wait (self->coordinator, 0) && ++job->looks < REST_LOOKS)))
    return G_SOURCE_CONTINUE;
  g_task_run_in_thread (task, tune_thread);
  return G_SOURCE_REMOVE;
}

GTask *
ls_session_tune (LsSession *self, GCancellable *cancel, GAsyncReadyCallback done, gpointer data)
{
  GTask *task = g_task_new (self, cancel, done, data);
  const LsPlan *plan = self->snapshot != NULL ? self->snapshot->plan : NULL;
  Job *job;

  g_task_set_check_cancellable (task, FALSE); /* ls_tune() says so itself */
  if (self->coordinator == NULL || plan == NULL || ls_session_lab_measures (self))
    {
      g_task_return_new_error (task, LS_ERROR, LS_ERROR_USAGE,
                               ls_session_lab_measures (self) ? _("An experiment is going on.")
                                                              : _("There is no run to tune for yet."));
      return task;
    }
  job = g_new0 (Job, 1);
  pthread_mutex_init (&job->mutex, NULL);
  job->device = g_strdup (self->options->device);
  job->model = g_strdup (plan->model->text);
  job->wish = (LsTuneWish){ .device = job->device, .n_plans = 1, .seconds = SECONDS };
  job->wish.plans[0] = (LsTunePlan){ job->model,
                                     { plan->in_shape[0], plan->in_shape[1], plan->in_shape[2] },
                                     plan->n_classes,
                                     plan->batch,
                                     plan->optimizer };
  job->progress.seconds_left = SECONDS;
  job->was_playing = ls_session_playing (self) && self->file == NULL;
  g_task_set_task_data (task, job, job_free);
  ls_session_set_playing (self, FALSE);
  g_timeout_add_full (G_PRIORITY_DEFAULT, REST_MS, rest_cb, g_object_ref (task), g_object_unref);
  return task;
}

gboolean
ls_session_tune_progress (GTask *task, LsSessionTuning *progress)
{
  Job *job = g_task_get_task_data (task);

  if (job == NULL)
    return FALSE;
  pthread_mutex_lock (&job->mutex);
  *progress = job->progress;
  pthread_mutex_unlock (&job->mutex);
  return TRUE;
}

LsTuneResult *
ls_session_tune_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  const Job *job = g_task_get_task_data (G_TASK (result));
  LsTuneResult *found = g_task_propagate_pointer (G_TASK (result), error);

  if (self->ended || self->coordinator == NULL || job == NULL)
    return found;
  if (found != NULL)
    ls_session_tell_options (self);
  if (job->was_playing && self->file == NULL) /* a recording that was opened meanwhile isn't training */
    ls_session_set_playing (self, TRUE);
  return found;
}
