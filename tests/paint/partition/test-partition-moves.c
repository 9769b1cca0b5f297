/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves over Partition's bars: what stands at a worker's row at each moment is what its recorded events
 * say of that moment, in that row; the clock, its line, and in a hall who waited longest.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

#define OP      1
#define WORKERS 6

static LsFonts *fonts;

/* Each wait in two events, as at an op with two barriers; those of other ops are long. Between two tiles of
 * the op a worker does nothing for a while. */
static LsRecording *
make_recording (guint workers, guint tiles, guint groups, guint threads)
{
  const LsFixture f = { .batch = 128,
                        .workers = workers,
                        .tiles = tiles,
                        .groups = groups,
                        .on_cpu = TRUE,
                        .units = threads,
                        .steps = 40,
                        .known = LS_KNOWN_THREADS };
  LsRecording *recording = ls_fixture_recording (&f);
  GArray *events = recording->lanes[0].events;
  const guint n = events->len;

  for (guint i = 0; i < n; i++)
    {
      LsEvent *e = &g_array_index (events, LsEvent, i), second = *e;
      if (e->kind == LS_EVENT_TILE && e->op == OP)
        e->end_ns -= (e->end_ns - e->start_ns) / 3;
      if (e->kind != LS_EVENT_WAIT)
        continue;
      if (e->op != OP)
        e->end_ns += 1000000;
      else
        {
          e->end_ns = second.start_ns = e->start_ns + (e->end_ns - e->start_ns) / 3;
          g_array_append_val (events, second);
        }
    }
  return recording;
}

/* playing: at a pace at which nothing is left out. */
static LsQuery
query_at (gint64 now, gboolean playing, gint64 span)
{
  LsQuery query = LS_QUERY_INIT;

  query.op = OP;
  query.time_ns = now;
  query.dial_ns = playing ? (guint64) MAX (span / 50, 1) : 0;
  return query;
}

static const LsPartLane *
lane_of (const LsLayout *layout, guint side)
{
  return &((const LsPartLane *) layout->own)[side];
}

/* At the end of that row; "": nothing. */
static const char *
row_text (const LsLayout *layout, guint side, guint row)
{
  const LsPartLane *p = lane_of (layout, side);
  const char *found = "";

  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      const double y = (double) item->y - .36 * item->type.px - p->bars_y;
      if (item->kind == LS_ITEM_TEXT && fabs (ls_item_right (item) - p->area.x - p->area.w) < .5 && y > 0
          && (guint) (y / p->row_h) == row)
        found = item->text;
    }
  return found;
}

typedef struct {
  guint n, done, runs, ahead;
  gint64 waited;
  gboolean at_barrier;
} Count;

/* Of the op's pieces of that worker, or of all of that thread, at the op's time now. */
static Count
count_of (const LsLayout *layout, guint side, guint worker, gint64 now)
{
  const LsViewLane *lane = &layout->data->sides[side];
  const GArray *events = lane->recorded->events;
  const guint64 start = lane->recorded->start_ns + (guint64) lane_of (layout, side)->trace->start_ns;
  Count count = { 0 };

  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      const gint64 from = (gint64) (e->start_ns - start), to = (gint64) (e->end_ns - start);
      if (e->op != OP || e->worker != worker)
        continue;
      if (e->kind == LS_EVENT_TILE || e->kind == LS_EVENT_GROUP)
        {
          count.n++;
          count.done += to <= now;
          count.ahead += from > now;
          count.runs += from <= now && to > now;
        }
      if (e->kind == LS_EVENT_WAIT && from <= now)
        {
          count.at_barrier = TRUE;
          count.waited += MIN (to, now) - from;
        }
    }
  return count;
}

