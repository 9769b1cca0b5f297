/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Left in Tiles: A, B and C in the corner that the product makes of them, the work-group's bands in k tiles,
 * and the number of the tile that is in work.
 */
#include "config.h"
#include "ui/paint/tiles/tiles_cpu.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/text.h"

#define THIN 22.0 /* px: a matrix is drawn no narrower */

static char *
matrix_size (const LsTilesMatrix *matrix)
{
  return g_strdup_printf ("%lld×%lld", (long long) matrix->rows, (long long) matrix->cols);
}

static double
title_h (const LsMetrics *m)
{
  return m->label.px * 1.75;
}

static LsType
number_type (const LsMetrics *m)
{
  return (LsType){ m->projector               ? m->rate.px
                   : m->size == LS_SIZE_LARGE ? 56 * (m->label.px / 15)
                                              : 36 * (m->label.px / 14),
                   700 };
}

/* Label, number, how many are done, and a row of small tiles where there is room for one. */
static double
number_h (const LsMetrics *m)
{
  return m->label.px * 1.3 + number_type (m).px * 1.02 + m->label.px * 1.9;
}

static double
number_w (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  g_autofree char *of = g_strdup_printf (_("of %lld"), (long long) t->rounds);
  g_autofree char *n = g_strdup_printf ("%lld", (long long) t->rounds);
  const double first = ls_scene_width (t->layout->still, number_type (m), n) + 2 * m->unit
                       + ls_scene_width (t->layout->still, m->heading, of);

  return MAX (first, 46 * m->unit);
}

/* All three to one scale, as far as the thinnest stays visible. */
static void
place (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const double gap = 4 * m->unit, k = (double) t->a.cols, rows = (double) t->a.rows,
               cols = (double) t->b.cols, line = title_h (m);
  const double room_w = area.w - gap, room_h = area.h - 3 * line;
  double scale = MIN (room_w / (k + cols), room_h / (k + rows)), wide, high, b_w, a_h;

  b_w = MAX (cols * scale, THIN);
  a_h = MAX (rows * scale, THIN);
  scale = MIN ((room_w - b_w) / k, (room_h - a_h) / k);
  wide = high = MAX (k * scale, THIN);
  b_w = MIN (b_w, MAX (room_w - wide, 4));
  a_h = MIN (a_h, MAX (room_h - high, 4));
  t->at_a = (LsArea){ area.x, area.y + 2 * line + high, wide, a_h };
  t->at_b = (LsArea){ area.x + wide + gap, area.y + line, b_w, high };
  t->at_c = (LsArea){ t->at_b.x, t->at_a.y, b_w, a_h };
}

static void
matrix_title (const LsTiles *t, const LsTilesMatrix *matrix, const char *letter, double x, double y, double w,
              LsAlign align)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = t->layout->still;
  g_autofree char *name = g_strdup_printf ("%s = %s", letter, matrix->symbol), *size = matrix_size (matrix);
  const double name_w = ls_scene_width (s, bold, name),
               size_w = ls_scene_width (s, m->label, size) + 2 * m->unit;
  const gboolean both = name_w + size_w <= w;

  if (name_w > w)
    return;
  if (align == LS_RIGHT)
    x += w - name_w - (both ? size_w : 0);
  ls_scene_text (s, x, y, bold, LS_INK_TEXT, LS_LEFT, name);
  if (both)
    ls_scene_text (s, x + name_w + 2 * m->unit, y, m->label, LS_INK_QUIET, LS_LEFT, size);
}

static void
matrix_title_at (const LsTiles *t, const LsTilesMatrix *matrix, const char *letter, const LsArea *at,
                 double left, double right, double y)
{
  const LsMetrics *m = &t->layout->m;
  g_autofree char *size = matrix_size (matrix),
                  *all = g_strdup_printf ("%s = %s  %s", letter, matrix->symbol, size);

  if (at->x + ls_scene_width (t->layout->still, (LsType){ m->label.px, 700 }, all) + 2 * m->unit <= right)
    matrix_title (t, matrix, letter, at->x, y, right - at->x, LS_LEFT);
  else
    matrix_title (t, matrix, letter, left, y, right - left, LS_RIGHT);
}

/* The number doesn't fit into the corner: it goes above the matrices, or beside them where that leaves them
 * larger. Returns what is theirs. */
static LsArea
make_room (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const double aside = t->number_w + 4 * m->unit;
  const LsArea below = { area.x, area.y + number_h (m), area.w, area.h - number_h (m) },
               beside = { area.x, area.y, area.w - aside, area.h };
  double size;

  place (t, beside);
  size = t->at_a.w;
  place (t, below);
  if (t->at_a.w >= size)
    return below;
  place (t, beside);
  t->number_x = area.x + area.w - t->number_w;
  return beside;
}

