/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a data set brings along: networks that fit its samples, rates that follow small batches, and nothing
 * over what was given.
 */
#include "data/dataset.h"
#include "data/defaults.h"
#include "model/plan.h"

static void
choose (LsOptions *options, const char *name, const char *text)
{
  g_assert_true (ls_options_set (options, ls_options_find (name), text, NULL));
}

/* Every name has a network of which a plan can be made. */
static void
test_networks_fit (void)
{
  for (const char *const *name = ls_data_names (); *name != NULL; name++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (LsModel) model = NULL;
      g_autoptr (LsPlan) plan = NULL;
      g_autoptr (GError) error = NULL;
      gint64 shape[3];
      gint n_classes;

      choose (options, "data", *name);
      ls_data_suggest (options, 0, 0);
      model = ls_model_parse (options->model, &error);
      g_assert_no_error (error);
      g_assert_true (ls_data_shape (*name, shape, &n_classes));
      plan = ls_plan_new (model, shape, n_classes, 128, LS_OPTIMIZER_SGD, &error);
      g_assert_no_error (error);
      g_assert_nonnull (plan);
      g_assert_cmpfloat (options->lr, >, 0);
    }
}

/* The table's own defaults are MNIST's: nothing changes for who asks for nothing. */
static void
test_mnist_is_the_default (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  ls_data_suggest (options, 0, 0);
  g_assert_cmpstr (options->model, ==, ls_options_find ("model")->default_text);
  g_assert_cmpfloat (options->lr, ==, g_ascii_strtod (ls_options_find ("lr")->default_text, NULL));
}

/* --sequence changes the network's line, which everybody reads; without it the line says itself how. */
static void
test_sequence (void)
{
  static const struct {
    const char *model, *sequence, *expected;
  } rows[] = {
    { "lstm", NULL, "lstm" },
    { "lstm", "rows", "lstm" },
    { "lstm", "columns", "lstm 128 columns, dense 10" },
    { "conv 2 3, lstm 8 all, lstm 7, dense 10", "columns", "conv 2 3, lstm 8 all columns, lstm 7, dense 10" },
    { "lstm 128 columns, dense 10", NULL, "lstm 128 columns, dense 10" },
    { "lstm 128 columns, dense 10", "rows", "lstm" },
    { "mlp", "columns", "mlp" },
    { "lstm 8 (", "columns", "lstm 8 (" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      choose (options, "model", rows[i].model);
      if (rows[i].sequence != NULL)
        choose (options, "sequence", rows[i].sequence);
      for (guint twice = 0; twice < 2; twice++)
        {
          ls_data_suggest (options, 10, 0);
          g_assert_cmpstr (options->model, ==, rows[i].expected);
        }
      /* what is chosen afterwards stays, unless nothing read a sequence before */
      choose (options, "model", "lstm 9, dense 10");
      ls_data_suggest (options, 10, 0);
      if (strstr (rows[i].expected, "lstm") != NULL && strchr (rows[i].expected, '(') == NULL)
        g_assert_cmpstr (options->model, ==, "lstm 9, dense 10");
    }
}

static void
test_folder (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  choose (options, "data", "/some/where");
  ls_data_suggest (options, 0, 0);
  g_assert_cmpstr (options->model, ==, "mlp");
  ls_data_suggest (options, 26, 0);
  g_assert_cmpstr (options->model, ==, "flatten, dense 256, relu, dense 128, relu, dense 26");
  ls_data_suggest (options, 10, 0);
  g_assert_cmpstr (options->model, ==, "mlp");
}

static void
test_rate_follows_batch (void)
{
  static const struct {
    const char *batch;
    double lr;
  } rows[] = {
    { "1", .05 / 128 }, { "32", .0125 }, { "127", .05 * 127 / 128 }, { "128", .05 }, { "129", .05 },
    { "4096", .05 },    { "64", .025 },
  };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      choose (options, "batch", rows[i].batch);
      ls_data_suggest (options, 0, 0);
      g_assert_cmpfloat_with_epsilon (options->lr, rows[i].lr, 1e-12);
    }
  choose (options, "lr", "0.05");
  choose (options, "batch", "1");
  ls_data_suggest (options, 0, 0);
  g_assert_cmpfloat (options->lr, ==, .05);
}

/* Of few samples the batch is the usual one, halved until there are samples for it, and the rate follows; one
 * that was given stays, and is refused with words. */
