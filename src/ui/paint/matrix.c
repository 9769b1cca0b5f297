/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The output matrix in tiles, each coloured by the worker that computed it, or shaded by the order in which it was done.
 * Tiles too small to see are drawn in blocks, and a block shows the tile of it that was done last: still one recorded event.
 */
#include "config.h"
#include "ui/paint/partition.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/median.h"
#include "ui/paint/number.h"

#define CELL_MIN  5.0    /* px: smaller cells are drawn in blocks */
#define CELLS_MAX 4096u

typedef struct {
  LsPartLane *p;
  guint rows, cols, parts;      /* of drawn cells */
  guint32 *events;              /* of each drawn part; LS_NO_EVENT */
  double gap;
  guint32 *own;                 /* of each event of the lane: the how manieth of its worker in this op; 0: none of its pieces */
  gint64 long_ns;               /* longer tiles print their time */
} Grid;

gboolean
ls_tile_elements (const LsTiling *t, guint32 tile, gint64 *row, gint64 *n_rows, gint64 *col, gint64 *n_cols)
{
  const guint cells = t->grid_rows * t->grid_cols;

  if (cells == 0 || tile >= cells * MAX (t->splits, 1))
    return FALSE;
  tile %= cells;
  *row = tile / t->grid_cols * t->tile_rows;
  *col = tile % t->grid_cols * t->tile_cols;
  *n_rows = MIN (t->tile_rows, t->rows - *row);
  *n_cols = MIN (t->tile_cols, t->cols - *col);
  return TRUE;
}

LsArea
ls_matrix_cells (const LsPartLane *p, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols)
{
  const double x = p->matrix.w / (double) p->tiling->cols, y = p->matrix.h / (double) p->tiling->rows;
  const double along = p->matrix.w / (double) p->tiling->rows, across = p->matrix.h / (double) p->tiling->cols;

  if (p->lying)
    return (LsArea){ p->matrix.x + along * (double) row, p->matrix.y + across * (double) col, along * (double) n_rows, across * (double) n_cols };
  return (LsArea){ p->matrix.x + x * (double) col, p->matrix.y + y * (double) row, x * (double) n_cols, y * (double) n_rows };
}

static gint64
op_length (const LsPartLane *p)
{
  return p->trace->ran ? p->trace->end_ns - p->trace->start_ns : 0;
}

gint64
ls_part_begin (const LsPartLane *p, const LsEvent *e)
{
  return p->trace->timed ? ls_part_time (p, e->start_ns) : op_length (p);
}

gint64
ls_part_end (const LsPartLane *p, const LsEvent *e)
{
  return p->trace->timed ? ls_part_time (p, e->end_ns) : op_length (p);
}

gint64
ls_part_from (const LsPartLane *p, const LsEvent *e)
{
  return p->trace->timed ? ls_part_time (p, e->start_ns) : e->rank != LS_RANK_NONE ? (gint64) e->rank : 0;
}

gint64
ls_part_to (const LsPartLane *p, const LsEvent *e)
{
  return p->trace->timed ? ls_part_time (p, e->end_ns) : e->rank != LS_RANK_NONE ? (gint64) e->rank + 1 : 0;
}

static const LsEvent *
event_of (const Grid *g, guint32 event)
{
  return &g_array_index (g->p->lane->recorded->events, LsEvent, event);
}

static void
choose_folding (Grid *g)
{
  LsPartLane *p = g->p;
  const LsTiling *t = p->tiling;
  const double high = p->lying ? p->matrix.w : p->matrix.h, wide = p->lying ? p->matrix.h : p->matrix.w; /* of the rows, of the columns */

  p->fold_rows = (guint) CLAMP (ceil (CELL_MIN * t->grid_rows / MAX (high, CELL_MIN)), 1, t->grid_rows);
  p->fold_cols = (guint) CLAMP (ceil (CELL_MIN * t->grid_cols / MAX (wide, CELL_MIN)), 1, t->grid_cols);
  while (((guint64) (t->grid_rows + p->fold_rows - 1) / p->fold_rows) * ((t->grid_cols + p->fold_cols - 1) / p->fold_cols) > CELLS_MAX)
    {
      if (high * p->fold_rows / t->grid_rows < wide * p->fold_cols / t->grid_cols)
        p->fold_rows++;
      else
        p->fold_cols++;
    }
  g->rows = (t->grid_rows + p->fold_rows - 1) / p->fold_rows;
  g->cols = (t->grid_cols + p->fold_cols - 1) / p->fold_cols;
  p->parts = t->splits > 1 && wide / g->cols / t->splits >= 8 && p->fold_rows * p->fold_cols == 1;
  g->parts = p->parts ? t->splits : 1;
}

