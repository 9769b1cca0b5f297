/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strict JSON: the scan, json-glib's tree, and typed members. See json.h for why.
 */
#include "config.h"

#include <inttypes.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/json.h"
#include "files/json_scan.h"

/* Members in the tree. The scan has bounded the depth. */
static gsize
count_members (JsonNode *node)
{
  gsize n = 0;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObjectIter iter;
      JsonNode *value;

      json_object_iter_init (&iter, json_node_get_object (node));
      while (json_object_iter_next (&iter, NULL, &value))
        n += 1 + count_members (value);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        n += count_members (json_array_get_element (array, i));
    }
  return n;
}

JsonNode *
ls_json_parse_strict (GBytes *bytes, gsize max_bytes, guint max_depth, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) local = NULL;
  LsJsonFacts facts;

  if (length > MIN (max_bytes, G_MAXINT32))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("it holds %zu bytes of JSON, and at most %zu are allowed."), length, max_bytes);
      return NULL;
    }
  if (length == 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("it isn’t JSON: there is no text."));
      return NULL;
    }
  if (!ls_json_scan (text, length, max_depth, &facts, error))
    return NULL;
  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, text, (gssize) length, &local))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it isn’t JSON: %s."), local->message);
      return NULL;
    }
  root = json_parser_steal_root (parser);
  if (root == NULL || count_members (root) != facts.members)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("an object of its JSON holds one name twice."));
      return NULL;
    }
  return g_steal_pointer (&root);
}

static gboolean
is_type (JsonNode *node, GType type)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

static gboolean
wrong_member (const char *name, const char *what, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be %s."), name, what);
  return FALSE;
}

static gboolean
wrong_int (const char *name, gint64 min, gint64 max, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("the member “%s” must be a whole number from %" PRId64 " to %" PRId64 "."), name, min, max);
  return FALSE;
}

static gboolean
node_int (JsonNode *node, gint64 min, gint64 max, gint64 *value)
{
  if (!is_type (node, G_TYPE_INT64))
    return FALSE;
  *value = json_node_get_int (node);
  return *value >= min && *value <= max;
}

gboolean
ls_json_get_int (JsonObject *object, const char *name, gint64 min, gint64 max, gint64 *value, GError **error)
{
  return node_int (json_object_get_member (object, name), min, max, value)
         || wrong_int (name, min, max, error);
}

gboolean
ls_json_get_double (JsonObject *object, const char *name, double min, double max, double *value,
                    GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (is_type (node, G_TYPE_INT64))
    *value = (double) json_node_get_int (node);
  else if (is_type (node, G_TYPE_DOUBLE))
    *value = json_node_get_double (node);
  else
    return wrong_member (name, _("a number"), error);
  if (*value >= min && *value <= max)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be a number from %g to %g."), name,
               min, max);
  return FALSE;
}

gboolean
ls_json_get_bool (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (!is_type (node, G_TYPE_BOOLEAN))
    return wrong_member (name, _("true or false"), error);
  *value = json_node_get_boolean (node);
  return TRUE;
}

const char *
ls_json_get_string (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (is_type (node, G_TYPE_STRING))
    return json_node_get_string (node);
  wrong_member (name, _("a string"), error);
  return NULL;
}

gboolean
ls_json_get_string_or_null (JsonObject *object, const char *name, const char **value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  *value = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  *value = ls_json_get_string (object, name, error);
  return *value != NULL;
}

JsonObject *
ls_json_get_object (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  wrong_member (name, _("an object"), error);
  return NULL;
}

JsonArray *
ls_json_get_array (JsonObject *object, const char *name, guint min_length, guint max_length, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (array != NULL && json_array_get_length (array) >= min_length
      && json_array_get_length (array) <= max_length)
    return array;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be an array of %u to %u elements."),
               name, min_length, max_length);
  return NULL;
}

gboolean
ls_json_get_ints (JsonObject *object, const char *name, gint64 min, gint64 max, guint min_length,
                  guint max_length, gint64 *values, guint *n, GError **error)
{
  JsonArray *array = ls_json_get_array (object, name, min_length, max_length, error);

  if (array == NULL)
    return FALSE;
  *n = json_array_get_length (array);
  for (guint i = 0; i < *n; i++)
    if (!node_int (json_array_get_element (array, i), min, max, &values[i]))
      return wrong_int (name, min, max, error);
  return TRUE;
}

JsonObject *
ls_json_array_object (JsonArray *array, guint i, const char *name, GError **error)
{
  JsonNode *node = json_array_get_element (array, i);

  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("element %u of “%s” must be an object."), i, name);
  return NULL;
}
