/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is told of a lane that comes: that its device is being opened, then which of its kernels are built,
 * then that it trains, and nothing of kernels any more; and what is built beside it for a recorded step.
 */
#include "retry_rig.h"

static gint opens, builds; /* atomic: open() and prepare() may go on */
static gint n_ops;         /* atomic: of the plan that is prepared */

static void
await (gint *go)
{
  while (!g_atomic_int_get (go))
    g_usleep (1000);
}

static gpointer
slow_open (const LsOptions *options, guint lane, GError **error)
{
  await (&opens);
  return ls_backend_reference.open (options, lane, error);
}

static gboolean
slow_prepare (gpointer lane, LsPlan *plan, LsData *set, GError **error)
{
  g_atomic_int_set (&n_ops, (gint) plan->n_ops);
  await (&builds);
  return ls_backend_reference.prepare (lane, plan, set, error);
}

/* Each time it is asked, one more is built, or another one is found that is to be. */
static enum { STAYS, BUILDS, FINDS } gets_on;

static void
progress (gpointer lane, guint *done, guint *total)
{
  static gint asked; /* atomic: whoever asks */

  *done = gets_on == BUILDS ? (guint) g_atomic_int_add (&asked, 1) + 1 : 3;
  *total = gets_on == BUILDS ? G_MAXUINT : gets_on == FINDS ? (guint) g_atomic_int_add (&asked, 1) + 14 : 14;
}

static LsBuild *
kernels (gpointer lane)
{
  const guint n = (guint) g_atomic_int_get (&n_ops);
  LsBuild *build = n > 0 ? ls_build_new (n) : NULL;

  if (build != NULL)
    {
      build->done = 3;
      build->total = 14;
    }
  return build;
}

static gboolean
record_waits (gpointer lane)
{
  return FALSE;
}

static const LsBackend *
slow_backend (void)
{
  static const LsBackendBuild build
    = { .progress = progress, .kernels = kernels, .record_waits = record_waits };
  static LsBackend row;

  row = ls_backend_reference;
  row.name = row.title = "slow";
  row.open = slow_open;
  row.prepare = slow_prepare;
  row.build = &build;
  return &row;
}

static void
test_told (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  c = start_lanes (options, slow_backend (), NULL, NULL);
  ls_coordinator_run (c, 20);
  s = await_state (c, 0, LS_LANE_OPENING);
  g_assert_null (s->lanes[0].build);
  g_assert_cmpuint (s->lanes[0].build_total, ==, 0);
  g_atomic_int_set (&opens, 1);
  do
    {
      g_clear_pointer (&s, ls_snapshot_unref);
      s = await_state (c, 0, LS_LANE_BUILDING);
  } while (s->lanes[0].build == NULL); /* it was just about to ask which there are */
  g_assert_cmpuint (s->lanes[0].build->n_ops, ==, s->plan->n_ops);
  g_assert_cmpuint (s->lanes[0].build->done, ==, 3);
  g_assert_cmpuint (s->lanes[0].build_done, ==, 3);
  g_assert_cmpuint (s->lanes[0].build_total, ==, 14);
  g_assert_cmpuint (s->lanes[0].steps, ==, 0);
  g_atomic_int_set (&builds, 1);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = finish (c);
  g_assert_cmpint (s->lanes[0].state, ==, LS_LANE_READY);
  g_assert_null (s->lanes[0].build);
  g_assert_cmpuint (s->lanes[0].build_total, ==, 0);
  g_assert_cmpuint (s->lanes[0].steps, ==, 20);
}

/* Its kernels are built some patiences later. */
static gpointer
later_main (gpointer nothing)
{
  g_usleep (700000);
  g_atomic_int_set (&builds, 1);
  return NULL;
}

/* A lane that builds kernels for longer than a hung one is waited for isn't left behind as long as it gets on
 * with it. */
