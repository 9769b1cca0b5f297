/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One plot of a result. On a logarithmic axis a value is a position, never a bar.
 */
#include "config.h"
#include "ui/paint/growth/growth.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/data/view_data.h"
#include "ui/paint/parts/text.h"
#include "core/number.h"
#include "ui/paint/scene/spread.h"

#define LEFT  64.0  /* of the numbers beside the axis */
#define RIGHT 156.0 /* of the names at the lines' ends, at least: a longer language's, too */
#define MOST  .45   /* of the width, for the longest names */
#define GAP   12.0  /* beside them */
#define PAD   1.15  /* beyond the least and the greatest value, as a factor */
#define LEAST 200.  /* high: room for words in lines of their own */
#define PITCH 1.4   /* of names below each other, in sizes */
#define TICK  2.2   /* from a number beside the axis to the next, likewise */
#define TICKS 9     /* of them, at most */

typedef struct {
  const LsGrowthPanel *p;
  LsAxis x, y;
  double left, right, top, bottom;
} Plot;

static const LsLabPoint *
point (const Plot *plot, guint lane, guint i)
{
  return &g_array_index (plot->p->result->points[lane], LsLabPoint, i);
}

static guint
count (const Plot *plot, guint lane)
{
  return plot->p->result->points[lane]->len;
}

static const LsViewName *
name_of (const Plot *plot, guint lane)
{
  return &g_array_index (plot->p->names, LsViewName, lane);
}

static gboolean
has_plain (const Plot *plot, guint lane)
{
  return count (plot, lane) > 0 && point (plot, lane, 0)->plain.n > 0;
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

  for (guint lane = 0; lane < plot->p->result->specs->len; lane++)
    for (guint i = 0; i < count (plot, lane); i++)
      {
        const LsLabPoint *p = point (plot, lane, i);
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
  ls_axis_init (&plot->y, y0 / PAD, y1 * PAD, plot->bottom, plot->top, TRUE,
                (guint) CLAMP ((plot->bottom - plot->top) / (TICK * plot->p->m->tick.px), 2, TICKS));
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

/* Its number below the axis, right of *last, where there is room. */
static void
draw_size (const Plot *plot, double size, double *last)
{
  LsScene *s = plot->p->s;
  const LsMetrics *m = plot->p->m;
  const double x = ls_axis_at (&plot->x, size);
  g_autofree char *text = ls_number_count ((guint64) size);
  const double half = ls_scene_width (s, m->tick, text) / 2;

  if (size < 1 || x - half < *last + 8)
    return;
  *last = x + half;
  ls_scene_segment (s, x, plot->bottom, x, plot->bottom + 4, LS_INK_QUIET, s->style->hairline);
  ls_scene_text (s, x, plot->bottom + 6 + m->tick.px, m->tick, LS_INK_QUIET, LS_CENTER, text);
}

static void
draw_axes (const Plot *plot)
{
  LsScene *s = plot->p->s;
  const LsMetrics *m = plot->p->m;
  double last = -G_MAXDOUBLE, above = G_MAXDOUBLE;

  for (guint i = 0; i < plot->y.n_ticks; i++)
    {
      const double y = ls_axis_at (&plot->y, plot->y.ticks[i]);
      g_autofree char *text = tick_text (plot->y.ticks[i]);

      if (y + m->tick.px > above)
        continue;
      above = y;
      ls_scene_segment (s, plot->left, y, plot->right, y, LS_INK_HAIRLINE, s->style->hairline);
      ls_scene_text (s, plot->left - 8, y + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, text);
    }
  ls_scene_segment (s, plot->left, plot->bottom, plot->right, plot->bottom, LS_INK_QUIET, s->style->hairline);
  for (guint i = 0; i < plot->x.n_ticks; i++)
    draw_size (plot, plot->x.ticks[i], &last);
  /* of sizes that are close together none may be round */
  for (guint lane = 0; lane < plot->p->result->specs->len && plot->x.n_ticks == 0; lane++)
    for (guint i = 0; i < count (plot, lane); i++)
      draw_size (plot, point (plot, lane, i)->x, &last);
}

static void
draw_band (const Plot *plot, guint lane)
{
  LsScene *s = plot->p->s;
  const guint n = count (plot, lane);

  if (n < 2)
    return;
  ls_scene_path (s, LS_ITEM_AREA, LS_INK_MARK, LS_INK_OF (name_of (plot, lane)->ink), 0)->alpha = .16f;
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
  LsItem *item = ls_scene_path (s, kind, LS_INK_MARK, LS_INK_OF (name_of (plot, lane)->ink), width);

  item->evidence = LS_EVIDENCE_MEASURED;
  if (lane < LS_SIDES)
    item->side = (guint8) lane;
  for (guint i = 0; i < count (plot, lane); i++)
    {
      const LsLabPoint *p = point (plot, lane, i);
      if (!plain || p->plain.n > 0)
        ls_scene_point (s, ls_axis_at (&plot->x, p->x),
                        ls_axis_at (&plot->y, plain ? p->plain.value : p->rate.value));
    }
}

static void
draw_lane (const Plot *plot, guint lane)
{
  const LsStyle *style = plot->p->s->style;
  const gboolean plain = has_plain (plot, lane);

  if (count (plot, lane) == 0)
    return;
  if (plain)
    draw_path (plot, lane, LS_ITEM_LINE, style->hairline, TRUE);
  if (count (plot, lane) > 1)
    draw_path (plot, lane, LS_ITEM_LINE, style->data, FALSE);
  draw_path (plot, lane, LS_ITEM_DOTS, 2 * style->data + 3, FALSE);
}

/* "CPU 308 k", or without what there is no room for. (transfer full) */
static char *
label_of (const Plot *plot, guint lane, LsType type, double room)
{
  const LsLabPoint *last = point (plot, lane, count (plot, lane) - 1);
  const LsViewName *name = name_of (plot, lane);
  g_autofree char *value = ls_number_scaled (last->rate.value);
  const char *const names[] = { name->name, name->brief };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s %s", names[i], value);
      if (ls_scene_width (plot->p->s, type, text) <= room)
        return g_steal_pointer (&text);
    }
  return g_steal_pointer (&value);
}

/* As wide as the longest label needs. */
static double
labels_width (const Plot *plot)
{
  const LsType bold = { plot->p->m->label.px, 700 };
  double width = plot->p->tight ? 2 * GAP : RIGHT;

  for (guint lane = 0; lane < plot->p->result->specs->len; lane++)
    if (count (plot, lane) > 0)
      {
        g_autofree char *text = label_of (plot, lane, bold, MOST * plot->p->width - 2 * GAP);
        width = MAX (width, ls_scene_width (plot->p->s, bold, text) + 2 * GAP);
      }
  return width;
}

/* Right of the last points, one below the other where these lie close together; of as many lanes as there is
 * room for. */
static void
draw_labels (const Plot *plot)
{
  const LsType bold = { plot->p->m->label.px, 700 };
  const double room = plot->p->left + plot->p->width - plot->right - GAP, pitch = PITCH * bold.px;
  double y[LS_MAX_LANES];
  guint lanes[LS_MAX_LANES], n = 0;

  for (guint lane = 0; lane < plot->p->result->specs->len; lane++)
    if (count (plot, lane) > 0 && n * pitch <= plot->bottom - plot->top)
      {
        const double at = ls_axis_at (&plot->y, point (plot, lane, count (plot, lane) - 1)->rate.value);
        guint i = n++;

        for (; i > 0 && y[i - 1] > at; i--)
          {
            y[i] = y[i - 1];
            lanes[i] = lanes[i - 1];
          }
        y[i] = at;
        lanes[i] = lane;
      }
  ls_spread (y, n, pitch, plot->top, plot->bottom);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = label_of (plot, lanes[i], bold, room);

      ls_scene_text (plot->p->s, plot->right + GAP, y[i] + bold.px * .36, bold, LS_INK_LANE, LS_LEFT, text)
        ->value
        = LS_INK_OF (name_of (plot, lanes[i])->ink);
    }
}

