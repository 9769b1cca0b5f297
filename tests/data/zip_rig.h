/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of NumPy's files: arrays as .npy, and archives of them as numpy.savez() and savez_compressed()
 * write them.
 */
#pragma once

#include <glib.h>
#include <string.h>
#include <zlib.h>

static inline void
put_le (GByteArray *out, guint64 value, guint bytes)
{
  for (guint i = 0; i < bytes; i++)
    g_byte_array_append (out, (const guint8[]){ (guint8) (value >> 8 * i) }, 1);
}

/* version 1, padded to 64 bytes */
static inline GByteArray *
make_npy_of (const char *dict, gconstpointer bytes, gsize n)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GString) header = g_string_new (dict);

  while ((10 + header->len + 1) % 64 != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  g_byte_array_append (out, (const guint8 *) "\x93NUMPY\1\0", 8);
  put_le (out, header->len, 2);
  g_byte_array_append (out, (const guint8 *) header->str, (guint) header->len);
  g_byte_array_append (out, bytes, (guint) n);
  return out;
}

/* shape: "(2, 3)" */
static inline GByteArray *
make_npy (const char *descr, const char *shape, gconstpointer bytes, gsize n)
{
  g_autofree char *dict = g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr,
                                           shape);

  return make_npy_of (dict, bytes, n);
}

typedef struct {
  GByteArray *out, *directory;
  guint n;
} ZipMaker;

static inline void
zip_begin (ZipMaker *zip)
{
  *zip = (ZipMaker){ g_byte_array_new (), g_byte_array_new (), 0 };
}

/* wide: sizes in an extra field, as numpy.savez() has them */
static inline void
zip_add (ZipMaker *zip, const char *name, GByteArray *bytes, gboolean deflated, gboolean wide)
{
  const guint32 at = zip->out->len, crc = (guint32) crc32 (0, bytes->data, bytes->len);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  gsize n = bytes->len;

  g_byte_array_append (packed, bytes->data, bytes->len);
  if (deflated)
    {
      z_stream stream = { .next_in = bytes->data, .avail_in = bytes->len };

      g_byte_array_set_size (packed, bytes->len + bytes->len / 100 + 64);
      deflateInit2 (&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
      stream.next_out = packed->data;
      stream.avail_out = packed->len;
      g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
      n = stream.total_out;
      deflateEnd (&stream);
      g_byte_array_set_size (packed, (guint) n);
    }
  for (guint i = 0; i < 2; i++)
    {
      GByteArray *to = i == 0 ? zip->out : zip->directory;

      put_le (to, i == 0 ? 0x04034b50 : 0x02014b50, 4);
      if (i == 1)
        put_le (to, 45, 2);
      put_le (to, wide ? 45 : 20, 2);
      put_le (to, 0, 2);
      put_le (to, deflated ? 8 : 0, 2);
      put_le (to, 0, 4);
      put_le (to, crc, 4);
      put_le (to, wide ? 0xffffffff : n, 4);
      put_le (to, wide ? 0xffffffff : bytes->len, 4);
      put_le (to, strlen (name), 2);
      put_le (to, wide ? 20 : 0, 2);
      if (i == 1)
        {
          put_le (to, 0, 2);
          put_le (to, 0, 8);
          put_le (to, at, 4);
        }
      g_byte_array_append (to, (const guint8 *) name, (guint) strlen (name));
      if (wide)
        {
          put_le (to, 1, 2);
          put_le (to, 16, 2);
          put_le (to, bytes->len, 8);
          put_le (to, n, 8);
        }
    }
  g_byte_array_append (zip->out, packed->data, packed->len);
  zip->n++;
}

/* (transfer full) */
static inline GByteArray *
zip_end (ZipMaker *zip)
{
  const guint at = zip->out->len;

  g_byte_array_append (zip->out, zip->directory->data, zip->directory->len);
  put_le (zip->out, 0x06054b50, 4);
  put_le (zip->out, 0, 4);
  put_le (zip->out, zip->n, 2);
  put_le (zip->out, zip->n, 2);
  put_le (zip->out, zip->directory->len, 4);
  put_le (zip->out, at, 4);
  put_le (zip->out, 0, 2);
  g_byte_array_unref (zip->directory);
  return zip->out;
}
