/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which plots the strip at the foot has, and in which order.
 */
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/views.h"

static LsFonts *fonts;

static LsLayout *
draw (LsViewData *data, LsLook look, double w, double h, LsStripPart part)
{
  LsQuery query = LS_QUERY_INIT;

  query.curves.part = part;
  query.op = 1;
  return draw_view_in (fonts, &ls_view_race, data, &query, look, w, h);
}

static void
assert_plots (const LsLayout *layout, const char *where, const LsCurveKind *kinds, guint n)
{
  if (layout->plots->len != n)
    g_error ("%s: the strip has %u plots, not %u", where, layout->plots->len, n);
  for (guint i = 0; i < n; i++)
    {
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
      if (plot->kind != kinds[i])
        g_error ("%s: plot %u is of kind %u, not %u", where, i, plot->kind, kinds[i]);
      g_assert_cmpfloat (plot->area.y, >, layout->height - layout->m.strip_h);
      if (i > 0) /* from left to right */
        g_assert_cmpfloat (plot->area.x, >, (plot - 1)->area.x + (plot - 1)->area.w);
    }
}

/* Loss left and throughput right; of two pictures side by side the right one has the other two; three where
 * there is room, and two lanes that can differ. */
static void
test_plots (void)
{
  static const LsCurveKind two[] = { LS_CURVE_LOSS, LS_CURVE_RATE },
                           others[] = { LS_CURVE_DELTA, LS_CURVE_ACCURACY },
                           three[] = { LS_CURVE_LOSS, LS_CURVE_DELTA, LS_CURVE_RATE };
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE),
                         alone = ls_fixture_view (&ls_fixture_cores, LS_STATE_NO_DEVICE);

  for (LsStripPart part = LS_STRIP_ALONE; part <= LS_STRIP_RIGHT; part++)
    {
      g_autoptr (LsLayout) medium = draw (data, LS_LOOK_LIGHT, 1280, 800, part),
                           large = draw (data, LS_LOOK_LIGHT, 1920, 1080, part);
      assert_plots (medium, "at 1280", part == LS_STRIP_RIGHT ? others : two, 2);
      assert_plots (large, "at 1920",
                    part == LS_STRIP_RIGHT   ? others
                    : part == LS_STRIP_ALONE ? three
                                             : two,
                    part == LS_STRIP_ALONE ? 3 : 2);
      if (part != LS_STRIP_ALONE)
        continue;
      const LsPlot *plots = (const LsPlot *) (gconstpointer) large->plots->data;
      /* what the lanes differ by is the small one between */
      g_assert_cmpfloat (plots[1].area.w, <, plots[0].area.w);
      g_assert_cmpfloat (plots[1].area.w, <, plots[2].area.w);
    }
  g_autoptr (LsLayout) layout = draw (alone, LS_LOOK_LIGHT, 1920, 1080, LS_STRIP_ALONE);
  assert_plots (layout, "with one lane at 1920", two, 2);
  g_assert_false (says (layout->still, "needs two lanes"));
}

/* Where there is room for one plot, it is the one that is asked for. */
static void
test_one_plot (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);

  for (LsCurveKind kind = 0; kind <= LS_CURVE_DELTA; kind++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.curves.kind = kind;
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_race, data, &query, LS_LOOK_LIGHT, 960,
                                                  600);
      assert_plots (layout, "at 960", &kind, 1);
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, 0);
      guint slots = 0;
      for (guint i = 0; i < layout->slots->len; i++)
        {
          const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
          if (slot->kind != LS_SLOT_PLOTS)
            continue;
          slots++;
          g_assert_cmpfloat (slot->x + slot->w, <, plot->area.x);
        }
      g_assert_cmpuint (slots, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/strip-plots/kinds", test_plots);
  g_test_add_func ("/paint/strip-plots/one", test_one_plot);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
