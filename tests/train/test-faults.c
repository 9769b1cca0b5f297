/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The coordinator's edges: lanes that fail at every kind of job, requests while a lane opens, what a snapshot
 * must say at once.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "rig.h"

/* wait() says TRUE only when the snapshot that goes with it can be taken. */
static void
test_snapshot_at_rest (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);

  for (guint64 steps = 1; steps <= 300; steps++)
    {
      g_autoptr (LsSnapshot) s = NULL;
      ls_coordinator_run (c, steps);
      s = finish (c);
      g_assert_cmpuint (s->lanes[0].steps, ==, steps);
      g_assert_cmpuint (s->lanes[1].steps, ==, steps);
    }
}

/* With nothing to do and no command, a lane that has come still shows: also if it comes right after a
 * snapshot, too soon for the next one. */
static void
test_snapshot_of_late_lane (void)
{
  for (guint open_ms = 100; open_ms < 112; open_ms += 2)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      LsLaneState state = LS_LANE_OPENING;

      fake.open_ms = open_ms;
      c = start (options, &fake_backend);
      for (guint i = 0; i < 2000 && state != LS_LANE_READY; i++)
        {
          g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
          if (s)
            state = s->lanes[1].state;
          g_usleep (5000);
        }
      g_assert_cmpint (state, ==, LS_LANE_READY);
    }
}

static void
assert_other_lane_goes_on (LsCoordinator *c, const char *message)
{
  g_autoptr (LsSnapshot) s = NULL;

  ls_coordinator_run (c, 200);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_cmpstr (s->lanes[1].message, ==, message);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 200);
  g_assert_true (isfinite (s->lanes[0].accuracy));
}

static void
test_prepare_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;

  fake.fail_prepare = TRUE;
  c = start (options, &fake_backend);
  assert_other_lane_goes_on (c, "The fake can't be built.");
}

static void
test_configure (void)
{
  g_autoptr (LsOptions) options = tiny_options (), other = ls_options_copy (options);
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (LsSnapshot) s = NULL;

  other->lr = 0.03125;
  other->batch = 7; /* can't be changed now */
  ls_coordinator_configure (c, other);
  ls_coordinator_run (c, 10);
  s = finish (c);
  g_assert_cmpfloat (s->options->lr, ==, 0.03125);
  g_assert_cmpint (s->options->batch, ==, 16);
  g_assert_true (s->agreement.loss_delta_max == 0);

  fake.fail_configure = TRUE;
  ls_coordinator_configure (c, options);
  assert_other_lane_goes_on (c, "The fake has no such kernel.");
}

/* The run of an evaluation: after one step of training. */
static void
test_evaluation_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  fake.fail_at = 2;
  c = start_and_open (options, &fake_backend);
  ls_coordinator_run (c, 1);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
  g_assert_true (isnan (s->lanes[1].accuracy));
  g_assert_cmpuint (s->lanes[1].steps, ==, 1);
  assert_other_lane_goes_on (c, "The fake lost its device.");
}

static void
test_comparison_fails (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  g_autoptr (GArray) all = NULL;
  g_autoptr (GError) error = NULL;

  ls_coordinator_run (c, 5);
  g_assert_true (ls_coordinator_wait (c, 20000));
  fake.fail_one_op = TRUE;
  all = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, >, 0);
  for (guint i = 0; i < all->len; i++)
    g_assert_cmpuint (g_array_index (all, LsComparison, i).lane, ==, 0);
  assert_other_lane_goes_on (c, "The fake lost its device.");
}

/* Weights and states are put back: the rest of the run is as if there had been no comparison. */
static void
test_comparison_leaves_no_trace (void)
{
  float losses[2] = { 0 };

  for (guint with = 0; with < 2; with++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = start_and_open (options, NULL);
      g_autoptr (LsSnapshot) s = NULL;
      g_autoptr (GArray) all = NULL;

      ls_coordinator_run (c, 7);
      g_assert_true (ls_coordinator_wait (c, 20000));
      all = with ? ls_coordinator_compare (c, NULL) : NULL;
      ls_coordinator_run (c, 30);
      s = finish (c);
      losses[with] = s->lanes[0].loss;
    }
  g_assert_true (losses[0] == losses[1]);
}

