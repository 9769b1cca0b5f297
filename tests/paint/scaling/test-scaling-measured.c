/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Scaling makes of what is being measured just now, of another machine's figures, and of figures that
 * are far apart.
 */
#include "config.h"
#include "tests/paint/said.h"
#include "tests/paint/scaling/scaling-rig.h"

#include <math.h>
#include <string.h>

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

/* What of a step doesn't shrink is told once, of the first lane whose workers are more than one: whichever
 * side that is on. */
static void
test_shrinks (void)
{
  static const struct {
    gint who[LS_SIDES];         /* LsBackendKind */
    gint threads[LS_SIDES], of; /* −1: of none */
  } cases[] = {
    { { LS_BACKEND_CPU, LS_BACKEND_OPENCL }, { 8, 8 }, 0 },
    { { LS_BACKEND_OPENCL, LS_BACKEND_CPU }, { 8, 8 }, 1 },
    { { LS_BACKEND_CPU, LS_BACKEND_CPU }, { 8, 8 }, 0 },
    { { LS_BACKEND_CPU, LS_BACKEND_CPU }, { 1, 8 }, 1 },
    { { LS_BACKEND_CPU, LS_BACKEND_CPU }, { 2, 1 }, 0 },
    { { LS_BACKEND_CPU, LS_BACKEND_OPENCL }, { 1, 8 }, -1 },
    { { LS_BACKEND_OPENCL, LS_BACKEND_OPENCL }, { 8, 8 }, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      g_autoptr (LsViewData) data = data_with (results, NULL);
      LsScalingState state = { .open = LS_SCALING_THREADS };
      LsQuery query = LS_QUERY_INIT;
      guint headings = 0;
      gint of = -1;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          data->sides[side].who = cases[i].who[side];
          data->sides[side].recorded->device->threads = (guint) cases[i].threads[side];
        }
      query.state = &state;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          if (item->kind != LS_ITEM_TEXT)
            continue;
          headings += g_str_has_prefix (item->text, "What does not shrink");
          for (guint side = 0; side < LS_SIDES; side++)
            {
              g_autofree char *begin = g_strdup_printf ("%s: ", data->sides[side].brief);
              if (g_str_has_prefix (item->text, begin) && strstr (item->text, " of ") != NULL
                  && g_str_has_suffix (item->text, "µs"))
                of = (gint) side;
            }
        }
      if (headings != (cases[i].of >= 0) || of != cases[i].of)
        g_error ("case %u: what doesn’t shrink is told %u times, of side %d, not of side %d", i, headings, of,
                 cases[i].of);
    }
}

/* At the foot stands which page of panels it is, of how many, and how to turn it where somebody can; past the
 * last one it is the last. A panel that is opened is no page. */
static void
test_pages (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (LsViewData) data = data_with (results, NULL);
  const guint n = 3; /* in so small a picture */

  for (guint page = 0; page < n + 2; page++)
    for (guint form = 0; form < 3; form++)
      {
        LsScalingState state = { .open = form == 2 ? LS_SCALING_BATCH : -1, .page = page };
        LsQuery query = LS_QUERY_INIT;

        query.state = &state;
        query.chrome = form == 1;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 960, 600);
        g_assert_cmpuint (((const LsScaling *) layout->own)->n_pages, ==, n);
        const guint shown = MIN (page, n - 1) + 1;
        for (guint k = 1; k <= n; k++)
          {
            g_autofree char *number = g_strdup_printf ("%u of %u", k, n),
                            *further = g_strdup_printf ("%u of %u; v: further", k, n);
            gboolean said[2] = { FALSE, FALSE };
            for (guint i = 0; i < layout->still->items->len; i++)
              {
                const LsItem *item = ls_scene_get (layout->still, i);
                said[0] |= item->kind == LS_ITEM_TEXT && strcmp (item->text, number) == 0;
                said[1] |= item->kind == LS_ITEM_TEXT && strcmp (item->text, further) == 0;
              }
            if (said[0] != (k == shown && form == 1) || said[1] != (k == shown && form == 0))
              g_error ("on page %u %s “%s” is%s said, “%s” is%s", page,
                       form == 0   ? "in a window"
                       : form == 1 ? "of a picture"
                                   : "with a panel open",
                       number, said[0] ? "" : " not", further, said[1] ? "" : " not");
          }
      }
}

/* An axis reaches as far as anything was tried, also where nothing came of it on any lane: there stands its
 * dash, in the colour of the lane, between the first number and the end. Of a lane without any dots there is
 * none. */
