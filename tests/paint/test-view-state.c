/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views' own states: what switches and options of `render` make of them, and what the views wish for
 * then.
 */
#include <string.h>

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

/* ---- the same things in words ---- */

static const LsViewOption *
option_of (const LsView *view, const char *name)
{
  for (const LsViewOption *option = view->options; option != NULL && option->name != NULL; option++)
    if (g_str_equal (option->name, name))
      return option;
  g_error ("%s has no option “%s”", view->name, name);
}

/* What an option of `render` names is what a switch in the window chooses by that word. */
static void
test_both_ways (void)
{
  static const struct {
    const char *view, *option, *text, *title, *choice;
  } cases[] = {
    { "tiles", "side", "opencl", "What Tiles shows", "Work-group" },
    { "tiles", "side", "cpu", "What Tiles shows", "CPU's cache blocks" },
    { "tiles", "kernel", "naive", "Kernel to walk through", "naive" },
    { "tiles", "kernel", "tiled", "Kernel to walk through", "tiled" },
    { "tiles", "kernel", "register", "Kernel to walk through", "registers" },
    { "tiles", "kernel", "packed", "Kernel to walk through", "packed" },
    { "crossover", "axes", "width", "What grows upwards", "width" },
    { "crossover", "axes", "depth", "What grows upwards", "depth" },
    { "crossover", "axes", "image", "What grows upwards", "image size" },
    { "crossover", "of", "training", "What is measured", "training step" },
    { "crossover", "of", "answers", "What is measured", "answers alone" },
    { "scaling", "shown-as", "latency", "Shown as", "Latency" },
    { "scaling", "shown-as", "throughput", "Shown as", "Throughput" },
    { "partition", "cut", "trained", "Cut", "as trained" },
    { "partition", "cut", "finer", "Cut", "finer, for looking" },
    { "race", "time-steps", "folded", "Layers that read a sequence", "time steps as one" },
    { "race", "time-steps", "each", "Layers that read a sequence", "each time step" },
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const LsView *view = ls_view_find (cases[c].view);
      const LsViewSwitch *row = view->switches;
      g_autofree gpointer said = ls_view_state_new (view), chosen = ls_view_state_new (view);
      LsQuery query = { LS_QUERY_FIELDS, .state = chosen };
      g_autofree char *refused = option_of (view, cases[c].option)->read (data, cases[c].text, said);
      guint i = 0;

      g_assert_cmpstr (refused, ==, NULL);
      while (row->title != NULL && !g_str_equal (row->title, cases[c].title))
        row++;
      g_assert_nonnull (row->title);
      while (row->choice (i) != NULL && !g_str_equal (row->choice (i), cases[c].choice))
        i++;
      if (row->choice (i) == NULL)
        g_error ("%s’s “%s” doesn’t offer “%s”", view->name, row->title, cases[c].choice);
      row->set (&query, i);
      if (memcmp (said, chosen, view->state_size) != 0)
        g_error ("--%s %s is something else than “%s” of “%s”", cases[c].option, cases[c].text,
                 cases[c].choice, cases[c].title);
    }
}

/* What is refused is answered with all that would have been right, and that is taken; each of it is something
 * of its own. */
static void
test_refusals (void)
{
  static const struct {
    const char *view, *option, *says;
  } cases[] = {
    { "tiles", "kernel", "naive, tiled, register or packed" },
    { "tiles", "side", "opencl or cpu" },
    { "tiles", "pane", "tiles, ledger, source or roofline" },
    { "crossover", "axes", "width, depth or image" },
    { "crossover", "of", "training or answers" },
    { "scaling", "shown-as", "latency or throughput" },
    { "scaling", "panel", "threads, flight, batch, size, edge, width or tiles" },
    { "partition", "cut", "trained or finer" },
    { "network", "page", "layers, test, unit or time" },
  };
  g_autoptr (LsViewData) data = ls_fixture_data (&fixture);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const LsView *view = ls_view_find (cases[c].view);
      const LsViewOption *option = option_of (view, cases[c].option);
      g_autofree gpointer other = ls_view_state_new (view);
      g_autofree char *says = option->read (data, "neither", other);
      g_auto (GStrv) parts = g_regex_split_simple (", | or ", cases[c].says, 0, 0);
      g_autoptr (GPtrArray) states = g_ptr_array_new_with_free_func (g_free);

      g_assert_cmpstr (says, ==, cases[c].says);
      for (guint i = 0; parts[i] != NULL; i++)
        {
          gpointer state = ls_view_state_new (view);
          g_autofree char *refused = option->read (data, parts[i], state);

          g_ptr_array_add (states, state);
          if (refused != NULL)
            g_error ("--%s %s is offered and refused", option->name, parts[i]);
          if (strstr (option->help, parts[i]) == NULL)
            g_error ("the help of --%s doesn’t say “%s”", option->name, parts[i]);
          for (guint k = 0; k < i; k++)
            if (memcmp (states->pdata[k], state, view->state_size) == 0)
              g_error ("--%s %s is the same as %s", option->name, parts[i], parts[k]);
        }
    }
}

