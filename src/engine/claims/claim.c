/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims and results: making, sharing, freeing.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "claims/expression.h"
#include "claims/tables.h"
#include "lab/machine.h"
#include "machines/source.h"

const char *const ls_claim_needs_names[LS_CLAIM_N_NEEDS] = {
  [LS_CLAIM_NEEDS_NOTHING] = "",
  [LS_CLAIM_NEEDS_GPU] = "gpu",
  [LS_CLAIM_NEEDS_GPUS] = "gpus",
  [LS_CLAIM_NEEDS_MATRIX] = "matrix-units",
};

static const char *const verdicts[LS_CLAIM_N_VERDICTS] = {
  [LS_CLAIM_NONE] = "none",         [LS_CLAIM_TRUE] = "true", [LS_CLAIM_HALF] = "half",
  [LS_CLAIM_NOT_HERE] = "not-here", [LS_CLAIM_OPEN] = "open", [LS_CLAIM_NOT_MEASURABLE] = "not-measurable",
};

const char *
ls_claim_verdict_name (LsClaimVerdict verdict)
{
  return verdicts[verdict];
}

/* ---- claims ---- */

LsClaim *
ls_claim_new (void)
{
  LsClaim *claim = g_new0 (LsClaim, 1);

  claim->ref_count = 1;
  return claim;
}

LsClaim *
ls_claim_ref (LsClaim *claim)
{
  g_atomic_int_inc (&claim->ref_count);
  return claim;
}

static void
clear_outcome (LsClaimOutcome *outcome)
{
  g_free (outcome->words);
  g_free (outcome->is);
  g_free (outcome->quote);
  ls_claim_expression_free (outcome->parsed);
  ls_source_free (outcome->source);
}

static void
free_outcomes (LsClaimOutcome *outcomes, guint n)
{
  for (guint i = 0; i < n; i++)
    clear_outcome (&outcomes[i]);
  g_free (outcomes);
}

void
ls_claim_unref (LsClaim *claim)
{
  if (!g_atomic_int_dec_and_test (&claim->ref_count))
    return;
  for (guint i = 0; i < claim->n_ways; i++)
    {
      g_free (claim->ways[i].name);
      g_free (claim->ways[i].words);
      g_free (claim->ways[i].lane);
      g_free (claim->ways[i].run);
    }
  g_free (claim->ways);
  free_outcomes (claim->outcomes, claim->n_outcomes);
  free_outcomes (claim->instead, claim->n_instead);
  clear_outcome (&claim->would_is);
  for (guint i = 0; i < LS_CLAIM_N_VERDICTS; i++)
    g_free (claim->notes[i]);
  ls_source_free (claim->source);
  g_free (claim->name);
  g_free (claim->sentence);
  g_free (claim->read_as);
  g_free (claim->quote);
  g_free (claim->ways_title);
  g_free (claim->would);
  g_free (claim->would_here);
  g_free (claim->would_note);
  g_free (claim->digest);
  g_free (claim);
}

gboolean
ls_claim_asks (const LsClaim *claim, LsClaimTermKind kind, guint way)
{
  for (guint i = 0; i < claim->n_outcomes; i++)
    if (ls_claim_expression_has (claim->outcomes[i].parsed, kind, way))
      return TRUE;
  return claim->would_is.parsed != NULL && ls_claim_expression_has (claim->would_is.parsed, kind, way);
}

gboolean
ls_claim_times (const LsClaim *claim, guint way)
{
  return ls_claim_asks (claim, LS_CLAIM_TERM_TIME, way)
         || !(ls_claim_asks (claim, LS_CLAIM_TERM_MEMORY, way)
              || ls_claim_asks (claim, LS_CLAIM_TERM_ACCURACY, way));
}

