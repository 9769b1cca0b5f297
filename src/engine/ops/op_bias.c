/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bias: Y = X + b, one b for each channel, which is dimension 1: X [B, N] or [B, C, H, W].
 */
#include "ops/real.h"

void
LS_REF (bias) (const LsOpCall *call)
{
  const LsTensor *x_tensor = call->in_tensor[0];
  const gint64 channels = x_tensor->shape[1];
  const gint64 plane = ls_tensor_inner (x_tensor) / channels;
  const real *x = call->in[0], *b = call->in[1];
  real *y = call->out[0];

  for (gint64 i = 0; i < ls_tensor_count (x_tensor); i++)
    y[i] = x[i] + b[i / plane % channels];
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  LsTensor channels = { .name = "channels" };

  if (in[0]->rank < 2 && !ls_shape_rank (in[0], 2, error))
    return FALSE;
  return ls_shape_set (&channels, 1, &in[0]->shape[1], error) && ls_shape_same (in[1], &channels, error)
         && ls_shape_copy (out, in[0]);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
}

/* dX = dY: the same tensor, no op. */
static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint delta = ls_plan_builder_delta_of (b, op->out[0]);
  g_autofree char *right = g_strdup_printf ("Σ %s", ls_plan_builder_symbol (b, delta));

  ls_plan_builder_share_delta (b, op->in[0], delta);
  return ls_plan_builder_delta (b, &ls_op_bias_grad, &delta, (LsOpAttr){ 0 }, op->in[1], right, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1 }, { 1 } } },         { .in = { { 7, 10 }, { 10 } } },
  { .in = { { 16, 65 }, { 65 } } },      { .in = { { 33, 31 }, { 31 } } },
  { .in = { { 1, 1, 1, 1 }, { 1 } } },   { .in = { { 2, 3, 5, 7 }, { 3 } } },
  { .in = { { 5, 17, 4, 4 }, { 17 } } }, { .in = { { 3, 16, 28, 28 }, { 16 } } },
};

const LsOpClass ls_op_bias = {
  .name = "bias",
  .formula = "Y = X + b",
  .n_in = 2,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (bias),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
