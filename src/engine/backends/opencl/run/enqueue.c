/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One launch into the queue: its arguments, its passes; or, for an op without a kernel, the reference on the
 * host in between; or the batch, gathered on the host and copied.
 *
 * Arguments that don't change (tensors, shapes, scratch) are set once, when the launch is made ready; the
 * rest, the optimizer's numbers, the batch's set and the step's places, before each launch.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <math.h>

#include "backends/opencl/device/cl_error.h"
#include "core/error.h"

/* ---- recorder ---- */

cl_event *
ls_cl_recorder_begin (LsClRecorder *recorder, LsEventKind kind, guint op, guint32 tile,
                      const LsClLaunch *launch)
{
  LsClCommand *command;

  if (recorder == NULL || recorder->n == recorder->capacity)
    return NULL;
  command = &recorder->commands[recorder->n++];
  *command
    = (LsClCommand){ .kind = kind, .op = op, .tile = tile, .launch = launch, .start_ns = ls_clock_ns () };
  return &command->event;
}

void
ls_cl_recorder_end (LsClRecorder *recorder)
{
  if (recorder && recorder->n > 0)
    recorder->commands[recorder->n - 1].end_ns = ls_clock_ns ();
}

/* ---- arguments ---- */

guint
ls_cl_epilogue_tensor (const LsCl *self, const LsClLaunch *launch, guint otherwise)
{
  for (guint f = 0; f < launch->n_followers; f++)
    {
      const LsOp *op = &self->plan->ops[launch->followers[f]];
      for (guint j = 0; j < op->n_in; j++)
        if (j != op->klass->epilogue_input && (op->klass->shape_only & (1u << j)) == 0)
          return op->in[j];
    }
  return otherwise;
}

static cl_mem
memory_of (const LsCl *self, guint tensor, gboolean reuses)
{
  const LsClMemory *m = &self->memory;

  return (reuses && m->placed != NULL && m->placed[tensor] != NULL ? m->placed : m->tensors)[tensor];
}

/* What the op reads, or its copy. */
static cl_mem
input_of (const LsCl *self, const LsOp *op, guint j, gboolean reuses)
{
  const gboolean copy = ls_op_reads_copy (op, &self->plan->tensors[op->in[j]]);

  return copy ? self->memory.copies[op->in[j]] : memory_of (self, op->in[j], reuses);
}

/* The buffer for an argument that doesn't change; NULL if the argument is of another kind. */
static cl_mem
fixed_buffer (const LsCl *self, const LsClLaunch *launch, LsClArg arg, gboolean reuses)
{
  const LsOp *op = &self->plan->ops[launch->op];
  const LsOp *last = ls_cl_last_op (self, launch);
  const LsClMemory *m = &self->memory;

  switch (arg)
    {
    case LS_CL_ARG_IN0:
    case LS_CL_ARG_IN1:
    case LS_CL_ARG_IN2:
    case LS_CL_ARG_IN3:
    case LS_CL_ARG_IN4:
      return input_of (self, op, (guint) (arg - LS_CL_ARG_IN0), reuses);
    case LS_CL_ARG_OUT0:
      return memory_of (self, last->out[0], reuses);
    case LS_CL_ARG_OUT1:
    case LS_CL_ARG_OUT2:
    case LS_CL_ARG_OUT3:
      return memory_of (self, op->out[arg - LS_CL_ARG_OUT0], reuses);
    case LS_CL_ARG_SCRATCH0:
    case LS_CL_ARG_SCRATCH1:
      return m->scratch[arg - LS_CL_ARG_SCRATCH0];
    case LS_CL_ARG_EPILOGUE:
      return memory_of (self, ls_cl_epilogue_tensor (self, launch, last->out[0]), reuses);
    case LS_CL_ARG_STATE:
      return memory_of (self, last->out[1], reuses);
    case LS_CL_ARG_JOIN0:
    case LS_CL_ARG_JOIN1:
      return memory_of (self, ls_cl_join_op (self, launch, arg - LS_CL_ARG_JOIN0)->out[0], reuses);
    case LS_CL_ARG_JOIN_STATE:
      return memory_of (self, ls_cl_join_op (self, launch, 0)->out[1], reuses);
    case LS_CL_ARG_COPY:
      return m->copies[last->out[0]];
    case LS_CL_ARG_BYTE_VALUES:
      return m->byte_values;
    default:
      return NULL;
    }
}

