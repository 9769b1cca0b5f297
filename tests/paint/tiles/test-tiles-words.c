/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Tiles says of a work-group's walk, in every number of it: which group, which rows and columns, how
 * many products, what was loaded for them; against the shapes and values of the recorded step, and against
 * each other.
 */
#include <math.h>
#include <string.h>

#include "tests/paint/draw.h"
#include "tests/paint/numbers.h"
#include "tests/paint/states.h"
#include "ui/paint/tiles/tiles.h"
#include "ui/paint/views.h"

/* One moment of a walk, and what is true of it. */
typedef struct {
  LsLayout *layout;
  const LsTiles *t;
  const LsRecordedOp *op;
  const float *a, *b;
  gint64 m, n, k;       /* of the product */
  gint64 rows, cols;    /* of C that the group computes */
  gint64 top, left;     /* where they begin */
  gint64 round, rounds; /* of the window, by the text */
} Moment;

static double
a_at (const Moment *o, gint64 row, gint64 k)
{
  return (double) (o->op->attr.ta ? o->a[k * o->m + row] : o->a[row * o->k + k]);
}

static double
b_at (const Moment *o, gint64 k, gint64 col)
{
  return (double) (o->op->attr.tb ? o->b[col * o->k + k] : o->b[k * o->n + col]);
}

/* ---- what is said ---- */

/* Which group of how many, of which product; by column and row, as OpenCL counts. */
static void
check_places (const Moment *o)
{
  const LsTiles *t = o->t;
  const char *text = text_like (o->layout, "Work-group (", "");
  g_autofree char *size_a = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, o->m, o->k),
                  *size_b = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, o->k, o->n),
                  *size_c = g_strdup_printf ("%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, o->m, o->n);
  g_autofree char *product = g_strdup_printf ("   %s · %s", size_a, size_b);

  if (text != NULL && t->splits <= 1)
    ASSERT_NUMBERS ("the work-group", text, t->col, t->row, ceil ((double) o->n / t->cut.tile_n),
                    ceil ((double) o->m / t->cut.tile_m));
  if (text_like (o->layout, o->op->equation, " · ") != NULL
      && strstr (text_like (o->layout, o->op->equation, " · "), product) == NULL)
    g_error ("the product is said to be “%s”, not of %s", text_like (o->layout, o->op->equation, " · "),
             product);
  /* beside each matrix stands its size */
  g_assert_true (o->layout->m.projector || says (o->layout->still, size_a) || says (o->layout->still, size_b)
                 || says (o->layout->still, size_c));
  text = text_like (o->layout, "Work-item (", "");
  if (text != NULL)
    ASSERT_NUMBERS ("the work-item", text, t->item_col, t->item_row);
}

/* Which rows and columns lie in the tiles. */
static void
check_ranges (const Moment *o)
{
  const LsTiles *t = o->t;
  const gint64 k0 = o->round * t->window, k1 = MIN (k0 + t->window, o->k) - 1;
  const gboolean local = t->cut.local;
  const char *a = text_like (o->layout, local ? "a_tile, from A[" : "A[", "–"),
             *b = text_like (o->layout, local ? "b_tile, from B[" : "B[", "–");

  if (a != NULL)
    ASSERT_NUMBERS ("the tile of A", a, o->top, MIN (o->top + t->cut.tile_m, o->m) - 1, k0, k1);
  if (b != NULL)
    ASSERT_NUMBERS ("the tile of B", b, k0, k1, o->left, o->left + o->cols - 1);
}

