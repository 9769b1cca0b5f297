/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See age.h.
 */
#include "config.h"
#include "ui/paint/data/age.h"

#include <glib/gi18n-lib.h>

/* Midnight, so that hours don't count. */
static GDateTime *
day_of (const char *date)
{
  g_autofree char *midnight = g_strdup_printf ("%.10sT00:00:00Z", date != NULL ? date : "");

  return g_date_time_new_from_iso8601 (midnight, NULL);
}

/* FALSE: one of them is no date. */
static gboolean
days_from (const char *date, const char *today, gint64 *days)
{
  g_autoptr (GDateTime) then = day_of (date), now = day_of (today);

  if (then == NULL || now == NULL)
    return FALSE;
  *days = g_date_time_difference (now, then) / G_TIME_SPAN_DAY;
  return TRUE;
}

gint
ls_age_days (const char *date, const char *today)
{
  gint64 days;

  return days_from (date, today, &days) && days >= 0 ? (gint) days : -1;
}

char *
ls_age_text (const char *date, const char *today)
{
  gint64 days;

  if (!days_from (date, today, &days))
    return NULL;
  if (days <= 0)
    return g_strdup (_("today"));
  if (days < 14)
    return g_strdup_printf (ngettext ("%d day ago", "%d days ago", (gulong) days), (int) days);
  if (days < 60)
    return g_strdup_printf (ngettext ("%d week ago", "%d weeks ago", (gulong) days / 7), (int) days / 7);
  return g_strdup_printf (ngettext ("%d month ago", "%d months ago", (gulong) days / 30), (int) days / 30);
}
