/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling against results whose laws are known: dots stand where their values are on the axes, the ideal is
 * where it must be, what is printed is what was fitted, and nothing overlaps at any size.
 */
#include "tests/paint/said.h"
#include "tests/paint/scaling/scaling-rig.h"

#include <math.h>
#include <string.h>

#include "core/number.h"

static void
test_speed_up (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = { .open = LS_SCALING_THREADS };
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
  const LsScene *s = layout->still;
  const float *guide = NULL, *dots;
  guint n, rings = 0;

  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_GUIDE)
      guide = &g_array_index (s->points, float, 2 * ls_scene_get (s, i)->points);
  g_assert_nonnull (guide);
  for (guint lane = 0; lane < 2; lane++)
    {
      const double serial = lane == 0 ? LAB_SERIAL_CPU : LAB_SERIAL_OPENCL;
      dots = find_dots (layout, LS_ITEM_RINGS, lane, &n);
      const double worker = (double) (dots[2] - dots[0]); /* from one worker to two, px */

      g_assert_cmpuint (n, ==, lane == 0 ? 4 : 5);
      g_assert_cmpfloat (worker, >, 5);
      for (guint i = 0; i < n; i++)
        {
          const double x = pow (2, i),
                       ideal = (double) guide[1]
                               + ((double) dots[2 * i] - (double) guide[0]) / (double) (guide[2] - guide[0])
                                   * (double) (guide[3] - guide[1]),
                       speed_up = 1 / (serial + (1 - serial) / x);

          g_assert_cmpfloat_with_epsilon ((double) (dots[2 * i] - guide[0]), worker * x, .1);
          /* as far up as its speed-up is of the ideal one */
          g_assert_cmpfloat_with_epsilon ((double) (guide[1] - dots[2 * i + 1]) / ((double) guide[1] - ideal),
                                          speed_up / x, .002);
          rings++;
        }
    }
  g_assert_cmpuint (rings, ==, 9);
  g_assert_true (says (s, "serial share s 5.90 % ±"));
  g_assert_true (says (s, "never over 17×"));
  g_assert_true (says (s, "serial share s 1.50 % ±"));
  g_assert_true (says (s, "S(n) = 1 / (s + (1 − s)/n)"));
  g_assert_true (says (s, "ideal"));
  g_assert_true (says (s, "5.66× · 71 %"));
  g_assert_true (says (s, "2 months ago"));
}

static void
test_batch (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsScalingState state = { .open = LS_SCALING_BATCH };
  g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
  guint n;
  const float *dots = find_dots (layout, LS_ITEM_DOTS, 0, &n);

  /* times: a line, so dots lie on one */
  g_assert_cmpuint (n, ==, 13);
  for (guint i = 1; i + 1 < n; i++)
    {
      const double slope = (double) (dots[2 * n - 1] - dots[1]) / (double) (dots[2 * n - 2] - dots[0]),
                   at = (double) dots[1] + slope * (double) (dots[2 * i] - dots[0]);
      g_assert_cmpfloat_with_epsilon ((double) dots[2 * i + 1], at, .05);
    }
  g_assert_true (says (layout->still, "a 122 ± 1.3 µs, b 2.20 ± 0.022 µs"));
  g_assert_true (says (layout->still, "t = a + b·n"));
  g_assert_true (says (layout->still, "9.13\u00a0ms")); /* 122 + 2.2·4096 µs */

  /* rates: along, each power of two is as far from the next */
  state.rate = TRUE;
  g_autoptr (LsLayout) rates = draw (results, &state, 1280, 800);
  dots = find_dots (rates, LS_ITEM_DOTS, 0, &n);
  for (guint i = 1; i < n; i++)
    {
      g_assert_cmpfloat_with_epsilon ((double) (dots[2 * i] - dots[2 * i - 2]), (double) (dots[2] - dots[0]),
                                      .01);
      g_assert_cmpfloat ((double) dots[2 * i + 1], <, (double) dots[2 * i - 1]);
    }
  g_assert_true (says (rates->still, "samples per second"));
  g_assert_true (says (rates->still, "448\xc2\xa0k")); /* 4096 in 9.13 ms */
  g_assert_true (says (rates->still, "a 122 ±"));
}

