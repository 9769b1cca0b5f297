/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See npy.h. The dictionary is read as NumPy writes it: three keys, in any order, a text, a truth value and a
 * tuple of whole numbers.
 */
#include "config.h"
#include "data/npy.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "data/limits.h"

#define MAX_HEADER 65535

static gssize
take (LsNpy *npy, void *buffer, gsize n, GError **error)
{
  return npy->zip != NULL ? ls_zip_read (npy->zip, buffer, n, error)
                          : ls_input_read (npy->input, buffer, n, error);
}

static gboolean
refuse_cut (const LsNpy *npy, GError **error)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA,
               _("“%s” is cut: it ends before its array does; fetch it again."), npy->name);
  return FALSE;
}

static gboolean
take_all (LsNpy *npy, void *buffer, gsize n, GError **error)
{
  const gssize got = take (npy, buffer, n, error);

  return got < 0 ? FALSE : got == (gssize) n || refuse_cut (npy, error);
}

/* ---- the header ---- */

/* Behind "'key':" and spaces; NULL: it isn't there. */
static const char *
value_of (const char *header, const char *key)
{
  g_autofree char *single = g_strdup_printf ("'%s'", key), *twice = g_strdup_printf ("\"%s\"", key);
  const char *at = strstr (header, single);

  at = at != NULL ? at : strstr (header, twice);
  if (at == NULL)
    return NULL;
  at += strlen (single);
  at += strspn (at, " ");
  return *at == ':' ? at + 1 + strspn (at + 1, " ") : NULL;
}

static gboolean
read_type (LsNpy *npy, const char *at)
{
  const char order = at != NULL && (*at == '\'' || *at == '"') ? at[1] : '\0';

  if (order == '\0' || strchr ("<>|=", order) == NULL || at[2] == '\0' || strchr ("uifb", at[2]) == NULL
      || at[3] == '\0' || strchr ("1248", at[3]) == NULL || at[4] != *at)
    return FALSE;
  npy->kind = at[2];
  npy->bytes = (guint) (at[3] - '0');
  npy->swapped = npy->bytes > 1 && order == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');
  return (npy->kind != 'f' || npy->bytes >= 4) && (npy->kind != 'b' || npy->bytes == 1);
}

static gboolean
read_shape (LsNpy *npy, const char *at)
{
  if (at == NULL || *at++ != '(')
    return FALSE;
  for (npy->rank = 0;; npy->rank++)
    {
      guint64 dim;
      char *end;

      at += strspn (at, " ");
      if (*at == ')')
        return npy->rank > 0;
      if (npy->rank == LS_NPY_MAX_RANK || !g_ascii_isdigit (*at))
        return FALSE;
      dim = g_ascii_strtoull (at, &end, 10);
      if (dim > G_MAXINT32)
        return FALSE;
      npy->dims[npy->rank] = (gint64) dim;
      at = end + strspn (end, " L");
      if (*at == ',')
        at++;
      else if (*at != ')')
        return FALSE;
    }
}

static gboolean
refuse_header (const LsNpy *npy, const char *header, GError **error)
{
  g_autofree char *shown = g_strndup (header, 100);

  g_strdelimit (g_strchomp (shown), "\n", ' ');
  g_set_error (
    error, LS_ERROR, LS_ERROR_DATA,
    _("“%s” holds no array that is read: one of 1 to 4 dimensions, of whole numbers or floats, row by "
       "row, is expected, not %s."),
    npy->name, shown);
  return FALSE;
}

