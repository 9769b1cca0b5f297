/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings: out and in again without a difference, every field refused when it is wrong, exports that other programs
 * can read.
 */
#include <locale.h>
#include <math.h>

#include "core/rng.h"
#include "files/export.h"
#include "files/json.h"
#include "files/recording_format.h"
#include "tempdir.h"

#define START G_GUINT64_CONSTANT (9007199254740993) /* not a double */

static LsPlan *
make_plan (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse ("conv 3 3 pad 1, relu, maxpool 2, flatten, dense 4", &error);
  LsPlan *plan = ls_plan_new (model, (const gint64[]) { 1, 6, 6 }, 4, 5, LS_OPTIMIZER_SGD, &error);

  g_assert_no_error (error);
  return plan;
}

static void
fill_tilings (LsRecording *recording, guint lane)
{
  for (guint i = 0; i < recording->n_ops; i++)
    {
      LsTiling *tiling = &recording->lanes[lane].tilings[i];
      const LsRecordedShape *shape = &recording->shapes[recording->ops[i].out[0]];
      gint64 rows, cols;

      g_strlcpy (tiling->kernel, lane == 0 ? "sgemm per tile" : "register 64×64", sizeof tiling->kernel);
      tiling->leader = i > 2 && i % 3 == 0 ? i - 1 : i;
      tiling->reference = i == 4;
      tiling->splits = lane == 1 ? 2 : 1;
      ls_tiling_output_matrix (shape->shape, shape->rank, &rows, &cols);
      ls_tiling_set (tiling, rows, cols, 2, 3);
    }
}

static void
add_event (LsRecordedLane *lane, guint number, LsEventKind kind, LsClock clock, guint16 op, guint32 tile, guint64 start,
           guint64 length)
{
  LsEvent e = { .start_ns = START + start, .end_ns = START + start + length, .tile = tile, .rank = LS_RANK_NONE, .op = op,
                .unit = LS_UNIT_NONE, .kind = (guint8) kind, .lane_clock = LS_LANE_CLOCK (number, clock),
                .worker = LS_WORKER_NONE, .from = LS_WORKER_NONE };

  if (kind == LS_EVENT_TILE || kind == LS_EVENT_WAIT)
    {
      e.worker = (guint8) (tile % 3);
      e.unit = (gint16) (tile % 2);
      e.rank = tile;
      e.from = tile % 5 == 0 ? 2 : LS_WORKER_NONE;
    }
  if (kind == LS_EVENT_GROUP)
    e.unit = clock == LS_CLOCK_ORDER ? LS_UNIT_NONE : (gint16) (tile % 2);
  if (clock == LS_CLOCK_ORDER)
    {
      e.start_ns -= START;
      e.end_ns -= START;
    }
  g_array_append_val (lane->events, e);
}

static void
fill_cpu_lane (LsRecording *recording)
{
  LsRecordedLane *lane = &recording->lanes[0];

  add_event (lane, 0, LS_EVENT_STEP, LS_CLOCK_HOST, LS_OP_NONE, 0, 0, 900000);
  for (guint16 op = 0; op < recording->n_ops; op++)
    {
      guint tiles = lane->tilings[op].grid_rows * lane->tilings[op].grid_cols;

      add_event (lane, 0, op == 4 ? LS_EVENT_REFERENCE : LS_EVENT_OP, LS_CLOCK_HOST, op, 0, 1000u * op, 999);
      for (guint t = 0; t < tiles; t++)
        add_event (lane, 0, LS_EVENT_TILE, LS_CLOCK_HOST, op, t, 1000u * op + 10 * (t / 3), 10);
      add_event (lane, 0, LS_EVENT_WAIT, LS_CLOCK_HOST, op, 1, 1000u * op + 990, 9);
    }
}

