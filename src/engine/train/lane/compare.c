/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step, op by op: each op runs on the lane by itself, then the double reference runs it on the inputs that
 * the lane really had, and every element of every output is held against its tolerance. So an error shows in
 * the op that made it, not in all that come after. Weights and states are put back afterwards: training goes
 * on as if nothing had been.
 */
#include "config.h"
#include "train/lane/compare.h"
#include "train/lane/lane.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/half.h"
#include "ops/tolerance.h"

/* More zeros than this and agreement proves little (oneDNN's benchdnn calls such a pass mistrusted). */
#define ZEROS_TO_MISTRUST 0.95

const char *
ls_verdict_name (LsVerdict verdict)
{
  static const char *const names[] = { "agree", "differ", "cannot tell" };
  return (guint) verdict < G_N_ELEMENTS (names) ? names[verdict] : NULL;
}

static void
set_no_memory (const LsTensor *t, GError **error)
{
  g_autofree char *size = g_format_size (2 * ls_tensor_bytes (t));
  g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
               _("Comparing “%s” in double precision needs %s of memory, which the system doesn’t grant; "
                  "use a smaller batch."),
               t->name, size);
}

/* Zeros, as many as a tensor has elements. NULL with LS_ERROR_MEMORY. */
static void *
zeros_new (const LsTensor *t, gsize element_size, GError **error)
{
  void *zeros = g_try_malloc0_n ((gsize) MAX (ls_tensor_count (t), 1), element_size);

  if (zeros == NULL)
    set_no_memory (t, error);
  return zeros;
}

/* A tensor of the lane as the double reference reads it; i32 stay i32. (transfer full) */
static void *
read_wide (LsLane *lane, guint tensor, GError **error)
{
  const LsTensor *t = &lane->stored->tensors[tensor];
  const gint64 n = ls_tensor_count (t);
  double *wide = zeros_new (t, sizeof *wide, error);
  float *values = (float *) wide;

  if (wide == NULL)
    return NULL;
  if (!lane->backend->read (lane->instance, tensor, wide, error))
    {
      g_free (wide);
      return NULL;
    }
  /* In place, from the end, so that no float is overwritten before it has been read. */
  for (gint64 i = n; t->dtype != LS_I32 && i-- > 0;)
    {
      float value;
      memcpy (&value, &values[i], sizeof value);
      wide[i] = (double) value;
    }
  return wide;
}

/* Element i of a tensor read by read_wide(). */
static double
wide_at (const LsTensor *t, const void *values, gint64 i)
{
  return t->dtype == LS_I32 ? (double) ((const gint32 *) values)[i] : ((const double *) values)[i];
}

double
ls_compare_how_far (double value, double expected, double tolerance)
{
  if (value == expected || (isnan (value) && isnan (expected)))
    return 0;
  /* What is too large for a float is rightly infinite. */
  if (isinf (value) && (double) (float) expected == value)
    return 0;
  if (!isfinite (value) || !isfinite (expected) || isnan (tolerance))
    return HUGE_VAL;
  return fabs (value - expected) / tolerance;
}

static gboolean
compare_output (const LsOpCall *call, guint out, const void *got, LsComparison *c, GError **error)
{
  const LsTensor *t = call->out_tensor[out];
  const gint64 n = ls_tensor_count (t);
  g_autofree double *tolerance = zeros_new (t, sizeof *tolerance, error);
  double worst = -1, norm = 0, norm_delta = 0;
  gint64 zeros = 0;

  if (tolerance == NULL)
    return FALSE;
  if (!ls_op_tolerance (call, out, tolerance))
    {
      set_no_memory (t, error);
      return FALSE;
    }
  c->verdict = LS_VERDICT_AGREE;
  for (gint64 i = 0; i < n; i++)
    {
      double value = wide_at (t, got, i), expected = wide_at (t, call->out[out], i);
      double delta = value == expected ? 0 : fabs (value - expected); /* ∞ − ∞ is no number */
      /* what is too large for the storage is rightly infinite, too */
      double out_by = isinf (value) && (double) ls_half_round (t->dtype, (float) expected) == value
                        ? 0
                        : ls_compare_how_far (value, expected, tolerance[i]);
      zeros += expected == 0;
      norm += expected * expected;
      norm_delta += delta * delta;
      if (out_by > worst)
        {
          worst = out_by;
          c->worst = i;
          c->value = value;
          c->expected = expected;
          c->delta = delta;
          c->tolerance = tolerance[i];
        }
    }
  c->zeros = n > 0 ? (double) zeros / (double) n : 0;
  c->relative = norm > 0 ? sqrt (norm_delta / norm) : sqrt (norm_delta);
  if (worst > 1)
    c->verdict = LS_VERDICT_DIFFER;
  else if (c->zeros > ZEROS_TO_MISTRUST)
    c->verdict = LS_VERDICT_CANNOT_TELL;
  return TRUE;
}

