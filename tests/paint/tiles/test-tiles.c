/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles: every rung, and the CPU's side, at every size and all along its walk; what a click chooses; what
 * says that it didn't run.
 */
#include "tests/paint/draw.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include <string.h>

#include "core/number.h"
#include "ui/paint/parts/coming.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

static const double moments[] = { 0, .02, .31, .333, .37, .5, .77, .98, 1 };

static void
check (LsViewData *data, const LsQuery *query, LsLook look, const double *size, double stretch,
       const char *what)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (stretch);
  g_autoptr (LsLayout) layout = draw_view_in (fonts, &ls_view_tiles, data, query, look, size[0], size[1]);

  check_moments (layout, moments, G_N_ELEMENTS (moments), what);
}

static void
test_layouts (void)
{
  static const struct {
    const char *model;
    guint batch;
    gboolean values, opencl;
  } cases[] = {
    { NULL, 128, TRUE, TRUE },
    { "conv 5 3 pad 1, relu, maxpool 2, conv 6 3 stride 2, relu, flatten, dense 10", 3, TRUE, TRUE },
    { "flatten, dense 7, relu, dense 10", 33, FALSE, TRUE },
    { "flatten, dense 10", 1, TRUE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (cases[i].model, cases[i].batch, cases[i].values,
                                                      cases[i].opencl);
      for (guint op = 0; op < data->recording->n_ops; op += 3)
        for (gint rung = -2; rung < LS_RUNG_N; rung++)
          for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
            for (guint look = LS_LOOK_LIGHT; look <= LS_LOOK_PROJECTOR; look += LS_LOOK_PROJECTOR)
              {
                LsTilesState asked = LS_TILES_STATE_INIT;
                LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
                query.op = op;
                asked.cpu_side = rung == -2;
                asked.rung = MAX (rung, -1);
                query.chrome = query.key = (op + s) % 2 == 0;
                check (data, &query, (LsLook) look, draw_sizes[s], op % 2 == 0 ? 1 : 1.1,
                       cases[i].model != NULL ? cases[i].model : "perceptron");
              }
    }
  end_faults ();
}

/* The lane's tiled kernel had tiles of another edge: the picture has them, at every size, and at batches
 * smaller than a tile. */
static void
test_edges (void)
{
  static const guint edges[] = { 8, 16, 32 }, batches[] = { 5, 8, 16, 29, 32, 128 };

  for (guint i = 0; i < G_N_ELEMENTS (batches) * G_N_ELEMENTS (edges); i++)
    {
      const guint edge = edges[i % G_N_ELEMENTS (edges)];
      const LsFixture f = { LS_CORES (2),
                            .model = "flatten, dense 37, relu, dense 10",
                            .batch = batches[i / G_N_ELEMENTS (edges)],
                            .tiles = 8,
                            .groups = 32,
                            .on_cpu = TRUE,
                            .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      LsTiling *tiling = &recording->lanes[1].tilings[1];
      g_autoptr (LsViewData) data = NULL;
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      LsTiles t;

      tiling->way = LS_WAY_TILED;
      ls_tiling_set (tiling, tiling->rows, tiling->cols, edge, edge);
      ls_fixture_add_values (recording);
      data = ls_view_data_from_recording (recording, NULL);
      query.op = 1;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      g_assert_cmpint (t.ran, ==, LS_RUNG_TILED);
      g_assert_true (t.cut.tile_m == edge && t.cut.tile_n == edge && t.cut.tile_k == edge);
      g_assert_true (t.ran_cut.tile_m == edge && t.ran_cut.tile_k == edge);
      ls_tiles_clear (&t);
      for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
        check (data, &query, LS_LOOK_LIGHT, draw_sizes[s], 1, "tiles of another edge");
    }
  end_faults ();
}

/* ---- what is chosen ---- */

static void
test_point (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  g_autoptr (LsLayout) layout = NULL;
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = LS_QUERY_INIT, chosen = { LS_QUERY_FIELDS, .state = &asked };
  const LsTiles *t;

  query.op = 1;
  layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  t = layout->own;
  g_assert_true (ls_view_tiles.point (layout, t->at_c.x + t->at_c.w - 1, t->at_c.y + 1, &chosen));
  g_assert_cmpint (asked.group_row, ==, 0);
  g_assert_cmpint (asked.group_col, ==, (gint) t->cols - 1);
  g_assert_true (ls_view_tiles.point (layout, t->cells_a.x + 1, t->cells_a.y + t->cell * 5.5, &chosen));
  g_assert_cmpint (asked.item_row, ==, 5);
  g_assert_true (ls_view_tiles.point (layout, t->cells_b.x + t->cell * 3.5, t->cells_b.y + 1, &chosen));
  g_assert_cmpint (asked.item_col, ==, 3);
  g_assert_false (ls_view_tiles.point (layout, 1, 1, &chosen));

  /* On a projector the tiles have no elements to choose. */
  g_autoptr (LsLayout) hall = draw_view (&ls_view_tiles, layout->data, &layout->query, LS_LOOK_PROJECTOR,
                                         1920, 1080);
  t = hall->own;
  g_assert_true (t->cells_b.w > 0);
  g_assert_cmpint (ls_view_tiles.point (hall, t->cells_b.x + 1, t->cells_b.y + 1, &chosen), ==, LS_ACT_NONE);
}

static void
test_ops (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 16, FALSE, TRUE);
  const LsRecording *recording = data->recording;
  gint64 still = 0;
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  /* an op that is no product shows the one it follows */
  g_assert_cmpstr (recording->ops[ls_tiles_op (recording, 0)].name, ==, "matmul");
  for (guint op = 1; op < recording->n_ops; op++)
    {
      const gint shown = ls_tiles_op (recording, op);
      g_assert_cmpint (shown, <=, (gint) op);
      g_assert_cmpstr (recording->ops[shown].name, ==, "matmul");
    }
  g_assert_cmpint (ls_tiles_op (NULL, 0), ==, -1);
  g_assert_cmpint (ls_view_tiles.span (data, &query, &still), >, 0);
  g_assert_cmpint (still, >, 0);
  g_assert_cmpint (still, <, ls_view_tiles.span (data, &query, NULL));
}

/* Marks of what is measured, in the part of the picture that is the walk's. */
static guint
count_measured (const LsLayout *layout)
{
  guint n = 0;

  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      n += item->kind == LS_ITEM_EVIDENCE ? (LsEvidence) item->value == LS_EVIDENCE_MEASURED
                                          : item->ink == LS_INK_SIGN && item->kind == LS_ITEM_BOX
                                              && item->evidence == LS_EVIDENCE_MEASURED;
    }
  return n;
}

