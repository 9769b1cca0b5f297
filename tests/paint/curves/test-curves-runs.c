/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cursor tells in Curves of the runs before.
 */
#include "curves_rig.h"
#include "tests/paint/states.h"

/* A run before, with four times the batch in as long a step: pointed at, its rate is four times as high. */
static void
test_run_before (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  LsRunCurves *before = g_new0 (LsRunCurves, 1);
  const guint64 step = data->sides[0].steps / 2;
  const double rate = data->batch * 1e6 / (double) ls_curve_get (data->sides[0].curve, step - 1).step_us;
  g_autofree char *own = ls_chart_value_text (LS_CURVE_RATE, rate),
                  *other = ls_chart_value_text (LS_CURVE_RATE, 4 * rate),
                  *words = g_strdup_printf ("larger %s", other);
  gboolean told[2] = { FALSE, FALSE };

  *before = (LsRunCurves){ .ref_count = 1, .label = g_strdup ("larger"), .batch = 4 * data->batch };
  before->sides[0] = (LsViewLane){ .curve = ls_curve_ref (data->sides[0].curve),
                                   .steps = data->sides[0].steps };
  data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
  g_ptr_array_add (data->runs, before);
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
  const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
  LsQuery query = layout->query;

  query.curves.cursor = (gint64) step;
  ls_layout_move (layout, &query);
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const char *text = text_in (layout, plot, i);

      if (text == NULL)
        continue;
      told[0] |= g_str_has_suffix (text, own);
      told[1] |= g_str_equal (text, words);
      if (g_str_has_prefix (text, "larger"))
        g_test_message ("“%s”, and “%s” is expected", text, words);
    }
  g_assert_true (told[0]);
  g_assert_true (told[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-runs/rate", test_run_before);
  return g_test_run ();
}
