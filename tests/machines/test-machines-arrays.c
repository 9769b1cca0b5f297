/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays and tensor cores against plain products in their precision, and the array against a grid of
 * registers, written apart; what of it the model and the picture take.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/half.h"
#include "machines/systolic.h"
#include "machines/tensor_core.h"

static float *
numbers (gsize n, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  float *values = g_new (float, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    values[i] = (float) g_rand_double_range (rand, -3, 3);
  return values;
}

static void
assume (const LsMachine *machine, const char *text, LsAssumed *assumed)
{
  g_autoptr (GError) error = NULL;

  ls_machine_assume (machine, assumed);
  ls_machine_say (machine, text, assumed, &error);
  g_assert_no_error (error);
}

/* ---- the systolic array ---- */

/* The array once more, written apart: a grid of registers, all of which take over their neighbour's at once,
 * cycle after cycle.
 *   - From the left a number goes a cell to the right in each cycle; row i's come i cycles later than row
 * 0's.
 *   - From above a sum goes a cell down.
 *   - Weights come in from above, too, the lowest row's first, through a second register of each cell, a cell
 *     down in each cycle; column j's j cycles later than column 0's. That they come is told on downwards a
 * cell a cycle, and that all of a tile's are there to the whole column at once. When a tile's first number
 * comes by, the cell takes what is in that register, and in the same cycle the next tile's may pass. It knows
 * no row and no tile of what it holds: whoever feeds it counts. */
typedef enum { NOTHING, FIRST, NEXT } Load; /* what comes into a column from above: a tile's first weight */

typedef struct {
  guint rows, cols;
  float *number, *sum, *weight, *passing; /* rows × cols */
  gboolean *first;                        /* the number is the first one of a tile */
  gboolean *moves;                        /* the second register takes over the one's above */
} Grid;

static Grid
grid_new (guint rows, guint cols)
{
  const gsize n = (gsize) rows * cols;

  return (Grid){ rows,
                 cols,
                 g_new0 (float, n),
                 g_new0 (float, n),
                 g_new0 (float, n),
                 g_new0 (float, n),
                 g_new0 (gboolean, n),
                 g_new0 (gboolean, n) };
}

static void
grid_free (Grid *g)
{
  g_free (g->number);
  g_free (g->sum);
  g_free (g->weight);
  g_free (g->passing);
  g_free (g->first);
  g_free (g->moves);
}

/* left, first: of each row; above, loads: of each column; out: of each column what leaves below. */
static void
grid_step (Grid *g, const float *left, const gboolean *first, const float *above, const Load *loads,
           float *out)
{
  Grid next = grid_new (g->rows, g->cols);

  for (guint i = 0; i < g->rows; i++)
    for (guint j = 0; j < g->cols; j++)
      {
        const gsize at = (gsize) i * g->cols + j;

        next.number[at] = j == 0 ? left[i] : g->number[at - 1];
        next.first[at] = j == 0 ? first[i] : g->first[at - 1];
        next.weight[at] = next.first[at] ? g->passing[at] : g->weight[at];
        next.moves[at] = i == 0 ? loads[j] != NOTHING : loads[j] == NEXT && g->moves[at - g->cols];
        next.passing[at] = !next.moves[at] ? g->passing[at] : i == 0 ? above[j] : g->passing[at - g->cols];
        next.sum[at] = (i == 0 ? 0 : g->sum[at - g->cols]) + next.number[at] * next.weight[at];
      }
  for (guint j = 0; j < g->cols; j++)
    out[j] = next.sum[(gsize) (g->rows - 1) * g->cols + j];
  grid_free (g);
  *g = next;
}

/* Feeds the product through the grid, as soon as it may; returns the cycles until the last sum has left. */
static guint64
multiply_by_grid (guint rows, guint cols, guint m, guint n, guint k, const float *a, const float *b, float *c)
{
  const guint down = (k + rows - 1) / rows, tiles = down * ((n + cols - 1) / cols);
  g_autofree gint64 *start = g_new (gint64, tiles);
  g_autofree float *left = g_new (float, rows), *above = g_new (float, cols), *out = g_new (float, cols);
  g_autofree gboolean *first = g_new (gboolean, rows);
  g_autofree Load *loads = g_new (Load, cols);
  Grid grid = grid_new (rows, cols);
  guint64 end = 0;

  /* a tile's numbers may come when the one before has had all its rows, and its weights are there: those come
   * from the cycle on in which the tile before begins */
  for (guint t = 0; t < tiles; t++)
    start[t] = t == 0 ? rows : MAX (start[t - 1] + (gint64) m, start[t - 1] + (gint64) rows);
  for (gint64 cycle = 0; cycle <= start[tiles - 1] + (gint64) m + rows + cols; cycle++)
    {
      for (guint i = 0; i < rows; i++)
        {
          left[i] = 0;
          first[i] = FALSE;
          for (guint t = 0; t < tiles; t++)
            {
              const gint64 r = cycle - start[t] - i;
              const guint p = t % down * rows + i;
              if (r < 0 || r >= m)
                continue;
              left[i] = p < k ? ls_half_round (LS_BF16, a[(gsize) r * k + p]) : 0;
              first[i] = r == 0;
            }
        }
      for (guint j = 0; j < cols; j++)
        {
          loads[j] = NOTHING;
          for (guint t = 0; t < tiles; t++)
            {
              const gint64 push = cycle - (t == 0 ? 0 : start[t - 1]) - j;
              if (push < 0 || push >= rows)
                continue;
              const guint p = t % down * rows + (rows - 1 - (guint) push), q = t / down * cols + j;
              loads[j] = push == 0 ? FIRST : NEXT;
              above[j] = p < k && q < n ? ls_half_round (LS_BF16, b[(gsize) p * n + q]) : 0;
            }
        }
      grid_step (&grid, left, first, above, loads, out);
      for (guint j = 0; j < cols; j++)
        for (guint t = 0; t < tiles; t++)
          {
            /* a sum begins in row 0 with its number there, and is rows − 1 cycles later in the last row */
            const gint64 r = cycle - start[t] - j - (rows - 1);
            const guint q = t / down * cols + j;
            if (r < 0 || r >= m)
              continue;
            end = (guint64) cycle + 1;
            if (q < n)
              c[(gsize) r * n + q] = t % down == 0 ? out[j] : c[(gsize) r * n + q] + out[j];
          }
    }
  grid_free (&grid);
  return end;
}

/* Of so many tiles of B one after the other, m rows through each. */
static guint64
multiply_by_grid_beats (guint rows, guint cols, guint m, guint tiles)
{
  guint64 start = rows;

  for (guint t = 1; t < tiles; t++)
    start += MAX (m, rows);
  /* the last row's number comes to the lowest row of the rightmost column */
  return start + (m - 1) + (rows - 1) + (cols - 1) + 1;
}

static void
multiply_plainly (guint rows, guint m, guint n, guint k, const float *a, const float *b, float *c)
{
  for (guint i = 0; i < m; i++)
    for (guint j = 0; j < n; j++)
      {
        float all = 0;
        for (guint p0 = 0; p0 < k; p0 += rows)
          {
            float sum = 0;
            for (guint p = p0; p < MIN (k, p0 + rows); p++)
              sum += ls_half_round (LS_BF16, a[i * k + p]) * ls_half_round (LS_BF16, b[p * n + j]);
            all = p0 == 0 ? sum : all + sum;
          }
        c[i * n + j] = all;
      }
}

/* The engine's array, the grid and plain loops: the same bits; the engine's, the grid's and the closed form's
 * beats: the same count. */
static void
try_array (guint rows, guint cols, guint m, guint n, guint k)
{
  const LsSystolic array = { rows, cols };
  g_autofree float *a = numbers ((gsize) m * k, 1), *b = numbers ((gsize) k * n, 2),
                   *c = g_new (float, (gsize) m *n), *plain = g_new (float, (gsize) m *n),
                   *cells = g_new (float, (gsize) m *n);
  const guint64 beats = ls_systolic_multiply (&array, m, n, k, a, b, c),
                cycles = multiply_by_grid (rows, cols, m, n, k, a, b, cells);

  multiply_plainly (rows, m, n, k, a, b, plain);
  for (guint i = 0; i < m * n; i++)
    {
      if (memcmp (&c[i], &plain[i], sizeof c[i]) != 0)
        g_error ("%u×%u cells, %u×%u×%u: element %u is %.9g, in plain loops %.9g", rows, cols, m, n, k, i,
                 (double) c[i], (double) plain[i]);
      if (memcmp (&cells[i], &plain[i], sizeof c[i]) != 0)
        g_error ("%u×%u cells, %u×%u×%u: element %u is %.9g in the grid, in plain loops %.9g", rows, cols, m,
                 n, k, i, (double) cells[i], (double) plain[i]);
    }
  if (beats != cycles)
    g_error ("%u×%u cells, %u×%u×%u: %" G_GUINT64_FORMAT " beats, in the grid %" G_GUINT64_FORMAT " cycles",
             rows, cols, m, n, k, beats, cycles);
  if (ls_systolic_beats (&array, m, n, k) != (double) beats)
    g_error ("%u×%u cells, %u×%u×%u: the closed form says %g beats, beat by beat they are %" G_GUINT64_FORMAT,
             rows, cols, m, n, k, ls_systolic_beats (&array, m, n, k), beats);
}

static void
test_systolic (void)
{
  static const guint sizes[][5] = {
    /* rows, columns, m, n, k */
    { 8, 3, 2, 7, 17 },    { 3, 8, 2, 17, 7 },        { 5, 7, 11, 13, 17 }, { 16, 16, 1, 10, 128 },
    { 2, 9, 1, 9, 2 },     { 16, 4, 31, 4, 33 },      { 1, 13, 7, 29, 3 },  { 13, 1, 7, 3, 29 },
    { 33, 70, 5, 90, 40 }, { 128, 128, 9, 130, 129 },
  };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    try_array (sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], sizes[s][4]);
}

