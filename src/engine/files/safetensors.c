/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The safetensors reader. Each check is one that a hostile file was seen to break in some loader: see
 * safetensors.h.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/file.h"
#include "files/json.h"
#include "files/safetensors.h"

G_STATIC_ASSERT (G_BYTE_ORDER == G_LITTLE_ENDIAN); /* elements are read and written as they lie in memory */

static const struct {
  const char *name;
  gsize size;
} dtypes[LS_ST_N_DTYPES] = {
  [LS_ST_F64] = { "F64", 8 },   [LS_ST_I64] = { "I64", 8 },   [LS_ST_U64] = { "U64", 8 },
  [LS_ST_F32] = { "F32", 4 },   [LS_ST_I32] = { "I32", 4 },   [LS_ST_U32] = { "U32", 4 },
  [LS_ST_F16] = { "F16", 2 },   [LS_ST_BF16] = { "BF16", 2 }, [LS_ST_I16] = { "I16", 2 },
  [LS_ST_U16] = { "U16", 2 },   [LS_ST_I8] = { "I8", 1 },     [LS_ST_U8] = { "U8", 1 },
  [LS_ST_BOOL] = { "BOOL", 1 },
};

const char *
ls_st_dtype_name (LsStDtype dtype)
{
  return dtypes[dtype].name;
}

gsize
ls_st_dtype_size (LsStDtype dtype)
{
  return dtypes[dtype].size;
}

/* Refuses the file with its name and what is wrong with it. */
static gboolean refuse (const LsSafetensors *file, GError **error, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const LsSafetensors *file, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = ls_printable (g_strdup_vprintf (format, args));
  va_end (args);
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” can’t be used: %s"), file->name, what);
  return FALSE;
}

static gboolean
read_at (const LsSafetensors *file, void *buffer, gint64 n, gint64 offset, GError **error)
{
  const gint64 got = ls_file_read_at (file->fd, buffer, (gsize) n, offset);

  if (got == n)
    return TRUE;
  if (got >= 0)
    return refuse (file, error, _("it ended at byte %" PRId64 " while it was read."), offset + got);
  g_set_error (error, LS_ERROR, LS_ERROR_FILE, _("“%s” can’t be read: %s."), file->name, g_strerror (errno));
  return FALSE;
}

static gboolean
parse_metadata (LsSafetensors *file, json_t *json, GError **error)
{
  const char *key;
  const json_t *value;

  if (!json_is_object (json))
    return refuse (file, error, _("its __metadata__ is no object."));
  json_object_foreach (json, key, value)
    {
      if (!json_is_string (value))
        return refuse (file, error, _("the metadata “%s” is no text."), key);
      g_hash_table_insert (file->metadata, g_strdup (key), g_strdup (json_string_value (value)));
    }
  return TRUE;
}

/* Sets count and bytes of a tensor from its shape. */
static gboolean
measure (LsStTensor *tensor)
{
  tensor->count = 1;
  for (guint i = 0; i < tensor->rank; i++)
    if (__builtin_mul_overflow (tensor->count, tensor->shape[i], &tensor->count))
      return FALSE;
  return !__builtin_mul_overflow (tensor->count, (gint64) dtypes[tensor->dtype].size, &tensor->bytes);
}

