/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU backend: own threads, tiles shared out by a policy, matrix products by loops of its own and
 * single-threaded OpenBLAS calls. This file is its life and configuration; stages.c prepares a plan, run.c
 * runs it, kernels.c lists what it can do, and rungs.c with what.
 */
#include "config.h"
#include "backends/cpu/cpu.h"

#include "backends/cpu/blas.h"
#include "core/half.h"

/* Longer than the ops of a small step that one worker does alone: a sleeper comes 50 µs late. */
#define SPIN_NS 300000

/* ---- options ---- */

/* Returns whether what stages and scratch depend on has changed. */
static gboolean
take_options (LsCpu *self, const LsOptions *options)
{
  guint threads = options->threads > 0 ? (guint) MIN (options->threads, LS_MAX_WORKERS)
                                       : self->topology.usable;
  guint tiles = (guint) CLAMP (options->tiles, 0, G_MAXINT16);
  gboolean fusion = options->fusion != 0;
  const LsCpuRung *rung = &ls_cpu_rungs[CLAMP (options->cpu_kernels, 0, LS_CPU_KERNELS_N - 1)];
  gboolean changed = threads != self->threads || tiles != self->tiles || fusion != self->fusion
                     || rung != self->rung;

  self->schedule = ls_schedule ((LsPolicy) options->policy);
  self->threads = threads;
  self->tiles = tiles;
  self->fusion = fusion;
  self->rung = rung;
  return changed;
}

/* More workers than processors would spin while the one they wait for can't run. */
static void
make_pool (LsCpu *self)
{
  ls_pool_free (self->pool);
  self->pool = ls_pool_new (self->threads, self->threads > self->topology.usable ? 0 : SPIN_NS);
}

/* With what it says of itself now: pool and rung. */
static void
tell_device (LsCpu *self)
{
  ls_device_info_free (self->device);
  self->device = ls_cpu_device_info (self);
}

/* ---- life ---- */

static gpointer
cpu_open (const LsOptions *options, guint lane, GError **error)
{
  LsCpu *self = g_new0 (LsCpu, 1);

  ls_blas_init ();
  self->lane = lane;
  self->share = g_aligned_alloc0 (1, sizeof (LsShare), 64);
  ls_topology_read (&self->topology, "", ls_topology_affinity ());
  take_options (self, options);
  ls_blas_fits (MAX (self->threads, self->topology.usable) + 1);
  make_pool (self);
  tell_device (self);
  return self;
}

static void
forget_plan (LsCpu *self)
{
  ls_cpu_stages_clear (self);
  ls_arena_clear (&self->arena);
  g_clear_pointer (&self->plan, ls_plan_unref);
}

static void
cpu_close (gpointer data)
{
  LsCpu *self = data;

  ls_pool_free (self->pool);
  forget_plan (self);
  ls_device_info_free (self->device);
  ls_topology_clear (&self->topology);
  g_aligned_free (self->share);
  g_free (self);
}

static gboolean
cpu_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  LsCpu *self = data;

  forget_plan (self);
  if (!ls_arena_init (&self->arena, plan->tensors, plan->n_tensors, FALSE, error))
    return FALSE;
  self->plan = ls_plan_ref (plan);
  self->data_bytes = set != NULL ? ls_dataset_bytes (&set->train) + ls_dataset_bytes (&set->test) : 0;
  if (ls_cpu_stages_make (self, error))
    return TRUE;
  forget_plan (self);
  return FALSE;
}

/* The arena, and with it the weights, stays. */
static gboolean
cpu_configure (gpointer data, const LsOptions *options, GError **error)
{
  LsCpu *self = data;
  guint threads = self->threads;
  const gboolean failed = self->plan != NULL && self->plain == NULL; /* the last change did */

  if (!take_options (self, options) && !failed)
    return TRUE;
  if (self->threads != threads)
    make_pool (self);
  tell_device (self);
  return self->plan == NULL || ls_cpu_stages_make (self, error);
}

/* ---- contents ---- */

static gboolean
cpu_write (gpointer data, guint tensor, const void *values, GError **error)
{
  LsCpu *self = data;
  const LsTensor *t = &self->plan->tensors[tensor];

  ls_arena_put (&self->arena, t, values);
  return TRUE;
}

static gboolean
cpu_read (gpointer data, guint tensor, void *values, GError **error)
{
  LsCpu *self = data;
  const LsTensor *t = &self->plan->tensors[tensor];

  ls_arena_get (&self->arena, t, values);
  return TRUE;
}

static const LsTiling *
cpu_tilings (gpointer data)
{
  return ((LsCpu *) data)->tilings;
}

static const LsDeviceInfo *
cpu_device (gpointer data)
{
  return ((LsCpu *) data)->device;
}

/* Any worker may end up with all tiles, and waits twice per op at most. */
static void
cpu_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  LsCpu *self = data;

  *n_rings = 1 + ls_pool_size (self->pool);
  *capacity = 1;
  for (guint i = 0; self->plain && i < self->plan->n_ops; i++)
    *capacity += self->plain[i].n_passes * (self->plain[i].n_tiles + 1) + self->plain[i].n_joins + 3;
}

static void
cpu_allocated (gpointer data, LsStepMemory *memory)
{
  const LsCpu *self = data;

  *memory = (LsStepMemory){ 0 };
  if (self->plan == NULL)
    return;
  ls_arena_allocated (&self->arena, self->plan, memory);
  memory->bytes[LS_MEMORY_WORKSPACE] = (gint64) self->work_bytes;
  memory->bytes[LS_MEMORY_DATA] = self->data_bytes;
}

const LsBackend ls_backend_cpu = {
  .name = "cpu",
  .title = "CPU",
  .kind = LS_BACKEND_CPU,
  .open = cpu_open,
  .close = cpu_close,
  .prepare = cpu_prepare,
  .configure = cpu_configure,
  .run = ls_cpu_run,
  .write = cpu_write,
  .read = cpu_read,
  .tilings = cpu_tilings,
  .device = cpu_device,
  .trace_size = cpu_trace_size,
  .roofs = &(const LsBackendRoofs){ ls_cpu_roofs },
  .flight = &ls_cpu_flight,
  .memory = &(const LsBackendMemory){ cpu_allocated, ls_cpu_workspace },
};