static gboolean
arg_failed (const LsCl *self, const LsClLaunch *launch, cl_int code, const char *call, GError **error)
{
  g_autofree char *title = ls_cl_op_title (self, launch->op);
  return ls_cl_fail (error, code, call, title);
}

gboolean
ls_cl_set_fixed_args (LsCl *self, LsClLaunch *launch, gboolean probe, GError **error)
{
  for (guint p = 0; p < launch->n_passes; p++)
    {
      const LsClPass *pass = &launch->row->passes[p];
      cl_int code = CL_SUCCESS;
      cl_uint a = 0;
      guint shape = 0;

      if (!launch->needed[p])
        continue;
      for (; code == CL_SUCCESS && launch->args[p][a] != LS_CL_ARG_END; a++)
        {
          cl_mem buffer = fixed_buffer (self, launch, launch->args[p][a], self->reuses && !probe);
          if (buffer)
            code = clSetKernelArg (launch->kernel[probe][p], a, sizeof buffer, &buffer);
          else if (launch->args[p][a] == LS_CL_ARG_SHAPE)
            code = clSetKernelArg (launch->kernel[probe][p], a, sizeof (cl_int), &launch->shape[shape++]);
        }
      if (code == CL_SUCCESS && probe && pass->tiles)
        code = clSetKernelArg (launch->kernel[probe][p], a, sizeof launch->probe, &launch->probe);
      if (code != CL_SUCCESS)
        return arg_failed (self, launch, code, "clSetKernelArg", error);
    }
  return TRUE;
}

/* The optimizers' numbers as the reference computes them: in double, rounded to float once. TRUE if arg is
 * one of them. */
static gboolean
hyper_value (LsClArg arg, const LsHyper *hyper, cl_float *value)
{
  const LsHyper *h = hyper;
  double v;

  switch (arg)
    {
    case LS_CL_ARG_LR:
      v = h->lr;
      break;
    case LS_CL_ARG_MOMENTUM:
      v = h->momentum;
      break;
    case LS_CL_ARG_BETA1:
      v = h->beta1;
      break;
    case LS_CL_ARG_BETA2:
      v = h->beta2;
      break;
    case LS_CL_ARG_EPSILON:
      v = h->epsilon;
      break;
    case LS_CL_ARG_STEP_SIZE:
      v = h->lr / (1.0 - pow (h->beta1, ls_hyper_updates (h)));
      break;
    case LS_CL_ARG_CORRECTION2:
      v = 1.0 / sqrt (1.0 - pow (h->beta2, ls_hyper_updates (h)));
      break;
    case LS_CL_ARG_SCALE:
      v = ls_hyper_factor (h);
      break;
    case LS_CL_ARG_ONE_MINUS_BETA1:
      v = 1.0 - h->beta1;
      break;
    case LS_CL_ARG_ONE_MINUS_BETA2:
      v = 1.0 - h->beta2;
      break;
    default:
      return FALSE;
    }
  *value = (cl_float) v;
  return TRUE;
}

/* What random numbers are made of; without a step there are none. TRUE if arg is one of them. */
static gboolean
random_value (LsClArg arg, const LsHyper *hyper, cl_uint *value)
{
  if (arg != LS_CL_ARG_SEED_LOW && arg != LS_CL_ARG_SEED_HIGH && arg != LS_CL_ARG_STEP)
    return FALSE;
  *value = hyper == NULL                ? 0
           : arg == LS_CL_ARG_SEED_LOW  ? (cl_uint) hyper->seed
           : arg == LS_CL_ARG_SEED_HIGH ? (cl_uint) (hyper->seed >> 32)
                                        : (cl_uint) hyper->step;
  return TRUE;
}

/* The buffer for an argument that may be another at each launch; NULL if the argument is of another kind. */
static cl_mem
changing_buffer (const LsCl *self, const LsClSet *set, LsClArg arg)
{
  switch (arg)
    {
    case LS_CL_ARG_SAMPLES:
      return set->samples;
    case LS_CL_ARG_SET_LABELS:
      return set->labels;
    case LS_CL_ARG_INDEX:
      return self->memory.index;
    case LS_CL_ARG_LOSSES:
      return self->memory.losses;
    default:
      return NULL;
    }
}

