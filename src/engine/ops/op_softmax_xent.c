/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * softmax_xent: logits Y [B, N], labels [B] → probabilities P [B, N] and each sample's cross-entropy [B].
 *   P = e^(Y − max) / Σ e^(Y − max),  loss = log Σ e^(Y − max) + max − Y[label]
 * Subtracting the row's maximum changes neither, but keeps e^ from overflowing; taking the loss from the
 * logarithm of the sum, not of P, keeps it finite where P underflows. Labels lie in 0 … N−1: the data set has
 * checked them.
 */
#include "ops/real.h"

void
LS_REF (softmax_xent) (const LsOpCall *call)
{
  const gint64 batch = call->in_tensor[0]->shape[0], classes = call->in_tensor[0]->shape[1];
  const real *logits = call->in[0];
  const gint32 *labels = call->in[1];
  real *probs = call->out[0], *losses = call->out[1];

  for (gint64 b = 0; b < batch; b++)
    {
      const real *y = logits + b * classes;
      real *p = probs + b * classes;
      real max = y[0];
      double sum = 0;

      for (gint64 j = 1; j < classes; j++)
        max = y[j] > max ? y[j] : max;
      for (gint64 j = 0; j < classes; j++)
        {
          p[j] = LS_REAL (exp) (y[j] - max);
          sum += (double) p[j];
        }
      for (gint64 j = 0; j < classes; j++)
        p[j] = (real) ((double) p[j] / sum);
      losses[b] = (real) (log (sum) + (double) (max - y[labels[b]]));
    }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  if (!ls_shape_rank (in[0], 2, error) || !ls_shape_set (&out[1], 1, in[0]->shape, error))
    return FALSE;
  return ls_shape_same (in[1], &out[1], error) && ls_shape_copy (&out[0], in[0]);
}

/* Per logit: compare, subtract, exp, add, divide. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 5 * ls_tensor_count (in[0]);
}

/* The gradient of the losses' mean: the `mean` after this op is part of softmax_xent_grad, and has none
 * itself. */
static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint in[2] = { op->out[0], op->in[1] };
  g_autofree char *right = g_strdup_printf ("(%s − onehot(%s))/B", ls_plan_builder_symbol (b, in[0]),
                                            ls_plan_builder_symbol (b, in[1]));

  return ls_plan_builder_delta (b, &ls_op_softmax_xent_grad, in, (LsOpAttr){ 0 }, op->in[0], right, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1 }, { 1 } } },    { .in = { { 1, 2 }, { 1 } } },      { .in = { { 7, 3 }, { 7 } } },
  { .in = { { 16, 10 }, { 16 } } }, { .in = { { 127, 10 }, { 127 } } }, { .in = { { 5, 65 }, { 5 } } },
  { .in = { { 3, 257 }, { 3 } } },
};

const LsOpClass ls_op_softmax_xent = {
  .name = "softmax_xent",
  .formula = "P = softmax Y; loss = log Σ exp (Y − max) + max − Y[label]",
  .n_in = 2,
  .n_out = 2,
  .wide_out = 1 << 0,
  .in_place = LS_OUT_OF_PLACE,
  .in_dtype = { LS_F32, LS_I32 },
  .shape = shape,
  .flops = flops,
  LS_REFS (softmax_xent),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
