/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many results are under way in each unit at once, of a kernel that waits for memory and of one that
 * computes: a unit is kept busy from so many on as pass while one is waited for (Little's law).
 */
#include "config.h"
#include "lab/experiment.h"

#include <glib/gi18n-lib.h>

static guint
sizes (const LsOptions *options, guint threads, guint *sizes)
{
  return ls_lab_powers (1, 1024, sizes);
}

static void
plan_loads (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup_printf ("flight\tloads\t%u", spot.x), .amount = 1 };
}

static void
plan_sums (const LsOptions *options, LsLabSpot spot, LsLabPlan *plan)
{
  *plan = (LsLabPlan){ .spec = g_strdup_printf ("flight\tsums\t%u", spot.x), .amount = 1 };
}

const LsExperiment ls_experiment_flight = {
  .name = "flight",
  .title = N_("Work in flight"),
  .about = N_("Loads under way in each core or unit: how many hide the wait for memory?"),
  .column = N_("in flight"),
  .axis = N_("loads under way in each core or unit"),
  .network = "chains of loads through 128 MiB",
  .unit = "loads/s",
  .sizes = sizes,
  .plan = plan_loads,
  .law = LS_LAW_IN_FLIGHT,
  .fit_words = N_("full at %s ± %s in each core or unit"),
};

const LsExperiment ls_experiment_flight_compute = {
  .name = "flight-compute",
  .title = N_("Work in flight, computing"),
  .about = N_("Multiply-adds under way in each core or unit: how many hide the wait for each other?"),
  .column = N_("in flight"),
  .axis = N_("multiply-adds under way in each core or unit"),
  .network = "chains of multiply-adds",
  .unit = "results/s",
  .sizes = sizes,
  .plan = plan_sums,
  .law = LS_LAW_IN_FLIGHT,
  .fit_words = N_("full at %s ± %s in each core or unit"),
};
