/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles in a hall: what a value is fetched for, the numbers in the cells, and that the walk is done.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/places.h"
#include "tests/paint/said.h"
#include "tests/paint/states.h"
#include "tests/plain.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* Of A each value is multiplied with a row of B's tile, of B with a column of A's; without local memory and
 * with one element for each work-item nothing is kept. */
static void
test_sentences (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  guint uneven = 0;

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

      asked.rung = (gint) rung;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 3840, 2160);
      const LsTiles *t = layout->own;
      query.time_ns = t->span_ns / 2;
      ls_layout_move (layout, &query);
      const guint a = t->cut.tile_n, b = t->cut.tile_m;
      g_autofree char *words
        = rung == LS_RUNG_NAIVE ? g_strdup ("Each value is fetched anew for every product.")
          : rung == LS_RUNG_TILED
            ? g_strdup_printf ("Each value is fetched once and used by %u work-items.", a)
          : a == b ? g_strdup_printf ("Each value is fetched once and used for %u products.", a)
                   : g_strdup_printf ("A value of A is fetched once for %u products, one of B for %u.", a, b);
      g_autofree char *all = plain (all_texts (layout->moving, " "));
      if (strstr (all, words) == NULL)
        g_error ("rung %u: “%s” isn’t said: %s", rung, words, all);
      uneven += a != b;
    }
  g_assert_cmpuint (uneven, >, 0);
}

static const float values[] = { -.001f, .45f, -.3f, -.006f, .004f };

static void
fill (const LsTilesMatrix *matrix)
{
  for (gint64 r = 0; r < matrix->rows; r++)
    for (gint64 c = 0; c < matrix->cols; c++)
      ((float *) matrix->values)[r * matrix->row_step + c * matrix->col_step]
        = values[(r + c) % G_N_ELEMENTS (values)];
}

/* In the cells stand hundredths, rounded; what is rounded to nothing has no sign. */
static void
test_numbers (void)
{
  static const char *const words[] = { "0", "45", "−30", "−1", "0" };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint seen[G_N_ELEMENTS (values)] = { 0 };

  asked.rung = LS_RUNG_TILED;
  g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  fill (&((const LsTiles *) first->own)->a);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsTiles *t = layout->own;
  for (guint i = 0; i <= 40; i++)
    {
      query.time_ns = t->span_ns * i / 40;
      ls_layout_move (layout, &query);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          guint which = 0;
          if (item->kind != LS_ITEM_TEXT || item->ink != LS_INK_ON_SIGN
              || (double) item->x > t->cells_a.x + t->cells_a.w)
            continue;
          while (which < G_N_ELEMENTS (values) && strcmp (item->text, words[which]) != 0)
            which++;
          if (which == G_N_ELEMENTS (values))
            g_error ("“%s” stands in a cell", item->text);
          seen[which]++;
        }
    }
  for (guint i = 0; i < 4; i++)
    if (seen[i] == 0)
      g_error ("“%s” stands in no cell", words[i]);
}

/* Of the numbers in the picked row of A and column of B the one that is multiplied now is bold, and no other.
 */
static void
test_bold (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint seen[2] = { 0 }, others = 0;

  asked.rung = LS_RUNG_TILED;
  asked.item_row = 4;
  asked.item_col = 2;
  g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  fill (&((const LsTiles *) first->own)->a);
  fill (&((const LsTiles *) first->own)->b);
  g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsTiles *t = layout->own;
  for (guint i = 0; i <= 60; i++)
    {
      LsTilesNow now;

      query.time_ns = t->span_ns * i / 60;
      ls_layout_move (layout, &query);
      ls_tiles_now (t, query.time_ns, &now);
      if (now.phase != LS_LISTING_MULTIPLY || now.round >= t->rounds)
        continue;
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          double left, top, w, h;
          ls_item_bounds (layout->moving, item, &left, &top, &w, &h);
          const double x = left + w / 2, y = ls_text_middle (item);
          const gboolean in_a = ls_area_has (t->cells_a, x, y);
          if (item->kind != LS_ITEM_TEXT || (!in_a && !ls_area_has (t->cells_b, x, y)))
            continue;
          const LsArea *cells = in_a ? &t->cells_a : &t->cells_b;
          const guint row = (guint) ((y - cells->y) / cells->h * (in_a ? t->cut.tile_m : t->window)),
                      col = (guint) ((x - cells->x) / cells->w * (in_a ? t->window : t->cut.tile_n));
          if (in_a ? row != 4 : col != 2)
            g_error ("“%s” stands in row %u, column %u of %s", item->text, row, col, in_a ? "A" : "B");
          if ((item->type.weight == 700) != ((in_a ? col : row) == now.step))
            g_error ("in step %u “%s” in row %u, column %u of %s is%s bold", now.step, item->text, row, col,
                     in_a ? "A" : "B", item->type.weight == 700 ? "" : " not");
          *(item->type.weight == 700 ? &seen[in_a] : &others) += 1;
        }
    }
  g_test_message ("%u and %u bold numbers, %u others", seen[0], seen[1], others);
  g_assert_cmpuint (MIN (seen[0], seen[1]), >, 10);
  g_assert_cmpuint (others, >, seen[0]);
}

/* Once the last tile is done and nothing runs any more that is said, and not before. */
static void
test_done (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  guint done = 0, before = 0;

  for (guint rung = 0; rung < LS_RUNG_N; rung++)
    {
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };

      asked.rung = (gint) rung;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 3840, 2160);
      const LsTiles *t = layout->own;
      for (guint i = 0; i <= 20; i++)
        {
          LsTilesNow now;
          gboolean said = FALSE;

          query.time_ns = i == 20 ? LS_TIME_END : t->span_ns * i / 20;
          ls_layout_move (layout, &query);
          ls_tiles_now (t, query.time_ns, &now);
          const gboolean wanted = now.round >= t->rounds && ls_tiles_running_text (t, &now) == NULL;
          for (guint k = 0; k < layout->moving->items->len; k++)
            {
              const LsItem *item = ls_scene_get (layout->moving, k);
              said |= item->kind == LS_ITEM_TEXT && strcmp (item->text, "done") == 0;
            }
          if (said != wanted)
            g_error ("rung %u, moment %u: after %d of %d rounds it is%s said to be done", rung, i,
                     (gint) now.round, (gint) t->rounds, said ? "" : " not");
          done += wanted;
          before += !wanted;
        }
    }
  g_assert_cmpuint (MIN (done, before), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-hall/sentences", test_sentences);
  g_test_add_func ("/paint/tiles-hall/numbers", test_numbers);
  g_test_add_func ("/paint/tiles-hall/bold", test_bold);
  g_test_add_func ("/paint/tiles-hall/done", test_done);
  return g_test_run ();
}
