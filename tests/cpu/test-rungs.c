/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU lane's rungs (--cpu-kernels) against each other: the same bits from every product and from whole
 * steps, changed while it trains; and what the lane says of itself. Each op against the reference:
 * test-kernels.c; that the first two aren't vectorised: never-vectorised.sh.
 */
#include <string.h>

#include "backends/cpu/blas.h"
#include "backends/cpu/cpu.h"
#include "core/rng.h"
#include "tests/cpu/rig.h"

#define SEED 11

/* Where a vector, a micro-tile, a block of the sum ends, one less and one more; and primes. */
static const gint64 edges[] = { 1, 2, 3, 4, 5, 13, 17, 255, 256, 257, 521 };

static gint64
edge (guint i)
{
  return edges[ls_rng_u32 (SEED, LS_STREAM_TEST, 200, i) % G_N_ELEMENTS (edges)];
}

static float *
some_matrix (guint which, gint64 count)
{
  float *values = g_new (float, count);

  for (gint64 i = 0; i < count; i++)
    values[i] = (float) ls_rng_normal (SEED, LS_STREAM_TEST, 300 + which, (guint64) i);
  return values;
}

static void
update_by_itself (float *gradient, float *weight, float *velocity, gint64 m, gint64 n, gint64 ldc)
{
  const LsHyper hyper = { .lr = 0.1, .momentum = 0.9 };
  const LsOpCall call = { .op = NULL, .out = { weight, velocity }, .hyper = &hyper };

  ls_cpu_rect_sgd (&call, gradient, gradient, &(LsCpuRect){ 0, m, n, ldc });
}

/* A product whose sums go straight into weights, and product and update one after the other: the same bits,
 * and nothing between two rows is touched. */
static void
check_update (gboolean ta, gboolean tb, gint64 m, gint64 n, gint64 k, const float *a, gint64 lda,
              const float *b, gint64 ldb, gint64 ldc)
{
  const gsize bytes = (gsize) (m * ldc) * sizeof (float);
  g_autofree float *gradient = some_matrix (2, m * ldc), *weight = some_matrix (3, m * ldc),
                   *velocity = some_matrix (4, m * ldc);

  ls_gemm_loops (ta, tb, m, n, k, a, lda, b, ldb, LS_GEMM_NEW, gradient, ldc);
  update_by_itself (gradient, weight, velocity, m, n, ldc);
  for (guint way = 0; way < 2; way++)
    {
      g_autofree float *c = some_matrix (2, m * ldc), *w = some_matrix (3, m * ldc),
                       *v = some_matrix (4, m * ldc);
      const LsGemmUpdate update = { w, v, 0.1f, 0.9f };
      if (way == 0)
        ls_gemm_update (ta, tb, m, n, k, a, lda, b, ldb, c, ldc, &update);
#if LS_GEMM_X86
      else if (ls_gemm_loop_floats () == 16)
        ls_gemm_update_8 (ta, tb, m, n, k, a, lda, b, ldb, LS_GEMM_NEW, c, ldc, &update);
#endif
      else
        break;
      if (memcmp (v, velocity, bytes) != 0 || memcmp (w, weight, bytes) != 0)
        g_error ("%d×%d×%d, ta %d, tb %d, %s: an update with the sums has other bits than one after them: %s",
                 (int) m, (int) n, (int) k, ta, tb, way ? "8 floats" : "the lane’s loops",
                 memcmp (v, velocity, bytes) != 0 ? "velocity" : "weight");
    }
}

