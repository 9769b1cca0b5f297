/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is left of a run after a crash: while it trains, weights, settings and the recorded step that is shown
 * are kept every few seconds, on a thread (keeper.h); and what an earlier window left behind is offered.
 * Weights are those of the newest check, or of the newest recorded step, which has them, too.
 */
#include "config.h"
#include "ui/app/session/session_private.h"

#include <glib/gi18n.h>

#include "files/weights.h"
#include "core/number.h"

/* A hundredth of the time may go into it: large recordings and slow disks are written to less often. */
#define EVERY_US  (5 * G_USEC_PER_SEC)
#define SELDOM_US (60 * G_USEC_PER_SEC)
#define SHARE     100

/* What is to be kept. */
typedef struct {
  LsKeeper *keeper;
  guint64 run, step;
  gint64 begun_us;
  LsOptions *options;
  LsPlan *plan;
  const float **weights;  /* they belong to one of the next two: */
  LsHeldWeights *held;    /* or NULL */
  LsRecording *with;      /* or NULL */
  LsRecording *recording; /* or NULL */
} Saving;

static void
saving_free (Saving *saving)
{
  ls_keeper_unref (saving->keeper);
  ls_options_free (saving->options);
  ls_plan_unref (saving->plan);
  g_free (saving->weights);
  g_clear_pointer (&saving->held, ls_held_weights_unref);
  g_clear_pointer (&saving->with, ls_recording_unref);
  g_clear_pointer (&saving->recording, ls_recording_unref);
  g_free (saving);
}

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Saving *saving = data;
  GError *error = NULL;

  if (ls_weights_finite (saving->plan, saving->weights)
      && !ls_keeper_save (saving->keeper, saving->options, saving->plan, saving->step, saving->weights,
                          saving->recording, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  const Saving *saving = g_task_get_task_data (G_TASK (result));
  const gint64 now_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  self->keep.saving = FALSE;
  self->keep.next_us = now_us + CLAMP (SHARE * (now_us - saving->begun_us), EVERY_US, SELDOM_US);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (saving->run == self->keep.run)
        self->keep.step = saving->step;
    }
  else if (!self->keep.failed && !self->ended)
    {
      g_autofree char *sentence = g_strdup_printf (_("After a crash this run couldn’t go on: %s"),
                                                   error->message);
      self->keep.failed = TRUE;
      ls_session_say (self, sentence);
    }
}

/* One lane's weights after the recorded step: an array to be freed, of what is the recording's. NULL: it
 * hasn't all of them. */
static const float **
weights_in (const LsRecording *recording, const LsPlan *plan)
{
  for (guint lane = 0; lane < recording->n_lanes; lane++)
    {
      g_autofree const float **values = g_new0 (const float *, plan->n_params + 1);
      gboolean all = TRUE;

      for (guint p = 0; p < plan->n_params && all; p++)
        all = (values[p] = ls_recording_values (recording, lane, plan->tensors[plan->params[p].weight].name,
                                                NULL))
              != NULL;
      if (all)
        return g_steal_pointer (&values);
    }
  return NULL;
}

static gboolean
any_newer (const LsSession *self)
{
  const LsSnapshot *now = self->snapshot;

  return (now->weights != NULL && now->weights->step > self->keep.step)
         || (now->recording != NULL && now->recording->step > self->keep.step);
}

/* Newer weights than those that are kept; NULL: there are none. */
static Saving *
find_newer (LsSession *self)
{
  const LsSnapshot *now = self->snapshot;
  LsHeldWeights *held = now->weights != NULL && now->weights->step > self->keep.step ? now->weights : NULL;
  LsRecording *recorded = now->recording, *recording = self->shown != NULL ? self->shown : self->newest;
  const float **weights = NULL;
  Saving *saving;

  if (recorded != NULL && recorded->step > (held != NULL ? held->step : self->keep.step))
    weights = weights_in (recorded, now->plan);
  if (weights == NULL && held == NULL)
    return NULL;
  saving = g_new0 (Saving, 1);
  saving->run = self->keep.run;
  saving->begun_us = g_get_monotonic_time ();
  saving->keeper = ls_keeper_ref (self->keep.keeper);
  saving->options = ls_options_copy (now->options);
  saving->plan = ls_plan_ref (now->plan);
  saving->step = weights != NULL ? recorded->step : held->step;
  if (weights != NULL)
    saving->with = ls_recording_ref (recorded);
  else
    {
      saving->held = ls_held_weights_ref (held);
      weights = g_memdup2 (held->values, now->plan->n_params * sizeof *weights);
    }
  saving->weights = weights;
  if (self->file == NULL && recording != NULL && recording->step <= saving->step)
    saving->recording = ls_recording_ref (recording);
  return saving;
}

static gboolean
due_cb (gpointer data)
{
  LsSession *self = data;

  self->keep.timer = 0;
  ls_session_keep (self);
  return G_SOURCE_REMOVE;
}

