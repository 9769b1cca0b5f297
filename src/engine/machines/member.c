/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See member.h.
 */
#include "config.h"
#include "machines/member.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/error.h"

#define MAX_LANGUAGES 20

gboolean
ls_member_refuse (GError **error, const char *name, const char *why)
{
  g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” %s"), name, why);
  return FALSE;
}

gboolean
ls_member_text (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                GError **error)
{
  const char *text = json_string_value (json_object_get (object, name));

  return text != NULL && *text == ' '
           ? ls_member_refuse (error, name, _("is empty, or begins with a space."))
           : ls_member_file (object, name, max, may_lack, out, error);
}

gboolean
ls_member_file (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                GError **error)
{
  g_autofree char *shown = NULL;
  const char *text;

  if (may_lack && json_object_get (object, name) == NULL)
    return TRUE;
  text = ls_json_get_string (object, name, error);
  if (text == NULL)
    return FALSE;
  if (*text == '\0')
    return ls_member_refuse (error, name, _("is empty, or begins with a space."));
  if (g_utf8_strlen (text, -1) > max)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("the member “%s” has more than %u characters."), name,
                   max);
      return FALSE;
    }
  /* what the program itself has written is so, with the joiners that some scripts have between letters */
  shown = ls_printable (g_strdup (text));
  if (strcmp (shown, text) != 0)
    return ls_member_refuse (error, name, _("has characters that aren’t text."));
  *out = g_strdup (text);
  return TRUE;
}

gboolean
ls_member_only (json_t *object, const char *const *known, GError **error)
{
  const char *name;
  json_t *value;

  json_object_foreach (object, name, value)
    if (!g_strv_contains (known, name))
      {
        g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("there is no member “%s” here."), name);
        return FALSE;
      }
  return TRUE;
}

gboolean
ls_member_date (const char *name, const char *date, gboolean whole, GError **error)
{
  static const char form[] = "dddd-dd-dd";
  const gsize n = strlen (date);
  gboolean fits = n == 10 || (!whole && (n == 4 || n == 7));

  for (gsize i = 0; fits && i < n; i++)
    fits = form[i] == 'd' ? g_ascii_isdigit (date[i]) : date[i] == '-';
  if (fits && n > 4)
    {
      const guint month = (guint) (date[5] - '0') * 10 + (guint) (date[6] - '0'),
                  day = n > 7 ? (guint) (date[8] - '0') * 10 + (guint) (date[9] - '0') : 1;
      const guint64 year = g_ascii_strtoull (date, NULL, 10);

      fits = year >= 1900 && month <= 12
             && g_date_valid_dmy ((GDateDay) day, (GDateMonth) month, (GDateYear) year);
    }
  return fits || ls_member_refuse (error, name, _("must be a date such as 2026-11-23."));
}

gboolean
ls_member_address (const char *name, const char *address, gboolean plain_too, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_ENCODED, NULL);
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "",
             *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  gboolean fits = host != NULL && strchr (host, '.') != NULL && g_uri_get_userinfo (uri) == NULL
                  && (strcmp (scheme, "https") == 0 || (plain_too && strcmp (scheme, "http") == 0));

  for (const char *c = address; fits && *c != '\0'; c++)
    fits = g_ascii_isgraph (*c) && strchr ("\"<>\\^`{|}", *c) == NULL;
  return fits
         || ls_member_refuse (error, name,
                              _("must be the address of a page, such as https://example.org/sheet."));
}

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
ls_member_words (const json_t *object, const char *name, guint max, gboolean may_lack, char **out,
                 GError **error)
{
  json_t *texts, *value;
  const char *language;
  g_autofree char *english = NULL;

  if (may_lack && json_object_get (object, name) == NULL)
    return TRUE;
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
  return ls_member_text (texts, "en", max, FALSE, &english, error)
         && ls_member_text (texts, chosen_language (texts), max, FALSE, out, error);
}
