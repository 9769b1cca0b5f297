/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direct convolution's loops, see direct.h: a few outputs × two vectors of neighbouring pixels stay in
 * registers while k runs over the kernel's places,
 *
 *      per k:       sum[o][v] += W (o, k) · picture[first pixel of v + offset (k)]
 *
 * Those with outputs as lanes are direct_outputs.c's. Pooling's windows are taken by vectors of neighbours,
 * too.
 *
 * Each sum is one chain of additions in the order of k, of pixels, in blocks of LS_SUM_BLOCK, as in
 * gemm_loops.c.
 */
#include "backends/cpu/direct.h"

#include "backends/cpu/vectors.h"
#include "ops/op.h"

#define MOST (VEC == 16 ? 8 : 6) /* outputs at a time */

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

/* Rows as long as what they are made from are copied as one line, others by whole vectors while there is as
 * much to read: what runs over a row's end, or lies in place of the zeros, is overwritten. */
static void
shift (const float *from, gint64 from_row, gint64 n, gint64 before, gint64 cols, gint64 after, float *to)
{
  const gint64 row = before + cols + after;

  if (row == from_row)
    copy (from, (n - 1) * row + cols, to + before);
  else
    {
      const gint64 whole = (cols + VEC - 1) / VEC * VEC;
      gint64 r = 0;

      for (; r < n - 1 && (n - 1 - r) * from_row + cols >= whole; r++)
        for (gint64 i = 0; i < cols; i += VEC)
          *(Vector *) (to + r * row + before + i) = *(const Vector *) (from + r * from_row + i);
      for (; r < n; r++)
        copy (from + r * from_row, cols, to + r * row + before);
    }
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

/* ---- pooling ---- */

typedef gint32 Bits
  __attribute__ ((vector_size (VEC * sizeof (gint32)), aligned (sizeof (gint32)), may_alias));

#if VEC == 16
#define EVEN(a, b) __builtin_shufflevector (a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b)  __builtin_shufflevector (a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOW(a, b)  __builtin_shufflevector (a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                           \
  __builtin_shufflevector (a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define TWICE ((Bits){ 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30 })
#elif VEC == 8
#define EVEN(a, b) __builtin_shufflevector (a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b)  __builtin_shufflevector (a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOW(a, b)  __builtin_shufflevector (a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector (a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TWICE      ((Bits){ 0, 2, 4, 6, 8, 10, 12, 14 })
#else
#define EVEN(a, b) __builtin_shufflevector (a, b, 0, 2, 4, 6)
#define ODD(a, b)  __builtin_shufflevector (a, b, 1, 3, 5, 7)
#define LOW(a, b)  __builtin_shufflevector (a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector (a, b, 2, 6, 3, 7)
#define TWICE      ((Bits){ 0, 2, 4, 6 })
#endif

INLINE Bits
choose (Bits which, Bits a, Bits b)
{
  return (which & a) | (~which & b);
}

/* Lanes where b is chosen, which comes after a. */
INLINE Bits
is_better (Vector b, Vector a)
{
  return (Bits) (b > a) | (Bits) (b != b);
}

/* A row of windows is cut into pieces of a vector, of which the last begins early enough to end with the row.
 * Where the row is shorter, its piece runs over its end, and what belongs there is written afterwards; only
 * the last ones of all are made elsewhere. */
INLINE gint32
piece (gint32 s, gint32 cols)
{
  return MAX (MIN (s, cols - VEC), 0);
}

/* A piece's windows, whose pixels are in rows a and b; at: the first one's place in the plane. The winner of
 * the upper two against that of the lower two: as one after the other, with NaN, too. */
INLINE void
pool_piece (const float *a, const float *b, gint32 at, gint32 width, float *y, gint32 *index)
{
  const Vector a0 = *(const Vector *) a, a1 = *(const Vector *) (a + VEC), b0 = *(const Vector *) b,
               b1 = *(const Vector *) (b + VEC);
  const Vector v0 = EVEN (a0, a1), v1 = ODD (a0, a1), v2 = EVEN (b0, b1), v3 = ODD (b0, b1);
  const Bits right_up = is_better (v1, v0), right_down = is_better (v3, v2);
  const Vector up = (Vector) choose (right_up, (Bits) v1, (Bits) v0),
               down = (Vector) choose (right_down, (Bits) v3, (Bits) v2);
  const Bits is_down = is_better (down, up);

  *(Vector *) y = (Vector) choose (is_down, (Bits) down, (Bits) up);
  *(Bits *) index = TWICE + at + choose (is_down, width - right_down, -right_up);
}

/* left: windows from the plane's first to the end of the last one's. */
INLINE void
pool_plane (const LsWindows *w, const float *from, float *y, gint32 *index, gint64 left)
{
  for (gint32 r = 0; r < w->rows; r++)
    for (gint32 s = 0; s < w->cols; s += VEC)
      {
        const gint32 first = piece (s, w->cols), n = MIN (w->cols, VEC), out = r * w->cols + first,
                     at = 2 * (r * w->width + first);

        if (out + VEC <= left)
          pool_piece (from + at, from + at + w->width, at, w->width, y + out, index + out);
        else
          {
            float some[4 * VEC] = { 0 }, some_y[VEC];
            gint32 some_index[VEC];

            memcpy (some, from + at, 2 * (gsize) n * sizeof (float));
            memcpy (some + 2 * VEC, from + at + w->width, 2 * (gsize) n * sizeof (float));
            pool_piece (some, some + 2 * VEC, at, w->width, some_y, some_index);
            memcpy (y + out, some_y, (gsize) n * sizeof (float));
            memcpy (index + out, some_index, (gsize) n * sizeof (gint32));
          }
      }
}

static void
pool (const LsWindows *w, gint64 n, const float *from, float *y, gint32 *index)
{
  const gint64 in_plane = (gint64) w->height * w->width, out_plane = (gint64) w->rows * w->cols;

  for (; n > 0; n--, from += in_plane, y += out_plane, index += out_plane)
    pool_plane (w, from, y, index, n * out_plane);
}

/* VEC windows' pixels of one row, of which the first has place `at`: each has what it was the maximum of. A
 * sum that begins at 0, as everywhere: −0 becomes 0. */
INLINE void
unpool_piece (const float *dy, const gint32 *index, const float *mask, gint32 at, float *dx)
{
  const Bits place = *(const Bits *) index - TWICE - at;
  Bits value = (Bits) (*(const Vector *) dy + 0.f);

  if (mask != NULL)
    value &= ~(Bits) (*(const Vector *) mask <= 0.f);
  const Vector even = (Vector) (value & (Bits) (place == 0)), odd = (Vector) (value & (Bits) (place == 1));

  *(Vector *) dx = LOW (even, odd);
  *(Vector *) (dx + VEC) = HIGH (even, odd);
}

/* left: as of pool_plane(). A place is compared with the window's own plane: a piece that runs over
 * into the next one finds it nowhere but where something else is written afterwards. */
INLINE void
unpool_row (const LsWindows *w, gint32 row, const float *dy, const gint32 *index, const float *mask,
            gint64 left, float *dx)
{
  for (gint32 s = 0; s < w->cols; s += VEC)
    {
      const gint32 first = piece (s, w->cols), n = MIN (w->cols, VEC), in = row / 2 * w->cols + first,
                   at = row * w->width + 2 * first;

      if (in + VEC <= left)
        unpool_piece (dy + in, index + in, mask != NULL ? mask + in : NULL, at, dx + at);
      else
        {
          float some_dy[VEC] = { 0 }, some_mask[VEC] = { 0 }, some[2 * VEC];
          gint32 some_index[VEC] = { 0 };

          memcpy (some_dy, dy + in, (gsize) n * sizeof (float));
          if (mask != NULL)
            memcpy (some_mask, mask + in, (gsize) n * sizeof (float));
          memcpy (some_index, index + in, (gsize) n * sizeof (gint32));
          unpool_piece (some_dy, some_index, mask != NULL ? some_mask : NULL, at, some);
          memcpy (dx + at, some, 2 * (gsize) n * sizeof (float));
        }
    }
}

static void
unpool (const LsWindows *w, gint64 n, const float *dy, const gint32 *index, const float *mask, float *dx)
{
  const gint64 in_plane = (gint64) w->height * w->width, out_plane = (gint64) w->rows * w->cols,
               covered = w->width == 2 * w->cols ? 2 * w->rows * w->width : 0;

  for (; n > 0; n--, dy += out_plane, index += out_plane, dx += in_plane)
    {
      memset (dx + covered, 0, (gsize) (in_plane - covered) * sizeof (float));
      for (gint32 row = 0; row < 2 * w->rows; row++)
        unpool_row (w, row, dy, index, mask, n * out_plane, dx);
      if (mask != NULL)
        mask += out_plane;
    }
}

/* ---- to be timed ---- */

#define LOADS  8  /* that wait for nothing but themselves */
#define CHAINS 12 /* likewise: more than a multiply-add takes cycles on two units */

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

  /* Chains that are alike would be made one, and of one that is known to begin at 2, where it stays, nothing
   * would be left. */
  for (int k = 0; k < CHAINS; k++)
    sums[k] = (Vector){ 0 } + (float) (times + (guint) k);

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

const LsDirectLoops JOIN (ls_direct_loops_, VEC) = { VEC,
                                                     MOST,
                                                     make,
                                                     &JOIN (ls_direct_outputs_, VEC),
                                                     shift,
                                                     turn,
                                                     pool,
                                                     unpool,
                                                     load,
                                                     multiply_add,
                                                     2.0 * CHAINS *VEC };
