/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words in the tiles of the output matrix, as far as they have room: who computed it, in which order, whether
 * it took long or was taken from another's share; and those beside the matrix.
 */
#include "config.h"
#include "ui/paint/partition/matrix.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

/* The number that is printed in a piece's tile. (transfer full), NULL: none. */
static char *
piece_number (const LsPartLane *p, const LsEvent *e)
{
  if (ls_lane_has_workers (p->lane) && e->worker != LS_WORKER_NONE)
    return g_strdup_printf ("%u", e->worker);
  if (p->trace->known == LS_KNOWN_UNITS)
    return g_strdup_printf ("%d", e->unit);
  return e->rank != LS_RANK_NONE ? g_strdup_printf ("%u", e->rank + 1) : NULL;
}

static LsItem *
tile_text (const LsMatrixGrid *g, LsArea cell, double x, double y, LsType type, LsAlign align, LsWhen when,
           const LsItem *tile, const char *text)
{
  LsScene *s = g->p->layout->still;
  const LsItem of = *tile;
  LsItem *item;

  if (ls_scene_width (s, type, text) > cell.w - 6 || type.px > cell.h)
    return NULL;
  item = ls_scene_text (s, x, y, type,
                        when == LS_WHEN_RUNNING   ? LS_INK_TEXT
                        : of.ink == LS_INK_WORKER ? LS_INK_ON_WORKER
                        : of.ink == LS_INK_ORDER  ? LS_INK_ON_ORDER
                                                  : LS_INK_TEXT,
                        align, text);
  item->when = (guint8) when;
  item->value = of.value;
  item->t0 = of.t0;
  item->t1 = of.t1;
  item->worker = of.worker;
  item->strong = TRUE;
  return item;
}

/* Where each worker has its own share: the tile's place in its worker's order; whose it became if it was
 * taken; its time if it took long. */
static void
label_share (const LsMatrixGrid *g, LsArea cell, const LsItem *tile, const LsEvent *e, guint32 order)
{
  const LsMetrics *m = &g->p->layout->m;
  const LsItem of = *tile;
  const LsType type = { m->projector ? MIN (m->label.px, cell.h * .62) : m->label.px, 400 },
               bold = { type.px, 700 };
  const gint64 took = (gint64) (e->end_ns - e->start_ns);
  const gboolean taken = of.owner != LS_NO_VALUE, tall = cell.h >= type.px * 2.5;
  g_autofree char *number = g_strdup_printf ("%u", order), *time = NULL,
                  *worker = g_strdup_printf ("%u", e->worker);
  const double x = cell.x + cell.w / 2, middle = cell.y + cell.h / 2 + type.px * .36, line = type.px * .6;

  if (cell.h < type.px || cell.w < 16 || (m->projector && type.px < 22))
    return;
  tile_text (g, cell, x + 4, middle, type, LS_CENTER, LS_WHEN_RUNNING, &of, number);
  if (!tall)
    {
      if (taken)
        tile_text (g, cell, cell.x + 4, middle, bold, LS_LEFT, LS_WHEN_DONE, &of, worker);
      else
        tile_text (g, cell, x, middle, type, LS_CENTER, LS_WHEN_DONE, &of, number);
      return;
    }
  if (took > g->long_ns)
    time = cell.w < 90 ? ls_number_text ((double) took / (g->p->span_ns >= 1000000 ? 1e6 : 1e3), 2)
                       : ls_number_time ((double) took);
  if (taken)
    {
      tile_text (g, cell, cell.x + 5, cell.y + type.px * 1.1, bold, LS_LEFT, LS_WHEN_DONE, &of, worker);
      tile_text (g, cell, x, middle + line, type, LS_CENTER, LS_WHEN_DONE, &of, number);
    }
  else if (time != NULL)
    {
      tile_text (g, cell, x, middle - line, type, LS_CENTER, LS_WHEN_DONE, &of, number);
      tile_text (g, cell, x, middle + line, bold, LS_CENTER, LS_WHEN_DONE, &of, time);
    }
  else
    tile_text (g, cell, x, middle, type, LS_CENTER, LS_WHEN_DONE, &of, number);
}

/* Number, and where there is room what is unusual about the tile: it took long, it was taken from another's
 * share. */
