/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which recorded step stands in the picture, where Back and Forward lead, who stands where, and what a change
 * of settings did: a session without lanes is handed recorded steps.
 */
#include "view_rig.h"

#include <string.h>

static LsRecording *
step_of (guint64 step)
{
  LsRecording *recording = ls_fixture_recording (&desk);

  recording->step = step;
  return recording;
}

static View *
view_with_steps (guint n)
{
  View *view = view_new ();

  hand_over (view, running ());
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (LsRecording) recording = step_of (100 * i);
      view->session->stepped = view->session->show_next = TRUE; /* each was asked for */
      ls_session_take_recording (view->session, recording);
    }
  return view;
}

static guint64
shown_step (const View *view)
{
  const LsViewData *data = ls_session_data (view->session);

  g_assert_true (data->recording == ls_session_shown (view->session));
  return data->recording->step;
}

/* Back: to the step's beginning, then to the one before; forward the same way; at the newest one another is
 * asked for. */
static void
test_steps (void)
{
  g_autoptr (View) view = view_with_steps (4);
  LsSession *self = view->session;
  static const struct {
    gint direction;
    guint64 step;
    gboolean end;
  } moves[] = { { -1, 400, FALSE }, { -1, 300, TRUE },  { -1, 300, FALSE }, { -1, 200, TRUE },
                { 1, 300, TRUE },   { -1, 300, FALSE }, { 1, 300, TRUE },   { 1, 400, TRUE },
                { -1, 400, FALSE }, { -1, 300, TRUE },  { -1, 300, FALSE }, { -1, 200, TRUE },
                { -1, 200, FALSE }, { -1, 100, TRUE },  { -1, 100, FALSE }, { -1, 100, FALSE } };

  g_assert_cmpuint (shown_step (view), ==, 400);
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      ls_session_step (self, moves[i].direction);
      const LsPlayhead *playhead = ls_session_playhead (self);
      if (shown_step (view) != moves[i].step
          || playhead->time_ns != (moves[i].end ? ls_playhead_span (playhead) : 0))
        g_error ("the %" G_GSIZE_FORMAT ". move leads to step %" G_GUINT64_FORMAT " at %" G_GINT64_FORMAT
                 " ns instead of step %" G_GUINT64_FORMAT " at its %s",
                 i + 1, shown_step (view), playhead->time_ns, moves[i].step,
                 moves[i].end ? "end" : "beginning");
      g_assert_false (self->show_next);
    }
  for (guint i = 0; i < 7; i++)
    ls_session_step (self, 1);
  g_assert_cmpuint (shown_step (view), ==, 400);
  ls_session_step (self, 1);
  g_assert_true (self->show_next && self->stepped);
}

/* By op the edges are the op's: its end first, then the same op of another step. */
static void
test_steps_by_op (void)
{
  g_autoptr (View) view = view_with_steps (3);
  LsSession *self = view->session;
  static const struct {
    gint direction;
    guint64 step;
    gboolean end;
  } moves[]
    = { { -1, 300, FALSE }, { 1, 300, TRUE }, { -1, 300, FALSE }, { -1, 200, TRUE }, { 1, 300, TRUE } };

  ls_session_set_clock (self, TRUE, -1);
  ls_session_seek_op (self, 1);
  g_assert_cmpint (ls_playhead_span (&self->playhead), <, self->playhead.step_ns);
  ls_session_seek (self, ls_playhead_span (&self->playhead));
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      ls_session_step (self, moves[i].direction);
      g_assert_cmpuint (ls_playhead_op (&self->playhead), ==, 1);
      g_assert_cmpuint (shown_step (view), ==, moves[i].step);
      g_assert_cmpint (self->playhead.time_ns, ==, moves[i].end ? ls_playhead_span (&self->playhead) : 0);
    }
}

