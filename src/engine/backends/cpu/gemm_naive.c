/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix product as textbooks define it, for one block of the sum: three loops, one sum at a time, every
 * element of A and B fetched from where it lies as often as it is needed. It is what a processor does without
 * vectors and without blocks for its registers and caches: each addition waits for the one before.
 *
 * meson.build compiles it for LS_SET, without vectorising and without reordering loops; with multiplications
 * and additions fused where the processor can, so that its bits are those of every other way (gemm.h).
 *
 *   LS_SET   plain: the first x86-64 processors', or another architecture's; fma: those that can fuse
 */
#include "backends/cpu/gemm.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_ (a, b)

void
JOIN (ls_gemm_naive_, LS_SET) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                               gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c,
                               gint64 ldc)
{
  const gint64 a_row = ta ? 1 : lda, a_k = ta ? lda : 1, b_k = tb ? 1 : ldb, b_col = tb ? ldb : 1;

  for (gint64 j = 0; j < n; j++)
    for (gint64 i = 0; i < m; i++)
      {
        float *to = &c[i * ldc + j], sum = start == LS_GEMM_GO_ON ? *to : 0;
        for (gint64 p = 0; p < k; p++)
          sum += a[i * a_row + p * a_k] * b[p * b_k + j * b_col];
        *to = start == LS_GEMM_ADD ? *to + sum : sum;
      }
}
