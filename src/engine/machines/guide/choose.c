/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which device to advise: the cheapest one that holds the step, by what is published.
 */
#include "config.h"
#include "machines/guide/guide.h"

#include <math.h>

static double
cost_of (const LsGuide *asked, const LsHardware *device, gboolean owned, const LsFigure *share)
{
  LsGuide g = *asked;
  const LsFigure step = ls_guide_step_on (&g, device, share), memory = ls_hardware_step_memory (device),
                 hours = ls_cost_hours (&step, g.steps * g.runs);
  LsBill bill;

  if (device->sort == LS_HARDWARE_CPU || !ls_hardware_trains (device) || hours.n == 0 || memory.n == 0
      || !ls_guide_fits (&g, &memory))
    return (double) NAN;
  ls_prices_published (device, device, TRUE, &g.prices);
  bill = ls_bill (&g.prices, hours.q3, hours.q3);
  return owned ? ls_bill_owned (&bill, g.months) : ls_bill_rented (&bill, g.months);
}

static const LsHardware *
cheapest (const LsGuide *g, const GPtrArray *devices, gboolean owned)
{
  const LsFigure share = g->share.n > 0 ? g->share : ls_cost_share_assumed ();
  const LsHardware *best = NULL;
  double least = 0;

  for (guint i = 0; i < devices->len; i++)
    {
      const LsHardware *device = devices->pdata[i];
      const double cost = cost_of (g, device, owned, &share);

      if (!isnan (cost) && (best == NULL || cost < least))
        {
          best = device;
          least = cost;
        }
    }
  return best;
}

void
ls_guide_choose (LsGuide *g, const GPtrArray *devices)
{
  if (g->own == NULL)
    g->own = cheapest (g, devices, TRUE);
  if (g->rent == NULL && g->own != NULL && ls_hardware_figure (g->own, LS_HARDWARE_RENT).n > 0)
    g->rent = g->own;
  if (g->rent == NULL)
    g->rent = cheapest (g, devices, FALSE);
}
