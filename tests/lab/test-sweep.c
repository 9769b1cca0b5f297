/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps on played lanes (played.h): which combinations there are and in which order, what each lane is asked
 * in each, whose figure stands for whose, and what is kept and taken up again.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/error.h"
#include "lab/kept.h"
#include "lab/sweep_kept.h"
#include "played.h"
#include "rig.h"

#define ROUNDS 3

static LsOptions *
options_of (const char *lanes)
{
  LsOptions *options = rig_options (lanes);

  g_assert_true (ls_options_set (options, ls_options_find ("data"), "xor", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("model"), "flatten, dense 2", NULL));
  return options;
}

static LsSweep *
sweep_new (const char *lanes, const char *const *vary)
{
  g_autoptr (LsOptions) options = options_of (lanes);
  g_autoptr (GError) error = NULL;
  LsSweep *sweep = ls_sweep_new (options, vary, &error);

  g_assert_no_error (error);
  return sweep;
}

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
    { "cpu", { "batch" }, "such as batch=1,16,128, not “batch”" },
    { "cpu", { "epochs=1,2" }, "no option “epochs” that changes a step" }, /* it is of the run */
    { "cpu", { "lanes=cpu" }, "no option “lanes” that changes a step" },
    { "cpu", { "batch=1,2", "batch=4" }, "batch is given twice" },
    { "cpu", { "batch=1,2", "train-batch=4" }, "no option “train-batch”" },
    { "cpu", { "batch=1,2, 1" }, "batch has “1” twice" },
    { "cpu", { "batch=1,0" }, "not “0”" },
    { "cpu,two=cpu(threads=2)", { "threads=1,2" }, "the lane “two” has a value of its own" },
    { "cpu", { "label=a,b" }, "label changes nothing about the data “xor”" },
    { "cpu", { "model=flatten, dense 2;flatten, dense 3" }, "model flatten, dense 3: " }, /* of two classes */
    { "cpu,gpu", { "batch=1" }, "gpu" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = options_of ("cpu");
      g_autoptr (GError) error = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, NULL));
      if (ls_sweep_new (options, rows[i].vary, &error) != NULL)
        g_error ("--vary %s isn't refused", rows[i].vary[0]);
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
      if (strstr (error->message, rows[i].words) == NULL)
        g_error ("--vary %s: “%s” doesn't say “%s”", rows[i].vary[0], error->message, rows[i].words);
    }
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

  g_test_message ("%s, lane %u: %g of %" G_GUINT64_FORMAT, text, lane, rate->value, rate->n);
  g_assert_cmpuint (rate->n, ==, 3 * ROUNDS);
  g_assert_cmpfloat_with_epsilon (rate->value, 1e6 * batch / us, 1e-3);
  g_assert_cmpfloat_with_epsilon (rate->q1, 1e6 * batch / (1.3 * us), 1e-3);
  g_assert_cmpfloat_with_epsilon (rate->q3, 1e6 * batch / (.9 * us), 1e-3);
  g_assert_cmpstr (rate->unit, ==, "samples/s");
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
test_stopped (void)
{
  static const char *const vary[] = { "batch=1,2,4,8", NULL };
  g_autoptr (LsSweep) sweep = sweep_new ("cpu", vary);
  g_autoptr (GCancellable) cancel = g_cancellable_new ();
  g_autoptr (GError) stopped = NULL, error = NULL;
  Heard heard = { .stop_at = 3, .cancel = cancel };

  played_begin (NULL, NULL);
  g_assert_false (ls_sweep_run (sweep, .1, ROUNDS, heard_cb, &heard, cancel, &stopped));
  g_assert_error (stopped, LS_ERROR, LS_ERROR_CANCELLED);
  g_assert_cmpuint (sweep->done, ==, 3);
  g_assert_cmpuint (ls_sweep_cell (sweep, 3, 0)->rate.n, ==, 0);
  played_begin (NULL, NULL);
  heard.stop_at = 0;
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

/* ---- what is kept ---- */

static void
fill (LsSweep *sweep, guint done)
{
  for (guint c = 0; c < done; c++)
    {
      LsSweepCell *cells = &sweep->cells[2 * c];

      cells[0].rate = (LsFigure){ 1000. + c, "samples/s", LS_EVIDENCE_MEASURED, 7 + c, 900. + c, 1200. + c,
                                  0,         NULL };
      cells[1].why = g_strdup_printf ("It says:\n“%u”.", c);
    }
  sweep->done = done;
}

/* What take_kept() says of a sweep like the one that was kept, with that option set (NULL: none). */
static gboolean
take (const char *option, const char *value, const char *const *vary, guint seconds, guint rounds,
      LsSweep **sweep, char **why)
{
  g_autoptr (LsOptions) options = options_of ("cpu,reference");
  g_autofree char *date = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d");
  gboolean taken;

  if (option != NULL)
    g_assert_true (ls_options_set (options, ls_options_find (option), value, NULL));
  *sweep = ls_sweep_new (options, vary, NULL);
  g_assert_nonnull (*sweep);
  taken = ls_sweep_take_kept (*sweep, seconds, rounds, &date, why);
  g_assert_true (taken == (date != NULL));
  if (taken && strncmp (date, today, 8) != 0)
    g_error ("it was kept on %s, not on %s", date, today);
  g_assert_cmpuint ((*sweep)->done > 0, ==, taken);
  return taken;
}

/* All that was measured comes back, lane by lane, and of the very same question alone: another value of any
 * option, other combinations or another time aren't it, which is nothing to speak of. */
static void
test_kept (void)
{
  static const char *const vary[] = { "batch=1,2", "threads=1,3,2", NULL },
                           *const turned[] = { "threads=1,3,2", "batch=1,2", NULL },
                           *const fewer[] = { "batch=1,2", "threads=1,3", NULL };
  static const struct {
    const char *option, *value;
    const char *const *vary;
    guint seconds, rounds;
    gboolean taken;
  } rows[] = {
    { NULL, NULL, vary, 20, 5, TRUE },
    { NULL, NULL, vary, 0, 0, TRUE },
    { NULL, NULL, vary, 21, 5, FALSE },
    { NULL, NULL, vary, 20, 4, FALSE },
    { NULL, NULL, turned, 0, 0, FALSE },
    { NULL, NULL, fewer, 0, 0, FALSE },
    { "lr", "0.123", vary, 0, 0, FALSE },
    { "seed", "7", vary, 0, 0, FALSE },
    { "kernel", "naive", vary, 0, 0, FALSE },
    { "policy", "static", vary, 0, 0, FALSE },
    { "optimizer", "adam", vary, 0, 0, FALSE },
    { "precision", "fp16", vary, 0, 0, FALSE },
    { "lanes", "reference,cpu", vary, 0, 0, FALSE },
  };
  g_autoptr (LsSweep) kept = sweep_new ("cpu,reference", vary);
  g_autoptr (GError) error = NULL;

  played_begin (NULL, NULL);
  fill (kept, 4);
  g_assert_true (ls_sweep_keep (kept, 20, 5, &error));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSweep) sweep = NULL;
      g_autofree char *why = NULL;

      if (take (rows[i].option, rows[i].value, rows[i].vary, rows[i].seconds, rows[i].rounds, &sweep, &why)
          != rows[i].taken)
        g_error ("with %s %s, %u s, %u rounds it is%s taken up", rows[i].option, rows[i].value,
                 rows[i].seconds, rows[i].rounds, rows[i].taken ? "n't" : "");
      g_assert_null (why);
      g_assert_cmpuint (sweep->done, ==, rows[i].taken ? 4 : 0);
      for (guint c = 0; c < sweep->n; c++)
        {
          const LsSweepCell *now = ls_sweep_cell (sweep, c, 0), *other = ls_sweep_cell (sweep, c, 1);

          g_assert_cmpuint (now->rate.n, ==, c < sweep->done ? 7 + c : 0);
          g_assert_null (now->why);
          g_assert_cmpuint (other->rate.n, ==, 0);
          if (c >= sweep->done)
            {
              g_assert_null (other->why);
              continue;
            }
          g_assert_cmpfloat (now->rate.value, ==, 1000 + c);
          g_assert_cmpfloat (now->rate.q1, ==, 900 + c);
          g_assert_cmpfloat (now->rate.q3, ==, 1200 + c);
          g_assert_cmpstr (now->rate.unit, ==, "samples/s");
          g_assert_cmpstr (other->why, ==, ls_sweep_cell (kept, c, 1)->why);
        }
    }
}

