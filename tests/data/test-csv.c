/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables in text: separators, quotes, headers, decimal commas, gaps, texts, scale, split; hostile ones.
 */
#include <math.h>

#include "data/prepare.h"
#include "loader_rig.h"

static LsData *
accept_text (const TempDir *dir, const char *text, const char *options)
{
  g_autofree char *path = temp_path (dir, "table.csv");

  put_file (path, text, strlen (text));
  return accept_as (path, options);
}

/* The same six samples, written in many ways: two measures, two classes. */
#define ROWS(a, point)                                                                                       \
  "1" point "5" a "10" a "x\n2" point "5" a "20" a "y\n3" point "5" a "10" a "x\n4" point "5" a "40" a "y\n" \
  "5" point "5" a "50" a "x\n6" point "5" a "60" a "y\n"

static void
test_ways (void)
{
  static const char *const ways[] = {
    "a,b,class\n" ROWS (",", "."),
    ROWS (",", "."),
    "a;b;class\n" ROWS (";", "."),
    "a;b;class\n" ROWS (";", ","),
    "a\tb\tclass\n" ROWS ("\t", ","),
    "a|b|class\n" ROWS ("|", "."),
    "\xef\xbb\xbf"
    "a,b,class\n" ROWS (",", "."),
    "a , b, class \n\n" ROWS (" , ", ".") "\n\n",
    ("\"a\",\"b\",\"class\"\r\n1.5,10,\"x\"\r\n2.5,20,\"y\"\r\n3.5,10,x\r\n4.5,\"40\",y\r\n5.5,50,x\r\n6.5,"
     "60,"
     "y"),
    "a,b,class\r1.5,10,x\r2.5,20,y\r3.5,10,x\r4.5,40,y\r5.5,5e1,x\r+6.5,60.0,y\r",
    "sep=;\r\na;b;class\r\n" ROWS (";", ","),
    "\xef\xbb\xbfSEP=,\na,b,class\n" ROWS (",", "."),
    "sep=|\n" ROWS ("|", ","),
    "b,class,a\n10,x,1.5\n20,y,2.5\n10,x,3.5\n40,y,4.5\n50,x,5.5\n60,y,6.5\n",
    "b,class,a\n10,x,1.5\n20,y,2.5\n10,x,3.5\n40,y,4.5\n50,x,5.5\n60,y,6.5\n",
  };
  const gsize n_ways = G_N_ELEMENTS (ways); /* the last two have another column of classes */
  g_auto (TempDir) dir = { 0 };
  g_autoptr (LsData) first = NULL;

  temp_dir_init (&dir);
  for (gsize i = 0; i < n_ways; i++)
    {
      const char *options = i == n_ways - 2 ? "label=class" : i == n_ways - 1 ? "label=2" : NULL;
      g_autoptr (LsData) data = accept_text (&dir, ways[i], options);
      const float *x = data->train.samples, *y;

      g_assert_cmpint (data->n_classes, ==, 2);
      g_assert_cmpstr (data->class_names[0], ==, "x");
      g_assert_cmpstr (data->class_names[1], ==, "y");
      g_assert_true (data->split);
      g_assert_cmpint (data->train.n, ==, 5);
      g_assert_cmpint (data->test.n, ==, 1);
      g_assert_cmpint (data->train.sample_size, ==, 2);
      if (first == NULL)
        first = ls_data_ref (data);
      y = first->train.samples;
      for (gint64 s = 0; s < data->train.n; s++)
        for (guint c = 0; c < 2; c++)
          g_assert_cmpfloat_with_epsilon (x[2 * s + c], y[2 * s + (i >= n_ways - 2 ? 1 - c : c)], 1e-6);
      g_assert_cmpmem (data->train.labels, 20, first->train.labels, 20);
    }
}

/* Points between thousands where commas stand before fractions, and the other way round; what may be either
 * is as the column's other numbers, else has a fraction. */
