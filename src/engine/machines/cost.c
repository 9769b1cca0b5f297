/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See cost.h.
 */
#include "config.h"
#include "machines/cost.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SEEN (char *) "2026-11-24"

const LsHardwareSource ls_cost_source_share = {
  .id = (char *) "aiportalx-glam",
  .title = (char *) "GLaM, notes on what its training took, AI Portal X",
  .address = (char *) "https://aiportalx.com/google/glam",
  .seen = SEEN,
};
const LsHardwareSource ls_cost_source_launch = {
  .id = (char *) "groundy-launch",
  .title = (char *) "Every CUDA Kernel Pays a Launch Tax, after NVIDIA’s guide to Nsight Systems",
  .address
  = (char
       *) "https://groundy.com/articles/every-cuda-kernel-pays-a-launch-tax-the-host-to-device-walkthrough/",
  .seen = SEEN,
};
const LsHardwareSource ls_cost_source_electricity = {
  .id = (char *) "eia-electricity",
  .title = (char *) "Electricity Monthly Update, homes in the United States in January 2024, "
                    "U.S. Energy Information Administration",
  .address = (char *) "https://www.eia.gov/electricity/monthly/update/end-use.php",
  .seen = (char *) "2026-11-26",
  .published = (char *) "2024-03-26",
};

#define ASSUMED_SHARE .3
#define ELECTRICITY   .1545

/* ---- time ---- */

static LsNumbers
numbers_of (LsPrecision precision)
{
  return precision == LS_PRECISION_BF16   ? LS_NUMBERS_BF16
         : precision == LS_PRECISION_FP16 ? LS_NUMBERS_FP16
                                          : LS_NUMBERS_FP32;
}

const LsHardwareFigure *
ls_cost_rate_of (const LsHardware *device, LsPrecision precision)
{
  const LsNumbers numbers = numbers_of (precision);
  const LsHardwareFigure *best = numbers == LS_NUMBERS_FP32
                                   ? ls_hardware_get (device, LS_HARDWARE_COMPUTE, numbers, LS_MEANS_VECTOR)
                                   : NULL;

  for (guint i = 0; best == NULL && i < device->n_figures; i++)
    {
      const LsHardwareFigure *figure = &device->figures[i];
      const LsFigure peak = ls_hardware_peak (device, numbers);

      if (figure->kind == LS_HARDWARE_COMPUTE && figure->numbers == numbers
          && !(figure->means & LS_MEANS_SPARSE) && figure->figure.value >= peak.value)
        best = figure;
    }
  return best;
}

const LsHardwareFigure *
ls_cost_bandwidth_of (const LsHardware *device)
{
  return ls_hardware_get (device, LS_HARDWARE_BANDWIDTH, LS_NUMBERS_UNTOLD, 0);
}

void
ls_cost_roofs (const LsHardware *device, LsPrecision precision, LsCostRoofs *roofs)
{
  const LsHardwareFigure *vector = ls_hardware_get (device, LS_HARDWARE_COMPUTE, LS_NUMBERS_FP32,
                                                    LS_MEANS_VECTOR);
  const LsNumbers numbers = numbers_of (precision);
  const LsFigure flops = numbers == LS_NUMBERS_FP32 && vector != NULL ? vector->figure
                                                                      : ls_hardware_peak (device, numbers),
                 memory = ls_hardware_figure (device, LS_HARDWARE_BANDWIDTH);

  roofs->flops = flops.n > 0 ? flops.value / device->parts : 0;
  roofs->memory = memory.n > 0 ? memory.value / device->parts : 0;
}

gboolean
ls_cost_roofs_known (const LsCostRoofs *roofs)
{
  return roofs->flops > 0 && roofs->memory > 0;
}

double
ls_cost_roof_seconds (const LsPlan *plan, const LsCostRoofs *roofs)
{
  double seconds = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    seconds += MAX ((double) plan->ops[i].flops / roofs->flops, (double) plan->ops[i].bytes / roofs->memory);
  return seconds;
}

