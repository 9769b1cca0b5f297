/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fusion: which ops are chained in the presets, when they must not be, and the proof that matters: running
 * every chain at its leader's place gives the same bits as running op by op.
 */
#include <string.h>

#include "loops.h"

static gboolean
any_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  return TRUE;
}

static gboolean
none_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  return FALSE;
}

/* Behind products and weight gradients only, as kernels do; counts the positions it is asked about. */
static gboolean
product_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  const LsOpClass *klass = plan->ops[leader].klass;
  guint *asked = data;

  asked[position]++;
  return klass == &ls_op_matmul || klass == &ls_op_conv2d || klass == &ls_op_conv2d_dx
         || klass == &ls_op_conv2d_dw || klass == &ls_op_bias_grad;
}

/* "matmul+bias+relu maxpool2d …", the ops that lead in order. */
static char *
chains (const LsPlan *plan, const guint *leader)
{
  GString *s = g_string_new (NULL);

  for (guint i = 0; i < plan->n_ops; i++)
    {
      if (leader[i] != i)
        continue;
      g_string_append_printf (s, "%s%s", s->len > 0 ? " " : "", plan->ops[i].klass->name);
      for (guint j = i + 1; j < plan->n_ops; j++)
        if (leader[j] == i)
          g_string_append_printf (s, "+%s", plan->ops[j].klass->name);
    }
  return g_string_free (s, FALSE);
}

static void
test_presets (void)
{
  guint asked[LS_FUSION_MAX] = { 0 };
  g_autoptr (LsPlan) mlp = ls_loops_plan ("mlp", 1, 28, 28, 10, 8, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, mlp->n_ops);
  ls_plan_fuse (mlp, product_cb, asked, leader);
  g_autofree char *text = chains (mlp, leader);
  g_assert_cmpstr (
    text, ==,
    "gather matmul+bias+relu matmul+bias+relu matmul+bias softmax_xent mean softmax_xent_grad "
    "matmul+relu_grad matmul+sgd bias_grad+sgd matmul+relu_grad matmul+sgd bias_grad+sgd matmul+sgd "
    "bias_grad+sgd");
  g_assert_cmpuint (asked[1], ==, 2); /* relu, behind two of the biases */

  g_autoptr (LsPlan) cnn = ls_loops_plan ("cnn", 1, 28, 28, 10, 8, LS_OPTIMIZER_ADAM);
  g_autofree guint *cnn_leader = g_new (guint, cnn->n_ops);
  ls_plan_fuse (cnn, product_cb, asked, cnn_leader);
  g_autofree char *cnn_text = chains (cnn, cnn_leader);
  g_assert_cmpstr (
    cnn_text, ==,
    "gather conv2d+bias+relu maxpool2d conv2d+bias+relu maxpool2d matmul+bias+relu matmul+bias "
    "softmax_xent mean softmax_xent_grad matmul+relu_grad matmul+adam bias_grad+adam matmul matmul+adam "
    "bias_grad+adam maxpool2d_grad relu_grad conv2d_dx conv2d_dw+adam bias_grad+adam maxpool2d_grad "
    "relu_grad conv2d_dw+adam bias_grad+adam");
}

static void
test_refused (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("mlp", 1, 28, 28, 10, 8, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops);

  ls_plan_fuse (p, none_cb, NULL, leader);
  for (guint i = 0; i < p->n_ops; i++)
    g_assert_cmpuint (leader[i], ==, i);
}

/* A chain ends at LS_FUSION_MAX followers, and an activation that its own gradient reads again isn't skipped
 * over. */
static void
test_limit (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("flatten, dense 4, tanh, tanh, tanh, tanh, tanh, tanh, dense 3", 1, 2,
                                        2, 3, 2, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops);
  ls_plan_fuse (p, any_cb, NULL, leader);
  g_autofree char *text = chains (p, leader);
  g_assert_nonnull (strstr (text, "matmul+bias+tanh tanh tanh tanh tanh tanh matmul+bias "));
  g_assert_nonnull (strstr (
    text, " matmul+tanh_grad+tanh_grad+tanh_grad+tanh_grad matmul+sgd bias_grad+sgd tanh_grad+tanh_grad "));
}

