/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline of layers that read a sequence: in the rows that name ops their time steps are one block,
 * there and back, which a click opens and folds again; every span is in the picture, however it is folded.
 * And where the cards stand.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/timeline/timeline.h"
#include "ui/paint/views.h"

static LsViewData *
data_of (const char *model)
{
  const LsFixture f = { LS_CORES (2), .model = model, .batch = 16, .tiles = 16,
                        .groups = 32, .on_cpu = TRUE, .steps = 60 };

  return ls_fixture_data (&f);
}

static const LsSlot *
fold_slot (const LsLayout *layout, guint side, guint chain)
{
  for (guint i = 0; i < layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
      if (slot->kind == LS_SLOT_FOLD && slot->side == (gint) side && slot->op == chain)
        return slot;
    }
  return NULL;
}

static guint
count_blocks (const LsLayout *layout)
{
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      n += item->kind == LS_ITEM_TEXT && g_str_has_suffix (item->text, "×28");
    }
  return n;
}

static void
check_all_spans (const LsLayout *layout, guint side, guint spans)
{
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[side];

  g_assert_cmpuint (lane->n_drawn + lane->n_folded + lane->n_steps, ==, spans);
}

/* Two blocks in each lane's row; one is opened from one lane and folded from the other. */
static void
test_opened (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  LsTimelineState state = { 0 };
  LsQuery query = LS_QUERY_INIT;
  guint spans[LS_SIDES] = { 0 }, in_steps[LS_SIDES] = { 0 };

  query.state = &state;
  for (guint turn = 0; turn < 4; turn++)
    {
      const gboolean open = turn % 2 == 1;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsTimeline *t = layout->own;
      const LsSlot *slot = fold_slot (layout, turn == 1 || turn == 2, 0);

      assert_faultless (layout);
      g_assert_nonnull (slot);
      g_assert_nonnull (fold_slot (layout, 0, 1));
      g_assert_cmpuint (count_blocks (layout), ==, open ? 2 : 4);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          if (turn == 0)
            {
              spans[side] = t->lanes[side].n_drawn + t->lanes[side].n_folded + t->lanes[side].n_steps;
              in_steps[side] = t->lanes[side].n_steps;
            }
          check_all_spans (layout, side, spans[side]);
          g_assert_cmpuint (in_steps[side], >=, 2 * 28);
          if (open)
            g_assert_cmpuint (t->lanes[side].n_steps, <, in_steps[side]);
          else
            g_assert_cmpuint (t->lanes[side].n_steps, ==, in_steps[side]);
        }
      g_assert_cmpint (ls_view_timeline.point (layout, slot->x + slot->w / 2, slot->y + slot->h / 2, &query),
                       ==, LS_ACT_CHANGED);
      g_assert_cmpuint (state.folds.opened, ==, open ? 0 : 1);
    }
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1280, 800);
  for (guint turn = 0; turn < 4; turn++)
    {
      g_assert_cmpint (ls_view_timeline.key (layout, LS_KEY_PAGE, &query), ==, LS_ACT_CHANGED);
      g_assert_cmpuint (state.folds.opened, ==, (turn + 1) % 4);
    }
}

/* A fold has the time steps of one layer, all of them, in one direction; where the window shows a part of it
 * up to an end, too. */
static void
test_folds (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6 all, lstm 5, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  LsTimelineState state = { 0 };
  LsQuery query = LS_QUERY_INIT;

  query.state = &state;
  for (guint part = 0; part < 3; part++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        g_autoptr (LsLayout) layout = NULL;
        gint64 start, end;

        /* all of the step; from the middle of the second layer's steps on; up to there */
        g_assert_true (
          ls_chain_time (&g_array_index (chains, LsChain, 1), data->sides[side].index, 0, 28, &start, &end));
        query.zoom0_ns = part == 1 ? (start + end) / 2 : 0;
        query.zoom1_ns = part == 1 ? data->sides[side].index->length_ns : part == 2 ? (start + end) / 2 : 0;
        layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
        const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[side];
        for (guint r = 0; r < lane->rows->len; r++)
          {
            const LsTimelineRow *at = &g_array_index (lane->rows, LsTimelineRow, r);
            if (at->kind != LS_ROW_OPS && at->kind != LS_ROW_KERNELS)
              continue;
            g_autoptr (GArray) folds = ls_timeline_folds (lane, at);
            if (folds->len != chains->len)
              g_error ("side %u, part %u: %u layers’ steps are folded, and there are %u", side, part,
                       folds->len, chains->len);
            for (guint i = 0; i < folds->len; i++)
              {
                const LsTimeFold *fold = &g_array_index (folds, LsTimeFold, i);
                const LsChain *chain = &g_array_index (chains, LsChain, fold->what);
                const guint last = fold->first + fold->n;
                g_assert_cmpuint (fold->what, ==, i);
                for (guint k = fold->first; k < last; k++)
                  if (ls_chain_of (chains, at->row->op[k], NULL) != chain)
                    g_error ("side %u: an op of another layer is folded with layer %u’s steps", side, i);
                g_assert_true (last == at->row->n || ls_chain_of (chains, at->row->op[last], NULL) != chain);
              }
          }
      }
}

