/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane on tensors stored in 16 bits: every op against the reference on the same stored numbers, whole
 * steps with the same bits however they are cut and fused, copies of weights that follow them, and nothing
 * written past a tensor's end.
 */
#include <math.h>

#include "backends/cpu/cpu.h"
#include "core/half.h"
#include "core/rng.h"
#include "tests/cpu/rig.h"

static const LsPrecision precisions[] = { LS_PRECISION_FP16, LS_PRECISION_BF16 };

/* ---- op by op ---- */

static gint32
some_index (const LsPlan *plan, gint64 i)
{
  const LsOp *op = &plan->ops[0];
  const guint32 random = ls_rng_u32 (3, LS_STREAM_TEST, 9, (guint64) i);

  if (op->klass == &ls_op_maxpool2d_grad)
    {
      const gint64 *ys = plan->tensors[op->in[0]].shape, *xs = plan->tensors[op->in[2]].shape;
      gint64 r = i / ys[3] % ys[2], s = i % ys[3];
      gint64 u = random % (guint) op->attr.kernel, v = random / 64 % (guint) op->attr.kernel;
      return (gint32) ((r * op->attr.stride + u) * xs[3] + s * op->attr.stride + v);
    }
  return (gint32) (random % (guint64) plan->tensors[op->in[0]].shape[1]);
}

static void *
some_values (const LsPlan *plan, guint tensor)
{
  const LsTensor *t = &plan->tensors[tensor];
  float *values = g_new (float, MAX (ls_tensor_count (t), 1));

  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    if (t->dtype == LS_I32)
      ((gint32 *) (void *) values)[i] = some_index (plan, i);
    else
      values[i] = fabsf ((float) ls_rng_normal (3, LS_STREAM_TEST, tensor, (guint64) i))
                  * (t->role == LS_ROLE_STATE || i % 3 ? 1 : -1);
  return values;
}

static gpointer
prepared (const LsBackend *backend, const LsOptions *options, LsPlan *plan)
{
  g_autoptr (GError) error = NULL;
  gpointer self = backend->open (options, 0, &error);

  g_assert_no_error (error);
  backend->prepare (self, plan, NULL, &error);
  g_assert_no_error (error);
  return self;
}

static void
run_op (const LsBackend *backend, gpointer self, const LsPlan *plan)
{
  const LsHyper hyper
    = { .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };
  const LsTensor *x = &plan->tensors[plan->ops[0].out[0]];
  const gboolean gathers = plan->ops[0].klass == &ls_op_gather;
  LsDataset set = { .n = 40, .type = LS_SAMPLE_F32, .sample_size = gathers ? ls_tensor_inner (x) : 1 };
  g_autofree float *samples = g_new (float, set.n *set.sample_size);
  g_autofree gint32 *labels = g_new (gint32, set.n);
  g_autofree guint32 *index = g_new (guint32, plan->batch);
  LsBatch batch = { &set, index, plan->batch };
  LsRun run = { .n_ops = 1, .n_steps = 1, .batches = &batch, .hyper = &hyper };
  LsRunResult result = { 0 };
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < set.n * set.sample_size; i++)
    samples[i] = (float) i / 7;
  for (gint64 i = 0; i < set.n; i++)
    labels[i] = (gint32) i;
  for (guint i = 0; i < plan->batch; i++)
    index[i] = i * 7 % (guint) set.n;
  set.samples = samples;
  set.labels = labels;
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      g_autofree void *values = some_values (plan, i);
      g_assert_true (backend->write (self, i, values, NULL));
    }
  backend->run (self, &run, &result, &error);
  g_assert_no_error (error);
}

/* One more rounding apart where a sum was rounded otherwise before it was stored. */
static double
bound (const LsPlan *plan, const LsTensor *t, double expected)
{
  const LsOp *op = &plan->ops[0];
  const double terms = MAX (1, op->attr.k > 0 ? (double) op->attr.k
                                              : (double) ls_tensor_count (&plan->tensors[op->in[0]])
                                                  / (double) ls_tensor_count (t));

  return 1e-6 * terms + 1e-5 * fabs (expected) + ls_dtype_info (t->dtype)->epsilon * fabs (expected);
}

