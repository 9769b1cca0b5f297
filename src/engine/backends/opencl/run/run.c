/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps, one after the other, without waiting in between: the host stays LS_CL_AHEAD steps ahead of the
 * device and learns of each step's end from the event of its last command. So a step's end is stamped by the
 * host's clock when the host knows of it, some microseconds late (the wake-up), on any driver and without
 * profiling; the differences, step times, don't have that lateness, but for a step that ended while the
 * lane's thread slept (pace.h). A command costs some microseconds on any driver, so nothing but kernels
 * belongs to a step: the batches' positions go to the device once per run, losses gather there and come back
 * once, at its end. A step in fp16 has one thing that the host waits for: unscale.c.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <time.h>

#include "backends/opencl/device/cl_error.h"
#include "core/error.h"

static gboolean
has_ended (cl_event event)
{
  cl_int status = CL_SUBMITTED;

  return clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) == CL_SUCCESS
         && status == CL_COMPLETE;
}

/* On a GPU; TRUE: when the sleep was over, the step was, too. */
static gboolean
sleep_most (const LsCl *self, cl_event event, guint64 since_ns)
{
  guint64 left = self->device->limits.is_cpu ? 0 : ls_cl_pace_sleep (&self->pace, since_ns, ls_clock_ns ());
  gboolean ended = left > 0 && has_ended (event);

  while (left > 0 && !ended)
    {
      const guint64 ns = MIN (left, LS_CL_PACE_SLICE_NS);

      nanosleep (&(struct timespec){ .tv_nsec = (long) ns }, NULL);
      left -= ns;
      ended = has_ended (event);
    }
  return ended;
}

/* Waits for the last command of a step, lets go of it, and says whether it came to a good end. */
static gboolean
await_step (const LsCl *self, cl_event *event, guint64 since_ns, gboolean *overslept, GError **error)
{
  cl_int code, told, status = CL_COMPLETE;

  *overslept = sleep_most (self, *event, since_ns);
  code = clWaitForEvents (1, event);
  told = code == CL_SUCCESS
           ? clGetEventInfo (*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL)
           : CL_SUCCESS;
  clReleaseEvent (*event);
  *event = NULL;
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clWaitForEvents", _("a training step"));
  if (told != CL_SUCCESS)
    return ls_cl_fail (error, told, "clGetEventInfo", _("a training step"));
  return status >= 0
         || ls_cl_fail (error, status, "clEnqueueNDRangeKernel", _("a training step, while it ran"));
}

gboolean
ls_cl_makes_loss (const LsCl *self, const LsRun *run)
{
  for (guint i = run->first_op; i < run->first_op + run->n_ops; i++)
    if (self->plan->ops[i].out[0] == self->plan->loss)
      return TRUE;
  return FALSE;
}

gboolean
ls_cl_copies_loss (const LsCl *self, const LsRun *run, guint n_launches)
{
  for (guint i = 0; i < n_launches; i++)
    if (ls_cl_keeps_loss (self, self->schedule[i]))
      return FALSE;
  return ls_cl_makes_loss (self, run);
}

gboolean
ls_cl_enqueue_loss (LsCl *self, cl_command_queue queue, guint step, GError **error)
{
  const LsPlan *plan = self->plan;
  cl_int code = clEnqueueCopyBuffer (queue, self->memory.tensors[plan->loss], self->memory.losses, 0,
                                     step * sizeof (float), sizeof (float), 0, NULL, NULL);
  return code == CL_SUCCESS
         || ls_cl_fail (error, code, "clEnqueueCopyBuffer", plan->tensors[plan->loss].name);
}

/* What a run's steps have in common. */
typedef struct {
  const LsRun *run;
  guint n_launches;
  gboolean copies_loss;     /* to the step's slot, with a command of its own */
  gboolean positions_there; /* of all steps, in memory.index */
} Steps;

/* The positions of all batches at once, where the device gathers them: a copy before each step would take
 * longer than its bytes do. Left undone if they aren't wanted, or not all sets are on the device. */
static gboolean
upload_positions (LsCl *self, Steps *steps, GError **error)
{
  const LsRun *run = steps->run;
  const guint batch = self->plan->batch;
  gboolean there = run->batches != NULL && self->plan->ops[run->first_op].klass == &ls_op_gather;
  cl_int code = CL_SUCCESS;

  for (guint s = 0; there && s < run->n_steps; s++)
    there = run->batches[s].n == batch && ls_cl_set_find (self, run->batches[s].set) != NULL;
  steps->positions_there = there;
  for (guint s = 0; there && s < run->n_steps; s++)
    memcpy (self->memory.positions + (gsize) s * batch, run->batches[s].index, batch * sizeof (guint32));
  if (there)
    code = clEnqueueWriteBuffer (self->queue, self->memory.index, CL_FALSE, 0,
                                 (gsize) run->n_steps * batch * sizeof (guint32), self->memory.positions, 0,
                                 NULL, NULL);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueWriteBuffer", _("the batches’ positions"));
}

