/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The law of an experiment over a lane's points: those that it may cover. A device that is slower than its
 * law with little to do has one from some size on; workers that hinder each other follow the universal
 * scalability law where Amdahl's doesn't hold.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/result.h"
#include "core/number.h"

#define ABOUT 1 /* of Amdahl's constants and of half speed's the one that the law is about */

/* A time in µs for the law of times, else the rate. */
static void
add_dot (const LsLabResult *result, const LsLabPoint *p, GArray *dots)
{
  LsLawDot dot = { p->x, p->rate };

  if (result->experiment->law == LS_LAW_LINEAR)
    {
      LsLabPlan plan;

      result->experiment->plan (result->options, (LsLabSpot){ (guint) p->x, p->y }, &plan);
      g_free (plan.spec);
      dot.y.value = 1e6 * plan.amount / p->rate.value;
      dot.y.q1 = 1e6 * plan.amount / p->rate.q3;
      dot.y.q3 = 1e6 * plan.amount / p->rate.q1;
    }
  g_array_append_val (dots, dot);
}

/* Threads that share a core of the CPU aren't further workers. */
static gboolean
is_covered (const LsLabResult *result, guint lane, double x)
{
  const LsLaneSpec *spec = result->specs->pdata[lane];

  return result->experiment->law != LS_LAW_AMDAHL || spec->backend->kind != LS_BACKEND_CPU
         || result->cores == 0 || x <= result->cores;
}

gboolean
ls_lab_fit (const LsLabResult *result, guint lane, LsLabFit *fit)
{
  const LsLaw law = result->experiment->law;
  const GArray *points = result->points[lane];
  g_autoptr (GArray) dots = g_array_new (FALSE, FALSE, sizeof (LsLawDot));
  LsLawFit tried;
  gboolean fitted;

  *fit = (LsLabFit){ .law.law = law };
  if (law == LS_LAW_NONE)
    return FALSE;
  for (guint i = 0; i < points->len && is_covered (result, lane, g_array_index (points, LsLabPoint, i).x);
       i++)
    add_dot (result, &g_array_index (points, LsLabPoint, i), dots);
  fit->n = dots->len;
  fitted = ls_law_fit (law, (gpointer) dots->data, dots->len, &fit->law);
  if (fitted && fit->law.holds)
    return TRUE;
  if (law == LS_LAW_AMDAHL && ls_law_fit (LS_LAW_SCALABILITY, (gpointer) dots->data, dots->len, &tried)
      && tried.holds)
    {
      fit->law = tried;
      return TRUE;
    }
  for (guint i = 1; law == LS_LAW_LINEAR && i + ls_law_least (law) <= dots->len; i++)
    if (ls_law_fit (law, &g_array_index (dots, LsLawDot, i), dots->len - i, &tried) && tried.holds)
      {
        fit->law = tried;
        fit->first = i;
        fit->n = dots->len - i;
        return TRUE;
      }
  return fitted;
}

/* Three digits, or all of a whole number. (transfer full) */
static char *
number_text (double value)
{
  return value < 100 ? ls_number_brief (value, 3) : ls_number_tick (round (value));
}

/* The law's two numbers: both constants of a time; else the one that it is about, and half its interval. */
static void
numbers (const LsLawFit *law, double *first, double *second)
{
  const LsFigure *c = law->constants;
  *first = c[ABOUT].value;
  *second = (c[ABOUT].q3 - c[ABOUT].q1) / 2;
  if (law->law == LS_LAW_LINEAR)
    {
      *first = c[LS_LAW_FIXED].value;
      *second = c[LS_LAW_EACH].value;
    }
  else if (law->law == LS_LAW_SCALABILITY)
    *second = c[LS_LAW_COHERENCE].value;
  else if (law->law == LS_LAW_IN_FLIGHT)
    {
      *first = law->full;
      *second = (law->full_high - law->full_low) / 2;
    }
}

char *
ls_lab_fit_text (const LsLabResult *result, const LsLabFit *fit)
{
  /* TRANSLATORS: of the universal scalability law */
  const char *form = fit->law.law == LS_LAW_SCALABILITY ? _("σ %s, κ %s")
                                                        : _(result->experiment->fit_words);
  g_auto (GStrv) parts = g_strsplit (form, "%s", 3);
  double one, other;

  if (!fit->law.holds)
    return g_strdup_printf (_("%s doesn’t fit, up to %.0f %% off"), ls_law_formula (fit->law.law),
                            100 * fit->law.worst);
  numbers (&fit->law, &one, &other);
  g_autofree char *first = number_text (one), *second = number_text (other);
  g_autofree char *words = g_strv_length (parts) == 3
                             ? g_strconcat (parts[0], first, parts[1], second, parts[2], NULL)
                             : g_strconcat (first, " + ", second, NULL);
  return g_strdup_printf (_("%s, at most %.0f %% off (derived)"), words, 100 * fit->law.worst);
}
