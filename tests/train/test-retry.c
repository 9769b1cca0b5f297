/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes opened anew after they failed or hung: they go on where the other lane is, with its weights and
 * optimizer states, and agree with it bit for bit from there on.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"
#include "train/lane/lane.h"

/* Also under an optimizer with states: without them, the very next loss but one is another. */
static void
test_goes_on (gconstpointer data)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;
  guint64 stop;

  options->optimizer = GPOINTER_TO_INT (data);
  options->lr = options->optimizer == LS_OPTIMIZER_ADAM ? 0.01 : 0.1;
  options->momentum = 0.9;
  fake.fail_at = 12;
  c = start_and_open (options, &fake_backend);
  broken = run_to (c, 205);
  stop = broken->lanes[1].steps;
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (stop, <, 205);
  g_assert_cmpuint (broken->lanes[1].retry_step, ==, 205);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, 0);

  retry_at_rest (c);
  s = run_to (c, 263);
  assert_agree (s, 263);
  g_assert_cmpuint (count_missing (&s->lanes[0]), ==, 0);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 205 - stop);
  for (guint64 i = stop; i < 205; i++)
    g_assert_true (ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_MISSING);
  g_assert_cmpuint (s->agreement.losses_compared, ==, stop + 263 - 205);
  g_assert_cmpuint (s->agreement.weights_step, ==, 263);
  g_assert_cmpuint (s->agreement.weights_kept, ==, 0); /* no weights are kept for a lane that won't come there
                                                        */
  for (guint64 i = 205; i < 263; i++)
    g_assert_true (!(ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_WARM_UP)
                   == (i >= 205 + LS_WARM_UP_STEPS));
  g_assert_cmpuint (s->lanes[1].accuracy_step, ==, 263);
  g_assert_true (s->lanes[0].accuracy == s->lanes[1].accuracy);
  g_assert_cmpuint (s->lanes[1].rate.n + s->lanes[1].rate.left_out, ==, stop + 263 - 205); /* medians know
                                                                                              nothing of the
                                                                                              gap */
  g_assert_true (isfinite (s->lanes[1].step_us.value) && s->lanes[1].step_us.q1 > 0);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 2);
  g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, 1);
  g_assert_cmpint (fake.together, ==, 0); /* the old one had closed its device */
}

/* The first lane is the one that stops: the others are held against each other, also while it opens, and then
 * against it. */
static void
test_first_of_three (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, &fake_backend, &ls_backend_reference,
                                             fragile_backend ());
  g_autoptr (LsSnapshot) broken = NULL, joined = NULL, s = NULL;
  guint64 stop;

  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  fake.fail_at = 5;
  broken = run_to (c, 100);
  stop = broken->lanes[0].steps;
  g_assert_cmpint (broken->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->agreement.losses_compared, ==, 2 * stop + 100 - stop);
  fake.open_ms = 200;
  ls_coordinator_retry (c);
  ls_coordinator_run (c, 117);
  for (gboolean rest = FALSE; !rest;)
    {
      rest = ls_coordinator_wait (c, 1);
      g_autoptr (LsSnapshot) now = ls_coordinator_take (c);
      if (now && now->lanes[0].state == LS_LANE_OPENING && now->lanes[1].steps == 117
          && now->lanes[2].steps == 117)
        g_assert_cmpuint (now->agreement.losses_compared, ==, 2 * stop + 117 - stop);
      if (now == NULL)
        continue;
      g_clear_pointer (&joined, ls_snapshot_unref);
      joined = g_steal_pointer (&now);
    }
  assert_agree (joined, 117);
  g_assert_cmpuint (count_missing (&joined->lanes[0]), ==, 117 - stop);
  g_assert_cmpuint (joined->agreement.losses_compared, ==, 2 * stop + 117 - stop);
  s = run_to (c, 150);
  assert_agree (s, 150);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 2 * stop + 117 - stop + 2 * 33);
  g_assert_cmpuint (s->agreement.weights_kept, ==, 0);
}

static void
test_while_running (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) failed = NULL, ready = NULL, paused = NULL, s = NULL;
  guint64 target;

  fake.fail_at = 20;
  fake.open_ms = 30;
  options->optimizer = LS_OPTIMIZER_ADAM;
  options->lr = 0.001;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  failed = await_state (c, 1, LS_LANE_FAILED);
  g_usleep (20000);
  ls_coordinator_retry (c);
  ready = await_state (c, 1, LS_LANE_READY);
  /* a lane that is more than a turn behind stays there */
  while (ready->lanes[0].steps - MIN (ready->lanes[1].steps, ready->lanes[0].steps) > LS_TURN_MAX)
    {
      LsSnapshot *next = ls_coordinator_take (c);

      g_usleep (1000);
      if (next == NULL)
        continue;
      ls_snapshot_unref (ready);
      ready = next;
    }
  ls_coordinator_pause (c);
  paused = finish (c);
  g_assert_cmpuint (paused->lanes[0].steps, ==, paused->lanes[1].steps);
  g_assert_cmpuint (paused->lanes[0].steps, >, failed->lanes[1].steps);
  target = paused->lanes[0].steps + 40;
  s = run_to (c, target);
  assert_agree (s, target);
  g_assert_cmpuint (count_missing (&s->lanes[1]), >, 0);
  g_assert_cmpuint (s->agreement.losses_compared, ==, target - count_missing (&s->lanes[1]));
}

