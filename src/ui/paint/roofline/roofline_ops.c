/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a recorded step as Roofline counts them. An op that others were fused into is counted with them:
 * their FLOP, and their bytes without the reads of what it handed on.
 */
#include "ui/paint/roofline/roofline.h"

double
ls_roofline_limit (const LsRoofs *roofs, double intensity)
{
  return roofs->flops > 0 && roofs->memory > 0 ? MIN (roofs->flops, roofs->memory * intensity) : 0;
}

static void
judge (const LsRoofs *roofs, LsRoofOp *op)
{
  const double limit = ls_roofline_limit (roofs, op->intensity);

  if (limit <= 0)
    return;
  op->bound = op->rate > roofs->flops ? LS_BOUND_ABOVE
              : limit >= roofs->flops ? LS_BOUND_COMPUTE
              : op->rate > limit      ? LS_BOUND_CACHE
                                      : LS_BOUND_MEMORY;
  op->of_roof = op->rate / limit;
}

void
ls_roofline_roofs (const LsViewLane *lane, LsRoofs *roofs)
{
  static const LsRoof of[LS_ROOF_CACHES] = { LS_ROOF_LOCAL, LS_ROOF_L2, LS_ROOF_L3 };
  const LsFigure *figures = lane->there && lane->recorded != NULL ? lane->recorded->device->roofs : NULL;

  *roofs = (LsRoofs){ 0 };
  if (figures == NULL)
    return;
  roofs->flops = figures[LS_ROOF_FLOPS].n > 0 ? figures[LS_ROOF_FLOPS].value : 0;
  roofs->memory = figures[LS_ROOF_MEMORY].n > 0 ? figures[LS_ROOF_MEMORY].value : 0;
  roofs->n = figures[LS_ROOF_FLOPS].n;
  roofs->one = figures[LS_ROOF_ONE].n > 0 ? figures[LS_ROOF_ONE].value : 0;
  roofs->launch_us = figures[LS_ROOF_LAUNCH].n > 0 ? 1e6 / figures[LS_ROOF_LAUNCH].value : 0;
  roofs->spread = roofs->flops > 0 ? 1 - figures[LS_ROOF_FLOPS].q1 / roofs->flops : 0;
  /* an OpenCL device's local memory is no cache: its bytes aren't those from memory */
  for (guint i = 0; i < LS_ROOF_CACHES && lane->who == LS_BACKEND_CPU; i++)
    roofs->caches[i] = figures[of[i]].n > 0 ? figures[of[i]].value : 0;
}

/* Counts an op in. makers: by tensor, 1 + the first op of the group that has made it: what comes from the
 * same group isn't read again. */
static void
count_in (const LsRecording *recording, guint op, guint leader, LsPrecision precision, guint *makers,
          LsRoofOp *sum)
{
  const LsRecordedOp *own = &recording->ops[op];

  sum->n++;
  sum->flops += (double) own->flops;
  sum->bytes += (double) ls_recorded_op_bytes (recording, op, precision);
  for (guint i = 0; i < own->n_in; i++)
    if (makers[own->in[i]] == leader + 1)
      sum->bytes -= (double) ls_recorded_input_bytes (recording, op, i, precision);
  for (guint i = 0; i < own->n_out; i++)
    makers[own->out[i]] = leader + 1;
}

GArray *
ls_roofline_ops (const LsRecording *recording, const LsViewLane *lane, guint *without)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (LsRoofOp)),
         *ops = g_array_new (FALSE, FALSE, sizeof (LsRoofOp));
  const LsStepIndex *index = lane->index;
  const guint n = index != NULL ? index->n_ops : 0;
  g_autofree guint *makers = g_new0 (guint, recording->n_shapes + 1), *at = g_new0 (guint, n + 1);
  LsRoofs roofs;
  guint left = 0;

  ls_roofline_roofs (lane, &roofs);
  for (guint op = 0; op < n; op++)
    {
      const LsOpTrace *trace = &index->ops[op];
      const guint leader = ls_step_index_leader (index, op);
      LsRoofOp sum = { .op = op };

      if (leader == op && trace->ran && trace->end_ns > trace->start_ns)
        {
          sum.ns = trace->end_ns - trace->start_ns;
          g_array_append_val (all, sum);
          at[op] = all->len;
        }
      if (leader <= op && at[leader] > 0)
        count_in (recording, op, leader, lane->precision, makers,
                  &g_array_index (all, LsRoofOp, at[leader] - 1));
    }
  for (guint i = 0; n > 0 && i < index->lane->events->len; i++)
    {
      const LsEvent *event = &g_array_index (index->lane->events, LsEvent, i);
      const gint64 bytes = ls_event_moved (event);

      if (bytes >= 0 && event->op < n && at[event->op] > 0)
        {
          LsRoofOp *op = &g_array_index (all, LsRoofOp, at[event->op] - 1);
          op->counted = TRUE;
          op->moved += (double) bytes;
        }
    }
  for (guint i = 0; i < all->len; i++)
    {
      LsRoofOp *op = &g_array_index (all, LsRoofOp, i);

      if (!(op->flops > 0 && op->bytes > 0))
        {
          left++;
          continue;
        }
      op->intensity = op->flops / op->bytes;
      op->rate = 1e9 * op->flops / (double) op->ns;
      op->share = index->length_ns > 0 ? (double) op->ns / (double) index->length_ns : 0;
      judge (&roofs, op);
      g_array_append_val (ops, *op);
    }
  g_array_unref (all);
  if (without != NULL)
    *without = left;
  return ops;
}

const LsRoofOp *
ls_roofline_find (const GArray *ops, const LsViewLane *lane, guint op)
{
  if (lane->index == NULL || op >= lane->index->n_ops)
    return NULL;
  op = ls_step_index_leader (lane->index, op);
  for (guint i = 0; i < ops->len; i++)
    if (g_array_index (ops, LsRoofOp, i).op == op)
      return &g_array_index (ops, LsRoofOp, i);
  return NULL;
}
