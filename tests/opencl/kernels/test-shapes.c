/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sizes that kernels are told, how they cut their output and how many groups that is, worked out by hand
 * from the shapes, for a device with vectors of eight. No driver is asked.
 */
#include "backends/opencl/kernels/kernels.h"

#include <string.h>

static const LsClLimits limits = { .is_cpu = TRUE,
                                   .max_group = 4096,
                                   .max_item = { 4096, 4096, 4096 },
                                   .local_mem = 1 << 20,
                                   .vector_width = 8,
                                   .units = 2 };

typedef struct {
  const char *op, *rung;
  LsOpTest test;
  gint64 tile_rows, tile_cols;
  size_t groups[2]; /* along both dimensions */
  gsize scratch;    /* floats of the first scratch */
  guint n;          /* numbers that are told */
  int shape[LS_CL_MAX_SHAPE];
} Row;

#define IN(...)   .in = { __VA_ARGS__ }
#define ATTR(...) .attr = { __VA_ARGS__ }
#define D(...)                                                                                               \
  {                                                                                                          \
    __VA_ARGS__                                                                                              \
  }

/* clang-format off */
static const Row rows[] = {
  /* of what is stored transposed the other index has neighbours */
  { "matmul", "packed", { IN (D (5, 7), D (7, 6)) }, 128, 16, { 1, 1 }, 0, 8, { 5, 6, 7, 1, 7, 1, 6, 1 } },
  { "matmul", "packed", { IN (D (7, 5), D (7, 6)), ATTR (.ta = TRUE) }, 128, 16, { 1, 1 }, 0,
    8, { 5, 6, 7, 1, 1, 5, 6, 1 } },
  { "matmul", "tiled", { IN (D (33, 7), D (50, 7)), ATTR (.tb = TRUE) }, 16, 16, { 4, 3 }, 0,
    8, { 33, 50, 7, 1, 7, 1, 1, 7 } },
  { "conv2d", "naive", { IN (D (2, 3, 10, 12), D (5, 3, 3, 3)), ATTR (.kernel = 3, .stride = 2, .pad = 1) },
    16, 16, { 4, 1 }, 0, 14, { 5, 60, 27, 1, 3, 10, 12, 5, 5, 6, 3, 2, 1, 1 } },

  /* packed: m, channels, the image's rows and columns; rows and columns of the result, rows of all images;
   * window, stride, how far apart the image's own elements lie, what is put before them; the frame's rows,
   * from window to window, its row, of vectors and what windows reach beyond; rows at a time: 16 vectors of
   * less than 64 products, or 8; parts of the sum */
  { "conv2d", "packed", { IN (D (2, 3, 10, 12), D (5, 3, 3, 3)), ATTR (.kernel = 3, .stride = 2, .pad = 1) },
    8, 10 * 6, { 1, 1 }, 2 * 3 * 11 * 2 * 9, 15, { 5, 3, 10, 12, 5, 6, 10, 3, 2, 1, 1, 11, 9, 10, 1 } },
  { "conv2d", "packed", { IN (D (4, 8, 20, 20), D (10, 8, 3, 3)), ATTR (.kernel = 3, .stride = 1, .pad = 1) },
    8, 2 * 20, { 2, 40 }, 4 * 8 * 22 * 26, 15, { 10, 8, 20, 20, 20, 20, 80, 3, 1, 1, 1, 22, 26, 2, 1 } },
  { "conv2d", "packed", { IN (D (4, 7, 20, 20), D (10, 7, 3, 3)), ATTR (.kernel = 3, .stride = 1, .pad = 1) },
    8, 5 * 20, { 2, 16 }, 4 * 7 * 22 * 26, 15, { 10, 7, 20, 20, 20, 20, 80, 3, 1, 1, 1, 22, 26, 5, 1 } },
  /* back towards the image: its own elements a stride apart, the window turned round */
  { "conv2d_dx", "packed",
    { IN (D (2, 5, 4, 5), D (5, 3, 3, 3), D (2, 3, 10, 12)), ATTR (.kernel = 3, .stride = 2) },
    8, 8 * 12, { 1, 3 }, 2 * 5 * 12 * 18, 15, { 3, 5, 4, 5, 10, 12, 20, 3, 1, 2, 2, 12, 18, 8, 1 } },
  { "conv2d_dw", "packed", { IN (D (2, 5, 4, 5), D (2, 3, 10, 12)), ATTR (.kernel = 3, .stride = 2) },
    8, 9, { 1, 3 }, 2 * 3 * 9 * 2 * 9, 15, { 5, 3, 10, 12, 4, 5, 8, 3, 2, 1, 0, 9, 9, 8, 1 } },
  /* of whole vectors of channels: a frame without the vectors' rest */
  { "conv2d_dw", "packed", { IN (D (2, 5, 5, 5), D (2, 8, 7, 7)), ATTR (.kernel = 3, .stride = 1) },
    2, 72, { 3, 1 }, 2 * 8 * 7 * 7, 15, { 5, 8, 7, 7, 5, 5, 10, 3, 1, 1, 0, 7, 7, 8, 1 } },

  { "maxpool2d", "packed", { IN (D (2, 3, 7, 9)), ATTR (.kernel = 3, .stride = 2) },
    1, 12, { 3, 2 }, 0, 8, { 2, 3, 7, 9, 3, 4, 3, 2 } },
  { "maxpool2d_grad", "packed",
    { IN (D (2, 3, 3, 4), D (2, 3, 3, 4), D (2, 3, 7, 9)), ATTR (.kernel = 3, .stride = 2) },
    1, 63, { 3, 2 }, 0, 8, { 2, 3, 7, 9, 3, 4, 3, 2 } },
  { "avgpool2d_grad", "naive", { IN (D (2, 3, 2, 3), D (2, 3, 7, 9)), ATTR (.kernel = 3, .stride = 3) },
    8, 32, { 6, 1 }, 0, 8, { 2, 3, 7, 9, 2, 3, 3, 3 } },

  /* a channel's sum; of a matrix a vector of channels at a time */
  { "bias_grad", "packed", { IN (D (4, 20)) }, 1, 8, { 3, 1 }, 0, 3, { 4, 20, 1 } },
  { "bias_grad", "packed", { IN (D (4, 20, 2, 3)) }, 1, 1, { 20, 1 }, 0, 3, { 4, 20, 6 } },
  { "bias_grad", "tiled", { IN (D (4, 20, 2, 3)) }, 1, 1, { 20, 1 }, 0, 3, { 4, 20, 6 } },
  { "bias_grad", "naive", { IN (D (4, 70)) }, 1, 64, { 2, 1 }, 0, 3, { 4, 70, 1 } },
  { "mean", "naive", { IN (D (7)) }, 1, 64, { 1, 1 }, 0, 3, { 1, 1, 7 } },
  { "bias", "naive", { IN (D (9, 33, 2, 3), D (33)) }, 8, 32, { 7, 2 }, 0, 3, { 9, 198, 6 } },
  { "bias", "packed", { IN (D (45, 33, 2, 3), D (33)) }, 20, 198, { 1, 3 }, 0, 4, { 45, 198, 6, 20 } },

  { "softmax_xent", "packed", { IN (D (500, 10), D (500)) }, 409, 10, { 1, 2 }, 0, 3, { 500, 10, 409 } },
  { "softmax_xent", "naive", { IN (D (500, 10), D (500)) }, 64, 10, { 8, 1 }, 0, 2, { 500, 10 } },

  /* whole samples: a chunk, or eight */
  { "gather", "packed", { ATTR (.shape = { 100, 1, 25, 40 }) }, 8, 1000, { 1, 13 }, 0, 4, { 100, 1000, 8, 1000 } },
  { "gather", "packed", { ATTR (.shape = { 100, 1, 10, 10 }) }, 40, 100, { 1, 3 }, 0, 4, { 100, 100, 40, 100 } },
  { "gather", "packed", { ATTR (.shape = { 5, 1, 25, 40 }) }, 5, 1000, { 1, 1 }, 0, 4, { 5, 1000, 5, 1000 } },

  /* rows are as long as γ, however many dimensions they are of */
  { "layernorm", "packed", { IN (D (300, 1, 16, 64), D (64), D (64)) }, 64, 64, { 1, 75 }, 0, 3, { 4800, 64, 64 } },
  { "layernorm_grad", "packed", { IN (D (2, 1, 5, 17), D (2, 1, 5, 17), D (17), D (10), D (10)) },
    10, 17, { 1, 1 }, 0, 3, { 10, 17, 10 } },
  { "layernorm_dw", "packed", { IN (D (2, 1, 5, 17), D (2, 1, 5, 17), D (10), D (10)) },
    1, 8, { 3, 1 }, 0, 3, { 10, 17, 10 } },

  /* a step for each row of all images, or for each column */
  { "sequence", "packed", { IN (D (7, 3, 4, 5)) }, 28, 15, { 1, 1 }, 0, 8, { 28, 15, 7, 3, 4, 5, 0, 28 } },
  { "sequence", "naive", { IN (D (7, 3, 4, 5)), ATTR (.by_columns = TRUE) }, 8, 32, { 1, 5 }, 0,
    7, { 35, 12, 7, 3, 4, 5, 1 } },
  { "planes", "packed", { IN (D (28, 15)), ATTR (.shape = { 7, 3, 4, 5 }) }, 7, 60, { 1, 1 }, 0,
    8, { 7, 60, 7, 3, 4, 5, 0, 7 } },
  /* about 4096 gates at a time, there and back */
  { "lstm", "packed", { IN (D (300, 64), D (300, 64), D (300, 16)) }, 64, 16, { 1, 5 }, 0, 3, { 300, 16, 64 } },
  { "lstm_grad", "packed", { IN (D (300, 16), D (300, 16), D (300, 64), D (300, 16), D (300, 16)) },
    64, 64, { 1, 5 }, 0, 3, { 300, 16, 64 } },
};
/* clang-format on */

