/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Least squares of ln(law/dot), so that a step that takes a thousand times as long doesn't count for a
 * thousand: Gauss and Newton's steps with Marquardt's damping. A dot's own error is that of its median, and
 * never under a hundredth, which clocks and placement in memory change from one turn to the next. Where dots
 * are further from the law than their errors, the interval is as much wider.
 */
#include "config.h"
#include "core/law.h"

#include <math.h>
#include <string.h>

#define LEAST_ERROR .01
#define STEPS       200
#define ENOUGH      1e-12 /* of the sum of squares: it doesn't fall any more */
#define TOLERANCE   .10
#define CORNER      .25 /* where a law has a corner and devices have a bend */
#define HALF_POWER  1.5

typedef struct {
  guint n;
  const char *formula;
  double (*at) (const double *p, double x);
  void (*begin) (const LsLawDot *dots, guint n, double *p); /* dots by growing x */
} Law;

typedef double Square[LS_LAW_MAX][LS_LAW_MAX];

/* ---- the laws ---- */

static double
linear_at (const double *p, double x)
{
  return p[LS_LAW_FIXED] + p[LS_LAW_EACH] * x;
}

static void
linear_begin (const LsLawDot *dots, guint n, double *p)
{
  const LsLawDot *last = &dots[n - 1];

  p[LS_LAW_EACH] = (last->y.value - dots[0].y.value) / (last->x - dots[0].x);
  p[LS_LAW_FIXED] = dots[0].y.value / 2;
}

static double
amdahl_at (const double *p, double x)
{
  return p[LS_LAW_ONE] / (p[LS_LAW_SERIAL] + (1 - p[LS_LAW_SERIAL]) / x);
}

static double
scalability_at (const double *p, double x)
{
  return p[LS_LAW_ONE] * x / (1 + p[LS_LAW_SERIAL] * (x - 1) + p[LS_LAW_COHERENCE] * x * (x - 1));
}

static void
shared_begin (const LsLawDot *dots, guint n, double *p)
{
  p[LS_LAW_ONE] = dots[0].y.value / dots[0].x;
  p[LS_LAW_SERIAL] = .1;
  p[LS_LAW_COHERENCE] = 0;
}

static double
half_speed_at (const double *p, double x)
{
  return p[LS_LAW_TOP] / (1 + pow (p[LS_LAW_HALF] / x, HALF_POWER));
}

static void
half_speed_begin (const LsLawDot *dots, guint n, double *p)
{
  p[LS_LAW_TOP] = 0;
  for (guint i = 0; i < n; i++)
    p[LS_LAW_TOP] = MAX (p[LS_LAW_TOP], dots[i].y.value);
  p[LS_LAW_HALF] = dots[0].x;
  for (guint i = 0; i < n && dots[i].y.value < p[LS_LAW_TOP] / 2; i++)
    p[LS_LAW_HALF] = dots[i].x;
}

/* constants: what one in flight gives, and the top */
static double
in_flight_at (const double *p, double x)
{
  return MIN (p[LS_LAW_ONE] * x, p[1]);
}

static const Law laws[LS_LAW_N] = {
  [LS_LAW_LINEAR] = { 2, "t = a + b·n", linear_at, linear_begin },
  [LS_LAW_AMDAHL] = { 2, "S(n) = 1 / (s + (1 − s)/n)", amdahl_at, shared_begin },
  [LS_LAW_SCALABILITY] = { 3, "S(n) = n / (1 + σ(n − 1) + κn(n − 1))", scalability_at, shared_begin },
  [LS_LAW_HALF_SPEED] = { 2, "top / (1 + (n½/n)¹·⁵)", half_speed_at, half_speed_begin },
  [LS_LAW_IN_FLIGHT] = { 2, "n = rate × wait", in_flight_at, NULL },
};

const char *
ls_law_formula (LsLaw law)
{
  return laws[law].formula;
}

guint
ls_law_least (LsLaw law)
{
  return laws[law].n + 2;
}

/* ---- least squares ---- */

/* FALSE: it is singular. By Gauss and Jordan, the largest of a column first. */
static gboolean
invert (Square a, guint n, Square inverse)
{
  Square left;

  memcpy (left, a, sizeof left);
  memset (inverse, 0, sizeof (Square));
  for (guint i = 0; i < n; i++)
    inverse[i][i] = 1;
  for (guint i = 0; i < n; i++)
    {
      guint pivot = i;

      for (guint r = i + 1; r < n; r++)
        if (fabs (left[r][i]) > fabs (left[pivot][i]))
          pivot = r;
      if (!(fabs (left[pivot][i]) > 0) || !isfinite (left[pivot][i]))
        return FALSE;
      for (guint c = 0; c < n; c++)
        {
          const double l = left[i][c], v = inverse[i][c];
          left[i][c] = left[pivot][c];
          left[pivot][c] = l;
          inverse[i][c] = inverse[pivot][c];
          inverse[pivot][c] = v;
        }
      for (guint c = n; c-- > 0;)
        inverse[i][c] /= left[i][i];
      for (guint c = n; c-- > i;)
        left[i][c] /= left[i][i];
      for (guint r = 0; r < n; r++)
        for (guint c = n; r != i && c-- > 0;)
          inverse[r][c] -= left[r][i] * inverse[i][c];
      for (guint r = 0; r < n; r++)
        for (guint c = n; r != i && c-- > i;)
          left[r][c] -= left[r][i] * left[i][c];
    }
  return TRUE;
}