static void
test_thousands (void)
{
  static const struct {
    const char *separator, *numbers[4];
    double values[4];
  } rows[] = {
    { ";", { "1.000,5", "2.000,5", "4.000,5", "-1.000" }, { 1000.5, 2000.5, 4000.5, -1000 } },
    { ";", { "1.000", "2.000", "1.234.567", "1,5" }, { 1000, 2000, 1234567, 1.5 } },
    { ";", { "1,000.5", "2,000.5", "4,000", "7" }, { 1000.5, 2000.5, 4000, 7 } },
    { ";", { "1.500", "2.500", "1001.500", "7" }, { 1.5, 2.5, 1001.5, 7 } },
    { ";", { "1,500", "2,500", "11,500", "7" }, { 1.5, 2.5, 11.5, 7 } },
    { ";", { "0,500", "2,500", "1.234", "7" }, { .5, 2.5, 1234, 7 } },
    { "\t", { "12.000,25", "13.000,25", "+1.012.000,25", "1,25" }, { 12000.25, 13000.25, 1012000.25, 1.25 } },
    { ",", { "\"1,000\"", "\"2,000\"", "\"11,000.0\"", "5" }, { 1000, 2000, 11000, 5 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const double *v = rows[i].values;
      g_auto (TempDir) dir = { 0 };
      g_autoptr (GString) text = g_string_new (NULL);
      double x[4];

      temp_dir_init (&dir);
      for (guint r = 0; r < 12; r++)
        g_string_append_printf (text, "%s%sclass %u\n", rows[i].numbers[r % 4], rows[i].separator, r % 4);
      g_autoptr (LsData) data = accept_text (&dir, text->str, NULL);
      g_assert_cmpint (data->train.sample_size, ==, 1);
      g_assert_cmpint (data->n_classes, ==, 4);
      for (gint64 s = 0; s < data->train.n; s++)
        x[data->train.labels[s]] = (double) ((const float *) data->train.samples)[s];
      for (guint k = 2; k < 4; k++)
        g_assert_cmpfloat_with_epsilon ((x[k] - x[0]) / (x[1] - x[0]) / ((v[k] - v[0]) / (v[1] - v[0])), 1,
                                        1e-4);
    }
}

/* The header's name with a number alone is one, where there is a header; gzip; quotes in a class; sorting of
 * classes that are numbers. */
static void
test_names (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  const char *text = "v,class\n1,\"10\"\n2,9\n3,10\n4,9\n5,\"say \"\"hi\"\"\n\"\n6,10\n";

  temp_dir_init (&dir);
  g_autoptr (LsData) words = accept_text (&dir, text, NULL);
  g_assert_cmpint (words->n_classes, ==, 3);
  g_assert_cmpstr (words->class_names[0], ==, "10"); /* as texts, since one is */
  g_assert_cmpstr (words->class_names[2], ==, "say \"hi\"\xef\xbf\xbd");

  path = temp_path (&dir, "packed");
  text = "v,class\n1,10\n2,9\n3,10\n4,9\n5,10\n6,10\n";
  append_gzip (packed, text, strlen (text));
  put_file (path, packed->data, packed->len);
  g_autoptr (LsData) numbers = accept_as (path, NULL);
  g_assert_cmpstr (numbers->class_names[0], ==, "9");
  g_assert_cmpstr (numbers->class_names[1], ==, "10");
}

static double
column_mean (const LsDataset *set, gint64 at, double *deviation)
{
  const float *x = set->samples;
  double sum = 0, squares = 0;

  for (gint64 i = 0; i < set->n; i++)
    {
      const double value = (double) x[i * set->sample_size + at];
      sum += value;
      squares += value * value;
    }
  sum /= (double) set->n;
  *deviation = sqrt (squares / (double) set->n - sum * sum);
  return sum;
}

/* However large the share, a class's only sample is one to train with. */
static void
test_rare (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) text = g_string_new ("a,b,class\n1,2,one\n2,1,two\n");
  gint64 counts[3];

  temp_dir_init (&dir);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%u,%u,many\n", i, 2 * i % 7);
  g_autoptr (LsData) data = accept_text (&dir, text->str, "test-share=0.6");
  ls_data_count_classes (&data->train, 3, counts);
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    g_assert_cmpint (counts[c], >=, 1);
  g_assert_cmpint (data->test.n, >, 0);
}

/* Numbers have mean 0 and deviation 1 over the training part, also such as differ by a billionth of
 * themselves; texts are 0 and 1; gaps are left out, or get the mean. */
static void
test_scale (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) text = g_string_new ("date,colour,same,class\n");
  float low[2] = { INFINITY, INFINITY };
  double deviation;

  temp_dir_init (&dir);
  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "%u,%s,7,%u\n", 1700000000 + i % 7,
                            i % 10 == 3  ? ""
                            : i % 3 == 0 ? "red"
                            : i % 3 == 1 ? "green"
                                         : "NaN ,",
                            i % 2);
  g_string_replace (text, "NaN ,", "blue", 0);
  g_autoptr (LsData) dropped = accept_text (&dir, text->str, NULL),
                     filled = accept_text (&dir, text->str, "missing=mean test-share=0.25");
  g_assert_cmpint (dropped->train.n + dropped->test.n, ==, 180);
  g_assert_cmpint (dropped->test.n, ==, 18);
  g_assert_cmpint (filled->test.n, ==, 50);
  g_assert_cmpint (filled->train.n, ==, 150);
  g_assert_cmpint (filled->train.sample_size, ==, 5); /* date, blue, green, red, same */
  assert_note (dropped, "20 of 200 rows are left out: they have gaps");
  assert_note (filled, "20 of 200 rows have gaps, where the column’s mean is filled in.");
  assert_note (filled, "Column “colour” has 3 different texts");
  assert_note (filled, "Column “same” is the same in all rows");
  g_assert_cmpfloat_with_epsilon (column_mean (&filled->train, 0, &deviation), 0, 1e-5);
  g_assert_cmpfloat_with_epsilon (deviation, 1, 1e-5);
  /* the first date is the same number in the part to test with, whose own mean is another */
  for (gint64 i = 0; i < 200; i++)
    {
      const LsDataset *set = i < 150 ? &filled->train : &filled->test;
      low[i >= 150] = fminf (low[i >= 150], ((const float *) set->samples)[5 * (i % 150)]);
    }
  g_assert_cmpfloat (low[0], ==, low[1]);
  for (gint64 i = 0; i < filled->train.n; i++)
    {
      const float *x = (const float *) filled->train.samples + 5 * i;

      g_assert_cmpfloat_with_epsilon (x[1] + x[2] + x[3], 1, 1e-5);
      g_assert_true (x[1] >= 0 && x[2] >= 0 && x[3] >= 0 && x[4] == 0);
    }
}

