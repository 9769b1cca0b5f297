/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Tiles draws what: how far the walk is along both factors, which cells of the tiles are there, on
 * their way or to come, what is framed, and how long each group's walk is; the head and the parts of every
 * shape of picture.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"

typedef struct {
  double x, y;
} Spot;

/* The last box, hatching or the like that is drawn over that spot, of those inks. */
static const LsItem *
over (const LsScene *scene, Spot spot, const LsInk *inks, guint n_inks)
{
  for (guint i = scene->items->len; i-- > 0;)
    {
      const LsItem *item = ls_scene_get (scene, i);
      if ((item->kind != LS_ITEM_BOX && item->kind != LS_ITEM_HATCH) || spot.x < (double) item->x
          || spot.y < (double) item->y || spot.x >= (double) (item->x + item->w)
          || spot.y >= (double) (item->y + item->h))
        continue;
      for (guint k = 0; k < n_inks; k++)
        if (item->ink == inks[k])
          return item;
    }
  return NULL;
}

/* ---- along k ---- */

/* Both bands are as long as the walk, each round in its ink; A's goes to the right, B's down. */
static void
check_bands (const LsLayout *layout, gint64 running, guint *seen)
{
  static const LsInk inks[] = { LS_INK_SOFT, LS_INK_MARK, LS_INK_EDGE };
  const LsTiles *t = layout->own;
  gint64 first, wide;

  ls_tiles_group (t, &first, &wide);
  const double along = t->at_a.w / (double) t->a.cols, down = t->at_b.h / (double) t->b.rows,
               row = t->at_a.y + t->at_a.h * ((double) t->row * t->cut.tile_m + .5) / (double) t->a.rows,
               col = t->at_b.x + t->at_b.w * ((double) first + .5) / (double) t->b.cols;
  for (gint64 k = 0; k < t->gemm.k; k += MAX (1, t->window / 2))
    for (guint b = 0; b < 2; b++)
      {
        const double scale = b == 0 ? along : down, at = ((double) k + .5) * scale;
        const Spot spot = b == 0 ? (Spot){ t->at_a.x + at, MIN (row, t->at_a.y + t->at_a.h - 2) }
                                 : (Spot){ MIN (col, t->at_b.x + t->at_b.w - 2), t->at_b.y + at };
        const LsItem *box = over (layout->moving, spot, inks, G_N_ELEMENTS (inks));
        const gint64 round = k / t->window;
        const LsInk should = round < running ? LS_INK_SOFT : round == running ? LS_INK_MARK : LS_INK_EDGE;
        /* an edge stands on a whole pixel, and a gap is one */
        const double px = ((double) (k - round * t->window) + .5) * scale,
                     left = ((double) ((round + 1) * t->window - k) - .5) * scale;

        if (px < 2 || left < 2)
          continue;
        if (box == NULL || box->ink != should)
          g_error ("while round %" G_GINT64_FORMAT " runs, %s’s round %" G_GINT64_FORMAT
                   " is drawn as ink %d, not %d",
                   running, b == 0 ? "A" : "B", round, box != NULL ? (gint) box->ink : -1, (gint) should);
        ++*seen;
      }
}

/* ---- cells ---- */

/* A cell says what the words under the tiles say of it. */
static void
check_state (const LsLayout *layout, gboolean is_a, guint row, guint col, guint *seen)
{
  static const LsInk inks[] = { LS_INK_SIGN, LS_INK_MARK, LS_INK_TRACK };
  const LsTiles *t = layout->own;
  const LsArea *cells = is_a ? &t->cells_a : &t->cells_b;
  const LsItem *cell = over (layout->moving,
                             (Spot){ cells->x + t->cell * (col + .5), cells->y + t->cell * (row + .5) }, inks,
                             G_N_ELEMENTS (inks));
  g_autofree char *name = g_strdup_printf ("%s[%u][%u] = ", is_a ? "As" : "Bs", row, col);
  const char *words = text_like (layout, name, ""), *state;

  if (words == NULL || strstr (words, "beyond the edge") != NULL || cell == NULL)
    return;
  state = cell->ink == LS_INK_TRACK ? ", to come" : cell->ink == LS_INK_MARK ? ", on its way" : NULL;
  if (state != NULL ? !g_str_has_suffix (words, state) : strstr (words, "] = ") == NULL)
    g_error ("“%s” is said of a cell that is drawn as %s", words, state != NULL ? state + 2 : "there");
  g_assert_true (cell->ink == LS_INK_MARK ? cell->kind == LS_ITEM_HATCH && cell->value == (float) t->lane
                                          : cell->kind == LS_ITEM_BOX);
  seen[state == NULL ? 0 : cell->ink == LS_INK_MARK ? 1 : 2]++;
}