static void
test_reach (void)
{
  static const struct {
    LsScalingKind kind;
    double at[LS_SIDES];
  } cases[] = { { LS_SCALING_WIDTH, { 8192, 16384 } },
                { LS_SCALING_WIDTH, { 16384, 8192 } },
                { LS_SCALING_THREADS, { 40, 64 } },
                { LS_SCALING_BATCH, { 1e6, 2e6 } } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gint empty = -1; empty < LS_SIDES; empty++)
      {
        g_autoptr (GPtrArray) results = lab_fixture ();
        const LsScalingState state = { .open = (gint) cases[i].kind };
        LsLabResult *result = lab_fixture_find (results, ls_scaling_experiment (cases[i].kind)->name);
        guint dashes[LS_SIDES] = { 0 };

        for (guint lane = 0; lane < LS_SIDES; lane++)
          {
            g_ptr_array_set_size (result->missing[lane], 0);
            ls_lab_result_add_missing (result, lane, (LsLabSpot){ cases[i].at[lane], 0 }, "It is too large.");
          }
        if (empty >= 0)
          g_array_set_size (result->points[empty], 0);
        g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
        const LsScalingPanel *panel = &((const LsScaling *) layout->own)->panels[cases[i].kind];
        for (guint k = 0; k < layout->still->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->still, k);
            if (item->kind != LS_ITEM_DASH)
              continue;
            const guint lane = (guint) item->value == LS_INK_OF (1);
            const double x = (double) (item->x + item->w / 2);
            dashes[lane]++;
            g_assert_cmpfloat_with_epsilon (x, ls_axis_at (&panel->x, cases[i].at[lane]), .1);
            if (x < panel->left || x > panel->right + .1)
              g_error ("%s: the dash of lane %u is at %g px, the plot goes from %g to %g",
                       ls_scaling_title (cases[i].kind), lane, x, panel->left, panel->right);
          }
        for (guint lane = 0; lane < LS_SIDES; lane++)
          if (dashes[lane] != ((gint) lane != empty))
            g_error ("%s: lane %u, %s, has %u dashes at %g, and the axis ends at %g",
                     ls_scaling_title (cases[i].kind), lane, (gint) lane == empty ? "empty" : "with dots",
                     dashes[lane], cases[i].at[lane], panel->x.high);
      }
}

/* Beside what loads in flight do stands what products in flight do, paler, where the same version measured
 * both on the same machine with the same devices; what else there is of it stays away. */
static void
test_goes_beside (void)
{
  static const char *const differs[] = { NULL,
                                         "machine",
                                         "version",
                                         "device of the CPU lane",
                                         "device of the OpenCL lane",
                                         "measurement: there is none" };

  for (guint i = 0; i < G_N_ELEMENTS (differs); i++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      const LsScalingState state = { .open = LS_SCALING_FLIGHT };
      LsLabResult *loads = lab_fixture_find (results, "flight"),
                  *products = lab_fixture_find (results, "flight-compute");
      char **const parts[] = { NULL, &products->machine_key, &products->program, &products->keys[0],
                               &products->keys[1] };
      guint n[LS_SIDES] = { 0 };
      float sizes[LS_SIDES][2] = { { 0 } };

      for (guint lane = 0; lane < LS_SIDES; lane++)
        {
          g_free (loads->keys[lane]);
          g_free (products->keys[lane]);
          loads->keys[lane] = g_strdup ("a device");
          products->keys[lane] = g_strdup ("a device");
        }
      if (i + 1 == G_N_ELEMENTS (differs))
        g_ptr_array_remove (results, products);
      else if (parts[i] != NULL)
        {
          g_free (*parts[i]);
          *parts[i] = g_strdup ("another");
        }
      g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          if ((item->kind == LS_ITEM_DOTS || item->kind == LS_ITEM_RINGS) && item->n_points == 11
              && item->evidence != 255)
            {
              const guint lane = (guint) item->value == LS_INK_OF (1);
              g_assert_cmpuint (n[lane], <, 2);
              sizes[lane][n[lane]++] = item->size;
            }
        }
      for (guint lane = 0; lane < LS_SIDES; lane++)
        {
          if (n[lane] != (i == 0 ? 2 : 1))
            g_error ("with %s%s lane %u has %u lists of dots", i == 0 ? "all the same" : "another ",
                     i == 0 ? "" : differs[i], lane, n[lane]);
          g_assert_true (i > 0 || sizes[lane][0] != sizes[lane][1]);
        }
    }
}

/* An empty panel says what it is for. */
static void
test_what_for (void)
{
  static const char *const words[LS_SCALING_N] = {
    [LS_SCALING_THREADS] = "How much faster is a step on all workers than on one?",
    [LS_SCALING_FLIGHT] = "How many loads must be in flight until no unit waits for memory?",
    [LS_SCALING_BATCH] = "What does a step cost however few its samples are, and what does each add?",
    [LS_SCALING_SIZE] = "From which size on does a product reach half of a lane’s speed?",
    [LS_SCALING_EDGE] = "Which edge of a tile in local memory is the fastest?",
    [LS_SCALING_WIDTH] = "Who is faster when the hidden layers grow?",
    [LS_SCALING_TILES] = "Into how many tiles should an op be cut?",
  };

  for (guint open = 0; open < LS_SCALING_N; open++)
    {
      g_autoptr (GPtrArray) none = g_ptr_array_new ();
      const LsScalingState state = { .open = (gint) open };
      g_autoptr (LsLayout) layout = draw (none, &state, 1920, 1080);
      g_autofree char *all = all_texts (layout->still, " ");

      for (guint kind = 0; kind < LS_SCALING_N; kind++)
        if ((strstr (all, words[kind]) != NULL) != (kind == open))
          g_error ("“%s” is%s said in panel %u: %s", words[kind], kind == open ? " not" : "", open, all);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling-measured/told", test_told);
  g_test_add_func ("/paint/scaling-measured/roofs", test_roofs);
  g_test_add_func ("/paint/scaling-measured/room", test_room);
  g_test_add_func ("/paint/scaling-measured/shrinks", test_shrinks);
  g_test_add_func ("/paint/scaling-measured/pages", test_pages);
  g_test_add_func ("/paint/scaling-measured/reach", test_reach);
  g_test_add_func ("/paint/scaling-measured/goes-beside", test_goes_beside);
  g_test_add_func ("/paint/scaling-measured/what-for", test_what_for);
  return g_test_run ();
}
