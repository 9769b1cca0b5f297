/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edited kernels on their way into a lane. Each set is first tried in a process of its own
 * (LsBackendEdit.try_kernels), on a thread beside the lanes, which go on meanwhile with the kernels they
 * have. Only what came through that is loaded, between two steps, by the lane itself, which finds it built. A
 * newer set takes the place of one that is on its way. Lanes that were found apart are put together again: a
 * wrong kernel's weights would keep them apart for ever.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>

#include "backends/kernel_files.h"

/* The newest set isn't used, or is (message NULL). */
static void
finish (LsLaneControl *control, const char *message)
{
  g_free (control->kernels_message);
  control->kernels_message = g_strdup (message);
  control->kernels_serial++;
  control->kernels_s = (double) (ls_clock_ns () - control->kernels_ns) / 1e9;
}

void
ls_coordinator_take_kernels (LsCoordinator *self, LsKernelFiles *files)
{
  for (guint s = 0; s < self->n_lanes; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      if (control->lane->backend->edit == NULL)
        continue;
      ls_preparation_drop (&control->trial);
      ls_kernel_files_unref (control->kernels_next);
      control->kernels_next = ls_kernel_files_ref (files);
      control->kernels_ns = ls_clock_ns ();
      control->reload = !ls_kernel_files_any (files);
      if (control->reload)
        continue;
      control->trial = ls_preparation_new (self, control, files, NULL, NULL);
      if (control->trial == NULL)
        finish (control,
                _("The edited kernels can’t be tried, because the system grants no further thread."));
    }
}

/* What came of trials; a lane that has stopped is opened anew with kernels that work. */
void
ls_coordinator_collect_trials (LsCoordinator *self)
{
  gboolean reopen = FALSE;

  for (guint s = 0; s < self->n_lanes; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      ls_control_collect_warm (control);
      if (control->trial != NULL && ls_preparation_over (control->trial))
        {
          if (control->trial->error != NULL)
            finish (control, control->trial->error->message);
          else
            control->reload = TRUE;
          ls_preparation_drop (&control->trial);
        }
      if (!control->reload || !ls_control_stopped (control))
        continue;
      control->reload = FALSE;
      ls_kernel_files_unref (control->kernels);
      control->kernels = ls_kernel_files_ref (control->kernels_next);
      finish (control, NULL);
      reopen = TRUE;
    }
  if (reopen)
    ls_coordinator_reopen (self);
}

gboolean
ls_coordinator_kernels_coming (const LsCoordinator *self)
{
  for (guint s = 0; s < self->n_lanes; s++)
    if (self->lanes[s].trial != NULL || self->lanes[s].reload || self->lanes[s].warm != NULL)
      return TRUE;
  return FALSE;
}

gboolean
ls_coordinator_post_kernels (LsCoordinator *self, LsLaneControl *control)
{
  LsJob *job = &control->lane->job;

  if (!control->reload)
    return FALSE;
  control->reload = FALSE;
  ls_kernel_files_unref (job->kernels);
  job->kernels = ls_kernel_files_ref (control->kernels_next);
  ls_coordinator_post (self, control, LS_JOB_RELOAD, 0, LS_PATIENCE_OPEN_MS);
  return TRUE;
}

static gboolean
any_other_works (const LsCoordinator *self, const LsLaneControl *control)
{
  for (guint s = 0; s < self->n_lanes; s++)
    if (&self->lanes[s] != control && ls_control_working (&self->lanes[s]))
      return TRUE;
  return FALSE;
}

/* The lane loaded them: it goes on from its own weights, or, if they were wrong, from those of another lane
 * (retry.c). */
void
ls_coordinator_took_kernels (LsCoordinator *self, LsLaneControl *control)
{
  LsJob *job = &control->lane->job;

  finish (control, job->kernels_error != NULL ? job->kernels_error->message : NULL);
  if (job->kernels_error != NULL)
    return;
  ls_kernel_files_unref (control->kernels);
  control->kernels = ls_kernel_files_ref (job->kernels);
  if (!self->agreement.disagree || !any_other_works (self, control))
    return;
  g_free (self->agreement.weights_tensor);
  self->agreement = (LsAgreement){ 0 };
  for (guint s = 0; s < self->n_lanes; s++)
    {
      self->lanes[s].suspect = FALSE;
      self->lanes[s].apart = 0;
    }
  control->state = LS_LANE_BUILDING;
  control->joining = TRUE;
}

void
ls_control_fill_kernels (const LsLaneControl *control, LsLaneSnapshot *lane)
{
  lane->kernels_message = g_strdup (control->kernels_message);
  lane->kernels_serial = control->kernels_serial;
  lane->kernels_s = control->kernels_s;
  lane->walk_coming = control->warm != NULL;
  lane->kernels_coming = control->trial != NULL || control->reload;
  if (control->trial == NULL)
    return;
  lane->build_total = (guint) g_atomic_int_get ((gint *) &control->trial->progress.total);
  lane->build_done = MIN ((guint) g_atomic_int_get ((gint *) &control->trial->progress.done),
                          lane->build_total);
}
