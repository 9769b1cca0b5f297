/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of a curve against a walk over all steps: the extremes exactly, the median exactly where columns
 * have few steps, for losses with NaN in them, rates of steps that took no time or don't count, and
 * differences that are mostly none. What stands for rates is the running median: spikes and steps that don't
 * count are not in it.
 */
#include <math.h>
#include <stdlib.h>

#include "ui/paint/data/decimate.h"
#include "ui/paint/data/median.h"

#define STEPS 50000

typedef struct {
  LsViewLane sides[LS_SIDES];
} Lanes;

static void
lanes_init (Lanes *lanes)
{
  *lanes = (Lanes){ 0 };
  for (guint side = 0; side < LS_SIDES; side++)
    lanes->sides[side].curve = ls_curve_new ();
  for (guint i = 0; i < STEPS; i++)
    {
      const float loss = i % 997 == 5 ? (float) NAN
                                      : (float) (2 * exp (i / -9000.0) + .1 * g_test_rand_double ());
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsPoint point = { .end_ms = i / 3,
                                  .step_us = i % 1009 == 7 ? 0 : (float) (300 + 50 * g_test_rand_double ()),
                                  .loss = side == 1 && i % 313 == 0 ? loss * 1.0001f : loss,
                                  .flags = i % 1511 == 3 ? LS_POINT_RECORDED : 0 };
          ls_curve_append (lanes->sides[side].curve, point);
        }
    }
  lanes->sides[0].steps = STEPS;
  lanes->sides[1].steps = STEPS - 123;
}

static void
lanes_clear (Lanes *lanes)
{
  for (guint side = 0; side < LS_SIDES; side++)
    ls_curve_unref (lanes->sides[side].curve);
  ls_pair_unref (lanes->sides[0].pair);
}

/* By walking outwards and sorting. */
static double
smooth_of (const LsSeries *series, guint64 i)
{
  const guint64 length = ls_series_length (series);
  double values[LS_SMOOTH_STEPS];
  gboolean near = FALSE;
  guint n = 0, kept = 0;

  for (guint sides = 0; sides < 2; sides++)
    for (guint64 k = sides, found = 0; k <= LS_SMOOTH_REACH && found < LS_SMOOTH_STEPS / 2 + (sides == 0);
         k++)
      {
        if (sides == 0 ? i + k >= length : k > i)
          break;
        const double value = ls_series_value (series, sides == 0 ? i + k : i - k);
        if (isfinite (value))
          {
            values[n++] = value;
            found++;
            near |= k <= LS_SMOOTH_NEAR;
          }
      }
  if (n < LS_SMOOTH_LEAST || !near)
    return (double) NAN;
  qsort (values, n, sizeof *values, ls_compare_doubles);
  const double least = values[n / 2] / 2;
  for (guint k = 0; k < n; k++)
    if (values[k] >= least)
      values[kept++] = values[k];
  return values[kept / 2];
}

/* Of the column's steps that count the one nearest to the middle, the right one of two; the middle one where
 * none does. */
static guint64
nearest_of (const LsSeries *series, const LsColumn *column)
{
  const guint64 middle = column->from + (column->end - column->from) / 2;

  for (guint64 k = 0; k <= column->end - column->from; k++)
    {
      if (middle + k < column->end && isfinite (ls_series_value (series, middle + k)))
        return middle + k;
      if (k <= middle - column->from && isfinite (ls_series_value (series, middle - k)))
        return middle - k;
    }
  return middle;
}

/* Where one of them is none, both are. */
static void
assert_same (double a, double b)
{
  if (isfinite (a) || isfinite (b))
    g_assert_cmpfloat (a, ==, b);
}

static void
check_column (const LsSeries *series, const LsColumn *column)
{
  g_autofree double *values = g_new (double, column->end - column->from + 1);
  guint n = 0;

  for (guint64 i = column->from; i < column->end; i++)
    if (isfinite (ls_series_value (series, i)))
      values[n++] = ls_series_value (series, i);
  qsort (values, n, sizeof *values, ls_compare_doubles);
  if (series->kind == LS_CURVE_RATE && column->end > column->from)
    assert_same (column->middle, smooth_of (series, nearest_of (series, column)));
  if (n == 0)
    {
      g_assert_true (isnan (column->low) && isnan (column->high));
      g_assert_true (isnan (column->middle) || series->kind == LS_CURVE_RATE);
      return;
    }
  g_assert_cmpfloat (fabs (column->low - values[0]), <=, 1e-6 * values[0]);
  g_assert_cmpfloat (fabs (column->high - values[n - 1]), <=, 1e-6 * values[n - 1]);
  if (series->kind == LS_CURVE_RATE)
    return;
  g_assert_cmpfloat (column->middle, >=, column->low * (1 - 1e-6));
  g_assert_cmpfloat (column->middle, <=, column->high * (1 + 1e-6));
  if (column->end - column->from <= 32)
    g_assert_cmpfloat (column->middle, ==, values[n / 2]);
}

