/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which part of a kernel's source is shown beside its walk, and which of its lines is marked as running.
 */
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* Of the tiled kernel each sub-group runs the load of A and then that of B before the next one does: of eight
 * sub-groups a load of A runs eight times, each followed by one of B. */
static void
test_turns (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles ("flatten, dense 37, relu, dense 10", 29, TRUE, TRUE);
  LsTilesState asked = { .rung = LS_RUNG_TILED };
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  LsTiles t;
  LsTilesNow now;
  const char *loads[2] = { NULL };
  guint n = 0;

  g_assert_true (ls_tiles_init (&t, NULL, data, &query));
  for (guint i = 0; i < t.listing->lines->len; i++)
    {
      const LsListingLine *line = &g_array_index (t.listing->lines, LsListingLine, i);
      if (line->works && line->mark != LS_LISTING_NO_MARK && t.listing->marks[line->mark] == LS_LISTING_LOAD)
        {
          g_assert_cmpuint (n, <, 2);
          loads[n++] = line->text;
        }
    }
  g_assert_cmpuint (n, ==, 2);
  ls_tiles_now (&t, 0, &now);
  g_assert_cmpint (now.phase, ==, LS_LISTING_LOAD);
  g_assert_cmpuint (ls_tiles_sub_groups (&t), ==, 8);
  for (guint i = 0; i < 16; i++)
    {
      now.part = (i + .5) / 16;
      const char *text = ls_tiles_running_text (&t, &now);
      if (text != loads[i % 2])
        g_error ("it is the turn of sub-group %u’s “%s”, and “%s” runs", i / 2, loads[i % 2], text);
    }
  ls_tiles_clear (&t);
}

/* The lines of the source that are drawn, and whether one is wrapped. */
static guint
drawn_lines (const LsLayout *layout, guint *first, guint *last)
{
  const LsTiles *t = layout->own;
  guint rows = 0;

  *first = *last = 0;
  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);

      if (item->kind != LS_ITEM_TEXT || !item->type.code
          || !ls_area_has (t->source, (double) item->x, (double) item->y))
        continue;
      if (item->align != LS_RIGHT)
        {
          rows++;
          continue;
        }
      *last = (guint) g_ascii_strtoull (item->text, NULL, 10);
      *first = *first == 0 ? *last : *first;
    }
  return rows;
}

/* The line that runs is always among those that are shown, and where all that the phase has up to the end of
 * the source has room, the end is seen. */
static void
test_shown (void)
{
  g_autoptr (LsViewData) data = ls_fixture_tiles (NULL, 128, TRUE, TRUE);
  LsTilesState asked = LS_TILES_STATE_INIT;
  LsQuery query = { LS_QUERY_FIELDS, .op = 1, .state = &asked };
  guint ends = 0, above = 0;

  for (gint rung = 0; rung < LS_RUNG_N; rung++)
    for (double height = 620; height < 2160; height += 11)
      {
        asked.rung = rung;
        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3000, height);
        const LsTiles *t = layout->own;

        for (guint moment = 0; moment < 60; moment++)
          {
            guint first, last, rows, running = 0, begins = 0, beyond = 0;
            LsTilesNow now;

            query.time_ns = t->span_ns - t->round_ns * moment / 40;
            ls_layout_move (layout, &query);
            ls_tiles_now (t, query.time_ns, &now);
            rows = drawn_lines (layout, &first, &last);
            if (last == 0 || now.mark == LS_LISTING_NO_MARK)
              continue;
            for (guint i = 0; i < t->listing->lines->len; i++)
              {
                const LsListingLine *line = &g_array_index (t->listing->lines, LsListingLine, i);
                if (line->mark == now.mark && begins == 0)
                  begins = line->number;
                beyond += begins > 0;
                if (line->text == ls_tiles_running_text (t, &now))
                  running = line->number;
              }
            if (running < first || running > last)
              g_error ("rung %d, %.0f px high: line %u runs, lines %u to %u are shown", rung, height, running,
                       first, last);
            const guint end
              = g_array_index (t->listing->lines, LsListingLine, t->listing->lines->len - 1).number;
            ends += last == end && begins == first;
            above += last < end;
            if (last < end && beyond <= rows)
              g_error (
                "rung %d, %.0f px high: from line %u on, where the phase begins, there is room for all "
                "lines up to %u, and lines %u to %u are shown",
                rung, height, begins, end, first, last);
          }
      }
  g_test_message ("%u times to the end from the phase on, %u times not to the end", ends, above);
  g_assert_true (ends > 0 && above > 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-listing/turns", test_turns);
  g_test_add_func ("/paint/tiles-listing/shown", test_shown);
  return g_test_run ();
}