static void
fill_opencl_lane (LsRecording *recording)
{
  LsRecordedLane *lane = &recording->lanes[1];

  lane->device->name = g_strdup ("Device “A”, \"B\"");
  lane->device->version = g_strdup ("OpenCL 3.0");
  lane->device->units = 2;
  lane->device->global_mem = G_GINT64_CONSTANT (1) << 37;
  lane->device->shares_cpu = TRUE;
  g_hash_table_insert (lane->device->facts, g_strdup ("cache line"), g_strdup ("64 bytes"));
  lane->clock_error_ns = 123.4;
  lane->dropped = 3;
  add_event (lane, 1, LS_EVENT_COPY_IN, LS_CLOCK_DEVICE, LS_OP_NONE, 4096, 10, 90);
  for (guint16 op = 0; op < recording->n_ops; op++)
    {
      add_event (lane, 1, LS_EVENT_ENQUEUE, LS_CLOCK_HOST, op, 0, 100u * op, 5);
      add_event (lane, 1, LS_EVENT_QUEUED, LS_CLOCK_DEVICE, op, 0, 100u * op + 5, 10000);
      add_event (lane, 1, LS_EVENT_KERNEL, LS_CLOCK_DEVICE, op, 0, 20000 + 1000u * op, 700);
      /* Groups of one unit overlap; those of op 1 are known by order only. */
      for (guint t = 0; t < MIN (4, lane->tilings[op].grid_rows * lane->tilings[op].grid_cols); t++)
        add_event (lane, 1, LS_EVENT_GROUP, op == 1 ? LS_CLOCK_ORDER : LS_CLOCK_DEVICE, op, t,
                   op == 1 ? t : 20000 + 1000u * op + 100 * t, op == 1 ? 4 : 300);
    }
  add_event (lane, 1, LS_EVENT_COPY_OUT, LS_CLOCK_DEVICE, LS_OP_NONE, 4, 100000, 20);
  add_event (lane, 1, LS_EVENT_HOST_WAIT, LS_CLOCK_HOST, LS_OP_NONE, 0, 99000, 2000);
}

/* Seven steps of a run that has gone on since. */
static void
add_history (LsRecording *recording, guint lane)
{
  LsCurve *curve = ls_curve_new ();

  for (guint i = 0; i < 9; i++)
    ls_curve_append (curve, (LsPoint) { .loss = i == 3 ? NAN : 2.3f / (float) (i + 1), .step_us = 1000 + (float) i / 1000 });
  ls_recording_set_history (recording, lane, curve, 7);
  ls_curve_unref (curve);
}

