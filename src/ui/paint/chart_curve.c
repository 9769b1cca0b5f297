/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves by step: the losses of both lanes on top of each other, the rates, the difference of the losses. With more steps
 * than pixels a curve is the median of a few pixels' steps over the faint band of all of them, so that no spike is lost.
 */
#include "config.h"
#include "ui/paint/view.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/axis.h"
#include "ui/paint/decimate.h"
#include "ui/paint/number.h"

typedef struct {
  LsLayout *layout;
  LsScene *s;
  LsCurveKind kind;
  LsAxis x, y;
  guint64 n;              /* steps of the longer lane */
  double scale;           /* of the rate's unit: 1, 1e3, 1e6 */
  double left, right, top, bottom;
  LsColumn *columns[LS_SIDES];
  guint n_columns[LS_SIDES];
} Chart;

static const LsViewLane *
side_of (const Chart *c, guint side)
{
  return &c->layout->data->sides[side];
}

static LsSeries
series_of (const Chart *c, guint side)
{
  static const LsQuantity quantities[] = {
    [LS_CURVE_LOSS] = LS_QUANTITY_LOSS, [LS_CURVE_RATE] = LS_QUANTITY_RATE, [LS_CURVE_DELTA] = LS_QUANTITY_DELTA,
  };

  return (LsSeries){ quantities[c->kind], side_of (c, side), side_of (c, 1 - side), c->layout->data->batch };
}

static double
value_at (const Chart *c, guint side, guint64 i)
{
  const LsSeries series = series_of (c, side);

  return ls_series_value (&series, i);
}

static guint64
steps_of (const Chart *c, guint side)
{
  const LsSeries series = series_of (c, side);

  return c->kind == LS_CURVE_DELTA && side > 0 ? 0 : ls_series_length (&series);
}

/* One column of a few pixels, or of one step where there are fewer. */
static void
make_columns (Chart *c, guint side)
{
  const double pixels = (c->right - c->left) / (c->kind == LS_CURVE_RATE ? 3 : 2);
  const guint64 steps = steps_of (c, side);
  const LsSeries series = series_of (c, side);

  c->n_columns[side] = (guint) MAX (1, MIN ((double) steps, pixels * (double) steps / MAX (1, (double) c->n)));
  c->columns[side] = g_new (LsColumn, c->n_columns[side]);
  ls_decimate_steps (&series, 0, steps, c->n_columns[side], c->columns[side]);
}

static void
find_range (Chart *c, double *low, double *high)
{
  *low = HUGE_VAL;
  *high = -HUGE_VAL;
  for (guint side = 0; side < LS_SIDES; side++)
    for (guint i = 0; i < c->n_columns[side]; i++)
      {
        const LsColumn *column = &c->columns[side][i];
        if (isnan (column->low) || (c->kind == LS_CURVE_LOSS && column->low <= 0))
          continue;
        *low = MIN (*low, c->kind == LS_CURVE_RATE ? column->middle / c->scale : column->low);
        *high = MAX (*high, c->kind == LS_CURVE_RATE ? column->middle / c->scale : column->high);
      }
}

static double
step_x (const Chart *c, double i)
{
  return ls_axis_at (&c->x, i);
}

static double
column_x (const Chart *c, const LsColumn *column)
{
  return step_x (c, (double) (column->from + column->end + 1) / 2);
}

/* The next columns that have a value, without a gap between them: from *from on, which becomes the end of theirs. How many.
 * A lane that was retried hasn't done some steps. */
static guint
next_piece (const Chart *c, guint side, guint *from)
{
  const LsColumn *columns = c->columns[side];
  const guint n = c->n_columns[side];
  guint end;

  while (*from < n && !isfinite (columns[*from].middle))
    ++*from;
  for (end = *from; end < n && isfinite (columns[end].middle); end++)
    ;
  end -= *from;
  *from += end;
  return end;
}

