/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A panel's axes with their numbers, and the ideal.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include "core/number.h"

#define PAD    1.12 /* beyond the outermost dots of a logarithmic axis, as a factor */
#define TICKS  5    /* up, at most */
#define TICK_W 5.   /* across, from one to the next, in sizes */

static gboolean
across_is_log (const LsScalingPanel *panel)
{
  return panel->kind != LS_SCALING_THREADS
         && !(panel->kind == LS_SCALING_BATCH && panel->value == LS_SCALING_TIME);
}

static gboolean
up_is_log (const LsScalingPanel *panel)
{
  return panel->kind == LS_SCALING_WIDTH
         || (panel->kind == LS_SCALING_SIZE && panel->value == LS_SCALING_TIME);
}

static const LsScalingDot *
dot_of (const LsScalingLane *lane, guint i)
{
  return &g_array_index (lane->dots, LsScalingDot, i);
}

static guint
n_lanes (const LsScalingPanel *panel)
{
  return panel->result->specs->len;
}

/* The kernel that computes counts, too, where there is one. */
void
ls_scaling_axes (LsScalingPanel *panel)
{
  double x0 = G_MAXDOUBLE, x1 = 0, y0 = G_MAXDOUBLE, y1 = 0;
  const LsScalingLane *const all[] = { panel->lanes, panel->others };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint lane = 0; lane < n_lanes (panel) && all[k][lane].dots != NULL; lane++)
      for (guint i = 0; i < all[k][lane].dots->len; i++)
        {
          const LsScalingDot *d = dot_of (&all[k][lane], i);
          x0 = MIN (x0, d->x);
          x1 = MAX (x1, d->x);
          y0 = MIN (y0, d->low > 0 ? d->low : d->value);
          y1 = MAX (y1, panel->value == LS_SCALING_OF_BEST ? d->value : d->high);
        }
  for (guint lane = 0; lane < n_lanes (panel); lane++)
    for (guint i = 0; panel->lanes[lane].dots->len > 0 && i < panel->result->missing[lane]->len; i++)
      x1 = MAX (x1, ((const LsLabMissing *) panel->result->missing[lane]->pdata[i])->spot.x);
  if (panel->value == LS_SCALING_SPEED_UP)
    y1 = MAX (y1, x1);
  if (panel->value == LS_SCALING_OF_ROOF || panel->value == LS_SCALING_OF_BEST)
    y1 = MAX (y1, 100);
  if (across_is_log (panel))
    ls_axis_init (&panel->x, x0 / PAD, x1 * PAD, panel->left, panel->right, TRUE, LS_MAX_TICKS);
  else
    ls_axis_init (&panel->x, 0, x1, panel->left, panel->right, FALSE,
                  (guint) MAX (2, (panel->right - panel->left) / (TICK_W * panel->layout->m.tick.px)));
  if (up_is_log (panel))
    ls_axis_init (&panel->y, y0 / PAD, y1 * PAD, panel->bottom, panel->top, TRUE, TICKS);
  else
    ls_axis_init (&panel->y, 0, y1, panel->bottom, panel->top, FALSE, TICKS);
}

static char *
tick_text (const LsScalingPanel *panel, double tick)
{
  g_autofree char *brief = ls_number_brief (tick, 3);

  switch (panel->value)
    {
    case LS_SCALING_SPEED_UP:
      return g_strconcat (brief, tick > 0 ? "×" : "", NULL);
    case LS_SCALING_OF_ROOF:
    case LS_SCALING_OF_BEST:
      return g_strconcat (brief, tick > 0 ? " %" : "", NULL);
      case LS_SCALING_PER_S: {
        /* "10 k" and not "10.0 k": ticks are round */
        const gboolean millions = tick >= 1e6, thousands = tick >= 1e3;
        g_autofree char *number = ls_number_tick (millions ? tick / 1e6 : thousands ? tick / 1e3 : tick);
        return g_strconcat (number, millions ? "\xc2\xa0M" : thousands ? "\xc2\xa0k" : "", NULL);
      }
    default:
      return ls_number_tick (tick);
    }
}

