/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan and options to launches, on a device that is invented: who is computed with whom, what the
 * tilings say of it, which arguments a launch takes, and that a run's launches do each of its ops once.
 */
#include "config.h"
#include "invented.h"

static void
lane_derive (Lane *lane)
{
  ls_cl_launches_derive (&lane->cl);
}

static const char *const models[] = {
  "flatten, dense 32, relu, dense 24, tanh, dense 10",
  "conv 8 3 pad 1, relu, maxpool 2, conv 4 3, sigmoid, flatten, dense 10",
  "lstm 9 all, lstm 17, layernorm, dropout 0.3, dense 10",
};
static const char *const rungs[] = { "naive", "tiled", "register", "packed", "auto" };

/* A tiling says its rung and tile, and “apart” where an op that could be done at once isn't. An op's leader
 * is itself or one before it, which leads itself, and they are cut alike. */
static void
check_tilings (const Lane *lane)
{
  for (guint i = 0; i < lane->plan->n_ops; i++)
    {
      const LsTiling *t = &lane->cl.tilings[i], *leader = &lane->cl.tilings[t->leader];
      const LsClLaunch *launch = &lane->cl.single[t->leader];
      const gboolean apart = !lane->cl.fusion && lane->plan->ops[i].klass == &ls_op_lstm;
      g_autofree char *name = g_strdup_printf ("%s %d×%d%s", launch->row->rung, (int) t->tile_rows,
                                               (int) t->tile_cols, apart ? ", apart" : "");

      g_assert_cmpstr (t->kernel, ==, name);
      g_assert_cmpint (t->way, ==,
                       g_str_equal (launch->row->rung, "naive")      ? LS_WAY_NAIVE
                       : g_str_equal (launch->row->rung, "tiled")    ? LS_WAY_TILED
                       : g_str_equal (launch->row->rung, "register") ? LS_WAY_REGISTER
                                                                     : LS_WAY_PACKED);
      g_assert_false (t->reference);
      g_assert_cmpuint (t->leader, <=, i);
      g_assert_cmpuint (leader->leader, ==, t->leader);
      g_assert_cmpmem (t, sizeof *t, leader, sizeof *leader);
      if (!lane->cl.fusion)
        g_assert_cmpuint (t->leader, ==, i);
    }
}

/* Whatever a launch does beside its own op is said to be done with it. */
static void
check_leaders (const Lane *lane)
{
  for (guint i = 0; lane->cl.fusion && i < lane->plan->n_ops; i++)
    {
      const LsClLaunch *chain = &lane->cl.chain[i];
      if (lane->cl.tilings[i].leader != i)
        continue; /* joined itself */
      for (guint f = 0; f < chain->n_followers; f++)
        g_assert_cmpuint (lane->cl.tilings[chain->followers[f]].leader, ==, i);
      for (guint j = 0; j < chain->n_joins; j++)
        {
          const LsClLaunch *joined = &lane->cl.chain[chain->joins[j]];
          g_assert_cmpuint (lane->cl.tilings[joined->op].leader, ==, i);
          for (guint f = 0; f < joined->n_followers; f++)
            g_assert_cmpuint (lane->cl.tilings[joined->followers[f]].leader, ==, i);
        }
    }
}

/* Each op of the range is done by exactly one of the launches, and none beyond it. */
static void
check_schedule (Lane *lane, guint first, guint n, gboolean fuse)
{
  g_autofree guint *done = g_new0 (guint, lane->plan->n_ops);
  const guint n_launches = ls_cl_schedule (&lane->cl, first, n, fuse);

  for (guint k = 0; k < n_launches; k++)
    {
      const LsClLaunch *launch = lane->cl.schedule[k];

      done[launch->op]++;
      for (guint f = 0; f < launch->n_followers; f++)
        done[launch->followers[f]]++;
      for (guint j = 0; j < launch->n_joins; j++)
        {
          const LsClLaunch *joined = &lane->cl.chain[launch->joins[j]];
          done[launch->joins[j]]++;
          for (guint f = 0; f < joined->n_followers; f++)
            done[joined->followers[f]]++;
        }
      g_assert_true (fuse && lane->cl.fusion ? TRUE : launch == &lane->cl.single[first + k]);
    }
  for (guint i = 0; i < lane->plan->n_ops; i++)
    if (done[i] != (i >= first && i < first + n))
      g_error ("of ops %u to %u, op %u (%s) is done %u times", first, first + n - 1, i,
               lane->plan->ops[i].symbol, done[i]);
}