static void
check_product (gboolean ta, gboolean tb, LsGemmStart start, gint64 m, gint64 n, gint64 k, gint64 lda,
               gint64 ldb, gint64 ldc)
{
  static const struct {
    const char *name;
    LsGemmFunc product;
  } rungs[] = {
    { "naive loops", ls_gemm_naive },
    { "scalar loops", ls_gemm_scalar },
    { "as the lane chooses", ls_gemm },
#if LS_GEMM_X86
    { "loops of 8 floats", ls_gemm_loops_8 }, /* fused like those of 16 */
#endif
  };
  g_autofree float *a = some_matrix (0, (ta ? k : m) * lda), *b = some_matrix (1, (tb ? n : k) * ldb);
  g_autofree float *expected = some_matrix (2, m * ldc);
  const gint64 first = k / 3, step_a = ta ? first * lda : first, step_b = tb ? first : first * ldb;

  if (start == LS_GEMM_NEW && ls_cpu_rungs[LS_CPU_KERNELS_VECTOR].updates)
    check_update (ta, tb, m, n, k, a, lda, b, ldb, ldc);
  ls_gemm_loops (ta, tb, m, n, k, a, lda, b, ldb, start, expected, ldc);
  for (guint i = 0; i < G_N_ELEMENTS (rungs) && (i < 3 || ls_gemm_loop_floats () == 16); i++)
    {
      g_autofree float *c = some_matrix (2, m * ldc);
      rungs[i].product (ta, tb, m, n, k, a, lda, b, ldb, start, c, ldc);
      /* to the rows' ends: what lies between two rows isn't touched */
      if (memcmp (c, expected, (gsize) (m * ldc) * sizeof (float)) != 0)
        g_error ("%s: %d×%d×%d, ta %d, tb %d, start %u: not the bits of the vectorised loops", rungs[i].name,
                 (int) m, (int) n, (int) k, ta, tb, start);
      if (start != LS_GEMM_GO_ON || first == 0)
        continue;
      /* a chain in two pieces is the chain */
      g_autofree float *pieces = some_matrix (2, m * ldc);
      rungs[i].product (ta, tb, m, n, first, a, lda, b, ldb, LS_GEMM_GO_ON, pieces, ldc);
      rungs[i].product (ta, tb, m, n, k - first, a + step_a, lda, b + step_b, ldb, LS_GEMM_GO_ON, pieces,
                        ldc);
      if (memcmp (expected, pieces, (gsize) (m * ldc) * sizeof (float)) != 0)
        g_error ("%s: %d×%d×%d, ta %d, tb %d: a chain in two pieces has other bits", rungs[i].name, (int) m,
                 (int) n, (int) k, ta, tb);
    }
}

static void
test_products (void)
{
  for (guint trial = 0; trial < 180; trial++)
    {
      const gboolean ta = trial & 1, tb = trial & 2;
      const LsGemmStart start = (LsGemmStart) (trial / 4 % 3);
      const gint64 m = MIN (edge (3 * trial), 64), n = MIN (edge (3 * trial + 1), 64),
                   k = edge (3 * trial + 2);

      check_product (ta, tb, start, m, n, k, (ta ? m : k) + trial % 3, (tb ? k : n) + trial % 5,
                     n + trial % 2);
    }
  /* so large that OpenBLAS has all but the sum's last block, where it keeps the order; and one whose rows
   * don't fill vectors, but whose columns do */
  g_test_message ("large products are %s", ls_gemm_uses_blas () ? "OpenBLAS's" : "the loops'");
  for (guint start = LS_GEMM_NEW; start <= LS_GEMM_GO_ON; start++)
    {
      check_product (FALSE, FALSE, (LsGemmStart) start, 400, 320, 300, 300, 320, 320);
      check_product (FALSE, TRUE, (LsGemmStart) start, 64, 3, 600, 600, 600, 3);
      /* rows of a transposed A that a cache has room for in one set alone are copied elsewhere */
      check_product (TRUE, FALSE, (LsGemmStart) start, 40, 300, 130, 1024, 300, 1024);
      check_product (TRUE, FALSE, (LsGemmStart) start, 8, 128, 257, 2048, 128, 128);
      check_product (TRUE, FALSE, (LsGemmStart) start, 7, 129, 600, 1024, 1024, 131);
      check_product (TRUE, FALSE, (LsGemmStart) start, 270, 130, 256, 1024, 130, 130);
      check_product (TRUE, FALSE, (LsGemmStart) start, 280, 130, 256, 1024, 130, 130);
    }
}

/* Zero, and a chain that goes on from there: the block that a product begins with. */
static void
test_goes_on (void)
{
  g_autofree float *a = some_matrix (0, 7 * 200), *b = some_matrix (1, 200 * 33);
  float whole[7 * 33], chain[7 * 33] = { 0 };

  ls_gemm_loops (FALSE, FALSE, 7, 33, 200, a, 200, b, 33, LS_GEMM_NEW, whole, 33);
  ls_gemm_loops (FALSE, FALSE, 7, 33, 77, a, 200, b, 33, LS_GEMM_GO_ON, chain, 33);
  ls_gemm_loops (FALSE, FALSE, 7, 33, 123, a + 77, 200, b + 77 * 33, 33, LS_GEMM_GO_ON, chain, 33);
  g_assert_cmpmem (chain, sizeof chain, whole, sizeof whole);
}

/* One row by a transposed matrix has loops of its own: in columns of 4·VEC, in fours along k, in blocks. */
static void
test_one_row (void)
{
  static const gint64 columns[] = { 1, 15, 16, 31, 32, 33, 48, 63, 64, 65, 97, 160 },
                      ks[] = { 1, 2, 3, 4, 5, 7, 8, 255, 256, 257, 259, 260, 511, 513, 1000 };

  for (gsize n = 0; n < G_N_ELEMENTS (columns); n++)
    for (gsize k = 0; k < G_N_ELEMENTS (ks); k++)
      for (gint64 gap = 0; gap < 2; gap++)
        check_product (FALSE, TRUE, (LsGemmStart) ((n + k + (gsize) gap) % 3), 1, columns[n], ks[k], ks[k],
                       ks[k] + 3 * gap, columns[n]);
}

