/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of experiments against itself: what each says of itself in words is what it does at every size.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "rig.h"

/* The fields of a line, between tabs. */
static char **
fields_of (const LsExperiment *experiment, const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  char **fields;

  experiment->plan (options, spot, plan);
  fields = g_strsplit (plan->spec, "\t", -1);
  g_free (plan->spec);
  return fields;
}

/* The units of the layers of that kind, in their order. */
static guint
units_of (const char *model, const char *kind, guint *units)
{
  g_auto (GStrv) layers = g_strsplit (model, ", ", -1);
  guint n = 0;

  for (guint i = 0; layers[i] != NULL; i++)
    if (g_str_has_prefix (layers[i], kind))
      units[n++] = (guint) atoi (layers[i] + strlen (kind));
  return n;
}

/* Rates are of what a step or product does once: its samples, or its billions of sums and products. */
static void
test_amounts (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (guint i = 0; i < n; i++)
    {
      static const guint threads[] = { 24, 24 };
      g_autoptr (GArray) spots = ls_experiment_spots (all[i], options, threads, 2);

      for (guint s = 0; s < spots->len; s++)
        {
          const LsLabSpot spot = g_array_index (spots, LsLabSpot, s);
          LsLabPlan plan;
          g_auto (GStrv) fields = fields_of (all[i], options, spot, &plan);
          const char *unit = all[i]->unit;

          g_test_message ("%s at %u, %u: %s", all[i]->name, spot.x, spot.y, fields[0]);
          g_assert_cmpint (spot.y > 0, ==, all[i]->rows != NULL);
          if (g_str_equal (unit, "samples/s"))
            {
              g_assert_cmpuint (g_strv_length (fields), ==, 4);
              g_assert_cmpfloat (plan.amount, ==, atoi (fields[3]));
            }
          else if (g_str_equal (unit, "GFLOP/s"))
            {
              g_assert_cmpstr (fields[0], ==, "product");
              g_assert_cmpfloat_with_epsilon (plan.amount, 2 * pow (atoi (fields[1]), 3) / 1e9, 1e-12);
            }
          else /* results that are under way, each of which is one */
            g_assert_cmpstr (fields[0], ==, "flight");
          /* what is said of the network or the product is what is done */
          if (all[i]->network != NULL && strstr (all[i]->network, "batch 128") != NULL)
            g_assert_cmpstr (fields[3], ==, "128");
          if (all[i]->network != NULL && strstr (all[i]->network, "512×512") != NULL)
            g_assert_cmpstr (fields[1], ==, "512");
          if (all[i]->network != NULL && strstr (all[i]->network, "784-256-128-10") != NULL)
            g_assert_cmpstr (fields[1], ==, "mlp");
        }
    }
}