static LsRecording *
make_recording (void)
{
  g_autoptr (LsPlan) plan = make_plan ();
  g_autoptr (GError) error = NULL;
  LsRecording *recording = ls_recording_new (plan, 2, 7);

  for (guint l = 0; l < 2; l++)
    {
      LsRecordedLane *lane = &recording->lanes[l];

      lane->device = ls_device_info_new (l == 0 ? "cpu" : "opencl");
      lane->start_ns = START + 5;
      lane->end_ns = START + 900000;
      fill_tilings (recording, l);
      add_history (recording, l);
      for (guint i = plan->n_tensors; i-- > 0;)
        {
          g_autofree guint32 *values = g_new (guint32, ls_tensor_count (&plan->tensors[i]));

          for (gint64 j = 0; j < ls_tensor_count (&plan->tensors[i]); j++)
            values[j] = ls_rng_u32 (l, LS_STREAM_TEST, i, (guint64) j);
          if (l == 0 || i % 2 == 0)
            ls_recording_add_tensor (recording, l, i, values);
        }
    }
  fill_cpu_lane (recording);
  fill_opencl_lane (recording);
  g_hash_table_insert (recording->options, g_strdup ("model"), g_strdup ("conv 3 3 pad 1, relu, …"));
  g_hash_table_insert (recording->options, g_strdup ("lr"), g_strdup ("0.05"));
  g_hash_table_insert (recording->conditions, g_strdup ("evidence"), g_strdup ("measured"));
  g_assert_true (ls_recording_seal (recording, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (recording->start_ns, ==, START);
  return recording;
}

static void
assert_same_text (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer key, value;

  g_assert_cmpuint (g_hash_table_size (a), ==, g_hash_table_size (b));
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_assert_cmpstr (g_hash_table_lookup (b, key), ==, value);
}

static void
assert_same_array (const GArray *a, const GArray *b)
{
  gsize size = g_array_get_element_size ((GArray *) a);

  g_assert_cmpmem (a->data, a->len * size, b->data, b->len * size);
}

static void
assert_same_lane (const LsRecording *recording, const LsRecordedLane *a, const LsRecordedLane *b)
{
  gsize bytes = recording->n_ops * sizeof *a->tilings;

  assert_same_array (a->events, b->events);
  g_assert_cmpuint (a->n_steps, ==, b->n_steps);
  for (guint64 i = 0; i < a->n_steps; i++)
    {
      const LsPoint p = ls_curve_get (a->curve, i), q = ls_curve_get (b->curve, i);
      g_assert_cmpmem (&p.loss, sizeof p.loss, &q.loss, sizeof q.loss);
      g_assert_true (p.step_us == q.step_us);
    }
  g_assert_cmpmem (a->tilings, bytes, b->tilings, bytes);
  g_assert_cmpmem (&a->clock_error_ns, sizeof (double), &b->clock_error_ns, sizeof (double));
  g_assert_cmpuint (a->dropped, ==, b->dropped);
  g_assert_cmpuint (a->start_ns, ==, b->start_ns);
  g_assert_cmpuint (a->end_ns, ==, b->end_ns);
  g_assert_cmpuint (a->tensors->len, ==, b->tensors->len);
  for (guint i = 0; i < a->tensors->len; i++)
    {
      const LsRecordedTensor *x = &g_array_index (a->tensors, LsRecordedTensor, i);
      const LsRecordedTensor *y = &g_array_index (b->tensors, LsRecordedTensor, i);
      gsize size = 4 * (gsize) ls_recorded_shape_count (&recording->shapes[x->shape]);

      g_assert_cmpuint (x->shape, ==, y->shape);
      g_assert_cmpmem (x->values, size, y->values, size);
    }
  g_assert_cmpstr (a->device->backend, ==, b->device->backend);
  g_assert_cmpstr (a->device->name, ==, b->device->name);
  g_assert_cmpstr (a->device->kind, ==, b->device->kind);
  g_assert_cmpstr (a->device->version, ==, b->device->version);
  g_assert_cmpint (a->device->units, ==, b->device->units);
  g_assert_cmpint (a->device->threads, ==, b->device->threads);
  g_assert_cmpint (a->device->shares_cpu, ==, b->device->shares_cpu);
  g_assert_cmpint (a->device->global_mem, ==, b->device->global_mem);
  g_assert_cmpint (a->device->local_mem, ==, b->device->local_mem);
  assert_same_text (a->device->facts, b->device->facts);
}

static void
assert_same (const LsRecording *a, const LsRecording *b)
{
  g_assert_cmpstr (a->program, ==, b->program);
  g_assert_cmpstr (a->date, ==, b->date);
  g_assert_cmpuint (a->step, ==, b->step);
  g_assert_cmpuint (a->start_ns, ==, b->start_ns);
  g_assert_cmpstr (a->model, ==, b->model);
  g_assert_cmpstr (a->model_name, ==, b->model_name);
  g_assert_cmpint (a->optimizer, ==, b->optimizer);
  g_assert_cmpuint (a->batch, ==, b->batch);
  g_assert_cmpmem (a->in_shape, sizeof a->in_shape, b->in_shape, sizeof b->in_shape);
  g_assert_cmpint (a->n_classes, ==, b->n_classes);
  g_assert_cmpint (a->flops, ==, b->flops);
  g_assert_cmpuint (a->n_shapes, ==, b->n_shapes);
  for (guint i = 0; i < a->n_shapes; i++)
    {
      const LsRecordedShape *x = &a->shapes[i], *y = &b->shapes[i];

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpstr (x->symbol, ==, y->symbol);
      g_assert_cmpint (x->role, ==, y->role);
      g_assert_cmpint (x->dtype, ==, y->dtype);
      g_assert_cmpint (x->layer, ==, y->layer);
      g_assert_cmpmem (x->shape, x->rank * sizeof (gint64), y->shape, y->rank * sizeof (gint64));
    }
  g_assert_cmpuint (a->n_ops, ==, b->n_ops);
  for (guint i = 0; i < a->n_ops; i++)
    {
      const LsRecordedOp *x = &a->ops[i], *y = &b->ops[i];

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpstr (x->equation, ==, y->equation);
      g_assert_cmpint (x->phase, ==, y->phase);
      g_assert_cmpint (x->layer, ==, y->layer);
      g_assert_cmpmem (x->in, x->n_in * sizeof (guint), y->in, y->n_in * sizeof (guint));
      g_assert_cmpmem (x->out, x->n_out * sizeof (guint), y->out, y->n_out * sizeof (guint));
      g_assert_cmpint (x->attr.ta, ==, y->attr.ta);
      g_assert_cmpint (x->attr.tb, ==, y->attr.tb);
      g_assert_cmpint (x->attr.m, ==, y->attr.m);
      g_assert_cmpint (x->attr.n, ==, y->attr.n);
      g_assert_cmpint (x->attr.k, ==, y->attr.k);
      g_assert_cmpint (x->attr.kernel, ==, y->attr.kernel);
      g_assert_cmpint (x->attr.stride, ==, y->attr.stride);
      g_assert_cmpint (x->attr.pad, ==, y->attr.pad);
      g_assert_cmpint (x->flops, ==, y->flops);
      g_assert_cmpint (x->bytes, ==, y->bytes);
    }
  assert_same_text (a->options, b->options);
  assert_same_text (a->conditions, b->conditions);
  g_assert_cmpuint (a->n_lanes, ==, b->n_lanes);
  for (guint i = 0; i < a->n_lanes; i++)
    assert_same_lane (a, &a->lanes[i], &b->lanes[i]);
}

static void
save (const LsRecording *recording, const char *path)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_recording_save (recording, path, &error));
  g_assert_no_error (error);
}

