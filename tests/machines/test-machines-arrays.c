/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays and tensor cores against plain products in their precision, and against simulations written apart;
 * warps against the formula; the closed forms of the other models.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/half.h"
#include "machines/simt.h"
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

/* ---- the systolic array ---- */

/* When the last sum has left, by following every sum: weights of tile t are loaded in `rows` beats, one tile
 * after the other and never while the cells' spare places are taken; then A's rows follow each other. */
static guint64
beats_by_hand (guint rows, guint cols, guint m, guint tiles)
{
  guint64 loaded = 0, start = 0, last = 0;

  for (guint t = 0; t < tiles; t++)
    {
      loaded = (t == 0 ? 0 : start) + rows;         /* the spare places are free once the tile before began */
      start = MAX (loaded, t == 0 ? 0 : start + m); /* and the tile before has had all its rows */
      for (guint row = 0; row < m; row++)
        for (guint col = 0; col < cols; col++)
          last = MAX (last, start + row + (rows - 1) + col + 1);
    }
  return last;
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

static void
test_systolic (void)
{
  static const guint sizes[][5] = {
    /* rows, columns, m, n, k */
    { 1, 1, 1, 1, 1 }, { 1, 1, 3, 2, 5 },  { 4, 4, 1, 1, 1 },      { 4, 4, 4, 4, 4 },    { 4, 4, 3, 5, 4 },
    { 4, 4, 5, 3, 5 }, { 4, 4, 16, 4, 8 }, { 8, 3, 2, 7, 17 },     { 3, 8, 2, 17, 7 },   { 5, 7, 11, 13, 17 },
    { 8, 8, 7, 9, 8 }, { 8, 8, 9, 8, 9 },  { 16, 16, 1, 10, 128 }, { 16, 4, 31, 4, 33 }, { 2, 9, 1, 9, 2 },
  };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      const LsSystolic array = { sizes[s][0], sizes[s][1] };
      const guint m = sizes[s][2], n = sizes[s][3], k = sizes[s][4];
      const guint tiles = (k + array.rows - 1) / array.rows * ((n + array.cols - 1) / array.cols);
      g_autofree float *a = numbers ((gsize) m * k, 1), *b = numbers ((gsize) k * n, 2),
                       *c = g_new (float, (gsize) m *n), *plain = g_new (float, (gsize) m *n);
      const guint64 beats = ls_systolic_multiply (&array, m, n, k, a, b, c);

      multiply_plainly (array.rows, m, n, k, a, b, plain);
      for (guint i = 0; i < m * n; i++)
        if (memcmp (&c[i], &plain[i], sizeof c[i]) != 0)
          g_error ("%u×%u cells, %u×%u×%u: element %u is %.9g, in plain loops %.9g", array.rows, array.cols,
                   m, n, k, i, (double) c[i], (double) plain[i]);
      if (beats != beats_by_hand (array.rows, array.cols, m, tiles))
        g_error ("%u×%u cells, %u×%u×%u: %" G_GUINT64_FORMAT " beats, by hand %" G_GUINT64_FORMAT, array.rows,
                 array.cols, m, n, k, beats, beats_by_hand (array.rows, array.cols, m, tiles));
      if (ls_systolic_beats (&array, m, n, k) != (double) beats)
        g_error (
          "%u×%u cells, %u×%u×%u: the closed form says %g beats, beat by beat they are %" G_GUINT64_FORMAT,
          array.rows, array.cols, m, n, k, ls_systolic_beats (&array, m, n, k), beats);
    }
}

