/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `data` says of tables made by hand, line by line, and the same as JSON.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "files/json.h"

static char *folder;

/* 40 trees: 10 oaks, 10 ashes and 20 elms; one ash and one elm have a gap. */
static void
put_trees (void)
{
  static const char *const kinds[] = { "oak", "ash", "elm", "elm" };
  g_autofree char *path = g_build_filename (folder, "trees.csv", NULL);
  g_autoptr (GString) text = g_string_new ("height,width,kind\n");

  for (guint i = 0; i < 40; i++)
    if (i == 3 || i == 17)
      g_string_append_printf (text, "%u,,%s\n", i, kinds[i % 4]);
    else
      g_string_append_printf (text, "%u,%u,%s\n", i, i * 7 % 10, kinds[i % 4]);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

/* So many classes of two each. */
static void
put_many (guint n)
{
  g_autofree char *path = g_build_filename (folder, "many.csv", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 2 * n; i++)
    g_string_append_printf (text, "%u,c%02u\n", i, i / 2);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static void
assert_page (const char *name, const char *words, const char *expected)
{
  g_autofree char *line = g_strdup_printf ("data|%s/%s%s", folder, name, words);
  g_auto (Captured) said = run (line);

  assert_lines (name, said.out, expected);
  g_assert_cmpint (said.status, ==, 0);
}

/* A tenth of each class is kept for testing, to the nearest sample; the batch is no more than there is. */
static void
test_trees (void)
{
  put_trees ();
  assert_page (
    "trees.csv", "",
    "Data trees.csv: a table (CSV or TSV)\n"
    "Each sample: 2 values, as 32-bit floats\n"
    "Samples: 34 to train, 4 to test\n"
    "Split: there is no test set, so 0.1 of each class is kept for testing, by seed 1 (--test-share, "
    "--seed)\n"
    "\n"
    "Class  to train  to test\n"
    "ash           8        1\n"
    "elm          17        2\n"
    "oak           9        1\n"
    "\n"
    "(!) 2 of 40 rows are left out: they have gaps (--missing=mean fills in the column’s mean).\n"
    "\n"
    "What suits it: --model \"flatten, dense 32, relu, dense 3\" --batch 32 --lr 0.025\n");
  assert_page (
    "trees.csv", "|--missing|mean|--test-share|0.25|--seed|7",
    "Data trees.csv: a table (CSV or TSV)\n"
    "Each sample: 2 values, as 32-bit floats\n"
    "Samples: 30 to train, 10 to test\n"
    "Split: there is no test set, so 0.25 of each class is kept for testing, by seed 7 (--test-share, "
    "--seed)\n"
    "\n"
    "Class  to train  to test\n"
    "ash           7        3\n"
    "elm          15        5\n"
    "oak           8        2\n"
    "\n"
    "(!) 2 of 40 rows have gaps, where the column’s mean is filled in.\n"
    "\n"
    "What suits it: --model \"flatten, dense 32, relu, dense 3\" --batch 16 --lr 0.0125\n");
}

/* What suits the data is what is taken where nothing else is asked for. */
static void
test_suits (void)
{
  g_autofree char *path = g_build_filename (folder, "trees.csv", NULL),
                  *out = g_build_filename (folder, "plan.json", NULL),
                  *words = g_strdup_printf ("plan|--data|%s|--json|%s", path, out), *text = NULL;
  gsize n;

  put_trees ();
  g_auto (Captured) said = run (words);
  g_assert_cmpstr (said.err, ==, "");
  g_assert_true (g_str_has_prefix (said.out, "Model flatten, dense 32, relu, dense 3 on trees.csv\n"));
  g_assert_true (g_file_get_contents (out, &text, &n, NULL));
  g_autoptr (json_t) json = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  const json_t *options = json_object_get (json, "options");
  g_assert_cmpstr (json_string_value (json_object_get (options, "model")), ==,
                   "flatten, dense 32, relu, dense 3");
  g_assert_cmpint (json_integer_value (json_object_get (options, "batch")), ==, 32);
  g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (options, "lr")), .025, 1e-12);
}