/* The newest step comes again, with a walk: it takes the place of what it was, wherever that stood. */
static void
test_walked (void)
{
  for (guint where = 0; where < 4; where++)
    {
      g_autoptr (View) view = view_with_steps (2);
      LsSession *self = view->session;
      g_autoptr (LsRecording) walked = step_of (200);
      LsRecording **kept = where == 0 ? &self->best : where == 1 || where == 3 ? &self->ready : &self->newest;

      for (guint lane = 0; lane < walked->n_lanes; lane++)
        {
          g_array_unref (walked->lanes[lane].events);
          walked->lanes[lane].events = g_array_ref (self->newest->lanes[lane].events);
        }
      if (where == 3)
        ls_session_show (self, ls_history_get (self->history, 0), TRUE); /* an earlier one is looked at */
      if (where != 2)
        *kept = ls_recording_ref (self->newest);
      if (!ls_recording_shares_step (self->newest, walked))
        g_error ("an invented step isn’t the same as itself");
      self->show_next = TRUE;
      ls_session_take_recording (self, walked);
      if (!self->show_next)
        g_error ("the shown step with its walk was taken for the next one, which had been asked for");
      g_assert_true (self->newest == walked);
      g_assert_cmpint (ls_session_shown (self) == walked, ==, where != 3);
      g_assert_true (where == 1 || *kept == walked); /* what waited for its turn is shown */
      g_assert_true (self->best == NULL || self->best == walked);
      g_assert_true (self->ready == NULL || self->ready == walked);
      g_assert_cmpuint (ls_history_n (self->history), ==, 2);
      g_assert_true (ls_history_get (self->history, 1) == walked);
    }
}

/* Passed over while it plays, it is shown once it has its walk: then it is the next one that was asked for.
 */
static void
test_walked_next (void)
{
  g_autoptr (View) view = view_with_steps (2);
  LsSession *self = view->session;
  g_autoptr (LsRecording) walked = step_of (200);

  for (guint lane = 0; lane < walked->n_lanes; lane++)
    {
      g_array_unref (walked->lanes[lane].events);
      walked->lanes[lane].events = g_array_ref (self->newest->lanes[lane].events);
    }
  ls_session_show (self, ls_history_get (self->history, 0), TRUE);
  self->playhead.playing = TRUE;
  self->walk_wish.op = 0;
  self->show_next = TRUE;
  ls_session_take_recording (self, walked);
  g_assert_true (ls_session_shown (self) == walked);
  if (self->show_next)
    g_error ("the next step has been shown, with its walk, and another one is waited for");
}

/* What was set aside is told with its own step and side, until it is looked at. */
static void
test_aside (void)
{
  g_autoptr (View) view = view_with_steps (2);
  LsSession *self = view->session;

  self->aside = step_of (150);
  self->aside_words = g_strdup ("step 150 took long");
  self->aside_side = 1;
  self->n_aside = 3;
  ls_session_rebuild (self);
  const LsViewData *data = ls_session_data (self);
  g_assert_cmpuint (data->aside_step, ==, 150);
  g_assert_cmpuint (data->aside_side, ==, 1);
  g_assert_cmpuint (data->n_aside, ==, 3);
  g_assert_cmpstr (data->aside, ==, "step 150 took long");
  ls_session_look_at_aside (self);
  g_assert_cmpuint (shown_step (view), ==, 150);
  g_assert_null (ls_session_data (self)->aside);
  g_assert_cmpuint (self->n_aside, ==, 0); /* the next one is the first again */
  g_assert_cmpint (self->playhead.time_ns, ==, ls_playhead_span (&self->playhead));
}

/* Whoever is told of another step finds the playhead at its beginning, not still at the end of the one
 * before. */
static void
other_step_cb (LsSession *session, guint64 *step)
{
  if (ls_session_shown (session)->step == *step)
    return;
  *step = ls_session_shown (session)->step;
  g_assert_false (ls_playhead_at_end (ls_session_playhead (session)));
}

/* While it plays, a step that has come waits until the shown one has been played; without one, the next that
 * comes is shown. */
static void
test_played (void)
{
  g_autoptr (View) view = view_with_steps (1);
  LsSession *self = view->session;
  g_autoptr (LsRecording) second = step_of (200), third = step_of (300);
  guint64 told = 100;

  g_signal_connect (self, "data", G_CALLBACK (other_step_cb), &told);
  self->options->pace = LS_PACE_STEP; /* each that comes is taken, be it typical or not */
  self->playhead.playing = TRUE;
  self->playhead.dial_ns = 1000000;
  ls_session_take_recording (self, second);
  g_assert_cmpuint (shown_step (view), ==, 100);
  g_assert_true (self->ready == second && self->newest == second);
  const double span_s = (double) ls_playhead_span (&self->playhead) / 1e6;
  ls_playhead_seek (&self->playhead, 0);
  ls_session_advance (self, span_s / 2);
  g_assert_cmpuint (shown_step (view), ==, 100);
  g_assert_cmpint (llabs (self->playhead.time_ns - ls_playhead_span (&self->playhead) / 2), <=, 2000);
  for (guint i = 0; i < 1000 && shown_step (view) == 100; i++)
    ls_session_advance (self, span_s / 4);
  g_assert_cmpuint (shown_step (view), ==, 200);
  g_assert_null (self->ready);
  g_assert_cmpint (self->playhead.time_ns, ==, 0);
  for (guint i = 0; i < 1000 && !self->show_next; i++)
    ls_session_advance (self, span_s / 4);
  g_assert_true (self->show_next);
  ls_session_take_recording (self, third);
  g_assert_cmpuint (shown_step (view), ==, 300);
  g_assert_cmpint (self->playhead.time_ns, ==, 0);
  g_assert_cmpuint (told, ==, 300);
}

