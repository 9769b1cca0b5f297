/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A law's words: its two numbers, each with what it is, half an interval after ±, and how far it is off.
 */
#include "config.h"

#include "lab/lab.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab-fit/words", test_words);
  return g_test_run ();
}
