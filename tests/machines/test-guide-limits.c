/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the guide stops: at small tables, at cards that haven't the memory, at what it may cost; its
 * sentences from a card that pays at once to one that never does; and the way of counting that memory, held
 * against what others published.
 */
#include "config.h"
#include "guide-rig.h"

/* A table of 20 columns and 10,000 rows is 0.8 MB: no card for it while this computer does the month's runs,
 * and a run is short or the card no faster; a long one may want one. */
static void
test_table (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  a.guide.runs = 10;
  a.guide.steps = 50; /* of .6 s: half a minute */
  a.guide.table = (LsFigure){ .value = .8e6, .n = 1, .unit = "B" };
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_WRONG);
  g_assert_cmpstr (a.advice.rule, ==, "table");
  g_assert_nonnull (strstr (a.advice.sentence, "0.800 MB"));
  g_assert_nonnull (strstr (a.advice.sentence, "takes 30\u00a0s here"));
  a.guide.steps = 1e5; /* 17 h, and the card is faster */
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, NULL);
  a.guide.steps = 99; /* a minute is what one can wait for */
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "table");
  a.guide.steps = 101;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, NULL);
  a.guide.steps = 50;
  a.guide.table.value = 16e6; /* what the caches of today's processors hold */
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "table");
  a.guide.table.value = 16.1e6;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, NULL);
  a.guide.table.value = .8e6;
  a.guide.table.n = 0;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, NULL);
  /* until it is measured nothing is wrong yet */
  a.guide.table.n = 1;
  a.guide.step_here.n = 0;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
  g_assert_cmpstr (a.advice.rule, ==, "table");
  leave (&a);
}

/* Where one of the card hasn't the memory that the step takes, no month is told from which on it pays. */
static void
test_too_small (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3060", "v100");
  a.guide.need.value = 13e9;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
  g_assert_true (isnan (a.advice.break_even[0]));
  g_assert_true (isnan (a.advice.break_twice[1]));
  a.guide.need.value = 11e9;
  advise (&a);
  g_assert_false (isnan (a.advice.break_even[0]));
  leave (&a);
}

/* Renting that is too dear for all of the months: it says what would do, and that fewer months would, too, if
 * one month is within what it may cost. */
static void
test_rent_budget (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  a.guide.runs = 500;
  priced (&a, "rtx 3090", "v100");
  advise (&a);
  a.guide.months = a.advice.break_even[0] / 2;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_RENT);
  const double one = ls_bill_rented (&a.advice.worst, 1),
               least = ls_bill_rented (&a.advice.best, a.guide.months),
               all = ls_bill_rented (&a.advice.worst, a.guide.months);
  g_autofree char *enough = ls_digits_text (ceil (all)),
                  *do_all = g_strdup_printf ("%s USD would do.", enough),
                  *do_fewer = g_strdup_printf ("%s USD would do, or fewer months.", enough);
  g_assert_cmpfloat (all, >, 1.5 * one);
  for (guint month = 0; month < 2; month++) /* less than a month's, and as much */
    {
      a.guide.budget = month ? MIN (one, least * .99) : MIN (one, least) * .9;
      advise (&a);
      g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
      g_assert_cmpstr (a.advice.change, ==, a.guide.budget >= one ? do_fewer : do_all);
      g_assert_true (g_str_has_prefix (a.advice.sentence, "Not for "));
      g_assert_nonnull (strstr (a.advice.sentence, "the cheaper way is to rent the NVIDIA Tesla V100"));
    }
  /* nor is what it takes at least written as what it may cost */
  a.guide.budget = least - .01;
  advise (&a);
  g_autofree char *takes = ls_digits_text (round (least)), *may = ls_digits_text (least - .01);
  ls_guide_tell_apart (least, least - .01, &takes, &may);
  g_autofree char *begin = g_strdup_printf ("Not for %s USD: ", may),
                  *between = g_strdup_printf (" takes %s to ", takes);
  if (!g_str_has_prefix (a.advice.sentence, begin) || strstr (a.advice.sentence, between) == NULL)
    g_error ("of %.3f USD at least, where it may cost %.3f, it says: %s", least, least - .01,
             a.advice.sentence);
  /* what would do is never less than what it may take */
  const double planned = a.guide.months;
  for (guint i = 0; i < 8; i++)
    {
      a.guide.months = planned * (1 - .0411 * i);
      a.guide.budget = least / 2;
      advise (&a);
      const double most = ls_bill_rented (&a.advice.worst, a.guide.months);
      g_autofree char *low = ls_digits_text (round (ls_bill_rented (&a.advice.best, a.guide.months))),
                      *high = ls_digits_text (ceil (most)),
                      *range = g_strdup_printf (" takes %s to %s USD in ", low, high);
      if (strstr (a.advice.sentence, range) == NULL || !g_str_has_prefix (a.advice.change, high))
        g_error ("of at most %.3f USD it says: %s %s", most, a.advice.sentence, a.advice.change);
    }
  a.guide.months = planned;
  a.guide.budget = all;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_RENT);
  g_assert_null (a.advice.change);
  /* most months, of which a single one is surely paid for */
  a.guide.budget = 0;
  a.guide.months *= 1.9;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_RENT);
  a.guide.budget = ls_bill_rented (&a.advice.worst, 1);
  g_assert_cmpfloat (a.guide.budget, <, ls_bill_rented (&a.advice.best, a.guide.months));
  advise (&a);
  g_assert_true (g_str_has_suffix (a.advice.change, " USD would do, or fewer months."));
  a.guide.budget *= .999;
  advise (&a);
  g_assert_true (g_str_has_suffix (a.advice.change, " USD would do."));
  leave (&a);
}

