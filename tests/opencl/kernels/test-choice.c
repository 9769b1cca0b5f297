/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kernel an op gets, with which sizes, on devices that are invented: by the rules in words, worked out
 * by hand at their edges. No driver is asked.
 */
#include "backends/opencl/kernels/kernels.h"

#include <string.h>

static const LsClLimits cpu = { .is_cpu = TRUE,
                                .max_group = 4096,
                                .max_item = { 4096, 4096, 4096 },
                                .local_mem = 1 << 20,
                                .vector_width = 8,
                                .units = 2 };
static const LsClLimits gpu = {
  .max_group = 1024, .max_item = { 1024, 1024, 64 }, .local_mem = 48 << 10, .vector_width = 1, .units = 1
};

/* C[m × n] of k products each. */
static LsPlan *
product (gint64 m, gint64 n, gint64 k)
{
  const LsOpTest test = { .in = { { m, k }, { k, n } } };
  g_autoptr (GError) error = NULL;
  LsPlan *plan = ls_plan_new_single (&ls_op_matmul, &test, &error);

  g_assert_no_error (error);
  return plan;
}

static int
value_of (const LsClKernel *kernel, const int *values, const char *name)
{
  for (guint i = 0; i < LS_CL_MAX_PARAMS && kernel->params[i].name != NULL; i++)
    if (g_str_equal (kernel->params[i].name, name))
      return values[i];
  g_error ("%s of %s has no parameter %s", kernel->rung, kernel->op, name);
}

/* ---- which rung ---- */

