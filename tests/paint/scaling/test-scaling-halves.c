/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling's middle halves: lines from quartile to quartile.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/lab_fixture.h"
#include "tests/paint/places.h"

#include <math.h>

#include "ui/paint/scaling/scaling.h"
#include "ui/paint/views.h"

static LsViewData *
data_with (GPtrArray *results)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
  const LsViewBeside beside = { .lab = results };

  return ls_view_data_from_recording (recording, &beside);
}

static LsLayout *
draw (GPtrArray *results, const LsScalingState *state, double w, double h)
{
  g_autoptr (LsViewData) data = data_with (results);
  LsScalingState own = *state;
  LsQuery query = LS_QUERY_INIT;

  query.state = &own;
  return draw_view (&ls_view_scaling, data, &query, LS_LOOK_LIGHT, w, h);
}

/* The n-th list of dots or rings of that lane; their pixels, pairs of x and y. */
static const float *
find_dots (const LsLayout *layout, LsItemKind kind, guint ink, guint *n)
{
  const LsScene *s = layout->still;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != kind || item->evidence == 255 || (guint) item->value != LS_INK_OF (ink)
          || item->n_points < 3)
        continue;
      *n = item->n_points;
      return &g_array_index (s->points, float, 2 * item->points);
    }
  g_error ("lane %u has no such dots", ink);
}

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/scaling-halves/quartiles", test_middle_halves);
  return g_test_run ();
}
