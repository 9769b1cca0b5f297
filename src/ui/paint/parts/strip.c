/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curves' strip at the foot of every view: loss and throughput, never gone. On the projector it is one
 * line, with the conditions that the heads there leave out.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/chart.h"
#include "core/number.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/parts/text.h"

/* How much of the width a lane's steps take. */
static double
spark_width (const LsLayout *layout, guint side, double width)
{
  const LsViewLane *sides = layout->data->sides;
  return width * (double) sides[side].steps / (double) MAX (MAX (sides[0].steps, sides[1].steps), 1);
}

/* n columns, one for two pixels at most; (transfer full). */
static LsColumn *
spark_columns (const LsLayout *layout, guint side, double width, LsCurveKind quantity, guint *n)
{
  const LsViewLane *lane = &layout->data->sides[side];
  const LsSeries series = { .kind = quantity, .lane = lane, .batch = layout->data->batch };
  LsColumn *columns;

  *n = (guint) MIN (lane->steps, (guint64) (MAX (spark_width (layout, side, width), 0) / 2)); /* too narrow
                                                                                                 for it: none
                                                                                               */
  columns = g_new (LsColumn, *n + 1);
  ls_decimate_steps (&series, 0, G_MAXUINT64, *n, columns);
  return columns;
}

/* A line without axes in the given box: of every two pixels the median step. */
static void
spark (LsLayout *layout, LsArea box, guint side, gboolean loss, double width, double alpha, double low,
       double high)
{
  const LsViewLane *lane = &layout->data->sides[side];
  const double w = spark_width (layout, side, box.w);
  guint n;
  g_autofree LsColumn *columns = spark_columns (layout, side, box.w, loss ? LS_CURVE_LOSS : LS_CURVE_RATE,
                                                &n);
  double y = box.y;
  gboolean gap = FALSE;
  LsAxis axis;

  ls_axis_init (&axis, low, high, box.y + box.h, box.y, loss, 2);
  ls_scene_path (layout->still, LS_ITEM_LINE, LS_INK_MARK, side, width)->alpha = (float) alpha;
  for (guint i = 0; i < n; i++)
    {
      const double v = columns[i].middle;
      if (!isfinite (v) || (loss && v <= 0))
        {
          gap = TRUE;
          continue;
        }
      if (gap)
        ls_scene_path (layout->still, LS_ITEM_LINE, LS_INK_MARK, side, width)->alpha = (float) alpha;
      gap = FALSE;
      y = ls_axis_at (&axis, v);
      ls_scene_point (layout->still, box.x + w * i / MAX (n - 1, 1), y);
    }
  if (lane->stopped_at > 0 && n > 0)
    ls_scene_box (layout->still, box.x + w - 3, y - 10, 6, 20, LS_INK_MARK, side)->side = (guint8) side;
}

static void
loss_range (const LsLayout *layout, double *low, double *high)
{
  LsColumn columns[64];

  *low = HUGE_VAL;
  *high = -HUGE_VAL;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsSeries series = { .kind = LS_CURVE_LOSS, .lane = &layout->data->sides[side] };

      ls_decimate_steps (&series, 0, G_MAXUINT64, G_N_ELEMENTS (columns), columns);
      for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        if (columns[i].low > 0)
          {
            *low = MIN (*low, columns[i].low);
            *high = MAX (*high, columns[i].high);
          }
    }
}

/* The most that is drawn of either lane. */
static double
highest_rate (const LsLayout *layout, double width)
{
  double high = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      guint n;
      g_autofree LsColumn *columns = spark_columns (layout, side, width, LS_CURVE_RATE, &n);
      for (guint i = 0; i < n; i++)
        high = columns[i].middle > high ? columns[i].middle : high;
    }
  return high;
}

/* "0.118 on both" of the same step, and below whether the lanes agree; or the last loss of each with its
 * step, on two lines where one has no room for them, which is told. Both (transfer full), the second may be
 * NULL. */
