/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The safetensors writer. The header's JSON is simple enough to be written by hand, in one fixed order, so
 * that the same contents always give the same bytes.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/output.h"
#include "files/safetensors.h"
#include "files/text.h"

typedef struct {
  LsStTensor tensor;
  gconstpointer data;
} Entry;

struct _LsSafetensorsWriter {
  GArray *entries; /* Entry */
  GHashTable *metadata;
};

static void
entry_clear (gpointer data)
{
  g_free (((Entry *) data)->tensor.name);
}

LsSafetensorsWriter *
ls_safetensors_writer_new (void)
{
  LsSafetensorsWriter *writer = g_new0 (LsSafetensorsWriter, 1);

  writer->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (writer->entries, entry_clear);
  writer->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return writer;
}

void
ls_safetensors_writer_free (LsSafetensorsWriter *writer)
{
  if (writer == NULL)
    return;
  g_array_unref (writer->entries);
  g_hash_table_unref (writer->metadata);
  g_free (writer);
}

void
ls_safetensors_writer_set (LsSafetensorsWriter *writer, const char *key, const char *text)
{
  g_hash_table_insert (writer->metadata, g_strdup (key), g_strdup (text));
}

void
ls_safetensors_writer_add (LsSafetensorsWriter *writer, const char *name, LsStDtype dtype, guint rank,
                           const gint64 *shape, gconstpointer data)
{
  Entry entry = { .tensor = { .name = g_strdup (name), .dtype = dtype, .rank = rank, .count = 1 },
                  .data = data };

  g_return_if_fail (rank <= LS_SAFETENSORS_MAX_RANK);
  for (guint i = 0; i < rank; i++)
    {
      entry.tensor.shape[i] = shape[i];
      entry.tensor.count *= shape[i];
    }
  entry.tensor.bytes = entry.tensor.count * (gint64) ls_st_dtype_size (dtype);
  g_array_append_val (writer->entries, entry);
}

/* Gives each tensor its place, elements of eight bytes first, otherwise in the order of adding; returns the
 * data's size. */
static gint64
lay_out (LsSafetensorsWriter *writer)
{
  gint64 offset = 0;

  for (gsize size = 8; size >= 1; size /= 2)
    for (guint i = 0; i < writer->entries->len; i++)
      {
        LsStTensor *tensor = &g_array_index (writer->entries, Entry, i).tensor;

        if (ls_st_dtype_size (tensor->dtype) != size)
          continue;
        tensor->offset = offset;
        offset += tensor->bytes;
      }
  return offset;
}

static void
append_metadata (GString *header, GHashTable *metadata)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (metadata), (GCompareFunc) strcmp);

  g_string_append (header, "\"__metadata__\":{");
  for (GList *l = keys; l != NULL; l = l->next)
    {
      ls_text_append_json (header, l->data);
      g_string_append_c (header, ':');
      ls_text_append_json (header, g_hash_table_lookup (metadata, l->data));
      if (l->next != NULL)
        g_string_append_c (header, ',');
    }
  g_string_append_c (header, '}');
}

static GString *
make_header (LsSafetensorsWriter *writer)
{
  GString *header = g_string_new ("{");

  append_metadata (header, writer->metadata);
  for (guint i = 0; i < writer->entries->len; i++)
    {
      const LsStTensor *tensor = &g_array_index (writer->entries, Entry, i).tensor;

      g_string_append_c (header, ',');
      ls_text_append_json (header, tensor->name);
      g_string_append_printf (header, ":{\"dtype\":\"%s\",\"shape\":[", ls_st_dtype_name (tensor->dtype));
      for (guint d = 0; d < tensor->rank; d++)
        g_string_append_printf (header, "%s%" PRId64, d > 0 ? "," : "", tensor->shape[d]);
      g_string_append_printf (header, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", tensor->offset,
                              tensor->offset + tensor->bytes);
    }
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');
  return header;
}

/* The header, and the size of the whole file. NULL: that is more than can be read back. */
static GString *
plan_file (LsSafetensorsWriter *writer, const char *path, const LsSafetensorsLimits *limits, gint64 *total,
           GError **error)
{
  const gint64 data_bytes = lay_out (writer);
  GString *header = make_header (writer);
  g_autofree char *name = NULL;

  *total = 8 + (gint64) header->len + data_bytes;
  if (header->len <= limits->header_bytes && writer->entries->len <= limits->tensors
      && *total <= limits->file_bytes)
    return header;
  g_string_free (header, TRUE);
  name = g_filename_display_name (path);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” isn’t saved: %" PRId64
                  " bytes and %u tensors are more than can be read back; at most "
                  "%" PRId64 " bytes and %u tensors are."),
               name, *total, writer->entries->len, limits->file_bytes, limits->tensors);
  return NULL;
}

gboolean
ls_safetensors_writer_check (LsSafetensorsWriter *writer, const char *path, const LsSafetensorsLimits *limits,
                             GError **error)
{
  gint64 total;
  g_autoptr (GString) header = plan_file (writer, path, limits, &total, error);

  return header != NULL;
}

gboolean
ls_safetensors_writer_save (LsSafetensorsWriter *writer, const char *path, const LsSafetensorsLimits *limits,
                            GError **error)
{
  gint64 total;
  g_autoptr (GString) header = plan_file (writer, path, limits, &total, error);
  g_autofree guint8 *file = NULL;

  if (header == NULL)
    return FALSE;
  file = g_try_malloc ((gsize) total);
  if (file == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("Saving needs %" PRId64 " bytes of memory, which can’t be had."), total);
      return FALSE;
    }
  for (guint i = 0; i < 8; i++)
    file[i] = (guint8) ((guint64) header->len >> (8 * i));
  memcpy (file + 8, header->str, header->len);
  for (guint i = 0; i < writer->entries->len; i++)
    {
      const Entry *entry = &g_array_index (writer->entries, Entry, i);

      if (entry->tensor.bytes > 0)
        memcpy (file + 8 + header->len + entry->tensor.offset, entry->data, (gsize) entry->tensor.bytes);
    }
  return ls_file_save (path, file, (gsize) total, error);
}
