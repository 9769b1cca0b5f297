/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane's process: what it computes and tells is what the backend does in this process, bit for
 * bit; what it dies of, hangs in, or finds damaged ends no more than that process.
 */
#include "config.h"
#include "kernel_folder.h"
#include "lanes.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "core/error.h"

#define STORE "GEMM_FINISH (m, n, "

static const gint64 shape[3] = { 1, 6, 5 };

typedef struct {
  RigLane *apart, *here; /* the same lane, in its process and in this one */
  LsPlan *plan;
  LsData *data;
} Pair;

static void
pair_open (Pair *pair, const char *model)
{
  pair->plan = rig_plan (model, shape, 4, 16, LS_OPTIMIZER_ADAM);
  pair->data = rig_data (100, shape, 4);
  pair->here = rig_lane_new (&ls_backend_opencl_here, pair->plan, pair->data, "kernel", "tiled", NULL);
  pair->apart = rig_lane_new (&ls_backend_opencl, pair->plan, pair->data, "kernel", "tiled", NULL);
}

static void
pair_close (Pair *pair)
{
  rig_lane_free (pair->apart);
  rig_lane_free (pair->here);
  ls_plan_unref (pair->plan);
  ls_data_unref (pair->data);
}

static void
check_tensors (const Pair *pair)
{
  for (guint p = 0; p < pair->plan->n_params; p++)
    for (guint s = 0; s <= pair->plan->params[p].n_state; s++)
      {
        const guint t = s == 0 ? pair->plan->params[p].weight : pair->plan->params[p].state[s - 1];
        const gsize bytes = ls_tensor_bytes (&pair->plan->tensors[t]);
        g_autofree void *apart = rig_lane_read (pair->apart, t), *here = rig_lane_read (pair->here, t);
        g_assert_cmpmem (apart, bytes, here, bytes);
      }
}

#define MODEL "flatten, dense 11, tanh, dense 4"

/* Counted there, and told in what comes back. */
static void
check_memory (const Pair *pair)
{
  LsStepMemory apart, here;

  pair->apart->backend->memory->allocated (pair->apart->instance, &apart);
  pair->here->backend->memory->allocated (pair->here->instance, &here);
  g_assert_cmpint (ls_step_memory_sum (&here), >, 0);
  g_assert_cmpmem (&apart, sizeof apart, &here, sizeof here);
}

static void
test_steps (void)
{
  static const guint turns[] = { 1, 16, 7 };
  Pair pair;
  guint first = 0;

  pair_open (&pair, MODEL);
  for (guint i = 0; i < G_N_ELEMENTS (turns); i++)
    {
      float apart[16] = { 0 }, here[16] = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_true (rig_lane_run (pair.apart, first, turns[i], apart, &error));
      g_assert_true (rig_lane_run (pair.here, first, turns[i], here, &error));
      g_assert_no_error (error);
      g_assert_cmpmem (apart, turns[i] * sizeof *apart, here, turns[i] * sizeof *here);
      g_assert_cmpfloat (apart[turns[i] - 1], >, 0);
      first += turns[i];
    }
  check_tensors (&pair);
  check_memory (&pair);
  for (guint i = 0; i < pair.plan->n_ops; i++)
    g_assert_cmpmem (&pair.apart->backend->tilings (pair.apart->instance)[i], sizeof (LsTiling),
                     &pair.here->backend->tilings (pair.here->instance)[i], sizeof (LsTiling));
  pair_close (&pair);
}

/* Another rung, unfused, and back. */
static void
test_changes (void)
{
  static const char *const rungs[] = { "naive", "packed", "tiled" };
  Pair pair;

  pair_open (&pair, MODEL);
  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      RigLane *const lanes[] = { pair.apart, pair.here };
      for (guint l = 0; l < 2; l++)
        {
          g_autoptr (GError) error = NULL;
          rig_lane_set (lanes[l], "kernel", rungs[i]);
          rig_lane_set (lanes[l], "fusion", i % 2 == 0 ? "off" : "on");
          g_assert_true (lanes[l]->backend->configure (lanes[l]->instance, lanes[l]->options, &error));
          g_assert_true (rig_lane_run (lanes[l], i * 3, 3, NULL, &error));
          g_assert_no_error (error);
        }
      for (guint k = 0; k < pair.plan->n_ops; k++)
        g_assert_cmpstr (pair.apart->backend->tilings (pair.apart->instance)[k].kernel, ==,
                         pair.here->backend->tilings (pair.here->instance)[k].kernel);
    }
  check_tensors (&pair);
  pair_close (&pair);
}

