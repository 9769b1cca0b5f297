/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests that need files: a folder of their own, bytes into files, gzip.
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "core/error.h"

typedef struct {
  char *path;
} TempDir;

static inline void
temp_dir_init (TempDir *dir)
{
  g_autoptr (GError) error = NULL;

  dir->path = g_dir_make_tmp ("lockstep-test-XXXXXX", &error);
  g_assert_no_error (error);
}

/* Removes the folder and the files in it; folders in it must be empty. */
static inline void
temp_dir_clear (TempDir *dir)
{
  GDir *list = g_dir_open (dir->path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (list)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir->path, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_dir_close (list);
  g_assert_cmpint (g_rmdir (dir->path), ==, 0);
  g_clear_pointer (&dir->path, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TempDir, temp_dir_clear)

static inline char *
temp_path (const TempDir *dir, const char *name)
{
  return g_build_filename (dir->path, name, NULL);
}

static inline void
put_file (const char *path, gconstpointer bytes, gsize n)
{
  FILE *file = g_fopen (path, "wb");

  g_assert_nonnull (file);
  if (n > 0) /* bytes may be NULL else */
    g_assert_cmpuint (fwrite (bytes, 1, n, file), ==, n);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Appends one gzip member that holds bytes. */
static inline void
append_gzip (GByteArray *out, gconstpointer bytes, gsize n)
{
  guint old = out->len;
  gsize bound = n + n / 1000 + 128;
  z_stream stream = { .next_in = (Bytef *) (gpointer) bytes, .avail_in = (uInt) n };

  g_byte_array_set_size (out, (guint) (old + bound));
  g_assert_cmpint (deflateInit2 (&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  stream.next_out = out->data + old;
  stream.avail_out = (uInt) bound;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, (guint) (old + bound - stream.avail_out));
  deflateEnd (&stream);
}

/* An error of the engine's domain, one sentence that ends in a full stop, with the words in it; cleared. */
static inline void
assert_refused (GError **error, gint code, const char *words)
{
  g_assert_error (*error, LS_ERROR, code);
  g_assert_true (g_str_has_suffix ((*error)->message, "."));
  if (words != NULL && strstr ((*error)->message, words) == NULL)
    g_error ("“%s” was expected in: %s", words, (*error)->message);
  g_clear_error (error);
}
