/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The laboratory in the window: training rests, the lanes are measured on a thread, each in a child process
 * (lab.h), with the lanes of the run, and training goes on as it did. The window never waits.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>
#include <pthread.h>

#include "core/error.h"
#include "lab/lab.h"
#include "ui/app/session/session_lab.h"

#define SHOW_MS    250 /* between two pictures while it is measured */
#define REST_MS    50  /* between two looks whether the lanes rest */
#define REST_LOOKS 200 /* a lane that hangs isn't waited for */
#define END_MS     10  /* between two looks whether the thread is done */
/* it hears that it is to end within tenths of a second, while lanes open within one */
#define END_LOOKS   200
#define FEWEST_BITS 4 /* of a network in whole numbers */

void
ls_session_lab_append (char **text, const char *line)
{
  char *longer = *text != NULL && **text != '\0' ? g_strdup_printf ("%s\n%s", *text, line) : g_strdup (line);

  g_free (*text);
  *text = longer;
}

/* ---- measuring ---- */

typedef struct {
  const LsExperiment *experiment; /* NULL: a claim is run */
  LsClaim *claim;                 /* NULL, too: the network is converted */
  LsConvertedKind convert;
  LsClaims *claims; /* the list that its outcome is kept in */
  LsOptions *options;
  gboolean anew;
  gboolean trains; /* a run of these options was made */
  guint looks;
  pthread_mutex_t mutex;
  LsSessionLab progress; /* behind the mutex, as all that follows */
  gint64 heard_us;       /* when it was told */
  gboolean running;      /* the thread */
} Job;

void
ls_session_lab_clear (LsSessionLab *progress)
{
  g_free (progress->words);
  g_free (progress->said);
  g_clear_pointer (&progress->result, ls_lab_result_unref);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  ls_options_free (job->options);
  g_clear_pointer (&job->claim, ls_claim_unref);
  g_clear_pointer (&job->claims, ls_claims_unref);
  ls_session_lab_clear (&job->progress);
  pthread_mutex_destroy (&job->mutex);
  g_free (job);
}

/* On the laboratory's thread. */
static void
heard_cb (const LsLabNews *news, gpointer data)
{
  Job *job = data;
  LsSessionLab *p = &job->progress;

  pthread_mutex_lock (&job->mutex);
  p->spot = news->spot;
  p->done = news->done;
  p->n = news->n;
  p->seconds_left = news->seconds_left;
  job->heard_us = g_get_monotonic_time ();
  g_free (p->words);
  p->words = news->spot.x > 0 && job->experiment != NULL
               ? ls_experiment_spot_text (job->experiment, news->spot)
               : NULL;
  if (news->result != NULL && news->result != p->result)
    {
      g_clear_pointer (&p->result, ls_lab_result_unref);
      p->result = ls_lab_result_ref (news->result);
    }
  if (news->said != NULL && news->problem)
    ls_session_lab_append (&p->said, news->said);
  pthread_mutex_unlock (&job->mutex);
}

static void
set_running (Job *job, gboolean running)
{
  pthread_mutex_lock (&job->mutex);
  job->running = running;
  pthread_mutex_unlock (&job->mutex);
}

static void
claim_thread (GTask *task, Job *job, GCancellable *cancel)
{
  const LsClaimWish wish = {
    .claim = job->claim, .seconds = LS_CLAIM_SECONDS, .rounds = LS_CLAIM_ROUNDS, .options = job->options
  };
  GError *error = NULL;
  g_autoptr (LsClaimResult) result = ls_claims_run (&wish, heard_cb, job, cancel, &error);
  LsClaims *claims = result != NULL ? ls_claims_keep (job->claims, result, &error) : NULL;

  set_running (job, FALSE);
  if (claims != NULL)
    g_task_return_pointer (task, claims, (GDestroyNotify) ls_claims_unref);
  else
    g_task_return_error (task, error);
}

/* On the laboratory's thread. */
static void
converting_cb (guint done, guint total, const char *words, gpointer data)
{
  Job *job = data;
  LsSessionLab *p = &job->progress;

  pthread_mutex_lock (&job->mutex);
  p->converting = g_intern_string (words);
  p->done = done;
  p->n = total;
  job->heard_us = g_get_monotonic_time ();
  pthread_mutex_unlock (&job->mutex);
}

static void
convert_thread (GTask *task, Job *job, GCancellable *cancel)
{
  const LsConvertedWish wish = { .kind = job->convert, .options = job->options, .bits = FEWEST_BITS };
  GError *error = NULL;
  g_autoptr (LsConverted) result = ls_converted_run (&wish, converting_cb, job, cancel, &error);
  const gboolean kept = result != NULL && ls_converted_keep (result, &error);

  set_running (job, FALSE);
  if (kept)
    g_task_return_pointer (task, g_steal_pointer (&result), (GDestroyNotify) ls_converted_unref);
  else
    g_task_return_error (task, error);
}

