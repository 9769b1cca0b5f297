/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps on played lanes (played.h): which combinations there are and in which order, what each lane is asked
 * in each, and whose figure stands for whose.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "lab/kept.h"
#include "sweep_rig.h"
#include "trace/event.h"

#define ROUNDS 3

/* The first option changes last. */
static void
test_order (void)
{
  static const char *const vary[] = { "batch=1,8", " kernel = naive , tiled , packed ",
                                      "model=flatten, dense 2; flatten, dense 4, relu, dense 2", NULL };
  static const char *const batch[] = { "1", "8" }, *const kernel[] = { "naive", "tiled", "packed" },
                           *const model[] = { "flatten, dense 2", "flatten, dense 4, relu, dense 2" };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu", vary);

  g_assert_cmpuint (sweep->n, ==, 2 * 3 * 2);
  g_assert_cmpuint (sweep->done, ==, 0);
  for (guint b = 0, c = 0; b < 2; b++)
    for (guint k = 0; k < 3; k++)
      for (guint m = 0; m < 2; m++, c++)
        {
          g_autofree char *text = ls_sweep_text (sweep, c),
                          *words = g_strdup_printf ("batch %s, kernel %s, model %s", batch[b], kernel[k],
                                                    model[m]);

          g_assert_cmpstr (text, ==, words);
          g_assert_cmpstr (ls_sweep_value (sweep, c, 0), ==, batch[b]);
          g_assert_cmpstr (ls_sweep_value (sweep, c, 1), ==, kernel[k]);
          g_assert_cmpstr (ls_sweep_value (sweep, c, 2), ==, model[m]);
        }
}

/* A lane is measured anew where something differs that it knows of; else the first combination that is the
 * same to it stands for all. */
static void
test_same (void)
{
  static const char *const vary[] = { "kernel=naive,tiled", "tiles-per-op=1,4", "batch=2,16", NULL };
  static const gint cpu[] = { -1, -1, -1, -1, 0, 1, 2, 3 }, opencl[] = { -1, -1, 0, 1, -1, -1, 4, 5 },
                    reference[] = { -1, -1, 0, 1, 0, 1, 0, 1 };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu,opencl,reference", vary);

  g_assert_cmpuint (sweep->n, ==, 8);
  for (guint c = 0; c < 8; c++)
    {
      g_autofree char *text = ls_sweep_text (sweep, c);

      g_test_message ("%s", text);
      g_assert_cmpint (ls_sweep_cell (sweep, c, 0)->same, ==, cpu[c]);
      g_assert_cmpint (ls_sweep_cell (sweep, c, 1)->same, ==, opencl[c]);
      g_assert_cmpint (ls_sweep_cell (sweep, c, 2)->same, ==, reference[c]);
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *lanes, *vary[3], *words;
  } rows[] = {
    { "cpu", { "batch" }, "--vary takes an option and its values, such as batch=1,16,128, not “batch”." },
    /* it is of the run */
    { "cpu", { "epochs=1,2" }, "--vary: there is no option “epochs” that changes a step." },
    { "cpu", { "lanes=cpu" }, "--vary: there is no option “lanes” that changes a step." },
    { "cpu", { "batch=1,2", "batch=4" }, "--vary batch is given twice." },
    { "cpu",
      { "batch=1,2", "train-batch=4" },
      "--vary: there is no option “train-batch” that changes a step." },
    { "cpu", { "batch=1,2, 1" }, "--vary batch has “1” twice." },
    { "cpu", { "batch=16,016" }, "--vary batch has “16” twice." },
    { "cpu", { "lr=0.1,1e-1" }, "--vary lr has “0.1” twice." },
    { "cpu", { "batch=1,0" }, "--batch takes a whole number from 1 to 65536, not “0”." },
    { "cpu", { "batch=" }, "--vary batch has no value." },
    { "cpu,two=cpu(threads=2)", { "threads=1,2" }, "--vary threads: the lane “two” has a value of its own." },
    { "cpu", { "label=a,b" }, "--vary label changes nothing about the data “xor”." },
    /* of two classes */
    { "cpu",
      { "model=flatten, dense 2;flatten, dense 3" },
      "model flatten, dense 3: layer 2, column 10: the last layer must be dense 2, one unit for each class "
      "of the data" },
    { "cpu,gpu",
      { "batch=1" },
      "--lanes, character 5: there is no backend “gpu”; there are cpu, opencl, reference and "
      "reference-f64." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = options_of ("cpu");
      g_autoptr (GError) error = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, NULL));
      if (ls_sweep_new (options, rows[i].vary, &error) != NULL)
        g_error ("--vary %s isn't refused", rows[i].vary[0]);
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strcmp (error->message, rows[i].words) != 0)
        g_error ("--vary %s: “%s” isn't “%s”", rows[i].vary[0], error->message, rows[i].words);
    }
}

