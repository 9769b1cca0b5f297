/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which step is recorded, and by whom: in time and too late, paused, with lanes that come late, fail or are
 * left behind.
 */
#include "rig.h"

static void
assert_recorded (const LsSnapshot *s, guint64 step, guint n_lanes)
{
  const LsRecordedShape *shape;

  g_assert_nonnull (s->recording);
  g_assert_cmpuint (s->recording->step, ==, step);
  g_assert_cmpuint (s->recording->n_lanes, ==, n_lanes);
  for (guint l = 0; l < n_lanes; l++)
    {
      g_assert_cmpuint (s->recording->lanes[l].events->len, ==, 2 * s->plan->n_ops + 1);
      g_assert_cmpuint (s->recording->lanes[l].n_steps, ==, step);
      g_assert_nonnull (ls_recording_values (s->recording, l, "1.weight", &shape));
    }
  for (guint l = 0; l < s->n_lanes && n_lanes == s->n_lanes; l++)
    g_assert_true (ls_curve_get (s->lanes[l].curve, step - 1).flags & LS_POINT_RECORDED);
}

static void
test_last_step (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL, next = NULL;

  ls_coordinator_run_recorded (c, 25);
  s = finish (c);
  assert_recorded (s, 25, 2);
  ls_coordinator_record (c); /* at rest: one more step */
  next = finish (c);
  g_assert_cmpuint (next->recording->step, ==, 26);
  g_assert_cmpuint (next->lanes[0].steps, ==, 26);
  g_assert_cmpuint (next->lanes[1].steps, ==, 26);
}

/* The reference is one thread, which does an op after the other, each in one piece: the step, and of each op
 * when it was done and its one tile. */
static void
test_reference (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, NULL);
  g_autoptr (LsSnapshot) s = NULL;
  const LsEvent *step = NULL;
  guint n_ops = 0, n_tiles = 0, n_steps = 0;
  guint64 last_ns = 0;

  ls_coordinator_run_recorded (c, 3);
  s = finish (c);
  g_assert_nonnull (s->recording);
  const LsRecordedLane *lane = &s->recording->lanes[0];
  g_assert_cmpuint (lane->dropped, ==, 0);
  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);

      g_assert_cmpint (e->unit, ==, LS_UNIT_NONE);
      g_assert_cmpuint (e->from, ==, LS_WORKER_NONE);
      g_assert_cmpuint (e->start_ns, <=, e->end_ns);
      if (e->kind == LS_EVENT_STEP)
        {
          step = e;
          n_steps++;
          g_assert_cmpuint (e->op, ==, LS_OP_NONE);
          g_assert_cmpuint (e->rank, ==, LS_RANK_NONE);
          g_assert_cmpuint (e->worker, ==, LS_WORKER_NONE);
        }
      else if (e->kind == LS_EVENT_OP)
        {
          g_assert_cmpuint (e->op, ==, n_ops++);
          g_assert_cmpuint (e->worker, ==, LS_WORKER_NONE);
          g_assert_cmpuint (e->start_ns, >=, last_ns);
          last_ns = e->end_ns;
        }
      else
        {
          g_assert_cmpint (e->kind, ==, LS_EVENT_TILE);
          g_assert_cmpuint (e->op, ==, n_tiles++);
          g_assert_cmpuint (e->tile, ==, 0);
          g_assert_cmpuint (e->worker, ==, 0);
        }
    }
  g_assert_cmpuint (n_steps, ==, 1);
  g_assert_cmpuint (n_ops, ==, s->plan->n_ops);
  g_assert_cmpuint (n_tiles, ==, s->plan->n_ops);
  for (guint i = 0; i < lane->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      g_assert_true (e->start_ns >= step->start_ns && e->end_ns <= step->end_ns);
    }
}

/* Each tensor is written where it lies by itself, before the first steps in which some lie in each other's
 * memory: else a recorded step would wait for the system's pages. */
static void
test_own_memory_first (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 60);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, 60);
  g_assert_cmpint (g_atomic_int_get (&fake.reuses), >, 0);
  g_assert_cmpint (g_atomic_int_get (&fake.reused_from), >, 1);
}

