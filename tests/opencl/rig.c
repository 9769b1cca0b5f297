/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include <gio/gio.h>
#include <string.h>
#include "backends/opencl/device/environment.h"
#include "kernel-resources.h"

#define KERNELS "/io/github/lockstep_lab/Lockstep/kernels_cl/"

static void
release_program (gpointer program)
{
  clReleaseProgram (program);
}

static void
device_limits (Rig *rig)
{
  cl_device_type type = 0;
  cl_uint units = 1, width = 1;
  cl_ulong local = 0;
  LsClLimits *l = &rig->limits;

  clGetDeviceInfo (rig->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  clGetDeviceInfo (rig->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  clGetDeviceInfo (rig->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width, &width, NULL);
  clGetDeviceInfo (rig->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
  clGetDeviceInfo (rig->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof l->max_group, &l->max_group, NULL);
  clGetDeviceInfo (rig->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof l->max_item, l->max_item, NULL);
  l->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  l->units = units;
  l->vector_width = width;
  l->local_mem = (gsize) local;
}

gboolean
rig_open (Rig *rig, gboolean guarded, const char **reason)
{
  cl_platform_id platforms[16];
  cl_uint n = 0;
  char name[256] = "", device[256] = "";

  memset (rig, 0, sizeof *rig);
  rig->guard_words = guarded ? RIG_GUARD_WORDS : 0;
  g_resources_register (ls_kernels_get_resource ());
  ls_cl_environment_setup ();
  if (clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n) != CL_SUCCESS || n == 0)
    {
      *reason = "no OpenCL platform";
      return FALSE;
    }
  for (cl_uint i = 0; i < MIN (n, G_N_ELEMENTS (platforms)) && rig->device == NULL; i++)
    if (clGetDeviceIDs (platforms[i], CL_DEVICE_TYPE_ALL, 1, &rig->device, NULL) != CL_SUCCESS)
      rig->device = NULL;
    else
      clGetPlatformInfo (platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
  if (rig->device == NULL)
    {
      *reason = "no OpenCL device";
      return FALSE;
    }

  clGetDeviceInfo (rig->device, CL_DEVICE_NAME, sizeof device, device, NULL);
  g_test_message ("%s on %s", device, name);
  cl_int status;
  rig->context = clCreateContext (NULL, 1, &rig->device, NULL, NULL, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  rig->queue = clCreateCommandQueue (rig->context, rig->device, 0, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  device_limits (rig);
#if defined __x86_64__
  rig->ticks = g_str_equal (name, "Portable Computing Language") ? RIG_TICKS_POCL : 0;
#endif
  rig->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, release_program);
  return TRUE;
}

void
rig_close (Rig *rig)
{
  g_clear_pointer (&rig->programs, g_hash_table_unref);
  clReleaseCommandQueue (rig->queue);
  clReleaseContext (rig->context);
}

static char *
join_sources (const LsClKernel *kernel, const char *from, const char *to)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < LS_CL_MAX_SOURCES && kernel->sources[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (KERNELS, kernel->sources[i], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
      g_assert_no_error (error);
      g_string_append_len (all, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
    }
  if (from != NULL)
    g_assert_cmpuint (g_string_replace (all, from, to, 1), ==, 1);
  return g_string_free (all, FALSE);
}

cl_program
rig_program (Rig *rig, const LsClKernel *kernel, const int *values, const char *epilogue, int ticks,
             gboolean f32_samples, const char *from, const char *to)
{
  g_autoptr (GString) options = g_string_new (LS_CL_BUILD_OPTIONS);
  g_autofree char *source = join_sources (kernel, from, to);
  cl_int status;

  if (g_getenv ("LOCKSTEP_KERNEL_OPTIONS") != NULL)
    g_string_append_printf (options, " %s", g_getenv ("LOCKSTEP_KERNEL_OPTIONS"));
  if (kernel->defines != NULL)
    g_string_append_printf (options, " %s", kernel->defines);
  for (guint i = 0; i < LS_CL_MAX_PARAMS && kernel->params[i].name != NULL; i++)
    g_string_append_printf (options, " -D %s=%d", kernel->params[i].name, values[i]);
  if (epilogue != NULL && *epilogue != '\0')
    g_string_append_printf (options, " %s", epilogue);
  if (ticks >= 0)
    g_string_append_printf (options, " -D LS_PROBE=1 -D LS_PROBE_TICKS=%d", ticks);
  if (f32_samples)
    g_string_append (options, " -D LS_SAMPLE_F32=1");

  g_autofree char *key = g_strconcat (options->str, "\n", source, NULL);
  cl_program program = g_hash_table_lookup (rig->programs, key);
  if (program != NULL)
    return program;

  program = clCreateProgramWithSource (rig->context, 1, (const char **) &source, NULL, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  status = clBuildProgram (program, 1, &rig->device, options->str, NULL, NULL);
  if (status != CL_SUCCESS)
    {
      char log[8192] = "";
      clGetProgramBuildInfo (program, rig->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
      g_error ("%s %s with %s: %d\n%s", kernel->op, kernel->rung, options->str, status, log);
    }
  g_hash_table_insert (rig->programs, g_steal_pointer (&key), program);
  return program;
}

RigBuffer
rig_buffer_new (Rig *rig, const void *data, gsize bytes)
{
  RigBuffer buffer = { .bytes = bytes };
  gsize words = (bytes + 3) / 4;
  g_autofree guint32 *initial = g_new (guint32, words + rig->guard_words + 1);
  cl_int status;

  for (gsize i = 0; i < words + rig->guard_words; i++)
    initial[i] = RIG_POISON;
  if (data != NULL)
    memcpy (initial, data, bytes);
  buffer.mem = clCreateBuffer (rig->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               MAX (words + rig->guard_words, 1) * 4, initial, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  return buffer;
}

gboolean
rig_buffer_read (Rig *rig, const RigBuffer *buffer, void *data)
{
  guint32 guard[RIG_GUARD_WORDS];

  if (data != NULL && buffer->bytes > 0)
    g_assert_cmpint (
      clEnqueueReadBuffer (rig->queue, buffer->mem, CL_TRUE, 0, buffer->bytes, data, 0, NULL, NULL), ==,
      CL_SUCCESS);
  if (rig->guard_words > 0)
    g_assert_cmpint (clEnqueueReadBuffer (rig->queue, buffer->mem, CL_TRUE, (buffer->bytes + 3) / 4 * 4,
                                          sizeof guard, guard, 0, NULL, NULL),
                     ==, CL_SUCCESS);
  for (guint i = 0; i < rig->guard_words; i++)
    if (guard[i] != RIG_POISON)
      return FALSE;
  return TRUE;
}

void
rig_buffer_free (RigBuffer *buffer)
{
  if (buffer->mem != NULL)
    clReleaseMemObject (buffer->mem);
  buffer->mem = NULL;
}

void
rig_run (Rig *rig, cl_kernel kernel, const LsClRange *range)
{
  g_assert_cmpint (clEnqueueNDRangeKernel (rig->queue, kernel, range->dims, NULL, range->global, range->local,
                                           0, NULL, NULL),
                   ==, CL_SUCCESS);
  g_assert_cmpint (clFinish (rig->queue), ==, CL_SUCCESS);
}
