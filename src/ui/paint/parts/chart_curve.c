/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves by step or by seconds: the losses of both lanes on top of each other, the rates, the difference of
 * the losses, the test set's verdicts. With more steps than pixels a curve is the median of a few pixels'
 * steps over the faint band of all of them, so that no spike is lost; a rate is the running median over faint
 * dots, which are single steps. Runs before are thinner.
 */
#include "config.h"
#include "ui/paint/parts/chart.h"
#include "ui/paint/parts/coming.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

/* The next points without a gap between them: from *from on, which becomes the end of theirs; how many. A
 * lane that was retried hasn't done some steps. */
static guint
next_piece (const LsChartLine *line, guint *from)
{
  const LsChartPoint *points = (const LsChartPoint *) (gconstpointer) line->points->data;
  guint end;

  while (*from < line->points->len && !isfinite (points[*from].middle))
    ++*from;
  for (end = *from; end < line->points->len && isfinite (points[end].middle); end++)
    ;
  end -= *from;
  *from += end;
  return end;
}

static void
draw_band (const LsChart *c, const LsChartLine *line)
{
  guint n, end = 0;

  if (!line->dense || line->run != NULL || line->side >= LS_SIDES || c->kind == LS_CURVE_RATE)
    return;
  while ((n = next_piece (line, &end)) > 0)
    {
      ls_scene_path (c->s, LS_ITEM_AREA, c->kind == LS_CURVE_DELTA ? LS_INK_QUIET : LS_INK_MARK, line->side,
                     0)
        ->alpha
        = .16f;
      for (guint k = 0; k < 2 * n; k++)
        {
          const LsChartPoint *p = &g_array_index (line->points, LsChartPoint,
                                                  end - n + (k < n ? k : 2 * n - 1 - k));
          ls_scene_point (c->s, ls_axis_at (&c->x, p->x), ls_axis_at (&c->y, k < n ? p->high : p->low));
        }
    }
}

/* Single steps under the line of medians; what is beyond the axis has no place. */
static void
draw_dots (const LsChart *c, const LsChartLine *line)
{
  const double size = c->layout->m.projector ? 1.2 * c->layout->style.data : 1.25 * c->layout->style.data;
  LsItem *item;

  if (line->dots->len == 0)
    return;
  item = ls_scene_path (c->s, LS_ITEM_DOTS, LS_INK_MARK, line->side, size);
  item->alpha = .34f;
  item->evidence = LS_EVIDENCE_MEASURED;
  for (guint i = 0; i < line->dots->len; i++)
    {
      const LsChartDot *dot = &g_array_index (line->dots, LsChartDot, i);
      if (dot->value <= c->y.high)
        ls_scene_point (c->s, ls_axis_at (&c->x, dot->x), ls_axis_at (&c->y, dot->value));
    }
}

static gboolean
has_other (const LsChart *c, const LsChartLine *line)
{
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run == line->run && c->lines[i].side < LS_SIDES && c->lines[i].side != line->side)
      return line->side < LS_SIDES;
  return FALSE;
}

/* Then they lie on each other where they agree: the left one wide and pale under the right one. */
static gboolean
both_drawn (const LsChart *c)
{
  return (c->kind == LS_CURVE_LOSS || c->kind == LS_CURVE_ACCURACY) && c->n_lines > 0
         && has_other (c, &c->lines[c->n_lines - 1]);
}

double
ls_chart_line_width (const LsStyle *style, gboolean pair, guint side)
{
  return !pair ? style->data : side == 0 ? style->underlay : MIN (style->data, .38 * style->underlay);
}

