/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles: every rung, and the CPU's side, at every size and all along its walk; what a click chooses; what
 * says that it didn't run.
 */
#include <math.h>

#include "check.h"
#include "states.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

static const double sizes[][2] = { { 960, 600 }, { 1280, 800 }, { 1920, 1080 }, { 3840, 2160 } };
static const double moments[] = { 0, .02, .31, .333, .37, .5, .77, .98, 1 };

static guint
check (LsViewData *data, const LsQuery *query, LsLook look, const double *size, double stretch,
       const char *what)
{
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (stretch);
  g_autoptr (LsLayout) layout = NULL;
  LsQuery at = *query;
  LsStyle style;
  guint faults = 0;

  ls_style_init (&style, look, 1);
  layout = ls_layout_new (&ls_view_tiles, data, query, size[0], size[1], &style, fonts);
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      g_autofree char *fault = NULL;
      at.time_ns = (gint64) (moments[i] * (double) layout->span_ns);
      ls_layout_move (layout, &at);
      fault = ls_layout_fault (layout);
      if (fault == NULL)
        continue;
      g_test_message ("%s, rung %d%s, %gx%g %s%s%s at %g: %s", what, query->rung,
                      query->cpu_side ? ", CPU" : "", size[0], size[1], ls_look_name (look),
                      query->chrome ? "" : ", window", stretch > 1 ? ", wide text" : "", moments[i], fault);
      faults++;
    }
  return faults;
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
  guint faults = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (cases[i].model, cases[i].batch, cases[i].values,
                                                      cases[i].opencl);
      for (guint op = 0; op < data->recording->n_ops; op += 3)
        for (gint rung = -2; rung < LS_RUNG_N; rung++)
          for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
            for (guint look = LS_LOOK_LIGHT; look <= LS_LOOK_PROJECTOR; look += LS_LOOK_PROJECTOR)
              {
                LsQuery query = LS_QUERY_INIT;
                query.op = op;
                query.cpu_side = rung == -2;
                query.rung = MAX (rung, -1);
                query.chrome = query.key = (op + s) % 2 == 0;
                faults += check (data, &query, (LsLook) look, sizes[s], op % 2 == 0 ? 1 : 1.1,
                                 cases[i].model != NULL ? cases[i].model : "perceptron");
              }
    }
  if (faults > 0)
    g_test_fail_printf ("%u layouts have a fault", faults);
}

/* The lane's tiled kernel had tiles of another edge: the picture has them, at every size, and at batches
 * smaller than a tile. */
static void
test_edges (void)
{
  static const guint edges[] = { 8, 16, 32 }, batches[] = { 5, 8, 16, 29, 32, 128 };
  guint faults = 0;

  for (guint i = 0; i < G_N_ELEMENTS (batches) * G_N_ELEMENTS (edges); i++)
    {
      const guint edge = edges[i % G_N_ELEMENTS (edges)];
      const LsFixture f = { .model = "flatten, dense 37, relu, dense 10",
                            .batch = batches[i / G_N_ELEMENTS (edges)],
                            .workers = 2,
                            .tiles = 8,
                            .groups = 32,
                            .known = LS_KNOWN_THREADS,
                            .units = 2,
                            .on_cpu = TRUE,
                            .steps = 40 };
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      LsTiling *tiling = &recording->lanes[1].tilings[1];
      g_autoptr (LsViewData) data = NULL;
      LsQuery query = LS_QUERY_INIT;
      LsTiles t;

      g_strlcpy (tiling->kernel, "tiled", sizeof tiling->kernel);
      ls_tiling_set (tiling, tiling->rows, tiling->cols, edge, edge);
      ls_fixture_add_values (recording);
      data = ls_view_data_from_recording (recording);
      query.op = 1;
      g_assert_true (ls_tiles_init (&t, NULL, data, &query));
      g_assert_cmpint (t.ran, ==, LS_RUNG_TILED);
      g_assert_true (t.cut.tile_m == edge && t.cut.tile_n == edge && t.cut.tile_k == edge);
      g_assert_true (t.ran_cut.tile_m == edge && t.ran_cut.tile_k == edge);
      ls_tiles_clear (&t);
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        faults += check (data, &query, LS_LOOK_LIGHT, sizes[s], 1, "tiles of another edge");
    }
  g_assert_cmpuint (faults, ==, 0);
}

