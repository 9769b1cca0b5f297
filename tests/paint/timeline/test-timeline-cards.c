/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline's cards: whose they are, what their lines say and how that is known; and how far it is zoomed
 * to what is picked.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/timeline/card_line.h"
#include "tests/paint/told.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/timeline/timeline_card.h"
#include "ui/paint/views.h"

/* Each lane's card is its own: headed in its colour, by its name or the op's; on a ground with an edge of one
 * pixel, and nothing of it beside that. */
static void
test_cards (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);

  for (guint picked = 0; picked < 2; picked++)
    {
      LsQuery query = LS_QUERY_INIT;

      if (picked)
        query.picked = (LsPick){ 1, g_array_index (data->sides[1].index->spans, LsSpan, 1).event };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      const LsTimeline *t = layout->own;
      const LsScene *s = layout->moving;
      ls_layout_move (layout, &query);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsArea card = t->card[side];
          const LsItem *heading = NULL, *edge = NULL, *ground = NULL;

          g_assert_cmpfloat (card.h, >, 60);
          for (guint i = 0; i < s->items->len; i++)
            {
              const LsItem *item = ls_scene_get (s, i);
              if (!ls_area_has ((LsArea){ card.x - .5, card.y - .5, card.w, card.h }, (double) item->x,
                                (double) item->y))
                continue;
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_EDGE && edge == NULL)
                edge = item;
              if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_CARD && ground == NULL)
                ground = item;
              if (item->kind != LS_ITEM_TEXT)
                continue;
              if (heading == NULL)
                heading = item;
              if (ls_item_right (item) > card.x + card.w || (double) item->y > card.y + card.h)
                g_error ("“%s” leaves the card of side %u", item->text, side);
            }
          if (heading == NULL || edge == NULL || ground == NULL)
            g_error ("the card of side %u lacks its heading or its ground", side);
          if (heading->ink != LS_INK_LANE || heading->value != (float) side)
            g_error ("the card of side %u is headed “%s” in the colour of lane %g", side, heading->text,
                     (double) heading->value);
          if (!picked && strcmp (heading->text, data->sides[side].name) != 0)
            g_error ("the card of side %u is headed “%s”", side, heading->text);
          if (fabsf (edge->w - ground->w - 2) > .01f || fabsf (edge->h - ground->h - 2) > .01f
              || fabsf (ground->x - edge->x - 1) > .01f || fabsf (ground->y - edge->y - 1) > .01f)
            g_error ("the card of side %u has no edge of one pixel", side);
        }
    }
}

static void
assert_window (const LsQuery *query, gint64 span, gint64 from, gint64 to, const char *what)
{
  /* at an edge it is moved inwards, not cut */
  const gint64 margin = MAX ((to - from) / 8, 1), length = MIN (to - from + 2 * margin, span),
               first = CLAMP (from - margin, 0, span - length), last = first + length;
  gint64 is_from, is_to;

  ls_zoom_window (query, span, &is_from, &is_to);
  if (llabs (is_from - first) > 1 || llabs (is_to - last) > 1)
    g_error ("of %s is shown from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", not from %" G_GINT64_FORMAT
             " to %" G_GINT64_FORMAT,
             what, is_from, is_to, first, last);
}

/* What is picked is zoomed to, on its own lane and with an eighth of its length round it: an event of an op
 * to the op, another event to itself. With nothing picked it is the op that is asked for, on both lanes. */
