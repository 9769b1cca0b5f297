/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles of ops that read or write tensors stored in 16 bits. Each converts what it reads into the worker's
 * scratch, a piece at a time, computes that in floats by the op's own tile function, and converts what came
 * out. What an op makes is rounded before the next op of a chain is done with it, as it would be on its way
 * through memory: fusion changes no bit.
 *
 * The tile functions find a piece by its place in the whole tensor, so they are handed a pointer that lies as
 * far before the piece in scratch as the piece lies behind the tensor's start.
 */
#include "config.h"

#include "backends/cpu/kernel.h"
#include "core/half.h"

#define CHUNK 4096 /* elements of an elementwise op at a time */

static float *
as_if_from_start (float *piece, gint64 at)
{
  return (float *) ((guintptr) piece - (guintptr) at * sizeof (float));
}

static void
load (const LsOpCall *call, guint j, gint64 at, gint64 n, float *to)
{
  ls_half_load (call->in_dtype[j], (const guint16 *) call->in[j] + at, to, (gsize) n);
}

/* An elementwise op in place on elements at … at + n − 1, which lie in piece; what else it reads comes to
 * operand. */
static void
do_piece (const LsOpCall *call, LsCpuRectFunc rect, float *piece, gint64 at, gint64 n, float *operand)
{
  const LsOpClass *klass = call->op->klass;
  const LsCpuRect all = { at, 1, n, n };
  float *from = as_if_from_start (piece, at);
  LsOpCall wide = *call;

  for (guint j = 0; j < call->op->n_in; j++)
    if (j != klass->epilogue_input && ls_dtype_is_half (call->in_dtype[j])
        && (klass->shape_only & (1u << j)) == 0)
      {
        load (call, j, at, n, operand);
        wide.in[j] = as_if_from_start (operand, at);
      }
  rect (&wide, from, from, &all);
}

/* What the op has made, elements at … at + n − 1 of its output, goes through the followers and to memory. */
static void
finish (const LsCpuStage *stage, float *piece, gint64 at, gint64 n, float *operand)
{
  LsDtype dtype = stage->call.out_dtype[0];

  for (guint i = 0; i < stage->n_followers; i++)
    {
      const LsCpuFollower *f = &stage->followers[i];
      ls_half_round_row (dtype, piece, (gsize) n);
      do_piece (&f->call, f->rect, piece, at, n, operand);
      dtype = f->call.out_dtype[0];
    }
  ls_half_store (dtype, piece, (guint16 *) (void *) stage->target + at, (gsize) n);
}

/* ---- the tiles ---- */

/* Block by block of the sum, as ls_gemm() goes through it: the same order. */
static void
tile_matmul (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsOpAttr *attr = &stage->call.op->attr;
  const gint64 lda = attr->ta ? attr->m : attr->k, ldb = attr->tb ? attr->k : attr->n, n = attr->n;
  const gboolean half = ls_dtype_is_half (stage->call.out_dtype[0]);
  float *a = scratch, *b = a + t.rows * LS_SUM_BLOCK, *own = b + t.cols * LS_SUM_BLOCK;
  float *operand = own + t.rows * t.cols, *c = half ? own : stage->target + t.row * n + t.col;

  for (gint64 first = 0; first < attr->k; first += LS_SUM_BLOCK)
    {
      const gint64 k = MIN (LS_SUM_BLOCK, attr->k - first);

      for (gint64 i = 0; i < (attr->ta ? k : t.rows); i++)
        if (attr->ta)
          load (&stage->call, 0, (first + i) * lda + t.row, t.rows, a + i * t.rows);
        else
          load (&stage->call, 0, (t.row + i) * lda + first, k, a + i * k);
      for (gint64 i = 0; i < (attr->tb ? t.cols : k); i++)
        if (attr->tb)
          load (&stage->call, 1, (t.col + i) * ldb + first, k, b + i * k);
        else
          load (&stage->call, 1, (first + i) * ldb + t.col, t.cols, b + i * t.cols);
      stage->rung->product (attr->ta, attr->tb, t.rows, t.cols, k, a, attr->ta ? t.rows : k, b,
                            attr->tb ? k : t.cols, first > 0, c, half ? t.cols : n);
    }
  for (gint64 i = 0; half && i < t.rows; i++)
    finish (stage, own + i * t.cols, (t.row + i) * n + t.col, t.cols, operand);
  if (!half)
    ls_cpu_followers (stage, (LsCpuRect){ t.row * n + t.col, t.rows, t.cols, n });
}

