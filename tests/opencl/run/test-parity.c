/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL lane against the reference: a whole step, tensor by tensor, and op by op against the reference
 * in double, on every rung of the ladder.
 */
#include "config.h"
#include "lanes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "backends/opencl/run/instance.h"
#include "core/rng.h"

#define BIT_STEPS  5u
#define MANY_STEPS 1000u
#define RANDOM     "dropout 0.1, flatten, dense 33, relu, dropout 0.5, dense 67, dropout 0, dropout 0.9, dense 10"

static const gint64 mnist_shape[3] = { 1, 28, 28 };

typedef struct {
  const char *name, *model, *rung;
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
    if (lane->plan->ops[i].out[0] == tensor && ls_plan_hands_over (lane->plan, tilings, i))
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
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", c->rung, NULL);
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

static void
test_ops (gconstpointer user_data)
{
  const Case *c = user_data;
  g_autoptr (LsPlan) plan = rig_plan (c->model, mnist_shape, 10, c->batch, LS_OPTIMIZER_ADAM);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", c->rung, "fusion",
                                           "off", NULL);
  g_autofree guint32 *index = g_new (guint32, c->batch);
  LsBatch batch = { &data->train, index, c->batch };
  LsHyper hyper = { .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };

  for (guint i = 0; i < c->batch; i++)
    index[i] = (i * 37 + 5) % 256;
  for (guint i = 0; i < plan->n_ops; i++)
    rig_lane_check_op (lane, i, &batch, &hyper);
}

/* ---- the same bits ---- */

/* Steps on the CPU lane and on this one: losses and weights are equal bit for bit where a device adds in the
 * order of all and rounds quotients and roots as the processor does. */
