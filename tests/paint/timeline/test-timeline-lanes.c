/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline where something is missing: with one lane the clock's lines stay in it; a row without work says
 * so; the heads' words keep off their rates.
 */
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "core/number.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

static const LsFixture desk = { LS_CORES (4),   .batch = 128, .tiles = 64,  .groups = 128,
                                .on_cpu = TRUE, .steps = 200, .queue = TRUE };

static LsLayout *
lay_out (LsViewData *data, const LsQuery *query, LsLook look, double w, double h)
{
  return draw_view (&ls_view_timeline, data, query, look, w, h);
}

/* Tall and thin: a line of the clock. None may touch the area: which one does, in words, or NULL. (transfer
 * full) */
static char *
crossing_line (const LsLayout *layout, const LsScene *scene, LsArea area)
{
  for (guint i = 0; i < scene->items->len; i++)
    {
      double x, y, w, h;
      ls_item_bounds (scene, ls_scene_get (scene, i), &x, &y, &w, &h);
      if (h < 40 || w > 6 || x <= area.x + layout->m.rule + 1)
        continue;
      if (x > area.x && x < area.x + area.w && y + h > area.y + 1 && y < area.y + area.h - 1)
        return g_strdup_printf (
          "a line of the clock at %.0f, from %.0f to %.0f, crosses the lane without a step from %.0f to %.0f",
          x, y, y + h, area.y, area.y + area.h);
    }
  return NULL;
}

static void
test_one_lane (void)
{
  static const struct {
    LsLook look;
    double w, h;
  } sizes[] = { { LS_LOOK_LIGHT, 960, 600 },
                { LS_LOOK_LIGHT, 1280, 800 },
                { LS_LOOK_DARK, 1920, 1080 },
                { LS_LOOK_PROJECTOR, 1920, 1080 } };

  for (guint missing = 0; missing < LS_SIDES; missing++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autoptr (LsViewData) data = ls_fixture_view (&desk,
                                                       missing == 1 ? LS_STATE_NO_DEVICE : LS_STATE_LIVE);
        LsQuery query = LS_QUERY_INIT;
        if (missing == 0)
          {
            g_clear_pointer (&data->sides[0].index, ls_step_index_unref);
            data->sides[0].message = g_strdup ("The CPU lane does not run.");
          }
        query.time_ns = data->sides[1 - missing].index->length_ns / 2;
        g_autoptr (LsLayout) layout = lay_out (data, &query, sizes[i].look, sizes[i].w, sizes[i].h);
        g_autofree char *now = ls_number_time ((double) query.time_ns);
        const LsTimeline *t = layout->own;
        assert_faultless (layout);
        g_assert_nonnull (find_text (layout->moving, now)); /* the clock is there */
        g_autofree char *still = crossing_line (layout, layout->still, t->lanes[missing].area);
        g_autofree char *moving = crossing_line (layout, layout->moving, t->lanes[missing].area);
        g_assert_cmpstr (still, ==, NULL);
        g_assert_cmpstr (moving, ==, NULL);
      }
}

