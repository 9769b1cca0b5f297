/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session tells those who train, and when: to run and to rest, what to record and what to walk
 * through.
 */
#include <string.h>

#include "lanes_rig.h"

/* ---- time ---- */

/* Playing lets them train to the run's end, pausing stops them; over a recording neither is told. */
static void
test_playing (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;

  ls_session_set_playing (self, TRUE);
  lanes_assert_told ("run 500");
  ls_session_set_playing (self, TRUE);
  lanes_assert_told ("");
  ls_session_set_playing (self, FALSE);
  lanes_assert_told ("pause");
  ls_session_retry (self);
  lanes_assert_told ("retry");
  self->file = lanes_step (7);
  ls_session_set_playing (self, TRUE);
  ls_session_set_playing (self, FALSE);
  lanes_assert_told ("");
  g_clear_pointer (&self->file, ls_recording_unref);
  /* a pace is told at once, one that is held, too, and then the one that was chosen */
  ls_session_set_pace (self, LS_PACE_STEP);
  lanes_assert_told ("configure step");
  ls_session_hold_full (self, TRUE);
  lanes_assert_told ("configure full");
  ls_session_set_pace (self, LS_PACE_WATCH);
  lanes_assert_told ("configure full");
  ls_session_hold_full (self, FALSE);
  lanes_assert_told ("configure watch");
  ls_session_set_pace (self, LS_PACE_WATCH);
  lanes_assert_told ("");
  lanes_done (view);
}

/* Trained on, a run that is over gets as many steps as it was to have. */
static void
test_train_on (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;

  ls_session_train_on (self);
  lanes_assert_told ("");
  ls_options_set (self->options, ls_options_find ("steps"), "300", NULL);
  self->over = TRUE;
  self->file = lanes_step (7);
  ls_session_train_on (self);
  lanes_assert_told ("");
  g_clear_pointer (&self->file, ls_recording_unref);
  ls_session_train_on (self);
  lanes_assert_told ("run 800");
  g_assert_false (self->over);
  self->over = TRUE;
  ls_session_set_playing (self, FALSE);
  g_string_truncate (lanes.told, 0);
  ls_session_train_on (self);
  lanes_assert_told ("run 1100");
  /* also while the step that was recorded last plays again */
  ls_session_set_playing (self, FALSE);
  self->over = TRUE;
  ls_session_set_playing (self, TRUE);
  g_string_truncate (lanes.told, 0);
  ls_session_train_on (self);
  lanes_assert_told ("run 1400");
  g_assert_true (ls_session_playing (self));
  lanes_done (view);
}

/* ---- recorded steps ---- */

/* One at a time: while it is on its way none is asked for, but after five seconds it never came. Whichever
 * lane works is asked; without one there is nobody to ask. */
static void
test_record (void)
{
  static const LsLaneState nobody[] = { LS_LANE_OPENING, LS_LANE_BUILDING, LS_LANE_FAILED, LS_LANE_HUNG };
  View *view = lanes_view ();
  LsSession *self = view->session;

  ls_session_want_record (self);
  lanes_assert_told ("record");
  ls_session_want_record (self);
  lanes_pass (4.999);
  ls_session_want_record (self);
  lanes_assert_told ("");
  lanes_pass (.002);
  ls_session_want_record (self);
  lanes_assert_told ("record");
  g_autoptr (LsRecording) came = lanes_step (100);
  ls_session_take_recording (self, came);
  ls_session_want_record (self);
  lanes_assert_told ("record");
  for (guint i = 0; i < 3 * G_N_ELEMENTS (nobody); i++)
    {
      const guint works = i % 3; /* 2: neither of them */
      LsSnapshot *s = again (view->snapshot);

      self->record_asked_us = 0;
      for (guint lane = 0; lane < 2; lane++)
        s->lanes[lane].state = lane == works ? LS_LANE_READY : nobody[i / 3];
      hand_over (view, s);
      g_string_truncate (lanes.told, 0);
      self->record_asked_us = 0;
      ls_session_want_record (self);
      g_test_message ("%s works", works == 0   ? "only the first lane"
                                  : works == 1 ? "only the second lane"
                                               : "no lane");
      lanes_assert_told (works < 2 ? "record" : "");
    }
  lanes_done (view);
}

/* While a step plays, the next one is asked for half a second before its end; not by step, nor where one is
 * ready, the run is over, or a recording is played back. */
