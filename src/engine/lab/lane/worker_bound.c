/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of a step's time goes into ops that memory bounds: those left of the knee of the roofline
 * (Williams, Waterman, Patterson, CACM 52 (4), 2009), with both roofs measured on the lane's own device. An
 * op that others were fused into is counted with them: their FLOP, and their bytes without the reads of what
 * it handed on. What computes nothing, such as fetching the batch, lies at 0 FLOP for each byte. The rest of
 * the step are ops right of the knee, and gaps between ops.
 */
#include "config.h"
#include "lab/lane/worker_lane.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

#define LEAST 5 /* recorded steps */

/* An op with those that are fused into it. */
typedef struct {
  double flops, bytes;
  guint64 start_ns, end_ns;
  gint rank; /* of what its times are from; −1: it took none */
} Group;

/* FLOP and bytes of all groups, as the lane runs the plan. */
static void
count (const LsPlan *plan, const LsTiling *tilings, Group *groups)
{
  g_autofree guint *makers = g_new0 (guint, plan->n_tensors); /* 1 + the group that has made it */

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const guint leader = tilings[i].leader;
      Group *group = &groups[leader];

      group->flops += (double) op->flops;
      group->bytes += (double) op->bytes;
      for (guint j = 0; j < op->n_in; j++)
        if (makers[op->in[j]] == leader + 1)
          group->bytes -= (double) ls_tensor_bytes (&plan->tensors[op->in[j]]);
      for (guint j = 0; j < op->n_out; j++)
        makers[op->out[j]] = leader + 1;
    }
}

/* An op's time is its kernels' where the device tells them, else its own event's, else that of its pieces. */
static gint
rank_of (guint kind)
{
  return kind == LS_EVENT_KERNEL                           ? 3
         : kind == LS_EVENT_OP                             ? 2
         : kind == LS_EVENT_REFERENCE                      ? 1
         : kind == LS_EVENT_TILE || kind == LS_EVENT_GROUP ? 0
                                                           : -1;
}

static void
time_groups (const LsPlan *plan, const LsTiling *tilings, const GArray *events, Group *groups)
{
  for (guint i = 0; i < plan->n_ops; i++)
    groups[i].rank = -1;
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      const gint rank = rank_of (e->kind);
      Group *group;

      if (rank < 0 || e->op >= plan->n_ops || LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
        continue;
      group = &groups[tilings[e->op].leader];
      if (rank < group->rank)
        continue;
      group->start_ns = rank > group->rank ? e->start_ns : MIN (group->start_ns, e->start_ns);
      group->end_ns = rank > group->rank ? e->end_ns : MAX (group->end_ns, e->end_ns);
      group->rank = rank;
    }
}

static double
share_of (const LsPlan *plan, const Group *groups, double knee, double step_ns)
{
  double ns = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    if (groups[i].rank >= 0 && groups[i].bytes > 0 && groups[i].flops < knee * groups[i].bytes)
      ns += (double) (groups[i].end_ns - groups[i].start_ns);
  return MIN (ns / step_ns, 1);
}

static gboolean
measure_knee (LsLabLane *lane, double *knee, GError **error)
{
  LsFigure roofs[LS_ROOF_N] = { 0 };

  if (lane->backend->roofs != NULL && !lane->backend->roofs->measure (lane->self, roofs, error))
    return FALSE;
  if (roofs[LS_ROOF_FLOPS].n == 0 || !(roofs[LS_ROOF_MEMORY].value > 0))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("The limits of its device can’t be measured."));
      return FALSE;
    }
  *knee = roofs[LS_ROOF_FLOPS].value / roofs[LS_ROOF_MEMORY].value;
  return TRUE;
}

gboolean
ls_lab_lane_bound (gpointer self, double seconds, GArray *shares, GError **error)
{
  LsLabLane *lane = self;
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);
  const LsTiling *tilings;
  g_autoptr (LsPlan) stored = NULL;
  g_autofree Group *groups = NULL;
  g_autoptr (LsTrace) trace = NULL;
  double knee, us;
  guint n_rings;
  guint32 capacity;

  if (!ls_lab_lane_ready (lane, error) || !ls_lab_lane_turn (lane, LS_LAB_TURN, NULL, &us, error)
      || !measure_knee (lane, &knee, error))
    return FALSE;
  stored = ls_plan_with_precision (lane->plan, (LsPrecision) lane->options->precision);
  tilings = lane->backend->tilings (lane->self);
  groups = g_new0 (Group, stored->n_ops);
  count (stored, tilings, groups);
  lane->backend->trace_size (lane->self, &n_rings, &capacity);
  trace = ls_trace_new (0, n_rings, capacity, error);
  if (trace == NULL)
    return FALSE;
  for (guint n = 0; n <= LEAST || ls_clock_ns () < until; n++)
    {
      g_autoptr (GArray) events = NULL;
      double share;

      ls_trace_reset (trace);
      if (!ls_lab_lane_turn (lane, 1, trace, &us, error))
        return FALSE;
      events = ls_trace_collect (trace);
      time_groups (stored, tilings, events, groups);
      share = share_of (stored, groups, knee, 1e3 * us);
      if (n > 0) /* the first one with a trace warms up what recording needs */
        g_array_append_val (shares, share);
    }
  return TRUE;
}
