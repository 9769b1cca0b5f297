/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guesses and results on disk: which comes first, what is read back, and what isn't used.
 */
#include "config.h"

#include <math.h>

#include "claims/kept.h"
#include "core/file.h"
#include "folder.h"
#include "rig.h"

#define MORE                                                                                                 \
  "\"true\": {\"from\": 2}, \"half\": {\"from\": 1.5}, \"needs\": \"gpu\", "                                 \
  "\"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "                                                        \
  "\"instead\": [{\"is\": \"published(4)\", \"source\": {\"title\": \"B\", \"address\": "                    \
  "\"https://example.org/b\", \"seen\": \"2026-11-24\"}, \"quote\": \"4\"}], "                               \
  "\"would\": {\"words\": {\"en\": \"x\"}, \"evidence\": \"modelled\", \"here\": {\"en\": \"{}\"}, "         \
  "\"is\": \"time(a)\", \"unit\": \"ms\"}"

static TempDir dir; /* claims and the user's data */

static LsClaims *
load (GPtrArray *said)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = temp_path (&dir, "claims");
  LsClaims *claims = ls_claims_load (folder, said, &error);

  g_assert_no_error (error);
  return claims;
}

static LsClaimResult *
sample (const LsClaim *claim, gboolean gpu)
{
  LsClaimKnown known;
  LsClaimResult *result;

  rig_known (claim, &known);
  known.ways[0].time = rig_figure (2.9, 3, 3.2);
  known.ways[1].time = rig_figure (1, 1, 1);
  result = rig_conclude (&known, !gpu, gpu ? NULL : "No GPU.");
  result->ways[0].time = known.ways[0].time;
  result->ways[0].device = g_strdup ("AMD EPYC, CPU");
  result->ways[0].how = g_strdup ("own loops");
  result->ways[1].why = g_strdup ("It’s gone.");
  result->seconds = 4.5;
  result->rounds = 7;
  result->busy = FALSE;
  return result;
}

static char *
kept_path (const LsClaim *claim)
{
  return g_strdup_printf ("%s/lockstep/claims/%s-%.12s.json", g_get_user_data_dir (), claim->name,
                          claim->digest);
}

static LsClaims *
take (LsClaims *old, LsClaims *made)
{
  g_assert_nonnull (made);
  ls_claims_unref (old);
  return made;
}

/* Before the run any number of guesses; afterwards none, until both are forgotten. */
static void
test_guess (void)
{
  g_autoptr (LsClaims) claims = load (NULL), again = NULL;
  g_autoptr (LsClaimResult) result = sample (claims->rows[0].claim, TRUE);
  const char *name = claims->rows[0].claim->name;
  g_autoptr (GError) error = NULL;
  static const double wrong[] = { 0, -1, 1e20, (double) INFINITY, (double) NAN };

  g_assert_false (claims->rows[0].guessed);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (ls_claims_guess (claims, name, wrong[i], &error));
      assert_refused (&error, LS_ERROR_USAGE, "above zero");
    }
  claims = take (claims, ls_claims_guess (claims, name, 1.5, &error));
  claims = take (claims, ls_claims_guess (claims, name, 2.5, &error));
  g_assert_true (claims->rows[0].guessed);
  again = load (NULL);
  g_assert_cmpfloat (again->rows[0].guess, ==, 2.5);
  g_assert_cmpstr (again->rows[0].guess_date, ==, claims->rows[0].guess_date);
  claims = take (claims, ls_claims_keep (claims, result, &error));
  g_assert_no_error (error);
  g_assert_true (claims->rows[0].result == result);
  g_assert_cmpfloat (claims->rows[0].guess, ==, 2.5);
  g_assert_cmpstr (claims->rows[0].guess_date, ==, again->rows[0].guess_date);
  g_assert_null (ls_claims_guess (claims, name, 3, &error));
  assert_refused (&error, LS_ERROR_USAGE, "a guess comes before");
  /* nor for whoever loaded the list before it was run */
  g_assert_null (ls_claims_guess (again, name, 3, &error));
  assert_refused (&error, LS_ERROR_USAGE, "a guess comes before");
  claims = take (claims, ls_claims_forget (claims, name, &error));
  g_assert_false (claims->rows[0].guessed);
  g_assert_null (claims->rows[0].result);
  claims = take (claims, ls_claims_guess (claims, name, 3, &error));
  claims = take (claims, ls_claims_forget (claims, name, &error));
  g_assert_no_error (error);
  g_assert_null (ls_claims_guess (claims, "nobody", 3, &error));
  assert_refused (&error, LS_ERROR_USAGE, "no claim “nobody”");
  /* a terminal isn't told to do anything by a name that was typed */
  g_assert_null (ls_claims_forget (claims, "no\033[2Jbody", &error));
  assert_refused (&error, LS_ERROR_USAGE, "There is no claim “no�[2Jbody”; “lockstep claims” lists them.");
}