/* Of a dot's median, as a share of it: 1.253 σ/√n, and σ is the middle half over 1.349. */
static double
error_of (const LsLawDot *dot)
{
  const double half = dot->y.n > 0
                        ? 1.253 / 1.349 * (dot->y.q3 - dot->y.q1) / sqrt ((double) dot->y.n) / dot->y.value
                        : 0;

  return MAX (LEAST_ERROR, half);
}

static double
squares (const Law *law, const double *p, const LsLawDot *dots, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      const double at = law->at (p, dots[i].x), r = log (at / dots[i].y.value) / error_of (&dots[i]);
      sum += at > 0 ? r * r : G_MAXDOUBLE;
    }
  return sum;
}

/* d ln(law)/dp[j] at x, by a small step to both sides. */
static double
slope (const Law *law, const double *p, guint j, double x)
{
  const double step = 1e-6 * MAX (fabs (p[j]), 1e-6);
  double more[LS_LAW_MAX], less[LS_LAW_MAX];

  memcpy (more, p, sizeof more);
  memcpy (less, p, sizeof less);
  more[j] += step;
  less[j] -= step;
  return (law->at (more, x) - law->at (less, x)) / (2 * step * law->at (p, x));
}

static void
normal_equations (const Law *law, const double *p, const LsLawDot *dots, guint n, Square a, double *b)
{
  memset (a, 0, sizeof (Square));
  memset (b, 0, LS_LAW_MAX * sizeof *b);
  for (guint i = 0; i < n; i++)
    {
      const double error = error_of (&dots[i]), r = log (law->at (p, dots[i].x) / dots[i].y.value) / error;
      double d[LS_LAW_MAX];

      for (guint j = 0; j < law->n; j++)
        d[j] = slope (law, p, j, dots[i].x) / error;
      for (guint j = 0; j < law->n; j++)
        {
          b[j] -= d[j] * r;
          for (guint k = 0; k < law->n; k++)
            a[j][k] += d[j] * d[k];
        }
    }
}

/* Goes from p to where the sum of squares is least. FALSE: p gives nothing that can be compared. */
static gboolean
descend (const Law *law, double *p, const LsLawDot *dots, guint n)
{
  double least = squares (law, p, dots, n), damping = 1e-3;

  for (guint step = 0; step < STEPS && least < G_MAXDOUBLE && damping < 1e12; step++)
    {
      double b[LS_LAW_MAX], next[LS_LAW_MAX] = { 0 }, sum;
      Square a, inverse;

      normal_equations (law, p, dots, n, a, b);
      for (guint j = 0; j < law->n; j++)
        a[j][j] *= 1 + damping;
      if (!invert (a, law->n, inverse))
        return FALSE;
      for (guint j = 0; j < law->n; j++)
        {
          next[j] = p[j];
          for (guint k = 0; k < law->n; k++)
            next[j] += inverse[j][k] * b[k];
        }
      sum = squares (law, next, dots, n);
      if (!(sum <= least))
        {
          damping *= 10;
          continue;
        }
      memcpy (p, next, law->n * sizeof *p);
      damping = MAX (damping / 10, 1e-12);
      if (least - sum <= ENOUGH * least)
        return TRUE;
      least = sum;
    }
  return least < G_MAXDOUBLE;
}

/* The law with a corner: which dots are below it is tried out; both constants are means then. */
static gboolean
find_corner (const Law *law, double *p, const LsLawDot *dots, guint n)
{
  double least = G_MAXDOUBLE;

  for (guint below = 1; below < n; below++)
    {
      double sums[2] = { 0 }, weights[2] = { 0 }, tried[LS_LAW_MAX] = { 0 }, sum;

      for (guint i = 0; i < n; i++)
        {
          const double weight = 1 / (error_of (&dots[i]) * error_of (&dots[i]));
          sums[i >= below] += weight * log (dots[i].y.value / (i >= below ? 1 : dots[i].x));
          weights[i >= below] += weight;
        }
      tried[0] = exp (sums[0] / weights[0]);
      tried[1] = exp (sums[1] / weights[1]);
      sum = squares (law, tried, dots, n);
      if (sum < least)
        {
          least = sum;
          memcpy (p, tried, sizeof tried);
        }
    }
  return least < G_MAXDOUBLE;
}

/* ---- how sure ---- */

/* Of Student's distribution, two-sided, 95 %. */
static double
quantile (guint freedom)
{
  static const double table[] = { 12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228 };

  return freedom <= G_N_ELEMENTS (table) ? table[freedom - 1] : 1.96 + 2.5 / freedom;
}

