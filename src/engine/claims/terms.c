/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of terms, and the outcomes made of them.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/run.h"
#include "claims/tables.h"
#include "core/error.h"
#include "lab/machine.h"
#include "lab/step.h"

#define LEAST_ROUNDS 3 /* for a middle half */

static LsFigure
single (double value, LsEvidence evidence)
{
  return (LsFigure){ .value = value, .q1 = value, .q3 = value, .n = 1, .evidence = evidence };
}

/* A way's time, of all rounds or of one. */
static LsFigure
time_of (const LsClaimKnown *known, guint way)
{
  const LsClaimMeasured *measured = &known->ways[way];

  if (known->claim->ways[way].given.n > 0)
    return known->claim->ways[way].given;
  return known->round == LS_CLAIM_ALL_ROUNDS
           ? measured->time
           : single (g_array_index (measured->turns, double, known->round), LS_EVIDENCE_MEASURED);
}

/* Likewise what a way's network gets right, of all seeds or of one. */
static LsFigure
accuracy_of (const LsClaimKnown *known, guint way)
{
  const LsClaimMeasured *measured = &known->ways[way];

  return known->round == LS_CLAIM_ALL_ROUNDS || measured->learnt == NULL
           ? measured->accuracy
           : single (g_array_index (measured->learnt, double, known->round), LS_EVIDENCE_MEASURED);
}

/* The one that was measured; n == 0: error says why it wasn't. */
static LsFigure
measured (const LsClaimKnown *known, guint way, const LsFigure *figure, GError **error)
{
  if (figure->n == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DEVICE, "%s: %s", known->claim->ways[way].words,
                 known->ways[way].why != NULL ? known->ways[way].why : _("It wasn’t measured."));
  return *figure;
}

/* A figure of the plan of what a way runs. */
static LsFigure
of_plan (const LsClaimKnown *known, const LsClaimTerm *term, GError **error)
{
  const LsOptions *options = known->ways[term->way].options;
  const char *run = known->claim->ways[term->way].run;
  g_autofree char *product = NULL;
  g_autoptr (LsOptions) usual = options == NULL ? ls_options_new () : NULL;
  g_autoptr (LsPlan) plan = NULL, stored = NULL;

  options = options != NULL ? options : usual;
  plan = ls_lab_step_plan (ls_lab_is_copied (run, &product) ? product : run, NULL, options, error);
  if (plan == NULL)
    return (LsFigure){ 0 };
  stored = ls_plan_with_precision (plan, (LsPrecision) options->precision);
  return single ((double) (term->kind == LS_CLAIM_TERM_FLOP ? plan->flops : stored->bytes),
                 LS_EVIDENCE_DERIVED);
}

/* Of the catalogue. What it derives from published figures is a model of the device: nobody published it. */
static LsFigure
of_catalogue (const LsClaimKnown *known, const LsClaimTerm *term, GError **error)
{
  const LsHardware *device;
  const LsHardwareFigure *found;
  LsFigure figure;

  if (known->catalogue == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_FILE, _("The catalogue can’t be read."));
      return (LsFigure){ 0 };
    }
  if ((device = ls_catalogue_find (known->catalogue, term->device, error)) == NULL)
    return (LsFigure){ 0 };
  if (term->kind == LS_CLAIM_TERM_RATE)
    {
      found = ls_hardware_get (device, LS_HARDWARE_COMPUTE, term->numbers, term->means);
      figure = found != NULL ? found->figure : (LsFigure){ 0 };
    }
  else
    figure = term->kind == LS_CLAIM_TERM_PEAK ? ls_hardware_peak (device, term->numbers)
                                              : ls_hardware_figure (device, term->what);
  if (figure.n == 0)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("The catalogue has no such figure of %s."), device->name);
  if (figure.evidence != LS_EVIDENCE_PUBLISHED)
    figure.evidence = LS_EVIDENCE_MODELLED;
  return figure;
}

LsFigure
ls_claim_term_value (const LsClaimTerm *term, gpointer data, GError **error)
{
  const LsClaimKnown *known = data;
  const LsClaimMeasured *way = &known->ways[term->way];
  LsFigure time, right;
  guint count;

  switch (term->kind)
    {
    case LS_CLAIM_TERM_TIME:
      time = time_of (known, term->way);
      return measured (known, term->way, &time, error);
    case LS_CLAIM_TERM_MEMORY:
      return measured (known, term->way, &way->bound, error);
    case LS_CLAIM_TERM_ACCURACY:
      right = accuracy_of (known, term->way);
      return measured (known, term->way, &right, error);
    case LS_CLAIM_TERM_FLOP:
    case LS_CLAIM_TERM_BYTES:
      return of_plan (known, term, error);
    case LS_CLAIM_TERM_THREADS:
    case LS_CLAIM_TERM_CORES:
      count = term->kind == LS_CLAIM_TERM_CORES ? ls_machine_cores () : way->threads;
      if (count > 0)
        return single (count, LS_EVIDENCE_MEASURED);
      g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, _("How many there are isn’t known."));
      return (LsFigure){ 0 };
    case LS_CLAIM_TERM_PUBLISHED:
      return single (term->number, LS_EVIDENCE_PUBLISHED);
    default:
      return of_catalogue (known, term, error);
    }
}

