/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile functions of the ops of a sequence: samples as steps and back, a step's gates and cell, and the way
 * back through them. The formulas are the ops' (ops/op_lstm.c, ops/op_sequence.c).
 */
#include "backends/cpu/kernel.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/vmath.h"

/* One step of one sample: pieces of `across` values, one for each channel; in the planes they are `apart`,
 * and their values `next` to each other. */
static inline void
move_step (const float *restrict from, float *restrict to, gint64 channels, gint64 across, gint64 apart,
           gint64 next, gboolean back)
{
  for (gint64 c = 0; c < channels; c++)
    for (gint64 i = 0; i < across; i++)
      if (back)
        to[c * apart + i * next] = from[c * across + i];
      else
        to[c * across + i] = from[c * apart + i * next];
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
      const float *from = (const float *) stage->call.in[0] + b * x[1] * plane
                          + (by_columns ? step : step * x[3]);
      float *to = stage->target + row * values;

      if (by_columns)
        move_step (from, to, x[1], x[2], plane, x[3], FALSE);
      else
        move_step (from, to, x[1], x[3], plane, 1, FALSE);
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
        const float *from = (const float *) stage->call.in[0] + (step * x[0] + b) * values;
        float *to = stage->target + b * x[1] * plane + (by_columns ? step : step * x[3]);

        if (by_columns)
          move_step (from, to, x[1], x[2], plane, x[3], TRUE);
        else
          move_step (from, to, x[1], x[3], plane, 1, TRUE);
      }
}

LS_VECTOR void
LS_LOOP (ls_cpu_tile_lstm) (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const gint64 n = stage->tiling.cols;

  for (gint64 b = t.row; b < t.row + t.rows; b++)
    {
      const float *restrict z = (const float *) stage->call.in[0] + 4 * b * n,
                            *restrict q = (const float *) stage->call.in[1] + 4 * b * n,
                            *restrict before = (const float *) stage->call.in[2] + b * n;
      float *restrict h = stage->target + b * n, *restrict c = (float *) stage->call.out[1] + b * n,
                      *restrict gates = (float *) stage->call.out[2] + 4 * b * n;

      LS_INDEPENDENT
      for (gint64 j = 0; j < n; j++)
        {
          const float i = ls_vsigmoidf (z[j] + q[j]), f = ls_vsigmoidf (z[n + j] + q[n + j]),
                      g = ls_vtanhf (z[2 * n + j] + q[2 * n + j]),
                      o = ls_vsigmoidf (z[3 * n + j] + q[3 * n + j]);
          const float cell = f * before[j] + i * g;

          gates[j] = i;
          gates[n + j] = f;
          gates[2 * n + j] = g;
          gates[3 * n + j] = o;
          c[j] = cell;
          h[j] = o * ls_vtanhf (cell);
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
                            *restrict dc = (const float *) stage->call.in[1] + b * n,
                            *restrict gates = (const float *) stage->call.in[2] + 4 * b * n,
                            *restrict before = (const float *) stage->call.in[3] + b * n,
                            *restrict c = (const float *) stage->call.in[4] + b * n;
      float *restrict dz = stage->target + 4 * b * n, *restrict dbefore = (float *) stage->call.out[1]
                                                                          + b * n;

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
