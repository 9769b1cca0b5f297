/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments without measuring: sizes and their order, points, CSV, fits.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/error.h"
#include "lab/lab.h"
#include "lab/sweep.h"
#include "rig.h"

/* Every size once, ends first, and whoever stops early has points all over. */
static void
test_order (void)
{
  for (guint n = 0; n <= LS_LAB_MAX_SIZES; n++)
    {
      guint sizes[LS_LAB_MAX_SIZES], seen[LS_LAB_MAX_SIZES] = { 0 }, widest = 0;

      for (guint i = 0; i < n; i++)
        sizes[i] = i;
      ls_lab_coarse_first (sizes, n);
      for (guint i = 0; i < n; i++)
        seen[sizes[i]]++;
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (seen[i], ==, 1);
      if (n < 3)
        continue;
      g_assert_cmpuint (MIN (sizes[0], sizes[1]), ==, 0);
      g_assert_cmpuint (MAX (sizes[0], sizes[1]), ==, n - 1);
      memset (seen, 0, sizeof seen);
      for (guint i = 0; i < (n + 3) / 2; i++) /* half of them, and the ends */
        seen[sizes[i]] = 1;
      for (guint i = 0, gap = 0; i < n; i++)
        {
          gap = seen[i] ? 0 : gap + 1;
          widest = MAX (widest, gap);
        }
      g_test_message ("%u sizes: %u beside each other are missing after half of them", n, widest);
      g_assert_cmpuint (widest, <=, 3);
    }
}

static void
test_rows (void)
{
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);
  g_autoptr (LsOptions) options = ls_options_new ();

  g_assert_cmpuint (n, >=, 4);
  g_assert_null (ls_experiment_find (""));
  g_assert_null (ls_experiment_find ("batc"));
  for (guint i = 0; i < n; i++)
    for (guint threads = 1; threads < 300; threads += threads < 20 ? 1 : 61)
      {
        guint sizes[LS_LAB_MAX_SIZES];
        const guint n_sizes = all[i]->sizes (options, threads, sizes);

        g_assert_true (ls_experiment_find (all[i]->name) == all[i]);
        g_assert_cmpuint (n_sizes, >, 0);
        g_assert_cmpuint (n_sizes, <=, LS_LAB_MAX_SIZES);
        for (guint s = 0; s < n_sizes; s++)
          {
            LsLabPlan plan;

            g_assert_true (s == 0 || sizes[s] > sizes[s - 1]);
            all[i]->plan (options, (LsLabSpot){ sizes[s], all[i]->rows != NULL ? 64 : 0 }, &plan);
            if (g_str_has_prefix (plan.spec, "flight\t") || g_str_has_prefix (plan.spec, "product\t"))
              g_assert_true (strcmp (all[i]->unit, "samples/s") != 0);
            else
              g_assert_true (g_str_has_prefix (plan.spec, all[i]->forward ? "forward\t" : "step\t"));
            g_assert_true (plan.option == NULL || ls_options_find (plan.option) != NULL);
            g_assert_cmpfloat (plan.amount, >, 0);
            g_free (plan.spec);
          }
        if (all[i] == &ls_experiment_threads)
          g_assert_cmpuint (sizes[n_sizes - 1], ==, threads); /* the most is always among them */
      }
}

/* Sizes go in powers above eight: what a lane has at most, or as its own option says, is one of them all the
 * same, once, or it would have no last point, or none. A missing lane asks for none. */
static void
test_last_threads (void)
{
  static const guint threads[] = { 16, 12, 0, 11, 12 };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GArray) spots = ls_experiment_spots (&ls_experiment_threads, options, threads, 5),
                     batch = ls_experiment_spots (&ls_experiment_batch, options, threads, 5);
  guint had[17] = { 0 };

  for (guint i = 0; i < spots->len; i++)
    {
      const LsLabSpot *spot = &g_array_index (spots, LsLabSpot, i);

      g_assert_cmpuint (spot->x, >, 0);
      g_assert_cmpuint (spot->x, <=, 16);
      had[spot->x]++;
    }
  for (guint x = 1; x <= 16; x++)
    if (had[x] != (x <= 8 || x == 11 || x == 12 || x == 16))
      g_error ("lanes of 16, 12 and 11 threads are measured %u times on %u", had[x], x);
  for (guint i = 0; i < batch->len; i++) /* a batch has nothing to do with it */
    g_assert_cmpuint (g_array_index (batch, LsLabSpot, i).x, !=, 12);
}