static void
label_cell (const LsMatrixGrid *g, LsArea cell, const LsItem *tile, const LsEvent *e)
{
  const LsPartLane *p = g->p;
  const LsMetrics *m = &p->layout->m;
  const gboolean tall = cell.h >= m->strong.px * 2.6, cpu = ls_lane_has_workers (p->lane);
  const LsType type = { m->projector ? MIN (m->strong.px, cell.h * .62) : m->strong.px, cpu ? 700 : 400 };
  const double small = MAX (m->tick.px, type.px - 2), pad = MIN (m->unit * 2, cell.w * .1);
  const double y = tall && cpu ? cell.y + type.px * 1.2 : cell.y + cell.h / 2 + type.px * .36;
  const gint64 took = (gint64) (e->end_ns - e->start_ns);
  const LsItem of = *tile;
  double width;

  if (cell.h < (m->projector ? 22 : 17) || cell.w < 18 || (m->projector && type.px < 22))
    return;
  g_autofree char *number = piece_number (p, e);
  if (number == NULL)
    return;
  if (!cpu)
    {
      tile_text (g, cell, cell.x + cell.w / 2, y, (LsType){ m->projector ? type.px : m->tick.px, 400 },
                 LS_CENTER, LS_WHEN_DONE, &of, number);
      return;
    }
  width = ls_scene_width (p->layout->still, type, number);
  tile_text (g, cell, cell.x + pad, y, type, LS_LEFT, LS_WHEN_DONE, &of, number);
  tile_text (g, cell, cell.x + MAX (pad, 8) + 5, y, type, LS_LEFT, LS_WHEN_RUNNING, &of, number);
  if (took > g->long_ns)
    {
      g_autofree char *time = ls_number_time ((double) took);
      const LsType bold = { small, 700 };
      const double corner = (double) of.size > 0 && !tall ? (double) of.size : 0;
      if (width + 2 * pad + ls_scene_width (p->layout->still, bold, time) + corner < cell.w - 8)
        tile_text (g, cell, cell.x + cell.w - pad - corner, y, bold, LS_RIGHT, LS_WHEN_DONE, &of, time);
    }
  if (!tall)
    return;
  if (of.owner != LS_NO_VALUE)
    {
      g_autofree char *from = g_strdup_printf (_("from %u"), of.owner);
      tile_text (g, cell, cell.x + cell.w - pad, cell.y + cell.h - small * .5, (LsType){ small, 400 },
                 LS_RIGHT, LS_WHEN_DONE, &of, from);
    }
  tile_text (g, (LsArea){ cell.x, cell.y, cell.w - 10, cell.h }, cell.x + cell.w - pad,
             cell.y + cell.h - small * .5, (LsType){ small, 400 }, LS_RIGHT, LS_WHEN_RUNNING, &of,
             _("running"));
}

void
ls_matrix_label (const LsMatrixGrid *g, LsArea cell, const LsItem *tile, const LsEvent *e, guint32 order)
{
  if (g->p->shares)
    label_share (g, cell, tile, e, order);
  else
    label_cell (g, cell, tile, e);
}

void
ls_matrix_label_margin (const LsMatrixGrid *g)
{
  const LsPartLane *p = g->p;
  const LsMetrics *m = &p->layout->m;
  const LsType bold = { m->tick.px, 700 };
  double last = -HUGE_VAL;

  for (guint row = 0, end; row < g->rows; row = end)
    {
      const guint32 here = g->events[row * g->cols * g->parts];
      LsArea first, bottom;
      double y;

      for (end = row + 1; end < g->rows; end++)
        {
          const guint32 next = g->events[end * g->cols * g->parts];
          if (here == LS_NO_EVENT || next == LS_NO_EVENT
              || ls_matrix_event (g, next)->worker != ls_matrix_event (g, here)->worker)
            break;
        }
      if (here == LS_NO_EVENT || ls_matrix_event (g, here)->worker == LS_WORKER_NONE)
        continue;
      first = ls_matrix_cell (g, row, 0, 0);
      bottom = ls_matrix_cell (g, end - 1, 0, 0);
      y = MIN ((first.y + bottom.y + bottom.h) / 2 + bold.px * .36,
               p->matrix.y + p->matrix.h - bold.px * LS_DESCENT);
      if (y - bold.px * LS_ASCENT < last + 1)
        continue;
      last = y + bold.px * LS_DESCENT;
      g_autofree char *number = piece_number (p, ls_matrix_event (g, here));
      if (ls_scene_width (p->layout->still, bold, number) < p->matrix.x - p->area.x - 6)
        ls_scene_text (p->layout->still, p->matrix.x - 6, y, bold, LS_INK_TEXT, LS_RIGHT, number);
    }
}

void
ls_matrix_label_size (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const double room = p->matrix.x - p->area.x
                      - (p->shares && !ls_part_beside (p) ? 16 + m->label.px * 1.4 : 8),
               middle = p->matrix.y + p->matrix.h / 2;
  const gulong n = (gulong) (p->lying ? p->tiling->cols : p->tiling->rows);
  g_autofree char *rows = ls_number_count (n);
  const char *word = p->lying ? _("wide") : g_dngettext (GETTEXT_PACKAGE, "row", "rows", n);

  if (MAX (ls_scene_width (p->layout->still, m->tick, rows), ls_scene_width (p->layout->still, m->tick, word))
        > room
      || p->matrix.h < m->tick.px * 2.6)
    return;
  ls_scene_text (p->layout->still, p->area.x + room / 2, middle - m->tick.px * .2, m->tick, LS_INK_QUIET,
                 LS_CENTER, rows);
  ls_scene_text (p->layout->still, p->area.x + room / 2, middle + m->tick.px * 1.05, m->tick, LS_INK_QUIET,
                 LS_CENTER, word);
}
