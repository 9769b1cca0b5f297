/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A curve's points: which lines there are, how long they are, and their steps in as many columns as the plot
 * has room for.
 */
#include "ui/paint/parts/chart.h"
#include "ui/paint/parts/coming.h"

#include <math.h>

#define NEWEST  16
#define DOTS    2    /* single steps in a column, */
#define FAR     .1   /* and those that are so far from the line */
#define PAUSE_S 3.   /* by seconds: longer than lanes rest between two bursts at watch pace */
#define MS      .001 /* of which steps tell when they ended */
#define AHEAD   20   /* steps that a lane may do before the other has come: room for them */

/* The lane's rate, or before it has one that of its fastest of the newest steps. */
static double
fastest_of (const LsViewLane *lane, guint batch)
{
  const LsSeries series = { .kind = LS_CURVE_RATE, .lane = lane, .batch = batch };
  const guint64 n = lane->rate.value > 0 ? 0 : ls_series_length (&series);
  double fastest = lane->rate.value;

  for (guint64 i = n > NEWEST ? n - NEWEST : 0; i < n; i++)
    {
      const double rate = ls_series_value (&series, i);
      fastest = isfinite (rate) ? MAX (fastest, rate) : fastest;
    }
  return fastest;
}

/* The unit of rates: the fastest of all lanes that may be drawn decides. */
double
ls_chart_rate_scale (const LsViewData *data)
{
  double fastest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    fastest = MAX (fastest, fastest_of (&data->sides[side], data->batch));
  for (guint i = 0; data->others != NULL && i < data->others->len; i++)
    fastest = MAX (fastest, fastest_of (data->others->pdata[i], data->batch));
  for (guint i = 0; data->runs != NULL && i < data->runs->len; i++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        const LsRunCurves *run = g_ptr_array_index (data->runs, i);
        fastest = MAX (fastest, fastest_of (&run->sides[side], run->batch));
      }
  return fastest >= 2e6 ? 1e6 : fastest >= 2e3 ? 1e3 : 1;
}

static void
add_line (GArray *lines, LsCurveKind kind, guint side, const LsRunCurves *run, const LsViewLane *lane,
          const LsViewLane *other, guint batch)
{
  const LsChartLine line = { .side = side, .run = run, .lane = lane, .series = { kind, lane, other, batch } };

  if (kind == LS_CURVE_DELTA && (side > 0 || ls_series_length (&line.series) == 0))
    return;
  if (lane->steps == 0
      || (kind == LS_CURVE_ACCURACY && (lane->accuracies == NULL || lane->accuracies->len == 0)))
    return;
  g_array_append_val (lines, line);
}

void
ls_chart_find_lines (LsChart *c, gboolean runs)
{
  const LsViewData *data = c->layout->data;
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (LsChartLine));

  for (guint i = 0; runs && data->runs != NULL && i < data->runs->len; i++)
    {
      const LsRunCurves *run = g_ptr_array_index (data->runs, i);
      for (guint side = 0; side < LS_SIDES; side++)
        add_line (lines, c->kind, side, run, &run->sides[side], &run->sides[1 - side], run->batch);
    }
  for (guint i = 0; runs && data->others != NULL && i < data->others->len; i++)
    {
      const LsViewLane *lane = data->others->pdata[i];
      add_line (lines, c->kind, LS_INK_OF (lane->ink), NULL, lane, lane, data->batch);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    add_line (lines, c->kind, side, NULL, &data->sides[side], &data->sides[1 - side], data->batch);
  c->n_lines = lines->len;
  c->lines = (LsChartLine *) (void *) g_array_free (lines, FALSE);
}

/* A lane that is ahead may have been evaluated after a step that isn't shown yet, as the other lane hasn't
 * done it. */
static double
line_extent (const LsChart *c, const LsChartLine *line)
{
  const GArray *list = c->kind == LS_CURVE_ACCURACY ? line->lane->accuracies : NULL;
  const guint64 steps = ls_series_length (&line->series),
                n = list != NULL ? MAX (steps, g_array_index (list, LsAccuracy, list->len - 1).steps) : steps;

  return c->seconds ? ls_series_second (&line->series, n - 1) : (double) n;
}