/* Of each block the piece that was done last. */
static void
choose_events (Grid *g)
{
  LsPartLane *p = g->p;
  const guint cells = p->tiling->grid_rows * p->tiling->grid_cols, n = g->rows * g->cols * g->parts;

  g->events = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    g->events[i] = LS_NO_EVENT;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const guint32 position = ls_part_event (p, i);
      const LsEvent *e = event_of (g, position);
      const guint cell = e->tile % cells, part = p->parts ? e->tile / cells : 0;
      const guint row = cell / p->tiling->grid_cols / p->fold_rows, col = cell % p->tiling->grid_cols / p->fold_cols;
      guint32 *held = &g->events[(row * g->cols + col) * g->parts + part];

      if (*held == LS_NO_EVENT || ls_part_to (p, event_of (g, *held)) < ls_part_to (p, e))
        *held = position;
    }
}

/* Events are sorted by their start. */
static void
count_own (Grid *g)
{
  const LsPartLane *p = g->p;
  const GArray *events = p->lane->recorded->events;
  guint32 n[256] = { 0 };

  g->own = g_new0 (guint32, events->len + 1);
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = event_of (g, i);
      if (e->op == p->op && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP))
        g->own[i] = ++n[e->worker];
    }
}

static void
find_long (Grid *g)
{
  const LsPartLane *p = g->p;
  g_autofree double *times = g_new (double, p->trace->n + 1);

  g->long_ns = G_MAXINT64;
  if (!p->trace->timed || p->trace->n < 3)
    return;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      times[i] = (double) (e->end_ns - e->start_ns);
    }
  g->long_ns = 2 * (gint64) ls_median (times, p->trace->n);
}

static LsArea
cell_area (const Grid *g, guint row, guint col, guint part)
{
  const LsPartLane *p = g->p;
  const LsTiling *t = p->tiling;
  const gint64 r = (gint64) row * p->fold_rows * t->tile_rows, c = (gint64) col * p->fold_cols * t->tile_cols;
  LsArea cell = ls_matrix_cells (p, r, MIN (p->fold_rows * t->tile_rows, t->rows - r), c,
                                 MIN (p->fold_cols * t->tile_cols, t->cols - c));

  if (p->lying)
    {
      cell.h /= g->parts;
      cell.y += cell.h * part;
    }
  else
    {
      cell.w /= g->parts;
      cell.x += cell.w * part;
    }
  if (g->gap >= 1) /* edges on whole pixels: sharp, and many times faster to fill */
    {
      const double right = round (cell.x + cell.w), bottom = round (cell.y + cell.h);
      cell.x = round (cell.x);
      cell.y = round (cell.y);
      cell.w = right - cell.x;
      cell.h = bottom - cell.y;
    }
  return (LsArea){ cell.x + g->gap, cell.y + g->gap, MAX (cell.w - 2 * g->gap, .5), MAX (cell.h - 2 * g->gap, .5) };
}

/* The number that is printed in a piece's tile. (transfer full), NULL: none. */
static char *
piece_number (const LsPartLane *p, const LsEvent *e)
{
  if (p->side == 0 && e->worker != LS_WORKER_NONE)
    return g_strdup_printf ("%u", e->worker);
  if (p->trace->known == LS_KNOWN_UNITS)
    return g_strdup_printf ("%d", e->unit);
  return e->rank != LS_RANK_NONE ? g_strdup_printf ("%u", e->rank + 1) : NULL;
}

