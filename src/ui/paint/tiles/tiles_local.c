/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the middle of Tiles: the two tiles with their values, and the rows that are being loaded.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/parts/text.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#define AXIS_W(m) ((m)->tick.px * 1.15 + 2.75 * (m)->unit)
#define LEGEND_W  54 /* units of the grid */

static double
lines_h (const LsTiles *t, gboolean beside)
{
  const LsMetrics *m = &t->layout->m;

  return m->size == LS_SIZE_SMALL ? m->label.px * 2.9
                                  : m->heading.px * 1.5 + m->label.px * (beside ? 1.9 : 5.2);
}

static double
cell_size (const LsTiles *t, double w, double h)
{
  const double cell = MIN (w / (t->window + t->cut.tile_n), h / MAX (t->cut.tile_m, t->window));

  return cell >= 3 ? floor (cell) : MAX (cell, 1e-3);
}

static char *
memory_words (const LsTiles *t)
{
  const guint padding = t->cut.rung == LS_RUNG_REGISTER ? 2 : 0; /* a column of each tile, against bank
                                                                    conflicts */
  const gsize bytes = sizeof (float) * t->window * (t->cut.tile_m + t->cut.tile_n + padding);
  const LsViewLane *lane = ls_tiles_opencl (t->layout->data);
  const gint64 most = lane->recorded != NULL ? lane->recorded->device->local_mem : -1;
  g_autofree char *used = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *all = most > 0 ? g_format_size_full ((guint64) most, G_FORMAT_SIZE_IEC_UNITS) : NULL;

  const guint at_a_time = (guint) MIN ((gint64) t->window, t->gemm.k);

  if (t->cut.panel)
    return g_strdup_printf (ngettext ("%u product at a time; B from a panel in local memory",
                                      "%u products at a time; B from a panel in local memory", at_a_time),
                            at_a_time);
  if (!t->cut.local)
    return g_strdup_printf (ngettext ("%u product at a time; nothing is shared",
                                      "%u products at a time; nothing is shared", at_a_time),
                            at_a_time);
  return all != NULL ? g_strdup_printf (_("%s of %s"), used, all) : g_steal_pointer (&used);
}

/* The sizes of the cells and of what stands round them. */
void
ls_tiles_local (LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const LsArea area = t->local;
  const double axis = AXIS_W (m), gap = axis + 5 * m->unit,
               head = m->heading.px * (m->size == LS_SIZE_SMALL ? .4 : 1.2), titles = m->label.px * 2.1;
  const double high = area.h - head - titles, legend = (LEGEND_W + 6) * m->unit;
  const guint tall = MAX (t->cut.tile_m, t->window);
  g_autofree char *words = memory_words (t);
  const double below = cell_size (t, area.w - axis - gap, high - lines_h (t, FALSE));
  const double beside = cell_size (t, area.w - axis - gap - legend, high - lines_h (t, TRUE));
  double cell = below;

  /* what the colours mean goes where there is room */
  if (m->size == LS_SIZE_MEDIUM && beside > below)
    {
      cell = beside;
      t->legend = (LsArea){ area.x + area.w - LEGEND_W * m->unit, area.y + head + titles, LEGEND_W * m->unit,
                            cell * tall };
    }
  t->cell = cell;
  if (m->size != LS_SIZE_SMALL)
    ls_text_heading (s, m, area, area.y + m->heading.px,
                     t->cut.local ? _("Local memory of this work-group") : _("What this work-group reads"),
                     words);
  t->cells_a = (LsArea){ area.x + axis, area.y + head + titles, cell * t->window, cell * t->cut.tile_m };
  t->cells_b = (LsArea){ t->cells_a.x + t->cells_a.w + gap, t->cells_a.y, cell * t->cut.tile_n,
                         cell * t->window };
  t->item_y = t->cells_a.y + cell * tall
              + (m->size == LS_SIZE_SMALL ? m->label.px * 1.3 : m->heading.px * 1.5);
  t->foot = t->cells_a.y + cell * tall + lines_h (t, t->legend.h > 0);
  for (guint i = 0; i < 2; i++)
    {
      const LsArea *cells = i == 0 ? &t->cells_a : &t->cells_b;
      const guint n = (guint) (cells->h / cell + .5), step = n > 32 ? 16 : 5;

      if (cell < 2 || cell * step < m->tick.px)
        continue;
      for (guint k = 0; k < n; k += step)
        {
          g_autofree char *number = g_strdup_printf ("%u", k);
          ls_scene_text (s, cells->x - 2.5 * m->unit, cells->y + cell * (k + .5) + m->tick.px * .36, m->tick,
                         LS_INK_QUIET, LS_RIGHT, number);
        }
    }
}

