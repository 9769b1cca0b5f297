/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result as JSON, and back from what may be cut, foreign or hostile. Words aren't in it: they are made from
 * the claim, in the reader's language.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/expression.h"
#include "claims/kept.h"
#include "claims/tables.h"
#include "core/error.h"
#include "machines/member.h"

#define MAX_VALUE  1e15
#define MAX_TIME_S 1e9
#define MAX_TEXT   1000 /* characters */
#define MAX_ROUNDS 1000

/* ---- out ---- */

static void
put_figure (json_t *into, const char *name, const LsFigure *figure)
{
  if (figure->n > 0)
    {
      ls_json_put_figure (into, name, figure);
      ls_json_text (into, "evidence", ls_evidence_name (figure->evidence));
    }
}

/* As it is read again. */
static void
put_text (json_t *into, const char *name, const char *text)
{
  g_autofree char *line = text != NULL ? g_strstrip (ls_one_line (text, MAX_TEXT)) : NULL;

  if (line != NULL && *line != '\0')
    ls_json_text (into, name, line);
}

json_t *
ls_claim_result_to_json (const LsClaimResult *result)
{
  json_t *json = json_object (), *list;

  ls_json_text (json, "program", result->program);
  ls_json_text (json, "date", result->date);
  ls_json_text (json, "machine", result->machine);
  ls_json_text (json, "machine_key", result->machine_key);
  ls_json_text (json, "verdict", ls_claim_verdict_name (result->verdict));
  put_text (json, "why", result->why);
  ls_json_number (json, "seconds", result->seconds);
  ls_json_whole (json, "rounds", result->rounds);
  ls_json_bool (json, "busy", result->busy);
  list = ls_json_array (json, "findings");
  for (guint i = 0; i < result->n_findings; i++)
    {
      const LsClaimFinding *finding = &result->findings[i];
      json_t *object = ls_json_object (list, NULL);

      put_figure (object, "figure", &finding->figure);
      put_text (object, "why", finding->why);
      ls_json_text (object, "judged", ls_claim_verdict_name (finding->judged));
      ls_json_bool (object, "stand_in", finding->stand_in);
      ls_json_bool (object, "instead", finding->instead);
    }
  list = ls_json_array (json, "ways");
  for (guint i = 0; i < result->n_ways; i++)
    {
      const LsClaimWayTime *way = &result->ways[i];
      json_t *object = ls_json_object (list, NULL);

      put_figure (object, "time", &way->time);
      put_text (object, "why", way->why);
      put_text (object, "device", way->device);
      put_text (object, "how", way->how);
    }
  if (result->would.n > 0)
    put_figure (ls_json_object (json, "would"), "figure", &result->would);
  return json;
}

/* ---- in ---- */

/* evidence is beside it. unit: static. */
static gboolean
read_figure (const json_t *object, const char *name, const char *unit, LsFigure *figure, GError **error)
{
  const json_t *json;
  const char *evidence;
  gint64 n;

  if (json_object_get (object, name) == NULL)
    return TRUE;
  if ((json = ls_json_get_object (object, name, error)) == NULL
      || !ls_json_get_double (json, "median", -MAX_VALUE, MAX_VALUE, &figure->value, error)
      || !ls_json_get_double (json, "q1", -MAX_VALUE, figure->value, &figure->q1, error)
      || !ls_json_get_double (json, "q3", figure->value, MAX_VALUE, &figure->q3, error)
      || !ls_json_get_int (json, "n", 1, G_MAXINT32, &n, error)
      || (evidence = ls_json_get_string (object, "evidence", error)) == NULL)
    return FALSE;
  for (guint i = 0; i <= LS_EVIDENCE_PUBLISHED; i++)
    if (strcmp (evidence, ls_evidence_name ((LsEvidence) i)) == 0)
      {
        figure->evidence = (LsEvidence) i;
        figure->n = (guint64) n;
        figure->unit = unit;
        return TRUE;
      }
  return ls_member_refuse (error, "evidence", _("isn’t one that is known."));
}

