/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsAxis: from values to pixels, linear or logarithmic, with round ticks.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_MAX_TICKS 12

typedef struct {
  double low, high; /* values */
  double from, to;  /* their pixels */
  gboolean log;
  guint n_ticks;
  double ticks[LS_MAX_TICKS];
} LsAxis;

/* At most `most` ticks at 1, 2, 2.5 or 5 times a power of ten; logarithmic: at powers of ten, or 1, 2, 5
 * times them where the axis is short. Linear axes that begin at zero keep it. */
void ls_axis_init (LsAxis *axis, double low, double high, double from, double to, gboolean log, guint most);
double ls_axis_at (const LsAxis *axis, double value);

G_END_DECLS
