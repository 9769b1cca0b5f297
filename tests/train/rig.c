/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the coordinator share: see rig.h.
 */
#include "rig.h"

#include <string.h>

LsOptions *
tiny_options (void)
{
  LsOptions *o = ls_options_new ();
  g_free (o->model);
  g_free (o->data);
  o->model = g_strdup (TINY);
  o->data = g_strdup ("moons");
  o->batch = 16;
  o->check_every = 10;
  o->lr = 0.1;
  /* The last test's, left behind while it opened. */
  for (guint i = 0; g_atomic_int_get (&fake.there) > 0 && i < 10000; i++)
    g_usleep (1000);
  g_assert_cmpint (g_atomic_int_get (&fake.there), ==, 0);
  memset (&fake, 0, sizeof fake);
  return o;
}

LsCoordinator *
start (LsOptions *options, const LsBackend *second)
{
  const LsBackend *backends[] = { &ls_backend_reference, second };
  g_autoptr (GError) error = NULL;
  LsCoordinator *c = ls_coordinator_new_with_backends (options, backends, second ? 2 : 1, &error);
  g_assert_no_error (error);
  g_assert_true (ls_coordinator_start (c, &error));
  g_assert_no_error (error);
  return c;
}

LsCoordinator *
start_and_open (LsOptions *options, const LsBackend *second)
{
  LsCoordinator *c = start (options, second);
  ls_coordinator_run (c, 0);
  g_assert_true (ls_coordinator_wait (c, 20000));
  return c;
}

LsSnapshot *
finish (LsCoordinator *c)
{
  /* a sanitizer takes a minute for what a lane measures of its device */
  const guint patience_ms = g_getenv ("LOCKSTEP_SANITIZED") != NULL ? 200000 : 20000;
  LsSnapshot *snapshot;
  g_assert_true (ls_coordinator_wait (c, patience_ms));
  snapshot = ls_coordinator_take (c);
  g_assert_nonnull (snapshot);
  return snapshot;
}

LsSnapshot *
wait_for_recording (LsCoordinator *c, const LsRecording *last)
{
  for (guint i = 0; i < 20000; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      if (s && s->recording && s->recording != last)
        return s;
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

LsSnapshot *
wait_for_steps (LsCoordinator *c, guint64 steps)
{
  for (guint i = 0; i < 20000; i++)
    {
      LsSnapshot *s = ls_coordinator_take (c);
      if (s && s->lanes[0].steps >= steps)
        return s;
      ls_snapshot_unref (s);
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

void
free_hanging (LsCoordinator *c)
{
  ls_coordinator_free (c);
  g_atomic_int_set (&fake.let_go, 1);
  while (!g_atomic_int_get (&fake.closed))
    g_usleep (1000);
}
