/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See claim_rows.h.
 */
#include "claim_rows.h"

#include <math.h>

#include "claims/expression.h"

static const struct {
  const char *name, *sentence, *read_as, *note;
  double low, high;
  const char *unit;
  double guess; /* 0: none */
  LsClaimVerdict verdict;
} made[N_ROWS] = {
  [ROW_RANGE] = { "range", "Training on a GPU is 10 to 100 times faster.", NULL, "at most 5.6 on the map", 10,
                  100, "×", 6, LS_CLAIM_NOT_HERE },
  [ROW_STAIRS] = { "stairs", "Multiplying 1000×1000 takes 10 s on a CPU.", NULL,
                   "true for an interpreted loop", 10, 10, "s", 1.2, LS_CLAIM_NOT_HERE },
  [ROW_BOTH] = { "both", "Memory bandwidth is the bottleneck.", "over half of the step",
                 "left of the roof’s knee", 50, 50, "%", 75, LS_CLAIM_HALF },
  [ROW_TRUE] = { "true", "Larger batches use it better.", "over 1×", "batch 128 to 2048", 1, 1, "×", 1.6,
                 LS_CLAIM_TRUE },
  [ROW_STAND_IN] = { "stand-in", "Tensor cores double it once more.", NULL, "this device has none", 2, 2, "×",
                     2, LS_CLAIM_NOT_MEASURABLE },
  [ROW_OPEN] = { "open", "Half precision halves the time.", NULL, NULL, 2, 2, "×", 0, LS_CLAIM_OPEN },
  [ROW_GUESSED] = { "guessed", "Fusion saves round trips.", "over 1×", NULL, 1, 1, "×", 30, LS_CLAIM_NONE },
  [ROW_NOT_BEGUN]
  = { "not-begun",
      "A small network on a table of a few columns is too small to benefit, whatever card it is trained on.",
      NULL, NULL, 1, 1, "×", 0, LS_CLAIM_NONE },
};

static LsFigure
figure (double value, const char *unit, LsEvidence evidence, double spread)
{
  return (LsFigure){ value, unit, evidence, 30, value * (1 - spread), value * (1 + spread) };
}

static LsClaimWay
way (const char *name, const char *words, const char *lane, LsBackendKind who)
{
  return (LsClaimWay){ .name = g_strdup (name),
                       .words = g_strdup (words),
                       .lane = g_strdup (lane),
                       .who = who,
                       .run = lane != NULL ? g_strdup ("product\t1000") : NULL };
}

static void
add_ways (LsClaim *claim)
{
  const LsClaimWay ways[] = {
    way ("interpreted", "interpreted loop", NULL, LS_BACKEND_UNKNOWN),
    way ("naive", "compiled loop, 1 thread", "cpu(threads=1,cpu-kernels=naive)", LS_BACKEND_CPU),
    way ("blas", "OpenBLAS, 2 threads", "cpu", LS_BACKEND_CPU),
    way ("copies", "OpenCL with copies", "opencl", LS_BACKEND_OPENCL),
    way ("kernel", "OpenCL, kernel alone", "opencl", LS_BACKEND_OPENCL),
  };

  claim->n_ways = G_N_ELEMENTS (ways);
  claim->ways = g_memdup2 (ways, sizeof ways);
  claim->ways[0].given = figure (10, "s", LS_EVIDENCE_MODELLED, 0);
  claim->ways_title = g_strdup ("The same product, five ways");
  claim->would = g_strdup ("a language that needs 10 ns for each of the 10⁹ multiply-adds");
  claim->would_evidence = LS_EVIDENCE_MODELLED;
}

/* What is published of it elsewhere. */
static void
add_instead (LsClaim *claim)
{
  static const LsClaimDimension number = { 0 };

  claim->n_instead = 1;
  claim->instead = g_new0 (LsClaimOutcome, 1);
  claim->instead[0].words = g_strdup ("A100");
  claim->instead[0].is = g_strdup ("published(4)");
  claim->instead[0].parsed = ls_claim_expression_new ("published(4)", NULL, 0, &number, NULL);
  claim->instead[0].quote = g_strdup ("four times as fast");
  claim->instead[0].source = g_new0 (LsHardwareSource, 1);
  claim->instead[0].source->title = g_strdup ("Tensor cores in print");
  claim->instead[0].source->address = g_strdup ("https://example.org/tensor");
  claim->instead[0].source->seen = g_strdup ("2026-11-25");
}