/* A pinned step is that one; again, it isn't. */
static void
test_pin (void)
{
  g_autoptr (View) view = view_with_steps (3);
  LsHistory *history = ls_session_history (view->session);

  ls_session_step (view->session, -1);
  ls_session_step (view->session, -1);
  ls_session_toggle_pin (view->session);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (ls_history_pinned (history, i), ==, ls_history_get (history, i)->step == 200);
  ls_session_toggle_pin (view->session);
  for (guint i = 0; i < 3; i++)
    g_assert_false (ls_history_pinned (history, i));
  g_assert_cmpuint (view->n_messages, ==, 0);
}

/* The clock runs as suits a step, until somebody chooses how. */
static void
test_dial (void)
{
  g_autoptr (View) view = view_with_steps (1);
  LsSession *self = view->session;
  const guint64 suits = ls_dial_ns (ls_dial_for_step (self->playhead.step_ns));
  const guint states = view->n_states;

  g_assert_cmpuint (self->playhead.dial_ns, ==, suits);
  g_assert_false (ls_session_dial_chosen (self));
  ls_session_set_dial (self, suits);
  g_assert_true (ls_session_dial_chosen (self));
  g_assert_cmpuint (view->n_states, ==, states);
  ls_session_set_dial (self, 4 * suits);
  g_assert_cmpuint (self->playhead.dial_ns, ==, 4 * suits);
  g_assert_cmpuint (view->n_states, ==, states + 1);
  ls_session_set_dial (self, suits / 2);
  g_assert_cmpuint (self->playhead.dial_ns, ==, suits / 2);
  ls_session_set_dial (self, 4 * suits);
  ls_session_set_clock (self, FALSE, 123456);
  g_assert_cmpuint (self->playhead.dial_ns, ==, 4 * suits);
}

/* ---- lanes and wishes ---- */

/* Who is chosen for a side stands there; who stood there goes to the other side if that one came from it. */
static void
test_stand (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;

  hand_over (view, running ());
  const char *left = ls_session_data (self)->sides[0].id, *right = ls_session_data (self)->sides[1].id;
  const guint data = view->n_data;
  ls_session_stand (self, 0, left);
  g_assert_cmpuint (view->n_data, ==, data); /* nothing new */
  ls_session_stand (self, 0, right);
  g_assert_cmpstr (ls_session_data (self)->sides[0].id, ==, right);
  g_assert_cmpstr (ls_session_data (self)->sides[1].id, ==, left);
  g_assert_cmpuint (ls_session_data (self)->sides[0].rate.n, ==, view->snapshot->lanes[1].rate.n);
  ls_session_stand (self, 1, right);
  g_assert_cmpstr (ls_session_data (self)->sides[1].id, ==, right);
  g_assert_cmpstr (ls_session_data (self)->sides[0].id, ==, left);
}

/* Likewise where a third lane could stand there: the two change places, whichever they are. */
static void
test_change_places (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;

  LsSnapshot *s = running (), *further = running ();
  g_autoptr (LsOptions) three = ls_options_copy (s->options);
  g_autoptr (GPtrArray) specs = NULL;

  g_assert_true (ls_options_set (three, ls_options_find ("lanes"), "cpu,opencl,reference", NULL));
  specs = ls_lane_specs_new (three, NULL);
  s->lanes[2] = further->lanes[1]; /* whose it was */
  further->n_lanes = 1;
  ls_snapshot_unref (further);
  ls_lane_spec_unref (s->lanes[2].spec);
  s->lanes[2].spec = ls_lane_spec_ref (specs->pdata[2]);
  s->n_lanes = 3;
  hand_over (view, s);
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++)
      {
        const char *one = g_intern_string (view->snapshot->lanes[i].spec->id),
                   *other = g_intern_string (view->snapshot->lanes[j].spec->id);

        if (i == j)
          continue;
        ls_session_stand (self, 0, one);
        ls_session_stand (self, 1, other);
        ls_session_stand (self, 0, other);
        const LsViewLane *sides = ls_session_data (self)->sides;
        if (sides[0].id != other || sides[1].id != one)
          g_error ("%s and %s are to change places, and %s and %s stand there", one, other, sides[0].id,
                   sides[1].id);
      }
}

