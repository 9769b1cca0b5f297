/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device's limits, measured: multiply-adds, memory, local memory, each by its kernel in
 * kernels_cl/roofs.cl. A launch is made long enough for the clock first; then it is timed some times by the
 * device's own events. All of it takes some tens of milliseconds, the first build aside; where the device's
 * cache is huge, some hundred.
 */
#include "config.h"
#include "backends/opencl/run/instance.h"

#include <glib/gi18n-lib.h>

#include "backends/opencl/device/cl_error.h"
#include "core/memory.h"

/* Of all samples the best counts: beside other programs most are disturbed. Where one takes long, as many as
 * begin within SAMPLES_NS, SAMPLES_LEAST at least. */
#define SAMPLES       25
#define SAMPLES_LEAST 5
#define SAMPLES_NS    G_GUINT64_CONSTANT (250000000)
#define LONG_NS       1000000 /* a launch of that length is timed well enough */
#define LAUNCHES      64      /* in a sample */
#define MAX_ROUNDS    (1 << 16)
#define GPU_ITEMS     256 /* of a group */
#define GPU_GROUPS    16  /* for each unit */
#define CPU_GROUPS    2
#define CHAINS        12 /* roofs.cl */
/* Of each of three buffers: as much as the device's cache, within these. */
#define MEMORY_LEAST (G_GINT64_CONSTANT (32) << 20)
#define MEMORY_MOST  (G_GINT64_CONSTANT (256) << 20)

typedef struct {
  LsCl *self;
  guint vec;
  size_t items, groups;
  cl_program program;
  cl_mem out, a, b;
  gint64 floats; /* of each of out, a, b */
} Roofs;

/* Bytes of each buffer. A device that is this machine's processor shares its memory, of which there may be
 * little. */
static gint64
memory_bytes (const Roofs *r)
{
  const LsDeviceInfo *info = r->self->info;
  cl_ulong cache = 0;
  gint64 most = MEMORY_MOST;

  if (r->self->device->limits.is_cpu)
    most = (gint64) MIN (MIN (ls_memory_cgroup_left (""), ls_memory_address_space_left ()) / 12,
                         (guint64) MEMORY_MOST);
  clGetDeviceInfo (r->self->device->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, NULL);
  most = CLAMP ((gint64) MIN (cache, (cl_ulong) MEMORY_MOST), MEMORY_LEAST, MAX (most, MEMORY_LEAST));
  most = info->max_alloc > 0 ? MIN (info->max_alloc, most) : most;
  return info->global_mem > 0 ? MIN (most, info->global_mem / 16) : most;
}

/* Not with the zeros of a new buffer: those some machines move faster than other numbers, at 54 GB/s instead
 * of 30 on a virtual one. */
static gboolean
fill (const Roofs *r, cl_mem buffer, GError **error)
{
  const cl_float number = .875f;
  const cl_int code = clEnqueueFillBuffer (r->self->queue, buffer, &number, sizeof number, 0,
                                           (size_t) r->floats * 4, 0, NULL, NULL);

  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueFillBuffer", _("the roofs’ memory"));
}

/* New buffers are filled through a queue that isn't the measured one. */
static gboolean
finish (const Roofs *r, GError **error)
{
  const cl_int code = clFinish (r->self->queue);

  return code == CL_SUCCESS || ls_cl_fail (error, code, "clFinish", _("the roofs’ memory"));
}

static gboolean
make (Roofs *r, GError **error)
{
  static const char *const names[] = { "vector.clh", "roofs.cl", NULL };
  const LsClLimits *limits = &r->self->device->limits;
  g_autofree char *source = ls_cl_source_load (NULL, names, error), *options = NULL;

  if (source == NULL)
    return FALSE;
  r->vec = limits->is_cpu ? (limits->vector_width >= 16 ? 16 : limits->vector_width >= 8 ? 8 : 4) : 4;
  r->items = limits->is_cpu ? 1 : MIN (GPU_ITEMS, limits->max_group);
  r->groups = (size_t) MAX (limits->units, 1) * (limits->is_cpu ? CPU_GROUPS : GPU_GROUPS);
  r->floats = memory_bytes (r) / 4;
  options = g_strdup_printf (LS_CL_BUILD_OPTIONS " -D VEC=%u", r->vec);
  if (ls_cl_program_missing (&r->self->builder, source, options))
    ls_cl_build_aside (r->self, LS_TRIAL_WALK, 0, 0);
  r->program = ls_cl_program_build (&r->self->builder, "roofs.cl", source, options, error);
  return r->program
         && (r->out = ls_cl_buffer_new (r->self, (gsize) r->floats * 4, _("the roofs’ memory"), error))
         && (r->a = ls_cl_buffer_new (r->self, (gsize) r->floats * 4, _("the roofs’ memory"), error))
         && (r->b = ls_cl_buffer_new (r->self, (gsize) r->floats * 4, _("the roofs’ memory"), error))
         && fill (r, r->a, error) && fill (r, r->b, error) && finish (r, error);
}

static void
clear (Roofs *r)
{
  ls_cl_buffer_clear (r->self, &r->out);
  ls_cl_buffer_clear (r->self, &r->a);
  ls_cl_buffer_clear (r->self, &r->b);
  if (r->program)
    clReleaseProgram (r->program);
}

