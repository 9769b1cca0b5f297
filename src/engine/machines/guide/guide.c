/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See guide.h.
 */
#include "config.h"
#include "machines/guide/guide.h"

#include <glib/gi18n-lib.h>
#include <math.h>

const char *const ls_work_names[LS_WORK_N] = { "network", "trees", "preparing" };
const char *const ls_advice_names[LS_ADVICE_N]
  = { "unknown", "wrong", "stay", "buy", "rent", "close", "none" };

void
ls_advice_clear (LsAdvice *advice)
{
  g_clear_pointer (&advice->sentence, g_free);
  g_clear_pointer (&advice->change, g_free);
  g_clear_pointer (&advice->moves, g_free);
}

/* ---- figures ---- */

gboolean
ls_guide_fits (const LsGuide *g, const LsFigure *memory)
{
  return g->need.n == 0 || memory->n == 0 || g->need.value <= memory->value;
}

static gboolean
holds (const LsGuide *g, const LsHardware *device)
{
  const LsFigure memory = ls_hardware_step_memory (device);

  return ls_guide_fits (g, &memory);
}

static void
range_of (const LsAdvice *a, LsBill best, LsBill worst, double out[2])
{
  const double one = ls_bill_break_even (&best), other = ls_bill_break_even (&worst);

  out[0] = fmin (one, other);
  out[1] = fmax (one, other);
  if (isnan (one) || isnan (other))
    out[0] = out[1] = (double) NAN;
}

static LsBill
changed (LsBill bill, double hours, double card)
{
  bill.hours_owned *= hours;
  bill.hours_rented *= hours;
  bill.card *= card;
  return bill;
}

/* Of its bills, as they are and as they might be. */
static void
break_evens (LsAdvice *a)
{
  range_of (a, a->best, a->worst, a->break_even);
  range_of (a, changed (a->best, .5, 1), changed (a->worst, .5, 1), a->break_half);
  range_of (a, changed (a->best, 2, 1), changed (a->worst, 2, 1), a->break_twice);
  range_of (a, changed (a->best, 1, LS_GUIDE_CARD), changed (a->worst, 1, LS_GUIDE_CARD), a->break_card);
}

/* What moves the month from which on owning pays; NULL: nobody knows that month. (transfer full) */
static char *
moves (const LsAdvice *a)
{
  if (isnan (a->break_even[0]))
    return NULL;
  g_autofree char *half = ls_months_text (a->break_half), *twice = ls_months_text (a->break_twice),
                  *card = ls_months_text (a->break_card);
  return g_strdup_printf (_("Owning pays, with half the hours: %s; with twice the hours: %s; with the "
                             "card at %d %% of its price: %s."),
                          half, twice, (int) round (100 * LS_GUIDE_CARD), card);
}

static void
compare (const LsGuide *g, LsAdvice *a)
{
  const gboolean known = a->owned.n > 0 && a->rented.n > 0 && holds (g, g->rent) && holds (g, g->own);
  const double nan = (double) NAN;

  a->best = ls_bill (&g->prices, known ? a->rented.q1 : nan, known ? a->owned.q1 : nan);
  a->worst = ls_bill (&g->prices, known ? a->rented.q3 : nan, known ? a->owned.q3 : nan);
  break_evens (a);
}

LsFigure
ls_guide_step_on (const LsGuide *g, const LsHardware *device, const LsFigure *share)
{
  LsCostRoofs roofs = { 0 };

  if (device == NULL || g->plan == NULL)
    return (LsFigure){ .unit = "s", .evidence = LS_EVIDENCE_MODELLED };
  ls_cost_roofs (device, g->plan->precision, &roofs);
  return ls_cost_step (g->plan, &roofs, share);
}

static void
measure (const LsGuide *g, LsAdvice *a)
{
  a->share = g->share.n > 0 ? g->share : ls_cost_share_assumed ();
  a->step_own = ls_guide_step_on (g, g->own, &a->share);
  a->step_rent = ls_guide_step_on (g, g->rent, &a->share);
  a->run_here = ls_cost_hours (&g->step_here, g->steps);
  a->run_own = ls_cost_hours (&a->step_own, g->steps);
  a->here = ls_cost_hours (&g->step_here, g->steps * g->runs);
  a->owned = ls_cost_hours (&a->step_own, g->steps * g->runs);
  a->rented = ls_cost_hours (&a->step_rent, g->steps * g->runs);
}

/* ---- a lecture's sums ---- */