static void
call_clear (LsOpCall *call)
{
  for (guint j = 0; j < call->op->n_in; j++)
    g_free ((void *) call->in[j]);
  for (guint j = 0; j < call->op->n_out; j++)
    g_free (call->out[j]);
}

/* Buffers of the reference's own: inputs as the lane has them, in-place outputs beginning as a copy of their
 * input. */
static gboolean
call_fill (LsLane *lane, LsOpCall *call, GError **error)
{
  const LsOp *op = call->op;

  for (guint j = 0; j < op->n_in; j++)
    {
      const LsTensor *t = call->in_tensor[j] = &lane->stored->tensors[op->in[j]];
      double *in = read_wide (lane, op->in[j], error);
      if (in == NULL)
        return FALSE;
      call->in[j] = in;
      for (gint64 i = 0; ls_op_reads_copy (op, t) && i < ls_tensor_count (t); i++)
        in[i] = (double) ls_half_round (t->copy, (float) in[i]);
    }
  for (guint j = 0; j < op->n_out; j++)
    {
      const LsTensor *t = call->out_tensor[j] = &lane->stored->tensors[op->out[j]];
      gsize bytes = (gsize) MAX (ls_tensor_count (t), 1) * 8;
      gint in_place = op->klass->in_place[j];
      if ((call->out[j] = zeros_new (t, 8, error)) == NULL)
        return FALSE;
      if (in_place >= 0)
        memcpy (call->out[j], call->in[in_place], bytes);
    }
  return TRUE;
}

static gboolean
compare_op (LsLane *lane, guint op, const LsBatch *batch, const LsHyper *hyper, GError **error)
{
  LsOpCall call = { .op = &lane->stored->ops[op], .hyper = hyper, .batch = batch };
  LsRun run = { .first_op = op, .n_ops = 1, .n_steps = 1, .batches = batch, .hyper = hyper };
  LsRunResult result = { 0 };
  gboolean ok = call_fill (lane, &call, error) && lane->backend->run (lane->instance, &run, &result, error);

  if (ok)
    call.op->klass->ref_f64 (&call);
  for (guint j = 0; ok && j < call.op->n_out; j++)
    {
      LsComparison c = { .op = op, .lane = lane->number, .tensor = call.op->out[j] };
      g_autofree void *got = read_wide (lane, call.op->out[j], error);
      ok = got != NULL && compare_output (&call, j, got, &c, error);
      if (ok)
        g_array_append_val (lane->result.comparisons, c);
    }
  call_clear (&call);
  return ok;
}

const LsComparison *
ls_compare_first (const GArray *comparisons)
{
  const LsComparison *first = NULL;
  double out_by = 0;

  for (guint i = 0; i < comparisons->len; i++)
    {
      const LsComparison *c = &g_array_index (comparisons, LsComparison, i);
      const double its = ls_compare_how_far (c->value, c->expected, c->tolerance);

      if (c->verdict != LS_VERDICT_DIFFER
          || (first != NULL && (c->op > first->op || (c->op == first->op && its <= out_by))))
        continue;
      first = c;
      out_by = its;
    }
  return first;
}

/* Weight gradients as the updates read them. */
static gboolean
unscale (LsLane *lane, GError **error)
{
  for (guint p = 0; p < lane->plan->n_params; p++)
    {
      const guint tensor = lane->plan->params[p].gradient;
      const LsTensor *t = &lane->plan->tensors[tensor];
      g_autofree float *values = zeros_new (t, sizeof *values, error);

      if (values == NULL || !lane->backend->read (lane->instance, tensor, values, error))
        return FALSE;
      for (gint64 i = 0; i < ls_tensor_count (t); i++)
        values[i] /= (float) lane->scale.factor;
      if (!lane->backend->write (lane->instance, tensor, values, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_lane_compare (LsLane *lane, GError **error)
{
  const LsPlan *plan = lane->plan;
  LsHyper hyper = lane->request.train.first;
  LsBatch batch;
  g_autoptr (GPtrArray) saved = NULL;
  gboolean ok;

  saved = ls_checkpoint_new (plan, error);
  if (saved == NULL || !ls_lane_batches (lane, 1, &batch, error) || !ls_lane_save (lane, saved, error))
    return FALSE;
  lane->result.comparisons = g_array_new (FALSE, TRUE, sizeof (LsComparison));
  hyper.scale = lane->scale;
  ok = TRUE;
  for (guint i = 0; ok && i < plan->n_ops; i++)
    ok = (i != plan->first_op[LS_PHASE_UPDATE] || !(hyper.scale.factor > 0) || unscale (lane, error))
         && compare_op (lane, i, &batch, &hyper, error);
  if (ok)
    return ls_lane_load (lane, saved, error);
  /* what is told is why the comparison failed; if the lane can't be put back either, that is what counts */
  g_autoptr (GError) worse = NULL;
  if (!ls_lane_load (lane, saved, &worse))
    {
      g_clear_error (error);
      g_propagate_error (error, g_steal_pointer (&worse));
    }
  return FALSE;
}