/* Times, and samples by them, are measured; what is worked out of them with a count, a roof or the best is
 * derived, and has rings for dots. */
static void
test_evidence (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  guint seen[LS_SCALING_OF_BEST + 1] = { 0 };

  for (guint i = 0; i < 2 * LS_SCALING_N; i++)
    {
      const LsScalingState state = { .open = (LsScalingKind) (i / 2), .rate = i % 2 == 1 };
      g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
      const LsScaling *own = layout->own;
      guint rings = 0, derived = 0;

      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          rings += item->kind == LS_ITEM_RINGS ? item->n_points : 0;
        }
      for (guint kind = 0; kind < LS_SCALING_N; kind++)
        {
          const LsScalingPanel *panel = &own->panels[kind];

          if (own->cells[kind].w <= 0)
            continue;
          seen[panel->value]++;
          for (guint lane = 0; lane < LS_MAX_LANES; lane++)
            if (panel->value != LS_SCALING_TIME && panel->value != LS_SCALING_PER_S)
              derived += (panel->lanes[lane].dots != NULL ? panel->lanes[lane].dots->len : 0)
                         + (panel->others[lane].dots != NULL ? panel->others[lane].dots->len : 0);
        }
      if (rings != derived)
        g_error ("with panel %d open %u values are derived, and %u have rings", state.open, derived, rings);
    }
  for (guint value = 0; value < G_N_ELEMENTS (seen); value++)
    if (seen[value] == 0 && value != LS_SCALING_OF_ROOF) /* the invented machine has no roofs */
      g_error ("no panel shows values of kind %u", value);
}

/* The line of a law goes through its dots, and the number printed is the fit's. */
static void
test_law (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = { .open = LS_SCALING_THREADS };
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
  LsScalingPanel panel;

  ls_scaling_panel_init (&panel, layout, LS_SCALING_THREADS);
  for (guint lane = 0; lane < 2; lane++)
    {
      const LsScalingLane *own = &panel.lanes[lane];
      g_autofree char *words = ls_scaling_fit (&panel, own);
      const LsFigure *serial = &own->fit.law.constants[LS_LAW_SERIAL];
      g_autofree char *value = ls_number_text (100 * serial->value, 3),
                      *half = ls_number_text (50 * (serial->q3 - serial->q1), 2),
                      *expected = g_strdup_printf ("s %s %% ± %s", value, half);

      g_assert_true (own->fitted && own->fit.law.holds);
      g_assert_nonnull (strstr (words, expected));
      g_assert_true (says (layout->still, expected));
      for (guint i = 0; i < own->dots->len; i++)
        {
          const LsScalingDot *dot = &g_array_index (own->dots, LsScalingDot, i);
          double low, high;

          g_assert_true (dot->covered);
          g_assert_cmpfloat_with_epsilon (ls_scaling_law (&panel, own, dot->x, &low, &high), dot->value,
                                          1e-4);
          g_assert_cmpfloat (low, <, dot->value);
          g_assert_cmpfloat (high, >, dot->value);
        }
    }
  ls_scaling_panel_clear (&panel);
}

static gboolean
fit_of (LsLayout *layout, LsScalingKind kind, char **words, double *from)
{
  LsScalingPanel panel;
  gboolean holds;

  ls_scaling_panel_init (&panel, layout, kind);
  holds = panel.lanes[0].fitted && panel.lanes[0].fit.law.holds;
  *words = ls_scaling_fit (&panel, &panel.lanes[0]);
  *from = g_array_index (panel.lanes[0].dots, LsScalingDot, panel.lanes[0].fit.first).x;
  ls_scaling_panel_clear (&panel);
  return holds;
}

/* What no law gives is said, with how far it is off; so is what a law covers from some size on, and that
 * there are too few dots. */
