/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NumPy's arrays, in archives and folders: types, byte orders, channels, tables and images; and hostile ones.
 */
#include <math.h>

#include "data/npy.h"
#include "loader_rig.h"
#include "zip_rig.h"

#define N 12

/* One archive of samples and labels. x, y: taken */
static void
put_npz (const char *path, GByteArray *x, GByteArray *y, gboolean deflated, gboolean wide)
{
  g_autoptr (GByteArray) zip = NULL;
  ZipMaker maker;

  zip_begin (&maker);
  zip_add (&maker, "x_train.npy", x, deflated, wide);
  zip_add (&maker, "y_train.npy", y, deflated, wide);
  zip = zip_end (&maker);
  put_file (path, zip->data, zip->len);
  g_byte_array_unref (x);
  g_byte_array_unref (y);
}

static GByteArray *
make_labels (void)
{
  static const guint8 labels[N] = { 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2 };

  return make_npy ("|u1", "(12,)", labels, N);
}

static GByteArray *
make_bytes (const char *shape, gsize each)
{
  g_autofree guint8 *bytes = g_malloc (N * each);

  for (gsize i = 0; i < N * each; i++)
    bytes[i] = (guint8) (i * 7);
  return make_npy ("|u1", shape, bytes, N * each);
}

static void
test_packing (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (guint i = 0; i < 4; i++)
    {
      put_npz (path, make_bytes ("(12, 2, 3)", 6), make_labels (), i % 2 == 1, i / 2 == 1);
      g_autoptr (LsData) data = accept_as (path, "test-share=0.5");
      g_assert_cmpstr (data->format, ==, "NumPy arrays");
      const guint8 *x = data->train.samples;

      g_assert_cmpint (data->n_classes, ==, 3);
      g_assert_cmpint (data->train.type, ==, LS_SAMPLE_U8);
      g_assert_cmpint (data->train.n, ==, 6);
      g_assert_cmpint (data->test.n, ==, 6);
      g_assert_cmpint (data->train.shape[0], ==, 1);
      g_assert_cmpint (data->train.shape[1], ==, 2);
      g_assert_cmpint (data->train.shape[2], ==, 3);
      for (guint b = 1; b < 6; b++)
        g_assert_cmpint ((guint8) (x[b] - x[b - 1]), ==, 7);
    }
}

/* Each type of number, with a test set of its own, in a folder; both byte orders. */
static void
test_types (void)
{
  static const char *const types[] = { "<f4", ">f4", "<f8", ">f8", "<i4", ">i2", "|i1", "<u2", "|b1", "=u4" };

  for (gsize t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_auto (TempDir) dir = { 0 };
      static const char *const names[] = { "x_train.npy", "y_train.npy", "x_test.npy", "y_test.npy" };
      const guint bytes = (guint) (types[t][2] - '0');

      temp_dir_init (&dir);
      for (guint i = 0; i < 4; i++)
        {
          g_autoptr (GByteArray) values = g_byte_array_new (), file = NULL;
          g_autofree char *path = temp_path (&dir, names[i]);
          const guint n = i % 2 == 0 ? N * 2 : N;

          for (guint v = 0; v < n; v++)
            {
              const guint number = i % 2 == 1 ? v % 2 : types[t][1] == 'b' ? v % 3 == 0 : v % 5;
              const float single = (float) number;
              const double twice = number;
              guint64 raw = number;

              if (i % 2 == 0 && types[t][1] == 'f')
                {
                  raw = 0;
                  memcpy (&raw, bytes == 4 ? (gconstpointer) &single : &twice, bytes);
                }
              if (i % 2 == 0 && types[t][0] == '>')
                raw = GUINT64_SWAP_LE_BE (raw) >> (64 - 8 * bytes);
              put_le (values, raw, i % 2 == 0 ? bytes : 8);
            }
          file = make_npy (i % 2 == 0 ? types[t] : "<i8", i % 2 == 0 ? "(12, 2)" : "(12, 1)", values->data,
                           values->len);
          put_file (path, file->data, file->len);
        }
      g_autoptr (LsData) data = accept_as (dir.path, NULL);
      const float *x = data->train.samples;
      double sum = 0, squares = 0;

      g_assert_false (data->split);
      g_assert_cmpint (data->train.n, ==, N);
      g_assert_cmpint (data->test.n, ==, N);
      g_assert_cmpint (data->train.shape[0], ==, 2);
      g_assert_cmpint (data->train.type, ==, LS_SAMPLE_F32);
      for (guint i = 0; i < N; i++)
        {
          sum += (double) x[2 * i];
          squares += (double) (x[2 * i] * x[2 * i]);
        }
      g_assert_cmpfloat_with_epsilon (sum / N, 0, 1e-5);
      g_assert_cmpfloat_with_epsilon (squares / N, 1, 1e-5);
      if (types[t][1] != 'b')
        g_assert_cmpfloat_with_epsilon (x[2] - x[0], 2 * (x[6] - x[0]), 1e-5); /* 2 − 0, and 1 − 0 */
    }
}

