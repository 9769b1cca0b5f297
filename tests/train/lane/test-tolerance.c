/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bounds that decide between "agree" and "differ": wide enough for the float reference and for sums in
 * plain float, in any order; tight enough that one element that is wrong by 1e-4 of the terms it sums is
 * found, in every op and shape.
 */
#include <math.h>
#include <string.h>

#include "loops.h"
#include "ops/tolerance.h"
#include "train/coordinator.h"
#include "worked_bounds.h"

typedef struct {
  LsPlan *plan;
  LsLoops before, f, d; /* inputs in double; after the float and the double reference */
  LsOpCall call;        /* the double one, its inputs from before */
} Rig;

/* positive: all inputs are, so that nothing cancels and a sum is as large as its terms together. */
static void
rig_init (Rig *rig, const LsOpClass *klass, guint test, gboolean positive)
{
  g_autoptr (GError) error = NULL;

  rig->plan = ls_plan_new_single (klass, &klass->tests[test], &error);
  g_assert_no_error (error);
  ls_loops_init (&rig->f, rig->plan, FALSE);
  ls_loops_init (&rig->d, ls_plan_ref (rig->plan), TRUE);
  ls_loops_init (&rig->before, ls_plan_ref (rig->plan), TRUE);
  ls_loops_fill_inputs (&rig->f, test);
  for (guint j = 0; j < klass->n_in; j++)
    for (gint64 i = 0; i < ls_tensor_count (&rig->plan->tensors[j]); i++)
      {
        double x = ls_loops_get (&rig->f, j, i);
        x = positive ? fabs (x) : x;
        ls_loops_set (&rig->f, j, i, x);
        ls_loops_set (&rig->d, j, i, x);
        ls_loops_set (&rig->before, j, i, x);
      }
  ls_loops_run (&rig->f, 0, 1);
  ls_loops_run (&rig->d, 0, 1);
  ls_plan_call (rig->plan, &rig->d.arena, 0, &rig->call);
  for (guint j = 0; j < klass->n_in; j++)
    rig->call.in[j] = ls_arena_at (&rig->before.arena, &rig->plan->tensors[rig->plan->ops[0].in[j]]);
  rig->call.hyper = &rig->d.hyper;
  rig->call.batch = &rig->d.batch;
}

static void
rig_clear (Rig *rig)
{
  ls_loops_clear (&rig->f);
  ls_loops_clear (&rig->d);
  ls_loops_clear (&rig->before);
}

static double *
tolerance_of (const Rig *rig, guint out)
{
  double *tolerance = g_new (double, ls_tensor_count (rig->call.out_tensor[out]) + 1);

  g_assert_true (ls_op_tolerance (&rig->call, out, tolerance));
  for (gint64 i = 0; i < ls_tensor_count (rig->call.out_tensor[out]); i++)
    g_assert_true (isfinite (tolerance[i]) && tolerance[i] >= 0);
  return tolerance;
}

/* How many tolerances the float reference is away where it is furthest, and an element that is wrong by 1e-4
 * where that shows least and most. */
static void
measure (const Rig *rig, guint out, double *reference, double *least, double *most)
{
  const guint tensor = rig->plan->ops[0].out[out];
  const LsTensor *of = &rig->plan->tensors[tensor];
  g_autofree double *tolerance = tolerance_of (rig, out);

  *reference = *most = 0;
  *least = HUGE_VAL;
  for (gint64 i = 0; i < ls_tensor_count (of); i++)
    {
      double y = ls_loops_get (&rig->d, tensor, i), value = ls_loops_get (&rig->f, tensor, i);
      double far = ls_compare_how_far (of->dtype == LS_I32 ? y + 1 : y * (1 + 1e-4), y, tolerance[i]);
      *reference = MAX (*reference, ls_compare_how_far (value, y, tolerance[i]));
      *most = MAX (*most, far);
      if (y != 0)
        *least = MIN (*least, far);
    }
}

