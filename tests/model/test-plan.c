/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans: shapes, costs and names of the presets against numbers worked out by hand, the rules every plan
 * keeps, initial weights, and models that can't be built.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "facts.h"

static void
test_mlp (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("mlp", 1, 28, 28, 10, 128, LS_OPTIMIZER_SGD);

  facts_tensor (p, "x", "X", LS_ROLE_INPUT, -1, "128×1×28×28");
  facts_tensor (p, "labels", "t", LS_ROLE_LABEL, -1, "128");
  facts_tensor (p, "1.weight", "W₁", LS_ROLE_WEIGHT, 1, "256×784");
  facts_tensor (p, "1.bias", "b₁", LS_ROLE_WEIGHT, 1, "256");
  facts_tensor (p, "z1", "Z₁", LS_ROLE_ACTIVATION, 1, "128×256");
  facts_tensor (p, "h1", "A₁", LS_ROLE_ACTIVATION, 1, "128×256");
  facts_tensor (p, "h2", "H₁", LS_ROLE_ACTIVATION, 2, "128×256");
  facts_tensor (p, "5.weight", "W₃", LS_ROLE_WEIGHT, 5, "10×128");
  facts_tensor (p, "logits", "Y", LS_ROLE_ACTIVATION, 5, "128×10");
  facts_tensor (p, "losses", "ℓ", LS_ROLE_LOSS, -1, "128");
  facts_tensor (p, "loss", "L", LS_ROLE_LOSS, -1, "1");
  facts_tensor (p, "dz1", "dZ₁", LS_ROLE_DELTA, 2, "128×256");
  facts_tensor (p, "1.weight.grad", "dW₁", LS_ROLE_GRADIENT, 1, "256×784");
  facts_tensor (p, "1.weight.momentum_buffer", "v(W₁)", LS_ROLE_STATE, 1, "256×784");

  facts_op (p, "z1", "matmul", "Z₁ = X·W₁ᵀ", 2 * 128 * 256 * 784, 4 * (128 * 784 + 256 * 784 + 128 * 256));
  facts_op (p, "h1", "bias", "A₁ = Z₁ + b₁", 128 * 256, 4 * (2 * 128 * 256 + 256));
  facts_op (p, "h2", "relu", "H₁ = relu(A₁)", 128 * 256, 4 * 2 * 128 * 256);
  facts_op (p, "dz5", "softmax_xent_grad", "dZ₃ = (Ŷ − onehot(t))/B", 2 * 1280, 4 * (2 * 1280 + 128));
  facts_op (p, "dh2", "matmul", "dH₁ = dZ₂·W₂", 2 * 128 * 256 * 128, 4 * (128 * 128 + 128 * 256 + 128 * 256));
  facts_op (p, "dz1", "relu_grad", "dZ₁ = dH₁ ⊙ relu′(A₁)", 128 * 256, 4 * 3 * 128 * 256);
  facts_op (p, "1.weight.grad", "matmul", "dW₁ = dZ₁ᵀ·X", 2 * 128 * 256 * 784,
            4 * (128 * 256 + 128 * 784 + 256 * 784));
  facts_op (p, "1.bias.grad", "bias_grad", "db₁ = Σ dZ₁", 128 * 256, 4 * (128 * 256 + 256));
  facts_op (p, "1.weight", "sgd", "W₁ = W₁ − η·v(W₁)", 4 * 256 * 784, 4 * 5 * 256 * 784);

  /* Nothing needs the gradient of the samples. */
  g_assert_null (ls_plan_find_tensor (p, "dx"));
  /* 784·256 + 256 + 256·128 + 128 + 128·10 + 10 parameters */
  gint64 parameters = 0;
  for (guint i = 0; i < p->n_params; i++)
    parameters += ls_tensor_count (&p->tensors[p->params[i].weight]);
  g_assert_cmpint (parameters, ==, 235146);
}

