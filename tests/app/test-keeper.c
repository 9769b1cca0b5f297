/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs on disk: there and back, of several windows, whatever moment a window dies at, on a full disk, in a
 * folder that vanishes.
 */
#include "../folder.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "files/weights.h"
#include "kept_rig.h"

static LsSnapshot *sample;
static char *home;

static void
test_there_and_back (void)
{
  g_autoptr (LsKeeper) next = ls_keeper_new (), last = ls_keeper_new ();
  g_autoptr (LsKeptRun) run = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  guint n;
  const LsOption *rows = ls_options_table (&n);
  float **values;

  g_assert_null (ls_keeper_find (next, &why));
  g_assert_cmpstr (why, ==, NULL);
  kept_crash (sample);
  run = ls_keeper_find (next, &why);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_nonnull (run);
  g_assert_cmpuint (run->step, ==, KEPT_STEP);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *was = ls_options_get (sample->options, &rows[i]),
                      *is = ls_options_get (run->options, &rows[i]);
      const gboolean pace = strcmp (rows[i].name, "pace") == 0;
      g_assert_cmpstr (is, ==, pace ? rows[i].default_text : was);
      g_assert_cmpint (ls_options_is_given (run->options, &rows[i]), ==,
                       !pace && ls_options_is_given (sample->options, &rows[i]));
    }
  g_assert_cmpuint (run->recording->step, ==, KEPT_STEP);
  g_assert_cmpuint (run->recording->lanes[0].n_steps, ==, KEPT_STEP);
  values = ls_weights_load (run->weights, sample->plan, &error);
  g_assert_no_error (error);
  for (guint p = 0; p < sample->plan->n_params; p++)
    {
      const gsize bytes = ls_tensor_bytes (&sample->plan->tensors[sample->plan->params[p].weight]);
      g_assert_cmpmem (values[p], bytes, sample->weights->values[p], bytes);
    }
  ls_weights_free (values);
  /* it stays as long as its finder, who has nothing of its own yet */
  kept_assert_list ("1/lock 1/recording-1 1/run.json 1/weights-1");
  /* a window that ends before the user has decided leaves it to the next one */
  ls_keeper_end (next, FALSE);
  kept_assert_list ("1/lock 1/recording-1 1/run.json 1/weights-1");
  again = ls_keeper_find (last, &why);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->step, ==, KEPT_STEP);
  ls_keeper_end (last, TRUE);
  kept_assert_list ("");
}

/* Of what is kept again nothing old is left; a recording that is there already isn't written twice. */
static void
test_again (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (kept_save (sample, keeper, 1, NULL, &error));
  kept_assert_list ("1/lock 1/run.json 1/weights-1");
  g_assert_true (kept_save (sample, keeper, 20, sample->recording, &error));
  kept_assert_list ("1/lock 1/recording-2 1/run.json 1/weights-2");
  g_assert_true (kept_save (sample, keeper, 21, sample->recording, &error));
  kept_assert_list ("1/lock 1/recording-2 1/run.json 1/weights-3");
  g_assert_true (kept_save (sample, keeper, 22, NULL, &error));
  kept_assert_list ("1/lock 1/run.json 1/weights-4");
  ls_keeper_end (keeper, TRUE);
  kept_assert_list ("");
  /* who has ended keeps nothing */
  g_assert_true (kept_save (sample, keeper, 23, NULL, &error));
  kept_assert_list ("");
}

static void
test_several (void)
{
  g_autoptr (LsKeeper) a = ls_keeper_new (), b = ls_keeper_new (), c = NULL, d = ls_keeper_new (), e = NULL;
  g_autoptr (LsKeptRun) run = NULL, none = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  g_assert_true (kept_save (sample, a, 3, NULL, &error));
  g_assert_true (kept_save (sample, b, 7, NULL, &error));
  g_assert_null (ls_keeper_find (d, &why));
  g_assert_cmpstr (why, ==, NULL);
  kept_crash (sample);
  c = ls_keeper_new ();
  g_assert_true (kept_save (sample, c, 9, NULL, &error));
  g_clear_pointer (&c, ls_keeper_unref); /* a crash */
  /* the newest of two; the older one goes, and those that live stay */
  run = ls_keeper_find (d, &why);
  g_assert_cmpuint (run->step, ==, 9);
  kept_assert_list (
    "1/lock 1/run.json 1/weights-1 2/lock 2/run.json 2/weights-1 4/lock 4/run.json 4/weights-1");
  none = ls_keeper_find (a, &why); /* d has it */
  g_assert_null (none);
  g_clear_pointer (&d, ls_keeper_unref); /* another crash, before anything of it was kept */
  e = ls_keeper_new ();
  again = ls_keeper_find (e, &why);
  g_assert_cmpuint (again->step, ==, 9);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_true (kept_save (sample, e, 12, NULL, &error));
  g_clear_pointer (&e, ls_keeper_unref); /* and another, after */
  e = ls_keeper_new ();
  ls_kept_run_unref (again);
  again = ls_keeper_find (e, &why);
  g_assert_cmpuint (again->step, ==, 12);
  ls_keeper_end (a, TRUE);
  ls_keeper_end (b, TRUE);
  ls_keeper_end (e, TRUE);
  kept_assert_list ("");
}

