/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the middle of Tiles: the two tiles with their values, the rows that are being loaded, what the picked work-item loads
 * and multiplies, and its sum.
 */
#include "config.h"
#include "ui/paint/tiles.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/number.h"

#define AXIS_W(m)   ((m)->tick.px * 1.15 + 2.75 * (m)->unit)
#define LEGEND_W    54   /* units of the grid */

static double
lines_h (const LsTiles *t, gboolean beside)
{
  const LsMetrics *m = &t->layout->m;

  if (m->projector)
    return m->heading.px * 1.6 + m->label.px * 1.8;
  return m->size == LS_SIZE_SMALL ? m->label.px * 2.9 : m->heading.px * 1.5 + m->label.px * (beside ? 1.9 : 5.2);
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
  const guint padding = t->cut.rung == LS_RUNG_REGISTER ? 2 : 0; /* a column of each tile, against bank conflicts */
  const gsize bytes = sizeof (float) * t->window * (t->cut.tile_m + t->cut.tile_n + padding);
  const LsViewLane *lane = &t->layout->data->sides[1];
  const gint64 most = lane->recorded != NULL ? lane->recorded->device->local_mem : -1;
  g_autofree char *used = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *all = most > 0 ? g_format_size_full ((guint64) most, G_FORMAT_SIZE_IEC_UNITS) : NULL;

  if (t->cut.panel)
    return g_strdup_printf (_("%u products at a time; B from a panel in local memory"), t->window);
  if (!t->cut.local)
    return g_strdup_printf (_("%u products at a time; nothing is shared"), (guint) MIN ((gint64) t->window, t->gemm.k));
  return all != NULL ? g_strdup_printf (_("%s of %s"), used, all) : g_steal_pointer (&used);
}

/* The sizes of the cells and of what stands round them. */
void
ls_tiles_local (LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const LsArea area = t->local;
  const double axis = AXIS_W (m), gap = axis + 5 * m->unit, head = m->heading.px * (m->size == LS_SIZE_SMALL ? .4 : 1.2), titles = m->label.px * 2.1;
  const double high = area.h - head - titles, legend = (LEGEND_W + 6) * m->unit;
  const guint tall = MAX (t->cut.tile_m, t->window);
  g_autofree char *words = memory_words (t);
  const double below = cell_size (t, area.w - axis - gap, high - lines_h (t, FALSE));
  const double beside = cell_size (t, area.w - axis - gap - legend, high - lines_h (t, TRUE));
  double cell = below;

  /* what the colours mean goes where there is room */
  if (m->size == LS_SIZE_MEDIUM && !m->projector && beside > below)
    {
      cell = beside;
      t->legend = (LsArea){ area.x + area.w - LEGEND_W * m->unit, area.y + head + titles, LEGEND_W * m->unit, cell * tall };
    }
  t->cell = cell;
  if (m->size != LS_SIZE_SMALL)
    ls_tiles_heading (s, m, area, area.y + m->heading.px, t->cut.local ? _("Local memory of this work-group") : _("What this work-group reads"), words);
  t->cells_a = (LsArea){ area.x + axis, area.y + head + titles, cell * t->window, cell * t->cut.tile_m };
  t->cells_b = (LsArea){ t->cells_a.x + t->cells_a.w + gap, t->cells_a.y, cell * t->cut.tile_n, cell * t->window };
  t->item_y = t->cells_a.y + cell * tall + (m->size == LS_SIZE_SMALL && !m->projector ? m->label.px * 1.3 : m->heading.px * 1.5);
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
          ls_scene_text (s, cells->x - 2.5 * m->unit, cells->y + cell * (k + .5) + m->tick.px * .36, m->tick, LS_INK_QUIET, LS_RIGHT, number);
        }
    }
}

/* ---- what moves ---- */

static char *
range_words (gint64 from, gint64 n, gint64 end)
{
  return g_strdup_printf ("[%lld–%lld]", (long long) from, (long long) MIN (from + n, end) - 1);
}

static void
title_move (const LsTiles *t, const LsTilesMatrix *matrix, const LsArea *cells, const char *local, const char *global, gint64 row, gint64 n_rows, gint64 rows,
            gint64 col, gint64 n_cols, gint64 cols, double right)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = t->layout->moving;
  const char *name = t->cut.local ? local : global;
  g_autofree char *r = range_words (row, n_rows, rows), *c = range_words (col, n_cols, cols);
  g_autofree char *from = t->cut.local ? g_strdup_printf (_("from %s%s%s"), global, r, c) : g_strdup_printf ("%s%s", r, c);
  g_autofree char *in_text = t->cut.local ? g_strdup_printf ("%s, %s", matrix == &t->a ? "a_tile" : "b_tile", from) : g_strdup (from);
  g_autofree char *brief = g_strdup_printf ("%s%s%s", t->cut.local ? global : "", r, c);
  const double y = cells->y - m->label.px * .8;
  const double x = ls_item_right (ls_scene_text (s, cells->x, y, bold, LS_INK_TEXT, LS_LEFT, name)) + 2 * m->unit;

  ls_tiles_say (s, x, y, right - x, m->label, LS_INK_QUIET, LS_LEFT, (const char *const[]) { in_text, from, brief, NULL });
}

