/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What other settings and other runs do to the session: who is told, what goes with what was before, and what
 * stays.
 */
#include <string.h>

#include "core/error.h"
#include "lanes_rig.h"
#include "ui/app/session/session_tune.h"

/* ---- settings ---- */

/* A change while they train: the lanes are told, the pace stays the session's, what was recorded before shows
 * the old way and isn't waited for, and the next step is shown. Over a recording they are told, and nothing
 * is recorded; without a run there is nobody to tell. */
static void
test_configure (void)
{
  enum { LIVE, PLAYBACK, NOBODY, N };

  for (guint i = 0; i < N; i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      g_autoptr (LsOptions) after = ls_options_copy (self->options);

      ls_session_set_pace (self, LS_PACE_WATCH);
      ls_session_want_record (self); /* on its way */
      g_string_truncate (lanes.told, 0);
      self->best = lanes_step (110);
      self->ready = lanes_step (120);
      self->aside = lanes_step (130);
      self->n_aside = self->tried = 3;
      self->file = i == PLAYBACK ? lanes_step (150) : NULL;
      if (i == NOBODY)
        self->coordinator = NULL;
      ls_options_set (after, ls_options_find ("lanes"), "cpu(threads=2),opencl", NULL);
      ls_options_set (after, ls_options_find ("lr"), "0.125", NULL);
      after->pace = LS_PACE_STEP;
      g_assert_cmpint (((const LsLaneSpec *) ls_session_specs (self)->pdata[0])->options->threads, !=, 2);
      ls_session_configure (self, after);
      lanes_assert_told (i == LIVE ? "configure watch; record" : i == PLAYBACK ? "configure watch" : "");
      g_assert_cmpint (ls_session_pace (self), ==, LS_PACE_WATCH);
      g_assert_cmpfloat (ls_session_options (self)->lr, ==, .125);
      g_assert_cmpstr (ls_session_options (self)->lanes, ==, "cpu(threads=2),opencl");
      g_assert_cmpint (((const LsLaneSpec *) ls_session_specs (self)->pdata[0])->options->threads, ==, 2);
      g_assert_cmpint (self->show_next, ==, i == LIVE);
      g_assert_cmpint (self->best == NULL && self->ready == NULL && self->tried == 0, ==, i == LIVE);
      g_assert_cmpint (self->aside == NULL && self->n_aside == 0, ==, i == LIVE);
      lanes_done (view);
    }
}

/* Who stands where is told, with the step that is shown where it is; what was said of a side isn't any more.
 * Words about a change go when they have been seen, and that once. */
static void
test_sides (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;
  const char *right = ls_session_data (self)->sides[1].id;

  ls_session_seek (self, ls_playhead_span (&self->playhead) / 2);
  const gint64 time_ns = self->playhead.time_ns;
  self->aside = lanes_step (130);
  self->n_aside = 2;
  guint n_data = view->n_data, n_states = view->n_states;
  ls_session_stand (self, 0, right);
  g_assert_cmpuint (view->n_data, ==, n_data + 1);
  g_assert_cmpuint (view->n_states, ==, n_states + 1);
  g_assert_null (self->aside);
  g_assert_cmpuint (self->n_aside, ==, 0);
  g_assert_cmpint (self->playhead.time_ns, ==, time_ns);
  self->changes[1].from = g_strdup ("Threads 1");
  self->changes[1].to = g_strdup ("2");
  n_data = view->n_data;
  g_assert_true (ls_session_drop_changes (self));
  g_assert_cmpuint (view->n_data, ==, n_data + 1);
  g_assert_false (ls_session_drop_changes (self));
  g_assert_cmpuint (view->n_data, ==, n_data + 1);
  lanes_done (view);
}

/* ---- runs ---- */

static LsOptions *
run_options (const char *lr, gint seed)
{
  LsOptions *options = ls_options_new ();

  ls_options_set (options, ls_options_find ("lr"), lr, NULL);
  ls_options_set (options, ls_options_find ("steps"), "300", NULL);
  options->seed = seed;
  return options;
}

/* Another run: those who trained are stopped and go, what they showed is gone but for their curves, which are
 * called by what is different now, and the new ones train once they are there; but not if it was stopped
 * meanwhile. A pace that is held holds for them, too. */
