/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cold start: lanes that are ready first wait for those that come, whoever they are; one that fails isn't
 * waited for, and one that takes too long is gone on without and joins later.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"
#include "train/lane/lane.h"

#define MOST_AHEAD LS_TURN_MAX

/* NULL: none has come for so long. */
static LsSnapshot *
take_within (LsCoordinator *c, guint ms)
{
  for (guint i = 0; i < ms; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      if (s != NULL)
        return s;
      g_usleep (1000);
    }
  return NULL;
}

static LsSnapshot *
take (LsCoordinator *c)
{
  for (;;)
    {
      LsSnapshot *s = take_within (c, 1000);
      if (s != NULL)
        return s;
    }
}

/* Snapshots until that lane has its device and all others work, each looked at: nobody is further than it may
 * be, and who waits has done some steps. TRUE: somebody was seen to wait. */
static gboolean
watch_opening (LsCoordinator *c, guint lane)
{
  gboolean waited = FALSE, open = FALSE;

  while (!open)
    {
      g_autoptr (LsSnapshot) s = take (c);
      open = s->lanes[lane].state == LS_LANE_READY;
      for (guint l = 0; l < s->n_lanes && !open; l++)
        {
          const LsLaneSnapshot *one = &s->lanes[l];
          g_assert_cmpuint (one->steps, <=, MOST_AHEAD);
          g_assert_true (!one->waits || (l != lane && one->state == LS_LANE_READY && one->steps > 0));
          waited |= one->waits;
        }
      g_assert_true (!open || !s->lanes[0].waits);
    }
  return waited;
}

static void
test_waits (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  guint64 disturbed = 0;

  fake.open_ms = 300;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 200);
  g_assert_true (watch_opening (c, 1));
  s = run_to (c, 200);
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpuint (s->lanes[l].steps, ==, 200);
      g_assert_cmpuint (s->lanes[l].joined, ==, 0);
      g_assert_false (s->lanes[l].waits);
    }
  g_assert_cmpuint (s->agreement.losses_compared, ==, 200);
  g_assert_true (s->agreement.loss_delta_max == 0);
  /* only what was done before the wait was beside somebody who opened */
  for (guint64 i = 0; i < 200; i++)
    disturbed += (ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_DISTURBED) != 0;
  g_assert_cmpuint (disturbed, >, 0);
  g_assert_cmpuint (disturbed, <=, MOST_AHEAD);
  g_assert_false (ls_curve_get (s->lanes[1].curve, 0).flags & LS_POINT_DISTURBED);
}

/* The rule is about a set of lanes: two of three wait, in whatever order they are named. */
static void
test_three (void)
{
  for (guint late = 0; late < 3; late++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      const LsBackend *lanes[3] = { &ls_backend_reference, fragile_backend (), &ls_backend_reference_f64 };

      lanes[late] = &fake_backend;
      fake.open_ms = 500;
      c = start_lanes (options, lanes[0], lanes[1], lanes[2]);
      ls_coordinator_run (c, 60);
      g_assert_true (watch_opening (c, late));
      s = run_to (c, 60);
      for (guint l = 0; l < 3; l++)
        g_assert_cmpuint (s->lanes[l].steps, ==, 60);
    }
}

/* A short run is over before it has to wait for anything but the lane's own steps. */
static void
test_short_run (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 100;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 5);
  g_assert_true (!watch_opening (c, 1));
  s = run_to (c, 5);
  g_assert_cmpuint (s->lanes[0].steps, ==, 5);
  g_assert_cmpuint (s->lanes[1].steps, ==, 5);
}

/* Steps that are recorded meanwhile count, too: however often one is asked for, nobody runs away. */
static void
test_records_one (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  guint recorded = 0;

  fake.open_ms = 400;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 100);
  for (gboolean open = FALSE; !open;)
    {
      g_autoptr (LsSnapshot) now = take (c);
      open = now->lanes[1].state == LS_LANE_READY;
      if (open)
        break;
      ls_coordinator_record_next (c, FALSE);
      g_assert_cmpuint (now->lanes[0].steps, <=, MOST_AHEAD);
      recorded += now->recording != NULL;
    }
  g_assert_cmpuint (recorded, >, 0); /* there is a picture of the lane that waits */
  s = run_to (c, 100);
  g_assert_cmpuint (s->lanes[1].steps, ==, 100);
  g_assert_true (s->agreement.loss_delta_max == 0);
}

