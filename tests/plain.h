/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts as tests write them: thin spaces, narrow ones and those at which no line breaks are plain ones.
 */
#pragma once

#include <glib.h>

/* Takes text over, which may be NULL. (transfer full) */
static inline char *
plain (char *text)
{
  static const char *const spaces[] = { "\u00a0", "\u2009", "\u202f" };
  GString *words;

  if (text == NULL)
    return NULL;
  words = g_string_new (text);
  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    g_string_replace (words, spaces[i], " ", 0);
  g_free (text);
  return g_string_free (words, FALSE);
}

/* Takes text over. */
static inline void
assert_said (char *text, const char *wanted)
{
  g_autofree char *said = plain (text);

  g_assert_cmpstr (said, ==, wanted);
}
