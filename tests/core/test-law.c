/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws of growth on dots that follow one, with the noise that measuring has: constants are found within their
 * intervals, which are narrow; and dots that follow none are said to.
 */
#include "config.h"
#include "core/law.h"

#include <math.h>

#include "core/rng.h"

#define SEEDS 100
#define RUNS  30

/* The figure of RUNS runs, each off by `noise` (standard deviation of its logarithm). */
static LsFigure
measured (double value, double noise, guint64 seed, guint dot)
{
  double runs[RUNS];

  for (guint i = 0; i < RUNS; i++)
    runs[i] = value * exp (noise * ls_rng_normal (seed, LS_STREAM_TEST, dot, i));
  return ls_figure_of_samples (runs, RUNS, "samples/s");
}

static void
add (GArray *dots, double x, LsFigure y)
{
  const LsLawDot dot = { x, y };

  g_array_append_val (dots, dot);
}

static void
add_exact (GArray *dots, double x, double y)
{
  add (dots, x, (LsFigure){ y, "samples/s", LS_EVIDENCE_MEASURED, 9, y, y });
}

static gboolean
fit (LsLaw law, const GArray *dots, LsLawFit *fitted)
{
  return ls_law_fit (law, (gconstpointer) dots->data, dots->len, fitted);
}

static gboolean
has (const LsFigure *constant, double value)
{
  return constant->q1 <= value && value <= constant->q3;
}

/* For serial shares from none to half: in 95 of 100 seeds the interval has it, and it is never wider than
 * what noise of that size allows to know. */
static void
test_amdahl_seeds (void)
{
  static const double shares[] = { .01, .059, .2, .5 };
  static const guint cores[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

  for (gsize k = 0; k < G_N_ELEMENTS (shares); k++)
    {
      guint found = 0, holds = 0;
      double widest = 0;

      for (guint64 seed = 1; seed <= SEEDS; seed++)
        {
          g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
          LsLawFit f;

          for (gsize i = 0; i < G_N_ELEMENTS (cores); i++)
            add (dots, cores[i],
                 measured (3e5 / (shares[k] + (1 - shares[k]) / cores[i]), .05, 1000 * k + seed, cores[i]));
          g_assert_true (fit (LS_LAW_AMDAHL, dots, &f));
          found += has (&f.constants[LS_LAW_SERIAL], shares[k]);
          holds += f.holds;
          widest = MAX (widest, f.constants[LS_LAW_SERIAL].q3 - f.constants[LS_LAW_SERIAL].q1);
        }
      g_test_message ("serial share %g: in %u of %d intervals, the widest is %g", shares[k], found, SEEDS,
                      widest);
      g_assert_cmpuint (found, >=, 95);
      g_assert_cmpuint (holds, ==, SEEDS);
      g_assert_cmpfloat (widest, <, .018 + .13 * shares[k]);
    }
}

static void
test_exact (void)
{
  g_autoptr (GArray) linear = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     shared = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     half = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     flight = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
  LsLawFit f;

  for (guint x = 4096; x > 0; x /= 2) /* their order is no matter */
    {
      add_exact (linear, x, 122 + 2.2 * x);
      add_exact (half, x, 480 / (1 + pow (104. / x, 1.5)));
      add_exact (flight, x, MIN (3.5 * x, 280));
      if (x <= 32)
        add_exact (shared, x, 1000 * x / (1 + .05 * (x - 1.) + .002 * x * (x - 1.)));
    }
  g_assert_true (fit (LS_LAW_LINEAR, linear, &f));
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_FIXED].value, 122, 1e-3);
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_EACH].value, 2.2, 1e-5);
  g_assert_true (f.holds);
  g_assert_cmpint (f.constants[0].evidence, ==, LS_EVIDENCE_DERIVED);
  g_assert_cmpuint (f.constants[0].n, ==, 13);
  g_assert_true (fit (LS_LAW_SCALABILITY, shared, &f));
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_ONE].value, 1000, .1);
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_SERIAL].value, .05, 1e-5);
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_COHERENCE].value, .002, 1e-6);
  g_assert_true (f.holds);
  g_assert_true (fit (LS_LAW_HALF_SPEED, half, &f));
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_TOP].value, 480, .1);
  g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_HALF].value, 104, .05);
  g_assert_cmpfloat_with_epsilon (ls_law_at (&f, f.constants[LS_LAW_HALF].value), 240, .1);
  g_assert_true (fit (LS_LAW_IN_FLIGHT, flight, &f));
  g_assert_cmpfloat_with_epsilon (f.full, 80, 1e-6);
  g_assert_cmpfloat (f.full_low, <, 80);
  g_assert_cmpfloat (f.full_high, >, 80);
  g_assert_cmpfloat (f.full_high - f.full_low, <, 5);
  g_assert_true (f.holds);
  g_assert_cmpfloat (f.worst, <, 1e-9);
}