static void
color_piece (const LsPartLane *p, const LsEvent *e, LsInk *ink, double *value)
{
  *ink = LS_INK_SOFT;
  *value = p->side;
  if (p->side == 0 && e->worker != LS_WORKER_NONE)
    {
      *ink = LS_INK_WORKER;
      *value = e->worker;
    }
  else if (e->rank != LS_RANK_NONE)
    {
      *ink = LS_INK_ORDER;
      *value = p->trace->n_ranks > 1 ? (double) e->rank / (p->trace->n_ranks - 1) : 0;
    }
}

static void
set_piece (const LsPartLane *p, LsItem *item, guint32 position, const LsEvent *e)
{
  item->t0 = ls_part_begin (p, e);
  item->t1 = ls_part_end (p, e);
  item->side = (guint8) p->side;
  item->event = position;
  item->worker = p->side == 0 ? e->worker : LS_NO_VALUE;
}

static LsItem *
tile_text (const Grid *g, LsArea cell, double x, double y, LsType type, LsAlign align, LsWhen when, const LsItem *tile,
           const char *text)
{
  LsScene *s = g->p->layout->still;
  const LsItem of = *tile;
  LsItem *item;

  if (ls_scene_width (s, type, text) > cell.w - 6 || type.px > cell.h)
    return NULL;
  item = ls_scene_text (s, x, y, type, when == LS_WHEN_RUNNING ? LS_INK_TEXT : of.ink == LS_INK_WORKER ? LS_INK_ON_WORKER
                                                                             : of.ink == LS_INK_ORDER ? LS_INK_ON_ORDER
                                                                                                      : LS_INK_TEXT, align, text);
  item->when = (guint8) when;
  item->value = of.value;
  item->t0 = of.t0;
  item->t1 = of.t1;
  item->worker = of.worker;
  item->strong = TRUE;
  return item;
}

/* Where each worker has its own share: the tile's place in its worker's order; whose it became if it was taken; its time if it took
 * long. */
static void
label_share (const Grid *g, LsArea cell, const LsItem *tile, const LsEvent *e, guint32 order)
{
  const LsMetrics *m = &g->p->layout->m;
  const LsItem of = *tile;
  const LsType type = { m->projector ? MIN (m->label.px, cell.h * .62) : m->label.px, 400 }, bold = { type.px, 700 };
  const gint64 took = (gint64) (e->end_ns - e->start_ns);
  const gboolean taken = of.owner != LS_NO_VALUE, tall = cell.h >= type.px * 2.5;
  g_autofree char *number = g_strdup_printf ("%u", order), *time = NULL, *worker = g_strdup_printf ("%u", e->worker);
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
    time = cell.w < 90 ? ls_number_text ((double) took / (g->p->span_ns >= 1000000 ? 1e6 : 1e3), 2) : ls_number_time ((double) took);
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

/* Number, and where there is room what is unusual about the tile: it took long, it was taken from another's share. */
static void
label_cell (const Grid *g, LsArea cell, const LsItem *tile, const LsEvent *e)
{
  const LsPartLane *p = g->p;
  const LsMetrics *m = &p->layout->m;
  const gboolean tall = cell.h >= m->strong.px * 2.6, cpu = p->side == 0;
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
      tile_text (g, cell, cell.x + cell.w / 2, y, (LsType){ m->projector ? type.px : m->tick.px, 400 }, LS_CENTER, LS_WHEN_DONE, &of, number);
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
      tile_text (g, cell, cell.x + cell.w - pad, cell.y + cell.h - small * .5, (LsType){ small, 400 }, LS_RIGHT, LS_WHEN_DONE, &of, from);
    }
  tile_text (g, (LsArea){ cell.x, cell.y, cell.w - 10, cell.h }, cell.x + cell.w - pad, cell.y + cell.h - small * .5,
             (LsType){ small, 400 }, LS_RIGHT, LS_WHEN_RUNNING, &of, _("running"));
}

