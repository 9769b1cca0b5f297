/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timeline on recordings whose times or rows are far from what a lane makes: they are drawn, and nothing
 * overflows.
 */
#include <math.h>
#include <string.h>
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "ui/paint/parts/evidence.h"
#include "core/number.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

/* Sealed, as a file's is; in all views. Returns the timeline. */
static LsLayout *
draw_all (LsRecording *recording)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsViewData) data = NULL;
  LsLayout *timeline = NULL;
  guint n;
  const LsView *const *views = ls_views (&n);

  g_assert_true (ls_recording_seal (recording, &error));
  g_assert_no_error (error);
  data = ls_view_data_from_recording (recording, NULL);
  for (guint v = 0; v < n; v++)
    {
      Asked asked = ASKED_INIT;
      const LsQuery *query = asked_of (&asked, views[v]);
      LsLayout *layout = draw_view (views[v], data, query, LS_LOOK_LIGHT, 1280, 800);

      if (views[v] == &ls_view_timeline)
        timeline = layout;
      else
        ls_layout_free (layout);
    }
  return timeline;
}

/* Times up to the last nanosecond that a file may hold: sums and products of them stay what they are.
 * Sanitizers see what is drawn by chance only. */
static void
test_centuries (void)
{
  for (guint all = 0; all < 2; all++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      g_autoptr (LsLayout) layout = NULL;

      for (guint l = 0; l < recording->n_lanes; l++)
        {
          LsRecordedLane *lane = &recording->lanes[l];
          for (guint i = 0; i < (all ? lane->events->len : l == 0); i++)
            {
              LsEvent *e = &g_array_index (lane->events, LsEvent, i);
              if (LS_EVENT_CLOCK (e) != LS_CLOCK_ORDER)
                e->end_ns = G_MAXINT64;
            }
          lane->end_ns = all || l == 0 ? G_MAXINT64 : lane->end_ns;
        }
      layout = draw_all (recording);
      const LsTimeline *t = layout->own;
      const LsTimeIndex *times = t->lanes[0].times;
      g_assert_nonnull (find_text_in (layout, "since each lane began its step"));
      g_assert_null (find_text_in (layout, " after ")); /* it isn't far from its beginning: nothing is zoomed
                                                         */
      for (guint r = 0; r < times->rows->len; r++)
        {
          const LsTimeRow *row = times->rows->pdata[r];
          for (guint i = 0; i < row->n; i++)
            g_assert_cmpint (row->busy[i + 1], >=, row->busy[i]);
        }
      g_assert_cmpint (times->wait_ns, >=, 0);
    }
}

/* Events that come centuries before their lane's step, or before all but one of the other events. */
static void
test_centuries_before (void)
{
  for (guint what = 0; what < 3; what++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      g_autoptr (LsLayout) layout = NULL;

      for (guint l = 0; l < recording->n_lanes; l++)
        {
          LsRecordedLane *lane = &recording->lanes[l];
          for (guint i = 0; i < lane->events->len; i++)
            {
              LsEvent *e = &g_array_index (lane->events, LsEvent, i);
              if (LS_EVENT_CLOCK (e) == LS_CLOCK_ORDER)
                continue;
              e->start_ns = what > 0 && i % 2 == 0 ? 0 : e->start_ns;
              e->end_ns = what > 1 && i % 3 == 0 ? G_MAXINT64 : MAX (e->start_ns, e->end_ns);
            }
          lane->start_ns = what == 2 ? lane->start_ns : G_MAXINT64;
          lane->end_ns = G_MAXINT64;
        }
      layout = draw_all (recording);
      g_assert_nonnull (layout->own);
    }
}

static void
test_zoom_centuries (void)
{
  LsQuery query = LS_QUERY_INIT;
  gint64 from, to;

  ls_zoom_to (&query, G_MAXINT64, 5, G_MAXINT64);
  g_assert_true (ls_zoom_is_all (&query));
  ls_zoom_by (&query, G_MAXINT64, .5, 1e-9);
  ls_zoom_window (&query, G_MAXINT64, &from, &to);
  g_assert_cmpint (to - from, >, G_MAXINT64 - 2048); /* as near as a double comes */
  ls_zoom_by (&query, G_MAXINT64, 1, 2);
  for (guint i = 0; i < 4; i++)
    ls_zoom_pan (&query, G_MAXINT64, i % 2 == 0 ? 1e9 : -1e9);
  ls_zoom_pan (&query, G_MAXINT64, 1e9);
  ls_zoom_window (&query, G_MAXINT64, &from, &to);
  g_assert_cmpint (to, ==, G_MAXINT64);
  g_assert_cmpint (from, >, G_MAXINT64 / 3);
  g_assert_cmpint (from, <, G_MAXINT64 / 3 * 2);
}