/* How many runs one card surely does in a month: of one in the singular, whatever it may do at best. */
static void
test_one_run (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  a.guide.runs = 3;
  advise (&a);
  a.guide.steps *= 600 / a.advice.run_own.q3; /* a run takes 600 h at worst, and less than half at best */
  advise (&a);
  g_assert_cmpfloat (a.advice.run_own.q1, <, 300);
  if (!g_str_has_prefix (a.advice.change, "For up to 1 run a month one is enough even at worst."))
    g_error ("of runs that take 600 h at worst it says: %s", a.advice.change);
  a.guide.steps /= 2;
  advise (&a);
  if (!g_str_has_prefix (a.advice.change, "For up to 2 runs a month one is enough even at worst."))
    g_error ("of runs that take 300 h at worst it says: %s", a.advice.change);
  leave (&a);
}

/* ---- its sentences ---- */

#define OWN  "NVIDIA GeForce RTX 3090"
#define RENT "NVIDIA Tesla V100 SXM2 16 GB"

/* Which card to buy, which to rent, how many hours a month and from which month on: whole sentences. */
static void
test_sentences (void)
{
  static const struct {
    double months;      /* as many times the earliest month; 0: between that and the latest */
    double electricity; /* 0: as published */
    LsAdviceKind kind;
    const char *words; /* %h: the hours, %m: the months from which on it pays, %p: those that are planned */
  } rows[] = {
    { 10, 0, LS_ADVICE_BUY,
      "Buy the " OWN ": %w, and at %h a month owning it is cheaper than renting the " RENT
      " from month %m on; you plan %p." },
    { .5, 0, LS_ADVICE_RENT,
      "Rent the " RENT ": %w, and at %h a month the " OWN " would pay from month %m on only; you plan %p." },
    { 1, 0, LS_ADVICE_CLOSE, /* the very month */
      "Rent the " RENT " first and measure: %w, and at %h a month the " OWN
      " pays from month %m on, and you plan %p." },
    { 0, 0, LS_ADVICE_CLOSE,
      "Rent the " RENT " first and measure: %w, and at %h a month the " OWN
      " pays from month %m on, and you plan %p." },
    { 1, 1000, LS_ADVICE_RENT,
      "Rent the " RENT ": %w, and buying the " OWN
      " never pays, as its electricity costs more than the rent." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Asked a;

      ask (&a, LARGE, 512);
      a.guide.runs = 500;
      priced (&a, "rtx 3090", "v100");
      advise (&a);
      const double from = a.advice.break_even[0], to = a.advice.break_even[1];
      a.guide.months = rows[i].months > 0 ? rows[i].months * from : (from + to) / 2;
      if (rows[i].electricity > 0)
        ls_prices_say (&a.guide.prices, LS_PRICE_ELECTRICITY, rows[i].electricity, NULL);
      advise (&a);
      g_autoptr (GString) said = g_string_new (rows[i].words);
      g_autofree char *here = ls_hours_text (&a.advice.here), *hours = ls_hours_text (&a.advice.owned),
                      *first = ls_month_text (from), *last = ls_month_text (to),
                      *plan = ls_digits_text (a.guide.months),
                      *when = g_strdup_printf ("%s to %s", first, last),
                      *why = g_strdup_printf ("a month’s runs take %s here, of its 730 h", here);

      g_assert_cmpstr (first, !=, last);
      g_assert_cmpint (a.advice.kind, ==, rows[i].kind);
      g_string_replace (said, "%w", why, 0);
      g_string_replace (said, "%h", hours, 0);
      g_string_replace (said, "%m", when, 0);
      g_string_replace (said, "%p", plan, 0);
      g_assert_cmpstr (a.advice.sentence, ==, said->str);
      leave (&a);
    }
}

/* A lecture's sums with prices of one's own: 100 hours, and when on a card of one's own pays. */
static void
test_field (void)
{
  static const struct {
    double rent, card, power, electricity, months;
    LsAdviceKind kind;
    const char *words;
  } rows[] = {
    { 3, 2000, 0, .2, 24, LS_ADVICE_BUY,
      "100 h at 3 USD/h are 300 USD; a card for 2\342\200\211000 USD has paid for itself after 667 h." },
    { 3, 2000, 0, .2, 6, LS_ADVICE_RENT, /* 6.67 months of 100 h */
      "100 h at 3 USD/h are 300 USD; a card for 2\342\200\211000 USD has paid for itself after 667 h." },
    { .5, 600, 500, .2, 24, LS_ADVICE_BUY, /* half a kWh costs .1 */
      "100 h at 0.500 USD/h are 50 USD; a card for 600 USD has paid for itself after 1\342\200\211500 h." },
    { .5, 600, 500, 1, 24, LS_ADVICE_RENT,
      "100 h at 0.500 USD/h are 50 USD; a card for 600 USD never pays, as its electricity costs more than "
      "the "
      "rent." },
    { 0, 600, 500, .2, 24, LS_ADVICE_UNKNOWN, "a price that they need isn’t known." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      LsGuide guide = { .months = rows[i].months, .currency = "USD" };
      g_auto (LsAdvice) advice = { 0 };
      g_autofree char *said = g_strconcat ("A lecture’s sums: ", rows[i].words, NULL);

      if (rows[i].rent > 0)
        ls_prices_say (&guide.prices, LS_PRICE_RENT, rows[i].rent, NULL);
      ls_prices_say (&guide.prices, LS_PRICE_STORAGE, 0, NULL);
      ls_prices_say (&guide.prices, LS_PRICE_CARD, rows[i].card, NULL);
      ls_prices_say (&guide.prices, LS_PRICE_POWER, rows[i].power, NULL);
      ls_prices_say (&guide.prices, LS_PRICE_USE, 1, NULL);
      ls_prices_say (&guide.prices, LS_PRICE_ELECTRICITY, rows[i].electricity, NULL);
      ls_guide_field (&guide, &advice);
      g_assert_cmpstr (advice.sentence, ==, said);
      g_assert_cmpint (advice.kind, ==, rows[i].kind);
      g_assert_cmpstr (advice.change, ==, "Each price below can be changed; both sums follow.");
      g_assert_true ((advice.moves == NULL) == (rows[i].kind == LS_ADVICE_UNKNOWN));
    }
}

/* ---- what is published, counted the same way ---- */

static void
test_published (void)
{
  LsFitCheck checks[LS_FIT_N_CHECKS];

  ls_fit_check (checks);
  for (guint i = 0; i < LS_FIT_N_CHECKS; i++)
    {
      const double off = checks[i].derived / checks[i].published - 1;

      g_test_message ("%s: published %g, counted %g, %+.2f %%", checks[i].what, checks[i].published,
                      checks[i].derived, 100 * off);
      g_assert_cmpfloat (fabs (off), <=, .01);
      g_assert_true (g_str_has_prefix (checks[i].source->address, "https://"));
      g_assert_cmpuint (strlen (checks[i].source->seen), ==, 10);
      g_assert_nonnull (checks[i].quote);
    }
  /* by hand: of each convolution channels × edge², the shortcuts' among them, and the 1,000 classes; of each
   * weight and bias two floats */
  g_assert_cmpfloat (checks[0].derived, ==, 6924008);
  g_assert_cmpfloat (checks[1].derived, ==, 8 * 6998579402.);
}

/* One run is one, and so is one month; of less than one run a month the sentence doesn't say that none would
 * change it. */
static void
test_one (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  a.guide.runs = 1;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_STAY);
  if (strstr (a.advice.sentence, "the month’s 1 run in ") == NULL)
    g_error ("one run a month is told as “%s”", a.advice.sentence);
  a.guide.own = NULL;
  advise (&a);
  if (strstr (a.advice.sentence, "the month’s 1 run in ") == NULL)
    g_error ("without a card one run a month is told as “%s”", a.advice.sentence);
  a.guide.runs = .1;
  a.guide.steps = 1e7; /* of .6 s: 1667 h, of which a month has a tenth */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_STAY);
  if (!g_str_has_prefix (a.advice.change, "More than 0.438 runs a month would change that"))
    g_error ("a tenth of a run a month is done here, and it says: “%s”", a.advice.change);
  leave (&a);

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  a.guide.months = 1;
  a.guide.budget = 1; /* renting is the cheaper way, and too dear */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
  if (!g_str_has_suffix (a.advice.sentence, " in 1 month."))
    g_error ("one month is told as “%s”", a.advice.sentence);
  a.guide.budget = (ls_bill_rented (&a.advice.best, 1) + ls_bill_rented (&a.advice.worst, 1)) / 2;
  advise (&a);
  g_assert_nonnull (a.advice.change);
  if (strstr (a.advice.change, "In 1 month it takes") == NULL)
    g_error ("what one month costs is told as “%s”", a.advice.change);
  leave (&a);
}

