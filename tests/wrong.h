/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hand-written files with one place replaced by what is wrong: how each is to be refused.
 */
#pragma once

#include <string.h>

#include "core/error.h"

typedef struct {
  const char *from, *to;
  guint line;        /* 0: none is told */
  const char *words; /* of the reason */
} Wrong;

/* (transfer full) */
static inline char *
replaced (const char *good, const char *from, const char *to)
{
  const char *at = strstr (good, from);

  g_assert_nonnull (at);
  return g_strdup_printf ("%.*s%s%s", (int) (at - good), good, to, at + strlen (from));
}

/* read: it wasn't refused. */
static inline void
assert_wrong (const Wrong *wrong, const char *file, gboolean read, const GError *error)
{
  g_autofree char *line = g_strdup_printf ("“%s”, line %u: ", file, wrong->line);

  if (read || error == NULL)
    g_error ("with “%s” for “%s” it is read", wrong->to, wrong->from);
  g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
  if (strstr (error->message, wrong->words) == NULL
      || (wrong->line > 0 && !g_str_has_prefix (error->message, line)))
    g_error ("with “%s” it says “%s”, not “%s…%s…”", wrong->to, error->message, line, wrong->words);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strpbrk (error->message, "\n\x1b"));
}
