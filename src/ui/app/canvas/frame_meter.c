/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ring of durations, sorted when somebody asks.
 */
#include "ui/app/canvas/frame_meter.h"

#include <stdlib.h>
#include <string.h>

#include "core/figure.h"

void
ls_frame_meter_add (LsFrameMeter *meter, gint64 us)
{
  if (meter->since_us == 0)
    meter->since_us = g_get_monotonic_time ();
  meter->us[meter->n++ % LS_FRAME_METER_N] = us;
}

gboolean
ls_frame_meter_take (LsFrameMeter *meter, double *p50_ms, double *p95_ms, double *fps, guint *n)
{
  const gint64 now = g_get_monotonic_time ();
  const guint kept = MIN (meter->n, LS_FRAME_METER_N);
  gint64 sorted[LS_FRAME_METER_N];

  if (kept == 0)
    return FALSE;
  memcpy (sorted, meter->us, kept * sizeof *sorted);
  qsort (sorted, kept, sizeof *sorted, ls_compare_ints);
  *p50_ms = (double) sorted[kept / 2] / 1e3;
  *p95_ms = (double) sorted[MIN (kept - 1, kept * 95 / 100)] / 1e3;
  *fps = (double) meter->n * G_USEC_PER_SEC / (double) MAX (now - meter->since_us, 1);
  *n = meter->n;
  meter->n = 0;
  meter->since_us = now;
  return TRUE;
}
