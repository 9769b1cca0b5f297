/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots of a run that nobody ran: of a CPU lane and an OpenCL lane on the same two cores.
 */
#pragma once

#include <math.h>

#include "tests/paint/fixture.h"

static inline LsRecording *
recording_of (guint groups, guint64 step)
{
  const LsFixture f
    = { LS_CORES (2), .batch = 64, .tiles = 16, .groups = groups, .on_cpu = TRUE, .steps = 60 };
  LsRecording *recording = ls_fixture_recording (&f);

  recording->step = step;
  return recording;
}

static inline LsCurve *
curve_of (guint n)
{
  LsCurve *curve = ls_curve_new ();

  for (guint i = 0; i < n; i++)
    ls_curve_append (curve, (LsPoint){ .end_ms = i + 1, .step_us = 500, .loss = 1.f / (float) (i + 1) });
  return curve;
}

static inline LsLaneFacts *
facts_of (const LsRecordedLane *lane, guint n_ops)
{
  LsLaneFacts *facts = g_atomic_rc_box_new0 (LsLaneFacts);

  facts->device = ls_device_info_copy (lane->device);
  facts->tilings = g_memdup2 (lane->tilings, sizeof (LsTiling) * n_ops);
  return facts;
}

/* Both lanes have done `steps`; the recording's device facts are those of `of`, which has both. */
static inline LsSnapshot *
snapshot_of (LsRecording *recording, const LsRecording *of, guint steps)
{
  const gint64 shape[3] = { 1, 28, 28 };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 256, relu, dense 128, relu, dense 10", NULL);
  LsSnapshot *s = g_new0 (LsSnapshot, 1);

  s->ref_count = 1;
  s->plan = ls_plan_new (model, shape, 10, 64, LS_OPTIMIZER_SGD, NULL);
  s->options = ls_options_new ();
  s->running = TRUE;
  s->target = G_MAXUINT64;
  s->steps_per_epoch = 20;
  s->n_lanes = 2;
  s->recording = recording != NULL ? ls_recording_ref (recording) : NULL;
  for (guint i = 0; i < 2; i++)
    s->lanes[i] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (s->options, i == 0 ? &ls_backend_cpu
                                                                                        : &ls_backend_opencl),
                                    .state = LS_LANE_READY,
                                    .steps = steps,
                                    .curve = curve_of (steps),
                                    .facts = facts_of (&of->lanes[i], of->n_ops),
                                    .accuracy = (double) NAN };
  return s;
}
