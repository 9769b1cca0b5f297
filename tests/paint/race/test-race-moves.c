/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Race says of each lane is that lane's: its place in its own list of ops, its own median, and its own
 * step's share. Between the heads whether they agree, and how fair it is.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/rated.h"
#include "ui/paint/parts/rates.h"
#include "ui/paint/race/race.h"
#include "ui/paint/views.h"

static LsLayout *
lay_out (LsViewData *data)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = 1;
  return draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 3840, 2160);
}

/* "op 3 of 12": so many of the lane's spans have begun, of all of its own. */
static void
test_places (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
  g_autoptr (LsLayout) layout = lay_out (data);
  guint said[LS_SIDES] = { 0 };

  for (guint k = 0; k < 20; k++)
    {
      LsQuery query = layout->query;
      query.time_ns = layout->span_ns * k / 20;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          guint at, of, begun = 0;
          if (item->kind != LS_ITEM_TEXT || sscanf (item->text, "op %u of %u", &at, &of) != 2)
            continue;
          const guint side = (double) item->x < layout->width / 2 ? 0 : 1;
          const GArray *spans = data->sides[side].index->spans;
          for (guint s = 0; s < spans->len; s++)
            begun += g_array_index (spans, LsSpan, s).start_ns <= query.time_ns;
          if (at != begun || of != spans->len || (guint) item->value != side)
            g_error ("side %u at %u/20: “%s”, but %u of its %u spans have begun", side, k, item->text, begun,
                     spans->len);
          said[side]++;
        }
    }
  g_assert_cmpuint (said[0], >, 5);
  g_assert_cmpuint (said[1], >, 5);
}

/* Under each column stands the median of its own lane; of an op its time there, and its share of that step.
 */
static void
test_own_numbers (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);

  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (data, side, shown_rate (data, side) * (side == 0 ? .95 : 1.04), .02, 200);
  g_autoptr (LsLayout) layout = lay_out (data);
  g_autofree char *words = ls_race_op_words (layout);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, 1)];
      const double ns = (double) (trace->end_ns - trace->start_ns);
      g_autofree char *median = ls_number_time (1e9 * data->batch / data->sides[side].rate.value),
                      *said = g_strdup_printf ("median %s", median), *time = ls_number_time (ns),
                      *share = ls_number_text (100 * ns / (double) index->length_ns, 2),
                      *of_op = g_strdup_printf ("%s %s, %s %% of the step", data->sides[side].brief, time,
                                                share);
      gboolean found = FALSE;
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          found |= item->kind == LS_ITEM_TEXT && strstr (item->text, said) != NULL
                   && ((double) item->x > layout->width / 2) == (side == 1);
        }
      if (!found)
        g_error ("“%s” doesn't stand under the column of side %u", said, side);
      if (strstr (words, of_op) == NULL)
        g_error ("“%s” isn't said of the op alone: %s", of_op, words);
    }
}

/* The time that has come runs down between the columns, over no words of either. */
static void
test_clock (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_cores);
  LsQuery query = LS_QUERY_INIT;
  guint seen = 0;

  for (guint side = 0; side < LS_SIDES; side++)
    set_rate (data, side, shown_rate (data, side) * .95, .02, 200);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, i);

      for (guint k = 0; k < 200; k++)
        {
          const LsItem *pill = NULL;
          query.time_ns = layout->span_ns * k / 200;
          ls_layout_move (layout, &query);
          for (guint n = 0; n + 1 < layout->moving->items->len; n++)
            if (ls_scene_get (layout->moving, n + 1)->ink == LS_INK_ON_TEXT)
              pill = ls_scene_get (layout->moving, n);
          g_assert_true (pill != NULL && pill->kind == LS_ITEM_BOX);
          const LsArea time = { (double) pill->x, (double) pill->y, (double) pill->w, (double) pill->h };
          for (guint n = 0; n < layout->still->items->len; n++)
            {
              const LsItem *item = ls_scene_get (layout->still, n);
              LsArea words;
              if (item->kind != LS_ITEM_TEXT)
                continue;
              ls_item_bounds (layout->still, item, &words.x, &words.y, &words.w, &words.h);
              if (ls_area_overlaps (&time, &words))
                g_error ("%g×%g: “%s” is covered by the time, %u/200 through the step", sizes[i].w,
                         sizes[i].h, item->text, k);
              seen += strstr (item->text, "median") != NULL;
            }
        }
    }
  g_assert_cmpuint (seen, >, 0);
}

