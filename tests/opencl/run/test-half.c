/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane on tensors stored in 16 bits: every op against the reference in double; whole steps beside
 * the CPU lane's on the same, the same bits on every rung that it has, fused or not,
 * wherever the batch comes from, and after the kernels were changed between two steps.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>

#include "backends/opencl/run/instance.h"
#include "core/half.h"
#include "core/rng.h"

static const gint64 mnist_shape[3] = { 1, 28, 28 };
static const LsPrecision precisions[] = { LS_PRECISION_FP16, LS_PRECISION_BF16 };

#define STEPS      4
#define MOST_FLOPS (1 << 20) /* of an op: the reference in double is slow */

/* Odd sizes, and steps of 7 × 5 numbers, which begin where no device lets a part of a buffer begin. */
static const char *const layers[] = {
  "avgpool 3, flatten, dense 33, gelu, dropout 0.3, dense 65, gelu, dropout 0.9, dense 10",
  "layernorm, flatten, layernorm, dense 33, layernorm, relu, dense 1, layernorm, dense 10",
  "flatten, dense 33, tanh, dense 17, sigmoid, dense 19, tanh, dense 10",
  "lstm 17 all, avgpool 2, residual(lstm 8 all, layernorm), lstm 5 columns, dense 10",
  /* so many floats that the CPU lane converts three images at a time */
  "conv 20 3 pad 1, relu, maxpool 2, conv 16 3 pad 1, relu, conv 6 3 stride 2, flatten, dense 10",
};
static const char *const fused[] = {
  "conv 5 3 stride 2 pad 1, relu, conv 6 3, tanh, maxpool 3 stride 2, flatten, dense 10",
  "conv 3 5, avgpool 3, sigmoid, flatten, dense 24, tanh, residual(sigmoid, dense 24), relu, dense 10",
};

