/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes in lockstep, and lanes that fail, hang, come late, disagree or blow up.
 */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "rig.h"
#include "train/lane/lane.h"

static void
test_two_lanes_agree (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 55);
  s = finish (c);
  g_assert_cmpuint (s->lanes[0].steps, ==, 55);
  g_assert_cmpuint (s->lanes[1].steps, ==, 55);
  g_assert_cmpuint (s->agreement.losses_compared, ==, 55);
  g_assert_true (s->agreement.loss_delta_max == 0);
  g_assert_cmpuint (s->agreement.apart_step, ==, 0);
  g_assert_cmpuint (s->agreement.weights_compared, ==, 6); /* 10, 20, … 50, and the last step */
  g_assert_true (s->agreement.weights_delta_max == 0);
  g_assert_false (s->agreement.disagree);
  g_assert_true (s->turns);
  g_assert_cmpfloat (s->lanes[0].accuracy, >, 0.5);
  g_assert_cmpfloat (s->lanes[0].accuracy, ==, s->lanes[1].accuracy);
  g_assert_cmpuint (s->lanes[0].rate.n + s->lanes[0].rate.left_out, ==, 55);
  g_assert_cmpfloat (s->lanes[0].rate.q1, <=, s->lanes[0].rate.value);
  g_assert_cmpfloat (s->lanes[0].rate.value, <=, s->lanes[0].rate.q3);
}

static void
test_losses_fall (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, NULL);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 600);
  s = finish (c);
  g_assert_cmpfloat (s->lanes[0].accuracy, >, 0.85);
  g_assert_cmpfloat (ls_curve_get (s->lanes[0].curve, 599).loss, <, ls_curve_get (s->lanes[0].curve, 0).loss);
}

static void
test_lane_fails_mid_run (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_at = 3;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 100);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpstr (s->lanes[1].message, ==, "The fake lost its device.");
  g_assert_cmpuint (s->lanes[0].steps, ==, 100);
  g_assert_cmpuint (s->lanes[1].steps, <, 100);
  g_assert_cmpuint (s->agreement.losses_compared, ==, s->lanes[1].steps);
}

static void
test_no_device (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_open = TRUE;
  c = start (options, &fake_backend);
  ls_coordinator_run (c, 30);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpstr (s->lanes[1].message, ==, "The fake has no device today.");
  g_assert_cmpuint (s->lanes[0].steps, ==, 30);
}

static void
test_lane_hangs (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL;
  LsCoordinator *c;

  fake.hang_at = 2;
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "200", TRUE);
  c = start (options, &fake_backend);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  ls_coordinator_run (c, 100);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_cmpuint (s->lanes[0].steps, ==, 100);
  free_hanging (c);
}

/* A step trains the samples that its number says, from the run's first one on; optimizers are told the
 * numbers, one after the other, however many steps are in a turn. */
static void
test_batches_in_order (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsData) data = ls_data_load ("moons", options->seed, NULL);
  g_autoptr (LsBatcher) batcher = ls_batcher_new (data->train.n, 16, (LsOrder) options->order, options->seed,
                                                  NULL);
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 100);
  s = finish (c);
  g_assert_false (fake.skipped);
  g_assert_cmpuint (fake.step, ==, 100);
  g_assert_cmpuint (fake.n_positions, ==, 64);
  for (guint step = 0; step < 4; step++)
    {
      guint32 positions[16];
      ls_batcher_get (batcher, step, positions);
      for (guint i = 0; i < 16; i++)
        g_assert_cmpuint (fake.positions[16 * step + i], ==, positions[i]);
    }
}

/* Lanes that take turns are first as often as each other: whoever is has the batch to fetch. The fake takes
 * longer than the clock's unit, so that it is told who ended first. */
static void
test_turns_first (void)
{
  enum { STEPS = 24 };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  guint first[2] = { 0 };

  options->check_every = 1; /* turns of one step */
  g_atomic_int_set (&fake.run_ms, 3);
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, STEPS);
  s = finish (c);
  g_assert_true (s->turns);
  for (guint64 i = 0; i < STEPS; i++)
    first[ls_curve_get (s->lanes[0].curve, i).end_ms >= ls_curve_get (s->lanes[1].curve, i).end_ms]++;
  if (MAX (first[0], first[1]) > STEPS / 2 + 3)
    g_error ("of %d turns one lane was first at %u, the other at %u", STEPS, first[0], first[1]);
}

/* A step's time is its part of its turn's, be they one in it or sixteen. */
static void
test_turns_time_shared (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.clock_ns = 1600000; /* of any turn */
  options->check_every = 0;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 200);
  s = finish (c);
  g_assert_cmpfloat (ls_curve_get (s->lanes[1].curve, 0).step_us, ==, 1600);
  g_assert_cmpfloat_with_epsilon (ls_curve_get (s->lanes[1].curve, 100).step_us, 100, 1e-3);
}

