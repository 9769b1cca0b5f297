/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As half.c, of the ops that add up over the batch: a piece of what they read at a time, and how much scratch
 * that takes doesn't grow with a convolution's batch.
 */
#include "config.h"

#include "backends/cpu/stored/stored.h"

#define BLOCK (64 * 1024) /* floats of images that are converted at a time, about */
#define COLS  16          /* columns of a layernorm_dw at a time: all rows of them */

gint64
ls_cpu_inner_of (const LsCpuStage *stage)
{
  gint64 n = 0;

  for (guint j = 0; j < stage->call.op->n_in; j++)
    n += ls_tensor_inner (stage->call.in_tensor[j]);
  return n;
}

static gint64
block_images (const LsCpuStage *stage)
{
  return CLAMP (BLOCK / ls_cpu_inner_of (stage), 1, stage->call.in_tensor[0]->shape[0]);
}

/* A few images of the tile's part of the sum at a time: the sum goes on from one to the next. */
void
ls_cpu_stored_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsTiling *tiling = &stage->tiling;
  const LsCpuTile t = ls_cpu_tile (tiling, tile);
  const LsTensor *dy = stage->call.in_tensor[0];
  const gint64 batch = dy->shape[0], splits = tiling->splits, at = t.row * tiling->cols,
               begin = batch * t.split / splits, end = batch * (t.split + 1) / splits,
               most = block_images (stage);
  LsTensor images[2] = { *dy, *stage->call.in_tensor[1] };
  LsCpuStage wide = *stage;

  if (splits > 1)
    wide.target = stage->parts + t.split * tiling->rows * tiling->cols;
  wide.n_followers = 0;
  wide.tiling.splits = 1;
  for (gint64 first = begin, count; first < end; first += count)
    {
      float *in = scratch + stage->own_scratch;

      count = MIN (most, end - first);
      for (guint j = 0; j < 2; j++)
        {
          const gint64 size = ls_tensor_inner (&images[j]);
          ls_cpu_load (&stage->call, j, first * size, count * size, in);
          images[j].shape[0] = count;
          wide.call.in[j] = in;
          wide.call.in_tensor[j] = &images[j];
          in += count * size;
        }
      wide.sum_before = (first - begin) * (ls_tensor_inner (dy) / dy->shape[1]);
      wide.sum_goes_on = first + count < end;
      stage->inner (&wide, tile % (tiling->grid_rows * tiling->grid_cols), scratch);
    }
  if (splits == 1)
    ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, tiling->cols, tiling->cols });
}

/* All rows of a few columns: a column's sum is the op's own, in one go. */
void
ls_cpu_stored_layernorm_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols, rows = ls_tensor_count (stage->call.in_tensor[2]);
  LsCpuStage one = *stage;

  for (gint64 col = t.col; col < t.col + t.cols; col += COLS)
    {
      const gint64 cols = MIN (COLS, t.col + t.cols - col);

      for (guint j = 0; j < 2; j++)
        {
          float *in = scratch + stage->own_scratch + j * rows * cols;
          for (gint64 row = 0; row < rows; row++)
            ls_cpu_load (&stage->call, j, row * n + col, cols, in + row * cols);
          one.call.in[j] = in;
        }
      ls_tiling_set (&one.tiling, 1, cols, 1, cols);
      one.target = stage->target + col;
      one.call.out[1] = (float *) stage->call.out[1] + col;
      stage->inner (&one, 0, scratch);
    }
}

/* Sample after sample, in their order: what each adds is the sum of one. */
void
ls_cpu_stored_bias_grad (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsTensor *dy = stage->call.in_tensor[0];
  const gint64 batch = dy->shape[0], channels = dy->shape[1], plane = ls_tensor_inner (dy) / channels;
  float *sums = scratch + stage->own_scratch, *piece = sums + t.cols, *db = stage->target + t.col;
  LsTensor single = *dy;
  LsCpuStage one = *stage;

  single.shape[0] = 1;
  one.call.in_tensor[0] = &single;
  one.call.in[0] = ls_cpu_as_if_from_start (piece, t.col * plane);
  one.target = ls_cpu_as_if_from_start (sums, t.col);
  one.n_followers = 0;
  memset (db, 0, (gsize) t.cols * sizeof (float));
  for (gint64 b = 0; b < batch; b++)
    {
      ls_cpu_load (&stage->call, 0, (b * channels + t.col) * plane, t.cols * plane, piece);
      if (plane > 1)
        stage->inner (&one, tile, scratch);
      stage->rung->columns->add (db, plane > 1 ? sums : piece, t.cols);
    }
  ls_cpu_followers (stage, (LsCpuRect){ t.col, 1, t.cols, t.cols });
}

gint64
ls_cpu_floats_of_conv2d_dw (const LsCpuStage *stage)
{
  return block_images (stage) * ls_cpu_inner_of (stage);
}

gint64
ls_cpu_floats_of_layernorm_dw (const LsCpuStage *stage)
{
  return 2 * COLS * ls_tensor_count (stage->call.in_tensor[2]);
}

gint64
ls_cpu_floats_of_bias_grad (const LsCpuStage *stage)
{
  const LsTensor *dy = stage->call.in_tensor[0];
  return stage->tiling.tile_cols * (1 + ls_tensor_inner (dy) / dy->shape[1]);
}
