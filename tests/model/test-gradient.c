/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gradients against central differences, in double: of every op that has one, on its test shapes, and of
 * whole networks (loss against all weights). And the check of the check: gradients that are wrong on purpose
 * must be found.
 */
#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "differences.h"

/* One op and its gradient's ops as a plan: inputs are tensors 0 … n_in−1; *delta: the tensor that holds
 * d(out), or LS_TENSOR_NONE for the loss, which starts a gradient by itself. */
static LsPlan *
plan_with_gradient (const LsOpClass *klass, const LsOpTest *test, guint *delta)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint in[LS_OP_MAX_IN] = { 0 };

  for (guint j = 0; j < klass->n_in; j++)
    {
      g_autofree char *name = g_strdup_printf ("in%u", j);
      guint rank = 0;
      while (rank < LS_MAX_RANK && test->in[j][rank] != 0)
        rank++;
      in[j] = (guint) ls_plan_builder_tensor (b, name, name, klass->in_dtype[j],
                                              klass->in_dtype[j] == LS_I32 ? LS_ROLE_LABEL : LS_ROLE_WEIGHT,
                                              rank, test->in[j], NULL);
    }
  b->phase = LS_PHASE_FORWARD;
  gint out = ls_plan_builder_op (b, klass, in, test->attr, "out", "", LS_ROLE_ACTIVATION, NULL);
  g_assert_cmpint (out, >=, 0);
  b->phase = LS_PHASE_BACKWARD;

  *delta = LS_TENSOR_NONE;
  if (klass != &ls_op_softmax_xent)
    {
      const LsTensor t = *ls_plan_builder_get (b, (guint) out);
      *delta = (guint) ls_plan_builder_tensor (b, "dout", "dout", LS_F32, LS_ROLE_DELTA, t.rank, t.shape,
                                               NULL);
      g_array_index (b->delta, gint, out) = (gint) *delta;
    }
  const LsOp op = g_array_index (b->ops, LsOp, 0);
  g_assert_true (klass->gradient (b, &op, NULL));
  for (guint j = 0; j < klass->n_in; j++)
    if (klass->in_dtype[j] == LS_F32)
      {
        g_assert_true (ls_plan_builder_settle (b, in[j], NULL));
        g_assert_true (ls_plan_builder_has_delta (b, in[j]));
      }

  /* Where delta ids are kept once the builder is gone. */
  for (guint j = 0; j < klass->n_in; j++)
    {
      LsParam param = { .weight = in[j], .gradient = (guint) g_array_index (b->delta, gint, in[j]) };
      if (klass->in_dtype[j] == LS_F32)
        g_array_append_val (b->params, param);
    }
  return ls_plan_builder_finish (b, NULL);
}

/* Mismatches over all inputs of klass on one shape; `broken` replaces the class of the gradient's op `at`, if
 * given. */
static guint
check_op (const LsOpClass *klass, const LsOpTest *test, guint seed, const LsOpClass *broken, guint at)
{
  guint delta, n = 0, n_checked = 0;
  LsPlan *plan = plan_with_gradient (klass, test, &delta);
  const gboolean loss = delta == LS_TENSOR_NONE;
  Differences s = { .n_forward = 1, .out = plan->ops[0].out[loss ? 1 : 0] };
  const gint64 count = ls_tensor_count (&plan->tensors[s.out]);
  g_autofree double *weight = g_new (double, count);
  LsLoops loops;

  if (broken != NULL)
    plan->ops[at].klass = broken;
  ls_loops_init (&loops, plan, TRUE);
  for (guint j = 0; j < klass->n_in; j++)
    ls_loops_fill (&loops, j, seed);
  for (gint64 i = 0; i < count; i++)
    {
      weight[i] = loss ? 1 / (double) count : 2 * ls_rng_uniform (seed, LS_STREAM_TEST, 99, (guint64) i) - 1;
      if (!loss)
        ls_loops_set (&loops, delta, i, weight[i]);
    }
  s.weight = weight;
  ls_loops_run (&loops, 0, plan->n_ops);
  for (guint i = 0; i < plan->n_params; i++)
    n += differences_mismatches (&loops, &s, plan->params[i].weight, plan->params[i].gradient, &n_checked);
  g_assert_cmpuint (n_checked, >, 0);
  ls_loops_clear (&loops);
  return n;
}

