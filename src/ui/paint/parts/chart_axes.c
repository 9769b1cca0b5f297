/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands round a curve: its title and unit, ticks and grid; and how its values are written.
 */
#include "config.h"
#include "ui/paint/parts/chart.h"
#include "ui/paint/parts/coming.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define SHOWN_WORDS_H 150 /* px: a lower plot has no room for them */

char *
ls_chart_value_text (LsCurveKind kind, double value)
{
  g_autofree char *percent = NULL;

  switch (kind)
    {
    case LS_CURVE_RATE:
      return ls_number_scaled (value);
    case LS_CURVE_DELTA:
      return ls_number_power (value);
    case LS_CURVE_ACCURACY:
      percent = ls_number_text (100 * value, 3);
      return g_strdup_printf (_("%s %%"), percent);
    case LS_CURVE_LOSS:
    case LS_CURVE_N:
      break;
    }
  return ls_number_text (value, 3); /* as in the heads */
}

LsNumber
ls_chart_number (LsCurveKind kind)
{
  static const LsNumber numbers[] = { LS_NUMBER_LOSS, LS_NUMBER_RATE, LS_NUMBER_DELTA, LS_NUMBER_ACCURACY };

  return numbers[kind];
}

const char *
ls_chart_name (LsCurveKind kind)
{
  static const char *const names[] = { N_("Loss"), N_("Throughput"), N_("losses differ by"),
                                       N_("Test accuracy") };

  return gettext (names[kind]);
}

const char *
ls_chart_subtitle (const LsViewData *data, LsCurveKind kind, gboolean all, gboolean brief)
{
  const gboolean both = data->sides[0].steps > 0 && data->sides[1].steps > 0;
  const double scale = ls_chart_rate_scale (data);

  if (kind == LS_CURVE_RATE && !brief)
    return scale >= 1e6   ? _("million samples/s, median of 61 steps over single ones")
           : scale >= 1e3 ? _("thousand samples/s, median of 61 steps over single ones")
                          : _("samples/s, median of 61 steps over single ones");

  switch (kind)
    {
    case LS_CURVE_LOSS:
      return !both ? _("every step") : all ? _("all lanes, every step") : _("both lanes, every step");
    case LS_CURVE_RATE:
      return scale >= 1e6   ? _("million samples per second")
             : scale >= 1e3 ? _("thousand samples per second")
                            : _("samples per second");
    case LS_CURVE_ACCURACY:
      return _("after each epoch");
    case LS_CURVE_DELTA:
      return _("between both lanes, every step");
    case LS_CURVE_N:
      break;
    }
  return "";
}

/* Round steps; whole epochs where it is known how long one is. */
void
ls_chart_init_x (LsChart *c)
{
  const guint most = MAX (3, (guint) ((c->right - c->left) / (9 * c->layout->m.tick.px)));
  const double epoch = c->seconds ? 0 : (double) c->layout->data->steps_per_epoch;
  static const double multiples[] = { 1, 2, 5 };

  ls_axis_init (&c->x, 0, c->extent, c->left, c->right, FALSE, most);
  if (epoch <= 0 || c->extent < epoch)
    return;
  for (double power = 1; power < 1e12; power *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (multiples); i++)
      {
        const double step = epoch * multiples[i] * power;
        if (floor (c->extent / step) + 1 > MIN (most, LS_MAX_TICKS))
          continue;
        c->x.n_ticks = 0;
        for (double k = 0; k * step <= c->extent && c->x.n_ticks < LS_MAX_TICKS; k++)
          c->x.ticks[c->x.n_ticks++] = k * step;
        return;
      }
}

