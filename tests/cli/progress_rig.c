/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See progress_rig.h.
 */
#include "progress_rig.h"

Run *
run_new (guint n_lanes, guint64 target)
{
  Run *run = g_new0 (Run, 1);

  run->options = ls_options_new ();
  run->s = (LsSnapshot){ .n_lanes = n_lanes, .target = target, .time_ns = 1 };
  run->s.lanes[0] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (run->options, &ls_backend_cpu) };
  run->s.lanes[1] = (LsLaneSnapshot){ .spec = ls_lane_spec_of_backend (run->options, &ls_backend_opencl) };
  run->progress = ls_progress_new ();
  return run;
}

void
run_free (Run *run)
{
  ls_progress_free (run->progress);
  for (guint i = 0; i < 2; i++)
    {
      ls_lane_spec_unref (run->s.lanes[i].spec);
      g_clear_pointer (&run->s.lanes[i].build, ls_build_unref);
      g_clear_pointer (&run->s.lanes[i].facts, ls_lane_facts_unref);
    }
  ls_options_free (run->options);
  g_free (run);
}
void
trains (LsLaneSnapshot *lane, guint64 steps, float loss)
{
  lane->state = LS_LANE_READY;
  lane->steps = steps;
  lane->loss = loss;
}

void
update (const Run *run)
{
  ls_progress_update (run->progress, &run->s);
}

LsBuild *
build_of (guint done)
{
  LsBuild *build = ls_build_new (4);

  build->total = 3;
  build->done = done;
  build->left_s = 2.2;
  for (guint i = 0; i < 3; i++)
    build->ops[i] = (LsOpBuild){ .state = i < done    ? LS_BUILD_DONE
                                          : i == done ? LS_BUILD_RUNNING
                                                      : LS_BUILD_TO_COME,
                                 .kernel = i == 1 ? "gemm_packed" : "relu",
                                 .same_as = -1 };
  return build;
}

LsFigure
rate_of (double value, guint64 n)
{
  return (LsFigure){ value, "samples/s", LS_EVIDENCE_MEASURED, n, value * .9, value * 1.1, 3, NULL };
}
