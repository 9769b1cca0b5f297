/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large the matrices of one product are: from which size on is a device kept busy?
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (64, 4096, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup_printf ("product\t%u", spot.x),
                       .amount = 2e-9 * spot.x * spot.x * spot.x };
}

const LsExperiment ls_experiment_size = {
  .name = "size",
  .title = N_("Matrix size"),
  .about = N_("Rows and columns of one product: from which size on is a device kept busy?"),
  .column = N_("n"),
  .axis = N_("rows and columns of both matrices, n"),
  .network = "n×n · n×n",
  .unit = "GFLOP/s",
  .sizes = sizes,
  .plan = plan,
  .law = LS_LAW_HALF_SPEED,
  .fit_words = N_("half of the speed at n = %s ± %s"),
};
