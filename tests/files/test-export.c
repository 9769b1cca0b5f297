/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording’s exports, as other programs read them: a trace for Perfetto, and CSV.
 */
#include "begin.h"
#include "files/export.h"
#include "files/json.h"
#include "sample.h"

typedef struct {
  double start, end;
} Interval;

static int
compare_intervals_cb (gconstpointer a, gconstpointer b)
{
  const Interval *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

static void
free_array (gpointer array)
{
  g_array_unref (array);
}

/* ordered_end: the latest end of those whose order alone is known, µs. */
static void
collect_slice (const json_t *event, GHashTable *tracks, double *ordered_end)
{
  g_autoptr (GError) error = NULL;
  gint64 pid, tid;
  double ts, dur;
  Interval interval;
  gint64 *key;
  GArray *track;
  const json_t *args;

  g_assert_true (ls_json_get_int (event, "pid", 1, 2, &pid, &error));
  g_assert_true (ls_json_get_int (event, "tid", 1, G_MAXINT32, &tid, &error));
  g_assert_true (ls_json_get_double (event, "ts", 0, 1e6, &ts, &error));
  g_assert_true (ls_json_get_double (event, "dur", 0, 1e6, &dur, &error));
  g_assert_nonnull (ls_json_get_string (event, "name", &error));
  args = ls_json_get_object (event, "args", &error);
  g_assert_nonnull (ls_json_get_string (args, "evidence", &error));
  interval = (Interval){ ts, ts + dur };
  key = g_memdup2 (&(gint64){ pid << 40 | tid }, sizeof (gint64));
  track = g_hash_table_lookup (tracks, key);
  if (track == NULL)
    {
      track = g_array_new (FALSE, FALSE, sizeof (Interval));
      g_hash_table_insert (tracks, key, track);
    }
  else
    g_free (key);
  g_array_append_val (track, interval);
  /* The ranks of op 1 lie within its kernel, 21 to 21.7 µs. */
  if (g_strrstr (ls_json_get_string (args, "evidence", &error), "order") != NULL)
    {
      g_assert_true (ts >= 21 && ts + dur <= 21.7 + 1e-6 && dur > 0);
      *ordered_end = MAX (*ordered_end, ts + dur);
    }
}

static void
test_perfetto (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  g_autoptr (GString) text = ls_export_perfetto (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (json_t) root = ls_json_parse (text->str, text->len, 1 << 24, JSON_OBJECT, &error);
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_array);
  guint slices = 0, names = 0;
  double ordered_end = 0;
  const json_t *events;
  GHashTableIter iter;
  gpointer value;

  g_assert_no_error (error);
  /* the step took 900 µs from 0 on, the CPU's ops a microsecond each, one after the other */
  g_assert_nonnull (strstr (text->str, "\"ts\":0.000,\"dur\":900.000,\"cat\":\"step\""));
  g_assert_nonnull (strstr (text->str, "\"ts\":3.000,\"dur\":0.999,\"cat\":\"op\""));
  /* 123.4, of the lane that has a clock of its own, the second */
  g_assert_nonnull (strstr (text->str, "device clock mapped within 124 ns"));
  g_assert_null (strstr (text->str, "within 0 ns"));
  events = ls_json_get_array (root, "traceEvents", 1, G_MAXUINT, &error);
  for (guint i = 0; i < json_array_size (events); i++)
    {
      const json_t *event = json_array_get (events, i);

      if (strcmp (ls_json_get_string (event, "ph", &error), "X") == 0)
        {
          slices++;
          collect_slice (event, tracks, &ordered_end);
        }
      else
        names += strcmp (ls_json_get_string (event, "name", &error), "thread_name") == 0;
    }
  g_assert_cmpfloat_with_epsilon (ordered_end, 21.7, .002); /* the last rank ends with the kernel */
  g_assert_cmpuint (slices, ==, recording->lanes[0].events->len + recording->lanes[1].events->len);
  g_assert_cmpuint (names, ==, g_hash_table_size (tracks));
  /* On one track nothing overlaps. */
  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GArray *track = value;

      g_array_sort (track, compare_intervals_cb);
      for (guint i = 1; i < track->len; i++)
        g_assert_cmpfloat (g_array_index (track, Interval, i).start, >=,
                           g_array_index (track, Interval, i - 1).end - 1e-9);
    }
}

/* Of what begins together the longer comes first, whatever was recorded first: it may contain the other. */
static void
test_together (void)
{
  static const guint64 lengths[] = { 50, 83, 67 };
  g_autoptr (LsRecording) recording = sample_recording ();
  const char *at[3];

  for (guint i = 0; i < 3; i++)
    sample_event (&recording->lanes[1], 1, LS_EVENT_GROUP, LS_CLOCK_DEVICE, 2, i, 200000, lengths[i]);
  g_autoptr (GString) text = ls_export_perfetto (recording);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *slice = g_strdup_printf ("\"ts\":200.000,\"dur\":0.0%u,", (guint) lengths[i]);

      at[i] = strstr (text->str, slice);
      if (at[i] == NULL)
        g_error ("there is no slice with %s", slice);
    }
  g_assert_true (at[1] < at[2]);
  g_assert_true (at[2] < at[0]);
}

