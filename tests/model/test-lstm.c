/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LSTMs in plans: names, products, what waits for what, gradients of all steps in one op; sequences that
 * can't be read. The numbers: test-training, test-gradient.
 */
#include <math.h>

#include "facts.h"

static guint
count (const LsPlan *plan, const LsOpClass *klass, LsPhase phase)
{
  guint n = 0;

  for (guint i = plan->first_op[phase]; i < plan->first_op[phase + 1]; i++)
    n += plan->ops[i].klass == klass;
  return n;
}

static void
test_preset (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("lstm", 1, 28, 28, 10, 128, LS_OPTIMIZER_SGD);

  facts_tensor (p, "0.weight_ih_l0", "W₁", LS_ROLE_WEIGHT, 0, "512×28");
  facts_tensor (p, "0.weight_hh_l0", "U₁", LS_ROLE_WEIGHT, 0, "512×128");
  facts_tensor (p, "0.bias_ih_l0", "b₁", LS_ROLE_WEIGHT, 0, "512");
  facts_tensor (p, "0.bias_hh_l0", "b′₁", LS_ROLE_WEIGHT, 0, "512");
  facts_tensor (p, "1.weight", "W₂", LS_ROLE_WEIGHT, 1, "10×128");
  facts_tensor (p, "s0", "S₁", LS_ROLE_ACTIVATION, 0, "3584×28");
  facts_tensor (p, "h0.steps", "H₁", LS_ROLE_ACTIVATION, 0, "3584×128");
  facts_tensor (p, "h0.t28", "h₂₈", LS_ROLE_ACTIVATION, 0, "128×128");
  facts_op (p, "z0", "matmul", "P₁ = S₁·W₁ᵀ", 2 * 3584 * 512 * 28, 4 * (3584 * 28 + 512 * 28 + 3584 * 512));
  facts_op (p, "p0.t28", "matmul", "p₂₈ = h₂₇·U₁ᵀ", 2 * 128 * 512 * 128, 4 * (2 * 128 * 512 + 128 * 128));
  facts_op (p, "h0.t28", "lstm", "h₂₈ = o ⊙ tanh c₂₈; c₂₈ = f ⊙ c₂₇ + i ⊙ g", 22 * 128 * 128,
            4 * (3 * 128 * 512 + 3 * 128 * 128));
  facts_op (p, "z1", "matmul", "Z₂ = h₂₈·W₂ᵀ", 2 * 128 * 128 * 10, 4 * (128 * 128 + 1280 + 1280));
  facts_op (p, "dz0.t28", "lstm_grad", "dz₂₈ = lstm′(dh₂₈, 0)", 23 * 128 * 128,
            4 * (2 * 128 * 512 + 5 * 128 * 128));
  facts_op (p, "dz0.t2", "lstm_grad", "dz₂ = lstm′(dh₂, dc₂)", 23 * 128 * 128,
            4 * (2 * 128 * 512 + 5 * 128 * 128));
  facts_op (p, "dh0.t27", "matmul", "dh₂₇ = dz₂₈·U₁", 2 * 128 * 512 * 128, 4 * (2 * 128 * 512 + 128 * 128));
  /* of all steps in one: rows 2 … 28 of dZ by rows 1 … 27 of H */
  facts_op (p, "0.weight_hh_l0.grad", "matmul", "dU₁ = dz₂…dz₂₈ᵀ·h₁…h₂₇", 2ll * 512 * 128 * 27 * 128,
            4 * (27 * 128 * (512 + 128) + 512 * 128));
  facts_op (p, "0.weight_ih_l0.grad", "matmul", "dW₁ = dP₁ᵀ·S₁", 2ll * 512 * 28 * 3584,
            4 * (3584 * (512 + 28) + 512 * 28));
  facts_op (p, "0.bias_ih_l0.grad", "bias_grad", "db₁ = Σ dP₁", 3584 * 512, 4 * (3584 * 512 + 512));
  facts_op (p, "0.bias_hh_l0.grad", "bias_grad", "db′₁ = db₁", 512, 4 * (512 + 512)); /* of the same sum */
  g_assert_cmpuint (count (p, &ls_op_matmul, LS_PHASE_FORWARD), ==, 1 + 27 + 1);
  g_assert_cmpuint (count (p, &ls_op_lstm, LS_PHASE_FORWARD), ==, 28);
  g_assert_cmpuint (count (p, &ls_op_matmul, LS_PHASE_BACKWARD), ==, 2 + 27 + 2);
  g_assert_cmpuint (count (p, &ls_op_add, LS_PHASE_BACKWARD), ==, 0);
  g_assert_null (ls_plan_find_tensor (p, "ds0"));

  /* dz_t are rows of dZ: no copies */
  const LsTensor *whole = facts_find (p, "dz0"), *rows = facts_find (p, "dz0.t2");
  g_assert_true (rows->is_view && &p->tensors[rows->base] == whole);
  g_assert_cmpint (rows->first, ==, 128 * 512);

  /* uniform in ±1/√128, all four */
  for (guint i = 0; i < 4; i++)
    {
      const gint64 n = ls_tensor_count (&p->tensors[p->params[i].weight]);
      g_autofree float *values = g_new (float, n);
      double most = 0, sum = 0, squares = 0;
      ls_plan_init_param (p, i, 7, values);
      for (gint64 k = 0; k < n; k++)
        {
          most = fmax (most, fabs ((double) values[k]));
          sum += (double) values[k];
          squares += (double) values[k] * (double) values[k];
        }
      g_assert_cmpfloat (most, <=, 1 / sqrt (128));
      g_assert_cmpfloat (most, >, .98 / sqrt (128));
      g_assert_cmpfloat (fabs (sum / (double) n), <, .006);
      g_assert_cmpfloat_with_epsilon (squares / (double) n, 1 / (3. * 128), 3e-4);
    }
}

