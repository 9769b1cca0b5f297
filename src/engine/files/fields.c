/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Structs to JSON and back, by table; see fields.h.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/fields.h"
#include "files/text.h"

#define MAX_ARRAY 16

static guint
array_length (const LsField *field, gconstpointer data)
{
  return field->count_offset < 0 ? field->size : G_STRUCT_MEMBER (guint, data, field->count_offset);
}

static void
write_array (const LsField *field, gconstpointer data, GString *out)
{
  gconstpointer values = G_STRUCT_MEMBER_P (data, field->offset);

  g_string_append_c (out, '[');
  for (guint i = 0; i < array_length (field, data); i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      if (field->type == LS_FIELD_INT64S)
        g_string_append_printf (out, "%" PRId64, ((const gint64 *) values)[i]);
      else
        g_string_append_printf (out, "%u", ((const guint *) values)[i]);
    }
  g_string_append_c (out, ']');
}

static void
write_field (const LsField *field, gconstpointer data, GString *out)
{
  switch (field->type)
    {
    case LS_FIELD_TEXT:
    case LS_FIELD_TEXT_OR_NULL:
      ls_text_append_json (out, G_STRUCT_MEMBER (const char *, data, field->offset));
      break;
    case LS_FIELD_TEXT_IN_PLACE:
      ls_text_append_json (out, (const char *) G_STRUCT_MEMBER_P (data, field->offset));
      break;
    case LS_FIELD_INT:
      g_string_append_printf (out, "%d", G_STRUCT_MEMBER (gint, data, field->offset));
      break;
    case LS_FIELD_UINT:
      g_string_append_printf (out, "%u", G_STRUCT_MEMBER (guint, data, field->offset));
      break;
    case LS_FIELD_INT64:
      g_string_append_printf (out, "%" PRId64, G_STRUCT_MEMBER (gint64, data, field->offset));
      break;
    case LS_FIELD_UINT64:
      g_string_append_printf (out, "%" PRIu64, G_STRUCT_MEMBER (guint64, data, field->offset));
      break;
    case LS_FIELD_DOUBLE:
      ls_text_append_double (out, G_STRUCT_MEMBER (double, data, field->offset));
      break;
    case LS_FIELD_BOOL:
      g_string_append (out, G_STRUCT_MEMBER (gboolean, data, field->offset) ? "true" : "false");
      break;
    case LS_FIELD_NAME:
      ls_text_append_json (out, field->names[G_STRUCT_MEMBER (guint, data, field->offset)]);
      break;
      case LS_FIELD_NAME_OR_NULL: {
        const guint value = G_STRUCT_MEMBER (guint, data, field->offset);
        ls_text_append_json (out, value > 0 ? field->names[value - 1] : NULL);
        break;
      }
    case LS_FIELD_INT64S:
    case LS_FIELD_UINTS:
      write_array (field, data, out);
      break;
    default:
      g_assert_not_reached ();
    }
}

void
ls_fields_write (const LsField *fields, guint n, gconstpointer data, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (out, "%s\"%s\":", i > 0 ? "," : "", fields[i].name);
      write_field (&fields[i], data, out);
    }
}

static gboolean
read_name (const LsField *field, const char *text, guint *value, GError **error)
{
  g_autofree char *known = NULL;

  for (*value = 0; field->names[*value] != NULL; (*value)++)
    if (strcmp (field->names[*value], text) == 0)
      return TRUE;
  known = g_strjoinv (", ", (char **) field->names);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be one of %s, not “%s”."),
               field->name, known, text);
  return FALSE;
}

