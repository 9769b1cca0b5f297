/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many threads share an op. How many PoCL has can only be said when it starts, so each lane is opened
 * anew; a device that can't be told has no points.
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

#include "lab/step.h"

/* All up to eight, then every other power. */
static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  guint n = 0;

  for (guint size = 1; size <= threads && n < LS_LAB_MAX_SIZES;
       size = size < 8 || size == threads ? size + 1 : MIN (2 * size, threads))
    sizes[n++] = size;
  return n;
}

static void
plan (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup (LS_LAB_MLP), .amount = 128, .threads = spot.x };
}

const LsExperiment ls_experiment_threads = {
  .name = "threads",
  .title = N_("Threads"),
  .about = N_("Threads that share an op: how much faster is a step on all of them?"),
  .column = N_("threads"),
  .axis = N_("threads; OpenCL: compute units"),
  .network = "mlp 784-256-128-10, batch 128",
  .unit = "samples/s",
  .sizes = sizes,
  .plan = plan,
  .of_threads = TRUE,
  .law = LS_LAW_AMDAHL,
  .fit_words = N_("serial share %s ± %s"),
};
