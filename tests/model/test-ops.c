/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops by themselves: the reference loops against PyTorch's numbers, float against double on every test shape,
 * NaN and overflow. Gradients: test-gradient; shapes that must be refused: test-shapes.
 *
 * Where constants stand, inputs are sin (i + 10·j) for element i of input j, and the numbers come from
 * PyTorch 1.13 in double, printed with %.15g: s = lambda j, *sh: torch.sin (torch.arange (math.prod (sh),
 * dtype=torch.float64) + 10 * j).reshape (sh)
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "loops.h"

/* torch.nn.functional.conv2d (s (0, 1, 2, 5, 4), s (1, 2, 2, 3, 3), stride=2, padding=1) */
static void
test_conv2d (void)
{
  static const double expected[] = {
    -0.352418331170331, 3.67747283715551,  3.53074573393402,  0.416801632799187,
    2.16277514482808,   -3.46176508574151, 1.07621156400785,  1.6009933278611,
    3.25027424335288,   -2.95787705255409, 0.695150479083636, -3.37110665876476,
  };
  const LsOpTest test = { .in = { { 1, 2, 5, 4 }, { 2, 2, 3, 3 } },
                          .attr = { .kernel = 3, .stride = 2, .pad = 1 } };
  LsLoops loops;

  ls_loops_init_single (&loops, "conv2d", &test, TRUE);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, expected, G_N_ELEMENTS (expected));
  ls_loops_clear (&loops);
}

/* torch.nn.functional.max_pool2d (s (0, 1, 2, 5, 4), 3, stride=1, return_indices=True): windows overlap */
static void
test_maxpool2d (void)
{
  static const double expected[] = {
    0.989358246623382, 0.909297426825682, 0.99060735569487,  0.99060735569487,
    0.99060735569487,  0.99060735569487,  0.912945250727628, 0.956375928404503,
    0.999911860107267, 0.999911860107267, 0.999911860107267, 0.999911860107267,
  };
  static const double index[] = { 8, 2, 14, 14, 14, 14, 0, 7, 13, 13, 13, 13 };
  const LsOpTest test = { .in = { { 1, 2, 5, 4 } }, .attr = { .kernel = 3, .stride = 1 } };
  LsLoops loops;

  ls_loops_init_single (&loops, "maxpool2d", &test, TRUE);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, expected, G_N_ELEMENTS (expected));
  ls_loops_assert_values (&loops, 1, index, G_N_ELEMENTS (index));

  /* Of equals the first in reading order; below −∞ nothing; the last NaN of a window. */
  for (gint64 i = 0; i < 40; i++)
    ls_loops_set (&loops, 0, i, i < 20 ? 7 : -INFINITY);
  ls_loops_set (&loops, 0, 5, NAN);
  ls_loops_set (&loops, 0, 6, NAN);
  ls_loops_run (&loops, 0, 1);
  const double where[] = { 6, 6, 6, 6, 8, 9, 0, 1, 4, 5, 8, 9 };
  ls_loops_assert_values (&loops, 1, where, G_N_ELEMENTS (where));
  g_assert_true (isnan (ls_loops_get (&loops, 1, 0)));
  g_assert_cmpfloat (ls_loops_get (&loops, 1, 4), ==, 7);
  g_assert_true (ls_loops_get (&loops, 1, 11) == -INFINITY);
  ls_loops_clear (&loops);
}