/* The two factors of the picked work-item, with their values. */
static void
check_factors (const Moment *o, guint *seen)
{
  const LsTiles *t = o->t;
  const gint64 k0 = o->round * t->window;

  for (guint which = 0; which < 2; which++)
    {
      const char *local = which == 0 ? "As[" : "Bs[", *global = which == 0 ? "A[" : "B[";
      const char *text = text_like (o->layout, t->cut.local ? local : global, "]["), *from;
      double is[NUMBERS_MOST], half[NUMBERS_MOST];
      gint64 row, col;

      if (text == NULL || strstr (text, "–") != NULL || strstr (text, "beyond the edge") != NULL)
        continue;
      from = strstr (text, global);
      g_assert_nonnull (from);
      const guint n = numbers_of (from, is, half);
      g_assert_cmpuint (n, >=, 2);
      row = (gint64) is[0];
      col = (gint64) is[1];
      if (which == 0)
        g_assert_cmpint (row, ==, o->top + t->item_row);
      else
        g_assert_cmpint (col, ==, o->left + t->item_col);
      g_assert_cmpint (which == 0 ? col : row, >=, k0);
      g_assert_cmpint (which == 0 ? col : row, <, MIN (k0 + t->window, o->k));
      if (t->cut.local) /* its place in the tile is where it comes from, less where the tile begins */
        {
          double place[NUMBERS_MOST], unused[NUMBERS_MOST];
          g_assert_cmpuint (numbers_of (text, place, unused), ==, n + 2);
          g_assert_cmpint ((gint64) place[0], ==, row - (which == 0 ? o->top : k0));
          g_assert_cmpint ((gint64) place[1], ==, col - (which == 0 ? k0 : o->left));
        }
      if (n == 2)
        continue;
      const double value = which == 0 ? a_at (o, row, col) : b_at (o, row, col);
      if (fabs (value - is[2]) > half[2] * 1.01)
        g_error ("“%s” is said, and the recorded element is %g", text, value);
      ++*seen;
    }
}

/* Returns how many products are added up. */
static gint64
check_sum (const Moment *o)
{
  const LsTiles *t = o->t;
  const char *text = text_like (o->layout, "sum for C[", "");
  double is[NUMBERS_MOST], half[NUMBERS_MOST], sum = 0;

  if (text == NULL)
    return -1;
  g_assert_cmpuint (numbers_of (text, is, half), ==, 5);
  for (gint64 k = 0; k < (gint64) is[3]; k++)
    sum += a_at (o, o->top + t->item_row, k) * b_at (o, k, o->left + t->item_col);
  ASSERT_NUMBERS ("the sum", text, (double) (o->top + t->item_row), (double) (o->left + t->item_col), sum,
                  is[3], (double) t->gemm.k);
  return (gint64) is[3];
}

/* The ledger: what naive loads would have been, what was loaded, and how the sentences follow from these. */
static void
check_ledger (const Moment *o, gint64 products, guint *seen)
{
  static const char *const own[] = { "global loads, tiled", "global loads, register",
                                     "global loads, packed" };
  const char *naive = beside (o->layout, "global loads, naive"), *flop = beside (o->layout, "FLOP"),
             *fewer = text_like (o->layout, "#", "× fewer"),
             *intensity = text_like (o->layout, "#", "multiply-adds for each float loaded");
  double loads[NUMBERS_MOST], many[NUMBERS_MOST], computed[NUMBERS_MOST], half[NUMBERS_MOST],
    is[NUMBERS_MOST];
  const char *mine = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (own) && mine == NULL; i++)
    mine = beside (o->layout, own[i]);
  if (naive == NULL || flop == NULL)
    return;
  if (mine == NULL)
    mine = naive;
  g_assert_cmpuint (numbers_of (naive, many, half), ==, 1);
  g_assert_cmpuint (numbers_of (mine, loads, half), ==, 1);
  g_assert_cmpuint (numbers_of (flop, computed, half), ==, 1);
  if (products >= 0)
    g_assert_cmpfloat (many[0], ==, (double) (2 * o->rows * o->cols * products));
  if (products >= 0 && o->t->cut.rung != LS_RUNG_PACKED)
    g_assert_cmpfloat (computed[0], >=, (double) (2 * o->rows * o->cols * products)); /* and padding */
  if (fewer != NULL)
    {
      ASSERT_NUMBERS ("how many times fewer", fewer, many[0] / loads[0]);
      g_assert_cmpfloat (many[0], >, loads[0]);
      ++*seen;
    }
  else if (strcmp (mine, naive) != 0 && o->layout->m.size == LS_SIZE_LARGE)
    g_assert_cmpfloat (many[0], <=, loads[0]);
  if (intensity != NULL && loads[0] > 0)
    {
      g_assert_cmpuint (numbers_of (intensity, is, half), ==, 2);
      if (fabs (is[0] - computed[0] / 2 / loads[0]) > half[0] * 1.01)
        g_error ("“%s” is said of %g FLOP for %g loads", intensity, computed[0], loads[0]);
      /* stores are bytes, too */
      const double stored = o->t->rounds == o->round + 1 ? (double) (o->rows * o->cols) : 0;
      const double least = computed[0] / 4 / (loads[0] + stored), most = computed[0] / 4 / loads[0];
      if (is[1] < least - half[1] * 1.01 || is[1] > most + half[1] * 1.01)
        g_error ("“%s” is said, of %g FLOP for %g loads of four bytes", intensity, computed[0], loads[0]);
    }
}