/* The pass over tiles and the row, with the values that are chosen. */
static const LsClPass *
pass_of (const LsPlan *plan, const char *rung, const LsClKernel **row, int *values)
{
  const LsClPass *pass;

  *row = ls_cl_kernel_choose (plan->ops, plan, rung, &limits, values);
  g_assert_nonnull (*row);
  g_assert_cmpstr ((*row)->rung, ==, rung);
  for (pass = (*row)->passes; !pass->tiles; pass++)
    ;
  return pass;
}

static void
test_shapes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const Row *r = &rows[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (LsPlan) plan = ls_plan_new_single (ls_op_class_find (r->op), &r->test, &error);
      int values[LS_CL_MAX_PARAMS], shape[LS_CL_MAX_SHAPE] = { 0 };
      LsTiling tiling = { .splits = 1 };
      LsClRange range = { 0 };
      const LsClKernel *row;
      const LsClPass *pass;
      guint n;

      g_assert_no_error (error);
      pass = pass_of (plan, r->rung, &row, values);
      n = row->shape (plan->ops, plan, values, shape);
      g_assert_cmpuint (n, >=, r->n);
      for (guint k = 0; k < r->n; k++)
        if (shape[k] != r->shape[k])
          g_error ("case %u, %s of %s: number %u that it is told is %d, not %d", i, r->rung, r->op, k,
                   shape[k], r->shape[k]);
      g_assert_true (pass->range (plan->ops, plan, values, &limits, &range, &tiling));
      if (tiling.tile_rows != MIN (r->tile_rows, tiling.rows)
          || tiling.tile_cols != MIN (r->tile_cols, tiling.cols))
        g_error ("case %u, %s of %s: its tiles are %d×%d, not %d×%d", i, r->rung, r->op,
                 (int) tiling.tile_rows, (int) tiling.tile_cols, (int) r->tile_rows, (int) r->tile_cols);
      for (guint d = 0; d < 2; d++)
        if (range.global[d] / range.local[d] != r->groups[d])
          g_error ("case %u, %s of %s: along dimension %u there are %zu groups, not %zu", i, r->rung, r->op,
                   d, range.global[d] / range.local[d], r->groups[d]);
      if (range.scratch_floats[0] != r->scratch)
        g_error ("case %u, %s of %s: it takes %zu floats of scratch, not %zu", i, r->rung, r->op,
                 range.scratch_floats[0], r->scratch);
    }
}

