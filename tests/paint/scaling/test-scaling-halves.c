/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling's middle halves: lines from quartile to quartile. What another machine or version measured says so.
 * What of a step doesn't shrink, as a bar; and what can be asked for.
 */
#include "config.h"
#include "tests/paint/places.h"
#include "tests/paint/said.h"
#include "tests/paint/scaling/scaling-rig.h"
#include "tests/plain.h"

#include <math.h>
#include <string.h>

#include "core/number.h"

/* A dot's middle half is the line through it, and no more and no less. */
static void
test_middle_halves (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const LsScalingState state = { .open = LS_SCALING_BATCH };
  LsLabResult *batch = lab_fixture_find (results, "batch");
  guint seen = 0;

  for (guint lane = 0; lane < 2; lane++)
    for (guint i = 0; i < batch->points[lane]->len; i++)
      {
        LsFigure *rate = &g_array_index (batch->points[lane], LsLabPoint, i).rate;
        rate->q1 = rate->value * .6;
        rate->q3 = rate->value * 1.9;
      }
  g_autoptr (LsLayout) layout = draw (results, &state, 1920, 1080);
  LsScalingPanel panel;
  ls_scaling_panel_init (&panel, layout, LS_SCALING_BATCH);
  for (guint lane = 0; lane < 2; lane++)
    {
      const LsScalingLane *own = &panel.lanes[lane];
      guint n;
      const float *dots = find_dots (layout, LS_ITEM_DOTS, lane, &n);

      g_assert_cmpuint (n, ==, own->dots->len);
      /* where its ends must be, from two dots: as far as their values are apart */
      const LsScalingDot *a = &g_array_index (own->dots, LsScalingDot, 0),
                         *b = &g_array_index (own->dots, LsScalingDot, n - 1);
      LsScale y
        = { .n = 2,
            .log = panel.y.log,
            .ticks = { { a->value, (double) dots[1], "a" }, { b->value, (double) dots[2 * n - 1], "b" } } };
      g_free (ls_scale_learn (&y, "dots"));
      for (guint k = 0; k < n; k++)
        {
          const LsScalingDot *dot = &g_array_index (own->dots, LsScalingDot, k);
          for (guint i = 0; i < layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              const float *at = &g_array_index (layout->still->points, float, 2 * item->points);
              if (item->kind != LS_ITEM_LINE || item->n_points != 2 || item->evidence == 255
                  || (guint) item->value != LS_INK_OF (lane) || fabsf (at[0] - at[2]) > .01f
                  || fabsf (at[0] - dots[2 * k]) > .01f)
                continue;
              seen++;
              g_assert_cmpfloat_with_epsilon ((double) at[1], ls_scale_px (&y, dot->low), 1);
              g_assert_cmpfloat_with_epsilon ((double) at[3], ls_scale_px (&y, dot->high), 1);
              g_assert_cmpfloat (dot->low, <, .7 * dot->value);
              g_assert_cmpfloat (dot->high, >, 1.4 * dot->value);
            }
        }
    }
  ls_scaling_panel_clear (&panel);
  g_assert_cmpuint (seen, >=, 8);
}

/* A lane’s best is 100 %, also where more in flight makes it slower again, and nothing is above. */
static void
test_of_best (void)
{
  for (guint best = 0; best < 11; best++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      const GArray *points = lab_fixture_find (results, "flight")->points[0];
      const LsScalingState state = { .open = LS_SCALING_FLIGHT };
      g_autoptr (LsLayout) layout = NULL;
      const LsScaling *own;
      const GArray *dots;

      g_assert_cmpuint (points->len, ==, 11);
      for (guint i = 0; i < points->len; i++)
        g_array_index (points, LsLabPoint, i).rate.value = i == best ? 5e8 : 4e8;
      layout = draw (results, &state, 1280, 800);
      own = layout->own;
      dots = own->panels[LS_SCALING_FLIGHT].lanes[0].dots;
      g_assert_cmpuint (dots->len, ==, points->len);
      for (guint i = 0; i < dots->len; i++)
        {
          const double value = g_array_index (dots, LsScalingDot, i).value;
          if (fabs (value - (i == best ? 100 : 80)) > 1e-6)
            g_error ("with the best at %u in flight, %u are shown as %g %% of it", 1u << best, 1u << i,
                     value);
        }
    }
}