void
ls_guide_field (const LsGuide *g, LsAdvice *a)
{
  const LsFigure hours = { .value = LS_FIELD_HOURS,
                           .q1 = LS_FIELD_HOURS,
                           .q3 = LS_FIELD_HOURS,
                           .n = 1,
                           .unit = "h",
                           .evidence = LS_EVIDENCE_DERIVED };

  *a = (LsAdvice){ .owned = hours, .rented = hours };
  a->best = a->worst = ls_bill (&g->prices, LS_FIELD_HOURS, LS_FIELD_HOURS);
  break_evens (a);
  g_autofree char *rented = ls_digits_text (LS_FIELD_HOURS), *rent = ls_digits_text (a->best.rent),
                  *sum = ls_digits_text (ls_bill_rented (&a->best, 1)), *card = ls_digits_text (a->best.card),
                  *after = ls_digits_text (ls_bill_break_even_hours (&a->best));
  a->kind = isnan (a->break_even[0])        ? LS_ADVICE_UNKNOWN
            : a->break_even[1] <= g->months ? LS_ADVICE_BUY
                                            : LS_ADVICE_RENT;
  if (a->kind == LS_ADVICE_UNKNOWN)
    a->sentence = g_strdup (_("A lecture’s sums: a price that they need isn’t known."));
  else if (isinf (a->break_even[0]))
    a->sentence = g_strdup_printf (
      _("A lecture’s sums: %s h at %s %s/h are %s %s; a card for %s %s never pays, "
         "as its electricity costs more than the rent."),
      rented, rent, g->currency, sum, g->currency, card, g->currency);
  else
    a->sentence = g_strdup_printf (
      _("A lecture’s sums: %s h at %s %s/h are %s %s; a card for %s %s has paid "
         "for itself after %s h."),
      rented, rent, g->currency, sum, g->currency, card, g->currency, after);
  a->change = g_strdup (_("Each price below can be changed; both sums follow."));
  a->moves = moves (a);
}

/* ---- the sentence ---- */

/* Why what is here isn't enough. (transfer full) */
static char *
reason (const LsGuide *g, const LsAdvice *a)
{
  if (!ls_guide_fits (g, &g->here))
    {
      g_autofree char *has = NULL, *need = ls_gb_text (g->need.value, g->here.value, &has);
      return g_strdup_printf (_("a batch of %u needs %s GB where this computer has %s"), g->plan->batch,
                              need, has);
    }
  if (a->here.n > 0)
    {
      g_autofree char *hours = ls_hours_text (&a->here);
      return g_strdup_printf (_("a month’s runs take %s here, of its 730 h"), hours);
    }
  return g_strdup (_("how long a run takes here isn’t measured"));
}

static gboolean
stays (const LsGuide *g, LsAdvice *a)
{
  if (a->here.n == 0 || !ls_guide_fits (g, &g->here) || a->here.value > LS_HOURS_A_MONTH)
    return FALSE;
  const double limit = LS_HOURS_A_MONTH / a->run_here.value;
  g_autofree char *hours = ls_hours_text (&a->here),
                  *there = a->owned.n > 0 ? ls_hours_text (&a->owned) : NULL,
                  *runs = ls_digits_text (g->runs), *most = NULL;
  a->kind = LS_ADVICE_STAY;
  a->sentence = there != NULL
                  ? g_strdup_printf (
                    ngettext ("Buy nothing: this computer does the month’s %s run in %s of its 730 h, and "
                              "the step fits; the %s would take %s.",
                              "Buy nothing: this computer does the month’s %s runs in %s of its 730 h, "
                              "and the step fits; the %s would take %s.",
                              ls_guide_plural (g->runs)),
                    runs, hours, g->own->name, there)
                  : g_strdup_printf (
                    ngettext ("Buy nothing: this computer does the month’s %s run in %s of its 730 h, and "
                              "the step fits.",
                              "Buy nothing: this computer does the month’s %s runs in %s of its 730 h, "
                              "and the step fits.",
                              ls_guide_plural (g->runs)),
                    runs, hours);
  most = limit < 1 ? ls_digits_text (limit) : ls_rough_text (floor (limit));
  a->change = g_strdup_printf (
    ngettext ("More than %s run a month would change that, or a batch that doesn’t fit.",
              "More than %s runs a month would change that, or a batch that doesn’t fit.", (gulong) limit),
    most);
  return TRUE;
}

