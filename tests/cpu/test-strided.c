/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gradients back through a convolution whose windows move by more than one pixel: made phase by phase, and
 * the same bits as through one that moves by one, over rows and columns of zeros between. Each product of a
 * sum is so in the same block of it, and no other lane adds up otherwise.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "core/rng.h"

#define SEED 13

typedef struct {
  gint64 outputs, channels, kernel, stride, pad, rows, cols; /* of dY */
} Case;

static const Case cases[] = {
  { 64, 3, 3, 2, 1, 5, 6 }, { 29, 5, 3, 2, 1, 7, 4 },  { 30, 4, 3, 3, 0, 4, 5 }, { 12, 2, 5, 2, 2, 6, 5 },
  { 11, 3, 5, 3, 1, 4, 4 }, { 200, 2, 2, 2, 0, 3, 5 }, { 6, 1, 7, 2, 3, 5, 5 },  { 300, 2, 1, 2, 0, 4, 3 },
  { 40, 3, 2, 3, 0, 4, 4 }, { 1, 1, 3, 2, 1, 1, 1 },
};

/* (transfer full) */
static float *
some (guint which, gint64 n)
{
  float *values = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    values[i] = (float) ls_rng_normal (SEED, LS_STREAM_TEST, which, (guint64) i);
  return values;
}

/* dX of that dY, on the CPU lane. (transfer full) */
static float *
gradient (const LsOptions *options, const LsOpTest *test, const float *dy, const float *weights, gint64 n)
{
  g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_conv2d_dx, test, NULL);
  LsCpu *self = ls_backend_cpu.open (options, 0, NULL);
  const LsRun run = { .n_ops = 1, .n_steps = 1 };
  LsRunResult result = { 0 };
  float *dx = g_new (float, n);

  g_assert_nonnull (plan);
  g_assert_cmpint (ls_tensor_count (&plan->tensors[plan->ops[0].out[0]]), ==, n);
  g_assert_true (ls_backend_cpu.prepare (self, plan, NULL, NULL));
  g_assert_true (ls_backend_cpu.write (self, plan->ops[0].in[0], dy, NULL));
  g_assert_true (ls_backend_cpu.write (self, plan->ops[0].in[1], weights, NULL));
  g_assert_true (ls_backend_cpu.run (self, &run, &result, NULL));
  g_assert_true (ls_backend_cpu.read (self, plan->ops[0].out[0], dx, NULL));
  ls_backend_cpu.close (self);
  return dx;
}

static void
test_blocks (void)
{
  const gint64 batch = 2;
  g_autoptr (LsOptions) options = ls_options_new ();
  guint blocks = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      const gint64 high = (c->rows - 1) * c->stride + 1, wide = (c->cols - 1) * c->stride + 1,
                   height = high + c->kernel - 1 - 2 * c->pad, width = wide + c->kernel - 1 - 2 * c->pad,
                   n = batch * c->channels * height * width, planes = batch * c->outputs;
      const LsOpTest strided
        = { .in = { { batch, c->outputs, c->rows, c->cols },
                    { c->outputs, c->channels, c->kernel, c->kernel },
                    { batch, c->channels, height, width } },
            .attr = { .kernel = (gint) c->kernel, .stride = (gint) c->stride, .pad = (gint) c->pad } },
        plain = { .in = { { batch, c->outputs, high, wide },
                          { c->outputs, c->channels, c->kernel, c->kernel },
                          { batch, c->channels, height, width } },
                  .attr = { .kernel = (gint) c->kernel, .stride = 1, .pad = (gint) c->pad } };
      g_autofree float *dy = some (10 * i, planes * c->rows * c->cols),
                       *weights = some (10 * i + 1, c->outputs * c->channels * c->kernel * c->kernel),
                       *between = g_new0 (float, planes *high *wide);

      for (gint64 p = 0; p < planes; p++)
        for (gint64 r = 0; r < c->rows; r++)
          for (gint64 s = 0; s < c->cols; s++)
            between[(p * high + r * c->stride) * wide + s * c->stride] = dy[(p * c->rows + r) * c->cols + s];
      blocks += c->outputs * c->kernel * c->kernel > LS_SUM_BLOCK;
      for (gint kernels = 0; kernels < LS_CPU_KERNELS_N; kernels++)
        {
          options->cpu_kernels = kernels;
          g_autofree float *is = gradient (options, &strided, dy, weights, n),
                           *should = gradient (options, &plain, between, weights, n);
          for (gint64 k = 0; k < n; k++)
            if (memcmp (&is[k], &should[k], sizeof (float)) != 0)
              g_error ("rung %d, %d outputs, windows of %d by %d pixels: element %d of dX is %.9g, and %.9g "
                       "with zeros "
                       "between",
                       kernels, (gint) c->outputs, (gint) c->kernel, (gint) c->stride, (gint) k,
                       (double) is[k], (double) should[k]);
        }
    }
  g_assert_cmpuint (blocks, >, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/strided/blocks", test_blocks);
  return g_test_run ();
}
