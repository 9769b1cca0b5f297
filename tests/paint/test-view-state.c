/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views' own states: what switches and options of `render` make of them, and what the views wish for
 * then.
 */
#include "draw.h"
#include "fixture.h"

#include "ui/paint/views.h"

static const LsFixture fixture = { LS_CORES (2),   .batch = 128, .tiles = 16,   .groups = 64,
                                   .on_cpu = TRUE, .steps = 60,  .values = TRUE };

/* A layout keeps its own copy: whoever asks may change theirs, and a view is as at first for who has none. */
static void
test_copies (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

  asked.group_row = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1280, 800);
  asked.group_row = 0;
  g_assert_cmpint (ls_tiles_asked (&layout->query)->group_row, ==, 1);
  g_assert_cmpuint (((const LsTiles *) layout->own)->row, ==, 1);
  ls_layout_move (layout, &query);
  g_assert_cmpint (ls_tiles_asked (&layout->query)->group_row, ==, 0);
  query.state = NULL;
  g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1280, 800);
  g_assert_cmpint (ls_tiles_asked (&first->query)->group_row, ==, -1);
}

/* Every choice of every switch can be set, has words of its own, and gives a picture without a fault. */
static void
test_switches (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);
  guint n, n_choices = 0;
  const LsView *const *views = ls_views (&n);

  for (guint v = 0; v < n; v++)
    for (const LsViewSwitch *row = views[v]->switches; row != NULL && row->title != NULL; row++)
      {
        g_autoptr (GHashTable) words = g_hash_table_new (g_str_hash, g_str_equal);
        g_assert_cmpuint ((row->choice != NULL) + (row->option != NULL) + (row->offered != NULL), ==, 1);
        g_assert_true ((row->offered == NULL) == (row->now == NULL));
        g_assert_true (row->option == NULL || (ls_options_find (row->option) != NULL && row->words != NULL));
        for (guint i = 0; row->choice != NULL && row->choice (i) != NULL; i++)
          {
            g_autofree gpointer state = ls_view_state_new (views[v]);
            LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = state };
            row->set (&query, i);
            g_assert_true (g_hash_table_add (words, (gpointer) row->choice (i)));
            g_assert_cmpint (memcmp (state, views[v]->state_init, views[v]->state_size) == 0, ==, i == 0);
            g_autoptr (LsLayout) layout = draw_view (views[v], data, &query, LS_LOOK_LIGHT, 1280, 800);
            assert_faultless (layout);
            n_choices++;
          }
      }
  /* Race's time steps; Partition's cut, Tiles' side, its rungs; Crossover's axes, pass, click; Scaling's
   * kind; Planner's questions, and its optimizer and precision */
  g_assert_cmpuint (n_choices, ==, 2 + 2 + 2 + 5 + 3 + 2 + 2 + 2 + 8 + 4 + 6 + 7);
}

/* Which of Tiles' switches are there. */
static void
test_shown (void)
{
  static const struct {
    gint rung;
    gboolean cpu;
    const char *shown;
  } cases[] = { { -1, FALSE, "yynny" }, { LS_RUNG_TILED, FALSE, "yyyny" }, { LS_RUNG_TILED, TRUE, "ynnyy" } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      asked.rung = cases[c].rung;
      asked.cpu_side = cases[c].cpu;
      for (guint i = 0; ls_tiles_switches[i].title != NULL; i++)
        {
          const LsViewSwitch *row = &ls_tiles_switches[i];
          g_assert_cmpint (row->shown == NULL || row->shown (&asked), ==, cases[c].shown[i] == 'y');
        }
    }
}

