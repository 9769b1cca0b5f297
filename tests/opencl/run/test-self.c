/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane against itself: two runs, batches from host and device, recorded and not, fused and op by
 * op; and what it says where it can't run.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/opencl/run/instance.h"
#include "core/error.h"
#include "data/dataset.h"

static const gint64 mnist_shape[3] = { 1, 28, 28 };

/* All weights and states after two steps, in one piece. */
static GByteArray *
train (LsPlan *plan, LsData *data, gboolean recorded, const char *option, const char *value)
{
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, option, value, NULL);
  GByteArray *all = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  float losses[3];

  g_assert_true (rig_lane_run (lane, 0, 3, losses, &error));
  if (recorded)
    {
      LsRunResult result = { .losses = losses };
      ls_trace_free (rig_lane_record (lane, 3, &result));
    }
  else
    g_assert_true (rig_lane_run (lane, 3, 1, losses, &error));
  for (guint t = 0; t < plan->n_tensors; t++)
    if (plan->tensors[t].role == LS_ROLE_WEIGHT || plan->tensors[t].role == LS_ROLE_STATE)
      {
        g_autofree guint8 *values = rig_lane_read (lane, t);
        g_byte_array_append (all, values, (guint) ls_tensor_bytes (&plan->tensors[t]));
      }
  g_byte_array_append (all, (const guint8 *) losses, sizeof (float));
  return all;
}

static void
check_same_batch (const char *model, guint batch, LsOptimizer optimizer, gboolean recorded,
                  const char *option, const char *value)
{
  g_autoptr (LsPlan) plan = rig_plan (model, mnist_shape, 10, batch, optimizer);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (GByteArray) a = train (plan, data, FALSE, NULL, NULL);
  g_autoptr (GByteArray) b = train (plan, data, recorded, option, value);

  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

static void
check_same (const char *model, LsOptimizer optimizer, gboolean recorded, const char *option,
            const char *value)
{
  check_same_batch (model, 33, optimizer, recorded, option, value);
}

static void
test_again (void)
{
  check_same ("mlp", LS_OPTIMIZER_SGD, FALSE, NULL, NULL);
  check_same ("cnn", LS_OPTIMIZER_ADAM, FALSE, NULL, NULL);
}

static void
test_recorded (void)
{
  check_same ("mlp", LS_OPTIMIZER_ADAM, TRUE, NULL, NULL);
  check_same ("cnn", LS_OPTIMIZER_SGD, TRUE, NULL, NULL);
}

static void
test_host_batch (void)
{
  check_same ("mlp", LS_OPTIMIZER_SGD, FALSE, "batch-from", "host");
  check_same ("mlp", LS_OPTIMIZER_SGD, TRUE, "batch-from", "host");
}

/* What is done in an epilogue or beside another op, updates too, is the same arithmetic as an op of its
 * own. */
static void
test_fusion (void)
{
  check_same ("mlp", LS_OPTIMIZER_SGD, FALSE, "fusion", "off");
  check_same ("mlp", LS_OPTIMIZER_ADAM, FALSE, "fusion", "off");
  check_same ("cnn", LS_OPTIMIZER_SGD, FALSE, "fusion", "off");
  check_same_batch ("flatten, dense 37, tanh, dense 10", 1, LS_OPTIMIZER_SGD, FALSE, "fusion", "off");
  /* more samples than one group takes through the loss: their mean is an op of its own */
  check_same_batch ("flatten, dense 17, relu, dense 10", 450, LS_OPTIMIZER_SGD, FALSE, "fusion", "off");
}

static guint
leader_of (const RigLane *lane, const LsOpClass *klass)
{
  const LsTiling *tilings = lane->backend->tilings (lane->instance);

  for (guint i = 0; i < lane->plan->n_ops; i++)
    if (lane->plan->ops[i].klass == klass)
      return tilings[i].leader;
  g_assert_not_reached ();
}

/* Small ops go with those whose values they read, where that is possible. */
static void
test_joins (void)
{
  static const struct {
    guint batch;
    const char *rung;
    gboolean mean, gradients;
  } cases[] = {
    { 128, "packed", TRUE, TRUE },
    { 450, "packed", FALSE, TRUE },
    { 128, "naive", FALSE, FALSE },
  };
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, cases[i].batch, LS_OPTIMIZER_SGD);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", cases[i].rung,
                                               NULL);
      const guint loss = leader_of (lane, &ls_op_softmax_xent);
      g_assert_cmpint (leader_of (lane, &ls_op_mean) == loss, ==, cases[i].mean);
      g_assert_cmpint (leader_of (lane, &ls_op_softmax_xent_grad) == loss, ==, cases[i].gradients);
      g_assert_cmpint (plan->ops[leader_of (lane, &ls_op_bias_grad)].klass == &ls_op_matmul, ==,
                       cases[i].gradients);
    }
}

