/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far from its median an outcome is believed to lie: by its rounds, as soon as they have a middle half,
 * and by how much a measurement differs from the next one.
 */
#include "config.h"

#include "rig.h"

static TempDir dir;

/* Each round is as disturbed as it is, for both ways alike, so that the ratio of a round hardly is. Two
 * rounds have no middle half: the ways' own spreads stand then. */
static void
test_few_rounds (void)
{
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "few", "\"value\": 2, \"unit\": \"×\"",
    "\"true\": {\"from\": 2}, \"outcomes\": [{\"is\": \"time(a) / time(b)\"}]");

  for (guint n = 1; n <= 5; n++)
    {
      g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (double)),
                         b = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (LsClaimResult) result = NULL;
      LsClaimKnown known;

      for (guint i = 0; i < n; i++)
        {
          const double busy = 1 + i, times[] = { 3 * busy, busy };

          g_array_append_val (a, times[0]);
          g_array_append_val (b, times[1]);
        }
      rig_known (claim, &known);
      known.ways[0].time = rig_figure (3, 6, 9);
      known.ways[1].time = rig_figure (1, 2, 3);
      known.ways[0].turns = a;
      known.ways[1].turns = b;
      result = rig_conclude (&known, FALSE, NULL);
      const LsFigure *figure = &result->findings[0].figure;
      const gboolean own = figure->q3 - figure->q1 < 1e-9;
      if (own != (n >= 3))
        g_error ("of %u rounds, each of which has 3 times, it is from %g to %g times", n, figure->q1,
                 figure->q3);
      g_assert_cmpfloat_with_epsilon (figure->value, 3, 1e-9);
    }
}

/* A share of a step drifts as the times do that it is of: by 3 %, and not by more where it was busy, for that
 * disturbs all of the step. */
static void
test_share (void)
{
  static const struct {
    double percent;
    LsClaimVerdict verdict;
  } rows[]
    = { { 48, LS_CLAIM_NOT_HERE }, { 49, LS_CLAIM_OPEN }, { 51, LS_CLAIM_OPEN }, { 52, LS_CLAIM_TRUE } };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "share", "\"value\": 50, \"unit\": \"%\"",
    "\"true\": {\"from\": 50}, \"outcomes\": [{\"is\": \"memory_bound(a)\"}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint busy = 0; busy < 2; busy++)
      {
        g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);

        result->busy = busy != 0;
        result->n_findings = 1;
        result->findings[0].figure = rig_figure (rows[i].percent, rows[i].percent, rows[i].percent);
        ls_claim_judge (claim, result);
        if (result->verdict != rows[i].verdict)
          g_error ("of a share of %g %%, measured on a %s machine, it says “%s”", rows[i].percent,
                   busy ? "busy" : "quiet", ls_claim_verdict_name (result->verdict));
      }
}

/* What a middle half may be, wherever in it the ends of what is true and half true lie, which are true and
 * half true themselves. */
static void
test_bands (void)
{
  static const struct {
    double q1, q3;
    LsClaimVerdict judged;
  } rows[] = {
    { 1, 9, LS_CLAIM_NOT_HERE },
    { 10, 19, LS_CLAIM_HALF },
    { 20, 22, LS_CLAIM_TRUE },
    { 21, 21, LS_CLAIM_TRUE },
    { 23, 40, LS_CLAIM_HALF },
    { 41, 99, LS_CLAIM_NOT_HERE },
    { 9.9, 10.1, LS_CLAIM_OPEN },
    { 19.9, 20, LS_CLAIM_OPEN },
    { 22, 22.1, LS_CLAIM_OPEN },
    { 39.9, 40.1, LS_CLAIM_OPEN },
    { 1, 99, LS_CLAIM_OPEN },
    { 1, 15, LS_CLAIM_OPEN },
    /* both ends are half true, and what is true lies near the one or the other, or in the middle */
    { 19.9, 39, LS_CLAIM_OPEN },
    { 10, 22.5, LS_CLAIM_OPEN },
    { 12, 30, LS_CLAIM_OPEN },
    /* likewise neither is true at all */
    { 9.9, 200, LS_CLAIM_OPEN },
    { -300, 41, LS_CLAIM_OPEN },
  };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "bands", "\"value\": 21, \"unit\": \"%\"",
    "\"true\": {\"from\": 20, \"to\": 22}, \"half\": {\"from\": 10, \"to\": 40}, "
    "\"outcomes\": [{\"is\": \"accuracy(a)\"}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);

      result->n_findings = 1;
      result->findings[0].figure = rig_figure (rows[i].q1, (rows[i].q1 + rows[i].q3) / 2, rows[i].q3);
      ls_claim_judge (claim, result);
      if (result->findings[0].judged != rows[i].judged)
        g_error ("from %g to %g %% it is “%s”, not “%s”", rows[i].q1, rows[i].q3,
                 ls_claim_verdict_name (result->findings[0].judged), ls_claim_verdict_name (rows[i].judged));
      /* of one alone its own verdict is the claim's */
      g_assert_cmpint (result->verdict, ==, rows[i].judged);
      g_assert_cmpfloat (result->findings[0].low, ==, rows[i].q1);
      g_assert_cmpfloat (result->findings[0].high, ==, rows[i].q3);
    }
}