/* ---- outcomes ---- */

static gboolean
uses_opencl (const LsClaim *claim, const LsClaimOutcome *outcome)
{
  guint n;
  const LsClaimTerm *terms = ls_claim_expression_terms (outcome->parsed, &n);

  for (guint i = 0; i < n; i++)
    if (terms[i].kind <= LS_CLAIM_TERM_THREADS && claim->ways[terms[i].way].who == LS_BACKEND_OPENCL)
      return TRUE;
  return FALSE;
}

/* Rounds in which all ways that an outcome's times are of had their turns, side by side, or seeds from which
 * all that its accuracies are of were trained; 0: it is of both, of something else that has a spread, or of
 * neither. */
static guint
rounds_of (const LsClaimKnown *known, const LsClaimOutcome *outcome)
{
  guint n, rounds = G_MAXUINT, seeds = G_MAXUINT;
  const LsClaimTerm *terms = ls_claim_expression_terms (outcome->parsed, &n);

  for (guint i = 0; i < n; i++)
    {
      const LsClaimMeasured *way = &known->ways[terms[i].way];

      if (terms[i].kind == LS_CLAIM_TERM_MEMORY)
        return 0;
      if (terms[i].kind == LS_CLAIM_TERM_ACCURACY)
        seeds = MIN (seeds, way->learnt != NULL ? way->learnt->len : 0);
      if (terms[i].kind == LS_CLAIM_TERM_TIME && known->claim->ways[terms[i].way].given.n == 0)
        rounds = MIN (rounds, way->turns != NULL ? way->turns->len : 0);
    }
  return (rounds < G_MAXUINT) == (seeds < G_MAXUINT) ? 0 : MIN (rounds, seeds);
}

/* Its spread from one round, or seed, to the next: what slows all ways of a round alike, such as another
 * program, isn't in it, nor how well a seed does with all of them, so it is narrower than what the ways' own
 * spreads allow. */
static void
spread_over_rounds (LsClaimKnown *known, const LsClaimOutcome *outcome, LsFigure *figure)
{
  const guint n = rounds_of (known, outcome);
  const LsClaimUnit *unit = ls_claim_unit_find (known->claim->claimed.unit);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  LsFigure spread;

  for (known->round = 0; known->round < n; known->round++)
    {
      const LsFigure one = ls_claim_expression_value (outcome->parsed, unit, ls_claim_term_value, known,
                                                      NULL);
      if (one.n > 0)
        g_array_append_val (values, one.value);
    }
  known->round = LS_CLAIM_ALL_ROUNDS;
  if (values->len < LEAST_ROUNDS)
    return;
  spread = ls_figure_of_samples ((gpointer) values->data, values->len, unit->name);
  figure->value = spread.value;
  figure->q1 = spread.q1;
  figure->q3 = spread.q3;
  figure->n = spread.n;
}

static void
find (LsClaimKnown *known, const LsClaimOutcome *outcome, LsClaimFinding *finding)
{
  g_autoptr (GError) error = NULL;

  finding->figure = ls_claim_expression_value (
    outcome->parsed, ls_claim_unit_find (known->claim->claimed.unit), ls_claim_term_value, known, &error);
  if (finding->figure.n == 0)
    {
      ls_error_make_printable (&error);
      finding->why = ls_sentence (error->message);
    }
  else
    spread_over_rounds (known, outcome, &finding->figure);
}

void
ls_claim_conclude (LsClaimKnown *known, gboolean stand_in, LsClaimResult *result)
{
  const LsClaim *claim = known->claim;

  for (guint i = 0; i < claim->n_outcomes; i++)
    {
      LsClaimFinding *finding = &result->findings[result->n_findings++];

      find (known, &claim->outcomes[i], finding);
      finding->stand_in = stand_in && finding->figure.n > 0 && uses_opencl (claim, &claim->outcomes[i]);
    }
  for (guint i = 0; i < claim->n_instead && result->why != NULL; i++)
    {
      LsClaimFinding *finding = &result->findings[result->n_findings++];

      finding->instead = TRUE;
      find (known, &claim->instead[i], finding);
    }
  if (claim->would_is.parsed != NULL)
    result->would = ls_claim_expression_value (claim->would_is.parsed, ls_claim_unit_find (claim->would_unit),
                                               ls_claim_term_value, known, NULL);
  ls_claim_judge (claim, result);
  for (guint i = 0; i < claim->n_outcomes && result->verdict == LS_CLAIM_NOT_MEASURABLE; i++)
    if (result->why == NULL)
      result->why = g_strdup (result->findings[i].why);
  ls_claim_name_findings (claim, result);
}
