/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan whose tensors are stored in 16 bits, from one in floats: same ops, same tensors, other dtypes. Which
 * tensor is what follows from its role, as in mixed-precision training (Micikevicius et al., "Mixed precision
 * training", ICLR 2018, section 3.1): master weights in floats, and a copy of them for the products.
 *
 * Of activations and their gradients some stay in floats (an op's wide_in, wide_out). The loss's
 * probabilities: a row of it each. A dropout's mask: its one number, 1/(1 − P), would be wrong by up to half
 * a unit of 16 bits everywhere at once. An lstm's cell and its gradient: they are sums over the steps, and
 * sums are kept in floats, as oneDNN's LSTM in bf16 keeps its cells; c = f·c′ + i·g, rounded to 8 bits at
 * each step, would lose what is less than a 500th of it, however often that comes. No product reads them, so
 * they cost an lstm's products nothing.
 *
 * Zeros stay floats, whoever reads them: they have no bit set, and are zeros in 16 bits, too.
 */
#include "config.h"

#include "core/rc_box.h"
#include "model/plan.h"

/* Of each tensor whether it stays in floats, whatever it is for; of a view, its base. (transfer full) */
static gboolean *
find_wide (const LsPlan *plan)
{
  gboolean *wide = g_new0 (gboolean, plan->n_tensors);

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      for (guint j = 0; j < op->n_in; j++)
        wide[ls_tensor_whole (plan->tensors, op->in[j])] |= (op->klass->wide_in >> j & 1u) != 0;
      for (guint j = 0; j < op->n_out; j++)
        wide[ls_tensor_whole (plan->tensors, op->out[j])] |= (op->klass->wide_out >> j & 1u) != 0;
    }
  return wide;
}

LsPlan *
ls_plan_with_precision (const LsPlan *plan, LsPrecision precision)
{
  const LsDtype dtype = precision == LS_PRECISION_FP16 ? LS_F16 : LS_BF16;
  g_autofree gboolean *wide = NULL;
  LsPlan *other;

  g_return_val_if_fail (plan->precision == LS_PRECISION_FP32, NULL);
  other = ls_counted_copy (plan, sizeof *plan);
  other->model = plan->model != NULL ? ls_model_copy (plan->model) : NULL;
  other->tensors = g_memdup2 (plan->tensors, plan->n_tensors * sizeof *plan->tensors);
  other->ops = g_memdup2 (plan->ops, plan->n_ops * sizeof *plan->ops);
  other->params = g_memdup2 (plan->params, plan->n_params * sizeof *plan->params);
  other->precision = precision;
  if (precision == LS_PRECISION_FP32)
    return other;
  wide = find_wide (plan);
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const LsTensor *t = &plan->tensors[i];
      if (ls_role_is_handed_on (t->role, t->dtype, t->rank) && !wide[ls_tensor_whole (plan->tensors, i)])
        other->tensors[i].dtype = dtype;
      else if (ls_role_is_multiplied (t->role, t->rank))
        other->tensors[i].copy = dtype;
    }
  other->bytes = 0;
  for (guint i = 0; i < plan->n_ops; i++)
    {
      LsOp *op = &other->ops[i];
      op->bytes = ls_op_bytes (op, other->tensors);
      /* its gradient is divided by the loss's scale first: read and written once more */
      if (precision == LS_PRECISION_FP16 && op->phase == LS_PHASE_UPDATE)
        op->bytes += 2 * (gint64) ls_tensor_bytes (&other->tensors[op->in[op->klass->epilogue_input]]);
      other->bytes += op->bytes;
    }
  /* not larger than the plan in floats but for weights' copies, which its limit leaves room for */
  other->arena_bytes = ls_arena_layout (other->tensors, other->n_tensors);
  return other;
}