static void
draw_line (const LsChart *c, const LsChartLine *line)
{
  const LsStyle *style = &c->layout->style;
  const gboolean dots = c->kind == LS_CURVE_DELTA, pair = both_drawn (c) && has_other (c, line);
  /* where both lanes draw the same line, one lies wide beneath the other */
  const gboolean under = pair && line->side == 0;
  const double width = dots                     ? (line->run == NULL ? 3 : 2)
                       : line->run != NULL      ? MAX (1, style->data * .55)
                       : line->side >= LS_SIDES ? style->data
                                                : ls_chart_line_width (style, pair, line->side);
  LsItem *item;
  guint n, end = 0;

  while ((n = next_piece (line, &end)) > 0)
    {
      item = ls_scene_path (c->s, dots ? LS_ITEM_DOTS : LS_ITEM_LINE, dots ? LS_INK_QUIET : LS_INK_MARK,
                            line->side, width);
      item->alpha = line->run != NULL ? (dots ? .35f : .6f) : under ? .45f : 1;
      item->evidence = dots ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MEASURED;
      for (guint k = end - n; k < end; k++)
        {
          const LsChartPoint *p = &g_array_index (line->points, LsChartPoint, k);
          ls_scene_point (c->s, ls_axis_at (&c->x, p->x), ls_axis_at (&c->y, p->middle));
        }
    }
}

/* Points and no line: between two of them nothing was measured, for hundreds of thousands of steps sometimes.
 * Those that would cover each other are one. */
static void
draw_accuracies (const LsChart *c, const LsChartLine *line)
{
  const double size = (line->run != NULL ? 1.5 : 3) * c->layout->style.data;
  const gboolean under = line->run == NULL && line->side == 0 && has_other (c, line);
  LsItem *item = ls_scene_path (c->s, LS_ITEM_DOTS, LS_INK_MARK, line->side, under ? 1.8 * size : size);
  double last_x = -HUGE_VAL, last_y = 0;

  item->evidence = LS_EVIDENCE_MEASURED;
  item->alpha = line->run != NULL ? .6f : under ? .45f : 1;
  for (guint k = 0; k < line->points->len; k++)
    {
      const LsChartPoint *p = &g_array_index (line->points, LsChartPoint, k);
      const double x = ls_axis_at (&c->x, p->x), y = ls_axis_at (&c->y, p->middle);
      if (!isfinite (x) || !isfinite (y)
          || (x - last_x < 1 && fabs (y - last_y) < 1 && k + 1 < line->points->len))
        continue;
      ls_scene_point (c->s, x, y);
      last_x = x;
      last_y = y;
    }
}

/* A lane that stopped: its curve ends with a bar, and words say where. */
static void
draw_stop (const LsChart *c, const LsChartLine *line)
{
  const LsMetrics *m = &c->layout->m;
  const LsChartPoint *last;

  if (line->run != NULL || line->lane->stopped_at == 0 || line->points->len == 0 || c->kind == LS_CURVE_DELTA
      || c->kind == LS_CURVE_ACCURACY)
    return;
  last = &g_array_index (line->points, LsChartPoint, line->points->len - 1);
  ls_scene_box (c->s, ls_axis_at (&c->x, line->end_x) - 2, ls_axis_at (&c->y, last->middle) - 7, 4, 14,
                LS_INK_MARK, line->side)
    ->side
    = line->side < LS_SIDES ? (guint8) line->side : LS_NO_VALUE;
  if (c->kind != LS_CURVE_RATE && m->size != LS_SIZE_SMALL)
    return;
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run != NULL) /* whose names stand among the curves; the lane's head says it, too */
      return;
  g_autofree char *step = ls_number_count (line->lane->stopped_at);
  g_autofree char *text = g_strdup_printf (_("%s stopped at step %s"), line->lane->brief, step);
  if (ls_scene_width (c->s, m->tick, text) < c->right - c->left)
    ls_scene_text (c->s, c->right, c->kind == LS_CURVE_LOSS ? c->top + m->tick.px : c->bottom - 5, m->tick,
                   LS_INK_LANE, LS_RIGHT, text)
      ->value
      = (float) line->side;
}

/* From x on no line, nor the band of its steps, comes nearer to y than a line of text is high; nor does what
 * is written there: a label may stand apart from its line's end. */
