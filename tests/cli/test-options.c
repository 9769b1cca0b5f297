/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option table: every row's default, what each kind of value takes and refuses, copies that don't share.
 */
#include <locale.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"

static void
test_rows (void)
{
  guint n;
  const LsOption *rows = ls_options_table (&n);
  g_autoptr (LsOptions) options = ls_options_new ();

  g_assert_cmpuint (n, >=, 20);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = ls_options_get (options, &rows[i]);

      g_assert_cmpstr (text, ==, rows[i].default_text);
      g_assert_true (ls_options_find (rows[i].name) == &rows[i]);
      g_assert_nonnull (rows[i].help);
      g_assert_nonnull (rows[i].arg);
      g_assert_cmpuint (rows[i].group, !=, 0);
      g_assert_true (rows[i].type != LS_OPTION_CHOICE || rows[i].choices != NULL);
      for (guint j = 0; j < i; j++)
        {
          g_assert_cmpstr (rows[i].name, !=, rows[j].name);
          g_assert_cmpuint (rows[i].offset, !=, rows[j].offset);
        }
    }
  g_assert_null (ls_options_find ("frobnicate"));
}

static void
assert_set (LsOptions *options, const char *name, const char *text, gboolean good)
{
  g_autoptr (GError) error = NULL;
  const LsOption *row = ls_options_find (name);
  g_autofree char *before = ls_options_get (options, row), *after = NULL;
  gboolean set = ls_options_set (options, row, text, &error);

  after = ls_options_get (options, row);
  g_assert_cmpint (set, ==, good);
  if (good)
    {
      g_assert_no_error (error);
      g_assert_true (ls_options_set (options, row, after, NULL));
      return;
    }
  g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, name));
  g_assert_cmpstr (before, ==, after);
}

static void
test_numbers (void)
{
  static const char *const bad_ints[] = { "", " 1", "1 ", "1.0", "1e3", "0x10", "٣", "-1", "65537", "99999999999999999999", "one" };
  static const char *const bad_doubles[] = { "",     " 1",  "1 ",  "nan", "inf",   "-inf", "infinity", "0x1p3",
                                             "0,5", "1e999", "--1", ".",   "1.2.3", "-1",   "e",        "1e" };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (bad_ints); i++)
    assert_set (options, "batch", bad_ints[i], FALSE);
  assert_set (options, "batch", "0", FALSE);
  assert_set (options, "batch", "1", TRUE);
  assert_set (options, "batch", "65536", TRUE);
  g_assert_cmpint (options->batch, ==, 65536);
  assert_set (options, "seed", "9007199254740992", TRUE);
  g_assert_cmpint (options->seed, ==, G_GINT64_CONSTANT (9007199254740992));

  for (gsize i = 0; i < G_N_ELEMENTS (bad_doubles); i++)
    assert_set (options, "lr", bad_doubles[i], FALSE);
  assert_set (options, "lr", "1e-3", TRUE);
  g_assert_true (options->lr == 0.001);
  assert_set (options, "lr", ".5", TRUE);
  assert_set (options, "lr", "0.1", TRUE);
  assert_set (options, "momentum", "1.0001", FALSE);
}

/* Text that is read back is the same number, bit for bit. */
static void
test_round_trip (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsOption *lr = ls_options_find ("lr");

  for (guint i = 0; i < 1000; i++)
    {
      double value = g_test_rand_double_range (0, 1e6);
      g_autofree char *text = NULL;

      options->lr = value;
      text = ls_options_get (options, lr);
      g_assert_true (ls_options_set (options, lr, text, NULL));
      g_assert_true (options->lr == value);
    }
}

static void
test_choices (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;

  assert_set (options, "policy", "round-robin", TRUE);
  g_assert_cmpint (options->policy, ==, LS_POLICY_ROUND_ROBIN);
  assert_set (options, "policy", "STEAL", FALSE);
  assert_set (options, "fusion", "off", TRUE);
  g_assert_false (options->fusion);
  assert_set (options, "kernel", "tiled", TRUE);
  g_assert_cmpstr (options->kernel, ==, "tiled");
  assert_set (options, "kernel", "", FALSE);
  assert_set (options, "model", "\xff", FALSE);
  g_assert_false (ls_options_set (options, ls_options_find ("turns"), "never", &error));
  g_assert_nonnull (strstr (error->message, "auto, turns, race"));
}

static void
test_copy (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsOptions) copy = NULL;

  assert_set (options, "model", "cnn", TRUE);
  copy = ls_options_copy (options);
  assert_set (options, "model", "mlp", TRUE);
  g_assert_cmpstr (copy->model, ==, "cnn");
  g_assert_true (copy->data != options->data);
  /* The field's own text is a value like any other. */
  g_assert_true (ls_options_set (copy, ls_options_find ("model"), copy->model, NULL));
  g_assert_cmpstr (copy->model, ==, "cnn");
  ls_options_free (NULL);
}

static void
test_locale (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autofree char *text = NULL;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("no German locale here");
      return;
    }
  assert_set (options, "lr", "0.25", TRUE);
  assert_set (options, "lr", "0,25", FALSE);
  text = ls_options_get (options, ls_options_find ("lr"));
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (text, ==, "0.25");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/options/rows", test_rows);
  g_test_add_func ("/options/numbers", test_numbers);
  g_test_add_func ("/options/round-trip", test_round_trip);
  g_test_add_func ("/options/choices", test_choices);
  g_test_add_func ("/options/copy", test_copy);
  g_test_add_func ("/options/locale", test_locale);
  return g_test_run ();
}