void
ls_tiles_corner (LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  LsArea area = t->corner;
  const double line = title_h (m), foot = area.y + area.h;
  double beside, right, guide;
  gint64 first, columns;

  t->number_w = number_w (t);
  t->number_y = t->corner.y + m->label.px * 2.9 + number_type (m).px * .8;
  t->number_x = t->corner.x;
  place (t, area);
  if (t->at_a.w < t->number_w || t->at_b.h < number_h (m))
    area = make_room (t, area);
  const LsArea *const places[] = { &t->at_a, &t->at_b, &t->at_c };
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      ls_scene_box (s, places[i]->x - 1, places[i]->y - 1, places[i]->w + 2, places[i]->h + 2, LS_INK_EDGE,
                    0);
      ls_scene_box (s, places[i]->x, places[i]->y, places[i]->w, places[i]->h, LS_INK_TRACK, 0);
    }
  /* A's may go on above the gap, as far as the guide from B */
  ls_tiles_group (t, &first, &columns);
  guide = t->at_b.x
          + t->at_b.w / (double) t->b.cols * ((double) first + (double) MIN (columns, t->b.cols - first) / 2)
          - 2 * m->unit;
  matrix_title (t, &t->a, "A", t->at_a.x, t->at_a.y - line * .32, MAX (t->at_a.w, guide - t->at_a.x),
                LS_LEFT);
  /* B's and C's begin with their matrix, or end with it, as far as the number leaves room */
  beside = area.y > t->corner.y || t->number_x > t->corner.x ? area.x : area.x + t->number_w + 2 * m->unit;
  right = area.x + area.w;
  matrix_title_at (t, &t->b, "B", &t->at_b, MIN (beside, t->at_b.x), right, t->at_b.y - line * .32);
  if (t->at_c.y + t->at_c.h + line <= foot + 1)
    matrix_title_at (t, &t->c, "C", &t->at_c, area.x, right, t->at_c.y + t->at_c.h + line * .75);
}

/* ---- what moves ---- */

static void
number_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const LsType big = number_type (m);
  const double x = t->number_x, base = t->corner.y + m->label.px * 1.3 + big.px * .8;
  const gboolean over = now->round >= t->rounds;
  g_autofree char *number = g_strdup_printf ("%lld", (long long) MIN (now->round + 1, t->rounds));
  g_autofree char *of = g_strdup_printf (_("of %lld"), (long long) t->rounds);
  g_autofree char *state = over
                             ? g_strdup (now->stored ? _("all done, C stored") : _("all done, storing C"))
                           : now->phase == LS_LISTING_LOAD && t->cut.local
                             ? g_strdup_printf (_("%lld done, 1 loading"), (long long) now->round)
                             : g_strdup_printf (_("%lld done, 1 in work"), (long long) now->round);
  LsItem *item = NULL;

  ls_scene_text (s, x, t->corner.y + m->label.px, m->label, LS_INK_QUIET, LS_LEFT,
                 t->cpu == NULL              ? _("k tile")
                 : t->kind == LS_TILES_PLAIN ? _("k panel")
                                             : _("strip"));
  item = ls_scene_text (s, x, base, big, LS_INK_LANE, LS_LEFT, number);
  item->value = (float) t->lane;
  ls_scene_text (s, ls_item_right (item) + 2 * m->unit, base, (LsType){ m->heading.px, 400 }, LS_INK_TEXT,
                 LS_LEFT, of);
  ls_text_fit (s, x, base + m->label.px * 1.6,
               MAX (t->number_w, t->number_x > t->corner.x ? 0 : t->at_b.x - x), m->label, LS_INK_QUIET,
               LS_LEFT, (const char *const[]){ state, NULL });
}

/* The k tiles of a band, along x or down y. */
static void
band_move (const LsTiles *t, const LsTilesNow *now, LsArea band, gboolean down)
{
  const double length = (down ? band.h : band.w) * (double) t->gemm.k / (double) t->a.cols;
  const double each = length * (double) t->window / (double) t->gemm.k, gap = each >= 5 ? 1 : 0;
  LsScene *s = t->layout->moving;

  for (gint64 i = 0; i < t->rounds; i++)
    {
      const double from = round (each * (double) i), to = MIN (round (each * (double) (i + 1)), length);
      const LsInk ink = i < now->round ? LS_INK_SOFT : i == now->round ? LS_INK_MARK : LS_INK_EDGE;
      /* runs of equal thin tiles are one box */
      if (gap == 0 && i > 0 && i != now->round && i != now->round + 1)
        continue;
      const double end = gap > 0 || i == now->round ? to
                         : i < now->round           ? round (each * (double) now->round)
                                                    : length;

      if (down)
        ls_scene_box (s, band.x, band.y + from, band.w, MAX (end - from - gap, 1), ink, t->lane);
      else
        ls_scene_box (s, band.x + from, band.y, MAX (end - from - gap, 1), band.h, ink, t->lane);
    }
}

