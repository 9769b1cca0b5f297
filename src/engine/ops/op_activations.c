/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The activations, and their gradients from the activation's output Y: for each its formula, its value and
 * what a value costs. NaN passes relu as in PyTorch, whose gradient at 0 is 0 and lets dY through where Y is
 * NaN. For X ≪ 0 sigmoid's e^−X is infinite and Y the right 0.
 */
#include "ops/real.h"

#define FORWARD(name, value)                                                                                 \
  void LS_REF (name) (const LsOpCall *call)                                                                  \
  {                                                                                                          \
    const gint64 count = ls_tensor_count (call->in_tensor[0]);                                               \
    const real *in = call->in[0];                                                                            \
    real *y = call->out[0];                                                                                  \
                                                                                                             \
    for (gint64 i = 0; i < count; i++)                                                                       \
      {                                                                                                      \
        const real x = in[i];                                                                                \
        y[i] = value;                                                                                        \
      }                                                                                                      \
  }

#define BACKWARD(name, value)                                                                                \
  void LS_REF (name##_grad) (const LsOpCall *call)                                                           \
  {                                                                                                          \
    const gint64 count = ls_tensor_count (call->in_tensor[0]);                                               \
    const real *gradient = call->in[0], *out = call->in[1];                                                  \
    real *dx = call->out[0];                                                                                 \
                                                                                                             \
    for (gint64 i = 0; i < count; i++)                                                                       \
      {                                                                                                      \
        const real dy = gradient[i], y = out[i];                                                             \
        dx[i] = value;                                                                                       \
      }                                                                                                      \
  }

/* clang-format off: it takes the products for pointers */
FORWARD (relu, x <= 0 ? 0 : x)
BACKWARD (relu, y <= 0 ? 0 : dy)
FORWARD (tanh, LS_REAL (tanh) (x))
BACKWARD (tanh, dy *(1 - y * y))
FORWARD (sigmoid, 1 / (1 + LS_REAL (exp) (-x)))
BACKWARD (sigmoid, dy *y *(1 - y))
/* clang-format on */

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

/* dX = dY ⊙ name′(X), by the op `name`_grad. */
static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint y = op->out[0], dy = ls_plan_builder_delta_of (b, y);
  g_autofree char *right = g_strdup_printf ("%s ⊙ %s′(%s)", ls_plan_builder_symbol (b, dy), op->klass->name,
                                            ls_plan_builder_symbol (b, op->in[0]));
  g_autofree char *name = g_strconcat (op->klass->name, "_grad", NULL);

  return ls_plan_builder_delta (b, ls_op_class_find (name), (guint[]){ dy, y }, (LsOpAttr){ 0 }, op->in[0],
                                right, error);
}

static const LsOpTest tests[] = {
  { .in = { { 1 } } },
  { .in = { { 1, 1 } } },
  { .in = { { 7, 13 } } },
  { .in = { { 16, 64 } } },
  { .in = { { 33, 65 } } },
  { .in = { { 2, 3, 5, 7 } } },
  { .in = { { 3, 16, 14, 14 } } },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1 }, { 1 } } },
  { .in = { { 1, 1 }, { 1, 1 } } },
  { .in = { { 7, 13 }, { 7, 13 } } },
  { .in = { { 16, 64 }, { 16, 64 } } },
  { .in = { { 33, 65 }, { 33, 65 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 } } },
  { .in = { { 3, 16, 14, 14 }, { 3, 16, 14, 14 } } },
};

/* flops, gradient_flops: of an element. */
#define ACTIVATION(op, formula_, flops_, gradient_formula, gradient_flops)                                   \
  static gint64 op##_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)            \
  {                                                                                                          \
    return flops_ * ls_tensor_count (out);                                                                   \
  }                                                                                                          \
  static gint64 op##_grad_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)       \
  {                                                                                                          \
    return gradient_flops * ls_tensor_count (out);                                                           \
  }                                                                                                          \
  const LsOpClass ls_op_##op = {                                                                             \
    .name = #op,                                                                                             \
    .formula = formula_,                                                                                     \
    .n_in = 1,                                                                                               \
    .n_out = 1,                                                                                              \
    .elementwise = TRUE,                                                                                     \
    .in_place = LS_OUT_OF_PLACE,                                                                             \
    .shape = ls_shape_rule_one,                                                                              \
    .flops = op##_flops,                                                                                     \
    LS_REFS (op),                                                                                            \
    .gradient = gradient,                                                                                    \
    .tests = tests,                                                                                          \
    .n_tests = G_N_ELEMENTS (tests),                                                                         \
  };                                                                                                         \
  const LsOpClass ls_op_##op##_grad = {                                                                      \
    .name = #op "_grad",                                                                                     \
    .formula = gradient_formula,                                                                             \
    .n_in = 2,                                                                                               \
    .n_out = 1,                                                                                              \
    .elementwise = TRUE,                                                                                     \
    .in_place = LS_OUT_OF_PLACE,                                                                             \
    .shape = ls_shape_rule_two,                                                                              \
    .flops = op##_grad_flops,                                                                                \
    LS_REFS (op##_grad),                                                                                     \
    .tests = gradient_tests,                                                                                 \
    .n_tests = G_N_ELEMENTS (gradient_tests),                                                                \
  };

ACTIVATION (relu, "Y = max (X, 0)", 1, "dX = dY where Y > 0, else 0", 1)
ACTIVATION (tanh, "Y = tanh X", 1, "dX = dY·(1 − Y²)", 3)
ACTIVATION (sigmoid, "Y = 1 / (1 + exp (−X))", 4, "dX = dY·Y·(1 − Y)", 3)
#endif
