/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/error.h"

#include <string.h>

G_DEFINE_QUARK (ls_error_quark, ls_error)

char *
ls_sentence (const char *message)
{
  g_autofree char *text = g_strchomp (g_strdup (message));
  gsize length = strlen (text);

  return g_strconcat (text, length > 0 && strchr (".!?:", text[length - 1]) == NULL ? "." : "", NULL);
}

/* The two joiners are letters' own in Persian and in Indic scripts; other invisible characters aren't
 * printed, since some change the order of what follows. */
static gboolean
is_printable (gunichar c)
{
  const GUnicodeType type = g_unichar_type (c);

  if (c == 0x200C || c == 0x200D)
    return TRUE;
  return g_unichar_isprint (c) && type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* kept: the control characters that stay. */
static char *
printable_but (char *text, const char *kept)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *printable = g_string_sized_new (strlen (valid) + 1);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar u = g_utf8_get_char (c);

      g_string_append_unichar (printable, is_printable (u) || strchr (kept, *c) != NULL ? u : 0xFFFD);
    }
  g_free (text);
  return g_string_free (printable, FALSE);
}

char *
ls_printable (char *text)
{
  return printable_but (text, "");
}

char *
ls_printable_lines (char *text)
{
  return printable_but (text, "\n\t");
}

char *
ls_one_line (const char *text, guint most)
{
  char *line = ls_printable (g_strdelimit (g_strdup (text), "\n\r\t", ' '));

  if (g_utf8_strlen (line, -1) > most)
    {
      g_autofree char *whole = line, *start = g_utf8_substring (whole, 0, most - 1);
      line = g_strconcat (start, "…", NULL);
    }
  return line;
}

void
ls_error_make_printable (GError **error)
{
  if (error != NULL && *error != NULL)
    (*error)->message = ls_printable ((*error)->message);
}
