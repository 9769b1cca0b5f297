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

/* An operand's number; beyond the edge 0. */
static float
at (const float *values, guint rows, guint cols, guint row, guint col)
{
  return row < rows && col < cols ? ls_half_round (LS_F16, values[(gsize) row * cols + col]) : 0;
}

void
ls_tensor_core_multiply (const LsTensorTile *tile, guint m, guint n, guint k, const float *a, const float *b,
                         float *c)
{
  g_autofree float *sums = g_new (float, (gsize) tile->m * tile->n);

  for (guint i0 = 0; i0 < m; i0 += tile->m)
    for (guint j0 = 0; j0 < n; j0 += tile->n)
      {
        for (gsize s = 0; s < (gsize) tile->m * tile->n; s++)
          sums[s] = 0;
        for (guint p0 = 0; p0 < k; p0 += tile->k)
          for (guint i = 0; i < tile->m; i++) /* one instruction */
            for (guint j = 0; j < tile->n; j++)
              for (guint p = 0; p < tile->k; p++)
                sums[(gsize) i * tile->n + j] += at (a, m, k, i0 + i, p0 + p) * at (b, k, n, p0 + p, j0 + j);
        for (guint i = 0; i < tile->m && i0 + i < m; i++)
          for (guint j = 0; j < tile->n && j0 + j < n; j++)
            c[(gsize) (i0 + i) * n + j0 + j] = sums[(gsize) i * tile->n + j];
      }
}
