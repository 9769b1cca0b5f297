/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between backward and update of a step in fp16 (core/loss_scale.h): weight gradients are divided by the
 * scale and looked at on the device, and the host waits to hear whether the step has an update: the one thing
 * that it waits for within a step, as torch's GradScaler does.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/device/cl_error.h"

#define GROUP 64 /* unscale.cl */
#define ITEM  16

static const char *const sources[] = { "unscale.cl", NULL };

void
ls_cl_unscale_clear (LsCl *self)
{
  if (self->unscale.kernel != NULL)
    clReleaseKernel (self->unscale.kernel);
  if (self->unscale.program != NULL)
    clReleaseProgram (self->unscale.program);
  ls_cl_buffer_clear (self, &self->unscale.overflowed);
  self->unscale.kernel = NULL;
  self->unscale.program = NULL;
}

static gboolean
enqueue (LsCl *self, guint tensor, double factor, const LsClOrder *order, GError **error)
{
  const LsTensor *t = &self->plan->tensors[tensor];
  const cl_int count = (cl_int) ls_tensor_count (t);
  const cl_float inverse = (cl_float) (1 / factor);
  const size_t local = GROUP, global = ((size_t) count + GROUP * ITEM - 1) / (GROUP * ITEM) * GROUP;
  cl_kernel kernel = self->unscale.kernel;
  cl_event *event;
  cl_int code = clSetKernelArg (kernel, 0, sizeof (cl_mem), &self->memory.tensors[tensor]);

  if (code == CL_SUCCESS)
    code = clSetKernelArg (kernel, 1, sizeof count, &count);
  if (code == CL_SUCCESS)
    code = clSetKernelArg (kernel, 2, sizeof inverse, &inverse);
  if (code == CL_SUCCESS)
    code = clSetKernelArg (kernel, 3, sizeof (cl_mem), &self->unscale.overflowed);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clSetKernelArg", t->name);
  event = ls_cl_recorder_begin (order->recorder, LS_EVENT_KERNEL, self->plan->first_op[LS_PHASE_UPDATE], 0,
                                NULL);
  code = clEnqueueNDRangeKernel (order->queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
  ls_cl_recorder_end (order->recorder);
  return code == CL_SUCCESS ? ls_cl_view_written (self, tensor, order->queue, error)
                            : ls_cl_fail (error, code, "clEnqueueNDRangeKernel", t->name);
}

/* Of all gradients, and whether one wasn't finite. */
static gboolean
unscale (LsCl *self, double factor, const LsClOrder *order, gboolean *overflowed, GError **error)
{
  static const cl_int none = 0;
  cl_event *event;
  cl_int told = 0, code;

  for (guint p = 0; p < self->plan->n_params; p++)
    if (!enqueue (self, self->plan->params[p].gradient, factor, order, error))
      return FALSE;
  event = ls_cl_recorder_begin (order->recorder, LS_EVENT_COPY_OUT, self->plan->first_op[LS_PHASE_UPDATE],
                                sizeof told, NULL);
  code = clEnqueueReadBuffer (order->queue, self->unscale.overflowed, CL_TRUE, 0, sizeof told, &told, 0, NULL,
                              event);
  ls_cl_recorder_end (order->recorder);
  if (code == CL_SUCCESS && told != 0)
    code = clEnqueueWriteBuffer (order->queue, self->unscale.overflowed, CL_TRUE, 0, sizeof none, &none, 0,
                                 NULL, NULL);
  *overflowed = told != 0;
  return code == CL_SUCCESS
         || ls_cl_fail (error, code, "clEnqueueReadBuffer", _("whether gradients are finite"));
}

gboolean
ls_cl_unscale_prepare (LsCl *self, GError **error)
{
  g_autofree char *source = NULL;
  cl_int code;

  ls_cl_unscale_clear (self);
  if (self->plan->precision != LS_PRECISION_FP16 || self->plan->n_params == 0)
    return TRUE;
  source = ls_cl_source_load (self->edited, sources, error);
  if (source == NULL
      || (self->unscale.program = ls_cl_program_build (&self->builder, sources[0], source,
                                                       LS_CL_BUILD_OPTIONS, error))
           == NULL
      || (self->unscale.overflowed = ls_cl_buffer_new (self, sizeof (cl_int),
                                                       _("whether gradients are finite"), error))
           == NULL)
    return FALSE;
  self->unscale.kernel = clCreateKernel (self->unscale.program, "unscale", &code);
  if (code != CL_SUCCESS)
    {
      self->unscale.kernel = NULL;
      return ls_cl_fail (error, code, "clCreateKernel", "unscale");
    }
  /* PoCL compiles it when it is first enqueued; gradients are made anew by each step */
  gboolean overflowed;
  return unscale (self, 1, &(LsClOrder){ .queue = self->queue }, &overflowed, error);
}

gboolean
ls_cl_enqueue_all (LsCl *self, const LsRun *run, guint n_launches, const LsClOrder *order,
                   LsRunResult *result, GError **error)
{
  LsHyper hyper = order->hyper != NULL ? *order->hyper : (LsHyper){ 0 };
  LsClOrder own = *order;
  gboolean overflowed = FALSE, looked = !(ls_run_factor (run) > 0);

  if (run->scale != NULL)
    hyper.scale = *run->scale;
  own.hyper = order->hyper != NULL ? &hyper : NULL;
  for (guint i = 0; i < n_launches && !overflowed; i++)
    {
      if (!looked && self->schedule[i]->op >= self->plan->first_op[LS_PHASE_UPDATE])
        {
          looked = TRUE;
          if (!unscale (self, hyper.scale.factor, order, &overflowed, error))
            return FALSE;
          if (overflowed)
            break;
        }
      own.end = i == n_launches - 1 ? order->end : NULL;
      if (!ls_cl_enqueue (self, self->schedule[i], &own, error))
        return FALSE;
    }
  ls_run_step_done (run, result, order->step, overflowed);
  return TRUE;
}