/* Right words are taken, wrong ones answered with what would have been right. */
static void
test_options (void)
{
  static const struct {
    const char *name, *text;
    gboolean right;
  } cases[] = {
    { "kernel", "tiled", TRUE },       { "kernel", "tile", FALSE },        { "side", "cpu", TRUE },
    { "side", "CPU", FALSE },          { "pane", "ledger", TRUE },         { "pane", "", FALSE },
    { "cut", "finer", TRUE },          { "cut", "fine", FALSE },           { "page", "unit", TRUE },
    { "page", "units", FALSE },        { "sample", "127", TRUE },          { "sample", "128", FALSE },
    { "sample", "-1", FALSE },         { "sample", "1.5", FALSE },         { "shown-as", "throughput", TRUE },
    { "shown-as", "rate", FALSE },     { "time-steps", "2", TRUE },        { "time-steps", "0", FALSE },
    { "time-steps", "each,1", FALSE }, { "timeline-steps", "each", TRUE }, { "timeline-steps", "", FALSE },
    { "timeline-steps", "1,3", TRUE }, { "panel", "threads", TRUE },       { "panel", "thread", FALSE }
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);
  guint n, found = 0;
  const LsView *const *views = ls_views (&n);

  for (guint v = 0; v < n; v++)
    for (const LsViewOption *option = views[v]->options; option != NULL && option->name != NULL; option++)
      for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
        {
          g_autofree gpointer state = ls_view_state_new (views[v]);
          g_autofree char *expected = NULL;
          if (!g_str_equal (option->name, cases[c].name))
            continue;
          expected = option->read (data, cases[c].text, state);
          g_assert_cmpint (expected == NULL, ==, cases[c].right);
          g_assert_true (!cases[c].right || memcmp (state, views[v]->state_init, views[v]->state_size) != 0);
          found++;
        }
  g_assert_cmpuint (found, ==, G_N_ELEMENTS (cases));
}

static LsWish
wish_of (const LsView *view, const LsViewData *data, const LsQuery *query)
{
  LsWish wish = LS_WISH_NOTHING;

  view->wish (data, query, &wish);
  return wish;
}

static void
test_wishes (void)
{
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);
  g_autoptr (LsStrokes) strokes = ls_strokes_new ();
  Asked asked = ASKED_INIT;
  LsQuery *query = asked_of (&asked, &ls_view_tiles);
  LsWish wish;

  query->op = 1;
  asked.tiles.rung = LS_RUNG_TILED;
  asked.tiles.group_col = 2;
  wish = wish_of (&ls_view_tiles, data, query);
  g_assert_cmpint (wish.walk.op, ==, ls_tiles_op (data->recording, 1));
  g_assert_cmpint (wish.walk.rung, ==, LS_RUNG_TILED);
  g_assert_cmpint (wish.walk.col, ==, 2);
  g_assert_false (wish.answer.wanted);

  query = asked_of (&asked, &ls_view_network);
  asked.network.own = LS_OWN_TEST;
  asked.network.test = 41;
  g_assert_false (wish_of (&ls_view_network, data, query).answer.wanted); /* nobody can be asked */
  data->tests = 100;
  wish = wish_of (&ls_view_network, data, query);
  g_assert_cmpint (wish.walk.op, ==, LS_WALK_NO_OP);
  g_assert_true (wish.answer.wanted && wish.answer.what == LS_ASKED_TEST && wish.answer.number == 41);
  asked.network.own = LS_OWN_DRAWN;
  query->pen.strokes = strokes;
  g_assert_false (wish_of (&ls_view_network, data, query).answer.wanted); /* nothing is drawn */
  ls_strokes_begin (strokes, .5, .5);
  wish = wish_of (&ls_view_network, data, query);
  g_assert_true (wish.answer.wanted && wish.answer.what == LS_ASKED_DRAWN && wish.answer.strokes == strokes);
  asked.network.own = LS_OWN_BATCH;
  g_assert_false (wish_of (&ls_view_network, data, query).answer.wanted);
  data->sample_size = 2;
  wish = wish_of (&ls_view_network, data, query);
  g_assert_true (wish.answer.wanted && wish.answer.what == LS_ASKED_GRID); /* of points the whole plane */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/view-state/copies", test_copies);
  g_test_add_func ("/paint/view-state/switches", test_switches);
  g_test_add_func ("/paint/view-state/shown", test_shown);
  g_test_add_func ("/paint/view-state/options", test_options);
  g_test_add_func ("/paint/view-state/wishes", test_wishes);
  return g_test_run ();
}
