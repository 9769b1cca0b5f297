/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims, guesses and verdicts in words: one place for all that show them.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "claims/expression.h"
#include "claims/tables.h"
#include "core/number.h"

#define THIN "\342\200\257" /* a narrow space that doesn't break */

/* ---- numbers ---- */

/* brief: without the zeros at its end, which say how well it is known. */
static char *
figures (double value, gboolean brief)
{
  return brief ? ls_number_brief (value, 3) : ls_number_text (value, 3);
}

char *
ls_claim_time_text (double s, gboolean brief)
{
  static const struct {
    double unit;
    const char *name;
  } rows[] = { { 3600, "h" }, { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "µs" }, { 1e-9, "ns" } };
  guint i = 0;
  g_autofree char *number = NULL;

  while (i + 1 < G_N_ELEMENTS (rows) && fabs (s) < .9995 * rows[i].unit)
    i++;
  number = figures (s / rows[i].unit, brief);
  return g_strdup_printf ("%s" THIN "%s", number, rows[i].name);
}

static gboolean
is_time (const char *unit)
{
  return ls_claim_unit_find (unit)->dimension.s == 1;
}

/* number: in that unit, as text. */
static char *
with_unit (const char *number, const char *unit)
{
  if (strcmp (unit, "×") == 0)
    return g_strdup_printf ("%s×", number);
  if (strcmp (unit, "points") == 0)
    return g_strdup_printf (ngettext ("%s point", "%s points", strcmp (number, "1") == 0 ? 1 : 2), number);
  return g_strdup_printf ("%s" THIN "%s", number, unit);
}

static char *
number_text (const char *unit, double value, gboolean brief)
{
  g_autofree char *number = NULL;

  if (is_time (unit))
    return ls_claim_time_text (value * ls_claim_unit_find (unit)->scale, brief);
  number = figures (value, brief);
  return with_unit (number, unit);
}

char *
ls_claim_number_text (const LsClaim *claim, double value)
{
  return number_text (claim->claimed.unit, value, FALSE);
}

char *
ls_claim_guess_text (const LsClaim *claim, double value)
{
  return number_text (claim->claimed.unit, value, TRUE);
}

/* As it stands in a sentence: "1.50 times", "4.40 ms". */
static char *
in_sentence (const LsClaim *claim, double value)
{
  g_autofree char *number = NULL;

  if (strcmp (claim->claimed.unit, "×") != 0)
    return ls_claim_number_text (claim, value);
  number = figures (value, FALSE);
  return g_strdup_printf (_("%s times"), number);
}

static char *
given_text (const LsClaim *claim, double value)
{
  g_autofree char *number = ls_number_tick (value);

  return with_unit (number, claim->claimed.unit);
}

char *
ls_claim_claimed_text (const LsClaim *claim)
{
  const LsClaimed *c = &claim->claimed;
  g_autofree char *low = ls_number_tick (c->low), *high = given_text (claim, c->high);

  if (c->low < c->high)
    return g_strdup_printf ("%s–%s", low, high);
  if (c->read_as && claim->truth.from >= c->high && !isfinite (claim->truth.to))
    return g_strdup_printf (_("over %s"), high);
  if (c->read_as && isfinite (claim->truth.to) && !isfinite (claim->truth.from))
    return g_strdup_printf (_("at most %s"), high);
  return g_steal_pointer (&high);
}

double
ls_claim_share (const LsClaim *claim, double value)
{
  const double share = value / claim->claimed.low;

  return isfinite (share) && share > 0 ? share : 0;
}

/* ---- thresholds ---- */

/* "from 5 s to 20 s" */
static char *
band_text (const LsClaim *claim, const LsClaimBand *band)
{
  g_autofree char *from = isfinite (band->from) ? given_text (claim, band->from) : NULL,
                  *to = isfinite (band->to) ? given_text (claim, band->to) : NULL;

  if (from != NULL && to != NULL)
    return g_strdup_printf (_("from %s to %s"), from, to);
  return from != NULL ? g_strdup_printf (_("from %s on"), from) : g_strdup_printf (_("up to %s"), to);
}

char *
ls_claim_thresholds_text (const LsClaim *claim)
{
  g_autofree char *truth = band_text (claim, &claim->truth), *half = NULL;

  if (claim->half.from > claim->half.to)
    return g_strdup_printf (_("true: %s"), truth);
  half = band_text (claim, &claim->half);
  return g_strdup_printf (_("true: %s; half true: %s"), truth, half);
}

const char *
ls_claim_needs_text (LsClaimNeeds needs)
{
  static const char *const texts[LS_CLAIM_N_NEEDS] = {
    [LS_CLAIM_NEEDS_NOTHING] = "",
    [LS_CLAIM_NEEDS_GPU] = N_("No GPU here: the OpenCL device is this processor."),
    [LS_CLAIM_NEEDS_GPUS] = N_("This program trains on one device at a time."),
    [LS_CLAIM_NEEDS_MATRIX] = N_("This program has no way to a device’s units for products of matrices."),
  };

  return *texts[needs] != '\0' ? _(texts[needs]) : "";
}

/* ---- verdicts ---- */

