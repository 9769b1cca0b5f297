/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile functions of the ops over rows: samples as steps and back, a step's gates and cell, layer
 * normalisation, and the ways back through them. The formulas are the ops' (ops/op_lstm.c, ops/op_sequence.c,
 * ops/op_layernorm.c).
 */
#include <math.h>

#include "backends/cpu/kernel.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/vmath.h"

/* clang-format off */
#define MOVE(name, T)                                                                                        \
  static inline void                                                                                         \
  name (const T *restrict from, T *restrict to, gint64 channels, gint64 across, gint64 apart, gint64 next,   \
        gboolean back)                                                                                       \
  {                                                                                                          \
    for (gint64 c = 0; c < channels; c++)                                                                    \
      for (gint64 i = 0; i < across; i++)                                                                    \
        if (back)                                                                                            \
          to[c * apart + i * next] = from[c * across + i];                                                   \
        else                                                                                                 \
          to[c * across + i] = from[c * apart + i * next];                                                   \
  }
MOVE (move_floats, float)
MOVE (move_halves, guint16)
/* clang-format on */

/* One step of one sample, from that element of the input to that one of the output: pieces of `across`
 * values, one for each channel; in the planes they are `apart`, and their values `next` to each other. What
 * they are stored as is nothing to it. */
static inline void
move_step (const LsCpuStage *stage, gint64 from, gint64 to, gint64 channels, gint64 across, gint64 apart,
           gint64 next, gboolean back)
{
  if (ls_dtype_is_half (stage->call.out_dtype[0]))
    move_halves ((const guint16 *) stage->call.in[0] + from, (guint16 *) (void *) stage->target + to,
                 channels, across, apart, next, back);
  else
    move_floats ((const float *) stage->call.in[0] + from, stage->target + to, channels, across, apart, next,
                 back);
}

/* Rows of the tile are steps of samples. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_sequence) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 *x = stage->call.in_tensor[0]->shape, plane = x[2] * x[3], values = stage->tiling.cols;
  const gboolean by_columns = stage->call.op->attr.by_columns;

  for (gint64 row = t.row; row < t.row + t.rows; row++)
    {
      const gint64 step = row / x[0], b = row % x[0];
      const gint64 from = b * x[1] * plane + (by_columns ? step : step * x[3]), to = row * values;

      if (by_columns)
        move_step (stage, from, to, x[1], x[2], plane, x[3], FALSE);
      else
        move_step (stage, from, to, x[1], x[3], plane, 1, FALSE);
    }
}

/* Rows of the tile are samples. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_planes) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 *x = stage->call.out_tensor[0]->shape, plane = x[2] * x[3];
  const gboolean by_columns = stage->call.op->attr.by_columns;
  const gint64 steps = by_columns ? x[3] : x[2], values = x[1] * plane / steps;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    for (gint64 step = 0; step < steps; step++)
      {
        const gint64 from = (step * x[0] + b) * values,
                     to = b * x[1] * plane + (by_columns ? step : step * x[3]);

        if (by_columns)
          move_step (stage, from, to, x[1], x[2], plane, x[3], TRUE);
        else
          move_step (stage, from, to, x[1], x[3], plane, 1, TRUE);
      }
}

/* The cell, however its gates came to be: one expression, so that all round alike. clang fuses now the one
 * multiplication with the addition, now the other. */
static inline float
cell_of (float i, float f, float g, float before)
{
#if defined __clang__ && defined __FMA__
  return __builtin_fmaf (f, before, i * g);
#else
  return f * before + i * g;
#endif
}

