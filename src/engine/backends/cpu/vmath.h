/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exp, log, tanh and the normal distribution as straight lines of arithmetic, so that a loop over them is
 * vectorised; libm's are one call per number. Coefficients: Cephes (S. L. Moshier, netlib.org/cephes, single
 * precision, expf.c, logf.c and tanhf.c). Within 3 ulp (exp, log) and 5 ulp (tanh) as OpenCL asks for, 5 ulp
 * (Φ, of larger than ½); tests/cpu/test-kernels measures it.
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

static inline float
ls_float_from_bits (guint32 bits)
{
  float f;
  memcpy (&f, &bits, sizeof f);
  return f;
}

static inline guint32
ls_bits_from_float (float f)
{
  guint32 bits;
  memcpy (&bits, &f, sizeof bits);
  return bits;
}

/* e^x = 2^n · e^r, n = x / ln 2 rounded, |r| ≤ ln 2 / 2. Adding 1.5·2²³ rounds: the sum's low bits are n. */
static inline float
ls_vexpf (float x)
{
  const float rounder = 12582912.0f;

  x = x > 89.0f ? 89.0f : x;     /* → infinity; a NaN passes both comparisons */
  x = x < -104.0f ? -104.0f : x; /* → 0 */
  float shifted = x * 1.44269504088896341f + rounder;
  float n = shifted - rounder;
  float r = x - n * 0.693359375f; /* ln 2 in two parts: n times the first is exact */
  r -= n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  /* 2^n in two factors: n = 128 alone has no float, though p · 2¹²⁸ may. */
  guint32 exponent = ls_bits_from_float (shifted) - 0x4b400000u + 256; /* n + 256, positive */
  guint32 half = exponent >> 1;
  return p * ls_float_from_bits ((half - 1) << 23) * ls_float_from_bits ((exponent - half - 1) << 23);
}

/* Of numbers from FLT_MIN on, to FLT_MAX: log x = n · ln 2 + log (1 + r), x = 2^n · (1 + r), √½ ≤ 1 + r < √2.
 * No two products are added, which compilers could contract in different ways. */
static inline float
ls_vlogf (float x)
{
  const float rounder = 12582912.0f;
  guint32 shifted = (ls_bits_from_float (x) + 0x40cafb0du) >> 23; /* n + 256; the bits of √½ are 0x3f3504f3 */
  float n = ls_float_from_bits (shifted + 0x4b3fff00u) - rounder;
  float r = ls_float_from_bits (ls_bits_from_float (x) + ((256u - shifted) << 23)) - 1.0f, z = r * r;
  float p = 7.0376836292e-2f;
  p = p * r - 1.1514610310e-1f;
  p = p * r + 1.1676998740e-1f;
  p = p * r - 1.2420140846e-1f;
  p = p * r + 1.4249322787e-1f;
  p = p * r - 1.6668057665e-1f;
  p = p * r + 2.0000714765e-1f;
  p = p * r - 2.4999993993e-1f;
  p = p * r + 3.3333331174e-1f;
  p = p * r - 0.5f;
  p = p * z + r;
  p = n * -2.12194440e-4f + p;
  p = n * 0.693359375f + p;
  return x == x ? p : x;
}

static inline float
ls_vtanhf (float x)
{
  float a = fabsf (x), z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  float small = p * z * x + x;
  float large = copysignf (1.0f - 2.0f / (ls_vexpf (2.0f * a) + 1.0f), x);
  return a < 0.625f ? small : large;
}

static inline float
ls_vsigmoidf (float x)
{
  return 1.0f / (1.0f + ls_vexpf (-x));
}

/* Φ(x) of e = e^(−x²/2). With t = |x| and u = 1 / (1 + 0.35·t), Φ(−t) = e · (c₁·u + … + c₉·u⁹): the form of
 * Hastings' approximations (Abramowitz, Stegun 1964, 26.2.17), with coefficients of our own that keep the
 * relative error below 4·10⁻⁸ up to t = 14. */
static inline float
ls_vnormalf (float x, float e)
{
  float t = fabsf (x), u = 1.0f / (0.35f * t + 1.0f);
  float q = -2.91459188e-2f;
  q = q * u + 1.43971637e-1f;
  q = q * u - 2.55714148e-1f;
  q = q * u + 1.59174025e-1f;
  q = q * u - 2.31097452e-2f;
  q = q * u + 1.05507970e-1f;
  q = q * u + 1.19832873e-1f;
  q = q * u + 1.39861867e-1f;
  q = q * u + 1.39621407e-1f;
  /* One product and one sum for either side, and no branch: nothing that compilers could contract in
   * different ways. */
  guint32 above = (ls_bits_from_float (x) >> 31) - 1; /* all bits, or none below 0 */
  float signed_e = ls_float_from_bits (ls_bits_from_float (e) ^ (above & 0x80000000u));
  float rest = ls_float_from_bits (above & 0x3f800000u), r = q * u;
  return signed_e * r + rest;
}

static inline float
ls_vgeluf (float x)
{
  return x * ls_vnormalf (x, ls_vexpf (-0.5f * x * x));
}

/* Φ(x) + x·φ(x) */
static inline float
ls_vgelu_slopef (float x)
{
  float e = ls_vexpf (-0.5f * x * x), density = e * 0.398942280f;
  return x * density + ls_vnormalf (x, e);
}
