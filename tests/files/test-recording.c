/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings: out and in again without a difference, and what a tile’s number means.
 */
#include "begin.h"
#include "files/export.h"
#include "sample.h"
#include "tempdir.h"

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
  g_assert_cmpstr (a->id, ==, b->id);
  g_assert_cmpstr (a->spec, ==, b->spec);
  g_assert_cmpstr (a->device->backend, ==, b->device->backend);
  g_assert_cmpstr (a->device->name, ==, b->device->name);
  g_assert_cmpint (a->device->kind, ==, b->device->kind);
  g_assert_cmpstr (a->device->version, ==, b->device->version);
  g_assert_cmpint (a->device->units, ==, b->device->units);
  g_assert_cmpint (a->device->threads, ==, b->device->threads);
  g_assert_cmpint (a->device->shares_cpu, ==, b->device->shares_cpu);
  g_assert_cmpint (a->device->global_mem, ==, b->device->global_mem);
  g_assert_cmpint (a->device->local_mem, ==, b->device->local_mem);
  g_assert_cmpmem (a->device->numbers, sizeof a->device->numbers, b->device->numbers,
                   sizeof b->device->numbers);
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
  g_assert_cmpstr (a->class_names, ==, b->class_names);
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
  g_assert_true (a->turns == b->turns && a->warm_up == b->warm_up);
  g_assert_cmpuint (a->n_lanes, ==, b->n_lanes);
  for (guint i = 0; i < a->n_lanes; i++)
    assert_same_lane (a, &a->lanes[i], &b->lanes[i]);
}

static void
test_round_trip (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *again = NULL, *first = NULL, *second = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  const LsRecordedShape *shape;
  gsize n, m;

  temp_dir_init (&dir);
  path = temp_path (&dir, "a.safetensors");
  again = temp_path (&dir, "b.safetensors");
  ls_recording_set_conditions (recording, TRUE, 2);
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  assert_same (recording, loaded);
  sample_save (loaded, again);
  g_assert_true (g_file_get_contents (path, &first, &n, NULL));
  g_assert_true (g_file_get_contents (again, &second, &m, NULL));
  g_assert_cmpmem (first, n, second, m);
  /* the steps that don't belong to a rate are known: the first two, and the recorded one */
  for (guint64 i = 0; i < loaded->lanes[0].n_steps; i++)
    g_assert_cmpuint (ls_curve_get (loaded->lanes[0].curve, i).flags, ==,
                      (i < 2 ? LS_POINT_WARM_UP : 0)
                        | (i + 1 == loaded->lanes[0].n_steps ? LS_POINT_RECORDED : 0));

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
  g_autoptr (LsPlan) plan = sample_plan ();
  g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1), loaded = NULL;
  g_autoptr (GString) csv = NULL, json = NULL;
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "empty");
  g_assert_false (ls_recording_seal (recording, &error));
  assert_refused (&error, LS_ERROR_DATA, "lane 0 has no device");
  recording->lanes[0].device = ls_device_info_new ("reference");
  g_assert_true (ls_recording_seal (recording, &error));
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  assert_same (recording, loaded);
  csv = ls_export_csv (loaded);
  json = ls_export_perfetto (loaded);
  g_assert_true (g_str_has_suffix (json->str, "]}\n"));
}

/* Six tiles of a sum in two parts, as the CPU lane numbers them: 0 … 5, 6 … 11, and from 12 on what adds them
 * up. */
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
    { LS_EVENT_TILE, 0, TRUE, 0, 0, 0 },    { LS_EVENT_TILE, 5, TRUE, 1, 2, 0 },
    { LS_EVENT_TILE, 6, TRUE, 0, 0, 1 },    { LS_EVENT_TILE, 10, TRUE, 1, 1, 1 },
    { LS_EVENT_TILE, 12, FALSE, 0, 0, -1 }, { LS_EVENT_TILE, 39, FALSE, 0, 0, -1 },
    { LS_EVENT_GROUP, 5, TRUE, 1, 2, -1 },  { LS_EVENT_WAIT, 0, FALSE, 0, 0, -1 },
  };
  g_autoptr (LsRecording) recording = sample_recording ();
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

