/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace for Perfetto, slice by slice: each is one of the recorded events, on the track of whoever did it,
 * with that event's numbers and no others.
 */
#include "begin.h"
#include "files/export.h"
#include "files/json.h"
#include "sample.h"

static void
put (GString *line, const char *name, gboolean present, gint64 value)
{
  if (present)
    g_string_append_printf (line, " %s=%" G_GINT64_FORMAT, name, value);
}

/* Who does what: the host's thread, the queue, the device, a worker, or a part of the device. */
static char *
track_of (const LsEvent *e)
{
  switch ((LsEventKind) e->kind)
    {
    case LS_EVENT_STEP:
      return g_strdup ("step");
    case LS_EVENT_OP:
    case LS_EVENT_REFERENCE:
      return g_strdup ("ops");
    case LS_EVENT_ENQUEUE:
    case LS_EVENT_HOST_WAIT:
      return g_strdup ("host calls");
    case LS_EVENT_QUEUED:
      return g_strdup ("queued");
    case LS_EVENT_TILE:
    case LS_EVENT_WAIT:
      return g_strdup_printf ("worker %u", e->worker);
    case LS_EVENT_GROUP:
      return e->unit != LS_UNIT_NONE       ? g_strdup_printf ("unit %d", e->unit)
             : e->worker != LS_WORKER_NONE ? g_strdup_printf ("device thread %u", e->worker)
                                           : g_strdup ("work-groups");
    case LS_EVENT_KERNEL:
    case LS_EVENT_COPY_IN:
    case LS_EVENT_COPY_OUT:
    case LS_EVENT_N_KINDS:
      break;
    }
  return g_strdup ("device");
}

/* What is to be said of an event, but when. */
static char *
line_of (const LsRecording *recording, guint lane, const LsEvent *e)
{
  const LsRecordedOp *op = e->op != LS_OP_NONE ? &recording->ops[e->op] : NULL;
  const gboolean tile = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP,
                 copy = e->kind == LS_EVENT_COPY_IN || e->kind == LS_EVENT_COPY_OUT,
                 whole = e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL;
  const LsTiling *t = tile ? &recording->lanes[lane].tilings[e->op] : NULL;
  const guint cells = tile ? t->grid_rows * t->grid_cols : 0;
  const gboolean placed = tile && cells > 0 && e->tile < cells * MAX (t->splits, 1);
  g_autofree char *track = track_of (e);
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "%u %s %s “%s”", lane + 1, track, ls_event_kind_name ((LsEventKind) e->kind),
                          whole  ? op->equation
                          : tile ? op->symbol
                                 : ls_event_kind_name ((LsEventKind) e->kind));
  if (op != NULL)
    g_string_append_printf (line, " op=%s phase=%s", op->name, ls_phase_name (op->phase));
  put (line, "op_index", op != NULL, e->op);
  put (line, "layer", op != NULL && op->layer >= 0, op != NULL ? op->layer : 0);
  put (line, "tile", tile, e->tile);
  put (line, "tile_row", placed, placed ? e->tile % cells / t->grid_cols : 0);
  put (line, "tile_col", placed, placed ? e->tile % cells % t->grid_cols : 0);
  put (line, "part", placed && e->kind == LS_EVENT_TILE && t->splits > 1, placed ? e->tile / cells : 0);
  put (line, "bytes", copy, e->tile);
  put (line, "bytes_counted", e->kind == LS_EVENT_OP && e->tile > 0, e->tile - 1);
  put (line, "worker", e->worker != LS_WORKER_NONE, e->worker);
  put (line, "from", e->from != LS_WORKER_NONE, e->from);
  put (line, "unit", e->unit != LS_UNIT_NONE, e->unit);
  put (line, "rank", e->rank != LS_RANK_NONE, e->rank);
  if (LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER)
    g_string_append_printf (line, " at %.3f for %.3f µs", (double) (e->start_ns - recording->start_ns) / 1e3,
                            (double) (e->end_ns - e->start_ns) / 1e3);
  g_string_append (line, LS_EVENT_CLOCK (e) == LS_CLOCK_HOST ? ", measured"
                         : LS_EVENT_CLOCK (e) == LS_CLOCK_DEVICE
                           ? ", measured, device clock mapped within 124 ns"
                           : ", measured order; times are the kernel's, shared out evenly");
  return g_string_free (line, FALSE);
}

