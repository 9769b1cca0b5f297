/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/data/decimate.h"

#include <math.h>

#include "ui/paint/data/median.h"
#include "ui/paint/data/typical.h"

#define SAMPLES 32 /* of a column, for its median */

guint64
ls_series_length (const LsSeries *series)
{
  if (series->kind == LS_CURVE_DELTA)
    return MIN (series->lane->steps, series->against->steps);
  return series->lane->steps;
}

double
ls_series_value (const LsSeries *series, guint64 i)
{
  const LsPoint point = ls_view_lane_point (series->lane, i);
  double delta;

  switch (series->kind)
    {
    case LS_CURVE_LOSS:
    case LS_CURVE_ACCURACY:
      return (double) point.loss;
    case LS_CURVE_RATE:
      return ls_point_counts (point) ? 1e6 * series->batch / (double) point.step_us : (double) NAN;
    case LS_CURVE_DELTA:
      delta = fabs ((double) point.loss - (double) ls_view_lane_point (series->against, i).loss);
      return delta > 0 ? delta : (double) NAN;
    case LS_CURVE_N:
      break;
    }
  return (double) NAN;
}

/* Of rates: interrupted steps are among the values, and few of them would do for a spike where there are few
 * of all. */
static double
without_interrupted (double *values, guint n)
{
  const double median = ls_median (values, n);
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    if (values[i] >= median / LS_INTERRUPTED)
      values[kept++] = values[i];
  return kept < n ? ls_median (values, kept) : median;
}

double
ls_series_smooth (const LsSeries *series, guint64 i)
{
  const guint64 length = ls_series_length (series), first = i > LS_SMOOTH_REACH ? i - LS_SMOOTH_REACH : 0;
  const guint64 end = MIN (length, i + LS_SMOOTH_REACH + 1);
  double values[LS_SMOOTH_STEPS];
  guint64 nearest = G_MAXUINT64;
  guint n = 0;

  for (guint64 k = i; k < end && n < LS_SMOOTH_STEPS / 2 + 1; k++)
    if (isfinite (values[n] = ls_series_value (series, k)))
      {
        nearest = MIN (nearest, k - i);
        n++;
      }
  const guint after = n;
  for (guint64 k = MIN (i, length); k-- > first && n < after + LS_SMOOTH_STEPS / 2;)
    if (isfinite (values[n] = ls_series_value (series, k)))
      {
        nearest = MIN (nearest, i - k);
        n++;
      }
  return n >= LS_SMOOTH_LEAST && nearest <= LS_SMOOTH_NEAR ? without_interrupted (values, n) : (double) NAN;
}

static LsRange
walk (const LsSeries *series, guint64 from, guint64 end)
{
  LsRange range = LS_RANGE_NONE;

  for (guint64 i = from; i < end; i++)
    range = ls_range_join (range, ls_range_of ((float) ls_series_value (series, i)));
  return range;
}

/* The extremes of many steps. FALSE: there is none. */
static gboolean
extremes (const LsSeries *series, guint64 from, guint64 end, LsColumn *column)
{
  const LsViewLane *lane = series->lane;
  LsRange range = LS_RANGE_NONE;

  switch (series->kind)
    {
    case LS_CURVE_LOSS:
    case LS_CURVE_ACCURACY:
      range = ls_curve_losses (lane->curve, from, end);
      break;
    case LS_CURVE_RATE:
      range = ls_curve_step_us (lane->curve, from, end);
      break;
    case LS_CURVE_DELTA:
      range = lane->pair != NULL ? ls_pair_range (lane->pair, from, end) : walk (series, from, end);
      break;
    case LS_CURVE_N:
      break;
    }
  if (range.low > range.high)
    return FALSE;
  column->low = (double) range.low;
  column->high = (double) range.high;
  if (series->kind == LS_CURVE_RATE)
    {
      column->low = 1e6 * series->batch / (double) range.high;
      column->high = 1e6 * series->batch / (double) range.low;
    }
  return TRUE;
}

static gboolean
any_counts (const LsSeries *series, guint64 from, guint64 end)
{
  const LsRange range = ls_curve_step_us (series->lane->curve, from, end);

  return range.low <= range.high;
}

/* The step of from … end − 1 that counts and is nearest to the middle one, or the middle one where none
 * counts: in a few looks, however many steps they are. */
static guint64
nearest_counted (const LsSeries *series, guint64 from, guint64 end)
{
  const guint64 middle = from + (end - from) / 2;
  guint64 near = 0, far = end - middle + 1; /* none is nearer than `near` steps, one is nearer than `far` */

  if (!any_counts (series, from, end))
    return middle;
  while (far - near > 1)
    {
      const guint64 half = near + (far - near) / 2;
      if (any_counts (series, middle - MIN (half - 1, middle - from), MIN (end, middle + half)))
        far = half;
      else
        near = half;
    }
  return middle + near < end && any_counts (series, middle + near, middle + near + 1)
           ? middle + near
           : middle - MIN (near, middle - from);
}

static void
fill (const LsSeries *series, guint64 from, guint64 end, LsColumn *column)
{
  double values[SAMPLES];
  const gboolean many = end - from > SAMPLES;
  guint n = 0;

  *column = (LsColumn){ from, end, (double) NAN, (double) NAN, (double) NAN };
  if (series->kind == LS_CURVE_RATE && end > from)
    column->middle = ls_series_smooth (series, nearest_counted (series, from, end));
  if (many && !extremes (series, from, end, column))
    return;
  if (many && series->kind == LS_CURVE_RATE)
    return;
  for (guint k = 0; k < (many ? SAMPLES : end - from); k++)
    {
      const double v = ls_series_value (series, many ? from + (end - from) * k / SAMPLES : from + k);

      if (!isfinite (v))
        continue;
      values[n++] = v;
      if (many)
        continue;
      column->low = n == 1 ? v : MIN (column->low, v);
      column->high = n == 1 ? v : MAX (column->high, v);
    }
  if (series->kind != LS_CURVE_RATE)
    column->middle = n > 0 ? ls_median (values, n) : column->high;
}

void
ls_decimate_steps (const LsSeries *series, guint64 from, guint64 end, guint n, LsColumn *columns)
{
  end = MIN (end, ls_series_length (series));
  from = MIN (from, end);
  for (guint i = 0; i < n; i++)
    fill (series, from + (end - from) * i / n, from + (end - from) * (i + 1) / n, &columns[i]);
}

double
ls_series_second (const LsSeries *series, guint64 i)
{
  const guint32 end_ms = ls_view_lane_point (series->lane, i).end_ms;

  return end_ms > 0 ? end_ms / 1e3 : (double) NAN;
}

guint64
ls_series_step_at (const LsSeries *series, double second)
{
  guint64 low = 0, high = ls_series_length (series);

  while (low < high)
    {
      const guint64 middle = low + (high - low) / 2;

      if (ls_view_lane_point (series->lane, middle).end_ms / 1e3 < second)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
ls_decimate_seconds (const LsSeries *series, double from_s, double end_s, guint n, LsColumn *columns)
{
  guint64 from = ls_series_step_at (series, from_s);

  for (guint i = 0; i < n; i++)
    {
      const guint64 end = ls_series_step_at (series, from_s + (end_s - from_s) * (i + 1) / n);

      fill (series, from, end, &columns[i]);
      from = end;
    }
}
