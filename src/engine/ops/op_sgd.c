/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sgd: weights W, gradient G, velocity V; V ← μ·V + G, then W ← W − η·V, in place.
 * That is torch.optim.SGD without dampening, Nesterov or weight decay; μ = 0 is plain gradient descent.
 */
#include "ops/real.h"

void
LS_REF (sgd) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real lr = (real) call->hyper->lr, momentum = (real) call->hyper->momentum;
  const real *g = call->in[1];
  real *w = call->out[0], *v = call->out[1];

  for (gint64 i = 0; i < count; i++)
    {
      v[i] = momentum * v[i] + g[i];
      w[i] -= lr * v[i];
    }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (3, 2, in, out, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 4 * ls_tensor_count (out);
}

static const LsOpTest tests[] = {
  { .in = { { 1 }, { 1 }, { 1 } } },
  { .in = { { 10 }, { 10 }, { 10 } } },
  { .in = { { 257 }, { 257 }, { 257 } } },
  { .in = { { 16, 64 }, { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 }, { 33, 65 } } },
  { .in = { { 5, 3, 3, 3 }, { 5, 3, 3, 3 }, { 5, 3, 3, 3 } } },
};

const LsOpClass ls_op_sgd = {
  .name = "sgd",
  .formula = "V = μ·V + G; W = W − η·V",
  .n_in = 3,
  .n_out = 2,
  .elementwise = TRUE,
  .epilogue_input = 1,
  .in_place = { 0, 2, -1, -1 },
  .shape = shape,
  .flops = flops,
  LS_REFS (sgd),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