/* Sums in parts are added up by a pass of its own: an item for each of dW's 5 × 27 elements, in groups of 64.
 * A packed part is of whole images, the first one of the fewest. */
static void
test_parts (void)
{
  static const LsOpTest test = { .in = { { 27, 5, 20, 17 }, { 27, 3, 20, 17 } },
                                 .attr = { .kernel = 3, .stride = 1, .pad = 1 } };
  g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_conv2d_dw, &test, NULL);
  const LsOp *op = plan->ops;

  for (guint packed = 0; packed < 2; packed++)
    {
      const char *rung = packed ? "packed" : "naive";
      int values[LS_CL_MAX_PARAMS], shape[LS_CL_MAX_SHAPE];
      LsTiling tiling = { .splits = 1 }, none = { .splits = 1 };
      LsClRange range = { 0 }, reduce = { 0 };
      const LsClKernel *row;
      const LsClPass *pass = pass_of (plan, rung, &row, values);
      gint64 first;

      g_assert_true (pass->range (op, plan, values, &limits, &range, &tiling));
      g_assert_true (pass[1].range (op, plan, values, &limits, &reduce, &none));
      g_assert_nonnull (strstr (pass[1].function, "reduce"));
      row->shape (op, plan, values, shape);
      g_assert_cmpuint (tiling.splits, >, 1);
      g_assert_cmpuint (range.global[2], ==, tiling.splits);
      g_assert_cmpuint (range.scratch_floats[packed], ==, tiling.splits * 5 * 27);
      g_assert_cmpuint (reduce.scratch_floats[packed], ==, tiling.splits * 5 * 27);
      g_assert_cmpint (shape[packed ? 14 : 3], ==, tiling.splits);
      g_assert_cmpuint (reduce.global[0] / reduce.local[0], ==, packed ? 3 : 1);
      g_assert_cmpuint (reduce.global[1], ==, packed ? 1 : 5);
      g_assert_cmpuint (reduce.local[0], ==, 64);
      first = ls_cl_first_products (op, plan, tiling.splits);
      if (packed)
        g_assert_cmpint (first, ==, 27 / tiling.splits * (20 * 17));
      else
        {
          /* parts of whole images, each cut further into blocks of the sum */
          g_assert_cmpint (tiling.splits % shape[13], ==, 0);
          g_assert_cmpint (first, ==, MIN (256, 27 / shape[13] * (20 * 17)));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shapes/told", test_shapes);
  g_test_add_func ("/shapes/parts", test_parts);
  return g_test_run ();
}
