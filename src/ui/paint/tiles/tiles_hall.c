/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles for a hall: one lane across the page, both tiles with the numbers of the row and the column in use,
 * the line that runs with its arithmetic, one sentence, and what is saved. Everything else is left to the
 * desk.
 */
#include "config.h"
#include "ui/paint/tiles/tiles.h"

#include <math.h>
#include <glib/gi18n-lib.h>

#include "ui/paint/parts/coming.h"
#include "core/number.h"
#include "ui/paint/parts/text.h"

#define CROSS 96. /* px at 1080 lines between the tiles, for the sign between them */

/* ---- the head ---- */

/* Why the lane whose kernel is walked through has no numbers of its own, where it has none: that it still
 * comes and what it waits for, that the step was recorded without it, or that there is none. Returns the
 * height. */
static double
absent (LsTiles *t, LsArea area, double y)
{
  const LsMetrics *m = &t->layout->m;
  const LsViewData *data = t->layout->data;
  const LsViewLane *lane = ls_tiles_opencl (data);
  const double x = area.x + m->margin, mark = ls_lane_left_told (lane) ? m->evidence + 1.5 * m->unit : 0;
  g_autofree char *built = ls_coming_built (lane), *trained = ls_coming_waits (data, 1 - t->lane, NULL);
  g_autofree char *waits = trained != NULL
                             ? g_strdup_printf ("%s: %s", data->sides[1 - t->lane].name, trained)
                             : NULL;
  const char *const parts[] = { lane->message, built, waits };
  g_autoptr (GString) words = g_string_new (NULL);

  if (lane->message == NULL || (lane->there && !ls_lane_coming (lane) && !ls_lane_unrecorded (lane)))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", parts[i]);
  if (mark > 0)
    ls_scene_evidence (t->layout->still, x, y + m->body.px * (1.35 - .36) - m->evidence / 2, m->evidence,
                       LS_EVIDENCE_DERIVED, LS_INK_QUIET);
  return ls_text_wrapped (t->layout->still, x + mark, y, area.w - 2 * m->margin - mark,
                          (LsType){ m->body.px, 700 }, LS_INK_TEXT, words->str, TRUE)
         + m->unit - y;
}

double
ls_tiles_hall_head (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  const LsViewData *data = t->layout->data;
  const LsViewLane *lane = ls_tiles_opencl (data);
  LsScene *s = t->layout->still;
  const double left = area.x + m->margin, w = area.w - 2 * m->margin,
               base = area.y + m->rule + m->name.px * 1.05;
  double x, right = left + w;
  g_autofree char *all = NULL, *brief = NULL;

  ls_scene_box (s, left, area.y, w, m->rule, LS_INK_MARK, t->lane)->side = (guint8) t->lane;
  x = ls_item_right (ls_scene_text (s, left, base, m->name, LS_INK_LANE, LS_LEFT, lane->name)) + 3 * m->unit;
  ls_scene_get (s, s->items->len - 1)->value = (float) t->lane;
  if (data->disagree[0] != NULL)
    {
      ls_scene_mark (s, LS_ITEM_WARNING, x, base - m->name.px * .8, m->name.px * .8, m->name.px * .8,
                     LS_INK_TEXT, 0);
      x += m->name.px * .8 + 3 * m->unit;
    }
  if (lane->there && ls_figure_stands (&lane->rate))
    {
      g_autofree char *rate = ls_number_scaled (lane->rate.value),
                      *spread = ls_number_spread (lane->rate.value, lane->rate.q1, lane->rate.q3);
      g_autofree char *caption = g_strdup_printf (_("samples/s, %s"), spread);
      LsItem *number = ls_scene_text (s, right, base, m->rate, LS_INK_LANE, LS_RIGHT, rate);
      number->value = (float) t->lane;
      ls_item_number (number, (gint) t->lane, LS_NUMBER_RATE);
      right = (double) number->x - 2 * m->unit - ls_scene_width (s, m->body, caption);
      ls_scene_text (s, right, base, m->body, LS_INK_QUIET, LS_LEFT, caption);
      right -= m->evidence + 1.5 * m->unit;
      ls_item_number (ls_scene_evidence (s, right, base - m->body.px * .36 - m->evidence / 2, m->evidence,
                                         lane->rate.evidence, LS_INK_QUIET),
                      (gint) t->lane, LS_NUMBER_RATE);
    }
  all = lane->device != NULL && *lane->device
          ? g_strdup_printf (_("%s, %s, batch %u"), lane->device, ls_precision_name (lane->precision),
                             data->batch)
          : g_strdup_printf (_("%s, batch %u"), ls_precision_name (lane->precision), data->batch);
  brief = g_strdup (lane->device != NULL ? lane->device : "");
  ls_text_fit (s, x, base, right - x - 3 * m->unit, m->device, LS_INK_QUIET, LS_LEFT,
               (const char *const[]){ all, brief, NULL });
  return m->rule + m->name.px * 1.45 + absent (t, area, area.y + m->rule + m->name.px * 1.3);
}

