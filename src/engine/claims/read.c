/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A claim's file, and files that only look like one. All that is in it is checked here, so that nobody else
 * needs to: lengths, units, lanes, what is run, expressions, a source for what is said.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "claims/read.h"
#include "claims/tables.h"
#include "core/error.h"
#include "core/file.h"
#include "machines/member.h"
#include "machines/source.h"

#define FORMAT       "lockstep-claim"
#define VERSION      1
#define MAX_BYTES    (64u << 10)
#define MAX_SENTENCE 140 /* characters */
#define MAX_NOTE     200
#define MAX_QUOTE    200

/* ---- numbers ---- */

/* "claimed": {"value": 10, "unit": "s"}, {"low": 10, "high": 100, "unit": "×"} */
static gboolean
read_claimed (LsClaimReader *reader, const json_t *root, const LsClaimUnit **unit, GError **error)
{
  static const char *const one[] = { "value", "unit", NULL }, *const range[] = { "low", "high", "unit",
                                                                                 NULL };
  LsClaimed *claimed = &reader->claim->claimed;
  json_t *object;

  g_string_assign (reader->where, "/claimed");
  if ((object = ls_json_get_object (root, "claimed", error)) == NULL)
    return FALSE;
  if (!ls_member_only (object, json_object_get (object, "value") != NULL ? one : range, error)
      || !ls_claim_read_unit (object, "unit", unit, error))
    return FALSE;
  claimed->unit = (*unit)->name;
  if (json_object_get (object, "value") != NULL)
    {
      if (!ls_json_get_double (object, "value", 1 / LS_CLAIM_MAX_AMOUNT, LS_CLAIM_MAX_AMOUNT, &claimed->low,
                               error))
        return FALSE;
      claimed->high = claimed->low;
      return TRUE;
    }
  return ls_json_get_double (object, "low", 1 / LS_CLAIM_MAX_AMOUNT, LS_CLAIM_MAX_AMOUNT, &claimed->low,
                             error)
         && ls_json_get_double (object, "high", claimed->low, LS_CLAIM_MAX_AMOUNT, &claimed->high, error);
}

/* {"from": 5, "to": 20}: one of both at least; under: "" or the member that root is, as "/would". */
static gboolean
read_band (LsClaimReader *reader, const json_t *root, const char *under, const char *name, LsClaimBand *band,
           GError **error)
{
  static const char *const known[] = { "from", "to", NULL };
  json_t *object;

  g_string_printf (reader->where, "%s/%s", under, name);
  if ((object = ls_json_get_object (root, name, error)) == NULL)
    return FALSE;
  *band = (LsClaimBand){ (double) -INFINITY, (double) INFINITY };
  if (!ls_member_only (object, known, error)
      || (json_object_get (object, "from") != NULL
          && !ls_json_get_double (object, "from", -LS_CLAIM_MAX_AMOUNT, LS_CLAIM_MAX_AMOUNT, &band->from,
                                  error))
      || (json_object_get (object, "to") != NULL
          && !ls_json_get_double (object, "to", MAX (band->from, -LS_CLAIM_MAX_AMOUNT), LS_CLAIM_MAX_AMOUNT,
                                  &band->to, error)))
    return FALSE;
  return json_object_size (object) > 0
         || ls_member_refuse (error, name, _("must have “from”, “to” or both."));
}

static gboolean
read_bands (LsClaimReader *reader, const json_t *root, GError **error)
{
  LsClaim *claim = reader->claim;

  claim->half = (LsClaimBand){ 1, 0 };
  if (!read_band (reader, root, "", "true", &claim->truth, error)
      || (json_object_get (root, "half") != NULL
          && !read_band (reader, root, "", "half", &claim->half, error)))
    return FALSE;
  if (claim->half.from <= claim->half.to && claim->half.from >= claim->truth.from
      && claim->half.to <= claim->truth.to)
    return ls_member_refuse (error, "half", _("must reach beyond “true”."));
  return TRUE;
}

/* ---- outcomes ---- */

static gboolean
read_is (const LsClaimReader *reader, const json_t *object, const LsClaimUnit *unit, LsClaimOutcome *outcome,
         GError **error)
{
  const LsClaim *claim = reader->claim;

  if (!ls_member_text (object, "is", LS_CLAIM_MAX_EXPRESSION, FALSE, &outcome->is, error))
    return FALSE;
  outcome->parsed = ls_claim_expression_new (outcome->is, claim->ways, claim->n_ways, &unit->dimension,
                                             error);
  return outcome->parsed != NULL;
}

