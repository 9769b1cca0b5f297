/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies on the device: one buffer per tensor, the data set, the batch's positions, scratch, a slot per
 * loss. All are filled with zeros: what an uninitialised buffer holds may be denormal, and denormals cost 31
 * times on PoCL.
 *
 * Before anything is made, the sum and the largest piece are held against what the device says it has; a
 * message with both numbers is worth more than the driver's CL_MEM_OBJECT_ALLOCATION_FAILURE, which may also
 * come steps later.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/run/workspace.h"
#include "core/error.h"

/* Sizes are formatted here once, for all messages of this file. */
static gboolean
too_large (const LsCl *self, const char *title, gint64 bytes, gint64 limit, GError **error)
{
  g_autofree char *needed = g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *there = g_format_size_full ((guint64) limit, G_FORMAT_SIZE_IEC_UNITS);

  /* Translators: what needs memory, how much, the device, how much it has */
  g_set_error (
    error, LS_ERROR, LS_ERROR_MEMORY,
    _("%s takes %s, but %s gives at most %s; choose a smaller batch or model, or --batch-from host"), title,
    needed, self->info->name, there);
  return FALSE;
}

static gboolean
check_piece (const LsCl *self, const char *title, gint64 bytes, gint64 *sum, GError **error)
{
  if (self->info->max_alloc > 0 && bytes > self->info->max_alloc)
    return too_large (self, title, bytes, self->info->max_alloc, error);
  if (__builtin_add_overflow (*sum, bytes, sum))
    *sum = G_MAXINT64;
  return TRUE;
}

static gint64
set_bytes (const LsDataset *set)
{
  return set->n * set->sample_size * (gint64) ls_dataset_value_bytes (set);
}

static gboolean
plan_gathers (const LsCl *self)
{
  for (guint i = 0; i < self->plan->n_ops; i++)
    if (self->plan->ops[i].klass == &ls_op_gather)
      return self->data != NULL && self->batch_from == LS_BATCH_FROM_DEVICE
             && self->data->train.stored == NULL; /* which come batch by batch */
  return FALSE;
}

static gboolean
check_sizes (LsCl *self, GError **error)
{
  gint64 sum = 0;

  for (guint i = 0; i < self->plan->n_tensors; i++)
    if ((!self->plan->tensors[i].is_view || ls_cl_view_is_apart (self, i))
        && (!check_piece (self, self->plan->tensors[i].name,
                          (gint64) ls_tensor_bytes (&self->plan->tensors[i]), &sum, error)
            || !check_piece (self, self->plan->tensors[i].name,
                             (gint64) ls_tensor_copy_bytes (&self->plan->tensors[i]), &sum, error)))
      return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!check_piece (self, _("the kernels’ scratch memory"), (gint64) self->memory.scratch_bytes[i], &sum,
                      error))
      return FALSE;
  if (plan_gathers (self)
      && (!check_piece (self, _("the training set"), set_bytes (&self->data->train), &sum, error)
          || !check_piece (self, _("the test set"), set_bytes (&self->data->test), &sum, error)))
    return FALSE;
  if (self->info->global_mem > 0 && sum > self->info->global_mem)
    return too_large (self, _("the training step with its data"), sum, self->info->global_mem, error);
  return TRUE;
}

