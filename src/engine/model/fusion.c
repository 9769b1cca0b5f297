/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which ops can be done in the epilogue of which: bias and activation after a product, an activation's
 * gradient after the product that makes dH, an update after the op that makes the gradient. No pair of ops is
 * named here: the rule asks only who reads and writes what. Whether a kernel has the epilogue is the
 * backend's to say. In fp16 no update is made before all gradients have been looked at: core/loss_scale.h.
 */
#include "model/plan.h"

gboolean
ls_op_reads (const LsPlan *plan, const LsOp *op, guint tensor)
{
  for (guint j = 0; j < op->n_in; j++)
    if ((op->klass->shape_only & (1u << j)) == 0 && ls_tensors_overlap (plan->tensors, op->in[j], tensor))
      return TRUE;
  return FALSE;
}

gboolean
ls_op_writes (const LsPlan *plan, const LsOp *op, guint tensor)
{
  for (guint j = 0; j < op->n_out; j++)
    if (ls_tensors_overlap (plan->tensors, op->out[j], tensor))
      return TRUE;
  return FALSE;
}

/* Nobody but the follower reads what passes between the two, and it does so once. */
static gboolean
only_reader (const LsPlan *plan, guint follower, guint tensor)
{
  const LsOp *op = &plan->ops[follower];
  guint times = 0;

  if (tensor == plan->logits || tensor == plan->probs || tensor == plan->losses || tensor == plan->loss)
    return FALSE;
  for (guint j = 0; j < op->n_in; j++)
    times += ls_tensors_overlap (plan->tensors, op->in[j], tensor);
  for (guint i = 0; i < plan->n_ops; i++)
    if (i != follower && ls_op_reads (plan, &plan->ops[i], tensor))
      return FALSE;
  return times == 1;
}

/* `other` reads or writes what op writes. */
static gboolean
touches_outputs (const LsPlan *plan, const LsOp *other, const LsOp *op)
{
  for (guint j = 0; j < op->n_out; j++)
    if (ls_op_reads (plan, other, op->out[j]) || ls_op_writes (plan, other, op->out[j]))
      return TRUE;
  return FALSE;
}

/* The follower may be done as early as its leader: from the leader on, nobody touches what it writes, and
 * nobody makes what it reads, apart from the tensor handed over. */
static gboolean
can_move_up (const LsPlan *plan, guint leader, guint follower, guint handed_over)
{
  const LsOp *op = &plan->ops[follower];

  for (guint i = leader; i < follower; i++)
    {
      const LsOp *other = &plan->ops[i];
      if (touches_outputs (plan, other, op))
        return FALSE;
      for (guint j = 0; j < op->n_in; j++)
        if (op->in[j] != handed_over && ls_op_writes (plan, other, op->in[j]))
          return FALSE;
    }
  return TRUE;
}

/* The op whose out[0] the follower takes, or n_ops. Rows of a larger tensor aren't handed over: who reads all
 * of it would miss them. */
static guint
maker_of (const LsPlan *plan, guint follower, guint tensor)
{
  for (guint i = plan->tensors[tensor].is_view ? 0 : follower; i-- > 0;)
    if (ls_op_writes (plan, &plan->ops[i], tensor))
      return plan->ops[i].out[0] == tensor ? i : plan->n_ops;
  return plan->n_ops;
}

void
ls_plan_fuse (const LsPlan *plan, LsFusionFunc can, gpointer data, guint *leader)
{
  g_autofree guint *n_followers = g_new0 (guint, plan->n_ops);

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];

      leader[i] = i;
      if (!op->klass->elementwise || (op->phase == LS_PHASE_UPDATE && plan->precision == LS_PRECISION_FP16))
        continue;

      guint handed_over = op->in[op->klass->epilogue_input];
      guint maker = maker_of (plan, i, handed_over);
      if (maker == plan->n_ops)
        continue;

      guint head = leader[maker];
      /* Each link has one reader, so a chain never forks: the maker is its last op. */
      if (n_followers[head] < LS_FUSION_MAX && only_reader (plan, i, handed_over)
          && can_move_up (plan, head, i, handed_over) && can (plan, head, i, n_followers[head], data))
        {
          leader[i] = head;
          n_followers[head]++;
        }
    }
}

gboolean
ls_plan_can_join (const LsPlan *plan, const guint *leader, guint head, guint other)
{
  for (guint f = other; f < plan->n_ops; f++)
    for (guint i = head; leader[f] == other && i < f; i++)
      {
        const LsOp *op = &plan->ops[f], *before = &plan->ops[i];
        if (leader[i] == other) /* its own chain moves with it */
          continue;
        if (touches_outputs (plan, before, op))
          return FALSE;
        for (guint j = 0; leader[i] != head && j < op->n_in; j++)
          if (ls_op_writes (plan, before, op->in[j]))
            return FALSE;
      }
  return TRUE;
}

gboolean
ls_plan_hands_over (const LsPlan *plan, const LsTiling *tilings, guint op)
{
  for (guint i = op + 1; i < plan->n_ops; i++)
    {
      const LsOp *next = &plan->ops[i];
      if (tilings[i].leader == tilings[op].leader && next->klass->elementwise
          && next->in[next->klass->epilogue_input] == plan->ops[op].out[0])
        return TRUE;
    }
  return FALSE;
}
