/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direct convolution's loops, see direct.h: a few outputs × two vectors of neighbouring pixels stay in
 * registers while k runs over the kernel's places,
 *
 *      per k:       sum[o][v] += W (o, k) · picture[first pixel of v + offset (k)]
 *
 * and towards the weights a few places × two vectors of neighbouring outputs while the pixels go by:
 *
 *      per pixel:   sum[k][v] += picture[pixel + offset (k)] · dY (pixel, first output of v)
 *
 * Each sum is one chain of additions in the order of k, of pixels, in blocks of LS_SUM_BLOCK, as in
 * gemm_loops.c.
 */
#include "backends/cpu/direct.h"

#include "backends/cpu/vectors.h"
#include "ops/op.h"

#define MOST   (VEC == 16 ? 8 : 6) /* outputs at a time */
#define PLACES (VEC == 16 ? 9 : 6) /* likewise: a kernel of 3×3 */

/* ---- planes ---- */

/* One block's sums, and where its weights end. outputs and vectors are constants wherever this is inlined. */
INLINE const float *
sum_block (const float *const *from, const gint32 *offset, const gint32 *end, const float *weights,
           Vector sum[MOST][2], int outputs, int vectors)
{
  LS_UNROLL
  for (int o = 0; o < outputs; o++)
    LS_UNROLL
  for (int v = 0; v < vectors; v++)
    sum[o][v] = (Vector){ 0 };
  for (; offset < end; offset++, weights += outputs)
    {
      Vector x[2];
      LS_UNROLL
      for (int v = 0; v < vectors; v++)
        x[v] = *(const Vector *) (from[v] + *offset);
      LS_UNROLL
      for (int o = 0; o < outputs; o++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[o][v] += weights[o] * x[v];
    }
  return weights;
}

/* at: the vectors' first pixels. */
INLINE void
compute (const LsDirectRows *p, const float *weights, const gint64 *at, float *to, int outputs, int vectors)
{
  const float *const from[2] = { p->picture + at[0], p->picture + at[1] };
  const gint32 *offset = p->offset, *const end = offset + p->k;
  const gint64 plane = p->plane;
  Vector sum[MOST][2];

  weights = sum_block (from, offset, MIN (offset + LS_SUM_BLOCK, end), weights, sum, outputs, vectors);
  for (offset += LS_SUM_BLOCK; offset < end; offset += LS_SUM_BLOCK)
    {
      Vector total[MOST][2]; /* of the blocks before */
      memcpy (total, sum, sizeof total);
      weights = sum_block (from, offset, MIN (offset + LS_SUM_BLOCK, end), weights, sum, outputs, vectors);
      LS_UNROLL
      for (int o = 0; o < outputs; o++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[o][v] = total[o][v] + sum[o][v];
    }
  LS_UNROLL
  for (int v = 0; v < vectors; v++)
    {
      float *pixels = to + at[v];
      const gint64 left = p->left - at[v];

      if (left >= VEC)
        {
          LS_UNROLL
          for (int o = 0; o < outputs; o++)
            *(Vector *) (pixels + o * plane) = sum[o][v];
          continue;
        }
      LS_UNROLL
      for (int o = 0; o < outputs; o++)
        {
          const Vector lanes = sum[o][v];
          memcpy (pixels + o * plane, &lanes, (gsize) left * sizeof (float));
        }
    }
}

#define BLOCK(outputs_)                                                                                      \
  case outputs_:                                                                                             \
    if (vectors == 2)                                                                                        \
      compute (p, weights, at, to, outputs_, 2);                                                             \
    else                                                                                                     \
      compute (p, weights, at, to, outputs_, 1);                                                             \
    break;

static void
compute_block (const LsDirectRows *p, const float *weights, const gint64 *at, gint64 vectors, float *to,
               gint64 outputs)
{
  switch (outputs)
    {
      /* clang-format off */
      BLOCK (1) BLOCK (2) BLOCK (3) BLOCK (4) BLOCK (5) BLOCK (6)
#if VEC == 16
      BLOCK (7) BLOCK (8)
#endif
      /* clang-format on */
    }
}

/* The last vector begins early enough to end with the pixels; where they are fewer than its lanes, it runs
 * over into the next rows, which are written afterwards. */
static void
make (const LsDirectRows *p)
{
  const gint64 last = MAX (p->pixels - VEC, 0);

  for (gint64 pixel = 0; pixel < p->pixels; pixel += 2 * VEC)
    {
      const gint64 at[2] = { MIN (pixel, last), MIN (pixel + VEC, last) };

      for (gint64 output = 0; output < p->outputs; output += p->block)
        compute_block (p, p->weights + output * p->k, at, pixel + VEC < p->pixels ? 2 : 1,
                       p->to + output * p->plane, MIN (p->block, p->outputs - output));
    }
}

/* ---- towards the weights ---- */

INLINE void
add_places (const LsDirectSums *p, gint64 first, gint64 output, int places, int vectors)
{
  const float *from[PLACES], *dy = p->dy + output;
  float *to = p->sum + first * p->lanes + output;
  Vector sum[PLACES][2];

  LS_UNROLL
  for (int k = 0; k < places; k++)
    {
      from[k] = p->picture + p->offset[first + k];
      LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[k][v] = *(const Vector *) (to + k * p->lanes + v * VEC);
    }
  for (gint64 pixel = 0; pixel < p->pixels; pixel++, dy += p->lanes)
    {
      Vector of[2];
      LS_UNROLL
      for (int v = 0; v < vectors; v++)
        of[v] = *(const Vector *) (dy + v * VEC);
      LS_UNROLL
      for (int k = 0; k < places; k++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[k][v] += from[k][pixel] * of[v];
    }
  LS_UNROLL
  for (int k = 0; k < places; k++)
    LS_UNROLL
  for (int v = 0; v < vectors; v++)
    *(Vector *) (to + k * p->lanes + v * VEC) = sum[k][v];
}

#undef BLOCK
#define BLOCK(places_)                                                                                       \
  case places_:                                                                                              \
    if (output + VEC < p->lanes)                                                                             \
      add_places (p, first, output, places_, 2);                                                             \
    else                                                                                                     \
      add_places (p, first, output, places_, 1);                                                             \
    break;

static void
add (const LsDirectSums *p)
{
  const gint64 blocks = (p->k + PLACES - 1) / PLACES, block = (p->k + blocks - 1) / blocks;

  for (gint64 first = 0; first < p->k; first += block)
    for (gint64 output = 0; output < p->lanes; output += 2 * VEC)
      switch (MIN (block, p->k - first))
        {
          /* clang-format off */
          BLOCK (1) BLOCK (2) BLOCK (3) BLOCK (4) BLOCK (5) BLOCK (6)
#if VEC == 16
          BLOCK (7) BLOCK (8) BLOCK (9)
#endif
          /* clang-format on */
        }
}

/* ---- pictures ---- */

INLINE void
copy (const float *from, gint64 n, float *to)
{
  gint64 i = 0;

  for (; i + VEC <= n; i += VEC)
    *(Vector *) (to + i) = *(const Vector *) (from + i);
  copy_lanes (to + i, from + i, n - i);
}

/* A column of zeros: short rows of them would be as many calls of memset(). */
INLINE void
clear (float *to, gint64 row, gint64 n)
{
  for (; n > 0; n--, to += row)
    *to = 0;
}

/* Rows as long as what they are made from are copied as one line, and what lies in place of the zeros is
 * overwritten. */
static void
shift (const float *from, gint64 from_row, gint64 n, gint64 before, gint64 cols, gint64 after, float *to)
{
  const gint64 row = before + cols + after;

  if (row == from_row)
    copy (from, (n - 1) * row + cols, to + before);
  else
    for (gint64 r = 0; r < n; r++)
      copy (from + r * from_row, cols, to + r * row + before);
  for (gint64 i = 0; i < before; i++)
    clear (to + i, row, n);
  for (gint64 i = before + cols; i < row; i++)
    clear (to + i, row, n);
}

static void
turn (const float *planes, gint64 plane, gint64 n, gint64 count, float *to)
{
  turn_columns (planes, plane, n, count, to, (n + VEC - 1) / VEC * VEC);
}

/* ---- to be timed ---- */

#define LOADS  8  /* that wait for nothing but themselves */
#define CHAINS 12 /* likewise: more than a multiply-add takes cycles on two units */

typedef gint32 Bits
  __attribute__ ((vector_size (VEC * sizeof (gint32)), aligned (sizeof (gint32)), may_alias));

/* What combines them has to be cheaper than a load: additions of numbers aren't. */
static float
load (const float *from, gint64 n, guint times)
{
  Bits bits[LOADS] = { { 0 } };
  gint32 all = 0;

  for (guint t = 0; t < times; t++)
    for (gint64 i = 0; i + LOADS * VEC <= n; i += LOADS * VEC)
      {
        LS_UNROLL
        for (int k = 0; k < LOADS; k++)
          bits[k] ^= *(const Bits *) (from + i + k * VEC);
      }
  for (int k = 0; k < LOADS; k++)
    for (int lane = 0; lane < VEC; lane++)
      all ^= bits[k][lane];
  return (float) all;
}

static float
multiply_add (guint times)
{
  Vector sums[CHAINS];
  const Vector half = (Vector){ 0 } + .5f, one = (Vector){ 0 } + 1.f;
  float sum = 0;

  for (int k = 0; k < CHAINS; k++) /* chains that are alike would be made one */
    sums[k] = (Vector){ 0 } + (float) k;

  for (guint t = 0; t < times; t++)
    {
      LS_UNROLL
      for (int k = 0; k < CHAINS; k++)
        sums[k] = sums[k] * half + one;
    }
  for (int k = 0; k < CHAINS; k++)
    for (int lane = 0; lane < VEC; lane++)
      sum += sums[k][lane] * (float) (k + 1);
  return sum;
}

const LsDirectLoops JOIN (ls_direct_loops_, VEC)
  = { VEC, MOST, make, add, shift, turn, load, multiply_add, 2.0 * CHAINS *VEC };