/* The stations' small print, and who waits. */
static void
check_stations (const Moment *o)
{
  const guint items = ls_rung_items (&o->t->cut);
  const char *arrive = text_like (o->layout, "all ", " arrive"),
             *here = text_like (o->layout, "all ", " are here"),
             *wait = text_like (o->layout, "#", " to come"), *steps = text_like (o->layout, "#", " steps");
  double is[NUMBERS_MOST], half[NUMBERS_MOST];

  if (arrive != NULL)
    ASSERT_NUMBERS ("who arrives", arrive, items);
  if (steps != NULL && o->t->cut.local)
    ASSERT_NUMBERS ("the multiply’s steps", steps, o->t->window);
  if (here != NULL)
    {
      g_assert_cmpuint (numbers_of (here, is, half), ==, 2);
      g_assert_cmpfloat (is[0] * is[1], ==, items);
    }
  if (wait != NULL && strstr (wait, " wait, ") != NULL)
    {
      g_assert_cmpuint (numbers_of (wait, is, half), ==, 4);
      g_assert_cmpfloat (is[1], ==, is[2]);
      g_assert_cmpfloat ((is[0] + 1 + is[3]) * is[1], ==, items); /* those, the ones that load, and the rest
                                                                   */
    }
}

/* Local memory holds both tiles, in floats. */
static void
check_memory (const Moment *o)
{
  const LsTiles *t = o->t;
  const guint a = t->cut.tile_m * t->cut.tile_k, b = t->cut.tile_n * t->cut.tile_k;
  g_autofree char *size = g_format_size_full (4 * (a + b), G_FORMAT_SIZE_IEC_UNITS);
  const char *heading = text_like (o->layout, "Local memory of this work-group", "");

  if (t->cut.rung == LS_RUNG_TILED && heading != NULL && t->window == t->cut.tile_k
      && text_like (o->layout, size, "") == NULL)
    g_error ("the tiles’ %s of local memory aren’t told", size);
  g_assert_cmpint (heading != NULL && !t->cut.local, ==, 0);
  /* and which work-item of a group comes when is a model's, where they wait for each other at all */
  if (!t->cut.local && (text_like (o->layout, "order", "inside") != NULL))
    g_error ("rung %u has no local memory, and “%s” is said", t->cut.rung,
             text_like (o->layout, "order", "inside"));
}

