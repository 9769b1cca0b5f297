/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline: every span is in the picture, picks lead to events, zooming stays within the step.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/parts/evidence.h"
#include "core/number.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/parts/zoom.h"
#include "ui/paint/views.h"

static LsLayout *
lay_out (LsViewData *data, const LsQuery *query, double w, double h)
{
  return draw_view (&ls_view_timeline, data, query, LS_LOOK_LIGHT, w, h);
}

/* All spans of all rows that are shown are in the picture, as themselves or counted. */
static void
test_counts (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = lay_out (data, &query, 1920, 1080);
  const LsTimeline *t = layout->own;

  for (guint side = 0; side < LS_SIDES; side++)
    {
      guint should = 0, bars = 0;
      for (guint i = 0; i < data->recording->lanes[side].events->len; i++)
        {
          const LsEvent *e = &g_array_index (data->recording->lanes[side].events, LsEvent, i);
          should += e->kind != LS_EVENT_WAIT && e->kind != LS_EVENT_QUEUED && e->kind != LS_EVENT_STEP;
        }
      g_assert_cmpuint (t->lanes[side].n_drawn + t->lanes[side].n_folded, ==, should);
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          bars += item->kind == LS_ITEM_BAR && item->side == side;
          bars += item->kind == LS_ITEM_WAIT && item->side == side && item->event != LS_NO_EVENT
                  && ls_layout_event (layout, (LsPick){ (gint) side, item->event })->kind
                       == LS_EVENT_HOST_WAIT;
        }
      g_assert_cmpuint (bars, ==, t->lanes[side].n_drawn + t->lanes[side].n_blocks);
    }
}

/* A mark stands where its event's time is, in the row of its worker. */
static void
check_place (const LsLayout *layout, const LsItem *item)
{
  const LsTimeline *t = layout->own;
  const LsTimelineLane *lane = &t->lanes[item->side];
  const LsEvent *e = ls_layout_event (layout, (LsPick){ item->side, item->event });
  const double x = ls_time_x (&lane->scale, ls_time_since (lane->times, e->start_ns));

  if (item->kind != LS_ITEM_BAR)
    return;
  g_assert_cmpfloat (fabs ((double) item->x - x), <=, 2);
  if (e->kind == LS_EVENT_TILE)
    {
      g_assert_cmpuint (item->worker, ==, e->worker);
      g_assert_cmpuint (item->ink, ==, LS_INK_WORKER);
      g_assert_cmpuint ((guint) item->value, ==, e->worker);
    }
}

static void
test_picks (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = lay_out (data, &query, 1920, 1080);
  guint kinds[LS_EVENT_N_KINDS] = { 0 }, n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      LsPick pick;
      if (item->event == LS_NO_EVENT || item->w < 8)
        continue;
      pick = ls_layout_pick (layout, (double) (item->x + item->w / 2), (double) (item->y + item->h / 2));
      g_assert_cmpint (pick.side, ==, item->side);
      g_assert_cmpuint (pick.event, ==, item->event);
      kinds[ls_layout_event (layout, pick)->kind]++;
      check_place (layout, item);
      query.picked = pick;
      ls_layout_move (layout, &query);
      g_autofree char *words = ls_layout_describe (layout);
      assert_faultless (layout);
      g_assert_cmpuint (strlen (words), >, 60);
      n++;
    }
  g_assert_cmpuint (n, >, 60);
  g_assert_cmpuint (kinds[LS_EVENT_OP], >, 5);
  g_assert_cmpuint (kinds[LS_EVENT_TILE], >, 20);
  g_assert_cmpuint (kinds[LS_EVENT_WAIT], >, 0);
  g_assert_cmpuint (kinds[LS_EVENT_KERNEL], >, 5);
  g_assert_cmpuint (kinds[LS_EVENT_QUEUED], >, 0);
  g_assert_cmpuint (kinds[LS_EVENT_HOST_WAIT], ==, 1);
}