/* Twenty classes are told, of more how many there are; JSON has all. */
static void
test_many (void)
{
  g_autoptr (GString) expected = g_string_new ("Data many.csv: a table (CSV or TSV)\n"
                                               "Each sample: 1 value, as 32-bit floats\n"
                                               "Samples: 23 to train, 23 to test\n"
                                               "Split: there is no test set, so 0.5 of each class is kept "
                                               "for testing, by seed 1 (--test-share, --seed)\n"
                                               "\n"
                                               "Class  to train  to test\n");
  g_autofree char *path = g_build_filename (folder, "many.json", NULL), *text = NULL,
                  *words = g_strdup_printf ("|--test-share|0.5|--json|%s", path);
  gsize length;

  put_many (23);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (expected, "c%02u           1        1\n", i);
  g_string_append (expected,
                   "… and 3 more classes (--json has them all)\n"
                   "\n"
                   "What suits it: --model \"flatten, dense 32, relu, dense 23\" --batch 16 --lr 0.0125\n");
  assert_page ("many.csv", words, expected->str);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_autoptr (json_t) json = ls_json_parse (text, length, length, JSON_OBJECT, NULL);
  const json_t *classes = json_object_get (json, "classes");
  g_assert_cmpuint (json_array_size (classes), ==, 23);
  for (guint i = 0; i < 23; i++)
    {
      const json_t *one = json_array_get (classes, i);
      g_autofree char *name = g_strdup_printf ("c%02u", i);

      g_assert_cmpstr (json_string_value (json_object_get (one, "name")), ==, name);
      g_assert_cmpint (json_integer_value (json_object_get (one, "train")), ==, 1);
      g_assert_cmpint (json_integer_value (json_object_get (one, "test")), ==, 1);
    }
  g_assert_cmpstr (json_string_value (json_object_get (json, "format")), ==, "lockstep-data");
  g_assert_cmpint (json_integer_value (json_object_get (json, "version")), ==, 1);
  g_assert_cmpstr (json_string_value (json_object_get (json, "name")), ==, "many.csv");
  g_assert_cmpstr (json_string_value (json_object_get (json, "values")), ==, "F32");
  g_assert_cmpint (json_integer_value (json_object_get (json, "train")), ==, 23);
  g_assert_cmpint (json_integer_value (json_object_get (json, "test")), ==, 23);
  g_assert_true (json_is_true (json_object_get (json, "split")));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (json_integer_value (json_array_get (json_object_get (json, "shape"), i)), ==, 1);
  g_assert_cmpuint (json_array_size (json_object_get (json, "warnings")), ==, 0);
}

/* Of twenty classes none is left to be told of. */
static void
test_twenty (void)
{
  g_autofree char *words = g_strdup_printf ("data|%s/many.csv|--test-share|0.5", folder);

  put_many (20);
  g_auto (Captured) said = run (words);
  const char *last = strstr (said.out, "\nc19           1        1\n\nWhat suits it: ");
  if (last == NULL)
    g_error ("after the last of twenty classes stands something else: “%s”", said.out);
}

/* Of twenty-one a single one is. */
static void
test_one_more (void)
{
  g_autofree char *words = g_strdup_printf ("data|%s/many.csv|--test-share|0.5", folder);

  put_many (21);
  g_auto (Captured) said = run (words);
  const char *last = strstr (said.out,
                             "\nc19           1        1\n… and 1 more class (--json has them all)\n");
  if (last == NULL)
    g_error ("after twenty of twenty-one classes it doesn't say that there is one more: “%s”", said.out);
}

