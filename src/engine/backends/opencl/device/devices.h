/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OpenCL devices of this machine as the drivers tell them, numbered in the order of the listing, and the
 * choice of one by `--device`. Drivers may crash or hang in here: the program calls it in its own process
 * only after probe.h's child came back alive.
 */
#pragma once

#include "backends/backend.h"
#include "backends/opencl/device/cl.h"
#include "backends/opencl/device/limits.h"

G_BEGIN_DECLS

/* Drivers that the probe kernels have tick sources for, told apart by the platform's name, never by what
 * compiles. */
typedef enum {
  LS_CL_DRIVER_OTHER,
  LS_CL_DRIVER_POCL,
  LS_CL_DRIVER_NVIDIA,
  LS_CL_DRIVER_INTEL,
} LsClDriver;

typedef struct {
  cl_platform_id platform;
  cl_device_id id;
  gboolean part; /* it is a part of a device: LS_UNITS_VARIABLE */
  LsClDriver driver;
  char *platform_name, *platform_version, *extensions;
  LsDeviceInfo *info; /* name, kind, driver, version, units, memory; facts: "platform", "vendor", … */
  LsClLimits limits;
} LsClDevice;

typedef struct {
  GPtrArray *devices;  /* LsClDevice */
  cl_int code;         /* of the question for platforms: CL_SUCCESS also where it found none */
  guint n_platforms;   /* without those that are skipped by name */
  char *empty;         /* names of platforms without any device, ", " between them; NULL if there are none */
  gboolean empty_pocl; /* PoCL is among them */
} LsClDevices;

/* Never fails: no platform, or none with a device, gives an empty list, and so does a loader that can't tell
 * (code). */
LsClDevices *ls_cl_devices_new (void);
void ls_cl_devices_free (LsClDevices *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsClDevices, ls_cl_devices_free)

/* wish: an index in the list, part of a name (case doesn't matter), or "" for the best: a GPU, of those the
 * one with most units; else an accelerator; else a CPU, and llvmpipe only where there is no other.
 * LS_ERROR_NO_DEVICE lists what there is. (transfer none) */
const LsClDevice *ls_cl_devices_choose (const LsClDevices *list, const char *wish, GError **error);

G_END_DECLS
