/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the session has something measured or tuned, and what of its run waits for that: those who train, and
 * the laboratory, are played.
 */
#include <string.h>

#include "lanes_rig.h"
#include "ui/app/session/session_tune.h"

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer done)
{
  g_autoptr (LsLabResult) found = ls_session_lab_finish (LS_SESSION (source), result, NULL);

  *(gboolean *) done = found == NULL;
}

static void
tuned_cb (GObject *source, GAsyncResult *result, gpointer done)
{
  g_autoptr (LsTuneResult) found = ls_session_tune_finish (LS_SESSION (source), result, NULL);

  *(gboolean *) done = found == NULL;
}

/* Neither is anything measured nor tuned while a lane is still coming, which would take part in it: not
 * before it is known where they are, nor while one opens or builds; then it is. */
static void
test_waits_for_lanes (void)
{
  static const LsLaneState coming[] = { LS_LANE_OPENING, LS_LANE_BUILDING, LS_LANE_READY };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (coming); i++)
    {
      const gboolean tune = i % 2, unknown = coming[i / 2] == LS_LANE_READY;
      View *view = lanes_view ();
      LsSession *self = view->session;
      LsSnapshot *s = again (view->snapshot);
      gboolean done = FALSE;

      s->lanes[1].state = coming[i / 2];
      hand_over (view, s);
      g_object_unref (tune ? ls_session_tune (self, NULL, tuned_cb, &done)
                           : ls_session_lab (self, &ls_experiment_batch, FALSE, NULL, measured_cb, &done));
      if (unknown)
        g_clear_pointer (&self->snapshot, ls_snapshot_unref);
      for (guint ms = 0; ms < 150; ms++)
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (1000);
        }
      if (lanes.told->len > 0)
        g_error ("“%s” is told while %s", lanes.told->str,
                 unknown ? "nobody knows where the lanes are" : "a lane is still coming");
      hand_over (view, running ());
      while (!done)
        g_main_context_iteration (NULL, TRUE);
      lanes_assert_told (tune ? "tune" : "measure batch");
      lanes_done (view);
    }
}

/* A run that is still being made when a measurement has ended trains once it is made, if it was to. */
static void
test_made_later (void)
{
  for (guint played = 0; played < 2; played++)
    {
      View *view = lanes_view ();
      LsSession *self = view->session;
      g_autoptr (LsOptions) options = ls_options_new ();
      g_autoptr (GCancellable) cancel = g_cancellable_new ();
      gboolean done = FALSE;

      memset (&lanes.runs, 0, sizeof lanes.runs);
      lanes.runs.held = (gint) options->seed;
      ls_session_train (self, options);
      ls_session_set_playing (self, played);
      g_object_unref (ls_session_lab (self, &ls_experiment_batch, FALSE, cancel, measured_cb, &done));
      g_assert_false (ls_session_playing (self));
      g_cancellable_cancel (cancel); /* it would wait for the run */
      while (!done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (ls_session_mode (self), ==, LS_SESSION_STARTING);
      if (ls_session_playing (self) != (gboolean) played)
        g_error ("a run that %s when it is made %s", played ? "was to train" : "was to rest",
                 played ? "rests" : "trains");
      g_atomic_int_set (&lanes.runs.held, 0);
      lanes_wait_made (view);
      lanes_done (view);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-measures/waits-for-lanes", test_waits_for_lanes);
  g_test_add_func ("/session-measures/made-later", test_made_later);
  return g_test_run ();
}
