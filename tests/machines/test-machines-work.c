/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step is to the models of machines: its work, what of it caches still hold, and what of their tiles
 * is padding.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/model.h"
#include "machines/reuse.h"
#include "machines/work.h"
#include "tests/machines/plan-rig.h"

static const char *const presets[] = { "mlp", "cnn", "lstm", "flatten, dense 10" };

/* ---- the work ---- */

/* What a product hands to its bias and activation is never in memory; an update goes with its gradient. */
static void
test_work (void)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 20, relu, dense 10", 7);
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
  g_autoptr (GArray) answers = ls_machine_work (plan, TRUE);
  const LsMachineWork *first = &g_array_index (works, LsMachineWork, 1), *last = NULL;
  double product = 0, others = 0;

  g_assert_cmpstr (first->head->symbol, ==, "Z₁");
  g_assert_cmpfloat (first->product, ==, 2. * 7 * 20 * 784);
  g_assert_cmpfloat (first->others, ==, 2. * 7 * 20); /* bias, relu */
  g_assert_cmpfloat (first->read, ==, 4. * (7 * 784 + 784 * 20 + 20));
  g_assert_cmpfloat (first->written, ==, 4. * 7 * 20);
  g_assert_cmpfloat (first->weights, ==, 4. * (784 * 20 + 20));
  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
      product += work->product;
      others += work->others;
      if (strcmp (work->head->symbol, "dW₁") == 0)
        last = work;
    }
  g_assert_cmpfloat (product + others, ==, (double) plan->flops);
  g_assert (last != NULL);
  /* X, dZ₁, weight, momentum, and the gradient, which the update reads where it is made */
  g_assert_cmpfloat (last->read, ==, 4. * (7 * 784 + 7 * 20 + 2 * 784 * 20));
  g_assert_cmpuint (answers->len, ==, 2);
}

/* An op that is told no more than the shape of a tensor doesn't read it. */
static void
test_shapes_alone (void)
{
  static const struct {
    const char *op;
    double read; /* floats, or their places in a window */
  } rows[] = {
    { "maxpool2d_grad", 2 * 4 * 2 * 13 * 13 },        /* the gradient, and where its largest were */
    { "avgpool2d_grad", 4 * 3 * 5 * 5 },              /* the gradient */
    { "conv2d_dx", 4 * 3 * 11 * 11 + 3 * 2 * 3 * 3 }, /* the gradient, and the kernels */
  };
  g_autoptr (LsPlan) plan = plan_of ("conv 2 3, maxpool 2, conv 3 3, avgpool 2, flatten, dense 10", 4);
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      guint n = 0;

      for (guint i = 0; i < works->len; i++)
        {
          const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);

          if (strcmp (work->head->klass->name, rows[r].op) != 0)
            continue;
          n++;
          if (work->read != 4 * rows[r].read)
            g_error ("%s of %s reads %g bytes, not %g", rows[r].op, work->head->symbol, work->read,
                     4 * rows[r].read);
        }
      if (n != 1)
        g_error ("there are %u of %s", n, rows[r].op);
    }
}

/* Which matrix of a product its weights are: of a convolution, whose kernels are multiplied by windows, the
 * first one both ways, of a layer of numbers the second one; a gradient of weights has none. */
static void
test_sides (void)
{
  static const struct {
    const char *symbol, *a, *b; /* of the product C = A·B */
    LsWeightsIn weights;
  } rows[] = {
    { "C₁", "K₁", "X", LS_WEIGHTS_A },          { "C₂", "K₂", "H₁", LS_WEIGHTS_A },
    { "Z₃", "H₂", "W₃", LS_WEIGHTS_B },         { "dH₂", "dZ₃", "W₃", LS_WEIGHTS_B },
    { "dW₃", "dZ₃", "H₂", LS_WEIGHTS_NEITHER }, { "dH₁", "K₂", "dC₂", LS_WEIGHTS_A },
    { "dK₂", "dC₂", "H₁", LS_WEIGHTS_NEITHER }, { "dK₁", "dC₁", "X", LS_WEIGHTS_NEITHER },
  };
  g_autoptr (LsPlan) plan = plan_of ("conv 2 3, relu, conv 3 3, relu, flatten, dense 10", 4);
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
  guint n = 0;

  for (guint i = 0; i < works->len; i++)
    {
      const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);

      if (work->k == 0)
        {
          if (work->a != LS_TENSOR_NONE || work->b != LS_TENSOR_NONE
              || work->weights_in != LS_WEIGHTS_NEITHER)
            g_error ("%s is no product, and has sides", work->head->symbol);
          continue;
        }
      g_assert_cmpuint (n, <, G_N_ELEMENTS (rows));
      g_assert_cmpstr (work->head->symbol, ==, rows[n].symbol);
      g_assert_cmpstr (plan->tensors[work->a].symbol, ==, rows[n].a);
      g_assert_cmpstr (plan->tensors[work->b].symbol, ==, rows[n].b);
      if (work->weights_in != rows[n].weights)
        g_error ("the weights of %s = %s·%s are in %s", rows[n].symbol, rows[n].a, rows[n].b,
                 work->weights_in == LS_WEIGHTS_A   ? "the first one"
                 : work->weights_in == LS_WEIGHTS_B ? "the second one"
                                                    : "neither");
      n++;
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (rows));
}