/* A file in its place that isn't this sweep's, or of this machine and version, or damaged, is told of, and
 * nothing of it is taken. */
static void
test_damaged (void)
{
  static const char *const vary[] = { "batch=1,2", NULL };
  static const struct {
    const char *from, *to, *words;
  } rows[] = {
    { "lockstep-lab-sweep-kept", "lockstep-lab", " is of another sweep, and isn’t used." },
    { "vary batch=1;2", "vary batch=2;1", " is of another sweep, and isn’t used." },
    { "\"machine_key\": \"", "\"machine_key\": \"x",
      "was measured on another machine or by another version" },
    { "\"Lockstep ", "\"Lockstep 9", "was measured on another machine or by another version" },
    { "\"seconds\": 20", "\"seconds\": 0", "seconds" },
    { "\"rounds\": 5", "\"rounds\": 1001", "rounds" },
    { "\"date\": \"", "\"dated\": \"", "date" },
    { "\"combinations\": [", "\"combinations\": [{}, {}, ", "combinations" },
    { "\"lanes\": [", "\"lanes\": [{}, ", "lanes" },
    { "\"median\": 1001.0", "\"median\": -1", "median" },
    { "\"why\": \"It says:\\n“1”.\"", "\"why\": 7", "why" },
    { "{", "{{", "can’t be read and isn’t used: " },
  };
  g_autofree char *folder = NULL, *path = NULL, *text = NULL;
  g_autoptr (LsSweep) kept = sweep_new ("cpu,reference", vary);
  g_autoptr (GDir) dir = NULL;

  played_begin (NULL, NULL);
  folder = ls_lab_folder (TRUE, NULL);
  fill (kept, 2);
  dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *old = g_build_filename (folder, name, NULL);
      g_remove (old);
    }
  g_assert_true (ls_sweep_keep (kept, 20, 5, NULL));
  g_dir_rewind (dir);
  path = g_build_filename (folder, g_dir_read_name (dir), NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *at = strstr (text, rows[i].from);
      g_autoptr (LsSweep) sweep = NULL;
      g_autofree char *why = NULL, *wrong = NULL;

      g_assert_nonnull (at);
      wrong = g_strdup_printf ("%.*s%s%s", (int) (at - text), text, rows[i].to, at + strlen (rows[i].from));
      g_assert_true (g_file_set_contents (path, wrong, -1, NULL));
      if (take (NULL, NULL, vary, 0, 0, &sweep, &why))
        g_error ("with “%s” for “%s” it is used", rows[i].to, rows[i].from);
      if (why == NULL || !g_str_has_prefix (why, folder) || strstr (why, rows[i].words) == NULL)
        g_error ("with “%s” for “%s” it says “%s”", rows[i].to, rows[i].from, why);
      g_assert_cmpuint (ls_sweep_cell (sweep, 0, 0)->rate.n, ==, 0);
      g_assert_null (ls_sweep_cell (sweep, 0, 1)->why);
    }
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
  g_test_add_func ("/sweep/most", test_most);
  g_test_add_func ("/sweep/run", test_run);
  g_test_add_func ("/sweep/stopped", test_stopped);
  g_test_add_func ("/sweep/nothing", test_nothing);
  g_test_add_func ("/sweep/kept", test_kept);
  g_test_add_func ("/sweep/damaged", test_damaged);
  status = g_test_run ();
  played_end ();
  return status;
}