static void
test_zoom_to_pick (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
  guint ops = 0, others = 0;

  recording->lanes[1].start_ns -= 700; /* it began earlier */
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      const GArray *events = data->sides[side].recorded->events;

      for (guint i = 0; i < events->len; i += 3)
        {
          const LsEvent *e = &g_array_index (events, LsEvent, i);
          LsQuery query = LS_QUERY_INIT;

          if (e->end_ns <= e->start_ns || (e->op != LS_OP_NONE && e->op >= index->n_ops))
            continue;
          query.op = 2;
          query.picked = (LsPick){ (gint) side, i };
          g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
          g_autofree char *what = g_strdup_printf ("event %u of side %u", i, side);
          ls_zoom_to_pick (&query, layout);
          if (e->op == LS_OP_NONE)
            assert_window (&query, layout->span_ns, (gint64) (e->start_ns - index->lane->start_ns),
                           (gint64) (e->end_ns - index->lane->start_ns), what);
          else
            {
              const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, e->op)];
              if (trace->ran)
                assert_window (&query, layout->span_ns, trace->start_ns, trace->end_ns, what);
            }
          ops += e->op != LS_OP_NONE;
          others += e->op == LS_OP_NONE && side > 0;
        }
    }
  g_assert_cmpuint (MIN (ops, others), >, 0);

  LsQuery query = LS_QUERY_INIT;
  query.op = 2;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  gint64 from = G_MAXINT64, to = 0;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, 2)];
      from = MIN (from, trace->start_ns);
      to = MAX (to, trace->end_ns);
    }
  ls_zoom_to_pick (&query, layout);
  assert_window (&query, layout->span_ns, from, to, "the op on both lanes");
}

/* How long the lane's events of a kind took, one after the other. (transfer full), NULL: there are none */
static char *
all_of (const LsViewLane *lane, LsEventKind kind, LsEventKind other)
{
  guint64 ns = 0;

  for (guint i = 0; i < lane->recorded->events->len; i++)
    {
      const LsEvent *e = &g_array_index (lane->recorded->events, LsEvent, i);
      if (e->kind == kind || e->kind == other)
        ns += e->end_ns - e->start_ns;
    }
  return ns > 0 ? ls_number_time ((double) ns) : NULL;
}

/* What is told of a lane's step: how long it was, what in all and how many, and that events were lost, one,
 * too. All of that was measured. */
static void
test_step_lines (void)
{
  for (guint lost = 0; lost < 3; lost++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      LsQuery query = LS_QUERY_INIT;

      recording->lanes[0].dropped = recording->lanes[1].dropped = lost;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      ls_layout_move (layout, &query);
      const LsTimeline *t = layout->own;
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsTimeIndex *times = t->lanes[side].times;
          g_autofree char *length = ls_number_time ((double) data->sides[side].index->length_ns),
                          *pieces = ls_number_count (times->n_pieces),
                          *commands = ls_number_count (times->commands->len),
                          *queued = ls_number_count (times->most_queued),
                          *wait = ls_number_time ((double) times->wait_ns), *n = ls_number_count (lost),
                          *tiles = all_of (&data->sides[side], LS_EVENT_TILE, LS_EVENT_TILE),
                          *kernels = all_of (&data->sides[side], LS_EVENT_KERNEL, LS_EVENT_KERNEL),
                          *copies = all_of (&data->sides[side], LS_EVENT_COPY_IN, LS_EVENT_COPY_OUT);
          const struct {
            const char *name, *value; /* NULL: not told */
          } lines[] = {
            { "step", length },
            { side == 0 ? "tiles" : "work-groups", pieces },
            { side == 0 ? "work-groups" : "tiles", NULL },
            { "commands", times->commands->len > 0 ? commands : NULL },
            { "most that wait", times->commands->len > 0 ? queued : NULL },
            { "workers wait, in all", times->n_waits > 0 ? wait : NULL },
            { "tiles, in all", side == 0 ? tiles : NULL },
            { "kernels, in all", side == 1 ? kernels : NULL },
            { "copies, in all", copies },
            { "other recording", NULL },
            { "events lost", lost > 0 ? n : NULL },
          };
          for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
            {
              gint evidence;
              const char *value = line_of (layout, t->card[side], lines[i].name, &evidence);
              if (g_strcmp0 (value, lines[i].value) != 0)
                g_error ("side %u, %u events lost: “%s” is “%s”, not “%s”", side, lost, lines[i].name, value,
                         lines[i].value);
              if (value != NULL && evidence != LS_EVIDENCE_MEASURED)
                g_error ("side %u: “%s” has the mark of evidence %d", side, lines[i].name, evidence);
            }
        }
    }
}

/* Of a copy that is picked: when it starts, how long it runs, and how long it was queued before, by itself.
 */