/* Keras has channels last, and others first; large floats come into 0 … 1. */
static void
test_channels (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  float floats[N * 4];

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  put_npz (path, make_bytes ("(12, 2, 2, 3)", 12), make_labels (), TRUE, FALSE);
  g_autoptr (LsData) last = accept_as (path, NULL);
  put_npz (path, make_bytes ("(12, 3, 2, 2)", 12), make_labels (), TRUE, FALSE);
  g_autoptr (LsData) first = accept_as (path, NULL);
  const guint8 *a = last->train.samples, *b = first->train.samples;

  g_assert_cmpint (memcmp (last->train.shape, first->train.shape, sizeof last->train.shape), ==, 0);
  g_assert_cmpint (last->train.shape[0], ==, 3);
  for (guint pixel = 0; pixel < 4; pixel++)
    for (guint c = 0; c < 3; c++)
      g_assert_cmpint (a[4 * c + pixel], ==, b[3 * pixel + c]);

  for (guint i = 0; i < N * 4; i++)
    floats[i] = i % 4 == 3 ? 200 : (float) i / 4;
  put_npz (path, make_npy ("<f4", "(12, 2, 2)", floats, sizeof floats), make_labels (), FALSE, FALSE);
  g_autoptr (LsData) large = accept_as (path, NULL);
  g_assert_cmpfloat (((const float *) large->train.samples)[3], ==, 1);
  assert_note (large, "divided by 200");

  for (guint i = 0; i < N * 4; i++)
    floats[i] = i % 4 == 3 ? -200 : i % 4 == 2 ? 2 : 0; /* the largest is below zero */
  put_npz (path, make_npy ("<f4", "(12, 2, 2)", floats, sizeof floats), make_labels (), FALSE, FALSE);
  g_autoptr (LsData) below = accept_as (path, NULL);
  g_assert_cmpfloat (((const float *) below->train.samples)[3], ==, -1);
  g_assert_cmpfloat (((const float *) below->train.samples)[2], ==, .01f);
  assert_note (below, "divided by 200");
}

/* Of a test set both arrays, or a sentence that says which one is missing, and that the test set is taken out
 * of the other samples. */
