/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The random numbers: Random123's known answers, moments, independence of streams, and shuffles that are
 * permutations, each as likely as any other. All is a pure function of the seed, so a bound that holds once
 * holds always.
 */
#include <math.h>
#include <string.h>

#include "core/rng.h"

/* kat_vectors of Random123: philox4x32 10 */
static void
test_known_answers (void)
{
  static const struct {
    guint32 counter[4], key[2], out[4];
  } rows[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 out[4];
      ls_philox (rows[i].counter, rows[i].key, out);
      g_assert_cmpmem (out, sizeof out, rows[i].out, sizeof rows[i].out);
    }
}

/* Four numbers a block, in the block's order; counter = (block low, block high, substream, stream), key =
 * seed. */
static void
test_numbering (void)
{
  const guint64 seed = 0x0123456789abcdef, block = 0x100000002;
  const guint32 counter[4] = { 2, 1, 77, LS_STREAM_TOY }, key[2] = { 0x89abcdef, 0x01234567 };
  guint32 out[4];

  ls_philox (counter, key, out);
  for (guint i = 0; i < 4; i++)
    g_assert_cmphex (ls_rng_u32 (seed, LS_STREAM_TOY, 77, 4 * block + i), ==, out[i]);
}

/* Seeds, streams, substreams and indices, one changed at a time: no number comes twice. */
static void
test_streams_differ (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);
  gint64 numbers[4 * 64];
  guint n = 0;

  for (guint64 i = 1; i <= 64; i++)
    for (guint what = 0; what < 4; what++)
      {
        guint64 seed = what == 0 ? i << 32 : 5, index = what == 3 ? i : 0;
        LsStream stream = (LsStream) (what == 1 ? i + 10 : LS_STREAM_TEST);
        guint32 sub = what == 2 ? (guint32) i : 0;
        double u = ls_rng_uniform (seed, stream, sub, index);
        numbers[n] = (gint64) (u * 0x1p53);
        g_assert_true (g_hash_table_add (seen, &numbers[n]));
        n++;
      }
}

/* Mean and variance lie within five standard errors; neighbours aren't correlated. */
static void
test_uniform (void)
{
  enum { N = 200000, BINS = 64 };
  double sum = 0, squares = 0, neighbours = 0, last = 0, chi2 = 0;
  guint bins[BINS] = { 0 };

  for (guint i = 0; i < N; i++)
    {
      double u = ls_rng_uniform (1, LS_STREAM_TEST, 3, i);
      g_assert_cmpfloat (u, >=, 0);
      g_assert_cmpfloat (u, <, 1);
      bins[(guint) (u * BINS)]++;
      sum += u;
      squares += u * u;
      neighbours += (u - 0.5) * last;
      last = u - 0.5;
    }
  g_assert_cmpfloat_with_epsilon (sum / N, 0.5, 5 * sqrt (1.0 / 12 / N));
  g_assert_cmpfloat_with_epsilon (squares / N, 1.0 / 3, 5 * sqrt (4.0 / 45 / N));
  g_assert_cmpfloat_with_epsilon (neighbours / N, 0, 5 * sqrt (1.0 / 144 / N));
  for (guint i = 0; i < BINS; i++)
    chi2 += (bins[i] - N / (double) BINS) * (bins[i] - N / (double) BINS) / (N / (double) BINS);
  g_assert_cmpfloat_with_epsilon (chi2, BINS - 1, 5 * sqrt (2.0 * (BINS - 1)));
}

static void
test_normal (void)
{
  enum { N = 200000 };
  static const double moments[] = { 0, 1, 0, 3 }, spreads[] = { 1, 2, 15, 96 }; /* of the powers 1 … 4 */
  double sum[4] = { 0 }, even_odd = 0;
  guint beyond_2 = 0;

  for (guint i = 0; i < N; i++)
    {
      double x = ls_rng_normal (7, LS_STREAM_WEIGHTS, 0, i), power = 1;
      g_assert_true (isfinite (x));
      for (guint p = 0; p < 4; p++)
        sum[p] += power *= x;
      if (i % 2 == 0) /* a pair comes from one block */
        even_odd += x * ls_rng_normal (7, LS_STREAM_WEIGHTS, 0, i + 1);
      beyond_2 += fabs (x) > 2;
    }
  for (guint p = 0; p < 4; p++)
    g_assert_cmpfloat_with_epsilon (sum[p] / N, moments[p], 5 * sqrt (spreads[p] / N));
  g_assert_cmpfloat_with_epsilon (even_odd / (N / 2), 0, 5 * sqrt (2.0 / N));
  g_assert_cmpfloat_with_epsilon (beyond_2 / (double) N, 0.0455, 5 * sqrt (0.0455 / N));
}