/* What a change of settings did is told of a lane once its rate is of after the change. */
static void
test_change (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;
  LsSnapshot *s = running (), *next;
  g_autoptr (LsOptions) after = NULL;
  LsChange changes[LS_MAX_LANES] = { { NULL } };

  s->lanes[0].rate = (LsFigure){ 1000, "samples/s", LS_EVIDENCE_MEASURED, 200, 995, 1005, 0, NULL };
  s->lanes[0].rate_from = 10;
  hand_over (view, s);
  after = ls_options_copy (self->snapshot->lanes[0].spec->options);
  g_assert_true (ls_options_set (after, ls_options_find ("lanes"), "cpu(policy=static),opencl", NULL));
  ls_options_set (self->options, ls_options_find ("lanes"), "cpu,opencl", NULL);
  ls_session_note_change (self, after, FALSE);
  for (guint round = 0; round < 2; round++)
    {
      next = again (view->snapshot);
      next->lanes[0].rate.value = 2000;
      next->lanes[0].rate.q1 = 1990;
      next->lanes[0].rate.q3 = 2010;
      next->lanes[0].rate_from = round == 0 ? 10 : 50;
      hand_over (view, next);
      ls_session_tell_changes (self, changes);
      const char *words = changes[0].words;
      g_assert_nonnull (words);
      g_assert_null (changes[1].words);
      if ((strstr (words, "not measured yet") != NULL) != (round == 0) || strstr (words, "1.00") == NULL
          || (strstr (words, "2.00") != NULL) != (round == 1)
          || !g_str_has_prefix (words, "Schedule work-stealing → static: "))
        g_error ("%s the change: “%s”", round == 0 ? "with steps of before" : "after", words);
      ls_change_clear (&changes[0]);
    }
  g_assert_true (ls_session_drop_changes (self));
  g_assert_false (ls_session_drop_changes (self));
}

/* In turns lanes' times add up; racing, the slowest one's counts. */
static void
test_pace_words (void)
{
  g_autoptr (View) view = view_new ();
  LsSnapshot *s = running ();

  for (guint i = 0; i < 2; i++)
    s->lanes[i].step_us = (LsFigure){ i == 0 ? 300 : 500, "µs", LS_EVIDENCE_MEASURED, 99, 1, 1, 0, NULL };
  s->turns = TRUE;
  hand_over (view, s);
  g_autofree char *turns = ls_session_pace_words (view->session, LS_PACE_FULL);
  g_assert_cmpstr (turns, ==, "1\u2009250 steps/s");
  s = again (view->snapshot);
  s->turns = FALSE;
  hand_over (view, s);
  g_autofree char *race = ls_session_pace_words (view->session, LS_PACE_FULL);
  g_assert_cmpstr (race, ==, "2\u2009000 steps/s");
  s = again (view->snapshot);
  s->lanes[0].step_us.n = 0;
  hand_over (view, s);
  g_autofree char *unknown = ls_session_pace_words (view->session, LS_PACE_FULL);
  g_assert_cmpstr (unknown, ==, "no rests");
}

/* An end is seen once, and the clock stops; more steps begin it again. */
static void
test_end (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;
  LsSnapshot *s = running ();

  self->playhead.playing = TRUE;
  self->target = s->target;
  hand_over (view, s);
  g_assert_false (ls_session_over (self));
  s = again (view->snapshot);
  s->target = self->target = s->lanes[0].steps;
  for (guint i = 0; i < 2; i++)
    s->lanes[i].accuracy_step = s->lanes[i].steps;
  s->running = FALSE;
  hand_over (view, s);
  g_assert_true (ls_snapshot_ended (self->snapshot));
  g_assert_true (ls_session_over (self));
  g_assert_false (ls_session_playing (self));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-steps/steps", test_steps);
  g_test_add_func ("/session-steps/steps-by-op", test_steps_by_op);
  g_test_add_func ("/session-steps/walked", test_walked);
  g_test_add_func ("/session-steps/walked-next", test_walked_next);
  g_test_add_func ("/session-steps/aside", test_aside);
  g_test_add_func ("/session-steps/played", test_played);
  g_test_add_func ("/session-steps/pin", test_pin);
  g_test_add_func ("/session-steps/dial", test_dial);
  g_test_add_func ("/session-steps/stand", test_stand);
  g_test_add_func ("/session-steps/stand-change", test_change_places);
  g_test_add_func ("/session-steps/change", test_change);
  g_test_add_func ("/session-steps/pace-words", test_pace_words);
  g_test_add_func ("/session-steps/end", test_end);
  return g_test_run ();
}
