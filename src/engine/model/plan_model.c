/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From layers to a step's ops: gather, forward, loss, backward, update. Each layer kind is one function below; the
 * backward ops come from the op classes' own gradients, walked in reverse.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "model/plan.h"
#include "ops/shape.h"

typedef struct {
  LsPlanBuilder *b;
  const LsModel *model;
  guint i;               /* the layer at hand */
  gint n_classes;
  guint current;         /* tensor: the last layer's output */
  gboolean flat;         /* flatten was met: rows of numbers, whatever the tensor's rank */
  guint n_weighted;      /* layers with weights so far: the lecture's subscript */
} Maker;

static const LsLayer *
layer_of (const Maker *m)
{
  return &m->model->layers[m->i];
}

static gboolean G_GNUC_PRINTF (2, 3)
fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *rest = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, rest);
  return FALSE;
}

/* ---- names ---- */

/* "W" and 12 → "W₁₂" */
static char *
subscripted (const char *letter, guint number)
{
  static const char *const digits[] = { "₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉" };
  g_autofree char *decimal = g_strdup_printf ("%u", number);
  GString *s = g_string_new (letter);

  for (const char *d = decimal; *d != '\0'; d++)
    g_string_append (s, digits[*d - '0']);
  return g_string_free (s, FALSE);
}

static gboolean
symbol_taken (const LsPlanBuilder *b, const char *symbol)
{
  for (guint i = 0; i < b->tensors->len; i++)
    if (strcmp (g_array_index (b->tensors, LsTensor, i).symbol, symbol) == 0)
      return TRUE;
  return FALSE;
}

/* The layer's symbol: H₁ after the first layer with weights; H₁,₂ if that is taken by another activation since. */
static char *
layer_symbol (const Maker *m, const char *letter)
{
  char *symbol = subscripted (letter, m->n_weighted);

  for (guint n = 2; symbol_taken (m->b, symbol); n++)
    {
      g_autofree char *first = subscripted (letter, m->n_weighted);
      g_autofree char *comma = g_strconcat (first, ",", NULL);
      g_free (symbol);
      symbol = subscripted (comma, n);
    }
  return symbol;
}

/* Appends an op of the layer at hand whose output is the tensor `name`; equation: what stands right of “=”. */
static gint
layer_op (Maker *m, const LsOpClass *klass, const guint *in, LsOpAttr attr, const char *name, const char *symbol,
          const char *right_side, GError **error)
{
  g_autofree char *equation = g_strconcat (symbol, " = ", right_side, NULL);
  gint out = ls_plan_builder_op (m->b, klass, in, attr, symbol, equation, LS_ROLE_ACTIVATION, error);

  if (out >= 0)
    ls_plan_builder_describe (m->b, (guint) out, LS_ROLE_ACTIVATION, name, symbol);
  return out;
}

/* "h3", "z3" */
static char *
layer_name (const Maker *m, const char *letter)
{
  return g_strdup_printf ("%s%u", letter, m->i);
}

/* ---- layers ---- */

/* He's rule before a ReLU, Glorot's otherwise; pooling and flattening in between don't matter. */
static LsInit
weight_init (const Maker *m)
{
  for (guint i = m->i + 1; i < m->model->n_layers; i++)
    {
      LsLayerKind kind = m->model->layers[i].kind;
      if (kind != LS_LAYER_MAXPOOL && kind != LS_LAYER_FLATTEN)
        return kind == LS_LAYER_RELU ? LS_INIT_HE : LS_INIT_XAVIER;
    }
  return LS_INIT_XAVIER;
}

static gint
add_param (Maker *m, const char *kind, const char *symbol, LsInit init, gint64 fan_in, gint64 fan_out, guint rank,
           const gint64 *shape, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u.%s", m->i, kind);
  gint id = ls_plan_builder_tensor (m->b, name, symbol, LS_F32, LS_ROLE_WEIGHT, rank, shape, error);

  if (id >= 0)
    {
      LsParam param = { .weight = (guint) id, .init = init, .fan_in = fan_in, .fan_out = fan_out };
      g_array_append_val (m->b->params, param);
    }
  return id;
}

