/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where tensors lie in a step that nobody looks at: what an lstm's do, and, for networks of every kind, that
 * no op finds another tensor's values where its own should be.
 */
#include <string.h>

#include "facts.h"

typedef enum { APART, AFTER_PRODUCTS, ALL_CHAINS, FUSIONS_N } Fusion;

static gboolean
may_follow_cb (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  const Fusion fusion = *(const Fusion *) data;

  return fusion == ALL_CHAINS || (fusion == AFTER_PRODUCTS && plan->ops[leader].klass == &ls_op_matmul);
}

static guint *
places_of (const LsPlan *plan, Fusion fusion, guint *leader)
{
  guint *place = g_new (guint, plan->n_tensors);

  ls_plan_fuse (plan, may_follow_cb, &fusion, leader);
  ls_plan_places (plan, leader, place);
  return place;
}

static const char *
lies_in (const LsPlan *plan, const guint *place, const char *name)
{
  return plan->tensors[place[facts_find (plan, name) - plan->tensors]].name;
}

static void
test_lstm (void)
{
  static const char *const by_themselves[] = { "x",
                                               "s0",
                                               "h0.steps",
                                               "c0.steps",
                                               "dh0.steps",
                                               "logits",
                                               "probs",
                                               "losses",
                                               "loss",
                                               "a0",
                                               "q0.t1",
                                               "0.weight_hh_l0",
                                               "0.weight_hh_l0.grad",
                                               "1.bias.grad",
                                               "dc0.t27",
                                               "0.weight_ih_l0.momentum_buffer" };
  g_autoptr (LsPlan) p = ls_loops_plan ("lstm", 1, 28, 28, 10, 4, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops), *place = places_of (p, AFTER_PRODUCTS, leader);

  for (gsize i = 0; i < G_N_ELEMENTS (by_themselves); i++)
    g_assert_cmpstr (lies_in (p, place, by_themselves[i]), ==, by_themselves[i]);
  /* gates where Z was, dZ where the gates were, each step's rows in its own; a part lies in its whole */
  g_assert_cmpstr (lies_in (p, place, "g0.steps"), ==, "a0");
  g_assert_cmpstr (lies_in (p, place, "g0.t5"), ==, "a0");
  g_assert_cmpstr (lies_in (p, place, "dz0"), ==, "a0");
  g_assert_cmpstr (lies_in (p, place, "dz0.t28"), ==, "a0");
  g_assert_cmpstr (lies_in (p, place, "h0.t3"), ==, "h0.steps");
  /* one memory for what is handed on from step to step */
  g_assert_cmpstr (lies_in (p, place, "q0.t2"), ==, "q0.t1");
  g_assert_cmpstr (lies_in (p, place, "q0.t28"), ==, "q0.t1");
  g_assert_cmpstr (lies_in (p, place, "dc0.t26"), ==, "dc0.t27");
  g_assert_cmpstr (lies_in (p, place, "dc0.t1"), ==, "dc0.t27");
}

/* Of two layers each has memory of its own. */
static void
test_two_layers (void)
{
  g_autoptr (LsPlan) p = ls_loops_plan ("lstm 6 all, lstm 6, dense 3", 1, 5, 4, 3, 2, LS_OPTIMIZER_SGD);
  g_autofree guint *leader = g_new (guint, p->n_ops), *place = places_of (p, ALL_CHAINS, leader);

  g_assert_cmpstr (lies_in (p, place, "q0.t3"), ==, "q0.t1");
  g_assert_cmpstr (lies_in (p, place, "q1.t3"), ==, "q1.t1");
  g_assert_cmpstr (lies_in (p, place, "g0.steps"), ==, "a0");
  g_assert_cmpstr (lies_in (p, place, "g1.steps"), ==, "a1");
  g_assert_cmpstr (lies_in (p, place, "dz1"), ==, "a1");
}

/* Where 16 bits are stored, tiles convert what they read: nothing is moved. */
static void
test_precision (void)
{
  g_autoptr (LsPlan) plain = ls_loops_plan ("lstm 6, dense 3", 1, 5, 4, 3, 2, LS_OPTIMIZER_SGD);
  g_autoptr (LsPlan) p = ls_plan_with_precision (plain, LS_PRECISION_BF16);
  g_autofree guint *leader = g_new (guint, p->n_ops), *place = places_of (p, AFTER_PRODUCTS, leader);

  for (guint i = 0; i < p->n_tensors; i++)
    g_assert_cmpuint (place[i], ==, ls_tensor_whole (p->tensors, i));
}