void
ls_chart_find_extent (LsChart *c)
{
  c->seconds = c->layout->query.curves.seconds;
  for (guint i = 0; i < c->n_lines; i++)
    c->seconds &= isfinite (line_extent (c, &c->lines[i])); /* a recording doesn't tell when its steps were */
  for (guint i = 0; i < c->n_lines; i++)
    c->extent = MAX (c->extent, line_extent (c, &c->lines[i]));
  if (!c->seconds
      && (ls_lane_coming (&c->layout->data->sides[0]) || ls_lane_coming (&c->layout->data->sides[1])))
    c->extent = MAX (c->extent, AHEAD);
}

static void
add_point (LsChartLine *line, double x, double low, double middle, double high)
{
  const LsChartPoint point = { x, low, middle, high };

  /* what isn't there is a gap among steps, and nothing at all before the first */
  if (isfinite (middle) || line->points->len > 0)
    g_array_append_val (line->points, point);
}

static void
add_dot (const LsChart *c, LsChartLine *line, double x, double value)
{
  const LsChartDot dot = { x, value / c->scale };

  if (isfinite (x) && isfinite (value))
    g_array_append_val (line->dots, dot);
}

/* The steps of a column: each, or some evenly spaced, and the slowest and the fastest where they are far from
 * the line. */
static void
add_dots (const LsChart *c, LsChartLine *line, const LsColumn *column, double x)
{
  const LsSeries *series = &line->series;
  const guint64 steps = column->end - column->from, n = MIN (steps, DOTS);

  for (guint64 k = 0; k < n; k++)
    {
      const guint64 i = column->from + (2 * k + 1) * steps / (2 * n);
      add_dot (c, line, c->seconds ? ls_series_second (series, i) : (double) i + 1,
               ls_series_value (series, i));
    }
  if (n == steps)
    return;
  if (column->low < (1 - FAR) * column->middle)
    add_dot (c, line, x, column->low);
  if (column->high > (1 + FAR) * column->middle)
    add_dot (c, line, x, column->high);
}

/* By seconds: no step ended for so long before that one, and not because it took so long itself. */
static gboolean
after_pause (const LsSeries *series, guint64 i)
{
  const double pause = i > 0 ? ls_series_second (series, i) - ls_series_second (series, i - 1) : 0;

  return pause > PAUSE_S && pause > 2e-6 * (double) ls_view_lane_point (series->lane, i).step_us;
}

static void
decimate (LsChart *c, LsChartLine *line)
{
  const guint64 steps = ls_series_length (&line->series);
  const double pitch = c->parts & LS_CHART_STACKED ? 6 : c->kind == LS_CURVE_DELTA ? 2 : 3;
  const double own = line_extent (c, line), pixels = (c->right - c->left) / pitch;
  const guint n = (guint) CLAMP (MIN ((double) steps, pixels * own / MAX (c->extent, 1e-9)), 1, 8192);
  g_autofree LsColumn *columns = g_new (LsColumn, n);

  if (c->seconds)
    ls_decimate_seconds (&line->series, 0, own + MS, n, columns); /* with those that ended in the last
                                                                     millisecond */
  else
    ls_decimate_steps (&line->series, 0, steps, n, columns);
  for (guint i = 0; i < n; i++)
    {
      const double x = c->seconds ? own * (i + .5) / n : (double) (columns[i].from + columns[i].end + 1) / 2;

      const gboolean any = columns[i].end > columns[i].from;

      if (c->seconds && c->kind == LS_CURVE_RATE && any && after_pause (&line->series, columns[i].from))
        add_point (line, x, (double) NAN, (double) NAN, (double) NAN);
      /* no gap: a moment in which no step ended, or where the lanes differ by nothing that a log scale could
       * show */
      if (isfinite (columns[i].middle)
          || (c->seconds ? any && c->kind == LS_CURVE_RATE : c->kind != LS_CURVE_DELTA))
        add_point (line, x, columns[i].low / c->scale, columns[i].middle / c->scale,
                   columns[i].high / c->scale);
      if (c->kind == LS_CURVE_RATE && line->run == NULL)
        add_dots (c, line, &columns[i], x);
    }
  line->dense = steps >= 2 * (guint64) n;
  line->end_value = ls_series_value (&line->series, steps - 1);
}