static void
unknown (const LsGuide *g, LsAdvice *a, const char *why)
{
  g_autofree char *owned = ls_prices_missing (&g->prices, TRUE),
                  *rented = ls_prices_missing (&g->prices, FALSE),
                  *missing = owned != NULL && rented != NULL ? g_strdup_printf ("%s, %s", rented, owned)
                             : owned != NULL                 ? g_strdup (owned)
                                                             : g_strdup (rented);

  a->kind = LS_ADVICE_UNKNOWN;
  if (g->plan == NULL && g->too_large)
    {
      a->sentence = g_strdup (_("A step of this batch is larger than any that Lockstep takes, so neither "
                                 "hours nor costs are known."));
      a->change = g_strdup (_("A smaller batch has them."));
    }
  else if (g->plan == NULL)
    {
      a->sentence = g_strdup (_("The plan of a step isn’t known, so neither hours nor costs are."));
      a->change = g_strdup (_("A network that suits its data has one."));
    }
  else if (g->steps <= 0)
    {
      a->sentence = g_strdup (_("How many steps an epoch has isn’t known, so neither hours nor costs are."));
      a->change = g_strdup (_("Data that are here would tell."));
    }
  else if (g->own == NULL)
    {
      a->sentence = g_strdup_printf (_("The catalogue has no card with all figures that this needs: %s."),
                                     why);
      a->change = g_strdup (
        _("A smaller batch would change that, or a device of which you say the prices."));
    }
  else if (a->step_own.n == 0)
    {
      a->sentence = g_strdup_printf (_("How long the %s takes can’t be modelled: its rate of floats or its "
                                        "bandwidth isn’t published."),
                                     g->own->name);
      a->change = g_strdup (_("Another device of the catalogue would change that."));
    }
  else if (g->rent != NULL && owned == NULL && rented == NULL && !holds (g, g->rent))
    {
      a->sentence = g_strdup_printf (
        _("Rent or buy the %s? The %s, whose rent is known, has too little memory for this step."),
        g->own->name, g->rent->name);
      a->change = g_strdup (_("Say what renting another one costs, and this says which."));
    }
  else
    {
      a->sentence = g_strdup_printf (_("Rent or buy the %s? Nobody was seen to publish: %s."), g->own->name,
                                     missing != NULL ? missing : "–");
      a->change = g_strdup (_("Say what is missing, and this says which."));
    }
}

static void
rent_or_buy (const LsGuide *g, LsAdvice *a, const char *why)
{
  g_autofree char *hours = ls_hours_text (&a->owned), *plan = NULL,
                  *when = ls_pays_text (a->break_even, g->months, &plan);
  const double from = a->break_even[0], to = a->break_even[1];

  a->moves = moves (a);
  if (isinf (from))
    {
      a->kind = LS_ADVICE_RENT;
      a->sentence = g_strdup_printf (
        _("Rent the %s: %s, and buying the %s never pays, as its electricity costs "
           "more than the rent."),
        g->rent->name, why, g->own->name);
    }
  else if (from > LS_GUIDE_FAR)
    {
      a->kind = LS_ADVICE_RENT;
      a->sentence = g_strdup_printf (
        _("Rent the %s: %s, and at %s a month buying the %s wouldn’t pay in a hundred "
           "years."),
        g->rent->name, why, hours, g->own->name);
    }
  else if (MAX (from, to) <= g->months)
    {
      a->kind = LS_ADVICE_BUY;
      a->sentence = g_strdup_printf (
        _("Buy the %s: %s, and at %s a month owning it is cheaper than renting the "
           "%s from month %s on; you plan %s."),
        g->own->name, why, hours, g->rent->name, when, plan);
    }
  else if (from > g->months)
    {
      a->kind = LS_ADVICE_RENT;
      a->sentence = g_strdup_printf (
        _("Rent the %s: %s, and at %s a month the %s would pay from month %s on "
           "only; you plan %s."),
        g->rent->name, why, hours, g->own->name, when, plan);
    }
  else
    {
      a->kind = LS_ADVICE_CLOSE;
      a->sentence = g_strdup_printf (
        _("Rent the %s first and measure: %s, and at %s a month the %s pays from "
           "month %s on, and you plan %s."),
        g->rent->name, why, hours, g->own->name, when, plan);
    }
}

/* Whether that is more than it may cost. */
static void
hold_against_budget (const LsGuide *g, LsAdvice *a)
{
  const gboolean buy = a->kind == LS_ADVICE_BUY;
  const double least = buy ? ls_bill_owned (&a->best, g->months) : ls_bill_rented (&a->best, g->months),
               most = buy ? ls_bill_owned (&a->worst, g->months) : ls_bill_rented (&a->worst, g->months);
  g_autofree char *low = ls_digits_text (round (MIN (least, most))),
                  *high = ls_digits_text (ceil (MAX (least, most))), *may = ls_digits_text (g->budget),
                  *plan = ls_digits_text (g->months);

  if (!(g->budget > 0) || MAX (least, most) <= g->budget)
    return;
  if (MIN (least, most) <= g->budget || a->kind == LS_ADVICE_CLOSE) /* either may be the cheaper way */
    {
      g_autofree char *before
        = a->change,
        *sum = g_strdup_printf (
          ngettext ("In %s month it takes %s to %s %s, and may cost %s: %s would do in any case.",
                    "In %s months it takes %s to %s %s, and may cost %s: %s would do in any case.",
                    ls_guide_plural (g->months)),
          plan, low, high, g->currency, may, high);

      a->change = before != NULL ? g_strdup_printf ("%s %s", before, sum) : g_steal_pointer (&sum);
      return;
    }
  ls_guide_tell_apart (MIN (least, most), g->budget, &low, &may);
  a->kind = LS_ADVICE_NONE;
  a->change = g_strdup_printf (!buy && ls_bill_rented (&a->worst, 1) <= g->budget
                                 ? _("%s %s would do, or fewer months.")
                                 : _("%s %s would do."),
                               high, g->currency);
  g_free (a->sentence);
  a->sentence = g_strdup_printf (
    buy ? ngettext ("Not for %s %s: the cheaper way is to buy the %s, and takes %s to %s %s in %s month.",
                    "Not for %s %s: the cheaper way is to buy the %s, and takes %s to %s %s in %s months.",
                    ls_guide_plural (g->months))
        : ngettext ("Not for %s %s: the cheaper way is to rent the %s, and takes %s to %s %s in %s month.",
                    "Not for %s %s: the cheaper way is to rent the %s, and takes %s to %s %s in %s months.",
                    ls_guide_plural (g->months)),
    may, g->currency, buy ? g->own->name : g->rent->name, low, high, g->currency, plan);
}

