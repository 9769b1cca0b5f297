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

/* ---- the same numbers in the other lane ---- */

/* Of which elements a piece is, with whose name; `who` is the worker's, thread's or unit's. */
typedef struct {
  guint tile, who;
  guint32 rank;
} Piece;

/* What is to be said of pieces that hold the picked one's numbers, in the order in which they are recorded;
 * `name`: of who did them, NULL: the device tells nobody. (transfer full) */
static char *
same_words (const Piece *pieces, guint n, gboolean workers, const char *name, guint n_ranks)
{
  g_autoptr (GString) text = g_string_new ("same numbers: ");
  guint32 first = G_MAXUINT32, last = 0;
  g_autofree char *all = ls_number_count (n_ranks), *count = ls_number_count (n);

  for (guint i = 0; i < n; i++)
    {
      first = MIN (first, pieces[i].rank);
      last = MAX (last, pieces[i].rank);
    }
  if (n > 2)
    g_string_append_printf (text, "%s %s", count, workers ? "tiles here" : "work-groups");
  else if (!workers)
    {
      g_string_append_printf (text, n == 1 ? "work-group %u" : "work-groups %u and %u", pieces[0].tile,
                              pieces[n - 1].tile);
      if (name != NULL && pieces[0].who == pieces[n - 1].who)
        g_string_append_printf (text, ", %s %u", name, pieces[0].who);
      else if (name != NULL)
        g_string_append_printf (text, ", %ss %u and %u", name, pieces[0].who, pieces[n - 1].who);
    }
  else if (pieces[0].who == pieces[n - 1].who)
    g_string_append_printf (text, "worker %u", pieces[0].who);
  else
    g_string_append_printf (text, "workers %u and %u", pieces[0].who, pieces[n - 1].who);
  if (workers)
    return g_string_free (g_steal_pointer (&text), FALSE);
  for (guint i = 0; i < (n == 1 ? 1 : 2); i++)
    {
      g_autofree char *nth = ls_number_ordinal ((n > 2 ? i == 0 ? first : last : pieces[i].rank) + 1u);
      g_string_append_printf (text, "%s%s", i == 0 ? ", done " : n > 2 ? " to " : " and ", nth);
    }
  g_string_append_printf (text, " of %s", all);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Of every piece, picked in one lane, in the other: who holds the same elements, one, two or many; and the
 * whole picture is told lane by lane. */
static void
test_same_numbers (void)
{
  static const struct {
    LsKnown known;
    const char *name;
    guint tiles, groups;
  } rows[] = {
    { LS_KNOWN_THREADS, "thread", 8, 16 },     { LS_KNOWN_THREADS, "thread", 16, 16 },
    { LS_KNOWN_THREADS, "thread", 4, 64 },     { LS_KNOWN_UNITS, "compute unit", 8, 16 },
    { LS_KNOWN_UNITS, "compute unit", 64, 8 }, { LS_KNOWN_ORDER, NULL, 8, 16 },
    { LS_KNOWN_ORDER, NULL, 24, 6 },           { LS_KNOWN_ORDER, NULL, 4, 64 },
  };
  guint seen[2][3] = { { 0 } }, same = 0, apart = 0;

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const LsFixture f = { .batch = 128,
                            .workers = 3,
                            .known = rows[r].known,
                            .units = 3,
                            .tiles = rows[r].tiles,
                            .groups = rows[r].groups,
                            .on_cpu = rows[r].known == LS_KNOWN_THREADS,
                            .steps = 40 };
      g_autoptr (LsViewData) data = ls_fixture_data (&f);
      LsPartitionState asked = { 0 };
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      query.op = 1;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 3840, 1440);
      const LsPartLane *lanes = layout->own;
      for (guint side = 0; side < LS_SIDES; side++)
        for (guint i = 0; i < lanes[side].trace->n; i++)
          {
            const LsPartLane *to = &lanes[1 - side];
            const guint32 event = ls_part_event (&lanes[side], i);
            const LsEvent *e = ls_layout_event (layout, (LsPick){ (gint) side, event });
            Piece pieces[512];
            guint n = 0;
            gint64 row, n_rows, col, n_cols, top, height, left, width;

            g_assert_true (ls_tile_elements (lanes[side].tiling, e->tile, &row, &n_rows, &col, &n_cols));
            for (guint k = 0; k < to->trace->n; k++)
              {
                const LsEvent *other = ls_step_index_piece (to->lane->index, to->trace, k);
                g_assert_true (ls_tile_elements (to->tiling, other->tile, &top, &height, &left, &width));
                if (top < row + n_rows && row < top + height && left < col + n_cols && col < left + width)
                  pieces[n++] = (Piece){ other->tile,
                                         rows[r].known == LS_KNOWN_UNITS && side == 0 ? (guint) other->unit
                                                                                      : other->worker,
                                         other->rank };
              }
            g_assert_cmpuint (n, >, 0);
            query.picked = (LsPick){ (gint) side, event };
            ls_layout_move (layout, &query);
            g_autofree char *texts = all_texts (layout->moving, "\n"),
                            *words = same_words (pieces, n, side == 1, rows[r].name, to->trace->n_ranks),
                            *line = g_strconcat (words, "\n", NULL), *whole = g_strconcat (texts, "\n", NULL);
            if (strstr (whole, line) == NULL)
              g_error ("%u pieces hold the same numbers as piece %u of side %u, “%s”, and it says\n%s", n, i,
                       side, words, texts);
            seen[side][MIN (n, 3) - 1]++;
            same += n == 2 && pieces[0].who == pieces[1].who;
            apart += n == 2 && pieces[0].who != pieces[1].who;
          }
      /* read aloud: each lane's name before its own pieces */
      g_autofree char *aloud = ls_layout_describe (layout);
      for (guint side = 0; side < LS_SIDES; side++)
        {
          g_autofree char *count = ls_number_count (lanes[side].trace->n),
                          *words = g_strdup_printf (" %s: %s ", lanes[side].lane->name, count);
          if (strstr (aloud, words) == NULL)
            g_error ("“%s” doesn't say “%s”", aloud, words);
        }
    }
  for (guint k = 0; k < 3; k++)
    g_test_message ("%u, %u of %u", seen[0][k], seen[1][k], k + 1);
  for (guint side = 0; side < 2; side++)
    for (guint k = 0; k < 3; k++)
      g_assert_cmpuint (seen[side][k], >, 0);
  g_assert_cmpuint (MIN (same, apart), >, 0);
}

