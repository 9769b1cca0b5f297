/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large the tiles are that a work-group shares in local memory: the edges that the rung “tiled” has. On
 * the CPU lane OpenBLAS chooses its blocks itself.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

#define N 512

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (8, 32, sizes);
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup_printf ("product\t%d", N),
                       .amount = 2e-9 * N * N * N,
                       .option = "tile-edge",
                       .with = "kernel=tiled",
                       .unless = N_("The edge of its tiles can’t be set.") };
}

const LsExperiment ls_experiment_edge = {
  .name = "edge",
  .title = N_("Tile edge"),
  .about = N_("Edge of a tile in local memory: how much does sharing it pay?"),
  .column = N_("edge"),
  .axis = N_("edge of a tile in local memory"),
  .network = "512×512 · 512×512, tiled",
  .unit = "GFLOP/s",
  .sizes = sizes,
  .plan = plan,
};