/* A cell that is there has the colour of its value: of the element that stands there, over the ramp's end. */
static void
check_cells (const Moment *o, guint *seen)
{
  const LsTiles *t = o->t;

  for (guint which = 0; which < 2; which++)
    {
      const LsArea *area = which == 0 ? &t->cells_a : &t->cells_b;
      const LsTilesMatrix *matrix = which == 0 ? &t->a : &t->b;
      const guint n_rows = which == 0 ? t->cut.tile_m : t->window,
                  n_cols = which == 0 ? t->window : t->cut.tile_n;
      double most = 0;

      for (gint64 i = 0; i < (which == 0 ? o->rows : o->cols); i++)
        for (gint64 k = 0; k < t->gemm.k; k++)
          most = MAX (most, fabs (which == 0 ? a_at (o, o->top + i, k) : b_at (o, k, o->left + i)));
      g_assert_cmpfloat (matrix->top, >=, most * .9999);
      g_assert_cmpfloat (matrix->top, <=, most * 2.5001); /* 1, 2, 5 */
      for (guint i = 0; i < o->layout->moving->items->len; i++)
        {
          const LsItem *item = ls_scene_get (o->layout->moving, i);
          const double col = ((double) item->x - area->x) / area->w * n_cols,
                       row = ((double) item->y - area->y) / area->h * n_rows;
          double value;

          if (item->kind != LS_ITEM_BOX || item->ink != LS_INK_SIGN || row < -.01 || col < -.01
              || row > n_rows - .5 || col > n_cols - .5 || fabs (row - round (row)) > .05
              || fabs (col - round (col)) > .05)
            continue;
          const gint64 k = o->round * t->window + (gint64) round (which == 0 ? col : row),
                       at = (which == 0 ? o->top : o->left) + (gint64) round (which == 0 ? row : col);
          value = k >= o->k || at >= (which == 0 ? o->m : o->n) ? 0
                  : which == 0                                  ? a_at (o, at, k)
                                                                : b_at (o, k, at);
          if (fabs ((double) item->value - value / matrix->top) > .01)
            g_error ("the cell (%.0f, %.0f) of %s has the colour of %g, and is %g", row, col,
                     which == 0 ? "A" : "B", (double) item->value * matrix->top, value);
          ++*seen;
        }
    }
}

/* In C the group's part is framed, as far along and down as its rows and columns are. */
static void
check_part (const Moment *o)
{
  const LsTiles *t = o->t;
  const double x = t->at_c.x + t->at_c.w * (double) o->left / (double) o->n,
               y = t->at_c.y + t->at_c.h * (double) o->top / (double) o->m,
               w = t->at_c.w * (double) o->cols / (double) o->n,
               h = t->at_c.h * (double) o->rows / (double) o->m;
  guint frames = 0;

  if (t->at_c.w <= 0 || w < 5 || h < 5)
    return;
  for (guint i = 0; i < o->layout->moving->items->len; i++)
    {
      const LsItem *item = ls_scene_get (o->layout->moving, i);
      frames += item->kind == LS_ITEM_FRAME && fabs ((double) item->x - x) < 1.5
                && fabs ((double) item->y - y) < 1.5 && fabs ((double) item->w - w) < 1.5
                && fabs ((double) item->h - h) < 1.5;
    }
  if (frames != 1)
    g_error ("group (%u, %u) has %u frames at %.0f, %.0f, %.0f×%.0f in C", t->col, t->row, frames, x, y, w,
             h);
}

/* The hall's sentences. */
static void
check_hall (const Moment *o, guint *seen)
{
  const char *trips = text_like (o->layout, "#", " times fewer trips"),
             *loads = text_like (o->layout, "to memory: ", ", not "),
             *product = text_like (o->layout, "k = ", "="), *tile = text_like (o->layout, "k tile ", " of ");
  double is[NUMBERS_MOST], half[NUMBERS_MOST];

  if (trips != NULL)
    {
      g_assert_nonnull (loads);
      g_assert_cmpuint (numbers_of (loads, is, half), ==, 2);
      g_assert_cmpfloat (is[1], ==, (double) (2 * o->rows * o->cols * o->k));
      ASSERT_NUMBERS ("how many trips fewer", trips, is[1] / is[0]);
      ++*seen;
    }
  if (tile != NULL)
    ASSERT_NUMBERS ("the k tile", tile, (double) (o->round + 1), ceil ((double) o->k / o->t->window));
  if (product != NULL)
    {
      g_assert_cmpuint (numbers_of (product, is, half), ==, 4);
      const gint64 k = o->round * o->t->window + (gint64) is[0];
      const double a = a_at (o, o->top + o->t->item_row, k), b = b_at (o, k, o->left + o->t->item_col);
      ASSERT_NUMBERS ("the hall’s product", product, is[0], a, b, a * b);
      ++*seen;
    }
}