/* By default the rung that ran. Another one is hatched whole and says so, at every size and for a hall; and
 * without a lane that has a ladder nothing is marked as measured. */
static void
test_modelled (void)
{
  g_autoptr (LsViewData) both = ls_fixture_tiles (NULL, 128, TRUE, TRUE),
                         alone = ls_fixture_tiles (NULL, 128, TRUE, FALSE);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);

  for (guint s = 0; s < G_N_ELEMENTS (draw_sizes); s++)
    for (guint look = 0; look < 2; look++)
      for (gint rung = -1; rung < LS_RUNG_N; rung++)
        for (guint lanes = 1; lanes <= 2; lanes++)
          {
            LsViewData *data = lanes == 2 ? both : alone;
            LsTilesState asked = LS_TILES_STATE_INIT;
            LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
            g_autoptr (LsLayout) layout = NULL;
            const LsTiles *t;
            guint n_hatched = 0;

            query.op = 1;
            asked.rung = rung;
            query.chrome = TRUE;
            ls_view_tiles.span (data, &query, &query.time_ns);
            layout = draw_view_in (fonts, &ls_view_tiles, data, &query,
                                   look == 0 ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR, draw_sizes[s][0],
                                   draw_sizes[s][1]);
            t = layout->own;
            for (guint i = 0; i < layout->moving->items->len; i++)
              {
                const LsItem *item = ls_scene_get (layout->moving, i);
                const LsArea *tile = (double) item->x < t->cells_b.x - 1 ? &t->cells_a : &t->cells_b;
                n_hatched += item->kind == LS_ITEM_HATCH && (double) item->w > tile->w * .9
                             && (double) item->h > tile->h * .9;
              }
            if (rung == -1 && lanes == 2)
              g_assert_cmpint (t->cut.rung, ==, t->ran);
            if (t->ran == (gint) t->cut.rung)
              {
                g_assert_cmpint (lanes, ==, 2);
                g_assert_cmpuint (count_measured (layout), >, 0);
                g_assert_cmpuint (n_hatched, ==, 0);
                continue;
              }
            if (count_measured (layout) > 0 || n_hatched < 2)
              g_error ("rung %d with %u lanes, %gx%g: %u marks of what is measured, %u tiles hatched", rung,
                       lanes, draw_sizes[s][0], draw_sizes[s][1], count_measured (layout), n_hatched);
            /* a hall's words are wrapped */
            if (!find_text_in (layout, lanes == 2 ? "the lane ran" : "model")
                && !find_text_in (layout, lanes == 2 ? "not in" : "a model"))
              g_error ("rung %d with %u lanes, %gx%g %s: nothing says that this isn't what ran", rung, lanes,
                       draw_sizes[s][0], draw_sizes[s][1], ls_look_name (layout->style.look));
          }
}

