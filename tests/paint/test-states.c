/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views say and show of the states a run can be in; and that nothing blinks.
 */
#include <math.h>

#include "draw.h"
#include "said.h"
#include "states.h"
#include "ui/paint/parts/pace.h"
#include "ui/paint/views.h"

static LsLayout *
layout_of (LsViewData *data, const LsView *view, const LsQuery *query, double w, double h)
{
  return draw_view (view, data, query, LS_LOOK_LIGHT, w, h);
}

static guint
count_kind (const LsScene *scene, LsItemKind kind, guint side)
{
  guint n = 0;

  for (guint i = 0; i < scene->items->len; i++)
    n += ls_scene_get (scene, i)->kind == kind && (side > 1 || ls_scene_get (scene, i)->side == side);
  return n;
}

static const LsSlot *
slot_of (const LsLayout *layout, LsSlotKind kind, gint side)
{
  for (guint i = 0; i < layout->slots->len; i++)
    {
      const LsSlot *slot = &g_array_index (layout->slots, LsSlot, i);
      if (slot->kind == kind && slot->side == side)
        return slot;
    }
  return NULL;
}

/* A mark changes three times while its op is on screen. */
static void
test_pace (void)
{
  g_assert_cmpfloat (ls_pace_changes (1000, 0), ==, 0);
  g_assert_false (ls_pace_finished (1000, 0));
  g_assert_false (ls_pace_finished (0, 1000));
  g_assert_cmpfloat (fabs (ls_pace_changes (2000000, 1000000) - 1.5), <, 1e-9);
  for (guint64 dial = 10; dial <= 1000000000; dial *= 10)
    for (gint64 span = 10; span < 100000000; span *= 3)
      {
        const double seconds = (double) span / (double) dial;
        g_assert_true (ls_pace_finished (span, dial) == (LS_PACE_CHANGES / seconds > LS_PACE_HZ));
        if (seconds < 1. / 3)
          g_assert_true (ls_pace_finished (span, dial));
      }
  g_assert_true (ls_pace_rolls (8, 1000000, 500000));
  g_assert_false (ls_pace_rolls (5, 1000000, 500000));
}

/* The same recorded step at every dial: where it would blink all marks are done, at whatever time; else the
 * clock shows. */
static void
test_no_blinking (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_LIVE);

  for (guint64 dial = 10; dial <= 1000000000; dial *= 10)
    for (guint v = 0; v < 2; v++)
      {
        LsQuery query = LS_QUERY_INIT;
        g_autoptr (LsLayout) layout = NULL;

        query.op = 1;
        query.time_ns = 1000;
        query.dial_ns = dial;
        layout = layout_of (data, v == 0 ? &ls_view_partition : &ls_view_race, &query, 1920, 1080);
        g_assert_true ((layout->query.time_ns == LS_TIME_END) == ls_pace_finished (layout->span_ns, dial));
        query.paused = TRUE; /* then any moment may be looked at */
        ls_layout_move (layout, &query);
        g_assert_cmpint (layout->query.time_ns, ==, 1000);
      }
}

static void
test_failed (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_FAILED);
  const LsQuery query = LS_QUERY_INIT;
  g_autoptr (LsLayout) partition = layout_of (data, &ls_view_partition, &query, 1920, 1080);
  g_autoptr (LsLayout) race = layout_of (data, &ls_view_race, &query, 1920, 1080);

  g_assert_true (says (partition->still, "Stopped at step 1801."));
  g_assert_true (says (partition->still, "Shown: step 1800, the last complete one."));
  g_assert_true (says (partition->still, "before it stopped"));
  g_assert_true (says (partition->still, "OpenCL stopped at step 1\u2009801"));
  g_assert_cmpuint (count_kind (partition->still, LS_ITEM_TILE, 1), >, 0);
  g_assert_nonnull (slot_of (partition, LS_SLOT_MESSAGE, 1));
  g_assert_null (slot_of (partition, LS_SLOT_MESSAGE, 0));
  g_assert_nonnull (slot_of (race, LS_SLOT_MESSAGE, 1));
}

/* Of a message the hint goes first where it has no room, then the words, its sentence never; its buttons come
 * right below, and end where they may. */
