/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids: they cover the output, keep to a wish where the shape allows, give large ops work for every worker
 * and small ops one tile, and depend on nothing but shape and wish.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/grid.h"

static LsPlan *
plan_of (const char *model, guint batch)
{
  g_autoptr (GError) error = NULL;
  LsModel *parsed = ls_model_parse (model, &error);
  LsPlan *plan = ls_plan_new (parsed, (const gint64[]){ 1, 28, 28 }, 10, batch, LS_OPTIMIZER_SGD, &error);

  g_assert_no_error (error);
  ls_model_free (parsed);
  return plan;
}

static LsTiling
tiling_of (const LsPlan *plan, guint op, guint wished, gboolean automatic)
{
  LsTiling t;

  memset (&t, 0, sizeof t);
  t.splits = 1;
  ls_cpu_kernel_find (&plan->ops[op], plan, &ls_cpu_rungs[LS_CPU_KERNELS_BLAS])
    ->grid (&plan->ops[op], plan, wished, automatic, &t);
  return t;
}

/* As many columns as no tile's edge is within: a sample's, a plane's, or a cache line's. */
static gint64
unit_of (const LsPlan *plan, const LsOp *op)
{
  const LsCpuKernel *kernel = ls_cpu_kernel_find (op, plan, &ls_cpu_rungs[LS_CPU_KERNELS_BLAS]);
  const LsTensor *out = &plan->tensors[op->out[0]];
  gint64 rows, cols;

  ls_tiling_output_matrix (out->shape, out->rank, &rows, &cols);
  return kernel->grid == ls_cpu_grid_samples    ? cols
         : kernel->grid == ls_cpu_grid_planes   ? out->shape[2] * out->shape[3]
         : kernel->grid == ls_cpu_grid_elements ? 64 / (gint64) sizeof (float)
                                                : 1;
}

static void
test_cover (void)
{
  static const char *const models[] = { "mlp", "cnn",
                                        "conv 3 5 stride 2, relu, flatten, dense 17, dense 10" };
  static const guint batches[] = { 1, 7, 128 }, wishes[] = { 1, 2, 3, 8, 13, 64, 1000, 16000 };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    for (guint b = 0; b < G_N_ELEMENTS (batches); b++)
      {
        g_autoptr (LsPlan) plan = plan_of (models[m], batches[b]);
        for (guint op = 0; op < plan->n_ops; op++)
          for (guint w = 0; w < 2 * G_N_ELEMENTS (wishes); w++)
            {
              guint wished = wishes[w / 2];
              const gint64 unit = unit_of (plan, &plan->ops[op]);
              LsTiling t = tiling_of (plan, op, wished, w % 2), again = tiling_of (plan, op, wished, w % 2);

              g_assert_cmpmem (&t, sizeof t, &again, sizeof again);
              g_assert_cmpint (t.tile_rows * t.grid_rows, >=, t.rows);
              g_assert_cmpint (t.tile_cols * t.grid_cols, >=, t.cols);
              g_assert_cmpint (t.tile_rows * (t.grid_rows - 1), <, t.rows);
              g_assert_cmpint (t.tile_cols * (t.grid_cols - 1), <, t.cols);
              if (t.tile_cols % unit != 0 && t.tile_cols < t.cols)
                g_error ("%s of “%s”, batch %u, for %u tiles: one has %" G_GINT64_FORMAT
                         " columns, in which %" G_GINT64_FORMAT " belong together",
                         plan->ops[op].klass->name, models[m], batches[b], wished, t.tile_cols, unit);
              g_assert_cmpuint (t.grid_rows * t.grid_cols, <=, MAX (wished / t.splits, 1));
              /* parts of a sum are no one's wish, or the bits would be */
              g_assert_cmpuint (t.splits, ==, tiling_of (plan, op, 1, FALSE).splits);
              g_assert_cmpuint (t.splits, <=, batches[b]);
            }
      }
}

static guint
count_of (const LsTiling *t)
{
  return t->grid_rows * t->grid_cols * t->splits;
}

