/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/paint/data/median.h"

double
ls_median (double *values, guint n)
{
  const gint place = (gint) n / 2;
  gint low = 0, high = (gint) n - 1;

  while (low < high)
    {
      const double pivot = values[place];
      gint i = low, k = high;

      /* until low … k are at most the pivot, and i … high at least */
      do
        {
          while (values[i] < pivot)
            i++;
          while (values[k] > pivot)
            k--;
          if (i <= k)
            {
              const double v = values[i];
              values[i++] = values[k];
              values[k--] = v;
            }
      } while (i <= k);
      if (k < place)
        low = i;
      if (i > place)
        high = k;
    }
  return values[place];
}