/* One launch's length on the device; 0: it couldn't be had. */
static gint64
time_once (Roofs *r, cl_kernel kernel, cl_uint last, cl_int iterations, size_t groups)
{
  const size_t global = groups * r->items;
  cl_ulong start = 0, end = 0;
  cl_event event = NULL;
  cl_int code = clSetKernelArg (kernel, last, sizeof iterations, &iterations);

  if (code == CL_SUCCESS)
    code = clEnqueueNDRangeKernel (r->self->profiling_queue, kernel, 1, NULL, &global, &r->items, 0, NULL,
                                   &event);
  if (code == CL_SUCCESS)
    code = clWaitForEvents (1, &event);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  if (event)
    clReleaseEvent (event);
  return code == CL_SUCCESS && end > start ? (gint64) (end - start) : 0;
}

/* work: of one iteration of all items. fixed: that many iterations, no more; 0: as many as make a launch
 * long. */
static LsFigure
sample (Roofs *r, cl_kernel kernel, cl_uint last, cl_int fixed, size_t groups, double work, LsRoof roof)
{
  cl_int iterations = fixed > 0 ? fixed : 64;
  double rates[SAMPLES];
  guint64 until_ns;
  gsize n = 0;

  time_once (r, kernel, last, iterations, groups); /* drivers compile, pages come */
  while (fixed == 0 && iterations < MAX_ROUNDS && time_once (r, kernel, last, iterations, groups) < LONG_NS)
    iterations *= 2;
  until_ns = ls_clock_ns () + SAMPLES_NS;
  for (guint i = 0; i < SAMPLES && (i < SAMPLES_LEAST || ls_clock_ns () < until_ns); i++)
    {
      const gint64 ns = time_once (r, kernel, last, iterations, groups);
      if (ns > 0)
        rates[n++] = work * iterations / (double) ns * 1e9;
    }
  return ls_roof_of_samples (rates, n, roof);
}

static gboolean
measure (Roofs *r, LsRoof roof, const char *function, LsFigure *figure, GError **error)
{
  cl_int code, turns = 0;
  cl_kernel kernel = clCreateKernel (r->program, function, &code);
  cl_uint last = 1;
  size_t groups = r->groups;

  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateKernel", function);
  code = clSetKernelArg (kernel, 0, sizeof r->out, &r->out);
  if (roof == LS_ROOF_MEMORY)
    {
      /* at least one: a device of very many units has more work-items than there are vectors */
      groups = CLAMP ((size_t) r->floats / (r->items * r->vec), 1, groups);
      turns = MAX (1, (cl_int) (r->floats / (gint64) (groups * r->items * r->vec)));
      if (code == CL_SUCCESS)
        code = clSetKernelArg (kernel, 1, sizeof r->a, &r->a);
      if (code == CL_SUCCESS)
        code = clSetKernelArg (kernel, 2, sizeof r->b, &r->b);
      last = 3;
    }
  if (code == CL_SUCCESS)
    *figure = sample (r, kernel, last, turns, groups,
                      (double) (groups * r->items * r->vec)
                        * (roof == LS_ROOF_FLOPS    ? 2.0 * CHAINS
                           : roof == LS_ROOF_MEMORY ? 12.0
                                                    : 4.0 * CHAINS),
                      roof);
  clReleaseKernel (kernel);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clSetKernelArg", function);
}

/* Kernels of one item that do nothing, one behind the other in the lane's own queue, up to the end of the
 * last. */
static gboolean
measure_launches (Roofs *r, LsFigure *figure, GError **error)
{
  const size_t one = 1;
  const cl_int none = 0;
  double rates[SAMPLES];
  gsize n = 0;
  cl_int code;
  cl_kernel kernel = clCreateKernel (r->program, "roof_flops", &code);

  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clCreateKernel", "roof_flops");
  code = clSetKernelArg (kernel, 0, sizeof r->out, &r->out);
  if (code == CL_SUCCESS)
    code = clSetKernelArg (kernel, 1, sizeof none, &none);
  for (guint i = 0; code == CL_SUCCESS && i <= SAMPLES; i++) /* the first one doesn't count: drivers compile
                                                              */
    {
      const gint64 start_us = g_get_monotonic_time ();
      for (guint k = 0; k < LAUNCHES && code == CL_SUCCESS; k++)
        code = clEnqueueNDRangeKernel (r->self->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
      if (code == CL_SUCCESS)
        code = clFinish (r->self->queue);
      if (code == CL_SUCCESS && i > 0)
        rates[n++] = LAUNCHES * 1e6 / (double) MAX (g_get_monotonic_time () - start_us, 1);
    }
  clReleaseKernel (kernel);
  *figure = ls_roof_of_samples (rates, n, LS_ROOF_LAUNCH);
  return code == CL_SUCCESS || ls_cl_fail (error, code, "clEnqueueNDRangeKernel", "roof_flops");
}

gboolean
ls_cl_roofs (gpointer data, LsFigure *roofs, GError **error)
{
  LsCl *self = data;
  static const char *const functions[] = { "roof_flops", "roof_memory", "roof_local" };
  Roofs r = { .self = self };
  gboolean ok = make (&r, error);

  for (guint i = 0; ok && i < G_N_ELEMENTS (functions); i++)
    ok = measure (&r, (LsRoof) i, functions[i], &roofs[i], error);
  ok = ok && measure_launches (&r, &roofs[LS_ROOF_LAUNCH], error);
  clear (&r);
  return ok;
}
