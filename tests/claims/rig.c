/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See rig.h.
 */
#include "config.h"
#include "rig.h"

LsClaim *
rig_claim (const TempDir *dir, const char *name, const char *claimed, const char *more)
{
  g_autofree char *file
    = g_strconcat (name, ".claim", NULL),
    *path = temp_path (dir, file),
    *text = g_strdup_printf (
      "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"It is so.\"},\n"
      "\"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": "
      "\"2026-11-24\"},\n"
      "\"quote\": \"so it is\", \"claimed\": {%s},\n"
      "\"ways\": [{\"name\": \"a\", \"words\": {\"en\": \"way a\"}, \"lane\": \"cpu(threads=1)\",\n"
      "  \"run\": [\"step\", \"flatten, dense 4, relu, dense 2\", \"tabular\", \"8\"], \"steps\": 20},\n"
      " {\"name\": \"b\", \"words\": {\"en\": \"way b\"}, \"lane\": \"opencl\",\n"
      "  \"run\": [\"product\", \"8\"]}],\n"
      "%s}\n",
      claimed, more);
  g_autoptr (GError) error = NULL;
  LsClaim *claim;

  put_file (path, text, strlen (text));
  claim = ls_claim_load (path, &error);
  g_assert_no_error (error);
  return claim;
}

void
rig_known (const LsClaim *claim, LsClaimKnown *known)
{
  *known = (LsClaimKnown){ .claim = claim, .round = LS_CLAIM_ALL_ROUNDS };
}

LsFigure
rig_figure (double q1, double median, double q3)
{
  return (LsFigure){ .value = median, .q1 = q1, .q3 = q3, .n = 10, .evidence = LS_EVIDENCE_MEASURED };
}

LsClaimResult *
rig_conclude (LsClaimKnown *known, gboolean stand_in, const char *why)
{
  LsClaimResult *result = ls_claim_result_new (known->claim);

  result->why = g_strdup (why);
  ls_claim_conclude (known, stand_in, result);
  return result;
}

/* Takes text over. */
void
rig_assert_text (char *text, const char *wanted)
{
  g_assert_cmpstr (text, ==, wanted);
  g_free (text);
}
