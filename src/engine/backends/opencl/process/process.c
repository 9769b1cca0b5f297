/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lane's process is started, asked, told of changes, and ended: see process.h.
 */
#include "config.h"
#include "backends/opencl/process/process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "backends/opencl/child/told.h"
#include "backends/opencl/device/environment.h"
#include "backends/opencl/kernels/tuned.h"
#include "backends/opencl/run/trial.h"
#include "backends/opencl/run/workspace.h"
#include "core/error.h"

#define OPEN_MS  60000 /* loading a driver takes tenths of a second; one was tried just before */
#define LEAVE_MS 500   /* it has been told to end */

/* ---- its life ---- */

static void
forget_state (LsClProcess *self)
{
  g_clear_pointer (&self->tilings, g_free);
  self->memory = (LsStepMemory){ 0 };
  self->n_rings = 0;
  self->capacity = 0;
}

static gboolean
start (LsClProcess *self, GError **error)
{
  g_autofree char *program = ls_child_self ();
  const char *const argv[] = { program, LS_CL_CHILD_COMMAND, "serve", NULL };
  const LsDeviceInfo *device = self->discovery->devices->pdata[self->discovery->chosen];
  g_autoptr (LsWireOut) out = ls_wire_out_new ("open");
  g_autoptr (GError) cause = NULL;
  const char *untuned;
  LsWireIn in;
  gboolean ok;

  if (!ls_child_start (&self->child, argv, NULL, LS_CHILD_PIPE, LS_WIRE_MAX_LINE, &cause))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the OpenCL lane’s process can’t be started: %s"),
                   cause->message);
      return FALSE;
    }
  ls_told_put_options (out->head, self->options);
  ls_json_whole (out->head, "lane", self->lane);
  ls_told_put_device (out->head, device->name, self->discovery->chosen, self->discovery->ticks);
  ls_json_whole (out->head, "tuned", ls_tuned_generation ());
  self->patience_ms = OPEN_MS;
  ok = ls_cl_process_call (self, out, &in, error);
  self->patience_ms = G_MAXUINT; /* whoever waits for the lane knows how long */
  if (ok && (untuned = ls_json_get_string (in.head, "untuned", NULL)) != NULL)
    g_hash_table_insert (self->info->facts, g_strdup ("warning-tuned"), g_strdup (untuned));
  ls_wire_in_clear (&in);
  return ok;
}

static void
process_close (gpointer data)
{
  LsClProcess *self = data;

  ls_child_end (&self->child,
                self->died == NULL && !g_cancellable_is_cancelled (self->cancel) ? LEAVE_MS : 0);
  ls_child_clear (&self->child);
  g_object_unref (self->cancel);
  ls_options_free (self->options);
  ls_cl_discovery_free (self->discovery);
  ls_device_info_free (self->info);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_clear_pointer (&self->data, ls_data_unref);
  ls_kernel_files_unref (self->edited);
  forget_state (self);
  ls_build_unref (self->build);
  pthread_mutex_destroy (&self->mutex);
  g_free (self->died);
  g_free (self);
}

static void
process_begin (const LsOptions *options)
{
  ls_cl_discover_ahead (options->device);
}

static gpointer
process_open (const LsOptions *options, guint lane, GError **error)
{
  LsClDiscovery *discovery = ls_cl_discover (options->device, error);
  LsClProcess *self;

  if (discovery == NULL)
    return NULL;
  self = g_new0 (LsClProcess, 1);
  self->lane = lane;
  self->cancel = g_cancellable_new ();
  self->options = ls_options_copy (options);
  self->discovery = discovery;
  self->info = ls_device_info_copy (discovery->devices->pdata[discovery->chosen]);
  if (discovery->note)
    g_hash_table_insert (self->info->facts, g_strdup ("warning-cache"), g_strdup (discovery->note));
  pthread_mutex_init (&self->mutex, NULL);
  if (start (self, error))
    return self;
  process_close (self);
  return NULL;
}

/* A cancellable's own signal handlers don't run here: nobody is connected. */
static void
process_kill (gpointer data)
{
  LsClProcess *self = data;

  g_cancellable_cancel (self->cancel);
}

/* ---- told of changes ---- */

/* What every answer to a change ends with: tilings, and how much a recorded step may be. */
static gboolean
take_state (LsClProcess *self, LsWireIn *in, GError **error)
{
  gint64 rings, capacity;
  guint n_parts;
  gconstpointer tilings;

  forget_state (self);
  if (!ls_json_get_int (in->head, "rings", 0, LS_MAX_WORKERS + 1, &rings, error)
      || !ls_json_get_int (in->head, "capacity", 0, G_MAXUINT32, &capacity, error)
      || !ls_json_get_ints (in->head, "memory", 0, G_MAXINT64 / LS_MEMORY_N, LS_MEMORY_N, LS_MEMORY_N,
                            self->memory.bytes, &n_parts, error)
      || (tilings = ls_wire_next (in, self->plan->n_ops * sizeof *self->tilings, error)) == NULL)
    return FALSE;
  self->n_rings = (guint) rings;
  self->capacity = (guint32) capacity;
  self->tilings = g_memdup2 (tilings, self->plan->n_ops * sizeof *self->tilings);
  for (guint i = 0; i < self->plan->n_ops; i++)
    {
      self->tilings[i].kernel[sizeof self->tilings[i].kernel - 1] = '\0';
      self->tilings[i].leader = MIN (self->tilings[i].leader, i);
    }
  return TRUE;
}