static void
test_idle_rows (void)
{
  LsFixture alone = desk;
  LsQuery query = LS_QUERY_INIT;
  guint op = 0;

  alone.tiles = 1;
  g_autoptr (LsViewData) data = ls_fixture_view (&alone, LS_STATE_PLAYED_BACK);
  g_autoptr (LsLayout) whole = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsStepIndex *index = data->sides[0].index;
  const LsTimeRow *idle = ls_time_index_row (((const LsTimeline *) whole->own)->lanes[0].times, LS_ROW_WORKER,
                                             3);

  g_assert_cmpint (idle == NULL, ==, find_text (whole->still, "worker 3 had no tile in this step") != NULL);
  while (op < index->n_ops && !(index->ops[op].ran && index->ops[op].n == 1))
    op++;
  g_assert_cmpuint (op, <, index->n_ops);
  query.zoom0_ns = index->ops[op].start_ns + 1;
  query.zoom1_ns = index->ops[op].end_ns - 1;
  g_autoptr (LsLayout) one = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1080);
  guint rows = 0;
  for (guint w = 0; w < 4; w++)
    {
      g_autofree char *words = g_strdup_printf ("worker %u had no tile in %s: there was only 1", w,
                                                data->recording->ops[op].symbol);
      rows += find_text (one->still, words) != NULL;
    }
  g_assert_cmpuint (rows, ==, 3);
  assert_faultless (one);
  /* in the whole step the workers that had some say it in the op's place */
  query.zoom0_ns = MAX (0, index->ops[op].start_ns - 8 * (index->ops[op].end_ns - index->ops[op].start_ns));
  query.zoom1_ns = index->ops[op].end_ns;
  g_autoptr (LsLayout) wider = lay_out (data, &query, LS_LOOK_LIGHT, 3840, 1080);
  assert_faultless (wider);
  g_assert_nonnull (find_text (wider->still, "no tile"));
  g_autofree char *of_op = ls_timeline_idle_words (&((const LsTimeline *) one->own)->lanes[0], op);
  g_assert_cmpstr (of_op, ==, "3 of 4 workers had no tile in it");
  /* those that had none in the whole step count, too */
  data->recording->lanes[0].device->threads = 6;
  g_autofree char *of_six = ls_timeline_idle_words (&((const LsTimeline *) one->own)->lanes[0], op);
  g_assert_cmpstr (of_six, ==, "5 of 6 workers had no tile in it");
  /* of two the one that had none is named */
  alone.workers = 2;
  g_autoptr (LsViewData) pair = ls_fixture_view (&alone, LS_STATE_PLAYED_BACK);
  query.zoom0_ns = query.zoom1_ns = 0;
  g_autoptr (LsLayout) both = lay_out (pair, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsStepIndex *of_pair = pair->sides[0].index;
  guint named = 0;
  for (guint i = 0; i < of_pair->n_ops; i++)
    if (of_pair->ops[i].ran && of_pair->ops[i].n == 1)
      {
        const guint worked = ls_step_index_piece (of_pair, &of_pair->ops[i], 0)->worker;
        g_autofree char *words = ls_timeline_idle_words (&((const LsTimeline *) both->own)->lanes[0], i),
                        *expected = g_strdup_printf ("worker %u had no tile in it", 1 - worked);
        g_assert_cmpstr (words, ==, expected);
        named++;
      }
  g_assert_cmpuint (named, >, 0);
}

/* A row without work is so "in this step" where all of it is shown, also if the picture ends with it; where
 * it goes on beyond the picture, "in this time". */
static void
test_idle_step (void)
{
  for (guint two = 0; two < 2; two++)
    {
      LsFixture alone = desk;
      LsQuery query = LS_QUERY_INIT;

      alone.tiles = 1;
      alone.groups = two ? 1 : 0;
      g_autoptr (LsViewData) data = ls_fixture_data (&alone);
      const gint64 length = data->sides[0].index->length_ns;
      g_autoptr (LsLayout) whole = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1080);
      query.zoom0_ns = 0;
      query.zoom1_ns = length - length / 8;
      g_autoptr (LsLayout) part = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_autofree char *of_whole = all_texts (whole->still, "\n"), *of_part = all_texts (part->still, "\n");
      g_assert_true (two ? whole->span_ns > length : whole->span_ns == length);
      if (strstr (of_whole, "worker 0 had no tile in this step") == NULL
          || strstr (of_whole, "in this time") != NULL)
        g_error ("the whole step is shown, and it says\n%s", of_whole);
      if (strstr (of_part, "worker 0 had no tile in this time") == NULL
          || strstr (of_part, "in this step") != NULL)
        g_error ("seven eighths of the step are shown, and it says\n%s", of_part);
    }
}

/* At 1920 and above the heads stand in a narrow column. */
static void
test_heads (void)
{
  for (double w = 1400; w <= 2600; w += 100)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      const LsQuery query = LS_QUERY_INIT;
      data->sides[1].rate.value = 1.52e6;
      g_autoptr (LsLayout) layout = lay_out (data, &query, LS_LOOK_LIGHT, w, 1080);
      g_autofree char *words = ls_number_scaled (data->sides[1].rate.value);
      const LsItem *rate = find_text (layout->still, words);
      g_assert_nonnull (rate);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_TEXT && item != rate && item->x < rate->x && item->y > rate->y - 14
              && item->y < rate->y + 6)
            g_assert_cmpfloat (ls_item_right (item) + 8, <=, (double) rate->x);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-lanes/one", test_one_lane);
  g_test_add_func ("/paint/timeline-lanes/idle", test_idle_rows);
  g_test_add_func ("/paint/timeline-lanes/idle-step", test_idle_step);
  g_test_add_func ("/paint/timeline-lanes/heads", test_heads);
  return g_test_run ();
}