static gboolean
hall_loss_words (const LsLayout *layout, double room, char *words[2])
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *a = &layout->data->sides[0], *b = &layout->data->sides[1];
  double losses[LS_SIDES] = { a->loss.value, b->loss.value };
  guint64 step;
  const gboolean both = a->steps > 0 && b->steps > 0,
                 one_step = ls_chart_same_step (layout->data, &step, losses) || a->loss_step == b->loss_step;
  g_autofree char *left = ls_number_text (losses[0], 3), *right = ls_number_text (losses[1], 3),
                  *of = ls_number_count (a->loss_step), *and_of = ls_number_count (b->loss_step);

  words[0] = !both       ? g_strdup (a->steps > 0 ? left : right)
             : !one_step ? g_strdup_printf (_("%s (step %s), %s (step %s)"), left, of, right, and_of)
             : g_strcmp0 (left, right) == 0 ? g_strdup_printf (_("%s on both"), left)
                                            : g_strdup_printf (_("%s and %s"), left, right);
  if (both && !one_step && ls_scene_width (layout->still, m->body, words[0]) > room)
    {
      g_free (words[0]);
      words[0] = g_strdup_printf (_("%s (step %s)"), left, of);
      words[1] = g_strdup_printf (_("%s (step %s)"), right, and_of);
      return TRUE;
    }
  words[1] = ls_agreement_brief (layout->data);
  if (words[1] != NULL && m->evidence + 6 + ls_scene_width (layout->still, m->label, words[1]) > room)
    g_clear_pointer (&words[1], g_free);
  return FALSE;
}

static void
hall_loss (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *sides = layout->data->sides;
  const double title_w = ls_scene_width (layout->still, m->strong, _("Loss")) + 3 * m->unit;
  char *words[2];
  const gboolean losses = hall_loss_words (layout, area.w - title_w, words);
  g_autofree char *first = words[0], *second = words[1];
  const LsType below = losses ? m->body : m->label;
  const double mark = losses ? 0 : m->evidence + 6,
               words_w = MAX (ls_scene_width (layout->still, m->body, first),
                              second != NULL ? ls_scene_width (layout->still, below, second) + mark : 0);
  const LsArea box = { area.x + title_w, area.y + area.h * .2, area.w - title_w - words_w - 4 * m->unit,
                       area.h * .6 };
  const double middle = area.y + area.h / 2, x = area.x + area.w - words_w;
  double low, high;

  ls_scene_text (layout->still, area.x, middle + m->strong.px * .36, m->strong, LS_INK_TEXT, LS_LEFT,
                 _("Loss"));
  loss_range (layout, &low, &high);
  if (box.w > 60 && high > 0)
    for (guint side = 0; side < LS_SIDES; side++)
      spark (layout, box, side, TRUE,
             ls_chart_line_width (&layout->style, sides[0].steps > 0 && sides[1].steps > 0, side),
             side == 0 && sides[1].steps > 0 ? .45 : 1, low, high);
  ls_item_number (
    ls_scene_text (layout->still, x, middle - m->body.px * .2, m->body, LS_INK_TEXT, LS_LEFT, first), -1,
    LS_NUMBER_LOSS);
  if (second == NULL)
    return;
  if (!losses)
    ls_scene_evidence (layout->still, x, middle + m->label.px * 1.1 - m->label.px * .36 - m->evidence / 2,
                       m->evidence, LS_EVIDENCE_DERIVED, LS_INK_QUIET);
  ls_item_number (ls_scene_text (layout->still, x + mark, middle + below.px * 1.1, below,
                                 losses ? LS_INK_TEXT : LS_INK_QUIET, LS_LEFT, second),
                  -1, losses ? LS_NUMBER_LOSS : LS_NUMBER_AGREEMENT);
}

static void
hall_rate (LsLayout *layout, LsArea area)
{
  const LsMetrics *m = &layout->m;
  const LsViewLane *lane = &layout->data->sides[ls_figure_stands (&layout->data->sides[0].rate) ? 0 : 1];
  g_autofree char *precision = ls_view_data_precision (layout->data);
  g_autofree char *first = g_strdup_printf (_("%s, batch %u"), precision, layout->data->batch);
  g_autofree char *second = ls_figure_stands (&lane->rate) ? ls_rate_condition (lane, LS_RATE_SHORT)
                                                           : g_strdup (_("not measured yet"));
  const double title_w = ls_scene_width (layout->still, m->strong, _("samples/s")) + 3 * m->unit;
  if (ls_figure_stands (&lane->rate) && title_w + ls_scene_width (layout->still, m->label, second) > area.w)
    {
      g_free (second);
      second = ls_rate_condition (lane, LS_RATE_BRIEF);
    }
  double words_w = MAX (ls_scene_width (layout->still, m->body, first),
                        ls_scene_width (layout->still, m->label, second));
  const gboolean brief = title_w + words_w > area.w; /* the second line needs the room of the title */
  words_w = brief ? ls_scene_width (layout->still, m->body, first) : words_w;
  const LsArea box = { area.x + title_w, area.y + area.h * .16, area.w - title_w - words_w - 4 * m->unit,
                       area.h * .66 };
  const double middle = area.y + area.h / 2, x = area.x + area.w - words_w;
  const double high = 1.15
                      * MAX (highest_rate (layout, box.w),
                             MAX (layout->data->sides[0].rate.value, layout->data->sides[1].rate.value));

  ls_scene_text (layout->still, area.x, middle + m->strong.px * .36, m->strong, LS_INK_TEXT, LS_LEFT,
                 _("samples/s"));
  if (box.w > 60 && high > 0)
    {
      for (guint side = 0; side < LS_SIDES; side++)
        spark (layout, box, side, FALSE, layout->style.data, 1, 0, high);
      ls_scene_segment (layout->still, box.x, box.y + box.h + 4, box.x + box.w, box.y + box.h + 4,
                        LS_INK_QUIET, layout->style.edge);
    }
  ls_scene_text (layout->still, x, middle + (brief ? .36 : -.2) * m->body.px, m->body, LS_INK_TEXT, LS_LEFT,
                 first);
  if (!brief)
    ls_scene_text (layout->still, x, middle + m->label.px * 1.1, m->label, LS_INK_QUIET, LS_LEFT, second);
}

