/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See typical.h. What is recorded: how long a worker was off its core in all its tiles of the step, and how
 * long each tile took; not in which tile it lost its core.
 */
#include "config.h"
#include "ui/paint/data/typical.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/paint/data/median.h"
#include "core/number.h"

/* of the median: recording costs a little, so that few recorded steps are within the middle half */
#define NEAR .25
/* what recording may add to a small network's step, as long as no others tell: 40 to 170 µs were seen */
#define RECORDING_NS 500000
#define MOST_LIKE    4096u /* tiles that one is held against */

double
ls_typical_median_ns (const LsViewData *data, guint side)
{
  const LsFigure *rate = &data->sides[side].rate;

  return ls_figure_stands (rate) ? 1e9 * data->batch / rate->value : 0;
}

double
ls_typical_recorded_ns (const LsViewData *data, const LsOpTimes *times, guint side)
{
  const double median = ls_typical_median_ns (data, side),
               recorded = ls_op_times_step_ns (times, data->sides[side].id);

  return median > 0 && recorded > (1 + NEAR) * median ? recorded : 0;
}

static LsStepKind
judge (const LsViewData *data, const LsOpTimes *times, guint side, double ns, double *distance)
{
  const LsFigure *rate = &data->sides[side].rate;
  const double median = ls_typical_median_ns (data, side);
  const double like = MAX (median, ls_typical_recorded_ns (data, times, side));
  const double spare = ls_op_times_step_ns (times, data->sides[side].id) > 0 ? 0 : RECORDING_NS;

  *distance = 0;
  if (median <= 0 || ns <= 0)
    return LS_STEP_UNKNOWN;
  *distance = fabs (log (ns / like));
  if (ns > LS_INTERRUPTED * like + spare)
    return LS_STEP_INTERRUPTED;
  if (fabs (ns - like) <= NEAR * like
      || (ns >= 1e9 * data->batch / rate->q3 && ns <= 1e9 * data->batch / rate->q1))
    return LS_STEP_TYPICAL;
  return LS_STEP_UNUSUAL;
}

static gint
side_of (const LsViewData *data, const LsRecordedLane *lane)
{
  for (guint side = 0; side < LS_SIDES; side++)
    if (data->sides[side].there && g_strcmp0 (data->sides[side].id, lane->id) == 0)
      return (gint) side;
  return -1;
}

LsStepKind
ls_typical_judge (const LsViewData *data, const LsOpTimes *times, const LsRecording *recording,
                  double *distance)
{
  LsStepKind worst = LS_STEP_UNKNOWN;

  *distance = 0;
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      const LsRecordedLane *lane = &recording->lanes[i];
      const gint side = side_of (data, lane);
      double far;

      if (side < 0)
        continue;
      worst = MAX (worst, judge (data, times, (guint) side, (double) (lane->end_ns - lane->start_ns), &far));
      *distance = MAX (*distance, far);
    }
  return worst;
}

LsStepKind
ls_typical_lane (const LsViewData *data, guint side)
{
  const LsStepIndex *index = data->sides[side].index;
  double distance;

  return index != NULL ? judge (data, data->op_times, side, (double) index->length_ns, &distance)
                       : LS_STEP_UNKNOWN;
}

void
ls_typical_tell (LsViewData *data)
{
  g_autofree char *now = ls_view_data_step_words (data, data->step), *step = NULL, *shown = NULL;
  static const char *const same[] = { N_("recorded"), N_("typical step"), N_("not a typical step"),
                                      N_("interrupted step") };
  static const char *const other[] = { NULL, N_("typical"), N_("not typical"), N_("interrupted") };
  LsStepKind kind;
  double distance;

  g_clear_pointer (&data->when, g_free);
  if (data->step == 0)
    data->when = g_strdup (_("no step yet"));
  else if (!data->live)
    data->when = g_strdup_printf (_("%s, played back"), now);
  else if (data->recording == NULL)
    data->when = g_strdup (now);
  if (data->when != NULL)
    return;
  kind = ls_typical_judge (data, data->op_times, data->recording, &distance);
  if (data->recording->step == data->step)
    {
      data->when = g_strdup_printf ("%s, %s", now, gettext (same[kind]));
      return;
    }
  step = ls_number_count (data->recording->step);
  shown = g_strdup_printf (_("shown: step %s"), step);
  data->when = other[kind] != NULL ? g_strdup_printf ("%s · %s, %s", now, shown, gettext (other[kind]))
                                   : g_strdup_printf ("%s · %s", now, shown);
}

/* ---- why ---- */

/* How much longer the op's longest piece took than its like; which one. */
static double
longest_piece (const LsStepIndex *index, const LsOpTrace *op, const LsEvent **piece)
{
  const guint stride = op->n / MOST_LIKE + 1;
  g_autofree double *times = g_new (double, op->n / stride + 1);
  guint n = 0;

  *piece = NULL;
  if (!op->ran || !op->timed || op->n < 2)
    return 0;
  for (guint i = 0; i < op->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (index, op, i);
      if (*piece == NULL || e->end_ns - e->start_ns > (*piece)->end_ns - (*piece)->start_ns)
        *piece = e;
      if (i % stride == 0 && n < op->n / stride + 1)
        times[n++] = (double) (e->end_ns - e->start_ns);
    }
  const double like = op->n == 2 ? MIN (times[0], times[1]) : ls_median (times, n);
  return (double) ((*piece)->end_ns - (*piece)->start_ns) - like;
}