/* How often files of the folder are opened by a sweep. */
static guint
opens_of (const char *folder, const LsOptions *options, const char *const *vary)
{
  const gint fd = inotify_init1 (IN_NONBLOCK);
  g_autoptr (GError) error = NULL;
  char events[4096] __attribute__ ((aligned (8)));
  guint n = 0;
  gssize got;

  g_assert_cmpint (inotify_add_watch (fd, folder, IN_OPEN), >=, 0);
  G_GNUC_UNUSED g_autoptr (LsSweep) sweep = ls_sweep_new (options, vary, &error);
  g_assert_no_error (error);
  while ((got = read (fd, events, sizeof events)) > 0)
    for (gssize at = 0; at < got; n++)
      at += (gssize) sizeof (struct inotify_event)
            + (gssize) ((const struct inotify_event *) (const void *) (events + at))->len;
  close (fd);
  return n;
}

/* A sweep reads each data set once, however many combinations have it, in whichever order. */
static void
test_sweep_reads (void)
{
  static const char table[] = "a,kind\n1,x\n2,y\n3,x\n4,y\n5,x\n6,y\n";
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL),
                  *one = g_build_filename (folder, "one.csv", NULL),
                  *other = g_build_filename (folder, "other.csv", NULL),
                  *both = g_strdup_printf ("data=%s,%s", one, other);
  const char *const data[] = { both, NULL }, *const many[] = { "batch=1,2,4", both, "threads=1,2", NULL };
  g_autoptr (LsOptions) options = ls_options_new ();

  g_assert_true (g_file_set_contents (one, table, -1, NULL));
  g_assert_true (g_file_set_contents (other, table, -1, NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("backends"), "cpu", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 2", NULL));
  g_assert_cmpuint (opens_of (folder, options, data), ==, opens_of (folder, options, many));
  g_unlink (one);
  g_unlink (other);
  g_rmdir (folder);
}

/* Data that a run trains on needn't be read again to know that it can. */
static void
heard_cb (const LsLabNews *news, gpointer data)
{
}

static void
test_trains (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GCancellable) stopped = g_cancellable_new ();
  static const LsExperiment *const of_network[] = { &ls_experiment_crossover,
                                                    &ls_experiment_crossover_forward };
  LsLabWish wish = { .options = options };

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "/nowhere/data.csv", NULL));
  g_cancellable_cancel (stopped);
  for (guint i = 0; i < G_N_ELEMENTS (of_network); i++)
    for (wish.trains = FALSE; wish.trains <= TRUE; wish.trains++)
      {
        g_autoptr (GError) error = NULL;

        wish.experiment = of_network[i];
        g_assert_null (ls_lab_run (&wish, heard_cb, NULL, stopped, &error));
        g_assert_nonnull (error);
        g_assert_cmpint (error->code, ==, wish.trains ? LS_ERROR_CANCELLED : LS_ERROR_USAGE);
      }
}

static void
test_points (void)
{
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", FALSE), copy = NULL;
  const LsLabPoint again = { .x = 8, .rate = { .value = 1, .n = 1 } };

  g_assert_cmpfloat (g_array_index (result->points[0], LsLabPoint, 1).x, ==, 8);
  g_assert_false (ls_lab_result_add (result, 0, &again));
  g_assert_true (ls_lab_result_tried (result, (LsLabSpot){ 128, 0 }));
  g_assert_false (ls_lab_result_tried (result, (LsLabSpot){ 2, 0 }));
  g_assert_false (ls_lab_result_whole (result));
  copy = ls_lab_result_copy (result);
  rig_assert_alike (result, copy);
  rig_add (copy, 1, 4, 5, 0);
  g_assert_cmpuint (result->points[1]->len, ==, 0);
}

/* Results may stand in one picture where lanes' options, machine, version and devices are the same, whatever
 * was measured. */
static void
test_goes_with (void)
{
  g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu,opencl", FALSE),
                          width = rig_sample (&ls_experiment_width, "cpu,opencl", TRUE),
                          lanes = rig_sample (&ls_experiment_batch, "cpu", FALSE);
  char **const parts[] = { &width->machine_key, &width->program, &width->keys[1] };

  g_free (result->keys[1]);
  g_free (width->keys[1]);
  result->keys[1] = g_strdup ("a GPU");
  width->keys[1] = g_strdup ("a GPU");
  g_assert_true (ls_lab_result_goes_with (result, width));
  g_assert_false (ls_lab_result_goes_with (result, lanes));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      char *before = g_steal_pointer (parts[i]);
      *parts[i] = g_strdup ("another");
      g_test_message ("another %s", i == 0 ? "machine" : i == 1 ? "version" : "device");
      g_assert_false (ls_lab_result_goes_with (result, width));
      g_free (*parts[i]);
      *parts[i] = before;
    }
  g_assert_true (ls_lab_result_goes_with (result, width));
  g_clear_pointer (&width->keys[1], g_free); /* of a lane that wasn't there nothing speaks against it */
  if (!ls_lab_result_goes_with (result, width) || !ls_lab_result_goes_with (width, result))
    g_error ("a result of a lane whose device nobody knows doesn't go with one whose is known");
}

