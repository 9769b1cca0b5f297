/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets by name: MNIST as shipped, toy sets, folders with everything that can be wrong in them.
 */
#include <math.h>

#include "core/rng.h"
#include "data/datadir.h"
#include "data/dataset.h"
#include "data/toy.h"
#include "tempdir.h"

static void
test_byte_values (void)
{
  const float *values = ls_dataset_byte_values ();

  for (guint i = 0; i < 256; i++)
    {
      volatile float byte = (float) i, divisor = 255.0f;

      g_assert_true (values[i] == byte / divisor);
    }
}

static void
assert_md5 (const char *expected, const void *bytes, gsize n, const guint8 *header, gsize header_bytes)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  g_checksum_update (sum, header, (gssize) header_bytes);
  g_checksum_update (sum, bytes, (gssize) n);
  g_assert_cmpstr (g_checksum_get_string (sum), ==, expected);
}

/* The sums are those of the original files, header included: so header and data were read right. */
static void
check_mnist (const LsDataset *set, guint32 n, const char *images_md5, const char *labels_md5)
{
  guint32 count = GUINT32_TO_BE (n), side = GUINT32_TO_BE (28);
  guint8 images[16] = { 0, 0, 8, 3 }, labels[8] = { 0, 0, 8, 1 };
  g_autofree guint8 *bytes = g_malloc (n);

  memcpy (images + 4, &count, 4);
  memcpy (images + 8, &side, 4);
  memcpy (images + 12, &side, 4);
  memcpy (labels + 4, &count, 4);
  g_assert_cmpint (set->n, ==, n);
  g_assert_cmpint (set->type, ==, LS_SAMPLE_U8);
  g_assert_cmpint (set->sample_size, ==, 784);
  for (guint32 i = 0; i < n; i++)
    bytes[i] = (guint8) set->labels[i];
  assert_md5 (images_md5, set->samples, (gsize) n * 784, images, sizeof images);
  assert_md5 (labels_md5, bytes, n, labels, sizeof labels);
}

static void
test_mnist (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) data = ls_data_load ("mnist", 1, &error);
  const gint32 first[] = { 5, 0, 4, 1, 9 };

  g_assert_no_error (error);
  g_assert_cmpstr (data->name, ==, "mnist");
  g_assert_cmpint (data->n_classes, ==, 10);
  g_assert_cmpmem (data->train.labels, sizeof first, first, sizeof first);
  check_mnist (&data->train, 60000, "6bbc9ace898e44ae57da46a324031adb", "a25bea736e30d166cdddb491f175f624");
  check_mnist (&data->test, 10000, "2646ac647ad5339dbf082846283269ea", "27ae3e4e09519cfbb04c329615203637");
  ls_data_unref (ls_data_ref (data));
}

/* LOCKSTEP_DATA_DIR comes first; a folder that lacks the thing is passed over, and so is
 * an empty name. */
static void
test_data_dir (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *mine = NULL, *found = NULL, *shipped = NULL, *from = NULL, *elsewhere = NULL;

  temp_dir_init (&dir);
  g_assert_true (g_setenv ("LOCKSTEP_DATA_DIR", dir.path, TRUE));
  mine = temp_path (&dir, "README.md");
  put_file (mine, "x", 1);
  found = ls_data_dir_find ("README.md");
  g_assert_cmpstr (found, ==, mine);
  shipped = ls_data_dir_find ("datasets/mnist");
  g_assert_nonnull (shipped);
  g_assert_false (g_str_has_prefix (shipped, dir.path));
  g_assert_null (ls_data_dir_find ("datasets/nothing"));
  /* one without a name is none, least of all the folder that is worked in */
  from = g_get_current_dir ();
  g_assert_true (g_setenv ("LOCKSTEP_DATA_DIR", "", TRUE));
  g_assert_cmpint (g_chdir (dir.path), ==, 0);
  elsewhere = ls_data_dir_find ("README.md");
  g_assert_cmpint (g_chdir (from), ==, 0);
  if (elsewhere != NULL && !g_path_is_absolute (elsewhere))
    g_error ("with an empty LOCKSTEP_DATA_DIR “%s” is found in the folder that is worked in", elsewhere);
  g_unsetenv ("LOCKSTEP_DATA_DIR");
}

