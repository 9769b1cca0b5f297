/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * add: Y = A + B, element by element: where two ways meet again, and the sum of what two readers add to a
 * gradient.
 */
#include "ops/real.h"

void
LS_REF (add) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *a = call->in[0], *b = call->in[1];
  real *y = call->out[0];

  for (gint64 i = 0; i < count; i++)
    y[i] = a[i] + b[i];
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
}

/* dA = dB = dY: the same tensor, no op. */
static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint delta = ls_plan_builder_delta_of (b, op->out[0]);

  for (guint j = op->n_in; j-- > 0;)
    ls_plan_builder_share_delta (b, op->in[j], delta);
  return TRUE;
}

static const LsOpTest tests[] = {
  { .in = { { 1 }, { 1 } } },
  { .in = { { 1, 1 }, { 1, 1 } } },
  { .in = { { 7, 13 }, { 7, 13 } } },
  { .in = { { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 } } },
  { .in = { { 3, 16, 14, 14 }, { 3, 16, 14, 14 } } },
};

const LsOpClass ls_op_add = {
  .name = "add",
  .formula = "Y = A + B",
  .n_in = 2,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = ls_shape_rule_two,
  .flops = flops,
  LS_REFS (add),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
