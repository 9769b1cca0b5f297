/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline where something is missing: with one lane the clock's lines stay in it; a row without work says
 * so. The heads' words keep off their rates, their numbers stand behind their marks; and a bar has the colour
 * of its row: a worker's, the order of completion, or the lane's.
 */
#include <math.h>
#include <string.h>

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
  /* and where nobody says how many there are, all that had any in the step */
  data->recording->lanes[0].device->threads = 0;
  g_autofree char *of_seen = ls_timeline_idle_words (&((const LsTimeline *) one->own)->lanes[0], op);
  g_assert_cmpstr (of_seen, ==,
                   idle == NULL ? "2 of 3 workers had no tile in it" : "3 of 4 workers had no tile in it");
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

/* A row's words stand in it, on a plate that holds them; also a worker that never had a tile has a row. */
static void
test_idle_plates (void)
{
  LsFixture alone = desk;
  LsQuery query = LS_QUERY_INIT;
  guint plates = 0;

  alone.tiles = 1;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&alone);
  recording->lanes[0].device->threads = 7; /* of which four had work */
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1400);
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
  gint highest = -1;

  for (guint r = 0; r < lane->rows->len; r++)
    {
      const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, r);
      if (row->kind != LS_ROW_WORKER)
        continue;
      g_autofree char *words = g_strdup_printf ("worker %d had no tile in this step", row->number);
      const LsItem *text = find_text (layout->still, words), *plate = NULL;
      highest = MAX (highest, row->number);
      if (text == NULL)
        continue;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_WINDOW && item->strong && item->x < text->x
              && ls_item_right (item) > ls_item_right (text) && item->y < text->y
              && item->y + item->h > text->y)
            plate = item;
        }
      if (plate == NULL)
        g_error ("“%s” stands on no plate", words);
      g_assert_cmpfloat ((double) plate->y, >=, row->y - .01);
      g_assert_cmpfloat ((double) (plate->y + plate->h), <=, row->y + row->h + .01);
      g_assert_cmpfloat_with_epsilon ((double) text->y - .36 * text->type.px, row->y + row->h / 2, .5);
      plates++;
    }
  g_assert_cmpint (highest, ==, 6);
  g_assert_cmpuint (plates, >=, 3);
}

/* The number of a lane that is of that kind; the mark before it. */
static const LsItem *
number_of (const LsLayout *layout, guint side, LsNumber number, LsItemKind kind)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == kind && item->number == number && item->side == side
          && (kind != LS_ITEM_TEXT || g_ascii_isdigit (item->text[0]))) /* a curve's end says whose it is */
        return item;
    }
  return NULL;
}

/* In each narrow head, the left lane's over the right one's: the rate, the loss and the difference are the
 * lane's own, bold, each behind its caption and that behind its mark. How the rates were made is said once
 * where both were made alike, else for each lane by its name; not of a rate that doesn't stand. */
static void
test_head_numbers (void)
{
  for (guint i = 0; i < 4; i++)
    {
      static const char *const alike[] = { "300 steps", NULL };
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      const LsQuery query = LS_QUERY_INIT;
      double above = 0;

      data->disagree[0] = i == 3 ? g_strdup ("They differ.") : NULL;
      data->disagree[1] = i == 3 ? g_strdup ("Far.") : NULL;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          LsViewLane *lane = &data->sides[side];
          const double rate = 12300 + 2000 * side;
          lane->rate = (LsFigure){ .value = rate, .q1 = rate * .99, .q3 = rate * 1.01, .n = 300 };
          lane->counted = (LsCounted){ .from = 10, .end = 310, .warm_up = 10 };
          lane->loss.value = .123 + .1 * side;
          lane->delta.value = 4e-6;
          lane->delta.n = 9;
          lane->delta_of = LS_DELTA_WEIGHTS;
        }
      data->sides[1].counted.disturbed = i == 1 ? 7 : 0;
      data->sides[1].rate.n = i == 2 ? 3 : 300;
      g_autoptr (LsLayout) layout = lay_out (data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_autofree char *texts = all_texts (layout->still, "\n");
      for (guint side = 0; side < LS_SIDES; side++)
        {
          static const struct {
            LsNumber number;
            LsEvidence evidence;
            const char *said[LS_SIDES];
          } numbers[] = { { LS_NUMBER_RATE, LS_EVIDENCE_MEASURED, { "12.3", "14.3" } },
                          { LS_NUMBER_LOSS, LS_EVIDENCE_MEASURED, { "0.123", "0.223" } },
                          { LS_NUMBER_DELTA, LS_EVIDENCE_DERIVED, { "4×10⁻⁶", "4×10⁻⁶" } } };
          double lowest = 0;

          for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
            {
              const LsItem *text = number_of (layout, side, numbers[k].number, LS_ITEM_TEXT),
                           *mark = number_of (layout, side, numbers[k].number, LS_ITEM_EVIDENCE);
              if (i == 2 && side == 1 && k == 0)
                continue; /* no rate */
              g_assert_true (text != NULL && mark != NULL);
              if (!g_str_has_prefix (text->text, numbers[k].said[side]))
                g_error ("side %u: number %u is “%s”, not %s", side, k, text->text, numbers[k].said[side]);
              g_assert_cmpint ((gint) mark->value, ==, numbers[k].evidence);
              g_assert_cmpint (text->type.weight, >=, 700);
              if (k > 0) /* behind its mark, on its line, with the caption between them */
                {
                  const double gap = (double) text->x - ls_item_right (mark);
                  g_assert_cmpfloat (gap, >, 12);
                  g_assert_cmpfloat_with_epsilon ((double) (mark->y + mark->h / 2),
                                                  (double) text->y - .36 * text->type.px, 1);
                }
              g_assert_cmpfloat ((double) text->y, >, above);
              lowest = MAX (lowest, (double) text->y);
            }
          above = lowest;
        }
      /* how they were made: once, by name, or of one */
      const char *first = strstr (texts, alike[0]);
      g_autofree char *of_left = g_strdup_printf ("%s: 300 steps", data->sides[0].name),
                      *of_right = g_strdup_printf ("%s: 300 steps", data->sides[1].name);
      g_assert_nonnull (first);
      g_assert_cmpint (strstr (texts, of_left) != NULL, ==, i == 1 || i == 2);
      g_assert_cmpint (strstr (texts, of_right) != NULL, ==, i == 1);
      g_assert_cmpint (strstr (first + 1, alike[0]) != NULL, ==, i == 1);
      /* where they disagree a sign stands at each difference */
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsItem *delta = number_of (layout, side, LS_NUMBER_DELTA, LS_ITEM_TEXT), *sign = NULL;
          for (guint k = 0; k < layout->still->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->still, k);
              if (item->kind == LS_ITEM_WARNING && fabs ((double) (item->y + item->h - delta->y)) < 4
                  && fabs ((double) item->x - ls_item_right (delta)) < 12)
                sign = item;
            }
          g_assert_cmpint (sign != NULL, ==, i == 3);
        }
    }
}