/* Tiles too low for a number: the number of each run of equal tiles, in the margin. */
static void
label_margin (const Grid *g)
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
          if (here == LS_NO_EVENT || next == LS_NO_EVENT || event_of (g, next)->worker != event_of (g, here)->worker)
            break;
        }
      if (here == LS_NO_EVENT || event_of (g, here)->worker == LS_WORKER_NONE)
        continue;
      first = cell_area (g, row, 0, 0);
      bottom = cell_area (g, end - 1, 0, 0);
      y = (first.y + bottom.y + bottom.h) / 2 + bold.px * .36;
      if (y - bold.px * LS_ASCENT < last + 1)
        continue;
      last = y + bold.px * LS_DESCENT;
      g_autofree char *number = piece_number (p, event_of (g, here));
      if (ls_scene_width (p->layout->still, bold, number) < p->matrix.x - p->area.x - 6)
        ls_scene_text (p->layout->still, p->matrix.x - 6, y, bold, LS_INK_TEXT, LS_RIGHT, number);
    }
}

static void
label_size (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const double room = p->matrix.x - p->area.x - (p->shares && !ls_part_beside (p) ? 16 + m->label.px * 1.4 : 8), middle = p->matrix.y + p->matrix.h / 2;
  const gulong n = (gulong) (p->lying ? p->tiling->cols : p->tiling->rows);
  g_autofree char *rows = ls_number_count (n);
  const char *word = p->lying ? _("wide") : g_dngettext (GETTEXT_PACKAGE, "row", "rows", n);

  if (MAX (ls_scene_width (p->layout->still, m->tick, rows), ls_scene_width (p->layout->still, m->tick, word)) > room
      || p->matrix.h < m->tick.px * 2.6)
    return;
  ls_scene_text (p->layout->still, p->area.x + room / 2, middle - m->tick.px * .2, m->tick, LS_INK_QUIET, LS_CENTER, rows);
  ls_scene_text (p->layout->still, p->area.x + room / 2, middle + m->tick.px * 1.05, m->tick, LS_INK_QUIET, LS_CENTER, word);
}

void
ls_matrix (LsPartLane *p)
{
  LsScene *s = p->layout->still;
  Grid g = { .p = p };
  double cell_h;

  choose_folding (&g);
  choose_events (&g);
  count_own (&g);
  find_long (&g);
  cell_h = p->lying ? p->matrix.h / g.cols / g.parts : p->matrix.h / g.rows;
  g.gap = cell_h < 6 || (p->lying ? p->matrix.w / g.rows : p->matrix.w / g.cols / g.parts) < 6 ? .5 : 1;
  for (guint row = 0; row < g.rows; row++)
    for (guint col = 0; col < g.cols * g.parts; col++)
      {
        const guint32 position = g.events[row * g.cols * g.parts + col];
        const LsArea cell = cell_area (&g, row, col / g.parts, col % g.parts);
        const LsEvent *e;
        LsItem *tile;
        LsInk ink;
        double value;

        if (position == LS_NO_EVENT)
          {
            ls_scene_box (s, cell.x, cell.y, cell.w, cell.h, LS_INK_TRACK, 0);
            continue;
          }
        e = event_of (&g, position);
        color_piece (p, e, &ink, &value);
        tile = ls_scene_mark (s, LS_ITEM_TILE, cell.x, cell.y, cell.w, cell.h, ink, value);
        set_piece (p, tile, position, e);
        if (p->side == 0 && e->from != LS_WORKER_NONE && e->from != e->worker)
          {
            tile->owner = e->from;
            if (MIN (cell.w, cell.h) >= 6) /* else the corner would not stay in its tile */
              tile->size = (float) MIN (MIN (17, cell.h * .36), cell.w * .3);
          }
        if (p->shares)
          label_share (&g, cell, tile, e, g.own[position]);
        else
          label_cell (&g, cell, tile, e);
      }
  if (p->side == 0 && cell_h - 2 * g.gap < 17 && !p->lying && !p->shares)
    label_margin (&g);
  else if (!p->layout->m.projector)
    label_size (p);
  g_free (g.events);
  g_free (g.own);
}
