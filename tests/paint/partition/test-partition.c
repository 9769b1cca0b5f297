/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition of a step that was recorded cut finer, too: whose events the marks are, which switch and which
 * words there are, and that nothing lies over anything; its sentences, and its shapes.
 */
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

/* With the tiles of another invented step as those of the finer cut. */
static LsViewData *
make_data (guint workers, guint tiles, guint finer)
{
  const LsFixture f = { .batch = 128,
                        .workers = workers,
                        .tiles = tiles,
                        .groups = 8,
                        .known = LS_KNOWN_THREADS,
                        .units = 2,
                        .on_cpu = TRUE,
                        .steps = 40 };
  LsFixture cut = f;
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f), other = NULL;

  cut.tiles = finer;
  other = ls_fixture_recording (&cut);
  if (finer > 0)
    {
      recording->lanes[0].finer = ls_recorded_cut_new (other->lanes[0].tilings, other->n_ops,
                                                       g_array_ref (other->lanes[0].events),
                                                       other->lanes[0].start_ns, other->lanes[0].end_ns);
      recording->lanes[0].finer->same = TRUE;
    }
  return ls_view_data_from_recording (recording, NULL);
}

static LsLayout *
draw (LsViewData *data, guint finer, gboolean chrome, LsLook look, const double *size, double stretch)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (stretch);
  LsPartitionState asked = { .finer = finer > 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  query.op = 1;
  query.chrome = chrome;
  return draw_view_in (fonts, &ls_view_partition, data, &query, look, size[0], size[1]);
}

static gboolean
has_switch (const LsLayout *layout)
{
  for (guint i = 0; i < layout->slots->len; i++)
    if (g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_SWITCHES)
      return TRUE;
  return FALSE;
}

static void
test_finer (void)
{
  g_autoptr (LsViewData) data = make_data (2, 4, 56), plain = make_data (2, 4, 0);

  for (guint s = 0; s < 3; s++)
    {
      g_autoptr (LsLayout) trained = draw (data, 0, FALSE, LS_LOOK_LIGHT, draw_sizes[s], 1),
                           finer = draw (data, 1, FALSE, LS_LOOK_LIGHT, draw_sizes[s], 1);
      g_autoptr (LsLayout) without = draw (plain, 1, FALSE, LS_LOOK_LIGHT, draw_sizes[s], 1);
      guint n = 0;

      g_assert_true (has_switch (trained));
      g_assert_true (has_switch (finer));
      g_assert_false (has_switch (without));
      g_assert_nonnull (find_text_in (finer, "as trained"));
      g_autofree char *all = all_texts (finer->moving, "\n"),
                      *was = g_strdup_printf ("; as trained %u, ", data->sides[0].index->ops[1].n);
      if (strstr (all, was) == NULL)
        g_error ("beside the finer cut “%s” isn’t said:\n%s", was, all);
      g_assert_null (find_text_in (trained, "as trained"));
      for (guint i = 0; i < finer->still->items->len; i++)
        {
          const LsItem *item = ls_scene_get (finer->still, i);
          const LsEvent *event;

          if (item->kind != LS_ITEM_TILE || item->side != 0 || item->event == LS_NO_EVENT)
            continue;
          n++;
          event = ls_layout_event (finer, (LsPick){ 0, item->event });
          g_assert_true (event == &g_array_index (data->sides[0].finer->lane->events, LsEvent, item->event));
        }
      g_assert_cmpuint (n, >=, 32);
    }
}