static gboolean
read_finding (const json_t *object, const LsClaim *claim, gboolean instead, LsClaimFinding *finding,
              GError **error)
{
  return read_figure (object, "figure", claim->claimed.unit, &finding->figure, error)
         && ls_member_text (object, "why", MAX_TEXT, TRUE, &finding->why, error)
         && ls_json_get_bool (object, "stand_in", &finding->stand_in, error)
         && ls_json_get_bool (object, "instead", &finding->instead, error)
         && (finding->instead == instead || ls_member_refuse (error, "instead", _("isn’t the claim’s.")));
}

static gboolean
read_findings (const json_t *json, const LsClaim *claim, LsClaimResult *result, GError **error)
{
  const json_t *list = ls_json_get_array (json, "findings", claim->n_outcomes,
                                          claim->n_outcomes + claim->n_instead, error);

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const json_t *object = ls_json_array_object (list, i, "findings", error);

      result->n_findings = i + 1;
      if (object == NULL
          || !read_finding (object, claim, i >= claim->n_outcomes, &result->findings[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_way (const json_t *object, LsClaimWayTime *way, GError **error)
{
  return read_figure (object, "time", "s", &way->time, error)
         && ls_member_text (object, "why", MAX_TEXT, TRUE, &way->why, error)
         && ls_member_text (object, "device", MAX_TEXT, TRUE, &way->device, error)
         && ls_member_text (object, "how", MAX_TEXT, TRUE, &way->how, error)
         && (way->time.value >= 0 || ls_member_refuse (error, "time", _("is below zero.")));
}

static gboolean
read_ways (const json_t *json, LsClaimResult *result, GError **error)
{
  const json_t *list = ls_json_get_array (json, "ways", result->n_ways, result->n_ways, error);

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < result->n_ways; i++)
    {
      const json_t *object = ls_json_array_object (list, i, "ways", error);

      if (object == NULL || !read_way (object, &result->ways[i], error))
        return FALSE;
    }
  return TRUE;
}

/* *into (transfer full) takes another text's place. */
static gboolean
read_words (const json_t *json, const char *name, char **into, GError **error)
{
  g_clear_pointer (into, g_free);
  return ls_member_text (json, name, MAX_TEXT, FALSE, into, error);
}

static gboolean
read_would (const json_t *json, const LsClaim *claim, LsClaimResult *result, GError **error)
{
  const json_t *object;

  if (json_object_get (json, "would") == NULL)
    return TRUE;
  return (object = ls_json_get_object (json, "would", error)) != NULL
         && (claim->would_unit != NULL || ls_member_refuse (error, "would", _("isn’t the claim’s.")))
         && read_figure (object, "figure", claim->would_unit, &result->would, error);
}

LsClaimResult *
ls_claim_result_from_json (const LsClaim *claim, const json_t *json, GError **error)
{
  g_autoptr (LsClaimResult) result = ls_claim_result_new (claim);
  const char *verdict = ls_json_get_string (json, "verdict", error);
  gint64 rounds;

  if (verdict == NULL || !read_words (json, "program", &result->program, error)
      || !read_words (json, "date", &result->date, error)
      || !read_words (json, "machine", &result->machine, error)
      || !read_words (json, "machine_key", &result->machine_key, error)
      || !ls_member_text (json, "why", MAX_TEXT, TRUE, &result->why, error)
      || !ls_json_get_double (json, "seconds", 0, MAX_TIME_S, &result->seconds, error)
      || !ls_json_get_int (json, "rounds", 0, MAX_ROUNDS, &rounds, error)
      || !ls_json_get_bool (json, "busy", &result->busy, error) || !read_findings (json, claim, result, error)
      || !read_ways (json, result, error) || !read_would (json, claim, result, error))
    return NULL;
  result->rounds = (guint) rounds;
  ls_claim_judge (claim, result);
  if (strcmp (verdict, ls_claim_verdict_name (result->verdict)) != 0)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                   _("the member “%s” says “%s”, which doesn’t follow from the figures."), "verdict",
                   verdict);
      return NULL;
    }
  ls_claim_name_findings (claim, result);
  return g_steal_pointer (&result);
}
