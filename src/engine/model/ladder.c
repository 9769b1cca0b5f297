/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/ladder.h"

#include "ops/op.h"

#define SPLIT_TILE   32 /* edge of the tiles that are counted to see whether a device has enough to do */
#define SPLIT_GROUPS 128
/* Parts of a convolution's weight gradient. */
#define PART_FLOPS_LEAST 1e6
#define PART_FLOPS       16e6
#define PARTS_FEW        8.0
#define PARTS_MANY       64.0
#define PARTS_FLOATS     (2 << 20) /* that they may take; */
#define GROUPS_FLOATS    (8 << 20) /* and that their blocks may */

static const LsRungCut cuts[LS_RUNG_N] = {
  [LS_RUNG_NAIVE] = { LS_RUNG_NAIVE, "naive", "gemm_naive.cl", "gemm_naive", 16, 16, 1, 1, 1, FALSE, FALSE },
  [LS_RUNG_TILED] = { LS_RUNG_TILED, "tiled", "gemm_tiled.cl", "gemm_tiled", 16, 16, 16, 1, 1, TRUE, FALSE },
  [LS_RUNG_REGISTER] = { LS_RUNG_REGISTER, "register", "gemm_register.cl", "gemm_register", 64, 64, 16, 4, 4,
                         TRUE, FALSE },
  [LS_RUNG_PACKED] = { LS_RUNG_PACKED, "packed", "gemm_packed.cl", "gemm_packed", 8, 8, 1, 8, 8, FALSE,
                       TRUE },
};

G_STATIC_ASSERT (LS_WAY_PACKED == LS_WAY_NAIVE + LS_RUNG_PACKED);