/* Of a GPU: up to 256 elements of up to 64 products aren't worth a tile. A processor's vectors always are. */
static void
test_tiny (void)
{
  static const struct {
    gint64 m, n, k;
    const char *rung;
  } rows[] = {
    { 16, 16, 64, "naive" },    { 1, 256, 1, "naive" },     { 256, 1, 64, "naive" },
    { 16, 16, 65, "register" }, { 1, 257, 64, "register" }, { 128, 256, 784, "register" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (rows[i].m, rows[i].n, rows[i].k);
      int values[LS_CL_MAX_PARAMS];

      g_assert_cmpstr (ls_cl_kernel_choose (plan->ops, plan, "auto", &gpu, values)->rung, ==, rows[i].rung);
      g_assert_cmpstr (ls_cl_kernel_choose (plan->ops, plan, NULL, &cpu, values)->rung, ==, "packed");
      for (guint r = 0; r < 4; r++) /* who asks for one gets that */
        {
          static const char *const rungs[] = { "naive", "tiled", "register", "packed" };
          g_assert_cmpstr (ls_cl_kernel_choose (plan->ops, plan, rungs[r], &gpu, values)->rung, ==, rungs[r]);
        }
    }
}

/* Where the device can't run it: the next lower rung that it can, and if there is none, the next higher. Each
 * wants so many work-items and bytes of local memory: two tiles of 16² floats; 16 rows of two tiles of 64, or
 * of 32 where the product is no larger, with a column more each; a panel of 256 rows of 8 columns, and the
 * sums of a group's 128 rows. */
static void
test_instead (void)
{
  static const struct {
    gint64 edge;
    gsize items, local;
    const char *asked, *rung;
  } rows[] = {
    { 64, 256, 0, "packed", "naive" },         { 64, 256, 2047, "tiled", "naive" },
    { 64, 256, 2048, "tiled", "tiled" },       { 64, 256, 8319, "register", "tiled" },
    { 64, 256, 8320, "register", "register" }, { 64, 256, 12287, "packed", "register" },
    { 64, 256, 12288, "packed", "packed" },    { 64, 255, 12287, "naive", NULL },
    { 32, 255, 4224, "naive", "register" },    { 32, 64, 4224, "tiled", "register" },
    { 32, 64, 12288, "tiled", "register" },    { 32, 63, 4224, "tiled", NULL },
    { 32, 64, 4223, "register", NULL },        { 32, 1, 12288, "naive", "packed" },
    { 32, 1, 12287, "naive", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (rows[i].edge, rows[i].edge, 96);
      LsClLimits limits = { .max_group = rows[i].items,
                            .max_item = { 4096, 4096, 64 },
                            .local_mem = rows[i].local,
                            .vector_width = 1,
                            .units = 1 };
      int values[LS_CL_MAX_PARAMS];
      const LsClKernel *kernel = ls_cl_kernel_choose (plan->ops, plan, rows[i].asked, &limits, values);

      if (g_strcmp0 (kernel != NULL ? kernel->rung : NULL, rows[i].rung) != 0)
        g_error ("for %s with %zu work-items and %zu bytes it is %s, not %s", rows[i].asked, rows[i].items,
                 rows[i].local, kernel != NULL ? kernel->rung : "none",
                 rows[i].rung != NULL ? rows[i].rung : "none");
    }
}

/* ---- which sizes ---- */

/* Vectors are as wide as the registers, from 4 to 16; where local memory holds no such panel beside the rows'
 * sums, fewer rows than 256 wait there, and then vectors are narrower. */
static void
test_vectors (void)
{
  static const struct {
    guint width;
    gsize local;
    int vec;
    gint64 m;
    int rows; /* small: all in a group, 128 */
  } rows[] = {
    { 1, 1 << 20, 4, 64, 128 },    { 4, 1 << 20, 4, 64, 128 },
    { 7, 1 << 20, 4, 64, 128 },    { 8, 1 << 20, 8, 64, 128 },
    { 15, 1 << 20, 8, 64, 128 },   { 16, 1 << 20, 16, 64, 128 },
    { 32, 1 << 20, 16, 64, 128 },  { 16, 4 * 32 * (256 + 128), 16, 64, 128 },
    { 16, 49151, 8, 64, 128 },     { 16, 24576, 8, 64, 128 },
    { 16, 24575, 4, 64, 128 },     { 8, 12288, 4, 64, 128 },
    { 16, 1 << 20, 16, 129, 256 }, { 16, 4 * 32 * (256 + 256), 16, 129, 256 },
    { 16, 65535, 16, 129, 128 },   { 16, 49151, 8, 129, 128 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (rows[i].m, 16, 64);
      LsClLimits limits = cpu;
      int values[LS_CL_MAX_PARAMS];
      const LsClKernel *kernel;

      limits.vector_width = rows[i].width;
      limits.local_mem = rows[i].local;
      kernel = ls_cl_kernel_choose (plan->ops, plan, "packed", &limits, values);
      g_assert_cmpstr (kernel->rung, ==, "packed");
      if (value_of (kernel, values, "VEC") != rows[i].vec
          || value_of (kernel, values, "GROUP_ROWS") != rows[i].rows)
        g_error ("%d rows in %u bytes of local memory: vectors of %d and %d rows, not %d and %d",
                 (int) rows[i].m, (guint) rows[i].local, value_of (kernel, values, "VEC"),
                 value_of (kernel, values, "GROUP_ROWS"), rows[i].vec, rows[i].rows);
    }
}

/* Of a group: as many rows as leave each unit four groups, 8 at least; all of a product that a second worker
 * wouldn't be worth waking for; one where there is one. Panels are two vectors of 8 wide. */
static void
test_group_rows (void)
{
  static const struct {
    gint64 m, n, k;
    guint units;
    int rows;
  } rows[] = {
    { 128, 256, 784, 2, 128 }, /* 16 panels for 8 groups */
    { 128, 256, 784, 4, 128 }, /* 16 for 16 */
    { 128, 256, 784, 5, 64 },  /* for 20: 32 */
    { 128, 256, 784, 8, 64 },     { 128, 256, 784, 9, 32 },
    { 128, 256, 784, 64, 8 },                                /* for 256: 16 × 16 */
    { 128, 256, 784, 999, 8 },    { 129, 120, 784, 4, 128 }, /* two groups of rows: 2 × 8 */
    { 128, 10, 256, 2, 16 },                                 /* one panel for 8 groups */
    { 100, 20, 100, 2, 128 },                                /* 200000 multiply-adds */
    { 100, 20, 101, 2, 32 },                                 /* more: 4 × 2 groups */
    { 1, 256, 784, 2, 1 },        { 1, 8, 8, 2, 1 },
    { 2, 256, 784, 2, 128 },      { 129, 256, 784, 2, 256 },
    { 1000, 1000, 1000, 2, 256 }, { 1000, 16, 1000, 2, 128 }, /* 8 for 8 */
    { 257, 64, 1000, 2, 256 },                                /* 2 × 4 for 8 */
    { 256, 64, 1000, 2, 128 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (rows[i].m, rows[i].n, rows[i].k);
      LsClLimits limits = cpu;
      int values[LS_CL_MAX_PARAMS];
      const LsClKernel *kernel;

      limits.units = rows[i].units;
      kernel = ls_cl_kernel_choose (plan->ops, plan, "packed", &limits, values);
      if (value_of (kernel, values, "GROUP_ROWS") != rows[i].rows)
        g_error ("%dx%dx%d on %u units: groups of %d rows, not %d", (int) rows[i].m, (int) rows[i].n,
                 (int) rows[i].k, rows[i].units, value_of (kernel, values, "GROUP_ROWS"), rows[i].rows);
    }
}

/* Of the register rung: the smallest that covers the edge, 64 at most; 32 where there would be fewer tiles
 * than units. */
static void
test_tiles (void)
{
  static const struct {
    gint64 m, n;
    guint units;
    int tile_m, tile_n;
  } rows[] = {
    { 16, 1000, 1, 16, 64 },   { 17, 1000, 1, 32, 64 }, { 32, 33, 1, 32, 64 },   { 33, 16, 1, 64, 16 },
    { 1000, 1000, 1, 64, 64 }, { 64, 128, 2, 64, 64 },  { 64, 128, 3, 32, 32 },  { 65, 128, 4, 64, 64 },
    { 65, 128, 5, 32, 32 },    { 16, 128, 99, 16, 32 }, { 128, 20, 99, 32, 32 }, { 8, 8, 99, 16, 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (rows[i].m, rows[i].n, 100);
      LsClLimits limits = gpu;
      int values[LS_CL_MAX_PARAMS];
      const LsClKernel *kernel;

      limits.units = rows[i].units;
      kernel = ls_cl_kernel_choose (plan->ops, plan, "register", &limits, values);
      g_assert_cmpint (value_of (kernel, values, "TILE_M"), ==, rows[i].tile_m);
      g_assert_cmpint (value_of (kernel, values, "TILE_N"), ==, rows[i].tile_n);
      g_assert_cmpint (value_of (kernel, values, "TILE_K"), ==, 16);
      g_assert_cmpint (value_of (kernel, values, "ITEM_M"), ==, 4);
      g_assert_cmpint (value_of (kernel, values, "ITEM_N"), ==, 4);
    }
}

/* What is asked for is taken if the row has it and the device can do it; else nothing is changed. */
static void
test_set (void)
{
  static const struct {
    const char *name;
    int value;
    gboolean taken;
  } rows[] = { { "TILE", 8, TRUE }, { "TILE", 32, TRUE }, { "TILE", 33, FALSE }, { "VEC", 8, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsPlan) plan = product (64, 64, 64);
      int values[LS_CL_MAX_PARAMS];
      const LsClKernel *kernel = ls_cl_kernel_choose (plan->ops, plan, "tiled", &gpu, values);

      g_assert_cmpint (value_of (kernel, values, "TILE"), ==, 16);
      g_assert_cmpint (ls_cl_kernel_set (kernel, rows[i].name, rows[i].value, plan->ops, plan, &gpu, values),
                       ==, rows[i].taken);
      g_assert_cmpint (value_of (kernel, values, "TILE"), ==, rows[i].taken ? rows[i].value : 16);
    }
}

/* Vectors of channels need whole ones, a window of 3 and no stride, and registers that they fill at least
 * half; all else has vectors of outputs. */
static void
test_conv_dw (void)
{
  static const struct {
    gint64 channels;
    gint32 kernel, stride;
    guint width;
    gboolean channels_first;
  } rows[] = {
    { 16, 3, 1, 16, TRUE },  { 8, 3, 1, 8, TRUE },   { 12, 3, 1, 8, TRUE },   { 16, 5, 1, 16, FALSE },
    { 16, 3, 2, 16, FALSE }, { 24, 3, 1, 16, TRUE }, { 12, 3, 1, 16, FALSE }, { 10, 3, 1, 8, FALSE },
    { 4, 3, 1, 4, TRUE },    { 4, 3, 1, 1, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const gint64 size = (9 - rows[i].kernel) / rows[i].stride + 1;
      const LsOpTest test = { .in = { { 2, 5, size, size }, { 2, rows[i].channels, 9, 9 } },
                              .attr = { .kernel = rows[i].kernel, .stride = rows[i].stride } };
      g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_conv2d_dw, &test, NULL);
      LsClLimits limits = cpu;
      int values[LS_CL_MAX_PARAMS];
      guint tile_rows, tile_cols;
      const LsClKernel *kernel;

      limits.vector_width = rows[i].width;
      kernel = ls_cl_kernel_choose (plan->ops, plan, "packed", &limits, values);
      ls_cl_conv_dw_tile (kernel, values, &tile_rows, &tile_cols);
      if ((strstr (kernel->title, "of channels") != NULL) != rows[i].channels_first)
        g_error ("%d channels, window %d, stride %d, registers of %u: %s", (int) rows[i].channels,
                 rows[i].kernel, rows[i].stride, rows[i].width, kernel->title);
      g_assert_cmpuint (tile_rows, ==, rows[i].channels_first ? 2 : (guint) values[0]);
      g_assert_cmpuint (tile_cols, ==, rows[i].channels_first ? 9 * (guint) values[0] : 9);
    }
}

/* ---- what is done beside ---- */

/* In the order bias, activation, gradient, update, each once, and one operand at most. */
static void
test_epilogues (void)
{
  static const struct {
    const char *chain[3], *macros; /* of the packed product; NULL: it can't */
  } rows[] = {
    { { NULL }, "" },
    { { "bias" }, "-D EPILOGUE_BIAS=1" },
    { { "relu" }, "-D EPILOGUE_RELU=1" },
    { { "tanh" }, "-D EPILOGUE_TANH=1" },
    { { "sigmoid" }, "-D EPILOGUE_SIGMOID=1" },
    { { "relu_grad" }, "-D EPILOGUE_RELU_GRAD=1" },
    { { "tanh_grad" }, "-D EPILOGUE_TANH_GRAD=1" },
    { { "sigmoid_grad" }, "-D EPILOGUE_SIGMOID_GRAD=1" },
    { { "sgd" }, "-D EPILOGUE_SGD=1" },
    { { "bias", "sigmoid" }, "-D EPILOGUE_BIAS=1 -D EPILOGUE_SIGMOID=1" },
    { { "tanh", "tanh_grad" }, "-D EPILOGUE_TANH=1 -D EPILOGUE_TANH_GRAD=1" },
    { { "tanh", "bias" }, NULL },
    { { "relu", "sigmoid" }, NULL },
    { { "relu", "relu" }, NULL },
    { { "bias", "tanh_grad" }, NULL }, /* two operands */
    { { "relu_grad", "relu" }, NULL },
    { { "sgd", "relu" }, NULL },
    { { "sgd", "sgd" }, NULL },
    { { "adam" }, NULL },
    { { "gelu" }, NULL },
    { { "add" }, NULL },
  };
  LsClKernel kernel = { .op = "matmul", .epilogue = TRUE, .update = TRUE };
  LsTensor tensors[1] = { { .rank = 2 } };
  LsOp ops[3];
  LsPlan plan = { .tensors = tensors, .ops = ops };
  const guint followers[] = { 0, 1, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint n = 0;
      for (; n < 3 && rows[i].chain[n] != NULL; n++)
        ops[n] = (LsOp){ .klass = ls_op_class_find (rows[i].chain[n]) };
      g_autofree char *macros = ls_cl_kernel_epilogue (&kernel, &plan, followers, n);
      g_assert_cmpstr (macros, ==, rows[i].macros);
      if (n == 0)
        continue;
      /* a row has the one kind, or the other, or none */
      const LsClKernel no_update = { .op = "matmul", .epilogue = TRUE },
                       update_only = { .op = "bias_grad", .update = TRUE };
      const gboolean updates = g_str_equal (rows[i].chain[0], "sgd");
      g_autofree char *without = ls_cl_kernel_epilogue (&no_update, &plan, followers, n),
                      *alone = ls_cl_kernel_epilogue (&update_only, &plan, followers, n);
      g_assert_cmpstr (without, ==, updates ? NULL : rows[i].macros);
      g_assert_cmpstr (alone, ==, updates ? rows[i].macros : NULL);
    }
  /* of a product, a column is a channel only where the output is a matrix; of a convolution always */
  ops[0] = (LsOp){ .klass = &ls_op_bias };
  tensors[0].rank = 4;
  g_assert_null (ls_cl_kernel_epilogue (&kernel, &plan, followers, 1));
  kernel.op = "conv2d";
  g_autofree char *conv = ls_cl_kernel_epilogue (&kernel, &plan, followers, 1);
  g_assert_cmpstr (conv, ==, "-D EPILOGUE_BIAS=1");
}

static const LsOp *
op_of (const LsPlan *plan, const char *klass, guint n)
{
  for (guint i = 0; i < plan->n_ops; i++)
    if (g_str_equal (plan->ops[i].klass->name, klass) && n-- == 0)
      return &plan->ops[i];
  g_assert_not_reached ();
}

/* The define of how the packed rung does `other` beside `op`, or NULL. */
static const char *
joined (const LsPlan *plan, const LsOp *op, const LsOp *other, const char *rung)
{
  int values[LS_CL_MAX_PARAMS];
  const LsClKernel *kernel = ls_cl_kernel_choose (op, plan, rung, &cpu, values);
  const LsClJoin *join = ls_cl_kernel_join (kernel, plan, op, other);

  return join != NULL ? join->define : NULL;
}

/* The loss's mean only where one group has all samples: 4096 / 10 of them. The bias's gradient only with the
 * product that reads the same one. */
static void
test_joins (void)
{
  for (guint batch = 409; batch <= 410; batch++)
    {
      g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 12, relu, dense 10", NULL);
      g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 4, 4 }, 10, batch, LS_OPTIMIZER_SGD,
                                             NULL);
      const LsOp *loss = op_of (plan, "softmax_xent", 0);

      g_assert_cmpstr (joined (plan, loss, op_of (plan, "mean", 0), "packed"), ==,
                       batch == 409 ? "-D JOIN_MEAN=1" : NULL);
      g_assert_cmpstr (joined (plan, loss, op_of (plan, "softmax_xent_grad", 0), "packed"), ==,
                       "-D JOIN_GRAD=1");
      g_assert_null (joined (plan, loss, op_of (plan, "mean", 0), "naive"));
      g_assert_null (joined (plan, loss, op_of (plan, "bias_grad", 0), "packed"));
      for (guint i = 0; i < plan->n_ops; i++)
        for (guint b = 0; b < 2; b++)
          {
            const LsOp *op = &plan->ops[i], *bias = op_of (plan, "bias_grad", b);
            const gboolean of_weights = op->klass == &ls_op_matmul && op->in[0] == bias->in[0]
                                        && strncmp (op->symbol, "dW", 2) == 0;
            if (op->klass == &ls_op_matmul)
              g_assert_cmpstr (joined (plan, op, bias, "packed"), ==,
                               of_weights ? "-D JOIN_BIAS_GRAD=1" : NULL);
          }
    }
}

/* Each of a device's limits holds by itself, and may be reached: items of a group, items along each of its
 * two sides, bytes of local memory. */
static void
test_limits (void)
{
  static const LsClLimits limits = { .max_group = 64, .max_item = { 32, 16, 1 }, .local_mem = 4096 };
  static const struct {
    guint local0, local1;
    gsize bytes;
    gboolean fits;
    const char *limit;
  } rows[] = {
    { 1, 1, 0, TRUE, "none" },
    { 32, 2, 4096, TRUE, "none" },
    { 4, 16, 4096, TRUE, "none" },
    { 33, 1, 0, FALSE, "items along the first side" },
    { 1, 17, 0, FALSE, "items along the second side" },
    { 13, 5, 0, FALSE, "items of a group" },
    { 32, 16, 0, FALSE, "items of a group" },
    { 1, 1, 4097, FALSE, "bytes of local memory" },
    { 1u << 16, 1u << 16, 0, FALSE, "items of a group, more than 32 bits count" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (ls_cl_fits_group (&limits, rows[i].local0, rows[i].local1, rows[i].bytes) != rows[i].fits)
      g_error ("a group of %u×%u items with %zu bytes %s; limit passed: %s", rows[i].local0, rows[i].local1,
               rows[i].bytes, rows[i].fits ? "is refused" : "is let through", rows[i].limit);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/choice/tiny", test_tiny);
  g_test_add_func ("/choice/instead", test_instead);
  g_test_add_func ("/choice/vectors", test_vectors);
  g_test_add_func ("/choice/group-rows", test_group_rows);
  g_test_add_func ("/choice/tiles", test_tiles);
  g_test_add_func ("/choice/set", test_set);
  g_test_add_func ("/choice/conv-dw", test_conv_dw);
  g_test_add_func ("/choice/epilogues", test_epilogues);
  g_test_add_func ("/choice/joins", test_joins);
  g_test_add_func ("/choice/limits", test_limits);
  return g_test_run ();
}
