/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane on tensors stored in 16 bits, beside the CPU lane on the same: on the mlp the same bits, on
 * every rung that it has, fused or not, wherever the batch comes from, and after the kernels were changed
 * between two steps; what has no kernel is refused.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>

#include "backends/opencl/run/instance.h"
#include "core/half.h"

static const gint64 mnist_shape[3] = { 1, 28, 28 };
static const LsPrecision precisions[] = { LS_PRECISION_FP16, LS_PRECISION_BF16 };

#define STEPS 4

static LsPlan *
stored_plan (const char *model, guint batch, LsOptimizer optimizer, LsPrecision precision)
{
  g_autoptr (LsPlan) plan = rig_plan (model, mnist_shape, 10, batch, optimizer);

  return ls_plan_with_precision (plan, precision, NULL);
}

static void
run (RigLane *lane, guint first, guint n, float *losses)
{
  g_autoptr (GError) error = NULL;

  rig_lane_run (lane, first, n, losses, &error);
  g_assert_no_error (error);
}

static void
assert_same (RigLane *a, RigLane *b)
{
  const LsPlan *plan = a->plan;

  for (guint i = 0; i < plan->n_tensors; i++)
    if (plan->tensors[i].role == LS_ROLE_WEIGHT || plan->tensors[i].role == LS_ROLE_STATE)
      {
        const gsize bytes = ls_tensor_host_bytes (&plan->tensors[i]);
        g_autofree void *x = rig_lane_read (a, i), *y = rig_lane_read (b, i);
        if (memcmp (x, y, bytes) != 0)
          g_error ("%s isn't the same in %s", plan->tensors[i].name, ls_precision_name (plan->precision));
      }
}

static void
test_same_bits (void)
{
  static const struct {
    const char *option, *value;
  } changes[] = { { "kernel", "naive" },     { "kernel", "packed" }, { "kernel", "tiled" },
                  { "fusion", "off" },       { "fusion", "on" },     { "batch-from", "host" },
                  { "batch-from", "device" } };

  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      g_autoptr (LsPlan) plan = stored_plan ("mlp", 32, LS_OPTIMIZER_SGD, precisions[p]);
      g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
      guint step = 0;

      for (guint i = 0; i < G_N_ELEMENTS (changes); i++, step += 2)
        {
          float losses[2], expected[2];
          rig_lane_set (lane, changes[i].option, changes[i].value);
          g_assert_true (lane->backend->configure (lane->instance, lane->options, NULL));
          run (cpu, step, 2, expected);
          run (lane, step, 2, losses);
          g_test_message ("%s %s=%s: %g, %g", ls_precision_name (precisions[p]), changes[i].option,
                          changes[i].value, (double) losses[1], (double) (losses[1] - expected[1]));
          assert_same (lane, cpu);
          g_assert_true (fabsf (losses[1] - expected[1]) <= 1e-5f);
        }
      for (guint i = 0; i < plan->n_ops; i++)
        g_assert_false (lane->backend->tilings (lane->instance)[i].reference);
    }
}

/* The elementwise ops that the mlp doesn't have, and Adam: near the CPU lane. */
static void
test_others (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    for (guint fusion = 0; fusion < 2; fusion++)
      {
        g_autoptr (LsPlan) plan = stored_plan (
          "flatten, dense 24, tanh, dense 24, residual(sigmoid, dense 24), relu, dense 10", 16,
          LS_OPTIMIZER_ADAM, precisions[p]);
        g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
        g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, "optimizer", "adam", NULL);
        g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "optimizer", "adam",
                                                 "kernel", "naive", "fusion", fusion ? "on" : "off", NULL);
        float losses[STEPS], expected[STEPS];

        run (cpu, 0, STEPS, expected);
        run (lane, 0, STEPS, losses);
        for (guint s = 0; s < STEPS; s++)
          g_assert_true (fabsf (losses[s] - expected[s]) <= 0.02f);
      }
}

/* What is written comes back as it is stored; a weight in floats. */
static void
test_read_write (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      g_autoptr (LsPlan) plan = stored_plan ("flatten, dense 10", 3, LS_OPTIMIZER_SGD, precisions[p]);
      g_autoptr (LsData) data = rig_data (8, mnist_shape, 10);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);

      for (guint i = 0; i < plan->n_tensors; i++)
        {
          const LsTensor *t = &plan->tensors[i];
          const gint64 n = ls_tensor_count (t);
          g_autofree float *values = g_new (float, n), *got = NULL;

          if (t->dtype == LS_I32)
            continue;
          for (gint64 k = 0; k < n; k++)
            values[k] = 1.0f / (float) (k + 3);
          g_assert_true (lane->backend->write (lane->instance, i, values, NULL));
          got = rig_lane_read (lane, i);
          for (gint64 k = 0; k < n; k++)
            g_assert_cmpfloat (got[k], ==, ls_half_round (t->dtype, values[k]));
        }
    }
}

/* Convolutions and pooling: near the CPU lane, tensor by tensor. */
static void
test_convolutions (void)
{
  static const char *const rungs[] = { "naive", "tiled" };

  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      g_autoptr (LsPlan) plan = stored_plan (
        "conv 5 3 stride 2 pad 1, relu, conv 6 3, tanh, maxpool 3 stride 2, flatten, dense 10", 3,
        LS_OPTIMIZER_SGD, precisions[p]);
      g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", rungs[p], NULL);
      float losses[2], expected[2];

      run (cpu, 0, 2, expected);
      run (lane, 0, 2, losses);
      g_assert_true (fabsf (losses[0] - expected[0]) <= 2e-3f && fabsf (losses[1] - expected[1]) <= 1e-2f);
      for (guint i = 0; i < plan->n_ops; i++)
        g_assert_false (lane->backend->tilings (lane->instance)[i].reference);
      for (guint i = 0; i < plan->n_params; i++)
        {
          const guint weight = plan->params[i].weight;
          const gint64 n = ls_tensor_count (&plan->tensors[weight]);
          g_autofree float *a = rig_lane_read (lane, weight), *b = rig_lane_read (cpu, weight);
          double delta = 0, norm = 1e-6;
          for (gint64 k = 0; k < n; k++)
            {
              delta += pow ((double) a[k] - (double) b[k], 2);
              norm += pow ((double) b[k], 2);
            }
          if (!(sqrt (delta / norm) <= 2e-2))
            g_error ("%s is %g away", plan->tensors[weight].name, sqrt (delta / norm));
        }
    }
}

/* The lane as the program has it: in a process of its own, which makes the plan anew. */
static void
test_process (void)
{
  g_autoptr (LsPlan) plan = stored_plan ("flatten, dense 16, relu, dense 10", 8, LS_OPTIMIZER_SGD,
                                         LS_PRECISION_BF16);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "kernel", "tiled", NULL);
  float losses[STEPS], expected[STEPS];

  run (cpu, 0, STEPS, expected);
  run (lane, 0, STEPS, losses);
  assert_same (lane, cpu);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/half/same-bits", test_same_bits);
  g_test_add_func ("/half/others", test_others);
  g_test_add_func ("/half/read-write", test_read_write);
  g_test_add_func ("/half/convolutions", test_convolutions);
  g_test_add_func ("/half/process", test_process);
  return g_test_run ();
}
