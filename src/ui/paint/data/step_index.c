/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass counts, one sorts: the index of a step of 100,000 events takes a few milliseconds and is made
 * once.
 */
#include "ui/paint/data/timeline_index.h"

#include <stdlib.h>

static const LsEvent *
event_at (const LsStepIndex *index, guint32 i)
{
  return &g_array_index (index->lane->events, LsEvent, i);
}

/* Second phases of split sums have numbers past the last tile; they are no tiles of the output. */
static gboolean
is_piece (const LsStepIndex *index, const LsEvent *e)
{
  const LsTiling *t = &index->lane->tilings[e->op];

  return (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP)
         && e->tile < t->grid_rows * t->grid_cols * MAX (t->splits, 1);
}

static int
compare_pieces_cb (const void *a, const void *b, void *data)
{
  const LsEvent *x = event_at (data, *(const guint32 *) a), *y = event_at (data, *(const guint32 *) b);

  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  if (x->tile != y->tile)
    return x->tile < y->tile ? -1 : 1;
  return (*(const guint32 *) a > *(const guint32 *) b) - (*(const guint32 *) a < *(const guint32 *) b);
}

static void
collect_pieces (LsStepIndex *index)
{
  const GArray *events = index->lane->events;

  index->pieces = g_new (guint32, events->len + 1);
  for (guint32 i = 0; i < events->len; i++)
    {
      const LsEvent *e = event_at (index, i);
      if ((e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP) && e->op < index->n_ops
          && is_piece (index, e))
        index->pieces[index->n_pieces++] = i;
    }
  qsort_r (index->pieces, index->n_pieces, sizeof *index->pieces, compare_pieces_cb, index);
  for (guint i = 0; i < index->n_pieces; i++)
    {
      LsOpTrace *op = &index->ops[event_at (index, index->pieces[i])->op];
      if (op->n++ == 0)
        op->first = i;
    }
}

static void
judge_op (const LsStepIndex *index, LsOpTrace *op)
{
  const LsDeviceInfo *device = index->lane->device;
  gboolean units = device->tells == LS_TELLS_UNITS, threads = TRUE, ranks = TRUE;
  gint rows = 0;

  op->timed = op->n > 0;
  for (guint i = 0; i < op->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (index, op, i);

      units &= e->unit != LS_UNIT_NONE;
      threads &= e->worker != LS_WORKER_NONE;
      ranks &= e->rank != LS_RANK_NONE;
      op->timed &= LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER;
      if (e->rank != LS_RANK_NONE)
        op->n_ranks = MAX (op->n_ranks, e->rank + 1);
    }
  op->known = op->n == 0 ? LS_KNOWN_NOTHING
              : units    ? LS_KNOWN_UNITS
              : threads  ? LS_KNOWN_THREADS
              : ranks    ? LS_KNOWN_ORDER
                         : LS_KNOWN_NOTHING;
  for (guint i = 0; i < op->n; i++)
    rows = MAX (rows, ls_piece_row (op, ls_step_index_piece (index, op, i)) + 1);
  if (op->known == LS_KNOWN_UNITS)
    rows = MAX (rows, device->units);
  else if (op->known == LS_KNOWN_THREADS)
    rows = MAX (rows, device->threads);
  op->n_rows = (guint) rows;
}

static gint64
since_start (const LsStepIndex *index, guint64 ns)
{
  return (gint64) (ns - index->lane->start_ns);
}

static void
widen (LsOpTrace *op, gint64 start_ns, gint64 end_ns)
{
  op->start_ns = op->ran ? MIN (op->start_ns, start_ns) : start_ns;
  op->end_ns = op->ran ? MAX (op->end_ns, end_ns) : end_ns;
  op->ran = TRUE;
}

/* An op's own span where there is one, else that of its kernels, else that of its pieces. */
static void
find_ops (LsStepIndex *index)
{
  static const LsEventKind order[] = { LS_EVENT_KERNEL, LS_EVENT_OP, LS_EVENT_REFERENCE };
  const GArray *events = index->lane->events;

  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    {
      g_autofree gboolean *had = g_new0 (gboolean, index->n_ops + 1);

      for (guint op = 0; op < index->n_ops; op++)
        had[op] = index->ops[op].ran;
      for (guint32 i = 0; i < events->len; i++)
        {
          const LsEvent *e = event_at (index, i);
          if (e->kind == order[k] && e->op < index->n_ops && !had[e->op]
              && LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER)
            widen (&index->ops[e->op], since_start (index, e->start_ns), since_start (index, e->end_ns));
        }
    }
  for (guint op = 0; op < index->n_ops; op++)
    {
      LsOpTrace *trace = &index->ops[op];
      gboolean pieces_only = !trace->ran && trace->timed;

      for (guint i = 0; pieces_only && i < trace->n; i++)
        {
          const LsEvent *e = ls_step_index_piece (index, trace, i);
          widen (trace, since_start (index, e->start_ns), since_start (index, e->end_ns));
        }
    }
}