/* ---- every moment ---- */

static void
test_words (gconstpointer user_data)
{
  static const struct {
    const char *model;
    guint batch;
  } nets[] = { { "flatten, dense 37, relu, dense 10", 29 }, { NULL, 128 } };
  const guint net = GPOINTER_TO_UINT (user_data);
  g_autoptr (LsViewData) data = ls_fixture_tiles (nets[net].model, nets[net].batch, TRUE, TRUE);
  const LsRecording *recording = data->recording;
  guint factors = 0, ledgers = 0, cells = 0, halls = 0, moments = 0;

  for (guint op = 0; op < recording->n_ops; op++)
    for (gint rung = 0; rung < LS_RUNG_N; rung++)
      for (guint place = 0; place < 3; place++)
        for (guint at = 0; at < 9; at++)
          {
            const LsRecordedOp *o = &recording->ops[op];
            LsTilesState asked = LS_TILES_STATE_INIT;
            LsQuery query = { LS_QUERY_FIELDS, .state = &asked };
            const gboolean hall = at == 8;

            if (g_strcmp0 (o->name, "matmul") != 0)
              continue;
            query.op = op;
            asked.rung = rung;
            asked.group_row = place == 0 ? 0 : place == 1 ? 1 : -1;
            asked.group_col = place == 0 ? 0 : place == 1 ? 2 : -1;
            asked.item_row = place == 1 ? 3 : -1;
            asked.item_col = place == 1 ? 1 : -1;
            query.time_ns = 0;
            g_autoptr (LsLayout) layout = draw_view (&ls_view_tiles, data, &query,
                                                     hall ? LS_LOOK_PROJECTOR : LS_LOOK_LIGHT, 1920,
                                                     at == 7 ? 900 : 1080);
            query = layout->query;
            query.time_ns = hall ? layout->span_ns * 41 / 100
                                 : layout->span_ns * (gint64) (7 + 13 * at) / 100;
            ls_layout_move (layout, &query);
            const LsTiles *t = layout->own;
            LsTilesNow now;
            ls_tiles_now (t, query.time_ns, &now);
            const guint lane = data->sides[t->side].lane;
            Moment moment = { layout,
                              t,
                              o,
                              ls_recording_values (recording, lane, recording->shapes[o->in[0]].name, NULL),
                              ls_recording_values (recording, lane, recording->shapes[o->in[1]].name, NULL),
                              o->attr.m,
                              o->attr.n,
                              o->attr.k,
                              0,
                              0,
                              (gint64) t->row * t->cut.tile_m,
                              (gint64) t->col * t->cut.tile_n,
                              MIN (now.round, t->rounds - 1),
                              t->rounds };
            moment.rows = MIN (t->cut.tile_m, moment.m - moment.top);
            moment.cols = MIN (t->cut.tile_n, moment.n - moment.left);
            g_assert_cmpint (t->rounds, ==, (t->gemm.k + t->window - 1) / t->window);
            if (t->splits > 1)
              continue; /* of a part of the sum there is less to say */
            moments++;
            check_places (&moment);
            check_memory (&moment);
            check_cells (&moment, &cells);
            if (hall)
              {
                check_hall (&moment, &halls);
                continue;
              }
            check_ranges (&moment);
            check_factors (&moment, &factors);
            check_ledger (&moment, check_sum (&moment), &ledgers);
            check_stations (&moment);
            check_part (&moment);
          }
  g_test_message ("%u moments, %u factors, %u ledgers, %u cells, %u halls", moments, factors, ledgers, cells,
                  halls);
  g_assert_cmpuint (moments, >, 100);
  g_assert_cmpuint (factors, >, 50);
  g_assert_cmpuint (ledgers, >, 50);
  g_assert_cmpuint (cells, >, 10000);
  g_assert_cmpuint (halls, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/paint/tiles-words/small", GUINT_TO_POINTER (0), test_words);
  g_test_add_data_func ("/paint/tiles-words/perceptron", GUINT_TO_POINTER (1), test_words);
  return g_test_run ();
}