static void
test_half_test_set (void)
{
  static const struct {
    const char *x, *y, *note;
  } rows[] = {
    { "x_test.npy", "y_test.npy", NULL },
    { "x_test.npy", "other.npy", "“x_test” is left out, since there is no “y_test” that belongs to it" },
    { "other.npy", "y_test.npy", "“y_test” is left out, since there is no “x_test” that belongs to it" },
    { "other.npy", "another.npy", NULL },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GByteArray) x = make_bytes ("(12, 2, 3)", 6), y = make_labels ();

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) zip = NULL;
      ZipMaker maker;

      zip_begin (&maker);
      zip_add (&maker, "x_train.npy", x, FALSE, FALSE);
      zip_add (&maker, "y_train.npy", y, FALSE, FALSE);
      zip_add (&maker, rows[i].x, x, FALSE, FALSE);
      zip_add (&maker, rows[i].y, y, FALSE, FALSE);
      zip = zip_end (&maker);
      put_file (path, zip->data, zip->len);
      g_autoptr (LsData) data = accept_as (path, NULL);
      g_assert_true (data->split == (i > 0));
      g_assert_cmpint (data->train.n, ==, i > 0 ? 11 : N);
      g_assert_cmpuint (data->notes != NULL ? data->notes->len : 0, ==, rows[i].note != NULL);
      if (rows[i].note != NULL)
        assert_note (data, rows[i].note);
    }
}

/* ---- what is refused ---- */

typedef struct {
  const char *x_dict, *y_dict; /* NULL: as they should be */
  guint x_bytes, y_bytes;
  const char *words;
} Wrong;

#define DICT(descr, order, shape) "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }"