/* What a step doesn't make itself, the next one reads again: an op by itself writes over nothing. */
static void
test_single (void)
{
  static const LsOpClass *const classes[] = { &ls_op_lstm, &ls_op_lstm_grad };

  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      g_autoptr (LsPlan) p = ls_plan_new_single (classes[i], &classes[i]->tests[2], NULL);
      const guint leader = 0;
      g_autofree guint *place = g_new (guint, p->n_tensors);

      ls_plan_places (p, &leader, place);
      for (guint t = 0; t < p->n_tensors; t++)
        g_assert_cmpuint (place[t], ==, t);
    }
}

/* ---- whose values are where ---- */

typedef struct {
  const LsPlan *plan;
  const guint *leader, *place;
  guint **owner; /* of each element of each tensor's memory: the tensor, no view, whose value is there */
} Played;

/* Never in memory: the next op of the chain takes it over. */
static gboolean
is_handed_over (const Played *p, guint tensor)
{
  for (guint i = 0; i < p->plan->n_ops; i++)
    for (guint f = i + 1; p->plan->ops[i].out[0] == tensor && f < p->plan->n_ops; f++)
      {
        const LsOp *next = &p->plan->ops[f];
        if (p->leader[f] == p->leader[i] && next->klass->elementwise
            && next->in[next->klass->epilogue_input] == tensor)
          return TRUE;
      }
  return FALSE;
}

static guint *
owners_of (const Played *p, guint tensor)
{
  return p->owner[p->place[tensor]] + p->plan->tensors[tensor].first;
}

static void
read_all (const Played *p, const LsOp *op, guint j)
{
  const guint tensor = op->in[j];
  const LsTensor *t = &p->plan->tensors[tensor];

  if ((op->klass->shape_only & (1u << j)) != 0 || is_handed_over (p, tensor))
    return;
  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    if (owners_of (p, tensor)[i] != ls_tensor_whole (p->plan->tensors, tensor))
      g_error ("%s reads element %d of %s, where %s lies", op->equation, (int) i, t->name,
               p->plan->tensors[owners_of (p, tensor)[i]].name);
}

static void
write_all (const Played *p, const LsOp *op, guint j)
{
  const guint tensor = op->out[j];

  if (is_handed_over (p, tensor))
    return;
  for (gint64 i = 0; i < ls_tensor_count (&p->plan->tensors[tensor]); i++)
    owners_of (p, tensor)[i] = ls_tensor_whole (p->plan->tensors, tensor);
}

/* What is read after the step lies by itself, and nobody else there. */
static void
check_kept (const LsPlan *plan, const guint *place)
{
  for (guint t = 0; t < plan->n_tensors; t++)
    {
      const guint in = place[t], whole = ls_tensor_whole (plan->tensors, t);
      const LsRole role = plan->tensors[in].role;
      g_assert_cmpint (plan->tensors[in].is_view, ==, FALSE);
      if (in != whole)
        g_assert_true ((role == LS_ROLE_ACTIVATION || role == LS_ROLE_DELTA) && role != LS_ROLE_INPUT
                       && plan->tensors[whole].role != LS_ROLE_WEIGHT && in != plan->logits
                       && in != plan->probs && whole != plan->logits && whole != plan->probs
                       && whole != plan->losses && whole != plan->loss);
    }
}

/* Two steps, each chain where its leader is. */
static void
play (const LsPlan *plan, Fusion fusion)
{
  g_autofree guint *leader = g_new (guint, plan->n_ops), *place = places_of (plan, fusion, leader);

  check_kept (plan, place);
  Played p = { plan, leader, place, g_new (guint *, plan->n_tensors) };

  for (guint t = 0; t < plan->n_tensors; t++)
    {
      p.owner[t] = g_new (guint, ls_tensor_count (&plan->tensors[t]) + 1);
      for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[t]); i++)
        p.owner[t][i] = t;
    }
  for (guint step = 0; step < 2; step++)
    for (guint i = 0; i < plan->n_ops; i++)
      for (guint f = i; leader[i] == i && f < plan->n_ops; f++)
        {
          const LsOp *op = &plan->ops[f];
          if (leader[f] != i)
            continue;
          for (guint j = 0; j < op->n_in; j++)
            read_all (&p, op, j);
          for (guint j = 0; j < op->n_out; j++)
            write_all (&p, op, j);
        }
  for (guint t = 0; t < plan->n_tensors; t++)
    g_free (p.owner[t]);
  g_free (p.owner);
}

