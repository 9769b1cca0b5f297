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

/* M, N and K of a product are its output's rows and columns, and what is summed over. */
static void
test_product_sizes (void)
{
  static const struct {
    const char *spec;
    gint64 m, n, k;
  } rows[] = { { "product\t3\t5\t7", 3, 5, 7 }, { "product\t7\t1\t2", 7, 1, 2 }, { "product\t6", 6, 6, 6 } };
  g_autoptr (LsOptions) options = ls_options_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPlan) plan = ls_lab_step_plan (rows[i].spec, NULL, options, &error);

      g_assert_no_error (error);
      const LsTensor *a = &plan->tensors[0], *b = &plan->tensors[1], *out = &plan->tensors[2];
      const gint64 shapes[3][2]
        = { { a->shape[0], a->shape[1] }, { b->shape[0], b->shape[1] }, { out->shape[0], out->shape[1] } },
        expected[3][2] = { { rows[i].m, rows[i].k }, { rows[i].k, rows[i].n }, { rows[i].m, rows[i].n } };
      for (guint t = 0; t < 3; t++)
        if (shapes[t][0] != expected[t][0] || shapes[t][1] != expected[t][1])
          g_error ("of “%s” tensor %u is %d×%d, not %d×%d", rows[i].spec, t, (gint) shapes[t][0],
                   (gint) shapes[t][1], (gint) expected[t][0], (gint) expected[t][1]);
      g_assert_cmpint (plan->ops[0].flops, ==, 2 * rows[i].m * rows[i].n * rows[i].k);
    }
}

/* What can be measured, up to its limits, and what can't, in a sentence that quotes it. */
static void
test_lines (void)
{
  static const char *const good[] = { "step\tmlp\tmnist\t1",
                                      "step\tflatten, dense 2\tnoise 1\t65536",
                                      "forward\tflatten, dense 2\tnoise 1024\t8",
                                      "step\tflatten, dense 2\txor\t4",
                                      "product\t16384",
                                      "product\t1\t2\t3",
                                      "copied\t16384",
                                      "copied\t4\t4\t4" },
                           *const wrong[] = { "step\tmlp\tmnist\t0",     "step\tmlp\tmnist\t65537",
                                              "step\tmlp\tmnist",        "step\tmlp\tmnist\t8\t8",
                                              "step\tmlp\tnoise 0\t8",   "step\tmlp\tnoise 1025\t8",
                                              "step\tmlp\tnoise\t8",     "step\tmlp\t/etc/passwd\t8",
                                              "backward\tmlp\tmnist\t8", "product\t16385",
                                              "product\t1\t2",           "product\t0\t2\t3",
                                              "product\t1\t2\t3\t4",     "" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      if (!ls_lab_check_line (good[i], &error))
        g_error ("“%s” is refused: %s", good[i], error->message);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *message = g_strdup_printf ("“%s” is nothing that can be measured.", wrong[i]);
      g_autoptr (GError) error = NULL;

      if (ls_lab_check_line (wrong[i], &error))
        g_error ("“%s” isn't refused", wrong[i]);
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, message);
    }
}

/* Nor does a step come of a line that has a word too few or too many, or another first one. */
static void
test_no_plan (void)
{
  static const char *const wrong[] = { "step\tmlp\tmnist",    "step\tmlp\tmnist\t8\t8", "step\tmlp\tmnist\t",
                                       "step\tmlp\tmnist\t0", "steps\tmlp\tmnist\t8",   "step" };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsPlan) good = ls_lab_step_plan ("step\tmlp\tmnist\t8", NULL, options, NULL);

  g_assert_cmpuint (good->batch, ==, 8);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *message = g_strdup_printf ("“%s” is nothing that can be measured.", wrong[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPlan) plan = ls_lab_step_plan (wrong[i], NULL, options, &error);

      if (plan != NULL)
        g_error ("“%s” becomes a step of %u samples", wrong[i], plan->batch);
      g_assert_cmpstr (error->message, ==, message);
    }
}

/* Noise is grey images of that edge, ten classes in turn, the same again from the same seed; what is tested
 * isn't what is trained. Its pixels are of all values. */
