/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles of the convolution and of its two gradients, each a matrix product over columns of pixels
 * (columns.h), for the shapes that conv2d_direct.c doesn't take:
 *
 *   conv2d      Y_b  = W · columns (X_b)              tile: output channels × images
 *   conv2d_dx   dX_b = W′ · turned columns (dY_b)     tile: input channels × images; W′: W, inputs first
 *   conv2d_dw   dW   = Σ_b dY_b · columns (X_b)ᵀ      tile: output channels; the sum over images may be split
 *
 * They add in the order in which every lane adds: ops/op.h. dW's sum goes on from image to image, a block of
 * LS_SUM_BLOCK windows at a time.
 */
#include "config.h"
#include "backends/cpu/columns.h"
#include "backends/cpu/kernel.h"

#define LANES 16 /* of the widest vectors */

static gint64
kernel_area (const LsColumns *c)
{
  return c->kernel * c->kernel;
}

/* OpenBLAS's rung has the loops do what they do as fast: its products can't go on with a sum. */
static LsGemmFunc
product_of (const LsCpuStage *stage)
{
  return stage->rung->blas ? ls_gemm_loops : stage->rung->product;
}

static LsColumns
columns_of (const LsTensor *x, const LsTensor *y, const LsOp *op)
{
  LsColumns c;
  ls_columns_init (&c, x, y, &op->attr);
  return c;
}

static LsColumns
turned_columns_of (const LsTensor *dy, const LsTensor *dx, const LsOp *op)
{
  LsColumns c;
  ls_columns_init_turned (&c, dy, dx, &op->attr);
  return c;
}

void
ls_cpu_tile_conv2d (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.in_tensor[0], stage->call.out_tensor[0], stage->call.op);
  const gint64 k = c.channels * kernel_area (&c), plane = c.out_height * c.out_width;
  const gint64 in_image = c.channels * c.height * c.width;
  const float *x = stage->call.in[0], *w = stage->call.in[1];

  for (gint64 b = t.col / plane; b < (t.col + t.cols) / plane; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), n = rows * c.out_width;
        const gint64 at = (b * c.outputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, x + b * in_image, c.channels, r0, rows, scratch);
        product_of (stage) (FALSE, FALSE, t.rows, n, k, w + t.row * k, k, scratch, n, LS_GEMM_NEW,
                            stage->target + at, plane);
        ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, plane });
      }
}

/* Rows first … first + rows − 1 of W′ [inputs, outputs · area], of W [outputs, inputs, area]. */
static void
inputs_first (const float *w, gint64 outputs, gint64 inputs, gint64 area, gint64 first, gint64 rows,
              float *to)
{
  for (gint64 i = first; i < first + rows; i++)
    for (gint64 o = 0; o < outputs; o++, to += area)
      memcpy (to, w + (o * inputs + i) * area, (gsize) area * sizeof (float));
}

void
ls_cpu_tile_conv2d_dx (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 inputs = stage->call.out_tensor[0]->shape[1];
  const LsColumns c = turned_columns_of (stage->call.in_tensor[0], stage->call.out_tensor[0], stage->call.op);
  const gint64 k = c.channels * kernel_area (&c), plane = c.out_height * c.out_width;
  const float *dy = stage->call.in[0];
  float *columns = scratch + t.rows * k;

  inputs_first (stage->call.in[1], c.channels, inputs, kernel_area (&c), t.row, t.rows, scratch);
  for (gint64 b = t.col / plane; b < (t.col + t.cols) / plane; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), n = rows * c.out_width;
        const gint64 at = (b * inputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, dy + b * c.channels * c.height * c.width, c.channels, r0, rows,
                                      columns);
        product_of (stage) (FALSE, FALSE, t.rows, n, k, scratch, k, columns, n, LS_GEMM_NEW,
                            stage->target + at, plane);
        ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, plane });
      }
}

/* Whether dWᵀ fills vectors better than dW, of so many rows and columns. */
static gboolean
better_turned (gint64 rows, gint64 cols)
{
  return (rows + LANES - 1) / LANES * cols <= (cols + LANES - 1) / LANES * rows;
}

void
ls_cpu_tile_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.in_tensor[1], stage->call.in_tensor[0], stage->call.op);
  const gint64 n = c.channels * kernel_area (&c), plane = c.out_height * c.out_width, at = t.row * n;
  const gint64 in_image = c.channels * c.height * c.width, splits = stage->tiling.splits, count = t.rows * n;
  const gboolean turned = better_turned (t.rows, n);
  const float *dy = stage->call.in[0], *x = stage->call.in[1];
  float *dw = (splits > 1 ? stage->parts + t.split * c.outputs * n : stage->target) + at;
  float *columns = scratch + 2 * count;
  LsCpuSum sum = { scratch, scratch + count, count, stage->rung->columns->add, 0 };

  ls_cpu_sum_begin (&sum, stage->sum_before);
  for (gint64 b = c.batch * t.split / splits; b < c.batch * (t.split + 1) / splits; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), k = rows * c.out_width;
        const float *dy_strip = dy + (b * c.outputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, x + b * in_image, c.channels, r0, rows, columns);
        for (gint64 first = 0, some; first < k; first += some)
          {
            some = ls_cpu_sum_room (&sum, k - first);
            if (turned)
              product_of (stage) (FALSE, TRUE, n, t.rows, some, columns + first, k, dy_strip + first, plane,
                                  LS_GEMM_GO_ON, sum.block, t.rows);
            else
              product_of (stage) (FALSE, TRUE, t.rows, n, some, dy_strip + first, plane, columns + first, k,
                                  LS_GEMM_GO_ON, sum.block, n);
            ls_cpu_sum_added (&sum, some);
          }
      }
  if (stage->sum_goes_on)
    return;
  ls_cpu_sum_end (&sum);
  for (gint64 o = 0; o < t.rows; o++)
    for (gint64 i = 0; i < n; i++)
      dw[o * n + i] = sum.total[turned ? i * t.rows + o : o * n + i];
  if (splits == 1)
    ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, n });
}

void
ls_cpu_join_conv2d_dw (const LsCpuStage *stage, gint64 first, gint64 count)
{
  const gint64 size = stage->tiling.rows * stage->tiling.cols;
  float *dw = stage->target + first;

  memcpy (dw, stage->parts + first, (gsize) count * sizeof (float));
  for (guint split = 1; split < stage->tiling.splits; split++)
    stage->rung->columns->add (dw, stage->parts + split * size + first, count);
  ls_cpu_followers (stage, (LsCpuRect){ first, 1, count, count });
}

gsize
ls_cpu_scratch_conv2d (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = columns_of (&plan->tensors[op->in[0]], &plan->tensors[op->out[0]], op);
  return (gsize) ls_columns_size (&c, c.channels);
}

gsize
ls_cpu_scratch_conv2d_dx (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = turned_columns_of (&plan->tensors[op->in[0]], &plan->tensors[op->out[0]], op);
  return (gsize) (op->attr.m * op->attr.k + ls_columns_size (&c, c.channels));
}

gsize
ls_cpu_scratch_conv2d_dw (const LsOp *op, const LsPlan *plan)
{
  const LsColumns c = columns_of (&plan->tensors[op->in[1]], &plan->tensors[op->in[0]], op);
  return (gsize) (2 * op->attr.m * op->attr.n + ls_columns_size (&c, c.channels));
}
