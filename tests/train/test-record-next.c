/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording the next step while training goes on, or while it rests: on which lanes, with which of them
 * failing or still to come, once for many calls, and again and again; and runs without end.
 */
#include <string.h>

#include "rig.h"

/* Waits until the other lane is at its first run(), which doesn't end before let_go(). */
static void
wait_for_hang (void)
{
  while (g_atomic_int_get (&fake.runs) == 0)
    g_usleep (1000);
}

static void
assert_complete (const LsRecording *recording, guint n_lanes, gboolean tensors)
{
  g_assert_cmpuint (recording->n_lanes, ==, n_lanes);
  for (guint l = 0; l < n_lanes; l++)
    {
      const LsRecordedLane *lane = &recording->lanes[l];
      g_assert_cmpuint (lane->events->len, ==, 2 * recording->n_ops + 1);
      g_assert_cmpuint (lane->n_steps, ==, recording->step);
      g_assert_true (ls_curve_get (lane->curve, recording->step - 1).flags & LS_POINT_RECORDED);
      g_assert_true (tensors == (ls_recording_values (recording, l, "1.weight", NULL) != NULL));
      g_assert_cmpuint (tensors ? 1 : 0, ==, lane->tensors->len > 0);
    }
}

/* How many of the lane's steps were recorded. */
static guint
count_recorded (const LsLaneSnapshot *lane)
{
  guint n = 0;

  for (guint64 i = 0; i < lane->steps; i++)
    n += (ls_curve_get (lane->curve, i).flags & LS_POINT_RECORDED) != 0;
  return n;
}

static void
test_running (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL, later = NULL;

      options->turns = i % 2 ? LS_TURNS_RACE : LS_TURNS_TURNS;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, LS_STEPS_ENDLESS);
      g_usleep (i * 300);
      ls_coordinator_record_next (c, i % 4 < 2);
      s = wait_for_recording (c, NULL);
      g_assert_true (s->running);
      g_assert_cmpuint (s->target, ==, LS_CURVE_MAX);
      assert_complete (s->recording, 2, i % 4 < 2);
      later = wait_for_steps (c, s->recording->step + 50); /* it went on */
      g_assert_true (later->running);
      g_assert_true (later->recording == s->recording);
      g_assert_true (later->agreement.loss_delta_max == 0);
    }
}

/* At rest after pause(), and at the target: one more step each, and the lanes rest again. */
static void
test_paused (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) paused = NULL, s = NULL, target = NULL, once_more = NULL, on = NULL;

  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_snapshot_unref (wait_for_steps (c, 30));
  ls_coordinator_pause (c);
  paused = finish (c);
  ls_coordinator_record_next (c, TRUE);
  s = finish (c);
  g_assert_false (s->running);
  g_assert_cmpuint (s->lanes[0].steps, ==, paused->lanes[0].steps + 1);
  g_assert_cmpuint (s->lanes[1].steps, ==, paused->lanes[0].steps + 1);
  g_assert_cmpuint (s->recording->step, ==, s->lanes[0].steps);
  assert_complete (s->recording, 2, TRUE);

  ls_coordinator_run (c, s->lanes[0].steps + 9); /* wakes after pause() */
  target = finish (c);
  g_assert_cmpuint (target->lanes[0].steps, ==, s->lanes[0].steps + 9);
  g_assert_true (target->recording == s->recording);
  g_assert_cmpuint (target->lanes[0].accuracy_step, ==, target->lanes[0].steps);
  ls_coordinator_record_next (c, FALSE);
  once_more = finish (c);
  g_assert_cmpuint (once_more->target, ==, target->target);
  g_assert_cmpuint (once_more->lanes[0].steps, ==, target->lanes[0].steps + 1);
  g_assert_cmpuint (once_more->lanes[1].steps, ==, target->lanes[0].steps + 1);
  assert_complete (once_more->recording, 2, FALSE);
  ls_coordinator_run (c, once_more->target + 20);
  on = finish (c);
  g_assert_cmpuint (on->lanes[1].steps, ==, target->target + 20);
}

static void
test_lane_fails_at_it (void)
{
  for (guint running = 0; running < 2; running++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      fake.fail_recorded = TRUE;
      c = start_and_open (options, &fake_backend);
      if (running)
        ls_coordinator_run (c, LS_STEPS_ENDLESS);
      ls_coordinator_record_next (c, FALSE);
      s = wait_for_recording (c, NULL);
      assert_complete (s->recording, 1, FALSE);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
    }
}