/* The longest stretch without an op. */
static gint64
longest_gap (const LsStepIndex *index, gint64 *from)
{
  gint64 longest = 0, until = 0;

  for (guint i = 0; i <= index->spans->len; i++)
    {
      const LsSpan *span = i < index->spans->len ? &g_array_index (index->spans, LsSpan, i) : NULL;
      const gint64 start = span != NULL ? span->start_ns : index->length_ns;
      if (start - until > longest)
        {
          longest = start - until;
          *from = until;
        }
      until = span != NULL ? MAX (until, span->end_ns) : until;
    }
  return longest;
}

/* How much of from … to the stretch covers. */
static gint64
covers (gint64 start, gint64 end, gint64 from, gint64 to)
{
  return MAX (0, MIN (end, to) - MAX (start, from));
}

const char *
ls_typical_wait (const LsRecording *recording, const LsStepIndex *index, gint64 from, gint64 to)
{
  const LsRecordedLane *lane = index->lane;
  gint64 queued = 0, other = 0;

  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      if (e->kind == LS_EVENT_QUEUED)
        queued = MAX (queued, covers ((gint64) (e->start_ns - lane->start_ns),
                                      (gint64) (e->end_ns - lane->start_ns), from, to));
    }
  for (guint i = 0; i < recording->n_lanes; i++)
    if (&recording->lanes[i] != lane)
      other = MAX (other, covers ((gint64) (recording->lanes[i].start_ns - lane->start_ns),
                                  (gint64) (recording->lanes[i].end_ns - lane->start_ns), from, to));
  if (2 * queued > to - from)
    return _("in the driver’s queue");
  return 2 * other > to - from ? _("while the other lane ran") : _("without an op, not recorded why");
}

/* The worker that was off its core for longest in its tiles; −1: none, or nobody tells. *ns: how long, at
 * least. */
static gint
longest_off (const LsRecordedLane *lane, double *ns)
{
  gint longest = -1;

  *ns = 0;
  for (guint w = 0; lane->off_core != NULL && w < lane->off_core->len; w++)
    if ((double) g_array_index (lane->off_core, guint64, w) > *ns)
      {
        *ns = (double) g_array_index (lane->off_core, guint64, w);
        longest = (gint) w;
      }
  return longest;
}

/* 0, too, where nobody tells. */
static double
off_core_ns (const LsRecordedLane *lane, guint worker)
{
  return lane->off_core != NULL && worker < lane->off_core->len
           ? (double) g_array_index (lane->off_core, guint64, worker)
           : 0;
}

char *
ls_typical_why (const LsRecording *recording, const LsStepIndex *index)
{
  const LsEvent *held = NULL;
  gint64 from = 0;
  const gint64 gap = longest_gap (index, &from);
  double most = 0, off_ns;
  const gint off = longest_off (index->lane, &off_ns);

  for (guint op = 0; op < index->n_ops; op++)
    {
      const LsEvent *piece;
      const double longer = longest_piece (index, &index->ops[op], &piece);
      if (longer > most)
        {
          most = longer;
          held = piece;
        }
    }
  /* an op of one tile has none of its like to be longer than */
  if (off_ns > MAX (most, (double) gap) && off_ns >= LS_WAIT_WORTH * (double) index->length_ns)
    {
      g_autofree char *away = ls_number_time (off_ns);
      return g_strdup_printf (_("worker %d was off its core for at least %s"), off, away);
    }
  if ((held == NULL && gap == 0) || MAX (most, (double) gap) < LS_WAIT_WORTH * (double) index->length_ns)
    return g_strdup (_("not recorded why"));
  g_autofree char *time = ls_number_time (MAX (most, (double) gap));
  if (held == NULL || (double) gap > most)
    return g_strdup_printf ("%s %s", time, ls_typical_wait (recording, index, from, from + gap));
  const char *symbol = recording->ops[held->op].symbol;
  if (held->worker == LS_WORKER_NONE)
    return g_strdup_printf (_("a work-group of %s was held up %s"), symbol, time);
  if (held->kind == LS_EVENT_TILE && off_core_ns (index->lane, held->worker) > most / 2)
    {
      g_autofree char *away = ls_number_time (off_core_ns (index->lane, held->worker));
      return g_strdup_printf (_("worker %u was held up %s in a tile of %s; in its tiles of this step it was "
                                 "off its core for at least %s"),
                              held->worker, time, symbol, away);
    }
  return g_strdup_printf (held->kind == LS_EVENT_TILE ? _("worker %u was held up %s in a tile of %s")
                                                      : _("thread %u was held up %s in a work-group of %s"),
                          held->worker, time, symbol);
}

char *
ls_typical_interruption (const LsViewData *data, const LsOpTimes *times, const LsRecording *recording,
                         guint *on)
{
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      const LsRecordedLane *lane = &recording->lanes[i];
      const gint side = side_of (data, lane);
      const double ns = (double) (lane->end_ns - lane->start_ns);
      LsStepIndex *index;
      double far;

      if (side < 0 || judge (data, times, (guint) side, ns, &far) != LS_STEP_INTERRUPTED)
        continue;
      *on = (guint) side;
      index = ls_step_index_new (recording, i);
      g_autofree char *why = ls_typical_why (recording, index), *step = ls_number_count (recording->step),
                      *took = ls_number_time (ns);
      g_autofree char *median = ls_number_time (ls_typical_median_ns (data, (guint) side));
      ls_step_index_unref (index);
      return g_strdup_printf (_("step %s took %s on %s, median %s: %s"), step, took, data->sides[side].name,
                              median, why);
    }
  return NULL;
}
