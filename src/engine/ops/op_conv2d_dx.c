/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conv2d_dx: the gradient of conv2d with respect to its input: dY [B, O, H′, W′], W [O, I, K, K], X → dX like
 * X. X is there for its shape, its values aren't read: where the stride doesn't divide, dY's size doesn't
 * tell H and W.
 *
 * Written as a gather: each element of dX collects from the windows that covered it, in a fixed order, so
 * tiles of dX never write to the same place.
 */
#include "ops/real.h"

void
LS_REF (conv2d_dx) (const LsOpCall *call)
{
  const LsOpAttr *attr = &call->op->attr;
  const gint64 kernel = attr->kernel, stride = attr->stride, pad = attr->pad;
  const gint64 *ys = call->in_tensor[0]->shape, *xs = call->out_tensor[0]->shape;
  const gint64 outputs = ys[1], height = ys[2], width = ys[3], channels = xs[1];
  const real *dy = call->in[0], *w = call->in[1];
  real *dx = call->out[0];

  for (gint64 b = 0; b < xs[0]; b++)
    for (gint64 i = 0; i < channels; i++)
      for (gint64 h = 0; h < xs[2]; h++)
        for (gint64 c = 0; c < xs[3]; c++)
          {
            double sum = 0;
            for (gint64 o = 0; o < outputs; o++)
              for (gint64 u = 0; u < kernel; u++)
                for (gint64 v = 0; v < kernel; v++)
                  {
                    /* The window (r, s) whose element (u, v) lay on (h, c), if there is one. */
                    gint64 y = h + pad - u, x = c + pad - v;
                    if (y < 0 || x < 0 || y % stride != 0 || x % stride != 0)
                      continue;
                    gint64 r = y / stride, s = x / stride;
                    if (r < height && s < width)
                      sum += (double) dy[((b * outputs + o) * height + r) * width + s]
                             * (double) w[((o * channels + i) * kernel + u) * kernel + v];
                  }
            *dx++ = (real) sum;
          }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  const LsTensor *dy = in[0], *w = in[1], *x = in[2];
  LsTensor y = { .name = "Y" };

  return ls_shape_rule_conv (x, w, attr, &y, error) && ls_shape_same (dy, &y, error)
         && ls_shape_gemm (attr, x->shape[1], x->shape[0] * x->shape[2] * x->shape[3],
                           w->shape[0] * attr->kernel * attr->kernel, error)
         && ls_shape_copy (out, x);
}

/* The products of the forward convolution, each once: with a stride, most of the implicit GEMM's m·n·k meet
 * no window. */
static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 2 * ls_tensor_count (in[0]) * ls_tensor_inner (in[1]);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 5, 5, 7 }, { 5, 3, 1, 1 }, { 2, 3, 5, 7 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 2, 3, 4, 3 }, { 3, 2, 1, 1 }, { 2, 2, 7, 6 } }, .attr = { .kernel = 1, .stride = 2 } },
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 3, 3 }, { 1, 1, 3, 3 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 2, 4, 5, 3 }, { 4, 3, 3, 3 }, { 2, 3, 7, 5 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 2, 17, 14, 14 }, { 17, 16, 3, 3 }, { 2, 16, 14, 14 } },
    .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 2, 3, 4, 5 }, { 3, 2, 3, 3 }, { 2, 2, 8, 9 } },
    .attr = { .kernel = 3, .stride = 2, .pad = 1 } },
  { .in = { { 2, 3, 2, 2 }, { 3, 2, 3, 3 }, { 2, 2, 8, 8 } }, .attr = { .kernel = 3, .stride = 3 } },
  { .in = { { 1, 3, 4, 4 }, { 3, 2, 3, 3 }, { 1, 2, 2, 2 } },
    .attr = { .kernel = 3, .stride = 1, .pad = 2 } },
  { .in = { { 2, 5, 9, 11 }, { 5, 3, 5, 5 }, { 2, 3, 9, 11 } },
    .attr = { .kernel = 5, .stride = 1, .pad = 2 } },
  { .in = { { 2, 7, 3, 3 }, { 7, 3, 5, 5 }, { 2, 3, 10, 9 } }, .attr = { .kernel = 5, .stride = 2 } },
  { .in = { { 1, 3, 6, 6 }, { 3, 2, 5, 5 }, { 1, 2, 13, 12 } },
    .attr = { .kernel = 5, .stride = 3, .pad = 4 } },
  { .in = { { 1, 3, 17, 15 }, { 3, 33, 3, 3 }, { 1, 33, 17, 15 } },
    .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  { .in = { { 5, 7, 4, 4 }, { 7, 65, 3, 3 }, { 5, 65, 4, 4 } },
    .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
};

const LsOpClass ls_op_conv2d_dx = {
  .name = "conv2d_dx",
  .formula = "dX[b,i,h,c] = Σ W[o,i,u,v]·dY[b,o,(h+pad−u)/stride,(c+pad−v)/stride]",
  .n_in = 3,
  .n_out = 1,
  .shape_only = 1 << 2,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (conv2d_dx),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
