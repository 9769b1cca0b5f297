/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session and what is left of runs: a run is kept while it trains; one that a crash has broken off is
 * offered, and gone on with where its weights are; who can't keep says so once, and trains on.
 */
#include "../folder.h"

#include <string.h>

#include "kept_rig.h"
#include "session_rig.h"
#include "core/number.h"

static char *home;

static gboolean
offers (const Watch *w, guint64 unused)
{
  g_autofree char *words = ls_session_kept_words (w->session);

  return words != NULL;
}

static gboolean
has_kept (const Watch *w, guint64 unused)
{
  g_autofree char *path = g_build_filename (home, "lockstep", "runs", "1", "run.json", NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
has_said (const Watch *w, guint64 messages)
{
  return w->n_messages >= messages;
}

static gboolean
is_over (const Watch *w, guint64 unused)
{
  return ls_session_over (w->session);
}

static gboolean
has_looked (const Watch *w, guint64 ms)
{
  return g_get_monotonic_time () >= (gint64) ms * 1000;
}

/* It had its chance to find something. */
static void
assert_offers_nothing (Watch *w)
{
  wait_for (w, has_looked, (guint64) g_get_monotonic_time () / 1000 + 500, "half a second");
  g_assert_false (offers (w, 0));
}

/* Over when it was broken off, with the recorded step of KEPT_STEP. */
static void
leave_behind (guint64 step)
{
  g_autoptr (LsSnapshot) run = kept_snapshot ();
  g_autoptr (LsKeeper) keeper = ls_keeper_new ();

  g_assert_true (ls_keeper_save (keeper, run->options, run->plan, step,
                                 (const float *const *) run->weights->values, run->recording, NULL));
}

static void
go_on (guint64 step, guint64 target)
{
  g_autoptr (LsOptions) other = small ("cpu");
  g_autofree char *words = NULL, *count = ls_number_count (step),
                  *after = g_strdup_printf ("after step %s", count), *learnt = NULL, *from = NULL;
  LsOptions const *options;
  const LsSnapshot *s;
  Watch w;

  leave_behind (step);
  watch (&w);
  ls_session_keep_runs (w.session, NULL);
  ls_session_train (w.session, other);
  wait_for (&w, offers, 0, "the offer");
  words = ls_session_kept_words (w.session);
  g_assert_nonnull (strstr (words, after));
  g_assert_nonnull (strstr (words, "recorded step"));
  /* it is no hurry */
  wait_for (&w, trained, 50, "50 steps of the run that has begun meanwhile");
  ls_session_set_pace (w.session, LS_PACE_FULL);
  ls_session_go_on (w.session);
  g_assert_nonnull (strstr (w.message, after));
  g_assert_false (offers (&w, 0));
  options = ls_session_options (w.session);
  g_assert_cmpstr (options->lanes, ==, "reference");
  g_assert_cmpint (options->seed, ==, 5);
  g_assert_cmpint (options->steps, ==, 40);
  g_assert_cmpint (options->pace, ==, LS_PACE_FULL);
  g_assert_cmpuint (ls_history_n (ls_session_history (w.session)), ==, 1);
  g_assert_cmpuint (ls_history_get (ls_session_history (w.session), 0)->step, ==, KEPT_STEP);
  wait_for (&w, is_over, 0, "the end");
  s = ls_session_snapshot (w.session);
  g_assert_cmpuint (s->begun, ==, step);
  g_assert_cmpuint (s->target, ==, target);
  g_assert_cmpuint (s->lanes[0].steps, ==, target);
  /* what it took is told of its own steps */
  learnt = ls_session_learnt (w.session);
  count = (g_free (count), ls_number_count (step + 1));
  from = g_strdup_printf ("from step %s on", count);
  g_assert_nonnull (strstr (learnt, from));
  /* the recorded step of before the crash can still be gone back to */
  g_assert_cmpuint (ls_history_get (ls_session_history (w.session), 0)->step, ==, KEPT_STEP);
  g_assert_nonnull (ls_session_shown (w.session));
  watch_end (&w);
  g_assert_false (has_kept (&w, 0));
}

static void
test_go_on (void)
{
  go_on (KEPT_STEP, 40);
}

/* A run that was over is trained on for as many steps as it was to have. */
static void
test_train_on (void)
{
  go_on (40, 80);
}

/* Whoever asks for another run at the start isn't asked; one that asks for the same is. */
static void
test_given (void)
{
  static const struct {
    const char *name, *text;
    gboolean same;
  } rows[] = { { "data", "spiral", TRUE },
               { "data", "moons", FALSE },
               { "steps", "41", FALSE },
               { "seed", "1", FALSE },
               { "pace", "step", TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) given = ls_options_new ();
      g_autofree char *list = NULL;
      Watch w;

      g_assert_true (ls_options_set (given, ls_options_find (rows[i].name), rows[i].text, NULL));
      leave_behind (KEPT_STEP);
      watch (&w);
      ls_session_keep_runs (w.session, given);
      if (rows[i].same)
        wait_for (&w, offers, 0, "the offer");
      else
        assert_offers_nothing (&w);
      ls_session_leave_kept (w.session);
      g_assert_false (offers (&w, 0));
      g_assert_true (has_kept (&w, 0)); /* for this session */
      watch_end (&w);
      list = kept_list ();
      /* who wasn't asked has decided nothing: it waits for a window that is */
      g_assert_cmpstr (list, ==, rows[i].same ? "" : "1/lock 1/recording-1 1/run.json 1/weights-1");
      if (rows[i].same)
        continue;
      watch (&w);
      ls_session_keep_runs (w.session, NULL);
      wait_for (&w, offers, 0, "the offer, for who asks for nothing else");
      ls_session_leave_kept (w.session);
      watch_end (&w);
      g_free (list);
      list = kept_list ();
      g_assert_cmpstr (list, ==, "");
    }
}

static void
test_kept (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  Watch w, other;

  watch (&w);
  ls_session_keep_runs (w.session, NULL);
  ls_session_train (w.session, o);
  wait_for (&w, has_kept, 0, "a run that is kept");
  watch (&other);
  ls_session_keep_runs (other.session, NULL);
  assert_offers_nothing (&other);
  watch_end (&other);
  g_assert_true (has_kept (&w, 0));
  watch_end (&w);
  g_assert_false (has_kept (&w, 0));
}

#define OTHER_SEED "7654321"

static gboolean
has_kept_other (const Watch *w, guint64 unused)
{
  g_autofree char *path = g_build_filename (home, "lockstep", "runs", "1", "run.json", NULL), *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, OTHER_SEED) != NULL;
}

/* Another run is kept from its own first weights on, however far the one before had come. */
static void
test_anew (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  g_autoptr (LsOptions) other = small ("cpu");
  Watch w;

  other->pace = LS_PACE_WATCH; /* some steps a second */
  g_assert_true (ls_options_set (other, ls_options_find ("seed"), OTHER_SEED, NULL));
  watch (&w);
  ls_session_keep_runs (w.session, NULL);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 2000, "2000 steps of the first run");
  wait_for (&w, has_kept, 0, "the first run that is kept");
  ls_session_train (w.session, other);
  wait_for (&w, has_kept_other, 0, "the other run that is kept");
  watch_end (&w);
}