static void
test_no_law (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsLabResult *batch = lab_fixture_find (results, "batch"), *threads = lab_fixture_find (results, "threads");
  const LsScalingState state = LS_SCALING_STATE_ALL;
  g_autofree char *late = NULL, *no = NULL, *few = NULL;
  double from;

  /* up to 8 samples it takes three times as long */
  for (guint i = 0; i < 4; i++)
    {
      LsFigure *rate = &g_array_index (batch->points[0], LsLabPoint, i).rate;
      rate->value /= 3;
      rate->q1 /= 3;
      rate->q3 /= 3;
    }
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
  g_assert_true (fit_of (layout, LS_SCALING_BATCH, &late, &from));
  g_assert_cmpfloat (from, ==, 16);
  g_assert_nonnull (strstr (late, ", from 16 on"));
  for (guint i = 0; i < batch->points[0]->len; i += 2)
    {
      LsFigure *rate = &g_array_index (batch->points[0], LsLabPoint, i).rate;
      rate->value *= 2;
      rate->q1 *= 2;
      rate->q3 *= 2;
    }
  g_array_set_size (threads->points[0], 2);
  g_autoptr (LsLayout) other = draw (results, &state, 1920, 1080);
  g_assert_false (fit_of (other, LS_SCALING_BATCH, &no, &from));
  g_assert_nonnull (strstr (no, "doesn’t fit, up to "));
  g_assert_true (says (other->still, no));
  g_assert_false (fit_of (other, LS_SCALING_THREADS, &few, &from));
  g_assert_cmpstr (few, ==, "a fit takes 4 dots");
  g_assert_true (says (other->still, "no law fits"));
}

/* Whatever is shown, at every size, in every look, in wide letters. */
static void
test_faults (void)
{
  g_autoptr (GPtrArray) results = lab_fixture (), none = g_ptr_array_new ();
  static const double stretches[] = { 1, 1.3 };

  for (guint filled = 0; filled < 2; filled++)
    {
      g_autoptr (LsViewData) data = data_with (filled ? results : none, NULL);
      for (gsize k = 0; k < G_N_ELEMENTS (stretches); k++)
        for (guint size = 0; size < 4; size++)
          for (guint look = 0; look < LS_LOOK_N; look++)
            for (gint open = -1; open < LS_SCALING_N; open++)
              for (guint form = 0; form < 4; form++)
                {
                  LsScalingState state = { .open = open, .page = open < 0 ? form / 2 : 0, .rate = form % 2 };
                  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (stretches[k]);
                  LsQuery query = LS_QUERY_INIT;

                  query.state = &state;
                  query.chrome = query.key = form / 2;
                  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_scaling, data, &query,
                                                              (LsLook) look, draw_sizes[size][0],
                                                              draw_sizes[size][1]);
                  check_layout (layout, filled ? "measured" : "not measured");
                }
    }
  end_faults ();
}

/* A click opens the panel that is there, keys go from one to the next, and there is a way back. */
static void
test_keys (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  LsScalingState state = LS_SCALING_STATE_ALL;
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsViewData) data = data_with (results, NULL);

  query.state = &state;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 960, 600);
  const LsItem *batch = find_text (layout->still, "Batch");
  g_assert_nonnull (batch);
  g_assert_cmpint (ls_view_scaling.point (layout, (double) batch->x + 2, (double) batch->y + 20, &query), ==,
                   LS_ACT_CHANGED);
  g_assert_cmpint (state.open, ==, LS_SCALING_BATCH);
  g_assert_cmpint (ls_view_scaling.key (layout, LS_KEY_LET_GO, &query), ==, LS_ACT_CHANGED);
  g_assert_cmpint (state.open, ==, -1);
  g_assert_cmpint (ls_view_scaling.key (layout, LS_KEY_LET_GO, &query), ==, LS_ACT_NONE);
  g_assert_cmpint (ls_view_scaling.key (layout, LS_KEY_PAGE, &query), ==, LS_ACT_CHANGED);
  g_assert_cmpuint (state.page, ==, 1);
  state.page = 0;
  for (guint i = 0; i <= LS_SCALING_N; i++)
    {
      g_assert_cmpint (ls_view_scaling.key (layout, LS_KEY_NEXT, &query), ==, LS_ACT_CHANGED);
      g_assert_cmpint (state.open, ==, i < LS_SCALING_N ? (gint) i : -1);
    }
  ls_view_scaling.key (layout, LS_KEY_PREVIOUS, &query);
  g_assert_cmpint (state.open, ==, LS_SCALING_N - 1);
}