static void
lab_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancel)
{
  Job *job = data;
  const LsLabWish wish = { .experiment = job->experiment,
                           .options = job->options,
                           .seconds = LS_LAB_SECONDS,
                           .rounds = LS_LAB_ROUNDS,
                           .anew = job->anew,
                           .trains = job->trains };
  GError *error = NULL;
  LsLabResult *result;

  if (job->claim != NULL)
    {
      claim_thread (task, job, cancel);
      return;
    }
  if (job->experiment == NULL)
    {
      convert_thread (task, job, cancel);
      return;
    }
  result = ls_lab_run (&wish, heard_cb, job, cancel, &error);
  set_running (job, FALSE);
  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) ls_lab_result_unref);
  else
    g_task_return_error (task, error);
}

static gboolean
rests (LsSession *self)
{
  return self->coordinator != NULL ? ls_coordinator_wait (self->coordinator, 0) : self->making == NULL;
}

static gboolean
rest_cb (gpointer data)
{
  GTask *task = data;
  LsSession *self = g_task_get_source_object (task);
  Job *job = g_task_get_task_data (task);

  if (self->ended || g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_task_return_new_error (task, LS_ERROR, LS_ERROR_CANCELLED, _("It was stopped."));
      return G_SOURCE_REMOVE;
    }
  if (ls_session_any_comes (self) || (!rests (self) && ++job->looks < REST_LOOKS))
    return G_SOURCE_CONTINUE;
  job->trains = self->coordinator != NULL;
  set_running (job, TRUE);
  g_task_run_in_thread (task, lab_thread);
  return G_SOURCE_REMOVE;
}

/* The pictures show what is measured meanwhile. */
static gboolean
show_cb (gpointer data)
{
  LsSession *self = data;

  if (self->file == NULL && self->data != NULL)
    ls_session_rebuild (self);
  return G_SOURCE_CONTINUE;
}

gboolean
ls_session_lab_measures (LsSession *self)
{
  return self->measuring != NULL;
}

gboolean
ls_session_is_run (LsSession *self, const char *claim)
{
  const Job *job = self->measuring != NULL ? g_task_get_task_data (self->measuring) : NULL;

  return job != NULL && job->claim != NULL && strcmp (job->claim->name, claim) == 0;
}

void
ls_session_lab_stop (LsSession *self)
{
  if (self->measuring != NULL)
    g_cancellable_cancel (g_task_get_cancellable (self->measuring));
}

/* Of an experiment or a claim the other is NULL; both are of a conversion. */
static GTask *
begin (LsSession *self, const LsExperiment *experiment, LsClaim *claim, LsConvertedKind convert,
       gboolean anew, GCancellable *cancel, GAsyncReadyCallback done, gpointer data)
{
  g_autoptr (GCancellable) given = cancel != NULL ? g_object_ref (cancel) : g_cancellable_new ();
  GTask *task = g_task_new (self, given, done, data);
  Job *job;

  g_task_set_check_cancellable (task, FALSE); /* ls_lab_run() says so itself */
  if (self->file != NULL || self->measuring != NULL)
    {
      g_task_return_new_error (task, LS_ERROR, LS_ERROR_USAGE,
                               self->file != NULL ? _("A recording is played back; nothing is measured.")
                                                  : _("An experiment is going on."));
      return task;
    }
  job = g_new0 (Job, 1);
  pthread_mutex_init (&job->mutex, NULL);
  job->experiment = experiment;
  job->claim = claim != NULL ? ls_claim_ref (claim) : NULL;
  job->claims = claim != NULL ? ls_claims_ref (self->claims) : NULL;
  job->options = ls_options_copy (self->options);
  job->anew = anew;
  job->progress.said = g_strdup ("");
  job->progress.experiment = experiment;
  job->convert = convert;
  job->progress.converting = experiment == NULL && claim == NULL ? g_intern_string ("") : NULL;
  job->progress.claim = claim != NULL ? g_intern_string (claim->name) : NULL;
  g_task_set_task_data (task, job, job_free);
  self->plays_later = ls_session_playing (self);
  ls_session_set_playing (self, FALSE);
  self->measuring = g_object_ref (task);
  self->measuring_tick = g_timeout_add (SHOW_MS, show_cb, self);
  g_timeout_add_full (G_PRIORITY_DEFAULT, REST_MS, rest_cb, g_object_ref (task), g_object_unref);
  return task;
}

GTask *
ls_session_lab (LsSession *self, const LsExperiment *experiment, gboolean anew, GCancellable *cancel,
                GAsyncReadyCallback done, gpointer data)
{
  return begin (self, experiment, NULL, LS_CONVERTED_N, anew, cancel, done, data);
}

