/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step compared op by op (train/lane/compare.c), on a lane whose ops go wrong as the test wishes: which
 * outputs are told, in which order, and each number of those that are out of bounds.
 */
#include <math.h>
#include <string.h>

#include "rig.h"

#define BATCH 16u
#define UNITS 8u
#define ALL   (BATCH * UNITS) /* values of the first layer's output */

/* What is added to the first layer's output, or takes its place, when its op runs by itself on the second
 * lane. */
static struct {
  const LsOp *op; /* NULL: nothing */
  guint number;
  gboolean instead;
  double values[ALL];
  double norm;   /* of what was right, as it was last */
  gpointer lane; /* the second one's instance */
} wrong;

static gboolean
wrong_run (gpointer lane, const LsRun *run, LsRunResult *result, GError **error)
{
  float values[ALL];

  wrong.lane = lane;
  if (!fake_backend.run (lane, run, result, error))
    return FALSE;
  if (wrong.op == NULL || run->n_ops != 1 || run->first_op != wrong.number)
    return TRUE;
  g_assert_true (fake_backend.read (lane, wrong.op->out[0], values, NULL));
  wrong.norm = 0;
  for (guint i = 0; i < ALL; i++)
    {
      wrong.norm = hypot (wrong.norm, (double) values[i]);
      values[i] = (float) (wrong.values[i] + (wrong.instead ? 0 : (double) values[i]));
    }
  return fake_backend.write (lane, wrong.op->out[0], values, error);
}

static LsOptions *
options_new (void)
{
  LsOptions *options = tiny_options ();

  g_free (options->model);
  options->model = g_strdup_printf ("flatten, dense %u, relu, dense 2", UNITS);
  options->batch = BATCH;
  memset (&wrong, 0, sizeof wrong);
  return options;
}

/* Some steps are trained, so that weights and states aren't those of the beginning; then the first layer's
 * output goes wrong. */
static LsCoordinator *
begin (LsOptions *options)
{
  static LsBackend backend;
  LsCoordinator *c;
  const LsPlan *plan;

  backend = fake_backend;
  backend.run = wrong_run;
  c = start (options, &backend);
  ls_coordinator_run (c, 3);
  ls_snapshot_unref (finish (c));
  plan = ls_coordinator_plan (c);
  while (strcmp (plan->ops[wrong.number].klass->name, "relu") != 0)
    wrong.number++;
  wrong.number--; /* what relu reads is the bias's output */
  wrong.op = &plan->ops[wrong.number];
  g_assert_cmpint (ls_tensor_count (&plan->tensors[wrong.op->out[0]]), ==, ALL);
  return c;
}

static GArray *
compare (LsCoordinator *c)
{
  g_autoptr (GError) error = NULL;
  GArray *all = ls_coordinator_compare (c, &error);

  g_assert_no_error (error);
  return all;
}

/* Of the second lane's op so many after the one that goes wrong. */
static const LsComparison *
told_of (const GArray *all, guint after)
{
  for (guint i = 0; i < all->len; i++)
    {
      const LsComparison *c = &g_array_index (all, LsComparison, i);
      if (c->lane == 1 && c->op == wrong.number + after)
        return c;
    }
  g_error ("nothing is told of op %u", wrong.number + after);
}

/* Every output of every op of every lane, in the plan's order; all of them are right, whatever is trained
 * with. */
static void
test_all (void)
{
  static const char *const precisions[] = { "fp32", "bf16", "fp16" }, *const optimizers[] = { "sgd", "adam" };

  for (guint k = 0; k < G_N_ELEMENTS (precisions) * G_N_ELEMENTS (optimizers); k++)
    {
      g_autoptr (LsOptions) options = options_new ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (GArray) all = NULL;
      const LsPlan *plan;
      guint n = 0;

      g_assert_true (ls_options_set (options, ls_options_find ("precision"), precisions[k / 2], NULL));
      g_assert_true (ls_options_set (options, ls_options_find ("optimizer"), optimizers[k % 2], NULL));
      c = begin (options);
      plan = ls_coordinator_plan (c);
      all = compare (c);
      for (guint lane = 0; lane < 2; lane++)
        for (guint op = 0; op < plan->n_ops; op++)
          for (guint j = 0; j < plan->ops[op].n_out; j++)
            {
              g_assert_cmpuint (n, <, all->len);
              const LsComparison *told = &g_array_index (all, LsComparison, n++);
              if (told->lane != lane || told->op != op || told->tensor != plan->ops[op].out[j])
                g_error (
                  "tensor %u of op %u of lane %u is told where tensor %u of op %u of lane %u should be",
                  told->tensor, told->op, told->lane, plan->ops[op].out[j], op, lane);
              if (told->verdict == LS_VERDICT_DIFFER)
                g_error ("in %s “%s” of lane %u is said to differ: %g, not %g", precisions[k / 2],
                         plan->tensors[told->tensor].name, lane, told->value, told->expected);
              if (!(told->delta == fabs (told->value - told->expected)) || !(told->delta <= told->tolerance))
                g_error ("“%s” is %g, should be %g, and is said to be %g out",
                         plan->tensors[told->tensor].name, told->value, told->expected, told->delta);
            }
      g_assert_cmpuint (n, ==, all->len);
    }
}

