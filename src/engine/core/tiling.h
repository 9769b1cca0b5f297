/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTiling: how one backend cuts one op's output into tiles, and with which kernel. Derived by the backend
 * from the plan; drawn by the views; its tile numbers are the ones in events.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the tiles are computed, as far as others than the backend must know it. */
typedef enum {
  LS_WAY_OTHER,
  LS_WAY_OWN_LOOPS,    /* the CPU lane's: a product by the program's own loops */
  LS_WAY_DIRECT,       /* … a convolution by them, without columns */
  LS_WAY_BY_OUTPUTS,   /* … likewise, with outputs as lanes */
  LS_WAY_NAIVE_LOOPS,  /* … a product by three loops, one number at a time */
  LS_WAY_SCALAR_LOOPS, /* … and in blocks */
  LS_WAY_NAIVE,        /* OpenCL's: the rungs of the ladder, in their order */
  LS_WAY_TILED,
  LS_WAY_REGISTER,
  LS_WAY_PACKED,
} LsWay;

static inline gboolean
ls_way_is_direct (LsWay way)
{
  return way == LS_WAY_DIRECT || way == LS_WAY_BY_OUTPUTS;
}

/* From the second on, as files have them; NULL-terminated. */
extern const char *const ls_way_names[];

typedef struct {
  char kernel[48]; /* for people: "sgemm per tile", "register 64×64" */
  LsWay way;
  guint leader;                /* the op that computes this one: its own index, or the one it is fused into */
  gboolean reference;          /* the backend has no kernel for it: the reference ran */
  gint64 rows, cols;           /* the output as a matrix, see below */
  gint64 tile_rows, tile_cols; /* the last row and column of tiles may be smaller */
  guint grid_rows, grid_cols;  /* tile (r, c) has number r·grid_cols + c */
  guint splits; /* ≥ 1: parts that the summation is cut into, added up in a fixed order. CPU lane: part s of
                 * tile t has number s·grid + t in events; the adding-up has the numbers after those */
} LsTiling;

/* The output of an op that is no matrix product, as rows × cols: rank 2 as it is; rank 4 (B, C, H, W): B ×
 * C·H·W; rank 1: 1 × n. Matrix products and convolutions are cut as their GEMM, attr.m × attr.n. */
void ls_tiling_output_matrix (const gint64 *shape, guint rank, gint64 *rows, gint64 *cols);
/* Sets tile sizes and grid from rows, cols and the requested tile. */
void ls_tiling_set (LsTiling *tiling, gint64 rows, gint64 cols, gint64 tile_rows, gint64 tile_cols);
/* Sets the way from the kernel's name, which is all that older recordings say. */
void ls_tiling_find_way (LsTiling *tiling);

G_END_DECLS
