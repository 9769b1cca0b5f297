/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under a verdict, in words, and how many there are of each.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/tables.h"

/* "Published: 8.00×, A100." of what stands in the place of what can't be measured. */
static void
append_instead (const LsClaim *claim, const LsClaimResult *result, GString *text)
{
  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];
      g_autofree char *number = ls_claim_number_text (claim, finding->figure.value),
                      *words = finding->words != NULL ? g_strdup_printf ("%s, %s", number, finding->words)
                                                      : g_strdup (number);

      if (!finding->instead || finding->figure.n == 0)
        continue;
      g_string_append (text, text->len > 0 ? " " : "");
      if (finding->figure.evidence == LS_EVIDENCE_PUBLISHED)
        g_string_append_printf (text, _("Published: %s."), words);
      else
        g_string_append_printf (text, _("Modelled: %s."), words);
    }
}

/* "Modelled: 301× to 895×." of all that was published, or modelled, from the least to the most; its words
 * where it is one alone. */
static void
append_range (const LsClaim *claim, const LsClaimResult *result, gboolean published, GString *text)
{
  const LsClaimFinding *low = NULL, *high = NULL;
  guint n = 0;

  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];

      if (!finding->instead || finding->figure.n == 0
          || (finding->figure.evidence == LS_EVIDENCE_PUBLISHED) != published)
        continue;
      low = low == NULL || finding->figure.value < low->figure.value ? finding : low;
      high = high == NULL || finding->figure.value > high->figure.value ? finding : high;
      n++;
    }
  if (low == NULL)
    return;
  g_autofree char *from = ls_claim_number_text (claim, low->figure.value),
                  *to = ls_claim_number_text (claim, high->figure.value),
                  *words = strcmp (from, to) != 0         ? g_strdup_printf (_("%s to %s"), from, to)
                           : n == 1 && low->words != NULL ? g_strdup_printf ("%s, %s", from, low->words)
                                                          : g_strdup (from);
  g_string_append (text, text->len > 0 ? " " : "");
  g_string_append_printf (text, published ? _("Published: %s.") : _("Modelled: %s."), words);
}

/* What would make it true was measured here, beside what decides. */
static gboolean
would_is_here (const LsClaim *claim, const LsClaimResult *result)
{
  return result != NULL && result->would.n > 0 && result->would.value >= claim->would_within.from
         && result->would.value <= claim->would_within.to;
}

/* Stable strings; NULL: nothing is said. */
static const char *
note_of (const LsClaim *claim, const LsClaimResult *result, LsClaimVerdict verdict)
{
  if ((verdict == LS_CLAIM_HALF || verdict == LS_CLAIM_NOT_HERE) && would_is_here (claim, result))
    return claim->would_note;
  return claim->notes[verdict] != NULL ? claim->notes[verdict] : claim->notes[LS_CLAIM_NONE];
}

char *
ls_claim_note_text (const LsClaim *claim, const LsClaimResult *result)
{
  const LsClaimVerdict verdict = result != NULL ? result->verdict : LS_CLAIM_NONE;
  const char *note = note_of (claim, result, verdict);

  if (verdict == LS_CLAIM_NOT_MEASURABLE)
    {
      GString *text = g_string_new (result->why != NULL ? result->why : claim->notes[verdict]);

      append_instead (claim, result, text);
      return g_string_free (text, text->len == 0);
    }
  if (verdict == LS_CLAIM_OPEN && result->busy)
    return g_strdup (_("the machine was busy with other programs: run it again on a quiet one"));
  if (verdict == LS_CLAIM_OPEN && claim->notes[verdict] == NULL)
    {
      g_autofree char *thresholds = ls_claim_thresholds_text (claim);

      return g_strdup_printf (_("the spread lies on both sides (%s)"), thresholds);
    }
  return note != NULL && *note != '\0' ? g_strdup (note) : NULL;
}

char *
ls_claim_note_brief (const LsClaim *claim, const LsClaimResult *result)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (result->verdict != LS_CLAIM_NOT_MEASURABLE)
    return ls_claim_note_text (claim, result);
  append_range (claim, result, FALSE, text);
  append_range (claim, result, TRUE, text);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : ls_claim_note_text (claim, result);
}

/* ---- all of them ---- */

/* "3 half true". (transfer full) */
static char *
count_words (LsClaimVerdict verdict, guint n)
{
  switch (verdict)
    {
    case LS_CLAIM_TRUE:
      return g_strdup_printf (_("%u true"), n);
    case LS_CLAIM_HALF:
      return g_strdup_printf (_("%u half true"), n);
    case LS_CLAIM_NOT_HERE:
      return g_strdup_printf (_("%u not here"), n);
    case LS_CLAIM_OPEN:
      return g_strdup_printf (_("%u open"), n);
    case LS_CLAIM_NOT_MEASURABLE:
      return g_strdup_printf (_("%u not measurable here"), n);
    default:
      return g_strdup_printf (_("%u not run yet"), n);
    }
}

char *
ls_claims_counts_text (const LsClaims *claims)
{
  guint n[LS_CLAIM_N_VERDICTS] = { 0 };
  GString *text = g_string_new (NULL);
  gboolean any = FALSE;

  for (guint i = 0; i < claims->n; i++)
    n[claims->rows[i].result != NULL ? claims->rows[i].result->verdict : LS_CLAIM_NONE]++;
  g_string_append_printf (text, ngettext ("%u claim", "%u claims", claims->n), claims->n);
  for (guint i = 1; i <= LS_CLAIM_N_VERDICTS; i++) /* those that weren't run come last */
    {
      const LsClaimVerdict verdict = (LsClaimVerdict) (i % LS_CLAIM_N_VERDICTS);
      g_autofree char *words = count_words (verdict, n[verdict]);

      if (n[verdict] > 0)
        g_string_append_printf (text, "%s%s", any ? ", " : ": ", words);
      any |= n[verdict] > 0;
    }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
