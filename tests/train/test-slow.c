/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane that takes long over a job holds up nobody: not the other lane, not a pause, not the end.
 */
#include "config.h"
#include "rig.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_US (60 * G_USEC_PER_SEC)

/* Waits until that is so of a snapshot. (transfer full) */
static LsSnapshot *
await (LsCoordinator *c, gboolean (*is_so) (const LsSnapshot *s))
{
  const gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      if (s != NULL && is_so (s))
        return s;
      ls_snapshot_unref (s);
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (1000);
    }
}

static gboolean
other_went_on (const LsSnapshot *s)
{
  return s->lanes[1].busy_s > 0 && s->lanes[0].steps >= s->lanes[1].steps + 100;
}

static gboolean
has_recording (const LsSnapshot *s)
{
  return s->recording != NULL;
}

static gboolean
is_level (const LsSnapshot *s)
{
  return s->lanes[1].busy_s <= 0 && s->lanes[0].steps == s->lanes[1].steps && s->lanes[1].steps >= 300;
}

/* The lane hangs in a step: the other one goes on, the snapshot says for how long; once it is back it catches
 * up, and is right. */
static void
test_others_go_on (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) slow = NULL, recorded = NULL, level = NULL;

  fake.hang_at = 5;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 5000);
  slow = await (c, other_went_on);
  ls_coordinator_record_next (c, FALSE); /* once both can do it */
  g_assert_cmpint (slow->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpfloat (slow->lanes[1].busy_s, >=, 3);
  g_assert_false (slow->lanes[1].builds);
  g_assert_true (slow->lanes[0].busy_s <= 0);
  if (!(ls_curve_get (slow->lanes[0].curve, slow->lanes[0].steps - 1).flags & LS_POINT_DISTURBED))
    g_error ("a step beside a lane that hangs counts as undisturbed");
  g_assert_false (ls_curve_get (slow->lanes[0].curve, 0).flags & LS_POINT_DISTURBED);
  g_atomic_int_set (&fake.let_go, 1);
  recorded = await (c, has_recording);
  g_test_message ("step %u of %u lanes", (guint) recorded->recording->step, recorded->recording->n_lanes);
  g_assert_cmpuint (recorded->recording->n_lanes, ==, 2);
  level = await (c, is_level);
  g_assert_true (ls_coordinator_wait (c, 20000));
  g_assert_cmpuint (level->agreement.losses_compared, >=, 299);
  g_assert_true (level->agreement.loss_delta_max == 0);
}

/* A pause comes although it hangs; so does the end. */
static void
test_pause_and_end (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  gint64 begun_us;
  LsCoordinator *c;

  fake.hang_at = 5;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  while (g_atomic_int_get (&fake.runs) < 5)
    g_usleep (1000);
  begun_us = g_get_monotonic_time ();
  ls_coordinator_pause (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
  g_test_message ("paused after %.1f s", (double) (g_get_monotonic_time () - begun_us) / 1e6);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, 10 * G_USEC_PER_SEC);
  begun_us = g_get_monotonic_time ();
  ls_coordinator_free (c);
  g_test_message ("ended after %.1f s", (double) (g_get_monotonic_time () - begun_us) / 1e6);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, 5 * G_USEC_PER_SEC);
  g_atomic_int_set (&fake.let_go, 1);
  while (!g_atomic_int_get (&fake.closed))
    g_usleep (1000);
}

