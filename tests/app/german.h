/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part of a test in German.
 */
#pragma once

#include <glib.h>
#include <libintl.h>
#include <locale.h>

/* FALSE: it is skipped. */
static inline gboolean
german_begin (void)
{
  g_setenv ("LANGUAGE", "de", TRUE);
  setlocale (LC_MESSAGES, "C.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("LOCKSTEP_LOCALE_DIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  if (g_strcmp0 (gettext ("Curves"), "Kurven") == 0)
    return TRUE;
  g_test_skip ("this system's gettext translates nothing in this locale");
  return FALSE;
}

static inline void
german_end (void)
{
  g_unsetenv ("LANGUAGE");
  textdomain ("messages");
  setlocale (LC_MESSAGES, "C");
}
