/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One backend training by itself for the benchmark: the same calls as a lane of `train` makes, in turns of as many steps,
 * and the same rule for a step's time: its turn's, shared out evenly, since a device tells of ends in bunches.
 */
#include "ui/cli/bench.h"

#define TURN 8      /* steps handed over at once: some milliseconds, as in `train` */

void
ls_bench_lane_free (LsBenchLane *lane)
{
  if (lane == NULL)
    return;
  if (lane->self != NULL)
    lane->backend->close (lane->self);
  g_clear_pointer (&lane->batcher, ls_batcher_free);
  g_clear_pointer (&lane->plan, ls_plan_unref);
  g_clear_pointer (&lane->data, ls_data_unref);
  g_free (lane);
}

static gboolean
write_weights (LsBenchLane *lane, guint64 seed, GError **error)
{
  for (guint p = 0; p < lane->plan->n_params; p++)
    {
      guint weight = lane->plan->params[p].weight;
      g_autofree float *values = g_new (float, ls_tensor_count (&lane->plan->tensors[weight]));

      ls_plan_init_param (lane->plan, p, seed, values);
      if (!lane->backend->write (lane->self, weight, values, error))
        return FALSE;
    }
  return TRUE;
}

LsBenchLane *
ls_bench_lane_new (const LsBackend *backend, const LsOptions *options, LsPlan *plan, LsData *data, GError **error)
{
  g_autoptr (LsBenchLane) lane = g_new0 (LsBenchLane, 1);

  lane->backend = backend;
  lane->plan = ls_plan_ref (plan);
  lane->data = ls_data_ref (data);
  lane->hyper = (LsHyper) { options->lr, options->momentum, 0.9, 0.999, 1e-8, 0 };
  lane->batcher = ls_batcher_new (data->train.n, plan->batch, (LsOrder) options->order, (guint64) options->seed, error);
  if (lane->batcher == NULL || (lane->self = backend->open (options, 0, error)) == NULL ||
      !backend->prepare (lane->self, plan, data, error) || !write_weights (lane, (guint64) options->seed, error))
    return NULL;
  return g_steal_pointer (&lane);
}

/* Runs n ≤ TURN steps; *us: what each took. */
static gboolean
run_turn (LsBenchLane *lane, guint n, LsTrace *trace, double *us, GError **error)
{
  g_autofree guint32 *index = g_new (guint32, (gsize) n * lane->plan->batch);
  guint64 ends[TURN];
  LsBatch batches[TURN];
  LsHyper hyper[TURN];
  float losses[TURN];
  LsRun run = { 0, lane->plan->n_ops, n, batches, hyper, TRUE, trace };
  LsRunResult result = { .step_end_ns = ends, .losses = losses };

  for (guint i = 0; i < n; i++)
    {
      guint32 *positions = index + (gsize) i * lane->plan->batch;

      ls_batcher_get (lane->batcher, lane->step + i, positions);
      batches[i] = (LsBatch) { &lane->data->train, positions, lane->plan->batch };
      hyper[i] = lane->hyper;
      hyper[i].step = lane->step + i + 1;
    }
  if (!lane->backend->run (lane->self, &run, &result, error))
    return FALSE;
  *us = (double) (ends[n - 1] - result.start_ns) / 1e3 / n;
  lane->step += n;
  return TRUE;
}

gboolean
ls_bench_lane_train (LsBenchLane *lane, double seconds, GArray *times, GError **error)
{
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);
  double us;

  while (ls_clock_ns () < until)
    {
      if (!run_turn (lane, TURN, NULL, &us, error))
        return FALSE;
      for (guint i = 0; i < TURN; i++)
        g_array_append_val (times, us);
    }
  return TRUE;
}

gboolean
ls_bench_lane_record (LsBenchLane *lane, double seconds, GArray *plain, GArray *recorded, guint *events, GError **error)
{
  const guint64 until = ls_clock_ns () + (guint64) (seconds * 1e9);
  double us;
  guint n_rings;
  guint32 capacity;
  g_autoptr (LsTrace) trace = NULL;

  lane->backend->trace_size (lane->self, &n_rings, &capacity);
  trace = ls_trace_new (0, n_rings, capacity, error);
  if (trace == NULL)
    return FALSE;
  while (ls_clock_ns () < until)
    {
      if (!run_turn (lane, 1, NULL, &us, error))
        return FALSE;
      g_array_append_val (plain, us);
      ls_trace_reset (trace);
      if (!run_turn (lane, 1, trace, &us, error))
        return FALSE;
      g_array_append_val (recorded, us);
    }
  *events = 0;
  for (guint r = 0; r < trace->n_rings; r++)
    *events += trace->rings[r].n;
  return TRUE;
}
