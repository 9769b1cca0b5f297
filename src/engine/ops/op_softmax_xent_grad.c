/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax_xent_grad: the gradient of the mean cross-entropy with respect to the logits, from the
 * probabilities: dY = (P − onehot(label)) / B, times the loss's scale, where there is one
 * (core/loss_scale.h).
 */
#include "ops/real.h"

void
LS_REF (softmax_xent_grad) (const LsOpCall *call)
{
  const gint64 batch = call->in_tensor[0]->shape[0], classes = call->in_tensor[0]->shape[1];
  const real *p = call->in[0];
  const gint32 *labels = call->in[1];
  const real scale = (real) ls_hyper_factor (call->hyper);
  real *dy = call->out[0];

  for (gint64 b = 0; b < batch; b++)
    for (gint64 j = 0; j < classes; j++)
      dy[b * classes + j] = (p[b * classes + j] - (j == labels[b] ? 1 : 0)) / (real) batch * scale;
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  LsTensor rows = { .name = "rows" };

  return ls_shape_rank (in[0], 2, error) && ls_shape_set (&rows, 1, in[0]->shape, error)
         && ls_shape_same (in[1], &rows, error) && ls_shape_copy (out, in[0]);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 2 * ls_tensor_count (out);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1 }, { 1 } } },    { .in = { { 1, 2 }, { 1 } } },      { .in = { { 7, 3 }, { 7 } } },
  { .in = { { 16, 10 }, { 16 } } }, { .in = { { 127, 10 }, { 127 } } }, { .in = { { 5, 65 }, { 5 } } },
  { .in = { { 3, 257 }, { 3 } } },
};

const LsOpClass ls_op_softmax_xent_grad = {
  .name = "softmax_xent_grad",
  .formula = "dY = (P − onehot (label)) / B",
  .n_in = 2,
  .n_out = 1,
  .wide_in = 1 << 0,
  .in_place = LS_OUT_OF_PLACE,
  .in_dtype = { LS_F32, LS_I32 },
  .shape = shape,
  .flops = flops,
  LS_REFS (softmax_xent_grad),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
