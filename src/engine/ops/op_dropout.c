/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dropout (Srivastava et al. 2014; PyTorch's Dropout): in training Y = X ⊙ M, where M is 0 with probability P
 * and 1/(1 − P) otherwise; at any other time Y = X. M is kept for the way back, dX = dY ⊙ M, and not made
 * anew there: then one op alone needs seed and step, any op can be run by itself on what a step has left
 * (comparison, finer cut), and a recording shows the mask. Which elements it is: ops/dropout.h.
 */
#include "ops/dropout.h"
#include "ops/real.h"

void
LS_REF (dropout) (const LsOpCall *call)
{
  const LsOpAttr *attr = &call->op->attr;
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const gboolean off = ls_dropout_is_off (call->hyper);
  const real scale = (real) (1 / (1 - attr->rate)), *x = call->in[0];
  real *y = call->out[0], *mask = call->out[1];

  for (gint64 i = 0; i < count; i++)
    {
      mask[i] = off ? 1 : ls_dropout_number (call->hyper, attr, i) >= attr->threshold ? scale : 0;
      y[i] = x[i] * mask[i];
    }
}

void
LS_REF (dropout_grad) (const LsOpCall *call)
{
  const gint64 count = ls_tensor_count (call->in_tensor[0]);
  const real *dy = call->in[0], *mask = call->in[1];
  real *dx = call->out[0];

  for (gint64 i = 0; i < count; i++)
    dx[i] = dy[i] * mask[i];
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  attr->threshold = (guint32) floor (attr->rate * 0x1p32);
  attr->scale = (float) (1 / (1 - attr->rate));
  return ls_shape_rule_map (1, 2, in, out, error);
}

/* A multiplication each: random numbers are whole ones. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint dy = ls_plan_builder_delta_of (b, op->out[0]), mask = op->out[1];
  g_autofree char *right = g_strdup_printf ("%s ⊙ %s", ls_plan_builder_symbol (b, dy),
                                            ls_plan_builder_symbol (b, mask));

  return ls_plan_builder_delta (b, &ls_op_dropout_grad, (guint[]){ dy, mask }, (LsOpAttr){ 0 }, op->in[0],
                                right, error);
}

/* None, nearly all, several; around the 64 elements that belong together, and a packed work-item's 4096. */
static const LsOpTest tests[] = {
  { .in = { { 1 } }, .attr = { .rate = 0.5 } },
  { .in = { { 1, 1 } }, .attr = { .rate = 0 } },
  { .in = { { 7, 13 } }, .attr = { .rate = 0.25 } },
  { .in = { { 1, 63 } }, .attr = { .rate = 0.1, .number = 1 } },
  { .in = { { 16, 64 } }, .attr = { .rate = 0.5, .number = 2 } },
  { .in = { { 33, 65 } }, .attr = { .rate = 0.999999 } },
  { .in = { { 1, 4097 } }, .attr = { .rate = 0.5 } },
  { .in = { { 2, 3, 5, 7 } }, .attr = { .rate = 0.3 } },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1 }, { 1 } } },
  { .in = { { 7, 13 }, { 7, 13 } } },
  { .in = { { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 } } },
  { .in = { { 3, 4097 }, { 3, 4097 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 } } },
};

const LsOpClass ls_op_dropout = {
  .name = "dropout",
  .formula = "Y = X ⊙ M, M = 0 with probability P, else 1/(1 − P)",
  .n_in = 1,
  .n_out = 2,
  .elementwise = TRUE,
  .wide_out = 1 << 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (dropout),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_dropout_grad = {
  .name = "dropout_grad",
  .formula = "dX = dY ⊙ M",
  .n_in = 2,
  .n_out = 1,
  .elementwise = TRUE,
  .wide_in = 1 << 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = ls_shape_rule_two,
  .flops = flops,
  LS_REFS (dropout_grad),
  .tests = gradient_tests,
  .n_tests = G_N_ELEMENTS (gradient_tests),
};
#endif