static void
test_save_weights (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.safetensors", NULL);
  g_autoptr (GError) error = NULL, none = NULL;
  const LsBackend *const both[] = { &ls_backend_reference, &fake_backend };
  LsCoordinator *c;

  fake.hang_open = TRUE;
  c = ls_coordinator_new_with_backends (options, both, 2, &error);
  g_assert_false (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &none)); /* not started */
  g_assert_error (none, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, G_MAXINT32);
  for (g_autoptr (LsSnapshot) s = NULL; s == NULL || s->lanes[0].steps == 0;)
    {
      g_clear_pointer (&s, ls_snapshot_unref);
      g_usleep (1000);
      s = ls_coordinator_take (c);
    }
  ls_coordinator_pause (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
  g_assert_true (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &error)); /* the other lane hangs in
                                                                    open(): it isn't waited for */
  g_assert_no_error (error);
  g_assert_cmpint (g_atomic_int_get (&fake.opened), ==, 0);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  free_hanging (c);
}

/* Weights that are saved are those of a lane that works, not of a first one that doesn't any more. */
static void
test_save_others (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lockstep-test-XXXXXX", NULL),
                  *path = g_build_filename (folder, "w.safetensors", NULL);
  char *texts[2] = { NULL, NULL };
  gsize sizes[2];

  for (guint fails = 0; fails < 2; fails++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      const LsBackend *const both[] = { &fake_backend, &ls_backend_reference };
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;
      g_autoptr (GError) error = NULL;

      fake.fail_at = fails ? 2 : 0;
      c = ls_coordinator_new_with_backends (options, both, 2, &error);
      g_assert_true (ls_coordinator_start (c, &error));
      ls_coordinator_run (c, 25);
      s = finish (c);
      g_assert_cmpint (s->lanes[0].state, ==, fails ? LS_LANE_FAILED : LS_LANE_READY);
      g_assert_true (ls_coordinator_save_weights (c, path, LS_PRECISION_FP32, &error));
      g_assert_true (g_file_get_contents (path, &texts[fails], &sizes[fails], &error));
    }
  if (sizes[0] != sizes[1] || memcmp (texts[0], texts[1], sizes[0]) != 0)
    g_error ("the weights that are saved aren’t those of the lane that works");
  g_free (texts[0]);
  g_free (texts[1]);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_no_lane_works (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (GError) error = NULL, save_error = NULL;
  const LsBackend *const only[] = { &fake_backend };

  fake.fail_open = TRUE;
  c = ls_coordinator_new_with_backends (options, only, 1, &error);
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, 5);
  g_assert_true (ls_coordinator_wait (c, 20000));
  g_assert_null (ls_coordinator_compare (c, &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "The fake has no device today."));
  g_assert_false (ls_coordinator_save_weights (c, "/nowhere/w", LS_PRECISION_FP32, &save_error));
  g_assert_error (save_error, LS_ERROR, LS_ERROR_DEVICE);
}

static void
test_hangs_while_opening (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL;
  LsCoordinator *c;

  fake.hang_open = TRUE;
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "300", TRUE);
  c = start (options, &fake_backend);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  ls_coordinator_run (c, 20);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_cmpuint (s->lanes[0].steps, ==, 20);
  free_hanging (c);
}

/* It isn't taken for a compiler, for which others wait a minute. */
static void
test_hangs_after_building (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsSnapshot) s = NULL;
  LsCoordinator *c;

  fake.hang_at = 3;
  fake.builds_first = TRUE;
  g_setenv ("LOCKSTEP_WATCHDOG_MS", "300", TRUE);
  c = start (options, &fake_backend);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  ls_coordinator_run (c, 20);
  s = finish (c);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_cmpuint (s->lanes[0].steps, ==, 20);
  free_hanging (c);
}