/* The same of a slice. names: "pid tid" → its track. */
static char *
line_in (const json_t *slice, GHashTable *names)
{
  static const char *const numbers[] = { "op_index", "layer", "tile",  "tile_row",
                                         "tile_col", "part",  "bytes", "bytes_counted",
                                         "worker",   "from",  "unit",  "rank" };
  const json_t *args = json_object_get (slice, "args");
  const gint pid = (gint) json_integer_value (json_object_get (slice, "pid"));
  g_autofree char *key = g_strdup_printf ("%d %d", pid,
                                          (gint) json_integer_value (json_object_get (slice, "tid")));
  const char *evidence = json_string_value (json_object_get (args, "evidence"));
  g_auto (GStrv) track = g_strsplit (g_hash_table_lookup (names, key), " (", 2); /* the second row of one */
  GString *line = g_string_new (NULL);
  guint known = 1;

  g_string_append_printf (line, "%d %s %s “%s”", pid, track[0],
                          json_string_value (json_object_get (slice, "cat")),
                          json_string_value (json_object_get (slice, "name")));
  if (json_object_get (args, "op") != NULL)
    {
      g_string_append_printf (line, " op=%s phase=%s", json_string_value (json_object_get (args, "op")),
                              json_string_value (json_object_get (args, "phase")));
      known += 2;
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const json_t *number = json_object_get (args, numbers[i]);
      put (line, numbers[i], number != NULL, json_integer_value (number));
      known += number != NULL;
    }
  g_assert_cmpuint (json_object_size (args), ==, known); /* there is nothing else */
  if (strstr (evidence, "order") == NULL)
    g_string_append_printf (line, " at %.3f for %.3f µs", json_number_value (json_object_get (slice, "ts")),
                            json_number_value (json_object_get (slice, "dur")));
  g_string_append_printf (line, ", %s", evidence);
  return g_string_free (line, FALSE);
}

static gint
compare_lines_cb (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Each row has a place in the list, by its number: where nothing is told of it a viewer sorts rows by what
 * happens first in them. */
static void
assert_in_order (GHashTable *names, GHashTable *places)
{
  GHashTableIter iter;
  gpointer row, name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &row, &name))
    {
      const gint tid = (gint) g_ascii_strtoll (strchr (row, ' '), NULL, 10),
                 place = GPOINTER_TO_INT (g_hash_table_lookup (places, row));
      if (place != tid)
        g_error ("row %s, “%s”, has place %d of the list, not %d", (const char *) row, (const char *) name,
                 place, tid);
    }
  g_assert_cmpuint (g_hash_table_size (places), ==, g_hash_table_size (names));
}

