/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recogniser for RFC 8259: says whether a text is JSON, and where not. It builds nothing. Nesting is
 * counted in a bit string instead of on the stack, so depth costs one bit a level and can't overflow
 * anything.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <glib/gi18n-lib.h>

#include "core/error.h"
#include "files/json_scan.h"

#define DEPTH_LIMIT  64
#define NUMBER_BYTES 64

typedef struct {
  const char *start, *at, *end;
  const char *wrong; /* what was expected at `at`, once something is */
} Scan;

static gboolean
expected (Scan *scan, const char *what)
{
  if (scan->wrong == NULL)
    scan->wrong = what;
  return FALSE;
}

static void
skip_space (Scan *scan)
{
  while (scan->at < scan->end && strchr (" \t\r\n", *scan->at) != NULL && *scan->at != '\0')
    scan->at++;
}

/* The next byte, '\0' at the end; a NUL byte was refused with the encoding. */
static char
peek (const Scan *scan)
{
  return scan->at < scan->end ? *scan->at : '\0';
}

static gboolean
take (Scan *scan, char c)
{
  if (peek (scan) != c)
    return FALSE;
  scan->at++;
  return TRUE;
}

static gboolean
hex4 (Scan *scan, guint *value)
{
  *value = 0;
  for (guint i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (peek (scan)))
        return expected (scan, _("four hexadecimal digits"));
      *value = *value * 16 + (guint) g_ascii_xdigit_value (*scan->at++);
    }
  return TRUE;
}

/* Behind a backslash. */
static gboolean
escape (Scan *scan)
{
  char c = peek (scan);
  guint first, second;

  if (c == '\0' || strchr ("\"\\/bfnrtu", c) == NULL)
    return expected (scan, _("a known escape"));
  scan->at++;
  if (c != 'u')
    return TRUE;
  if (!hex4 (scan, &first))
    return FALSE;
  if (first == 0 || (first >= 0xdc00 && first <= 0xdfff))
    return expected (scan, _("a character other than \\u0000 or half a surrogate pair"));
  if (first < 0xd800 || first > 0xdbff)
    return TRUE;
  if (!take (scan, '\\') || !take (scan, 'u') || !hex4 (scan, &second) || second < 0xdc00 || second > 0xdfff)
    return expected (scan, _("the second half of a surrogate pair"));
  return TRUE;
}

static gboolean
string (Scan *scan)
{
  if (!take (scan, '"'))
    return expected (scan, _("a string in double quotes"));
  while (scan->at < scan->end)
    {
      guint8 c = (guint8) *scan->at++;

      if (c == '"')
        return TRUE;
      if (c < 0x20)
        {
          scan->at--;
          return expected (scan, _("no control character in a string"));
        }
      if (c == '\\' && !escape (scan))
        return FALSE;
    }
  return expected (scan, _("the end of a string"));
}

static gboolean
digits (Scan *scan)
{
  if (!g_ascii_isdigit (peek (scan)))
    return expected (scan, _("a digit"));
  while (g_ascii_isdigit (peek (scan)))
    scan->at++;
  return TRUE;
}

static gboolean
number (Scan *scan)
{
  const char *start = scan->at;
  gboolean whole = TRUE;
  char copy[NUMBER_BYTES + 1];
  gint64 value;

  take (scan, '-');
  if (!take (scan, '0') && !digits (scan))
    return FALSE;
  if (take (scan, '.'))
    {
      whole = FALSE;
      if (!digits (scan))
        return FALSE;
    }
  if (take (scan, 'e') || take (scan, 'E'))
    {
      whole = FALSE;
      if (!take (scan, '+'))
        take (scan, '-');
      if (!digits (scan))
        return FALSE;
    }
  if (scan->at - start > NUMBER_BYTES)
    return expected (scan, _("a shorter number"));
  memcpy (copy, start, (gsize) (scan->at - start));
  copy[scan->at - start] = '\0';
  if (whole && !g_ascii_string_to_signed (copy, 10, -G_MAXINT64, G_MAXINT64, &value, NULL))
    return expected (scan, _("a whole number within 64 bits"));
  if (!whole && !isfinite (g_ascii_strtod (copy, NULL)))
    return expected (scan, _("a number within a double’s range"));
  return TRUE;
}

static gboolean
word (Scan *scan, const char *text)
{
  gsize n = strlen (text);

  if ((gsize) (scan->end - scan->at) < n || memcmp (scan->at, text, n) != 0)
    return expected (scan, _("a value"));
  scan->at += n;
  return TRUE;
}

/* A value that isn't an object or an array. */
static gboolean
scalar (Scan *scan)
{
  switch (peek (scan))
    {
    case '"':
      return string (scan);
    case 't':
      return word (scan, "true");
    case 'f':
      return word (scan, "false");
    case 'n':
      return word (scan, "null");
    default:
      if (peek (scan) != '-' && !g_ascii_isdigit (peek (scan)))
        return expected (scan, _("a value"));
      return number (scan);
    }
}

static gboolean
member_name (Scan *scan, LsJsonFacts *facts)
{
  skip_space (scan);
  if (!string (scan))
    return FALSE;
  skip_space (scan);
  if (!take (scan, ':'))
    return expected (scan, _("a colon"));
  facts->members++;
  return TRUE;
}

/* Bit d of `objects` says whether level d is an object or an array. */
static gboolean
values (Scan *scan, guint max_depth, LsJsonFacts *facts)
{
  guint64 objects = 0;
  guint depth = 0;

  do
    {
      gboolean opened = FALSE;
      char c;

      skip_space (scan);
      c = peek (scan);
      if (c == '{' || c == '[')
        {
          if (depth == max_depth)
            return expected (scan, _("less nesting"));
          scan->at++;
          objects = c == '{' ? objects | G_GUINT64_CONSTANT (1) << depth
                             : objects & ~(G_GUINT64_CONSTANT (1) << depth);
          depth++;
          facts->depth = MAX (facts->depth, depth);
          opened = TRUE;
        }
      else if (!scalar (scan))
        return FALSE;

      /* Now behind a value or an opening bracket: up to where the next value begins. */
      while (depth > 0)
        {
          gboolean in_object = (objects >> (depth - 1)) & 1;

          skip_space (scan);
          if (take (scan, in_object ? '}' : ']'))
            {
              depth--;
              opened = FALSE;
              continue;
            }
          if (!opened && !take (scan, ','))
            return expected (scan, in_object ? _("a comma or }") : _("a comma or ]"));
          if (in_object && !member_name (scan, facts))
            return FALSE;
          break;
        }
  } while (depth > 0);
  return TRUE;
}

gboolean
ls_json_scan (const char *text, gsize length, guint max_depth, LsJsonFacts *facts, GError **error)
{
  Scan scan = { .start = text, .at = text, .end = text + length };
  const char *invalid;

  *facts = (LsJsonFacts){ 0 };
  if (!g_utf8_validate_len (text, length, &invalid))
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it isn’t JSON: byte %zu isn’t UTF-8."),
                   (gsize) (invalid - text));
      return FALSE;
    }
  if (values (&scan, MIN (max_depth, DEPTH_LIMIT), facts))
    {
      skip_space (&scan);
      if (scan.at < scan.end)
        expected (&scan, _("the end of the text"));
    }
  if (scan.wrong != NULL)
    {
      g_set_error (error, LS_ERROR, LS_ERROR_DATA, _("it isn’t JSON: at byte %zu %s is expected."),
                   (gsize) (scan.at - text), scan.wrong);
      return FALSE;
    }
  return TRUE;
}
