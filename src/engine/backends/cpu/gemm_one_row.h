/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Batches of one, of gemm_loops.c: forwards one row by a transposed B, back to the weights an outer product.
 *
 * One row by a transposed B: four numbers of each of VEC columns, which lie along memory, are turned in
 * registers and used at once: no panel that nothing else would read. Registers of 8 floats do as well as
 * those of 16 (ls_gemm_loops_16() is not asked).
 */
#pragma once

#include "backends/cpu/gemm.h"
#include "backends/cpu/vectors.h"
#include "ops/op.h"

static void
update_row (const LsGemmUpdate *update, gint64 at, float x, const float *restrict b, gint64 n)
{
  float *restrict weight = update->weight + at, *restrict velocity = update->velocity + at;
  const LsGemmUpdate rates = *update;

  for (gint64 i = 0; i < n; i++)
    UPDATE (float, &rates, weight + i, velocity + i, x * b[i] + 0.0f)
}

/* C = a·bᵀ, or the update by it. The sum that a chain begins with is kept: 0 + (−0) is 0. */
static void
outer_product (gint64 m, gint64 n, const float *a, gint64 a_row, const float *restrict b, float *c,
               gint64 ldc, const LsGemmUpdate *update)
{
  for (gint64 row = 0; row < m; row++)
    {
      const float x = a[row * a_row];
      const gint64 at = row * ldc;
      float *restrict to = c + at;
      if (update != NULL)
        update_row (update, at, x, b, n);
      else
        for (gint64 i = 0; i < n; i++)
          to[i] = x * b[i] + 0.0f;
    }
}

#if VEC <= 8
#define CHAINS 4 /* sums that are under way at a time, of VEC columns each */

/* sum + a₀·b₀ + … + a₃·b₃, in that order, of VEC columns. */
INLINE Vector
add_four (Vector sum, const float *a, const float *b, gint64 col)
{
  Vector row[4];

  turn_four (b, col, row);
  LS_UNROLL
  for (int k = 0; k < 4; k++)
    sum += a[k] * row[k];
  return sum;
}

/* The same of what is left of a block, a number at a time. */
INLINE Vector
add_one (Vector sum, float a, const float *b, gint64 col)
{
  Vector v;

  LS_UNROLL
  for (int j = 0; j < VEC; j++)
    v[j] = b[j * col];
  return sum + a * v;
}

/* c[CHAINS·VEC] = a·B, or that with what is there, of k numbers. */
static void
turned_columns (const float *a, const float *b, gint64 col, gint64 k, LsGemmStart start, float *c)
{
  for (gint64 first = 0; first < k; first += LS_SUM_BLOCK, a += LS_SUM_BLOCK, b += LS_SUM_BLOCK)
    {
      const gint64 count = MIN (LS_SUM_BLOCK, k - first), fours = count / 4 * 4;
      Vector sum[CHAINS] = { { 0 } };

      if (start == LS_GEMM_GO_ON)
        LS_UNROLL
      for (int s = 0; s < CHAINS; s++)
        sum[s] = *(const Vector *) (c + s * VEC);

      for (gint64 i = 0; i < fours; i += 4)
        LS_UNROLL
      for (int s = 0; s < CHAINS; s++)
        sum[s] = add_four (sum[s], a + i, b + s * VEC * col + i, col);
      for (gint64 i = fours; i < count; i++)
        LS_UNROLL
      for (int s = 0; s < CHAINS; s++)
        sum[s] = add_one (sum[s], a[i], b + s * VEC * col + i, col);
      LS_UNROLL
      for (int s = 0; s < CHAINS; s++)
        {
          Vector *to = (Vector *) (c + s * VEC);
          if (start == LS_GEMM_ADD || (start == LS_GEMM_NEW && first > 0))
            *to += sum[s];
          else
            *to = sum[s];
        }
    }
}
#endif