static void
test_while_paused (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) failed = NULL, coming = NULL, ready = NULL, s = NULL;
  guint64 at;

  fake.fail_at = 10;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  failed = await_state (c, 1, LS_LANE_FAILED);
  ls_coordinator_pause (c);
  s = finish (c);
  at = s->lanes[0].steps;
  g_assert_cmpuint (s->lanes[1].retry_step, ==, at);
  g_clear_pointer (&s, ls_snapshot_unref);
  fake.open_ms = 150;
  ls_coordinator_retry (c);
  g_assert_true (ls_coordinator_wait (c, 20000)); /* nothing trains: nothing to wait for */
  coming = await_state (c, 1, LS_LANE_OPENING);
  g_assert_cmpstr (coming->lanes[1].message, ==, NULL);
  g_assert_cmpuint (coming->lanes[1].steps, ==, failed->lanes[1].steps);
  ready = await_state (c, 1, LS_LANE_READY);
  g_assert_false (ready->running);
  g_assert_cmpuint (ready->lanes[0].steps, ==, at);
  g_assert_cmpuint (ready->lanes[1].steps, ==, at); /* it stands where the other one does, and rests */
  g_assert_true (isnan (ready->lanes[1].loss));
  s = run_to (c, at + 30);
  assert_agree (s, at + 30);
}

static void
test_fails_again (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  guint64 missing = 0;

  c = start_and_open (options, &fake_backend);
  for (guint64 round = 1; round <= 3; round++)
    {
      g_autoptr (LsSnapshot) broken = NULL, s = NULL;
      fake.fail_at = (guint64) g_atomic_int_get (&fake.runs) + 3;
      broken = run_to (c, 100 * round);
      g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_cmpuint (broken->lanes[1].retry_step, ==, 100 * round);
      missing += 100 * round + 5 - broken->lanes[1].steps;
      /* Its device isn't there at first. */
      fake.fail_open = TRUE;
      retry_at_rest (c);
      s = run_to (c, 100 * round + 5);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_cmpstr (s->lanes[1].message, ==, "The fake has no device today.");
      g_clear_pointer (&s, ls_snapshot_unref);
      fake.fail_open = FALSE;
      retry_at_rest (c);
      s = run_to (c, 100 * round + 20);
      assert_agree (s, 100 * round + 20);
      g_assert_cmpuint (count_missing (&s->lanes[1]), ==, missing);
    }
}

/* A lane that never was there begins in the middle. */
static void
test_never_opened (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) before = NULL, s = NULL;

  fake.fail_prepare = TRUE;
  c = start (options, &fake_backend);
  before = run_to (c, 80);
  g_assert_cmpint (before->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_null (before->lanes[1].facts);
  fake.fail_prepare = FALSE;
  retry_at_rest (c);
  s = run_to (c, 120);
  assert_agree (s, 120);
  g_assert_nonnull (s->lanes[1].facts);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 80);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 40);
}

static void
test_hung (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) hung = NULL, s = NULL;
  LsCoordinator *c;

  options->momentum = 0.9;
  fake.hang_at = 5;
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "300", TRUE);
  c = start_and_open (options, &fake_backend);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  hung = run_to (c, 100);
  g_assert_cmpint (hung->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_cmpuint (hung->lanes[1].retry_step, ==, 100);
  retry_at_rest (c);
  s = run_to (c, 170);
  assert_agree (s, 170);
  g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, 0); /* the old one still hangs */
  g_atomic_int_set (&fake.let_go, 1);
  while (!g_atomic_int_get (&fake.closed))
    g_usleep (1000);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run_to (c, 200); /* and does no harm when it comes back */
  assert_agree (s, 200);
  ls_coordinator_free (c);
}

/* A device that doesn't close is left behind, and the lane opened anew beside it. */
static void
test_never_closed (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;
  LsCoordinator *c;

  fake.fail_at = 3;
  fake.hang_close = TRUE;
  c = start_and_open (options, &fake_backend);
  broken = run_to (c, 60);
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  ls_coordinator_retry (c);
  if (!ls_coordinator_wait (c, 20000))
    g_error ("a lane whose device doesn't close isn't opened anew");
  s = run_to (c, 90);
  assert_agree (s, 90);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 2);
  g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, 0);
  g_atomic_int_set (&fake.let_go, 1);
  while (!g_atomic_int_get (&fake.closed))
    g_usleep (1000);
  ls_coordinator_free (c);
}

static void
test_nothing_failed (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 50;
  c = start (options, &fake_backend);
  ls_coordinator_retry (c); /* it is still opening */
  ls_coordinator_run (c, 40);
  g_assert_true (ls_coordinator_wait (c, 20000));
  ls_coordinator_retry (c);
  s = run_to (c, 80);
  assert_agree (s, 80);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 1);
}

static void
test_twice (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_at = 3;
  fake.open_ms = 20;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 60);
  g_assert_true (ls_coordinator_wait (c, 20000));
  ls_coordinator_retry (c);
  ls_coordinator_retry (c);
  g_usleep (10000);
  ls_coordinator_retry (c);
  s = run_to (c, 90);
  assert_agree (s, 90);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/retry/goes-on/momentum", GINT_TO_POINTER (LS_OPTIMIZER_SGD), test_goes_on);
  g_test_add_data_func ("/retry/goes-on/adam", GINT_TO_POINTER (LS_OPTIMIZER_ADAM), test_goes_on);
  g_test_add_func ("/retry/first-of-three", test_first_of_three);
  g_test_add_func ("/retry/while-running", test_while_running);
  g_test_add_func ("/retry/while-paused", test_while_paused);
  g_test_add_func ("/retry/fails-again", test_fails_again);
  g_test_add_func ("/retry/never-opened", test_never_opened);
  g_test_add_func ("/retry/hung", test_hung);
  g_test_add_func ("/retry/never-closed", test_never_closed);
  g_test_add_func ("/retry/nothing-failed", test_nothing_failed);
  g_test_add_func ("/retry/twice", test_twice);
  return g_test_run ();
}