/* How many tiles it has is said of each op, of one in the singular: what was chosen stays from op to op. */
static void
test_finer_ops (void)
{
  g_autoptr (LsViewData) data = make_data (2, 4, 56);
  guint with[2] = { 0 };

  for (guint op = 0; op < data->recording->n_ops; op++)
    for (guint s = 0; s < 3; s++)
      {
        LsPartitionState asked = { .finer = TRUE };
        LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
        g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT,
                                                 draw_sizes[s][0], draw_sizes[s][1]);
        const guint n = data->sides[0].finer->ops[layout->query.op].n;
        g_autofree char *texts = all_texts (layout->moving, "\n"),
                        *tiles = g_strdup_printf (n == 1 ? "%u tile, " : "%u tiles, ", n);

        if (n == 0 || data->sides[0].recorded->tilings[op].leader != op)
          continue;
        if (strstr (texts, tiles) == NULL)
          g_error ("of %s cut finer “%s” isn’t said:\n%s", data->recording->ops[op].symbol, tiles, texts);
        with[n == 1]++;
      }
  g_assert_cmpuint (with[0], >, 3);
  g_assert_cmpuint (with[1], >, 0);
}

/* There is a switch where the cut has more tiles of this op, and only there. */
static void
test_switch (void)
{
  static const guint tiles[] = { 1, 2, 4, 16, 64 };
  guint with = 0, without = 0;

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    for (guint k = 0; k < G_N_ELEMENTS (tiles); k++)
      {
        g_autoptr (LsViewData) data = make_data (2, tiles[i], tiles[k]);

        for (guint op = 0; op < data->recording->n_ops; op++)
          {
            const LsTiling *was = &data->sides[0].recorded->tilings[op],
                           *finer = &data->sides[0].finer->lane->tilings[op];
            const gboolean more = finer->grid_rows * finer->grid_cols > was->grid_rows * was->grid_cols;
            LsPartitionState asked = { .finer = FALSE };
            LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
            g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1280,
                                                     800);

            if (layout->query.op != op || was->leader != op)
              continue;
            if (has_switch (layout) != more)
              g_error ("of %u tiles the finer cut makes %u, and there is %s switch",
                       was->grid_rows * was->grid_cols, finer->grid_rows * finer->grid_cols,
                       more ? "no" : "a");
            *(more ? &with : &without) += 1;
          }
      }
  g_assert_cmpuint (with, >, 5);
  g_assert_cmpuint (without, >, 5);
}

/* What the cut left behind is told of the op whose sums it split, and not of the others. */
static void
test_bits (void)
{
  static const double large[2] = { 3000, 1200 };
  static const struct {
    gboolean same;
    guint splits;
    const char *words;
  } cases[] = {
    { TRUE, 1, "it left the same bits" },
    { FALSE, 2, "its sums have more parts" },
    { FALSE, 1, "other ops’ sums have more parts" },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsViewData) data = make_data (2, 4, 56);
      LsRecordedCut *cut = data->recording->lanes[0].finer;
      g_autoptr (LsLayout) layout = NULL;

      cut->same = cases[c].same;
      cut->tilings[1].splits = cases[c].splits;
      layout = draw (data, 1, FALSE, LS_LOOK_LIGHT, large, 1);
      g_assert_nonnull (find_text_in (layout, cases[c].words));
    }
}

/* At every size, in a window and without, with wide words, all along the op. */
static void
test_room (void)
{
  static const struct {
    guint workers, tiles, finer;
  } cases[] = { { 2, 4, 56 }, { 4, 14, 42 }, { 3, 1, 40 }, { 8, 24, 60 } };
  static const double moments[] = { 0, .25, .5, .75, 1 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsViewData) data = make_data (cases[c].workers, cases[c].tiles, cases[c].finer);
      g_autofree char *what = g_strdup_printf ("%u workers, %u tiles", cases[c].workers, cases[c].tiles);

      for (guint k = 0; k < 3 * 2 * 2 * 2 * 2; k++)
        {
          const double *size = draw_sizes[k / 16];
          const LsLook look = k & 8 && size[0] > 1900 ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT; /* a hall has no
                                                                                              small one */
          g_autoptr (LsLayout) layout = draw (data, k & 1, k & 2 ? TRUE : FALSE, look, size, k & 4 ? 1.4 : 1);

          check_moments (layout, moments, G_N_ELEMENTS (moments), what);
        }
    }
  end_faults ();
}