/* Calls that follow each other along C's columns have all products of their own ones. */
static void
columns_move (const LsTiles *t, const LsTilesNow *now, LsArea band)
{
  const LsTilesCpu *cpu = t->cpu;
  LsScene *s = t->layout->moving;
  LsTilesCall call;

  ls_tiles_cpu_call (t, now->round, &call);
  const double scale = band.w / (double) cpu->cols, from = round (scale * (double) (call.col - cpu->col)),
               wide = MAX (round (scale * (double) call.cols), 2);
  ls_scene_box (s, band.x, band.y, band.w, band.h, LS_INK_EDGE, 0);
  if (now->round >= t->rounds)
    ls_scene_box (s, band.x, band.y, band.w, band.h, LS_INK_SOFT, t->lane);
  else
    {
      if (from > 0)
        ls_scene_box (s, band.x, band.y, from, band.h, LS_INK_SOFT, t->lane);
      ls_scene_box (s, band.x + MIN (from, band.w - wide), band.y, wide, band.h, LS_INK_MARK, t->lane);
    }
}

/* The element in which the lanes differ, in C. */
static void
mark_difference (const LsTiles *t, double x_scale, double y_scale)
{
  const LsArea within = { t->corner.x, t->corner.y, t->corner.w, t->at_c.y + t->at_c.h - t->corner.y };
  gint64 row, col;

  if (ls_tiles_differs (t, &row, &col))
    ls_stage_difference (
      t->layout, within,
      (LsArea){ t->at_c.x + x_scale * (double) col, t->at_c.y + y_scale * (double) row, x_scale, y_scale },
      TRUE);
}

void
ls_tiles_corner_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  const LsType bold = { m->label.px, 700 };
  const double y_scale = t->at_a.h / (double) t->a.rows, x_scale = t->at_b.w / (double) t->b.cols;
  gint64 first, columns;

  ls_tiles_group (t, &first, &columns);
  const double top = t->at_a.y + MIN (y_scale * t->row * t->cut.tile_m, t->at_a.h - 4),
               left = t->at_b.x + MIN (x_scale * (double) first, t->at_b.w - 4);
  const double high = MAX (MIN (y_scale * t->cut.tile_m, t->at_a.y + t->at_a.h - top), 4);
  const double wide = MAX (MIN (x_scale * (double) columns, t->at_b.x + t->at_b.w - left), 4);
  const LsArea band_a = { t->at_a.x, top, t->at_a.w, high }, band_b = { left, t->at_b.y, wide, t->at_b.h };
  const double width = t->layout->style.hairline * 1.4;
  LsScene *s = t->layout->moving;

  number_move (t, now);
  if (t->cpu != NULL && t->cpu->along)
    {
      ls_scene_box (s, band_a.x, band_a.y, band_a.w, band_a.h,
                    now->round >= t->rounds ? LS_INK_SOFT : LS_INK_MARK, t->lane);
      columns_move (t, now, band_b);
    }
  else
    {
      band_move (t, now, band_a, FALSE);
      band_move (t, now, band_b, TRUE);
    }
  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, width);
  ls_scene_point (s, t->at_a.x + t->at_a.w, top + high / 2);
  ls_scene_point (s, left, top + high / 2);
  ls_scene_path (s, LS_ITEM_GUIDE, LS_INK_TEXT, 0, width);
  ls_scene_point (s, left + wide / 2, t->at_b.y + t->at_b.h);
  ls_scene_point (s, left + wide / 2, top);
  ls_scene_box (s, left, top, wide, high, now->stored ? LS_INK_MARK : LS_INK_VIEW, t->lane);
  ls_scene_mark (s, LS_ITEM_FRAME, left, top, wide, high, LS_INK_TEXT, 0);
  mark_difference (t, x_scale, y_scale);
  if (now->round >= t->rounds || m->size == LS_SIZE_SMALL || (t->cpu == NULL && !t->cut.local)
      || (t->cpu != NULL && t->cpu->model.by != LS_GEMM_BLAS))
    return;
  /* names beside the tiles that are in work */
  const char *const names[] = { t->cpu != NULL ? "Ap" : "As", t->cpu != NULL ? "Bp" : "Bs" };
  const double at = (double) now->round * t->window / (double) t->a.cols;
  const double as_w = ls_scene_width (s, bold, names[0]), bs_w = ls_scene_width (s, bold, names[1]);
  const double as_y = top - m->label.px * .45, bs_x = left + wide + 1.5 * m->unit;
  if (as_y - m->label.px > t->at_a.y)
    ls_scene_text (s, CLAMP (t->at_a.x + t->at_a.w * at, t->at_a.x + as_w, t->at_a.x + t->at_a.w - as_w),
                   as_y, bold, LS_INK_LANE, LS_CENTER, names[0])
      ->value
      = (float) t->lane;
  if (bs_x + bs_w < t->at_b.x + t->at_b.w && t->at_b.h > m->label.px * 1.4)
    ls_scene_text (s, bs_x, MIN (t->at_b.y + t->at_b.h * at + m->label.px, t->at_b.y + t->at_b.h - 4), bold,
                   LS_INK_LANE, LS_LEFT, names[1])
      ->value
      = (float) t->lane;
}
