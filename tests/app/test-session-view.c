/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From snapshots to what is shown: what is told, what is seen at once and what waits, and each message once.
 */
#include "scenario.h"
#include "view_rig.h"

#include <string.h>

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
      g_free (s->message);
      s->message = g_strdup ("no lane is left");
      hand_over (view, s);
      g_assert_cmpuint (view->n_messages, ==, 2);
      g_assert_cmpstr (view->message, ==, "no lane is left");
    }
  /* one that never came says it in its head alone */
  s = again (view->snapshot);
  s->lanes[0].state = LS_LANE_OPENING;
  hand_over (view, s);
  s = again (view->snapshot);
  s->lanes[0].state = LS_LANE_FAILED;
  g_free (s->lanes[0].message);
  s->lanes[0].message = g_strdup ("there is no such device");
  hand_over (view, s);
  g_assert_cmpuint (view->n_messages, ==, 2);
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

/* The dial is turned to suit the first step, and one with more lanes, which may take longer; not another one
 * of as many lanes, nor one that somebody has chosen. */
static void
test_dial_turned (void)
{
  for (guint i = 0; i < 4; i++)
    {
      const gboolean more = i & 1, chosen = i & 2;
      g_autoptr (View) view = view_new ();
      LsSession *self = view->session;
      g_autoptr (LsRecording) first = ls_fixture_recording (&desk), next = ls_fixture_recording (&desk);
      const guint n_lanes = first->n_lanes;

      next->step = first->step + 100;
      hand_over (view, running ());
      ls_session_show (self, first, TRUE);
      const guint64 suits = ls_dial_ns (ls_dial_for_step (self->playhead.step_ns));
      g_assert_cmpuint (self->playhead.dial_ns, ==, suits);
      self->playhead.dial_ns = 10 * suits;
      if (chosen)
        ls_session_set_dial (self, 10 * suits);
      first->n_lanes -= more;
      ls_session_show (self, next, FALSE);
      if (self->playhead.dial_ns != (more && !chosen ? suits : 10 * suits))
        g_error ("the dial, which %s, is%s turned for a step of %s lanes",
                 chosen ? "somebody has chosen" : "nobody has touched", more && !chosen ? "n't" : "",
                 more ? "more" : "as many");
      first->n_lanes = n_lanes;
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-view/told", test_told);
  g_test_add_func ("/session-view/at-once", test_at_once);
  g_test_add_func ("/session-view/messages", test_messages);
  g_test_add_func ("/session-view/disagree", test_disagree);
  g_test_add_func ("/session-view/dial-turned", test_dial_turned);
  return g_test_run ();
}
