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

gint
ls_compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

gint
ls_compare_ints (gconstpointer a, gconstpointer b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

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
  qsort (values, n, sizeof *values, ls_compare_doubles);
  figure.value = quantile (values, n, 0.5);
  figure.q1 = quantile (values, n, 0.25);
  figure.q3 = quantile (values, n, 0.75);
  return figure;
}

gboolean
ls_figure_calm (const LsFigure *figure)
{
  return figure->n >= LS_FIGURE_STANDS_CALM && figure->condition == NULL
         && figure->q3 - figure->q1 < LS_FIGURE_CALM * figure->value;
}

gboolean
ls_figure_stands (const LsFigure *figure)
{
  return figure->condition == NULL && figure->value > 0
         && (figure->n >= LS_FIGURE_STANDS || ls_figure_calm (figure));
}

guint64
ls_figure_wanting (const LsFigure *figure)
{
  return ls_figure_stands (figure) || figure->n >= LS_FIGURE_STANDS ? 0 : LS_FIGURE_STANDS - figure->n;
}

LsWinner
ls_figure_winner (const LsFigure *first, const LsFigure *second)
{
  if (!ls_figure_stands (first) || !ls_figure_stands (second))
    return LS_WINNER_UNKNOWN;
  if (first->q1 > second->q3)
    return LS_WINNER_FIRST;
  return second->q1 > first->q3 ? LS_WINNER_SECOND : LS_WINNER_NONE;
}