/* Of data that are built in the seed alone makes others. */
static void
test_seeds (void)
{
  g_autoptr (LsOptions) options = options_of ("reference");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSweep) sweep = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "spiral", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 3", NULL));
  sweep = ls_sweep_new (options, (const char *const[]){ "seed=1,2,3", NULL }, &error);
  if (sweep == NULL)
    g_error ("a sweep over seeds is refused: %s", error->message);
  g_assert_cmpuint (sweep->n, ==, 3);
}

/* 256 combinations are measured; one more is too many. */
static void
test_most (void)
{
  g_autoptr (LsOptions) options = options_of ("reference");

  for (guint n = LS_SWEEP_MOST / 2; n <= LS_SWEEP_MOST / 2 + 1; n++)
    {
      g_autoptr (GString) batch = g_string_new ("batch=1");
      g_autoptr (LsSweep) sweep = NULL;
      g_autoptr (GError) error = NULL;

      for (guint i = 2; i <= n; i++)
        g_string_append_printf (batch, ",%u", i);
      sweep = ls_sweep_new (options, (const char *const[]){ batch->str, "fusion=on,off", NULL }, &error);
      if (n == LS_SWEEP_MOST / 2)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (sweep->n, ==, 256);
          continue;
        }
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      g_assert_cmpstr (error->message, ==, "These are more than 256 combinations; vary less.");
    }
}

/* ---- measuring ---- */

typedef struct {
  guint before, after, stop_at;
  GCancellable *cancel;
  guint stop_before; /* it is stopped when so many are done and the next one is about to be */
} Heard;

static void
heard_cb (const LsSweep *sweep, gboolean before, double seconds_left, gpointer data)
{
  Heard *heard = data;

  if (before)
    {
      g_assert_cmpuint (sweep->done, ==, heard->after); /* the one that is about to be */
      g_assert_cmpfloat (seconds_left, >, 0);
      heard->before++;
      if (heard->stop_before > 0 && heard->before > heard->stop_before)
        g_cancellable_cancel (heard->cancel);
      return;
    }
  heard->after++;
  g_assert_cmpuint (sweep->done, ==, heard->after);
  g_assert_cmpuint (heard->before, ==, heard->after);
  if (heard->after == heard->stop_at)
    g_cancellable_cancel (heard->cancel);
}

/* A rate is of the combination's own batch, and a time of its own options. */
static void
assert_rate (const LsSweep *sweep, guint combination, guint lane, double batch, double us)
{
  const LsFigure *rate = &ls_sweep_cell (sweep, combination, lane)->rate;
  g_autofree char *text = ls_sweep_text (sweep, combination);

  g_test_message ("lane %u", lane);
  played_rate (text, rate, batch, us, ROUNDS, "samples/s");
  g_assert_null (ls_sweep_cell (sweep, combination, lane)->why);
}

/* Every lane has its turns in each combination, those that are the same to it left out, and with the options
 * of that combination; what fails says why, there and in all that it stands for. */