/* What a residual block was given is read twice: by its first layer and by the sum. Nothing is done in the
 * epilogue of the one that would keep it from the other; the sum itself is done in that of what it adds last.
 */
static void
test_second_reader (void)
{
  guint asked[LS_FUSION_MAX] = { 0 };
  g_autoptr (LsPlan) p = ls_loops_plan ("flatten, dense 4, residual(relu, dense 4), tanh, dense 3", 1, 2, 2,
                                        3, 2, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops);

  ls_plan_fuse (p, product_cb, asked, leader);
  g_autofree char *text = chains (p, leader);
  g_assert_cmpstr (
    text, ==,
    "gather matmul+bias relu matmul+bias+add+tanh matmul+bias softmax_xent mean softmax_xent_grad "
    "matmul+tanh_grad matmul+sgd bias_grad+sgd matmul+relu_grad+add matmul+sgd bias_grad+sgd "
    "matmul+sgd bias_grad+sgd");
}

/* A product into rows of y, and an op that takes them over: y's other reader would miss what never came to
 * memory. Then rows that others write in between. */
static void
test_rows (void)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint x
    = (guint) ls_plan_builder_tensor (b, "x", "x", LS_F32, LS_ROLE_ACTIVATION, 2, (gint64[]){ 3, 3 }, NULL),
    y = (guint) ls_plan_builder_tensor (b, "y", "y", LS_F32, LS_ROLE_ACTIVATION, 2, (gint64[]){ 6, 3 }, NULL);
  gint rows = ls_plan_builder_view (b, "rows", "rows", y, 0, 3, NULL),
       others = ls_plan_builder_view (b, "others", "others", y, 3, 3, NULL),
       some = ls_plan_builder_view (b, "some", "some", y, 2, 3, NULL);
  guint leader[6];

  ls_plan_builder_op_into (b, &ls_op_matmul, (guint[]){ x, x }, (LsOpAttr){ 0 }, &rows, "rows", "",
                           LS_ROLE_ACTIVATION, NULL);
  ls_plan_builder_op (b, &ls_op_tanh, (guint[]){ (guint) rows }, (LsOpAttr){ 0 }, "t", "", LS_ROLE_ACTIVATION,
                      NULL);
  guint m = (guint) ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ x, x }, (LsOpAttr){ 0 }, "m", "",
                                        LS_ROLE_ACTIVATION, NULL);
  ls_plan_builder_op_into (b, &ls_op_matmul, (guint[]){ x, x }, (LsOpAttr){ 0 }, &others, "others", "",
                           LS_ROLE_ACTIVATION, NULL);
  /* reads rows 2 … 4 of y, of which two were made after m; and the same rows 0 … 2, made before */
  ls_plan_builder_op (b, &ls_op_add, (guint[]){ m, (guint) some }, (LsOpAttr){ 0 }, "a", "",
                      LS_ROLE_ACTIVATION, NULL);
  g_autoptr (LsPlan) p = ls_plan_builder_finish (b, NULL);
  ls_plan_fuse (p, any_cb, NULL, leader);
  for (guint i = 0; i < p->n_ops; i++)
    g_assert_cmpuint (leader[i], ==, i);
  p->ops[4].in[1] = (guint) rows;
  ls_plan_fuse (p, any_cb, NULL, leader);
  g_assert_cmpuint (leader[4], ==, 2);
  p->ops[4].in[1] = m; /* m + m: the epilogue has m, and must read it as well */
  ls_plan_fuse (p, any_cb, NULL, leader);
  g_assert_cmpuint (leader[4], ==, 4);
}

static guint
tensor (LsPlanBuilder *b, const char *name, LsRole role)
{
  return (guint) ls_plan_builder_tensor (b, name, name, LS_F32, role, 2, (gint64[]){ 3, 3 }, NULL);
}