static gboolean
send_plan (LsClProcess *self, GError **error)
{
  g_autoptr (LsWireOut) out = ls_wire_out_new ("prepare");
  LsWireIn in;
  gboolean ok;

  ls_told_put_kernels (out->head, self->edited);
  ls_wire_put_plan (out->head, self->plan);
  ls_wire_put_data (out, self->data);
  ok = ls_cl_process_call (self, out, &in, error) && take_state (self, &in, error);
  ls_wire_in_clear (&in);
  return ok;
}

/* With empty caches, once. FALSE: nothing of that kind can help. */
static gboolean
renew (LsClProcess *self, GError **error)
{
  if (self->renewed || !ls_cl_process_may_renew (self) || !ls_cl_environment_wipe ())
    return FALSE;
  self->renewed = TRUE;
  g_hash_table_insert (
    self->info->facts, g_strdup ("warning-cache"),
    g_strdup_printf (_("%s; its compiled kernels were deleted, and are compiled anew"), self->died));
  g_clear_pointer (&self->died, g_free);
  ls_child_clear (&self->child);
  return start (self, error);
}

static void
take_kernels (LsClProcess *self, LsKernelFiles *edited)
{
  if (edited != NULL)
    ls_kernel_files_ref (edited);
  ls_kernel_files_unref (self->edited);
  self->edited = edited;
  ls_kernel_files_tell (edited, self->info);
}

static gboolean
process_prepare (gpointer data, LsPlan *plan, LsData *set, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsKernelFiles) kernels = self->edited == NULL ? ls_kernel_files_of_environment (error)
                                                           : ls_kernel_files_ref (self->edited);
  g_autoptr (GError) cause = NULL;

  if (kernels == NULL)
    return FALSE;
  take_kernels (self, kernels);
  g_clear_pointer (&self->plan, ls_plan_unref);
  g_clear_pointer (&self->data, ls_data_unref);
  forget_state (self);
  if (plan->model == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                           _("the OpenCL lane’s process takes plans of models alone"));
      return FALSE;
    }
  self->plan = ls_plan_ref (plan);
  self->data = set != NULL ? ls_data_ref (set) : NULL;
  if (send_plan (self, &cause) || (renew (self, NULL) && (g_clear_error (&cause), send_plan (self, &cause))))
    return TRUE;
  g_clear_pointer (&self->plan, ls_plan_unref); /* the lane's process has none either */
  g_clear_pointer (&self->data, ls_data_unref);
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

/* The tuner may have written since. */
static gboolean
process_configure (gpointer data, const LsOptions *options, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("configure");
  LsWireIn in;
  gboolean ok;

  ls_options_free (self->options);
  self->options = ls_options_copy (options);
  ls_told_put_options (out->head, options);
  ls_json_whole (out->head, "tuned", ls_tuned_generation ());
  ok = ls_cl_process_call (self, out, &in, error) && (self->plan == NULL || take_state (self, &in, error));
  ls_wire_in_clear (&in);
  return ok;
}

static gboolean
process_reload (gpointer data, LsKernelFiles *edited, GError **error)
{
  LsClProcess *self = data;
  g_autoptr (LsKernelFiles) before = self->edited != NULL ? ls_kernel_files_ref (self->edited) : NULL;
  g_autoptr (LsWireOut) out = ls_wire_out_new ("reload");
  LsWireIn in;
  gboolean ok;

  take_kernels (self, edited);
  if (self->plan == NULL)
    return TRUE;
  ls_told_put_kernels (out->head, edited);
  ok = ls_cl_process_call (self, out, &in, error) && take_state (self, &in, error);
  ls_wire_in_clear (&in);
  if (!ok)
    take_kernels (self, before);
  return ok;
}

static gboolean
process_record_waits (gpointer data)
{
  g_autoptr (LsWireOut) out = ls_wire_out_new ("record-waits");
  gboolean waits = FALSE;
  LsWireIn in;

  if (!ls_cl_process_call (data, out, &in, NULL) || !ls_json_get_bool (in.head, "waits", &waits, NULL))
    waits = FALSE;
  ls_wire_in_clear (&in);
  return waits;
}

/* ---- what it is ---- */

static const LsTiling *
process_tilings (gpointer data)
{
  return ((LsClProcess *) data)->tilings;
}

static const LsDeviceInfo *
process_device (gpointer data)
{
  return ((LsClProcess *) data)->info;
}

static void
process_trace_size (gpointer data, guint *n_rings, guint32 *capacity)
{
  const LsClProcess *self = data;

  *n_rings = self->n_rings;
  *capacity = self->capacity;
}

static const LsBackendBuild process_build = {
  .begin = process_begin,
  .progress = ls_cl_process_progress,
  .kernels = ls_cl_process_building,
  .warm = ls_cl_warm_walk,
  .record_waits = process_record_waits,
};

static void
process_allocated (gpointer data, LsStepMemory *memory)
{
  *memory = ((LsClProcess *) data)->memory;
}

const LsBackend ls_backend_opencl = {
  .name = "opencl",
  .title = "OpenCL",
  .kind = LS_BACKEND_OPENCL,
  .open = process_open,
  .close = process_close,
  .prepare = process_prepare,
  .configure = process_configure,
  .run = ls_cl_process_run,
  .write = ls_cl_process_write,
  .read = ls_cl_process_read,
  .tilings = process_tilings,
  .device = process_device,
  .trace_size = process_trace_size,
  .build = &process_build,
  .walk = &(const LsBackendWalk){ ls_cl_process_walk },
  .roofs = &(const LsBackendRoofs){ ls_cl_process_roofs },
  .edit = &(const LsBackendEdit){ ls_cl_try_kernels, process_reload },
  .process = &(const LsBackendProcess){ process_kill },
  .memory = &(const LsBackendMemory){ process_allocated, ls_cl_workspace },
};
