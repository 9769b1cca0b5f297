/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ring climbs while its op runs.
 */
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"

#include <math.h>

#include "ui/paint/roofline/roofline.h"
#include "ui/paint/views.h"

/* Where a ring of that rate stands in the left plot: from two of the numbers at its axis. */
static double
ring_height (const LsLayout *layout, const LsRoofOp *op, double rate)
{
  const LsItem *tick[2] = { NULL };
  const char *const words[] = { "1", "10" };

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      for (guint k = 0; k < 2; k++)
        if (item->kind == LS_ITEM_TEXT && item->align == LS_RIGHT && g_str_equal (item->text, words[k])
            && (double) item->x < layout->width / 4)
          tick[k] = item;
    }
  g_assert_true (tick[0] != NULL && tick[1] != NULL);
  const double a = (double) tick[0]->y, b = (double) tick[1]->y, base = .36 * tick[0]->type.px;
  return a - base + (b - a) * log10 (MAX (rate / 1e9, 1e-3));
}

/* While its op runs, a ring stands where the pieces that are done put it: their share of the work over the
 * time that has passed. Before the first is done it is at the foot, in the end at the op's own rate. */
static void
test_climbs (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  const LsViewLane *lane = &data->sides[0];
  g_autoptr (GArray) ops = ls_roofline_ops (data->recording, lane, NULL);
  guint compared = 0;

  for (guint k = 0; k < ops->len; k++)
    {
      const LsRoofOp *op = &g_array_index (ops, LsRoofOp, k);
      const LsOpTrace *trace = &lane->index->ops[op->op];
      if (trace->n < 4 || !trace->timed || op->rate < 1e9) /* slow ones lie at the foot anyway */
        continue;
      for (guint tenth = 1; tenth <= 10; tenth += 3)
        {
          LsQuery query = LS_QUERY_INIT;
          guint done = 0;
          double low = HUGE_VAL, most = 0;

          query.op = op->op;
          query.time_ns = trace->start_ns + (trace->end_ns - trace->start_ns) * tenth / 10;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_roofline, data, &query, LS_LOOK_LIGHT, 1920,
                                                   1080);
          for (guint i = 0; i < trace->n; i++)
            done += (gint64) (ls_step_index_piece (lane->index, trace, i)->end_ns - lane->recorded->start_ns)
                    <= query.time_ns;
          const double expected = op->rate * done / trace->n * 10 / tenth;
          /* of the larger frame round it the middle, on the scale that the still rings show */
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->moving, i);
              if (item->kind == LS_ITEM_RINGS && item->ink == LS_INK_TEXT)
                {
                  const double y = (double) g_array_index (layout->moving->points, float,
                                                           2 * item->points + 1);
                  low = MIN (low, y);
                  most = MAX (most, y);
                }
            }
          g_test_message ("op %u at %u tenths: %u of %u pieces, %.3g FLOP/s, from %.1f to %.1f px", op->op,
                          tenth, done, trace->n, expected, low, most);
          g_assert_cmpfloat (low, <, HUGE_VAL);
          /* a hundred times as fast is so many px higher on the logarithmic axis */
          const double own = ring_height (layout, op, op->rate), there = ring_height (layout, op, expected);
          if (done == 0)
            g_assert_cmpfloat (most, >, own + 50);
          else
            g_assert_true (fabs (low - there) < 1 || fabs (most - there) < 1);
          compared += fabs (own - there) > 1;
        }
    }
  g_assert_cmpuint (compared, >, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/roofline/climbs", test_climbs);
  return g_test_run ();
}