static gboolean
read_source (LsClaimReader *reader, const json_t *object, LsHardwareSource **source, char **quote,
             GError **error)
{
  const gsize before = reader->where->len;
  json_t *json;

  g_string_append (reader->where, "/quote");
  if (!ls_member_text (object, "quote", MAX_QUOTE, FALSE, quote, error))
    return FALSE;
  g_string_truncate (reader->where, before);
  g_string_append (reader->where, "/source");
  if ((json = ls_json_get_object (object, "source", error)) == NULL)
    return FALSE;
  *source = g_new0 (LsHardwareSource, 1);
  if (!ls_source_read (json, *source, error))
    return FALSE;
  g_string_truncate (reader->where, before);
  return TRUE;
}

static gboolean
read_outcome (LsClaimReader *reader, json_t *object, gboolean only, const LsClaimUnit *unit,
              LsClaimOutcome *outcome, GError **error)
{
  static const char *const known[] = { "who", "words", "is", "source", "quote", NULL };
  gboolean published;

  if (!ls_member_only (object, known, error)
      || !ls_claim_read_text (reader, object, "words", LS_CLAIM_MAX_WORDS, TRUE, &outcome->words, error)
      || !read_is (reader, object, unit, outcome, error))
    return FALSE;
  if (json_object_get (object, "who") != NULL)
    {
      const char *who = ls_json_get_string (object, "who", error);

      if (who == NULL)
        return FALSE;
      outcome->who = ls_backend_kind (who);
      if (outcome->who == LS_BACKEND_UNKNOWN)
        return ls_member_refuse (error, "who", _("must be “cpu” or “opencl”; a ratio of both has none."));
    }
  if (!only && outcome->who == LS_BACKEND_UNKNOWN && outcome->words == NULL)
    return ls_member_refuse (error, "words", _("must say which outcome it is, where there are several."));
  published = ls_claim_expression_has (outcome->parsed, LS_CLAIM_TERM_PUBLISHED, 0);
  if (published != (json_object_get (object, "source") != NULL))
    return ls_member_refuse (error, "source",
                             _("belongs to outcomes with a published number, and to each of them."));
  return !published || read_source (reader, object, &outcome->source, &outcome->quote, error);
}

static gboolean
read_outcomes (LsClaimReader *reader, const json_t *root, const char *name, guint least,
               const LsClaimUnit *unit, LsClaimOutcome **outcomes, guint *n, GError **error)
{
  const json_t *list;

  g_string_printf (reader->where, "/%s", name);
  if ((list = ls_json_get_array (root, name, least, LS_CLAIM_MAX_OUTCOMES, error)) == NULL)
    return FALSE;
  *outcomes = g_new0 (LsClaimOutcome, json_array_size (list) + 1);
  for (guint i = 0; i < json_array_size (list); i++)
    {
      json_t *object;

      g_string_printf (reader->where, "/%s/%u", name, i);
      object = ls_json_array_object (list, i, name, error);
      if (object == NULL
          || !read_outcome (reader, object, json_array_size (list) == 1, unit, &(*outcomes)[(*n)++], error))
        return FALSE;
    }
  return TRUE;
}

/* ---- words ---- */

static gboolean
read_notes (LsClaimReader *reader, const json_t *root, GError **error)
{
  json_t *notes = json_object_get (root, "notes"), *value;
  const char *name;

  if (notes == NULL)
    return TRUE;
  g_string_assign (reader->where, "/notes");
  if ((notes = ls_json_get_object (root, "notes", error)) == NULL)
    return FALSE;
  json_object_foreach (notes, name, value)
    {
      gint verdict = strcmp (name, "any") == 0 ? LS_CLAIM_NONE : -1;

      for (gint i = LS_CLAIM_TRUE; i < LS_CLAIM_N_VERDICTS; i++)
        if (strcmp (name, ls_claim_verdict_name ((LsClaimVerdict) i)) == 0)
          verdict = i;
      g_string_assign (reader->where, "/notes");
      if (verdict < 0)
        return ls_member_refuse (
          error, "notes",
          _("has notes of “true”, “half”, “not-here”, “open”, “not-measurable” and “any” alone."));
      if (!ls_claim_read_text (reader, notes, name, MAX_NOTE, FALSE, &reader->claim->notes[verdict], error))
        return FALSE;
    }
  return TRUE;
}