/* What the lane says of itself is what it computes with, also once that is changed. */
static void
test_said (void)
{
  static const struct {
    LsCpuKernels kernels;
    const char *product, *driver;
    LsWay way;
  } rows[] = {
    { LS_CPU_KERNELS_NAIVE, "naive loops", "naive loops", LS_WAY_NAIVE_LOOPS },
    { LS_CPU_KERNELS_SCALAR, "scalar loops", "scalar loops", LS_WAY_SCALAR_LOOPS },
    { LS_CPU_KERNELS_VECTOR, "own loops", "own loops", LS_WAY_OWN_LOOPS },
  };
  g_autoptr (LsOptions) options = ls_options_new ();
  g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_matmul, &ls_op_matmul.tests[3], NULL);
  g_autoptr (LsPlan) conv = ls_plan_new_single (&ls_op_conv2d, &ls_op_conv2d.tests[0], NULL);
  g_autoptr (LsPlan) relu = ls_plan_new_single (&ls_op_relu, &ls_op_relu.tests[0], NULL);
  LsCpu *self = ls_backend_cpu.open (options, 0, NULL);

  g_assert_true (g_str_has_prefix (ls_backend_cpu.device (self)->driver, "OpenBLAS"));
  g_assert_nonnull (ls_backend_cpu.device (self)->core);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *columns = g_strdup_printf ("columns + %s", rows[i].product);

      options->cpu_kernels = (gint) rows[i].kernels;
      g_assert_true (ls_backend_cpu.prepare (self, plan, NULL, NULL));
      g_assert_true (ls_backend_cpu.configure (self, options, NULL));
      const LsDeviceInfo *device = ls_backend_cpu.device (self);
      g_assert_cmpstr (device->driver, ==, rows[i].driver);
      g_assert_null (device->core);
      g_assert_true (device->own_products);
      g_assert_cmpstr (ls_backend_cpu.tilings (self)[0].kernel, ==, rows[i].product);
      g_assert_cmpint (ls_backend_cpu.tilings (self)[0].way, ==, rows[i].way);
      g_assert_true (ls_backend_cpu.prepare (self, conv, NULL, NULL));
      if (rows[i].kernels < LS_CPU_KERNELS_VECTOR)
        g_assert_cmpstr (ls_backend_cpu.tilings (self)[0].kernel, ==, columns);
      g_assert_true (ls_backend_cpu.prepare (self, relu, NULL, NULL));
      g_assert_cmpstr (ls_backend_cpu.tilings (self)[0].kernel, ==,
                       rows[i].kernels < LS_CPU_KERNELS_VECTOR ? "scalar loop" : "vector loop");
    }
  ls_backend_cpu.close (self);
}

/* Steps on each rung, and with another rung for each step: the same weights. Convolutions are compared among
 * those without vectors: OpenBLAS adds over columns in an order of its own. */
static void
test_steps (void)
{
  static const struct {
    const char *model;
    guint rungs;
  } rows[]
    = { { "mlp", LS_CPU_KERNELS_N },
        { "flatten, dense 33, tanh, dense 10", LS_CPU_KERNELS_N },
        { "lstm 17 all, avgpool 2, layernorm, flatten, dense 33, layernorm, gelu, dropout 0.3, dense 10",
          LS_CPU_KERNELS_N },
        { "conv 5 3 stride 2 pad 2, sigmoid, conv 7 5, relu, maxpool 3 stride 2, flatten, dense 10",
          LS_CPU_KERNELS_SCALAR + 1 } };

  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      g_autoptr (LsOptions) options = ls_options_new ();
      options->threads = 2;
      options->cpu_kernels = LS_CPU_KERNELS_NAIVE;
      Rig *rig = rig_new (&ls_backend_cpu, options, rows[row].model, 7);
      LsRunResult result = { 0 };
      guint64 expected = 0;

      for (guint kernels = 0; kernels <= rows[row].rungs; kernels++)
        {
          rig_reset (rig);
          for (guint step = 0; step < 3; step++)
            {
              const gboolean mixed = kernels == rows[row].rungs;
              options->cpu_kernels = (gint) (mixed ? step % rows[row].rungs : kernels);
              g_assert_true (rig->backend->configure (rig->self, options, NULL));
              rig_run (rig, 1, TRUE, NULL, &result);
            }
          const guint64 hash = rig_hash (rig, LS_ROLE_WEIGHT) ^ rig_hash (rig, LS_ROLE_STATE);
          if (kernels == 0)
            expected = hash;
          else if (hash != expected)
            g_error ("%s: rung %u of --cpu-kernels trains other bits than naive", rows[row].model, kernels);
        }
      rig_free (rig);
    }
}

