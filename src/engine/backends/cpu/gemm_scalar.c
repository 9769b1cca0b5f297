/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix product without vectors, for one block of the sum, twice.
 *
 * naive, as textbooks define it: three loops, one sum at a time, every element of A and B fetched from where
 * it lies as often as it is needed. It is what a processor does without blocks for its registers and caches:
 * each addition waits for the one before.
 *
 * scalar, in blocks, but one number at a time: what blocking alone gains, before gemm_loops.c computes whole
 * vectors. A panel of B's columns is copied and stays in the first cache; ROWS × COLS sums stay in registers
 * while k runs, so that a number that was fetched is used ROWS or COLS times, and no addition waits for the
 * one before.
 *
 *                panel                per k: sum[r][c] += A(r, k) · B(k, c)
 *              ┌────────┐
 *          k   │ . . . .│             Each element is one chain of additions in the order of k, as everywhere.
 *      ┌─────┐ ├────────┤
 * rows │ A ► │ │ ■ ■ ■ ■│ C
 *      └─────┘ └────────┘
 *
 * meson.build compiles both for LS_SET, without vectorising and without reordering loops; with
 * multiplications and additions fused where the processor can, so that their bits are those of every other
 * way (gemm.h).
 *
 *   LS_SET   plain: the first x86-64 processors', or another architecture's; fma: those that can fuse
 */
#include "backends/cpu/gemm.h"

#include "core/unroll.h"
#include "ops/op.h"

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

/* The sums of a tile leave registers for what they are made from: 16 of x86-64. model/blas_model.c draws
 * them. */
#define ROWS 3
#define COLS 4

typedef struct {
  gint64 k;
  const float *a;
  gint64 a_row, a_k;
  const float *panel; /* k rows of COLS */
  float *c;
  gint64 ldc, cols;
  LsGemmStart start;
} Tile;

/* rows is a constant wherever this is inlined. */
static inline __attribute__ ((always_inline)) void
compute (const Tile *t, int rows)
{
  float sum[ROWS][COLS];
  const float *a = t->a, *b = t->panel;

  LS_UNROLL
  for (int r = 0; r < rows; r++)
    LS_UNROLL
  for (int j = 0; j < COLS; j++)
    sum[r][j] = t->start == LS_GEMM_GO_ON && j < t->cols ? t->c[r * t->ldc + j] : 0;
  for (gint64 k = t->k; k > 0; k--, a += t->a_k, b += COLS)
    LS_UNROLL
  for (int r = 0; r < rows; r++)
    {
      const float x = a[r * t->a_row];
      LS_UNROLL
      for (int j = 0; j < COLS; j++)
        sum[r][j] += x * b[j];
    }
  LS_UNROLL
  for (int r = 0; r < rows; r++)
    {
      float *c = t->c + r * t->ldc;
      LS_UNROLL
      for (int j = 0; j < COLS; j++)
        if (j < t->cols)
          c[j] = t->start == LS_GEMM_ADD ? c[j] + sum[r][j] : sum[r][j];
    }
}

void
JOIN (ls_gemm_scalar_, LS_SET) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                                gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c,
                                gint64 ldc)
{
  const gint64 b_k = tb ? 1 : ldb, b_col = tb ? ldb : 1;
  float panel[LS_SUM_BLOCK * COLS];

  for (gint64 col = 0; col < n; col += COLS)
    {
      Tile t = { k, a, ta ? 1 : lda, ta ? lda : 1, panel, c + col, ldc, MIN (COLS, n - col), start };

      for (gint64 p = 0; p < k; p++)
        for (gint64 j = 0; j < COLS; j++)
          panel[p * COLS + j] = j < t.cols ? b[p * b_k + (col + j) * b_col] : 0;
      for (gint64 left = m; left > 0; left -= ROWS, t.a += ROWS * t.a_row, t.c += ROWS * ldc)
        if (left >= 3)
          compute (&t, 3);
        else if (left == 2)
          compute (&t, 2);
        else
          compute (&t, 1);
    }
}
