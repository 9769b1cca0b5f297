/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One entry of the tuner's file as JSON, there and back. The same text goes from the tuner's child to its
 * parent.
 */
#include "config.h"
#include "backends/opencl/kernels/tuned.h"

#include <glib/gi18n-lib.h>

#include "core/error.h"

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

json_t *
ls_tuned_entry_to_json (const LsTunedEntry *entry)
{
  json_t *json = json_object (), *params;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    ls_json_text (json, texts[i].name, TEXT (entry, i));
  params = ls_json_object (json, "params");
  for (guint i = 0; i < entry->n_params; i++)
    ls_json_whole (params, entry->params[i].name, entry->params[i].value);
  ls_json_put_figure (json, "shipped_us", &entry->shipped_us);
  ls_json_put_figure (json, "us", &entry->us);
  ls_json_whole (json, "tried", entry->tried);
  ls_json_whole (json, "refused", entry->refused);
  return json;
}

/* ---- in ---- */

static gboolean
read_params (const json_t *object, LsTunedEntry *entry, GError **error)
{
  json_t *params = ls_json_get_object (object, "params", error), *value;
  const char *name;

  if (json_object_size (params) > LS_TUNED_MAX_PARAMS)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“params” has more than %d members"),
                   LS_TUNED_MAX_PARAMS);
      return FALSE;
    }
  json_object_foreach (params, name, value)
    {
      guint i = entry->n_params;
      if (!ls_json_get_int (params, name, -G_MAXINT32, G_MAXINT32, &entry->params[i].value, error))
        return FALSE;
      entry->params[i].name = g_strdup (name);
      entry->n_params++;
    }
  return params != NULL;
}

LsTunedEntry *
ls_tuned_entry_from_json (const json_t *json, GError **error)
{
  g_autoptr (LsTunedEntry) entry = g_new0 (LsTunedEntry, 1);

  if (!json_is_object (json))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA, _("an entry is no object"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if ((TEXT (entry, i) = g_strdup (ls_json_get_string (json, texts[i].name, error))) == NULL)
      return NULL;
  if (!read_params (json, entry, error)
      || !ls_json_get_figure (json, "shipped_us", "µs", MAX_US, &entry->shipped_us, error)
      || !ls_json_get_figure (json, "us", "µs", MAX_US, &entry->us, error)
      || !ls_json_get_int (json, "tried", 0, G_MAXINT32, &entry->tried, error)
      || !ls_json_get_int (json, "refused", 0, G_MAXINT32, &entry->refused, error))
    return NULL;
  return g_steal_pointer (&entry);
}
