/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is lit of a worker's wait that is picked: the tile that it waited for is framed, and a line leads from
 * there, where that tile ends, to the middle of the waiting worker's row. And how many commands wait at most;
 * what the cards say of an op that both lanes end, and of a copy.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "tests/paint/told.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

/* The worker's row. */
static const LsTimelineRow *
row_of_worker (const LsTimelineLane *lane, guint worker)
{
  for (guint r = 0; r < lane->rows->len; r++)
    {
      const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, r);
      if (row->kind == LS_ROW_WORKER && !row->other && row->number == (gint) worker && row->merged <= 1)
        return row;
    }
  g_error ("worker %u has no row of its own", worker);
}

/* The last of the op's tiles to end before the wait does: that is what it was for. */
static guint
last_tile (const LsViewLane *lane, const LsEvent *wait)
{
  const GArray *events = lane->recorded->events;
  guint last = G_MAXUINT;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_TILE && e->op == wait->op && e->end_ns <= wait->end_ns
          && (last == G_MAXUINT || e->end_ns > g_array_index (events, LsEvent, last).end_ns))
        last = i;
    }
  return last;
}

static guint
tiles_of (const LsViewLane *lane, guint op)
{
  guint n = 0;

  for (EACH_EVENT (lane, e))
    n += e->kind == LS_EVENT_TILE && e->op == op;
  return n;
}

/* In the row of the tile's worker, over the tile's time. */
static const LsItem *
frame_of (const LsTimelineLane *lane, const LsEvent *tile)
{
  const LsScene *s = lane->layout->moving;
  const LsTimelineRow *row = row_of_worker (lane, tile->worker);
  const double x0 = ls_time_x (&lane->scale, (gint64) ls_told_since (lane->lane, tile->start_ns)),
               x1 = ls_time_x (&lane->scale, (gint64) ls_told_since (lane->lane, tile->end_ns));

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_FRAME && (double) item->y >= row->y - .5
          && (double) (item->y + item->h) <= row->y + row->h + .5 && fabs ((double) item->x - x0) < 3
          && fabs (ls_item_right (item) - x1) < 6)
        return item;
    }
  return NULL;
}

/* The dot, and the line that was drawn just before it. */
static gboolean
find_line (const LsScene *s, double *x, double *from, double *to, double *dot_x, double *dot_y)
{
  guint n = 0;

  for (guint i = 1; i < s->items->len; i++)
    {
      const LsItem *dot = ls_scene_get (s, i), *line = ls_scene_get (s, i - 1);
      const float *end = &g_array_index (s->points, float, 2 * dot->points),
                  *at = &g_array_index (s->points, float, 2 * line->points);
      if (dot->kind != LS_ITEM_DOTS)
        continue;
      g_assert_cmpuint (dot->n_points, ==, 1);
      g_assert_cmpint (line->kind, ==, LS_ITEM_LINE);
      g_assert_cmpuint (line->n_points, ==, 2);
      g_assert_cmpfloat_with_epsilon (at[0], at[2], .01f); /* upright */
      *x = (double) at[0];
      *from = (double) at[1];
      *to = (double) at[3];
      *dot_x = (double) end[0];
      *dot_y = (double) end[1];
      n++;
    }
  g_assert_cmpuint (n, <=, 1);
  return n == 1;
}

