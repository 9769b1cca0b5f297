/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Race of layers that read a sequence: their time steps are one block, as long as they took, or a box each.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/data/chain.h"
#include "ui/paint/race/race.h"
#include "core/number.h"
#include "ui/paint/views.h"

static LsViewData *
data_of (const char *model)
{
  const LsFixture f = { LS_CORES (2), .model = model, .batch = 16, .tiles = 16,
                        .groups = 32, .on_cpu = TRUE, .steps = 60 };

  return ls_fixture_data (&f);
}

static LsLayout *
lay_out (LsViewData *data, guint how, LsLook look, double w, double h)
{
  LsRaceState state = { .folds = { .each = how == 1, .opened = how > 1 ? how : 0 } };
  LsQuery query = LS_QUERY_INIT;

  query.state = &state;
  return draw_view (&ls_view_race, data, &query, look, w, h);
}

/* Boxes that stand for one op of the side. */
static guint
count_ops (const LsLayout *layout, guint side)
{
  guint n = 0;

  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      n += item->kind == LS_ITEM_BOX && item->event != LS_NO_EVENT && item->side == side;
    }
  return n;
}

static void
test_folded (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  g_autoptr (GArray) chains = ls_chains_new (data->recording);
  g_autoptr (LsLayout) folded = lay_out (data, FALSE, LS_LOOK_LIGHT, 3840, 2160),
                       each = lay_out (data, TRUE, LS_LOOK_LIGHT, 3840, 2160);
  g_autofree char *described = ls_layout_describe (folded);

  g_assert_true (says (folded->still, "28 time steps, h₁ … h₂₈"));
  g_assert_true (says (folded->still, "28 time steps, dz₂₈ … dz₁"));
  g_assert_false (says (each->still, "time steps"));
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsStepIndex *index = data->sides[side].index;
      guint outside = 0;
      for (guint i = 0; i < index->spans->len; i++)
        {
          const LsSpan *span = &g_array_index (index->spans, LsSpan, i);
          outside += span->kind != LS_EVENT_OP || ls_chain_of (chains, span->op, NULL) == NULL;
        }
      g_assert_cmpuint (count_ops (folded, side), <=, outside);
      g_assert_cmpuint (count_ops (each, side), >, outside);
      for (guint c = 0; c < chains->len; c++)
        {
          gint64 start, end;
          gboolean block = FALSE;
          ls_chain_time (&g_array_index (chains, LsChain, c), index, 0, 28, &start, &end);
          for (guint i = 0; i < folded->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (folded->still, i);
              /* the label's text has the block's times */
              block |= item->kind == LS_ITEM_TEXT && item->t0 == start && item->t1 == end;
            }
          g_assert_true (block);
          g_autofree char *time = ls_number_time ((double) (end - start));
          g_assert_nonnull (strstr (described, time));
        }
    }
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

/* A click opens one block on both lanes and leaves the other, a click on its line folds it again; V opens one
 * after the other, then all, then none. */
static void
test_opened (void)
{
  static const guint64 turns[] = { 1, 2, 3, 0 };
  g_autoptr (LsViewData) data = data_of ("lstm 6, dense 10");
  LsRaceState state = { 0 };
  LsQuery query = LS_QUERY_INIT;
  guint closed[LS_SIDES];

  query.state = &state;
  for (guint turn = 0; turn < 4; turn++)
    {
      const guint side = turn / 2;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsSlot *slot = fold_slot (layout, side, 0);
      const gboolean open = turn % 2 == 1;

      assert_faultless (layout);
      g_assert_nonnull (slot);
      g_assert_true (says (layout->still, "28 time steps, h₁ … h₂₈") == !open);
      g_assert_true (says (layout->still, "28 time steps, dz₂₈ … dz₁"));
      for (guint s = 0; s < LS_SIDES; s++)
        {
          closed[s] = turn == 0 ? count_ops (layout, s) : closed[s];
          g_assert_true (open ? count_ops (layout, s) > closed[s] : count_ops (layout, s) == closed[s]);
        }
      g_assert_cmpint (ls_view_race.point (layout, slot->x + slot->w / 2, slot->y + slot->h / 2, &query), ==,
                       LS_ACT_CHANGED);
      g_assert_cmpuint (state.folds.opened, ==, open ? 0 : 1);
    }
  g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1280, 800);
  g_assert_cmpint (ls_view_race.point (layout, 5, 5, &query), ==, LS_ACT_NONE);
  for (guint turn = 0; turn < G_N_ELEMENTS (turns); turn++)
    {
      g_assert_cmpint (ls_view_race.key (layout, LS_KEY_PAGE, &query), ==, LS_ACT_CHANGED);
      g_assert_cmpuint (state.folds.opened, ==, turns[turn]);
    }
  g_assert_cmpint (ls_view_race.key (layout, LS_KEY_UP, &query), ==, LS_ACT_NONE);
}

