/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes opened anew after they failed or hung: they go on where the other lane is, with its weights and optimizer states, and
 * agree with it bit for bit from there on.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "rig.h"
#include "train/private.h"

/* ---- a second lane that goes wrong: the reference, but for a run and reads that fail when told to ---- */

static struct {
  gint runs_left;   /* atomic: so many run() succeed, the next one fails; below 0: never */
  gint fail_read;   /* atomic: read() fails */
  gint slow_ms;     /* atomic: run() takes so long */
} fragile;

static gboolean
fragile_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  g_usleep ((gulong) g_atomic_int_get (&fragile.slow_ms) * 1000);
  if (g_atomic_int_get (&fragile.runs_left) >= 0 && g_atomic_int_add (&fragile.runs_left, -1) == 0)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "The fragile lane broke.");
      return FALSE;
    }
  return ls_backend_reference.run (data, run, result, error);
}

static gboolean
fragile_read (gpointer data, guint tensor, void *values, GError **error)
{
  if (g_atomic_int_get (&fragile.fail_read))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "The fragile lane can't be read.");
      return FALSE;
    }
  return ls_backend_reference.read (data, tensor, values, error);
}

static const LsBackend *
fragile_backend (void)
{
  static LsBackend row;
  row = ls_backend_reference;
  row.name = row.title = "fragile";
  row.run = fragile_run;
  row.read = fragile_read;
  g_atomic_int_set (&fragile.runs_left, -1);
  g_atomic_int_set (&fragile.fail_read, 0);
  g_atomic_int_set (&fragile.slow_ms, 0);
  return &row;
}

static LsCoordinator *
start_lanes (LsOptions *options, const LsBackend *first, const LsBackend *second, const LsBackend *third)
{
  const LsBackend *lanes[] = { first, second, third };
  g_autoptr (GError) error = NULL;
  LsCoordinator *c = ls_coordinator_new_with_backends (options, lanes, third ? 3 : second ? 2 : 1, &error);

  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  return c;
}

/* ---- what is to be seen ---- */

/* Snapshots until lane's state is that; the first such. */
static LsSnapshot *
await_state (LsCoordinator *c, guint lane, LsLaneState state)
{
  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      if (s && s->lanes[lane].state == state)
        return g_steal_pointer (&s);
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

static LsSnapshot *
run (LsCoordinator *c, guint64 steps)
{
  ls_coordinator_run (c, steps);
  return finish (c);
}

/* The lanes have reached their target: those opened anew join the others there. */
static void
retry_at_rest (LsCoordinator *c)
{
  ls_coordinator_retry (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
}

static guint64
count_missing (const LsLaneSnapshot *lane)
{
  guint64 n = 0;

  for (guint64 i = 0; i < lane->steps; i++)
    {
      const LsPoint p = ls_curve_get (lane->curve, i);
      if (!(p.flags & LS_POINT_MISSING))
        {
          g_assert_true (isfinite (p.loss));
          continue;
        }
      g_assert_true (isnan (p.loss) && p.step_us == 0);
      n++;
    }
  return n;
}

/* Both lanes have done `steps`, in step, and all points that both have are the same bits. */
static void
assert_agree (const LsSnapshot *s, guint64 steps)
{
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpint (s->lanes[l].state, ==, LS_LANE_READY);
      g_assert_cmpstr (s->lanes[l].message, ==, NULL);
      g_assert_cmpuint (s->lanes[l].retry_step, ==, 0);
      g_assert_cmpuint (s->lanes[l].steps, ==, steps);
    }
  for (guint64 i = 0; i < steps; i++)
    {
      const LsPoint p = ls_curve_get (s->lanes[0].curve, i), q = ls_curve_get (s->lanes[1].curve, i);
      if (!((p.flags | q.flags) & LS_POINT_MISSING))
        g_assert_cmpmem (&p.loss, sizeof p.loss, &q.loss, sizeof q.loss);
    }
  g_assert_true (s->agreement.loss_delta_max == 0);
  g_assert_true (s->agreement.weights_delta_max == 0);
  g_assert_false (s->agreement.disagree);
}

/* ---- tests ---- */

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
  broken = run (c, 205);
  stop = broken->lanes[1].steps;
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (stop, <, 205);
  g_assert_cmpuint (broken->lanes[1].retry_step, ==, 205);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, 0);

  retry_at_rest (c);
  s = run (c, 263);
  assert_agree (s, 263);
  g_assert_cmpuint (count_missing (&s->lanes[0]), ==, 0);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 205 - stop);
  for (guint64 i = stop; i < 205; i++)
    g_assert_true (ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_MISSING);
  g_assert_cmpuint (s->agreement.losses_compared, ==, stop + 263 - 205);
  g_assert_cmpuint (s->agreement.weights_step, ==, 263);
  g_assert_cmpuint (c->kept->len, ==, 0); /* no weights are kept for a lane that won't come there */
  for (guint64 i = 205; i < 263; i++)
    g_assert_true (!(ls_curve_get (s->lanes[1].curve, i).flags & LS_POINT_WARM_UP) == (i >= 205 + LS_WARM_UP_STEPS));
  g_assert_cmpuint (s->lanes[1].accuracy_step, ==, 263);
  g_assert_true (s->lanes[0].accuracy == s->lanes[1].accuracy);
  g_assert_cmpuint (s->lanes[1].rate.n + s->lanes[1].rate.left_out, ==, stop + 263 - 205); /* medians know nothing of the gap */
  g_assert_true (isfinite (s->lanes[1].step_us.value) && s->lanes[1].step_us.q1 > 0);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 2);
  g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, 1);
  g_assert_cmpint (fake.together, ==, 0); /* the old one had closed its device */
}

