/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "This op alone" in Race: what is said of one op is what the recorded steps give, by the rule of all rates;
 * it follows the clock and the pointer, has its place at 1280 and 1920 and none elsewhere.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/race/race_op_rig.h"
#include "tests/paint/states.h"
#include "core/number.h"
#include "ui/paint/race/race.h"
#include "ui/paint/views.h"

/* The words and the description for few steps, calm ones, overlapping ones, and for other ops. */
static void
test_words (void)
{
  static const struct {
    guint n;
    double times, noise;
    const char *words;
  } rows[] = {
    { 1, 2, 0, "no median: it needs 3 recorded steps" },
    { 2, 2, 0, "no median" },
    { 3, 2, 0, "ratio after at most 47 more recorded steps" },
    { 20, 2, .05, "CPU is 2.00 times as fast" },
    { 20, .5, .05, "OpenCL is 2.00 times as fast" },
    { 20, 1.01, .09, "no clear winner" },
    { 30, 2, .9, "ratio after at most 20 more" },
  };
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      g_autoptr (LsOpTimes) times = times_of (rows[i].n, 1, rows[i].times, rows[i].noise);
      data->op_times = ls_op_times_ref (times);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
      g_autofree char *description = ls_layout_describe (layout);
      g_autofree char *median = g_strdup_printf (" of %u recorded", rows[i].n);
      const LsOpTrace *op = &data->sides[0].index->ops[1];
      g_autofree char *time = ls_number_time ((double) (op->end_ns - op->start_ns)),
                      *percent = ls_number_text (100. * (double) (op->end_ns - op->start_ns)
                                                   / (double) data->sides[0].index->length_ns,
                                                 2),
                      *cpu = g_strdup_printf ("CPU %s, %s %% of the step", time, percent);

      assert_faultless (layout);
      g_autofree char *aloud = g_strdup_printf (" This op alone, %s: CPU %s, ",
                                                data->recording->ops[1].symbol, time);
      g_assert_nonnull (strstr (description, aloud));
      g_assert_true (tells (layout, "This op alone, ") && tells (layout, cpu)
                     && tells (layout, rows[i].words));
      g_assert_nonnull (strstr (description, rows[i].words));
      g_assert_nonnull (strstr (description, cpu));
      g_assert_cmpint (tells (layout, median), ==, rows[i].n >= LS_OP_TIMES_MEDIAN);
      g_assert_cmpint (tells (layout, "middle halves"), ==,
                       strstr (rows[i].words, "winner") != NULL || strstr (rows[i].words, "as fast") != NULL);
    }
}

/* Each lane's own time, where it is the same in all recorded steps, and how many they are. */
static void
test_median (void)
{
  static const guint counts[] = { LS_OP_TIMES_MEDIAN, 12, 20 };
  static const double ns[LS_SIDES] = { 100000, 250000 };
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);

      data->op_times = times_of (counts[i], 1, ns[1] / ns[0], 0);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
      g_autofree char *described = ls_layout_describe (layout);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_autofree char *time = ls_number_time (ns[side]),
                          *words = g_strdup_printf ("median %s of %u recorded", time, counts[i]);
          g_autofree char *own = g_strdup_printf ("%s ", data->sides[side].brief);
          const char *of_lane = strstr (strstr (described, " This op alone, "), own), *end = NULL;
          if (of_lane == NULL || (end = strchr (of_lane, ';')) == NULL
              || g_strstr_len (of_lane, end - of_lane, words) == NULL)
            g_error ("of %s alone isn’t told “%s”: %s", data->sides[side].brief, words, described);
          if (!tells (layout, words))
            g_error ("%s’s op took %s in each of %u recorded steps, but “%s” isn’t said",
                     data->sides[side].brief, time, counts[i], words);
        }
    }
}

/* From where to where a lane's middle half is drawn; FALSE: it isn't. */
static gboolean
half_of (const LsLayout *layout, guint side, double *from, double *to)
{
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
      if (item->kind != LS_ITEM_LINE || item->ink != LS_INK_MARK || item->n_points != 2
          || fabs ((double) item->value - side) > .1)
        continue;
      *from = (double) at[0];
      *to = (double) at[2];
      return TRUE;
    }
  return FALSE;
}

/* What both middle halves have is on grey, from where the later one begins to where the earlier one ends. */
static void
test_overlap (void)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");

  for (guint apart = 0; apart < 2; apart++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      g_autoptr (LsOpTimes) times = times_of (20, 1, apart ? 2 : 1.01, .09);
      double from[LS_SIDES], to[LS_SIDES];
      guint grey = 0;

      data->op_times = ls_op_times_ref (times);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
      for (guint side = 0; side < LS_SIDES; side++)
        g_assert_true (half_of (layout, side, &from[side], &to[side]));
      g_assert_cmpint (MAX (from[0], from[1]) < MIN (to[0], to[1]), ==, !apart);
      g_assert_cmpfloat (fabs (from[0] - from[1]), >, 2);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_CHOSEN || (double) item->x < from[0] - 200
              || (double) item->x > to[0] + 200)
            continue;
          grey++;
          g_assert_cmpfloat_with_epsilon ((double) item->x, MAX (from[0], from[1]), .5);
          g_assert_cmpfloat_with_epsilon ((double) (item->x + item->w), MIN (to[0], to[1]), .5);
        }
      g_assert_cmpuint (grey, ==, apart ? 0 : 1);
    }
}

