/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition's matrix: each cell lies where its tile's elements are, in the colour of who computed it or the
 * shade of its turn, from and until its own times; where tiles are too small a cell stands for several, and
 * shows the one that was done last.
 */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "tests/paint/draw.h"
#include "tests/paint/fixture.h"
#include "ui/paint/partition/partition.h"
#include "ui/paint/views.h"

#define OP 1

typedef struct {
  guint tiles, folded, lying, parts, taken, ranked, workers, untimed;
} Seen;

/* Every tile is two parts of its sum: the second one follows when all first ones are done. */
static void
split (LsRecording *recording, guint lane)
{
  LsTiling *t = &recording->lanes[lane].tilings[OP];
  GArray *events = recording->lanes[lane].events;
  const guint n = events->len, cells = t->grid_rows * t->grid_cols;

  t->splits = 2;
  for (guint i = 0; i < n; i++)
    {
      LsEvent e = g_array_index (events, LsEvent, i);
      if (e.op != OP || (e.kind != LS_EVENT_TILE && e.kind != LS_EVENT_GROUP))
        continue;
      e.tile += cells;
      e.rank += e.rank != LS_RANK_NONE ? cells : 0;
      g_array_append_val (events, e);
    }
}

/* The part of the picture in which these elements of the output are. */
static LsArea
area_of (const LsPartLane *p, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols)
{
  const double down = (double) row / (double) p->tiling->rows,
               high = (double) n_rows / (double) p->tiling->rows,
               right = (double) col / (double) p->tiling->cols,
               wide = (double) n_cols / (double) p->tiling->cols;
  const LsArea m = p->matrix;

  return p->lying ? (LsArea){ m.x + m.w * down, m.y + m.h * right, m.w * high, m.h * wide }
                  : (LsArea){ m.x + m.w * right, m.y + m.h * down, m.w * wide, m.h * high };
}

/* Which tile the piece is of, and which part of its sum. */
static guint
cell_of (const LsPartLane *p, const LsEvent *e, guint *part)
{
  const guint cells = p->tiling->grid_rows * p->tiling->grid_cols;

  *part = e->tile / cells;
  return e->tile % cells;
}

static gint64
done_at (const LsPartLane *p, const LsEvent *e)
{
  return p->trace->timed ? (gint64) e->end_ns : (gint64) e->rank;
}

/* Who or when: a worker's colour; of work-groups the shade of their turn, from 0 to 1. */
static void
check_color (const LsPartLane *p, const LsItem *item, const LsEvent *e, guint last, Seen *seen)
{
  if (ls_lane_has_workers (p->lane))
    {
      g_assert_cmpuint (item->ink, ==, LS_INK_WORKER);
      g_assert_cmpfloat ((double) item->value, ==, e->worker);
      g_assert_cmpuint (item->worker, ==, e->worker);
      const gboolean taken = e->from != LS_WORKER_NONE && e->from != e->worker;
      g_assert_cmpuint (item->owner, ==, taken ? e->from : LS_NO_VALUE);
      if (!taken)
        g_assert_cmpfloat ((double) item->size, ==, 0);
      else /* its corner stays within it */
        g_assert_cmpfloat ((double) item->size, <=, (double) MIN (item->w, item->h));
      seen->taken += taken;
      seen->workers++;
      return;
    }
  g_assert_cmpuint (item->worker, ==, LS_NO_VALUE);
  g_assert_cmpuint (item->owner, ==, LS_NO_VALUE);
  if (e->rank == LS_RANK_NONE)
    return;
  g_assert_cmpuint (item->ink, ==, LS_INK_ORDER);
  g_assert_cmpfloat_with_epsilon ((double) item->value, last > 0 ? e->rank / (double) last : 0, 1e-5);
  seen->ranked++;
}

