/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/figure.h"

#include <math.h>
#include <stdlib.h>

const char *
ls_evidence_name (LsEvidence evidence)
{
  static const char *const names[] = { "measured", "derived", "modelled", "published" };
  return (guint) evidence < G_N_ELEMENTS (names) ? names[evidence] : NULL;
}

static int
compare_doubles_cb (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double
quantile (const double *sorted, gsize n, double q)
{
  double position = q * (double) (n - 1);
  gsize below = (gsize) floor (position), above = MIN (below + 1, n - 1);
  return sorted[below] + (position - (double) below) * (sorted[above] - sorted[below]);
}

LsFigure
ls_figure_of_samples (double *values, gsize n, const char *unit)
{
  LsFigure figure = { .unit = unit, .evidence = LS_EVIDENCE_MEASURED, .n = n };
  if (n == 0)
    return figure;
  qsort (values, n, sizeof *values, compare_doubles_cb);
  figure.value = quantile (values, n, 0.5);
  figure.q1 = quantile (values, n, 0.25);
  figure.q3 = quantile (values, n, 0.75);
  return figure;
}