static void
test_message_room (void)
{
  static const char *const texts[] = { "The lane stopped.", "The driver broke.", "Try once more." };
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_FAILED);
  const LsQuery query = LS_QUERY_INIT;

  for (guint shown = 1; shown <= 3; shown++)
    for (guint less = 0; less < 2; less++)
      {
        g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, &query, 1920, 1080);
        const guint first = layout->still->items->len, first_slot = layout->slots->len;
        const double height = ls_stage_message_height (layout, 600, texts[0], shown > 1 ? texts[1] : NULL,
                                                       shown > 2 ? texts[2] : NULL),
                     room = height - less;
        const guint wanted = MAX (shown - less, 1);
        double end = 0;

        const double used = ls_stage_message (layout, (LsArea){ 100, 200, 600, room }, 1, texts[0], texts[1],
                                              texts[2]);
        g_assert_cmpuint (layout->still->items->len - first, ==, wanted);
        for (guint i = 0; i < wanted; i++)
          {
            const LsItem *item = ls_scene_get (layout->still, first + i);
            g_assert_cmpstr (item->text, ==, texts[i]);
            g_assert_cmpfloat ((double) item->y, >, MAX (end, 200));
            end = (double) item->y;
          }
        g_assert_cmpuint (layout->slots->len, ==, first_slot + 1);
        const LsSlot *slot = &g_array_index (layout->slots, LsSlot, first_slot);
        g_assert_cmpfloat (slot->y, >, end);
        g_assert_cmpfloat_with_epsilon (slot->y + slot->h, 200 + used, .01);
        if (used > room + .01 && wanted > 1)
          g_error ("%u texts take %g px of %g", wanted, used, room);
      }
}

/* Only the window has buttons: in a picture with a head of its own a message takes no room for them. */
static void
test_message_height (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_FAILED);
  double height[2];

  for (guint chrome = 0; chrome < 2; chrome++)
    {
      LsQuery query = LS_QUERY_INIT;
      query.chrome = chrome != 0;
      g_autoptr (LsLayout) layout = layout_of (data, &ls_view_race, &query, 1920, 1080);
      height[chrome] = ls_stage_message_height (layout, 600, "The lane stopped.", NULL, NULL);
    }
  if (height[0] - height[1] < 24)
    g_error ("a message is %g px high with its buttons, %g px without", height[0], height[1]);
}

static void
test_disagree (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_DISAGREE);
  const LsQuery query = LS_QUERY_INIT;
  const LsView *const *views;
  guint n;

  views = ls_views (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsLayout) layout = layout_of (data, views[i], &query, 1920, 1080);
      g_assert_cmpuint (count_kind (layout->still, LS_ITEM_WARNING, 2), ==, 2);
      g_assert_true (says (layout->still, data->disagree[0]));
      g_assert_true (says (layout->still, data->disagree[1]));
    }
}

/* Element (83, 70) of the first product. */
static guint
let_differ (LsViewData *data)
{
  guint op = 0;

  while (data->recording->ops[op].attr.k == 0)
    op++;
  const gint64 rows = data->sides[0].recorded->tilings[op].rows,
               cols = data->sides[0].recorded->tilings[op].cols;
  data->difference = (LsDifference){
    .found = TRUE, .op = op, .side = 1, .rank = 2, .shape = { rows, cols }, .element = 83 * cols + 70
  };
  return op;
}

