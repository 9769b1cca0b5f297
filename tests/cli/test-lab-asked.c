/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lab` asks the laboratory for, and what it makes of the news and results; the laboratory is played.
 */
#include "../folder.h"
#include "captured.h"

#include <locale.h>
#include <string.h>

#include "core/error.h"
#include "lab/kept.h"
#include "lab/lab.h"
#include "lab/sweep.h"
#include "ui/report/terminal.h"

LsLabResult *__wrap_ls_lab_run (const LsLabWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel,
                                GError **error);

static struct {
  GString *asked;    /* "batch 20 s, 5 rounds; " for each */
  const char *fails; /* the experiment that can't be measured */
  const char *lanes; /* as it was last told */
} lab;

static LsLabResult *
result_of (const LsExperiment *experiment, const LsOptions *options)
{
  LsLabResult *result = ls_lab_result_new (experiment, options, NULL);
  const LsLabPoint point = { 64, 0, { 1000, "samples/s", LS_EVIDENCE_MEASURED, 9, 900, 1100 }, { 0 } };

  g_free (result->date);
  result->date = g_strdup ("2026-03-04");
  g_assert_true (ls_lab_result_add (result, 0, &point));
  g_array_append_val (result->tried, ((LsLabSpot){ 64, 0 }));
  return result;
}

LsLabResult *
__wrap_ls_lab_run (const LsLabWish *wish, LsLabHeard heard, gpointer data, GCancellable *cancel,
                   GError **error)
{
  const LsLabNews news[] = { { .said = "It is told what is there." },
                             { .n = 7 },
                             { .done = 2, .n = 7, .spot = { 64, 0 }, .seconds_left = 12 },
                             { .said = "It is told what is missing.", .problem = TRUE } };

  g_string_append_printf (lab.asked, "%s %u s, %u rounds%s%s; ", wish->experiment->name, wish->seconds,
                          wish->rounds, wish->anew ? ", anew" : "", wish->trains ? ", trains" : "");
  lab.lanes = g_intern_string (wish->options->lanes);
  for (gsize i = 0; i < G_N_ELEMENTS (news); i++)
    heard (&news[i], data);
  if (g_strcmp0 (wish->experiment->name, lab.fails) == 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "no lane works");
      return NULL;
    }
  return result_of (wish->experiment, wish->options);
}

/* "lab|" and these words, and that they ask for this and end so. */
static Captured
asks (const char *words, const char *asked, int status)
{
  g_autofree char *line = g_strdup_printf ("lab|%s|--lanes|cpu|--data|spiral", words);
  Captured said;

  g_string_truncate (lab.asked, 0);
  said = run (line);
  if (strcmp (lab.asked->str, asked) != 0 || said.status != status)
    g_error ("“%s” ends with %d and asks for\n  %sand should end with %d and ask for\n  %s\n%s", line,
             said.status, lab.asked->str, status, asked, said.err);
  return said;
}

/* The time and the turns that are told, or the usual ones; each of the experiments once, in their order. */
static void
test_wishes (void)
{
  static const char *const rows[][2] = {
    { "batch", "batch 20 s, 5 rounds; " },
    { "batch|--quick", "batch 4 s, 3 rounds; " },
    { "batch|--seconds|7", "batch 7 s, 5 rounds; " },
    { "batch|--quick|--seconds|7", "batch 7 s, 3 rounds; " },
    { "batch|--anew", "batch 20 s, 5 rounds, anew; " },
    { "width, batch,width", "width 20 s, 5 rounds; batch 20 s, 5 rounds; " },
    { "crossover|--quick", "crossover 4 s, 3 rounds, trains; " },
    { "crossover-forward|--quick", "crossover-forward 4 s, 3 rounds, trains; " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Captured) said G_GNUC_UNUSED = asks (rows[i][0], rows[i][1], 0);

      g_assert_cmpstr (lab.lanes, ==, "cpu");
    }
}

/* All, in the table's order; where time is short without those that are another's variant. */
static void
test_all (void)
{
  guint n;
  const LsExperiment *const *all = ls_experiments (&n);

  for (guint quick = 0; quick < 2; quick++)
    {
      g_autoptr (GString) should = g_string_new (NULL);

      for (guint i = 0; i < n; i++)
        if (!quick || !all[i]->variant)
          g_string_append_printf (should, "%s %d s, %d rounds, trains; ", all[i]->name, quick ? 4 : 20,
                                  quick ? 3 : 5);
      g_auto (Captured) said G_GNUC_UNUSED = asks (quick ? "all|--quick" : "all", should->str, 0);
    }
}

/* What is heard is told where it belongs: progress to stdout, what is missing to stderr. */
static void
test_news (void)
{
  g_auto (Captured) said = asks ("batch", "batch 20 s, 5 rounds; ", 0);
  g_autofree char *left = ls_duration_text (12),
                  *begins = g_strdup_printf ("It is told what is there.\n3 of 7: batch 64; %s left\n\n",
                                             left);

  if (!g_str_has_prefix (said.out, begins))
    g_error ("the news should begin\n%sand do so:\n%s", begins, said.out);
  assert_lines ("what is missing", said.err, "It is told what is missing.\n");
}

/* One that can't be measured is named, and costs the others nothing; the tables are in the order asked for,
 * and so are the files' results. */
static void
test_one_fails (void)
{
  g_autofree char *csv = g_build_filename (g_getenv ("XDG_DATA_HOME"), "a.csv", NULL),
                  *json = g_build_filename (g_getenv ("XDG_DATA_HOME"), "a.json", NULL),
                  *words = g_strdup_printf ("width,events,batch|--csv|%s|--json|%s", csv, json), *text = NULL;
  g_autoptr (json_t) root = NULL;
  const json_t *results;
  gsize n;

  lab.fails = "events";
  g_auto (Captured) said = asks (words, "width 20 s, 5 rounds; events 20 s, 5 rounds; batch 20 s, 5 rounds; ",
                                 1);
  const char *width = strstr (said.out, "\nwidth "), *batch = strstr (said.out, "\nbatch ");
  if (width == NULL || batch == NULL || batch < width || strstr (said.out, "\nevents ") != NULL)
    g_error ("of width, events and batch, of which events fails, it prints\n%s", said.out);
  if (strstr (said.err, "lockstep lab: events: no lane works.\n") == NULL)
    g_error ("that events fails is said so: “%s”", said.err);
  g_assert_true (g_file_get_contents (json, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  results = json_object_get (root, "results");
  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-lab-results");
  g_assert_cmpuint (json_array_size (results), ==, 2);
  for (gsize i = 0; i < 2; i++)
    {
      const char *name = json_string_value (json_object_get (json_array_get (results, i), "experiment"));

      if (g_strcmp0 (name, i == 0 ? "width" : "batch") != 0)
        g_error ("the JSON file's result %zu is of “%s”", i, name);
    }
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  assert_lines ("the CSV file", text,
                "experiment,lane,x,y,rate,unit,q1,q3,n,plain_rate\n"
                "width,cpu,64,,1000,samples/s,900,1100,9,\n"
                "batch,cpu,64,,1000,samples/s,900,1100,9,\n");
  /* where all fail there is nothing to write */
  g_assert_cmpint (g_remove (csv), ==, 0);
  g_autofree char *alone = g_strdup_printf ("events|--csv|%s", csv);
  g_auto (Captured) none = asks (alone, "events 20 s, 5 rounds; ", 1);
  g_assert_false (g_file_test (csv, G_FILE_TEST_EXISTS));
  g_assert_null (strstr (none.out, "Measured on"));
  lab.fails = NULL;
}

static void
keep (const LsExperiment *experiment, guint n_sizes, guint seconds, guint rounds)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsLabResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (ls_options_set (options, ls_options_find ("lanes"), "cpu", NULL));
  result = result_of (experiment, options);
  result->n_sizes = n_sizes;
  result->seconds = seconds;
  result->rounds = rounds;
  ls_lab_keep (result, &error);
  g_assert_no_error (error);
}

/* Several that were broken off go on with the one that was: those before it are taken as they are if they
 * were measured as long and as often. */
static void
test_goes_on (void)
{
  keep (&ls_experiment_batch, 1, 20, 5);
  keep (&ls_experiment_width, 7, 20, 5);
  g_auto (Captured) on = asks ("batch,width,events", "width 20 s, 5 rounds; events 20 s, 5 rounds; ", 0);
  g_assert_true (g_str_has_prefix (on.out, "Batch: measured on 2026-03-04, before it was broken off\n"));
  g_assert_nonnull (strstr (on.out, "\nbatch "));
  /* an older one that is whole isn't what was broken off */
  keep (&ls_experiment_width, 1, 20, 5);
  keep (&ls_experiment_width, 7, 20, 5);
  g_auto (Captured) older G_GNUC_UNUSED = asks ("batch,width,events",
                                                "width 20 s, 5 rounds; events 20 s, 5 rounds; ", 0);
  g_auto (Captured) first G_GNUC_UNUSED = asks ("width,batch", "width 20 s, 5 rounds; batch 20 s, 5 rounds; ",
                                                0);
  g_auto (Captured) anew G_GNUC_UNUSED = asks ("batch,width|--anew",
                                               "batch 20 s, 5 rounds, anew; width 20 s, 5 rounds, anew; ", 0);
  g_auto (Captured) longer G_GNUC_UNUSED = asks ("batch,width|--seconds|21",
                                                 "batch 21 s, 5 rounds; width 21 s, 5 rounds; ", 0);
  g_auto (Captured) fewer G_GNUC_UNUSED = asks ("batch,width|--quick|--seconds|20",
                                                "batch 20 s, 3 rounds; width 20 s, 3 rounds; ", 0);
}

/* What is kept is shown, and nothing is measured for it. */
static void
test_kept (void)
{
  keep (&ls_experiment_batch, 1, 20, 5);
  g_auto (Captured) there = asks ("batch|--kept", "", 0);
  g_assert_nonnull (strstr (there.out, "\nMeasured on 2026-03-04"));
  g_assert_cmpstr (there.err, ==, "");
  g_auto (Captured) some = asks ("tiles,batch|--kept", "", 1);
  g_assert_nonnull (strstr (some.out, "\nMeasured on 2026-03-04"));
  assert_lines ("nothing is kept", some.err,
                "lockstep lab: tiles: Nothing is kept of “tiles” with these lanes; “lockstep lab tiles” "
                "measures it.\n");
}

/* Of what is kept and can't be read it is said why, and not that nothing is kept. */
static void
test_damaged (void)
{
  g_autofree char *in = g_build_filename (g_getenv ("XDG_DATA_HOME"), "lockstep", "lab", NULL);
  g_autoptr (GDir) dir = NULL;

  keep (&ls_experiment_threads, 1, 20, 5);
  dir = g_dir_open (in, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_prefix (name, "threads"))
      {
        g_autofree char *path = g_build_filename (in, name, NULL);
        g_assert_true (g_file_set_contents (path, "no result\n", -1, NULL));
      }
  g_auto (Captured) said = asks ("threads|--kept", "", 1);
  if (!g_str_has_prefix (said.err, "lockstep lab: threads: ")
      || strstr (said.err, "can’t be read and isn’t used: ") == NULL)
    g_error ("of a damaged result it is said “%s”", said.err);
  g_assert_cmpstr (said.out, ==, "");
}

/* Of two things that are wrong the first is told, and nothing else. */
static void
test_two_wrong (void)
{
  static const char *const lines[] = {
    "lab|batch|--lanes|abacus|--from|x.lockstep|--kept",
    "lab|sweep|--lanes|abacus|--from|x.lockstep",
    "lab|batch|--lanes|abacus|--vary|batch=1,2",
  };
  static const char *const says[] = { "--from doesn’t go with --kept.", "--from doesn’t go with a sweep.",
                                      "--vary goes with “lockstep lab sweep” alone." };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Captured) said = run (lines[i]);
      g_autofree char *all = g_strdup_printf ("lockstep lab: %s\n", says[i]);

      g_assert_cmpint (said.status, ==, 2);
      g_assert_cmpstr (said.err, ==, all);
    }
}

/* ---- a sweep ---- */

static char *spoils; /* the folder of its files, which goes while it measures; or NULL */

gboolean __wrap_ls_sweep_run (LsSweep *sweep, double seconds, guint rounds, LsSweepHeard heard, gpointer data,
                              GCancellable *cancel, GError **error);

gboolean
__wrap_ls_sweep_run (LsSweep *sweep, double seconds, guint rounds, LsSweepHeard heard, gpointer data,
                     GCancellable *cancel, GError **error)
{
  if (spoils != NULL)
    remove_tree (spoils);
  while (sweep->done < sweep->n)
    {
      LsSweepCell *cell = &sweep->cells[sweep->done * sweep->specs->len];

      heard (sweep, TRUE, 7, data);
      cell->rate = (LsFigure){ 1000 + sweep->done, "samples/s", LS_EVIDENCE_MEASURED, 9, 900, 1100 };
      cell->same = -1;
      sweep->done++;
      heard (sweep, FALSE, 7, data);
    }
  return TRUE;
}

/* Each combination is told before it is measured, and is in the file when all are; a file that can't be
 * written meanwhile costs no result, and is told at the end. */
static void
test_sweep (void)
{
  for (guint spoilt = 0; spoilt < 2; spoilt++)
    {
      g_autofree char *in = g_dir_make_tmp ("lockstep-sweep-XXXXXX", NULL),
                      *path = g_build_filename (in, "out.csv", NULL), *csv = NULL,
                      *line = g_strdup_printf (
                        "lab|sweep|--anew|--lanes|cpu|--data|spiral|--vary|batch=16,32|--csv|%s", path);

      spoils = spoilt ? in : NULL;
      g_auto (Captured) said = run (line);
      if (!g_str_has_prefix (said.out,
                             "1 of 2: batch 16; 7 s left\n2 of 2: batch 32; 7 s left\n\nsamples/s: "))
        g_error ("a sweep begins with\n%s", said.out);
      g_assert_nonnull (strstr (said.out, "\n32     1001 [900.0 … 1100]\n"));
      g_assert_cmpint (said.status, ==, spoilt);
      if (spoilt)
        {
          if (!g_str_has_prefix (said.err, "lockstep lab: ") || strstr (said.err, "out.csv") == NULL)
            g_error ("of a file that can’t be written it says “%s”", said.err);
          continue;
        }
      g_assert_cmpstr (said.err, ==, "");
      g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
      assert_lines ("a sweep's CSV", csv,
                    "batch,lane,rate,unit,q1,q3,n,why\n16,cpu,1000,samples/s,900,1100,9,\n"
                    "32,cpu,1001,samples/s,900,1100,9,\n");
      remove_tree (in);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-lab-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  setlocale (LC_ALL, "C.UTF-8");
  lab.asked = g_string_new (NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/lab-asked/wishes", test_wishes);
  g_test_add_func ("/cli/lab-asked/all", test_all);
  g_test_add_func ("/cli/lab-asked/news", test_news);
  g_test_add_func ("/cli/lab-asked/one-fails", test_one_fails);
  g_test_add_func ("/cli/lab-asked/goes-on", test_goes_on);
  g_test_add_func ("/cli/lab-asked/kept", test_kept);
  g_test_add_func ("/cli/lab-asked/damaged", test_damaged);
  g_test_add_func ("/cli/lab-asked/two-wrong", test_two_wrong);
  g_test_add_func ("/cli/lab-asked/sweep", test_sweep);
  const int status = g_test_run ();
  g_string_free (lab.asked, TRUE);
  remove_tree (folder);
  return status;
}
