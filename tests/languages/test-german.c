/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as German writes them, with the program's own translation: a comma wherever there is a decimal
 * sign, also in what is too small for its unit.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "claims/claims.h"
#include "core/number.h"
#include "machines/guide/guide.h"
#include "machines/model.h"

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
  check (ls_number_fixed (2.4, 2), "2,40");
  check (ls_number_brief (2.4, 3), "2,4");
}

/* A point stands between thousands there, and isn't a decimal sign that zeros are cut off behind. */
static void
test_engine (void)
{
  const LsClaim ratio = { .claimed = { 1.9, 1.9, "×", FALSE } }, time = { .claimed = { 10, 10, "s", FALSE } };
  const LsFigure hours = { .value = .0004, .q1 = .0004, .q3 = .0004, .n = 1 };

  check (ls_claim_number_text (&ratio, 1.5), "1,50×");
  check (ls_claim_number_text (&ratio, 2271), "2.270×");
  check (ls_claim_guess_text (&ratio, 1.5), "1,5×");
  check (ls_claim_guess_text (&ratio, 2270), "2.270×");
  check (ls_claim_guess_text (&time, 4.4e-3), "4,4\342\200\257ms");
  check (ls_claim_claimed_text (&ratio), "1,9×");
  check (ls_hours_text (&hours), "1,44\u00a0s");
  check (ls_month_text (20.9), "20,9");
  check (ls_month_text (.01), "<0,1");
  check (ls_digits_text (1599), "1.599");
}

/* Units that are words are in the message of what can't be, too; and nothing stands where there is none. */
static void
test_units (void)
{
  static const struct {
    const char *machine, *text, *ends;
  } rows[] = {
    { "simt", "wait=-1", " bis 100000 Takte." },
    { "simt", "clock=0", " bis 20 GHz." },
    { "simt", "units=0", " bis 1024." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsMachine *machine = ls_machine_find (rows[i].machine);
      g_autoptr (GError) error = NULL;
      LsAssumed assumed;

      ls_machine_assume (machine, &assumed);
      g_assert_false (ls_machine_say (machine, rows[i].text, &assumed, &error));
      if (!g_str_has_suffix (error->message, rows[i].ends))
        g_error ("“%s” is answered by: %s", rows[i].text, error->message);
    }
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
  g_test_add_func ("/german/engine", test_engine);
  g_test_add_func ("/german/units", test_units);
  return g_test_run ();
}