static void
test_difference (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_DISAGREE);
  const guint op = let_differ (data);
  LsQuery query = LS_QUERY_INIT;

  query.op = op;
  g_autoptr (LsLayout) partition = layout_of (data, &ls_view_partition, &query, 1920, 1080);
  g_autoptr (LsLayout) race = layout_of (data, &ls_view_race, &query, 1920, 1080);
  ls_layout_move (partition, &query);
  g_assert_true (says (partition->moving, "element (83, 70) differs"));
  g_assert_cmpuint (count_kind (partition->moving, LS_ITEM_FRAME, 2), ==, 2);
  g_assert_cmpuint (count_kind (partition->still, LS_ITEM_WARNING, 2), ==, 3); /* the heads', the op's */
  g_assert_cmpuint (count_kind (race->still, LS_ITEM_WARNING, 2), ==, 3);

  LsTilesState asked = LS_TILES_STATE_INIT;
  asked.rung = LS_RUNG_TILED;
  query.state = &asked;
  asked.cpu_side = TRUE; /* it is the kernel's group that has it, whichever side is looked at */
  ls_tiles_seek_difference (data, &query);
  g_assert_true (asked.cpu_side);
  asked.cpu_side = FALSE;
  g_assert_cmpint (asked.group_row, ==, 83 / 16);
  g_assert_cmpint (asked.group_col, ==, 70 / 16);
  g_assert_cmpint (asked.item_row, ==, 83 % 16);
  g_assert_cmpint (asked.item_col, ==, 70 % 16);
  g_autoptr (LsLayout) tiles = layout_of (data, &ls_view_tiles, &query, 1920, 1080);
  ls_layout_move (tiles, &query);
  g_assert_true (says (tiles->moving, "element (83, 70) differs"));
  g_assert_cmpuint (count_kind (tiles->moving, LS_ITEM_WARNING, 2), ==, 1);

  /* another op is another matter */
  query.op = op + 1;
  query.state = NULL;
  while (data->recording->ops[query.op].attr.k == 0)
    query.op++;
  g_autoptr (LsLayout) other = layout_of (data, &ls_view_partition, &query, 1920, 1080);
  ls_layout_move (other, &query);
  g_assert_cmpuint (count_kind (other->moving, LS_ITEM_FRAME, 2), ==, 0);
}

/* Rows of the output, a convolution's maps, and shapes that are neither. */
static void
test_difference_at (void)
{
  const LsDifference map
    = { .found = TRUE, .rank = 4, .shape = { 3, 5, 4, 4 }, .element = ((2 * 5 + 3) * 4 + 1) * 4 + 2 };
  gint64 row, col;

  g_assert_true (ls_difference_at (&map, 5, 48, &row, &col));
  g_assert_cmpint (row, ==, 3);
  g_assert_cmpint (col, ==, 2 * 16 + 1 * 4 + 2);
  g_assert_true (ls_difference_at (&map, 3, 80, &row, &col));
  g_assert_cmpint (row, ==, 2);
  g_assert_cmpint (col, ==, 3 * 16 + 6);
  g_assert_true (ls_difference_at (&map, 1, 240, &row, &col));
  g_assert_cmpint (col, ==, map.element);
  g_assert_false (ls_difference_at (&map, 7, 30, &row, &col));
  g_assert_false (ls_difference_at (&map, 16, 15, &row, &col));
}

/* An earlier step: its picture, and everything else of the run as it is now. */
static void
test_history (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_HISTORY);

  g_assert_cmpuint (ls_view_data_shown_step (data, 0), ==, 1200);
  g_assert_cmpuint (data->sides[0].steps, ==, 2400);
  g_assert_nonnull (data->sides[0].curve);
  g_assert_nonnull (data->sides[1].index);
  g_assert_true (data->sides[1].recorded == &data->recording->lanes[data->sides[1].lane]);
  g_assert_cmpstr (data->when, ==, "step 2\u2009400, epoch 6 · shown: step 1\u2009200, typical");
  g_assert_true (data->live);
}

static void
test_step_words (void)
{
  LsViewData data = { .target = 4690 };
  char *text = ls_view_data_step_words (&data, 1240);

  g_assert_cmpstr (text, ==, "step 1\u2009240 of 4\u2009690");
  g_free (text);
  data.target = G_MAXUINT64;
  text = ls_view_data_step_words (&data, 1240);
  g_assert_cmpstr (text, ==, "step 1\u2009240");
  g_free (text);
  data.steps_per_epoch = 469;
  text = ls_view_data_step_words (&data, 1240);
  g_assert_cmpstr (text, ==, "step 1\u2009240, epoch 3");
  g_free (text);
  text = ls_view_data_step_words (&data, 469);
  g_assert_cmpstr (text, ==, "step 469, epoch 1");
  g_free (text);
}

/* The step under the pointer is the one whose values are read out, by steps and by seconds; earlier runs are
 * named. */
