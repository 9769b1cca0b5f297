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

#include "backends/cpu/stored/stored.h"

#define CHUNK 4096 /* elements of an elementwise op at a time */

/* Input j is stored in 16 bits, and the op reads its values. */
static gboolean
is_converted (const LsOpCall *call, guint j)
{
  return ls_dtype_is_half (call->in_dtype[j]) && (call->op->klass->shape_only & (1u << j)) == 0;
}

/* An elementwise op with its calls, `wide` the tile's own: there an input may be what lies in scratch. */
typedef struct {
  LsCpuRectFunc rect;
  const LsOpCall *call;
  LsOpCall wide;
} Elementwise;

static void
elementwise_init (Elementwise *e, LsCpuRectFunc rect, const LsOpCall *call)
{
  *e = (Elementwise){ rect, call, *call };
}

/* In place on elements at … at + n − 1, which lie in piece; what else it reads comes to operand. */
static void
do_piece (Elementwise *e, float *piece, gint64 at, gint64 n, float *operand)
{
  const LsCpuRect all = { at, 1, n, n };
  float *from = ls_cpu_as_if_from_start (piece, at);

  for (guint j = 0; j < e->call->op->n_in; j++)
    if (j != e->call->op->klass->epilogue_input && is_converted (e->call, j))
      {
        ls_cpu_load (e->call, j, at, n, operand);
        e->wide.in[j] = ls_cpu_as_if_from_start (operand, at);
      }
  e->rect (&e->wide, from, from, &all);
}

/* Where a tile's results go: through the stage's followers to memory. */
typedef struct {
  const LsCpuStage *stage;
  float *operand; /* what a follower reads, as long as the pieces */
  Elementwise followers[LS_FUSION_MAX];
} Finish;

static void
finish_init (Finish *f, const LsCpuStage *stage, float *operand)
{
  f->stage = stage;
  f->operand = operand;
  for (guint i = 0; i < stage->n_followers; i++)
    elementwise_init (&f->followers[i], stage->followers[i].rect, &stage->followers[i].call);
}

