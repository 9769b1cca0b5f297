/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables in text, cell by cell: what is a number, a gap or a text, with either decimal sign; which line is
 * told, whatever ends lines; what parts columns; when the first row names them; the limits themselves.
 */
#include <math.h>

#include "data/csv.h"
#include "data/loader.h"
#include "loader_rig.h"

/* ---- cells ---- */

static const char *const kind_names[] = { "a gap", "a number", "a text", "infinite" };

static void
assert_kind (const char *text, gboolean comma, LsCellKind kind, double value)
{
  const LsCell cell = { text, (guint) strlen (text), FALSE };
  double found = (double) NAN;
  const LsCellKind is = ls_cell_kind (&cell, comma, &found);

  if (is != kind)
    g_error ("“%s” with a decimal %s is %s, and should be %s", text, comma ? "comma" : "point",
             kind_names[is], kind_names[kind]);
  if (kind == LS_CELL_NUMBER && fabs (found - value) > 1e-12 * fabs (value))
    g_error ("“%s” with a decimal %s is %.17g, and should be %.17g", text, comma ? "comma" : "point", found,
             value);
}

/* With a comma for each point and a point for each comma the same is meant by the other decimal sign. */
static void
test_kinds (void)
{
  static const struct {
    const char *texts[12];
    LsCellKind kind;
    double value;
  } rows[] = {
    { { "", "NA", "na", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?" }, LS_CELL_GAP },
    { { "inf", "INF", "+inf", "-inf", "Infinity", "-infinity", "1e999", "-1e999" }, LS_CELL_INFINITE },
    { { "none", "-", "??", "n.a", "nil", "nans", "infinit", "+", "e", "e5", "1e" }, LS_CELL_TEXT },
    { { "--1", "+-1", "1-", "1 000", "0x10", "1.2.3", "1e5.5", "5%", "$5", "five", ".", "-." },
      LS_CELL_TEXT },
    { { "1234,567", "1,23", "1,2345", ",123", "12,34,567", "1,000,00", "0,500", "00,500", "1,", "1.5,000",
        "1,000e3" },
      LS_CELL_TEXT },
    { { "0", "-0", "+0", "0.0", "0e5", ".0", "0.", "00" }, LS_CELL_NUMBER, 0 },
    { { "1000", "1,000", "+1000", "1e3", "1E3", "1e+3", "10000e-1", "1000.", "1,000.0", "+1,000", "01000" },
      LS_CELL_NUMBER,
      1000 },
    { { "-1234567.25", "-1,234,567.25", "-1234567.250", "-1.23456725e6" }, LS_CELL_NUMBER, -1234567.25 },
    { { "999,999", "999999" }, LS_CELL_NUMBER, 999999 },
    { { ".5", "0.5", "+.5", "5e-1", "0.50" }, LS_CELL_NUMBER, .5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (rows[i].texts) && (k == 0 || rows[i].texts[k] != NULL); k++)
      {
        g_autofree char *mirrored = g_strdup (rows[i].texts[k]);

        for (char *c = mirrored; *c != '\0'; c++)
          *c = *c == ',' ? '.' : *c == '.' ? ',' : *c;
        assert_kind (rows[i].texts[k], FALSE, rows[i].kind, rows[i].value);
        assert_kind (mirrored, TRUE, rows[i].kind, rows[i].value);
      }
}

/* 63 characters are a number yet: what others write with all of a double's digits. */
static void
test_long_numbers (void)
{
  g_autofree char *zeros = g_strnfill (60, '0'), *most = g_strconcat ("2.5", zeros, NULL),
                  *more = g_strconcat (most, "0", NULL);

  g_assert_cmpuint (strlen (most), ==, 63);
  assert_kind (most, FALSE, LS_CELL_NUMBER, 2.5);
  assert_kind (more, FALSE, LS_CELL_TEXT, 0);
}

/* ---- lines ---- */

/* A table of which line "@" is wrong, and a later one, too; "~" is what ends a line, also within quotes, and
 * is put in as each of the ways to end one. */
static void
test_lines (void)
{
  static const struct {
    const char *text, *words;
  } rows[] = {
    { "a,b,kind~1,2,x~@3,4~5,6~1,2,y~", "has 2 fields, and 3 are expected, as in the first line." },
    { "1,2,x~~~ ~@3,4,5,y~5,6~", "has 4 fields, and 3 are expected" },
    { "a,b,kind~1,\"2~~\",x~\"3~\",4,y~@5,6~", "has 2 fields, and 3 are expected" },
    { "a,b,kind~1,2,x~@\"3~~\",4~5~", "has 2 fields, and 3 are expected" }, /* where its row begins */
    { "a,b,kind~1,2,x~@3,4,\"y~5,6,x~", "a quoted field begins here and never ends." },
    { "a,b,kind~1,2,\"x~~y\"~3,\"~@4\"5,y~", "a quoted field goes on after its closing quote" },
    { "a,b,kind~1,2,x~@3,4,\xff~5,\xff,y~", "this is no UTF-8 text; save the table as UTF-8." },
    { "a,b,kind~1,2,x~2,3,y~@1,inf,x~1,inf,y~", "the number in column “b” is not finite" },
    { "a,b,kind~1,2,x~~@3,four,y~5,six,x~7,8,x~9,1,y~",
      "what stands in column “b” is no number, and 3 others" },
    { "a,b,kind~1,2,3~1,2,4~@3,4,1.5~5,6,2.5~", "column “kind” holds a number with a fraction" },
    { "a;b;kind~1;2;3~1;2;4~@3;4;1,5~5;6;2,5~", "column “kind” holds a number with a fraction" },
    { "a;b;kind~1;2;3~1;2;4~@3;4;1,500~5;6;4~", "column “kind” holds a number with a fraction" },
    { "a;b;kind~1;2;3~1;2;4~@3;4;1.500~5;6;4~", "column “kind” holds a number with a fraction" },
    { "a,kind~1,x~2,y~@3e38,x~-3e38,x~4e38,y~", "the number in column “a” is too large to be trained with." },
    { "sep=;~a;b~1;x~2;y~@3~4~", "has 1 field, and 2 are expected" },
    { "\xef\xbb\xbfsep=,~a,b~1,x~2,y~@3,4,5~", "has 3 fields, and 2 are expected" },
  };
  static const char *const ends[] = { "\n", "\r\n", "\r" };
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gsize e = 0; e < G_N_ELEMENTS (ends); e++)
      {
        g_autoptr (GString) text = g_string_new (NULL);
        g_autofree char *words = NULL;
        guint line = 1, wrong = 0;

        for (const char *c = rows[i].text; *c != '\0'; c++)
          {
            line += *c == '~';
            if (*c == '@')
              wrong = line;
            else if (*c == '~')
              g_string_append (text, ends[e]);
            else
              g_string_append_c (text, *c);
          }
        words = g_strdup_printf ("“table.csv”, line %u%s%s", wrong,
                                 g_str_has_prefix (rows[i].words, "has ") ? " " : ": ", rows[i].words);
        refuse_text (&dir, text->str, text->len, NULL, LS_ERROR_DATA, words);
      }
}

/* Beyond what is looked at to know a table, a NUL byte is told by its line, and not as another encoding. */
static void
test_nul (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) text = g_string_new ("a,kind\n");
  guint line = 2;

  temp_dir_init (&dir);
  for (; text->len <= LS_SOURCE_HEAD; line++)
    g_string_append_printf (text, "%u,%s\n", line, line % 2 == 0 ? "x" : "y");
  g_string_append_len (text, "1,\0\n2,\0\n", 8);
  g_autofree char *words = g_strdup_printf ("“table.csv”, line %u: there is a NUL byte, which no text has.",
                                            line);
  refuse_text (&dir, text->str, text->len, NULL, LS_ERROR_DATA, words);
}

/* ---- columns ---- */

static LsData *
accept_text (const TempDir *dir, const char *text, const char *options)
{
  g_autofree char *path = temp_path (dir, "table.csv");

  put_file (path, text, strlen (text));
  return accept_as (path, options);
}

/* Whatever parts the columns: fields that are empty are gaps, also the first ones and several beside each
 * other; spaces round a field are none of it; what parts columns may stand in quotes. */
static void
test_separators (void)
{
  static const char separators[] = ",;|\t";
  static const char table[]
    = "a@b@c@kind\n1@2@3@x\n@4@5@y\n@@6@x\n7@@@ y\n 8 @\"9\"@ 10 @\"x@y\"\n1@1@1@\"x@y\"\n";

  for (gsize i = 0; i + 1 < sizeof separators; i++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autofree char *text = g_strdelimit (g_strdup (table), "@", separators[i]);
      const char both[] = { 'x', separators[i], 'y', '\0' };

      temp_dir_init (&dir);
      g_autoptr (LsData) whole = accept_text (&dir, text, "test-share=0.01"),
                         filled = accept_text (&dir, text, "missing=mean test-share=0.01");
      if (whole->train.n + whole->test.n != 3 || filled->train.n + filled->test.n != 6
          || filled->train.sample_size != 3 || filled->n_classes != 3)
        g_error (
          "with “%c” between columns there are %d whole rows and %d in all, of %d numbers and %d classes",
          separators[i], (int) (whole->train.n + whole->test.n), (int) (filled->train.n + filled->test.n),
          (int) filled->train.sample_size, filled->n_classes);
      assert_note (whole, "3 of 6 rows are left out: they have gaps");
      g_assert_cmpstr (filled->class_names[0], ==, "x");
      if (separators[i] != '\t') /* which can't be shown */
        g_assert_cmpstr (filled->class_names[1], ==, both);
    }
}

/* Spaces and tabs round a field are none of it where something else parts the columns, whether it is quoted
 * or not. */
static void
test_blanks (void)
{
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  g_autoptr (LsData) data = accept_text (
    &dir, "a\t, b ,\tclass\n\t1\t, 2 ,x \n 3,\t4, \"x\" \n5 ,6,\t\"y\"\t\n7,8,y\t\n", "test-share=0.01");

  g_assert_cmpstr (data->format, ==, "a table (CSV or TSV)");
  g_assert_cmpint (data->train.n + data->test.n, ==, 4);
  g_assert_cmpint (data->train.sample_size, ==, 2); /* numbers, not texts */
  g_assert_cmpint (data->n_classes, ==, 2);
  g_assert_cmpstr (data->class_names[0], ==, "x");
  g_assert_cmpstr (data->class_names[1], ==, "y");
}

/* A row that has a gap anywhere is left out, or filled in, also where a text follows the gap; one without a
 * class is, whatever else it lacks; and both are counted of all rows. */
static void
test_gaps (void)
{
  static const char table[]
    = "a,colour,b,class\n1,red,2,x\n,blue,4,y\n3,red,3,\n,,,\n5,,6,x\n7,blue,,y\n8,red,9,y\n"
      "3,blue,1,x\n";
  static const char one[] = "a,colour,b,class\n1,red,2,x\n,blue,4,y\n3,red,3,\n8,red,9,y\n3,blue,1,x\n";
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  g_autoptr (LsData) whole = accept_text (&dir, table, "test-share=0.01"),
                     filled = accept_text (&dir, table, "missing=mean test-share=0.01"),
                     single = accept_text (&dir, one, "test-share=0.01"),
                     single_filled = accept_text (&dir, one, "missing=mean test-share=0.01");

  g_assert_cmpint (whole->train.n + whole->test.n, ==, 3);
  assert_note (whole, "2 of 8 rows are left out: they have no class.");
  assert_note (whole,
               "3 of 8 rows are left out: they have gaps (--missing=mean fills in the column’s mean).");
  g_assert_cmpint (filled->train.n + filled->test.n, ==, 6);
  assert_note (filled, "2 of 8 rows are left out: they have no class.");
  assert_note (filled, "3 of 8 rows have gaps, where the column’s mean is filled in.");
  g_assert_cmpint (single->train.n + single->test.n, ==, 3);
  assert_note (single, "1 of 5 rows is left out: it has no class.");
  assert_note (single, "1 of 5 rows is left out: it has gaps (--missing=mean fills in the column’s mean).");
  g_assert_cmpint (single_filled->train.n + single_filled->test.n, ==, 4);
  assert_note (single_filled, "1 of 5 rows has gaps, where the column’s mean is filled in.");
}

/* The first rows tell what parts columns, not the first one alone; where no two are alike it does. */
static void
test_which_separator (void)
{
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  g_autoptr (LsData) commas = accept_text (&dir, "width; mm,kind\n1,x\n2,y\n3,x\n", NULL);
  g_assert_cmpint (commas->train.sample_size, ==, 1);
  g_autoptr (LsData) decimal = accept_text (&dir, "1,5;2,5;x\n2,5;3,5;y\n3,5;2,5;x\n", NULL);
  g_assert_cmpint (decimal->train.sample_size, ==, 2);
  /* lists in a cell part no columns, whether they grow or shrink from row to row */
  static const char *const lists[] = { "list,kind\np,x\np;q,y\np;q,x\np;q;r,y\np;q;r,x\n",
                                       "p;q;r,x\np;q;r,y\np;q,x\np;q,y\n" };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (LsData) data = accept_text (&dir, lists[i], NULL);
      if (data->n_classes != 2 || strcmp (data->class_names[0], "x") != 0)
        g_error ("of a table with lists in its cells, %s, there are %d classes, the first “%s”",
                 i == 0 ? "which grow" : "which shrink", data->n_classes, data->class_names[0]);
    }
  refuse_text (&dir, "a;b;c,d\n1;2\n3;4;5;6\n", 20, NULL, LS_ERROR_DATA,
               "line 2 has 2 fields, and 3 are expected");
  refuse_text (&dir, "a,b,c;d\n1\n3,4;5,6\n", 18, NULL, LS_ERROR_DATA,
               "line 2 has 1 field, and 3 are expected");
  /* where commas make as many of the first row, they are decimal ones */
  refuse_text (&dir, "1;2,5\n3;4;5\n6\n", 14, NULL, LS_ERROR_DATA, "line 2 has 3 fields, and 2 are expected");
}

