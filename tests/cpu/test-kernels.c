/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every op on each of its test shapes, on the CPU lane, against the reference in double: sums within
 * 4·√K·ε·Σ|x·y|, the others by ulp. Outputs are filled with NaN before, so that an element left out is found;
 * guard zones are looked at after. With one tile and many, on one thread and several, on every rung
 * (--cpu-kernels).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/vmath.h"
#include "core/rng.h"
#include "../model/shipped.h"

#define EPSILON 1.1920928955078125e-7 /* of float: 2⁻²³ */
#define SEED    11

/* ---- tolerances ---- */

typedef struct {
  const LsOpClass *klass;
  double ulps;     /* of the result; 0: a sum, bounded by its terms */
  double absolute; /* besides, where terms of size one cancel */
} Tolerance;

static const Tolerance tolerances[] = {
  { &ls_op_gather, 0.5, 0 },
  { &ls_op_bias, 1, EPSILON },
  { &ls_op_add, 1, EPSILON },
  { &ls_op_relu, 0.5, 0 },
  { &ls_op_relu_grad, 0.5, 0 },
  { &ls_op_tanh, 5, 0 },
  { &ls_op_tanh_grad, 2, 2 * EPSILON },
  { &ls_op_sigmoid, 6, 0 },
  { &ls_op_sigmoid_grad, 2, 2 * EPSILON },
  { &ls_op_gelu, 12, 0 },
  { &ls_op_gelu_grad, 8, 8 * EPSILON },
  { &ls_op_dropout, 1, 0 },
  { &ls_op_dropout_grad, 1, 0 },
  { &ls_op_layernorm, 16, 64 * EPSILON },
  { &ls_op_layernorm_grad, 16, 256 * EPSILON },
  { &ls_op_layernorm_dw, 16, 128 * EPSILON },
  { &ls_op_sequence, 0.5, 0 },
  { &ls_op_planes, 0.5, 0 },
  { &ls_op_lstm, 8, 16 * EPSILON },
  { &ls_op_lstm_grad, 8, 32 * EPSILON },
  { &ls_op_maxpool2d, 0.5, 0 },
  { &ls_op_softmax_xent, 16, 4 * EPSILON },
  { &ls_op_softmax_xent_grad, 2, EPSILON },
  { &ls_op_sgd, 2, 2 * EPSILON },
  { &ls_op_adam, 8, 4 * EPSILON },
};

static const Tolerance *
tolerance_of (const LsOpClass *klass)
{
  static const Tolerance sum = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (tolerances); i++)
    if (tolerances[i].klass == klass)
      return &tolerances[i];
  return &sum;
}

static double
terms_of (const LsPlan *plan)
{
  const LsOp *op = &plan->ops[0];
  gint64 ins = ls_tensor_count (&plan->tensors[op->in[0]]),
         outs = ls_tensor_count (&plan->tensors[op->out[0]]);

  if (op->attr.k > 0)
    return (double) op->attr.k;
  return MAX ((double) ins / (double) outs, (double) (op->attr.kernel * op->attr.kernel));
}

/* ---- inputs ---- */

static gint32
some_index (const LsPlan *plan, guint tensor, gint64 i)
{
  const LsOp *op = &plan->ops[0];
  guint32 random = ls_rng_u32 (SEED, LS_STREAM_TEST, tensor, (guint64) i);

  if (op->klass == &ls_op_maxpool2d_grad)
    {
      const gint64 *ys = plan->tensors[op->in[0]].shape, *xs = plan->tensors[op->in[2]].shape;
      gint64 r = i / ys[3] % ys[2], s = i % ys[3];
      gint64 u = random % (guint) op->attr.kernel, v = random / 64 % (guint) op->attr.kernel;
      return (gint32) ((r * op->attr.stride + u) * xs[3] + s * op->attr.stride + v);
    }
  return (gint32) (random % (guint64) plan->tensors[op->in[0]].shape[1]);
}

