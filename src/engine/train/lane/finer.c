/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recorded step once more, cut finer: where two workers share eight tiles, a picture of them shows neither
 * order nor time. The step is done before the one that counts, from the same weights on the same batch, and
 * then taken back: weights and states are those of before when the step as trained begins. What both left
 * behind is compared bit by bit.
 */
#include "config.h"
#include "train/lane/lane.h"

#include <string.h>

/* The largest product has few tiles. A backend whose tiles no option wishes for has none to cut finer. */
static gboolean
is_coarse (const LsLane *lane, const LsTiling *tilings)
{
  const LsPlan *plan = lane->plan;
  guint largest = 0;

  if (lane->backend != &ls_backend_cpu || plan->n_ops == 0 || lane->options == NULL)
    return FALSE;
  for (guint i = 1; i < plan->n_ops; i++)
    if (plan->ops[i].flops > plan->ops[largest].flops)
      largest = i;
  const LsTiling *t = &tilings[tilings[largest].leader];
  return (guint64) t->grid_rows * t->grid_cols * MAX (t->splits, 1) < LS_FINER_LEAST;
}

static LsRecordedCut *
record (LsLane *lane, const LsRun *as_trained, GError **error)
{
  g_autoptr (LsTrace) trace = NULL;
  LsRun run = *as_trained;
  LsRunResult result = { 0 };
  guint n_rings;
  guint32 capacity;

  lane->backend->trace_size (lane->instance, &n_rings, &capacity);
  run.trace = trace = ls_trace_new (lane->number, n_rings, capacity, error);
  if (trace == NULL || !lane->backend->run (lane->instance, &run, &result, error))
    return NULL;
  return ls_recorded_cut_new (lane->backend->tilings (lane->instance), lane->plan->n_ops,
                              ls_trace_collect (trace), result.start_ns, result.end_ns);
}

LsRecordedCut *
ls_lane_cut_finer (LsLane *lane, const LsRun *run, GPtrArray **left, GError **error)
{
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (LsRecordedCut) cut = NULL;
  g_autoptr (LsOptions) options = NULL;
  gboolean good;

  *left = NULL;
  if (!is_coarse (lane, lane->backend->tilings (lane->instance)))
    return NULL;
  /* without memory for it there is no such picture, and training goes on */
  before = ls_checkpoint_new (lane->plan, NULL);
  *left = before != NULL ? ls_checkpoint_new (lane->plan, NULL) : NULL;
  if (*left == NULL)
    return NULL;
  options = ls_options_copy (lane->options);
  options->tiles = LS_FINER_TILES;
  if (!ls_lane_save (lane, before, error) || !lane->backend->configure (lane->instance, options, error))
    return NULL;
  cut = record (lane, run, error);
  good = cut != NULL && ls_lane_save (lane, *left, error);
  if (!lane->backend->configure (lane->instance, lane->options, good ? error : NULL) || !good)
    return NULL;
  return ls_lane_load (lane, before, error) ? g_steal_pointer (&cut) : NULL;
}

gboolean
ls_lane_is_at (LsLane *lane, const GPtrArray *checkpoint)
{
  g_autoptr (GPtrArray) now = ls_checkpoint_new (lane->plan, NULL);
  const LsPlan *plan = lane->plan;
  guint at = 0;

  if (now == NULL || !ls_lane_save (lane, now, NULL))
    return FALSE;
  for (guint p = 0; p < plan->n_params; p++)
    for (guint s = 0; s <= plan->params[p].n_state; s++, at++)
      {
        const guint tensor = s == 0 ? plan->params[p].weight : plan->params[p].state[s - 1];
        if (memcmp (now->pdata[at], checkpoint->pdata[at], ls_tensor_bytes (&plan->tensors[tensor])) != 0)
          return FALSE;
      }
  return TRUE;
}
