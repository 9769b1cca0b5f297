/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * avgpool2d: X [B, C, H, W] → Y [B, C, H′, W′], the mean of each K×K window; windows lie side by side, and
 * what doesn't fit at the right and bottom is left out: PyTorch's AvgPool2d (K). The sum of a window is added
 * up in reading order and divided once, on all lanes alike. avgpool2d_grad: each element of dX is its
 * window's dY / K²; of none, 0.
 */
#include "ops/real.h"

void
LS_REF (avgpool2d) (const LsOpCall *call)
{
  const gint64 kernel = call->op->attr.kernel;
  const gint64 *xs = call->in_tensor[0]->shape, *ys = call->out_tensor[0]->shape;
  const real *x = call->in[0];
  real *y = call->out[0];

  for (gint64 plane = 0; plane < ys[0] * ys[1]; plane++)
    for (gint64 r = 0; r < ys[2]; r++)
      for (gint64 s = 0; s < ys[3]; s++)
        {
          double sum = 0;
          for (gint64 u = 0; u < kernel; u++)
            for (gint64 v = 0; v < kernel; v++)
              sum += (double) x[(plane * xs[2] + r * kernel + u) * xs[3] + s * kernel + v];
          *y++ = (real) (sum / (double) (kernel * kernel));
        }
}

void
LS_REF (avgpool2d_grad) (const LsOpCall *call)
{
  const gint64 kernel = call->op->attr.kernel;
  const gint64 *ys = call->in_tensor[0]->shape, *xs = call->out_tensor[0]->shape;
  const real *dy = call->in[0];
  real *dx = call->out[0];

  for (gint64 plane = 0; plane < xs[0] * xs[1]; plane++)
    for (gint64 h = 0; h < xs[2]; h++)
      for (gint64 w = 0; w < xs[3]; w++)
        {
          const gint64 r = h / kernel, s = w / kernel;
          *dx++ = r < ys[2] && s < ys[3] ? dy[(plane * ys[2] + r) * ys[3] + s] / (real) (kernel * kernel) : 0;
        }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_pool ("avgpool", in[0], attr, out, error);
}

static gboolean
gradient_shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  LsTensor y = { .name = "Y" };

  return shape (&in[1], attr, &y, error) && ls_shape_same (in[0], &y, error) && ls_shape_copy (out, in[1]);
}

/* Of a window: K² − 1 additions and a division. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out) * attr->kernel * attr->kernel;
}

static gint64
gradient_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (in[0]);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint x = op->in[0], dy = ls_plan_builder_delta_of (b, op->out[0]);
  const LsOpAttr attr = { .kernel = op->attr.kernel, .stride = op->attr.stride };
  g_autofree char *right = g_strdup_printf ("avgpool′(%s)", ls_plan_builder_symbol (b, dy));

  return ls_plan_builder_delta (b, &ls_op_avgpool2d_grad, (guint[]){ dy, x }, attr, x, right, error);
}

/* clang-format off */
#define WINDOW(k) .attr = { .kernel = k, .stride = k }
/* clang-format on */

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 } }, WINDOW (1) },    { .in = { { 1, 1, 2, 2 } }, WINDOW (2) },
  { .in = { { 3, 16, 28, 28 } }, WINDOW (2) }, { .in = { { 2, 3, 7, 5 } }, WINDOW (2) },
  { .in = { { 2, 3, 9, 11 } }, WINDOW (2) },   { .in = { { 2, 3, 7, 9 } }, WINDOW (3) },
  { .in = { { 1, 2, 11, 13 } }, WINDOW (5) },  { .in = { { 1, 17, 6, 5 } }, WINDOW (1) },
  { .in = { { 2, 3, 17, 17 } }, WINDOW (17) }, { .in = { { 1, 31, 8, 31 } }, WINDOW (2) },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, WINDOW (1) },
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 2, 2 } }, WINDOW (2) },
  { .in = { { 3, 16, 14, 14 }, { 3, 16, 28, 28 } }, WINDOW (2) },
  { .in = { { 2, 3, 3, 2 }, { 2, 3, 7, 5 } }, WINDOW (2) },
  { .in = { { 2, 3, 4, 5 }, { 2, 3, 9, 11 } }, WINDOW (2) },
  { .in = { { 2, 3, 2, 3 }, { 2, 3, 7, 9 } }, WINDOW (3) },
  { .in = { { 1, 2, 2, 2 }, { 1, 2, 11, 13 } }, WINDOW (5) },
  { .in = { { 1, 17, 6, 5 }, { 1, 17, 6, 5 } }, WINDOW (1) },
  { .in = { { 2, 3, 1, 1 }, { 2, 3, 17, 17 } }, WINDOW (17) },
  { .in = { { 1, 31, 4, 15 }, { 1, 31, 8, 31 } }, WINDOW (2) },
};

const LsOpClass ls_op_avgpool2d = {
  .name = "avgpool2d",
  .formula = "Y[b,c,r,s] = Σ X[b,c,r·K+u,s·K+v] / K²",
  .n_in = 1,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (avgpool2d),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_avgpool2d_grad = {
  .name = "avgpool2d_grad",
  .formula = "dX[b,c,h,w] = dY[b,c,⌊h/K⌋,⌊w/K⌋] / K², 0 outside all windows",
  .n_in = 2,
  .n_out = 1,
  .shape_only = 1 << 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = gradient_shape,
  .flops = gradient_flops,
  LS_REFS (avgpool2d_grad),
  .tests = gradient_tests,
  .n_tests = G_N_ELEMENTS (gradient_tests),
};
#endif
