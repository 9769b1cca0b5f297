/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From snapshots to what is shown: a session without lanes is handed snapshots and recorded steps, and what
 * it shows, says and asks is held against them: what is seen at once and what waits, which step is in the
 * picture, where Back and Forward lead, and which lane stands where.
 */
#include "rated.h"
#include "scenario.h"

#include <string.h>

#include "ui/app/session/session_private.h"

typedef struct {
  LsSession *session;
  LsSnapshot *snapshot; /* the newest; a copy is changed and handed over */
  guint n_data, n_time, n_states, n_messages;
  char *message;
} View;

static void
count_cb (LsSession *session, guint *n)
{
  ++*n;
}

static void
message_cb (LsSession *session, const char *message, View *view)
{
  view->n_messages++;
  g_free (view->message);
  view->message = g_strdup (message);
}

static View *
view_new (void)
{
  View *view = g_new0 (View, 1);

  view->session = ls_session_new ();
  view->session->mode = LS_SESSION_LIVE;
  g_signal_connect (view->session, "data", G_CALLBACK (count_cb), &view->n_data);
  g_signal_connect (view->session, "time", G_CALLBACK (count_cb), &view->n_time);
  g_signal_connect (view->session, "state", G_CALLBACK (count_cb), &view->n_states);
  g_signal_connect (view->session, "message", G_CALLBACK (message_cb), view);
  return view;
}

