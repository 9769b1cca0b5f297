/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers stored in 16 bits, in one of two ways:
 *
 *   fp16   sign, 5 bits of exponent, 10 of mantissa: IEEE 754 binary16. 2⁻²⁴ … 65504, then infinity
 *   bf16   the upper half of a float: its range, with 7 bits of mantissa
 *
 * All arithmetic is done in floats: a load converts exactly, a store rounds to the nearest, ties to even. A
 * NaN stays a NaN, made quiet, with the upper bits of its payload. Whichever instructions a processor has for
 * it, the bits are the same: the functions here are the definition.
 */
#pragma once

#include <string.h>

#include "core/tensor.h"

G_BEGIN_DECLS

static inline float
ls_bf16_to_float (guint16 half)
{
  const guint32 bits = (guint32) half << 16;
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint16
ls_bf16_from_float (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (guint16) (bits >> 16 | 0x40u);
  return (guint16) ((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

float ls_fp16_to_float (guint16 half);
guint16 ls_fp16_from_float (float value);

/* n numbers of one of the two dtypes, by the processor's own instructions where it has some. The memories
 * don't overlap. */
void ls_half_load (LsDtype dtype, const guint16 *from, float *to, gsize n);
void ls_half_store (LsDtype dtype, const float *from, guint16 *to, gsize n);

/* What value becomes when it is stored as that dtype, real or not, and loaded again. */
float ls_half_round (LsDtype dtype, float value);

/* The ways that this processor has: 1, the plain one, to 3. Those of n, for tests; n < ls_half_ways(). */
guint ls_half_ways (void);
void ls_half_load_by (guint way, LsDtype dtype, const guint16 *from, float *to, gsize n);
void ls_half_store_by (guint way, LsDtype dtype, const float *from, guint16 *to, gsize n);

G_END_DECLS
