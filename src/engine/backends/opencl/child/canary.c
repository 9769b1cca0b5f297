/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See canary.h and kernels_cl/canary.cl: y = 2·y + 1 over a few work-groups, with and without the probe's
 * last argument.
 */
#include "config.h"
#include "backends/opencl/child/canary.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/device/cl_error.h"
#include "backends/opencl/kernels/kernel.h"
#include "backends/opencl/kernels/program.h"
#include "core/error.h"

#define GROUPS 16
#define ITEMS  64 /* of all groups together; the canary's groups have 4 */
#define WORDS  (LS_CL_PROBE_HEADER + GROUPS * LS_CL_PROBE_WORDS)

typedef struct {
  LsClBuilder builder;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem y, probe;
} Canary;

static void
canary_clear (Canary *c)
{
  if (c->kernel)
    clReleaseKernel (c->kernel);
  if (c->program)
    clReleaseProgram (c->program);
  if (c->y)
    clReleaseMemObject (c->y);
  if (c->probe)
    clReleaseMemObject (c->probe);
  if (c->queue)
    clReleaseCommandQueue (c->queue);
  ls_cl_builder_clear (&c->builder);
}

static gboolean
canary_open (Canary *c, const LsClDevice *device, const char *options, GError **error)
{
  static const char *const files[] = { "probe.clh", "canary.cl", NULL };
  g_autoptr (LsKernelFiles) own = ls_kernel_files_new (); /* a driver is tried by what is known to be right */
  g_autofree char *source = ls_cl_source_load (own, files, error);
  float y[ITEMS];
  guint words[WORDS] = { 0 };
  cl_int code;

  if (source == NULL || !ls_cl_builder_init (&c->builder, device, error))
    return FALSE;
  c->queue = clCreateCommandQueue (c->builder.context, device->id, 0, &code);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateCommandQueue", device->info->name);
  c->program = ls_cl_program_build (&c->builder, "canary.cl", source, options, error);
  if (c->program == NULL)
    return FALSE;
  c->kernel = clCreateKernel (c->program, "canary", &code);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateKernel", "canary");
  for (guint i = 0; i < ITEMS; i++)
    y[i] = (float) i;
  c->y = clCreateBuffer (c->builder.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof y, y, &code);
  if (code == CL_SUCCESS)
    c->probe = clCreateBuffer (c->builder.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof words,
                               words, &code);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateBuffer", "canary");
  return TRUE;
}

static gboolean
canary_run (Canary *c, gboolean probe, GError **error)
{
  size_t global = ITEMS, local = ITEMS / GROUPS;
  float y[ITEMS];
  cl_int code = clSetKernelArg (c->kernel, 0, sizeof c->y, &c->y);

  if (code == CL_SUCCESS && probe)
    code = clSetKernelArg (c->kernel, 1, sizeof c->probe, &c->probe);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clSetKernelArg", "canary");
  code = clEnqueueNDRangeKernel (c->queue, c->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueNDRangeKernel", "canary");
  code = clEnqueueReadBuffer (c->queue, c->y, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueReadBuffer", "canary");
  for (guint i = 0; i < ITEMS; i++)
    if (y[i] != 2.0f * (float) i + 1.0f)
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("%s computes wrongly: 2·%u + 1 came back as %g"),
                     c->builder.device->info->name, i, (double) y[i]);
        return FALSE;
      }
  return TRUE;
}

gboolean
ls_cl_canary_sum (const LsClDevice *device, GError **error)
{
  Canary c = { 0 };
  gboolean ok = canary_open (&c, device, LS_CL_BUILD_OPTIONS, error) && canary_run (&c, FALSE, error);
  canary_clear (&c);
  return ok;
}

/* Every group has a start and an end, the end not before the start, and not all the same. */
static gboolean
ticks_plausible (const guint *words)
{
  guint64 least = G_MAXUINT64, most = 0;

  for (guint g = 0; g < GROUPS; g++)
    {
      const guint *w = words + LS_CL_PROBE_HEADER + g * LS_CL_PROBE_WORDS;
      guint64 start = w[2] | (guint64) w[3] << 32, end = w[4] | (guint64) w[5] << 32;
      if (start == 0 || end < start)
        return FALSE;
      least = MIN (least, start);
      most = MAX (most, end);
    }
  return most > least;
}

gboolean
ls_cl_canary_ticks (const LsClDevice *device, guint ticks, GError **error)
{
  Canary c = { 0 };
  g_autofree char *options = g_strdup_printf (LS_CL_BUILD_OPTIONS " -D LS_PROBE=1 -D LS_PROBE_TICKS=%u",
                                              ticks);
  gboolean ok = canary_open (&c, device, options, error) && canary_run (&c, TRUE, error);
  guint words[WORDS];

  if (ok)
    {
      cl_int code = clEnqueueReadBuffer (c.queue, c.probe, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL);
      if (code != CL_SUCCESS)
        ok = ls_cl_fail (error, code, "clEnqueueReadBuffer", "canary");
      else if (!ticks_plausible (words))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, _("the counter of source %u doesn't advance"),
                       ticks);
          ok = FALSE;
        }
    }
  canary_clear (&c);
  return ok;
}
