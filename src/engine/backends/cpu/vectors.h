/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the loops over vectors share (gemm_loops.c, direct_loops.c, direct_outputs.c), which are compiled once
 * for each width of registers:
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

#define PANEL (2 * VEC) /* floats of a row of B's columns, copied */

#define INLINE static inline __attribute__ ((always_inline))

/* ---- turning ---- */

typedef float Four __attribute__ ((vector_size (16), aligned (sizeof (float)), may_alias));

/* Of each four lanes of two vectors a and b: a0 b0 a1 b1, a2 b2 a3 b3, a0 a1 b0 b1, a2 a3 b2 b3. */
#if VEC == 16
typedef float Eight __attribute__ ((vector_size (32), aligned (sizeof (float)), may_alias));

#define LO_4(a, b) __builtin_shufflevector (a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HI_4(a, b) __builtin_shufflevector (a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define HALVES_LO_4(a, b)                                                                                    \
  __builtin_shufflevector (a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HALVES_HI_4(a, b)                                                                                    \
  __builtin_shufflevector (a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#elif VEC == 8
#define LO_4(a, b)        __builtin_shufflevector (a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HI_4(a, b)        __builtin_shufflevector (a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define HALVES_LO_4(a, b) __builtin_shufflevector (a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HALVES_HI_4(a, b) __builtin_shufflevector (a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
#define LO_4(a, b)        __builtin_shufflevector (a, b, 0, 4, 1, 5)
#define HI_4(a, b)        __builtin_shufflevector (a, b, 2, 6, 3, 7)
#define HALVES_LO_4(a, b) __builtin_shufflevector (a, b, 0, 1, 4, 5)
#define HALVES_HI_4(a, b) __builtin_shufflevector (a, b, 2, 3, 6, 7)
#endif

/* Four numbers, which lie along memory, of every fourth of VEC columns. */
INLINE Vector
four_of_each (const float *b, gint64 col)
{
#if VEC == 16
  const Four *of[4] = { (const Four *) b, (const Four *) (b + 4 * col), (const Four *) (b + 8 * col),
                        (const Four *) (b + 12 * col) };
  const Eight low = __builtin_shufflevector (*of[0], *of[1], 0, 1, 2, 3, 4, 5, 6, 7),
              high = __builtin_shufflevector (*of[2], *of[3], 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector (low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif VEC == 8
  return __builtin_shufflevector (*(const Four *) b, *(const Four *) (b + 4 * col), 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return *(const Four *) b;
#endif
}

/* Four numbers of each of VEC columns → four rows: fewer shuffles for a number than of whole vectors. */
INLINE void
turn_four (const float *b, gint64 col, Vector row[4])
{
  const Vector v0 = four_of_each (b, col), v1 = four_of_each (b + col, col),
               v2 = four_of_each (b + 2 * col, col), v3 = four_of_each (b + 3 * col, col);
  const Vector low = LO_4 (v0, v1), low_2 = LO_4 (v2, v3), high = HI_4 (v0, v1), high_2 = HI_4 (v2, v3);

  row[0] = HALVES_LO_4 (low, low_2);
  row[1] = HALVES_HI_4 (low, low_2);
  row[2] = HALVES_LO_4 (high, high_2);
  row[3] = HALVES_HI_4 (high, high_2);
}

/* VEC numbers of each of VEC columns, of which those from `cols` on are zeros. */
INLINE void
turn_block (const float *b, gint64 b_col, gint64 cols, float *panel, gint64 width)
{
  float some[VEC * VEC];

  if (cols < VEC)
    {
      memset (some, 0, sizeof some);
      for (gint64 j = 0; j < cols; j++)
        memcpy (some + j * VEC, b + j * b_col, VEC * sizeof (float));
      b = some;
      b_col = VEC;
    }
  LS_UNROLL
  for (int i = 0; i < VEC; i += 4)
    {
      Vector row[4];

      turn_four (b + i, b_col, row);
      LS_UNROLL
      for (int j = 0; j < 4; j++)
        *(Vector *) (panel + (i + j) * width) = row[j];
    }
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

/* k rows of `cols` floats → as many of `width`, filled up with zeros. */
static inline void
copy_columns (const float *b, gint64 b_k, gint64 cols, gint64 k, float *panel, gint64 width)
{
  if (cols == PANEL)
    for (gint64 i = 0; i < k; i++)
      memcpy (panel + i * PANEL, b + i * b_k, PANEL * sizeof (float));
  else
    for (gint64 i = 0; i < k; i++)
      for (gint64 j = 0; j < width; j++)
        panel[i * width + j] = j < cols ? b[i * b_k + j] : 0;
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

/* The gradient at element `at` of weight and velocity, a float or a vector: as ls_cpu_rect_sgd() rounds, with
 * each multiplication next to its addition, so that the compiler makes one of them in every build. */
#define UPDATE(T, update, weight, velocity, gradient)                                                        \
  {                                                                                                          \
    T *w = (T *) (weight), *v = (T *) (velocity);                                                            \
    const T change = (gradient), w_old = *w, v_old = *v, v_new = (update)->momentum * v_old + change,        \
            w_new = w_old - (update)->lr * v_new;                                                            \
    *v = v_new;                                                                                              \
    *w = w_new;                                                                                              \
  }
