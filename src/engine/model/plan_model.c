/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model's step, phase by phase: gather, forward (plan_layers.c), loss, backward, update. The backward ops
 * come from the op classes' own gradients, walked in reverse.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "model/plan.h"

static gboolean
add_input (LsPlanBuilder *b, const gint64 in_shape[3], guint batch, GError **error)
{
  LsPlan *plan = b->plan;
  LsOpAttr attr = { .shape = { batch, in_shape[0], in_shape[1], in_shape[2] } };

  b->phase = LS_PHASE_INPUT;
  gint x = ls_plan_builder_op (b, &ls_op_gather, NULL, attr, "X", "X, t = samples[batch]", LS_ROLE_INPUT,
                               error);
  if (x < 0)
    return FALSE;
  plan->x = (guint) x;
  plan->labels = plan->x + 1;
  ls_plan_builder_describe (b, plan->x, LS_ROLE_INPUT, "x", "X");
  ls_plan_builder_describe (b, plan->labels, LS_ROLE_LABEL, "labels", "t");
  return TRUE;
}

static gboolean
add_forward (LsPlanBuilder *b, GError **error)
{
  b->phase = LS_PHASE_FORWARD;
  gint logits = ls_plan_builder_layers (b, b->plan->model, b->plan->x, b->plan->n_classes, error);

  b->plan->logits = (guint) logits;
  return logits >= 0;
}

static gboolean
add_loss (LsPlanBuilder *b, GError **error)
{
  LsPlan *plan = b->plan;

  b->phase = LS_PHASE_LOSS;
  gint probs = ls_plan_builder_op (b, &ls_op_softmax_xent, (guint[]){ plan->logits, plan->labels },
                                   (LsOpAttr){ 0 }, "Ŷ", "Ŷ = softmax(Y); ℓ = −log Ŷ[t]", LS_ROLE_ACTIVATION,
                                   error);
  if (probs < 0)
    return FALSE;
  plan->probs = (guint) probs;
  plan->losses = plan->probs + 1;
  ls_plan_builder_describe (b, plan->probs, LS_ROLE_ACTIVATION, "probs", "Ŷ");
  ls_plan_builder_describe (b, plan->losses, LS_ROLE_LOSS, "losses", "ℓ");

  gint loss = ls_plan_builder_op (b, &ls_op_mean, &plan->losses, (LsOpAttr){ 0 }, "L", "L = mean(ℓ)",
                                  LS_ROLE_LOSS, error);
  if (loss < 0)
    return FALSE;
  plan->loss = (guint) loss;
  ls_plan_builder_describe (b, plan->loss, LS_ROLE_LOSS, "loss", "L");
  return TRUE;
}

/* A layer's bias comes after its product, so the reverse walk makes db first; move it behind dX and dW, the
 * order that plan.h promises. Nothing but the update reads db. */
static void
put_bias_gradients_last (LsPlanBuilder *b, guint first)
{
  LsOp *ops = (LsOp *) (void *) b->ops->data;

  for (guint i = first; i < b->ops->len; i++)
    if (ops[i].klass == &ls_op_bias_grad)
      for (; i + 1 < b->ops->len && ops[i + 1].layer == ops[i].layer && ops[i + 1].klass != &ls_op_bias_grad
             && (ops[i + 1].in[0] == ops[i].in[0] || ops[i + 1].in[1] == ops[i].in[0]);
           i++)
        {
          LsOp bias_grad = ops[i];
          ops[i] = ops[i + 1];
          ops[i + 1] = bias_grad;
        }
}

/* All readers of its outputs have been gone through. The loss starts by itself. */
static gboolean
add_gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  if (op->klass->gradient == NULL || !g_array_index (b->wanted, gboolean, op->out[0]))
    return TRUE;
  for (guint j = 0; j < op->n_out; j++)
    if (!ls_plan_builder_settle (b, op->out[j], error))
      return FALSE;
  return op->klass->gradient (b, op, error);
}

static gboolean
add_backward (LsPlanBuilder *b, GError **error)
{
  const guint n_forward = b->ops->len;

  b->phase = LS_PHASE_BACKWARD;
  for (guint i = n_forward; i-- > 0;)
    {
      const LsOp op = g_array_index (b->ops, LsOp, i);
      b->layer = op.layer;
      if (!add_gradient (b, &op, error))
        {
          g_prefix_error (error, _("gradient of %s: "), op.symbol);
          return FALSE;
        }
    }
  for (guint i = 0; i < b->params->len; i++)
    {
      const guint weight = g_array_index (b->params, LsParam, i).weight;
      b->layer = ls_plan_builder_get (b, weight)->layer;
      if (!ls_plan_builder_settle (b, weight, error))
        return FALSE;
    }
  put_bias_gradients_last (b, n_forward);
  return TRUE;
}

