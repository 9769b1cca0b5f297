/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an axis has its values, and at which of them it has ticks.
 */
#include <math.h>

#include "ui/paint/scene/axis.h"

static void
assert_ticks (const LsAxis *axis, const double *ticks, guint n)
{
  g_assert_cmpuint (axis->n_ticks, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (axis->ticks[i] / ticks[i], 1, 1e-9);
}

/* Tenfold is as far everywhere, from the one end to the other. */
static void
test_logarithmic (void)
{
  static const double powers[] = { .01, .1, 1, 10, 100 }, fine[] = { 20, 50, 100, 200 };
  LsAxis axis;

  ls_axis_init (&axis, .01, 100, 0, 400, TRUE, 8);
  for (guint i = 0; i < G_N_ELEMENTS (powers); i++)
    g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, powers[i]), 100 * i, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, sqrt (10)), 250, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 0), 0, 1e-9); /* not beyond its ends */
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 1e9), 400, 1e-9);
  assert_ticks (&axis, powers, G_N_ELEMENTS (powers));

  /* upwards, as y is drawn; short: 1, 2, 5 times the powers */
  ls_axis_init (&axis, 20, 200, 300, 100, TRUE, 6);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 20), 300, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 200), 100, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 20 * sqrt (10)), 200, 1e-9);
  assert_ticks (&axis, fine, G_N_ELEMENTS (fine));
}

static void
test_linear (void)
{
  static const double ticks[] = { 20, 40, 60, 80 }, whole[] = { 20, 40, 60, 80, 100 },
                      tenths[] = { .1, .2, .3, .4, .5, .6, .7 };
  LsAxis axis;

  ls_axis_init (&axis, 10, 90, 0, 800, FALSE, 5);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 10), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 30), 200, 1e-9);
  g_assert_cmpfloat_with_epsilon (ls_axis_at (&axis, 90), 800, 1e-9);
  assert_ticks (&axis, ticks, G_N_ELEMENTS (ticks));

  /* an end that is a tick's has one, also where its tenths are none of the computer's */
  ls_axis_init (&axis, 20, 100, 0, 800, FALSE, 5);
  assert_ticks (&axis, whole, G_N_ELEMENTS (whole));
  ls_axis_init (&axis, .1, .7, 0, 800, FALSE, 8);
  assert_ticks (&axis, tenths, G_N_ELEMENTS (tenths));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/axis/logarithmic", test_logarithmic);
  g_test_add_func ("/paint/axis/linear", test_linear);
  return g_test_run ();
}
