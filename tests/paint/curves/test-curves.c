/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What curves say: on the projector three plots on one axis, both lanes seen where they lie on each other;
 * the accuracy as points only; steps that don't count nowhere in a rate's plot; a strip that says what two
 * losses of the same step differ by.
 */
#include <math.h>
#include <string.h>

#include "curves_rig.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "core/number.h"

static gboolean
within (const LsScene *scene, const LsItem *item, LsArea area)
{
  double x, y, w, h;

  ls_item_bounds (scene, item, &x, &y, &w, &h);
  return x + w / 2 >= area.x && x + w / 2 <= area.x + area.w && y + h / 2 >= area.y - 1
         && y + h / 2 <= area.y + area.h + 1;
}

/* The widest line of that lane in the plot; 0: there is none. */
static double
line_width (const LsLayout *layout, const LsPlot *plot, guint side, double *alpha)
{
  double width = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_MARK || (guint) item->value != side
          || !within (layout->still, item, plot->area))
        continue;
      width = MAX (width, (double) item->size);
      *alpha = (double) item->alpha;
    }
  return width;
}

static void
test_projector (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsPlot *loss = plot_of (layout, LS_CURVE_LOSS), *accuracy = plot_of (layout, LS_CURVE_ACCURACY),
               *rate = plot_of (layout, LS_CURVE_RATE);
  double pale = 1, full = 0;

  g_assert_cmpuint (layout->plots->len, ==, 3);
  g_assert_true (loss != NULL && accuracy != NULL && rate != NULL);
  g_assert_cmpfloat (loss->area.x, ==, rate->area.x);
  g_assert_cmpfloat (loss->area.w, ==, rate->area.w);
  g_assert_cmpfloat (accuracy->area.w, ==, rate->area.w);
  g_assert_cmpfloat (loss->x.high, ==, rate->x.high);
  g_assert_cmpfloat (loss->area.y + loss->area.h, <, accuracy->area.y);
  g_assert_cmpfloat (accuracy->area.y + accuracy->area.h, <, rate->area.y);

  const double wide = line_width (layout, loss, 0, &pale), narrow = line_width (layout, loss, 1, &full);
  g_assert_cmpfloat (wide, >=, 6);
  g_assert_cmpfloat (narrow, >, 0);
  g_assert_cmpfloat (narrow, <, .5 * wide); /* the left lane is seen on both sides of the right one */
  g_assert_cmpfloat (pale, <, .5);
  g_assert_cmpfloat (full, ==, 1);

  g_assert_true (says (layout->still, "both lanes at the same place"));
  g_assert_true (says (layout->still, "median of 61 over single steps"));
  g_assert_true (says (layout->still, "CPU "));
  g_assert_true (says (layout->still, "OpenCL "));
  g_assert_false (says (layout->still, "|Δ|"));
}

/* Each lane's rate stands at the end of its line, in every size, however wide it prints. */
static void
test_rates (void)
{
  static const double rates[][LS_SIDES]
    = { { 64700, 72400 }, { 1530000, 998000 }, { 0.0123, 12.3 }, { 7.77e6, 44.4e6 } };
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
    for (guint size = 1; size < G_N_ELEMENTS (draw_sizes); size++) /* the smallest has the loss alone */
      {
        for (guint side = 0; side < LS_SIDES; side++)
          {
            LsFigure *rate = &data->sides[side].rate;
            *rate = (LsFigure){ .value = rates[r][side],
                                .q1 = .99 * rates[r][side],
                                .q3 = 1.01 * rates[r][side],
                                .n = 200,
                                .unit = rate->unit };
          }
        g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, draw_sizes[size][0],
                                               draw_sizes[size][1]);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            g_autofree char *number = ls_number_scaled (rates[r][side]),
                            *words = g_strdup_printf ("%s %s", side == 0 ? "CPU" : "OpenCL", number);
            if (!says (layout->still, words))
              g_test_fail_printf ("“%s” isn't said at %g×%g", words, draw_sizes[size][0],
                                  draw_sizes[size][1]);
          }
      }
}

/* "0.118 both" only where both print that of the same step; then by how much they differ. */
static void
test_same_step (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint behind = 0; behind <= 100; behind += 50)
    {
      data->sides[1].steps = data->sides[0].steps - behind;
      const guint64 step = data->sides[1].steps;
      const double a = (double) ls_view_lane_point (&data->sides[0], step - 1).loss,
                   b = (double) ls_view_lane_point (&data->sides[1], step - 1).loss;
      g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
      g_autofree char *left = ls_number_text (a, 3), *right = ls_number_text (b, 3),
                      *power = ls_number_power (fabs (a - b));
      g_autofree char *both = g_strdup_printf ("%s both", left),
                      *differ = g_strdup_printf ("differ by %s", power);
      g_assert_cmpint (says (layout->still, both), ==, strcmp (left, right) == 0);
      g_assert_true (says (layout->still, differ));
    }
  /* a lane that is far behind has no loss of that step */
  data->sides[1].steps = data->sides[0].steps / 3;
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
  g_assert_false (says (layout->still, "differ by "));
}

