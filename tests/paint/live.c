/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live.h"

#define ROUNDS 2000

void
live_run (const char *const (*set)[2], guint64 steps, gboolean (*seen) (LsSnapshot *, gpointer),
          gpointer user_data)
{
  const LsBackend *backends[] = { &ls_backend_cpu, &ls_backend_reference };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsCoordinator) coordinator = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  ls_options_set (options, ls_options_find ("data"), "spiral", &error);
  g_assert_no_error (error);
  for (guint i = 0; set[i][0] != NULL; i++)
    {
      ls_options_set (options, ls_options_find (set[i][0]), set[i][1], &error);
      g_assert_no_error (error);
    }
  coordinator = ls_coordinator_new_with_backends (options, backends, G_N_ELEMENTS (backends), &error);
  g_assert_no_error (error);
  ls_coordinator_run (coordinator, steps);
  ls_coordinator_record (coordinator);
  ls_coordinator_start (coordinator, &error);
  g_assert_no_error (error);
  for (guint round = 0; round < ROUNDS && !done; round++)
    {
      done = ls_coordinator_wait (coordinator, 20);
      g_autoptr (LsSnapshot) snapshot = ls_coordinator_take (coordinator);
      if (snapshot != NULL)
        done |= seen (snapshot, user_data);
    }
}