/* Frames in a tile: of the elements in work, and while it multiplies the whole row of A and column of B. */
static guint
framed (const LsLayout *layout, gboolean is_a, guint row, guint col, guint n_rows, guint n_cols)
{
  const LsTiles *t = layout->own;
  const LsArea *cells = is_a ? &t->cells_a : &t->cells_b;
  guint n = 0;

  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      n += item->kind == LS_ITEM_FRAME && fabs ((double) item->x - cells->x - t->cell * col) < .6
           && fabs ((double) item->y - cells->y - t->cell * row) < .6
           && fabs ((double) item->w - t->cell * n_cols) < 1.6
           && fabs ((double) item->h - t->cell * n_rows) < 1.6;
    }
  return n;
}

static void
check_cells (const LsLayout *layout, const LsTilesNow *now, guint *seen)
{
  const LsTiles *t = layout->own;
  const gboolean multiplies = now->phase == LS_LISTING_MULTIPLY && now->round < t->rounds,
                 loads = now->phase == LS_LISTING_LOAD && now->round < t->rounds
                         && t->cut.rung == LS_RUNG_TILED && now->mark != LS_LISTING_NO_MARK;

  if (!t->cut.local || t->cell < 4)
    return;
  if (multiplies)
    {
      check_state (layout, TRUE, t->item_row, now->step, seen);
      check_state (layout, FALSE, now->step, t->item_col, seen);
      g_assert_cmpuint (framed (layout, TRUE, t->item_row, 0, 1, t->window), ==, 1);
      g_assert_cmpuint (framed (layout, FALSE, 0, t->item_col, t->window, 1), ==, 1);
      g_assert_cmpuint (framed (layout, TRUE, t->item_row, now->step, 1, 1), ==, 1);
      g_assert_cmpuint (framed (layout, FALSE, now->step, t->item_col, 1, 1), ==, 1);
    }
  else if (loads)
    {
      /* it loads the element of either tile that stands where its own does in C */
      check_state (layout, TRUE, t->item_row, t->item_col, seen);
      check_state (layout, FALSE, t->item_row, t->item_col, seen);
      g_assert_cmpuint (framed (layout, TRUE, t->item_row, t->item_col, 1, 1), ==, 1);
      g_assert_cmpuint (framed (layout, FALSE, t->item_row, t->item_col, 1, 1), ==, 1);
      g_assert_cmpuint (framed (layout, TRUE, t->item_row, 0, 1, t->window), ==, 0);
    }
}

static void
test_walk (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  guint bands = 0, states[3] = { 0 };

  for (guint op = 0; op < data->recording->n_ops; op++)
    for (gint rung = -1; rung < LS_RUNG_N; rung++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };

        if (g_strcmp0 (data->recording->ops[op].name, "matmul") != 0)
          continue;
        asked.rung = rung;
        asked.cpu_side = rung < 0;
        asked.item_row = 4;
        asked.item_col = 2;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
        const LsTiles *t = layout->own;
        for (guint i = 0; i <= 60; i++)
          {
            LsTilesNow now;
            query.time_ns = layout->span_ns * i / 60;
            ls_layout_move (layout, &query);
            if (t->cpu != NULL)
              {
                LsTilesCpuNow cpu;
                ls_tiles_cpu_now (t, query.time_ns, &cpu);
                if (!t->cpu->along)
                  check_bands (layout, cpu.at.round, &bands);
                continue;
              }
            ls_tiles_now (t, query.time_ns, &now);
            check_bands (layout, now.round, &bands);
            check_cells (layout, &now, states);
          }
      }
  g_assert_cmpuint (bands, >, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    g_assert_cmpuint (states[i], >, 10);
}