/* ---- places ---- */

/* In the child: no file may grow beyond that, as if the disk were full: the weights find room, the recording
 * doesn't; then the weights don't, either. What was kept stays, and nothing lies beside it. */
static void
test_full_child (void)
{
  static const rlim_t most[] = { 8192, 700 };
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (GError) error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (kept_save (sample, keeper, 20, NULL, &error));
  for (guint i = 0; i < 4; i++)
    {
      const struct rlimit limit = { .rlim_cur = most[i / 2], .rlim_max = most[i / 2] };
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      g_assert_false (kept_save (sample, keeper, 30 + i, sample->recording, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
      g_assert_nonnull (strstr (error->message, i < 2 ? "recording-" : "weights-"));
      g_clear_error (&error);
      kept_assert_list ("1/lock 1/run.json 1/weights-1");
    }
}

static void
test_full (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (LsKeptRun) run = NULL;
  g_autofree char *why = NULL;

  g_test_trap_subprocess ("/keeper/full/subprocess/child", 0, 0);
  g_test_trap_assert_passed ();
  run = ls_keeper_find (keeper, &why);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_cmpuint (run->step, ==, 20);
  ls_keeper_end (keeper, TRUE);
}

/* A home that is taken away, and is a file for a while, and comes back. */
static void
test_vanishes (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new (), next = NULL;
  g_autoptr (LsKeptRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  g_assert_true (kept_save (sample, keeper, 20, sample->recording, &error));
  remove_tree (home);
  g_assert_true (g_file_set_contents (home, "", 0, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (kept_save (sample, keeper, 21, sample->recording, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
      g_assert_true (g_str_has_suffix (error->message, "."));
      g_clear_error (&error);
    }
  g_assert_cmpint (g_remove (home), ==, 0);
  g_assert_true (kept_save (sample, keeper, 22, sample->recording, &error));
  g_assert_no_error (error);
  kept_assert_list ("1/lock 1/recording-2 1/run.json 1/weights-2");
  /* it is held there, too */
  next = ls_keeper_new ();
  g_assert_null (ls_keeper_find (next, &why));
  g_clear_pointer (&keeper, ls_keeper_unref);
  run = ls_keeper_find (next, &why);
  g_assert_cmpuint (run->step, ==, 22);
  remove_tree (home);
  ls_keeper_end (next, TRUE); /* nothing to remove any more */
}

/* Not even this may be written to. */
static void
test_read_only (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *runs = kept_runs ();

  if (geteuid () == 0)
    {
      g_test_skip ("nothing is read-only to the superuser");
      return;
    }
  g_assert_true (kept_save (sample, keeper, 20, NULL, &error));
  ls_keeper_end (keeper, TRUE);
  g_assert_cmpint (g_chmod (runs, 0500), ==, 0);
  ls_keeper_unref (keeper);
  keeper = ls_keeper_new ();
  g_assert_false (kept_save (sample, keeper, 20, NULL, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_assert_cmpint (g_chmod (runs, 0700), ==, 0);
}

/* Who has ended finds nothing any more, and leaves what is there to the next one. */
static void
test_ended_finds_none (void)
{
  g_autoptr (LsKeeper) ended = ls_keeper_new (), next = ls_keeper_new ();
  g_autoptr (LsKeptRun) none = NULL, run = NULL;
  g_autofree char *why = NULL;

  kept_crash (sample);
  ls_keeper_end (ended, FALSE);
  none = ls_keeper_find (ended, &why);
  g_assert_null (none);
  g_assert_cmpstr (why, ==, NULL);
  kept_assert_list ("1/lock 1/recording-1 1/run.json 1/weights-1");
  run = ls_keeper_find (next, &why);
  g_assert_nonnull (run);
  g_assert_cmpuint (run->step, ==, KEPT_STEP);
  ls_keeper_end (next, TRUE);
  kept_assert_list ("");
}

/* A folder that was removed, and made again by another window, is that one's: nothing is written into it, and
 * nothing of it is removed. */
static void
test_replaced (void)
{
  g_autoptr (LsKeeper) first = ls_keeper_new (), second = ls_keeper_new (), other = ls_keeper_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *runs = kept_runs ();

  g_assert_true (kept_save (sample, first, 1, NULL, &error));
  g_assert_true (kept_save (sample, second, 2, NULL, &error));
  kept_assert_list ("1/lock 1/run.json 1/weights-1 2/lock 2/run.json 2/weights-1");
  remove_tree (runs);
  g_assert_true (kept_save (sample, other, 7, NULL, &error));
  kept_assert_list ("1/lock 1/run.json 1/weights-1");
  g_assert_true (kept_save (sample, first, 3, NULL, &error));
  kept_assert_list ("1/lock 1/run.json 1/weights-1 2/lock 2/run.json 2/weights-2");
  ls_keeper_end (second, TRUE); /* whose folder is the first one's now */
  kept_assert_list ("1/lock 1/run.json 1/weights-1 2/lock 2/run.json 2/weights-2");
  ls_keeper_end (first, TRUE);
  kept_assert_list ("1/lock 1/run.json 1/weights-1");
  ls_keeper_end (other, TRUE);
  kept_assert_list ("");
}

/* ---- death ---- */

/* Step n has weights that are all n. */
static void
keep_for_ever (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  const LsPlan *plan = sample->plan;

  for (guint64 step = 1;; step++)
    {
      for (guint p = 0; p < plan->n_params; p++)
        for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[plan->params[p].weight]); i++)
          sample->weights->values[p][i] = (float) step;
      kept_save (sample, keeper, step, NULL, NULL);
    }
}

/* Until it has kept one: a busy machine begins late. */
static void
wait_kept (void)
{
  for (gboolean is = FALSE; !is;)
    {
      g_autofree char *list = kept_list ();

      is = strstr (list, LS_KEPT_RUN_NAME) != NULL;
      g_usleep (100);
    }
}

/* What is there afterwards is whole, and of one step. */
static void
test_killed (void)
{
  guint found = 0;

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (LsKeeper) keeper = ls_keeper_new ();
      g_autoptr (LsKeptRun) run = NULL;
      g_autofree char *why = NULL;
      const pid_t child = fork ();
      float **values;

      if (child == 0)
        keep_for_ever ();
      if (i % 2 == 0)
        wait_kept ();
      g_usleep ((gulong) g_test_rand_int_range (500, 20000));
      g_assert_cmpint (kill (child, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
      run = ls_keeper_find (keeper, &why);
      g_assert_cmpstr (why, ==, NULL);
      if (run != NULL)
        {
          found++;
          values = ls_weights_load (run->weights, sample->plan, NULL);
          g_assert_nonnull (values);
          g_assert_cmpfloat (values[0][0], ==, (float) run->step);
          g_assert_cmpfloat (values[sample->plan->n_params - 1][0], ==, (float) run->step);
          ls_weights_free (values);
        }
      ls_keeper_end (keeper, TRUE);
      kept_assert_list ("");
    }
  g_assert_cmpuint (found, >, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("keeper-XXXXXX", NULL);
  int status;

  /* a child of a test works in its parent's folder */
  home = g_getenv ("LOCKSTEP_TEST_PATH") != NULL ? g_strdup (g_getenv ("LOCKSTEP_TEST_PATH"))
                                                 : g_build_filename (folder, "home", NULL);
  g_setenv ("LOCKSTEP_TEST_PATH", home, TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  sample = kept_snapshot ();
  g_test_add_func ("/keeper/there-and-back", test_there_and_back);
  g_test_add_func ("/keeper/again", test_again);
  g_test_add_func ("/keeper/several", test_several);
  g_test_add_func ("/keeper/full", test_full);
  g_test_add_func ("/keeper/ended-finds-none", test_ended_finds_none);
  g_test_add_func ("/keeper/replaced", test_replaced);
  g_test_add_func ("/keeper/full/subprocess/child", test_full_child);
  g_test_add_func ("/keeper/vanishes", test_vanishes);
  g_test_add_func ("/keeper/read-only", test_read_only);
  g_test_add_func ("/keeper/killed", test_killed);
  status = g_test_run ();
  ls_snapshot_unref (sample);
  remove_tree (folder);
  g_free (home);
  return status;
}
