/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See held.h.
 */
#include "config.h"
#include "machines/held.h"

#include "machines/fit.h"
#include "machines/work.h"
#include "trace/event.h"

#include <math.h>
#include <string.h>

LsPlan *
ls_held_plan (const LsRecording *recording, GError **error)
{
  g_autoptr (LsModel) model = ls_model_parse (recording->model, error);

  if (model == NULL)
    return NULL;
  return ls_plan_new (model, recording->in_shape, recording->n_classes, recording->batch,
                      recording->optimizer, error);
}

gboolean
ls_held_like (const LsMachine *machine, const LsDeviceInfo *device)
{
  return machine->measured != NULL
         && (machine->sort == LS_HARDWARE_CPU ? device->who == LS_BACKEND_CPU
             : machine->sort == LS_HARDWARE_GPU
               ? device->who == LS_BACKEND_OPENCL && device->kind == LS_DEVICE_GPU
               : FALSE);
}

guint
ls_held_turns (const LsRecording *recording)
{
  guint turns = 0;

  for (guint i = 0; recording != NULL && recording->turns && i < recording->n_lanes; i++)
    turns += recording->lanes[i].device->shares_cpu;
  return MAX (turns, 1);
}

gboolean
ls_held_assume (const LsMachine *machine, const LsHardware *device, const LsDeviceInfo *here, guint turns,
                LsAssumed *assumed)
{
  ls_machine_assume (machine, assumed);
  if (device != NULL && device->sort == machine->sort && ls_machine_fill (machine, device, assumed))
    return TRUE;
  return here != NULL && ls_held_like (machine, here) && ls_machine_measured (machine, here, turns, assumed);
}

LsFigure
ls_held_step (const LsRecording *recording, guint lane)
{
  const LsRecordedLane *of = &recording->lanes[lane];
  const guint64 end = of->n_steps > 0 ? of->n_steps - 1 : 0, /* the last one is the recorded step */
    from = MIN (recording->warm_up, end);
  double values[LS_FIGURE_NEWEST];
  LsCounted counted = { 0 };
  const gsize n = of->curve != NULL && end > from
                    ? ls_curve_collect (of->curve, from, end, LS_FIGURE_NEWEST, 0, values, &counted)
                    : 0;

  for (gsize i = 0; i < n; i++)
    values[i] *= 1e-6;
  return ls_figure_of_samples (values, n, "s");
}

LsFigure
ls_held_median (const LsRecording *recording, guint lane)
{
  const LsFigure step = ls_held_step (recording, lane);
  LsFigure rate = step;

  if (!(step.n > 0 && step.q1 > 0))
    return (LsFigure){ 0 };
  rate.value = 1 / step.value;
  rate.q1 = 1 / step.q3;
  rate.q3 = 1 / step.q1;
  return ls_figure_stands (&rate) ? step : (LsFigure){ 0 };
}

double
ls_held_recorded (const LsRecording *recording, guint lane)
{
  const LsRecordedLane *of = &recording->lanes[lane];

  return of->end_ns > of->start_ns ? (double) (of->end_ns - of->start_ns) * 1e-9 : (double) NAN;
}

static void
add_spans (const LsRecordedLane *lane, guint n_ops, double *seconds)
{
  g_autofree guint64 *start = g_new (guint64, n_ops), *end = g_new0 (guint64, n_ops);

  memset (start, 0xff, sizeof *start * n_ops);
  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *event = &g_array_index (lane->events, LsEvent, i);
      const gboolean work = event->kind == LS_EVENT_OP || event->kind == LS_EVENT_TILE
                            || event->kind == LS_EVENT_KERNEL || event->kind == LS_EVENT_REFERENCE;
      if (!work || event->op >= n_ops)
        continue;
      start[event->op] = MIN (start[event->op], event->start_ns);
      end[event->op] = MAX (end[event->op], event->end_ns);
    }
  for (guint i = 0; i < n_ops; i++)
    seconds[i] = end[i] > start[i] ? (double) (end[i] - start[i]) * 1e-9 : (double) NAN;
}

double *
ls_held_ops (const LsRecording *recording, guint lane, const LsPlan *plan)
{
  const LsRecordedLane *of = &recording->lanes[lane];
  double *out = g_new (double, plan->n_ops);
  g_autofree double *spans = g_new (double, plan->n_ops);
  g_autofree guint *leader = g_new (guint, plan->n_ops);

  for (guint i = 0; i < plan->n_ops; i++)
    out[i] = spans[i] = (double) NAN;
  if (recording->n_ops != plan->n_ops)
    return out;
  add_spans (of, plan->n_ops, spans);
  ls_machine_work_leaders (plan, leader);
  for (guint i = 0; i < plan->n_ops; i++)
    if (!isnan (spans[i]) && of->tilings[i].leader == i)
      out[leader[i]] = (isnan (out[leader[i]]) ? 0 : out[leader[i]]) + spans[i];
  return out;
}

static gint64
count_of (const LsRecordedShape *shape)
{
  gint64 count = 1;

  for (guint i = 0; i < shape->rank; i++)
    if (__builtin_mul_overflow (count, shape->shape[i], &count))
      return -1;
  return count;
}

const float *
ls_held_values (const LsRecording *recording, const LsPlan *plan, guint tensor)
{
  for (guint lane = 0; lane < recording->n_lanes; lane++)
    {
      const LsRecordedShape *shape = NULL;
      const void *values = ls_recording_values_before (recording, lane, plan->tensors[tensor].name, &shape);

      if (values != NULL && shape->dtype == LS_F32
          && count_of (shape) == ls_tensor_count (&plan->tensors[tensor]))
        return values;
    }
  return NULL;
}

static gboolean
operand (const LsRecording *recording, const LsPlan *plan, guint tensor, gint64 rows, gint64 cols,
         gboolean turned, LsHeldMatrix *matrix)
{
  *matrix = (LsHeldMatrix){ .values = ls_held_values (recording, plan, tensor),
                            .rows = rows,
                            .cols = cols,
                            .down = turned ? 1 : cols,
                            .across = turned ? rows : 1 };
  return matrix->values != NULL && ls_tensor_count (&plan->tensors[tensor]) == rows * cols;
}

gboolean
ls_held_product (const LsRecording *recording, const LsPlan *plan, guint op, LsHeldMatrix *a, LsHeldMatrix *b)
{
  const LsOp *o = &plan->ops[op];

  return strcmp (o->klass->name, "matmul") == 0
         && operand (recording, plan, o->in[0], o->attr.m, o->attr.k, o->attr.ta, a)
         && operand (recording, plan, o->in[1], o->attr.k, o->attr.n, o->attr.tb, b);
}

double
ls_held_error (double modelled, double measured)
{
  return measured > 0 ? modelled / measured - 1 : (double) NAN;
}