/* Whatever the size, look and moment; and other networks know nothing of it. */
static void
test_sizes (void)
{
  g_autoptr (LsViewData) data = data_of ("lstm 6 all, lstm 5, dense 10"),
                         plain = data_of ("flatten, dense 10");
  const LsLook looks[] = { LS_LOOK_LIGHT, LS_LOOK_DARK, LS_LOOK_PROJECTOR };

  for (guint i = 0; i < G_N_ELEMENTS (draw_sizes); i++)
    for (guint look = 0; look < G_N_ELEMENTS (looks); look++)
      for (guint how = 0; how < 4; how++) /* folded, each, one block open, two */
        {
          g_autoptr (LsLayout) layout = lay_out (data, how, looks[look], draw_sizes[i][0], draw_sizes[i][1]);
          check_moments (layout, (const double[]){ 0, .4, 1 }, 3, "steps");
        }
  end_faults ();
  g_autoptr (LsLayout) other = lay_out (plain, FALSE, LS_LOOK_LIGHT, 1920, 1080);
  g_assert_false (says (other->still, "time steps"));
  for (guint i = 0; i < other->slots->len; i++)
    g_assert_cmpint (g_array_index (other->slots, LsSlot, i).kind, !=, LS_SLOT_SWITCHES);
}

/* The switch of the time steps has its place where there are such, and none in a picture without a window
 * round it. */
static void
test_switches (void)
{
  for (guint steps = 0; steps < 2; steps++)
    for (guint chrome = 0; chrome < 2; chrome++)
      {
        g_autoptr (LsViewData) data = data_of (steps ? "lstm 6, dense 10" : "flatten, dense 10");
        LsRaceState state = { 0 };
        LsQuery query = LS_QUERY_INIT;
        guint n = 0;

        query.state = &state;
        query.chrome = chrome;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
        for (guint i = 0; i < layout->slots->len; i++)
          n += g_array_index (layout->slots, LsSlot, i).kind == LS_SLOT_SWITCHES;
        if (n != (steps && !chrome ? 1 : 0))
          g_error ("%s time steps, %s a window, the picture has %u places for their switch",
                   steps ? "with" : "without", chrome ? "without" : "in", n);
      }
}

static gboolean
has_box (const LsLayout *layout, guint side, guint32 event)
{
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      if (item->kind == LS_ITEM_BOX && item->side == side && item->event == event)
        return TRUE;
    }
  return FALSE;
}

/* One op that is too thin to see keeps its box, and so do two: fewer than three aren't folded. */
static void
test_thin (void)
{
  static const char *const models[]
    = { "flatten, dense 64, relu, dense 10", "conv 4 3, relu, maxpool 2, flatten, dense 64, tanh, dense 10",
        "flatten, dense 200, relu, dense 100, relu, dense 50, relu, dense 10" };
  guint runs[3] = { 0 }; /* none folded, some, a box that is lower than 3 px */

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    {
      g_autoptr (LsViewData) data = data_of (models[m]);
      for (double h = 420; h < 1400; h += 35)
        {
          g_autoptr (LsLayout) layout = lay_out (data, 0, LS_LOOK_LIGHT, 1280, h);
          for (guint side = 0; side < LS_SIDES; side++)
            {
              const GArray *spans = data->sides[side].index->spans;
              guint n = 0, all = 0;
              for (guint i = 0; i <= spans->len; i++)
                if (i < spans->len && !has_box (layout, side, g_array_index (spans, LsSpan, i).event))
                  n++;
                else
                  {
                    if (n > 0 && n < 3)
                      g_error ("%s, %.0f px high: on side %u a block stands for only %u op%s", models[m], h,
                               side, n, n > 1 ? "s" : "");
                    all += n;
                    n = 0;
                  }
              runs[all > 0]++;
            }
          for (guint i = 0; i < layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              runs[2] += item->kind == LS_ITEM_BOX && item->event != LS_NO_EVENT && item->h < 2;
            }
        }
    }
  g_test_message ("%u columns with nothing folded, %u with blocks; %u thin boxes", runs[0], runs[1], runs[2]);
  g_assert_true (runs[1] > 10 && runs[2] > 10);
}

/* That a block of time steps has more in it is shown at its foot once it is done, not before. */
static void
test_zigzag (void)
{
  const LsFixture f
    = { LS_CORES (2), .model = "lstm 6, dense 10", .batch = 16, .tiles = 16, .groups = 32, .on_cpu = TRUE,
        .steps = 60 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_race, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  guint before = 0, n = 0;

  for (guint i = 0; i <= 40; i++)
    {
      double now = NAN;

      n = 0;
      query.time_ns = layout->span_ns * i / 40;
      ls_layout_move (layout, &query);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          const float *at = &g_array_index (layout->moving->points, float, 2 * item->points);
          if (item->kind == LS_ITEM_LINE && item->n_points == 2 && item->strong && at[1] == at[3])
            now = (double) at[1];
        }
      g_assert_false (isnan (now));
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          if (item->kind != LS_ITEM_ZIGZAG)
            continue;
          n++;
          if ((double) (item->y + item->h) > now + 1.5)
            g_error ("at moment %u, at %.1f px, a block that ends at %.1f is said to be done", i, now,
                     (double) (item->y + item->h));
        }
      g_assert_cmpuint (n, >=, before);
      g_assert_true (i > 0 || n == 0);
      before = n;
    }
  g_assert_cmpuint (n, ==, 4); /* there and back, of both lanes */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/race-steps/folded", test_folded);
  g_test_add_func ("/race-steps/opened", test_opened);
  g_test_add_func ("/race-steps/sizes", test_sizes);
  g_test_add_func ("/race-steps/switches", test_switches);
  g_test_add_func ("/race-steps/thin", test_thin);
  g_test_add_func ("/race-steps/zigzag", test_zigzag);
  return g_test_run ();
}