/* dW, then optionally an op that reads W or the velocity, then the update of W. */
static gboolean
update_is_fused (int reader_of, gboolean reader_first)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint w = tensor (b, "w", LS_ROLE_WEIGHT), v = tensor (b, "v", LS_ROLE_STATE),
        x = tensor (b, "x", LS_ROLE_ACTIVATION);
  guint read[2] = { x, reader_of == 0 ? x : reader_of == 1 ? w : v };
  gint g;

  b->phase = LS_PHASE_BACKWARD;
  if (reader_first)
    ls_plan_builder_op (b, &ls_op_matmul, read, (LsOpAttr){ 0 }, "r", "", LS_ROLE_DELTA, NULL);
  g = ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ x, x }, (LsOpAttr){ 0 }, "g", "", LS_ROLE_GRADIENT,
                          NULL);
  if (!reader_first)
    {
      if (reader_of == 3)
        read[1] = (guint) g; /* a second reader of the gradient */
      ls_plan_builder_op (b, &ls_op_matmul, read, (LsOpAttr){ 0 }, "r", "", LS_ROLE_DELTA, NULL);
    }
  b->phase = LS_PHASE_UPDATE;
  ls_plan_builder_op (b, &ls_op_sgd, (guint[]){ w, (guint) g, v }, (LsOpAttr){ 0 }, "w", "", LS_ROLE_WEIGHT,
                      NULL);

  g_autoptr (LsPlan) p = ls_plan_builder_finish (b, NULL);
  guint leader[3];
  ls_plan_fuse (p, any_cb, NULL, leader);
  return leader[2] != 2;
}

static void
test_hazards (void)
{
  g_assert_true (update_is_fused (0, FALSE));  /* somebody reads something else in between */
  g_assert_true (update_is_fused (1, TRUE));   /* W is read before */
  g_assert_false (update_is_fused (1, FALSE)); /* W is read after */
  g_assert_true (update_is_fused (2, TRUE));
  g_assert_false (update_is_fused (2, FALSE)); /* the velocity is read after */
  g_assert_false (update_is_fused (3, FALSE)); /* the gradient is read by another */
}

/* An op that reads the weights in the very product whose epilogue would overwrite them. */
static void
test_leader_reads (void)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint w = tensor (b, "w", LS_ROLE_WEIGHT), v = tensor (b, "v", LS_ROLE_STATE), leader[2];
  guint g = (guint) ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ w, w }, (LsOpAttr){ 0 }, "g", "",
                                        LS_ROLE_GRADIENT, NULL);

  ls_plan_builder_op (b, &ls_op_sgd, (guint[]){ w, g, v }, (LsOpAttr){ 0 }, "w", "", LS_ROLE_WEIGHT, NULL);
  g_autoptr (LsPlan) p = ls_plan_builder_finish (b, NULL);
  ls_plan_fuse (p, any_cb, NULL, leader);
  g_assert_cmpuint (leader[1], ==, 1);
}

static void
run_steps (LsLoops *loops, const guint *leader, guint n_steps)
{
  for (guint i = 0; i < loops->plan->n_params; i++)
    {
      const guint w = loops->plan->params[i].weight;
      g_autofree float *values = g_new (float, ls_tensor_count (&loops->plan->tensors[w]));
      ls_plan_init_param (loops->plan, i, 5, values);
      for (gint64 k = 0; k < ls_tensor_count (&loops->plan->tensors[w]); k++)
        ls_loops_set (loops, w, k, (double) values[k]);
    }
  for (guint step = 1; step <= n_steps; step++)
    {
      loops->hyper.step = step;
      for (guint i = 0; i < loops->plan->n_ops; i++)
        for (guint j = i; leader[i] == i && j < loops->plan->n_ops; j++)
          if (leader[j] == i)
            ls_loops_run_op (loops, j);
    }
}