/* Who had no tile is said to have had none, for all of the op. */
static void
test_story (void)
{
  g_autoptr (LsViewData) data = make_data (3, 1, 0), shared = make_data (2, 8, 0);
  g_autoptr (LsLayout) idle = draw (data, 0, TRUE, LS_LOOK_LIGHT, draw_sizes[1], 1),
                       both = draw (shared, 0, TRUE, LS_LOOK_LIGHT, draw_sizes[1], 1);

  g_assert_nonnull (find_text_in (idle, "the others had none"));
  g_assert_nonnull (find_text_in (both, "none from another"));
  g_assert_nonnull (find_text_in (both, "128 rows of 256, true to shape"));
}

/* Who ends first waits, and for whom it was that ended last. */
static void
test_waiting (void)
{
  for (guint late = 0; late < 2; late++)
    {
      const LsFixture f
        = { LS_CORES (2), .batch = 128, .tiles = 8, .groups = 8, .on_cpu = TRUE, .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      GArray *events = recording->lanes[0].events;
      LsEvent *last[2] = { NULL, NULL },
              wait = { .kind = LS_EVENT_WAIT, .op = 1, .worker = (guint8) (1 - late) };
      const guint64 more_ns = 10000000;

      for (guint i = 0; i < events->len; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          if (e->op == 1 && e->kind == LS_EVENT_TILE && e->worker < 2
              && (last[e->worker] == NULL || e->end_ns > last[e->worker]->end_ns))
            last[e->worker] = e;
          if (e->op == 1 && e->kind == LS_EVENT_OP)
            e->end_ns += more_ns;
          if (e->op == 1 && e->kind == LS_EVENT_WAIT)
            e->end_ns = e->start_ns;
        }
      g_assert_true (last[0] != NULL && last[1] != NULL);
      wait.start_ns = last[1 - late]->end_ns;
      last[late]->end_ns += more_ns;
      wait.end_ns = last[late]->end_ns;
      wait.lane_clock = last[0]->lane_clock;
      wait.rank = LS_RANK_NONE;
      wait.unit = LS_UNIT_NONE;
      wait.from = LS_WORKER_NONE;
      g_array_append_val (events, wait);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      g_autoptr (LsLayout) layout = draw (data, 0, FALSE, LS_LOOK_LIGHT, (const double[]){ 3000, 1200 }, 1);
      g_autofree char *texts = all_texts (layout->still, " "),
                      *waits = g_strdup_printf ("worker %u waits ", 1 - late),
                      *it = g_strdup_printf (" for worker %u’s last tile.", late);
      g_test_message ("%s", texts);
      g_assert_nonnull (strstr (texts, waits));
      g_assert_nonnull (strstr (texts, it));
    }
}

/* OpenCL has no switch of the cut: where its groups are few, it says at every size whose they are, as far as
 * that has room. */
static void
test_own_groups (void)
{
  for (guint few = 0; few < 2; few++)
    for (guint s = 0; s < 3; s++)
      {
        const LsFixture f = { LS_CORES (2),   .batch = 128, .tiles = 8, .groups = few ? 8 : 128,
                              .on_cpu = TRUE, .steps = 400 };
        g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
        g_strlcpy (recording->lanes[1].tilings[1].kernel, "tiled",
                   sizeof recording->lanes[1].tilings[1].kernel); /* a short name, for 960 */
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        g_autoptr (LsLayout) layout = draw (data, 0, TRUE, LS_LOOK_LIGHT, draw_sizes[s], 1);
        assert_faultless (layout);
        g_assert_cmpint (find_text_in (layout, "the kernel’s own") != NULL, ==, few);
      }
}

/* Rows of threads show times where work-groups have times, and else their order; the heading says which. */
static void
test_headings (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 24, .groups = 6, .on_cpu = TRUE, .steps = 40 };

  for (guint timed = 0; timed < 2; timed++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      const GArray *events = recording->lanes[1].events;
      LsQuery query = LS_QUERY_INIT;

      for (guint i = 0; i < events->len && !timed; i++)
        {
          LsEvent *e = &g_array_index (events, LsEvent, i);
          if (e->kind != LS_EVENT_GROUP)
            continue;
          e->start_ns = e->rank;
          e->end_ns = e->rank + 1;
          e->lane_clock = LS_LANE_CLOCK (1, LS_CLOCK_ORDER);
        }
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      query.op = 1;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsPartLane *lanes = layout->own;
      g_assert_cmpint (lanes[1].trace->known, ==, LS_KNOWN_THREADS);
      g_assert_cmpint (lanes[1].trace->timed, ==, timed);
      if (says (layout->still, "Time per thread") != (timed == 1)
          || says (layout->still, "Order per thread") != (timed == 0))
        g_error ("of work-groups with %s, it is headed “%s”", timed ? "times" : "their order alone",
                 says (layout->still, "Time per thread") ? "Time per thread" : "Order per thread");
    }
}

