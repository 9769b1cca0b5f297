/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL's questions for platforms and devices, answered by drivers that are invented: a test that is linked
 * with this asks these in place of those that are installed.
 */
#pragma once

#include "backends/opencl/device/devices.h"

#define FAKE_MOST 6

/* A driver that doesn't tell a number leaves it 0. */
typedef struct {
  const char *name;
  cl_device_type type;
  const char *driver;
  cl_uint units, width, align_bits, dims;
  cl_ulong fp, global_mem, local_mem, max_alloc;
  size_t max_group, items[3];
  gboolean divisible;
} FakeDevice;

typedef struct {
  const char *name;
  const FakeDevice *devices[3];
} FakePlatform;

/* From now on there are those platforms, and the question for them returns that. */
void fake_install (cl_int code, const FakePlatform *const *platforms, guint n);
/* The devices of those platforms, while that is what the question for platforms returns. */
LsClDevices *fake_ask (cl_int code, const FakePlatform *const *platforms, guint n);
/* Parts of devices that were made and aren't released. */
extern int fake_parts;
