/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warps of the SIMT model against a scheduler that goes from clock to clock, written apart; the closed forms
 * of the models without cells.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "machines/systolic.h"
#include "machines/simt.h"
#include "tests/machines/plan-rig.h"

static void
assume (const LsMachine *machine, const char *text, LsAssumed *assumed)
{
  g_autoptr (GError) error = NULL;

  ls_machine_assume (machine, assumed);
  ls_machine_say (machine, text, assumed, &error);
  g_assert_no_error (error);
}

/* ---- warps ---- */

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

/* A scheduler from clock to clock, written apart: of the warps whose loads are there the one that has waited
 * longest issues its tile, and then loads the next one. What warp w does in clock t. */
static LsWarpState *
warps_by_hand (const LsSimtProduct *product, guint n_warps, guint n_clocks)
{
  LsWarpState *states = g_new (LsWarpState, n_warps * n_clocks);
  g_autofree gint64 *ready = g_new (gint64, n_warps);
  gint64 free_at = 0;
  gint runs = -1;

  for (guint w = 0; w < n_warps; w++)
    ready[w] = (gint64) product->wait;
  for (gint64 t = 0; t < n_clocks; t++)
    {
      if (runs >= 0 && t == free_at)
        {
          ready[runs] = t + (gint64) product->wait;
          runs = -1;
        }
      for (guint w = 0; runs < 0 && w < n_warps; w++)
        if (ready[w] <= t)
          {
            runs = (gint) w;
            for (guint o = 0; o < n_warps; o++)
              if (ready[o] < ready[runs])
                runs = (gint) o;
            free_at = t + (gint64) product->issue;
          }
      for (guint w = 0; w < n_warps; w++)
        states[w * n_clocks + t] = (gint) w == runs ? LS_WARP_RUNS
                                   : ready[w] > t   ? LS_WARP_WAITS
                                                    : LS_WARP_READY;
    }
  return states;
}

/* The closed form, which the picture draws, in each clock, of every warp; and the tiles that are done in a
 * long time are as many as one each max (W · issue, wait + issue). */
static void
test_warps (void)
{
  static const guint waits[] = { 0, 7, 60, 200 }, counts[] = { 1, 2, 5, 12 };
  LsAssumed assumed;

  /* one scheduler */
  assume (&ls_machine_simt, "lanes=32,warp=32", &assumed);
  for (gsize w = 0; w < G_N_ELEMENTS (waits); w++)
    for (gsize c = 0; c < G_N_ELEMENTS (counts); c++)
      {
        const guint n = counts[c], n_clocks = 3000;
        const LsSimtProduct product = {
          .issue = 30, .wait = waits[w], .warps = n, .a_unit = 1, .at_once = 1, .tiles = 1000, .clocks = 1e6
        };
        g_autofree LsWarpState *states = warps_by_hand (&product, n, n_clocks);
        const double turn = ls_simt_turn (&product, n);
        guint runs = 0;

        for (guint t = 0; t < n_clocks; t++)
          for (guint i = 0; i < n; i++)
            {
              const LsWarpState state = ls_simt_warp_at (assumed.value, &product, i, t + .5);
              if (state != states[i * n_clocks + t])
                g_error ("%u warps that wait %u clocks: in clock %u warp %u is in state %d, by hand %d", n,
                         waits[w], t, i, (int) state, (int) states[i * n_clocks + t]);
              runs += state == LS_WARP_RUNS;
            }
        g_assert_cmpfloat (fabs (runs / product.issue / n - n_clocks / turn), <=, 1 + waits[w] / turn);
      }
}

/* A last turn with fewer warps: those that have none are done. */
static void
test_last_turn (void)
{
  LsAssumed assumed;
  LsSimtProduct p;

  assume (&ls_machine_simt, "units=1,lanes=32,warp=32", &assumed);
  ls_simt_product (assumed.value, 320, 64, 256, &p); /* five groups, four at once */
  g_assert_cmpuint (p.a_unit, ==, 5);
  g_assert_cmpuint (p.at_once, ==, 4);
  g_assert_cmpuint (p.last, ==, p.warps / 4);
  const guint warps = p.warps;
  guint done = 0;
  for (guint w = 0; w < warps; w++)
    {
      g_assert_cmpint (ls_simt_warp_at (assumed.value, &p, w, 1), ==, LS_WARP_WAITS);
      done += ls_simt_warp_at (assumed.value, &p, w, p.clocks - 1) == LS_WARP_DONE;
    }
  g_assert_cmpuint (done, ==, warps - p.last);
  g_assert_cmpint (ls_simt_warp_at (assumed.value, &p, 0, -1), ==, LS_WARP_NONE);
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

/* ---- the processor ---- */

/* Seconds of the product of `dense 256` on digits, there. */
static double
products_take (guint batch)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 256, dense 10", batch);
  LsAssumed assumed;
  double seconds = 0;

  assume (&ls_machine_cpu, "start=0,sharing=0,memory=20000,l2-rate=10000,l3-rate=10000", &assumed);
  g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_cpu, plan, &assumed);
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      const LsOp *head = &plan->ops[op->op];
      if (head->attr.m == batch && head->attr.n == 256)
        seconds += op->seconds;
    }
  g_assert_cmpfloat (seconds, >, 0);
  return seconds;
}

/* Of a product with 16 rows packing takes more of the time than of one with 128; beyond that, products are
 * cut into tiles of about that size. Per row: (1 + 14/16 + 10/128) / (1 + 14/128 + 10/128). */
static void
test_packing (void)
{
  const double usual = products_take (128) / 128;

  g_assert_cmpfloat_with_epsilon (products_take (16) / 16 / usual,
                                  (1 + 14. / 16 + 10. / 128) / (1 + 24. / 128), .02);
  g_assert_cmpfloat_with_epsilon (products_take (1024) / 1024 / usual, 1, .02);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/occupancy", test_occupancy);
  g_test_add_func ("/machines/warps", test_warps);
  g_test_add_func ("/machines/last-turn", test_last_turn);
  g_test_add_func ("/machines/parts", test_parts);
  g_test_add_func ("/machines/fpga", test_fpga);
  g_test_add_func ("/machines/spiking", test_spiking);
  g_test_add_func ("/machines/int8", test_int8);
  g_test_add_func ("/machines/packing", test_packing);
  return g_test_run ();
}