static void
check_bits (const Case *c, guint n_steps)
{
  g_autoptr (LsPlan) plan = rig_plan (c->model, mnist_shape, 10, c->batch, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", c->rung, NULL);
  g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree float *losses = g_new (float, n_steps), *expected = g_new (float, n_steps);

  g_assert_true (rig_lane_run (lane, 0, n_steps, losses, &error));
  g_assert_true (rig_lane_run (cpu, 0, n_steps, expected, &error));
  if (!lane->backend->device (lane->instance)->shares_cpu)
    {
      g_test_skip ("another processor may round otherwise");
      return;
    }
  for (guint i = 0; i < n_steps; i++)
    if (memcmp (&losses[i], &expected[i], sizeof *losses) != 0)
      g_error ("the loss of step %u differs between the lanes: %.9g and %.9g", i + 1, (double) losses[i],
               (double) expected[i]);
  for (guint p = 0; p < plan->n_params; p++)
    {
      const LsTensor *w = &plan->tensors[plan->params[p].weight];
      g_autofree float *a = rig_lane_read (lane, plan->params[p].weight),
                       *b = rig_lane_read (cpu, plan->params[p].weight);
      for (gint64 i = 0; i < ls_tensor_count (w); i++)
        if (memcmp (&a[i], &b[i], sizeof *a) != 0)
          g_error ("after %u steps %s differs between the lanes, in element %d: %.9g and %.9g", n_steps,
                   w->name, (int) i, (double) a[i], (double) b[i]);
    }
}

static void
test_bits (gconstpointer user_data)
{
  check_bits (user_data, BIT_STEPS);
}

static void
test_many_steps (gconstpointer user_data)
{
  check_bits (user_data, MANY_STEPS);
}

/* Outside of training, at step 0, both lanes leave nothing out. */
static void
test_off (void)
{
  g_autoptr (LsPlan) plan = rig_plan (RANDOM, mnist_shape, 10, 7, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (256, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, NULL);
  RigLane *const lanes[] = { lane, cpu };
  const guint32 index[7] = { 0, 1, 2, 3, 4, 5, 6 };
  const LsBatch batch = { &data->train, index, 7 };
  const LsHyper hyper = { .seed = 1 };
  const LsRun run
    = { .n_ops = plan->first_op[LS_PHASE_LOSS], .n_steps = 1, .batches = &batch, .hyper = &hyper };
  guint n_masks = 0;

  for (guint l = 0; l < G_N_ELEMENTS (lanes); l++)
    {
      LsRunResult result = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_true (rig_lane_run (lanes[l], 0, 1, NULL, &error));
      lanes[l]->backend->run (lanes[l]->instance, &run, &result, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < plan->n_ops; i++)
        if (plan->ops[i].klass == &ls_op_dropout)
          {
            g_autofree float *mask = rig_lane_read (lanes[l], plan->ops[i].out[1]);
            n_masks++;
            for (gint64 k = 0; k < ls_tensor_count (&plan->tensors[plan->ops[i].out[1]]); k++)
              g_assert_cmpfloat (mask[k], ==, 1);
          }
    }
  g_assert_cmpuint (n_masks, ==, 2 * 4);
}

/* ---- tanh and sigmoid, where they begin, end and change ---- */

static const float edges[] = {
  0.0f,        1e-45f, 1e-38f,      1.2e-38f, 1e-30f, 1e-8f,   3e-4f,    0.3f,  0.3465f, 0.3466f,
  0.62499994f, 0.625f, 0.62500006f, 1.0f,     8.3f,   8.6f,    9.0f,     9.02f, 16.6f,   17.3f,
  44.0f,       44.4f,  44.5f,       87.3f,    88.0f,  88.7f,   88.73f,   89.0f, 89.1f,   103.0f,
  103.9f,      104.0f, 104.1f,      1e4f,     1e30f,  FLT_MAX, INFINITY, NAN,
};

/* Both signs of each edge; then numbers of all sizes that matter. */
static void
fill_with_edges (float *values, gint64 n, guint32 sub)
{
  static const double sizes[] = { 100, 10, 1 };
  const gint64 n_edges = 2 * G_N_ELEMENTS (edges);

  for (gint64 i = 0; i < n; i++)
    {
      const gint64 at = (i + sub) % n;
      const double r = ls_rng_u32 (3, LS_STREAM_TEST, sub, (guint64) i) / 0x1p31 - 1;
      if (at < n_edges)
        values[i] = at % 2 == 0 ? edges[at / 2] : -edges[at / 2];
      else
        values[i] = (float) (r * sizes[at % 3]);
    }
}

static void
write_edges (RigLane *lane, guint tensor, guint32 sub)
{
  const gint64 n = ls_tensor_count (&lane->plan->tensors[tensor]);
  g_autofree float *values = g_new (float, n);
  g_autoptr (GError) error = NULL;

  fill_with_edges (values, n, sub);
  g_assert_true (lane->backend->write (lane->instance, tensor, values, &error));
  g_assert_no_error (error);
}

static void
run_some (RigLane *lane, guint first, guint n, gboolean fuse)
{
  const LsHyper hyper = { .step = 1 };
  const LsRun run = { .first_op = first, .n_ops = n, .n_steps = 1, .hyper = &hyper, .fuse = fuse };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;

  lane->backend->run (lane->instance, &run, &result, &error);
  g_assert_no_error (error);
}

/* Of a NaN, sign and payload are the compiler's affair. */
static void
assert_same_values (RigLane *lane, RigLane *cpu, const LsOp *op, const char *how)
{
  const LsTensor *out = &lane->plan->tensors[op->out[0]];
  g_autofree float *a = rig_lane_read (lane, op->out[0]), *b = rig_lane_read (cpu, op->out[0]),
                   *x = rig_lane_read (cpu, op->in[0]);

  for (gint64 i = 0; i < ls_tensor_count (out); i++)
    if (memcmp (&a[i], &b[i], sizeof *a) != 0 && !(isnan (a[i]) && isnan (b[i])))
      g_error ("%s, %s, of %.9g: %.9g and on the CPU lane %.9g", op->klass->name, how, (double) x[i],
               (double) a[i], (double) b[i]);
}

/* Both functions and their gradients, alone and as a product's epilogue, bit for bit what the CPU lane makes
 * of the same values: 131 × 7 of them, so that whole vectors and rests have each edge. */
static void
test_edges (gconstpointer rung)
{
  static const char *const models[] = { "flatten, dense 131, tanh, dense 10",
                                        "flatten, dense 131, sigmoid, dense 10" };
  static const gint64 one[3] = { 1, 1, 1 };

  for (guint m = 0; m < 2 * G_N_ELEMENTS (models); m++)
    {
      g_autoptr (LsPlan) plan = rig_plan (models[m % 2], one, 10, 7, LS_OPTIMIZER_SGD);
      g_autoptr (LsData) data = rig_data (16, one, 10);
      g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, "kernel", rung, NULL);
      g_autoptr (RigLane) cpu = rig_lane_new (&ls_backend_cpu, plan, data, "cpu-kernels",
                                              m < G_N_ELEMENTS (models) ? "blas" : "scalar", NULL);
      RigLane *const lanes[] = { lane, cpu };
      guint n_alone = 0, product = G_MAXUINT, bent = 0;

      if (!lane->backend->device (lane->instance)->shares_cpu)
        {
          g_test_skip ("another processor may round a quotient otherwise");
          return;
        }
      for (guint i = 0; i < plan->n_ops; i++)
        {
          const LsOp *op = &plan->ops[i];
          if (op->klass == &ls_op_matmul)
            product = MIN (product, i);
          if (!g_str_has_prefix (op->klass->name, m % 2 == 0 ? "tanh" : "sigmoid"))
            continue;
          for (guint l = 0; l < G_N_ELEMENTS (lanes); l++)
            {
              for (guint j = 0; j < op->n_in; j++)
                write_edges (lanes[l], op->in[j], j * 7);
              run_some (lanes[l], i, 1, FALSE);
            }
          assert_same_values (lane, cpu, op, "alone");
          if (n_alone++ == 0)
            bent = i;
        }
      g_assert_cmpuint (n_alone, ==, 2);

      for (guint l = 0; l < G_N_ELEMENTS (lanes); l++)
        {
          const float ones[7] = { 1, 1, 1, 1, 1, 1, 1 };
          g_autoptr (GError) error = NULL;

          lanes[l]->backend->write (lanes[l]->instance, plan->ops[product].in[0], ones, &error);
          g_assert_no_error (error);
          write_edges (lanes[l], plan->ops[product].in[1], 0);
          run_some (lanes[l], product, bent + 1 - product, TRUE);
        }
      assert_same_values (lane, cpu, &plan->ops[bent], "after a product");
    }
}

/* clang-format off */
#define CASES(model)                                                                              \
  { model, model, "naive", 7 }, { model, model, "tiled", 7 }, { model, model, "register", 7 },          \
  { model, model, "packed", 7 }, { model, model, "auto", 1 }, { model, model, "auto", 128 }
/* clang-format on */
/* Steps of 7 × 5 and 3 × 11 numbers begin where no device lets a part of a buffer begin. */
#define ODD "lstm 5 all, residual(lstm 5 all, tanh), lstm 11 columns, dense 10"
static const Case cases[]
  = { CASES ("mlp"), CASES ("cnn"), { "lstm", ODD, "naive", 7 }, { "lstm", ODD, "auto", 3 } };
/* 13 × 13 and 9 × 5 windows, and a rest. */
#define POOLED "lstm 27 all, avgpool 2, lstm 17 all, avgpool 3, flatten, dense 10"
/* Convolutions' sums: of more than a block (33 · 3 · 3), at every stride, by vectors of channels and of
 * outputs, over planes that fill vectors and that don't. */
#define WIDE                                                                                                 \
  "conv 33 3 pad 1, relu, maxpool 2, conv 9 3 pad 1, tanh, conv 16 3, conv 17 3 pad 1, flatten, dense 10"
#define STRIDES                                                                                              \
  "conv 6 5 stride 2 pad 2, relu, conv 40 4 stride 3 pad 1, sigmoid, conv 5 2, conv 3 1, conv 2 3 pad 2, "   \
  "flatten, "                                                                                                \
  "dense 10"
#define SMALL "maxpool 3, conv 8 3 pad 1, conv 40 5 pad 3, relu, conv 16 3 stride 2, flatten, dense 10"
#define CONVS(name, model)                                                                                   \
  { name, model, "naive", 7 }, { name, model, "tiled", 7 }, { name, model, "register", 7 },                  \
    { name, model, "packed", 7 }, { name, model, "auto", 1 },                                                \
  {                                                                                                          \
    name, model, "auto", 33                                                                                  \
  }
/* Rows of 784, 17, 33 and 1 value. */
#define ROWS                                                                                                 \
  "lstm 17 all, layernorm, flatten, layernorm, dense 33, layernorm, relu, dense 1, layernorm, dense 10"
#define NORMAL "flatten, dense 33, gelu, dense 17, gelu, dense 10"
#define BENT   "flatten, dense 33, tanh, dense 17, sigmoid, dense 19, tanh, dense 10"
static const Case layers[] = {
  { "layers/avgpool", POOLED, "naive", 7 },  { "layers/avgpool", POOLED, "packed", 7 },
  { "layers/avgpool", POOLED, "auto", 1 },   { "layers/dropout", RANDOM, "naive", 7 },
  { "layers/dropout", RANDOM, "packed", 7 }, { "layers/dropout", RANDOM, "auto", 1 },
  { "layers/layernorm", ROWS, "naive", 7 },  { "layers/layernorm", ROWS, "packed", 7 },
  { "layers/layernorm", ROWS, "auto", 1 },   { "layers/gelu", NORMAL, "naive", 7 },
  { "layers/gelu", NORMAL, "packed", 7 },    { "layers/gelu", NORMAL, "auto", 1 },
  { "layers/bent", BENT, "naive", 7 },       { "layers/bent", BENT, "packed", 7 },
  { "layers/bent", BENT, "auto", 1 },
};
static const Case convs[] = { CONVS ("cnn", "cnn"), CONVS ("convs/wide", WIDE),
                              CONVS ("convs/strides", STRIDES), CONVS ("convs/small", SMALL) };
static const Case many[] = { { "mlp", "mlp", "auto", 16 }, { "cnn", "cnn", "auto", 16 } };

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autofree char *step = g_strdup_printf ("/%s/%s-step-%u", c->name, c->rung, c->batch);
      g_autofree char *ops = g_strdup_printf ("/%s/%s-ops-%u", c->name, c->rung, c->batch);
      g_test_add_data_func (step, c, test_step);
      if (c->batch < 128) /* the reference in double takes half a minute for the cnn */
        g_test_add_data_func (ops, c, test_ops);
    }
  g_test_add_func ("/layers/dropout/off", test_off);
  g_test_add_data_func ("/layers/edges/naive", "naive", test_edges);
  g_test_add_data_func ("/layers/edges/tiled", "tiled", test_edges);
  g_test_add_data_func ("/layers/edges/register", "register", test_edges);
  g_test_add_data_func ("/layers/edges/packed", "packed", test_edges);
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      const Case *c = &layers[i];
      g_autofree char *bits = g_strdup_printf ("/%s/%s-bits-%u", c->name, c->rung, c->batch);
      g_autofree char *ops = g_strdup_printf ("/%s/%s-ops-%u", c->name, c->rung, c->batch);
      g_test_add_data_func (bits, c, test_bits);
      g_test_add_data_func (ops, c, test_ops);
    }
  for (guint i = 0; i < G_N_ELEMENTS (convs); i++)
    {
      const Case *c = &convs[i];
      g_autofree char *bits = g_strdup_printf ("/%s/%s-bits-%u", c->name, c->rung, c->batch);
      g_test_add_data_func (bits, c, test_bits);
    }
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    {
      g_autofree char *bits = g_strdup_printf ("/%s/%s-many-steps", many[i].name, many[i].rung);
      g_test_add_data_func (bits, &many[i], test_many_steps);
    }
  return g_test_run ();
}