/* When the first row is one of names: how many rows are left as samples. */
static void
test_header (void)
{
  static const struct {
    const char *what, *text;
    guint samples;
  } rows[] = {
    { "numbers stand under a name", "a,kind\n1,kind\n2,x\n3,kind\n4,x\n", 4 },
    { "no text of it is there again", "a,kind\np,x\nq,y\np,x\nq,y\n", 4 },
    { "a text of it is there again", "p,x\nq,y\np,x\nq,y\n", 4 },
    { "it holds a number", "1,x\n2,y\n3,x\n4,y\n", 4 },
    { "it holds a number whose decimal sign isn't what the separator lets expect",
      "1.25;x\n2.5;y\n3.75;x\n4.5;y\n", 4 },
    { "it holds a number with a decimal comma", "1,25;x\n2,5;y\n3,75;x\n4,5;y\n", 4 },
    { "names stand above numbers with a decimal point", "a;kind\n2.5;y\n3.75;x\n4.5;y\n", 3 },
    { "it holds a number without end", "p,inf\nq,y\np,y\nq,inf\n", 4 },
    { "it has a gap among its names", ",a,kind\n1,2,x\n2,3,y\n3,4,x\n", 3 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (TempDir) dir = { 0 };
      temp_dir_init (&dir);
      g_autoptr (LsData) data = accept_text (&dir, rows[i].text, NULL);
      if (data->train.n + data->test.n != rows[i].samples)
        g_error ("where %s there are %d samples, and should be %u", rows[i].what,
                 (int) (data->train.n + data->test.n), rows[i].samples);
    }
}

/* --label takes a column's name or its number; what is none is told the names, as far as they fit. */
static void
test_label (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) wide = g_string_new (NULL);
  static const char text[] = "u,v,kind\n10,a,p\n20,b,q\n30,a,r\n40,b,p\n",
                    plain[] = "10,1,p\n20,2,q\n30,1,p\n40,2,q\n";

  temp_dir_init (&dir);
  g_autoptr (LsData) named = accept_text (&dir, text, "label=v"), last = accept_text (&dir, text, "label=3"),
                     second = accept_text (&dir, plain, "label=2");
  g_assert_cmpstr (named->class_names[0], ==, "a");
  g_assert_cmpint (last->n_classes, ==, 3);
  g_assert_cmpstr (second->class_names[0], ==, "1");
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (wide, "column-%02u,", i);
  g_string_append (wide, "kind\n");
  for (guint row = 0; row < 3; row++)
    {
      for (guint i = 0; i < 100; i++)
        g_string_append_printf (wide, "%u,", row);
      g_string_append (wide, row == 1 ? "x\n" : "y\n");
    }
  /* 200 bytes of names or as many more as the last one has: 19 of them, each with a comma and a space */
  refuse_text (&dir, wide->str, wide->len, "label=nosuch", LS_ERROR_USAGE,
               "no column “nosuch” for --label; its columns are column-00, column-01, ");
  refuse_text (&dir, wide->str, wide->len, "label=nosuch", LS_ERROR_USAGE, "column-17, column-18….");
}

