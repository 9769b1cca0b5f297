/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of the micro-tile on the CPU's side of Tiles, cell by cell: of the elements of A and B that are
 * multiplied now, and of the sums so far.
 */
#include <math.h>

#include "tests/paint/draw.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles_cpu.h"
#include "ui/paint/views.h"
#include "cpu_step.h"

/* A cell, where it is and the share of the strongest colour that it has. */
typedef struct {
  double x, y;
  float share;
} Cell;

/* The micro-tile's cells with its column of A and its row of B, and their pitch. */
static GArray *
cells_of (const LsLayout *layout, double *pitch)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (Cell));

  for (guint i = 0; i < layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (layout->moving, i);
      const Cell cell = { (double) item->x, (double) item->y, item->value };

      if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_SIGN || item->w != item->h)
        continue;
      g_assert_cmpint (item->evidence, ==, LS_EVIDENCE_DERIVED);
      *pitch = (double) item->w >= 5 ? (double) item->w + 1 : (double) item->w;
      g_array_append_val (cells, cell);
    }
  return cells;
}

/* 1, 2 or 5 times a power of ten, no smaller than value. */
static double
above (double value)
{
  double power = 1;

  while (power < value)
    power *= 10;
  while (power / 10 >= value && value > 0)
    power /= 10;
  return value <= power / 5 ? power / 5 : value <= power / 2 ? power / 2 : power;
}

typedef struct {
  guint cells, below_0;
} Seen;

/* Each cell has the colour of its value, which has a sign: of A's and B's element that are multiplied now,
 * and of the sum up to there. */
static void
check_colours (const LsLayout *layout, const LsTilesCpuNow *now, Seen *seen)
{
  const LsTiles *t = layout->own;
  const gint64 row = t->cpu->row + (gint64) now->group * now->model.rows,
               col = now->call.col + (gint64) now->sliver * now->model.cols, k0 = now->call.k0,
               k = k0 + MIN ((gint64) now->step, now->call.k - 1);
  const guint rows = now->model.rows, cols = now->model.cols;
  g_autofree double *sums = g_new0 (double, rows *cols);
  double pitch = 0, most = 0, left = HUGE_VAL, top = HUGE_VAL;
  g_autoptr (GArray) cells = cells_of (layout, &pitch);

  if (cells->len == 0)
    return;
  g_assert_cmpuint (cells->len, ==, rows * cols + rows + cols);
  for (guint i = 0; i < cells->len; i++)
    {
      left = MIN (left, g_array_index (cells, Cell, i).x);
      top = MIN (top, g_array_index (cells, Cell, i).y);
    }
  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < cols; c++)
      {
        if (row + r < t->gemm.m && col + c < MIN (t->gemm.n, t->cpu->col + t->cpu->cols))
          for (gint64 i = k0; i < k0 + now->step; i++)
            sums[r * cols + c] += ls_tiles_value (&t->a, row + r, i) * ls_tiles_value (&t->b, i, col + c);
        most = MAX (most, fabs (sums[r * cols + c]));
      }
  for (guint i = 0; i < cells->len; i++)
    {
      const Cell *cell = &g_array_index (cells, Cell, i);
      const gboolean of_a = cell->x < left + pitch / 2, of_b = cell->y < top + pitch / 2;
      const guint r = of_b ? 0 : (guint) lround ((cell->y - top - 1.6 * pitch) / pitch),
                  c = of_a ? 0 : (guint) lround ((cell->x - left - 1.6 * pitch) / pitch);
      const double value = of_a   ? ls_tiles_value (&t->a, row + r, k)
                           : of_b ? ls_tiles_value (&t->b, k, col + c)
                                  : sums[r * cols + c],
                   end = of_a       ? t->a.top
                         : of_b     ? t->b.top
                         : most > 0 ? above (most)
                                    : 1,
                   share = CLAMP (value / end, -1, 1);

      g_assert_cmpuint (r, <, rows);
      g_assert_cmpuint (c, <, cols);
      if (fabs ((double) cell->share - share) > 1e-4)
        g_error ("%s[%u][%u] is %g, %.3f of the scale’s end, and painted as %.3f of it",
                 of_a   ? "a"
                 : of_b ? "b"
                        : "c",
                 r, c, value, share, (double) cell->share);
      seen->cells++;
      seen->below_0 += share < 0;
    }
}

static void
test_colours (void)
{
  static const struct {
    const char *model;
    guint batch;
  } nets[] = { { NULL, 128 }, { "flatten, dense 37, relu, dense 10", 29 } };
  Seen seen = { 0 };

  for (gsize net = 0; net < G_N_ELEMENTS (nets); net++)
    {
      g_autoptr (LsViewData) data = make_data (nets[net].model, nets[net].batch, NULL);

      for (guint op = 0; op < data->recording->n_ops; op++)
        {
          LsTilesState asked = LS_TILES_STATE_INIT;
          LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

          if (ls_tiles_op (data->recording, op) != (gint) op)
            continue;
          query.op = op;
          asked.cpu_side = TRUE;
          g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 1920, 1080);
          const LsTiles *t = layout->own;
          for (guint at = 0; t->cpu != NULL && at <= 6; at++)
            {
              LsTilesCpuNow now;

              query = layout->query;
              query.time_ns = t->span_ns * at / 6;
              ls_layout_move (layout, &query);
              ls_tiles_cpu_now (t, query.time_ns, &now);
              check_colours (layout, &now, &seen);
            }
        }
    }
  g_test_message ("%u cells, %u of them below 0", seen.cells, seen.below_0);
  g_assert_cmpuint (seen.cells, >, 1000);
  g_assert_cmpuint (seen.below_0, >, 300);
}

