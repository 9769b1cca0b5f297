/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles: one tile of the CPU lane, which is one OpenBLAS call for each panel of LS_SUM_BLOCK products. The
 * calls are the program's own and were recorded; what happens inside of one follows from OpenBLAS's sources and is modelled.
 */
#pragma once

#include "model/blas_model.h"
#include "ui/paint/tiles.h"

G_BEGIN_DECLS

typedef enum { LS_TILES_PACK_B, LS_TILES_PACK_A, LS_TILES_MULTIPLY, LS_TILES_N_STAGES } LsTilesStage;

typedef struct _LsTilesCpu {
  LsBlasModel model;
  gboolean known;           /* the core's model is known; else that of Haswell stands in */
  gint64 row, rows, col, cols; /* the tile in C */
  gint worker;              /* who computed it; −1: not recorded */
  guint slivers, groups;    /* micro-tiles across and down */
  gint64 l1, l2, l3;        /* bytes, as the system says; −1 */
  LsArea left, registers, caches, nest, bytes, rings;
} LsTilesCpu;

typedef struct {
  LsTilesNow at;            /* round: the panel */
  gint64 k0, k;             /* the panel's first product, and how many it has */
  LsTilesStage stage;
  double part;              /* of the packing */
  guint sliver, group, step;
} LsTilesCpuNow;

/* tiles_cpu_walk.c */
/* FALSE: there is no CPU lane that cut this product into tiles. */
gboolean ls_tiles_cpu_init   (LsTiles *t, const LsViewData *data, const LsQuery *query);
void     ls_tiles_cpu_now    (const LsTiles *t, gint64 time_ns, LsTilesCpuNow *now);
gint64   ls_tiles_cpu_still  (const LsTiles *t);
/* Of all panels up to now. */
LsBlasTraffic ls_tiles_cpu_count (const LsTiles *t, const LsTilesCpuNow *now);

/* tiles_cpu.c: places everything in the area, and draws what stands; _move: the rest. */
void     ls_tiles_cpu_layout (LsTiles *t, LsArea area);
void     ls_tiles_cpu_move   (const LsTiles *t, const LsTilesCpuNow *now);

/* tiles_cpu_levels.c: registers and caches. */
void     ls_tiles_cpu_registers (const LsTiles *t, const LsTilesCpuNow *now);
void     ls_tiles_cpu_caches    (const LsTiles *t, const LsTilesCpuNow *now);
/* tiles_cpu_nest.c: the loops, and what they move. */
void     ls_tiles_cpu_nest      (const LsTiles *t, const LsTilesCpuNow *now);
void     ls_tiles_cpu_bytes     (const LsTiles *t, const LsTilesCpuNow *now);

G_END_DECLS
