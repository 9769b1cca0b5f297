/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relu_grad: dX = dY where Y > 0, else 0, from relu's output. As in PyTorch the gradient at 0 is 0, and a NaN in Y
 * lets dY through.
 */
#include "ops/real.h"

void
LS_REF (relu_grad) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *dy = call->in[0], *y = call->in[1];
  real *dx = call->out[0];

  for (gint64 i = 0; i < count; i++)
    dx[i] = y[i] <= 0 ? 0 : dy[i];
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (2, 1, in, out, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
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

const LsOpClass ls_op_relu_grad = {
  .name = "relu_grad",
  .formula = "dX = dY where Y > 0, else 0",
  .n_in = 2,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (relu_grad),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