/* px: a picture that is only low, since a bar stands above it, has room for two plots */
#define TWO_WIDE 1100.

/* One plot, its switch left of it: for a window that has room for no more. */
static void
one_plot (LsLayout *layout, LsArea strip)
{
  const LsMetrics *m = &layout->m;
  const double words = 46 * m->unit;
  const LsCurveKind kind = (LsCurveKind) MIN (layout->query.curves.kind, (guint) LS_CURVE_DELTA);

  ls_stage_slot (layout, LS_SLOT_PLOTS, -1, 0, strip.x + m->margin, strip.y + 2 * m->unit, words,
                 7 * m->unit);
  ls_text_wrapped (layout->still, strip.x + m->margin, strip.y + 10 * m->unit, words, m->tick, LS_INK_QUIET,
                   ls_chart_subtitle (layout->data, kind, FALSE, FALSE), TRUE);
  ls_chart_curve (layout,
                  (LsArea){ strip.x + m->margin + words + 4 * m->unit, strip.y + 2 * m->unit,
                            strip.w - 2 * m->margin - words - 4 * m->unit, strip.h - 4 * m->unit },
                  kind, LS_CHART_UNTITLED);
}

static void
three_plots (LsLayout *layout, LsArea strip)
{
  static const LsCurveKind kinds[] = { LS_CURVE_LOSS, LS_CURVE_DELTA, LS_CURVE_RATE };
  static const double widths[] = { .39, .2, .41 };
  const LsMetrics *m = &layout->m;
  const double w = strip.w - 2 * m->margin - 2 * m->gutter;
  double x = strip.x + m->margin;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      ls_chart_curve (layout, (LsArea){ x, strip.y + 2 * m->unit, w * widths[i], strip.h - 4 * m->unit },
                      kinds[i], LS_CHART_PLAIN);
      x += w * widths[i] + m->gutter;
    }
}

LsArea
ls_stage_strip (LsLayout *layout, LsArea area, gboolean three)
{
  const LsMetrics *m = &layout->m;
  static const LsCurveKind plots[2][LS_SIDES] = { { LS_CURVE_LOSS, LS_CURVE_RATE },
                                                  { LS_CURVE_DELTA, LS_CURVE_ACCURACY } };
  const double h = m->strip_h, y = area.y + area.h - h;
  const LsArea strip = { area.x, y, area.w, h };
  LsScene *s = layout->still;

  ls_scene_box (s, area.x, y, area.w, h, m->projector ? LS_INK_SIDEBAR : LS_INK_VIEW, 0);
  ls_scene_box (s, area.x, y, area.w, layout->style.hairline, LS_INK_EDGE, 0);
  area.h -= h;
  if (!m->projector && m->size == LS_SIZE_SMALL && !layout->query.chrome
      && area.w < TWO_WIDE * layout->style.text_scale)
    one_plot (layout, strip);
  else if (!m->projector && m->size == LS_SIZE_LARGE && three && layout->query.curves.part == LS_STRIP_ALONE
           && layout->data->sides[0].steps > 0 && layout->data->sides[1].steps > 0)
    three_plots (layout, strip);
  else
    for (guint side = 0; side < LS_SIDES; side++)
      {
        LsArea lane = ls_stage_lane (layout, strip, side);
        if (m->projector)
          {
            side == 0 ? hall_loss (layout, lane) : hall_rate (layout, lane);
            continue;
          }
        lane.y += 2 * m->unit;
        lane.h -= 4 * m->unit;
        ls_chart_curve (layout, lane, plots[layout->query.curves.part == LS_STRIP_RIGHT][side],
                        LS_CHART_PLAIN);
      }
  return area;
}
