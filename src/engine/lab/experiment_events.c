/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many events a recorded step has: what recording costs. The CPU lane is asked for more and more tiles of
 * an op, so that a step has more events; OpenCL's work-groups don't follow a wish, so it has one point.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

#include "lab/step.h"

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (1, 1024, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan
    = (LsLabPlan){ .spec = g_strdup (LS_LAB_MLP), .amount = 128, .option = "tiles-per-op", .recorded = TRUE };
}

const LsExperiment ls_experiment_events = {
  .name = "events",
  .title = N_("Events"),
  .about = N_("Events of a recorded step: what does watching cost?"),
  .column = N_("events"),
  .axis = N_("events of a recorded step; thin: the steps between, unrecorded"),
  .network = "mlp 784-256-128-10, batch 128",
  .unit = "samples/s",
  .sizes = sizes,
  .plan = plan,
  .law = LS_LAW_LINEAR,
  .fit_words = N_("%s µs a step and %s µs an event"),
};