/* The time of a picked op opens its evidence: over the recorded steps, or over its own tiles. */
static void
test_evidence (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsRecording *steps[] = { data->recording, data->recording, data->recording };
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = NULL;
  LsEvidenceHit hit = { .side = -1 };
  gboolean found = FALSE;

  query.picked
    = (LsPick){ 0, ls_time_index_row (ls_time_index_of (data->sides[0].index), LS_ROW_OPS, 0)->event[1] };
  layout = lay_out (data, &query, 1920, 1080);
  for (guint i = 0; i < layout->moving->items->len && !found; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      if (item->kind == LS_ITEM_EVIDENCE && item->number == LS_NUMBER_OP && item->side == 0)
        found = ls_layout_evidence (layout, (double) (item->x + item->w / 2),
                                    (double) (item->y + item->h / 2), &hit);
    }
  g_assert_true (found);
  g_assert_cmpint (hit.number, ==, LS_NUMBER_OP);
  g_assert_cmpint (hit.side, ==, 0);
  g_assert_cmpuint (hit.op, ==, ls_layout_event (layout, query.picked)->op);
  g_autoptr (LsEvidenceFacts) run = ls_evidence_op_facts (data, 0, hit.op, steps, G_N_ELEMENTS (steps));
  g_autoptr (LsEvidenceFacts) once = ls_evidence_op_facts (data, 0, hit.op, steps, 0);
  g_assert_cmpuint (run->samples->len, ==, G_N_ELEMENTS (steps));
  g_assert_cmpuint (once->samples->len, ==, data->sides[0].index->ops[hit.op].n);
}

/* The clock's error is the device's, wherever it stands: the CPU's lane is on the host's clock itself. */
static void
test_clock (void)
{
  for (guint device = 0; device < LS_SIDES; device++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
      const LsQuery query = LS_QUERY_INIT;

      recording->lanes[1 - device].clock_error_ns = 0;
      recording->lanes[device].clock_error_ns = 1234;
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = lay_out (data, &query, 1920, 1080);
      if (find_text (layout->still, "since each lane began its step; device clock matched to ±1.23\u00a0µs")
          == NULL)
        g_error ("lane %u's clock is matched to ±1.23 µs, and it isn't said", device);
    }
}

/* The device waits where nothing runs: not after a short command that ends while a longer one goes on. */
static void
test_gaps (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
  const GArray *events = recording->lanes[1].events;
  const LsQuery query = LS_QUERY_INIT;
  LsEvent *first = NULL;

  for (guint overlap = 0; overlap < 2; overlap++)
    {
      guint gaps = 0;
      for (guint i = 0; i < events->len; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          if (e->kind == LS_EVENT_KERNEL && (first == NULL || e->start_ns < first->start_ns))
            first = e;
        }
      if (overlap)
        first->end_ns = recording->lanes[1].end_ns; /* all others run within it */
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = lay_out (data, &query, 1920, 1080);
      const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[1];
      const double begins = ls_time_x (&lane->scale, ls_time_since (lane->times, first->start_ns));
      for (guint i = 0; i < layout->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->still, i);
          gaps += item->kind == LS_ITEM_WAIT && item->side == 1 && (double) item->x > begins
                  && ls_layout_event (layout, (LsPick){ 1, item->event })->kind == LS_EVENT_QUEUED;
        }
      if (overlap)
        g_assert_cmpuint (gaps, ==, 0);
      else
        g_assert_cmpuint (gaps, >, 0);
    }
}

/* What the cards and the line above the lane say that workers waited: an op's own waits, and all of the
 * step's. */
static void
test_waits (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_calls);
  const GArray *events = recording->lanes[0].events;
  LsQuery query = LS_QUERY_INIT;
  guint64 all_ns = 0, op_ns = 0;
  guint op = G_MAXUINT;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind != LS_EVENT_WAIT)
        continue;
      g_array_index (events, LsEvent, i).end_ns -= (e->end_ns - e->start_ns) / 3; /* not all up to the op's
                                                                                     end */
      op = op == G_MAXUINT ? e->op : op;
      all_ns += e->end_ns - e->start_ns;
      op_ns += e->op == op ? e->end_ns - e->start_ns : 0;
    }
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autofree char *of_op = ls_number_time ((double) op_ns), *of_all = ls_number_time ((double) all_ns);
  g_autofree char *words = g_strdup_printf ("workers wait %s in all", of_all);
  g_autoptr (LsLayout) step = lay_out (data, &query, 1920, 1080);
  g_assert_cmpuint (op_ns, <, all_ns);
  g_assert_nonnull (find_text (step->moving, words));

  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, LsEvent, i).kind == LS_EVENT_OP && g_array_index (events, LsEvent, i).op == op)
      query.picked = (LsPick){ 0, i };
  g_autoptr (LsLayout) one = lay_out (data, &query, 1920, 1080);
  g_autofree char *texts = all_texts (one->moving, "\n"),
                  *line = g_strdup_printf ("workers wait, in all\n%s\n", of_op);
  g_test_message ("%s", texts);
  g_assert_nonnull (strstr (texts, line));
}

