/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See network.h.
 */
#include "config.h"
#include "machines/converted/network.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

gint64
ls_net_count (const gint64 shape[3])
{
  return shape[0] * shape[1] * shape[2];
}

gboolean
ls_net_weighted (const LsNetLayer *layer)
{
  return layer->kind == LS_LAYER_CONV || layer->kind == LS_LAYER_DENSE;
}

gint64
ls_net_products (const LsNetLayer *layer)
{
  const gint64 each = layer->in[0] * layer->kernel * layer->kernel;

  return layer->kind == LS_LAYER_DENSE  ? ls_net_count (layer->in) * layer->out[0]
         : layer->kind == LS_LAYER_CONV ? ls_net_count (layer->out) * each
                                        : 0;
}

char *
ls_net_layer_text (const LsModel *model, guint layer)
{
  return g_strdup_printf (_("layer %u (%s)"), layer + 1, ls_layer_word (model->layers[layer].kind));
}

guint
ls_net_best (const double *values, guint n)
{
  guint best = 0;

  for (guint i = 1; i < n; i++)
    if (values[i] > values[best])
      best = i;
  return best;
}

/* The plan's parameter of that name; NULL: it has none. */
static const float *
find_values (const LsPlan *plan, const float *const *weights, guint layer, const char *kind)
{
  g_autofree char *name = g_strdup_printf ("%u.%s", layer, kind);

  for (guint p = 0; p < plan->n_params; p++)
    if (strcmp (plan->tensors[plan->params[p].weight].name, name) == 0)
      return weights[p];
  return NULL;
}

/* What the last op of that layer on the way forward makes. */
static guint
output_of (const LsPlan *plan, guint layer)
{
  guint tensor = LS_TENSOR_NONE;

  for (guint i = 0; i < plan->first_op[LS_PHASE_LOSS]; i++)
    if (plan->ops[i].layer == (gint) layer)
      tensor = plan->ops[i].out[0];
  return tensor;
}

/* Of a tensor's one sample. */
static void
shape_of (const LsTensor *tensor, gint64 shape[3])
{
  for (guint d = 0; d < 3; d++)
    shape[d] = d + 1 < tensor->rank ? tensor->shape[d + 1] : 1;
}

/* FALSE: there is nothing of it on such a machine. *computes: it isn't passed over. */
static gboolean
can_take (LsLayerKind kind, gboolean *computes)
{
  *computes = kind != LS_LAYER_FLATTEN && kind != LS_LAYER_DROPOUT;
  switch (kind)
    {
    case LS_LAYER_CONV:
    case LS_LAYER_DENSE:
    case LS_LAYER_RELU:
    case LS_LAYER_MAXPOOL:
    case LS_LAYER_AVGPOOL:
    case LS_LAYER_FLATTEN:
    case LS_LAYER_DROPOUT:
      return TRUE;
    case LS_LAYER_TANH:
    case LS_LAYER_SIGMOID:
    case LS_LAYER_GELU:
    case LS_LAYER_LAYERNORM:
    case LS_LAYER_LSTM:
    case LS_LAYER_RESIDUAL:
    default:
      return FALSE;
    }
}

static void
fill (LsNetLayer *at, const LsPlan *plan, const float *const *weights, guint layer, const gint64 in[3])
{
  const LsLayer *from = &plan->model->layers[layer];

  *at = (LsNetLayer){ .kind = from->kind,
                      .layer = layer,
                      .tensor = output_of (plan, layer),
                      .kernel = from->kernel,
                      .stride = from->kind == LS_LAYER_AVGPOOL ? from->kernel : from->stride,
                      .pad = from->pad,
                      .weights = find_values (plan, weights, layer, "weight"),
                      .bias = find_values (plan, weights, layer, "bias") };
  memcpy (at->in, in, sizeof at->in);
  shape_of (&plan->tensors[at->tensor], at->out);
}

LsNet *
ls_net_new (const LsPlan *plan, const float *const *weights, const char *machine, GError **error)
{
  const LsModel *model = plan->model;
  g_autofree LsNet *net = g_malloc0 (sizeof *net + model->n_layers * sizeof net->layers[0]);
  const gint64 *in = net->in_shape;

  memcpy (net->in_shape, plan->in_shape, sizeof net->in_shape);
  net->n_classes = (guint) plan->n_classes;
  for (guint i = 0; i < model->n_layers; i++)
    {
      gboolean computes;

      if (!can_take (model->layers[i].kind, &computes))
        {
          g_autofree char *which = ls_net_layer_text (model, i);

          g_set_error (
            error, LS_ERROR, LS_ERROR_USAGE,
            _("%s has no %s: %s can’t be converted; it takes dense, conv, relu, maxpool, avgpool, "
               "flatten and dropout."),
            machine, ls_layer_word (model->layers[i].kind), which);
          return NULL;
        }
      if (!computes)
        continue;
      fill (&net->layers[net->n_layers], plan, weights, i, in);
      in = net->layers[net->n_layers++].out;
    }
  return g_steal_pointer (&net);
}
