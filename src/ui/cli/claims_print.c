/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See claims_print.h.
 */
#include "config.h"
#include "ui/cli/claims_print.h"

#include <glib/gi18n.h>
#include <math.h>

#include "claims/kept.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"

/* "2026-11-24" of "2026-11-24T05:12Z". */
static void
add_date (LsTable *table, const LsClaimRow *row)
{
  ls_table_add (table, "%.10s", row->result != NULL ? row->result->date : "–");
}

void
ls_claims_print (const LsClaims *claims)
{
  g_autoptr (LsTable) table = ls_table_new ("llrrll");

  ls_table_add (table, "%s", _("Name"));
  ls_table_add (table, "%s", _("What they say"));
  ls_table_add (table, "%s", _("Claimed"));
  ls_table_add (table, "%s", _("Guess"));
  ls_table_add (table, "%s", _("What we found"));
  ls_table_add (table, "%s", _("On"));
  for (guint i = 0; i < claims->n; i++)
    {
      const LsClaimRow *row = &claims->rows[i];
      g_autofree char *claimed = ls_claim_claimed_text (row->claim),
                      *guess = row->guessed ? ls_claim_guess_text (row->claim, row->guess) : g_strdup ("–"),
                      *verdict = ls_claim_verdict_text (row->claim, row->result);

      ls_table_add (table, "%s", row->claim->name);
      ls_table_add (table, "%s", row->claim->sentence);
      ls_table_add (table, "%s", claimed);
      ls_table_add (table, "%s", guess);
      ls_table_add (table, "%s", verdict);
      add_date (table, row);
    }
  ls_table_print (table);
}

/* ---- one ---- */

/* "0.87× [0.85× … 0.90×], derived" */
static char *
figure_text (const LsClaim *claim, const LsClaimFinding *finding)
{
  const LsFigure *figure = &finding->figure;
  g_autofree char *value = NULL, *q1 = NULL, *q3 = NULL;

  if (figure->n == 0)
    return g_strdup (finding->why != NULL ? finding->why : "–");
  value = ls_claim_number_text (claim, figure->value);
  if (figure->n == 1)
    return g_strdup_printf ("%s, %s", value, _(ls_evidence_name (figure->evidence)));
  q1 = ls_claim_number_text (claim, figure->q1);
  q3 = ls_claim_number_text (claim, figure->q3);
  return g_strdup_printf ("%s [%s … %s], %s, n %llu", value, q1, q3, _(ls_evidence_name (figure->evidence)),
                          (unsigned long long) figure->n);
}

static void
print_findings (const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  g_autoptr (LsTable) table = ls_table_new ("lll");

  ls_table_add (table, "%s", _("Outcome"));
  ls_table_add (table, "%s", _("Value"));
  ls_table_add (table, "%s", _("What it is of"));
  for (guint i = 0; i < row->result->n_findings; i++)
    {
      const LsClaimFinding *finding = &row->result->findings[i];
      const LsClaimOutcome *outcome = finding->instead ? &claim->instead[i - claim->n_outcomes]
                                                       : &claim->outcomes[i];
      g_autofree char *figure = figure_text (claim, finding);

      ls_table_add (table, "%s", outcome->is);
      ls_table_add (table, "%s", figure);
      ls_table_add (table, "%s", finding->words != NULL ? finding->words : "");
    }
  ls_table_print (table);
}

static void
print_ways (const LsClaimRow *row)
{
  static const LsClaimed seconds = { 1, 1, "s", FALSE };
  const LsClaim *claim = row->claim, of_time = { .claimed = seconds };
  g_autoptr (LsTable) table = ls_table_new ("lrrl");

  if (claim->ways_title != NULL)
    ls_terminal_print ("\n%s\n", claim->ways_title);
  ls_table_add (table, "%s", _("Way"));
  ls_table_add (table, "%s", _("Time"));
  ls_table_add (table, "n");
  ls_table_add (table, "%s", _("Device"));
  for (guint i = 0; i < claim->n_ways; i++)
    {
      const LsClaimWayTime *way = &row->result->ways[i];
      const LsFigure *time = claim->ways[i].given.n > 0 ? &claim->ways[i].given : &way->time;
      g_autofree char *text = time->n > 0 ? ls_claim_number_text (&of_time, time->value) : g_strdup ("–");

      ls_table_add (table, "%s", claim->ways[i].words);
      ls_table_add (table, "%s", text);
      ls_table_add (table, "%llu", (unsigned long long) time->n);
      ls_table_add (table, "%s%s%s",
                    way->why != NULL      ? way->why
                    : way->device != NULL ? way->device
                                          : _(ls_evidence_name (claim->ways[i].given.evidence)),
                    way->how != NULL ? ", " : "", way->how != NULL ? way->how : "");
    }
  if (claim->n_ways > 0)
    ls_table_print (table);
}