LsFigure
ls_cost_share (const LsPlan *plan, const LsCostRoofs *here, const LsFigure *step)
{
  LsFigure share = { .unit = "", .evidence = LS_EVIDENCE_DERIVED };

  if (!ls_cost_roofs_known (here) || step->n == 0 || !(step->value > 0))
    return share;
  share.value = ls_cost_roof_seconds (plan, here) / step->value;
  share.q1 = share.q3 = share.value;
  share.n = share.value < 1 ? step->n : 0;
  return share;
}

LsFigure
ls_cost_share_assumed (void)
{
  return (LsFigure){ .unit = "",
                     .evidence = LS_EVIDENCE_PUBLISHED,
                     .n = 1,
                     .value = ASSUMED_SHARE,
                     .q1 = ASSUMED_SHARE,
                     .q3 = ASSUMED_SHARE };
}

LsFigure
ls_cost_step (const LsPlan *plan, const LsCostRoofs *there, const LsFigure *share)
{
  LsFigure step = { .unit = "s", .evidence = LS_EVIDENCE_MODELLED };

  if (!ls_cost_roofs_known (there) || share->n == 0 || !(share->value > 0))
    return step;
  step.n = 1;
  step.q1 = ls_cost_roof_seconds (plan, there);
  step.q3 = step.q1 / share->value + plan->n_ops * LS_COST_LAUNCH;
  step.value = sqrt (step.q1 * step.q3);
  return step;
}

LsFigure
ls_cost_hours (const LsFigure *step, double steps)
{
  LsFigure hours = *step;

  hours.unit = "h";
  if (!(steps > 0))
    hours.n = 0;
  if (step->evidence == LS_EVIDENCE_MEASURED)
    hours.evidence = LS_EVIDENCE_DERIVED;
  hours.value *= steps / 3600;
  hours.q1 *= steps / 3600;
  hours.q3 *= steps / 3600;
  return hours;
}

/* ---- prices ---- */

const LsPriceRow ls_prices_rows[LS_PRICE_N] = {
  [LS_PRICE_RENT] = { "rent", N_("rent"), "/h", TRUE, 0, 1e6 },
  [LS_PRICE_STORAGE] = { "storage", N_("rent beside the hours"), N_("/month"), TRUE, 0, 1e7 },
  [LS_PRICE_CARD] = { "price", N_("price"), "", TRUE, 0, 1e9 },
  [LS_PRICE_POWER] = { "power", N_("power"), "W", FALSE, 0, 1e6 },
  [LS_PRICE_USE] = { "use", N_("share of the power"), "", FALSE, 0, 2 },
  [LS_PRICE_ELECTRICITY] = { "electricity", N_("electricity"), "/kWh", TRUE, 0, 1e4 },
};

static LsPrice
price (double value, LsEvidence evidence, const LsHardwareSource *source)
{
  return (LsPrice){ { .value = value, .q1 = value, .q3 = value, .n = 1, .unit = "", .evidence = evidence },
                    source };
}

static LsPrice
of_device (const LsHardware *device, LsHardwareKind kind)
{
  const LsHardwareFigure *figure = device != NULL ? ls_hardware_get (device, kind, LS_NUMBERS_UNTOLD, 0)
                                                  : NULL;

  return figure != NULL ? (LsPrice){ figure->figure, figure->source }
                        : (LsPrice){ { .unit = "", .evidence = LS_EVIDENCE_PUBLISHED } };
}

void
ls_prices_published (const LsHardware *rented, const LsHardware *owned, gboolean usd, LsPrices *prices)
{
  *prices = (LsPrices){ 0 };
  prices->of[LS_PRICE_STORAGE] = price (0, LS_EVIDENCE_MODELLED, NULL);
  prices->of[LS_PRICE_USE] = price (1, LS_EVIDENCE_MODELLED, NULL);
  prices->of[LS_PRICE_POWER] = of_device (owned, LS_HARDWARE_POWER);
  if (!usd)
    return;
  prices->of[LS_PRICE_RENT] = of_device (rented, LS_HARDWARE_RENT);
  prices->of[LS_PRICE_CARD] = of_device (owned, LS_HARDWARE_PRICE);
  prices->of[LS_PRICE_ELECTRICITY] = price (ELECTRICITY, LS_EVIDENCE_PUBLISHED, &ls_cost_source_electricity);
}