static void
test_once (void)
{
  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint r = 0; r < G_N_ELEMENTS (rungs); r++)
      for (guint i = 0; i < 4; i++)
        {
          Lane lane;

          lane_init (&lane, models[m], 32, i / 2 ? LS_OPTIMIZER_ADAM : LS_OPTIMIZER_SGD, rungs[r], i % 2);
          lane_derive (&lane);
          check_tilings (&lane);
          check_leaders (&lane);
          for (guint first = 0; first < lane.plan->n_ops; first++)
            for (guint n = 1; n <= lane.plan->n_ops - first; n++)
              for (guint fuse = 0; fuse < 2; fuse++)
                check_schedule (&lane, first, n, fuse);
          lane_clear (&lane);
        }
}

/* Of a network of three layers: the batch; Z with bias and activation, three times; the loss with its mean
 * and gradient; dW with its update and with that of the bias, three times; dX with the activation's gradient,
 * of all layers but the first. */
static void
test_step (void)
{
  static const struct {
    const char *rung;
    guint batch;
    LsOptimizer optimizer;
    guint launches;
  } cases[] = {
    { "packed", 32, LS_OPTIMIZER_SGD, 1 + 3 + 1 + 3 + 2 },
    { "packed", 410, LS_OPTIMIZER_SGD, 1 + 3 + 2 + 3 + 2 }, /* one group hasn't all losses */
    /* adam's updates are kernels of their own, of weights and of biases */
    { "packed", 32, LS_OPTIMIZER_ADAM, 1 + 3 + 1 + 3 + 2 + 6 },
    /* nothing is joined, nor updated in a product's epilogue: a bias's gradient, and each update */
    { "tiled", 32, LS_OPTIMIZER_SGD, 1 + 3 + 3 + 3 + 2 + 3 + 6 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n;
      Lane lane;

      lane_init (&lane, models[0], cases[i].batch, cases[i].optimizer, cases[i].rung, TRUE);
      lane_derive (&lane);
      n = ls_cl_schedule (&lane.cl, 0, lane.plan->n_ops, TRUE);
      for (guint k = 0; k < n; k++)
        {
          g_autofree char *title = ls_cl_op_title (&lane.cl, lane.cl.schedule[k]->op);
          g_test_message ("%s, %u followers, %u joined", title, lane.cl.schedule[k]->n_followers,
                          lane.cl.schedule[k]->n_joins);
        }
      if (n != cases[i].launches)
        g_error ("%s, batch %u: %u launches, not %u", cases[i].rung, cases[i].batch, n, cases[i].launches);
      lane_clear (&lane);
    }
}

static guint
count_args (const LsClLaunch *launch, guint pass, LsClArg arg)
{
  guint n = 0;

  for (const LsClArg *a = launch->args[pass]; *a != LS_CL_ARG_END; a++)
    n += *a == arg;
  return n;
}

/* An update in the epilogue takes its numbers, once; what is joined has its output, with its state where it
 * is updated, or the step's slot where it is the loss. Ops alone take what their row says. */
static void
test_arguments (void)
{
  guint n_updates = 0, n_slots = 0, n_states = 0;
  Lane lane;

  lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane_derive (&lane);
  for (guint i = 0; i < lane.plan->n_ops; i++)
    for (guint whole = 0; whole < 2; whole++)
      {
        const LsClLaunch *launch = whole ? &lane.cl.chain[i] : &lane.cl.single[i];
        if (whole && !ls_cl_is_chain (launch))
          continue;
        for (guint p = 0; p < launch->n_passes; p++)
          {
            const gboolean updates = launch->n_followers > 0
                                     && ls_cl_last_op (&lane.cl, launch)->klass == &ls_op_sgd;
            const LsClArg *own = launch->row->passes[p].args;
            guint n = 0;

            while (own[n] != LS_CL_ARG_END)
              n++;
            g_assert_cmpmem (launch->args[p], n * sizeof *own, own, n * sizeof *own); /* first its own */
            if (!whole)
              g_assert_cmpint (launch->args[p][n], ==, LS_CL_ARG_END);
            if (lane.plan->ops[i].klass == &ls_op_sgd)
              continue;
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_STATE), ==, updates);
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_LR), ==, updates);
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_MOMENTUM), ==, updates);
            for (guint j = 0; j < LS_CL_MAX_JOINS; j++)
              g_assert_cmpuint (count_args (launch, p, (LsClArg) (LS_CL_ARG_JOIN0 + j)), ==,
                                j < launch->n_joins);
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_JOIN_STATE), ==,
                              updates ? launch->n_joins : 0);
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_SLOT), ==,
                              ls_cl_keeps_loss (&lane.cl, launch));
            g_assert_cmpuint (count_args (launch, p, LS_CL_ARG_LOSSES), ==,
                              ls_cl_keeps_loss (&lane.cl, launch));
            n_updates += updates;
            n_states += count_args (launch, p, LS_CL_ARG_JOIN_STATE);
            n_slots += ls_cl_keeps_loss (&lane.cl, launch);
          }
      }
  g_assert_cmpuint (n_updates, ==, 6); /* of weights and biases */
  g_assert_cmpuint (n_states, ==, 3);
  g_assert_cmpuint (n_slots, ==, 1);
  lane_clear (&lane);
}