static gboolean
set_changing_args (LsCl *self, const LsClLaunch *launch, guint p, const LsClSet *set, const LsClOrder *order,
                   GError **error)
{
  const LsClArg *args = launch->args[p];
  cl_kernel kernel = launch->kernel[order->recorder != NULL][p];
  const cl_int slot = (cl_int) order->step,
               first = order->positions_there ? slot * (cl_int) self->plan->batch : 0;
  cl_int code = CL_SUCCESS;

  for (cl_uint a = 0; code == CL_SUCCESS && args[a] != LS_CL_ARG_END; a++)
    {
      const cl_mem buffer = changing_buffer (self, set, args[a]);
      cl_float value;
      cl_uint random;
      if (buffer != NULL)
        code = clSetKernelArg (kernel, a, sizeof buffer, &buffer);
      else if (args[a] == LS_CL_ARG_FIRST || args[a] == LS_CL_ARG_SLOT)
        code = clSetKernelArg (kernel, a, sizeof (cl_int), args[a] == LS_CL_ARG_FIRST ? &first : &slot);
      else if (order->hyper && hyper_value (args[a], order->hyper, &value))
        code = clSetKernelArg (kernel, a, sizeof value, &value);
      else if (random_value (args[a], order->hyper, &random))
        code = clSetKernelArg (kernel, a, sizeof random, &random);
    }
  return code == CL_SUCCESS || arg_failed (self, launch, code, "clSetKernelArg", error);
}

/* ---- copies and the host's part ---- */

static gboolean
copy_in (LsCl *self, const LsClOrder *order, guint op, cl_mem to, const void *from, gsize bytes,
         cl_bool blocking, GError **error)
{
  cl_event *event = ls_cl_recorder_begin (order->recorder, LS_EVENT_COPY_IN, op,
                                          (guint32) MIN (bytes, G_MAXUINT32), NULL);
  cl_int code = clEnqueueWriteBuffer (order->queue, to, blocking, 0, bytes, from, 0, NULL, event);

  ls_cl_recorder_end (order->recorder);
  if (code != CL_SUCCESS)
    {
      g_autofree char *title = ls_cl_op_title (self, op);
      return ls_cl_fail (error, code, "clEnqueueWriteBuffer", title);
    }
  return TRUE;
}

static void
host_work_done (LsClRecorder *recorder, LsEventKind kind, guint op, guint64 start_ns)
{
  if (ls_cl_recorder_begin (recorder, kind, op, 0, NULL))
    {
      recorder->commands[recorder->n - 1].start_ns = start_ns;
      ls_cl_recorder_end (recorder);
    }
}

/* Into a staging slot whose step has finished, then to the device while the host goes on. */
static gboolean
gather_on_host (LsCl *self, guint op, const LsClOrder *order, GError **error)
{
  const LsPlan *plan = self->plan;
  LsClStage *to = &self->stages[order->step % LS_CL_AHEAD];
  LsOpCall call = { .op = &plan->ops[op], .out = { to->x, to->labels }, .batch = order->batch };
  guint64 start_ns = order->recorder ? ls_clock_ns () : 0;

  for (guint j = 0; j < 2; j++)
    {
      call.out_tensor[j] = &plan->tensors[plan->ops[op].out[j]];
      call.out_dtype[j] = call.out_tensor[j]->dtype;
    }
  ls_op_run (&call, self->host_scratch);
  host_work_done (order->recorder, LS_EVENT_OP, op, start_ns);
  return copy_in (self, order, op, self->memory.tensors[plan->ops[op].out[0]], to->x,
                  ls_tensor_bytes (call.out_tensor[0]), CL_FALSE, error)
         && copy_in (self, order, op, self->memory.tensors[plan->ops[op].out[1]], to->labels,
                     ls_tensor_bytes (call.out_tensor[1]), CL_FALSE, error);
}

