/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that are parts of others. Where the device lets a part begin there, its buffer is a part of the
 * other's, and nothing is copied. Where it doesn't (rows whose bytes are no multiple of what the device
 * aligns to), the part has a buffer apart, and whoever writes one of the two has it copied to the other, in
 * the same queue.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include "backends/opencl/device/cl_error.h"

static gsize
begin_of (const LsTensor *t)
{
  return (gsize) t->first * ls_dtype_size (t->dtype);
}

gboolean
ls_cl_view_is_apart (const LsCl *self, guint tensor)
{
  const LsTensor *t = &self->plan->tensors[tensor];

  return t->is_view && begin_of (t) % self->device->limits.alignment != 0;
}

/* The same part of another tensor's memory, or all of it. */
static cl_mem
part_new (const LsCl *self, guint tensor, cl_mem whole, GError **error)
{
  const LsTensor *t = &self->plan->tensors[tensor];
  const cl_buffer_region region = { begin_of (t), ls_tensor_bytes (t) };
  cl_mem buffer;
  cl_int code;

  buffer = clCreateSubBuffer (whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (code == CL_SUCCESS && buffer != NULL)
    return buffer;
  ls_cl_fail (error, code, "clCreateSubBuffer", t->name);
  return NULL;
}

cl_mem
ls_cl_view_new (LsCl *self, guint tensor, GError **error)
{
  const LsTensor *t = &self->plan->tensors[tensor];

  if (ls_cl_view_is_apart (self, tensor))
    {
      self->memory.any_apart = TRUE;
      return ls_cl_buffer_new (self, ls_tensor_bytes (t), t->name, error);
    }
  return part_new (self, tensor, self->memory.tensors[t->base], error);
}

/* From the memory of the whole to the part that lies apart, what they and the written rows have in common; or
 * back. */
static gboolean
copy (LsCl *self, guint view, const LsTensor *written, gboolean back, cl_command_queue queue, GError **error)
{
  const LsTensor *t = &self->plan->tensors[view];
  const cl_mem whole = self->memory.tensors[t->base], part = self->memory.tensors[view];
  const gsize from = MAX (begin_of (t), begin_of (written)),
              end = MIN (begin_of (t) + ls_tensor_bytes (t), begin_of (written) + ls_tensor_bytes (written));
  const cl_int code
    = back ? clEnqueueCopyBuffer (queue, part, whole, from - begin_of (t), from, end - from, 0, NULL, NULL)
           : clEnqueueCopyBuffer (queue, whole, part, from, from - begin_of (t), end - from, 0, NULL, NULL);

  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueCopyBuffer", t->name);
}

gboolean
ls_cl_view_written (LsCl *self, guint tensor, cl_command_queue queue, GError **error)
{
  const LsTensor *tensors = self->plan->tensors;

  if (!self->memory.any_apart)
    return TRUE;
  if (ls_cl_view_is_apart (self, tensor) && !copy (self, tensor, &tensors[tensor], TRUE, queue, error))
    return FALSE;
  for (guint i = 0; i < self->plan->n_tensors; i++)
    if (i != tensor && ls_cl_view_is_apart (self, i) && ls_tensors_overlap (tensors, i, tensor)
        && !copy (self, i, &tensors[tensor], FALSE, queue, error))
      return FALSE;
  return TRUE;
}

static gboolean
op_written (LsCl *self, const LsOp *op, cl_command_queue queue, GError **error)
{
  for (guint j = 0; j < op->n_out; j++)
    if (!ls_cl_view_written (self, op->out[j], queue, error))
      return FALSE;
  return TRUE;
}

gboolean
ls_cl_views_written (LsCl *self, const LsClLaunch *launch, cl_command_queue queue, GError **error)
{
  const LsOp *ops = self->plan->ops;

  if (!self->memory.any_apart)
    return TRUE;
  if (!op_written (self, &ops[launch->op], queue, error))
    return FALSE;
  for (guint f = 0; f < launch->n_followers; f++)
    if (!op_written (self, &ops[launch->followers[f]], queue, error))
      return FALSE;
  for (guint i = 0; i < launch->n_joins; i++)
    if (!op_written (self, &ops[launch->joins[i]], queue, error)
        || !op_written (self, ls_cl_join_op (self, launch, i), queue, error))
      return FALSE;
  return TRUE;
}

/* ---- runs that reuse memory ---- */

void
ls_cl_placed_clear (LsCl *self)
{
  LsClMemory *m = &self->memory;

  for (guint i = 0; m->placed != NULL && i < m->n_tensors; i++)
    if (m->placed[i] != NULL)
      clReleaseMemObject (m->placed[i]);
  g_clear_pointer (&m->placed, g_free);
}

/* The tensor whose buffer is just where tensor i is to lie: one handle for both, as a kernel may read the one
 * and write the other; G_MAXUINT: there is none. */
static guint
same_place (const LsCl *self, guint i)
{
  const LsTensor *tensors = self->plan->tensors, *t = &tensors[i];

  for (guint j = 0; j < self->plan->n_tensors; j++)
    if (t->is_view ? tensors[j].is_view && tensors[j].base == self->place[i] && tensors[j].first == t->first
                       && ls_tensor_count (&tensors[j]) == ls_tensor_count (t)
                   : j == self->place[i])
      return j;
  return G_MAXUINT;
}

void
ls_cl_placed_make (LsCl *self)
{
  LsClMemory *m = &self->memory;
  const LsTensor *tensors = self->plan->tensors;

  ls_cl_placed_clear (self);
  if (self->place == NULL || m->any_apart)
    return;
  m->placed = g_new0 (cl_mem, m->n_tensors);
  for (guint i = 0; i < m->n_tensors; i++)
    {
      if (self->place[i] == ls_tensor_whole (tensors, i))
        continue;
      const guint same = same_place (self, i);
      m->placed[i] = same != G_MAXUINT ? m->tensors[same]
                                       : part_new (self, i, m->tensors[self->place[i]], NULL);
      if (m->placed[i] == NULL || (same != G_MAXUINT && clRetainMemObject (m->placed[i]) != CL_SUCCESS))
        {
          m->placed[i] = NULL;
          ls_cl_placed_clear (self); /* every tensor stays where it is */
          return;
        }
    }
}

static gboolean
place (LsCl *self, LsClLaunch *launch, GError **error)
{
  return !launch->ready[0] || ls_cl_set_fixed_args (self, launch, FALSE, error);
}

gboolean
ls_cl_reuse (LsCl *self, gboolean reuse, GError **error)
{
  if (self->memory.placed == NULL || (self->reuses == reuse && !self->half_placed))
    return TRUE;
  self->reuses = reuse;
  self->half_placed = TRUE; /* until all are set, whoever comes next sets all of them */
  for (guint i = 0; i < self->plan->n_ops; i++)
    if (!place (self, &self->single[i], error) || !place (self, &self->chain[i], error))
      return FALSE;
  self->half_placed = FALSE;
  return TRUE;
}