/* The same seed takes the same samples, another one others; each class gives its share. */
static void
test_split (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 counts[3];

  temp_dir_init (&dir);
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%u,%s\n", i * i % 977, i % 10 == 0 ? "rare" : i % 2 == 0 ? "even" : "odd");
  g_autoptr (LsData) a = accept_text (&dir, text->str, NULL), again = accept_text (&dir, text->str, "seed=1"),
                     other = accept_text (&dir, text->str, "seed=2");
  g_assert_cmpint (a->test.n, ==, 100);
  ls_data_count_classes (&a->test, 3, counts); /* even, odd, rare */
  g_assert_cmpint (counts[0], ==, 40);
  g_assert_cmpint (counts[1], ==, 50);
  g_assert_cmpint (counts[2], ==, 10);
  g_assert_cmpmem (a->test.samples, 400, again->test.samples, 400);
  g_assert_cmpint (memcmp (a->test.samples, other->test.samples, 400), !=, 0);
}

static void
test_left_out (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GString) text = g_string_new (",id,void,v,class\n");

  temp_dir_init (&dir);
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "%u,name-%u,,%u,%s\n", i, i, i % 5, i == 17 ? "?" : i % 2 == 0 ? "a" : "b");
  g_autoptr (LsData) data = accept_text (&dir, text->str, NULL);
  assert_note (data, "Column 1 is left out: it has no name.");
  assert_note (data, "Column “id” is left out: it has more than 256 different texts.");
  assert_note (data, "Column “void” is left out: it is empty.");
  assert_note (data, "1 of 300 rows is left out: it has no class.");
  g_assert_cmpint (data->train.n + data->test.n, ==, 299);
  g_assert_cmpint (data->train.sample_size, ==, 1);
}