static gboolean
add_state (LsPlanBuilder *b, LsParam *param, const char *name, const char *letter, GError **error)
{
  const LsTensor w = *ls_plan_builder_get (b, param->weight);
  g_autofree char *full_name = g_strdup_printf ("%s.%s", w.name, name);
  g_autofree char *symbol = g_strdup_printf ("%s(%s)", letter, w.symbol);
  gint id = ls_plan_builder_tensor (b, full_name, symbol, LS_F32, LS_ROLE_STATE, w.rank, w.shape, error);

  param->state[param->n_state++] = (guint) id;
  return id >= 0;
}

static gboolean
add_update (LsPlanBuilder *b, LsOptimizer optimizer, GError **error)
{

  b->phase = LS_PHASE_UPDATE;
  for (guint i = 0; i < b->params->len; i++)
    {
      LsParam *param = &g_array_index (b->params, LsParam, i);
      const LsTensor w = *ls_plan_builder_get (b, param->weight);
      gboolean adam = optimizer == LS_OPTIMIZER_ADAM;
      const char *s = w.symbol;
      g_autofree char *equation = adam ? g_strdup_printf ("%s = %s − η·m̂(%s)/(√v̂(%s) + ε)", s, s, s, s)
                                       : g_strdup_printf ("%s = %s − η·v(%s)", s, s, s);
      b->layer = w.layer;
      const gint zeros = ls_plan_builder_has_delta (b, param->weight) ? 0
                                                                      : ls_plan_builder_zeros (b, &w, error);
      if (zeros < 0)
        return FALSE;
      /* a weight that nothing was multiplied by, as of a sequence of one step, stays */
      param->gradient = ls_plan_builder_has_delta (b, param->weight)
                          ? ls_plan_builder_delta_of (b, param->weight)
                          : (guint) zeros;
      if (!(adam
              ? add_state (b, param, "exp_avg", "m", error) && add_state (b, param, "exp_avg_sq", "v", error)
              : add_state (b, param, "momentum_buffer", "v", error)))
        return FALSE;

      guint in[] = { param->weight, param->gradient, param->state[0], param->state[1] };
      if (ls_plan_builder_op (b, adam ? &ls_op_adam : &ls_op_sgd, in, (LsOpAttr){ 0 }, w.symbol, equation,
                              LS_ROLE_WEIGHT, error)
          < 0)
        return FALSE;
    }
  return TRUE;
}

/* A preset is of ten classes as its name has it, and of as many as the data have here. (transfer full) */
static LsModel *
fit_preset (const LsModel *model, gint n_classes)
{
  LsModel *fitted = ls_model_copy (model);
  LsLayer *last = &fitted->layers[fitted->n_layers - 1];

  if (fitted->name == NULL || last->kind != LS_LAYER_DENSE || last->n == n_classes)
    return fitted;
  last->n = n_classes;
  g_free (fitted->text);
  fitted->text = ls_layers_text (fitted->layers, fitted->n_layers);
  return fitted;
}

static LsPlan *
make (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch, LsOptimizer optimizer,
      gboolean any_size, GError **error)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();

  b->any_size = any_size;
  b->plan->model = fit_preset (model, n_classes);
  b->plan->optimizer = optimizer;
  b->plan->batch = batch;
  b->plan->n_classes = n_classes;
  memcpy (b->plan->in_shape, in_shape, sizeof b->plan->in_shape);
  if (!add_input (b, in_shape, batch, error) || !add_forward (b, error) || !add_loss (b, error)
      || !add_backward (b, error) || !add_update (b, optimizer, error))
    return NULL;
  return ls_plan_builder_finish (b, error);
}

LsPlan *
ls_plan_new (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch,
             LsOptimizer optimizer, GError **error)
{
  return make (model, in_shape, n_classes, batch, optimizer, FALSE, error);
}

LsPlan *
ls_plan_new_sketch (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch,
                    LsOptimizer optimizer, GError **error)
{
  return make (model, in_shape, n_classes, batch, optimizer, TRUE, error);
}
