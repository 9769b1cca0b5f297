/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of devices, days, changes and differences, word for word; and where a difference lies in an
 * output that is drawn as a matrix.
 */
#include "config.h"

#include <math.h>

#include "backends/kernel_files.h"
#include "ui/paint/data/age.h"
#include "ui/paint/data/change.h"
#include "ui/paint/data/device_words.h"
#include "ui/paint/data/difference.h"
#include "ui/paint/data/pair.h"
#include "ui/paint/data/view_private.h"

/* ---- devices ---- */

static void
test_short_names (void)
{
  static const char *const rows[][2] = {
    { "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "Intel Xeon E5-2680 v4" },
    { "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz", "Intel Core i9-9900K CPU" },
    { "Intel(r) Arc(tm) A770", "Intel Arc A770" },
    { "AMD EPYC 7763 64-Core Processor", "AMD EPYC 7763 64-Core" },
    { "pthread-haswell-AMD EPYC 7763", "haswell-AMD EPYC 7763" },
    { "cpu-skylake-avx512-Intel(R) Xeon(R) Gold", "skylake-avx512-Intel Xeon Gold" },
    { "NVIDIA® A100™", "NVIDIA A100" },
    { " a  b ", "a b" },
    { "", "" },
    { NULL, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = ls_device_short_name (rows[i][0]);
      g_assert_cmpstr (name, ==, rows[i][1]);
    }
}

/* The lane, and the line under its name: what has a number of something says of what, and one is one. */
static void
test_lines (void)
{
  static const struct {
    const char *backend;
    gboolean shares;
    gint units;
    const char *name, *line;
  } rows[] = {
    { "cpu", TRUE, 1, "CPU", "AMD EPYC, 1 core" },
    { "cpu", TRUE, 64, "CPU", "AMD EPYC, 64 cores" },
    { "cpu", TRUE, -1, "CPU", "AMD EPYC" },
    { "opencl", FALSE, 1, "OpenCL", "AMD EPYC, 1 compute unit" },
    { "opencl", FALSE, 132, "OpenCL", "AMD EPYC, 132 compute units" },
    { "opencl", FALSE, 0, "OpenCL", "AMD EPYC" },
    { "opencl", TRUE, 132, "OpenCL on the CPU", "" },
    { "reference", TRUE, -1, "Reference", "AMD EPYC" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsDeviceInfo) device = ls_device_info_new (rows[i].backend);
      g_autofree char *name = NULL, *line = NULL;

      device->name = g_strdup ("AMD EPYC");
      device->shares_cpu = rows[i].shares;
      device->units = rows[i].units;
      name = ls_device_lane_name (device->who, device);
      line = ls_device_line (device);
      g_assert_cmpstr (name, ==, rows[i].name);
      g_assert_cmpstr (line, ==, rows[i].line);
    }
  g_autoptr (LsDeviceInfo) nameless = ls_device_info_new ("opencl"); /* as a recording may have it */
  nameless->units = 24;
  g_autofree char *line = ls_device_line (nameless);
  g_assert_cmpstr (line, ==, "");
  g_autofree char *unknown = ls_device_lane_name (LS_BACKEND_OPENCL, NULL);
  g_assert_cmpstr (unknown, ==, "OpenCL"); /* before it was opened nothing says that it is the CPU */
}

/* Threads, then who computes, then the numbers; of a device that compiles also its kernel, of one that has
 * kernels of the user's which. */
static void
test_conditions (void)
{
  static const struct {
    const char *backend, *driver, *kernel, *edited;
    gint threads;
    LsWay way;
    LsPrecision precision;
    const char *conditions;
  } rows[] = {
    { "cpu", "OpenBLAS 0.3.21 (Cooperlake)", "OpenBLAS", NULL, 8, LS_WAY_OTHER, LS_PRECISION_FP32,
      "8 threads|OpenBLAS 0.3.21|fp32" },
    { "cpu", "OpenBLAS 0.3.21+ds-4", "OpenBLAS", NULL, 1, LS_WAY_OTHER, LS_PRECISION_BF16,
      "1 thread|OpenBLAS 0.3.21|bf16" },
    { "cpu", "OpenBLAS 0.3.21", "own loops", NULL, 2, LS_WAY_OWN_LOOPS, LS_PRECISION_FP32,
      "2 threads|own loops|fp32" },
    { "cpu", "OpenBLAS 0.3.21", "direct", NULL, 2, LS_WAY_DIRECT, LS_PRECISION_FP32,
      "2 threads|own loops|fp32" },
    { "cpu", "OpenBLAS 0.3.21", "naive loops", NULL, 2, LS_WAY_NAIVE_LOOPS, LS_PRECISION_FP32,
      "2 threads|naive loops|fp32" },
    { "cpu", "OpenBLAS 0.3.21", "scalar loops", NULL, 2, LS_WAY_SCALAR_LOOPS, LS_PRECISION_FP32,
      "2 threads|scalar loops|fp32" },
    { "cpu", "OpenBLAS", NULL, NULL, -1, LS_WAY_OTHER, LS_PRECISION_FP32, "OpenBLAS|fp32" },
    { "opencl", "CUDA 12.2 beta", "packed 64×64", NULL, -1, LS_WAY_PACKED, LS_PRECISION_FP16,
      "CUDA 12.2|packed 64×64|fp16" },
    { "opencl", "PoCL 3.1+debian", NULL, NULL, 0, LS_WAY_OTHER, LS_PRECISION_FP32, "PoCL 3.1|fp32" },
    { "opencl", NULL, "tiled 16×16", "gemm_tiled.cl", -1, LS_WAY_TILED, LS_PRECISION_FP32,
      "tiled 16×16|fp32|edited: gemm_tiled.cl" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsDeviceInfo) device = ls_device_info_new (rows[i].backend);
      LsTiling heavy = { .way = rows[i].way };
      g_auto (GStrv) conditions = NULL;
      g_autofree char *joined = NULL;

      g_strlcpy (heavy.kernel, rows[i].kernel != NULL ? rows[i].kernel : "", sizeof heavy.kernel);
      device->driver = g_strdup (rows[i].driver);
      device->threads = rows[i].threads;
      if (rows[i].edited != NULL)
        g_hash_table_insert (device->facts, g_strdup (LS_FACT_EDITED), g_strdup (rows[i].edited));
      conditions = ls_device_conditions (device, rows[i].kernel != NULL ? &heavy : NULL, rows[i].precision);
      joined = g_strjoinv ("|", conditions);
      g_assert_cmpstr (joined, ==, rows[i].conditions);
    }
}

/* ---- days ---- */

static void
test_days (void)
{
  static const struct {
    const char *date, *today;
    gint days;
    const char *words;
  } rows[] = {
    { "2026-11-23", "2026-11-23", 0, "today" },
    { "2026-11-23T23:59:59Z", "2026-11-24T00:00:01Z", 1, "1 day ago" }, /* hours don't count */
    { "2026-11-10", "2026-11-23", 13, "13 days ago" },
    { "2026-11-09", "2026-11-23", 14, "2 weeks ago" },
    { "2026-09-25", "2026-11-23", 59, "8 weeks ago" },
    { "2026-09-24", "2026-11-23", 60, "2 months ago" },
    { "2024-02-28", "2024-03-01", 2, "2 days ago" },
    { "2026-11-24", "2026-11-23", -1, "today" }, /* another machine's clock */
    { "yesterday", "2026-11-23", -1, NULL },
    { NULL, "2026-11-23", -1, NULL },
    { "2026-11-23", NULL, -1, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_age_text (rows[i].date, rows[i].today);

      g_test_message ("from %s to %s", rows[i].date, rows[i].today);
      g_assert_cmpstr (words, ==, rows[i].words);
      g_assert_cmpint (ls_age_days (rows[i].date, rows[i].today), ==, rows[i].days);
    }
}

/* ---- a change ---- */

static void
test_change (void)
{
  /* middle halves of 4 and 10 thousandths to both sides; of a fifth */
  const LsFigure before = { .value = 31000, .q1 = 30380, .q3 = 31620, .n = 1200 },
                 after = { .value = 197000, .q1 = 195030, .q3 = 198970, .n = 48 },
                 noisy = { .value = 50000, .q1 = 45000, .q3 = 55000, .n = 60 }, few = { .value = 1, .n = 1 };
  const struct {
    const LsFigure *before, *after;
    const char *words;
  } rows[] = {
    { &before, &after, "tiled → packed: 31.0 k → 197 k samples/s (medians of 1 200 and 48, ±2 % and ±1 %)" },
    { &after, &before, "tiled → packed: 197 k → 31.0 k samples/s (medians of 48 and 1 200, ±1 % and ±2 %)" },
    { &before, &few,
      "tiled → packed: 31.0 k samples/s before (median of 1 200, ±2 %), now not measured yet" },
    { &few, &after, "tiled → packed: too few steps before the change to tell" },
    { &few, &few, "tiled → packed: too few steps before the change to tell" },
    { &before, &noisy, "tiled → packed: too noisy to tell (medians of 1 200 and 60, ±2 % and ±10 %)" },
    { &noisy, &after, "tiled → packed: too noisy to tell (medians of 60 and 48, ±10 % and ±1 %)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *words = ls_change_words ("tiled", "packed", rows[i].before, rows[i].after);
      g_autoptr (GString) plain = g_string_new (words);

      g_string_replace (plain, "\xe2\x80\x89", " ", 0); /* thin spaces, */
      g_string_replace (plain, "\xc2\xa0", " ", 0);     /* and those that no line breaks at */
      g_assert_cmpstr (plain->str, ==, rows[i].words);
    }
}

/* ---- a difference ---- */

/* Every element of outputs of up to four dimensions, in all matrices that a picture may draw them as. */
static void
test_places (void)
{
  static const gint64 shape[] = { 2, 3, 4, 5 };
  LsDifference of4 = { .found = TRUE, .rank = 4, .shape = { 2, 3, 4, 5 } };
  gint64 row, col;

  for (gint64 s = 0; s < shape[0]; s++)
    for (gint64 map = 0; map < shape[1]; map++)
      for (gint64 y = 0; y < shape[2]; y++)
        for (gint64 x = 0; x < shape[3]; x++, of4.element++)
          {
            g_test_message ("sample %d, map %d, row %d, column %d", (gint) s, (gint) map, (gint) y, (gint) x);
            g_assert_true (ls_difference_at (&of4, 2, 60, &row, &col)); /* a row for each sample, */
            g_assert_cmpint (row, ==, s);
            g_assert_cmpint (col, ==, map * 20 + y * 5 + x);
            g_assert_true (ls_difference_at (&of4, 6, 20, &row, &col)); /* for each of its maps, */
            g_assert_cmpint (row, ==, s * 3 + map);
            g_assert_cmpint (col, ==, y * 5 + x);
            g_assert_true (ls_difference_at (&of4, 24, 5, &row, &col)); /* for each of their rows, */
            g_assert_cmpint (row, ==, (s * 3 + map) * 4 + y);
            g_assert_cmpint (col, ==, x);
            g_assert_true (ls_difference_at (&of4, 1, 120, &row, &col)); /* for all, */
            g_assert_cmpint (row, ==, 0);
            g_assert_cmpint (col, ==, of4.element);
            g_assert_true (ls_difference_at (&of4, 120, 1, &row, &col));
            g_assert_cmpint (row, ==, of4.element);
            g_assert_cmpint (col, ==, 0);
            g_assert_true (ls_difference_at (&of4, 3, 40, &row, &col)); /* and for each map of all samples */
            g_assert_cmpint (row, ==, map);
            g_assert_cmpint (col, ==, s * 20 + y * 5 + x);
            g_assert_false (ls_difference_at (&of4, 4, 30, &row, &col)); /* no dimension ends there */
            g_assert_false (ls_difference_at (&of4, 3, 41, &row, &col)); /* other numbers than there are */
          }
  g_assert_cmpint (of4.element, ==, 120);
  g_assert_false (ls_difference_at (&of4, 2, 60, &row, &col)); /* behind the last */
  of4.element = 119;
  g_autofree char *last = ls_difference_words (&of4);
  g_assert_cmpstr (last, ==, "(1, 2, 3, 4)");
  of4.found = FALSE;
  g_assert_false (ls_difference_at (&of4, 2, 60, &row, &col));

  /* only a convolution's output has maps */
  const LsDifference of3 = { .found = TRUE, .rank = 3, .shape = { 2, 3, 4 }, .element = 23 };
  g_assert_false (ls_difference_at (&of3, 3, 8, &row, &col));
  g_assert_true (ls_difference_at (&of3, 6, 4, &row, &col));
  g_assert_cmpint (row, ==, 5);
  g_assert_cmpint (col, ==, 3);
}

/* ---- two curves ---- */

/* The largest and the least difference of two losses among any steps, where they differ at all. */
static void
test_pair (void)
{
  enum { STEPS = 300 };
  LsCurve *a = ls_curve_new (), *b = ls_curve_new ();
  LsPair *pair, *same;

  for (guint i = 0; i < STEPS; i++)
    {
      const float loss = 1 / (1 + (float) i), off = i % 7 == 3 ? (i % 2 ? 1 : -1) * (float) i / 4096 : 0;

      g_assert_true (ls_curve_append (a, (LsPoint){ .loss = loss }));
      g_assert_true (ls_curve_append (b, (LsPoint){ .loss = loss + off }));
    }
  pair = ls_pair_update (NULL, a, b, 100);
  same = ls_pair_update (pair, a, b, STEPS);
  g_assert_true (same == pair); /* what was seen isn't seen again */
  for (guint from = 0; from < STEPS; from += 13)
    for (guint end = from + 1; end <= STEPS; end += 17)
      {
        const LsRange range = ls_pair_range (pair, from, end);
        double low = INFINITY, high = -INFINITY;

        for (guint i = from; i < end; i++)
          {
            const double far = fabs ((double) ls_curve_get (a, i).loss - (double) ls_curve_get (b, i).loss);
            low = far > 0 ? MIN (low, far) : low;
            high = far > 0 ? MAX (high, far) : high;
          }
        g_test_message ("steps %u to %u", from, end);
        if (high > 0)
          {
            g_assert_cmpfloat (range.low, ==, (float) low);
            g_assert_cmpfloat (range.high, ==, (float) high);
          }
        else
          g_assert_false (range.low <= range.high);
      }
  ls_pair_unref (same);
  for (guint other = 0; other < 2; other++) /* of other curves, though one of them is the same */
    {
      same = other == 0 ? ls_pair_update (pair, a, a, STEPS) : ls_pair_update (pair, b, b, STEPS);
      g_assert_true (same != pair);
      ls_pair_unref (same);
    }
  ls_pair_unref (pair);
  ls_curve_unref (a);
  ls_curve_unref (b);
}

/* Whichever lane is ahead, once the other has come as far the differences up to there are its own; without a
 * curve there are none. */
static void
test_pair_of_lanes (void)
{
  enum { STEPS = 3000 };
  static const guint steps[][2]
    = { { STEPS, STEPS }, { STEPS, 17 }, { 17, STEPS }, { 0, STEPS }, { STEPS, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      LsViewLane before[LS_SIDES] = { { 0 } }, after[LS_SIDES] = { { 0 } };

      for (guint side = 0; side < LS_SIDES; side++)
        {
          before[side].curve = ls_curve_new ();
          before[side].steps = steps[i][side];
          for (guint k = 0; k < steps[i][side]; k++)
            g_assert_true (ls_curve_append (before[side].curve, (LsPoint){ .loss = side == 0 ? 1 : 1.5f }));
        }
      ls_view_pair_lanes (before, NULL);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          after[side] = before[side];
          after[side].steps = STEPS;
          for (guint k = steps[i][side]; k < STEPS; k++)
            g_assert_true (ls_curve_append (after[side].curve, (LsPoint){ .loss = side == 0 ? 1 : 1.5f }));
        }
      ls_view_pair_lanes (after, before);
      const LsRange range = ls_pair_range (after[0].pair, 0, STEPS);
      if (range.low != .5f || range.high != .5f)
        g_error ("lanes that were at steps %u and %u, and are at %d, are %g to %g apart, not 0.5",
                 steps[i][0], steps[i][1], STEPS, (double) range.low, (double) range.high);
      ls_pair_unref (before[0].pair);
      ls_pair_unref (after[0].pair);
      ls_curve_unref (before[1].curve);
      before[0].pair = NULL;
      before[1].curve = NULL;
      ls_view_pair_lanes (before, NULL);
      g_assert_null (before[0].pair);
      ls_curve_unref (before[0].curve);
    }
}

/* The room that a change's words are given has place for whatever they become: a figure, one that is too
 * noisy, or none yet. */
static void
test_longest (void)
{
  static const LsFigure befores[] = { { .value = 88.8e6, .q1 = 80e6, .q3 = 88.8e6, .n = 4096 },
                                      { .value = 88.8e6, .q1 = 0, .q3 = 88.8e6, .n = 4096 },
                                      { .value = 100, .q1 = 99, .q3 = 101, .n = 200 },
                                      { .n = 3 } };

  for (gsize i = 0; i < G_N_ELEMENTS (befores); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (befores); k++)
      {
        LsChange change = { 0 };

        ls_change_set (&change, "tiled", "packed", &befores[i], &befores[k]);
        for (gsize other = 0; other < G_N_ELEMENTS (befores); other++)
          {
            g_autofree char *words = ls_change_words ("tiled", "packed", &befores[i], &befores[other]);
            if (g_utf8_strlen (words, -1) > g_utf8_strlen (change.longest, -1))
              g_error ("for “%s” there is room for “%s” alone", words, change.longest);
          }
        ls_change_clear (&change);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/short-names", test_short_names);
  g_test_add_func ("/words/lines", test_lines);
  g_test_add_func ("/words/conditions", test_conditions);
  g_test_add_func ("/words/days", test_days);
  g_test_add_func ("/words/change", test_change);
  g_test_add_func ("/difference/places", test_places);
  g_test_add_func ("/pair/ranges", test_pair);
  g_test_add_func ("/pair/lanes", test_pair_of_lanes);
  g_test_add_func ("/paint/words/longest", test_longest);
  return g_test_run ();
}
