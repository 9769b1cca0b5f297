/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hours, months and sums as the guide's sentences have them.
 */
#include "config.h"
#include "machines/guide/guide.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/number.h"

#define GB          1e9
#define MOST_DIGITS 9 /* behind the decimal sign */

/* Exact where it is whole or has three digits before the decimal sign; else three figures. */
char *
ls_digits_text (double value)
{
  if (value >= 0 && value < 1e15 && (value >= 99.95 || value == floor (value)))
    return ls_number_count ((guint64) round (value));
  return ls_number_text (value, 3);
}

char *
ls_gb_text (double bytes, double others, char **other)
{
  guint figures = 3;

  for (; figures < 12; figures++)
    {
      g_autofree char *one = ls_number_text (bytes / GB, figures),
                      *two = ls_number_text (others / GB, figures);
      if (g_strcmp0 (one, two) != 0)
        break;
    }
  *other = figures == 3 ? ls_digits_text (others / GB) : ls_number_text (others / GB, figures);
  return figures == 3 ? ls_digits_text (bytes / GB) : ls_number_text (bytes / GB, figures);
}

char *
ls_rough_text (double value)
{
  const double unit = value >= 1000 ? pow (10, floor (log10 (value)) - 2) : 1;

  return ls_digits_text (floor (value / unit) * unit);
}

gulong
ls_guide_plural (double n)
{
  return n == 1 ? 1 : 2;
}

char *
ls_month_text (double month)
{
  g_autofree char *number = month > LS_GUIDE_FAR ? ls_number_count (LS_GUIDE_FAR)
                            : month < .05        ? ls_number_fixed (.1, 1)
                            : month < 99.95      ? ls_number_fixed (month, 1)
                                                 : ls_number_count ((guint64) round (month));

  return g_strconcat (month > LS_GUIDE_FAR ? ">" : month < .05 ? "<" : "", number, NULL);
}

char *
ls_months_text (const double months[2])
{
  g_autofree char *from = ls_month_text (months[0]), *to = ls_month_text (months[1]);

  if (!isfinite (months[0]))
    return g_strdup (_("never"));
  if (months[0] > LS_GUIDE_FAR)
    return g_strdup_printf (_("not in %d years"), LS_GUIDE_FAR / 12);
  if (!isfinite (months[1]))
    return g_strdup_printf (_("month %s or never"), from);
  return g_strcmp0 (from, to) == 0 ? g_strdup_printf (_("month %s"), from)
                                   : g_strdup_printf (_("month %s to %s"), from, to);
}

/* Where "12.0" would be no later than the 12 that are planned, it is "12.04". */
char *
ls_pays_text (const double months[2], double planned, char **plan)
{
  g_autofree char *from = ls_month_text (months[0]), *to = ls_month_text (months[1]),
                  *limit = ls_month_text (planned);
  const gboolean one = strcmp (from, to) == 0;

  *plan = ls_digits_text (planned);
  for (guint digits = 1; months[0] > planned && strcmp (from, limit) == 0 && digits < MOST_DIGITS; digits++)
    {
      g_free (from);
      g_free (limit);
      from = ls_number_fixed (months[0], (int) digits);
      limit = ls_number_fixed (planned, (int) digits);
      if (one)
        {
          g_free (to);
          to = ls_number_fixed (months[1], (int) digits);
        }
      if (planned > floor (planned))
        {
          g_free (*plan);
          *plan = g_strdup (limit);
        }
    }
  return strcmp (from, to) == 0 ? g_strdup (from) : g_strdup_printf (_("%s to %s"), from, to);
}

void
ls_guide_tell_apart (double least, double budget, char **low, char **may)
{
  gboolean apart = round (least) > budget && strcmp (*low, *may) != 0;

  for (guint digits = 1; !apart && digits < MOST_DIGITS; digits++)
    {
      g_free (*low);
      g_free (*may);
      *low = ls_number_fixed (least, (int) digits);
      *may = ls_number_fixed (budget, (int) digits);
      apart = strcmp (*low, *may) != 0;
    }
}

static char *
three_figures (double value)
{
  return ls_number_text (value, 3);
}

/* Whether two numbers are the same to as many figures as are written, also where one is whole: "2" and
 * "2.00". */
static gboolean
alike (double a, double b)
{
  char *(*text) (double) = MAX (a, b) < 99.95 ? three_figures : ls_digits_text;
  g_autofree char *one = text (a), *other = text (b);

  return g_strcmp0 (one, other) == 0;
}

char *
ls_hours_text (const LsFigure *hours)
{
  /* the unit that suits the range's middle, on the scale on which it is one */
  const gboolean range = hours->evidence == LS_EVIDENCE_MODELLED;
  const double middle = range ? sqrt (hours->q1 * hours->q3) : hours->value;
  const double scale = middle >= 1 ? 1 : middle >= 1. / 60 ? 60 : 3600;
  const char *unit = middle >= 1 ? _("h") : middle >= 1. / 60 ? _("min") : _("s");
  g_autofree char *low = ls_digits_text (hours->q1 * scale), *high = ls_digits_text (hours->q3 * scale),
                  *one = ls_digits_text (hours->value * scale);

  if (!range || alike (hours->q1 * scale, hours->q3 * scale))
    return g_strdup_printf ("%s\u00a0%s", one, unit); /* no line begins with a unit */
  return g_strdup_printf ("%s–%s\u00a0%s", low, high, unit);
}