static void
test_ahead (void)
{
  enum { PLAIN, BY_STEP, READY, OVER, PLAYBACK, N };

  for (guint i = 0; i < N; i++)
    {
      View *view = lanes_view ();
      LsSession *self = view->session;
      g_autoptr (LsRecording) shown = lanes_step (100), ready = lanes_step (200);

      self->stepped = self->show_next = TRUE;
      ls_session_take_recording (self, shown);
      self->options->pace = i == BY_STEP ? LS_PACE_STEP : LS_PACE_WATCH;
      self->ready = i == READY ? ls_recording_ref (ready) : NULL;
      self->over = i == OVER;
      ls_playhead_seek (&self->playhead, 0);
      self->playhead.playing = TRUE;
      /* the step takes ten seconds, and is held for a while at its end */
      self->playhead.dial_ns = (guint64) ls_playhead_span (&self->playhead) / 10;
      self->file = i == PLAYBACK ? ls_recording_ref (shown) : NULL;
      const gint64 second = ls_playhead_span (&self->playhead) / 10;
      const double held = ls_playhead_left_s (&self->playhead) - 10;
      g_string_truncate (lanes.told, 0);
      ls_playhead_seek (&self->playhead,
                        ls_playhead_span (&self->playhead) - (gint64) ((.62 - held) * (double) second));
      if (held < .5)
        {
          ls_session_advance (self, .05);
          lanes_assert_told ("");
        }
      ls_session_advance (self, .1);
      lanes_assert_told (i == PLAIN ? "record" : "");
      self->playhead.playing = FALSE;
      g_clear_pointer (&self->file, ls_recording_unref);
      lanes_done (view);
    }
}

/* Step at the newest one records another, which is shown whole; a step further back only shows what there
 * is. */
static void
test_step (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;

  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (LsRecording) recording = lanes_step (100 * i);
      self->stepped = self->show_next = TRUE;
      ls_session_take_recording (self, recording);
    }
  g_string_truncate (lanes.told, 0);
  ls_session_step (self, -1);
  ls_session_step (self, -1);
  ls_session_step (self, 1);
  lanes_assert_told ("");
  g_assert_cmpuint (ls_session_shown (self)->step, ==, 200);
  ls_session_step (self, 1);
  lanes_assert_told ("record");
  g_autoptr (LsRecording) third = lanes_step (300);
  ls_session_take_recording (self, third);
  g_assert_cmpuint (ls_session_shown (self)->step, ==, 300);
  g_assert_cmpint (self->playhead.time_ns, ==, ls_playhead_span (&self->playhead));
  lanes_done (view);
}

/* The step that is shown may be gone from the history, which keeps the newest: then the ones beside it are
 * those before and after, and pinning keeps no other one in its place. */
