/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happened in an op, in two sentences: who took whose tiles, and who waited for whom. Only from the
 * recorded pieces and their times; why a piece took long is not recorded, and not said.
 */
#include "config.h"
#include "ui/paint/partition/partition.h"

#include <glib/gi18n-lib.h>

#include "ui/paint/data/median.h"
#include "core/number.h"

#define MOST_WORKERS 255
#define MUCH         .05 /* of the op: a wait that is worth a sentence */

typedef struct {
  guint n, taken;   /* pieces; those of others' shares, */
  guint robbed;     /* the first of them this worker's, */
  gboolean several; /* and others from another one */
  gint64 end_ns;    /* of its last */
  gint64 waited_ns; /* recorded */
} Worker;

typedef struct {
  Worker workers[MOST_WORKERS];
  guint n;           /* workers that could have had a piece */
  guint idle, idler; /* that had none; the last of them */
  guint taken;       /* pieces in all */
  guint taker;       /* who took most */
  guint early, late; /* whose last piece ended first, and last, of those that had any */
  const LsEvent *longest;
  gint64 longest_ns, median_ns, span_ns;
} Facts;

static void
gather (const LsPartLane *p, Facts *f)
{
  const GArray *events = p->lane->recorded->events;
  g_autofree double *times = g_new (double, p->trace->n + 1);
  guint n = 0;

  *f = (Facts){ .n = MIN (p->trace->n_rows, MOST_WORKERS), .span_ns = p->trace->end_ns - p->trace->start_ns };
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      const gint64 took = (gint64) (e->end_ns - e->start_ns);
      Worker *w;

      if (e->kind == LS_EVENT_WAIT && e->op == p->op && e->worker < f->n)
        f->workers[e->worker].waited_ns = ls_ns_add (f->workers[e->worker].waited_ns, took);
      if ((e->kind != LS_EVENT_TILE && e->kind != LS_EVENT_GROUP) || e->op != p->op || e->worker >= f->n
          || n >= p->trace->n)
        continue;
      w = &f->workers[e->worker];
      w->n++;
      w->end_ns = MAX (w->end_ns, ls_part_time (p, e->end_ns));
      times[n++] = (double) took;
      if (took > f->longest_ns)
        {
          f->longest_ns = took;
          f->longest = e;
        }
      if (e->from == LS_WORKER_NONE || e->from == e->worker)
        continue;
      if (w->taken++ == 0)
        w->robbed = e->from;
      w->several |= e->from != w->robbed;
      f->taken++;
      if (w->taken > f->workers[f->taker].taken)
        f->taker = e->worker;
    }
  f->median_ns = n > 0 ? ls_ns_of (ls_median (times, n)) : 0;
  f->early = f->late = G_MAXUINT;
  for (guint w = 0; w < f->n; w++)
    {
      if (f->workers[w].n == 0)
        {
          f->idle++;
          f->idler = w;
          continue;
        }
      if (f->early == G_MAXUINT || f->workers[w].end_ns < f->workers[f->early].end_ns)
        f->early = w;
      if (f->late == G_MAXUINT || f->workers[w].end_ns > f->workers[f->late].end_ns)
        f->late = w;
    }
}

/* Who waits for whom at the end, or that nobody does for long. The CPU lane's waits are recorded, a device's
 * are seen from what its threads did last. A wait that is not another's last tile's is the pool's. */
static char *
ending (const LsPartLane *p, const Facts *f)
{
  const gint64 apart = f->workers[f->late].end_ns - f->workers[f->early].end_ns;
  gint64 waits = ls_lane_has_workers (p->lane) ? f->workers[f->early].waited_ns : apart;
  g_autofree char *time = ls_number_time ((double) waits), *most = NULL;

  if ((double) MIN (waits, apart) >= MUCH * (double) f->span_ns)
    return g_strdup_printf (ls_lane_has_workers (p->lane)
                              ? _("Then none was left: worker %u waits %s for worker %u’s last tile.")
                              : _("Then none was left: thread %u waits %s for thread %u’s last work-group."),
                            f->early, time, f->late);
  for (guint w = 0; ls_lane_has_workers (p->lane) && w < f->n; w++)
    waits = f->workers[w].n > 0 ? MAX (waits, f->workers[w].waited_ns) : waits;
  most = ls_number_time ((double) waits);
  return g_strdup_printf (ls_lane_has_workers (p->lane)
                            ? (f->idle == 0 ? _("No worker waits longer than %s.")
                                            : _("No worker that had tiles waits longer than %s."))
                            : _("All threads are done within %s of each other."),
                          most);
}

