/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording as Chrome trace JSON, the format that https://ui.perfetto.dev and chrome://tracing open ("Trace
 * Event Format", Google, 2016): complete events "X" in µs, a process per lane, a thread per track.
 *
 * Events of one track must nest, but work-groups of one unit and queued commands overlap; such a track is
 * split into as many rows as it needs. Where only the order of work-groups is known their kernel's time is
 * shared out evenly, and each such event says so in its evidence.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "files/export.h"
#include "files/text.h"

typedef enum {
  TRACK_STEP,
  TRACK_OPS,
  TRACK_HOST,
  TRACK_QUEUED,
  TRACK_DEVICE,
  TRACK_WORKER,
  TRACK_UNIT,
  TRACK_THREAD,
  TRACK_GROUPS,
} Track;

#define MAX_ROWS 256

/* An event where it is to be drawn. */
typedef struct {
  const LsEvent *event;
  guint64 start_ns, length_ns; /* since the recording's start */
  guint32 key;                 /* track and number, before it is split into rows */
} Slice;

/* Where the work-groups of an op go whose order alone is known. */
typedef struct {
  guint64 start_ns, length_ns;
  guint64 ranks;
} Span;

typedef struct {
  const LsRecording *recording;
  guint lane;
  GString *out;
  GHashTable *rows; /* key → GArray of guint64: when each row becomes free */
} Export;

static guint32
track_key (const LsEvent *e)
{
  guint number = 0;
  Track track;

  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_STEP:
      track = TRACK_STEP;
      break;
    case LS_EVENT_OP:
    case LS_EVENT_REFERENCE:
      track = TRACK_OPS;
      break;
    case LS_EVENT_ENQUEUE:
    case LS_EVENT_HOST_WAIT:
      track = TRACK_HOST;
      break;
    case LS_EVENT_QUEUED:
      track = TRACK_QUEUED;
      break;
    case LS_EVENT_TILE:
    case LS_EVENT_WAIT:
      track = TRACK_WORKER;
      number = e->worker;
      break;
    case LS_EVENT_GROUP:
      track = e->unit != LS_UNIT_NONE       ? TRACK_UNIT
              : e->worker != LS_WORKER_NONE ? TRACK_THREAD
                                            : TRACK_GROUPS;
      number = track == TRACK_UNIT ? (guint) e->unit : track == TRACK_THREAD ? e->worker : 0;
      break;
    case LS_EVENT_KERNEL:
    case LS_EVENT_COPY_IN:
    case LS_EVENT_COPY_OUT:
    case LS_EVENT_N_KINDS:
    default:
      track = TRACK_DEVICE;
    }
  return (guint32) track << 16 | number;
}

static char *
track_name (guint32 key, guint row)
{
  guint number = key & 0xffff;
  GString *name = g_string_new (NULL);

  switch ((Track) (key >> 16))
    {
    case TRACK_STEP:
      g_string_append (name, "step");
      break;
    case TRACK_OPS:
      g_string_append (name, "ops");
      break;
    case TRACK_HOST:
      g_string_append (name, "host calls");
      break;
    case TRACK_QUEUED:
      g_string_append (name, "queued");
      break;
    case TRACK_DEVICE:
      g_string_append (name, "device");
      break;
    case TRACK_WORKER:
      g_string_append_printf (name, "worker %u", number);
      break;
    case TRACK_UNIT:
      g_string_append_printf (name, "unit %u", number);
      break;
    case TRACK_THREAD:
      g_string_append_printf (name, "device thread %u", number);
      break;
    case TRACK_GROUPS:
    default:
      g_string_append (name, "work-groups");
    }
  if (row > 0)
    g_string_append_printf (name, " (%u)", row + 1);
  return g_string_free (name, FALSE);
}

static int
compare_slices_cb (gconstpointer a, gconstpointer b)
{
  const Slice *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return (x->length_ns < y->length_ns) - (x->length_ns > y->length_ns);
}

