/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan of one op, on one of the shapes its class lists: what the tests of kernels and backends run.
 */
#include "model/plan.h"

/* What an input is for, as far as the class tells: optimizers work in place, integers are labels or
 * positions. */
static LsRole
input_role (const LsOpClass *klass, guint j)
{
  if (klass->in_dtype[j] == LS_I32)
    return klass == &ls_op_maxpool2d_grad ? LS_ROLE_INDEX : LS_ROLE_LABEL;
  if (klass->in_place[0] < 0)
    return LS_ROLE_ACTIVATION;
  return j == 0 ? LS_ROLE_WEIGHT : j == 1 ? LS_ROLE_GRADIENT : LS_ROLE_STATE;
}

static void
mark_known_tensors (LsPlan *plan, const LsOpClass *klass, const LsOp *op)
{
  if (klass == &ls_op_gather)
    {
      plan->x = op->out[0];
      plan->labels = op->out[1];
    }
  else if (klass == &ls_op_softmax_xent)
    {
      plan->logits = op->in[0];
      plan->labels = op->in[1];
      plan->probs = op->out[0];
      plan->losses = op->out[1];
    }
  else if (klass == &ls_op_softmax_xent_grad)
    plan->probs = op->in[0];
  else if (klass == &ls_op_mean)
    {
      plan->losses = op->in[0];
      plan->loss = op->out[0];
    }
}

LsPlan *
ls_plan_new_single (const LsOpClass *klass, const LsOpTest *test, GError **error)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint in[LS_OP_MAX_IN] = { 0 };

  for (guint j = 0; j < klass->n_in; j++)
    {
      g_autofree char *name = g_strdup_printf ("in%u", j);
      guint rank = 0;

      while (rank < LS_MAX_RANK && test->in[j][rank] != 0)
        rank++;
      gint id = ls_plan_builder_tensor (b, name, name, klass->in_dtype[j], input_role (klass, j),
                                        MAX (rank, 1), test->in[j], error);
      if (id < 0)
        return NULL;
      in[j] = (guint) id;
    }

  b->phase = klass == &ls_op_gather    ? LS_PHASE_INPUT
             : klass->in_place[0] >= 0 ? LS_PHASE_UPDATE
                                       : LS_PHASE_FORWARD;
  if (ls_plan_builder_op (b, klass, in, test->attr, klass->name, klass->formula, LS_ROLE_ACTIVATION, error)
      < 0)
    return NULL;

  const LsOp *op = &g_array_index (b->ops, LsOp, 0);
  for (guint j = 0; j < klass->n_out; j++)
    {
      g_autofree char *name = g_strdup_printf ("out%u", j);
      gboolean index = klass->out_dtype[j] == LS_I32;
      LsRole role = index                       ? klass == &ls_op_gather ? LS_ROLE_LABEL : LS_ROLE_INDEX
                    : klass == &ls_op_conv2d_dw ? LS_ROLE_GRADIENT
                                                : LS_ROLE_ACTIVATION;
      if (klass->in_place[j] < 0)
        ls_plan_builder_describe (b, op->out[j], role, name, name);
    }
  b->plan->batch = (guint) ls_plan_builder_get (b, op->out[0])->shape[0];
  mark_known_tensors (b->plan, klass, op);
  return ls_plan_builder_finish (b, error);
}