static void
test_cnn (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("cnn", 1, 28, 28, 10, 32, LS_OPTIMIZER_ADAM);

  facts_tensor (p, "0.weight", "K₁", LS_ROLE_WEIGHT, 0, "16×1×3×3");
  facts_tensor (p, "c0", "C₁", LS_ROLE_ACTIVATION, 0, "32×16×28×28");
  facts_tensor (p, "h0", "A₁", LS_ROLE_ACTIVATION, 0, "32×16×28×28");
  facts_tensor (p, "h1", "H₁", LS_ROLE_ACTIVATION, 1, "32×16×28×28");
  facts_tensor (p, "h2", "P₁", LS_ROLE_ACTIVATION, 2, "32×16×14×14");
  facts_tensor (p, "h2.index", "arg P₁", LS_ROLE_INDEX, 2, "32×16×14×14");
  facts_tensor (p, "h5", "P₂", LS_ROLE_ACTIVATION, 5, "32×32×7×7");
  facts_tensor (p, "7.weight", "W₃", LS_ROLE_WEIGHT, 7, "128×1568");
  facts_tensor (p, "dh5", "dP₂", LS_ROLE_DELTA, 7, "32×32×7×7");
  facts_tensor (p, "0.weight.exp_avg", "m(K₁)", LS_ROLE_STATE, 0, "16×1×3×3");
  facts_tensor (p, "0.weight.exp_avg_sq", "v(K₁)", LS_ROLE_STATE, 0, "16×1×3×3");

  /* 2 · O · B·H′·W′ · I·K·K */
  const gint64 conv2 = 2 * 32 * (32 * 14 * 14) * (16 * 9);
  facts_op (p, "c3", "conv2d", "C₂ = P₁ ∗ K₂", conv2, 4 * (32 * 16 * 196 + 32 * 16 * 9 + 32 * 32 * 196));
  facts_op (p, "dh2", "conv2d_dx", "dP₁ = convᵀ(dC₂, K₂)", conv2,
            4 * (32 * 32 * 196 + 32 * 16 * 9 + 32 * 16 * 196));
  facts_op (p, "3.weight.grad", "conv2d_dw", "dK₂ = P₁ ∗ dC₂", conv2,
            4 * (32 * 32 * 196 + 32 * 16 * 196 + 32 * 16 * 9));
  facts_op (p, "h2", "maxpool2d", "P₁ = maxpool(H₁)", 32 * 16 * 196 * 4,
            4 * (32 * 16 * 784 + 2 * 32 * 16 * 196));
  facts_op (p, "dh1", "maxpool2d_grad", "dH₁ = unpool(dP₁, arg P₁)", 32 * 16 * 196,
            4 * (2 * 32 * 16 * 196 + 32 * 16 * 784));
  facts_op (p, "dc0", "relu_grad", "dC₁ = dH₁ ⊙ relu′(A₁)", 32 * 16 * 784, 4 * 3 * 32 * 16 * 784);
  g_assert_cmpstr (facts_maker (p, "0.weight")->equation, ==, "K₁ = K₁ − η·m̂(K₁)/(√v̂(K₁) + ε)");
  g_assert_null (ls_plan_find_tensor (p, "dx"));

  /* a window's work is its own size, not how far the next one is */
  g_autoptr (LsPlan) overlapping = ls_loops_plan ("maxpool 3 stride 2, flatten, dense 10", 1, 28, 28, 10, 32,
                                                  LS_OPTIMIZER_SGD);
  facts_tensor (overlapping, "h0", "P₀", LS_ROLE_ACTIVATION, 0, "32×1×13×13");
  g_assert_cmpint (facts_maker (overlapping, "h0")->flops, ==, 32 * 13 * 13 * 9);

  const LsParam *w = &p->params[0], *b = &p->params[1], *last = &p->params[p->n_params - 2];
  g_assert_cmpint (w->init, ==, LS_INIT_HE);
  g_assert_cmpint (w->fan_in, ==, 1 * 9);
  g_assert_cmpint (w->fan_out, ==, 16 * 9);
  g_assert_cmpint (b->init, ==, LS_INIT_ZERO);
  g_assert_cmpint (last->init, ==, LS_INIT_XAVIER);
  g_assert_cmpint (last->fan_in, ==, 128);
  g_assert_cmpint (last->fan_out, ==, 10);
}

/* What holds for every plan, whatever the model. */
static gboolean
is_made (const LsPlan *p, const gboolean *made, guint tensor)
{
  for (guint i = 0; i < p->n_tensors; i++)
    if (made[i] && ls_tensors_overlap (p->tensors, i, tensor))
      return TRUE;
  return FALSE;
}