/* A session that wasn't told to keep runs writes nothing. */
static void
test_not_kept (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  g_autofree char *list = NULL;
  Watch w;

  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 500, "500 steps");
  watch_end (&w);
  list = kept_list ();
  g_assert_cmpstr (list, ==, "");
}

static void
test_no_place (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  guint64 steps;
  Watch w;

  remove_tree (home);
  g_assert_true (g_file_set_contents (home, "", 0, NULL));
  watch (&w);
  ls_session_keep_runs (w.session, NULL);
  ls_session_train (w.session, o);
  wait_for (&w, has_said, 1, "a sentence");
  g_assert_true (g_str_has_prefix (w.message, "After a crash"));
  g_assert_nonnull (strstr (w.message, "lockstep/runs"));
  steps = ls_session_snapshot (w.session)->lanes[0].steps;
  wait_for (&w, trained, steps + 1000, "a thousand steps more");
  wait_for (&w, has_looked, (guint64) g_get_monotonic_time () / 1000 + 6000, "the next attempt");
  g_assert_cmpuint (w.n_messages, ==, 1);
  g_assert_cmpint (g_remove (home), ==, 0);
  wait_for (&w, has_kept, 0, "a run that is kept, now that there is a place");
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("session-kept-XXXXXX", NULL);
  int status;

  home = g_build_filename (folder, "home", NULL);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-kept/go-on", test_go_on);
  g_test_add_func ("/session-kept/train-on", test_train_on);
  g_test_add_func ("/session-kept/given", test_given);
  g_test_add_func ("/session-kept/kept", test_kept);
  g_test_add_func ("/session-kept/anew", test_anew);
  g_test_add_func ("/session-kept/not-kept", test_not_kept);
  g_test_add_func ("/session-kept/no-place", test_no_place);
  status = g_test_run ();
  remove_tree (folder);
  g_free (home);
  return status;
}
