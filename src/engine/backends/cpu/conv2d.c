/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles of the convolution and of its two gradients, each a matrix product over columns of pixels
 * (columns.h), for the shapes that conv2d_direct.c doesn't take:
 *
 *   conv2d      Y_b  = W · columns (X_b)            tile: output channels × images
 *   conv2d_dx   dX_b = columns⁻¹ (Wᵀ · dY_b)        tile: input channels × images
 *   conv2d_dw   dW   = Σ_b dY_b · columns (X_b)ᵀ    tile: output channels; the sum over images may be split
 *
 * A split sum is cut at images that follow from the shapes alone, and its parts are added up in their order,
 * so dW depends neither on the number of workers nor on who was quicker.
 */
#include "config.h"
#include "backends/cpu/columns.h"
#include "backends/cpu/kernel.h"

static gint64
kernel_area (const LsColumns *c)
{
  return c->kernel * c->kernel;
}

static LsColumns
columns_of (const LsTensor *x, const LsTensor *y, const LsOp *op)
{
  LsColumns c;
  ls_columns_init (&c, x, y, &op->attr);
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
        stage->rung->columns_product (FALSE, FALSE, t.rows, n, k, w + t.row * k, k, scratch, n, FALSE,
                                      stage->target + at, plane);
        ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, n, plane });
      }
}

void
ls_cpu_tile_conv2d_dx (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.out_tensor[0], stage->call.in_tensor[0], stage->call.op);
  const gint64 area = kernel_area (&c), in_plane = c.height * c.width, out_plane = c.out_height * c.out_width;
  const float *dy = stage->call.in[0], *w = (const float *) stage->call.in[1] + t.row * area;

  for (gint64 b = t.col / in_plane; b < (t.col + t.cols) / in_plane; b++)
    {
      const gint64 at = (b * c.channels + t.row) * in_plane;

      memset (stage->target + at, 0, (gsize) (t.rows * in_plane) * sizeof (float));
      for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
        {
          const gint64 rows = MIN (c.strip, c.out_height - r0), n = rows * c.out_width;
          const float *dy_strip = dy + b * c.outputs * out_plane + r0 * c.out_width;

          stage->rung->columns_product (TRUE, FALSE, t.rows * area, n, c.outputs, w, c.channels * area,
                                        dy_strip, out_plane, FALSE, scratch, n);
          stage->rung->columns->scatter (&c, scratch, t.rows, r0, rows, stage->target + at);
        }
      ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, in_plane, in_plane });
    }
}

void
ls_cpu_tile_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsColumns c = columns_of (stage->call.in_tensor[1], stage->call.in_tensor[0], stage->call.op);
  const gint64 n = c.channels * kernel_area (&c), plane = c.out_height * c.out_width, at = t.row * n;
  const gint64 in_image = c.channels * c.height * c.width, splits = stage->tiling.splits;
  const float *dy = stage->call.in[0], *x = stage->call.in[1];
  float *dw = (splits > 1 ? stage->parts + t.split * c.outputs * n : stage->target) + at;
  gboolean add = FALSE;

  for (gint64 b = c.batch * t.split / splits; b < c.batch * (t.split + 1) / splits; b++)
    for (gint64 r0 = 0; r0 < c.out_height; r0 += c.strip)
      {
        const gint64 rows = MIN (c.strip, c.out_height - r0), k = rows * c.out_width;
        const float *dy_strip = dy + (b * c.outputs + t.row) * plane + r0 * c.out_width;

        stage->rung->columns->gather (&c, x + b * in_image, c.channels, r0, rows, scratch);
        stage->rung->columns_product (FALSE, TRUE, t.rows, n, k, dy_strip, plane, scratch, k, add, dw, n);
        add = TRUE;
      }
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

static gsize
scratch_of (const LsOp *op, const LsTensor *x, const LsTensor *y)
{
  const LsColumns c = columns_of (x, y, op);
  return (gsize) ls_columns_size (&c, c.channels);
}

gsize
ls_cpu_scratch_conv2d (const LsOp *op, const LsPlan *plan)
{
  return scratch_of (op, &plan->tensors[op->in[0]], &plan->tensors[op->out[0]]);
}

gsize
ls_cpu_scratch_conv2d_dx (const LsOp *op, const LsPlan *plan)
{
  return scratch_of (op, &plan->tensors[op->out[0]], &plan->tensors[op->in[0]]);
}

gsize
ls_cpu_scratch_conv2d_dw (const LsOp *op, const LsPlan *plan)
{
  return scratch_of (op, &plan->tensors[op->in[1]], &plan->tensors[op->in[0]]);
}