/* A reason is cut by its characters, and not by the bytes that they take. */
static void
test_reason (void)
{
  for (guint n = LS_LAB_MAX_WHY / 2; n <= LS_LAB_MAX_WHY + 1; n++)
    {
      g_autoptr (LsLabResult) result = rig_sample (&ls_experiment_batch, "cpu", FALSE);
      g_autoptr (GString) why = g_string_new (NULL), expected = NULL;

      for (guint i = 0; i < n; i++)
        g_string_append (why, "ü");
      expected = g_string_new_len (why->str, 2 * (gssize) (n <= LS_LAB_MAX_WHY ? n : LS_LAB_MAX_WHY - 1));
      if (n > LS_LAB_MAX_WHY)
        g_string_append (expected, "…");
      ls_lab_result_add_missing (result, 0, (LsLabSpot){ 4096, 0 }, why->str);
      if (g_strcmp0 (ls_lab_result_why (result, 0, (LsLabSpot){ 4096, 0 }), expected->str) != 0)
        g_error ("of %u characters it keeps “%s”", n, ls_lab_result_why (result, 0, (LsLabSpot){ 4096, 0 }));
    }
}

static void
test_csv (void)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lab_result_unref);
  g_autofree char *csv = NULL;
  LsLabResult *result = rig_sample (&ls_experiment_events, "cpu,fast=opencl", TRUE);

  rig_add (result, 1, 64, 1234.5, 0);
  g_ptr_array_add (results, result);
  csv = ls_lab_csv (results);
  g_assert_cmpstr (csv, ==,
                   "experiment,lane,x,y,rate,unit,q1,q3,n,plain_rate\n"
                   "events,cpu,1,,10000,samples/s,5000,20000,9,\n"
                   "events,cpu,8,,50000,samples/s,25000,100000,9,\n"
                   "events,cpu,128,,300000.5,samples/s,150000.25,600001,9,310000\n"
                   "events,fast,64,,1234.5,samples/s,617.25,2469,9,\n");
}

static void
test_fit (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu");
  g_autoptr (LsLabResult) batch = ls_lab_result_new (&ls_experiment_batch, options, NULL),
                          threads = ls_lab_result_new (&ls_experiment_threads, options, NULL),
                          size = ls_lab_result_new (&ls_experiment_size, options, NULL),
                          flight = ls_lab_result_new (&ls_experiment_flight, options, NULL),
                          width = ls_lab_result_new (&ls_experiment_width, options, NULL);
  g_autofree char *text = NULL, *share = NULL, *half = NULL, *full = NULL, *no = NULL;
  LsLabFit fit;

  threads->cores = 0;
  for (guint x = 1; x <= 4; x++)
    {
      g_assert_false (ls_lab_fit (batch, 0, &fit));
      rig_add (batch, 0, x, 1e6 * x / (60 + 2.5 * x), 0);
      rig_add (threads, 0, x, 1e6 * 128 / (30 + 400. / x), 0);
      rig_add (size, 0, 64 << x, 300 / (1 + pow (256. / (64 << x), 1.5)), 0);
      rig_add (flight, 0, 1 << x, 1e6 * MIN (1 << x, 6), 0);
      rig_add (width, 0, x, 1000 * x, 0);
    }
  g_assert_true (ls_lab_fit (batch, 0, &fit));
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_FIXED].value, 60, 1e-3);
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_EACH].value, 2.5, 1e-3);
  g_assert_cmpuint (fit.n, ==, 4);
  text = ls_lab_fit_text (batch, &fit);
  g_assert_cmpstr (text, ==, "60 µs a step and 2.5 µs a sample, at most 0 % off (derived)");
  g_assert_true (ls_lab_fit (threads, 0, &fit));
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_SERIAL].value, 30. / 430, 1e-6);
  share = ls_lab_fit_text (threads, &fit);
  g_assert_true (g_str_has_prefix (share, "serial share 0.0698 ± "));
  g_assert_true (ls_lab_fit (size, 0, &fit));
  half = ls_lab_fit_text (size, &fit);
  g_assert_true (g_str_has_prefix (half, "half of the speed at n = 256 ± "));
  g_assert_true (ls_lab_fit (flight, 0, &fit));
  full = ls_lab_fit_text (flight, &fit);
  g_assert_true (g_str_has_prefix (full, "full at 6 ± "));
  g_assert_false (ls_lab_fit (width, 0, &fit));
  for (guint i = 0; i < 4; i++)
    {
      LsFigure *rate = &g_array_index (batch->points[0], LsLabPoint, i).rate;
      rate->value *= i == 3 ? 1e3 : 1; /* larger batches for nothing */
      rate->q1 = rate->q3 = rate->value;
    }
  g_assert_true (!ls_lab_fit (batch, 0, &fit) || !fit.law.holds);
  no = ls_lab_fit_text (batch, &fit);
  g_assert_nonnull (strstr (no, "doesn’t fit"));
}

