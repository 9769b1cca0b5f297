/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep claims`: what is listed, said, refused and written, and a claim of one's own that is really run;
 * this program is its own worker.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

#include "claims/claims.h"
#include "files/json.h"
#include "lab/worker.h"
#include "ui/cli/claims_print.h"

static char *folder;

static const char own[]
  = "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"Larger takes longer.\"},\n"
    " \"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": \"2026-11-24\"},\n"
    " \"quote\": \"longer\", \"claimed\": {\"value\": 1, \"unit\": \"×\"}, \"true\": {\"from\": 1.5},\n"
    " \"ways\": [{\"name\": \"large\", \"words\": {\"en\": \"large\"}, \"lane\": "
    "\"cpu(threads=1,cpu-kernels=naive)\",\n"
    "   \"run\": [\"product\", \"100\"]},\n"
    "  {\"name\": \"small\", \"words\": {\"en\": \"small\"}, \"lane\": "
    "\"cpu(threads=1,cpu-kernels=naive)\",\n"
    "   \"run\": [\"product\", \"10\"]}],\n"
    " \"outcomes\": [{\"is\": \"time(large) / time(small)\"}], \"notes\": {\"any\": {\"en\": \"by the "
    "way\"}}}\n";

static Captured
claims (const char *words)
{
  g_autofree char *line = g_strdup_printf ("claims|%s|--dir|%s/claims", words, folder);

  return run (line);
}

static void
assert_says (const char *said, const char *words)
{
  if (strstr (said, words) == NULL)
    g_error ("“%s” doesn't say “%s”", said, words);
}

/* A line for each that is shipped, and none was run. */
static void
test_list (void)
{
  g_autoptr (LsClaims) all = ls_claims_load (NULL, NULL, NULL);
  g_auto (Captured) said = run ("claims");
  g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);

  g_assert_cmpstr (said.err, ==, "");
  for (guint i = 0; i < all->n; i++)
    {
      g_auto (GStrv) cells = cells_of (lines[i + 1]);
      g_autofree char *claimed = ls_claim_claimed_text (all->rows[i].claim);

      g_assert_cmpuint (g_strv_length (cells), ==, 6);
      assert_cell ("Name", i, cells[0], all->rows[i].claim->name);
      assert_cell ("What they say", i, cells[1], all->rows[i].claim->sentence);
      assert_cell ("Claimed", i, cells[2], claimed);
      assert_cell ("Guess", i, cells[3], "–");
      assert_cell ("What we found", i, cells[4], "Not run yet");
    }
}

/* Each with its source, what decides, and how it is run. */
static void
test_show (void)
{
  g_autoptr (LsClaims) all = ls_claims_load (NULL, NULL, NULL);

  for (guint i = 0; i < all->n; i++)
    {
      const LsClaim *claim = all->rows[i].claim;
      g_autofree char *line = g_strdup_printf ("claims|%s|--show", claim->name),
                      *decides = ls_claim_thresholds_text (claim);
      g_auto (Captured) said = run (line);

      g_assert_cmpstr (said.err, ==, "");
      assert_says (said.out, claim->sentence);
      assert_says (said.out, claim->source->address);
      assert_says (said.out, claim->source->seen);
      assert_says (said.out, claim->quote);
      assert_says (said.out, decides);
      for (guint k = 0; k < claim->n_outcomes; k++)
        assert_says (said.out, claim->outcomes[k].is);
      for (guint k = 0; k < claim->n_instead; k++)
        assert_says (said.out, claim->instead[k].is);
    }
}

static void
test_refused (void)
{
  static const struct {
    const char *words, *reason;
  } wrong[] = {
    { "nobody", "There is no claim “nobody”" },
    { "larger", "wants a guess first, in ×" },
    { "larger|--guess|two", "--guess takes a number" },
    { "larger|--guess|1-2", "--guess takes a number such as 1.5, not “1-2”" },
    { "larger|--guess|1.5e", "--guess takes a number" },
    { "larger|--guess|0", "above zero" },
    { "larger|--guess|", "--guess takes a number" },
    { "larger|--guess|2\033[31m\n3", "such as 1.5, not “2\357\277\275[31m\357\277\2753”.\n" },
    { "lar\033[31mger", "no claim “lar\357\277\275[31mger”; " },
    { "larger|--guess|2|--kept", "--guess goes with one claim that is run" },
    { "--guess|2|--all", "--guess goes with one claim that is run" },
    { "larger|--all", "--all takes no name" },
    { "--show", "--show takes a claim’s name" },
    { "--forget", "--forget takes a claim’s name" },
    { "larger|--show|--kept", "--show doesn’t go with --kept" },
    { "larger|--no-guess|--seconds|0", "seconds" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (Captured) said = claims (wrong[i].words);

      g_assert_cmpstr (said.out, ==, "");
      assert_says (said.err, wrong[i].reason);
    }
}

/* Of what excludes each other two are named, in the order of the help, whatever was first on the line. */
static void
test_excluded (void)
{
  static const char *const ways[] = { "all", "kept", "show", "forget" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      {
        g_autofree char *words = g_strdup_printf ("larger|--%s|--%s", ways[i], ways[k]),
                        *says = g_strdup_printf ("lockstep claims: --%s doesn’t go with --%s.\n",
                                                 ways[MAX (i, k)], ways[MIN (i, k)]);
        if (i == k)
          continue;
        g_auto (Captured) said = claims (words);

        g_assert_cmpint (said.status, ==, 2);
        g_assert_cmpstr (said.out, ==, "");
        assert_lines (words, said.err, says);
      }
}

/* ---- one that is run ---- */

static json_t *
read_json (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;
  json_t *root;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  root = ls_json_parse (text, n, n, JSON_OBJECT, &error);
  g_assert_no_error (error);
  return root;
}

static void
check_json (const char *path)
{
  g_autoptr (json_t) root = read_json (path);
  json_t *list = json_object_get (root, "claims"), *claim = json_array_get (list, 0),
         *result = json_object_get (claim, "result"),
         *finding = json_array_get (json_object_get (result, "findings"), 0),
         *figure = json_object_get (finding, "figure");

  g_assert_cmpstr (json_string_value (json_object_get (root, "format")), ==, "lockstep-claims");
  g_assert_cmpuint (json_array_size (list), ==, 1);
  g_assert_cmpstr (json_string_value (json_object_get (claim, "name")), ==, "larger");
  g_assert_cmpstr (json_string_value (json_object_get (claim, "verdict")), ==, "true");
  g_assert_cmpfloat (json_number_value (json_object_get (json_object_get (claim, "guess"), "value")), ==, 20);
  g_assert_cmpstr (json_string_value (json_object_get (json_object_get (claim, "source"), "address")), ==,
                   "https://example.org/");
  g_assert_cmpuint (json_array_size (json_object_get (result, "ways")), ==, 2);
  g_assert_cmpstr (
    json_string_value (json_object_get (json_array_get (json_object_get (claim, "outcomes"), 0), "is")), ==,
    "time(large) / time(small)");
  g_assert_cmpstr (json_string_value (json_object_get (finding, "evidence")), ==, "derived");
  g_assert_cmpfloat (json_number_value (json_object_get (figure, "median")), >, 1.5);
  g_assert_cmpfloat (json_number_value (json_object_get (figure, "q1")), <=,
                     json_number_value (json_object_get (figure, "median")));
}

static void
check_csv (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL, cells = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  cells = g_strsplit (lines[1], ",", -1);
  g_assert_cmpuint (g_strv_length (cells), ==, 14);
  g_assert_cmpstr (cells[0], ==, "larger");
  g_assert_cmpstr (cells[1], ==, "true");
  g_assert_cmpstr (cells[2], ==, "\"time(large) / time(small)\"");
  g_assert_cmpfloat (g_ascii_strtod (cells[3], NULL), >, 1.5);
  g_assert_cmpstr (cells[9], ==, "here");
  g_assert_cmpfloat (g_ascii_strtod (cells[12], NULL), ==, 20);
}

/* A guess, the run, what is kept; and no second guess. */
static void
test_run (void)
{
  g_autofree char *json = g_build_filename (folder, "o.json", NULL),
                  *csv = g_build_filename (folder, "o.csv", NULL),
                  *files = g_strdup_printf ("larger|--kept|--json|%s|--csv|%s", json, csv);
  g_auto (Captured) ran = claims ("larger|--guess|20|--seconds|1"), late = claims ("larger|--guess|30"),
                    kept = claims (files), list = claims ("--kept"), forgot = { 0 }, after = { 0 };

  assert_says (ran.out, "“Larger takes longer.”\nClaimed: 1×; guessed: 20×\nTrue: ");
  assert_says (ran.out, "by the way");
  assert_says (ran.out, "time(large) / time(small)");
  assert_says (ran.out, "derived");
  g_assert_cmpstr (late.out, ==, "");
  assert_says (late.err, "a guess comes before");
  assert_says (kept.out, "guessed: 20×\nTrue: ");
  assert_says (list.out, "True: ");
  check_json (json);
  check_csv (csv);
  forgot = claims ("larger|--forget");
  assert_says (forgot.out, "are forgotten");
  after = claims ("larger|--kept");
  assert_says (after.out, "Not run yet");
}

static void
add_claim (const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/claims/%s.claim", folder, name);

  g_assert_true (g_file_set_contents (path, own, -1, NULL));
}

/* --all leaves out what has no guess; where that is all, it says that nothing was run, and what does. */
static void
test_all (void)
{
  g_auto (Captured) nothing = claims ("--all"), some = { 0 }, unguessed = { 0 }, alone = { 0 };
  g_autofree char *other = g_strdup_printf ("%s/claims/also.claim", folder);

  g_assert_cmpstr (nothing.out, ==, "");
  assert_says (nothing.err, "Nothing was run");
  assert_says (nothing.err, "--no-guess");
  add_claim ("also");
  g_auto (Captured) guessed G_GNUC_UNUSED = claims ("also|--guess|20|--seconds|1");
  some = claims ("--all|--seconds|1");
  assert_says (some.out, "1 of 2: also\n");
  assert_says (some.out, "2 of 2: larger has no guess, and isn’t run.");
  assert_says (some.out, "Not run yet");
  /* without guesses all are run, and none has one afterwards */
  unguessed = claims ("--all|--no-guess|--seconds|1");
  assert_says (unguessed.out, "1 of 2: also\n");
  assert_says (unguessed.out, "2 of 2: larger\n");
  g_assert_null (strstr (unguessed.out, "isn’t run"));
  g_assert_null (strstr (unguessed.out, "Not run yet"));
  g_assert_cmpint (unguessed.status, ==, 0);
  alone = claims ("larger|--kept");
  assert_says (alone.out, "Claimed: 1×\nTrue: ");
  g_auto (Captured) forgot G_GNUC_UNUSED = claims ("also|--forget"),
                           both G_GNUC_UNUSED = claims ("larger|--forget");
  g_assert_cmpint (g_unlink (other), ==, 0);
}

/* A device’s name may have quotes in it, which CSV has twice. */
static void
test_quotes (void)
{
  LsClaimOutcome outcome = { .is = (char *) "peak('my \"card\"', fp32) / 1e12" };
  LsClaim claim = { .name = (char *) "own",
                    .outcomes = &outcome,
                    .n_outcomes = 1,
                    .claimed = { .low = 1, .high = 1, .unit = "×" } };
  LsClaimFinding finding = { .figure = { .value = 2, .q1 = 2, .q3 = 2, .n = 1 } };
  LsClaimResult result = {
    .findings = &finding, .n_findings = 1, .verdict = LS_CLAIM_TRUE, .date = (char *) "2026-11-24T05:12Z"
  };
  LsClaimRow row = { .claim = &claim, .result = &result };
  const LsClaims all = { 1, 1, &row };
  g_autofree char *csv = ls_claims_csv (&all);

  assert_says (
    csv,
    "\nown,true,\"peak('my \"\"card\"\"', fp32) / 1e12\",2,×,2,2,1,measured,here,1,1,,2026-11-24T05:12Z\n");
}

#ifdef HAVE_PAINT
/* Pages of all claims, the named one's alone; where no file can be, there is a sentence and none. */
static void
test_pdf (void)
{
  g_autofree char *pdf = g_build_filename (folder, "o.pdf", NULL), *text = NULL,
                  *good = g_strdup_printf ("--kept|--pdf|%s", pdf),
                  *one = g_strdup_printf ("larger|--kept|--pdf|%s", pdf),
                  *into = g_strdup_printf ("--kept|--pdf|%s", folder);
  g_auto (Captured) all = claims (good), named = { 0 }, wrong = claims (into),
                    full = claims ("--kept|--pdf|/dev/full"),
                    nowhere = claims ("--kept|--pdf|/nowhere/o.pdf");
  gsize n;

  g_assert_cmpstr (all.err, ==, "");
  g_assert_true (g_file_get_contents (pdf, &text, &n, NULL));
  g_assert_true (g_str_has_prefix (text, "%PDF"));
  named = claims (one);
  g_assert_cmpstr (named.err, ==, "");
  for (guint i = 0; i < 3; i++)
    {
      const char *said = i == 0 ? wrong.err : i == 1 ? full.err : nowhere.err;

      assert_says (said, i == 0 ? folder : i == 1 ? "/dev/full" : "/nowhere");
      g_assert_true (strchr (said, '\n') == said + strlen (said) - 1);
    }
}
#endif

int
main (int argc, char **argv)
{
  g_autofree char *in = NULL, *path = NULL;
  int status;

  if (argc > 1 && strcmp (argv[1], LS_LAB_WORKER_COMMAND) == 0)
    return ls_lab_worker_main (argc, argv, ls_lab_workers);
  g_test_init (&argc, &argv, NULL);
  setlocale (LC_ALL, "C.UTF-8");
  folder = g_dir_make_tmp ("lockstep-claims-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  in = g_build_filename (folder, "claims", NULL);
  g_assert_cmpint (g_mkdir (in, 0700), ==, 0);
  path = g_build_filename (in, "larger.claim", NULL);
  g_assert_true (g_file_set_contents (path, own, -1, NULL));
  g_test_add_func ("/claims-command/list", test_list);
  g_test_add_func ("/claims-command/show", test_show);
  g_test_add_func ("/claims-command/refused", test_refused);
  g_test_add_func ("/claims-command/excluded", test_excluded);
  g_test_add_func ("/claims-command/all", test_all);
  g_test_add_func ("/claims-command/run", test_run);
  g_test_add_func ("/claims-command/quotes", test_quotes);
#ifdef HAVE_PAINT
  g_test_add_func ("/claims-command/pdf", test_pdf);
#endif
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