/* While both lanes train it is told between the heads whether they agree; once one has stopped that is past,
 * and isn't told any more. */
static void
test_agreement (void)
{
  static const LsFixtureState states[] = { LS_STATE_LIVE, LS_STATE_FAILED };

  for (guint stopped = 0; stopped < G_N_ELEMENTS (states); stopped++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, states[stopped]);
      const LsQuery query = LS_QUERY_INIT;
      gboolean told = FALSE;

      data->agreed = (LsAgreed){ .compared = 600, .answers = -1 };
      g_autofree char *agree = ls_agreement_text (data);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_assert_nonnull (agree);
      g_assert_cmpint (data->sides[1].stopped_at > 0, ==, stopped > 0);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          told |= item->kind == LS_ITEM_TEXT && strcmp (item->text, agree) == 0;
        }
      if (told != (stopped == 0))
        g_error ("%s has stopped, and “%s” is%s told", stopped ? data->sides[1].name : "no lane", agree,
                 told ? "" : " not");
    }
}

/* In a hall the sign of an unfair comparison stands before a sentence with a ratio alone. */
static void
test_unfair_hall (void)
{
  for (guint apart = 0; apart < 2; apart++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_LIVE);
      LsFairness *fairness = g_atomic_rc_box_new0 (LsFairness);
      guint signs = 0, n;

      set_rate (data, 0, 100e3, .05, 200);
      set_rate (data, 1, apart ? 250e3 : 101e3, .05, 200);
      fairness->unfair = TRUE;
      fairness->n = 1;
      fairness->lines[0] = (LsFairLine){ .row = &ls_fair_rows (&n)[0],
                                         .state = LS_FAIR_NO,
                                         .words = g_strdup ("The lanes differ.") };
      ls_fairness_unref (data->fairness);
      data->fairness = fairness;
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, 3);
      for (guint i = 0; i < layout->still->items->len; i++)
        signs += ls_scene_get (layout->still, i)->kind == LS_ITEM_WARNING
                 && ls_scene_get (layout->still, i)->ink == LS_INK_AMBER;
      g_assert_cmpint (says (layout->still, "no clear winner"), ==, !apart);
      if (signs != apart)
        g_error ("where %s there are %u signs that it is unfair", apart ? "a ratio is named" : "no lane wins",
                 signs);
    }
}

/* In a hall, too, the rate of a lane that has stopped is quiet and said to be of before that. */
static void
test_stopped (void)
{
  for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&desk, LS_STATE_FAILED);
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, size);
      const LsItem *rate[LS_SIDES] = { NULL };

      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          if (item->kind == LS_ITEM_TEXT && item->number == LS_NUMBER_RATE && item->side < LS_SIDES
              && (rate[item->side] == NULL || item->type.px > rate[item->side]->type.px))
            rate[item->side] = item;
        }
      for (guint side = 0; side < LS_SIDES; side++)
        if (rate[side] == NULL || (rate[side]->ink == LS_INK_QUIET) != (side == 1))
          g_error ("%g px: the rate of %s, which %s, is %s", sizes[size].w, data->sides[side].name,
                   side ? "has stopped" : "goes on",
                   rate[side] == NULL ? "missing"
                   : side             ? "not quiet"
                                      : "quiet");
      if (!says (layout->still, "before it stopped"))
        g_error ("%g px: it isn’t said that the rate is of before it stopped", sizes[size].w);
    }
}