static void
test_hostile_headers (void)
{
  static const Wrong wrong[] = {
    { DICT ("|O", "False", "(12, 2)"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("<c8", "False", "(12, 2)"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("<f2", "False", "(12, 2)"), NULL, 48, 12, "holds no array that is read" },
    { DICT ("<U4", "False", "(12, 2)"), NULL, 48, 12, "holds no array that is read" },
    { DICT ("|u1", "True", "(12, 2)"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "()"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "(12, 2, 1, 1, 1)"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "(12, -2)"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "(12, 2"), NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "(12, 99999999999999999999)"), NULL, 24, 12, "holds no array that is read" },
    { "{'shape': (12, 2)}", NULL, 24, 12, "holds no array that is read" },
    { "", NULL, 24, 12, "holds no array that is read" },
    { "[('a', '<f4')]", NULL, 24, 12, "holds no array that is read" },
    { DICT ("|u1", "False", "(12, 0)"), NULL, 0, 12, "is empty: dimension 2 of it is 0" },
    { DICT ("|u1", "False", "(0, 2)"), NULL, 0, 12, "is empty: dimension 1 of it is 0" },
    { DICT ("|u1", "False", "(12, 2000000000)"), NULL, 24, 12, "claims more than 2 GiB" },
    { DICT ("|u1", "False", "(2000000000, 2000000000, 2000000000)"), NULL, 24, 12, "claims more than 2 GiB" },
    { DICT ("<f8", "False", "(12, 60000000)"), NULL, 24, 12, "more than 2 GiB" },
    { DICT ("|u1", "False", "(100000000, 2)"), DICT ("|u1", "False", "(100000000,)"), 24, 12,
      "samples, and at most 16777216 are read" },
    { DICT ("|u1", "False", "(12, 2)"), NULL, 23, 12, "is cut: it ends before its array does" },
    { DICT ("|u1", "False", "(12, 2)"), NULL, 25, 12, "is too long" },
    { NULL, DICT ("|u1", "False", "(12,)"), 24, 11, "y_train.npy” is cut" },
    { NULL, DICT ("|u1", "False", "(12,)"), 24, 13, "y_train.npy” is too long" },
    { NULL, DICT ("|u1", "False", "(11,)"), 24, 11, "has 11 labels, and there are 12 samples" },
    { NULL, DICT ("|u1", "False", "(1,)"), 24, 1, "has 1 label, and there are 12 samples; the two" },
    { DICT ("|u1", "False", "(1, 2)"), NULL, 2, 12, "has 12 labels, and there is 1 sample; the two" },
    { NULL, DICT ("|u1", "False", "(12, 3)"), 24, 36, "has 3 labels for each of 12 samples; one" },
    { DICT ("|u1", "False", "(1, 2)"), DICT ("|u1", "False", "(1, 3)"), 2, 3, "3 labels for 1 sample; one" },
    { NULL, DICT ("<i8", "False", "(12,)"), 24, 96, "label -7.23402e+16 of sample 1 is no class" },
    { NULL, DICT ("<i4", "False", "(12,)"), 24, 48, "of sample 1 is no class" },
    { NULL, DICT ("<f4", "False", "(12,)"), 24, 48, "of sample 1 is no class" },
    { DICT ("<f4", "False", "(12, 2)"), NULL, 96, 12, "sample 0 has a value that is not finite" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      guint8 x[200] = { 0 }, y[200] = { 0 };

      memset (x, 0xff, sizeof x);
      memset (y + wrong[i].y_bytes / N, 0xfe, sizeof y - wrong[i].y_bytes / N); /* from the second on */
      put_npz (path,
               make_npy_of (wrong[i].x_dict != NULL ? wrong[i].x_dict : DICT ("|u1", "False", "(12, 2)"), x,
                            wrong[i].x_bytes),
               wrong[i].y_dict != NULL ? make_npy_of (wrong[i].y_dict, y, wrong[i].y_bytes) : make_labels (),
               i % 2 == 0, FALSE);
      refuse_as (path, NULL, LS_ERROR_DATA, wrong[i].words);
    }
}

/* A class is a whole number: one with a fraction isn't rounded to one. */
static void
test_fraction (void)
{
  double labels[N] = { 0 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (guint i = 0; i < N; i++)
    labels[i] = i % 2;
  labels[3] = .5;
  put_npz (path, make_bytes ("(12, 2, 3)", 6), make_npy ("<f8", "(12,)", labels, sizeof labels), FALSE,
           FALSE);
  refuse_as (path, NULL, LS_ERROR_DATA, "label 0.5 of sample 3 is no class");
}

/* A value that is no number, or of which two may be too far apart for a float, wherever it stands: 2¹²⁶ is a
 * quarter of the largest float. */
static void
test_too_large (void)
{
  const double quarter = 0x1p126;
  const struct {
    double value;
    gboolean refused;
  } rows[] = {
    { (double) NAN, TRUE },   { (double) INFINITY, TRUE }, { -(double) INFINITY, TRUE },
    { 1e300, TRUE },          { 1.01 * quarter, TRUE },    { -1.01 * quarter, TRUE },
    { .99 * quarter, FALSE }, { -.99 * quarter, FALSE },
  };
  static const guint places[] = { 0, 1, 2 * N - 1 }; /* the first sample's both, and the last of all */
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint k = 0; k < G_N_ELEMENTS (places); k++)
      {
        double values[2 * N] = { 0 };
        g_autofree char *words = g_strdup_printf ("sample %u has a value that is not finite, or too large",
                                                  places[k] / 2);
        g_autoptr (GError) error = NULL;
        g_autoptr (LsData) data = NULL;

        values[places[k]] = rows[i].value;
        put_npz (path, make_npy ("<f8", "(12, 2)", values, sizeof values), make_labels (), FALSE, FALSE);
        data = load_as (path, NULL, &error);
        if ((data == NULL) != rows[i].refused)
          g_error ("%g at %u is %s", rows[i].value, places[k], data == NULL ? "refused" : "read");
        if (rows[i].refused && strstr (error->message, words) == NULL)
          g_error ("of %g at %u it says “%s”", rows[i].value, places[k], error->message);
      }
}

static void
refuse_bytes (const char *path, const GByteArray *bytes, gsize n, const char *words)
{
  put_file (path, bytes->data, n);
  refuse_as (path, NULL, LS_ERROR_DATA, words);
}

/* Archives that aren't: cut, of other names, encrypted, packed otherwise, with a wrong sum, a bomb. */
static void
test_hostile_archives (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL, *zeros = g_malloc0 (66 << 20), *shape = NULL;
  g_autoptr (GByteArray) x = make_bytes ("(12, 2, 3)", 6), y = make_labels (), zip = NULL, bomb = NULL,
                         packed = NULL, short_dict = NULL;
  gchar *text = NULL;
  gsize n;
  ZipMaker maker;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  put_npz (path, g_byte_array_ref (x), g_byte_array_ref (y), TRUE, FALSE);
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  zip = g_byte_array_new_take ((guint8 *) text, n);
  for (gsize cut = 4; cut < n; cut += 3)
    refuse_bytes (path, zip, cut, "data.npz");
  refuse_bytes (path, zip, n - 1, "is damaged or cut: its ZIP directory is wrong");

  /* every byte changed: an error or the same data, never others */
  put_file (path, zip->data, n);
  g_autoptr (LsData) right = accept_as (path, NULL);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = NULL;

      zip->data[i] ^= 0x55;
      put_file (path, zip->data, n);
      data = load_as (path, NULL, &error);
      g_assert_true ((data == NULL) == (error != NULL));
      if (data != NULL)
        g_assert_cmpmem (data->train.samples, (gsize) (data->train.n * 6), right->train.samples,
                         (gsize) (right->train.n * 6));
      zip->data[i] ^= 0x55;
    }

  zip_begin (&maker);
  zip_add (&maker, "arr_0.npy", x, FALSE, FALSE);
  zip_add (&maker, "y_train.npy", y, FALSE, FALSE);
  packed = zip_end (&maker);
  refuse_bytes (path, packed, packed->len,
                "lacks arrays to train with: x_train and y_train are expected, or x and y; it has arr_0.npy, "
                "y_train.npy");
  g_byte_array_set_size (packed, 0);
  g_byte_array_append (packed, (const guint8 *) "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22);
  refuse_bytes (path, packed, packed->len, "it has none");

  shape = g_strdup_printf ("(%d, 1024)", 66 << 10);
  bomb = make_npy ("|u1", shape, zeros, 66 << 20);
  put_npz (path, g_steal_pointer (&bomb), g_byte_array_ref (y), TRUE, FALSE);
  refuse_as (path, NULL, LS_ERROR_DATA, "which no real data set does");
  put_file (path, x->data, x->len);
  refuse_as (path, NULL, LS_ERROR_DATA, "is a single array");
  short_dict = make_npy_of (DICT ("|u1", "False", "(12, 2)"), zeros, 24);
  short_dict->data[6] = 9;
  put_npz (path, g_steal_pointer (&short_dict), g_byte_array_ref (y), TRUE, FALSE);
  refuse_as (path, NULL, LS_ERROR_DATA, "is no array of NumPy, versions 1 to 3");
}

/* What a file is says its beginning, even where nothing comes after it; less than that is something else. */
static void
test_heads_alone (void)
{
  static const struct {
    const char *head, *words;
  } rows[] = { { LS_NPY_MAGIC, "is a single array" },
               { "PK\3\4", "its ZIP directory is wrong" },
               { "PK\5\6", "its ZIP directory is wrong" } };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gsize less = 0; less < 2; less++)
      {
        const gsize n = strlen (rows[i].head) - less;
        g_autoptr (GError) error = NULL;
        g_autoptr (LsData) data = NULL;

        put_file (path, rows[i].head, n);
        data = load_as (path, NULL, &error);
        if (data != NULL)
          g_error ("%zu bytes are taken for data", n);
        if ((strstr (error->message, rows[i].words) != NULL) != (less == 0))
          g_error ("%zu bytes of a head of %zu: “%s”", n, n + less, error->message);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/npz/packing", test_packing);
  g_test_add_func ("/npz/types", test_types);
  g_test_add_func ("/npz/channels", test_channels);
  g_test_add_func ("/npz/half-test-set", test_half_test_set);
  g_test_add_func ("/npz/too-large", test_too_large);
  g_test_add_func ("/npz/hostile-headers", test_hostile_headers);
  g_test_add_func ("/npz/hostile-archives", test_hostile_archives);
  g_test_add_func ("/npz/heads-alone", test_heads_alone);
  g_test_add_func ("/npz/fraction", test_fraction);
  return g_test_run ();
}