static void
check_toy_set (const LsDataset *set, gint64 n, gint n_classes, gint n_features)
{
  const float *x = set->samples;
  guint count[8] = { 0 };

  g_assert_cmpint (set->n, ==, n);
  g_assert_cmpint (set->type, ==, LS_SAMPLE_F32);
  g_assert_cmpint (set->sample_size, ==, n_features);
  g_assert_cmpint (set->shape[0], ==, n_features);
  g_assert_cmpint (set->shape[1] * set->shape[2], ==, 1);
  for (gint64 i = 0; i < n; i++)
    {
      g_assert_cmpint (set->labels[i], >=, 0);
      g_assert_cmpint (set->labels[i], <, n_classes);
      count[set->labels[i]]++;
      for (gint64 j = 0; j < n_features; j++)
        g_assert_cmpfloat (fabsf (x[n_features * i + j]), <, 1.5f);
    }
  for (gint c = 1; c < n_classes; c++)
    g_assert_cmpint (ABS ((gint) count[c] - (gint) count[0]), <=, 1);
}

/* Share of test points whose nearest training point is of their class: what the sets can teach. */
static double
nearest_neighbour (const LsData *data)
{
  const float *train = data->train.samples, *test = data->test.samples;
  const gint64 n_features = data->train.sample_size;
  guint right = 0;

  for (gint64 i = 0; i < data->test.n; i++)
    {
      gint64 best = 0;
      float least = INFINITY;

      for (gint64 j = 0; j < data->train.n; j++)
        {
          float square = 0;

          for (gint64 f = 0; f < n_features; f++)
            square += (train[n_features * j + f] - test[n_features * i + f])
                      * (train[n_features * j + f] - test[n_features * i + f]);
          if (square < least)
            {
              least = square;
              best = j;
            }
        }
      right += data->train.labels[best] == data->test.labels[i];
    }
  return right / (double) data->test.n;
}

static void
test_toys (void)
{
  guint n;
  const LsToy *toys = ls_toys (&n);

  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) a = ls_data_load (toys[i].name, 3, &error),
                         again = ls_data_load (toys[i].name, 3, &error);
      g_autoptr (LsData) other = ls_data_load (toys[i].name, 4, &error);
      gsize bytes = LS_TOY_TRAIN * (gsize) toys[i].n_features * sizeof (float);

      g_assert_no_error (error);
      g_assert_true (g_strv_contains (ls_data_names (), toys[i].name));
      g_assert_cmpstr (a->name, ==, toys[i].name);
      g_assert_cmpstr (a->format, ==, "made from the seed");
      g_assert_cmpint (a->n_classes, ==, toys[i].n_classes);
      check_toy_set (&a->train, LS_TOY_TRAIN, a->n_classes, toys[i].n_features);
      check_toy_set (&a->test, LS_TOY_TEST, a->n_classes, toys[i].n_features);
      g_assert_cmpmem (a->train.samples, bytes, again->train.samples, bytes);
      g_assert_cmpint (memcmp (a->train.samples, other->train.samples, bytes), !=, 0);
      g_assert_cmpint (memcmp (a->train.samples, a->test.samples, bytes / 4), !=, 0);
      g_assert_cmpfloat (nearest_neighbour (a), >, 0.95);
    }
}

/* ---- folders ---- */

static void
put_images (const TempDir *dir, const char *name, guint8 n, guint8 height, guint8 width)
{
  g_autofree char *path = temp_path (dir, name);
  gsize bytes = 16 + (gsize) n * height * width;
  g_autofree guint8 *file = g_malloc0 (bytes);

  memcpy (file, (guint8[16]){ 0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, height, 0, 0, 0, width }, 16);
  put_file (path, file, bytes);
}

static void
put_labels (const TempDir *dir, const char *name, guint8 n, const guint8 *labels)
{
  g_autofree char *path = temp_path (dir, name);
  g_autofree guint8 *file = g_malloc0 (8 + (gsize) n);

  memcpy (file, (guint8[8]){ 0, 0, 8, 1, 0, 0, 0, n }, 8);
  memcpy (file + 8, labels, n);
  put_file (path, file, 8 + (gsize) n);
}

static void
put_folder (TempDir *dir)
{
  temp_dir_init (dir);
  put_images (dir, "train-images-idx3-ubyte", 4, 3, 5);
  put_labels (dir, "train-labels-idx1-ubyte", 4, (const guint8[]){ 0, 2, 1, 2 });
  put_images (dir, "t10k-images-idx3-ubyte", 2, 3, 5);
  put_labels (dir, "t10k-labels-idx1-ubyte", 2, (const guint8[]){ 1, 1 });
}