static gint64
ceil_div (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

LsRungCut
ls_rung_cut (LsRung rung, guint vec)
{
  LsRungCut cut = cuts[rung];

  if (rung == LS_RUNG_PACKED && vec > 0)
    cut.tile_n = cut.item_n = 2 * vec;
  return cut;
}

gint
ls_rung_find (const char *name)
{
  for (gint i = 0; i < LS_RUNG_N; i++)
    if (g_strcmp0 (cuts[i].name, name) == 0)
      return i;
  return -1;
}

guint
ls_rung_items (const LsRungCut *cut)
{
  return cut->tile_m / cut->item_m * (cut->tile_n / cut->item_n);
}

guint
ls_rung_rows (const LsRungCut *cut, const LsGemm *gemm)
{
  return (guint) ceil_div (gemm->m, cut->tile_m);
}

guint
ls_rung_cols (const LsRungCut *cut, const LsGemm *gemm)
{
  return (guint) ceil_div (gemm->n, cut->tile_n);
}

gint64
ls_rung_rounds (const LsRungCut *cut, const LsGemm *gemm)
{
  return ceil_div (gemm->k, cut->tile_k);
}

gint64
ls_rung_splits (LsRung rung, const LsGemm *gemm)
{
  const gint64 tiles = ceil_div (gemm->m, SPLIT_TILE) * ceil_div (gemm->n, SPLIT_TILE);
  const gint64 blocks = ceil_div (gemm->k, LS_SUM_BLOCK), most = SPLIT_GROUPS / MAX (tiles, 1);

  if (rung != LS_RUNG_REGISTER || most < 2)
    return 1;
  return blocks <= SPLIT_GROUPS ? MAX (blocks, 1) : most;
}

gint64
ls_part_products (gint64 k, gint64 splits)
{
  return splits == ceil_div (k, LS_SUM_BLOCK) ? MIN (k, LS_SUM_BLOCK) : ceil_div (k, splits);
}

/* As many parts as few workers need, and more where they are so large that adding them up is nothing to
 * them. By the shapes alone: other parts would be other bits. */
static gint64
conv_dw_parts (const LsGemm *gemm, gint64 images)
{
  const double flops = 2.0 * (double) gemm->m * (double) gemm->n * (double) gemm->k;
  const double small = flops / PART_FLOPS_LEAST, large = flops / PART_FLOPS;
  const gint64 most = MIN (PARTS_FLOATS / (gemm->m * gemm->n), images);

  return CLAMP ((gint64) MIN (MAX (MIN (small, PARTS_FEW), large), PARTS_MANY), 1, MAX (most, 1));
}

LsConvDwCut
ls_conv_dw_cut (const LsGemm *gemm, gint64 images)
{
  const gint64 parts = conv_dw_parts (gemm, images), plane = gemm->k / images;
  const gint64 tiles = ceil_div (gemm->m, SPLIT_TILE) * ceil_div (gemm->n, SPLIT_TILE);
  const gint64 blocks = ceil_div (ceil_div (images, parts) * plane, LS_SUM_BLOCK),
               first = images / parts * plane;
  const gboolean cut = tiles * parts < SPLIT_GROUPS && parts * blocks * gemm->m * gemm->n <= GROUPS_FLOATS;

  return (LsConvDwCut){ .parts = parts,
                        .groups = cut ? parts * blocks : parts,
                        .products = cut ? MIN (first, LS_SUM_BLOCK) : first };
}

LsLedger
ls_ledger_group (const LsRungCut *cut, const LsGemm *gemm, guint row, guint col, gint64 loaded,
                 gint64 multiplied, gboolean stored)
{
  const gint64 r = MIN ((gint64) cut->tile_m, gemm->m - (gint64) row * cut->tile_m);
  const gint64 c = MIN ((gint64) cut->tile_n, gemm->n - (gint64) col * cut->tile_n);
  const gint64 k_loaded = MIN (loaded * cut->tile_k, gemm->k),
               k_multiplied = MIN (multiplied * cut->tile_k, gemm->k);
  const gint64 k_copied = MIN (ceil_div (k_loaded, LS_SUM_BLOCK) * LS_SUM_BLOCK, gemm->k);
  const gint64 whole = (gint64) cut->tile_m * cut->tile_n;
  LsLedger ledger = { .global_stores = stored ? r * c : 0 };

  switch (cut->rung)
    {
    case LS_RUNG_NAIVE:
      ledger.global_loads = 2 * r * c * k_loaded;
      ledger.flops = 2 * r * c * k_multiplied;
      break;
    case LS_RUNG_TILED:
    case LS_RUNG_REGISTER:
      ledger.global_loads = (r + c) * k_loaded;
      ledger.local_stores = loaded * (cut->tile_m + cut->tile_n) * cut->tile_k;
      ledger.local_loads = multiplied * ls_rung_items (cut) * cut->tile_k * (cut->item_m + cut->item_n);
      ledger.flops = 2 * multiplied * whole * cut->tile_k;
      break;
    case LS_RUNG_PACKED:
    case LS_RUNG_N:
      ledger.global_loads = (gint64) cut->tile_m * k_loaded
                            + (cut->panel ? c * k_copied : cut->tile_n * k_loaded);
      if (cut->panel)
        {
          const gint64 summed = k_multiplied < gemm->k ? k_multiplied / LS_SUM_BLOCK
                                                       : ceil_div (gemm->k, LS_SUM_BLOCK);
          ledger.local_stores = cut->tile_n * k_copied + whole * summed;
          ledger.local_loads = cut->tile_n * k_loaded + whole * MAX (summed - 1, 0) + ledger.global_stores;
        }
      ledger.flops = 2 * whole * k_multiplied;
      break;
    }
  return ledger;
}

LsLedger
ls_ledger_total (const LsRungCut *cut, const LsGemm *gemm)
{
  const gint64 rows = ls_rung_rows (cut, gemm), cols = ls_rung_cols (cut, gemm),
               rounds = ls_rung_rounds (cut, gemm);
  const gint64 groups = rows * cols, whole = (gint64) cut->tile_m * cut->tile_n;
  LsLedger total = { .global_stores = gemm->m * gemm->n };

  switch (cut->rung)
    {
    case LS_RUNG_NAIVE:
      total.global_loads = 2 * gemm->m * gemm->n * gemm->k;
      total.flops = 2 * gemm->m * gemm->n * gemm->k;
      break;
    case LS_RUNG_TILED:
    case LS_RUNG_REGISTER:
      total.global_loads = (gemm->m * cols + gemm->n * rows) * gemm->k;
      total.local_stores = groups * rounds * (cut->tile_m + cut->tile_n) * cut->tile_k;
      total.local_loads = groups * rounds * ls_rung_items (cut) * cut->tile_k * (cut->item_m + cut->item_n);
      total.flops = 2 * groups * rounds * whole * cut->tile_k;
      break;
    case LS_RUNG_PACKED:
    case LS_RUNG_N:
      total.global_loads = (groups * cut->tile_m + (cut->panel ? rows * gemm->n : groups * cut->tile_n))
                           * gemm->k;
      if (cut->panel)
        {
          const gint64 summed = ceil_div (gemm->k, LS_SUM_BLOCK);
          total.local_stores = groups * (cut->tile_n * gemm->k + whole * summed);
          total.local_loads = groups * (cut->tile_n * gemm->k + whole * (summed - 1)) + gemm->m * gemm->n;
        }
      total.flops = 2 * groups * whole * gemm->k;
      break;
    }
  return total;
}

double
ls_ledger_intensity (const LsLedger *ledger)
{
  const gint64 floats = ledger->global_loads + ledger->global_stores;

  return floats > 0 ? (double) ledger->flops / (4.0 * (double) floats) : 0;
}