static void
test_run (void)
{
  static const char *const vary[] = { "kernel=naive,tiled", "threads=1,2", "batch=2,16", NULL };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu,reference", vary);
  g_autoptr (GError) error = NULL;
  Heard heard = { 0 };

  played_begin ("reference prepare step\tflatten, dense 2\txor\t16", NULL);
  g_assert_true (ls_sweep_run (sweep, 16, ROUNDS, heard_cb, &heard, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (heard.after, ==, 8);
  for (guint c = 0; c < 8; c++)
    {
      const guint batch = c % 2 == 0 ? 2 : 16, threads = c / 2 % 2 == 0 ? 1 : 2;

      assert_rate (sweep, c, 0, batch, played_us ("cpu", batch, threads, 0));
      if (batch == 2)
        assert_rate (sweep, c, 1, batch, played_us ("reference", batch, 1, 0));
      else
        {
          g_assert_cmpuint (ls_sweep_cell (sweep, c, 1)->rate.n, ==, 0);
          g_assert_cmpstr (ls_sweep_cell (sweep, c, 1)->why, ==,
                           "not prepare step\tflatten, dense 2\txor\t16.");
        }
    }
  g_autofree char *book = played_book ();
  /* 16 s, of eight combinations, two lanes, three turns */
  g_assert_true (g_str_has_prefix (book,
                                   "cpu open 1\ncpu prepare step\tflatten, dense 2\txor\t2\n"
                                   "reference open 4\nreference prepare step\tflatten, dense 2\txor\t2\n"
                                   "cpu run 0.333333\nreference run 0.333333\ncpu run 0.333333\n"));
  g_auto (GStrv) cpu = g_strsplit (book, "cpu open", -1), reference = g_strsplit (book, "reference open", -1);
  g_assert_cmpuint (g_strv_length (cpu) - 1, ==, 4); /* no kernel is anything to it */
  g_assert_cmpuint (g_strv_length (reference) - 1, ==, 2 + 0);
}

/* As many as were done stay when it is stopped, and it goes on there; forgotten, it begins anew. */
static void
test_stopped (gconstpointer between)
{
  static const char *const vary[] = { "batch=1,2,4,8", NULL };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu", vary);
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GError) stopped = NULL, error = NULL;
  Heard heard = { .cancel = cancel };

  *(between != NULL ? &heard.stop_at : &heard.stop_before) = 3;
  played_begin (NULL, NULL);
  g_assert_false (ls_sweep_run (sweep, .1, ROUNDS, heard_cb, &heard, cancel, &stopped));
  g_assert_error (stopped, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_cmpuint (sweep->done, ==, 3);
  g_assert_cmpuint (ls_sweep_cell (sweep, 3, 0)->rate.n, ==, 0);
  played_begin (NULL, NULL);
  heard.stop_at = heard.stop_before = 0;
  heard.before = heard.after;
  g_assert_true (ls_sweep_run (sweep, .1, ROUNDS, heard_cb, &heard, NULL, &error));
  g_autofree char *book = played_book ();
  /* each has some tenths, however little there is for all */
  g_assert_cmpstr (book, ==,
                   "cpu open 4\ncpu prepare step\tflatten, dense 2\txor\t8\n"
                   "cpu run 0.1\ncpu run 0.1\ncpu run 0.1\n");
  for (guint c = 0; c < 4; c++)
    assert_rate (sweep, c, 0, 1 << c, played_us ("cpu", 1 << c, PLAYED_THREADS, 0));
  ls_sweep_forget (sweep);
  g_assert_cmpuint (sweep->done, ==, 0);
  for (guint c = 0; c < 4; c++)
    g_assert_cmpuint (ls_sweep_cell (sweep, c, 0)->rate.n, ==, 0);
}

typedef struct {
  guint64 begun_ns, first_ns, last_ns; /* run() was called, heard for the first time, and after a combination
                                        */
  guint first, last;                   /* combinations that were done then, and when it was heard last */
  double seconds;                      /* of each, as it was told to take */
  GCancellable *cancel;
} Left;

/* The test's own clock bounds what is told: the run began after the call, and before the first word. */
static void
left_cb (const LsSweep *sweep, gboolean before, double seconds_left, gpointer data)
{
  Left *left = data;
  const guint to_come = sweep->n - sweep->done, done = sweep->done - left->first;

  left->last = sweep->done;
  if (!before)
    {
      left->last_ns = ls_clock_ns ();
      if (left->cancel != NULL && done == 2)
        g_cancellable_cancel (left->cancel);
      return;
    }
  if (done == 0)
    {
      left->first_ns = ls_clock_ns ();
      g_assert_cmpfloat_with_epsilon (seconds_left, left->seconds * to_come, 1e-9);
      return;
    }
  const double most_s = (double) (ls_clock_ns () - left->begun_ns) / 1e9,
               least_s = (double) (left->last_ns - left->first_ns) / 1e9;
  if (seconds_left > most_s / done * to_come + 1e-9 || seconds_left < least_s / done * to_come - 1e-9)
    g_error ("%u of %u were done in %g to %g s, and the rest is to take %g s", done, sweep->n, least_s,
             most_s, seconds_left);
}

/* How long it still takes is said before each combination: at first by the time that is given, but at least
 * some tenths for each, then by how long those took that have been done since it began: after a break those
 * before it don't count. */
static void
test_left (void)
{
  static const char *const vary[] = { "batch=1,2,3,4,5,6,7,8", NULL };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu", vary);
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  Left left = { .seconds = .5, .cancel = cancel };

  played_begin (NULL, NULL);
  left.begun_ns = ls_clock_ns ();
  g_assert_false (ls_sweep_run (sweep, 4, 1, left_cb, &left, cancel, NULL));
  g_assert_cmpuint (sweep->done, ==, 2);
  left = (Left){ .first = 2, .last = 2, .seconds = .3 };
  left.begun_ns = ls_clock_ns ();
  g_assert_true (ls_sweep_run (sweep, .1, 1, left_cb, &left, NULL, NULL));
  g_assert_cmpuint (left.last, ==, 8);
}

/* What isn't given follows the data of each combination: a network for its number of classes. */
static void
test_defaults (void)
{
  static const char *const vary[] = { "data=spiral,moons", "batch=8,16", NULL };
  g_autoptr (LsOptions) options = rig_options ("cpu");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSweep) sweep = ls_sweep_new (options, vary, &error);
  Heard heard = { 0 };

  g_assert_no_error (error);
  played_begin (NULL, NULL);
  g_assert_true (ls_sweep_run (sweep, .1, 1, heard_cb, &heard, NULL, &error));
  g_autofree char *book = played_book ();
  for (guint c = 0; c < 4; c++)
    {
      g_autofree char *end = g_strdup_printf ("dense %d\t%s\t%d\n", c < 2 ? 3 : 2, c < 2 ? "spiral" : "moons",
                                              c % 2 == 0 ? 8 : 16);

      if (strstr (book, end) == NULL)
        g_error ("no step ends in “%s”: %s", end, book);
    }
}

/* No lane can do any: that is no result. Nor is it one beside another program that measures. */
static void
test_nothing (void)
{
  static const char *const vary[] = { "batch=1,2", NULL };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu", vary);
  g_autoptr (GError) none = NULL, beside = NULL;
  Heard heard = { 0 };

  played_begin ("cpu run", NULL);
  g_assert_false (ls_sweep_run (sweep, .1, 1, heard_cb, &heard, NULL, &none));
  g_assert_error (none, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_cmpstr (none->message, ==, "No lane could do any of it.");
  g_assert_cmpstr (ls_sweep_cell (sweep, 1, 0)->why, ==, "not run 0.3.");
  const int lock = ls_lab_lock ();
  g_assert_false (ls_sweep_run (sweep, .1, 1, heard_cb, &heard, NULL, &beside));
  g_assert_error (beside, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_nonnull (strstr (beside->message, "Another program is just measuring"));
  g_close (lock, NULL);
}

int
main (int argc, char **argv)
{
  int status;

  if (played_main (argc, argv, &status))
    return status;
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/order", test_order);
  g_test_add_func ("/sweep/same", test_same);
  g_test_add_func ("/sweep/refused", test_refused);
  g_test_add_func ("/sweep/seeds", test_seeds);
  g_test_add_func ("/sweep/most", test_most);
  g_test_add_func ("/sweep/run", test_run);
  g_test_add_data_func ("/sweep/stopped", GINT_TO_POINTER (1), test_stopped);
  g_test_add_data_func ("/sweep/stopped-at-one", NULL, test_stopped);
  g_test_add_func ("/sweep/left", test_left);
  g_test_add_func ("/sweep/defaults", test_defaults);
  g_test_add_func ("/sweep/nothing", test_nothing);
  status = g_test_run ();
  played_end ();
  return status;
}
