/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every mark can be traced: 1,000 random marks, of both lanes in both views, are looked up in the recording's
 * file by a reader of its own, which knows safetensors and JSON but neither the program's loader nor the
 * views' index. What the file's row says must be what the readout says: the op, the place in the matrix, who,
 * from when to when.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "draw.h"
#include "files/json.h"
#include "fixture.h"
#include "core/number.h"
#include "ui/paint/views.h"

#define MARKS 1000

/* ---- the reader ---- */

typedef struct {
  char *bytes;
  gsize length;
  json_t *header, *lanes, *plan;
  const guint8 *data;
  GArray *rows[LS_SIDES]; /* Row, by lane */
} File;

typedef struct {
  guint64 start, end;
  guint tile, rank, op, kind, clock, worker, from;
  gint unit;
} Row;

/* The kinds and clocks as numbers in the file: its format, not the program's header. */
enum {
  KIND_OP = 1,
  KIND_TILE = 2,
  KIND_WAIT = 3,
  KIND_KERNEL = 6,
  KIND_GROUP = 7,
  KIND_COPY_IN = 8,
  KIND_COPY_OUT = 9,
  KIND_REFERENCE = 11
};
#define CLOCK_ORDER 2
#define NO_WORKER   255
#define NO_RANK     0xffffffffu

static json_t *
parse (const char *text, gsize length)
{
  json_t *root = json_loadb (text, length, 0, NULL);

  g_assert_nonnull (root);
  return root;
}

/* Member of a member. */
static const json_t *
get (const json_t *object, const char *name, const char *inner)
{
  return json_object_get (json_object_get (object, name), inner);
}

static void read_rows (File *file, guint lane);

static void
file_open (File *file, const char *path)
{
  g_autoptr (GError) error = NULL;
  guint64 n = 0;
  const char *lanes, *plan;

  g_file_get_contents (path, &file->bytes, &file->length, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 8; i++)
    n |= (guint64) (guint8) file->bytes[i] << (8 * i);
  g_assert_cmpuint (n + 8, <=, file->length);
  file->header = parse (file->bytes + 8, n);
  file->data = (const guint8 *) file->bytes + 8 + n;
  lanes = json_string_value (get (file->header, "__metadata__", "lanes"));
  plan = json_string_value (get (file->header, "__metadata__", "plan"));
  file->lanes = parse (lanes, strlen (lanes));
  file->plan = parse (plan, strlen (plan));
  for (guint lane = 0; lane < LS_SIDES; lane++)
    file->rows[lane] = g_array_new (FALSE, FALSE, sizeof (Row));
  for (guint lane = 0; lane < json_array_size (file->lanes); lane++)
    read_rows (file, lane);
}

static void
file_close (File *file)
{
  g_free (file->bytes);
  json_decref (file->header);
  json_decref (file->lanes);
  json_decref (file->plan);
  for (guint lane = 0; lane < LS_SIDES; lane++)
    g_array_unref (file->rows[lane]);
}

/* Element i of a column, little-endian, `size` bytes each. */
static guint64
cell (const File *file, guint lane, const char *column, gsize size, guint i)
{
  g_autofree char *name = g_strdup_printf ("lanes.%u.events.%s", lane, column);
  const guint8 *at = file->data
                     + json_integer_value (json_array_get (get (file->header, name, "data_offsets"), 0))
                     + size * i;
  guint64 value = 0;

  for (gsize b = 0; b < size; b++)
    value |= (guint64) at[b] << (8 * b);
  return value;
}

static void
read_rows (File *file, guint lane)
{
  g_autofree char *name = g_strdup_printf ("lanes.%u.events.kind", lane);
  const guint n = (guint) json_integer_value (json_array_get (get (file->header, name, "shape"), 0));

  for (guint i = 0; i < n; i++)
    {
      const Row row = {
        .start = cell (file, lane, "start_ns", 8, i),
        .end = cell (file, lane, "end_ns", 8, i),
        .tile = (guint) cell (file, lane, "tile", 4, i),
        .rank = (guint) cell (file, lane, "rank", 4, i),
        .op = (guint) cell (file, lane, "op", 2, i),
        .unit = (gint16) cell (file, lane, "unit", 2, i),
        .kind = (guint) cell (file, lane, "kind", 1, i),
        .clock = (guint) cell (file, lane, "clock", 1, i),
        .worker = (guint) cell (file, lane, "worker", 1, i),
        .from = (guint) cell (file, lane, "from", 1, i),
      };
      g_array_append_val (file->rows[lane], row);
    }
}

static guint
row_count (const File *file, guint lane)
{
  return file->rows[lane]->len;
}

static Row
row_at (const File *file, guint lane, guint i)
{
  return g_array_index (file->rows[lane], Row, i);
}

static const json_t *
lane_of (const File *file, guint lane)
{
  return json_array_get (file->lanes, lane);
}