static void
test_recorded (void)
{
  Pair pair;
  LsRunResult results[2] = { 0 };
  float losses[2] = { 0, 1 };
  g_autoptr (LsTrace) apart = NULL, here = NULL;

  pair_open (&pair, MODEL);
  results[0].losses = &losses[0];
  results[1].losses = &losses[1];
  apart = rig_lane_record (pair.apart, 0, &results[0]);
  here = rig_lane_record (pair.here, 0, &results[1]);
  g_assert_cmpmem (&losses[0], sizeof (float), &losses[1], sizeof (float));
  g_assert_cmpuint (results[0].end_ns, >, results[0].start_ns);
  g_assert_cmpuint (apart->n_rings, ==, here->n_rings);
  g_assert_cmpuint (apart->rings[0].n, ==, here->rings[0].n);
  g_assert_cmpuint (apart->rings[0].n, >, 0);
  g_assert_cmpfloat (apart->clock_error_ns, >, 0);
  for (guint i = 0; i < apart->rings[0].n; i++)
    {
      const LsEvent *a = &apart->rings[0].events[i];
      /* on one clock with the parent: it asked before, and has the answer after */
      g_assert_cmpuint (a->start_ns, >=, results[0].start_ns - 10000000);
      g_assert_cmpuint (a->start_ns, <=, ls_clock_ns ());
    }
  check_tensors (&pair);
  pair_close (&pair);
}

/* The test set, and samples that are in none; forward alone. */
static void
test_batches (void)
{
  static const guint32 index[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 0 };
  Pair pair;

  pair_open (&pair, MODEL);

  g_autoptr (LsData) others = rig_data (10, shape, 4);
  const LsDataset *sets[] = { &pair.data->test, &others->train };

  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      RigLane *const lanes[] = { pair.apart, pair.here };
      g_autofree void *logits[2] = { NULL, NULL };
      const gsize bytes = ls_tensor_bytes (&pair.plan->tensors[pair.plan->logits]);

      for (guint l = 0; l < 2; l++)
        {
          const LsBatch batch = { sets[s], index, 16 };
          const LsHyper hyper = { .step = 1 };
          const LsRun run = { .n_ops = pair.plan->first_op[LS_PHASE_LOSS],
                              .n_steps = 1,
                              .batches = &batch,
                              .hyper = &hyper,
                              .fuse = TRUE };
          LsRunResult result = { 0 };
          g_autoptr (GError) error = NULL;

          lanes[l]->backend->run (lanes[l]->instance, &run, &result, &error);
          g_assert_no_error (error);
          logits[l] = rig_lane_read (lanes[l], pair.plan->logits);
        }
      g_assert_cmpmem (logits[0], bytes, logits[1], bytes);
      g_free (logits[1]);
    }
  pair_close (&pair);
}