void
ls_session_keep (LsSession *self)
{
  const gint64 now_us = g_get_monotonic_time ();
  Saving *saving;

  if (self->from != NULL && self->file == NULL && self->shown == NULL && self->newest != NULL)
    ls_session_show (self, self->newest, TRUE); /* until there is one of this run */
  if (self->keep.keeper == NULL || self->keep.saving || self->snapshot == NULL || self->coordinator == NULL)
    return;
  if (now_us >= self->keep.next_us && self->snapshot->running && !self->keep.asked)
    {
      self->keep.asked = TRUE;
      ls_coordinator_hold_weights (self->coordinator);
    }
  if (!any_newer (self))
    return;
  if (now_us < self->keep.next_us)
    {
      /* the run may rest by then, and no snapshot come */
      if (self->keep.timer == 0)
        self->keep.timer = g_timeout_add ((guint) ((self->keep.next_us - now_us) / 1000 + 1), due_cb, self);
      return;
    }
  saving = find_newer (self);
  if (saving == NULL)
    return;
  g_autoptr (GTask) task = g_task_new (self, NULL, saved_cb, NULL);
  self->keep.saving = TRUE;
  self->keep.asked = FALSE;
  g_task_set_task_data (task, saving, (GDestroyNotify) saving_free);
  g_task_run_in_thread (task, save_thread);
}

void
ls_session_keep_anew (LsSession *self)
{
  self->keep.run++;
  self->keep.step = 0;
  self->keep.asked = FALSE;
}

void
ls_session_end_keeping (LsSession *self)
{
  LsKeeper *keeper = g_steal_pointer (&self->keep.keeper);

  g_clear_handle_id (&self->keep.timer, g_source_remove);
  g_clear_pointer (&self->keep.offered, ls_kept_run_unref);
  g_clear_pointer (&self->from, ls_kept_run_unref);
  if (keeper == NULL)
    return;
  ls_keeper_end (keeper, self->keep.decided);
  ls_keeper_unref (keeper);
}

/* ---- what an earlier window left behind ---- */

typedef struct {
  LsKeeper *keeper;
  LsOptions *given; /* or NULL */
  char *why;
} Finding;

static void
finding_free (Finding *finding)
{
  ls_keeper_unref (finding->keeper);
  g_clear_pointer (&finding->given, ls_options_free);
  g_free (finding->why);
  g_free (finding);
}

static void
find_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Finding *finding = data;

  g_task_return_pointer (task, ls_keeper_find (finding->keeper, &finding->why),
                         (GDestroyNotify) ls_kept_run_unref);
}

/* Whoever asked for another run gets that one. */
static gboolean
is_wanted (const LsOptions *given, const LsOptions *kept)
{
  guint n;
  const LsOption *rows = ls_options_table (&n), *pace = ls_options_find ("pace");

  for (guint i = 0; given != NULL && i < n; i++)
    {
      g_autofree char *wanted = ls_options_get (given, &rows[i]), *is = ls_options_get (kept, &rows[i]);
      if (ls_options_is_given (given, &rows[i]) && &rows[i] != pace && !g_str_equal (wanted, is))
        return FALSE;
    }
  return TRUE;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  LsSession *self = LS_SESSION (source);
  const Finding *finding = g_task_get_task_data (G_TASK (result));
  g_autoptr (LsKeptRun) found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->ended)
    return;
  if (finding->why != NULL)
    ls_session_say (self, finding->why);
  if (found == NULL || !is_wanted (finding->given, found->options))
    return;
  self->keep.offered = g_steal_pointer (&found);
  ls_session_emit_state (self);
}

void
ls_session_keep_runs (LsSession *self, const LsOptions *given)
{
  g_autoptr (GTask) task = NULL;
  Finding *finding;

  if (self->keep.keeper != NULL || self->ended)
    return;
  self->keep.keeper = ls_keeper_new ();
  finding = g_new0 (Finding, 1);
  finding->keeper = ls_keeper_ref (self->keep.keeper);
  finding->given = given != NULL ? ls_options_copy (given) : NULL;
  task = g_task_new (self, NULL, found_cb, NULL);
  g_task_set_task_data (task, finding, (GDestroyNotify) finding_free);
  g_task_run_in_thread (task, find_thread);
}

char *
ls_session_kept_words (LsSession *self)
{
  const LsKeptRun *offered = self->keep.offered;
  g_autofree char *step = NULL;

  if (offered == NULL)
    return NULL;
  step = ls_number_count (offered->step);
  return offered->recording != NULL
           ? g_strdup_printf (
             _("The last run was broken off; its weights after step %s, its settings and its "
                "recorded step are still there."),
             step)
           : g_strdup_printf (
             _("The last run was broken off; its weights after step %s and its settings are still there."),
             step);
}

void
ls_session_leave_kept (LsSession *self)
{
  if (self->keep.offered == NULL)
    return;
  g_clear_pointer (&self->keep.offered, ls_kept_run_unref);
  self->keep.decided = TRUE;
  ls_session_emit_state (self);
}

void
ls_session_go_on (LsSession *self)
{
  g_autoptr (LsKeptRun) from = g_steal_pointer (&self->keep.offered);
  g_autoptr (LsOptions) options = NULL;
  g_autofree char *step = NULL, *sentence = NULL;

  if (from == NULL)
    return;
  self->keep.decided = TRUE;
  options = ls_options_copy (from->options);
  options->pace = self->options->pace;
  ls_session_train_from (self, options, from);
  step = ls_number_count (from->step);
  sentence = g_strdup_printf (_("Training goes on after step %s with the weights that were kept; what the "
                                 "optimizer knew of the steps before is lost."),
                              step);
  ls_session_say (self, sentence);
}