static void
test_batch_of_few (void)
{
  static const struct {
    gint64 n_train, batch;
  } rows[] = { { 0, 128 }, { 1, 1 },    { 2, 2 },     { 31, 16 },
               { 54, 32 }, { 127, 64 }, { 128, 128 }, { 60000, 128 } };
  g_autoptr (LsOptions) options = ls_options_new ();

  choose (options, "data", "/some/where");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      ls_data_suggest (options, 3, rows[i].n_train);
      g_assert_cmpint (options->batch, ==, rows[i].batch);
      g_assert_cmpfloat_with_epsilon (options->lr, .05 * (double) rows[i].batch / 128, 1e-12);
      ls_data_suggest (options, 3, rows[i].batch); /* as a kept run has it suggested again */
      g_assert_cmpint (options->batch, ==, rows[i].batch);
    }
  choose (options, "batch", "100");
  ls_data_suggest (options, 3, 54);
  g_assert_cmpint (options->batch, ==, 100);
}

/* Adam's steps are as long as its rate: sgd's would throw it about. It follows the batch, and the update
 * rule, but for one that was given. */
static void
test_rate_of_adam (void)
{
  static const struct {
    const char *data, *batch;
    double lr;
  } rows[] = {
    { "mnist", "128", .001 },       { "mnist", "1024", .001 },  { "mnist", "64", .0005 },
    { "/some/where", "128", .001 }, { "tabular", "128", .001 }, { "moons", "128", .01 },
    { "spiral", "32", .0025 },
  };
  g_autoptr (LsOptions) options = ls_options_new ();

  choose (options, "optimizer", "adam");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      choose (options, "data", rows[i].data);
      choose (options, "batch", rows[i].batch);
      ls_data_suggest (options, 0, 0);
      g_assert_cmpfloat_with_epsilon (options->lr, rows[i].lr, 1e-12);
    }
  choose (options, "optimizer", "sgd");
  ls_data_suggest (options, 0, 0);
  g_assert_cmpfloat_with_epsilon (options->lr, .1 / 4, 1e-12);
  choose (options, "lr", "0.02");
  choose (options, "optimizer", "adam");
  ls_data_suggest (options, 0, 0);
  g_assert_cmpfloat (options->lr, ==, .02);
}

static void
test_given_stays (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  choose (options, "model", "cnn");
  choose (options, "data", "spiral");
  ls_data_suggest (options, 3, 0);
  g_assert_cmpstr (options->model, ==, "cnn");
  g_assert_cmpfloat (options->lr, ==, ls_data_defaults ("spiral")->lr);
}

/* What the window trains by itself, and how fast that can be watched. */
static void
test_watched (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();

  g_assert_cmpuint (ls_data_watch_steps (options, 469), ==, 4690);
  g_assert_cmpuint (ls_data_watch_steps (options, 1), ==, 10); /* ten times all that there are, of a single
                                                                  batch, too */
  g_assert_cmpuint (ls_data_run_steps (options, 469), ==, 469);
  g_assert_cmpfloat_with_epsilon (ls_data_watch_rate ("mnist", 469), 46.9, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_data_watch_rate ("/some/where", 60000), 6000, 1e-9);
  choose (options, "epochs", "1");
  g_assert_cmpuint (ls_data_watch_steps (options, 469), ==, 469);
  choose (options, "epochs", "3");
  g_assert_cmpuint (ls_data_watch_steps (options, 469), ==, 3 * 469);
  g_assert_cmpuint (ls_data_run_steps (options, 469), ==, 3 * 469);
  choose (options, "steps", "70");
  g_assert_cmpuint (ls_data_run_steps (options, 469), ==, 70);
  g_assert_cmpuint (ls_data_watch_steps (options, 469), ==, 70);
  for (const char *const *name = ls_data_names () + 1; *name != NULL; name++)
    {
      g_autoptr (LsOptions) toy = ls_options_new ();
      choose (toy, "data", *name);
      g_assert_cmpuint (ls_data_watch_steps (toy, 16), ==, 2000);
      g_assert_cmpuint (ls_data_run_steps (toy, 16), ==, 2000);
      choose (toy, "epochs", "1"); /* which is the usual number, but now it is told */
      g_assert_cmpuint (ls_data_watch_steps (toy, 16), ==, 16);
      g_assert_cmpuint (ls_data_run_steps (toy, 16), ==, 16);
      g_assert_cmpfloat_with_epsilon (ls_data_watch_rate (*name, 16), 2000. / 30, 1e-9);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/defaults/networks-fit", test_networks_fit);
  g_test_add_func ("/defaults/mnist-is-the-default", test_mnist_is_the_default);
  g_test_add_func ("/defaults/folder", test_folder);
  g_test_add_func ("/defaults/sequence", test_sequence);
  g_test_add_func ("/defaults/rate-follows-batch", test_rate_follows_batch);
  g_test_add_func ("/defaults/batch-of-few", test_batch_of_few);
  g_test_add_func ("/defaults/rate-of-adam", test_rate_of_adam);
  g_test_add_func ("/defaults/given-stays", test_given_stays);
  g_test_add_func ("/defaults/watched", test_watched);
  return g_test_run ();
}
