/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference backend: the ops' naive loops, one after the other, on one thread. What it computes is the
 * definition that the other lanes are compared with. Two rows: in float, as a lane that trains; in double,
 * for checks, with values converted when they are written and read.
 */
#include "config.h"
#include "backends/backend.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/half.h"

typedef struct {
  guint lane;
  gboolean wide; /* double */
  LsPlan *plan;
  LsArena arena;
  float *scratch; /* where what is stored in 16 bits is computed */
  LsTiling *tilings;
  LsDeviceInfo *device;
} Reference;

static gpointer
reference_open_with (guint lane, gboolean wide)
{
  Reference *self = g_new0 (Reference, 1);
  self->lane = lane;
  self->wide = wide;
  self->device = ls_device_info_new (wide ? "reference-f64" : "reference");
  self->device->name = g_strdup (wide ? "naive loops in double" : "naive loops");
  self->device->kind = LS_DEVICE_CPU;
  self->device->driver = g_strdup ("the program itself");
  self->device->tells = LS_TELLS_THREADS;
  self->device->threads = 1;
  self->device->shares_cpu = TRUE;
  return self;
}

static gpointer
reference_open (const LsOptions *options, guint lane, GError **error)
{
  return reference_open_with (lane, FALSE);
}

static gpointer
reference_open_f64 (const LsOptions *options, guint lane, GError **error)
{
  return reference_open_with (lane, TRUE);
}

static void
reference_close (gpointer data)
{
  Reference *self = data;
  g_clear_pointer (&self->plan, ls_plan_unref);
  ls_arena_clear (&self->arena);
  g_free (self->scratch);
  ls_device_info_free (self->device);
  g_free (self->tilings);
  g_free (self);
}

static gboolean
make_scratch (Reference *self, GError **error)
{
  gsize n = 1;

  for (guint i = 0; i < self->plan->n_ops; i++)
    {
      LsOpCall call;
      ls_plan_call (self->plan, &self->arena, i, &call);
      n = MAX (n, ls_op_scratch (&call));
    }
  g_free (self->scratch);
  self->scratch = g_try_new (float, n);
  if (self->scratch != NULL)
    return TRUE;
  g_set_error (
    error, LS_ERROR, LS_ERROR_MEMORY,
    _("An op’s %zu numbers in floats are more memory than the system grants; use a smaller batch or "
       "network."),
    n);
  return FALSE;
}

static gboolean
reference_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  Reference *self = data;

  ls_arena_clear (&self->arena);
  g_clear_pointer (&self->plan, ls_plan_unref);
  if (!ls_arena_init (&self->arena, plan->tensors, plan->n_tensors, self->wide, error))
    return FALSE;
  self->plan = ls_plan_ref (plan);
  if (!make_scratch (self, error))
    return FALSE;
  g_free (self->tilings);
  self->tilings = g_new0 (LsTiling, plan->n_ops);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsTensor *out = &plan->tensors[plan->ops[i].out[0]];
      gint64 rows = plan->ops[i].attr.m, cols = plan->ops[i].attr.n;
      if (rows == 0)
        ls_tiling_output_matrix (out->shape, out->rank, &rows, &cols);
      ls_tiling_set (&self->tilings[i], rows, cols, rows, cols);
      g_strlcpy (self->tilings[i].kernel, "naive loops", sizeof self->tilings[i].kernel);
      self->tilings[i].leader = i;
    }
  return TRUE;
}

static gboolean
reference_configure (gpointer data, const LsOptions *options, GError **error)
{
  return TRUE;
}

static void
record_op (Reference *self, LsTrace *trace, guint op, guint64 start_ns, guint64 end_ns)
{
  LsEvent event = {
    .start_ns = start_ns,
    .end_ns = end_ns,
    .rank = 0,
    .op = (guint16) op,
    .unit = LS_UNIT_NONE,
    .kind = LS_EVENT_OP,
    .lane_clock = LS_LANE_CLOCK (self->lane, LS_CLOCK_HOST),
    .worker = LS_WORKER_NONE,
    .from = LS_WORKER_NONE,
  };
  ls_ring_add (&trace->rings[0], &event);
  event.kind = LS_EVENT_TILE;
  event.worker = 0;
  ls_ring_add (&trace->rings[0], &event);
}

/* Weight gradients become what they are without the scale. TRUE: one isn't finite. */
static gboolean
unscale (const Reference *self, double factor)
{
  gboolean overflowed = FALSE;

  for (guint p = 0; p < self->plan->n_params; p++)
    {
      const LsTensor *t = &self->plan->tensors[self->plan->params[p].gradient];
      void *at = ls_arena_at (&self->arena, t);

      for (gint64 i = 0, n = ls_tensor_count (t); i < n; i++)
        if (self->wide)
          overflowed |= !isfinite (((double *) at)[i] /= factor);
        else
          overflowed |= !isfinite (((float *) at)[i] /= (float) factor);
    }
  return overflowed;
}

