/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When dots are said to follow a law: with one of them further and further off. A law with a corner, where
 * devices have a bend, is left more than the others.
 */
#include "config.h"
#include "core/law.h"

#include <locale.h>
#include <math.h>

#define DOTS  7
#define STEPS 60 /* of a hundredth each, up and down */

static const struct {
  LsLaw law;
  double tolerance;
  guint off; /* the dot that is off */
} rows[] = {
  { LS_LAW_LINEAR, .10, 2 },      { LS_LAW_AMDAHL, .10, 6 },    { LS_LAW_HALF_SPEED, .10, 3 },
  { LS_LAW_SCALABILITY, .10, 3 }, { LS_LAW_IN_FLIGHT, .25, 6 }, { LS_LAW_IN_FLIGHT, .25, 4 },
};

static double
exact (LsLaw law, double x)
{
  switch (law)
    {
    case LS_LAW_LINEAR:
      return 40 + 3 * x;
    case LS_LAW_AMDAHL:
      return 100 / (.2 + .8 / x);
    case LS_LAW_SCALABILITY:
      return 100 * x / (1 + .1 * (x - 1) + .002 * x * (x - 1));
    case LS_LAW_HALF_SPEED:
      return 900 / (1 + pow (6 / x, 1.5));
    default:
      return MIN (100 * x, 800);
    }
}

/* The law through the row's dots, one of which is so many times as high; wide: that one's middle half reaches
 * to where the others would have it. */
static void
fit_with (guint row, double times, gboolean wide, LsLawFit *fit)
{
  LsLawDot dots[DOTS];

  for (guint i = 0; i < DOTS; i++)
    {
      const double x = 1 << i, y = exact (rows[row].law, x);

      dots[i] = (LsLawDot){ x, { y, "samples/s", LS_EVIDENCE_MEASURED, 100, y, y } };
      if (i != rows[row].off)
        continue;
      dots[i].y.value = y * times;
      dots[i].y.q1 = wide ? MIN (y, y * times) / 1.2 : y * times;
      dots[i].y.q3 = wide ? MAX (y, y * times) * 1.2 : y * times;
    }
  g_assert_true (ls_law_fit (rows[row].law, dots, DOTS, fit));
}

/* It holds as long as no dot is further off than that, and both are seen; where the dot's own middle half
 * has the law in it, it holds in any case. */
static void
test_holds (void)
{
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      guint seen[2] = { 0, 0 };

      for (gint step = -STEPS / 2; step <= STEPS; step++)
        {
          LsLawFit fit, wide;
          gboolean within;

          fit_with (row, 1 + step / 100., FALSE, &fit);
          within = fit.worst <= rows[row].tolerance;
          seen[within]++;
          if (fit.holds != within)
            g_error ("%s, dot %u %d %% off: the worst is %.1f %% off, and the law %s",
                     ls_law_formula (rows[row].law), rows[row].off, step, 100 * fit.worst,
                     fit.holds ? "holds" : "doesn’t hold");
          fit_with (row, 1 + step / 100., TRUE, &wide);
          if (!wide.holds)
            g_error ("%s, dot %u %d %% off: the law lies in its middle half, and doesn’t hold",
                     ls_law_formula (rows[row].law), rows[row].off, step);
        }
      if (seen[0] == 0 || seen[1] == 0)
        g_error ("%s: it holds %u times of %u", ls_law_formula (rows[row].law), seen[1], seen[0] + seen[1]);
    }
}

/* A corner is found wherever it lies: before the last dot, and behind the first one. */
static void
test_corner (void)
{
  for (guint n = 4; n <= DOTS; n++)
    for (guint below = 1; below < n; below++)
      {
        const double top = 120 << (below - 1); /* the next dot would be at 200 times as many */
        LsLawDot dots[DOTS];
        LsLawFit fit;

        for (guint i = 0; i < n; i++)
          {
            const double x = 1 << i, y = MIN (100 * x, top);

            dots[i] = (LsLawDot){ x, { y, "samples/s", LS_EVIDENCE_MEASURED, 100, y, y } };
          }
        g_assert_true (ls_law_fit (LS_LAW_IN_FLIGHT, dots, n, &fit));
        if (fabs (fit.constants[0].value - 100) > 1e-6 || fabs (fit.constants[1].value - top) > 1e-6
            || fabs (fit.full - top / 100) > 1e-6)
          g_error ("%u of %u dots are below a top of %g, and it is %g·x up to %g, full at %g", below, n, top,
                   fit.constants[0].value, fit.constants[1].value, fit.full);
        g_assert_true (fit.holds);
      }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/law/holds", test_holds);
  g_test_add_func ("/law/corner", test_corner);
  return g_test_run ();
}