/* A lane whose events say nothing that a row could show. */
static void
test_no_rows (void)
{
  for (guint l = 0; l < LS_SIDES; l++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      g_autoptr (LsLayout) layout = NULL;

      for (guint i = 0; i < recording->lanes[l].events->len; i++)
        {
          LsEvent *e = &g_array_index (recording->lanes[l].events, LsEvent, i);
          e->kind = LS_EVENT_STEP;
          e->op = LS_OP_NONE;
        }
      layout = draw_all (recording);
      g_assert_cmpuint (((const LsTimeline *) layout->own)->lanes[l].times->rows->len, ==, 0);
      g_assert_cmpuint (((const LsTimeline *) layout->own)->lanes[!l].times->rows->len, >, 0);
    }
}

/* Why a lane has no step is said where that has room, and nothing where it hasn't. */
static void
test_unrecorded (void)
{
  for (guint words = 1; words <= 1000; words *= 10)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_UNRECORDED);
      const LsQuery query = LS_QUERY_INIT;
      g_autoptr (GString) message = g_string_new ("it has");
      for (guint i = 0; i < words; i++)
        g_string_append (message, " words");
      g_free (data->sides[1].message);
      data->sides[1].message = g_strdup (message->str);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
      if (says (layout->still, "it has words") != (words < 1000))
        g_error ("of a message of %u words is said %s", words, words < 1000 ? "nothing" : "a part");
      assert_faultless (layout);
    }
}

/* The rate of a lane that has stopped is there, but not in the lane's colour, as if it still ran. */
static void
test_stopped_head (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_cores, LS_STATE_FAILED);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
  guint rates[LS_SIDES] = { 0 };

  g_assert_cmpuint (data->sides[1].stopped_at, >, 0);
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_TEXT || item->number != LS_NUMBER_RATE || item->side >= LS_SIDES
          || item->type.px < layout->m.rate.px)
        continue;
      if (item->ink != (item->side == 1 ? LS_INK_QUIET : LS_INK_LANE))
        g_error ("the rate of the lane that %s, “%s”, has ink %u", item->side == 1 ? "stopped" : "runs",
                 item->text, item->ink);
      rates[item->side]++;
    }
  g_assert_true (rates[0] == 1 && rates[1] == 1);
}

/* Far into a step ticks count from the window's beginning, in the unit that suits its width, and say so by a
 * plus; nearer they count from the step's, in the unit that suits its end. */
static void
test_ticks (void)
{
  LsFixture longer = ls_fixture_calls;
  longer.batch = 1024;
  g_autoptr (LsViewData) data = ls_fixture_data (&longer);
  const gint64 length = MAX (data->sides[0].index->length_ns, data->sides[1].index->length_ns);

  g_assert_cmpint (length, >, 1100000);
  for (guint far = 0; far < 2; far++)
    {
      LsQuery query = LS_QUERY_INIT;
      guint plus = 0, zero = 0;

      query.zoom0_ns = 1000000;
      query.zoom1_ns = query.zoom0_ns + (far ? 2000 : 50000);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const char *words = far ? "µs after 1.00\u00a0ms since each lane" : "ms since each lane";
      if (find_text (layout->still, words) == NULL)
        {
          const LsItem *item = find_text (layout->still, "since each lane");
          g_error ("“%s” is said of the clock, not “%s…”", item != NULL ? item->text : "nothing", words);
        }
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          plus += item->kind == LS_ITEM_TEXT && item->align == LS_CENTER && item->text[0] == '+';
          zero += item->kind == LS_ITEM_TEXT && g_str_equal (item->text, "+0");
        }
      if (zero > 0 || (plus > 2) != (far > 0))
        g_error ("%s the beginning %u ticks have a plus, and %u of them are “+0”", far ? "far from" : "near",
                 plus, zero);
    }
}

/* Where the height is short, what there is no room for goes in one order in both lanes: the queue first, then
 * the host's calls, the other recording, copies, and the sentence at the foot; ops and kernels stay. */