/* Another program's guess, made meanwhile, isn't lost when this one's result is kept. */
static void
test_meanwhile (void)
{
  g_autoptr (LsClaims) early = load (NULL), other = load (NULL), after = NULL;
  g_autoptr (LsClaimResult) result = sample (early->rows[0].claim, TRUE);
  const char *name = early->rows[0].claim->name;

  other = take (other, ls_claims_guess (other, name, 7, NULL));
  early = take (early, ls_claims_keep (early, result, NULL));
  after = load (NULL);
  g_assert_true (after->rows[0].guessed);
  g_assert_cmpfloat (after->rows[0].guess, ==, 7);
  g_assert_nonnull (after->rows[0].result);
  /* a list takes all of a row from another one, or keeps all of its own */
  g_autoptr (LsClaims) taken = ls_claims_with (other, after, name),
                       own = ls_claims_with (after, other, "nobody");
  const LsClaimRow *const rows[] = { &taken->rows[0], &own->rows[0] };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (rows[i]->guessed && rows[i]->claim != NULL);
      g_assert_cmpfloat (rows[i]->guess, ==, 7);
      g_assert_cmpstr (rows[i]->guess_date, ==, after->rows[0].guess_date);
      g_assert_true (rows[i]->result == after->rows[0].result);
    }
  early = take (early, ls_claims_forget (early, name, NULL));
}

static void
assert_alike (const LsClaimResult *a, const LsClaimResult *b)
{
  g_autoptr (json_t) one = ls_claim_result_to_json (a), other = ls_claim_result_to_json (b);
  g_autofree char *first = json_dumps (one, JSON_SORT_KEYS), *second = json_dumps (other, JSON_SORT_KEYS);

  g_assert_cmpstr (first, ==, second);
}

/* What is written says what it is of, and holds what there is: a guess, a result, or both; where there is
 * neither there is no file. */
static void
test_file (void)
{
  static const struct {
    const char *done;
    gboolean guess, result;                /* there are afterwards */
  } rows[] = { { "forget", FALSE, FALSE }, /* what was never kept, and what is forgotten already, too */
               { "guess", TRUE, FALSE },   { "run", TRUE, TRUE },      { "forget", FALSE, FALSE },
               { "run", FALSE, TRUE },     { "forget", FALSE, FALSE }, { "forget", FALSE, FALSE } };
  g_autoptr (LsClaims) claims = load (NULL);
  g_autoptr (LsClaimResult) result = sample (claims->rows[0].claim, TRUE);
  g_autofree char *path = kept_path (claims->rows[0].claim);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (json_t) json = NULL;
      const json_t *guess;

      claims = take (claims, rows[i].done[0] == 'g'   ? ls_claims_guess (claims, "fast", 1.5, &error)
                             : rows[i].done[0] == 'r' ? ls_claims_keep (claims, result, &error)
                                                      : ls_claims_forget (claims, "fast", &error));
      g_assert_no_error (error);
      json = json_load_file (path, 0, NULL);
      if ((json != NULL) != (rows[i].guess || rows[i].result))
        g_error ("row %u: after “%s” there is %s file", i, rows[i].done, json != NULL ? "a" : "no");
      if (json == NULL)
        continue;
      g_assert_cmpstr (json_string_value (json_object_get (json, "format")), ==, "lockstep-claim-kept");
      g_assert_cmpint (json_integer_value (json_object_get (json, "version")), ==, 1);
      g_assert_cmpstr (json_string_value (json_object_get (json, "claim")), ==, "fast");
      g_assert_cmpstr (json_string_value (json_object_get (json, "digest")), ==,
                       claims->rows[0].claim->digest);
      guess = json_object_get (json, "guess");
      g_assert_cmpint (guess != NULL, ==, rows[i].guess);
      g_assert_cmpint (json_object_get (json, "result") != NULL, ==, rows[i].result);
      if (guess != NULL)
        {
          g_assert_cmpfloat (json_number_value (json_object_get (guess, "value")), ==, 1.5);
          g_assert_cmpstr (json_string_value (json_object_get (guess, "date")), ==,
                           claims->rows[0].guess_date);
        }
    }
}

