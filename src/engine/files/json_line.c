/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On which line of a text a value stands: jansson keeps the lines of syntax errors alone. The text has been
 * read as JSON before, so nothing is checked here but where it ends.
 */
#include "files/json.h"

#include <string.h>

/* What is left of the text. */
typedef struct {
  const char *at, *end;
} Rest;

static void
skip_space (Rest *rest)
{
  while (rest->at < rest->end && strchr (" \t\r\n", *rest->at) != NULL)
    rest->at++;
}

static void
skip_string (Rest *rest)
{
  for (rest->at++; rest->at < rest->end && *rest->at != '"'; rest->at++)
    if (*rest->at == '\\')
      rest->at++;
  rest->at = rest->at < rest->end ? rest->at + 1 : rest->end;
}

static void
skip_value (Rest *rest)
{
  guint depth = 0;

  while (rest->at < rest->end)
    {
      const char c = *rest->at;

      if (depth == 0 && strchr (",]}", c) != NULL)
        return;
      if (c == '"')
        {
          skip_string (rest);
          continue;
        }
      if (c == '[' || c == '{')
        depth++;
      else if (c == ']' || c == '}')
        depth--;
      rest->at++;
    }
}

/* From an object or an array to the value of that member, or at that index. */
static gboolean
step_into (Rest *rest, const char *step, gsize length)
{
  const gboolean object = rest->at < rest->end && *rest->at == '{';
  guint64 index = object ? 0 : g_ascii_strtoull (step, NULL, 10);

  if (!object && (rest->at == rest->end || *rest->at != '['))
    return FALSE;
  for (rest->at++;; rest->at++)
    {
      gboolean found;

      skip_space (rest);
      if (rest->at == rest->end || *rest->at == '}' || *rest->at == ']')
        return FALSE;
      if (object)
        {
          const char *name = rest->at + 1;

          skip_string (rest);
          found = (gsize) (rest->at - name) == length + 1 && memcmp (name, step, length) == 0;
          skip_space (rest);
          rest->at += rest->at < rest->end; /* the colon */
          skip_space (rest);
        }
      else
        found = index-- == 0;
      if (found)
        return TRUE;
      skip_value (rest);
      if (rest->at == rest->end || *rest->at != ',')
        return FALSE;
    }
}

guint
ls_json_line (const char *text, gsize length, const char *pointer)
{
  Rest rest = { text, text + length };
  guint line = 1;

  skip_space (&rest);
  for (const char *step = pointer; *step == '/';)
    {
      const gsize n = strcspn (step + 1, "/");
      Rest next = rest;

      if (!step_into (&next, step + 1, n))
        break;
      rest = next;
      step += n + 1;
    }
  for (const char *c = text; c < rest.at; c++)
    line += *c == '\n';
  return line;
}
