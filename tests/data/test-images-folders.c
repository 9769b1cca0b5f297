/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders of images: which are classes and in which order, what is left out and told, which size all become,
 * and what the folders train and test mean, alone and beside each other.
 */
#include <glib/gstdio.h>

#include "images_rig.h"

/* A grey image of one value. */
static void
put_grey (const Tree *tree, const char *name, guint width, guint height, guint8 value)
{
  const gsize row = 1 + (gsize) width;
  g_autofree guint8 *rows = g_malloc (row * height);

  memset (rows, value, row * height);
  for (guint y = 0; y < height; y++)
    rows[row * y] = 0;
  g_autoptr (GByteArray) png = make_png (width, height, 1, rows, row * height);
  put_in (tree, name, png->data, png->len);
}

/* Whole numbers by their size, those of one size and then names by their letters; folders that are empty or
 * without images are no class, and those behind them have the next number. The grey says whose image a sample
 * is. */
static void
test_classes (void)
{
  /* as they come */
  static const char *const folders[] = { "2",   "0007", "007", "07", "7",     "10",    "033",
                                         "100", "!x",   "1b",  "5a", "Zebra", "apple", "pear" };
  static const char *const others[] = { "11/readme", "blank/notes.txt", "zoo/liesmich", NULL };
  g_auto (Tree) tree = { 0 };
  g_autofree char *empty = NULL, *also = NULL;

  tree_init (&tree);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    for (guint k = 0; k < 3; k++)
      {
        const guint at = G_N_ELEMENTS (folders) - 1 - i;
        g_autofree char *name = g_strdup_printf ("%s/%u.png", folders[at], k);
        put_grey (&tree, name, 3, 3, (guint8) (at + 1));
      }
  for (guint i = 0; others[i] != NULL; i++)
    put_in (&tree, others[i], "no image", 8);
  empty = g_build_filename (tree.path, "3", NULL);
  also = g_build_filename (tree.path, "plum", NULL);
  g_assert_cmpint (g_mkdir (empty, 0700) | g_mkdir (also, 0700), ==, 0);
  g_autoptr (LsData) data = accept_as (tree.path, "test-share=0.34");
  g_assert_cmpstr (data->format, ==, "a folder of images for each class");
  g_assert_cmpint (data->n_classes, ==, G_N_ELEMENTS (folders));
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_assert_cmpstr (data->class_names[i], ==, folders[i]);
  g_assert_cmpint (data->test.n, >, 0);
  for (guint s = 0; s < 2; s++)
    {
      const LsDataset *set = s == 0 ? &data->train : &data->test;
      for (gint64 i = 0; i < set->n; i++)
        if (((const guint8 *) ls_dataset_sample (set, i))[0] != set->labels[i] + 1)
          g_error ("an image of “%s” is of class %d",
                   folders[((const guint8 *) ls_dataset_sample (set, i))[0] - 1], set->labels[i]);
    }
  assert_note (data, "Folder “3” is empty and left out.");
  assert_note (data, "Folder “plum” is empty and left out.");
  assert_note (data, "Folder “11” has no images and is left out.");
  assert_note (data, "Folder “blank” has no images and is left out.");
  assert_note (data, "3 files are no PNG, JPEG or BMP images and left out, the first is “11/readme”.");
  g_assert_cmpuint (data->notes->len, ==, 2 + 3 + 1);
}

/* One file that is none is named alone. */
static void
test_one_stranger (void)
{
  g_auto (Tree) tree = { 0 };

  tree_init (&tree);
  put_classes (&tree, 3, 4);
  put_in (&tree, "light/notes.txt", "no image", 8);
  g_autoptr (LsData) data = accept_as (tree.path, NULL);
  assert_note (data, "1 file is no PNG, JPEG or BMP image and left out: “light/notes.txt”.");
  g_assert_cmpuint (data->notes->len, ==, 1);
}

/* The longer side becomes 64, the other in proportion and one pixel at least; up to 64 all stay. --size is
 * width before height. */
