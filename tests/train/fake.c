/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane that does what the reference does, and then what `fake` says: see fake.h.
 */
#include "fake.h"

#include <math.h>
#include <pthread.h>

#include "core/error.h"

Fake fake;

typedef struct {
  gpointer reference;
  LsPlan *plan;
  LsDeviceInfo *device;
  guint lane;
} FakeLane;

static gpointer
fake_open (const LsOptions *options, guint lane, GError **error)
{
  FakeLane *self;

  g_atomic_int_inc (&fake.there);
  g_usleep (fake.open_ms * 1000);
  while (fake.hang_open && !g_atomic_int_get (&fake.let_go))
    g_usleep (1000);
  if (fake.fail_open)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_NO_DEVICE, "The fake has no device today.");
      g_atomic_int_add (&fake.there, -1);
      return NULL;
    }
  self = g_new0 (FakeLane, 1);
  self->lane = lane;
  self->reference = ls_backend_reference.open (options, lane, error);
  self->device = ls_device_info_copy (ls_backend_reference.device (self->reference));
  self->device->shares_cpu = !fake.own_cores;
  if (g_atomic_int_get (&fake.opened) > g_atomic_int_get (&fake.closed))
    g_atomic_int_inc (&fake.together);
  g_atomic_int_inc (&fake.opened);
  return self;
}

static void
fake_close (gpointer data)
{
  FakeLane *self = data;

  while (fake.hang_close && !g_atomic_int_get (&fake.let_go))
    g_usleep (1000);
  ls_backend_reference.close (self->reference);
  g_clear_pointer (&self->plan, ls_plan_unref);
  ls_device_info_free (self->device);
  g_free (self);
  g_atomic_int_inc (&fake.closed);
  g_atomic_int_add (&fake.there, -1);
}

static gboolean
fake_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  FakeLane *self = data;

  if (fake.fail_prepare)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_BUILD, "The fake can't be built.");
      return FALSE;
    }
  self->plan = ls_plan_ref (plan);
  return ls_backend_reference.prepare (self->reference, plan, set, error);
}

static gboolean
fake_configure (gpointer data, const LsOptions *options, GError **error)
{
  if (fake.fail_configure)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_BUILD, "The fake has no such kernel.");
  return !fake.fail_configure;
}

static pthread_mutex_t told = PTHREAD_MUTEX_INITIALIZER;

static gboolean
fake_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  FakeLane *self = data;
  guint64 n = (guint64) g_atomic_int_add (&fake.runs, 1) + 1;

  if (run->n_steps < 1)
    g_error ("a lane is told to do a turn of no steps, which no backend takes");
  if (run->reuse && g_atomic_int_add (&fake.reuses, 1) == 0)
    g_atomic_int_set (&fake.reused_from, (gint) n);
  g_usleep ((gulong) g_atomic_int_get (&fake.run_ms) * 1000);
  if (n == fake.fail_at || (fake.fail_recorded && run->trace) || (fake.fail_one_op && run->n_ops == 1))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "The fake lost its device.");
      return FALSE;
    }
  pthread_mutex_lock (&told); /* there may be two lanes of this kind */
  for (guint i = 0; run->batches && i < run->n_steps; i++)
    for (guint p = 0; p < run->batches[i].n && fake.n_positions < G_N_ELEMENTS (fake.positions); p++)
      fake.positions[fake.n_positions++] = run->batches[i].index[p];
  for (guint i = 0; run->hyper && i < run->n_steps; i++)
    if (run->hyper[i].step > 0) /* else it is no training */
      {
        fake.skipped |= run->hyper[i].step != fake.step + 1;
        fake.step = run->hyper[i].step;
      }
  pthread_mutex_unlock (&told);
  if (n == fake.hang_at && fake.builds_first)
    g_atomic_int_set (&fake.all_built, 1);
  while (n == fake.hang_at && !g_atomic_int_get (&fake.let_go))
    g_usleep (1000);
  if (!ls_backend_reference.run (self->reference, run, result, error))
    return FALSE;
  if (fake.bad_event && run->trace)
    run->trace->rings[0].events[0].op = LS_OP_NONE - 1;
  for (guint i = 0; fake.clock_ns != 0 && result->step_end_ns && i < run->n_steps; i++)
    result->step_end_ns[i] = result->start_ns + (guint64) fake.clock_ns;
  if (fake.disturb_from > 0 && n >= fake.disturb_from)
    {
      const gboolean last = fake.disturb_last || (fake.disturb_both && self->lane > 0);
      guint weight = self->plan->params[last ? self->plan->n_params - 1 : 0].weight;
      g_autofree float *values = g_new (float, ls_tensor_count (&self->plan->tensors[weight]));
      ls_backend_reference.read (self->reference, weight, values, NULL);
      values[0] = fake.disturb_nan ? NAN : values[0] + 1;
      ls_backend_reference.write (self->reference, weight, values, NULL);
    }
  return TRUE;
}

static gboolean
fake_write (gpointer data, guint tensor, const void *values, GError **error)
{
  return ls_backend_reference.write (((FakeLane *) data)->reference, tensor, values, error);
}

static gboolean
fake_read (gpointer data, guint tensor, void *values, GError **error)
{
  if (g_atomic_int_get (&fake.read_fails) > 0 && g_atomic_int_dec_and_test (&fake.read_fails))
    {
      g_atomic_int_set (&fake.read_fails, 1); /* and all that follow */
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, "The fake lost its device.");
      return FALSE;
    }
  return ls_backend_reference.read (((FakeLane *) data)->reference, tensor, values, error);
}

static const LsTiling *
fake_tilings (gpointer data)
{
  return ls_backend_reference.tilings (((FakeLane *) data)->reference);
}

static const LsDeviceInfo *
fake_device (gpointer data)
{
  return ((FakeLane *) data)->device;
}

static void
fake_progress (gpointer data, guint *done, guint *total)
{
  *done = g_atomic_int_get (&fake.all_built) ? 14 : 3;
  *total = 14;
}

static void
fake_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  ls_backend_reference.trace_size (((FakeLane *) data)->reference, n_rings, capacity);
}

static gboolean
fake_record_waits (gpointer data)
{
  return g_atomic_int_get (&fake.waits);
}

static void
fake_warm_walk (const LsOptions *options, LsPlan *plan, LsData *set, LsKernelFiles *edited,
                const LsWalkWish *wish, LsKernelTrial *trial)
{
  g_atomic_int_inc (&fake.warmed);
  while (!g_atomic_int_get (&fake.let_go) && !g_atomic_int_get (&trial->cancelled))
    g_usleep (1000);
  g_atomic_int_set (&fake.waits, 0);
}

static const LsBackendBuild fake_build = {
  .progress = fake_progress,
  .warm = fake_warm_walk,
  .record_waits = fake_record_waits,
};

const LsBackend fake_backend = {
  .name = "fake",
  .title = "Fake",
  .open = fake_open,
  .close = fake_close,
  .prepare = fake_prepare,
  .configure = fake_configure,
  .run = fake_run,
  .write = fake_write,
  .read = fake_read,
  .tilings = fake_tilings,
  .device = fake_device,
  .trace_size = fake_trace_size,
  .build = &fake_build,
};