/* Of the accuracy: a dot for each lane's measurement and no line between two of them. */
static void
test_accuracy (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1920, 1080);
  const LsPlot *plot = plot_of (layout, LS_CURVE_ACCURACY);
  guint dots = 0;
  double alpha;

  g_assert_nonnull (plot);
  for (guint side = 0; side < LS_SIDES; side++)
    g_assert_cmpfloat (line_width (layout, plot, side, &alpha), ==, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_DOTS && within (layout->still, item, plot->area))
        dots += item->n_points;
    }
  g_assert_cmpuint (data->sides[0].accuracies->len, >, 2);
  g_assert_cmpuint (dots, ==, data->sides[0].accuracies->len + data->sides[1].accuracies->len);
  /* pointed at, it is told of the very step that it was measured after, and from there on up to the next */
  for (guint later = 0; later < 2; later++)
    {
      const LsAccuracy *second = &g_array_index (data->sides[0].accuracies, LsAccuracy, 1);
      LsQuery query = layout->query;
      g_autofree char *step = ls_number_count (second->steps), *title = g_strdup_printf ("step %s", step),
                      *value = ls_chart_value_text (LS_CURVE_ACCURACY, second->accuracy);
      gboolean titled = FALSE, told = FALSE;

      query.curves.cursor = (gint64) second->steps + later;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const char *text = text_in (layout, plot, i);

          titled |= g_strcmp0 (text, title) == 0;
          told |= text != NULL && g_str_has_suffix (text, value);
        }
      if (!titled || !told)
        g_error ("%u steps after the accuracy of %s was measured, that isn't told", later, title);
    }
}

/* Steps that don't count are a hundred times slower: no dot and no line is anywhere near them. */
static void
test_uncounted (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  const LsCurve *whole = data->sides[0].curve;
  LsCurve *curve = ls_curve_new ();

  for (guint64 i = 0; i < data->sides[0].steps; i++)
    {
      LsPoint point = ls_curve_get (whole, i);
      if (i < 10 || i % 5 == 1)
        {
          point.step_us *= 100;
          point.flags = i < 10 ? LS_POINT_WARM_UP : LS_POINT_DISTURBED;
        }
      ls_curve_append (curve, point);
    }
  g_clear_pointer (&data->sides[0].curve, ls_curve_unref);
  data->sides[0].curve = curve;
  g_clear_pointer (&data->sides[0].pair, ls_pair_unref);

  g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1280, 800);
  const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
  const float *points = (const float *) (gconstpointer) layout->still->points->data;
  guint dots = 0;
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if ((item->kind != LS_ITEM_DOTS && item->kind != LS_ITEM_LINE) || item->ink != LS_INK_MARK
          || item->value > 0 || !within (layout->still, item, plot->area))
        continue;
      dots += item->kind == LS_ITEM_DOTS ? item->n_points : 0;
      for (guint k = 0; k < item->n_points; k++)
        g_assert_cmpfloat ((double) points[2 * (item->points + k) + 1], <, plot->area.y + .9 * plot->area.h);
    }
  g_assert_cmpuint (dots, >, 100);
}

/* Its steps, each with that flag, ended at those times. */
static void
replace_curve (LsViewData *data, guint side, guint32 flags, guint64 from, guint64 end,
               guint32 (*end_ms) (guint64 i))
{
  LsCurve *whole = data->sides[side].curve, *curve = ls_curve_new ();

  for (guint64 i = 0; i < data->sides[side].steps; i++)
    {
      LsPoint point = ls_curve_get (whole, i);
      point.end_ms = end_ms (i);
      point.flags |= i >= from && i < end ? flags : 0;
      ls_curve_append (curve, point);
    }
  data->sides[side].curve = curve;
  ls_curve_unref (whole);
}

static guint32
at_once (guint64 i)
{
  (void) i;
  return 1;
}

static guint32
with_pause (guint64 i)
{
  return (guint32) (1 + i + (i < 1200 ? 0 : 60000));
}

/* The widest way, in points, that one line of the left lane's rate crosses from left to right. */
static double
longest_segment (const LsLayout *layout)
{
  const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
  const float *points = (const float *) (gconstpointer) layout->still->points->data;
  double longest = plot != NULL ? 0 : HUGE_VAL;

  for (guint i = 0; plot != NULL && i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_MARK || item->value > 0
          || !within (layout->still, item, plot->area))
        continue;
      for (guint k = 1; k < item->n_points; k++)
        longest = MAX (longest,
                       (double) (points[2 * (item->points + k)] - points[2 * (item->points + k - 1)]));
    }
  return longest;
}

/* By seconds: a run that is over within a millisecond has its curves, and no line crosses a minute in which
 * nothing ran. */