/* ---- places ---- */

static LsType
code_type (const LsMetrics *m)
{
  return (LsType){ m->heading.px, 700, TRUE };
}

void
ls_tiles_hall (LsTiles *t, LsArea area)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->still;
  const double gap = CROSS * m->unit / 7, w = (area.w - 2 * m->margin - gap) / 2, x = area.x + m->margin;
  const double titles = m->number.px * 1.5, line = m->heading.px * 1.9,
               below = m->rate.px * 1.1 + m->body.px * 1.7;
  const double h = area.h - titles - line - below - 4 * m->unit;

  t->cells_a = (LsArea){ x, area.y + titles, w, h };
  t->cells_b = (LsArea){ x + w + gap, area.y + titles, w, h };
  t->source = (LsArea){ x, area.y + titles + h + 2 * m->unit, 2 * w + gap, line };
  t->item_y = t->source.y + line + 1 * m->unit;
  ls_scene_text (s, x + w + gap / 2, t->cells_a.y + h / 2 + m->title.px * .36, m->title, LS_INK_TEXT,
                 LS_CENTER, "×");
}

/* ---- what moves ---- */

/* A value is printed as a whole number of these: hundredths, or smaller where all are small. */
static double
parts_of (double top)
{
  return top <= 0 || top > .1 ? 100 : pow (10, ceil (2 - log10 (top * 10)));
}

static char *
parts_words (double parts)
{
  if (parts < 1000)
    return g_strdup (_("in hundredths"));
  if (parts < 10000)
    return g_strdup (_("in thousandths"));
  g_autofree char *unit = ls_number_power (1 / parts);
  return g_strdup_printf (_("in units of %s"), unit);
}

static void
title (const LsTiles *t, const LsArea *cells, const char *name, const LsTilesMatrix *matrix, const char *what,
       double right)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const double y = cells->y - m->number.px * .45;
  g_autofree char *parts = parts_words (parts_of (matrix->top));
  double x = ls_item_right (ls_scene_text (s, cells->x, y, m->number, LS_INK_TEXT, LS_LEFT, name))
             + 2 * m->unit;

  if (x + ls_scene_width (s, m->label, what) > right)
    return;
  x = ls_item_right (ls_scene_text (s, x, y, m->label, LS_INK_QUIET, LS_LEFT, what)) + 3 * m->unit;
  if (matrix->values != NULL || t->walk != NULL)
    ls_text_marked (s, m, x, y, right - x, ls_tiles_evidence (t), LS_INK_QUIET, parts);
}

/* A number of the row or the column in use; all of them or none have room. */
static void
number (const LsTiles *t, LsArea cell, double value, double parts, double top, gboolean current)
{
  const LsMetrics *m = &t->layout->m;
  const LsType type = { MIN (m->tick.px, floor (cell.h * .86)), current ? 700 : 400 };
  g_autofree char *text = g_strdup_printf ("%s%.0f", value < 0 && round (value * parts) < 0 ? "−" : "",
                                           fabs (round (value * parts)));
  LsItem *item;

  if (type.px < 22
      || ls_scene_width (t->layout->moving, (LsType){ type.px, 700 }, top * parts >= 100 ? "−100" : "−00")
           > cell.w)
    return;
  item = ls_scene_text (t->layout->moving, cell.x + cell.w / 2, cell.y + cell.h / 2 + type.px * .36, type,
                        LS_INK_ON_SIGN, LS_CENTER, text);
  item->value = top > 0 ? CLAMP (value / top, -1, 1) : 0;
}