/* ---- what moves ---- */

/* Rows or columns of a matrix: n of them, as far as there are so many before `end`. */
typedef struct {
  gint64 from, n, end;
} Range;

static char *
range_words (Range r)
{
  return g_strdup_printf ("[%lld–%lld]", (long long) r.from, (long long) MIN (r.from + r.n, r.end) - 1);
}

static void
title_move (const LsTiles *t, gboolean is_a, Range rows, Range cols, double right)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const LsArea *cells = is_a ? &t->cells_a : &t->cells_b;
  LsScene *s = t->layout->moving;
  const char *local = is_a ? "As" : "Bs", *global = is_a ? "A" : "B";
  const char *name = t->cut.local ? local : global;
  g_autofree char *r = range_words (rows), *c = range_words (cols);
  g_autofree char *from = t->cut.local ? g_strdup_printf (_("from %s%s%s"), global, r, c)
                                       : g_strdup_printf ("%s%s", r, c);
  g_autofree char *in_text = t->cut.local ? g_strdup_printf ("%s, %s", is_a ? "a_tile" : "b_tile", from)
                                          : g_strdup (from);
  g_autofree char *brief = g_strdup_printf ("%s%s%s", t->cut.local ? global : "", r, c);
  const double y = cells->y - m->label.px * .8;
  const double x = ls_item_right (ls_scene_text (s, cells->x, y, bold, LS_INK_TEXT, LS_LEFT, name))
                   + 2 * m->unit;

  ls_text_fit (s, x, y, right - x, m->label, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ in_text, from, brief, NULL });
}

/* A cell of a tile: its value, on its way, or still to come. */
static void
cell_move (const LsTiles *t, const LsTilesMatrix *matrix, LsArea place, const LsTilesFill *fill, guint line,
           double value)
{
  LsScene *s = t->layout->moving;

  if (line >= fill->done + fill->flight)
    {
      ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_TRACK, 0);
      return;
    }
  if (line >= fill->done)
    {
      ls_scene_mark (s, LS_ITEM_HATCH, place.x, place.y, place.w, place.h, LS_INK_MARK, t->lane);
      return;
    }
  if (isnan (value) || matrix->top <= 0)
    {
      ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_SOFT, t->lane);
      return;
    }
  ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_SIGN, CLAMP (value / matrix->top, -1, 1))
    ->evidence
    = ls_tiles_evidence (t);
}

/* Both ends of the rows, or columns, that are in flight. */
static void
ends_move (const LsTiles *t, const LsArea *cells, const LsTilesFill *fill)
{
  const double bar = 1.5 * t->layout->m.unit, from = t->cell * fill->done, length = t->cell * fill->flight;
  LsScene *s = t->layout->moving;

  if (fill->flight == 0)
    return;
  for (guint end = 0; end < 2; end++)
    if (fill->by_col)
      ls_scene_box (s, cells->x + from, end == 0 ? cells->y - bar - 1 : cells->y + cells->h + 1, length, bar,
                    LS_INK_MARK, t->lane);
    else
      ls_scene_box (s, end == 0 ? cells->x - bar - 1 : cells->x + cells->w + 1, cells->y + from, bar, length,
                    LS_INK_MARK, t->lane);
}

