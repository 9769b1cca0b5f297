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

#include "backends/kernel_files.h"

/* The newest set isn't used, or is (message NULL). */
static void
finish (LsSeat *seat, const char *message)
{
  g_free (seat->kernels_message);
  seat->kernels_message = g_strdup (message);
  seat->kernels_serial++;
  seat->kernels_s = (double) (ls_clock_ns () - seat->kernels_ns) / 1e9;
}

void
ls_coordinator_take_kernels (LsCoordinator *self, LsKernelFiles *files)
{
  for (guint s = 0; s < self->n_seats; s++)
    {
      LsSeat *seat = &self->seats[s];
      if (seat->lane->backend->reload == NULL)
        continue;
      ls_preparation_drop (&seat->trial);
      ls_kernel_files_unref (seat->kernels_next);
      seat->kernels_next = ls_kernel_files_ref (files);
      seat->kernels_ns = ls_clock_ns ();
      seat->reload = !ls_kernel_files_any (files);
      if (seat->reload)
        continue;
      seat->trial = ls_preparation_new (self, seat, files, NULL, NULL);
      if (seat->trial == NULL)
        finish (seat, _("The edited kernels can’t be tried, because the system grants no further thread."));
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
      if (seat->trial != NULL && ls_preparation_over (seat->trial))
        {
          if (seat->trial->error != NULL)
            finish (seat, seat->trial->error->message);
          else
            seat->reload = TRUE;
          ls_preparation_drop (&seat->trial);
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
