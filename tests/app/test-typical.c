/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of a run's recorded steps the window shows: invented ones are handed to a session that has no lanes.
 */
#include "rated.h"
#include "ui/app/session/session_private.h"

/* Both lanes took `times` as long as the fixture's. */
static LsRecording *
step_of (guint64 step, double times)
{
  LsRecording *recording = ls_fixture_recording (&desk);

  recording->step = step;
  for (guint i = 0; i < recording->n_lanes; i++)
    {
      LsRecordedLane *lane = &recording->lanes[i];
      lane->end_ns = lane->start_ns + (guint64) (times * (double) (lane->end_ns - lane->start_ns));
    }
  return recording;
}

/* A run that plays, has shown step 20, and whose lanes' medians are the fixture's. */
static LsSession *
run_of_typical_steps (void)
{
  LsSession *self = ls_session_new ();

  self->live = ls_fixture_view (&desk, LS_STATE_LIVE);
  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (self->live, side, shown_rate (self->live, side), .02, 200);
  self->playhead.playing = TRUE;
  for (guint64 step = 1; step <= 20; step++)
    {
      g_autoptr (LsRecording) recording = step_of (step, 1);
      LsOpTimes *before = self->op_times;
      self->op_times = ls_op_times_add (before, recording);
      ls_op_times_unref (before);
      if (step == 20)
        self->shown = ls_recording_ref (recording);
    }
  return self;
}

/* None of four is typical: the one nearest to the medians is shown next, be it the first or the last. */
static void
test_nearest (void)
{
  static const struct {
    double times[4];
    guint nearest;
  } rows[] = {
    { { 1.3, 1.4, 1.5, 1.6 }, 0 },
    { { 1.6, 1.5, 1.3, 1.4 }, 2 },
    { { 1.5, .5, .6, 1.35 }, 3 },
  };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      g_autoptr (LsSession) self = run_of_typical_steps ();

      for (guint i = 0; i < 4; i++)
        {
          g_autoptr (LsRecording) recording = step_of (21 + i, rows[r].times[i]);
          g_assert_null (self->ready);
          ls_session_take_recording (self, recording);
        }
      g_assert_nonnull (self->ready);
      if (self->ready->step != 21 + rows[r].nearest)
        g_error ("of steps that took %g, %g, %g and %g medians the one of %g is chosen", rows[r].times[0],
                 rows[r].times[1], rows[r].times[2], rows[r].times[3], rows[r].times[self->ready->step - 21]);
      ls_session_end (self);
    }
}

/* Each time four are tried, also after one that was chosen: the fourth is what is shown next. */
static void
test_four_each (void)
{
  static const double times[] = { 1.6, 1.5, 1.3, 1.4 };
  g_autoptr (LsSession) self = run_of_typical_steps ();

  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (LsRecording) recording = step_of (21 + i, times[i % 4]);

      ls_session_take_recording (self, recording);
      if ((self->ready != NULL) != (i % 4 == 3))
        g_error ("after the %u. of steps that aren't typical %s is chosen", i + 1,
                 self->ready != NULL ? "one" : "none");
      if (self->ready != NULL)
        g_assert_cmpuint (self->ready->step, ==, 21 + i - 1);
      g_clear_pointer (&self->ready, ls_recording_unref);
    }
  ls_session_end (self);
}

/* One that a lane was missing in gives way to one of all lanes, though it was nearer to the medians. */
static void
test_lanes (void)
{
  LsSession *self = run_of_typical_steps ();
  g_autoptr (LsRecording) alone = step_of (21, 1.3), both = step_of (22, 1.5);
  const guint all = alone->n_lanes;

  alone->n_lanes = 1;
  ls_session_take_recording (self, alone);
  g_assert_null (self->ready);
  g_assert_true (self->best == alone);
  ls_session_take_recording (self, both);
  g_assert_null (self->ready);
  if (self->best != both)
    g_error ("a step of 1.3 medians that has %u lane stays the nearest after one of 1.5 that has %u",
             self->best->n_lanes, all);
  ls_session_end (self);
  g_object_unref (self);
  alone->n_lanes = all;
}

/* Interrupted ones are set aside, which are counted; the newest of them can be looked at. */
static void
test_aside (void)
{
  g_autoptr (LsSession) self = run_of_typical_steps ();
  g_autoptr (LsRecording) first = step_of (21, 3), second = step_of (22, 4);

  ls_session_take_recording (self, first);
  g_assert_true (self->aside == first);
  g_assert_cmpuint (self->n_aside, ==, 1);
  ls_session_take_recording (self, second);
  g_assert_true (self->aside == second);
  if (self->n_aside != 2)
    g_error ("two steps were interrupted, and %u are said to be", self->n_aside);
  g_assert_null (self->ready);
  ls_session_end (self);
}

/* A typical one is shown at once. */
static void
test_typical (void)
{
  g_autoptr (LsSession) self = run_of_typical_steps ();
  g_autoptr (LsRecording) recording = step_of (21, 1.1);

  ls_session_take_recording (self, recording);
  g_assert_true (self->ready == recording);
  ls_session_end (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/typical/nearest", test_nearest);
  g_test_add_func ("/session/typical/four-each", test_four_each);
  g_test_add_func ("/session/typical/lanes", test_lanes);
  g_test_add_func ("/session/typical/aside", test_aside);
  g_test_add_func ("/session/typical/at-once", test_typical);
  return g_test_run ();
}
