/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Scaling makes of what is being measured just now, of another machine's figures, and of figures that
 * are far apart.
 */
#include "config.h"
#include "tests/paint/said.h"
#include "tests/paint/scaling/scaling-rig.h"

#include <math.h>

/* A panel says how far it is with what is measured for it: work in flight with either kernel. The last point
 * is the last one also while it is being put away. */
static void
test_told (void)
{
  static const struct {
    const LsExperiment *experiment;
    LsScalingKind panel;
    guint done;
    const char *says;
  } cases[] = {
    { &ls_experiment_flight, LS_SCALING_FLIGHT, 0, "being measured, 1 of 11: " },
    { &ls_experiment_flight, LS_SCALING_FLIGHT, 4, "being measured, 5 of 11: " },
    { &ls_experiment_flight_compute, LS_SCALING_FLIGHT, 4, "being measured, 5 of 11: " },
    { &ls_experiment_flight_compute, LS_SCALING_FLIGHT, 10, "being measured, 11 of 11: " },
    { &ls_experiment_flight_compute, LS_SCALING_FLIGHT, 11, "being measured, 11 of 11: " },
    { &ls_experiment_flight_compute, LS_SCALING_BATCH, 4, NULL },
    { &ls_experiment_flight, LS_SCALING_TILES, 4, NULL },
    { &ls_experiment_batch, LS_SCALING_BATCH, 11, "being measured, 11 of 11: " },
    { &ls_experiment_batch, LS_SCALING_FLIGHT, 4, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      g_autoptr (LsViewData) data = data_with (results, NULL);
      LsScalingState state = { .open = (gint) cases[i].panel };
      LsQuery query = LS_QUERY_INIT;

      query.state = &state;
      data->live = TRUE;
      data->measuring = (LsViewLab){
        .experiment = cases[i].experiment, .spot = { 8, 0 }, .done = cases[i].done, .n = 11, .seconds_left = 9
      };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1280, 800);
      const char *words = cases[i].says != NULL ? cases[i].says : "being measured";
      if (says (layout->still, words) != (cases[i].says != NULL))
        {
          g_autofree char *all = all_texts (layout->still, " | ");
          g_error ("case %u: “%s” is%s said: %s", i, words, cases[i].says != NULL ? "n't" : "", all);
        }
    }
}

/* A share of the own roof is one of the roof that was measured there: this machine's is no measure of what
 * another one did. */
static void
test_roofs (void)
{
  for (guint foreign = 0; foreign < 2; foreign++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      g_autoptr (LsViewData) data = data_with (results, NULL);
      LsScalingState state = { .open = LS_SCALING_SIZE, .rate = TRUE };
      LsQuery query = LS_QUERY_INIT;

      lab_fixture_find (results, "size")->foreign = foreign;
      for (guint side = 0; side < LS_SIDES; side++)
        data->sides[side].recorded->device->roofs[LS_ROOF_FLOPS] = (LsFigure){ .value = 4e11, .n = 7 };
      query.state = &state;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1280, 800);
      const LsScalingPanel *panel = &((const LsScaling *) layout->own)->panels[LS_SCALING_SIZE];
      if (panel->value != (foreign ? LS_SCALING_GFLOPS : LS_SCALING_OF_ROOF)
          || says (layout->still, "share of the own roof") == (gboolean) foreign)
        g_error ("%s machine's products are shown as a value of kind %u", foreign ? "another" : "this",
                 panel->value);
    }
}

/* Up a logarithmic axis the whole middle half of each dot has room, its lower end as well as its upper one.
 */
static void
test_room (void)
{
  static const LsScalingKind kinds[] = { LS_SCALING_SIZE, LS_SCALING_WIDTH, LS_SCALING_WIDTH };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      const LsScalingState state = { .open = (gint) kinds[i], .rate = i == 2 };
      LsLabResult *result = lab_fixture_find (results, ls_scaling_experiment (kinds[i])->name);
      double low = HUGE_VAL, high = 0;

      for (guint lane = 0; lane < 2; lane++)
        for (guint k = 0; k < result->points[lane]->len; k++)
          {
            LsFigure *rate = &g_array_index (result->points[lane], LsLabPoint, k).rate;
            rate->q1 = rate->value / 3;
            rate->q3 = rate->value * 3;
          }
      g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
      const LsScalingPanel *panel = &((const LsScaling *) layout->own)->panels[kinds[i]];
      g_assert_true (panel->y.log);
      for (guint lane = 0; lane < 2; lane++)
        for (guint k = 0; k < panel->lanes[lane].dots->len; k++)
          {
            const LsScalingDot *dot = &g_array_index (panel->lanes[lane].dots, LsScalingDot, k);
            low = MIN (low, dot->low);
            high = MAX (high, dot->high);
          }
      if (panel->y.low > low || panel->y.high < high)
        g_error ("%s: middle halves from %g to %g are drawn on an axis from %g to %g",
                 ls_scaling_title (kinds[i]), low, high, panel->y.low, panel->y.high);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling-measured/told", test_told);
  g_test_add_func ("/paint/scaling-measured/roofs", test_roofs);
  g_test_add_func ("/paint/scaling-measured/room", test_room);
  return g_test_run ();
}
