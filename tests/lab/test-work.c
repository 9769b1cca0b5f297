/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the laboratory measures beside steps: single products, and results under way.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "backends/flight.h"
#include "core/error.h"
#include "lab/step.h"
#include "lab/worker.h"

static void
test_product (void)
{
  static const char *const wrong[] = { "product\t",      "product\t0",      "product\t-8", "product\t64x",
                                       "product\t99999", "product\t64\t64", "product" };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPlan) plan = ls_lab_step_plan ("product\t96", NULL, options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (plan->n_ops, ==, 1);
  g_assert_cmpint (plan->ops[0].flops, ==, 2 * 96 * 96 * 96);
  g_assert_null (plan->model);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) no = NULL;

      g_assert_null (ls_lab_step_plan (wrong[i], NULL, options, &no));
      g_assert_error (no, LS_ERROR, LS_ERROR_USAGE);
    }
}

static char *
put_table (const char *folder)
{
  g_autofree char *in = g_build_filename (folder, "XXXXXX", NULL);
  g_autoptr (GString) text = g_string_new ("a,b,c\n");
  char *path;

  g_assert_nonnull (g_mkdtemp (in));
  path = g_build_filename (in, "table.csv", NULL);
  for (guint i = 0; i < 60; i++)
    g_string_append_printf (text, "%u,%u,%c\n", i, i % 2, 'x' + (gint) (i % 3));
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return path;
}

static LsData *
prepared (const char *path, guint classes, LsData **data, const LsOptions *options)
{
  g_autofree char *spec = g_strdup_printf ("step\tflatten, dense %u\t%s\t8", classes, path);
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (LsPlan) plan = ls_lab_step_plan (spec, data, options, &error);

  g_assert_no_error (error);
  return *data;
}

/* Data are read as the options say, and read again where they say otherwise, or where others have their name.
 */
static void
test_data (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL), *one = put_table (folder),
                  *two = put_table (folder), *in_one = g_path_get_dirname (one),
                  *in_two = g_path_get_dirname (two);
  g_autoptr (LsData) data = NULL, first = NULL, noise = NULL;

  first = ls_data_ref (prepared (one, 3, &data, options));
  g_assert_cmpint (first->n_classes, ==, 3);
  g_assert_cmpint (first->train.sample_size, ==, 2);
  g_assert_true (prepared (one, 3, &data, options) == first);
  g_assert_true (prepared (two, 3, &data, options) != first); /* of the same name */
  g_assert_true (ls_options_set (options, ls_options_find ("label"), "b", NULL));
  g_assert_cmpint (prepared (two, 2, &data, options)->n_classes, ==, 2);
  g_assert_cmpint (data->train.sample_size, ==, 1 + 3);
  g_assert_true (ls_options_set (options, ls_options_find ("test-share"), "0.5", NULL));
  g_assert_cmpint (prepared (two, 2, &data, options)->test.n, ==, 30);
  noise = ls_data_ref (prepared ("noise 3", 10, &data, options));
  g_assert_true (prepared ("noise 3", 10, &data, options) == noise);
  g_assert_true (prepared ("noise 4", 10, &data, options) != noise);
  g_assert_cmpint (g_unlink (one) + g_unlink (two) + g_rmdir (in_one) + g_rmdir (in_two) + g_rmdir (folder),
                   ==, 0);
}

/* One round through all lines, whatever their number. */
static void
test_ring (void)
{
  static const guint32 sizes[] = { 1, 2, 3, 64, 1000, 65536 };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      const guint32 n = sizes[k];
      g_autofree guint32 *ring = g_new0 (guint32, (gsize) n * LS_FLIGHT_LINE);
      guint32 at = 0, steps = 0, near = 0;

      ls_flight_ring (ring, n);
      do
        {
          g_assert_cmpuint (at % LS_FLIGHT_LINE, ==, 0);
          g_assert_cmpuint (at / LS_FLIGHT_LINE, <, n);
          near += ring[at] == at + LS_FLIGHT_LINE;
          at = ring[at];
          steps++;
      } while (at != 0 && steps <= n);
      g_assert_cmpuint (steps, ==, n);
      g_assert_cmpuint (near, <=, 2 + n / 100); /* no order that is easily guessed */
    }
}

static const LsLabWorker *
worker (const char *name)
{
  for (const LsLabWorker *const *w = ls_lab_workers; *w != NULL; w++)
    if (strcmp ((*w)->name, name) == 0)
      return *w;
  g_error ("there is no worker %s", name);
}

/* A lane as the laboratory's child opens it: does each of these, forgets the one before, and refuses what is
 * wrong without forgetting how to work. */
static void
test_lane (gconstpointer name)
{
  static const char *const specs[] = { "flight\tloads\t1",   "flight\tloads\t64",
                                       "product\t64",        "flight\tsums\t1",
                                       "flight\tsums\t1024", "step\tflatten, dense 2\txor\t8",
                                       "flight\tloads\t8" };
  static const char *const wrong[] = { "flight\tloads\t0",  "flight\tloads",     "flight\tloads\t8\t8",
                                       "flight\tstores\t8", "flight\tloads\t-1", "flight\tloads\teight" };
  const LsLabWorker *kind = worker (name);
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;
  guint threads;
  gpointer lane;

  options->threads = 2;
  lane = kind->open (name, options, &title, &threads, &error);
  if (lane == NULL)
    {
      g_test_skip (error->message);
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
      g_autofree char *how = NULL;

      kind->prepare (lane, specs[i], &how, &error);
      g_assert_no_error (error);
      kind->run (lane, 0, .02, us, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (us->len, >, 0);
      for (guint k = 0; k < us->len; k++)
        g_assert_cmpfloat (g_array_index (us, double, k), >, 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) no = NULL;
      g_autofree char *how = NULL;

      g_assert_false (kind->prepare (lane, wrong[i], &how, &no));
      g_assert_error (no, LS_ERROR, LS_ERROR_USAGE);
    }
  {
    /* as many as no unit has */
    g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
    g_autofree char *how = NULL;

    g_assert_true (kind->prepare (lane, "flight\tloads\t1000000", &how, NULL));
    g_assert_false (kind->run (lane, 0, .02, us, &error));
    g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
    g_clear_error (&error);
    g_assert_true (kind->prepare (lane, "product\t32", &how, &error));
    g_assert_true (kind->run (lane, 0, .02, us, &error));
  }
  kind->close (lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/work/data", test_data);
  g_test_add_func ("/work/product", test_product);
  g_test_add_func ("/work/ring", test_ring);
  g_test_add_data_func ("/work/cpu", "cpu", test_lane);
  g_test_add_data_func ("/work/opencl", "opencl", test_lane);
  return g_test_run ();
}
