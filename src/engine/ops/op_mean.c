/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mean: of the per-sample losses [B] → the step's loss [1], summed in the order of memory. Its gradient is
 * part of softmax_xent_grad.
 */
#include "ops/real.h"

void
LS_REF (mean) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *x = call->in[0];
  real *mean = call->out[0];
  double sum = 0;

  for (gint64 i = 0; i < count; i++)
    sum += (double) x[i];
  *mean = (real) (sum / (double) count);
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_set (out, 1, (gint64[]){ 1 }, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (in[0]);
}

static const LsOpTest tests[] = {
  { .in = { { 1 } } },   { .in = { { 2 } } },    { .in = { { 7 } } },
  { .in = { { 127 } } }, { .in = { { 1025 } } },
};

const LsOpClass ls_op_mean = {
  .name = "mean",
  .formula = "L = Σ losses / B",
  .n_in = 1,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (mean),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