/* ---- how long ---- */

/* Where the lane ran the very kernel, and told when its groups worked, the walk is as long as its own group
 * took, whichever is chosen; the phases in it are a model, and that is said. */
static void
test_own_time (void)
{
  const LsFixture f = { LS_CORES (2), .model = "flatten, dense 37, relu, dense 10",
                        .batch = 29,  .tiles = 8,
                        .groups = 32, .on_cpu = TRUE,
                        .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  g_autoptr (LsViewData) data = NULL;
  const guint op = 1;
  LsTiling *tiling = &recording->lanes[1].tilings[op];
  guint seen = 0;

  tiling->way = LS_WAY_TILED;
  ls_tiling_set (tiling, tiling->rows, tiling->cols, 16, 16);
  for (guint i = 0; i < recording->lanes[1].events->len; i++)
    {
      LsEvent *e = &g_array_index (recording->lanes[1].events, LsEvent, i);
      if (e->kind == LS_EVENT_GROUP && e->op == op)
        e->end_ns = e->start_ns + 1000 + 10 * e->tile;
    }
  data = ls_view_data_from_recording (recording, NULL);
  for (guint row = 0; row < 2; row++)
    for (guint col = 0; col < 3; col++)
      {
        LsTilesState asked = LS_TILES_STATE_INIT;
        LsQuery query = { LS_QUERY_FIELDS, .op = op, .state = &asked };
        LsTiles t;

        asked.group_row = (gint) row;
        asked.group_col = (gint) col;
        g_assert_true (ls_tiles_init (&t, NULL, data, &query));
        g_assert_cmpuint (t.cols, ==, 3);
        g_assert_cmpint (t.stamps, ==, LS_TILES_WHOLE);
        g_assert_cmpint (t.span_ns, ==, 1000 + 10 * (row * 3 + col));
        ls_tiles_clear (&t);
        /* of another kernel it isn't the time */
        asked.rung = LS_RUNG_REGISTER;
        g_assert_true (ls_tiles_init (&t, NULL, data, &query));
        g_assert_cmpint (t.stamps, ==, LS_TILES_MODELLED);
        ls_tiles_clear (&t);
        seen++;
      }
  g_assert_cmpuint (seen, ==, 6);
}

/* ---- places ---- */

static gboolean
apart (const LsArea *a, const LsArea *b)
{
  return a->w <= 0 || a->h <= 0 || b->w <= 0 || b->h <= 0 || a->x + a->w <= b->x + .5
         || b->x + b->w <= a->x + .5 || a->y + a->h <= b->y + .5 || b->y + b->h <= a->y + .5;
}

/* The parts lie beside each other and in the picture, also where that is as high as it is wide; where there
 * are tabs, one of them is chosen, and a convolution, which has where B comes from in that place, has none
 * for the roofline. */
static void
test_parts (void)
{
  static const double sizes[][2] = { { 960, 600 },   { 1280, 800 },  { 1920, 1080 }, { 1600, 1500 },
                                     { 2200, 1700 }, { 1500, 1400 }, { 3840, 2160 } };
  static const char *const models[] = { "flatten, dense 37, relu, dense 10",
                                        "conv 5 3 pad 1, relu, maxpool 2, flatten, dense 10" };
  guint tall = 0, tabbed = 0;

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    {
      g_autoptr (LsViewData) data = ls_fixture_tiles (models[m], 29, TRUE, TRUE);
      for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
        for (guint pane = 0; pane < LS_TILES_N_PANES; pane++)
          {
            LsTilesState asked = LS_TILES_STATE_INIT;
            LsQuery query = { LS_QUERY_FIELDS, .op = 0, .state = &asked };

            asked.pane = pane;
            g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                                     sizes[i][1]);
            const LsTiles *t = layout->own;
            /* what follows the tiles comes under the last line of words about them */
            const LsArea local = { t->local.x, t->local.y, t->local.w,
                                   MIN (t->local.h, t->foot - t->local.y) };
            const LsArea *const parts[] = { &t->corner, &local, &t->ledger, &t->source, &t->roof };
            for (guint a = 0; a < G_N_ELEMENTS (parts); a++)
              {
                if (parts[a]->w <= 0 || parts[a]->h <= 0)
                  continue;
                if (parts[a]->x < 0 || parts[a]->x + parts[a]->w > sizes[i][0] - layout->m.margin + 1
                    || parts[a]->y + parts[a]->h > sizes[i][1] + 1)
                  g_error ("%gx%g: part %u goes from %.0f, %.0f to %.0f, %.0f", sizes[i][0], sizes[i][1], a,
                           parts[a]->x, parts[a]->y, parts[a]->x + parts[a]->w, parts[a]->y + parts[a]->h);
                for (guint b = 0; b < a; b++)
                  /* the source ends where its text does, and the roofline begins under that */
                  if (!(a == 4 && b == 3) && !apart (parts[a], parts[b]))
                    g_error ("%gx%g, pane %u: parts %u and %u overlap", sizes[i][0], sizes[i][1], pane, b, a);
              }
            if (t->tabs[0].w > 0)
              {
                g_assert_cmpfloat (t->tabs[LS_TILES_PANE_SOURCE].w, >, 0);
                g_assert_cmpint (t->tabs[LS_TILES_PANE_ROOF].w > 0, ==, t->kind == LS_TILES_PLAIN);
                g_assert_cmpfloat (t->tabs[t->pane].w, >, 0); /* what is shown has a tab */
                if (t->tabs[pane].w > 0)
                  g_assert_cmpuint (t->pane, ==, pane);
                for (guint tab = 1; tab < LS_TILES_N_PANES; tab++)
                  if (t->tabs[tab].w > 0)
                    g_assert_cmpfloat (t->tabs[tab].x, >, t->tabs[0].x);
                tabbed++;
              }
            else
              g_assert_true (t->source.h > 0 && t->local.h > 0 && t->ledger.h > 0); /* there is room */
            tall += t->tabs[0].w <= 0 && t->source.y > t->local.y + t->local.h / 2;
            query.time_ns = layout->span_ns / 3;
            ls_layout_move (layout, &query);
            check_layout (layout, "parts");
          }
    }
  end_faults ();
  g_assert_cmpuint (tall, >, 4);
  g_assert_cmpuint (tabbed, >, 4);
}

