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

  if (at > list->layers->len)
    return;
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
    case LS_LAYER_DENSE:
      layer.n = at == list->layers->len && list->known ? list->n_classes : 128;
      break;
    default:
      break;
    }
  remember (list);
  g_array_insert_val (list->layers, at, layer);
}

void
ls_layer_list_remove (LsLayerList *list, guint i)
{
  if (i >= list->layers->len)
    return;
  remember (list);
  g_array_remove_index (list->layers, i);
}

gboolean
ls_layer_list_move (LsLayerList *list, guint i, gint direction)
{
  const guint n = list->layers->len, to = direction < 0 ? i - 1 : i + 1;
  LsLayer layer;

  if (i >= n || to >= n)
    return FALSE;
  remember (list);
  layer = *ls_layer_list_get (list, i);
  *ls_layer_list_get (list, i) = *ls_layer_list_get (list, to);
  *ls_layer_list_get (list, to) = layer;
  return TRUE;
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
