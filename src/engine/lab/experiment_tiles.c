/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Into how many tiles the CPU lane cuts an op: too few leave workers idle at its end, too many cost more than
 * they do. OpenCL's work-groups don't follow a wish.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

#include "lab/step.h"

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (1, 256, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup (LS_LAB_MLP),
                       .amount = 128,
                       .option = "tiles-per-op",
                       .unless = N_("Its work-groups can’t be asked for a number.") };
}

const LsExperiment ls_experiment_tiles = {
  .name = "tiles",
  .title = N_("Tiles per op"),
  .about = N_("Tiles that an op is cut into: how many are enough, how many too many?"),
  .column = N_("tiles"),
  .axis = N_("tiles that each op is asked to be cut into"),
  .network = "mlp 784-256-128-10, batch 128",
  .unit = "samples/s",
  .sizes = sizes,
  .plan = plan,
};
