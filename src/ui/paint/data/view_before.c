/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data of a run that was asked for and isn't there yet: what its options alone tell, as if its lanes were
 * just opening.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Lanes that --lanes names; what it names wrongly is the run's to complain about. */
static guint
find_lanes (const GPtrArray *specs, LsLaneSnapshot *lanes)
{
  for (guint i = 0; specs != NULL && i < specs->len; i++)
    lanes[i] = (LsLaneSnapshot){
      .spec = specs->pdata[i], .state = LS_LANE_OPENING, .loss = (float) NAN, .accuracy = (double) NAN
    };
  return specs != NULL ? specs->len : 0;
}

LsViewData *
ls_view_data_before (const LsOptions *options)
{
  LsSnapshot now = { .running = TRUE, .options = (LsOptions *) options };
  gint64 shape[3];
  gint n_classes;
  g_autoptr (LsModel) model = ls_model_parse (options->model, NULL);
  g_autoptr (LsPlan) plan = NULL;
  g_autoptr (GPtrArray) specs = ls_lane_specs_new (options, NULL);
  LsViewData *data;

  if (model == NULL || !ls_data_shape (options->data, shape, &n_classes))
    return NULL;
  plan = ls_plan_new (model, shape, n_classes, (guint) options->batch, (LsOptimizer) options->optimizer,
                      NULL);
  now.plan = plan;
  now.n_lanes = find_lanes (specs, now.lanes);
  if (plan == NULL || now.n_lanes == 0)
    return NULL;
  data = ls_view_data_from_snapshot (&now, NULL, NULL);
  g_free (data->when);
  data->when = g_strdup (_("getting ready"));
  return data;
}
