/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan in 16 bits: which tensors are stored so, which weights have a copy, what the bytes of each op are
 * then, and that all else is as in floats.
 */
#include "core/error.h"
#include "model/plan.h"

static LsPlan *
plan_of (const char *text, LsPrecision precision, GError **error)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 28, 28 }, 10, 32, LS_OPTIMIZER_SGD,
                                         NULL);

  g_assert_nonnull (plan);
  return ls_plan_with_precision (plan, precision, error);
}

static const char *const models[] = { "mlp", "cnn", "flatten, dense 64, residual(relu, dense 64), dense 10" };

static void
test_dtypes (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint p = LS_PRECISION_BF16; p < LS_PRECISION_N; p++)
      {
        const LsDtype half = p == LS_PRECISION_FP16 ? LS_F16 : LS_BF16;
        g_autoptr (LsPlan) plain = plan_of (models[m], LS_PRECISION_FP32, NULL);
        g_autoptr (LsPlan) plan = plan_of (models[m], (LsPrecision) p, NULL);

        g_assert_cmpint (plan->precision, ==, p);
        g_assert_cmpuint (plan->n_ops, ==, plain->n_ops);
        g_assert_cmpuint (plan->n_tensors, ==, plain->n_tensors);
        g_assert_cmpint (plan->flops, ==, plain->flops);
        for (guint i = 0; i < plan->n_tensors; i++)
          {
            const LsTensor *t = &plan->tensors[i];
            const gboolean handed_on = t->role == LS_ROLE_INPUT || t->role == LS_ROLE_DELTA
                                       || (t->role == LS_ROLE_ACTIVATION && i != plan->probs);

            g_assert_cmpstr (t->name, ==, plain->tensors[i].name);
            g_assert_cmpint (plain->tensors[i].copy, ==, LS_F32);
            g_assert_cmpint (t->dtype, ==, handed_on ? half : plain->tensors[i].dtype);
            g_assert_cmpint (t->copy, ==, t->role == LS_ROLE_WEIGHT && t->rank > 1 ? half : LS_F32);
            g_assert_cmpuint (ls_tensor_host_bytes (t), ==, 4 * (gsize) ls_tensor_count (t));
          }
      }
}

static gint64
count (const LsPlan *plan, guint tensor)
{
  return ls_tensor_count (&plan->tensors[tensor]);
}

/* A product reads two bytes for each element of activations and weights; a weight's gradient, its state, the
 * weight itself take four, and its copy is written beside it. */
static void
test_bytes (void)
{
  g_autoptr (LsPlan) plain = plan_of ("mlp", LS_PRECISION_FP32, NULL);
  g_autoptr (LsPlan) plan = plan_of ("mlp", LS_PRECISION_BF16, NULL);
  gint64 sum = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const LsTensor *out = &plan->tensors[op->out[0]];

      sum += op->bytes;
      if (op->klass == &ls_op_matmul)
        g_assert_cmpint (op->bytes, ==,
                         2 * count (plan, op->in[0]) + 2 * count (plan, op->in[1])
                           + (out->role == LS_ROLE_GRADIENT ? 4 : 2) * count (plan, op->out[0]));
      else if (op->klass == &ls_op_sgd)
        g_assert_cmpint (op->bytes, ==,
                         plain->ops[i].bytes + (out->rank > 1 ? 2 * count (plan, op->out[0]) : 0));
      else if (op->klass == &ls_op_mean)
        g_assert_cmpint (op->bytes, ==, plain->ops[i].bytes);
      else
        g_assert_cmpint (op->bytes, <, plain->ops[i].bytes);
    }
  g_assert_cmpint (plan->bytes, ==, sum);
  g_assert_cmpint (plan->bytes, <, plain->bytes);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (plan_of ("lstm 8, dense 10", LS_PRECISION_BF16, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "isn’t trained in bf16"));
  g_clear_error (&error);
  g_assert_null (plan_of ("flatten, dense 8, dropout 0.5, dense 10", LS_PRECISION_BF16, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "the layer dropout"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/precision/dtypes", test_dtypes);
  g_test_add_func ("/precision/bytes", test_bytes);
  g_test_add_func ("/precision/refused", test_refused);
  return g_test_run ();
}