/* Per op, the longest kernel and how many ranks there are; without a kernel a microsecond is a rank. */
static Span *
find_spans (const Export *x)
{
  const LsRecordedLane *lane = &x->recording->lanes[x->lane];
  Span *spans = g_new0 (Span, x->recording->n_ops);

  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      Span *span = e->op != LS_OP_NONE ? &spans[e->op] : NULL;

      if (span == NULL)
        continue;
      if (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
        span->ranks = MAX (span->ranks, e->end_ns + (e->end_ns < G_MAXUINT64));
      else if (e->kind == LS_EVENT_KERNEL && e->end_ns - e->start_ns > span->length_ns)
        {
          span->start_ns = e->start_ns - x->recording->start_ns;
          span->length_ns = e->end_ns - e->start_ns;
        }
    }
  return spans;
}

static GArray *
make_slices (const Export *x)
{
  const LsRecordedLane *lane = &x->recording->lanes[x->lane];
  g_autofree Span *spans = find_spans (x);
  GArray *slices = g_array_sized_new (FALSE, FALSE, sizeof (Slice), lane->events->len);

  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      Slice slice = { .event = e, .key = track_key (e), .length_ns = e->end_ns - e->start_ns };

      if (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
        {
          const Span *span = e->op != LS_OP_NONE ? &spans[e->op] : NULL;
          gboolean placed = span != NULL && span->length_ns > 0;
          double rank_ns = placed ? (double) span->length_ns / (double) span->ranks : 1000;

          slice.start_ns = (placed ? span->start_ns : 0) + (guint64) ((double) e->start_ns * rank_ns);
          slice.length_ns = (guint64) ((double) (slice.length_ns + 1) * rank_ns);
        }
      else
        slice.start_ns = e->start_ns - x->recording->start_ns;
      g_array_append_val (slices, slice);
    }
  g_array_sort (slices, compare_slices_cb);
  return slices;
}

static void
append_named (Export *x, const char *what, guint32 tid, const char *name)
{
  g_string_append_printf (
    x->out, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":", x->lane + 1, tid,
    what);
  ls_text_append_json (x->out, name);
  g_string_append (x->out, "}}");
}

/* The thread id of the first row that is free; a new row is announced by its name and its place in the
 * list. */