/* Dots that follow a law exactly give back its constants, wherever these and the first dot are. */
static void
test_found (void)
{
  static const double serial[] = { 0, .01, .1, .3, .9 }, coherence[] = { 0, .001, .1, .3 };

  for (guint k = 0; k < G_N_ELEMENTS (serial) * G_N_ELEMENTS (coherence) * 2; k++)
    {
      const double s = serial[k / 8], c = coherence[k / 2 % 4];
      const guint first = k % 2 == 0 ? 1 : 4;
      const double constants[LS_LAW_N][LS_LAW_MAX] = { [LS_LAW_LINEAR] = { 1000 * s, .01 + c },
                                                       [LS_LAW_AMDAHL] = { 1000, s },
                                                       [LS_LAW_SCALABILITY] = { 1000, s, c },
                                                       [LS_LAW_HALF_SPEED] = { 480, 2 + 100 * s } };

      for (guint law = LS_LAW_LINEAR; law <= LS_LAW_HALF_SPEED; law++)
        {
          g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
          LsLawFit true_one = { .law = law }, f;
          for (guint i = 0; i < LS_LAW_MAX; i++)
            true_one.constants[i].value = constants[law][i];
          for (guint x = first; x <= 16 * first; x *= 2)
            add_exact (dots, x, ls_law_at (&true_one, x));
          if (!fit (law, dots, &f) || !f.holds)
            g_error ("dots of %s with %g and %g, from %u on, have no such law", ls_law_formula (law), s, c,
                     first);
          for (guint i = 0; i < f.n; i++)
            if (fabs (f.constants[i].value - constants[law][i]) > 1e-4 * MAX (constants[law][i], .1))
              g_error ("of %s with %g and %g, from %u on, constant %u is %g, and should be %g",
                       ls_law_formula (law), s, c, first, i, f.constants[i].value, constants[law][i]);
        }
    }
}

/* The other laws' intervals on noisy dots, as Amdahl's. */
static void
test_seeds (void)
{
  guint found[4] = { 0 };

  for (guint64 seed = 1; seed <= SEEDS; seed++)
    {
      g_autoptr (GArray) linear = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                         half = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                         flight = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      LsLawFit f;

      for (guint x = 1, i = 0; x <= 4096; x *= 2, i++)
        {
          add (linear, x, measured (122 + 2.2 * x, .05, seed, i));
          add (half, x, measured (480 / (1 + pow (104. / x, 1.5)), .05, seed, 20 + i));
          add (flight, x, measured (MIN (3.5 * x, 280), .05, seed, 40 + i));
        }
      g_assert_true (fit (LS_LAW_LINEAR, linear, &f));
      found[0] += has (&f.constants[LS_LAW_FIXED], 122);
      found[1] += has (&f.constants[LS_LAW_EACH], 2.2);
      g_assert_cmpfloat (f.constants[LS_LAW_FIXED].q3 - f.constants[LS_LAW_FIXED].q1, <, 12);
      g_assert_true (fit (LS_LAW_HALF_SPEED, half, &f));
      found[2] += has (&f.constants[LS_LAW_HALF], 104);
      g_assert_cmpfloat (f.constants[LS_LAW_HALF].q3 - f.constants[LS_LAW_HALF].q1, <, 12);
      g_assert_true (fit (LS_LAW_IN_FLIGHT, flight, &f));
      found[3] += f.full_low <= 80 && 80 <= f.full_high;
      g_assert_cmpfloat (f.full_high - f.full_low, <, 12);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (found); i++)
    g_assert_cmpuint (found[i], >=, 95);
}