/* What nobody was seen to publish is told with its name: what renting needs first, then what owning does. */
static void
test_missing (void)
{
  static const struct {
    gboolean missing[LS_PRICE_N];
    const char *words;
  } rows[] = {
    { { [LS_PRICE_RENT] = TRUE }, "rent" },
    { { [LS_PRICE_STORAGE] = TRUE }, "rent beside the hours" },
    { { [LS_PRICE_CARD] = TRUE }, "price" },
    { { [LS_PRICE_POWER] = TRUE, [LS_PRICE_ELECTRICITY] = TRUE }, "power, electricity" },
    { { [LS_PRICE_USE] = TRUE }, "share of the power" },
    { { [LS_PRICE_CARD] = TRUE, [LS_PRICE_RENT] = TRUE }, "rent, price" },
    { { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE },
      "rent, rent beside the hours, price, power, share of the power, electricity" },
  };
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "3090", "v100");
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *sentence = g_strdup_printf ("Rent or buy the %s? Nobody was seen to publish: %s.",
                                                   a.guide.own->name, rows[i].words);

      for (guint p = 0; p < LS_PRICE_N; p++)
        a.guide.prices.of[p].figure = (LsFigure){ .value = 1, .q1 = 1, .q3 = 1, .n = !rows[i].missing[p] };
      advise (&a);
      g_assert_cmpstr (a.advice.sentence, ==, sentence);
      g_assert_cmpstr (a.advice.change, ==, "Say what is missing, and this says which.");
      g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
    }
  leave (&a);
}

