/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk on a device that is played: what each launch is told, which of a kernel's arguments is which buffer,
 * what is made of the words, ticks and results that it leaves, and what is said where none can be.
 */
#include "config.h"
#include "played_device.h"

#include <math.h>

#include "backends/opencl/kernels/kernels.h"
#include "core/error.h"
#include "tests/opencl/tune/product.h"

#define MLP "flatten, dense 24, relu, dense 10"

/* Z₁ is 20 × 24 of 144 products. */
static const struct {
  LsRung rung;
  const char *name;
  guint tile_m, tile_n, tile_k, item_m, item_n, rows, cols;
} rungs[] = {
  { LS_RUNG_NAIVE, "naive", 16, 16, 16, 1, 1, 2, 2 },
  { LS_RUNG_TILED, "tiled", 16, 16, 16, 1, 1, 2, 2 },
  { LS_RUNG_REGISTER, "register", 32, 32, 16, 4, 4, 1, 1 },
  { LS_RUNG_PACKED, "packed", 8, 16, 16, 8, 16, 3, 2 },
};

static void
test_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rungs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsWalk) w = NULL;
      const LsOp *op;
      Step step;
      guint z;

      begin (&step, MLP, "naive", FALSE);
      z = op_of (&step, "Z₁");
      op = &step.lane.plan->ops[z];
      w = walk (&step, z, rungs[i].rung, op->out[0], &error);
      g_assert_no_error (error);
      g_test_message ("%s", rungs[i].name);
      g_assert_cmpuint (w->op, ==, z);
      g_assert_cmpuint (w->rung, ==, rungs[i].rung);
      g_assert_cmpuint (w->tile_m, ==, rungs[i].tile_m);
      g_assert_cmpuint (w->tile_n, ==, rungs[i].tile_n);
      g_assert_cmpuint (w->tile_k, ==, rungs[i].tile_k);
      g_assert_cmpuint (w->item_m, ==, rungs[i].item_m);
      g_assert_cmpuint (w->item_n, ==, rungs[i].item_n);
      g_assert_cmpuint (w->rows, ==, rungs[i].rows);
      g_assert_cmpuint (w->cols, ==, rungs[i].cols);
      g_assert_cmpuint (w->row, ==, MIN (1, rungs[i].rows - 1));
      g_assert_cmpuint (w->col, ==, 0);
      g_assert_cmpint (w->first_m, ==, w->row * w->tile_m);
      g_assert_cmpint (w->products, ==, 144);
      g_assert_cmpuint (w->rounds, ==, 9);
      g_assert_cmpuint (w->kept, ==, 9);
      for (guint c = 0; c < w->tile_n; c++)
        g_assert_cmpint (w->columns[c], ==, c < 24 ? (gint64) c : -1);
      /* the launches: which group, and that the first keeps values and the second none */
      for (guint l = 0; l < 2; l++)
        {
          const guint32 *h = device.header[l];
          const guint row_word = rungs[i].rung == LS_RUNG_PACKED ? LS_CL_WALK_X : LS_CL_WALK_Y;
          g_assert_cmpuint (h[row_word], ==, w->row);
          g_assert_cmpuint (h[LS_CL_WALK_X + LS_CL_WALK_Y - row_word], ==, 0);
          g_assert_cmpuint (h[LS_CL_WALK_Z], ==, 0);
          g_assert_cmpuint (h[LS_CL_WALK_REST], ==, 0);
          g_assert_cmpuint (h[LS_CL_WALK_KEPT], ==, l == 0 ? 144 : 0);
          g_assert_cmpuint (h[LS_CL_WALK_ROUNDS], ==, 9);
          /* 10 rounds with the end, of 5 stamps of two work-items, of 64 bits */
          g_assert_cmpuint (h[LS_CL_WALK_A], ==, 16 + 10 * 5 * 2 * 2);
          g_assert_cmpuint (h[LS_CL_WALK_B], ==, h[LS_CL_WALK_A] + 144 * w->tile_m);
        }
      g_assert_cmpuint (device.launches, ==, 2);
      g_assert_cmpuint (played_bytes (), ==, 0);
      /* the values are those that the first launch left */
      for (guint k = 0; k < 144; k++)
        {
          g_assert_cmpfloat (w->a[k], ==, 1000 + k);
          g_assert_cmpfloat (w->b[k], ==, 5000 + k);
        }
      g_assert_cmpint (w->kernel_ns, ==, 5000);
      g_assert_null (w->times_ns); /* the device has no ticks */
      end (&step);
    }
}

