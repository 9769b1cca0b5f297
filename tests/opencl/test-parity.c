/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane against the reference: a whole step, tensor by tensor, and op by op against the reference in double, on
 * every rung of the ladder. And against itself: two runs, batches from host and device, recorded and not.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/opencl/instance.h"
#include "core/error.h"
#include "ops/tolerance.h"

static const gint64 mnist_shape[3] = { 1, 28, 28 };

typedef struct {
  const char *model, *rung;
  guint batch;
} Case;

/* ---- a whole step ---- */

/* ‖a − b‖ / ‖b‖, or ‖a‖ where b is zero. */
static double
relative (const float *a, const float *b, gint64 n)
{
  double delta = 0, norm = 0;
  for (gint64 i = 0; i < n; i++)
    {
      double d = (double) a[i] - (double) b[i];
      g_assert_true (isfinite ((double) a[i]) && isfinite ((double) b[i]));
      delta += d * d;
      norm += (double) b[i] * (double) b[i];
    }
  return norm > 0 ? sqrt (delta / norm) : sqrt (delta);
}

static guint
count_flips (const float *a, const float *b, gint64 n)
{
  guint flips = 0;
  for (gint64 i = 0; i < n; i++)
    flips += (a[i] > 0) != (b[i] > 0);
  return flips;
}

/* Written in a fused step: not handed on within an epilogue. */
static gboolean
is_written (const RigLane *lane, guint tensor)
{
  const LsTiling *tilings = lane->backend->tilings (lane->instance);

  for (guint i = 0; i < lane->plan->n_ops; i++)
    if (lane->plan->ops[i].out[0] == tensor)
      for (guint j = i + 1; j < lane->plan->n_ops; j++)
        if (tilings[j].leader == tilings[i].leader)
          return FALSE;
  return TRUE;
}

static gboolean
is_relu_output (const LsPlan *plan, guint tensor)
{
  for (guint i = 0; i < plan->n_ops; i++)
    if (plan->ops[i].klass == &ls_op_relu && plan->ops[i].out[0] == tensor)
      return TRUE;
  return FALSE;
}

