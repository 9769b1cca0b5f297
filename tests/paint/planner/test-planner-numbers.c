/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's sums of money, bytes and names, as it writes them.
 */
#include "config.h"

#include "tests/paint/planner/planner-rig.h"

/* Whole from a thousand on, three figures below, one of what is less than a tenth; nothing is 0. */
static void
test_money (void)
{
  static const struct {
    double value;
    const char *words;
  } rows[] = { { 1599, "1 599 USD" }, { 1234567.4, "1 234 567 USD" }, { 999.6, "1 000 USD" },
               { 999.4, "999 USD" },  { 98.54, "98.5 USD" },          { .25, "0.250 USD" },
               { .0949, "0.09 USD" }, { .005, "0.005 USD" },          { .0049, "0 USD" },
               { 0, "0 USD" },        { -12.34, "−12.3 USD" } };
  const LsPlanner planner = { .guide = { .currency = "USD" } }, other = { .guide = { .currency = "EUR" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_said (ls_planner_money (&planner, rows[i].value), rows[i].words);
  assert_said (ls_planner_money (&other, 5), "5.00 EUR");
}

static void
test_bytes (void)
{
  static const struct {
    double bytes;
    const char *words;
  } rows[] = { { 59.4e6, "59.4 MB" }, { 12e9, "12.0 GB" },    { 1e9, "1.00 GB" },
               { 9.98e8, "998 MB" },  { 1500, "0.00150 MB" }, { 1.234e12, "1 230 GB" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_said (ls_planner_bytes (rows[i].bytes), rows[i].words);
}

/* Without its maker, and no more. */
static void
test_names (void)
{
  static const char *const rows[][2]
    = { { "NVIDIA GeForce RTX 3060 12 GB", "RTX 3060 12 GB" }, { "NVIDIA Tesla V100", "V100" },
        { "NVIDIA A100 SXM4 40 GB", "A100 SXM4 40 GB" },       { "Google TPU v4", "TPU v4" },
        { "AMD Instinct MI300X", "AMD Instinct MI300X" },      { "GeForce", "GeForce" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsHardware device = { .name = (char *) rows[i][0] };
      g_assert_cmpstr (ls_planner_short (&device), ==, rows[i][1]);
    }
}

/* What owning saves at the planned months, from the cheapest case to the dearest: the card for 500 USD and
 * its power against 0.50 USD an hour, each with its own hours. */
static void
test_saved (void)
{
  Picture p;
  guint owning = 0;

  buying (&p);
  for (guint months = 0; months < 4; months++)
    {
      double saved[2];

      asked (&p)->months = months;
      draw_at (&p, 1920, 1080, LS_LOOK_LIGHT);
      const LsPlanner *own = planner (&p);
      for (guint i = 0; i < 2; i++)
        {
          const LsBill *bill = i == 0 ? &own->advice.best : &own->advice.worst;
          saved[i] = (bill->hours_rented * .5 - bill->hours_owned * bill->power / 1000 * .1545)
                       * own->guide.months
                     - 500;
        }
      if ((saved[0] > 0) != (saved[1] > 0))
        {
          g_assert_true (told (&p, "either may be cheaper"));
          continue;
        }
      g_autofree char *low = ls_planner_money (own, MIN (fabs (saved[0]), fabs (saved[1]))),
                      *high = ls_planner_money (own, MAX (fabs (saved[0]), fabs (saved[1])));
      g_autofree char *bare = g_strndup (low, (gsize) (strrchr (low, ' ') - low)),
                      *words = g_strdup_printf ("%s saves %s–%s", saved[0] > 0 ? "owning" : "renting", bare,
                                                high);
      if (!told (&p, words))
        {
          g_autofree char *all = all_texts (p.layout->still, " | ");
          g_error ("at %g months nothing says “%s”: %s", own->guide.months, words, all);
        }
      owning += saved[0] > 0;
    }
  g_assert_cmpuint (owning, >, 0);
  close_picture (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner-numbers/money", test_money);
  g_test_add_func ("/planner-numbers/bytes", test_bytes);
  g_test_add_func ("/planner-numbers/names", test_names);
  g_test_add_func ("/planner-numbers/saved", test_saved);
  return g_test_run ();
}
