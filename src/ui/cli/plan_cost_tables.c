/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See plan_cost_tables.h.
 */
#include "config.h"
#include "ui/cli/plan_cost_tables.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "ui/report/terminal.h"

/* ---- the table ---- */

/* Of money two digits are enough. (transfer full) */
static char *
digits_of (double value)
{
  return fabs (value) < 99.995 && value != floor (value) ? ls_number_fixed (value, 2)
                                                         : ls_digits_text (value);
}

static void
add_number (LsTable *table, double value)
{
  g_autofree char *digits = isfinite (value) ? digits_of (value) : NULL;

  ls_table_add (table, "%s", digits != NULL ? digits : isinf (value) ? _("never") : "–");
}

static void
add_range (LsTable *table, double low, double high)
{
  g_autofree char *from = isfinite (low) ? digits_of (low) : NULL,
                  *to = isfinite (high) ? digits_of (high) : g_strdup (isinf (high) ? _("never") : "–");

  if (from == NULL)
    add_number (table, low);
  else if (strcmp (from, to) == 0)
    ls_table_add (table, "%s", from);
  else
    ls_table_add (table, "%s–%s", from, to);
}

/* A range may begin with a number and end with "never". */
static void
put_range (json_t *into, const char *name, double low, double high)
{
  json_t *range;

  if (!isfinite (low) || isnan (high))
    {
      ls_json_text (into, name, isinf (low) ? "never" : NULL);
      return;
    }
  range = ls_json_array (into, name);
  ls_json_number (range, NULL, low);
  if (isfinite (high))
    ls_json_number (range, NULL, high);
  else
    ls_json_text (range, NULL, "never");
}

static void
add_device (const LsPlanCost *c, LsTable *table, json_t *rows, const LsHardware *device)
{
  LsGuide g = c->guide;
  g_auto (LsAdvice) a = { 0 };
  const LsFigure memory = ls_hardware_step_memory (device);
  json_t *row = ls_json_object (rows, NULL);

  g.own = g.rent = device;
  if (!c->field)
    ls_prices_published (device, device, strcmp (g.currency, "USD") == 0, &g.prices);
  ls_plan_cost_prices (c, &g.prices, NULL);
  ls_guide_advise (&g, &a);
  const gboolean fits = memory.n > 0 && g.need.value <= memory.value, timed = a.owned.n > 0;
  const double cards[] = { timed ? ls_cost_cards (a.owned.q1) : (double) NAN,
                           timed ? ls_cost_cards (a.owned.q3) : (double) NAN },
               power[] = { ls_bill_owned (&a.best, 1) - ls_bill_bought (&a.best),
                           ls_bill_owned (&a.worst, 1) - ls_bill_bought (&a.worst) };
  ls_table_add (table, "%s", device->name);
  ls_table_add (table, "%s", memory.n == 0 ? "–" : fits ? _("fits") : _("too large"));
  g_autofree char *run = a.run_own.n > 0 ? ls_hours_text (&a.run_own) : g_strdup ("–");
  ls_table_add (table, "%s", run);
  g_autofree char *month = a.owned.n > 0 ? ls_hours_text (&a.owned) : g_strdup ("–");
  ls_table_add (table, "%s", month);
  add_range (table, cards[0], cards[1]);
  add_range (table, ls_bill_rented (&a.best, 1), ls_bill_rented (&a.worst, 1));
  add_number (table, a.best.card);
  add_range (table, power[0], power[1]);
  add_range (table, ls_bill_break_even_hours (&a.best), ls_bill_break_even_hours (&a.worst));
  add_range (table, a.break_even[0], a.break_even[1]);
  ls_json_text (row, "device", device->name);
  ls_json_figure (row, "memory", &memory);
  ls_json_bool (row, "fits", fits);
  ls_json_figure (row, "step_s", &a.step_own);
  ls_json_figure (row, "run_h", &a.run_own);
  ls_json_figure (row, "month_h", &a.owned);
  put_range (row, "rent_month", ls_bill_rented (&a.best, 1), ls_bill_rented (&a.worst, 1));
  put_range (row, "price", a.best.card, a.best.card);
  put_range (row, "cards", cards[0], cards[1]);
  put_range (row, "own_month", power[0], power[1]);
  put_range (row, "break_even_hours", ls_bill_break_even_hours (&a.best),
             ls_bill_break_even_hours (&a.worst));
  put_range (row, "break_even_month", a.break_even[0], a.break_even[1]);
}

