/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves for a hall: loss, test accuracy and rate one above the other on one axis, titles left, the lanes'
 * values right, and one line at the foot that explains the strokes and says the conditions once for all.
 */
#include "config.h"
#include "ui/paint/parts/chart.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

#define PLOTS 3

static gboolean
any_accuracy (const LsViewData *data)
{
  return data->live || data->sides[0].accuracies != NULL || data->sides[1].accuracies != NULL;
}

/* The unit of the numbers at the axis. */
static const char *
unit_words (const LsChart *c)
{
  const double scale = c->kind == LS_CURVE_RATE ? ls_chart_rate_scale (c->layout->data) : 1;

  if (c->kind == LS_CURVE_LOSS)
    return "";
  if (c->kind == LS_CURVE_ACCURACY)
    return _("per cent");
  return scale >= 1e6 ? _("million/s") : scale >= 1e3 ? _("thousand/s") : _("samples/s");
}

static void
draw_name (const LsChart *c, double x)
{
  const LsMetrics *m = &c->layout->m;
  const double base = c->top + m->strong.px * .36;
  const char *unit = unit_words (c);

  ls_scene_text (c->s, x, base, m->strong, LS_INK_TEXT, LS_LEFT, ls_chart_name (c->kind));
  if (*unit && base + m->label.px * 1.4 < c->bottom)
    ls_scene_text (c->s, x, base + m->label.px * 1.4, m->label, LS_INK_QUIET, LS_LEFT, unit);
}

/* A piece of a line of each lane's kind, then words; returns the right end, x where there is no room. */
static double
stroke (LsLayout *layout, double x, double y, double right, gboolean pair, const char *words)
{
  const LsMetrics *m = &layout->m;
  const double length = 15 * m->unit, at = x + length + 4 * m->unit,
               end = at + ls_scene_width (layout->still, m->label, words);

  if (end > right)
    return x;
  for (guint side = 0; side < (pair ? 2u : 1u); side++)
    ls_scene_segment (layout->still, x, y, x + length, y, pair ? LS_INK_MARK : LS_INK_TEXT,
                      ls_chart_line_width (&layout->style, pair, side))
      ->value
      = (float) side;
  if (pair)
    ls_scene_get (layout->still, layout->still->items->len - 2)->alpha = .45f;
  ls_scene_text (layout->still, at, y + m->label.px * .36, m->label, LS_INK_TEXT, LS_LEFT, words);
  return end + 8 * m->unit;
}

/* "fp32; rates: median of 200 steps", or what of it fits into that width. (transfer full) */
static char *
conditions (const LsLayout *layout, double width)
{
  const LsViewLane *sides = layout->data->sides;
  const LsFigure *rate = sides[0].rate.n > 0 ? &sides[0].rate : &sides[1].rate;
  g_autofree char *n = ls_number_count (rate->n);
  g_autofree char *precision = ls_view_data_precision (layout->data);
  g_autofree char *all = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s; rates: median of %s step",
                                                       "%s; rates: median of %s steps", (gulong) rate->n),
                                          precision, n);

  if (rate->n == 0)
    return g_steal_pointer (&precision);
  return ls_scene_width (layout->still, layout->m.label, all) <= width
           ? g_steal_pointer (&all)
           : g_strdup_printf ("%s; n = %s", precision, n);
}

/* One line that says what the strokes are, and under what conditions the rates are. */
static void
draw_key (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const double y = area.y + area.h / 2, left = area.x + m->margin, right = area.x + area.w - m->margin;
  const gboolean both = layout->data->sides[0].steps > 0 && layout->data->sides[1].steps > 0;
  double x = left;

  ls_scene_box (layout->still, area.x, area.y, area.w, area.h, LS_INK_SIDEBAR, 0);
  ls_scene_box (layout->still, area.x, area.y, area.w, layout->style.hairline, LS_INK_EDGE, 0);
  if (both)
    x = stroke (layout, x, y, right, TRUE, _("both lanes at the same place"));
  x = stroke (layout, x, y, right, FALSE, _("median of 61 over single steps"));
  g_autofree char *words = conditions (layout, right - x);
  if (x + ls_scene_width (layout->still, m->label, words) <= right)
    ls_scene_text (layout->still, right, y + m->label.px * .36, m->label, LS_INK_TEXT, LS_RIGHT, words);
}

void
ls_chart_stack (LsLayout *layout, LsArea area)
{
  static const LsCurveKind kinds[PLOTS] = { LS_CURVE_LOSS, LS_CURVE_ACCURACY, LS_CURVE_RATE };
  static const double heights[PLOTS] = { 1.15, .95, 1 };
  const LsMetrics *m = &layout->m;
  const double key_h = m->strip_h * .9, gap = 1.6 * m->tick.px, steps_h = m->tick.px + 8,
               least = 3.2 * m->strong.px;
  const double x = area.x + m->margin, w = area.w - 2 * m->margin,
               h = area.h - key_h - steps_h - m->label.px * .6;
  double names_w = 0, ticks_w = 0, labels_w = 0, extent = 0, sum = 0, y = area.y + m->label.px * .3;
  gboolean seconds = layout->query.curves.seconds;
  LsChart charts[PLOTS];
  guint n = 0;

  for (guint i = 0; i < PLOTS; i++)
    {
      if (kinds[i] == LS_CURVE_ACCURACY && (!any_accuracy (layout->data) || h < PLOTS * least + 2 * gap))
        continue;
      if (kinds[i] == LS_CURVE_RATE && h < (n + 1) * least + n * gap)
        continue;
      LsChart *c = &charts[n++];
      ls_chart_open (c, layout, kinds[i], LS_CHART_STACKED | LS_CHART_NO_STEPS | LS_CHART_RUNS);
      names_w = MAX (names_w, MAX (ls_scene_width (c->s, m->strong, ls_chart_name (kinds[i])),
                                   ls_scene_width (c->s, m->label, unit_words (c))));
      ticks_w = MAX (ticks_w, ls_chart_ticks_width (c));
      labels_w = MAX (labels_w, ls_chart_labels_width (c));
      extent = MAX (extent, c->extent);
      seconds &= c->seconds;
      sum += heights[i];
    }
  charts[n - 1].parts &= ~(LsChartParts) LS_CHART_NO_STEPS;
  for (guint i = 0; i < n; i++)
    {
      LsChart *c = &charts[i];
      c->left = x + MIN (names_w, w * .25) + 3 * m->unit + ticks_w;
      c->right = x + w - MIN (labels_w, w * .3);
      c->end = layout->width;
      c->top = y;
      c->bottom = y
                  + (h - (n - 1) * gap)
                      * heights[c->kind == LS_CURVE_LOSS       ? 0
                                : c->kind == LS_CURVE_ACCURACY ? 1
                                                               : 2]
                      / sum;
      c->extent = extent;
      c->seconds = seconds;
      draw_name (c, x);
      y = c->bottom + gap;
      ls_chart_draw (c);
    }
  draw_key (layout, (LsArea){ area.x, area.y + area.h - key_h, area.w, key_h });
}
