/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See tensor_core.h.
 */
#include "config.h"
#include "machines/tensor_core.h"

#include "core/half.h"

#include <math.h>

double
ls_tensor_core_instructions (const LsTensorTile *tile, double m, double n, double k)
{
  return ceil (m / tile->m) * ceil (n / tile->n) * ceil (k / tile->k);
}

double
ls_tensor_core_useful (const LsTensorTile *tile, double m, double n, double k)
{
  return m * n * k
         / (ls_tensor_core_instructions (tile, m, n, k) * (double) tile->m * (double) tile->n
            * (double) tile->k);
}

/* In 16 bits, with zeros beyond the edges, so that it is a whole number of tiles each way. (transfer full) */
static float *
pad (const float *values, guint rows, guint cols, guint all_rows, guint all_cols)
{
  float *out = g_new0 (float, (gsize) all_rows *all_cols);

  for (guint i = 0; i < rows; i++)
    for (guint j = 0; j < cols; j++)
      out[(gsize) i * all_cols + j] = ls_half_round (LS_F16, values[(gsize) i * cols + j]);
  return out;
}

static guint
whole (guint n, guint tile)
{
  return (n + tile - 1) / tile * tile;
}

/* Each sum along k in order. */
static void
one_instruction (const LsTensorTile *tile, const float *a, gsize a_cols, const float *b, gsize b_cols,
                 float *sums)
{
  for (guint i = 0; i < tile->m; i++)
    for (guint p = 0; p < tile->k; p++)
      for (guint j = 0; j < tile->n; j++)
        sums[(gsize) i * tile->n + j] += a[i * a_cols + p] * b[p * b_cols + j];
}

void
ls_tensor_core_multiply (const LsTensorTile *tile, guint m, guint n, guint k, const float *a, const float *b,
                         float *c)
{
  const guint all_m = whole (m, tile->m), all_n = whole (n, tile->n), all_k = whole (k, tile->k);
  g_autofree float *sums = g_new (float, (gsize) tile->m * tile->n), *left = pad (a, m, k, all_m, all_k),
                   *right = pad (b, k, n, all_k, all_n);

  for (guint i0 = 0; i0 < m; i0 += tile->m)
    for (guint j0 = 0; j0 < n; j0 += tile->n)
      {
        for (gsize s = 0; s < (gsize) tile->m * tile->n; s++)
          sums[s] = 0;
        for (guint p0 = 0; p0 < k; p0 += tile->k)
          one_instruction (tile, left + (gsize) i0 * all_k + p0, all_k, right + (gsize) p0 * all_n + j0,
                           all_n, sums);
        for (guint i = 0; i < tile->m && i0 + i < m; i++)
          for (guint j = 0; j < tile->n && j0 + j < n; j++)
            c[(gsize) (i0 + i) * n + j0 + j] = sums[(gsize) i * tile->n + j];
      }
}
