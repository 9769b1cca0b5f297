/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * adam: weights W, gradient G, first and second moment M and V, all updated in place. Kingma, Ba, "Adam: a
 * method for stochastic optimization", ICLR 2015, algorithm 1, written as torch.optim.Adam computes it (no
 * weight decay): W ← W − η / (1 − β₁ᵗ) · M / (√V / √(1 − β₂ᵗ) + ε) The bias corrections depend on the step t,
 * from 1, and are computed in double.
 */
#include "ops/real.h"

void
LS_REF (adam) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const LsHyper *hyper = call->hyper;
  const real beta1 = (real) hyper->beta1, beta2 = (real) hyper->beta2, epsilon = (real) hyper->epsilon;
  const real rest1 = (real) (1 - hyper->beta1), rest2 = (real) (1 - hyper->beta2);
  const double updates = ls_hyper_updates (hyper);
  const real step_size = (real) (hyper->lr / (1 - pow (hyper->beta1, updates)));
  const real correction2 = (real) (1 / sqrt (1 - pow (hyper->beta2, updates)));
  const real *g = call->in[1];
  real *w = call->out[0], *m = call->out[1], *v = call->out[2];

  for (gint64 i = 0; i < count; i++)
    {
      m[i] = beta1 * m[i] + rest1 * g[i];
      v[i] = beta2 * v[i] + rest2 * g[i] * g[i];
      w[i] -= step_size * m[i] / (LS_REAL (sqrt) (v[i]) * correction2 + epsilon);
    }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_map (4, 3, in, out, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 13 * ls_tensor_count (out);
}

static const LsOpTest tests[] = {
  { .in = { { 1 }, { 1 }, { 1 }, { 1 } } },
  { .in = { { 10 }, { 10 }, { 10 }, { 10 } } },
  { .in = { { 257 }, { 257 }, { 257 }, { 257 } } },
  { .in = { { 16, 64 }, { 16, 64 }, { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 }, { 33, 65 }, { 33, 65 } } },
  { .in = { { 5, 3, 3, 3 }, { 5, 3, 3, 3 }, { 5, 3, 3, 3 }, { 5, 3, 3, 3 } } },
};

const LsOpClass ls_op_adam = {
  .name = "adam",
  .formula = "M = β₁·M + (1 − β₁)·G; V = β₂·V + (1 − β₂)·G²; W = W − η/(1 − β₁ᵗ)·M/(√V/√(1 − β₂ᵗ) + ε)",
  .n_in = 4,
  .n_out = 3,
  .elementwise = TRUE,
  .epilogue_input = 1,
  .in_place = { 0, 2, 3, -1 },
  .shape = shape,
  .flops = flops,
  LS_REFS (adam),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
