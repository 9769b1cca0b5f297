/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events are sorted by start already, so one pass counts each row and one fills it: a million take some 100
 * ms.
 */
#include "ui/paint/data/timeline_index.h"

#include <stdlib.h>

#define ROW_KEYS 32768 /* a unit is a gint16 */

typedef struct {
  gint64 start, end;
  guint32 event;
  guint16 op;
} Span;

/* Which row an event stands in: kind · ROW_KEYS + number; −1: none. */
static gint
key_of (const LsStepIndex *index, const LsEvent *e, gboolean has_ops)
{
  const gboolean timed = LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER;
  const gint worker = e->worker == LS_WORKER_NONE ? 0 : e->worker;
  const LsOpTrace *op = e->op < index->n_ops ? &index->ops[e->op] : NULL;

  if (!timed)
    return -1;
  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_OP:
      return LS_ROW_OPS * ROW_KEYS;
    case LS_EVENT_REFERENCE:
      return has_ops ? -1 : LS_ROW_OPS * ROW_KEYS;
    case LS_EVENT_TILE:
      return LS_ROW_WORKER * ROW_KEYS + worker;
    case LS_EVENT_WAIT:
      return LS_ROW_WAITS * ROW_KEYS + worker;
    case LS_EVENT_ENQUEUE:
    case LS_EVENT_HOST_WAIT:
      return LS_ROW_HOST * ROW_KEYS;
    case LS_EVENT_COPY_IN:
    case LS_EVENT_COPY_OUT:
      return LS_ROW_COPIES * ROW_KEYS;
    case LS_EVENT_KERNEL:
      return LS_ROW_KERNELS * ROW_KEYS;
    case LS_EVENT_GROUP:
      if (op != NULL && op->known == LS_KNOWN_UNITS)
        return LS_ROW_GROUPS * ROW_KEYS + MAX (e->unit, 0);
      return LS_ROW_GROUPS * ROW_KEYS + worker;
    case LS_EVENT_STEP:
    case LS_EVENT_QUEUED:
    case LS_EVENT_N_KINDS:
      break;
    }
  return -1;
}

static int
compare_cb (const void *a, const void *b)
{
  const Span *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

static guint16
op_below (const LsTimeRow *row, guint level, guint i)
{
  return level > 0 ? row->levels[level - 1][i].op : row->op[i];
}

static void
add_level (LsTimeRow *row, guint level, guint below)
{
  const guint n = (below + LS_TIME_FAN - 1) / LS_TIME_FAN;
  LsTimeNode *nodes = g_new (LsTimeNode, n);

  for (guint i = 0; i < n; i++)
    {
      LsTimeNode node = { 0, G_MININT64, G_MAXINT64, op_below (row, level, i * LS_TIME_FAN), FALSE };
      for (guint k = i * LS_TIME_FAN; k < MIN ((i + 1) * LS_TIME_FAN, below); k++)
        {
          const gint64 overlap = level > 0 ? row->levels[level - 1][k].overlap
                                 : k > 0   ? row->reach[k - 1] - row->start[k]
                                           : G_MININT64;
          const gint64 gap = level > 0 ? row->levels[level - 1][k].gap : k > 0 ? -overlap : G_MAXINT64;
          node.longest = MAX (node.longest,
                              level > 0 ? row->levels[level - 1][k].longest : row->end[k] - row->start[k]);
          node.gap = MAX (node.gap, gap);
          node.overlap = MIN (node.overlap, overlap);
          node.mixed |= op_below (row, level, k) != node.op || (level > 0 && row->levels[level - 1][k].mixed);
        }
      nodes[i] = node;
    }
  row->levels[level] = nodes;
  row->n_levels = level + 1;
}

/* spans: n, sorted here if they aren't. */
static LsTimeRow *
row_new (LsTimeRowKind kind, gint number, guint merged, Span *spans, guint n)
{
  LsTimeRow *row = g_new0 (LsTimeRow, 1);
  gint64 reach = G_MININT64;

  *row = (LsTimeRow){ .kind = kind,
                      .number = number,
                      .merged = merged,
                      .n = n,
                      .start = g_new (gint64, n),
                      .end = g_new (gint64, n),
                      .reach = g_new (gint64, n),
                      .busy = g_new (gint64, n + 1),
                      .event = g_new (guint32, n),
                      .op = g_new (guint16, n) };
  for (guint i = 1; i < n; i++)
    if (spans[i].start < spans[i - 1].start)
      {
        qsort (spans, n, sizeof *spans, compare_cb);
        break;
      }
  row->busy[0] = 0;
  for (guint i = 0; i < n; i++)
    {
      reach = MAX (reach, spans[i].end);
      row->start[i] = spans[i].start;
      row->end[i] = spans[i].end;
      row->reach[i] = reach;
      row->event[i] = spans[i].event;
      row->op[i] = spans[i].op;
      row->busy[i + 1] = ls_ns_add (row->busy[i], spans[i].end - spans[i].start);
    }
  for (guint level = 0, below = n; level < LS_TIME_LEVELS && below > LS_TIME_FAN; level++)
    {
      add_level (row, level, below);
      below = (below + LS_TIME_FAN - 1) / LS_TIME_FAN;
    }
  return row;
}

static void
row_free (gpointer data)
{
  LsTimeRow *row = data;

  g_free (row->start);
  g_free (row->end);
  g_free (row->reach);
  g_free (row->busy);
  g_free (row->event);
  g_free (row->op);
  for (guint i = 0; i < row->n_levels; i++)
    g_free (row->levels[i]);
  g_free (row);
}

static void
make_rows (LsTimeIndex *self)
{
  const GArray *events = self->index->lane->events;
  const guint n_keys = (LS_ROW_GROUPS + 1) * ROW_KEYS;
  g_autofree guint *first = g_new0 (guint, n_keys + 1);
  g_autofree gint *keys = g_new (gint, events->len + 1);
  g_autofree Span *spans = g_new (Span, events->len + 1);
  gboolean has_ops = FALSE;

  for (guint i = 0; !has_ops && i < events->len; i++)
    has_ops = ls_time_event (self, i)->kind == LS_EVENT_OP;
  for (guint i = 0; i < events->len; i++)
    {
      keys[i] = key_of (self->index, ls_time_event (self, i), has_ops);
      if (keys[i] >= 0)
        first[keys[i] + 1]++;
    }
  for (guint k = 0; k < n_keys; k++)
    first[k + 1] += first[k];
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = ls_time_event (self, i);
      const gint64 start = ls_time_since (self, e->start_ns);
      if (keys[i] >= 0)
        spans[first[keys[i]]++] = (Span){ start, MAX (start, ls_time_since (self, e->end_ns)), i, e->op };
    }
  for (guint k = 0, at = 0; k < n_keys; at = first[k++])
    if (first[k] > at)
      g_ptr_array_add (self->rows, row_new ((LsTimeRowKind) (k / ROW_KEYS), (gint) (k % ROW_KEYS), 1,
                                            &spans[at], first[k] - at));
}