/* Elements at … at + n − 1 of what the op has made. */
static void
finish (Finish *f, float *piece, gint64 at, gint64 n)
{
  const LsCpuStage *stage = f->stage;
  LsDtype dtype = stage->call.out_dtype[0];

  for (guint i = 0; i < stage->n_followers; i++)
    {
      ls_half_round_row (dtype, piece, (gsize) n);
      do_piece (&f->followers[i], piece, at, n, f->operand);
      dtype = stage->followers[i].call.out_dtype[0];
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
  float *c = half ? own : stage->target + t.row * n + t.col;
  Finish end;

  finish_init (&end, stage, own + t.rows * t.cols);
  for (gint64 first = 0; first < attr->k; first += LS_SUM_BLOCK)
    {
      const gint64 k = MIN (LS_SUM_BLOCK, attr->k - first);

      for (gint64 i = 0; i < (attr->ta ? k : t.rows); i++)
        if (attr->ta)
          ls_cpu_load (&stage->call, 0, (first + i) * lda + t.row, t.rows, a + i * t.rows);
        else
          ls_cpu_load (&stage->call, 0, (t.row + i) * lda + first, k, a + i * k);
      for (gint64 i = 0; i < (attr->tb ? t.cols : k); i++)
        if (attr->tb)
          ls_cpu_load (&stage->call, 1, (t.col + i) * ldb + first, k, b + i * k);
        else
          ls_cpu_load (&stage->call, 1, (first + i) * ldb + t.col, t.cols, b + i * t.cols);
      stage->rung->product (attr->ta, attr->tb, t.rows, t.cols, k, a, attr->ta ? t.rows : k, b,
                            attr->tb ? k : t.cols, first > 0, c, half ? t.cols : n);
    }
  for (gint64 i = 0; half && i < t.rows; i++)
    finish (&end, own + i * t.cols, (t.row + i) * n + t.col, t.cols);
  if (!half)
    ls_cpu_followers (stage, (LsCpuRect){ t.row * n + t.col, t.rows, t.cols, n });
}

static void
tile_elementwise (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 cols = MIN (t.cols, CHUNK), rows = t.cols == stage->tiling.cols ? MAX (CHUNK / cols, 1) : 1;
  float *operand = scratch + CHUNK;
  Elementwise own;
  Finish end;

  elementwise_init (&own, stage->rect, &stage->call);
  finish_init (&end, stage, operand);
  for (gint64 row = 0; row < t.rows; row += rows)
    for (gint64 col = 0; col < t.cols; col += cols)
      {
        const gint64 at = (t.row + row) * stage->tiling.cols + t.col + col;
        const gint64 n = MIN (rows, t.rows - row) * MIN (cols, t.cols - col);

        ls_cpu_load (&stage->call, stage->call.op->klass->epilogue_input, at, n, scratch);
        do_piece (&own, scratch, at, n, operand);
        finish (&end, scratch, at, n);
      }
}

/* A sample at a time, by the op's own tile function on tiles of one row; nothing but a row of what it reads,
 * and makes. */
static void
tile_samples (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsOp *op = stage->call.op;
  const gint64 cols = stage->tiling.cols;
  float *out = scratch + stage->own_scratch, *rest = out + 2 * cols;
  const gboolean half = ls_dtype_is_half (stage->call.out_dtype[0]);
  LsCpuStage one = *stage;
  Finish end;

  one.n_followers = 0;
  one.tiling.tile_rows = 1;
  one.tiling.grid_rows = (guint) stage->tiling.rows;
  finish_init (&end, stage, out + cols);
  for (gint64 row = t.row; row < t.row + t.rows; row++)
    {
      float *next = rest;
      for (guint j = 0; j < op->n_in; j++)
        if (is_converted (&stage->call, j))
          {
            const gint64 n = ls_tensor_inner (stage->call.in_tensor[j]);
            ls_cpu_load (&stage->call, j, row * n, n, next);
            one.call.in[j] = ls_cpu_as_if_from_start (next, row * n);
            next += n;
          }
      float *made = next;
      for (guint j = 1; j < op->n_out; j++)
        if (ls_dtype_is_half (stage->call.out_dtype[j]))
          {
            const gint64 n = ls_tensor_inner (stage->call.out_tensor[j]);
            one.call.out[j] = ls_cpu_as_if_from_start (next, row * n);
            next += n;
          }
      if (half)
        one.target = ls_cpu_as_if_from_start (out, row * cols);
      stage->inner (&one, (guint32) row * one.tiling.grid_cols + tile % one.tiling.grid_cols, scratch);
      if (half)
        finish (&end, out + t.col, row * cols + t.col, t.cols);
      for (guint j = 1; j < op->n_out; j++)
        if (ls_dtype_is_half (stage->call.out_dtype[j]))
          {
            const gint64 n = ls_tensor_inner (stage->call.out_tensor[j]);
            ls_half_store (stage->call.out_dtype[j], made, (guint16 *) stage->call.out[j] + row * n,
                           (gsize) n);
            made += n;
          }
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
  float *weights = scratch + stage->own_scratch, *in = weights + n_weights, *out = in + n_in;
  LsCpuStage one = *stage;
  Finish end;

  finish_init (&end, stage, out + n_out);
  one.n_followers = 0;
  one.tiling.tile_cols = plane;
  one.tiling.grid_cols = (guint) images;
  ls_cpu_load (&stage->call, 1, 0, n_weights, weights);
  one.call.in[1] = weights;
  for (gint64 b = t.col / plane; b < (t.col + t.cols) / plane; b++)
    {
      const gint64 at = (b * stage->tiling.rows + t.row) * plane;

      ls_cpu_load (&stage->call, 0, b * n_in, n_in, in);
      one.call.in[0] = ls_cpu_as_if_from_start (in, b * n_in);
      one.target = ls_cpu_as_if_from_start (out, at);
      stage->inner (&one, (guint32) (t.row / stage->tiling.tile_rows * images + b), scratch);
      finish (&end, out, at, n_out);
    }
}

/* ---- which ---- */

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
  gint64 n = 2 * stage->tiling.cols + ls_cpu_inner_of (stage);

  for (guint j = 1; j < stage->call.op->n_out; j++)
    n += ls_tensor_inner (stage->call.out_tensor[j]);
  return n;
}

static gint64
floats_of_images (const LsCpuStage *stage)
{
  const gint64 plane = stage->tiling.cols / stage->call.out_tensor[0]->shape[0];
  return ls_tensor_count (stage->call.in_tensor[1]) + ls_tensor_inner (stage->call.in_tensor[0])
         + 2 * stage->tiling.tile_rows * plane;
}

static const struct {
  const LsOpClass *klass;
  LsCpuTileFunc tile;
  gint64 (*floats) (const LsCpuStage *stage);
} rows[] = {
  { &ls_op_matmul, tile_matmul, floats_of_matmul },
  { &ls_op_conv2d, tile_images, floats_of_images },
  { &ls_op_conv2d_dx, tile_images, floats_of_images },
  { &ls_op_conv2d_dw, ls_cpu_stored_conv2d_dw, ls_cpu_floats_of_conv2d_dw },
  { &ls_op_bias_grad, ls_cpu_stored_bias_grad, ls_cpu_floats_of_bias_grad },
  { &ls_op_gather, tile_samples, floats_of_samples },
  { &ls_op_maxpool2d, tile_samples, floats_of_samples },
  { &ls_op_maxpool2d_grad, tile_samples, floats_of_samples },
  { &ls_op_avgpool2d, tile_samples, floats_of_samples },
  { &ls_op_avgpool2d_grad, tile_samples, floats_of_samples },
  { &ls_op_layernorm, tile_samples, floats_of_samples },
  { &ls_op_layernorm_grad, tile_samples, floats_of_samples },
  { &ls_op_layernorm_dw, ls_cpu_stored_layernorm_dw, ls_cpu_floats_of_layernorm_dw },
  { &ls_op_lstm, tile_samples, floats_of_samples },
  { &ls_op_lstm_grad, tile_samples, floats_of_samples },
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

  /* their own functions move what lies there */
  if (!is_half (&stage->call) || klass == &ls_op_sequence || klass == &ls_op_planes)
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