/* Two elements are wrong: the worse one is told, how far it is out there, and how much of the whole both are.
 * What follows is right for what it was given. */
static void
test_numbers (void)
{
  g_autoptr (LsOptions) options = options_new ();
  g_autoptr (LsCoordinator) c = begin (options);
  g_autoptr (GArray) all = NULL;
  const LsComparison *told;

  wrong.values[11] = 60;
  wrong.values[70] = -80;
  all = compare (c);
  told = told_of (all, 0);
  g_assert_cmpint (told->verdict, ==, LS_VERDICT_DIFFER);
  g_assert_cmpint (told->worst, ==, 70);
  g_assert_cmpfloat_with_epsilon (told->value - told->expected, -80, 1e-4);
  if (told->delta != told->expected - told->value)
    g_error ("%g instead of %g is said to be %g out", told->value, told->expected, told->delta);
  g_assert_cmpfloat (told->tolerance, >, 0);
  g_assert_cmpfloat (told->tolerance, <, 1e-3);
  if (fabs (told->relative * wrong.norm - 100) > 1e-3)
    g_error ("60 and −80 of what is %g long are said to be %g of it", wrong.norm, told->relative);
  g_assert_cmpfloat (told->zeros, ==, 0);
  g_assert_true (ls_compare_first (all) == told);
  for (guint i = 0; i < all->len; i++)
    if (&g_array_index (all, LsComparison, i) != told
        && g_array_index (all, LsComparison, i).verdict == LS_VERDICT_DIFFER)
      g_error ("op %u is blamed for what op %u did", g_array_index (all, LsComparison, i).op, told->op);
}

/* What is no number, or infinite, is out by more than any number. */
static void
test_no_numbers (void)
{
  static const double values[] = { (double) NAN, (double) INFINITY, -(double) INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (LsOptions) options = options_new ();
      g_autoptr (LsCoordinator) c = begin (options);
      g_autoptr (GArray) all = NULL;
      const LsComparison *told;

      wrong.values[11] = 60;
      wrong.values[70] = values[i];
      wrong.values[100] = 1e30;
      wrong.values[110] = values[i];
      all = compare (c);
      told = told_of (all, 0);
      g_assert_cmpint (told->verdict, ==, LS_VERDICT_DIFFER);
      if (told->worst != 70)
        g_error ("element %d is told, not the first that is %g", (gint) told->worst, values[i]);
      g_assert_true (isnan (values[i]) ? isnan (told->value) : told->value == values[i]);
      g_assert_true (isfinite (told->expected));
      g_assert_true (isnan (values[i]) ? isnan (told->delta) : told->delta == (double) INFINITY);
    }
}

/* An output of zeros says little of whoever computed it: from a twentieth of others on it is believed. */
static void
test_zeros (void)
{
  static const guint zeros[] = { 0, 1, 64, 121, 122, ALL };

  for (guint i = 0; i < G_N_ELEMENTS (zeros); i++)
    {
      g_autoptr (LsOptions) options = options_new ();
      g_autoptr (LsCoordinator) c = begin (options);
      g_autoptr (GArray) all = NULL;
      const LsComparison *relu;

      wrong.instead = TRUE; /* what relu reads */
      for (guint j = 0; j < ALL; j++)
        wrong.values[j] = j < zeros[i] ? -1 : 1;
      all = compare (c);
      relu = told_of (all, 1);
      if (relu->zeros != (double) zeros[i] / ALL)
        g_error ("%u zeros of %u are said to be a share of %g", zeros[i], ALL, relu->zeros);
      if (relu->verdict != (zeros[i] * 20 > 19 * ALL ? LS_VERDICT_CANNOT_TELL : LS_VERDICT_AGREE))
        g_error ("of an output with %u zeros of %u it is said: %s", zeros[i], ALL,
                 ls_verdict_name (relu->verdict));
      g_assert_cmpint (relu->worst, ==, 0); /* none is worse */
      g_assert_cmpfloat (relu->delta, ==, 0);
      g_assert_cmpfloat (relu->relative, ==, 0);
    }
}

