/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device's limits: work over time, and of memory as much as its cache doesn't hold.
 */
#include "config.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "backends/opencl/device/cl.h"

#define TAKES_NS     G_GUINT64_CONSTANT (2000000) /* every command, as it is told */
#define LEAST_VECTOR 4                            /* floats that a work-item moves at a time */
#define MIB          (G_GINT64_CONSTANT (1) << 20)

static const gint64 mnist_shape[3] = { 1, 28, 28 };

static cl_ulong cache;             /* bytes that the device is said to have; 0: what it has */
static cl_uint units;              /* likewise compute units */
static guint64 left = G_MAXUINT64; /* bytes that this machine is said to have left */
static cl_int turns;               /* of the triad */
static cl_int rounds;              /* of the newest kernel that has a number in its second place, */
static cl_mem out;                 /* and what it writes */
static gboolean multiplied;        /* a kernel of multiply-adds was looked at */

guint64 __wrap_ls_memory_cgroup_left (const char *root);

guint64
__wrap_ls_memory_cgroup_left (G_GNUC_UNUSED const char *root)
{
  return left;
}

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
  if (code == CL_SUCCESS && what == CL_DEVICE_MAX_COMPUTE_UNITS && room == sizeof (cl_uint) && units > 0)
    *(cl_uint *) value = units;
  return code;
}

/* The triad is the only kernel with a number in its fourth place. */
CL_API_ENTRY cl_int CL_API_CALL
clSetKernelArg (cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
  turns = index == 3 && size == sizeof turns ? *(const cl_int *) value : 0;
  if (index == 0 && size == sizeof out)
    out = *(const cl_mem *) value;
  if (index == 1 && size == sizeof rounds)
    rounds = *(const cl_int *) value;
  return RIG_REAL (clSetKernelArg) (kernel, index, size, value);
}

/* Twelve chains of c = .999 c + .001, from the number of rounds on: the first work-item writes the sum of all
 * of its lanes'. From numbers that a compiler knows it could leave out what is counted. */
static void
check_multiplied (cl_command_queue queue, cl_kernel kernel)
{
  char name[32] = "";
  double wanted = 0;
  cl_float sum = 0;

  clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  if (multiplied || rounds == 0 || strcmp (name, "roof_flops") != 0)
    return;
  multiplied = TRUE;
  for (gint chain = 0; chain < 12; chain++)
    {
      double c = rounds + chain;
      for (cl_int i = 0; i < rounds; i++)
        c = .999 * c + .001;
      wanted += c;
    }
  clEnqueueReadBuffer (queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
  const double lanes = (double) sum / wanted;
  if (lanes < .99 || fabs (lanes - round (lanes)) > 1e-3 * lanes)
    g_error ("after %d rounds of 12 chains their sum is %g, that of %g lanes", rounds, (double) sum, lanes);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                        const size_t *global, const size_t *local, cl_uint n_events, const cl_event *events,
                        cl_event *event)
{
  const double bytes = (double) global[0] * turns * LEAST_VECTOR * 4;

  if (units > 0 && bytes > 32. * (double) MIB)
    g_error ("%zu work-items read %d vectors each: %.0f MiB or more of an array of 32", global[0], turns,
             bytes / (double) MIB);
  /* of so many work-items the other kernels would take half a minute */
  const cl_int code = RIG_REAL (clEnqueueNDRangeKernel) (queue, kernel, dimensions, offset,
                                                         units > 0 && turns == 0 ? local : global, local,
                                                         n_events, events, event);
  check_multiplied (queue, kernel);
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
      g_assert_true (multiplied);
      g_assert_cmpfloat_with_epsilon (roofs[LS_ROOF_LOCAL].value / roofs[LS_ROOF_FLOPS].value, 2, 1e-9);
    }
}

/* Of a processor that has little memory left, a twelfth is taken, but not less than 32 MiB. */
static void
test_little_memory (void)
{
  static const struct {
    guint64 left;
    gint64 array;
  } rows[] = { { 600 * MIB, 50 * MIB }, { 100 * MIB, 32 * MIB }, { 0, 32 * MIB } };
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
      cache = 1024 * MIB;
      left = rows[i].left;
      lane->backend->roofs->measure (lane->instance, roofs, &error);
      cache = 0;
      left = G_MAXUINT64;
      g_assert_no_error (error);
      bytes = roofs[LS_ROOF_MEMORY].value * (double) TAKES_NS * 1e-9;
      if (fabs (bytes / (3. * (double) array) - 1) > .01)
        g_error ("with %" G_GUINT64_FORMAT " bytes left a triad over three arrays of %" G_GINT64_FORMAT
                 " bytes is said to move %.0f",
                 rows[i].left, array, bytes);
    }
}

/* A device that has more units than vectors fit into the arrays gets fewer work-items, not places beyond. */
static void
test_many_units (void)
{
  g_autoptr (LsPlan) plan = rig_plan ("flatten, dense 10", mnist_shape, 10, 4, LS_OPTIMIZER_SGD);
  g_autoptr (LsData) data = rig_data (16, mnist_shape, 10);
  g_autoptr (GError) error = NULL;
  LsFigure roofs[LS_ROOF_N] = { 0 };

  units = 1 << 20;
  g_autoptr (RigLane) lane = rig_lane_new (&ls_backend_opencl_here, plan, data, NULL);
  cache = 1024;
  lane->backend->roofs->measure (lane->instance, roofs, &error);
  cache = units = 0;
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  rig_init (&argc, &argv);
  g_test_add_func ("/cl-roofs/sizes", test_roofs);
  g_test_add_func ("/cl-roofs/little-memory", test_little_memory);
  g_test_add_func ("/cl-roofs/many-units", test_many_units);
  return g_test_run ();
}