void
ls_plan_cost_devices (const LsPlanCost *c, json_t *rows)
{
  g_autoptr (LsTable) table = ls_table_new ("llrrrrrrrr");

  ls_table_add (table, "%s", _("Device"));
  ls_table_add (table, "%s", _("memory"));
  ls_table_add (table, "%s", _("a run"));
  ls_table_add (table, "%s", _("a month’s runs"));
  ls_table_add (table, "%s", _("cards"));
  ls_table_add (table, "%s", _("rent a month"));
  ls_table_add (table, "%s", _("price of one"));
  ls_table_add (table, "%s", _("electricity a month"));
  ls_table_add (table, "%s", _("pays after h"));
  ls_table_add (table, "%s", _("from month"));
  for (guint i = 0; i < c->devices->len; i++)
    add_device (c, table, rows, c->devices->pdata[i]);
  ls_table_print (table);
  ls_terminal_print (
    _("\nModelled, from what the published roofs allow at best to the share of them below at worst, "
       "with 20 µs to start an op. Prices in %s. –: a figure isn’t published.\n"),
    c->guide.currency);
}

/* ---- what it rests on ---- */

static void
print_source (const LsHardwareSource *source)
{
  ls_terminal_print ("    %s\n    %s\n    ", source->title, source->address);
  ls_terminal_print (_("seen %s\n"), source->seen);
}

static void
put_source (json_t *into, const LsHardwareSource *source)
{
  json_t *object = ls_json_object (into, "source");

  ls_json_text (object, "title", source->title);
  ls_json_text (object, "address", source->address);
  ls_json_text (object, "seen", source->seen);
}

static void
print_prices (const LsPlanCost *c, json_t *json)
{
  json_t *prices = ls_json_object (json, "prices");

  for (guint i = 0; i < LS_PRICE_N; i++)
    {
      const LsPriceRow *row = &ls_prices_rows[i];
      const LsPrice *p = &c->guide.prices.of[i];
      json_t *object = ls_json_object (prices, row->name);
      g_autofree char *unit = g_strdup_printf ("%s%s", row->money ? c->guide.currency : "", row->unit);

      if (p->figure.n == 0)
        {
          ls_terminal_print (_("  %s: not published; --%s says it\n"), _(row->title), row->name);
          continue;
        }
      g_autofree char *value = ls_number_tick (p->figure.value);
      ls_terminal_print ("  %s: %s%s%s", _(row->title), value, *unit != '\0' ? " " : "", unit);
      g_autofree char *from = ls_price_source_text (p);
      if (p->source != NULL)
        {
          ls_terminal_print ("%s\n", _(" (published)"));
          print_source (p->source);
        }
      else
        ls_terminal_print (" (%s)\n", from);
      ls_json_number (object, "value", p->figure.value);
      ls_json_text (object, "unit", unit);
      ls_json_bool (object, "own", p->own);
      if (p->own)
        ls_json_text (object, "said_on", p->said_on);
      if (p->source != NULL)
        put_source (object, p->source);
    }
}

static void
print_run (const LsPlanCost *c)
{
  const LsGuide *g = &c->guide;
  g_autofree char *n_steps = ls_digits_text (g->steps), *n_runs = ls_number_tick (g->runs),
                  *n_months = ls_number_tick (g->months);
  g_autofree char *steps
    = g_strdup_printf (ngettext ("%s step", "%s steps", ls_guide_plural (g->steps)), n_steps),
    *runs = g_strdup_printf (ngettext ("%s run a month", "%s runs a month", ls_guide_plural (g->runs)),
                             n_runs),
    *months = g_strdup_printf (ngettext ("%s month", "%s months", ls_guide_plural (g->months)), n_months);

  /* TRANSLATORS: “468 steps”, “20 runs a month”, “24 months” */
  ls_terminal_print (_("A run: %s; %s, planned for %s.\n"), steps, runs, months);
}