static const char *
equation (const File *file, guint op)
{
  const json_t *ops = json_object_get (file->plan, "ops");

  return json_string_value (json_object_get (json_array_get (ops, op), "equation"));
}

static gint64
tiling (const File *file, guint lane, guint op, const char *member)
{
  const json_t *tilings = json_object_get (lane_of (file, lane), "tilings");

  return json_integer_value (json_object_get (json_array_get (tilings, op), member));
}

/* From the first start to the last end of the op's kernels, or of its own span. */
static gboolean
op_span (const File *file, guint lane, guint op, guint64 *start, guint64 *end)
{
  static const guint kinds[] = { KIND_KERNEL, KIND_OP, KIND_REFERENCE };
  gboolean found = FALSE;

  for (guint k = 0; k < G_N_ELEMENTS (kinds) && !found; k++)
    for (guint i = 0; i < row_count (file, lane); i++)
      {
        const Row row = row_at (file, lane, i);
        if (row.kind != kinds[k] || row.op != op || row.clock == CLOCK_ORDER)
          continue;
        *start = found ? MIN (*start, row.start) : row.start;
        *end = found ? MAX (*end, row.end) : row.end;
        found = TRUE;
      }
  return found;
}

/* ---- what the readout must say of a row ---- */

static void
must_say (const char *words, char *part)
{
  if (strstr (words, part) == NULL)
    g_test_fail_printf ("the readout is “%s”; the file says “%s”", words, part);
  g_free (part);
}

static void
check_place (const File *file, guint lane, const Row *row, const char *words)
{
  const gint64 grid_cols = tiling (file, lane, row->op, "grid_cols"),
               cells = tiling (file, lane, row->op, "grid_rows") * grid_cols;
  const gint64 rows = tiling (file, lane, row->op, "rows"), cols = tiling (file, lane, row->op, "cols");
  const gint64 tile_rows = tiling (file, lane, row->op, "tile_rows"),
               tile_cols = tiling (file, lane, row->op, "tile_cols");
  const gint64 at = row->tile % cells, first_row = at / grid_cols * tile_rows,
               first_col = at % grid_cols * tile_cols;
  const gint64 last_col = MIN (first_col + tile_cols, cols) - 1;

  if (rows == 1)
    must_say (words, g_strdup_printf ("elements %d–%d", (int) first_col, (int) last_col));
  else
    must_say (words, g_strdup_printf ("rows %d–%d, columns %d–%d", (int) first_row,
                                      (int) (MIN (first_row + tile_rows, rows) - 1), (int) first_col,
                                      (int) last_col));
}

static void
check_tile (const File *file, guint lane, const Row *row, const char *words)
{
  const char *unit;
  guint64 start, end;

  check_place (file, lane, row, words);
  if (row->from != NO_WORKER && row->from != row->worker)
    must_say (words, g_strdup_printf (": worker %u took it from worker %u, ", row->worker, row->from));
  else
    must_say (words, g_strdup_printf (": worker %u, ", row->worker));
  g_assert_true (op_span (file, lane, row->op, &start, &end));
  g_autofree char *from = ls_number_time_in ((double) (row->start - start), (double) (row->end - start),
                                             &unit);
  g_autofree char *to = ls_number_time_in ((double) (row->end - start), (double) (row->end - start), &unit);
  must_say (words, g_strdup_printf ("%s → %s %s", from, to, unit));
}

static void
check_group (const File *file, guint lane, const Row *row, const char *words)
{
  guint last = 0;

  check_place (file, lane, row, words);
  if (row->unit >= 0
      && strcmp (json_string_value (get (lane_of (file, lane), "device", "tells")), "unit numbers") == 0)
    must_say (words, g_strdup_printf (": compute unit %d", row->unit));
  else if (row->worker != NO_WORKER)
    must_say (words, g_strdup_printf (": thread %u", row->worker));
  if (row->rank == NO_RANK)
    return;
  for (guint i = 0; i < row_count (file, lane); i++)
    {
      const Row other = row_at (file, lane, i);
      if (other.kind == KIND_GROUP && other.op == row->op && other.rank != NO_RANK)
        last = MAX (last, other.rank);
    }
  g_autofree char *rank = ls_number_ordinal ((guint64) row->rank + 1);
  g_autofree char *of = ls_number_count ((guint64) last + 1);
  must_say (words, g_strdup_printf ("done %s of %s", rank, of));
}

static void
check_row (const File *file, guint lane, const Row *row, const char *words)
{
  g_autofree char *time = ls_number_time ((double) (row->end - row->start)),
                  *bytes = ls_number_count (row->tile);
  guint64 start, end;

  switch (row->kind)
    {
    case KIND_TILE:
      check_tile (file, lane, row, words);
      break;
    case KIND_GROUP:
      check_group (file, lane, row, words);
      break;
    case KIND_WAIT:
      must_say (words, g_strdup_printf ("worker %u waited %s at the barrier after %s", row->worker, time,
                                        equation (file, row->op)));
      break;
    case KIND_COPY_IN:
    case KIND_COPY_OUT:
      must_say (words, g_strdup_printf ("copy of %s bytes", bytes));
      must_say (words, g_steal_pointer (&time));
      break;
    default:
      g_assert_true (op_span (file, lane, row->op, &start, &end));
      g_free (time);
      time = ls_number_time ((double) (end - start));
      must_say (words, g_strdup_printf ("%s: %s", equation (file, row->op), time));
    }
}