/* (transfer full) */
static char *
worker_says (const Count *c, gboolean stands, gboolean brief, gint64 span)
{
  g_autofree char *time = ls_number_time ((double) c->waited), *last = ls_number_ordinal (c->n);

  if (c->runs > 0)
    return c->ahead > 0 || brief ? g_strdup ("working") : g_strdup_printf ("runs its last, the %s", last);
  if (!c->at_barrier)
    return g_strdup (c->done == 0 ? "" : c->ahead > 0 ? "working" : "done");
  if (c->n > 0 && 100 * c->waited < span) /* the barrier itself takes as long */
    return g_strdup ("done");
  if (!stands)
    return g_strdup (brief ? "waits" : c->n == 0 ? "had no tile, waits" : "none left, waits");
  return g_strdup_printf (brief       ? "waits %s"
                          : c->n == 0 ? "had no tile, waits %s"
                                      : "none left, waits %s",
                          time);
}

/* At each moment, played and standing, in words and in few of them. */
static void
test_workers (void)
{
  static const struct {
    guint workers, tiles;
    gboolean wide;
  } cases[]
    = { { WORKERS, 24, TRUE }, { WORKERS, 24, FALSE }, { 4, 3, TRUE }, { 3, 1, TRUE }, { 2, 8, FALSE } };
  guint said[6] = { 0 }, briefly = 0;

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsRecording) recording = make_recording (cases[c].workers, cases[c].tiles, 8, 2);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsQuery first = query_at (0, FALSE, 0);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &first, LS_LOOK_LIGHT,
                                                  cases[c].wide ? 3000 : 1280, cases[c].wide ? 1400 : 900);
      const LsPartLane *p = lane_of (layout, 0);
      const gint64 length = p->trace->end_ns - p->trace->start_ns;

      g_assert_cmpint (p->brief, ==, !cases[c].wide);
      g_assert_cmpuint (p->n_rows, ==, cases[c].workers);
      for (guint k = 0; k <= 80; k++)
        {
          const gboolean end = k == 80, playing = k % 2 == 0;
          const gint64 now = length * k / 80;
          const LsQuery query = query_at (end ? LS_TIME_END : now, playing, layout->span_ns);

          ls_layout_move (layout, &query);
          for (guint w = 0; w < cases[c].workers; w++)
            {
              const Count count = count_of (layout, 0, w, now);
              g_autofree char *should = worker_says (&count, !playing || end, p->brief, layout->span_ns);
              const char *is = row_text (layout, 0, w);
              if (strcmp (is, should) != 0)
                g_error ("%u workers, %u tiles, at %u/80%s: beside worker %u stands “%s”, not “%s”",
                         cases[c].workers, cases[c].tiles, k, playing ? ", played" : "", w, is, should);
              said[0] += g_str_has_prefix (is, "runs its last");
              said[1] += g_str_has_prefix (is, "none left, waits ");
              said[2] += g_str_has_prefix (is, "had no tile, waits ");
              said[3] += strcmp (is, "working") == 0;
              said[4] += strcmp (is, "done") == 0;
              said[5] += g_str_has_prefix (is, "waits ");
            }
        }
      /* however briefly a worker without a tile has waited, it isn't done with any */
      for (guint i = 0; i < recording->lanes[0].events->len; i++)
        {
          const LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
          const gint64 from = (gint64) (e->start_ns - recording->lanes[0].start_ns) - p->trace->start_ns,
                       now = from + layout->span_ns / 300;
          const LsQuery query = query_at (now, TRUE, layout->span_ns);

          if (e->kind != LS_EVENT_WAIT || e->op != OP || count_of (layout, 0, e->worker, now).n > 0
              || now >= length)
            continue;
          ls_layout_move (layout, &query);
          const Count count = count_of (layout, 0, e->worker, now);
          g_autofree char *should = worker_says (&count, FALSE, p->brief, layout->span_ns);
          if (strcmp (row_text (layout, 0, e->worker), should) != 0)
            g_error ("worker %u had no tile and begins to wait: beside it stands “%s”, not “%s”", e->worker,
                     row_text (layout, 0, e->worker), should);
          briefly++;
        }
    }
  g_assert_cmpuint (briefly, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if (said[i] == 0)
      g_error ("the words of kind %u were in no picture", i);
}

/* A device's threads: how many groups each has done, and where these follow each other too fast to be read,
 * how many there are in a second of the op. */