/* A lane that makes zeros of what isn't zero is wrong: the share is that of what should be. */
static void
test_wrong_zeros (void)
{
  g_autoptr (LsOptions) options = options_new ();
  g_autoptr (LsCoordinator) c = begin (options);
  g_autoptr (GArray) all = NULL;
  const LsComparison *told;

  wrong.instead = TRUE; /* by zeros */
  all = compare (c);
  told = told_of (all, 0);
  g_assert_cmpint (told->verdict, ==, LS_VERDICT_DIFFER);
  if (told->zeros > 0)
    g_error ("of what should be no zeros %g are said to be some", told->zeros);
}

/* The step that is compared is the one that would come next: what the updates make of the weights in it is
 * what training then makes of them, however large the loss's scale is. */
static void
test_next_step (void)
{
  static const char *const precisions[] = { "fp32", "fp16" }, *const optimizers[] = { "sgd", "adam" };

  for (guint k = 0; k < G_N_ELEMENTS (precisions) * G_N_ELEMENTS (optimizers); k++)
    {
      g_autoptr (LsOptions) options = options_new ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (GArray) all = NULL;
      const LsPlan *plan;
      guint updates = 0;

      g_assert_true (ls_options_set (options, ls_options_find ("precision"), precisions[k / 2], NULL));
      g_assert_true (ls_options_set (options, ls_options_find ("optimizer"), optimizers[k % 2], NULL));
      c = begin (options);
      plan = ls_coordinator_plan (c);
      all = compare (c);
      ls_coordinator_run (c, 4);
      ls_snapshot_unref (finish (c));
      for (guint i = 0; i < all->len; i++)
        {
          const LsComparison *told = &g_array_index (all, LsComparison, i);
          float values[2 * UNITS];
          gboolean weight = FALSE;

          if (strcmp (plan->ops[told->op].klass->name, "softmax_xent_grad") == 0
              && (fabs (told->expected) > 1) != (k / 2 == 1)) /* a share of a batch, but for the scale */
            g_error ("the loss’s gradient is told to be %g in %s", told->expected, precisions[k / 2]);
          for (guint p = 0; p < plan->n_params; p++)
            weight |= plan->params[p].weight == told->tensor;
          if (told->lane != 1 || !weight)
            continue;
          g_assert_true (fake_backend.read (wrong.lane, told->tensor, values, NULL));
          if (fabs ((double) values[told->worst] - told->value) > 1e-6)
            g_error ("in %s by %s “%s” became %g in the next step, where a comparison says %g",
                     precisions[k / 2], optimizers[k % 2], plan->tensors[told->tensor].name,
                     (double) values[told->worst], told->value);
          updates++;
        }
      g_assert_cmpuint (updates, ==, 4);
    }
}

/* Training goes on as if nothing had been compared. */
static void
test_put_back (void)
{
  double losses[2];

  for (guint compared = 0; compared < 2; compared++)
    {
      g_autoptr (LsOptions) options = options_new ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("optimizer"), "adam", NULL));
      c = begin (options);
      wrong.values[11] = 60;
      if (compared)
        g_array_unref (compare (c));
      ls_coordinator_run (c, 5);
      s = finish (c);
      g_assert_cmpuint (s->lanes[1].steps, ==, 5);
      losses[compared] = (double) ls_curve_get (s->lanes[1].curve, 4).loss;
    }
  if (losses[0] != losses[1])
    g_error ("the fifth step’s loss is %g; after a comparison it is %g", losses[0], losses[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/compared/all", test_all);
  g_test_add_func ("/train/compared/numbers", test_numbers);
  g_test_add_func ("/train/compared/no-numbers", test_no_numbers);
  g_test_add_func ("/train/compared/zeros", test_zeros);
  g_test_add_func ("/train/compared/wrong-zeros", test_wrong_zeros);
  g_test_add_func ("/train/compared/next-step", test_next_step);
  g_test_add_func ("/train/compared/put-back", test_put_back);
  return g_test_run ();
}