/* A card's step is that of its numbers for the width that the network is stored in; of no card or no network
 * there is none. */
static void
test_precision (void)
{
  const LsFigure whole
    = { .value = 1, .q1 = 1, .q3 = 1, .n = 1, .unit = "", .evidence = LS_EVIDENCE_DERIVED };
  double worst[LS_PRECISION_N];
  Asked a;

  ask (&a, "flatten, dense 4096, relu, dense 4096, relu, dense 10", 1024);
  priced (&a, "rtx 3090", "v100");
  for (guint p = 0; p < LS_PRECISION_N; p++)
    {
      g_autoptr (LsPlan) stored = ls_plan_with_precision (a.plan, (LsPrecision) p);
      LsCostRoofs roofs = { 0 };

      a.guide.plan = stored;
      ls_cost_roofs (a.guide.rent, (LsPrecision) p, &roofs);
      const LsFigure step = ls_guide_step_on (&a.guide, a.guide.rent, &whole),
                     known = ls_cost_step (stored, &roofs, &whole);
      g_assert_cmpuint (step.n, ==, known.n); /* not every card has every width */
      if (step.value != known.value || step.q3 != known.q3)
        g_error ("stored as %s a step takes %g s, and at worst %g, not %g and %g",
                 ls_precision_name ((LsPrecision) p), step.value, step.q3, known.value, known.q3);
      worst[p] = step.q3;
    }
  g_assert_cmpfloat (worst[LS_PRECISION_FP16], >, 0);
  g_assert_cmpfloat (worst[LS_PRECISION_FP16], <, worst[LS_PRECISION_FP32] / 2);
  g_assert_cmpuint (ls_guide_step_on (&a.guide, NULL, &whole).n, ==, 0);
  a.guide.plan = NULL;
  g_assert_cmpuint (ls_guide_step_on (&a.guide, a.guide.rent, &whole).n, ==, 0);
  leave (&a);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guide/missing", test_missing);
  g_test_add_func ("/guide/table", test_table);
  g_test_add_func ("/guide/too-small", test_too_small);
  g_test_add_func ("/guide/rent-budget", test_rent_budget);
  g_test_add_func ("/guide/one-run", test_one_run);
  g_test_add_func ("/guide/sentences", test_sentences);
  g_test_add_func ("/guide/field", test_field);
  g_test_add_func ("/guide/published", test_published);
  g_test_add_func ("/guide/one", test_one);
  g_test_add_func ("/guide-limits/precision", test_precision);
  return g_test_run ();
}