static guint32
choose_row (Export *x, const Slice *slice)
{
  GArray *rows = g_hash_table_lookup (x->rows, GUINT_TO_POINTER (slice->key));
  guint64 end = slice->start_ns + slice->length_ns;
  g_autofree char *name = NULL;
  guint32 tid;
  guint row = 0;

  if (rows == NULL)
    {
      rows = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_hash_table_insert (x->rows, GUINT_TO_POINTER (slice->key), rows);
    }
  while (row < rows->len && row < MAX_ROWS - 1 && g_array_index (rows, guint64, row) > slice->start_ns)
    row++;
  tid = slice->key * MAX_ROWS + row + 1;
  if (row < rows->len)
    {
      g_array_index (rows, guint64, row) = MAX (end, g_array_index (rows, guint64, row));
      return tid;
    }
  g_array_append_val (rows, end);
  name = track_name (slice->key, row);
  append_named (x, "thread_name", tid, name);
  g_string_append_printf (x->out,
                          ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{"
                          "\"sort_index\":%u}}",
                          x->lane + 1, tid, tid);
  return tid;
}

/* Microseconds with three decimals, by whole numbers: exact, and with a point in every locale. */
static void
append_us (GString *out, const char *name, guint64 ns)
{
  g_string_append_printf (out, "\"%s\":%" PRIu64 ".%03u", name, ns / 1000, (guint) (ns % 1000));
}

static void
append_number (GString *out, const char *name, gboolean present, gint64 value)
{
  if (present)
    g_string_append_printf (out, ",\"%s\":%" PRId64, name, value);
}

static void
append_evidence (Export *x, const LsEvent *e)
{
  GString *out = x->out;

  g_string_append (out, "\"evidence\":");
  switch (LS_EVENT_CLOCK (e))
    {
    case LS_CLOCK_DEVICE:
      g_string_append_printf (out, "\"measured, device clock mapped within %" PRIu64 " ns\"",
                              (guint64) MIN (ceil (x->recording->lanes[x->lane].clock_error_ns), 1e18));
      break;
    case LS_CLOCK_ORDER:
      g_string_append (out, "\"measured order; times are the kernel's, shared out evenly\"");
      break;
    case LS_CLOCK_HOST:
    default:
      g_string_append (out, "\"measured\"");
    }
}

static void
append_args (Export *x, const LsEvent *e)
{
  const LsRecordedOp *op = e->op != LS_OP_NONE ? &x->recording->ops[e->op] : NULL;
  gboolean copy = ls_event_is_copy (e);
  gboolean tiled = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;
  guint row = 0, col = 0;
  gint part = -1;
  gboolean placed = ls_recorded_tile (&x->recording->lanes[x->lane], e, &row, &col, &part);
  GString *out = x->out;

  g_string_append (out, ",\"args\":{");
  append_evidence (x, e);
  if (op != NULL)
    {
      g_string_append (out, ",\"op\":");
      ls_text_append_json (out, op->name);
      g_string_append_printf (out, ",\"phase\":\"%s\"", ls_phase_name (op->phase));
      append_number (out, "op_index", TRUE, e->op);
      append_number (out, "layer", op->layer >= 0, op->layer);
    }
  append_number (out, "tile", tiled, e->tile);
  append_number (out, "tile_row", placed, row);
  append_number (out, "tile_col", placed, col);
  append_number (out, "part", part >= 0, part);
  append_number (out, "bytes", copy, e->tile);
  append_number (out, "bytes_counted", ls_event_moved (e) >= 0, ls_event_moved (e));
  append_number (out, "worker", e->worker != LS_WORKER_NONE, e->worker);
  append_number (out, "from", e->from != LS_WORKER_NONE, e->from);
  append_number (out, "unit", e->unit != LS_UNIT_NONE, e->unit);
  append_number (out, "rank", e->rank != LS_RANK_NONE, e->rank);
  g_string_append (out, "}}");
}

static void
append_slice (Export *x, const Slice *slice)
{
  const LsEvent *e = slice->event;
  const LsRecordedOp *op = e->op != LS_OP_NONE ? &x->recording->ops[e->op] : NULL;
  const char *kind = ls_event_kind_name (e->kind);
  const char *name = kind;
  guint32 tid = choose_row (x, slice);

  if (op != NULL && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
    name = op->equation;
  else if (op != NULL && (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP))
    name = op->symbol;
  g_string_append_printf (x->out, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,", x->lane + 1, tid);
  append_us (x->out, "ts", slice->start_ns);
  g_string_append_c (x->out, ',');
  append_us (x->out, "dur", slice->length_ns);
  g_string_append_printf (x->out, ",\"cat\":\"%s\",\"name\":", kind);
  ls_text_append_json (x->out, name);
  append_args (x, e);
}

static void
free_rows (gpointer rows)
{
  g_array_unref (rows);
}

static void
append_lane (const LsRecording *recording, guint lane, GString *out)
{
  const LsDeviceInfo *device = recording->lanes[lane].device;
  g_autoptr (GHashTable) rows = g_hash_table_new_full (NULL, NULL, NULL, free_rows);
  g_autofree char *name = g_strconcat (recording->lanes[lane].id, device->name != NULL ? ": " : "",
                                       device->name, NULL);
  Export x = { .recording = recording, .lane = lane, .out = out, .rows = rows };
  g_autoptr (GArray) slices = make_slices (&x);

  append_named (&x, "process_name", 0, name);
  for (guint i = 0; i < slices->len; i++)
    append_slice (&x, &g_array_index (slices, Slice, i));
}

GString *
ls_export_perfetto (const LsRecording *recording)
{
  GString *out = g_string_new ("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":");

  ls_text_append_json (out, recording->program);
  g_string_append (out, ",\"date\":");
  ls_text_append_json (out, recording->date);
  g_string_append (out, ",\"model\":");
  ls_text_append_json (out, recording->model);
  g_string_append_printf (out, ",\"step\":\"%" PRIu64 "\"},\"traceEvents\":[\n", recording->step);
  g_string_append_printf (
    out, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":0}}");
  for (guint i = 0; i < recording->n_lanes; i++)
    append_lane (recording, i, out);
  g_string_append (out, "\n]}\n");
  return out;
}
