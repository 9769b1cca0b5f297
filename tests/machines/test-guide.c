/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the guide says: each rule where it holds and nowhere else, and rent, buy or stay as the sums have it.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "guide-rig.h"

static void
test_rules (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  advise (&a);
  g_assert_null (a.advice.rule);
  a.guide.work = LS_WORK_TREES;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "trees");
  a.guide.work = LS_WORK_PREPARING;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "preparing");
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_WRONG);
  leave (&a);

  /* a step that takes less here than its ops take to start there; not where it takes longer here */
  ask (&a, "flatten, dense 16, relu, dense 10", 16);
  priced (&a, "rtx 3090", "v100");
  a.guide.step_here.value = 50e-6;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "small");
  g_assert_nonnull (strstr (a.advice.sentence, "50 µs"));
  a.guide.step_here.n = 0;
  advise (&a);
  g_assert_null (a.advice.rule);
  a.guide.step_here = (LsFigure){ .value = .1, .q1 = .1, .q3 = .1, .n = 9 };
  advise (&a);
  g_assert_null (a.advice.rule);
  /* nor where this computer can't do the month's runs: 50 µs by 10⁵ steps are 5 s */
  a.guide.step_here.value = 50e-6;
  a.guide.runs = 525000;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "small");
  a.guide.runs = 526000;
  advise (&a);
  g_assert_null (a.advice.rule);
  g_assert_cmpint (a.advice.kind, !=, LS_ADVICE_WRONG);
  leave (&a);

  /* of batch 1 the weights are read for one sample: where a card is no faster at worst; not where it is, nor
     where this computer can't do it */
  ask (&a, LARGE, 1);
  priced (&a, "rtx 3090", "v100");
  a.guide.step_here.n = 0;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "batch");
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
  g_assert_true (g_str_has_prefix (a.advice.sentence, "Train here with batch 1 before you think of a GPU"));
  const double worst = a.advice.step_own.q3;
  a.guide.step_here = (LsFigure){ .value = worst * .99, .n = 9 };
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "batch");
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_WRONG);
  g_assert_true (g_str_has_prefix (a.advice.sentence, "No GPU for batch 1"));
  a.guide.step_here.value = worst * 1.01;
  advise (&a);
  g_assert_null (a.advice.rule);
  a.guide.step_here.value = worst * .99;
  a.guide.runs = 1e6;
  advise (&a);
  g_assert_cmpfloat (a.advice.here.value, >, 730);
  g_assert_null (a.advice.rule);
  a.guide.runs = 1;
  a.guide.here.value = 1e9;
  advise (&a);
  g_assert_null (a.advice.rule);
  /* a step that takes all of the memory here fits just so */
  a.guide.here.value = a.guide.need.value;
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "batch");
  a.guide.here.value = a.guide.need.value - 1;
  advise (&a);
  g_assert_null (a.advice.rule);
  a.guide.here.n = 0; /* as far as is known */
  advise (&a);
  g_assert_cmpstr (a.advice.rule, ==, "batch");
  leave (&a);
}

/* Batch 8 is the largest small one. */
static void
test_small_batch (void)
{
  for (guint batch = 8; batch <= 9; batch++)
    {
      Asked a;

      ask (&a, LARGE, batch);
      priced (&a, "rtx 3090", "v100");
      a.guide.step_here.n = 0;
      advise (&a);
      g_assert_cmpstr (a.advice.rule, ==, batch == 8 ? "batch" : NULL);
      leave (&a);
    }
}

/* A step is small where starting its ops takes the card half of its time at least, not where computing does.
 */
static void
test_small_step (void)
{
  guint small = 0, large = 0;

  for (guint batch = 16; batch <= 4096; batch = batch * 5 / 4)
    {
      Asked a;

      ask (&a, "flatten, dense 1024, relu, dense 1024, relu, dense 10", batch);
      priced (&a, "rtx 3090", "v100");
      a.guide.step_here.value = 50e-6;
      advise (&a);
      const double starting = a.plan->n_ops * LS_COST_LAUNCH, there = a.advice.step_own.q3;
      const gboolean is_small = starting >= there / 2;
      g_assert_cmpfloat (there, >, 50e-6);
      if ((g_strcmp0 (a.advice.rule, "small") == 0) != is_small)
        g_error ("batch %u, which takes %g s there, %g s of them to start: it is said to be %s", batch, there,
                 starting, is_small ? "no small step" : "a small step");
      small += is_small;
      large += !is_small && starting >= there / 3;
      leave (&a);
    }
  g_assert_cmpuint (small, >, 0);
  g_assert_cmpuint (large, >, 0); /* nearly */
}

