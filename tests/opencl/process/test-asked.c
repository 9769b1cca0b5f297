/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the OpenCL lane's process is asked, and what is made of its answers. It is played by this program,
 * which answers with what it was asked: so every number can be found again at the other end, also those that
 * no driver would ever say. No driver is asked.
 */
#include "config.h"
#include "backends/opencl/process/process.h"

#include <string.h>

#include "core/error.h"
#include "played.h"
#include "tests/folder.h"
#include "tests/plain.h"

#define MODEL "flatten, dense 3, relu, dense 2"

static const gint64 shape[3] = { 1, 2, 2 };

typedef struct {
  gpointer lane;
  LsPlan *plan;
  LsData *data;
  LsOptions *options;
} Asked;

static void
fill_set (LsDataset *set, gint64 n, guint8 first)
{
  guint8 *bytes = g_malloc ((gsize) n * 4);

  *set
    = (LsDataset){ .n = n, .shape = { 1, 2, 2 }, .sample_size = 4, .type = LS_SAMPLE_U8, .samples = bytes };
  set->labels = g_new (gint32, n);
  for (gint64 i = 0; i < 4 * n; i++)
    bytes[i] = (guint8) (first + i / 4);
  for (gint64 i = 0; i < n; i++)
    set->labels[i] = (gint32) (i % 2);
}

static void
asked_open (Asked *asked)
{
  g_autoptr (LsModel) model = ls_model_parse (MODEL, NULL);
  g_autoptr (GError) error = NULL;

  asked->plan = ls_plan_new (model, shape, 2, 2, LS_OPTIMIZER_SGD, &error);
  g_assert_no_error (error);
  asked->data = g_new0 (LsData, 1);
  asked->data->ref_count = 1;
  asked->data->name = g_strdup ("x");
  asked->data->n_classes = 2;
  fill_set (&asked->data->train, 20, 10);
  fill_set (&asked->data->test, 10, 100);
  asked->options = ls_options_new ();
  ls_options_set (asked->options, ls_options_find ("kernel"), "tiled", &error);
  asked->lane = ls_backend_opencl.open (asked->options, 6, &error);
  g_assert_no_error (error);
}

static void
asked_close (Asked *asked)
{
  ls_backend_opencl.close (asked->lane);
  ls_plan_unref (asked->plan);
  ls_data_unref (asked->data);
  ls_options_free (asked->options);
}

static void
prepare (Asked *asked)
{
  g_autoptr (GError) error = NULL;

  ls_backend_opencl.prepare (asked->lane, asked->plan, asked->data, &error);
  g_assert_no_error (error);
}

/* What it says of itself is taken, as far as it can be true. */
static void
assert_state (const Asked *asked, const char *kernel)
{
  const LsTiling *tilings = ls_backend_opencl.tilings (asked->lane);
  LsStepMemory memory;
  guint n_rings;
  guint32 capacity;

  g_assert_cmpstr (tilings[0].kernel, ==, kernel);
  for (guint i = 0; i < asked->plan->n_ops; i++)
    {
      g_assert_cmpuint (strlen (tilings[i].kernel), <, sizeof tilings[i].kernel); /* it has an end */
      g_assert_cmpuint (tilings[i].leader, ==, i == 1 ? 0 : i); /* an op before it, or itself */
      g_assert_cmpint (tilings[i].rows, ==, 100 + i);
    }
  ls_backend_opencl.trace_size (asked->lane, &n_rings, &capacity);
  g_assert_cmpuint (n_rings, ==, 3);
  g_assert_cmpuint (capacity, ==, 77);
  ls_backend_opencl.memory->allocated (asked->lane, &memory);
  for (guint i = 0; i < LS_MEMORY_N; i++)
    g_assert_cmpint (memory.bytes[i], ==, 1000 + i);
}

static void
test_state (void)
{
  g_autoptr (GError) error = NULL;
  const LsDeviceInfo *info;
  Asked asked;

  asked_open (&asked);
  info = ls_backend_opencl.device (asked.lane);
  g_assert_cmpstr (info->name, ==, "played");
  g_assert_cmpstr (g_hash_table_lookup (info->facts, "warning-tuned"), ==, "lane 6 of played");
  prepare (&asked);
  assert_state (&asked, "tiled");
  ls_options_set (asked.options, ls_options_find ("kernel"), "register", &error);
  g_assert_true (ls_backend_opencl.configure (asked.lane, asked.options, &error));
  g_assert_no_error (error);
  assert_state (&asked, "register");
  g_assert_true (ls_backend_opencl.build->record_waits (asked.lane));
  asked_close (&asked);
}

