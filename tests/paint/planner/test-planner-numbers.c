/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planner's sums of money, bytes and names, as it writes them.
 */
#include "config.h"

#include "tests/paint/planner/planner-rig.h"
#include "tests/plain.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planner-numbers/money", test_money);
  g_test_add_func ("/planner-numbers/bytes", test_bytes);
  g_test_add_func ("/planner-numbers/names", test_names);
  return g_test_run ();
}
