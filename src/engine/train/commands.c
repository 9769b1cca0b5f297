/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The owner's side of the coordinator once it has been started: commands, and waiting. What happens is in
 * control.c.
 */
#include "config.h"
#include "train/private.h"

#include <glib/gi18n-lib.h>

#include "backends/kernel_files.h"
#include "core/error.h"
#include "files/weights.h"

/* A command is a change of the wishes under the mutex, a new serial, and a knock. */
static void
command_begin (LsCoordinator *self)
{
  pthread_mutex_lock (&self->mutex);
  self->want.serial++;
}

static void
command_end (LsCoordinator *self)
{
  pthread_mutex_unlock (&self->mutex);
  ls_signal_raise (self->signal);
}

static void
run (LsCoordinator *self, guint64 steps, gboolean recorded)
{
  command_begin (self);
  self->want.target = steps;
  self->want.running = TRUE;
  self->want.record |= recorded;
  command_end (self);
}

void
ls_coordinator_run (LsCoordinator *self, guint64 steps)
{
  run (self, steps, FALSE);
}

void
ls_coordinator_run_recorded (LsCoordinator *self, guint64 steps)
{
  run (self, steps, TRUE);
}

void
ls_coordinator_record (LsCoordinator *self)
{
  command_begin (self);
  self->want.record = TRUE;
  self->want.one_more = !self->want.running;
  command_end (self);
}

void
ls_coordinator_record_next (LsCoordinator *self, gboolean with_tensors)
{
  command_begin (self);
  self->want.next = TRUE;
  self->want.next_tensors |= with_tensors;
  command_end (self);
}

void
ls_coordinator_pause (LsCoordinator *self)
{
  command_begin (self);
  self->want.running = FALSE;
  command_end (self);
}

void
ls_coordinator_retry (LsCoordinator *self)
{
  command_begin (self);
  self->want.retry = TRUE;
  command_end (self);
}

void
ls_coordinator_configure (LsCoordinator *self, const LsOptions *options)
{
  command_begin (self);
  ls_options_free (self->want.options);
  self->want.options = ls_options_copy (options);
  command_end (self);
}

void
ls_coordinator_walk (LsCoordinator *self, const LsWalkWish *wish)
{
  command_begin (self);
  self->want.walk = TRUE;
  self->want.walk_wish = *wish;
  command_end (self);
}

void
ls_coordinator_hold_weights (LsCoordinator *self)
{
  command_begin (self);
  self->want.hold = TRUE;
  command_end (self);
}

void
ls_coordinator_reload_kernels (LsCoordinator *self, LsKernelFiles *files)
{
  command_begin (self);
  ls_kernel_files_unref (self->want.kernels);
  self->want.kernels = ls_kernel_files_ref (files);
  command_end (self);
}

void
ls_coordinator_ask (LsCoordinator *self, LsQuestion *question)
{
  command_begin (self);
  ls_question_unref (self->want.question);
  self->want.question = ls_question_ref (question);
  command_end (self);
}

gboolean
ls_coordinator_wait (LsCoordinator *self, guint timeout_ms)
{
  const struct timespec until = ls_deadline (timeout_ms);
  gboolean idle;
  int rc = 0;

  pthread_mutex_lock (&self->mutex);
  while (self->idle_serial != self->want.serial && rc == 0)
    rc = pthread_cond_timedwait (&self->idle_cond, &self->mutex, &until);
  idle = self->idle_serial == self->want.serial;
  pthread_mutex_unlock (&self->mutex);
  return idle;
}

/* Has every working lane do a job, and waits for it. Bit s of the answer: lane s has done it, and what came
 * of it stays as it is until the next command. */
static guint
request (LsCoordinator *self, LsJobKind kind)
{
  guint answered;

  if (!self->started)
    return 0;
  command_begin (self);
  self->want.request = kind;
  command_end (self);
  while (!ls_coordinator_wait (self, 1000))
    ;
  pthread_mutex_lock (&self->mutex);
  answered = self->answered;
  pthread_mutex_unlock (&self->mutex);
  return answered;
}

gboolean
ls_coordinator_save_weights (LsCoordinator *self, const char *path, LsPrecision as, GError **error)
{
  guint answered = request (self, LS_JOB_READ);
  g_autofree char *name = g_filename_display_name (path);

  LANES (self, control)
    if (answered & ls_control_bit (control))
      return ls_weights_save (path, self->plan, (const float *const *) control->lane->params, as, error);
  g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
               _("There are no weights to save in “%s”, because no lane works."), name);
  return FALSE;
}

gboolean
ls_coordinator_save_last_finite (LsCoordinator *self, const char *path, guint64 *step, GError **error)
{
  const LsLaneControl *newest = NULL;
  g_autofree char *name = g_filename_display_name (path);

  LANES (self, control)
    if (self->started && control->stage != LS_STAGE_NONE && control->checks.params_step != LS_STEP_NONE
        && (newest == NULL || control->checks.params_step > newest->checks.params_step)
        && ls_weights_finite (self->plan, (const float *const *) control->lane->params))
      newest = control;
  if (newest == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE,
                   _("There are no finite weights to save in “%s”: those that were checked aren’t, either."),
                   name);
      return FALSE;
    }
  *step = newest->checks.params_step;
  return ls_weights_save (path, self->plan, (const float *const *) newest->lane->params, LS_PRECISION_FP32,
                          error);
}

GArray *
ls_coordinator_compare (LsCoordinator *self, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (LsComparison));
  guint answered = request (self, LS_JOB_COMPARE);

  LANES (self, control)
    if (answered & ls_control_bit (control))
      {
        const GArray *own = control->answers.comparisons;
        g_array_append_vals (all, own->data, own->len);
      }
  if (answered == 0)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DEVICE, _("There is nothing to compare, because no lane works: %s"),
        self->started && self->lanes[0].message ? self->lanes[0].message : _("none has been opened."));
      return NULL;
    }
  return g_steal_pointer (&all);
}
