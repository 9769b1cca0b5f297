/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under the coordinator a device that fails or hangs costs its lane only, and one that computes wrongly is
 * found out.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clfault.h"
#include "rule.h"
#include "train/coordinator.h"

static gboolean a_lane_hangs;

static LsCoordinator *
start_race (const char *watchdog_ms, gboolean fusion)
{
  static const LsBackend *const lanes[] = { &ls_backend_cpu, &ls_backend_opencl_here };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  LsCoordinator *c;

  g_assert_true (
    ls_options_set (options, ls_options_find ("model"), "flatten, dense 8, tanh, dense 2", NULL));
  g_assert_true (ls_options_set (options, ls_options_find ("data"), "moons", NULL));
  options->batch = 16;
  options->check_every = 10;
  options->lr = 0.1;
  options->fusion = fusion;
  if (watchdog_ms)
    g_setenv ("LOCKSTEP_WATCHDOG_MS", watchdog_ms, TRUE);
  c = ls_coordinator_new_with_backends (options, lanes, G_N_ELEMENTS (lanes), &error);
  g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  g_assert_no_error (error);
  return c;
}

static LsSnapshot *
train (LsCoordinator *c, guint64 steps)
{
  LsSnapshot *s;

  ls_coordinator_run (c, steps);
  g_assert_true (ls_coordinator_wait (c, 40000));
  s = ls_coordinator_take (c);
  g_assert_nonnull (s);
  for (guint l = 0; l < s->n_lanes; l++)
    if (s->lanes[l].message)
      g_test_message ("%s: %s: %s", s->lanes[l].spec->title, ls_lane_state_name (s->lanes[l].state),
                      s->lanes[l].message);
  return s;
}

/* How often a training calls the functions of a group. Between trainings nobody computes, so rules may
 * change. */
static guint
calls_of_training (const char *group, gboolean fusion)
{
  g_autoptr (LsCoordinator) c = start_race (NULL, fusion);
  g_autoptr (LsSnapshot) first = train (c, 5), second = NULL;
  guint before = clfault_count (group);

  g_assert_cmpint (first->lanes[1].state, ==, LS_LANE_READY);
  second = train (c, 40);
  g_assert_cmpuint (second->agreement.losses_compared, ==, 40);
  return clfault_count (group) - before;
}

/* The device stays lost: the lane stops again, with a reason. It is back: the lane goes on where the other
 * one is. */
static void
assert_retried (LsCoordinator *c, guint64 stop)
{
  g_autoptr (LsSnapshot) lost = NULL, s = NULL;

  ls_coordinator_retry (c);
  lost = train (c, 40);
  if (lost->lanes[1].state == LS_LANE_FAILED)
    {
      g_assert_nonnull (lost->lanes[1].message);
      g_assert_cmpuint (lost->lanes[1].retry_step, ==, 40);
    }
  rule_clear ();
  ls_coordinator_retry (c);
  g_assert_true (ls_coordinator_wait (c, 40000));
  s = train (c, 80);
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpint (s->lanes[l].state, ==, LS_LANE_READY);
      g_assert_cmpuint (s->lanes[l].steps, ==, 80);
      g_assert_cmpuint (s->lanes[l].accuracy_step, ==, 80);
    }
  g_assert_cmpuint (s->agreement.losses_compared, ==, stop + 40);
  g_assert_cmpfloat (s->agreement.loss_delta_max, <, 1e-4);
  g_assert_cmpuint (s->agreement.weights_step, ==, 80);
  g_assert_cmpfloat (s->agreement.weights_relative, <, 1e-4);
}

/* The device is lost in the middle: the lane stops with the reason, the other one finishes. */
static void
test_lane_loses_device (void)
{
  static const char *const groups[] = { "ndrange", "write", "read", "copy", "wait" };

  if (!have_device ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const gboolean fusion = strcmp (groups[i], "copy") != 0; /* fused, a step writes its loss where it is
                                                                  kept */
      guint calls = calls_of_training (groups[i], fusion);
      g_autoptr (LsCoordinator) c = start_race (NULL, fusion);
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_cmpuint (calls, >, 1);
      ls_snapshot_unref (train (c, 5));
      rule_set ("fail:%s:%u:-5", groups[i], calls / 2);
      s = train (c, 40);
      g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_FAILED);
      g_assert_true (clfault_named (s->lanes[1].message));
      g_assert_cmpuint (s->lanes[1].steps, <=, 40); /* or after them, in the evaluation */
      g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
      g_assert_cmpuint (s->lanes[0].steps, ==, 40);
      g_assert_true (isfinite (s->lanes[0].accuracy));
      assert_retried (c, s->lanes[1].steps);
    }
}

/* One bit of one value comes back wrong: the comparison op by op finds it, and nothing else. */
static void
test_wrong_numbers (void)
{
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;
  g_autoptr (GArray) sound = NULL, wrong = NULL;
  g_autoptr (GError) error = NULL;
  guint reads, differ = 0;

  if (!have_device ())
    return;
  c = start_race (NULL, TRUE);
  s = train (c, 5);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_READY);
  rule_clear ();
  sound = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  reads = clfault_count ("read");
  for (guint i = 0; i < sound->len; i++)
    g_assert_cmpint (g_array_index (sound, LsComparison, i).verdict, !=, LS_VERDICT_DIFFER);

  /* One bit, once, at the last read: the last op's last output, a weight. */
  rule_set ("flip:read:%u:30:once", reads);
  wrong = ls_coordinator_compare (c, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (wrong->len, ==, sound->len);
  for (guint i = 0; i < wrong->len; i++)
    {
      const LsComparison *v = &g_array_index (wrong, LsComparison, i);
      if (v->verdict != LS_VERDICT_DIFFER)
        continue;
      differ++;
      g_assert_cmpuint (v->lane, ==, 1);
      g_assert_cmpint (v->worst, ==, 0);
      g_assert_cmpfloat (v->delta, >, v->tolerance);
      g_assert_cmpstr (ls_verdict_name (v->verdict), ==, "differ");
    }
  g_assert_cmpuint (differ, ==, 1);
  rule_clear ();
}