static void
compare_op (const LsOpClass *klass, const LsOpTest *test, LsPrecision precision, const LsOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPlan) plain = ls_plan_new_single (klass, test, &error);
  g_autoptr (LsPlan) plan = ls_plan_with_precision (plain, precision);
  gpointer reference, cpu;

  g_assert_no_error (error);
  reference = prepared (&ls_backend_reference, options, plan);
  cpu = prepared (&ls_backend_cpu, options, plan);
  run_op (&ls_backend_reference, reference, plan);
  run_op (&ls_backend_cpu, cpu, plan);
  g_assert_false (ls_backend_cpu.tilings (cpu)[0].reference);
  for (guint j = 0; j < plan->ops[0].n_out; j++)
    {
      const guint id = plan->ops[0].out[j];
      const LsTensor *t = &plan->tensors[id];
      const gint64 n = ls_tensor_count (t);
      g_autofree float *a = g_new (float, n), *b = g_new (float, n);

      g_assert_true (ls_backend_reference.read (reference, id, a, NULL));
      g_assert_true (ls_backend_cpu.read (cpu, id, b, NULL));
      for (gint64 i = 0; i < n; i++)
        if (t->dtype == LS_I32 ? ((gint32 *) (void *) a)[i] != ((gint32 *) (void *) b)[i]
                               : !(fabs ((double) a[i] - (double) b[i]) <= bound (plan, t, (double) a[i])))
          g_error ("%s in %s, output %u, element %" G_GINT64_FORMAT ": %.9g is not %.9g", klass->name,
                   ls_precision_name (precision), j, i, (double) b[i], (double) a[i]);
    }
  g_assert_null (ls_arena_check (&((LsCpu *) cpu)->arena, plan->tensors, plan->n_tensors));
  ls_backend_reference.close (reference);
  ls_backend_cpu.close (cpu);
}

static void
test_ops (void)
{
  static const gint64 tiles[] = { 0, 13 };
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  for (guint c = 0; c < n; c++)
    for (guint t = 0; t < classes[c]->n_tests && t < (rig_under_valgrind () ? 2 : 99); t++)
      for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
        {
          g_autoptr (LsOptions) options = ls_options_new ();
          options->threads = 2;
          options->tiles = tiles[(t + p) % 2];
          options->cpu_kernels = (gint) (t % LS_CPU_KERNELS_N);
          compare_op (classes[c], &classes[c]->tests[t], precisions[p], options);
        }
}

/* Sums over more images than are converted at a time, and more rows and columns than a tile has. */
static void
test_blocks (void)
{
  static const LsOpTest images = { .in = { { 45, 8, 14, 14 }, { 45, 8, 16, 16 } },
                                   .attr = { .kernel = 3, .stride = 1 } };
  static const gint64 tiles[] = { 1, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      options->threads = 2;
      options->tiles = tiles[i];
      compare_op (&ls_op_conv2d_dw, &images, LS_PRECISION_BF16, options);
    }
}

/* ---- whole steps ---- */

static const char *const models[] = {
  "mlp",
  "cnn",
  "conv 5 3 stride 2 pad 2, tanh, maxpool 3 stride 2, flatten, dense 33, sigmoid, residual(relu, dense 33), "
  "dense 10",
  "conv 3 3, gelu, layernorm, avgpool 3, dropout 0.3, flatten, dense 33, gelu, layernorm, dropout 0.5, dense "
  "10",
  "lstm 17 all, avgpool 2, residual(lstm 8 all, layernorm), lstm 9 columns, dense 10",
};

#define SMOOTH                                                                                               \
  3 /* models from here on have no maximum and no ReLU, which a rounding may turn to another side */

static guint64
train (Rig *rig, const LsOptions *options, gboolean fuse, float *losses)
{
  LsRunResult result = { .losses = losses };

  g_assert_true (rig->backend->configure (rig->self, options, NULL));
  rig_reset (rig);
  rig_run (rig, 3, fuse, NULL, &result);
  return rig_hash (rig, LS_ROLE_WEIGHT) ^ rig_hash (rig, LS_ROLE_STATE);
}

/* The products read what has been rounded of the weights as they are now. */
static void
assert_copies (const Rig *rig)
{
  const LsArena *arena = &((LsCpu *) rig->self)->arena;

  for (guint i = 0; i < rig->plan->n_params; i++)
    {
      const LsTensor *t = &rig->plan->tensors[rig->plan->params[i].weight];
      const float *weight = ls_arena_at (arena, t);
      const guint16 *copy = ls_arena_copy_at (arena, t);

      g_assert_true ((copy != NULL) == (t->rank > 1));
      for (gint64 k = 0; copy != NULL && k < ls_tensor_count (t); k++)
        g_assert_cmphex (copy[k], ==,
                         t->copy == LS_F16 ? ls_fp16_from_float (weight[k]) : ls_bf16_from_float (weight[k]));
    }
}

static void
test_same_bits (gconstpointer model)
{
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    for (gint optimizer = 0; optimizer < 2; optimizer++)
      {
        g_autoptr (LsOptions) options = ls_options_new ();
        options->tiles = 13;
        options->threads = 1;
        options->optimizer = optimizer;
        Rig *rig = rig_new_stored (&ls_backend_cpu, options, model, 7, precisions[p]);
        float losses[3];
        const guint64 expected = train (rig, options, TRUE, losses);

        assert_copies (rig);
        g_assert_cmpuint (train (rig, options, FALSE, losses), ==, expected);
        assert_copies (rig);
        for (gint policy = 0; policy < LS_POLICY_N && !rig_under_valgrind (); policy++)
          {
            options->threads = 2 + policy % 2;
            options->policy = policy;
            options->fusion = policy % 2;
            g_assert_cmpuint (train (rig, options, TRUE, losses), ==, expected);
          }
        g_assert_null (
          ls_arena_check (&((LsCpu *) rig->self)->arena, rig->plan->tensors, rig->plan->n_tensors));
        rig_free (rig);
      }
}