static void
test_walk (void)
{
  Pair pair;
  LsWalk *walks[2] = { NULL, NULL };
  RigLane *lanes[2];
  guint op = 0;

  pair_open (&pair, MODEL);
  lanes[0] = pair.apart;
  lanes[1] = pair.here;
  while (pair.plan->ops[op].klass != &ls_op_matmul)
    op++;
  for (guint l = 0; l < 2; l++)
    {
      g_autofree const void **values = g_new0 (const void *, pair.plan->n_tensors);
      const LsWalkOrder order = { .op = op, .rung = LS_RUNG_TILED, .row = -1, .col = -1, .values = values };
      g_autoptr (GError) error = NULL;

      /* weights as the product found them, all else as the step left it */
      for (guint p = 0; p < pair.plan->n_params; p++)
        values[pair.plan->params[p].weight] = rig_lane_read (lanes[l], pair.plan->params[p].weight);
      g_assert_true (rig_lane_run (lanes[l], 0, 1, NULL, &error));
      for (guint t = 0; t < pair.plan->n_tensors; t++)
        if (values[t] == NULL)
          values[t] = rig_lane_read (lanes[l], t);
      lanes[l]->backend->walk->walk (lanes[l]->instance, &order, &walks[l], &error);
      g_assert_no_error (error);
      for (guint t = 0; t < pair.plan->n_tensors; t++)
        g_free ((void *) values[t]);
    }
  g_assert_cmpuint (walks[0]->kept, ==, walks[1]->kept);
  g_assert_cmpuint (walks[0]->kept, >, 0);
  g_assert_cmpint (walks[0]->compared, ==, walks[0]->same);
  g_assert_cmpint (walks[0]->compared, ==, walks[1]->compared);
  g_assert_cmpmem (walks[0]->a, walks[0]->kept * walks[0]->tile_k * walks[0]->tile_m * sizeof (float),
                   walks[1]->a, walks[1]->kept * walks[1]->tile_k * walks[1]->tile_m * sizeof (float));
  g_assert_cmpmem (walks[0]->b, walks[0]->kept * walks[0]->tile_k * walks[0]->tile_n * sizeof (float),
                   walks[1]->b, walks[1]->kept * walks[1]->tile_k * walks[1]->tile_n * sizeof (float));
  g_assert_true ((walks[0]->times_ns == NULL) == (walks[1]->times_ns == NULL));
  ls_walk_unref (walks[0]);
  ls_walk_unref (walks[1]);
  pair_close (&pair);
}

/* ---- what it dies of ---- */

static RigLane *
open_edited (const char *folder)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (100, shape, 4);
  g_autoptr (LsKernelFiles) files = read_folder (folder);
  g_autoptr (GError) error = NULL;
  RigLane *lane = rig_lane_new (&ls_backend_opencl, plan, data, "kernel", "tiled", NULL);

  lane->backend->edit->reload (lane->instance, files, &error);
  g_assert_no_error (error);
  return lane;
}

static void
assert_dead (RigLane *lane, const char *word)
{
  float losses[16];

  for (guint again = 0; again < 2; again++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (rig_lane_run (lane, 0, 16, losses, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, word));
    }
}

/* A kernel that no trial finds out: it goes wrong once a result is larger than trial and first steps make
 * them. */
static void
test_crash (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-process-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree float *large = NULL;
  RigLane *lane;
  guint weight;
  gsize n;

  edit (folder, TILED, STORE, "if (total + sum > 1e6f) *(volatile __global int *) 16 = 1; " STORE);
  lane = open_edited (folder);
  g_assert_true (rig_lane_run (lane, 0, 16, NULL, &error));
  g_assert_no_error (error);
  weight = lane->plan->params[0].weight;
  n = (gsize) ls_tensor_count (&lane->plan->tensors[weight]);
  large = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    large[i] = 1e9f;
  lane->backend->write (lane->instance, weight, large, &error);
  g_assert_no_error (error);
  assert_dead (lane, TILED);
  rig_lane_free (lane);
  remove_tree (folder);
}

static gpointer
kill_soon (gpointer data)
{
  RigLane *lane = data;

  g_usleep (300 * 1000);
  lane->backend->process->kill (lane->instance);
  return NULL;
}

/* Nobody has to wait for one that hangs. */
static void
test_kill (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-process-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree float *large = NULL;
  const gint64 begun_us = g_get_monotonic_time ();
  RigLane *lane;
  guint weight;
  gsize n;
  GThread *killer;

  edit (folder, TILED, STORE,
        "if (total + sum > 1e6f) { volatile int z = 1; while (z) z = z + 2 | 1; } " STORE);
  lane = open_edited (folder);
  weight = lane->plan->params[0].weight;
  n = (gsize) ls_tensor_count (&lane->plan->tensors[weight]);
  large = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    large[i] = 1e9f;
  lane->backend->write (lane->instance, weight, large, &error);
  g_assert_no_error (error);
  killer = g_thread_new ("killer", kill_soon, lane);
  assert_dead (lane, "stopped");
  g_thread_join (killer);
  rig_lane_free (lane);
  g_test_message ("%.1f s", (double) (g_get_monotonic_time () - begun_us) / 1e6);
  remove_tree (folder);
}