/* What a launch writes is the output of the last op that it does: of its own, of its last follower's, and so
 * for each op that it is joined by, whether one follows that one, several, or none. */
static void
test_last (void)
{
  guint n_updates = 0, n_alone = 0, n_own = 0;
  Lane lane;

  lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane_derive (&lane);
  for (guint i = 0; i < lane.plan->n_ops; i++)
    {
      const LsOp *ops = lane.plan->ops;
      const LsClLaunch *chain = &lane.cl.chain[i];

      if (ls_cl_last_op (&lane.cl, &lane.cl.single[i]) != &ops[i])
        g_error ("alone, %s ends in another op", ops[i].symbol);
      n_own += chain->n_followers == 0;
      if (chain->n_followers > 0
          && ls_cl_last_op (&lane.cl, chain) != &ops[chain->followers[chain->n_followers - 1]])
        g_error ("%s doesn't end in the last of its %u followers", ops[i].symbol, chain->n_followers);
      for (guint j = 0; j < chain->n_joins; j++)
        {
          const LsOp *joined = &ops[chain->joins[j]], *last = ls_cl_join_op (&lane.cl, chain, j);
          const gboolean updates = joined->klass == &ls_op_bias_grad;

          /* a bias's gradient ends in its update; mean and gradient of the loss are followed by none */
          if (updates ? last->klass != &ls_op_sgd || last->in[1] != joined->out[0] : last != joined)
            g_error ("%s, joined by %s, ends in %s", joined->symbol, ops[i].symbol, last->symbol);
          n_updates += updates;
          n_alone += !updates;
        }
    }
  g_assert_cmpuint (n_updates, ==, 3);
  g_assert_cmpuint (n_alone, ==, 2);
  g_assert_cmpuint (n_own, >, 0);
  lane_clear (&lane);
}

/* The epilogue's other operand is the bias, or what the gradient of an activation is masked with. */
static void
test_operand (void)
{
  guint n_bias = 0, n_masks = 0;
  Lane lane;

  lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane_derive (&lane);
  for (guint i = 0; i < lane.plan->n_ops; i++)
    {
      const LsClLaunch *launch = &lane.cl.chain[i];
      const LsOp *follower = launch->n_followers > 0 ? &lane.plan->ops[launch->followers[0]] : NULL;
      const guint operand = ls_cl_epilogue_tensor (&lane.cl, launch, 12345);

      if (follower == NULL)
        g_assert_cmpuint (operand, ==, 12345);
      else if (follower->klass == &ls_op_bias)
        {
          g_assert_true (g_str_has_suffix (lane.plan->tensors[operand].name, ".bias"));
          n_bias++;
        }
      else if (g_str_has_suffix (follower->klass->name, "_grad"))
        {
          g_assert_cmpuint (operand, !=, follower->in[follower->klass->epilogue_input]);
          g_assert_cmpint (lane.plan->tensors[operand].role, ==, LS_ROLE_ACTIVATION);
          n_masks++;
        }
    }
  g_assert_cmpuint (n_bias, ==, 3);
  g_assert_cmpuint (n_masks, ==, 2);
  lane_clear (&lane);
}