/* A verdict is of the outcomes that were measured on what the claim is about, both together: neither of a
 * stand-in nor of what is told in place of one, though each of them says what it would be. */
static void
test_which_count (void)
{
  enum { LOW = 5, GOOD = 21 };
  static const struct {
    double values[2]; /* 0: not measured */
    gboolean aside[2];
    const char *why;
    LsClaimVerdict verdict;
  } rows[] = {
    { { GOOD, GOOD }, { FALSE, FALSE }, NULL, LS_CLAIM_TRUE },
    { { LOW, LOW }, { FALSE, FALSE }, NULL, LS_CLAIM_NOT_HERE },
    { { GOOD, LOW }, { FALSE, FALSE }, NULL, LS_CLAIM_HALF },
    { { LOW, GOOD }, { FALSE, FALSE }, NULL, LS_CLAIM_HALF },
    { { GOOD, LOW }, { TRUE, FALSE }, NULL, LS_CLAIM_NOT_HERE },
    { { GOOD, LOW }, { FALSE, TRUE }, NULL, LS_CLAIM_TRUE },
    { { LOW, GOOD }, { TRUE, FALSE }, NULL, LS_CLAIM_TRUE },
    { { GOOD, GOOD }, { TRUE, TRUE }, NULL, LS_CLAIM_NOT_MEASURABLE },
    { { 0, GOOD }, { FALSE, FALSE }, NULL, LS_CLAIM_TRUE },
    { { LOW, 0 }, { FALSE, FALSE }, NULL, LS_CLAIM_NOT_HERE },
    { { 0, GOOD }, { FALSE, TRUE }, NULL, LS_CLAIM_NOT_MEASURABLE },
    { { 0, 0 }, { FALSE, FALSE }, NULL, LS_CLAIM_NOT_MEASURABLE },
    { { GOOD, GOOD }, { FALSE, FALSE }, "It is away.", LS_CLAIM_NOT_MEASURABLE },
  };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "count", "\"value\": 21, \"unit\": \"%\"",
    "\"true\": {\"from\": 20}, \"outcomes\": [{\"is\": \"memory_bound(a)\", \"words\": {\"en\": \"one\"}}, "
    "{\"is\": \"memory_bound(a)\", \"words\": {\"en\": \"two\"}}]");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);

      result->why = g_strdup (rows[i].why);
      result->n_findings = 2;
      for (guint k = 0; k < 2; k++)
        {
          const double value = rows[i].values[k];

          if (value > 0)
            result->findings[k].figure = rig_figure (value, value, value);
          result->findings[k].stand_in = rows[i].aside[k];
        }
      ls_claim_judge (claim, result);
      if (result->verdict != rows[i].verdict)
        g_error ("%g %%%s and %g %%%s are “%s”, not “%s”", rows[i].values[0],
                 rows[i].aside[0] ? ", of a stand-in," : "", rows[i].values[1],
                 rows[i].aside[1] ? ", of a stand-in," : "", ls_claim_verdict_name (result->verdict),
                 ls_claim_verdict_name (rows[i].verdict));
      for (guint k = 0; k < 2; k++)
        if (rows[i].values[k] > 0)
          g_assert_cmpint (result->findings[k].judged, ==,
                           rows[i].values[k] > 20 ? LS_CLAIM_TRUE : LS_CLAIM_NOT_HERE);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/spread/few-rounds", test_few_rounds);
  g_test_add_func ("/claims/spread/share", test_share);
  g_test_add_func ("/claims/spread/bands", test_bands);
  g_test_add_func ("/claims/spread/which-count", test_which_count);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