/* Ops of which no output can cancel if all inputs are positive: each single element that is wrong must be
 * found. Of the others (differences of what comes in), one at least. */
static gboolean
never_cancels (const LsOpClass *klass)
{
  static const char *const cancels[] = { "softmax_xent", "tanh_grad",      "sgd",
                                         "adam",         "lstm",           "lstm_grad",
                                         "layernorm",    "layernorm_grad", "layernorm_dw" };

  for (gsize i = 0; i < G_N_ELEMENTS (cancels); i++)
    if (strcmp (klass->name, cancels[i]) == 0)
      return FALSE;
  return TRUE;
}

static void
test_bounds (gconstpointer data)
{
  const LsOpClass *klass = data;

  for (guint t = 0; t < klass->n_tests; t++)
    for (guint positive = 0; positive < 2; positive++)
      {
        Rig rig;

        rig_init (&rig, klass, t, (gboolean) positive);
        for (guint out = 0; out < klass->n_out; out++)
          {
            double reference, least, most;

            measure (&rig, out, &reference, &least, &most);
            g_test_message (
              "%s, shape %u, output %u, %s: float within %.2g of the bound, 1e-4 is %.3g to %.3g of it",
              klass->name, t, out, positive ? "positive" : "any sign", reference, least, most);
            g_assert_cmpfloat (reference, <=, 1);
            if (positive && most > 0) /* the loss of a single class is 0 */
              g_assert_cmpfloat (never_cancels (klass) ? least : most, >, 1);
          }
        rig_clear (&rig);
      }
}

