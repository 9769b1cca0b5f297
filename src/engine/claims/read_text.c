/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts in languages, units and names in a claim's file.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "claims/read.h"
#include "core/error.h"
#include "machines/member.h"

#define MAX_LANGUAGES 20

/* ---- texts in languages ---- */

/* "en", "de", "pt_BR" */
static gboolean
is_language (const char *name)
{
  const gsize n = strspn (name, "abcdefghijklmnopqrstuvwxyz");

  return (n == 2 || n == 3)
         && (name[n] == '\0'
             || (name[n] == '_' && strlen (name + n) == 3 && g_ascii_isupper (name[n + 1])
                 && g_ascii_isupper (name[n + 2])));
}

/* The one in the user's language; English, where there is none. */
static const char *
chosen_language (json_t *texts)
{
  for (const char *const *name = g_get_language_names (); *name != NULL; name++)
    if (json_object_get (texts, *name) != NULL)
      return *name;
  return "en";
}

gboolean
ls_claim_read_text (LsClaimReader *reader, const json_t *object, const char *name, guint max,
                    gboolean may_lack, char **out, GError **error)
{
  const gsize before = reader->where->len;
  json_t *texts, *value;
  const char *language;

  if (may_lack && json_object_get (object, name) == NULL)
    return TRUE;
  g_string_append_printf (reader->where, "/%s", name);
  if ((texts = ls_json_get_object (object, name, error)) == NULL)
    return FALSE;
  if (json_object_size (texts) > MAX_LANGUAGES)
    return ls_member_refuse (error, name, _("has too many languages."));
  json_object_foreach (texts, language, value)
    {
      g_autofree char *text = NULL;

      if (!is_language (language))
        return ls_member_refuse (error, name, _("has texts by languages, such as “en” and “de”, alone."));
      if (!ls_member_text (texts, language, max, FALSE, &text, error))
        return FALSE;
    }
  if (!ls_member_text (texts, "en", max, FALSE, out, error))
    return FALSE;
  language = chosen_language (texts);
  g_string_truncate (reader->where, before);
  g_clear_pointer (out, g_free);
  return ls_member_text (texts, language, max, FALSE, out, error);
}

gboolean
ls_claim_read_unit (const json_t *object, const char *name, const LsClaimUnit **unit, GError **error)
{
  const char *text = ls_json_get_string (object, name, error);

  if (text == NULL)
    return FALSE;
  *unit = ls_claim_unit_find (text);
  if (*unit != NULL)
    return TRUE;
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("“%s” is no unit of a claim."), text);
  return FALSE;
}

gboolean
ls_claim_is_name (const char *name)
{
  return g_ascii_islower (*name) && strlen (name) <= 32
         && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen (name);
}