/* Normal numbers, a tenth of them zero; absolute: without signs. States of Adam are never negative. */
static void
fill (const LsPlan *plan, guint tensor, gboolean absolute, void *values)
{
  const LsTensor *t = &plan->tensors[tensor];
  float *f = values;

  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    if (t->dtype == LS_I32)
      ((gint32 *) values)[i] = some_index (plan, tensor, i);
    else
      {
        f[i] = (float) ls_rng_normal (SEED, LS_STREAM_TEST, tensor, (guint64) i);
        if (ls_rng_u32 (SEED, LS_STREAM_TEST, 100 + tensor, (guint64) i) % 10 == 0)
          f[i] = 0;
        if (plan->ops[0].klass == &ls_op_lstm_grad && tensor == 2) /* gates */
          f[i] = 1 / (1 + expf (-f[i]));
        if (absolute || (plan->ops[0].klass == &ls_op_adam && tensor == 3))
          f[i] = fabsf (f[i]);
      }
}

static gboolean
is_input (const LsOp *op, guint tensor)
{
  for (guint j = 0; j < op->n_in; j++)
    if (op->in[j] == tensor)
      return TRUE;
  return FALSE;
}

/* ---- one op, one backend ---- */

static LsDataset
make_set (const LsPlan *plan, LsSampleType type)
{
  const gint64 *shape = plan->tensors[plan->ops[0].out[0]].shape;
  LsDataset set = { .n = 50, .shape = { shape[1], shape[2], shape[3] }, .type = type };

  set.sample_size = shape[1] * shape[2] * shape[3];
  set.labels = g_new (gint32, set.n);
  set.samples = g_malloc (set.n * set.sample_size * 4);
  for (gint64 i = 0; i < set.n * set.sample_size; i++)
    if (type == LS_SAMPLE_U8)
      ((guint8 *) set.samples)[i] = (guint8) (i % 256);
    else
      ((float *) set.samples)[i] = (float) i / 3;
  for (gint64 i = 0; i < set.n; i++)
    set.labels[i] = (gint32) (i % 10);
  return set;
}

static void
run_op (const LsBackend *backend, gpointer self, LsPlan *plan, LsSampleType type, gboolean absolute,
        void **outs)
{
  const LsOp *op = &plan->ops[0];
  LsHyper hyper
    = { .lr = 0.1, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 3, .seed = SEED };
  LsDataset set = { 0 };
  g_autofree guint32 *index = NULL;
  LsBatch batch = { 0 };
  LsRun run = { .n_ops = 1, .n_steps = 1, .hyper = &hyper };
  LsRunResult result = { 0 };
  GError *error = NULL;

  for (guint i = 0; i < plan->n_tensors; i++)
    {
      gsize bytes = ls_tensor_bytes (&plan->tensors[i]);
      g_autofree void *values = g_malloc (bytes);
      if (is_input (op, i))
        fill (plan, i, absolute, values);
      else
        memset (values, 0xff, bytes); /* NaN, or −1 */
      g_assert_true (backend->write (self, i, values, NULL));
    }
  if (op->klass == &ls_op_gather)
    {
      set = make_set (plan, type);
      batch = (LsBatch){ .set = &set, .n = (guint) plan->tensors[op->out[0]].shape[0] };
      index = g_new (guint32, batch.n);
      for (guint i = 0; i < batch.n; i++)
        index[i] = i * 17 % (guint) set.n;
      batch.index = index;
      run.batches = &batch;
    }
  backend->run (self, &run, &result, &error);
  g_assert_no_error (error);
  for (guint j = 0; j < op->n_out; j++)
    {
      outs[j] = g_malloc (ls_tensor_bytes (&plan->tensors[op->out[j]]));
      g_assert_true (backend->read (self, op->out[j], outs[j], NULL));
    }
  g_free (set.samples);
  g_free (set.labels);
}

/* The reference keeps its arena in double, but read() narrows: what is compared is the double result, rounded
 * once. */
static void
run_reference (LsPlan *plan, LsSampleType type, gboolean absolute, void **outs)
{
  const LsBackend *backend = &ls_backend_reference_f64;
  gpointer self = backend->open (NULL, 0, NULL);

  g_assert_true (backend->prepare (self, plan, NULL, NULL));
  run_op (backend, self, plan, type, absolute, outs);
  backend->close (self);
}