/* The title, and what else there is to know behind it, or below it where there is no room; returns the last
 * baseline. below: FALSE: left out there. */
static double
draw_words (const LsGrowthPanel *panel, gboolean below)
{
  const LsMetrics *m = panel->m;
  const double base = panel->top + m->heading.px;
  const LsItem *title = ls_scene_text (panel->s, panel->left, base, m->heading, LS_INK_TEXT, LS_LEFT,
                                       gettext (panel->result->experiment->title));
  const double x = ls_item_right (title) + 10;

  if (x + ls_scene_width (panel->s, m->label, panel->words) <= panel->left + panel->width)
    ls_scene_text (panel->s, x, base, m->label, LS_INK_QUIET, LS_LEFT, panel->words);
  else if (below)
    return ls_text_wrapped (panel->s, panel->left, base, panel->width, m->label, LS_INK_QUIET, panel->words,
                            TRUE);
  return base;
}

/* What grows, below the axis, in its middle as far as there is room for it. */
static void
draw_axis_words (const Plot *plot, char **lines)
{
  const LsGrowthPanel *panel = plot->p;
  const LsType type = panel->m->tick;
  double y = panel->top + panel->height - 4 - (g_strv_length (lines) - 1) * type.px * LS_TEXT_PITCH;

  for (char **line = lines; *line != NULL; line++, y += type.px * LS_TEXT_PITCH)
    {
      const double half = ls_scene_width (panel->s, type, *line) / 2,
                   last = panel->left + panel->width - half;

      ls_scene_text (panel->s, CLAMP ((plot->left + plot->right) / 2, MIN (panel->left + half, last), last),
                     y, type, LS_INK_QUIET, LS_CENTER, *line);
    }
}

void
ls_growth_panel (const LsGrowthPanel *panel)
{
  const LsMetrics *m = panel->m;
  g_auto (GStrv) axis = ls_text_lines (panel->s, m->tick, panel->width,
                                       gettext (panel->result->experiment->axis));
  const double further = (g_strv_length (axis) - 1) * m->tick.px * LS_TEXT_PITCH;
  const double base = draw_words (panel, panel->height - further > LEAST);
  Plot plot = { .p = panel,
                .left = panel->left + LEFT,
                .top = base + 20,
                .bottom = panel->top + panel->height - 3.6 * m->tick.px - further };

  plot.right = panel->left + panel->width - labels_width (&plot);
  draw_axis_words (&plot, axis);
  if (!make_axes (&plot))
    {
      ls_scene_text (panel->s, plot.left, (plot.top + plot.bottom) / 2, m->body, LS_INK_QUIET, LS_LEFT,
                     _("Not measured."));
      return;
    }
  draw_axes (&plot);
  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    draw_band (&plot, lane);
  for (guint lane = panel->result->specs->len; lane-- > 0;)
    draw_lane (&plot, lane);
  draw_labels (&plot);
}