static void
test_threads (void)
{
  guint said[5] = { 0 };

  for (guint few = 0; few < 2; few++)
    {
      g_autoptr (LsRecording) recording = make_recording (2, 8, few ? 3 : 40, 4);
      GArray *events = recording->lanes[1].events;
      for (guint i = 0; i < events->len && few; i++) /* thread 0 has none */
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          e->worker += e->kind == LS_EVENT_GROUP && e->op == OP;
        }
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      const LsQuery first = query_at (0, FALSE, 0);
      g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &first, LS_LOOK_LIGHT,
                                                  3000, 1400);
      const LsPartLane *p = lane_of (layout, 1);
      const gint64 length = p->trace->end_ns - p->trace->start_ns;

      g_assert_true (p->trace->known == LS_KNOWN_THREADS && p->trace->timed);
      g_assert_false (p->brief);
      for (guint k = 0; k <= 40; k++)
        for (guint fast = 0; fast < 2; fast++)
          {
            const gboolean end = k == 40;
            const gint64 now = length * k / 40;
            LsQuery query = query_at (end ? LS_TIME_END : now, TRUE, layout->span_ns);
            if (fast) /* the op in two seconds and a half: its marks change about as often as is allowed */
              query.dial_ns = (guint64) (layout->span_ns * 2 / 5);
            ls_layout_move (layout, &query);
            if (!end && layout->query.time_ns == LS_TIME_END)
              continue;
            for (guint w = 0; w < p->n_rows; w++)
              {
                const Count c = count_of (layout, 1, w, now);
                const char *is = row_text (layout, 1, w);
                g_autofree char *rate = ls_number_scaled ((double) c.n * 1e9 / (double) length);
                g_autofree char *per_s = g_strdup_printf ("%s groups/s", rate),
                                *last = ls_number_ordinal (c.n);
                g_autofree char *runs = g_strdup_printf ("runs its last, the %s", last),
                                *done = g_strdup_printf ("%u done", c.done);
                const char *should = c.n == 0                     ? "had no group"
                                     : fast && !end && c.n >= 9   ? per_s
                                     : c.runs > 0 && c.ahead == 0 ? runs
                                     : !end && c.done == c.n      ? "no group left"
                                                                  : done;
                if (strcmp (is, should) != 0)
                  g_error ("%s groups, at %u/40%s: beside thread %u stands “%s”, not “%s”",
                           few ? "few" : "many", k, fast ? ", fast" : "", w, is, should);
                said[0] += should == per_s;
                said[1] += should == runs;
                said[2] += should == done && !end && c.done > 0;
                said[3] += g_str_equal (is, "no group left");
                said[4] += g_str_equal (is, "had no group");
              }
          }
    }
  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if (said[i] == 0)
      g_error ("the words of kind %u were in no picture", i);
}

/* The clock says the time, that of the op's end once it is over; a line stands there over all rows while the
 * op runs, on the bars' own scale. In a hall stands at last who waited longest in this op, at all of
 * its barriers. */
static void
test_clock (void)
{
  g_autoptr (LsRecording) recording = make_recording (4, 9, 6, 2);
  const GArray *events = recording->lanes[0].events;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  const LsQuery first = query_at (0, FALSE, 0);
  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_partition, data, &first, LS_LOOK_LIGHT, 1920,
                                              1080);
  const LsPartLane *p = lane_of (layout, 0);
  const gint64 length = p->trace->end_ns - p->trace->start_ns;
  gint64 waited[4] = { 0 };
  guint longest = 0;

  for (guint k = 0; k <= 20; k++)
    {
      const gint64 now = k == 20 ? LS_TIME_END : p->span_ns * k / 20;
      const LsQuery query = query_at (now, FALSE, 0);
      g_autofree char *time = ls_number_time ((double) (k == 20 ? length : now)),
                      *words = g_strdup_printf ("%s %s", k == 20 ? "done at" : "now", time);
      guint lines = 0;

      ls_layout_move (layout, &query);
      const LsItem *text = find_text (layout->moving, words);
      if (text == NULL)
        g_error ("“%s” isn't said at %u/20 of the op", words, k);
      g_assert_cmpfloat_with_epsilon ((double) text->y, p->heading_y, .1);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if (item->kind != LS_ITEM_BOX || item->w != 2 || (double) item->x > p->area.x + p->area.w)
            continue;
          lines++;
          g_assert_cmpfloat_with_epsilon ((double) item->x + 1, p->clock_x + p->clock_w * k / 20, 1);
          g_assert_cmpfloat ((double) item->y, <=, p->bars_y);
          g_assert_cmpfloat_with_epsilon ((double) (item->y + item->h), p->bars_y + p->n_rows * p->row_h, .1);
        }
      g_assert_cmpuint (lines, ==, k < 20);
    }
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_WAIT && e->op == OP)
        waited[e->worker] += (gint64) (e->end_ns - e->start_ns);
    }
  for (guint w = 0; w < G_N_ELEMENTS (waited); w++)
    longest = waited[w] > waited[longest] ? w : longest;
  g_assert_cmpint (waited[longest], >, 0);
  const LsQuery at_end = query_at (LS_TIME_END, FALSE, 0);
  g_autoptr (LsLayout) hall = draw_view_in (fonts, &ls_view_partition, data, &at_end, LS_LOOK_PROJECTOR, 1920,
                                            1080);
  g_autofree char *time = ls_number_time ((double) waited[longest]),
                  *words = g_strdup_printf ("worker %u: %s", longest, time),
                  *texts = all_texts (hall->moving, "\n");
  if (find_text (hall->moving, words) == NULL)
    g_error ("for a hall “%s” isn't said: %s", words, texts);
}

