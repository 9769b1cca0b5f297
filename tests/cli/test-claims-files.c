/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep claims` writes with --json and --csv, and prints of one, of every shipped claim with results
 * made by hand: each member, column and cell has what the claim, its guess or its result has, and no two
 * numbers are alike.
 */
#include "../folder.h"
#include "captured.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

#include "files/json.h"
#include "ui/cli/claims_print.h"

#define MOST 16

/* Results of all claims, every number in them another one. */
typedef struct {
  LsClaimResult result;
  LsClaimFinding findings[MOST];
  LsClaimWayTime ways[MOST];
  LsClaimResult *before;
} Made;

static double
number (guint claim, guint finding, guint part)
{
  return 1000 * claim + 10 * finding + part + .5;
}

/* The first finding has no figure; the second one is of a stand-in; as many as outcomes and what is instead.
 */
static Made *
make_results (LsClaims *all)
{
  Made *made = g_new0 (Made, all->n);

  for (guint i = 0; i < all->n; i++)
    {
      LsClaimRow *row = &all->rows[i];
      Made *m = &made[i];
      const LsClaim *claim = row->claim;

      m->before = row->result;
      m->result = (LsClaimResult){ .verdict = i % 2 == 0 ? LS_CLAIM_TRUE : LS_CLAIM_NOT_HERE,
                                   .findings = m->findings,
                                   .n_findings = claim->n_outcomes + claim->n_instead,
                                   .ways = m->ways,
                                   .n_ways = claim->n_ways,
                                   .seconds = 60 + i,
                                   .rounds = 5 + i,
                                   .busy = i % 3 == 0,
                                   .date = (char *) "2026-11-24T05:12Z",
                                   .machine = (char *) "a machine",
                                   .machine_key = (char *) "key",
                                   .program = (char *) "Lockstep 9.9" };
      g_assert_cmpuint (m->result.n_findings, <=, MOST);
      g_assert_cmpuint (claim->n_ways, <=, MOST);
      for (guint k = 0; k < m->result.n_findings; k++)
        m->findings[k] = (LsClaimFinding){
          .figure = { number (i, k, 1), claim->claimed.unit,
                      k % 2 == 0 ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MODELLED,
                      k == 0 && i % 2 == 1 ? 0 : 7 + k, number (i, k, 0), number (i, k, 2), 0, NULL },
          .why = k == 0 && i % 2 == 1 ? (char *) "it wasn’t measured." : NULL,
          .stand_in = k == 1 && claim->n_outcomes > 1,
          .instead = k >= claim->n_outcomes,
          .judged = LS_CLAIM_TRUE
        };
      for (guint k = 0; k < claim->n_ways; k++)
        m->ways[k] = (LsClaimWayTime){
          .time = { number (i, k, 4), "s", LS_EVIDENCE_MEASURED, 3 + k, number (i, k, 3), number (i, k, 5), 0,
                    NULL },
          .device = (char *) "a device",
        };
      row->result = &m->result;
      row->guessed = i % 2 == 0;
      row->guess = number (i, 0, 6);
      g_free (row->guess_date);
      row->guess_date = g_strdup (i % 2 == 0 ? "2026-11-23T04:00Z" : NULL);
    }
  return made;
}

static void
give_back (LsClaims *all, Made *made)
{
  for (guint i = 0; i < all->n; i++)
    all->rows[i].result = made[i].before;
  g_free (made);
}

/* ---- JSON ---- */

static void
assert_text (const char *claim, const json_t *object, const char *name, const char *expected)
{
  const json_t *member = json_object_get (object, name);
  const char *text = json_string_value (member);

  if (member == NULL || g_strcmp0 (text, expected) != 0)
    g_error ("%s: “%s” is “%s”, and should be “%s”", claim, name, member == NULL ? "(not there)" : text,
             expected);
}

static void
assert_source (const char *claim, const json_t *object, const LsHardwareSource *source, const char *quote)
{
  const json_t *json = json_object_get (object, "source");

  assert_text (claim, object, "quote", quote);
  assert_text (claim, json, "title", source->title);
  assert_text (claim, json, "address", source->address);
  assert_text (claim, json, "seen", source->seen);
  assert_text (claim, json, "published", source->published);
  assert_text (claim, json, "copy", source->copy);
}

static void
assert_outcomes (const char *claim, const json_t *list, const LsClaimOutcome *outcomes, guint n)
{
  g_assert_cmpuint (json_array_size (list), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const json_t *one = json_array_get (list, i);

      assert_text (claim, one, "is", outcomes[i].is);
      assert_text (claim, one, "words", outcomes[i].words);
      g_assert_cmpint (json_object_get (one, "source") != NULL, ==, outcomes[i].source != NULL);
      if (outcomes[i].source != NULL)
        assert_source (claim, one, outcomes[i].source, outcomes[i].quote);
    }
}

static double
value_of (const json_t *object, const char *name)
{
  return json_number_value (json_object_get (object, name));
}

static void
assert_figure (const char *claim, const json_t *object, const char *name, const LsFigure *figure)
{
  const json_t *json = json_object_get (object, name);

  if (figure->n == 0)
    {
      g_assert_null (json);
      return;
    }
  if (value_of (json, "median") != figure->value || value_of (json, "q1") != figure->q1
      || value_of (json, "q3") != figure->q3 || value_of (json, "n") != (double) figure->n)
    g_error ("%s: its %s is %g from %g to %g of %g, and should be %g from %g to %g of %d", claim, name,
             value_of (json, "median"), value_of (json, "q1"), value_of (json, "q3"), value_of (json, "n"),
             figure->value, figure->q1, figure->q3, (int) figure->n);
  assert_text (claim, object, "evidence", ls_evidence_name (figure->evidence));
}

static void
assert_result (const char *name, const json_t *json, const LsClaimResult *result)
{
  const json_t *findings = json_object_get (json, "findings"), *ways = json_object_get (json, "ways");

  assert_text (name, json, "date", result->date);
  assert_text (name, json, "machine", result->machine);
  assert_text (name, json, "machine_key", result->machine_key);
  assert_text (name, json, "program", result->program);
  g_assert_cmpfloat (value_of (json, "seconds"), ==, result->seconds);
  g_assert_cmpfloat (value_of (json, "rounds"), ==, result->rounds);
  g_assert_cmpint (json_is_true (json_object_get (json, "busy")), ==, result->busy);
  g_assert_cmpuint (json_array_size (findings), ==, result->n_findings);
  for (guint k = 0; k < result->n_findings; k++)
    {
      const json_t *one = json_array_get (findings, k);
      const LsClaimFinding *finding = &result->findings[k];

      assert_figure (name, one, "figure", &finding->figure);
      if (finding->why != NULL)
        assert_text (name, one, "why", finding->why);
      g_assert_cmpint (json_is_true (json_object_get (one, "stand_in")), ==, finding->stand_in);
      g_assert_cmpint (json_is_true (json_object_get (one, "instead")), ==, finding->instead);
      assert_text (name, one, "judged", "true");
    }
  g_assert_cmpuint (json_array_size (ways), ==, result->n_ways);
  for (guint k = 0; k < result->n_ways; k++)
    assert_figure (name, json_array_get (ways, k), "time", &result->ways[k].time);
}

static void
test_json (void)
{
  g_autoptr (LsClaims) all = ls_claims_load (NULL, NULL, NULL);
  g_autofree char *folder = g_dir_make_tmp ("lockstep-claims-XXXXXX", NULL),
                  *path = g_build_filename (folder, "claims.json", NULL), *text = NULL;
  Made *made = make_results (all);
  gsize n;
  guint sources = 0, instead = 0;

  g_assert_true (ls_claims_save_json (all, path, NULL));
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  remove_tree (folder);
  g_autoptr (json_t) root = ls_json_parse (text, n, n, JSON_OBJECT, NULL);
  const json_t *list = json_object_get (root, "claims");
  g_assert_cmpuint (json_array_size (list), ==, all->n);
  for (guint i = 0; i < all->n; i++)
    {
      const LsClaimRow *row = &all->rows[i];
      const LsClaim *claim = row->claim;
      const json_t *json = json_array_get (list, i), *claimed = json_object_get (json, "claimed"),
                   *guess = json_object_get (json, "guess"), *ways = json_object_get (json, "ways");
      g_autofree char *words = ls_claim_verdict_text (claim, row->result),
                      *note = ls_claim_note_text (claim, row->result);

      assert_text (claim->name, json, "name", claim->name);
      assert_text (claim->name, json, "sentence", claim->sentence);
      assert_text (claim->name, json, "read_as", claim->read_as);
      g_assert_cmpint (json_is_true (json_object_get (json, "nearest")), ==, claim->nearest);
      g_assert_cmpfloat (value_of (claimed, "low"), ==, claim->claimed.low);
      g_assert_cmpfloat (value_of (claimed, "high"), ==, claim->claimed.high);
      assert_text (claim->name, claimed, "unit", claim->claimed.unit);
      assert_source (claim->name, json, claim->source, claim->quote);
      g_assert_cmpint (guess != NULL, ==, row->guessed);
      if (row->guessed)
        {
          g_assert_cmpfloat (value_of (guess, "value"), ==, row->guess);
          assert_text (claim->name, guess, "date", row->guess_date);
        }
      g_assert_cmpuint (json_array_size (ways), ==, claim->n_ways);
      for (guint k = 0; k < claim->n_ways; k++)
        {
          assert_text (claim->name, json_array_get (ways, k), "name", claim->ways[k].name);
          assert_text (claim->name, json_array_get (ways, k), "lane", claim->ways[k].lane);
          assert_text (claim->name, json_array_get (ways, k), "run", claim->ways[k].run);
        }
      assert_outcomes (claim->name, json_object_get (json, "outcomes"), claim->outcomes, claim->n_outcomes);
      assert_outcomes (claim->name, json_object_get (json, "instead"), claim->instead, claim->n_instead);
      assert_text (claim->name, json, "verdict", i % 2 == 0 ? "true" : "not-here");
      assert_text (claim->name, json, "words", words);
      assert_text (claim->name, json, "note", note);
      assert_result (claim->name, json_object_get (json, "result"), row->result);
      instead += claim->n_instead;
      for (guint k = 0; k < claim->n_instead; k++)
        sources += claim->instead[k].source != NULL;
    }
  g_assert_cmpuint (instead, >, 1); /* none of what is looked at is empty */
  g_assert_cmpuint (sources, >, 0);
  give_back (all, made);
}

/* ---- CSV ---- */

static void
assert_number (const char *line, const char *cell, const char *column, gboolean there, double expected)
{
  char *end;
  const double value = g_ascii_strtod (cell, &end);

  if ((*cell != '\0') != there || *end != '\0' || (there && value != expected))
    g_error ("in “%s” its %s is “%s”, and should be %.17g%s", line, column, cell, expected,
             there ? "" : " if it were there");
}

/* A line for each finding, its columns as the head calls them. */
static void
test_csv (void)
{
  g_autoptr (LsClaims) all = ls_claims_load (NULL, NULL, NULL);
  Made *made = make_results (all);
  g_autofree char *csv = ls_claims_csv (all);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  guint at = 1;

  g_assert_cmpstr (lines[0], ==, "claim,verdict,outcome,value,unit,q1,q3,n,evidence,for,low,high,guess,date");
  for (guint i = 0; i < all->n; i++)
    for (guint k = 0; k < all->rows[i].result->n_findings; k++, at++)
      {
        const LsClaimRow *row = &all->rows[i];
        const LsClaimFinding *f = &row->result->findings[k];
        const guint first = row->claim->n_outcomes;
        const char *is = k < first ? row->claim->outcomes[k].is : row->claim->instead[k - first].is,
                   *line = lines[at];
        const gboolean there = f->figure.n > 0;
        g_autofree char *begin = g_strdup_printf ("%s,%s,\"%s\",", row->claim->name,
                                                  i % 2 == 0 ? "true" : "not-here", is),
                        *count = g_strdup_printf ("%u", (guint) f->figure.n);

        g_assert_nonnull (line);
        if (!g_str_has_prefix (line, begin))
          g_error ("“%s” doesn't begin with “%s”", line, begin);
        g_auto (GStrv) cells = g_strsplit (line + strlen (begin), ",", -1);
        g_assert_cmpuint (g_strv_length (cells), ==, 11);
        assert_number (line, cells[0], "value", there, f->figure.value);
        assert_cell ("unit", at, cells[1], row->claim->claimed.unit);
        assert_number (line, cells[2], "q1", there, f->figure.q1);
        assert_number (line, cells[3], "q3", there, f->figure.q3);
        assert_cell ("n", at, cells[4], count);
        assert_cell ("evidence", at, cells[5], !there ? "" : k % 2 == 0 ? "derived" : "modelled");
        assert_cell ("for", at, cells[6], f->stand_in ? "stand-in" : k >= first ? "instead" : "here");
        assert_number (line, cells[7], "low", TRUE, row->claim->claimed.low);
        assert_number (line, cells[8], "high", TRUE, row->claim->claimed.high);
        assert_number (line, cells[9], "guess", row->guessed, row->guess);
        assert_cell ("date", at, cells[10], "2026-11-24T05:12Z");
      }
  g_assert_cmpstr (lines[at], ==, "");
  g_assert_null (lines[at + 1]);
  give_back (all, made);
}

/* ---- what is printed of one ---- */

static void
result_cb (gconstpointer row)
{
  ls_claims_print_result (row);
}

/* The line after a table's head, whose cells those are. */
static guint
after_head (const char *claim, char **lines, const char *const *head)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = cells_of (lines[i]);

      if (g_strv_equal ((const char *const *) cells, head))
        return i + 1;
    }
  g_error ("%s: there is no table of “%s”", claim, head[0]);
}

/* An outcome's value, with its middle half and how many it is of; without one, why there is none. */
static char *
value_of_finding (const LsClaim *claim, const LsClaimFinding *f)
{
  g_autofree char *value = ls_claim_number_text (claim, f->figure.value),
                  *q1 = ls_claim_number_text (claim, f->figure.q1),
                  *q3 = ls_claim_number_text (claim, f->figure.q3);
  const char *evidence = f->figure.evidence == LS_EVIDENCE_DERIVED ? "derived" : "modelled";

  if (f->figure.n == 0)
    return g_strdup (f->why);
  if (f->figure.n == 1)
    return g_strdup_printf ("%s, %s", value, evidence);
  return g_strdup_printf ("%s [%s … %s], %s, n %d", value, q1, q3, evidence, (int) f->figure.n);
}

static void
assert_ways (const LsClaimRow *row, char **lines)
{
  static const char *const head[] = { "Way", "Time", "n", "Device", NULL };
  static const LsClaimed seconds = { 1, 1, "s", FALSE };
  const LsClaim *claim = row->claim, of_time = { .claimed = seconds };
  const guint at = claim->n_ways > 0 ? after_head (claim->name, lines, head) : 0;

  for (guint k = 0; k < claim->n_ways; k++)
    {
      const LsFigure *given = &claim->ways[k].given, *made = &row->result->ways[k].time;
      const LsFigure *time = given->n > 0 ? given : made;
      g_autofree char *text = ls_claim_number_text (&of_time, time->value),
                      *n = g_strdup_printf ("%d", (int) time->n);
      g_auto (GStrv) cells = cells_of (lines[at + k]);

      g_assert_cmpuint (g_strv_length (cells), ==, 4);
      assert_cell ("way", k, cells[0], claim->ways[k].words);
      assert_cell ("time", k, cells[1], text);
      assert_cell ("n", k, cells[2], n);
      assert_cell ("device", k, cells[3],
                   given->n > 0 ? "modelled"
                   : k % 2 == 0 ? "a device, its mode"
                                : "it wasn’t there.");
    }
}

/* A line for each outcome and each way, in their order, and whose result it is. */
static void
test_printed (void)
{
  static const char *const head[] = { "Outcome", "Value", "What it is of", NULL };
  g_autoptr (LsClaims) all = ls_claims_load (NULL, NULL, NULL);
  Made *made = make_results (all);

  for (guint i = 0; i < all->n; i++)
    {
      const LsClaimRow *row = &all->rows[i];
      const LsClaim *claim = row->claim;
      g_autofree char *sentence = g_strdup_printf ("“%s”", claim->sentence),
                      *guess = ls_claim_guess_text (claim, row->guess),
                      *claimed = ls_claim_claimed_text (claim),
                      *second = row->guessed ? g_strdup_printf ("Claimed: %s; guessed: %s", claimed, guess)
                                             : g_strdup_printf ("Claimed: %s", claimed),
                      *ran = g_strdup_printf ("On 2026-11-24T05:12Z, a machine, Lockstep 9.9%s",
                                              i % 3 == 0 ? "; the machine was busy with other programs" : "");

      for (guint k = 0; k < row->result->n_findings; k++)
        made[i].findings[k].words = (char *) (k % 2 == 0 ? "of two rates" : NULL);
      made[i].findings[row->result->n_findings - 1].figure.n = 1;
      for (guint k = 0; k < claim->n_ways; k++)
        {
          made[i].ways[k].why = (char *) (k % 2 == 0 ? NULL : "it wasn’t there.");
          made[i].ways[k].how = (char *) (k % 2 == 0 ? "its mode" : NULL);
          if (claim->ways[k].given.n > 0) /* it isn't run: how its time is known stands in for a device */
            made[i].ways[k].why = made[i].ways[k].how = made[i].ways[k].device = NULL;
        }
      g_auto (Captured) said = capture (result_cb, row);
      g_auto (GStrv) lines = g_strsplit (said.out, "\n", -1);
      const guint at = after_head (claim->name, lines, head);

      assert_cell ("sentence", i, lines[0], sentence);
      if (!g_strv_contains ((const char *const *) lines, second)
          || !g_strv_contains ((const char *const *) lines, ran))
        g_error ("%s: “%s” or “%s” isn't said in:\n%s", claim->name, second, ran, said.out);
      for (guint k = 0; k < row->result->n_findings; k++)
        {
          const LsClaimFinding *f = &made[i].findings[k];
          const guint first = claim->n_outcomes;
          g_autofree char *value = value_of_finding (claim, f);
          g_auto (GStrv) cells = cells_of (lines[at + k]);

          assert_cell ("outcome", k, cells[0],
                       k < first ? claim->outcomes[k].is : claim->instead[k - first].is);
          assert_cell ("value", k, cells[1], value);
          assert_cell ("what it is of", k, cells[2], f->words);
        }
      assert_ways (row, lines);
    }
  give_back (all, made);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/claims-files/json", test_json);
  g_test_add_func ("/cli/claims-files/csv", test_csv);
  g_test_add_func ("/cli/claims-files/printed", test_printed);
  return g_test_run ();
}