static void
test_round_trip (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *again = NULL, *first = NULL, *second = NULL;
  g_autoptr (LsRecording) recording = make_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  const LsRecordedShape *shape;
  gsize n, m;

  temp_dir_init (&dir);
  path = temp_path (&dir, "a.safetensors");
  again = temp_path (&dir, "b.safetensors");
  save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  assert_same (recording, loaded);
  save (loaded, again);
  g_assert_true (g_file_get_contents (path, &first, &n, NULL));
  g_assert_true (g_file_get_contents (again, &second, &m, NULL));
  g_assert_cmpmem (first, n, second, m);

  g_assert_nonnull (ls_recording_values (loaded, 0, "0.weight", &shape));
  g_assert_cmpint (shape->shape[0], ==, 3);
  g_assert_null (ls_recording_values (loaded, 0, "nothing", &shape));
  g_assert_null (shape);
  ls_recording_unref (ls_recording_ref (loaded));
}

/* A lane that gave no events and no history is a recording too. */
static void
test_empty (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsPlan) plan = make_plan ();
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1), loaded = NULL;
  g_autoptr (GString) csv = NULL, json = NULL;
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "empty");
  g_assert_false (ls_recording_seal (recording, &error));
  assert_refused (&error, LS_ERROR_DATA, "lane 0 has no device");
  recording->lanes[0].device = ls_device_info_new ("reference");
  g_assert_true (ls_recording_seal (recording, &error));
  save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  assert_same (recording, loaded);
  csv = ls_export_csv (loaded);
  json = ls_export_perfetto (loaded);
  g_assert_true (g_str_has_suffix (json->str, "]}\n"));
}

static void
refuse (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_recording_load (path, &error));
  assert_refused (&error, LS_ERROR_DATA, words);
}