static void
test_cursor (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_RUNS);

  for (guint seconds = 0; seconds < 2; seconds++)
    {
      LsQuery query = LS_QUERY_INIT;
      g_autoptr (LsLayout) layout = NULL;

      query.curves.seconds = seconds > 0;
      layout = layout_of (data, &ls_view_curves, &query, 1920, 1080);
      g_assert_cmpuint (layout->plots->len, ==, 4);
      g_assert_true (says (layout->still, "batch 32, lr 0.1"));
      g_assert_cmpint (ls_layout_step_at (layout, 2, 2), ==, -1);
      for (guint i = 0; i < layout->plots->len; i++)
        {
          const LsPlot *plot = &g_array_index (layout->plots, LsPlot, i);
          const double y = plot->area.y + plot->area.h / 2;
          gint64 last = 0;

          g_assert_true (plot->seconds == query.curves.seconds);
          for (double share = 0; share <= 1; share += .125)
            {
              const gint64 step = ls_layout_step_at (layout, plot->area.x + share * plot->area.w, y);
              g_assert_cmpint (step, >=, MAX (last, 1));
              g_assert_cmpint (step, <=, 2400);
              last = step;
            }
        }
      query.curves.cursor = 1000;
      ls_layout_move (layout, &query);
      g_assert_true (says (layout->moving, "step 1\u2009000"));
      g_autofree char *loss = g_strdup_printf ("CPU %.3f",
                                               (double) ls_curve_get (data->sides[0].curve, 999).loss);
      g_assert_true (says (layout->moving, loss));
    }
}

/* One plot and a switch in a small window, two in a middling one, three under Race in a large one. */
static void
test_strip (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_LIVE);
  static const struct {
    double w, h;
    guint partition, race;
  } sizes[] = { { 960, 600, 1, 1 }, { 1280, 800, 2, 2 }, { 1920, 1080, 2, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint plot = 0; plot < 3; plot++)
      {
        LsQuery query = LS_QUERY_INIT;
        query.curves.kind = plot;
        g_autoptr (LsLayout) partition = layout_of (data, &ls_view_partition, &query, sizes[i].w, sizes[i].h);
        g_autoptr (LsLayout) race = layout_of (data, &ls_view_race, &query, sizes[i].w, sizes[i].h);

        g_assert_cmpuint (partition->plots->len, ==, sizes[i].partition);
        g_assert_cmpuint (race->plots->len, ==, sizes[i].race);
        g_assert_true ((slot_of (partition, LS_SLOT_PLOTS, -1) != NULL) == (i == 0));
        if (i == 0)
          g_assert_cmpuint (g_array_index (partition->plots, LsPlot, 0).kind, ==, plot);
      }
}

/* Whatever kernel is looked at, also one whose tiles are no squares: the group that has it, and its place
 * there. */
static void
test_difference_sought (void)
{
  g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, LS_STATE_DISAGREE);
  const guint op = let_differ (data);
  const gint at_row = 93, at_col = 47; /* no two tiles' edges leave the same of them */
  guint oblong = 0;

  data->difference.element = at_row * data->difference.shape[1] + at_col;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
      LsTiles t;

      asked.rung = rung;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      ls_tiles_seek_difference (data, &query);
      const gint row = asked.group_row * (gint) t.cut.tile_m + asked.item_row,
                 col = asked.group_col * (gint) t.cut.tile_n + asked.item_col;
      if (row != at_row || col != at_col)
        g_error ("with tiles of %u×%u it is sought at (%d, %d), not at (%d, %d)", t.cut.tile_m, t.cut.tile_n,
                 row, col, at_row, at_col);
      g_assert_cmpint (asked.item_row, <, (gint) t.cut.tile_m);
      g_assert_cmpint (asked.item_col, <, (gint) t.cut.tile_n);
      oblong += t.cut.tile_m != t.cut.tile_n;
      ls_tiles_clear (&t);
    }
  g_assert_cmpuint (oblong, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/states/pace", test_pace);
  g_test_add_func ("/paint/states/no-blinking", test_no_blinking);
  g_test_add_func ("/paint/states/failed", test_failed);
  g_test_add_func ("/paint/states/message-room", test_message_room);
  g_test_add_func ("/paint/states/message-height", test_message_height);
  g_test_add_func ("/paint/states/disagree", test_disagree);
  g_test_add_func ("/paint/states/difference", test_difference);
  g_test_add_func ("/paint/states/difference-at", test_difference_at);
  g_test_add_func ("/paint/states/history", test_history);
  g_test_add_func ("/paint/states/step-words", test_step_words);
  g_test_add_func ("/paint/states/cursor", test_cursor);
  g_test_add_func ("/paint/states/strip", test_strip);
  g_test_add_func ("/paint/states/difference-sought", test_difference_sought);
  return g_test_run ();
}
