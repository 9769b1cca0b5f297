/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL backend in this process, as the lane's own process (process/) and the other children have it:
 * open (after a child process has tried the driver), prepare, configure, read, write. Steps are in run.c,
 * recorded ones in record.c; instance.h tells how the pieces fit.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"
#include "backends/opencl/run/workspace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/child/discovery.h"
#include "core/error.h"

#define OPENING_S    5   /* a driver takes tenths of a second */
#define MAX_PROGRAMS 256 /* kept for when a rung or a text comes back */

static void cl_close (gpointer data);

/* ---- opening ---- */

/* The options that may change between two steps. LS_ERROR_USAGE names the rungs there are. */
static gboolean
take_options (LsCl *self, const LsOptions *options, GError **error)
{
  const char *rung = options->kernel ? options->kernel : "auto";
  gboolean known = *rung == '\0' || strcmp (rung, "auto") == 0;
  guint n;
  const LsClKernel *rows = ls_cl_kernels (&n);

  for (guint i = 0; !known && i < n; i++)
    known = strcmp (rows[i].rung, rung) == 0;
  if (!known)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE,
                   _("--kernel takes auto, naive, tiled, register or packed, not “%s”"), rung);
      return FALSE;
    }
  g_free (self->rung);
  self->rung = g_strdup (rung);
  ls_options_free (self->options);
  self->options = ls_options_copy (options);
  self->fusion = options->fusion != 0;
  self->batch_from = (LsBatchFrom) options->batch_from;
  self->use_tuned = options->tuned != 0;
  self->tile = options->tile == 0 ? 0 : 4 << options->tile;
  return TRUE;
}

/* What the tuner has found for this device: read when the lane is opened, and again when this process has
 * changed it. */
static void
load_tuned (LsCl *self, GError **error)
{
  g_autofree char *path = ls_tuned_path ();

  self->tuned_generation = ls_tuned_generation ();
  g_clear_pointer (&self->tuned, ls_tuned_free);
  self->tuned = ls_tuned_load (path, error);
}

/* The device that the child chose, in this process's own list. */
static const LsClDevice *
find_discovered (const LsClDevices *list, const LsClDiscovery *discovery, GError **error)
{
  const LsDeviceInfo *wanted = discovery->devices->pdata[discovery->chosen];

  if (discovery->chosen < list->devices->len)
    {
      const LsClDevice *device = list->devices->pdata[discovery->chosen];
      if (strcmp (device->info->name, wanted->name) == 0)
        return device;
    }
  g_set_error (error, LS_ERROR, LS_ERROR_NO_DEVICE,
               _("%s worked when it was tried in a process of its own, but isn’t there in this one"),
               wanted->name);
  return NULL;
}

gboolean
ls_cl_open_queues (LsCl *self, GError **error)
{
  cl_int code;

  if (!ls_cl_builder_init (&self->builder, self->device, error))
    return FALSE;
  self->queue = clCreateCommandQueue (self->builder.context, self->device->id, 0, &code);
  if (code == CL_SUCCESS)
    self->profiling_queue = clCreateCommandQueue (self->builder.context, self->device->id,
                                                  CL_QUEUE_PROFILING_ENABLE, &code);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clCreateCommandQueue", self->device->info->name);
}

static void
release_program_cb (gpointer program)
{
  clReleaseProgram (program);
}

LsCl *
ls_cl_new (guint lane)
{
  LsCl *self = g_new0 (LsCl, 1);

  self->lane = lane;
  self->fed.input = self->fed.output = -1;
  pthread_mutex_init (&self->building.mutex, NULL);
  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, release_program_cb);
  return self;
}

void
ls_cl_take_kernels (LsCl *self, LsKernelFiles *edited)
{
  if (edited != NULL)
    ls_kernel_files_ref (edited);
  ls_kernel_files_unref (self->edited);
  self->edited = edited;
  ls_kernel_files_tell (edited, self->info);
}

/* Loading drivers and making contexts, one lane after the other: not every driver bears being started by two
 * threads at once (PoCL ends the process, or tells of no device). */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* FALSE: whoever is at it has hung in its driver, as it seems, and isn't waited for. */
