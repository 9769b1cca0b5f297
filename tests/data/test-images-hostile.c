/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders of images that are refused: cut and damaged files, sizes beyond all bounds, folders that are none.
 * Where the program is built without gdk-pixbuf, that it says so.
 */
#include "config.h"

#include "data/picture.h"
#include "images_rig.h"

#ifdef HAVE_PIXBUF

typedef struct {
  const char *name; /* "dark/1.png" becomes … */
  const char *bytes;
  gsize n;
  const char *words;
} Hostile;

#define BYTES(b) b, sizeof (b) - 1

static void
test_hostile (void)
{
  static const Hostile hostile[] = {
    { "dark/0.png", BYTES ("\x89PNG\r\n\x1a\n"), "“dark/0.png” is cut" },
    { "dark/0.png", BYTES ("\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR"), "“dark/0.png” is cut" },
    { "dark/0.png", BYTES ("\x89PNG\r\n\x1a\n\0\0\0\0IEND\xae\x42\x60\x82"), "“dark/0.png” is damaged" },
    { "light/1.png", BYTES ("\xff\xd8\xff"), "“light/1.png” is cut" },
    { "light/1.png", BYTES ("\xff\xd8\xff\xd9"), "“light/1.png” is damaged" },
    { "light/1.png", BYTES ("\xff\xd8\xff\xe0\xff\xff"), "“light/1.png” is cut" },
    /* the end of a preview in its head is not its own */
    { "light/1.png",
      BYTES ("\xff\xd8\xff\xe0\0\x06JFIF\xff\xe1\0\x08"
             "Ex\xff\xd9if"),
      "“light/1.png” is cut" },
    /* nor where bytes stand before its marker that fill up */
    { "light/1.png",
      BYTES ("\xff\xd8\xff\xff\xe1\0\x08"
             "Ex\xff\xd9if"),
      "“light/1.png” is cut" },
    { "light/1.png",
      BYTES ("\xff\xd8\xff\xe0\0\x06JFIF\xff\xff\xff\xe1\0\x08"
             "Ex\xff\xd9if"),
      "“light/1.png” is cut" },
    { "light/1.png",
      BYTES ("\xff\xd8\xff\xff\xe1\0\x08"
             "Ex\xff\xd9if\xff\xd9"),
      "“light/1.png” is damaged" },
    { "light/1.png", BYTES ("\xff\xd8\xff\xda\0\2\xff\xd9"), "“light/1.png” is damaged" },
    { "light/1.png",
      BYTES ("\xff\xd8\xff\xc0\0\x11\x08\xff\xdc\xff\xdc\3\1\x11\0\2\x11\1\3\x11\1\xff\xda\0\x0c\3\1\0\2\x11"
             "\3\x11\0\x3f\0 \xff\xd9"),
      "“light/1.png” is an image of 65500×65500 pixels, and at most 33554432 are read" },
    { "light/1.bmp", BYTES ("BM"), "“light/1.bmp” is cut" },
    { "light/1.bmp",
      BYTES ("BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f\1\0\x18\0\0\0\0\0\0\0"
             "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
      "“light/1.bmp” is cut" },
    { "light/1.bmp",
      BYTES ("BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\0\0\0\0\0\0\0\0\1\0\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
             "\0\0\0\0\0\0\0\0\0\0"),
      "“light/1.bmp” is " },
    { "light/1.bmp",
      BYTES ("BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xa0\x86\1\0\xa0\x86\1\0\1\0\x18\0\1\0\0\0\0\0\0\0\0\0"
             "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
      "“light/1.bmp” is " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_auto (Tree) tree = { 0 };

      tree_init (&tree);
      put_classes (&tree, 2, 4);
      put_in (&tree, hostile[i].name, hostile[i].bytes, hostile[i].n);
      refuse_as (tree.path, NULL, LS_ERROR_DATA, hostile[i].words);
    }
}

/* An image of 10⁵ × 10⁵, one of few bytes that is as large as is read, one cut anywhere, one with each byte
 * changed. */
static void
test_hostile_png (void)
{
  g_auto (Tree) tree = { 0 };
  g_autofree guint8 *zeros = g_malloc0 (8193 * 4097);
  g_autoptr (GByteArray) huge = make_png (100000, 100000, 1, zeros, 1000),
                         wide = make_png (0x7fffffff, 1, 1, zeros, 1000), none = make_png (0, 7, 1, zeros, 8),
                         short_rows = make_png (50, 50, 1, zeros, 100), png = make_plain_png (9, 3, 8),
                         bomb = make_png (8192, 4096, 1, zeros, 8193 * 4096),
                         larger = make_png (8192, 4097, 1, zeros, 8193 * 4097);
  static const char *const at = "dark/0.png";
  glong before;

  tree_init (&tree);
  put_classes (&tree, 2, 4);
  put_in (&tree, at, huge->data, huge->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "“dark/0.png” is ");
  put_in (&tree, at, wide->data, wide->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "“dark/0.png” is ");
  put_in (&tree, at, none->data, none->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "“dark/0.png” is damaged");
  put_in (&tree, at, short_rows->data, short_rows->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "“dark/0.png” is damaged");
  put_in (&tree, at, larger->data, larger->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA,
             "“dark/0.png” is an image of 8192×4097 pixels, and at most 33554432 are read; make it smaller.");
  put_in (&tree, at, bomb->data, bomb->len);
  before = peak_kib ();
  g_autoptr (LsData) largest = accept_as (tree.path, "size=4x4");
#ifdef __SANITIZE_ADDRESS__ /* which keeps what is freed */
  (void) before;
#else
  /* held once: three bytes a pixel, and what a library has beside */
  g_assert_cmpint (peak_kib () - before, <, (3 * (LS_DATA_MAX_PIXELS >> 10)) * 3 / 2);
#endif
  g_assert_cmpint (largest->train.sample_size, ==, 16);
  for (guint n = 8; n < png->len; n++)
    {
      put_in (&tree, at, png->data, n);
      refuse_as (tree.path, NULL, LS_ERROR_DATA, "“dark/0.png” is cut");
    }
  for (guint i = 0; i < png->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = NULL;

      png->data[i] ^= 0x20;
      put_in (&tree, at, png->data, png->len);
      data = load_as (tree.path, NULL, &error);
      g_assert_true ((data == NULL) == (error != NULL));
      png->data[i] ^= 0x20;
    }
}

/* Folders that are no data, and sizes that are none. */
static void
test_hostile_folders (void)
{
  static const char *const sizes[] = {
    "size=0x4", "size=4", "size=4x4x4", "size=x", "size=-1x4", "size=4x1025", "size=99999999999999999999x1",
    "size=4X4"
  };
  g_auto (Tree) tree = { 0 };
  g_autoptr (GByteArray) png = make_plain_png (4, 1, 9);
  g_autofree char *single = NULL;

  tree_init (&tree);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "holds no data that is known");
  put_in (&tree, "dark/readme", "no image", 8);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "holds no data that is known");
  put_in (&tree, "1.png", png->data, png->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "has images, but no folders with images in them");
  put_in (&tree, "dark/1.png", png->data, png->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "knows one class only, “dark”");
  put_in (&tree, "light/1.png", png->data, png->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "has one sample of each class only");
  single = g_build_filename (tree.path, "1.png", NULL);
  refuse_as (single, NULL, LS_ERROR_DATA, "“1.png” is a single image");
  put_in (&tree, "light/2.png", png->data, png->len);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    refuse_as (tree.path, sizes[i], LS_ERROR_USAGE, "--size takes a width and a height from 1 to 1024");
  put_in (&tree, "train/a/1.png", png->data, png->len);
  put_in (&tree, "train/b/1.png", png->data, png->len);
  put_in (&tree, "test/c/1.png", png->data, png->len);
  refuse_as (tree.path, NULL, LS_ERROR_DATA,
             "the test set has a folder “c”, and there is none to train with");
}

#else

static void
test_without (void)
{
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  put_classes (&tree, 2, 4);
  refuse_as (tree.path, NULL, LS_ERROR_DATA, "was built without gdk-pixbuf");
  g_assert_false (ls_picture_can ());
}

#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#ifdef HAVE_PIXBUF
  g_test_add_func ("/images/hostile", test_hostile);
  g_test_add_func ("/images/hostile-png", test_hostile_png);
  g_test_add_func ("/images/hostile-folders", test_hostile_folders);
#else
  g_test_add_func ("/images/without", test_without);
#endif
  return g_test_run ();
}