static void
line_begin (const Chart *c, guint side, double width, double alpha)
{
  LsItem *line = ls_scene_path (c->s, c->kind == LS_CURVE_DELTA ? LS_ITEM_DOTS : LS_ITEM_LINE,
                                c->kind == LS_CURVE_DELTA ? LS_INK_QUIET : LS_INK_MARK, side, width);

  line->alpha = (float) alpha;
  line->evidence = c->kind == LS_CURVE_DELTA ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MEASURED;
}

static void
trace (const Chart *c, guint side, double width, double alpha)
{
  guint n, end = 0;

  line_begin (c, side, width, alpha);
  for (gboolean first = TRUE; (n = next_piece (c, side, &end)) > 0; first = FALSE)
    {
      if (!first && c->kind != LS_CURVE_DELTA)
        line_begin (c, side, width, alpha);
      for (const LsColumn *column = &c->columns[side][end - n]; column < &c->columns[side][end]; column++)
        ls_scene_point (c->s, column_x (c, column), ls_axis_at (&c->y, column->middle / c->scale));
    }
}

/* All steps as a faint band behind their medians. */
static void
band (const Chart *c, guint side)
{
  guint n, end = 0;

  if (steps_of (c, side) < 2 * (guint64) c->n_columns[side])
    return;
  while ((n = next_piece (c, side, &end)) > 0)
    {
      const LsColumn *columns = &c->columns[side][end - n];
      ls_scene_path (c->s, LS_ITEM_AREA, LS_INK_MARK, side, 0)->alpha = .16f;
      for (guint k = 0; k < 2 * n; k++)
        {
          const LsColumn *column = &columns[k < n ? k : 2 * n - 1 - k];
          ls_scene_point (c->s, column_x (c, column), ls_axis_at (&c->y, (k < n ? column->high : column->low) / c->scale));
        }
    }
}

static void
draw_axes (const Chart *c)
{
  const LsMetrics *m = &c->layout->m;

  for (guint i = 0; i < c->y.n_ticks; i++)
    {
      const double v = c->y.ticks[i], y = ls_axis_at (&c->y, v);
      g_autofree char *text = c->kind == LS_CURVE_DELTA ? ls_number_power (v) : ls_number_tick (v);

      ls_scene_segment (c->s, c->left, y, c->right, y, v == 0 ? LS_INK_QUIET : LS_INK_HAIRLINE, c->layout->style.hairline);
      ls_scene_text (c->s, c->left - 2 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, text);
    }
  double last = 0;

  for (guint i = 0; i < c->x.n_ticks; i++)
    {
      const double x = step_x (c, c->x.ticks[i]);
      g_autofree char *count = ls_number_count ((guint64) c->x.ticks[i]);
      g_autofree char *text = i == 0 ? g_strdup_printf (_("step %s"), count) : g_strdup (count);
      const double width = ls_scene_width (c->s, m->tick, text);

      if (c->x.ticks[i] != floor (c->x.ticks[i]))
        continue;
      if (i > 0 && (x + width / 2 > c->right || x - width / 2 < last + 8))
        continue;
      last = i == 0 ? c->left + width : x + width / 2;
      ls_scene_segment (c->s, x, c->bottom, x, c->bottom + 4, LS_INK_QUIET, c->layout->style.hairline);
      ls_scene_text (c->s, i == 0 ? c->left : x, c->bottom + 4 + m->tick.px, m->tick, LS_INK_QUIET,
                     i == 0 ? LS_LEFT : LS_CENTER, text);
    }
}

/* A lane that stopped: its curve ends with a bar. */
static void
draw_stop (const Chart *c, guint side, double x, double y)
{
  const LsLaneState state = side_of (c, side)->state;

  if (side_of (c, side)->there && (state == LS_LANE_FAILED || state == LS_LANE_HUNG))
    ls_scene_box (c->s, x - 2, y - 7, 4, 14, LS_INK_MARK, side);
}

