/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands under a verdict where there is little room, what networks from several seeds come to, and how
 * ways are measured, in words.
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

/* Published is only what somebody has published; whatever else stands in the place of what isn't here follows
 * from a model. */
static void
test_evidence (void)
{
  static const struct {
    LsEvidence evidence;
    const char *words;
  } rows[] = { { LS_EVIDENCE_MEASURED, "Modelled: 4.00×." },
               { LS_EVIDENCE_DERIVED, "Modelled: 4.00×." },
               { LS_EVIDENCE_MODELLED, "Modelled: 4.00×." },
               { LS_EVIDENCE_PUBLISHED, "Published: 4.00×." } };
  g_autoptr (LsClaim) claim = rig_claim (
    &dir, "evidence", "\"value\": 2, \"unit\": \"×\"",
    "\"true\": {\"from\": 2}, \"needs\": \"gpu\", \"outcomes\": [{\"is\": \"time(a) / time(b)\"}], "
    "\"instead\": [{\"is\": \"time(a) / time(b)\"}]");
  LsClaimKnown known;

  rig_known (claim, &known);
  known.ways[0].time = rig_figure (8, 8, 8);
  known.ways[1].time = rig_figure (2, 2, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsClaimResult) result = rig_conclude (&known, TRUE, "No GPU.");
      g_autofree char *all = g_strconcat ("No GPU. ", rows[i].words, NULL);

      result->findings[1].figure.evidence = rows[i].evidence;
      rig_assert_text (ls_claim_note_text (claim, result), all);
      rig_assert_text (ls_claim_note_brief (claim, result), rows[i].words);
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

/* The line that tells how ways are measured, of which there may be one alone, or none that is timed. */
static void
test_measured (void)
{
#define WAY(name)                                                                                            \
  "{\"name\": \"" name "\", \"words\": {\"en\": \"way " name "\"}, \"lane\": \"cpu\", \"run\": "             \
  "[\"step\", \"flatten, dense 2\", \"tabular\", \"8\"], \"steps\": 20}"
#define GIVEN                                                                                                \
  ", {\"name\": \"g\", \"words\": {\"en\": \"given\"}, \"takes\": {\"value\": 1, \"unit\": \"s\", "          \
  "\"evidence\": \"modelled\"}}"
#define ONE     "The way is a process of its own"
#define SEVERAL "Each way is a process of its own"
  static const struct {
    const char *ways, *is;
    gint a, b; /* samples of the two; −1: it hasn't been run */
    const char *line;
  } rows[] = {
    { WAY ("a"), "time(a) / time(a)", -1, 0,
      ONE ", measured 10 times in 10 s, or less often where that takes long." },
    { WAY ("a"), "time(a) / time(a)", 7, 0, ONE ", measured 7 times in 3 s." },
    { WAY ("a"), "time(a) / time(a)", 2, 0,
      ONE ", measured 2 times instead of 7, for it took longer than 3 s." },
    { WAY ("a"), "time(a) / time(a)", 1, 0,
      ONE ", measured 1 time instead of 7, for it took longer than 3 s." },
    { WAY ("a"), "time(a) / time(a)", 0, 0, ONE "." },
    { WAY ("a") GIVEN, "time(g) / time(a)", 7, 0, ONE ", measured 7 times in 3 s." },
    { WAY ("a"), "accuracy(a)", -1, 0, ONE "." },
    { WAY ("a"), "memory_bound(a)", -1, 0, ONE "." },
    { WAY ("a") ", " WAY ("b"), "accuracy(a) / accuracy(b)", -1, 0, SEVERAL "." },
    { WAY ("a") ", " WAY ("b"), "memory_bound(a) / memory_bound(b)", -1, 0, SEVERAL "." },
    { WAY ("a") ", " WAY ("b"), "accuracy(a) / accuracy(b)", 0, 0, SEVERAL "." },
    { WAY ("a") ", " WAY ("b"), "time(a) / time(b)", -1, 0,
      SEVERAL "; they take turns, 10 each in 10 s, or fewer where these are long." },
    { WAY ("a") ", " WAY ("b"), "time(a) / time(b)", 7, 7, SEVERAL "; they took turns, 7 each in 3 s." },
    /* what no outcome asks of a way is its time */
    { WAY ("a") ", " WAY ("b"), "memory_bound(a)", -1, 0,
      SEVERAL "; they take turns, 10 each in 10 s, or fewer where these are long." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name
        = g_strdup_printf ("measured-%zu", i),
        *file = g_strconcat (name, ".claim", NULL), *path = temp_path (&dir, file),
        *text = g_strdup_printf (
          "{\"format\": \"lockstep-claim\", \"version\": 1, \"sentence\": {\"en\": \"So.\"}, "
          "\"source\": {\"title\": \"A page\", \"address\": \"https://example.org/\", \"seen\": "
          "\"2026-11-24\"}, \"quote\": \"so\", \"claimed\": {\"value\": 2, \"unit\": \"×\"}, "
          "\"true\": {\"from\": 2}, \"ways\": [%s], \"outcomes\": [{\"is\": \"%s\"}]}",
          rows[i].ways, rows[i].is);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsClaim) claim = NULL;
      g_autoptr (LsClaimResult) result = NULL;
      g_auto (GStrv) lines = NULL;
      LsClaimRow row = { 0 };

      put_file (path, text, strlen (text));
      claim = ls_claim_load (path, &error);
      g_assert_no_error (error);
      result = ls_claim_result_new (claim);
      result->seconds = 3;
      result->rounds = 7;
      result->ways[0].time.n = (guint64) MAX (rows[i].a, 0);
      if (claim->n_ways > 1)
        result->ways[1].time.n = (guint64) rows[i].b;
      row = (LsClaimRow){ .claim = claim, .result = rows[i].a < 0 ? NULL : result };
      lines = ls_claim_how_text (claim, &row, FALSE);
      if (g_strcmp0 (lines[claim->n_ways], rows[i].line) != 0)
        g_error ("of “%s” it says “%s”, not “%s”", rows[i].is, lines[claim->n_ways], rows[i].line);
    }
}

/* One point of a hundred isn't several. */
static void
test_points (void)
{
  static const struct {
    double value;
    const char *claimed, *guess;
  } rows[] = { { 1, "1 point", "1 point" },
               { .5, "0.5 points", "0.5 points" },
               { 2, "2 points", "2 points" },
               { 11, "11 points", "11 points" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClaim claim = { .claimed = { rows[i].value, rows[i].value, "points", FALSE } };

      rig_assert_text (ls_claim_claimed_text (&claim), rows[i].claimed);
      rig_assert_text (ls_claim_guess_text (&claim, rows[i].value), rows[i].guess);
    }
}

/* What was measured here of what would make it true: to three figures, wherever the sentence has a place. */
static void
test_would (void)
{
  static const struct {
    char *here;
    double value;
    const char *words; /* NULL: nothing is said */
  } rows[] = {
    { (char *) "here it is {}×", 1.5, "here it is 1.50×" },
    { (char *) "{}", 2, "2.00" },
    { (char *) "{} of {}", 300, "300 of 300" },
    { (char *) "none", 300, "none" },
    { (char *) "{} ms", .0123456, "0.0123 ms" },
    { (char *) "{} ms", 1234567, "1\u2009230\u2009000 ms" },
    { (char *) "{} ms", 0, NULL },
    { NULL, 2, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsClaim claim = { .would_here = rows[i].here };
      const LsClaimResult result = { .would = { .value = rows[i].value, .n = rows[i].value > 0 } };

      rig_assert_text (ls_claim_would_text (&claim, &result), rows[i].words);
      rig_assert_text (ls_claim_would_text (&claim, NULL), NULL);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  temp_dir_init (&dir);
  g_test_add_func ("/claims/notes/would", test_would);
  g_test_add_func ("/claims/notes/brief", test_brief);
  g_test_add_func ("/claims/notes/evidence", test_evidence);
  g_test_add_func ("/claims/notes/seeds", test_seeds);
  g_test_add_func ("/claims/notes/measured", test_measured);
  g_test_add_func ("/claims/notes/points", test_points);
  status = g_test_run ();
  temp_dir_clear (&dir);
  return status;
}
