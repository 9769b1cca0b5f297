/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles of the convolution and of its two gradients without columns (direct.h), where windows move by one
 * pixel and, towards the weights, outputs fill the vectors: the rest is conv2d.c's. Tiles are cut as there,
 * and each rectangle of the followers is a strip of an image that is still in the cache.
 */
#include "config.h"
#include "backends/cpu/direct.h"
#include "backends/cpu/kernel.h"

/* Y from X. */
static gboolean
forward (LsDirect *d, const LsTensor *x, const LsTensor *y, const LsOpAttr *attr)
{
  return ls_direct_init (d, NULL, x, y, attr->kernel, attr->stride, attr->pad);
}

/* dX from dY: as many zeros around dY as a kernel needs that only just touches it, less those that X had. */
static gboolean
backward (LsDirect *d, const LsTensor *dy, const LsTensor *dx, const LsOpAttr *attr)
{
  return ls_direct_init (d, NULL, dy, dx, attr->kernel, attr->stride, attr->kernel - 1 - attr->pad);
}

static gboolean
gradient (LsDirect *d, const LsTensor *x, const LsTensor *dy, const LsOpAttr *attr)
{
  return ls_direct_gradient_init (d, NULL, x, dy, attr->kernel, attr->stride, attr->pad);
}

/* What conv2d and conv2d_dx share: the tile's outputs of each of its images, strip by strip, the weights
 * being ready. */
static void
make_images (const LsCpuStage *stage, const LsDirect *d, const LsCpuTile *t, float *scratch)
{
  const gint64 plane = d->out_height * d->out_width, in_image = d->channels * d->height * d->width;
  const gint64 first = t->col / plane, end = (t->col + t->cols) / plane;
  const LsCpuStage *pool = stage->pooled.by_this;
  const float *planes = stage->call.in[0];

  for (gint64 b = first; b < end; b++)
    {
      const gint64 at = ((pool != NULL ? first : b) * d->outputs + t->row) * plane;

      if (b + 1 < end)
        ls_direct_fetch (planes + (b + 1) * in_image, in_image);
      for (gint64 r0 = 0; r0 < d->out_height; r0 += d->strip)
        {
          const gint64 n = MIN (d->strip, d->out_height - r0);
          ls_direct_rows (d, planes + b * in_image, r0, n, t->rows, stage->target + at, scratch);
          ls_cpu_followers (stage, (LsCpuRect){ at + r0 * d->out_width, t->rows, n * d->out_width, plane });
        }
      if (pool != NULL)
        ls_cpu_pool_planes (pool, stage->target + at, b * d->outputs + t->row, t->rows);
    }
}

void
ls_cpu_tile_direct (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  LsDirect d;

  forward (&d, stage->call.in_tensor[0], stage->call.out_tensor[0], &stage->call.op->attr);
  ls_direct_weights (&d, stage->call.in[1], t.row, t.rows, scratch);
  make_images (stage, &d, &t, scratch);
}

void
ls_cpu_tile_direct_dx (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  LsDirect d;

  backward (&d, stage->call.in_tensor[0], stage->call.out_tensor[0], &stage->call.op->attr);
  ls_direct_turned_weights (&d, stage->call.in[1], t.row, t.rows, scratch);
  make_images (stage, &d, &t, scratch);
}

/* Images first … end − 1, at least one, whose dY is made where the first one's lies, and read there. */
static void
add_unpooled (const LsCpuStage *stage, const LsDirect *d, const LsCpuTile *t, gint64 first, gint64 end,
              float *dw, float *scratch)
{
  const gint64 plane = d->out_height * d->out_width, in_image = d->channels * d->height * d->width;
  const LsCpuStage *gradient = stage->pooled.by_this;
  float *dy = gradient->target + first * d->outputs * plane;

  for (gint64 b = first; b < end; b++)
    {
      ls_cpu_unpool_planes (gradient, b * d->outputs + t->row, t->rows, dy + t->row * plane);
      ls_direct_gradient (d, (const float *) stage->call.in[1] + b * in_image, dy, 0, 1, t->row, t->rows,
                          (b - first) * plane, b + 1 < end, stage->rung->columns->add, dw, scratch);
    }
}

void
ls_cpu_tile_direct_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsTensor *x = stage->call.in_tensor[1], *dy = stage->call.in_tensor[0];
  const gint64 n = stage->tiling.cols, at = t.row * n, batch = x->shape[0], splits = stage->tiling.splits;
  float *dw = (splits > 1 ? stage->parts + t.split * stage->tiling.rows * n : stage->target) + at;
  LsDirect d;

  gradient (&d, x, dy, &stage->call.op->attr);
  if (stage->pooled.by_this != NULL)
    add_unpooled (stage, &d, &t, batch * t.split / splits, batch * (t.split + 1) / splits, dw, scratch);
  else
    ls_direct_gradient (&d, stage->call.in[1], stage->call.in[0], batch * t.split / splits,
                        batch * (t.split + 1) / splits, t.row, t.rows, stage->sum_before, stage->sum_goes_on,
                        stage->rung->columns->add, dw, scratch);
  if (splits == 1)
    ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, n });
}

/* ---- whether, and with how much scratch ---- */

gboolean
ls_cpu_fits_direct (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  return forward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr);
}

gboolean
ls_cpu_fits_direct_dx (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  return backward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr);
}

gboolean
ls_cpu_fits_direct_by_outputs (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  return forward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr) && d.by_outputs;
}

gboolean
ls_cpu_fits_direct_dx_by_outputs (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  return backward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr) && d.by_outputs;
}

gboolean
ls_cpu_fits_direct_dw (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  return gradient (&d, &plan->tensors[op->in[1]], &plan->tensors[op->in[0]], &op->attr);
}

gsize
ls_cpu_scratch_direct (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  forward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr);
  return ls_direct_size (&d);
}

gsize
ls_cpu_scratch_direct_dx (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  backward (&d, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]], &op->attr);
  return ls_direct_size (&d);
}

gsize
ls_cpu_scratch_direct_dw (const LsOp *op, const LsPlan *plan)
{
  LsDirect d;
  gradient (&d, &plan->tensors[op->in[1]], &plan->tensors[op->in[0]], &op->attr);
  return ls_direct_gradient_size (&d);
}