/* A rate's upper quartile is the lower one of the time: a point that reaches the law with it speaks for the
 * law. */
static void
test_fit_halves (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu");
  g_autoptr (LsLabResult) batch = ls_lab_result_new (&ls_experiment_batch, options, NULL);
  LsLabFit fit;

  for (guint x = 1; x <= 12; x++)
    {
      const double law = 1e6 * x / (60 + 2.5 * x);
      rig_add (batch, 0, x, law, 0);
      LsFigure *rate = &g_array_index (batch->points[0], LsLabPoint, x - 1).rate;
      rate->q1 = .99 * law;
      rate->q3 = 1.01 * law;
      if (x != 7)
        continue;
      rate->value = .7 * law; /* disturbed, mostly */
      rate->q1 = .6 * law;
      rate->q3 = 1.1 * law;
    }
  g_assert_true (ls_lab_fit (batch, 0, &fit));
  g_assert_cmpuint (fit.n, ==, 12);
  g_assert_true (fit.law.holds);
}

/* Of sixteen threads on eight cores the law is that of eight. */
static void
test_fit_cores (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu,opencl");
  g_autoptr (LsLabResult) threads = ls_lab_result_new (&ls_experiment_threads, options, NULL);
  LsLabFit fit;

  for (guint lane = 0; lane < 2; lane++)
    for (guint x = 1; x <= 16; x++)
      {
        const double rate = 1e4 / (.1 + .9 / MIN (x, 8));
        const LsLabPoint p = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate, rate } };
        g_assert_true (ls_lab_result_add (threads, lane, &p));
      }
  threads->cores = 8;
  g_assert_true (ls_lab_fit (threads, 0, &fit));
  g_assert_cmpuint (fit.n, ==, 8);
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_SERIAL].value, .1, 1e-6);
  g_assert_true (fit.law.holds);
  g_assert_true (ls_lab_fit (threads, 1, &fit)); /* a device's units are no threads of this machine */
  g_assert_cmpuint (fit.n, ==, 16);
  threads->cores = 2;
  g_assert_false (ls_lab_fit (threads, 0, &fit));
}

/* A law from some size on, and the universal one where workers hinder each other. */
static void
test_fit_part (void)
{
  g_autoptr (LsOptions) options = rig_options ("cpu");
  g_autoptr (LsLabResult) batch = ls_lab_result_new (&ls_experiment_batch, options, NULL),
                          threads = ls_lab_result_new (&ls_experiment_threads, options, NULL);
  LsLabFit fit;

  for (guint x = 1; x <= 1024; x *= 2)
    {
      const double rate = 1e6 * x / (60 + 2.5 * x) / (x < 8 ? 4 : 1);
      const LsLabPoint p = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate, rate } };
      g_assert_true (ls_lab_result_add (batch, 0, &p));
    }
  for (guint x = 1; x <= 16; x++)
    {
      const double rate = 1e4 * x / (1 + .05 * (x - 1.) + .02 * x * (x - 1.));
      const LsLabPoint p = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate, rate } };
      g_assert_true (ls_lab_result_add (threads, 0, &p));
    }
  threads->cores = 0;
  g_assert_true (ls_lab_fit (batch, 0, &fit));
  g_assert_true (fit.law.holds);
  g_assert_cmpuint (fit.first, ==, 3);
  g_assert_cmpuint (fit.n, ==, 8);
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_FIXED].value, 60, 1e-3);
  g_assert_true (ls_lab_fit (threads, 0, &fit));
  g_assert_true (fit.law.holds);
  g_assert_cmpint (fit.law.law, ==, LS_LAW_SCALABILITY);
  g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_COHERENCE].value, .02, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/order", test_order);
  g_test_add_func ("/lab/rows", test_rows);
  g_test_add_func ("/lab/last-threads", test_last_threads);
  g_test_add_func ("/lab/sweep-reads", test_sweep_reads);
  g_test_add_func ("/lab/trains", test_trains);
  g_test_add_func ("/lab/points", test_points);
  g_test_add_func ("/lab/goes-with", test_goes_with);
  g_test_add_func ("/lab/reason", test_reason);
  g_test_add_func ("/lab/csv", test_csv);
  g_test_add_func ("/lab/fit", test_fit);
  g_test_add_func ("/lab/fit-halves", test_fit_halves);
  g_test_add_func ("/lab/fit-cores", test_fit_cores);
  g_test_add_func ("/lab/fit-part", test_fit_part);
  return g_test_run ();
}