/* ---- what is chosen ---- */

static void
test_point (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  g_autoptr (LsFonts) fonts = ls_fonts_new (NULL);
  g_autoptr (LsLayout) layout = NULL;
  LsQuery query = LS_QUERY_INIT, chosen;
  const LsTiles *t;
  LsStyle style;

  query.op = 1;
  ls_style_init (&style, LS_LOOK_LIGHT, 1);
  layout = ls_layout_new (&ls_view_tiles, data, &query, 1920, 1080, &style, fonts);
  t = layout->own;
  chosen = query;
  g_assert_true (ls_view_tiles.point (layout, t->at_c.x + t->at_c.w - 1, t->at_c.y + 1, &chosen));
  g_assert_cmpint (chosen.group_row, ==, 0);
  g_assert_cmpint (chosen.group_col, ==, (gint) t->cols - 1);
  g_assert_true (ls_view_tiles.point (layout, t->cells_a.x + 1, t->cells_a.y + t->cell * 5.5, &chosen));
  g_assert_cmpint (chosen.item_row, ==, 5);
  g_assert_true (ls_view_tiles.point (layout, t->cells_b.x + t->cell * 3.5, t->cells_b.y + 1, &chosen));
  g_assert_cmpint (chosen.item_col, ==, 3);
  g_assert_false (ls_view_tiles.point (layout, 1, 1, &chosen));
}

static void
test_ops (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 16, FALSE, TRUE);
  const LsRecording *recording = data->recording;
  gint64 still = 0;
  LsQuery query = LS_QUERY_INIT;

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

static gboolean
has_text (const LsLayout *layout, const char *words)
{
  for (guint list = 0; list < 2; list++)
    {
      const LsScene *scene = list == 0 ? layout->still : layout->moving;
      for (guint i = 0; i < scene->items->len; i++)
        if (ls_scene_get (scene, i)->kind == LS_ITEM_TEXT
            && strstr (ls_scene_get (scene, i)->text, words) != NULL)
          return TRUE;
    }
  return FALSE;
}

/* By default the rung that ran. Another one is hatched whole and says so, at every size and for a hall; and
 * without a lane that has a ladder nothing is marked as measured. */
static void
test_modelled (void)
{
  g_autoptr (LsViewData) both = ls_fixture_tiles (NULL, 128, TRUE, TRUE),
                         alone = ls_fixture_tiles (NULL, 128, TRUE, FALSE);
  g_autoptr (LsFonts) fonts = ls_fonts_new_stretched (1);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint look = 0; look < 2; look++)
      for (gint rung = -1; rung < LS_RUNG_N; rung++)
        for (guint lanes = 1; lanes <= 2; lanes++)
          {
            LsViewData *data = lanes == 2 ? both : alone;
            LsQuery query = LS_QUERY_INIT;
            g_autoptr (LsLayout) layout = NULL;
            LsStyle style;
            const LsTiles *t;
            guint n_hatched = 0;

            query.op = 1;
            query.rung = rung;
            query.chrome = TRUE;
            ls_view_tiles.span (data, &query, &query.time_ns);
            ls_style_init (&style, look == 0 ? LS_LOOK_LIGHT : LS_LOOK_PROJECTOR, 1);
            layout = ls_layout_new (&ls_view_tiles, data, &query, sizes[s][0], sizes[s][1], &style, fonts);
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
                       lanes, sizes[s][0], sizes[s][1], count_measured (layout), n_hatched);
            /* a hall's words are wrapped */
            if (!has_text (layout, lanes == 2 ? "the lane ran" : "model")
                && !has_text (layout, lanes == 2 ? "not in" : "a model"))
              g_error ("rung %d with %u lanes, %gx%g %s: nothing says that this isn't what ran", rung, lanes,
                       sizes[s][0], sizes[s][1], ls_look_name (style.look));
          }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles/layouts", test_layouts);
  g_test_add_func ("/paint/tiles/edges", test_edges);
  g_test_add_func ("/paint/tiles/point", test_point);
  g_test_add_func ("/paint/tiles/ops", test_ops);
  g_test_add_func ("/paint/tiles/modelled", test_modelled);
  return g_test_run ();
}