typedef struct {
  const LsPlan *plan;
  GArray *tensors; /* guint: as they are touched */
} Touched;

static void
touched (guint tensor, gboolean read, gboolean written, gpointer data)
{
  g_array_append_val (((Touched *) data)->tensors, tensor);
}

static double
size_of (const LsPlan *plan, guint tensor)
{
  return (double) ls_tensor_bytes (&plan->tensors[tensor]);
}

static guint
base_of (const LsPlan *plan, guint tensor)
{
  return plan->tensors[tensor].is_view ? plan->tensors[tensor].base : tensor;
}

/* From each touch back to the one before, every other tensor between counted once, and between two steps
 * (`begin` is the later one's first touch) what other lanes touch. */
static double
distance (const LsPlan *plan, const GArray *tensors, guint at, guint begin, double others)
{
  const guint self = base_of (plan, g_array_index (tensors, guint, at));
  g_autofree gboolean *seen = g_new0 (gboolean, plan->n_tensors);
  double bytes = size_of (plan, self);

  seen[self] = TRUE;
  for (guint i = at; i-- > 0;)
    {
      const guint other = base_of (plan, g_array_index (tensors, guint, i));
      if (i + 1 == begin)
        bytes += others;
      if (other == self)
        return bytes;
      if (!seen[other])
        bytes += size_of (plan, other);
      seen[other] = TRUE;
    }
  return INFINITY;
}

static void
check_reuse (guint turns)
{
  for (gsize p = 0; p < G_N_ELEMENTS (presets); p++)
    {
      g_autoptr (LsPlan) plan = plan_of (presets[p], 16);
      const double sizes[] = { 1e5, 1e6 };
      g_autofree double *passed = g_new0 (double, plan->n_ops);
      g_autofree double *reuse = ls_machine_reuse (plan, sizes, 2, turns, passed);
      g_autofree guint *leader = g_new (guint, plan->n_ops);
      g_autoptr (GArray) tensors = g_array_new (FALSE, FALSE, sizeof (guint));
      Touched list = { plan, tensors };
      guint at = 0, begin;
      double all = 0; /* bytes of what a step touches */

      ls_machine_work_leaders (plan, leader);
      for (guint pass = 0; pass < 2; pass++)
        {
          at = tensors->len;
          for (guint i = 0; i < plan->n_ops; i++)
            if (leader[i] == i)
              ls_machine_work_visit (plan, leader, i, touched, &list);
        }
      begin = at;
      for (guint tensor = 0; tensor < plan->n_tensors; tensor++)
        for (guint i = 0; i < begin; i++)
          if (base_of (plan, g_array_index (tensors, guint, i)) == tensor)
            {
              all += size_of (plan, tensor);
              break;
            }
      for (guint i = 0; i < plan->n_ops; i++)
        {
          double wanted[3] = { 0 }, handed = 0;
          g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (guint));
          Touched of = { plan, own };

          if (leader[i] != i)
            continue;
          ls_machine_work_visit (plan, leader, i, touched, &of);
          for (guint j = 0; j < own->len; j++, at++)
            {
              const guint tensor = g_array_index (tensors, guint, at);
              const LsRole role = plan->tensors[tensor].role;
              const double far = distance (plan, tensors, at, begin, (turns - 1) * all);
              /* a worker keeps what it moves of a parameter */
              if (far <= sizes[0] && role != LS_ROLE_WEIGHT && role != LS_ROLE_GRADIENT
                  && role != LS_ROLE_STATE)
                handed += size_of (plan, tensor);
              wanted[far <= sizes[0] ? 0 : far <= sizes[1] ? 1 : 2] += size_of (plan, tensor);
            }
          if (fabs (passed[i] - handed) > .5)
            g_error ("%s: workers pass each other %.0f bytes for %s, not %.0f", presets[p], handed,
                     plan->ops[i].symbol, passed[i]);
          for (guint level = 0; level < 3; level++)
            if (fabs (reuse[i * 3 + level] - wanted[level]) > .5)
              g_error ("%s: %s takes %.0f bytes from level %u, not %.0f", presets[p], plan->ops[i].symbol,
                       wanted[level], level, reuse[i * 3 + level]);
        }
    }
}