static LsPlan *
stored_plan (const char *model, guint batch, LsOptimizer optimizer, LsPrecision precision)
{
  g_autoptr (LsPlan) plan = rig_plan (model, mnist_shape, 10, batch, optimizer);

  return ls_plan_with_precision (plan, precision);
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

/* What a lane says that it has allocated is all that it has, with the word that fp16 needs. */
static void
test_memory (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      g_autoptr (LsPlan) plan = stored_plan ("mlp", 32, LS_OPTIMIZER_SGD, precisions[p]);
      g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
      const LsCl *self = lane->instance;
      LsStepMemory told;

      ls_backend_opencl_here.memory->allocated (lane->instance, &told);
      if (ls_step_memory_sum (&told) != self->memory.used)
        g_error ("in %s it says %" G_GINT64_FORMAT " bytes, and has %" G_GINT64_FORMAT,
                 ls_precision_name (plan->precision), ls_step_memory_sum (&told), self->memory.used);
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

/* Gradients overflow, whatever their scale is then: both lanes skip the same steps, and come to the same
 * scale. */
static void
overflow (RigLane *lane, RigLane *cpu, guint step)
{
  float losses[STEPS], expected[STEPS];

  lane->scale.factor = cpu->scale.factor = 0x1p60;
  run (cpu, step, 2, expected);
  run (lane, step, 2, losses);
  g_assert_true (cpu->skipped[0] && cpu->skipped[1] && lane->skipped[0] && lane->skipped[1]);
  g_assert_cmpfloat (losses[1], ==, losses[1]);
  lane->scale.factor = cpu->scale.factor = 65536;
  run (cpu, step + 2, STEPS, expected);
  run (lane, step + 2, STEPS, losses);
  g_assert_cmpmem (lane->skipped, STEPS * sizeof *lane->skipped, cpu->skipped, STEPS * sizeof *cpu->skipped);
  g_assert_false (lane->skipped[0]);
  g_assert_cmpmem (&lane->scale, sizeof lane->scale, &cpu->scale, sizeof cpu->scale);
  g_assert_cmpuint (lane->scale.skipped, >=, 2);
}

static void
test_overflow (void)
{
  for (gint optimizer = 0; optimizer < 2; optimizer++)
    {
      g_autoptr (LsPlan) plan = stored_plan ("flatten, dense 16, relu, dense 10", 8, (LsOptimizer) optimizer,
                                             LS_PRECISION_FP16);
      g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
      g_autoptr (LsTrace) trace = NULL;
      g_autofree float *before = NULL, *after = NULL;
      LsRunResult result = { 0 };
      guint n_kernels = 0;

      overflow (lane, cpu, 0);
      if (optimizer == LS_OPTIMIZER_SGD)
        assert_same (lane, cpu);

      /* a recorded one tells of no update's kernel but of the looks at the gradients, of the first update */
      before = rig_lane_read (lane, plan->params[0].weight);
      lane->scale.factor = 0x1p60;
      trace = rig_lane_record (lane, 6, &result);
      after = rig_lane_read (lane, plan->params[0].weight);
      g_assert_cmpmem (before, ls_tensor_bytes (&plan->tensors[plan->params[0].weight]), after,
                       ls_tensor_bytes (&plan->tensors[plan->params[0].weight]));
      g_assert_cmpfloat (lane->scale.factor, ==, 0x1p59);
      g_assert_cmpuint (ls_trace_dropped (trace), ==, 0);
      for (guint i = 0; i < trace->rings[0].n; i++)
        if (trace->rings[0].events[i].kind == LS_EVENT_KERNEL
            && trace->rings[0].events[i].op >= plan->first_op[LS_PHASE_UPDATE])
          {
            g_assert_cmpuint (trace->rings[0].events[i].op, ==, plan->first_op[LS_PHASE_UPDATE]);
            n_kernels++;
          }
      g_assert_cmpuint (n_kernels, ==, plan->n_params);
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

/* ---- op by op ---- */

static float
input_value (const LsOpClass *klass, guint j, gint64 i)
{
  const double x = ls_rng_normal (5, LS_STREAM_TEST, j, (guint64) i);

  if (klass->in_place[0] >= 0) /* moments */
    return (float) (j > 1 ? x * x : x);
  if (j == 0 && klass == &ls_op_softmax_xent_grad)
    return (float) (1 / (1 + exp (-x)));
  if (j == 1 && klass == &ls_op_relu_grad)
    return i % 5 == 0 ? 0 : (float) x;
  if ((j == 1 && (klass == &ls_op_tanh_grad || klass == &ls_op_sigmoid_grad))
      || (j == 2 && klass == &ls_op_lstm_grad))
    return (float) (1 / (1 + exp (-x)));
  return (float) (i % 7 == 0 ? 5 * x : x);
}

static void
write_input (RigLane *lane, guint j)
{
  const LsOp *op = &lane->plan->ops[0];
  const LsTensor *t = &lane->plan->tensors[op->in[j]];
  const gint64 n = ls_tensor_count (t);
  g_autofree float *values = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    if (t->dtype != LS_I32)
      values[i] = input_value (op->klass, j, i);
    else if (op->klass == &ls_op_maxpool2d_grad)
      {
        /* some place in the window */
        const gint64 *ys = lane->plan->tensors[op->in[0]].shape, *xs = lane->plan->tensors[op->in[2]].shape;
        const gint64 r = i / ys[3] % ys[2] * op->attr.stride, s = i % ys[3] * op->attr.stride;
        ((gint32 *) (void *) values)[i] = (gint32) ((r + i / 3 % op->attr.kernel) * xs[3] + s
                                                    + i % op->attr.kernel);
      }
    else
      ((gint32 *) (void *) values)[i] = (gint32) (i * 7 % lane->plan->tensors[op->in[0]].shape[1]);
  g_assert_true (lane->backend->write (lane->instance, op->in[j], values, NULL));
}

static gboolean
has_rung (const LsOpClass *klass, const char *rung)
{
  guint n;
  const LsClKernel *kernels = ls_cl_half_kernels (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (kernels[i].op, klass->name) && g_str_equal (kernels[i].rung, rung))
      return TRUE;
  return FALSE;
}

/* Every op on the shapes that its class lists, on every rung that it has in 16 bits, against the reference in
 * double on the same stored numbers. fp16 is loaded and stored otherwise, and all else is the same: of that,
 * whole steps are enough. */
static void
test_ops (gconstpointer rung)
{
  const LsHyper hyper
    = { .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 3, .seed = 9 };
  g_autoptr (LsData) data = rig_data (8, mnist_shape, 10);
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  for (guint c = 0; c < n; c++)
    for (guint t = 0; t < classes[c]->n_tests && has_rung (classes[c], rung); t++)
      {
        g_autoptr (LsPlan) plain = ls_plan_new_single (classes[c], &classes[c]->tests[t], NULL);
        g_autoptr (LsPlan) plan = ls_plan_with_precision (plain, LS_PRECISION_BF16);
        if (classes[c] == &ls_op_gather || plan->ops[0].flops > MOST_FLOPS
            || !ls_cl_op_is_half (&plan->ops[0], plan))
          continue;
        g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", rung, NULL);
        for (guint j = 0; j < plan->ops[0].n_in; j++)
          write_input (lane, j);
        rig_lane_check_op (lane, 0, NULL, &hyper);
      }
}

/* Rows of more elements than any loop over them is unrolled: the CPU lane adds them up with the same
 * roundings, in floats, too. */
static void
test_rows (void)
{
  static const LsOpTest forward = { .in = { { 33, 300 }, { 300 }, { 300 } } },
                        back = { .in = { { 33, 300 }, { 33, 300 }, { 300 }, { 33 }, { 33 } } },
                        weights = { .in = { { 33, 300 }, { 33, 300 }, { 33 }, { 33 } } };
  static const struct {
    const LsOpClass *klass;
    const LsOpTest *test;
  } ops[]
    = { { &ls_op_layernorm, &forward }, { &ls_op_layernorm_grad, &back }, { &ls_op_layernorm_dw, &weights } };
  const LsHyper hyper = { .step = 1 };
  g_autoptr (LsData) data = rig_data (8, mnist_shape, 10);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (ops); i++)
    {
      g_autoptr (LsPlan) plain = ls_plan_new_single (ops[i / 2].klass, ops[i / 2].test, NULL);
      g_autoptr (LsPlan) plan = ls_plan_with_precision (plain,
                                                        i % 2 == 0 ? LS_PRECISION_FP32 : LS_PRECISION_BF16);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
      const LsOp *op = &plan->ops[0];

      for (guint j = 0; j < op->n_in; j++)
        {
          write_input (cpu, j);
          write_input (lane, j);
        }
      rig_lane_check_op (cpu, 0, NULL, &hyper);
      rig_lane_check_op (lane, 0, NULL, &hyper);
      for (guint j = 0; j < op->n_out; j++)
        {
          g_autofree void *a = rig_lane_read (cpu, op->out[j]), *b = rig_lane_read (lane, op->out[j]);
          if (memcmp (a, b, ls_tensor_host_bytes (&plan->tensors[op->out[j]])) != 0)
            g_error ("output %u of %s in %s differs between the lanes", j, op->klass->name,
                     ls_precision_name (plan->precision));
        }
    }
}

/* ---- whole steps ---- */

/* With all layers that there are: the same bits as the CPU lane's. In fp16, as single ops are in bf16. */
static void
test_layers (gconstpointer model)
{
  g_autoptr (LsPlan) plan = stored_plan (model, 7, LS_OPTIMIZER_SGD, LS_PRECISION_FP16);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);

  run (cpu, 0, STEPS, NULL);
  run (lane, 0, STEPS, NULL);
  assert_same (lane, cpu);
  for (guint i = 0; i < plan->n_ops; i++)
    g_assert_false (lane->backend->tilings (lane->instance)[i].reference);
}

/* What is fused is rounded as what goes through memory. */
static void
test_fusion (gconstpointer model)
{
  const LsPrecision precision = precisions[model == fused[0]];
  g_autoptr (LsPlan) plan = stored_plan (model, 3, LS_OPTIMIZER_ADAM, precision);
  g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
  g_autoptr (RigLane) apart = rig_lane_new (&ls_backend_opencl_here, plan, data, "optimizer", "adam",
                                            "fusion", "off", NULL);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "optimizer", "adam", NULL);

  run (apart, 0, 2, NULL);
  run (lane, 0, 2, NULL);
  assert_same (lane, apart);
}

/* The lane as the program has it: in a process of its own, which makes the plan anew. */
static void
test_process (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      g_autoptr (LsPlan) plan = stored_plan ("flatten, dense 16, relu, dense 10", 8, LS_OPTIMIZER_SGD,
                                             precisions[p]);
      g_autoptr (LsData) data = rig_data (64, mnist_shape, 10);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl, plan, data, "kernel", "tiled", NULL);
      float losses[STEPS], expected[STEPS];

      run (cpu, 0, STEPS, expected);
      run (lane, 0, STEPS, losses);
      assert_same (lane, cpu);
      if (precisions[p] == LS_PRECISION_FP16)
        overflow (lane, cpu, STEPS);
      assert_same (lane, cpu);
    }
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/half/memory", test_memory);
  g_test_add_func ("/half/same-bits", test_same_bits);
  g_test_add_func ("/half/overflow", test_overflow);
  g_test_add_func ("/half/read-write", test_read_write);
  g_test_add_data_func ("/half/ops/naive", "naive", test_ops);
  g_test_add_func ("/half/rows", test_rows);
  g_test_add_data_func ("/half/ops/tiled", "tiled", test_ops);
  g_test_add_data_func ("/half/ops/packed", "packed", test_ops);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      g_autofree char *bits = g_strdup_printf ("/half/layers/%u", i);
      g_test_add_data_func (bits, layers[i], test_layers);
    }
  for (guint i = 0; i < G_N_ELEMENTS (fused); i++)
    {
      g_autofree char *same = g_strdup_printf ("/half/fusion/%u", i);
      g_test_add_data_func (same, fused[i], test_fusion);
    }
  g_test_add_func ("/half/process", test_process);
  return g_test_run ();
}