/* A size is what its axis says that it is, and nothing else changes with it. */
static void
test_axes (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  static const guint sizes[] = { 1, 3, 8, 64, 500 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const guint x = sizes[i];
      const LsLabSpot spot = { x, 0 }, deep = { 32, MIN (x, 16) }, large = { 32, x };
      g_autofree char *text = g_strdup_printf ("%u", x), *noise = g_strdup_printf ("noise %u", x);
      LsLabPlan plan;
      guint units[32];
      g_auto (GStrv) batch = fields_of (&ls_experiment_batch, options, spot, &plan);
      g_auto (GStrv) width = fields_of (&ls_experiment_width, options, spot, &plan);
      g_auto (GStrv) size = fields_of (&ls_experiment_size, options, spot, &plan);
      g_auto (GStrv) depth = fields_of (&ls_experiment_crossover_depth, options, deep, &plan);
      g_auto (GStrv) image = fields_of (&ls_experiment_crossover_image, options, large, &plan);

      g_assert_cmpstr (batch[3], ==, text);
      g_assert_cmpstr (size[1], ==, text);
      g_assert_cmpuint (units_of (width[1], "dense ", units), ==, 3);
      g_assert_cmpuint (units[0], ==, x); /* both hidden layers */
      g_assert_cmpuint (units[1], ==, x);
      g_assert_cmpuint (units[2], ==, 10);
      g_assert_cmpuint (units_of (depth[1], "dense ", units), ==, deep.y + 1); /* and the answer's */
      for (guint k = 0; k < deep.y; k++)
        g_assert_cmpuint (units[k], ==, 256); /* "hidden layers of 256 units" */
      g_assert_cmpuint (units[deep.y], ==, 10);
      g_assert_cmpstr (depth[3], ==, "32");
      g_assert_cmpstr (image[2], ==, noise);
      g_assert_cmpstr (image[3], ==, "32");

      g_strfreev (fields_of (&ls_experiment_threads, options, spot, &plan));
      g_assert_cmpuint (plan.threads, ==, x);
      g_strfreev (fields_of (&ls_experiment_tiles, options, spot, &plan));
      g_assert_cmpstr (plan.option, ==, "tiles-per-op");
      g_assert_nonnull (plan.unless); /* OpenCL's lane says why it has no points, */
      g_assert_false (plan.recorded);
      g_strfreev (fields_of (&ls_experiment_events, options, spot, &plan));
      g_assert_cmpstr (plan.option, ==, "tiles-per-op");
      g_assert_null (plan.unless); /* but has one of a recorded step */
      g_assert_true (plan.recorded);
      g_strfreev (fields_of (&ls_experiment_edge, options, spot, &plan));
      g_assert_cmpstr (plan.option, ==, "tile-edge");
      g_assert_cmpstr (plan.with, ==, "kernel=tiled");
      g_auto (GStrv) loads = fields_of (&ls_experiment_flight, options, spot, &plan);
      g_assert_cmpstr (loads[1], ==, "loads"); /* "loads under way", */
      g_assert_cmpstr (loads[2], ==, text);
      g_auto (GStrv) sums = fields_of (&ls_experiment_flight_compute, options, spot, &plan);
      g_assert_cmpstr (sums[1], ==, "sums"); /* and multiply-adds */
      g_assert_cmpstr (sums[2], ==, text);
    }
}