/* As a backend adds up that has only floats: forwards, and in four parts. */
static void
float_product (const LsOpCall *call, const LsLoops *f, gint64 i, gint64 j, float sums[2])
{
  const LsOpAttr *a = &call->op->attr;
  float parts[4] = { 0 };

  sums[0] = 0;
  for (gint64 p = 0; p < a->k; p++)
    {
      float x = (float) ls_loops_get (f, 0, a->ta ? p * a->m + i : i * a->k + p);
      float y = (float) ls_loops_get (f, 1, a->tb ? j * a->k + p : p * a->n + j);
      float product = x * y;
      sums[0] += product;
      parts[p % 4] += product;
    }
  sums[1] = (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

/* Random signs, and all of one sign: then rounding errors grow most. */
static void
test_float_sums (void)
{
  static const gint64 ks[] = { 1, 2, 17, 784, 5000 };

  for (gsize k = 0; k < G_N_ELEMENTS (ks); k++)
    for (guint positive = 0; positive < 2; positive++)
      {
        const LsOpTest test = { .in = { { 7, ks[k] }, { 9, ks[k] } }, .attr = { .tb = TRUE } };
        LsOpClass klass = ls_op_matmul;
        g_autofree double *tolerance = NULL;
        double worst = 0;
        Rig rig;

        klass.tests = &test;
        klass.n_tests = 1;
        rig_init (&rig, &klass, 0, (gboolean) positive);
        tolerance = tolerance_of (&rig, 0);
        for (gint64 i = 0; i < 63; i++)
          {
            float sums[2];
            float_product (&rig.call, &rig.f, i / 9, i % 9, sums);
            for (guint s = 0; s < 2; s++)
              worst = MAX (worst,
                           ls_compare_how_far ((double) sums[s], ls_loops_get (&rig.d, 2, i), tolerance[i]));
          }
        g_test_message ("K = %" G_GINT64_FORMAT ", %s: %.2g of the bound", ks[k],
                        positive ? "one sign" : "random signs", worst);
        g_assert_cmpfloat (worst, <=, 1);
        rig_clear (&rig);
      }
}

/* Sums of few terms have the bound of few terms: where windows don't overlap, a pooling's gradient is a copy;
 * a stride thins out what a convolution's gradient sums. */
static void
test_counts_of_terms (void)
{
  const LsOpTest copy = { .in = { { 1, 1, 2, 2 }, { 1, 1, 2, 2 }, { 1, 1, 4, 4 } },
                          .attr = { .kernel = 2, .stride = 2 } };
  const LsOpTest one = { .in = { { 1, 1, 2, 2 }, { 1, 1, 3, 3 }, { 1, 1, 6, 6 } },
                         .attr = { .kernel = 3, .stride = 3 } };
  g_autofree double *exact = NULL, *product = NULL;
  LsOpClass klass = ls_op_maxpool2d_grad;
  Rig rig;

  klass.tests = &copy;
  rig_init (&rig, &klass, 0, FALSE);
  rig.call.op = &(
    LsOp){ .klass = &ls_op_maxpool2d_grad, .attr = rig.plan->ops[0].attr, .n_in = 3, .n_out = 1 };
  exact = tolerance_of (&rig, 0);
  for (gint64 i = 0; i < 16; i++)
    g_assert_true (exact[i] == 0);
  rig_clear (&rig);

  klass = ls_op_conv2d_dx;
  klass.tests = &one;
  rig_init (&rig, &klass, 0, FALSE);
  rig.call.op = &(LsOp){ .klass = &ls_op_conv2d_dx, .attr = rig.plan->ops[0].attr, .n_in = 3, .n_out = 1 };
  product = tolerance_of (&rig, 0);
  for (gint64 i = 0; i < 36; i++)
    g_assert_cmpfloat (product[i], <=, 4.001 * 0x1p-23 * fabs (ls_loops_get (&rig.d, 3, i)) + 0x1p-120);
  rig_clear (&rig);
}

/* Of a product of k terms, all of one sign, each output's bound is 4 √k roundings of it; a bias's gradient
 * has as many terms as there are rows and pixels. */
static void
test_products (void)
{
  static const LsOpClass *const classes[] = { &ls_op_matmul, &ls_op_conv2d, &ls_op_conv2d_dw,
                                              &ls_op_bias_grad };

  for (gsize c = 0; c < G_N_ELEMENTS (classes); c++)
    for (guint t = 0; t < classes[c]->n_tests; t++)
      {
        Rig rig;

        rig_init (&rig, classes[c], t, TRUE);
        const LsOpAttr *a = &rig.plan->ops[0].attr;
        const LsTensor *in = &rig.plan->tensors[rig.plan->ops[0].in[0]],
                       *out = &rig.plan->tensors[rig.plan->ops[0].out[0]];
        const gint64 terms = c < 3 ? a->k : ls_tensor_count (in) / ls_tensor_count (out);
        g_autofree double *tolerance = tolerance_of (&rig, 0);
        for (gint64 i = 0; i < ls_tensor_count (out); i++)
          {
            const double y = ls_loops_get (&rig.d, rig.plan->ops[0].out[0], i),
                         bound = 4 * sqrt ((double) terms) * LS_FLOAT_EPSILON * y;
            if (fabs (tolerance[i] - bound) > 1e-9 * bound + 0x1p-120)
              g_error ("%s, shape %u: of %g, a sum of %d terms, the bound is %g, not %g", classes[c]->name, t,
                       y, (gint) terms, tolerance[i], bound);
          }
        rig_clear (&rig);
      }
}

/* A weight of 0 moves by η·G, and what is wrong by 1e-4 of that is found, however slowly it learns. */
static void
test_sgd_rates (void)
{
  static const double rates[] = { 1, 1e-2, 1e-6 };

  for (gsize r = 0; r < G_N_ELEMENTS (rates); r++)
    {
      g_autofree double *tolerance = NULL;
      Rig rig;

      rig_init (&rig, &ls_op_sgd, 0, FALSE);
      rig.d.hyper.lr = rates[r];
      for (gint64 i = 0; i < ls_tensor_count (rig.call.out_tensor[0]); i++)
        for (guint j = 0; j < 3; j++)
          ls_loops_set (&rig.before, j, i, j == 1);
      tolerance = tolerance_of (&rig, 0);
      for (gint64 i = 0; i < ls_tensor_count (rig.call.out_tensor[0]); i++)
        g_assert_cmpfloat (ls_compare_how_far (-rates[r] * (1 + 1e-4), -rates[r], tolerance[i]), >, 1);
      rig_clear (&rig);
    }
}

static void
test_how_far (void)
{
  static const struct {
    double value, expected, tolerance, far;
  } rows[] = {
    { 1, 1, 0, 0 },
    { 1.5, 1, 0.25, 2 },
    { 0.5, 1, 0.25, 2 },
    { 1, 0, 0, HUGE_VAL },
    { NAN, NAN, 1, 0 },
    { NAN, 1, 1, HUGE_VAL },
    { 1, NAN, 1, HUGE_VAL },
    { INFINITY, INFINITY, NAN, 0 },
    { INFINITY, -INFINITY, INFINITY, HUGE_VAL },
    { 5, INFINITY, INFINITY, HUGE_VAL },
    { INFINITY, 5, INFINITY, HUGE_VAL },
    { INFINITY, 1e39, 1e32, 0 }, /* too large for a float */
    { -INFINITY, 1e39, 1e32, HUGE_VAL },
    { 1, 2, NAN, HUGE_VAL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_true (ls_compare_how_far (rows[i].value, rows[i].expected, rows[i].tolerance) == rows[i].far);
}

/* Of outputs that differ the first op's is told, in the plan's order, and of one op the one furthest out. */
static void
test_first_that_differs (void)
{
  static const LsComparison told[] = {
    { .op = 4, .verdict = LS_VERDICT_AGREE, .value = 1, .expected = 1, .tolerance = 1 },
    { .op = 9, .verdict = LS_VERDICT_DIFFER, .value = 90, .expected = 1, .tolerance = 1 },
    { .op = 7, .tensor = 1, .verdict = LS_VERDICT_DIFFER, .value = 3, .expected = 1, .tolerance = 1 },
    { .op = 7, .tensor = 2, .verdict = LS_VERDICT_DIFFER, .value = 5, .expected = 1, .tolerance = 1 },
    { .op = 7, .tensor = 3, .verdict = LS_VERDICT_DIFFER, .value = 4, .expected = 1, .tolerance = 1 },
    { .op = 8, .verdict = LS_VERDICT_DIFFER, .value = 70, .expected = 1, .tolerance = 1 },
  };
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LsComparison));
  const LsComparison *first;

  g_assert_null (ls_compare_first (all));
  g_array_append_vals (all, told, G_N_ELEMENTS (told));
  first = ls_compare_first (all);
  g_assert_cmpuint (first->op, ==, 7);
  g_assert_cmpuint (first->tensor, ==, 2);
  /* of two that are as far out the first is told */
  const LsComparison as_far
    = { .op = 7, .tensor = 4, .verdict = LS_VERDICT_DIFFER, .value = 5, .expected = 1, .tolerance = 1 };
  g_array_append_val (all, as_far);
  first = ls_compare_first (all);
  if (first->tensor != 2)
    g_error ("tensors 2 and 4 are as far out, and not the first one is told but %u", first->tensor);
}

int
main (int argc, char **argv)
{
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/tolerance/bounds/", classes[i]->name, NULL);
      g_test_add_data_func (path, classes[i], test_bounds);
    }
  g_test_add_func ("/tolerance/float-sums", test_float_sums);
  g_test_add_func ("/tolerance/counts-of-terms", test_counts_of_terms);
  g_test_add_func ("/tolerance/products", test_products);
  g_test_add_func ("/tolerance/sgd-rates", test_sgd_rates);
  g_test_add_func ("/tolerance/how-far", test_how_far);
  g_test_add_func ("/tolerance/first-that-differs", test_first_that_differs);
  ls_add_worked_bounds ();
  return g_test_run ();
}