static void
view_free (View *view)
{
  g_clear_pointer (&view->snapshot, ls_snapshot_unref);
  g_object_unref (view->session);
  g_free (view->message);
  g_free (view);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (View, view_free)

/* The same moment, to be changed: what lanes point to is shared. */
static LsSnapshot *
again (const LsSnapshot *from)
{
  LsSnapshot *s = g_memdup2 (from, sizeof *from);

  s->ref_count = 1;
  s->serial++;
  s->plan = ls_plan_ref (from->plan);
  s->options = ls_options_copy (from->options);
  s->message = g_strdup (from->message);
  s->recording = from->recording != NULL ? ls_recording_ref (from->recording) : NULL;
  s->recording_message = g_strdup (from->recording_message);
  s->weights = NULL;
  s->agreement.weights_tensor = g_strdup (from->agreement.weights_tensor);
  for (guint i = 0; i < s->n_lanes; i++)
    {
      LsLaneSnapshot *lane = &s->lanes[i];
      lane->spec = ls_lane_spec_ref (lane->spec);
      lane->message = g_strdup (lane->message);
      lane->build = lane->build != NULL ? ls_build_ref (lane->build) : NULL;
      lane->facts = lane->facts != NULL ? ls_lane_facts_ref (lane->facts) : NULL;
      lane->curve = lane->curve != NULL ? ls_curve_ref (lane->curve) : NULL;
      lane->accuracies = lane->accuracies != NULL ? g_array_ref (lane->accuracies) : NULL;
      lane->kernels_message = g_strdup (lane->kernels_message);
      lane->evaluation = lane->evaluation != NULL ? ls_evaluation_ref (lane->evaluation) : NULL;
      lane->answer = NULL;
    }
  return s;
}

static void
hand_over (View *view, LsSnapshot *snapshot)
{
  g_clear_pointer (&view->snapshot, ls_snapshot_unref);
  view->snapshot = ls_snapshot_ref (snapshot);
  ls_session_take_snapshot (view->session, snapshot);
}

/* Two lanes that have trained 100 steps of a run of 1,000, in turns. */
static LsSnapshot *
running (void)
{
  for (guint64 seed = 1;; seed++)
    {
      g_autoptr (LsScenario) s = ls_scenario_new (seed);
      const LsSnapshot *found = s->snapshot;

      if (found != NULL && found->n_lanes == 2 && found->recording == NULL && found->running
          && !found->agreement.disagree && found->lanes[0].state == LS_LANE_READY
          && found->lanes[1].state == LS_LANE_READY && found->lanes[0].steps >= 60
          && found->lanes[1].steps == found->lanes[0].steps && found->lanes[1].joined == 0)
        {
          LsSnapshot *copy = again (found);
          copy->target = 100000;
          return copy;
        }
    }
}

static LsRecording *
step_of (guint64 step)
{
  LsRecording *recording = ls_fixture_recording (&desk);

  recording->step = step;
  return recording;
}

/* ---- snapshots ---- */

/* What any random moment's snapshot tells is what is shown, lane by lane. */
static void
test_told (void)
{
  guint lanes = 0;

  for (guint64 seed = 1; seed <= 40; seed++)
    {
      g_autoptr (LsScenario) s = ls_scenario_new (seed);
      g_autoptr (View) view = view_new ();

      if (s->snapshot == NULL)
        continue;
      hand_over (view, ls_snapshot_ref (s->snapshot));
      const LsViewData *data = ls_session_data (view->session);
      g_assert_nonnull (data);
      g_assert_cmpuint (data->target, ==, s->snapshot->target);
      g_assert_cmpint (data->running, ==, s->snapshot->running);
      g_assert_cmpint (data->turns, ==, s->snapshot->turns);
      g_assert_true (data->live);
      g_assert_true (data->recording == s->snapshot->recording);
      g_assert_true (ls_session_shown (view->session) == s->snapshot->recording);
      for (guint side = 0; side < LS_SIDES; side++)
        for (guint i = 0; i < s->snapshot->n_lanes; i++)
          {
            const LsLaneSnapshot *lane = &s->snapshot->lanes[i];
            const LsViewLane *shown = &data->sides[side];

            if (g_strcmp0 (shown->id, lane->spec->id) != 0)
              continue;
            lanes++;
            g_assert_cmpint (shown->state, ==, lane->state);
            g_assert_cmpuint (shown->steps, <=, lane->steps);
            g_assert_true (shown->curve == lane->curve || lane->steps == 0);
            g_assert_true (shown->rate.value == lane->rate.value && shown->rate.n == lane->rate.n);
            g_assert_true (shown->accuracies == lane->accuracies);
            g_assert_cmpuint (shown->joined, ==, lane->joined);
          }
    }
  g_assert_cmpuint (lanes, >, 30);
}

/* What is a lane's coming, going or getting ready is seen at once; more steps alone wait for the next
 * refresh. */
static void
test_at_once (void)
{
  enum {
    NOTHING,
    STEPS,
    STATE,
    WAITS,
    OVERDUE,
    BUILT,
    KERNELS,
    WALK,
    FACTS,
    FIRST_STEP,
    DISAGREE,
    EXAMINED,
    RESTS,
    N
  };
  static const char *const names[N] = { "nothing",
                                        "steps",
                                        "a lane that has stopped",
                                        "a lane that waits",
                                        "one that is overdue",
                                        "a kernel that is built",
                                        "edited kernels",
                                        "a walk that comes",
                                        "a device",
                                        "the first step",
                                        "that they disagree",
                                        "that they were examined",
                                        "rest" };

  for (guint change = NOTHING; change < N; change++)
    for (guint lane = 0; lane < 2; lane++)
      {
        g_autoptr (View) view = view_new ();
        LsSnapshot *first = running (), *next;

        if (change == FIRST_STEP)
          first->lanes[lane].steps = 0;
        hand_over (view, first);
        next = again (view->snapshot);
        LsLaneSnapshot *l = &next->lanes[lane];
        l->steps += change == STEPS;
        l->state = change == STATE ? LS_LANE_FAILED : l->state;
        l->waits ^= change == WAITS;
        l->overdue ^= change == OVERDUE;
        l->build_done += change == BUILT;
        l->kernels_serial += change == KERNELS;
        l->walk_coming ^= change == WALK;
        l->steps = change == FIRST_STEP ? 1 : l->steps;
        next->agreement.disagree ^= change == DISAGREE;
        next->agreement.examined ^= change == EXAMINED;
        next->running ^= change == RESTS;
        if (change == FACTS)
          {
            LsLaneFacts *facts = g_atomic_rc_box_new0 (LsLaneFacts);
            facts->device = ls_device_info_copy (l->facts->device);
            facts->tilings = g_memdup2 (l->facts->tilings, next->plan->n_ops * sizeof (LsTiling));
            ls_lane_facts_unref (l->facts);
            l->facts = facts;
          }
        const LsViewData *before = ls_session_data (view->session);
        view->session->rebuilt_us = g_get_monotonic_time ();
        hand_over (view, next);
        const gboolean seen = ls_session_data (view->session) != before,
                       should = change != NOTHING && change != STEPS;
        if (seen != should)
          g_error ("of %s of lane %u the picture %s", names[change], lane,
                   seen ? "is made anew at once" : "knows nothing");
        g_assert_cmpint (view->session->newer, ==, !should);
        /* and what waits is seen at the next refresh */
        view->session->rebuilt_us = 0;
        hand_over (view, again (view->snapshot));
        g_assert_false (view->session->newer);
      }
}

/* A lane that goes says why, once; so does a run that can't go on, and a step that couldn't be recorded. */
static void
test_messages (void)
{
  g_autoptr (View) view = view_new ();
  LsSnapshot *s;

  hand_over (view, running ());
  g_assert_cmpuint (view->n_messages, ==, 0);
  for (guint times = 0; times < 2; times++)
    {
      s = again (view->snapshot);
      s->lanes[1].state = LS_LANE_HUNG;
      g_free (s->lanes[1].message);
      s->lanes[1].message = g_strdup ("no answer for 10 s");
      hand_over (view, s);
      g_assert_cmpuint (view->n_messages, ==, 1);
      g_assert_cmpstr (view->message, ==, "no answer for 10 s");
    }
  for (guint times = 0; times < 2; times++)
    {
      s = again (view->snapshot);
      s->message = g_strdup ("no lane is left");
      hand_over (view, s);
      g_assert_cmpuint (view->n_messages, ==, 2);
      g_assert_cmpstr (view->message, ==, "no lane is left");
    }
  view->session->record_asked_us = 5;
  s = again (view->snapshot);
  s->recording_message = g_strdup ("no room for it");
  hand_over (view, s);
  g_assert_cmpuint (view->n_messages, ==, 3);
  g_assert_cmpstr (view->message, ==, "no room for it");
  g_assert_cmpint (view->session->record_asked_us, ==, 0);
}

/* Two results of one step: it stops, and the next recorded step is shown; once. */
static void
test_disagree (void)
{
  g_autoptr (View) view = view_new ();
  LsSnapshot *s;

  view->session->playhead.playing = TRUE;
  hand_over (view, running ());
  g_assert_true (ls_session_playing (view->session));
  s = again (view->snapshot);
  s->agreement.disagree = TRUE;
  hand_over (view, s);
  g_assert_false (ls_session_playing (view->session));
  g_assert_true (view->session->show_next);
  ls_session_set_playing (view->session, TRUE);
  hand_over (view, again (view->snapshot));
  g_assert_true (ls_session_playing (view->session)); /* who plays on has seen it */
}

/* ---- recorded steps ---- */

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

/* While it plays, a step that has come waits until the shown one has been played; without one, the next that
 * comes is shown. */
static void
test_played (void)
{
  g_autoptr (View) view = view_with_steps (1);
  LsSession *self = view->session;
  g_autoptr (LsRecording) second = step_of (200), third = step_of (300);

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

/* What a change of settings did is told of a lane once its rate is of after the change. */
static void
test_change (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;
  LsSnapshot *s = running (), *next;
  g_autoptr (LsOptions) after = NULL;
  char *words[LS_MAX_LANES] = { NULL };

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
      ls_session_change_words (self, words);
      g_assert_nonnull (words[0]);
      g_assert_null (words[1]);
      if ((strstr (words[0], "not measured yet") != NULL) != (round == 0) || strstr (words[0], "1.00") == NULL
          || (strstr (words[0], "2.00") != NULL) != (round == 1))
        g_error ("%s the change: “%s”", round == 0 ? "with steps of before" : "after", words[0]);
      g_clear_pointer (&words[0], g_free);
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
  g_test_add_func ("/session-view/told", test_told);
  g_test_add_func ("/session-view/at-once", test_at_once);
  g_test_add_func ("/session-view/messages", test_messages);
  g_test_add_func ("/session-view/disagree", test_disagree);
  g_test_add_func ("/session-view/steps", test_steps);
  g_test_add_func ("/session-view/played", test_played);
  g_test_add_func ("/session-view/pin", test_pin);
  g_test_add_func ("/session-view/dial", test_dial);
  g_test_add_func ("/session-view/stand", test_stand);
  g_test_add_func ("/session-view/change", test_change);
  g_test_add_func ("/session-view/pace-words", test_pace_words);
  g_test_add_func ("/session-view/end", test_end);
  return g_test_run ();
}