static void
test_words (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = LS_SCALING_STATE_ALL;
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080), empty = NULL;
  g_autofree char *text = ls_layout_describe (layout), *none = NULL;

  g_assert_nonnull (
    strstr (text, "Threads and units, speed-up over one worker · efficiency: CPU: 5.66× · 71 % at 8; "));
  g_assert_nonnull (strstr (text, "Batch, time of a step, ms: CPU: 9.13\u00a0ms at 4"));
  g_assert_nonnull (strstr (text, "Matrix size, time of a product, "));
  g_assert_nonnull (strstr (text, "half speed at n½ = 104 ±"));
  g_assert_nonnull (strstr (text, "full at 79 at 1"));
  g_assert_nonnull (strstr (text, "CPU: not measurable here. The edge of its tiles can’t be set."));
  g_assert_nonnull (strstr (text, "OpenCL, width 4\xe2\x80\x89"
                                  "096: The training step"));
  g_ptr_array_set_size (results, 0);
  empty = draw (results, &state, 1920, 1080);
  none = ls_layout_describe (empty);
  g_assert_nonnull (strstr (none, "Threads and units: not measured."));
  g_assert_true (says (empty->still, "Not measured where this was recorded."));
}

/* Where a lane failed stands a dash of its ink, at that size, on the axis. */
static void
test_dash (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = { .open = LS_SCALING_WIDTH };
  g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
  guint n, dashes = 0;
  const float *dots = find_dots (layout, LS_ITEM_DOTS, 0, &n);

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);

      if (item->kind != LS_ITEM_DASH)
        continue;
      dashes++;
      g_assert_cmpfloat ((double) item->value, ==, LS_INK_OF (1));
      g_assert_cmpfloat_with_epsilon ((double) item->x + (double) item->w / 2, (double) dots[2 * n - 2], .01);
    }
  g_assert_cmpuint (dashes, ==, 1);
  g_assert_true (says (layout->still, "OpenCL, width"));
  g_assert_true (says (layout->still, "1.0 GiB."));
}

/* What stands on the button that measures; NULL: there is none. */
static const char *
button_words (const LsLayout *layout)
{
  for (guint i = 0; i < layout->slots->len; i++)
    if (g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_LAB)
      return g_array_index (layout->slots, LsSlot, i).words;
  return NULL;
}

/* What is measured, how far it is and how long it takes; the button says what it would do, and what is asked
 * for is what is shown. */