static void
take_accuracies (LsChart *c, LsChartLine *line)
{
  const GArray *list = line->lane->accuracies;

  for (guint i = 0; i < list->len; i++)
    {
      const LsAccuracy *a = &g_array_index (list, LsAccuracy, i);
      const double x = c->seconds ? ls_series_second (&line->series, MAX (a->steps, 1) - 1)
                                  : (double) a->steps;
      add_point (line, x, a->accuracy, a->accuracy, a->accuracy);
    }
  line->end_value = g_array_index (list, LsAccuracy, list->len - 1).accuracy;
}

/* Of rates: to the fastest step that is at most half as fast again as the line ever is. */
static double
highest_dot (const LsChart *c, double line)
{
  double high = line;

  for (guint i = 0; i < c->n_lines; i++)
    for (guint k = 0; k < c->lines[i].dots->len; k++)
      {
        const double value = g_array_index (c->lines[i].dots, LsChartDot, k).value;
        high = value <= 1.5 * line ? MAX (high, value) : high;
      }
  return high;
}

static void
find_range (const LsChart *c, double *low, double *high)
{
  *low = HUGE_VAL;
  *high = -HUGE_VAL;
  for (guint i = 0; i < c->n_lines; i++)
    for (guint k = 0; k < c->lines[i].points->len; k++)
      {
        const LsChartPoint *p = &g_array_index (c->lines[i].points, LsChartPoint, k);
        const gboolean rate = c->kind == LS_CURVE_RATE;

        if (!isfinite (p->middle) || (!rate && c->kind != LS_CURVE_ACCURACY && p->low <= 0))
          continue;
        *low = MIN (*low, rate ? p->middle : p->low);
        *high = MAX (*high, rate ? p->middle : p->high);
      }
}

/* All losses are told of the same step, while one lane is some steps ahead. */
static void
find_ends (LsChart *c)
{
  double losses[LS_SIDES];
  guint64 step;

  if (c->kind != LS_CURVE_LOSS || !ls_chart_same_step (c->layout->data, &step, losses))
    return;
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run == NULL && c->lines[i].lane->steps >= step)
      {
        c->lines[i].end_value = (double) ls_view_lane_point (c->lines[i].lane, step - 1).loss;
        c->lines[i].end_x = c->seconds ? ls_series_second (&c->lines[i].series, step - 1) : (double) step;
      }
}

void
ls_chart_make_points (LsChart *c)
{
  double low, high;
  guint ticks;

  c->scale = c->kind == LS_CURVE_RATE ? ls_chart_rate_scale (c->layout->data) : 1;
  for (guint i = 0; i < c->n_lines; i++)
    {
      LsChartLine *line = &c->lines[i];
      line->points = g_array_new (FALSE, FALSE, sizeof (LsChartPoint));
      line->dots = g_array_new (FALSE, FALSE, sizeof (LsChartDot));
      if (c->kind == LS_CURVE_ACCURACY)
        take_accuracies (c, line);
      else
        decimate (c, line);
      line->end_x = line_extent (c, line);
    }
  find_ends (c);
  find_range (c, &low, &high);
  ticks = MAX (
    2, (guint) ((c->bottom - c->top) / (c->layout->m.tick.px * (c->parts & LS_CHART_STACKED ? 1.7 : 2.4))));
  if (c->kind == LS_CURVE_RATE)
    ls_axis_init (&c->y, 0, highest_dot (c, high) * 1.08, c->bottom, c->top, FALSE, ticks);
  else if (c->kind == LS_CURVE_ACCURACY) /* positions, not amounts: from below the lowest to all */
    ls_axis_init (&c->y, MAX (0, floor ((low - .002) * 20) / 20), 1, c->bottom, c->top, FALSE, ticks);
  else
    ls_axis_init (&c->y, low / 1.1, high * 1.1, c->bottom, c->top, TRUE, ticks);
}