static void
compare (const LsPlan *plan, void **got, void **expected, void **scale)
{
  const LsOp *op = &plan->ops[0];
  const Tolerance *tolerance = tolerance_of (op->klass);

  for (guint j = 0; j < op->n_out; j++)
    for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[op->out[j]]); i++)
      {
        if (plan->tensors[op->out[j]].dtype == LS_I32)
          {
            g_assert_cmpint (((gint32 *) got[j])[i], ==, ((gint32 *) expected[j])[i]);
            continue;
          }
        double x = (double) ((float *) got[j])[i], y = (double) ((float *) expected[j])[i];
        double limit = tolerance->ulps > 0
                         ? tolerance->ulps * EPSILON * fabs (y) + tolerance->absolute
                         : 4 * sqrt (terms_of (plan)) * EPSILON * (double) ((float *) scale[j])[i];
        if (!(fabs (x - y) <= limit))
          g_error ("%s: element %d of output %u is %.9g, not %.9g ± %.3g", op->klass->name, (int) i, j, x, y,
                   limit);
      }
}

static void
free_outs (const LsPlan *plan, void **outs)
{
  for (guint j = 0; j < plan->ops[0].n_out; j++)
    g_free (outs[j]);
}

static void
check_op (const LsOpClass *klass, const LsOpTest *test, LsSampleType type)
{
  static const struct {
    gint64 threads, tiles;
  } settings[] = { { 1, 1 }, { 2, 0 }, { 3, 7 }, { 2, 64 } };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsPlan) plan = ls_plan_new_single (klass, test, NULL);
  void *expected[LS_OP_MAX_OUT], *scale[LS_OP_MAX_OUT], *got[LS_OP_MAX_OUT];
  LsCpu *self;

  g_assert_nonnull (plan);
  run_reference (plan, type, FALSE, expected);
  run_reference (plan, type, TRUE, scale);
  self = ls_backend_cpu.open (options, 0, NULL);
  g_assert_true (ls_backend_cpu.prepare (self, plan, NULL, NULL));
  for (guint i = 0; i < LS_CPU_KERNELS_N * G_N_ELEMENTS (settings); i++)
    {
      options->cpu_kernels = (gint) (i % LS_CPU_KERNELS_N);
      options->threads = settings[i / LS_CPU_KERNELS_N].threads;
      options->tiles = settings[i / LS_CPU_KERNELS_N].tiles;
      g_assert_true (ls_backend_cpu.configure (self, options, NULL));
      run_op (&ls_backend_cpu, self, plan, type, FALSE, got);
      if (ls_backend_cpu.tilings (self)[0].reference)
        g_test_skip ("no kernel of its own");
      compare (plan, got, expected, scale);
      g_assert_null (ls_arena_check (&self->arena, plan->tensors, plan->n_tensors));
      free_outs (plan, got);
    }
  ls_backend_cpu.close (self);
  free_outs (plan, expected);
  free_outs (plan, scale);
}

static void
test_class (gconstpointer data)
{
  const LsOpClass *klass = data;

  for (guint i = 0; i < klass->n_tests; i++)
    {
      check_op (klass, &klass->tests[i], LS_SAMPLE_U8);
      if (klass == &ls_op_gather)
        check_op (klass, &klass->tests[i], LS_SAMPLE_F32);
    }
}

/* Planes that are too long for their columns to stay in a cache are made some rows at a time: of each of
 * them, the last of which has fewer, each pixel comes to lie in its own place. */