/* How long workers were off their cores: in the file, in the copy without tensors, and missing where nobody
 * told. */
static void
test_off_core (void)
{
  static const guint64 ns[] = { 0, 7, 3 };
  const guint64 too_long = G_MAXUINT64;
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL, copy = NULL;
  g_autoptr (GError) error = NULL;
  LsRecordedLane *lane = &recording->lanes[0];

  temp_dir_init (&dir);
  path = temp_path (&dir, "off-core");
  lane->off_core = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (lane->off_core, ns, G_N_ELEMENTS (ns));
  g_assert_true (ls_recording_save (recording, path, &error));
  g_assert_no_error (error);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_nonnull (loaded->lanes[0].off_core);
  g_assert_cmpmem (loaded->lanes[0].off_core->data, loaded->lanes[0].off_core->len * sizeof (guint64), ns,
                   sizeof ns);
  g_assert_null (loaded->lanes[1].off_core);
  copy = ls_recording_without_tensors (loaded);
  g_assert_true (copy->lanes[0].off_core == loaded->lanes[0].off_core);
  g_array_append_val (lane->off_core, too_long);
  g_assert_false (ls_recording_seal (recording, &error));
  g_assert_nonnull (strstr (error->message, "lane 0, worker 3"));
}

/* Test accuracies: those up to the recorded step, in the file and in the copy without tensors. */
static void
test_accuracies (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL, copy = NULL;
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
  const LsAccuracy all[] = { { 1, .25 }, { recording->step, .875 }, { recording->step + 1, .9 } };
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "accuracies");
  g_array_append_vals (list, all, 3);
  ls_recording_set_accuracies (recording, 1, list);
  g_assert_cmpuint (recording->lanes[1].accuracies->len, ==, 2);
  g_array_set_size (list, 2);
  ls_recording_set_accuracies (recording, 1, list);
  g_assert_true (recording->lanes[1].accuracies == list);
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_null (loaded->lanes[0].accuracies);
  g_assert_cmpmem (loaded->lanes[1].accuracies->data, loaded->lanes[1].accuracies->len * sizeof (LsAccuracy),
                   all, 2 * sizeof (LsAccuracy));
  copy = ls_recording_without_tensors (loaded);
  g_assert_true (copy->lanes[1].accuracies == loaded->lanes[1].accuracies);
}

/* Two lanes of one backend are known by their ids; two of one id aren't taken. */
static void
test_lane_ids (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "ids.safetensors");
  g_assert_cmpstr (recording->lanes[0].id, ==, "cpu"); /* those that nobody named have their backend's */
  g_assert_cmpstr (recording->lanes[1].spec, ==, "opencl");
  for (guint i = 0; i < 2; i++)
    {
      LsRecordedLane *lane = &recording->lanes[i];
      g_free (lane->id);
      g_free (lane->spec);
      lane->id = g_strdup (i == 0 ? "slow" : "opencl-2");
      lane->spec = g_strdup (i == 0 ? "cpu(threads=1)" : "opencl:0(kernel=tiled)");
    }
  g_assert_true (ls_recording_seal (recording, NULL));
  g_assert_true (ls_recording_save (recording, path, NULL));
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  assert_same (recording, loaded);
  g_assert_cmpint (ls_recording_find (loaded, "opencl-2"), ==, 1);
  g_assert_cmpint (ls_recording_find (loaded, "opencl"), ==, -1);

  g_free (recording->lanes[1].id);
  recording->lanes[1].id = g_strdup ("slow");
  g_assert_false (ls_recording_seal (recording, &error));
  g_assert_nonnull (strstr (error->message, "two lanes are called “slow”"));
}

/* Recordings of versions before lanes had ids, and told how long their workers were off the core. */
static void
test_before (void)
{
  static const char *const keys[] = { "\\\"id\\\":\\\"cpu\\\",", "\\\"id\\\":\\\"opencl\\\"," };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *bytes = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  temp_dir_init (&dir);
  path = temp_path (&dir, "before");
  sample_save (recording, path);
  g_assert_true (g_file_get_contents (path, &bytes, &length, &error));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      char *key = memmem (bytes, length, keys[i], strlen (keys[i]));
      g_assert_nonnull (key);
      memset (key, ' ', strlen (keys[i])); /* which JSON passes over */
    }
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, &error));
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_recording_find (loaded, "cpu"), ==, 0);
  g_assert_cmpint (ls_recording_find (loaded, "opencl"), ==, 1);
  g_assert_null (loaded->lanes[0].off_core);
}