void
ls_prices_say (LsPrices *prices, LsPriceKind kind, double value, const char *date)
{
  prices->of[kind] = price (value, LS_EVIDENCE_PUBLISHED, NULL);
  prices->of[kind].own = TRUE;
  g_strlcpy (prices->of[kind].said_on, date != NULL ? date : "", sizeof prices->of[kind].said_on);
}

char *
ls_price_source_text (const LsPrice *price)
{
  if (price->own)
    return *price->said_on != '\0' ? g_strdup_printf (_("your own, %s"), price->said_on)
                                   : g_strdup (_("your own"));
  if (price->source != NULL)
    return g_strdup_printf (_("%s, %s, seen %s"), price->source->title, price->source->address,
                            price->source->seen);
  return g_strdup (price->lecture ? _("the lecture’s; no source of it was found") : _("assumed"));
}

double
ls_prices_value (const LsPrices *prices, LsPriceKind kind)
{
  return prices->of[kind].figure.n > 0 ? prices->of[kind].figure.value : (double) NAN;
}

char *
ls_prices_missing (const LsPrices *prices, gboolean owned)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = owned ? LS_PRICE_CARD : LS_PRICE_RENT; i < (owned ? LS_PRICE_N : LS_PRICE_CARD); i++)
    if (prices->of[i].figure.n == 0)
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", _(ls_prices_rows[i].title));
  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

void
ls_prices_field (const LsCatalogue *catalogue, LsPrices *prices)
{
  const LsHardware *v100 = ls_catalogue_find (catalogue, "v100", NULL);

  ls_prices_published (v100, NULL, TRUE, prices);
  prices->of[LS_PRICE_CARD] = price (LS_FIELD_CARD, LS_EVIDENCE_MODELLED, NULL);
  prices->of[LS_PRICE_POWER] = price (0, LS_EVIDENCE_MODELLED, NULL); /* the lecture leaves electricity out */
  prices->of[LS_PRICE_CARD].lecture = prices->of[LS_PRICE_POWER].lecture = TRUE;
}

/* ---- sums ---- */

LsBill
ls_bill (const LsPrices *prices, double hours_rented, double hours_owned)
{
  return (LsBill){ hours_rented,
                   hours_owned,
                   ls_prices_value (prices, LS_PRICE_RENT),
                   ls_prices_value (prices, LS_PRICE_STORAGE),
                   ls_prices_value (prices, LS_PRICE_CARD),
                   ls_prices_value (prices, LS_PRICE_POWER),
                   ls_prices_value (prices, LS_PRICE_USE),
                   ls_prices_value (prices, LS_PRICE_ELECTRICITY) };
}

double
ls_cost_cards (double hours)
{
  return fmax (ceil (hours / LS_HOURS_A_MONTH), 1);
}

double
ls_bill_bought (const LsBill *bill)
{
  return bill->card * ls_cost_cards (bill->hours_owned);
}

double
ls_bill_running (const LsBill *bill)
{
  return bill->power / 1000 * bill->use * bill->electricity;
}

double
ls_bill_rented (const LsBill *bill, double months)
{
  return months * (bill->hours_rented * bill->rent + bill->storage);
}

double
ls_bill_owned (const LsBill *bill, double months)
{
  return ls_bill_bought (bill) + months * bill->hours_owned * ls_bill_running (bill);
}

double
ls_bill_break_even (const LsBill *bill)
{
  const double saves = ls_bill_rented (bill, 1) - bill->hours_owned * ls_bill_running (bill);

  if (isnan (saves) || isnan (bill->card))
    return (double) NAN;
  return saves > 0 ? ls_bill_bought (bill) / saves : (double) INFINITY;
}

double
ls_bill_break_even_hours (const LsBill *bill)
{
  const double saves = bill->rent - ls_bill_running (bill);

  if (isnan (saves) || isnan (bill->card))
    return (double) NAN;
  return saves > 0 ? ls_bill_bought (bill) / saves : (double) INFINITY;
}
