/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane does when told: open, train, evaluate, read weights. All on the lane's own thread.
 */
#include "config.h"
#include "train/lane/lane.h"

/* A recorded step keeps this much of a lane's tensors: events are the point, values the illustration. */
#define RECORD_TENSOR_BYTES (32u << 20)

static gboolean
write_params (LsLane *lane, GError **error)
{
  for (guint i = 0; i < lane->plan->n_params; i++)
    if (!lane->backend->write (lane->instance, lane->plan->params[i].weight, lane->params[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
read_params (LsLane *lane, GError **error)
{
  for (guint i = 0; i < lane->plan->n_params; i++)
    if (!lane->backend->read (lane->instance, lane->plan->params[i].weight, lane->params[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
open_lane (LsLane *lane, GError **error)
{
  lane->written = FALSE;
  lane->stored = ls_plan_with_precision (lane->plan, (LsPrecision) lane->options->precision);
  lane->instance = lane->backend->open (lane->options, lane->number, error);
  if (lane->instance == NULL)
    return FALSE;
  lane->scale = ls_loss_scale_first (lane->stored->precision == LS_PRECISION_FP16);
  g_atomic_int_set (&lane->phase, LS_LANE_BUILDING);
  if (lane->request.kernels != NULL && lane->backend->edit != NULL
      && !lane->backend->edit->reload (lane->instance, lane->request.kernels, error))
    return FALSE;
  if (!lane->backend->prepare (lane->instance, lane->stored, lane->data, error)
      || !write_params (lane, error))
    return FALSE;
  g_atomic_int_set (&lane->phase, LS_LANE_READY);
  return TRUE;
}

void
ls_lane_record_free (LsLaneRecord *record, const LsPlan *plan)
{
  if (record == NULL)
    return;
  g_clear_pointer (&record->events, g_array_unref);
  g_clear_pointer (&record->off_core, g_array_unref);
  ls_recorded_cut_unref (record->finer);
  for (guint i = 0; record->values && i < plan->n_tensors; i++)
    g_free (record->values[i]);
  for (guint i = 0; record->before && i < plan->n_tensors; i++)
    g_free (record->before[i]);
  g_free (record->values);
  g_free (record->before);
  g_free (record);
}

LsLaneRecord *
ls_lane_record_copy (const LsLaneRecord *record, const LsPlan *plan)
{
  LsLaneRecord *copy = g_memdup2 (record, sizeof *record);

  copy->events = g_array_copy (record->events);
  copy->off_core = record->off_core != NULL ? g_array_ref (record->off_core) : NULL;
  if (record->finer != NULL)
    {
      copy->finer = ls_recorded_cut_new (record->finer->tilings, plan->n_ops,
                                         g_array_copy (record->finer->events), record->finer->start_ns,
                                         record->finer->end_ns);
      copy->finer->same = record->finer->same;
    }
  copy->values = g_new0 (void *, plan->n_tensors);
  for (guint i = 0; record->values && i < plan->n_tensors; i++)
    copy->values[i] = g_memdup2 (record->values[i], MAX (ls_tensor_bytes (&plan->tensors[i]), 1));
  copy->before = g_new0 (void *, plan->n_tensors);
  for (guint i = 0; record->before && i < plan->n_tensors; i++)
    copy->before[i] = g_memdup2 (record->before[i], MAX (ls_tensor_bytes (&plan->tensors[i]), 1));
  return copy;
}

/* Keeps tensors by role until the budget is used: what the pictures need most comes first. Intermediates that
 * a fused op didn't write are left out; views are in their bases. Gradients of activations are kept as they
 * are without the step's scale, as other lanes have them. */
static gboolean
keep_tensors (LsLane *lane, LsLaneRecord *record, double factor, GError **error)
{
  static const LsRole order[] = { LS_ROLE_LOSS,     LS_ROLE_LABEL,      LS_ROLE_WEIGHT, LS_ROLE_INPUT,
                                  LS_ROLE_GRADIENT, LS_ROLE_ACTIVATION, LS_ROLE_DELTA };
  const LsPlan *plan = lane->plan;
  const LsTiling *tilings = lane->backend->tilings (lane->instance);
  g_autofree gboolean *skipped = g_new0 (gboolean, plan->n_tensors);
  gsize left = RECORD_TENSOR_BYTES;

  for (guint i = 0; i < plan->n_ops; i++)
    if (lane->request.fuse && ls_plan_hands_over (plan, tilings, i))
      skipped[plan->ops[i].out[0]] = TRUE;
  record->values = g_new0 (void *, plan->n_tensors);
  for (gsize r = 0; r < G_N_ELEMENTS (order); r++)
    for (guint i = 0; i < plan->n_tensors; i++)
      {
        gsize bytes = ls_tensor_bytes (&plan->tensors[i]);
        if (plan->tensors[i].role != order[r] || plan->tensors[i].is_view || skipped[i] || bytes > left)
          continue;
        record->values[i] = g_try_malloc (MAX (bytes, 1));
        if (record->values[i] == NULL)
          continue;
        if (!lane->backend->read (lane->instance, i, record->values[i], error))
          return FALSE;
        if (order[r] == LS_ROLE_DELTA && factor > 0)
          for (gint64 k = 0; k < ls_tensor_count (&plan->tensors[i]); k++)
            ((float *) record->values[i])[k] /= (float) factor;
        left -= bytes;
      }
  return TRUE;
}

/* What the update will change: the step's products were made with these. */
static gboolean
keep_weights (LsLane *lane, LsLaneRecord *record, GError **error)
{
  const LsPlan *plan = lane->plan;
  gsize left = RECORD_TENSOR_BYTES;

  record->before = g_new0 (void *, plan->n_tensors);
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const gsize bytes = ls_tensor_bytes (&plan->tensors[i]);
      if (plan->tensors[i].role != LS_ROLE_WEIGHT || bytes > left)
        continue;
      record->before[i] = g_try_malloc (MAX (bytes, 1));
      if (record->before[i] == NULL)
        continue;
      if (!lane->backend->read (lane->instance, i, record->before[i], error))
        return FALSE;
      left -= bytes;
    }
  return TRUE;
}

static gboolean
train_recorded (LsLane *lane, LsRun *run, LsRunResult *result, GError **error)
{
  g_autoptr (LsTrace) trace = NULL;
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (LsRecordedCut) finer = NULL;
  g_autoptr (GError) cause = NULL;
  LsLaneRecord *record;
  const double factor = lane->scale.factor;
  guint n_rings;
  guint32 capacity;

  /* before the step itself, which leaves the lane as it is to go on */
  finer = ls_lane_cut_finer (lane, run, &left, &cause);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  lane->backend->trace_size (lane->instance, &n_rings, &capacity);
  trace = ls_trace_new (lane->number, n_rings, capacity, error);
  if (trace == NULL)
    return FALSE;
  run->trace = trace;
  record = lane->result.train.record = g_new0 (LsLaneRecord, 1);
  record->events = g_array_new (FALSE, FALSE, sizeof (LsEvent));
  if (lane->request.train.keep_tensors && !keep_weights (lane, record, error))
    return FALSE;
  if (!lane->backend->run (lane->instance, run, result, error))
    return FALSE;
  g_array_unref (record->events);
  record->events = ls_trace_collect (trace);
  record->off_core = ls_trace_off_core (trace);
  record->clock_error_ns = trace->clock_error_ns;
  record->dropped = ls_trace_dropped (trace);
  record->start_ns = result->start_ns;
  record->end_ns = result->end_ns;
  if (finer != NULL)
    finer->same = ls_lane_is_at (lane, left);
  record->finer = g_steal_pointer (&finer);
  return !lane->request.train.keep_tensors || keep_tensors (lane, record, factor, error);
}

gboolean
ls_lane_batches (LsLane *lane, guint n, LsBatch *batches, GError **error)
{
  const guint batch = lane->plan->batch;
  const LsDataset *set = &lane->data->train;
  const guint32 *index = lane->index;

  if (set->stored != NULL)
    {
      if (!ls_block_fill (&lane->block, set, index, n * batch, error))
        return FALSE;
      set = &lane->block.set;
      index = lane->block.index;
    }
  for (guint i = 0; i < n; i++)
    batches[i] = (LsBatch){ set, index + (gsize) i * batch, batch };
  return TRUE;
}

static gboolean
train (LsLane *lane, GError **error)
{
  const LsRequest *request = &lane->request;
  LsResult *of = &lane->result;
  const LsPlan *plan = lane->plan;
  LsBatch batches[LS_TURN_MAX];
  LsHyper hyper[LS_TURN_MAX];
  LsRun run = { .n_ops = plan->n_ops,
                .n_steps = request->train.n_steps,
                .batches = batches,
                .hyper = hyper,
                .fuse = request->fuse,
                .reuse = !request->train.record && lane->written,
                .scale = &lane->scale };
  LsRunResult result
    = { .losses = of->train.losses, .step_end_ns = of->train.step_end_ns, .skipped = of->train.skipped };
  gboolean ok;

  if (!ls_lane_batches (lane, run.n_steps, batches, error))
    return FALSE;
  for (guint i = 0; i < run.n_steps; i++)
    {
      hyper[i] = request->train.first;
      hyper[i].step += i;
    }
  ok = request->train.record ? train_recorded (lane, &run, &result, error)
                             : lane->backend->run (lane->instance, &run, &result, error);
  of->train.start_ns = result.start_ns;
  if (ok && request->train.record)
    of->train.step_end_ns[0] = result.end_ns;
  lane->written |= ok && !run.reuse;
  return ok;
}

gboolean
ls_lane_do (LsLane *lane, GError **error)
{
  switch (lane->request.kind)
    {
    case LS_JOB_OPEN:
      return open_lane (lane, error);
    case LS_JOB_CONFIGURE:
      return lane->backend->configure (lane->instance, lane->options, error);
    case LS_JOB_TRAIN:
      return train (lane, error);
    case LS_JOB_EVALUATE:
      return ls_lane_evaluate (lane, error);
    case LS_JOB_ANSWER:
      return ls_lane_answer (lane, error);
    case LS_JOB_WALK:
      return ls_lane_walk (lane);
    case LS_JOB_READ:
      return read_params (lane, error);
    case LS_JOB_COMPARE:
      return ls_lane_compare (lane, error);
    case LS_JOB_SAVE:
      return ls_lane_save (lane, lane->request.checkpoint, error);
    case LS_JOB_LOAD:
      return ls_lane_load (lane, lane->request.checkpoint, error);
    case LS_JOB_RELOAD:
      lane->backend->edit->reload (lane->instance, lane->request.kernels, &lane->result.reload_error);
      break;
    case LS_JOB_NONE:
    case LS_JOB_QUIT:
      break;
    }
  return TRUE;
}