static void
test_another_run (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  g_autoptr (LsRecording) shown = lanes_step (100);
  static const struct {
    const char *lr, *label; /* that of the run before */
    gboolean stopped, held;
    const char *told;
  } rows[] = {
    { "0.25", "lr 0.5", FALSE, FALSE, "run 300" },
    { "0.25", "the run before", TRUE, FALSE, "" },
    { "0.125", "lr 0.25", FALSE, TRUE, "configure full; run 300" },
  };

  ls_options_free (self->options);
  self->options = run_options ("0.5", 1);
  self->stepped = self->show_next = TRUE;
  ls_session_take_recording (self, shown);
  memset (&lanes.runs, 0, sizeof lanes.runs);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = run_options (rows[i].lr, 1);

      if (rows[i].held)
        ls_session_hold_full (self, TRUE);
      self->over = TRUE;
      self->target = 7;
      g_string_truncate (lanes.told, 0);
      ls_session_train (self, options);
      lanes_assert_told ("pause");
      g_assert_cmpint (ls_session_mode (self), ==, LS_SESSION_STARTING);
      g_assert_true (ls_session_playing (self));
      g_assert_false (ls_session_over (self));
      g_assert_null (ls_session_shown (self));
      g_assert_null (ls_session_snapshot (self));
      g_assert_cmpuint (ls_history_n (self->history), ==, 0);
      g_assert_cmpint (ls_playhead_span (&self->playhead), ==, 0);
      g_assert_cmpuint (self->runs->len, ==, i + 1);
      g_assert_cmpstr (((const LsRunCurves *) self->runs->pdata[i])->label, ==, rows[i].label);
      if (rows[i].stopped)
        ls_session_set_playing (self, FALSE);
      lanes_wait_made (view);
      lanes_assert_told (rows[i].told);
      g_assert_cmpint (ls_session_mode (self), ==, LS_SESSION_LIVE);
      g_assert_cmpuint (self->target, ==, 300);
      g_assert_true (self->coordinator == (LsCoordinator *) &lanes.runs.seeds[i]);
      g_assert_cmpint (lanes.runs.begun, ==, i + 1);
      g_assert_cmpint (lanes.runs.gone[i], ==, 0);
      g_assert_true (i == 0 || lanes.runs.gone[i - 1] == 1);
      hand_over (view, running ());
    }
  lanes_done (view);
}

/* What is chosen while a run is being made holds for it: it is told so once it is there. */
static void
test_chosen_meanwhile (void)
{
  static const struct {
    const char *option, *value, *told;
  } rows[] = { { "lr", "0.25", "run 300" }, /* as it was */
               { "pace", "step", "configure step; run 300" },
               { "threads", "3", "configure full; run 300" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      View *view = lanes_view ();
      LsSession *self = view->session;
      g_autoptr (LsOptions) options = run_options ("0.25", 1);

      memset (&lanes.runs, 0, sizeof lanes.runs);
      g_atomic_int_set (&lanes.runs.held, 1);
      ls_session_train (self, options);
      ls_options_set (options, ls_options_find (rows[i].option), rows[i].value, NULL);
      ls_session_configure (self, options);
      ls_session_set_pace (self, (LsPace) options->pace);
      g_string_truncate (lanes.told, 0);
      g_atomic_int_set (&lanes.runs.held, 0);
      lanes_wait_made (view);
      if (strcmp (lanes.told->str, rows[i].told) != 0)
        g_error ("--%s %s is chosen while a run is made, which is told “%s”, not “%s”", rows[i].option,
                 rows[i].value, lanes.told->str, rows[i].told);
      lanes_done (view);
    }
}

/* Of two that are asked for at once the later one trains, and the other goes; one that can't be made, or
 * can't go on where another was broken off, says why, and stops the clock. */
static void
test_no_run (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  LsKeptRun *kept = g_atomic_rc_box_new0 (LsKeptRun);
  g_autoptr (LsOptions) one = run_options ("0.25", 1), two = run_options ("0.25", 2);

  kept->step = 700;
  kept->recording = lanes_step (690);
  kept->options = ls_options_copy (one);
  for (guint late = 0; late < 2; late++) /* whichever is made first */
    {
      memset (&lanes.runs, 0, sizeof lanes.runs);
      g_atomic_int_set (&lanes.runs.held, late ? 1 : 0);
      ls_session_train (self, one);
      ls_session_train (self, two);
      while (late && self->making != NULL)
        g_main_context_iteration (NULL, TRUE);
      g_atomic_int_set (&lanes.runs.held, 0);
      lanes_wait_made (view);
      for (guint i = 0; i < 2; i++)
        g_assert_cmpint (lanes.runs.gone[i], ==, lanes.runs.seeds[i] == 1);
      g_assert_nonnull (self->coordinator);
      g_assert_cmpint (*(const gint *) self->coordinator, ==, 2);
      self->coordinator = NULL;
    }

  for (gint fails = 2; fails >= 0; fails--)
    {
      const gint made = lanes.runs.made;
      const guint n_messages = view->n_messages;

      lanes.runs.fails = fails;
      g_string_truncate (lanes.told, 0);
      ls_session_train_from (self, one, kept);
      g_assert_null (ls_session_problem (self));
      g_assert_true (self->newest == kept->recording && ls_history_n (self->history) == 1);
      lanes_wait_made (view);
      g_assert_cmpint (lanes.runs.went_on, ==, fails == 1 ? 0 : 700);
      g_assert_cmpint (ls_session_mode (self), ==, fails ? LS_SESSION_FAILED : LS_SESSION_LIVE);
      g_assert_cmpint (ls_session_playing (self), ==, !fails);
      g_assert_true (fails == 0 || ls_session_data (self) == NULL); /* there is nothing that might be drawn */
      g_assert_cmpuint (view->n_messages, ==, n_messages + (fails > 0));
      g_assert_cmpint (lanes.runs.gone[made], ==, fails == 2);
      if (fails > 0)
        g_assert_cmpstr (view->message, ==,
                         fails == 2 ? "They are of another network." : "There are no such data.");
      g_assert_cmpstr (ls_session_problem (self), ==, fails > 0 ? view->message : NULL);
    }
  /* to the end of what it was to train when it was broken off */
  g_assert_cmpuint (self->target, ==, 900);
  g_assert_true (g_str_has_suffix (lanes.told->str, "run 900"));
  lanes_done (view);
  ls_kept_run_unref (kept);
}

/* ---- measuring ---- */

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer done)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsLabResult) found = ls_session_lab_finish (LS_SESSION (source), result, &error);

  g_assert_null (found);
  g_assert_error (error, LS_ERROR, LS_ERROR_CANCELLED);
  *(gboolean *) done = TRUE;
}