static gboolean
lock_opening (void)
{
  const gint64 until_us = g_get_monotonic_time () + OPENING_S * G_USEC_PER_SEC;

  /* pthread_mutex_timedlock() would go by the time of day, which may be set meanwhile */
  while (pthread_mutex_trylock (&opening) != 0)
    {
      if (g_get_monotonic_time () > until_us)
        return FALSE;
      g_usleep (2000);
    }
  return TRUE;
}

static gboolean
open_device (LsCl *self, const LsClDiscovery *discovery, const LsOptions *options, GError **error)
{
  const gboolean locked = lock_opening ();
  gboolean open;

  self->devices = ls_cl_devices_new ();
  self->device = find_discovered (self->devices, discovery, error);
  open = self->device && take_options (self, options, error) && ls_cl_open_queues (self, error);
  if (locked)
    pthread_mutex_unlock (&opening);
  return open;
}

gpointer
ls_cl_open_discovered (const LsOptions *options, guint lane, const LsClDiscovery *discovery, GError **error)
{
  LsCl *self = ls_cl_new (lane);
  g_autoptr (GError) untuned = NULL;

  self->ticks = discovery->ticks;
  self->number = discovery->chosen;
  self->info = ls_device_info_copy (discovery->devices->pdata[discovery->chosen]);
  if (discovery->note)
    g_hash_table_insert (self->info->facts, g_strdup ("warning-cache"), g_strdup (discovery->note));
  ls_tsc_read (&self->tsc);
  load_tuned (self, &untuned);
  if (untuned)
    g_hash_table_insert (self->info->facts, g_strdup ("warning-tuned"), g_strdup (untuned->message));
  if (open_device (self, discovery, options, error))
    return self;
  cl_close (self);
  return NULL;
}

static void
cl_open_soon (const LsOptions *options)
{
  ls_cl_discover_ahead (options->device);
}

static gpointer
cl_open (const LsOptions *options, guint lane, GError **error)
{
  g_autoptr (LsClDiscovery) discovery = ls_cl_discover (options->device, error);

  return discovery != NULL ? ls_cl_open_discovered (options, lane, discovery, error) : NULL;
}

/* ---- closing ---- */

static void
forget_plan (LsCl *self)
{
  ls_cl_launches_clear (self);
  ls_cl_unscale_clear (self);
  ls_cl_memory_clear (self);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_clear_pointer (&self->data, ls_data_unref);
}

static void
cl_close (gpointer data)
{
  LsCl *self = data;

  forget_plan (self);
  g_hash_table_unref (self->programs);
  if (self->queue)
    clReleaseCommandQueue (self->queue);
  if (self->profiling_queue)
    clReleaseCommandQueue (self->profiling_queue);
  ls_cl_builder_clear (&self->builder);
  ls_cl_devices_free (self->devices);
  ls_device_info_free (self->info);
  ls_tuned_free (self->tuned);
  ls_kernel_files_unref (self->edited);
  ls_options_free (self->options);
  ls_cl_building_clear (self);
  pthread_mutex_destroy (&self->building.mutex);
  g_free (self->rung);
  g_free (self);
}

/* ---- preparing ---- */

gboolean
ls_cl_set_up (LsCl *self, GError **error)
{
  guint n_launches;
  gboolean ok;
  cl_int code;

  ls_cl_launches_derive (self);
  self->aside = 0;
  self->pace = (LsClPace){ 0 };
  n_launches = ls_cl_schedule (self, 0, self->plan->n_ops, TRUE);
  ok = ls_cl_memory_prepare (self, error) && ls_cl_unscale_prepare (self, error)
       && (self->fed.input < 0 ? ls_cl_ready (self, n_launches, LS_TRIAL_STEP, error)
                               : ls_cl_ready_fed (self, n_launches, error));
  code = ok ? clFinish (self->queue) : CL_SUCCESS;
  if (ok && code != CL_SUCCESS)
    ok = ls_cl_fail (error, code, "clFinish", _("the training step’s buffers"));
  self->half_set_up = !ok;
  return ok;
}

static gboolean
cl_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  LsCl *self = data;
  g_autoptr (LsKernelFiles) kernels = self->edited == NULL ? ls_kernel_files_of_environment (error)
                                                           : ls_kernel_files_ref (self->edited);

  forget_plan (self);
  if (kernels == NULL)
    return FALSE;
  ls_cl_take_kernels (self, kernels);
  self->plan = ls_plan_ref (plan);
  self->data = set ? ls_data_ref (set) : NULL;
  if (ls_cl_set_up (self, error))
    return TRUE;
  forget_plan (self);
  return FALSE;
}

