/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is read off curves: the step under a pixel and back, the unit of a hall's rates, and of which steps
 * they are the median.
 */
#include <math.h>
#include <string.h>

#include "curves_rig.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"

/* Where a step is drawn it is found, also a little beside it, and never beyond the first. */
static void
test_step_at (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
  guint found = 0;

  for (guint i = 0; i < layout->plots->len; i++)
    {
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
      const double px = (plot->x.high - plot->x.low) / plot->area.w, /* steps to a pixel */
        middle = plot->area.y + plot->area.h / 2;

      g_assert_false (plot->seconds);
      for (guint k = 1; k < 40; k++)
        {
          const double x = plot->area.x + plot->area.w * k / 40, at = plot->x.low + (x - plot->area.x) * px;
          const gint64 step = ls_layout_step_at (layout, x, middle);
          if (fabs ((double) step - MAX (1, at)) > .5 + 1e-6)
            g_error ("at %.1f px, which is step %.2f, step %" G_GINT64_FORMAT " is found", x, at, step);
          found++;
        }
      g_assert_cmpint (ls_layout_step_at (layout, plot->area.x, middle), >=, 1);
      g_assert_cmpint (ls_layout_step_at (layout, plot->area.x - 2, middle), ==, -1);
      g_assert_cmpint (ls_layout_step_at (layout, plot->area.x + plot->area.w + 2, middle), ==, -1);
    }
  g_assert_cmpuint (found, >, 39);
  g_assert_cmpint (ls_layout_step_at (layout, 3, 3), ==, -1);
}

/* By seconds it is the step that ended then or next, of the lane that has got further, whichever that is. */
static void
test_second_at (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsQuery query = LS_QUERY_INIT;

  query.curves.seconds = TRUE;
  for (guint behind = 0; behind < LS_SIDES; behind++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_RUNS);
      const LsViewLane *ahead = &data->sides[!behind];

      data->sides[behind].steps /= 3;
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_curves, data, &query, LS_LOOK_LIGHT, 1920,
                                                  1080);
      const LsPlot *plot = plot_of (layout, LS_CURVE_LOSS);
      g_assert_true (plot != NULL && plot->seconds);
      for (guint k = 1; k < 40; k++)
        {
          const double second = plot->x.low + (plot->x.high - plot->x.low) * k / 40;
          const guint64 step = (guint64) ls_layout_step_at (layout, plot->area.x + plot->area.w * k / 40,
                                                            plot->area.y + plot->area.h / 2);
          g_assert_cmpuint (step, >=, 1);
          g_assert_cmpuint (step, <=, ahead->steps);
          if ((step < ahead->steps && ls_view_lane_point (ahead, step - 1).end_ms / 1e3 < second - 1e-6)
              || (step > 1 && ls_view_lane_point (ahead, step - 2).end_ms / 1e3 > second + 1e-6))
            g_error ("with lane %u behind step %" G_GUINT64_FORMAT " is found at %g s", behind, step, second);
        }
    }
}

static void
set_rates (LsViewData *data, double rate, guint64 left, guint64 right)
{
  for (guint side = 0; side < LS_SIDES; side++)
    data->sides[side].rate = (LsFigure){
      .value = rate, .q1 = .99 * rate, .q3 = 1.01 * rate, .n = side == 0 ? left : right, .unit = "samples/s"
    };
}

/* In a hall the unit stands under the plot’s name, and is what the axis has. */
static void
test_units (void)
{
  static const struct {
    double rate, unit;
    const char *words;
  } cases[] = {
    { 72, 1, "samples/s" },       { 720, 1, "samples/s" },   { 72e3, 1e3, "thousand/s" },
    { 720e3, 1e3, "thousand/s" }, { 3e6, 1e6, "million/s" }, { 45e6, 1e6, "million/s" },
  };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      set_rates (data, cases[i].rate, 200, 200);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_PROJECTOR, 3840, 2160);
      const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);

      g_assert_nonnull (plot);
      if (!says (layout->still, cases[i].words))
        g_error ("with rates of %g the unit isn’t “%s”", cases[i].rate, cases[i].words);
      g_assert_cmpfloat (plot->scale, ==, cases[i].unit);
      g_assert_true (says (layout->still, "per cent"));
    }
}

/* The rates are the median of as many steps as the left lane's, or the other's where it has none. */
static void
test_conditions (void)
{
  static const struct {
    guint64 left, right;
    guint n;
  } cases[] = { { 123, 77, 123 }, { 0, 77, 77 }, { 61, 0, 61 } };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      set_rates (data, 5e4, cases[i].left, cases[i].right);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_PROJECTOR, 3840, 2160);
      g_autofree char *all = g_strdup_printf ("; rates: median of %u steps", cases[i].n),
                      *brief = g_strdup_printf ("; n = %u", cases[i].n),
                      *texts = all_texts (layout->still, "\n");
      if (!says (layout->still, all) && !says (layout->still, brief))
        g_error ("neither “%s” nor “%s” is said: %s", all, brief, texts);
    }
}

/* In a hall the picture is named after what came out, and only what is beyond doubt: both have a rate, of as
 * many steps as make one, neither stopped, and their losses were compared and don't disagree. Speeds are
 * other ones if even the middle halves are apart. */
