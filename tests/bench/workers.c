/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of workers, and a lane with a single op: a plan that has nothing else.
 */
#include "config.h"
#include "workers.h"

#include "work.h"

static gboolean
prepare (gpointer self, const char *spec, char **how, GError **error)
{
  LsData *data = NULL;
  LsPlan *plan;

  if (g_str_has_prefix (spec, "step"))
    return ls_lab_workers[0]->prepare (self, spec, how, error);
  plan = ls_work_plan (spec, &data, LS_OPTIMIZER_SGD, 1, error);
  return ls_lab_lane_take (self, plan, data, how, error);
}

const LsLabWorker *const *
ls_workers (void)
{
  static LsLabWorker lanes[2];
  static const LsLabWorker *const workers[] = { &lanes[0], &lanes[1], &ls_lab_worker_openblas, NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (lanes); i++)
    {
      lanes[i] = *ls_lab_workers[i];
      lanes[i].prepare = prepare;
    }
  return workers;
}
