/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/scene/spread.h"

#define ROUNDS 200

void
ls_spread (double *y, guint n, double pitch, double top, double bottom)
{
  /* each pair gives way by half: clusters stay around their middle */
  for (guint round = 0; round < ROUNDS; round++)
    for (guint i = 0; i + 1 < n; i++)
      {
        const double missing = pitch - (y[i + 1] - y[i]);
        if (missing > 0)
          {
            y[i] -= missing / 2;
            y[i + 1] += missing / 2;
          }
      }
  for (guint i = 0; i < n; i++)
    y[i] = MAX (y[i], i == 0 ? top : y[i - 1] + pitch);
  for (guint i = n; i-- > 0;)
    y[i] = MIN (y[i], i == n - 1 ? bottom : y[i + 1] - pitch);
}