static void
test_names (void)
{
  static const struct {
    guint64 left, right; /* steps */
    double by;           /* how many times as fast the right one is */
    gboolean disagrees, compared, stopped;
    const char *heading;
  } cases[] = {
    { 200, 200, 1, FALSE, TRUE, FALSE, "Same learning" },
    { 200, 200, 1.015, FALSE, TRUE, FALSE, "Same learning" }, /* within ± 1 % */
    { 200, 200, 1.03, FALSE, TRUE, FALSE, "Same learning, other speed" },
    { 200, 200, .97, FALSE, TRUE, FALSE, "Same learning, other speed" },
    { 50, 50, 2, FALSE, TRUE, FALSE, "Same learning, other speed" },
    { 49, 200, 2, FALSE, TRUE, FALSE, NULL },
    { 200, 49, 2, FALSE, TRUE, FALSE, NULL },
    { 200, 200, 2, TRUE, TRUE, FALSE, NULL },
    { 200, 200, 2, FALSE, FALSE, FALSE, NULL },
    { 200, 200, 2, FALSE, TRUE, TRUE, NULL },
  };
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint look = 0; look < 2; look++)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
        LsFigure *rate;

        set_rates (data, 5e4, cases[i].left, cases[i].right);
        rate = &data->sides[1].rate;
        rate->value *= cases[i].by;
        rate->q1 *= cases[i].by;
        rate->q3 *= cases[i].by;
        if (cases[i].disagrees)
          for (guint line = 0; line < 2; line++)
            data->disagree[line] = g_strdup ("First different: the loss of step 3.");
        data->sides[0].delta.n = data->sides[1].delta.n = cases[i].compared ? 100 : 0;
        data->sides[i % 2].stopped_at = cases[i].stopped ? 7 : 0;
        g_autoptr (LsLayout) layout = lay_out (data, fonts, look == 0 ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT,
                                               1920, 1080);
        if (look == 0 && g_strcmp0 (layout->heading, cases[i].heading) != 0)
          g_error ("case %u is called “%s”", i, layout->heading);
        if (look == 1)
          g_assert_false (says (layout->still, "Same learning"));
      }
}

/* At the step that is pointed at each lane's curve has a dot, on the line through the plot, the first lane's
 * the larger one. */
static void
test_dots (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  LsQuery query = LS_QUERY_INIT;
  guint plots = 0;

  query.curves.cursor = (gint64) MIN (data->sides[0].steps, data->sides[1].steps) / 2;
  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_curves, data, &query, LS_LOOK_LIGHT, 1920,
                                              1080);
  ls_layout_move (layout, &query);
  const LsScene *s = layout->moving;
  for (guint i = 0; i < layout->plots->len; i++)
    {
      const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
      const double at = plot->area.x
                        + plot->area.w * ((double) query.curves.cursor - plot->x.low)
                            / (plot->x.high - plot->x.low);
      guint dots[LS_SIDES] = { 0 };

      if (plot->kind != LS_CURVE_LOSS && plot->kind != LS_CURVE_RATE)
        continue;
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *item = ls_scene_get (s, k);
          const float *point = &g_array_index (s->points, float, 2 * item->points);
          if (item->kind != LS_ITEM_DOTS || item->ink != LS_INK_MARK || item->n_points != 1
              || !ls_area_has (plot->area, (double) point[0], (double) point[1]))
            continue;
          const guint side = (guint) item->value;
          if (fabs ((double) point[0] - at) > 1 || fabsf (item->size - (side == 0 ? 9 : 6)) > .01f)
            g_error ("the dot of side %u is %g px large at %g, the step at %g", side, (double) item->size,
                     (double) point[0], at);
          dots[side]++;
        }
      if (dots[0] != 1 || dots[1] != 1)
        g_error ("plot %u: the lanes’ curves have %u and %u dots", i, dots[0], dots[1]);
      plots++;
    }
  g_assert_cmpuint (plots, >=, 1);
}

/* A screen reader hears with how many runs before the curves are compared, if with any. */
static void
test_described (void)
{
  static const char *const says[] = { NULL, " Compared with 1 run before.", " Compared with 2 runs before." };

  for (guint n = 0; n < G_N_ELEMENTS (says); n++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
      const LsQuery query = LS_QUERY_INIT;

      data->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_run_curves_unref);
      for (guint i = 0; i < n; i++)
        {
          LsRunCurves *run = g_new0 (LsRunCurves, 1);
          run->ref_count = 1;
          run->label = g_strdup ("batch 64");
          run->batch = 64;
          g_ptr_array_add (data->runs, run);
        }
      g_autoptr (LsLayout) layout = draw_view (&ls_view_curves, data, &query, LS_LOOK_LIGHT, 1280, 800);
      g_autofree char *told = ls_layout_describe (layout);
      if (says[n] != NULL ? strstr (told, says[n]) == NULL : strstr (told, "Compared with") != NULL)
        g_error ("beside %u runs before it is said: %s", n, told);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves/step-at", test_step_at);
  g_test_add_func ("/paint/curves/dots", test_dots);
  g_test_add_func ("/paint/curves/second-at", test_second_at);
  g_test_add_func ("/paint/curves/units", test_units);
  g_test_add_func ("/paint/curves/conditions", test_conditions);
  g_test_add_func ("/paint/curves/names", test_names);
  g_test_add_func ("/curves-read/described", test_described);
  return g_test_run ();
}
