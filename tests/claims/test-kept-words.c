/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of a result can be read again, whatever a lane's driver has said and however much of it, and
 * is of no other unit; so can a guess.
 */
#include "config.h"

#include "claims/kept.h"
#include "folder.h"
#include "rig.h"

#define MORE(unit)                                                                                           \
  "\"true\": {\"from\": 2}, \"outcomes\": [{\"is\": \"time(a) / time(b)\"}], \"would\": {\"words\": "        \
  "{\"en\": \"w\"}, \"evidence\": \"derived\", \"here\": {\"en\": \"{} here\"}, \"is\": \"time(a)\", "       \
  "\"unit\": \"" unit "\"}"

static TempDir dir;

/* What came out for a number in one unit isn't shown in another one. */
static void
test_unit (void)
{
  g_autoptr (LsClaim) ns = rig_claim (&dir, "unit", "\"value\": 2, \"unit\": \"×\"", MORE ("ns")),
                      again = rig_claim (&dir, "unit", "\"value\": 2, \"unit\": \"×\"", MORE ("ns")),
                      ms = rig_claim (&dir, "unit", "\"value\": 2, \"unit\": \"×\"", MORE ("ms"));

  g_assert_cmpstr (ns->digest, ==, again->digest);
  if (strcmp (ns->digest, ms->digest) == 0)
    g_error ("3000 ns that are kept would be shown as 3000 ms once the file says so");
}

/* A compiler's log has lines, and may be long. */
static void
test_words (void)
{
  static const struct {
    const char *said;
    guint times; /* it is said */
    const char *kept;
    guint length;
  } rows[] = {
    { "It’s gone.", 1, "It’s gone.", 10 },
    { "error: a\nb\tc", 1, "error: a b c", 12 },
    { " it failed ", 1, "it failed", 9 },
    { "é", 1000, NULL, 1000 },
    { "é", 1001, NULL, 1000 },
    { "é", 5000, NULL, 1000 },
    { "", 1, NULL, 0 },
    { "  ", 1, NULL, 0 },
  };
  g_autoptr (LsClaim) claim = rig_claim (&dir, "words", "\"value\": 2, \"unit\": \"×\"", MORE ("ns"));

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) said = g_string_new (NULL);
      g_autoptr (LsClaimResult) result = NULL, back = NULL;
      g_autoptr (json_t) json = NULL;
      g_autoptr (GError) error = NULL;
      LsClaimKnown known;

      for (guint k = 0; k < rows[i].times; k++)
        g_string_append (said, rows[i].said);
      rig_known (claim, &known);
      result = rig_conclude (&known, FALSE, said->str);
      for (guint k = 0; k < result->n_ways; k++)
        {
          result->ways[k].why = g_strdup (said->str);
          result->ways[k].device = g_strdup (said->str);
          result->ways[k].how = g_strdup (said->str);
        }
      g_free (result->findings[0].why);
      result->findings[0].why = g_strdup (said->str);
      json = ls_claim_result_to_json (result);
      back = ls_claim_result_from_json (claim, json, &error);
      if (back == NULL)
        g_error ("what is kept with %u times “%s” can’t be read again: %s", rows[i].times, rows[i].said,
                 error->message);
      for (guint k = 0; k < 2 + 3 * back->n_ways; k++)
        {
          const LsClaimWayTime *way = &back->ways[k / 3 % back->n_ways];
          const char *kept = k == 3 * back->n_ways  ? back->why
                             : k > 3 * back->n_ways ? back->findings[0].why
                             : k % 3 == 0           ? way->why
                             : k % 3 == 1           ? way->device
                                                    : way->how;

          if ((kept != NULL ? g_utf8_strlen (kept, -1) : 0) != rows[i].length
              || (rows[i].kept != NULL && g_strcmp0 (kept, rows[i].kept) != 0)
              || (rows[i].times > 1 && g_str_has_suffix (kept, "…") != (rows[i].times > 1000)))
            g_error ("of %u times “%s” number %u is kept as “%s”", rows[i].times, rows[i].said, k, kept);
        }
    }
}

/* A guess that is taken is there the next time; one that couldn't be isn't taken. */
static void
test_guesses (void)
{
  static const struct {
    double guess;
    gboolean taken;
  } rows[]
    = { { 1.5, TRUE }, { 1e12, TRUE }, { 1.01e12, FALSE }, { G_MINDOUBLE, TRUE }, { G_MINDOUBLE / 2, FALSE },
        { 0, FALSE },  { -1, FALSE } };
  g_autofree char *folder = temp_path (&dir, "own");
  const TempDir own = { folder };

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  ls_claim_unref (rig_claim (&own, "guess", "\"value\": 2, \"unit\": \"×\"", MORE ("ns")));
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaims) claims = ls_claims_load (folder, NULL, &error), made = NULL, after = NULL;

      g_assert_no_error (error);
      made = ls_claims_guess (claims, "guess", rows[i].guess, NULL);
      if ((made != NULL) != rows[i].taken)
        g_error ("a guess of %g is %s", rows[i].guess, made != NULL ? "taken" : "refused");
      after = ls_claims_load (folder, said, &error);
      g_assert_no_error (error);
      if (said->len > 0)
        g_error ("after a guess of %g it says: %s", rows[i].guess, (char *) said->pdata[0]);
      if (rows[i].taken)
        g_assert_cmpfloat (after->rows[0].guess, ==, rows[i].guess);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  g_test_add_func ("/claims/kept-words/unit", test_unit);
  g_test_add_func ("/claims/kept-words/words", test_words);
  g_test_add_func ("/claims/kept-words/guesses", test_guesses);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
