/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile functions of the ops that are neither matrix products nor elementwise: batch, pooling, sums, loss.
 * The formulas, and what happens to NaN, are the ops' (ops/op_*.c).
 */
#include "backends/cpu/direct.h"
#include "backends/cpu/kernel.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/vmath.h"

#define LANES 16 /* floats of the widest vector */
#define LINE  64 /* bytes of a line of a cache */

/* Samples lie anywhere, and nothing but the program knows which is next. */
static inline void
fetch (const guint8 *bytes, gint64 n)
{
  for (gint64 i = 0; i < n; i += LINE)
    __builtin_prefetch (bytes + i);
}

/* Rows of the tile are samples. The quotient, not a multiplication by 1/255: rounded once, as everywhere. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_gather) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsBatch *batch = stage->call.batch;
  const LsDataset *set = batch->set;
  gint32 *labels = stage->call.out[1];

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const gint64 from = (gint64) batch->index[b] * set->sample_size + t.col;
      float *restrict x = stage->target + b * stage->tiling.cols + t.col;

      if (set->type == LS_SAMPLE_U8)
        {
          const guint8 *restrict bytes = (const guint8 *) set->samples + from;

          if (b + 1 < t.row + t.rows)
            fetch ((const guint8 *) set->samples + (gint64) batch->index[b + 1] * set->sample_size + t.col,
                   t.cols);
          for (gint64 i = 0; i < t.cols; i++)
            x[i] = (float) bytes[i] / 255.0f;
        }
      else
        memcpy (x, (const float *) set->samples + from, (gsize) t.cols * sizeof (float));
      if (t.col == 0)
        labels[b] = set->labels[batch->index[b]];
    }
}

/* A plane's sum: sixteen running sums, so that the processor needn't wait for each addition. */
static inline float
sum_span (const float *x, gint64 count)
{
  float lanes[LANES] = { 0 }, sum = 0;
  gint64 i = 0;

  for (; i + LANES <= count; i += LANES)
    for (int j = 0; j < LANES; j++)
      lanes[j] += x[i + j];
  for (; i < count; i++)
    sum += x[i];
  for (int width = LANES / 2; width > 0; width /= 2)
    for (int j = 0; j < width; j++)
      lanes[j] += lanes[j + width];
  return sum + lanes[0];
}

/* Columns of the tile are channels; samples are added in their order. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_bias_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsTensor *dy_tensor = stage->call.in_tensor[0];
  const gint64 batch = dy_tensor->shape[0], channels = dy_tensor->shape[1];
  const gboolean added = stage->pooled.sums != NULL;
  const gint64 plane = added ? 1 : ls_tensor_inner (dy_tensor) / channels;
  const float *planes = added ? stage->pooled.sums : stage->call.in[0];
  float *restrict db = stage->target + t.col;

  memset (db, 0, (gsize) t.cols * sizeof (float));
  for (gint64 b = 0; b < batch; b++)
    {
      const float *restrict dy = planes + (b * channels + t.col) * plane;
      if (plane == 1)
        for (gint64 c = 0; c < t.cols; c++)
          db[c] += dy[c];
      else
        for (gint64 c = 0; c < t.cols; c++)
          db[c] += sum_span (dy + c * plane, plane);
    }
  ls_cpu_followers (stage, (LsCpuRect){ t.col, 1, t.cols, t.cols });
}

static inline LsWindows
windows_of (const LsOp *op, const LsTensor *x, const LsTensor *y)
{
  return (LsWindows){ op->attr.kernel,      op->attr.stride,      (gint32) x->shape[2],
                      (gint32) x->shape[3], (gint32) y->shape[2], (gint32) y->shape[3] };
}

/* Whether there are loops of vectors for them, and which. */
static inline const LsDirectLoops *
pair_loops (const LsWindows *w)
{
  return !LS_SCALAR && w->kernel == 2 && w->stride == 2 ? ls_direct_loops_for (w->cols) : NULL;
}

static void
pool_windows (const LsWindows *w, gint64 n, const float *restrict from, float *restrict y,
              gint32 *restrict index)
{
  for (; n > 0; n--, from += (gint64) w->height * w->width)
    for (gint32 r = 0; r < w->rows; r++)
      for (gint32 s = 0; s < w->cols; s++)
        {
          const gint32 first = w->stride * (r * w->width + s);
          gint32 best_at = first;
          float best = from[first];

          for (gint32 u = 0; u < w->kernel; u++)
            for (gint32 v = 0; v < w->kernel; v++)
              {
                gint32 at = first + u * w->width + v;
                float value = from[at]; /* loaded in any case: no branch */
                gboolean better = (value > best) | (value != value);
                best_at = better ? at : best_at;
                best = better ? value : best;
              }
          *index++ = best_at;
          *y++ = best;
        }
}

