/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane as a contender: one backend training by itself, with the same calls as a lane of `train` makes, in
 * turns of as many steps, and the same rule for a step's time: its turn's, shared out evenly, since a device
 * tells of ends in bunches. A single op runs the same way, as a plan of one op.
 */
#include "config.h"
#include "lab/lane/worker_lane.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "core/stored.h"
#include "lab/step.h"

#define FORWARD "forward\t"
#define FLIGHT  "flight\t"
#define RANDOM  65521 /* numbers, which are repeated where more are wanted */
#define TURN    LS_LAB_TURN
#define OP_TURN 32 /* of a single op */

typedef LsLabLane Lane;

static void
close_lane (gpointer data)
{
  Lane *lane = data;

  ls_lab_lane_forget_room (lane);
  ls_block_clear (&lane->block);
  if (lane->flight != NULL)
    lane->backend->flight->end (lane->flight);
  if (lane->self != NULL)
    lane->backend->close (lane->self);
  g_clear_pointer (&lane->batcher, ls_batcher_free);
  g_clear_pointer (&lane->plan, ls_plan_unref);
  g_clear_pointer (&lane->data, ls_data_unref);
  g_clear_pointer (&lane->options, ls_options_free);
  g_free (lane->index);
  g_free (lane);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Lane, close_lane)

static gpointer
open_lane (const char *name, LsOptions *options, char **title, guint *threads, GError **error)
{
  g_autoptr (Lane) lane = g_new0 (Lane, 1);
  const LsDeviceInfo *device;

  lane->backend = ls_backend_find (name);
  lane->options = ls_options_copy (options);
  lane->self = lane->backend->open (lane->options, 0, error);
  if (lane->self == NULL)
    return NULL;
  device = lane->backend->device (lane->self);
  *title = ls_device_text (device);
  *threads = (guint) MAX (1, device->threads > 0 ? device->threads : device->units);
  return g_steal_pointer (&lane);
}

static gboolean
write_tensor (Lane *lane, guint tensor, GError **error)
{
  const gsize n = (gsize) ls_tensor_count (&lane->plan->tensors[tensor]);
  g_autofree float *values = ls_lab_room_for (&lane->plan->tensors[tensor], error);

  for (gsize i = 0; i < n && values != NULL; i++)
    values[i] = i < RANDOM ? (float) (ls_rng_uniform (1, LS_STREAM_TEST, tensor, i) - .5)
                           : values[i - RANDOM];
  return values != NULL && lane->backend->write (lane->self, tensor, values, error);
}

/* Weights as `train` begins with; a single op's inputs are random. */
static gboolean
write_values (Lane *lane, GError **error)
{
  const LsPlan *plan = lane->plan;

  for (guint j = 0; lane->batcher == NULL && j < plan->ops[0].n_in; j++)
    if (plan->tensors[plan->ops[0].in[j]].dtype == LS_F32 && !write_tensor (lane, plan->ops[0].in[j], error))
      return FALSE;
  for (guint p = 0; p < plan->n_params; p++)
    {
      const guint weight = plan->params[p].weight;
      g_autofree float *values = ls_lab_room_for (&plan->tensors[weight], error);

      if (values == NULL)
        return FALSE;
      ls_plan_init_param (plan, p, (guint64) lane->options->seed, values);
      if (!lane->backend->write (lane->self, weight, values, error))
        return FALSE;
    }
  return TRUE;
}

/* The OpenCL lane's own process takes plans of models alone; this one is a child, too, and can do the rest
 * itself. */
static gboolean
use (Lane *lane, const LsBackend *backend, GError **error)
{
  gpointer other;

  if (lane->backend == backend)
    return TRUE;
  other = backend->open (lane->options, 0, error);
  if (other == NULL)
    return FALSE;
  lane->backend->close (lane->self);
  lane->backend = backend;
  lane->self = other;
  return TRUE;
}

static gboolean
use_for (Lane *lane, gboolean model, GError **error)
{
  return lane->backend->kind != LS_BACKEND_OPENCL
         || use (lane, model ? &ls_backend_opencl : &ls_backend_opencl_here, error);
}