static void
not_tuned_cb (GObject *source, GAsyncResult *result, gpointer done)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (source), result, &error);

  g_assert_null (found);
  g_assert_cmpstr (error->message, ==, "An experiment is going on.");
  *(gboolean *) done = TRUE;
}

/* While something is measured no lane trains, whatever is pressed: whoever plays is told that it goes on
 * afterwards, and so it does; another run ends the measurement, and trains then. Nor is anything tuned. */
static void
test_while_measured (void)
{
  enum { NOTHING, PLAY, STEP, RUN, N };

  for (guint i = 0; i < 2 * N; i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;
      const guint what = i / 2;
      const gboolean played = i % 2;
      g_autoptr (LsOptions) options = run_options ("0.25", 1);
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      g_autoptr (GTask) task = NULL;
      g_autofree char *after = NULL;
      gboolean done = FALSE, refused = FALSE;

      memset (&lanes.runs, 0, sizeof lanes.runs);
      ls_session_seek (self, ls_playhead_span (&self->playhead));
      ls_session_set_playing (self, played);
      g_string_truncate (lanes.told, 0);
      task = ls_session_lab (self, &ls_experiment_batch, FALSE, cancel, stopped_cb, &done);
      lanes_assert_told (played ? "pause" : "");
      if (what == NOTHING)
        g_object_unref (ls_session_tune (self, NULL, not_tuned_cb, &refused));
      else if (what == PLAY)
        ls_session_set_playing (self, TRUE);
      else if (what == STEP)
        ls_session_step (self, 1);
      else if (what == RUN)
        {
          ls_session_train (self, options);
          lanes_assert_told ("pause");
          lanes_wait_made (view);
        }
      if (!done && (lanes.told->len > 0 || ls_session_playing (self))) /* a run that is made may outlast it */
        g_error ("%u: lanes are told “%s” while something is measured", i, lanes.told->str);
      g_assert_cmpuint (view->n_messages, ==, what == PLAY);
      if (what == PLAY)
        g_assert_cmpstr (view->message, ==, "Training goes on when the measurement has ended.");
      g_assert_cmpint (g_cancellable_is_cancelled (cancel), ==, what == RUN);
      g_cancellable_cancel (cancel);
      while (!done || (what == NOTHING && !refused))
        g_main_context_iteration (NULL, TRUE);
      after = g_strdup (what == RUN ? "run 300" : what == PLAY || played ? "run 500" : "");
      if (strcmp (lanes.told->str, after) != 0)
        g_error ("%u: once it is measured, lanes are told “%s”, not “%s”", i, lanes.told->str, after);
      g_assert_cmpint (ls_session_playing (self), ==, *after != '\0');
      lanes_done (view);
    }
}

/* ---- recordings ---- */

/* A recording that is closed leaves what was there before it: the run that trains, with its newest step from
 * the beginning; one that is still being made; or nothing. */