/* Each row of A is in exactly one cell of every diagonal's row and column, beat after beat. */
static void
test_systolic_wave (void)
{
  for (guint64 beat = 0; beat < 20; beat++)
    for (guint row = 0; row < 4; row++)
      for (guint col = 0; col < 5; col++)
        {
          const gint64 at = (gint64) beat - row - col;
          g_assert_cmpint (ls_systolic_row_at (7, beat, row, col), ==, at >= 0 && at < 7 ? at : -1);
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

/* ---- warps ---- */

static void
assume (const LsMachine *machine, const char *text, LsAssumed *assumed)
{
  g_autoptr (GError) error = NULL;

  ls_machine_assume (machine, assumed);
  ls_machine_say (machine, text, assumed, &error);
  g_assert_no_error (error);
}

/* Registers for four groups of 256 at 64 each, local memory for twelve, warps for six. */
static void
test_occupancy (void)
{
  static const struct {
    const char *assumed;
    guint at_once, warps;
    double occupancy;
  } known[] = {
    { "units=1", 4, 32, 32. / 48 },
    { "units=1,own-registers=32", 6, 48, 1 },
    { "units=1,own-registers=32,local=40", 5, 40, 40. / 48 },
    { "units=1,occupancy=.5", 3, 24, .5 },
    { "units=1,own-registers=255", 1, 8, 8. / 48 },
    { "units=1,warps=4", 1, 8, 1 }, /* one group there must be */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      LsAssumed assumed;
      LsSimtProduct p;

      assume (&ls_machine_simt, known[i].assumed, &assumed);
      ls_simt_product (assumed.value, 4096, 4096, 1024, &p);
      if (p.edge != 64 || p.at_once != known[i].at_once || p.warps != known[i].warps
          || fabs (p.occupancy - known[i].occupancy) > 1e-9)
        g_error ("%s: edge %u, %u groups at once with %u warps, occupancy %g; not 64, %u, %u, %g",
                 known[i].assumed, p.edge, p.at_once, p.warps, p.occupancy, known[i].at_once, known[i].warps,
                 known[i].occupancy);
    }
}

/* Clock by clock the same as max (W · issue, wait + issue) a tile, but for the first tile's wait and the last
 * one's end. */
static void
test_warps (void)
{
  static const guint waits[] = { 0, 100, 1000, 10000 }, counts[] = { 1, 2, 5, 12 };

  for (gsize w = 0; w < G_N_ELEMENTS (waits); w++)
    for (gsize c = 0; c < G_N_ELEMENTS (counts); c++)
      {
        const LsSimtProduct product = { .issue = 300, .wait = waits[w] };
        const guint n = counts[c], tiles = 50, n_steps = 400;
        g_autofree LsWarpState *states = g_new (LsWarpState, n * n_steps);
        const double end = ls_simt_warps (NULL, &product, tiles, n, n_steps, 100, states),
                     formula = tiles * MAX (n * product.issue, product.wait + product.issue),
                     slack = product.wait + n * product.issue;

        if (fabs (end - formula) > slack)
          g_error ("%u warps that wait %u clocks: %g clocks one by one, %g by the formula", n, waits[w], end,
                   formula);
        for (guint s = 0; s < n_steps; s++)
          {
            guint running = 0;
            for (guint i = 0; i < n; i++)
              running += states[i * n_steps + s] == LS_WARP_RUNS;
            if (running > 1)
              g_error ("%u warps run at once on one scheduler", running);
          }
        g_assert_cmpint (states[0], ==, waits[w] > 0 ? LS_WARP_WAITS : LS_WARP_RUNS);
      }
}

/* A product with few places of C is cut along k, so that all units have work. */
static void
test_parts (void)
{
  LsAssumed assumed;
  LsSimtProduct p;

  ls_machine_assume (&ls_machine_simt, &assumed);
  ls_simt_product (assumed.value, 16, 9, 100352, &p);
  g_assert_cmpuint (p.parts, >, 1);
  g_assert_cmpuint (p.groups, >=, 28);
  ls_simt_product (assumed.value, 4096, 4096, 16, &p);
  g_assert_cmpuint (p.parts, ==, 1);
}

/* ---- closed forms ---- */

static LsPlan *
mlp (guint batch)
{
  g_autoptr (LsModel) model = ls_model_parse ("mlp", NULL);
  const gint64 shape[3] = { 1, 28, 28 };

  return ls_plan_new (model, shape, 10, batch, LS_OPTIMIZER_SGD, NULL);
}

/* One multiplier to each stage, then in proportion: with plenty of them every stage takes its share of
 * clocks. */
static void
test_fpga (void)
{
  g_autoptr (LsPlan) plan = mlp (128);
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL, off_chip = NULL;
  const LsMachineOp *first;

  assume (&ls_machine_fpga, "dsp=1000000,per-mac=1,clock=100,depth=50", &assumed);
  run = ls_machine_run (&ls_machine_fpga, plan, &assumed);
  g_assert_cmpuint (run->ops->len, ==, 8); /* three forward, two back to inputs, three to weights */
  first = &g_array_index (run->ops, LsMachineOp, 0);
  /* more multipliers than multiply-adds: a sample a clock */
  g_assert_cmpfloat_with_epsilon (first->seconds, (128 * 1 + 50) / 100e6, 128 / 100e6 * 1.01);
  g_assert_cmpfloat (run->interval, <, run->seconds / 4);
  assume (&ls_machine_fpga, "dsp=1000000,per-mac=1,clock=100,depth=50,chip=.5,memory=1", &assumed);
  off_chip = ls_machine_run (&ls_machine_fpga, plan, &assumed);
  first = &g_array_index (off_chip->ops, LsMachineOp, 0);
  g_assert_cmpint (first->held_by, ==, LS_HELD_BY_MEMORY);
  g_assert_cmpfloat_with_epsilon (first->seconds, 4. * (256 * 784 + 256) / 1e9, 1e-9);
}

static void
test_spiking (void)
{
  g_autoptr (LsPlan) plan = mlp (128);
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL, small = NULL;
  const double synapses = 256. * 128 + 128 * 10; /* the sample is a current, and no spikes */

  assume (&ls_machine_spiking, "tick=10,steps=32,active=.2,event=20", &assumed);
  run = ls_machine_run (&ls_machine_spiking, plan, &assumed);
  g_assert_cmpfloat_with_epsilon (run->seconds, 320e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (run->energy, synapses * .2 * 32 * 20e-12, 1e-12);
  /* 394 neurons on 100 at once: four parts */
  assume (&ls_machine_spiking, "tick=10,steps=32,cores=1,neurons=100", &assumed);
  small = ls_machine_run (&ls_machine_spiking, plan, &assumed);
  g_assert_cmpfloat_with_epsilon (small->seconds, 4 * 320e-6, 1e-12);
}

static void
test_int8 (void)
{
  g_autoptr (LsPlan) plan = mlp (128);
  const LsSystolic array = { 64, 64 };
  LsAssumed assumed;
  g_autoptr (LsMachineRun) run = NULL;
  const LsMachineOp *first;

  assume (&ls_machine_int8, "rows=64,columns=64,clock=1,start=0,rescale=1000000", &assumed);
  run = ls_machine_run (&ls_machine_int8, plan, &assumed);
  g_assert_cmpuint (run->ops->len, ==, 3);
  first = &g_array_index (run->ops, LsMachineOp, 0);
  g_assert_cmpfloat_with_epsilon (
    first->seconds,
    MIN (ls_systolic_beats (&array, 128, 256, 784), ls_systolic_beats (&array, 256, 128, 784)) / 1e9, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/systolic", test_systolic);
  g_test_add_func ("/machines/systolic-wave", test_systolic_wave);
  g_test_add_func ("/machines/systolic-used", test_systolic_used);
  g_test_add_func ("/machines/tensor-core", test_tensor_core);
  g_test_add_func ("/machines/occupancy", test_occupancy);
  g_test_add_func ("/machines/warps", test_warps);
  g_test_add_func ("/machines/parts", test_parts);
  g_test_add_func ("/machines/fpga", test_fpga);
  g_test_add_func ("/machines/spiking", test_spiking);
  g_test_add_func ("/machines/int8", test_int8);
  return g_test_run ();
}
