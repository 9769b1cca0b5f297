/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CIFAR's files: both kinds, folders and single files, names; and hostile ones.
 */
#include "loader_rig.h"

#define PIXELS 3072

/* n records whose class counts up from `first`, below 10 or 100; the pixels are the record's number. labels:
 * 1 or 2. (transfer full) */
static GByteArray *
make_batch (guint n, guint first, guint labels)
{
  GByteArray *out = g_byte_array_new ();
  guint8 pixels[PIXELS];

  for (guint i = 0; i < n; i++)
    {
      const guint8 label = (guint8) ((first + i) % (labels == 1 ? 10 : 100)), coarse = label / 5;

      memset (pixels, (gint) (first + i), sizeof pixels);
      if (labels == 2)
        g_byte_array_append (out, &coarse, 1);
      g_byte_array_append (out, &label, 1);
      g_byte_array_append (out, pixels, sizeof pixels);
    }
  return out;
}

static void
put_batch (const TempDir *dir, const char *name, guint n, guint first, guint labels)
{
  g_autoptr (GByteArray) batch = make_batch (n, first, labels);
  g_autofree char *path = temp_path (dir, name);

  put_file (path, batch->data, batch->len);
}

static void
put_text (const TempDir *dir, const char *name, const char *text)
{
  g_autofree char *path = temp_path (dir, name);

  put_file (path, text, strlen (text));
}

static void
test_ten (void)
{
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  put_batch (&dir, "data_batch_1.bin", 30, 0, 1);
  put_batch (&dir, "data_batch_2.bin", 20, 30, 1);
  put_batch (&dir, "test_batch.bin", 10, 100, 1);
  put_text (&dir, "readme.html", "<html>");
  put_text (&dir, "batches.meta.txt",
            "airplane\nautomobile\nbird\ncat\ndeer\ndog\nfrog\r\nhorse\nship\ntruck\n\n");
  g_autoptr (LsData) data = accept_as (dir.path, NULL);
  g_assert_cmpstr (data->format, ==, "CIFAR’s binary batches");
  g_assert_cmpint (data->train.n, ==, 50);
  g_assert_cmpint (data->test.n, ==, 10);
  g_assert_false (data->split);
  g_assert_cmpint (data->n_classes, ==, 10);
  g_assert_cmpint (data->train.shape[0], ==, 3);
  g_assert_cmpint (data->train.shape[2], ==, 32);
  g_assert_cmpstr (data->class_names[6], ==, "frog");
  for (gint64 i = 0; i < 50; i++)
    {
      const guint8 *x = ls_dataset_sample (&data->train, i);

      g_assert_cmpint (data->train.labels[i], ==, i % 10);
      g_assert_cmpint (x[0], ==, i);
      g_assert_cmpint (x[PIXELS - 1], ==, i);
    }

  put_text (&dir, "batches.meta.txt", "one\ntwo\n");
  g_autoptr (LsData) numbered = accept_as (dir.path, NULL);
  g_assert_null (numbered->class_names);
  assert_note (numbered, "“batches.meta.txt” has 2 names for 10 classes");
  put_text (&dir, "batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n");
  g_autoptr (LsData) more = accept_as (dir.path, NULL);
  g_assert_null (more->class_names);
  assert_note (more, "“batches.meta.txt” has 11 names for 10 classes");
  put_text (&dir, "batches.meta.txt", "one\n");
  g_autoptr (LsData) one = accept_as (dir.path, NULL);
  assert_note (one, "“batches.meta.txt” has 1 name for 10 classes");
}

static void
test_hundred (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  put_batch (&dir, "train.bin", 200, 0, 2);
  put_batch (&dir, "test.bin", 100, 0, 2);
  g_autoptr (LsData) data = accept_as (dir.path, NULL);
  g_assert_cmpint (data->n_classes, ==, 100);
  g_assert_cmpint (data->train.labels[123], ==, 23);
  g_assert_cmpint (((const guint8 *) data->train.samples)[123 * PIXELS], ==, 123);

  path = temp_path (&dir, "train.bin"); /* alone: the test part is taken out */
  g_autoptr (LsData) single = accept_as (path, NULL);
  g_assert_true (single->split);
  g_assert_cmpint (single->n_classes, ==, 100);
  g_assert_cmpint (single->test.n, ==, 20);
}

