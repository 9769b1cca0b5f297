/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's pace and the end of its run, with real lanes and without a window: what is looked at are
 * steps, not times.
 */
#include <math.h>
#include <string.h>

#include "session_rig.h"
#include "core/number.h"

static guint64
steps_of (const Watch *w)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);

  return s != NULL ? s->lanes[0].steps : 0;
}

static gboolean
is_over (const Watch *w, guint64 steps)
{
  return ls_session_over (w->session) && steps_of (w) >= steps;
}

static gboolean
shows (const Watch *w, guint64 step)
{
  const LsRecording *shown = ls_session_shown (w->session);

  return shown != NULL && shown->step >= step;
}

/* Whether a lane recorded that step: one that was ready later catches up with what the other had recorded. */
static gboolean
was_recorded (const LsSnapshot *s, guint64 step)
{
  for (guint i = 0; i < s->n_lanes; i++)
    if (step < s->lanes[i].steps && ls_curve_get (s->lanes[i].curve, step).flags & LS_POINT_RECORDED)
      return TRUE;
  return FALSE;
}

/* A step, then its picture, then the next: no step is done while one is still being shown, and none that
 * isn't recorded. */
static void
test_by_step (void)
{
  g_autoptr (LsOptions) o = small ("cpu,reference");
  Watch w;

  o->pace = LS_PACE_STEP;
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, shows, 1, "the first step's picture");
  for (guint frame = 0; frame < 4; frame++)
    {
      const guint64 step = ls_session_shown (w.session)->step, before = steps_of (&w);

      ls_session_set_dial (w.session, (guint64) MAX (ls_playhead_span (ls_session_playhead (w.session)), 1));
      /* half of it on screen, and the main loop has its time */
      ls_session_advance (w.session, .5);
      for (guint i = 0; i < 40; i++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (5000);
        }
      g_assert_cmpuint (steps_of (&w), ==, MAX (before, step));
      for (guint i = 0; i < 40 && ls_session_shown (w.session)->step == step; i++)
        {
          ls_session_advance (w.session, .1);
          g_main_context_iteration (NULL, FALSE);
          g_usleep (20000);
        }
      wait_for (&w, shows, step + 1, "the next step's picture");
      g_assert_cmpuint (ls_session_shown (w.session)->step, ==, step + 1);
    }
  for (guint64 i = 0; i + 1 < steps_of (&w); i++)
    g_assert_true (was_recorded (ls_session_snapshot (w.session), i));
  watch_end (&w);
}

/* What a run of 120 steps took is the sum of those, each over its own time, whether or not one more was done
 * to be looked at; at full speed there are as many steps in a second as all lanes manage: one after the other
 * where they take turns, else beside each other. */
static void
test_words_of_times (const Watch *w, const char *learnt)
{
  const LsSnapshot *s = ls_session_snapshot (w->session);
  double us = 0, of_all = 0;

  for (guint64 i = 0; i < MIN (s->lanes[0].steps, 120); i++)
    us += (double) ls_curve_get (s->lanes[0].curve, i).step_us;
  g_autofree char *time = ls_number_time (1e3 * us), *took = g_strdup_printf ("CPU %s", time);
  g_assert_nonnull (strstr (learnt, took));
  for (guint i = 0; i < s->n_lanes; i++)
    of_all = s->turns ? of_all + s->lanes[i].step_us.value : MAX (of_all, s->lanes[i].step_us.value);
  g_autofree char *count = ls_number_count ((guint64) round (1e6 / of_all)),
                  *rate = g_strdup_printf ("%s steps/s", count),
                  *full = ls_session_pace_words (w->session, LS_PACE_FULL);
  g_assert_true (s->turns);
  g_assert_cmpstr (full, ==, rate);
}

/* The run has an end: it says what was learnt and how long it took, and goes on or begins anew when it is
 * told to. */