/* A window adds to the place of its maximum, in reading order. */
static void
unpool_windows (const LsWindows *w, gint64 n, const float *restrict dy, const gint32 *restrict index,
                const float *mask, float *restrict dx)
{
  const gint64 windows = (gint64) w->rows * w->cols, in_plane = (gint64) w->height * w->width;

  memset (dx, 0, (gsize) (n * in_plane) * sizeof (float));
  for (; n > 0; n--, dx += in_plane)
    for (gint64 i = 0; i < windows; i++, dy++)
      {
        const float share = mask != NULL && *mask++ <= 0 ? 0 : *dy;
        dx[*index++] += share;
      }
}

void
LS_LOOP (ls_cpu_pool_planes) (const LsCpuStage *stage, const float *from, gint64 plane, gint64 n)
{
  const LsWindows w = windows_of (stage->call.op, stage->call.in_tensor[0], stage->call.out_tensor[0]);
  const LsDirectLoops *loops = pair_loops (&w);
  const gint64 size = (gint64) w.rows * w.cols, at = plane * size;

  (loops != NULL ? loops->pool : pool_windows) (&w, n, from, stage->target + at,
                                                (gint32 *) stage->call.out[1] + at);
  ls_cpu_followers (stage, (LsCpuRect){ at, n, size, size });
}

/* The tile is samples × whole planes. */
void
LS_LOOP (ls_cpu_tile_maxpool2d) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 *xs = stage->call.in_tensor[0]->shape, *ys = stage->call.out_tensor[0]->shape;
  const gint64 in_plane = xs[2] * xs[3], out_plane = ys[2] * ys[3], planes = t.cols / out_plane;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const gint64 plane = b * ys[1] + t.col / out_plane;
      const float *from = (const float *) stage->call.in[0] + plane * in_plane;
      LS_LOOP (ls_cpu_pool_planes) (stage, from, plane, planes);
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_unpool_planes) (const LsCpuStage *stage, gint64 plane, gint64 n, float *to)
{
  const LsWindows w = windows_of (stage->call.op, stage->call.out_tensor[0], stage->call.in_tensor[0]);
  const gint64 in_plane = (gint64) w.height * w.width, from = plane * w.rows * w.cols;
  const LsDirectLoops *loops = pair_loops (&w);
  const float *mask = stage->pooled.mask;

  (loops != NULL ? loops->unpool : unpool_windows) (&w, n, (const float *) stage->call.in[0] + from,
                                                    (const gint32 *) stage->call.in[1] + from,
                                                    mask != NULL ? mask + from : NULL, to);
  for (gint64 p = 0; p < n && stage->pooled.sums != NULL; p++)
    stage->pooled.sums[plane + p] = sum_span (to + p * in_plane, in_plane);
}

/* The tile is samples × whole planes of dX: within a tile nobody else writes to a plane. */
void
LS_LOOP (ls_cpu_tile_maxpool2d_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 *xs = stage->call.out_tensor[0]->shape, plane = xs[2] * xs[3], n = t.cols / plane;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const gint64 at = b * stage->tiling.cols + t.col;

      LS_LOOP (ls_cpu_unpool_planes) (stage, at / plane, n, stage->target + at);
      if (stage->pooled.mask == NULL)
        ls_cpu_followers (stage, (LsCpuRect){ at, n, plane, plane });
    }
}

/* One row of windows. A window is added up in reading order, from 0 on. */
static inline void
mean_row (const float *restrict from, gint64 width, gint64 kernel, gint64 count, float *restrict y)
{
  const float size = (float) (kernel * kernel);

  for (gint64 s = 0; s < count; s++)
    {
      float sum = 0;
      for (gint64 place = 0; place < kernel * kernel; place++)
        sum += from[s * kernel + place / kernel * width + place % kernel];
      y[s] = sum / size;
    }
}

