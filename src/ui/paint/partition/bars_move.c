/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves over the bars: the clock, and at each row's end what its worker is at. No number rolls: how long
 * a worker has waited is said when the clock stands, and where work-groups follow each other too fast to be
 * counted, the rate stands still in their count's place.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"
#include "ui/paint/parts/pace.h"

#define SHORT_WAIT 100 /* a wait of less than so many parts of the op is the barrier's own time */

typedef struct {
  guint n, done;
  gboolean busy;
  gboolean left;    /* a piece of it is still to come */
  gint64 waited_ns; /* −1: not at the barrier yet */
} Row;

static void
count_pieces (const LsPartLane *p, gint64 now, Row *rows)
{
  for (guint r = 0; r < p->trace->n_rows; r++)
    rows[r].waited_ns = -1;
  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      const gint row = ls_piece_row (p->trace, e);

      if (row < 0 || row >= (gint) p->trace->n_rows)
        continue;
      rows[row].n++;
      rows[row].done += ls_part_end (p, e) <= now;
      rows[row].left |= ls_part_begin (p, e) > now;
      rows[row].busy |= ls_part_begin (p, e) <= now && ls_part_end (p, e) > now;
    }
  for (guint32 i = 0; ls_lane_has_workers (p->lane) && i < p->lane->recorded->events->len; i++)
    {
      const LsEvent *e = &g_array_index (p->lane->recorded->events, LsEvent, i);
      if (e->kind != LS_EVENT_WAIT || e->op != p->op || e->worker >= p->trace->n_rows
          || ls_part_time (p, e->start_ns) > now)
        continue;
      /* an op of two phases has two barriers */
      rows[e->worker].waited_ns = ls_ns_add (MAX (rows[e->worker].waited_ns, 0),
                                             MIN (ls_part_time (p, e->end_ns), now)
                                               - ls_part_time (p, e->start_ns));
    }
}

/* "87 k tiles/s" over the op. */
static char *
rate_words (const LsPartLane *p, guint n)
{
  const double seconds = (double) (p->trace->end_ns - p->trace->start_ns) / 1e9;
  g_autofree char *rate = ls_number_scaled (n / MAX (seconds, 1e-9));

  return g_strdup_printf (_("%s groups/s"), rate);
}

/* Of the CPU lane. (transfer full), NULL: nothing to say. No number rolls: those that grow are said while the
 * clock stands. */
static char *
worker_words (const LsPartLane *p, const Row *row, gboolean stands)
{
  g_autofree char *nth = ls_number_ordinal ((guint64) row->done + 1);

  if (row->busy)
    return p->brief || row->left ? g_strdup (_("working"))
                                 : g_strdup_printf (_("runs its last, the %s"), nth);
  if (row->waited_ns < 0) /* between two tiles it isn't done */
    return row->done == 0 ? NULL : g_strdup (row->left ? _("working") : _("done"));
  if (row->n > 0 && row->waited_ns < p->layout->span_ns / SHORT_WAIT)
    return g_strdup (_("done"));
  if (!stands)
    return g_strdup (p->brief      ? _("waits")
                     : row->n == 0 ? _("had no tile, waits")
                                   : _("none left, waits"));
  g_autofree char *time = ls_number_time ((double) row->waited_ns);
  return g_strdup_printf (p->brief      ? _("waits %s")
                          : row->n == 0 ? _("had no tile, waits %s")
                                        : _("none left, waits %s"),
                          time);
}

/* The same of a device's thread, whose waits aren't recorded. */
static char *
thread_words (const LsPartLane *p, const Row *row, gboolean end)
{
  g_autofree char *nth = ls_number_ordinal ((guint64) row->done + 1);

  if (!end && ls_pace_rolls (row->n, p->layout->span_ns, ls_query_pace (&p->layout->query)))
    return rate_words (p, row->n);
  if (!p->brief && row->busy && !row->left)
    return g_strdup_printf (_("runs its last, the %s"), nth);
  if (!p->brief && !end && row->n > 0 && row->done == row->n)
    return g_strdup (_("no group left"));
  return row->n == 0 && !p->brief ? g_strdup (_("had no group"))
                                  : g_strdup_printf (_("%u done"), row->done);
}

