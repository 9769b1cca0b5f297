/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d: X [B, I, H, W] and kernels W [O, I, K, K] → [B, O, H′, W′], H′ = ⌊(H + 2·pad − K) / stride⌋ + 1.
 * As in PyTorch it is a cross-correlation: the kernel isn't flipped. Positions outside X count as zero.
 */
#include "ops/real.h"

void
LS_REF (conv2d) (const LsOpCall *call)
{
  const LsOpAttr *attr = &call->op->attr;
  const gint64 kernel = attr->kernel, stride = attr->stride, pad = attr->pad;
  const gint64 *xs = call->in_tensor[0]->shape, *ys = call->out_tensor[0]->shape;
  const gint64 channels = xs[1], height = xs[2], width = xs[3];
  const real *x = call->in[0], *w = call->in[1];
  real *y = call->out[0];

  for (gint64 b = 0; b < ys[0]; b++)
    for (gint64 o = 0; o < ys[1]; o++)
      for (gint64 r = 0; r < ys[2]; r++)
        for (gint64 s = 0; s < ys[3]; s++)
          {
            double sum = 0;
            for (gint64 i = 0; i < channels; i++)
              for (gint64 u = 0; u < kernel; u++)
                for (gint64 v = 0; v < kernel; v++)
                  {
                    gint64 h = r * stride + u - pad, c = s * stride + v - pad;
                    if (h >= 0 && h < height && c >= 0 && c < width)
                      sum += (double) x[((b * channels + i) * height + h) * width + c]
                             * (double) w[((o * channels + i) * kernel + u) * kernel + v];
                  }
            *y++ = (real) sum;
          }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_conv (in[0], in[1], attr, out, error);
}

/* Multiplications with padding are counted, too: the usual convention, and what an implicit GEMM does. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 2 * attr->m * attr->n * attr->k;
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint x = op->in[0], w = op->in[1], dy = ls_plan_builder_delta_of (b, op->out[0]);
  LsOpAttr attr = { .kernel = op->attr.kernel, .stride = op->attr.stride, .pad = op->attr.pad };
  g_autofree char *dx_text = g_strdup_printf ("convᵀ(%s, %s)", ls_plan_builder_symbol (b, dy),
                                              ls_plan_builder_symbol (b, w));
  g_autofree char *dw_text = g_strdup_printf ("%s ∗ %s", ls_plan_builder_symbol (b, x),
                                              ls_plan_builder_symbol (b, dy));

  return ls_plan_builder_delta (b, &ls_op_conv2d_dx, (guint[]){ dy, w, x }, attr, x, dx_text, error)
         && ls_plan_builder_delta (b, &ls_op_conv2d_dw, (guint[]){ dy, x }, attr, w, dw_text, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 3, 5, 7 }, { 5, 3, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 2, 7, 6 }, { 3, 2, 1, 1 } }, .attr = { .kernel = 1, .stride = 2 } },
  { .in = { { 1, 1, 3, 3 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 2, 3, 7, 5 }, { 4, 3, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 3, 1, 28, 28 }, { 16, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 16, 14, 14 }, { 17, 16, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 2, 8, 9 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 3, .stride = 2, .pad = 1 } },
  { .in = { { 2, 2, 8, 8 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 3, .stride = 3 } },
  { .in = { { 1, 2, 2, 2 }, { 3, 2, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 2 } },
  { .in = { { 2, 3, 9, 11 }, { 5, 3, 5, 5 } }, .attr = { .kernel = 5, .stride = 1, .pad = 2 } },
  { .in = { { 2, 3, 10, 9 }, { 7, 3, 5, 5 } }, .attr = { .kernel = 5, .stride = 2 } },
  { .in = { { 1, 2, 13, 12 }, { 3, 2, 5, 5 } }, .attr = { .kernel = 5, .stride = 3, .pad = 4 } },
  { .in = { { 1, 3, 17, 15 }, { 33, 3, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 5, 7, 4, 4 }, { 65, 7, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
};

const LsOpClass ls_op_conv2d = {
  .name = "conv2d",
  .formula = "Y[b,o,r,s] = Σ X[b,i,r·stride+u−pad,s·stride+v−pad]·W[o,i,u,v]",
  .n_in = 2,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (conv2d),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
