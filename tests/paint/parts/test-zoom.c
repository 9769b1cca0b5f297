/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of the clock is shown, of steps of any length: a window that was chosen in a longer step is as wide at
 * the end of one that ends before it.
 */
#include "ui/paint/parts/zoom.h"

static void
test_window (void)
{
  static const struct {
    gint64 zoom0, zoom1, span, from, to;
  } cases[] = {
    { 0, 0, 5000, 0, 5000 },       /* all */
    { 700, 700, 5000, 700, 5000 }, /* without an end */
    { 1000, 2000, 5000, 1000, 2000 },
    { 0, 5000, 5000, 0, 5000 },
    { 4000, 5000, 5000, 4000, 5000 },
    { 4000, 5000, 4600, 4000, 4600 }, /* the step that follows is shorter */
    { 4000, 5000, 3000, 2000, 3000 },
    { 4000, 5000, 1000, 0, 1000 },
    { 4000, 5000, 600, 0, 600 },
    { 4000, 5000, 1, 0, 1 },
    { 0, 9000, 5000, 0, 5000 },
    { -500, 500, 5000, 0, 500 },
    { G_MAXINT64 - 1000, G_MAXINT64, 5000, 4000, 5000 },
    { 0, G_MAXINT64, G_MAXINT64, 0, G_MAXINT64 },
    { G_MININT64, G_MAXINT64, 5000, 0, 5000 },
    { 4000, 5000, 0, 0, 1 }, /* of nothing a moment */
    { 0, 0, 0, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsQuery query = LS_QUERY_INIT;
      gint64 from, to;

      query.zoom0_ns = cases[i].zoom0;
      query.zoom1_ns = cases[i].zoom1;
      ls_zoom_window (&query, cases[i].span, &from, &to);
      if (from != cases[i].from || to != cases[i].to)
        g_error ("of a step of %" G_GINT64_FORMAT " ns the window from %" G_GINT64_FORMAT
                 " to %" G_GINT64_FORMAT " shows %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                 ", not %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                 cases[i].span, cases[i].zoom0, cases[i].zoom1, from, to, cases[i].from, cases[i].to);
    }
}

/* Zooming and panning go on from what is shown, not from what was chosen in a longer step. */
static void
test_goes_on (void)
{
  LsQuery query = LS_QUERY_INIT;
  gint64 from, to;

  ls_zoom_set (&query, 100000, 80000, 100000);
  ls_zoom_pan (&query, 50000, -.5); /* shown were 30 to 50 µs */
  ls_zoom_window (&query, 50000, &from, &to);
  g_assert_cmpint (from, ==, 20000);
  g_assert_cmpint (to, ==, 40000);
  ls_zoom_set (&query, 100000, 80000, 100000);
  ls_zoom_by (&query, 50000, .5, 2);
  ls_zoom_window (&query, 50000, &from, &to);
  g_assert_cmpint (from, ==, 35000);
  g_assert_cmpint (to, ==, 45000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/zoom/window", test_window);
  g_test_add_func ("/paint/zoom/goes-on", test_goes_on);
  return g_test_run ();
}