static void
test_op (gconstpointer data)
{
  const LsOpClass *klass = data;

  for (guint t = 0; t < klass->n_tests; t++)
    {
      const guint n = check_op (klass, &klass->tests[t], t, NULL, 0);
      if (n > 0)
        g_error ("the gradient of %s differs from finite differences in %u places, shapes %u", klass->name, n,
                 t);
    }
}

/* The forward ops must have a gradient; a new one without has to be listed. Gradients have none. */
static void
test_complete (void)
{
  static const char *const without[] = { "gather", "conv2d_dx", "conv2d_dw", "layernorm_dw",
                                         "mean",   "sgd",       "adam",      NULL };
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  for (guint i = 0; i < n; i++)
    g_assert_cmpint (classes[i]->gradient == NULL, ==,
                     g_str_has_suffix (classes[i]->name, "_grad")
                       || g_strv_contains (without, classes[i]->name));
}

/* ---- whole networks ---- */

static guint
check_network (const char *model, guint64 seed, gint break_op, const LsOpClass *broken)
{
  LsPlan *plan = ls_loops_plan (model, 2, 9, 8, 4, 3, LS_OPTIMIZER_SGD);
  const double one = 1;
  Differences s = { .n_forward = plan->first_op[LS_PHASE_BACKWARD], .out = plan->loss, .weight = &one };
  guint n = 0, n_checked = 0;
  LsLoops loops;

  if (break_op >= 0)
    plan->ops[break_op].klass = broken;
  ls_loops_init (&loops, plan, TRUE);
  for (guint i = 0; i < plan->n_params; i++)
    {
      const guint w = plan->params[i].weight;
      const gint64 count = ls_tensor_count (&plan->tensors[w]);
      g_autofree float *values = g_new (float, count);
      ls_plan_init_param (plan, i, seed, values);
      for (gint64 k = 0; k < count; k++)
        ls_loops_set (&loops, w, k, (double) values[k] + 0.01 * (double) (i % 2));
    }
  ls_loops_run (&loops, 0, plan->first_op[LS_PHASE_UPDATE]);
  for (guint i = 0; i < plan->n_params; i++)
    n += differences_mismatches (&loops, &s, plan->params[i].weight, plan->params[i].gradient, &n_checked);
  g_assert_cmpuint (n_checked, >, 50);
  ls_loops_clear (&loops);
  return n;
}

#define MLP "flatten, dense 7, tanh, dense 6, relu, dense 5, sigmoid, dense 4"
#define CNN                                                                                                  \
  "conv 3 3 pad 1, tanh, maxpool 3 stride 2, conv 4 3 stride 2 pad 1, relu, conv 3 1, sigmoid, maxpool 2, "  \
  "flatten, "                                                                                                \
  "dense 5, relu, dense 4"

#define RESIDUAL                                                                                             \
  "conv 3 3 pad 1, residual(relu, conv 3 3 pad 1, residual(tanh)), maxpool 3, flatten, residual(dense 18, "  \
  "sigmoid), residual(residual(relu)), dense 4"

#define LSTM "conv 2 3 pad 1, lstm 3 all, tanh, residual(lstm 3 all), lstm 4 columns, dense 4"

#define LAYERS                                                                                               \
  "conv 3 3 pad 1, tanh, layernorm, avgpool 2, conv 4 3, gelu, avgpool 2, flatten, layernorm, dropout 0.3, " \
  "dense 4"

static void
test_networks (void)
{
  for (guint64 seed = 1; seed <= 3; seed++)
    {
      g_assert_cmpuint (check_network (MLP, seed, -1, NULL), ==, 0);
      g_assert_cmpuint (check_network (CNN, seed, -1, NULL), ==, 0);
      g_assert_cmpuint (check_network ("relu, flatten, tanh, dense 4", seed, -1, NULL), ==, 0);
      g_assert_cmpuint (check_network (RESIDUAL, seed, -1, NULL), ==, 0);
      g_assert_cmpuint (check_network (LSTM, seed, -1, NULL), ==, 0);
      g_assert_cmpuint (check_network (LAYERS, seed, -1, NULL), ==, 0);
    }
}

/* ---- wrong on purpose ---- */