/* z = 3 * s (0, 3, 4); z.softmax (1); cross_entropy (z, [0, 3, 1], reduction='none') */
static void
test_softmax_xent (void)
{
  static const double probs[] = {
    0.0329910486701323, 0.411845890287591,   0.504782958997192,  0.0503801020450851,
    0.0132915296461873, 0.00724826134459118, 0.0556614582477735, 0.923798750761448,
    0.84062607525352,   0.148773893151679,   0.0084486686214464, 0.00215136297335495,
  };
  static const double losses[] = { 3.41151900673148, 0.079261033269023, 1.90532762122563 };
  const LsOpTest test = { .in = { { 3, 4 }, { 3 } } };

  LsLoops loops;

  ls_loops_init_single (&loops, "softmax_xent", &test, TRUE);
  for (gint64 i = 0; i < 12; i++)
    ls_loops_set (&loops, 0, i, 3 * sin ((double) i));
  for (gint64 i = 0; i < 3; i++)
    ls_loops_set (&loops, 1, i, (double[]){ 0, 3, 1 }[i]);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, probs, G_N_ELEMENTS (probs));
  ls_loops_assert_values (&loops, 1, losses, G_N_ELEMENTS (losses));
  ls_loops_clear (&loops);

  /* In float e^1000 is infinite and e^−1000 is 0: the loss is right all the same. */
  ls_loops_init_single (&loops, "softmax_xent", &test, FALSE);
  for (gint64 i = 0; i < 12; i++)
    ls_loops_set (&loops, 0, i, i % 4 == 0 ? 1000 : -1000);
  for (gint64 i = 0; i < 3; i++)
    ls_loops_set (&loops, 1, i, (double) i);
  ls_loops_run (&loops, 0, 1);
  ls_loops_assert_values (&loops, 0, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }, 12);
  ls_loops_assert_values (&loops, 1, (double[]){ 0, 2000, 2000 }, 3);
  ls_loops_clear (&loops);
}

/* p = s (0, 4); three steps with the gradients s (1, 4), s (2, 4), s (3, 4):
 *   torch.optim.SGD ([p], lr=0.1, momentum=0.9), …momentum=0), torch.optim.Adam ([p], lr=0.1) */
static void
test_optimizers (void)
{
  static const struct {
    const char *name;
    guint n_in;
    double momentum, expected[4];
  } rows[] = {
    { "sgd", 3, 0.9, { 0.0727732858220561, 0.993907523993593, 1.00124776824481, 0.0880454318624032 } },
    { "sgd", 3, 0.0, { 0.0619107484254604, 0.898208206141668, 0.908697181430597, 0.0837341587839935 } },
    { "adam", 4, 0.0, { 0.0970875810566279, 0.966678920752676, 1.06848192699506, 0.0511116844688022 } },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      LsOpTest test = { 0 };
      LsLoops loops;

      for (guint j = 0; j < rows[r].n_in; j++)
        test.in[j][0] = 4;
      ls_loops_init_single (&loops, rows[r].name, &test, TRUE);
      loops.hyper.momentum = rows[r].momentum;
      for (guint j = 2; j < rows[r].n_in; j++)
        for (gint64 i = 0; i < 4; i++)
          ls_loops_set (&loops, j, i, 0);
      for (guint step = 1; step <= 3; step++)
        {
          loops.hyper.step = step;
          for (gint64 i = 0; i < 4; i++)
            ls_loops_set (&loops, 1, i, sin ((double) i + 10 * step));
          ls_loops_run (&loops, 0, 1);
        }
      ls_loops_assert_values (&loops, 0, rows[r].expected, 4);
      ls_loops_clear (&loops);
    }
}

static void
test_gather (void)
{
  const LsOpTest test = { .attr = { .shape = { 3, 2, 1, 2 } } };
  guint8 bytes[20];
  gint32 labels[] = { 4, 3, 2, 1, 0 };
  const guint32 index[] = { 4, 0, 4 };
  LsLoops loops;

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 13);
  LsDataset set = { .n = 5, .sample_size = 4, .type = LS_SAMPLE_U8, .samples = bytes, .labels = labels };
  for (gint wide = FALSE; wide <= TRUE; wide++)
    {
      ls_loops_init_single (&loops, "gather", &test, wide);
      LsBatch own = loops.batch;
      loops.batch = (LsBatch){ .set = &set, .index = index, .n = 3 };
      ls_loops_run (&loops, 0, 1);
      for (guint b = 0; b < 3; b++)
        for (guint i = 0; i < 4; i++)
          g_assert_cmpfloat (ls_loops_get (&loops, loops.plan->x, b * 4 + i), ==,
                             (double) ((float) bytes[index[b] * 4 + i] / 255.0f));
      ls_loops_assert_values (&loops, 1, (double[]){ 0, 4, 0 }, 3);
      loops.batch = own;
      ls_loops_clear (&loops);
    }
}