/* Two that follow on each other, with nothing between them, are two folds. */
static void
test_next_to (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = g_array_new (FALSE, TRUE, sizeof (LsChain));
  static const LsChain both[] = { { .n_steps = 2, .begin = { 2, 4, 6 } },
                                  { .n_steps = 2, .begin = { 6, 8, 11 } } };
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
  LsTimelineLane lane = ((const LsTimeline *) layout->own)->lanes[0];
  const LsTimelineRow *at = NULL;

  for (guint r = 0; r < lane.rows->len; r++)
    if (g_array_index (lane.rows, LsTimelineRow, r).kind == LS_ROW_OPS)
      at = &g_array_index (lane.rows, LsTimelineRow, r);
  g_assert_nonnull (at);
  g_array_append_vals (chains, both, G_N_ELEMENTS (both));
  lane.chains[0] = chains;
  g_autoptr (GArray) folds = ls_timeline_folds (&lane, at);
  if (folds->len != G_N_ELEMENTS (both))
    g_error ("two layers’ steps that follow on each other are %u folds", folds->len);
  for (guint i = 0; i < folds->len; i++)
    {
      const LsTimeFold *fold = &g_array_index (folds, LsTimeFold, i);
      g_assert_cmpuint (at->row->op[fold->first], ==, both[i].begin[0]);
      g_assert_cmpuint (at->row->op[fold->first + fold->n - 1], ==, both[i].begin[2] - 1);
    }
}

/* Where the window shows less than the block, its steps are there. */
static void
test_within (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  LsQuery query = LS_QUERY_INIT;
  gint64 start, end;

  g_assert_true (
    ls_chain_time (&g_array_index (chains, LsChain, 0), data->sides[0].index, 0, 28, &start, &end));
  query.zoom0_ns = start + (end - start) / 4;
  query.zoom1_ns = end - (end - start) / 4;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsTimelineLane *lane = &((const LsTimeline *) layout->own)->lanes[0];
  g_assert_null (fold_slot (layout, 0, 0));
  g_assert_cmpuint (lane->n_steps, ==, 0);
  g_assert_cmpuint (lane->n_drawn + lane->n_folded, >=, 14); /* half of 28 steps */
}

/* A window that lies within the block has its steps, also where one of its ends is the block's; one that
 * shows all of it has the block. */
static void
test_edges (void)
{
  static const struct {
    gint64 from, to; /* from the block's start, from its end */
    gboolean open;
  } cases[] = {
    { 1, -1, TRUE },  { 0, -1, TRUE }, { 1, 0, TRUE },    { 0, 0, FALSE },
    { -1, 0, FALSE }, { 0, 1, FALSE }, { -1, -1, FALSE }, { 1, 1, FALSE },
  };
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint side = 0; side < LS_SIDES; side++)
      {
        LsTimelineLane lane = ((const LsTimeline *) layout->own)->lanes[side];
        const LsTimelineRow *at = NULL;
        gboolean folded = FALSE;

        for (guint r = 0; r < lane.rows->len; r++)
          if (g_array_index (lane.rows, LsTimelineRow, r).kind == (side > 0 ? LS_ROW_KERNELS : LS_ROW_OPS))
            at = &g_array_index (lane.rows, LsTimelineRow, r);
        g_assert_nonnull (at);
        g_autoptr (GArray) all = ls_timeline_folds (&lane, at);
        g_assert_cmpuint (all->len, ==, 2);
        const LsTimeFold *block = &g_array_index (all, LsTimeFold, 0);
        lane.scale.from = at->row->start[block->first] + cases[i].from;
        lane.scale.to = at->row->reach[block->first + block->n - 1] + cases[i].to;
        g_autoptr (GArray) folds = ls_timeline_folds (&lane, at);
        for (guint k = 0; k < folds->len; k++)
          folded |= g_array_index (folds, LsTimeFold, k).what == block->what;
        if (folded == cases[i].open)
          g_error (
            "side %u: in a window that begins %d ns after the block and ends %d ns after it, the steps "
            "are %s",
            side, (gint) cases[i].from, (gint) cases[i].to, folded ? "a block" : "open");
      }
}

/* Where each time step is shown, a click on a line folds that block, and no other. */
static void
test_each (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");

  for (guint chain = 0; chain < 2; chain++)
    {
      LsTimelineState state = { .folds.each = TRUE };
      LsQuery query = LS_QUERY_INIT;

      query.state = &state;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsSlot *slot = fold_slot (layout, 0, chain);
      g_assert_nonnull (slot);
      g_assert_cmpuint (count_blocks (layout), ==, 0);
      g_assert_cmpint (ls_view_timeline.point (layout, slot->x + slot->w / 2, slot->y + slot->h / 2, &query),
                       ==, LS_ACT_CHANGED);
      for (guint k = 0; k < 2; k++)
        if (ls_folds_open (&state.folds, k) == (k == chain))
          g_error ("each time step was shown, block %u was clicked, and block %u is %s", chain, k,
                   k == chain ? "open" : "folded");
      g_autoptr (LsLayout) folded = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      g_assert_cmpuint (count_blocks (folded), ==, 2); /* one on each lane */
    }
}