static void
test_same_bits (void)
{
  static const char *const models[] = {
    "flatten, dense 9, relu, dense 7, tanh, sigmoid, dense 4",
    "flatten, dense 9, gelu, tanh, dense 7, dropout 0.5, layernorm, relu, dropout 0.2, dense 7, gelu, dense "
    "4",
    "conv 3 3 pad 1, relu, tanh, maxpool 2, conv 4 3, sigmoid, maxpool 2 stride 1, relu, flatten, dense 5, "
    "relu, dense 4",
    "conv 3 3 pad 1, residual(relu, conv 3 3 pad 1, tanh), maxpool 2, flatten, residual(dense 48, "
    "residual(tanh)), "
    "dense 4",
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    for (guint optimizer = LS_OPTIMIZER_SGD; optimizer <= LS_OPTIMIZER_ADAM; optimizer++)
      {
        LsPlan *p = ls_loops_plan (models[i], 2, 9, 8, 4, 5, (LsOptimizer) optimizer);
        g_autofree guint *fused = g_new (guint, p->n_ops), *plain = g_new (guint, p->n_ops);
        LsLoops a, b;
        guint n_fused = 0;

        ls_plan_fuse (p, any_cb, NULL, fused);
        ls_plan_fuse (p, none_cb, NULL, plain);
        for (guint k = 0; k < p->n_ops; k++)
          n_fused += fused[k] != k;
        g_assert_cmpuint (n_fused, >, p->n_params);
        ls_loops_init (&a, p, TRUE);
        ls_loops_init (&b, ls_plan_ref (p), TRUE);
        run_steps (&a, fused, 3);
        run_steps (&b, plain, 3);
        g_assert_cmpmem (a.arena.base, a.arena.bytes, b.arena.base, b.arena.bytes);
        ls_loops_clear (&a);
        ls_loops_clear (&b);
      }
}

/* Each pair that can be joined, by itself, gives the same bits. Returns how many there are. */
static guint
check_pairs (LsPlan *p, const guint *leader, const LsLoops *expected)
{
  guint n = 0;

  for (guint i = 0; i < p->n_ops; i++)
    for (guint j = i + 1; leader[i] == i && j < p->n_ops; j++)
      {
        g_autofree guint *joined = g_memdup2 (leader, p->n_ops * sizeof *leader);
        LsLoops loops;
        if (leader[j] != j || !ls_plan_can_join (p, leader, i, j))
          continue;
        for (guint k = j; k < p->n_ops; k++)
          joined[k] = leader[k] == j ? i : leader[k];
        ls_loops_init (&loops, ls_plan_ref (p), TRUE);
        run_steps (&loops, joined, 2);
        g_assert_cmpmem (loops.arena.base, loops.arena.bytes, expected->arena.base, expected->arena.bytes);
        ls_loops_clear (&loops);
        n++;
      }
  return n;
}

static void
test_joins (void)
{
  static const char *const models[] = {
    "flatten, dense 9, relu, dense 7, tanh, sigmoid, dense 4",
    "conv 3 3 pad 1, relu, maxpool 2, conv 4 3, sigmoid, flatten, dense 5, relu, dense 4",
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (LsPlan) p = ls_loops_plan (models[i], 2, 9, 8, 4, 5, LS_OPTIMIZER_SGD);
      g_autofree guint *leader = g_new (guint, p->n_ops);
      LsLoops expected;

      ls_plan_fuse (p, none_cb, NULL, leader);
      ls_loops_init (&expected, ls_plan_ref (p), TRUE);
      run_steps (&expected, leader, 2);
      g_assert_cmpuint (check_pairs (p, leader, &expected), >, p->n_ops);
      ls_plan_fuse (p, any_cb, NULL, leader);
      g_assert_cmpuint (check_pairs (p, leader, &expected), >, 4);
      ls_loops_clear (&expected);
    }
}

/* A product, an op between, and the update of w by y, which nobody makes: may it be done beside the
 * product? */
static gboolean
update_is_joined (int between, int read_by_head)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint w = tensor (b, "w", LS_ROLE_WEIGHT), v = tensor (b, "v", LS_ROLE_STATE),
        x = tensor (b, "x", LS_ROLE_ACTIVATION);
  guint y = tensor (b, "y", LS_ROLE_ACTIVATION), u = tensor (b, "u", LS_ROLE_STATE);
  const guint leader[3] = { 0, 1, 2 }, read[] = { x, w, v };

  ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ x, read[read_by_head] }, (LsOpAttr){ 0 }, "g", "",
                      LS_ROLE_GRADIENT, NULL);
  if (between < 3)
    ls_plan_builder_op (b, &ls_op_matmul, (guint[]){ x, read[between] }, (LsOpAttr){ 0 }, "r", "",
                        LS_ROLE_DELTA, NULL);
  else
    ls_plan_builder_op (b, &ls_op_sgd, (guint[]){ between == 3 ? y : w, x, u }, (LsOpAttr){ 0 }, "s", "",
                        LS_ROLE_WEIGHT, NULL);
  ls_plan_builder_op (b, &ls_op_sgd, (guint[]){ w, y, v }, (LsOpAttr){ 0 }, "w", "", LS_ROLE_WEIGHT, NULL);

  g_autoptr (LsPlan) p = ls_plan_builder_finish (b, NULL);
  return ls_plan_can_join (p, leader, 0, 2);
}