/* Of what is picked in one lane the other one says when it begins there, and how long it takes. */
static void
test_over_there (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const GArray *events = data->recording->lanes[0].events;
  guint seen = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      LsQuery query = LS_QUERY_INIT;
      query.picked = (LsPick){ 0, i };
      if (e->kind != LS_EVENT_OP || e->op >= data->sides[1].index->n_ops)
        continue;
      g_autoptr (LsLayout) layout = lay_out (data, &query, 1920, 1080);
      const LsOpTrace *trace
        = &data->sides[1].index->ops[ls_timeline_op (&((LsTimeline *) layout->own)->lanes[1], e->op)];
      g_autofree char *start = ls_number_time ((double) trace->start_ns),
                      *time = ls_number_time ((double) (trace->end_ns - trace->start_ns)),
                      *words = g_strdup_printf ("starts at %s and takes %s here", start, time);
      if (find_text (layout->moving, words) == NULL)
        g_error ("with %s picked the other lane doesn't say that it %s", data->recording->ops[e->op].symbol,
                 words);
      seen += trace->start_ns > trace->end_ns - trace->start_ns;
    }
  g_assert_cmpuint (seen, >, 3);
}

/* From one worker to 128, at all sizes, of a convolutional net. */
static void
test_workers (void)
{
  static const guint counts[] = { 1, 2, 8, 24, 128 };
  const LsQuery query = LS_QUERY_INIT;

  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      const LsFixture f
        = { .model = "conv 16 3 pad 1, relu, maxpool 2, conv 32 3 pad 1, relu, maxpool 2, flatten, dense 10",
            .batch = 64,
            .workers = counts[c],
            .tiles = 6 * counts[c],
            .groups = 500,
            .known = c % 2 ? LS_KNOWN_UNITS : LS_KNOWN_THREADS,
            .units = counts[c],
            .stealing = TRUE,
            .fused = TRUE,
            .steps = 50,
            .queue = TRUE };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
        {
          g_autoptr (LsLayout) layout = lay_out (data, &query, draw_sizes[s][0], draw_sizes[s][1]);
          const LsTimeline *t = layout->own;
          guint rows = 0;
          assert_faultless (layout);
          for (guint i = 0; i < t->lanes[0].rows->len; i++)
            {
              const LsTimelineRow *row = &g_array_index (t->lanes[0].rows, LsTimelineRow, i);
              rows += row->kind == LS_ROW_WORKER ? row->merged : 0;
            }
          g_assert_cmpuint (rows, >=, counts[c]);
        }
    }
}

/* A neighbour is another mark. */
static void
test_neighbours (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = lay_out (data, &query, 1280, 800);
  const LsPick first = ls_layout_neighbour (layout, LS_PICK_NONE, 0, 0);
  const LsPick right = ls_layout_neighbour (layout, first, 1, 0),
               down = ls_layout_neighbour (layout, first, 0, 1);

  g_assert_cmpuint (right.event, !=, first.event);
  g_assert_cmpuint (down.event, !=, first.event);
}

/* The lanes' cards say how long the step took, and how long the other's did. */
static void
check_step_cards (const LsScene *s, const LsViewData *data, const LsViewData *other)
{
  guint seen = 0;

  for (guint i = 0; i + 1 < s->items->len; i++)
    {
      const LsItem *label = ls_scene_get (s, i), *value = ls_scene_get (s, i + 1);
      const gboolean theirs = label->text != NULL && strcmp (label->text, "other recording") == 0;
      const LsViewData *of = theirs ? other : data;

      if (!theirs && (label->text == NULL || strcmp (label->text, "step") != 0))
        continue;
      while (value->text == NULL && i + 2 < s->items->len)
        value = ls_scene_get (s, ++i + 1);
      g_autofree char *first = ls_number_time ((double) of->sides[0].index->length_ns),
                      *second = ls_number_time ((double) of->sides[1].index->length_ns);
      const char *wanted = seen < 2 ? first : second;

      if (g_strcmp0 (value->text, wanted) != 0)
        g_error ("the %s took %s, and the card says %s", theirs ? "other recording" : "step", wanted,
                 value->text);
      seen++;
    }
  g_assert_cmpuint (seen, ==, 4);
}