static gboolean
read_text (const LsField *field, const json_t *object, gpointer data, GError **error)
{
  const char *text;

  if (field->type == LS_FIELD_TEXT_OR_NULL || field->type == LS_FIELD_NAME_OR_NULL)
    {
      if (!ls_json_get_string_or_null (object, field->name, &text, error))
        return FALSE;
    }
  else if ((text = ls_json_get_string (object, field->name, error)) == NULL)
    return FALSE;
  if (field->type == LS_FIELD_NAME_OR_NULL)
    {
      for (guint i = 0; text != NULL && field->names[i] != NULL; i++)
        if (strcmp (field->names[i], text) == 0)
          G_STRUCT_MEMBER (guint, data, field->offset) = i + 1;
      return TRUE;
    }
  if (field->type == LS_FIELD_NAME)
    return read_name (field, text, &G_STRUCT_MEMBER (guint, data, field->offset), error);
  if (field->type != LS_FIELD_TEXT_IN_PLACE)
    {
      G_STRUCT_MEMBER (char *, data, field->offset) = g_strdup (text);
      return TRUE;
    }
  if (strlen (text) < field->size)
    {
      strcpy ((char *) G_STRUCT_MEMBER_P (data, field->offset), text);
      return TRUE;
    }
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” must be shorter than %u bytes."),
               field->name, field->size);
  return FALSE;
}

static gboolean
read_array (const LsField *field, const json_t *object, gpointer data, GError **error)
{
  gint64 values[MAX_ARRAY];
  gpointer out = G_STRUCT_MEMBER_P (data, field->offset);
  guint n;

  g_return_val_if_fail (field->size <= MAX_ARRAY, FALSE);
  if (!ls_json_get_ints (object, field->name, field->min, field->max,
                         field->count_offset < 0 ? field->size : 0, field->size, values, &n, error))
    return FALSE;
  if (field->count_offset >= 0)
    G_STRUCT_MEMBER (guint, data, field->count_offset) = n;
  for (guint i = 0; i < n; i++)
    if (field->type == LS_FIELD_INT64S)
      ((gint64 *) out)[i] = values[i];
    else
      ((guint *) out)[i] = (guint) values[i];
  return TRUE;
}

static gboolean
read_int (const LsField *field, const json_t *object, gpointer data, GError **error)
{
  gint64 value;

  if (!ls_json_get_int (object, field->name, field->min, field->max, &value, error))
    return FALSE;
  if (field->type == LS_FIELD_INT)
    G_STRUCT_MEMBER (gint, data, field->offset) = (gint) value;
  else if (field->type == LS_FIELD_UINT)
    G_STRUCT_MEMBER (guint, data, field->offset) = (guint) value;
  else
    G_STRUCT_MEMBER (gint64, data, field->offset) = value;
  return TRUE;
}

static gboolean
read_field (const LsField *field, const json_t *object, gpointer data, GError **error)
{
  switch (field->type)
    {
    case LS_FIELD_TEXT:
    case LS_FIELD_TEXT_OR_NULL:
    case LS_FIELD_TEXT_IN_PLACE:
    case LS_FIELD_NAME:
    case LS_FIELD_NAME_OR_NULL:
      return read_text (field, object, data, error);
    case LS_FIELD_INT:
    case LS_FIELD_UINT:
    case LS_FIELD_INT64:
    case LS_FIELD_UINT64:
      return read_int (field, object, data, error);
    case LS_FIELD_DOUBLE:
      return ls_json_get_double (object, field->name, (double) field->min, (double) field->max,
                                 &G_STRUCT_MEMBER (double, data, field->offset), error);
    case LS_FIELD_BOOL:
      return ls_json_get_bool (object, field->name, &G_STRUCT_MEMBER (gboolean, data, field->offset), error);
    case LS_FIELD_INT64S:
    case LS_FIELD_UINTS:
      return read_array (field, object, data, error);
    default:
      g_assert_not_reached ();
    }
}

gboolean
ls_fields_read (const LsField *fields, guint n, const json_t *object, gpointer data, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!(fields[i].optional && json_object_get (object, fields[i].name) == NULL)
        && !read_field (&fields[i], object, data, error))
      return FALSE;
  return TRUE;
}
