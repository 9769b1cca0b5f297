/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under the matrix: who worked when. Rows of time per worker or thread; slots per compute unit where the
 * device tells them; the order alone where nothing else is known. With more workers than rows, a row stands
 * for several of them and shows the one that was busy longest.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/number.h"

#define ROW_MIN  3.0 /* px */
#define FEW_ROWS 4u

gboolean
ls_bars_have_rows (const LsPartLane *p)
{
  return p->trace != NULL && (p->trace->known == LS_KNOWN_THREADS || ls_bars_in_slots (p));
}

/* A hall reads no 24 numbers: there the order alone is shown. */
gboolean
ls_bars_in_slots (const LsPartLane *p)
{
  return !ls_lane_has_workers (p->lane) && p->trace->known == LS_KNOWN_UNITS && !p->layout->m.projector;
}

static guint
slot_rows (const LsPartLane *p, double height)
{
  return p->trace->n_rows > 96 ? (guint) MAX (8, height / 12) : 8;
}

/* Where they are few, each row is as high as its number. */
static double
few_row_h (const LsPartLane *p)
{
  return MAX (p->layout->m.bar_h, p->layout->m.label.px * 1.2);
}

double
ls_bars_height (const LsPartLane *p, double most)
{
  const LsMetrics *m = &p->layout->m;
  guint rows;

  if (p->trace->known == LS_KNOWN_NOTHING)
    return 0; /* a sentence in the heading's place */
  if (ls_bars_in_slots (p))
    return MIN (most, 8 * m->bar_h);
  if (!ls_bars_have_rows (p))
    return MIN (most, m->projector ? 8 * m->bar_h : 2 * m->bar_h + 1.8 * m->body.px);
  rows = MAX (p->trace->n_rows, 1);
  if (rows <= FEW_ROWS)
    return MIN (most, rows * few_row_h (p));
  return MIN (most, rows <= 8 ? rows * m->bar_h : MAX (8 * m->bar_h, rows * 5.0));
}

static const char *
heading_of (const LsPartLane *p)
{
  if (ls_lane_has_workers (p->lane))
    return p->layout->m.projector ? _("Who waits?") : _("Time per worker");
  switch (p->trace->known)
    {
    case LS_KNOWN_UNITS:
      return ls_bars_in_slots (p) ? _("Work-groups per compute unit") : _("Done in this order");
    case LS_KNOWN_THREADS:
      return p->trace->timed ? _("Time per thread") : _("Order per thread");
    case LS_KNOWN_ORDER:
      return _("Done in this order");
    case LS_KNOWN_NOTHING:
      break;
    }
  return "";
}

/* first done ▬▬▬ last, right of the heading, where there is room. Returns its left end. */
static double
order_legend (const LsPartLane *p, double from)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->still;
  g_autofree char *last = ls_number_ordinal (p->trace->n_ranks);
  const double right = p->area.x + p->area.w, ramp = m->size == LS_SIZE_LARGE ? 160 : 100;
  const double last_w = ls_scene_width (s, m->label, last),
               first_w = ls_scene_width (s, m->label, _("first done"));
  const double x = right - last_w - 8 - ramp - 8 - first_w;

  if (x < from + 12 || p->trace->n_ranks == 0)
    return right;
  ls_scene_text (s, x, p->heading_y, m->label, LS_INK_QUIET, LS_LEFT, _("first done"));
  ls_scene_mark (s, LS_ITEM_RAMP, x + first_w + 8, p->heading_y - m->label.px * .8, ramp, m->label.px * .95,
                 LS_INK_NONE, 0);
  ls_scene_text (s, right, p->heading_y, m->label, LS_INK_QUIET, LS_RIGHT, last);
  return x;
}