static void
test_seconds (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  LsQuery query = LS_QUERY_INIT;

  query.curves.seconds = TRUE;
  for (guint pause = 0; pause < 2; pause++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      for (guint side = 0; side < LS_SIDES; side++)
        replace_curve (data, side, 0, 0, 0, pause ? with_pause : at_once);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_curves, data, &query, LS_LOOK_LIGHT, 1280,
                                                  800);
      g_assert_nonnull (plot_of (layout, LS_CURVE_LOSS));
      const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
      g_assert_true (plot != NULL && plot->seconds);
      g_assert_false (says (layout->still, "not measured yet"));
      g_assert_cmpfloat (longest_segment (layout), <, 20);
    }
}

/* By steps: no line where none counted for long. */
static void
test_gap (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint gap = 0; gap < 2; gap++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      replace_curve (data, 0, LS_POINT_RESTED, 1000, gap ? 1400 : 1022, with_pause);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, LS_LOOK_LIGHT, 1280, 800);
      const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
      const double left = ls_axis_at (&plot->x, 1040), right = ls_axis_at (&plot->x, 1360);
      const float *points = (const float *) (gconstpointer) layout->still->points->data;
      guint inside = 0;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_LINE && item->ink == LS_INK_MARK && !(item->value > 0)
              && within (layout->still, item, plot->area))
            for (guint k = 0; k < item->n_points; k++)
              inside += (double) points[2 * (item->points + k)] > left
                        && (double) points[2 * (item->points + k)] < right;
        }
      g_assert_cmpint (inside == 0, ==, gap);
      g_assert_cmpfloat (longest_segment (layout), <, 20);
    }
}

/* At 1280 both plots stand in the strip, also while the bars of the first start take of the height; at 960
 * one and its switch. Claims and the planner give a small picture to their rows. */
static void
test_strip (void)
{
  static const struct {
    double w, h;
    guint plots;
  } sizes[] = { { 1228, 754, 2 }, { 1228, 620, 2 }, { 1228, 560, 2 }, { 960, 554, 1 }, { 908, 480, 1 } };
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1.1);
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint v = 0; v < n; v++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        LsQuery query = LS_QUERY_INIT;
        query.op = 1;
        g_autoptr (LsLayout) layout = draw_view_in (fonts, views[v], data, &query, LS_LOOK_LIGHT, sizes[i].w,
                                                    sizes[i].h);
        assert_faultless (layout);
        g_test_message ("%s at %g x %g", views[v]->name, sizes[i].w, sizes[i].h);
        const gboolean of_rows = views[v] == &ls_view_planner || views[v] == &ls_view_claims;
        if (views[v] != &ls_view_curves)
          g_assert_cmpuint (layout->plots->len, ==,
                            of_rows && layout->m.size == LS_SIZE_SMALL ? 0 : sizes[i].plots);
      }
}

/* A step that was set aside has its zigzag at its place, in its lane's colour, and nothing overlaps. */
static void
test_aside (void)
{
  static const struct {
    LsLook look;
    double w, h;
  } sizes[] = {
    { LS_LOOK_LIGHT, 960, 600 },
    { LS_LOOK_LIGHT, 1280, 800 },
    { LS_LOOK_DARK, 1920, 1080 },
    { LS_LOOK_PROJECTOR, 1920, 1080 },
  };
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 3; i++)
    {
      static const guint64 steps[] = { 3, 1204, 2400 };
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      LsQuery query = LS_QUERY_INIT;
      guint found = 0;

      query.curves.kind = LS_CURVE_RATE;
      data->n_aside = data->aside_side = 1;
      data->aside_step = steps[i % 3];
      data->aside = g_strdup ("step 1204 took 27 ms on OpenCL, median 1.4 ms: not recorded why");
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_curves, data, &query, sizes[i / 3].look,
                                                  sizes[i / 3].w, sizes[i / 3].h);
      const LsPlot *plot = plot_of (layout, LS_CURVE_RATE);
      const float *points = (const float *) (gconstpointer) layout->still->points->data;
      assert_faultless (layout);
      for (guint k = 0; plot != NULL && k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          const double x = (double) points[2 * item->points], y = (double) points[2 * item->points + 9];
          found += item->kind == LS_ITEM_LINE && item->n_points == 5 && item->value == 1
                   && fabs (x + 3 - ls_axis_at (&plot->x, (double) steps[i % 3])) < .1
                   && fabs (y - plot->area.y - plot->area.h) < 3;
        }
      g_assert_cmpuint (found, ==, 1);
      g_assert_true (i % 3 != 1 || says (layout->still, "set aside"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves/rates", test_rates);
  g_test_add_func ("/paint/curves/projector", test_projector);
  g_test_add_func ("/paint/curves/same-step", test_same_step);
  g_test_add_func ("/paint/curves/accuracy", test_accuracy);
  g_test_add_func ("/paint/curves/uncounted", test_uncounted);
  g_test_add_func ("/paint/curves/seconds", test_seconds);
  g_test_add_func ("/paint/curves/gap", test_gap);
  g_test_add_func ("/paint/curves/aside", test_aside);
  g_test_add_func ("/paint/curves/strip", test_strip);
  return g_test_run ();
}
