/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs on disk: there and back, of several windows, whatever moment a window dies at, on a full disk, in a
 * folder that vanishes; and whatever is damaged is refused in a sentence and goes.
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
assert_list (const char *expected)
{
  g_autofree char *list = kept_list ();

  g_assert_cmpstr (list, ==, expected);
}

static gboolean
save (LsKeeper *keeper, guint64 step, LsRecording *recording, GError **error)
{
  return ls_keeper_save (keeper, sample->options, sample->plan, step,
                         (const float *const *) sample->weights->values, recording, error);
}

static char *
in_runs (const char *name)
{
  g_autofree char *runs = kept_runs ();

  return g_build_filename (runs, name, NULL);
}

static void
test_there_and_back (void)
{
  g_autoptr (LsKeeper) next = ls_keeper_new ();
  g_autoptr (LsKeptRun) run = NULL;
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
  assert_list ("1/lock 1/recording-1 1/run.json 1/weights-1");
  ls_keeper_end (next);
  assert_list ("");
}

/* Of what is kept again nothing old is left; a recording that is there already isn't written twice. */
static void
test_again (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (save (keeper, 1, NULL, &error));
  assert_list ("1/lock 1/run.json 1/weights-1");
  g_assert_true (save (keeper, 20, sample->recording, &error));
  assert_list ("1/lock 1/recording-2 1/run.json 1/weights-2");
  g_assert_true (save (keeper, 21, sample->recording, &error));
  assert_list ("1/lock 1/recording-2 1/run.json 1/weights-3");
  g_assert_true (save (keeper, 22, NULL, &error));
  assert_list ("1/lock 1/run.json 1/weights-4");
  ls_keeper_end (keeper);
  assert_list ("");
  /* who has ended keeps nothing */
  g_assert_true (save (keeper, 23, NULL, &error));
  assert_list ("");
}

static void
test_several (void)
{
  g_autoptr (LsKeeper) a = ls_keeper_new (), b = ls_keeper_new (), c = NULL, d = ls_keeper_new (), e = NULL;
  g_autoptr (LsKeptRun) run = NULL, none = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  g_assert_true (save (a, 3, NULL, &error));
  g_assert_true (save (b, 7, NULL, &error));
  g_assert_null (ls_keeper_find (d, &why));
  g_assert_cmpstr (why, ==, NULL);
  kept_crash (sample);
  c = ls_keeper_new ();
  g_assert_true (save (c, 9, NULL, &error));
  g_clear_pointer (&c, ls_keeper_unref); /* a crash */
  /* the newest of two; the older one goes, and those that live stay */
  run = ls_keeper_find (d, &why);
  g_assert_cmpuint (run->step, ==, 9);
  assert_list ("1/lock 1/run.json 1/weights-1 2/lock 2/run.json 2/weights-1 4/lock 4/run.json 4/weights-1");
  none = ls_keeper_find (a, &why); /* d has it */
  g_assert_null (none);
  g_clear_pointer (&d, ls_keeper_unref); /* another crash, before anything of it was kept */
  e = ls_keeper_new ();
  again = ls_keeper_find (e, &why);
  g_assert_cmpuint (again->step, ==, 9);
  g_assert_cmpstr (why, ==, NULL);
  g_assert_true (save (e, 12, NULL, &error));
  g_clear_pointer (&e, ls_keeper_unref); /* and another, after */
  e = ls_keeper_new ();
  ls_kept_run_unref (again);
  again = ls_keeper_find (e, &why);
  g_assert_cmpuint (again->step, ==, 12);
  ls_keeper_end (a);
  ls_keeper_end (b);
  ls_keeper_end (e);
  assert_list ("");
}

/* ---- damage ---- */

/* Kept by a window that crashed, it isn't used, why says a sentence with the words in it, and it goes. */
static void
assert_refused (const char *words, const char *what)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autofree char *why = NULL;
  g_autoptr (LsKeptRun) run = ls_keeper_find (keeper, &why);

  if (run != NULL || why == NULL || !g_str_has_suffix (why, ".") || strchr (why, '\n') != NULL
      || (words != NULL && strstr (why, words) == NULL))
    g_error ("%s: “%s” was expected, not: %s", what, words != NULL ? words : "a sentence",
             why != NULL ? why : "nothing");
  assert_list ("");
}