static void
test_json (void)
{
  g_autoptr (LsClaims) claims = load (NULL);
  const LsClaim *claim = claims->rows[0].claim;

  for (guint gpu = 0; gpu < 2; gpu++)
    {
      g_autoptr (LsClaimResult) result = sample (claim, gpu != 0), back = NULL;
      g_autoptr (json_t) json = ls_claim_result_to_json (result);
      g_autoptr (GError) error = NULL;

      back = ls_claim_result_from_json (claim, json, &error);
      g_assert_no_error (error);
      assert_alike (result, back);
      g_assert_cmpuint (back->n_findings, ==, gpu != 0 ? 1 : 2);
      g_assert_cmpstr (back->findings[0].words, ==, result->findings[0].words);
      for (guint i = 0; i < 2; i++)
        {
          g_assert_cmpfloat (back->ways[i].time.q1, ==, result->ways[i].time.q1);
          g_assert_cmpfloat (back->ways[i].time.value, ==, result->ways[i].time.value);
          g_assert_cmpfloat (back->ways[i].time.q3, ==, result->ways[i].time.q3);
          g_assert_cmpuint (back->ways[i].time.n, ==, i == 0 ? 10 : 0);
          g_assert_cmpstr (back->ways[i].device, ==, i == 0 ? "AMD EPYC, CPU" : NULL);
          g_assert_cmpstr (back->ways[i].how, ==, i == 0 ? "own loops" : NULL);
          g_assert_cmpstr (back->ways[i].why, ==, i == 0 ? NULL : "It’s gone.");
        }
      for (guint i = 0; i < back->n_findings; i++)
        {
          g_assert_cmpfloat (back->findings[i].figure.value, ==, result->findings[i].figure.value);
          g_assert_cmpint (back->findings[i].figure.evidence, ==, result->findings[i].figure.evidence);
          g_assert_cmpint (back->findings[i].judged, ==, result->findings[i].judged);
          g_assert_cmpint (back->findings[i].stand_in, ==, result->findings[i].stand_in);
          g_assert_cmpint (back->findings[i].instead, ==, i == 1);
          g_assert_cmpstr (back->findings[i].why, ==, result->findings[i].why);
        }
      g_assert_cmpint (back->verdict, ==, result->verdict);
      g_assert_cmpstr (back->why, ==, gpu != 0 ? NULL : "No GPU.");
      g_assert_cmpstr (back->date, ==, result->date);
      g_assert_cmpfloat (back->seconds, ==, 4.5);
      g_assert_cmpuint (back->rounds, ==, 7);
      g_assert_false (back->busy);
      g_assert_cmpfloat (back->would.value, ==, 3000);
    }
}

/* A list takes another's guess and result of one claim, whichever of the two the other has. */
static void
test_with (void)
{
  LsClaim claim = { .ref_count = 9, .name = (char *) "one" },
          second = { .ref_count = 9, .name = (char *) "two" };
  LsClaimResult result = { .ref_count = 99 };

  for (guint k = 0; k < 16; k++) /* whether there is a guess here, a result; there */
    {
      LsClaimRow here[] = { { .claim = &claim, .guessed = k & 1, .guess = k & 1 ? 3 : 0 },
                            { .claim = &second, .guessed = TRUE, .guess = 7 } },
                 there[] = { { .claim = &second },
                             { .claim = &claim, .guessed = k / 4 & 1, .guess = k / 4 & 1 ? 5 : 0 } };
      const LsClaims own = { 1, 2, here }, other = { 1, 2, there };

      here[0].result = k & 2 ? &result : NULL;
      there[1].result = k & 8 ? &result : NULL;
      g_autoptr (LsClaims) made = ls_claims_with (&own, &other, "one");
      g_assert_cmpuint (made->n, ==, 2);
      if (made->rows[0].guessed != there[1].guessed || made->rows[0].guess != there[1].guess
          || made->rows[0].result != there[1].result)
        g_error ("case %u: the other list has %s guess and %s result, and what is taken over %s and %s", k,
                 there[1].guessed ? "a" : "no", there[1].result != NULL ? "a" : "no",
                 made->rows[0].guessed ? "a" : "no", made->rows[0].result != NULL ? "a" : "no");
      g_assert_true (made->rows[0].claim == &claim && made->rows[1].claim == &second);
      g_assert_cmpfloat (made->rows[1].guess, ==, 7);
    }
}