/* A switch of the run's settings says the one that is set. */
static void
test_settings (void)
{
  static const struct {
    const char *view, *option, *value, *words;
  } cases[] = {
    { "tiles", "batch", "256", "batch 256" },
    { "tiles", "tile-edge", "auto", "tile: automatic" },
    { "tiles", "tile-edge", "16", "16×16" },
    { "tiles", "tiles-per-op", "0", "tiles: automatic" },
    { "tiles", "tiles-per-op", "1", "1 tile" },
    { "tiles", "tiles-per-op", "32", "32 tiles" },
    { "roofline", "batch", "1", "batch 1" },
    { "roofline", "kernel", "register", "kernel: registers" },
    { "roofline", "kernel", "auto", "kernel: automatic" },
    { "roofline", "fusion", "on", "fused ops" },
    { "roofline", "fusion", "off", "ops one by one" },
    { "crossover", "batch-from", "host", "with the batch’s copy" },
    { "crossover", "batch-from", "device", "batch on the device" },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const LsViewSwitch *row = ls_view_find (cases[c].view)->switches;
      g_autofree char *words = NULL;

      while (row->title != NULL && g_strcmp0 (row->option, cases[c].option) != 0)
        row++;
      g_assert_nonnull (row->title);
      words = row->words (cases[c].value);
      g_assert_cmpstr (words, ==, cases[c].words);
    }
}

/* Another kernel or side of Tiles has other groups: what was picked of the one before isn't of it. */
static void
test_pick_anew (void)
{
  for (guint r = 0; r < 2; r++)
    {
      LsTilesState asked
        = { .rung = LS_RUNG_NAIVE, .group_row = 1, .group_col = 2, .item_row = 3, .item_col = 4 };
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      ls_tiles_switches[r].set (&query, 1);
      g_assert_cmpint (asked.group_row, ==, -1);
      g_assert_cmpint (asked.group_col, ==, -1);
      g_assert_cmpint (asked.item_row, ==, -1);
      g_assert_cmpint (asked.item_col, ==, -1);
    }
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

/* What a switch of the run's options says it is set to. */
static void
test_words (void)
{
  static const struct {
    const LsView *view;
    const char *option, *value, *words;
  } rows[] = {
    { &ls_view_tiles, "batch", "64", "batch 64" },
    { &ls_view_tiles, "tiles-per-op", "0", "tiles: automatic" },
    { &ls_view_tiles, "tiles-per-op", "1", "1 tile" },
    { &ls_view_tiles, "tiles-per-op", "8", "8 tiles" },
    { &ls_view_tiles, "tile-edge", "auto", "tile: automatic" },
    { &ls_view_tiles, "tile-edge", "16", "16×16" },
    { &ls_view_roofline, "batch", "1024", "batch 1024" },
    { &ls_view_roofline, "fusion", "on", "fused ops" },
    { &ls_view_roofline, "fusion", "off", "ops one by one" },
    { &ls_view_roofline, "kernel", "tiled", "kernel: tiled" },
    { &ls_view_crossover, "batch-from", "host", "with the batch’s copy" },
    { &ls_view_crossover, "batch-from", "device", "batch on the device" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const LsViewSwitch *row = rows[i].view->switches;

      while (g_strcmp0 (row->option, rows[i].option) != 0)
        {
          g_assert_nonnull (row->title);
          row++;
        }
      g_autofree char *words = row->words (rows[i].value);
      if (strcmp (words, rows[i].words) != 0)
        g_error ("%s: with --%s %s the switch says “%s”", rows[i].view->name, rows[i].option, rows[i].value,
                 words);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/view-state/copies", test_copies);
  g_test_add_func ("/paint/view-state/switches", test_switches);
  g_test_add_func ("/paint/view-state/words", test_words);
  g_test_add_func ("/paint/view-state/shown", test_shown);
  g_test_add_func ("/paint/view-state/options", test_options);
  g_test_add_func ("/paint/view-state/both-ways", test_both_ways);
  g_test_add_func ("/paint/view-state/refusals", test_refusals);
  g_test_add_func ("/paint/view-state/settings", test_settings);
  g_test_add_func ("/paint/view-state/pick-anew", test_pick_anew);
  g_test_add_func ("/paint/view-state/wishes", test_wishes);
  return g_test_run ();
}
