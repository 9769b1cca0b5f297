/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/scene/axis.h"

#include <math.h>

double
ls_axis_at (const LsAxis *axis, double value)
{
  double share;

  if (axis->log)
    share = (log10 (MAX (value, axis->low)) - log10 (axis->low)) / (log10 (axis->high) - log10 (axis->low));
  else
    share = (value - axis->low) / (axis->high - axis->low);
  return axis->from + CLAMP (share, 0, 1) * (axis->to - axis->from);
}

static void
linear_ticks (LsAxis *axis, guint most)
{
  static const double steps[] = { 1, 2, 2.5, 5, 10 };
  const double span = axis->high - axis->low, power = pow (10, floor (log10 (span / MAX (most, 1u))));

  for (guint s = 0; s < G_N_ELEMENTS (steps); s++)
    {
      const double step = steps[s] * power, first = ceil (axis->low / step - 1e-9),
                   last = floor (axis->high / step + 1e-9);
      if (last - first + 1 > most)
        continue;
      for (double k = first; k <= last && axis->n_ticks < LS_MAX_TICKS; k++)
        axis->ticks[axis->n_ticks++] = k * step + 0.0; /* −0 + 0 is 0 */
      return;
    }
}

static void
log_ticks (LsAxis *axis, guint most)
{
  static const double within[] = { 1, 2, 5 };
  const double decades = log10 (axis->high / axis->low);
  const int first = (int) floor (log10 (axis->low)), last = (int) ceil (log10 (axis->high));
  const int stride = MAX (1, (int) ceil (decades / MAX (most, 1u)));
  const gboolean fine = decades * 3 <= most;

  for (int e = first; e <= last; e += stride)
    for (guint i = 0; i < (fine ? 3u : 1u); i++)
      {
        const double tick = within[i] * pow (10, e);
        if (tick >= axis->low * .999 && tick <= axis->high * 1.001 && axis->n_ticks < LS_MAX_TICKS)
          axis->ticks[axis->n_ticks++] = tick;
      }
}

void
ls_axis_init (LsAxis *axis, double low, double high, double from, double to, gboolean log, guint most)
{
  *axis = (LsAxis){ .low = low, .high = high, .from = from, .to = to, .log = log };
  if (!(axis->high > axis->low) || !isfinite (low) || !isfinite (high))
    {
      axis->low = log ? .1 : 0;
      axis->high = log ? 10 : 1;
    }
  if (log && axis->low <= 0)
    axis->low = axis->high / 1e6;
  most = MIN (most, LS_MAX_TICKS);
  if (log)
    log_ticks (axis, most);
  else
    linear_ticks (axis, most);
}
