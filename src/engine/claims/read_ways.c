/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of a claim's file: names, lanes, and what they run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/read.h"
#include "core/error.h"
#include "lab/step.h"
#include "machines/converted/int8.h"
#include "machines/member.h"

#define MAX_LANE      200
#define MAX_LINE_WORD 200
#define MAX_STEPS     5000

/* A lane, as --lanes has it, and one. */
static gboolean
read_lane (const json_t *object, LsClaimWay *way, GError **error)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (GPtrArray) specs = NULL;
  g_autoptr (GError) why = NULL;

  if (!ls_member_text (object, "lane", MAX_LANE, FALSE, &way->lane, error))
    return FALSE;
  if (ls_options_set (options, ls_options_find ("lanes"), way->lane, &why))
    specs = ls_lane_specs_new (options, &why);
  if (specs == NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the lane “%s” can’t be: %s"), way->lane, why->message);
      return FALSE;
    }
  if (specs->len != 1 || way->lane[strcspn (way->lane, "=(")] == '=')
    return ls_member_refuse (error, "lane", _("must be one lane, without a name of its own."));
  way->who = ((const LsLaneSpec *) specs->pdata[0])->backend->kind;
  return TRUE;
}

/* ["step", "mlp", "mnist", "128"] */
static gboolean
read_run (const json_t *object, LsClaimWay *way, GError **error)
{
  const json_t *list = ls_json_get_array (object, "run", 2, 4, error);
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) why = NULL;

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_size (list); i++)
    {
      const char *word = json_string_value (json_array_get (list, i));

      if (word == NULL || *word == '\0' || strlen (word) > MAX_LINE_WORD
          || strcspn (word, "\t\n\r") != strlen (word))
        return ls_member_refuse (error, "run", _("must hold texts, such as [\"product\", \"1000\"]."));
      g_string_append_printf (line, "%s%s", i > 0 ? "\t" : "", word);
    }
  way->run = g_string_free (g_steal_pointer (&line), FALSE);
  if (ls_lab_check_line (way->run, &why))
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, "%s", why->message);
  return FALSE;
}

/* "takes": {"value": 10, "unit": "s", "evidence": "modelled"}: it isn't run. */
static gboolean
read_given (LsClaimReader *reader, const json_t *object, LsClaimWay *way, GError **error)
{
  static const char *const known[] = { "value", "unit", "evidence", NULL };
  json_t *takes = ls_json_get_object (object, "takes", error);
  const LsClaimUnit *unit;
  LsFigure *given = &way->given;
  const char *evidence;

  if (takes == NULL)
    return FALSE;
  g_string_append (reader->where, "/takes");
  if (!ls_member_only (takes, known, error) || !ls_claim_read_unit (takes, "unit", &unit, error)
      || !ls_json_get_double (takes, "value", 1 / LS_CLAIM_MAX_AMOUNT, LS_CLAIM_MAX_AMOUNT, &given->value,
                              error)
      || (evidence = ls_json_get_string (takes, "evidence", error)) == NULL)
    return FALSE;
  if (unit->dimension.s != 1)
    return ls_member_refuse (error, "unit", _("must be one of times, such as “s”."));
  if (strcmp (evidence, "modelled") != 0)
    return ls_member_refuse (error, "evidence",
                             _("must be “modelled”: it isn’t measured, and has no source."));
  given->value *= unit->scale;
  given->q1 = given->q3 = given->value;
  given->unit = "s";
  given->n = 1;
  given->evidence = LS_EVIDENCE_MODELLED;
  return TRUE;
}

/* What is converted is a network that the CPU lane has trained. */
static gboolean
check_bits (const LsClaimWay *way, GError **error)
{
  return way->bits == 0
         || (way->steps > 0 && way->who == LS_BACKEND_CPU && g_str_has_prefix (way->run, "step\t"))
         || ls_member_refuse (error, "bits", _("belongs to a step on the CPU lane, with “steps”."));
}

static gboolean
read_way (LsClaimReader *reader, json_t *object, LsClaimWay *way, GError **error)
{
  static const char *const run[] = { "name", "words", "lane", "run", "steps", "bits", NULL }, *const takes[]
                                                                                              = { "name",
                                                                                                  "words",
                                                                                                  "takes",
                                                                                                  NULL };
  const gboolean given = json_object_get (object, "takes") != NULL;
  const LsClaim *claim = reader->claim;
  gint64 steps = 0, bits = 0;

  if (!ls_member_only (object, given ? takes : run, error)
      || !ls_member_text (object, "name", LS_CLAIM_MAX_WORDS, FALSE, &way->name, error))
    return FALSE;
  if (!ls_claim_is_name (way->name))
    return ls_member_refuse (error, "name",
                             _("must have 1 to 32 small letters, digits and “-”, a letter first."));
  for (const LsClaimWay *other = claim->ways; other != way; other++)
    if (strcmp (other->name, way->name) == 0)
      return ls_member_refuse (error, "name", _("is that of another way, too."));
  if (!ls_claim_read_text (reader, object, "words", LS_CLAIM_MAX_WORDS, FALSE, &way->words, error))
    return FALSE;
  if (given)
    return read_given (reader, object, way, error);
  if (json_object_get (object, "steps") != NULL
      && !ls_json_get_int (object, "steps", 1, MAX_STEPS, &steps, error))
    return FALSE;
  way->steps = (guint) steps;
  if (json_object_get (object, "bits") != NULL
      && !ls_json_get_int (object, "bits", LS_INT8_LEAST, LS_INT8_BITS, &bits, error))
    return FALSE;
  way->bits = (guint) bits;
  return read_lane (object, way, error) && read_run (object, way, error) && check_bits (way, error);
}

gboolean
ls_claim_read_ways (LsClaimReader *reader, const json_t *root, GError **error)
{
  LsClaim *claim = reader->claim;
  const json_t *list;

  g_string_assign (reader->where, "/ways");
  if ((list = ls_json_get_array (root, "ways", 0, LS_CLAIM_MAX_WAYS, error)) == NULL)
    return FALSE;
  claim->ways = g_new0 (LsClaimWay, json_array_size (list) + 1);
  for (guint i = 0; i < json_array_size (list); i++)
    {
      json_t *object;

      g_string_printf (reader->where, "/ways/%u", i);
      object = ls_json_array_object (list, i, "ways", error);
      if (object == NULL || !read_way (reader, object, &claim->ways[claim->n_ways++], error))
        return FALSE;
    }
  return TRUE;
}