/* The edge that is asked for is the tiled rung's alone; what doesn't fit the device isn't taken. */
static void
test_tile (void)
{
  static const struct {
    const char *rung;
    int tile;
    gint64 rows;
  } cases[] = {
    { "tiled", 0, 16 }, { "tiled", 8, 8 }, { "tiled", 32, 32 }, { "tiled", 128, 16 }, { "naive", 8, 16 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint op = 0;
      Lane lane;

      lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, cases[i].rung, FALSE);
      lane.cl.tile = cases[i].tile;
      lane_derive (&lane);
      while (lane.plan->ops[op].klass != &ls_op_matmul)
        op++;
      g_assert_cmpint (lane.cl.tilings[op].tile_rows, ==, cases[i].rows);
      lane_clear (&lane);
    }
}

/* A batch that the host gathers is no kernel's; where no kernel fits, the reference does it, and that is
 * said. */
static void
test_without_kernel (void)
{
  Lane lane;

  lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, "auto", TRUE);
  lane.cl.batch_from = LS_BATCH_FROM_HOST;
  lane_derive (&lane);
  g_assert_true (lane.plan->ops[0].klass == &ls_op_gather);
  g_assert_cmpstr (lane.cl.tilings[0].kernel, ==, "gathered on the host");
  g_assert_false (lane.cl.tilings[0].reference);
  lane.cl.batch_from = LS_BATCH_FROM_DEVICE;
  lane.device.limits.local_mem = 0;
  lane.device.limits.max_group = 1;
  lane_derive (&lane);
  for (guint i = 0; i < lane.plan->n_ops; i++)
    if (lane.plan->ops[i].klass == &ls_op_matmul)
      {
        const LsTiling *t = &lane.cl.tilings[i];
        g_assert_true (t->reference);
        g_assert_cmpstr (t->kernel, ==, "naive loops");
        g_assert_cmpuint (t->grid_rows * t->grid_cols, ==, 1);
        g_assert_cmpuint (t->leader, ==, i);
      }
  lane_clear (&lane);
}

/* As much scratch memory as the launch that wants most of it, in bytes: of a convolution a frame, which is
 * larger than its image. */
static void
test_scratch (void)
{
  Lane lane;

  lane_init (&lane, models[0], 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane_derive (&lane);
  g_assert_cmpuint (lane.cl.memory.scratch_bytes[0] + lane.cl.memory.scratch_bytes[1], ==, 0);
  lane_clear (&lane);
  lane_init (&lane, models[1], 32, LS_OPTIMIZER_SGD, "packed", TRUE);
  lane_derive (&lane);
  for (guint s = 0; s < 2; s++)
    {
      gsize most = 0;
      for (guint i = 0; i < lane.plan->n_ops; i++)
        {
          const LsClLaunch *launch = &lane.cl.single[i];
          for (guint p = 0; p < launch->n_passes; p++)
            if (launch->needed[p])
              most = MAX (most, 4 * launch->range[p].scratch_floats[s]);
        }
      g_assert_cmpuint (lane.cl.memory.scratch_bytes[s], ==, most);
    }
  g_assert_cmpuint (lane.cl.memory.scratch_bytes[0], >, 4 * 32 * 8 * 6 * 6);
  lane_clear (&lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/launches/once", test_once);
  g_test_add_func ("/launches/step", test_step);
  g_test_add_func ("/launches/arguments", test_arguments);
  g_test_add_func ("/launches/operand", test_operand);
  g_test_add_func ("/launches/last", test_last);
  g_test_add_func ("/launches/tile", test_tile);
  g_test_add_func ("/launches/without-kernel", test_without_kernel);
  g_test_add_func ("/launches/scratch", test_scratch);
  return g_test_run ();
}