static void
test_sizes (void)
{
  g_autoptr (LsPlan) plan = plan_of ("mlp", 128);

  for (guint op = 0; op < plan->n_ops; op++)
    {
      const LsOp *o = &plan->ops[op];
      gboolean large = o->klass == &ls_op_matmul && o->flops > 40e6;
      gboolean tiny = o->flops + o->bytes < 30000;

      for (guint workers = 1; workers <= 16; workers *= 2)
        {
          LsTiling t = tiling_of (plan, op, workers * LS_CPU_TILES_PER_WORKER, TRUE);
          if (large)
            {
              g_assert_cmpuint (count_of (&t), >=, workers);
              g_assert_cmpuint (count_of (&t) % workers, ==, 0);
            }
          if (tiny)
            g_assert_cmpuint (count_of (&t), ==, 1);
        }
      if (large)
        for (guint wished = 1; wished <= 64; wished *= 2)
          {
            LsTiling t = tiling_of (plan, op, wished, FALSE);
            g_assert_cmpuint (count_of (&t), ==, wished);
          }
    }
}

/* A tile is worth handing out: a product's has a million FLOP, all else's takes 3 µs, with 30 bytes and 16
 * operations a nanosecond; where a person wishes for tiles to look at, 20 000, and 100 ns. And what is worth
 * two workers has two tiles. */
static void
test_worth (void)
{
  static const char *const models[] = { "mlp", "cnn", "flatten, dense 64, layernorm, gelu, dense 10" };
  static const guint batches[] = { 64, 96, 128, 500 };
  guint n_split = 0, n_whole = 0;

  for (guint m = 0; m < G_N_ELEMENTS (models) * G_N_ELEMENTS (batches) * 2; m++)
    {
      const gboolean automatic = m % 2;
      g_autoptr (LsPlan) plan = plan_of (models[m / 2 / G_N_ELEMENTS (batches)],
                                         batches[m / 2 % G_N_ELEMENTS (batches)]);

      for (guint op = 0; op < plan->n_ops; op++)
        {
          const LsOp *o = &plan->ops[op];
          const gboolean product = o->klass == &ls_op_matmul || g_str_has_prefix (o->klass->name, "conv2d");
          const double worth = product ? (double) o->flops / (automatic ? 1e6 : 2e4)
                                       : ((double) o->bytes / 30 + (double) o->flops / 16)
                                           / (automatic ? 3000 : 100);
          const LsTiling t = tiling_of (plan, op, 2 * LS_CPU_TILES_PER_WORKER, automatic);
          const guint n = t.grid_rows * t.grid_cols; /* parts are no one's choice */

          if (o->klass == &ls_op_mean)
            continue;
          if (n > 1 && n > worth)
            g_error ("%s, %s: %u tiles, of which %.2f are worth it", plan->ops[op].symbol, t.kernel, n,
                     worth);
          if (n == 1 && worth >= 2.01 && t.splits == 1 && t.rows >= 32)
            g_error ("%s: one tile, though %.2f are worth it", plan->ops[op].symbol, worth);
          n_split += n > 1;
          n_whole += n == 1;
        }
    }
  g_assert_cmpuint (n_split, >, 20);
  g_assert_cmpuint (n_whole, >, 20);
}

/* The op with that symbol. */
static guint
op_of (const LsPlan *plan, const char *symbol)
{
  for (guint i = 0; i < plan->n_ops; i++)
    if (g_str_equal (plan->ops[i].symbol, symbol))
      return i;
  g_error ("there is no op %s", symbol);
}

/* Of few samples: a tile for each worker where nothing but forward and the update read a layer's weights, or
 * where these are more than a core holds, and then each worker has whole rows of them; else one tile. */
