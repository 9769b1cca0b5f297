/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What OpenBLAS does inside one sgemm call that needs no further cutting, as its sources say, since a call can't be watched
 * from outside: which micro-tile of C stays in registers, and how the two factors are packed. Everything that is drawn from
 * it is modelled.
 *
 * Sources: OpenBLAS 0.3.21, param.h (SGEMM_DEFAULT_UNROLL_M, _N), kernel/x86_64/sgemm_kernel_16x4_skylakex_3.c and
 * sgemm_kernel_8x4_haswell_2.c (accumulators per pass). The scheme: Goto, van de Geijn, "Anatomy of high-performance matrix
 * multiplication", TOMS 2008. OpenBLAS computes a row-major C as a column-major Cᵀ, so its M is our columns.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *core;          /* as openblas_get_corename() says it */
  guint rows, cols;          /* of the micro-tile, in C's orientation */
  guint sliver_rows;         /* rows of A that are packed side by side; of B it is `cols` columns */
  guint registers, register_bytes;
  guint used;                /* registers that hold the micro-tile */
} LsBlasModel;

/* driver: "OpenBLAS 0.3.21 (Cooperlake)". NULL: that core isn't modelled. */
const LsBlasModel *ls_blas_model (const char *driver);

/* Bytes that a product of rows × cols × k, in one call, moves between two levels. */
typedef struct {
  gint64 registers;          /* into registers: a column of A's and a row of B's micro-tile for each product */
  gint64 l1;                 /* into the first cache: slivers of both packed factors, A's anew for each sliver of B's */
  gint64 l2;                 /* into the second: the factors, once, to be packed */
  gint64 flops;
} LsBlasTraffic;

/* The last micro-tiles of a row or column count as whole ones. With k products done of all slivers before `sliver`, of `groups` micro-tiles in it, and `step` products in the next. */
LsBlasTraffic ls_blas_traffic (const LsBlasModel *model, gint64 rows, gint64 cols, gint64 k, gint64 sliver, gint64 groups, gint64 step);

G_END_DECLS