/* op.h's promise: what an op's class needn't be told is zero. */
static void
assert_attributes (const LsOp *op)
{
  const LsOpAttr *a = &op->attr;
  const struct {
    const char *classes; /* that have it */
    gboolean has;
  } rows[] = {
    { " matmul conv2d conv2d_dx conv2d_dw ", a->ta || a->tb || a->m != 0 || a->n != 0 || a->k != 0 },
    { " conv2d conv2d_dx conv2d_dw maxpool2d maxpool2d_grad avgpool2d avgpool2d_grad ",
      a->kernel != 0 || a->stride != 0 || a->pad != 0 },
    { " sequence planes ", a->by_columns },
    { " dropout dropout_grad ", a->rate != 0 || a->number != 0 || a->threshold != 0 || a->scale != 0 },
    { " matmul planes gather ", a->shape[0] != 0 },
  };
  g_autofree char *word = g_strdup_printf (" %s ", op->klass->name);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].has && strstr (rows[i].classes, word) == NULL)
      g_error ("%s of layer %d has attributes of%s", op->klass->name, op->layer, rows[i].classes);
}

static void
assert_rules (const LsPlan *p)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gboolean *made = g_new0 (gboolean, p->n_tensors);
  gint64 flops = 0, bytes = 0;
  guint phase = 0;

  g_assert_cmpuint (p->first_op[0], ==, 0);
  g_assert_cmpuint (p->first_op[LS_PHASE_UPDATE + 1], ==, p->n_ops);
  for (guint i = 0; i < p->n_tensors; i++)
    {
      const LsTensor *t = &p->tensors[i];
      if (!g_hash_table_add (names, (gpointer) t->name))
        g_error ("two tensors are called “%s”", t->name);
      g_assert_true (g_utf8_validate (t->symbol, -1, NULL) && t->symbol[0] != '\0');
      g_assert_cmpint (ls_tensor_count (t), >, 0);
      g_assert_cmpuint (t->offset % LS_TENSOR_ALIGN, ==, 0);
      g_assert_cmpuint (t->offset + ls_tensor_bytes (t), <=, p->arena_bytes);
      if (t->is_view)
        {
          const LsTensor *base = &p->tensors[t->base];
          g_assert_cmpuint (t->base, <, i);
          g_assert_false (base->is_view);
          g_assert_cmpint (t->first, >=, 0);
          g_assert_cmpint (t->first + ls_tensor_count (t), <=, ls_tensor_count (base));
        }
      made[i] = t->role == LS_ROLE_WEIGHT || t->role == LS_ROLE_STATE || t->role == LS_ROLE_ZERO;
    }
  for (guint i = 0; i < p->n_ops; i++)
    {
      const LsOp *op = &p->ops[i];
      g_assert_cmpuint (op->phase, >=, phase);
      phase = op->phase;
      g_assert_cmpuint (i, >=, p->first_op[phase]);
      g_assert_cmpuint (i, <, p->first_op[phase + 1]);
      g_assert_true (g_utf8_validate (op->equation, -1, NULL));
      assert_attributes (op);
      for (guint j = 0; j < op->n_in; j++)
        {
          g_assert_true (is_made (p, made, op->in[j]));
          g_assert_cmpint (p->tensors[op->in[j]].dtype, ==, op->klass->in_dtype[j]);
        }
      for (guint j = 0; j < op->n_out; j++)
        {
          g_assert_cmpint (p->tensors[op->out[j]].dtype, ==, op->klass->out_dtype[j]);
          if (op->klass->in_place[j] >= 0)
            g_assert_cmpuint (op->out[j], ==, op->in[op->klass->in_place[j]]);
          else
            g_assert_false (made[op->out[j]]);
          made[op->out[j]] = TRUE;
        }
      g_assert_cmpint (op->flops, >, 0);
      flops += op->flops;
      bytes += op->bytes;
    }
  g_assert_cmpint (flops, ==, p->flops);
  g_assert_cmpint (bytes, ==, p->bytes);

  for (guint i = 0; i < p->n_params; i++)
    {
      const LsTensor *w = &p->tensors[p->params[i].weight];
      g_assert_cmpmem (w->shape, sizeof w->shape, p->tensors[p->params[i].gradient].shape, sizeof w->shape);
      g_assert_cmpuint (p->params[i].n_state, ==, p->optimizer == LS_OPTIMIZER_ADAM ? 2 : 1);
    }
}

/* plan.h's promise: of a layer d(input) before d(weights) before d(bias). */
static void
assert_backward_order (const LsPlan *p)
{
  for (guint i = p->first_op[LS_PHASE_BACKWARD]; i + 1 < p->first_op[LS_PHASE_UPDATE]; i++)
    {
      const LsOp *op = &p->ops[i], *next = &p->ops[i + 1];
      LsRole role = p->tensors[op->out[0]].role, next_role = p->tensors[next->out[0]].role;
      /* where both read one delta: a bracket's layers share its number */
      if (op->layer == next->layer && op->in[0] == next->in[0])
        g_assert_false (role == LS_ROLE_GRADIENT && next_role == LS_ROLE_DELTA);
      if (op->klass == &ls_op_bias_grad)
        g_assert_false (op->layer == next->layer && op->in[0] == next->in[0]);
    }
}