static gboolean
is_off (const LsLawFit *fit, const LsLawDot *dot, double at)
{
  const double tolerance = fit->law == LS_LAW_IN_FLIGHT ? CORNER : TOLERANCE;

  return fabs (at / dot->y.value - 1) > tolerance && (dot->y.n == 0 || at < dot->y.q1 || at > dot->y.q3);
}

/* Residuals, and the constants' intervals from them. */
static gboolean
judge (const Law *law, const double *p, const LsLawDot *dots, guint n, LsLawFit *fit)
{
  const guint freedom = n - law->n;
  const double scale = MAX (1, squares (law, p, dots, n) / freedom);
  double b[LS_LAW_MAX];
  Square a;

  normal_equations (law, p, dots, n, a, b);
  if (!invert (a, law->n, fit->covariance))
    return FALSE;
  fit->quantile = quantile (freedom);
  fit->holds = TRUE;
  for (guint j = 0; j < law->n; j++)
    {
      double half;

      for (guint k = 0; k < law->n; k++)
        fit->covariance[j][k] *= scale;
      half = fit->quantile * sqrt (fit->covariance[j][j]);
      if (!isfinite (half))
        return FALSE;
      /* No constant of any of these laws is negative: one that surely would be says that it is another law.
       */
      fit->holds &= p[j] + half >= 0;
      fit->constants[j] = (LsFigure){ .value = MAX (0, p[j]),
                                      .evidence = LS_EVIDENCE_DERIVED,
                                      .n = n,
                                      .q1 = MAX (0, p[j] - half),
                                      .q3 = MAX (0, p[j] + half) };
    }
  for (guint i = 0; i < n; i++)
    {
      const double at = ls_law_at (fit, dots[i].x), off = fabs (at / dots[i].y.value - 1);

      fit->residual += off * off / n;
      fit->worst = MAX (fit->worst, off);
      fit->holds &= !is_off (fit, &dots[i], at);
    }
  fit->residual = sqrt (fit->residual);
  return isfinite (fit->residual);
}

static gint
compare_dots (gconstpointer a, gconstpointer b)
{
  return ls_compare_doubles (&((const LsLawDot *) a)->x, &((const LsLawDot *) b)->x);
}

static void
find_full (LsLawFit *fit)
{
  const double one = fit->constants[0].value, top = fit->constants[1].value,
               wide = fit->quantile
                      * sqrt (fit->covariance[0][0] / (one * one) + fit->covariance[1][1] / (top * top));

  fit->full = top / one;
  fit->full_low = fit->full * exp (-wide);
  fit->full_high = fit->full * exp (wide);
}

gboolean
ls_law_fit (LsLaw law, const LsLawDot *dots, guint n, LsLawFit *fit)
{
  const Law *row = &laws[law];
  g_autoptr (GArray) own = g_array_sized_new (FALSE, FALSE, sizeof (LsLawDot), n);
  double p[LS_LAW_MAX] = { 0 };
  const LsLawDot *sorted;
  guint places = 0;

  *fit = (LsLawFit){ .law = law, .n = row->n };
  for (guint i = 0; i < n; i++)
    if (dots[i].x > 0 && dots[i].y.value > 0 && isfinite (dots[i].x) && isfinite (dots[i].y.value))
      g_array_append_val (own, dots[i]);
  g_array_sort (own, compare_dots);
  sorted = (gpointer) own->data;
  for (guint i = 0; i < own->len; i++)
    places += i == 0 || sorted[i].x > sorted[i - 1].x;
  if (law == LS_LAW_NONE || places < ls_law_least (law))
    return FALSE;
  if (row->begin != NULL)
    row->begin (sorted, own->len, p);
  if (!(row->begin != NULL ? descend (row, p, sorted, own->len) : find_corner (row, p, sorted, own->len))
      || !judge (row, p, sorted, own->len, fit))
    return FALSE;
  if (law == LS_LAW_IN_FLIGHT)
    find_full (fit);
  return TRUE;
}

static void
constants_of (const LsLawFit *fit, double *p)
{
  for (guint j = 0; j < LS_LAW_MAX; j++)
    p[j] = fit->constants[j].value;
}

double
ls_law_at (const LsLawFit *fit, double x)
{
  double p[LS_LAW_MAX];

  constants_of (fit, p);
  return laws[fit->law].at (p, x);
}

void
ls_law_band (const LsLawFit *fit, double x, double *low, double *high)
{
  const double at = ls_law_at (fit, x);
  double p[LS_LAW_MAX], slopes[LS_LAW_MAX], variance = 0, wide;

  constants_of (fit, p);
  for (guint j = 0; j < fit->n; j++)
    slopes[j] = slope (&laws[fit->law], p, j, x);
  for (guint j = 0; j < fit->n; j++)
    for (guint k = 0; k < fit->n; k++)
      variance += slopes[j] * fit->covariance[j][k] * slopes[k];
  wide = fit->quantile * sqrt (MAX (0, variance));
  *low = at * exp (-wide);
  *high = at * exp (wide);
}