static void
test_permutation (void)
{
  static const guint32 sizes[] = { 0, 1, 2, 3, 17, 60000 };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      const guint32 n = sizes[k];
      g_autofree guint32 *index = g_new (guint32, n + 1), *again = g_new (guint32, n + 1),
                         *other = g_new (guint32, n + 1);
      g_autofree gboolean *seen = g_new0 (gboolean, n + 1);

      index[n] = 0xdeadbeef;
      ls_rng_shuffle (3, LS_STREAM_SHUFFLE, 0, index, n);
      ls_rng_shuffle (3, LS_STREAM_SHUFFLE, 0, again, n);
      ls_rng_shuffle (3, LS_STREAM_SHUFFLE, 1, other, n);
      g_assert_cmphex (index[n], ==, 0xdeadbeef);
      g_assert_cmpmem (index, n * sizeof *index, again, n * sizeof *again);
      for (guint32 i = 0; i < n; i++)
        {
          g_assert_cmpuint (index[i], <, n);
          g_assert_false (seen[index[i]]);
          seen[index[i]] = TRUE;
        }
      if (n >= 17)
        g_assert_true (memcmp (index, other, n * sizeof *index) != 0);
    }
}

/* All 120 orders of five, over 60,000 substreams: χ² with 119 degrees of freedom within five standard
 * deviations. */
static void
test_shuffle_is_uniform (void)
{
  enum { N = 60000, ORDERS = 120 };
  guint counts[3125] = { 0 }, orders = 0;
  double chi2 = 0, expected = N / (double) ORDERS;

  for (guint32 sub = 0; sub < N; sub++)
    {
      guint32 index[5], code = 0;
      ls_rng_shuffle (11, LS_STREAM_TEST, sub, index, 5);
      for (guint i = 0; i < 5; i++)
        code = code * 5 + index[i];
      counts[code]++;
    }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i] > 0)
      {
        orders++;
        chi2 += (counts[i] - expected) * (counts[i] - expected) / expected;
      }
  g_assert_cmpuint (orders, ==, ORDERS);
  g_assert_cmpfloat_with_epsilon (chi2, ORDERS - 1, 5 * sqrt (2.0 * (ORDERS - 1)));
}

/* Fixed for ever: weights and batches of a seed must be the same in later versions. */
static void
test_stable (void)
{
  static const guint32 order[10] = { 6, 7, 0, 4, 5, 9, 8, 2, 3, 1 };
  guint32 index[10];

  ls_rng_shuffle (1, LS_STREAM_SHUFFLE, 0, index, 10);
  g_assert_cmpmem (index, sizeof index, order, sizeof order);
  g_assert_cmpfloat (ls_rng_uniform (1, LS_STREAM_TEST, 0, 1), ==, 0.43350567201657253);
  g_assert_cmpfloat_with_epsilon (ls_rng_normal (1, LS_STREAM_TEST, 0, 1), 0.35077445374672911, 1e-15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rng/known-answers", test_known_answers);
  g_test_add_func ("/rng/numbering", test_numbering);
  g_test_add_func ("/rng/streams-differ", test_streams_differ);
  g_test_add_func ("/rng/uniform", test_uniform);
  g_test_add_func ("/rng/normal", test_normal);
  g_test_add_func ("/rng/permutation", test_permutation);
  g_test_add_func ("/rng/shuffle-is-uniform", test_shuffle_is_uniform);
  g_test_add_func ("/rng/stable", test_stable);
  return g_test_run ();
}
