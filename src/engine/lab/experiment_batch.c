/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many samples in a step: what a step costs however few they are, and what a sample costs.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (1, 4096, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup_printf ("step\tmlp\tmnist\t%u", spot.x), .amount = spot.x };
}

const LsExperiment ls_experiment_batch = {
  .name = "batch",
  .title = N_("Batch"),
  .about = N_("Samples in a step: when does a device have enough to do?"),
  .column = N_("batch"),
  .axis = N_("samples in a step"),
  .network = "mlp 784-256-128-10",
  .unit = "samples/s",
  .sizes = sizes,
  .plan = plan,
  .law = LS_LAW_LINEAR,
  .fit_words = N_("%s µs a step and %s µs a sample"),
};