static void
test_end (void)
{
  g_autoptr (LsOptions) o = small ("cpu,reference");
  g_autofree char *learnt = NULL, *again = NULL;
  Watch w;

  o->steps = 120;
  watch (&w);
  ls_session_train (w.session, o);
  g_assert_false (ls_session_over (w.session));
  g_assert_null (ls_session_learnt (w.session));
  wait_for (&w, is_over, 120, "the end of the run");
  g_assert_false (ls_session_playing (w.session));
  learnt = ls_session_learnt (w.session);
  g_test_message ("%s", learnt);
  g_assert_true (g_str_has_prefix (learnt, "Learnt: "));
  g_assert_nonnull (strstr (learnt, " of 500 test samples right after 120 steps; CPU "));
  g_assert_nonnull (strstr (learnt, ", Reference "));
  test_words_of_times (&w, learnt);
  /* the recorded step plays again; nothing more is trained */
  ls_session_set_playing (w.session, TRUE);
  for (guint i = 0; i < 30; i++)
    {
      ls_session_advance (w.session, .3);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_true (ls_session_over (w.session));
  ls_session_set_playing (w.session, FALSE);

  ls_session_train_on (w.session);
  g_assert_true (ls_session_playing (w.session));
  g_assert_false (ls_session_over (w.session));
  wait_for (&w, is_over, 240, "the end of as many steps again");
  again = ls_session_learnt (w.session);
  g_assert_nonnull (strstr (again, " after 240 steps; "));
  g_assert_cmpuint (ls_session_snapshot (w.session)->target, ==, 240);

  ls_session_train (w.session, o);
  g_assert_false (ls_session_over (w.session));
  wait_for (&w, is_over, 120, "the end of the run that began anew");
  g_assert_cmpuint (ls_session_snapshot (w.session)->target, ==, 120);
  watch_end (&w);
}

/* Without --steps the data set's row says how many, and how fast they are watched. */
static void
test_default_end (void)
{
  g_autoptr (LsOptions) o = small ("cpu");
  g_autofree char *watched = NULL, *by_step = NULL;
  Watch w;

  o->steps = 0;
  watch (&w);
  ls_session_train (w.session, o);
  watched = ls_session_pace_words (w.session, LS_PACE_WATCH);
  by_step = ls_session_pace_words (w.session, LS_PACE_STEP);
  g_assert_cmpstr (by_step, ==, "a step, then its picture");
  g_assert_nonnull (strstr (watched, " steps in 30"));
  wait_for (&w, is_over, 2000, "the end of 2,000 steps");
  g_assert_cmpuint (ls_session_snapshot (w.session)->target, ==, 2000);
  watch_end (&w);
}

static gboolean
runs_at (const Watch *w, guint64 pace)
{
  return ls_session_snapshot (w->session)->options->pace == (gint) pace;
}

/* Held, full speed comes in the midst of a rest; let go of, what was chosen is there again. Other options
 * leave the pace alone. */
static void
test_hold (void)
{
  g_autoptr (LsOptions) o = small ("cpu,reference");
  guint64 at;
  Watch w;

  o->pace = LS_PACE_WATCH;
  watch (&w);
  ls_session_train (w.session, o);
  wait_for (&w, trained, 20, "20 steps");
  at = steps_of (&w);
  ls_session_hold_full (w.session, TRUE);
  g_assert_cmpint (ls_session_pace (w.session), ==, LS_PACE_FULL);
  g_assert_cmpint (ls_session_options (w.session)->pace, ==, LS_PACE_WATCH);
  wait_for (&w, trained, at + 3000, "3,000 steps, which are three quarters of a minute at watch pace");
  o->policy = LS_POLICY_STATIC;
  o->pace = LS_PACE_STEP;
  ls_session_configure (w.session, o);
  g_assert_cmpint (ls_session_pace (w.session), ==, LS_PACE_FULL);
  ls_session_hold_full (w.session, FALSE);
  g_assert_cmpint (ls_session_pace (w.session), ==, LS_PACE_WATCH);
  wait_for (&w, runs_at, LS_PACE_WATCH, "watch pace");
  ls_session_set_pace (w.session, LS_PACE_STEP);
  g_assert_cmpint (ls_session_pace (w.session), ==, LS_PACE_STEP);
  wait_for (&w, runs_at, LS_PACE_STEP, "by step");
  watch_end (&w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-pace/by-step", test_by_step);
  g_test_add_func ("/session-pace/end", test_end);
  g_test_add_func ("/session-pace/default-end", test_default_end);
  g_test_add_func ("/session-pace/hold", test_hold);
  return g_test_run ();
}