static void
cells (const LsTiles *t, const LsTilesNow *now, const LsTilesMatrix *matrix, const LsArea *area,
       const LsTilesFill *fill)
{
  const gboolean is_a = matrix == &t->a;
  const guint rows = is_a ? t->cut.tile_m : t->window, cols = is_a ? t->window : t->cut.tile_n;
  const double w = area->w / cols, h = area->h / rows, gap = MIN (w, h) >= 8 ? 2 : 1,
               parts = parts_of (matrix->top);
  const gint64 k0 = MIN (now->round, t->rounds - 1) * t->window;
  LsScene *s = t->layout->moving;
  guint a_col, b_row;
  const gboolean at = ls_tiles_own_cells (t, now, &a_col, &b_row),
                 multiplies = at && (now->phase == LS_LISTING_MULTIPLY || !t->cut.local);

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < cols; c++)
      {
        const LsArea cell = { area->x + w * c, area->y + h * r, w - gap, h - gap };
        const guint line = fill->by_col ? c : r;
        const double value = ls_tiles_factor (t, is_a, is_a ? r : c, k0 + (is_a ? c : r));
        const gboolean used = multiplies && (is_a ? r == t->item_row : c == t->item_col);

        if (line >= fill->done + fill->flight)
          ls_scene_box (s, cell.x, cell.y, cell.w, cell.h, LS_INK_TRACK, 0);
        else if (line >= fill->done)
          ls_scene_mark (s, LS_ITEM_HATCH, cell.x, cell.y, cell.w, cell.h, LS_INK_MARK, t->lane);
        else if (isnan (value) || matrix->top <= 0)
          ls_scene_box (s, cell.x, cell.y, cell.w, cell.h, LS_INK_SOFT, t->lane);
        else
          {
            ls_scene_box (s, cell.x, cell.y, cell.w, cell.h, LS_INK_SIGN, CLAMP (value / matrix->top, -1, 1))
              ->evidence
              = ls_tiles_evidence (t);
            if (used)
              number (t, cell, value, parts, matrix->top, is_a ? c == a_col : r == b_row);
          }
      }
  if (t->modelled)
    ls_scene_mark (s, LS_ITEM_HATCH, area->x, area->y, area->w - gap, area->h - gap, LS_INK_EDGE, 0);
  if (multiplies && is_a)
    ls_scene_mark (s, LS_ITEM_FRAME, area->x, area->y + h * t->item_row, area->w - gap, h - gap, LS_INK_TEXT,
                   0);
  else if (multiplies)
    ls_scene_mark (s, LS_ITEM_FRAME, area->x + w * t->item_col, area->y, w - gap, area->h - gap, LS_INK_TEXT,
                   0);
  if (at && is_a)
    ls_scene_mark (s, LS_ITEM_FRAME, area->x + w * a_col, area->y + h * t->item_row, w - gap, h - gap,
                   LS_INK_TEXT, 0);
  else if (at)
    ls_scene_mark (s, LS_ITEM_FRAME, area->x + w * t->item_col, area->y + h * b_row, w - gap, h - gap,
                   LS_INK_TEXT, 0);
}

/* "k = 8: 0.74 · 0.80 = 0.59": of the picked work-item, at the step that runs; NULL: it multiplies nothing
 * now. */
static char *
arithmetic (const LsTiles *t, const LsTilesNow *now)
{
  const gint64 k = MIN (now->round, t->rounds - 1) * t->window + now->step;
  const double a = ls_tiles_factor (t, TRUE, t->item_row, k), b = ls_tiles_factor (t, FALSE, t->item_col, k);
  guint a_col, b_row;

  if (!ls_tiles_own_cells (t, now, &a_col, &b_row) || (now->phase != LS_LISTING_MULTIPLY && t->cut.local)
      || isnan (a) || isnan (b))
    return NULL;
  g_autofree char *left = ls_number_text (a, 2), *right = ls_number_text (b, 2),
                  *product = ls_number_text (a * b, 2);
  return g_strdup_printf (_("k = %u:  %s · %s = %s"), now->step, left, right, product);
}

static void
source_line (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  const LsArea *a = &t->source;
  const double base = a->y + a->h / 2 + m->heading.px * .36;
  const char *text = ls_tiles_running_text (t, now);
  g_autofree char *sum = arithmetic (t, now);
  LsType type = code_type (m);
  double end = a->x + a->w - 2 * m->unit, x;

  ls_scene_box (s, a->x, a->y, a->w, a->h, LS_INK_SOFT, t->lane)->size = (float) m->unit;
  ls_scene_box (s, a->x, a->y, 2 * m->unit, a->h, LS_INK_MARK, t->lane);
  if (sum != NULL)
    {
      x = end - ls_scene_width (s, m->heading, sum);
      ls_scene_text (s, x, base, m->heading, LS_INK_TEXT, LS_LEFT, sum);
      end = x - m->evidence - 2 * m->unit;
      ls_scene_evidence (s, end, base - m->heading.px * .36 - m->evidence / 2, m->evidence,
                         LS_EVIDENCE_MODELLED, LS_INK_TEXT);
    }
  x = a->x + 5 * m->unit;
  if (text == NULL)
    text = now->round >= t->rounds ? _("done") : NULL;
  /* smaller where the line is long, never under what a hall reads */
  while (text != NULL && type.px > 22 && x + ls_scene_width (s, type, text) > end - 2 * m->unit)
    type.px -= 1;
  if (text != NULL)
    ls_text_fit (s, x, base, end - 2 * m->unit - x, type, LS_INK_TEXT, LS_LEFT,
                 (const char *const[]){ text, NULL });
}

