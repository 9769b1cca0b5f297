/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One entry of the tuner's file as JSON, there and back. The same text goes from the tuner's child to its
 * parent.
 */
#include "config.h"
#include "backends/opencl/kernels/tuned.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "core/error.h"
#include "files/json.h"

#define MAX_US 1e12

/* Members that are plain text. */
static const struct {
  const char *name;
  gsize offset;
} texts[] = {
  { "platform", G_STRUCT_OFFSET (LsTunedEntry, platform) },
  { "device", G_STRUCT_OFFSET (LsTunedEntry, device) },
  { "driver", G_STRUCT_OFFSET (LsTunedEntry, driver) },
  { "op", G_STRUCT_OFFSET (LsTunedEntry, op) },
  { "shape", G_STRUCT_OFFSET (LsTunedEntry, shape) },
  { "source", G_STRUCT_OFFSET (LsTunedEntry, source) },
  { "rung", G_STRUCT_OFFSET (LsTunedEntry, rung) },
  { "words", G_STRUCT_OFFSET (LsTunedEntry, words) },
  { "example", G_STRUCT_OFFSET (LsTunedEntry, example) },
  { "date", G_STRUCT_OFFSET (LsTunedEntry, date) },
  { "shipped_words", G_STRUCT_OFFSET (LsTunedEntry, shipped_words) },
};

#define TEXT(entry, i) (*(char **) G_STRUCT_MEMBER_P (entry, texts[i].offset))

void
ls_tuned_entry_free (LsTunedEntry *entry)
{
  if (entry == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (TEXT (entry, i));
  for (guint i = 0; i < entry->n_params; i++)
    g_free (entry->params[i].name);
  g_free (entry);
}

LsTunedEntry *
ls_tuned_entry_copy (const LsTunedEntry *entry)
{
  LsTunedEntry *copy = g_memdup2 (entry, sizeof *entry);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    TEXT (copy, i) = g_strdup (TEXT (copy, i));
  for (guint i = 0; i < copy->n_params; i++)
    copy->params[i].name = g_strdup (copy->params[i].name);
  return copy;
}

/* ---- out ---- */

static void
add_figure (JsonBuilder *b, const char *name, const LsFigure *figure)
{
  json_builder_set_member_name (b, name);
  json_builder_begin_object (b);
  json_builder_set_member_name (b, "median");
  json_builder_add_double_value (b, figure->value);
  json_builder_set_member_name (b, "q1");
  json_builder_add_double_value (b, figure->q1);
  json_builder_set_member_name (b, "q3");
  json_builder_add_double_value (b, figure->q3);
  json_builder_set_member_name (b, "n");
  json_builder_add_int_value (b, (gint64) figure->n);
  json_builder_end_object (b);
}

JsonNode *
ls_tuned_entry_to_json (const LsTunedEntry *entry)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      json_builder_set_member_name (b, texts[i].name);
      json_builder_add_string_value (b, TEXT (entry, i));
    }
  json_builder_set_member_name (b, "params");
  json_builder_begin_object (b);
  for (guint i = 0; i < entry->n_params; i++)
    {
      json_builder_set_member_name (b, entry->params[i].name);
      json_builder_add_int_value (b, entry->params[i].value);
    }
  json_builder_end_object (b);
  add_figure (b, "shipped_us", &entry->shipped_us);
  add_figure (b, "us", &entry->us);
  json_builder_set_member_name (b, "tried");
  json_builder_add_int_value (b, entry->tried);
  json_builder_set_member_name (b, "refused");
  json_builder_add_int_value (b, entry->refused);
  json_builder_end_object (b);
  return json_builder_get_root (b);
}

/* ---- in ---- */

static gboolean
read_figure (JsonObject *object, const char *name, LsFigure *figure, GError **error)
{
  JsonObject *o = ls_json_get_object (object, name, error);
  gint64 n;

  *figure = (LsFigure){ .unit = "µs", .evidence = LS_EVIDENCE_MEASURED };
  if (o == NULL || !ls_json_get_double (o, "median", 0, MAX_US, &figure->value, error)
      || !ls_json_get_double (o, "q1", 0, MAX_US, &figure->q1, error)
      || !ls_json_get_double (o, "q3", 0, MAX_US, &figure->q3, error)
      || !ls_json_get_int (o, "n", 1, G_MAXINT32, &n, error))
    return FALSE;
  figure->n = (guint64) n;
  return TRUE;
}

static gboolean
read_params (JsonObject *object, LsTunedEntry *entry, GError **error)
{
  JsonObject *params = ls_json_get_object (object, "params", error);
  g_autoptr (GList) names = params ? json_object_get_members (params) : NULL;

  if (params == NULL)
    return FALSE;
  if (g_list_length (names) > LS_TUNED_MAX_PARAMS)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“params” has more than %d members"),
                   LS_TUNED_MAX_PARAMS);
      return FALSE;
    }
  for (GList *l = names; l; l = l->next)
    {
      guint i = entry->n_params;
      if (!ls_json_get_int (params, l->data, -G_MAXINT32, G_MAXINT32, &entry->params[i].value, error))
        return FALSE;
      entry->params[i].name = g_strdup (l->data);
      entry->n_params++;
    }
  return TRUE;
}

LsTunedEntry *
ls_tuned_entry_from_json (JsonNode *node, GError **error)
{
  g_autoptr (LsTunedEntry) entry = g_new0 (LsTunedEntry, 1);
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("an entry is no object"));
      return NULL;
    }
  object = json_node_get_object (node);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if ((TEXT (entry, i) = g_strdup (ls_json_get_string (object, texts[i].name, error))) == NULL)
      return NULL;
  if (!read_params (object, entry, error) || !read_figure (object, "shipped_us", &entry->shipped_us, error)
      || !read_figure (object, "us", &entry->us, error)
      || !ls_json_get_int (object, "tried", 0, G_MAXINT32, &entry->tried, error)
      || !ls_json_get_int (object, "refused", 0, G_MAXINT32, &entry->refused, error))
    return NULL;
  return g_steal_pointer (&entry);
}