static void
test_owners (void)
{
  static const char *const models[] = {
    "lstm 6, dense 3",
    "lstm 6 all, flatten, dense 3",
    "lstm 5 all, lstm 5 all, lstm 5, dense 3",
    "lstm 6, relu, dense 3",
    "lstm 6 all, dropout 0.5, lstm 6, dense 6, residual(tanh, dense 6), dense 3",
    "conv 4 3 pad 1, relu, maxpool 2, conv 4 3 pad 1, relu, avgpool 2, flatten, dense 3",
    "flatten, dense 8, layernorm, gelu, residual(relu, dense 8, residual(relu, dense 8)), dense 3",
    "flatten, dense 8, dropout 0.2, sigmoid, dense 8, tanh, dense 3",
  };

  for (gsize m = 0; m < G_N_ELEMENTS (models); m++)
    for (Fusion fusion = APART; fusion < FUSIONS_N; fusion++)
      for (guint o = 0; o < 2; o++)
        {
          g_autoptr (LsPlan) plan = ls_loops_plan (models[m], 1, 8, 8, 3, 3,
                                                   o ? LS_OPTIMIZER_ADAM : LS_OPTIMIZER_SGD);
          play (plan, fusion);
        }
}

/* Some op before `op` writes all of the tensor, and none at or after it any of it. */
static gboolean
is_made_before (const LsPlan *plan, guint tensor, guint op)
{
  gboolean made = FALSE;

  for (guint i = 0; i < plan->n_ops; i++)
    for (guint j = 0; j < plan->ops[i].n_out; j++)
      if (ls_tensors_overlap (plan->tensors, plan->ops[i].out[j], tensor))
        {
          if (i >= op)
            return FALSE;
          made |= plan->ops[i].out[j] == tensor;
        }
  return made;
}

/* An op reads something else that has been made by then, as long as what it read. */
static void
rewire (LsPlan *plan, GRand *random)
{
  for (guint tries = 0; tries < 200; tries++)
    {
      const guint i = (guint) g_rand_int_range (random, 0, (gint32) plan->n_ops),
                  tensor = (guint) g_rand_int_range (random, 0, (gint32) plan->n_tensors);
      LsOp *op = &plan->ops[i];
      const guint j = op->n_in > 0 ? (guint) g_rand_int_range (random, 0, (gint32) op->n_in) : 0;

      if (op->n_in == 0 || op->klass->in_place[0] >= 0 || op->in[j] == tensor
          || !is_made_before (plan, tensor, i)
          || plan->tensors[tensor].dtype != plan->tensors[op->in[j]].dtype
          || ls_tensor_count (&plan->tensors[tensor]) != ls_tensor_count (&plan->tensors[op->in[j]]))
        continue;
      op->in[j] = tensor;
      return;
    }
}

/* Plans as no network has them: whoever reads what late, or from elsewhere, still finds it. */
static void
test_rewired (void)
{
  static const char *const models[] = { "lstm 4, dense 3", "lstm 4 all, lstm 4, dense 3",
                                        "flatten, dense 6, residual(relu, dense 6), dense 3" };
  GRand *random = g_rand_new_with_seed (18);
  guint moved = 0;

  for (guint trial = 0; trial < 600; trial++)
    {
      g_autoptr (LsPlan) plan = ls_loops_plan (models[trial % G_N_ELEMENTS (models)], 1, 4, 4, 3, 2,
                                               LS_OPTIMIZER_SGD);
      g_autofree guint *leader = g_new (guint, plan->n_ops);

      for (gint n = g_rand_int_range (random, 1, 4); n > 0; n--)
        rewire (plan, random);
      for (Fusion fusion = APART; fusion < FUSIONS_N; fusion++)
        play (plan, fusion);
      g_autofree guint *place = places_of (plan, ALL_CHAINS, leader);
      for (guint t = 0; t < plan->n_tensors; t++)
        moved += place[t] != ls_tensor_whole (plan->tensors, t);
    }
  g_assert_cmpuint (moved, >, 600);
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/lstm", test_lstm);
  g_test_add_func ("/places/two-layers", test_two_layers);
  g_test_add_func ("/places/precision", test_precision);
  g_test_add_func ("/places/single", test_single);
  g_test_add_func ("/places/owners", test_owners);
  g_test_add_func ("/places/rewired", test_rewired);
  return g_test_run ();
}
