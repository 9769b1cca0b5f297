/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small kernels with which the child tries a device: does it compute, and which tick source does it have?
 */
#pragma once

#include "backends/opencl/device/devices.h"

G_BEGIN_DECLS

/* Context, queue, build, launch, read, and the right result; else LS_ERROR_DEVICE or LS_ERROR_BUILD. */
gboolean ls_cl_canary_sum (const LsClDevice *device, GError **error);
/* The same with the probe's tick source: every work-group has ticks that don't run backwards. */
gboolean ls_cl_canary_ticks (const LsClDevice *device, guint ticks, GError **error);

G_END_DECLS
