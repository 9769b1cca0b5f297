/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders of images: kinds, sizes, colour, transparency, turning, layouts.
 */
#include <gdk-pixbuf/gdk-pixbuf.h>

#include "images_rig.h"

/* 24 bits, rows from the bottom up. (transfer full) */
static GByteArray *
make_bmp (gint32 width, gint32 height, const guint8 *rgb)
{
  const guint row = ((guint) ABS (width) * 3 + 3) / 4 * 4, n = row * (guint) ABS (height);
  GByteArray *out = g_byte_array_new ();
  const guint32 fields[] = { 54 + n, 0,    54, 40, (guint32) width, (guint32) height, 1 | 24 << 16, 0, n,
                             2835,   2835, 0,  0 };

  g_byte_array_append (out, (const guint8 *) "BM", 2);
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const guint32 field = GUINT32_TO_LE (fields[i]);
      g_byte_array_append (out, (const guint8 *) &field, 4);
    }
  g_byte_array_set_size (out, 54 + n);
  memset (out->data + 54, 0, n);
  for (gint y = 0; y < height && rgb != NULL; y++)
    for (gint x = 0; x < width; x++)
      for (gint c = 0; c < 3; c++)
        out->data[54 + row * (guint) (height - 1 - y) + (guint) (3 * x + 2 - c)]
          = rgb[3 * (y * width + x) + c];
  return out;
}

static void
test_grey (void)
{
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  put_classes (&tree, 5, 6);
  put_in (&tree, "dark/readme.txt", "hello", 5);
  put_in (&tree, "none/notes.txt", "hello", 5);
  put_in (&tree, "dark/.thumbs", "hello", 5);
  put_in (&tree, "liesmich", "hello", 5);
  g_autoptr (LsData) data = accept_as (tree.path, "test-share=0.2");
  g_assert_cmpint (data->n_classes, ==, 2);
  g_assert_cmpstr (data->class_names[0], ==, "dark");
  g_assert_cmpstr (data->class_names[1], ==, "light");
  g_assert_null (data->class_names[2]);
  g_assert_cmpint (data->train.n, ==, 8);
  g_assert_cmpint (data->test.n, ==, 2);
  g_assert_cmpint (data->train.shape[0], ==, 1);
  g_assert_cmpint (data->train.shape[1], ==, 6);
  g_assert_cmpint (data->train.type, ==, LS_SAMPLE_U8);
  assert_note (data, "2 files are no PNG, JPEG or BMP images and left out, the first is “dark/readme.txt”.");
  assert_note (data, "Folder “none” has no images and is left out.");
  for (gint64 i = 0; i < data->train.n; i++)
    {
      const guint8 *x = ls_dataset_sample (&data->train, i);

      g_assert_true (data->train.labels[i] == (x[0] >= 100));
      g_assert_cmpint (x[35], ==, x[0]);
    }
}

/* The mean of each area, also where areas cut pixels; planes of red, green and blue. */
static void
test_average (void)
{
  const guint8 rgb[4 * 3 * 3] = { 0,   0, 9, 100, 0, 9, 200, 0, 9, 100, 0, 9, 40, 0, 9, 60,  0, 9,
                                  100, 0, 9, 0,   0, 9, 80,  0, 9, 80,  0, 9, 80, 0, 9, 240, 0, 9 };
  static const struct {
    const char *size;
    guint8 red[12];
    guint n;
  } rows[] = {
    { "size=4x3", { 0, 100, 200, 100, 40, 60, 100, 0, 80, 80, 80, 240 }, 12 },
    { "size=2x3", { 50, 150, 50, 50, 80, 160 }, 6 },
    { "size=4x1", { 40, 80, 127, 113 }, 4 },
    { "size=1x1", { 90 }, 1 },
    { "size=3x1", { 50, 103, 117 }, 3 },
  };
  g_auto (Tree) tree = { 0 };
  g_autoptr (GByteArray) bmp = make_bmp (4, 3, rgb);

  tree_init (&tree);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u", i % 2 == 0 ? "a" : "b", i);
      put_in (&tree, name, bmp->data, bmp->len);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsData) data = accept_as (tree.path, rows[i].size);
      const guint8 *x = data->train.samples;

      g_assert_cmpint (data->train.shape[0], ==, 3);
      g_assert_cmpint (data->train.sample_size, ==, 3 * rows[i].n);
      for (guint p = 0; p < rows[i].n; p++)
        {
          g_assert_cmpint (ABS ((gint) x[p] - (gint) rows[i].red[p]), <=, 1);
          g_assert_cmpint (x[rows[i].n + p], ==, 0);
          g_assert_cmpint (x[2 * rows[i].n + p], ==, 9);
        }
    }
  /* to more pixels than there are, and without distortion of what is even */
  g_autoptr (LsData) large = accept_as (tree.path, "size=9x9");
  g_assert_cmpint (large->train.sample_size, ==, 3 * 81);
  g_assert_cmpint (((const guint8 *) large->train.samples)[3 * 81 - 1], ==, 9);
}

