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

/* By hand: a group of 256 has 8 warps of 32. Where a work-item makes 4×4 places, of 64×64 a group, a tile of
 * 16 along k is 16·16 multiply-adds, 2·4·16/4 reads of registers, and 2·2·64·16/256 instructions to load: 304
 * clocks; 2×2 places: 64 + 32 + 8, one: 16 + 32 + 4. */
static void
test_cuts (void)
{
  static const struct {
    const char *assumed;
    gint64 m, n, k;
    guint edge, parts, groups, last;
    double clocks, useful;
  } known[] = {
    /* one group on one scheduler */
    { "", 64, 64, 16, 64, 1, 1, 0, 8 * 304, 1 },
    /* a long wait is the same for smaller groups, four of which are there at once */
    { "wait=5000", 64, 64, 16, 32, 1, 4, 0, 5000 + 104, 1 },
    /* of 4 schedulers each has 2 warps, of 3 one has 3; 16 lanes take twice as long */
    { "lanes=128", 64, 64, 16, 64, 1, 1, 0, 2 * 304, 1 },
    { "lanes=96", 64, 64, 16, 64, 1, 1, 0, 3 * 304, 1 },
    { "lanes=16", 64, 64, 16, 64, 1, 1, 0, 2 * 8 * 304, 1 },
    /* a tile that is begun is done: two along 17, and a second row of groups for 65 rows */
    { "", 64, 64, 17, 64, 1, 1, 0, 2 * 8 * 304, 1 },
    { "", 65, 64, 16, 64, 1, 2, 0, 2 * 8 * 304, 65. / 128 },
    { "", 33, 32, 16, 32, 1, 2, 0, 2 * 8 * 104, 33. / 64 },
    /* five groups, four at once, and one by itself */
    { "", 320, 64, 16, 64, 1, 5, 8, (32 + 8) * 304, 1 },
    /* four units: a quarter of k each; 2·4·64·64·4 bytes of sums are written and read, and waited for */
    { "units=4", 64, 64, 64, 64, 4, 4, 0, 8 * 304 + .131072, 1 },
    { "units=4,l2-rate=256", 64, 64, 64, 64, 4, 4, 0, 8 * 304 + 512, 1 },
    { "units=4,l2-rate=512,clock=2", 64, 64, 64, 64, 4, 4, 0, 8 * 304 + 512, 1 },
    { "units=4,wait=1000", 64, 64, 64, 64, 4, 4, 0, 8 * 304 + 1000.131072, 1 },
    { "units=4,wait=3000", 64, 64, 64, 64, 4, 4, 0, 3304 + 3000.131072, 1 },
    /* that takes longer than smaller groups, which have all of k */
    { "units=4,l2-rate=64", 64, 64, 64, 32, 1, 4, 0, 4 * 8 * 104, 1 },
    /* cut no further than to 16: four parts of 79, or than to two groups a unit */
    { "units=64", 64, 64, 79, 16, 4, 64, 0, 2 * 8 * 52 + .131072, 1 },
    { "wait=3000", 16, 16, 784, 16, 2, 2, 0, 25 * 3052 + 3000 + .004096, 1 },
    /* of 16 work-items, which are half a warp; that does all of its work */
    { "group=16", 16, 16, 16, 16, 1, 1, 0, 256 + 32 + 64, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *text = g_strconcat ("units=1,lanes=32,clock=1,wait=0,l2-rate=1000000",
                                           *known[i].assumed != '\0' ? "," : "", known[i].assumed, NULL);
      LsAssumed assumed;
      LsSimtProduct p;

      assume (&ls_machine_simt, text, &assumed);
      ls_simt_product (assumed.value, known[i].m, known[i].n, known[i].k, &p);
      if (p.edge != known[i].edge || p.parts != known[i].parts || p.groups != known[i].groups
          || p.last != known[i].last || fabs (p.useful - known[i].useful) > 1e-9
          || fabs (p.clocks - known[i].clocks) > 1e-6)
        g_error (
          "“%s”, %dx%dx%d: %u groups of %u², %u parts, %u warps at last, %.6f clocks, %g useful; by hand %u "
          "of %u², %u, %u, %.6f, %g",
          known[i].assumed, (int) known[i].m, (int) known[i].n, (int) known[i].k, p.groups, p.edge, p.parts,
          p.last, p.clocks, p.useful, known[i].groups, known[i].edge, known[i].parts, known[i].last,
          known[i].clocks, known[i].useful);
    }
}

/* A product's time, and what holds it up: 16 rows, 16 columns and 784 products to a sum; or 64, 64 and 784 in
 * groups of 16 work-items, of which each loads two strips of 16 by 784 numbers. */
static void
test_product_held (void)
{
  static const struct {
    guint batch;
    const char *assumed;
    double us;
    LsHeldBy held_by;
  } known[] = {
    /* 49 tiles of 8 warps */
    { 16, "", 49 * 8 * 52e-3, LS_HELD_BY_COMPUTE },
    { 16, "clock=.1", 49 * 8 * 52e-2, LS_HELD_BY_COMPUTE },
    /* in two parts, whose 16 warps issue for 832 clocks, and wait for 1000 */
    { 16, "wait=1000", (25 * 1052 + 1000) * 1e-3, LS_HELD_BY_LATENCY },
    { 16, "wait=780", (25 * 832 + 780) * 1e-3, LS_HELD_BY_COMPUTE },
    /* 32 parts keep half of 64 units at work, of 66 fewer than half */
    { 16, "units=64", 2 * 8 * 52e-3, LS_HELD_BY_COMPUTE },
    { 16, "units=66", 2 * 8 * 52e-3, LS_HELD_BY_PADDING },
    /* starting it takes longer than it does */
    { 16, "launch=70", 70 + 49 * 8 * 52e-3, LS_HELD_BY_START },
    { 16, "launch=10", 10 + 49 * 8 * 52e-3, LS_HELD_BY_COMPUTE },
    /* 16 warps of 352 clocks for each of 49 tiles; 16 groups' strips */
    { 64, "group=16,clock=10", 16 * 352 * 49e-4, LS_HELD_BY_COMPUTE },
    { 64, "group=16,clock=10,l2-rate=1", 16 * 2 * 16 * 784 * 4e-3, LS_HELD_BY_CACHE },
    { 64, "group=16,clock=10,l2-rate=1,coalesced=.5", 16 * 2 * 16 * 784 * 8e-3, LS_HELD_BY_CACHE },
    /* in two parts 32 groups have half of each strip */
    { 64, "group=16,clock=10,units=32,l2-rate=1000", 32 * 2 * 16 * 392 * 4e-6, LS_HELD_BY_CACHE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *layers = g_strdup_printf ("flatten, dense %u, relu, dense 10", known[i].batch),
                      *text = g_strconcat (
                        "units=1,lanes=32,clock=1,wait=0,launch=0,l2-rate=1000000,memory=100000",
                        *known[i].assumed != '\0' ? "," : "", known[i].assumed, NULL);
      g_autoptr (LsPlan) plan = plan_of (layers, known[i].batch);
      const LsMachineOp *first = NULL;
      LsAssumed assumed;

      assume (&ls_machine_simt, text, &assumed);
      g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_simt, plan, &assumed);
      for (guint o = 0; first == NULL && o < run->ops->len; o++)
        if (plan->ops[g_array_index (run->ops, LsMachineOp, o).op].attr.k == 784)
          first = &g_array_index (run->ops, LsMachineOp, o);
      if (first == NULL)
        g_error ("“%s”: the product of 784 isn’t among what was run", known[i].assumed);
      /* bias and relu are done beside it, and parts are added up: some clocks more */
      const double us = first->seconds * 1e6;
      if (us < known[i].us - 1e-6 || us > known[i].us * 1.04)
        g_error ("“%s”: the product takes %.4f µs, by hand %.4f", known[i].assumed, us, known[i].us);
      if (first->held_by != known[i].held_by)
        g_error ("“%s”: what holds it up is “%s”, not “%s”", known[i].assumed,
                 ls_held_by_name (first->held_by), ls_held_by_name (known[i].held_by));
      g_assert_cmpfloat_with_epsilon (first->useful, 1, 1e-9);
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

/* How much longer a convolution takes with vectors of 64 than with single numbers: of 784 pixels 13 vectors
 * are computed, and towards the weights one of 20 outputs. */
static void
test_lanes (void)
{
  g_autoptr (LsPlan) plan = plan_of ("conv 20 3 pad 1, conv 16 3 pad 1, flatten, dense 10", 4);
  LsAssumed wide, single;
  guint seen = 0;

  assume (&ls_machine_cpu, "cores=1,rate=100,share=1,lanes=64", &wide);
  assume (&ls_machine_cpu, "cores=1,rate=100,share=1,lanes=1", &single);
  g_autoptr (LsMachineRun) run = ls_machine_run (&ls_machine_cpu, plan, &wide);
  g_autoptr (LsMachineRun) plain = ls_machine_run (&ls_machine_cpu, plan, &single);
  for (guint i = 0; i < run->ops->len; i++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, i);
      const LsOp *head = &plan->ops[op->op];
      const double more = op->seconds - g_array_index (plain->ops, LsMachineOp, i).seconds,
                   products = 2. * head->attr.m * head->attr.n * head->attr.k / 1e11;
      const gboolean weights = head->klass == &ls_op_conv2d_dw;
      const double outputs = weights ? plan->tensors[head->out[0]].shape[0] : 0,
                   share = weights ? 64 / outputs - 1 : 13 * 64 / 784. - 1;

      if (head->attr.kernel == 0)
        continue;
      g_test_message ("%s of %s", head->klass->name, plan->tensors[head->out[0]].symbol);
      g_assert_cmpfloat_with_epsilon (more, products * share, products * 1e-9);
      seen++;
    }
  g_assert_cmpuint (seen, ==, 5); /* forward twice, towards X once, towards the weights twice */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machines/occupancy", test_occupancy);
  g_test_add_func ("/machines/warps", test_warps);
  g_test_add_func ("/machines/last-turn", test_last_turn);
  g_test_add_func ("/machines/parts", test_parts);
  g_test_add_func ("/machines/cuts", test_cuts);
  g_test_add_func ("/machines/product-held", test_product_held);
  g_test_add_func ("/machines/fpga", test_fpga);
  g_test_add_func ("/machines/spiking", test_spiking);
  g_test_add_func ("/machines/int8", test_int8);
  g_test_add_func ("/machines/packing", test_packing);
  g_test_add_func ("/machines/lanes", test_lanes);
  return g_test_run ();
}