static void
test_slices (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                         processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new_with_free_func (g_free),
                        found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = NULL;
  g_autoptr (GString) text = NULL;
  const json_t *event;
  gsize i;

  /* what the sample has none of: groups of which nothing but the thread, or nothing at all, is told */
  for (guint k = 0; k < 2; k++)
    {
      sample_event (&recording->lanes[1], 1, LS_EVENT_GROUP, LS_CLOCK_DEVICE, 2, k, 200000 + 100 * k, 50);
      LsEvent *e = &g_array_index (recording->lanes[1].events, LsEvent, recording->lanes[1].events->len - 1);
      e->unit = LS_UNIT_NONE;
      e->worker = k == 0 ? 7 : LS_WORKER_NONE;
    }
  text = ls_export_perfetto (recording);
  root = ls_json_parse (text->str, text->len, 1 << 24, JSON_OBJECT, &error);
  g_assert_no_error (error);
  json_array_foreach (json_object_get (root, "traceEvents"), i, event)
  {
    const char *name = json_string_value (json_object_get (event, "name"));

    if (g_str_equal (json_string_value (json_object_get (event, "ph")), "X"))
      g_ptr_array_add (found, line_in (event, names)); /* tracks are announced before */
    else if (g_str_equal (name, "thread_name") || g_str_equal (name, "process_name"))
      g_hash_table_insert (
        g_str_equal (name, "thread_name") ? names : processes,
        g_strdup_printf ("%d %d", (gint) json_integer_value (json_object_get (event, "pid")),
                         (gint) json_integer_value (json_object_get (event, "tid"))),
        g_strdup (json_string_value (json_object_get (json_object_get (event, "args"), "name"))));
    else if (g_str_equal (name, "thread_sort_index"))
      g_hash_table_insert (
        places,
        g_strdup_printf ("%d %d", (gint) json_integer_value (json_object_get (event, "pid")),
                         (gint) json_integer_value (json_object_get (event, "tid"))),
        GINT_TO_POINTER (
          json_integer_value (json_object_get (json_object_get (event, "args"), "sort_index"))));
  }
  assert_in_order (names, places);
  for (guint lane = 0; lane < recording->n_lanes; lane++)
    {
      const LsRecordedLane *own = &recording->lanes[lane];
      g_autofree char *key = g_strdup_printf ("%u 0", lane + 1),
                      *process = g_strdup_printf (own->device->name != NULL ? "%s: %s" : "%s", own->id,
                                                  own->device->name);

      g_assert_cmpstr (g_hash_table_lookup (processes, key), ==, process);
      for (guint k = 0; k < own->events->len; k++)
        g_ptr_array_add (wanted, line_of (recording, lane, &g_array_index (own->events, LsEvent, k)));
    }
  g_ptr_array_sort (wanted, compare_lines_cb);
  g_ptr_array_sort (found, compare_lines_cb);
  g_assert_cmpuint (found->len, ==, wanted->len);
  for (guint k = 0; k < wanted->len; k++)
    g_assert_cmpstr (found->pdata[k], ==, wanted->pdata[k]);
}

/* What one track does at once lies in rows below each other, each in the first one that is free: what begins
 * when another ends goes on in its row. */
static void
test_rows (void)
{
  static const struct {
    guint64 start, end; /* ns, since the recording's start; as they come */
    gint row;
  } rows[] = {
    { 0, 10000, 0 },     { 20000, 20000, 1 }, { 10000, 20000, 0 }, { 5000, 15000, 1 },
    { 12000, 14000, 2 }, { 20000, 30000, 0 }, { 31000, 32000, 0 },
  };
  g_autoptr (LsRecording) recording = sample_recording ();
  GArray *events = recording->lanes[1].events;
  const LsEvent like = g_array_index (events, LsEvent, 0);
  gint first = -1;
  guint found = 0;

  g_array_set_size (events, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsEvent event = like;

      event.kind = LS_EVENT_QUEUED;
      event.start_ns = recording->start_ns + rows[i].start;
      event.end_ns = recording->start_ns + rows[i].end;
      g_array_append_val (events, event);
    }
  g_autoptr (GString) text = ls_export_perfetto (recording);
  g_autoptr (json_t) root = ls_json_parse (text->str, text->len, text->len, JSON_OBJECT, NULL);
  const json_t *list = json_object_get (root, "traceEvents");
  for (gsize k = 0; k < json_array_size (list); k++)
    {
      const json_t *slice = json_array_get (list, k);
      const gint tid = (gint) json_integer_value (json_object_get (slice, "tid"));
      const double at = json_number_value (json_object_get (slice, "ts")),
                   lasts = json_number_value (json_object_get (slice, "dur"));

      if (g_strcmp0 (json_string_value (json_object_get (slice, "cat")), "queued") != 0)
        continue;
      first = first < 0 ? tid : first; /* the earliest is in the first row */
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        if ((guint64) (at * 1e3 + .5) == rows[i].start && (guint64) ((at + lasts) * 1e3 + .5) == rows[i].end)
          {
            found++;
            if (tid - first != rows[i].row)
              g_error ("what is queued from %g to %g µs is in row %d, not in %d", at, at + lasts, tid - first,
                       rows[i].row);
          }
    }
  g_assert_cmpuint (found, ==, G_N_ELEMENTS (rows));
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/export/slices", test_slices);
  g_test_add_func ("/export/rows", test_rows);
  return g_test_run ();
}
