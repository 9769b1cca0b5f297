/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A claim's file: of what is accepted every text can be shown, every lane and line is one, and each
 * expression comes to a figure whose spread holds it, whatever its terms are.
 */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "claims/run.h"
#include "json_mutator.h"
#include "lab/step.h"

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned int seed)
{
  return json_mutator (data, size, max, seed);
}

static LsFigure
term_cb (const LsClaimTerm *term, gpointer data, GError **error)
{
  const double value = 1 + (double) term->kind;

  (void) data;
  (void) error;
  return (LsFigure){ .value = value,
                     .q1 = value / 2,
                     .q3 = value * 2,
                     .n = 5,
                     .evidence = (LsEvidence) ((guint) term->kind % 4) };
}

static void
check_outcome (const LsClaim *claim, const LsClaimOutcome *outcome, const char *unit)
{
  g_autoptr (GError) error = NULL;
  const LsFigure figure = ls_claim_expression_value (outcome->parsed, ls_claim_unit_find (unit), term_cb,
                                                     NULL, &error);

  fuzz_check ((figure.n == 0) == (error != NULL), "“%s” of “%s” has neither a value nor an error",
              outcome->is, claim->name);
  fuzz_check (figure.n == 0
                || (isfinite (figure.value) && figure.q1 <= figure.value && figure.value <= figure.q3),
              "“%s” is %g … %g … %g", outcome->is, figure.q1, figure.value, figure.q3);
  fuzz_check (strstr (outcome->is, "published") == NULL || outcome->source != NULL
                || !ls_claim_expression_has (outcome->parsed, LS_CLAIM_TERM_PUBLISHED, 0),
              "“%s” has no source", outcome->is);
}

static void
check (const LsClaim *claim)
{
  g_autofree char *claimed = ls_claim_claimed_text (claim), *decides = ls_claim_thresholds_text (claim);
  g_auto (GStrv) how = ls_claim_how_text (claim, NULL, TRUE);

  fuzz_check_words ("its sentence", claim->sentence);
  fuzz_check_words ("its quote", claim->quote);
  fuzz_check_words ("what is claimed", claimed);
  fuzz_check_words ("what decides", decides);
  fuzz_check (g_ascii_strncasecmp (claim->source->address, "https://", 8) == 0, "it has no source");
  fuzz_check (claim->claimed.low > 0 && claim->claimed.low <= claim->claimed.high, "it claims %g to %g",
              claim->claimed.low, claim->claimed.high);
  for (guint i = 0; i < claim->n_ways; i++)
    fuzz_check (claim->ways[i].lane == NULL || ls_lab_check_line (claim->ways[i].run, NULL),
                "the way “%s” runs “%s”", claim->ways[i].name, claim->ways[i].run);
  for (guint i = 0; i < claim->n_outcomes; i++)
    check_outcome (claim, &claim->outcomes[i], claim->claimed.unit);
  for (guint i = 0; i < claim->n_instead; i++)
    check_outcome (claim, &claim->instead[i], claim->claimed.unit);
  for (char **line = how; *line != NULL; line++)
    fuzz_check_words ("how it is run", *line);
}

/* Its file's name is no part of what is read. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsClaim) claim = ls_claim_load_as (fuzz_file (data, size), "fuzz", &error);

  fuzz_check_answer (claim != NULL, error);
  if (claim != NULL)
    check (claim);
  return 0;
}
