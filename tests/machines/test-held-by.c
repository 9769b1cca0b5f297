/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds up a pipeline's stages, an array's products and those of tensor cores, on both sides of each
 * limit, with their times by hand; and the largest batch for so many bytes, to the byte.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "machines/fit.h"
#include "machines/systolic.h"
#include "tests/machines/plan-rig.h"

static LsMachineRun *
run_of (const LsMachine *machine, const LsPlan *plan, const char *text)
{
  g_autoptr (GError) error = NULL;
  LsAssumed assumed;

  ls_machine_assume (machine, &assumed);
  ls_machine_say (machine, text, &assumed, &error);
  g_assert_no_error (error);
  return ls_machine_run (machine, plan, &assumed);
}

/* The product with that many products to a sum. */
static const LsMachineOp *
product_of (const LsPlan *plan, const LsMachineRun *run, gint64 k)
{
  for (guint o = 0; o < run->ops->len; o++)
    {
      const LsMachineOp *op = &g_array_index (run->ops, LsMachineOp, o);
      if (plan->ops[op->op].attr.k == k)
        return op;
    }
  g_error ("the product of %d isn’t among what was run", (gint) k);
}

static void
assert_held (const char *assumed, const LsMachineOp *op, double seconds, LsHeldBy held_by)
{
  if (fabs (op->seconds / seconds - 1) > 1e-9)
    g_error ("“%s”: it takes %.9g s, by hand %.9g", assumed, op->seconds, seconds);
  if (op->held_by != held_by)
    g_error ("“%s”: what holds it up is “%s”, not “%s”", assumed, ls_held_by_name (op->held_by),
             ls_held_by_name (held_by));
}

/* ---- tensor cores ---- */

/* Each square of C is made of a row of tiles of A and a column of tiles of B, in numbers of 16 bits, which
 * all come out of the second cache: where that is slow, they are the product's time, whatever the tensors
 * hold. */