/* The first lane is the one that stops: the others are held against each other, also while it opens, and then against it. */
static void
test_first_of_three (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, &fake_backend, &ls_backend_reference, fragile_backend ());
  g_autoptr (LsSnapshot) broken = NULL, joined = NULL, s = NULL;
  guint64 stop;

  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  fake.fail_at = 5;
  broken = run (c, 100);
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
      if (now && now->lanes[0].state == LS_LANE_OPENING && now->lanes[1].steps == 117 && now->lanes[2].steps == 117)
        g_assert_cmpuint (now->agreement.losses_compared, ==, 2 * stop + 117 - stop);
      if (now == NULL)
        continue;
      g_clear_pointer (&joined, ls_snapshot_unref);
      joined = g_steal_pointer (&now);
    }
  assert_agree (joined, 117);
  g_assert_cmpuint (count_missing (&joined->lanes[0]), ==, 117 - stop);
  g_assert_cmpuint (joined->agreement.losses_compared, ==, 2 * stop + 117 - stop);
  s = run (c, 150);
  assert_agree (s, 150);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 2 * stop + 117 - stop + 2 * 33);
  g_assert_cmpuint (c->kept->len, ==, 0);
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
  g_usleep (20000);
  ls_coordinator_pause (c);
  paused = finish (c);
  g_assert_cmpuint (paused->lanes[0].steps, ==, paused->lanes[1].steps);
  g_assert_cmpuint (paused->lanes[0].steps, >, failed->lanes[1].steps);
  target = paused->lanes[0].steps + 40;
  s = run (c, target);
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
  s = run (c, at + 30);
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
      broken = run (c, 100 * round);
      g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_cmpuint (broken->lanes[1].retry_step, ==, 100 * round);
      missing += 100 * round + 5 - broken->lanes[1].steps;
      /* Its device isn't there at first. */
      fake.fail_open = TRUE;
      retry_at_rest (c);
      s = run (c, 100 * round + 5);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_cmpstr (s->lanes[1].message, ==, "The fake has no device today.");
      g_clear_pointer (&s, ls_snapshot_unref);
      fake.fail_open = FALSE;
      retry_at_rest (c);
      s = run (c, 100 * round + 20);
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
  before = run (c, 80);
  g_assert_cmpint (before->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_null (before->lanes[1].facts);
  fake.fail_prepare = FALSE;
  retry_at_rest (c);
  s = run (c, 120);
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
  hung = run (c, 100);
  g_assert_cmpint (hung->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_cmpuint (hung->lanes[1].retry_step, ==, 100);
  retry_at_rest (c);
  s = run (c, 170);
  assert_agree (s, 170);
  g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, 0); /* the old one still hangs */
  g_atomic_int_set (&fake.let_go, 1);
  while (!g_atomic_int_get (&fake.closed))
    g_usleep (1000);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run (c, 200); /* and does no harm when it comes back */
  assert_agree (s, 200);
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
  s = run (c, 80);
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
  s = run (c, 90);
  assert_agree (s, 90);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 2);
}

/* It begins again, and does what a lane does that never failed. */
static void
test_alone (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL, other = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL, whole = NULL;

  options->momentum = 0.9;
  other = start_lanes (options, &ls_backend_reference, NULL, NULL);
  whole = run (other, 100);
  fake.fail_at = 15;
  c = start_lanes (options, &fake_backend, NULL, NULL);
  broken = run (c, 100);
  g_assert_cmpint (broken->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->lanes[0].steps, >, 0);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, 0);
  retry_at_rest (c);
  s = run (c, 100);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 100);
  g_assert_true (s->lanes[0].curve != broken->lanes[0].curve);
  for (guint64 i = 0; i < 100; i++)
    g_assert_true (ls_curve_get (s->lanes[0].curve, i).loss == ls_curve_get (whole->lanes[0].curve, i).loss);
  g_assert_true (s->lanes[0].accuracy == whole->lanes[0].accuracy);
  g_assert_cmpuint (s->lanes[0].rate.n + s->lanes[0].rate.left_out, ==, 100);
}

/* The learning rate was too large on all lanes: with another one they begin again, and nothing is left of what was. */
static void
test_all_failed (void)
{
  g_autoptr (LsOptions) options = tiny_options (), other = ls_options_copy (options);
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;

  options->lr = 1e38;
  c = start_and_open (options, &fake_backend);
  broken = run (c, 50);
  for (guint l = 0; l < 2; l++)
    g_assert_cmpint (broken->lanes[l].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->agreement.losses_compared, >, 0);
  ls_coordinator_configure (c, other);
  ls_coordinator_retry (c);
  s = run (c, 50);
  assert_agree (s, 50);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 50);
  g_assert_cmpuint (s->agreement.weights_compared, ==, 5);
}