static void
test_shapes (void)
{
  g_autoptr (LsPlan) all = ls_loops_plan ("conv 2 3, lstm 5 all, lstm 4 columns, dense 3", 1, 8, 7, 3, 2,
                                          LS_OPTIMIZER_ADAM);
  const LsTensor *y = facts_find (all, "h1");
  g_autofree char *shape = ls_tensor_shape_string (y);

  g_assert_cmpstr (shape, ==, "2×1×6×5"); /* six steps of 2·5 values */
  facts_tensor (all, "1.weight_ih_l0", "W₂", LS_ROLE_WEIGHT, 1, "20×10");
  facts_tensor (all, "2.weight_ih_l0", "W₃", LS_ROLE_WEIGHT, 2, "16×6"); /* by columns: five steps of six */
  facts_tensor (all, "h2.t5", "h²₅", LS_ROLE_ACTIVATION, 2, "2×4");
  facts_op (all, "ds2", "matmul", "dS₃ = dP₃·W₃", 2 * 10 * 16 * 6, 4 * (10 * 16 + 16 * 6 + 10 * 6));
  g_assert_nonnull (ls_plan_find_tensor (all, "dh1"));
  /* all outputs are read at once, and each by the next step: a sum */
  g_assert_cmpuint (count (all, &ls_op_add, LS_PHASE_BACKWARD), ==, 5);

  /* a single step: nothing is multiplied by U, whose gradient is 0 */
  g_autoptr (LsPlan) one = ls_loops_plan ("lstm 3, dense 2", 1, 1, 4, 2, 2, LS_OPTIMIZER_SGD);
  g_assert_cmpint (one->tensors[one->params[1].gradient].role, ==, LS_ROLE_ZERO);
  g_assert_cmpuint (count (one, &ls_op_matmul, LS_PHASE_FORWARD), ==, 2);

  facts_refused (
    "flatten, lstm 5, dense 3", 1, 8, 7, 3, 2,
    "layer 2, column 10: lstm needs a sequence, rows of planes, but its input is flat; put it before "
    "“flatten”, and “lstm 5 all” before another lstm");
  facts_refused (
    "lstm 4, lstm 5, dense 3", 1, 8, 7, 3, 2,
    "layer 2, column 9: lstm needs a sequence, rows of planes, but its input is flat; put it before "
    "“flatten”, and “lstm 5 all” before another lstm");
  facts_refused ("lstm 4, dense 3", 1, 513, 7, 3, 2,
                 "layer 1, column 1: lstm takes at most 512 steps, but its input has 513");
  facts_refused ("lstm 4 columns, dense 3", 1, 7, 513, 3, 2,
                 "layer 1, column 1: lstm takes at most 512 steps, but its input has 513");
  facts_refused (
    "lstm 4 all, lstm 4 all, lstm 4, dense 3", 1, 512, 2, 3, 1,
    "layer 3, column 25: a step of this model takes more than 4096 ops; choose fewer layers or shorter "
    "sequences");
}

/* The way back through two of them, word for word: the second one's gradient is said of all rows at once, and
 * each step of the first takes its own rows of it, whose names stay those of the whole. */
static void
test_stacked (void)
{
  static const char *const words[] = {
    "dZ₃ = (Ŷ − onehot(t))/B",
    "dh²₃ = dZ₃·W₃",
    "dW₃ = dZ₃ᵀ·h²₃",
    "db₃ = Σ dZ₃",
    "dz²₃ = lstm′(dh²₃, 0)",
    "dh²₂ = dz²₃·U₂",
    "dz²₂ = lstm′(dh²₂, dc²₂)",
    "dh²₁ = dz²₂·U₂",
    "dz²₁ = lstm′(dh²₁, dc²₁)",
    "dS₂ = dP₂·W₂",
    "dW₂ = dP₂ᵀ·S₂",
    "db₂ = Σ dP₂",
    "dY₁ = planes(dS₂)",
    "dH₁ = steps(dY₁)",
    "dz¹₃ = lstm′(dH₁[8], 0)",
    "dh¹₂.1 = dz¹₃·U₁",
    "dh¹₂ = dh¹₂.1 + dH₁[4]",
    "dz¹₂ = lstm′(dh¹₂, dc¹₂)",
    "dh¹₁.1 = dz¹₂·U₁",
    "dh¹₁ = dh¹₁.1 + dH₁[0]",
    "dz¹₁ = lstm′(dh¹₁, dc¹₁)",
    "dW₁ = dP₁ᵀ·S₁",
    "db₁ = Σ dP₁",
    "dU₁ = dz¹₂…dz¹₃ᵀ·h¹₁…h¹₂",
    "db′₁ = db₁",
    "dU₂ = dz²₂…dz²₃ᵀ·h²₁…h²₂",
    "db′₂ = db₂",
  };
  g_autoptr (LsPlan) p = ls_loops_plan ("lstm 2 all, lstm 2, dense 2", 1, 3, 4, 2, 2, LS_OPTIMIZER_SGD);
  guint n = 0;

  for (guint i = p->first_op[LS_PHASE_BACKWARD]; i < p->first_op[LS_PHASE_UPDATE]; i++, n++)
    {
      if (n >= G_N_ELEMENTS (words))
        g_error ("behind all that is expected comes %s", p->ops[i].equation);
      g_assert_cmpstr (p->ops[i].equation, ==, words[n]);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (words));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lstm/preset", test_preset);
  g_test_add_func ("/lstm/shapes", test_shapes);
  g_test_add_func ("/lstm/stacked", test_stacked);
  return g_test_run ();
}