static gboolean
parse_dtype (const char *text, LsStDtype *dtype)
{
  for (guint i = 0; i < LS_ST_N_DTYPES; i++)
    if (strcmp (dtypes[i].name, text) == 0)
      {
        *dtype = (LsStDtype) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_tensor (LsSafetensors *file, const char *name, const json_t *json, LsStTensor *tensor, GError **error)
{
  g_autoptr (GError) local = NULL;
  const char *dtype;
  gint64 place[2];
  guint n;

  tensor->name = g_strdup (name);
  if (!json_is_object (json) || json_object_size (json) != 3)
    return refuse (file, error, _("tensor “%s” must have dtype, shape and data_offsets, and nothing else."),
                   name);
  dtype = ls_json_get_string (json, "dtype", &local);
  if (dtype == NULL
      || !ls_json_get_ints (json, "shape", 0, G_MAXINT64, 0, LS_SAFETENSORS_MAX_RANK, tensor->shape,
                            &tensor->rank, &local)
      || !ls_json_get_ints (json, "data_offsets", 0, G_MAXINT64, 2, 2, place, &n, &local))
    return refuse (file, error, _("tensor “%s”: %s"), name, local->message);
  if (!parse_dtype (dtype, &tensor->dtype))
    return refuse (file, error, _("tensor “%s” is of the unknown dtype “%s”."), name, dtype);
  if (!measure (tensor))
    return refuse (file, error, _("tensor “%s” has a shape whose size overflows."), name);
  tensor->offset = place[0];
  if (place[1] < place[0] || place[1] - place[0] != tensor->bytes)
    return refuse (
      file, error,
      _("tensor “%s” needs %" PRId64 " bytes, but its data_offsets are %" PRId64 " and %" PRId64 "."), name,
      tensor->bytes, place[0], place[1]);
  return TRUE;
}

static int
compare_place_cb (gconstpointer a, gconstpointer b)
{
  const LsStTensor *x = a, *y = b;

  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Sorted by place, each tensor begins where the one before it ends, and the last ends with the file. */
static gboolean
check_places (LsSafetensors *file, gint64 data_bytes, GError **error)
{
  gint64 end = 0;

  if (file->n_tensors > 0)
    qsort (file->tensors, file->n_tensors, sizeof *file->tensors, compare_place_cb);
  for (guint i = 0; i < file->n_tensors; i++)
    {
      LsStTensor *tensor = &file->tensors[i];

      if (tensor->offset != end)
        return refuse (file, error,
                       tensor->offset > end ? _("there is a hole before tensor “%s”.")
                                            : _("tensor “%s” overlaps the one before it."),
                       tensor->name);
      /* offset + bytes is data_offsets[1], so it can't overflow. */
      end += tensor->bytes;
      g_hash_table_insert (file->index, tensor->name, tensor);
    }
  if (end == data_bytes)
    return TRUE;
  if (end > data_bytes)
    return refuse (file, error, _("it is cut: %" PRId64 " bytes expected, %" PRId64 " found."),
                   file->data_offset + end, file->data_offset + data_bytes);
  return refuse (file, error,
                 ngettext ("%" PRId64 " byte follows its last tensor.",
                           "%" PRId64 " bytes follow its last tensor.", (gulong) (data_bytes - end)),
                 data_bytes - end);
}

static gboolean
parse_header (LsSafetensors *file, const char *text, gsize length, const LsSafetensorsLimits *limits,
              GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (json_t) root = ls_json_parse (text, length, limits->header_bytes, JSON_OBJECT, &local);
  const char *name;
  json_t *value;
  guint n;

  if (root == NULL)
    return refuse (file, error, _("its header is wrong: %s"), local->message);
  n = (guint) json_object_size (root) - (json_object_get (root, "__metadata__") != NULL);
  if (n > limits->tensors)
    return refuse (file, error, _("it holds %u tensors, and at most %u are read."), n, limits->tensors);
  file->tensors = g_new0 (LsStTensor, n + 1);
  json_object_foreach (root, name, value)
    {
      gboolean good = strcmp (name, "__metadata__") == 0
                        ? parse_metadata (file, value, error)
                        : parse_tensor (file, name, value, &file->tensors[file->n_tensors++], error);

      if (!good)
        return FALSE;
    }
  return TRUE;
}

LsSafetensors *
ls_safetensors_open (const char *path, const LsSafetensorsLimits *limits, GError **error)
{
  g_autoptr (LsSafetensors) file = g_new0 (LsSafetensors, 1);
  g_autofree char *header = NULL;
  guint8 prefix[8], first = 0;
  guint64 n = 0;
  gint64 size;

  file->name = ls_file_display_name (path);
  file->index = g_hash_table_new (g_str_hash, g_str_equal);
  file->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  file->fd = ls_file_open (path, &size, error);
  if (file->fd < 0)
    return NULL;
  if (size < (gint64) sizeof prefix || size > limits->file_bytes)
    {
      refuse (file, error,
              ngettext ("it has %" PRId64 " byte; from 8 to %" PRId64 " are read.",
                        "it has %" PRId64 " bytes; from 8 to %" PRId64 " are read.", (gulong) size),
              size, limits->file_bytes);
      return NULL;
    }
  if (!read_at (file, prefix, sizeof prefix, 0, error))
    return NULL;
  if ((size_t) size > sizeof prefix && !read_at (file, &first, 1, sizeof prefix, error))
    return NULL;
  if (first != '{')
    {
      refuse (file, error, "%s",
              limits->stranger != NULL
                ? _(limits->stranger)
                : _("its header does not begin with a brace; it is no safetensors file."));
      return NULL;
    }
  for (guint i = 0; i < 8; i++)
    n |= (guint64) prefix[i] << (8 * i);
  if (n > (guint64) size - sizeof prefix || n > limits->header_bytes)
    {
      refuse (file, error,
              _("its header claims %" PRIu64 " bytes, the file has %" PRId64 " and at most %zu are "
                 "read; it is cut."),
              n, size, limits->header_bytes);
      return NULL;
    }
  header = g_malloc (n + 1);
  if (!read_at (file, header, (gint64) n, sizeof prefix, error))
    return NULL;
  file->data_offset = (gint64) (sizeof prefix + n);
  if (!parse_header (file, header, n, limits, error) || !check_places (file, size - file->data_offset, error))
    return NULL;
  return g_steal_pointer (&file);
}

void
ls_safetensors_close (LsSafetensors *file)
{
  if (file == NULL)
    return;
  if (file->fd >= 0)
    close (file->fd);
  for (guint i = 0; i < file->n_tensors; i++)
    g_free (file->tensors[i].name);
  g_free (file->tensors);
  g_hash_table_unref (file->index);
  g_hash_table_unref (file->metadata);
  g_free (file->name);
  g_free (file);
}

const LsStTensor *
ls_safetensors_find (const LsSafetensors *file, const char *name)
{
  return g_hash_table_lookup (file->index, name);
}

gboolean
ls_safetensors_read (const LsSafetensors *file, const LsStTensor *tensor, void *buffer, GError **error)
{
  return read_at (file, buffer, tensor->bytes, file->data_offset + tensor->offset, error);
}
