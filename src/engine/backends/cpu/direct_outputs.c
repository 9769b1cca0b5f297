/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direct convolution's loops with outputs as lanes, see direct.h. Towards the weights a few places × two
 * vectors of outputs stay in registers while the pixels go by:
 *
 *      per pixel:   sum[k][v] += picture[pixel + offset (k)] · dY (pixel, first output of v)
 *
 * Where there are registers enough, planes are made like that, too: some neighbouring pixels × a vector of
 * outputs while k runs over the kernel's places,
 *
 *      per k:       sum[pixel] += picture[pixel + offset (k)] · W (k, first output)
 *
 * of which three side by side are taken together: a pixel of the picture is loaded once, for the sums of up
 * to three neighbours. Each sum is the chain of additions that it is in direct_loops.c.
 */
#include "backends/cpu/direct.h"

#include "backends/cpu/vectors.h"
#include "ops/op.h"

#define PLACES (VEC == 16 ? 9 : 6) /* at a time: a kernel of 3×3 */

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

/* ---- planes ---- */

#if VEC == 16

#define THREE 3
#define MOST  16 /* pixels at a time: three vectors of weights and a pixel are in registers, too */
#define FEW   8  /* in a row, of which two rows at a time keep the units busy */
#define GROUP 64 /* pixels that are turned into planes while they lie in the first cache */

INLINE Vector
splat (float x)
{
  return x - (Vector){ 0 };
}

INLINE void
add_place (Vector *sum, const float *from, gint64 row, const float *weights, int rows, int pixels)
{
  const Vector w = *(const Vector *) weights;

  LS_UNROLL
  for (int i = 0; i < rows * pixels; i++)
    sum[i] += from[i / pixels * row + i % pixels] * w;
}

/* from: the pixel of the place that lies first in the picture; back: that is the third in the sum's order.
 * The picture's pixels come in such an order that each sum has its places in theirs. */
INLINE void
add_three (Vector *sum, const float *from, gint64 row, const float *weights, int rows, int pixels,
           gboolean back)
{
  Vector w[THREE];

  LS_UNROLL
  for (int v = 0; v < THREE; v++)
    w[v] = *(const Vector *) (weights + v * VEC);
  LS_UNROLL
  for (int j = 0; j < pixels + THREE - 1; j++)
    LS_UNROLL
  for (int r = 0; r < rows; r++)
    {
      const int at = back ? pixels + THREE - 2 - j : j;
      const Vector of = splat (from[r * row + at]);

      LS_UNROLL
      for (int v = 0; v < THREE; v++)
        {
          const int i = back ? at - (THREE - 1) + v : at - v;
          if (i >= 0 && i < pixels)
            sum[r * pixels + i] += of * w[v];
        }
    }
}

/* Of so many rows so many pixels, whose first is `at` in the picture: to [rows, cols, VEC]. rows, pixels and
 * back are constants wherever this is inlined. */
INLINE void
compute (const LsDirectOutputs *p, gint64 at, const float *weights, float *to, int rows, int pixels,
         gboolean back)
{
  const float *from = p->picture + at;
  const gint64 row = p->row;

  for (gint64 k = 0, end; k < p->k;)
    {
      const gboolean first = k == 0;
      Vector sum[MOST];

      LS_UNROLL
      for (int i = 0; i < rows * pixels; i++)
        sum[i] = (Vector){ 0 };
      for (end = MIN (k + LS_SUM_BLOCK, p->k); k < end;)
        if (k % THREE == 0 && k + THREE <= end)
          {
            add_three (sum, from + p->offset[back ? k + THREE - 1 : k], row, weights, rows, pixels, back);
            weights += THREE * VEC;
            k += THREE;
          }
        else
          {
            add_place (sum, from + p->offset[k], row, weights, rows, pixels);
            weights += VEC;
            k++;
          }
      LS_UNROLL
      for (int i = 0; i < rows * pixels; i++)
        {
          Vector *total = (Vector *) (to + (i / pixels * p->cols + i % pixels) * VEC);
          if (first)
            *total = sum[i];
          else
            *total += sum[i];
        }
    }
}