/* "within": {"from": 2, "to": 10}, "note": {…}: both or none. */
static gboolean
read_within (LsClaimReader *reader, const json_t *object, GError **error)
{
  LsClaim *claim = reader->claim;

  if (json_object_get (object, "within") == NULL && json_object_get (object, "note") == NULL)
    return TRUE;
  return ls_claim_read_text (reader, object, "note", MAX_NOTE, FALSE, &claim->would_note, error)
         && read_band (reader, object, "/would", "within", &claim->would_within, error);
}

/* "would": {"words": {…}, "evidence": "modelled", "here": {…}, "is": "…", "unit": "ns"}, and as above */
static gboolean
read_would (LsClaimReader *reader, const json_t *root, GError **error)
{
  static const char *const known[] = { "words", "evidence", "here", "is", "unit", "within", "note", NULL };
  LsClaim *claim = reader->claim;
  json_t *object;
  const char *evidence;
  const LsClaimUnit *unit;

  claim->would_within = (LsClaimBand){ 1, 0 };
  if (json_object_get (root, "would") == NULL)
    return TRUE;
  g_string_assign (reader->where, "/would");
  if ((object = ls_json_get_object (root, "would", error)) == NULL)
    return FALSE;
  if (!ls_member_only (object, known, error)
      || !ls_claim_read_text (reader, object, "words", MAX_NOTE, FALSE, &claim->would, error)
      || (evidence = ls_json_get_string (object, "evidence", error)) == NULL)
    return FALSE;
  claim->would_evidence = strcmp (evidence, "derived") == 0 ? LS_EVIDENCE_DERIVED : LS_EVIDENCE_MODELLED;
  if (strcmp (evidence, ls_evidence_name (claim->would_evidence)) != 0)
    return ls_member_refuse (error, "evidence",
                             _("must be “derived” or “modelled”: nobody measured or published it."));
  if (json_object_get (object, "here") == NULL && json_object_get (object, "is") == NULL
      && json_object_get (object, "unit") == NULL && json_object_get (object, "within") == NULL
      && json_object_get (object, "note") == NULL)
    return TRUE;
  if (!ls_claim_read_text (reader, object, "here", MAX_NOTE, FALSE, &claim->would_here, error)
      || !ls_claim_read_unit (object, "unit", &unit, error)
      || !read_is (reader, object, unit, &claim->would_is, error))
    return FALSE;
  if (ls_claim_expression_has (claim->would_is.parsed, LS_CLAIM_TERM_PUBLISHED, 0))
    return ls_member_refuse (error, "is", _("has a published number, and no source of it."));
  claim->would_unit = unit->name;
  if (strstr (claim->would_here, "{}") == NULL)
    return ls_member_refuse (error, "here", _("must say with “{}” where the number stands."));
  return read_within (reader, object, error);
}

static gboolean
read_needs (LsClaimReader *reader, const json_t *root, GError **error)
{
  const char *needs;

  g_string_assign (reader->where, "/needs");
  if (json_object_get (root, "needs") == NULL)
    return TRUE;
  if ((needs = ls_json_get_string (root, "needs", error)) == NULL)
    return FALSE;
  for (guint i = LS_CLAIM_NEEDS_NOTHING + 1; i < LS_CLAIM_N_NEEDS; i++)
    if (strcmp (needs, ls_claim_needs_names[i]) == 0)
      reader->claim->needs = (LsClaimNeeds) i;
  return reader->claim->needs != LS_CLAIM_NEEDS_NOTHING
         || ls_member_refuse (error, "needs", _("must be one of gpu, gpus, matrix-units."));
}

/* ---- the whole ---- */

static gboolean
read_head (LsClaimReader *reader, const json_t *root, GError **error)
{
  const char *format;
  gint64 version;

  g_string_assign (reader->where, "/format");
  if ((format = ls_json_get_string (root, "format", error)) == NULL)
    return FALSE;
  if (strcmp (format, FORMAT) != 0)
    return ls_member_refuse (error, "format", _("is another one’s: it is no claim."));
  g_string_assign (reader->where, "/version");
  return ls_json_get_int (root, "version", VERSION, VERSION, &version, error);
}