static void
test_waited (void)
{
  const LsFixture f = { LS_CORES (4), .batch = 64, .tiles = 16, .groups = 64, .on_cpu = TRUE, .steps = 60 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  const GArray *events = data->sides[0].recorded->events;
  LsQuery query = LS_QUERY_INIT;
  guint n[2] = { 0 }, own = 0;

  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *wait = &g_array_index (events, LsEvent, i);
      double x = NAN, from = NAN, to = NAN, dot_x = NAN, dot_y = NAN;

      if (wait->kind != LS_EVENT_WAIT)
        continue;
      const guint last = last_tile (&data->sides[0], wait);
      if (last == G_MAXUINT)
        continue;
      const LsEvent *tile = &g_array_index (events, LsEvent, last);
      const LsCause cause = ls_time_cause (lane->times, i);
      query.picked = (LsPick){ 0, i };
      query.time_ns = (gint64) ls_told_since (lane->lane, wait->start_ns) + 1;
      ls_layout_move (layout, &query);
      const gboolean line = find_line (layout->moving, &x, &from, &to, &dot_x, &dot_y);
      if (tile->worker == wait->worker)
        {
          if (line || cause.kind != LS_CAUSE_BARRIER)
            g_error ("worker %u, which ended the op's last tile, waits for cause %d%s", wait->worker,
                     (gint) cause.kind, line ? ", and a line leads to its own row" : "");
          own++;
          continue;
        }
      if (tile->end_ns > wait->start_ns
          && cause.kind != (tiles_of (lane->lane, wait->op) == 1 ? LS_CAUSE_ALONE : LS_CAUSE_TILE))
        g_error ("worker %u waits for a tile of worker %u, and the cause is said to be %d", wait->worker,
                 tile->worker, (gint) cause.kind);
      const LsItem *frame = frame_of (lane, tile);
      const LsTimelineRow *row = row_of_worker (lane, wait->worker);
      const double end = ls_time_x (&lane->scale, (gint64) ls_told_since (lane->lane, tile->end_ns)),
                   middle = row->y + row->h / 2;
      if (frame == NULL)
        g_error ("worker %u waits for tile %u of worker %u, which isn't framed", wait->worker, tile->tile,
                 tile->worker);
      if (!line)
        g_error ("no line leads from worker %u to worker %u, which waits for it", tile->worker, wait->worker);
      const gboolean above = (double) frame->y < row->y;
      const double edge = above ? (double) (frame->y + frame->h) : (double) frame->y;
      if (fabs (x - end) > 1 || fabs (from - edge) > .6 || fabs (to - middle) > 1.1)
        g_error (
          "from worker %u’s tile, which ends at %.1f and whose edge is at %.1f, to the middle of worker "
          "%u’s row, %.1f, a line leads at %.1f from %.1f to %.1f",
          tile->worker, end, edge, wait->worker, middle, x, from, to);
      if (fabs (dot_x - x) > .1 || fabs (dot_y - to) > .1)
        g_error ("the line ends at %.1f, %.1f, and its dot is at %.1f, %.1f", x, to, dot_x, dot_y);
      n[above]++;
    }
  g_test_message ("%u lead up, %u down, %u waits are one's own", n[0], n[1], own);
  g_assert_cmpuint (MIN (n[0], n[1]), >, 4);
}

static guint
depth_at (const LsViewLane *lane, double ns)
{
  guint depth = 0;

  for (EACH_EVENT (lane, e))
    depth += e->kind == LS_EVENT_QUEUED && ls_told_since (lane, e->start_ns) <= ns
             && ls_told_since (lane, e->end_ns) > ns;
  return depth;
}

/* They stand right after the last command that waits, where they have room there. TRUE: they have. */
static gboolean
check_queue_words (const LsLayout *layout, const LsTimelineLane *lane, guint most)
{
  const LsMetrics *m = &layout->m;
  const double right = lane->scale.x + lane->scale.w;
  g_autofree char *words = g_strdup_printf (most == 1 ? "at most %u command waits" : "up to %u commands wait",
                                            most);
  const LsItem *item = find_text (layout->still, words);
  double end = lane->scale.x;

  for (EACH_EVENT (lane->lane, e))
    if (e->kind == LS_EVENT_QUEUED && ls_told_since (lane->lane, e->start_ns) < (double) lane->scale.to
        && ls_told_since (lane->lane, e->end_ns) > (double) lane->scale.from)
      end = MAX (
        end, MIN (floor (ls_time_x (&lane->scale, (gint64) ls_told_since (lane->lane, e->end_ns))), right));
  const double slack = right - end - 10 - ls_scene_width (layout->still, m->label, words);
  if (lane->queue_h <= 0 || fabs (slack) < 3 || fabs (m->label.px - lane->queue_h - 4) < .5)
    return FALSE;
  if ((item != NULL) != (slack > 0 && m->label.px < lane->queue_h + 4))
    g_error ("beside the queue, which ends %.0f px before the end, “%s” %s", right - end, words,
             item != NULL ? "is said" : "isn’t said");
  if (item != NULL && fabs ((double) item->x - end - 8) > 2)
    g_error ("the queue ends at %.0f px, and how deep it was is said at %.0f", end, (double) item->x);
  return item != NULL;
}

