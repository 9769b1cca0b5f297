/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "train/snapshot.h"

#include "core/rc_box.h"
#include "train/lane/lane.h"

static void
held_clear (gpointer data)
{
  LsHeldWeights *weights = data;
  ls_params_free (weights->values, weights->plan);
  ls_plan_unref (weights->plan);
}

LS_RC_BOX (LsHeldWeights, ls_held_weights, held_clear)

static void
facts_clear (gpointer data)
{
  LsLaneFacts *facts = data;
  ls_device_info_free (facts->device);
  g_free (facts->tilings);
}

LS_RC_BOX (LsLaneFacts, ls_lane_facts, facts_clear)

LsSnapshot *
ls_snapshot_ref (LsSnapshot *snapshot)
{
  g_atomic_int_inc (&snapshot->ref_count);
  return snapshot;
}

void
ls_snapshot_unref (LsSnapshot *snapshot)
{
  if (snapshot == NULL || !g_atomic_int_dec_and_test (&snapshot->ref_count))
    return;
  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      g_clear_pointer (&snapshot->lanes[i].spec, ls_lane_spec_unref);
      g_free (snapshot->lanes[i].message);
      ls_build_unref (snapshot->lanes[i].build);
      g_clear_pointer (&snapshot->lanes[i].facts, ls_lane_facts_unref);
      g_free (snapshot->lanes[i].kernels_message);
      ls_curve_unref (snapshot->lanes[i].curve);
      g_clear_pointer (&snapshot->lanes[i].accuracies, g_array_unref);
      ls_evaluation_unref (snapshot->lanes[i].evaluation);
      ls_answer_unref (snapshot->lanes[i].answer);
    }
  g_free (snapshot->agreement.weights_tensor);
  g_free (snapshot->message);
  g_free (snapshot->recording_message);
  g_clear_pointer (&snapshot->recording, ls_recording_unref);
  g_clear_pointer (&snapshot->weights, ls_held_weights_unref);
  ls_options_free (snapshot->options);
  ls_plan_unref (snapshot->plan);
  g_free (snapshot);
}

gboolean
ls_snapshot_ended (const LsSnapshot *snapshot)
{
  gboolean any = FALSE;

  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      const gboolean coming = lane->state == LS_LANE_OPENING || lane->state == LS_LANE_BUILDING;
      if ((coming && !lane->overdue)
          || (lane->state == LS_LANE_READY && MIN (lane->steps, lane->accuracy_step) < snapshot->target))
        return FALSE;
      any |= lane->state == LS_LANE_READY;
    }
  return any && snapshot->target > 0 && snapshot->target < LS_CURVE_MAX;
}