static void
check_lane (const LsLayout *layout, const LsPartLane *p, Seen *seen)
{
  const LsTiling *t = p->tiling;
  const guint rows = (t->grid_rows + p->fold_rows - 1) / p->fold_rows,
              cols = (t->grid_cols + p->fold_cols - 1) / p->fold_cols, parts = p->parts ? t->splits : 1;
  const gint64 length = p->trace->end_ns - p->trace->start_ns;
  /* the last of a row may be half a pixel wide, and end on the next whole one */
  const LsArea wide = { p->matrix.x, p->matrix.y, p->matrix.w + 2, p->matrix.h + 2 };
  g_autofree gint64 *latest = g_new0 (gint64, rows * cols * parts); /* of a cell's pieces */
  guint n = 0, last = 0;

  for (guint i = 0; i < p->trace->n; i++)
    {
      const LsEvent *e = ls_step_index_piece (p->lane->index, p->trace, i);
      guint part;
      const guint cell = cell_of (p, e, &part),
                  block = cell / t->grid_cols / p->fold_rows * cols + cell % t->grid_cols / p->fold_cols;
      gint64 *held = &latest[block * parts + (p->parts ? part : 0)];
      *held = MAX (*held, done_at (p, e));
      last = e->rank != LS_RANK_NONE ? MAX (last, e->rank) : last;
    }
  for (guint i = 0; i < layout->still->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->still, i);
      gint64 row, n_rows, col, n_cols;
      guint part;

      if (item->kind != LS_ITEM_TILE || item->side != p->side
          || !ls_area_has (wide, (double) (item->x + item->w / 2), (double) (item->y + item->h / 2)))
        continue; /* below the matrix are bars */
      const LsEvent *e = ls_layout_event (layout, (LsPick){ (gint) p->side, item->event });
      g_assert_true (e != NULL && e->op == OP);
      const guint cell = cell_of (p, e, &part), block_row = cell / t->grid_cols / p->fold_rows,
                  block_col = cell % t->grid_cols / p->fold_cols;
      row = (gint64) block_row * p->fold_rows * t->tile_rows;
      col = (gint64) block_col * p->fold_cols * t->tile_cols;
      n_rows = MIN ((gint64) p->fold_rows * t->tile_rows, t->rows - row);
      n_cols = MIN ((gint64) p->fold_cols * t->tile_cols, t->cols - col);
      LsArea is = area_of (p, row, n_rows, col, n_cols);
      /* parts are side by side, as the columns are */
      if (p->parts)
        {
          *(p->lying ? &is.h : &is.w) /= parts;
          *(p->lying ? &is.y : &is.x) += part * (p->lying ? is.h : is.w);
        }
      if (fabs ((double) item->x - is.x) > 1.6 || fabs ((double) item->y - is.y) > 1.6
          || fabs ((double) (item->x + item->w) - is.x - is.w) > 1.6
          || fabs ((double) (item->y + item->h) - is.y - is.h) > 1.6)
        g_error (
          "tile %u of %u × %u, part %u, is drawn at %g, %g, %g × %g px, and its elements are at %g, %g, %g × "
          "%g",
          cell, t->grid_rows, t->grid_cols, part, (double) item->x, (double) item->y, (double) item->w,
          (double) item->h, is.x, is.y, is.w, is.h);
      if (latest[(block_row * cols + block_col) * parts + (p->parts ? part : 0)] > done_at (p, e))
        g_error ("a cell of %u × %u tiles shows tile %u, and another of them was done after it", p->fold_rows,
                 p->fold_cols, cell);
      if (p->trace->timed)
        {
          g_assert_cmpint (item->t0, ==,
                           (gint64) (e->start_ns - p->lane->recorded->start_ns) - p->trace->start_ns);
          g_assert_cmpint (item->t1 - item->t0, ==, (gint64) (e->end_ns - e->start_ns));
        }
      else /* it isn't seen before the op is done */
        {
          g_assert_cmpint (item->t0, ==, length);
          g_assert_cmpint (item->t1, ==, length);
          seen->untimed++;
        }
      check_color (p, item, e, last, seen);
      n++;
    }
  if (n != rows * cols * parts)
    g_error ("of %u × %u cells of %u parts %u are drawn", rows, cols, parts, n);
  g_assert_cmpuint (rows * cols, <=, 4096);
  seen->tiles += n;
  seen->folded += p->fold_rows * p->fold_cols > 1 ? n : 0;
  seen->lying += p->lying ? n : 0;
  seen->parts += p->parts ? n : 0;
}

static void
test_cells (void)
{
  static const LsFixture fixtures[] = {
    { LS_CORES (2), .batch = 128, .tiles = 24, .groups = 6, .on_cpu = TRUE, .steps = 10 },
    { LS_CORES (4), .batch = 128, .tiles = 12, .groups = 64, .on_cpu = TRUE, .stealing = TRUE, .steps = 10 },
    { LS_DESK, .batch = 256, .steps = 10 },
    { LS_CORES (2), .batch = 512, .tiles = 24, .groups = 12, .on_cpu = TRUE, .steps = 10 },
    { .workers = 2, .batch = 64, .tiles = 9, .groups = 30, .known = LS_KNOWN_ORDER, .steps = 10 },
    { LS_CORES (8), .batch = 512, .tiles = 2500, .groups = 9000, .on_cpu = TRUE, .stealing = TRUE,
      .steps = 4 },
  };
  Seen seen = { 0 };

  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    for (guint splits = 1; splits <= 2; splits++)
      {
        g_autoptr (LsRecording) recording = ls_fixture_recording (&fixtures[f]);
        for (guint i = 0; i < recording->lanes[0].events->len; i++) /* each third tile was another's */
          {
            LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
            if (e->kind == LS_EVENT_TILE && e->op == OP && e->tile % 3 == 0)
              e->from = e->worker > 0 ? 0 : 1;
          }
        for (guint side = 0; side < LS_SIDES && splits > 1; side++)
          split (recording, side);
        g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
        for (guint size = 0; size < (fixtures[f].tiles > 1000 ? 1 : 3); size++)
          {
            LsPartitionState asked = { 0 };
            LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

            query.op = OP;
            g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT,
                                                     draw_sizes[size][0], draw_sizes[size][1]);
            const LsPartLane *lanes = layout->own; /* it begins with them */
            for (guint side = 0; side < LS_SIDES; side++)
              if (lanes[side].trace != NULL)
                check_lane (layout, &lanes[side], &seen);
          }
      }
  g_test_message ("%u tiles: %u folded, %u lying, %u parts, %u taken, %u of workers, %u in order, %u untimed",
                  seen.tiles, seen.folded, seen.lying, seen.parts, seen.taken, seen.workers, seen.ranked,
                  seen.untimed);
  g_assert_cmpuint (seen.folded, >, 100);
  g_assert_cmpuint (seen.parts, >, 20);
  g_assert_cmpuint (seen.taken, >, 5);
  g_assert_cmpuint (seen.workers, >, 100);
  g_assert_cmpuint (seen.ranked, >, 100);
  g_assert_cmpuint (seen.untimed, >, 20);
  g_assert_cmpuint (seen.lying, >, 5);
}

