/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of folders of images: trees of files that go away with all that is in them, and images made here.
 */
#pragma once

#include "loader_rig.h"

typedef struct {
  char *path;
} Tree;

static inline void
tree_clear (Tree *tree)
{
  remove_tree (tree->path);
  g_free (tree->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

static inline void
tree_init (Tree *tree)
{
  tree->path = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
  g_assert_nonnull (tree->path);
}

/* With the folders on the way. */
static inline void
put_in (const Tree *tree, const char *name, gconstpointer bytes, gsize n)
{
  g_autofree char *path = g_build_filename (tree->path, name, NULL), *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  put_file (path, bytes, n);
}

static inline void
put_be (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_BE (value);
  g_byte_array_append (out, (const guint8 *) &value, 4);
}

static inline void
add_chunk (GByteArray *out, const char *type, const guint8 *data, guint n)
{
  const guint at = out->len + 4;

  put_be (out, n);
  g_byte_array_append (out, (const guint8 *) type, 4);
  g_byte_array_append (out, data, n);
  put_be (out, (guint32) crc32 (0, out->data + at, n + 4));
}

/* Of that size by its header, with these rows of filter bytes and values. channels: 1, 3, 4. (transfer full)
 */
static inline GByteArray *
make_png (guint32 width, guint32 height, guint channels, const guint8 *rows, gsize n)
{
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) head = g_byte_array_new ();
  uLongf bound = compressBound (n);
  g_autofree guint8 *packed = g_malloc (bound);

  g_byte_array_append (out, (const guint8 *) "\x89PNG\r\n\x1a\n", 8);
  put_be (head, width);
  put_be (head, height);
  g_byte_array_append (head, (const guint8[]){ 8, channels == 1 ? 0 : channels == 3 ? 2 : 6, 0, 0, 0 }, 5);
  add_chunk (out, "IHDR", head->data, head->len);
  g_assert_cmpint (compress (packed, &bound, rows, n), ==, Z_OK);
  add_chunk (out, "IDAT", packed, (guint) bound);
  add_chunk (out, "IEND", NULL, 0);
  return out;
}

/* All pixels alike, but one channel's are `value`. (transfer full) */
static inline GByteArray *
make_plain_png (guint edge, guint channels, guint8 value)
{
  const gsize row = 1 + (gsize) edge * channels;
  g_autofree guint8 *rows = g_malloc (row * edge);

  memset (rows, value, row * edge);
  for (guint y = 0; y < edge; y++)
    rows[row * y] = 0;
  return make_png (edge, edge, channels, rows, row * edge);
}

/* Two classes, each of n files. */
static inline void
put_classes (const Tree *tree, guint n, guint edge)
{
  for (guint i = 0; i < 2 * n; i++)
    {
      g_autoptr (GByteArray) png = make_plain_png (edge, 1, (guint8) (i % 2 == 0 ? 10 + i : 200 + i));
      g_autofree char *name = g_strdup_printf ("%s/%u.png", i % 2 == 0 ? "dark" : "light", i / 2);

      put_in (tree, name, png->data, png->len);
    }
}
