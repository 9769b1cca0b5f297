/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A device's times on the host's clock, with the error stated.
 */
#pragma once

#include "backends/opencl/device/cl.h"
#include <glib.h>

G_BEGIN_DECLS

/* host_ns = device_ns − offset_ns, ± error_ns. */
typedef struct {
  gint64 offset_ns;
  double error_ns;
} LsCalibration;

/* The offset is between these two. */
static inline void
ls_calibration_set (LsCalibration *calibration, gint64 low, gint64 high)
{
  calibration->offset_ns = low + (high - low) / 2;
  calibration->error_ns = (double) ABS (high - low) / 2;
}

/* Sends small commands through a queue with profiling and brackets the moment at which the device says each
 * was queued between two readings of the host's clock; keeps the tightest. An offset that the command's end
 * contradicts (it would lie after the host knew of it) is widened to what start and end allow. buffer: any, ≥
 * 4 bytes. */
gboolean ls_cl_calibrate (cl_command_queue queue, cl_mem buffer, LsCalibration *calibration, GError **error);

/* The time-stamp counter and the host's clock, read together; error_ns: half the bracket. */
typedef struct {
  guint64 ticks, ns;
  double error_ns;
} LsTsc;

/* FALSE where the processor has no such counter. */
gboolean ls_tsc_read (LsTsc *tsc);
/* The line through two readings; FALSE if they lie too close together, or the counter doesn't run evenly. */
gboolean ls_tsc_rate (const LsTsc *first, const LsTsc *second, double *ns_per_tick);

G_END_DECLS
