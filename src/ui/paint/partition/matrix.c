/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The output matrix in tiles, each coloured by the worker that computed it, or shaded by the order in which
 * it was done. Tiles too small to see are drawn in blocks, and a block shows the tile of it that was done
 * last: still one recorded event.
 */
#include "config.h"
#include "ui/paint/partition/matrix.h"

#include <math.h>

#include "ui/paint/data/median.h"

#define CELL_MIN  5.0 /* px: smaller cells are drawn in blocks */
#define CELLS_MAX 4096u

LsArea
ls_matrix_cells (const LsPartLane *p, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols)
{
  const double x = p->matrix.w / (double) p->tiling->cols, y = p->matrix.h / (double) p->tiling->rows;
  const double along = p->matrix.w / (double) p->tiling->rows,
               across = p->matrix.h / (double) p->tiling->cols;

  if (p->lying)
    return (LsArea){ p->matrix.x + along * (double) row, p->matrix.y + across * (double) col,
                     along * (double) n_rows, across * (double) n_cols };
  return (LsArea){ p->matrix.x + x * (double) col, p->matrix.y + y * (double) row, x * (double) n_cols,
                   y * (double) n_rows };
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

static void
choose_folding (LsMatrixGrid *g)
{
  LsPartLane *p = g->p;
  const LsTiling *t = p->tiling;
  /* of the rows, of the columns */
  const double high = p->lying ? p->matrix.w : p->matrix.h, wide = p->lying ? p->matrix.h : p->matrix.w;

  p->fold_rows = (guint) CLAMP (ceil (CELL_MIN * t->grid_rows / MAX (high, CELL_MIN)), 1, t->grid_rows);
  p->fold_cols = (guint) CLAMP (ceil (CELL_MIN * t->grid_cols / MAX (wide, CELL_MIN)), 1, t->grid_cols);
  while (((guint64) (t->grid_rows + p->fold_rows - 1) / p->fold_rows)
           * ((t->grid_cols + p->fold_cols - 1) / p->fold_cols)
         > CELLS_MAX)
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
choose_events (LsMatrixGrid *g)
{
  LsPartLane *p = g->p;
  const guint cells = p->tiling->grid_rows * p->tiling->grid_cols, n = g->rows * g->cols * g->parts;

  g->events = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    g->events[i] = LS_NO_EVENT;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const guint32 position = ls_part_event (p, i);
      const LsEvent *e = ls_matrix_event (g, position);
      const guint cell = e->tile % cells, part = p->parts ? e->tile / cells : 0;
      const guint row = cell / p->tiling->grid_cols / p->fold_rows,
                  col = cell % p->tiling->grid_cols / p->fold_cols;
      guint32 *held = &g->events[(row * g->cols + col) * g->parts + part];

      if (*held == LS_NO_EVENT || ls_part_to (p, ls_matrix_event (g, *held)) < ls_part_to (p, e))
        *held = position;
    }
}

/* Events are sorted by their start. */
static void
count_own (LsMatrixGrid *g)
{
  const LsPartLane *p = g->p;
  const GArray *events = p->lane->recorded->events;
  guint32 n[256] = { 0 };

  g->own = g_new0 (guint32, events->len + 1);
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = ls_matrix_event (g, i);
      if (e->op == p->op && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP))
        g->own[i] = ++n[e->worker];
    }
}

static void
find_long (LsMatrixGrid *g)
{
  const LsPartLane *p = g->p;
  g_autofree double *times = g_new (double, p->trace->n + 1);

  g->long_ns = G_MAXINT64;
  if (!p->trace->timed)
    return;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      times[i] = (double) (e->end_ns - e->start_ns);
    }
  g->long_ns = ls_ns_of (2 * floor (ls_median (times, p->trace->n)));
}

LsArea
ls_matrix_cell (const LsMatrixGrid *g, guint row, guint col, guint part)
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
  return (LsArea){ cell.x + g->gap, cell.y + g->gap, MAX (cell.w - 2 * g->gap, .5),
                   MAX (cell.h - 2 * g->gap, .5) };
}

static void
color_piece (const LsPartLane *p, const LsEvent *e, LsInk *ink, double *value)
{
  *ink = LS_INK_SOFT;
  *value = p->side;
  if (ls_lane_has_workers (p->lane) && e->worker != LS_WORKER_NONE)
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
  item->worker = ls_lane_has_workers (p->lane) ? e->worker : LS_NO_VALUE;
}

void
ls_matrix (LsPartLane *p)
{
  LsScene *s = p->layout->still;
  LsMatrixGrid g = { .p = p };
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
        const LsArea cell = ls_matrix_cell (&g, row, col / g.parts, col % g.parts);
        const LsEvent *e;
        LsItem *tile;
        LsInk ink;
        double value;

        if (position == LS_NO_EVENT)
          {
            ls_scene_box (s, cell.x, cell.y, cell.w, cell.h, LS_INK_TRACK, 0);
            continue;
          }
        e = ls_matrix_event (&g, position);
        color_piece (p, e, &ink, &value);
        tile = ls_scene_mark (s, LS_ITEM_TILE, cell.x, cell.y, cell.w, cell.h, ink, value);
        set_piece (p, tile, position, e);
        if (ls_lane_has_workers (p->lane) && e->from != LS_WORKER_NONE && e->from != e->worker)
          {
            tile->owner = e->from;
            if (MIN (cell.w, cell.h) >= 6) /* else the corner would not stay in its tile */
              tile->size = (float) MIN (MIN (17, cell.h * .36), cell.w * .3);
          }
        ls_matrix_label (&g, cell, tile, e, g.own[position]);
      }
  if (ls_lane_has_workers (p->lane) && cell_h - 2 * g.gap < 17 && !p->lying && !p->shares)
    ls_matrix_label_margin (&g);
  else if (!p->layout->m.projector)
    ls_matrix_label_size (p);
  g_free (g.events);
  g_free (g.own);
}