#define PIXELS(rows_, pixels_)                                                                               \
  case pixels_:                                                                                              \
    if (p->offset[0] > p->offset[1])                                                                         \
      compute (p, at, weights, to, rows_, pixels_, TRUE);                                                    \
    else                                                                                                     \
      compute (p, at, weights, to, rows_, pixels_, FALSE);                                                   \
    break;

static void
compute_row (const LsDirectOutputs *p, gint64 at, const float *weights, float *to, gint64 pixels)
{
  switch (pixels)
    {
      /* clang-format off */
      PIXELS (1, 1) PIXELS (1, 2) PIXELS (1, 3) PIXELS (1, 4) PIXELS (1, 5) PIXELS (1, 6) PIXELS (1, 7)
      PIXELS (1, 8) PIXELS (1, 9) PIXELS (1, 10) PIXELS (1, 11) PIXELS (1, 12) PIXELS (1, 13) PIXELS (1, 14)
      PIXELS (1, 15) PIXELS (1, 16)
      /* clang-format on */
    }
}

static void
compute_two_rows (const LsDirectOutputs *p, gint64 at, const float *weights, float *to, gint64 pixels)
{
  switch (pixels)
    {
      /* clang-format off */
      PIXELS (2, 1) PIXELS (2, 2) PIXELS (2, 3) PIXELS (2, 4) PIXELS (2, 5) PIXELS (2, 6) PIXELS (2, 7)
      /* clang-format on */
    }
}

/* Rows r0 … r0 + rows − 1, to `some`: of each vector of outputs so many pixels. */
static void
compute_rows (const LsDirectOutputs *p, gint64 r0, gint64 rows)
{
  const gint64 blocks = (p->cols + MOST - 1) / MOST, block = (p->cols + blocks - 1) / blocks;

  for (gint64 r = 0, n; r < rows; r += n)
    {
      n = p->cols < FEW ? MIN (rows - r, 2) : 1;
      for (gint64 o = 0; o < p->outputs; o++) /* will be written soon */
        __builtin_prefetch (p->to + o * p->plane + (r0 + r) * p->cols, 1);
      for (gint64 s = 0; s < p->cols; s += block)
        for (gint64 o = 0; o < p->outputs; o += VEC)
          (n == 2 ? compute_two_rows : compute_row) (p, (r0 + r) * p->row + s, p->weights + o * p->k,
                                                     p->some + o * rows * p->cols + (r * p->cols + s) * VEC,
                                                     MIN (block, p->cols - s));
    }
}

/* `some`, pixels × outputs, → planes. */
static void
write_planes (const LsDirectOutputs *p, const float *from, gint64 pixels, gint64 outputs, float *to)
{
  const gint64 n = MIN (pixels, VEC);

  for (gint64 pixel = 0; pixel < pixels; pixel += VEC)
    {
      const gint64 at = MIN (pixel, pixels - n); /* the last ones begin early enough to end with the pixels */
      float some[VEC * VEC];

      if (n == VEC && outputs == VEC)
        {
          turn_block (from + at * VEC, VEC, VEC, to + at, p->plane);
          continue;
        }
      turn_block (from + at * VEC, VEC, n, some, VEC);
      for (gint64 o = 0; o < outputs; o++)
        memcpy (to + o * p->plane + at, some + o * VEC, (gsize) n * sizeof (float));
    }
}

static void
make (const LsDirectOutputs *p)
{
  const gint64 group = p->cols < FEW ? GROUP / p->cols / 2 * 2 : MAX (GROUP / p->cols, 1);

  for (gint64 r = 0; r < p->rows; r += group)
    {
      const gint64 rows = MIN (group, p->rows - r), pixels = rows * p->cols;

      compute_rows (p, r, rows);
      for (gint64 o = 0; o < p->outputs; o += VEC)
        write_planes (p, p->some + o * pixels, pixels, MIN (VEC, p->outputs - o),
                      p->to + o * p->plane + r * p->cols);
    }
}

#endif

const LsDirectOutputLoops JOIN (ls_direct_outputs_, VEC) = {
  add,
#if VEC == 16
  make,
  GROUP,
#endif
};