/* Inputs to the host, the reference, outputs back; all blocking. */
static gboolean
run_reference (LsCl *self, guint op, const LsClOrder *order, GError **error)
{
  const LsOp *o = &self->plan->ops[op];
  LsClOrder unrecorded = *order;
  guint64 start_ns = order->recorder ? ls_clock_ns () : 0;
  LsOpCall call;

  ls_plan_call (self->plan, &self->host, op, &call);
  call.hyper = order->hyper;
  call.batch = order->batch;
  unrecorded.recorder = NULL;
  for (guint j = 0; j < o->n_in; j++)
    {
      const gsize bytes = (gsize) ls_tensor_count (call.in_tensor[j]) * ls_dtype_size (call.in_dtype[j]);
      cl_int code = clEnqueueReadBuffer (order->queue, input_of (self, o, j, FALSE), CL_TRUE, 0, bytes,
                                         (void *) call.in[j], 0, NULL, NULL);
      if (code != CL_SUCCESS)
        return ls_cl_fail (error, code, "clEnqueueReadBuffer", call.in_tensor[j]->name);
    }
  ls_op_run (&call, self->host_scratch);
  for (guint j = 0; j < o->n_out; j++)
    if (!copy_in (self, &unrecorded, op, self->memory.tensors[o->out[j]], call.out[j],
                  ls_tensor_bytes (call.out_tensor[j]), CL_TRUE, error))
      return FALSE;
  host_work_done (order->recorder, LS_EVENT_REFERENCE, op, start_ns);
  return TRUE;
}

/* ---- launches ---- */

static gboolean
check_batch (const LsCl *self, const LsClLaunch *launch, const LsClOrder *order, GError **error)
{
  const LsBatch *batch = order->batch;
  const LsOp *op = &self->plan->ops[launch->op], *last = ls_cl_last_op (self, launch);

  if (op->klass == &ls_op_gather && (batch == NULL || batch->set == NULL || batch->n != self->plan->batch))
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("the OpenCL lane needs a batch of %u samples"),
                 self->plan->batch);
  else if (last->klass->in_place[0] >= 0 && order->hyper == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("the OpenCL lane needs the optimizer’s numbers for %s"),
                 last->symbol);
  else
    return TRUE;
  return FALSE;
}

static gboolean
enqueue_passes (LsCl *self, LsClLaunch *launch, const LsClSet *set, const LsClOrder *order, GError **error)
{
  const gboolean probe = order->recorder != NULL;
  guint last = launch->n_passes;

  while (last-- > 0 && !launch->needed[last])
    ;

  for (guint p = 0; p < launch->n_passes; p++)
    {
      const LsClRange *range = &launch->range[p];
      cl_event *event;
      cl_int code;

      if (!launch->needed[p])
        continue;
      if (!set_changing_args (self, launch, p, set, order, error))
        return FALSE;
      event = ls_cl_recorder_begin (order->recorder, LS_EVENT_KERNEL, launch->op, p,
                                    launch->row->passes[p].tiles ? launch : NULL);
      if (event == NULL && p == last)
        event = order->end;
      code = clEnqueueNDRangeKernel (order->queue, launch->kernel[probe][p], range->dims, NULL, range->global,
                                     range->local, 0, NULL, event);
      ls_cl_recorder_end (order->recorder);
      if (code != CL_SUCCESS)
        return arg_failed (self, launch, code, "clEnqueueNDRangeKernel", error);
    }
  return TRUE;
}

gboolean
ls_cl_enqueue (LsCl *self, LsClLaunch *launch, const LsClOrder *order, GError **error)
{
  const LsOp *op = &self->plan->ops[launch->op];
  const LsBatch *batch = order->batch;
  const LsClSet *set = NULL;

  if (!check_batch (self, launch, order, error))
    return FALSE;
  if (op->klass == &ls_op_gather)
    {
      set = ls_cl_op_on_host (self, launch) ? NULL : ls_cl_set_find (self, batch->set);
      /* A set that isn't on the device, the user's choice or a stranger's, is gathered on the host. */
      if (set == NULL)
        return ls_cl_memory_host (self, error) && gather_on_host (self, launch->op, order, error);
      if (!order->positions_there)
        {
          guint32 *positions = self->memory.positions
                               + (gsize) (order->step % self->memory.n_steps) * batch->n;

          memcpy (positions, batch->index, batch->n * sizeof *batch->index);
          if (!copy_in (self, order, launch->op, self->memory.index, positions,
                        batch->n * sizeof *batch->index, CL_FALSE, error))
            return FALSE;
        }
    }
  if (launch->row == NULL)
    return ls_cl_memory_host (self, error) && run_reference (self, launch->op, order, error)
           && ls_cl_views_written (self, launch, order->queue, error);
  return enqueue_passes (self, launch, set, order, error)
         && ls_cl_views_written (self, launch, order->queue, error);
}