/* Bars of one worker's row have that worker's colour and number, work-groups' the shade of the order in which
 * they were done, from the first, 0, to the last, 1, in steps; rows that several share, ops, kernels and
 * calls have the lane's. */
static void
test_inks (void)
{
  static const LsFixture fixtures[] = {
    { LS_CORES (3), .batch = 64, .tiles = 24, .groups = 24, .on_cpu = TRUE, .steps = 40, .queue = TRUE },
    { LS_DESK, .batch = 64, .steps = 40, .queue = TRUE },
    { .workers = 90,
      .tiles = 400,
      .groups = 60,
      .known = LS_KNOWN_UNITS,
      .units = 4,
      .batch = 64,
      .steps = 40 },
  };
  guint n[3] = { 0 }, first = 0, last = 0;

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&fixtures[f]);
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = lay_out (data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsTimeline *t = layout->own;

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *bar = ls_scene_get (layout->still, i);
          const LsTimelineRow *row = NULL;
          if (bar->kind != LS_ITEM_BAR || bar->side >= LS_SIDES || bar->event == LS_NO_EVENT)
            continue;
          const LsTimelineLane *lane = &t->lanes[bar->side];
          for (guint r = 0; r < lane->rows->len; r++)
            {
              const LsTimelineRow *one = &g_array_index (lane->rows, LsTimelineRow, r);
              if (fabs (one->y - (double) bar->y) < .1)
                row = one;
            }
          if (row == NULL)
            continue;
          const LsEvent *e = ls_layout_event (layout, (LsPick){ bar->side, bar->event });
          const LsOpTrace *op = e->op < lane->times->index->n_ops ? &lane->times->index->ops[e->op] : NULL;
          const double own = ls_time_x (&lane->scale, ls_time_since (lane->times, e->end_ns))
                             - ls_time_x (&lane->scale, ls_time_since (lane->times, e->start_ns));
          if (row->kind == LS_ROW_WORKER && row->merged == 1)
            {
              g_assert_cmpuint (bar->ink, ==, LS_INK_WORKER);
              g_assert_cmpint ((gint) bar->value, ==, e->worker);
              g_assert_cmpuint (bar->worker, ==, e->worker);
              n[0]++;
            }
          else if (own < 3 || (double) bar->w > own + 1)
            continue; /* of several */
          else if (row->kind == LS_ROW_GROUPS && row->merged == 1 && op != NULL && e->kind == LS_EVENT_GROUP)
            {
              const double shade = op->n_ranks > 1 ? e->rank / (op->n_ranks - 1.) : 0;
              g_assert_cmpuint (bar->ink, ==, LS_INK_ORDER);
              if (fabs ((double) bar->value - shade) > .04)
                g_error ("the work-group that was done as number %u of %u has the shade %g", e->rank + 1,
                         op->n_ranks, (double) bar->value);
              first += e->rank == 0 && op->n_ranks > 1 && bar->value < .01f;
              last += e->rank + 1 == op->n_ranks && op->n_ranks > 1 && bar->value > .99f;
              n[1]++;
            }
          else
            {
              g_assert_cmpuint (bar->ink, ==, LS_INK_MARK);
              g_assert_cmpuint ((guint) bar->value, ==, bar->side);
              n[2]++;
            }
        }
    }
  g_test_message ("%u of workers, %u of work-groups, %u others; %u first, %u last", n[0], n[1], n[2], first,
                  last);
  g_assert_cmpuint (MIN (n[0], MIN (n[1], n[2])), >, 50);
  g_assert_cmpuint (MIN (first, last), >, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-lanes/one", test_one_lane);
  g_test_add_func ("/paint/timeline-lanes/idle", test_idle_rows);
  g_test_add_func ("/paint/timeline-lanes/idle-step", test_idle_step);
  g_test_add_func ("/paint/timeline-lanes/heads", test_heads);
  g_test_add_func ("/paint/timeline-lanes/idle-plates", test_idle_plates);
  g_test_add_func ("/paint/timeline-lanes/head-numbers", test_head_numbers);
  g_test_add_func ("/paint/timeline-lanes/inks", test_inks);
  return g_test_run ();
}
