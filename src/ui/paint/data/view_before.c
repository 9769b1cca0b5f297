/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data of a run that was asked for and isn't there yet: what its options alone tell, as if its lanes were
 * just opening.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Lanes that --backends names; what it names wrongly is the run's to complain about. */
static guint
find_lanes (const char *backends, LsLaneSnapshot *lanes)
{
  g_auto (GStrv) names = g_strsplit (backends, ",", -1);
  guint n = 0;

  for (guint i = 0; names[i] != NULL && n < LS_MAX_LANES; i++)
    {
      const LsBackend *backend = ls_backend_find (g_strstrip (names[i]));
      if (backend != NULL)
        lanes[n++] = (LsLaneSnapshot){
          .backend = backend, .state = LS_LANE_OPENING, .loss = (float) NAN, .accuracy = (double) NAN
        };
    }
  return n;
}

LsViewData *
ls_view_data_before (const LsOptions *options)
{
  LsSnapshot now = { .running = TRUE, .options = (LsOptions *) options };
  gint64 shape[3];
  gint n_classes;
  g_autoptr (LsModel) model = ls_model_parse (options->model, NULL);
  g_autoptr (LsPlan) plan = NULL;
  LsViewData *data;

  if (model == NULL || !ls_data_shape (options->data, shape, &n_classes))
    return NULL;
  plan = ls_plan_new (model, shape, n_classes, (guint) options->batch, (LsOptimizer) options->optimizer,
                      NULL);
  now.plan = plan;
  now.n_lanes = find_lanes (options->backends, now.lanes);
  if (plan == NULL || now.n_lanes == 0)
    return NULL;
  data = ls_view_data_from_snapshot (&now, NULL, NULL);
  g_free (data->when);
  data->when = g_strdup (_("getting ready"));
  return data;
}
