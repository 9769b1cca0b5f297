/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d_dw: the gradient of conv2d with respect to its kernels: dY [B, O, H′, W′], X [B, I, H, W] → dW [O,
 * I, K, K]. The sum runs over all samples and windows: the longest of all sums of a step.
 */
#include "ops/real.h"

void
LS_REF (conv2d_dw) (const LsOpCall *call)
{
  const LsOpAttr *attr = &call->op->attr;
  const gint64 kernel = attr->kernel, stride = attr->stride, pad = attr->pad;
  const gint64 *ys = call->in_tensor[0]->shape, *xs = call->in_tensor[1]->shape;
  const gint64 outputs = ys[1], channels = xs[1], height = xs[2], width = xs[3];
  const real *dy = call->in[0], *x = call->in[1];
  real *dw = call->out[0];

  for (gint64 o = 0; o < outputs; o++)
    for (gint64 i = 0; i < channels; i++)
      for (gint64 u = 0; u < kernel; u++)
        for (gint64 v = 0; v < kernel; v++)
          {
            double sum = 0;
            for (gint64 b = 0; b < ys[0]; b++)
              for (gint64 r = 0; r < ys[2]; r++)
                for (gint64 s = 0; s < ys[3]; s++)
                  {
                    gint64 h = r * stride + u - pad, c = s * stride + v - pad;
                    if (h >= 0 && h < height && c >= 0 && c < width)
                      sum += (double) dy[((b * outputs + o) * ys[2] + r) * ys[3] + s]
                             * (double) x[((b * channels + i) * height + h) * width + c];
                  }
            *dw++ = (real) sum;
          }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  const LsTensor *dy = in[0], *x = in[1];
  LsTensor y = { .name = "Y" };

  if (!ls_shape_rank (dy, 4, error) || !ls_shape_rank (x, 4, error))
    return FALSE;
  return ls_shape_set (out, 4, (gint64[]){ dy->shape[1], x->shape[1], attr->kernel, attr->kernel }, error)
         && ls_shape_rule_conv (x, out, attr, &y, error) && ls_shape_same (dy, &y, error)
         && ls_shape_gemm (attr, dy->shape[1], x->shape[1] * attr->kernel * attr->kernel,
                           dy->shape[0] * dy->shape[2] * dy->shape[3], error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 2 * attr->m * attr->n * attr->k;
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 5, 5, 7 }, { 2, 3, 5, 7 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 3, 4, 3 }, { 2, 2, 7, 6 } }, .attr = { .kernel = 1, .stride = 2 } },
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 2, 4, 5, 3 }, { 2, 3, 7, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 3, 16, 28, 28 }, { 3, 1, 28, 28 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 17, 14, 14 }, { 2, 16, 14, 14 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 3, 4, 5 }, { 2, 2, 8, 9 } }, .attr = { .kernel = 3, .stride = 2, .pad = 1 } },
  { .in = { { 2, 3, 2, 2 }, { 2, 2, 8, 8 } }, .attr = { .kernel = 3, .stride = 3 } },
  { .in = { { 1, 3, 4, 4 }, { 1, 2, 2, 2 } }, .attr = { .kernel = 3, .stride = 1, .pad = 2 } },
  { .in = { { 2, 5, 9, 11 }, { 2, 3, 9, 11 } }, .attr = { .kernel = 5, .stride = 1, .pad = 2 } },
  { .in = { { 2, 7, 3, 3 }, { 2, 3, 10, 9 } }, .attr = { .kernel = 5, .stride = 2 } },
  { .in = { { 1, 3, 6, 6 }, { 1, 2, 13, 12 } }, .attr = { .kernel = 5, .stride = 3, .pad = 4 } },
  { .in = { { 1, 33, 17, 15 }, { 1, 3, 17, 15 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 5, 65, 4, 4 }, { 5, 7, 4, 4 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 1, 5, 3, 3 }, { 1, 4, 3, 3 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 3, 1, 1, 1 }, { 3, 16, 1, 1 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 33, 5, 7 }, { 2, 8, 7, 9 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 2, 5, 9, 11 }, { 2, 32, 7, 9 } }, .attr = { .kernel = 3, .stride = 1, .pad = 2 } },
};

const LsOpClass ls_op_conv2d_dw = {
  .name = "conv2d_dw",
  .formula = "dW[o,i,u,v] = Σ dY[b,o,r,s]·X[b,i,r·stride+u−pad,s·stride+v−pad]",
  .n_in = 2,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (conv2d_dw),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
