/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gelu: Y = X·Φ(X), Φ the normal distribution (Hendrycks, Gimpel 2016): the exact one, PyTorch's GELU () with
 * approximate='none', not the one by way of tanh. gelu_grad: dX = dY·(Φ(X) + X·φ(X)), from the input, since
 * two of them have the same output. As in PyTorch −∞ makes NaN, and so does ∞ on the way back: 0·∞.
 */
#include "ops/real.h"

/* Φ by erfc, which keeps all digits where Φ is small. */
static inline real
LS_REF (normal) (real x)
{
  return LS_REAL (erfc) (x * (real) -M_SQRT1_2) / 2;
}

void
LS_REF (gelu) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *x = call->in[0];
  real *y = call->out[0];

  for (gint64 i = 0; i < count; i++)
    y[i] = x[i] * LS_REF (normal) (x[i]);
}

void
LS_REF (gelu_grad) (const LsOpCall *call)
{
  const real density = (real) 0.39894228040143267794; /* 1 / √(2π) */
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *dy = call->in[0], *x = call->in[1];
  real *dx = call->out[0];

  for (gint64 i = 0; i < count; i++)
    dx[i] = dy[i] * (LS_REF (normal) (x[i]) + x[i] * density * LS_REAL (exp) (-x[i] * x[i] / 2));
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

/* X·½·(1 + erf (X/√2)), erf counted as one, as tanh is. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 5 * ls_tensor_count (out);
}

/* Φ 4; X·e^(−X²/2)/√(2π) 5; the sum, times dY. */
static gint64
gradient_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 11 * ls_tensor_count (out);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint x = op->in[0], dy = ls_plan_builder_delta_of (b, op->out[0]);
  g_autofree char *right = g_strdup_printf ("%s ⊙ gelu′(%s)", ls_plan_builder_symbol (b, dy),
                                            ls_plan_builder_symbol (b, x));

  return ls_plan_builder_delta (b, &ls_op_gelu_grad, (guint[]){ dy, x }, (LsOpAttr){ 0 }, x, right, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1 } } },          { .in = { { 1, 1 } } },          { .in = { { 7, 13 } } },
  { .in = { { 16, 64 } } },     { .in = { { 33, 65 } } },        { .in = { { 3, 4097 } } },
  { .in = { { 2, 3, 5, 7 } } }, { .in = { { 3, 16, 14, 14 } } },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1 }, { 1 } } },
  { .in = { { 1, 1 }, { 1, 1 } } },
  { .in = { { 7, 13 }, { 7, 13 } } },
  { .in = { { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 } } },
  { .in = { { 3, 4097 }, { 3, 4097 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 } } },
  { .in = { { 3, 16, 14, 14 }, { 3, 16, 14, 14 } } },
};

const LsOpClass ls_op_gelu = {
  .name = "gelu",
  .formula = "Y = X·Φ(X) = X·(1 + erf (X/√2))/2",
  .n_in = 1,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = ls_shape_rule_one,
  .flops = flops,
  LS_REFS (gelu),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_gelu_grad = {
  .name = "gelu_grad",
  .formula = "dX = dY·(Φ(X) + X·e^(−X²/2)/√(2π))",
  .n_in = 2,
  .n_out = 1,
  .elementwise = TRUE,
  .in_place = LS_OUT_OF_PLACE,
  .shape = ls_shape_rule_two,
  .flops = gradient_flops,
  LS_REFS (gelu_grad),
  .tests = gradient_tests,
  .n_tests = G_N_ELEMENTS (gradient_tests),
};
#endif
