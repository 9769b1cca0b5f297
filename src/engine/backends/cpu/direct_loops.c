/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direct convolution's loops, see direct.h: a few outputs × two vectors of neighbouring pixels stay in
 * registers while k runs over the kernel's places,
 *
 *      per k:   sum[o][v] += W (o, k) · picture[window's first pixel of v + offset (k)]
 *
 * each sum one chain of additions in the order of k, in blocks of LS_SUM_BLOCK, as in gemm_loops.c. A vector
 * lies within one row of Y: in a row longer than a vector the last one begins early enough to end with it, in
 * a shorter one it runs over into the next row, which is written afterwards.
 */
#include "backends/cpu/direct.h"

#include "backends/cpu/vectors.h"
#include "ops/op.h"

#define MOST (VEC == 16 ? 8 : 6) /* outputs at a time */

/* Where a vector of pixels begins. */
typedef struct {
  const float *from;
  gint64 to;
} Place;

/* outputs and vectors are constants wherever this is inlined. */
INLINE void
compute (const LsDirectRows *p, const float *weights, const Place *place, float *to, int outputs, int vectors)
{
  const gint32 *offset = p->offset, *const end = offset + p->k;
  const float *const from[2] = { place[0].from, place[1].from };
  Vector sum[MOST][2], total[MOST][2]; /* of this block, of those before it */
  gboolean first = TRUE;

  while (TRUE)
    {
      const gint32 *const block = offset + MIN (LS_SUM_BLOCK, end - offset);
      LS_UNROLL
      for (int o = 0; o < outputs; o++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[o][v] = (Vector){ 0 };
      for (; offset < block; offset++, weights += outputs)
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
      if (!first)
        LS_UNROLL
      for (int o = 0; o < outputs; o++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        sum[o][v] = total[o][v] + sum[o][v];
      if (offset == end)
        break;
      LS_UNROLL
      for (int o = 0; o < outputs; o++)
        LS_UNROLL
      for (int v = 0; v < vectors; v++)
        total[o][v] = sum[o][v];
      first = FALSE;
    }
  LS_UNROLL
  for (int v = 0; v < vectors; v++)
    {
      float *at = to + place[v].to;
      const gint64 left = p->left - place[v].to;
      LS_UNROLL
      for (int o = 0; o < outputs; o++, at += p->plane)
        if (left >= VEC)
          *(Vector *) at = sum[o][v];
        else
          {
            const Vector lanes = sum[o][v];
            memcpy (at, &lanes, (gsize) left * sizeof (float));
          }
    }
}

#define BLOCK(outputs_)                                                                                      \
  case outputs_:                                                                                             \
    if (vectors == 2)                                                                                        \
      compute (p, weights, place, to, outputs_, 2);                                                          \
    else                                                                                                     \
      compute (p, weights, place, to, outputs_, 1);                                                          \
    break;

static void
compute_block (const LsDirectRows *p, const float *weights, const Place *place, gint64 vectors, float *to,
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

static void
make (const LsDirectRows *p)
{
  const gint64 last = MAX (p->cols - VEC, 0); /* where a row's last vector begins */
  Place place[2] = { { NULL, 0 }, { NULL, 0 } };
  gint64 r = 0, s = 0, n = 0;

  while (r < p->rows)
    {
      place[n++] = (Place){ p->picture + r * p->row + s, r * p->cols + s };
      s = s < last ? MIN (s + VEC, last) : 0;
      r += s == 0;
      if (n < 2 && r < p->rows)
        continue;
      for (gint64 output = 0; output < p->outputs; output += p->block)
        compute_block (p, p->weights + output * p->k, place, n, p->to + output * p->plane,
                       MIN (p->block, p->outputs - output));
      n = 0;
    }
}

static void
copy (const float *from, gint64 from_row, gint64 n, gint64 cols, float *to, gint64 to_row)
{
  for (; n > 0; n--, from += from_row, to += to_row)
    {
      gint64 i = 0;
      for (; i + VEC <= cols; i += VEC)
        *(Vector *) (to + i) = *(const Vector *) (from + i);
      copy_lanes (to + i, from + i, cols - i);
    }
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

const LsDirectLoops JOIN (ls_direct_loops_, VEC) = { VEC,  MOST, make,         copy,
                                                     turn, load, multiply_add, 2.0 * CHAINS *VEC };
