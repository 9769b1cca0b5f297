/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan whose tensors are stored in 16 bits, from one in floats: same ops, same tensors, other dtypes. Which
 * tensor is what follows from its role, as in mixed-precision training (Micikevicius et al., "Mixed precision
 * training", ICLR 2018, section 3.1): master weights in floats, and a copy of them for the products.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "model/plan.h"

const char *
ls_precision_name (LsPrecision precision)
{
  static const char *const names[] = { "fp32", "bf16", "fp16" };

  return names[precision];
}

/* What is handed from layer to layer, forwards and back. The probabilities are the loss's, a row of it each.
 */
static gboolean
is_handed_on (const LsPlan *plan, guint tensor)
{
  const LsTensor *t = &plan->tensors[tensor];

  return t->dtype == LS_F32 && t->rank > 1 && tensor != plan->probs
         && (t->role == LS_ROLE_INPUT || t->role == LS_ROLE_ACTIVATION || t->role == LS_ROLE_DELTA);
}

/* Biases are a row of floats, added to what has just been computed. */
static gboolean
is_multiplied (const LsTensor *t)
{
  return t->role == LS_ROLE_WEIGHT && t->rank > 1;
}

/* What has no kernels of 16 bits yet, by the word of the layer that makes it. */
static const struct {
  const LsOpClass *klass;
  const char *word;
} missing[] = {
  { &ls_op_sequence, "lstm" },
  { &ls_op_planes, "lstm" },
  { &ls_op_lstm, "lstm" },
  { &ls_op_lstm_grad, "lstm" },
  { &ls_op_gelu, "gelu" },
  { &ls_op_gelu_grad, "gelu" },
  { &ls_op_layernorm, "layernorm" },
  { &ls_op_layernorm_grad, "layernorm" },
  { &ls_op_layernorm_dw, "layernorm" },
  { &ls_op_dropout, "dropout" },
  { &ls_op_dropout_grad, "dropout" },
  { &ls_op_avgpool2d, "avgpool" },
  { &ls_op_avgpool2d_grad, "avgpool" },
};

static gboolean
check_ops (const LsPlan *plan, LsPrecision precision, GError **error)
{
  for (guint i = 0; i < plan->n_ops; i++)
    for (gsize m = 0; m < G_N_ELEMENTS (missing); m++)
      if (plan->ops[i].klass == missing[m].klass)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                       _("A network with the layer %s isn’t trained in %s; choose --precision fp32."),
                       missing[m].word, ls_precision_name (precision));
          return FALSE;
        }
  return TRUE;
}

LsPlan *
ls_plan_with_precision (const LsPlan *plan, LsPrecision precision, GError **error)
{
  const LsDtype dtype = precision == LS_PRECISION_FP16 ? LS_F16 : LS_BF16;
  LsPlan *other;

  g_return_val_if_fail (plan->precision == LS_PRECISION_FP32, NULL);
  if (precision != LS_PRECISION_FP32 && !check_ops (plan, precision, error))
    return NULL;
  other = g_memdup2 (plan, sizeof *plan);
  other->ref_count = 1;
  other->model = plan->model != NULL ? ls_model_copy (plan->model) : NULL;
  other->tensors = g_memdup2 (plan->tensors, plan->n_tensors * sizeof *plan->tensors);
  other->ops = g_memdup2 (plan->ops, plan->n_ops * sizeof *plan->ops);
  other->params = g_memdup2 (plan->params, plan->n_params * sizeof *plan->params);
  other->precision = precision;
  if (precision == LS_PRECISION_FP32)
    return other;
  for (guint i = 0; i < plan->n_tensors; i++)
    if (is_handed_on (plan, i))
      other->tensors[i].dtype = dtype;
    else if (is_multiplied (&plan->tensors[i]))
      other->tensors[i].copy = dtype;
  other->bytes = 0;
  for (guint i = 0; i < plan->n_ops; i++)
    other->bytes += other->ops[i].bytes = ls_op_bytes (&other->ops[i], other->tensors);
  /* not larger than the plan in floats but for weights' copies, which its limit leaves room for */
  other->arena_bytes = ls_arena_layout (other->tensors, other->n_tensors);
  return other;
}