static void
test_closed (void)
{
  enum { TRAINS, IS_MADE, NOTHING, N };

  for (guint before = 0; before < N; before++)
    {
      View *view = before == TRAINS ? lanes_view_of_step () : lanes_view ();
      LsSession *self = view->session;
      g_autoptr (LsOptions) options = run_options ("0.25", 1);
      LsRecording *newest = self->newest;
      guint n_states;

      memset (&lanes.runs, 0, sizeof lanes.runs);
      g_atomic_int_set (&lanes.runs.held, 1);
      if (before == IS_MADE)
        ls_session_train (self, options);
      else if (before == NOTHING)
        self->coordinator = NULL;
      self->file = lanes_step (150);
      self->origin = g_strdup ("one.lockstep");
      self->mode = LS_SESSION_PLAYBACK;
      g_clear_pointer (&self->shown, ls_recording_unref);
      ls_session_rebuild (self); /* the picture's data are its own */
      ls_session_show (self, self->file, TRUE);
      ls_session_set_playing (self, TRUE);
      ls_session_seek (self, ls_playhead_span (&self->playhead) / 2);
      n_states = view->n_states;
      ls_session_close_file (self);
      g_assert_cmpint (ls_session_mode (self), ==,
                       before == TRAINS    ? LS_SESSION_LIVE
                       : before == IS_MADE ? LS_SESSION_STARTING
                                           : LS_SESSION_NONE);
      g_assert_false (ls_session_playing (self));
      g_assert_true (ls_session_shown (self) == newest);
      g_assert_true ((newest != NULL) == (before == TRAINS));
      g_assert_cmpint (self->playhead.time_ns, ==, 0);
      g_assert_cmpint (ls_playhead_span (&self->playhead) > 0, ==, newest != NULL);
      g_assert_true (self->file == NULL && self->origin == NULL && self->recorded == NULL);
      g_assert_cmpuint (view->n_states, >, n_states);
      n_states = view->n_states;
      ls_session_close_file (self); /* there is none any more */
      g_assert_cmpuint (view->n_states, ==, n_states);
      g_atomic_int_set (&lanes.runs.held, 0);
      lanes_wait_made (view);
      lanes_done (view);
    }
}

/* A run that can't be made while a recording is played back says so, and the recording plays on. */
static void
test_fails_beside (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  g_autoptr (LsOptions) options = run_options ("0.25", 1);

  memset (&lanes.runs, 0, sizeof lanes.runs);
  lanes.runs.fails = 1;
  g_atomic_int_set (&lanes.runs.held, 1);
  ls_session_train (self, options);
  self->file = lanes_step (150);
  self->mode = LS_SESSION_PLAYBACK;
  ls_session_show (self, self->file, TRUE);
  ls_session_set_playing (self, TRUE);
  g_atomic_int_set (&lanes.runs.held, 0);
  lanes_wait_made (view);
  g_assert_cmpstr (view->message, ==, "There are no such data.");
  if (ls_session_mode (self) != LS_SESSION_PLAYBACK || !ls_session_playing (self))
    g_error ("a recording %s because a run beside it couldn't be made",
             ls_session_playing (self) ? "is called a failed run" : "stopped");
  lanes.runs.fails = 0;
  lanes_done (view);
}

/* A recorded step is taken once, whatever is looked at meanwhile. */
static void
test_once (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;
  g_autoptr (LsRecording) first = ls_recording_ref (self->newest);
  LsSnapshot *snapshot = again (view->snapshot);

  snapshot->recording = lanes_step (110);
  hand_over (view, snapshot);
  g_assert_cmpuint (self->newest->step, ==, 110);
  g_assert_cmpuint (ls_history_n (self->history), ==, 2);
  g_assert_true (ls_session_shown (self) == first);
  for (guint walks = 0; walks < 2; walks++) /* also while a walk is wished for, which comes with the newest */
    {
      self->walk_wish.op = walks ? 0 : LS_WALK_NO_OP;
      self->playhead.playing = walks;
      hand_over (view, again (view->snapshot));
      if (ls_history_n (self->history) != 2)
        g_error ("a step that was recorded once is there %u times", ls_history_n (self->history) - 1);
      if (ls_session_shown (self) != first)
        g_error ("step %" G_GUINT64_FORMAT " is shown, which came before and wasn't asked for",
                 ls_session_shown (self)->step);
    }
  lanes_done (view);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-runs/configure", test_configure);
  g_test_add_func ("/session-runs/sides", test_sides);
  g_test_add_func ("/session-runs/another", test_another_run);
  g_test_add_func ("/session-runs/chosen-meanwhile", test_chosen_meanwhile);
  g_test_add_func ("/session-runs/none", test_no_run);
  g_test_add_func ("/session-runs/while-measured", test_while_measured);
  g_test_add_func ("/session-runs/closed", test_closed);
  g_test_add_func ("/session-runs/fails-beside", test_fails_beside);
  g_test_add_func ("/session-runs/once", test_once);
  return g_test_run ();
}
