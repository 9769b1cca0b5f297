/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings from one start to the next: what was given comes back, what followed follows again, what older
 * versions kept opens as it did, and what is given at a start counts more.
 */
#include <string.h>

#include "data/defaults.h"
#include "ui/app/session/kept_options.h"

static void
choose (LsOptions *options, const char *name, const char *text)
{
  g_assert_true (ls_options_set (options, ls_options_find (name), text, NULL));
}

static LsOptions *
start (const char *kept, const char *name, const char *text)
{
  LsOptions *options = ls_options_new ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_parsed (kept));

  if (name != NULL)
    choose (options, name, text);
  ls_data_suggest (options, 0, 0);
  ls_kept_options_take (variant, options);
  return options;
}

static void
test_there_and_back (void)
{
  g_autoptr (LsOptions) before = ls_options_new (), after = ls_options_new ();
  g_autoptr (GVariant) kept = NULL;

  choose (before, "data", "spiral");
  choose (before, "batch", "64");
  choose (before, "momentum", "0.9"); /* its default, but given */
  ls_data_suggest (before, 0, 0);
  kept = g_variant_ref_sink (ls_kept_options_new (before));
  ls_kept_options_take (kept, after);
  g_assert_cmpstr (after->data, ==, "spiral");
  g_assert_cmpstr (after->model, ==, before->model);
  g_assert_cmpfloat (after->lr, ==, .05); /* half of spiral's */
  g_assert_cmpuint (after->given, ==, before->given);
}

/* Without a mark that says what was given. */
static void
test_older (void)
{
  g_autoptr (LsOptions) small = start ("{'batch': '32'}", NULL, NULL);
  g_autoptr (LsOptions) spiral = start ("{'data': 'spiral', 'model': 'flatten, dense 8, relu, dense 3'}",
                                        NULL, NULL);
  g_autoptr (LsOptions) threads = start ("{'threads': '4', 'nosuch': '7', 'policy': 'nosuch'}", NULL, NULL);
  g_autoptr (LsOptions) nothing = start ("@a{ss} {}", NULL, NULL);

  g_assert_cmpint (small->batch, ==, 32);
  g_assert_cmpfloat (small->lr, ==, .05);
  g_assert_cmpstr (spiral->model, ==, "flatten, dense 8, relu, dense 3");
  g_assert_cmpfloat (spiral->lr, ==, .05);
  g_assert_cmpint (threads->threads, ==, 4);
  g_assert_false (ls_options_is_given (threads, ls_options_find ("lr"))); /* it may follow from now on */
  g_assert_cmpint (threads->policy, ==, LS_POLICY_STEAL);
  g_assert_cmpuint (nothing->given, ==, 0);
}

/* In whatever order they are found: what was given with data that come back comes back too. */
static void
test_any_order (void)
{
  static const char *const orders[] = { "{'data': 'spiral', 'lr': '0.3', 'batch': '17', 'given': ''}",
                                        "{'batch': '17', 'lr': '0.3', 'data': 'spiral', 'given': ''}",
                                        "{'given': '', 'lr': '0.3', 'data': 'spiral', 'batch': '17'}" };

  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (LsOptions) kept = start (orders[i], NULL, NULL);

      if (kept->lr != .3 || kept->batch != 17 || strcmp (kept->data, "spiral") != 0)
        g_error ("of %s came back: %s, lr %g, batch %d", orders[i], kept->data, kept->lr, (int) kept->batch);
    }
}

static void
test_given_at_the_start (void)
{
  static const char *const of_data[] = { "label", "size" }; /* what they name isn't in other data */
  g_autoptr (LsOptions) other = start (
    "{'model': 'cnn', 'lr': '0.3', 'batch': '17', 'label': 'kind', 'size': '9x9', "
    "'threads': '3', 'given': ''}",
    "data", "spiral");
  g_autoptr (LsOptions) same = start ("{'data': 'spiral', 'lr': '0.3', 'given': ''}", "data", "spiral");
  g_autoptr (LsOptions) default_again = start ("{'data': 'spiral', 'given': ''}", "data", "mnist");

  g_assert_cmpstr (other->model, ==, ls_data_defaults ("spiral")->model); /* cnn was for digits */
  g_assert_cmpfloat (other->lr, ==, .1);
  g_assert_cmpint (other->batch, !=, 17);
  for (guint i = 0; i < G_N_ELEMENTS (of_data); i++)
    {
      const LsOption *option = ls_options_find (of_data[i]);
      g_autofree char *value = ls_options_get (other, option);
      g_assert_cmpstr (value, ==, option->default_text);
    }
  g_assert_cmpint (other->threads, ==, 3);
  g_assert_cmpfloat (same->lr, ==, .3);
  g_assert_cmpstr (default_again->data, ==, "mnist");
  g_assert_cmpstr (default_again->model, ==, "mlp");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/there-and-back", test_there_and_back);
  g_test_add_func ("/kept/older", test_older);
  g_test_add_func ("/kept/any-order", test_any_order);
  g_test_add_func ("/kept/given-at-the-start", test_given_at_the_start);
  return g_test_run ();
}
