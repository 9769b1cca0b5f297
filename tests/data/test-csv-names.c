/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What columns of a table are called, by its first row or by their place, and which are left out for want of
 * a name.
 */
#include "loader_rig.h"
#include "tests/files/open_files.h"

/* A column without a name among others that have one is left out; where none has one, an empty cell in the
 * first row is a gap of that row alone. */
static void
test_names (void)
{
  static const struct {
    const char *text;
    gint64 features, samples;
    const char *note, *none; /* said, and not said */
  } rows[] = {
    { "a,b,kind\n1,5,x\n2,6,y\n3,7,x\n4,9,y\n", 2, 4, NULL, "left out" },
    { ",b,kind\n1,5,x\n2,6,y\n3,7,x\n4,9,y\n", 1, 4, "Column 1 is left out: it has no name.", NULL },
    { "a,,kind\n1,5,x\n2,6,y\n3,7,x\n4,9,y\n", 1, 4, "Column 2 is left out: it has no name.", NULL },
    { "\"\",b,kind\n1,5,x\n2,6,y\n3,7,x\n4,9,y\n", 1, 4, "Column 1 is left out: it has no name.", NULL },
    { ",5,x\n2,6,y\n3,7,x\n4,9,y\n", 2, 3, "1 of 4 rows is left out: it has gaps", "name" },
    { "1,,x\n2,6,y\n3,7,x\n4,9,y\n", 2, 3, "1 of 4 rows is left out: it has gaps", "name" },
    { "1,5,x\n2,,y\n3,7,x\n4,9,y\n", 2, 3, "1 of 4 rows is left out: it has gaps", "name" },
    { "1,red,x\n2,blue,y\n3,red,x\n4,blue,y\n", 3, 4,
      "Column “2” has 2 different texts and becomes as many columns of 0 and 1.", "name" },
    { "a,colour,kind\n2,blue,y\n3,red,x\n4,blue,y\n", 3, 3,
      "Column “colour” has 2 different texts and becomes as many columns of 0 and 1.", "left out" },
    { "a,\"co\tlour\",kind\n2,blue,y\n3,red,x\n4,blue,y\n", 3, 3,
      "Column “co�lour” has 2 different texts and becomes as many columns of 0 and 1.", "left out" },
    { "1,,x\n2,,y\n3,,x\n4,,y\n", 1, 4, "Column “2” is left out: it is empty.", "name" },
    { "a,b,kind\n1,,x\n2,,y\n3,,x\n4,,y\n", 1, 4, "Column “b” is left out: it is empty.", "name" },
  };
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = temp_path (&dir, "table.csv"), *notes = NULL;

      put_file (path, rows[i].text, strlen (rows[i].text));
      g_autoptr (LsData) data = accept_as (path, NULL);
      notes = notes_of (data);
      if (data->train.sample_size != rows[i].features || data->train.n + data->test.n != rows[i].samples)
        g_error ("of\n%s%lld features and %lld samples are read: %s", rows[i].text,
                 (long long) data->train.sample_size, (long long) (data->train.n + data->test.n), notes);
      if (rows[i].note != NULL)
        assert_note (data, rows[i].note);
      if (rows[i].none != NULL && strstr (notes, rows[i].none) != NULL)
        g_error ("of\n%sit says “%s”", rows[i].text, notes);
    }
}

/* --label takes a name or a place, and says which there are. */
static void
test_label (void)
{
  static const struct {
    const char *text, *label;
    gint n_classes;
    const char *first; /* its first class; NULL: refused with these words: */
    const char *words;
  } rows[] = {
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=kind", 3, "x", NULL },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=1", 3, "x", NULL },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=2", 3, "5", NULL },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=c", 3, "7", NULL },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=3", 3, "7", NULL },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", NULL, 3, "7", NULL }, /* the last one */
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=4", 0, NULL, "its columns are kind, b, c." },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=0", 0, NULL, "no column “0” for --label" },
    { "kind,b,c\nx,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=Kind", 0, NULL, "no column “Kind” for --label" },
    { "x,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=1", 3, "x", NULL },
    { "x,5,7\ny,6,8\nx,7,9\nz,5,7\n", "label=x", 0, NULL, "its columns are 1, 2, 3." },
  };
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = temp_path (&dir, "table.csv");

      g_test_message ("%s of\n%s", rows[i].label, rows[i].text);
      if (rows[i].first == NULL)
        {
          refuse_text (&dir, rows[i].text, strlen (rows[i].text), rows[i].label, LS_ERROR_USAGE,
                       rows[i].words);
          continue;
        }
      put_file (path, rows[i].text, strlen (rows[i].text));
      g_autoptr (LsData) data = accept_as (path, rows[i].label);
      g_assert_cmpint (data->n_classes, ==, rows[i].n_classes);
      g_assert_cmpstr (data->class_names[0], ==, rows[i].first);
    }
}

/* No file stays open once it is read, or refused, be it packed or not. */
static void
test_closed (void)
{
  static const char good[] = "a,b,kind\n1,5,x\n2,6,y\n3,7,x\n4,9,y\n", bad[] = "a,b,kind\n1,5,x\n2,6\n";
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "table.csv");
  put_file (path, good, strlen (good));
  ls_data_unref (accept_as (path, NULL)); /* what is opened once for all is */
  const guint before = count_open_files ();
  for (guint i = 0; i < 4; i++)
    {
      const char *text = i % 2 == 0 ? good : bad;
      g_autoptr (GByteArray) packed = g_byte_array_new ();
      g_autoptr (GError) error = NULL;

      append_gzip (packed, text, strlen (text));
      put_file (path, i < 2 ? text : (const char *) packed->data, i < 2 ? strlen (text) : packed->len);
      g_autoptr (LsData) data = load_as (path, NULL, &error);
      g_assert_cmpint (data != NULL, ==, text == good);
      if (count_open_files () != before)
        g_error ("a table that is %s and %s stays open", i < 2 ? "plain" : "packed",
                 text == good ? "read" : "refused");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-names/names", test_names);
  g_test_add_func ("/csv-names/label", test_label);
  g_test_add_func ("/csv-names/closed", test_closed);
  return g_test_run ();
}