/* Also where the run goes on from another one's end: it is not too far for that. */
static void
test_records_one_later (void)
{
  const LsBackend *const lanes[] = { &ls_backend_reference, &fake_backend };
  const guint64 begun = 1000;
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (GError) error = NULL;
  gboolean recorded = FALSE;
  LsCoordinator *c;

  g_setenv ("LOCKSTEP_OVERDUE_MS", "10000", TRUE);
  fake.hang_open = TRUE;
  c = ls_coordinator_new_with_backends (options, lanes, 2, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_go_on (c, begun, NULL, &error));
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, 2 * begun);
  ls_coordinator_record_next (c, FALSE);
  while (!recorded)
    {
      g_autoptr (LsSnapshot) s = take (c);

      if (s->lanes[1].overdue)
        g_error ("a run that goes on after %u steps records none while a lane opens", (guint) begun);
      recorded = s->recording != NULL;
      if (!recorded)
        continue;
      g_assert_cmpuint (s->recording->n_lanes, ==, 1);
      g_assert_cmpuint (s->recording->step, >, begun);
      g_assert_cmpuint (s->recording->step, <=, begun + MOST_AHEAD);
    }
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  free_hanging (c);
}

/* At rest, step after step is asked for while the other lane opens: what comes after the most that may be
 * done ahead isn't forgotten but waits, and both lanes do it. */
static void
test_stepped (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  guint64 at = 0;

  fake.open_ms = 600;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 1);
  while (at < 1)
    {
      g_autoptr (LsSnapshot) s = take (c);
      at = s->lanes[0].steps;
    }
  ls_coordinator_pause (c);
  for (guint64 step = 1; step <= MOST_AHEAD + 2; step++)
    {
      ls_coordinator_record_next (c, FALSE);
      while (at < step + 1)
        {
          g_autoptr (LsSnapshot) s = take_within (c, 5000);
          if (s == NULL)
            g_error ("step %" G_GUINT64_FORMAT " was asked for, and doesn't come", step);
          if (s->lanes[1].state != LS_LANE_READY)
            g_assert_cmpuint (s->lanes[0].steps, <=, MOST_AHEAD);
          if (s->recording != NULL && s->recording->step == step + 1)
            at = step + 1;
          if (at > MOST_AHEAD)
            g_assert_cmpuint (s->recording->n_lanes, ==, 2);
        }
    }
}

/* Who can't open isn't waited for, nor who isn't started: the other goes on at once. */
static void
test_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 150;
  fake.fail_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 100);
  s = run_to (c, 100);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (s->lanes[0].steps, ==, 100);
}

/* At rest nobody waits: that isn't the reason why nothing moves. */
static void
test_paused (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL;
  LsCoordinator *c;

  fake.hang_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  do
    {
      g_clear_pointer (&s, ls_snapshot_unref);
      s = take (c);
  } while (!s->lanes[0].waits);
  ls_coordinator_pause (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = finish (c);
  g_assert_false (s->lanes[0].waits);
  free_hanging (c);
}

/* Gone on without: it comes, takes over the weights, and its snapshot says after which step. */
static void
test_overdue (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) alone = NULL, s = NULL;

  g_setenv ("LOCKSTEP_OVERDUE_MS", "100", TRUE);
  fake.hang_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 5000);
  alone = wait_for_steps (c, MOST_AHEAD + 30);
  g_assert_true (alone->lanes[1].overdue);
  g_assert_cmpint (alone->lanes[1].state, ==, LS_LANE_OPENING);
  g_assert_false (alone->lanes[0].waits);
  g_atomic_int_set (&fake.let_go, TRUE);
  s = run_to (c, 5000);
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  g_assert_false (s->lanes[1].overdue);
  g_assert_cmpuint (s->lanes[1].joined, >, MOST_AHEAD);
  g_assert_cmpuint (s->lanes[1].steps, ==, 5000);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, s->lanes[1].joined);
  g_assert_true (s->agreement.loss_delta_max == 0);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 5000 - s->lanes[1].joined);
}

/* One that was gone on without, and then fails, is no longer one that comes late: it has failed, and why.
 * When it is opened again it comes like any other. */
