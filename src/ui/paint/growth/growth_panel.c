/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plot of a sweep. On a logarithmic axis a value is a position, never a bar.
 */
#include "config.h"
#include "ui/paint/growth/growth.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/scene/number.h"
#include "ui/paint/scene/spread.h"

#define LEFT  64.0  /* of the numbers beside the axis */
#define RIGHT 156.0 /* of the names at the lines' ends: a longer language's, too */
#define PAD   1.15  /* beyond the least and the greatest value, as a factor */

static const struct {
  const char *title, *axis;
} words[LS_SWEEP_N] = {
  [LS_SWEEP_BATCH] = { N_("Batch"), N_("samples in a step") },
  [LS_SWEEP_WIDTH] = { N_("Width"), N_("units of each hidden layer, N") },
  [LS_SWEEP_THREADS] = { N_("Threads"), N_("threads; OpenCL: compute units") },
  [LS_SWEEP_EVENTS] = { N_("Events"),
                        N_("events of a recorded step; thin: the steps between, unrecorded") },
};

typedef struct {
  const LsGrowthPanel *p;
  LsAxis x, y;
  double left, right, top, bottom;
} Plot;

static const LsSweepPoint *
point (const Plot *plot, guint lane, guint i)
{
  return &g_array_index (plot->p->sweep->points[lane], LsSweepPoint, i);
}

static guint
count (const Plot *plot, guint lane)
{
  return plot->p->sweep->points[lane]->len;
}

static void
widen (double value, double *low, double *high)
{
  if (value > 0)
    {
      *low = MIN (*low, value);
      *high = MAX (*high, value);
    }
}

/* FALSE: there is no point. */
static gboolean
make_axes (Plot *plot)
{
  double x0 = G_MAXDOUBLE, x1 = 0, y0 = G_MAXDOUBLE, y1 = 0;

  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    for (guint i = 0; i < count (plot, lane); i++)
      {
        const LsSweepPoint *p = point (plot, lane, i);
        widen (p->x, &x0, &x1);
        widen (p->rate.q1, &y0, &y1);
        widen (p->rate.q3, &y0, &y1);
        if (p->plain.n > 0)
          widen (p->plain.value, &y0, &y1);
      }
  if (x1 <= 0 || y1 <= 0)
    return FALSE;
  /* Where little changes, the axis still shows how little. */
  if (y1 < 10 * y0)
    {
      y0 /= 2;
      y1 *= 2;
    }
  ls_axis_init (&plot->x, x0 / PAD, x1 * PAD, plot->left, plot->right, TRUE, 12);
  ls_axis_init (&plot->y, y0 / PAD, y1 * PAD, plot->bottom, plot->top, TRUE, 9);
  return TRUE;
}

/* "10 k" and not "10.0 k": ticks are round. */
static char *
tick_text (double value)
{
  const gboolean millions = value >= 1e6, thousands = value >= 1e3;
  g_autofree char *number = ls_number_tick (millions ? value / 1e6 : thousands ? value / 1e3 : value);

  return g_strconcat (number, millions ? "\xc2\xa0M" : thousands ? "\xc2\xa0k" : "", NULL);
}

static void
draw_axes (const Plot *plot)
{
  LsScene *s = plot->p->s;
  const LsMetrics *m = plot->p->m;
  double last = -G_MAXDOUBLE;

  for (guint i = 0; i < plot->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&plot->y, plot->y.ticks[i]);
      g_autofree char *text = tick_text (plot->y.ticks[i]);

      ls_scene_segment (s, plot->left, y, plot->right, y, LS_INK_HAIRLINE, s->style->hairline);
      ls_scene_text (s, plot->left - 8, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, text);
    }
  ls_scene_segment (s, plot->left, plot->bottom, plot->right, plot->bottom, LS_INK_QUIET, s->style->hairline);
  for (guint i = 0; i < plot->x.n_ticks; i++)
    {
      const double x = ls_axis_at (&plot->x, plot->x.ticks[i]);
      g_autofree char *text = ls_number_count ((guint64) plot->x.ticks[i]);
      const double half = ls_scene_width (s, m->tick, text) / 2;

      if (plot->x.ticks[i] < 1 || x - half < last + 8)
        continue;
      last = x + half;
      ls_scene_segment (s, x, plot->bottom, x, plot->bottom + 4, LS_INK_QUIET, s->style->hairline);
      ls_scene_text (s, x, plot->bottom + 6 + m->tick.px, m->tick, LS_INK_QUIET, LS_CENTER, text);
    }
}

