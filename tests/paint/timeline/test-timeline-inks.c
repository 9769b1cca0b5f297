/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row of the timeline says of itself: in which ink its bars are, where it had no tile; and over which
 * time the clock's hand stands.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

/* In a worker's row it stands in the place of an op that it had no tile of: that of an op which has others,
 * and never where the row has a tile of it. */
static void
test_no_tile (void)
{
  guint said = 0;

  for (guint form = 0; form < 60; form++)
    {
      const LsFixture f = { LS_CORES (6), .batch = 128,   .tiles = 1 + 2 * (form / 20),
                            .groups = 8,  .on_cpu = TRUE, .steps = 40 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      LsQuery query = LS_QUERY_INIT;
      const GArray *events = data->sides[0].recorded->events;

      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT,
                                               1600 + 118 * (form % 20), 2160);
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          const LsTimelineRow *row = NULL;
          guint ops = 0;

          if (item->kind != LS_ITEM_TEXT || !g_str_has_prefix (item->text, "no tile"))
            continue;
          for (guint r = 0; r < lane->rows->len; r++)
            {
              const LsTimelineRow *of = &g_array_index (lane->rows, LsTimelineRow, r);
              if (of->kind == LS_ROW_WORKER && (double) item->y > of->y && (double) item->y < of->y + of->h)
                row = of;
            }
          if (row == NULL)
            continue;
          for (guint op = 0; op < data->recording->n_ops; op++)
            {
              const LsOpTrace *trace = &data->sides[0].index->ops[op];
              guint n = 0;

              if (!trace->ran || ABS (ls_time_x (&lane->scale, trace->start_ns) + 10 - (double) item->x) > 1)
                continue;
              for (guint e = 0; e < events->len; e++)
                {
                  const LsEvent *tile = &g_array_index (events, LsEvent, e);
                  if (tile->kind != LS_EVENT_TILE || tile->op != op)
                    continue;
                  n++;
                  if ((gint) tile->worker == row->number)
                    g_error ("worker %d has tile %u of %s, and “%s” is said there", row->number, tile->tile,
                             data->recording->ops[op].symbol, item->text);
                }
              if (ls_item_right (item) + 16 > ls_time_x (&lane->scale, trace->end_ns) + .5)
                g_error ("“%s” reaches beyond the time of %s", item->text, data->recording->ops[op].symbol);
              g_autofree char *count = ls_number_count (n);
              g_autofree char *all = n == 1 ? g_strdup ("no tile: there was only 1")
                                            : g_strdup_printf ("no tile: others took all %s", count);
              if (strcmp (item->text, "no tile") != 0)
                g_assert_cmpstr (item->text, ==, all);
              ops++;
            }
          g_assert_cmpuint (ops, >, 0);
          said++;
        }
    }
  g_assert_cmpuint (said, >, 10);
}

/* A row of one worker has its colour, one of a unit's the shade of the order in which its work-groups ended;
 * one that stands for several of them the lane's. */
static void
test_merged_inks (void)
{
  static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 3840, 2160 } };
  const LsFixture f = { .workers = 48,
                        .tiles = 192,
                        .groups = 192,
                        .known = LS_KNOWN_UNITS,
                        .units = 48,
                        .batch = 256,
                        .steps = 40 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  guint seen[LS_SIDES][2] = { { 0 } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.zoom1_ns = i % 2 ? data->sides[0].index->length_ns / 6 : 0;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT,
                                               sizes[i / 2][0], sizes[i / 2][1]);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[side];
          for (guint r = 0; r < lane->rows->len; r++)
            {
              const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, r);
              const LsInk alone = row->kind == LS_ROW_WORKER ? LS_INK_WORKER : LS_INK_ORDER;
              if (row->kind != LS_ROW_WORKER && row->kind != LS_ROW_GROUPS)
                continue;
              for (guint k = 0; k < layout->still->items->len; k++)
                {
                  const LsItem *item = ls_scene_get (layout->still, k);
                  if ((item->kind != LS_ITEM_BAR && item->kind != LS_ITEM_TILE) || item->event == LS_NO_EVENT
                      || item->side != side || (double) item->y < row->y - .1
                      || (double) item->y >= row->y + row->h)
                    continue;
                  if (item->ink != (row->merged == 1 ? alone : LS_INK_MARK))
                    g_error ("in a row of %u of side %u a bar has ink %u", row->merged, side, item->ink);
                  if (row->merged > 1)
                    g_assert_cmpfloat ((double) item->value, ==, side);
                  else if (row->kind == LS_ROW_WORKER)
                    {
                      g_assert_cmpint ((gint) item->value, ==, row->number);
                      g_assert_cmpint (item->worker, ==, row->number);
                    }
                  seen[side][row->merged > 1]++;
                }
            }
        }
    }
  for (guint side = 0; side < LS_SIDES; side++)
    {
      g_test_message ("side %u: %u, %u merged", side, seen[side][0], seen[side][1]);
      g_assert_cmpuint (MIN (seen[side][0], seen[side][1]), >, 4);
    }
}

