/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline's rows: folding keeps every span's count at any zoom, found again by brute force; what their
 * numbers count.
 */
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

typedef struct {
  const LsTimeScale *scale;
  guint n, next, blocks;
  double edge;
} Walk;

static void
walk_cb (gpointer data, const LsTimeRow *row, const LsTimeBlock *block)
{
  Walk *walk = data;

  if (walk->blocks++ > 0)
    g_assert_cmpuint (block->first, ==, walk->next);
  g_assert_cmpfloat (block->x, >=, walk->edge);
  g_assert_cmpfloat (block->w, >=, 1);
  g_assert_cmpfloat (block->x + block->w, <=, walk->scale->x + walk->scale->w + 8);
  walk->next = block->first + block->n;
  walk->n += block->n;
  walk->edge = block->x + block->w;
}

static guint
within (const LsTimeRow *row, const LsTimeScale *scale)
{
  guint n = 0, first = row->n;

  for (guint i = 0; i < row->n; i++)
    if (row->reach[i] > scale->from && row->start[i] < scale->to)
      {
        first = MIN (first, i);
        n = i - first + 1;
      }
  return n;
}

static void
check_rows (LsTimeIndex *times, const LsTimeScale *scale)
{
  for (guint r = 0; r < times->rows->len; r++)
    {
      const LsTimeRow *row = g_ptr_array_index (times->rows, r);
      Walk walk = { .scale = scale, .edge = -1e9 };

      ls_time_row_walk (row, scale, walk_cb, &walk);
      g_assert_cmpuint (walk.n, ==, within (row, scale));
    }
}

static void
check_zooms (const LsFixture *f)
{
  g_autoptr (LsViewData) data = ls_fixture_data (f);

  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsTimeIndex *times = ls_time_index_of (data->sides[side].index);
      const gint64 length = data->sides[side].index->length_ns;
      guint spans = 0;

      for (guint r = 0; r < times->rows->len; r++)
        spans += ((LsTimeRow *) g_ptr_array_index (times->rows, r))->n;
      g_assert_cmpuint (spans + times->n_untimed, >, data->recording->lanes[side].events->len * 3 / 4);
      for (gint64 width = length; width > 500; width /= 7)
        for (guint at = 0; at < 4; at++)
          {
            const gint64 from = (length - width) / 3 * (gint64) at;
            const LsTimeScale scale = { from, from + width, 100, 1300 };
            check_rows (times, &scale);
          }
    }
}

static void
test_folding (void)
{
  const LsFixture overlapping = { .batch = 64,
                                  .workers = 3,
                                  .tiles = 300,
                                  .groups = 3000,
                                  .known = LS_KNOWN_UNITS,
                                  .units = 24,
                                  .steps = 10,
                                  .queue = TRUE };

  check_zooms (&ls_fixture_calls);
  check_zooms (&overlapping);
}

/* More than a million events: the pyramid finds what walking all of them finds. */
static void
test_million (void)
{
  const LsFixture f = { LS_CORES (8),   .batch = 512,     .tiles = 22000, .groups = 22000,
                        .on_cpu = TRUE, .stealing = TRUE, .steps = 10,    .queue = TRUE };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);

  g_assert_cmpuint (recording->lanes[0].events->len + recording->lanes[1].events->len, >, 1000000);
  check_zooms (&f);
}

/* Rows that share a place know the spans of all. */
static void
test_merged (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsTimeIndex *times = ls_time_index_of (data->sides[0].index);
  const LsTimeRow *both = ls_time_index_merged (times, LS_ROW_WORKER, 0, 2);
  const LsTimeScale scale = { 0, data->sides[0].index->length_ns, 0, 400 };
  Walk walk = { .scale = &scale, .edge = -1 };

  g_assert_cmpuint (both->n, ==,
                    ls_time_index_row (times, LS_ROW_WORKER, 0)->n
                      + ls_time_index_row (times, LS_ROW_WORKER, 1)->n);
  g_assert_true (ls_time_index_merged (times, LS_ROW_WORKER, 0, 2) == both);
  ls_time_row_walk (both, &scale, walk_cb, &walk);
  g_assert_cmpuint (walk.n, ==, both->n);
}

/* A window that shrinks puts more of them into one place: what was put together for the larger one isn't
 * shown there, nor what begins with another row or is of another kind. */
static void
test_merged_anew (void)
{
  static const struct {
    gint number;
    guint n;
  } asked[] = { { 0, 2 }, { 0, 4 }, { 2, 2 }, { 0, 3 }, { 0, 2 } };
  static const LsTimeRowKind kinds[] = { LS_ROW_WORKER, LS_ROW_WAITS };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsTimeIndex *times = ls_time_index_of (data->sides[0].index);

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        const LsTimeRow *row = ls_time_index_merged (times, kinds[k], asked[i].number, asked[i].n);
        guint spans = 0;

        for (guint r = 0; r < asked[i].n; r++)
          {
            const LsTimeRow *one = ls_time_index_row (times, kinds[k], asked[i].number + (gint) r);
            spans += one != NULL ? one->n : 0;
          }
        g_assert_cmpuint (spans, >, 0);
        if (row->kind != kinds[k] || row->number != asked[i].number || row->n != spans)
          g_error ("%u rows from row %d on in one place have %u spans, but together they have %u", asked[i].n,
                   asked[i].number, row->n, spans);
      }
}

/* Under a lane's rows stands how many spans they show of the time that is looked at: none, one, or all of so
 * many, or how many of them are folded. */
