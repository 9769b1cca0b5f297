/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every change keeps the layers from before, whole: a network is a few hundred bytes.
 */
#include "config.h"
#include "ui/app/settings/layer_list.h"

#include <string.h>
#include <glib/gi18n.h>

#include "core/error.h"
#include "model/plan.h"

#define MAX_PAST 200

LsLayerList *
ls_layer_list_new (void)
{
  LsLayerList *list = g_new0 (LsLayerList, 1);

  list->layers = g_array_new (FALSE, TRUE, sizeof (LsLayer));
  list->past = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return list;
}

void
ls_layer_list_free (LsLayerList *list)
{
  g_array_unref (list->layers);
  g_ptr_array_unref (list->past);
  g_free (list);
}

guint
ls_layer_list_n (const LsLayerList *list)
{
  return list->layers->len;
}

LsLayer *
ls_layer_list_get (const LsLayerList *list, guint i)
{
  return &g_array_index (list->layers, LsLayer, i);
}

void
ls_layer_list_set_input (LsLayerList *list, const gint64 shape[3], gint n_classes)
{
  list->known = shape != NULL;
  if (shape != NULL)
    memcpy (list->shape, shape, sizeof list->shape);
  list->n_classes = n_classes;
}

static void
fill (LsLayerList *list, const LsModel *model)
{
  g_array_set_size (list->layers, 0);
  if (model != NULL)
    g_array_append_vals (list->layers, model->layers, model->n_layers);
}

static LsLayer *
layers_of (LsLayerList *list)
{
  return (LsLayer *) (void *) list->layers->data;
}

static gboolean
is_bracket (const LsLayer *layer)
{
  guint n;
  return ls_layer_classes (&n)[layer->kind].bracket;
}

void
ls_layer_list_start (LsLayerList *list, const char *text)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);

  g_ptr_array_set_size (list->past, 0);
  fill (list, model);
}

static void
remember (LsLayerList *list)
{
  GArray *copy = g_array_new (FALSE, TRUE, sizeof (LsLayer));

  if (list->layers->len > 0)
    g_array_append_vals (copy, list->layers->data, list->layers->len);
  if (list->past->len == MAX_PAST)
    g_ptr_array_remove_index (list->past, 0);
  g_ptr_array_add (list->past, copy);
}

void
ls_layer_list_add (LsLayerList *list, guint at, LsLayerKind kind)
{
  LsLayer layer = { .kind = kind };
  const LsLayer *before = at > 0 && at <= list->layers->len ? ls_layer_list_get (list, at - 1) : NULL;

  if (at > list->layers->len)
    return;
  if (before != NULL)
    layer.depth = before->depth + (is_bracket (before) ? 1 : 0);
  switch (kind)
    {
    case LS_LAYER_CONV:
      layer.n = 16;
      layer.kernel = 3;
      layer.stride = layer.pad = 1;
      break;
    case LS_LAYER_MAXPOOL:
      layer.kernel = layer.stride = 2;
      break;
    case LS_LAYER_AVGPOOL:
      layer.kernel = 2;
      break;
    case LS_LAYER_DROPOUT:
      layer.share = LS_MODEL_SHARES / 2;
      break;
    case LS_LAYER_DENSE:
      layer.n = at == list->layers->len && list->known ? list->n_classes : 128;
      break;
    case LS_LAYER_LSTM:
      layer.n = 128;
      break;
    default:
      break;
    }
  remember (list);
  g_array_insert_val (list->layers, at, layer);
  if (is_bracket (&layer)) /* an empty one is none */
    {
      const LsLayer inside = { .kind = LS_LAYER_RELU, .depth = layer.depth + 1 };
      g_array_insert_val (list->layers, at + 1, inside);
    }
}

void
ls_layer_list_remove (LsLayerList *list, guint i)
{
  if (i >= list->layers->len)
    return;
  remember (list);
  g_array_remove_index (list->layers, i);
  ls_layers_settle (layers_of (list), list->layers->len);
}

