/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition's picked tile: what is read out of it and of those in the other lane that share its numbers, and
 * which of them are framed.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "tests/paint/said.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

/* Above the picture stand the op's time and its longest tile; of a picked tile its share of the op's
 * arithmetic over its own time, and where a sum was split, of the part alone. */
static void
test_readout (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 24, .groups = 6, .on_cpu = TRUE, .steps = 40 };
  LsPartitionState asked = { 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  query.op = 1;
  for (guint splits = 1; splits <= 2; splits++)
    {
      g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
      LsTiling *tiling = &recording->lanes[0].tilings[1];
      const LsEvent *longest = NULL;
      guint picked = G_MAXUINT;

      tiling->splits = splits;
      for (guint i = 0; i < recording->lanes[0].events->len; i++)
        {
          LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
          if (e->kind != LS_EVENT_TILE || e->op != 1)
            continue;
          picked = picked == G_MAXUINT ? i : picked;
          longest = longest == NULL || e->end_ns - e->start_ns > longest->end_ns - longest->start_ns
                      ? e
                      : longest;
        }
      g_assert_nonnull (longest);
      const LsEvent *one = &g_array_index (recording->lanes[0].events, LsEvent, picked);
      const double share = (double) (tiling->tile_rows * tiling->tile_cols)
                           / (double) (tiling->rows * tiling->cols) / splits;
      g_autofree char *rate = ls_number_text (
                        (double) recording->ops[1].flops * share / (double) (one->end_ns - one->start_ns), 2),
                      *does = g_strdup_printf ("%s GFLOP/s", rate),
                      *time = ls_number_time ((double) (longest->end_ns - longest->start_ns)),
                      *said = g_strdup_printf ("its longest tile %s, worker %u", time, longest->worker);
      g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
      query.picked = LS_PICK_NONE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920, 1080);
      g_autofree char *texts = all_texts (layout->moving, "\n");
      g_test_message ("%s", texts);
      g_assert_nonnull (strstr (texts, said));
      query.picked = (LsPick){ 0, picked };
      ls_layout_move (layout, &query);
      g_autofree char *of_one = all_texts (layout->moving, "\n");
      g_test_message ("%u parts, %s: %s", splits, does, of_one);
      g_assert_nonnull (strstr (of_one, does));
    }
}

/* Of two work-groups that share a picked tile's numbers each one's own place in the order is told. */
static void
test_places_of_two (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 8, .groups = 16, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
  const GArray *groups = recording->lanes[1].events;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
  LsPartitionState asked = { 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint n = 0;

  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  for (guint i = 0; i < recording->lanes[0].events->len; i++)
    {
      const LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
      g_autofree char *texts = NULL;
      const char *words;
      guint a, b;

      if (e->kind != LS_EVENT_TILE || e->op != 1)
        continue;
      query.picked = (LsPick){ 0, i };
      ls_layout_move (layout, &query);
      texts = all_texts (layout->moving, "\n");
      g_test_message ("%s", texts);
      g_assert_null (strstr (texts, "threads 0 and 0"));
      words = strstr (texts, "same numbers: work-groups ");
      if (words == NULL || sscanf (words, "same numbers: work-groups %u and %u", &a, &b) != 2)
        continue;
      for (guint k = 0; k < groups->len; k++)
        {
          const LsEvent *g = &g_array_index (groups, LsEvent, k);
          if (g->kind != LS_EVENT_GROUP || g->op != 1 || (g->tile != a && g->tile != b))
            continue;
          g_autofree char *place = ls_number_ordinal ((guint64) g->rank + 1),
                          *said = g_strdup_printf (g->tile == a ? "done %s and " : " and %s of ", place);
          g_assert_nonnull (strstr (words, said));
          n++;
        }
    }
  g_assert_cmpuint (n, >, 0);
}

/* What is framed in the other lane are the tiles that have an element of the picked one, and no others. */
static void
test_linked (void)
{
  const LsFixture f = { LS_CORES (2), .batch = 128, .tiles = 24, .groups = 6, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  LsPartitionState asked = { 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
  guint n = 0;

  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsPartLane *lanes = layout->own; /* it begins with them */
  const LsTiling *to = lanes[1].tiling;
  for (guint i = 0; i < lanes[0].trace->n; i++)
    {
      gint64 row, n_rows, col, n_cols, top, bottom, left, right;
      const guint32 event = ls_part_event (&lanes[0], i);
      const LsEvent *e = ls_layout_event (layout, (LsPick){ 0, event });
      guint framed = 0;

      if (!ls_tile_elements (lanes[0].tiling, e->tile, &row, &n_rows, &col, &n_cols))
        continue;
      top = row - row % to->tile_rows;
      left = col - col % to->tile_cols;
      for (bottom = top; bottom < row + n_rows; bottom += to->tile_rows)
        ;
      for (right = left; right < col + n_cols; right += to->tile_cols)
        ;
      const LsArea area = ls_matrix_cells (&lanes[1], top, MIN (bottom, to->rows) - top, left,
                                           MIN (right, to->cols) - left);
      query.picked = (LsPick){ 0, event };
      ls_layout_move (layout, &query);
      for (guint k = 0; k < layout->moving->items->len; k++)
        {
          const LsItem *item = ls_scene_get (layout->moving, k);
          framed += item->kind == LS_ITEM_FRAME && fabs ((double) item->x - area.x) < .5
                    && fabs ((double) item->y - area.y) < .5 && fabs ((double) item->w - area.w) < .5
                    && fabs ((double) item->h - area.h) < .5;
        }
      g_test_message ("rows %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", columns %" G_GINT64_FORMAT
                      " to %" G_GINT64_FORMAT,
                      top, bottom, left, right);
      g_assert_cmpuint (framed, ==, 1);
      n++;
    }
  g_assert_cmpuint (n, >=, 12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition/readout", test_readout);
  g_test_add_func ("/paint/partition/places-of-two", test_places_of_two);
  g_test_add_func ("/paint/partition/linked", test_linked);
  return g_test_run ();
}