/* By the months that are planned. */
static void
test_rent_or_buy (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  a.guide.runs = 500;
  priced (&a, "rtx 3090", "v100");
  advise (&a);
  g_assert_cmpfloat (a.advice.break_even[0], <=, a.advice.break_even[1]);
  g_assert_cmpfloat (a.advice.break_even[1], <, 24);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_BUY);
  g_assert_true (
    g_str_has_prefix (a.advice.sentence, "Buy the NVIDIA GeForce RTX 3090: a month’s runs take"));
  a.guide.months = a.advice.break_even[0] / 2;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_RENT);
  g_assert_true (g_str_has_prefix (a.advice.sentence, "Rent the NVIDIA Tesla V100"));
  a.guide.months = (a.advice.break_even[0] + a.advice.break_even[1]) / 2;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_CLOSE);

  /* what moves it */
  g_assert_cmpfloat_with_epsilon (a.advice.break_half[0] / a.advice.break_even[0], 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (a.advice.break_twice[1] / a.advice.break_even[1], .5, 1e-9);
  g_assert_cmpfloat_with_epsilon (a.advice.break_card[1] / a.advice.break_even[1], .6, 1e-9);
  g_autofree char *half = ls_months_text (a.advice.break_half),
                  *twice = ls_months_text (a.advice.break_twice),
                  *card = ls_months_text (a.advice.break_card),
                  *said = g_strdup_printf ("Owning pays, with half the hours: %s; with twice the hours: "
                                           "%s; with the card at 60 %% of its price: %s.",
                                           half, twice, card);
  g_assert_cmpstr (a.advice.moves, ==, said);

  /* what it may cost: less than the card, between the least and the most, and more than either */
  a.guide.months = 24;
  a.guide.budget = 1400;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
  g_assert_nonnull (strstr (a.advice.sentence, "Not for 1\342\200\211400 USD"));
  g_assert_true (g_str_has_suffix (a.advice.change, " USD would do.")); /* a card costs it at once */
  g_autofree char *enough = ls_digits_text (ceil (ls_bill_owned (&a.advice.worst, 24)));
  g_assert_true (g_str_has_prefix (a.advice.change, enough));
  a.guide.budget = ceil (ls_bill_owned (&a.advice.worst, 24));
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_BUY);
  g_assert_null (a.advice.change);
  a.guide.budget -= 1;
  advise (&a);
  g_assert_nonnull (strstr (a.advice.change, enough));
  a.guide.budget = (ls_bill_owned (&a.advice.best, 24) + ls_bill_owned (&a.advice.worst, 24)) / 2;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_BUY);
  g_assert_nonnull (a.advice.change);
  g_assert_nonnull (strstr (a.advice.change, "In 24 months it takes"));
  a.guide.budget = ls_bill_owned (&a.advice.worst, 24) + 1;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_BUY);
  g_assert_null (a.advice.change);
  a.guide.budget = 0;

  ls_prices_say (&a.guide.prices, LS_PRICE_ELECTRICITY, 1000, NULL);
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_RENT);
  g_assert_nonnull (strstr (a.advice.sentence, "never pays"));
  leave (&a);
}

static void
test_stay (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  a.guide.runs = 43; /* 100,000 steps of 0.6 s are 16.7 h: 43 of them are 717 h, 44 are 733 */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_STAY);
  g_assert_nonnull (strstr (a.advice.change, "More than 43 runs"));
  a.guide.runs = 44;
  advise (&a);
  g_assert_cmpint (a.advice.kind, !=, LS_ADVICE_STAY);
  a.guide.runs = 1;
  a.guide.need.value = 17e9; /* in time, but it doesn't fit */
  advise (&a);
  g_assert_cmpint (a.advice.kind, !=, LS_ADVICE_STAY);
  g_assert_nonnull (strstr (a.advice.sentence, "Rent or buy the NVIDIA GeForce RTX 3090?"));
  g_assert_nonnull (strstr (a.advice.sentence, "too little memory")); /* as the V100 has 16, too */
  a.guide.need.value = 25e9;                                          /* nor there */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
  g_assert_nonnull (strstr (a.advice.sentence, "needs 25 GB, and one of it has 24."));
  a.guide.need.value = 24.004e9; /* nor so, though in three figures it is as much */
  advise (&a);
  g_assert_nonnull (strstr (a.advice.sentence, "needs 24.004 GB, and one of it has 24.000."));
  a.guide.here.value = 2e9;
  a.guide.need.value = 4e9;
  a.guide.runs = 500;
  advise (&a);
  g_assert_nonnull (strstr (a.advice.sentence, "needs 4 GB where this computer has 2"));
  a.guide.runs = 50000;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_NONE);
  g_assert_nonnull (strstr (a.advice.sentence, "10 of them"));
  a.guide.runs = floor (73 / a.advice.run_own.q3) * 10; /* the most for which one is surely enough */
  g_autofree char *runs = ls_digits_text (a.guide.runs);
  g_assert_nonnull (strstr (a.advice.change, runs));
  advise (&a);
  g_assert_cmpint (a.advice.kind, !=, LS_ADVICE_NONE);
  g_assert_cmpfloat (a.advice.owned.q3, <=, 730);
  a.guide.runs = 50000;
  a.guide.steps = 1e11; /* a run takes more than a month */
  advise (&a);
  g_assert_cmpstr (a.advice.change, ==, "A run of fewer epochs would change that.");
  leave (&a);
}