static void
test_sizes (void)
{
  static const struct {
    guint width, height;
    const char *size;
    gint64 rows, columns;
  } cases[] = {
    { 64, 64, NULL, 64, 64 },         { 65, 64, NULL, 63, 64 },         { 128, 32, NULL, 16, 64 },
    { 32, 128, NULL, 64, 16 },        { 64, 5, NULL, 5, 64 },           { 300, 2, NULL, 1, 64 },
    { 2, 300, NULL, 64, 1 },          { 12, 30, "size=7x5", 5, 7 },     { 12, 30, "size=12x30", 30, 12 },
    { 3, 3, "size=1x1024", 1024, 1 }, { 3, 3, "size=1024x1", 1, 1024 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint width = cases[i].width, height = cases[i].height;
      const gboolean same = cases[i].rows == height && cases[i].columns == width;
      g_auto (Tree) tree = { 0 };

      tree_init (&tree);
      for (guint k = 0; k < 4; k++)
        put_grey (&tree,
                  k == 0   ? "a/0.png"
                  : k == 1 ? "a/1.png"
                  : k == 2 ? "b/0.png"
                           : "b/1.png",
                  width, height, (guint8) (50 * k + 7));
      g_autoptr (LsData) data = accept_as (tree.path, cases[i].size);
      const gint64 *shape = data->train.shape;
      if (shape[0] != 1 || shape[1] != cases[i].rows || shape[2] != cases[i].columns)
        g_error ("images of %u×%u become %d high and %d wide, and should be %d high and %d wide", width,
                 height, (int) shape[1], (int) shape[2], (int) cases[i].rows, (int) cases[i].columns);
      for (gint64 v = 0; v < data->train.sample_size; v++) /* a mean of one value is that value */
        g_assert_cmpint (((const guint8 *) data->train.samples)[v] % 50, ==, 7);
      g_assert_cmpuint (data->notes != NULL ? data->notes->len : 0, ==, !same);
      if (!same)
        {
          g_autofree char *note = g_strdup_printf ("All images are %u×%u pixels, averaged to %d×%d.", width,
                                                   height, (int) cases[i].columns, (int) cases[i].rows);
          assert_note (data, note);
        }
    }
}

/* A test set is a folder test with folders beside one called train; either of them alone is a class. */
static void
test_parts (void)
{
  static const struct {
    const char *what, *folders[7];
    gint n_classes;
    gboolean split;
    gint64 n_train;
  } cases[] = {
    { "train and test", { "train/a", "train/b", "test/a", "test/b" }, 2, FALSE, 4 },
    { "train, and classes beside it", { "train/a", "train/b", "other" }, 2, TRUE, 2 },
    { "train and test, with an image beside their classes",
      { "train", "train/a", "train/b", "test", "test/a", "test/b" },
      2,
      FALSE,
      4 },
    { "train alone", { "train/a", "train/b" }, 2, TRUE, 2 },
    { "test, which is a class beside another", { "test", "other" }, 2, TRUE, 2 },
    { "train, which is a class beside another", { "train", "test", "other" }, 3, TRUE, 3 },
    { "train, and test as one of no folders", { "train/a", "train/b", "test" }, 2, TRUE, 2 },
    { "test as one of folders, and no train", { "other", "more", "test/other" }, 2, TRUE, 2 },
    { "train and test, with a name that can't be shown",
      { "train/a\001\377", "train/b", "test/a\001\377", "test/b" },
      2,
      FALSE,
      4 },
    { "of the test set one class alone", { "train/a", "train/b", "test/b" }, 2, FALSE, 4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Tree) tree = { 0 };

      tree_init (&tree);
      for (guint k = 0; cases[i].folders[k] != NULL; k++)
        for (guint n = 0; n < 2; n++)
          {
            g_autofree char *name = g_strdup_printf ("%s/%u.png", cases[i].folders[k], n);
            put_grey (&tree, name, 3, 3, g_str_has_suffix (cases[i].folders[k], "/b") ? 200 : 20);
          }
      g_autoptr (LsData) data = accept_as (tree.path, "test-share=0.5");
      if (data->n_classes != cases[i].n_classes || data->split != cases[i].split
          || data->train.n != cases[i].n_train)
        g_error ("of %s there are %d classes, %d images to train with, and the test set is %s", cases[i].what,
                 data->n_classes, (int) data->train.n, data->split ? "taken from those" : "its own");
      /* "b" is the second class */
      for (gint64 s = 0; s < data->test.n && g_str_has_prefix (cases[i].folders[0], "train/"); s++)
        g_assert_cmpint (data->test.labels[s], ==,
                         ((const guint8 *) ls_dataset_sample (&data->test, s))[0] == 200);
    }
}

/* So many entries are listed, by their names, without those that are hidden; of one more none. */
static void
test_most_entries (void)
{
  g_auto (Tree) tree = { 0 };
  g_autoptr (GError) error = NULL;

  tree_init (&tree);
  put_in (&tree, "list/b", "x", 1);
  put_in (&tree, "list/.hidden", "x", 1);
  put_in (&tree, "list/a", "x", 1);
  put_in (&tree, "list/c", "x", 1);
  g_autofree char *path = g_build_filename (tree.path, "list", NULL),
                  *none = g_build_filename (path, "none", NULL);
  for (guint max = 2; max < 5; max++)
    {
      g_autoptr (GPtrArray) entries = ls_data_list_folder (path, max, &error);

      if ((entries != NULL) != (max >= 3))
        g_error ("of 3 entries, where %u may be, %s are listed", max, entries != NULL ? "all" : "none");
      if (entries == NULL)
        {
          assert_refused (&error, LS_ERROR_DATA,
                          "has more than 2 entries, which aren’t all read; share them out.");
          continue;
        }
      g_assert_cmpuint (entries->len, ==, 3);
      for (guint i = 0; i < 3; i++)
        g_assert_cmpint (((const char *) entries->pdata[i])[0], ==, 'a' + (gint) i);
    }
  g_assert_null (ls_data_list_folder (none, 3, &error));
  assert_refused (&error, LS_ERROR_FILE, "The data folder can’t be opened");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/images-folders/classes", test_classes);
  g_test_add_func ("/images-folders/one-stranger", test_one_stranger);
  g_test_add_func ("/images-folders/sizes", test_sizes);
  g_test_add_func ("/images-folders/parts", test_parts);
  g_test_add_func ("/images-folders/most-entries", test_most_entries);
  return g_test_run ();
}