/* The work space that a worker has for converting what it reads doesn't grow with the batch. */
static void
test_scratch (void)
{
  static const guint batches[] = { 32, 256 };
  gsize floats[G_N_ELEMENTS (batches)];

  for (guint i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      options->threads = 2;
      Rig *rig = rig_new_stored (&ls_backend_cpu, options,
                                 "conv 8 5, relu, conv 16 3, maxpool 8, flatten, dense 10", batches[i],
                                 LS_PRECISION_BF16);
      floats[i] = ((LsCpu *) rig->self)->scratch_stride;
      rig_free (rig);
    }
  g_test_message ("%zu and %zu", floats[0], floats[1]);
  g_assert_cmpuint (floats[1], <=, 2 * floats[0]);
}

/* Near the reference that stores alike, and near the lane in floats, of which it isn't the very bits. */
static void
test_near (gconstpointer model)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  float plain[3], reference[3], losses[3];
  Rig *rig = rig_new (&ls_backend_cpu, options, model, 16);

  options->threads = 2;
  train (rig, options, TRUE, plain);
  rig_free (rig);
  for (guint p = 0; p < G_N_ELEMENTS (precisions); p++)
    {
      rig = rig_new_stored (&ls_backend_reference, options, model, 16, precisions[p]);
      train (rig, options, TRUE, reference);
      rig_free (rig);
      rig = rig_new_stored (&ls_backend_cpu, options, model, 16, precisions[p]);
      train (rig, options, TRUE, losses);
      rig_free (rig);
      for (guint s = 0; s < 3; s++)
        {
          g_assert_cmpfloat (fabs ((double) losses[s] - (double) reference[s]), <=, 2e-3);
          g_assert_cmpfloat (fabs ((double) losses[s] - (double) plain[s]), <=, 4e-2);
        }
      g_assert_cmpfloat (losses[0], !=, plain[0]);
    }
}

/* All weights' gradients after one step, one behind the other; NULL-terminated. */
static float **
gradients_of (const LsOptions *options, const char *model, LsPrecision precision)
{
  Rig *rig = rig_new_stored (&ls_backend_cpu, options, model, 16, precision);
  const LsPlan *plan = rig->plan;
  float **gradients = g_new0 (float *, plan->n_params + 1), loss;
  LsRunResult result = { .losses = &loss };

  rig_reset (rig);
  rig_run (rig, 1, FALSE, NULL, &result); /* op by op: all gradients are in memory */
  for (guint i = 0; i < plan->n_params; i++)
    {
      const guint gradient = plan->params[i].gradient;
      gradients[i] = g_new (float, ls_tensor_count (&plan->tensors[gradient]));
      g_assert_true (rig->backend->read (rig->self, gradient, gradients[i], NULL));
    }
  rig_free (rig);
  return gradients;
}

/* The gradients are those of the lane in floats, but for roundings: of all that is stored on the way, each
 * half a unit at most, and independent. In bf16, which has the floats' range. */
static void
test_gradients (gconstpointer model)
{
  const double epsilon = ls_dtype_info (LS_BF16)->epsilon;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_auto (GStrv) plain = (char **) gradients_of (options, model, LS_PRECISION_FP32),
                 stored = (char **) gradients_of (options, model, LS_PRECISION_BF16);
  Rig *rig = rig_new (&ls_backend_cpu, options, model, 16);

  for (guint i = 0; i < rig->plan->n_params; i++)
    {
      const LsTensor *t = &rig->plan->tensors[rig->plan->params[i].gradient];
      const float *a = (const float *) (void *) stored[i], *b = (const float *) (void *) plain[i];
      double delta = 0, norm = 0;

      for (gint64 k = 0; k < ls_tensor_count (t); k++)
        {
          delta += pow ((double) a[k] - (double) b[k], 2);
          norm += pow ((double) b[k], 2);
        }
      if (!(sqrt (delta / norm) <= 4 * epsilon))
        g_error ("%s in bf16: %g of it is wrong", t->name, sqrt (delta / norm));
    }
  rig_free (rig);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/half/ops", test_ops);
  g_test_add_func ("/cpu/half/blocks", test_blocks);
  g_test_add_func ("/cpu/half/scratch", test_scratch);
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *bits = g_strdup_printf ("/cpu/half/same-bits/%zu", i),
                      *near = g_strdup_printf ("/cpu/half/near/%zu", i),
                      *gradients = g_strdup_printf ("/cpu/half/gradients/%zu", i);
      g_test_add_data_func (bits, models[i], test_same_bits);
      if (i >= SMOOTH)
        g_test_add_data_func (gradients, models[i], test_gradients);
      if (i != 1) /* the reference takes seconds for it */
        g_test_add_data_func (near, models[i], test_near);
    }
  return g_test_run ();
}
