/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane that breaks when told to, and what the tests of retrying look at: see retry_rig.h.
 */
#include "retry_rig.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

Fragile fragile;

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

const LsBackend *
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

LsCoordinator *
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
LsSnapshot *
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

LsSnapshot *
run_to (LsCoordinator *c, guint64 steps)
{
  ls_coordinator_run (c, steps);
  return finish (c);
}

/* The lanes have reached their target: those opened anew join the others there. */
void
retry_at_rest (LsCoordinator *c)
{
  ls_coordinator_retry (c);
  g_assert_true (ls_coordinator_wait (c, 20000));
}

guint64
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

/* Both lanes have done `steps`, in step, and all points that both have are the same bits. No point of a
 * curve, missing ones included, is of an earlier time than the one before it. */
void
assert_agree (const LsSnapshot *s, guint64 steps)
{
  for (guint l = 0; l < 2; l++)
    {
      g_assert_cmpint (s->lanes[l].state, ==, LS_LANE_READY);
      g_assert_cmpstr (s->lanes[l].message, ==, NULL);
      g_assert_cmpuint (s->lanes[l].retry_step, ==, 0);
      g_assert_cmpuint (s->lanes[l].steps, ==, steps);
      for (guint64 i = 1; i < steps; i++)
        if (ls_curve_get (s->lanes[l].curve, i).end_ms < ls_curve_get (s->lanes[l].curve, i - 1).end_ms)
          g_error ("step %u of lane %u was over before the one before it", (guint) i + 1, l);
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