/* Whoever can't see it is told which tile it is, and what both kernels have loaded so far: the rung's own
 * loads first, which are fewer, and then the naive ones. */
static void
test_described (void)
{
  static const double shares[] = { 0, .2, .5, .9, 1 };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint fewer = 0;

  query.op = 0;
  asked.rung = LS_RUNG_TILED;
  g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      query.time_ns = (gint64) ((double) first->span_ns * shares[i]);
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTiles *t = layout->own;
      LsTilesNow now;
      LsLedger own, naive;

      ls_tiles_now (t, query.time_ns, &now);
      ls_tiles_count (t, &now, &own, &naive);
      g_autofree char *group = ls_tiles_group_words (t), *few = ls_number_count ((guint64) own.global_loads),
                      *many = ls_number_count ((guint64) naive.global_loads),
                      *words = g_strdup_printf (
                        " %s, %s kernel, %s. k tile %d of %d. Global loads so far: %s, naive %s.", group,
                        ls_tiles_rung_title (&t->cut), t->recorded->equation,
                        (gint) MIN (now.round + 1, t->rounds), (gint) t->rounds, few, many),
                      *told = ls_layout_describe (layout);
      if (strstr (told, words) == NULL)
        g_error ("after %g of the walk it isn’t told “%s”, but: %s", shares[i], words, told);
      fewer += own.global_loads > 0 && own.global_loads < naive.global_loads;
      /* and over both tiles in local memory stands of which matrix they are */
      ls_layout_move (layout, &query);
      if (!says (layout->moving, "a_tile, from A[") || !says (layout->moving, "b_tile, from B["))
        g_error ("after %g of the walk it isn’t said of which matrices the tiles are", shares[i]);
    }
  g_assert_cmpuint (fewer, >, 2);
}

/* In a hall, while OpenCL still comes, it is said what for, and what the other lane meanwhile waits for, by
 * the other lane's name. */
static void
test_waited_for (void)
{
  static const LsFixtureState states[] = { LS_STATE_GETTING_READY, LS_STATE_BUILDING, LS_STATE_OVERDUE };
  guint told = 0;

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_view (&ls_fixture_desk, states[i]);
      const guint lane = (guint) ls_view_data_side_of (data, LS_BACKEND_OPENCL);
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      g_autoptr (LsLayout) hall = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
      g_autofree char *trained = ls_coming_waits (data, 1 - lane, NULL), *all = all_texts (hall->still, " ");

      if (((const LsTiles *) hall->own)->recorded == NULL || data->sides[lane].message == NULL)
        continue;
      if (strstr (all, data->sides[lane].message) == NULL)
        g_error ("state %u: it isn’t said “%s”, but: %s", states[i], data->sides[lane].message, all);
      if (trained == NULL)
        continue;
      g_autofree char *waits = g_strdup_printf ("%s: %s", data->sides[1 - lane].name, trained);
      if (strstr (all, waits) == NULL)
        g_error ("state %u: it isn’t said “%s”, but: %s", states[i], waits, all);
      told++;
    }
  if (told == 0)
    g_error ("in none of the states the other lane waits");
}

/* The work-item is at two factors: of a tile in local memory at those that it loads, if it loads any, and
 * then at those of the step that it multiplies; without local memory always at the latter; after the last
 * round at none. */
