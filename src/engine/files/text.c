/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See text.h. Written by hand because jansson wants a tree of objects first, and a trace has a hundred
 * thousand events.
 */
#include "files/text.h"

#include <math.h>
#include <string.h>

void
ls_text_append_json (GString *out, const char *text)
{
  g_autofree char *valid = NULL;

  if (text == NULL)
    {
      g_string_append (out, "null");
      return;
    }
  valid = g_utf8_make_valid (text, -1);
  g_string_append_c (out, '"');
  for (const char *c = valid; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (out, '\\');
      if ((guint8) *c < 0x20 || *c == 0x7f)
        g_string_append_printf (out, "\\u%04x", (guint) *c);
      else
        g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

void
ls_text_append_csv (GString *out, const char *text)
{
  if (text == NULL)
    return;
  if (strpbrk (text, "\",\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

void
ls_text_append_double (GString *out, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      g_string_append (out, "null");
      return;
    }
  g_ascii_formatd (buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_formatd (buffer, sizeof buffer, "%.17g", value);
  /* “-0” would be read as a whole number, which has no sign then. */
  g_string_append (out, strcmp (buffer, "-0") == 0 ? "-0.0" : buffer);
}
