/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forward ops of a model: each kind of layer is one function, which adds weights, ops and their names. An
 * error says which layer doesn't fit and what it was given.
 */
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "model/plan_maker.h"
#include "ops/shape.h"

const LsLayer *
ls_maker_layer (const LsMaker *m)
{
  return &m->model->layers[m->i];
}

gboolean
ls_maker_fail (GError **error, const char *format, ...)
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
char *
ls_maker_subscripted (const char *letter, guint number)
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

char *
ls_maker_symbol (const LsMaker *m, const char *letter)
{
  char *symbol = ls_maker_subscripted (letter, m->n_weighted);

  for (guint n = 2; symbol_taken (m->b, symbol); n++)
    {
      g_autofree char *first = ls_maker_subscripted (letter, m->n_weighted);
      g_autofree char *comma = g_strconcat (first, ",", NULL);
      g_free (symbol);
      symbol = ls_maker_subscripted (comma, n);
    }
  return symbol;
}

/* Appends an op of the layer at hand whose output is the tensor `name`; equation: what stands right of
 * “=”. */
gint
ls_maker_op (LsMaker *m, const LsOpClass *klass, const guint *in, LsOpAttr attr, const char *name,
             const char *symbol, const char *right_side, GError **error)
{
  g_autofree char *equation = g_strconcat (symbol, " = ", right_side, NULL);
  gint out = ls_plan_builder_op (m->b, klass, in, attr, symbol, equation, LS_ROLE_ACTIVATION, error);

  if (out >= 0)
    ls_plan_builder_describe (m->b, (guint) out, LS_ROLE_ACTIVATION, name, symbol);
  return out;
}

/* "h3", "z2.1" */
char *
ls_maker_name (const LsMaker *m, const char *letter)
{
  g_autofree char *path = ls_layer_path (m->model->layers, m->i);
  return g_strconcat (letter, path, NULL);
}

/* ---- layers ---- */

/* He's rule before a ReLU and what is nearly one, Glorot's otherwise. */
static LsInit
weight_init (const LsMaker *m)
{
  for (guint i = m->i + 1; i < m->model->n_layers; i++)
    {
      const LsLayerKind kind = m->model->layers[i].kind;
      guint n;
      if (!ls_layer_classes (&n)[kind].neutral)
        return kind == LS_LAYER_RELU || kind == LS_LAYER_GELU ? LS_INIT_HE : LS_INIT_XAVIER;
    }
  return LS_INIT_XAVIER;
}

