/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hours and costs against plain arithmetic: op by op, month by month. Absent figures stay absent.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/fit.h"
#include "machines/guide/guide.h"

static LsCatalogue *
load (void)
{
  g_autoptr (GError) error = NULL;
  LsCatalogue *catalogue = ls_catalogue_load (NULL, &error);

  g_assert_no_error (error);
  return catalogue;
}

static const LsHardware *
find (const LsCatalogue *catalogue, const char *words)
{
  const LsHardware *device = ls_catalogue_find (catalogue, words, NULL);

  g_assert_nonnull (device);
  return device;
}

static LsPlan *
plan_of (const char *text, guint batch, LsPrecision precision)
{
  g_autoptr (LsModel) model = ls_model_parse (text, NULL);
  const LsFit fit = { .model = model, .in_shape = { 1, 28, 28 }, .n_classes = 10, .precision = precision };

  return ls_fit_plan (&fit, batch, LS_OPTIMIZER_ADAM);
}

static LsFigure
measured (double value)
{
  return (LsFigure){ .value = value, .q1 = value * .9, .q3 = value * 1.2, .n = 60, .unit = "s" };
}

/* ---- time ---- */

/* Each op by itself is held up by what takes it longer. */
static void
test_step (void)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 512, relu, dense 10", 64, LS_PRECISION_FP32);
  const LsCostRoofs roofs = { 2e12, 1e11 };
  const LsFigure share = { .value = .25, .n = 1 }, none = { 0 };
  const LsFigure step = ls_cost_step (plan, &roofs, &share);
  double sum = 0, flops = 0, bytes = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const double compute = (double) plan->ops[i].flops / 2e12, move = (double) plan->ops[i].bytes / 1e11;
      sum += compute > move ? compute : move;
      flops += compute;
      bytes += move;
    }
  g_assert_cmpfloat (sum, >, bytes); /* some op is held up by each */
  g_assert_cmpfloat (sum, >, flops);
  g_assert_cmpfloat_with_epsilon (step.q1 / sum, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (step.q3, sum / .25 + plan->n_ops * 20e-6, 1e-15);
  g_assert_cmpfloat (step.value, >, step.q1);
  g_assert_cmpfloat (step.value, <, step.q3);
  g_assert_cmpint (step.evidence, ==, LS_EVIDENCE_MODELLED);
  g_assert_cmpuint (ls_cost_step (plan, &roofs, &none).n, ==, 0);
  g_assert_cmpuint (ls_cost_step (plan, &(LsCostRoofs){ 2e12, 0 }, &share).n, ==, 0);
  g_assert_cmpuint (ls_cost_step (plan, &(LsCostRoofs){ 0, 1e11 }, &share).n, ==, 0);
}

