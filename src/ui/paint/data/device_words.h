/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane's head says of its device: the name without the makers' ornaments, and the conditions that
 * speed depends on.
 */
#pragma once

#include "backends/backend.h"

G_BEGIN_DECLS

/* "Intel(R) Xeon(R) CPU E5 v4 @ 2.20GHz" → "Intel Xeon E5 v4". (transfer full) */
char *ls_device_short_name (const char *name);
/* "CPU", "OpenCL", "OpenCL on the CPU", "Reference". */
char *ls_device_lane_name (LsBackendKind who, const LsDeviceInfo *device);
/* "NVIDIA H200, 132 compute units"; "" where the lane's name says it all. */
char *ls_device_line (const LsDeviceInfo *device);
/* heavy: of the op that its speed depends on most; may be NULL. The batch is in the picture's title, once for
 * both lanes. NULL-terminated, (transfer full). */
char **ls_device_conditions (const LsDeviceInfo *device, const LsTiling *heavy, LsPrecision precision);

G_END_DECLS