/* A month has 730 hours: at worst more than one card is needed, whatever the best case says. */
static void
test_hours (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "rtx 3090", "v100");
  for (a.guide.runs = 500; a.guide.runs < 1e5; a.guide.runs += 500)
    {
      advise (&a);
      g_assert_cmpint (a.advice.kind, ==,
                       a.advice.owned.q1 > 730   ? LS_ADVICE_NONE
                       : a.advice.owned.q3 > 730 ? LS_ADVICE_CLOSE
                                                 : LS_ADVICE_BUY);
    }
  a.guide.runs = 8000;
  advise (&a);
  g_assert_cmpfloat (a.advice.owned.q1, <, 730);
  g_assert_cmpfloat (a.advice.owned.q3, >, 730);
  g_assert_nonnull (strstr (a.advice.sentence, "Rent the NVIDIA Tesla V100 SXM2 16 GB first and measure"));
  g_assert_nonnull (strstr (a.advice.sentence, "whether one NVIDIA GeForce RTX 3090 is enough"));
  g_assert_nonnull (strstr (a.advice.sentence, "up to 2 of them."));
  a.guide.budget = 1; /* it may be that owning is the cheaper way */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_CLOSE);
  g_assert_nonnull (strstr (a.advice.change, "and may cost 1: "));
  a.guide.rent = NULL;
  ls_prices_published (NULL, a.guide.own, TRUE, &a.guide.prices);
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_CLOSE);
  g_assert_true (g_str_has_prefix (a.advice.sentence, "Whether one NVIDIA GeForce RTX 3090 is enough"));
  leave (&a);
}

static void
test_unknown (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  priced (&a, "a100 40", "v100"); /* nobody was seen to publish its price */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
  g_assert_nonnull (strstr (a.advice.sentence, "Nobody was seen to publish: price."));
  ls_prices_say (&a.guide.prices, LS_PRICE_CARD, 9000, NULL);
  advise (&a);
  g_assert_cmpint (a.advice.kind, !=, LS_ADVICE_UNKNOWN);
  a.guide.steps = 0;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
  g_assert_nonnull (strstr (a.advice.sentence, "How many steps"));
  a.guide.steps = 1e5;
  a.guide.step_here.n = 0; /* it may well be enough */
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
  g_assert_nonnull (strstr (a.advice.sentence, "Train here with batch 512 first"));
  a.guide.step_here.n = 60;
  priced (&a, "tpu v2", "v100");
  advise (&a);
  g_assert_nonnull (strstr (a.advice.sentence, "can’t be modelled"));
  a.guide.own = NULL;
  advise (&a);
  g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);

  /* no plan: the reason isn't that nothing was measured */
  for (guint i = 0; i < 4; i++)
    {
      priced (&a, "rtx 3090", "v100");
      if (i % 2 == 0)
        a.guide.own = NULL;
      a.guide.plan = NULL;
      a.guide.step_here.n = a.guide.need.n = 0;
      a.guide.too_large = i < 2;
      advise (&a);
      g_assert_cmpint (a.advice.kind, ==, LS_ADVICE_UNKNOWN);
      g_assert_nonnull (strstr (a.advice.sentence, i < 2 ? "larger than any that Lockstep takes"
                                                         : "The plan of a step isn’t known"));
      g_assert_null (strstr (a.advice.sentence, "measured"));
    }
  leave (&a);
}