/* Of a plan that it can't take, it says nothing, nor still of the one before; and takes the next. */
static void
test_not_prepared (void)
{
  const LsOpTest shapes = { .in = { { 2, 3 } } };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPlan) alone = ls_plan_new_single (&ls_op_relu, &shapes, NULL);
  LsStepMemory memory;
  float value[64];
  guint n_rings;
  guint32 capacity;
  Asked asked;

  asked_open (&asked);
  for (guint again = 0; again < 2; again++)
    {
      prepare (&asked);
      assert_state (&asked, "tiled");
      g_assert_false (ls_backend_opencl.prepare (asked.lane, alone, asked.data, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_cmpstr (error->message, ==, "the OpenCL lane’s process takes plans of models alone");
      g_clear_error (&error);
      g_assert_null (ls_backend_opencl.tilings (asked.lane));
      ls_backend_opencl.trace_size (asked.lane, &n_rings, &capacity);
      g_assert_cmpuint (n_rings, ==, 0);
      g_assert_cmpuint (capacity, ==, 0);
      ls_backend_opencl.memory->allocated (asked.lane, &memory);
      for (guint i = 0; i < LS_MEMORY_N; i++)
        g_assert_cmpint (memory.bytes[i], ==, 0);
      g_assert_false (ls_backend_opencl.read (asked.lane, 0, value, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_clear_error (&error);
    }
  asked_close (&asked);
}

/* Kernels that don't build are not those that the lane says it runs. */
static void
test_reload (void)
{
  static const char *const texts[] = { "good", "broken", "better" };
  g_autoptr (GError) error = NULL;
  Asked asked;

  asked_open (&asked);
  prepare (&asked);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (LsKernelFiles) edited = ls_kernel_files_new ();
      GHashTable *facts;

      g_hash_table_insert (edited->texts, g_strdup ("sum.cl"), g_strdup (texts[i]));
      ls_kernel_files_name (edited);
      g_assert_cmpint (ls_backend_opencl.edit->reload (asked.lane, edited, &error), ==, i != 1);
      if (i == 1)
        g_assert_error (error, LS_ERROR, LS_ERROR_BUILD);
      g_clear_error (&error);
      facts = ls_backend_opencl.device (asked.lane)->facts;
      g_assert_cmpstr (g_hash_table_lookup (facts, LS_FACT_KERNEL "sum.cl"), ==, texts[i == 1 ? 0 : i]);
    }
  asked_close (&asked);
}

static gpointer
prepare_thread (gpointer asked)
{
  prepare (asked);
  return NULL;
}

/* How far it is, op by op, is told while it builds, and nothing after that; how long yet, where it's known.
 */
static void
test_progress (gconstpointer left)
{
  g_autoptr (LsBuild) build = NULL;
  guint done = 0, total = 0;
  g_autofree char *folder = g_dir_make_tmp ("lockstep-asked-XXXXXX", NULL),
                  *file = g_build_filename (folder, "wait", NULL);
  GThread *thread;
  Asked asked;

  g_assert_true (g_file_set_contents (file, left, -1, NULL));
  g_setenv (PLAYED_WAITS, file, TRUE);
  asked_open (&asked);
  g_unsetenv (PLAYED_WAITS);
  thread = g_thread_new ("prepare", prepare_thread, &asked);
  for (guint i = 0; build == NULL && i < 200000; i++)
    {
      g_usleep (100);
      build = ls_backend_opencl.build->kernels (asked.lane);
      ls_backend_opencl.build->progress (asked.lane, &done, &total);
    }
  remove_tree (folder);
  g_thread_join (thread);
  if (build == NULL)
    g_error ("for 20 s nothing was told of what is built");
  g_assert_cmpuint (done, ==, 4);
  g_assert_cmpuint (total, ==, 9);
  g_assert_cmpuint (build->done, ==, 5);
  g_assert_cmpuint (build->total, ==, 8);
  assert_said (g_strdup_printf ("%g", build->left_s), left);
  g_assert_cmpuint (build->n_ops, ==, asked.plan->n_ops);
  for (guint i = 0; i < build->n_ops; i++)
    {
      g_assert_cmpint (build->ops[i].state, ==, (gint) (i % (LS_BUILD_DONE + 1)));
      g_assert_cmpstr (build->ops[i].kernel, ==, i % 2 ? "gemm_packed" : NULL);
      g_assert_cmpint (build->ops[i].same_as, ==, i == 3 ? 1 : -1);
      g_assert_cmpfloat (build->ops[i].seconds, ==, .25 * i);
    }
  g_assert_null (ls_backend_opencl.build->kernels (asked.lane));
  ls_backend_opencl.build->progress (asked.lane, &done, &total);
  g_assert_cmpuint (done + total, ==, 0);
  asked_close (&asked);
}

/* Steps on the training set, on the test set, and on samples that are in none, whose bytes end unevenly. */
static void
test_run (void)
{
  static const guint32 index[][2] = { { 3, 9 }, { 8, 0 }, { 1, 5 }, { 2, 2 } };
  static const gint64 odd_shape[3] = { 1, 1, 3 };
  LsDataset drawn = { .n = 6, .sample_size = 3, .type = LS_SAMPLE_U8 };
  guint8 pixels[18];
  gint32 labels[6] = { 0, 1, 0, 1, 0, 1 };
  LsHyper hyper[4] = { { .lr = .5 }, { .lr = .25 }, { .lr = .125 }, { .lr = .0625 } };
  LsLossScale scale = { .factor = 1024, .skipped = 8 };
  guint64 ends[4] = { 0 };
  float losses[4] = { 0 };
  gboolean skipped[4] = { 0 };
  g_autoptr (LsTrace) trace = ls_trace_new (0, 3, 4, NULL);
  g_autoptr (GError) error = NULL;
  Asked asked;

  memcpy (drawn.shape, odd_shape, sizeof odd_shape);
  for (guint i = 0; i < sizeof pixels; i++)
    pixels[i] = (guint8) (200 + i / 3);
  drawn.samples = pixels;
  drawn.labels = labels;
  asked_open (&asked);
  prepare (&asked);

  const LsBatch batches[4] = { { &asked.data->train, index[0], 2 },
                               { &asked.data->test, index[1], 2 },
                               { &drawn, index[2], 2 },
                               { &asked.data->train, index[3], 2 } };
  const LsRun run = { .first_op = 2,
                      .n_ops = 5,
                      .n_steps = 4,
                      .batches = batches,
                      .hyper = hyper,
                      .fuse = TRUE,
                      .scale = &scale,
                      .trace = trace };
  LsRunResult result = { .step_end_ns = ends, .losses = losses, .skipped = skipped };

  g_assert_true (ls_backend_opencl.run (asked.lane, &run, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.start_ns, ==, 2005);
  g_assert_cmpuint (result.end_ns, ==, 41);
  g_assert_cmpfloat (scale.factor, ==, 2048);
  g_assert_cmpuint (scale.skipped, ==, 9);
  g_assert_true (ends[0] == 3000 && ends[1] == 8000 && ends[2] == 7000 && ends[3] == 2000);
  g_assert_true (!skipped[0] && skipped[1] && !skipped[2] && skipped[3]);
  g_assert_cmpfloat (losses[0], ==, (float) (.5 + 13 + 1000)); /* sample 3 has label 1 */
  g_assert_cmpfloat (losses[1], ==, (float) (.25 + 108));
  g_assert_cmpfloat (losses[2], ==, (float) (.125 + 201 + 1000));
  g_assert_cmpfloat (losses[3], ==, (float) (.0625 + 12));

  /* of what there is no room for, so many are missing */
  g_assert_cmpfloat (trace->clock_error_ns, ==, 12.5);
  for (guint r = 0; r < 3; r++)
    {
      const LsRing *ring = &trace->rings[r];
      g_assert_cmpuint (ring->n, ==, r == 2 ? 4 : r);
      g_assert_cmpuint (ring->dropped, ==, r == 2 ? 12 + 5 : 10 + r);
      g_assert_cmpuint (ring->off_core_ns, ==, 100 + r);
      g_assert_cmpuint (ring->tells, ==, 1);
      for (guint k = 0; k < ring->n; k++)
        g_assert_cmpuint (ring->events[k].start_ns, ==, 1000 * r + k);
    }
  asked_close (&asked);
}

/* There and back; none before the lane is prepared, and no more than the plan has. */
static void
test_tensors (void)
{
  const float values[3] = { 1.5f, -2, 1e30f };
  float got[3] = { 0 };
  LsFigure roofs[LS_ROOF_N];
  g_autoptr (GError) error = NULL;
  guint bias = 0;
  Asked asked;

  asked_open (&asked);
  g_assert_false (ls_backend_opencl.write (asked.lane, 0, values, &error)); /* not prepared */
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_clear_error (&error);
  prepare (&asked);
  while (ls_tensor_count (&asked.plan->tensors[bias]) != 3 || asked.plan->tensors[bias].rank != 1)
    bias++;
  g_assert_true (ls_backend_opencl.write (asked.lane, bias, values, &error));
  g_assert_true (ls_backend_opencl.read (asked.lane, bias, got, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (got, sizeof got, values, sizeof values);
  g_assert_false (ls_backend_opencl.read (asked.lane, asked.plan->n_tensors, got, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_clear_error (&error);
  /* its pointers are its own: units are this program's */
  g_assert_true (ls_backend_opencl.roofs->measure (asked.lane, roofs, &error));
  for (guint i = 0; i < LS_ROOF_N; i++)
    {
      g_assert_cmpfloat (roofs[i].value, ==, 10 + i);
      g_assert_cmpstr (roofs[i].unit, ==, ls_roof_unit ((LsRoof) i));
      g_assert_null (roofs[i].condition);
    }
  asked_close (&asked);
}

/* With a walk go the values of what its op reads and writes, and of what is fused into it, as far as there
 * are any; of no other op. */
static void
test_walk (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree const void **values = NULL;
  guint without;
  Asked asked;

  asked_open (&asked);
  prepare (&asked);
  values = g_new0 (const void *, asked.plan->n_tensors);
  without = asked.plan->ops[2].in[1];
  for (guint t = 0; t < asked.plan->n_tensors; t++)
    {
      float *own = g_malloc0 (ls_tensor_host_bytes (&asked.plan->tensors[t]));
      own[0] = (float) t + .5f;
      values[t] = own;
    }
  for (guint op = 0; op <= 2; op += 2)
    {
      const guint last = op == 0 ? 1 : op; /* whose leader is op 0 */
      const LsWalkOrder order = { op, LS_RUNG_TILED, 3, -1, values };
      g_autoptr (GString) expected = g_string_new (NULL);
      LsWalk *walk = NULL;

      if (op == 2)
        g_clear_pointer ((gpointer *) &values[without], g_free);
      g_string_printf (expected, "op %u by %d at 3, -1:", op, LS_RUNG_TILED);
      for (guint t = 0; t < asked.plan->n_tensors; t++)
        {
          gboolean wanted = FALSE;

          for (guint i = op; i <= last; i++)
            {
              for (guint j = 0; j < asked.plan->ops[i].n_in; j++)
                wanted |= asked.plan->ops[i].in[j] == t;
              for (guint j = 0; j < asked.plan->ops[i].n_out; j++)
                wanted |= asked.plan->ops[i].out[j] == t;
            }
          if (wanted && values[t] != NULL)
            g_string_append_printf (expected, " %u=%g", t, t + .5);
        }
      g_assert_true (ls_backend_opencl.walk->walk (asked.lane, &order, &walk, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (walk->message, ==, expected->str);
      ls_walk_unref (walk);
    }
  for (guint t = 0; t < asked.plan->n_tensors; t++)
    g_free ((gpointer) values[t]);
  asked_close (&asked);
}

/* Values travel as floats, also those that the device stores in 16 bits. */
static void
test_half_tensors (void)
{
  float values[64];
  g_autoptr (GError) error = NULL;
  guint n = 0;
  Asked asked;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = 1000.5f + (float) i;
  asked_open (&asked);
  g_autoptr (LsPlan) half = ls_plan_with_precision (asked.plan, LS_PRECISION_BF16);
  g_assert_true (ls_backend_opencl.prepare (asked.lane, half, asked.data, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < half->n_tensors; i++)
    {
      const LsTensor *t = &half->tensors[i];
      float got[64] = { 0 };

      if (t->dtype != LS_BF16 || ls_tensor_count (t) > 64)
        continue;
      if (!ls_backend_opencl.write (asked.lane, i, values, &error))
        g_error ("%s can’t be written: %s", t->name, error->message);
      g_assert_true (ls_backend_opencl.read (asked.lane, i, got, &error));
      g_assert_cmpmem (got, 4 * (gsize) ls_tensor_count (t), values, 4 * (gsize) ls_tensor_count (t));
      n++;
    }
  g_assert_cmpuint (n, >, 0);
  asked_close (&asked);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    return played_main (argc, argv);
  g_unsetenv ("LOCKSTEP_SELF");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/asked/state", test_state);
  g_test_add_func ("/asked/not-prepared", test_not_prepared);
  g_test_add_func ("/asked/reload", test_reload);
  g_test_add_data_func ("/asked/progress", "2.5", test_progress);
  g_test_add_data_func ("/asked/progress-unknown", "nan", test_progress);
  g_test_add_func ("/asked/run", test_run);
  g_test_add_func ("/asked/tensors", test_tensors);
  g_test_add_func ("/asked/half-tensors", test_half_tensors);
  g_test_add_func ("/asked/walk", test_walk);
  return g_test_run ();
}
