/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * maxpool2d_grad: dY [B, C, H′, W′], the maxima's positions, X → dX like X. X is there for its shape, its
 * values aren't read. Each element of dX adds up dY of the windows whose maximum it was, in reading order: a
 * gather, so overlapping windows never write to the same place.
 */
#include "ops/real.h"

void
LS_REF (maxpool2d_grad) (const LsOpCall *call)
{
  const gint64 kernel = call->op->attr.kernel, stride = call->op->attr.stride;
  const gint64 *ys = call->in_tensor[0]->shape, *xs = call->out_tensor[0]->shape;
  const gint64 rows = ys[2], cols = ys[3], height = xs[2], width = xs[3];
  const real *dy = call->in[0];
  const gint32 *index = call->in[1];
  real *dx = call->out[0];

  for (gint64 plane = 0; plane < xs[0] * xs[1]; plane++)
    for (gint64 h = 0; h < height; h++)
      for (gint64 w = 0; w < width; w++)
        {
          /* The windows that cover (h, w). */
          gint64 first_r = h < kernel ? 0 : (h - kernel) / stride + 1;
          gint64 first_s = w < kernel ? 0 : (w - kernel) / stride + 1;
          double sum = 0;
          for (gint64 r = first_r; r < rows && r * stride <= h; r++)
            for (gint64 s = first_s; s < cols && s * stride <= w; s++)
              {
                gint64 window = (plane * rows + r) * cols + s;
                if (index[window] == h * width + w)
                  sum += (double) dy[window];
              }
          *dx++ = (real) sum;
        }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  const LsTensor *x = in[2];
  LsTensor y[2] = { { .name = "Y" }, { .name = "index" } };

  return ls_op_maxpool2d.shape (&x, attr, y, error) && ls_shape_same (in[0], &y[0], error)
         && ls_shape_same (in[1], &y[1], error) && ls_shape_copy (out, x);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (in[0]);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 3, 16, 14, 14 }, { 3, 16, 14, 14 }, { 3, 16, 28, 28 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 2, 3, 3, 2 }, { 2, 3, 3, 2 }, { 2, 3, 7, 5 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 2, 3, 2, 3 }, { 2, 3, 2, 3 }, { 2, 3, 7, 9 } }, .attr = { .kernel = 3, .stride = 3 } },
  { .in = { { 2, 3, 3, 4 }, { 2, 3, 3, 4 }, { 2, 3, 7, 9 } }, .attr = { .kernel = 3, .stride = 2 } },
  { .in = { { 2, 5, 6, 4 }, { 2, 5, 6, 4 }, { 2, 5, 8, 6 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 1, 2, 4, 4 }, { 1, 2, 4, 4 }, { 1, 2, 11, 13 } }, .attr = { .kernel = 2, .stride = 3 } },
  { .in = { { 1, 17, 2, 1 }, { 1, 17, 2, 1 }, { 1, 17, 6, 5 } }, .attr = { .kernel = 5, .stride = 1 } },
};

const LsOpClass ls_op_maxpool2d_grad = {
  .name = "maxpool2d_grad",
  .formula = "dX[b,c,h,w] = Σ dY[b,c,r,s] over windows whose maximum lay at (h,w)",
  .n_in = 3,
  .n_out = 1,
  .shape_only = 1 << 2,
  .in_place = LS_OUT_OF_PLACE,
  .in_dtype = { LS_F32, LS_I32, LS_F32 },
  .shape = shape,
  .flops = flops,
  LS_REFS (maxpool2d_grad),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
