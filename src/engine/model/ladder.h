/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ladder of matrix product kernels on paper: how each rung of kernels_cl/gemm_*.cl cuts C[M×N] =
 * A[M×K]·B[K×N], and what it loads, stores and computes for that. Pure counting, in floats, of what the
 * kernel's text says: no cache, no coalescing. Oclgrind, which interprets kernels, counts the same at
 * 64×64×64 (tests/opencl/kernels/test-ledger.c).
 */
#pragma once

#include "core/tiling.h"

G_BEGIN_DECLS

typedef enum {
  LS_RUNG_NAIVE,    /* one element of C per work-item, nothing shared */
  LS_RUNG_TILED,    /* tiles of A and B shared in local memory */
  LS_RUNG_REGISTER, /* the same, and a block of C in each work-item's registers */
  LS_RUNG_PACKED,   /* one work-item per group, vectors over a panel of B in local memory */
  LS_RUNG_N,
} LsRung;

/* What a work-group computes and how. */
typedef struct {
  LsRung rung;
  const char *name; /* "tiled", as the kernel table and --kernel say it */
  const char *file, *function;
  guint tile_m, tile_n; /* elements of C per work-group */
  guint tile_k;         /* products of an element between two barriers; 1 where there are none */
  guint item_m, item_n; /* elements of C per work-item */
  gboolean local;       /* tiles of A and B lie in local memory */
  gboolean panel;       /* LS_SUM_BLOCK rows of B's columns do, copied before they are multiplied */
} LsRungCut;

typedef struct {
  gint64 m, n, k;
} LsGemm;

/* In floats; flops: a multiply-add is 2, those on padding are counted, the adding-up of blocks of
 * LS_SUM_BLOCK is not. */
typedef struct {
  gint64 global_loads, global_stores, local_loads, local_stores, flops;
} LsLedger;

/* With the kernel table's default sizes. vec: lanes of the packed rung's vectors (4, 8 or 16); 0: 4. */
LsRungCut ls_rung_cut (LsRung rung, guint vec);
/* −1: no rung has that name. */
gint ls_rung_find (const char *name);
/* −1: none of the ladder. */
static inline gint
ls_rung_of (const LsTiling *tiling)
{
  return tiling->way >= LS_WAY_NAIVE ? (gint) (tiling->way - LS_WAY_NAIVE) : -1;
}
/* Work-items in a group. */
guint ls_rung_items (const LsRungCut *cut);
/* Work-groups down C's rows and along its columns. */
guint ls_rung_rows (const LsRungCut *cut, const LsGemm *gemm);
guint ls_rung_cols (const LsRungCut *cut, const LsGemm *gemm);
/* Turns of the loop over k, tile_k products each, the last perhaps fewer. */
gint64 ls_rung_rounds (const LsRungCut *cut, const LsGemm *gemm);
/* Parts that the register rung cuts a sum of K products into, so that a product with few tiles makes more
 * groups. Each part is a work-group of its own, and one of the blocks of LS_SUM_BLOCK that all add up in
 * order, so that the result is the other rungs'. Of over 128 blocks, as many equal parts as make about 128
 * groups, which round otherwise. The other rungs don't cut. */
gint64 ls_rung_splits (LsRung rung, const LsGemm *gemm);
/* Products of such a part, the last one has perhaps fewer: a block, or where those are more or fewer than
 * parts, an equal share. As gemm.clh has it. */
gint64 ls_part_products (gint64 k, gint64 splits);
/* How conv2d_dw's sum over all windows of all images is cut. The parts are every lane's: part p has images
 * ⌊images·p/parts⌋ … ⌊images·(p + 1)/parts⌋ − 1, within it blocks of LS_SUM_BLOCK windows add up in order,
 * and the parts' sums are added up in theirs. */
typedef struct {
  gint64 parts;
  gint64 groups;   /* on the rungs of the ladder, a tile's: one a part, or, where few, one a block of it */
  gint64 products; /* of the first group */
} LsConvDwCut;

/* gemm->k: images times windows of one. */
LsConvDwCut ls_conv_dw_cut (const LsGemm *gemm, gint64 images);

/* One work-group (row, col), with all of K in one part, after `loaded` whole turns' loads, `multiplied` whole
 * turns' multiply-adds, and the store if it is done. Rows and columns beyond C are neither loaded nor stored,
 * but multiplied as zeros. A turn t of k_t ≤ tile_k products, of a tile with r ≤ tile_m rows and c ≤ tile_n
 * columns inside C: naive     2·r·c·k_t global loads tiled,    (r + c)·k_t global loads, (tile_m +
 * tile_n)·tile_k local stores, register  items·tile_k·(item_m + item_n) local loads packed    tile_m·k_t
 * global loads, rows beyond C repeat the last one; tile_n·k_t local loads. Before the first product of a
 * block of LS_SUM_BLOCK its panel is copied: c global loads and tile_n local stores for each row of B. After
 *             it tile_m·tile_n sums are stored there, and loaded again to be added to the next block's or to
 * be stored. Without a panel (the packed convolutions) tile_n·k_t more global loads take the place of that.
 *   flops     2·r·c·k_t naive; 2·tile_m·tile_n·tile_k tiled, register; 2·tile_m·tile_n·k_t packed */
LsLedger ls_ledger_group (const LsRungCut *cut, const LsGemm *gemm, guint row, guint col, gint64 loaded,
                          gint64 multiplied, gboolean stored);
/* All work-groups. */
LsLedger ls_ledger_total (const LsRungCut *cut, const LsGemm *gemm);
/* FLOP per byte loaded from and stored to global memory; 0 before anything was moved. */
double ls_ledger_intensity (const LsLedger *ledger);

G_END_DECLS