/* ---- a hall's head ---- */

/* It is one lane's, in its colour from end to end: its name, what it runs on, and its rate, with how that is
 * known. */
static void
test_hall (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsViewLane *lane = &data->sides[1];
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  const LsItem *name, *rate, *caption, *rule = NULL;
  guint marks = 0;

  lane->rate = (LsFigure){ .value = 123456,
                           .q1 = 120000,
                           .q3 = 130000,
                           .n = 4000,
                           .unit = "samples/s",
                           .evidence = LS_EVIDENCE_MEASURED };
  g_assert_true (ls_figure_stands (&lane->rate));
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsScene *s = layout->still;
  name = find_text (s, lane->name);
  rate = find_text (s, "123");
  caption = find_text (s, "samples/s, ");
  g_assert_true (name != NULL && rate != NULL && caption != NULL);
  g_assert_nonnull (find_text (s, "fp32"));
  g_assert_nonnull (find_text (s, "batch 128"));
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_BOX && item->ink == LS_INK_MARK && item->w > 1000)
        rule = item;
      if (item->kind == LS_ITEM_EVIDENCE && item->number == LS_NUMBER_RATE
          && fabs ((double) (item->y - rate->y)) < (double) rate->type.px)
        {
          g_assert_cmpint ((gint) item->value, ==, LS_EVIDENCE_MEASURED);
          g_assert_cmpfloat ((double) (item->x + item->w), <=, (double) caption->x);
          marks++;
        }
    }
  g_assert_nonnull (rule);
  g_assert_cmpfloat ((double) rule->value, ==, 1);
  g_assert_cmpuint (rule->side, ==, 1);
  g_assert_cmpfloat ((double) rule->y, <, (double) name->y);
  g_assert_cmpfloat ((double) name->value, ==, 1);
  g_assert_cmpfloat ((double) rate->value, ==, 1);
  g_assert_cmpuint (rate->number, ==, LS_NUMBER_RATE);
  g_assert_cmpuint (marks, ==, 1);
  /* from the name on the left to the rate, whose unit stands before it, at the right end of the rule */
  g_assert_cmpfloat_with_epsilon ((double) name->x, (double) rule->x, 1);
  g_assert_cmpfloat_with_epsilon (ls_item_right (rate), (double) (rule->x + rule->w), 1);
  g_assert_cmpfloat (ls_item_right (caption), <, (double) rate->x);
}