/* What was left out is in JSON sentence by sentence, as it is printed, beside what the data are. */
static void
test_warnings (void)
{
  g_autofree char *path = g_build_filename (folder, "left.csv", NULL),
                  *out = g_build_filename (folder, "left.json", NULL),
                  *words = g_strdup_printf ("data|%s|--json|%s", path, out), *text = NULL;
  gsize n;

  g_assert_true (
    g_file_set_contents (path, ",void,v,kind\n1,,1,x\n2,,2,y\n3,,3,x\n4,,4,y\n5,,,x\n6,,7,\n", -1, NULL));
  g_auto (Captured) said = run (words);
  g_assert_true (g_file_get_contents (out, &text, &n, NULL));
  g_autoptr (json_t) json = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  const json_t *warnings = json_object_get (json, "warnings");
  const char *at = said.out;

  g_assert_cmpstr (json_string_value (json_object_get (json, "kind")), ==, "a table (CSV or TSV)");
  g_assert_cmpuint (json_array_size (warnings), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *line = g_strdup_printf ("(!) %s\n", json_string_value (json_array_get (warnings, i)));
      const char *next = strstr (at, line);

      if (next == NULL)
        g_error ("“%s” isn't printed, or not in its order", line);
      at = next + strlen (line);
    }
}

/* By a name: 2,500 points on three arms, with a test set of their own. */
static void
test_named (void)
{
  g_auto (Captured) said = run ("data|spiral");

  assert_lines (
    "spiral", said.out,
    "Data spiral: made from the seed\n"
    "Each sample: 2 values, as 32-bit floats\n"
    "Samples: 2000 to train, 500 to test\n"
    "Split: the test set is the data’s own\n"
    "\n"
    "Class  to train  to test\n"
    "0           667      167\n"
    "1           667      167\n"
    "2           666      166\n"
    "\n"
    "What suits it: --model \"flatten, dense 32, tanh, dense 32, tanh, dense 3\" --batch 128 --lr 0.1\n");
}

/* A picture of 24 bits each, of which no two are alike. */
static void
put_picture (const char *kind, guint number, guint8 width, guint8 height)
{
  const guint row = (3u * width + 3) / 4 * 4, n = 54 + row * height;
  g_autofree char *name = g_strdup_printf ("%u.bmp", number),
                  *of_kind = g_build_filename (folder, "pictures", kind, NULL),
                  *path = g_build_filename (of_kind, name, NULL);
  guint8 bytes[512] = { 'B',       'M',          (guint8) n,    (guint8) (n >> 8), [10] = 54,
                        [14] = 40, [18] = width, [22] = height, [26] = 1,          [28] = 24 };

  g_assert_cmpuint (n, <=, sizeof bytes);
  for (guint i = 54; i < n; i++)
    bytes[i] = (guint8) (i * 37 + number * 11);
  g_assert_cmpint (g_mkdir_with_parents (of_kind, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, (const char *) bytes, n, NULL));
}

/* What a sample is: values in a row only where it has neither height nor width. */
static void
test_shapes (void)
{
  static const struct {
    guint8 width, height;
    const char *says;
  } cases[] = {
    { 5, 4, "Each sample: 3×4×5 values (channels, height, width), as bytes\n" },
    { 5, 1, "Each sample: 3×1×5 values (channels, height, width), as bytes\n" },
    { 1, 4, "Each sample: 3×4×1 values (channels, height, width), as bytes\n" },
    { 1, 1, "Each sample: 3 values, as bytes\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strdup_printf ("data|%s/pictures", folder),
                      *pictures = g_build_filename (folder, "pictures", NULL);

      for (guint k = 0; k < 20; k++)
        put_picture (k % 2 ? "ash" : "oak", k, cases[i].width, cases[i].height);
      g_auto (Captured) said = run (line);
      if (strstr (said.out, cases[i].says) == NULL)
        g_error ("of pictures of %u×%u it says:\n%s%s", cases[i].width, cases[i].height, said.out, said.err);
      remove_tree (pictures);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lockstep-data-XXXXXX", NULL);
  g_test_add_func ("/cli/data/trees", test_trees);
  g_test_add_func ("/cli/data/suits", test_suits);
  g_test_add_func ("/cli/data/many", test_many);
  g_test_add_func ("/cli/data/twenty", test_twenty);
  g_test_add_func ("/cli/data/one-more", test_one_more);
  g_test_add_func ("/cli/data/warnings", test_warnings);
  g_test_add_func ("/cli/data/named", test_named);
  g_test_add_func ("/cli/data/shapes", test_shapes);
  const int status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
