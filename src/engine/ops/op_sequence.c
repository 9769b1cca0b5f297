/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sequence: a sample's rows as time steps. X [B, C, H, W] → S [T·B, F], step after step and in a step sample
 * after sample: T = H steps of F = C·W values, or by columns T = W steps of C·H values.
 * planes: the way back, S → X; each is the other's gradient.
 */
#include "ops/real.h"

/* Where value f of step t of sample b is in X. */
static inline gint64
place (const gint64 *x, gboolean by_columns, gint64 t, gint64 b, gint64 f)
{
  const gint64 across = by_columns ? x[2] : x[3], c = f / across, i = f % across;

  return ((b * x[1] + c) * x[2] + (by_columns ? i : t)) * x[3] + (by_columns ? t : i);
}

static void
LS_REF (rearrange) (const LsOpCall *call, const LsTensor *planes, const LsTensor *steps, gboolean back)
{
  const gint64 *x = planes->shape, batch = x[0], rows = steps->shape[0], values = steps->shape[1];
  const real *from = call->in[0];
  real *to = call->out[0];

  for (gint64 row = 0; row < rows; row++)
    for (gint64 f = 0; f < values; f++)
      {
        const gint64 at = place (x, call->op->attr.by_columns, row / batch, row % batch, f);
        to[back ? at : row * values + f] = from[back ? row * values + f : at];
      }
}

void
LS_REF (sequence) (const LsOpCall *call)
{
  LS_REF (rearrange) (call, call->in_tensor[0], call->out_tensor[0], FALSE);
}

void
LS_REF (planes) (const LsOpCall *call)
{
  LS_REF (rearrange) (call, call->out_tensor[0], call->in_tensor[0], TRUE);
}

#if !LS_REAL_64
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "ops/gradient.h"
#include "ops/shape.h"

static void
steps_of (const gint64 *x, const LsOpAttr *attr, gint64 steps[2])
{
  steps[0] = x[0] * (attr->by_columns ? x[3] : x[2]);
  steps[1] = x[1] * (attr->by_columns ? x[2] : x[3]);
}

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  gint64 steps[2];

  if (!ls_shape_rank (in[0], 4, error))
    return FALSE;
  steps_of (in[0]->shape, attr, steps);
  return ls_shape_set (out, 2, steps, error);
}

static gboolean
planes_shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  gint64 steps[2];

  if (!ls_shape_rank (in[0], 2, error) || !ls_shape_set (out, 4, attr->shape, error))
    return FALSE;
  steps_of (out->shape, attr, steps);
  if (steps[0] == in[0]->shape[0] && steps[1] == in[0]->shape[1])
    return TRUE;

  g_autofree char *text = ls_tensor_shape_string (in[0]), *planes = ls_tensor_shape_string (out);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("steps of %s can't take the shape %s"), text, planes);
  return FALSE;
}

/* Nothing is computed; a move counts as one operation, so that no op is free. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const gboolean back = op->klass == &ls_op_planes;
  const guint delta = ls_plan_builder_delta_of (b, op->out[0]);
  LsOpAttr attr = { .by_columns = op->attr.by_columns };
  g_autofree char *right = g_strdup_printf (back ? "steps(%s)" : "planes(%s)",
                                            ls_plan_builder_symbol (b, delta));

  if (!back)
    memcpy (attr.shape, ls_plan_builder_get (b, op->in[0])->shape, sizeof attr.shape);
  return ls_plan_builder_delta (b, back ? &ls_op_sequence : &ls_op_planes, &delta, attr, op->in[0], right,
                                error);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 } } },
  { .in = { { 2, 1, 5, 7 } } },
  { .in = { { 7, 3, 4, 5 } } },
  { .in = { { 16, 1, 28, 28 } } },
  { .in = { { 3, 16, 7, 9 } } },
  { .in = { { 7, 3, 4, 5 } }, .attr = { .by_columns = TRUE } },
  { .in = { { 5, 1, 17, 16 } }, .attr = { .by_columns = TRUE } },
  { .in = { { 3, 5, 33, 2 } }, .attr = { .by_columns = TRUE } },
};

static const LsOpTest planes_tests[] = {
  { .in = { { 1, 1 } }, .attr = { .shape = { 1, 1, 1, 1 } } },
  { .in = { { 10, 7 } }, .attr = { .shape = { 2, 1, 5, 7 } } },
  { .in = { { 28, 15 } }, .attr = { .shape = { 7, 3, 4, 5 } } },
  { .in = { { 84, 128 } }, .attr = { .shape = { 3, 1, 28, 128 } } },
  { .in = { { 21, 144 } }, .attr = { .shape = { 3, 16, 7, 9 } } },
  { .in = { { 35, 12 } }, .attr = { .shape = { 7, 3, 4, 5 }, .by_columns = TRUE } },
  { .in = { { 6, 165 } }, .attr = { .shape = { 3, 5, 33, 2 }, .by_columns = TRUE } },
};

const LsOpClass ls_op_sequence = {
  .name = "sequence",
  .formula = "S = X's rows as steps",
  .n_in = 1,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (sequence),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_planes = {
  .name = "planes",
  .formula = "X = S's steps as rows",
  .n_in = 1,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = planes_shape,
  .flops = flops,
  LS_REFS (planes),
  .gradient = gradient,
  .tests = planes_tests,
  .n_tests = G_N_ELEMENTS (planes_tests),
};
#endif