static void
loss_labels (const Chart *c)
{
  const LsMetrics *m = &c->layout->m;
  const LsType bold = { m->label.px, 700 };
  const double line = m->label.px * 1.3, x = c->right + 14;
  const gboolean both = steps_of (c, 0) > 0 && steps_of (c, 1) == steps_of (c, 0);
  g_autofree char *first = NULL, *second = NULL;
  double y, last = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    if (steps_of (c, side) > 0)
      {
        last = ls_axis_at (&c->y, value_at (c, side, steps_of (c, side) - 1));
        ls_scene_path (c->s, LS_ITEM_DOTS, LS_INK_MARK, side, side == 0 ? 12 : 6);
        ls_scene_point (c->s, step_x (c, (double) steps_of (c, side)), last);
        draw_stop (c, side, step_x (c, (double) steps_of (c, side)), last);
      }
  y = CLAMP (last, c->top + line * .8, MAX (c->bottom - 1.2 * line, c->top + line * .8));
  first = steps_of (c, 0) > 0 ? ls_number_text (value_at (c, 0, steps_of (c, 0) - 1), 4) : NULL;
  second = steps_of (c, 1) > 0 ? ls_number_text (value_at (c, 1, steps_of (c, 1) - 1), 4) : NULL;
  if (both && g_strcmp0 (first, second) == 0)
    {
      g_autofree char *text = g_strdup_printf (_("%s both"), first);
      g_autofree char *power = ls_number_power (fabs (value_at (c, 0, c->n - 1) - value_at (c, 1, c->n - 1)));
      g_autofree char *delta = g_strdup_printf ("|Δ| %s", power);

      ls_scene_text (c->s, x, y, bold, LS_INK_TEXT, LS_LEFT, text);
      ls_scene_evidence (c->s, x, y + line - m->label.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_DERIVED, LS_INK_QUIET);
      ls_scene_text (c->s, x + m->evidence + 5, y + line, m->label, LS_INK_QUIET, LS_LEFT, delta);
      return;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    if ((side == 0 ? first : second) != NULL)
      {
        g_autofree char *text = g_strdup_printf ("%s %s", side == 0 ? _("CPU") : "OpenCL", side == 0 ? first : second);
        ls_scene_text (c->s, x, y, bold, LS_INK_LANE, LS_LEFT, text)->value = (float) side;
        y += line;
      }
}

static void
rate_labels (const Chart *c)
{
  const LsMetrics *m = &c->layout->m;
  const LsType bold = { m->label.px, 700 };
  const double line = m->label.px * 1.35;
  double y[LS_SIDES] = { c->bottom, c->bottom };

  for (guint side = 0; side < LS_SIDES; side++)
    if (side_of (c, side)->rate.n > 0)
      y[side] = ls_axis_at (&c->y, side_of (c, side)->rate.value / c->scale);
  if (fabs (y[0] - y[1]) < line && side_of (c, 0)->rate.n > 0 && side_of (c, 1)->rate.n > 0)
    {
      const double middle = CLAMP ((y[0] + y[1]) / 2, c->top + line / 2, c->bottom - line / 2);
      const guint upper = y[0] <= y[1] ? 0 : 1;
      y[upper] = middle - line / 2;
      y[1 - upper] = middle + line / 2;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autofree char *rate = ls_number_scaled (side_of (c, side)->rate.value);
      g_autofree char *text = g_strdup_printf ("%s %s", side == 0 ? _("CPU") : "OpenCL", rate);
      if (steps_of (c, side) > 0)
        draw_stop (c, side, step_x (c, (double) steps_of (c, side)), y[side]);
      if (side_of (c, side)->rate.n > 0)
        ls_scene_text (c->s, c->right + 12, y[side] + m->label.px * .36, bold, LS_INK_LANE, LS_LEFT, text)->value = (float) side;
    }
}

static void
draw_title (Chart *c, LsArea area)
{
  static const char *const titles[] = { N_("Loss"), N_("Throughput"), N_("|Δ| of the losses") };
  const LsMetrics *m = &c->layout->m;
  const char *unit = c->scale >= 1e6   ? _("million samples per second")
                     : c->scale >= 1e3 ? _("thousand samples per second")
                                       : _("samples per second");
  const gboolean both = steps_of (c, 0) > 0 && steps_of (c, 1) > 0;
  const char *subtitle = c->kind == LS_CURVE_LOSS ? (both ? _("both lanes, every step") : _("every step")) : c->kind == LS_CURVE_RATE ? unit : "";
  const double base = area.y + m->heading.px;
  double x = area.x;

  if (c->kind == LS_CURVE_DELTA)
    {
      ls_scene_evidence (c->s, x, base - m->heading.px * .36 - m->evidence / 2, m->evidence, LS_EVIDENCE_DERIVED, LS_INK_QUIET);
      x += m->evidence + 6;
    }
  x = ls_item_right (ls_scene_text (c->s, x, base, m->heading, LS_INK_TEXT, LS_LEFT, gettext (titles[c->kind]))) + 10;
  if (x + ls_scene_width (c->s, m->label, subtitle) < area.x + area.w && *subtitle)
    ls_scene_text (c->s, x, base, m->label, LS_INK_QUIET, LS_LEFT, subtitle);
}

void
ls_chart_curve (LsLayout *layout, LsArea area, LsCurveKind kind)
{
  const LsMetrics *m = &layout->m;
  Chart c = { .layout = layout, .s = layout->still, .kind = kind, .scale = 1 };
  const double labels = kind == LS_CURVE_DELTA ? m->unit * 2 : ls_scene_width (c.s, (LsType){ m->label.px, 700 }, "OpenCL 0.00000") + 16;
  double low, high, fastest = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      c.n = MAX (c.n, steps_of (&c, side));
      fastest = MAX (fastest, side_of (&c, side)->rate.value);
    }
  c.scale = kind != LS_CURVE_RATE ? 1 : fastest >= 2e6 ? 1e6 : fastest >= 2e3 ? 1e3 : 1;
  c.left = area.x + ls_scene_width (c.s, m->tick, kind == LS_CURVE_DELTA ? "0×10⁻⁰" : "0000") + 2 * m->unit;
  c.right = area.x + area.w - labels;
  c.top = area.y + m->heading.px * 1.25 + m->tick.px * .55;
  c.bottom = area.y + area.h - m->tick.px - 8;
  draw_title (&c, area);
  if (c.n == 0)
    {
      ls_scene_segment (c.s, c.left, c.bottom, c.right, c.bottom, LS_INK_QUIET, layout->style.hairline);
      ls_scene_text (c.s, (c.left + c.right) / 2, (c.top + c.bottom) / 2, m->label, LS_INK_QUIET, LS_CENTER, _("no step yet"));
      return;
    }
  for (guint side = 0; side < LS_SIDES; side++)
    if (steps_of (&c, side) > 0)
      make_columns (&c, side);
  find_range (&c, &low, &high);
  ls_axis_init (&c.x, 0, (double) c.n, c.left, c.right, FALSE, MAX (2, (guint) ((c.right - c.left) / 160)));
  if (kind == LS_CURVE_RATE)
    ls_axis_init (&c.y, 0, high * 1.08, c.bottom, c.top, FALSE, MAX (2, (guint) ((c.bottom - c.top) / (m->tick.px * 2.6))));
  else
    ls_axis_init (&c.y, low / 1.1, high * 1.1, c.bottom, c.top, TRUE, MAX (2, (guint) ((c.bottom - c.top) / (m->tick.px * 2.2))));
  draw_axes (&c);
  /* Both lanes in the same bins: where they coincide the lines do. */
  for (guint side = 0; side < LS_SIDES; side++)
    if (steps_of (&c, side) > 0 && kind != LS_CURVE_DELTA)
      {
        const gboolean under = kind == LS_CURVE_LOSS && side == 0 && steps_of (&c, 1) > 0;
        band (&c, side);
        trace (&c, side, under ? layout->style.underlay : layout->style.data, under ? .45 : 1);
      }
  if (kind == LS_CURVE_DELTA)
    trace (&c, 0, 3, 1);
  if (kind == LS_CURVE_LOSS)
    loss_labels (&c);
  else if (kind == LS_CURVE_RATE)
    rate_labels (&c);
  for (guint side = 0; side < LS_SIDES; side++)
    g_free (c.columns[side]);
}
