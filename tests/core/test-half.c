/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in 16 bits: all 65,536 of both formats there and back, what lies between two of them, the edges of
 * range and precision, and that every way of a processor gives the same bits.
 */
#include <math.h>
#include <string.h>

#include "core/half.h"
#include "core/rng.h"
#include "core/tensor.h"

static const LsDtype dtypes[] = { LS_F16, LS_BF16 };

static guint32
bits_of (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static float
of_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static float
load (LsDtype dtype, guint16 half)
{
  return dtype == LS_F16 ? ls_fp16_to_float (half) : ls_bf16_to_float (half);
}

static guint16
store (LsDtype dtype, float value)
{
  return dtype == LS_F16 ? ls_fp16_from_float (value) : ls_bf16_from_float (value);
}

/* The value by its definition. */
static double
expected (LsDtype dtype, guint16 half)
{
  const int digits = dtype == LS_F16 ? 10 : 7, bias = dtype == LS_F16 ? 15 : 127;
  const int exponent = (half & 0x7fff) >> digits, mantissa = half & ((1 << digits) - 1);
  const double size = exponent == 0              ? ldexp (mantissa, 1 - bias - digits)
                      : exponent == 2 * bias + 1 ? (mantissa == 0 ? HUGE_VAL : (double) NAN)
                                                 : ldexp (mantissa + (1 << digits), exponent - bias - digits);

  return half & 0x8000 ? -size : size;
}

static void
test_every (void)
{
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (guint32 half = 0; half <= G_MAXUINT16; half++)
      {
        const float value = load (dtypes[d], (guint16) half);
        const double wanted = expected (dtypes[d], (guint16) half);

        if (isnan (wanted))
          {
            g_assert_true (isnan (value) && isnan (load (dtypes[d], store (dtypes[d], value))));
            continue;
          }
        g_assert_true ((double) value == wanted && !signbit (value) == !(half & 0x8000));
        g_assert_cmphex (store (dtypes[d], value), ==, half);
      }
}

/* Between two neighbours: the half way goes to the even one, a float beside it to the nearer one. */
static void
test_rounding (void)
{
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (guint32 half = 0; half < 0x7fff; half++)
      {
        const double low = expected (dtypes[d], (guint16) half),
                     high = expected (dtypes[d], (guint16) (half + 1));
        const float middle = (float) ((low + high) / 2);

        if (!isfinite (high) || (double) middle * 2 != low + high)
          continue;
        g_assert_cmphex (store (dtypes[d], middle), ==, half + (half & 1));
        g_assert_cmphex (store (dtypes[d], nextafterf (middle, 0)), ==, half);
        g_assert_cmphex (store (dtypes[d], nextafterf (middle, HUGE_VALF)), ==, half + 1);
        g_assert_cmphex (store (dtypes[d], -middle), ==, 0x8000 | (half + (half & 1)));
      }
}

static void
test_edges (void)
{
  static const struct {
    LsDtype dtype;
    guint32 from;
    guint16 to;
  } edges[] = {
    { LS_F16, 0x477fe000, 0x7bff }, /* 65504, the largest */
    { LS_F16, 0x477fefff, 0x7bff }, /* the last float below 65520 */
    { LS_F16, 0x477ff000, 0x7c00 }, /* 65520 */
    { LS_F16, 0x7f7fffff, 0x7c00 }, /* the largest float */
    { LS_F16, 0xff800000, 0xfc00 }, /* −∞ */
    { LS_F16, 0x33000000, 0x0000 }, /* 2⁻²⁵, half of the least: to even */
    { LS_F16, 0x33000001, 0x0001 },  { LS_F16, 0x387fffff, 0x0400 },  /* carries from the subnormal numbers
                                                                         into the normal ones */
    { LS_F16, 0x80000001, 0x8000 },  { LS_F16, 0x7f800001, 0x7e00 },  /* a signalling NaN becomes a quiet one
                                                                       */
    { LS_F16, 0xffffffff, 0xffff },  { LS_BF16, 0x7f7f7fff, 0x7f7f }, /* the largest */
    { LS_BF16, 0x7f7f8000, 0x7f80 }, { LS_BF16, 0x7f800000, 0x7f80 }, { LS_BF16, 0x7f800001, 0x7fc0 },
    { LS_BF16, 0xffffffff, 0xffff }, { LS_BF16, 0x00008000, 0x0000 }, { LS_BF16, 0x00008001, 0x0001 },
    { LS_BF16, 0x80000000, 0x8000 }, { LS_BF16, 0x3f808000, 0x3f80 }, { LS_BF16, 0x3f818000, 0x3f82 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (edges); i++)
    g_assert_cmphex (store (edges[i].dtype, of_bits (edges[i].from)), ==, edges[i].to);
  g_assert_cmpfloat (ls_half_round (LS_F32, 0.1f), ==, 0.1f);
  g_assert_cmphex (bits_of (ls_half_round (LS_BF16, 0.1f)), ==, 0x3dcd0000);
  g_assert_cmphex (bits_of (ls_half_round (LS_F16, 0.1f)), ==, 0x3dccc000);
}

#define N 70001 /* not a multiple of any vector */

/* Rows by each way, from any place, of any length: every 16-bit number, floats of random bits. Nothing behind
 * the row is touched. */
static void
test_ways (void)
{
  g_autofree guint16 *halves = g_new (guint16, N + 1), *stored = g_new (guint16, N + 1);
  g_autofree float *floats = g_new (float, N + 1), *loaded = g_new (float, N + 1);

  g_test_message ("%u ways", ls_half_ways ());
  for (gsize i = 0; i < N; i++)
    {
      halves[i] = (guint16) i;
      floats[i] = of_bits ((guint32) (ls_rng_uniform (1, LS_STREAM_TEST, 0, i) * 4294967296.0));
    }
  for (guint way = 0; way < ls_half_ways (); way++)
    for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
      {
        for (gsize n = 0; n < 70; n++)
          {
            loaded[n] = -1;
            stored[n] = 0x1234;
            ls_half_load_by (way, dtypes[d], halves + n + 1, loaded, n);
            ls_half_store_by (way, dtypes[d], floats + n + 1, stored, n);
            g_assert_cmpfloat (loaded[n], ==, -1);
            g_assert_cmphex (stored[n], ==, 0x1234);
          }
        ls_half_load_by (way, dtypes[d], halves, loaded, N);
        ls_half_store_by (way, dtypes[d], floats, stored, N);
        for (gsize i = 0; i < N; i++)
          {
            const guint32 wanted = bits_of (load (dtypes[d], halves[i]));
            /* a bfloat's NaN is loaded as it is, whichever way */
            if (bits_of (loaded[i]) != wanted || stored[i] != store (dtypes[d], floats[i]))
              g_error ("way %u, dtype %u, number %zu: %08x is not %08x, or %04x not %04x", way, dtypes[d], i,
                       bits_of (loaded[i]), wanted, stored[i], store (dtypes[d], floats[i]));
          }
      }
}

/* A row that is rounded in place is what each of its numbers is, of any length: shorter and longer than what
 * is converted at once, and nothing behind it. */
static void
test_round_row (void)
{
  static const gsize lengths[] = { 0, 1, 7, 255, 256, 257, 511, 512, 513, 1000 };
  float values[1300], rounded[1300];

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (float) ls_rng_uniform (3, LS_STREAM_TEST, 0, i) - .5f;
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (gsize l = 0; l < G_N_ELEMENTS (lengths); l++)
      {
        memcpy (rounded, values, sizeof rounded);
        ls_half_round_row (dtypes[d], rounded, lengths[l]);
        for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
          {
            const float wanted = i < lengths[l] ? ls_half_round (dtypes[d], values[i]) : values[i];
            if (bits_of (rounded[i]) != bits_of (wanted))
              g_error ("of a row of %zu numbers, number %zu is %g, not %g", lengths[l], i,
                       (double) rounded[i], (double) wanted);
          }
      }
}

/* What tolerances go by: a rounding is at most half of it. */
static void
test_epsilon (void)
{
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    {
      const double epsilon = ls_dtype_info (dtypes[d])->epsilon;
      double worst = 0;

      g_assert_cmpuint (ls_dtype_size (dtypes[d]), ==, 2);
      g_assert_true (ls_dtype_is_half (dtypes[d]) && ls_dtype_info (dtypes[d])->real);
      for (guint i = 0; i < 10000; i++)
        {
          const float value = 1 + (float) ls_rng_uniform (2, LS_STREAM_TEST, 0, i);
          worst = MAX (worst,
                       fabs ((double) ls_half_round (dtypes[d], value) - (double) value) / (double) value);
        }
      g_assert_true (worst <= epsilon / 2 && worst > epsilon / 2.1);
    }
  g_assert_false (ls_dtype_is_half (LS_F32) || ls_dtype_is_half (LS_I32));
}

/* What a lane's memory holds of the numbers that it is given, and what is read back from there: halves of
 * either kind, floats and whole numbers; of a weight the copy as well. */
static void
test_tensors (void)
{
  static const float given[] = { 1.5f, -2, 0, 1 / 3.f, 65536 };
  static const struct {
    LsDtype dtype, copy;
    guint32 held[5], copied[5]; /* bits */
    float back[5];
  } rows[] = {
    { LS_F32,
      0,
      { 0x3fc00000, 0xc0000000, 0, 0x3eaaaaab, 0x47800000 },
      { 0 },
      { 1.5f, -2, 0, 1 / 3.f, 65536 } },
    { LS_F32,
      LS_F16,
      { 0x3fc00000, 0xc0000000, 0, 0x3eaaaaab, 0x47800000 },
      { 0x3e00, 0xc000, 0, 0x3555, 0x7c00 },
      { 1.5f, -2, 0, 1 / 3.f, 65536 } },
    { LS_F32,
      LS_BF16,
      { 0x3fc00000, 0xc0000000, 0, 0x3eaaaaab, 0x47800000 },
      { 0x3fc0, 0xc000, 0, 0x3eab, 0x4780 },
      { 1.5f, -2, 0, 1 / 3.f, 65536 } },
    { LS_F16, 0, { 0x3e00, 0xc000, 0, 0x3555, 0x7c00 }, { 0 }, { 1.5f, -2, 0, .333251953125f, INFINITY } },
    { LS_BF16, 0, { 0x3fc0, 0xc000, 0, 0x3eab, 0x4780 }, { 0 }, { 1.5f, -2, 0, .333984375f, 65536 } },
    { LS_I32,
      0,
      { 0x3fc00000, 0xc0000000, 0, 0x3eaaaaab, 0x47800000 },
      { 0 },
      { 1.5f, -2, 0, 1 / 3.f, 65536 } }, /* whichever bits */
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      LsTensor tensor
        = { .name = "t", .dtype = rows[r].dtype, .copy = rows[r].copy, .rank = 1, .shape = { 5 } };
      const gsize each = ls_dtype_size (tensor.dtype);
      g_autoptr (GError) error = NULL;
      LsArena arena;
      float back[6];

      g_assert_cmpuint (ls_arena_layout (&tensor, 1), >, 0);
      g_assert_true (ls_arena_init (&arena, &tensor, 1, FALSE, &error));
      g_assert_no_error (error);
      ls_arena_put (&arena, &tensor, given);
      back[5] = 7;
      ls_arena_get (&arena, &tensor, back);
      for (guint i = 0; i < 5; i++)
        {
          guint32 held = 0, copied = 0;

          memcpy (&held, (const guint8 *) ls_arena_at (&arena, &tensor) + each * i, each);
          if (rows[r].copy != 0)
            memcpy (&copied, (const guint8 *) ls_arena_copy_at (&arena, &tensor) + 2 * i, 2);
          if (held != rows[r].held[i] || copied != rows[r].copied[i]
              || bits_of (back[i]) != bits_of (rows[r].back[i]))
            g_error (
              "row %u: of %g memory holds %x, not %x, its copy %x, not %x, and %g is read back, not %g", r,
              (double) given[i], held, rows[r].held[i], copied, rows[r].copied[i], (double) back[i],
              (double) rows[r].back[i]);
        }
      g_assert_cmpfloat (back[5], ==, 7); /* none too many */
      g_assert_null (ls_arena_check (&arena, &tensor, 1));
      ls_arena_clear (&arena);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/half/every", test_every);
  g_test_add_func ("/half/rounding", test_rounding);
  g_test_add_func ("/half/edges", test_edges);
  g_test_add_func ("/half/ways", test_ways);
  g_test_add_func ("/half/round-row", test_round_row);
  g_test_add_func ("/half/epsilon", test_epsilon);
  g_test_add_func ("/half/tensors", test_tensors);
  return g_test_run ();
}
