/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes opened anew when no other lane works, or one that is further back, or breaks meanwhile; while a step
 * is recorded; and at any moment.
 */
#include <math.h>
#include <string.h>

#include "retry_rig.h"
#include "train/lane/lane.h"

/* It begins again, and does what a lane does that never failed. */
static void
test_alone (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL, other = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL, whole = NULL;

  options->momentum = 0.9;
  other = start_lanes (options, &ls_backend_reference, NULL, NULL);
  whole = run_to (other, 100);
  fake.fail_at = 15;
  c = start_lanes (options, &fake_backend, NULL, NULL);
  broken = run_to (c, 100);
  g_assert_cmpint (broken->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->lanes[0].steps, >, 0);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, 0);
  retry_at_rest (c);
  s = run_to (c, 100);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 100);
  g_assert_true (s->lanes[0].curve != broken->lanes[0].curve);
  for (guint64 i = 0; i < 100; i++)
    g_assert_true (ls_curve_get (s->lanes[0].curve, i).loss == ls_curve_get (whole->lanes[0].curve, i).loss);
  g_assert_true (s->lanes[0].accuracy == whole->lanes[0].accuracy);
  g_assert_cmpuint (s->lanes[0].rate.n + s->lanes[0].rate.left_out, ==, 100);
}

/* What was changed while it trained before is nothing to the steps that it does once more: its first ones,
 * and no others, are warm-up, and all others are in its rate. */
static void
test_alone_after_change (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_lanes (options, fragile_backend (), NULL, NULL);
  g_autoptr (LsSnapshot) changed = NULL, s = NULL;

  ls_snapshot_unref (run_to (c, 60));
  options->fusion = !options->fusion;
  ls_coordinator_configure (c, options);
  changed = run_to (c, 100);
  g_assert_cmpuint (changed->lanes[0].rate_from, ==, 60);
  g_atomic_int_set (&fragile.runs_left, 0);
  ls_snapshot_unref (run_to (c, 101));
  retry_at_rest (c);
  s = run_to (c, 55);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  for (guint64 i = 0; i < s->lanes[0].steps; i++)
    if (((ls_curve_get (s->lanes[0].curve, i).flags & LS_POINT_WARM_UP) != 0) != (i < LS_WARM_UP_STEPS))
      g_error ("step %u of a lane that begins again %s warm-up", (guint) i + 1,
               i < LS_WARM_UP_STEPS ? "isn’t" : "is");
  g_assert_cmpuint (s->lanes[0].rate_from, ==, 0);
  g_assert_cmpuint (s->lanes[0].rate.n, ==, s->lanes[0].steps - LS_WARM_UP_STEPS);
}

/* The learning rate was too large on all lanes: with another one they begin again, and nothing is left of
 * what was; also in a run that goes on after some steps of an earlier one, which begins there. */
static void
test_all_failed (void)
{
  static const guint64 begun[] = { 0, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (begun); i++)
    {
      g_autoptr (LsOptions) options = tiny_options (), other = ls_options_copy (options);
      const LsBackend *const both[] = { &ls_backend_reference, &fake_backend };
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) broken = NULL, s = NULL;

      options->lr = 1e38;
      c = ls_coordinator_new_with_backends (options, both, 2, NULL);
      g_assert_true (ls_coordinator_go_on (c, begun[i], NULL, NULL));
      g_assert_true (ls_coordinator_start (c, NULL));
      ls_coordinator_run (c, begun[i]);
      g_assert_true (ls_coordinator_wait (c, 20000));
      broken = run_to (c, begun[i] + 50);
      for (guint l = 0; l < 2; l++)
        g_assert_cmpint (broken->lanes[l].state, ==, LS_LANE_FAILED);
      g_assert_cmpuint (broken->agreement.losses_compared, >, 0);
      ls_coordinator_configure (c, other);
      ls_coordinator_retry (c);
      s = run_to (c, begun[i] + 50);
      assert_agree (s, begun[i] + 50);
      if (s->agreement.losses_compared != 50 || s->agreement.losses_steps != 50)
        g_error ("of 50 steps after %u, begun again, %u pairs of losses of %u steps are told to be compared",
                 (guint) begun[i], (guint) s->agreement.losses_compared, (guint) s->agreement.losses_steps);
      g_assert_cmpuint (s->agreement.weights_compared, ==, 5);
    }
}