static void
test_step (gconstpointer user_data)
{
  const Case *c = user_data;
  g_autoptr (LsPlan) plan = rig_plan (c->model, mnist_shape, 10, c->batch, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "kernel", c->rung, NULL);
  g_autoptr (RigLane) reference = rig_lane_new (&ls_backend_reference, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  float loss, expected;
  guint flips = 0, compared = 0;

  g_assert_true (rig_lane_run (lane, 0, 1, &loss, &error));
  g_assert_true (rig_lane_run (reference, 0, 1, &expected, &error));
  g_assert_true (fabsf (loss - expected) <= 1e-4f * fabsf (expected));
  for (guint t = 0; t < plan->n_tensors; t++)
    {
      const LsTensor *tensor = &plan->tensors[t];
      g_autofree float *a = NULL, *b = NULL;
      if (tensor->dtype != LS_F32 || !is_written (lane, t))
        continue;
      a = rig_lane_read (lane, t);
      b = rig_lane_read (reference, t);
      if (relative (a, b, ls_tensor_count (tensor)) > 1e-2)
        g_error ("%s: %g", tensor->name, relative (a, b, ls_tensor_count (tensor)));
      compared++;
      if (is_relu_output (plan, t))
        flips += count_flips (a, b, ls_tensor_count (tensor));
    }
  g_assert_cmpuint (compared, >, plan->n_params * 2);
  g_test_message ("%u flipped ReLUs", flips);
}

/* ---- op by op ---- */

static double *
widen (const LsTensor *t, const float *values)
{
  gint64 n = ls_tensor_count (t);
  double *wide = g_new (double, MAX (n, 1));
  for (gint64 i = 0; i < n; i++)
    wide[i] = (double) values[i];
  return wide;
}

/* i32 tensors stay as they are. */
static void *
read_wide (RigLane *lane, guint tensor)
{
  g_autofree float *values = rig_lane_read (lane, tensor);
  const LsTensor *t = &lane->plan->tensors[tensor];
  return t->dtype == LS_I32 ? (void *) g_steal_pointer (&values) : (void *) widen (t, values);
}

static void
check_output (RigLane *lane, const LsOpCall *call, guint j)
{
  const LsTensor *t = call->out_tensor[j];
  const gint64 n = ls_tensor_count (t);
  g_autofree double *tolerance = g_new0 (double, MAX (n, 1));
  g_autofree void *got = read_wide (lane, call->op->out[j]);

  ls_op_tolerance (call, j, tolerance);
  for (gint64 i = 0; i < n; i++)
    {
      double value = t->dtype == LS_I32 ? ((gint32 *) got)[i] : ((double *) got)[i];
      double expected = t->dtype == LS_I32 ? ((gint32 *) call->out[j])[i] : ((double *) call->out[j])[i];
      if (!(fabs (value - expected) <= tolerance[i]))
        g_error ("%s (%s): output %u, element %" G_GINT64_FORMAT ": %.9g, expected %.9g ± %.3g", call->op->equation,
                 call->op->klass->name, j, i, value, expected, tolerance[i]);
    }
}

static void
check_op (RigLane *lane, guint op, const LsBatch *batch, const LsHyper *hyper)
{
  const LsPlan *plan = lane->plan;
  const LsOp *o = &plan->ops[op];
  LsOpCall call = { .op = o, .hyper = hyper, .batch = batch };
  LsRun run = { .first_op = op, .n_ops = 1, .n_steps = 1, .batches = batch, .hyper = hyper };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint j = 0; j < o->n_in; j++)
    {
      call.in_tensor[j] = &plan->tensors[o->in[j]];
      call.in[j] = read_wide (lane, o->in[j]);
    }
  for (guint j = 0; j < o->n_out; j++)
    {
      gsize bytes = (gsize) MAX (ls_tensor_count (&plan->tensors[o->out[j]]), 1) * 8;
      call.out_tensor[j] = &plan->tensors[o->out[j]];
      call.out[j] = o->klass->in_place[j] >= 0 ? g_memdup2 (call.in[o->klass->in_place[j]], bytes) : g_malloc0 (bytes);
    }
  lane->backend->run (lane->instance, &run, &result, &error);
  g_assert_no_error (error);
  o->klass->ref_f64 (&call);
  for (guint j = 0; j < o->n_out; j++)
    check_output (lane, &call, j);
  for (guint j = 0; j < o->n_in; j++)
    g_free ((void *) call.in[j]);
  for (guint j = 0; j < o->n_out; j++)
    g_free (call.out[j]);
}

static void
test_ops (gconstpointer user_data)
{
  const Case *c = user_data;
  g_autoptr (LsPlan) plan = rig_plan (c->model, mnist_shape, 10, c->batch, LS_OPTIMIZER_ADAM);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "kernel", c->rung, "fusion", "off", NULL);
  g_autofree guint32 *index = g_new (guint32, c->batch);
  LsBatch batch = { &data->train, index, c->batch };
  LsHyper hyper = { .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };

  for (guint i = 0; i < c->batch; i++)
    index[i] = (i * 37 + 5) % 256;
  for (guint i = 0; i < plan->n_ops; i++)
    check_op (lane, i, &batch, &hyper);
}

/* ---- against itself ---- */