static void
refuse_folder (const TempDir *dir, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_data_load (dir->path, 1, &error));
  assert_refused (&error, code, words);
}

static void
accept_folder (const TempDir *dir)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) data = ls_data_load (dir->path, 1, &error);
  g_autofree char *name = g_path_get_basename (dir->path);

  g_assert_no_error (error);
  g_assert_cmpint (data->n_classes, ==, 3);
  g_assert_cmpint (data->train.n, ==, 4);
  g_assert_cmpint (data->test.n, ==, 2);
  g_assert_cmpint (data->train.shape[0], ==, 1);
  g_assert_cmpint (data->train.shape[1], ==, 3);
  g_assert_cmpint (data->train.shape[2], ==, 5);
  g_assert_cmpstr (data->name, ==, name);
}

static void
rename_in (const TempDir *dir, const char *from, const char *to)
{
  g_autofree char *a = temp_path (dir, from), *b = temp_path (dir, to);

  g_assert_cmpint (g_rename (a, b), ==, 0);
}

static void
test_folder_names (void)
{
  g_auto (TempDir) dir = { 0 };

  put_folder (&dir);
  accept_folder (&dir);
  rename_in (&dir, "train-images-idx3-ubyte", "train-images.idx3-ubyte");
  rename_in (&dir, "t10k-images-idx3-ubyte", "test-images-idx3-ubyte.gz");
  rename_in (&dir, "t10k-labels-idx1-ubyte", "test-labels.something");
  accept_folder (&dir);
  /* The distribution's own name wins over others that begin alike. */
  put_images (&dir, "train-images-old", 9, 1, 1);
  accept_folder (&dir);
  rename_in (&dir, "train-images.idx3-ubyte", "train-images-new");
  refuse_folder (&dir, LS_ERROR_DATA, "could be the data set’s train-images");
}

