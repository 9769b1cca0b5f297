/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the session says in sentences: what was learnt, what each pace does, and what was kept.
 */
#include "view_rig.h"

#include <string.h>

#include "data/defaults.h"
#include "ui/app/session/kept_run.h"

/* Thin and hard spaces as plain ones. (transfer full) */
static char *
plain (char *taken)
{
  g_autofree char *text = taken;
  GString *words = g_string_new (text);

  g_string_replace (words, "\u2009", " ", 0);
  g_string_replace (words, "\u00a0", " ", 0);
  return g_string_free (words, FALSE);
}

/* A run of two lanes that has ended: each did that many steps of its own, of so many µs each. */
static View *
ended (guint64 steps, const double us[2], const double accuracy[2], const guint64 joined[2])
{
  View *view = view_new ();
  LsSnapshot *s = running ();

  for (guint i = 0; i < 2; i++)
    {
      LsLaneSnapshot *lane = &s->lanes[i];

      ls_curve_unref (lane->curve);
      lane->curve = ls_curve_new ();
      lane->steps = steps;
      lane->joined = joined[i];
      for (guint64 k = 0; k < steps; k++) /* those before it joined were another's */
        ls_curve_append (lane->curve,
                         (LsPoint){ .step_us = k < joined[i] ? 1e6f : (float) us[i], .loss = 1 });
      lane->accuracy = accuracy[i];
      lane->accuracy_step = steps;
    }
  s->target = view->session->target = steps;
  s->running = FALSE;
  s->begun = 0;
  hand_over (view, s);
  g_assert_true (ls_session_over (view->session));
  return view;
}