/* Where an op has several kernels, its ranks lie in the longest one, wherever that stands. */
static void
test_longest_kernel (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  GArray *list = recording->lanes[1].events;
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_array);
  g_autoptr (GError) error = NULL;
  double ordered_end = 0;

  for (guint i = 0, n = list->len; i < n; i++)
    if (g_array_index (list, LsEvent, i).kind == LS_EVENT_KERNEL && g_array_index (list, LsEvent, i).op == 1)
      {
        LsEvent brief = g_array_index (list, LsEvent, i);

        brief.start_ns = brief.end_ns + 10;
        brief.end_ns += 60;
        g_array_append_val (list, brief);
      }
  g_autoptr (GString) text = ls_export_perfetto (recording);
  g_autoptr (json_t) root = ls_json_parse (text->str, text->len, 1 << 24, JSON_OBJECT, &error);
  const json_t *events = ls_json_get_array (root, "traceEvents", 1, G_MAXUINT, &error);
  for (guint i = 0; i < json_array_size (events); i++)
    if (strcmp (ls_json_get_string (json_array_get (events, i), "ph", &error), "X") == 0)
      collect_slice (json_array_get (events, i), tracks, &ordered_end);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (ordered_end, 21.7, .002);
}

/* A cell has its number, or nothing where the event has none. */
static void
assert_cell (const char *cell, gboolean present, gint64 value, const char *line)
{
  g_autofree char *number = present ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : g_strdup ("");

  if (strcmp (cell, number) != 0)
    g_error ("“%s” where “%s” belongs in %s", cell, number, line);
}

/* Every event's line has that event's numbers. */
static void
assert_events (char **lines, const LsRecording *recording)
{
  guint n = 1, groups = 0;

  for (guint l = 0; l < recording->n_lanes; l++)
    for (guint i = 0; i < recording->lanes[l].events->len; i++, n++)
      {
        const LsEvent *e = &g_array_index (recording->lanes[l].events, LsEvent, i);
        const gboolean tile = e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP,
                       copy = e->kind == LS_EVENT_COPY_IN || e->kind == LS_EVENT_COPY_OUT;
        g_auto (GStrv) cells = g_strsplit (lines[n], ",", -1);

        assert_cell (cells[0], TRUE, l, lines[n]);
        assert_cell (cells[3], e->op != LS_OP_NONE, e->op, lines[n]);
        assert_cell (cells[8], tile, e->tile, lines[n]);
        assert_cell (cells[12], copy || ls_event_moved (e) >= 0, copy ? e->tile : ls_event_moved (e),
                     lines[n]);
        assert_cell (cells[13], e->worker != LS_WORKER_NONE, e->worker, lines[n]);
        assert_cell (cells[14], e->from != LS_WORKER_NONE, e->from, lines[n]);
        assert_cell (cells[15], e->unit != LS_UNIT_NONE, e->unit, lines[n]);
        assert_cell (cells[16], e->rank != LS_RANK_NONE, e->rank, lines[n]);
        groups += e->kind == LS_EVENT_GROUP;
      }
  g_assert_cmpuint (groups, >, 0);
}

static void
test_csv (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  g_autoptr (GString) text = ls_export_csv (recording);
  g_auto (GStrv) lines = g_strsplit (text->str, "\r\n", -1);
  guint n = g_strv_length (lines);

  g_assert_cmpuint (n, ==, recording->lanes[0].events->len + recording->lanes[1].events->len + 2);
  g_assert_true (g_str_has_prefix (lines[0], "lane,backend,kind,op,op_class,symbol,"));
  g_assert_cmpstr (lines[1], ==, "0,cpu,step,,,,,,,,,,,,,,,host,0,900000,cpu");
  g_assert_cmpstr (lines[3], ==, "0,cpu,tile,0,gather,X,input,,0,0,0,,,0,2,0,0,host,0,10,cpu");
  /* tiles of op 1 lie in 3 rows of 36 */
  g_assert_nonnull (strstr (text->str, ",forward,0,40,1,4,"));
  /* bytes that were counted of ops, none of them too */
  g_assert_nonnull (strstr (text->str, "0,cpu,op,1,conv2d,C₁,forward,0,,,,,640,,,,,host,1000,1999,cpu"));
  g_assert_nonnull (strstr (text->str, "0,cpu,op,2,"));
  g_assert_nonnull (strstr (strstr (text->str, "0,cpu,op,2,"), ",,,,,0,,,,,host,2000,2999,cpu"));
  g_assert_nonnull (strstr (text->str, ",,,,,,,,,,host,3000,3999,cpu"));
  g_assert_cmpstr (lines[recording->lanes[0].events->len + 1], ==,
                   "1,opencl,copy-in,,,,,,,,,,4096,,,,,device,10,100,opencl");
  g_assert_cmpstr (lines[n - 1], ==, "");
  assert_events (lines, recording);
  for (guint i = 0; i + 1 < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 21);
    }
}

/* Behind each event's row there is its lane's own name, not its backend's, in quotes where it needs them. */
static void
test_csv_names (void)
{
  g_autoptr (LsRecording) recording = sample_recording ();
  const guint n = recording->lanes[0].events->len;

  g_free (recording->lanes[0].id);
  recording->lanes[0].id = g_strdup ("left");
  g_free (recording->lanes[1].id);
  recording->lanes[1].id = g_strdup ("the \"fast\", right one");
  g_autoptr (GString) text = ls_export_csv (recording);
  g_auto (GStrv) lines = g_strsplit (text->str, "\r\n", -1);
  for (guint i = 0; i < n + recording->lanes[1].events->len; i++)
    {
      const char *name = i < n ? ",left" : ",\"the \"\"fast\"\", right one\"",
                 *begin = i < n ? "0,cpu," : "1,opencl,";

      if (!g_str_has_prefix (lines[i + 1], begin) || !g_str_has_suffix (lines[i + 1], name))
        g_error ("“%s” isn't of “%s” and “%s”", lines[i + 1], begin, name);
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/export/perfetto", test_perfetto);
  g_test_add_func ("/export/perfetto-longest-kernel", test_longest_kernel);
  g_test_add_func ("/export/together", test_together);
  g_test_add_func ("/export/csv", test_csv);
  g_test_add_func ("/export/csv-names", test_csv_names);
  return g_test_run ();
}