/* Beside a lane that takes longer the device has nothing to do at the end: there stands how deep its queue
 * was. */
static void
test_queue_words (void)
{
  guint said = 0, n = 0;

  for (guint longer = 0; longer <= 12; longer++, n++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      const guint64 length = recording->lanes[1].end_ns - recording->lanes[1].start_ns;
      const LsQuery query = LS_QUERY_INIT;

      recording->lanes[0].end_ns = recording->lanes[0].start_ns + length + length * longer / 4;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[1];
      guint most = 0;

      for (EACH_EVENT (lane->lane, e))
        if (e->kind == LS_EVENT_QUEUED)
          most = MAX (most, depth_at (lane->lane, ls_told_since (lane->lane, e->start_ns)));
      said += check_queue_words (layout, lane, most);
    }
  g_test_message ("said in %u of %u pictures", said, n);
  g_assert_true (said > 3 && said < n);
}

/* The words right of a card's line; NULL: there is no such line. */
static const char *
value_of (const LsScene *s, LsArea card, const char *name)
{
  const LsItem *line = NULL;

  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind != LS_ITEM_TEXT || !ls_area_has (card, (double) item->x, (double) item->y))
        continue;
      if (line != NULL)
        return item->text;
      line = strcmp (item->text, name) == 0 ? item : NULL;
    }
  return NULL;
}

/* Of one op each card says when the other lane was done with it: before, after, or at the same time. */
static void
test_done (void)
{
  static const struct {
    gint64 later;             /* OpenCL, ns */
    const char *left, *right; /* in whose cards this is said */
  } cases[] = {
    { 0, "OpenCL done", "CPU done" },
    { 3000, "OpenCL done later by", "CPU done earlier by" },
    { -3000, "OpenCL done earlier by", "CPU done later by" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
      const LsStepIndex *cpu = data->sides[0].index;
      LsStepIndex *opencl = data->sides[1].index;
      const guint op = ls_step_index_leader (cpu, 2);
      LsQuery query = LS_QUERY_INIT;

      g_assert_cmpuint (ls_step_index_leader (opencl, 2), ==, op);
      opencl->ops[op].end_ns = cpu->ops[op].end_ns + cases[i].later;
      for (guint k = 0; k < cpu->spans->len; k++)
        if (g_array_index (cpu->spans, LsSpan, k).op == op)
          query.picked = (LsPick){ 0, g_array_index (cpu->spans, LsSpan, k).event };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      ls_layout_move (layout, &query);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const char *name = side == 0 ? cases[i].left : cases[i].right,
                     *said = value_of (layout->moving, ((const LsTimeline *) layout->own)->card[side], name);
          g_autofree char *should = cases[i].later != 0 ? ls_number_time (3000)
                                                        : g_strdup ("at the same time");
          if (g_strcmp0 (said, should) != 0)
            g_error ("OpenCL ends an op %d ns after CPU, and in card %u “%s” is “%s”", (gint) cases[i].later,
                     side, name, said);
        }
    }
}

/* A copy's rate is its bytes over its time; one too short for the clock has none, rather than none a second.
 */
static void
test_copies (void)
{
  guint seen = 0;

  for (guint none = 0; none < 2; none++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      const GArray *events = recording->lanes[1].events;

      for (guint i = 0; i < events->len; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          LsQuery query = LS_QUERY_INIT;

          if (e->kind != LS_EVENT_COPY_IN && e->kind != LS_EVENT_COPY_OUT)
            continue;
          e->end_ns = e->start_ns + (none ? 0 : 2000);
          g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
          query.picked = (LsPick){ 1, i };
          g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560,
                                                   1440);
          ls_layout_move (layout, &query);
          const LsArea card = ((const LsTimeline *) layout->own)->card[1];
          g_autofree char *bytes = ls_number_scaled ((double) e->tile),
                          *each = ls_number_scaled ((double) e->tile / 2e-6),
                          *rate = g_strdup_printf ("%sB/s", each);
          g_assert_cmpstr (value_of (layout->moving, card, "bytes"), ==, bytes);
          if (g_strcmp0 (value_of (layout->moving, card, "rate"), none ? NULL : rate) != 0)
            g_error ("%u bytes were copied in %s, and the rate is “%s”", e->tile, none ? "no time" : "2 µs",
                     value_of (layout->moving, card, "rate"));
          seen++;
        }
    }
  g_assert_cmpuint (seen, >=, 2);
}