static void
test_rules (void)
{
  static const char *const models[] = {
    "mlp",
    "cnn",
    "flatten, dense 10",
    "flatten, relu, dense 10",
    "flatten, flatten, dense 10",
    "relu, maxpool 2, tanh, flatten, sigmoid, sigmoid, dense 10",
    "conv 3 5 stride 2 pad 2, conv 4 1, tanh, relu, maxpool 3 stride 1, maxpool 2, flatten, dense 5,dense 10",
    "maxpool 28, flatten, dense 10",
    "avgpool 28, flatten, dense 10",
    "dropout 0.5, conv 3 3, dropout 0, flatten, dropout 0.9, residual(dropout 0.5), dense 10",
    "layernorm, layernorm, flatten, layernorm, dense 9, layernorm, residual(layernorm, gelu), dense 10",
    "lstm 7 all, layernorm, residual(lstm 7 all, layernorm), lstm 3, layernorm, layernorm, dense 10",
    "gelu, flatten, dense 9, gelu, gelu, dense 10",
    "conv 3 3, avgpool 5, tanh, avgpool 1, flatten, dense 10",
    "lstm 7 all, residual(lstm 7 all, tanh), lstm 3 columns, dense 10",
    ("conv 3 3 pad 1, residual(relu, residual(tanh), conv 3 1), flatten, residual(residual(dense 2352)), "
     "dense 10"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    for (guint optimizer = LS_OPTIMIZER_SGD; optimizer <= LS_OPTIMIZER_ADAM; optimizer++)
      for (guint batch = 1; batch <= 7; batch += 6)
        {
          g_autoptr (LsPlan) p = ls_loops_plan (models[i], 1, 28, 28, 10, batch, (LsOptimizer) optimizer);
          assert_rules (p);
          assert_backward_order (p);
        }

  /* Before the first weights nothing needs a gradient. */
  g_autoptr (LsPlan) p = ls_loops_plan (models[5], 1, 28, 28, 10, 3, LS_OPTIMIZER_SGD);
  for (guint i = p->first_op[LS_PHASE_BACKWARD]; i < p->first_op[LS_PHASE_UPDATE]; i++)
    g_assert_cmpint (p->ops[i].layer, !=, 1);
  /* Symbols stay apart where a layer has several activations. */
  g_assert_nonnull (strstr (facts_find (p, "h5")->symbol, "H₀,"));

  /* The longest model allowed. */
  g_autoptr (GString) deep = g_string_new ("flatten");
  for (guint i = 0; i < 62; i++)
    g_string_append (deep, i % 2 ? ", dense 3" : ", tanh");
  g_string_append (deep, ", dense 2");
  g_autoptr (LsPlan) deepest = ls_loops_plan (deep->str, 2, 1, 1, 2, 5, LS_OPTIMIZER_ADAM);
  assert_rules (deepest);
}

/* Flattening is no op: dense takes rank 4, and its delta gets the rank back. */
static void
test_flatten (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("conv 3 3, flatten, dense 4", 2, 5, 6, 4, 3, LS_OPTIMIZER_SGD);

  facts_tensor (p, "h0", "A₁", LS_ROLE_ACTIVATION, 0, "3×3×3×4");
  facts_tensor (p, "2.weight", "W₂", LS_ROLE_WEIGHT, 2, "4×36");
  facts_tensor (p, "dc0", "dC₁", LS_ROLE_DELTA, 2, "3×3×3×4");
  facts_op (p, "dc0", "matmul", "dC₁ = dZ₂·W₂", 2 * 3 * 36 * 4, 4 * (3 * 4 + 4 * 36 + 3 * 36));
}

static void
test_refusals (void)
{
  facts_refused ("maxpool 2, maxpool 4, conv 8 5, flatten, dense 10", 16, 24, 24, 10, 1,
                 "layer 3, column 23: conv 5 needs an input of at least 5×5, but its input is 16×3×3");
  facts_refused ("conv 8 5 pad 1, flatten, dense 10", 1, 2, 9, 10, 1,
                 "layer 1, column 1: conv 5 needs an input of at least 3×3, but its input is 1×2×9");
  facts_refused ("relu, maxpool 3, flatten, dense 10", 1, 28, 2, 10, 1,
                 "layer 2, column 7: maxpool 3 needs an input of at least 3×3, but its input is 1×28×2");
  facts_refused (
    "conv 4 3, dense 10", 1, 5, 5, 10, 1,
    "layer 2, column 11: dense 10 needs a flat input, but its input is 4×3×3; put “flatten” before it");
  facts_refused (
    "dense 2", 2, 1, 1, 2, 1,
    "layer 1, column 1: dense 2 needs a flat input, but its input is 2×1×1; put “flatten” before it");
  facts_refused (
    "flatten, conv 4 3, dense 10", 1, 5, 5, 10, 1,
    "layer 2, column 10: conv needs channels × height × width, but its input is flat; put it before "
    "“flatten”");
  facts_refused (
    "flatten, dense 9, maxpool 1, dense 10", 1, 5, 5, 10, 1,
    "layer 3, column 19: maxpool needs channels × height × width, but its input is flat; put it before "
    "“flatten”");
  facts_refused ("flatten, dense 9", 1, 5, 5, 10, 1,
                 "layer 2, column 10: the last layer must be dense 10, one unit for each class of the data");
  facts_refused ("flatten, dense 10, relu", 1, 5, 5, 10, 1,
                 "layer 3, column 20: the last layer must be dense 10, one unit for each class of the data");
  /* 65536 × 65536 weights: more elements than an int counts. */
  facts_refused (
    "flatten, dense 65536, dense 65536, dense 10", 1, 28, 28, 10, 1,
    "layer 3, column 23: a tensor of 65536×65536 has fewer than 1 or more than 2147483647 elements; choose "
    "other sizes");
  facts_refused (
    "flatten, dense 10", G_MAXINT64 / 2, 3, 3, 10, 1,
    "a tensor of 1×4611686018427387903×3×3 has fewer than 1 or more than 2147483647 elements; choose "
    "other sizes");
  facts_refused (
    "flatten, dense 10", 1, 28, 28, 10, G_MAXUINT,
    "a tensor of 4294967295×1×28×28 has fewer than 1 or more than 2147483647 elements; choose other sizes");
  facts_refused (
    "flatten, dense 10", 1, 28, 0, 10, 1,
    "a tensor of 1×1×28×0 has fewer than 1 or more than 2147483647 elements; choose other sizes");
  facts_refused (
    "flatten, dense 10", 1, 28, 28, 10, 0,
    "a tensor of 0×1×28×28 has fewer than 1 or more than 2147483647 elements; choose other sizes");
  /* Every tensor may be, but not all of them. */
  facts_refused (
    "conv 16384 1, relu, relu, maxpool 64, flatten, dense 10", 1, 256, 256, 10, 1,
    "a step of this model needs more than 16 GiB of memory; choose smaller layers or a smaller batch");
}

static void
test_init (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("flatten, dense 300, relu, dense 200, tanh, dense 10", 1, 28, 28, 10,
                                        4, LS_OPTIMIZER_SGD);
  const double variance[] = { 2.0 / 784, 0, 2.0 / (300 + 200), 0, 2.0 / (200 + 10), 0 };

  for (guint i = 0; i < p->n_params; i++)
    {
      const gint64 count = ls_tensor_count (&p->tensors[p->params[i].weight]);
      g_autofree float *first = g_new (float, count), *again = g_new (float, count),
                       *other = g_new (float, count);
      double sum = 0, squares = 0;

      ls_plan_init_param (p, i, 42, first);
      ls_plan_init_param (p, i, 42, again);
      ls_plan_init_param (p, i, 43, other);
      g_assert_cmpmem (first, (gsize) count * 4, again, (gsize) count * 4);
      for (gint64 k = 0; k < count; k++)
        {
          sum += (double) first[k];
          squares += (double) first[k] * (double) first[k];
        }
      if (variance[i] == 0.0)
        {
          g_assert_cmpfloat (squares, ==, 0);
          continue;
        }
      /* Four standard errors: of the mean σ/√n, of the variance σ²·√(2/n). */
      g_assert_cmpfloat (fabs (sum / (double) count), <, 4 * sqrt (variance[i] / (double) count));
      g_assert_cmpfloat (fabs (squares / (double) count / variance[i] - 1), <,
                         4 * sqrt (2.0 / (double) count));
      g_assert_true (memcmp (first, other, (gsize) count * 4) != 0);
    }

  /* He also where pooling stands between the product and relu; Glorot where another activation does. */
  g_autoptr (LsPlan) pooled = ls_loops_plan (
    "conv 2 3, avgpool 2, relu, conv 2 3, sigmoid, relu, flatten, dense 10", 1, 28, 28, 10, 1,
    LS_OPTIMIZER_SGD);
  g_assert_cmpint (pooled->params[0].init, ==, LS_INIT_HE);
  g_assert_cmpint (pooled->params[2].init, ==, LS_INIT_XAVIER);
  /* and where flattening does */
  g_autoptr (LsPlan) flattened = ls_loops_plan ("conv 2 3, flatten, relu, dense 10", 1, 28, 28, 10, 1,
                                                LS_OPTIMIZER_SGD);
  g_assert_cmpint (flattened->params[0].init, ==, LS_INIT_HE);
}

/* Layer by layer as the plan's own tensors, worked out by hand; as far as it fits, with the plan's
 * sentence. */
static void
test_shapes (void)
{
  static const gint64 in[3] = { 1, 28, 28 }, expected[10][3] = {
    { 16, 28, 28 }, { 16, 28, 28 }, { 16, 14, 14 }, { 32, 14, 14 }, { 32, 14, 14 },
    { 32, 7, 7 },   { 1568, 0, 0 }, { 128, 0, 0 },  { 128, 0, 0 },  { 10, 0, 0 },
  };
  /* rows aren't columns: 9 and 20 of them, by a kernel of 3 without a border, and halves */
  static const gint64 wide[3] = { 2, 9, 20 },
                      of_wide[4][3] = { { 4, 7, 18 }, { 4, 3, 9 }, { 4 * 3 * 9, 0, 0 }, { 5, 0, 0 } };
  g_autoptr (LsModel) cnn = ls_model_parse ("cnn", NULL),
                      oblong = ls_model_parse ("conv 4 3, maxpool 2, flatten, dense 5", NULL),
                      wrong = ls_model_parse ("relu, dense 5, flatten", NULL);
  g_autoptr (GError) error = NULL, same = NULL;
  gint64 shapes[10][3];

  g_assert_cmpuint (ls_plan_shapes (cnn, in, shapes, &error), ==, 10);
  g_assert_no_error (error);
  g_assert_cmpint (memcmp (shapes, expected, sizeof expected), ==, 0);

  g_assert_cmpuint (ls_plan_shapes (oblong, wide, shapes, &error), ==, 4);
  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    for (guint d = 0; d < 3; d++)
      if (shapes[i][d] != of_wide[i][d])
        g_error ("dimension %u of layer %u is %d, and should be %d", d, i + 1, (int) shapes[i][d],
                 (int) of_wide[i][d]);

  g_assert_cmpuint (ls_plan_shapes (wrong, in, shapes, &error), ==, 1);
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpint (memcmp (shapes, in, sizeof in), ==, 0);
  g_assert_null (ls_plan_new (wrong, in, 10, 1, LS_OPTIMIZER_SGD, &same));
  g_assert_cmpstr (error->message, ==, same->message);
}

/* A preset has as many classes as the data; a line of one's own is held to them. */
static void
test_preset_fits (void)
{
  static const char *const names[] = { "mlp", "cnn" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsModel) model = ls_model_parse (names[i], NULL), own = NULL;
      g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 3, 8, 8 }, 7, 4, LS_OPTIMIZER_SGD,
                                             &error);

      g_assert_no_error (error);
      g_assert_cmpstr (plan->model->name, ==, names[i]);
      g_assert_true (g_str_has_suffix (plan->model->text, ", dense 7"));
      g_assert_true (g_str_has_suffix (model->text, ", dense 10"));
      own = ls_model_parse ("flatten, dense 10", NULL);
      g_assert_null (ls_plan_new (own, (const gint64[]){ 3, 8, 8 }, 7, 4, LS_OPTIMIZER_SGD, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/mlp", test_mlp);
  g_test_add_func ("/plan/cnn", test_cnn);
  g_test_add_func ("/plan/rules", test_rules);
  g_test_add_func ("/plan/flatten", test_flatten);
  g_test_add_func ("/plan/refusals", test_refusals);
  g_test_add_func ("/plan/preset-fits", test_preset_fits);
  g_test_add_func ("/plan/init", test_init);
  g_test_add_func ("/plan/shapes", test_shapes);
  return g_test_run ();
}