/* N×N cells, and products of one element, of a tile, one more and one less, two tiles and primes, each way.
 */
static void
test_systolic_edges (void)
{
  static const guint edges[] = { 1, 2, 4, 5 };

  for (gsize e = 0; e < G_N_ELEMENTS (edges); e++)
    {
      const guint edge = edges[e], lengths[] = { 1, edge - 1, edge, edge + 1, 2 * edge, 2 * edge + 1, 13 };

      for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
        for (gsize j = 0; j < G_N_ELEMENTS (lengths); j++)
          for (gsize l = 0; l < G_N_ELEMENTS (lengths); l++)
            if (lengths[i] > 0 && lengths[j] > 0 && lengths[l] > 0)
              try_array (edge, edge, lengths[i], lengths[j], lengths[l]);
    }
}

static void
test_systolic_used (void)
{
  const LsSystolic array = { 128, 128 };

  /* W₃ of the mlp: 10 of 128 columns */
  g_assert_cmpfloat (ls_systolic_used (&array, 1e9, 10, 128), <, 10. / 128);
  g_assert_cmpfloat (ls_systolic_used (&array, 1e9, 10, 128), >, 10. / 128 * .99);
  g_assert_cmpfloat (ls_systolic_used (&array, 1e9, 128, 128), >, .99);
}