static void
draw_band (const Plot *plot, guint lane)
{
  LsScene *s = plot->p->s;
  const guint n = count (plot, lane);

  if (n < 2)
    return;
  ls_scene_path (s, LS_ITEM_AREA, LS_INK_MARK, lane, 0)->alpha = .16f;
  for (guint i = 0; i < n; i++)
    ls_scene_point (s, ls_axis_at (&plot->x, point (plot, lane, i)->x),
                    ls_axis_at (&plot->y, point (plot, lane, i)->rate.q3));
  for (guint i = n; i-- > 0;)
    ls_scene_point (s, ls_axis_at (&plot->x, point (plot, lane, i)->x),
                    ls_axis_at (&plot->y, point (plot, lane, i)->rate.q1));
}

static void
draw_path (const Plot *plot, guint lane, LsItemKind kind, double width, gboolean plain)
{
  LsScene *s = plot->p->s;
  LsItem *item = ls_scene_path (s, kind, LS_INK_MARK, lane, width);

  item->evidence = LS_EVIDENCE_MEASURED;
  item->side = (guint8) lane;
  for (guint i = 0; i < count (plot, lane); i++)
    {
      const LsSweepPoint *p = point (plot, lane, i);
      if (!plain || p->plain.n > 0)
        ls_scene_point (s, ls_axis_at (&plot->x, p->x),
                        ls_axis_at (&plot->y, plain ? p->plain.value : p->rate.value));
    }
}

static void
draw_lane (const Plot *plot, guint lane)
{
  const LsStyle *style = plot->p->s->style;
  const gboolean plain = plot->p->sweep->kind == LS_SWEEP_EVENTS;

  if (count (plot, lane) == 0)
    return;
  if (plain)
    draw_path (plot, lane, LS_ITEM_LINE, style->hairline, TRUE);
  if (count (plot, lane) > 1)
    draw_path (plot, lane, LS_ITEM_LINE, style->data, FALSE);
  draw_path (plot, lane, LS_ITEM_DOTS, 2 * style->data + 3, FALSE);
}

/* "CPU 308 k", right of the last point. */
static void
draw_labels (const Plot *plot)
{
  static const char *const names[LS_SWEEP_LANES] = { N_("CPU"), "OpenCL" };
  const LsType bold = { plot->p->m->label.px, 700 };
  double y[LS_SWEEP_LANES];
  guint lanes[LS_SWEEP_LANES], n = 0;

  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    if (count (plot, lane) > 0)
      {
        y[n] = ls_axis_at (&plot->y, point (plot, lane, count (plot, lane) - 1)->rate.value);
        lanes[n++] = lane;
      }
  if (n == 2 && y[1] < y[0])
    {
      const double held = y[0];
      y[0] = y[1];
      y[1] = held;
      lanes[0] = 1;
      lanes[1] = 0;
    }
  ls_spread (y, n, plot->p->m->label.px * 1.4, plot->top, plot->bottom);
  for (guint i = 0; i < n; i++)
    {
      const LsSweepPoint *last = point (plot, lanes[i], count (plot, lanes[i]) - 1);
      g_autofree char *value = ls_number_scaled (last->rate.value);
      g_autofree char *text = g_strdup_printf ("%s %s", gettext (names[lanes[i]]), value);

      ls_scene_text (plot->p->s, plot->right + 12, y[i] + bold.px * .36, bold, LS_INK_LANE, LS_LEFT, text)
        ->value
        = (float) lanes[i];
    }
}

void
ls_growth_panel (const LsGrowthPanel *panel)
{
  const LsMetrics *m = panel->m;
  const double base = panel->top + m->heading.px;
  Plot plot = { .p = panel,
                .left = panel->left + LEFT,
                .right = panel->left + panel->width - RIGHT,
                .top = base + 20,
                .bottom = panel->top + panel->height - 3.6 * m->tick.px };
  LsItem *title = ls_scene_text (panel->s, panel->left, base, m->heading, LS_INK_TEXT, LS_LEFT,
                                 gettext (words[panel->sweep->kind].title));

  ls_scene_text (panel->s, ls_item_right (title) + 10, base, m->label, LS_INK_QUIET, LS_LEFT,
                 panel->sweep->network);
  ls_scene_text (panel->s, (plot.left + plot.right) / 2, panel->top + panel->height - 4, m->tick,
                 LS_INK_QUIET, LS_CENTER, gettext (words[panel->sweep->kind].axis));
  if (!make_axes (&plot))
    {
      ls_scene_text (panel->s, plot.left, (plot.top + plot.bottom) / 2, m->body, LS_INK_QUIET, LS_LEFT,
                     _("Not measured."));
      return;
    }
  draw_axes (&plot);
  for (guint lane = 0; lane < LS_SWEEP_LANES; lane++)
    draw_band (&plot, lane);
  for (guint lane = LS_SWEEP_LANES; lane-- > 0;)
    draw_lane (&plot, lane);
  draw_labels (&plot);
}
