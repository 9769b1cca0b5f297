/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NumPy's arrays, number by number: each type in both byte orders with its least and largest values, headers
 * of all versions, and what the arrays of a data set may be called.
 */
#include <math.h>

#include "data/npy.h"
#include "loader_rig.h"
#include "zip_rig.h"

/* ---- numbers ---- */

/* Two numbers of each type by their bits, as IEEE 754 and two's complement have them. */
static void
test_numbers (void)
{
  static const struct {
    const char *type; /* without its byte order */
    guint64 bits[2];
    double values[2];
  } rows[] = {
    { "u1", { 0xff, 0x80 }, { 255, 128 } },
    { "i1", { 0xff, 0x80 }, { -1, -128 } },
    { "b1", { 1, 0 }, { 1, 0 } },
    { "u2", { 0xffff, 0x8001 }, { 65535, 32769 } },
    { "i2", { 0xffff, 0x8001 }, { -1, -32767 } },
    { "u4", { 0xffffffff, 0x80000001 }, { 4294967295.0, 2147483649.0 } },
    { "i4", { 0xffffffff, 0x80000001 }, { -1, -2147483647.0 } },
    { "u8", { 0x8000000000000000, 0x0102030405060708 }, { 9223372036854775808.0, 72623859790382856.0 } },
    { "i8", { 0x8000000000000000, 0x0102030405060708 }, { -9223372036854775808.0, 72623859790382856.0 } },
    { "f4", { 0x40490fdb, 0xbf000000 }, { 0x1.921fb6p+1, -.5 } },
    { "f8", { 0x400921fb54442d18, 0xc010000000000000 }, { 0x1.921fb54442d18p+1, -4 } },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.npy");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (const char *order = "<>=|"; *order != '\0'; order++)
      {
        const guint bytes = (guint) (rows[i].type[1] - '0');
        g_autofree char *descr = g_strdup_printf ("%c%s", *order, rows[i].type);
        g_autoptr (GByteArray) values = g_byte_array_new (), file = NULL;
        g_autoptr (GError) error = NULL;
        g_auto (LsNpy) npy = { 0 };
        guint8 read[16];

        for (guint k = 0; k < 2; k++)
          put_le (values,
                  *order == '>' ? GUINT64_SWAP_LE_BE (rows[i].bits[k]) >> (64 - 8 * bytes) : rows[i].bits[k],
                  bytes);
        file = make_npy (descr, "(2,)", values->data, values->len);
        put_file (path, file->data, file->len);
        g_assert_true (ls_npy_open (&npy, path, NULL, 0, &error));
        g_assert_cmpuint (npy.bytes, ==, bytes);
        g_assert_true (ls_npy_read (&npy, read, 2, &error));
        g_assert_true (ls_npy_end (&npy, &error));
        for (guint k = 0; k < 2; k++)
          if (ls_npy_value (&npy, read, k) != rows[i].values[k])
            g_error ("number %u of type %s is %.17g, and should be %.17g", k, descr,
                     ls_npy_value (&npy, read, k), rows[i].values[k]);
      }
}

/* ---- headers ---- */

/* As NumPy's versions write them: a length of two bytes, or of four since 2.0; keys in any order, in
 * either quotes; numbers with an L, as Python 2 had them. */
static void
test_headers (void)
{
  static const char *const dicts[] = {
    "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 1, 2), }",
    "{'fortran_order': False, 'shape': (3,1,2), 'descr': '<i2'}",
    "{\"shape\" : ( 3 , 1 , 2 ), \"descr\" : \"<i2\", \"fortran_order\" : False}",
    "{'shape': (3L, 1L, 2L), 'fortran_order': False, 'descr': '<i2', }",
  };
  static const guint8 values[12] = { 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.npy");
  for (gsize d = 0; d < G_N_ELEMENTS (dicts); d++)
    for (guint8 version = 1; version <= 3; version++)
      {
        g_autoptr (GByteArray) file = g_byte_array_new ();
        g_autoptr (GError) error = NULL;
        g_auto (LsNpy) npy = { 0 };
        guint8 read[4];

        g_byte_array_append (file, (const guint8 *) LS_NPY_MAGIC, 6);
        g_byte_array_append (file, (const guint8[]){ version, 0 }, 2);
        put_le (file, strlen (dicts[d]) + 300, version == 1 ? 2 : 4);
        g_byte_array_append (file, (const guint8 *) dicts[d], (guint) strlen (dicts[d]));
        for (guint i = 0; i < 300; i++)
          put_le (file, i == 299 ? '\n' : ' ', 1);
        g_byte_array_append (file, values, sizeof values);
        put_file (path, file->data, file->len);
        if (!ls_npy_open (&npy, path, NULL, 0, &error))
          g_error ("“%s” in version %d isn’t read: %s", dicts[d], version, error->message);
        g_assert_cmpuint (npy.rank, ==, 3);
        g_assert_cmpint (npy.dims[0], ==, 3);
        g_assert_cmpint (npy.dims[1], ==, 1);
        g_assert_cmpint (npy.dims[2], ==, 2);
        g_assert_cmpint (npy.each, ==, 2);
        for (guint i = 0; i < 3; i++)
          {
            g_assert_true (ls_npy_read (&npy, read, 2, &error));
            g_assert_cmpfloat (ls_npy_value (&npy, read, 0), ==, 2 * i + 1);
            g_assert_cmpfloat (ls_npy_value (&npy, read, 1), ==, 2 * i + 2);
          }
        g_assert_true (ls_npy_end (&npy, &error));
      }
}

/* Which types of numbers are read, to the letter; what isn't one of these is refused, whatever it begins
 * with. */
static void
test_types (void)
{
  static const struct {
    const char *type;
    guint bytes; /* 0: refused */
  } rows[] = {
    { "|u1", 1 },  { "<u2", 2 },  { ">u4", 4 }, { "=u8", 8 }, { "|i1", 1 }, { "<i2", 2 },     { ">i4", 4 },
    { "<i8", 8 },  { "<f4", 4 },  { ">f8", 8 }, { "|b1", 1 }, { "<b1", 1 }, { "<f2", 0 },     { "<f1", 0 },
    { "|b2", 0 },  { "<c8", 0 },  { "<U4", 0 }, { "|O8", 0 }, { "<f3", 0 }, { "<f16", 0 },    { "<f44", 0 },
    { "<f4x", 0 }, { "<f4 ", 0 }, { "<f", 0 },  { "<", 0 },   { "", 0 },    { "f4", 0 },      { "*f4", 0 },
    { " <f4", 0 }, { "<F4", 0 },  { "<4f", 0 }, { "<f0", 0 }, { "<f9", 0 }, { "float32", 0 },
  };
  static const guint8 zeros[16] = { 0 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.npy");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) file = make_npy (rows[i].type, "(2,)", zeros, 2 * MAX (rows[i].bytes, 4));
      g_autoptr (GError) error = NULL;
      g_auto (LsNpy) npy = { 0 };

      put_file (path, file->data, file->len);
      if (ls_npy_open (&npy, path, NULL, 0, &error) != (rows[i].bytes > 0))
        g_error ("numbers of type “%s” are %s: %s", rows[i].type, rows[i].bytes > 0 ? "refused" : "read",
                 error != NULL ? error->message : "");
      if (rows[i].bytes > 0)
        g_assert_cmpuint (npy.bytes, ==, rows[i].bytes);
      else
        assert_refused (&error, LS_ERROR_DATA, "x.npy");
    }
}

/* Four bytes of length count, also the upper ones. */
static void
test_long_headers (void)
{
  static const guint32 lengths[] = { 65536, 0x01000040, 0xffffffff };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "x.npy");
  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autofree char *words = g_strdup_printf (
        "“x.npy” has a header of %u bytes, and at most 65535 are read.", lengths[i]);
      g_autoptr (GError) error = NULL;
      g_auto (LsNpy) npy = { 0 };

      g_byte_array_append (file, (const guint8 *) LS_NPY_MAGIC "\2\0", 8);
      put_le (file, lengths[i], 4);
      put_le (file, 0, 8);
      put_file (path, file->data, file->len);
      g_assert_false (ls_npy_open (&npy, path, NULL, 0, &error));
      assert_refused (&error, LS_ERROR_DATA, words);
    }
}