/* Many steps in one run: more than are enqueued ahead, more than there is room for at first. */
static void
test_long_run (void)
{
  enum { STEPS = 1500 };
  const gint64 shape[3] = { 2, 1, 1 };
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 3, tanh, dense 2", shape, 2, 5, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (100, shape, 2);
  g_autoptr (RigLane) from_host = rig_lane_new (&ls_backend_opencl_here, plan, data, "batch-from", "host",
                                                NULL);
  g_autoptr (RigLane) together = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autoptr (RigLane) copying = rig_lane_new (&ls_backend_opencl_here, plan, data, "fusion", "off", NULL);
  g_autoptr (RigLane) single = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autofree float *a = g_new0 (float, STEPS), *b = g_new0 (float, STEPS);
  RigLane *const lanes[] = { from_host, together, copying };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < STEPS; i++)
    g_assert_true (rig_lane_run (single, i, 1, &b[i], &error));
  for (guint i = 0; i < G_N_ELEMENTS (lanes); i++)
    {
      g_assert_true (rig_lane_run (lanes[i], 0, STEPS, a, &error));
      g_assert_cmpmem (a, STEPS * sizeof *a, b, STEPS * sizeof *b);
    }
}

/* Rung, fusion and the batch's way change between steps; weights stay. */
static void
test_configure (void)
{
  static const char *const changes[][2] = { { "kernel", "naive" },    { "fusion", "off" },
                                            { "batch-from", "host" }, { "kernel", "tiled" },
                                            { "fusion", "on" },       { "batch-from", "device" } };
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "batch-from", "host", NULL);
  g_autoptr (RigLane) reference = rig_lane_new (&ls_backend_reference, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  guint done, total;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      float loss, expected;
      rig_lane_set (lane, changes[i][0], changes[i][1]);
      lane->backend->configure (lane->instance, lane->options, &error);
      g_assert_no_error (error);
      g_assert_true (rig_lane_run (lane, i, 1, &loss, &error));
      g_assert_true (rig_lane_run (reference, i, 1, &expected, &error));
      g_assert_true (fabsf (loss - expected) <= 1e-3f);
    }
  lane->backend->build->progress (lane->instance, &done, &total);
  g_assert_cmpuint (done, ==, 0);
  g_assert_cmpuint (total, ==, 0);
  rig_lane_set (lane, "kernel", "auto");
  g_free (lane->options->kernel);
  lane->options->kernel = g_strdup ("fastest");
  g_assert_false (lane->backend->configure (lane->instance, lane->options, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
}

/* Sets of floats, a set that isn't the plan's, both in one run, and prepare() with another plan. */
static void
test_sets (void)
{
  const gint64 shape[3] = { 2, 1, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) spiral = ls_data_load ("spiral", 1, &error),
                     bytes = rig_data (64, shape, spiral->n_classes);
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 8, tanh, dense 2", shape, 2, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsPlan) other = rig_plan ("flatten, dense 4, relu, dense 2", shape, 2, 3, LS_OPTIMIZER_ADAM);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, spiral, NULL);
  g_autoptr (RigLane) reference = rig_lane_new (&ls_backend_reference, plan, spiral, NULL);
  guint32 index[16] = { 3, 1, 4, 1, 5, 9, 2, 6 };
  LsBatch batches[2] = { { &spiral->test, index, 16 }, { &bytes->train, index, 16 } };

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      LsRun run = { .n_ops = plan->first_op[LS_PHASE_LOSS], .n_steps = 1, .batches = &batches[i] };
      LsRunResult result = { 0 };
      g_autofree float *a = NULL, *b = NULL;
      g_assert_true (lane->backend->run (lane->instance, &run, &result, &error));
      g_assert_true (reference->backend->run (reference->instance, &run, &result, &error));
      a = rig_lane_read (lane, plan->x);
      b = rig_lane_read (reference, plan->x);
      g_assert_cmpmem (a, 16 * 2 * sizeof *a, b, 16 * 2 * sizeof *b);
    }
  for (guint last = 0; last < 2; last++)
    {
      /* five steps, by turns of either set: the samples that are there after the last are its own */
      guint32 own[5][16];
      LsBatch turns[5];
      LsRun run = { .n_ops = plan->first_op[LS_PHASE_LOSS], .n_steps = 5, .batches = turns };
      LsRunResult result = { 0 };
      g_autofree float *a = NULL, *b = NULL;
      for (guint step = 0; step < 5; step++)
        {
          for (guint i = 0; i < 16; i++)
            own[step][i] = 7 * step + i;
          turns[step] = (LsBatch){ batches[(step + last) % 2].set, own[step], 16 };
        }
      g_assert_true (lane->backend->run (lane->instance, &run, &result, &error));
      run = (LsRun){ .n_ops = run.n_ops, .n_steps = 1, .batches = &turns[4] };
      g_assert_true (reference->backend->run (reference->instance, &run, &result, &error));
      a = rig_lane_read (lane, plan->x);
      b = rig_lane_read (reference, plan->x);
      for (guint i = 0; i < 16 * 2; i++)
        if (a[i] != b[i])
          g_error ("of five steps of two sets by turns the last has %g for %g, value %u of sample %u",
                   (double) a[i], (double) b[i], i % 2, i / 2);
    }
  lane->backend->prepare (lane->instance, other, bytes, &error);
  g_assert_no_error (error);
}