static gboolean
read_all (LsClaimReader *reader, json_t *root, GError **error)
{
  static const char *const known[] = { "format",  "version", "sentence", "read_as",    "source",
                                       "quote",   "claimed", "ways",     "ways_title", "outcomes",
                                       "instead", "true",    "half",     "needs",      "notes",
                                       "would",   "order",   "nearest",  NULL };
  LsClaim *claim = reader->claim;
  const LsClaimUnit *unit;
  gint64 order = LS_CLAIM_NO_ORDER;
  gboolean runs;

  if (!read_head (reader, root, error))
    return FALSE;
  g_string_truncate (reader->where, 0);
  if (!ls_member_only (root, known, error)
      || !ls_claim_read_text (reader, root, "sentence", MAX_SENTENCE, FALSE, &claim->sentence, error)
      || !ls_claim_read_text (reader, root, "read_as", MAX_SENTENCE, TRUE, &claim->read_as, error)
      || !ls_claim_read_text (reader, root, "ways_title", LS_CLAIM_MAX_WORDS, TRUE, &claim->ways_title, error)
      || !read_source (reader, root, &claim->source, &claim->quote, error)
      || !read_claimed (reader, root, &unit, error) || !read_needs (reader, root, error))
    return FALSE;
  claim->claimed.read_as = claim->read_as != NULL;
  g_string_truncate (reader->where, 0);
  if ((json_object_get (root, "order") != NULL
       && !ls_json_get_int (root, "order", 0, LS_CLAIM_NO_ORDER - 1, &order, error))
      || (json_object_get (root, "nearest") != NULL
          && !ls_json_get_bool (root, "nearest", &claim->nearest, error)))
    return FALSE;
  claim->order = (guint) order;
  runs = claim->needs <= LS_CLAIM_NEEDS_GPU;
  if (!read_bands (reader, root, error) || !ls_claim_read_ways (reader, root, error)
      || !read_outcomes (reader, root, "outcomes", runs, unit, &claim->outcomes, &claim->n_outcomes, error)
      || (json_object_get (root, "instead") != NULL
          && !read_outcomes (reader, root, "instead", 1, unit, &claim->instead, &claim->n_instead, error)))
    return FALSE;
  g_string_assign (reader->where, "/outcomes");
  if (!runs && claim->n_outcomes + claim->n_ways > 0)
    return ls_member_refuse (error, "outcomes",
                             _("must be empty, and “ways”: this program hasn’t what the claim needs."));
  g_string_assign (reader->where, "/instead");
  if (claim->n_instead > 0 && claim->needs == LS_CLAIM_NEEDS_NOTHING)
    return ls_member_refuse (error, "instead", _("belongs to claims that need something."));
  return read_notes (reader, root, error) && read_would (reader, root, error);
}

/* "fusion" of "…/fusion.claim"; NULL: it has no such name. (transfer full) */
static char *
name_of (const char *path, GError **error)
{
  g_autofree char *base = g_path_get_basename (path), *shown = ls_file_display_name (path);
  char *name;

  if (g_str_has_suffix (base, LS_CLAIM_ENDS))
    {
      name = g_strndup (base, strlen (base) - strlen (LS_CLAIM_ENDS));
      if (ls_claim_is_name (name))
        return name;
      g_free (name);
    }
  g_set_error (error, LS_ERROR, LS_ERROR_FILE,
               _("“%s” must be called as a claim: up to 32 small letters, digits and “-”, then “.claim”."),
               shown);
  ls_error_make_printable (error);
  return NULL;
}

LsClaim *
ls_claim_load_as (const char *path, const char *name, GError **error)
{
  g_autoptr (LsClaim) claim = ls_claim_new ();
  g_autoptr (GString) where = g_string_new ("");
  LsClaimReader reader = { claim, where };
  g_autofree char *shown = ls_file_display_name (path);
  g_autoptr (GError) why = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (json_t) root = NULL;
  const char *text;
  gsize length;

  claim->name = g_strdup (name);
  if ((bytes = ls_file_read (path, MAX_BYTES, error)) == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  root = ls_json_parse (text != NULL ? text : "", length, MAX_BYTES, JSON_OBJECT, &why);
  if (root == NULL)
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”: %s"), shown, why->message);
  else if (read_all (&reader, root, &why))
    {
      claim->digest = ls_claim_make_digest (claim);
      return g_steal_pointer (&claim);
    }
  else
    g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s”, line %u: %s"), shown,
                 ls_json_line (text, length, where->str), why->message);
  ls_error_make_printable (error);
  return NULL;
}

LsClaim *
ls_claim_load (const char *path, GError **error)
{
  g_autofree char *name = name_of (path, error);

  return name != NULL ? ls_claim_load_as (path, name, error) : NULL;
}