static void
test_own_cells (void)
{
  static const LsRung rungs[] = { LS_RUNG_NAIVE, LS_RUNG_TILED };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);

  for (guint r = 0; r < G_N_ELEMENTS (rungs); r++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
      guint loads = 0, multiplies = 0;

      query.op = 0;
      asked.rung = (gint) rungs[r];
      asked.item_row = 3;
      asked.item_col = 6;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      const LsTiles *t = layout->own;
      g_assert_cmpint (t->cut.local, ==, rungs[r] == LS_RUNG_TILED);
      for (guint i = 0; i < 400; i++)
        {
          LsTilesNow now;
          guint a_col, b_row;

          ls_tiles_now (t, layout->span_ns * i / 400, &now);
          const gboolean multiplied = now.phase == LS_LISTING_MULTIPLY || !t->cut.local,
                         at = ls_tiles_own_cells (t, &now, &a_col, &b_row);
          if (at != (now.round < t->rounds))
            g_error ("rung %u, round %d of %d: the work-item is at %s", rungs[r], (gint) now.round,
                     (gint) t->rounds, at ? "two factors" : "none");
          if (!at)
            continue;
          if (a_col != (multiplied ? now.step : t->item_col)
              || b_row != (multiplied ? now.step : t->item_row))
            g_error ("rung %u: while it %s step %u, the work-item is at column %u of A and row %u of B",
                     rungs[r], multiplied ? "multiplies" : "loads for", now.step, a_col, b_row);
          loads += !multiplied;
          multiplies += multiplied;
        }
      if (multiplies == 0 || (loads > 0) != (rungs[r] == LS_RUNG_TILED))
        g_error ("rung %u: %u moments of loading, %u of multiplying", rungs[r], loads, multiplies);
    }
}

/* Which tile it is: its column first, of so many columns and rows, and of a split sum that it is the first
 * part. */
static void
test_group_words (void)
{
  static const struct {
    guint cpu; /* 0: OpenCL's; 1: a tile; 2: with its worker */
    guint splits;
    const char *words;
  } cases[] = {
    { 0, 1, "Work-group (5, 2) of 7×3" },
    { 0, 4, "Work-group (5, 2) of 7×3, first of 4 parts of the sum" },
    { 1, 1, "Tile (5, 2) of 7×3" },
    { 1, 4, "Tile (5, 2) of 7×3, first of 4 parts of the sum" },
    { 2, 1, "Worker 6, tile (5, 2) of 7×3" },
    { 2, 4, "Worker 6, tile (5, 2) of 7×3, first of 4 parts of the sum" },
  };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      asked.cpu_side = cases[i].cpu > 0;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      LsTiles t = *(const LsTiles *) layout->own;
      t.col = 5;
      t.row = 2;
      t.cols = 7;
      t.rows = 3;
      t.splits = cases[i].splits;
      if (cases[i].cpu > 0)
        {
          if (t.cpu == NULL)
            g_error ("the CPU’s side is asked for, and not shown");
          t.cpu->splits = cases[i].splits;
          t.cpu->worker = cases[i].cpu > 1 ? 6 : -1;
        }
      g_autofree char *words = ls_tiles_group_words (&t);
      if (strcmp (words, cases[i].words) != 0)
        g_error ("“%s”, not “%s”", words, cases[i].words);
    }
}

/* What is to be walked through: the product that is shown, with the rung that is asked for, else with the one
 * that it was computed with, and the group that is looked at. */
static void
test_wish (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("conv 5 3 pad 1, relu, flatten, dense 10", 29, TRUE, TRUE);
  const LsRecording *recording = data->recording;

  for (guint op = 0; op < recording->n_ops; op++)
    for (gint rung = -1; rung < LS_RUNG_N; rung++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
        const guint shown = (guint) ls_tiles_op (recording, op);
        const gint way = (gint) recording->lanes[1].tilings[shown].way - LS_WAY_NAIVE,
                   ran = way >= 0 && way < LS_RUNG_N ? way : -1;
        LsWish wish = { 0 };

        asked.rung = rung;
        asked.group_row = 3;
        asked.group_col = 2;
        ls_view_tiles.wish (data, &query, &wish);
        g_assert_cmpint (wish.walk.op, ==, shown);
        if (wish.walk.rung != (rung >= 0 ? rung : ran))
          g_error ("of op %u, which ran rung %d, a walk with rung %d is wished where %d is asked for", op,
                   ran, wish.walk.rung, rung);
        g_assert_true (wish.walk.row == 3 && wish.walk.col == 2);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles/layouts", test_layouts);
  g_test_add_func ("/paint/tiles/edges", test_edges);
  g_test_add_func ("/paint/tiles/point", test_point);
  g_test_add_func ("/paint/tiles/described", test_described);
  g_test_add_func ("/paint/tiles/group-words", test_group_words);
  g_test_add_func ("/paint/tiles/own-cells", test_own_cells);
  g_test_add_func ("/paint/tiles/waited-for", test_waited_for);
  g_test_add_func ("/paint/tiles/ops", test_ops);
  g_test_add_func ("/paint/tiles/modelled", test_modelled);
  g_test_add_func ("/paint/tiles/wish", test_wish);
  return g_test_run ();
}
