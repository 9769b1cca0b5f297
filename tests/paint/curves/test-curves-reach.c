/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a plot's axes reach, in which unit, and of which step the values at the lines' ends are.
 */
#include <string.h>

#include "steps_rig.h"
#include "ui/paint/parts/coming.h"

/* ---- the unit ---- */

typedef enum { AT_LEFT, AT_RIGHT, AT_OTHER, AT_RUN, AT_N } At;

/* The fastest lane that may be drawn decides, wherever it stands; the others are slow. */
static void
test_unit (void)
{
  static const struct {
    double rate, unit;
  } cases[] = { { 1999, 1 }, { 2000, 1e3 }, { 1.5e6, 1e3 }, { 1.99e6, 1e3 }, { 2e6, 1e6 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (At at = AT_LEFT; at < AT_N; at++)
      {
        Rig r;
        rig_start (&r);
        g_autoptr (GPtrArray) others = g_ptr_array_new (), runs = g_ptr_array_new ();
        LsViewLane other = { .rate = { .value = at == AT_OTHER ? cases[i].rate : 7 } };
        LsRunCurves run = { .batch = 10,
                            .sides = { { .rate = { .value = 7 } },
                                       { .rate = { .value = at == AT_RUN ? cases[i].rate : 7 } } } };

        g_clear_pointer (&r.data->others, g_ptr_array_unref);
        g_ptr_array_add (others, &other);
        g_ptr_array_add (runs, &run);
        r.data->others = others;
        r.data->runs = runs;
        for (guint side = 0; side < LS_SIDES; side++)
          r.data->sides[side].rate.value = side == at ? cases[i].rate : 7;
        const double unit = ls_chart_rate_scale (r.data);
        if (fabs (unit - cases[i].unit) > 0)
          g_error ("with %g samples/s %s the unit is %g, not %g", cases[i].rate,
                   at == AT_LEFT    ? "left"
                   : at == AT_RIGHT ? "right"
                   : at == AT_OTHER ? "on no side"
                                    : "in a run before",
                   unit, cases[i].unit);
        r.data->others = r.data->runs = NULL;
        rig_end (&r);
      }
}

/* Before there is a rate the newest 16 steps are looked at, with the batch of their own run. */
static void
test_unit_of_steps (void)
{
  for (guint fast = 0; fast < 40; fast++)
    for (guint before = 0; before < 2; before++)
      {
        Rig r;
        rig_start (&r);
        g_autoptr (GPtrArray) runs = g_ptr_array_new ();
        LsRunCurves run = { .batch = 10 * r.data->batch };
        LsViewLane *lane = before ? &run.sides[0] : &r.data->sides[0];

        lane->curve = before ? ls_curve_new () : lane->curve;
        /* 1000 samples/s, and one step with 4000 of them; a run with a batch ten times as large takes ten
         * times as long for it */
        for (guint i = 0; i < 40; i++)
          add_step (lane, (i == fast ? 25e3 : 100e3) * (before ? 10 : 1), 1, i + 1);
        g_ptr_array_add (runs, &run);
        r.data->runs = runs;
        const double unit = ls_chart_rate_scale (r.data);
        if (fabs (unit - (fast >= 40 - 16 ? 1e3 : 1)) > 0)
          g_error ("step %u of 40%s did 4000 samples/s, the others 1000: the unit is %g", fast + 1,
                   before ? " of a run before" : "", unit);
        r.data->runs = NULL;
        if (before)
          ls_curve_unref (run.sides[0].curve);
        rig_end (&r);
      }
}

/* ---- how far ---- */

/* Accuracies are where they were measured, also of a lane that is ahead of what is shown; all of them are
 * within the axes, which end at all that can be right. */
static void
test_accuracies (void)
{
  static const struct {
    double least, low; /* of the axis, in steps of 5 % */
  } cases[] = { { .973, .95 }, { .96, .95 }, { .951, .9 }, { .45, .4 }, { .001, 0 }, { .85, .8 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint seconds = 0; seconds < 2; seconds++)
      {
        Rig r;
        rig_start (&r);
        for (guint k = 0; k < 100; k++)
          for (guint side = 0; side < LS_SIDES; side++)
            add_step (&r.data->sides[side], 1000, 1, (k + 1) * 1000);
        add_accuracy (&r.data->sides[0], 0, .99);
        add_accuracy (&r.data->sides[0], 40, cases[i].least);
        add_accuracy (&r.data->sides[0], seconds ? 100 : 120, .995);
        rig_open (&r, LS_CURVE_ACCURACY, LS_CHART_PLAIN, seconds);
        g_assert_cmpuint (r.c.n_lines, ==, 1);
        g_assert_cmpuint (r.c.lines[0].points->len, ==, 3);
        g_assert_cmpfloat_with_epsilon (point (&r, 0, 0)->x, seconds ? 1 : 0, 1e-9);
        g_assert_cmpfloat_with_epsilon (point (&r, 0, 1)->x, 40, 1e-9);
        g_assert_cmpfloat_with_epsilon (point (&r, 0, 1)->middle, cases[i].least, 1e-9);
        g_assert_cmpfloat_with_epsilon (r.c.extent, seconds ? 100 : 120, 1e-9);
        g_assert_cmpfloat (r.c.lines[0].end_value, ==, .995);
        g_assert_cmpfloat_with_epsilon (r.c.y.low, cases[i].low, 1e-9);
        g_assert_cmpfloat_with_epsilon (r.c.y.high, 1, 1e-9);
        rig_shut (&r);
        rig_end (&r);
      }
}

/* A rate's axis begins at nothing, and reaches to single steps that are at most half as fast again. */
static void
test_highest (void)
{
  static const struct {
    double times;
    gboolean within;
  } cases[] = { { 1.2, TRUE }, { 1.45, TRUE }, { 1.6, FALSE }, { 10, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Rig r;
      rig_start (&r);
      for (guint k = 0; k < 100; k++)
        add_step (&r.data->sides[0], k == 70 ? 1000 / cases[i].times : 1000, 1, k + 1);
      rig_open (&r, LS_CURVE_RATE, LS_CHART_PLAIN, FALSE);
      const double fast = 100 * cases[i].times;
      g_assert_cmpfloat (r.c.y.low, ==, 0);
      if ((r.c.y.high >= fast) != cases[i].within || r.c.y.high < 100 || r.c.y.high > 200)
        g_error ("with a line at 100 and a step at %g the axis reaches to %g", fast, r.c.y.high);
      rig_shut (&r);
      rig_end (&r);
    }
}

/* Losses at the ends are told of the newest step that both lanes have done. */
static void
test_ends (void)
{
  for (guint ahead = 0; ahead < LS_SIDES; ahead++)
    for (guint seconds = 0; seconds < 2; seconds++)
      {
        Rig r;
        rig_start (&r);
        for (guint k = 0; k < 50; k++)
          for (guint side = 0; side < LS_SIDES; side++)
            if (k < 40 || side == ahead)
              add_step (&r.data->sides[side], 1000, 100 * (side + 1) - k, (k + 1) * 100 * (side + 1));
        rig_open (&r, LS_CURVE_LOSS, LS_CHART_PLAIN, seconds);
        for (guint side = 0; side < LS_SIDES; side++)
          {
            g_assert_cmpfloat_with_epsilon (r.c.lines[side].end_value, 100 * (side + 1) - 39, 1e-6);
            g_assert_cmpfloat_with_epsilon (r.c.lines[side].end_x, seconds ? 4 * (side + 1) : 40, 1e-6);
          }
        g_assert_cmpfloat_with_epsilon (r.c.extent,
                                        seconds ? MAX (ahead == 0 ? 5 : 4, ahead == 1 ? 10 : 8) : 50, 1e-6);
        /* a factor of 1.1 of room above and below what is drawn */
        g_assert_cmpfloat_with_epsilon (r.c.y.low, (ahead == 0 ? 51 : 61) / 1.1, .01);
        g_assert_cmpfloat_with_epsilon (r.c.y.high, 200 * 1.1, .01);
        rig_shut (&r);
        rig_end (&r);
      }
}

/* While a lane comes, the other one's first steps don't fill the plot. */
static void
test_ahead (void)
{
  static const struct {
    guint steps;
    gboolean comes;
    double extent;
  } cases[] = { { 3, FALSE, 3 }, { 3, TRUE, 20 }, { 30, TRUE, 30 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        Rig r;
        rig_start (&r);
        for (guint k = 0; k < cases[i].steps; k++)
          add_step (&r.data->sides[side], 1000, 1, k + 1);
        if (cases[i].comes)
          {
            g_clear_pointer (&r.data->sides[1 - side].index, ls_step_index_unref);
            r.data->sides[1 - side].recorded = NULL;
            r.data->sides[1 - side].state = LS_LANE_BUILDING;
            ls_coming_say (r.data);
          }
        rig_open (&r, LS_CURVE_LOSS, LS_CHART_PLAIN, FALSE);
        g_assert_cmpfloat (r.c.extent, ==, cases[i].extent);
        rig_shut (&r);
        rig_end (&r);
      }
}

/* How many answers differ is said of both lanes' answers after the same step, to the same samples, alone. */
static void
test_answers (void)
{
  static const struct {
    guint steps[LS_SIDES], n[LS_SIDES]; /* n 0: it wasn't asked */
    guint differ;
    const char *words; /* NULL: none */
  } rows[] = {
    { { 40, 40 }, { 50, 50 }, 0, "0 answers differ" },
    { { 40, 40 }, { 50, 50 }, 1, "1 answer differs" },
    { { 40, 40 }, { 50, 50 }, 7, "7 answers differ" },
    { { 40, 80 }, { 50, 50 }, 7, NULL },
    { { 80, 40 }, { 50, 50 }, 7, NULL },
    { { 40, 40 }, { 50, 40 }, 7, NULL },
    { { 40, 40 }, { 50, 0 }, 7, NULL },
    { { 40, 40 }, { 0, 50 }, 7, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsQuery query = LS_QUERY_INIT;
      Rig r;

      rig_start (&r);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          LsViewLane *lane = &r.data->sides[side];

          for (guint k = 0; k < 100; k++)
            add_step (lane, 1000, 1, (k + 1) * 1000);
          add_accuracy (lane, 40, .9);
          add_accuracy (lane, 80, .95);
          g_clear_pointer (&lane->evaluation, ls_evaluation_unref);
          if (rows[i].n[side] == 0)
            continue;
          lane->evaluation = ls_evaluation_new (rows[i].n[side], 10, 0);
          lane->evaluation->steps = rows[i].steps[side];
          for (guint k = 0; k < rows[i].n[side]; k++)
            ls_evaluation_put (lane->evaluation, k, (k + (side == 1 && k < rows[i].differ)) % 10, k % 10, .9f,
                               .1f);
        }
      ls_layout_free (r.layout);
      r.layout = draw_view_in (r.fonts, &ls_view_curves, r.data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsItem *said = NULL;
      for (guint k = 0; k < r.layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (r.layout->still, k);
          said = item->kind == LS_ITEM_TEXT && strstr (item->text, "answer") != NULL ? item : said;
        }
      if (g_strcmp0 (said != NULL ? said->text : NULL, rows[i].words) != 0)
        g_error ("case %u: of the answers is said “%s”, not “%s”", (guint) i,
                 said != NULL ? said->text : "nothing", rows[i].words != NULL ? rows[i].words : "nothing");
      rig_end (&r);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/curves-reach/answers", test_answers);
  g_test_add_func ("/paint/curves-reach/unit", test_unit);
  g_test_add_func ("/paint/curves-reach/unit-of-steps", test_unit_of_steps);
  g_test_add_func ("/paint/curves-reach/accuracies", test_accuracies);
  g_test_add_func ("/paint/curves-reach/highest", test_highest);
  g_test_add_func ("/paint/curves-reach/ends", test_ends);
  g_test_add_func ("/paint/curves-reach/ahead", test_ahead);
  return g_test_run ();
}
