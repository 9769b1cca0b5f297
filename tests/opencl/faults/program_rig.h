/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of programs and their cache: one is built on the first device there is, and clfault counts which
 * way it came.
 */
#pragma once

#include <glib/gstdio.h>

#include "backends/opencl/kernels/kernel.h"
#include "backends/opencl/kernels/program.h"
#include "clfault.h"
#include "scenario.h"

static const char *const canary_files[] = { "probe.clh", "canary.cl", NULL };

typedef struct {
  LsClDevices *devices;
  LsClBuilder builder;
  char *source;
} Rig;

/* As a driver that keeps no programs itself, whatever it is. FALSE, and the test is marked as skipped,
 * without a device. */
static inline gboolean
rig_open (Rig *rig)
{
  g_autoptr (GError) error = NULL;

  *rig = (Rig){ .devices = ls_cl_devices_new () };
  if (rig->devices->devices->len == 0)
    {
      g_clear_pointer (&rig->devices, ls_cl_devices_free);
      g_test_skip ("there is no OpenCL device");
      return FALSE;
    }
  ((LsClDevice *) rig->devices->devices->pdata[0])->driver = LS_CL_DRIVER_OTHER;
  ls_cl_builder_init (&rig->builder, rig->devices->devices->pdata[0], &error);
  g_assert_no_error (error);
  rig->source = ls_cl_source_load (NULL, canary_files, &error);
  g_assert_no_error (error);
  clfault_set (NULL);
  return TRUE;
}

static inline void
rig_close (Rig *rig)
{
  clfault_set (NULL);
  ls_cl_builder_clear (&rig->builder);
  ls_cl_devices_free (rig->devices);
  g_free (rig->source);
}

/* The program has the kernel, and it can be made into one. */
static inline void
build (Rig *rig, const char *options)
{
  g_autoptr (GError) error = NULL;
  cl_program program;
  cl_kernel kernel;
  cl_int code;

  clfault_set (NULL);
  program = ls_cl_program_build (&rig->builder, "canary.cl", rig->source, options, &error);
  g_assert_no_error (error);
  kernel = clCreateKernel (program, "canary", &code);
  g_assert_cmpint (code, ==, CL_SUCCESS);
  clReleaseKernel (kernel);
  clReleaseProgram (program);
}

/* Without a compilation. */
static inline gboolean
from_cache (void)
{
  return clfault_count ("source") == 0;
}

static inline void
take_first_cb (const char *path, gpointer data)
{
  char **first = data;
  if (*first == NULL)
    *first = g_strdup (path);
}

/* The one file in the cache. */
static inline char *
cached_file (const Rig *rig)
{
  char *path = NULL;
  g_assert_cmpuint (scenario_files (rig->builder.cache_folder, take_first_cb, &path), ==, 1);
  return path;
}

static inline void
empty_cb (const char *path, gpointer data)
{
  g_unlink (path);
}

static inline void
empty_cache (const Rig *rig)
{
  scenario_files (rig->builder.cache_folder, empty_cb, NULL);
}
