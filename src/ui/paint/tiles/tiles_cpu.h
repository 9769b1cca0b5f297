/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU's side of Tiles: one tile of the CPU lane, which is a series of calls of its matrix product: of a
 * plain product one for each panel of LS_SUM_BLOCK products, of a convolution one or more for each strip of
 * an image, whose pixels are copied into a picture with zeros around before; or into columns before, or back
 * from them afterwards. The calls are the program's own, and their tile was recorded; what happens inside of
 * one follows from the loops' text, or from OpenBLAS's sources, and is modelled.
 */
#pragma once

#include "model/blas_model.h"
#include "ui/paint/tiles/tiles.h"

G_BEGIN_DECLS

typedef enum {
  LS_TILES_GATHER,
  LS_TILES_PACK_B,
  LS_TILES_PACK_A,
  LS_TILES_MULTIPLY,
  LS_TILES_N_STAGES
} LsTilesStage;

typedef struct _LsTilesCpu {
  LsGemmLane lane;
  gboolean known;              /* the core's model is known; else that of Haswell stands in */
  LsBlasModel model;           /* of the first call */
  gint64 row, rows, col, cols; /* the tile in C */
  gboolean ta, tb;             /* of a call */
  LsGemmUse use;
  gboolean along;       /* calls follow each other along C's columns, each with all products; else along the
                           products */
  gint64 image, images; /* of a convolution: the tile's first one, and how many */
  gint64 made_rows, made_cols; /* of the plane that the calls go through: Y, or of a picture the one that is
                                  made from it */
  gint64 strip, strips;        /* rows of it at a time, and how many strips an image has */
  gint64 planes, copies;       /* of a picture; of each channel, shifted */
  gint64 picture_cols;         /* floats of a picture's row */
  gint worker;                 /* who computed it; −1: not recorded */
  guint splits;                /* parts of the sum, of which this is the first */
  gint64 l1, l2, l3;           /* bytes, as the system says; −1 */
  double weight;               /* of all calls */
  LsArea left, registers, caches, nest, bytes, rings;
} LsTilesCpu;

/* Which part of the product a call computes. */
typedef struct {
  gint64 col, cols, k0, k;
  gint64 image, strip, rows; /* of a convolution: the image, the strip in it, and its rows */
} LsTilesCall;

typedef struct {
  LsTilesNow at; /* round: the call */
  LsTilesCall call;
  LsBlasModel model;     /* of that call */
  guint slivers, groups; /* micro-tiles across and down */
  LsTilesStage stage;
  double part; /* of the stage; of packing: of both factors' whole parts */
  guint sliver, group, step;
} LsTilesCpuNow;

/* tiles_cpu_call.c */
/* FALSE: there is no CPU lane that cut this product into tiles. */
gboolean ls_tiles_cpu_init (LsTiles *t, const LsViewData *data, const LsQuery *query);
void ls_tiles_cpu_call (const LsTiles *t, gint64 round, LsTilesCall *call);
/* FALSE: its core isn't known, and that of Haswell stands in. */
gboolean ls_tiles_cpu_model (const LsTiles *t, const LsTilesCall *call, LsBlasModel *model);
/* Floats that a strip copies before it is multiplied: of an image into columns or a picture, of dY into
 * pixels. */
gint64 ls_tiles_cpu_copied (const LsTiles *t, const LsTilesCall *call);
/* Floats of a picture for so many rows of what is made from it. */
gint64 ls_tiles_cpu_picture (const LsTiles *t, gint64 rows);

/* tiles_cpu_walk.c */
/* How long a call takes, in multiply-adds. */
double ls_tiles_cpu_weight (const LsTiles *t, gint64 round);
void ls_tiles_cpu_now (const LsTiles *t, gint64 time_ns, LsTilesCpuNow *now);
gint64 ls_tiles_cpu_still (const LsTiles *t);
/* The micro-tile's first column in C. */
gint64 ls_tiles_cpu_first_col (const LsTiles *t, const LsTilesCpuNow *now);
/* The stage takes time in that call. */
gboolean ls_tiles_cpu_has (const LsTiles *t, const LsTilesCpuNow *now, LsTilesStage stage);
/* Of all calls up to now. */
LsBlasTraffic ls_tiles_cpu_count (const LsTiles *t, const LsTilesCpuNow *now);

/* tiles_cpu.c: places everything in the area, and draws what stands; _move: the rest. */
void ls_tiles_cpu_layout (LsTiles *t, LsArea area);
void ls_tiles_cpu_move (const LsTiles *t, const LsTilesCpuNow *now);

/* tiles_cpu_levels.c: registers and caches. */
void ls_tiles_cpu_registers (const LsTiles *t, const LsTilesCpuNow *now);
void ls_tiles_cpu_caches (const LsTiles *t, const LsTilesCpuNow *now);
/* tiles_cpu_nest.c: the loops, and what they move; with that the balance and the roofline, whose place is
 * known. */
void ls_tiles_cpu_nest (const LsTiles *t, const LsTilesCpuNow *now);
void ls_tiles_cpu_bytes (const LsTiles *t, const LsTilesCpuNow *now);
double ls_tiles_cpu_nest_height (const LsTiles *t);
double ls_tiles_cpu_bytes_height (const LsTiles *t);
/* Who computes the calls: "sgemm", "our loops". */
const char *ls_tiles_cpu_who (const LsTiles *t);
/* tiles_cpu_balance.c: how much arithmetic a byte of each level is used for, and how much it would have to
 * be. */
double ls_tiles_cpu_balance_height (const LsTiles *t);
void ls_tiles_cpu_balance (const LsTiles *t, const LsBlasTraffic *moved);

G_END_DECLS
