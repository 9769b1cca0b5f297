/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan in 16 bits: which tensors are stored so, which weights have a copy, what the bytes of each op are
 * then, and that all else is as in floats.
 */
#include "model/plan.h"

static LsPlan *
plan_of (const char *text, LsPrecision precision)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 28, 28 }, 10, 32, LS_OPTIMIZER_SGD,
                                         NULL);

  g_assert_nonnull (plan);
  return ls_plan_with_precision (plan, precision);
}

static const char *const models[] = { "mlp", "cnn", "flatten, dense 64, residual(relu, dense 64), dense 10",
                                      "avgpool 2, flatten, layernorm, dense 7, gelu, dropout 0.5, dense 10",
                                      "lstm 7 all, lstm 5, dense 10" };

/* The probabilities are the loss’s; a dropout’s scale would be wrong everywhere at once; an lstm’s cells are
 * sums, and their gradients, too; what a normalised row has one of isn’t handed on. */
static gboolean
stays_wide (const LsPlan *plan, guint tensor)
{
  const LsTensor *t = &plan->tensors[tensor];
  const gboolean of_step = strchr (t->name, '.') != NULL; /* "c0.t5", "c0.steps"; a convolution's is "c0" */

  return t->rank == 1 || tensor == plan->probs || g_str_has_suffix (t->name, ".mask")
         || (of_step && (t->name[0] == 'c' || g_str_has_prefix (t->name, "dc")))
         || g_str_has_prefix (t->name, "unread"); /* of the zeros before the first step */
}

static void
test_dtypes (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint p = LS_PRECISION_BF16; p < LS_PRECISION_N; p++)
      {
        const LsDtype half = p == LS_PRECISION_FP16 ? LS_F16 : LS_BF16;
        g_autoptr (LsPlan) plain = plan_of (models[m], LS_PRECISION_FP32);
        g_autoptr (LsPlan) plan = plan_of (models[m], (LsPrecision) p);

        g_assert_cmpint (plan->precision, ==, p);
        g_assert_cmpuint (plan->n_ops, ==, plain->n_ops);
        g_assert_cmpuint (plan->n_tensors, ==, plain->n_tensors);
        g_assert_cmpint (plan->flops, ==, plain->flops);
        for (guint i = 0; i < plan->n_tensors; i++)
          {
            const LsTensor *t = &plan->tensors[i];
            const gboolean handed_on = (t->role == LS_ROLE_INPUT || t->role == LS_ROLE_DELTA
                                        || t->role == LS_ROLE_ACTIVATION)
                                       && !stays_wide (plan, i);

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
test_bytes (gconstpointer data)
{
  const LsPrecision precision = (LsPrecision) GPOINTER_TO_UINT (data);
  g_autoptr (LsPlan) plain = plan_of ("mlp", LS_PRECISION_FP32);
  g_autoptr (LsPlan) plan = plan_of ("mlp", precision);
  const gint64 unscaling = precision == LS_PRECISION_FP16 ? 8 : 0; /* a gradient is read and written first */
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
                         plain->ops[i].bytes
                           + (unscaling + (out->rank > 1 ? 2 : 0)) * count (plan, op->out[0]));
      else if (op->klass == &ls_op_mean)
        g_assert_cmpint (op->bytes, ==, plain->ops[i].bytes);
      else
        g_assert_cmpint (op->bytes, <, plain->ops[i].bytes);
    }
  g_assert_cmpint (plan->bytes, ==, sum);
  if (precision == LS_PRECISION_BF16) /* of so small a batch the weights are most of it */
    g_assert_cmpint (plan->bytes, <, plain->bytes);
}

/* An lstm's cells are floats, whoever reads or writes them, and so are their gradients; all else of it isn't.
 */
static void
test_lstm_bytes (void)
{
  g_autoptr (LsPlan) plan = plan_of ("lstm 128, dense 10", LS_PRECISION_BF16);
  guint n = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];

      if (op->klass == &ls_op_lstm || op->klass == &ls_op_lstm_grad)
        {
          /* of a unit: three times four gates, h, c and c′; on the way back twice four, dh, c, c′, dc and dc′
           */
          g_assert_cmpint (op->bytes, ==, 32 * 128 * 34);
          n++;
        }
    }
  g_assert_cmpuint (n, ==, 2 * 28);
  for (guint t = 1; t <= 28; t++)
    {
      g_autofree char *h = g_strdup_printf ("h0.t%u", t), *c = g_strdup_printf ("c0.t%u", t);
      g_assert_cmpint (ls_plan_find_tensor (plan, h)->dtype, ==, LS_BF16);
      g_assert_cmpint (ls_plan_find_tensor (plan, c)->dtype, ==, LS_F32);
    }
}

/* In an arena of floats a product reads the weights’ copies; in one in double precision, which a reference
 * computes in, there are none: it reads the tensors themselves, as an update does in either. */
static void
test_calls (void)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 16, relu, dense 10", LS_PRECISION_BF16);

  for (guint wide = 0; wide < 2; wide++)
    {
      LsArena arena = { 0 };
      guint copies = 0;

      g_assert_true (ls_arena_init (&arena, plan->tensors, plan->n_tensors, wide != 0, NULL));
      for (guint i = 0; i < plan->n_ops; i++)
        {
          LsOpCall call;

          ls_plan_call (plan, &arena, i, &call);
          for (guint j = 0; j < call.op->n_in; j++)
            {
              const LsTensor *in = &plan->tensors[call.op->in[j]];
              const gboolean copy = call.in[j] != ls_arena_at (&arena, in);
              const LsDtype dtype = copy ? in->copy : in->dtype;

              if (copy && (wide || call.in[j] != ls_arena_copy_at (&arena, in)))
                g_error ("op %u of a %s arena reads “%s” elsewhere than where it lies", i,
                         wide ? "wide" : "plain", in->name);
              if (call.in_dtype[j] != dtype)
                g_error ("op %u of a %s arena reads “%s” as numbers of another kind than it has", i,
                         wide ? "wide" : "plain", in->name);
              copies += copy;
            }
        }
      g_assert_cmpuint (copies, ==, wide ? 0 : 3); /* forward both, and the way back through the second */
      ls_arena_clear (&arena);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/precision/dtypes", test_dtypes);
  g_test_add_data_func ("/precision/bytes/bf16", GUINT_TO_POINTER (LS_PRECISION_BF16), test_bytes);
  g_test_add_data_func ("/precision/bytes/fp16", GUINT_TO_POINTER (LS_PRECISION_FP16), test_bytes);
  g_test_add_func ("/precision/lstm-bytes", test_lstm_bytes);
  g_test_add_func ("/precision/calls", test_calls);
  return g_test_run ();
}