/* It is of the op at the clock, and of the one under the pointer while it is there. */
static void
test_asked (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  const LsSpan *last = &g_array_index (data->sides[0].index->spans, LsSpan,
                                       data->sides[0].index->spans->len - 1);
  const LsPick hover = { 0, last->event };

  for (guint hovered = 0; hovered < 2; hovered++)
    {
      const guint op = hovered ? last->op : 1;
      g_autofree char *equation = g_strdup_printf ("This op alone, %s", data->recording->ops[op].equation);
      g_autofree char *symbol = g_strdup_printf ("This op alone, %s", data->recording->ops[op].symbol);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, hovered ? hover : LS_PICK_NONE, LS_LOOK_LIGHT,
                                             1920, 1080);
      g_assert_cmpint (last->kind, ==, LS_EVENT_OP);
      g_assert_true (tells (layout, equation) || tells (layout, symbol));
    }
}

/* An op that another does along has the other's times. */
static void
test_fused (void)
{
  const LsFixture fused = { LS_CORES (2),   .batch = 128,  .tiles = 32, .groups = 64,
                            .on_cpu = TRUE, .fused = TRUE, .steps = 100 };
  g_autoptr (LsViewData) data = ls_fixture_view (&fused, LS_STATE_LIVE);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  const LsStepIndex *index = data->sides[0].index;
  guint seen = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&fused);
      g_autoptr (LsOpTimes) before = data->op_times;
      recording->step = i + 1;
      data->op_times = ls_op_times_add (before, recording);
    }
  for (guint op = 0; op < data->recording->n_ops; op++)
    {
      const guint leader = ls_step_index_leader (index, op);

      if (leader == op || !index->ops[leader].ran)
        continue;
      g_autoptr (LsLayout) layout = lay_out (data, fonts, op, LS_PICK_NONE, LS_LOOK_LIGHT, 1920, 1080);
      g_assert_true (tells (layout, "This op alone"));
      if (!tells (layout, " of 20 recorded"))
        g_error ("the median of 20 steps of %s, which does %s along, isn't told",
                 data->recording->ops[leader].symbol, data->recording->ops[op].symbol);
      seen++;
    }
  g_assert_cmpuint (seen, >, 2);
}

/* At 1280 and 1920; not at 960 nor in the hall. */
static void
test_places (void)
{
  static const struct {
    LsLook look;
    double w, h;
    gboolean there;
  } sizes[] = {
    { LS_LOOK_LIGHT, 960, 600, FALSE },
    { LS_LOOK_LIGHT, 1280, 800, TRUE },
    { LS_LOOK_DARK, 1920, 1080, TRUE },
    { LS_LOOK_PROJECTOR, 1920, 1080, FALSE },
  };
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  g_autoptr (LsOpTimes) times = times_of (20, 1, 2, .05);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
      data->op_times = ls_op_times_ref (times);
      g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, sizes[i].look, sizes[i].w,
                                             sizes[i].h);
      assert_faultless (layout);
      g_assert_cmpint (tells (layout, "This op alone"), ==, sizes[i].there);
    }
}

/* Steps that were computed in another way don't mix; the same step isn't counted twice; the oldest are
 * forgotten. */
static void
test_times (void)
{
  g_autoptr (LsOpTimes) times = times_of (LS_OP_TIMES_MOST + 10, 1, 2, 0);
  g_autoptr (LsRecording) other = ls_fixture_recording (&ls_fixture_cores),
                          same = ls_fixture_recording (&ls_fixture_cores);

  g_assert_cmpuint (ls_op_times_figure (times, g_intern_string ("cpu"), 1).n, ==, LS_OP_TIMES_MOST);
  g_assert_cmpfloat (fabs (ls_op_times_figure (times, g_intern_string ("cpu"), 1).value - 1e4), <, 1);
  g_assert_cmpfloat (fabs (ls_op_times_figure (times, g_intern_string ("opencl"), 1).value - 5e3), <, 1);
  g_assert_cmpuint (ls_op_times_figure (NULL, g_intern_string ("cpu"), 1).n, ==, 0);
  g_assert_cmpuint (ls_op_times_figure (times, g_intern_string ("cpu"), 4000).n, ==, 0);
  same->step = LS_OP_TIMES_MOST + 10;
  g_autoptr (LsOpTimes) again = ls_op_times_add (times, same);
  g_assert_true (again == times);
  other->step = LS_OP_TIMES_MOST + 11;
  g_strlcpy (other->lanes[1].tilings[1].kernel, "another", sizeof other->lanes[1].tilings[1].kernel);
  g_autoptr (LsOpTimes) anew = ls_op_times_add (times, other);
  g_assert_cmpuint (ls_op_times_figure (anew, g_intern_string ("cpu"), 1).n, ==, 1);
}