/* Whatever the size and look; and other networks know nothing of it. */
static void
test_sizes (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6 all, lstm 5, dense 10"),
                         plain = data_of ("flatten, dense 10");
  const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK, LS_LOOK_PROJECTOR };

  for (guint i = 0; i < G_N_ELEMENTS (draw_sizes); i++)
    for (guint look = 0; look < G_N_ELEMENTS (looks); look++)
      for (guint opened = 0; opened < 4; opened++)
        {
          LsTimelineState state = { .folds.opened = opened };
          LsQuery query = LS_QUERY_INIT;
          query.state = &state;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, looks[look],
                                                   draw_sizes[i][0], draw_sizes[i][1]);
          check_moments (layout, (const double[]){ 0, .4, 1 }, 3, "steps");
        }
  end_faults ();
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) other = draw_view (&ls_view_timeline, plain, &query, LS_LOOK_LIGHT, 1920, 1080);
  g_assert_null (fold_slot (other, 0, 0));
  g_assert_false (says (other->still, "time steps"));
}

/* Behind each lane's name, of one tile and work-group and of more. */
static void
test_lane_words (void)
{
  static const char *const words[LS_SIDES][3]
    = { { ": 0 tiles; workers wait ", ": 1 tile; workers wait ", ": 2 tiles; workers wait " },
        { " commands, 0 work-groups", " commands, 1 work-group", " commands, 2 work-groups" } };
  g_autoptr (LsViewData) data = ls_fixture_data (&ls_fixture_calls);
  const LsQuery query = LS_QUERY_INIT;

  for (guint n = 0; n < 3; n++)
    {
      for (guint side = 0; side < LS_SIDES; side++)
        ls_time_index_of ((LsStepIndex *) data->sides[side].index)->n_pieces = n;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          const LsItem *said = find_text (layout->moving, words[side][n]);
          if (said == NULL || !g_str_has_prefix (said->text, "the step took "))
            g_error ("lane %u doesn’t say “the step took …%s”", side, words[side][n]);
          if (side == 1)
            g_assert_true (g_str_has_suffix (said->text, words[side][n]));
        }
    }
}

/* The lanes' cards stand one above the other in a column of their own, the lower one ends where the lanes
 * may, less a margin, and none is lower than the other by much, wherever the lanes end. */
static void
test_card_places (void)
{
  static const double sizes[][2] = { { 1280, 800 }, { 1600, 900 }, { 1920, 1080 }, { 2560, 1440 } };

  double foot = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint workers = 32; workers >= 2; workers /= 4)
      {
        const LsFixture f = { LS_CORES (workers), .batch = 64, .tiles = 64, .groups = 64, .steps = 40 };
        g_autoptr (LsViewData) data = ls_fixture_data (&f);
        LsQuery query = LS_QUERY_INIT;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_timeline, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                                 sizes[i][1]);
        const LsTimeline *t = layout->own;
        const LsArea *card = t->card;

        g_assert_true (t->cards);
        g_assert_cmpfloat (card[0].x, ==, card[1].x);
        g_assert_cmpfloat (card[0].w, ==, card[1].w);
        g_assert_cmpfloat (card[0].x, >, t->scale.x + t->scale.w);
        g_assert_cmpfloat (card[0].x + card[0].w, <, layout->width);
        g_assert_cmpfloat_with_epsilon (card[0].y + card[0].h + 12, card[1].y, .01);
        const double end = card[1].y + card[1].h, lanes_end = t->clock.y + t->clock.h;
        if (workers == 32) /* the lanes take all the height that there is */
          foot = lanes_end - 8;
        if (fabs (end - foot) > .6)
          g_error ("%g×%g, %u workers: the lower card ends at %g, not at %g", layout->width, layout->height,
                   workers, end, foot);
        if (MIN (card[0].h, card[1].h) < .6 * MAX (card[0].h, card[1].h) - 12)
          g_error ("%g×%g, %u workers: one card is %g px high, the other %g", layout->width, layout->height,
                   workers, card[0].h, card[1].h);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-steps/opened", test_opened);
  g_test_add_func ("/timeline-steps/within", test_within);
  g_test_add_func ("/timeline-steps/edges", test_edges);
  g_test_add_func ("/timeline-steps/each", test_each);
  g_test_add_func ("/timeline-steps/folds", test_folds);
  g_test_add_func ("/timeline-steps/next-to", test_next_to);
  g_test_add_func ("/timeline-steps/sizes", test_sizes);
  g_test_add_func ("/timeline-steps/lane-words", test_lane_words);
  g_test_add_func ("/timeline-steps/card-places", test_card_places);
  return g_test_run ();
}