/* A cell of a tile: its value, on its way, or still to come. */
static void
cell_move (const LsTiles *t, const LsTilesMatrix *matrix, LsArea place, const LsTilesFill *fill, guint line, double value)
{
  LsScene *s = t->layout->moving;

  if (line >= fill->done + fill->flight)
    {
      ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_TRACK, 0);
      return;
    }
  if (line >= fill->done)
    {
      ls_scene_mark (s, LS_ITEM_HATCH, place.x, place.y, place.w, place.h, LS_INK_MARK, 1);
      return;
    }
  if (isnan (value) || matrix->top <= 0)
    {
      ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_SOFT, 1);
      return;
    }
  ls_scene_box (s, place.x, place.y, place.w, place.h, LS_INK_SIGN, CLAMP (value / matrix->top, -1, 1))->evidence = ls_tiles_evidence (t);
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
      ls_scene_box (s, cells->x + from, end == 0 ? cells->y - bar - 1 : cells->y + cells->h + 1, length, bar, LS_INK_MARK, 1);
    else
      ls_scene_box (s, end == 0 ? cells->x - bar - 1 : cells->x + cells->w + 1, cells->y + from, bar, length, LS_INK_MARK, 1);
}

static void
cells_move (const LsTiles *t, const LsTilesMatrix *matrix, const LsArea *cells, const LsTilesFill *fill, gint64 first_k)
{
  const double gap = t->cell >= 6 ? 1 : 0;
  const guint rows = (guint) (cells->h / t->cell + .5), cols = (guint) (cells->w / t->cell + .5);
  const gboolean is_a = matrix == &t->a;
  const guint step = t->cell < .5 ? (guint) ceil (.5 / t->cell) : 1; /* of a tile of thousands every so many */

  for (guint r = 0; r < rows; r += step)
    for (guint c = 0; c < cols; c += step)
      {
        const LsArea place = { cells->x + t->cell * c, cells->y + t->cell * r, t->cell * MIN (step, cols - c) - gap, t->cell * MIN (step, rows - r) - gap };
        cell_move (t, matrix, place, fill, fill->by_col ? c : r, ls_tiles_factor (t, is_a, is_a ? r : c, first_k + (is_a ? c : r)));
      }
  if (t->modelled)
    ls_scene_mark (t->layout->moving, LS_ITEM_HATCH, cells->x, cells->y, cells->w - gap, cells->h - gap, LS_INK_EDGE, 0);
  ends_move (t, cells, fill);
}

static void
frame_cell (const LsTiles *t, const LsArea *cells, guint row, guint col, guint n_rows, guint n_cols)
{
  const double gap = t->cell >= 6 ? 1 : 0;

  ls_scene_mark (t->layout->moving, LS_ITEM_FRAME, cells->x + t->cell * col, cells->y + t->cell * row, t->cell * n_cols - gap,
                 t->cell * n_rows - gap, LS_INK_TEXT, 0);
}

static gint64
shown_round (const LsTiles *t, const LsTilesNow *now)
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
  const gint64 m0 = (gint64) t->row * t->cut.tile_m, n0 = ls_tiles_column (t, 0), k0 = shown_round (t, now) * t->window;
  LsTilesFill a, b;
  guint a_col, b_row;

  ls_tiles_fill (t, now, &a, &b);
  title_move (t, &t->a, &t->cells_a, "As", "A", m0, t->cut.tile_m, t->a.rows, k0, t->window, t->gemm.k, t->cells_b.x - 3 * t->layout->m.unit);
  title_move (t, &t->b, &t->cells_b, "Bs", "B", k0, t->window, t->gemm.k, n0, ls_tiles_column (t, (guint) ls_tiles_columns (t) - 1) + 1 - n0, t->b.cols, t->local.x + t->local.w);
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

/* ---- the picked work-item ---- */