/* ---- sets ---- */

#define N 6

/* Arrays of N samples with a test set of N others, as these names say; x_bytes of each sample, all of that
 * number. In a file, or one by one in a folder that is there. */
static void
put_set (const char *path, const char *const names[4], const char *shape, guint each, const char *test_shape,
         guint test_each, const char *test_type)
{
  ZipMaker maker;

  zip_begin (&maker);
  for (guint i = 0; i < 4 && names[i] != NULL; i++)
    {
      const guint n = i % 2 == 1 ? N : N * (i < 2 ? each : test_each);
      g_autofree char *name = g_strconcat (names[i], ".npy", NULL);
      g_autofree guint8 *bytes = g_malloc (n);
      g_autoptr (GByteArray) array = NULL;

      for (guint k = 0; k < n; k++)
        bytes[k] = (guint8) (i % 2 == 1 ? k % 3 : i < 2 ? 10 : 20);
      array = i % 2 == 1 ? make_npy ("|u1", "(6,)", bytes, n)
                         : make_npy (i == 0 ? "|u1" : test_type, i == 0 ? shape : test_shape, bytes, n);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          g_autofree char *own = g_build_filename (path, name, NULL);
          put_file (own, array->data, array->len);
        }
      zip_add (&maker, name, array, FALSE, FALSE);
    }
  g_autoptr (GByteArray) zip = zip_end (&maker);
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    put_file (path, zip->data, zip->len);
}