/* A text lost among numbers is a mistake; where there are as many texts as numbers they are all texts. */
static void
test_mixed (void)
{
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  g_autoptr (LsData) data = accept_text (&dir, "a,kind\n1,x\np,y\n2,x\nq,y\n", NULL);
  g_assert_cmpint (data->train.sample_size, ==, 4);
  refuse_text (&dir, "a,kind\n1,x\np,y\n2,x\n", 19, NULL, LS_ERROR_DATA, "is no number, and 2 others");
}

/* 256 different texts are as many columns of 0 and 1; a column with one more is left out. */
static void
test_most_texts (void)
{
  for (guint n = 256; n <= 257; n++)
    {
      g_auto (TempDir) dir = { 0 };
      g_autoptr (GString) text = g_string_new ("v,t,kind\n");

      temp_dir_init (&dir);
      for (guint i = 0; i < 2 * n; i++)
        g_string_append_printf (text, "%u,t%u,%s\n", i, i % n, i % 2 == 0 ? "x" : "y");
      g_autoptr (LsData) data = accept_text (&dir, text->str, NULL);
      g_assert_cmpint (data->train.sample_size, ==, n == 256 ? 257 : 1);
      assert_note (data, n == 256
                           ? "Column “t” has 256 different texts and becomes as many columns of 0 and 1."
                           : "Column “t” is left out: it has more than 256 different texts.");
    }
}