static void
test_long_planes (void)
{
  static const LsOpAttr same = { .kernel = 3, .stride = 1, .pad = 1 },
                        halved = { .kernel = 3, .stride = 2, .pad = 1 };
  const LsOpTest forward = { .in = { { 2, 30, 7, 60 }, { 2, 30, 3, 3 } }, .attr = same },
                 back = { .in = { { 2, 30, 7, 60 }, { 30, 2, 3, 3 }, { 2, 2, 7, 60 } }, .attr = same },
                 weights = { .in = { { 2, 2, 7, 60 }, { 2, 30, 7, 60 } }, .attr = same },
                 forward_2 = { .in = { { 1, 30, 13, 120 }, { 2, 30, 3, 3 } }, .attr = halved },
                 back_2 = { .in = { { 1, 64, 10, 30 }, { 64, 3, 3, 3 }, { 1, 3, 20, 60 } }, .attr = halved },
                 weights_2 = { .in = { { 1, 2, 7, 60 }, { 1, 30, 13, 120 } }, .attr = halved };

  check_op (&ls_op_conv2d, &forward, LS_SAMPLE_U8);
  check_op (&ls_op_conv2d, &forward_2, LS_SAMPLE_U8);
  check_op (&ls_op_conv2d_dx, &back, LS_SAMPLE_U8);
  check_op (&ls_op_conv2d_dx, &back_2, LS_SAMPLE_U8);
  check_op (&ls_op_conv2d_dw, &weights, LS_SAMPLE_U8);
  check_op (&ls_op_conv2d_dw, &weights_2, LS_SAMPLE_U8);
}

/* The table lacks none of the ops that the program ships with. */
static void
test_shipped (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  for (guint p = 0; p < SHIPPED_PLANS; p++)
    {
      g_autoptr (LsPlan) plan = shipped_plan (p);
      LsCpu *self = ls_backend_cpu.open (options, 0, NULL);
      g_assert_true (ls_backend_cpu.prepare (self, plan, NULL, NULL));
      for (guint i = 0; i < plan->n_ops; i++)
        if (ls_backend_cpu.tilings (self)[i].reference)
          g_test_fail_printf ("%s has no kernel on the CPU", plan->ops[i].klass->name);
      ls_backend_cpu.close (self);
    }
}

/* An op that the table doesn't know runs on the reference, and says so. */
static void
test_fallback (void)
{
  LsOpClass stranger = ls_op_relu;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsPlan) plan = ls_plan_new_single (&stranger, &stranger.tests[3], NULL);
  LsCpu *self = ls_backend_cpu.open (options, 0, NULL);
  void *expected[LS_OP_MAX_OUT], *got[LS_OP_MAX_OUT];

  g_assert_true (ls_backend_cpu.prepare (self, plan, NULL, NULL));
  g_assert_true (ls_backend_cpu.tilings (self)[0].reference);
  run_op (&ls_backend_cpu, self, plan, LS_SAMPLE_U8, FALSE, got);
  run_reference (plan, LS_SAMPLE_U8, FALSE, expected);
  compare (plan, got, expected, expected);

  guint n_rings;
  guint32 capacity;
  ls_backend_cpu.trace_size (self, &n_rings, &capacity);
  g_autoptr (LsTrace) trace = ls_trace_new (0, n_rings, capacity, NULL);
  LsRun run = { .n_ops = 1, .n_steps = 1, .trace = trace };
  LsRunResult result = { 0 };
  g_assert_true (ls_backend_cpu.run (self, &run, &result, NULL));
  g_autoptr (GArray) events = ls_trace_collect (trace);
  gboolean said = FALSE;
  for (guint i = 0; i < events->len; i++)
    said |= g_array_index (events, LsEvent, i).kind == LS_EVENT_REFERENCE;
  g_assert_true (said);
  ls_backend_cpu.close (self);
  free_outs (plan, got);
  free_outs (plan, expected);
}

/* ---- exp, log and tanh over their whole range ---- */

static double
ulps (float x, double exact)
{
  float rounded = (float) exact;
  double ulp = (double) (nextafterf (fabsf (rounded), INFINITY) - fabsf (rounded));
  return fabs ((double) x - exact) / ulp;
}