/* Keras', scikit-learn's and others' names; those with a test set have it taken as such. So are they in a
 * folder of one file each. */
static void
test_names (void)
{
  static const char *const names[][4] = {
    { "x_train", "y_train", "x_test", "y_test" },
    { "X_train", "y_train", "X_test", "y_test" },
    { "train_images", "train_labels", "test_images", "test_labels" },
    { "x", "y" },
    { "X", "y" },
    { "images", "labels" },
    { "data", "labels" },
    { "data", "target" },
  };
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      const gsize n = i / 2;
      const gboolean own = names[n][2] != NULL;
      g_autofree char *path = temp_path (&dir, i % 2 == 0 ? "data.npz" : "data");
      if (i % 2 != 0)
        g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      put_set (path, names[n], "(6, 2, 2)", 4, "(6, 2, 2)", 4, "|u1");
      g_autoptr (LsData) data = accept_as (path, "test-share=0.5");
      const guint8 *train = data->train.samples, *test = data->test.samples;

      if (data->split == own || data->train.n != (own ? N : N / 2) || data->test.n != (own ? N : N / 2)
          || train[0] != 10 || test[0] != (own ? 20 : 10))
        g_error ("in a %s, of “%s” and “%s” %d are to train, %d to test, of values %d and %d",
                 i % 2 == 0 ? "file" : "folder", names[n][0], names[n][1], (int) data->train.n,
                 (int) data->test.n, train[0], test[0]);
      if (i % 2 != 0)
        remove_tree (path);
    }
}

/* Both sets are of one shape and one type, or it says which they are. */
static void
test_alike (void)
{
  static const struct {
    const char *train, *test, *type, *words;
    guint each, test_each;
  } rows[] = {
    { "(6, 2, 3)", "(6, 3, 2)", "|u1",
      "to train with are 1×2×3, those to test with 1×3×2 (channels, height, width)", 6, 6 },
    { "(6, 2, 3)", "(6, 2, 4)", "|u1", "are 1×2×3, those to test with 1×2×4 ", 6, 8 },
    { "(6, 3, 2, 2)", "(6, 4, 2, 2)", "|u1", "are 3×2×2, those to test with 4×2×2 ", 12, 16 },
    { "(6, 2, 3)", "(6, 2, 3)", "|i1", "or of another type; they must be alike.", 6, 6 },
  };
  static const char *const names[4] = { "x_train", "y_train", "x_test", "y_test" };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      put_set (path, names, rows[i].train, rows[i].each, rows[i].test, rows[i].test_each, rows[i].type);
      refuse_as (path, NULL, LS_ERROR_DATA, rows[i].words);
    }
}