static char *
sentence (const LsTiles *t)
{
  if (!t->cut.local && t->cut.item_m * t->cut.item_n <= 1)
    return g_strdup (_("Each value is fetched anew for every product."));
  if (t->cut.local && t->cut.tile_m == t->cut.tile_n && t->cut.item_m == 1)
    return g_strdup_printf (_("Each value is fetched once and used by %u work-items."), t->cut.tile_n);
  if (t->cut.tile_m == t->cut.tile_n)
    return g_strdup_printf (_("Each value is fetched once and used for %u products."), t->cut.tile_n);
  return g_strdup_printf (_("A value of A is fetched once for %u products, one of B for %u."), t->cut.tile_n,
                          t->cut.tile_m);
}

static void
saving (const LsTiles *t)
{
  const LsMetrics *m = &t->layout->m;
  LsScene *s = t->layout->moving;
  LsTilesNow end;
  LsLedger own, naive;
  const double right = t->source.x + t->source.w, base = t->item_y + m->rate.px * .86,
               second = base + m->body.px * 1.35;

  ls_tiles_now (t, LS_TIME_END, &end);
  ls_tiles_count (t, &end, &own, &naive);
  const double times = own.global_loads > 0 ? (double) naive.global_loads / (double) own.global_loads : 0;
  g_autofree char *factor = ls_number_text (times, 2), *few = ls_number_count ((guint64) own.global_loads),
                  *many = ls_number_count ((guint64) naive.global_loads);
  g_autofree char *big = times > 1 ? g_strdup_printf (_("%s times fewer trips"), factor)
                                   : g_strdup (_("no trip is saved"));
  g_autofree char *loads = times > 1 ? g_strdup_printf (_("to memory: %s loads, not %s"), few, many)
                                     : g_strdup_printf (_("to memory: %s loads"), few);
  g_autofree char *words = sentence (t), *modelled = ls_tiles_modelled_words (t);
  const double left = right - MAX (ls_scene_width (s, m->rate, big), ls_scene_width (s, m->body, loads));

  ls_scene_text (s, left, base, m->rate, LS_INK_TEXT, LS_LEFT, big);
  ls_scene_evidence (s, left - m->evidence - 2 * m->unit, base - m->rate.px * .36 - m->evidence / 2,
                     m->evidence, LS_EVIDENCE_DERIVED, LS_INK_TEXT);
  ls_scene_text (s, left, second, m->body, LS_INK_TEXT, LS_LEFT, loads);
  const double room = left - m->evidence - 5 * m->unit - t->source.x;
  double top = t->item_y - m->body.px * .2;
  /* what didn't happen in the step comes first */
  if (modelled != NULL)
    {
      const double y = top + m->label.px * 1.35;
      ls_scene_evidence (s, t->source.x, y - m->label.px * .36 - m->evidence / 2, m->evidence,
                         LS_EVIDENCE_MODELLED, LS_INK_TEXT);
      top = ls_text_wrapped (s, t->source.x + m->evidence + 7, top, room - m->evidence - 7, m->label,
                             LS_INK_TEXT, modelled, TRUE);
    }
  if (ls_text_wrapped (t->layout->still, t->source.x, top, room, m->body, LS_INK_TEXT, words, FALSE)
      <= t->bottom)
    ls_text_wrapped (s, t->source.x, top, room, m->body, LS_INK_TEXT, words, TRUE);
}

void
ls_tiles_hall_move (const LsTiles *t, const LsTilesNow *now)
{
  const LsMetrics *m = &t->layout->m;
  g_autofree char *all = ls_number_count ((guint64) t->rounds),
                  *at = ls_number_count ((guint64) MIN (now->round + 1, t->rounds));
  g_autofree char *place = g_strdup_printf (_("k tile %s of %s"), at, all);
  LsTilesFill a, b;

  ls_tiles_fill (t, now, &a, &b);
  g_autofree char *rows = g_strdup_printf (_("rows of %s"), t->a.symbol),
                  *columns = g_strdup_printf (_("columns of %s"), t->b.symbol);
  title (t, &t->cells_a, t->cut.local ? "As" : "A", &t->a, rows, t->cells_a.x + t->cells_a.w);
  title (t, &t->cells_b, t->cut.local ? "Bs" : "B", &t->b, columns,
         (double) ls_scene_text (t->layout->moving, t->cells_b.x + t->cells_b.w,
                                 t->cells_b.y - m->number.px * .45, m->number, LS_INK_TEXT, LS_RIGHT, place)
             ->x
           - 3 * m->unit);
  cells (t, now, &t->a, &t->cells_a, &a);
  cells (t, now, &t->b, &t->cells_b, &b);
  source_line (t, now);
  saving (t);
}