/* "As[10][5] = A[42][85] = 0.429" */
static char *
factor_words (const LsTiles *t, const LsTilesMatrix *matrix, const char *local, const char *global, guint lr, guint lc, gint64 row,
              gint64 col, const LsTilesFill *fill)
{
  const guint line = fill->by_col ? lc : lr;
  const gboolean inside = row < matrix->rows && col < matrix->cols && (matrix == &t->a ? col : row) < t->gemm.k;
  const double value = inside ? ls_tiles_factor (t, matrix == &t->a, matrix == &t->a ? lr : lc, matrix == &t->a ? col : row) : 0;
  g_autofree char *number = ls_number_text (value, 3);
  const char *state = line >= fill->done + fill->flight ? _("to come") : line >= fill->done ? _("on its way")
                      : isnan (value) ? _("not recorded") : NULL;
  g_autofree char *from = g_strdup_printf ("%s[%lld][%lld]", global, (long long) row, (long long) col);
  g_autofree char *is = state != NULL ? g_strdup_printf (", %s", state) : g_strdup_printf (" = %s", number);

  if (!t->cut.local)
    return g_strconcat (from, is, NULL);
  return inside ? g_strdup_printf ("%s[%u][%u] = %s%s", local, lr, lc, from, is)
                : g_strdup_printf (_("%s[%u][%u] = 0, beyond the edge"), local, lr, lc);
}

static char *
sum_words (const LsTiles *t, const LsTilesNow *now)
{
  const gint64 m = (gint64) t->row * t->cut.tile_m + t->item_row, n = ls_tiles_column (t, t->item_col);
  const gint64 products = MIN (now->multiplied * t->window + now->step, t->gemm.k);
  const double sum = ls_tiles_sum (t, now);
  g_autofree char *number = ls_number_text (sum, 3), *count = ls_number_count ((guint64) products), *all = ls_number_count ((guint64) t->gemm.k);

  if (isnan (sum))
    return g_strdup_printf (_("C[%lld][%lld]: %s of %s products added up"), (long long) m, (long long) n, count, all);
  return g_strdup_printf (_("sum for C[%lld][%lld] so far: %s, after %s of %s products"), (long long) m, (long long) n, number, count, all);
}

void
ls_tiles_ramp (const LsTiles *t, double value, double x, double y, double w)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  g_autofree char *top = ls_number_tick (value), *low = g_strconcat ("−", top, NULL), *high = g_strconcat ("+", top, NULL);
  const double left = ls_scene_width (s, m->tick, low) + 6, right = ls_scene_width (s, m->tick, high) + 6;

  if (value <= 0 || w - left - right < 40)
    return;
  ls_scene_text (s, x, y, m->tick, LS_INK_QUIET, LS_LEFT, low);
  ls_scene_mark (s, LS_ITEM_RAMP, x + left, y - m->tick.px * .78, w - left - right, m->tick.px * .9, LS_INK_SIGN, 0);
  ls_scene_text (s, x + w - right + 6, y, m->tick, LS_INK_QUIET, LS_LEFT, high);
}

/* Where the values come from. */
char *
ls_tiles_source_words (const LsTiles *t, gboolean brief)
{
  const LsRecording *recording = t->layout->data->recording;
  const LsRecordedShape *in[2] = { &recording->shapes[t->recorded->in[0]], &recording->shapes[t->recorded->in[1]] };

  if (t->cpu == NULL && t->modelled && t->walk != NULL)
    return g_strdup (brief ? _("run again, not in the step") : _("of a run for this picture alone, not of the step"));
  if (t->cpu == NULL && t->modelled && t->side == 0)
    return g_strdup (brief ? _("the CPU’s numbers") : _("the CPU’s numbers, in a model of the kernel"));
  if (t->walk != NULL && t->cpu == NULL)
    return g_strdup (!t->cut.local ? _("read back from the device") : brief ? _("read back from local memory") : _("values read back from the device’s local memory"));
  if (t->side < 0)
    return g_strdup (brief ? _("values not recorded") : _("no values were recorded with this step"));
  for (guint i = 0; i < 2 && !t->as_found; i++)
    if (in[i]->role == LS_ROLE_WEIGHT)
      return g_strdup_printf (brief ? _("read back: %s as updated") : _("values read back after the step: %s as updated"), in[i]->symbol);
  return g_strdup (brief ? _("values read back") : _("values read back after the step"));
}

/* What the colours mean, on lines from y on, each w wide. */
static void
legend (const LsTiles *t, double x, double y, double w, const char *source)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const double line = m->label.px * 1.55, in = m->evidence + 7;
  const struct { gboolean there; LsEvidence evidence; const char *text; } notes[] = {
    { TRUE, ls_tiles_evidence (t), source },
    { t->cut.local, LS_EVIDENCE_MODELLED, _("order of the work-items inside the group") },
  };
  const struct { const LsTilesMatrix *matrix; const char *name; } ramps[] = { { &t->a, "A" }, { &t->b, "B" } };

  for (guint i = 0; i < G_N_ELEMENTS (ramps); i++, y += line)
    {
      ls_scene_text (s, x, y + m->label.px, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_LEFT, ramps[i].name);
      ls_tiles_ramp (t, ramps[i].matrix->top, x + 4 * m->unit, y + m->label.px, w - 4 * m->unit);
    }
  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    {
      double foot;
      if (!notes[i].there)
        continue;
      foot = ls_stage_wrapped (t->layout, x + in, y, w - in, m->label, LS_INK_QUIET, notes[i].text, FALSE);
      if (foot > t->legend.y + t->legend.h)
        return;
      ls_scene_evidence (s, x, y + m->label.px * (1.35 - .36) - m->evidence / 2, m->evidence, notes[i].evidence, LS_INK_TEXT);
      ls_tiles_wrapped (s, x + in, y, w - in, m->label, LS_INK_QUIET, notes[i].text);
      y = foot + m->unit;
    }
}

