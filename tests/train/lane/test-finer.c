/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step that is cut finer for its picture: training knows nothing of it, bit by bit, and the
 * picture has its tiles.
 */
#include "files/recording.h"
#include "tests/files/tempdir.h"
#include "train/coordinator.h"
#include "train/lane/lane.h"

#define STEPS 12

/* Trains, and records a step on the way if asked to; the weights as a file's bytes, and the recording. */
static GBytes *
train (const char *model, gint64 tiles, LsOptimizer optimizer, gboolean record, LsRecording **recording)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsBackend *cpu = &ls_backend_cpu;
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  char *contents;
  gsize length;
  guint n_recorded = 0;

  temp_dir_init (&dir);
  path = temp_path (&dir, "weights.safetensors");
  g_assert_true (ls_options_set (options, ls_options_find ("model"), model, NULL));
  options->batch = 64;
  options->threads = 2;
  options->tiles = tiles;
  options->optimizer = optimizer;
  c = ls_coordinator_new_with_backends (options, &cpu, 1, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, NULL));
  for (guint steps = STEPS / 2; steps <= STEPS; steps += STEPS / 2)
    {
      ls_coordinator_run (c, steps);
      if (record && steps < STEPS)
        ls_coordinator_record_next (c, TRUE);
      while (!ls_coordinator_wait (c, 1000))
        ;
    }
  g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, STEPS);
  if (record)
    *recording = ls_recording_ref (s->recording);
  /* done twice, it is one step of the curve */
  for (guint i = 0; i < STEPS; i++)
    n_recorded += (ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_RECORDED) != 0;
  g_assert_cmpuint (n_recorded, ==, record ? 1 : 0);
  g_assert_true (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &error));
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  return g_bytes_new_take (contents, length);
}

static void
check_cut (const LsRecording *recording)
{
  const LsRecordedLane *lane = &recording->lanes[0];
  const LsRecordedCut *finer = lane->finer;
  guint largest = 0, n = 0;

  g_assert_nonnull (finer);
  /* shapes alone say how a sum is cut, so more tiles give the same bits */
  g_assert_true (finer->same);
  g_assert_cmpuint (finer->end_ns, <=, lane->start_ns);
  for (guint i = 1; i < recording->n_ops; i++)
    if (recording->ops[i].flops > recording->ops[largest].flops)
      largest = i;
  const LsTiling *t = &finer->tilings[largest], *was = &lane->tilings[largest];
  g_assert_cmpuint (was->grid_rows * was->grid_cols * was->splits, <, LS_FINER_LEAST);
  g_assert_cmpuint (t->grid_rows * t->grid_cols * t->splits, >=, LS_FINER_LEAST);
  for (guint i = 0; i < finer->events->len; i++)
    {
      const LsEvent *e = &g_array_index (finer->events, LsEvent, i);
      n += e->kind == LS_EVENT_TILE && e->op == largest;
    }
  g_assert_cmpuint (n, >=, t->grid_rows * t->grid_cols * t->splits);
}

/* What passes between fused ops is written nowhere: nothing is kept in its place, where something older would
 * lie. */
static void
check_fused (const LsRecording *recording)
{
  const LsTiling *tilings = recording->lanes[0].tilings;
  guint n = 0, kept = 0;

  for (guint i = 0; i + 1 < recording->n_ops; i++)
    {
      const LsRecordedOp *op = &recording->ops[i], *next = &recording->ops[i + 1];
      const char *passed = recording->shapes[op->out[0]].name;
      const gboolean written = ls_recording_values (recording, 0, passed, NULL) != NULL;
      kept += written;
      if (tilings[i + 1].leader != tilings[i].leader || next->in[0] != op->out[0])
        continue;
      g_test_message ("%s, from %s to %s", passed, op->name, next->name);
      g_assert_false (written);
      n++;
    }
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (kept, >, 4);
}

static void
test_training (gconstpointer model)
{
  for (guint optimizer = 0; optimizer < 2; optimizer++)
    {
      g_autoptr (LsRecording) recording = NULL;
      g_autoptr (GBytes) plain = train (model, 0, (LsOptimizer) optimizer, FALSE, NULL);
      g_autoptr (GBytes) looked_at = train (model, 0, (LsOptimizer) optimizer, TRUE, &recording);

      g_assert_true (g_bytes_equal (plain, looked_at));
      check_fused (recording);
      check_cut (recording);
    }
}

/* There are tiles enough. */
static void
test_many (void)
{
  g_autoptr (LsRecording) recording = NULL;
  G_GNUC_UNUSED g_autoptr (GBytes) weights = train ("mlp", 40, LS_OPTIMIZER_SGD, TRUE, &recording);

  g_assert_null (recording->lanes[0].finer);
}