static void
test_copy (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const GArray *events = data->sides[1].recorded->events;
  LsQuery query = LS_QUERY_INIT;
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i), *queued = NULL;

      if (e->kind != LS_EVENT_COPY_IN && e->kind != LS_EVENT_COPY_OUT)
        continue;
      for (guint k = 0; k < i; k++) /* the last one before it in the queue */
        if (g_array_index (events, LsEvent, k).kind == LS_EVENT_QUEUED)
          queued = &g_array_index (events, LsEvent, k);
      query.picked = (LsPick){ 1, i };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      ls_layout_move (layout, &query);
      g_autofree char *starts = ls_number_time ((double) (e->start_ns - data->sides[1].recorded->start_ns)),
                      *runs = ls_number_time ((double) (e->end_ns - e->start_ns)),
                      *before = queued != NULL ? ls_number_time ((double) (queued->end_ns - queued->start_ns))
                                               : NULL;
      const char *const lines[][2] = { { "starts", starts }, { "runs", runs }, { "queued before", before } };
      for (guint k = 0; k < G_N_ELEMENTS (lines); k++)
        {
          gint evidence;
          const char *said = line_of (layout, ((const LsTimeline *) layout->own)->card[1], lines[k][0],
                                      &evidence);
          if (g_strcmp0 (said, lines[k][1]) != 0)
            g_error ("of the copy that is event %u “%s” is “%s”, not “%s”", i, lines[k][0], said,
                     lines[k][1]);
        }
      n += queued != NULL;
    }
  g_assert_cmpuint (n, >, 0);
}

/* A line of a card has the mark of how it is known. */
static void
test_line_marks (void)
{
  static const char *const names[] = { "one", "two", "three", "four" };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
  const LsTimeline *t = layout->own;
  const LsArea area = { 100, 100, 400, 600 };

  ls_scene_clear (layout->moving);
  LsCard card = ls_card_open (layout, &t->lanes[0], area, "a title", "about it");
  for (guint e = LS_EVIDENCE_MEASURED; e <= LS_EVIDENCE_PUBLISHED; e++)
    ls_card_line (&card, (LsEvidence) e, names[e], g_strdup_printf ("%u", e));
  for (guint e = LS_EVIDENCE_MEASURED; e <= LS_EVIDENCE_PUBLISHED; e++)
    {
      gint evidence;
      const char *value = line_of (layout, area, names[e], &evidence);
      if (value == NULL || value[0] != (char) ('0' + e) || evidence != (gint) e)
        g_error ("the line of evidence %u is “%s” with the mark of %d", e, value, evidence);
    }
}

/* Where no cards have room, the lane's line says of a picked op what it is, and then who had none of it. */
static void
test_without_cards (void)
{
  static const LsFixture few = { LS_CORES (4), .batch = 128, .tiles = 1, .on_cpu = TRUE, .steps = 200 };
  g_autoptr (LsViewData) data = ls_fixture_data (&few);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_PROJECTOR, 3840, 2160);
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
  const GArray *events = data->sides[0].recorded->events;
  guint n = 0;

  g_assert_false (((const LsTimeline *) layout->own)->cards);
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      const LsItem *said = NULL;

      if (e->kind != LS_EVENT_OP)
        continue;
      query.picked = (LsPick){ 0, i };
      ls_layout_move (layout, &query);
      g_autofree char *what = ls_pick_words (layout, query.picked),
                      *idle = ls_timeline_idle_words (lane, e->op);
      if (idle == NULL)
        continue;
      g_autofree char *both = g_strconcat (what, "; ", idle, NULL);
      for (guint k = 0; k < layout->moving->items->len; k++)
        if (ls_scene_get (layout->moving, k)->kind == LS_ITEM_TEXT
            && strstr (ls_scene_get (layout->moving, k)->text, idle) != NULL)
          said = ls_scene_get (layout->moving, k);
      if (said == NULL || strcmp (said->text, both) != 0)
        g_error ("“%s” is said, not “%s”", said != NULL ? said->text : "nothing of it", both);
      n++;
    }
  g_assert_cmpuint (n, >, 3);
}

