/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A convolution with stride 1 without columns ("direct convolution"): each row of Y is a sum of rows of X,
 * one for each of the kernel's places (i, u, v), shifted by (u, v) and multiplied by one weight:
 *
 *      Y[o, r, s …]  +=  W[o, i, u, v] · X[i, r + u − pad, s + v − pad …]
 *
 * so a vector of neighbouring pixels of X is loaded as it lies in memory, for any shift. Only the zeros
 * around X have to be there: some planes are copied into a picture that has them. A row's zeros on the right
 * are those on the left of the next:
 *
 *        0 0 0 0 0 0       one channel, 4×3, pad 1: rows of `row` = 4 + 1 floats
 *        0 x x x x
 *        0 x x x x         the gradient towards X is the same sum over dY's pictures with the weights turned
 * by 180° 0 x x x x         (direct.c: ls_direct_turned_weights) 0 0 0 0 0 0
 */
#pragma once

#include "backends/cpu/gemm.h"
#include "core/tensor.h"

G_BEGIN_DECLS

/* ---- the loops, compiled for vectors of 4, 8 and 16 floats ---- */

/* Some rows of planes of one image. */
typedef struct {
  const float *picture;
  gint64 row;           /* floats of its rows */
  const gint32 *offset; /* of each of the k factors, from the window's first pixel */
  gint64 k;
  const float *weights; /* blocks of at most `block` outputs: for each k the block's weights */
  gint64 outputs, block;
  float *to;          /* of the first output */
  gint64 plane, left; /* floats of an output's plane; from `to` to its end */
  gint64 rows, cols;  /* of the planes' part that is made */
} LsDirectRows;

#define LS_LOAD_FLOATS 128

typedef struct {
  gint64 floats; /* of a vector */
  gint64 most;   /* outputs of a block: the registers hold two vectors of each */
  void (*make) (const LsDirectRows *p);
  /* n rows of `cols` floats; from_row, to_row: floats from one to the next. */
  void (*copy) (const float *from, gint64 from_row, gint64 n, gint64 cols, float *to, gint64 to_row);
  /* `count` floats of each of n planes → count rows of n floats, filled up with zeros to whole vectors. */
  void (*turn) (const float *planes, gint64 plane, gint64 n, gint64 count, float *to);
  /* To be timed: n floats, a multiple of LS_LOAD_FLOATS, loaded so many times; */
  float (*load) (const float *from, gint64 n, guint times);
  /* so many rounds of multiply-adds in registers, each of so many FLOP. */
  float (*multiply_add) (guint times);
  double multiply_add_flops;
} LsDirectLoops;

extern const LsDirectLoops ls_direct_loops_4, ls_direct_loops_8, ls_direct_loops_16;
/* Those for this processor's vectors. */
const LsDirectLoops *ls_direct_loops_here (void);

/* ---- what is round them ---- */

typedef struct {
  gint64 channels, height, width;        /* planes that are read */
  gint64 outputs, out_height, out_width; /* planes that are made */
  gint64 kernel, pad;
  gint64 strip;      /* rows made from one picture */
  gint64 row, plane; /* floats of the picture's rows, of its planes */
  const LsDirectLoops *loops;
} LsDirect;

/* From the shapes [B, C, H, W] of what is read and of what is made; loops: NULL for those that suit this
 * processor. FALSE: columns are better, or the only way: another stride, or rows that would leave a quarter
 * of the vectors' lanes empty. */
gboolean ls_direct_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                         gint64 kernel, gint64 stride, gint64 pad);

/* Floats of scratch that the product needs, for all its outputs. */
gsize ls_direct_size (const LsDirect *d);
/* First for each tile: the picture's zeros, the places' offsets, and the weights of outputs row … row + rows
 * − 1 in the order in which the loops take them. w: [outputs, channels, K, K]; of the gradient towards X, as
 * it is, [channels, outputs, K, K]. */
void ls_direct_weights (const LsDirect *d, const float *w, gint64 row, gint64 rows, float *scratch);
void ls_direct_turned_weights (const LsDirect *d, const float *w, gint64 row, gint64 rows, float *scratch);
/* Rows r0 … r0 + n − 1, at most a strip, of those outputs of one image: planes [channels, H, W] → to, which
 * is the first output's whole plane. */
void ls_direct_rows (const LsDirect *d, const float *planes, gint64 r0, gint64 n, gint64 outputs, float *to,
                     float *scratch);

/* The gradient towards the weights, summed over images:
 *
 *      dW[o, i, u, v]  =  Σ dY[o, r, s] · X[i, r + u − pad, s + v − pad]
 *
 * With X turned so that a pixel's channels are neighbours in memory, the pixels of a row of the kernel are,
 * too: for each u it is one matrix product, dY (outputs × pixels) by X (pixels × K · channels), of which each
 * row begins a pixel after the one before. from: X's shape, to: dY's. FALSE: columns are better: another
 * stride, or too few channels. */
gboolean ls_direct_gradient_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from,
                                  const LsTensor *to, gint64 kernel, gint64 stride, gint64 pad);
gsize ls_direct_gradient_size (const LsDirect *d);
/* Outputs row … row + rows − 1 of images first … end − 1; x, dy: of the first image of all; dw: that output's
 * first weight. before: windows that the sums in scratch already hold; goes_on: more follow, dw isn't
 * written. */
void ls_direct_gradient (const LsDirect *d, const float *x, const float *dy, gint64 first, gint64 end,
                         gint64 row, gint64 rows, gint64 before, gboolean goes_on, LsAddFunc add, float *dw,
                         float *scratch);

G_END_DECLS
