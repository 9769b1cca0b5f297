/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors' values to the device and back, from and to floats, however they are stored there.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/device/cl_error.h"
#include "core/error.h"
#include "core/half.h"

static gboolean
is_prepared (const LsCl *self, guint tensor, GError **error)
{
  if (self->memory.tensors && tensor < self->memory.n_tensors)
    return TRUE;
  g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE,
                       _("the OpenCL lane isn’t prepared: an earlier error stopped it"));
  return FALSE;
}

/* Numbers of 16 bits on their way between the device and whoever has floats: NULL with an error; or values
 * themselves, which *own then is not. */
static gpointer
as_stored (LsDtype dtype, const LsTensor *t, const void *values, guint16 **own, GError **error)
{
  *own = NULL;
  if (!ls_dtype_is_half (dtype))
    return (gpointer) values;
  *own = g_try_new (guint16, (gsize) MAX (ls_tensor_count (t), 1));
  if (*own == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_MEMORY, _("there is no memory for %s on the host"), t->name);
  return *own;
}

static gboolean
write_as (LsCl *self, cl_mem to, LsDtype dtype, const LsTensor *t, const void *values, GError **error)
{
  const gsize n = (gsize) ls_tensor_count (t);
  g_autofree guint16 *own = NULL;
  const void *stored = as_stored (dtype, t, values, &own, error);
  cl_int code;

  if (stored == NULL)
    return FALSE;
  if (own != NULL)
    ls_half_store (dtype, values, own, n);
  code = clEnqueueWriteBuffer (self->queue, to, CL_TRUE, 0, n * ls_dtype_size (dtype), stored, 0, NULL, NULL);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueWriteBuffer", t->name);
}

gboolean
ls_cl_write (gpointer data, guint tensor, const void *values, GError **error)
{
  LsCl *self = data;
  const LsTensor *t;

  if (!is_prepared (self, tensor, error))
    return FALSE;
  t = &self->plan->tensors[tensor];
  return write_as (self, self->memory.tensors[tensor], t->dtype, t, values, error)
         && (!ls_tensor_has_copy (t)
             || write_as (self, self->memory.copies[tensor], t->copy, t, values, error))
         && ls_cl_view_written (self, tensor, self->queue, error);
}

gboolean
ls_cl_read (gpointer data, guint tensor, void *values, GError **error)
{
  LsCl *self = data;
  g_autofree guint16 *own = NULL;
  const LsTensor *t;
  void *stored;
  cl_int code;

  if (!is_prepared (self, tensor, error))
    return FALSE;
  t = &self->plan->tensors[tensor];
  stored = as_stored (t->dtype, t, values, &own, error);
  if (stored == NULL)
    return FALSE;
  code = clEnqueueReadBuffer (self->queue, self->memory.tensors[tensor], CL_TRUE, 0, ls_tensor_bytes (t),
                              stored, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueReadBuffer", t->name);
  if (own != NULL)
    ls_half_load (t->dtype, own, values, (gsize) ls_tensor_count (t));
  return TRUE;
}