static LsClaim *
claim_new (ClaimRow row)
{
  LsClaim *claim = g_new0 (LsClaim, 1);

  claim->ref_count = 1;
  claim->name = g_strdup (made[row].name);
  claim->sentence = g_strdup (made[row].sentence);
  claim->read_as = g_strdup (made[row].read_as);
  claim->quote = g_strdup ("The words that were seen there, which go on for a while.");
  claim->source = g_new0 (LsHardwareSource, 1);
  claim->source->title = g_strdup ("Lee et al.: Debunking the 100X GPU vs. CPU Myth");
  claim->source->address = g_strdup ("https://example.org/debunking");
  claim->source->seen = g_strdup ("2026-11-24");
  claim->source->published = g_strdup ("2010");
  claim->claimed = (LsClaimed){ made[row].low, made[row].high, made[row].unit, made[row].read_as != NULL };
  claim->notes[LS_CLAIM_NONE] = g_strdup (made[row].note);
  claim->truth = (LsClaimBand){ made[row].low, HUGE_VAL };
  claim->half = (LsClaimBand){ 1, 0 };
  if (row == ROW_STAIRS)
    add_ways (claim);
  if (row == ROW_STAND_IN)
    add_instead (claim);
  return claim;
}

static void
add_finding (LsClaimResult *result, LsBackendKind who, const char *words, LsFigure f, LsClaimVerdict judged)
{
  result->findings = g_renew (LsClaimFinding, result->findings, result->n_findings + 1);
  result->findings[result->n_findings++] = (LsClaimFinding){
    .who = who, .words = g_strdup (words), .figure = f, .judged = judged, .low = f.q1, .high = f.q3
  };
}

static void
add_outcomes (LsClaimResult *result, ClaimRow row)
{
  static const double times[] = { 0, 1.31, .0262, .0018, .00079 };
  const char *unit = made[row].unit;

  switch (row)
    {
    case ROW_RANGE:
      add_finding (result, LS_BACKEND_UNKNOWN, NULL, figure (1.5, unit, LS_EVIDENCE_DERIVED, .02),
                   LS_CLAIM_NOT_HERE);
      break;
    case ROW_STAIRS:
      add_finding (result, LS_BACKEND_CPU, NULL, figure (.0044, unit, LS_EVIDENCE_MEASURED, .01),
                   LS_CLAIM_NOT_HERE);
      result->n_ways = G_N_ELEMENTS (times);
      result->ways = g_new0 (LsClaimWayTime, result->n_ways);
      for (guint i = 1; i < result->n_ways; i++)
        result->ways[i].time = figure (times[i], "s", LS_EVIDENCE_MEASURED, .01);
      break;
    case ROW_BOTH:
      add_finding (result, LS_BACKEND_CPU, "CPU", figure (10, unit, LS_EVIDENCE_DERIVED, .02),
                   LS_CLAIM_NOT_HERE);
      add_finding (result, LS_BACKEND_OPENCL, "OpenCL", figure (69, unit, LS_EVIDENCE_DERIVED, .02),
                   LS_CLAIM_TRUE);
      break;
    case ROW_TRUE:
      add_finding (result, LS_BACKEND_CPU, "CPU", figure (1.4, unit, LS_EVIDENCE_DERIVED, .02),
                   LS_CLAIM_TRUE);
      add_finding (result, LS_BACKEND_OPENCL, "OpenCL", figure (2.8, unit, LS_EVIDENCE_DERIVED, .02),
                   LS_CLAIM_TRUE);
      break;
    case ROW_STAND_IN:
      result->why = g_strdup ("No device here has such units.");
      add_finding (result, LS_BACKEND_UNKNOWN, "A100", figure (4, unit, LS_EVIDENCE_PUBLISHED, 0),
                   LS_CLAIM_NONE);
      result->findings[0].instead = TRUE;
      break;
    default:
      add_finding (result, LS_BACKEND_UNKNOWN, NULL, figure (1.9, unit, LS_EVIDENCE_DERIVED, .2),
                   LS_CLAIM_OPEN);
    }
}

static LsClaimResult *
result_new (ClaimRow row)
{
  LsClaimResult *result = g_new0 (LsClaimResult, 1);

  result->ref_count = 1;
  result->name = g_strdup (made[row].name);
  result->digest = g_strdup ("");
  result->verdict = made[row].verdict;
  result->date = g_strdup ("2026-11-24T05:12Z");
  result->machine = g_strdup ("Desk CPU, 2 cores");
  result->machine_key = g_strdup ("desk");
  result->program = g_strdup ("Lockstep");
  add_outcomes (result, row);
  return result;
}

LsClaims *
claim_rows (void)
{
  LsClaims *claims = g_new0 (LsClaims, 1);

  claims->ref_count = 1;
  claims->n = N_ROWS;
  claims->rows = g_new0 (LsClaimRow, N_ROWS);
  for (guint i = 0; i < N_ROWS; i++)
    {
      LsClaimRow *row = &claims->rows[i];

      row->claim = claim_new ((ClaimRow) i);
      row->guessed = made[i].guess > 0;
      row->guess = made[i].guess;
      row->guess_date = row->guessed ? g_strdup ("2026-11-24T05:09Z") : NULL;
      row->result = made[i].verdict != LS_CLAIM_NONE ? result_new ((ClaimRow) i) : NULL;
    }
  return claims;
}