/* An op without a kernel: the reference runs in between, the trace says so, the numbers stay. All kinds of op
 * have kernels, so two launches are deprived of theirs here. */
static void
test_reference_op (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 7, LS_OPTIMIZER_ADAM);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "fusion", "off", NULL);
  g_autoptr (RigLane) reference = rig_lane_new (&ls_backend_reference, plan, data, NULL);
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  LsCl *cl = lane->instance;
  guint deprived = 0, told = 0;
  float loss, expected;

  for (guint i = 0; i < plan->n_ops; i++)
    if (plan->ops[i].klass == &ls_op_relu || plan->ops[i].klass == &ls_op_adam
        || plan->ops[i].klass == &ls_op_gather)
      {
        cl->single[i].row = NULL;
        cl->single[i].groups = 0;
        deprived++;
      }
  g_assert_true (rig_lane_run (lane, 0, 1, &loss, &error));
  g_assert_true (rig_lane_run (reference, 0, 1, &expected, &error));
  g_assert_true (fabsf (loss - expected) <= 1e-4f);
  trace = rig_lane_record (lane, 1, &result);
  for (guint i = 0; i < trace->rings[0].n; i++)
    told += trace->rings[0].events[i].kind == LS_EVENT_REFERENCE;
  g_assert_cmpuint (told, ==, deprived);
}

/* The sum and the largest piece are held against what the device has before anything is made. */
static void
test_too_large (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  LsDeviceInfo *info = ((LsCl *) lane->instance)->info;
  gint64 max_alloc = info->max_alloc, global_mem = info->global_mem;
  g_autoptr (GError) error = NULL;
  float loss;

  info->max_alloc = 100000;
  g_assert_false (lane->backend->prepare (lane->instance, plan, data, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "97.7"));
  g_clear_error (&error);
  info->max_alloc = max_alloc;
  info->global_mem = 2000000;
  g_assert_false (lane->backend->prepare (lane->instance, plan, data, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "1.9"));
  g_clear_error (&error);

  /* Until it is prepared anew, it says what is the matter. */
  g_assert_false (rig_lane_run (lane, 0, 1, &loss, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_clear_error (&error);
  info->global_mem = global_mem;
  g_assert_true (lane->backend->prepare (lane->instance, plan, data, &error));
  g_assert_true (rig_lane_run (lane, 0, 1, &loss, &error));
}

/* A data set of bytes takes a byte for each value, one of floats four. */
static void
test_sets_too_large (void)
{
  const gint64 shape[3] = { 1, 5, 7 }, n = 4000;
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 3", shape, 3, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) few = rig_data (8, shape, 3);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, few, NULL);
  LsDeviceInfo *info = ((LsCl *) lane->instance)->info;

  for (guint floats = 0; floats < 2; floats++)
    {
      g_autoptr (LsData) data = rig_data (n, shape, 3);
      const gint64 bytes = n * data->train.sample_size * (floats ? 4 : 1);
      g_autofree char *needed = g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *words = g_strdup_printf ("the training set takes %s, ", needed);
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < 2 && floats; i++)
        {
          LsDataset *set = i == 0 ? &data->train : &data->test;
          g_free (set->samples);
          set->samples = g_malloc0 ((gsize) (set->n * set->sample_size * 4));
          set->type = LS_SAMPLE_F32;
        }
      info->max_alloc = bytes - 1;
      g_assert_false (lane->backend->prepare (lane->instance, plan, data, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_MEMORY);
      if (strstr (error->message, words) == NULL)
        g_error ("“%s” should say that %s”", error->message, words);
      g_clear_error (&error);
      info->max_alloc = bytes;
      lane->backend->prepare (lane->instance, plan, data, &error);
      g_assert_no_error (error);
    }
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/self/again", test_again);
  g_test_add_func ("/self/recorded", test_recorded);
  g_test_add_func ("/self/host-batch", test_host_batch);
  g_test_add_func ("/self/fusion", test_fusion);
  g_test_add_func ("/self/joins", test_joins);
  g_test_add_func ("/self/long-run", test_long_run);
  g_test_add_func ("/self/configure", test_configure);
  g_test_add_func ("/self/sets", test_sets);
  g_test_add_func ("/self/reference-op", test_reference_op);
  g_test_add_func ("/self/too-large", test_too_large);
  g_test_add_func ("/self/sets-too-large", test_sets_too_large);
  return g_test_run ();
}