/* The clock's time stands over the rows from the first to the last nanosecond that is shown, and at no other.
 */
static void
test_hand (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const gint64 length = data->sides[0].index->length_ns, from = length / 4, to = length / 2;
  const gint64 times[] = { 0, from - 1, from, from + 1, (from + to) / 2, to - 1, to, to + 1, length };

  for (guint zoomed = 0; zoomed < 2; zoomed++)
    for (guint i = 0; i < G_N_ELEMENTS (times); i++)
      {
        LsQuery query = LS_QUERY_INIT;

        query.zoom0_ns = zoomed ? from : 0;
        query.zoom1_ns = zoomed ? to : 0;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
        const LsTimeline *t = layout->own;
        query.time_ns = i + 1 < G_N_ELEMENTS (times) || zoomed ? times[i] : layout->span_ns;
        const guint wanted = query.time_ns >= t->scale.from && query.time_ns <= t->scale.to;
        guint hands = 0, plates = 0;
        ls_layout_move (layout, &query);
        g_autofree char *time = ls_number_time ((double) query.time_ns);
        for (guint k = 0; k < layout->moving->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->moving, k);
            const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
            hands += item->kind == LS_ITEM_LINE && item->n_points == 2 && at[0] == at[2]
                     && at[3] - at[1] > 100;
            plates += item->kind == LS_ITEM_TEXT && item->ink == LS_INK_ON_TEXT
                      && g_str_equal (item->text, time);
          }
        if (hands != wanted || plates != wanted)
          g_error ("from %d to %d ns are shown, and at %d there are %u hands and %u times",
                   (gint) t->scale.from, (gint) t->scale.to, (gint) query.time_ns, hands, plates);
      }
}

/* A word in a bar is for that bar's colour: in its lane's, or its worker's. */
static void
test_labels (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  guint seen[LS_SIDES] = { 0 };

  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  const LsScene *s = layout->still;
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *text = ls_scene_get (s, i);
      if (text->kind != LS_ITEM_TEXT || !text->strong || text->align != LS_CENTER)
        continue;
      const double x = ((double) text->x + ls_item_right (text)) / 2;
      for (guint k = 0; k < s->items->len; k++)
        {
          const LsItem *bar = ls_scene_get (s, k);
          if (bar->kind != LS_ITEM_BAR || bar->side >= LS_SIDES || x < (double) bar->x
              || x > ls_item_right (bar) || text->y < bar->y || text->y > bar->y + bar->h)
            continue;
          if (text->value != bar->value)
            g_error ("“%s” of side %u is in the colour of %g, its bar in that of %g", text->text, bar->side,
                     (double) text->value, (double) bar->value);
          seen[bar->side]++;
        }
    }
  g_assert_cmpuint (MIN (seen[0], seen[1]), >, 4);
}

/* What of the overview isn't shown below is shaded, from its one end to its other; the bracket is round the
 * rest.
 */
static void
test_shade (void)
{
  static const double shares[][2] = { { 0, 1 }, { 0, .5 }, { .25, .5 }, { .5, 1 }, { .9, .95 } };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) whole = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      query.zoom0_ns = (gint64) (shares[i][0] * (double) whole->span_ns);
      query.zoom1_ns = (gint64) (shares[i][1] * (double) whole->span_ns);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
      const LsTimeline *t = layout->own;
      const LsArea a = t->overview_area;
      const double from = ls_time_x (&t->overview, t->scale.from), to = ls_time_x (&t->overview, t->scale.to);
      gboolean left = FALSE, right = FALSE;

      for (guint k = 0; k < layout->still->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->still, k);
          if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_WINDOW || item->alpha > .8f
              || fabs ((double) item->y - a.y) > .1 || fabs ((double) item->h - a.h) > .1)
            continue;
          const gboolean first = fabs ((double) item->x - a.x) < .5;
          const double end = ls_item_right (item), should = first ? from : a.x + a.w;
          if (fabs (end - should) > .5 || (!first && fabs ((double) item->x - to) > 2.5))
            g_error ("from %g to %g of the step are shown, and shaded is from %g to %g px of %g to %g",
                     shares[i][0], shares[i][1], (double) item->x, end, a.x, a.x + a.w);
          left |= first;
          right |= !first;
        }
      g_assert_cmpint (left, ==, shares[i][0] > 0);
      g_assert_cmpint (right, ==, shares[i][1] < 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-inks/no-tile", test_no_tile);
  g_test_add_func ("/paint/timeline-inks/merged", test_merged_inks);
  g_test_add_func ("/paint/timeline-inks/hand", test_hand);
  g_test_add_func ("/paint/timeline-inks/labels", test_labels);
  g_test_add_func ("/paint/timeline-inks/shade", test_shade);
  return g_test_run ();
}
