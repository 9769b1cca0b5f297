/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line above a lane's picture: it names what is pointed at, its numbers and their evidence; in the other
 * lane, what holds the same numbers there; and with nothing pointed at, the op as a whole.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

/* From x on; returns the right end, or x if there is no room for it. */
static double
part (const LsPartLane *p, double x, LsEvidence evidence, const char *text)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;
  const double left = x + m->evidence + 7, width = ls_scene_width (s, m->label, text);

  if (m->projector || left + width > p->area.x + p->area.w)
    return x;
  ls_scene_evidence (s, x, p->readout_y - m->label.px * .36 - m->evidence / 2, m->evidence, evidence,
                     LS_INK_TEXT);
  ls_scene_text (s, left, p->readout_y, m->label, LS_INK_TEXT, LS_LEFT, text);
  return left + width;
}

static double
measured (const LsPartLane *p, const char *text)
{
  return part (p, p->area.x, LS_EVIDENCE_MEASURED, text);
}

void
ls_part_readout_skipped (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const guint n = p->layout->query.skipped;
  LsScene *s = p->layout->moving;
  g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "+%u op", "+%u ops", n), n);
  const double x = p->area.x + p->area.w - ls_scene_width (s, m->label, text);

  if (n == 0 || m->projector)
    return;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && item->y == (float) p->readout_y && ls_item_right (item) + 12 > x
          && (double) item->x >= p->area.x)
        return;
    }
  ls_scene_text (s, x, p->readout_y, m->label, LS_INK_QUIET, LS_LEFT, text);
}

/* The step cut finer: how it was made, and beside it what the op took as trained. */
static void
readout_cut (const LsPartLane *p)
{
  const LsViewLane *lane = &p->layout->data->sides[p->side];
  const LsOpTrace *was = &lane->index->ops[p->op];
  g_autofree char *time = ls_number_time ((double) (p->trace->end_ns - p->trace->start_ns));
  g_autofree char *as_trained = ls_number_time ((double) (was->end_ns - was->start_ns));
  g_autofree char *brief = g_strdup_printf (
    ngettext ("run once more for this picture: %u tile, %s; as trained %u, %s",
              "run once more for this picture: %u tiles, %s; as trained %u, %s", p->trace->n),
    p->trace->n, time, was->n, as_trained);
  const gboolean split = lane->finer->lane->tilings[p->op].splits > lane->recorded->tilings[p->op].splits;
  g_autofree char *all = g_strdup_printf (
    lane->recorded->finer->same ? _("%s; it left the same bits")
    : split                     ? _("%s; its sums have more parts, so not the same bits")
            : _("%s; other ops’ sums have more parts, so not the same bits in the end"),
    brief);
  g_autofree char *bare = g_strdup_printf (ngettext ("run once more: %u tile, %s; as trained %u, %s",
                                                     "run once more: %u tiles, %s; as trained %u, %s",
                                                     p->trace->n),
                                           p->trace->n, time, was->n, as_trained);
  g_autofree char *least = g_strdup_printf (
    ngettext ("%u tile, %s; as trained %u, %s", "%u tiles, %s; as trained %u, %s", p->trace->n), p->trace->n,
    time, was->n, as_trained);
  const char *choices[] = { all, brief, bare, least };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (measured (p, choices[i]) > p->area.x)
      return;
}

/* The longest piece, and what the op took. */
void
ls_part_readout (const LsPartLane *p)
{
  const LsEvent *longest = NULL;
  g_autofree char *time = NULL, *piece = NULL, *text = NULL;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      if (longest == NULL || e->end_ns - e->start_ns > longest->end_ns - longest->start_ns)
        longest = e;
    }
  if (!p->trace->ran || longest == NULL)
    return;
  if (p->cut)
    {
      readout_cut (p);
      return;
    }
  time = ls_number_time ((double) (p->trace->end_ns - p->trace->start_ns));
  piece = ls_number_time ((double) (longest->end_ns - longest->start_ns));
  if (p->trace->timed && longest->worker != LS_WORKER_NONE)
    text = g_strdup_printf (ls_lane_has_workers (p->lane)
                              ? _("the op took %s; its longest tile %s, worker %u")
                              : _("the op took %s; its longest work-group %s, thread %u"),
                            time, piece, longest->worker);
  else
    text = g_strdup_printf (_("the op took %s"), time);
  measured (p, text);
}

/* The piece's share of the op's arithmetic over its time: a count on paper over a measurement. */
static void
arithmetic (const LsPartLane *p, const LsEvent *e, double x)
{
  const gint64 flops = p->layout->data->recording->ops[p->op].flops;
  gint64 row, n_rows, col, n_cols;
  double share;

  if (!p->trace->timed || flops <= 0 || e->end_ns <= e->start_ns
      || !ls_tile_elements (p->tiling, e->tile, &row, &n_rows, &col, &n_cols))
    return;
  share = (double) (n_rows * n_cols) / (double) (p->tiling->rows * p->tiling->cols)
          / MAX (p->tiling->splits, 1);
  g_autofree char *rate = ls_number_text ((double) flops * share / (double) (e->end_ns - e->start_ns), 2);
  g_autofree char *text = g_strdup_printf (_("%s GFLOP/s"), rate);
  part (p, x + 14, LS_EVIDENCE_DERIVED, text);
}

