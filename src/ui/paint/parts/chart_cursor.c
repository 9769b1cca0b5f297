/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pointer over the curves: one step in every plot at once, with the values that the lines have there.
 */
#include "config.h"
#include "ui/paint/parts/chart.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define MAX_VALUES 16

typedef struct {
  char *text;
  LsInk ink;
  guint side;
  double y; /* of the line there; NAN */
} Value;

/* What the test set said after that very step; NAN: it wasn't asked. */
static double
accuracy_at (const LsViewLane *lane, guint64 step)
{
  for (guint i = 0; lane->accuracies != NULL && i < lane->accuracies->len; i++)
    if (g_array_index (lane->accuracies, LsAccuracy, i).steps == step)
      return g_array_index (lane->accuracies, LsAccuracy, i).accuracy;
  return (double) NAN;
}

/* The newest step up to that one after which the test set was asked; 0: none. */
static guint64
measured_before (const LsViewData *data, guint64 step)
{
  guint64 newest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; data->sides[side].accuracies != NULL && i < data->sides[side].accuracies->len; i++)
      {
        const guint64 steps = g_array_index (data->sides[side].accuracies, LsAccuracy, i).steps;
        newest = steps <= step ? MAX (newest, steps) : newest;
      }
  return newest;
}

static double
value_at (LsCurveKind kind, const LsViewLane *lane, const LsViewLane *other, guint batch, guint64 step)
{
  const LsSeries series = { kind, lane, other, batch };

  if (lane->steps == 0 || step == 0 || step > ls_series_length (&series))
    return (double) NAN;
  return kind == LS_CURVE_ACCURACY ? accuracy_at (lane, step) : ls_series_value (&series, step - 1);
}

static guint
add_value (Value *values, guint n, const LsPlot *plot, double value, const char *name, LsInk ink, guint side)
{
  g_autofree char *number = NULL;

  if (n == MAX_VALUES || !isfinite (value))
    return n;
  number = ls_chart_value_text (plot->kind, value);
  values[n] = (Value){ g_strdup_printf ("%s %s", name, number), ink, side,
                       ls_axis_at (&plot->y, value / plot->scale) };
  return n + 1;
}

static guint
find_values (const LsLayout *layout, const LsPlot *plot, guint64 step, Value *values)
{
  const LsViewData *data = layout->data;
  guint n = 0;

  for (guint side = 0; side < (plot->kind == LS_CURVE_DELTA ? 1u : LS_SIDES); side++)
    n = add_value (values, n, plot,
                   value_at (plot->kind, &data->sides[side], &data->sides[1 - side], data->batch, step),
                   plot->kind == LS_CURVE_DELTA ? _("differ by") : data->sides[side].brief,
                   plot->kind == LS_CURVE_DELTA ? LS_INK_TEXT : LS_INK_LANE, side);
  for (guint i = 0;
       plot->runs && plot->kind != LS_CURVE_DELTA && data->others != NULL && i < data->others->len; i++)
    {
      const LsViewLane *lane = data->others->pdata[i];
      n = add_value (values, n, plot, value_at (plot->kind, lane, lane, data->batch, step), lane->brief,
                     LS_INK_LANE, LS_INK_OF (lane->ink));
    }
  for (guint i = 0; plot->runs && data->runs != NULL && i < data->runs->len; i++)
    {
      const LsRunCurves *run = g_ptr_array_index (data->runs, i);
      const guint side = run->sides[0].steps > 0 ? 0 : 1;
      n = add_value (values, n, plot,
                     value_at (plot->kind, &run->sides[side], &run->sides[1 - side], run->batch, step),
                     run->label, LS_INK_QUIET, side);
    }
  return n;
}