/* At the last group of ragged edges, and of a sum that is longer than what is kept of it: 2²¹ floats, a round
 * of a tiled walk being 16 · (16 + 16). */
static void
test_edges (void)
{
  g_autoptr (LsPlan) plan = product (21, 37, 70003, FALSE, FALSE);
  LsClLaunch launch = { 0 };
  Step step;

  begin (&step, MLP, "naive", FALSE);
  step.lane.cl.plan = plan;
  launch.row = ls_cl_kernel_choose (plan->ops, plan, "tiled", &step.lane.device.limits, launch.values);
  ls_cl_launch_fill (&step.lane.cl, &launch);
  for (guint far = 0; far < 2; far++)
    {
      const LsWalkOrder order = { 0, LS_RUNG_TILED, far ? 99 : 0, far ? 99 : 1, NULL };
      g_autoptr (LsWalk) w = ls_cl_walk_new (&step.lane.cl, &launch, &order);

      g_assert_cmpuint (w->row, ==, far);
      g_assert_cmpuint (w->col, ==, 1 + far);
      g_assert_cmpint (w->first_m, ==, 16 * far);
      for (guint c = 0; c < 16; c++)
        g_assert_cmpint (w->columns[c], ==, w->col * 16 + c < 37 ? (gint64) (w->col * 16 + c) : -1);
      g_assert_cmpint (w->products, ==, 70003);
      g_assert_cmpuint (w->rounds, ==, 4376);
      g_assert_cmpuint (w->kept, ==, 4096);
    }
  step.lane.cl.plan = step.lane.plan;
  end (&step);
}

/* A packed convolution's vectors begin where the device says; where a row is shorter than one, what is behind
 * its end is no column, and a vector that there isn't has none. */
