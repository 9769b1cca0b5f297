/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bias_grad: db[c] = the sum of dY over samples and places, in the order of memory.
 */
#include "ops/real.h"

void
LS_REF (bias_grad) (const LsOpCall *call)
{
  const LsTensor *dy_tensor = call->in_tensor[0];
  const gint64 batch = dy_tensor->shape[0], channels = dy_tensor->shape[1];
  const gint64 plane = ls_tensor_inner (dy_tensor) / channels;
  const real *dy = call->in[0];
  real *db = call->out[0];

  for (gint64 c = 0; c < channels; c++)
    {
      double sum = 0;
      for (gint64 b = 0; b < batch; b++)
        for (gint64 i = 0; i < plane; i++)
          sum += (double) dy[(b * channels + c) * plane + i];
      db[c] = (real) sum;
    }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  if (in[0]->rank < 2 && !ls_shape_rank (in[0], 2, error))
    return FALSE;
  return ls_shape_set (out, 1, &in[0]->shape[1], error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (in[0]);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1 } } },       { .in = { { 1, 10 } } },       { .in = { { 127, 10 } } },
  { .in = { { 16, 65 } } },     { .in = { { 33, 31 } } },      { .in = { { 1, 1, 1, 1 } } },
  { .in = { { 2, 3, 5, 7 } } }, { .in = { { 5, 17, 4, 4 } } }, { .in = { { 3, 16, 28, 28 } } },
};

const LsOpClass ls_op_bias_grad = {
  .name = "bias_grad",
  .formula = "db[c] = Σ dY[b,c,h,w]",
  .n_in = 1,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (bias_grad),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