static gboolean
read_header (LsNpy *npy, GError **error)
{
  const gsize magic = strlen (LS_NPY_MAGIC);
  g_autofree char *header = NULL;
  const char *order;
  guint8 head[12];
  guint32 n;

  if (!take_all (npy, head, 10, error))
    return FALSE;
  if (memcmp (head, LS_NPY_MAGIC, magic) != 0 || head[6] < 1 || head[6] > 3)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is no array of NumPy, versions 1 to 3."),
                   npy->name);
      return FALSE;
    }
  if (head[6] > 1 && !take_all (npy, head + 10, 2, error))
    return FALSE;
  n = (guint32) head[8] | (guint32) head[9] << 8;
  n |= head[6] > 1 ? (guint32) head[10] << 16 | (guint32) head[11] << 24 : 0;
  if (n > MAX_HEADER)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("“%s” has a header of %u bytes, and at most %d are read."), npy->name, n, MAX_HEADER);
      return FALSE;
    }
  header = g_malloc0 (n + 1);
  if (!take_all (npy, header, n, error))
    return FALSE;
  order = value_of (header, "fortran_order");
  if (order == NULL || !g_str_has_prefix (order, "False") || !read_type (npy, value_of (header, "descr"))
      || !read_shape (npy, value_of (header, "shape")))
    return refuse_header (npy, header, error);
  return TRUE;
}

/* Nothing overflows: each is 2³¹ at most, and their product as the samples' limit has it, times eight. */
static gboolean
measure (LsNpy *npy, GError **error)
{
  gint64 whole = 1;

  for (guint d = 0; d < npy->rank; d++)
    {
      if (npy->dims[d] == 0)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is empty: dimension %u of it is 0."),
                       npy->name, d + 1);
          return FALSE;
        }
      if (__builtin_mul_overflow (whole, npy->dims[d], &whole) || whole > LS_DATA_MAX_BYTES)
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("“%s” claims more than 2 GiB of data, which isn’t read; its header is wrong or the "
                          "set too large."),
                       npy->name);
          return FALSE;
        }
    }
  npy->each = whole / npy->dims[0];
  return TRUE;
}

gboolean
ls_npy_open (LsNpy *npy, const char *path, LsZip *zip, guint member, GError **error)
{
  g_autofree char *file = ls_file_display_name (path);

  npy->zip = zip;
  npy->name = zip != NULL ? g_strdup_printf ("%s: %s", file, ls_zip_name (zip, member))
                          : g_steal_pointer (&file);
  if (zip != NULL ? !ls_zip_begin (zip, member, error) : (npy->input = ls_input_open (path, error)) == NULL)
    return FALSE;
  return read_header (npy, error) && measure (npy, error)
         && (npy->input == NULL
             || ls_input_may_hold (npy->input, npy->dims[0] * npy->each * (gint64) npy->bytes, error));
}

void
ls_npy_clear (LsNpy *npy)
{
  g_clear_pointer (&npy->name, g_free);
  g_clear_pointer (&npy->input, ls_input_close);
}

/* ---- elements ---- */

gboolean
ls_npy_read (LsNpy *npy, void *buffer, gsize n, GError **error)
{
  return take_all (npy, buffer, n * npy->bytes, error);
}

gboolean
ls_npy_end (LsNpy *npy, GError **error)
{
  guint8 extra;
  const gssize got = take (npy, &extra, 1, error);

  if (got > 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                 _("“%s” is too long: more follows than its header announces."), npy->name);
  return got == 0;
}

double
ls_npy_value (const LsNpy *npy, const guint8 *elements, gsize i)
{
  guint8 raw[8] = { 0 };
  const guint8 *from = elements + i * npy->bytes;
  float single;
  double twice;
  gint64 whole;
  gint32 half;
  gint16 quarter;

  for (guint b = 0; b < npy->bytes; b++)
    raw[b] = from[npy->swapped ? npy->bytes - 1 - b : b];
  memcpy (&single, raw, sizeof single);
  memcpy (&twice, raw, sizeof twice);
  memcpy (&whole, raw, sizeof whole);
  memcpy (&half, raw, sizeof half);
  memcpy (&quarter, raw, sizeof quarter);
  if (npy->kind == 'f')
    return npy->bytes == 4 ? (double) single : twice;
  if (npy->kind == 'i')
    return npy->bytes == 8   ? (double) whole
           : npy->bytes == 4 ? half
           : npy->bytes == 2 ? quarter
                             : (gint8) raw[0];
  return npy->bytes == 8   ? (double) (guint64) whole
         : npy->bytes == 4 ? (guint32) half
         : npy->bytes == 2 ? (guint16) quarter
                           : raw[0];
}