/* host: NULL, or what it lies in from now on, for as long as the buffer is there. */
static cl_mem
create_buffer (LsCl *self, cl_mem_flags flags, gsize size, const void *host, const char *title,
               GError **error)
{
  cl_int code;
  cl_mem buffer = clCreateBuffer (self->builder.context, flags, size, (void *) host, &code);

  if (code != CL_SUCCESS || buffer == NULL)
    {
      g_autofree char *asked = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *held = g_format_size_full ((guint64) self->memory.used, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *what = g_strdup_printf (_("%s (%s, with %s in use by this lane)"), title, asked,
                                               held);
      ls_cl_fail (error, code, "clCreateBuffer", what);
      return NULL;
    }
  self->memory.used += (gint64) size;
  return buffer;
}

cl_mem
ls_cl_buffer_new (LsCl *self, gsize bytes, const char *title, GError **error)
{
  static const cl_uint zero = 0;
  gsize size = (MAX (bytes, 4) + 3) & ~(gsize) 3;
  cl_mem buffer = create_buffer (self, CL_MEM_READ_WRITE, size, NULL, title, error);
  cl_int code;

  if (buffer == NULL)
    return NULL;
  code = clEnqueueFillBuffer (self->queue, buffer, &zero, sizeof zero, 0, size, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    {
      ls_cl_fail (error, code, "clEnqueueFillBuffer", title);
      ls_cl_buffer_clear (self, &buffer);
    }
  return buffer;
}

/* A part of another buffer takes nothing of its own. */
static gsize
size_of (cl_mem buffer)
{
  size_t size = 0;
  cl_mem whole = NULL;

  if (buffer == NULL)
    return 0;
  if (clGetMemObjectInfo (buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, (void *) &whole, NULL)
        == CL_SUCCESS
      && whole != NULL)
    return 0;
  return clGetMemObjectInfo (buffer, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS ? size : 0;
}

void
ls_cl_buffer_clear (LsCl *self, cl_mem *buffer)
{
  if (*buffer == NULL)
    return;
  self->memory.used -= (gint64) size_of (*buffer);
  clReleaseMemObject (*buffer);
  *buffer = NULL;
}

/* A buffer with contents, which the device has taken over when this returns. */
static cl_mem
buffer_of (LsCl *self, const void *contents, gsize bytes, const char *title, GError **error)
{
  cl_mem buffer = ls_cl_buffer_new (self, bytes, title, error);
  cl_int code = CL_SUCCESS;

  if (buffer && bytes > 0)
    code = clEnqueueWriteBuffer (self->queue, buffer, CL_TRUE, 0, bytes, contents, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    {
      ls_cl_fail (error, code, "clEnqueueWriteBuffer", title);
      ls_cl_buffer_clear (self, &buffer);
    }
  return buffer;
}

static void CL_CALLBACK
samples_released_cb (cl_mem buffer, void *data)
{
  ls_data_unref (data);
}

/* A processor that plays the device reads the samples where they are, and the driver says when it is done
 * with them. */
static cl_mem
buffer_in_place (LsCl *self, const LsDataset *set, gsize bytes, const char *title, GError **error)
{
  cl_mem buffer = create_buffer (self, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, set->samples, title,
                                 error);
  cl_int code;

  if (buffer == NULL)
    return NULL;
  code = clSetMemObjectDestructorCallback (buffer, samples_released_cb, ls_data_ref (self->data));
  if (code == CL_SUCCESS)
    return buffer;
  ls_cl_fail (error, code, "clSetMemObjectDestructorCallback", title);
  ls_cl_buffer_clear (self, &buffer);
  ls_data_unref (self->data);
  return NULL;
}

static cl_mem
buffer_of_samples (LsCl *self, const LsDataset *set, const char *title, GError **error)
{
  const gsize bytes = (gsize) set_bytes (set);

  return self->device->limits.is_cpu && bytes >= 4 && bytes % 4 == 0
           ? buffer_in_place (self, set, bytes, title, error)
           : buffer_of (self, set->samples, bytes, title, error);
}

/* What is there from an attempt that failed later stays. */
static gboolean
upload_set (LsCl *self, LsClSet *slot, const LsDataset *set, const char *title, GError **error)
{
  slot->set = set;
  if (slot->samples == NULL)
    slot->samples = buffer_of_samples (self, set, title, error);
  if (slot->samples != NULL && slot->labels == NULL)
    slot->labels = buffer_of (self, set->labels, (gsize) set->n * sizeof (gint32), title, error);
  return slot->labels != NULL;
}

static gboolean
upload_data (LsCl *self, GError **error)
{
  LsClMemory *m = &self->memory;

  if (!upload_set (self, &m->sets[0], &self->data->train, _("the training set"), error)
      || !upload_set (self, &m->sets[1], &self->data->test, _("the test set"), error))
    return FALSE;
  m->byte_values = buffer_of (self, ls_dataset_byte_values (), 256 * sizeof (float),
                              _("the table of byte values"), error);
  return m->byte_values != NULL;
}

const LsClSet *
ls_cl_set_find (const LsCl *self, const LsDataset *set)
{
  for (guint i = 0; i < 2; i++)
    if (set && self->memory.sets[i].set == set && self->memory.sets[i].labels)
      return &self->memory.sets[i];
  return NULL;
}

/* Makes what isn't there yet; called again after a change of options. */
gboolean
ls_cl_memory_prepare (LsCl *self, GError **error)
{
  LsClMemory *m = &self->memory;

  if (!check_sizes (self, error))
    return FALSE;
  if (m->tensors == NULL)
    {
      m->n_tensors = self->plan->n_tensors;
      m->tensors = g_new0 (cl_mem, m->n_tensors);
      m->copies = g_new0 (cl_mem, m->n_tensors);
    }
  for (guint i = 0; i < m->n_tensors; i++)
    if (m->copies[i] == NULL && ls_tensor_has_copy (&self->plan->tensors[i])
        && (m->copies[i] = ls_cl_buffer_new (self, ls_tensor_copy_bytes (&self->plan->tensors[i]),
                                             self->plan->tensors[i].name, error))
             == NULL)
      return FALSE;
  for (guint i = 0; i < m->n_tensors; i++)
    if (m->tensors[i] == NULL
        && (m->tensors[i] = self->plan->tensors[i].is_view
                              ? ls_cl_view_new (self, i, error)
                              : ls_cl_buffer_new (self, ls_tensor_bytes (&self->plan->tensors[i]),
                                                  self->plan->tensors[i].name, error))
             == NULL)
      return FALSE;
  ls_cl_placed_make (self);
  for (guint i = 0; i < 2; i++)
    {
      ls_cl_buffer_clear (self, &m->scratch[i]);
      m->scratch[i] = ls_cl_buffer_new (self, m->scratch_bytes[i], _("the kernels’ scratch memory"), error);
      if (m->scratch[i] == NULL)
        return FALSE;
    }
  if (plan_gathers (self) && m->byte_values == NULL && !upload_data (self, error))
    return FALSE;
  return ls_cl_memory_steps (self, 1, error);
}

void
ls_cl_memory_allocated (const LsCl *self, LsStepMemory *memory)
{
  const LsClMemory *m = &self->memory;
  gint64 *bytes = memory->bytes;

  *memory = (LsStepMemory){ 0 };
  for (guint i = 0; m->tensors != NULL && i < m->n_tensors; i++)
    {
      const LsMemoryPart part = ls_memory_part_of (self->plan->tensors[i].role);
      bytes[part] += (gint64) (size_of (m->tensors[i]) + size_of (m->copies[i]));
    }
  for (guint i = 0; i < 2; i++)
    {
      bytes[LS_MEMORY_WORKSPACE] += (gint64) size_of (m->scratch[i]);
      bytes[LS_MEMORY_DATA] += (gint64) (size_of (m->sets[i].samples) + size_of (m->sets[i].labels));
    }
  bytes[LS_MEMORY_WORKSPACE] += (gint64) (size_of (m->index) + size_of (m->losses) + size_of (m->byte_values)
                                          + size_of (self->unscale.overflowed));
}

cl_int
ls_cl_finish (LsCl *self, cl_command_queue queue)
{
  const cl_int code = clFinish (queue);

  self->lost |= code != CL_SUCCESS;
  return code;
}

/* Frees what commands read and write on the host. After a queue that never finished it stays, and whoever
 * looks for leaks finds it in the list. */
static void
let_go (LsCl *self, gpointer memory)
{
  static GMutex mutex;
  static GPtrArray *kept;

  if (!self->lost || memory == NULL)
    {
      free (memory);
      return;
    }
  g_mutex_lock (&mutex);
  if (kept == NULL)
    kept = g_ptr_array_new ();
  g_ptr_array_add (kept, memory);
  g_mutex_unlock (&mutex);
}

static void
clear_host (LsCl *self)
{
  let_go (self, g_steal_pointer (&self->memory.positions));
  let_go (self, g_steal_pointer (&self->memory.loss));
}

gboolean
ls_cl_memory_steps (LsCl *self, guint n_steps, GError **error)
{
  LsClMemory *m = &self->memory;

  if (n_steps <= m->n_steps)
    return TRUE;
  n_steps = MAX (n_steps, LS_CL_FIRST_STEPS);
  ls_cl_buffer_clear (self, &m->losses);
  ls_cl_buffer_clear (self, &m->index);
  clear_host (self);
  m->n_steps = 0;
  m->positions = g_try_new (guint32, (gsize) n_steps * self->plan->batch);
  m->loss = g_try_new0 (float, 1);
  if (m->positions == NULL || m->loss == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                   _("there is no memory for a batch of %u samples on the host"), self->plan->batch);
      return FALSE;
    }
  m->losses = ls_cl_buffer_new (self, n_steps * sizeof (float), _("the losses"), error);
  if (m->losses != NULL)
    m->index = ls_cl_buffer_new (self, (gsize) n_steps * self->plan->batch * sizeof (guint32),
                                 _("the batches’ positions"), error);
  if (m->index == NULL)
    return FALSE;
  m->n_steps = n_steps;
  return TRUE;
}

static gboolean
make_host_scratch (LsCl *self, GError **error)
{
  gsize n = 1;

  for (guint i = 0; i < self->plan->n_ops; i++)
    {
      LsOpCall call;
      ls_plan_call (self->plan, &self->host, i, &call);
      n = MAX (n, ls_op_scratch (&call));
    }
  self->host_scratch = g_try_new (float, n);
  if (self->host_scratch == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                 _("there is no memory for a batch of %u samples on the host"), self->plan->batch);
  return self->host_scratch != NULL;
}

static gboolean
make_stage (const LsPlan *plan, LsClStage *stage)
{
  if (stage->x == NULL)
    stage->x = g_try_malloc (ls_tensor_bytes (&plan->tensors[plan->x]));
  if (stage->labels == NULL)
    stage->labels = g_try_malloc (ls_tensor_bytes (&plan->tensors[plan->labels]));
  return stage->x != NULL && stage->labels != NULL;
}

gboolean
ls_cl_memory_host (LsCl *self, GError **error)
{
  if (self->host.base == NULL
      && !ls_arena_init (&self->host, self->plan->tensors, self->plan->n_tensors, FALSE, error))
    return FALSE;
  if (self->host_scratch == NULL && !make_host_scratch (self, error))
    return FALSE;
  if (self->plan->x >= self->plan->n_tensors)
    return TRUE;
  for (guint i = 0; i < LS_CL_AHEAD; i++)
    if (!make_stage (self->plan, &self->stages[i]))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_MEMORY,
                     _("there is no memory for a batch of %u samples on the host"), self->plan->batch);
        return FALSE;
      }
  return TRUE;
}

void
ls_cl_memory_clear (LsCl *self)
{
  LsClMemory *m = &self->memory;

  ls_cl_placed_clear (self);
  for (guint i = 0; m->tensors && i < m->n_tensors; i++)
    {
      ls_cl_buffer_clear (self, &m->tensors[i]);
      ls_cl_buffer_clear (self, &m->copies[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      ls_cl_buffer_clear (self, &m->scratch[i]);
      ls_cl_buffer_clear (self, &m->sets[i].samples);
      ls_cl_buffer_clear (self, &m->sets[i].labels);
    }
  ls_cl_buffer_clear (self, &m->index);
  ls_cl_buffer_clear (self, &m->byte_values);
  ls_cl_buffer_clear (self, &m->losses);
  g_free (m->tensors);
  g_free (m->copies);
  clear_host (self);
  *m = (LsClMemory){ 0 };
  for (guint i = 0; i < LS_CL_AHEAD; i++)
    {
      let_go (self, self->stages[i].x);
      let_go (self, self->stages[i].labels);
    }
  memset (self->stages, 0, sizeof self->stages);
  let_go (self, self->host.base);
  self->host = (LsArena){ 0 };
  let_go (self, g_steal_pointer (&self->host_scratch));
}