static void
draw_heading (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const double right = p->area.x + p->area.w;
  LsScene *s = p->layout->still;
  g_autofree char *about = NULL;
  double x = ls_item_right (
               ls_scene_text (s, p->area.x, p->heading_y, m->heading, LS_INK_TEXT, LS_LEFT, heading_of (p)))
             + 12;

  if (p->fold > 1)
    about = g_strdup_printf (ls_lane_has_workers (p->lane) ? _("a row: the busiest of %u workers")
                                                           : _("a row: the busiest of %u threads"),
                             p->fold);
  else if (!ls_lane_has_workers (p->lane) && p->lane->shares_cpu && p->layout->data->turns)
    about = g_strdup (_("same cores, in turn"));
  else if (ls_lane_has_workers (p->lane) && !m->projector)
    about = g_strdup_printf (_("%s since the op began"), ls_number_time_unit ((double) p->span_ns, NULL));
  const double about_w = about != NULL ? ls_scene_width (s, m->label, about) : 0;
  double end = right;
  if (ls_lane_has_workers (p->lane))
    {
      g_autofree char *done = g_strdup_printf (_("done at %s"), "000 µs");
      const LsType bold = { m->label.px, 700 };
      end -= MAX (ls_scene_width (s, bold, _("now 000.0 µs")), ls_scene_width (s, bold, done));
    }
  else if (!m->projector)
    end = order_legend (p, x + about_w);
  else if (!ls_bars_have_rows (p) && p->trace->ran)
    {
      g_autofree char *n = ls_number_count (p->trace->n),
                      *time = ls_number_time ((double) (p->trace->end_ns - p->trace->start_ns));
      g_autofree char *all = g_strdup_printf (_("all %s at %s"), n, time);
      if (x + ls_scene_width (s, m->label, all) < right)
        end = (double) ls_scene_text (s, right, p->heading_y, m->label, LS_INK_TEXT, LS_RIGHT, all)->x;
    }
  if (about != NULL && x + about_w + 12 < end)
    ls_scene_text (s, x, p->heading_y, m->label, LS_INK_QUIET, LS_LEFT, about);
}

double
ls_bars_x (const LsPartLane *p, gint64 ns)
{
  return p->clock_x + p->clock_w * (double) CLAMP (ns, 0, p->span_ns) / (double) MAX (p->span_ns, 1);
}

/* Of each drawn row the worker that is shown. */
static guint *
choose_workers (const LsPartLane *p)
{
  g_autofree gint64 *busy = g_new0 (gint64, p->trace->n_rows + 1);
  guint *shown = g_new (guint, p->n_rows + 1);

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      const gint row = ls_piece_row (p->trace, e);
      if (row >= 0 && row < (gint) p->trace->n_rows)
        busy[row] = ls_ns_add (busy[row], ls_part_to (p, e) - ls_part_from (p, e));
    }
  for (guint r = 0; r < p->n_rows; r++)
    {
      shown[r] = r * p->fold;
      for (guint w = shown[r]; w < MIN ((r + 1) * p->fold, p->trace->n_rows); w++)
        if (busy[w] > busy[shown[r]])
          shown[r] = w;
    }
  return shown;
}

static void
draw_rows (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const LsType bold = { m->label.px, 700 };
  const guint every = (guint) MAX (1, ceil (bold.px * 1.05 / p->row_h));
  const double bar_h = p->row_h > 8 ? p->row_h * .8 : MAX (1, p->row_h - 1);
  g_autofree guint *shown = choose_workers (p);
  LsScene *s = p->layout->still;
  double above = p->heading_y + m->heading.px * LS_DESCENT + 1;

  for (guint r = 0; r < p->n_rows; r++)
    {
      const double y = p->bars_y + r * p->row_h;
      const double base = MAX (y + bar_h / 2 + bold.px * .36, above + bold.px * LS_ASCENT);
      g_autofree char *number = g_strdup_printf ("%u", shown[r]);

      if (!ls_lane_has_workers (p->lane) || p->n_rows <= 2)
        ls_scene_box (s, p->clock_x, y,
                      p->clock_w
                        * (double) (p->trace->timed ? p->trace->end_ns - p->trace->start_ns : p->span_ns)
                        / (double) MAX (p->span_ns, 1),
                      bar_h, LS_INK_TRACK, 0);
      if (r % every != 0 || (r > 0 && base > y + bar_h / 2 + bold.px * .36))
        continue;
      above = base + bold.px * LS_DESCENT;
      ls_scene_text (s, p->clock_x - 10, base, bold, LS_INK_TEXT, LS_RIGHT, number);
    }
  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      const gint row = ls_piece_row (p->trace, e);
      const guint r = row < 0 ? p->n_rows : (guint) row / p->fold;
      const double x = ls_bars_x (p, ls_part_from (p, e)),
                   w = MAX (ls_bars_x (p, ls_part_to (p, e)) - x - 1, .7);
      LsItem *bar;

      if (r >= p->n_rows || shown[r] != (guint) row)
        continue;
      if (ls_lane_has_workers (p->lane))
        bar = ls_scene_mark (s, LS_ITEM_BAR, x, p->bars_y + r * p->row_h, w, bar_h, LS_INK_WORKER, row);
      else
        bar = ls_scene_mark (s, LS_ITEM_BAR, x, p->bars_y + r * p->row_h, w, bar_h,
                             e->rank == LS_RANK_NONE ? LS_INK_SOFT : LS_INK_ORDER,
                             e->rank == LS_RANK_NONE ? 1 : (double) e->rank / MAX (p->trace->n_ranks - 1, 1));
      bar->t0 = ls_part_begin (p, e);
      bar->t1 = ls_part_end (p, e);
      bar->side = (guint8) p->side;
      bar->event = ls_part_event (p, i);
      bar->worker = ls_lane_has_workers (p->lane) ? e->worker : LS_NO_VALUE;
      if (ls_lane_has_workers (p->lane) && e->from != LS_WORKER_NONE && e->from != e->worker && bar_h >= 9
          && w >= 9)
        {
          bar->owner = e->from;
          bar->size = (float) MIN (10, bar_h * .6);
        }
    }
  for (guint32 i = 0; ls_lane_has_workers (p->lane) && bar_h >= 4 && i < p->lane->recorded->events->len; i++)
    {
      const LsEvent *e = &g_array_index (p->lane->recorded->events, LsEvent, i);
      const guint r = e->worker == LS_WORKER_NONE ? p->n_rows : e->worker / p->fold;
      LsItem *wait;

      if (e->kind != LS_EVENT_WAIT || e->op != p->op || r >= p->n_rows || shown[r] != e->worker)
        continue;
      wait = ls_scene_mark (
        s, LS_ITEM_WAIT, ls_bars_x (p, ls_part_time (p, e->start_ns)), p->bars_y + r * p->row_h + bar_h * .2,
        ls_bars_x (p, ls_part_time (p, e->end_ns)) - ls_bars_x (p, ls_part_time (p, e->start_ns)), bar_h * .6,
        LS_INK_QUIET, 0);
      wait->t0 = ls_part_time (p, e->start_ns);
      wait->t1 = ls_part_time (p, e->end_ns);
      wait->side = (guint8) p->side;
      wait->event = i;
      wait->worker = e->worker;
    }
}