static void
test_steps (gconstpointer data)
{
  static const guint counts[] = { 1, 7, 400, 1600, 5000 };
  LsColumn columns[5000];
  Lanes lanes;
  LsSeries series = { (LsCurveKind) GPOINTER_TO_UINT (data), &lanes.sides[0], &lanes.sides[1], 64 };

  lanes_init (&lanes);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const guint64 from = i % 2 == 0 ? 0 : 1234, end = i % 3 == 0 ? G_MAXUINT64 : 43210;
      const guint n = counts[i];

      ls_decimate_steps (&series, from, end, n, columns);
      g_assert_cmpuint (columns[0].from, ==, from);
      g_assert_cmpuint (columns[n - 1].end, ==, MIN (end, ls_series_length (&series)));
      for (guint c = 0; c < n; c++)
        {
          if (c > 0)
            g_assert_cmpuint (columns[c].from, ==, columns[c - 1].end);
          check_column (&series, &columns[c]);
        }
      /* differences: walked first, then from the ranges of both curves, which are made in two goes */
      if (series.kind == LS_CURVE_DELTA && i == 2)
        {
          LsPair *first = ls_pair_update (NULL, lanes.sides[0].curve, lanes.sides[1].curve, 777);
          lanes.sides[0].pair = ls_pair_update (first, lanes.sides[0].curve, lanes.sides[1].curve,
                                                lanes.sides[1].steps);
          g_assert_true (lanes.sides[0].pair == first);
          ls_pair_unref (first);
        }
    }
  lanes_clear (&lanes);
}

static void
test_median (void)
{
  double values[200], sorted[200];

  for (guint round = 0; round < 5000; round++)
    {
      const guint n = (guint) g_test_rand_int_range (1, G_N_ELEMENTS (values) + 1);

      for (guint i = 0; i < n; i++)
        values[i] = sorted[i] = round % 3 == 0   ? g_test_rand_int_range (0, 4)
                                : round % 3 == 1 ? i
                                                 : g_test_rand_double ();
      qsort (sorted, n, sizeof *sorted, ls_compare_doubles);
      g_assert_cmpfloat (ls_median (values, n), ==, sorted[n / 2]);
    }
}

static void
test_seconds (void)
{
  LsColumn columns[100];
  Lanes lanes;
  LsSeries series = { LS_CURVE_LOSS, &lanes.sides[0], NULL, 64 };

  lanes_init (&lanes);
  ls_decimate_seconds (&series, 1, 12, G_N_ELEMENTS (columns), columns);
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      const double from = 1 + 11.0 * c / G_N_ELEMENTS (columns),
                   end = 1 + 11.0 * (c + 1) / G_N_ELEMENTS (columns);

      check_column (&series, &columns[c]);
      for (guint64 i = columns[c].from; i < columns[c].end; i++)
        g_assert_true (ls_series_second (&series, i) >= from - 1e-9 && ls_series_second (&series, i) < end);
      if (c > 0)
        g_assert_cmpuint (columns[c].from, ==, columns[c - 1].end);
    }
  g_assert_cmpuint (ls_series_step_at (&series, 0), ==, 0);
  g_assert_cmpuint (ls_series_step_at (&series, 1e6), ==, STEPS);
  g_assert_true (isnan (ls_series_second (&series, 0)));
  lanes_clear (&lanes);
}

/* One step in a million is seen. */
static void
test_spike (void)
{
  LsViewLane lane = { .curve = ls_curve_new (), .steps = 1000000 };
  const LsSeries series = { LS_CURVE_LOSS, &lane, NULL, 64 };
  LsColumn columns[800];
  guint high = 0;

  for (guint i = 0; i < lane.steps; i++)
    ls_curve_append (lane.curve, (LsPoint){ .loss = i == 654321 ? 9 : 1, .step_us = 1 });
  ls_decimate_steps (&series, 0, lane.steps, G_N_ELEMENTS (columns), columns);
  for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
    if (columns[c].high > 1)
      {
        g_assert_cmpuint (columns[c].from, <=, 654321);
        g_assert_cmpuint (columns[c].end, >, 654321);
        g_assert_cmpfloat (columns[c].high, ==, 9);
        high++;
      }
  g_assert_cmpuint (high, ==, 1);
  ls_curve_unref (lane.curve);
}