static void
tile_elementwise (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 cols = MIN (t.cols, CHUNK), rows = t.cols == stage->tiling.cols ? MAX (CHUNK / cols, 1) : 1;
  float *operand = scratch + CHUNK;

  for (gint64 row = 0; row < t.rows; row += rows)
    for (gint64 col = 0; col < t.cols; col += cols)
      {
        const gint64 at = (t.row + row) * stage->tiling.cols + t.col + col;
        const gint64 n = MIN (rows, t.rows - row) * MIN (cols, t.cols - col);

        load (&stage->call, stage->call.op->klass->epilogue_input, at, n, scratch);
        do_piece (&stage->call, stage->rect, scratch, at, n, operand);
        finish (stage, scratch, at, n, operand);
      }
}

/* A sample at a time, by the op's own tile function on tiles of one row; nothing but a row of what it reads.
 */
static void
tile_samples (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsOp *op = stage->call.op;
  const gint64 cols = stage->tiling.cols;
  float *out = scratch + stage->own_scratch, *operand = out + cols, *rest = operand + cols;
  const gboolean half = ls_dtype_is_half (stage->call.out_dtype[0]);
  LsCpuStage one = *stage;

  one.n_followers = 0;
  one.tiling.tile_rows = 1;
  for (gint64 row = t.row; row < t.row + t.rows; row++)
    {
      float *in = rest;
      for (guint j = 0; j < op->n_in; j++)
        if (ls_dtype_is_half (stage->call.in_dtype[j]) && (op->klass->shape_only & (1u << j)) == 0)
          {
            const gint64 n = ls_tensor_inner (stage->call.in_tensor[j]);
            load (&stage->call, j, row * n, n, in);
            one.call.in[j] = as_if_from_start (in, row * n);
            in += n;
          }
      if (half)
        one.target = as_if_from_start (out, row * cols);
      one.tiling.grid_rows = (guint) stage->tiling.rows;
      stage->inner (&one, (guint32) row * one.tiling.grid_cols + tile % one.tiling.grid_cols, scratch);
      if (half)
        finish (stage, out + t.col, row * cols + t.col, t.cols, operand);
    }
}

/* An image at a time: conv2d, conv2d_dx. */
static void
tile_images (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 images = stage->call.out_tensor[0]->shape[0], plane = stage->tiling.cols / images;
  const gint64 n_in = ls_tensor_inner (stage->call.in_tensor[0]),
               n_weights = ls_tensor_count (stage->call.in_tensor[1]), n_out = t.rows * plane;
  float *weights = scratch + stage->own_scratch, *in = weights + n_weights, *out = in + n_in,
        *operand = out + n_out;
  LsCpuStage one = *stage;

  one.n_followers = 0;
  one.tiling.tile_cols = plane;
  one.tiling.grid_cols = (guint) images;
  load (&stage->call, 1, 0, n_weights, weights);
  one.call.in[1] = weights;
  for (gint64 b = t.col / plane; b < (t.col + t.cols) / plane; b++)
    {
      const gint64 at = (b * stage->tiling.rows + t.row) * plane;

      load (&stage->call, 0, b * n_in, n_in, in);
      one.call.in[0] = as_if_from_start (in, b * n_in);
      one.target = as_if_from_start (out, at);
      stage->inner (&one, (guint32) (t.row / stage->tiling.tile_rows * images + b), scratch);
      finish (stage, out, at, n_out, operand);
    }
}

/* The images of the tile's part of the sum. */
static void
tile_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 batch = stage->call.in_tensor[0]->shape[0], splits = stage->tiling.splits;
  const gint64 first = batch * t.split / splits, n = batch * (t.split + 1) / splits - first;
  float *in = scratch + stage->own_scratch;
  LsCpuStage wide = *stage;

  for (guint j = 0; j < 2; j++)
    {
      const gint64 size = ls_tensor_inner (stage->call.in_tensor[j]);
      load (&stage->call, j, first * size, n * size, in);
      wide.call.in[j] = as_if_from_start (in, first * size);
      in += n * size;
    }
  stage->inner (&wide, tile, scratch);
}

