/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map: batch along, what grows with it up; a cell says who is faster and how many times, in words and in
 * colour. What wasn't measured is a dash; what is being measured lies on a track.
 */
#include "config.h"
#include "ui/paint/crossover/crossover.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"
#include "core/number.h"

#define MOST_CELL_H 20.0 /* units: a map with few rows doesn't fill a tall window */
#define LEAST_CELL  4.6  /* units */

/* 0: as fast as can be on the left, .5 equal, 1 on the right. */
static double
shade (const LsCross *c, gint winner, double times)
{
  const double by = MIN (log (times) / log (c->largest), 1);

  return winner < 0 ? .5 : winner == 0 ? .5 - .5 * by : .5 + .5 * by;
}

static gboolean
is_own (const LsCross *c, LsLabSpot spot)
{
  return c->own.x > 0 && spot.x == c->own.x && spot.y == c->own.y;
}

static gboolean
is_running (const LsCross *c, LsLabSpot spot)
{
  const LsViewLab *now = &c->layout->data->measuring;

  return now->experiment == c->experiment && now->spot.x == spot.x && now->spot.y == spot.y;
}

static void
frame (const LsCross *c, guint col, guint row, double inset)
{
  ls_scene_mark (c->layout->still, LS_ITEM_FRAME, c->left + col * c->cell_w + inset,
                 c->top + (c->n_y - 1 - row) * c->cell_h + inset, c->cell_w - 2 * inset,
                 c->cell_h - 2 * inset, LS_INK_TEXT, 0);
}

static void
cell (const LsCross *c, guint col, guint row)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsLabSpot spot = ls_cross_spot (c, col, row);
  const double x = c->left + col * c->cell_w, y = c->top + (c->n_y - 1 - row) * c->cell_h,
               middle = x + c->cell_w / 2, base = y + c->cell_h / 2 + m->label.px * .36;
  const LsType bold = { m->label.px, 700 };
  const gboolean yours = is_own (c, spot) && c->cell_h > 2.7 * m->label.px
                         && ls_scene_width (s, m->tick, _("yours")) < c->cell_w - 4;
  LsLabWins wins;
  double times = 1;
  const gint winner = ls_cross_winner (c, spot, &wins, &times);

  if (is_running (c, spot))
    {
      ls_scene_box (s, x + 1, y + 1, c->cell_w - 2, c->cell_h - 2, LS_INK_TRACK, 0);
      ls_scene_text (s, middle, base, m->label, LS_INK_TEXT, LS_CENTER, "…");
      return;
    }
  if (wins == LS_WINS_UNKNOWN)
    {
      ls_scene_text (s, middle, base, m->label, LS_INK_QUIET, LS_CENTER, "–");
      return;
    }
  const double value = shade (c, winner, times);
  g_autofree char *number = ls_number_text (times, times < 9.95 ? 2 : 3);
  g_autofree char *full = winner < 0    ? g_strdup (_("equal"))
                          : winner == 0 ? g_strdup_printf ("◂ %s", number)
                                        : g_strdup_printf ("%s ▸", number);
  g_autofree char *tight = winner < 0    ? g_strdup ("=")
                           : winner == 0 ? g_strdup_printf ("◂%s", number)
                                         : g_strdup_printf ("%s▸", number);
  const char *const choices[] = { full, tight, winner < 0 ? "=" : winner == 0 ? "◂" : "▸", NULL };
  LsItem *box = ls_scene_box (s, x + 1, y + 1, c->cell_w - 2, c->cell_h - 2, LS_INK_FASTER, value);

  box->evidence = LS_EVIDENCE_DERIVED;
  if (ls_text_fit (s, middle, yours ? base - m->tick.px * .6 : base, c->cell_w - 3, bold, LS_INK_ON_FASTER,
                   LS_CENTER, choices))
    ls_scene_get (s, s->items->len - 1)->value = (float) value;
  if (yours)
    ls_scene_text (s, middle, base + m->tick.px * .75, m->tick, LS_INK_ON_FASTER, LS_CENTER, _("yours"))
      ->value
      = (float) value;
}

/* What the colours mean, over the map. */
static void
legend (const LsCross *c, double y, double width)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const LsType bold = { m->label.px, 700 };
  /* TRANSLATORS: %s is a lane: “◂ CPU faster” */
  g_autofree char *first = g_strdup_printf (_("◂ %s faster"), ls_cross_name (c, 0)),
                  *second = g_strdup_printf (_("%s faster ▸"), ls_cross_name (c, 1)),
                  *number = ls_number_text (c->largest, 2), *times = g_strdup_printf ("%s×", number);
  const double w = MIN (width * .32, 60 * m->unit), h = 3 * m->unit, x = c->left + (width - w) / 2,
               end = ls_scene_width (s, m->tick, times) + 2 * m->unit;
  const gboolean tight = ls_scene_width (s, bold, first) + ls_scene_width (s, bold, second) + 4 * m->unit
                         > width;
  LsItem *item = ls_scene_text (s, c->left, y, bold, LS_INK_LANE, LS_LEFT, tight ? "◂" : first);
  const double first_ends = ls_item_right (item);

  item->value = 0;
  item = ls_scene_text (s, c->left + width, y, bold, LS_INK_LANE, LS_RIGHT, tight ? "▸" : second);
  item->value = 1;
  if (first_ends + 2 * m->unit > x - end || (double) item->x - 2 * m->unit < x + w + end)
    return;
  for (guint i = 0; i < 24; i++)
    ls_scene_box (s, x + w * i / 24, y - h * .85, w / 24 + .5, h, LS_INK_FASTER, (i + .5) / 24)->strong
      = TRUE;
  ls_scene_text (s, x - 2 * m->unit, y, m->tick, LS_INK_QUIET, LS_RIGHT, times);
  ls_scene_text (s, x + w + 2 * m->unit, y, m->tick, LS_INK_QUIET, LS_LEFT, times);
}