/* A lane that takes 100 µs a step but for every seventh, which is interrupted, and steps that don't count,
 * which are far slower: none of either is in the line, the interrupted ones are among the steps under it, the
 * others nowhere. */
static void
test_spiky_rate (void)
{
  static const guint32 flags[] = { LS_POINT_WARM_UP, LS_POINT_RECORDED, LS_POINT_DISTURBED,
                                   LS_POINT_MISSING };
  LsViewLane lane = { .curve = ls_curve_new (), .steps = 40000 };
  const LsSeries series = { LS_CURVE_RATE, &lane, NULL, 64 };
  static const guint counts[] = { 300, 4000, 40000 };
  LsColumn *columns = g_new (LsColumn, lane.steps);
  const double usual = 1e6 * 64 / 100, interrupted = 1e6 * 64 / 1000;

  for (guint i = 0; i < lane.steps; i++)
    {
      const gboolean out = i < 10 || i % 11 == 4;
      ls_curve_append (lane.curve, (LsPoint){ .loss = 1,
                                              .step_us = out          ? 9000
                                                         : i % 7 == 2 ? 1000
                                                                      : 100,
                                              .flags = out ? flags[i < 10 ? 0 : i % 4] : 0 });
    }
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      double low = HUGE_VAL;
      ls_decimate_steps (&series, 0, lane.steps, counts[c], columns);
      for (guint i = 0; i < counts[c]; i++)
        {
          g_assert_cmpfloat (fabs (columns[i].middle - usual), <, 1e-3 * usual);
          low = columns[i].low < low ? columns[i].low : low;
        }
      g_assert_cmpfloat (fabs (low - interrupted), <, 1e-3 * interrupted);
    }
  g_assert_true (isnan (columns[4].low)); /* of one step, which is warm-up */
  g_free (columns);
  ls_curve_unref (lane.curve);
}

/* Where a lane hasn't computed for a while there is no line: no median reaches across. */
static void
test_rate_gap (void)
{
  LsViewLane lane = { .curve = ls_curve_new (), .steps = 3000 };
  const LsSeries series = { LS_CURVE_RATE, &lane, NULL, 1 };

  for (guint i = 0; i < lane.steps; i++)
    ls_curve_append (lane.curve, (LsPoint){ .loss = 1,
                                            .step_us = i < 1000 ? 10 : 20,
                                            .flags = i >= 1000 && i < 2000 ? LS_POINT_MISSING : 0 });
  g_assert_cmpfloat (ls_series_smooth (&series, 0), ==, 1e5);
  g_assert_cmpfloat (ls_series_smooth (&series, 999 + LS_SMOOTH_NEAR), ==, 1e5);
  g_assert_true (isnan (ls_series_smooth (&series, 1000 + LS_SMOOTH_NEAR)));
  g_assert_true (isnan (ls_series_smooth (&series, 1500)));
  g_assert_true (isnan (ls_series_smooth (&series, 1999 - LS_SMOOTH_NEAR)));
  g_assert_cmpfloat (ls_series_smooth (&series, 2000 - LS_SMOOTH_NEAR), ==, 5e4);
  g_assert_cmpfloat (ls_series_smooth (&series, 2999), ==, 5e4);

  /* a column far wider than the gap takes the step of its own that is nearest to its middle */
  LsColumn columns[3];
  ls_decimate_steps (&series, 0, lane.steps, 3, columns);
  g_assert_true (isfinite (columns[0].middle) && isnan (columns[1].middle) && isfinite (columns[2].middle));
  ls_decimate_steps (&series, 900, 2110, 1, columns);
  g_assert_cmpfloat (columns[0].middle, ==, 5e4);
  ls_curve_unref (lane.curve);
}

/* Watch pace: bursts of 47 steps whose first 22 don't count make one line, in columns however wide; it ends
 * where no step counts any more. A few interrupted steps alone, far from all others, make none. */
static void
test_bursts (void)
{
  LsViewLane lane = { .curve = ls_curve_new (), .steps = 47 * 60 };
  const LsSeries series = { LS_CURVE_RATE, &lane, NULL, 64 };
  static const guint counts[] = { 3, 60, 470, 47 * 60 };
  g_autofree LsColumn *columns = g_new (LsColumn, lane.steps);

  for (guint i = 0; i < lane.steps; i++)
    {
      const gboolean stepping = i >= 47 * 40, again = i >= 47 * 59 && i < 47 * 59 + 3;
      ls_curve_append (lane.curve, (LsPoint){ .loss = 1,
                                              .step_us = again ? 900 : 100,
                                              .flags = again         ? 0
                                                       : stepping    ? LS_POINT_RECORDED | LS_POINT_RESTED
                                                       : i % 47 < 22 ? LS_POINT_RESTED
                                                                     : 0 });
    }
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      ls_decimate_steps (&series, 0, lane.steps, counts[c], columns);
      for (guint i = 0; i < counts[c]; i++)
        if (columns[i].from < 47 * 40)
          g_assert_cmpfloat (fabs (columns[i].middle - 64e4), <, 1);
        else if (columns[i].from > 47 * 40 + LS_SMOOTH_NEAR)
          g_assert_true (isnan (columns[i].middle));
    }
  ls_curve_unref (lane.curve);
}

