/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix product on the calling thread, added in the order in which every lane adds (LS_SUM_BLOCK in
 * ops/op.h): by loops of our own, and large ones by OpenBLAS, where its kernels for this processor keep that
 * order. Which of them computed a product can't be told from its bits, so neither can how the work was cut
 * into tiles.
 *
 *   gemm.c         chooses
 *   gemm_loops.c   the loops, compiled once for each width of vector registers
 *   gemm_scalar.c  the same without vectors, in blocks
 *   gemm_naive.c   … and without blocks
 *   blas.c         OpenBLAS
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A product: LsCpuRung has one. */
typedef void (*LsGemmFunc) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                            gint64 lda, const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);

/* C[m×n] = op(A)[m×k]·op(B)[k×n], or C + that if `add`; all row-major; lda, ldb, ldc: elements from one row
 * in memory to the next. Each element's products are added up in blocks of LS_SUM_BLOCK along k: within a
 * block in order, each fused with its multiplication where the processor can, then the blocks' sums in order.
 * Any number of threads may call this at once. */
void ls_gemm (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
              const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);

/* By OpenBLAS in one call, which sums in an order of its own; by the loops, where it has no room. */
void ls_gemm_columns (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                      const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);

/* The same as ls_gemm() by the loops, however large it is. */
void ls_gemm_loops (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                    const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);

/* The same, one number at a time: in blocks, and as textbooks have it. */
void ls_gemm_scalar (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                     const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);
void ls_gemm_naive (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                    const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);

/* Whether OpenBLAS computes the large products here: found out by computing some and looking at their
 * bits. */
gboolean ls_gemm_uses_blas (void);
/* Whether it computes this one, its blocks of the sum at least, but for a shorter last one. */
gboolean ls_gemm_calls_blas (gint64 m, gint64 n, gint64 k);

/* Floats of a vector of the loops that this processor is given. */
guint ls_gemm_loop_floats (void);

/* The loops, for registers of 4, 8 (AVX2) and 16 (AVX-512) floats, and those without vectors, with k ≤
 * LS_SUM_BLOCK. */
void ls_gemm_loops_4 (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                      const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);
void ls_gemm_loops_8 (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                      const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);
void ls_gemm_loops_16 (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                       const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);
#define LS_GEMM_SCALAR(name)                                                                                 \
  void ls_gemm_##name (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,   \
                       const float *b, gint64 ldb, gboolean add, float *c, gint64 ldc);
LS_GEMM_SCALAR (naive_plain)
LS_GEMM_SCALAR (naive_fma)
LS_GEMM_SCALAR (scalar_plain)
LS_GEMM_SCALAR (scalar_fma)
#undef LS_GEMM_SCALAR

G_END_DECLS