/* The first coloured image gives all three channels; transparent ones lie on white; sizes are mixed. */
static void
test_mixed (void)
{
  g_auto (Tree) tree = { 0 };
  const guint8 red[3] = { 255, 0, 0 };
  g_autoptr (GByteArray) bmp = make_bmp (1, 1, red), clear = make_plain_png (5, 4, 0),
                         large = make_plain_png (128, 1, 77);

  tree_init (&tree);
  put_classes (&tree, 3, 4);
  put_in (&tree, "light/z.bmp", bmp->data, bmp->len);
  put_in (&tree, "light/clear.png", clear->data, clear->len);
  put_in (&tree, "light/large.png", large->data, large->len);
  g_autoptr (LsData) data = accept_as (tree.path, "order=sequential test-share=0.001");
  const guint8 *x;

  g_assert_cmpint (data->train.shape[0], ==, 3);
  g_assert_cmpint (data->train.shape[1], ==, 4);
  assert_note (data, "3 of 9 images are of another size than the first one’s 4×4; all are 4×4 now.");
  for (gint64 i = 0; i < data->train.n; i++)
    {
      x = ls_dataset_sample (&data->train, i);
      if (x[0] == 255 && x[16] == 0)
        break;
      g_assert_cmpint (i, <, data->train.n - 1); /* the red one is there */
      g_assert_true (x[0] == x[16] && x[16] == x[32]);
    }
  /* as large as 64 where nothing is said */
  tree_clear (&tree);
  tree_init (&tree);
  put_classes (&tree, 3, 160);
  g_autoptr (LsData) smaller = accept_as (tree.path, NULL);
  g_assert_cmpint (smaller->train.shape[1], ==, 64);
  assert_note (smaller, "All images are 160×160 pixels, averaged to 64×64.");
}

/* What is half transparent is halfway to white, in each of its colours. */
static void
test_transparent (void)
{
  static const guint8 rows[] = { 0, 255, 0, 0, 128, 0, 255, 0, 128, 0, 0, 255, 128, 90, 150, 210, 51 },
                      expected[3][4]
                      = { { 255, 127, 127, 222 }, { 127, 255, 127, 234 }, { 127, 127, 255, 246 } };
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GByteArray) png = make_png (4, 1, 4, rows, sizeof rows);
      g_autofree char *name = g_strdup_printf ("%s/%u.png", i % 2 == 0 ? "a" : "b", i);
      put_in (&tree, name, png->data, png->len);
    }
  g_autoptr (LsData) data = accept_as (tree.path, NULL);
  const guint8 *x = data->train.samples;

  g_assert_cmpint (data->train.sample_size, ==, 12);
  for (guint c = 0; c < 3; c++)
    for (guint p = 0; p < 4; p++)
      if (x[4 * c + p] != expected[c][p])
        g_error ("channel %u of pixel %u is %d, not %d", c, p, x[4 * c + p], expected[c][p]);
}

/* A JPEG with its first half bright, turned by its EXIF: 6 is a quarter to the right. */
static void
test_turned (void)
{
  static const guint8 exif[] = { 0xff, 0xe1, 0, 34,   'E', 'x', 'i', 'f', 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8,
                                 0,    1,    1, 0x12, 0,   3,   0,   0,   0, 1, 0,   6,   0, 0,  0, 0, 0, 0 };
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 32, 16);
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autofree char *name = g_strdup_printf ("%s/%u.jpg", i % 2 == 0 ? "a" : "b", i);
      g_autofree gchar *jpeg = NULL;
      gsize n;

      for (gint y = 0; y < 16; y++)
        for (gint c = 0; c < 96; c++)
          gdk_pixbuf_get_pixels (pixbuf)[y * gdk_pixbuf_get_rowstride (pixbuf) + c] = c < 48 ? 255 : 0;
      g_assert_true (gdk_pixbuf_save_to_buffer (pixbuf, &jpeg, &n, "jpeg", NULL, "quality", "100", NULL));
      g_byte_array_append (file, (const guint8 *) jpeg, 2);
      g_byte_array_append (file, exif, sizeof exif);
      g_byte_array_append (file, (const guint8 *) jpeg + 2, (guint) n - 2);
      put_in (&tree, name, file->data, file->len);
    }
  g_autoptr (LsData) data = accept_as (tree.path, NULL);
  const guint8 *x = data->train.samples;

  g_assert_cmpint (data->train.shape[1], ==, 32); /* it stands now */
  g_assert_cmpint (data->train.shape[2], ==, 16);
  g_assert_cmpint (x[0], >, 200);
  g_assert_cmpint (x[15], >, 200);
  g_assert_cmpint (x[31 * 16], <, 50);
}