/* What a result depends on: numbers, ways and expressions, no words. */
char *
ls_claim_make_digest (const LsClaim *claim)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const double numbers[] = { claim->claimed.low, claim->claimed.high, claim->truth.from,
                             claim->truth.to,    claim->half.from,    claim->half.to };
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (all, "%s\n%s\n", claim->claimed.unit, ls_claim_needs_names[claim->needs]);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_string_append_printf (all, "%s\n", g_ascii_dtostr (text, sizeof text, numbers[i]));
  for (guint i = 0; i < claim->n_ways; i++)
    {
      const LsClaimWay *way = &claim->ways[i];

      g_string_append_printf (all, "%s\n%s\n%s\n%u %s\n", way->name, way->lane != NULL ? way->lane : "",
                              way->run != NULL ? way->run : "", way->steps,
                              g_ascii_dtostr (text, sizeof text, way->given.value));
      if (way->bits > 0)
        g_string_append_printf (all, "bits %u\n", way->bits);
    }
  for (guint i = 0; i < claim->n_outcomes; i++)
    g_string_append_printf (all, "%u %s\n", claim->outcomes[i].who, claim->outcomes[i].is);
  for (guint i = 0; i < claim->n_instead; i++)
    g_string_append_printf (all, "instead %s\n", claim->instead[i].is);
  g_string_append_printf (all, "%s\n", claim->would_is.is != NULL ? claim->would_is.is : "");
  if (claim->would_unit != NULL)
    g_string_append_printf (all, "in %s\n", claim->would_unit); /* its number is kept in that */
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, (gssize) all->len);
}

/* ---- results ---- */

char *
ls_claim_now (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format (now, "%Y-%m-%dT%H:%MZ");
}

LsClaimResult *
ls_claim_result_new (const LsClaim *claim)
{
  LsClaimResult *result = g_new0 (LsClaimResult, 1);

  result->ref_count = 1;
  result->name = g_strdup (claim->name);
  result->digest = g_strdup (claim->digest);
  result->ways = g_new0 (LsClaimWayTime, claim->n_ways + 1);
  result->n_ways = claim->n_ways;
  result->findings = g_new0 (LsClaimFinding, claim->n_outcomes + claim->n_instead);
  result->date = ls_claim_now ();
  result->machine = ls_machine_text ();
  result->machine_key = ls_machine_key ();
  result->program = g_strdup ("Lockstep " LS_VERSION);
  return result;
}

void
ls_claim_name_findings (const LsClaim *claim, LsClaimResult *result)
{
  for (guint i = 0; i < result->n_findings; i++)
    {
      LsClaimFinding *finding = &result->findings[i];
      const LsClaimOutcome *outcome = finding->instead ? &claim->instead[i - claim->n_outcomes]
                                                       : &claim->outcomes[i];
      const char *words = outcome->words;

      finding->who = outcome->who;
      if (words == NULL && claim->n_outcomes > 1 && !finding->instead)
        words = outcome->who == LS_BACKEND_OPENCL ? ls_backend_opencl.title : ls_backend_cpu.title;
      g_free (finding->words);
      finding->words = finding->stand_in && words != NULL
                         ? g_strdup_printf ("%s, %s", words, _("OpenCL on the CPU"))
                         : g_strdup (finding->stand_in ? _("OpenCL on the CPU") : words);
    }
}

LsClaimResult *
ls_claim_result_ref (LsClaimResult *result)
{
  g_atomic_int_inc (&result->ref_count);
  return result;
}

void
ls_claim_result_unref (LsClaimResult *result)
{
  if (!g_atomic_int_dec_and_test (&result->ref_count))
    return;
  for (guint i = 0; i < result->n_findings; i++)
    {
      g_free (result->findings[i].words);
      g_free (result->findings[i].why);
    }
  for (guint i = 0; i < result->n_ways; i++)
    {
      g_free (result->ways[i].why);
      g_free (result->ways[i].device);
      g_free (result->ways[i].how);
    }
  g_free (result->findings);
  g_free (result->ways);
  g_free (result->name);
  g_free (result->digest);
  g_free (result->why);
  g_free (result->date);
  g_free (result->machine);
  g_free (result->machine_key);
  g_free (result->program);
  g_free (result);
}