/* Where one worker alone wasn't measured the fewest that were count as so many times as fast; and beside a
 * share of the roof or GFLOP/s stands the rate that was measured last. */
static void
test_first (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  const GArray *points = lab_fixture_find (results, "threads")->points[0],
               *sizes = lab_fixture_find (results, "size")->points[0];
  LsScalingState state = { .open = LS_SCALING_THREADS };

  g_array_remove_index ((GArray *) points, 0);
  g_autoptr (LsLayout) layout = draw (results, &state, 1280, 800);
  const LsScaling *own = layout->own;
  const GArray *dots = own->panels[LS_SCALING_THREADS].lanes[0].dots;
  for (guint i = 0; i < dots->len; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (dots, LsScalingDot, i).value,
                                    2 * g_array_index (points, LsLabPoint, i).rate.value
                                      / g_array_index (points, LsLabPoint, 0).rate.value,
                                    1e-9);
  state = (LsScalingState){ .open = LS_SCALING_SIZE, .rate = TRUE };
  g_autoptr (LsLayout) rates = draw (results, &state, 1280, 800);
  const LsScaling *of_rates = rates->own;
  const LsScalingPanel *panel = &of_rates->panels[LS_SCALING_SIZE];
  g_autofree char *last = plain (
    ls_number_text (g_array_index (sizes, LsLabPoint, sizes->len - 1).rate.value, 3));
  assert_said (ls_scaling_last (panel, &panel->lanes[0]), last);
}

/* The law is said of the dots that it was made of, and of no other: those that share a core, or that are
 * before its first, are apart. */
static void
test_covered (void)
{
  for (guint more = 0; more < 2; more++)
    {
      g_autoptr (GPtrArray) results = lab_fixture ();
      LsLabResult *result = lab_fixture_find (results, "threads"); /* 1, 2, 4 and 8 on 8 cores */
      const LsScalingState state = { .open = -1 };
      g_autoptr (LsLayout) layout = NULL;
      LsLabPoint shared = g_array_index (result->points[0], LsLabPoint, 3);

      g_assert_cmpuint (result->points[0]->len, ==, 4);
      shared.x = 16;
      if (more)
        g_array_append_val (result->points[0], shared);
      layout = draw (results, &state, 1920, 1080);
      const LsScaling *own = layout->own;
      const LsScalingLane *lane = &own->panels[LS_SCALING_THREADS].lanes[0];
      g_assert_true (lane->fitted && lane->fit.law.holds);
      g_assert_cmpuint (lane->dots->len, ==, 4 + more);
      for (guint i = 0; i < lane->dots->len; i++)
        if (g_array_index (lane->dots, LsScalingDot, i).covered != (i < 4))
          g_error ("of %u dots, 4 of them on cores of their own, the law is drawn %s dot %u", lane->dots->len,
                   i < 4 ? "without" : "with", i);
    }
}