/* With another cut nothing is picked any more: it was a piece of the one before. */
static void
test_cut (void)
{
  LsPartitionState asked = { 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  for (guint cut = 0; cut < 2; cut++)
    {
      query.picked = (LsPick){ 1, 5 };
      query.hover = (LsPick){ 0, 7 };
      ls_part_switches[0].set (&query, 1 - cut);
      g_assert_cmpint (asked.finer, ==, cut == 0);
      g_assert_cmpint (query.picked.side, ==, LS_PICK_NONE.side);
      g_assert_cmpint (query.hover.side, ==, LS_PICK_NONE.side);
    }
}

/* The view has a clock of its own only where a lane is cut finer: as long as the op took then, or in the lane
 * that isn't. Elsewhere it is the op's. */
static void
test_span (void)
{
  LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 4, .groups = 16, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f), other = NULL;
  LsRecordedLane *lane;

  f.tiles = 56;
  other = ls_fixture_recording (&f);
  lane = &other->lanes[0];
  recording->lanes[0].finer = ls_recorded_cut_new (lane->tilings, other->n_ops, g_array_ref (lane->events),
                                                   lane->start_ns, lane->end_ns);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  guint longer[2] = { 0 };

  for (guint op = 0; op < data->recording->n_ops; op++)
    for (guint finer = 0; finer < 2; finer++)
      {
        LsPartitionState asked = { .finer = finer > 0 };
        const LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
        const gint64 is = ls_view_partition.span (data, &query, NULL);
        gint64 took[LS_SIDES] = { 0 };

        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsStepIndex *index = finer && data->sides[side].finer != NULL ? data->sides[side].finer
                                                                                : data->sides[side].index;
            const LsOpTrace *trace = &index->ops[ls_step_index_leader (index, op)];
            took[side] = trace->ran ? trace->end_ns - trace->start_ns : 0;
          }
        if (is != (finer ? MAX (took[0], took[1]) : -1))
          g_error ("%s%s: the view’s own clock is %d ns long, and the lanes took %d and %d",
                   data->recording->ops[op].symbol, finer ? ", cut finer" : "", (gint) is, (gint) took[0],
                   (gint) took[1]);
        longer[took[1] > took[0]] += finer;
      }
  g_assert_true (longer[0] > 0 && longer[1] > 0);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  fonts = ls_fonts_new (NULL);
  g_test_add_func ("/paint/partition-moves/cut", test_cut);
  g_test_add_func ("/paint/partition-moves/span", test_span);
  g_test_add_func ("/paint/partition-moves/workers", test_workers);
  g_test_add_func ("/paint/partition-moves/threads", test_threads);
  g_test_add_func ("/paint/partition-moves/clock", test_clock);
  status = g_test_run ();
  ls_fonts_unref (fonts);
  return status;
}