static void
test_columns (void)
{
  static const struct {
    const char *model;
    gint64 edge; /* of the result */
  } rows[] = { { "conv 9 3 pad 1, flatten, dense 10", 12 }, { "conv 9 3 stride 3, flatten, dense 10", 4 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gint64 edge = rows[i].edge;
      g_autofree guint32 *words = NULL;
      g_autoptr (LsWalk) w = NULL;
      Step step;
      guint y = 0;

      begin (&step, rows[i].model, "packed", FALSE);
      while (step.lane.plan->ops[y].klass != &ls_op_conv2d)
        y++;
      {
        const LsWalkOrder order = { y, LS_RUNG_PACKED, 1, 0, NULL };
        w = ls_cl_walk_new (&step.lane.cl, &step.lane.cl.single[y], &order);
      }
      g_assert_cmpuint (w->tile_m, ==, 8);
      g_assert_cmpuint (w->tile_n, ==, 16);
      g_assert_cmpint (w->first_m, ==, 8);
      words = g_new0 (guint32, LS_CL_WALK_HEADER + (gsize) w->kept * w->tile_k * (w->tile_m + w->tile_n));
      words[LS_CL_WALK_A] = LS_CL_WALK_HEADER;
      words[LS_CL_WALK_B] = LS_CL_WALK_HEADER + w->kept * w->tile_k * w->tile_m;
      /* image 2, row 3, from column 1 on; and none */
      words[LS_CL_WALK_SLOTS] = 2;
      words[LS_CL_WALK_SLOTS + 1] = 3;
      words[LS_CL_WALK_SLOTS + 2] = 1;
      words[LS_CL_WALK_SLOTS + 3] = G_MAXUINT32;
      ls_cl_walk_take_values (&step.lane.cl, &step.lane.cl.single[y], w, words);
      for (guint c = 0; c < 16; c++)
        g_assert_cmpint (w->columns[c], ==, c < MIN (8, edge) ? (2 * edge + 3) * edge + 1 + c : -1);
      end (&step);
    }
}

/* Of the lane's own rung as the lane has it, tuned or not; of another one as the table has it, or with the
 * edge that the options ask for. */
static void
test_own (void)
{
  g_autoptr (GError) error = NULL;
  Step step;
  guint z, out;

  begin (&step, MLP, "register", FALSE);
  z = op_of (&step, "Z₁");
  out = step.lane.plan->ops[z].out[0];
  step.lane.cl.single[z].values[LS_CL_REGISTER_TILE_M] = 64;
  step.lane.cl.single[z].values[LS_CL_REGISTER_ITEM_M] = 8;
  step.lane.cl.single[z].values[LS_CL_REGISTER_ITEM_N] = 2;
  for (guint tile = 0; tile < 2; tile++)
    {
      g_autoptr (LsWalk) own = NULL, other = NULL;

      step.lane.cl.tile = tile == 1 ? 8 : 0;
      own = walk (&step, z, LS_RUNG_REGISTER, out, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (own->tile_m, ==, 64);
      g_assert_cmpuint (own->item_m, ==, 8);
      g_assert_cmpuint (own->item_n, ==, 2);
      other = walk (&step, z, LS_RUNG_TILED, out, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (other->tile_m, ==, tile == 1 ? 8 : 16);
      g_assert_cmpuint (other->tile_k, ==, other->tile_m);
      g_assert_cmpuint (other->rounds, ==, 144 / other->tile_k);
    }
  end (&step);
}

/* ---- the result ---- */

/* With bias and ReLU in the launch the bias is the operand, and what comes out is ReLU's; of an op by itself
 * it is its own. */
static void
test_result (void)
{
  for (guint fused = 0; fused < 2; fused++)
    {
      g_autoptr (GError) error = NULL;
      const LsPlan *plan;
      guint z, last;
      Step step;

      begin (&step, MLP, "packed", fused);
      plan = step.lane.plan;
      z = op_of (&step, "Z₁");
      last = z;
      while (fused && step.lane.cl.tilings[last + 1].leader == z)
        last++;
      g_assert_cmpuint (last - z, ==, fused ? 2 : 0);
      device.other = fused ? step.values[plan->ops[z + 1].in[1]] : NULL; /* the bias */
      for (guint off = 0; off < 3; off++)
        {
          g_autoptr (LsWalk) w = NULL;
          device.off = off;
          device.unwritten = 7 * off;
          w = walk (&step, z, LS_RUNG_PACKED, plan->ops[last].out[0], &error);
          g_assert_no_error (error);
          g_assert_cmpint (w->compared, ==, 20 * 24 - 7 * off);
          g_assert_cmpint (w->same, ==, 20 * 24 - 7 * off - off);
          g_assert_cmpfloat (w->delta, ==, off > 0 ? .25 : 0);
        }
      /* an update isn't done twice, and the gradient that it is made of was never written */
      {
        const guint dw = op_of (&step, "dW₁");
        g_autoptr (LsWalk) w = NULL;
        device.off = device.unwritten = 0;
        device.other = NULL;
        w = walk (&step, dw, LS_RUNG_PACKED, plan->ops[dw].out[0], &error);
        g_assert_no_error (error);
        g_assert_cmpint (w->compared, ==, fused ? 0 : 24 * 144);
        g_assert_cmpint (w->same, ==, w->compared);
      }
      end (&step);
    }
}

/* ---- times ---- */

/* A stamp as ticks: the round's, by ten each. */
static void
make_stamps (guint64 *stamps, guint64 first, guint64 each)
{
  for (guint round = 0; round < 10; round++)
    for (guint who = 0; who < 2; who++)
      for (guint s = 0; s < LS_WALK_N_STAMPS; s++)
        stamps[(round * 2 + who) * LS_WALK_N_STAMPS + s] = first + (round * 10 + s + who) * each;
}

/* Where the device's clock has no unit, all groups together are as long as the kernel: 5000 ns in 300 ticks.
 * A phase ends with the later one of both work-items. */
static void
test_times (void)
{
  static const guint64 first = G_GUINT64_CONSTANT (0x3fffffff0); /* its lower half overflows in between */
  guint64 stamps[10 * 2 * LS_WALK_N_STAMPS];

  for (guint ticks = 2; ticks <= 3; ticks++)
    {
      const double each = ticks == 2 ? 4 : 4 * 5000. / 300; /* ns for each four ticks */
      g_autoptr (GError) error = NULL;
      g_autoptr (LsWalk) w = NULL;
      Step step;
      guint z;

      begin (&step, MLP, "tiled", FALSE);
      step.lane.cl.ticks = ticks; /* 2: of nanoseconds */
      make_stamps (stamps, first, 4);
      device.stamps = stamps;
      device.n_stamps = G_N_ELEMENTS (stamps);
      device.ticks[0] = first - 20;
      device.ticks[1] = first + 280;
      z = op_of (&step, "Z₁");
      w = walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error);
      g_assert_no_error (error);
      g_assert_nonnull (w->times_ns);
      for (guint round = 0; round < 10; round++)
        for (guint s = 0; s < LS_WALK_N_STAMPS; s++)
          {
            const guint later = s == LS_WALK_ARRIVED || s == LS_WALK_MULTIPLIED;
            g_assert_cmpint (w->times_ns[round * LS_WALK_N_STAMPS + s], ==,
                             lround ((round * 10 + s + later) * each));
          }
      g_clear_pointer (&w, ls_walk_unref);
      /* what goes backwards isn't believed, nor is a device that stamps nothing */
      stamps[(4 * 2 + 0) * LS_WALK_N_STAMPS + LS_WALK_MULTIPLY] = first;
      w = walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error);
      g_assert_null (w->times_ns);
      g_clear_pointer (&w, ls_walk_unref);
      memset (stamps, 0, sizeof stamps);
      w = walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error);
      g_assert_null (w->times_ns);
      g_assert_cmpint (w->kernel_ns, ==, 5000);
      g_clear_pointer (&w, ls_walk_unref);
      /* a round without a begin began with the one behind it */
      make_stamps (stamps, first, 4);
      stamps[(3 * 2 + 0) * LS_WALK_N_STAMPS + LS_WALK_LOAD] = 0;
      stamps[(5 * 2 + 0) * LS_WALK_N_STAMPS + LS_WALK_PASSED] = 0;
      w = walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error);
      g_assert_cmpint (w->times_ns[3 * LS_WALK_N_STAMPS + LS_WALK_LOAD], ==, lround (40 * each));
      g_assert_cmpint (w->times_ns[5 * LS_WALK_N_STAMPS + LS_WALK_PASSED], ==, -1);
      end (&step);
    }
}