/* Both tiles of a hall while they are multiplied: each element in its sign's shade where its row and column
 * are, the item's row of A and column of B framed, and in them the two elements in work. */
static void
check_hall_tile (const LsLayout *layout, const LsTilesNow *now, gboolean is_a)
{
  static const LsInk inks[] = { LS_INK_SIGN, LS_INK_MARK, LS_INK_TRACK, LS_INK_SOFT };
  const LsTiles *t = layout->own;
  const LsArea *cells = is_a ? &t->cells_a : &t->cells_b;
  const guint rows = is_a ? t->cut.tile_m : t->window, cols = is_a ? t->window : t->cut.tile_n,
              row = is_a ? t->item_row : now->step, col = is_a ? now->step : t->item_col;
  const double w = cells->w / cols, h = cells->h / rows;
  guint lines = 0, elements = 0;

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < cols; c++)
      {
        const LsItem *cell = over (layout->moving, (Spot){ cells->x + w * (c + .5), cells->y + h * (r + .5) },
                                   inks, G_N_ELEMENTS (inks));
        const double value = ls_tiles_factor (t, is_a, is_a ? r : c, now->round * t->window + (is_a ? c : r));
        if (cell == NULL || (cell->ink == LS_INK_SIGN) != !isnan (value)
            || (cell->ink == LS_INK_SIGN
                && fabs ((double) cell->value - CLAMP (value / (is_a ? t->a.top : t->b.top), -1, 1)) > 1e-5))
          g_error ("%s[%u][%u], which is %g, isn't drawn as that", is_a ? "As" : "Bs", r, c, value);
      }
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      const double x = (double) item->x - cells->x, y = (double) item->y - cells->y;
      if (item->kind != LS_ITEM_FRAME)
        continue;
      lines += fabs (x - (is_a ? 0 : w * col)) < .1 && fabs (y - (is_a ? h * row : 0)) < .1
               && fabs ((double) item->w - (is_a ? cells->w : w)) < 2.1
               && fabs ((double) item->h - (is_a ? h : cells->h)) < 2.1;
      elements += fabs (x - w * col) < .1 && fabs (y - h * row) < .1 && fabs ((double) item->w - w) < 2.1
                  && fabs ((double) item->h - h) < 2.1;
    }
  if (lines != 1 || elements != 1)
    g_error ("in step %u %u frames are around %s %u of %s, and %u around its element in work", now->step,
             lines, is_a ? "row" : "column", is_a ? row : col, is_a ? "As" : "Bs", elements);
}

static void
test_hall_tiles (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint n = 0;

  asked.rung = LS_RUNG_TILED;
  asked.item_row = 4;
  asked.item_col = 2;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  for (guint i = 0; i <= 60; i++)
    {
      LsTilesNow now;
      query.time_ns = layout->span_ns * i / 60;
      ls_layout_move (layout, &query);
      ls_tiles_now (layout->own, query.time_ns, &now);
      if (now.phase == LS_LISTING_MULTIPLY && now.round < ((const LsTiles *) layout->own)->rounds)
        for (guint b = 0; b < 2; b++, n++)
          check_hall_tile (layout, &now, b == 0);
    }
  g_assert_cmpuint (n, >, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-drawn/walk", test_walk);
  g_test_add_func ("/paint/tiles-drawn/own-time", test_own_time);
  g_test_add_func ("/paint/tiles-drawn/parts", test_parts);
  g_test_add_func ("/paint/tiles-drawn/hall", test_hall);
  g_test_add_func ("/paint/tiles-drawn/hall-tiles", test_hall_tiles);
  return g_test_run ();
}
