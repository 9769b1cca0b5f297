/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of the IDX reader: files made of a header and bytes, and that they are refused.
 */
#pragma once

#include "data/idx.h"
#include "tempdir.h"

/* Header of `rank` dimensions and type, then n bytes that count up. */
static inline GByteArray *
make_idx (guint8 type, guint rank, const guint32 *dims, gsize n)
{
  GByteArray *file = g_byte_array_new ();
  guint8 head[4] = { 0, 0, type, (guint8) rank };

  g_byte_array_append (file, head, 4);
  for (guint i = 0; i < rank; i++)
    {
      guint32 dim = GUINT32_TO_BE (dims[i]);

      g_byte_array_append (file, (guint8 *) &dim, 4);
    }
  for (gsize i = 0; i < n; i++)
    {
      guint8 byte = (guint8) (i % 251);

      g_byte_array_append (file, &byte, 1);
    }
  return file;
}

static const guint32 small_dims[] = { 5, 3, 7 };
#define SMALL_BYTES (5 * 3 * 7)

static inline void
refuse_images (const char *path, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;
  guint8 *samples = NULL;
  gint64 n, shape[3];

  g_assert_false (ls_idx_read_images (path, &n, shape, &samples, &error));
  assert_refused (&error, code, words);
  g_assert_null (samples);
}