/* Sample after sample, in their order: what each adds is the sum of one. */
static void
tile_bias_grad (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsTensor *dy = stage->call.in_tensor[0];
  const gint64 batch = dy->shape[0], channels = dy->shape[1], plane = ls_tensor_inner (dy) / channels;
  float *sums = scratch + stage->own_scratch, *piece = sums + t.cols, *db = stage->target + t.col;
  LsTensor single = *dy;
  LsCpuStage one = *stage;

  single.shape[0] = 1;
  one.call.in_tensor[0] = &single;
  one.call.in[0] = as_if_from_start (piece, t.col * plane);
  one.target = as_if_from_start (sums, t.col);
  one.n_followers = 0;
  memset (db, 0, (gsize) t.cols * sizeof (float));
  for (gint64 b = 0; b < batch; b++)
    {
      load (&stage->call, 0, (b * channels + t.col) * plane, t.cols * plane, piece);
      stage->inner (&one, tile, scratch);
      for (gint64 c = 0; c < t.cols; c++)
        db[c] += sums[c];
    }
  ls_cpu_followers (stage, (LsCpuRect){ t.col, 1, t.cols, t.cols });
}

/* ---- which ---- */

static gint64
inner_of (const LsCpuStage *stage)
{
  gint64 n = 0;

  for (guint j = 0; j < stage->call.op->n_in; j++)
    n += ls_tensor_inner (stage->call.in_tensor[j]);
  return n;
}

static gint64
floats_of_matmul (const LsCpuStage *stage)
{
  const LsTiling *t = &stage->tiling;
  return (t->tile_rows + t->tile_cols) * LS_SUM_BLOCK + t->tile_rows * t->tile_cols + t->tile_cols;
}

static gint64
floats_of_elements (const LsCpuStage *stage)
{
  return 2 * CHUNK;
}

static gint64
floats_of_samples (const LsCpuStage *stage)
{
  return 2 * stage->tiling.cols + inner_of (stage);
}

static gint64
floats_of_images (const LsCpuStage *stage)
{
  const gint64 plane = stage->tiling.cols / stage->call.out_tensor[0]->shape[0];
  return ls_tensor_count (stage->call.in_tensor[1]) + ls_tensor_inner (stage->call.in_tensor[0])
         + 2 * stage->tiling.tile_rows * plane;
}

static gint64
floats_of_dw (const LsCpuStage *stage)
{
  const gint64 batch = stage->call.in_tensor[0]->shape[0], splits = stage->tiling.splits;
  return (batch + splits - 1) / splits * inner_of (stage);
}

static gint64
floats_of_bias_grad (const LsCpuStage *stage)
{
  const LsTensor *dy = stage->call.in_tensor[0];
  return stage->tiling.tile_cols * (1 + ls_tensor_inner (dy) / dy->shape[1]);
}

static const struct {
  const LsOpClass *klass;
  LsCpuTileFunc tile;
  gint64 (*floats) (const LsCpuStage *stage);
} rows[] = {
  { &ls_op_matmul, tile_matmul, floats_of_matmul },
  { &ls_op_conv2d, tile_images, floats_of_images },
  { &ls_op_conv2d_dx, tile_images, floats_of_images },
  { &ls_op_conv2d_dw, tile_conv2d_dw, floats_of_dw },
  { &ls_op_bias_grad, tile_bias_grad, floats_of_bias_grad },
  { &ls_op_gather, tile_samples, floats_of_samples },
  { &ls_op_maxpool2d, tile_samples, floats_of_samples },
  { &ls_op_maxpool2d_grad, tile_samples, floats_of_samples },
  { &ls_op_softmax_xent, tile_samples, floats_of_samples },
  { &ls_op_softmax_xent_grad, tile_samples, floats_of_samples },
};

static gboolean
is_half (const LsOpCall *call)
{
  for (guint j = 0; j < call->op->n_in; j++)
    if (ls_dtype_is_half (call->in_dtype[j]))
      return TRUE;
  return ls_dtype_is_half (call->out_dtype[0]);
}

gboolean
ls_cpu_half_init (LsCpuStage *stage)
{
  const LsOpClass *klass = stage->call.op->klass;

  if (!is_half (&stage->call))
    return TRUE;
  stage->inner = stage->tile;
  if (klass->elementwise)
    {
      stage->tile = tile_elementwise;
      stage->half_scratch = (gsize) floats_of_elements (stage);
      return TRUE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].klass == klass)
      {
        stage->tile = rows[i].tile;
        stage->half_scratch = (gsize) rows[i].floats (stage);
        return TRUE;
      }
  return FALSE;
}