void
ls_part_readout_pick (const LsPartLane *p, LsPick pick)
{
  g_autofree char *words = ls_pick_words (p->layout, pick);

  arithmetic (p, ls_layout_event (p->layout, pick), measured (p, words));
}

/* Up to two of them are named. */
static char *
named (const LsPartLane *p, const LsEvent *a, const LsEvent *b, guint n)
{
  const gboolean units = p->trace->known == LS_KNOWN_UNITS, threads = p->trace->known == LS_KNOWN_THREADS;
  const guint first = units ? (guint) a->unit : a->worker, second = units ? (guint) b->unit : b->worker;
  g_autofree char *done = ls_number_ordinal ((guint64) a->rank + 1),
                  *last = ls_number_ordinal ((guint64) b->rank + 1);
  g_autofree char *of = ls_number_count (p->trace->n_ranks);
  g_autofree char *who = NULL;

  if (ls_lane_has_workers (p->lane))
    {
      if (a->worker == LS_WORKER_NONE)
        return g_strdup (_("same numbers: worker unknown"));
      return n == 1 || a->worker == b->worker
               ? g_strdup_printf (_("same numbers: worker %u"), a->worker)
               : g_strdup_printf (_("same numbers: workers %u and %u"), a->worker, b->worker);
    }
  if (n == 1)
    who = units     ? g_strdup_printf (_("work-group %u, compute unit %u"), a->tile, first)
          : threads ? g_strdup_printf (_("work-group %u, thread %u"), a->tile, first)
                    : g_strdup_printf (_("work-group %u"), a->tile);
  else if (first == second && (units || threads))
    who = g_strdup_printf (units ? _("work-groups %u and %u, compute unit %u")
                                 : _("work-groups %u and %u, thread %u"),
                           a->tile, b->tile, first);
  else
    who = units     ? g_strdup_printf (_("work-groups %u and %u, compute units %u and %u"), a->tile, b->tile,
                                       first, second)
          : threads ? g_strdup_printf (_("work-groups %u and %u, threads %u and %u"), a->tile, b->tile,
                                       first, second)
                    : g_strdup_printf (_("work-groups %u and %u"), a->tile, b->tile);
  if (a->rank == LS_RANK_NONE || b->rank == LS_RANK_NONE)
    return g_strdup_printf (_("same numbers: %s"), who);
  if (n == 1)
    return g_strdup_printf (_("same numbers: %s, done %s of %s"), who, done, of);
  return g_strdup_printf (_("same numbers: %s, done %s and %s of %s"), who, done, last, of);
}

static char *
counted (const LsPartLane *p, guint n, guint32 first, guint32 last)
{
  g_autofree char *of = ls_number_count (p->trace->n_ranks);
  g_autofree char *count = ls_number_count (n), *from = ls_number_ordinal ((guint64) first + 1),
                  *to = ls_number_ordinal ((guint64) last + 1);

  if (ls_lane_has_workers (p->lane) || first == LS_RANK_NONE)
    return g_strdup_printf (ls_lane_has_workers (p->lane) ? _("same numbers: %s tiles here")
                                                          : _("same numbers: %s work-groups here"),
                            count);
  return g_strdup_printf (_("same numbers: %s work-groups, done %s to %s of %s"), count, from, to, of);
}

void
ls_part_readout_same (const LsPartLane *p, LsArea area)
{
  const LsEvent *found[2] = { NULL, NULL };
  guint32 first = LS_RANK_NONE, last = 0;
  guint n = 0;
  g_autofree char *words = NULL;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      gint64 row, n_rows, col, n_cols;
      LsArea cell;

      if (!ls_tile_elements (p->tiling, e->tile, &row, &n_rows, &col, &n_cols))
        continue;
      cell = ls_matrix_cells (p, row, n_rows, col, n_cols);
      if (cell.x + cell.w / 2 < area.x || cell.x + cell.w / 2 > area.x + area.w
          || cell.y + cell.h / 2 < area.y || cell.y + cell.h / 2 > area.y + area.h)
        continue;
      if (n < G_N_ELEMENTS (found))
        found[n] = e;
      n++;
      if (e->rank == LS_RANK_NONE)
        continue;
      first = MIN (first, e->rank);
      last = MAX (last, e->rank);
    }
  if (n == 0)
    return;
  words = n <= 2 ? named (p, found[0], found[n - 1], n) : counted (p, n, first, last);
  measured (p, words);
}
