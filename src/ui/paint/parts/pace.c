/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/parts/pace.h"

double
ls_pace_changes (gint64 span_ns, guint64 dial_ns)
{
  if (dial_ns == 0 || span_ns <= 0)
    return 0;
  return LS_PACE_CHANGES * (double) dial_ns / (double) span_ns;
}

gboolean
ls_pace_finished (gint64 span_ns, guint64 dial_ns)
{
  return ls_pace_changes (span_ns, dial_ns) > LS_PACE_HZ;
}

gboolean
ls_pace_rolls (guint n, gint64 span_ns, guint64 dial_ns)
{
  return ls_pace_changes (span_ns, dial_ns) * n > LS_PACE_HZ * LS_PACE_CHANGES;
}
