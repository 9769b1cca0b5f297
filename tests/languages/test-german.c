/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as German writes them, with the program's own translation: a comma wherever there is a decimal
 * sign, also in what is too small for its unit.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "ui/paint/scene/number.h"

static void
check (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_numbers (void)
{
  const char *unit;

  check (ls_number_time_in (2500, 128000, &unit), "2,50");
  check (ls_number_time_in (5, 128000, &unit), "<0,01");
  g_assert_cmpstr (unit, ==, "µs");
  check (ls_number_time_in (50, 128000, &unit), "0,0500");
  check (ls_number_time (1240000), "1,24\xc2\xa0ms");
  check (ls_number_time (.2), "<1\xc2\xa0ns");
  check (ls_number_text (.11812, 3), "0,118");
  check (ls_number_power (.21), "0,21");
  check (ls_number_tick (.1), "0,1");
  check (ls_number_scaled (52.34), "52,3");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("LOCKSTEP_LOCALE_DIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_test_init (&argc, &argv, NULL);
  if (g_strcmp0 (gettext ("Curves"), "Kurven") != 0)
    {
      g_print ("1..0 # SKIP this system's gettext translates nothing in the locale %s\n",
               setlocale (LC_MESSAGES, NULL));
      return 0;
    }
  g_test_add_func ("/german/numbers", test_numbers);
  return g_test_run ();
}