/* "worker 5: 12 µs": the one that waited longest, at all of the op's barriers; NULL: none did. */
static char *
longest_wait (const LsPartLane *p)
{
  gint64 waited_ns[LS_WORKER_NONE + 1] = { 0 };
  guint longest = 0;

  for (guint32 i = 0; i < p->lane->recorded->events->len; i++)
    {
      const LsEvent *e = &g_array_index (p->lane->recorded->events, LsEvent, i);
      if (e->kind == LS_EVENT_WAIT && e->op == p->op)
        waited_ns[e->worker] = ls_ns_add (waited_ns[e->worker], (gint64) (e->end_ns - e->start_ns));
    }
  for (guint w = 0; w < G_N_ELEMENTS (waited_ns); w++)
    longest = waited_ns[w] > waited_ns[longest] ? w : longest;
  if (waited_ns[longest] == 0)
    return NULL;
  g_autofree char *time = ls_number_time ((double) waited_ns[longest]);
  return g_strdup_printf (_("worker %u: %s"), longest, time);
}

static void
draw_clock (const LsPartLane *p, gint64 now, gboolean end)
{
  const LsMetrics *m = &p->layout->m;
  LsScene *s = p->layout->moving;

  if (!end && p->trace->timed)
    ls_scene_box (s, ls_bars_x (p, now) - 1, p->bars_y - 6, 2, p->n_rows * p->row_h + 6, LS_INK_TEXT, 0)
      ->strong
      = TRUE;
  if (!ls_lane_has_workers (p->lane))
    return;
  g_autofree char *time = ls_number_time ((double) MIN (now, p->span_ns));
  g_autofree char *text = end && m->projector ? longest_wait (p) : NULL;
  if (text == NULL)
    text = g_strdup_printf (end ? _("done at %s") : _("now %s"), time);
  ls_scene_text (s, p->area.x + p->area.w, p->heading_y, (LsType){ m->label.px, 700 }, LS_INK_TEXT, LS_RIGHT,
                 text);
}

double
ls_bars_words_width (const LsPartLane *p, gboolean brief)
{
  g_autofree char *time = g_strdup_printf (_("waits %s"), "000 µs"),
                  *rate = g_strdup_printf (_("%s groups/s"), "000 k");
  g_autofree char *last = g_strdup_printf (_("runs its last, the %s"), "00th"),
                  *left = g_strdup_printf (_("none left, waits %s"), "000 µs");
  g_autofree char *none = g_strdup_printf (_("had no tile, waits %s"), "000 µs");
  const char *const words[] = { time, rate, _("working"), last, left, none };
  double width = 0;

  for (guint i = 0; i < (brief ? 3 : G_N_ELEMENTS (words)); i++)
    width = MAX (width, ls_scene_width (p->layout->still, p->layout->m.label, words[i]));
  return width;
}

void
ls_bars_move (const LsPartLane *p)
{
  const LsMetrics *m = &p->layout->m;
  const gboolean end = p->layout->query.time_ns == LS_TIME_END;
  const gint64 now = end ? (p->trace->timed ? p->trace->end_ns - p->trace->start_ns : G_MAXINT64)
                         : p->layout->query.time_ns;
  const LsType bold = { m->label.px, 700 };
  g_autofree Row *rows = NULL;

  if (!ls_bars_have_rows (p) || ls_bars_in_slots (p) || p->n_rows == 0)
    return;
  draw_clock (p, now, end);
  if (m->projector || p->row_h < m->label.px * 1.05 || p->fold > 1)
    return;
  rows = g_new0 (Row, p->trace->n_rows + 1);
  count_pieces (p, now, rows);
  for (guint r = 0; r < p->n_rows; r++)
    {
      const gboolean working = rows[r].busy && ls_lane_has_workers (p->lane);
      g_autofree char *words = ls_lane_has_workers (p->lane)
                                 ? worker_words (p, &rows[r], end || ls_query_pace (&p->layout->query) == 0)
                                 : thread_words (p, &rows[r], end);

      if (words != NULL)
        ls_scene_text (p->layout->moving, p->area.x + p->area.w,
                       p->bars_y + r * p->row_h + p->row_h * .4 + m->label.px * .36,
                       working ? bold : m->label, working ? LS_INK_TEXT : LS_INK_QUIET, LS_RIGHT, words);
    }
}
