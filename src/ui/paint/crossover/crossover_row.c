/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rates of one row of the map against the batch, and where they cross.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"
#include "ui/paint/scene/spread.h"

typedef struct {
  const LsCross *c;
  guint row;
  LsAxis x, y;
  double left, right, top, bottom;
  double end; /* x that no label passes */
} Plot;

static const LsLabPoint *
point (const Plot *plot, guint side, guint col)
{
  const guint lane = ls_cross_lane (plot->c, side);

  return plot->c->result != NULL && lane < plot->c->result->specs->len
           ? ls_lab_result_point (plot->c->result, lane, ls_cross_spot (plot->c, col, plot->row))
           : NULL;
}

static guint
count (const Plot *plot, guint side)
{
  guint n = 0;

  for (guint col = 0; col < plot->c->n_x; col++)
    n += point (plot, side, col) != NULL;
  return n;
}

/* The picked cell's row; else one's own; else the one with most points. */
static guint
choose_row (Plot *plot)
{
  const LsCross *c = plot->c;
  guint best = 0, most = 0;

  if (c->asked->picked && c->asked->row < c->n_y)
    return c->asked->row;
  for (guint row = 0; row < c->n_y; row++)
    {
      plot->row = row;
      const guint n = count (plot, 0) + count (plot, 1);
      if (c->own.x > 0 && c->ys[row] == c->own.y && n >= 4)
        return row;
      if (n > most)
        {
          most = n;
          best = row;
        }
    }
  return best;
}

/* The first size at which both are equal: where it was measured, or between two neighbours of which another
 * lane is faster, on a straight line of their ratio's logarithm; 0: they don't cross. */
static double
crossing (const Plot *plot)
{
  double before_x = 0, before = 0;

  for (guint col = 0; col < plot->c->n_x; col++)
    {
      const LsLabPoint *a = point (plot, 0, col), *b = point (plot, 1, col);

      if (a == NULL || b == NULL)
        continue;
      const double now = log (b->rate.value / a->rate.value), x = log (a->x);
      if (before_x > 0 && before * now <= 0 && fabs (before - now) > 0)
        return exp (log (before_x) + (x - log (before_x)) * before / (before - now));
      before = now;
      before_x = a->x;
    }
  return 0;
}

static void
draw_side (const Plot *plot, guint side)
{
  LsScene *s = plot->c->layout->still;
  const LsStyle *style = &plot->c->layout->style;

  for (guint dots = 0; dots < 2; dots++)
    {
      LsItem *item = ls_scene_path (s, dots ? LS_ITEM_DOTS : LS_ITEM_LINE, LS_INK_MARK, side,
                                    dots ? 2 * style->data + 3 : style->hairline * 1.5);

      item->evidence = LS_EVIDENCE_MEASURED;
      item->side = (guint8) side;
      item->strong = TRUE;
      for (guint col = 0; col < plot->c->n_x; col++)
        {
          const LsLabPoint *p = point (plot, side, col);
          if (p != NULL)
            ls_scene_point (s, ls_axis_at (&plot->x, p->x), ls_axis_at (&plot->y, p->rate.value));
        }
    }
  for (guint col = 0; col < plot->c->n_x; col++)
    {
      const LsLabPoint *p = point (plot, side, col);
      if (p == NULL)
        continue;
      LsItem *bar = ls_scene_segment (s, ls_axis_at (&plot->x, p->x), ls_axis_at (&plot->y, p->rate.q1),
                                      ls_axis_at (&plot->x, p->x), ls_axis_at (&plot->y, p->rate.q3),
                                      LS_INK_MARK, style->data);
      bar->value = (float) side;
      bar->strong = TRUE;
    }
}

/* Its name and its last rate right of it. */
static void
labels (const Plot *plot)
{
  const LsMetrics *m = &plot->c->layout->m;
  LsScene *s = plot->c->layout->still;
  const LsType bold = { m->label.px, 700 };
  double y[LS_SIDES];
  guint sides[LS_SIDES], n = 0;
  const LsLabPoint *last[LS_SIDES] = { NULL };

  for (guint side = 0; side < LS_SIDES; side++)
    {
      for (guint col = 0; col < plot->c->n_x; col++)
        last[side] = point (plot, side, col) != NULL ? point (plot, side, col) : last[side];
      if (last[side] == NULL)
        continue;
      y[n] = ls_axis_at (&plot->y, last[side]->rate.value);
      sides[n++] = side;
    }
  if (n == 2 && y[0] > y[1])
    {
      const double held = y[0];
      y[0] = y[1];
      y[1] = held;
      sides[0] = 1;
      sides[1] = 0;
    }
  ls_spread (y, n, 1.35 * bold.px, plot->top, plot->bottom);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *rate = ls_number_scaled (last[sides[i]]->rate.value),
                      *text = g_strdup_printf ("%s %s", ls_cross_name (plot->c, sides[i]), rate);
      const char *const choices[] = { text, rate, NULL };
      const guint items = s->items->len;

      if (ls_text_fit (s, plot->right + 2 * m->unit, y[i] + bold.px * .36,
                       plot->end - plot->right - 2 * m->unit, bold, LS_INK_LANE, LS_LEFT, choices))
        ls_scene_get (s, items)->value = (float) sides[i];
    }
}

