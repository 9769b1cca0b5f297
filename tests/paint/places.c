/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See places.h.
 */
#include "places.h"

#include <math.h>

guint ls_places_seen[LS_SEEN_N];

double
ls_scale_value (const LsScale *scale, double px)
{
  const double value = scale->low + (px - scale->from) * scale->per_px;

  return scale->log ? pow (10, value) : value;
}

double
ls_scale_px (const LsScale *scale, double value)
{
  return scale->from + ((scale->log ? log10 (value) : value) - scale->low) / scale->per_px;
}

static double
on (const LsScale *scale, double value)
{
  return scale->log ? log10 (value) : value;
}

char *
ls_scale_learn (LsScale *scale, const char *of)
{
  const LsTick *first = &scale->ticks[0], *last = &scale->ticks[0];

  for (guint i = 1; i < scale->n; i++)
    {
      first = scale->ticks[i].value < first->value ? &scale->ticks[i] : first;
      last = scale->ticks[i].value > last->value ? &scale->ticks[i] : last;
    }
  scale->low = on (scale, first->value);
  scale->from = first->px;
  scale->per_px = (on (scale, last->value) - scale->low) / (last->px - first->px);
  if (scale->n < 2)
    return NULL;
  for (guint i = 0; i < scale->n; i++)
    if (fabs (ls_scale_px (scale, scale->ticks[i].value) - scale->ticks[i].px) > LS_NEAR)
      return g_strdup_printf (
        "at the %s “%s” stands at %.1f px, and “%s” and “%s” say that it should at %.1f", of,
        scale->ticks[i].text, scale->ticks[i].px, first->text, last->text,
        ls_scale_px (scale, scale->ticks[i].value));
  return NULL;
}

gboolean
ls_scale_number (const char *text, double *value)
{
  const gboolean power = g_str_has_prefix (text, "10") && (guchar) text[2] >= 0xc2
                         && !g_str_has_prefix (text + 2, "\u2009") && !g_str_has_prefix (text + 2, "\u00a0");
  g_autofree char *whole = g_strconcat (power ? "1×" : "", text, NULL);
  const char *at = whole;
  double low, high;

  if (!(g_ascii_isdigit (*text) || g_str_has_prefix (text, "−")) || !ls_stated_number (&at, &low, &high))
    return FALSE;
  *value = (low + high) / 2;
  return TRUE;
}

void
ls_scale_add (LsScale *scale, const char *text, double value, double px)
{
  if (scale->n < LS_TICKS)
    scale->ticks[scale->n++] = (LsTick){ value, px, text };
}