gboolean
ls_lab_lane_take (gpointer self, LsPlan *plan, LsData *data, char **how, GError **error)
{
  Lane *lane = self;
  g_autoptr (LsPlan) taken = plan, stored = NULL;

  g_clear_pointer (&lane->plan, ls_plan_unref);
  g_clear_pointer (&lane->batcher, ls_batcher_free);
  g_clear_pointer (&lane->index, g_free);
  g_clear_pointer (&lane->data, ls_data_unref);
  if (lane->flight != NULL)
    lane->backend->flight->end (lane->flight);
  lane->flight = NULL;
  lane->in_flight = 0;
  ls_lab_lane_forget_room (lane);
  lane->data = data;
  lane->step = 0;
  lane->scale = ls_loss_scale_first (lane->options->precision == LS_PRECISION_FP16);
  if (plan == NULL)
    return FALSE;
  if (plan->n_params > 0)
    {
      lane->batcher = ls_batcher_new (data->train.n, plan->batch, (LsOrder) lane->options->order,
                                      (guint64) lane->options->seed, error);
      if (lane->batcher == NULL)
        return FALSE;
      lane->index = g_new (guint32, (gsize) TURN * plan->batch);
    }
  stored = ls_plan_with_precision (plan, (LsPrecision) lane->options->precision);
  if (!use_for (lane, plan->model != NULL, error)
      || !lane->backend->prepare (lane->self, stored, lane->data, error))
    return FALSE;
  lane->plan = g_steal_pointer (&taken);
  if (!write_values (lane, error))
    {
      g_clear_pointer (&lane->plan, ls_plan_unref);
      return FALSE;
    }
  if (lane->batcher == NULL)
    *how = g_strdup (lane->backend->tilings (lane->self)[0].kernel);
  return TRUE;
}

/* "flight\tloads\t8", "flight\tsums\t8" */
static gboolean
prepare_flight (Lane *lane, const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, "\t", -1);
  gint64 n;

  if (g_strv_length (words) != 3 || !g_ascii_string_to_signed (words[2], 10, 1, G_MAXINT32, &n, NULL)
      || (strcmp (words[1], "loads") != 0 && strcmp (words[1], "sums") != 0))
    return ls_lab_refuse (spec, error);
  if (lane->flight == NULL || lane->loads != (strcmp (words[1], "loads") == 0))
    {
      ls_lab_lane_take (lane, NULL, NULL, NULL, NULL); /* forgets all else */
      if (!use_for (lane, FALSE, error))
        return FALSE;
      if (lane->backend->flight == NULL)
        {
          g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("It works on one thing at a time."));
          return FALSE;
        }
      lane->loads = strcmp (words[1], "loads") == 0;
      lane->flight = lane->backend->flight->begin (lane->self, lane->loads, error);
    }
  lane->in_flight = lane->flight != NULL ? (guint) n : 0;
  return lane->flight != NULL;
}

static gboolean
prepare (gpointer self, const char *spec, char **how, GError **error)
{
  Lane *lane = self;
  g_autoptr (LsData) data = lane->data != NULL ? ls_data_ref (lane->data) : NULL;
  const gboolean forward = g_str_has_prefix (spec, FORWARD);
  g_autofree char *step = NULL;
  gboolean copied, taken;
  LsPlan *plan;

  if (g_str_has_prefix (spec, FLIGHT))
    return prepare_flight (lane, spec, error);
  copied = ls_lab_is_copied (spec, &step);
  if (step == NULL)
    step = forward ? g_strconcat ("step\t", spec + strlen (FORWARD), NULL) : g_strdup (spec);
  plan = ls_lab_step_plan (step, &data, lane->options, error);
  lane->forward = forward;
  taken = ls_lab_lane_take (lane, plan, g_steal_pointer (&data), how, error);
  return taken && (!copied || ls_lab_lane_make_room (lane, error));
}

static gboolean
set (gpointer self, const char *option, const char *value, GError **error)
{
  Lane *lane = self;
  const LsOption *row = ls_options_find (option);

  if (row == NULL || row->effect != LS_OPTION_LIVE)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("“%s” is no option that can be changed while it runs."), option);
      return FALSE;
    }
  return ls_options_set (lane->options, row, value, error)
         && lane->backend->configure (lane->self, lane->options, error);
}

