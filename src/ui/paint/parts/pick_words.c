/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded event in words: what the readout prints and a screen reader says.
 */
#include "config.h"
#include "ui/paint/parts/view.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

static char *
times_of (const LsEvent *e, guint64 zero_ns)
{
  const char *unit;
  const double end = (double) (gint64) (e->end_ns - zero_ns),
               start = (double) (gint64) (e->start_ns - zero_ns);
  g_autofree char *from = ls_number_time_in (start, end, &unit), *to = ls_number_time_in (end, end, &unit);

  return g_strdup_printf ("%s → %s %s", from, to, unit);
}

static char *
place_of (const LsTiling *t, const LsEvent *e)
{
  gint64 row, n_rows, col, n_cols;

  if (!ls_tile_elements (t, e->tile, &row, &n_rows, &col, &n_cols))
    return g_strdup_printf (_("adding up, part %u"),
                            e->tile - t->grid_rows * t->grid_cols * MAX (t->splits, 1) + 1);
  if (t->rows == 1)
    return g_strdup_printf (_("elements %lld–%lld"), (long long) col, (long long) (col + n_cols - 1));
  return g_strdup_printf (_("rows %lld–%lld, columns %lld–%lld"), (long long) row,
                          (long long) (row + n_rows - 1), (long long) col, (long long) (col + n_cols - 1));
}

static char *
who_of (const LsOpTrace *trace, const LsEvent *e)
{
  if (e->kind == LS_EVENT_TILE && e->worker != LS_WORKER_NONE && e->from != LS_WORKER_NONE
      && e->from != e->worker)
    return g_strdup_printf (_("worker %u took it from worker %u"), e->worker, e->from);
  if (e->kind == LS_EVENT_TILE && e->worker != LS_WORKER_NONE)
    return g_strdup_printf (_("worker %u"), e->worker);
  if (trace->known == LS_KNOWN_UNITS)
    return g_strdup_printf (_("compute unit %d"), e->unit);
  if (trace->known == LS_KNOWN_THREADS)
    return g_strdup_printf (_("thread %u"), e->worker);
  return g_strdup (_("a work-group"));
}

char *
ls_pick_words (const LsLayout *layout, LsPick pick)
{
  const LsEvent *e = ls_layout_event (layout, pick);
  const LsViewLane *lane;
  const LsOpTrace *trace;
  guint64 zero_ns;

  if (e == NULL)
    return g_strdup ("");
  lane = layout->shown[pick.side];
  zero_ns = lane->recorded->start_ns;
  trace = e->op < lane->index->n_ops ? &lane->index->ops[e->op] : NULL;
  if (trace != NULL && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP))
    {
      g_autofree char *place = place_of (&lane->recorded->tilings[e->op], e), *who = who_of (trace, e);
      g_autofree char *times = times_of (e, zero_ns + (guint64) trace->start_ns);
      g_autofree char *rank = ls_number_ordinal ((guint64) e->rank + 1),
                      *of = ls_number_count (trace->n_ranks);

      if (trace->timed && e->kind == LS_EVENT_TILE)
        return g_strdup_printf ("%s: %s, %s", place, who, times);
      if (e->rank != LS_RANK_NONE)
        return g_strdup_printf (_("%s: %s, done %s of %s"), place, who, rank, of);
      return g_strdup_printf ("%s: %s", place, who);
    }
  /* an op may be several kernels */
  const gboolean op = trace != NULL && trace->ran
                      && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL
                          || e->kind == LS_EVENT_REFERENCE);
  g_autofree char *time = ls_number_time (op ? (double) (trace->end_ns - trace->start_ns)
                                             : (double) (e->end_ns - e->start_ns));
  g_autofree char *bytes = ls_number_count (e->tile);
  const LsRecordedOp *of = trace != NULL ? &layout->data->recording->ops[e->op] : NULL;
  const char *symbol = of == NULL ? "" : of->equation[0] ? of->equation : of->symbol;
  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_WAIT:
      return g_strdup_printf (_("worker %u waited %s at the barrier after %s"), e->worker, time, symbol);
    case LS_EVENT_COPY_IN:
      return g_strdup_printf (_("copy of %s bytes to the device: %s"), bytes, time);
    case LS_EVENT_COPY_OUT:
      return g_strdup_printf (_("copy of %s bytes from the device: %s"), bytes, time);
    case LS_EVENT_HOST_WAIT:
      return g_strdup_printf (_("the host waits %s"), time);
    case LS_EVENT_ENQUEUE:
      return g_strdup_printf ("%s: %s", *symbol ? symbol : _("call of the host"), time);
    default:
      return g_strdup_printf ("%s: %s", *symbol ? symbol : _("queued"), time);
    }
}