static void
cells_move (const LsTiles *t, const LsTilesMatrix *matrix, const LsArea *cells, const LsTilesFill *fill,
            gint64 first_k)
{
  const double gap = t->cell >= 6 ? 1 : 0;
  const guint rows = (guint) (cells->h / t->cell + .5), cols = (guint) (cells->w / t->cell + .5);
  const gboolean is_a = matrix == &t->a;
  const guint step = t->cell < .5 ? (guint) ceil (.5 / t->cell) : 1; /* of a tile of thousands every so
                                                                        many */

  for (guint r = 0; r < rows; r += step)
    for (guint c = 0; c < cols; c += step)
      {
        const LsArea place = { cells->x + t->cell * c, cells->y + t->cell * r,
                               t->cell * MIN (step, cols - c) - gap, t->cell * MIN (step, rows - r) - gap };
        cell_move (t, matrix, place, fill, fill->by_col ? c : r,
                   ls_tiles_factor (t, is_a, is_a ? r : c, first_k + (is_a ? c : r)));
      }
  if (t->modelled)
    ls_scene_mark (t->layout->moving, LS_ITEM_HATCH, cells->x, cells->y, cells->w - gap, cells->h - gap,
                   LS_INK_EDGE, 0);
  ends_move (t, cells, fill);
}

static void
frame_cell (const LsTiles *t, const LsArea *cells, guint row, guint col, guint n_rows, guint n_cols)
{
  const double gap = t->cell >= 6 ? 1 : 0;

  ls_scene_mark (t->layout->moving, LS_ITEM_FRAME, cells->x + t->cell * col, cells->y + t->cell * row,
                 t->cell * n_cols - gap, t->cell * n_rows - gap, LS_INK_TEXT, 0);
}

gint64
ls_tiles_shown_round (const LsTiles *t, const LsTilesNow *now)
{
  return MIN (now->round, t->rounds - 1);
}

/* The two factors that the picked work-item is at: its own loads, or those of the multiply's step. */
gboolean
ls_tiles_own_cells (const LsTiles *t, const LsTilesNow *now, guint *a_col, guint *b_row)
{
  *a_col = *b_row = now->step;
  if (now->round >= t->rounds)
    return FALSE;
  if (now->phase == LS_LISTING_MULTIPLY || !t->cut.local)
    return TRUE;
  if (t->cut.rung != LS_RUNG_TILED)
    return FALSE;
  *a_col = t->item_col;
  *b_row = t->item_row;
  return t->item_col < t->window && t->item_row < t->window;
}

void
ls_tiles_local_move (const LsTiles *t, const LsTilesNow *now)
{
  const gint64 m0 = (gint64) t->row * t->cut.tile_m, n0 = ls_tiles_column (t, 0),
               k0 = ls_tiles_shown_round (t, now) * t->window;
  const gint64 wide = ls_tiles_column (t, (guint) ls_tiles_columns (t) - 1) + 1 - n0;
  const Range k = { k0, t->window, t->gemm.k };
  LsTilesFill a, b;
  guint a_col, b_row;

  ls_tiles_fill (t, now, &a, &b);
  title_move (t, TRUE, (Range){ m0, t->cut.tile_m, t->a.rows }, k, t->cells_b.x - 3 * t->layout->m.unit);
  title_move (t, FALSE, k, (Range){ n0, wide, t->b.cols }, t->local.x + t->local.w);
  cells_move (t, &t->a, &t->cells_a, &a, k0);
  cells_move (t, &t->b, &t->cells_b, &b, k0);
  if (!ls_tiles_own_cells (t, now, &a_col, &b_row) || t->cell < 4)
    return;
  if (now->phase == LS_LISTING_MULTIPLY && t->cut.local)
    {
      frame_cell (t, &t->cells_a, t->item_row, 0, 1, t->window);
      frame_cell (t, &t->cells_b, 0, t->item_col, t->window, 1);
    }
  frame_cell (t, &t->cells_a, t->item_row, a_col, 1, 1);
  frame_cell (t, &t->cells_b, b_row, t->item_col, 1, 1);
}