/* From the file where the samples lie. */
static gboolean
fetch (Lane *lane, guint n, LsBatch *batches, GError **error)
{
  const guint batch = lane->plan->batch;

  if (!ls_block_fill (&lane->block, &lane->data->train, lane->index, n * batch, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    batches[i] = (LsBatch){ &lane->block.set, lane->block.index + (gsize) i * batch, batch };
  return TRUE;
}

/* At most OP_TURN of a single op; one, where it is copied. */
gboolean
ls_lab_lane_turn (Lane *lane, guint n, LsTrace *trace, double *us, GError **error)
{
  const LsOptions *o = lane->options;
  guint64 ends[OP_TURN];
  LsBatch batches[TURN];
  LsHyper hyper[OP_TURN];
  float losses[OP_TURN];
  const guint64 before = ls_clock_ns ();
  const guint n_ops = lane->forward ? lane->plan->first_op[LS_PHASE_BACKWARD] : lane->plan->n_ops;
  LsRun run = { .n_ops = n_ops,
                .n_steps = n,
                .batches = lane->batcher != NULL ? batches : NULL,
                .hyper = hyper,
                .fuse = o->fusion,
                .reuse = trace == NULL && lane->step > 0, /* as train/lane/lane_jobs.c has it */
                .scale = lane->batcher != NULL && !lane->forward ? &lane->scale : NULL,
                .trace = trace };
  LsRunResult result = { .step_end_ns = ends, .losses = lane->batcher != NULL ? losses : NULL };

  for (guint i = 0; i < n; i++)
    {
      hyper[i] = (LsHyper){
        .lr = o->lr,
        .momentum = o->momentum,
        .beta1 = 0.9,
        .beta2 = 0.999,
        .epsilon = 1e-8,
        .step = lane->forward ? 0 : lane->step + i + 1,
        .seed = (guint64) o->seed,
      };
      if (lane->batcher == NULL)
        continue;
      guint32 *positions = lane->index + (gsize) i * lane->plan->batch;
      ls_batcher_get (lane->batcher, lane->step + i, positions);
      batches[i] = (LsBatch){ &lane->data->train, positions, lane->plan->batch };
    }
  if (lane->batcher != NULL && lane->data->train.stored != NULL && !fetch (lane, n, batches, error))
    return FALSE;
  if ((lane->copied && !ls_lab_lane_copy_in (lane, error))
      || !lane->backend->run (lane->self, &run, &result, error)
      || (lane->copied && !ls_lab_lane_copy_out (lane, error)))
    return FALSE;
  *us = lane->copied ? (double) (ls_clock_ns () - before) / 1e3
                     : (double) (ends[n - 1] - result.start_ns) / 1e3 / n;
  lane->step += n;
  return TRUE;
}

gboolean
ls_lab_lane_ready (const Lane *lane, GError **error)
{
  if (lane->plan == NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE, _("Nothing is prepared."));
  return lane->plan != NULL;
}

/* As many as fit comfortably into the time: a turn of long steps would overstay it. */
static guint
turn_length (const Lane *lane, double us, double seconds)
{
  const guint most = lane->copied ? 1 : lane->batcher != NULL ? TURN : OP_TURN;
  const double fit = us > 0 ? seconds * 1e6 / 4 / us : 1;

  return fit >= most ? most : (guint) MAX (fit, 1);
}

static gboolean
run (gpointer self, guint threads, double seconds, GArray *times, GError **error)
{
  Lane *lane = self;
  const guint64 start = ls_clock_ns (), counted = start + (guint64) (seconds * LS_LAB_WARM * 1e9),
                until = start + (guint64) (seconds * 1e9);
  double us = 0;
  guint n = 1;

  if (lane->in_flight > 0)
    return lane->backend->flight->measure (lane->flight, lane->in_flight, seconds, times, error);
  if (!ls_lab_lane_ready (lane, error))
    return FALSE;
  do
    {
      if (!ls_lab_lane_turn (lane, n, NULL, &us, error))
        return FALSE;
      n = turn_length (lane, us, seconds);
  } while (ls_clock_ns () < counted);
  do
    {
      if (!ls_lab_lane_turn (lane, n, NULL, &us, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        g_array_append_val (times, us);
  } while (ls_clock_ns () < until);
  return TRUE;
}

static gboolean
record (gpointer self, double seconds, GArray *plain, GArray *recorded, guint *events, GError **error)
{
  Lane *lane = self;
  const guint64 start = ls_clock_ns (), counted = start + (guint64) (seconds * LS_LAB_WARM * 1e9),
                until = start + (guint64) (seconds * 1e9);
  double without, with;
  guint n_rings;
  guint32 capacity;
  g_autoptr (LsTrace) trace = NULL;

  if (!ls_lab_lane_ready (lane, error))
    return FALSE;
  lane->backend->trace_size (lane->self, &n_rings, &capacity);
  trace = ls_trace_new (0, n_rings, capacity, error);
  if (trace == NULL)
    return FALSE;
  do
    {
      ls_trace_reset (trace);
      if (!ls_lab_lane_turn (lane, 1, NULL, &without, error)
          || !ls_lab_lane_turn (lane, 1, trace, &with, error))
        return FALSE;
      if (ls_clock_ns () < counted)
        continue;
      g_array_append_val (plain, without);
      g_array_append_val (recorded, with);
  } while (ls_clock_ns () < until || plain->len == 0);
  *events = 0;
  for (guint r = 0; r < trace->n_rings; r++)
    *events += trace->rings[r].n;
  return TRUE;
}

static char *
device_key (gpointer self)
{
  const LsDeviceInfo *device = ((const Lane *) self)->backend->device (((const Lane *) self)->self);

  return g_strdup_printf ("%s|%s|%s|%d|%d", device->backend, device->name != NULL ? device->name : "",
                          device->driver != NULL ? device->driver : "", device->threads, device->units);
}

static LsDeviceKind
device_kind (gpointer self)
{
  return ((const Lane *) self)->backend->device (((const Lane *) self)->self)->kind;
}

#define LANE(name)                                                                                           \
  {                                                                                                          \
    name, open_lane, close_lane, prepare, set, run, record, device_key, device_kind, ls_lab_lane_bound,      \
      ls_lab_lane_learn                                                                                      \
  }

static const LsLabWorker lanes[] = { LANE ("cpu"), LANE ("opencl"), LANE ("reference"),
                                     LANE ("reference-f64") };

const LsLabWorker *const ls_lab_workers[] = { &lanes[0], &lanes[1], &lanes[2], &lanes[3], NULL };
