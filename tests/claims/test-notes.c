/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under a verdict where there is little room.
 */
#include "config.h"

#include "rig.h"

static TempDir dir;

/* Of several figures in the place of what isn't here a row says the least and the most, by their kind: not
 * the best case alone. */
static void
test_brief (void)
{
  static const char source[] = "\"source\": {\"title\": \"B\", \"address\": \"https://example.org/b\", "
                               "\"seen\": \"2026-11-24\"}, \"quote\": \"so\"}";
  g_autofree char *more = g_strdup_printf (
    "\"true\": {\"from\": 2}, \"needs\": \"gpu\", \"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "
    "\"instead\": [{\"words\": {\"en\": \"one\"}, \"is\": \"published(6)\", %s, "
    "{\"words\": {\"en\": \"two\"}, \"is\": \"published(2)\", %s, "
    "{\"words\": {\"en\": \"three\"}, \"is\": \"time(a) / time(b)\"}]",
    source, source);
  g_autoptr (LsClaim) claim = rig_claim (&dir, "brief", "\"value\": 2, \"unit\": \"×\"", more);
  g_autoptr (LsClaimResult) result = NULL;
  LsClaimKnown known;

  rig_known (claim, &known);
  known.ways[0].time = rig_figure (8, 8, 8);
  known.ways[1].time = rig_figure (2, 2, 2);
  result = rig_conclude (&known, TRUE, ls_claim_needs_text (LS_CLAIM_NEEDS_GPU));
  result->findings[3].figure.evidence = LS_EVIDENCE_MODELLED;
  rig_assert_text (ls_claim_note_brief (claim, result), "Modelled: 4.00×, three. Published: 2.00× to 6.00×.");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/notes/brief", test_brief);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