/* The band is about as wide as the dots' distance from the law, and has the true one. */
static void
test_band (void)
{
  guint inside = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      double low, high;
      LsLawFit f;

      for (guint x = 1; x <= 8; x++)
        add (dots, x, measured (1000 / (.1 + .9 / x), .05, seed, x));
      g_assert_true (fit (LS_LAW_AMDAHL, dots, &f));
      ls_law_band (&f, 24, &low, &high);
      g_assert_cmpfloat (low, <, ls_law_at (&f, 24));
      g_assert_cmpfloat (high, >, ls_law_at (&f, 24));
      inside += low <= 1000 / (.1 + .9 / 24) && 1000 / (.1 + .9 / 24) <= high;
    }
  g_assert_cmpuint (inside, >=, 95);
}

/* Dots that lie twice as far from the law leave twice as much open, of each constant and of what lies between
 * dots and beyond the last one; but what lies nearer than it was measured leaves no less open than measuring
 * does. */
static void
test_scatter (void)
{
  static const struct {
    double off, wider; /* of its value; than by the scatter before: 3.29 is .03 over .01 times √(12/10) */
  } rows[] = { { .0005, 0 }, { .001, 1 }, { .03, 3.29 }, { .06, 2 } };
  static const char *const names[] = { "the band between dots", "the band beyond them", "the fixed part",
                                       "what each costs" };
  double before[4] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      double wide[4];
      LsLawFit f;

      for (guint x = 1; x <= 12; x++) /* neither the fixed part nor what each costs is off by it */
        add_exact (dots, x, (10 + 3 * x) * (1 + rows[i].off * (x / 2 % 2 == 0 ? 1 : -1)));
      g_assert_true (fit (LS_LAW_LINEAR, dots, &f));
      for (guint j = 0; j < 2; j++)
        {
          const double x = j == 0 ? 5 : 100, at = ls_law_at (&f, x);
          double low, high;

          ls_law_band (&f, x, &low, &high);
          g_assert_cmpfloat_with_epsilon (log (at / low), log (high / at), 1e-9);
          wide[j] = log (high / low);
        }
      for (guint j = 0; j < 2; j++)
        {
          const LsFigure *constant = &f.constants[j];
          wide[2 + j] = constant->q3 - constant->q1;
          g_assert_cmpfloat_with_epsilon (constant->value - constant->q1, constant->q3 - constant->value,
                                          1e-9);
        }
      for (guint j = 0; j < 4; j++)
        {
          if (rows[i].wider > 0 && fabs (wide[j] / before[j] / rows[i].wider - 1) > .1)
            g_error ("off by %g, %s is %g times as wide as off by %g, and should be %g times", rows[i].off,
                     names[j], wide[j] / before[j], rows[i - 1].off, rows[i].wider);
          before[j] = wide[j];
        }
    }
}