/* As wide as the numbers beside the axis. */
double
ls_scaling_ticks_width (const LsScalingPanel *panel)
{
  LsScene *s = panel->layout->still;
  double width = 0;

  for (guint i = 0; i < panel->y.n_ticks; i++)
    {
      g_autofree char *text = tick_text (panel, panel->y.ticks[i]);
      width = MAX (width, ls_scene_width (s, panel->layout->m.tick, text));
    }
  return width;
}

static void
draw_up (const LsScalingPanel *panel)
{
  const LsMetrics *m = &panel->layout->m;
  LsScene *s = panel->layout->still;
  double above = G_MAXDOUBLE;

  for (guint i = 0; i < panel->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&panel->y, panel->y.ticks[i]);
      g_autofree char *text = tick_text (panel, panel->y.ticks[i]);

      ls_scene_segment (s, panel->left, y, panel->right, y, LS_INK_HAIRLINE, panel->layout->style.hairline);
      if (y + 1.2 * m->tick.px > above)
        continue;
      above = y;
      ls_scene_text (s, panel->left - 1.5 * m->unit, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT,
                     text);
    }
}

/* A tick at x, unless its number would touch what is there: *from … *to are taken. */
static void
draw_tick (const LsScalingPanel *panel, double value, double *to)
{
  const LsMetrics *m = &panel->layout->m;
  LsScene *s = panel->layout->still;
  g_autofree char *text = ls_number_count ((guint64) value);
  const double x = ls_axis_at (&panel->x, value), half = ls_scene_width (s, m->tick, text) / 2;

  /* the zero of the axis up stands beside it */
  if (value <= 0 || x - half < *to + 1.5 * m->unit || x - half < panel->area.x
      || x + half > panel->area.x + panel->area.w)
    return;
  *to = x + half;
  ls_scene_segment (s, x, panel->bottom, x, panel->bottom + m->unit, LS_INK_QUIET,
                    panel->layout->style.hairline);
  ls_scene_text (s, x, panel->bottom + m->unit + m->tick.px * 1.05, m->tick, LS_INK_QUIET, LS_CENTER, text);
}

static gint
compare_x (gconstpointer a, gconstpointer b)
{
  return ls_compare_doubles (a, b);
}

/* A logarithmic axis has its numbers at the sizes that were measured, of any lane. */
static void
draw_across (const LsScalingPanel *panel)
{
  g_autoptr (GArray) at = g_array_new (FALSE, FALSE, sizeof (double));
  double to = -G_MAXDOUBLE;

  ls_scene_segment (panel->layout->still, panel->left, panel->bottom, panel->right, panel->bottom,
                    LS_INK_QUIET, panel->layout->style.hairline);
  if (!panel->x.log && panel->kind != LS_SCALING_THREADS)
    {
      for (guint i = 0; i < panel->x.n_ticks; i++)
        draw_tick (panel, panel->x.ticks[i], &to);
      return;
    }
  for (guint lane = 0; lane < n_lanes (panel); lane++)
    for (guint i = 0; i < panel->lanes[lane].dots->len; i++)
      g_array_append_val (at, dot_of (&panel->lanes[lane], i)->x);
  g_array_sort (at, compare_x);
  for (guint i = 0; i < at->len; i++)
    draw_tick (panel, g_array_index (at, double, i), &to);
}

/* As many times as fast on as many workers. */
static void
draw_ideal (const LsScalingPanel *panel)
{
  LsScene *s = panel->layout->still;
  const double end = MIN (panel->x.high, panel->y.high), x = ls_axis_at (&panel->x, end),
               y = ls_axis_at (&panel->y, end);

  if (panel->kind != LS_SCALING_THREADS)
    return;
  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_QUIET, 0, panel->layout->style.hairline * 1.4)->strong = TRUE;
  ls_scene_point (s, ls_axis_at (&panel->x, 0), ls_axis_at (&panel->y, 0));
  ls_scene_point (s, x, y);
}

void
ls_scaling_draw_axes (const LsScalingPanel *panel)
{
  draw_up (panel);
  draw_across (panel);
  draw_ideal (panel);
}
