/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many tiles an op is worth, and of which shape: a pure function of the op's shape, of the requested
 * number, and of whether a person requested it or it is "four per worker". It knows nothing of policies, and
 * of workers only through that number. Where a sum over images is split follows from the shape alone, so all
 * grids give the same bits, on any number of threads.
 *
 * Each tile costs something (OpenBLAS packs its slices of A and B; a barrier closes the op), and few tiles
 * balance badly when a core is slower or busy. The automatic grid weighs both; a requested number is kept to
 * as nearly as the shape allows.
 */
#pragma once

#include "core/tiling.h"
#include "model/plan.h"

G_BEGIN_DECLS

#define LS_CPU_TILES_PER_WORKER 4

#define LS_CPU_GRID(name)                                                                                    \
  void ls_cpu_grid_##name (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,          \
                           LsTiling *tiling);
LS_CPU_GRID (matmul)    /* m × n */
LS_CPU_GRID (conv2d)    /* output channels × images */
LS_CPU_GRID (conv2d_dx) /* input channels × images */
LS_CPU_GRID (conv2d_dw) /* output channels × everything, the sum over images split */
LS_CPU_GRID (elements)  /* anywhere */
LS_CPU_GRID (samples)   /* whole rows */
LS_CPU_GRID (planes)    /* samples × whole planes */
LS_CPU_GRID (channels)  /* bias_grad: 1 × channels */
LS_CPU_GRID (one)       /* one tile */
#undef LS_CPU_GRID

G_END_DECLS