static void
axes (const Plot *plot)
{
  const LsMetrics *m = &plot->c->layout->m;
  LsScene *s = plot->c->layout->still;
  double free_from = plot->left - 8;

  for (guint i = 0; i < plot->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&plot->y, plot->y.ticks[i]);
      g_autofree char *text = ls_number_scaled (plot->y.ticks[i]);

      ls_scene_segment (s, plot->left, y, plot->right, y, i == 0 ? LS_INK_QUIET : LS_INK_HAIRLINE,
                        plot->c->layout->style.hairline);
      ls_scene_text (s, plot->left - 1.5 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT,
                     text);
    }
  for (guint col = 0; col < plot->c->n_x; col++)
    {
      g_autofree char *text = ls_number_count (plot->c->xs[col]);
      const double x = ls_axis_at (&plot->x, plot->c->xs[col]), half = ls_scene_width (s, m->tick, text) / 2;

      if (x - half < free_from)
        continue;
      free_from = x + half + 2 * m->unit;
      ls_scene_text (s, x, plot->bottom + m->tick.px * 1.4, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
  ls_scene_text (s, plot->right, plot->bottom + m->tick.px * 2.7, m->tick, LS_INK_QUIET, LS_RIGHT,
                 _(plot->c->experiment->column));
}

gboolean
ls_cross_row (const LsCross *c, LsArea area)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsType bold = { m->label.px, 700 };
  Plot plot = { .c = c,
                .top = area.y + m->heading.px * 2.2,
                .bottom = area.y + area.h - m->tick.px * 3.2,
                .end = area.x + area.w };
  double most = 0, names = 0;

  plot.row = choose_row (&plot);
  if (plot.bottom - plot.top < 9 * m->label.px || count (&plot, 0) + count (&plot, 1) < 2)
    return FALSE;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_autofree char *text = g_strdup_printf ("%s 9.99 M", ls_cross_name (c, side));
      names = MAX (names, ls_scene_width (s, bold, text));
      for (guint col = 0; col < c->n_x; col++)
        most = point (&plot, side, col) != NULL ? MAX (most, point (&plot, side, col)->rate.q3) : most;
    }
  plot.left = area.x + ls_scene_width (s, m->tick, "99.9 M") + 1.5 * m->unit;
  plot.right = area.x + area.w - names - 3 * m->unit;
  if (plot.right - plot.left < 12 * m->label.px)
    plot.right = area.x + area.w - ls_scene_width (s, bold, "9.99 M") - 3 * m->unit;
  g_autofree char *words = g_strdup_printf (_("%s %u, samples/s"), _(c->experiment->row), c->ys[plot.row]);
  ls_text_heading (
    s, m, area, area.y + m->heading.px,
    c->own.x > 0 && c->ys[plot.row] == c->own.y ? _("The row of your network") : _("One row"), words);
  ls_axis_init (&plot.x, c->xs[0], c->xs[c->n_x - 1], plot.left + 6, plot.right - 6, TRUE, LS_MAX_TICKS);
  ls_axis_init (&plot.y, 0, most, plot.bottom, plot.top, FALSE, 4);
  axes (&plot);
  const double at = crossing (&plot);
  if (at > 0)
    {
      const double x = ls_axis_at (&plot.x, at);
      g_autofree char *size = ls_number_text (at, at < 100 ? 2 : 3),
                      *text = g_strdup_printf (_("equal at %s %s"), _(c->experiment->column), size);
      const double w = ls_scene_width (s, m->label, text) + m->evidence + 3 * m->unit;

      ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, c->layout->style.hairline * 1.4)->strong = TRUE;
      ls_scene_point (s, x, plot.bottom);
      ls_scene_point (s, x, plot.top);
      ls_text_marked (s, m, x + w < plot.right ? x + m->unit : MAX (x - w, plot.left),
                      plot.top - m->label.px * .35, w + 2 * m->unit, LS_EVIDENCE_DERIVED, LS_INK_TEXT, text);
    }
  for (guint side = 0; side < LS_SIDES; side++)
    draw_side (&plot, side);
  labels (&plot);
  return TRUE;
}