/* Labels are whole numbers from 0 to 65534; the first one that isn't is told, with its place. */
static void
test_labels (void)
{
  static const struct {
    double label;
    const char *words; /* NULL: it is one */
  } rows[] = {
    { 0, NULL },
    { 65534, NULL },
    { 65535, "label 65535 of sample 4 is no class; classes are whole numbers from 0 to 65534." },
    { 1.5, "label 1.5 of sample 4 is no class" },
    { -1, "label -1 of sample 4 is no class" },
    { -.25, "label -0.25 of sample 4 is no class" },
    { 1e300, "label 1e+300 of sample 4 is no class" },
    { (double) INFINITY, "label inf of sample 4 is no class" },
    { (double) NAN, "nan of sample 4 is no class" },
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  static const guint8 x[N] = { 1, 2, 3, 4, 5, 6 };

  temp_dir_init (&dir);
  path = temp_path (&dir, "data.npz");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const double labels[N] = { 0, 1, 0, 1, rows[i].label, rows[i].words == NULL ? rows[i].label : -7 };
      g_autoptr (GByteArray) samples = make_npy ("|u1", "(6, 1, 1)", x, N),
                             classes = make_npy ("<f8", "(6,)", labels, sizeof labels), zip = NULL;
      ZipMaker maker;

      zip_begin (&maker);
      zip_add (&maker, "x.npy", samples, FALSE, FALSE);
      zip_add (&maker, "y.npy", classes, FALSE, FALSE);
      zip = zip_end (&maker);
      put_file (path, zip->data, zip->len);
      if (rows[i].words != NULL)
        {
          refuse_as (path, NULL, LS_ERROR_DATA, rows[i].words);
          continue;
        }
      g_autoptr (LsData) data = accept_as (path, NULL);
      g_assert_cmpint (data->n_classes, ==, MAX (2, (gint) rows[i].label + 1));
    }
}

/* A folder with samples alone is told what it has, of ten arrays the first eight, and of nothing else. */
static void
test_lacking (void)
{
  static const char *const others[] = { "a.npy", "b.npy", "c.npy",  "d.npy", "e.npy",
                                        "f.npy", "x.npy", "xs.npy", "y.txt", "z.npy" };
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *path = temp_path (&dir, others[i]);
      put_file (path, "x", 1);
    }
  refuse_as (dir.path, NULL, LS_ERROR_DATA,
             "or x and y; it has a.npy, b.npy, c.npy, d.npy, e.npy, f.npy, x.npy, xs.npy.");
}

static void
put_floats (const TempDir *dir, const char *name, float first, float most)
{
  const float values[16] = { first, most };
  g_autofree char *path = temp_path (dir, name);
  g_autoptr (GByteArray) file = make_npy ("<f4", "(4, 2, 2)", values, sizeof values);

  put_file (path, file->data, file->len);
}

/* Images of floats up to 16 stay as they are; of larger ones all are divided by the largest to train with,
 * those to test with, too. */
static void
test_scale (void)
{
  static const struct {
    float most;
    float by;
    const char *note; /* NULL: nothing is said */
  } rows[] = {
    { 1, 1, NULL },
    { 16, 1, NULL },
    { -16, 1, NULL },
    { 16.5f, 16.5f, "All values are divided by 16.5, the largest one to train with." },
    { -20, 20, "divided by 20," },
    { 255, 255, "All values are divided by 255," },
  };
  static const guint8 classes[4] = { 0, 1, 0, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autoptr (GByteArray) labels = make_npy ("|u1", "(4,)", classes, sizeof classes);

      temp_dir_init (&dir);
      put_floats (&dir, "x_train.npy", .5f, rows[i].most);
      put_floats (&dir, "x_test.npy", 8, 1000);
      for (guint s = 0; s < 2; s++)
        {
          g_autofree char *path = temp_path (&dir, s == 0 ? "y_train.npy" : "y_test.npy");
          put_file (path, labels->data, labels->len);
        }
      g_autoptr (LsData) data = accept_as (dir.path, NULL);
      const float *train = data->train.samples, *test = data->test.samples;
      const float wanted[] = { .5f / rows[i].by, rows[i].most / rows[i].by, 8 / rows[i].by,
                               1000 / rows[i].by },
                  found[] = { train[0], train[1], test[0], test[1] };
      for (guint k = 0; k < 4; k++)
        if (found[k] < wanted[k] || found[k] > wanted[k])
          g_error ("where the largest is %g, value %u is %g, and should be %g", (double) rows[i].most, k,
                   (double) found[k], (double) wanted[k]);
      if (rows[i].note != NULL)
        assert_note (data, rows[i].note);
      else
        g_assert_true (data->notes == NULL || data->notes->len == 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/npy/types", test_types);
  g_test_add_func ("/npy/numbers", test_numbers);
  g_test_add_func ("/npy/headers", test_headers);
  g_test_add_func ("/npy/long-headers", test_long_headers);
  g_test_add_func ("/npy/names", test_names);
  g_test_add_func ("/npy/alike", test_alike);
  g_test_add_func ("/npy/labels", test_labels);
  g_test_add_func ("/npy/lacking", test_lacking);
  g_test_add_func ("/npy/scale", test_scale);
  return g_test_run ();
}