/* In a hall a rate that stands has its device beside it; one that doesn't, or that is a stopped lane's, why.
 */
static void
test_hall (void)
{
  static const struct {
    guint64 n, stopped_at;
    gboolean device;
    const char *says;
  } cases[] = {
    { 400, 0, TRUE, "A card of theirs" },   { 400, 0, FALSE, "one thing · another" },
    { 0, 0, TRUE, "not measured yet" },     { 3, 0, FALSE, "at most 47 more steps needed" },
    { 400, 12, TRUE, "before it stopped" }, { 0, 12, TRUE, "not measured before it stopped" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
      const LsQuery query = LS_QUERY_INIT;
      LsViewLane *lane = &data->sides[1];

      lane->rate = (LsFigure){ .value = 1e5, .q1 = .99e5, .q3 = 1.01e5, .n = cases[i].n };
      lane->stopped_at = cases[i].stopped_at;
      if (lane->stopped_at > 0)
        {
          lane->state = LS_LANE_FAILED;
          lane->message = g_strdup ("It stopped.");
        }
      g_free (lane->device);
      lane->device = g_strdup (cases[i].device ? "A card of theirs" : "");
      g_strfreev (lane->conditions);
      lane->conditions = g_strsplit ("one thing|another|a third one", "|", -1);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
      for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
        {
          gboolean told = FALSE;

          for (guint item = 0; item < layout->still->items->len; item++)
            told |= ls_scene_get (layout->still, item)->kind == LS_ITEM_TEXT
                    && strcmp (ls_scene_get (layout->still, item)->text, cases[k].says) == 0;
          if (told != (k == i))
            g_error ("case %u: “%s” is%s told", i, cases[k].says, told ? "" : " not");
        }
    }
}

/* How often each side's place in its list is told, which stands at the outer margin. */
static void
count_places (LsLayout *layout, guint told[LS_SIDES])
{
  for (guint k = 0; k < 20; k++)
    {
      LsQuery query = layout->query;

      query.time_ns = layout->span_ns * k / 20;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          guint at, of;
          if (item->kind == LS_ITEM_TEXT && sscanf (item->text, "op %u of %u", &at, &of) == 2)
            told[item->value > 0]++;
        }
      assert_faultless (layout);
    }
}

/* One op's words stand below the names of one lane, or beside the right one's: there alone its place has to
 * give way; the other lane's is told as without any words. */
static void
test_beside_op (void)
{
  guint stood[LS_SIDES] = { 0 };

  for (guint i = 0; i < 80; i++)
    {
      const double w = 1560 + 20 * (i / 2), shorter = .3;
      const guint short_side = i % 2;
      guint told[2][LS_SIDES] = { { 0 } };
      gint stands = -1;

      for (guint words = 0; words < 2; words++)
        {
          g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_desk);
          LsRecordedLane *lane = &recording->lanes[short_side];
          LsQuery query = LS_QUERY_INIT;

          for (guint k = 0; k < lane->events->len; k++)
            {
              LsEvent *e = &g_array_index (lane->events, LsEvent, k);
              e->start_ns = lane->start_ns + (guint64) (shorter * (double) (e->start_ns - lane->start_ns));
              e->end_ns = lane->start_ns + (guint64) (shorter * (double) (e->end_ns - lane->start_ns));
            }
          lane->end_ns = lane->start_ns + (guint64) (shorter * (double) (lane->end_ns - lane->start_ns));
          g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
          query.op = words ? 1 : G_MAXUINT;
          query.time_ns = 0;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, w, 1200);
          ls_layout_move (layout, &query);
          const LsItem *title = find_text (layout->moving, "This op alone");
          if (title != NULL)
            stands = (double) title->x < layout->width / 2 ? 0 : 1;
          count_places (layout, told[words]);
        }
      if (stands < 0)
        continue;
      stood[stands]++;
      if (told[1][1 - stands] != told[0][1 - stands])
        g_error ("%g px, side %u is shorter: the op’s words stand at side %d, and of side %d’s places %u are "
                 "told, without these words %u",
                 w, short_side, stands, 1 - stands, told[1][1 - stands], told[0][1 - stands]);
    }
  g_test_message ("at the left %u, at the right %u", stood[0], stood[1]);
  g_assert_cmpuint (MIN (stood[0], stood[1]), >, 0);
}