/* The first lane fails: the other two are still held against each other. */
static void
test_three_lanes (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GError) error = NULL;
  const LsBackend *const three[] = { &fake_backend, &ls_backend_reference, &ls_backend_reference_f64 };
  guint64 failed_at;

  c = ls_coordinator_new_with_backends (options, three, 3, &error);
  fake.fail_at = 4;
  g_assert_true (ls_coordinator_start (c, &error));
  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  ls_coordinator_run (c, 50);
  s = finish (c);
  failed_at = s->lanes[0].steps;
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (failed_at, <, 50);
  /* Two pairs while there were three. */
  g_assert_cmpuint (s->agreement.losses_compared, ==, failed_at * 2 + (50 - failed_at));
  g_assert_cmpuint (s->agreement.losses_steps, ==, 50);
  g_assert_cmpuint (s->agreement.weights_compared, ==, 5);
  g_assert_cmpfloat (s->agreement.loss_delta_max, >, 0);
  g_assert_cmpfloat (s->agreement.loss_delta_max, <, 1e-5);
}

static void
test_never_started (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  const LsBackend *const both[] = { &ls_backend_reference, &fake_backend };

  c = ls_coordinator_new_with_backends (options, both, 2, NULL);
  g_assert_true (ls_coordinator_wait (c, 0)); /* no command, nothing to do */
  g_assert_null (ls_coordinator_take (c));
  ls_coordinator_run_recorded (c, 5);
  ls_coordinator_configure (c, options);
  g_assert_false (ls_coordinator_wait (c, 20));
}

/* Commands from all sides at once; then everything comes to rest. */
static void
test_commands_at_random (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start (options, &fake_backend);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (LsSnapshot) s = NULL;

  for (guint i = 0; i < 400; i++)
    {
      switch (g_rand_int_range (random, 0, 7))
        {
        case 0:
        case 1:
          ls_coordinator_run (c, (guint64) g_rand_int_range (random, 0, 400));
          break;
        case 2:
          ls_coordinator_pause (c);
          break;
        case 3:
          ls_coordinator_record (c);
          break;
        case 4:
          ls_coordinator_configure (c, options);
          break;
        case 5:
          ls_coordinator_record_next (c, i % 2);
          break;
        default:
          g_assert_true (ls_coordinator_wait (c, 20000));
        }
      if (i % 3 == 0)
        g_usleep ((gulong) g_rand_int_range (random, 0, 1500));
    }
  ls_coordinator_run (c, 500);
  s = finish (c);
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpint (s->lanes[l].state, ==, LS_LANE_READY);
      g_assert_cmpuint (s->lanes[l].steps, >=, 500);
    }
  g_assert_cmpuint (s->lanes[0].steps, ==, s->lanes[1].steps);
  g_assert_true (s->agreement.loss_delta_max == 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/snapshot-at-rest", test_snapshot_at_rest);
  g_test_add_func ("/faults/snapshot-of-late-lane", test_snapshot_of_late_lane);
  g_test_add_func ("/faults/prepare-fails", test_prepare_fails);
  g_test_add_func ("/faults/configure", test_configure);
  g_test_add_func ("/faults/evaluation-fails", test_evaluation_fails);
  g_test_add_func ("/faults/comparison-fails", test_comparison_fails);
  g_test_add_func ("/faults/comparison-leaves-no-trace", test_comparison_leaves_no_trace);
  g_test_add_func ("/faults/save-weights", test_save_weights);
  g_test_add_func ("/faults/save-others", test_save_others);
  g_test_add_func ("/faults/no-lane-works", test_no_lane_works);
  g_test_add_func ("/faults/hangs-while-opening", test_hangs_while_opening);
  g_test_add_func ("/faults/hangs-after-building", test_hangs_after_building);
  g_test_add_func ("/faults/three-lanes", test_three_lanes);
  g_test_add_func ("/faults/never-started", test_never_started);
  g_test_add_func ("/faults/commands-at-random", test_commands_at_random);
  return g_test_run ();
}