static void
test_learnt (void)
{
  static const struct {
    guint64 steps;
    double us[2], accuracy[2];
    guint64 joined[2];
    LsLaneState second;
    const char *says;
  } rows[] = {
    { 500,
      { 2000, 4000 },
      { .9752, .9752 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s of step time." },
    { 500,
      { 2000, 4000 },
      { .9752, .5 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: CPU 97.5 %, OpenCL 50.0 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s "
      "of "
      "step time." },
    /* they are told of together where they are told alike */
    { 500,
      { 2000, 4000 },
      { .97521, .97519 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 2.00 s of step time." },
    { 500,
      { 2000, 4000 },
      { .9752, .5 },
      { 0, 0 },
      LS_LANE_FAILED,
      "Learnt: 97.5 % of 0 test samples right after 500 steps; CPU 1.00 s of step time." },
    /* its own steps alone: the last hundred */
    { 500,
      { 2000, 4000 },
      { .9, .9 },
      { 0, 400 },
      LS_LANE_READY,
      "Learnt: 90.0 % of 0 test samples right after 500 steps; CPU 1.00 s, OpenCL 400 ms from step 401 on of "
      "step time." },
    { 1,
      { 2000, 4000 },
      { .25, .25 },
      { 0, 0 },
      LS_LANE_READY,
      "Learnt: 25.0 % of 0 test samples right after 1 step; CPU 2.00 ms, OpenCL 4.00 ms of step time." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = ended (rows[i].steps, rows[i].us, rows[i].accuracy, rows[i].joined);
      LsSnapshot *s = again (ls_session_snapshot (view->session));

      s->lanes[1].state = rows[i].second;
      hand_over (view, s);
      g_autofree char *says = plain (ls_session_learnt (view->session));
      g_autoptr (GRegex) device = g_regex_new ("OpenCL on [^0-9]*CPU", 0, 0, NULL);
      g_autofree char *told = g_regex_replace_literal (device, says, -1, 0, "OpenCL", 0, NULL);
      if (strcmp (told, rows[i].says) != 0)
        g_error ("it says\n  “%s”, not\n  “%s”", told, rows[i].says);
      view->session->file = ls_recording_ref (ls_fixture_recording (&desk)); /* of a recording there is none
                                                                              */
      g_assert_null (ls_session_learnt (view->session));
      ls_recording_unref (view->session->file);
    }
}

/* What is planned for the data, or what the lanes take where that is longer. */
static void
test_watch (void)
{
  static const struct {
    const char *data;
    double us; /* of each lane's step */
    gboolean turns;
    const char *says;
  } rows[] = {
    { "mnist", 0, TRUE, "an epoch in 10 s" },
    { "mnist", 100, TRUE, "an epoch in 10 s" },
    { "spiral", 0, TRUE, "2 000 steps in 30 s" },
    { "xor", 0, TRUE, "2 000 steps in 30 s" },
    { "spiral", 2000, FALSE, "2 000 steps in 30 s" }, /* 4 s */
    { "spiral", 20000, FALSE, "2 000 steps in 40.0 s" },
    { "spiral", 20000, TRUE, "2 000 steps in 80.0 s" }, /* one after the other */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (View) view = view_new ();
      LsSnapshot *s = running ();

      g_assert_true (ls_options_set (view->session->options, ls_options_find ("data"), rows[i].data, NULL));
      s->turns = rows[i].turns;
      s->steps_per_epoch = 468;
      for (guint k = 0; k < 2; k++)
        s->lanes[k].step_us = (LsFigure){
          rows[i].us, "µs", LS_EVIDENCE_MEASURED, rows[i].us > 0 ? 99 : 0, rows[i].us, rows[i].us, 0, NULL
        };
      hand_over (view, s);
      g_autofree char *says = plain (ls_session_pace_words (view->session, LS_PACE_WATCH)),
                      *step = ls_session_pace_words (view->session, LS_PACE_STEP);
      if (strcmp (says, rows[i].says) != 0)
        g_error ("watch pace of %s with steps of %g µs%s is “%s”, not “%s”", rows[i].data, rows[i].us,
                 rows[i].turns ? " in turns" : "", says, rows[i].says);
      g_assert_cmpstr (step, ==, "a step, then its picture");
    }
}

/* A pace that is held is the pace, and lets go to the one that was chosen meanwhile. */
static void
test_held (void)
{
  g_autoptr (View) view = view_new ();
  LsSession *self = view->session;

  for (LsPace pace = LS_PACE_STEP; pace <= LS_PACE_FULL; pace++)
    for (LsPace then = LS_PACE_STEP; then <= LS_PACE_FULL; then++)
      {
        ls_session_set_pace (self, pace);
        const guint states = view->n_states;
        ls_session_hold_full (self, TRUE);
        ls_session_hold_full (self, TRUE);
        g_assert_cmpint (ls_session_pace (self), ==, LS_PACE_FULL);
        ls_session_set_pace (self, then);
        g_assert_cmpint (ls_session_pace (self), ==, LS_PACE_FULL);
        ls_session_hold_full (self, FALSE);
        g_assert_cmpint (ls_session_pace (self), ==, then);
        g_assert_cmpuint (view->n_states, ==, states + 2 + (pace != then)); /* each change is told once */
      }
}

/* What is still there of a run that was broken off, and nothing once it is left. */
static void
test_kept (void)
{
  for (guint recorded = 0; recorded < 2; recorded++)
    {
      g_autoptr (View) view = view_new ();
      LsKeptRun *run = g_atomic_rc_box_new0 (LsKeptRun);
      const guint states = view->n_states;

      run->step = 12345;
      run->options = ls_options_new ();
      run->recording = recorded ? ls_fixture_recording (&desk) : NULL;
      g_assert_null (ls_session_kept_words (view->session));
      view->session->keep.offered = run;
      g_autofree char *words = plain (ls_session_kept_words (view->session));
      g_assert_cmpstr (words, ==,
                       recorded
                         ? "The last run was broken off; its weights after step 12 345, its settings and "
                           "its recorded step are still there."
                         : "The last run was broken off; its weights after step 12 345 and its settings are "
                           "still there.");
      ls_session_leave_kept (view->session);
      g_assert_null (ls_session_kept_words (view->session));
      g_assert_true (view->session->keep.decided);
      g_assert_cmpuint (view->n_states, ==, states + 1);
      ls_session_leave_kept (view->session);
      g_assert_cmpuint (view->n_states, ==, states + 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-words/learnt", test_learnt);
  g_test_add_func ("/session-words/watch", test_watch);
  g_test_add_func ("/session-words/held", test_held);
  g_test_add_func ("/session-words/kept", test_kept);
  return g_test_run ();
}