/* Two recordings over each other: the other's ops have a row of their own, and nothing of it can be
 * picked. */
static void
test_other (void)
{
  const LsFixture slower = { LS_CORES (2),   .batch = 128,  .tiles = 32, .groups = 64,
                             .on_cpu = TRUE, .fused = TRUE, .steps = 100 };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls), other = ls_fixture_data (&slower);
  const LsQuery query = LS_QUERY_INIT;
  guint marks = 0;

  data->other = ls_view_data_ref (other);
  for (guint w = 0; w < 3; w++)
    {
      g_autoptr (LsLayout) layout = lay_out (data, &query, draw_sizes[w][0], draw_sizes[w][1]);
      const LsTimeline *t = layout->own;
      assert_faultless (layout);
      for (guint side = 0; side < LS_SIDES && w == 2; side++)
        for (guint i = 0; i < t->lanes[side].rows->len; i++)
          marks += g_array_index (t->lanes[side].rows, LsTimelineRow, i).other;
      if (w == 2)
        check_step_cards (layout->moving, data, other);
    }
  g_assert_cmpuint (marks, ==, 2);
}

/* ---- zooming ---- */

static void
test_zoom (void)
{
  LsQuery query = LS_QUERY_INIT;
  gint64 from, to;

  ls_zoom_window (&query, 1000000, &from, &to);
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, 1000000);
  ls_zoom_by (&query, 1000000, .25, 2);
  ls_zoom_window (&query, 1000000, &from, &to);
  g_assert_cmpint (from, ==, 125000);
  g_assert_cmpint (to, ==, 625000);
  for (guint i = 0; i < 200; i++)
    ls_zoom_by (&query, 1000000, .5, 1.5);
  g_assert_cmpint (query.zoom1_ns - query.zoom0_ns, ==, LS_ZOOM_LEAST_NS);
  ls_zoom_pan (&query, 1000000, 1e6);
  g_assert_cmpint (query.zoom1_ns, ==, 1000000);
  ls_zoom_pan (&query, 1000000, -1e6);
  g_assert_cmpint (query.zoom0_ns, ==, 0);
  for (guint i = 0; i < 200; i++)
    ls_zoom_by (&query, 1000000, .9, 1 / 1.5);
  g_assert_true (ls_zoom_is_all (&query));
  ls_zoom_pan (&query, 1000000, .5);
  g_assert_true (ls_zoom_is_all (&query));
  ls_zoom_to (&query, 1000000, 400000, 480000);
  g_assert_cmpint (query.zoom0_ns, ==, 390000);
  g_assert_cmpint (query.zoom1_ns, ==, 490000);
}

/* Any part of the step is laid out without a fault. */
static void
test_zoomed_layouts (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const gint64 length = data->sides[1].index->length_ns;

  for (guint s = 0; s < 3; s++)
    for (guint at = 0; at < 9; at++)
      for (gint64 width = length / 2; width > 200; width /= 20)
        {
          LsQuery query = LS_QUERY_INIT;
          ls_zoom_set (&query, length, length / 9 * (gint64) at, length / 9 * (gint64) at + width);
          query.time_ns = query.zoom0_ns + width / 3;
          g_autoptr (LsLayout) layout = lay_out (data, &query, draw_sizes[s][0], draw_sizes[s][1]);
          assert_faultless (layout);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/counts", test_counts);
  g_test_add_func ("/paint/timeline/picks", test_picks);
  g_test_add_func ("/paint/timeline/neighbours", test_neighbours);
  g_test_add_func ("/paint/timeline/evidence", test_evidence);
  g_test_add_func ("/paint/timeline/clock", test_clock);
  g_test_add_func ("/paint/timeline/gaps", test_gaps);
  g_test_add_func ("/paint/timeline/waits", test_waits);
  g_test_add_func ("/paint/timeline/over-there", test_over_there);
  g_test_add_func ("/paint/timeline/workers", test_workers);
  g_test_add_func ("/paint/timeline/other", test_other);
  g_test_add_func ("/paint/timeline/zoom", test_zoom);
  g_test_add_func ("/paint/timeline/zoomed-layouts", test_zoomed_layouts);
  return g_test_run ();
}