static gboolean
enqueue_step (LsCl *self, const Steps *steps, guint step, cl_event *event, LsRunResult *result,
              GError **error)
{
  const LsRun *run = steps->run;
  LsClOrder order = { .queue = self->queue,
                      .batch = run->batches ? &run->batches[step] : NULL,
                      .hyper = run->hyper ? &run->hyper[step] : NULL,
                      .step = step,
                      .positions_there = steps->positions_there };
  cl_int code = CL_SUCCESS;

  order.end = steps->copies_loss ? NULL : event;
  if (!ls_cl_enqueue_all (self, run, steps->n_launches, &order, result, error))
    return FALSE;
  if (steps->copies_loss && !ls_cl_enqueue_loss (self, self->queue, step, error))
    return FALSE;
  if (*event == NULL)
    code = clEnqueueMarkerWithWaitList (self->queue, 0, NULL, event);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueMarkerWithWaitList", _("a training step"));
  code = clFlush (self->queue);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clFlush", _("a training step"));
}

/* A step's end, and how long it took. */
static gboolean
finish_step (LsCl *self, guint step, cl_event *event, guint64 *last_ns, LsRunResult *result, GError **error)
{
  gboolean overslept;
  guint64 now_ns;

  if (!await_step (self, event, *last_ns, &overslept, error))
    return FALSE;
  now_ns = ls_clock_ns ();
  ls_cl_pace_ended (&self->pace, now_ns - *last_ns, overslept);
  *last_ns = now_ns;
  if (result->step_end_ns)
    result->step_end_ns[step] = now_ns;
  return TRUE;
}

static gboolean
run_steps (LsCl *self, const LsRun *run, guint n_launches, LsRunResult *result, cl_event events[LS_CL_AHEAD],
           GError **error)
{
  Steps steps = { run, n_launches,
                  .copies_loss = result->losses && ls_cl_copies_loss (self, run, n_launches) };
  /* the host waits within a step whose gradients it must hear of: nothing to be ahead of */
  const guint ahead = ls_run_factor (run) > 0 ? 1 : LS_CL_AHEAD;
  guint64 last_ns = result->start_ns;
  guint enqueued = 0, finished = 0;

  if (!upload_positions (self, &steps, error))
    return FALSE;
  while (finished < run->n_steps)
    if (enqueued < run->n_steps && enqueued - finished < ahead)
      {
        if (!enqueue_step (self, &steps, enqueued, &events[enqueued % LS_CL_AHEAD], result, error))
          return FALSE;
        enqueued++;
      }
    else
      {
        if (!finish_step (self, finished, &events[finished % LS_CL_AHEAD], &last_ns, result, error))
          return FALSE;
        finished++;
      }
  return TRUE;
}

gboolean
ls_cl_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  LsCl *self = data;
  cl_event events[LS_CL_AHEAD] = { NULL };
  LsTrialKind kind;
  guint n_launches;
  gboolean ok;
  cl_int code = CL_SUCCESS;

  if (self->single == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("the OpenCL lane isn’t prepared: an earlier error stopped it"));
      return FALSE;
    }
  kind = run->trace != NULL           ? LS_TRIAL_RECORDED
         : run->fuse || !self->fusion ? LS_TRIAL_STEP
                                      : LS_TRIAL_SINGLE;
  n_launches = ls_cl_schedule (self, run->first_op, run->n_ops, run->fuse);
  if (!ls_cl_reuse (self, run->reuse && run->fuse && run->n_ops == self->plan->n_ops, error)
      || !ls_cl_ready (self, n_launches, kind, error) || !ls_cl_memory_steps (self, run->n_steps, error))
    return FALSE;
  if (run->trace)
    return ls_cl_record_step (self, run, n_launches, result, error);

  ls_cl_pace_begin (&self->pace, n_launches);
  result->start_ns = ls_clock_ns ();
  ok = run_steps (self, run, n_launches, result, events, error);
  if (ok && result->losses && ls_cl_makes_loss (self, run))
    {
      code = clEnqueueReadBuffer (self->queue, self->memory.losses, CL_TRUE, 0, run->n_steps * sizeof (float),
                                  result->losses, 0, NULL, NULL);
      ok = code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueReadBuffer", _("the losses"));
    }
  /* Positions and staged batches must not be changed while the device may still read them. */
  if (!ok)
    ls_cl_finish (self, self->queue);
  for (guint i = 0; i < LS_CL_AHEAD; i++)
    if (events[i])
      clReleaseEvent (events[i]);
  result->end_ns = ls_clock_ns ();
  return ok;
}