/* Of a share too small for any class the one with the most samples keeps one, and no other. */
static void
test_least_share (void)
{
  static const char *const tables[] = { "1,x\n2,y\n3,y\n4,y\n5,y\n6,z\n7,z\n", "1,z\n2,y\n3,x\n4,z\n5,z\n",
                                        "1,x\n2,x\n3,x\n4,y\n5,z\n" };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_auto (TempDir) dir = { 0 };
      temp_dir_init (&dir);
      g_autoptr (LsData) data = accept_text (&dir, tables[i], "test-share=0.001");
      g_assert_cmpint (data->test.n, ==, 1);
      g_assert_cmpstr (data->class_names[data->test.labels[0]], ==, i == 0 ? "y" : i == 1 ? "z" : "x");
    }
}

/* Columns of 0 and 1 are that in both parts, while numbers are brought to one scale. */
static void
test_zero_and_one (void)
{
  g_autoptr (GString) text = g_string_new ("t,class\n");
  g_auto (TempDir) dir = { 0 };
  temp_dir_init (&dir);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%s,%c\n", i % 4 < 2 ? "p" : "q", i % 2 == 0 ? 'a' : 'b');
  g_autoptr (LsData) data = accept_text (&dir, text->str, "test-share=0.5");
  const LsDataset *const sets[] = { &data->train, &data->test };

  for (guint s = 0; s < 2; s++)
    for (gint64 i = 0; i < sets[s]->n * 2; i++)
      {
        const float value = ((const float *) sets[s]->samples)[i];
        if (value != 0 && value != 1)
          g_error ("a text’s column of 0 and 1 has %g in the samples to %s with", (double) value,
                   s == 0 ? "train" : "test");
      }
}