/* ---- what can't be ---- */

/* A product of over 3·10⁸ operations isn't run whole on a processor, for a picture. */
static void
test_alone (void)
{
  for (guint i = 0; i < 3; i++)
    {
      const gboolean alone = i == 0;
      g_autoptr (GError) error = NULL;
      g_autoptr (LsWalk) w = NULL;
      Step step;
      guint z;

      begin (&step, MLP, "tiled", FALSE);
      step.lane.device.limits.is_cpu = i != 1;
      z = op_of (&step, "Z₁");
      step.lane.plan->ops[z].flops = 300000000 + (i != 2);
      device.unwritten = 100;
      w = walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error);
      g_assert_no_error (error);
      g_assert_cmpint (w->alone, ==, alone);
      g_assert_cmpuint (device.header[0][LS_CL_WALK_REST], ==, alone);
      g_assert_cmpuint (device.header[1][LS_CL_WALK_REST], ==, alone);
      g_assert_cmpint (w->compared, ==, 20 * 24 - 100);
      end (&step);
    }
}

static void
test_messages (void)
{
  g_autoptr (GError) error = NULL;
  Step step;
  guint z;

  begin (&step, MLP, "naive", FALSE);
  z = op_of (&step, "Z₁");
  step.lane.device.limits.max_group = 255; /* of 256 that a tile of 16² takes */
  g_assert_null (walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error));
  g_assert_error (error, LS_ERROR, LS_ERROR_DEVICE);
  g_assert_true (g_str_has_prefix (error->message, "Made-up can’t run the tiled kernel for Z₁"));
  g_clear_error (&error);
  step.lane.device.limits.max_group = 4096;
  for (guint j = 0; j < 2; j++)
    {
      const LsTensor *t = &step.lane.plan->tensors[step.lane.plan->ops[z].in[j]];
      float *kept = step.values[step.lane.plan->ops[z].in[j]];
      g_autofree char *words = g_strdup_printf ("the values of %s weren’t kept: the step has too many",
                                                t->symbol);
      step.values[step.lane.plan->ops[z].in[j]] = NULL;
      g_assert_null (walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error));
      g_assert_error (error, LS_ERROR, LS_ERROR_DATA);
      g_assert_cmpstr (error->message, ==, words);
      g_clear_error (&error);
      step.values[step.lane.plan->ops[z].in[j]] = kept;
    }
  device.status = CL_OUT_OF_RESOURCES; /* it began and failed */
  g_assert_null (walk (&step, z, LS_RUNG_TILED, step.lane.plan->ops[z].out[0], &error));
  g_assert_nonnull (strstr (error->message, "gemm_tiled"));
  end (&step);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/walk/cut", test_cut);
  g_test_add_func ("/walk/own", test_own);
  g_test_add_func ("/walk/edges", test_edges);
  g_test_add_func ("/walk/columns", test_columns);
  g_test_add_func ("/walk/result", test_result);
  g_test_add_func ("/walk/times", test_times);
  g_test_add_func ("/walk/alone", test_alone);
  g_test_add_func ("/walk/messages", test_messages);
  return g_test_run ();
}
