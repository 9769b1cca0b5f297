/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Residual blocks in plans: names, sums of gradients, views where planes are flattened, and blocks that can't
 * be built.
 */
#include "facts.h"

/* A residual block: names as torch's, x + F(x), and a gradient that is the sum of two readers'. */
static void
test_plan (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("flatten, dense 64, residual(relu, dense 64), dense 10", 1, 28, 28,
                                        10, 128, LS_OPTIMIZER_SGD);
  const gint64 sum = 128 * 64;

  facts_tensor (p, "2.1.weight", "W₂", LS_ROLE_WEIGHT, 2, "64×64");
  facts_tensor (p, "2.1.bias", "b₂", LS_ROLE_WEIGHT, 2, "64");
  facts_tensor (p, "2.1.weight.momentum_buffer", "v(W₂)", LS_ROLE_STATE, 2, "64×64");
  facts_tensor (p, "3.weight", "W₃", LS_ROLE_WEIGHT, 3, "10×64");
  facts_tensor (p, "h2.0", "H₁", LS_ROLE_ACTIVATION, 2, "128×64");
  facts_tensor (p, "h2.1", "A₂", LS_ROLE_ACTIVATION, 2, "128×64");
  facts_tensor (p, "h2", "R₂", LS_ROLE_ACTIVATION, 2, "128×64");
  facts_op (p, "h2", "add", "R₂ = A₂ + A₁", sum, 4 * 3 * sum);
  facts_op (p, "z3", "matmul", "Z₃ = R₂·W₃ᵀ", 2 * 128 * 64 * 10, 4 * (128 * 64 + 640 + 1280));
  facts_op (p, "dh2", "matmul", "dR₂ = dZ₃·W₃", 2 * 128 * 64 * 10, 4 * (128 * 64 + 640 + 1280));
  /* what the sum was made of has the sum's gradient itself */
  facts_op (p, "dh2.0", "matmul", "dH₁ = dR₂·W₂", 2 * 128 * 64 * 64, 4 * (2 * sum + 64 * 64));
  facts_op (p, "dz1.part1", "relu_grad", "dZ₁.1 = dH₁ ⊙ relu′(A₁)", sum, 4 * 3 * sum);
  facts_op (p, "dz1", "add", "dZ₁ = dZ₁.1 + dR₂", sum, 4 * 3 * sum);
  facts_op (p, "1.weight.grad", "matmul", "dW₁ = dZ₁ᵀ·X", 2 * 128 * 64 * 784,
            4 * (128 * 64 + 128 * 784 + 64 * 784));
  g_assert_null (ls_plan_find_tensor (p, "dh2.1"));
  /* He before the relu, and before a bracket that begins with one; Glorot before the last layer */
  g_assert_cmpint (p->params[0].init, ==, LS_INIT_HE);
  g_assert_cmpint (p->params[2].init, ==, LS_INIT_XAVIER);

  /* three readers, in their order: the inner bracket's relu, its sum, the outer sum */
  g_autoptr (LsPlan) three = ls_loops_plan ("flatten, dense 4, residual(residual(relu)), dense 3", 1, 2, 2, 3,
                                            2, LS_OPTIMIZER_SGD);
  g_assert_cmpstr (facts_maker (three, "h2.0")->equation, ==, "R₁ = H₁ + A₁");
  g_assert_cmpstr (facts_maker (three, "h2")->equation, ==, "R₁,₂ = R₁ + A₁");
  g_assert_cmpstr (facts_maker (three, "dz1.sum1")->equation, ==, "dZ₁.Σ1 = dZ₁.1 + dR₁,₂");
  g_assert_cmpstr (facts_maker (three, "dz1")->equation, ==, "dZ₁ = dZ₁.Σ1 + dR₁,₂");

  /* flattened planes are a matrix where they are added to one: a view, no copy */
  g_autoptr (LsPlan) flat = ls_loops_plan ("conv 2 3, flatten, residual(dense 8), dense 3", 1, 4, 4, 3, 5,
                                           LS_OPTIMIZER_SGD);
  const LsTensor *view = facts_find (flat, "h0.matrix2"), *planes = facts_find (flat, "h0");
  g_autofree char *shape = ls_tensor_shape_string (view);
  g_assert_true (view->is_view && &flat->tensors[view->base] == planes && view->first == 0);
  g_assert_cmpuint (view->offset, ==, planes->offset);
  g_assert_cmpstr (shape, ==, "5×8");
  g_assert_cmpstr (facts_maker (flat, "dc0")->klass->name, ==, "add");
}

static void
test_refusals (void)
{
  facts_refused (
    "flatten, dense 8, residual(dense 9), dense 10", 1, 5, 5, 10, 1,
    "layer 3, column 19: residual adds what its bracket makes to what it was given, but that is 9 and "
    "this is 8; both must have one shape");
  facts_refused (
    "conv 2 3, residual(maxpool 2), flatten, dense 10", 1, 6, 6, 10, 1,
    "layer 2, column 11: residual adds what its bracket makes to what it was given, but that is 2×2×2 "
    "and this is 2×4×4; both must have one shape");
  facts_refused (
    "residual(flatten), dense 10", 1, 6, 6, 10, 1,
    "layer 1, column 1: residual adds what its bracket makes to what it was given, but that is 36 and "
    "this is 1×6×6; both must have one shape");
  facts_refused (
    "flatten, residual(relu, residual(dense 36, dense 5)), dense 10", 1, 6, 6, 10, 1,
    "layer 4, column 25: residual adds what its bracket makes to what it was given, but that is 5 and "
    "this is 36; both must have one shape");
  facts_refused (
    "flatten, residual(conv 1 1), dense 10", 1, 6, 6, 10, 1,
    "layer 3, column 19: conv needs channels × height × width, but its input is flat; put it before "
    "“flatten”");
  facts_refused ("flatten, dense 10, residual(dense 10)", 1, 6, 6, 10, 1,
                 "layer 4, column 29: the last layer must be dense 10, one unit for each class of the data");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/residual/plan", test_plan);
  g_test_add_func ("/residual/refusals", test_refusals);
  return g_test_run ();
}
