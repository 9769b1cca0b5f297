/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sigmoid: Y = 1 / (1 + e^−X). For X ≪ 0, e^−X is infinite and Y the right 0.
 */
#include "ops/real.h"

void
LS_REF (sigmoid) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *x = call->in[0];
  real *y = call->out[0];

  for (gint64 i = 0; i < count; i++)
    y[i] = 1 / (1 + LS_REAL (exp) (-x[i]));
}

#if !LS_REAL_64
#include "model/plan.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (1, 1, in, out, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 4 * ls_tensor_count (out);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint y = op->out[0], dy = ls_plan_builder_delta_of (b, y);
  g_autofree char *right = g_strdup_printf ("%s ⊙ sigmoid′(%s)", ls_plan_builder_symbol (b, dy),
                                            ls_plan_builder_symbol (b, op->in[0]));

  return ls_plan_builder_delta (b, &ls_op_sigmoid_grad, (guint[]) { dy, y }, (LsOpAttr) { 0 }, op->in[0], right, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1 } } },
  { .in = { { 1, 1 } } },
  { .in = { { 7, 13 } } },
  { .in = { { 16, 64 } } },
  { .in = { { 33, 65 } } },
  { .in = { { 2, 3, 5, 7 } } },
  { .in = { { 3, 16, 14, 14 } } },
};

const LsOpClass ls_op_sigmoid = {
  .name = "sigmoid",
  .formula = "Y = 1 / (1 + exp (−X))",
  .n_in = 1,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (sigmoid),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