void
ls_plan_cost_here (const LsPlanCost *c, const LsAdvice *a)
{
  g_autofree char *need = ls_digits_text (c->guide.need.value / 1e6), *rate = ls_figure_text (&c->rate),
                  *share = ls_digits_text (100 * a->share.value), *run = NULL, *month = NULL;

  ls_terminal_print (
    ngettext ("A step of %u sample: %lld FLOP, %lld bytes moved, %s MB.\n",
              "A step of %u samples: %lld FLOP, %lld bytes moved, %s MB.\n", c->guide.plan->batch),
    c->guide.plan->batch, (long long) c->guide.plan->flops, (long long) c->guide.plan->bytes, need);
  print_run (c);
  if (c->rate.n > 0)
    {
      run = ls_hours_text (&a->run_here);
      month = ls_hours_text (&a->here);
      ls_terminal_print (_("Here: %s samples/s, so a run takes %s, and the runs of a month %s.\n"), rate,
                         run, month);
    }
  else
    ls_terminal_print (_("Here: not measured; --from RECORDING or --rate says how fast it is.\n"));
  ls_terminal_print (c->guide.share.n > 0 ? _("Share of the roofs that is reached here: %s %%.\n\n")
                                          : _("Share of the roofs, assumed: %s %%.\n\n"),
                     share);
}

void
ls_plan_cost_field (const LsPlanCost *c)
{
  const LsBill bill = ls_bill (&c->guide.prices, LS_FIELD_HOURS, LS_FIELD_HOURS);
  g_autofree char *rent = ls_digits_text (bill.rent), *sum = ls_digits_text (ls_bill_rented (&bill, 1)),
                  *hours = ls_digits_text (ls_bill_break_even_hours (&bill)),
                  *rented = ls_number_tick (LS_FIELD_HOURS), *card = ls_number_tick (LS_FIELD_CARD);

  ls_terminal_print (
    _("The lecture’s sums: %s h at %s USD/h are %s USD; a card for %s USD has paid for itself after "
       "%s h.\n\n"),
    rented, rent, sum, card, hours);
}

void
ls_plan_cost_advice (const LsPlanCost *c, const LsAdvice *a, json_t *json)
{
  json_t *advice = ls_json_object (json, "advice");

  ls_terminal_print ("\n%s\n", a->sentence);
  if (a->change != NULL)
    ls_terminal_print ("%s\n", a->change);
  if (a->moves != NULL)
    ls_terminal_print ("%s\n", a->moves);
  ls_terminal_print (_("\nIt rests on:\n"));
  print_prices (c, json);
  if (c->guide.share.n == 0)
    {
      ls_terminal_print (_("  share of the roofs: 30 %% (published)\n"));
      print_source (&ls_cost_source_share);
    }
  ls_terminal_print (_("  starting an op: 20 µs (published)\n"));
  print_source (&ls_cost_source_launch);
  ls_json_text (advice, "kind", ls_advice_names[a->kind]);
  ls_json_text (advice, "rule", a->rule);
  ls_json_text (advice, "sentence", a->sentence);
  ls_json_text (advice, "change", a->change);
  ls_json_text (advice, "moves", a->moves);
  ls_json_text (advice, "own", c->guide.own != NULL ? c->guide.own->name : NULL);
  ls_json_text (advice, "rent", c->guide.rent != NULL ? c->guide.rent->name : NULL);
  ls_json_figure (advice, "step_here_s", &c->guide.step_here);
  ls_json_figure (advice, "month_here_h", &a->here);
  put_range (advice, "break_even_month", a->break_even[0], a->break_even[1]);
  put_range (advice, "half_the_hours", a->break_half[0], a->break_half[1]);
  put_range (advice, "twice_the_hours", a->break_twice[0], a->break_twice[1]);
  put_range (advice, "card_at_60_percent", a->break_card[0], a->break_card[1]);
}