/* Weights stay in the cells unless the other way takes a twentieth less; tiles are dealt out, or rows of one.
 */
static void
test_systolic_cut (void)
{
  static const struct {
    guint edge, arrays;
    gint64 m, n, k;
    LsWeightsIn weights_in;
    gboolean turned;
    double tiles, flows;
  } known[] = {
    /* X · Wᵀ of a batch of 64: W stays, and 64 rows flow through 4 · 2 tiles of it, half of them on each */
    { 128, 2, 64, 256, 512, LS_WEIGHTS_B, FALSE, 4, 64 },
    /* the same with W left */
    { 128, 2, 256, 64, 512, LS_WEIGHTS_A, TRUE, 4, 64 },
    /* so few weights, and so many samples, that one tile's rows are shared out */
    { 128, 4, 8192, 10, 128, LS_WEIGHTS_B, FALSE, 1, 2048 },
    /* three tiles for four arrays: none is shared, for two of them would wait for the third */
    { 128, 4, 300, 300, 128, LS_WEIGHTS_B, FALSE, 1, 300 },
    /* a column more than the array has: another tile, but for samples in the cells one more row */
    { 128, 1, 128, 129, 128, LS_WEIGHTS_B, TRUE, 1, 129 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const LsSystolic array = { known[i].edge, known[i].edge };
      const LsMachineWork work
        = { .m = known[i].m, .n = known[i].n, .k = known[i].k, .weights_in = known[i].weights_in };
      LsSystolicCut cut;

      ls_systolic_cut (&array, known[i].arrays, &work, &cut);
      if (cut.turned != known[i].turned || cut.tiles != known[i].tiles || cut.flows != known[i].flows)
        g_error ("case %u: %s, %g tiles of %g rows; not %s, %g of %g", (guint) i,
                 cut.turned ? "turned" : "as it is", cut.tiles, cut.flows,
                 known[i].turned ? "turned" : "as it is", known[i].tiles, known[i].flows);
      /* the busiest array's beats are those of its tiles, done one after the other */
      const guint64 hand = multiply_by_grid_beats (array.rows, array.cols, (guint) cut.flows,
                                                   (guint) cut.tiles);
      g_assert_cmpfloat (cut.beats, ==, (double) hand);
    }
}

/* The model's time of each product is the cut's beats by the clock, as far as nothing else holds it up. */
static void
test_systolic_model (void)
{
  static const char *const presets[] = { "mlp", "cnn" };
  static const char *const grids[] = { "rows=128,columns=128", "rows=96,columns=40" };

  for (gsize p = 0; p < G_N_ELEMENTS (presets) * G_N_ELEMENTS (grids); p++)
    {
      const char *preset = presets[p / 2];
      g_autoptr (LsModel) model = ls_model_parse (preset, NULL);
      const gint64 shape[3] = { 1, 28, 28 };
      g_autoptr (LsPlan) plan = ls_plan_new (model, shape, 10, 64, LS_OPTIMIZER_SGD, NULL);
      g_autoptr (GArray) works = ls_machine_work (plan, FALSE);
      g_autoptr (LsMachineRun) run = NULL;
      g_autofree char *assumptions = g_strconcat ("start=0,memory=100000,vector=1000000,buffer=65536,",
                                                  grids[p % 2], NULL);
      LsAssumed assumed;
      guint products = 0;

      assume (&ls_machine_systolic, assumptions, &assumed);
      run = ls_machine_run (&ls_machine_systolic, plan, &assumed);
      g_assert_cmpuint (run->ops->len, ==, works->len);
      for (guint i = 0; i < works->len; i++)
        {
          const LsMachineWork *work = &g_array_index (works, LsMachineWork, i);
          const double seconds = g_array_index (run->ops, LsMachineOp, i).seconds;
          LsSystolic array;
          LsSystolicCut cut;

          if (work->k == 0)
            {
              g_assert_true (isnan (g_array_index (run->ops, LsMachineOp, i).useful));
              continue;
            }
          ls_systolic_machine (assumed.value, work, &array, &cut);
          const double cells = ceil (cut.k / array.rows) * array.rows * ceil (cut.n / array.cols)
                               * array.cols;
          g_assert_cmpfloat_with_epsilon (g_array_index (run->ops, LsMachineOp, i).useful,
                                          cut.k * cut.n / cells, 1e-12);
          if (fabs (seconds - cut.beats / .94e9) > 1e-12)
            g_error ("%s of %s takes %g s, and the cut's %g beats %g s", plan->ops[work->op].symbol, preset,
                     seconds, cut.beats, cut.beats / .94e9);
          products++;
        }
      g_assert_cmpuint (products, >, 5);
    }
}

/* ---- tensor cores ---- */

static void
test_tensor_core (void)
{
  static const guint sizes[][6]
    = { { 16, 16, 16, 16, 16, 16 }, { 16, 16, 16, 1, 1, 1 }, { 4, 4, 4, 5, 3, 7 }, { 4, 4, 4, 8, 4, 12 },
        { 16, 8, 4, 17, 31, 13 },   { 3, 5, 7, 11, 13, 17 }, { 1, 1, 1, 3, 4, 5 } };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      const LsTensorTile tile = { sizes[s][0], sizes[s][1], sizes[s][2] };
      const guint m = sizes[s][3], n = sizes[s][4], k = sizes[s][5];
      g_autofree float *a = numbers ((gsize) m * k, 3), *b = numbers ((gsize) k * n, 4),
                       *c = g_new (float, (gsize) m *n);
      guint instructions = 0;

      ls_tensor_core_multiply (&tile, m, n, k, a, b, c);
      for (guint i = 0; i < m; i++)
        for (guint j = 0; j < n; j++)
          {
            float sum = 0;
            for (guint p = 0; p < k; p++)
              sum += ls_half_round (LS_F16, a[i * k + p]) * ls_half_round (LS_F16, b[p * n + j]);
            if (memcmp (&sum, &c[i * n + j], sizeof sum) != 0)
              g_error ("%u×%u×%u by tiles of %u×%u×%u: (%u, %u) is %.9g, in plain loops %.9g", m, n, k,
                       tile.m, tile.n, tile.k, i, j, (double) c[i * n + j], (double) sum);
          }
      for (guint i = 0; i < m; i += tile.m)
        for (guint j = 0; j < n; j += tile.n)
          for (guint p = 0; p < k; p += tile.k)
            instructions++;
      g_assert_cmpfloat (ls_tensor_core_instructions (&tile, m, n, k), ==, instructions);
      g_assert_cmpfloat_with_epsilon (ls_tensor_core_useful (&tile, m, n, k),
                                      (double) m * n * k / instructions / (tile.m * tile.n * tile.k), 1e-12);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/systolic", test_systolic);
  g_test_add_func ("/machines/systolic-edges", test_systolic_edges);
  g_test_add_func ("/machines/systolic-used", test_systolic_used);
  g_test_add_func ("/machines/systolic-cut", test_systolic_cut);
  g_test_add_func ("/machines/systolic-model", test_systolic_model);
  g_test_add_func ("/machines/tensor-core", test_tensor_core);
  return g_test_run ();
}