static void
test_file (void)
{
  g_autoptr (LsRecording) recording = NULL, again = NULL;
  G_GNUC_UNUSED g_autoptr (GBytes) weights = train ("mlp", 0, LS_OPTIMIZER_SGD, TRUE, &recording);
  g_autoptr (GError) error = NULL;
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  const LsRecordedCut *a = recording->lanes[0].finer, *b;

  temp_dir_init (&dir);
  path = temp_path (&dir, "step");
  g_assert_true (ls_recording_save (recording, path, &error));
  again = ls_recording_load (path, &error);
  g_assert_no_error (error);
  b = again->lanes[0].finer;
  g_assert_nonnull (b);
  g_assert_cmpint (a->same, ==, b->same);
  g_assert_cmpuint (a->start_ns, ==, b->start_ns);
  g_assert_cmpuint (a->end_ns, ==, b->end_ns);
  g_assert_cmpmem (a->tilings, recording->n_ops * sizeof *a->tilings, b->tilings,
                   again->n_ops * sizeof *b->tilings);
  g_assert_cmpmem (a->events->data, a->events->len * sizeof (LsEvent), b->events->data,
                   b->events->len * sizeof (LsEvent));
}

static void
assert_same_bytes (const char *what, const void *a, const void *b, gsize n)
{
  if (a == b || memcmp (a, b, n) != 0)
    g_error ("a copied record has other %s", what);
}

/* A copy outlives the record with all that it says. */
static void
test_copy (void)
{
  const gint64 shape[3] = { 1, 2, 2 };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 3", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, shape, 3, 2, LS_OPTIMIZER_SGD, NULL);
  g_autofree LsTiling *tilings = g_new0 (LsTiling, plan->n_ops);
  const LsEvent event = { .kind = LS_EVENT_TILE, .op = 1, .start_ns = 17, .end_ns = 19 },
                finer_event = { .kind = LS_EVENT_TILE, .op = 1, .tile = 4, .start_ns = 5, .end_ns = 6 };
  const guint64 off[] = { 31, 37 };

  tilings[1] = (LsTiling){ .grid_rows = 7, .splits = 5 };
  for (gint same = FALSE; same <= TRUE; same++)
    {
      LsLaneRecord *record = g_new0 (LsLaneRecord, 1);
      GArray *finer = g_array_new (FALSE, FALSE, sizeof (LsEvent));

      *record = (LsLaneRecord){ .events = g_array_new (FALSE, FALSE, sizeof (LsEvent)),
                                .off_core = g_array_new (FALSE, FALSE, sizeof (guint64)),
                                .clock_error_ns = 1.5,
                                .dropped = 2,
                                .start_ns = 3,
                                .end_ns = 29,
                                .values = g_new0 (void *, plan->n_tensors),
                                .before = g_new0 (void *, plan->n_tensors) };
      g_array_append_val (record->events, event);
      g_array_append_vals (record->off_core, off, G_N_ELEMENTS (off));
      g_array_append_val (finer, finer_event);
      record->finer = ls_recorded_cut_new (tilings, plan->n_ops, finer, 4, 8);
      record->finer->same = same;
      for (guint i = 0; i < plan->n_tensors; i += 2) /* of others nothing is kept */
        {
          record->values[i] = g_malloc (MAX (ls_tensor_bytes (&plan->tensors[i]), 1));
          record->before[i] = g_malloc (MAX (ls_tensor_bytes (&plan->tensors[i]), 1));
          memset (record->values[i], (int) (10 + i), ls_tensor_bytes (&plan->tensors[i]));
          memset (record->before[i], (int) (100 + i), ls_tensor_bytes (&plan->tensors[i]));
        }

      LsLaneRecord *copy = ls_lane_record_copy (record, plan);
      assert_same_bytes ("events", copy->events->data, record->events->data, sizeof event);
      g_assert_cmpuint (copy->off_core->len, ==, 2);
      g_assert_cmpuint (g_array_index (copy->off_core, guint64, 1), ==, 37);
      g_assert_cmpfloat (copy->clock_error_ns, ==, 1.5);
      g_assert_true (copy->dropped == 2 && copy->start_ns == 3 && copy->end_ns == 29);
      assert_same_bytes ("finer events", copy->finer->events->data, finer->data, sizeof event);
      g_assert_true (copy->finer->start_ns == 4 && copy->finer->end_ns == 8);
      if (copy->finer->same != same)
        g_error ("a copied record says that the finer step left %s bits", same ? "other" : "the same");
      assert_same_bytes ("tilings of the finer step", copy->finer->tilings, record->finer->tilings,
                         plan->n_ops * sizeof *tilings);
      for (guint i = 0; i < plan->n_tensors; i++)
        {
          g_assert_true ((copy->values[i] == NULL) == (i % 2 > 0));
          g_assert_true ((copy->before[i] == NULL) == (i % 2 > 0));
          if (i % 2 > 0)
            continue;
          assert_same_bytes ("values", copy->values[i], record->values[i],
                             ls_tensor_bytes (&plan->tensors[i]));
          assert_same_bytes ("weights before", copy->before[i], record->before[i],
                             ls_tensor_bytes (&plan->tensors[i]));
        }
      ls_lane_record_free (record, plan);
      g_assert_cmpuint (g_array_index (copy->finer->events, LsEvent, 0).tile, ==, 4);
      ls_lane_record_free (copy, plan);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/finer/training/mlp", "mlp", test_training);
  g_test_add_data_func ("/finer/training/conv", "conv 8 3 pad 1, relu, maxpool 2, flatten, dense 10",
                        test_training);
  g_test_add_func ("/finer/many", test_many);
  g_test_add_func ("/finer/file", test_file);
  g_test_add_func ("/finer/copy", test_copy);
  return g_test_run ();
}