/* The only lane that had it to do fails; the one that comes afterwards does it instead. */
static void
test_all_fail_at_it (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;
  const LsBackend *const only[] = { &fake_backend };

  fake.fail_recorded = TRUE;
  c = ls_coordinator_new_with_backends (options, only, 1, &error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_coordinator_record_next (c, TRUE);
  s = finish (c);
  g_assert_null (s->recording);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
}

/* The other lane opens for ever: it is left out, and nobody waits. */
static void
test_lane_still_opens (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL, paused = NULL;
  LsCoordinator *c;

  fake.hang_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_coordinator_record_next (c, TRUE);
  s = wait_for_recording (c, NULL);
  assert_complete (s->recording, 1, TRUE);
  g_assert_cmpstr (s->recording->lanes[0].device->backend, ==, "reference");
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_OPENING);
  ls_coordinator_pause (c);
  ls_coordinator_record_next (c, FALSE);
  paused = finish (c);
  g_assert_cmpuint (paused->recording->step, ==, paused->lanes[0].steps);
  assert_complete (paused->recording, 1, FALSE);
  free_hanging (c);
}

/* Asked for when no lane is there yet: the first that comes does it, without a run. */
static void
test_before_any_lane (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;
  const LsBackend *const only[] = { &fake_backend };

  fake.open_ms = 100;
  c = ls_coordinator_new_with_backends (options, only, 1, &error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_record_next (c, TRUE);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, 1);
  assert_complete (s->recording, 1, TRUE);
}

/* Many calls at once ask for one step; one of them wants tensors. */
static void
test_merged (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  fake.hang_at = 1;
  ls_coordinator_run (c, 2);
  wait_for_hang ();
  for (guint i = 0; i < 100; i++)
    {
      ls_coordinator_record_next (c, i == 70);
      g_usleep (100); /* so that some are taken over one by one */
    }
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_assert_cmpuint (count_recorded (&s->lanes[0]), ==, 1);
  g_assert_cmpuint (count_recorded (&s->lanes[1]), ==, 1);
  assert_complete (s->recording, 2, TRUE);
}

/* A call while the step is being done is served by it. */
static void
test_merged_late (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  fake.hang_at = 1;
  ls_coordinator_record_next (c, TRUE);
  wait_for_hang ();
  ls_coordinator_record_next (c, FALSE);
  ls_coordinator_record_next (c, TRUE);
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, 1);
  g_assert_cmpuint (s->lanes[1].steps, ==, 1);
  assert_complete (s->recording, 2, TRUE);
}

/* A call that wants tensors while a step without is being recorded is served by the next one. */
static void
test_tensors_afterwards (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  fake.hang_at = 1;
  ls_coordinator_record_next (c, FALSE);
  wait_for_hang ();
  ls_coordinator_record_next (c, FALSE); /* merged */
  ls_coordinator_record_next (c, TRUE);
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_assert_cmpuint (s->recording->step, ==, 2);
  assert_complete (s->recording, 2, TRUE);
  g_assert_cmpuint (s->lanes[0].steps, ==, 2);
}

/* Fifty in a row while it runs: all lanes do the same, the run goes on, and no recording copies the
 * history. */
static void
test_fifty (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL, done = NULL;
  guint64 last = 0;

  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  for (guint i = 0; i < 50; i++)
    {
      LsSnapshot *next;

      ls_coordinator_record_next (c, i % 10 == 0);
      next = wait_for_recording (c, s ? s->recording : NULL);
      ls_snapshot_unref (s);
      s = next;
      assert_complete (s->recording, 2, i % 10 == 0);
      g_assert_cmpuint (s->recording->step, >, last);
      g_assert_true (s->recording->lanes[0].curve == s->lanes[0].curve);
      last = s->recording->step;
    }
  ls_coordinator_pause (c);
  done = finish (c);
  g_assert_cmpuint (count_recorded (&done->lanes[0]), ==, 50);
  g_assert_cmpuint (count_recorded (&done->lanes[1]), ==, 50);
  g_assert_true (done->agreement.loss_delta_max == 0);
  g_assert_cmpuint (done->lanes[0].steps, ==, done->lanes[1].steps);
}

/* The last step, as record() wants it, is recorded all the same, also where it is the next one. */
static void
test_beside_record (void)
{
  for (guint64 steps = 2; steps < 60; steps += 25)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
      g_autoptr (LsSnapshot) s = NULL;

      fake.hang_at = 1;
      ls_coordinator_run (c, steps);
      wait_for_hang ();
      ls_coordinator_record (c);
      ls_coordinator_record_next (c, FALSE);
      g_atomic_int_set (&fake.let_go, 1);
      s = finish (c);
      g_assert_cmpuint (s->lanes[0].steps, ==, steps);
      g_assert_cmpuint (s->recording->step, ==, steps);
      g_assert_cmpuint (count_recorded (&s->lanes[0]), ==, steps == 2 ? 1 : 2);
      g_assert_cmpuint (count_recorded (&s->lanes[1]), ==, steps == 2 ? 1 : 2);
      assert_complete (s->recording, 2, TRUE);
    }
}

