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
  g_free (control->kernels.message);
  control->kernels.message = g_strdup (message);
  control->kernels.serial++;
  control->kernels.took_s = (double) (ls_clock_ns () - control->kernels.next_ns) / 1e9;
}

void
ls_coordinator_take_kernels (LsCoordinator *self, LsKernelFiles *files)
{
  LANES (self, control)
    {
      if (control->lane->backend->edit == NULL)
        continue;
      ls_preparation_drop (&control->kernels.trial);
      ls_kernel_files_unref (control->kernels.next);
      control->kernels.next = ls_kernel_files_ref (files);
      control->kernels.next_ns = ls_clock_ns ();
      control->kernels.reload = !ls_kernel_files_any (files);
      if (control->kernels.reload)
        continue;
      control->kernels.trial = ls_preparation_new (self, control, files, NULL, NULL);
      if (control->kernels.trial == NULL)
        finish (control,
                _("The edited kernels can’t be tried, because the system grants no further thread."));
    }
}

/* What came of trials; a lane that has stopped is opened anew with kernels that work. */
void
ls_coordinator_collect_trials (LsCoordinator *self)
{
  gboolean reopen = FALSE;

  LANES (self, control)
    {
      ls_control_collect_warm (control);
      if (control->kernels.trial != NULL && ls_preparation_over (control->kernels.trial))
        {
          if (control->kernels.trial->error != NULL)
            finish (control, control->kernels.trial->error->message);
          else
            control->kernels.reload = TRUE;
          ls_preparation_drop (&control->kernels.trial);
        }
      if (!control->kernels.reload || !ls_control_stopped (control))
        continue;
      control->kernels.reload = FALSE;
      ls_kernel_files_unref (control->kernels.files);
      control->kernels.files = ls_kernel_files_ref (control->kernels.next);
      finish (control, NULL);
      reopen = TRUE;
    }
  if (reopen)
    ls_coordinator_reopen (self);
}

gboolean
ls_coordinator_kernels_coming (const LsCoordinator *self)
{
  LANES (self, control)
    if (control->kernels.trial != NULL || control->kernels.reload || control->walks.warm != NULL)
      return TRUE;
  return FALSE;
}

gboolean
ls_coordinator_post_kernels (LsCoordinator *self, LsLaneControl *control)
{
  if (!control->kernels.reload)
    return FALSE;
  control->kernels.reload = FALSE;
  ls_coordinator_post (
    self, control,
    &(LsRequest){ .kind = LS_JOB_RELOAD, .kernels = ls_kernel_files_ref (control->kernels.next) }, 0,
    LS_PATIENCE_OPEN_MS);
  return TRUE;
}

static gboolean
any_other_works (const LsCoordinator *self, const LsLaneControl *control)
{
  LANES (self, other)
    if (other != control && ls_control_working (other))
      return TRUE;
  return FALSE;
}

/* The lane loaded them: it goes on from its own weights, or, if they were wrong, from those of another lane
 * (retry.c). */
void
ls_coordinator_took_kernels (LsCoordinator *self, LsLaneControl *control)
{
  const GError *error = control->lane->result.reload_error;

  finish (control, error != NULL ? error->message : NULL);
  if (error != NULL)
    return;
  ls_kernel_files_unref (control->kernels.files);
  control->kernels.files = ls_kernel_files_ref (control->lane->request.kernels);
  if (!self->agreement.disagree || !any_other_works (self, control))
    return;
  ls_coordinator_forget_agreement (self);
  control->stage = LS_STAGE_OPEN;
  control->entry = LS_ENTRY_JOINS;
}

void
ls_control_fill_kernels (const LsLaneControl *control, LsLaneSnapshot *lane)
{
  lane->kernels_message = g_strdup (control->kernels.message);
  lane->kernels_serial = control->kernels.serial;
  lane->kernels_s = control->kernels.took_s;
  lane->walk_coming = control->walks.warm != NULL;
  lane->kernels_coming = control->kernels.trial != NULL || control->kernels.reload;
  if (control->kernels.trial == NULL)
    return;
  lane->build_total = (guint) g_atomic_int_get ((gint *) &control->kernels.trial->progress.total);
  lane->build_done = MIN ((guint) g_atomic_int_get ((gint *) &control->kernels.trial->progress.done),
                          lane->build_total);
}
