/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A law's words: its two numbers, each with what it is, half an interval after ±, and how far it is off.
 */
#include "config.h"

#include "lab/lab.h"
#include "rig.h"

/* A constant, and from where to where it may be. */
static LsFigure
between (double low, double value, double high)
{
  return (LsFigure){ .value = value, .q1 = low, .q3 = high, .n = 8, .evidence = LS_EVIDENCE_DERIVED };
}

static void
assert_words (const char *experiment, const LsLawFit *law, const char *expected)
{
  const LsLabResult result = { .experiment = ls_experiment_find (experiment) };
  const LsLabFit fit = { .law = *law };
  g_autofree char *words = ls_lab_fit_text (&result, &fit);

  g_assert_nonnull (result.experiment);
  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (void)
{
  const LsLawFit linear = { .law = LS_LAW_LINEAR,
                            .constants = { between (10, 12.5, 15), between (.3, .4, .5) },
                            .worst = .07,
                            .holds = TRUE },
                 amdahl = { .law = LS_LAW_AMDAHL,
                            .constants = { between (90, 100, 110), between (.15, .2, .25) },
                            .worst = .014,
                            .holds = TRUE },
                 scalability
                 = { .law = LS_LAW_SCALABILITY,
                     .constants = { between (90, 100, 110), between (.1, .2, .3), between (.01, .03, .05) },
                     .worst = .02,
                     .holds = TRUE },
                 half = { .law = LS_LAW_HALF_SPEED,
                          .constants = { between (1e11, 2e11, 3e11), between (100, 128, 140) },
                          .worst = .1,
                          .holds = TRUE },
                 flight = { .law = LS_LAW_IN_FLIGHT,
                            .constants = { between (1, 2, 3), between (100, 160, 220) },
                            .full = 80,
                            .full_low = 72,
                            .full_high = 88,
                            .worst = .2,
                            .holds = TRUE };
  LsLawFit none = amdahl;

  none.holds = FALSE;
  none.worst = .31;
  assert_words ("batch", &linear, "12.5 µs a step and 0.4 µs a sample, at most 7 % off (derived)");
  assert_words ("events", &linear, "12.5 µs a step and 0.4 µs an event, at most 7 % off (derived)");
  assert_words ("threads", &amdahl, "serial share 0.2 ± 0.05, at most 1 % off (derived)");
  assert_words ("threads", &scalability, "σ 0.2, κ 0.03, at most 2 % off (derived)");
  assert_words ("size", &half, "half of the speed at n = 128 ± 20, at most 10 % off (derived)");
  assert_words ("flight", &flight, "full at 80 ± 8 in each core or unit, at most 20 % off (derived)");
  assert_words ("threads", &none, "S(n) = 1 / (s + (1 − s)/n) doesn’t fit, up to 31 % off");
}

/* Points that stand on t = 20 µs + 3 µs a sample from some size on, and are two or three times as slow
 * before: the law is of those that it covers, as long as it has two more points than constants; else of all
 * of them, and doesn't hold. */
static void
test_from_some_size (void)
{
  for (guint n = 4; n <= 8; n++)
    for (guint off = 0; off <= 4; off++)
      {
        g_autoptr (LsOptions) options = rig_options ("cpu");
        g_autoptr (GError) error = NULL;
        g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_batch, options, &error);
        const gboolean covered = n >= off + 4;
        LsLabFit fit;

        g_assert_no_error (error);
        for (guint i = 0; i < n; i++)
          {
            const double x = 1 << i, us = (20 + 3 * x) * (i < off ? 3 - i % 2 : 1), rate = 1e6 * x / us;
            LsLabPoint p
              = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate * .999, rate * 1.001 } };

            g_assert_true (ls_lab_result_add (result, 0, &p));
          }
        g_assert_true (ls_lab_fit (result, 0, &fit));
        if (fit.law.holds != covered)
          g_error ("of %u points, of which %u are off, the law %s", n, off,
                   fit.law.holds ? "holds" : "doesn't hold");
        g_assert_cmpuint (fit.first, ==, covered ? off : 0);
        g_assert_cmpuint (fit.n, ==, covered ? n - off : n);
        if (!covered)
          continue;
        g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_FIXED].value, 20, .1);
        g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_EACH].value, 3, .01);
      }
}

/* One of the points is known so badly that the law may as well be right there: its step takes half as long
 * again as the law has it, and less than the law in a quarter of its samples. The law is of all points then,
 * and goes through the others. */
static void
test_uncertain (void)
{
  for (guint bad = 0; bad < 8; bad++)
    {
      g_autoptr (LsOptions) options = rig_options ("cpu");
      g_autoptr (GError) error = NULL;
      g_autoptr (LsLabResult) result = ls_lab_result_new (&ls_experiment_batch, options, &error);
      LsLabFit fit;

      g_assert_no_error (error);
      for (guint i = 0; i < 8; i++)
        {
          const double x = 1 << i, us = (20 + 3 * x) * (i == bad ? 1.5 : 1), rate = 1e6 * x / us,
                       least = i == bad ? .3 : .999, most = i == bad ? 2 : 1.001;
          LsLabPoint p
            = { .x = x, .rate = { rate, "samples/s", LS_EVIDENCE_MEASURED, 9, rate * least, rate * most } };

          g_assert_true (ls_lab_result_add (result, 0, &p));
        }
      g_assert_true (ls_lab_fit (result, 0, &fit));
      if (!fit.law.holds || fit.first != 0 || fit.n != 8)
        g_error ("with point %u from %g to %g times its rate, the law %s for %u points from point %u on", bad,
                 .3, 2., fit.law.holds ? "holds" : "doesn't hold", fit.n, fit.first);
      g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_FIXED].value, 20, 1);
      g_assert_cmpfloat_with_epsilon (fit.law.constants[LS_LAW_EACH].value, 3, .1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-fit/words", test_words);
  g_test_add_func ("/lab-fit/from-some-size", test_from_some_size);
  g_test_add_func ("/lab-fit/uncertain", test_uncertain);
  return g_test_run ();
}