/* So many times as long. */
static void
stretch (LsRecording *recording, guint64 times)
{
  LsRecordedLane *lane = &recording->lanes[0];

  for (guint i = 0; i < lane->events->len; i++)
    {
      LsEvent *e = &g_array_index (lane->events, LsEvent, i);
      e->start_ns = lane->start_ns + (e->start_ns - lane->start_ns) * times;
      e->end_ns = lane->start_ns + (e->end_ns - lane->start_ns) * times;
    }
  lane->end_ns = lane->start_ns + (lane->end_ns - lane->start_ns) * times;
}

/* Where each worker has its own share, a tile that took long has its time; in a narrow one there is no room
 * for the unit, which then is that of the clock below: of all tiles the same. */
static void
test_times (void)
{
  const LsFixture f = { LS_CORES (4), .batch = 128, .tiles = 16, .groups = 16, .on_cpu = TRUE, .steps = 10 };
  guint seen[2] = { 0 }, shorter = 0;

  for (guint64 times = 1; times <= 1024; times *= 2)
    for (guint tile = 0; tile < 16; tile += 5)
      for (double w = 700; w < 2000; w += 130)
        {
          g_autoptr (LsRecording) recording = ls_fixture_recording (&f);
          stretch (recording, times);
          for (guint i = 0; i < recording->lanes[0].events->len; i++)
            {
              LsEvent *e = &g_array_index (recording->lanes[0].events, LsEvent, i);
              if (e->op == OP && e->kind == LS_EVENT_TILE && e->tile != tile) /* all others are short */
                e->end_ns = e->start_ns + (e->end_ns - e->start_ns) / 4;
            }
          g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, NULL);
          LsPartitionState asked = { 0 };
          LsQuery query = { LS_QUERY_FIELDS, .op = OP, .state = &asked };
          g_autoptr (LsLayout) layout = draw_view (&ls_view_partition, data, &query, LS_LOOK_LIGHT, w, 1080);
          const LsPartLane *p = layout->own;
          if (!p->shares)
            continue;
          const LsEvent *e = NULL;
          for (guint i = 0; i < recording->lanes[0].events->len; i++)
            {
              const LsEvent *event = &g_array_index (data->sides[0].recorded->events, LsEvent, i);
              if (event->op == OP && event->kind == LS_EVENT_TILE && event->tile == tile)
                e = event;
            }
          g_assert_nonnull (e);
          const double took = (double) (e->end_ns - e->start_ns), unit = p->span_ns >= 1000000 ? 1e6 : 1e3;
          g_autofree char *brief = ls_number_text (took / unit, 2), *full = ls_number_time (took);
          for (guint i = 0; i < layout->still->items->len; i++)
            {
              const LsItem *item = ls_scene_get (layout->still, i);
              if (item->kind != LS_ITEM_TEXT || item->type.weight != 700 || !item->strong
                  || !ls_area_has (p->matrix, (double) item->x, (double) item->y))
                continue;
              const gboolean whole = strcmp (item->text, full) == 0;
              if (!whole && strcmp (item->text, brief) != 0)
                g_error ("a tile that took %s of %.0f ns has “%s” and not “%s”", full, (double) p->span_ns,
                         item->text, brief);
              seen[whole]++;
              shorter += !whole && took < 1e6 && p->span_ns >= 1000000;
            }
        }
  g_test_message ("%u times whole, %u in brief, %u of them short ones", seen[1], seen[0], shorter);
  g_assert_true (seen[0] > 0 && seen[1] > 0 && shorter > 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/partition-matrix/cells", test_cells);
  g_test_add_func ("/paint/partition-matrix/times", test_times);
  return g_test_run ();
}
