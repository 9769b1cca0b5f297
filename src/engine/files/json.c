/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON by jansson: whole texts, and typed members. See json.h for why.
 */
#include "config.h"
#include "files/json.h"

#include <inttypes.h>
#include <math.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"

/* ---- reading ---- */

json_t *
ls_json_parse (const char *text, gsize length, gsize max_bytes, json_type type, GError **error)
{
  g_autoptr (json_t) root = NULL;
  json_error_t where;

  if (length > max_bytes)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("it holds %zu bytes of JSON, and at most %zu are allowed."), length, max_bytes);
  else if ((root = json_loadb (text, length, JSON_REJECT_DUPLICATES, &where)) == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it isn’t JSON: line %d, column %d: %s."), where.line,
                   where.column, where.text);
      ls_error_make_printable (error);
    }
  else if (json_typeof (root) != type)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                         type == JSON_OBJECT ? _("its JSON is no object.") : _("its JSON is no array."));
  else
    return g_steal_pointer (&root);
  return NULL;
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
take_int (const json_t *json, gint64 min, gint64 max, gint64 *value)
{
  *value = json_integer_value (json);
  return json_is_integer (json) && *value >= min && *value <= max;
}

gboolean
ls_json_get_int (const json_t *object, const char *name, gint64 min, gint64 max, gint64 *value,
                 GError **error)
{
  return take_int (json_object_get (object, name), min, max, value) || wrong_int (name, min, max, error);
}

gboolean
ls_json_get_double (const json_t *object, const char *name, double min, double max, double *value,
                    GError **error)
{
  const json_t *json = json_object_get (object, name);

  if (!json_is_number (json))
    return wrong_member (name, _("a number"), error);
  *value = json_number_value (json);
  if (*value >= min && *value <= max)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be a number from %g to %g."), name,
               min, max);
  return FALSE;
}

gboolean
ls_json_get_bool (const json_t *object, const char *name, gboolean *value, GError **error)
{
  const json_t *json = json_object_get (object, name);

  *value = json_is_true (json);
  return json_is_boolean (json) || wrong_member (name, _("true or false"), error);
}

const char *
ls_json_get_string (const json_t *object, const char *name, GError **error)
{
  const char *text = json_string_value (json_object_get (object, name));

  if (text == NULL)
    wrong_member (name, _("a string"), error);
  return text;
}

gboolean
ls_json_get_string_or_null (const json_t *object, const char *name, const char **value, GError **error)
{
  const json_t *json = json_object_get (object, name);

  *value = NULL;
  return json == NULL || json_is_null (json) || (*value = ls_json_get_string (object, name, error)) != NULL;
}

json_t *
ls_json_get_object (const json_t *object, const char *name, GError **error)
{
  json_t *json = json_object_get (object, name);

  if (json_is_object (json))
    return json;
  wrong_member (name, _("an object"), error);
  return NULL;
}

json_t *
ls_json_get_array (const json_t *object, const char *name, guint min_length, guint max_length, GError **error)
{
  json_t *json = json_object_get (object, name);

  if (json_is_array (json) && json_array_size (json) >= min_length && json_array_size (json) <= max_length)
    return json;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be an array of %u to %u elements."),
               name, min_length, max_length);
  return NULL;
}

gboolean
ls_json_get_ints (const json_t *object, const char *name, gint64 min, gint64 max, guint min_length,
                  guint max_length, gint64 *values, guint *n, GError **error)
{
  const json_t *array = ls_json_get_array (object, name, min_length, max_length, error);

  *n = (guint) json_array_size (array);
  for (guint i = 0; i < *n; i++)
    if (!take_int (json_array_get (array, i), min, max, &values[i]))
      return wrong_int (name, min, max, error);
  return array != NULL;
}

json_t *
ls_json_array_object (const json_t *array, guint i, const char *name, GError **error)
{
  json_t *json = json_array_get (array, i);

  if (json_is_object (json))
    return json;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("element %u of “%s” must be an object."), i, name);
  return NULL;
}

/* ---- writing ---- */

json_t *
ls_json_put (json_t *into, const char *name, json_t *value)
{
  const int failed = name != NULL ? json_object_set_new (into, name, value)
                                  : json_array_append_new (into, value);

  return failed ? NULL : value;
}

json_t *
ls_json_object (json_t *into, const char *name)
{
  return ls_json_put (into, name, json_object ());
}

json_t *
ls_json_array (json_t *into, const char *name)
{
  return ls_json_put (into, name, json_array ());
}

void
ls_json_text (json_t *into, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  ls_json_put (into, name, valid != NULL ? json_string (valid) : json_null ());
}

void
ls_json_number (json_t *into, const char *name, double value)
{
  ls_json_put (into, name, isfinite (value) ? json_real (value) : json_null ());
}

void
ls_json_whole (json_t *into, const char *name, gint64 value)
{
  ls_json_put (into, name, json_integer (value));
}

void
ls_json_bool (json_t *into, const char *name, gboolean value)
{
  ls_json_put (into, name, json_boolean (value));
}

void
ls_json_put_figure (json_t *into, const char *name, const LsFigure *figure)
{
  json_t *json = ls_json_object (into, name);

  ls_json_number (json, "median", figure->value);
  ls_json_number (json, "q1", figure->q1);
  ls_json_number (json, "q3", figure->q3);
  ls_json_whole (json, "n", (gint64) figure->n);
}

gboolean
ls_json_get_figure (const json_t *object, const char *name, const char *unit, double max, LsFigure *figure,
                    GError **error)
{
  const json_t *o = ls_json_get_object (object, name, error);
  gint64 n;

  *figure = (LsFigure){ .unit = unit, .evidence = LS_EVIDENCE_MEASURED };
  if (o == NULL || !ls_json_get_double (o, "median", 0, max, &figure->value, error)
      || !ls_json_get_double (o, "q1", 0, max, &figure->q1, error)
      || !ls_json_get_double (o, "q3", 0, max, &figure->q3, error)
      || !ls_json_get_int (o, "n", 1, G_MAXINT32, &n, error))
    return FALSE;
  figure->n = (guint64) n;
  return TRUE;
}