/* train and test beside each other; classes that are numbers come by size. */
static void
test_parts (void)
{
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  for (guint i = 0; i < 36; i++)
    {
      g_autoptr (GByteArray) png = make_plain_png (3, i == 35 ? 3 : 1, (guint8) i);
      g_autofree char *name = g_strdup_printf ("%s/%u/%u.png", i >= 24 ? "test" : "train", i % 12, i);

      put_in (&tree, name, png->data, png->len);
    }
  g_autoptr (LsData) data = accept_as (tree.path, NULL);
  g_assert_false (data->split);
  g_assert_cmpint (data->n_classes, ==, 12);
  g_assert_cmpstr (data->class_names[11], ==, "11");
  g_assert_cmpint (data->train.n, ==, 24);
  g_assert_cmpint (data->test.n, ==, 12);
  for (gint64 i = 0; i < 12; i++)
    g_assert_cmpint (((const guint8 *) data->test.samples)[9 * i], ==, 24 + data->test.labels[i]);
}

/* A BMP whose height is below zero has its first row first, and as many as without the sign. */
static void
test_top_down (void)
{
  static const char *const names[] = { "a/0", "a/1", "b/0", "b/1" };
  const guint8 rgb[2 * 3 * 3] = { 1, 2, 3, 10, 20, 30, 4, 5, 6, 40, 50, 60, 7, 8, 9, 70, 80, 90 };
  const guint32 height = GUINT32_TO_LE ((guint32) -3);
  g_auto (Tree) tree = { 0 };
  g_autoptr (GByteArray) bmp = make_bmp (2, 3, rgb);
  guint8 last[8];

  tree_init (&tree);
  memcpy (bmp->data + 22, &height, 4);
  memcpy (last, bmp->data + 54, 8); /* of rows of eight bytes the first in the file */
  memcpy (bmp->data + 54, bmp->data + 54 + 16, 8);
  memcpy (bmp->data + 54 + 16, last, 8);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    put_in (&tree, names[i], bmp->data, bmp->len);
  g_autoptr (LsData) data = accept_as (tree.path, NULL);
  g_assert_cmpint (data->train.shape[1], ==, 3);
  for (guint i = 0; i < G_N_ELEMENTS (rgb); i++)
    g_assert_cmpint (((const guint8 *) data->train.samples)[i % 3 * 6 + i / 3], ==, rgb[i]);
  bmp->data[2] -= 8; /* so long by its header, which leaves two rows */
  put_in (&tree, "b/1", bmp->data, bmp->len - 8);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "“b/1” is ");
}

/* Another width alone is another size, and so is another height. */
static void
test_other_sizes (void)
{
  g_auto (Tree) tree = { 0 };
  guint8 rgb[3 * 12] = { 0 };
  g_autoptr (GByteArray) low = make_bmp (4, 3, rgb), thin = make_bmp (3, 4, rgb);

  tree_init (&tree);
  put_classes (&tree, 3, 4);
  put_in (&tree, "light/low.bmp", low->data, low->len);
  put_in (&tree, "light/thin.bmp", thin->data, thin->len);
  g_autoptr (LsData) data = accept_as (tree.path, "test-share=0.001");
  assert_note (data, "2 of 8 images are of another size than the first one’s 4×4; all are 4×4 now.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/images/grey", test_grey);
  g_test_add_func ("/images/average", test_average);
  g_test_add_func ("/images/mixed", test_mixed);
  g_test_add_func ("/images/top-down", test_top_down);
  g_test_add_func ("/images/other-sizes", test_other_sizes);
  g_test_add_func ("/images/transparent", test_transparent);
  g_test_add_func ("/images/turned", test_turned);
  g_test_add_func ("/images/parts", test_parts);
  return g_test_run ();
}