/* Beside a lane's name stands what its step took and was made of: tiles and their workers' waits; commands
 * and work-groups; where the queue isn't recorded, how long it was. */
static void
test_step_words (void)
{
  for (guint queue = 0; queue < 2; queue++)
    {
      LsFixture f = ls_fixture_calls;
      f.queue = queue;
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);

      ls_layout_move (layout, &query);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsViewLane *lane = &data->sides[side];
          guint commands = 0, pieces = 0;
          double wait = 0;

          for (EACH_EVENT (lane, e))
            {
              commands += queue && (e->kind == LS_EVENT_KERNEL || ls_event_is_copy (e));
              pieces += e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP;
              wait += e->kind == LS_EVENT_WAIT ? (double) (e->end_ns - e->start_ns) : 0;
            }
          g_autofree char *took = ls_number_time (ls_told_step_ns (lane)), *waits = ls_number_time (wait),
                          *n = ls_number_count (pieces);
          g_autofree char *words
            = side == 0
                ? g_strdup_printf ("the step took %s: %s tiles; workers wait %s in all", took, n, waits)
              : queue ? g_strdup_printf ("the step took %s: %u commands, %s work-groups", took, commands, n)
                      : g_strdup_printf ("the step took %s", took);
          const LsItem *said = NULL;

          g_assert_cmpuint (pieces, >, 20);
          for (guint i = 0; i < layout->moving->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->moving, i);
              if (item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, "the step took")
                  && fabs ((double) item->y - ((const LsTimeline *) layout->own)->lanes[side].name_y) < .5)
                said = item;
            }
          if (said == NULL || strcmp (said->text, words) != 0)
            g_error ("beside the name of %s stands “%s”, not “%s”", lane->name,
                     said != NULL ? said->text : "nothing", words);
        }
    }
}

/* Of another recording that is laid over this one and did nothing of the kind there is no row of dashes: a
 * dash says that this recording's row is empty. */
static void
test_dashes (void)
{
  for (guint none = 0; none < 2; none++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls),
                              then = ls_fixture_recording (&ls_fixture_calls);
      LsQuery query = LS_QUERY_INIT;

      for (guint i = then->lanes[0].events->len; none && i-- > 0;)
        if (g_array_index (then->lanes[0].events, LsEvent, i).kind == LS_EVENT_OP)
          g_array_remove_index (then->lanes[0].events, i);
      g_autoptr (LsViewData) other = ls_view_data_from_recording (then, NULL);
      const LsViewBeside beside = { .other = other };
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
      guint others = 0;

      for (guint r = 0; r < lane->rows->len; r++)
        {
          const LsTimelineRow *row = &g_array_index (lane->rows, LsTimelineRow, r);
          guint dashes = 0;

          for (guint i = 0; i < layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              dashes += item->kind == LS_ITEM_DASH && (double) item->y >= row->y
                        && (double) item->y < row->y + row->h;
            }
          if (dashes != (row->row == NULL && !row->other))
            g_error ("row %u, %s recording’s, has %s spans and %u dashes", r,
                     row->other ? "the other" : "this", row->row == NULL ? "no" : "some", dashes);
          others += row->other && (row->row == NULL) == (gboolean) none;
        }
      g_assert_cmpuint (others, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-waited/line", test_waited);
  g_test_add_func ("/paint/timeline/queue-words", test_queue_words);
  g_test_add_func ("/paint/timeline-waited/done", test_done);
  g_test_add_func ("/paint/timeline-waited/copies", test_copies);
  g_test_add_func ("/paint/timeline-waited/step-words", test_step_words);
  g_test_add_func ("/paint/timeline-waited/dashes", test_dashes);
  return g_test_run ();
}