/* The figure is of the newest steps: once there are as many of another time as are kept, of these alone. */
static void
test_window (void)
{
  g_autoptr (LsOpTimes) times = more_times (times_of (LS_OP_TIMES_MOST, 1, 2, 0), LS_OP_TIMES_MOST,
                                            LS_OP_TIMES_MOST / 2 + 2, 1, 4, 0);
  const char *opencl = g_intern_string ("opencl");

  g_assert_cmpfloat (fabs (ls_op_times_figure (times, opencl, 1).value - 2.5e3), <, 1);
  times = more_times (times, 2 * LS_OP_TIMES_MOST, LS_OP_TIMES_MOST, 1, 8, 0);
  g_assert_cmpfloat (fabs (ls_op_times_figure (times, opencl, 1).value - 1.25e3), <, 1);
  g_assert_cmpfloat (fabs (ls_op_times_figure (times, opencl, 1).q3 - 1.25e3), <, 1);
}

/* What isn't in a rate isn't in an op's median either: the first steps, and those beside a compiler. */
static void
test_uncounted (void)
{
  static const struct {
    guint32 flags;
    guint n;
  } rows[] = {
    { LS_POINT_RECORDED, 1 },
    { LS_POINT_RECORDED | LS_POINT_RESTED, 1 },
    { LS_POINT_RECORDED | LS_POINT_WARM_UP, 0 },
    { LS_POINT_RECORDED | LS_POINT_DISTURBED, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
      LsCurve *curve = ls_curve_new ();
      for (guint k = 0; k < recording->step; k++)
        ls_curve_append (curve,
                         (LsPoint){ .step_us = 100, .flags = k + 1 == recording->step ? rows[i].flags : 0 });
      ls_recording_set_history (recording, 0, curve, recording->step);
      ls_curve_unref (curve);
      g_autoptr (LsOpTimes) times = ls_op_times_add (NULL, recording);
      g_assert_cmpuint (ls_op_times_figure (times, g_intern_string ("cpu"), 1).n, ==, rows[i].n);
      g_assert_cmpuint (ls_op_times_figure (times, g_intern_string ("opencl"), 1).n, ==, 1);
    }
}

/* Where a line has no room the panel says less, or nothing; it never reaches out of its place. */
static void
test_narrow (void)
{
  static const double heights[] = { 90, 130, 600 };
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE);
  g_autoptr (LsOpTimes) times = times_of (20, 1, 2, .05);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Sans");
  guint drawn = 0, none = 0;

  data->op_times = ls_op_times_ref (times);
  g_autoptr (LsLayout) layout = lay_out (data, fonts, 1, LS_PICK_NONE, LS_LOOK_DARK, 1920, 1080);
  const LsScene *s = layout->moving;
  for (guint k = 0; k < G_N_ELEMENTS (heights); k++)
    for (double w = 20; w < 500; w += 15)
      {
        const LsArea area = { 700, 200, w, heights[k] };
        const guint before = s->items->len;
        const double top = ls_race_op (layout, &(LsRaceOpPlace){ area, 1, k % 2 > 0 });

        g_assert_true ((s->items->len > before) == (top < HUGE_VAL));
        drawn += top < HUGE_VAL;
        none += top == HUGE_VAL;
        for (guint i = before; i < s->items->len; i++)
          {
            double x, y, item_w, item_h;

            ls_item_bounds (s, ls_scene_get (s, i), &x, &y, &item_w, &item_h);
            if (x < area.x - 1 || x + item_w > area.x + w + 1 || y < area.y - 1
                || y + item_h > area.y + area.h + 1)
              g_error ("in %g × %g px, “%s” reaches from %.1f, %.1f to %.1f, %.1f", w, area.h,
                       ls_scene_get (s, i)->text, x - area.x, y - area.y, x + item_w - area.x,
                       y + item_h - area.y);
          }
      }
  g_assert_cmpuint (MIN (drawn, none), >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race-op/words", test_words);
  g_test_add_func ("/paint/race-op/median", test_median);
  g_test_add_func ("/paint/race-op/overlap", test_overlap);
  g_test_add_func ("/paint/race-op/asked", test_asked);
  g_test_add_func ("/paint/race-op/fused", test_fused);
  g_test_add_func ("/paint/race-op/places", test_places);
  g_test_add_func ("/paint/race-op/times", test_times);
  g_test_add_func ("/paint/race-op/window", test_window);
  g_test_add_func ("/paint/race-op/uncounted", test_uncounted);
  g_test_add_func ("/paint/race-op/narrow", test_narrow);
  return g_test_run ();
}