/* The lane that works is further back: what lies ahead of it is cut off. */
static void
test_other_is_behind (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) broken = NULL, s = NULL;
  guint64 at;

  options->batch = 512;  /* an epoch ends, and is evaluated, before the other has begun */
  fake.hang_open = TRUE; /* until the other has failed, however slow that is */
  fake.run_ms = 5;
  c = start_lanes (options, fragile_backend (), &fake_backend, NULL);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  s = await_state (c, 0, LS_LANE_READY);
  while (!s->lanes[0].waits) /* for the other; it fails at one more step, which is to be recorded */
    {
      LsSnapshot *next = ls_coordinator_take (c);
      if (next != NULL)
        {
          ls_snapshot_unref (s);
          s = next;
        }
      g_usleep (1000);
    }
  g_atomic_int_set (&fragile.runs_left, 0);
  ls_coordinator_record_next (c, FALSE);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = await_state (c, 0, LS_LANE_FAILED);
  g_atomic_int_set (&fake.let_go, 1);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = await_state (c, 1, LS_LANE_READY);
  ls_coordinator_pause (c);
  broken = finish (c);
  at = broken->lanes[1].steps;
  g_assert_cmpint (broken->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpuint (broken->lanes[0].steps, >, at);
  g_assert_cmpuint (broken->lanes[0].retry_step, ==, at);
  g_assert_cmpuint (broken->lanes[0].accuracy_step, >, at);
  g_assert_cmpuint (broken->lanes[0].evaluation->steps, >, at);
  ls_coordinator_retry (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = await_state (c, 0, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, at);
  /* nor is what it said of the test set its own any more */
  g_assert_cmpuint (s->lanes[0].accuracy_step, <=, at);
  if (s->lanes[0].evaluation != NULL)
    g_assert_cmpuint (s->lanes[0].evaluation->steps, <=, at);
  if (s->lanes[0].accuracies != NULL)
    for (guint i = 0; i < s->lanes[0].accuracies->len; i++)
      g_assert_cmpuint (g_array_index (s->lanes[0].accuracies, LsAccuracy, i).steps, <=, at);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run_to (c, at + 60);
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
  broken = run_to (c, 51);
  g_assert_cmpint (broken->lanes[1].state, ==, LS_LANE_FAILED);
  g_atomic_int_set (&fragile.fail_read, 1);
  retry_at_rest (c);
  s = run_to (c, 55);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_FAILED);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[1].steps, ==, 55);
  g_assert_cmpuint (count_missing (&s->lanes[1]), ==, 0);
  g_assert_false (s->turns); /* one that has failed shares no core any more */
  g_atomic_int_set (&fragile.fail_read, 0);
  retry_at_rest (c);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = run_to (c, 90);
  assert_agree (s, 90);
  g_assert_true (s->turns);
}

/* The last step, which all record, waits for a lane that is opened anew. */
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
  s = run_to (c, steps);
  assert_agree (s, steps);
}

/* ---- a lane that is just being closed ---- */

static struct {
  gboolean counts;
  guint quits[LS_MAX_LANES]; /* how often each lane was sent home */
} sent;

void __real_ls_lane_post (LsLane *lane, const LsRequest *request);
void __wrap_ls_lane_post (LsLane *lane, const LsRequest *request);

/* On the control thread. The fake's device stays open until the lane beside it is sent home. */
void
__wrap_ls_lane_post (LsLane *lane, const LsRequest *request)
{
  if (sent.counts && request->kind == LS_JOB_QUIT)
    {
      sent.quits[lane->number]++;
      if (lane->number == 0)
        g_atomic_int_set (&fake.let_go, 1);
    }
  __real_ls_lane_post (lane, request);
}

/* The program ends while a lane that is to be opened anew closes its old device: that lane was sent home, and
 * isn't again. */
static void
test_ends_while_closing (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  LsCoordinator *c;

  fake.fail_at = 8;
  fake.hang_close = TRUE;
  c = start_and_open (options, &fake_backend);
  ls_snapshot_unref (run_to (c, 50));
  memset (&sent, 0, sizeof sent);
  sent.counts = TRUE;
  ls_coordinator_retry (c);
  ls_snapshot_unref (await_state (c, 1, LS_LANE_OPENING));
  ls_coordinator_free (c);
  sent.counts = FALSE;
  g_assert_cmpuint (sent.quits[0], ==, 1);
  if (sent.quits[1] != 1)
    g_error ("the lane that closes was sent home %u times", sent.quits[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/retry-edges/alone", test_alone);
  g_test_add_func ("/retry-edges/alone-after-change", test_alone_after_change);
  g_test_add_func ("/retry-edges/all-failed", test_all_failed);
  g_test_add_func ("/retry-edges/other-is-behind", test_other_is_behind);
  g_test_add_func ("/retry-edges/other-fails-meanwhile", test_other_fails_meanwhile);
  g_test_add_func ("/retry-edges/recording", test_recording);
  g_test_add_func ("/retry-edges/free-at-any-time", test_free_at_any_time);
  g_test_add_func ("/retry-edges/ends-while-closing", test_ends_while_closing);
  g_test_add_func ("/retry-edges/at-random", test_at_random);
  return g_test_run ();
}
