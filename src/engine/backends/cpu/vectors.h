/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loops over vectors share (gemm_loops.c, direct_loops.c), which are compiled once for each width of
 * registers:
 *
 *   VEC   floats of a vector register: 4, 8 or 16
 */
#pragma once

#include <glib.h>
#include <string.h>

#include "core/unroll.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_ (a, b)

typedef float Vector
  __attribute__ ((vector_size (VEC * sizeof (float)), aligned (sizeof (float)), may_alias));

#define INLINE static inline __attribute__ ((always_inline))

/* ---- transposing ---- */

/* Two vectors' lanes in turn, a0 b0 a1 b1 …: of their first halves, of their second halves. */
#if VEC == 16
#define INTERLEAVE_LO(a, b)                                                                                  \
  __builtin_shufflevector (a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define INTERLEAVE_HI(a, b)                                                                                  \
  __builtin_shufflevector (a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif VEC == 8
#define INTERLEAVE_LO(a, b) __builtin_shufflevector (a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define INTERLEAVE_HI(a, b) __builtin_shufflevector (a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define INTERLEAVE_LO(a, b) __builtin_shufflevector (a, b, 0, 4, 1, 5)
#define INTERLEAVE_HI(a, b) __builtin_shufflevector (a, b, 2, 6, 3, 7)
#endif

/* After as many perfect shuffles of the rows as VEC has bits, row i of the VEC×VEC block holds column i. */
INLINE void
shuffle_rows (const Vector *v, Vector *t)
{
  LS_UNROLL
  for (int i = 0; i < VEC / 2; i++)
    {
      t[2 * i] = INTERLEAVE_LO (v[i], v[i + VEC / 2]);
      t[2 * i + 1] = INTERLEAVE_HI (v[i], v[i + VEC / 2]);
    }
}

INLINE void
transpose (Vector *v)
{
  Vector t[VEC];

  shuffle_rows (v, t);
  shuffle_rows (t, v);
#if VEC > 4
  shuffle_rows (v, t);
#if VEC > 8
  shuffle_rows (t, v);
#else
  memcpy (v, t, sizeof t);
#endif
#endif
}

/* ---- turning ---- */

/* From place `at` on of VEC columns, each of which lies along memory. */
INLINE void
turn_block (const float *b, gint64 b_col, gint64 cols, float *panel, gint64 width)
{
  Vector v[VEC];

  LS_UNROLL
  for (int j = 0; j < VEC; j++)
    if (j < cols)
      v[j] = *(const Vector *) (b + j * b_col);
    else
      v[j] = (Vector){ 0 };
  transpose (v);
  LS_UNROLL
  for (int i = 0; i < VEC; i++)
    *(Vector *) (panel + i * width) = v[i];
}

/* `cols` columns, each of which lies along memory → k rows of `width` floats, filled up with zeros. */
static inline void
turn_columns (const float *b, gint64 b_col, gint64 cols, gint64 k, float *panel, gint64 width)
{
  if (k < VEC)
    {
      for (gint64 i = 0; i < k; i++)
        for (gint64 j = 0; j < width; j++)
          panel[i * width + j] = j < cols ? b[j * b_col + i] : 0;
      return;
    }
  for (gint64 col = 0; col < width; col += VEC)
    for (gint64 i = 0; i < k; i += VEC)
      {
        gint64 at = MIN (i, k - VEC); /* the last block may do some rows again */
        turn_block (b + col * b_col + at, b_col, cols - col, panel + at * width + col, width);
      }
}

/* ---- storing ---- */

/* Halves, quarters, …, as the bits of n < 4·VEC say: copies of constant length. */
INLINE void
copy_lanes (float *to, const float *from, gint64 n)
{
  LS_UNROLL
  for (int length = 2 * VEC; length > 0; length /= 2)
    if (n & length)
      {
        memcpy (to, from, (gsize) length * sizeof (float));
        to += length;
        from += length;
      }
}