static void
test_foot (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) whole = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  const gint64 span = whole->span_ns;
  guint seen[4] = { 0 };

  for (guint parts = 1; parts <= 4096; parts *= 8)
    for (guint i = 0; i < MIN (parts, 160); i++)
      {
        const guint part = parts > 160 ? i * (parts / 160) : i;
        query.zoom0_ns = span * part / parts;
        query.zoom1_ns = span * (part + 1) / parts;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
        const LsTimeline *t = layout->own;
        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsTimelineLane *lane = &t->lanes[side];
            g_autofree char *foot = ls_timeline_foot (lane), *folded = ls_number_count (lane->n_folded),
                            *all = ls_number_count (lane->n_folded + lane->n_drawn);
            g_autofree char *words = lane->n_folded > 0
                                       ? g_strdup_printf ("%s of %s spans too thin to draw", folded, all)
                                     : lane->n_drawn == 0 ? g_strdup ("no span lies in this time")
                                     : lane->n_drawn == 1 ? g_strdup ("its one span is drawn")
                                                          : g_strdup_printf ("all %s spans are drawn", all);
            g_assert_cmpuint (lane->n_steps, ==, 0);
            if (!g_str_has_prefix (foot, words))
              g_error ("lane %u, %u/%u: of %u spans and %u folded ones it is said “%s”, not “%s”", side, part,
                       parts, lane->n_drawn, lane->n_folded, foot, words);
            seen[lane->n_folded > 0 ? 3 : MIN (lane->n_drawn, 2)]++;
          }
      }
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    if (seen[i] == 0)
      g_error ("no picture says how many spans there are as kind %u does", i);
}

/* What the rows count: units, where any op's work-groups tell them, also if the first op's don't. */
static void
test_units (void)
{
  for (guint told = 0; told < 2; told++)
    for (guint first = 0; first < 2; first++)
      {
        LsFixture f = ls_fixture_desk;
        f.known = told ? LS_KNOWN_UNITS : LS_KNOWN_THREADS;
        g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
        const GArray *events = recording->lanes[1].events;
        const LsQuery query = LS_QUERY_INIT;
        guint op = G_MAXUINT;

        for (guint i = 0; first && i < events->len; i++)
          if (g_array_index (events, LsEvent, i).kind == LS_EVENT_GROUP)
            op = MIN (op, g_array_index (events, LsEvent, i).op);
        for (guint i = 0; i < events->len; i++)
          if (g_array_index (events, LsEvent, i).op == op)
            g_array_index (events, LsEvent, i).unit = LS_UNIT_NONE;
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        gboolean unit = FALSE, thread = FALSE;

        for (guint i = 0; i < layout->still->items->len; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, i);
            unit |= item->kind == LS_ITEM_TEXT && strcmp (item->text, "unit") == 0;
            thread |= item->kind == LS_ITEM_TEXT && strcmp (item->text, "thread") == 0;
          }
        if (unit == (told == 0) || thread == (told > 0))
          g_error ("the device tells %s%s, and its rows are called %s", told ? "units" : "threads",
                   first ? ", but not of the first op" : "",
                   unit     ? "units"
                   : thread ? "threads"
                            : "nothing");
      }
}

/* Where time steps are folded into blocks it says of how many spans in all, folded, drawn, and in the blocks;
 * and how many of them a click opens. */
static void
test_foot_steps (void)
{
  static const LsFixture f
    = { LS_CORES (2), .model = "lstm 6, dense 10", .batch = 16, .tiles = 16, .groups = 32, .on_cpu = TRUE,
        .steps = 60 };
  static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 3840, 2160 } };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  LsQuery query = LS_QUERY_INIT;
  guint folded = 0, whole = 0;

  for (guint parts = 1; parts <= 8; parts *= 2)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autoptr (LsLayout) first = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                                sizes[i][1]);
        LsQuery zoomed = query;
        zoomed.zoom1_ns = parts == 1 ? 0 : first->span_ns / parts;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &zoomed, LS_LOOK_LIGHT, sizes[i][0],
                                                 sizes[i][1]);
        const LsTimeline *t = layout->own;
        for (guint side = 0; side < LS_SIDES; side++)
          {
            const LsTimelineLane *lane = &t->lanes[side];
            const guint n = lane->n_folded + lane->n_drawn + lane->n_steps;
            g_autofree char *foot = ls_timeline_foot (lane), *all = ls_number_count (n),
                            *thin = ls_number_count (lane->n_folded),
                            *steps = ls_number_count (lane->n_steps);
            g_autofree char *words
              = lane->n_folded > 0
                  ? g_strdup_printf ("%s of %s spans too thin to draw: folded and counted, %s "
                                     "in time steps that a click opens",
                                     thin, all, steps)
                  : g_strdup_printf ("%s spans, %s in time steps that a click opens", all, steps);
            if (lane->n_steps == 0)
              continue;
            if (!g_str_has_prefix (foot, words))
              g_error ("of %u spans, %u of them folded, %u in time steps, it is said “%s”, not “%s”", n,
                       lane->n_folded, lane->n_steps, foot, words);
            folded += lane->n_folded > 0;
            whole += lane->n_folded == 0;
          }
      }
  g_test_message ("%u with folded spans, %u without", folded, whole);
  g_assert_cmpuint (MIN (folded, whole), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/timeline/folding", test_folding);
  g_test_add_func ("/paint/timeline/foot", test_foot);
  g_test_add_func ("/paint/timeline/million", test_million);
  g_test_add_func ("/paint/timeline/merged", test_merged);
  g_test_add_func ("/paint/timeline/merged-anew", test_merged_anew);
  g_test_add_func ("/paint/timeline-folding/units", test_units);
  g_test_add_func ("/paint/timeline/foot-steps", test_foot_steps);
  return g_test_run ();
}
