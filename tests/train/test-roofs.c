/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a device can do at most is measured once, by itself, after the first recorded step: no walk has to be
 * wished for, and no step is beside it.
 */
#include "core/error.h"
#include "files/recording.h"
#include "train/coordinator.h"

static LsSnapshot *
wait_for (LsCoordinator *c, gboolean measured)
{
  for (guint i = 0; i < 60000; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      if (s != NULL && s->recording != NULL
          && (s->recording->lanes[0].device->roofs[LS_ROOF_FLOPS].n > 0) == measured)
        return g_steal_pointer (&s);
      g_usleep (1000);
    }
  g_error ("the lane's roofs %s within a minute", measured ? "weren't measured" : "were measured");
}

static void
test_idle (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  const LsBackend *cpu = &ls_backend_cpu;
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) early = NULL, first = NULL, second = NULL;
  g_autoptr (GError) error = NULL;
  LsFigure roofs[LS_ROOF_N];

  options->batch = 32;
  options->threads = MIN (4 * g_get_num_processors (), 64);
  c = ls_coordinator_new_with_backends (options, &cpu, 1, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, NULL));
  /* not while the lane is at its first steps */
  ls_coordinator_run_recorded (c, 3);
  while (!ls_coordinator_wait (c, 1000))
    ;
  early = wait_for (c, FALSE);
  ls_coordinator_run (c, 60);
  while (!ls_coordinator_wait (c, 1000))
    ;
  first = wait_for (c, TRUE);
  g_assert_true (ls_recording_shares_step (first->recording, early->recording));
  for (guint i = 0; i < LS_ROOF_N; i++)
    {
      roofs[i] = first->recording->lanes[0].device->roofs[i];
      if (i == LS_ROOF_L2 || i == LS_ROOF_L3) /* only where the system tells of such a cache */
        continue;
      g_assert_cmpuint (roofs[i].n, >, 0);
      g_assert_cmpfloat (roofs[i].value, >, 0);
      g_assert_cmpint (roofs[i].evidence, ==, LS_EVIDENCE_MEASURED);
    }
  /* one core's limit isn't above that of all workers, four of which share a core here */
  if (roofs[LS_ROOF_ONE].value > 1.5 * roofs[LS_ROOF_FLOPS].value)
    g_error ("one worker alone is said to reach %.3g FLOP/s, and all of them %.3g", roofs[LS_ROOF_ONE].value,
             roofs[LS_ROOF_FLOPS].value);
  /* once: a later step has the same */
  ls_coordinator_record (c);
  while (!ls_coordinator_wait (c, 1000))
    ;
  second = wait_for (c, TRUE);
  g_assert_cmpuint (second->recording->step, >, first->recording->step);
  for (guint i = 0; i < LS_ROOF_N; i++)
    g_assert_cmpfloat (second->recording->lanes[0].device->roofs[i].value, ==, roofs[i].value);
  g_assert_cmpuint (second->lanes[0].rate.n, >=, 40);
}

static guint measured; /* how often a lane's device was */

static gboolean
measure (gpointer self, LsFigure *roofs, GError **error)
{
  measured++;
  return ls_backend_cpu.roofs->measure (self, roofs, error);
}

/* A lane whose device says nothing, after so many steps. */
static void
run_recorded_to (LsCoordinator *c, guint64 steps, guint times)
{
  ls_coordinator_run_recorded (c, steps);
  while (!ls_coordinator_wait (c, 1000))
    ;
  if (measured != times)
    g_error ("after step %u of a run that begins after 500 the device was measured %u times, not %u",
             (guint) steps, measured, times);
}

static gboolean
measure_nothing (gpointer self, LsFigure *roofs, GError **error)
{
  measured++;
  for (guint i = 0; i < LS_ROOF_N; i++)
    roofs[i] = (LsFigure){ 0 };
  return TRUE;
}

/* Also of a run that goes on the first steps are the lane's own first ones. */
static void
test_going_on (void)
{
  const LsBackendRoofs roofs = { measure_nothing };
  const LsBackend *lane;
  LsBackend counting = ls_backend_cpu;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) c = NULL;

  measured = 0;
  counting.roofs = &roofs;
  counting.walk = NULL;
  lane = &counting;
  options->batch = 32;
  options->threads = 2;
  c = ls_coordinator_new_with_backends (options, &lane, 1, NULL);
  g_assert_true (ls_coordinator_go_on (c, 500, NULL, NULL));
  g_assert_true (ls_coordinator_start (c, NULL));
  run_recorded_to (c, 503, 0);
  run_recorded_to (c, 509, 0);
  run_recorded_to (c, 560, 1);
  run_recorded_to (c, 600, 1);
}

static gboolean
no_walk (gpointer self, const LsWalkOrder *order, LsWalk **walk, GError **error)
{
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "This lane has no walk.");
  return FALSE;
}