/* Each member of an event, set to what can't be. */
static void
test_bad_events (void)
{
  enum { TILE = 2 };
  static const struct {
    guint lane;
    LsEvent event;
    const char *words;
  } bad[] = {
    { 0, { 10, 9, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "ends before it starts" },
    { 0, { 10, G_MAXUINT64, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "its end is out of range" },
    { 0, { 1, 2, G_MAXUINT32, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "tile 4294967295 is outside" },
    { 0, { 1, 2, 36, 0, 0, 0, LS_EVENT_TILE, 0, 0, 0 }, "tile 36 is outside its op’s grid of 3×12" },
    { 0, { 1, 2, 0, 0, 999, 0, LS_EVENT_TILE, 0, 0, 0 }, "its op is 999" },
    { 0, { 1, 2, 0, 0, LS_OP_NONE, 0, LS_EVENT_TILE, 0, 0, 0 }, "its op is 65535" },
    { 0, { 1, 2, 0, 0, LS_OP_NONE, 0, LS_EVENT_GROUP, 0, 0, 0 }, "its op is 65535" },
    { 0, { 1, 2, 0, 0, 999, 0, LS_EVENT_WAIT, 0, 0, 0 }, "its op is 999" },
    { 0, { 1, 2, 0, 0, 0, -2, LS_EVENT_TILE, 0, 0, 0 }, "its unit is -2" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_N_KINDS, 0, 0, 0 }, "its kind 12 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, 255, 0, 0, 0 }, "its kind 255 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, LS_LANE_CLOCK (0, 3), 0, 0 }, "its clock 3 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, LS_LANE_CLOCK (0, 15), 0, 0 }, "its clock 15 is unknown" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, 0, LS_MAX_WORKERS, 0 }, "its worker is out of range" },
    { 0, { 1, 2, 0, 0, 0, 0, LS_EVENT_TILE, 0, 0, LS_MAX_WORKERS }, "its worker is out of range" },
    { 1, { 1, G_GUINT64_CONSTANT (1) << 32, 0, 0, 0, 0, LS_EVENT_GROUP, LS_LANE_CLOCK (1, LS_CLOCK_ORDER), 0, 0 },
      "its end is out of range" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (LsRecording) recording = make_recording ();
      g_autoptr (GError) error = NULL;

      g_array_index (recording->lanes[bad[i].lane].events, LsEvent, TILE) = bad[i].event;
      save (recording, path);
      refuse (path, bad[i].words);
      g_assert_false (ls_recording_seal (recording, &error));
      assert_refused (&error, LS_ERROR_DATA, bad[i].words);
    }
}

/* What can't be in the structs, and is found when sealed and when loaded. */
static void
corrupt (LsRecording *r, guint which)
{
  switch (which)
    {
    case 0:
      r->lanes[0].tilings[2].leader = 3;
      break;
    case 1:
      r->lanes[0].tilings[2].grid_rows++;
      break;
    case 2:
      r->lanes[0].tilings[2].tile_cols = 0;
      break;
    case 3:
      ls_tiling_set (&r->lanes[0].tilings[2], 1 << 30, 1 << 30, 1, 1);
      break;
    case 4:
      r->lanes[1].end_ns = r->lanes[1].start_ns - 1;
      break;
    case 5:
      r->ops[1].in[0] = r->n_shapes;
      break;
    case 6:
      r->ops[1].out[0] = 77777;
      break;
    case 7:
      r->shapes[0].shape[0] = G_MAXINT32;
      r->shapes[0].shape[1] = G_MAXINT32;
      r->shapes[0].shape[2] = G_MAXINT32;
      break;
    case 8:
      r->lanes[0].tilings[2].splits = 65536;
      r->lanes[0].tilings[2].rows = r->lanes[0].tilings[2].cols = 1000;
      r->lanes[0].tilings[2].tile_rows = r->lanes[0].tilings[2].tile_cols = 1;
      r->lanes[0].tilings[2].grid_rows = r->lanes[0].tilings[2].grid_cols = 1000;
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
test_bad_structs (void)
{
  static const char *const words[] = { "its leader 3 comes after", "the grid isn’t", "the grid isn’t", "too many tiles",
                                       "its step ends before", "op 1 reads tensor", "op 1 writes tensor 77777",
                                       "overflows", "too many tiles" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (LsRecording) recording = make_recording ();
      g_autoptr (GError) error = NULL;

      if (i == 7)
        for (guint l = 0; l < 2; l++)
          g_array_set_size (recording->lanes[l].tensors, 0);
      corrupt (recording, i);
      g_assert_false (ls_recording_seal (recording, &error));
      assert_refused (&error, LS_ERROR_DATA, words[i]);
      save (recording, path);
      refuse (path, words[i]);
    }
}

/* The file again with `from` replaced by `to` in its header, the first time it occurs. */
static void
edit (const char *bytes, gsize n, const char *path, const char *from, const char *to)
{
  guint64 length;
  g_autofree char *header = NULL;
  g_autoptr (GString) edited = NULL;
  g_autoptr (GByteArray) file = g_byte_array_new ();

  memcpy (&length, bytes, 8);
  header = g_strndup (bytes + 8, length);
  edited = g_string_new (header);
  if (g_string_replace (edited, from, to, 1) != 1)
    g_error ("no “%s” in the header", from);
  length = edited->len;
  g_byte_array_append (file, (guint8 *) &length, 8);
  g_byte_array_append (file, (const guint8 *) edited->str, (guint) edited->len);
  g_byte_array_append (file, (const guint8 *) bytes + 8 + strlen (header), (guint) (n - 8 - strlen (header)));
  put_file (path, file->data, file->len);
}

static void
test_bad_header (void)
{
  static const struct {
    const char *from, *to, *words;
  } bad[] = {
    { "\"format\":\"lockstep.recording\"", "\"format\":\"pt\"", "it is no recording" },
    { "\"format\":\"lockstep.recording\",", "", "it is no recording" },
    { "\"version\":\"1\"", "\"version\":\"2\"", "version 2, made by a newer Lockstep; this one reads version 1" },
    { "\"version\":\"1\"", "\"version\":\"0\"", "unknown version 0" },
    { "\"version\":\"1\"", "\"version\":\"1.0\"", "“version” must be a whole number" },
    { "\"version\":\"1\"", "\"version\":\"-1\"", "“version” must be a whole number" },
    { ",\"version\":\"1\"", "", "lack “version”" },
    { "\"date\":", "\"dat\":", "lack “date”" },
    { "\"program\":", "\"prog\":", "lack “program”" },
    { "\"step\":\"7\"", "\"step\":\"x\"", "“step” must be a whole number" },
    { "\"start_ns\":\"9007199254740993\"", "\"start_ns\":\"9007199254740992\"", "start_ns isn’t" },
    { "\"plan\":\"{", "\"plan\":\"[", "“plan”" },
    { "\"plan\":\"{", "\"plan\":\"// {", "“plan”" },
    { "\"lanes\":\"[", "\"lanes\":\"{}[", "“lanes”" },
    { "\"lanes\":\"[", "\"lanes\":\"[0,", "element 0 of “lanes”" },
    { "\"options\":\"{", "\"options\":\"{\\\"a\\\":1,", "“a” of the options must be text" },
    { "\"conditions\":\"{", "\"conditions\":\"[{", "“conditions”" },
    { "\\\"optimizer\\\":\\\"sgd\\\"", "\\\"optimizer\\\":\\\"sdg\\\"", "must be one of sgd, adam" },
    { "\\\"batch\\\":5", "\\\"batch\\\":0", "“batch” must be a whole number from 1" },
    { "\\\"batch\\\":5", "\\\"batch\\\":\\\"5\\\"", "“batch”" },
    { "\\\"in_shape\\\":[1,6,6]", "\\\"in_shape\\\":[1,6]", "“in_shape”" },
    { "\\\"in_shape\\\":[1,6,6]", "\\\"in_shape\\\":[1,6,0]", "“in_shape”" },
    { "\\\"n_classes\\\":4", "\\\"n_classes\\\":4.5", "“n_classes”" },
    { "\\\"model_name\\\":null", "\\\"model_name\\\":7", "“model_name”" },
    { "\\\"role\\\":\\\"input\\\"", "\\\"role\\\":\\\"imput\\\"", "“role” must be one of" },
    { "\\\"phase\\\":\\\"forward\\\"", "\\\"phase\\\":\\\"foreword\\\"", "“phase” must be one of" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"0.bias\\\"", "two tensors “0.bias”" },
    { "\\\"name\\\":\\\"0.weight\\\"", "\\\"name\\\":\\\"other\\\"", "2 tensors that belong to nothing" },
    { "\\\"leader\\\":0", "\\\"leader\\\":4097", "“leader”" },
    { "\\\"reference\\\":false", "\\\"reference\\\":0", "true or false" },
    { "\\\"kernel\\\":\\\"sgemm", "\\\"kernel\\\":\\\"0123456789012345678901234567890123456789 sgemm", "shorter than 48" },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":null", "“clock_error_ns”" },
    { "\\\"clock_error_ns\\\":0", "\\\"clock_error_ns\\\":-1e9", "“clock_error_ns”" },
    { "\\\"backend\\\":\\\"cpu\\\"", "\\\"backend\\\":null", "“backend” must be a string" },
    { "\\\"facts\\\":{}", "\\\"facts\\\":{\\\"a\\\":{}}", "“a” of the facts" },
    { "\\\"threads\\\":-1", "\\\"threads\\\":-2", "“threads”" },
    { "lanes.0.events.tile\":{\"dtype\":\"U32\"", "lanes.0.events.tile\":{\"dtype\":\"I32\"", "row of at most" },
    { "lanes.0.events.tile\"", "lanes.0.events.tiles\"", "lacks the tensor “lanes.0.events.tile”" },
    { "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7]", "lanes.0.losses\":{\"dtype\":\"F32\",\"shape\":[7,1]", "row of" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\"", "lanes.0.tensors.0.weight\":{\"dtype\":\"I32\"", "type and shape" },
    { "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,1,3,3]",
      "lanes.0.tensors.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,3,1,3]", "type and shape" },
    { "lanes.0.tensors.0.weight\"", "lanes.2.tensors.0.weight\"", "1 tensors that belong to nothing" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = make_recording ();
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "bad");
  save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      edit (bytes, n, path, bad[i].from, bad[i].to);
      refuse (path, bad[i].words);
    }
}

/* A column that is shorter than the others. */
static void
test_columns (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL, *from = NULL, *to = NULL;
  g_autoptr (LsPlan) plan = make_plan ();
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1);
  g_autoptr (GError) error = NULL;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "columns");
  recording->lanes[0].device = ls_device_info_new ("cpu");
  add_event (&recording->lanes[0], 0, LS_EVENT_STEP, LS_CLOCK_HOST, LS_OP_NONE, 0, 0, 5);
  g_assert_true (ls_recording_seal (recording, &error));
  save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  /* Of one event: start_ns, end_ns, tile … from, the last at the file's end. */
  n--;
  from = g_strdup ("lanes.0.events.from\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[31,32]}");
  to = g_strdup ("lanes.0.events.from\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[31,31]}");
  edit (bytes, n, path, from, to);
  refuse (path, "has 0 elements, but there are 1 events");
}

static void
test_mutations (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = make_recording ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  guint64 header;
  gsize n;

  temp_dir_init (&dir);
  path = temp_path (&dir, "mutated");
  save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  memcpy (&header, bytes, 8);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *copy = g_memdup2 (bytes, n);
      g_autoptr (LsRecording) loaded = NULL;
      gint end = i % 2 == 0 ? (gint) header : (gint) n;

      copy[g_rand_int_range (rand, 0, end)] = (char) g_rand_int_range (rand, 32, 127);
      put_file (path, copy, n);
      loaded = ls_recording_load (path, NULL);
      if (loaded != NULL)
        {
          g_autoptr (GString) csv = ls_export_csv (loaded), json = ls_export_perfetto (loaded);

          g_assert_cmpuint (csv->len, >, 0);
          g_assert_cmpuint (json->len, >, 0);
        }
      put_file (path, bytes, (gsize) g_rand_int_range (rand, 0, (gint) n));
      refuse (path, NULL);
    }
}

/* Six tiles of a sum in two parts, as the CPU lane numbers them: 0 … 5, 6 … 11, and from 12 on what adds them up. */
static void
test_split_sum (void)
{
  static const struct {
    guint8 kind;
    guint32 tile;
    gboolean placed;
    guint row, col;
    gint part;
  } cases[] = {
    { LS_EVENT_TILE, 0, TRUE, 0, 0, 0 },   { LS_EVENT_TILE, 5, TRUE, 1, 2, 0 },    { LS_EVENT_TILE, 6, TRUE, 0, 0, 1 },
    { LS_EVENT_TILE, 10, TRUE, 1, 1, 1 },  { LS_EVENT_TILE, 12, FALSE, 0, 0, -1 }, { LS_EVENT_TILE, 39, FALSE, 0, 0, -1 },
    { LS_EVENT_GROUP, 5, TRUE, 1, 2, -1 }, { LS_EVENT_WAIT, 0, FALSE, 0, 0, -1 },
  };
  g_autoptr (LsRecording) recording = make_recording ();
  g_autoptr (GError) error = NULL;
  LsRecordedLane *lane = &recording->lanes[0];
  LsEvent *event = &g_array_index (lane->events, LsEvent, 2);

  lane->tilings[0].splits = 2;
  ls_tiling_set (&lane->tilings[0], 4, 7, 2, 3);
  for (guint i = lane->events->len; i-- > 3;)
    if (g_array_index (lane->events, LsEvent, i).op == 0)
      g_array_remove_index (lane->events, i);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint row = 0, col = 0;
      gint part = -1;

      event->kind = cases[i].kind;
      event->tile = cases[i].tile;
      g_assert_true (ls_recording_seal (recording, &error));
      g_assert_cmpint (ls_recorded_tile (lane, event, &row, &col, &part), ==, cases[i].placed);
      g_assert_cmpuint (row, ==, cases[i].row);
      g_assert_cmpuint (col, ==, cases[i].col);
      g_assert_cmpint (part, ==, cases[i].part);
    }
  /* 2 × 6 parts and at most 28 sums. */
  event->kind = LS_EVENT_TILE;
  event->tile = 40;
  g_assert_false (ls_recording_seal (recording, &error));
  assert_refused (&error, LS_ERROR_DATA, "tile 40 is outside its op’s grid of 2×3");
}