static gboolean
is_free (const LsChart *c, double x, double y, double w)
{
  const double near = c->layout->m.label.px * 1.3;

  for (guint i = 0; i < c->s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (c->s, i);
      double left, top, width, height;
      ls_item_bounds (c->s, item, &left, &top, &width, &height);
      if (item->kind == LS_ITEM_TEXT && left < x + w && left + width > x && top < y + near / 2
          && top + height > y - near / 2)
        return FALSE;
    }
  for (guint i = 0; i < c->n_lines; i++)
    {
      const LsChartLine *line = &c->lines[i];
      for (guint k = 0; k < line->points->len; k++)
        {
          const LsChartPoint *p = &g_array_index (line->points, LsChartPoint, k),
                             *next = k + 1 < line->points->len ? p + 1 : p;
          const double top = ls_axis_at (&c->y, MAX (line->dense ? p->high : p->middle, next->middle));
          const double bottom = ls_axis_at (&c->y, MIN (line->dense ? p->low : p->middle, next->middle));

          if (isfinite (top + bottom) && (next == p || ls_axis_at (&c->x, next->x) > x - 8) && y > top - near
              && y < bottom + near)
            return FALSE;
        }
      for (guint k = 0; k < line->dots->len; k++)
        {
          const LsChartDot *dot = &g_array_index (line->dots, LsChartDot, k);
          if (ls_axis_at (&c->x, dot->x) > x - 8 && fabs (ls_axis_at (&c->y, dot->value) - y) < near)
            return FALSE;
        }
    }
  return TRUE;
}

/* The step that was set aside, on the rate's axis: the median counts it, the line doesn't show it. */
static void
draw_aside (const LsChart *c)
{
  const LsMetrics *m = &c->layout->m;
  const LsViewData *data = c->layout->data;
  const LsChartLine *line = NULL;

  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run == NULL && c->lines[i].side == data->aside_side)
      line = &c->lines[i];
  if (c->kind != LS_CURVE_RATE || data->aside == NULL || line == NULL || data->aside_step == 0
      || data->aside_step > line->lane->steps)
    return;
  const double x = ls_axis_at (&c->x, c->seconds ? ls_series_second (&line->series, data->aside_step - 1)
                                                 : (double) data->aside_step);
  const double height = MIN (18, (c->bottom - c->top) / 3);
  if (!isfinite (x))
    return;
  ls_stage_zigzag (c->layout, x, c->bottom - 2, height, line->side);
  g_autofree char *step = ls_number_count (data->aside_step);
  g_autofree char *text = g_strdup_printf (_("step %s, set aside"), step);
  const double w = ls_scene_width (c->s, m->tick, text), left = x - 9 - w > c->left + 4 ? x - 9 - w : x + 9,
               y = c->bottom - 2 - height / 2;
  for (guint side = 0; side < LS_SIDES; side++)
    if (ls_lane_coming (&data->sides[side]) || data->sides[side].stopped_at > 0) /* whose words stand here */
      return;
  if (left + w < c->right && is_free (c, left, y, w))
    ls_scene_text (c->s, left, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_LEFT, text);
}

/* Where the curve of a lane that comes will begin. */
static void
draw_coming (const LsChart *c)
{
  const LsMetrics *m = &c->layout->m;
  const double right = c->right + MIN (ls_chart_labels_width (c), (c->right - c->left) * .6);
  g_autofree char *text = ls_coming_curve (c->layout->data, c->kind);
  const double width = text != NULL ? ls_scene_width (c->s, m->label, text) : 0, x = right - width;
  const double places[] = { (c->top + c->bottom) / 2, c->top + m->label.px * .6,
                            c->bottom - m->label.px * .9 };

  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run != NULL) /* whose names stand among the curves */
      return;
  for (guint i = 0; text != NULL && x > c->left + 4 && i < G_N_ELEMENTS (places); i++)
    if (is_free (c, x, places[i], width))
      {
        ls_scene_text (c->s, x, places[i] + m->label.px * .36, m->label, LS_INK_QUIET, LS_LEFT, text);
        return;
      }
}