static void
test_step_gone (void)
{
  static const struct {
    guint64 kept[2]; /* 0: no more */
    int direction;
    guint64 shows;
    const char *told;
  } rows[] = {
    { { 50, 150 }, -1, 50, "" },    { { 50, 150 }, 1, 150, "" }, { { 150, 200 }, -1, 100, "" },
    { { 150, 200 }, 1, 150, "" },   { { 50, 80 }, -1, 80, "" },  { { 50, 80 }, 1, 100, "record" },
    { { 0, 0 }, 1, 100, "record" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      View *view = lanes_view_of_step ();
      LsSession *self = view->session;

      ls_history_clear (self->history);
      for (guint k = 0; k < 2 && rows[i].kept[k] > 0; k++)
        {
          g_autoptr (LsRecording) kept = lanes_step (rows[i].kept[k]);
          ls_history_add (self->history, kept);
        }
      const guint n_states = view->n_states;
      ls_session_toggle_pin (self);
      g_assert_cmpstr (view->message, ==,
                       "Step 100 isn’t among the recorded steps any more, so it can’t be kept.");
      if (view->n_states == n_states)
        g_error ("that step 100 isn't pinned doesn't reach the button that was pressed");
      for (guint k = 0; k < ls_history_n (self->history); k++)
        if (ls_history_pinned (self->history, k))
          g_error ("step 100 was to be pinned, and step %u is",
                   (guint) ls_history_get (self->history, k)->step);
      ls_playhead_seek (&self->playhead, rows[i].direction < 0 ? 0 : ls_playhead_span (&self->playhead));
      ls_session_step (self, rows[i].direction);
      if (ls_session_shown (self)->step != rows[i].shows)
        g_error ("from step 100 a step %s, where steps %u and %u are kept, is step %u, not %u",
                 rows[i].direction < 0 ? "back" : "on", (guint) rows[i].kept[0], (guint) rows[i].kept[1],
                 (guint) ls_session_shown (self)->step, (guint) rows[i].shows);
      lanes_assert_told (rows[i].told);
      lanes_done (view);
    }
}

/* While it plays, one that was interrupted isn't shown: another is asked for, however many they are. */
static void
test_interrupted (void)
{
  View *view = lanes_view_of_step ();
  LsSession *self = view->session;

  ls_view_data_unref (self->live);
  self->live = ls_fixture_view (&desk, LS_STATE_LIVE);
  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (self->live, side, shown_rate (self->live, side), .02, 200);
  self->playhead.playing = TRUE;
  for (guint i = 1; i <= 40; i++) /* what ops usually take is known */
    {
      g_autoptr (LsRecording) usual = lanes_step (i);
      LsOpTimes *before = self->op_times;
      self->op_times = ls_op_times_add (before, usual);
      ls_op_times_unref (before);
    }
  for (guint i = 1; i <= 9; i++)
    {
      g_autoptr (LsRecording) slow = lanes_step (100 + i);

      for (guint k = 0; k < slow->n_lanes; k++)
        slow->lanes[k].end_ns += 3 * (slow->lanes[k].end_ns - slow->lanes[k].start_ns);
      g_string_truncate (lanes.told, 0);
      ls_session_take_recording (self, slow);
      g_assert_cmpuint (self->n_aside, ==, i);
      g_assert_null (self->ready);
      if (strcmp (lanes.told->str, "record") != 0)
        g_error ("%u steps in a row were interrupted, and no other one is asked for", i);
    }
  lanes_done (view);
}

/* A lane that has come is to be in the picture: it is asked for once a second at most, and only while it
 * plays. */
static void
test_lane_comes (void)
{
  View *view = lanes_view ();
  LsSession *self = view->session;
  g_autoptr (LsRecording) one = lanes_step (100);

  one->n_lanes = 1;
  self->stepped = self->show_next = TRUE;
  ls_session_take_recording (self, one);
  one->n_lanes = 1;
  g_string_truncate (lanes.told, 0);
  hand_over (view, again (view->snapshot));
  lanes_assert_told (""); /* paused */
  self->playhead.playing = TRUE;
  hand_over (view, again (view->snapshot));
  lanes_assert_told ("record");
  if (self->show_next)
    g_error ("a lane comes, and the next step takes the place of the one that is shown");
  self->record_asked_us = 0;
  lanes_pass (.9);
  hand_over (view, again (view->snapshot));
  lanes_assert_told ("");
  lanes_pass (.2);
  self->show_next = TRUE; /* somebody asked to see it */
  hand_over (view, again (view->snapshot));
  lanes_assert_told ("record");
  if (!self->show_next)
    g_error ("a lane comes, and who asked to see the next step doesn't see it");
  /* one that has done no step yet isn't there */
  LsSnapshot *s = again (view->snapshot);
  s->lanes[1].steps = 0;
  self->record_asked_us = 0;
  lanes_pass (2);
  hand_over (view, s);
  lanes_assert_told ("");
  self->playhead.playing = FALSE;
  one->n_lanes = 2;
  lanes_done (view);
}

/* ---- walks ---- */

/* The first stage's wish, or the other one's where it has none; each once. */
static void
test_walks (void)
{
  static const struct {
    guint stage;
    LsWalkWish walk;
    const char *told;
  } rows[] = {
    { 0, { 3, 1, 0, 2 }, "walk 3 1 0 2" },
    { 0, { 3, 1, 0, 2 }, "" },
    { 0, { 3, 1, 0, 4 }, "walk 3 1 0 4" },
    { 0, { 3, 1, 5, 4 }, "walk 3 1 5 4" },
    { 0, { 3, 2, 5, 4 }, "walk 3 2 5 4" },
    { 0, { 4, 2, 5, 4 }, "walk 4 2 5 4" },
    { 1, { 6, 0, -1, -1 }, "" },
    { 0, { LS_WALK_NO_OP, 0, 0, 0 }, "walk 6 0 -1 -1" },
    { 1, { 7, 0, -1, -1 }, "walk 7 0 -1 -1" },
    { 0, { 2, 1, 0, 0 }, "walk 2 1 0 0" },
    { 1, { LS_WALK_NO_OP, 0, 0, 0 }, "" },
    { 0, { LS_WALK_NO_OP, 0, 0, 0 }, "walk -1 0 0 0" },
  };
  View *view = lanes_view ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsWish wish = { .walk = rows[i].walk };

      ls_session_wish (view->session, rows[i].stage, &wish, FALSE);
      lanes_assert_told (rows[i].told);
    }
  /* a new run's lanes haven't heard what those before were told */
  const LsWish wish = { .walk = rows[0].walk };
  g_autoptr (LsOptions) options = ls_options_new ();
  ls_session_wish (view->session, 0, &wish, FALSE);
  memset (&lanes.runs, 0, sizeof lanes.runs);
  ls_session_train (view->session, options);
  lanes_wait_made (view);
  g_string_truncate (lanes.told, 0);
  ls_session_wish (view->session, 0, &wish, FALSE);
  lanes_assert_told (rows[0].told);
  lanes_done (view);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-lanes/playing", test_playing);
  g_test_add_func ("/session-lanes/train-on", test_train_on);
  g_test_add_func ("/session-lanes/record", test_record);
  g_test_add_func ("/session-lanes/ahead", test_ahead);
  g_test_add_func ("/session-lanes/step", test_step);
  g_test_add_func ("/session-lanes/step-gone", test_step_gone);
  g_test_add_func ("/session-lanes/interrupted", test_interrupted);
  g_test_add_func ("/session-lanes/lane-comes", test_lane_comes);
  g_test_add_func ("/session-lanes/walks", test_walks);
  return g_test_run ();
}
