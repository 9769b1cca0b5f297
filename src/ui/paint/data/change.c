/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See change.h.
 */
#include "config.h"
#include "ui/paint/data/change.h"

#include <glib/gi18n-lib.h>

#include "core/number.h"

char *
ls_change_words (const char *from, const char *to, const LsFigure *before, const LsFigure *after)
{
  g_autofree char *was = ls_number_scaled (before->value), *n_was = ls_number_count (before->n);
  g_autofree char *spread_was = ls_number_spread (before->value, before->q1, before->q3);
  g_autofree char *is = NULL, *n_is = NULL, *spread_is = NULL;

  if (!ls_figure_stands (before))
    return g_strdup_printf (_("%s → %s: too few steps before the change to tell"), from, to);
  if (!ls_figure_stands (after))
    return g_strdup_printf (_("%s → %s: %s samples/s before (median of %s, %s), now not measured yet"), from,
                            to, was, n_was, spread_was);
  n_is = ls_number_count (after->n);
  spread_is = ls_number_spread (after->value, after->q1, after->q3);
  if (!ls_figure_calm (before) || !ls_figure_calm (after))
    return g_strdup_printf (_("%s → %s: too noisy to tell (medians of %s and %s, %s and %s)"), from, to,
                            n_was, n_is, spread_was, spread_is);
  is = ls_number_scaled (after->value);
  return g_strdup_printf (_("%s → %s: %s → %s samples/s (medians of %s and %s, %s and %s)"), from, to, was,
                          is, n_was, n_is, spread_was, spread_is);
}

void
ls_change_set (LsChange *change, const char *from, const char *to, const LsFigure *before,
               const LsFigure *after)
{
  /* each with as many digits as it may have */
  const LsFigure calm = { .value = 88.8e6, .q1 = 80e6, .q3 = 88.8e6, .n = LS_FIGURE_NEWEST };
  const LsFigure noisy = { .value = 88.8e6, .q1 = 0, .q3 = 88.8e6, .n = LS_FIGURE_NEWEST }, none = { .n = 0 };
  const LsFigure *const becomes[] = { &calm, &noisy, &none };

  change->words = ls_change_words (from, to, before, after);
  change->longest = g_strdup (change->words);
  for (guint i = 0; i < G_N_ELEMENTS (becomes); i++)
    {
      g_autofree char *words = ls_change_words (from, to, before, becomes[i]);
      if (g_utf8_strlen (words, -1) <= g_utf8_strlen (change->longest, -1))
        continue;
      g_free (change->longest);
      change->longest = g_steal_pointer (&words);
    }
}

void
ls_change_copy (LsChange *to, const LsChange *from)
{
  to->words = g_strdup (from->words);
  to->longest = g_strdup (from->longest);
}

void
ls_change_clear (LsChange *change)
{
  g_clear_pointer (&change->words, g_free);
  g_clear_pointer (&change->longest, g_free);
}