gint
ls_maker_param (LsMaker *m, const char *kind, const char *symbol, LsInit init, gint64 fan_in, gint64 fan_out,
                guint rank, const gint64 *shape, GError **error)
{
  g_autofree char *path = ls_layer_path (m->model->layers, m->i), *name = g_strconcat (path, ".", kind, NULL);
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
add_weighted (LsMaker *m, const LsOpClass *klass, LsOpAttr attr, guint rank, const gint64 *w_shape,
              gint64 fan_in, gint64 fan_out, GError **error)
{
  const gboolean dense = klass == &ls_op_matmul, last = m->i + 1 == m->model->n_layers;

  m->n_weighted++;
  g_autofree char *w_symbol = ls_maker_subscripted (dense ? "W" : "K", m->n_weighted);
  g_autofree char *b_symbol = ls_maker_subscripted ("b", m->n_weighted);
  g_autofree char *z_symbol = ls_maker_subscripted (dense ? "Z" : "C", m->n_weighted);
  g_autofree char *y_symbol = last ? g_strdup ("Y") : ls_maker_subscripted ("A", m->n_weighted);
  g_autofree char *z_name = ls_maker_name (m, dense ? "z" : "c");
  g_autofree char *y_name = last ? g_strdup ("logits") : ls_maker_name (m, "h");
  g_autofree char *x_symbol = g_strdup (ls_plan_builder_symbol (m->b, m->current));
  g_autofree char *product = dense ? g_strdup_printf ("%s·%sᵀ", x_symbol, w_symbol)
                                   : g_strdup_printf ("%s ∗ %s", x_symbol, w_symbol);
  g_autofree char *sum = g_strdup_printf ("%s + %s", z_symbol, b_symbol);

  gint w = ls_maker_param (m, "weight", w_symbol, weight_init (m), fan_in, fan_out, rank, w_shape, error);
  gint b = w < 0 ? -1
                 : ls_maker_param (m, "bias", b_symbol, LS_INIT_ZERO, fan_in, fan_out, 1, w_shape, error);
  if (b < 0)
    return FALSE;
  gint z = ls_maker_op (m, klass, (guint[]){ m->current, (guint) w }, attr, z_name, z_symbol, product, error);
  if (z < 0)
    return FALSE;
  gint y = ls_maker_op (m, &ls_op_bias, (guint[]){ (guint) z, (guint) b }, (LsOpAttr){ 0 }, y_name, y_symbol,
                        sum, error);
  m->current = (guint) y;
  return y >= 0;
}

static gboolean
add_dense (LsMaker *m, GError **error)
{
  const LsLayer *layer = ls_maker_layer (m);
  const LsTensor *x = ls_plan_builder_get (m->b, m->current);
  const gint64 units = layer->n, inputs = ls_tensor_inner (x);

  if (!m->flat)
    {
      g_autofree char *shape = ls_shape_sample_string (x);
      return ls_maker_fail (error,
                            _("dense %d needs a flat input, but its input is %s; put “flatten” before it"),
                            layer->n, shape);
    }
  return add_weighted (m, &ls_op_matmul, (LsOpAttr){ .tb = TRUE }, 2, (gint64[]){ units, inputs }, inputs,
                       units, error);
}

static gboolean
needs_planes (LsMaker *m, GError **error)
{
  if (!m->flat)
    return TRUE;
  return ls_maker_fail (
    error, _("%s needs channels × height × width, but its input is flat; put it before “flatten”"),
    ls_layer_word (ls_maker_layer (m)->kind));
}

static gboolean
add_conv (LsMaker *m, GError **error)
{
  const LsLayer *layer = ls_maker_layer (m);
  const gint64 kernel = layer->kernel, outputs = layer->n;

  if (!needs_planes (m, error))
    return FALSE;

  const gint64 inputs = ls_plan_builder_get (m->b, m->current)->shape[1];
  return add_weighted (m, &ls_op_conv2d,
                       (LsOpAttr){ .kernel = layer->kernel, .stride = layer->stride, .pad = layer->pad }, 4,
                       (gint64[]){ outputs, inputs, kernel, kernel }, inputs * kernel * kernel,
                       outputs * kernel * kernel, error);
}

static gboolean
add_maxpool (LsMaker *m, GError **error)
{
  const LsLayer *layer = ls_maker_layer (m);

  if (!needs_planes (m, error))
    return FALSE;

  g_autofree char *symbol = ls_maker_symbol (m, "P");
  g_autofree char *name = ls_maker_name (m, "h");
  g_autofree char *index_symbol = g_strconcat ("arg ", symbol, NULL);
  g_autofree char *index_name = g_strconcat (name, ".index", NULL);
  g_autofree char *right = g_strdup_printf ("maxpool(%s)", ls_plan_builder_symbol (m->b, m->current));
  gint out = ls_maker_op (m, &ls_op_maxpool2d, &m->current,
                          (LsOpAttr){ .kernel = layer->kernel, .stride = layer->stride }, name, symbol, right,
                          error);
  if (out < 0)
    return FALSE;
  ls_plan_builder_describe (m->b, (guint) out + 1, LS_ROLE_INDEX, index_name, index_symbol);
  m->current = (guint) out;
  return TRUE;
}

static gboolean
add_avgpool (LsMaker *m, GError **error)
{
  const gint kernel = ls_maker_layer (m)->kernel;

  if (!needs_planes (m, error))
    return FALSE;

  g_autofree char *symbol = ls_maker_symbol (m, "P"), *name = ls_maker_name (m, "h");
  g_autofree char *right = g_strdup_printf ("avgpool(%s)", ls_plan_builder_symbol (m->b, m->current));
  const gint out = ls_maker_op (m, &ls_op_avgpool2d, &m->current,
                                (LsOpAttr){ .kernel = kernel, .stride = kernel }, name, symbol, right, error);

  m->current = (guint) out;
  return out >= 0;
}

static gboolean
add_dropout (LsMaker *m, GError **error)
{
  const LsOpAttr attr = { .rate = (double) ls_maker_layer (m)->share / LS_MODEL_SHARES,
                          .number = m->n_dropout++ };
  g_autofree char *symbol = ls_maker_symbol (m, "D"), *name = ls_maker_name (m, "h");
  g_autofree char *mask_symbol = g_strconcat ("M", symbol + 1, NULL),
                  *mask_name = g_strconcat (name, ".mask", NULL);
  g_autofree char *right = g_strdup_printf ("%s ⊙ %s", ls_plan_builder_symbol (m->b, m->current),
                                            mask_symbol);
  const gint out = ls_maker_op (m, &ls_op_dropout, &m->current, attr, name, symbol, right, error);

  if (out < 0)
    return FALSE;
  ls_plan_builder_describe (m->b, ls_plan_builder_last_output (m->b, 1), LS_ROLE_ACTIVATION, mask_name,
                            mask_symbol);
  m->current = (guint) out;
  return TRUE;
}

static gboolean
add_activation (LsMaker *m, const LsOpClass *klass, GError **error)
{
  g_autofree char *symbol = ls_maker_symbol (m, "H");
  g_autofree char *name = ls_maker_name (m, "h");
  g_autofree char *right = g_strdup_printf ("%s(%s)", klass->name, ls_plan_builder_symbol (m->b, m->current));
  gint out = ls_maker_op (m, klass, &m->current, (LsOpAttr){ 0 }, name, symbol, right, error);

  m->current = (guint) out;
  return out >= 0;
}

/* ---- brackets ---- */

static void
open_bracket (LsMaker *m)
{
  m->given[m->depth] = m->current;
  m->given_flat[m->depth] = m->flat;
  m->opened[m->depth++] = m->i;
}

/* A sample's shape as the layers see it. (transfer full) */
static char *
sample_text (const LsMaker *m, guint tensor, gboolean flat)
{
  const LsTensor *t = ls_plan_builder_get (m->b, tensor);

  return flat ? g_strdup_printf ("%" G_GINT64_FORMAT, ls_tensor_inner (t)) : ls_shape_sample_string (t);
}

/* What `flatten` leaves as it is, as the matrix that it stands for: nothing is copied. */
static guint
as_matrix (LsMaker *m, guint tensor)
{
  const LsTensor t = *ls_plan_builder_get (m->b, tensor);
  const LsTensor matrix = { .rank = 2, .shape = { t.shape[0], ls_tensor_inner (&t) } };
  g_autofree char *name = g_strdup_printf ("%s.matrix%u", t.name, m->i);

  return t.rank == 2 ? tensor : ls_plan_builder_view_as (m->b, name, t.symbol, tensor, 0, &matrix);
}

static gboolean
same_shape (const LsMaker *m, guint a, guint b)
{
  const LsTensor *s = ls_plan_builder_get (m->b, a), *t = ls_plan_builder_get (m->b, b);

  for (guint d = 0; d < s->rank; d++)
    if (s->rank != t->rank || s->shape[d] != t->shape[d])
      return FALSE;
  return TRUE;
}

/* What its layers have made of what it was given, and that: their sum. */
static gboolean
close_bracket (LsMaker *m, GError **error)
{
  const guint last = m->i;
  guint given = m->given[--m->depth];
  const gboolean given_flat = m->given_flat[m->depth];

  m->i = m->opened[m->depth]; /* the layer at hand, for names and messages */
  if (given_flat && m->flat && !same_shape (m, m->current, given))
    {
      given = as_matrix (m, given);
      m->current = as_matrix (m, m->current);
    }
  if (given_flat != m->flat || !same_shape (m, m->current, given))
    {
      g_autofree char *made = sample_text (m, m->current, m->flat), *was = sample_text (m, given, given_flat);
      return ls_maker_fail (
        error,
        _("residual adds what its bracket makes to what it was given, but that is %s and this is %s; "
           "both must have one shape"),
        made, was);
    }

  g_autofree char *symbol = ls_maker_symbol (m, "R"), *name = ls_maker_name (m, "h");
  g_autofree char *right = g_strdup_printf ("%s + %s", ls_plan_builder_get (m->b, m->current)->symbol,
                                            ls_plan_builder_get (m->b, given)->symbol);
  const gint sum = ls_maker_op (m, &ls_op_add, (guint[]){ m->current, given }, (LsOpAttr){ 0 }, name, symbol,
                                right, error);
  if (sum < 0)
    return FALSE;
  m->current = (guint) sum;
  m->i = last;
  return TRUE;
}

static gboolean
add_layer (LsMaker *m, GError **error)
{
  guint n;
  const LsOpClass *activation = ls_layer_classes (&n)[ls_maker_layer (m)->kind].activation;

  if (activation != NULL)
    return add_activation (m, activation, error);
  switch (ls_maker_layer (m)->kind)
    {
    case LS_LAYER_CONV:
      return add_conv (m, error);
    case LS_LAYER_MAXPOOL:
      return add_maxpool (m, error);
    case LS_LAYER_AVGPOOL:
      return add_avgpool (m, error);
    case LS_LAYER_DENSE:
      return add_dense (m, error);
    case LS_LAYER_LSTM:
      return ls_maker_lstm (m, error);
    case LS_LAYER_LAYERNORM:
      return ls_maker_layernorm (m, error);
    case LS_LAYER_DROPOUT:
      return add_dropout (m, error);
    case LS_LAYER_RESIDUAL:
      open_bracket (m);
      return TRUE;
    case LS_LAYER_FLATTEN:
    default:
      m->flat = TRUE; /* matmul takes any rank as rows: no op */
      return TRUE;
    }
}

/* The layer at hand, and the brackets that end with it. An error says which layer, and where. */
static gboolean
add_next (LsMaker *m, GError **error)
{
  const LsModel *model = m->model;
  const guint deeper = m->i + 1 < model->n_layers ? model->layers[m->i + 1].depth : 0;
  gboolean ok = add_layer (m, error);

  while (ok && m->depth > deeper)
    ok = close_bracket (m, error);
  if (!ok)
    g_prefix_error (error, _("layer %u, column %d: "), m->i + 1, ls_maker_layer (m)->column);
  return ok;
}

guint
ls_plan_shapes (const LsModel *model, const gint64 in_shape[3], gint64 (*shapes)[3], GError **error)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  const gint64 batch_shape[4] = { 1, in_shape[0], in_shape[1], in_shape[2] };
  gint x = ls_plan_builder_tensor (b, "x", "X", LS_F32, LS_ROLE_INPUT, 4, batch_shape, error);
  LsMaker m = { .b = b, .model = model, .current = (guint) x };

  for (m.i = 0; x >= 0 && m.i < model->n_layers; m.i++)
    {
      if (!add_next (&m, error))
        break;
      const LsTensor *out = ls_plan_builder_get (b, m.current);
      shapes[m.i][0] = m.flat ? ls_tensor_inner (out) : out->shape[1];
      shapes[m.i][1] = m.flat ? 0 : out->shape[2];
      shapes[m.i][2] = m.flat ? 0 : out->shape[3];
    }
  return m.i;
}

gint
ls_plan_builder_layers (LsPlanBuilder *b, const LsModel *model, guint x, gint n_classes, GError **error)
{
  const LsLayer *last = &model->layers[model->n_layers - 1];
  LsMaker m = { .b = b, .model = model, .current = x };

  b->layer = -1;
  for (m.i = 0; m.i < model->n_layers; m.i++)
    {
      const LsLayer *layer = ls_maker_layer (&m);
      b->layer += layer->depth == 0;
      if (layer == last && (last->kind != LS_LAYER_DENSE || last->n != n_classes || last->depth > 0))
        {
          ls_maker_fail (error, _("the last layer must be dense %d, one unit for each class of the data"),
                         n_classes);
          g_prefix_error (error, _("layer %u, column %d: "), m.i + 1, layer->column);
          return -1;
        }
      if (!add_next (&m, error))
        return -1;
    }
  b->layer = -1;
  return (gint) m.current;
}