/* ---- exports ---- */

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

static void
collect_slice (JsonObject *event, GHashTable *tracks)
{
  g_autoptr (GError) error = NULL;
  gint64 pid, tid;
  double ts, dur;
  Interval interval;
  gint64 *key;
  GArray *track;
  JsonObject *args;

  g_assert_true (ls_json_get_int (event, "pid", 1, 2, &pid, &error));
  g_assert_true (ls_json_get_int (event, "tid", 1, G_MAXINT32, &tid, &error));
  g_assert_true (ls_json_get_double (event, "ts", 0, 1e6, &ts, &error));
  g_assert_true (ls_json_get_double (event, "dur", 0, 1e6, &dur, &error));
  g_assert_nonnull (ls_json_get_string (event, "name", &error));
  args = ls_json_get_object (event, "args", &error);
  g_assert_nonnull (ls_json_get_string (args, "evidence", &error));
  interval = (Interval) { ts, ts + dur };
  key = g_memdup2 (&(gint64) { pid << 40 | tid }, sizeof (gint64));
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
  if (g_strrstr (json_object_get_string_member (args, "evidence"), "order") != NULL)
    g_assert_true (ts >= 21 && ts + dur <= 21.7 + 1e-6);
}

static void
test_perfetto (void)
{
  g_autoptr (LsRecording) recording = make_recording ();
  g_autoptr (GString) text = ls_export_perfetto (recording);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text->str, text->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = ls_json_parse_strict (bytes, 1 << 24, 8, &error);
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_array);
  guint slices = 0, names = 0;
  JsonArray *events;
  GHashTableIter iter;
  gpointer value;

  g_assert_no_error (error);
  events = ls_json_get_array (json_node_get_object (root), "traceEvents", 1, G_MAXUINT, &error);
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);

      if (strcmp (json_object_get_string_member (event, "ph"), "X") == 0)
        {
          slices++;
          collect_slice (event, tracks);
        }
      else
        names += strcmp (json_object_get_string_member (event, "name"), "thread_name") == 0;
    }
  g_assert_cmpuint (slices, ==, recording->lanes[0].events->len + recording->lanes[1].events->len);
  g_assert_cmpuint (names, ==, g_hash_table_size (tracks));
  /* On one track nothing overlaps. */
  g_hash_table_iter_init (&iter, tracks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GArray *track = value;

      g_array_sort (track, compare_intervals_cb);
      for (guint i = 1; i < track->len; i++)
        g_assert_cmpfloat (g_array_index (track, Interval, i).start, >=, g_array_index (track, Interval, i - 1).end - 1e-9);
    }
}

