/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast the OpenCL lane steps, and what recording a step costs: bench-opencl [MODEL [BATCH [OPTION
 * VALUE]…]].
 */
#include "config.h"
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

#include "backends/opencl/child/discovery.h"
#include "core/figure.h"

#define STEPS 200u

static double
record_one (RigLane *lane, guint step, guint64 *n_events)
{
  LsRunResult result = { 0 };
  g_autoptr (LsTrace) trace = rig_lane_record (lane, step, &result);
  *n_events = trace->rings[0].n;
  return (double) (result.end_ns - result.start_ns) / 1e3;
}

static double
run_one (RigLane *lane, guint step)
{
  float loss;
  guint64 start_ns = ls_clock_ns ();
  if (!rig_lane_run (lane, step, 1, &loss, NULL))
    exit (1);
  return (double) (ls_clock_ns () - start_ns) / 1e3;
}

int
main (int argc, char **argv)
{
  const gint64 shape[3] = { 1, 28, 28 };
  const char *model = argc > 1 ? argv[1] : "mlp";
  guint64 n_events = 0;
  double plain[STEPS], recorded[STEPS];
  float losses[STEPS];
  gint64 start_us;
  g_autoptr (LsPlan) plan = NULL;
  g_autoptr (LsData) data = rig_data (4096, shape, 10);
  g_autoptr (RigLane) lane = NULL;
  LsFigure p, r;

  if (argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0)
    return ls_cl_child_main (argc, argv);
  plan = rig_plan (model, shape, 10, argc > 2 ? (guint) atoi (argv[2]) : 128, LS_OPTIMIZER_SGD);
  start_us = g_get_monotonic_time ();
  lane = argc > 4 ? rig_lane_new (&ls_backend_opencl_here, plan, data, argv[3], argv[4], NULL)
                  : rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  g_print ("open and prepare: %.0f ms\n", (double) (g_get_monotonic_time () - start_us) / 1e3);
  for (guint i = 0; i < plan->n_ops; i++)
    g_print ("  %-40s %-20s leader %u grid %u×%u\n", plan->ops[i].equation,
             lane->backend->tilings (lane->instance)[i].kernel,
             lane->backend->tilings (lane->instance)[i].leader,
             lane->backend->tilings (lane->instance)[i].grid_rows,
             lane->backend->tilings (lane->instance)[i].grid_cols);
  record_one (lane, 0, &n_events);
  for (guint i = 0; i < STEPS; i++)
    {
      plain[i] = run_one (lane, i);
      recorded[i] = record_one (lane, i, &n_events);
    }
  p = ls_figure_of_samples (plain, STEPS, "µs");
  r = ls_figure_of_samples (recorded, STEPS, "µs");
  g_print ("one step: %.1f µs (%.1f–%.1f), recorded %.1f µs (%.1f–%.1f): %+.1f %%, %u events\n", p.value,
           p.q1, p.q3, r.value, r.q1, r.q3, 100 * (r.value / p.value - 1), (guint) n_events);
  start_us = g_get_monotonic_time ();
  if (!rig_lane_run (lane, 0, STEPS, losses, NULL))
    return 1;
  g_print ("%u steps in one run: %.1f µs a step; losses %g … %g\n", STEPS,
           (double) (g_get_monotonic_time () - start_us) / STEPS, (double) losses[0],
           (double) losses[STEPS - 1]);
  return 0;
}
