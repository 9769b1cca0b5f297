/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A convolution with stride 1 without columns ("direct convolution"): each plane of Y is a sum of planes of
 * X, one for each of the kernel's places (i, u, v), shifted by (u, v) and multiplied by one weight:
 *
 *      Y[o, r, s …]  +=  W[o, i, u, v] · X[i, r + u − pad, s + v − pad …]
 *
 * Some rows of X are copied into a picture, once for each v: shifted by it, with the zeros around, and with
 * rows as long as Y's. A place is an offset into it, u rows on, and Y's pixels are then one line, whatever
 * their rows' length, of which vectors of neighbours are loaded:
 *
 *      x x x x          v = 0:  0 0 0 0    v = 1:  0 0 0 0    v = 2:  0 0 0 0
 *      x x x x                  0 x x x            x x x x            x x x 0
 *                               0 x x x            x x x x            x x x 0
 *      4×2, pad 1               0 0 0 0            0 0 0 0            0 0 0 0
 *
 * With outputs as lanes (direct_outputs.c) each channel has one plane with the zeros round it, rows longer
 * than Y's, and a place is u rows and v pixels on.
 *
 * The gradient towards X is the same sum over dY's pictures with the weights turned by 180°: direct.c,
 * ls_direct_turned_weights().
 */
#pragma once

#include "backends/cpu/gemm.h"
#include "core/tensor.h"

G_BEGIN_DECLS

/* ---- the loops, compiled for vectors of 4, 8 and 16 floats ---- */

/* Some rows of planes of one image. */
typedef struct {
  const float *picture;
  const gint32 *offset; /* of each of the k factors, from a pixel's own place */
  gint64 k;
  const float *weights; /* blocks of at most `block` outputs: for each k the block's weights */
  gint64 outputs, block;
  float *to;          /* of the first output */
  gint64 plane, left; /* floats of an output's plane; from `to` to its end */
  gint64 pixels;      /* that are made of each output */
} LsDirectRows;

/* Some pixels' share of the gradient towards the weights: to each of k sums of `lanes` outputs, the pixel at
 * the sum's offset times that pixel's dY. */
typedef struct {
  const float *picture;
  const gint32 *offset;
  gint64 k;
  const float *dy; /* [pixels, lanes] */
  gint64 pixels, lanes;
  float *sum; /* [k, lanes] */
} LsDirectSums;

/* Some rows of planes of one image, with outputs as lanes. */
typedef struct {
  const float *picture;
  gint64 row;           /* floats of one of the picture's rows */
  const gint32 *offset; /* as above, where each three are side by side in a row of the picture, forwards or,
                         * of turned weights, backwards */
  gint64 k;
  const float *weights; /* for each vector of outputs, filled up with zeros: for each k those of its lanes */
  gint64 outputs;
  gint64 rows, cols; /* of pixels that are made of each output */
  float *some;       /* room for whole vectors of outputs of `group` pixels, or of a row, if that is more */
  float *to;         /* of the first output */
  gint64 plane;
} LsDirectOutputs;

/* direct_outputs.c: the loops with outputs as lanes. */
typedef struct {
  void (*add) (const LsDirectSums *p);
  /* NULL: there are too few registers for that. */
  void (*make) (const LsDirectOutputs *p);
  gint64 group;
} LsDirectOutputLoops;

extern const LsDirectOutputLoops ls_direct_outputs_4, ls_direct_outputs_8, ls_direct_outputs_16;

/* A plane that is pooled. */
typedef struct {
  gint32 kernel, stride;
  gint32 height, width; /* of what is pooled */
  gint32 rows, cols;    /* of windows */
} LsWindows;

#define LS_LOAD_FLOATS 128

typedef struct {
  gint64 floats; /* of a vector */
  gint64 most;   /* outputs of a block: the registers hold two vectors of each */
  void (*make) (const LsDirectRows *p);
  const LsDirectOutputLoops *outputs;
  /* n rows of `cols` floats, from_row apart → rows with so many zeros before and after them, one after the
   * other. */
  void (*shift) (const float *from, gint64 from_row, gint64 n, gint64 before, gint64 cols, gint64 after,
                 float *to);
  /* `count` floats of each of n planes → count rows of n floats, filled up with zeros to whole vectors. */
  void (*turn) (const float *planes, gint64 plane, gint64 n, gint64 count, float *to);
  /* Windows of 2×2 with stride 2, of n planes: their maxima and where in the plane these are, as maxpool2d
   * has them; */
  void (*pool) (const LsWindows *w, gint64 n, const float *from, float *y, gint32 *index);
  /* and its gradient; mask: NULL, or these maxima; where one is 0 or less, dY counts as 0. */
  void (*unpool) (const LsWindows *w, gint64 n, const float *dy, const gint32 *index, const float *mask,
                  float *dx);
  /* To be timed: n floats, a multiple of LS_LOAD_FLOATS, loaded so many times; */
  float (*load) (const float *from, gint64 n, guint times);
  /* so many rounds of multiply-adds in registers, each of so many FLOP. */
  float (*multiply_add) (guint times);
  double multiply_add_flops;
} LsDirectLoops;

extern const LsDirectLoops ls_direct_loops_4, ls_direct_loops_8, ls_direct_loops_16;
/* Those for this processor's vectors. */
const LsDirectLoops *ls_direct_loops_here (void);
/* … and no wider than 8 floats where rows have no more. */
const LsDirectLoops *ls_direct_loops_for (gint64 n);

/* ---- what is round them ---- */

/* Asks for floats of an image that will be read soon: a batch's hardly lie in a core's own caches. */
static inline void
ls_direct_fetch (const float *from, gint64 n)
{
  for (gint64 i = 0; i < n; i += 16) /* of a line */
    __builtin_prefetch (from + i);
}

typedef struct {
  gint64 channels, height, width;        /* planes that are read */
  gint64 outputs, out_height, out_width; /* planes that are made */
  gint64 kernel, pad;
  gint64 strip;              /* rows made from one picture */
  gboolean by_outputs;       /* outputs are the lanes */
  gint64 copies, row, plane; /* the picture's planes for each channel; floats of one's row, and of one */
  const LsDirectLoops *loops;
} LsDirect;

/* From the shapes [B, C, H, W] of what is read and of what is made; loops: NULL for those that suit this
 * processor. FALSE: columns are the only way: another stride. */
gboolean ls_direct_init (LsDirect *d, const LsDirectLoops *loops, const LsTensor *from, const LsTensor *to,
                         gint64 kernel, gint64 stride, gint64 pad);

/* Floats of scratch that the product needs, for all its outputs. */
gsize ls_direct_size (const LsDirect *d);
/* First for each tile: the places' offsets, and the weights of outputs row … row + rows
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
 * With dY turned so that a pixel's outputs are neighbours in memory, those are the vectors, and each of X's
 * pixels is multiplied by one, for each place. from: X's shape, to: dY's. FALSE: columns are better: another
 * stride, or outputs that would leave a quarter of the vectors' lanes empty. */
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