void
ls_claims_print_result (const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  g_autofree char *claimed = ls_claim_claimed_text (claim),
                  *verdict = ls_claim_verdict_text (claim, row->result),
                  *note = ls_claim_note_text (claim, row->result),
                  *would = ls_claim_would_text (claim, row->result),
                  *guess = row->guessed ? ls_claim_guess_text (claim, row->guess) : NULL;

  ls_terminal_print ("“%s”\n", claim->sentence);
  if (claim->read_as != NULL)
    ls_terminal_print (_("Read as: %s\n"), claim->read_as);
  if (guess != NULL)
    ls_terminal_print (_("Claimed: %s; guessed: %s\n"), claimed, guess);
  else
    ls_terminal_print (_("Claimed: %s\n"), claimed);
  ls_terminal_print ("%s\n", verdict);
  if (note != NULL)
    ls_terminal_print ("%s\n", note);
  if (row->result == NULL)
    return;
  ls_terminal_print ("\n");
  print_findings (row);
  print_ways (row);
  if (claim->would != NULL)
    ls_terminal_print (_("\nWhat would make it true (%s): %s\n"),
                       _(ls_evidence_name (claim->would_evidence)), claim->would);
  if (would != NULL)
    ls_terminal_print ("%s\n", would);
  ls_terminal_print (_("\nOn %s, %s, %s%s\n"), row->result->date, row->result->machine, row->result->program,
                     row->result->busy ? _("; the machine was busy with other programs") : "");
}

/* title: the source's own, or with words about it. */
static void
print_source (const LsHardwareSource *source, const char *title, const char *quote)
{
  ls_terminal_print ("    “%s”\n    %s\n    %s\n", quote, title, source->address);
  if (source->copy != NULL)
    ls_terminal_print (_("    read in a copy: %s\n"), source->copy);
  if (source->published != NULL)
    ls_terminal_print (_("    published %s, seen %s\n"), source->published, source->seen);
  else
    ls_terminal_print (_("    seen %s\n"), source->seen);
}

void
ls_claims_print_about (const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  g_autofree char *claimed = ls_claim_claimed_text (claim), *decides = ls_claim_thresholds_text (claim),
                  *title = ls_claim_source_title (claim);
  g_auto (GStrv) how = ls_claim_how_text (claim, row, TRUE);

  ls_terminal_print ("“%s”\n", claim->sentence);
  print_source (claim->source, title, claim->quote);
  if (claim->read_as != NULL)
    ls_terminal_print (_("Read as: %s\n"), claim->read_as);
  ls_terminal_print (_("Claimed: %s\n"), claimed);
  ls_terminal_print (_("Verdict: %s\n"), decides);
  if (claim->needs != LS_CLAIM_NEEDS_NOTHING)
    ls_terminal_print (_("Where what it is about isn’t here: %s\n"), ls_claim_needs_text (claim->needs));
  for (guint i = 0; i < claim->n_outcomes; i++)
    ls_terminal_print (_("Outcome: %s\n"), claim->outcomes[i].is);
  for (guint i = 0; i < claim->n_instead; i++)
    {
      ls_terminal_print (_("Instead: %s\n"), claim->instead[i].is);
      if (claim->instead[i].source != NULL)
        print_source (claim->instead[i].source, claim->instead[i].source->title, claim->instead[i].quote);
    }
  for (char **line = how; *line != NULL; line++)
    ls_terminal_print ("%s\n", *line);
  if (claim->would != NULL)
    ls_terminal_print (_("What would make it true (%s): %s\n"), _(ls_evidence_name (claim->would_evidence)),
                       claim->would);
}

/* ---- files ---- */

static void
put_source (json_t *into, const LsHardwareSource *source, const char *quote)
{
  json_t *json = ls_json_object (into, "source");

  ls_json_text (json, "title", source->title);
  ls_json_text (json, "address", source->address);
  ls_json_text (json, "seen", source->seen);
  ls_json_text (json, "published", source->published);
  ls_json_text (json, "copy", source->copy);
  ls_json_text (into, "quote", quote);
}

/* In the order of the result's findings. */
static void
put_outcomes (json_t *into, const char *name, const LsClaimOutcome *outcomes, guint n)
{
  json_t *list = ls_json_array (into, name);

  for (guint i = 0; i < n; i++)
    {
      json_t *json = ls_json_object (list, NULL);

      ls_json_text (json, "is", outcomes[i].is);
      ls_json_text (json, "words", outcomes[i].words);
      if (outcomes[i].source != NULL)
        put_source (json, outcomes[i].source, outcomes[i].quote);
    }
}