GTask *
ls_session_claim (LsSession *self, LsClaim *claim, GCancellable *cancel, GAsyncReadyCallback done,
                  gpointer data)
{
  ls_session_keep_guess (self);
  return begin (self, NULL, claim, LS_CONVERTED_N, FALSE, cancel, done, data);
}

GTask *
ls_session_convert (LsSession *self, LsConvertedKind kind, GCancellable *cancel, GAsyncReadyCallback done,
                    gpointer data)
{
  return begin (self, NULL, NULL, kind, FALSE, cancel, done, data);
}

gboolean
ls_session_lab_progress (GTask *task, LsSessionLab *progress)
{
  Job *job = g_task_get_task_data (task);

  if (job == NULL)
    return FALSE;
  pthread_mutex_lock (&job->mutex);
  *progress = job->progress;
  progress->words = g_strdup (progress->words);
  progress->said = g_strdup (progress->said);
  if (progress->result != NULL)
    ls_lab_result_ref (progress->result);
  progress->seconds_left -= (double) (g_get_monotonic_time () - job->heard_us) / G_USEC_PER_SEC;
  pthread_mutex_unlock (&job->mutex);
  progress->seconds_left = MAX (progress->seconds_left, 0);
  return TRUE;
}

/* Training goes on as it did. FALSE: it never rested, or the session has ended. */
static gboolean
end (LsSession *self, GAsyncResult *result)
{
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (job == NULL)
    return FALSE;
  g_clear_object (&self->measuring);
  g_clear_handle_id (&self->measuring_tick, g_source_remove);
  if (self->ended)
    return FALSE;
  if (self->plays_later && (self->mode == LS_SESSION_LIVE || self->mode == LS_SESSION_STARTING))
    ls_session_set_playing (self, TRUE);
  return TRUE;
}

LsLabResult *
ls_session_lab_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  LsLabResult *found = g_task_propagate_pointer (G_TASK (result), error);

  if (end (self, result))
    ls_session_read_kept (self);
  return found;
}

gboolean
ls_session_convert_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  g_autoptr (LsConverted) found = g_task_propagate_pointer (G_TASK (result), error);

  if (end (self, result))
    ls_session_read_kept (self);
  return found != NULL;
}

gboolean
ls_session_claim_finish (LsSession *self, GAsyncResult *result, GError **error)
{
  g_autoptr (LsClaims) claims = g_task_propagate_pointer (G_TASK (result), error);
  const Job *job = g_task_get_task_data (G_TASK (result));

  if (end (self, result))
    ls_session_take_claims (self, claims, job->claim->name);
  return claims != NULL;
}

void
ls_session_tell_lab (LsSession *self, LsViewBeside *beside)
{
  LsSessionLab progress;

  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (!self->catalogue_read)
    self->catalogue = ls_catalogue_load (NULL, NULL); /* without it nothing is compared */
  self->catalogue_read = TRUE;
  beside->catalogue = self->catalogue;
  beside->claims = ls_session_claims (self);
  beside->lab = ls_session_lab_shown (self);
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    beside->converted[i] = ls_session_lab_kept (self) != NULL ? ls_session_lab_kept (self)->converted[i]
                                                              : NULL;
  beside->today = g_date_time_format (now, "%Y-%m-%d");
  if (self->measuring == NULL || !ls_session_lab_progress (self->measuring, &progress))
    return;
  beside->measuring = (LsViewLab){
    .experiment = progress.experiment,
    .claim = progress.claim,
    .result = progress.result != NULL ? ls_lab_result_ref (progress.result) : NULL,
    .spot = progress.spot,
    .done = progress.done,
    .n = progress.n,
    .seconds_left = progress.seconds_left,
    .converting = progress.converting,
  };
  ls_session_lab_clear (&progress);
}

void
ls_session_told_lab (LsViewBeside *beside)
{
  g_clear_pointer (&beside->lab, g_ptr_array_unref);
  g_clear_pointer (&beside->today, g_free);
  g_clear_pointer (&beside->measuring.result, ls_lab_result_unref);
}

void
ls_session_forget_lab (LsSession *self)
{
  ls_session_kept_free (self->kept);
  ls_session_kept_free (self->recorded);
  g_clear_pointer (&self->catalogue, ls_catalogue_unref);
  ls_session_forget_claims (self);
}

/* The thread is waited for, so that no child of it is left behind; what it has measured is kept already. */
void
ls_session_end_lab (LsSession *self)
{
  GTask *task = self->measuring;
  gboolean running = task != NULL;

  g_clear_handle_id (&self->measuring_tick, g_source_remove);
  if (task == NULL)
    return;
  g_cancellable_cancel (g_task_get_cancellable (task));
  for (guint i = 0; running && i < END_LOOKS; i++)
    {
      Job *job = g_task_get_task_data (task);

      pthread_mutex_lock (&job->mutex);
      running = job->running;
      pthread_mutex_unlock (&job->mutex);
      if (running)
        g_usleep (1000 * END_MS);
    }
}
