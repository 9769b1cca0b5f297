/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a test program begins that must give the same in every locale: in the environment's own.
 */
#pragma once

#include <glib.h>
#include <locale.h>

static inline void
begin_in_locale (int *argc, char ***argv)
{
  setlocale (LC_ALL, "");
  g_test_init (argc, argv, NULL);
  /* The German run would prove nothing if its locale weren't there. */
  if (g_str_has_prefix (setlocale (LC_ALL, NULL), "C"))
    g_assert_false (g_str_has_prefix (g_getenv ("LC_ALL") != NULL ? g_getenv ("LC_ALL") : "", "de"));
  g_test_message ("decimal sign: %s", localeconv ()->decimal_point);
}