/* One member is changed at a time: each change is told of. */
static void
test_hostile (void)
{
  static const struct {
    const char *from, *to, *words;
  } wrong[] = {
    { "lockstep-claim-kept", "lockstep-lab", "it is no outcome" },
    { "\"version\": 1", "\"version\": 2", "version" },
    { "\"program\": \"Lockstep ", "\"program\": \"Lockstep 9", "by another version" },
    { "\"digest\": \"", "\"digest\": \"x", "another claim" },
    { "\"value\": 1.5", "\"value\": \"1.5\"", "“value”" },
    { "\"value\": 1.5", "\"value\": 1e300", "“value”" },
    { "\"value\": 1.5", "\"value\": 0.0", "“value”" }, /* nobody could guess that */
    { "\"value\": 1.5", "\"value\": -1.5", "“value”" },
    { "\"time\": {", "\"time\": {\"median\": -0.5, \"q1\": -0.5, \"q3\": 1, \"n\": 1}, \"x\": {",
      "“time” is below zero" },
    { "\"median\": 3.0", "\"median\": 4.0", "“q3”" },
    { "\"median\": 3.0", "\"median\": null", "“median”" },
    { "\"q1\": 2.8", "\"q1\": 3.8", "“q1”" },
    { "\"verdict\": \"true\"", "\"verdict\": \"not-here\"", "doesn’t follow" },
    { "\"verdict\": \"true\"", "\"verdict\": 7", "“verdict”" },
    { "\"evidence\": \"derived\"", "\"evidence\": \"dreamt\"", "“evidence”" },
    { "\"stand_in\": false", "\"stand_in\": 0", "“stand_in”" },
    { "\"instead\": false", "\"instead\": true", "“instead”" },
    { "\"n\": 10", "\"n\": 0", "“n”" },
    { "\"rounds\": 7", "\"rounds\": -1", "“rounds”" },
    { "\"ways\": [", "\"ways\": [{}, ", "“ways”" },
    { "\"findings\": [", "\"findings\": [{}, {}, ", "“findings”" },
    { "It’s gone.", "It’s \\u001b[2J gone.", "aren’t text" },
    { "\"result\": {", "\"result\": [{", "JSON" },
    { "\"date\": \"", "\"date\": 7, \"x\": \"", "“date”" },
  };
  g_autoptr (LsClaims) claims = load (NULL);
  const LsClaim *claim = claims->rows[0].claim;
  g_autoptr (LsClaimResult) result = sample (claim, TRUE);
  g_autofree char *path = kept_path (claim), *good = NULL;
  gsize length;

  claims = take (claims, ls_claims_guess (claims, claim->name, 1.5, NULL));
  claims = take (claims, ls_claims_keep (claims, result, NULL));
  claim = claims->rows[0].claim;
  g_assert_true (g_file_get_contents (path, &good, &length, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (LsClaims) read = NULL;
      const char *at = strstr (good, wrong[i].from);
      g_autofree char *text = NULL;

      if (at == NULL)
        g_error ("there is no “%s” in %s", wrong[i].from, good);
      text = g_strdup_printf ("%.*s%s%s", (int) (at - good), good, wrong[i].to, at + strlen (wrong[i].from));
      put_file (path, text, strlen (text));
      read = load (said);
      if (said->len != 1 || strstr (said->pdata[0], wrong[i].words) == NULL)
        g_error ("with “%s” it says “%s”, not “%s”", wrong[i].to,
                 said->len > 0 ? (char *) said->pdata[0] : "", wrong[i].words);
      g_assert_null (read->rows[0].result);
      g_assert_false (read->rows[0].guessed);
    }
  /* another claim's digest is as long as this one's */
  g_autofree char *other = g_strdup (good);
  char *digest = strstr (other, claim->digest);
  digest[0] = digest[0] == '0' ? '1' : '0';
  put_file (path, other, length);
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsClaims) of_other = load (told);
  if (told->len != 1 || of_other->rows[0].result != NULL || of_other->rows[0].guessed)
    g_error ("what another claim came to is taken for this one's");
  for (gsize n = 0; n < length - 1; n += 7)
    {
      g_autoptr (LsClaims) read = NULL;

      put_file (path, good, n);
      read = load (NULL);
      g_assert_null (read->rows[0].result);
    }
  put_file (path, good, length);
  claims = take (claims, ls_claims_forget (claims, claim->name, NULL));
}