/* The cheapest card that holds the step, by the published figures alone. */
static void
test_choose (void)
{
  Asked a;

  ask (&a, LARGE, 512);
  ls_guide_choose (&a.guide, a.catalogue->devices);
  g_assert_cmpstr (a.guide.own->name, ==, "NVIDIA GeForce RTX 3060 12 GB");
  g_assert_cmpstr (a.guide.rent->name, ==, "NVIDIA Tesla V100 SXM2 16 GB");
  a.guide.own = a.guide.rent = NULL;
  a.guide.need.value = 13e9;
  ls_guide_choose (&a.guide, a.catalogue->devices);
  g_assert_cmpstr (a.guide.own->name, ==, "NVIDIA GeForce RTX 3090");
  /* of those that are asked for alone */
  g_autoptr (GPtrArray) two = g_ptr_array_new ();
  g_ptr_array_add (two, (gpointer) ls_catalogue_find (a.catalogue, "rtx 4090", NULL));
  g_ptr_array_add (two, (gpointer) ls_catalogue_find (a.catalogue, "v100", NULL));
  a.guide.own = a.guide.rent = NULL;
  ls_guide_choose (&a.guide, two);
  g_assert_cmpstr (a.guide.own->name, ==, "NVIDIA GeForce RTX 4090");
  g_assert_cmpstr (a.guide.rent->name, ==, "NVIDIA Tesla V100 SXM2 16 GB");
  a.guide.own = a.guide.rent = NULL;
  g_ptr_array_set_size (two, 1);
  ls_guide_choose (&a.guide, two);
  g_assert_cmpstr (a.guide.own->name, ==, "NVIDIA GeForce RTX 4090");
  g_assert_null (a.guide.rent);
  /* the card that is asked for is the one to be rented, too, where it can be, although another is cheaper */
  const LsHardware *v100 = two->pdata[0] = (gpointer) ls_catalogue_find (a.catalogue, "v100", NULL);
  g_autofree LsHardwareFigure *figures = g_memdup2 (v100->figures, v100->n_figures * sizeof *figures);
  LsHardware cheaper = *v100;
  cheaper.figures = figures;
  for (guint i = 0; i < cheaper.n_figures; i++)
    figures[i].figure.value *= figures[i].kind == LS_HARDWARE_RENT ? .5 : 1;
  g_ptr_array_add (two, &cheaper);
  for (guint i = 0; i < 2; i++)
    {
      a.guide.own = i == 0 ? v100 : ls_catalogue_find (a.catalogue, "rtx 3090", NULL);
      a.guide.rent = NULL;
      ls_guide_choose (&a.guide, two);
      g_assert_true (a.guide.rent == (i == 0 ? v100 : &cheaper));
    }
  a.guide.own = a.guide.rent = NULL;
  a.guide.need.value = 1e15;
  ls_guide_choose (&a.guide, a.catalogue->devices);
  g_assert_null (a.guide.own);
  g_assert_null (a.guide.rent);
  a.guide.step_here.n = 0;
  advise (&a);
  leave (&a);
}

/* Of each device as many as a month's runs take at worst. */
static void
test_choose_cards (void)
{
  Asked a;
  guint several = 0;

  ask (&a, LARGE, 512);
  for (a.guide.runs = 500; a.guide.runs < 1e6; a.guide.runs *= 1.4)
    {
      const LsHardware *best = NULL;
      double least = HUGE_VAL;

      for (guint i = 0; i < a.catalogue->devices->len; i++)
        {
          const LsHardware *device = a.catalogue->devices->pdata[i];
          const double card = ls_hardware_figure (device, LS_HARDWARE_PRICE).value,
                       watt = ls_hardware_figure (device, LS_HARDWARE_POWER).value;

          priced (&a, device->name, device->name);
          ls_advice_clear (&a.advice);
          ls_guide_advise (&a.guide, &a.advice);
          const double hours = a.advice.owned.q3;
          const double cost = card * ceil (hours / 730) + 24 * hours * watt / 1000 * .1545;
          if (device->sort == LS_HARDWARE_CPU || !ls_hardware_trains (device) || a.advice.owned.n == 0
              || card <= 0 || watt <= 0 || cost >= least)
            continue;
          least = cost;
          best = device;
          several += hours > 730;
        }
      a.guide.own = a.guide.rent = NULL;
      ls_guide_choose (&a.guide, a.catalogue->devices);
      g_assert_nonnull (best);
      g_test_message ("%g runs: %s, %g", a.guide.runs, best->name, least);
      g_assert_true (a.guide.own == best);
    }
  g_assert_cmpuint (several, >, 0);
  leave (&a);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guide/rules", test_rules);
  g_test_add_func ("/guide/small-batch", test_small_batch);
  g_test_add_func ("/guide/small-step", test_small_step);
  g_test_add_func ("/guide/rent-or-buy", test_rent_or_buy);
  g_test_add_func ("/guide/stay", test_stay);
  g_test_add_func ("/guide/hours", test_hours);
  g_test_add_func ("/guide/unknown", test_unknown);
  g_test_add_func ("/guide/choose", test_choose);
  g_test_add_func ("/guide/choose-cards", test_choose_cards);
  return g_test_run ();
}
