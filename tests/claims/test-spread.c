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

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/spread/few-rounds", test_few_rounds);
  g_test_add_func ("/claims/spread/share", test_share);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