/* All weights and states after two steps, in one piece. */
static GByteArray *
train (LsPlan *plan, LsData *data, gboolean recorded, const char *option, const char *value)
{
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, option, value, NULL);
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
check_same (const char *model, LsOptimizer optimizer, gboolean recorded, const char *option, const char *value)
{
  g_autoptr (LsPlan) plan = rig_plan (model, mnist_shape, 10, 33, optimizer);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (GByteArray) a = train (plan, data, FALSE, NULL, NULL);
  g_autoptr (GByteArray) b = train (plan, data, recorded, option, value);

  g_assert_cmpmem (a->data, a->len, b->data, b->len);
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

/* What is done in an epilogue, updates too, is the same arithmetic as an op of its own. */
static void
test_fusion (void)
{
  check_same ("mlp", LS_OPTIMIZER_SGD, FALSE, "fusion", "off");
}

/* Many steps in one run: more than are enqueued ahead, more than there are slots for losses. */
static void
test_long_run (void)
{
  enum { STEPS = 1500 };
  const gint64 shape[3] = { 2, 1, 1 };
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 3, tanh, dense 2", shape, 2, 5, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (100, shape, 2);
  g_autoptr (RigLane) together = rig_lane_new (&ls_backend_opencl, plan, data, "batch-from", "host", NULL);
  g_autoptr (RigLane) single = rig_lane_new (&ls_backend_opencl, plan, data, NULL);
  g_autofree float *a = g_new0 (float, STEPS), *b = g_new0 (float, STEPS);
  g_autoptr (GError) error = NULL;

  g_assert_true (rig_lane_run (together, 0, STEPS, a, &error));
  for (guint i = 0; i < STEPS; i++)
    g_assert_true (rig_lane_run (single, i, 1, &b[i], &error));
  g_assert_cmpmem (a, STEPS * sizeof *a, b, STEPS * sizeof *b);
}

/* Rung, fusion and the batch's way change between steps; weights stay. */
static void
test_configure (void)
{
  static const char *const changes[][2] = { { "kernel", "naive" }, { "fusion", "off" }, { "batch-from", "host" },
                                            { "kernel", "tiled" }, { "fusion", "on" },  { "batch-from", "device" } };
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "batch-from", "host", NULL);
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
  lane->backend->progress (lane->instance, &done, &total);
  g_assert_cmpuint (done, ==, 0);
  g_assert_cmpuint (total, ==, 0);
  rig_lane_set (lane, "kernel", "auto");
  g_free (lane->options->kernel);
  lane->options->kernel = g_strdup ("fastest");
  g_assert_false (lane->backend->configure (lane->instance, lane->options, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
}

/* Sets of floats, a set that isn't the plan's, and prepare() with another plan. */
static void
test_sets (void)
{
  const gint64 shape[3] = { 2, 1, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) spiral = ls_data_load ("spiral", 1, &error), bytes = rig_data (64, shape, spiral->n_classes);
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 8, tanh, dense 2", shape, 2, 16, LS_OPTIMIZER_SGD);
  g_autoptr (LsPlan) other = rig_plan ("flatten, dense 4, relu, dense 2", shape, 2, 3, LS_OPTIMIZER_ADAM);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, spiral, NULL);
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
  lane->backend->prepare (lane->instance, other, bytes, &error);
  g_assert_no_error (error);
}

/* An op without a kernel: the reference runs in between, the trace says so, the numbers stay. All kinds of op have kernels,
 * so two launches are deprived of theirs here. */
static void
test_reference_op (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("mlp", mnist_shape, 10, 7, LS_OPTIMIZER_ADAM);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "fusion", "off", NULL);
  g_autoptr (RigLane) reference = rig_lane_new (&ls_backend_reference, plan, data, NULL);
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  LsCl *cl = lane->instance;
  guint deprived = 0, told = 0;
  float loss, expected;

  for (guint i = 0; i < plan->n_ops; i++)
    if (plan->ops[i].klass == &ls_op_relu || plan->ops[i].klass == &ls_op_adam || plan->ops[i].klass == &ls_op_gather)
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
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, NULL);
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

#define CASES(model) \
  { model, "naive", 7 }, { model, "tiled", 7 }, { model, "register", 7 }, { model, "packed", 7 }, { model, "auto", 1 }, \
  { model, "auto", 128 }
static const Case cases[] = { CASES ("mlp"), CASES ("cnn") };

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autofree char *step = g_strdup_printf ("/%s/%s-step-%u", c->model, c->rung, c->batch);
      g_autofree char *ops = g_strdup_printf ("/%s/%s-ops-%u", c->model, c->rung, c->batch);
      g_test_add_data_func (step, c, test_step);
      if (c->batch < 128) /* the reference in double takes half a minute for the cnn */
        g_test_add_data_func (ops, c, test_ops);
    }
  g_test_add_func ("/self/again", test_again);
  g_test_add_func ("/self/recorded", test_recorded);
  g_test_add_func ("/self/host-batch", test_host_batch);
  g_test_add_func ("/self/fusion", test_fusion);
  g_test_add_func ("/self/long-run", test_long_run);
  g_test_add_func ("/self/configure", test_configure);
  g_test_add_func ("/self/sets", test_sets);
  g_test_add_func ("/self/reference-op", test_reference_op);
  g_test_add_func ("/self/too-large", test_too_large);
  return g_test_run ();
}