/* What lies in a cache never reaches out of its box: where it is more than that has room for, the box is
 * full, and more than 100 % is said. */
static void
test_full_caches (void)
{
  static const double sizes[] = { 8, 64, 1024 }; /* MiB */
  guint over = 0, marks = 0;

  for (guint small = 0; small < 2; small++)
    {
      g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
      double *numbers = data->sides[0].recorded->device->numbers;
      LsTilesState asked = LS_TILES_STATE_INIT;
      LsQuery query = { LS_QUERY_FIELDS, .state = &asked };

      numbers[LS_DEVICE_L1D] = sizes[0] * 1024 * (small ? .0625 : 1024);
      numbers[LS_DEVICE_L2] = sizes[1] * 1024 * (small ? .0625 : 1024);
      numbers[LS_DEVICE_L3] = sizes[2] * 1024 * (small ? .0625 : 1024);
      query.op = 1;
      asked.cpu_side = TRUE;
      g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, 3840, 2160);
      const LsTiles *t = layout->own;
      g_assert_nonnull (t->cpu);
      const LsArea box = t->cpu->caches;

      query.time_ns = t->span_ns * 9 / 10;
      ls_layout_move (layout, &query);
      for (guint i = 0; i < layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (layout->moving, i);
          if ((double) item->y < box.y || (double) item->y > box.y + box.h || (double) item->x < box.x - 1
              || (double) item->x > box.x + box.w + 1)
            continue;
          over += item->kind == LS_ITEM_TEXT && g_str_has_prefix (item->text, ">100");
          marks += item->kind == LS_ITEM_HATCH;
          if (item->kind == LS_ITEM_HATCH && (double) (item->x + item->w) > box.x + box.w + .5)
            g_error ("what lies in a cache reaches to %.1f, and the cache to %.1f",
                     (double) (item->x + item->w), box.x + box.w);
        }
      g_assert_cmpuint (over, ==, small ? 3 : 0);
    }
  g_assert_cmpuint (marks, >=, 3);
}

/* ---- the scales beside it ---- */

/* The text on that one's line that begins so, right of it; NULL: there is none. */
static const char *
right_of (const LsScene *s, const LsItem *name, const char *begin)
{
  for (guint i = 0; i < s->items->len; i++)
    {
      const LsItem *item = ls_scene_get (s, i);
      if (item->kind == LS_ITEM_TEXT && item->y == name->y && item->x > name->x
          && g_str_has_prefix (item->text, begin))
        return item->text;
    }
  return NULL;
}

/* Beside the micro-tile each of the picked element's numbers has the scale of its own colours: a of A's, b of
 * B's, the sum one of its own. */
static void
test_scales (void)
{
  static const double sizes[][2] = { { 1920, 1080 }, { 2560, 1440 }, { 3840, 2160 } };
  static const char *const begins[] = { "c[", "a[", "b[" }, *const ends[] = { NULL, "2", "0.5" };
  g_autoptr (LsViewData) data = make_data (NULL, 128, NULL);
  guint seen[3] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint at = 0; at <= 8; at++)
      {
        LsTilesState asked = { .cpu_side = TRUE };
        LsQuery query = { LS_QUERY_FIELDS, .state = &asked, .op = 1 };

        g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query, LS_LOOK_LIGHT, sizes[i][0],
                                                 sizes[i][1]);
        LsTiles *t = layout->own;
        t->a.top = 2;
        t->b.top = .5;
        query.time_ns = t->span_ns * at / 8;
        ls_layout_move (layout, &query);
        for (guint k = 0; k < layout->moving->items->len; k++)
          {
            const LsItem *item = ls_scene_get (layout->moving, k);
            for (guint which = 0; which < 3; which++)
              {
                if (item->kind != LS_ITEM_TEXT || item->type.weight != 700
                    || !g_str_has_prefix (item->text, begins[which]) || !g_ascii_isdigit (item->text[2]))
                  continue;
                const char *low = right_of (layout->moving, item, "−"),
                           *high = right_of (layout->moving, item, "+");
                if (high == NULL)
                  continue;
                g_assert_nonnull (low);
                if (ends[which] != NULL && strcmp (high + 1, ends[which]) != 0)
                  g_error ("the colours of %s go to %s, not to +%s", item->text, high, ends[which]);
                seen[which]++;
              }
          }
      }
  g_test_message ("%u, %u, %u", seen[0], seen[1], seen[2]);
  g_assert_cmpuint (MIN (MIN (seen[0], seen[1]), seen[2]), >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paint/tiles-cpu-colours/cells", test_colours);
  g_test_add_func ("/paint/tiles-cpu-colours/full-caches", test_full_caches);
  g_test_add_func ("/paint/tiles-cpu-colours/scales", test_scales);
  return g_test_run ();
}