/* One column of slots per eight units, in the order in which their work-groups were done; a dash where there
 * was none. */
static void
draw_slots (LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const LsType bold = { m->label.px, 700 };
  const guint rows = slot_rows (p, p->area.y + p->area.h - p->bars_y), units = MAX (p->trace->n_rows, 1);
  const guint columns = (units + rows - 1) / rows;
  const double label_w = ls_scene_width (p->layout->still, bold, units > 100 ? "000" : "00") + 10;
  const double column_w = p->area.w / columns;
  g_autofree guint *count = g_new0 (guint, units + 1);
  const double row_h = p->row_h, bar_h = MAX (2, row_h * .8);
  const gboolean labels = column_w > label_w * 2 && row_h >= bold.px;
  double slot_w;
  guint most = 1;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const gint unit = ls_step_index_piece (p->lane->index, p->trace, i)->unit;
      const guint n = ++count[CLAMP (unit, 0, (gint) units - 1)];
      most = MAX (most, n);
    }
  slot_w = MIN (36, (column_w - (labels ? label_w : 4) - 6) / most);
  memset (count, 0, units * sizeof *count);
  for (guint u = 0; u < units && labels; u++)
    {
      g_autofree char *number = g_strdup_printf ("%u", u);
      ls_scene_text (p->layout->still, p->area.x + u / rows * column_w + label_w - 8,
                     p->bars_y + u % rows * row_h + bar_h / 2 + bold.px * .36, bold, LS_INK_TEXT, LS_RIGHT,
                     number);
    }
  /* pieces are by tile; slots are by rank */
  g_autofree guint32 *by_rank = g_new (guint32, p->trace->n_ranks + 1);
  for (guint i = 0; i <= p->trace->n_ranks; i++)
    by_rank[i] = LS_NO_EVENT;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      if (e->rank != LS_RANK_NONE)
        by_rank[e->rank] = ls_part_event (p, i);
    }
  for (guint i = 0; i < p->trace->n_ranks; i++)
    {
      const LsEvent *e = by_rank[i] != LS_NO_EVENT
                           ? &g_array_index (p->lane->recorded->events, LsEvent, by_rank[i])
                           : NULL;
      const guint u = e != NULL ? (guint) CLAMP (e->unit, 0, (gint) units - 1) : 0;
      LsItem *slot;

      if (e == NULL)
        continue;
      slot = ls_scene_mark (p->layout->still, LS_ITEM_TILE,
                            p->area.x + u / rows * column_w + (labels ? label_w : 4) + count[u]++ * slot_w,
                            p->bars_y + u % rows * row_h, MAX (slot_w - (slot_w > 6 ? 2 : .5), .5), bar_h,
                            LS_INK_ORDER, (double) i / MAX (p->trace->n_ranks - 1, 1));
      slot->t0 = ls_part_begin (p, e);
      slot->t1 = ls_part_end (p, e);
      slot->side = (guint8) p->side;
      slot->event = by_rank[i];
    }
  for (guint u = 0; u < units && slot_w >= 14; u++)
    for (guint k = count[u]; k < most; k++)
      ls_scene_mark (p->layout->still, LS_ITEM_DASH,
                     p->area.x + u / rows * column_w + (labels ? label_w : 4) + k * slot_w + slot_w / 2 - 5,
                     p->bars_y + u % rows * row_h + bar_h / 2 - 1, 10, 2, LS_INK_QUIET, 0);
}