/* NaN passes through relu and its gradient as in PyTorch; the ends of the other activations. */
static void
test_special_values (void)
{
  const LsOpTest one = { .in = { { 5 } } }, two = { .in = { { 5 }, { 5 } } };
  const double x[] = { NAN, -INFINITY, INFINITY, -0.0, -1000 };
  static const struct {
    const char *name;
    double y[5];
  } rows[] = {
    { "relu", { NAN, 0, INFINITY, 0, 0 } },   { "tanh", { NAN, -1, 1, 0, -1 } },
    { "sigmoid", { NAN, 0, 1, 0.5, 0 } },     { "gelu", { NAN, NAN, INFINITY, 0, 0 } },
    { "relu_grad", { 2, 0, 2, 0, 0 } }, /* dY = 2 */
    { "gelu_grad", { NAN, NAN, NAN, 1, 0 } },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    for (gint wide = FALSE; wide <= TRUE; wide++)
      {
        LsLoops loops;
        guint n_in = ls_op_class_find (rows[r].name)->n_in;
        ls_loops_init_single (&loops, rows[r].name, n_in == 1 ? &one : &two, wide);
        for (gint64 i = 0; i < 5; i++)
          {
            ls_loops_set (&loops, 0, i, 2);
            ls_loops_set (&loops, n_in - 1, i, x[i]);
          }
        ls_loops_run (&loops, 0, 1);
        for (gint64 i = 0; i < 5; i++)
          {
            double y = ls_loops_get (&loops, n_in, i);
            g_assert_true (isnan (rows[r].y[i]) ? isnan (y) : y == rows[r].y[i]);
          }
        ls_loops_clear (&loops);
      }
}

/* On every test shape of every op: float is double but for rounding, twice the same bits, nothing outside the
 * tensor is written, and inputs that aren't in place stay. */
static void
test_float_against_double (gconstpointer data)
{
  const LsOpClass *klass = data;

  g_assert_cmpuint (klass->n_tests, >=, 4);
  for (guint t = 0; t < klass->n_tests; t++)
    {
      g_autoptr (GError) error = NULL;
      LsPlan *plan = ls_plan_new_single (klass, &klass->tests[t], &error);
      g_assert_no_error (error);
      LsLoops f, d, again;

      ls_loops_init (&f, plan, FALSE);
      ls_loops_init (&d, ls_plan_ref (plan), TRUE);
      ls_loops_init (&again, ls_plan_ref (plan), FALSE);
      ls_loops_fill_inputs (&f, t);
      memcpy (again.arena.base, f.arena.base, f.arena.bytes);
      for (guint j = 0; j < klass->n_in; j++)
        for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[j]); i++)
          ls_loops_set (&d, j, i, ls_loops_get (&f, j, i));
      ls_loops_run (&f, 0, 1);
      ls_loops_run (&again, 0, 1);
      ls_loops_run (&d, 0, 1);

      g_assert_cmpmem (f.arena.base, f.arena.bytes, again.arena.base, again.arena.bytes);
      for (guint k = 0; k < plan->n_tensors; k++)
        for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[k]); i++)
          {
            double y = ls_loops_get (&d, k, i);
            g_assert_cmpfloat_with_epsilon (ls_loops_get (&f, k, i), y, 1e-6 * MAX (1, fabs (y)));
          }
      ls_loops_clear (&f);
      ls_loops_clear (&d);
      ls_loops_clear (&again);
    }
}