static void
test_csv (void)
{
  g_autoptr (LsRecording) recording = make_recording ();
  g_autoptr (GString) text = ls_export_csv (recording);
  g_auto (GStrv) lines = g_strsplit (text->str, "\r\n", -1);
  guint n = g_strv_length (lines);

  g_assert_cmpuint (n, ==, recording->lanes[0].events->len + recording->lanes[1].events->len + 2);
  g_assert_true (g_str_has_prefix (lines[0], "lane,backend,kind,op,op_class,symbol,"));
  g_assert_cmpstr (lines[1], ==, "0,cpu,step,,,,,,,,,,,,,,,host,0,900000");
  g_assert_cmpstr (lines[3], ==, "0,cpu,tile,0,gather,X,input,,0,0,0,,,0,2,0,0,host,0,10");
  g_assert_cmpstr (lines[recording->lanes[0].events->len + 1], ==, "1,opencl,copy-in,,,,,,,,,,4096,,,,,device,10,100");
  g_assert_cmpstr (lines[n - 1], ==, "");
  for (guint i = 0; i + 1 < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 20);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  /* The German run would prove nothing if its locale weren't there. */
  if (g_str_has_prefix (setlocale (LC_ALL, NULL), "C"))
    g_assert_false (g_str_has_prefix (g_getenv ("LC_ALL") != NULL ? g_getenv ("LC_ALL") : "", "de"));
  g_test_message ("decimal sign: %s", localeconv ()->decimal_point);
  g_test_add_func ("/recording/round-trip", test_round_trip);
  g_test_add_func ("/recording/empty", test_empty);
  g_test_add_func ("/recording/bad-events", test_bad_events);
  g_test_add_func ("/recording/bad-structs", test_bad_structs);
  g_test_add_func ("/recording/bad-header", test_bad_header);
  g_test_add_func ("/recording/columns", test_columns);
  g_test_add_func ("/recording/mutations", test_mutations);
  g_test_add_func ("/recording/split-sum", test_split_sum);
  g_test_add_func ("/recording/perfetto", test_perfetto);
  g_test_add_func ("/recording/csv", test_csv);
  return g_test_run ();
}