static void
test_tiles (void)
{
  static const char slow[] = "units=1,cores=1,rate=65536,clock=20,lanes=1024,wait=0,launch=0,l2-rate=1,"
                             "memory=100000";
  static const struct {
    const char *network;
    guint batch;
    double squares, edge;
  } rows[] = {
    { "flatten, dense 256, relu, dense 10", 256, 4, 128 },
    { "flatten, dense 64, relu, dense 10", 256, 4, 64 },
    { "flatten, dense 384, relu, dense 10", 256, 6, 128 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = plan_of (rows[i].network, rows[i].batch);
      g_autoptr (LsMachineRun) run = run_of (&ls_machine_tensor, plan, slow);

      assert_held (rows[i].network, product_of (plan, run, 784),
                   rows[i].squares * 2 * rows[i].edge * 784 * 2 / 1e9, LS_HELD_BY_CACHE);
    }
}

/* ---- a pipeline's stage ---- */

/* 784 · 16 multiply-adds a sample, and with a multiplier as many clocks from one sample to the next, plus
 * some for bias and relu; four samples. A stage is held up by filling where going through it takes longer
 * than all of its samples do, one behind the other, and by memory where weights that don't fit are longer on
 * their way. */
static void
test_stage (void)
{
  g_autoptr (LsPlan) plan = plan_of ("flatten, dense 16, relu, dense 10", 4);
  const double macs = 784 * 16;
  static const struct {
    const char *assumed;
    double depth, clock;
    LsHeldBy held_by;
  } known[] = {
    { "depth=1", 1, 1e6, LS_HELD_BY_COMPUTE },
    { "depth=12000", 12000, 1e6, LS_HELD_BY_COMPUTE },
    { "depth=20000", 20000, 1e6, LS_HELD_BY_COMPUTE }, /* more than one sample's */
    { "depth=50000", 50000, 1e6, LS_HELD_BY_COMPUTE },
    { "depth=51000", 51000, 1e6, LS_HELD_BY_FILL }, /* more than four samples' */
    { "depth=100000", 100000, 1e6, LS_HELD_BY_FILL },
    { "depth=100000,clock=100", 100000, 1e8, LS_HELD_BY_FILL },
    /* 50 kB of weights on a chip of 10: 50 kB in a second's ten-thousandth are half a millisecond */
    { "depth=1,chip=.01,memory=.1", 1, 1e6, LS_HELD_BY_COMPUTE },
    { "depth=100000,chip=.01,memory=.1,clock=1000", 100000, 1e9, LS_HELD_BY_MEMORY },
    { "depth=100000,chip=1,memory=.1,clock=1000", 100000, 1e9, LS_HELD_BY_FILL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *text = g_strconcat ("dsp=1,per-mac=1,clock=1,", known[i].assumed, NULL);
      g_autoptr (LsMachineRun) run = run_of (&ls_machine_fpga, plan, text);
      const LsMachineOp *op = product_of (plan, run, 784);
      const double clocks = op->interval * 4 + known[i].depth,
                   /* with its biases */
        weights = 4. * (784 * 16 + 16), memory = weights / 1e8;

      if (op->interval < macs || op->interval > macs + 4 * 16)
        g_error ("“%s”: a sample enters every %g clocks, and has %g multiply-adds", known[i].assumed,
                 op->interval, macs);
      assert_held (known[i].assumed, op,
                   known[i].held_by == LS_HELD_BY_MEMORY ? memory : clocks / known[i].clock,
                   known[i].held_by);
      const double used = op->interval * 4 / known[i].clock / op->seconds;
      if (fabs (op->used - used) > 1e-9)
        g_error ("“%s”: its multipliers work for %g of the time, by hand %g", known[i].assumed, op->used,
                 used);
    }
}

/* ---- an array's product ---- */

/* Weights stay in the cells of one array, tile by tile, while the batch's rows flow through. A tile's rows
 * are followed by the next one's after as many beats as loading its weights takes, at least: where more than
 * half of the beats pass that way filling holds it up; else padding, where less than a quarter of the cells'
 * beats are of any use. */
static void
test_product (void)
{
  static const struct {
    guint batch, k; /* 784: the first layer's, of 64 columns; 64: the second one's, of 10 */
    const char *assumed;
    double beats, start; /* of 1 GHz; seconds */
    LsHeldBy held_by;
  } known[] = {
    /* 49 · 4 tiles of 16 × 16 */
    { 4, 784, "rows=16,columns=16", 16 + 195 * 16 + 4 + 30, 0, LS_HELD_BY_FILL },
    { 6, 784, "rows=16,columns=16", 16 + 195 * 16 + 6 + 30, 0, LS_HELD_BY_FILL },
    { 8, 784, "rows=16,columns=16", 16 + 195 * 16 + 8 + 30, 0, LS_HELD_BY_FILL }, /* 196 · 8 of 3174 beats */
    { 9, 784, "rows=16,columns=16", 16 + 195 * 16 + 9 + 30, 0, LS_HELD_BY_COMPUTE },
    { 16, 784, "rows=16,columns=16", 16 + 195 * 16 + 16 + 30, 0, LS_HELD_BY_COMPUTE },
    { 24, 784, "rows=16,columns=16", 16 + 195 * 24 + 24 + 30, 0, LS_HELD_BY_COMPUTE },
    { 16, 784, "rows=16,columns=16,start=3.2", 16 + 195 * 16 + 16 + 30, 3.2e-6, LS_HELD_BY_START },
    { 16, 784, "rows=16,columns=16,start=3.1", 16 + 195 * 16 + 16 + 30, 3.1e-6, LS_HELD_BY_COMPUTE },
    /* one tile, of whose rows 64 are in use, and of whose columns 10 */
    { 4096, 64, "rows=512,columns=16", 512 + 4096 + 526, 0, LS_HELD_BY_PADDING },
    { 4096, 64, "rows=256,columns=10", 256 + 4096 + 264, 0, LS_HELD_BY_PADDING },
    { 4096, 64, "rows=192,columns=10", 192 + 4096 + 200, 0, LS_HELD_BY_COMPUTE },
    { 4096, 64, "rows=64,columns=16", 64 + 4096 + 78, 0, LS_HELD_BY_COMPUTE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (LsPlan) plan = plan_of ("flatten, dense 64, relu, dense 10", known[i].batch);
      g_autofree char *text = g_strconcat (
                        "start=0,arrays=1,clock=1,vector=1000000,memory=100000,buffer=65536,",
                        known[i].assumed, NULL),
                      *which = g_strdup_printf ("batch %u, %s", known[i].batch, known[i].assumed);
      g_autoptr (LsMachineRun) run = run_of (&ls_machine_systolic, plan, text);
      const LsMachineOp *op = product_of (plan, run, known[i].k);
      const double products = known[i].batch * (known[i].k == 784 ? 784. * 64 : 64. * 10);
      guint rows, cols;

      g_assert_cmpint (sscanf (known[i].assumed, "rows=%u,columns=%u", &rows, &cols), ==, 2);
      assert_held (which, op, known[i].beats / 1e9 + known[i].start, known[i].held_by);
      const double used = products / rows / cols / (op->seconds * 1e9);
      if (fabs (op->used / used - 1) > 1e-9)
        g_error ("%s: its cells are used for %g of the time, by hand %g", which, op->used, used);
    }
}

/* ---- memory ---- */

/* A batch whose bytes are just what there is fits, and with a byte less it doesn't; no more does, and then
 * that isn't because there is no larger one. */
static void
test_largest (void)
{
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 32, relu, dense 10", NULL);
  const LsFit fit = { .model = model, .in_shape = { 1, 28, 28 }, .n_classes = 10, .data_bytes = 123456 };
  static const guint batches[] = { 1, 2, 3, 127, 128, 129, 1000, 65535, LS_FIT_MAX_BATCH };
  static const LsOptimizer optimizers[] = { LS_OPTIMIZER_SGD, LS_OPTIMIZER_ADAM };
  gboolean any;

  for (gsize o = 0; o < G_N_ELEMENTS (optimizers); o++)
    for (gsize i = 0; i < G_N_ELEMENTS (batches); i++)
      {
        LsStepMemory memory, next;
        guint largest;

        g_assert_true (ls_fit_estimate (&fit, batches[i], optimizers[o], &memory));
        g_assert_cmpint (memory.bytes[LS_MEMORY_DATA], ==, 123456);
        const double bytes = (double) ls_step_memory_sum (&memory);
        g_assert_true (ls_fit_estimate (&fit, batches[i] + 1, optimizers[o], &next));
        g_assert_cmpfloat ((double) ls_step_memory_sum (&next), >, bytes);
        largest = ls_fit_largest (&fit, optimizers[o], bytes, &any);
        if (largest != batches[i])
          g_error ("into %.0f bytes, which batch %u takes, batch %u is said to fit", bytes, batches[i],
                   largest);
        g_assert_cmpint (any, ==, batches[i] == LS_FIT_MAX_BATCH);
        largest = ls_fit_largest (&fit, optimizers[o], bytes - 1, &any);
        if (largest != batches[i] - 1)
          g_error ("into a byte less than batch %u takes, batch %u is said to fit", batches[i], largest);
        g_assert_false (any);
      }
  g_assert_cmpuint (ls_fit_largest (&fit, LS_OPTIMIZER_SGD, 1e18, &any), ==, LS_FIT_MAX_BATCH);
  g_assert_true (any);
  g_assert_cmpuint (ls_fit_largest (&fit, LS_OPTIMIZER_SGD, 0, &any), ==, 0);
  g_assert_false (any);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/held-by/tiles", test_tiles);
  g_test_add_func ("/held-by/stage", test_stage);
  g_test_add_func ("/held-by/product", test_product);
  g_test_add_func ("/held-by/largest", test_largest);
  return g_test_run ();
}
