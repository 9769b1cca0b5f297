/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of very many columns, classes or texts.
 */
#include "loader_rig.h"

/* A billion columns, as far as they are looked at; texts that unpack a thousandfold; classes without end; a
 * table whose texts would be a million columns. */
static void
test_large (void)
{
  enum { MANY = 4 << 20 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *commas = g_strnfill (MANY, ','), *path = NULL;
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autoptr (GString) wide = g_string_new ("class"), classes = g_string_new (NULL);

  temp_dir_init (&dir);
  path = temp_path (&dir, "table.csv");
  refuse_text (&dir, commas, MANY, NULL, LS_ERROR_DATA, "line 1 has more than 65536 columns");
  for (guint i = 0; i < 17; i++)
    append_gzip (packed, commas, MANY);
  put_file (path, packed->data, packed->len);
  refuse_as (path, NULL, LS_ERROR_DATA, "which no real data set does");

  for (guint i = 0; i < 70000; i++)
    g_string_append_printf (classes, "%u,c%u\n", i, i / 2 * 2 + (i < 2));
  for (guint i = 0; i < 70000; i++)
    g_string_append_printf (classes, "%u,c%u\n", i, i);
  refuse_text (&dir, classes->str, classes->len, NULL, LS_ERROR_DATA, "has more than 65535 classes");

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (wide, ",t%u", i);
  for (guint row = 0; row < 250; row++)
    {
      g_string_append_printf (wide, "\n%u", row % 2);
      for (guint i = 0; i < 300; i++)
        g_string_append_printf (wide, ",v%u", row);
    }
  refuse_text (&dir, wide->str, wide->len, "label=class", LS_ERROR_DATA, "would have at least 75000 columns");
}

/* Columns whose texts are all different are left out, however many there are: here their texts are over a
 * million before the first column has one too many. What the others hold is found in whichever pass. */
static void
test_ids (void)
{
  enum { IDS = 4200, ROWS = LS_DATA_MAX_CATEGORIES + 2 };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GString) table = g_string_new ("a,");

  temp_dir_init (&dir);
  path = temp_path (&dir, "table.csv");
  for (guint i = 0; i < IDS; i++)
    g_string_append_printf (table, "t%u,", i);
  g_string_append (table, "b,class");
  for (guint row = 0; row < ROWS; row++)
    {
      g_string_append_printf (table, "\nu%u,", row % 3);
      for (guint i = 0; i < IDS; i++)
        g_string_append_printf (table, "v%u,", row);
      g_string_append_printf (table, "w%u,%s", row % 4, row == 7 ? "" : row % 2 == 0 ? "x" : "y");
    }
  put_file (path, table->str, table->len);
  g_autoptr (LsData) data = accept_as (path, NULL);
  g_assert_cmpint (data->train.sample_size, ==, 3 + 4);
  g_assert_cmpint (data->train.n + data->test.n, ==, ROWS - 1);
  assert_note (data, "4195 more columns are left out");
  /* which is met in each pass, and is one row all the same */
  assert_note (data, "1 of 258 rows is left out: it has no class.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-large/refused", test_large);
  g_test_add_func ("/csv-large/ids", test_ids);
  return g_test_run ();
}
