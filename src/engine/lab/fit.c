/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two constants of a lane's step times, by least squares of the relative errors: a step that takes a thousand
 * times as long doesn't count for a thousand.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/result.h"

#define LEAST 4 /* points: two constants go through any two */

static double
step_us (const LsLabResult *result, const LsLabPoint *p)
{
  LsLabPlan plan;

  result->experiment->plan (result->options, (LsLabSpot){ (guint) p->x, p->y }, &plan);
  g_free (plan.spec);
  return 1e6 * plan.amount / p->rate.value;
}

gboolean
ls_lab_fit (const LsLabResult *result, guint lane, LsLabFit *fit)
{
  const LsFitKind kind = result->experiment->fit;
  const GArray *points = result->points[lane];
  double s11 = 0, s12 = 0, s22 = 0, s1 = 0, s2 = 0, determinant, fixed, each;

  if (kind == LS_FIT_NONE || points->len < LEAST)
    return FALSE;
  /* Of every point: 1 = fixed·a + each·b, with a = 1/t and b = g(x)/t. */
  for (guint i = 0; i < points->len; i++)
    {
      const LsLabPoint *p = &g_array_index (points, LsLabPoint, i);
      const double t = step_us (result, p), a = 1 / t, b = (kind == LS_FIT_LINEAR ? p->x : 1 / p->x) / t;

      s11 += a * a;
      s12 += a * b;
      s22 += b * b;
      s1 += a;
      s2 += b;
    }
  determinant = s11 * s22 - s12 * s12;
  fixed = (s1 * s22 - s2 * s12) / determinant;
  each = (s2 * s11 - s1 * s12) / determinant;
  if (!(fixed >= 0 && each >= 0 && isfinite (fixed) && isfinite (each)))
    return FALSE;
  *fit = (LsLabFit){ { fixed, "µs", LS_EVIDENCE_DERIVED, points->len, fixed, fixed },
                     { each, "µs", LS_EVIDENCE_DERIVED, points->len, each, each },
                     0 };
  for (guint i = 0; i < points->len; i++)
    {
      const LsLabPoint *p = &g_array_index (points, LsLabPoint, i);
      const double line = fixed + each * (kind == LS_FIT_LINEAR ? p->x : 1 / p->x);
      fit->off = MAX (fit->off, fabs (line / step_us (result, p) - 1));
    }
  return TRUE;
}

/* Three digits, without a power of ten. (transfer full) */
static char *
number_text (double value)
{
  return g_strdup_printf (value < 100 ? "%.3g" : "%.0f", value);
}

char *
ls_lab_fit_text (const LsLabResult *result, const LsLabFit *fit)
{
  g_autofree char *fixed = number_text (fit->fixed_us.value), *each = number_text (fit->each_us.value);
  g_auto (GStrv) parts = g_strsplit (_(result->experiment->fit_words), "%s", 3);
  g_autofree char *words = g_strv_length (parts) == 3
                             ? g_strconcat (parts[0], fixed, parts[1], each, parts[2], NULL)
                             : g_strconcat (fixed, " + ", each, NULL);

  return g_strdup_printf (_("%s, at most %.0f %% off (derived)"), words, 100 * fit->off);
}
