/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFrameMeter: how long the frames of the last moments took, for the benchmark and for whoever doubts it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_FRAME_METER_N 512

typedef struct {
  gint64 us[LS_FRAME_METER_N]; /* a ring */
  guint n;                     /* since the last take */
  gint64 since_us;
} LsFrameMeter;

void ls_frame_meter_add (LsFrameMeter *meter, gint64 us);
/* Median and 95th percentile in ms, frames a second, frames; all since the last call. FALSE: no frames. */
gboolean ls_frame_meter_take (LsFrameMeter *meter, double *p50_ms, double *p95_ms, double *fps, guint *n);

G_END_DECLS