void
ls_chart_axes (const LsChart *c)
{
  const LsMetrics *m = &c->layout->m;
  double last = 0;
  guint n = 0;

  for (guint i = 0; i < c->y.n_ticks; i++)
    {
      const double v = c->y.ticks[i], y = ls_axis_at (&c->y, v);
      g_autofree char *percent = c->kind == LS_CURVE_ACCURACY ? ls_number_tick (round (v * 1000) / 10) : NULL;
      g_autofree char *text = percent != NULL && (c->parts & LS_CHART_STACKED) ? g_strdup (percent)
                              : percent != NULL ? g_strdup_printf (_("%s %%"), percent)
                              : v < (c->kind == LS_CURVE_DELTA ? .01 : 1e-3) || v >= 1e6
                                ? ls_number_power_tick (v)
                                : ls_number_tick (v);

      ls_scene_segment (c->s, c->left, y, c->right, y, v == 0 ? LS_INK_QUIET : LS_INK_HAIRLINE,
                        c->layout->style.hairline);
      /* a long one stands nearer to the line before it leaves the picture */
      ls_scene_text (c->s, MAX (c->left - 2 * m->unit, ls_scene_width (c->s, m->tick, text)),
                     y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, text);
    }
  for (guint i = 0; i < c->x.n_ticks; i++)
    {
      const double x = ls_axis_at (&c->x, c->x.ticks[i]);
      g_autofree char *count = c->seconds ? ls_number_tick (c->x.ticks[i])
                                          : ls_number_count ((guint64) c->x.ticks[i]);
      g_autofree char *text = i > 0 ? g_strdup (count)
                                    : g_strdup_printf (c->seconds ? _("%s s") : _("step %s"), count);
      const double width = ls_scene_width (c->s, m->tick, text);

      if (!c->seconds && c->x.ticks[i] != floor (c->x.ticks[i]))
        continue;
      const double most = c->right - width;
      double left = i == 0 ? c->left : x - width / 2;

      /* the first number alone doesn't tell the axis's scale: a second one at its very end is moved into the
       * plot */
      if (n == 1 && i + 1 == c->x.n_ticks)
        left = MIN (left, most);
      if (i > 0 && (left < last + 8 || left > most))
        continue;
      n++;
      last = left + width;
      ls_scene_segment (c->s, x, c->bottom, x, c->bottom + 4, LS_INK_QUIET, c->layout->style.hairline);
      if (c->parts & LS_CHART_NO_STEPS)
        continue;
      ls_scene_text (c->s, i == 0 ? left : left + width / 2, c->bottom + 4 + m->tick.px, m->tick,
                     LS_INK_QUIET, i == 0 ? LS_LEFT : LS_CENTER, text);
    }
}

void
ls_chart_title (const LsChart *c, LsArea area)
{
  const LsMetrics *m = &c->layout->m;
  const double base = area.y + m->heading.px;
  double x = area.x;
  gboolean all = FALSE;

  if (c->parts & LS_CHART_UNTITLED)
    return;
  if (c->kind == LS_CURVE_DELTA)
    {
      ls_scene_evidence (c->s, x, base - m->heading.px * .36 - m->evidence / 2, m->evidence,
                         LS_EVIDENCE_DERIVED, LS_INK_QUIET);
      x += m->evidence + 6;
    }
  x = ls_item_right (ls_scene_text (c->s, x, base, m->heading, LS_INK_TEXT, LS_LEFT, ls_chart_name (c->kind)))
      + 10;
  for (guint i = 0; i < c->n_lines; i++)
    all |= c->lines[i].side >= LS_SIDES;
  for (guint brief = 0; brief < 2; brief++)
    {
      const char *subtitle = ls_chart_subtitle (c->layout->data, c->kind, all, brief > 0);
      if (x + ls_scene_width (c->s, m->label, subtitle) >= area.x + area.w)
        continue;
      ls_scene_text (c->s, x, base, m->label, LS_INK_QUIET, LS_LEFT, subtitle);
      return;
    }
}

void
ls_chart_shown_step (const LsChart *c)
{
  const LsViewData *data = c->layout->data;
  const guint64 step = data->recording != NULL ? data->recording->step : 0;
  double x = (double) step;

  if (ls_lane_coming (&data->sides[0]) || ls_lane_coming (&data->sides[1])) /* its first steps have no past
                                                                               yet */
    return;
  if (!data->live || step == 0 || c->layout->m.projector || step > data->sides[0].steps)
    return;
  if (c->seconds)
    {
      const LsSeries series = { LS_CURVE_LOSS, &data->sides[0], &data->sides[1], data->batch };
      x = ls_series_second (&series, step - 1);
    }
  if (!isfinite (x) || x > .98 * c->extent)
    return;
  x = ls_axis_at (&c->x, x);
  ls_scene_segment (c->s, x, c->top, x, c->bottom, LS_INK_QUIET, c->layout->style.hairline);
  if (c->bottom - c->top < SHOWN_WORDS_H || c->kind != LS_CURVE_LOSS)
    return;
  for (guint i = 0; i < c->n_lines; i++)
    if (c->lines[i].run != NULL) /* whose names stand among the curves */
      return;
  for (guint side = 0; side < LS_SIDES && c->layout->m.size == LS_SIZE_SMALL; side++)
    if (data->sides[side].stopped_at > 0) /* whose words stand here */
      return;
  g_autofree char *count = ls_number_count (step), *words = g_strdup_printf (_("shown: step %s"), count);
  const double width = ls_scene_width (c->s, c->layout->m.tick, words);
  if (x + 6 + width < c->right)
    ls_scene_text (c->s, x + 6, c->top + c->layout->m.tick.px, c->layout->m.tick, LS_INK_QUIET, LS_LEFT,
                   words);
}
