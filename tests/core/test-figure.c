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
  static const struct { double values[7]; gsize n; double q1, median, q3; } rows[] = {
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
  g_test_add_func ("/figure/names", test_names);
  return g_test_run ();
}