static void
test_noise (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsData) data = NULL, again = NULL, other = NULL;
  gint64 n_train = -1;
  guint low = 0, high = 0;

  prepared ("noise 12", 10, &data, options);
  prepared ("noise 12", 10, &again, options);
  options->seed++;
  prepared ("noise 12", 10, &other, options);
  g_assert_cmpint (data->n_classes, ==, 10);
  g_assert_cmpint (data->train.n, ==, 1024);
  g_assert_cmpint (data->test.n, ==, 10);
  for (guint i = 0; i < 2; i++)
    {
      const LsDataset *set = i == 0 ? &data->train : &data->test;

      g_assert_cmpint (set->shape[0], ==, 1);
      g_assert_cmpint (set->shape[1], ==, 12);
      g_assert_cmpint (set->shape[2], ==, 12);
      g_assert_cmpint (set->sample_size, ==, 144);
      for (gint64 k = 0; k < set->n; k++)
        g_assert_cmpint (set->labels[k], ==, k % 10);
    }
  for (gint64 i = 0; i < 1024 * 144; i++)
    {
      low += ((const guint8 *) data->train.samples)[i] < 26;
      high += ((const guint8 *) data->train.samples)[i] >= 230;
    }
  /* a tenth of them each, of 147456: ± 4 σ */
  g_assert_cmpuint (low, >, 14500);
  g_assert_cmpuint (low, <, 15500);
  g_assert_cmpuint (high, >, 14500);
  g_assert_cmpuint (high, <, 15500);
  g_assert_cmpmem (data->train.samples, 1024 * 144, again->train.samples, 1024 * 144);
  g_assert_cmpint (memcmp (data->train.samples, other->train.samples, 1024 * 144), !=, 0);
  g_assert_cmpint (memcmp (data->train.samples, data->test.samples, 10 * 144), !=, 0);

  /* how many classes there are is known of what is shipped without reading it, else by its name's set */
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "spiral", NULL));
  g_assert_cmpint (ls_lab_classes (options, &other, &n_train, NULL), ==, 3);
  g_assert_cmpint (n_train, ==, 0);
  g_assert_cmpstr (other->name, ==, "noise 12");
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "noise 5", NULL));
  g_assert_cmpint (ls_lab_classes (options, &other, &n_train, NULL), ==, 10);
  g_assert_cmpint (n_train, ==, 1024);
  g_assert_cmpstr (other->name, ==, "noise 5");
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

/* However long is recorded, the events are those of one step. */
static void
test_record (void)
{
  static const char *const specs[] = { "step\tflatten, dense 2\txor\t8", "product\t64" };
  static const double seconds[] = { 0, .1 };
  const LsLabWorker *kind = worker ("cpu");
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *title = NULL;
  guint threads;
  gpointer lane;

  options->threads = 1;
  lane = kind->open ("cpu", options, &title, &threads, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autofree char *how = NULL;
      guint events[2] = { 0 };

      g_assert_true (kind->prepare (lane, specs[i], &how, &error));
      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (double)),
                             recorded = g_array_new (FALSE, FALSE, sizeof (double));
          double s = seconds[k];

          /* many of them: for longer where the machine has other things to do */
          for (; plain->len <= k && s < 60; s *= 2)
            {
              g_array_set_size (plain, 0);
              g_array_set_size (recorded, 0);
              kind->record (lane, s, plain, recorded, &events[k], &error);
              g_assert_no_error (error);
              g_assert_cmpuint (plain->len, ==, recorded->len); /* in turn */
              g_assert_cmpuint (plain->len, >, 0);
            }
          g_assert_cmpuint (plain->len, >, k);
        }
      g_assert_cmpuint (events[0], >, 0);
      if (events[1] != events[0])
        g_error ("of “%s” %u events are recorded in one step, and %u where many were", specs[i], events[0],
                 events[1]);
    }
  /* an option that may be changed while it runs is, and another isn't */
  {
    g_autoptr (GArray) us = g_array_new (FALSE, FALSE, sizeof (double));
    guint before = 0, after = 0;

    g_assert_true (kind->record (lane, 0, us, us, &before, &error));
    kind->set (lane, "tiles-per-op", "8", &error);
    g_assert_no_error (error);
    g_assert_true (kind->record (lane, 0, us, us, &after, &error));
    if (after <= before)
      g_error ("with eight tiles there are %u events, and without %u", after, before);
    static const char *const wrong[][2]
      = { { "seed", "2" }, { "no-option", "2" }, { "tiles-per-op", "many" } };
    for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
      {
        g_assert_false (kind->set (lane, wrong[i][0], wrong[i][1], &error));
        g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
        g_clear_error (&error);
      }
  }
  kind->close (lane);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/work/data", test_data);
  g_test_add_func ("/work/product", test_product);
  g_test_add_func ("/work/product-sizes", test_product_sizes);
  g_test_add_func ("/work/lines", test_lines);
  g_test_add_func ("/work/no-plan", test_no_plan);
  g_test_add_func ("/work/noise", test_noise);
  g_test_add_func ("/work/ring", test_ring);
  g_test_add_func ("/work/record", test_record);
  g_test_add_data_func ("/work/cpu", "cpu", test_lane);
  g_test_add_data_func ("/work/opencl", "opencl", test_lane);
  return g_test_run ();
}