/* What an op took in the other recording, where it was fused into the one before it: what both took. Which
 * isn't how many times as long. */
static void
test_other_fused (void)
{
  LsFixture fused = ls_fixture_calls, apart = ls_fixture_calls;
  fused.fused = TRUE;
  apart.fused = FALSE;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&apart), then = ls_fixture_recording (&fused);
  g_autoptr (LsViewData) other = ls_view_data_from_recording (then, NULL);
  const LsViewBeside beside = { .other = other };
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  const GArray *events = data->sides[0].recorded->events;
  LsQuery query = LS_QUERY_INIT;
  guint own = 0, joined = 0, alone = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      double start, end;
      gint evidence;
      guint done = 0;

      if (e->kind != LS_EVENT_OP)
        continue;
      const guint leader = then->lanes[0].tilings[e->op].leader;
      g_assert_true (ls_told_op (&other->sides[0], leader, &start, &end));
      query.picked = (LsPick){ 0, i };
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 2560, 1440);
      ls_layout_move (layout, &query);
      g_autofree char *wanted = ls_number_time (end - start);
      const char *said = line_of (layout, ((const LsTimeline *) layout->own)->card[0], "other recording",
                                  &evidence);
      if (g_strcmp0 (said, wanted) != 0)
        g_error ("%s took %s in the other recording, with %s, and “%s” is said", recording->ops[e->op].symbol,
                 wanted, then->ops[leader].symbol, said);
      for (guint k = 0; k < then->n_ops; k++)
        done += then->lanes[0].tilings[k].leader == leader;
      const char *times = line_of (layout, ((const LsTimeline *) layout->own)->card[0], "times the other",
                                   &evidence);
      if ((times != NULL) != (done == 1))
        g_error ("%s, done there with %u ops, is held against them: “%s”", recording->ops[e->op].symbol, done,
                 times);
      alone += done == 1;
      own += leader == e->op;
      joined += leader != e->op;
    }
  g_assert_cmpuint (MIN (own, joined), >, 1);
  g_assert_cmpuint (alone, >, 1);
}

/* The clock's hand stands where it is, with its time, also while something is pointed at or picked. */
static void
test_playhead (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTimeline *t = layout->own;
  const LsPick first = ls_layout_neighbour (layout, LS_PICK_NONE, 0, 0);

  g_assert_cmpint (first.side, >=, 0);
  query.time_ns = layout->span_ns / 3;
  g_autofree char *time = ls_number_time ((double) query.time_ns);
  for (guint i = 0; i < 4; i++)
    {
      gboolean hand = FALSE, said = FALSE;

      query.hover = i % 2 ? first : LS_PICK_NONE;
      query.picked = i / 2 ? first : LS_PICK_NONE;
      ls_layout_move (layout, &query);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
          hand |= item->kind == LS_ITEM_LINE && item->n_points == 2
                  && fabs ((double) at[0] - ls_time_x (&t->scale, query.time_ns)) < .5 && at[0] == at[2];
          said |= item->kind == LS_ITEM_TEXT && item->ink == LS_INK_ON_TEXT && g_str_equal (item->text, time);
        }
      if (!hand || !said)
        g_error ("while something is %s the clock’s hand is%s there, and its time is%s said",
                 i == 0   ? "neither pointed at nor picked"
                 : i == 1 ? "pointed at"
                          : "picked",
                 hand ? "" : " not", said ? "" : " not");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline-cards/headings", test_cards);
  g_test_add_func ("/paint/timeline-cards/step", test_step_lines);
  g_test_add_func ("/paint/timeline-cards/copy", test_copy);
  g_test_add_func ("/paint/timeline-cards/marks", test_line_marks);
  g_test_add_func ("/paint/timeline-cards/zoom-to-pick", test_zoom_to_pick);
  g_test_add_func ("/paint/timeline-cards/without", test_without_cards);
  g_test_add_func ("/paint/timeline-cards/other-fused", test_other_fused);
  g_test_add_func ("/paint/timeline-cards/playhead", test_playhead);
  return g_test_run ();
}