static float *
values_of (Rig *rig, guint tensor)
{
  float *values = g_malloc (ls_tensor_host_bytes (&rig->plan->tensors[tensor]));

  g_assert_true (rig->backend->read (rig->self, tensor, values, NULL));
  return values;
}

/* A test between two steps drops nothing, and says so in the mask, where the step before left its own. */
static void
test_dropout_off (void)
{
  g_autoptr (LsOptions) options = ls_options_new ();
  Rig *rig = rig_new (&ls_backend_cpu, options, "flatten, dense 33, dropout 0.5, dense 10", 7);
  const LsOp *op = rig->plan->ops;

  while (op->klass != &ls_op_dropout)
    op++;
  for (guint i = 0; i < 2 * LS_CPU_KERNELS_N; i++)
    {
      guint32 index[7] = { 0 };
      const LsBatch batch = { .set = &rig->set, .index = index, .n = 7 };
      const LsHyper test = { 0 }; /* of no step */
      const LsRun run = { .n_ops = rig->plan->first_op[LS_PHASE_LOSS],
                          .n_steps = 1,
                          .batches = &batch,
                          .hyper = &test,
                          .fuse = i % 2 };
      const gint64 n = ls_tensor_count (&rig->plan->tensors[op->out[0]]);
      LsRunResult result = { 0 };
      guint dropped = 0;

      options->cpu_kernels = (gint) (i / 2);
      g_assert_true (rig->backend->configure (rig->self, options, NULL));
      rig_run (rig, 1, run.fuse, NULL, &result);
      g_autofree float *trained = values_of (rig, op->out[1]);
      g_assert_true (rig->backend->run (rig->self, &run, &result, NULL));
      g_autofree float *x = values_of (rig, op->in[0]), *y = values_of (rig, op->out[0]),
                       *mask = values_of (rig, op->out[1]);
      for (gint64 j = 0; j < n; j++)
        {
          dropped += trained[j] == 0;
          if (mask[j] != 1 || (!run.fuse && y[j] != x[j]))
            g_error ("rung %u, %s: element %d of a dropout that is off is %g for %g, and its mask %g", i / 2,
                     run.fuse ? "fused" : "op by op", (gint) j, (double) y[j], (double) x[j],
                     (double) mask[j]);
        }
      g_assert_cmpuint (dropped, >, n / 4);
    }
  rig_free (rig);
}

/* Rungs with vectors update weights with the sums of their gradient, which is never in memory then; the
 * others, and other optimizers, with an op of its own, which reads it there. */
static void
test_updates (void)
{
  for (guint kernels = 0; kernels < LS_CPU_KERNELS_N; kernels++)
    for (guint fuse = 0; fuse < 2; fuse++)
      {
        g_autoptr (LsOptions) options = ls_options_new ();
        options->threads = 2;
        options->cpu_kernels = (gint) kernels;
        Rig *rig = rig_new (&ls_backend_cpu, options, "flatten, dense 24, relu, dense 10", 7);
        const LsParam *param = &rig->plan->params[0];
        LsRunResult result = { 0 };
        gint64 written = 0;

        rig_run (rig, 1, fuse, NULL, &result);
        g_autofree float *gradient = values_of (rig, param->gradient);
        for (gint64 i = 0; i < ls_tensor_count (&rig->plan->tensors[param->gradient]); i++)
          written += gradient[i] != 0;
        if ((written == 0) != (fuse && ls_cpu_rungs[kernels].updates))
          g_error ("rung %u, %s: %d numbers of a gradient are in memory", kernels,
                   fuse ? "fused" : "op by op", (int) written);
        rig_free (rig);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_blas_init (); /* a thread for each caller, as in the program */
  g_test_add_func ("/cpu/rungs/products", test_products);
  g_test_add_func ("/cpu/rungs/one-row", test_one_row);
  g_test_add_func ("/cpu/rungs/goes-on", test_goes_on);
  g_test_add_func ("/cpu/rungs/said", test_said);
  g_test_add_func ("/cpu/rungs/steps", test_steps);
  g_test_add_func ("/cpu/rungs/dropout-off", test_dropout_off);
  g_test_add_func ("/cpu/rungs/updates", test_updates);
  return g_test_run ();
}
