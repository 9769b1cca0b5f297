/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IDX reader: header, checks, then the elements in one go. What a file claims is compared with what it
 * holds, and a difference is told in bytes, so that a download that broke off is recognised at once.
 */
#include "config.h"

#include <inttypes.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "core/memory.h"
#include "data/idx.h"
#include "files/input.h"

#define IDX_U8   0x08
#define IDX_I32  0x0c
#define MAX_DIMS 4

typedef struct {
  char *name;
  LsInput *input;
  guint8 type;
  guint rank;
  gint64 dims[MAX_DIMS];
  gint64 header_bytes, data_bytes;
} Idx;

static void
idx_clear (Idx *idx)
{
  g_clear_pointer (&idx->name, g_free);
  g_clear_pointer (&idx->input, ls_input_close);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Idx, idx_clear)

static gboolean
refuse_cut (const Idx *idx, gint64 expected, gint64 found, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” is cut: %" PRId64 " bytes expected, %" PRId64 " found; fetch it again."), idx->name,
               expected, found);
  return FALSE;
}

/* Sets data_bytes from dims and the size of one element. */
static gboolean
measure (Idx *idx, GError **error)
{
  gint64 bytes = idx->type == IDX_I32 ? 4 : 1;

  for (guint i = 0; i < idx->rank; i++)
    {
      if (idx->dims[i] == 0)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is empty: dimension %u of its header is 0."),
                       idx->name, i + 1);
          return FALSE;
        }
      if (__builtin_mul_overflow (bytes, idx->dims[i], &bytes) || bytes > LS_DATA_MAX_BYTES)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("“%s” claims more than 2 GiB of data, which isn’t read; its header is wrong or the "
                          "set too large."),
                       idx->name);
          return FALSE;
        }
    }
  if (idx->dims[0] > LS_DATA_MAX_SAMPLES)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” has %lld samples, and at most %d are read."),
                   idx->name, (long long) idx->dims[0], LS_DATA_MAX_SAMPLES);
      return FALSE;
    }
  idx->data_bytes = bytes;
  return TRUE;
}

static gboolean
idx_open (Idx *idx, const char *path, GError **error)
{
  guint8 magic[4], dim[4 * MAX_DIMS];
  gssize got;

  idx->name = ls_file_display_name (path);
  idx->input = ls_input_open (path, error);
  if (idx->input == NULL)
    return FALSE;
  got = ls_input_read (idx->input, magic, sizeof magic, error);
  if (got < 0)
    return FALSE;
  if (got < (gssize) sizeof magic)
    return refuse_cut (idx, sizeof magic, got, error);
  idx->type = magic[2];
  idx->rank = magic[3];
  if (magic[0] != 0 || magic[1] != 0 || idx->rank < 1 || idx->rank > MAX_DIMS
      || (idx->type != IDX_U8 && idx->type != IDX_I32))
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” is no IDX file of bytes or 32-bit integers: it begins with %02x %02x %02x %02x, not with "
           "00 00 08 (or 0c) and 1 to 4 dimensions."),
        idx->name, magic[0], magic[1], magic[2], magic[3]);
      return FALSE;
    }
  idx->header_bytes = 4 + 4 * idx->rank;
  got = ls_input_read (idx->input, dim, 4 * idx->rank, error);
  if (got < 0)
    return FALSE;
  if (got < 4 * (gssize) idx->rank)
    return refuse_cut (idx, idx->header_bytes, 4 + got, error);
  for (guint i = 0; i < idx->rank; i++)
    idx->dims[i] = (gint64) dim[4 * i] << 24 | dim[4 * i + 1] << 16 | dim[4 * i + 2] << 8 | dim[4 * i + 3];
  return measure (idx, error);
}