/* Alone, and with two other lanes' turns between two steps. */
static void
test_reuse (void)
{
  check_reuse (1);
  check_reuse (3);
}

/* ---- what of it is padding ---- */

/* Of a product as much of the tiles is useful as isn't padding, whatever its shape; of other ops nothing is
 * said.
 */
static void
test_tensor_useful (void)
{
  static const struct {
    const char *assumptions;
    gint64 m, n, k; /* of a tile */
  } rows[] = { { "tile-m=16,tile-n=16,tile-k=16", 16, 16, 16 },
               { "tile-m=4,tile-n=8,tile-k=64", 4, 8, 64 },
               { "tile-m=64,tile-n=3,tile-k=5", 64, 3, 5 },
               { "tile-m=1,tile-n=1,tile-k=1", 1, 1, 1 } };
  const gint64 shape[3] = { 1, 28, 28 };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 37, relu, dense 10", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, shape, 10, 65, LS_OPTIMIZER_SGD, NULL);
  g_autoptr (GArray) works = ls_machine_work (plan, FALSE);

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      LsAssumed assumed;
      guint products = 0;

      ls_machine_assume (&ls_machine_tensor, &assumed);
      if (!ls_machine_say (&ls_machine_tensor, rows[r].assumptions, &assumed, NULL))
        g_error ("“%s” can’t be assumed", rows[r].assumptions);
      g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_tensor, plan, &assumed);
      g_assert_cmpuint (run->ops->len, ==, works->len);
      for (guint i = 0; i < works->len; i++)
        {
          const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
          const double useful = g_array_index (run->ops, LsMachineOp, i).useful;
          const gint64 m = (work->m + rows[r].m - 1) / rows[r].m * rows[r].m,
                       n = (work->n + rows[r].n - 1) / rows[r].n * rows[r].n,
                       k = (work->k + rows[r].k - 1) / rows[r].k * rows[r].k;

          if (work->k == 0 && !isnan (useful))
            g_error ("%s: of %s, which is no product, %g is useful", rows[r].assumptions,
                     plan->ops[work->op].symbol, useful);
          if (work->k == 0)
            continue;
          const double by_hand = (double) (work->m * work->n * work->k) / (double) (m * n * k);
          if (fabs (useful - by_hand) > 1e-12)
            g_error ("%s: of %s, %dx%dx%d, %.4f is useful, by hand %.4f", rows[r].assumptions,
                     plan->ops[work->op].symbol, (gint) work->m, (gint) work->n, (gint) work->k, useful,
                     by_hand);
          products++;
        }
      g_assert_cmpuint (products, ==, 5);
    }
}

/* The share of a run's peak is the mean over all its time, in which what computes nothing is idle; what is
 * about no computing at all has none. */
static void
test_used (void)
{
  const double nan = (double) NAN;
  const struct {
    guint n;
    double seconds[3], used[3], share;
  } rows[] = {
    { 1, { 2 }, { .25 }, .25 },
    { 2, { 1, 3 }, { .5, .1 }, .2 },
    { 3, { 1, 2, 1 }, { .5, nan, .5 }, .25 },
    { 3, { 2, 1, 1 }, { nan, .5, .25 }, .1875 },
    { 2, { 1, 3 }, { 0, nan }, 0 },
    { 2, { 1, 3 }, { nan, nan }, nan },
    { 1, { 0 }, { .5 }, nan },
    { 0, { 0 }, { 0 }, nan },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (GArray) ops = g_array_new (FALSE, FALSE, sizeof (LsMachineOp));
      LsMachineRun run = { .ops = ops };
      double share;

      for (guint i = 0; i < rows[r].n; i++)
        ls_machine_run_add (&run, i, rows[r].seconds[i], LS_HELD_BY_COMPUTE, rows[r].used[i]);
      share = ls_machine_run_used (&run);
      if (isnan (share) != isnan (rows[r].share) || fabs (share - rows[r].share) > 1e-12)
        g_error ("row %zu: it computes at %g of its peak, not at %g", r, share, rows[r].share);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/work", test_work);
  g_test_add_func ("/machines/shapes-alone", test_shapes_alone);
  g_test_add_func ("/machines/sides", test_sides);
  g_test_add_func ("/machines/reuse", test_reuse);
  g_test_add_func ("/machines/used", test_used);
  g_test_add_func ("/machines/tensor-useful", test_tensor_useful);
  return g_test_run ();
}
