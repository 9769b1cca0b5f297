/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edited kernels on their way into a lane. Each set is first tried in a process of its own
 * (LsBackend.try_kernels), on a thread beside the lanes, which go on meanwhile with the kernels they have.
 * Only what came through that is loaded, between two steps, by the lane itself, which finds it built. A newer
 * set takes the place of one that is on its way. Lanes that were found apart are put together again: a wrong
 * kernel's weights would keep them apart for ever.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/kernel_files.h"
#include "core/error.h"

#define TRIAL_NICE 10

/* Shared by the coordinator and the trial's thread; freed by whoever leaves last. */
struct _LsTrial {
  const LsBackend *backend;
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  LsKernelFiles *files;
  LsSignal *signal;
  LsKernelTrial progress;
  GError *error;
  gint over; /* atomic: `error` may be read */
};

static void
trial_clear_cb (gpointer data)
{
  LsTrial *trial = data;

  ls_options_free (trial->options);
  ls_plan_unref (trial->plan);
  ls_data_unref (trial->data);
  ls_kernel_files_unref (trial->files);
  ls_signal_unref (trial->signal);
  g_clear_error (&trial->error);
}

static void
trial_unref (LsTrial *trial)
{
  g_atomic_rc_box_release_full (trial, trial_clear_cb);
}

static void *
trial_thread (void *data)
{
  LsTrial *trial = data;

  setpriority (PRIO_PROCESS, (id_t) gettid (), TRIAL_NICE); /* the child inherits it */
  trial->backend->try_kernels (trial->options, trial->plan, trial->data, trial->files, &trial->progress,
                               &trial->error);
  g_atomic_int_set (&trial->over, TRUE);
  ls_signal_raise (trial->signal);
  trial_unref (trial);
  return NULL;
}

void
ls_seat_drop_trial (LsSeat *seat)
{
  if (seat->trial == NULL)
    return;
  g_atomic_int_set (&seat->trial->progress.cancelled, TRUE);
  g_clear_pointer (&seat->trial, trial_unref);
}

/* The newest set isn't used, or is (message NULL). */
static void
finish (LsSeat *seat, const char *message)
{
  g_free (seat->kernels_message);
  seat->kernels_message = g_strdup (message);
  seat->kernels_serial++;
  seat->kernels_s = (double) (ls_clock_ns () - seat->kernels_ns) / 1e9;
}

static void
begin_trial (LsCoordinator *self, LsSeat *seat)
{
  LsTrial *trial = g_atomic_rc_box_new0 (LsTrial);
  pthread_t thread;

  trial->backend = seat->lane->backend;
  trial->options = ls_options_copy (self->options);
  trial->plan = ls_plan_ref (self->plan);
  trial->data = ls_data_ref (self->data);
  trial->files = ls_kernel_files_ref (seat->kernels_next);
  trial->signal = ls_signal_ref (self->signal);
  g_atomic_rc_box_acquire (trial);
  if (pthread_create (&thread, NULL, trial_thread, trial) == 0)
    {
      pthread_detach (thread);
      seat->trial = trial;
      return;
    }
  trial_unref (trial);
  trial_unref (trial);
  finish (seat, _("The edited kernels can’t be tried, because the system grants no further thread."));
}

void
ls_coordinator_take_kernels (LsCoordinator *self, LsKernelFiles *files)
{
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (seat->lane->backend->reload == NULL)
        continue;
      ls_seat_drop_trial (seat);
      ls_kernel_files_unref (seat->kernels_next);
      seat->kernels_next = ls_kernel_files_ref (files);
      seat->kernels_ns = ls_clock_ns ();
      seat->reload = !ls_kernel_files_any (files);
      if (!seat->reload)
        begin_trial (self, seat);
    }
}

/* What came of trials; a lane that has stopped is opened anew with kernels that work. */
void
ls_coordinator_collect_trials (LsCoordinator *self)
{
  gboolean reopen = FALSE;

  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      ls_seat_collect_warm (seat);
      if (seat->trial != NULL && g_atomic_int_get (&seat->trial->over))
        {
          if (seat->trial->error != NULL)
            finish (seat, seat->trial->error->message);
          else
            seat->reload = TRUE;
          g_clear_pointer (&seat->trial, trial_unref);
        }
      if (!seat->reload || !ls_seat_stopped (seat))
        continue;
      seat->reload = FALSE;
      ls_kernel_files_unref (seat->kernels);
      seat->kernels = ls_kernel_files_ref (seat->kernels_next);
      finish (seat, NULL);
      reopen = TRUE;
    }
  if (reopen)
    ls_coordinator_reopen (self);
}

gboolean
ls_coordinator_kernels_coming (const LsCoordinator *self)
{
  for (guint s = 0; s < self->n_seats; s++)
    if (self->seats[s].trial != NULL || self->seats[s].reload || self->seats[s].warm != NULL)
      return TRUE;
  return FALSE;
}

gboolean
ls_coordinator_post_kernels (LsCoordinator *self, LsSeat *seat)
{
  LsJob *job = &seat->lane->job;

  if (!seat->reload)
    return FALSE;
  seat->reload = FALSE;
  ls_kernel_files_unref (job->kernels);
  job->kernels = ls_kernel_files_ref (seat->kernels_next);
  ls_coordinator_post (self, seat, LS_JOB_RELOAD, 0, LS_PATIENCE_OPEN_MS);
  return TRUE;
}

static gboolean
any_other_works (const LsCoordinator *self, const LsSeat *seat)
{
  for (guint s = 0; s < self->n_seats; s++)
    if (&self->seats[s] != seat && ls_seat_working (&self->seats[s]))
      return TRUE;
  return FALSE;
}

/* The lane loaded them: it goes on from its own weights, or, if they were wrong, from those of another lane
 * (retry.c). */
void
ls_coordinator_took_kernels (LsCoordinator *self, LsSeat *seat)
{
  LsJob *job = &seat->lane->job;

  finish (seat, job->kernels_error != NULL ? job->kernels_error->message : NULL);
  if (job->kernels_error != NULL)
    return;
  ls_kernel_files_unref (seat->kernels);
  seat->kernels = ls_kernel_files_ref (job->kernels);
  if (!self->agreement.disagree || !any_other_works (self, seat))
    return;
  g_free (self->agreement.weights_tensor);
  self->agreement = (LsAgreement){ 0 };
  for (guint s = 0; s < self->n_seats; s++)
    {
      self->seats[s].suspect = FALSE;
      self->seats[s].apart = 0;
    }
  seat->state = LS_LANE_BUILDING;
  seat->joining = TRUE;
}

void
ls_seat_fill_kernels (const LsSeat *seat, LsLaneSnapshot *lane)
{
  lane->kernels_message = g_strdup (seat->kernels_message);
  lane->kernels_serial = seat->kernels_serial;
  lane->kernels_s = seat->kernels_s;
  lane->walk_coming = seat->warm != NULL;
  lane->kernels_coming = seat->trial != NULL || seat->reload;
  if (seat->trial == NULL)
    return;
  lane->build_total = (guint) g_atomic_int_get ((gint *) &seat->trial->progress.total);
  lane->build_done = MIN ((guint) g_atomic_int_get ((gint *) &seat->trial->progress.done), lane->build_total);
}