static guint
count_walks (const LsSnapshot *s)
{
  return s->recording != NULL ? s->recording->lanes[0].walks->len : 0;
}

/* However many walks are wished for: the device is the same in each of them. */
static void
test_once (void)
{
  const LsBackendRoofs roofs = { measure };
  const LsBackendWalk walk = { .walk = no_walk };
  const LsBackend *lane;
  LsBackend counting = ls_backend_cpu;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) c = NULL;
  guint walks = 0;

  measured = 0;
  counting.roofs = &roofs;
  counting.walk = &walk;
  lane = &counting;
  options->batch = 32;
  options->threads = 2;
  c = ls_coordinator_new_with_backends (options, &lane, 1, NULL);
  g_assert_true (ls_coordinator_start (c, NULL));
  ls_coordinator_walk (c, &(LsWalkWish){ LS_WALK_ALL_OPS, -1, -1, -1 });
  ls_coordinator_run_recorded (c, 3);
  for (guint i = 0; walks < 2; i++)
    {
      g_autoptr (LsSnapshot) s = ls_coordinator_take (c);
      walks = s != NULL ? count_walks (s) : walks;
      /* what is known of the lane's device has what was measured, too */
      if (s != NULL && walks > 0 && s->lanes[0].facts->device->roofs[LS_ROOF_FLOPS].n == 0)
        g_error ("of a device that was measured no limits are told");
      if (i == 60000)
        g_error ("%u walks within a minute", walks);
      g_usleep (1000);
    }
  if (measured != 1)
    g_error ("with %u walks the device was measured %u times", walks, measured);
}

/* As much as it has threads. */
static gboolean
measure_threads (gpointer self, LsFigure *roofs, GError **error)
{
  const double flops = 1e9 * ls_backend_cpu.device (self)->threads;

  measured++;
  for (guint i = 0; i < LS_ROOF_N; i++)
    roofs[i] = (LsFigure){ 0 };
  roofs[LS_ROOF_FLOPS] = (LsFigure){
    .value = flops, .q1 = flops, .q3 = flops, .n = 5, .unit = "FLOP/s", .evidence = LS_EVIDENCE_MEASURED
  };
  return TRUE;
}

/* A lane that gets other threads can do more, or less: it is measured again, once a step was recorded with
 * them, and each recording has what its own threads can. What else is switched changes nothing. */
static void
test_other_threads (void)
{
  static const struct {
    const char *name, *value;
    guint measured, threads;
  } rows[] = {
    { "threads", "2", 1, 2 }, { "fusion", "off", 1, 2 }, { "threads", "1", 2, 1 },
    { "lr", "0.01", 2, 1 },   { "threads", "3", 3, 3 },
  };
  const LsBackendRoofs roofs = { measure_threads };
  const LsBackend *lane;
  LsBackend counting = ls_backend_cpu;
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) c = NULL;

  measured = 0;
  counting.roofs = &roofs;
  counting.walk = NULL;
  lane = &counting;
  options->batch = 32;
  options->threads = 2;
  c = ls_coordinator_new_with_backends (options, &lane, 1, NULL);
  g_assert_true (ls_coordinator_start (c, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSnapshot) s = NULL;
      const LsDeviceInfo *device;

      g_assert_true (ls_options_set (options, ls_options_find (rows[i].name), rows[i].value, NULL));
      ls_coordinator_configure (c, options);
      while (!ls_coordinator_wait (c, 1000))
        ;
      s = ls_coordinator_take (c);
      /* the step of before was done with the threads of then */
      if (s->recording != NULL)
        g_assert_cmpfloat (s->recording->lanes[0].device->roofs[LS_ROOF_FLOPS].value, ==,
                           1e9 * s->recording->lanes[0].device->threads);
      g_clear_pointer (&s, ls_snapshot_unref);
      ls_coordinator_run_recorded (c, 40 * (i + 1));
      while (!ls_coordinator_wait (c, 1000))
        ;
      s = ls_coordinator_take (c);
      device = s->recording->lanes[0].device;
      g_assert_cmpint (device->threads, ==, (gint) rows[i].threads);
      if (device->roofs[LS_ROOF_FLOPS].value != 1e9 * rows[i].threads || measured != rows[i].measured)
        g_error ("with %s %s, of %u threads: %g GFLOP/s at most, measured %u times", rows[i].name,
                 rows[i].value, rows[i].threads, device->roofs[LS_ROOF_FLOPS].value / 1e9, measured);
      g_assert_cmpfloat (s->lanes[0].facts->device->roofs[LS_ROOF_FLOPS].value, ==, 1e9 * rows[i].threads);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofs/idle", test_idle);
  g_test_add_func ("/roofs/going-on", test_going_on);
  g_test_add_func ("/roofs/once", test_once);
  g_test_add_func ("/roofs/other-threads", test_other_threads);
  return g_test_run ();
}
