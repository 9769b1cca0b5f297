/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A convolution as a matrix product ("im2col"): for each of the kernel's places (i, u, v) one row, holding
 * the pixel which that place sees at each position of the window:
 *
 *      columns [I·K·K × n]:  row (i·K + u)·K + v,  column r·W′ + s   =   X[i, r·stride + u − pad, s·stride +
 * v − pad]
 *
 * so Y = W·columns with W as O × I·K·K. It repeats each pixel up to K·K times; therefore it is made for some
 * rows of windows of one image at a time ("strip"), in memory that stays in the cache.
 */
#pragma once

#include "ops/op.h"

G_BEGIN_DECLS

typedef struct {
  gint64 batch, channels, height, width; /* X */
  gint64 outputs, out_height, out_width; /* Y */
  gint64 kernel, stride, pad;
  gint64 strip; /* rows of Y at a time */
} LsColumns;

/* From the shapes of X [B, I, H, W] and Y [B, O, H′, W′]. */
void ls_columns_init (LsColumns *c, const LsTensor *x, const LsTensor *y, const LsOpAttr *attr);

/* Of the gradient towards X the windows are X's pixels and see dY, whose pixels lie `stride` apart. Pixels of
 * the same phase, that is of the same row and column modulo stride, see it through the same places of the
 * kernel, and no others: of a stride of 2 and a kernel of 3×3 one, two, two, or four. */
typedef struct {
  gint64 rows, cols;           /* of the phase's pixels, */
  gint64 first_row, first_col; /* from X's pixel (first_row, first_col) on */
  gint64 u, v, n_u, n_v;       /* its places: u, u + stride … , so many; v likewise */
  gint64 row, col; /* of dY, as place (u, v) sees it from the first pixel; the next one sees one less */
} LsColumnsPhase;

/* Phase 0 … stride² − 1 of dX [H, W]; c: ls_columns_init() of X's and Y's shapes. */
void ls_columns_phase (const LsColumns *c, gint64 phase, LsColumnsPhase *p);

/* Floats that a strip of n_channels of X's channels needs. */
gint64 ls_columns_size (const LsColumns *c, gint64 n_channels);

typedef struct {
  /* X's planes (n_channels of one image) → columns for rows r0 … r0 + rows − 1 of Y. */
  void (*gather) (const LsColumns *c, const float *planes, gint64 n_channels, gint64 r0, gint64 rows,
                  float *columns);
  /* One image's dY → a row for each output's place of the phase, a column for each pixel of its rows
   * r0 … r0 + rows − 1. */
  void (*gather_phase) (const LsColumns *c, const LsColumnsPhase *p, const float *planes, gint64 r0,
                        gint64 rows, float *columns);
  /* to[i] += from[i]: the blocks and parts of a sum. */
  void (*add) (float *to, const float *from, gint64 count);
} LsColumnsLoops;

/* Vectorised, and never so. */
extern const LsColumnsLoops ls_columns_loops, ls_columns_loops_scalar;

G_END_DECLS