/* Weights, product, bias: what dense and conv share. The last layer's output is the logits Y. */
static gboolean
add_weighted (Maker *m, const LsOpClass *klass, LsOpAttr attr, guint rank, const gint64 *w_shape, gint64 fan_in,
              gint64 fan_out, GError **error)
{
  const gboolean dense = klass == &ls_op_matmul, last = m->i + 1 == m->model->n_layers;

  m->n_weighted++;
  g_autofree char *w_symbol = subscripted (dense ? "W" : "K", m->n_weighted);
  g_autofree char *b_symbol = subscripted ("b", m->n_weighted);
  g_autofree char *z_symbol = subscripted (dense ? "Z" : "C", m->n_weighted);
  g_autofree char *y_symbol = last ? g_strdup ("Y") : subscripted ("A", m->n_weighted);
  g_autofree char *z_name = layer_name (m, dense ? "z" : "c");
  g_autofree char *y_name = last ? g_strdup ("logits") : layer_name (m, "h");
  g_autofree char *x_symbol = g_strdup (ls_plan_builder_symbol (m->b, m->current));
  g_autofree char *product = dense ? g_strdup_printf ("%s·%sᵀ", x_symbol, w_symbol)
                                   : g_strdup_printf ("%s ∗ %s", x_symbol, w_symbol);
  g_autofree char *sum = g_strdup_printf ("%s + %s", z_symbol, b_symbol);

  gint w = add_param (m, "weight", w_symbol, weight_init (m), fan_in, fan_out, rank, w_shape, error);
  gint b = w < 0 ? -1 : add_param (m, "bias", b_symbol, LS_INIT_ZERO, fan_in, fan_out, 1, w_shape, error);
  if (b < 0)
    return FALSE;
  gint z = layer_op (m, klass, (guint[]) { m->current, (guint) w }, attr, z_name, z_symbol, product, error);
  if (z < 0)
    return FALSE;
  gint y = layer_op (m, &ls_op_bias, (guint[]) { (guint) z, (guint) b }, (LsOpAttr) { 0 }, y_name, y_symbol, sum,
                     error);
  m->current = (guint) y;
  return y >= 0;
}

static gboolean
add_dense (Maker *m, GError **error)
{
  const LsLayer *layer = layer_of (m);
  const LsTensor *x = ls_plan_builder_get (m->b, m->current);
  const gint64 units = layer->n, inputs = ls_tensor_inner (x);

  if (!m->flat)
    {
      g_autofree char *shape = ls_shape_sample_string (x);
      return fail (error, _("dense %d needs a flat input, but its input is %s; put “flatten” before it"), layer->n,
                   shape);
    }
  return add_weighted (m, &ls_op_matmul, (LsOpAttr) { .tb = TRUE }, 2, (gint64[]) { units, inputs }, inputs, units,
                       error);
}

static gboolean
needs_planes (Maker *m, GError **error)
{
  if (!m->flat)
    return TRUE;
  return fail (error, _("%s needs channels × height × width, but its input is flat; put it before “flatten”"),
               ls_layer_word (layer_of (m)->kind));
}

static gboolean
add_conv (Maker *m, GError **error)
{
  const LsLayer *layer = layer_of (m);
  const gint64 kernel = layer->kernel, outputs = layer->n;

  if (!needs_planes (m, error))
    return FALSE;

  const gint64 inputs = ls_plan_builder_get (m->b, m->current)->shape[1];
  return add_weighted (m, &ls_op_conv2d,
                       (LsOpAttr) { .kernel = layer->kernel, .stride = layer->stride, .pad = layer->pad }, 4,
                       (gint64[]) { outputs, inputs, kernel, kernel }, inputs * kernel * kernel,
                       outputs * kernel * kernel, error);
}