static void
test_hostile (void)
{
  static const struct {
    const char *from, *to, *words;
  } rows[] = {
    { "\"format\": 1", "\"format\": 2", "format" },
    { "\"format\": 1", "\"format\": \"1\"", "format" },
    { "\"step\": 20", "\"step\": 0", "step" },
    { "\"step\": 20", "\"step\": -1", "step" },
    { "\"step\": 20", "\"step\": 16777216", "step" },
    { "\"step\": 20", "\"step\": 19", "another run" }, /* its recorded step is the 20th */
    { "\"step\": 20", "\"step\": 1e400", NULL },
    { "\"weights\": 1", "\"weights\": 0", "weights" },
    { "\"weights\": 1", "\"weights\": 2", "weights-2" },
    { "\"weights\": 1", "\"weights\": \"../../1/weights-1\"", "weights" },
    { "\"recording\": 1", "\"recording\": 3", "recording-3" },
    { "\"recording\": 1", "\"recording\": -1", "recording" },
    { "\"classes\": 3", "\"classes\": 0", "classes" },
    { "\"classes\": 3", "\"classes\": 2000000000", NULL },
    { "\"shape\": [", "\"shape\": [1000000000,", "shape" },
    { "\"64\"", "\"0\"", "batch" },
    { "\"64\"", "\"63\"", "another run" },
    { "\"64\"", "64", "batch" },
    { "\"64\"", "\"64\", \"nonsense\": \"1\"", "nonsense" },
    { "\"64\"", "\"64\", \"pace\": \"full\"", "pace" },
    { "dense 16", "dense 17", "weights-1" },
    { "dense 16", "dense 1000000000", NULL },
    { "relu", "tanh", "another run" },
    { "relu", "nonsense", "nonsense" },
    { "{", "", NULL },
    { "{", "[", NULL },
    { "\"options\": {", "\"options\": [], \"x\": {", "options" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = in_runs ("1/run.json"), *text = NULL;
      const char *at;
      g_autoptr (GString) other = NULL;

      kept_crash (sample);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      at = strstr (text, rows[i].from);
      if (at == NULL)
        g_error ("“%s” isn’t in %s", rows[i].from, text);
      other = g_string_new_len (text, at - text);
      g_string_append_printf (other, "%s%s", rows[i].to, at + strlen (rows[i].from));
      g_assert_true (g_file_set_contents (path, other->str, -1, NULL));
      assert_refused (rows[i].words, rows[i].to);
    }
}

static void
test_damaged (void)
{
  static const char *const names[] = { "1/run.json", "1/weights-1", "1/recording-1" };
  static const double cuts[] = { 0, .01, .5, .99 };

  for (gsize f = 0; f < G_N_ELEMENTS (names); f++)
    {
      g_autofree char *path = in_runs (names[f]);

      for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
        {
          struct stat facts;
          kept_crash (sample);
          g_assert_cmpint (stat (path, &facts), ==, 0);
          g_assert_cmpint (truncate (path, (off_t) (cuts[i] * (double) facts.st_size)), ==, 0);
          assert_refused (NULL, names[f]);
        }
      for (gsize i = 0; i < 4; i++)
        {
          kept_crash (sample);
          g_assert_cmpint (g_remove (path), ==, 0);
          if (i == 0)
            g_assert_cmpint (mkfifo (path, 0600), ==, 0);
          else if (i == 1)
            g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
          else if (i == 2)
            {
              g_assert_true (g_file_set_contents (path, "", 0, NULL));
              g_assert_cmpint (truncate (path, (off_t) 1 << 34), ==, 0); /* 16 GiB of nothing */
            }
          else if (f == 0)
            g_assert_cmpint (symlink ("run.json", path), ==, 0); /* a circle: as good as none */
          if (f > 0 || i < 3)
            assert_refused (NULL, names[f]);
          else
            {
              g_autoptr (LsKeeper) keeper = ls_keeper_new ();
              g_autofree char *why = NULL;
              g_assert_null (ls_keeper_find (keeper, &why));
            }
          assert_list ("");
        }
    }
}

/* Any bit of run.json may be another one: it is refused or it is whole, and nothing is left behind. */
static void
test_flipped (void)
{
  g_autofree char *path = in_runs ("1/run.json"), *text = NULL;
  gsize length, found = 0;

  kept_crash (sample);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize i = 0; i < length; i++)
    {
      g_autoptr (LsKeeper) keeper = ls_keeper_new ();
      g_autoptr (LsKeptRun) run = NULL;
      g_autofree char *why = NULL;

      if (i > 0)
        kept_crash (sample);
      text[i] = (char) (text[i] ^ 1 << i % 8);
      g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
      text[i] = (char) (text[i] ^ 1 << i % 8);
      run = ls_keeper_find (keeper, &why);
      g_assert_true ((run != NULL) != (why != NULL));
      found += run != NULL;
      ls_keeper_end (keeper);
      assert_list ("");
    }
  g_assert_cmpuint (found, <, length / 2);
}