/* One text in all rows is a column of its own, in words that are of one. */
static void
test_one_text (void)
{
  g_auto (TempDir) dir = { 0 };
  temp_dir_init (&dir);
  g_autoptr (LsData) data = accept_text (&dir, "v,t,class\n1,p,a\n2,p,b\n3,p,a\n4,p,b\n", NULL);

  assert_note (data, "Column “t” has 1 text and becomes a column of 0 and 1.");
  g_assert_cmpint (data->train.sample_size, ==, 2);
}

/* Where no two rows are of one class, the classes tell nothing, also where a row has none. */
static void
test_own_classes (void)
{
  g_auto (TempDir) dir = { 0 };
  temp_dir_init (&dir);
  refuse_text (&dir, "1,x\n2,y\n3,z\n4,\n", 15, NULL, LS_ERROR_DATA, "every row is a class of its own");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv-cells/kinds", test_kinds);
  g_test_add_func ("/csv-cells/long-numbers", test_long_numbers);
  g_test_add_func ("/csv-cells/lines", test_lines);
  g_test_add_func ("/csv-cells/nul", test_nul);
  g_test_add_func ("/csv-cells/separators", test_separators);
  g_test_add_func ("/csv-cells/blanks", test_blanks);
  g_test_add_func ("/csv-cells/gaps", test_gaps);
  g_test_add_func ("/csv-cells/which-separator", test_which_separator);
  g_test_add_func ("/csv-cells/header", test_header);
  g_test_add_func ("/csv-cells/label", test_label);
  g_test_add_func ("/csv-cells/mixed", test_mixed);
  g_test_add_func ("/csv-cells/most-texts", test_most_texts);
  g_test_add_func ("/csv-cells/least-share", test_least_share);
  g_test_add_func ("/csv-cells/one-text", test_one_text);
  g_test_add_func ("/csv-cells/own-classes", test_own_classes);
  g_test_add_func ("/csv-cells/zero-and-one", test_zero_and_one);
  return g_test_run ();
}