static void
run_op (Reference *self, guint op, const LsHyper *hyper, const LsBatch *batch, LsTrace *trace)
{
  LsOpCall call;
  guint64 start_ns = ls_clock_ns ();

  ls_plan_call (self->plan, &self->arena, op, &call);
  call.hyper = hyper;
  call.batch = batch;
  if (self->wide)
    call.op->klass->ref_f64 (&call);
  else
    ls_op_run (&call, self->scratch);
  if (trace != NULL)
    record_op (self, trace, op, start_ns, ls_clock_ns ());
}

static gboolean
reference_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  Reference *self = data;
  const LsPlan *plan = self->plan;

  result->start_ns = ls_clock_ns ();
  for (guint step = 0; step < run->n_steps; step++)
    {
      LsHyper hyper = run->hyper ? run->hyper[step] : (LsHyper){ 0 };
      gboolean overflowed = FALSE;

      if (run->scale != NULL)
        hyper.scale = *run->scale;
      for (guint i = run->first_op; i < run->first_op + run->n_ops; i++)
        {
          if (i == plan->first_op[LS_PHASE_UPDATE] && ls_run_factor (run) > 0
              && (overflowed = unscale (self, hyper.scale.factor)))
            break;
          run_op (self, i, run->hyper ? &hyper : NULL, run->batches ? &run->batches[step] : NULL, run->trace);
        }
      ls_run_step_done (run, result, step, overflowed);
      if (result->step_end_ns)
        result->step_end_ns[step] = ls_clock_ns ();
      if (result->losses && plan->loss < plan->n_tensors)
        {
          const void *loss = ls_arena_at (&self->arena, &plan->tensors[plan->loss]);
          result->losses[step] = self->wide ? (float) *(const double *) loss : *(const float *) loss;
        }
    }
  result->end_ns = ls_clock_ns ();
  if (run->trace)
    {
      LsEvent event = {
        .start_ns = result->start_ns,
        .end_ns = result->end_ns,
        .rank = LS_RANK_NONE,
        .op = LS_OP_NONE,
        .unit = LS_UNIT_NONE,
        .kind = LS_EVENT_STEP,
        .lane_clock = LS_LANE_CLOCK (self->lane, LS_CLOCK_HOST),
        .worker = LS_WORKER_NONE,
        .from = LS_WORKER_NONE,
      };
      ls_ring_add (&run->trace->rings[0], &event);
    }
  return TRUE;
}

static gboolean
reference_write (gpointer data, guint tensor, const void *values, GError **error)
{
  Reference *self = data;
  const LsTensor *t = &self->plan->tensors[tensor];
  void *at = ls_arena_at (&self->arena, t);

  if (!self->wide || t->dtype == LS_I32)
    ls_arena_put (&self->arena, t, values);
  else
    for (gint64 i = 0, n = ls_tensor_count (t); i < n; i++)
      ((double *) at)[i] = (double) ((const float *) values)[i];
  return TRUE;
}

static gboolean
reference_read (gpointer data, guint tensor, void *values, GError **error)
{
  Reference *self = data;
  const LsTensor *t = &self->plan->tensors[tensor];
  const void *at = ls_arena_at (&self->arena, t);

  if (!self->wide || t->dtype == LS_I32)
    ls_arena_get (&self->arena, t, values);
  else
    for (gint64 i = 0, n = ls_tensor_count (t); i < n; i++)
      ((float *) values)[i] = (float) ((const double *) at)[i];
  return TRUE;
}

static const LsTiling *
reference_tilings (gpointer data)
{
  return ((Reference *) data)->tilings;
}

static const LsDeviceInfo *
reference_device (gpointer data)
{
  return ((Reference *) data)->device;
}

static void
reference_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  *n_rings = 1;
  *capacity = 2 * ((Reference *) data)->plan->n_ops + 1;
}

#define REFERENCE_FUNCTIONS                                                                                  \
  .kind = LS_BACKEND_REFERENCE, .close = reference_close, .prepare = reference_prepare,                      \
  .configure = reference_configure, .run = reference_run, .write = reference_write, .read = reference_read,  \
  .tilings = reference_tilings, .device = reference_device, .trace_size = reference_trace_size

const LsBackend ls_backend_reference
  = { .name = "reference", .title = "Reference", .open = reference_open, REFERENCE_FUNCTIONS };
const LsBackend ls_backend_reference_f64 = {
  .name = "reference-f64", .title = "Reference in double", .open = reference_open_f64, REFERENCE_FUNCTIONS
};