/* A backend that tells nonsense: no recording of that step, and the reason. */
static void
test_inconsistent (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL, good = NULL;

  fake.bad_event = TRUE;
  ls_coordinator_record_next (c, FALSE);
  s = finish (c);
  g_assert_null (s->recording);
  g_assert_nonnull (strstr (s->recording_message, "its op is 65534"));
  fake.bad_event = FALSE;
  ls_coordinator_record_next (c, FALSE);
  good = finish (c);
  g_assert_nonnull (good->recording);
  g_assert_null (good->recording_message);
}

/* Without end: epochs are evaluated, pause() ends it, run() goes on. */
static void
test_endless (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL, paused = NULL, on = NULL;
  const guint64 epoch = ls_coordinator_steps_per_epoch (c);

  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  s = wait_for_steps (c, 2 * epoch + 1);
  g_assert_cmpuint (s->lanes[0].accuracy_step, >=, 2 * epoch);
  g_assert_cmpuint (s->lanes[0].accuracy_step % epoch, ==, 0);
  g_assert_null (s->message);
  g_assert_false (ls_coordinator_wait (c, 20));
  ls_coordinator_pause (c);
  paused = finish (c);
  g_assert_cmpuint (paused->lanes[0].steps, ==, paused->lanes[1].steps);
  ls_coordinator_run (c, LS_STEPS_ENDLESS - 1);
  on = wait_for_steps (c, paused->lanes[0].steps + 100);
  g_assert_true (on->running);
}

/* A lane whose compiler would be waited for trains on meanwhile, and is recorded with the others once it is
 * done. */
static void
test_lane_is_warmed (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) alone = NULL, later = NULL, both = NULL;

  g_atomic_int_set (&fake.waits, 1);
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_coordinator_record_next (c, FALSE);
  alone = wait_for_recording (c, NULL);
  assert_complete (alone->recording, 1, FALSE);
  later = wait_for_steps (c, alone->recording->step + 50);
  while (later->lanes[1].steps < alone->recording->step + 50)
    {
      const guint64 more = later->lanes[0].steps + 10;
      ls_snapshot_unref (later);
      later = wait_for_steps (c, more);
    }
  g_atomic_int_set (&fake.let_go, 1);
  while (g_atomic_int_get (&fake.waits))
    g_usleep (1000);
  ls_coordinator_record_next (c, FALSE);
  both = wait_for_recording (c, alone->recording);
  assert_complete (both->recording, 2, FALSE);
}

/* Step by step, and not in turns: while the others do the step that is recorded, a lane whose compiler would
 * be waited for stays where it is, and does it afterwards. */
static void
test_stepped_beside_warmed (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) alone = NULL, s = NULL;

  options->turns = LS_TURNS_RACE;
  options->pace = LS_PACE_STEP;
  g_atomic_int_set (&fake.waits, 1);
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  ls_coordinator_record_next (c, FALSE);
  alone = wait_for_recording (c, NULL);
  assert_complete (alone->recording, 1, FALSE);
  g_atomic_int_set (&fake.let_go, 1);
  ls_coordinator_pause (c);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[1].steps, ==, s->lanes[0].steps);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record-next/running", test_running);
  g_test_add_func ("/record-next/paused", test_paused);
  g_test_add_func ("/record-next/lane-fails-at-it", test_lane_fails_at_it);
  g_test_add_func ("/record-next/all-fail-at-it", test_all_fail_at_it);
  g_test_add_func ("/record-next/lane-still-opens", test_lane_still_opens);
  g_test_add_func ("/record-next/before-any-lane", test_before_any_lane);
  g_test_add_func ("/record-next/merged", test_merged);
  g_test_add_func ("/record-next/merged-late", test_merged_late);
  g_test_add_func ("/record-next/tensors-afterwards", test_tensors_afterwards);
  g_test_add_func ("/record-next/fifty", test_fifty);
  g_test_add_func ("/record-next/beside-record", test_beside_record);
  g_test_add_func ("/record-next/inconsistent", test_inconsistent);
  g_test_add_func ("/record-next/endless", test_endless);
  g_test_add_func ("/record-next/lane-is-warmed", test_lane_is_warmed);
  g_test_add_func ("/record-next/stepped-beside-warmed", test_stepped_beside_warmed);
  return g_test_run ();
}