/* Of one of its processors, in the numbers of the precision, without sparsity. */
static void
test_roofs (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  LsCostRoofs roofs;

  ls_cost_roofs (find (catalogue, "k80"), LS_PRECISION_FP32, &roofs);
  g_assert_cmpfloat (roofs.flops, ==, 8.74e12 / 2);
  g_assert_cmpfloat (roofs.memory, ==, 240e9);
  ls_cost_roofs (find (catalogue, "k80"), LS_PRECISION_FP16, &roofs);
  g_assert_false (ls_cost_roofs_known (&roofs)); /* nobody published it, and nothing stands in for it */
  ls_cost_roofs (find (catalogue, "a100 40"), LS_PRECISION_FP32, &roofs);
  g_assert_cmpfloat (roofs.flops, ==, 19.5e12);
  ls_cost_roofs (find (catalogue, "a100 40"), LS_PRECISION_BF16, &roofs);
  g_assert_cmpfloat (roofs.flops, ==, 312e12);
  ls_cost_roofs (find (catalogue, "loihi"), LS_PRECISION_FP32, &roofs);
  g_assert_false (ls_cost_roofs_known (&roofs));
  g_assert_cmpfloat (ls_hardware_step_memory (find (catalogue, "k80")).value, ==, 12e9);
  g_assert_cmpint (ls_hardware_step_memory (find (catalogue, "k80")).evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpint (ls_hardware_step_memory (find (catalogue, "v100")).evidence, ==, LS_EVIDENCE_PUBLISHED);
  g_assert_false (ls_hardware_trains (find (catalogue, "loihi")));
  g_assert_false (ls_hardware_trains (find (catalogue, "neural engine")));
  g_assert_true (ls_hardware_trains (find (catalogue, "tpu v2")));
}

/* Of single precision what ordinary cores do, where that is published; of other numbers, and where it isn't,
 * the highest; nothing of what is sparse, and nothing of other numbers. */
static void
test_rate (void)
{
  static const struct {
    LsHardwareFigure figures[4];
    LsPrecision precision;
    gint is; /* -1: none */
  } rows[] = {
#define RATE(NUMBERS, MEANS, VALUE)                                                                          \
  { .kind = LS_HARDWARE_COMPUTE,                                                                             \
    .numbers = LS_NUMBERS_##NUMBERS,                                                                         \
    .means = MEANS,                                                                                          \
    .figure = { .value = VALUE, .n = 1 } }
    { { RATE (FP32, LS_MEANS_MATRIX, 40), RATE (FP32, LS_MEANS_VECTOR, 10) }, LS_PRECISION_FP32, 1 },
    { { RATE (FP32, LS_MEANS_VECTOR, 10), RATE (FP32, LS_MEANS_MATRIX, 40) }, LS_PRECISION_FP32, 0 },
    { { RATE (FP32, LS_MEANS_BASE, 10), RATE (FP32, LS_MEANS_BOOST, 12) }, LS_PRECISION_FP32, 1 },
    { { RATE (FP32, LS_MEANS_VECTOR, 10), RATE (FP16, LS_MEANS_VECTOR, 20), RATE (FP16, LS_MEANS_MATRIX, 80),
        RATE (FP16, LS_MEANS_SPARSE, 160) },
      LS_PRECISION_FP16,
      2 },
    { { RATE (FP16, 0, 20), RATE (BF16, 0, 19), RATE (FP32, LS_MEANS_VECTOR, 99) }, LS_PRECISION_BF16, 1 },
    { { RATE (FP16, 0, 20), RATE (FP32, LS_MEANS_SPARSE, 40) }, LS_PRECISION_FP32, -1 },
    { { { .kind = LS_HARDWARE_POWER } }, LS_PRECISION_FP32, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsHardware device = { .figures = (LsHardwareFigure *) rows[i].figures,
                                  .n_figures = G_N_ELEMENTS (rows[i].figures) };
      const LsHardwareFigure *rate = ls_cost_rate_of (&device, rows[i].precision);
      const gint is = rate != NULL ? (gint) (rate - rows[i].figures) : -1;

      if (is != rows[i].is)
        g_error ("of row %u the rate is figure %d, and should be %d", i, is, rows[i].is);
    }
}

static void
test_share (void)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 512, relu, dense 10", 64, LS_PRECISION_FP32);
  const LsCostRoofs here = { 1e11, 1e10 };
  const double roof = ls_cost_roof_seconds (plan, &here);
  const LsFigure slow = measured (roof * 4), fast = measured (roof / 4), even = measured (roof), none = { 0 };

  g_assert_cmpfloat_with_epsilon (ls_cost_share (plan, &here, &slow).value, .25, 1e-12);
  /* its data lie in a cache, of which a card has another */
  g_assert_cmpuint (ls_cost_share (plan, &here, &fast).n, ==, 0);
  g_assert_cmpuint (ls_cost_share (plan, &here, &even).n, ==, 0);
  g_assert_cmpuint (ls_cost_share (plan, &here, &none).n, ==, 0);
  g_assert_cmpuint (ls_cost_share (plan, &(LsCostRoofs){ 0, 0 }, &slow).n, ==, 0);
  g_assert_cmpfloat (ls_cost_share_assumed ().value, ==, .3);
  g_assert_true (g_str_has_prefix (ls_cost_source_share.address, "https://"));
}

static void
test_hours (void)
{
  const LsFigure step = measured (.5), hours = ls_cost_hours (&step, 7200), none = ls_cost_hours (&step, 0);

  g_assert_cmpfloat_with_epsilon (hours.value, 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (hours.q1, .9, 1e-12);
  g_assert_cmpfloat_with_epsilon (hours.q3, 1.2, 1e-12);
  g_assert_cmpint (hours.evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpuint (none.n, ==, 0);
}

/* ---- money ---- */

static LsPrices
prices_of (double rent, double storage, double card, double power, double use, double electricity)
{
  const double values[LS_PRICE_N] = { rent, storage, card, power, use, electricity };
  LsPrices prices = { 0 };

  for (guint i = 0; i < LS_PRICE_N; i++)
    if (!isnan (values[i]))
      ls_prices_say (&prices, (LsPriceKind) i, values[i], NULL);
  return prices;
}

/* The lecture's sums, from the rent that the catalogue has. */
static void
test_field (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  LsPrices prices;
  LsBill bill;

  ls_prices_field (catalogue, &prices);
  bill = ls_bill (&prices, LS_FIELD_HOURS, LS_FIELD_HOURS);
  g_assert_cmpfloat_with_epsilon (ls_bill_rented (&bill, 1), 306, 1e-9);
  g_assert_cmpfloat (round (ls_bill_break_even_hours (&bill)), ==, 654);
  g_assert_nonnull (prices.of[LS_PRICE_RENT].source);
  g_assert_null (prices.of[LS_PRICE_CARD].source); /* none was found, and none is invented */
}

/* Whose price it is: the user's, with the day if it is known; a page's; the lecture's, which has none; or
 * nobody's. What the user says later takes the place of any of them. */
static void
test_whose (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  LsPrices prices;

  ls_prices_field (catalogue, &prices);
  g_autofree char *lecture = ls_price_source_text (&prices.of[LS_PRICE_CARD]),
                  *power = ls_price_source_text (&prices.of[LS_PRICE_POWER]),
                  *assumed = ls_price_source_text (&prices.of[LS_PRICE_USE]),
                  *page = ls_price_source_text (&prices.of[LS_PRICE_ELECTRICITY]);
  g_assert_cmpstr (lecture, ==, "the lecture’s; no source of it was found");
  g_assert_cmpstr (power, ==, lecture);
  g_assert_cmpstr (assumed, ==, "assumed");
  g_assert_nonnull (strstr (page, "U.S. Energy Information Administration, https://www.eia.gov/"));
  g_assert_true (g_str_has_suffix (page, ", seen 2026-11-26"));
  for (guint i = 0; i < LS_PRICE_N; i++)
    {
      ls_prices_say (&prices, (LsPriceKind) i, 3, i % 2 == 0 ? NULL : "2026-01-02");
      g_autofree char *own = ls_price_source_text (&prices.of[i]);
      g_assert_cmpstr (own, ==, i % 2 == 0 ? "your own" : "your own, 2026-01-02");
      g_assert_cmpfloat (ls_prices_value (&prices, (LsPriceKind) i), ==, 3);
    }
}

/* Month by month: before the break-even renting is cheaper, after it owning is. */
static void
test_break_even (void)
{
  static const struct {
    double rent, storage, card, power, use, electricity, hours;
  } cases[] = {
    { .9, 9, 1850, 300, .34, .1, 99 }, /* as drawn once: month 20.9 */
    { 3.06, 0, 2000, 0, 1, .1545, 100 },
    { .5, 0, 300, 450, 1, .4, 20 },
    { 1, 5, 10, 100, 1, .2, 700 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsPrices prices = prices_of (cases[i].rent, cases[i].storage, cases[i].card, cases[i].power,
                                         cases[i].use, cases[i].electricity);
      const LsBill bill = ls_bill (&prices, cases[i].hours, cases[i].hours);
      const double at = ls_bill_break_even (&bill);

      g_test_message ("case %u: month %g", i, at);
      for (guint month = 0; month < 1000; month++)
        {
          const double rented = month * (cases[i].hours * cases[i].rent + cases[i].storage),
                       owned = cases[i].card
                               + month * cases[i].hours * cases[i].power / 1000 * cases[i].use
                                   * cases[i].electricity;

          g_assert_cmpfloat_with_epsilon (ls_bill_rented (&bill, month), rented, 1e-6);
          g_assert_cmpfloat_with_epsilon (ls_bill_owned (&bill, month), owned, 1e-6);
          if (fabs (month - at) > 1e-6)
            g_assert_cmpint (rented > owned, ==, month > at);
        }
    }
  const LsPrices drawn = prices_of (.9, 9, 1850, 300, .34, .1);
  const LsBill bill = ls_bill (&drawn, 99, 99), half = ls_bill (&drawn, 49.5, 49.5);
  g_assert_cmpfloat_with_epsilon (ls_bill_break_even (&bill), 19.05, .01);
  g_assert_cmpfloat (ls_bill_break_even (&half), <, 2 * ls_bill_break_even (&bill)); /* storage stays */
  g_assert_cmpfloat (ls_bill_break_even (&half), >, 1.7 * ls_bill_break_even (&bill));
}

static void
test_never (void)
{
  const LsPrices dear = prices_of (.05, 0, 300, 400, 1, .4); /* 0.16 an hour for electricity alone */
  const LsBill bill = ls_bill (&dear, 100, 100), idle = ls_bill (&dear, 0, 0);

  g_assert_cmpint (isinf (ls_bill_break_even (&bill)), ==, 1);
  g_assert_cmpint (isinf (ls_bill_break_even_hours (&bill)), ==, 1);
  g_assert_cmpint (isinf (ls_bill_break_even (&idle)), ==, 1);
}

/* A month has 730 hours of one card: what takes more takes another card, at the same price. */
static void
test_cards (void)
{
  static const struct {
    double hours, cards;
  } cases[] = { { 0, 1 }, { 1, 1 }, { 730, 1 }, { 731, 2 }, { 1460, 2 }, { 1461, 3 }, { 8584, 12 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsPrices prices = prices_of (1, 0, 329, 200, 1, .2);
      const LsBill bill = ls_bill (&prices, cases[i].hours, cases[i].hours);
      const double at = ls_bill_break_even (&bill), bought = 329 * cases[i].cards;

      g_assert_cmpfloat (ls_cost_cards (cases[i].hours), ==, cases[i].cards);
      g_assert_cmpfloat_with_epsilon (ls_bill_bought (&bill), bought, 1e-9);
      g_assert_cmpfloat_with_epsilon (ls_bill_owned (&bill, 24), bought + 24 * cases[i].hours * .04, 1e-6);
      if (cases[i].hours <= 0)
        continue;
      g_assert_cmpfloat_with_epsilon (at / (bought / (cases[i].hours * .96)), 1, 1e-9);
      g_assert_cmpfloat_with_epsilon (ls_bill_break_even_hours (&bill) / (at * cases[i].hours), 1, 1e-9);
      g_assert_cmpfloat_with_epsilon (ls_bill_owned (&bill, at) / ls_bill_rented (&bill, at), 1, 1e-9);
    }
}

/* Each price that lacks is named, and nothing follows from it. */
static void
test_absent (void)
{
  g_autoptr (LsCatalogue) catalogue = load ();
  static const char *const names[] = { "rent", NULL, "price", "power", NULL, "electricity" };
  LsPrices prices;

  for (guint i = 0; i < LS_PRICE_N; i++)
    {
      prices = prices_of (1, 0, 100, 100, 1, .2);
      prices.of[i].figure.n = 0;
      const LsBill bill = ls_bill (&prices, 10, 10);
      const gboolean owning = i >= LS_PRICE_CARD;
      g_autofree char *lacks = ls_prices_missing (&prices, owning),
                      *other = ls_prices_missing (&prices, !owning);

      g_assert_true (isnan (ls_bill_break_even (&bill)));
      g_assert_nonnull (lacks);
      g_assert_null (other);
      if (names[i] != NULL)
        g_assert_cmpstr (lacks, ==, names[i]);
    }
  ls_prices_published (find (catalogue, "v100"), find (catalogue, "rtx 3060"), TRUE, &prices);
  g_assert_cmpfloat (ls_prices_value (&prices, LS_PRICE_RENT), ==, 3.06);
  g_assert_cmpfloat (ls_prices_value (&prices, LS_PRICE_CARD), ==, 329);
  for (guint i = 0; i < LS_PRICE_N; i++)
    g_assert_true (prices.of[i].figure.n == 0 || prices.of[i].figure.evidence != LS_EVIDENCE_PUBLISHED
                   || g_str_has_prefix (prices.of[i].source->address, "https://"));
  ls_prices_published (find (catalogue, "v100"), find (catalogue, "rtx 3060"), FALSE, &prices);
  g_assert_true (isnan (ls_prices_value (&prices, LS_PRICE_RENT))); /* 3.06 what? */
  g_assert_true (isnan (ls_prices_value (&prices, LS_PRICE_ELECTRICITY)));
  g_assert_cmpfloat (ls_prices_value (&prices, LS_PRICE_POWER), ==, 170);
}

static void
test_words (void)
{
  static const struct {
    double value;
    const char *text;
  } numbers[] = {
    { 0, "0" },        { 80, "80" },      { 1599, "1\342\200\211599" }, { 98.54, "98.5" },
    { 9.996, "10.0" }, { .294, "0.294" }, { .00123, "0.00123" },        { 1e-12, "1.00×10⁻¹²" },
    { 653.59, "654" }, { -2.5, "−2.50" },
  };
  static const struct {
    double q1, value, q3; /* hours; of a range its middle tells the unit, not its value */
    gboolean modelled;
    const char *text;
  } hours[] = {
    { .0009, .001, .0012, FALSE, "3.60\u00a0s" },
    { 1.5, 3, 20, TRUE, "1.50–20\u00a0h" },
    { .0008, .004, .018, TRUE, "2.88–64.8\u00a0s" }, /* not “0.0480–1.08 min” */
    { .75, .85, 1.5, TRUE, "0.750–1.50\u00a0h" },
    { .5, 1, 1.5, TRUE, "30–90\u00a0min" },
    { .5, 1, 1.5, FALSE, "1\u00a0h" },
    { .5, 1, 2, TRUE, "0.500–2\u00a0h" }, /* just an hour */
    { .25 / 60, .0166, 3.99 / 60, TRUE, "15–239\u00a0s" },
    { .25 / 60, .0166, 4.01 / 60, TRUE, "0.250–4.01\u00a0min" },
    { 2.0001, 2.0002, 2.0003, TRUE, "2.00\u00a0h" }, /* as good as no range */
  };
  static const struct {
    double month;
    const char *text;
  } one_month[] = { { 0, "<0.1" },
                    { .0499, "<0.1" },
                    { .05, "0.1" },
                    { .14, "0.1" },
                    { 20.94, "20.9" },
                    { 99.94, "99.9" },
                    { 99.96, "100" },
                    { 1200, "1\342\200\211200" },
                    { 1200.5, ">1\342\200\211200" } };
  static const struct {
    double from, to;
    const char *text;
  } months[] = {
    { 3, 5.55, "month 3.0 to 5.5" },
    { 3, 3.01, "month 3.0" },
    { .01, .5, "month <0.1 to 0.5" },
    { 20, 1300, "month 20.0 to >1\342\200\211200" },
    { 20, (double) INFINITY, "month 20.0 or never" },
    { 1201, 1300, "not in 100 years" },
    { 1201, (double) INFINITY, "not in 100 years" },
    { (double) INFINITY, (double) INFINITY, "never" },
    { (double) NAN, (double) NAN, "never" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = ls_digits_text (numbers[i].value);
      g_assert_cmpstr (text, ==, numbers[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (hours); i++)
    {
      const LsFigure figure = { .q1 = hours[i].q1,
                                .value = hours[i].value,
                                .q3 = hours[i].q3,
                                .n = 1,
                                .evidence = hours[i].modelled ? LS_EVIDENCE_MODELLED : LS_EVIDENCE_MEASURED };
      g_autofree char *text = ls_hours_text (&figure);
      g_assert_cmpstr (text, ==, hours[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (one_month); i++)
    {
      g_autofree char *text = ls_month_text (one_month[i].month);
      g_assert_cmpstr (text, ==, one_month[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (months); i++)
    {
      g_autofree char *text = ls_months_text ((const double[]){ months[i].from, months[i].to });
      g_assert_cmpstr (text, ==, months[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost/step", test_step);
  g_test_add_func ("/cost/roofs", test_roofs);
  g_test_add_func ("/cost/rate", test_rate);
  g_test_add_func ("/cost/share", test_share);
  g_test_add_func ("/cost/hours", test_hours);
  g_test_add_func ("/cost/field", test_field);
  g_test_add_func ("/cost/whose", test_whose);
  g_test_add_func ("/cost/break-even", test_break_even);
  g_test_add_func ("/cost/never", test_never);
  g_test_add_func ("/cost/cards", test_cards);
  g_test_add_func ("/cost/absent", test_absent);
  g_test_add_func ("/cost/words", test_words);
  return g_test_run ();
}