/* What was measured elsewhere isn't this machine's, and what can't be used isn't written over. */
static void
test_foreign (void)
{
  g_autoptr (LsClaims) claims = load (NULL), read = NULL;
  const LsClaim *claim = claims->rows[0].claim;
  g_autoptr (LsClaimResult) result = sample (claim, TRUE);
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = kept_path (claim), *aside = g_strconcat (path, "~", NULL);
  g_autoptr (GError) error = NULL;

  g_free (result->machine_key);
  result->machine_key = g_strdup ("another");
  claims = take (claims, ls_claims_keep (claims, result, &error));
  read = load (said);
  g_assert_cmpuint (said->len, ==, 1);
  g_assert_nonnull (strstr (said->pdata[0], "another machine"));
  g_assert_null (read->rows[0].result);
  read = take (read, ls_claims_guess (read, claim->name, 2, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
  read = take (read, ls_claims_forget (read, claim->name, &error));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* A claim whose numbers have changed has neither guess nor result. */
static void
test_changed (void)
{
  g_auto (TempDir) folder = { NULL };
  g_autoptr (LsClaim) first = NULL, words = NULL, numbers = NULL;

  temp_dir_init (&folder);
  first = rig_claim (&folder, "same", "\"value\": 2, \"unit\": \"×\"", MORE);
  words = rig_claim (&folder, "same", "\"value\": 2, \"unit\": \"×\"",
                     MORE ", \"notes\": {\"any\": {\"en\": \"n\"}}");
  numbers = rig_claim (&folder, "same", "\"value\": 3, \"unit\": \"×\"", MORE);
  g_assert_cmpstr (first->digest, ==, words->digest);
  g_assert_cmpstr (first->digest, !=, numbers->digest);
}

/* What came out for other numbers than the claim has now isn't kept. */
static void
test_changed_meanwhile (void)
{
  g_autoptr (LsClaims) claims = load (NULL), after = NULL;
  g_autoptr (LsClaimResult) result = sample (claims->rows[0].claim, TRUE);
  g_autoptr (GError) error = NULL;

  result->digest[0] = result->digest[0] == '0' ? '1' : '0';
  g_assert_null (ls_claims_keep (claims, result, &error));
  assert_refused (&error, LS_ERROR_USAGE, "“fast” has been changed since; run it again.");
  after = load (NULL);
  g_assert_null (after->rows[0].result);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  TempDir claims;
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_setenv ("XDG_DATA_HOME", dir.path, TRUE);
  folder = temp_path (&dir, "claims");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  claims.path = folder;
  ls_claim_unref (rig_claim (&claims, "fast", "\"value\": 2, \"unit\": \"×\"", MORE));
  g_test_add_func ("/claims/kept/guess", test_guess);
  g_test_add_func ("/claims/kept/meanwhile", test_meanwhile);
  g_test_add_func ("/claims/kept/file", test_file);
  g_test_add_func ("/claims/kept/json", test_json);
  g_test_add_func ("/claims/kept/with", test_with);
  g_test_add_func ("/claims/kept/hostile", test_hostile);
  g_test_add_func ("/claims/kept/foreign", test_foreign);
  g_test_add_func ("/claims/kept/changed", test_changed);
  g_test_add_func ("/claims/kept/changed-meanwhile", test_changed_meanwhile);
  status = g_test_run ();
  remove_tree (dir.path);
  g_free (dir.path);
  return status;
}