/* What died before it had kept anything leaves nothing to speak of. */
static void
test_partial (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();
  g_autofree char *path = in_runs ("1/run.json"), *empty = in_runs ("7"), *other = in_runs ("notes"),
                  *why = NULL;

  kept_crash (sample);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  g_assert_true (g_file_set_contents (other, "not ours", -1, NULL));
  g_assert_null (ls_keeper_find (keeper, &why));
  g_assert_cmpstr (why, ==, NULL);
  assert_list ("notes");
  g_assert_cmpint (g_remove (other), ==, 0);
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
  g_assert_true (save (keeper, 20, NULL, &error));
  for (guint i = 0; i < 4; i++)
    {
      const struct rlimit limit = { .rlim_cur = most[i / 2], .rlim_max = most[i / 2] };
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      g_assert_false (save (keeper, 30 + i, sample->recording, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
      g_assert_nonnull (strstr (error->message, i < 2 ? "recording-" : "weights-"));
      g_clear_error (&error);
      assert_list ("1/lock 1/run.json 1/weights-1");
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
  ls_keeper_end (keeper);
}

/* A home that is taken away, and is a file for a while, and comes back. */
static void
test_vanishes (void)
{
  g_autoptr (LsKeeper) keeper = ls_keeper_new (), next = NULL;
  g_autoptr (LsKeptRun) run = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;

  g_assert_true (save (keeper, 20, sample->recording, &error));
  remove_tree (home);
  g_assert_true (g_file_set_contents (home, "", 0, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (save (keeper, 21, sample->recording, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
      g_assert_true (g_str_has_suffix (error->message, "."));
      g_clear_error (&error);
    }
  g_assert_cmpint (g_remove (home), ==, 0);
  g_assert_true (save (keeper, 22, sample->recording, &error));
  g_assert_no_error (error);
  assert_list ("1/lock 1/recording-2 1/run.json 1/weights-2");
  /* it is held there, too */
  next = ls_keeper_new ();
  g_assert_null (ls_keeper_find (next, &why));
  g_clear_pointer (&keeper, ls_keeper_unref);
  run = ls_keeper_find (next, &why);
  g_assert_cmpuint (run->step, ==, 22);
  remove_tree (home);
  ls_keeper_end (next); /* nothing to remove any more */
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
  g_assert_true (save (keeper, 20, NULL, &error));
  ls_keeper_end (keeper);
  g_assert_cmpint (g_chmod (runs, 0500), ==, 0);
  ls_keeper_unref (keeper);
  keeper = ls_keeper_new ();
  g_assert_false (save (keeper, 20, NULL, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_FILE);
  g_assert_cmpint (g_chmod (runs, 0700), ==, 0);
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
      save (keeper, step, NULL, NULL);
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
      ls_keeper_end (keeper);
      assert_list ("");
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
  g_test_add_func ("/keeper/hostile", test_hostile);
  g_test_add_func ("/keeper/damaged", test_damaged);
  g_test_add_func ("/keeper/flipped", test_flipped);
  g_test_add_func ("/keeper/partial", test_partial);
  g_test_add_func ("/keeper/full", test_full);
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