static gboolean
cl_configure (gpointer data, const LsOptions *options, GError **error)
{
  LsCl *self = data;
  g_autofree char *rung = g_strdup (self->rung);
  gboolean fusion = self->fusion, use_tuned = self->use_tuned;
  gboolean stale = self->tuned_generation != ls_tuned_generation ();
  LsBatchFrom batch_from = self->batch_from;
  const int tile = self->tile;

  if (!take_options (self, options, error))
    return FALSE;
  if (stale)
    load_tuned (self, NULL);
  if (self->plan == NULL
      || (strcmp (rung, self->rung) == 0 && fusion == self->fusion && batch_from == self->batch_from
          && tile == self->tile && use_tuned == self->use_tuned && !stale && !self->half_set_up))
    return TRUE;
  return ls_cl_set_up (self, error);
}

/* Programs whose text is as before stay; the launches are made anew, the buffers keep what they hold. */
static gboolean
cl_reload (gpointer data, LsKernelFiles *edited, GError **error)
{
  LsCl *self = data;
  g_autoptr (LsKernelFiles) before = self->edited != NULL ? ls_kernel_files_ref (self->edited) : NULL;

  if (g_hash_table_size (self->programs) > MAX_PROGRAMS)
    g_hash_table_remove_all (self->programs); /* launches hold those they need */
  ls_cl_take_kernels (self, edited);
  if (self->plan == NULL || ls_cl_set_up (self, error))
    return TRUE;
  ls_cl_take_kernels (self, before);
  if (!ls_cl_set_up (self, NULL))
    forget_plan (self);
  return FALSE;
}

/* ---- steps ---- */

static gboolean
cl_run (gpointer data, const LsRun *run, LsRunResult *result, GError **error)
{
  if (ls_cl_run (data, run, result, error))
    return TRUE;
  ls_cl_discover_forget ();
  return FALSE;
}

/* ---- what it tells ---- */

static const LsTiling *
cl_tilings (gpointer data)
{
  return ((LsCl *) data)->tilings;
}

static const LsDeviceInfo *
cl_device (gpointer data)
{
  return ((LsCl *) data)->info;
}

static void
cl_progress (gpointer data, guint *done, guint *total)
{
  LsCl *self = data;
  *total = atomic_load (&self->to_build);
  *done = MIN (atomic_load (&self->built), *total);
}

/* Per op alone, the larger list: its work-groups, and three events for each command. */
static void
cl_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  const LsCl *self = data;
  guint64 events = 16;

  events += self->plan != NULL ? 3 * (self->plan->n_params + 1) : 0;
  for (guint i = 0; self->single && i < self->plan->n_ops; i++)
    events += (guint64) MAX (self->single[i].groups, self->chain[i].groups) + 3 * (LS_CL_MAX_PASSES + 4);
  *n_rings = 1;
  *capacity = (guint32) MIN (events, G_MAXUINT32);
}

static const LsBackendBuild cl_build = {
  .begin = cl_open_soon,
  .progress = cl_progress,
  .kernels = ls_cl_building,
  .warm = ls_cl_warm_walk,
  .record_waits = ls_cl_record_waits,
};

static void
cl_allocated (gpointer self, LsStepMemory *memory)
{
  ls_cl_memory_allocated (self, memory);
}

const LsBackend ls_backend_opencl_here = {
  .name = "opencl",
  .title = "OpenCL",
  .kind = LS_BACKEND_OPENCL,
  .open = cl_open,
  .close = cl_close,
  .prepare = cl_prepare,
  .configure = cl_configure,
  .run = cl_run,
  .write = ls_cl_write,
  .read = ls_cl_read,
  .tilings = cl_tilings,
  .device = cl_device,
  .trace_size = cl_trace_size,
  .build = &cl_build,
  .walk = &(const LsBackendWalk){ ls_cl_walk },
  .roofs = &(const LsBackendRoofs){ ls_cl_roofs },
  .flight = &ls_cl_flight,
  .edit = &(const LsBackendEdit){ ls_cl_try_kernels, cl_reload },
  .memory = &(const LsBackendMemory){ cl_allocated, ls_cl_workspace },
};
