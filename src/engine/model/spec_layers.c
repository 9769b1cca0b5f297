/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers as a list: a bracket's follow it and lie deeper. Their text, and where each is.
 */
#include "model/spec.h"

#include <string.h>

static const LsLayerClass *
class_of (const LsLayer *layer)
{
  guint n;
  return &ls_layer_classes (&n)[layer->kind];
}

/* How much deeper than it the next layer may lie. */
static guint
opens (const LsLayer *layer)
{
  return class_of (layer)->bracket ? 1 : 0;
}

char *
ls_layer_share_text (gint millionths)
{
  char *text = g_strdup_printf ("0.%06d", CLAMP (millionths, 0, LS_MODEL_SHARES - 1));

  for (gsize i = strlen (text) - 1; text[i] == '0' || text[i] == '.'; i--)
    {
      const gboolean point = text[i] == '.';
      text[i] = '\0';
      if (point)
        break;
    }
  return text;
}

gboolean
ls_layer_share_read (const char *text, gint *millionths)
{
  const gsize whole = strspn (text, "0"),
              digits = text[whole] == '.' ? strspn (text + whole + 1, "0123456789") : 0;
  gint value = 0;

  if (text[whole + (text[whole] == '.' ? 1 + digits : 0)] != '\0' || whole + digits == 0 || digits > 6
      || (text[whole] == '.' && digits == 0))
    return FALSE;
  for (gsize i = 0; i < 6; i++)
    value = 10 * value + (i < digits ? text[whole + 1 + i] - '0' : 0);
  *millionths = value;
  return TRUE;
}

/* before: the layer before it, or NULL. */
static void
append_layer (GString *text, const LsLayer *layer, const LsLayer *before)
{
  const LsLayerClass *klass = class_of (layer);
  const gint usual_stride = layer->kind == LS_LAYER_MAXPOOL ? layer->kernel : 1;
  const guint inside = before == NULL ? 0 : before->depth + opens (before);

  for (guint d = layer->depth; d < inside; d++)
    g_string_append_c (text, ')');
  g_string_append_printf (
    text, "%s%s", before == NULL || (opens (before) && layer->depth == inside) ? "" : ", ", klass->word);
  if (klass->bracket)
    g_string_append_c (text, '(');
  if (klass->n)
    g_string_append_printf (text, " %d", layer->n);
  if (klass->kernel)
    g_string_append_printf (text, " %d", layer->kernel);
  if (klass->stride && layer->stride != usual_stride)
    g_string_append_printf (text, " stride %d", layer->stride);
  if (klass->share)
    {
      g_autofree char *share = ls_layer_share_text (layer->share);
      g_string_append_printf (text, " %s", share);
    }
  if (klass->sequence && layer->all)
    g_string_append (text, " all");
  if (klass->sequence && layer->by_columns)
    g_string_append (text, " columns");
  if (klass->pad && layer->pad != 0)
    g_string_append_printf (text, " pad %d", layer->pad);
}

char *
ls_layers_plain_text (const LsLayer *layers, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    append_layer (text, &layers[i], i > 0 ? &layers[i - 1] : NULL);
  for (guint d = n > 0 ? layers[n - 1].depth + opens (&layers[n - 1]) : 0; d > 0; d--)
    g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

void
ls_layers_settle (LsLayer *layers, guint n)
{
  guint most = 0;

  for (guint i = 0; i < n; i++)
    {
      layers[i].depth = MIN (layers[i].depth, most);
      most = layers[i].depth + opens (&layers[i]);
    }
}

guint
ls_layers_inside (const LsLayer *layers, guint n, guint i)
{
  guint inside = 0;

  while (i + 1 + inside < n && layers[i + 1 + inside].depth > layers[i].depth)
    inside++;
  return inside;
}

char *
ls_layer_path (const LsLayer *layers, guint i)
{
  GString *path = g_string_new (NULL);

  for (guint depth = 0; depth <= layers[i].depth; depth++)
    {
      guint number = 0;

      /* those of that depth since their bracket was opened */
      for (guint k = 0; k <= i; k++)
        if (layers[k].depth < depth)
          number = 0;
        else if (layers[k].depth == depth)
          number++;
      g_string_append_printf (path, "%s%u", depth > 0 ? "." : "", number - 1);
    }
  return g_string_free (path, FALSE);
}

char *
ls_layers_text (const LsLayer *layers, guint n)
{
  char *text = ls_layers_plain_text (layers, n);
  guint n_presets;
  const LsModelPreset *presets = ls_model_presets (&n_presets);

  for (guint i = 0; i < n_presets; i++)
    if (strcmp (text, presets[i].text) == 0)
      {
        g_free (text);
        return g_strdup (presets[i].name);
      }
  return text;
}
