/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Medians and quartiles against R's quantile (x, type = 7) and numpy.percentile.
 */
#include <string.h>

#include "core/error.h"
#include "core/figure.h"

static void
test_quantiles (void)
{
  static const struct {
    double values[7];
    gsize n;
    double q1, median, q3;
  } rows[] = {
    { { 5 }, 1, 5, 5, 5 },
    { { 2, 1 }, 2, 1.25, 1.5, 1.75 },
    { { 3, 1, 2 }, 3, 1.5, 2, 2.5 },
    { { 4, 1, 3, 2 }, 4, 1.75, 2.5, 3.25 },
    { { 10, 2, 8, 4, 6 }, 5, 4, 6, 8 },
    { { 7, 7, 7, 7, 7, 7, 7 }, 7, 7, 7, 7 },
    { { 1000000, 1, -1, 0.5, 2, 3, 1 }, 7, 0.75, 1, 2.5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double values[7];
      memcpy (values, rows[i].values, sizeof values);
      LsFigure f = ls_figure_of_samples (values, rows[i].n, "µs");
      g_assert_cmpfloat (f.q1, ==, rows[i].q1);
      g_assert_cmpfloat (f.value, ==, rows[i].median);
      g_assert_cmpfloat (f.q3, ==, rows[i].q3);
      g_assert_cmpuint (f.n, ==, rows[i].n);
      g_assert_cmpuint (f.left_out, ==, 0);
      g_assert_cmpint (f.evidence, ==, LS_EVIDENCE_MEASURED);
      g_assert_cmpstr (f.unit, ==, "µs");
      for (gsize j = 1; j < rows[i].n; j++)
        g_assert_cmpfloat (values[j - 1], <=, values[j]);
    }
}

static void
test_no_samples (void)
{
  LsFigure f = ls_figure_of_samples (NULL, 0, "samples/s");
  g_assert_cmpuint (f.n, ==, 0);
  g_assert_cmpfloat (f.value, ==, 0);
  g_assert_cmpstr (f.unit, ==, "samples/s");
}

/* A rate with a middle half as wide as a share of its median. */
static LsFigure
rate_of (double value, double wide, guint64 n)
{
  return (LsFigure){
    .value = value, .q1 = value * (1 - wide / 2), .q3 = value * (1 + wide / 2), .n = n, .unit = "samples/s"
  };
}

static void
test_stands (void)
{
  static const struct {
    guint64 n;
    double wide;
    gboolean stands;
    guint64 wanting;
  } rows[] = {
    { 0, 0, FALSE, 50 },    { 2, .01, FALSE, 48 }, { 19, .01, FALSE, 31 }, { 20, .09, TRUE, 0 },
    { 20, .11, FALSE, 30 }, { 49, .11, FALSE, 1 }, { 50, .5, TRUE, 0 },    { 200, .01, TRUE, 0 },
  };
  LsFigure beside = rate_of (100, .01, 200);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFigure rate = rate_of (rows[i].n > 0 ? 100 : 0, rows[i].wide, rows[i].n);
      g_test_message ("%u samples, middle half %g of the median", (guint) rows[i].n, rows[i].wide);
      g_assert_cmpint (ls_figure_stands (&rate), ==, rows[i].stands);
      g_assert_cmpuint (ls_figure_wanting (&rate), ==, rows[i].wanting);
    }
  beside.condition = "beside another lane’s compiler";
  g_assert_false (ls_figure_stands (&beside));
}

/* A lane is named only if the middle halves are apart, whatever the medians are. */
static void
test_winner (void)
{
  static const struct {
    double a, b, wide;
    guint64 n;
    LsWinner winner;
  } rows[] = {
    { 116, 100, .04, 200, LS_WINNER_FIRST }, { 100, 116, .04, 200, LS_WINNER_SECOND },
    { 103, 100, .04, 200, LS_WINNER_NONE },  { 182, 29.9, .01, 2, LS_WINNER_UNKNOWN },
    { 100, 100, 0, 200, LS_WINNER_NONE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFigure a = rate_of (rows[i].a, rows[i].wide, rows[i].n),
                     b = rate_of (rows[i].b, rows[i].wide, 200);
      g_test_message ("%g against %g, middle halves of %g", rows[i].a, rows[i].b, rows[i].wide);
      g_assert_cmpint (ls_figure_winner (&a, &b), ==, rows[i].winner);
    }
}

/* A calm figure has enough samples, no condition, and a middle half below a tenth of it; one that stands has
 * either that or more samples. How many more it wants is told until it stands, and of a disturbed one none.
 */
static void
test_calm (void)
{
  static const struct {
    guint64 n;
    double value, q1, q3;
    const char *condition;
    gboolean calm, stands;
    guint64 wanting;
  } rows[] = {
    { 20, 10, 9.75, 10.5, NULL, TRUE, TRUE, 0 },
    { 19, 10, 9.75, 10.5, NULL, FALSE, FALSE, 31 },
    { 20, 10, 9.5, 10.5, NULL, FALSE, FALSE, 30 }, /* just a tenth */
    { 49, 10, 9, 11, NULL, FALSE, FALSE, 1 },
    { 50, 10, 9, 11, NULL, FALSE, TRUE, 0 },
    { 50, 10, 10, 10, NULL, TRUE, TRUE, 0 },
    { 50, 10, 10, 10, "beside a compiler", FALSE, FALSE, 0 },
    { 20, 10, 10, 10, "beside a compiler", FALSE, FALSE, 30 },
    { 0, 0, 0, 0, NULL, FALSE, FALSE, 50 },
    { 60, 0, 0, 0, NULL, FALSE, FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsFigure figure = { .value = rows[i].value,
                                .n = rows[i].n,
                                .q1 = rows[i].q1,
                                .q3 = rows[i].q3,
                                .condition = rows[i].condition };

      if (ls_figure_calm (&figure) != rows[i].calm)
        g_error ("row %u: %g [%g … %g] of %u samples %s calm", i, figure.value, figure.q1, figure.q3,
                 (guint) figure.n, rows[i].calm ? "isn’t" : "is");
      if (ls_figure_stands (&figure) != rows[i].stands)
        g_error ("row %u: %g of %u samples %s", i, figure.value, (guint) figure.n,
                 rows[i].stands ? "doesn’t stand" : "stands");
      g_assert_cmpuint (ls_figure_wanting (&figure), ==, rows[i].wanting);
    }
}

static void
test_names (void)
{
  g_assert_cmpstr (ls_evidence_name (LS_EVIDENCE_MEASURED), ==, "measured");
  g_assert_cmpstr (ls_evidence_name (LS_EVIDENCE_DERIVED), ==, "derived");
  g_assert_cmpstr (ls_evidence_name (LS_EVIDENCE_MODELLED), ==, "modelled");
  g_assert_cmpstr (ls_evidence_name (LS_EVIDENCE_PUBLISHED), ==, "published");
  g_assert_null (ls_evidence_name ((LsEvidence) (LS_EVIDENCE_PUBLISHED + 1)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/quantiles", test_quantiles);
  g_test_add_func ("/figure/no-samples", test_no_samples);
  g_test_add_func ("/figure/stands", test_stands);
  g_test_add_func ("/figure/calm", test_calm);
  g_test_add_func ("/figure/winner", test_winner);
  g_test_add_func ("/figure/names", test_names);
  return g_test_run ();
}