static void
test_given_up (void)
{
  static const char *const names[] = { "the queue", "the host", "the other recording", "copies", "the foot" };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls),
                         other = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  guint gone[G_N_ELEMENTS (names)] = { 0 }, all = 0;

  data->other = ls_view_data_ref (other);
  for (double h = 2000; h > 420; h -= 10)
    {
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, h);
      const LsTimeline *t = layout->own;
      gboolean there[G_N_ELEMENTS (names)] = { FALSE };
      guint kept = 0, n = 0;

      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsTimelineLane *lane = &t->lanes[side];
          there[0] |= lane->queue_h > 0;
          there[4] |= lane->foot_y > 0;
          for (guint i = 0; i < lane->rows->len; i++)
            {
              const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, i);
              there[1] |= row->kind == LS_ROW_HOST;
              there[2] |= row->other;
              there[3] |= row->kind == LS_ROW_COPIES;
              kept += !row->other && (row->kind == LS_ROW_OPS || row->kind == LS_ROW_KERNELS);
            }
        }
      if (kept < 2)
        g_error ("%.0f px high: a lane has neither ops nor kernels", h);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          gone[i] += !there[i];
          n += there[i];
          for (guint before = 0; before < i; before++)
            if (there[before] && !there[i])
              g_error ("%.0f px high: %s went before %s", h, names[i], names[before]);
        }
      all += n == G_N_ELEMENTS (names);
    }
  g_test_message ("all in %u heights; gone in %u, %u, %u, %u, %u", all, gone[0], gone[1], gone[2], gone[3],
                  gone[4]);
  g_assert_cmpuint (all, >, 0);
  for (guint i = 0; i < 4; i++)
    if (gone[i] == 0 || (i > 0 && gone[i] >= gone[i - 1]))
      g_error ("%s went at %u heights, what goes before it at %u", names[i], gone[i],
               i > 0 ? gone[i - 1] : 0);
}

/* What is said and drawn of a copy in its own lane. (transfer full) */
static char *
said_of_copy (const LsRecording *recording, guint event, guint op)
{
  LsEvent *e = &g_array_index (recording->lanes[1].events, LsEvent, event), *queued = e;
  LsQuery query = LS_QUERY_INIT;
  GString *said = g_string_new (NULL);

  while (queued->kind != LS_EVENT_QUEUED)
    queued--;
  queued->op = e->op = (guint16) op;
  queued->tile = e->tile = 4096;
  g_autoptr (LsViewData) data = ls_view_data_from_recording ((LsRecording *) recording, NULL);
  query.picked = (LsPick){ 1, event };
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
  const LsTimeline *t = layout->own;
  const LsScene *s = layout->moving;
  ls_layout_move (layout, &query);
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      const float *at = &g_array_index (s->points, float, 2 * item->points);
      if (item->kind == LS_ITEM_TEXT && ls_area_has (t->card[1], (double) item->x, (double) item->y))
        g_string_append_printf (said, "%s\n", item->text);
      else if (item->kind == LS_ITEM_LINE && item->n_points == 2
               && fabs ((double) at[1] - t->lanes[1].guide_y) < 6
               && fabs ((double) at[3] - t->lanes[1].guide_y) < 6)
        g_string_append_printf (said, "a line from %.0f to %.0f\n", (double) at[0], (double) at[2]);
    }
  return g_string_free (said, FALSE);
}

/* A copy that is picked is told of by itself: how many bytes, how fast, when it was queued, whether an op
 * needed it or not. */
static void
test_copy_for_op (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
  guint n = 0;

  for (guint i = 0; i < recording->lanes[1].events->len; i++)
    {
      const LsEventKind kind = g_array_index (recording->lanes[1].events, LsEvent, i).kind;
      if (kind != LS_EVENT_COPY_IN && kind != LS_EVENT_COPY_OUT)
        continue;
      g_autofree char *alone = said_of_copy (recording, i, LS_OP_NONE),
                      *with = said_of_copy (recording, i, 2);
      if (strstr (alone, "B/s") == NULL || strstr (alone, "a line from ") == NULL)
        g_error ("of a copy it is said “%s”", alone);
      if (strcmp (alone, with) != 0)
        g_error ("of a copy it is said “%s”, and of one for an op “%s”", alone, with);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-odd/centuries", test_centuries);
  g_test_add_func ("/paint/timeline-odd/centuries-before", test_centuries_before);
  g_test_add_func ("/paint/timeline-odd/zoom-centuries", test_zoom_centuries);
  g_test_add_func ("/paint/timeline-odd/no-rows", test_no_rows);
  g_test_add_func ("/paint/timeline-odd/long-message", test_unrecorded);
  g_test_add_func ("/timeline-odd/stopped-head", test_stopped_head);
  g_test_add_func ("/paint/timeline-odd/ticks", test_ticks);
  g_test_add_func ("/paint/timeline-odd/given-up", test_given_up);
  g_test_add_func ("/paint/timeline-odd/copy-for-op", test_copy_for_op);
  return g_test_run ();
}