/* ---- damaged caches ---- */

static void
cut_files (const char *folder, const char *suffix, guint *n)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        cut_files (path, suffix, n);
      else if (g_str_has_suffix (name, suffix) && strstr (path, "canary") == NULL
               && truncate (path, 3000) == 0)
        ++*n;
    }
  g_clear_pointer (&dir, g_dir_close);
}

/* PoCL's compiled kernels, cut short: the lane is opened all the same, says so, and computes what it did
 * before. */
static void
test_damaged (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (100, shape, 4);
  g_autoptr (GError) error = NULL;
  float losses[2][4];
  guint n = 0;

  for (guint i = 0; i < 2; i++)
    {
      RigLane *lane = rig_lane_new (&ls_backend_opencl, plan, data, NULL);
      g_autofree char *warning = g_strdup (
        g_hash_table_lookup (lane->backend->device (lane->instance)->facts, "warning-cache"));

      g_assert_true (rig_lane_run (lane, 0, 4, losses[i], &error));
      g_assert_no_error (error);
      rig_lane_free (lane);
      g_test_message ("%s", warning != NULL ? warning : "no warning");
      if (i == 1)
        g_assert_nonnull (warning);
      else if (g_getenv ("POCL_CACHE_DIR") != NULL)
        cut_files (g_getenv ("POCL_CACHE_DIR"), ".so", &n);
      if (n == 0)
        {
          g_test_skip ("the driver keeps no compiled kernels in files of its own");
          return;
        }
    }
  g_assert_cmpmem (losses[0], sizeof losses[0], losses[1], sizeof losses[1]);
}

/* Of those that only a recorded step uses: the step fails, says so, and they are gone. */
static void
test_damaged_recorded (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 4", shape, 4, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (100, shape, 4);
  g_autoptr (RigLane) first = rig_lane_new (&ls_backend_opencl, plan, data, NULL);
  const LsBatch batch = { &data->train, (const guint32[16]){ 0 }, 16 };
  const LsHyper hyper = { .lr = 0.1, .step = 1 };
  g_autoptr (LsTrace) trace = ls_trace_new (0, 1, 4096, NULL);
  const LsRun run = {
    .n_ops = plan->n_ops, .n_steps = 1, .batches = &batch, .hyper = &hyper, .fuse = TRUE, .trace = trace
  };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;
  guint n = 0;

  ls_trace_free (rig_lane_record (first, 0, &result)); /* builds them */
  g_clear_pointer (&first, rig_lane_free);
  first = rig_lane_new (&ls_backend_opencl, plan, data, NULL);
  if (g_getenv ("POCL_CACHE_DIR") != NULL)
    cut_files (g_getenv ("POCL_CACHE_DIR"), ".so", &n);
  if (n == 0)
    {
      g_test_skip ("the driver keeps no compiled kernels in files of its own");
      return;
    }
  g_assert_false (first->backend->run (first->instance, &run, &result, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "were deleted"));
  n = 0;
  cut_files (g_getenv ("POCL_CACHE_DIR"), ".so", &n);
  g_assert_cmpuint (n, ==, 0); /* the next lane will find none of them */
}

int
main (int argc, char **argv)
{
  rig_own_cache (argc, argv);
  if (argc > 2 && strcmp (argv[2], "/damaged") == 0)
    g_unsetenv ("POCL_CACHE_DIR"); /* only the program's own may be deleted */
  rig_init (&argc, &argv);
  g_test_add_func ("/process/steps", test_steps);
  g_test_add_func ("/process/changes", test_changes);
  g_test_add_func ("/process/recorded", test_recorded);
  g_test_add_func ("/process/batches", test_batches);
  g_test_add_func ("/process/walk", test_walk);
  g_test_add_func ("/process/crash", test_crash);
  g_test_add_func ("/process/kill", test_kill);
  g_test_add_func ("/damaged/first", test_damaged);
  g_test_add_func ("/damaged/recorded", test_damaged_recorded);
  return g_test_run ();
}
