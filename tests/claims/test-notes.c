/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under a verdict where there is little room, and what networks from several seeds come to.
 */
#include "config.h"

#include "rig.h"

static TempDir dir;

/* Of several figures in the place of what isn't here a row says the least and the most, by their kind and in
 * whichever order they stand: not the best case alone, nor what has no figure. */
static void
test_brief (void)
{
  static const char source[] = "\"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", "
                               "\"seen\": \"2026-11-24\"}, \"quote\": \"so\"}";
  static const guint orders[][3] = { { 2, 3, 6 }, { 2, 6, 3 }, { 3, 2, 6 },
                                     { 3, 6, 2 }, { 6, 2, 3 }, { 6, 3, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *name = g_strdup_printf ("brief-%u", i);
      g_autofree char *more = g_strdup_printf (
        "\"true\": {\"from\": 2}, \"needs\": \"gpu\", \"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "
        "\"instead\": [{\"words\": {\"en\": \"one\"}, \"is\": \"published(%u)\", %s, "
        "{\"words\": {\"en\": \"two\"}, \"is\": \"published(%u)\", %s, "
        "{\"words\": {\"en\": \"other\"}, \"is\": \"published(%u)\", %s, "
        "{\"words\": {\"en\": \"three\"}, \"is\": \"time(a) / time(b)\"}, "
        "{\"words\": {\"en\": \"failed\"}, \"is\": \"time(a) / time(b)\"}]",
        orders[i][0], source, orders[i][1], source, orders[i][2], source);
      g_autoptr (LsClaim) claim = rig_claim (&dir, name, "\"value\": 2, \"unit\": \"×\"", more);
      g_autoptr (LsClaimResult) result = NULL;
      LsClaimKnown known;

      rig_known (claim, &known);
      known.ways[0].time = rig_figure (8, 8, 8);
      known.ways[1].time = rig_figure (2, 2, 2);
      result = rig_conclude (&known, TRUE, ls_claim_needs_text (LS_CLAIM_NEEDS_GPU));
      result->findings[4].figure.evidence = LS_EVIDENCE_MODELLED;
      result->findings[5].figure = (LsFigure){ .evidence = LS_EVIDENCE_MODELLED }; /* there is none */
      rig_assert_text (ls_claim_note_brief (claim, result),
                       "Modelled: 4.00×, three. Published: 2.00× to 6.00×.");
      g_autofree char *all = g_strdup_printf ("%s Published: %u.00×, one. Published: %u.00×, two. Published: "
                                              "%u.00×, other. Modelled: 4.00×, three.",
                                              ls_claim_needs_text (LS_CLAIM_NEEDS_GPU), orders[i][0],
                                              orders[i][1], orders[i][2]);
      rig_assert_text (ls_claim_note_text (claim, result), all);
    }
}

/* Accuracies are held against each other seed by seed: what is as good from each has no spread, however much
 * the seeds differ. */
static void
test_seeds (void)
{
  static const double right[] = { .5, .9, .7 };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "seeds", "\"value\": 100, \"unit\": \"%\"",
    "\"true\": {\"from\": 99}, \"outcomes\": [{\"is\": \"accuracy(a) / accuracy(a)\"}]");
  g_autoptr (GArray) learnt = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (LsClaimResult) result = NULL;
  LsClaimKnown known;

  g_array_append_vals (learnt, right, G_N_ELEMENTS (right));
  rig_known (claim, &known);
  known.ways[0].learnt = learnt;
  known.ways[0].accuracy = rig_figure (.6, .7, .8);
  result = rig_conclude (&known, FALSE, NULL);
  g_assert_cmpuint (result->findings[0].figure.n, ==, 3);
  g_assert_cmpfloat (result->findings[0].figure.q1, ==, 100);
  g_assert_cmpfloat (result->findings[0].figure.q3, ==, 100);
  g_assert_cmpint (result->verdict, ==, LS_CLAIM_TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/notes/brief", test_brief);
  g_test_add_func ("/claims/notes/seeds", test_seeds);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
