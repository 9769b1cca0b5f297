/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device's limits: work over time, and of memory as much as its cache doesn't hold.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/opencl/device/cl.h"

#define TAKES_NS G_GUINT64_CONSTANT (2000000) /* every command, as it is told */
#define MIB      (G_GINT64_CONSTANT (1) << 20)

static const gint64 mnist_shape[3] = { 1, 28, 28 };

static cl_ulong cache; /* bytes that the device is said to have; 0: what it has */

/* In the library's place. */
CL_API_ENTRY cl_int CL_API_CALL
clGetEventProfilingInfo (cl_event event, cl_profiling_info what, size_t room, void *value, size_t *size)
{
  cl_int code;

  code = RIG_REAL (clGetEventProfilingInfo) (event, CL_PROFILING_COMMAND_START, room, value, size);
  if (code == CL_SUCCESS && room == sizeof (cl_ulong) && what == CL_PROFILING_COMMAND_END)
    *(cl_ulong *) value += TAKES_NS;
  return code;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t room, void *value, size_t *size)
{
  cl_int code;

  code = RIG_REAL (clGetDeviceInfo) (device, what, room, value, size);
  if (code == CL_SUCCESS && what == CL_DEVICE_GLOBAL_MEM_CACHE_SIZE && room == sizeof (cl_ulong) && cache > 0)
    *(cl_ulong *) value = cache;
  return code;
}

/* A triad over three arrays, of which two are read and one is written, each as large as the cache, from 32 to
 * 256 MiB; and from local memory a float is loaded where the other kernel multiplies and adds. */
static void
test_roofs (void)
{
  static const struct {
    cl_ulong cache;
    gint64 array;
  } rows[]
    = { { 1024, 32 * MIB }, { 32 * MIB, 32 * MIB }, { 48 * MIB, 48 * MIB }, { 1024 * MIB, 256 * MIB } };
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 10", mnist_shape, 10, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (16, mnist_shape, 10);
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  const LsDeviceInfo *info = lane->backend->device (lane->instance);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gint64 array = info->max_alloc > 0 ? MIN (rows[i].array, info->max_alloc) : rows[i].array;
      g_autoptr (GError) error = NULL;
      LsFigure roofs[LS_ROOF_N] = { 0 };
      double bytes;

      array = info->global_mem > 0 ? MIN (array, info->global_mem / 16) : array;
      cache = rows[i].cache;
      lane->backend->roofs->measure (lane->instance, roofs, &error);
      cache = 0;
      g_assert_no_error (error);
      bytes = roofs[LS_ROOF_MEMORY].value * (double) TAKES_NS * 1e-9;
      if (fabs (bytes / (3. * (double) array) - 1) > .01)
        g_error ("a triad over three arrays of %" G_GINT64_FORMAT " bytes is said to move %.0f", array,
                 bytes);
      g_assert_cmpuint (roofs[LS_ROOF_MEMORY].n, >=, 5);
      g_assert_cmpfloat_with_epsilon (roofs[LS_ROOF_LOCAL].value / roofs[LS_ROOF_FLOPS].value, 2, 1e-9);
    }
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/cl-roofs/sizes", test_roofs);
  return g_test_run ();
}