static gint
compare_spans_cb (gconstpointer a, gconstpointer b)
{
  const LsSpan *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static gboolean
is_own_span (guint kind)
{
  return kind == LS_EVENT_OP || kind == LS_EVENT_KERNEL || kind == LS_EVENT_REFERENCE;
}

/* An op is named by the first event that is its own; where none was recorded, by the first of its pieces. */
static void
find_spans (LsStepIndex *index)
{
  const GArray *events = index->lane->events;
  g_autofree gboolean *known = g_new0 (gboolean, index->n_ops + 1);

  index->spans = g_array_new (FALSE, FALSE, sizeof (LsSpan));
  for (guint pieces = 0; pieces < 2; pieces++)
    for (guint32 i = 0; i < events->len; i++)
      {
        const LsEvent *e = event_at (index, i);
        const gboolean copy = ls_event_is_copy (e);
        const gboolean piece = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;
        LsSpan span = { .kind = (LsEventKind) e->kind,
                        .op = e->op,
                        .event = i,
                        .start_ns = since_start (index, e->start_ns),
                        .end_ns = since_start (index, e->end_ns) };

        if (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER || !(pieces ? piece : copy || is_own_span (e->kind)))
          continue;
        if (!copy && (e->op >= index->n_ops || known[e->op]))
          continue;
        if (!copy)
          {
            known[e->op] = TRUE;
            span.kind = LS_EVENT_OP;
            span.start_ns = index->ops[e->op].start_ns;
            span.end_ns = index->ops[e->op].end_ns;
          }
        g_array_append_val (index->spans, span);
      }
  g_array_sort (index->spans, compare_spans_cb);
}

static LsStepIndex *
fill (LsStepIndex *index, const LsRecording *recording)
{
  index->ref_count = 1;
  index->n_ops = recording->n_ops;
  index->ops = g_new0 (LsOpTrace, recording->n_ops + 1);
  index->length_ns = (gint64) (index->lane->end_ns - index->lane->start_ns);
  collect_pieces (index);
  for (guint op = 0; op < index->n_ops; op++)
    judge_op (index, &index->ops[op]);
  find_ops (index);
  find_spans (index);
  for (guint i = 0; i < index->spans->len; i++)
    index->length_ns = MAX (index->length_ns, g_array_index (index->spans, LsSpan, i).end_ns);
  return index;
}

LsStepIndex *
ls_step_index_new (const LsRecording *recording, guint lane)
{
  LsStepIndex *index = g_new0 (LsStepIndex, 1);

  index->lane = &recording->lanes[lane];
  return fill (index, recording);
}

LsStepIndex *
ls_step_index_new_finer (const LsRecording *recording, guint lane)
{
  const LsRecordedCut *cut = recording->lanes[lane].finer;
  LsStepIndex *index;

  if (cut == NULL)
    return NULL;
  index = g_new0 (LsStepIndex, 1);
  index->finer = recording->lanes[lane];
  index->finer.tilings = cut->tilings;
  index->finer.events = cut->events;
  index->finer.start_ns = cut->start_ns;
  index->finer.end_ns = cut->end_ns;
  index->lane = &index->finer;
  return fill (index, recording);
}

LsStepIndex *
ls_step_index_ref (LsStepIndex *index)
{
  g_atomic_int_inc (&index->ref_count);
  return index;
}

void
ls_step_index_unref (LsStepIndex *index)
{
  if (index == NULL || !g_atomic_int_dec_and_test (&index->ref_count))
    return;
  g_free (index->ops);
  g_free (index->pieces);
  g_array_unref (index->spans);
  g_clear_pointer (&index->times, ls_time_index_free);
  g_free (index);
}

guint
ls_step_index_leader (const LsStepIndex *index, guint op)
{
  return index->lane->tilings[op].leader;
}

const LsEvent *
ls_step_index_piece (const LsStepIndex *index, const LsOpTrace *op, guint i)
{
  return event_at (index, index->pieces[op->first + i]);
}

gint
ls_piece_row (const LsOpTrace *op, const LsEvent *event)
{
  if (op->known == LS_KNOWN_UNITS)
    return event->unit;
  return op->known == LS_KNOWN_THREADS ? event->worker : -1;
}

gboolean
ls_tile_elements (const LsTiling *t, guint32 tile, gint64 *row, gint64 *n_rows, gint64 *col, gint64 *n_cols)
{
  const guint cells = t->grid_rows * t->grid_cols;

  if (cells == 0 || tile >= cells * MAX (t->splits, 1))
    return FALSE;
  tile %= cells;
  *row = tile / t->grid_cols * t->tile_rows;
  *col = tile % t->grid_cols * t->tile_cols;
  *n_rows = MIN (t->tile_rows, t->rows - *row);
  *n_cols = MIN (t->tile_cols, t->cols - *col);
  return TRUE;
}