LS_VECTOR void
LS_LOOP (ls_cpu_tile_lstm) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const float *z = (const float *) stage->call.in[0] + 4 * b * n, /* gates may lie there */
        *restrict q = (const float *) stage->call.in[1] + 4 * b * n,
                  *restrict before = (const float *) stage->call.in[2] + b * n;
      float *restrict h = stage->target + b * n, *restrict c = (float *) stage->call.out[1] + b * n,
                      *gates = (float *) stage->call.out[2] + 4 * b * n;

      LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        {
          const float i = ls_vsigmoidf (z[j] + q[j]), f = ls_vsigmoidf (z[n + j] + q[n + j]),
                      g = ls_vtanhf (z[2 * n + j] + q[2 * n + j]),
                      o = ls_vsigmoidf (z[3 * n + j] + q[3 * n + j]);
          const float cell = cell_of (i, f, g, before[j]);

          gates[j] = i;
          gates[n + j] = f;
          gates[2 * n + j] = g;
          gates[3 * n + j] = o;
          c[j] = cell;
          h[j] = o * ls_vtanhf (cell);
        }
    }
}

/* The same in five passes: the gates i, f, g and o, each by itself, then the cell, which reads them again. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_lstm_apart) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols;
  const guint pass = t.split;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      float *gates = (float *) stage->call.out[2] + 4 * b * n;
      const float *i = gates, *f = gates + n, *g = gates + 2 * n,
                  *o = gates + 3 * n, *restrict before = (const float *) stage->call.in[2] + b * n;
      const gint64 at = MIN (pass, 3) * n;
      const float *restrict z = (const float *) stage->call.in[0] + 4 * b * n + at,
                            *restrict q = (const float *) stage->call.in[1] + 4 * b * n + at;
      float *restrict h = stage->target + b * n, *restrict c = (float *) stage->call.out[1] + b * n,
                      *gate = gates + at;

      if (pass == 2)
        LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        gate[j] = ls_vtanhf (z[j] + q[j]);
      else if (pass < 4) LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        gate[j] = ls_vsigmoidf (z[j] + q[j]);
      else LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        {
          const float cell = cell_of (i[j], f[j], g[j], before[j]);

          c[j] = cell;
          h[j] = o[j] * ls_vtanhf (cell);
        }
    }
}

/* The tile is whole samples. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_lstm_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols / 4;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const float *restrict dh = (const float *) stage->call.in[0] + b * n,
                            *dc = (const float *) stage->call.in[1] + b * n, /* dbefore may lie there */
                              *gates = (const float *) stage->call.in[2] + 4 * b * n, /* dz may */
                                *restrict before = (const float *) stage->call.in[3] + b * n,
                            *restrict c = (const float *) stage->call.in[4] + b * n;
      float *dz = stage->target + 4 * b * n, *dbefore = (float *) stage->call.out[1] + b * n;

      LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        {
          const float i = gates[j], f = gates[n + j], g = gates[2 * n + j], o = gates[3 * n + j];
          const float bent = ls_vtanhf (c[j]), cell = dc[j] + dh[j] * o * (1 - bent * bent);

          dz[j] = cell * g * i * (1 - i);
          dz[n + j] = cell * before[j] * f * (1 - f);
          dz[2 * n + j] = cell * i * (1 - g * g);
          dz[3 * n + j] = dh[j] * bent * o * (1 - o);
          dbefore[j] = cell * f;
        }
    }
}

/* ---- layer normalisation: a row is added up in LS_ROW_SUMS sums, element i in sum i modulo LS_ROW_SUMS, and
 * those by halves; kernels_cl/layernorm.cl does the same ---- */

#define EPSILON 1e-5f

/* Does `sum` with j = 0 … LS_ROW_SUMS − 1 for each LS_ROW_SUMS elements from i on, then for the rest. The
 * order is fixed, and so must the roundings be: from 128 elements on GCC would make vectors across the outer
 * loop, whose products are rounded before they are added in order, instead of multiply-adds as of shorter
 * rows and on the other lane. */
#define EACH_OF_ROW(n, sum)                                                                                  \
  {                                                                                                          \
    gint64 i = 0;                                                                                            \
    for (; i + LS_ROW_SUMS <= n; i += LS_ROW_SUMS)                                                           \
      {                                                                                                      \
        __asm__ volatile("");                                                                                \
        for (gint64 j = 0; j < LS_ROW_SUMS; j++)                                                             \
          {                                                                                                  \
            sum;                                                                                             \
          }                                                                                                  \
      }                                                                                                      \
    for (gint64 j = 0; i + j < n; j++)                                                                       \
      {                                                                                                      \
        sum;                                                                                                 \
      }                                                                                                      \
  }

