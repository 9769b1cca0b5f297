/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option table's functions: every row's default reads back as itself, wrong text is refused and changes
 * nothing, and only live rows are taken over by a run.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"

static void
test_round_trip (void)
{
  g_autoptr (LsOptions) options = ls_options_new (), copy = ls_options_copy (options);
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_options_get (options, &table[i]), *copied = ls_options_get (copy, &table[i]);
      g_assert_cmpstr (text, ==, table[i].default_text);
      g_assert_cmpstr (copied, ==, text);
      g_assert_true (ls_options_find (table[i].name) == &table[i]);
      g_assert_true (ls_options_set (options, &table[i], text, NULL));
    }
  g_assert_null (ls_options_find ("nosuch"));
}

/* What a run is without a word from anybody: who changes a default, changes it here, too, and thinks of
 * everybody whose runs become other ones. */
static void
test_defaults (void)
{
  static const struct {
    const char *name, *value;
  } defaults[] = {
    { "model", "mlp" },    { "data", "mnist" },        { "steps", "0" },          { "epochs", "1" },
    { "batch", "128" },    { "lr", "0.05" },           { "momentum", "0.9" },     { "optimizer", "sgd" },
    { "seed", "1" },       { "order", "shuffled" },    { "lanes", "cpu,opencl" }, { "threads", "0" },
    { "policy", "steal" }, { "tiles-per-op", "0" },    { "cpu-kernels", "blas" }, { "precision", "fp32" },
    { "fusion", "on" },    { "device", "" },           { "kernel", "auto" },      { "tile-edge", "auto" },
    { "tuned", "on" },     { "batch-from", "device" }, { "turns", "auto" },       { "check-every", "100" },
    { "pace", "full" },
  };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (defaults); i++)
    {
      g_autofree char *is = ls_options_get (options, ls_options_find (defaults[i].name));
      g_autofree char *got = g_strdup_printf ("--%s %s", defaults[i].name, is),
                      *expected = g_strdup_printf ("--%s %s", defaults[i].name, defaults[i].value);
      g_assert_cmpstr (got, ==, expected);
    }
}

static void
test_doubles_exactly (void)
{
  static const char *const texts[] = { "0.1",    "1e-05", "0.30000000000000004", "0.05",
                                       "123456", "0",     "0.12345678",          "0.12345612" };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = NULL;
      g_assert_true (ls_options_set (options, ls_options_find ("lr"), texts[i], NULL));
      text = ls_options_get (options, ls_options_find ("lr"));
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *name, *text;
  } rows[] = {
    { "batch", "0" },        { "batch", "65537" },
    { "batch", "12 " },      { "batch", " 12" },
    { "batch", "0x10" },     { "batch", "" },
    { "batch", "1e3" },      { "batch", "99999999999999999999" },
    { "lr", "nan" },         { "lr", "inf" },
    { "lr", "0,5" },         { "lr", "" },
    { "lr", "-1" },          { "lr", "0x1p3" },
    { "lr", "1e" },          { "lr", "1e999" },
    { "optimizer", "Adam" }, { "optimizer", "" },
    { "fusion", "yes" },     { "pace", "quick" },
    { "pace", "" },          { "kernel", "fast" },
    { "model", "\xff\xfe" }, { "batch", "1\n\x1b[2J" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *after = NULL;
      const LsOption *option = ls_options_find (rows[i].name);

      g_assert_false (ls_options_set (options, option, rows[i].text, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_nonnull (strstr (error->message, rows[i].name));
      g_assert_null (strpbrk (error->message, "\n\x1b")); /* nothing that a terminal obeys */
      after = ls_options_get (options, option);
      g_assert_cmpstr (after, ==, option->default_text);
    }
}

/* The least and the most of each number are taken, and nothing beyond. */
static void
test_ends (void)
{
  guint n;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    for (guint end = 0; end < 2; end++)
      {
        g_autoptr (LsOptions) options = ls_options_new ();
        const double last = end == 0 ? table[i].min : table[i].max, out = end == 0 ? -1 : 1;
        g_autofree char *text = NULL, *beyond = NULL, *kept = NULL;

        if (table[i].type == LS_OPTION_INT)
          {
            text = g_strdup_printf ("%.0f", last);
            beyond = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) last + (gint64) out);
          }
        else if (table[i].type == LS_OPTION_DOUBLE)
          {
            text = g_strdup_printf ("%.17g", last);
            beyond = g_strdup_printf ("%.17g", nextafter (last, out * (double) INFINITY));
          }
        else
          continue;
        if (!ls_options_set (options, &table[i], text, NULL))
          g_error ("--%s=%s is refused", table[i].name, text);
        kept = ls_options_get (options, &table[i]);
        if (g_ascii_strtod (kept, NULL) - last != 0)
          g_error ("--%s=%s is kept as %s", table[i].name, text, kept);
        if (ls_options_set (options, &table[i], beyond, NULL))
          g_error ("--%s=%s is taken, and should be from %g to %g", table[i].name, beyond, table[i].min,
                   table[i].max);
      }
}