/* Each of the names that there are for a file wins over another one that begins alike. */
static void
test_usual_names (void)
{
  static const char *const ends[] = { "-idx3-ubyte", "-idx4-ubyte", "-idx1-ubyte",
                                      ".idx3-ubyte", ".idx4-ubyte", ".idx1-ubyte" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (ends); i++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autofree char *name = g_strconcat ("train-labels", ends[i / 2], i % 2 == 1 ? ".gz" : "", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = NULL;

      put_folder (&dir);
      rename_in (&dir, "train-labels-idx1-ubyte", name);
      put_labels (&dir, "train-labels-old", 3, (const guint8[]){ 0, 0, 0 });
      data = ls_data_load (dir.path, 1, &error);
      if (data == NULL)
        g_error ("beside another one “%s” isn’t the labels’ file: %s", name, error->message);
      g_assert_cmpint (data->train.labels[1], ==, 2);
    }
}

static void
test_folder_lacks (void)
{
  static const char *const files[] = { "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                       "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autofree char *path = NULL;

      put_folder (&dir);
      path = temp_path (&dir, files[i]);
      g_assert_cmpint (g_remove (path), ==, 0);
      refuse_folder (&dir, LS_ERROR_FILE, files[i]);
    }
}

static void
test_folder_contents (void)
{
  g_auto (TempDir) dir = { 0 };

  put_folder (&dir);
  put_labels (&dir, "train-labels-idx1-ubyte", 3, (const guint8[]){ 0, 1, 2 });
  refuse_folder (&dir, LS_ERROR_DATA, "holds 4 images, but “train-labels-idx1-ubyte” 3 labels;");
  put_labels (&dir, "train-labels-idx1-ubyte", 1, (const guint8[]){ 0 });
  refuse_folder (&dir, LS_ERROR_DATA, "holds 4 images, but “train-labels-idx1-ubyte” 1 label;");
  put_labels (&dir, "train-labels-idx1-ubyte", 3, (const guint8[]){ 0, 1, 2 });
  put_images (&dir, "train-images-idx3-ubyte", 1, 3, 5);
  refuse_folder (&dir, LS_ERROR_DATA, "holds 1 image, but “train-labels-idx1-ubyte” 3 labels;");
  put_images (&dir, "train-images-idx3-ubyte", 4, 3, 5);
  put_labels (&dir, "train-labels-idx1-ubyte", 4, (const guint8[]){ 7, 7, 7, 7 });
  refuse_folder (&dir, LS_ERROR_DATA, "knows one class only, “7”");
  put_labels (&dir, "train-labels-idx1-ubyte", 4, (const guint8[]){ 0, 1, 0, 0 });
  put_labels (&dir, "t10k-labels-idx1-ubyte", 2, (const guint8[]){ 1, 2 });
  refuse_folder (&dir, LS_ERROR_DATA,
                 "sample 1 of the test set is of class “2”, of which there is none to train with");
  put_labels (&dir, "t10k-labels-idx1-ubyte", 2, (const guint8[]){ 1, 0 });
  put_images (&dir, "t10k-images-idx3-ubyte", 2, 5, 3);
  refuse_folder (&dir, LS_ERROR_DATA, "1×3×5");
}

static void
put_wide_labels (const TempDir *dir, const char *name, const guint32 *labels, guint8 n)
{
  g_autofree char *path = temp_path (dir, name);
  g_autoptr (GByteArray) file = g_byte_array_new ();

  g_byte_array_append (file, (guint8[8]){ 0, 0, 12, 1, 0, 0, 0, n }, 8);
  for (guint i = 0; i < n; i++)
    {
      guint32 label = GUINT32_TO_BE (labels[i]);
      g_byte_array_append (file, (const guint8 *) &label, 4);
    }
  put_file (path, file->data, file->len);
}

/* As many classes as an evaluation can keep apart: one more is refused here, not after training. */
static void
test_many_classes (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsData) data = NULL;

  put_folder (&dir);
  put_wide_labels (&dir, "train-labels-idx1-ubyte", (const guint32[]){ 0, 1, 65534, 0 }, 4);
  data = ls_data_load (dir.path, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (data->n_classes, ==, 65535);
  put_wide_labels (&dir, "train-labels-idx1-ubyte", (const guint32[]){ 0, 1, 65535, 0 }, 4);
  refuse_folder (&dir, LS_ERROR_DATA, "label 65535 of sample 2 is out of range; labels go from 0 to 65534");
}

/* Headers that contradict each other are found before the images, gigabytes perhaps, are read: these are cut.
 */
static void
test_headers_first (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *images = NULL;

  put_folder (&dir);
  images = temp_path (&dir, "train-images-idx3-ubyte");
  put_file (images, (const guint8[16]){ 0, 0, 8, 3, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1 }, 16);
  refuse_folder (&dir, LS_ERROR_DATA, "holds 16777216 images, but “train-labels-idx1-ubyte” 4 labels");
  put_file (images, (const guint8[16]){ 0, 0, 8, 3, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 4 }, 16);
  refuse_folder (&dir, LS_ERROR_DATA, "they must be alike");
  put_file (images, (const guint8[16]){ 0, 0, 8, 3, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 5 }, 16);
  refuse_folder (&dir, LS_ERROR_DATA, "“train-images-idx3-ubyte” is cut: 76 bytes expected, 16 found");
}

static void
test_no_such (void)
{
  static const char *const names[] = { "", "nothing", "MNIST", "/dev/null", "spiral ", "a\nb\xff<c>&" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_data_load (names[i], 1, &error));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      assert_refused (&error, LS_ERROR_USAGE, "the data sets are mnist, spiral");
    }
}

/* What is said of the built-in sets without loading them is what they are. */
static void
test_shape_unread (void)
{
  const char *const *names = ls_data_names ();
  gint64 shape[3];
  gint n_classes;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = ls_data_load (names[i], 1, &error);

      g_assert_no_error (error);
      g_assert_true (ls_data_shape (names[i], shape, &n_classes));
      g_assert_cmpint (memcmp (shape, data->train.shape, sizeof shape), ==, 0);
      g_assert_cmpint (n_classes, ==, data->n_classes);
    }
  g_assert_false (ls_data_shape ("/some/folder", shape, &n_classes));
  g_assert_false (ls_data_shape ("", shape, &n_classes));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dataset/byte-values", test_byte_values);
  g_test_add_func ("/dataset/mnist", test_mnist);
  g_test_add_func ("/dataset/data-dir", test_data_dir);
  g_test_add_func ("/dataset/toys", test_toys);
  g_test_add_func ("/dataset/folder/names", test_folder_names);
  g_test_add_func ("/dataset/folder/usual-names", test_usual_names);
  g_test_add_func ("/dataset/folder/lacks", test_folder_lacks);
  g_test_add_func ("/dataset/folder/contents", test_folder_contents);
  g_test_add_func ("/dataset/many-classes", test_many_classes);
  g_test_add_func ("/dataset/headers-first", test_headers_first);
  g_test_add_func ("/dataset/no-such", test_no_such);
  g_test_add_func ("/dataset/shape-unread", test_shape_unread);
  return g_test_run ();
}