static void
test_overdue_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) alone = NULL, failed = NULL, again = NULL;

  g_setenv ("LOCKSTEP_OVERDUE_MS", "100", TRUE);
  fake.hang_open = fake.fail_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 300);
  alone = wait_for_steps (c, MOST_AHEAD + 30);
  g_assert_true (alone->lanes[1].overdue);
  g_atomic_int_set (&fake.let_go, TRUE);
  failed = run_to (c, 300);
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  g_assert_cmpint (failed->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpstr (failed->lanes[1].message, ==, "The fake has no device today.");
  if (failed->lanes[1].overdue)
    g_error ("a lane that has failed is said to be still on its way");
  fake.fail_open = FALSE;
  ls_coordinator_retry (c);
  again = run_to (c, 400);
  g_assert_cmpint (again->lanes[1].state, ==, LS_LANE_READY);
  g_assert_false (again->lanes[1].overdue);
  g_assert_cmpuint (again->lanes[1].steps, ==, 400);
}

/* A lane that nobody waits for, as it is the only one, isn't too late for anybody. */
static void
test_overdue_alone (void)
{
  const LsBackend *const one[] = { &fake_backend };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = ls_coordinator_new_with_backends (options, one, 1, NULL);
  g_autoptr (LsSnapshot) s = NULL;

  g_setenv ("LOCKSTEP_OVERDUE_MS", "1", TRUE);
  fake.hang_open = TRUE;
  g_assert_true (ls_coordinator_start (c, NULL));
  ls_coordinator_run (c, 20);
  for (guint seen = 0; seen < 4; g_usleep (1000))
    {
      g_autoptr (LsSnapshot) now = ls_coordinator_take (c);
      if (now == NULL)
        continue;
      seen++;
      if (now->lanes[0].overdue)
        g_error ("a lane that is alone is said to be overdue");
    }
  g_atomic_int_set (&fake.let_go, TRUE);
  s = finish (c);
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  g_assert_cmpuint (s->lanes[0].steps, ==, 20);
}

/* Whatever was raised while nobody looked wakes once, each who waits for it; who has seen it waits. */
static void
test_signal (void)
{
  static const struct {
    guint raised, who; /* how often, before that one looks */
    gboolean woken;
    guint64 seen;
  } rows[] = {
    { 0, 0, FALSE, 0 }, { 1, 0, TRUE, 1 },  { 0, 0, FALSE, 1 }, { 3, 0, TRUE, 4 }, { 0, 0, FALSE, 4 },
    { 0, 1, TRUE, 4 },  { 0, 1, FALSE, 4 }, { 2, 1, TRUE, 6 },  { 0, 0, TRUE, 6 }, { 0, 0, FALSE, 6 },
  };
  LsSignal *signal = ls_signal_new ();
  guint64 seen[2] = { 0, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      for (guint k = 0; k < rows[i].raised; k++)
        ls_signal_raise (signal);
      if (ls_signal_wait (signal, &seen[rows[i].who], 0) != rows[i].woken)
        g_error ("row %u: one that waits is %s", i, rows[i].woken ? "not woken" : "woken by nothing new");
      g_assert_cmpuint (seen[rows[i].who], ==, rows[i].seen);
    }
  seen[0] = 5;
  g_assert_true (ls_signal_wait (signal, &seen[0], G_MAXUINT)); /* for as long as it takes */
  g_assert_cmpuint (seen[0], ==, 6);
  ls_signal_unref (signal);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/waiting/waits", test_waits);
  g_test_add_func ("/waiting/three", test_three);
  g_test_add_func ("/waiting/short-run", test_short_run);
  g_test_add_func ("/waiting/records-one", test_records_one);
  g_test_add_func ("/waiting/records-one-later", test_records_one_later);
  g_test_add_func ("/waiting/stepped", test_stepped);
  g_test_add_func ("/waiting/fails", test_fails);
  g_test_add_func ("/waiting/paused", test_paused);
  g_test_add_func ("/waiting/overdue", test_overdue);
  g_test_add_func ("/waiting/overdue-fails", test_overdue_fails);
  g_test_add_func ("/waiting/overdue-alone", test_overdue_alone);
  g_test_add_func ("/waiting/signal", test_signal);
  return g_test_run ();
}