/* From where to where each goes, and how: most in powers of two. */
static void
test_ends (void)
{
  static const struct {
    const LsExperiment *experiment;
    const char *xs, *ys;
  } rows[] = {
    { &ls_experiment_batch, "1 2 4 8 16 32 64 128 256 512 1024 2048 4096", "" },
    { &ls_experiment_width, "64 128 256 512 1024 2048 4096", "" },
    { &ls_experiment_threads, "1 2 3 4 5 6 7 8 16 24", "" },
    { &ls_experiment_events, "1 2 4 8 16 32 64 128 256 512 1024", "" },
    { &ls_experiment_size, "64 128 256 512 1024 2048 4096", "" },
    { &ls_experiment_edge, "8 16 32", "" },
    { &ls_experiment_tiles, "1 2 4 8 16 32 64 128 256", "" },
    /* the options' batch of 100 and their first layer's 90 units are among them */
    { &ls_experiment_crossover, "1 2 4 8 16 32 64 100 128 256 512 1024 2048",
      "32 64 90 128 256 512 1024 2048 4096" },
    { &ls_experiment_crossover_forward, "1 2 4 8 16 32 64 100 128 256 512 1024 2048",
      "32 64 90 128 256 512 1024 2048 4096" },
    { &ls_experiment_crossover_depth, "1 2 4 8 16 32 64 100 128 256 512 1024 2048", "1 2 3 4 6 8 12 16" },
    { &ls_experiment_crossover_image, "1 2 4 8 16 32 64 100 128 256 512", "8 12 16 28 40 56 80 112" },
  };
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");

  g_assert_true (ls_options_set (options, ls_options_find ("batch"), "100", NULL));
  g_assert_true (
    ls_options_set (options, ls_options_find ("model"), "flatten, dense 90, relu, dense 10", NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsExperiment *e = rows[i].experiment;
      guint sizes[LS_LAB_MAX_SIZES], n = e->sizes (options, 24, sizes);
      g_autoptr (GString) xs = g_string_new (NULL), ys = g_string_new (NULL);

      for (guint k = 0; k < n; k++)
        g_string_append_printf (xs, "%s%u", k > 0 ? " " : "", sizes[k]);
      n = e->rows != NULL ? e->rows (options, sizes) : 0;
      for (guint k = 0; k < n; k++)
        g_string_append_printf (ys, "%s%u", k > 0 ? " " : "", sizes[k]);
      g_test_message ("%s", e->name);
      g_assert_cmpstr (xs->str, ==, rows[i].xs);
      g_assert_cmpstr (ys->str, ==, rows[i].ys);
    }
}

/* The hidden layers are as wide as is asked for, each in proportion to the first; a network that has none
 * has the preset's, before its own classes, and no spot of its own. */
static void
test_hidden (void)
{
  static const struct {
    const char *model;
    guint own; /* units of its first hidden layer; 0: it has none */
    const char *wide;
  } rows[] = {
    { "flatten, dense 90, relu, dense 10", 90, "flatten, dense 512, relu, dense 10" },
    { "flatten, dense 64, relu, dense 32, tanh, dense 7", 64,
      "flatten, dense 512, relu, dense 256, tanh, dense 7" },
    { "conv 8 3, relu, flatten, dense 16, relu, dense 10", 8,
      "conv 512 3, relu, flatten, dense 1024, relu, dense 10" },
    { "flatten, dense 1000, relu, dense 1, relu, dense 10", 1000,
      "flatten, dense 512, relu, dense 1, relu, dense 10" },
    { "flatten, dense 10", 0, "flatten, dense 512, relu, dense 256, relu, dense 10" },
    { "flatten, relu, dense 3", 0, "flatten, dense 512, relu, dense 256, relu, dense 3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
      LsLabSpot own = { 0 };
      LsLabPlan plan;
      guint sizes[LS_LAB_MAX_SIZES], n;
      gboolean among = FALSE;

      g_assert_true (ls_options_set (options, ls_options_find ("model"), rows[i].model, NULL));
      g_auto (GStrv) fields = fields_of (&ls_experiment_crossover, options, (LsLabSpot){ 32, 512 }, &plan);
      g_assert_cmpstr (fields[0], ==, "step");
      g_assert_cmpstr (fields[1], ==, rows[i].wide);
      g_assert_cmpstr (fields[2], ==, "mnist");
      g_assert_cmpstr (fields[3], ==, "32");
      g_assert_cmpint (ls_experiment_own (&ls_experiment_crossover, options, &own), ==, rows[i].own > 0);
      g_assert_cmpuint (own.y, ==, rows[i].own);
      n = ls_experiment_crossover.rows (options, sizes);
      for (guint k = 0; k < n; k++)
        {
          g_assert_true (k == 0 || sizes[k] > sizes[k - 1]);
          among |= sizes[k] == (rows[i].own > 0 ? rows[i].own : 256);
        }
      g_assert_true (among);
    }
}

/* A variant is of the one before it; what has two sizes says both, takes longer, and has no law; a law's
 * words have two places for its numbers. */
static void
test_rows (void)
{
  guint n, n_one;
  const LsExperiment *const *all = ls_experiments (&n);

  ls_experiments_of_one_size (&n_one);
  for (guint i = 0; i < n; i++)
    {
      const LsExperiment *e = all[i];
      const gboolean two = e->rows != NULL;
      g_autofree char *spot = ls_experiment_spot_text (e, (LsLabSpot){ 128, two ? 64 : 0 }),
                      *expected = two ? g_strdup_printf ("%s 64, %s 128", e->row, e->column)
                                      : g_strdup_printf ("%s 128", e->column);

      g_test_message ("%s", e->name);
      g_assert_cmpint (two, ==, i >= n_one);
      g_assert_cmpint (two, ==, e->row != NULL && e->row_axis != NULL);
      g_assert_cmpint (two, ==, e->network == NULL);
      g_assert_cmpuint (ls_experiment_times (e), ==, two ? 4 : 1);
      g_assert_cmpstr (spot, ==, expected);
      g_assert_false (e->variant && (i == 0 || !two));
      g_assert_cmpint (e->law != LS_LAW_NONE, ==, e->fit_words != NULL);
      if (e->fit_words != NULL)
        {
          g_auto (GStrv) parts = g_strsplit (e->fit_words, "%s", -1);
          if (e->law == LS_LAW_AMDAHL || e->law == LS_LAW_HALF_SPEED || e->law == LS_LAW_IN_FLIGHT)
            g_assert_cmpstr (parts[1], ==, " ± ");
          g_assert_cmpuint (g_strv_length (parts), ==, 3);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experiments/amounts", test_amounts);
  g_test_add_func ("/experiments/axes", test_axes);
  g_test_add_func ("/experiments/ends", test_ends);
  g_test_add_func ("/experiments/hidden", test_hidden);
  g_test_add_func ("/experiments/rows", test_rows);
  return g_test_run ();
}