static void
test_measuring (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (LsViewData) data = data_with (results, NULL);
  LsScalingState state = LS_SCALING_STATE_ALL;
  LsQuery query = LS_QUERY_INIT;
  guint n = 0;

  query.state = &state;
  data->live = TRUE;
  g_autoptr (LsLayout) rests = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1280, 800);
  g_assert_cmpstr (button_words (rests), ==, "Measure Again");
  data->measuring = (LsViewLab){ .experiment = &ls_experiment_batch,
                                 .result = ls_lab_result_ref (lab_fixture_find (results, "batch")),
                                 .spot = { 64, 0 },
                                 .done = 4,
                                 .n = 13,
                                 .seconds_left = 39.5 };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1280, 800);
  assert_faultless (layout);
  g_assert_true (says (layout->still, "being measured, 5 of 13: batch 64"));
  g_assert_true (says (layout->still, "9 points left, about 40"));
  g_assert_cmpstr (button_words (layout), ==, "Stop");
  for (; ls_view_scaling.measures (&query, n) != NULL; n++)
    for (guint i = 0; i < n; i++)
      g_assert_true (ls_view_scaling.measures (&query, i) != ls_view_scaling.measures (&query, n));
  g_assert_cmpuint (n, ==, LS_SCALING_N + 1);
  for (guint i = 0; i < n; i++) /* one is broken off */
    {
      LsLabResult *of = lab_fixture_find (results, ls_view_scaling.measures (&query, i)->name);
      of->ended = FALSE;
      of->n_sizes++;
      g_autoptr (LsViewData) some = data_with (results, NULL);
      some->live = TRUE;
      g_autoptr (LsLayout) broken_off = draw_view (&ls_view_scaling, some, &query, LS_LOOK_LIGHT, 1280, 800);
      g_assert_cmpstr (button_words (broken_off), ==, "Measure");
      of->n_sizes--;
    }
  state.open = LS_SCALING_FLIGHT;
  g_assert_true (ls_view_scaling.measures (&query, 0) == &ls_experiment_flight);
  g_assert_true (ls_view_scaling.measures (&query, 1) == &ls_experiment_flight_compute);
  g_assert_null (ls_view_scaling.measures (&query, 2));
  {
    /* the first time, while the lanes are being opened: there is no result yet */
    g_autoptr (GPtrArray) none = g_ptr_array_new ();
    g_autoptr (LsViewData) first = data_with (none, NULL);
    first->live = TRUE;
    first->measuring = (LsViewLab){ .experiment = &ls_experiment_threads };
    state.open = -1;
    g_autoptr (LsLayout) opening = draw_view (&ls_view_scaling, first, &query, LS_LOOK_LIGHT, 1280, 800);
    assert_faultless (opening);
    g_assert_true (says (opening->still, "the lanes are opening"));
  }
  data->live = FALSE; /* played back: nothing can be measured */
  g_autoptr (LsLayout) back = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1280, 800);
  g_assert_null (button_words (back));
}

/* What doesn't shrink, from the recorded step: the parts are within the step, and named. */
static void
test_shrink (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  const LsStepIndex *index = data->sides[0].index;
  LsScalingShrink shrink;
  double alone = 0, ops = 0;

  g_assert_true (ls_scaling_shrink (&data->sides[0], &shrink));
  g_assert_false (ls_scaling_shrink (&data->sides[1], &shrink));
  ls_scaling_shrink (&data->sides[0], &shrink);
  for (guint i = 0; i < index->n_ops; i++)
    if (index->ops[i].ran)
      {
        ops += (double) (index->ops[i].end_ns - index->ops[i].start_ns) / 1e3;
        alone += index->ops[i].n <= 1 ? (double) (index->ops[i].end_ns - index->ops[i].start_ns) / 1e3 : 0;
      }
  g_assert_cmpfloat_with_epsilon (shrink.alone_us, alone, 1e-6);
  g_assert_cmpfloat_with_epsilon (shrink.gaps_us, (double) index->length_ns / 1e3 - ops, 1e-6);
  g_assert_cmpfloat (shrink.tail_us, >, 0);
  g_assert_cmpfloat (shrink.alone_us + shrink.tail_us + shrink.gaps_us, <, shrink.step_us);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling/speed-up", test_speed_up);
  g_test_add_func ("/paint/scaling/batch", test_batch);
  g_test_add_func ("/paint/scaling/evidence", test_evidence);
  g_test_add_func ("/paint/scaling/law", test_law);
  g_test_add_func ("/paint/scaling/no-law", test_no_law);
  g_test_add_func ("/paint/scaling/faults", test_faults);
  g_test_add_func ("/paint/scaling/keys", test_keys);
  g_test_add_func ("/paint/scaling/words", test_words);
  g_test_add_func ("/paint/scaling/dash", test_dash);
  g_test_add_func ("/paint/scaling/measuring", test_measuring);
  g_test_add_func ("/paint/scaling/shrink", test_shrink);
  return g_test_run ();
}