/* Asked for first, said how far afterwards. */
static void
test_before_run (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 50;
  c = start (options, &fake_backend);
  ls_coordinator_run_recorded (c, 40);
  s = finish (c);
  assert_recorded (s, 40, 2);
}

/* The other lane is done long before this one is there. */
static void
test_late_lane (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 300;
  c = start (options, &fake_backend);
  ls_coordinator_run_recorded (c, 30);
  s = finish (c);
  assert_recorded (s, 30, 2);
}

static void
test_late_lane_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.open_ms = 100;
  fake.fail_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run_recorded (c, 30);
  s = finish (c);
  assert_recorded (s, 30, 1);
}

static void
test_late_lane_while_paused (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL;
  LsCoordinator *c;

  fake.hang_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, G_MAXINT32);
  ls_coordinator_record (c);
  while (s == NULL || !s->lanes[0].waits)
    {
      g_clear_pointer (&s, ls_snapshot_unref);
      g_usleep (1000);
      s = ls_coordinator_take (c);
    }
  ls_coordinator_pause (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = finish (c);
  assert_recorded (s, s->lanes[0].steps, 1);
  free_hanging (c);
}

/* Whenever it is asked for, a step is recorded by both, and it is the last one. */
static void
test_at_any_time (void)
{
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      options->turns = i % 2 ? LS_TURNS_RACE : LS_TURNS_TURNS;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, 40);
      g_usleep (i * 150);
      ls_coordinator_record (c);
      s = finish (c);
      g_assert_cmpuint (s->lanes[0].steps, >=, 40);
      g_assert_cmpuint (s->lanes[1].steps, ==, s->lanes[0].steps);
      assert_recorded (s, s->lanes[0].steps, 2);
    }
}

/* Interrupted: what was asked for is there all the same. */
static void
test_pause (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      options->turns = i % 2 ? LS_TURNS_RACE : LS_TURNS_TURNS;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, G_MAXINT32);
      ls_coordinator_record (c);
      if (i > 1)
        g_usleep (i * 500);
      ls_coordinator_pause (c);
      s = finish (c);
      g_assert_false (s->running);
      g_assert_cmpuint (s->lanes[1].steps, ==, s->lanes[0].steps);
      assert_recorded (s, s->lanes[0].steps, 2);
    }
}

static void
test_run_on (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.run_ms = 2;
  options->check_every = 1; /* turns of one step */
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run_recorded (c, 60);
  g_usleep (5000);
  ls_coordinator_run (c, 80);
  s = finish (c);
  assert_recorded (s, 80, 2);
}

static void
test_lane_fails_at_it (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_recorded = TRUE;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run_recorded (c, 30);
  s = finish (c);
  assert_recorded (s, 30, 1);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (s->lanes[1].steps, ==, 29);
}

/* No lane at all: nothing is recorded, and nobody waits. */
static void
test_nobody (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;
  const LsBackend *const only[] = { &fake_backend };

  fake.fail_open = TRUE;
  c = ls_coordinator_new_with_backends (options, only, 1, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_record (c);
  s = finish (c);
  g_assert_null (s->recording);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/last-step", test_last_step);
  g_test_add_func ("/recording/reference", test_reference);
  g_test_add_func ("/recording/own-memory-first", test_own_memory_first);
  g_test_add_func ("/recording/before-run", test_before_run);
  g_test_add_func ("/recording/late-lane", test_late_lane);
  g_test_add_func ("/recording/late-lane-fails", test_late_lane_fails);
  g_test_add_func ("/recording/late-lane-while-paused", test_late_lane_while_paused);
  g_test_add_func ("/recording/at-any-time", test_at_any_time);
  g_test_add_func ("/recording/pause", test_pause);
  g_test_add_func ("/recording/run-on", test_run_on);
  g_test_add_func ("/recording/lane-fails-at-it", test_lane_fails_at_it);
  g_test_add_func ("/recording/nobody", test_nobody);
  return g_test_run ();
}