/* One statement for the hall. */
static void
statement (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const double x = t->cells_a.x, right = t->local.x + t->local.w, half = (right - x) / 2;

  ls_tiles_verdict (t, now, x, t->item_y, right - x, m->heading);
  ls_tiles_ramp (t, t->a.top, x, t->item_y + m->label.px * 1.7, half - 8 * m->unit);
  ls_tiles_ramp (t, t->b.top, x + half, t->item_y + m->label.px * 1.7, half - 8 * m->unit);
}

void
ls_tiles_item_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const gboolean small = m->size == LS_SIZE_SMALL;
  const LsEvidence evidence = ls_tiles_evidence (t);
  const gint64 m0 = (gint64) t->row * t->cut.tile_m, k0 = shown_round (t, now) * t->window;
  const double x = t->cells_a.x, right = t->local.x + t->local.w, half = (right - x) / 2, line = m->label.px * 1.55;
  const LsType bold = { m->label.px, 700 };
  g_autofree char *title = g_strdup_printf (t->cut.item_m > 1 ? _("Work-item of (%u, %u)") : _("Work-item (%u, %u)"), t->item_col, t->item_row);
  g_autofree char *sum = sum_words (t, now), *source = ls_tiles_source_words (t, FALSE), *brief = ls_tiles_source_words (t, TRUE);
  LsTilesFill a, b;
  guint a_col, b_row;
  double y = t->item_y, after;

  if (m->projector)
    {
      statement (t, now);
      return;
    }
  ls_tiles_fill (t, now, &a, &b);
  after = ls_item_right (ls_scene_text (s, x, y, small ? bold : m->heading, LS_INK_TEXT, LS_LEFT, title)) + 3 * m->unit;
  ls_tiles_marked (s, m, after, y, right - after, LS_EVIDENCE_DERIVED, LS_INK_TEXT, sum);
  y += line;
  if (small)
    {
      after = ls_tiles_verdict (t, now, x, y, right - x, bold) + 4 * m->unit;
      if (ls_tiles_marked (s, m, after, y, right - after, evidence, LS_INK_QUIET, source) <= after)
        ls_tiles_marked (s, m, after, y, right - after, evidence, LS_INK_QUIET, brief);
      return;
    }
  if (ls_tiles_own_cells (t, now, &a_col, &b_row))
    {
      g_autofree char *left_words = factor_words (t, &t->a, "As", "A", t->item_row, a_col, m0 + t->item_row, k0 + a_col, &a);
      g_autofree char *right_words = factor_words (t, &t->b, "Bs", "B", b_row, t->item_col, k0 + b_row, ls_tiles_column (t, t->item_col), &b);
      ls_tiles_say (s, x, y, half - 8, m->label, LS_INK_TEXT, LS_LEFT, (const char *const[]) { left_words, NULL });
      ls_tiles_say (s, x + half, y, half, m->label, LS_INK_TEXT, LS_LEFT, (const char *const[]) { right_words, NULL });
    }
  if (t->legend.h > 0)
    {
      legend (t, t->legend.x, t->legend.y, t->legend.w, source);
      return;
    }
  y += line;
  if (t->ledger.h > 0 && t->ledger.x < right && t->ledger.y > t->item_y - m->label.px && y + line > t->ledger.y) /* the ledger stands right below */
    return;
  if (ls_tiles_marked (s, m, x, y, half - 8, evidence, LS_INK_QUIET, source) <= x)
    ls_tiles_marked (s, m, x, y, half - 8, evidence, LS_INK_QUIET, brief);
  if (t->cut.local && ls_tiles_marked (s, m, x + half, y, half, LS_EVIDENCE_MODELLED, LS_INK_QUIET, _("order of the work-items inside the group")) <= x + half)
    ls_tiles_marked (s, m, x + half, y, half, LS_EVIDENCE_MODELLED, LS_INK_QUIET, _("order inside the group"));
  y += line;
  ls_tiles_ramp (t, t->a.top, x, y, MIN (half - 16, 60 * m->unit));
  ls_tiles_ramp (t, t->b.top, x + half, y, MIN (half - 16, 60 * m->unit));
}