static gboolean
add_maxpool (Maker *m, GError **error)
{
  const LsLayer *layer = layer_of (m);

  if (!needs_planes (m, error))
    return FALSE;

  g_autofree char *symbol = layer_symbol (m, "P");
  g_autofree char *name = layer_name (m, "h");
  g_autofree char *index_symbol = g_strconcat ("arg ", symbol, NULL);
  g_autofree char *index_name = g_strconcat (name, ".index", NULL);
  g_autofree char *right = g_strdup_printf ("maxpool(%s)", ls_plan_builder_symbol (m->b, m->current));
  gint out = layer_op (m, &ls_op_maxpool2d, &m->current, (LsOpAttr) { .kernel = layer->kernel, .stride = layer->stride },
                       name, symbol, right, error);
  if (out < 0)
    return FALSE;
  ls_plan_builder_describe (m->b, (guint) out + 1, LS_ROLE_INDEX, index_name, index_symbol);
  m->current = (guint) out;
  return TRUE;
}

static gboolean
add_activation (Maker *m, const LsOpClass *klass, GError **error)
{
  g_autofree char *symbol = layer_symbol (m, "H");
  g_autofree char *name = layer_name (m, "h");
  g_autofree char *right = g_strdup_printf ("%s(%s)", klass->name, ls_plan_builder_symbol (m->b, m->current));
  gint out = layer_op (m, klass, &m->current, (LsOpAttr) { 0 }, name, symbol, right, error);

  m->current = (guint) out;
  return out >= 0;
}

static gboolean
add_layer (Maker *m, GError **error)
{
  switch (layer_of (m)->kind)
    {
    case LS_LAYER_CONV:
      return add_conv (m, error);
    case LS_LAYER_MAXPOOL:
      return add_maxpool (m, error);
    case LS_LAYER_DENSE:
      return add_dense (m, error);
    case LS_LAYER_RELU:
      return add_activation (m, &ls_op_relu, error);
    case LS_LAYER_TANH:
      return add_activation (m, &ls_op_tanh, error);
    case LS_LAYER_SIGMOID:
      return add_activation (m, &ls_op_sigmoid, error);
    case LS_LAYER_FLATTEN:
    default:
      m->flat = TRUE; /* matmul takes any rank as rows: no op */
      return TRUE;
    }
}

/* ---- phases ---- */

static gboolean
add_input (Maker *m, const gint64 in_shape[3], guint batch, GError **error)
{
  LsPlan *plan = m->b->plan;
  LsOpAttr attr = { .shape = { batch, in_shape[0], in_shape[1], in_shape[2] } };

  m->b->phase = LS_PHASE_INPUT;
  gint x = ls_plan_builder_op (m->b, &ls_op_gather, NULL, attr, "X", "X, t = samples[batch]", LS_ROLE_INPUT, error);
  if (x < 0)
    return FALSE;
  plan->x = m->current = (guint) x;
  plan->labels = plan->x + 1;
  ls_plan_builder_describe (m->b, plan->x, LS_ROLE_INPUT, "x", "X");
  ls_plan_builder_describe (m->b, plan->labels, LS_ROLE_LABEL, "labels", "t");
  return TRUE;
}

static gboolean
add_forward (Maker *m, GError **error)
{
  const LsLayer *last = &m->model->layers[m->model->n_layers - 1];

  m->b->phase = LS_PHASE_FORWARD;
  for (m->i = 0; m->i < m->model->n_layers; m->i++)
    {
      m->b->layer = (gint) m->i;
      gboolean ok = layer_of (m) == last && (last->kind != LS_LAYER_DENSE || last->n != m->n_classes)
                      ? fail (error, _("the last layer must be dense %d, one unit for each class of the data"),
                              m->n_classes)
                      : add_layer (m, error);
      if (!ok)
        {
          g_prefix_error (error, _("layer %u, column %d: "), m->i + 1, layer_of (m)->column);
          return FALSE;
        }
    }
  m->b->layer = -1;
  m->b->plan->logits = m->current;
  return TRUE;
}

