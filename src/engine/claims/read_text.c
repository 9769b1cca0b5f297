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

gboolean
ls_claim_read_text (LsClaimReader *reader, const json_t *object, const char *name, guint max,
                    gboolean may_lack, char **out, GError **error)
{
  const gsize before = reader->where->len;

  if (may_lack && json_object_get (object, name) == NULL)
    return TRUE;
  g_string_append_printf (reader->where, "/%s", name);
  if (!ls_member_words (object, name, max, may_lack, out, error))
    return FALSE;
  g_string_truncate (reader->where, before);
  return TRUE;
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