static void
draw_nothing (const LsChart *c)
{
  const LsMetrics *m = &c->layout->m;
  const LsViewLane *sides = c->layout->data->sides;
  const gboolean both = sides[0].steps > 0 && sides[1].steps > 0;
  gboolean any = FALSE;
  const char *text;

  for (guint side = 0; side < LS_SIDES; side++)
    any |= c->layout->data->sides[side].steps > 0;
  text = !any                                                       ? _("no step yet")
         : c->kind == LS_CURVE_ACCURACY || c->kind == LS_CURVE_RATE ? _("not measured yet")
         : both                                                     ? _("by nothing, in any step")
                                                                    : _("needs two lanes");
  ls_scene_segment (c->s, c->left, c->bottom, c->right, c->bottom, LS_INK_QUIET, c->layout->style.hairline);
  if (ls_scene_width (c->s, m->label, text) < c->right - c->left)
    ls_scene_text (c->s, (c->left + c->right) / 2, (c->top + c->bottom) / 2 + m->label.px * .36, m->label,
                   LS_INK_QUIET, LS_CENTER, text);
}

static void
remember_plot (const LsChart *c)
{
  const LsPlot plot = { c->kind,
                        { c->left, c->top, c->right - c->left, c->bottom - c->top },
                        c->x,
                        c->y,
                        c->scale,
                        c->seconds,
                        (c->parts & LS_CHART_RUNS) != 0 };

  g_array_append_val (c->layout->plots, plot);
}

double
ls_chart_ticks_width (const LsChart *c)
{
  static const char *const widest[] = { [LS_CURVE_LOSS] = "0.000",
                                        [LS_CURVE_RATE] = "0000",
                                        [LS_CURVE_DELTA] = "0×10⁻⁰",
                                        [LS_CURVE_ACCURACY] = "100 %" };

  return ls_scene_width (c->s, c->layout->m.tick, widest[c->kind]) + 2 * c->layout->m.unit;
}

void
ls_chart_open (LsChart *c, LsLayout *layout, LsCurveKind kind, LsChartParts parts)
{
  *c = (LsChart){ .layout = layout, .s = layout->still, .kind = kind, .parts = parts, .scale = 1 };
  ls_chart_find_lines (c, (parts & LS_CHART_RUNS) != 0);
  ls_chart_find_extent (c);
}

static void
draw_lines (LsChart *c)
{
  for (guint i = 0; i < c->n_lines; i++)
    draw_dots (c, &c->lines[i]);
  for (guint i = 0; i < c->n_lines; i++)
    if (c->kind == LS_CURVE_ACCURACY)
      draw_accuracies (c, &c->lines[i]);
    else
      {
        draw_band (c, &c->lines[i]);
        draw_line (c, &c->lines[i]);
      }
}

/* All steps so far are warm-up, say. */
static gboolean
no_points (const LsChart *c)
{
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].points->len > 0)
      return FALSE;
  return TRUE;
}

void
ls_chart_draw (LsChart *c)
{
  if (c->n_lines > 0)
    ls_chart_make_points (c);
  if (no_points (c))
    draw_nothing (c);
  else
    {
      ls_chart_init_x (c);
      ls_chart_axes (c);
      draw_lines (c);
      ls_chart_shown_step (c);
      ls_chart_labels (c);
      draw_coming (c);
      draw_aside (c);
      for (guint i = 0; i < c->n_lines; i++)
        draw_stop (c, &c->lines[i]);
      remember_plot (c);
    }
  for (guint i = 0; i < c->n_lines; i++)
    {
      g_array_unref (c->lines[i].points);
      g_array_unref (c->lines[i].dots);
    }
  g_clear_pointer (&c->lines, g_free);
}

void
ls_chart_curve (LsLayout *layout, LsArea area, LsCurveKind kind, LsChartParts parts)
{
  const LsMetrics *m = &layout->m;
  LsChart c;

  ls_chart_open (&c, layout, kind, parts);
  c.left = area.x + ls_chart_ticks_width (&c);
  c.right = area.x + area.w - MIN (ls_chart_labels_width (&c), area.w * .4);
  c.end = area.x + area.w;
  c.top = area.y + (parts & LS_CHART_UNTITLED ? 0 : m->heading.px * 1.25) + m->tick.px * .55;
  c.bottom = area.y + area.h - m->tick.px - 8;
  ls_chart_title (&c, area);
  ls_chart_draw (&c);
}