static const char *
who_text (const LsClaimFinding *finding)
{
  return finding->words != NULL ? finding->words : "";
}

/* "CPU 1.40 times, OpenCL 2.80 times", or one number alone; of what decides. */
static char *
numbers_text (const LsClaim *claim, const LsClaimResult *result)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];
      g_autofree char *number = in_sentence (claim, finding->figure.value);

      if (finding->figure.n > 0 && !finding->stand_in && !finding->instead)
        g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", who_text (finding),
                                *who_text (finding) != '\0' ? " " : "", number);
    }
  return g_string_free (text, FALSE);
}

/* Some are true, and some not: "OpenCL yes, CPU no"; NULL: none is quite the one or the other. */
static char *
yes_and_no (const LsClaimResult *result)
{
  static const LsClaimVerdict order[] = { LS_CLAIM_TRUE, LS_CLAIM_NOT_HERE };
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0, all = 0;

  for (guint k = 0; k < G_N_ELEMENTS (order); k++)
    for (guint i = 0; i < result->n_findings; i++)
      {
        const LsClaimFinding *finding = &result->findings[i];

        if (finding->judged == LS_CLAIM_NONE || finding->stand_in || finding->instead)
          continue;
        all += k == 0;
        if (finding->judged != order[k] || finding->words == NULL)
          continue;
        n++;
        g_string_append (text, text->len > 0 ? ", " : "");
        if (k == 0)
          g_string_append_printf (text, _("%s yes"), finding->words);
        else
          g_string_append_printf (text, _("%s no"), finding->words);
      }
  return n == all && n > 1 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* The only outcome that decides; NULL: there are several. */
static const LsClaimFinding *
only_finding (const LsClaimResult *result)
{
  const LsClaimFinding *only = NULL;

  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];

      if (finding->figure.n == 0 || finding->stand_in || finding->instead)
        continue;
      if (only != NULL)
        return NULL;
      only = finding;
    }
  return only;
}

/* How far the only outcome is from a claim that has a number of its own, which is no ratio. */
static char *
distance_text (const LsClaim *claim, const LsClaimResult *result)
{
  const LsClaimFinding *only = only_finding (result);
  g_autofree char *number = NULL;

  if (only == NULL || claim->claimed.read_as || !is_time (claim->claimed.unit) || !(only->figure.value > 0))
    return NULL;
  if (only->figure.value < claim->claimed.low)
    {
      number = figures (claim->claimed.low / only->figure.value, FALSE);
      return g_strdup_printf (_("%s times less"), number);
    }
  if (only->figure.value <= claim->claimed.high)
    return NULL;
  number = figures (only->figure.value / claim->claimed.high, FALSE);
  return g_strdup_printf (_("%s times more"), number);
}

/* What decides, and of what is open itself as much as it may be: "CPU 1.40 times, OpenCL 1.90× … 2.30×". */
static char *
open_text (const LsClaim *claim, const LsClaimResult *result)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];
      g_autofree char *number = in_sentence (claim, finding->figure.value),
                      *from = ls_claim_number_text (claim, finding->low),
                      *to = ls_claim_number_text (claim, finding->high);
      const gboolean open = finding->judged == LS_CLAIM_OPEN && strcmp (from, to) != 0;

      if (finding->figure.n == 0 || finding->stand_in || finding->instead)
        continue;
      g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", who_text (finding),
                              *who_text (finding) != '\0' ? " " : "", open ? from : number);
      if (open)
        g_string_append_printf (text, " … %s", to);
    }
  return g_string_free (text, FALSE);
}

char *
ls_claim_verdict_text (const LsClaim *claim, const LsClaimResult *result)
{
  const LsClaimVerdict verdict = result != NULL ? result->verdict : LS_CLAIM_NONE;
  g_autofree char *numbers = NULL;

  if (verdict == LS_CLAIM_NONE)
    return g_strdup (_("Not run yet"));
  if (verdict == LS_CLAIM_NOT_MEASURABLE)
    return g_strdup (_("Not measurable here"));
  numbers = verdict == LS_CLAIM_HALF       ? yes_and_no (result)
            : verdict == LS_CLAIM_NOT_HERE ? distance_text (claim, result)
            : verdict == LS_CLAIM_OPEN     ? open_text (claim, result)
                                           : NULL;
  if (numbers == NULL)
    numbers = numbers_text (claim, result);
  switch (verdict)
    {
    case LS_CLAIM_TRUE:
      return g_strdup_printf (_("True: %s"), numbers);
    case LS_CLAIM_HALF:
      return g_strdup_printf (_("Half true: %s"), numbers);
    case LS_CLAIM_OPEN:
      return g_strdup_printf (_("Open: %s"), numbers);
    default:
      return g_strdup_printf (_("Not here: %s"), numbers);
    }
}

char *
ls_claim_would_text (const LsClaim *claim, const LsClaimResult *result)
{
  g_autofree char *number = NULL;
  g_auto (GStrv) parts = NULL;

  if (claim->would_here == NULL || result == NULL || result->would.n == 0)
    return NULL;
  number = figures (result->would.value, FALSE);
  parts = g_strsplit (claim->would_here, "{}", -1);
  return g_strjoinv (number, parts);
}