/* Rows without a class are counted against all rows, also where they come last; their texts make no columns,
 * wherever the class stands. "inf" among texts is a text. */
static void
test_unlabelled_last (void)
{
  static const char *const texts[]
    = { "v,t,class\n1,p,a\n2,inf,b\n3,p,a\n4,inf,b\n5,other,?\n6,other,\n7,other,\n",
        "class,v,t\na,1,p\nb,2,inf\na,3,p\nb,4,inf\n?,5,other\n,6,other\n,7,other\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (TempDir) dir = { 0 };
      temp_dir_init (&dir);
      g_autoptr (LsData) data = accept_text (&dir, texts[i], i == 0 ? NULL : "label=class");
      assert_note (data, "3 of 7 rows are left out: they have no class.");
      assert_note (data, "Column “t” has 2 different texts and becomes as many columns of 0 and 1.");
      g_assert_cmpint (data->train.n + data->test.n, ==, 4);
      g_assert_cmpint (data->train.sample_size, ==, 3);
    }
}

/* ---- what is refused ---- */

#define TEXT(t) t, sizeof (t) - 1
static const struct {
  const char *text;
  gsize n;
  const char *options;
  gint code;
  const char *words;
} hostile[] = {
  { TEXT (""), NULL, LS_ERROR_DATA, "“table.csv” is empty." },
  { TEXT ("\n\r\n  \n"), NULL, LS_ERROR_DATA, "is empty" },
  { TEXT ("\xef\xbb\xbf"), NULL, LS_ERROR_DATA, "is empty" },
  { TEXT ("a,b,class\n"), NULL, LS_ERROR_DATA, NULL },
  { TEXT ("just words\nand more\n"), NULL, LS_ERROR_DATA, "has one column only" },
  { TEXT ("1,2,x\n3,4\n5,6,y\n"), NULL, LS_ERROR_DATA, "line 2 has 2 fields, and 3 are expected" },
  { TEXT ("1,2,x\n3,4,y\n\n5,6,7,y\n"), NULL, LS_ERROR_DATA, "line 4 has 4 fields, and 3 are expected" },
  { TEXT ("1,2,x\n3,\"4,y\n5,6,y\n"), NULL, LS_ERROR_DATA,
    "line 2: a quoted field begins here and never ends" },
  { TEXT ("1,2,x\n3,\"4\"5,y\n"), NULL, LS_ERROR_DATA,
    "line 2: a quoted field goes on after its closing quote" },
  { TEXT ("1,2,x\n3,4,\xff\xfe\n"), NULL, LS_ERROR_DATA, "line 2: this is no UTF-8 text" },
  { TEXT ("1,2,x\n3,4,\xc3"), NULL, LS_ERROR_DATA, "line 2: this is no UTF-8 text" },
  { TEXT ("1,2,x\n3,4,\xed\xa0\x80\n"), NULL, LS_ERROR_DATA, "line 2: this is no UTF-8 text" },
  { TEXT ("\xff\xfe"
          "a\0,\0b\0\n\0"),
    NULL, LS_ERROR_DATA, "is UTF-16 text; save the table as UTF-8" },
  { TEXT ("\xfe\xff"
          "\0a\0,\0b\0\n"),
    NULL, LS_ERROR_DATA, "is UTF-16 text" },
  { TEXT ("1,2,x\n3,\0,y\n"), NULL, LS_ERROR_DATA, "no data that is known" },
  { TEXT ("1,2,x\n3,4,x\n5,6,x\n"), NULL, LS_ERROR_DATA, "knows one class only, “x”" },
  { TEXT ("1,x\n2,y\n"), NULL, LS_ERROR_DATA, "one sample of each class only" },
  { TEXT ("1,x\n2,y\n3,z\n"), NULL, LS_ERROR_DATA, "every row is a class of its own" },
  { TEXT ("a,price\n1,3\n2,4.5\n3,4\n"), NULL, LS_ERROR_DATA,
    "line 3: column “price” holds a number with a fraction" },
  { TEXT ("1,inf,x\n1,2,y\n2,2,x\n2,3,y\n"), NULL, LS_ERROR_DATA, "line 1" },
  { TEXT ("a,b,class\n1,2,x\n1,inf,y\n2,2,x\n"), NULL, LS_ERROR_DATA,
    "line 3: the number in column “b” is not finite" },
  { TEXT ("a,b,class\n1,2,x\n1,1e999,y\n2,2,x\n"), NULL, LS_ERROR_DATA,
    "line 3: the number in column “b” is not finite" },
  { TEXT ("a,class\n1,x\n3e38,y\n-3e38,x\n3,y\n"), NULL, LS_ERROR_DATA,
    "line 3: the number in column “a” is too large" },
  { TEXT ("a,class\n1,x\n2,y\n3,x\nl4,y\n5,x\n6,y\n"), NULL, LS_ERROR_DATA,
    "line 5: what stands in column “a” is no number, and 5 others" },
  { TEXT ("a;class\n1,5;x\n2.5;y\n3;x\n3;y\n"), NULL, LS_ERROR_DATA,
    "line 3: column “a” has numbers with a decimal comma" },
  { TEXT ("a;class\n1.000;x\n2,000;y\n3;x\n3;y\n"), NULL, LS_ERROR_DATA,
    "line 3: column “a” has numbers with a decimal comma" },
  { TEXT ("a;class\n1.000,5;x\n2,000.5;y\n3;x\n3;y\n"), NULL, LS_ERROR_DATA,
    "line 3: column “a” has numbers with a decimal comma" },
  { TEXT ("sep=;\na;class\n1;x\n2;y;3\n"), NULL, LS_ERROR_DATA, "line 4 has 3 fields, and 2 are expected" },
  { TEXT ("sep=;"), NULL, LS_ERROR_DATA, "is empty" },
  { TEXT ("a;class\n1,00,5;x\n2;y\n3;x\n3;y\n"), NULL, LS_ERROR_DATA,
    "line 2: what stands in column “a” is no number" },
  { TEXT ("a,class\n,x\n?,y\nNA,x\n"), NULL, LS_ERROR_DATA, "no column to learn from" },
  { TEXT ("a,b,class\n1,,x\n,2,y\n1,NaN,x\n"), NULL, LS_ERROR_DATA, "every row has gaps, so none is left" },
  { TEXT ("a,b,class\n1,2,\n1,2,\n"), NULL, LS_ERROR_DATA,
    "column “class” is empty, so there are no classes" },
  { TEXT ("a,b,class\n1,2,x\n3,4,y\n1,2,x\n"), "label=kind", LS_ERROR_USAGE,
    "no column “kind” for --label; its columns are a, b, class." },
  { TEXT ("a,b,class\n1,2,x\n3,4,y\n1,2,x\n"), "label=0", LS_ERROR_USAGE, "no column “0” for --label" },
  { TEXT ("a,b,class\n1,2,x\n3,4,y\n1,2,x\n"), "label=4", LS_ERROR_USAGE, "no column “4” for --label" },
  { TEXT ("\x1f\x8b\x08 cut"), NULL, LS_ERROR_DATA, "table.csv" },
  { TEXT ("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"), NULL, LS_ERROR_DATA, "line 2: this is no UTF-8 text" },
};