static void
test_vmath (void)
{
  double worst_exp = 0, worst_log = 0, worst_tanh = 0, worst_normal = 0, worst_tail = 0;

  for (double x = -87; x < 88.7; x += 0.00037)
    worst_exp = MAX (worst_exp, ulps (ls_vexpf ((float) x), exp ((double) (float) x)));
  for (double x = (double) FLT_MIN; x < (double) FLT_MAX; x *= 1.00013)
    worst_log = MAX (worst_log, ulps (ls_vlogf ((float) x), log ((double) (float) x)));
  for (double x = 0.5; x < 20; x += 0.000037)
    worst_log = MAX (worst_log, ulps (ls_vlogf ((float) x), log ((double) (float) x)));
  for (double x = -12; x < 12; x += 0.000037)
    worst_tanh = MAX (worst_tanh, ulps (ls_vtanhf ((float) x), tanh ((double) (float) x)));
  for (double x = 1e-30; x < 1; x *= 1.01)
    worst_tanh = MAX (worst_tanh, ulps (ls_vtanhf ((float) x), tanh ((double) (float) x)));
  for (double x = 0; x < 12; x += 0.00037)
    {
      const double of = (double) (float) x;
      const float e = ls_vexpf (-0.5f * (float) x * (float) x);
      worst_normal = MAX (worst_normal, ulps (ls_vnormalf ((float) x, e), erfc (-of * M_SQRT1_2) / 2));
      worst_tail = MAX (worst_tail,
                        ulps (ls_vnormalf (-(float) x, e), erfc (of * M_SQRT1_2) / 2) / (12 + of * of / 2));
    }
  g_test_message ("Φ within %.2f ulp, Φ of less than 0 within %.2f of its bound", worst_normal, worst_tail);
  g_assert_cmpfloat (worst_normal, <=, 5);
  g_assert_cmpfloat (worst_tail, <=, 1);
  g_test_message ("exp within %.2f ulp, log within %.2f ulp, tanh within %.2f ulp", worst_exp, worst_log,
                  worst_tanh);
  g_assert_cmpfloat (worst_exp, <=, 3);
  g_assert_cmpfloat (worst_log, <=, 3);
  g_assert_cmpfloat (worst_tanh, <=, 5);

  g_assert_cmpfloat (ls_vexpf (0), ==, 1);
  g_assert_true (isinf (ls_vexpf (89)) && isinf (ls_vexpf (1e30f)) && isinf (ls_vexpf (INFINITY)));
  g_assert_cmpfloat (ls_vexpf (-104), ==, 0);
  g_assert_cmpfloat (ls_vexpf (-INFINITY), ==, 0);
  g_assert_cmpfloat (ls_vlogf (1), ==, 0);
  g_assert_true (isnan (ls_vexpf (NAN)) && isnan (ls_vlogf (NAN)) && isnan (ls_vtanhf (NAN))
                 && isnan (ls_vsigmoidf (NAN)));
  g_assert_cmpfloat (ls_vtanhf (INFINITY), ==, 1);
  g_assert_cmpfloat (ls_vtanhf (-INFINITY), ==, -1);
  g_assert_cmpfloat (ls_vsigmoidf (-INFINITY), ==, 0);
  g_assert_cmpfloat (ls_vsigmoidf (INFINITY), ==, 1);
  g_assert_cmpfloat (ls_vgeluf (0), ==, 0);
  g_assert_cmpfloat (ls_vgeluf (-1000), ==, 0);
  g_assert_cmpfloat (ls_vgeluf (1e30f), ==, 1e30f);
  g_assert_true (isnan (ls_vgeluf (NAN)) && isnan (ls_vgeluf (-INFINITY))
                 && isnan (ls_vgelu_slopef (INFINITY)));
}

int
main (int argc, char **argv)
{
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/cpu/kernels/%s", classes[i]->name);
      g_test_add_data_func (path, classes[i], test_class);
    }
  g_test_add_func ("/cpu/kernels/long-planes", test_long_planes);
  g_test_add_func ("/cpu/kernels/shipped", test_shipped);
  g_test_add_func ("/cpu/kernels/fallback", test_fallback);
  g_test_add_func ("/cpu/kernels/vmath", test_vmath);
  return g_test_run ();
}