static char *
idle_words (const LsPartLane *p, const Facts *f)
{
  const gulong n = p->trace->n;

  if (f->idle == f->n - 1 && ls_lane_has_workers (p->lane))
    return g_strdup_printf (f->idle == 1 ? ngettext ("Worker %u did the only tile, the other had none.",
                                                     "Worker %u did all %lu tiles, the other had none.", n)
                                         : ngettext ("Worker %u did the only tile, the others had none.",
                                                     "Worker %u did all %lu tiles, the others had none.", n),
                            f->late, n);
  if (f->idle == f->n - 1)
    return g_strdup_printf (f->idle == 1
                              ? ngettext ("Thread %u did the only work-group, the other had none.",
                                          "Thread %u did all %lu work-groups, the other had none.", n)
                              : ngettext ("Thread %u did the only work-group, the others had none.",
                                          "Thread %u did all %lu work-groups, the others had none.", n),
                            f->late, n);
  if (f->idle == 1)
    return g_strdup_printf (ls_lane_has_workers (p->lane) ? _("Worker %u had no tile.")
                                                          : _("Thread %u had no work-group."),
                            f->idler);
  return g_strdup_printf (
    ls_lane_has_workers (p->lane)
      ? ngettext ("%u worker had no tile.", "%u workers had no tile.", f->idle)
      : ngettext ("%u thread had no work-group.", "%u threads had no work-group.", f->idle),
    f->idle);
}

static char *
taken_words (const Facts *f)
{
  const Worker *taker = &f->workers[f->taker];
  const guint n = taker->taken;
  g_autofree char *time = ls_number_time ((double) f->longest_ns),
                  *median = ls_number_time ((double) f->median_ns);

  if (!taker->several && f->longest_ns - f->median_ns > f->median_ns && f->longest->worker == taker->robbed)
    return g_strdup_printf (
      ngettext ("Worker %u took %s for one tile, not %s, so worker %u took %u of its tiles.",
                "Worker %u took %s for one tile, not %s, so worker %u took %u of its tiles.", n),
      taker->robbed, time, median, f->taker, n);
  if (!taker->several && f->taken == n)
    return g_strdup_printf (ngettext ("Worker %u was done first and took %u tile from worker %u.",
                                      "Worker %u was done first and took %u tiles from worker %u.", n),
                            f->taker, n, taker->robbed);
  return g_strdup_printf (_("%u tiles were taken from others’ shares, %u of them by worker %u."), f->taken,
                          n, f->taker);
}

static char *
shared_words (const LsPartLane *p, const Facts *f)
{
  guint least = G_MAXUINT, most = 0;

  for (guint w = 0; w < f->n; w++)
    {
      least = MIN (least, f->workers[w].n);
      most = MAX (most, f->workers[w].n);
    }
  if (least == most)
    return g_strdup_printf (
      ls_lane_has_workers (p->lane)
        ? ngettext ("Each worker did %u tile, none from another.",
                    "Each worker did %u tiles, none from another.", most)
        : ngettext ("Each thread did %u work-group.", "Each thread did %u work-groups.", most),
      most);
  return g_strdup_printf (ls_lane_has_workers (p->lane)
                            ? _("Each worker did %u to %u tiles, none from another.")
                            : _("Each thread did %u to %u work-groups."),
                          least, most);
}

void
ls_part_story (const LsPartLane *p, char **bold, char **quiet)
{
  g_autofree Facts *f = g_new (Facts, 1);

  *bold = *quiet = NULL;
  if (p->trace->known != LS_KNOWN_THREADS || !p->trace->timed || p->trace->n == 0)
    return;
  gather (p, f);
  if (f->early == G_MAXUINT || f->n < 2)
    return;
  *bold = f->idle > 0 ? idle_words (p, f) : f->taken > 0 ? taken_words (f) : shared_words (p, f);
  if (f->idle < f->n - 1)
    *quiet = ending (p, f);
}