/* Of n dots and two constants n − 2 are free: Student's quantiles for 95 of 100, as tables have them. */
static void
test_quantiles (void)
{
  static const struct {
    guint freedom;
    double quantile;
  } rows[] = { { 2, 4.303 },  { 3, 3.182 },  { 4, 2.776 }, { 8, 2.306 },
               { 10, 2.228 }, { 12, 2.179 }, { 30, 2.042 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      LsLawFit f;
      for (guint x = 1; x <= rows[i].freedom + 2; x++)
        add_exact (dots, x, (10 + 3 * x) * (x % 2 == 0 ? 1.001 : .999));
      g_assert_true (fit (LS_LAW_LINEAR, dots, &f));
      g_assert_cmpfloat_with_epsilon (f.quantile, rows[i].quantile, .02);
    }
}

/* A dot that lies aside speaks against the law unless its own middle half reaches it, from above or from
 * below; how far the dots lie from it in the middle and at worst is what it is of the dots themselves. */
static void
test_judged (void)
{
  static const struct {
    double value, q1, q3; /* of the law's */
    gboolean holds;
  } rows[] = { { 1, 1, 1, TRUE },
               { .5, .3, .8, FALSE },
               { .5, .3, 1.2, TRUE },
               { 2, 1.3, 3.5, FALSE },
               { 2, .8, 3.5, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      double sum = 0, worst = 0;
      LsLawFit f;

      for (guint x = 1; x <= 8; x++)
        if (x != 4)
          add_exact (dots, x, 10 + 3 * x);
      add (dots, 4,
           (LsFigure){ 22 * rows[i].value, "s", LS_EVIDENCE_MEASURED, 1, 22 * rows[i].q1, 22 * rows[i].q3 });
      g_assert_true (fit (LS_LAW_LINEAR, dots, &f));
      if (f.holds != rows[i].holds)
        g_error ("a dot at %g of the law, from %g to %g, %s", rows[i].value, rows[i].q1, rows[i].q3,
                 f.holds ? "doesn’t speak against it" : "speaks against it");
      for (guint k = 0; k < dots->len; k++)
        {
          const LsLawDot *dot = &g_array_index (dots, LsLawDot, k);
          const double off = fabs (ls_law_at (&f, dot->x) / dot->y.value - 1);
          sum += off * off;
          worst = MAX (worst, off);
        }
      g_assert_cmpfloat_with_epsilon (f.residual, sqrt (sum / dots->len), 1e-12);
      g_assert_cmpfloat_with_epsilon (f.worst, worst, 1e-12);
    }
}

/* A constant that comes out below zero is none, and refutes the law only where it surely is below. */
static void
test_below_zero (void)
{
  static const double fixed[] = { -.002, -1 };

  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      LsLawFit f;

      for (guint x = 1; x <= 8; x++)
        add_exact (dots, x, fixed[i] + 3 * x);
      g_assert_true (fit (LS_LAW_LINEAR, dots, &f));
      g_assert_cmpfloat (f.constants[LS_LAW_FIXED].value, ==, 0);
      g_assert_cmpfloat (f.constants[LS_LAW_FIXED].q1, ==, 0);
      g_assert_cmpfloat_with_epsilon (f.constants[LS_LAW_EACH].value, 3, 1e-6);
      if (f.holds != (i == 0))
        g_error ("a fixed part of %g, %g at most, %s the law", fixed[i], f.constants[LS_LAW_FIXED].q3,
                 f.holds ? "is taken by" : "refutes");
    }
}

/* Two places more than it has constants are the fewest, however many dots each of them has. */
static void
test_least (void)
{
  g_assert_cmpuint (ls_law_least (LS_LAW_LINEAR), ==, 4);
  g_assert_cmpuint (ls_law_least (LS_LAW_AMDAHL), ==, 4);
  g_assert_cmpuint (ls_law_least (LS_LAW_SCALABILITY), ==, 5);
  for (guint places = 3; places <= 4; places++)
    {
      g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
      LsLawFit f;

      for (guint k = 0; k < 3 * places; k++)
        add_exact (dots, 1 + k % places, 10 + 3 * (1 + k % places));
      if (fit (LS_LAW_LINEAR, dots, &f) != (places == 4))
        g_error ("a line through %u dots in %u places is %s", dots->len, places,
                 places == 4 ? "refused" : "taken");
    }
}

/* What no law gives is said: a rate that falls where the law rises, jumps, times that shrink. */
static void
test_refuses (void)
{
  g_autoptr (GArray) falls = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     jumps = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     shrinks = g_array_new (FALSE, FALSE, sizeof (LsLawDot)),
                     faster = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
  LsLawFit f;

  for (guint x = 1; x <= 8; x++)
    {
      add_exact (falls, x, 1000. * (x <= 4 ? x : 8 - x + .5));
      add_exact (jumps, x, x % 2 == 0 ? 100 : 200);
      add_exact (shrinks, x, 1000 - 110. * x);
      add_exact (faster, x, 1000. * x * (1 + .1 * (x - 1.))); /* more than x times with x: not Amdahl's */
    }
  g_assert_true (!fit (LS_LAW_AMDAHL, falls, &f) || !f.holds);
  g_assert_true (!fit (LS_LAW_SCALABILITY, jumps, &f) || !f.holds);
  g_assert_true (!fit (LS_LAW_LINEAR, shrinks, &f) || !f.holds);
  g_assert_true (!fit (LS_LAW_AMDAHL, faster, &f) || !f.holds);
  g_assert_true (!fit (LS_LAW_HALF_SPEED, jumps, &f) || !f.holds);
  g_assert_true (!fit (LS_LAW_IN_FLIGHT, jumps, &f) || !f.holds);
  /* A dot whose own middle half reaches the law doesn't speak against it, however far its median is. */
  g_array_set_size (falls, 4);
  add (falls, 5, (LsFigure){ 3500, "samples/s", LS_EVIDENCE_MEASURED, 5, 3000, 6000 });
  g_assert_true (fit (LS_LAW_AMDAHL, falls, &f));
  g_assert_true (f.holds);
}

static void
test_hostile (void)
{
  g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
  static const double odd[] = { 0, -1, NAN, INFINITY, 1e-300, 1e300 };
  LsLawFit f;

  for (guint law = LS_LAW_LINEAR; law < LS_LAW_N; law++)
    {
      g_assert_false (fit (law, dots, &f));
      g_assert_nonnull (ls_law_formula (law));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (odd); j++)
      add_exact (dots, odd[i], odd[j]);
  for (guint law = LS_LAW_NONE; law < LS_LAW_N; law++)
    fit (law, dots, &f);
  g_array_set_size (dots, 0);
  for (guint i = 0; i < 9; i++)
    add_exact (dots, 3, 5); /* nine dots, one place */
  for (guint law = LS_LAW_LINEAR; law < LS_LAW_N; law++)
    g_assert_false (fit (law, dots, &f));
  g_array_set_size (dots, 0);
  for (guint x = 1; x < 9; x++)
    add_exact (dots, x, 7); /* nothing grows */
  for (guint law = LS_LAW_LINEAR; law < LS_LAW_N; law++)
    if (fit (law, dots, &f))
      for (guint i = 0; i < f.n; i++)
        g_assert_true (isfinite (f.constants[i].value) && isfinite (f.constants[i].q3));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/law/amdahl-seeds", test_amdahl_seeds);
  g_test_add_func ("/law/exact", test_exact);
  g_test_add_func ("/law/found", test_found);
  g_test_add_func ("/law/seeds", test_seeds);
  g_test_add_func ("/law/band", test_band);
  g_test_add_func ("/law/scatter", test_scatter);
  g_test_add_func ("/law/judged", test_judged);
  g_test_add_func ("/law/below-zero", test_below_zero);
  g_test_add_func ("/law/least", test_least);
  g_test_add_func ("/law/quantiles", test_quantiles);
  g_test_add_func ("/law/refuses", test_refuses);
  g_test_add_func ("/law/hostile", test_hostile);
  return g_test_run ();
}