/* Also where there is no room for which machine. */
static void
test_foreign (void)
{
  static const struct {
    const char *program, *brief;
  } cases[] = { { "Lockstep 0.0.1", "by Lockstep 0.0.1, 2 months ago" },
                { "Lockstep " LS_VERSION, "on another machine, 2 months ago" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (double width = 960; width <= 3840; width *= 2)
      {
        g_autoptr (GPtrArray) results = lab_fixture ();
        const LsScalingState state = { .open = -1 };
        g_autoptr (LsLayout) layout = NULL;

        for (guint r = 0; r < results->len; r++)
          {
            LsLabResult *result = results->pdata[r];
            g_free (result->program);
            result->program = g_strdup (cases[i].program);
            result->foreign = TRUE;
          }
        layout = draw_on ("2025-12-26", results, &state, width, width / 1.6);
        if (!says (layout->still, cases[i].brief)
            && !says (layout->still, "measured on 2025-10-10 by Lockstep"))
          {
            g_autofree char *all = all_texts (layout->still, " | ");
            g_error ("at %.0f px nothing says “%s”: %s", width, cases[i].brief, all);
          }
      }
}

/* ---- what doesn't shrink ---- */

/* Three boxes side by side, as wide as their parts of the sum, each with its name under it and its time in
 * it; the sum is told, of the step. A lane of one thread has none. */
static void
test_shrink_bar (void)
{
  static const char *const names[] = { "small ops", "last tiles", "between ops" };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  const LsViewLane *lane = &data->sides[0];
  const LsStepIndex *index = lane->index;
  g_autoptr (LsLayout) layout = NULL;
  double parts[3] = { 0 }, ops = 0, sum, left = 0, per_us = 0;
  LsScalingShrink shrink;
  LsQuery query = LS_QUERY_INIT;
  guint boxes = 0, texts = 0;

  for (guint i = 0; i < index->n_ops; i++)
    {
      const LsOpTrace *op = &index->ops[i];
      const double us = (double) (op->end_ns - op->start_ns) / 1e3;
      double busy = 0;

      if (!op->ran)
        continue;
      ops += us;
      for (guint k = 0; k < op->n; k++)
        busy += (double) (ls_step_index_piece (index, op, k)->end_ns
                          - ls_step_index_piece (index, op, k)->start_ns)
                / 1e3;
      if (op->n == 1)
        parts[0] += us;
      else if (op->n_rows > 1) /* that is idle for as long on each of its workers, in the mean */
        parts[1] += us - busy / op->n_rows;
    }
  parts[2] = (double) index->length_ns / 1e3 - ops;
  sum = parts[0] + parts[1] + parts[2];
  g_assert_true (ls_scaling_shrink (lane, &shrink));
  g_assert_cmpfloat_with_epsilon (shrink.tail_us, parts[1], 1e-6);
  layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  ls_scene_clear (layout->still);
  g_assert_cmpfloat (ls_scaling_shrink_bar (layout, lane, (LsArea){ 100, 50, 600, 200 }), >, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *box = ls_scene_get (layout->still, i);
      if (box->kind != LS_ITEM_HOLLOW)
        continue;
      g_autofree char *us = ls_number_text (parts[boxes], 2);
      g_assert_cmpfloat ((double) box->x, >=, boxes > 0 ? left : 100);
      left = (double) (box->x + box->w);
      per_us = boxes == 0 ? ((double) box->w + 2) / parts[0] : per_us;
      g_assert_cmpfloat_with_epsilon ((double) box->w + 2, per_us * parts[boxes], .5);
      g_assert_cmpfloat ((double) box->value, ==, LS_INK_OF (lane->ink));
      /* its time within, its name under it, as far as there is room */
      for (guint k = i + 1; k < layout->still->items->len; k++)
        {
          const LsItem *text = ls_scene_get (layout->still, k);
          const double middle = ((double) text->x + ls_item_right (text)) / 2;
          if (text->kind != LS_ITEM_TEXT)
            break;
          g_assert_cmpfloat_with_epsilon (middle, (double) (box->x + box->w / 2), 1.5);
          g_assert_cmpstr (text->text, ==, (double) text->y < (double) (box->y + box->h) ? us : names[boxes]);
          texts++;
        }
      boxes++;
    }
  g_assert_cmpuint (boxes, ==, 3);
  g_assert_cmpuint (texts, >=, 4);
  g_assert_cmpfloat_with_epsilon (left, 698, 1);
  g_autofree char *part = ls_number_text (sum, 3), *whole = ls_number_text (shrink.step_us, 3),
                  *words = g_strdup_printf ("%s: %s of %s µs", lane->brief, part, whole);
  g_assert_true (says (layout->still, words));
  g_assert_true (says (layout->still, "What does not shrink"));
  lane->recorded->device->threads = 1;
  g_assert_false (ls_scaling_shrink (lane, &shrink));
}

/* ---- what is asked for ---- */

static void
test_options (void)
{
  static const struct {
    const char *option, *text;
    gint open;
    gboolean rate, good;
  } rows[] = { { "shown-as", "latency", -1, FALSE, TRUE }, { "shown-as", "throughput", -1, TRUE, TRUE },
               { "shown-as", "rate", -1, FALSE, FALSE },   { "panel", "threads", 0, FALSE, TRUE },
               { "panel", "flight", 1, FALSE, TRUE },      { "panel", "batch", 2, FALSE, TRUE },
               { "panel", "size", 3, FALSE, TRUE },        { "panel", "edge", 4, FALSE, TRUE },
               { "panel", "width", 5, FALSE, TRUE },       { "panel", "tiles", 6, FALSE, TRUE },
               { "panel", "depth", -1, FALSE, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsViewOption *option = ls_view_scaling.options;
      LsScalingState state = LS_SCALING_STATE_ALL;

      while (strcmp (option->name, rows[i].option) != 0)
        option++;
      g_autofree char *wrong = option->read (NULL, rows[i].text, &state);
      g_test_message ("%s %s", rows[i].option, rows[i].text);
      g_assert_cmpint (wrong == NULL, ==, rows[i].good);
      g_assert_cmpint (state.open, ==, rows[i].open);
      g_assert_cmpint (state.rate, ==, rows[i].rate);
      if (!rows[i].good)
        g_assert_nonnull (strstr (wrong, " or "));
    }
}

/* Where a plot is too low for all numbers beside its lines, as many stand there as have room: a line that has
 * none lies close above one that has. */
static void
test_close_ticks (void)
{
  g_autoptr (GPtrArray) results = lab_fixture ();
  g_autoptr (LsViewData) data = data_with (results, NULL);
  guint bare = 0;

  for (guint form = 0; form < 6; form++)
    {
      LsScalingState state = { .open = -1, .page = form / 2, .rate = form % 2 };
      LsQuery query = LS_QUERY_INIT;

      query.state = &state;
      query.chrome = query.key = TRUE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_scaling, data, &query, LS_LOOK_PROJECTOR, 960, 600);
      const LsScaling *own = layout->own;
      const LsScene *s = layout->still;

      for (guint k = 0; k < LS_SCALING_N; k++)
        {
          const LsScalingPanel *panel = &own->panels[k];
          double told = HUGE_VAL;

          if (!ls_scaling_has_dots (panel) || panel->right <= panel->left)
            continue;
          for (guint t = 0; t < panel->y.n_ticks; t++)
            {
              const double y = ls_axis_at (&panel->y, panel->y.ticks[t]);
              gboolean number = FALSE;

              for (guint i = 0; i < s->items->len; i++)
                {
                  const LsItem *item = ls_scene_get (s, i);
                  number = number
                           || (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT
                               && fabs (ls_text_middle (item) - y) < .5
                               && fabs (ls_item_right (item) - panel->left) < 2 * layout->m.unit);
                }
              if (!number && told - y > 1.2 * layout->m.tick.px + .5)
                g_error ("%s: no number stands beside %g, %.1f px above the number below it",
                         ls_scaling_title ((LsScalingKind) k), panel->y.ticks[t], told - y);
              bare += !number;
              told = number ? y : told;
            }
        }
    }
  g_assert_cmpuint (bare, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling-halves/quartiles", test_middle_halves);
  g_test_add_func ("/paint/scaling-halves/of-best", test_of_best);
  g_test_add_func ("/paint/scaling-halves/first", test_first);
  g_test_add_func ("/paint/scaling-halves/covered", test_covered);
  g_test_add_func ("/paint/scaling-halves/foreign", test_foreign);
  g_test_add_func ("/paint/scaling-halves/shrink-bar", test_shrink_bar);
  g_test_add_func ("/paint/scaling-halves/options", test_options);
  g_test_add_func ("/paint/scaling-halves/close-ticks", test_close_ticks);
  return g_test_run ();
}