static void
axes (const LsCross *c, double labels)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const double bottom = c->top + c->n_y * c->cell_h, base = bottom + m->tick.px * 1.35;
  double free_from = 0, free_below = 1e6;

  for (guint row = 0; row < c->n_y; row++)
    {
      g_autofree char *text = ls_number_count (c->ys[row]);
      const gboolean own = c->own.x > 0 && c->ys[row] == c->own.y;
      const double y = c->top + (c->n_y - 1 - row) * c->cell_h + c->cell_h / 2;

      if (y + m->tick.px / 2 > free_below)
        continue;
      free_below = y - m->tick.px * .6;
      ls_scene_text (s, c->left - 2 * m->unit, y + m->tick.px * .36, (LsType){ m->tick.px, own ? 700 : 400 },
                     own ? LS_INK_TEXT : LS_INK_QUIET, LS_RIGHT, text);
    }
  for (guint col = 0; col < c->n_x; col++)
    {
      g_autofree char *text = ls_number_count (c->xs[col]);
      const gboolean own = c->own.x > 0 && c->xs[col] == c->own.x;
      const LsType type = { m->tick.px, own ? 700 : 400 };
      const double x = c->left + (col + .5) * c->cell_w, half = ls_scene_width (s, type, text) / 2;

      if (x - half < free_from)
        continue;
      free_from = x + half + m->unit;
      ls_scene_text (s, x, base, type, own ? LS_INK_TEXT : LS_INK_QUIET, LS_CENTER, text);
    }
  ls_scene_text (s, c->left - 2 * m->unit, c->top - m->tick.px * .7, m->tick, LS_INK_QUIET, LS_RIGHT,
                 _(c->experiment->row));
  if (labels >= ls_scene_width (s, m->tick, _(c->experiment->column)))
    ls_scene_text (s, c->left - 2 * m->unit, base, m->tick, LS_INK_QUIET, LS_RIGHT,
                   _(c->experiment->column));
}

double
ls_cross_map (LsCross *c, LsArea area)
{
  const LsMetrics *m = &c->layout->m;
  LsScene *s = c->layout->still;
  const double head = m->label.px * 1.9 + m->tick.px * 1.2, foot = m->tick.px * 1.8;
  double labels = MAX (ls_scene_width (s, m->tick, _(c->experiment->row)),
                       ls_scene_width (s, m->tick, _(c->experiment->column)));

  for (guint row = 0; row < c->n_y; row++)
    {
      g_autofree char *text = ls_number_count (c->ys[row]);
      labels = MAX (labels, ls_scene_width (s, (LsType){ m->tick.px, 700 }, text));
    }
  c->left = area.x + labels + 2 * m->unit;
  c->top = area.y + head;
  c->cell_w = (area.x + area.w - c->left) / c->n_x;
  c->cell_h = MIN ((area.h - head - foot) / c->n_y, MOST_CELL_H * m->unit);
  if (c->cell_h < MAX (LEAST_CELL * m->unit, m->label.px) || c->cell_w < LEAST_CELL * m->unit)
    {
      c->cell_w = 0;
      return area.y;
    }
  legend (c, area.y + m->label.px, c->cell_w * c->n_x);
  axes (c, labels);
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      cell (c, col, row);
  ls_cross_equal_line (c);
  for (guint row = 0; row < c->n_y; row++)
    for (guint col = 0; col < c->n_x; col++)
      if (is_own (c, ls_cross_spot (c, col, row)))
        frame (c, col, row, .5);
  if (c->asked->picked && c->asked->col < c->n_x && c->asked->row < c->n_y)
    frame (c, c->asked->col, c->asked->row, 3);
  ls_cross_guess_line (c);
  return c->top + c->n_y * c->cell_h + foot;
}

gboolean
ls_cross_cell_at (const LsCross *c, double x, double y, guint *col, guint *row)
{
  const double across = c->cell_w > 0 ? (x - c->left) / c->cell_w : -1,
               down = c->cell_w > 0 ? (y - c->top) / c->cell_h : -1;

  if (across < 0 || across >= c->n_x || down < 0 || down >= c->n_y)
    return FALSE;
  *col = (guint) across;
  *row = c->n_y - 1 - (guint) down;
  return TRUE;
}
