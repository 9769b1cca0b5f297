/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The guide's words for months and hours at their ends, which figure a device's rate is, and which device a
 * name in full means; when a step is so small that starting its ops is told of.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/cost.h"
#include "machines/guide/guide.h"
#include "tests/machines/plan-rig.h"

static void
test_months (void)
{
  static const struct {
    double months[2];
    const char *text;
  } rows[] = {
    { { INFINITY, INFINITY }, "never" },
    { { 1201, INFINITY }, "not in 100 years" },
    { { 1201, 5000 }, "not in 100 years" },
    { { 3, INFINITY }, "month 3.0 or never" },
    { { 3, 3.04 }, "month 3.0" },
    { { 3, 5.5 }, "month 3.0 to 5.5" },
    { { .049, 1 }, "month <0.1 to 1.0" },
    { { .0501, 99.94 }, "month 0.1 to 99.9" },
    { { 99.96, 1200 }, "month 100 to 1\342\200\211200" },
    { { 2, 1201 }, "month 2.0 to >1\342\200\211200" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = ls_months_text (rows[i].months);

      if (g_strcmp0 (text, rows[i].text) != 0)
        g_error ("months %g to %g are “%s”, not “%s”", rows[i].months[0], rows[i].months[1], text,
                 rows[i].text);
    }
}

/* A month is never written as one that is planned where it is later: it has as many digits as that takes. */
static void
test_pays (void)
{
  static const struct {
    double months[2], planned;
    const char *text, *plan;
  } rows[] = {
    { { 3, 9 }, 24, "3.0 to 9.0", "24" },
    { { 12, 12 }, 12, "12.0", "12" },
    { { 11.98, 12.03 }, 12, "12.0", "12" }, /* it may be before that */
    { { 12.04, 12.04 }, 12, "12.04", "12" },
    { { 12.04, 12.049 }, 12, "12.04 to 12.05", "12" },
    { { 12.04, 20 }, 12, "12.04 to 20.0", "12" },
    { { 12.0004, 12.0004 }, 12, "12.0004", "12" },
    { { 12.06, 13 }, 12, "12.1 to 13.0", "12" },
    { { 11.99, 13 }, 11.97, "11.99 to 13.0", "11.97" },
    { { 120.3, 150 }, 120, "120.3 to 150", "120" },
    { { 120.3, INFINITY }, 24, "120 to >1\342\200\211200", "24" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *plan = NULL, *text = ls_pays_text (rows[i].months, rows[i].planned, &plan);

      if (strcmp (text, rows[i].text) != 0 || strcmp (plan, rows[i].plan) != 0)
        g_error ("months %g to %g, where %g are planned, are “%s” and “%s”, not “%s” and “%s”",
                 rows[i].months[0], rows[i].months[1], rows[i].planned, text, plan, rows[i].text,
                 rows[i].plan);
    }
}

/* A range has the unit of its middle; without one it is a number alone. */
static void
test_hours (void)
{
  static const struct {
    double value, q1, q3;
    LsEvidence evidence;
    const char *text;
  } rows[] = {
    { 1, 0, 9, LS_EVIDENCE_MEASURED, "1\u00a0h" },
    { .99, 0, 9, LS_EVIDENCE_MEASURED, "59.4\u00a0min" },
    { 1. / 60, 0, 9, LS_EVIDENCE_MEASURED, "1\u00a0min" },
    { .01, 0, 9, LS_EVIDENCE_MEASURED, "36\u00a0s" },
    { 3, 3, 3, LS_EVIDENCE_MODELLED, "3\u00a0h" },
    { 2.00004, 2, 2.0001, LS_EVIDENCE_MODELLED, "2.00\u00a0h" }, /* not “2–2.00” */
    { 1600, 1599, 1601, LS_EVIDENCE_MODELLED, "1\342\200\211599–1\342\200\211601\u00a0h" },
    { .012, .01, 2, LS_EVIDENCE_MODELLED, "0.600–120\u00a0min" }, /* √(.01 · 2) h are 8.5 min */
    { 30, .5, 31, LS_EVIDENCE_MODELLED, "0.500–31\u00a0h" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFigure hours = {
        .value = rows[i].value, .q1 = rows[i].q1, .q3 = rows[i].q3, .n = 1, .evidence = rows[i].evidence
      };
      g_autofree char *text = ls_hours_text (&hours);

      if (g_strcmp0 (text, rows[i].text) != 0)
        g_error ("%g h from %g to %g are “%s”, not “%s”", hours.value, hours.q1, hours.q3, text,
                 rows[i].text);
    }
}

/* Likewise a sum that is more than it may cost. */
static void
test_apart (void)
{
  static const struct {
    double least, budget;
    const char *low, *may;
  } rows[] = {
    { 120, 100, "120", "100" },         { 100.3, 100, "100.3", "100.0" }, { 100.04, 100, "100.04", "100.00" },
    { 12.4, 12.3, "12.4", "12.3" },     { 12.6, 12.3, "13", "12.3" },     { 12.34, 12.31, "12.34", "12.31" },
    { 100.2, 99.96, "100.2", "100.0" }, { 101, 100.4, "101", "100" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *low = ls_digits_text (round (rows[i].least)), *may = ls_digits_text (rows[i].budget);

      ls_guide_tell_apart (rows[i].least, rows[i].budget, &low, &may);
      if (strcmp (low, rows[i].low) != 0 || strcmp (may, rows[i].may) != 0)
        g_error ("%g, which is more than %g, is “%s” of “%s”, not “%s” of “%s”", rows[i].least,
                 rows[i].budget, low, may, rows[i].low, rows[i].may);
    }
}

static LsHardwareFigure
rate (LsNumbers numbers, guint means, double value)
{
  return (LsHardwareFigure){ .kind = LS_HARDWARE_COMPUTE,
                             .numbers = numbers,
                             .means = means,
                             .figure = { .value = value, .q1 = value, .q3 = value, .n = 1 } };
}

/* Numbers of 32 bits go through the vector units, if their rate is published, though others may be faster; of
 * 16 bits the fastest that isn't sparse. */
static void
test_rate (void)
{
  LsHardwareFigure figures[] = {
    rate (LS_NUMBERS_FP32, 0, 60),
    rate (LS_NUMBERS_FP32, LS_MEANS_VECTOR, 15),
    rate (LS_NUMBERS_FP32, 0, 90),
    rate (LS_NUMBERS_FP16, 0, 100),
    rate (LS_NUMBERS_FP16, LS_MEANS_SPARSE, 800),
    rate (LS_NUMBERS_FP16, 0, 300),
    rate (LS_NUMBERS_BF16, LS_MEANS_SPARSE, 900),
  };
  LsHardware device
    = { .name = (char *) "X", .parts = 1, .figures = figures, .n_figures = G_N_ELEMENTS (figures) };

  g_assert_true (ls_cost_rate_of (&device, LS_PRECISION_FP32) == &figures[1]);
  g_assert_true (ls_cost_rate_of (&device, LS_PRECISION_FP16) == &figures[5]);
  g_assert_null (ls_cost_rate_of (&device, LS_PRECISION_BF16));
  figures[1].means = 0;
  g_assert_true (ls_cost_rate_of (&device, LS_PRECISION_FP32) == &figures[2]);
}

/* A name in full means that device, though another's begins with it, before or after it in the table. */
static void
test_name (void)
{
  LsHardware longer = { .name = (char *) "NVIDIA T4000" }, whole = { .name = (char *) "NVIDIA T4" },
             last = { .name = (char *) "New NVIDIA T4" };
  LsCatalogue catalogue = { .devices = g_ptr_array_new () };

  g_ptr_array_add (catalogue.devices, &longer);
  g_ptr_array_add (catalogue.devices, &whole);
  g_ptr_array_add (catalogue.devices, &last);
  g_autoptr (GPtrArray) words = ls_catalogue_search (&catalogue, "t4"),
                        name = ls_catalogue_search (&catalogue, "nvidia  T4");
  g_assert_cmpuint (words->len, ==, 3);
  if (name->len != 1 || name->pdata[0] != &whole)
    g_error ("the name in full finds %u devices", name->len);
  g_assert_true (ls_catalogue_find (&catalogue, "NVIDIAT4", NULL) == &whole);
  g_ptr_array_unref (catalogue.devices);
}

/* How long a small step takes here, in the unit that suits it to three figures, and for which steps starting
 * their ops is told of. */
static void
test_small (void)
{
  g_autoptr (GString) text = g_string_new ("flatten");

  for (guint i = 0; i < 20; i++)
    g_string_append (text, ", dense 8, relu");
  g_string_append (text, ", dense 10");
  g_autoptr (LsPlan) plan = plan_of (text->str, 64);
  const double start = plan->n_ops * LS_COST_LAUNCH;
  g_autofree char *there = ls_digits_text (start * 1e3);
  const struct {
    double here, worst; /* there */
    const char *words;  /* NULL: nothing is said */
  } rows[] = {
    { 12.34e-6, start, "it takes 12.3 µs here, " },
    { 250e-6, start, "it takes 250 µs here, " },
    { 999.4e-6, start, "it takes 999 µs here, " },
    { 999.6e-6, start, "it takes 1.00 ms here, " },
    { 1e-3, start, "it takes 1 ms here, " },
    { 1.234e-3, 1.235e-3, "it takes 1.23 ms here, " },
    { start, start, "" },
    { start * 1.001, start * 1.1, NULL }, /* as long as the ops take to start, and longer */
    { 1e-3, .999e-3, NULL },              /* the card is faster even at worst */
    { 1e-3, start * 2, "" },
    { 1e-3, start * 2.001, NULL }, /* it is no small part of what the card takes */
  };

  g_assert_cmpfloat (start, >, 1.3e-3);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsGuide guide = { .plan = plan, .step_here = { .value = rows[i].here, .n = 9 } };
      g_auto (LsAdvice) advice = { .step_own = { .q3 = rows[i].worst, .n = 1 } };
      const gboolean holds = ls_guide_rule (&guide, &advice);
      g_autofree char *starts = g_strdup_printf (
        "%sand starting its %u ops one by one takes a GPU up to %s ms ",
        rows[i].words != NULL ? rows[i].words : "", plan->n_ops, there);

      if (holds != (rows[i].words != NULL) || (holds && strstr (advice.sentence, starts) == NULL))
        g_error ("of a step of %g s here, at worst %g s there, is said: %s", rows[i].here, rows[i].worst,
                 holds ? advice.sentence : "nothing");
    }
}

/* A table is small up to 16 MB; where the card is faster even at worst a run over it must take less than a
 * minute here; where that isn't known one tries it here first. */
static void
test_small_table (void)
{
  static const struct {
    double bytes, here, there, run; /* s; 0: not known; minutes */
    LsAdviceKind kind;              /* BUY: the rule doesn’t hold */
  } rows[] = {
    { 16e6, .6, .5, .999, LS_ADVICE_WRONG }, { 16e6, .6, .5, 1, LS_ADVICE_BUY },
    { 16e6, .6, .5, 60, LS_ADVICE_BUY },     { 16e6 + 1, .6, .5, .5, LS_ADVICE_BUY },
    { 1e6, .6, .6, 60, LS_ADVICE_WRONG },    { 1e6, .6, .7, 60, LS_ADVICE_WRONG },
    { 1e6, .6, 0, 60, LS_ADVICE_WRONG },     { 1e6, 0, .5, 0, LS_ADVICE_UNKNOWN },
    { 0, .6, .7, .5, LS_ADVICE_BUY },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsGuide guide = { .table = { .value = rows[i].bytes, .n = rows[i].bytes > 0 },
                              .step_here = { .value = rows[i].here, .n = rows[i].here > 0 } };
      g_auto (LsAdvice) advice = { .kind = LS_ADVICE_BUY,
                                   .step_own = { .q3 = rows[i].there, .n = rows[i].there > 0 },
                                   .run_here = { .value = rows[i].run / 60, .n = rows[i].run > 0 } };
      const gboolean holds = ls_guide_rule (&guide, &advice);

      if (advice.kind != rows[i].kind || holds != (rows[i].kind != LS_ADVICE_BUY)
          || (holds && strcmp (advice.rule, "table") != 0))
        g_error ("of %g bytes, a step of %g s here and %g s there, a run of %g min, is said: %s",
                 rows[i].bytes, rows[i].here, rows[i].there, rows[i].run,
                 holds ? advice.sentence : "nothing");
    }
}

/* Two sizes of memory, of which one is larger, are never told as the same; else in three figures. */
static void
test_memory (void)
{
  static const struct {
    double bytes, others;
    const char *words, *other;
  } rows[] = {
    { 25e9, 24e9, "25", "24" },
    { 24.5e9, 24e9, "24.5", "24" },
    { 24.03e9, 24e9, "24.03", "24.00" },
    { 24.004e9, 24e9, "24.004", "24.000" },
    { 24e9 + 1000, 24e9, "24.000001", "24.000000" },
    { 16e9, 15.999e9, "16.000", "15.999" },
    { 1.2345e11, 24e9, "123", "24" },
    { 100.4e9, 100e9, "100.4", "100.0" },
    { .0123e9, .012e9, "0.0123", "0.0120" },
    { .5e9, 2e9, "0.500", "2" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *other = NULL, *words = ls_gb_text (rows[i].bytes, rows[i].others, &other);

      if (strcmp (words, rows[i].words) != 0 || strcmp (other, rows[i].other) != 0)
        g_error ("%.0f bytes and %.0f are “%s” and “%s” GB, not “%s” and “%s”", rows[i].bytes, rows[i].others,
                 words, other, rows[i].words, rows[i].other);
    }
}

/* What the lecture's sum leaves out or can't source is called the lecture's; nothing else is. */
static void
test_lecture (void)
{
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL);
  LsPrices prices;

  ls_prices_field (catalogue, &prices);
  for (guint i = 0; i < LS_PRICE_N; i++)
    if (prices.of[i].lecture != (i == LS_PRICE_CARD || i == LS_PRICE_POWER))
      g_error ("price %u is %s the lecture’s", i, prices.of[i].lecture ? "said to be" : "not said to be");
  g_assert_cmpfloat (ls_prices_value (&prices, LS_PRICE_POWER), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guide-words/months", test_months);
  g_test_add_func ("/guide-words/pays", test_pays);
  g_test_add_func ("/guide-words/apart", test_apart);
  g_test_add_func ("/guide-words/hours", test_hours);
  g_test_add_func ("/guide-words/rate", test_rate);
  g_test_add_func ("/guide-words/name", test_name);
  g_test_add_func ("/guide-words/small", test_small);
  g_test_add_func ("/guide-words/small-table", test_small_table);
  g_test_add_func ("/guide-words/memory", test_memory);
  g_test_add_func ("/guide-words/lecture", test_lecture);
  return g_test_run ();
}