/* The step, and below it the values, on a plate beside the line. */
static void
draw_plate (LsLayout *layout, const LsPlot *plot, double x, const char *title, const Value *values, guint n)
{
  const LsMetrics *m = &layout->m;
  const LsType bold = { m->tick.px, 700 };
  const double line = m->tick.px * 1.3;
  LsScene *s = layout->moving;
  double w = ls_scene_width (s, bold, title), h, left, y;

  n = MIN (n, (guint) MAX (0, plot->area.h / line - 1));
  for (guint i = 0; i < n; i++)
    w = MAX (w, ls_scene_width (s, bold, values[i].text));
  w += 12;
  h = line * (n + 1) + 4;
  left = x + 8 + w < plot->area.x + plot->area.w ? x + 8 : x - 8 - w;
  if (left < plot->area.x || h > plot->area.h + line)
    return;
  y = plot->area.y;
  LsItem *plate = ls_scene_box (s, left, y, w, h, LS_INK_CARD, 0);
  plate->size = 6;
  plate->alpha = .92f;
  plate->strong = TRUE;
  ls_scene_text (s, left + 6, y + line * .8, bold, LS_INK_TEXT, LS_LEFT, title)->strong = TRUE;
  for (guint i = 0; i < n; i++)
    {
      LsItem *text = ls_scene_text (s, left + 6, y + line * (i + 1.8), bold, values[i].ink, LS_LEFT,
                                    values[i].text);
      text->value = (float) values[i].side;
      ls_item_number (text,
                      values[i].ink == LS_INK_LANE && values[i].side < LS_SIDES ? (gint) values[i].side : -1,
                      ls_chart_number (plot->kind));
      text->strong = TRUE;
    }
}

void
ls_chart_move (LsLayout *layout)
{
  if (layout->query.curves.cursor < 1)
    return;
  for (guint i = 0; i < layout->plots->len; i++)
    {
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
      const gint64 cursor = layout->query.curves.cursor;
      /* what wasn't measured at the step has its place where it was */
      const gint64 step = plot->kind == LS_CURVE_ACCURACY
                            ? (gint64) measured_before (layout->data, (guint64) cursor)
                            : cursor;
      Value values[MAX_VALUES];
      const LsViewLane *lanes = layout->data->sides,
                       *lane = lanes[0].steps >= (guint64) step ? &lanes[0] : &lanes[1];
      const LsSeries series = { LS_CURVE_LOSS, lane, lane, layout->data->batch };
      const guint n = find_values (layout, plot, (guint64) step, values);
      double x = (double) step;

      if (n == 0)
        continue;
      if (plot->seconds)
        x = lane->steps >= (guint64) step ? ls_series_second (&series, (guint64) step - 1) : (double) NAN;
      if (!isfinite (x) || x > plot->x.high)
        x = plot->x.high;
      x = ls_axis_at (&plot->x, x);
      ls_scene_segment (layout->moving, x, plot->area.y, x, plot->area.y + plot->area.h, LS_INK_TEXT, 1)
        ->strong
        = TRUE;
      for (guint k = 0; k < n; k++)
        if (values[k].ink == LS_INK_LANE)
          {
            ls_scene_path (layout->moving, LS_ITEM_DOTS, LS_INK_MARK, values[k].side,
                           values[k].side == 0 ? 9 : 6);
            ls_scene_point (layout->moving, x, values[k].y);
          }
      g_autofree char *count = ls_number_count ((guint64) step),
                      *title = g_strdup_printf (_("step %s"), count);
      draw_plate (layout, plot, x, title, values, n);
      for (guint k = 0; k < n; k++)
        g_free (values[k].text);
    }
}

gint64
ls_layout_step_at (const LsLayout *layout, double x, double y)
{
  for (guint i = 0; i < layout->plots->len; i++)
    {
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
      const LsViewLane *lanes = layout->data->sides,
                       *lane = lanes[0].steps >= lanes[1].steps ? &lanes[0] : &lanes[1];
      const double share = (x - plot->area.x) / MAX (plot->area.w, 1);
      const double at = plot->x.low + share * (plot->x.high - plot->x.low);

      if (share < 0 || share > 1 || y < plot->area.y - 12 || y > plot->area.y + plot->area.h + 12)
        continue;
      if (!plot->seconds)
        return MAX (1, (gint64) round (at));
      const LsSeries series = { LS_CURVE_LOSS, lane, lane, layout->data->batch };
      return (gint64) MIN (ls_series_step_at (&series, at), lane->steps - 1) + 1;
    }
  return -1;
}