static void
test_hostile (void)
{
  g_auto (TempDir) dir = { 0 };

  temp_dir_init (&dir);
  for (gsize i = 0; i < G_N_ELEMENTS (hostile); i++)
    refuse_text (&dir, hostile[i].text, hostile[i].n, hostile[i].options, hostile[i].code, hostile[i].words);
}

/* Many columns of which the same is to be told: five by name, the others counted. */
static void
test_notes (void)
{
  static const char *const expected[] = {
    "Column 1 is left out: it has no name.",
    "1 more column is left out: it has no name.",
    "Column “empty4” is left out: it is empty.",
    "2000 more columns are left out: they are empty.",
    "Column “many4” is left out: it has more than 256 different texts.",
    "2 more columns are left out: they have too many different texts.",
    "Column “kind4” has 2 different texts and becomes as many columns of 0 and 1.",
    "3 more columns of texts become columns of 0 and 1.",
    "Column “same4” is the same in all rows to train with.",
    "4 more columns are the same in all rows to train with.",
  };
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GString) text = g_string_new (",,,,,");

  temp_dir_init (&dir);
  path = temp_path (&dir, "table.csv");
  for (guint i = 0; i < 2005; i++)
    g_string_append_printf (text, ",empty%u", i);
  for (guint i = 0; i < 7; i++)
    g_string_append_printf (text, ",many%u", i);
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, ",kind%u", i);
  for (guint i = 0; i < 9; i++)
    g_string_append_printf (text, ",same%u", i);
  g_string_append (text, ",class\n");
  for (guint row = 0; row < 300; row++)
    {
      g_autofree char *empty = g_strnfill (2005, ',');

      g_string_append_printf (text, "1,2,3,4,5,6%s", empty);
      for (guint i = 0; i < 7; i++)
        g_string_append_printf (text, ",v%u", row);
      for (guint i = 0; i < 8; i++)
        g_string_append (text, row % 2 == 0 ? ",a" : ",b");
      g_string_append_printf (text, ",7,7,7,7,7,7,7,7,7,%s\n", row % 3 == 0 ? "x" : "y");
    }
  put_file (path, text->str, text->len);
  g_autoptr (LsData) data = accept_as (path, NULL);
  g_assert_cmpuint (data->notes->len, ==, 5 * (5 + 1));
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_note (data, expected[i]);
  g_assert_cmpint (data->train.shape[0], ==, 2 * 8 + 9);
}

/* Cut anywhere it is a smaller table or refused, and never more. */
static void
test_cut (void)
{
  static const char text[]
    = "a;\"b\"\"c\";class\r\n1,5;red;x\r\n2,5;\"blue\";y\r\n3,5;red;x\r\n4;blue;\"y\"\r\n";
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "table.csv");
  for (gsize n = 0; n < sizeof text; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsData) data = NULL;

      put_file (path, text, n);
      data = load_as (path, NULL, &error);
      g_assert_true ((data != NULL) == (error == NULL));
      g_assert_true (data == NULL || data->train.n + data->test.n <= 4);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/csv/ways", test_ways);
  g_test_add_func ("/csv/thousands", test_thousands);
  g_test_add_func ("/csv/names", test_names);
  g_test_add_func ("/csv/rare", test_rare);
  g_test_add_func ("/csv/scale", test_scale);
  g_test_add_func ("/csv/split", test_split);
  g_test_add_func ("/csv/left-out", test_left_out);
  g_test_add_func ("/csv/unlabelled-last", test_unlabelled_last);
  g_test_add_func ("/csv/hostile", test_hostile);
  g_test_add_func ("/csv/notes", test_notes);
  g_test_add_func ("/csv/cut", test_cut);
  return g_test_run ();
}