static void
test_gets_on (void)
{
  for (gets_on = BUILDS; gets_on <= FINDS; gets_on++)
    {
      g_autoptr (LsOptions) options = tiny_options ();
      g_autoptr (LsCoordinator) c = NULL;
      g_autoptr (LsSnapshot) s = NULL;

      g_atomic_int_set (&opens, 1);
      g_atomic_int_set (&builds, 0);
      g_setenv ("LOCKSTEP_WATCHDOG_MS", "100", TRUE);
      c = start_lanes (options, slow_backend (), NULL, NULL);
      g_unsetenv ("LOCKSTEP_WATCHDOG_MS");
      ls_coordinator_run (c, 20);
      s = await_state (c, 0, LS_LANE_BUILDING);
      GThread *later = g_thread_new ("later", later_main, NULL);
      g_clear_pointer (&s, ls_snapshot_unref);
      s = finish (c);
      g_thread_join (later);
      if (s->lanes[0].state != LS_LANE_READY)
        g_error ("the lane that %s kernels is left behind: %s", gets_on == BUILDS ? "builds" : "finds",
                 s->lanes[0].message);
      g_assert_cmpuint (s->lanes[0].steps, ==, 20);
    }
  gets_on = STAYS;
}

/* What a recorded step needs is built once for each choice of kernels, so that the lane isn't asked for it
 * before it is there. */
static void
test_warmed_again (void)
{
  static const struct {
    const char *name, *value;
    gint builds;
  } rows[] = {
    { "kernel", "auto", 1 },     { "kernel", "tiled", 1 }, { "kernel", "auto", 0 }, { "tile-edge", "8", 1 },
    { "tile-edge", "auto", 0 },  { "tuned", "off", 1 },    { "tuned", "on", 0 },    { "fusion", "off", 1 },
    { "batch-from", "host", 1 }, { "fusion", "on", 1 },    { "fusion", "off", 0 },  { "check-every", "7", 0 },
    { "lr", "0.01", 0 },
  };
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = start_and_open (options, &fake_backend);
  LsRecording *newest = NULL;

  g_atomic_int_set (&fake.let_go, 1);
  ls_coordinator_run (c, LS_STEPS_ENDLESS);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gint before = g_atomic_int_get (&fake.warmed);
      g_autoptr (LsSnapshot) s = NULL;

      g_assert_true (ls_options_set (options, ls_options_find (rows[i].name), rows[i].value, NULL));
      ls_coordinator_configure (c, options);
      g_atomic_int_set (&fake.waits, 1);
      ls_coordinator_record_next (c, FALSE);
      s = wait_for_recording (c, newest);
      g_clear_pointer (&newest, ls_recording_unref);
      newest = ls_recording_ref (s->recording);
      if (g_atomic_int_get (&fake.warmed) != before + rows[i].builds)
        g_error ("with %s %s, which %s built, a recorded step’s kernels are built %d times more",
                 rows[i].name, rows[i].value, rows[i].builds > 0 ? "is still to be" : "has been",
                 g_atomic_int_get (&fake.warmed) - before);
      while (rows[i].builds > 0 && g_atomic_int_get (&fake.waits))
        g_usleep (1000);
    }
  ls_recording_unref (newest);
}

/* A short run that is over before the other lane has built its kernels, and is looked at meanwhile: no step
 * counts as one that was alone on the machine, and the rate says what it is of. */
static void
test_rate_beside (void)
{
  g_autoptr (LsOptions) options = tiny_options ();
  g_autoptr (LsCoordinator) c = NULL;
  g_autoptr (LsSnapshot) s = NULL;

  g_atomic_int_set (&opens, 1);
  g_atomic_int_set (&builds, 0);
  g_setenv ("LOCKSTEP_OVERDUE_MS", "1", TRUE);
  c = start_lanes (options, &ls_backend_reference, slow_backend (), NULL);
  ls_coordinator_run (c, 60);
  s = wait_for_steps (c, 60);
  g_assert_cmpuint (s->lanes[0].rate.n, ==, 0);
  g_atomic_int_set (&builds, 1);
  g_clear_pointer (&s, ls_snapshot_unref);
  s = finish (c);
  g_unsetenv ("LOCKSTEP_OVERDUE_MS");
  g_assert_cmpuint (s->lanes[0].steps, ==, 60);
  if (s->lanes[0].rate.n != 60 - LS_WARM_UP_STEPS)
    g_error ("%u steps were done beside another lane’s compiler, and the rate is told of %u of them",
             (guint) (60 - LS_WARM_UP_STEPS), (guint) s->lanes[0].rate.n);
  g_assert_cmpstr (s->lanes[0].rate.condition, ==, "beside another lane’s compiler");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/building/told", test_told);
  g_test_add_func ("/building/gets-on", test_gets_on);
  g_test_add_func ("/building/warmed-again", test_warmed_again);
  g_test_add_func ("/building/rate-beside", test_rate_beside);
  return g_test_run ();
}