/* ---- the marks ---- */

static gboolean
same (const Row *row, const LsEvent *e)
{
  return row->start == e->start_ns && row->end == e->end_ns && row->tile == e->tile && row->rank == e->rank
         && row->op == e->op && row->kind == e->kind && row->worker == e->worker && row->from == e->from
         && row->unit == e->unit && row->clock == (guint) LS_EVENT_CLOCK (e);
}

/* The mark's event is one row of the file, and the times on the picture's clock are that row's. */
static void
trace_mark (const File *file, const LsLayout *layout, const LsItem *item)
{
  const LsPick pick = { item->side, item->event };
  const LsEvent *e = ls_layout_event (layout, pick);
  const guint lane = layout->data->sides[item->side].lane;
  g_autofree char *words = ls_pick_words (layout, pick);
  const guint n = row_count (file, lane);
  gboolean found = FALSE;

  g_assert_nonnull (e);
  for (guint i = 0; i < n && !found; i++)
    {
      const Row row = row_at (file, lane, i);
      found = same (&row, e);
      if (found)
        check_row (file, lane, &row, words);
    }
  if (!found)
    g_test_fail_printf ("“%s” is in no row of the file", words);
}

static guint
trace_marks (const char *path, const LsRecording *recording, guint most)
{
  static const LsView *const views[] = { &ls_view_race, &ls_view_partition };
  g_autoptr (LsViewData) data = ls_view_data_from_recording ((LsRecording *) recording, NULL);
  guint traced = 0, sides[LS_SIDES] = { 0 };
  File file;

  file_open (&file, path);
  for (guint round = 0; traced < most && round < 4 * recording->n_ops; round++)
    {
      LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = NULL;
      g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint));

      query.op = (guint) g_test_rand_int_range (0, (gint32) recording->n_ops);
      layout = draw_view (views[round % 2], data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint i = 0; i < layout->still->items->len; i++)
        if (ls_scene_get (layout->still, i)->event != LS_NO_EVENT)
          g_array_append_val (marks, i);
      for (guint k = 0; k < 12 && marks->len > 0 && traced < most && !g_test_failed (); k++, traced++)
        {
          const LsItem *item = ls_scene_get (
            layout->still,
            g_array_index (marks, guint, (guint) g_test_rand_int_range (0, (gint32) marks->len)));
          trace_mark (&file, layout, item);
          sides[item->side]++;
        }
    }
  file_close (&file);
  if (recording->n_lanes > 1 && !g_test_failed ())
    g_assert_cmpuint (MIN (sides[0], sides[1]), >, 0);
  return traced;
}

/* For all that work-groups may tell. */
static void
test_invented (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-test-trace.lockstep", NULL);
  guint traced = 0;

  for (guint known = LS_KNOWN_UNITS; known <= LS_KNOWN_NOTHING; known++)
    {
      const LsFixture f = { .batch = 64,
                            .workers = 4,
                            .tiles = 64,
                            .groups = 128,
                            .known = (LsKnown) known,
                            .units = 4,
                            .stealing = TRUE,
                            .fused = TRUE,
                            .on_cpu = known == LS_KNOWN_THREADS,
                            .steps = 50 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      g_autoptr (GError) error = NULL;

      ls_recording_save (recording, path, &error);
      g_assert_no_error (error);
      traced += trace_marks (path, recording, MARKS / 4);
    }
  g_unlink (path);
  g_assert_cmpuint (traced, ==, MARKS);
}

/* A step that was run, on all lanes that this machine has. */
static void
test_run (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "lockstep-test-trace-run.lockstep", NULL);
  /* the network of the session's test: its kernels are compiled once */
  const char *const argv[] = { g_getenv ("LOCKSTEP_SELF"),
                               "train",
                               "--data",
                               "spiral",
                               "--model",
                               "flatten, dense 64, relu, dense 32, relu, dense 3",
                               "--batch",
                               "64",
                               "--steps",
                               "20",
                               "--record",
                               path,
                               NULL };
  g_autoptr (LsRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  gint status;

  if (argv[0] == NULL)
    {
      g_test_skip ("LOCKSTEP_SELF names no program");
      return;
    }
  g_unlink (path);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  recording = ls_recording_load (path, &error);
  g_assert_no_error (error);
  const guint traced = trace_marks (path, recording, MARKS);
  if (!g_test_failed ())
    g_assert_cmpuint (traced, >, 100);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/trace/invented", test_invented);
  g_test_add_func ("/paint/trace/run", test_run);
  return g_test_run ();
}