static void
test_few_samples (void)
{
  static const char wide[] = "flatten, dense 1024, relu, dense 1024, relu, dense 10";
  static const struct {
    const char *model;
    guint batch;
    const char *forward, *gradient;
    gboolean shared;
  } cases[] = {
    { "mlp", 1, "Z₁", "dW₁", TRUE },  { "mlp", 4, "Z₁", "dW₁", TRUE },  { "mlp", 1, "Z₂", "dW₂", FALSE },
    { "mlp", 1, "Z₃", "dW₃", FALSE }, { "cnn", 1, "Z₃", "dW₃", FALSE }, { wide, 1, "Z₂", "dW₂", TRUE },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsPlan) plan = plan_of (cases[c].model, cases[c].batch);
      const guint ops[] = { op_of (plan, cases[c].forward), op_of (plan, cases[c].gradient) };

      for (guint workers = 2; workers <= 4; workers++)
        for (guint i = 0; i < G_N_ELEMENTS (ops); i++)
          {
            const LsTiling t = tiling_of (plan, ops[i], workers * LS_CPU_TILES_PER_WORKER, TRUE);
            const guint outputs = i == 0 ? t.grid_cols : t.grid_rows;
            const guint expected = cases[c].shared ? workers : 1;

            if (count_of (&t) != expected || outputs != expected)
              g_error ("%s, batch %u, %u workers: %s has %u×%u tiles", cases[c].model, cases[c].batch,
                       workers, plan->ops[ops[i]].symbol, t.grid_rows, t.grid_cols);
          }
    }
}

/* So few tiles that they are counted: workers have whole rows of the weights in forward and in the update. */
static void
test_same_share (void)
{
  for (guint batch = 8; batch <= 40; batch += 4)
    {
      g_autoptr (LsPlan) plan = plan_of ("mlp", batch);
      const LsTiling z = tiling_of (plan, op_of (plan, "Z₁"), 2 * LS_CPU_TILES_PER_WORKER, TRUE),
                     dw = tiling_of (plan, op_of (plan, "dW₁"), 2 * LS_CPU_TILES_PER_WORKER, TRUE);

      if (z.grid_rows != 1 || z.grid_cols % 2 != 0 || dw.grid_rows % 2 != 0)
        g_error ("batch %u: Z₁ has %u×%u tiles, dW₁ %u×%u: two workers’ shares aren’t the same weights",
                 batch, z.grid_rows, z.grid_cols, dw.grid_rows, dw.grid_cols);
    }
}

/* A recurrent layer's product of each time step: a worker has the same rows in all of them, where it has
 * enough. */
static void
test_same_rows (void)
{
  static const struct {
    const char *model, *op;
    guint batch, workers;
    gint64 rows; /* of a tile */
    guint cols;  /* of tiles */
  } cases[] = {
    { "lstm", "p₂", 128, 2, 64, 4 },
    { "lstm", "p₂", 128, 3, 44, 4 }, /* rows are divided by fours */
    { "lstm", "p₂", 64, 2, 32, 4 },
    { "lstm", "dh₂", 128, 2, 64, 4 },
    /* as any product: of few rows, with weights that a core doesn't hold, that are used once, and once again
       backward */
    { "lstm", "p₂", 60, 2, 60, 4 },
    { "lstm", "p₂", 128, 5, 64, 5 },
    { "lstm 640 last, dense 10", "p₂", 128, 2, 128, 8 },
    { "mlp", "Z₁", 128, 2, 128, 4 },
    { "mlp", "Z₂", 128, 2, 64, 2 },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (LsPlan) plan = plan_of (cases[c].model, cases[c].batch);
      const guint workers = cases[c].workers;
      const LsTiling t = tiling_of (plan, op_of (plan, cases[c].op), workers * LS_CPU_TILES_PER_WORKER, TRUE);

      g_test_message ("%s, batch %u, %u workers: %s in %u×%u tiles of %d rows", cases[c].model,
                      cases[c].batch, workers, cases[c].op, t.grid_rows, t.grid_cols, (int) t.tile_rows);
      g_assert_cmpint (t.tile_rows, ==, cases[c].rows);
      g_assert_cmpuint (t.grid_cols, ==, cases[c].cols);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/grid/cover", test_cover);
  g_test_add_func ("/cpu/grid/sizes", test_sizes);
  g_test_add_func ("/cpu/grid/worth", test_worth);
  g_test_add_func ("/cpu/grid/few-samples", test_few_samples);
  g_test_add_func ("/cpu/grid/same-share", test_same_share);
  g_test_add_func ("/cpu/grid/same-rows", test_same_rows);
  return g_test_run ();
}
