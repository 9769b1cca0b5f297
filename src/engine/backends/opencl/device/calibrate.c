/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See calibrate.h. PoCL's event times are CLOCK_MONOTONIC_RAW itself, so the offset found there is a check of
 * the method: it comes out as 0 within the error.
 */
#include "config.h"
#include "backends/opencl/device/calibrate.h"

#include "backends/opencl/device/cl_error.h"
#include "trace/event.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#define HAVE_TSC 1
#else
#define HAVE_TSC 0
#endif

#define TRIES        12
#define MIN_APART_NS 1000000u /* two readings of the counter closer than this don't make a line */

static gboolean
one_try (cl_command_queue queue, cl_mem buffer, LsCalibration *calibration, GError **error)
{
  static guint32 word; /* not on the stack: a queue that fails may write it later; nobody reads it */
  guint64 before_ns, after_ns, known_ns;
  cl_ulong queued = 0, start = 0, end = 0;
  cl_event event = NULL;
  cl_int code;
  gint64 low, high; /* whole numbers: device clocks that count from 1970 are too large for a double's ns */

  before_ns = ls_clock_ns ();
  code = clEnqueueReadBuffer (queue, buffer, CL_FALSE, 0, sizeof word, &word, 0, NULL, &event);
  after_ns = ls_clock_ns ();
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clEnqueueReadBuffer", "calibration");
  code = clWaitForEvents (1, &event);
  known_ns = ls_clock_ns ();
  if (code != CL_SUCCESS)
    {
      clReleaseEvent (event);
      return ls_cl_fail (error, code, "clWaitForEvents", "calibration");
    }
  code = clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
  if (code == CL_SUCCESS)
    code = clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  clReleaseEvent (event);
  if (code != CL_SUCCESS)
    return ls_cl_fail (error, code, "clGetEventProfilingInfo", "calibration");

  /* offset = device − host: queued within the call, and the end before the host knew of it. */
  low = MAX ((gint64) (queued - after_ns), (gint64) (end - known_ns));
  high = (gint64) (queued - before_ns);
  if (low > high)
    {
      low = (gint64) (end - known_ns);
      high = (gint64) (start - before_ns);
    }
  ls_calibration_set (calibration, low, high);
  return TRUE;
}

gboolean
ls_cl_calibrate (cl_command_queue queue, cl_mem buffer, LsCalibration *calibration, GError **error)
{
  calibration->error_ns = G_MAXDOUBLE;
  for (guint i = 0; i < TRIES; i++)
    {
      LsCalibration one;
      if (!one_try (queue, buffer, &one, error))
        return FALSE;
      if (one.error_ns < calibration->error_ns)
        *calibration = one;
    }
  return TRUE;
}

gboolean
ls_tsc_read (LsTsc *tsc)
{
  *tsc = (LsTsc){ .error_ns = G_MAXDOUBLE };
#if HAVE_TSC
  for (guint i = 0; i < TRIES; i++)
    {
      guint64 before_ns = ls_clock_ns ();
      guint64 ticks = __rdtsc ();
      guint64 after_ns = ls_clock_ns ();
      double error_ns = (double) (after_ns - before_ns) / 2;
      if (error_ns < tsc->error_ns)
        *tsc = (LsTsc){ .ticks = ticks, .ns = before_ns + (after_ns - before_ns) / 2, .error_ns = error_ns };
    }
#endif
  return HAVE_TSC;
}

gboolean
ls_tsc_rate (const LsTsc *first, const LsTsc *second, double *ns_per_tick)
{
  if (second->ns < first->ns + MIN_APART_NS || second->ticks <= first->ticks)
    return FALSE;
  *ns_per_tick = (double) (second->ns - first->ns) / (double) (second->ticks - first->ticks);
  return TRUE;
}
