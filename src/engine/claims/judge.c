/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What outcomes come to. An outcome is judged by the whole of its middle half: where that lies on both sides
 * of a threshold, either side may be right, and what all the outcomes can come to is worked out from there.
 * Only where that is one verdict alone, it is given. So two runs seldom differ, and never without one of them
 * having said that it is open.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "claims/expression.h"
#include "claims/tables.h"

/* Medians of times, and of their ratios, differ by so much from one run to the next: on a quiet machine, and
 * on one that others use, too (two processors with five programs that want one: ratios of the CPU lane's up
 * to 1.4).
 */
#define DRIFT      1.03
#define DRIFT_BUSY 1.5

enum { IS_TRUE = 1, IS_HALF = 2, IS_NOT = 4 };

static guint
class_at (const LsClaim *claim, double value)
{
  return value >= claim->truth.from && value <= claim->truth.to ? IS_TRUE
         : value >= claim->half.from && value <= claim->half.to ? IS_HALF
                                                                : IS_NOT;
}

/* All classes that a value from low to high may be of: between two thresholds it is always the same one. */
static guint
classes_of (const LsClaim *claim, double low, double high)
{
  const double thresholds[] = { claim->truth.from, claim->truth.to, claim->half.from, claim->half.to };
  double places[G_N_ELEMENTS (thresholds) + 2] = { low, high };
  guint n = 2, classes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++)
    if (thresholds[i] > low && thresholds[i] < high)
      places[n++] = thresholds[i];
  qsort (places, n, sizeof *places, ls_compare_doubles);
  classes = class_at (claim, low) | class_at (claim, high);
  for (guint i = 0; i + 1 < n; i++)
    classes |= class_at (claim, places[i] + (places[i + 1] - places[i]) / 2);
  return classes;
}

static LsClaimVerdict
verdict_of (guint classes)
{
  return classes == IS_TRUE   ? LS_CLAIM_TRUE
         : classes == IS_HALF ? LS_CLAIM_HALF
         : classes == IS_NOT  ? LS_CLAIM_NOT_HERE
                              : LS_CLAIM_OPEN;
}

static double
drift_of (const LsClaim *claim, const LsClaimOutcome *outcome, gboolean busy)
{
  double drift = 1;

  for (guint i = 0; i < claim->n_ways; i++)
    if (claim->ways[i].lane != NULL && ls_claim_expression_has (outcome->parsed, LS_CLAIM_TERM_TIME, i))
      return busy ? DRIFT_BUSY : DRIFT;
    else if (ls_claim_expression_has (outcome->parsed, LS_CLAIM_TERM_MEMORY, i))
      drift = DRIFT; /* a share of a step, all of which is as disturbed */
  return drift;
}

static guint
judge_one (const LsClaim *claim, const LsClaimOutcome *outcome, gboolean busy, LsClaimFinding *finding)
{
  const LsFigure *figure = &finding->figure;
  const double drift = figure->value > 0 ? drift_of (claim, outcome, busy) : 1;
  guint classes;

  if (figure->n == 0)
    return 0;
  finding->low = MIN (figure->q1, figure->value / drift);
  finding->high = MAX (figure->q3, figure->value * drift);
  classes = classes_of (claim, finding->low, finding->high);
  finding->judged = verdict_of (classes);
  return classes;
}

/* One of them may be true while another one isn't. */
static gboolean
may_differ (const guint *classes, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      if (classes[i] & IS_HALF || (i != j && classes[i] & IS_TRUE && classes[j] & IS_NOT))
        return TRUE;
  return FALSE;
}

void
ls_claim_judge (const LsClaim *claim, LsClaimResult *result)
{
  guint classes[LS_CLAIM_MAX_OUTCOMES], n = 0, all = IS_TRUE | IS_NOT;

  for (guint i = 0; i < result->n_findings; i++)
    {
      LsClaimFinding *finding = &result->findings[i];
      const LsClaimOutcome *outcome = finding->instead ? &claim->instead[i - claim->n_outcomes]
                                                       : &claim->outcomes[i];
      const guint own = judge_one (claim, outcome, result->busy, finding);

      if (own == 0 || finding->instead || finding->stand_in)
        continue;
      all &= own;
      classes[n++] = own;
    }
  if (n == 0 || result->why != NULL)
    result->verdict = LS_CLAIM_NOT_MEASURABLE;
  else
    {
      const gboolean may_be_half = may_differ (classes, n);

      result->verdict = all == IS_TRUE && !may_be_half  ? LS_CLAIM_TRUE
                        : all == IS_NOT && !may_be_half ? LS_CLAIM_NOT_HERE
                        : all == 0                      ? LS_CLAIM_HALF
                                                        : LS_CLAIM_OPEN;
    }
}