/* A column's rate is that of the step that counts and is nearest to its middle, wherever in the column that
 * is: its first one and its last one, too, and of many columns, however wide. */
static void
test_nearest (void)
{
  enum { BEFORE = 80, WIDE = 9, ALL = BEFORE + WIDE + 80 };

  for (guint width = 1; width <= WIDE; width++)
    for (guint counts = 0; counts < 1u << width; counts++)
      {
        LsViewLane lane = { .curve = ls_curve_new (), .steps = ALL };
        const LsSeries series = { LS_CURVE_RATE, &lane, NULL, 1 };
        const guint end = BEFORE + width, middle = BEFORE + width / 2;
        gboolean found = FALSE;
        double rates[2];
        LsColumn column;

        for (guint i = 0; i < ALL; i++)
          {
            const gboolean out = i >= BEFORE && i < end && !(counts >> (i - BEFORE) & 1);
            ls_curve_append (
              lane.curve,
              (LsPoint){ .loss = 1, .step_us = 100 + (float) i, .flags = out ? LS_POINT_DISTURBED : 0 });
          }
        rates[0] = rates[1] = ls_series_smooth (&series, middle); /* where none counts */
        for (guint far = 0; !found && far <= width; far++)
          for (guint k = 0; k < 2; k++)
            {
              const guint step = k == 0 ? middle - far : middle + far;
              if (step < BEFORE || step >= end || !(counts >> (step - BEFORE) & 1))
                continue;
              rates[k] = ls_series_smooth (&series, step);
              if (!found)
                rates[1 - k] = rates[k];
              found = TRUE;
            }
        ls_decimate_steps (&series, BEFORE, end, 1, &column);
        if (column.middle != rates[0] && column.middle != rates[1])
          g_error ("a column of %u steps, of which those of %#x count, has a rate of %g/s, not %g/s or %g/s",
                   width, counts, column.middle, rates[0], rates[1]);
        ls_curve_unref (lane.curve);
      }
}

/* Where few steps are near, those that took nine times as long are not in the line. */
static void
test_set_aside (void)
{
  LsViewLane lane = { .curve = ls_curve_new (), .steps = LS_SMOOTH_LEAST };
  const LsSeries series = { LS_CURVE_RATE, &lane, NULL, 1 };

  for (guint i = 0; i < lane.steps; i++)
    ls_curve_append (lane.curve,
                     (LsPoint){ .loss = 1, .step_us = i % 2 == 1 && i < 19 ? 900 : 100 + (float) i });
  /* of 100, 102 … 118 and 119 the sixth; with the nine others it would be one of the slowest two */
  for (guint i = 0; i < lane.steps; i++)
    g_assert_cmpfloat (fabs (ls_series_smooth (&series, i) - 1e6 / 110), <, 1);
  lane.steps = LS_SMOOTH_LEAST - 1;
  g_assert_true (isnan (ls_series_smooth (&series, 0)));
  ls_curve_unref (lane.curve);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/decimate/loss", GUINT_TO_POINTER (LS_CURVE_LOSS), test_steps);
  g_test_add_data_func ("/paint/decimate/rate", GUINT_TO_POINTER (LS_CURVE_RATE), test_steps);
  g_test_add_data_func ("/paint/decimate/delta", GUINT_TO_POINTER (LS_CURVE_DELTA), test_steps);
  g_test_add_func ("/paint/decimate/median", test_median);
  g_test_add_func ("/paint/decimate/seconds", test_seconds);
  g_test_add_func ("/paint/decimate/spike", test_spike);
  g_test_add_func ("/paint/decimate/spiky-rate", test_spiky_rate);
  g_test_add_func ("/paint/decimate/rate-gap", test_rate_gap);
  g_test_add_func ("/paint/decimate/bursts", test_bursts);
  g_test_add_func ("/paint/decimate/nearest", test_nearest);
  g_test_add_func ("/paint/decimate/set-aside", test_set_aside);
  return g_test_run ();
}