static void
count (LsTimeIndex *self)
{
  const GArray *events = self->index->lane->events;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = ls_time_event (self, i);
      const gboolean piece = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;
      self->n_pieces += piece;
      self->n_untimed += piece && LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER;
      self->n_waits += e->kind == LS_EVENT_WAIT;
      if (e->kind == LS_EVENT_WAIT)
        self->wait_ns = ls_ns_add (self->wait_ns, (gint64) (e->end_ns - e->start_ns));
    }
}

/* ---- the queue ---- */

static int
by_command_cb (const void *a, const void *b, void *data)
{
  const LsEvent *x = ls_time_event (data, *(const guint32 *) a),
                *y = ls_time_event (data, *(const guint32 *) b);

  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  if (x->tile != y->tile)
    return x->tile < y->tile ? -1 : 1;
  return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static gint
by_run_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const LsEvent *x = ls_time_event (data, ((const LsTimeCommand *) a)->run),
                *y = ls_time_event (data, ((const LsTimeCommand *) b)->run);

  return x->start_ns != y->start_ns ? (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns)
                                    : (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* The k-th call, wait and run of the same op and number are one command. */
static void
make_commands (LsTimeIndex *self)
{
  const GArray *events = self->index->lane->events;
  GArray *lists[3];
  guint at[2] = { 0, 0 };

  for (guint l = 0; l < 3; l++)
    lists[l] = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < events->len; i++)
    {
      const LsEvent *e = ls_time_event (self, i);
      const gboolean run = (e->kind == LS_EVENT_KERNEL || ls_event_is_copy (e))
                           && LS_EVENT_CLOCK (e) == LS_CLOCK_DEVICE;
      if (e->kind == LS_EVENT_ENQUEUE || e->kind == LS_EVENT_QUEUED || run)
        g_array_append_val (lists[e->kind == LS_EVENT_ENQUEUE ? 0 : e->kind == LS_EVENT_QUEUED ? 1 : 2], i);
    }
  for (guint l = 0; l < 3; l++)
    g_array_sort_with_data (lists[l], by_command_cb, self);
  for (guint i = 0; i < lists[2]->len; i++)
    {
      LsTimeCommand command = { LS_NO_COMMAND, LS_NO_COMMAND, g_array_index (lists[2], guint32, i) };
      const LsEvent *run = ls_time_event (self, command.run);
      for (guint l = 0; l < 2; l++)
        {
          const LsEvent *e = NULL;
          while (at[l] < lists[l]->len)
            {
              e = ls_time_event (self, g_array_index (lists[l], guint32, at[l]));
              if (e->op > run->op || (e->op == run->op && e->tile >= run->tile))
                break;
              at[l]++;
            }
          if (at[l] < lists[l]->len && e->op == run->op && e->tile == run->tile)
            *(l == 0 ? &command.call : &command.queued) = g_array_index (lists[l], guint32, at[l]++);
        }
      g_array_append_val (self->commands, command);
    }
  g_array_sort_with_data (self->commands, by_run_cb, self);
  for (guint l = 0; l < 3; l++)
    g_array_unref (lists[l]);
}

static int
by_ns_cb (const void *a, const void *b)
{
  const LsTimeDepth *x = a, *y = b;

  return (x->ns > y->ns) - (x->ns < y->ns);
}

static void
measure_queue (LsTimeIndex *self)
{
  guint depth = 0;

  /* first +1 and −1 as depths, then their sums */
  for (guint i = 0; i < self->commands->len; i++)
    {
      const LsTimeCommand *command = &g_array_index (self->commands, LsTimeCommand, i);
      if (command->queued == LS_NO_COMMAND)
        continue;
      const LsEvent *e = ls_time_event (self, command->queued);
      const LsTimeDepth ends[2] = { { ls_time_since (self, e->start_ns), 1 },
                                    { ls_time_since (self, e->end_ns), G_MAXUINT } };
      g_array_append_vals (self->depths, ends, 2);
    }
  g_array_sort (self->depths, by_ns_cb);
  for (guint i = 0; i < self->depths->len; i++)
    {
      LsTimeDepth *d = &g_array_index (self->depths, LsTimeDepth, i);
      depth = depth + d->depth > G_MAXINT ? 0 : depth + d->depth;
      d->depth = depth;
      self->most_queued = MAX (self->most_queued, depth);
    }
}

const LsTimeCommand *
ls_time_index_command (const LsTimeIndex *self, guint32 event)
{
  for (guint i = 0; i < self->commands->len; i++)
    {
      const LsTimeCommand *command = &g_array_index (self->commands, LsTimeCommand, i);
      if (command->call == event || command->queued == event || command->run == event)
        return command;
    }
  return NULL;
}

/* ---- asking ---- */

static LsTimeIndex *
time_index_new (LsStepIndex *index)
{
  LsTimeIndex *self = g_new0 (LsTimeIndex, 1);

  self->index = index;
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->merged = g_ptr_array_new_with_free_func (row_free);
  self->commands = g_array_new (FALSE, FALSE, sizeof (LsTimeCommand));
  self->depths = g_array_new (FALSE, FALSE, sizeof (LsTimeDepth));
  g_mutex_init (&self->lock);
  make_rows (self);
  make_commands (self);
  measure_queue (self);
  count (self);
  return self;
}

LsTimeIndex *
ls_time_index_of (LsStepIndex *index)
{
  if (g_once_init_enter (&index->times))
    g_once_init_leave (&index->times, time_index_new (index));
  return index->times;
}

void
ls_time_index_free (LsTimeIndex *self)
{
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->merged);
  g_array_unref (self->commands);
  g_array_unref (self->depths);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint
ls_time_index_rows (const LsTimeIndex *self, LsTimeRowKind kind, const LsTimeRow *const **rows)
{
  const LsTimeRow *const *all = (const LsTimeRow *const *) self->rows->pdata;
  guint first = 0, n = 0;

  while (first < self->rows->len && all[first]->kind < kind)
    first++;
  while (first + n < self->rows->len && all[first + n]->kind == kind)
    n++;
  *rows = n > 0 ? &all[first] : NULL;
  return n;
}

const LsTimeRow *
ls_time_index_row (const LsTimeIndex *self, LsTimeRowKind kind, gint number)
{
  const LsTimeRow *const *rows;
  const guint n = ls_time_index_rows (self, kind, &rows);

  for (guint i = 0; i < n; i++)
    if (rows[i]->number == number)
      return rows[i];
  return NULL;
}

static LsTimeRow *
merge (const LsTimeIndex *self, LsTimeRowKind kind, gint number, guint n)
{
  const LsTimeRow *const *rows;
  const guint n_rows = ls_time_index_rows (self, kind, &rows);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (Span));

  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; rows[r]->number >= number && rows[r]->number < number + (gint) n && i < rows[r]->n; i++)
      {
        const Span span = { rows[r]->start[i], rows[r]->end[i], rows[r]->event[i], rows[r]->op[i] };
        g_array_append_val (spans, span);
      }
  return row_new (kind, number, n, (Span *) (void *) spans->data, spans->len);
}

const LsTimeRow *
ls_time_index_merged (LsTimeIndex *self, LsTimeRowKind kind, gint number, guint n)
{
  LsTimeRow *row = NULL;

  if (n == 1)
    return ls_time_index_row (self, kind, number);
  g_mutex_lock (&self->lock);
  for (guint i = 0; row == NULL && i < self->merged->len; i++)
    {
      LsTimeRow *r = g_ptr_array_index (self->merged, i);
      if (r->kind == kind && r->number == number && r->merged == n)
        row = r;
    }
  if (row == NULL)
    {
      row = merge (self, kind, number, n);
      g_ptr_array_add (self->merged, row);
    }
  g_mutex_unlock (&self->lock);
  return row->n > 0 ? row : NULL;
}
