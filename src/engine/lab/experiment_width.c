/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How wide the hidden layers are: the larger the products, the more of the arithmetic a device can show.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

#define BATCH 128

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (64, 4096, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){
    .spec = g_strdup_printf ("step\tflatten, dense %u, relu, dense %u, relu, dense 10\tmnist\t%d", spot.x,
                             spot.x, BATCH),
    .amount = BATCH,
  };
}

const LsExperiment ls_experiment_width = {
  .name = "width",
  .title = N_("Width"),
  .about = N_("Units of each hidden layer: who is faster with large products?"),
  .column = N_("width"),
  .axis = N_("units of each hidden layer, N"),
  .network = "mlp 784-N-N-10, batch 128",
  .unit = "samples/s",
  .sizes = sizes,
  .plan = plan,
};