/* A step of one op is one part. */
static void
test_one_part (void)
{
  for (guint n = 1; n < 4; n++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_desk);
      const LsQuery query = LS_QUERY_INIT;
      g_autofree char *says = g_strdup_printf (n == 1 ? " in %u part." : " in %u parts.", n);

      g_array_set_size (data->sides[1].index->spans, n);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 800);
      g_autofree char *told = ls_layout_describe (layout);
      if (strstr (told, says) == NULL)
        g_error ("a step of %u spans is described as “%s”", n, told);
    }
}

/* The line of the clock goes from the middle over the column of a lane as long as its step goes on, to the
 * last nanosecond, and ends before the column of one that is done. */
static void
test_line (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&desk);
  guint over = 0, before = 0;

  for (guint shorter = 0; shorter < LS_SIDES; shorter++)
    {
      recording->lanes[shorter].end_ns = recording->lanes[shorter].start_ns + 2000000;
      recording->lanes[1 - shorter].end_ns = recording->lanes[1 - shorter].start_ns + 3000000;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const gint64 times[] = { 0, 1000000, 1999999, 2000000, 2000001, 2500000, 3000000 };

      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        {
          LsQuery query = LS_QUERY_INIT;
          LsArea columns[LS_SIDES] = { { 0 } };
          gboolean seen[LS_SIDES] = { FALSE };

          g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          query.time_ns = times[i];
          ls_layout_move (layout, &query);
          for (guint k = 0; k < layout->still->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->still, k);
              const guint side = (double) item->x > layout->width / 2;
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_TRACK
                  && (double) item->h > columns[side].h)
                columns[side] = (LsArea){ (double) item->x, (double) item->y, (double) item->w,
                                          (double) item->h };
            }
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
              if (item->kind != LS_ITEM_LINE || item->n_points != 2 || item->ink != LS_INK_TEXT
                  || at[1] != at[3] || !item->strong)
                continue;
              const double left = (double) MIN (at[0], at[2]), right = (double) MAX (at[0], at[2]);
              const guint side = (left + right) / 2 > layout->width / 2;
              const LsArea column = columns[side];
              const gboolean crosses = side == 0 ? left < column.x : right > column.x + column.w,
                             touches = side == 0 ? left < column.x + column.w : right > column.x,
                             goes_on = times[i] <= data->sides[side].index->length_ns;
              if (crosses != goes_on || touches != goes_on)
                g_error ("at %d ns the line goes from %g to %g, over a column from %g to %g whose step takes "
                         "%d ns",
                         (gint) times[i], left, right, column.x, column.x + column.w,
                         (gint) data->sides[side].index->length_ns);
              seen[side] = TRUE;
              over += crosses;
              before += !crosses;
            }
          g_assert_true (seen[0] && seen[1]);
        }
    }
  g_assert_cmpuint (MIN (over, before), >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/race-moves/places", test_places);
  g_test_add_func ("/paint/race-moves/own-numbers", test_own_numbers);
  g_test_add_func ("/paint/race-moves/clock", test_clock);
  g_test_add_func ("/paint/race-moves/agreement", test_agreement);
  g_test_add_func ("/paint/race-moves/unfair-hall", test_unfair_hall);
  g_test_add_func ("/paint/race-moves/stopped", test_stopped);
  g_test_add_func ("/paint/race-moves/hall", test_hall);
  g_test_add_func ("/paint/race-moves/beside-op", test_beside_op);
  g_test_add_func ("/paint/race-moves/one-part", test_one_part);
  g_test_add_func ("/paint/race-moves/line", test_line);
  return g_test_run ();
}