/* Where a row stands for several workers, it shows the one that was busy longest. */
static void
test_busiest (void)
{
  const LsFixture many = { .batch = 128,
                           .workers = 200,
                           .tiles = 800,
                           .groups = 8,
                           .known = LS_KNOWN_THREADS,
                           .units = 2,
                           .on_cpu = TRUE,
                           .steps = 40 };
  gint64 busy[256] = { 0 };
  guint fold = 0, shown = 0;

  g_autoptr (LsRecording) recording = ls_fixture_recording (&many);
  const GArray *events = recording->lanes[0].events;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw (data, 0, FALSE, LS_LOOK_LIGHT, draw_sizes[1], 1);
  g_autofree char *texts = all_texts (layout->still, "\n");
  const char *said = strstr (texts, "a row: the busiest of ");

  g_assert_nonnull (said);
  fold = (guint) g_ascii_strtoull (said + strlen ("a row: the busiest of "), NULL, 10);
  g_assert_cmpuint (fold, >, 1);
  for (guint i = 0; i < events->len; i++)
    {
      const LsEvent *e = &g_array_index (events, LsEvent, i);
      if (e->kind == LS_EVENT_TILE && e->op == 1)
        busy[e->worker] += (gint64) (e->end_ns - e->start_ns);
    }
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind != LS_ITEM_BAR || item->side != 0 || item->worker == LS_NO_VALUE)
        continue;
      shown++;
      for (guint w = item->worker / fold * fold; w < MIN ((item->worker / fold + 1u) * fold, 200u); w++)
        if (busy[w] > busy[item->worker])
          g_error ("the row of worker %u shows %" G_GINT64_FORMAT
                   " ns of work, and worker %u did %" G_GINT64_FORMAT,
                   item->worker, busy[item->worker], w, busy[w]);
    }
  g_assert_cmpuint (shown, >=, 200 / fold);
}

/* A cell that stands for several has some rows of them, and some columns: in that order. */
static void
test_folded (void)
{
  g_autoptr (LsRecording) recording = ls_fixture_recording (&ls_fixture_cores);
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  g_autoptr (LsLayout) layout = draw (data, 0, FALSE, LS_LOOK_LIGHT, draw_sizes[1], 1);
  LsPartLane lane = ((const LsPartLane *) layout->own)[1];

  lane.fold_rows = 4;
  lane.fold_cols = 2;
  g_autofree char *words = ls_part_tiles_words (&lane);
  if (strstr (words, "; each cell is 4×2, ") == NULL)
    g_error ("of four rows and two columns of work-groups in a cell is said “%s”", words);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition/finer", test_finer);
  g_test_add_func ("/paint/partition/finer-ops", test_finer_ops);
  g_test_add_func ("/paint/partition/switch", test_switch);
  g_test_add_func ("/paint/partition/bits", test_bits);
  g_test_add_func ("/paint/partition/room", test_room);
  g_test_add_func ("/paint/partition/story", test_story);
  g_test_add_func ("/paint/partition/waiting", test_waiting);
  g_test_add_func ("/paint/partition/own-groups", test_own_groups);
  g_test_add_func ("/paint/partition/headings", test_headings);
  g_test_add_func ("/paint/partition/busiest", test_busiest);
  g_test_add_func ("/paint/partition/folded", test_folded);
  return g_test_run ();
}