/* The lane that works is further back: what lies ahead of it is cut off. */
static void
test_other_is_behind (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;
  guint64 at;

  fake.open_ms = 300;
  fake.run_ms = 5;
  c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  g_atomic_int_set (&fragile.runs_left, 100);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = await_state (c, 1, LS_LANE_READY);
  ls_coordinator_pause (c);
  broken = finish (c);
  at = broken->lanes[1].steps;
  g_assert_cmpint (broken->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->lanes[0].steps, >, at);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, at);
  ls_coordinator_retry (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = await_state (c, 0, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, at);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run (c, at + 60);
  assert_agree (s, at + 60);
  g_assert_cmpuint (count_missing (&s->lanes[0]), ==, 0);
  g_assert_cmpuint (s->agreement.losses_compared, ==, at + 60);
  /* What a snapshot of before holds stays. */
  g_assert_true (isfinite (ls_curve_get (broken->lanes[0].curve, broken->lanes[0].steps - 1).loss));
}

/* The lane whose weights were to be taken over fails at that: the other begins again. */
static void
test_other_fails_meanwhile (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;

  fake.fail_at = 8;
  c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  broken = run (c, 51);
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  g_atomic_int_set (&fragile.fail_read, 1);
  retry_at_rest (c);
  s = run (c, 55);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[1].steps, ==, 55);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 0);
  g_atomic_int_set (&fragile.fail_read, 0);
  retry_at_rest (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run (c, 90);
  assert_agree (s, 90);
}

/* A lane that can't load is parked again; the other goes on. */
static void
test_recording (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_at = 8;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 50);
  g_assert_true (ls_coordinator_wait (c, 20000));
  fake.open_ms = 50;
  ls_coordinator_retry (c);
  ls_coordinator_record (c); /* the lanes rest at step 50: one more is done, by both */
  ls_coordinator_run (c, 70);
  s = finish (c);
  assert_agree (s, 70);
  g_assert_nonnull (s->recording);
  g_assert_cmpuint (s->recording->step, ==, 70);
  g_assert_cmpuint (s->recording->n_lanes, ==, 2);
  g_assert_cmpuint (s->recording->lanes[1].n_steps, ==, 70);
  ls_coordinator_record_next (c, TRUE);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = finish (c);
  g_assert_cmpuint (s->recording->step, ==, 71);
  g_assert_cmpuint (s->recording->n_lanes, ==, 2);
}

static void
test_free_at_any_time (void)
{
  for (guint ms = 0; ms < 12; ms++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      LsCoordinator *c;
      fake.fail_at = 3;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, 30);
      g_assert_true (ls_coordinator_wait (c, 20000));
      fake.open_ms = 5;
      ls_coordinator_retry (c);
      ls_coordinator_run (c, LS_STEPS_ENDLESS);
      g_usleep (ms * 1000);
      ls_coordinator_free (c);
    }
}

/* Both lanes break again and again, at any moment, and are retried at any other. */
static void
test_at_random (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autoptr (LsSnapshot) s = NULL;
  guint64 steps;

  options->momentum = 0.9;
  options->lr = 0.01;
  c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  for (guint i = 0; i < 400; i++)
    {
      switch (g_rand_int_range (random, 0, 8))
        {
        case 0:
        case 1:
          ls_coordinator_run (c, (guint64) g_rand_int_range (random, 0, 300));
          break;
        case 2:
          ls_coordinator_pause (c);
          break;
        case 3:
          ls_coordinator_record (c);
          break;
        case 4:
          ls_coordinator_record_next (c, i % 2);
          break;
        case 5:
          g_atomic_int_set (&fragile.runs_left, g_rand_int_range (random, 0, 30));
          break;
        case 6:
          ls_coordinator_retry (c);
          break;
        default:
          g_assert_true (ls_coordinator_wait (c, 20000));
        }
      if (i % 3 == 0)
        g_usleep ((gulong) g_rand_int_range (random, 0, 2500));
    }
  g_atomic_int_set (&fragile.runs_left, -1);
  ls_coordinator_pause (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
  ls_coordinator_retry (c);
  ls_coordinator_run (c, 1);
  s = finish (c);
  steps = MAX (s->lanes[0].steps, s->lanes[1].steps) + 50;
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run (c, steps);
  assert_agree (s, steps);
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
  g_test_add_func ("/retry/nothing-failed", test_nothing_failed);
  g_test_add_func ("/retry/twice", test_twice);
  g_test_add_func ("/retry/alone", test_alone);
  g_test_add_func ("/retry/all-failed", test_all_failed);
  g_test_add_func ("/retry/other-is-behind", test_other_is_behind);
  g_test_add_func ("/retry/other-fails-meanwhile", test_other_fails_meanwhile);
  g_test_add_func ("/retry/recording", test_recording);
  g_test_add_func ("/retry/free-at-any-time", test_free_at_any_time);
  g_test_add_func ("/retry/at-random", test_at_random);
  return g_test_run ();
}