/* A month may not have the hours that its runs take one card. */
static void
too_few_hours (const LsGuide *g, LsAdvice *a, const char *why)
{
  g_autofree char *hours = ls_hours_text (&a->owned), *cards = ls_digits_text (ls_cost_cards (a->owned.q3)),
                  *most = ls_rough_text (floor (LS_HOURS_A_MONTH / a->run_own.q3));
  const gulong n = (gulong) (LS_HOURS_A_MONTH / a->run_own.q3);

  a->change = LS_HOURS_A_MONTH < a->run_own.q3
                ? g_strdup (_("A run of fewer epochs would change that."))
                : g_strdup_printf (ngettext ("For up to %s run a month one is enough even at worst.",
                                             "For up to %s runs a month one is enough even at worst.", n),
                                   most);
  a->kind = a->owned.q1 > LS_HOURS_A_MONTH ? LS_ADVICE_NONE : LS_ADVICE_CLOSE;
  if (a->kind == LS_ADVICE_NONE)
    a->sentence = g_strdup_printf (
      _("One %s isn’t enough: the runs of a month take %s there, and a month has "
         "730; it would take up to %s of them."),
      g->own->name, hours, cards);
  else if (g->rent == NULL || isnan (a->break_even[0]))
    a->sentence = g_strdup_printf (
      _("Whether one %s is enough is too close to tell: the runs of a month take %s there, and a month has "
         "730; it may take up to %s of them."),
      g->own->name, hours, cards);
  else
    {
      a->sentence = g_strdup_printf (
        _("Rent the %s first and measure: %s, and whether one %s is enough is too close to tell: it would "
           "take %s of the 730 h, so up to %s of them."),
        g->rent->name, why, g->own->name, hours, cards);
      hold_against_budget (g, a);
    }
}

void
ls_guide_advise (const LsGuide *g, LsAdvice *a)
{
  g_autofree char *why = NULL;

  *a = (LsAdvice){ 0 };
  measure (g, a);
  compare (g, a);
  if (ls_guide_rule (g, a))
    return;
  if (stays (g, a))
    return;
  why = reason (g, a);
  if (g->own != NULL && g->need.n > 0)
    {
      const LsFigure there = ls_hardware_step_memory (g->own);
      g_autofree char *has = NULL, *need = ls_gb_text (g->need.value, there.value, &has);

      if (!ls_guide_fits (g, &there))
        {
          a->kind = LS_ADVICE_NONE;
          a->sentence = g_strdup_printf (_("Not the %s: a batch of %u needs %s GB, and one of it has %s."),
                                         g->own->name, g->plan->batch, need, has);
          a->change = g_strdup (_("A smaller batch fits, or another card."));
          return;
        }
    }
  if (a->here.n == 0 && g->steps > 0 && a->owned.n > 0 && ls_guide_fits (g, &g->here))
    {
      g_autofree char *hours = ls_hours_text (&a->owned);

      a->kind = LS_ADVICE_UNKNOWN;
      a->sentence = g_strdup_printf (
        _("Train here with batch %u first: how long a run takes isn’t measured; a month’s runs would take "
           "the %s %s."),
        g->plan->batch, g->own->name, hours);
      a->change = g_strdup (_("Only what it takes here says whether a card is needed."));
    }
  else if (a->owned.n > 0 && a->owned.q3 > LS_HOURS_A_MONTH)
    too_few_hours (g, a, why);
  else if (g->rent == NULL || isnan (a->break_even[0]))
    unknown (g, a, why);
  else
    {
      rent_or_buy (g, a, why);
      hold_against_budget (g, a);
    }
}