static gboolean
add_loss (Maker *m, GError **error)
{
  LsPlan *plan = m->b->plan;

  m->b->phase = LS_PHASE_LOSS;
  gint probs = ls_plan_builder_op (m->b, &ls_op_softmax_xent, (guint[]) { plan->logits, plan->labels },
                                   (LsOpAttr) { 0 }, "Ŷ", "Ŷ = softmax(Y); ℓ = −log Ŷ[t]", LS_ROLE_ACTIVATION, error);
  if (probs < 0)
    return FALSE;
  plan->probs = (guint) probs;
  plan->losses = plan->probs + 1;
  ls_plan_builder_describe (m->b, plan->probs, LS_ROLE_ACTIVATION, "probs", "Ŷ");
  ls_plan_builder_describe (m->b, plan->losses, LS_ROLE_LOSS, "losses", "ℓ");

  gint loss = ls_plan_builder_op (m->b, &ls_op_mean, &plan->losses, (LsOpAttr) { 0 }, "L", "L = mean(ℓ)", LS_ROLE_LOSS,
                                  error);
  if (loss < 0)
    return FALSE;
  plan->loss = (guint) loss;
  ls_plan_builder_describe (m->b, plan->loss, LS_ROLE_LOSS, "loss", "L");
  return TRUE;
}

/* A layer's bias comes after its product, so the reverse walk makes db first; move it behind dX and dW, the order that
 * plan.h promises. Nothing but the update reads db. */
static void
put_bias_gradients_last (LsPlanBuilder *b, guint first)
{
  LsOp *ops = (LsOp *) (void *) b->ops->data;

  for (guint i = first; i < b->ops->len; i++)
    if (ops[i].klass == &ls_op_bias_grad)
      for (; i + 1 < b->ops->len && ops[i + 1].layer == ops[i].layer && ops[i + 1].klass != &ls_op_bias_grad; i++)
        {
          LsOp bias_grad = ops[i];
          ops[i] = ops[i + 1];
          ops[i + 1] = bias_grad;
        }
}

static gboolean
add_backward (Maker *m, GError **error)
{
  LsPlanBuilder *b = m->b;
  const guint n_forward = b->ops->len;

  b->phase = LS_PHASE_BACKWARD;
  for (guint i = n_forward; i-- > 0;)
    {
      const LsOp op = g_array_index (b->ops, LsOp, i);
      b->layer = op.layer;
      if (op.klass->gradient != NULL && g_array_index (b->wanted, gboolean, op.out[0])
          && !op.klass->gradient (b, &op, error))
        {
          g_prefix_error (error, _("gradient of %s: "), op.symbol);
          return FALSE;
        }
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
add_update (Maker *m, LsOptimizer optimizer, GError **error)
{
  LsPlanBuilder *b = m->b;

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
      param->gradient = ls_plan_builder_delta_of (b, param->weight);
      if (!(adam ? add_state (b, param, "exp_avg", "m", error) && add_state (b, param, "exp_avg_sq", "v", error)
                 : add_state (b, param, "momentum_buffer", "v", error)))
        return FALSE;

      guint in[] = { param->weight, param->gradient, param->state[0], param->state[1] };
      if (ls_plan_builder_op (b, adam ? &ls_op_adam : &ls_op_sgd, in, (LsOpAttr) { 0 }, w.symbol, equation,
                              LS_ROLE_WEIGHT, error) < 0)
        return FALSE;
    }
  return TRUE;
}

LsPlan *
ls_plan_new (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch, LsOptimizer optimizer,
             GError **error)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  Maker m = { .b = b, .model = model, .n_classes = n_classes };

  b->plan->model = ls_model_copy (model);
  b->plan->optimizer = optimizer;
  b->plan->batch = batch;
  b->plan->n_classes = n_classes;
  memcpy (b->plan->in_shape, in_shape, sizeof b->plan->in_shape);
  if (!add_input (&m, in_shape, batch, error) || !add_forward (&m, error) || !add_loss (&m, error)
      || !add_backward (&m, error) || !add_update (&m, optimizer, error))
    return NULL;
  return ls_plan_builder_finish (b, error);
}