/* The tile is samples × whole planes. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_avgpool2d) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 kernel = stage->call.op->attr.kernel;
  const gint64 *xs = stage->call.in_tensor[0]->shape, *ys = stage->call.out_tensor[0]->shape;
  const gint64 out_plane = ys[2] * ys[3], in_plane = xs[2] * xs[3];

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    for (gint64 at = b * stage->tiling.cols + t.col, end = at + t.cols; at < end; at += out_plane)
      {
        const float *from = (const float *) stage->call.in[0] + at / out_plane * in_plane;
        for (gint64 r = 0; r < ys[2]; r++)
          if (kernel == 2)
            mean_row (from + 2 * r * xs[3], xs[3], 2, ys[3], stage->target + at + r * ys[3]);
          else
            mean_row (from + kernel * r * xs[3], xs[3], kernel, ys[3], stage->target + at + r * ys[3]);
        ls_cpu_followers (stage, (LsCpuRect){ at, 1, out_plane, out_plane });
      }
}

/* One row of windows' shares, in one row of the plane. */
static inline void
share_row (const float *restrict dy, gint64 kernel, gint64 count, float *restrict dx)
{
  const float size = (float) (kernel * kernel);

  for (gint64 s = 0; s < count; s++)
    for (gint64 v = 0; v < kernel; v++)
      dx[s * kernel + v] = dy[s] / size;
}

/* The tile is samples × whole planes of dX. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_avgpool2d_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 kernel = stage->call.op->attr.kernel;
  const gint64 *xs = stage->call.out_tensor[0]->shape, *ys = stage->call.in_tensor[0]->shape;
  const gint64 out_plane = ys[2] * ys[3], in_plane = xs[2] * xs[3];

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    for (gint64 at = b * stage->tiling.cols + t.col, end = at + t.cols; at < end; at += in_plane)
      {
        const float *dy = (const float *) stage->call.in[0] + at / in_plane * out_plane;

        memset (stage->target + at, 0, (gsize) in_plane * sizeof (float));
        for (gint64 h = 0; h < ys[2] * kernel; h++)
          if (kernel == 2)
            share_row (dy + h / 2 * ys[3], 2, ys[3], stage->target + at + h * xs[3]);
          else
            share_row (dy + h / kernel * ys[3], kernel, ys[3], stage->target + at + h * xs[3]);
        ls_cpu_followers (stage, (LsCpuRect){ at, 1, in_plane, in_plane });
      }
}

/* The tile is whole samples. The exponentials of all rows are one loop: rows of ten would leave vectors half
 * empty. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_softmax_xent) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 classes = stage->tiling.cols;
  const float *restrict logits = (const float *) stage->call.in[0] + t.row * classes;
  const gint32 *labels = (const gint32 *) stage->call.in[1] + t.row;
  float *restrict probs = stage->target + t.row * classes, *losses = (float *) stage->call.out[1] + t.row;

  for (gint64 b = 0; b < t.rows; b++)
    {
      const float *y = logits + b * classes;
      float max = y[0];
      for (gint64 j = 1; j < classes; j++)
        max = y[j] > max ? y[j] : max;
      for (gint64 j = 0; j < classes; j++)
        probs[b * classes + j] = y[j] - max;
      losses[b] = max - y[labels[b]];
    }
  LS_INDEPENDENT
  for (gint64 i = 0; i < t.rows * classes; i++)
    probs[i] = ls_vexpf (probs[i]);
  for (gint64 b = 0; b < t.rows; b++)
    {
      float *p = probs + b * classes;
      float sum = 0;
      for (gint64 j = 0; j < classes; j++)
        sum += p[j];
      losses[b] += ls_vlogf (sum);
      for (gint64 j = 0; j < classes; j++)
        p[j] = p[j] / sum;
    }
}

LS_VECTOR void
LS_LOOP (ls_cpu_tile_softmax_xent_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 classes = stage->tiling.cols;
  const float batch = (float) stage->tiling.rows, scale = (float) ls_hyper_factor (stage->call.hyper);
  const float *restrict p = (const float *) stage->call.in[0] + t.row * classes;
  const gint32 *labels = (const gint32 *) stage->call.in[1] + t.row;
  float *restrict dy = stage->target + t.row * classes;

  for (gint64 i = 0; i < t.rows * classes; i++)
    dy[i] = p[i] / batch * scale;
  for (gint64 b = 0; b < t.rows; b++)
    dy[b * classes + labels[b]] = (p[b * classes + labels[b]] - 1) / batch * scale;
}

void
LS_LOOP (ls_cpu_tile_mean) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const gint64 count = ls_tensor_count (stage->call.in_tensor[0]);
  const float *x = stage->call.in[0];
  float sum = 0;

  for (gint64 i = 0; i < count; i++)
    sum += x[i];
  *stage->target = sum / (float) count;
}
