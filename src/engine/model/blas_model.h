/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the CPU lane does inside one call of its matrix product: which micro-tile of C stays in registers, and
 * which factor is packed. Either the lane's own loops compute it (backends/cpu/gemm_*.c), or OpenBLAS, as
 * its sources say, since a call can't be watched from outside. Everything that is drawn from it is modelled;
 * who computes it is decided as in backends/cpu/gemm.c.
 *
 * Sources: OpenBLAS 0.3.21, param.h (SGEMM_DEFAULT_UNROLL_M, _N),
 * kernel/x86_64/sgemm_kernel_16x4_skylakex_3.c and sgemm_kernel_8x4_haswell_2.c (accumulators per pass),
 * sgemm_small_kernel_nn_skylakex.c and _permit_ (products that aren't packed). The scheme: Goto, van de
 * Geijn, "Anatomy of high-performance matrix multiplication", TOMS 2008. OpenBLAS computes a row-major C as a
 * column-major Cᵀ, so its M is our columns.
 */
#pragma once

#include "core/tiling.h"

G_BEGIN_DECLS

/* Multiplications up to which OpenBLAS has kernels of their own for small matrices (AVX-512). */
#define LS_BLAS_SMALL 1000000
/* Multiplications of a block of the sum, up to which the lane's loops compute a tile: measured on a processor
 * with AVX-512, where OpenBLAS is as fast as they are at twice as many. */
#define LS_GEMM_LOOPS_MOST 30000000

typedef enum {
  LS_GEMM_BLAS,       /* OpenBLAS, both factors packed */
  LS_GEMM_BLAS_SMALL, /* OpenBLAS's kernels for small matrices: nothing is packed */
  LS_GEMM_LOOPS,      /* the lane's own: at most a panel of B is copied */
  LS_GEMM_SCALAR,     /* … one number at a time */
  LS_GEMM_NAIVE,      /* … and not in blocks */
} LsGemmBy;

typedef struct {
  const char *core;  /* as openblas_get_corename() says it; of loops NULL */
  guint rows, cols;  /* of the micro-tile, in C's orientation */
  guint sliver_rows; /* rows of A that are packed side by side; of B it is `cols` columns */
  guint registers, register_bytes;
  guint used; /* registers that hold the micro-tile */
  LsGemmBy by;
  gboolean packs_a, packs_b;
} LsBlasModel;

/* A lane, as its device says. */
typedef struct {
  const char *core;    /* as in LsBlasModel; NULL: not known */
  gboolean large_blas; /* large products are OpenBLAS's, too */
  guint floats;        /* of a vector of the loops; 0: as the core has them */
  LsWay way;           /* as the op's tiling says it: of columns, too, OpenBLAS or which loops */
} LsGemmLane;

/* What a call is there for. */
typedef enum {
  LS_GEMM_PLAIN,   /* a matrix product: by OpenBLAS, unless the tile is small enough for the loops */
  LS_GEMM_OWN,     /* one that its recording says the loops compute, however large */
  LS_GEMM_COLUMNS, /* of a convolution by way of columns: by the loops, or, as a recording may say, by
                      OpenBLAS */
  LS_GEMM_PICTURE, /* of a convolution without columns, by backends/cpu/direct_loops.c: B is pixels, as they
                      lie */
  LS_GEMM_BY_OUTPUTS, /* likewise, by direct_outputs.c: with outputs as lanes, for some pixels of a row */
  LS_GEMM_PIXELS, /* of its gradient towards the weights: A is pixels, each with its outputs side by side */
} LsGemmUse;

typedef struct {
  gint64 m, n, k;
  gboolean ta, tb;
  LsGemmUse use;
  gint64 window; /* of pixels: the kernel's rows, which are gone through one by one */
  gint64 row;    /* by outputs: pixels of a row */
} LsGemmCall;

/* What computes that call. FALSE: the core isn't modelled; Haswell's stands in for it. */
gboolean ls_gemm_model (const LsGemmLane *lane, const LsGemmCall *call, LsBlasModel *model);

/* Bytes that a product of rows × cols × k, in one call, moves between two levels. */
typedef struct {
  gint64 registers; /* into registers: a column of A's and a row of B's micro-tile for each product */
  gint64 l1; /* into the first cache: slivers of both packed factors, A's anew for each sliver of B's */
  gint64 l2; /* into the second: the factors, once, to be packed */
  gint64 flops;
} LsBlasTraffic;

/* The last micro-tiles of a row or column count as whole ones. With k products done of all slivers before
 * `sliver`, of `groups` micro-tiles in it, and `step` products in the next. */
LsBlasTraffic ls_blas_traffic (const LsBlasModel *model, gint64 rows, gint64 cols, gint64 k, gint64 sliver,
                               gint64 groups, gint64 step);

G_END_DECLS