/* Left to themselves, lanes take turns where they would compute on the same cores, and nowhere else. */
static void
test_turns_on_shared_cores (void)
{
  for (guint own_cores = 0; own_cores < 2; own_cores++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      fake.own_cores = own_cores > 0;
      c = start_and_open (options, &fake_backend);
      ls_coordinator_run (c, 3);
      s = finish (c);
      g_assert_cmpint (s->turns, ==, own_cores == 0);
    }
}

static void
test_loss_not_finite (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  options->lr = 1e38;
  c = start (options, NULL);
  ls_coordinator_run (c, 200);
  s = finish (c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_nonnull (strstr (s->lanes[0].message, "not a finite number at step"));
}

static void
test_pause_and_race (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) paused = NULL, s = NULL;

  options->turns = LS_TURNS_RACE;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, G_MAXINT32);
  g_usleep (50000);
  ls_coordinator_pause (c);
  paused = finish (c);
  g_assert_cmpuint (paused->lanes[0].steps, ==, paused->lanes[1].steps);
  g_assert_false (paused->turns);
  ls_coordinator_run (c, paused->lanes[0].steps + 7);
  s = finish (c);
  g_assert_cmpuint (s->lanes[1].steps, ==, paused->lanes[0].steps + 7);
}

static void
test_compare (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = NULL;
  guint differ = 0;

  ls_coordinator_run (c, 5);
  s = finish (c);
  all = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++)
    g_assert_cmpint (g_array_index (all, LsComparison, i).verdict, !=, LS_VERDICT_DIFFER);
  g_assert_cmpuint (all->len, >, 2 * ls_coordinator_plan (c)->n_ops);
  g_array_unref (g_steal_pointer (&all));

  /* An op that is wrong is found: every run of the fake now shifts a weight, which the update's comparison
   * sees. */
  fake.disturb_from = 1;
  all = ls_coordinator_compare (c, &error);
  for (guint i = 0; i < all->len; i++)
    differ += g_array_index (all, LsComparison, i).verdict == LS_VERDICT_DIFFER;
  g_assert_cmpuint (differ, >, 0);
}

/* The hand-over, hammered: one thread publishes, this one takes. For ThreadSanitizer. */
static void
test_snapshots (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &fake_backend);
  guint64 last = 0;

  ls_coordinator_run (c, 400);
  while (!ls_coordinator_wait (c, 1))
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      if (s == NULL)
        continue;
      g_assert_cmpuint (s->serial, >, last);
      last = s->serial;
      for (guint64 i = 0; i < s->lanes[0].steps; i++)
        g_assert_true (isfinite (ls_curve_get (s->lanes[0].curve, i).loss));
    }
}

static void
test_free_at_any_time (void)
{
  for (guint ms = 0; ms < 20; ms++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      LsCoordinator *c = start (options, &fake_backend);
      ls_coordinator_run (c, G_MAXINT32);
      g_usleep (ms * 1000);
      ls_coordinator_free (c);
      /* a lane that was being opened closes what came of it by itself */
      for (guint i = 0; g_atomic_int_get (&fake.there) > 0 && i < 10000; i++)
        g_usleep (1000);
      g_assert_cmpint (g_atomic_int_get (&fake.there), ==, 0);
      g_assert_cmpint (g_atomic_int_get (&fake.closed), ==, g_atomic_int_get (&fake.opened));
      /* and nobody trains any more */
      const gint runs = g_atomic_int_get (&fake.runs);
      g_usleep (2000);
      g_assert_cmpint (g_atomic_int_get (&fake.runs), ==, runs);
    }
}

