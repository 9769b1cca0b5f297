/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See view_rig.h.
 */
#include "view_rig.h"

#include "scenario.h"

static void
count_cb (LsSession *session, guint *n)
{
  ++*n;
}

static void
message_cb (LsSession *session, const char *message, View *view)
{
  view->n_messages++;
  g_free (view->message);
  view->message = g_strdup (message);
}

View *
view_new (void)
{
  View *view = g_new0 (View, 1);

  view->session = ls_session_new ();
  view->session->mode = LS_SESSION_LIVE;
  g_signal_connect (view->session, "data", G_CALLBACK (count_cb), &view->n_data);
  g_signal_connect (view->session, "time", G_CALLBACK (count_cb), &view->n_time);
  g_signal_connect (view->session, "state", G_CALLBACK (count_cb), &view->n_states);
  g_signal_connect (view->session, "message", G_CALLBACK (message_cb), view);
  return view;
}

void
view_free (View *view)
{
  g_clear_pointer (&view->snapshot, ls_snapshot_unref);
  g_object_unref (view->session);
  g_free (view->message);
  g_free (view);
}
LsSnapshot *
again (const LsSnapshot *from)
{
  LsSnapshot *s = g_memdup2 (from, sizeof *from);

  s->ref_count = 1;
  s->serial++;
  s->plan = ls_plan_ref (from->plan);
  s->options = ls_options_copy (from->options);
  s->message = g_strdup (from->message);
  s->recording = from->recording != NULL ? ls_recording_ref (from->recording) : NULL;
  s->recording_message = g_strdup (from->recording_message);
  s->weights = NULL;
  s->agreement.weights_tensor = g_strdup (from->agreement.weights_tensor);
  for (guint i = 0; i < s->n_lanes; i++)
    {
      LsLaneSnapshot *lane = &s->lanes[i];
      lane->spec = ls_lane_spec_ref (lane->spec);
      lane->message = g_strdup (lane->message);
      lane->build = lane->build != NULL ? ls_build_ref (lane->build) : NULL;
      lane->facts = lane->facts != NULL ? ls_lane_facts_ref (lane->facts) : NULL;
      lane->curve = lane->curve != NULL ? ls_curve_ref (lane->curve) : NULL;
      lane->accuracies = lane->accuracies != NULL ? g_array_ref (lane->accuracies) : NULL;
      lane->kernels_message = g_strdup (lane->kernels_message);
      lane->evaluation = lane->evaluation != NULL ? ls_evaluation_ref (lane->evaluation) : NULL;
      lane->answer = NULL;
    }
  return s;
}

void
hand_over (View *view, LsSnapshot *snapshot)
{
  g_clear_pointer (&view->snapshot, ls_snapshot_unref);
  view->snapshot = ls_snapshot_ref (snapshot);
  ls_session_take_snapshot (view->session, snapshot);
}

LsSnapshot *
running (void)
{
  for (guint64 seed = 1;; seed++)
    {
      g_autoptr (LsScenario) s = ls_scenario_new (seed);
      const LsSnapshot *found = s->snapshot;

      if (found != NULL && found->n_lanes == 2 && found->recording == NULL && found->running
          && !found->agreement.disagree && found->lanes[0].state == LS_LANE_READY
          && found->lanes[1].state == LS_LANE_READY && found->lanes[0].steps >= 60
          && found->lanes[1].steps == found->lanes[0].steps && found->lanes[1].joined == 0)
        {
          LsSnapshot *copy = again (found);
          copy->target = 100000;
          return copy;
        }
    }
}
