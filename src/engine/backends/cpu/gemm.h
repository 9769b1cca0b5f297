/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix product on the calling thread, added in the order in which every lane adds (LS_SUM_BLOCK in
 * ops/op.h): by loops of our own, and large ones by OpenBLAS, where its kernels for this processor keep that
 * order. Which of them computed a product can't be told from its bits, so neither can how the work was cut
 * into tiles.
 *
 *   gemm.c         chooses
 *   gemm_loops.c   the loops, compiled once for each width of vector registers
 *   gemm_scalar.c  the same without vectors, in blocks and without
 *   blas.c         OpenBLAS
 */
#pragma once

#include <string.h>

#include "ops/op.h"

G_BEGIN_DECLS

/* What C holds before: nothing; what the sums are added to, each when it is done; what their chains of
 * additions begin with, so that several products make up one chain, however long. */
typedef enum { LS_GEMM_NEW, LS_GEMM_ADD, LS_GEMM_GO_ON } LsGemmStart;

/* A product: LsCpuRung has one. */
typedef void (*LsGemmFunc) (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a,
                            gint64 lda, const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);

/* C[m×n] = op(A)[m×k]·op(B)[k×n], or that with what C holds; all row-major; lda, ldb, ldc: elements from one
 * row in memory to the next. Each element's products are added up in blocks of LS_SUM_BLOCK along k: within a
 * block in order, each fused with its multiplication where the processor can, then the blocks' sums in order.
 * Any number of threads may call this at once. */
void ls_gemm (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
              const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);

/* The same as ls_gemm() by the loops, however large it is. */
void ls_gemm_loops (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                    const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);

/* An update of weights in the place of storing their gradient C: velocity ← momentum·velocity + C, weight ←
 * weight − lr·velocity, whose rows are as far apart as C's. */
typedef struct {
  float *weight, *velocity;
  float lr, momentum;
} LsGemmUpdate;

/* The same as ls_gemm_loops(), and with the sums, while they are in registers, that update; the bits are
 * those of an update of its own. c: room for sums of several blocks; what is there afterwards isn't said. */
void ls_gemm_update (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                     const float *b, gint64 ldb, float *c, gint64 ldc, const LsGemmUpdate *update);

/* The same, one number at a time: in blocks, and as textbooks have it. */
void ls_gemm_scalar (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                     const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);
void ls_gemm_naive (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                    const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);

/* ---- a long sum, such as a weight gradient's over all windows of all images: its products come in pieces,
 * and LS_SUM_BLOCK of them are one chain of additions, wherever the pieces end ---- */

typedef void (*LsAddFunc) (float *to, const float *from, gint64 count);

typedef struct {
  float *block, *total; /* count sums each: the chains of this block; the blocks before, added in order */
  gint64 count;
  LsAddFunc add;
  gint64 products; /* of this block, so far */
} LsCpuSum;

/* Goes on with sums of `before` products. */
static inline void
ls_cpu_sum_begin (LsCpuSum *sum, gint64 before)
{
  sum->products = before % LS_SUM_BLOCK;
  if (before > 0)
    return;
  memset (sum->block, 0, (gsize) sum->count * sizeof (float));
  memset (sum->total, 0, (gsize) sum->count * sizeof (float));
}

/* How many of `left` products the block still takes, which are then to be added to its chains. */
static inline gint64
ls_cpu_sum_room (const LsCpuSum *sum, gint64 left)
{
  return MIN (left, LS_SUM_BLOCK - sum->products);
}

static inline void
ls_cpu_sum_added (LsCpuSum *sum, gint64 products)
{
  sum->products += products;
  if (sum->products < LS_SUM_BLOCK)
    return;
  sum->add (sum->total, sum->block, sum->count);
  memset (sum->block, 0, (gsize) sum->count * sizeof (float));
  sum->products = 0;
}

/* The last block, of which there may be less. */
static inline void
ls_cpu_sum_end (LsCpuSum *sum)
{
  if (sum->products > 0)
    sum->add (sum->total, sum->block, sum->count);
}

/* ---- who computes ---- */

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
                      const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);
void ls_gemm_loops_8 (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                      const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);
void ls_gemm_loops_16 (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
                       const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);
#define LS_GEMM_UPDATE(name)                                                                                 \
  void ls_gemm_##name (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,   \
                       const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc,                  \
                       const LsGemmUpdate *update);
LS_GEMM_UPDATE (update_4)
LS_GEMM_UPDATE (update_8)
LS_GEMM_UPDATE (update_16)
#undef LS_GEMM_UPDATE
#define LS_GEMM_SCALAR(name)                                                                                 \
  void ls_gemm_##name (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,   \
                       const float *b, gint64 ldb, LsGemmStart start, float *c, gint64 ldc);
LS_GEMM_SCALAR (naive_plain)
LS_GEMM_SCALAR (naive_fma)
LS_GEMM_SCALAR (scalar_plain)
LS_GEMM_SCALAR (scalar_fma)
#undef LS_GEMM_SCALAR

G_END_DECLS
