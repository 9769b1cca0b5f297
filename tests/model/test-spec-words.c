/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words that take something of their own: a sequence's, a share. What all words have in common: test-spec.
 */
#include "core/error.h"
#include "model/spec.h"

static void
assert_wrong (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);

  g_assert_null (model);
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_sequences (void)
{
#define SEQUENCE "expected “last”, “all”, “rows”, “columns” or a comma after lstm, but found "
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) m = ls_model_parse ("lstm 8 all,lstm 7 columns all, lstm 6 rows last,lstm 5", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (m->text, ==, "lstm 8 all, lstm 7 all columns, lstm 6, lstm 5");
  g_assert_true (m->layers[0].all && !m->layers[0].by_columns);
  g_assert_true (m->layers[1].all && m->layers[1].by_columns);
  g_assert_false (m->layers[2].all || m->layers[2].by_columns);
  g_assert_cmpint (m->layers[3].n, ==, 5);
  assert_wrong (
    "lstm, relu",
    "layer 1, column 5: expected the number of units, a whole number from 1 to 65536, but found “,”");
  assert_wrong ("lstm all",
                "layer 1, column 6: expected the number of units, a whole number from 1 to 65536, but "
                "found “all”");
  assert_wrong ("lstm 8 first", "layer 1, column 8: " SEQUENCE "“first”");
  assert_wrong ("lstm 8 9", "layer 1, column 8: " SEQUENCE "“9”");
  assert_wrong ("lstm 8 (relu)", "layer 1, column 8: " SEQUENCE "“(”");
  assert_wrong ("lstm 8 all last", "layer 1, column 12: “last” is given twice; leave one out");
  assert_wrong ("lstm 8 columns all columns", "layer 1, column 20: “columns” is given twice; leave one out");
#undef SEQUENCE
}

/* Shares: text to millionths and back, whatever the locale's decimal sign; 1, and what is no such number, is
 * refused. */
static void
test_shares (void)
{
  static const struct {
    const char *text, *again;
    gint share;
  } rows[] = {
    { "dropout 0.5", "dropout 0.5", 500000 },
    { "dropout 0", "dropout 0", 0 },
    { "dropout 0.0", "dropout 0", 0 },
    { "dropout .25", "dropout 0.25", 250000 },
    { "dropout 00.10", "dropout 0.1", 100000 },
    { "dropout 0.000001", "dropout 0.000001", 1 },
    { "dropout 0.999999", "dropout 0.999999", 999999 },
  };
  static const char *const wrong[]
    = { "1", "1.0",       "0.5x", "-0.5", "+0.5", "5e-1", "0.",
        ".", "0.1234567", "nan",  "2",    "50%",  "0x0",  "00000000000000000000000000000001" };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsModel) m = ls_model_parse (rows[i].text, &error);
      g_assert_no_error (error);
      g_assert_cmpint (m->layers[0].share, ==, rows[i].share);
      g_assert_cmpstr (m->text, ==, rows[i].again);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strdup_printf ("relu, dropout %s, tanh", wrong[i]), *found = NULL;
      g_autoptr (GError) error = NULL;
      g_assert_null (ls_model_parse (text, &error));
      found = g_strdup_printf (
        "layer 2, column 15: expected the share that is left out, a number from 0 to 0.999999 such as "
        "0.5, but found “%s”",
        wrong[i]);
      g_assert_cmpstr (error->message, ==, found);
    }
  assert_wrong ("dropout",
                "layer 1, column 8: expected the share that is left out, a number from 0 to 0.999999 such as "
                "0.5, but found the end");
  assert_wrong ("dropout 0.5 0.5", "layer 1, column 13: expected a comma after dropout, but found “0.5”");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spec/sequences", test_sequences);
  g_test_add_func ("/spec/shares", test_shares);
  return g_test_run ();
}