static void
test_take_live (void)
{
  g_autoptr (LsOptions) running = ls_options_new (), wished = ls_options_new ();

  ls_options_set (wished, ls_options_find ("lr"), "0.25", NULL);
  ls_options_set (wished, ls_options_find ("policy"), "dynamic", NULL);
  ls_options_set (wished, ls_options_find ("kernel"), "naive", NULL);
  ls_options_set (wished, ls_options_find ("batch"), "7", NULL);
  ls_options_set (wished, ls_options_find ("model"), "cnn", NULL);
  ls_options_set (wished, ls_options_find ("optimizer"), "adam", NULL);
  ls_options_take_live (running, wished);
  g_assert_cmpfloat (running->lr, ==, 0.25);
  g_assert_cmpint (running->policy, ==, LS_POLICY_DYNAMIC);
  g_assert_cmpstr (running->kernel, ==, "naive");
  g_assert_cmpint (running->batch, ==, 128);
  g_assert_cmpstr (running->model, ==, "mlp");
  g_assert_cmpint (running->optimizer, ==, 0);
}

/* What somebody said is given, and stays as it is; what nobody said may follow. Copies know which is
 * which. */
static void
test_given (void)
{
  g_autoptr (LsOptions) options = ls_options_new (), other = ls_options_new (), copy = NULL;
  const LsOption *lr = ls_options_find ("lr"), *model = ls_options_find ("model"),
                 *batch = ls_options_find ("batch");

  g_assert_false (ls_options_is_given (options, lr));
  ls_options_suggest (options, lr, "0.5");
  g_assert_cmpfloat (options->lr, ==, .5);
  g_assert_false (ls_options_is_given (options, lr));
  g_assert_false (ls_options_set (options, lr, "fast", NULL));
  g_assert_false (ls_options_is_given (options, lr));         /* a mistake is no answer */
  g_assert_true (ls_options_set (options, lr, "0.05", NULL)); /* the default, but said */
  g_assert_true (ls_options_is_given (options, lr));
  g_assert_false (ls_options_is_given (options, model));
  ls_options_suggest (options, lr, "0.5");
  g_assert_cmpfloat (options->lr, ==, .05);

  copy = ls_options_copy (options);
  g_assert_true (ls_options_is_given (copy, lr));
  ls_options_set (options, batch, "7", NULL);
  ls_options_take_live (other, options); /* the rate is live, the batch isn't */
  g_assert_true (ls_options_is_given (other, lr));
  g_assert_false (ls_options_is_given (other, batch));
  ls_options_take_live (copy, (ls_options_free (other), other = ls_options_new ()));
  g_assert_false (ls_options_is_given (copy, lr));
}

/* What the window makes of the table: places without a gap or a double, one section after the other, labels
 * and notes, as many words as choices. */
static void
test_window_columns (void)
{
  guint n, placed = 0, sum = 0;
  const LsOption *table = ls_options_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (table[i].place > 0, ==, table[i].label != NULL);
      if (table[i].choice_words != NULL)
        g_assert_cmpuint (g_strv_length ((char **) table[i].choice_words), ==,
                          g_strv_length ((char **) table[i].choices));
      for (guint j = 0; j < n && table[i].place > 0; j++)
        {
          g_assert_true (j == i || table[i].place != table[j].place);
          g_assert_true (table[j].place == 0 || table[j].place >= table[i].place
                         || table[j].section <= table[i].section);
        }
      g_assert_cmpint (table[i].place > 0, ==, table[i].note != NULL);
      placed += table[i].place > 0;
      sum += table[i].place;
    }
  g_assert_cmpuint (sum, ==, placed * (placed + 1) / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/options/round-trip", test_round_trip);
  g_test_add_func ("/options/defaults", test_defaults);
  g_test_add_func ("/options/doubles-exactly", test_doubles_exactly);
  g_test_add_func ("/options/refused", test_refused);
  g_test_add_func ("/options/ends", test_ends);
  g_test_add_func ("/options/take-live", test_take_live);
  g_test_add_func ("/options/given", test_given);
  g_test_add_func ("/options/window-columns", test_window_columns);
  return g_test_run ();
}