/* "11×23 each; 5 or 6 for every unit". */
static char *
share_words (const LsPartLane *p)
{
  const guint units = MAX (p->trace->n_rows, 1), least = p->trace->n / units,
              most = (p->trace->n + units - 1) / units;
  g_autofree guint *count = g_new0 (guint, units);
  guint low = G_MAXUINT, high = 0;
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, p->tiling->tile_rows,
                                           p->tiling->tile_cols);

  if (p->trace->known != LS_KNOWN_UNITS)
    return g_strdup_printf (_("%s each"), size);
  for (guint i = 0; i < p->trace->n; i++)
    count[CLAMP (ls_step_index_piece (p->lane->index, p->trace, i)->unit, 0, (gint) units - 1)]++;
  for (guint u = 0; u < units; u++)
    {
      low = MIN (low, count[u]);
      high = MAX (high, count[u]);
    }
  if (low == high)
    return g_strdup_printf (_("%s each; %u for every unit"), size, low);
  if (low == least && high == most)
    return g_strdup_printf (_("%s each; %u or %u for every unit"), size, low, high);
  return g_strdup_printf (_("%s each; %u to %u for every unit"), size, low, high);
}

static void
draw_order (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const LsType type = m->projector ? m->label : m->body;
  g_autofree char *last = m->projector ? g_strdup (_("last")) : ls_number_ordinal (p->trace->n_ranks),
                  *words = share_words (p);
  const double room = p->area.y + p->area.h - p->bars_y, y = p->bars_y,
               h = MIN (m->bar_h * 2, room - type.px * 1.4);
  LsScene *s = p->layout->still;

  if (h < 6)
    return;
  ls_scene_mark (s, LS_ITEM_RAMP, p->area.x, y, p->area.w, h, LS_INK_NONE, 0);
  ls_scene_text (s, p->area.x, y + h + type.px * 1.1, type, LS_INK_TEXT, LS_LEFT, _("first"));
  ls_scene_text (s, p->area.x + p->area.w, y + h + type.px * 1.1, type, LS_INK_TEXT, LS_RIGHT, last);
  if (m->projector && h + type.px * 2.8 < room && ls_scene_width (s, type, words) < p->area.w)
    ls_scene_text (s, p->area.x, y + h + type.px * 2.5, type, LS_INK_TEXT, LS_LEFT, words);
}

void
ls_bars (LsPartLane *p)
{
  const double bottom = p->area.y + p->area.h;
  const LsMetrics *m = &p->layout->m;

  if (p->trace->known == LS_KNOWN_NOTHING)
    {
      const char *sentence = _("This device does not say who or when.");
      if (ls_scene_width (p->layout->still, m->body, sentence) > p->area.w)
        sentence = _("Who and when: not told.");
      ls_scene_text (p->layout->still, p->area.x, p->heading_y, m->body, LS_INK_QUIET, LS_LEFT, sentence);
      return;
    }
  p->fold = 1;
  p->n_rows = 0;
  if (bottom - p->bars_y < ROW_MIN)
    return; /* the picture is too low for them */
  p->n_rows = p->trace->n_rows;
  p->row_h = (bottom - p->bars_y)
             / (ls_bars_in_slots (p) ? slot_rows (p, bottom - p->bars_y) : MAX (p->n_rows, 1));
  if (ls_bars_have_rows (p) && !ls_bars_in_slots (p) && p->row_h < ROW_MIN)
    {
      p->fold = (guint) ceil (p->n_rows * ROW_MIN / MAX (bottom - p->bars_y, ROW_MIN));
      p->n_rows = (p->trace->n_rows + p->fold - 1) / p->fold;
      p->row_h = (bottom - p->bars_y) / p->n_rows;
    }
  p->row_h = MIN (p->row_h, p->n_rows <= FEW_ROWS ? few_row_h (p) : m->bar_h);
  draw_heading (p);
  if (ls_bars_in_slots (p))
    draw_slots (p);
  else if (ls_bars_have_rows (p))
    draw_rows (p);
  else
    draw_order (p);
}
