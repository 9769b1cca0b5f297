/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One op of a lane's plan, on what lies there, against the reference in double: see lanes.h.
 */
#include "lanes.h"

#include <math.h>

#include "core/half.h"
#include "ops/tolerance.h"

static double *
widen (const LsTensor *t, const float *values)
{
  gint64 n = ls_tensor_count (t);
  double *wide = g_new (double, MAX (n, 1));
  for (gint64 i = 0; i < n; i++)
    wide[i] = (double) values[i];
  return wide;
}

/* What the op reads of it, a weight or its copy; i32 tensors stay as they are. op: NULL if it has written it.
 */
static void *
read_wide (RigLane *lane, const LsOp *op, guint tensor)
{
  g_autofree float *values = rig_lane_read (lane, tensor);
  const LsTensor *t = &lane->plan->tensors[tensor];

  if (op != NULL && ls_op_reads_copy (op, t))
    ls_half_round_row (t->copy, values, (gsize) ls_tensor_count (t));
  return t->dtype == LS_I32 ? (void *) g_steal_pointer (&values) : (void *) widen (t, values);
}

static void
check_output (RigLane *lane, const LsOpCall *call, guint j)
{
  const LsTensor *t = call->out_tensor[j];
  const gint64 n = ls_tensor_count (t);
  g_autofree double *tolerance = g_new0 (double, MAX (n, 1));
  g_autofree void *got = read_wide (lane, NULL, call->op->out[j]);

  ls_op_tolerance (call, j, tolerance);
  for (gint64 i = 0; i < n; i++)
    {
      double value = t->dtype == LS_I32 ? ((gint32 *) got)[i] : ((double *) got)[i];
      double expected = t->dtype == LS_I32 ? ((gint32 *) call->out[j])[i] : ((double *) call->out[j])[i];
      if (!(fabs (value - expected) <= tolerance[i]))
        g_error ("%s (%s): output %u, element %" G_GINT64_FORMAT ": %.9g, expected %.9g ± %.3g",
                 call->op->equation, call->op->klass->name, j, i, value, expected, tolerance[i]);
    }
}

void
rig_lane_check_op (RigLane *lane, guint op, const LsBatch *batch, const LsHyper *hyper)
{
  const LsPlan *plan = lane->plan;
  const LsOp *o = &plan->ops[op];
  LsOpCall call = { .op = o, .hyper = hyper, .batch = batch };
  LsRun run = { .first_op = op, .n_ops = 1, .n_steps = 1, .batches = batch, .hyper = hyper };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint j = 0; j < o->n_in; j++)
    {
      call.in_tensor[j] = &plan->tensors[o->in[j]];
      call.in[j] = read_wide (lane, o, o->in[j]);
    }
  for (guint j = 0; j < o->n_out; j++)
    {
      gsize bytes = (gsize) MAX (ls_tensor_count (&plan->tensors[o->out[j]]), 1) * 8;
      call.out_tensor[j] = &plan->tensors[o->out[j]];
      call.out[j] = o->klass->in_place[j] >= 0 ? g_memdup2 (call.in[o->klass->in_place[j]], bytes)
                                               : g_malloc0 (bytes);
    }
  lane->backend->run (lane->instance, &run, &result, &error);
  g_assert_no_error (error);
  o->klass->ref_f64 (&call);
  for (guint j = 0; j < o->n_out; j++)
    check_output (lane, &call, j);
  for (guint j = 0; j < o->n_in; j++)
    g_free ((void *) call.in[j]);
  for (guint j = 0; j < o->n_out; j++)
    g_free (call.out[j]);
}
