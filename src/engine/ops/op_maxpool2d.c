/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * maxpool2d: X [B, C, H, W] → Y [B, C, H′, W′], the maximum of each K×K window, and where in the plane it
 * lay, h·W + w, for the way back. Of equal maxima the first in reading order wins; a NaN beats every number
 * and the last NaN of a window wins: all as in PyTorch. Windows that don't fit at the right and bottom are
 * left out.
 */
#include "ops/real.h"

void
LS_REF (maxpool2d) (const LsOpCall *call)
{
  const gint64 kernel = call->op->attr.kernel, stride = call->op->attr.stride;
  const gint64 *xs = call->in_tensor[0]->shape, *ys = call->out_tensor[0]->shape;
  const gint64 height = xs[2], width = xs[3];
  const real *x = call->in[0];
  real *y = call->out[0];
  gint32 *index = call->out[1];

  for (gint64 plane = 0; plane < ys[0] * ys[1]; plane++)
    for (gint64 r = 0; r < ys[2]; r++)
      for (gint64 s = 0; s < ys[3]; s++)
        {
          const real *from = x + plane * height * width;
          gint64 best = r * stride * width + s * stride;
          for (gint64 u = 0; u < kernel; u++)
            for (gint64 v = 0; v < kernel; v++)
              {
                gint64 at = (r * stride + u) * width + s * stride + v;
                if (from[at] > from[best] || isnan (from[at]))
                  best = at;
              }
          *y++ = from[best];
          *index++ = (gint32) best;
        }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_rule_pool ("maxpool", in[0], attr, &out[0], error) && ls_shape_copy (&out[1], &out[0]);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out) * attr->kernel * attr->kernel;
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint x = op->in[0], dy = ls_plan_builder_delta_of (b, op->out[0]);
  LsOpAttr attr = { .kernel = op->attr.kernel, .stride = op->attr.stride };
  g_autofree char *right = g_strdup_printf ("unpool(%s, %s)", ls_plan_builder_symbol (b, dy),
                                            ls_plan_builder_symbol (b, op->out[1]));

  return ls_plan_builder_delta (b, &ls_op_maxpool2d_grad, (guint[]){ dy, op->out[1], x }, attr, x, right,
                                error);
}

static const LsOpTest tests[] = {
  { .in = { { 1, 1, 1, 1 } }, .attr = { .kernel = 1, .stride = 1 } },
  { .in = { { 1, 1, 2, 2 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 3, 16, 28, 28 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 2, 3, 7, 5 } }, .attr = { .kernel = 2, .stride = 2 } },
  { .in = { { 2, 3, 7, 9 } }, .attr = { .kernel = 3, .stride = 3 } },
  { .in = { { 2, 3, 7, 9 } }, .attr = { .kernel = 3, .stride = 2 } },
  { .in = { { 2, 5, 8, 6 } }, .attr = { .kernel = 3, .stride = 1 } },
  { .in = { { 1, 2, 11, 13 } }, .attr = { .kernel = 2, .stride = 3 } },
  { .in = { { 1, 17, 6, 5 } }, .attr = { .kernel = 5, .stride = 1 } },
};

const LsOpClass ls_op_maxpool2d = {
  .name = "maxpool2d",
  .formula = "Y[b,c,r,s] = max X[b,c,r·stride+u,s·stride+v]",
  .n_in = 1,
  .n_out = 2,
  .in_place = LS_OUT_OF_PLACE,
  .out_dtype = { LS_F32, LS_I32 },
  .shape = shape,
  .flops = flops,
  LS_REFS (maxpool2d),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