/* A launch that never returns: its lane is left behind, the other one finishes, and the program can end.
 * Last, because the lane's thread stays. */
static void
test_lane_hangs (void)
{
  LsCoordinator *c;
  g_autoptr (LsSnapshot) first = NULL, s = NULL, retried = NULL;

  if (!have_device ())
    return;
  c = start_race ("4000", TRUE);
  first = train (c, 5);
  g_assert_cmpint (first->lanes[1].state, ==, LS_LANE_READY);
  rule_set ("delay:ndrange:30:600000");
  a_lane_hangs = TRUE;
  s = train (c, 40);
  g_assert_cmpint (s->lanes[1].state, ==, LS_LANE_HUNG);
  g_assert_nonnull (strstr (s->lanes[1].message, "OpenCL lane has given no answer"));
  g_assert_cmpuint (s->lanes[1].steps, <, 40);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_cmpuint (s->lanes[0].steps, ==, 40);
  g_assert_true (isfinite (s->lanes[0].accuracy));
  ls_coordinator_retry (c); /* beside the thread that hangs */
  g_assert_true (ls_coordinator_wait (c, 40000));
  retried = train (c, 60);
  g_assert_cmpint (retried->lanes[1].state, ==, LS_LANE_READY);
  g_assert_cmpuint (retried->lanes[1].steps, ==, 60);
  g_assert_cmpuint (retried->agreement.losses_compared, ==, s->lanes[1].steps + 20);
  g_assert_cmpfloat (retried->agreement.loss_delta_max, <, 1e-4);
  ls_coordinator_free (c); /* doesn't wait for it */
}

static gint dawdler_is_open;

static gpointer
open_and_dawdle (gpointer options)
{
  gpointer lane = ls_backend_opencl_here.open (options, 0, NULL);

  g_atomic_int_set (&dawdler_is_open, TRUE);
  return lane;
}

/* Not every driver bears being started by two threads at once: a lane begins with it when the one before has
 * its queues, however long that takes within reason. */
static void
test_opening_waits (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  gpointer lanes[2];
  GThread *threads[2];

  if (!have_device ())
    return;
  rule_set ("delay:context:1:1000,delay:context:2:500"); /* long enough to be seen */
  g_atomic_int_set (&dawdler_is_open, FALSE);
  threads[0] = g_thread_new ("dawdler", open_and_dawdle, options);
  while (clfault_count ("context") == 0)
    g_usleep (1000);
  threads[1] = g_thread_new ("second", open_and_dawdle, options);
  while (!g_atomic_int_get (&dawdler_is_open))
    {
      const guint contexts = clfault_count ("context");

      if (contexts > 1 && clfault_count ("queue") == 0)
        g_error ("A lane begins to open its device while another one is still at it.");
      g_usleep (1000);
    }
  for (guint i = 0; i < 2; i++)
    {
      lanes[i] = g_thread_join (threads[i]);
      if (lanes[i] == NULL)
        g_error ("Lane %u of two that open their devices together isn't open.", i);
    }
  for (guint i = 0; i < 2; i++)
    ls_backend_opencl_here.close (lanes[i]);
  rule_clear ();
}

/* Lanes open their devices one after the other, but one that hangs in its driver isn't waited for. */
static void
test_opening_hangs (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GError) error = NULL;
  gpointer dawdler, lane;
  GThread *thread;

  if (!have_device ())
    return;
  rule_set ("delay:context:1:20000");
  g_atomic_int_set (&dawdler_is_open, FALSE);
  thread = g_thread_new ("dawdler", open_and_dawdle, options);
  while (clfault_count ("context") == 0)
    g_usleep (1000);
  lane = ls_backend_opencl_here.open (options, 0, &error);
  g_assert_no_error (error);
  if (g_atomic_int_get (&dawdler_is_open))
    g_error ("A lane whose driver hangs while it opens holds up another lane until it is back.");
  dawdler = g_thread_join (thread);
  g_assert_nonnull (dawdler);
  ls_backend_opencl_here.close (lane);
  ls_backend_opencl_here.close (dawdler);
  rule_clear ();
}

int
main (int argc, char **argv)
{
  int status;

  rule_begin (&argc, &argv);
  g_test_add_func ("/lane-faults/loses-device", test_lane_loses_device);
  g_test_add_func ("/lane-faults/wrong-numbers", test_wrong_numbers);
  g_test_add_func ("/lane-faults/opening-waits", test_opening_waits);
  g_test_add_func ("/lane-faults/opening-hangs", test_opening_hangs);
  g_test_add_func ("/lane-faults/hangs", test_lane_hangs);
  status = g_test_run ();
  fflush (NULL);
  if (a_lane_hangs)
    _exit (status); /* the hung thread is inside the driver, whose own cleaning up would wait for it */
  return status;
}