static inline float
sum_up (float *sums)
{
  for (gint64 half = LS_ROW_SUMS / 2; half > 0; half /= 2)
    for (gint64 j = 0; j < half; j++)
      sums[j] += sums[j + half];
  return sums[0];
}

/* The tile is whole samples, each of one row or more. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_layernorm) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = ls_tensor_count (stage->call.in_tensor[1]), cols = stage->tiling.cols, each = cols / n;
  const float *restrict gamma = stage->call.in[1], *restrict beta = stage->call.in[2];
  float *means = stage->call.out[1], *scales = stage->call.out[2];

  for (gint64 row = t.row * each; row < (t.row + t.rows) * each; row++)
    {
      const float *restrict x = (const float *) stage->call.in[0] + row * n;
      float *restrict y = stage->target + row * n;
      float sums[LS_ROW_SUMS] = { 0 }, squares[LS_ROW_SUMS] = { 0 };

      EACH_OF_ROW (n, sums[j] += x[i + j])
      const float mean = sum_up (sums) / (float) n;
      EACH_OF_ROW (n, const float d = x[i + j] - mean; squares[j] += d * d)
      const float variance = sum_up (squares) / (float) n, scale = 1.0f / sqrtf (variance + EPSILON);
      for (gint64 i = 0; i < n; i++)
        y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
      means[row] = mean;
      scales[row] = scale;
    }
  for (gint64 b = t.row; b < t.row + t.rows; b++)
    ls_cpu_followers (stage, (LsCpuRect){ b * cols, 1, cols, cols });
}

/* The tile is whole samples. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_layernorm_grad) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = ls_tensor_count (stage->call.in_tensor[2]), cols = stage->tiling.cols, each = cols / n;
  const float *restrict gamma = stage->call.in[2], *means = stage->call.in[3], *scales = stage->call.in[4];

  for (gint64 row = t.row * each; row < (t.row + t.rows) * each; row++)
    {
      const float *restrict dy = (const float *) stage->call.in[0] + row * n,
                            *restrict x = (const float *) stage->call.in[1] + row * n;
      float *restrict dx = stage->target + row * n;
      const float mean = means[row], scale = scales[row];
      float sums[LS_ROW_SUMS] = { 0 }, alongs[LS_ROW_SUMS] = { 0 };

      EACH_OF_ROW (n, const float g = dy[i + j] * gamma[i + j]; sums[j] += g;
                   alongs[j] += g * ((x[i + j] - mean) * scale))
      const float sum = sum_up (sums) / (float) n, along = sum_up (alongs) / (float) n;
      for (gint64 i = 0; i < n; i++)
        dx[i] = (dy[i] * gamma[i] - sum - (x[i] - mean) * scale * along) * scale;
    }
  for (gint64 b = t.row; b < t.row + t.rows; b++)
    ls_cpu_followers (stage, (LsCpuRect){ b * cols, 1, cols, cols });
}

/* Columns of the tile are elements of γ; rows are added in their order. */
LS_VECTOR void
LS_LOOP (ls_cpu_tile_layernorm_dw) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols, rows = ls_tensor_count (stage->call.in_tensor[2]);
  const float *means = stage->call.in[2], *scales = stage->call.in[3];
  float *restrict dgamma = stage->target + t.col, *restrict dbeta = (float *) stage->call.out[1] + t.col;

  memset (dgamma, 0, (gsize) t.cols * sizeof (float));
  memset (dbeta, 0, (gsize) t.cols * sizeof (float));
  for (gint64 row = 0; row < rows; row++)
    {
      const float *restrict dy = (const float *) stage->call.in[0] + row * n + t.col,
                            *restrict x = (const float *) stage->call.in[1] + row * n + t.col;
      const float mean = means[row], scale = scales[row];

      for (gint64 i = 0; i < t.cols; i++)
        {
          dgamma[i] += dy[i] * ((x[i] - mean) * scale);
          dbeta[i] += dy[i];
        }
    }
}