static void
one_percent_off (const LsOpCall *call)
{
  double *out = call->out[0];

  ls_op_class_find (call->op->klass->name)->ref_f64 (call);
  for (gint64 i = 0; i < ls_tensor_count (call->out_tensor[0]); i++)
    out[i] *= 1.01;
}

/* tanh's gradient with a slip: 1 − y for 1 − y². */
static void
no_square (const LsOpCall *call)
{
  const double *dy = call->in[0], *y = call->in[1];
  double *dx = call->out[0];

  for (gint64 i = 0; i < ls_tensor_count (call->out_tensor[0]); i++)
    dx[i] = dy[i] * (1 - y[i]);
}

/* Looks at the wrong neighbour: as a kernel whose padding is off by one. */
static void
shifted (const LsOpCall *call)
{
  double *out = call->out[0];
  const gint64 count = ls_tensor_count (call->out_tensor[0]);

  ls_op_class_find (call->op->klass->name)->ref_f64 (call);
  double first = out[0];
  memmove (out, out + 1, (gsize) (count - 1) * sizeof *out);
  out[count - 1] = first;
}

static void
nan_in_one (const LsOpCall *call)
{
  ls_op_class_find (call->op->klass->name)->ref_f64 (call);
  ((double *) call->out[0])[0] = NAN;
}

static void
test_catches_wrong (void)
{
  static const struct {
    const LsOpClass *forward;
    guint test, at; /* which of its shapes; which op of the plan is broken */
    void (*wrong) (const LsOpCall *call);
  } rows[] = {
    { &ls_op_matmul, 3, 1, one_percent_off },  { &ls_op_matmul, 3, 2, one_percent_off },
    { &ls_op_conv2d, 4, 1, shifted },          { &ls_op_conv2d, 4, 2, shifted },
    { &ls_op_bias, 5, 1, one_percent_off },    { &ls_op_tanh, 3, 1, no_square },
    { &ls_op_sigmoid, 3, 1, one_percent_off }, { &ls_op_relu, 3, 1, shifted },
    { &ls_op_maxpool2d, 5, 1, shifted },       { &ls_op_softmax_xent, 3, 1, one_percent_off },
    { &ls_op_relu, 3, 1, nan_in_one },         { &ls_op_sequence, 2, 1, shifted },
    { &ls_op_lstm, 1, 1, one_percent_off },    { &ls_op_planes, 2, 1, shifted },
    { &ls_op_avgpool2d, 3, 1, shifted },       { &ls_op_gelu, 3, 1, one_percent_off },
    { &ls_op_layernorm, 2, 1, shifted },       { &ls_op_layernorm, 2, 2, one_percent_off },
    { &ls_op_dropout, 2, 1, shifted },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      guint delta;
      g_autoptr (LsPlan) plan = plan_with_gradient (rows[r].forward, &rows[r].forward->tests[rows[r].test],
                                                    &delta);
      LsOpClass broken = *plan->ops[rows[r].at].klass;
      broken.ref_f64 = rows[r].wrong;
      g_assert_cmpuint (
        check_op (rows[r].forward, &rows[r].forward->tests[rows[r].test], 1, &broken, rows[r].at), >, 0);
    }

  /* In a network: every backward op broken in turn is found. */
  static const char *const models[] = { CNN, RESIDUAL, LAYERS };
  for (guint k = 0; k < G_N_ELEMENTS (models); k++)
    {
      g_autoptr (LsPlan) plan = ls_loops_plan (models[k], 2, 9, 8, 4, 3, LS_OPTIMIZER_SGD);
      for (guint i = plan->first_op[LS_PHASE_BACKWARD]; i < plan->first_op[LS_PHASE_UPDATE]; i++)
        {
          LsOpClass broken = *plan->ops[i].klass;
          broken.ref_f64 = one_percent_off;
          g_assert_cmpuint (check_network (models[k], 1, (gint) i, &broken), >, 0);
        }
    }
}

int
main (int argc, char **argv)
{
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    if (classes[i]->gradient != NULL)
      {
        g_autofree char *path = g_strconcat ("/gradient/", classes[i]->name, NULL);
        g_test_add_data_func (path, classes[i], test_op);
      }
  g_test_add_func ("/gradient/complete", test_complete);
  g_test_add_func ("/gradient/networks", test_networks);
  g_test_add_func ("/gradient/catches-wrong", test_catches_wrong);
  return g_test_run ();
}
