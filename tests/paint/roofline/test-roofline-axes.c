/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers beside Roofline's axes, each where it is; and a ring whose pieces tell no times, which can't
 * climb.
 */
#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"

#include <math.h>
#include <string.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

#define LEFT   200.
#define RIGHT  1100.
#define TOP    80.
#define BOTTOM 680.

static const LsItem *
text_at (const LsScene *s, const char *text, LsAlign align)
{
  for (guint i = 0; i < s->items->len; i++)
    if (ls_scene_get (s, i)->kind == LS_ITEM_TEXT && ls_scene_get (s, i)->align == align
        && strcmp (ls_scene_get (s, i)->text, text) == 0)
      return ls_scene_get (s, i);
  return NULL;
}

/* From a thousandth to ten thousand GFLOP/s numbers are written out, beyond that as powers. FLOP for each
 * byte go by fours, fractions as such. */
static void
test_numbers (void)
{
  static const struct {
    double low, high;
    const char *texts[8];
  } rates[] = {
    { .5, 2e4, { "1", "10", "100", "1 000", "10 000" } },
    { 50, 2e6, { "100", "1 000", "10 000", "10⁵", "10⁶" } },
    { 2e-5, 5, { "10⁻⁴", "0.001", "0.01", "0.1", "1" } },
  };
  static const struct {
    double at;
    const char *text;
  } bytes[] = { { .0625, "1/16" }, { .25, "¼" }, { 1, "1" },     { 4, "4" },
                { 16, "16" },      { 64, "64" }, { 256, "256" }, { 1024, "1 024" } };
  static const double reach[][2] = { { .05, 300 }, { .2, 70 }, { .9, 2000 } };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_autoptr (GArray) ops = g_array_new (FALSE, FALSE, sizeof (LsRoofOp));
  g_autofree char *thousand = ls_number_tick (1000), *space = g_strndup (thousand + 1, strlen (thousand) - 4);
  LsScene *s = layout->still;

  for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
    {
      LsRoofPlot plot = { .layout = layout,
                          .lane = &data->sides[0],
                          .ops = ops,
                          .left = LEFT,
                          .right = RIGHT,
                          .top = TOP,
                          .bottom = BOTTOM };

      ls_axis_init (&plot.x, reach[r][0], reach[r][1], LEFT, RIGHT, TRUE, 9);
      ls_axis_init (&plot.y, rates[r].low, rates[r].high, BOTTOM, TOP, TRUE, 6);
      ls_scene_clear (s);
      ls_roof_axes (&plot);
      for (guint i = 0; rates[r].texts[i] != NULL; i++)
        {
          g_auto (GStrv) parts = g_strsplit (rates[r].texts[i], " ", -1);
          g_autofree char *text = g_strjoinv (space, parts);
          const LsItem *item = text_at (s, text, LS_RIGHT);
          const double tick = pow (10, ceil (log10 (rates[r].low)) + i);

          if (item == NULL)
            g_error ("“%s” isn’t beside the axis from %g to %g", text, rates[r].low, rates[r].high);
          g_assert_cmpfloat_with_epsilon ((double) item->y, ls_axis_at (&plot.y, tick) + .36 * item->type.px,
                                          .1);
          g_assert_cmpfloat (ls_item_right (item), <, LEFT);
        }
      for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
        {
          g_auto (GStrv) parts = g_strsplit (bytes[i].text, " ", -1);
          g_autofree char *text = g_strjoinv (space, parts);
          const LsItem *item = text_at (s, text, LS_CENTER);
          const gboolean within = bytes[i].at >= reach[r][0] && bytes[i].at <= reach[r][1];

          if ((item != NULL) != within)
            g_error ("“%s” is%s under the axis from %g to %g", text, within ? "n’t" : "", reach[r][0],
                     reach[r][1]);
          if (item == NULL)
            continue;
          const double middle = ((double) item->x + ls_item_right (item)) / 2;
          g_assert_true (fabs (middle - ls_axis_at (&plot.x, bytes[i].at)) < .1
                         || fabs (ls_item_right (item) - RIGHT) < .1);
          g_assert_cmpfloat ((double) item->y, >, BOTTOM);
        }
    }
}

/* Where pieces tell their order alone a ring stands at its op's rate from the op's beginning on. */
static void
test_untimed (void)
{
  const LsFixture f = {
    .workers = 2, .batch = 64, .tiles = 16, .groups = 32, .known = LS_KNOWN_ORDER, .units = 4, .steps = 40
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const LsStepIndex *index = data->sides[1].index;
  guint moments = 0;

  for (guint op = 0; op < index->n_ops; op++)
    {
      const LsOpTrace *trace = &index->ops[op];

      if (!trace->ran || trace->n < 2 || trace->timed)
        continue;
      for (guint part = 1; part < 4; part++)
        {
          LsQuery query = LS_QUERY_INIT;

          query.op = op;
          query.time_ns = trace->start_ns + (trace->end_ns - trace->start_ns) * part / 4;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920,
                                                   1080);
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *now = ls_scene_get (layout->moving, i);
              const float *at = &g_array_index (layout->moving->points, float, 2 * now->points);
              gboolean stands = FALSE;

              if (now->kind != LS_ITEM_RINGS || now->ink != LS_INK_MARK || now->value != 1)
                continue;
              for (guint k = 0; k < layout->still->items->len; k++)
                {
                  const LsItem *still = ls_scene_get (layout->still, k);
                  const float *there = &g_array_index (layout->still->points, float, 2 * still->points);
                  stands |= still->kind == LS_ITEM_RINGS && still->ink == LS_INK_SOFT && still->value == 1
                            && fabsf (at[0] - there[0]) < .1f && fabsf (at[1] - there[1]) < .1f;
                }
              if (!stands)
                g_error ("at %u/4 of %s a ring stands at %.1f, %.1f, where no op’s rate is", part,
                         data->recording->ops[op].symbol, (double) at[0], (double) at[1]);
              moments++;
            }
        }
    }
  g_assert_cmpuint (moments, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/roofline-axes/numbers", test_numbers);
  g_test_add_func ("/paint/roofline-axes/untimed", test_untimed);
  return g_test_run ();
}