/* A tensor that is rows of another has its values: kept once, found by either name, also from a file. One
 * that reaches beyond the other is refused. */
static void
test_views (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsRecording) recording = sample_recording (), loaded = NULL;
  g_autofree char *path = NULL;
  const LsRecordedShape *shape;
  LsRecordedShape *view = &recording->shapes[1], *base = &recording->shapes[0];
  const gint64 n = ls_recorded_shape_count (base);
  float *values = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    values[i] = (float) i;
  base->dtype = view->dtype = LS_F32;
  view->is_view = TRUE;
  view->base = 0;
  view->first = n - 2;
  view->rank = 1;
  view->shape[0] = 2;
  ls_recording_take_tensor (recording, 0, 0, values);
  for (guint i = 0; i < recording->lanes[0].tensors->len; i++)
    if (g_array_index (recording->lanes[0].tensors, LsRecordedTensor, i).shape == 1)
      g_array_remove_index (recording->lanes[0].tensors, i);
  g_assert_true (ls_recording_seal (recording, &error));
  g_assert_no_error (error);

  temp_dir_init (&dir);
  path = temp_path (&dir, "views");
  sample_save (recording, path);
  loaded = ls_recording_load (path, &error);
  g_assert_no_error (error);
  const float *found = ls_recording_values (loaded, 0, loaded->shapes[1].name, &shape);
  g_assert_true (shape == &loaded->shapes[1]);
  g_assert_cmpfloat (found[0], ==, (float) (n - 2));
  g_assert_cmpfloat (found[1], ==, (float) (n - 1));
  g_assert_true (found == (const float *) ls_recording_values_at (loaded, 0, 0) + n - 2);

  view->first = n - 1;
  g_assert_false (ls_recording_seal (recording, &error));
  g_assert_nonnull (strstr (error->message, "is no part of the tensor"));
  g_clear_error (&error);
  view->first = 0;
  view->base = 1;
  g_assert_false (ls_recording_seal (recording, &error));
}

/* What an op of a recording moves in 16 bits is what the plan in 16 bits says. */
static void
test_bytes (void)
{
  static const char *const nets[] = { "mlp", "cnn", "flatten, residual(tanh), dense 10", "lstm 7, dense 10" };

  for (guint m = 0; m < 2 * G_N_ELEMENTS (nets); m++)
    {
      g_autoptr (LsModel) model = ls_model_parse (nets[m / 2], NULL);
      g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 28, 28 }, 10, 12,
                                             m % 2 ? LS_OPTIMIZER_ADAM : LS_OPTIMIZER_SGD, NULL);
      g_autoptr (LsRecording) recording = ls_recording_new (plan, 1, 1);

      for (guint p = 0; p < LS_PRECISION_N; p++)
        {
          g_autoptr (LsPlan) stored = ls_plan_with_precision (plan, (LsPrecision) p);
          for (guint op = 0; op < plan->n_ops; op++)
            g_assert_cmpint (ls_recorded_op_bytes (recording, op, (LsPrecision) p), ==,
                             stored->ops[op].bytes);
        }
    }
}

int
main (int argc, char **argv)
{
  begin_in_locale (&argc, &argv);
  g_test_add_func ("/recording/round-trip", test_round_trip);
  g_test_add_func ("/recording/views", test_views);
  g_test_add_func ("/recording/lane-ids", test_lane_ids);
  g_test_add_func ("/recording/before", test_before);
  g_test_add_func ("/recording/empty", test_empty);
  g_test_add_func ("/recording/accuracies", test_accuracies);
  g_test_add_func ("/recording/off-core", test_off_core);
  g_test_add_func ("/recording/split-sum", test_split_sum);
  g_test_add_func ("/recording/bytes", test_bytes);
  return g_test_run ();
}