/* A step that is to be recorded at rest waits for it: until then not all is done. */
static void
test_recorded_at_rest (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.hang_at = 5;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  while (g_atomic_int_get (&fake.runs) < 5)
    g_usleep (1000);
  ls_coordinator_pause (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
  ls_coordinator_record_next (c, FALSE);
  g_assert_false (ls_coordinator_wait (c, 500));
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_assert_nonnull (s->recording);
}

static gboolean
has_trained (const LsSnapshot *s)
{
  return s->lanes[0].steps == 3 && s->lanes[1].steps == 3;
}

/* An evaluation that takes half a minute ends with the batch that it is at, isn't told of, and is done once
 * training goes on. */
static void
test_evaluation_ends (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL, paused = NULL, done = NULL;
  gint runs;

  options->batch = 2;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 3);
  g_atomic_int_set (&fake.run_ms, 100);
  s = await (c, has_trained);
  g_usleep (300 * 1000); /* it is on its way */
  ls_coordinator_pause (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
  runs = g_atomic_int_get (&fake.runs);
  g_assert_cmpint (runs, <, 50);
  paused = ls_coordinator_take (c);
  g_assert_nonnull (paused);
  g_assert_cmpint (paused->lanes[1].state, ==, LS_LANE_READY);
  g_assert_true (isnan (paused->lanes[1].accuracy));
  g_atomic_int_set (&fake.run_ms, 0);
  ls_coordinator_run (c, 3);
  done = finish (c);
  g_assert_cmpint (g_atomic_int_get (&fake.runs), >, runs + 50);
  g_assert_cmpfloat (done->lanes[1].accuracy, ==, done->lanes[0].accuracy);
}

/* The whole process stands still for so long, as with Ctrl-Z and fg. */
static void
stand_still (guint ms)
{
  const pid_t self = getpid (), waker = fork ();
  const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = (long) (ms % 1000) * 1000000 };

  g_assert_cmpint (waker, >=, 0);
  if (waker == 0)
    {
      nanosleep (&time, NULL);
      kill (self, SIGCONT);
      _exit (0);
    }
  raise (SIGSTOP);
  g_assert_cmpint (waitpid (waker, NULL, 0), ==, waker);
}

static gboolean
is_busy (const LsSnapshot *s)
{
  return s->lanes[1].busy_s > 0;
}

/* Time in which the program was stopped isn't taken from a lane's patience, neither until it is left behind
 * nor until the others go on without it. */
static void
test_stopped_program (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) busy = NULL, s = NULL;

  fake.hang_at = 5;
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "5000", TRUE);
  c = start_and_open (options, &fake_backend);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  ls_coordinator_run (c, 300);
  while (g_atomic_int_get (&fake.runs) < 5)
    g_usleep (1000);
  stand_still (6000);
  busy = await (c, is_busy);
  /* three seconds of its own, and six in which there was no program */
  g_assert_cmpfloat (busy->lanes[1].busy_s, >=, 8);
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_assert_cmpstr (s->lanes[1].message, ==, NULL);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[1].steps, ==, 300);
}

static guint64 again_ns; /* when the program went on */

static gboolean
first_waits (const LsSnapshot *s)
{
  return s->lanes[0].waits;
}

static gboolean
was_looked_at (const LsSnapshot *s)
{
  static guint looks;

  looks += s->time_ns > again_ns;
  return looks >= 3;
}

/* Nor from that of lanes which wait for one that opens. */
static void
test_stopped_while_opening (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) waits = NULL, again = NULL, s = NULL;

  fake.hang_open = TRUE;
  g_setenv ("LOCKSTEP_OVERDUE_MS", "5000", TRUE);
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 300);
  waits = await (c, first_waits);
  stand_still (6000);
  again_ns = ls_clock_ns ();
  again = await (c, was_looked_at);
  if (again->lanes[1].overdue)
    g_error ("a lane that was to open while the program was stopped isn't waited for");
  g_atomic_int_set (&fake.let_go, 1);
  s = finish (c);
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  g_assert_cmpuint (s->lanes[1].joined, ==, 0);
  g_assert_cmpuint (s->lanes[1].steps, ==, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slow/others-go-on", test_others_go_on);
  g_test_add_func ("/slow/pause-and-end", test_pause_and_end);
  g_test_add_func ("/slow/recorded-at-rest", test_recorded_at_rest);
  g_test_add_func ("/slow/evaluation-ends", test_evaluation_ends);
  g_test_add_func ("/slow/stopped-program", test_stopped_program);
  g_test_add_func ("/slow/stopped-while-opening", test_stopped_while_opening);
  return g_test_run ();
}