/* One file of the folder is made wrong in some way. */
static void
test_hostile (void)
{
  static const struct {
    const char *name;
    guint n, labels;
    gint more; /* bytes */
    gint at;   /* −1: nothing changes there */
    guint8 is;
    const char *words;
  } wrong[] = {
    { "data_batch_1.bin", 0, 1, 0, -1, 0,
      "“data_batch_1.bin” is cut, or no batch of CIFAR like the others: its 0 bytes are no whole number of "
      "images of 3073 bytes (CIFAR-10) or 3074 (CIFAR-100)." },
    { "data_batch_1.bin", 3, 1, -1, -1, 0, "its 9218 bytes are no whole number" },
    { "data_batch_1.bin", 3, 1, 1, -1, 0, "its 9220 bytes are no whole number" },
    { "data_batch_1.bin", 1, 1, -3072, -1, 0, "its 1 byte is no whole number of images" },
    { "data_batch_2.bin", 3, 1, -3000, -1, 0, "“data_batch_2.bin” is cut" },
    { "data_batch_2.bin", 0, 1, 0, -1, 0, "“data_batch_2.bin” is cut" },
    { "test_batch.bin", 0, 1, 0, -1, 0, "“test_batch.bin” is cut" },
    { "test_batch.bin", 3, 1, -2, -1, 0, "“test_batch.bin” is cut" },
    { "test_batch.bin", 3, 2, 0, -1, 0, "is cut, or no batch of CIFAR" },
    { "data_batch_2.bin", 3, 2, 0, -1, 0, "is cut, or no batch of CIFAR" },
    { "data_batch_1.bin", 3, 1, 0, 0, 10, "“data_batch_1.bin”: label 10 of image 0 is out of range" },
    { "data_batch_1.bin", 3, 1, 0, 3073, 255, "“data_batch_1.bin”: label 255 of image 1 is out of range" },
    { "data_batch_2.bin", 3, 1, 0, 6146, 200,
      "“data_batch_2.bin”: label 200 of image 2 is out of range; labels go from 0 to 9" },
    { "test_batch.bin", 3, 1, 0, 6146, 11, "“test_batch.bin”: label 11 of image 2" },
    { "test_batch.bin", 4, 1, 0, 3073, 9,
      "sample 1 of the test set is of class “9”, of which there is none" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autoptr (GByteArray) batch = make_batch (wrong[i].n, 0, wrong[i].labels);
      g_autofree char *path = NULL;

      temp_dir_init (&dir);
      put_batch (&dir, "data_batch_1.bin", 4, 0, 1);
      put_batch (&dir, "data_batch_2.bin", 4, 0, 1);
      put_batch (&dir, "test_batch.bin", 4, 0, 1);
      path = temp_path (&dir, wrong[i].name);
      if (wrong[i].at >= 0)
        batch->data[wrong[i].at] = wrong[i].is;
      g_byte_array_set_size (batch, (guint) ((gint) batch->len + wrong[i].more));
      put_file (path, batch->data, batch->len);
      refuse_as (dir.path, NULL, LS_ERROR_DATA, wrong[i].words);
    }
}

/* Single files: what isn't one is no data that is known, or the tables' reader says what is wrong. */
static void
test_hostile_single (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *folder = NULL;
  g_autoptr (GByteArray) batch = make_batch (12, 0, 1), fine = make_batch (12, 0, 2);

  temp_dir_init (&dir);
  path = temp_path (&dir, "some.bin");
  for (guint cut = 1; cut < 4; cut++)
    {
      put_file (path, batch->data, batch->len - cut);
      refuse_as (path, NULL, LS_ERROR_DATA, "no data that is known");
    }
  batch->data[3073] = 10;
  put_file (path, batch->data, batch->len);
  refuse_as (path, NULL, LS_ERROR_DATA, "no data that is known");
  batch->data[3073] = 1;
  batch->data[5 * 3073] = 10;
  put_file (path, batch->data, batch->len);
  refuse_as (path, NULL, LS_ERROR_DATA, "“some.bin”: label 10 of image 5 is out of range");
  fine->data[5 * 3074] = 20;
  put_file (path, fine->data, fine->len);
  refuse_as (path, NULL, LS_ERROR_DATA,
             "“some.bin”: label 20 of image 5 is out of range; labels go from 0 to 19");
  fine->data[5 * 3074] = 1;
  fine->data[5 * 3074 + 1] = 100;
  put_file (path, fine->data, fine->len);
  refuse_as (path, NULL, LS_ERROR_DATA,
             "“some.bin”: label 100 of image 5 is out of range; labels go from 0 to 99");
  put_batch (&dir, "some.bin", 1, 0, 1);
  refuse_as (path, NULL, LS_ERROR_DATA, "“some.bin” knows one class only, “0”");

  g_assert_cmpint (g_remove (path), ==, 0);
  put_batch (&dir, "test_batch.bin", 4, 0, 1);
  refuse_as (dir.path, NULL, LS_ERROR_DATA, "holds no samples to train with");
  folder = temp_path (&dir, "data_batch_1.bin");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  refuse_as (dir.path, NULL, LS_ERROR_FILE, "data_batch_1.bin” is a folder; a file is needed here");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  append_gzip (packed, batch->data, batch->len);
  put_file (folder, packed->data, packed->len);
  refuse_as (dir.path, NULL, LS_ERROR_DATA, "“data_batch_1.bin” is compressed; unpack it");
}

/* A file is a batch if the labels of its first two records can be, of either kind; of what comes behind these
 * the wrong one is named. */
static void
test_told_by_labels (void)
{
  static const struct {
    guint labels, at;
    guint8 is;
    const char *words; /* NULL: it is read */
  } rows[] = {
    { 1, 0, 9 },
    { 1, 0, 10, "no data that is known" },
    { 1, 3073, 9 },
    { 1, 3073, 10, "no data that is known" },
    { 1, 2 * 3073, 9 },
    { 1, 2 * 3073, 10, "label 10 of image 2 is out of range; labels go from 0 to 9" },
    { 2, 0, 19 },
    { 2, 0, 20, "no data that is known" },
    { 2, 1, 99 },
    { 2, 1, 100, "no data that is known" },
    { 2, 3074, 19 },
    { 2, 3074, 20, "no data that is known" },
    { 2, 3075, 99 },
    { 2, 3075, 100, "no data that is known" },
    { 2, 2 * 3074, 19 },
    { 2, 2 * 3074, 20, "label 20 of image 2 is out of range; labels go from 0 to 19" },
    { 2, 2 * 3074 + 1, 99 },
    { 2, 2 * 3074 + 1, 100, "label 100 of image 2 is out of range; labels go from 0 to 99" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "some.bin");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) batch = make_batch (12, 0, rows[i].labels);
      g_autoptr (GError) error = NULL;

      for (guint k = 0; rows[i].labels == 1 && k < 12; k++)
        batch->data[k * 3073] = (guint8) (k / 4); /* several of each class */
      for (guint k = 0; rows[i].labels == 2 && k < 12; k++)
        batch->data[k * 3074 + 1] = (guint8) (k / 4);
      batch->data[rows[i].at] = rows[i].is;
      put_file (path, batch->data, batch->len);
      if (rows[i].words != NULL)
        {
          refuse_as (path, NULL, LS_ERROR_DATA, rows[i].words);
          continue;
        }
      g_autoptr (LsData) data = load_as (path, NULL, &error);
      if (data == NULL)
        g_error ("%u of byte %u is refused: %s", rows[i].is, rows[i].at, error->message);
      g_assert_cmpint (data->n_classes, ==, rows[i].labels == 1 ? 10 : 100);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cifar/ten", test_ten);
  g_test_add_func ("/cifar/hundred", test_hundred);
  g_test_add_func ("/cifar/hostile", test_hostile);
  g_test_add_func ("/cifar/hostile-single", test_hostile_single);
  g_test_add_func ("/cifar/told-by-labels", test_told_by_labels);
  return g_test_run ();
}