static void
test_join_hazards (void)
{
  g_assert_true (update_is_joined (0, 0));  /* nobody touches anything */
  g_assert_false (update_is_joined (1, 0)); /* w is read in between */
  g_assert_false (update_is_joined (2, 0)); /* the velocity */
  g_assert_false (update_is_joined (3, 0)); /* y is changed in between */
  g_assert_false (update_is_joined (4, 0)); /* w */
  g_assert_false (update_is_joined (0, 1)); /* the product reads w itself */
}

/* What is handed on within a chain isn't in memory; what another chain with the same leader made, is. */
static void
test_hands_over (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("flatten, dense 3, relu, dense 3", 1, 2, 2, 3, 2, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops), *asked = g_new0 (guint, LS_FUSION_MAX);
  g_autofree LsTiling *tilings = g_new0 (LsTiling, p->n_ops);
  g_autoptr (GString) kept = g_string_new (NULL);

  ls_plan_fuse (p, product_cb, asked, leader);
  for (guint i = 0; i < p->n_ops; i++)
    tilings[i].leader = leader[i];
  for (guint i = 0; i < p->n_ops; i++) /* each bias_grad with its update goes with the product before it */
    if (p->ops[i].klass == &ls_op_bias_grad)
      {
        g_assert_true (ls_plan_can_join (p, leader, i - 1, i));
        for (guint j = i; j < p->n_ops; j++)
          tilings[j].leader = leader[j] == i ? i - 1 : tilings[j].leader;
      }
  for (guint i = 0; i < p->n_ops; i++)
    if (!ls_plan_hands_over (p, tilings, i))
      g_string_append_printf (kept, "%s ", p->tensors[p->ops[i].out[0]].symbol);
  g_assert_cmpstr (kept->str, ==, "X H₁ Y Ŷ L dZ₂ dZ₁ W₁ b₁ W₂ b₂ ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fusion/presets", test_presets);
  g_test_add_func ("/fusion/refused", test_refused);
  g_test_add_func ("/fusion/limit", test_limit);
  g_test_add_func ("/fusion/second-reader", test_second_reader);
  g_test_add_func ("/fusion/rows", test_rows);
  g_test_add_func ("/fusion/hazards", test_hazards);
  g_test_add_func ("/fusion/leader-reads", test_leader_reads);
  g_test_add_func ("/fusion/same-bits", test_same_bits);
  g_test_add_func ("/fusion/joins", test_joins);
  g_test_add_func ("/fusion/join-hazards", test_join_hazards);
  g_test_add_func ("/fusion/hands-over", test_hands_over);
  return g_test_run ();
}