/* The elements, exactly as many as the header says; NULL on error. */
static guint8 *
idx_read (Idx *idx, GError **error)
{
  g_autofree guint8 *data = NULL;
  gint64 expected = idx->header_bytes + idx->data_bytes;
  gint64 size = ls_input_size (idx->input);
  gssize got;
  guint8 extra;

  if (size >= 0 && size < expected)
    {
      refuse_cut (idx, expected, size, error);
      return NULL;
    }
  if (!ls_input_may_hold (idx->input, expected, error))
    return NULL;
  data = g_try_malloc ((gsize) idx->data_bytes);
  if (data == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %" PRId64 " bytes of memory, which can’t be had."), idx->name,
                   idx->data_bytes);
      return NULL;
    }
  ls_memory_ask_large_pages (data, (gsize) idx->data_bytes);
  got = ls_input_read (idx->input, data, (gsize) idx->data_bytes, error);
  if (got < 0)
    return NULL;
  if (got < idx->data_bytes)
    {
      refuse_cut (idx, expected, idx->header_bytes + got, error);
      return NULL;
    }
  /* One byte beyond: proves the end, and with gzip makes inflate check the last CRC. A bomb stops here. */
  got = ls_input_read (idx->input, &extra, 1, error);
  if (got < 0)
    return NULL;
  if (got > 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” is too long: its header announces %" PRId64 " bytes, and more follow."),
                   idx->name, expected);
      return NULL;
    }
  return g_steal_pointer (&data);
}

static gboolean
open_images (Idx *idx, const char *path, gint64 *n, gint64 shape[3], GError **error)
{
  if (!idx_open (idx, path, error))
    return FALSE;
  if (idx->type != IDX_U8 || idx->rank < 3)
    {
      g_set_error (
        error, LS_ERROR, LS_ERROR_DATA,
        _("“%s” holds no images: bytes in 3 dimensions (number, height, width) or 4 (with channels) are "
           "expected, not type %02x in %u."),
        idx->name, idx->type, idx->rank);
      return FALSE;
    }
  *n = idx->dims[0];
  shape[0] = idx->rank == 4 ? idx->dims[1] : 1;
  shape[1] = idx->dims[idx->rank - 2];
  shape[2] = idx->dims[idx->rank - 1];
  return TRUE;
}

gboolean
ls_idx_look_images (const char *path, gint64 *n, gint64 shape[3], GError **error)
{
  g_auto (Idx) idx = { 0 };

  return open_images (&idx, path, n, shape, error);
}

gboolean
ls_idx_read_images (const char *path, gint64 *n, gint64 shape[3], guint8 **samples, GError **error)
{
  g_auto (Idx) idx = { 0 };

  if (!open_images (&idx, path, n, shape, error))
    return FALSE;
  *samples = idx_read (&idx, error);
  return *samples != NULL;
}

/* Label i of the file's elements, as it stands there. */
static gint64
label_at (const Idx *idx, const guint8 *data, gint64 i)
{
  const guint8 *p = data + 4 * i;

  if (idx->type == IDX_U8)
    return data[i];
  return (gint32) ((guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3]);
}

gboolean
ls_idx_read_labels (const char *path, gint64 *n, gint32 **labels, GError **error)
{
  g_auto (Idx) idx = { 0 };
  g_autofree guint8 *data = NULL;
  g_autofree gint32 *out = NULL;

  if (!idx_open (&idx, path, error))
    return FALSE;
  if (idx.rank != 1)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” holds no labels: one dimension is expected, not %u."), idx.name, idx.rank);
      return FALSE;
    }
  data = idx_read (&idx, error);
  if (data == NULL)
    return FALSE;
  out = g_try_new (gint32, (gsize) idx.dims[0]);
  if (out == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("“%s” needs %" PRId64 " bytes of memory, which can’t be had."), idx.name,
                   4 * idx.dims[0]);
      return FALSE;
    }
  for (gint64 i = 0; i < idx.dims[0]; i++)
    {
      gint64 label = label_at (&idx, data, i);

      if (label < 0 || label >= LS_DATA_MAX_CLASSES)
        {
          g_set_error (
            error, LS_ERROR, LS_ERROR_DATA,
            _("“%s”: label %" PRId64 " of sample %" PRId64 " is out of range; labels go from 0 to %d."),
            idx.name, label, i, LS_DATA_MAX_CLASSES - 1);
          return FALSE;
        }
      out[i] = (gint32) label;
    }
  *n = idx.dims[0];
  *labels = g_steal_pointer (&out);
  return TRUE;
}