static void
put_claim (json_t *list, const LsClaimRow *row)
{
  const LsClaim *claim = row->claim;
  g_autofree char *verdict = ls_claim_verdict_text (claim, row->result),
                  *note = ls_claim_note_text (claim, row->result);
  json_t *json = ls_json_object (list, NULL), *claimed, *guess, *ways;

  ls_json_text (json, "name", claim->name);
  ls_json_text (json, "sentence", claim->sentence);
  ls_json_bool (json, "nearest", claim->nearest);
  ls_json_text (json, "read_as", claim->read_as);
  claimed = ls_json_object (json, "claimed");
  ls_json_number (claimed, "low", claim->claimed.low);
  ls_json_number (claimed, "high", claim->claimed.high);
  ls_json_text (claimed, "unit", claim->claimed.unit);
  put_source (json, claim->source, claim->quote);
  if (row->guessed)
    {
      guess = ls_json_object (json, "guess");
      ls_json_number (guess, "value", row->guess);
      ls_json_text (guess, "date", row->guess_date);
    }
  ways = ls_json_array (json, "ways");
  for (guint i = 0; i < claim->n_ways; i++)
    {
      json_t *way = ls_json_object (ways, NULL);

      ls_json_text (way, "name", claim->ways[i].name);
      ls_json_text (way, "lane", claim->ways[i].lane);
      ls_json_text (way, "run", claim->ways[i].run);
    }
  put_outcomes (json, "outcomes", claim->outcomes, claim->n_outcomes);
  put_outcomes (json, "instead", claim->instead, claim->n_instead);
  ls_json_text (json, "verdict",
                ls_claim_verdict_name (row->result != NULL ? row->result->verdict : LS_CLAIM_NONE));
  ls_json_text (json, "words", verdict);
  ls_json_text (json, "note", note);
  if (row->result != NULL)
    ls_json_put (json, "result", ls_claim_result_to_json (row->result));
}

gboolean
ls_claims_save_json (const LsClaims *claims, const char *path, GError **error)
{
  g_autoptr (json_t) json = ls_json_new ("lockstep-claims", 1);
  json_t *list;

  ls_json_machine (json);
  list = ls_json_array (json, "claims");
  for (guint i = 0; i < claims->n; i++)
    put_claim (list, &claims->rows[i]);
  return ls_json_save (json, path, error);
}

/* As numbers are everywhere in files; "" where there is none. */
static void
append_number (GString *text, gboolean there, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, ",%s", there ? g_ascii_dtostr (number, sizeof number, value) : "");
}

char *
ls_claims_csv (const LsClaims *claims)
{
  GString *text = g_string_new (
    "claim,verdict,outcome,value,unit,q1,q3,n,evidence,for,low,high,guess,date\n");

  for (guint i = 0; i < claims->n; i++)
    for (guint k = 0; claims->rows[i].result != NULL && k < claims->rows[i].result->n_findings; k++)
      {
        const LsClaimRow *row = &claims->rows[i];
        const LsClaimFinding *f = &row->result->findings[k];
        const LsClaimOutcome *outcome = f->instead ? &row->claim->instead[k - row->claim->n_outcomes]
                                                   : &row->claim->outcomes[k];
        const gboolean there = f->figure.n > 0;
        g_auto (GStrv) quoted = g_strsplit (outcome->is, "\"", -1);
        g_autofree char *is = g_strjoinv ("\"\"", quoted);

        g_string_append_printf (text, "%s,%s,\"%s\"", row->claim->name,
                                ls_claim_verdict_name (row->result->verdict), is);
        append_number (text, there, f->figure.value);
        g_string_append_printf (text, ",%s", row->claim->claimed.unit);
        append_number (text, there, f->figure.q1);
        append_number (text, there, f->figure.q3);
        g_string_append_printf (text, ",%llu,%s,%s", (unsigned long long) f->figure.n,
                                there ? ls_evidence_name (f->figure.evidence) : "",
                                f->stand_in  ? "stand-in"
                                : f->instead ? "instead"
                                             : "here");
        append_number (text, TRUE, row->claim->claimed.low);
        append_number (text, TRUE, row->claim->claimed.high);
        append_number (text, row->guessed, row->guess);
        g_string_append_printf (text, ",%s\n", row->result->date);
      }
  return g_string_free (text, FALSE);
}