/* What is pointed at is framed and told, also while something else is picked, which is framed again after. */
static void
test_pointed (void)
{
  const LsFixture f = { LS_CORES (3), .batch = 128, .tiles = 8, .groups = 16, .on_cpu = TRUE, .steps = 40 };
  g_autoptr (LsViewData) data = ls_fixture_data (&f);
  LsPartitionState asked = { 0 };
  LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

  query.op = 1;
  g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, 1920, 1080);
  const LsPartLane *p = &((const LsPartLane *) layout->own)[0];
  g_assert_cmpuint (p->trace->n, >, 2);
  const guint32 events[] = { ls_part_event (p, 0), ls_part_event (p, p->trace->n - 1) };
  for (guint pointed = 0; pointed < 2; pointed++)
    {
      const LsEvent *e = &g_array_index (p->lane->recorded->events, LsEvent, events[pointed]);
      gint64 row, n_rows, col, n_cols;
      gboolean framed = FALSE;

      g_assert_true (ls_tile_elements (p->tiling, e->tile, &row, &n_rows, &col, &n_cols));
      const LsArea area = ls_matrix_cells (p, row, n_rows, col, n_cols);
      query.picked = (LsPick){ 0, events[0] };
      query.hover = pointed ? (LsPick){ 0, events[1] } : LS_PICK_NONE;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          framed = framed
                   || (item->kind == LS_ITEM_FRAME && item->strong && fabs ((double) item->x - area.x) < 3
                       && fabs ((double) item->y - area.y) < 3);
        }
      if (!framed)
        g_error ("tile %u is %s and isn’t framed", e->tile, pointed ? "pointed at" : "picked");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition/readout", test_readout);
  g_test_add_func ("/paint/partition/places-of-two", test_places_of_two);
  g_test_add_func ("/paint/partition/linked", test_linked);
  g_test_add_func ("/paint/partition/same-numbers", test_same_numbers);
  g_test_add_func ("/paint/partition-picked/pointed", test_pointed);
  return g_test_run ();
}
