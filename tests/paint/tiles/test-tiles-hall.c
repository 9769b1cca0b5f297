/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tiles in a hall: what a value is fetched for, the numbers in the cells, and that the walk is done.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
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

/* In the cells stand hundredths, rounded; what is rounded to nothing has no sign. */
static void
test_numbers (void)
{
  static const float values[] = { -.001f, .45f, -.3f, -.006f, .004f };
  static const char *const words[] = { "0", "45", "−30", "−1", "0" };
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint seen[G_N_ELEMENTS (values)] = { 0 };

  asked.rung = LS_RUNG_TILED;
  g_autoptr (LsLayout) first = draw_view (&ls_view_tiles, data, &query, LS_LOOK_PROJECTOR, 1920, 1080);
  const LsTilesMatrix *a = &((const LsTiles *) first->own)->a;
  for (gint64 r = 0; r < a->rows; r++)
    for (gint64 c = 0; c < a->cols; c++)
      ((float *) a->values)[r * a->row_step + c * a->col_step] = values[(r + c) % 5];
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
  g_test_add_func ("/paint/tiles-hall/done", test_done);
  return g_test_run ();
}