static void
test_single_plans (void)
{
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  for (guint c = 0; c < n; c++)
    {
      const LsOpClass *klass = classes[c];
      g_assert_true (ls_op_class_find (klass->name) == klass);
      g_autoptr (LsPlan) p = ls_plan_new_single (klass, &klass->tests[0], NULL);
      guint next = klass->n_in;

      g_assert_cmpuint (p->n_ops, ==, 1);
      for (guint j = 0; j < klass->n_in; j++)
        g_assert_cmpuint (p->ops[0].in[j], ==, j);
      for (guint j = 0; j < klass->n_out; j++)
        g_assert_cmpuint (p->ops[0].out[j], ==,
                          klass->in_place[j] >= 0 ? (guint) klass->in_place[j] : next++);
      g_assert_cmpuint (p->n_tensors, ==, next);
      g_assert_cmpint (p->x != LS_TENSOR_NONE, ==, klass == &ls_op_gather);
    }
  g_assert_null (ls_op_class_find ("nosuch"));
  g_assert_null (ls_op_class_find (NULL));
}

/* What an op is said to compute: a multiply-add is two, an exponential, a root, a comparison and a draw one;
 * of an optimizer as many as its formula has signs. */
static void
test_flops (void)
{
#define WINDOW(k, s, p)                                                                                      \
  {                                                                                                          \
    .kernel = (k), .stride = (s), .pad = (p)                                                                 \
  }
  static const struct {
    const char *name;
    LsOpTest test;
    gint64 flops;
  } rows[] = {
    { "gather", { .attr = { .shape = { 2, 3, 5, 7 } } }, 2 * 3 * 5 * 7 },
    { "matmul", { .in = { { 3, 5 }, { 5, 7 } } }, 2 * 3 * 5 * 7 },
    { "matmul", { .in = { { 5, 3 }, { 7, 5 } }, .attr = { .ta = TRUE, .tb = TRUE } }, 2 * 3 * 5 * 7 },
    /* each product once, also those with the padding; the gradients have the same */
    { "conv2d",
      { .in = { { 2, 3, 7, 5 }, { 4, 3, 3, 3 } }, .attr = WINDOW (3, 2, 1) },
      2 * (2 * 4 * 4 * 3) * (3 * 9) },
    { "conv2d_dx",
      { .in = { { 2, 4, 4, 3 }, { 4, 3, 3, 3 }, { 2, 3, 7, 5 } }, .attr = WINDOW (3, 2, 1) },
      2 * (2 * 4 * 4 * 3) * (3 * 9) },
    { "conv2d_dw",
      { .in = { { 2, 4, 4, 3 }, { 2, 3, 7, 5 } }, .attr = WINDOW (3, 2, 1) },
      2 * (2 * 4 * 4 * 3) * (3 * 9) },
    { "bias", { .in = { { 3, 5 }, { 5 } } }, 15 },
    { "bias_grad", { .in = { { 2, 3, 5, 7 } } }, 210 },
    { "add", { .in = { { 3, 5 }, { 3, 5 } } }, 15 },
    { "relu", { .in = { { 3, 5 } } }, 15 },
    { "relu_grad", { .in = { { 3, 5 }, { 3, 5 } } }, 15 },
    { "tanh", { .in = { { 3, 5 } } }, 15 },
    { "tanh_grad", { .in = { { 3, 5 }, { 3, 5 } } }, 3 * 15 },
    { "sigmoid", { .in = { { 3, 5 } } }, 4 * 15 },
    { "sigmoid_grad", { .in = { { 3, 5 }, { 3, 5 } } }, 3 * 15 },
    { "gelu", { .in = { { 3, 5 } } }, 5 * 15 },
    { "gelu_grad", { .in = { { 3, 5 }, { 3, 5 } } }, 11 * 15 },
    { "dropout", { .in = { { 3, 5 } }, .attr = { .rate = .5 } }, 15 },
    { "dropout_grad", { .in = { { 3, 5 }, { 3, 5 } }, .attr = { .rate = .5 } }, 15 },
    /* of an element, and of a row */
    { "layernorm", { .in = { { 7, 13 }, { 13 }, { 13 } } }, 8 * 7 * 13 + 5 * 7 },
    { "layernorm_grad", { .in = { { 7, 13 }, { 7, 13 }, { 13 }, { 7 }, { 7 } } }, 10 * 7 * 13 + 2 * 7 },
    { "layernorm_dw", { .in = { { 7, 13 }, { 7, 13 }, { 7 }, { 7 } } }, 5 * 7 * 13 },
    { "sequence", { .in = { { 7, 3, 4, 5 } } }, 420 },
    { "planes", { .in = { { 28, 15 } }, .attr = { .shape = { 7, 3, 4, 5 } } }, 420 },
    /* of a unit, not of a gate */
    { "lstm", { .in = { { 3, 20 }, { 3, 20 }, { 3, 5 } } }, 22 * 15 },
    { "lstm_grad", { .in = { { 3, 5 }, { 3, 5 }, { 3, 20 }, { 3, 5 }, { 3, 5 } } }, 23 * 15 },
    /* each element of each window; back from each window, or to each element */
    { "maxpool2d", { .in = { { 2, 3, 7, 9 } }, .attr = WINDOW (3, 2, 0) }, (2 * 3 * 3 * 4) * 9 },
    { "maxpool2d_grad",
      { .in = { { 2, 3, 3, 4 }, { 2, 3, 3, 4 }, { 2, 3, 7, 9 } }, .attr = WINDOW (3, 2, 0) },
      2 * 3 * 3 * 4 },
    { "avgpool2d", { .in = { { 2, 3, 7, 9 } }, .attr = WINDOW (3, 3, 0) }, (2 * 3 * 2 * 3) * 9 },
    { "avgpool2d_grad",
      { .in = { { 2, 3, 2, 3 }, { 2, 3, 7, 9 } }, .attr = WINDOW (3, 3, 0) },
      2 * 3 * 2 * 3 },
    { "softmax_xent", { .in = { { 3, 5 }, { 3 } } }, 5 * 15 },
    { "softmax_xent_grad", { .in = { { 3, 5 }, { 3 } } }, 2 * 15 },
    { "mean", { .in = { { 7 } } }, 7 },
    /* V ← μV + G, W ← W − ηV */
    { "sgd", { .in = { { 3, 5 }, { 3, 5 }, { 3, 5 } } }, 4 * 15 },
    /* M 3, V 4 with G², and of W a root, four factors and sums below and above it, and a difference */
    { "adam", { .in = { { 3, 5 }, { 3, 5 }, { 3, 5 }, { 3, 5 } } }, (3 + 4 + 6) * 15 },
  };
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  for (gsize r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPlan) plan = NULL;
      guint c = 0;

      while (c < n && strcmp (rows[r].name, classes[c]->name) != 0)
        c++;
      if (c == n)
        g_error ("there is no op %s", rows[r].name);
      plan = ls_plan_new_single (classes[c], &rows[r].test, &error);
      g_assert_no_error (error);
      if (plan->ops[0].flops != rows[r].flops)
        g_error ("%s is said to compute %" G_GINT64_FORMAT " FLOP where it computes %" G_GINT64_FORMAT,
                 rows[r].name, plan->ops[0].flops, rows[r].flops);
    }
}

int
main (int argc, char **argv)
{
  guint n;
  const LsOpClass *const *classes = ls_op_classes (&n);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/conv2d", test_conv2d);
  g_test_add_func ("/ops/maxpool2d", test_maxpool2d);
  g_test_add_func ("/ops/softmax-xent", test_softmax_xent);
  g_test_add_func ("/ops/optimizers", test_optimizers);
  g_test_add_func ("/ops/gather", test_gather);
  g_test_add_func ("/ops/special-values", test_special_values);
  g_test_add_func ("/ops/single-plans", test_single_plans);
  g_test_add_func ("/ops/flops", test_flops);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/ops/float-against-double/", classes[i]->name, NULL);
      g_test_add_data_func (path, classes[i], test_float_against_double);
    }
  return g_test_run ();
}