static void
test_wrong_settings (void)
{
  static const struct {
    const char *model, *data, *lanes;
    gint64 batch;
  } bad[] = {
    { "dance 10", "moons", "cpu", 16 }, { TINY, "no-such-data", "cpu", 16 }, { TINY, "moons", "gpu", 16 },
    { TINY, "moons", "cpu,", 16 },      { TINY, "moons", "", 16 },           { TINY, "moons", "cpu", 65536 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (LsOptions) o = tiny_options ();
      g_autoptr (GError) error = NULL;
      g_free (o->model), g_free (o->data), g_free (o->lanes);
      o->model = g_strdup (bad[i].model);
      o->data = g_strdup (bad[i].data);
      o->lanes = g_strdup (bad[i].lanes);
      o->batch = bad[i].batch;
      g_assert_null (ls_coordinator_new (o, &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_USAGE);
    }
}

/* Where no lane works there is nothing to save or to compare, and both say so: with the first lane's reason,
 * where it has one. */
static void
test_no_lane (void)
{
  static const LsBackend *const backends[] = { &fake_backend };

  for (guint started = 0; started < 2; started++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = ls_coordinator_new_with_backends (options, backends, 1, NULL);
      g_autoptr (GError) weights = NULL, comparison = NULL;

      fake.fail_open = TRUE;
      if (started)
        {
          g_assert_true (ls_coordinator_start (c, NULL));
          ls_coordinator_run (c, 10);
          g_autoptr (LsSnapshot) s = finish (c);
          g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
          g_assert_cmpuint (s->lanes[0].steps, ==, 0);
        }
      g_assert_false (ls_coordinator_save_weights (c, "/nowhere/w", LS_PRECISION_FP32, &weights));
      g_assert_error (weights, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_cmpstr (weights->message, ==,
                       "There are no weights to save in “/nowhere/w”, because no lane works.");
      g_assert_null (ls_coordinator_compare (c, &comparison));
      g_assert_error (comparison, LS_ERROR, LS_ERROR_DEVICE);
      g_assert_cmpstr (comparison->message, ==,
                       started ? "There is nothing to compare, because no lane works: "
                                 "The fake has no device today."
                               : "There is nothing to compare, because no lane works: none has been opened.");
    }
}

static double
seconds_of (const struct timespec *time)
{
  return (double) time->tv_sec + 1e-9 * (double) time->tv_nsec;
}

/* What is waited for is waited for as long as was said, to the millisecond, whatever the clock shows. */
static void
test_deadline (void)
{
  static const guint waits_ms[] = { 0, 1, 250, 999, 1000, 1001, 1999, 59999, 60000, G_MAXUINT - 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (waits_ms); i++)
    for (guint k = 0; k < 100; k++)
      {
        struct timespec before, after;

        clock_gettime (CLOCK_MONOTONIC, &before);
        const struct timespec until = ls_deadline (waits_ms[i]);
        clock_gettime (CLOCK_MONOTONIC, &after);
        if (until.tv_nsec < 0 || until.tv_nsec >= 1000000000
            || seconds_of (&until) < seconds_of (&before) + 1e-3 * waits_ms[i] - 1e-6
            || seconds_of (&until) > seconds_of (&after) + 1e-3 * waits_ms[i] + 1e-6)
          g_error ("%u ms from %.6f on, or a little later, are over at %.6f", waits_ms[i],
                   seconds_of (&before), seconds_of (&until));
      }
}

/* Options that all lanes share reach each of them; what a lane was given for itself stays its own, in
 * whatever order they are named. */
static void
test_configured_alone (void)
{
  static const struct {
    const char *lanes;
    guint tiles[2]; /* that the op with most of them has, once all lanes are to have 3 */
  } rows[] = {
    { "cpu(tiles=8,threads=1),cpu(threads=1)", { 8, 3 } },
    { "cpu(threads=1),cpu(tiles=8,threads=1)", { 3, 8 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (ls_options_set (options, ls_options_find ("lanes"), rows[i].lanes, &error));
      options->batch = 256;
      g_assert_true (
        ls_options_set (options, ls_options_find ("model"), "flatten, dense 256, dense 2", &error));
      c = ls_coordinator_new (options, &error);
      g_assert_no_error (error);
      g_assert_true (ls_coordinator_start (c, &error));
      ls_coordinator_run (c, 2);
      ls_snapshot_unref (finish (c));
      options->tiles = 3;
      ls_coordinator_configure (c, options);
      ls_coordinator_run (c, 4);
      g_autoptr (LsSnapshot) s = finish (c);
      for (guint lane = 0; lane < 2; lane++)
        {
          guint most = 0;

          for (guint op = 0; op < ls_coordinator_plan (c)->n_ops; op++)
            {
              const LsTiling *t = &s->lanes[lane].facts->tilings[op];
              most = MAX (most, t->grid_rows * t->grid_cols);
            }
          if (most != rows[i].tiles[lane])
            g_error ("“%s”: lane %u has %u tiles, not %u", rows[i].lanes, lane, most, rows[i].tiles[lane]);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/train/two-lanes-agree", test_two_lanes_agree);
  g_test_add_func ("/train/losses-fall", test_losses_fall);
  g_test_add_func ("/train/lane-fails-mid-run", test_lane_fails_mid_run);
  g_test_add_func ("/train/no-device", test_no_device);
  g_test_add_func ("/train/lane-hangs", test_lane_hangs);
  g_test_add_func ("/train/turns-first", test_turns_first);
  g_test_add_func ("/train/turns-time-shared", test_turns_time_shared);
  g_test_add_func ("/train/turns-on-shared-cores", test_turns_on_shared_cores);
  g_test_add_func ("/train/batches-in-order", test_batches_in_order);
  g_test_add_func ("/train/loss-not-finite", test_loss_not_finite);
  g_test_add_func ("/train/pause-and-race", test_pause_and_race);
  g_test_add_func ("/train/compare", test_compare);
  g_test_add_func ("/train/snapshots", test_snapshots);
  g_test_add_func ("/train/free-at-any-time", test_free_at_any_time);
  g_test_add_func ("/train/wrong-settings", test_wrong_settings);
  g_test_add_func ("/train/no-lane", test_no_lane);
  g_test_add_func ("/train/deadline", test_deadline);
  g_test_add_func ("/coordinator/configured-alone", test_configured_alone);
  return g_test_run ();
}
