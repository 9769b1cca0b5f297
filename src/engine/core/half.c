/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of 16-bit numbers to floats and back: see half.h. Three ways with the same bits: plain C, eight at a
 * time (F16C, AVX2) and sixteen at a time (AVX-512).
 */
#include "config.h"
#include "core/half.h"

#if defined __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#define X86 1
#else
#define X86 0
#endif

/* ---- one number ---- */

float
ls_fp16_to_float (guint16 half)
{
  const guint32 sign = (guint32) (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu;
  guint32 mantissa = half & 0x3ffu, bits;
  float value;

  if (exponent == 0x1fu)
    bits = sign | 0x7f800000u | mantissa << 13 | (mantissa != 0 ? 0x400000u : 0);
  else if (exponent != 0)
    bits = sign | (exponent + 112) << 23 | mantissa << 13;
  else
    {
      /* subnormal: so many times 2⁻²⁴, which a float holds exactly */
      value = (float) mantissa * 0x1p-24f;
      memcpy (&bits, &value, sizeof bits);
      bits |= sign;
    }
  memcpy (&value, &bits, sizeof value);
  return value;
}

guint16
ls_fp16_from_float (float value)
{
  guint32 bits, sign, rest;

  memcpy (&bits, &value, sizeof bits);
  sign = bits >> 16 & 0x8000u;
  rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return (guint16) (sign | 0x7e00u | (rest >> 13 & 0x3ffu));
  if (rest >= 0x47800000u) /* 65536 */
    return (guint16) (sign | 0x7c00u);
  if (rest >= 0x38800000u) /* 2⁻¹⁴: normal; rounding may carry into the exponent, and from the last one to
                              infinity */
    return (guint16) (sign | (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13);
  if (rest < 0x33000000u) /* below 2⁻²⁵, half of the least */
    return (guint16) sign;

  const guint32 shift = 126 - (rest >> 23), mantissa = (rest & 0x7fffffu) | 0x800000u;
  const guint32 whole = mantissa >> shift, part = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);

  return (guint16) (sign | (whole + (part > half || (part == half && whole & 1u))));
}

float
ls_half_round (LsDtype dtype, float value)
{
  return dtype == LS_F16    ? ls_fp16_to_float (ls_fp16_from_float (value))
         : dtype == LS_BF16 ? ls_bf16_to_float (ls_bf16_from_float (value))
                            : value;
}

/* ---- rows ---- */

static void
load_plain (LsDtype dtype, const guint16 *from, float *to, gsize n)
{
  if (dtype == LS_BF16)
    for (gsize i = 0; i < n; i++)
      to[i] = ls_bf16_to_float (from[i]);
  else
    for (gsize i = 0; i < n; i++)
      to[i] = ls_fp16_to_float (from[i]);
}

static void
store_plain (LsDtype dtype, const float *from, guint16 *to, gsize n)
{
  if (dtype == LS_BF16)
    for (gsize i = 0; i < n; i++)
      to[i] = ls_bf16_from_float (from[i]);
  else
    for (gsize i = 0; i < n; i++)
      to[i] = ls_fp16_from_float (from[i]);
}

#if X86
#define AVX2   __attribute__ ((target ("avx2,f16c")))
#define AVX512 __attribute__ ((target ("avx512f,avx512bw,avx512vl,avx512dq")))

AVX2 static void
load_8 (LsDtype dtype, const guint16 *from, float *to, gsize n)
{
  gsize i = 0;

  for (; i + 8 <= n; i += 8)
    {
      const __m128i half = _mm_loadu_si128 ((const __m128i *) (const void *) (from + i));
      _mm256_storeu_ps (to + i, dtype == LS_BF16
                                  ? _mm256_castsi256_ps (_mm256_slli_epi32 (_mm256_cvtepu16_epi32 (half), 16))
                                  : _mm256_cvtph_ps (half));
    }
  load_plain (dtype, from + i, to + i, n - i);
}

/* Eight bfloats, each in the lower half of its place. */
AVX2 static inline __m256i
bf16_of_8 (__m256 value)
{
  const __m256i bits = _mm256_castps_si256 (value), upper = _mm256_srli_epi32 (bits, 16),
                odd = _mm256_and_si256 (upper, _mm256_set1_epi32 (1)),
                sum = _mm256_add_epi32 (bits, _mm256_add_epi32 (odd, _mm256_set1_epi32 (0x7fff))),
                quiet = _mm256_or_si256 (upper, _mm256_set1_epi32 (0x40)),
                nan = _mm256_castps_si256 (_mm256_cmp_ps (value, value, _CMP_UNORD_Q));

  return _mm256_blendv_epi8 (_mm256_srli_epi32 (sum, 16), quiet, nan);
}

AVX2 static void
store_8 (LsDtype dtype, const float *from, guint16 *to, gsize n)
{
  gsize i = 0;

  for (; i + 8 <= n; i += 8)
    {
      const __m256 value = _mm256_loadu_ps (from + i);
      __m128i half;
      if (dtype == LS_BF16)
        {
          const __m256i wide = bf16_of_8 (value);
          half = _mm_packus_epi32 (_mm256_castsi256_si128 (wide), _mm256_extracti128_si256 (wide, 1));
        }
      else
        half = _mm256_cvtps_ph (value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      _mm_storeu_si128 ((__m128i *) (void *) (to + i), half);
    }
  store_plain (dtype, from + i, to + i, n - i);
}

AVX512 static void
load_16 (LsDtype dtype, const guint16 *from, float *to, gsize n)
{
  gsize i = 0;

  for (; i + 16 <= n; i += 16)
    {
      const __m256i half = _mm256_loadu_si256 ((const __m256i *) (const void *) (from + i));
      _mm512_storeu_ps (to + i, dtype == LS_BF16
                                  ? _mm512_castsi512_ps (_mm512_slli_epi32 (_mm512_cvtepu16_epi32 (half), 16))
                                  : _mm512_cvtph_ps (half));
    }
  load_plain (dtype, from + i, to + i, n - i);
}

AVX512 static void
store_16 (LsDtype dtype, const float *from, guint16 *to, gsize n)
{
  gsize i = 0;

  for (; i + 16 <= n; i += 16)
    {
      const __m512 value = _mm512_loadu_ps (from + i);
      __m256i half;
      if (dtype == LS_BF16)
        {
          const __m512i bits = _mm512_castps_si512 (value), upper = _mm512_srli_epi32 (bits, 16),
                        odd = _mm512_and_si512 (upper, _mm512_set1_epi32 (1)),
                        sum = _mm512_add_epi32 (bits, _mm512_add_epi32 (odd, _mm512_set1_epi32 (0x7fff)));
          const __mmask16 nan = _mm512_cmp_ps_mask (value, value, _CMP_UNORD_Q);
          half = _mm512_cvtepi32_epi16 (
            _mm512_mask_or_epi32 (_mm512_srli_epi32 (sum, 16), nan, upper, _mm512_set1_epi32 (0x40)));
        }
      else
        half = _mm512_cvtps_ph (value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      _mm256_storeu_si256 ((__m256i *) (void *) (to + i), half);
    }
  store_plain (dtype, from + i, to + i, n - i);
}

/* Asked by hand: not every compiler's __builtin_cpu_supports() knows the name. Whether the system keeps the
 * registers is in its answer for AVX2. */
static gboolean
has_f16c (void)
{
  guint32 a, b, c, d;

  return __get_cpuid (1, &a, &b, &c, &d) != 0 && (c & 1u << 29) != 0;
}
#endif

typedef void (*LoadFunc) (LsDtype dtype, const guint16 *from, float *to, gsize n);
typedef void (*StoreFunc) (LsDtype dtype, const float *from, guint16 *to, gsize n);

static const struct {
  LoadFunc load;
  StoreFunc store;
} ways[] = {
  { load_plain, store_plain },
#if X86
  { load_8, store_8 },
  { load_16, store_16 },
#endif
};

static guint
count_ways (void)
{
#if X86
  __builtin_cpu_init ();
  if (!__builtin_cpu_supports ("avx2") || !has_f16c ())
    return 1;
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl")
             && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq")
           ? 3
           : 2;
#else
  return 1;
#endif
}

guint
ls_half_ways (void)
{
  static gsize n;

  if (g_once_init_enter (&n))
    g_once_init_leave (&n, count_ways ());
  return (guint) n;
}

void
ls_half_load_by (guint way, LsDtype dtype, const guint16 *from, float *to, gsize n)
{
  ways[way].load (dtype, from, to, n);
}

void
ls_half_store_by (guint way, LsDtype dtype, const float *from, guint16 *to, gsize n)
{
  ways[way].store (dtype, from, to, n);
}

void
ls_half_load (LsDtype dtype, const guint16 *from, float *to, gsize n)
{
  ways[ls_half_ways () - 1].load (dtype, from, to, n);
}

void
ls_half_store (LsDtype dtype, const float *from, guint16 *to, gsize n)
{
  ways[ls_half_ways () - 1].store (dtype, from, to, n);
}