/* The n layers from i on go before layer `to`, that much deeper. Where the first of them is then. */
static gint
take_to (LsLayerList *list, guint i, guint n, guint to, gint deeper)
{
  g_autofree LsLayer *taken = g_memdup2 (ls_layer_list_get (list, i), n * sizeof *taken);

  remember (list);
  for (guint k = 0; k < n; k++)
    taken[k].depth = (guint) ((gint) taken[k].depth + deeper);
  g_array_remove_range (list->layers, i, n);
  to -= to > i ? n : 0;
  g_array_insert_vals (list->layers, to, taken, n);
  ls_layers_settle (layers_of (list), list->layers->len);
  return (gint) to;
}

gint
ls_layer_list_move (LsLayerList *list, guint i, gint direction)
{
  const guint n = list->layers->len;

  if (i >= n)
    return -1;
  const guint size = 1 + ls_layers_inside (layers_of (list), n, i),
              depth = ls_layer_list_get (list, i)->depth;
  if (direction < 0)
    {
      const LsLayer *before = i > 0 ? ls_layer_list_get (list, i - 1) : NULL;
      if (before == NULL)
        return -1;
      return before->depth > depth   ? take_to (list, i, size, i, 1)      /* to the end of a bracket */
             : before->depth < depth ? take_to (list, i, size, i - 1, -1) /* out of its own */
                                     : take_to (list, i, size, i - 1, 0);
    }
  const LsLayer *next = i + size < n ? ls_layer_list_get (list, i + size) : NULL;
  if (next == NULL || next->depth < depth)
    return depth > 0 ? take_to (list, i, size, i, -1) : -1;
  return take_to (list, i, size, i + size + 1, is_bracket (next) ? 1 : 0);
}

void
ls_layer_list_replace (LsLayerList *list, guint i, const LsLayer *layer)
{
  if (i >= list->layers->len)
    return;
  remember (list);
  *ls_layer_list_get (list, i) = *layer;
}

gboolean
ls_layer_list_read (LsLayerList *list, const char *text, gboolean *other, GError **error)
{
  g_autoptr (LsModel) model = ls_model_parse (text, error);
  g_autofree char *before = ls_layer_list_text (list), *now = NULL;

  *other = FALSE;
  if (model == NULL)
    return FALSE;
  now = ls_layers_text (model->layers, model->n_layers);
  *other = strcmp (before, now) != 0;
  if (*other)
    {
      remember (list);
      fill (list, model);
    }
  return TRUE;
}

gboolean
ls_layer_list_undo (LsLayerList *list)
{
  if (list->past->len == 0)
    return FALSE;
  g_array_unref (list->layers);
  list->layers = g_ptr_array_steal_index (list->past, list->past->len - 1);
  return TRUE;
}

char *
ls_layer_list_text (const LsLayerList *list)
{
  return ls_layers_text ((const LsLayer *) (const void *) list->layers->data, list->layers->len);
}

char *
ls_layer_list_spec (const LsLayerList *list)
{
  g_autofree char *text = ls_layer_list_text (list);
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);

  return model != NULL ? g_strdup (model->text) : g_steal_pointer (&text);
}

guint
ls_layer_list_check (const LsLayerList *list, gint64 (*shapes)[3], GError **error)
{
  g_autofree char *text = ls_layer_list_spec (list);
  g_autoptr (LsModel) model = NULL;
  g_autoptr (LsPlan) plan = NULL;
  guint n_fit;

  if (list->layers->len == 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("A network needs layers; add one."));
      return 0;
    }
  model = ls_model_parse (text, error);
  if (model == NULL || !list->known)
    return 0;
  n_fit = ls_plan_shapes (model, list->shape, shapes, error);
  if (n_fit == model->n_layers)
    plan = ls_plan_new (model, list->shape, list->n_classes, 1, LS_OPTIMIZER_SGD, error);
  return n_fit;
}

char *
ls_layer_shape_text (const gint64 shape[3])
{
  if (shape[1] == 0)
    return g_strdup_printf ("%lld", (long long) shape[0]);
  return g_strdup_printf ("\u2066%lld×%lld×%lld\u2069", (long long) shape[0], (long long) shape[1],
                          (long long) shape[2]);
}
