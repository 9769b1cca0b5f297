/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds of every row of the kernel tables, on every test shape of its op, without a driver: work-groups
 * are the tiles, each of them once; a device whose groups are smaller is refused; what a title says of sizes
 * is what they are; what a step's memory is reckoned to need is what the kernels ask for.
 */
#include "backends/opencl/kernels/kernels.h"

#include <string.h>

static const LsClLimits large = { .is_cpu = TRUE,
                                  .max_group = 1 << 20,
                                  .max_item = { 1 << 20, 1 << 20, 1 << 20 },
                                  .local_mem = 1 << 30,
                                  .vector_width = 8,
                                  .units = 4 };

static void
default_values (const LsClKernel *row, int *values)
{
  for (guint i = 0; i < LS_CL_MAX_PARAMS; i++)
    values[i] = row->params[i].value;
}

typedef void (*Check) (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values);

/* Of rows for 16 bits shapes are the same. */
static void
each_row (Check check)
{
  for (guint half = 0; half < 2; half++)
    {
      guint n;
      const LsClKernel *rows = half ? ls_cl_half_kernels (&n) : ls_cl_kernels (&n);

      for (guint r = 0; r < n; r++)
        {
          const LsOpClass *klass = ls_op_class_find (rows[r].op);
          guint n_fit = 0;

          g_assert_nonnull (klass);
          for (guint t = 0; t < klass->n_tests; t++)
            {
              g_autoptr (LsPlan) plan = ls_plan_new_single (klass, &klass->tests[t], NULL);
              int values[LS_CL_MAX_PARAMS];

              default_values (&rows[r], values);
              if (rows[r].fits != NULL && !rows[r].fits (plan->ops, plan, values, &large))
                continue;
              check (&rows[r], plan->ops, plan, values);
              n_fit++;
            }
          if (n_fit == 0 && !half)
            g_error ("%s of %s fits none of its test shapes", rows[r].rung, rows[r].op);
        }
    }
}

/* The launch whose groups are tiles. */
static void
tiles_of (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values, LsClRange *range,
          LsTiling *tiling)
{
  guint n = 0;

  memset (tiling, 0, sizeof *tiling);
  tiling->splits = 1;
  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    if (row->passes[p].tiles)
      {
        g_assert_true (row->passes[p].range (op, plan, values, &large, range, tiling));
        n++;
      }
  if (n != 1)
    g_error ("%s of %s has %u passes over tiles", row->rung, row->op, n);
}

/* Neighbouring groups are neighbouring tiles: those down a column where a row says so, else along a row. */
static void
check_tiles (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values)
{
  LsClRange range;
  LsTiling tiling;
  guint n_groups = 1, n_tiles, rows_first = 0;

  tiles_of (row, op, plan, values, &range, &tiling);
  for (guint d = 0; d < 3; d++)
    {
      if (range.local[d] == 0 || range.global[d] % range.local[d] != 0)
        g_error ("%s of %s: %zu work-items in groups of %zu", row->rung, row->op, range.global[d],
                 range.local[d]);
      n_groups *= (guint) (range.global[d] / range.local[d]);
    }
  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    rows_first |= row->passes[p].tiles && row->passes[p].rows_first;
  n_tiles = tiling.grid_rows * tiling.grid_cols;
  if (n_groups != n_tiles * tiling.splits)
    g_error ("%s of %s: %u groups for %u tiles in %u parts", row->rung, row->op, n_groups, n_tiles,
             tiling.splits);
  for (guint group = 0; group < n_groups; group++)
    {
      const guint in_order = group % n_tiles;
      guint split, tile = ls_cl_kernel_tile (row, &tiling, &range, group, &split);

      g_assert_cmpuint (split, ==, group / n_tiles);
      g_assert_cmpuint (
        tile, ==,
        rows_first ? in_order % tiling.grid_rows * tiling.grid_cols + in_order / tiling.grid_rows : in_order);
    }
  g_assert_cmpint (tiling.tile_rows * tiling.grid_rows, >=, tiling.rows);
  g_assert_cmpint (tiling.tile_cols * tiling.grid_cols, >=, tiling.cols);
}

static void
test_tiles (void)
{
  each_row (check_tiles);
}

/* As many work-items as a group has, and no fewer. */
static void
check_limits (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values)
{
  LsClRange range;
  LsTiling tiling;
  LsClLimits limits = large;
  gsize items;

  tiles_of (row, op, plan, values, &range, &tiling);
  items = range.local[0] * range.local[1] * range.local[2];
  limits.max_group = items;
  if (row->fits != NULL && !row->fits (op, plan, values, &limits))
    g_error ("%s of %s has groups of %zu, and is refused by a device of as many", row->rung, row->op, items);
  limits.max_group = items - 1;
  if (items > 1 && (row->fits == NULL || row->fits (op, plan, values, &limits)))
    g_error ("%s of %s has groups of %zu, and isn’t refused by a device of fewer", row->rung, row->op, items);
}

static void
test_limits (void)
{
  each_row (check_limits);
}

/* A number of arguments that are a shape is what the rule gives at least. */
static void
check_arguments (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values)
{
  int shape[LS_CL_MAX_SHAPE];
  const guint given = row->shape (op, plan, values, shape);

  g_assert_cmpuint (given, <=, LS_CL_MAX_SHAPE);
  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    {
      guint taken = 0, n = 0;
      for (const LsClArg *arg = row->passes[p].args; *arg != LS_CL_ARG_END; arg++, n++)
        taken += *arg == LS_CL_ARG_SHAPE;
      if (taken > given)
        g_error ("%s of %s takes %u sizes and is given %u", row->passes[p].function, row->op, taken, given);
      g_assert_cmpuint (n, <=, LS_CL_MAX_ARGS);
    }
}

static void
test_arguments (void)
{
  each_row (check_arguments);
}

/* What a title says is so with the table's own sizes. */
static void
check_title (const LsClKernel *row, const LsOp *op, const LsPlan *plan, const int *values)
{
  LsClRange range;
  LsTiling tiling;
  g_autofree char *said = NULL;

  tiles_of (row, op, plan, values, &range, &tiling);
  if (strcmp (row->rung, "tiled") == 0 && row->params[0].name != NULL)
    said = g_strdup_printf ("%d×%d tiled in local memory", values[0], values[0]);
  else if (strcmp (row->rung, "register") == 0)
    said = g_strdup_printf ("%d×%d outputs", values[LS_CL_REGISTER_ITEM_M], values[LS_CL_REGISTER_ITEM_N]);
  else if (strstr (row->title, " rows × 2 vectors") != NULL)
    said = g_strdup_printf ("%d rows", LS_CL_PACKED_BLOCK);
  else if (strstr (row->title, "group of ") != NULL)
    said = g_strdup_printf ("group of %zu work-items", range.local[0] * range.local[1]);
  else if (strstr (row->title, "for each ") != NULL)
    said = g_strdup_printf ("each %zu of %zu work-items", range.local[0], range.local[0] * range.local[1]);
  if (said != NULL && strstr (row->title, said) == NULL)
    g_error ("%s of %s is “%s”, and has %s", row->rung, row->op, row->title, said);
}

static void
test_titles (void)
{
  guint n, n_half;
  const LsClKernel *rows = ls_cl_kernels (&n), *half = ls_cl_half_kernels (&n_half);

  each_row (check_title);
  for (guint i = 0; i < n; i++)
    g_assert_false (g_str_has_prefix (rows[i].title, "16 bits"));
  for (guint i = 0; i < n_half; i++)
    g_assert_true (g_str_has_prefix (half[i].title, "16 bits, "));
}

/* “About 4096 elements”: whole rows, as many as that holds; of longer rows, pieces of so many. */
static void
test_chunks (void)
{
  static const struct {
    gint64 rows, cols, tile_rows, tile_cols;
  } cases[] = {
    { 100, 1000, 4, 1000 }, { 3, 4096, 1, 4096 }, { 3, 4097, 1, 4096 },  { 5000, 1, 4096, 1 },
    { 10, 100, 10, 100 },   { 1, 9000, 1, 4096 }, { 70, 2048, 2, 2048 }, { 70, 2049, 1, 2049 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const LsOpTest test = { .in = { { cases[i].rows, cases[i].cols } } };
      g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_relu, &test, NULL);
      int values[LS_CL_MAX_PARAMS];
      LsClRange range;
      LsTiling tiling;

      tiles_of (ls_cl_kernel_choose (plan->ops, plan, "packed", &large, values), plan->ops, plan, values,
                &range, &tiling);
      g_assert_cmpint (tiling.tile_rows, ==, cases[i].tile_rows);
      g_assert_cmpint (tiling.tile_cols, ==, cases[i].tile_cols);
    }
}

/* What a step's memory is said to be beforehand: what the launches of the rows ask for that are chosen with
 * vectors of 8. The frame of an image with its edges isn't smaller than the image. */
static void
check_scratch (const LsOpClass *klass, const LsOpTest *test, gboolean parts)
{
  g_autoptr (LsPlan) plan = ls_plan_new_single (klass, test, NULL);
  const LsOp *op = plan->ops;
  int values[LS_CL_MAX_PARAMS];
  const LsClKernel *row = ls_cl_kernel_choose (op, plan, "packed", &large, values);
  gsize asked[2] = { 0, 0 }, said[2];

  for (guint p = 0; p < LS_CL_MAX_PASSES && row->passes[p].function != NULL; p++)
    {
      LsClRange range;
      LsTiling tiling = { .splits = 1 };
      if (row->passes[p].range (op, plan, values, &large, &range, &tiling))
        for (guint k = 0; k < 2; k++)
          asked[k] = MAX (asked[k], range.scratch_floats[k]);
    }
  ls_cl_conv_scratch (op, plan, said);
  for (guint k = 0; k < 2; k++)
    if (klass == &ls_op_matmul || values[LS_CL_PACKED_VEC] == 8)
      g_assert_cmpuint (said[k], ==, asked[k]);
    else /* four channels */
      g_assert_cmpuint (said[k], >=, asked[k]);
  if (klass == &ls_op_matmul)
    g_assert_cmpuint (said[0] + said[1], ==, 0);
  else
    g_assert_cmpuint (said[0], >=,
                      (gsize) ls_tensor_count (&plan->tensors[op->in[klass == &ls_op_conv2d_dw]]));
  /* whole matrices of dW, more than one */
  g_assert_cmpint (said[1] > 0, ==, parts);
  if (parts)
    {
      g_assert_cmpuint (said[1] % (gsize) (op->attr.m * op->attr.n), ==, 0);
      g_assert_cmpuint (said[1], >=, (gsize) (2 * op->attr.m * op->attr.n));
    }
}

static void
test_scratch (void)
{
  static const LsOpClass *const classes[] = { &ls_op_conv2d, &ls_op_conv2d_dx, &ls_op_conv2d_dw,
                                              &ls_op_matmul };
  static const LsOpTest long_sums[] = {
    { .in = { { 27, 5, 20, 17 }, { 27, 3, 20, 17 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
    { .in = { { 9, 5, 20, 17 }, { 9, 16, 20, 17 } }, .attr = { .kernel = 3, .stride = 1, .pad = 1 } },
  };

  for (guint c = 0; c < G_N_ELEMENTS (classes); c++)
    for (guint t = 0; t < classes[c]->n_tests; t++)
      check_scratch (classes[c], &classes[c]->tests[t], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (long_sums); i++)
    check_scratch (&ls_op_conv2d_dw, &long_sums[i], TRUE);
}

/* Each op's rungs are called by the ladder's names, the lowest first. */
static void
test_order (void)
{
  static const char *const rungs[] = { "naive", "tiled", "register", "packed" };

  for (guint half = 0; half < 2; half++)
    {
      guint n;
      const LsClKernel *rows = half ? ls_cl_half_kernels (&n) : ls_cl_kernels (&n);
      guint before = 0;

      for (guint i = 0; i < n; i++)
        {
          guint rung = 0;
          while (rung < G_N_ELEMENTS (rungs) && strcmp (rungs[rung], rows[i].rung) != 0)
            rung++;
          g_assert_cmpuint (rung, <, G_N_ELEMENTS (rungs));
          if (i > 0 && strcmp (rows[i - 1].op, rows[i].op) == 0)
            g_assert_cmpuint (rung, >=, before);
          else if (!half)
            g_assert_cmpuint (rung, ==, 0);
          before = rung;
        }
    }
}

/* What the tuner may choose from are sizes that divide each other: growing powers of two, the table's own
 * among them. A packed product alone begins with its block, which is less than any of a group's rows. */
static void
test_choices (void)
{
  for (guint half = 0; half < 2; half++)
    {
      guint n;
      const LsClKernel *rows = half ? ls_cl_half_kernels (&n) : ls_cl_kernels (&n);

      for (guint r = 0; r < n; r++)
        for (const LsClParam *param = rows[r].params; param < rows[r].params + LS_CL_MAX_PARAMS; param++)
          {
            gboolean own = FALSE;

            if (param->name == NULL)
              continue;
            if (strcmp (param->name, "GROUP_ROWS") == 0)
              own = param->value == LS_CL_PACKED_BLOCK && param->value < param->choices[0];
            for (guint i = 0; i < G_N_ELEMENTS (param->choices) && param->choices[i] != 0; i++)
              {
                const int choice = param->choices[i];
                if (choice < 2 || (choice & (choice - 1)) != 0 || (i > 0 && choice <= param->choices[i - 1]))
                  g_error ("%s of %s: %s may be %d behind %d", rows[r].rung, rows[r].op, param->name, choice,
                           i > 0 ? param->choices[i - 1] : 0);
                own |= choice == param->value;
              }
            if (!own)
              g_error ("%s of %s: %s is %d, which isn’t among its choices", rows[r].rung, rows[r].op,
                       param->name, param->value);
          }
    }
}

static guint
op_of (const LsPlan *plan, const char *klass)
{
  guint i = 0;

  while (i < plan->n_ops && strcmp (plan->ops[i].klass->name, klass) != 0)
    i++;
  g_assert_cmpuint (i, <, plan->n_ops);
  return i;
}

/* A kernel does a bias, then one activation: of two, and in any other order, the second is no part of it. */
static void
test_epilogues (void)
{
  static const struct {
    const char *ops[3], *macros; /* NULL: it can't */
  } rows[] = {
    { { "bias" }, "-D EPILOGUE_BIAS=1" },
    { { "relu" }, "-D EPILOGUE_RELU=1" },
    { { "bias", "relu" }, "-D EPILOGUE_BIAS=1 -D EPILOGUE_RELU=1" },
    { { "bias", "tanh" }, "-D EPILOGUE_BIAS=1 -D EPILOGUE_TANH=1" },
    { { "relu", "bias" }, NULL },
    { { "relu", "tanh" }, NULL },
    { { "tanh", "tanh" }, NULL },
    { { "bias", "bias" }, NULL },
    { { "bias", "sigmoid", "relu" }, NULL },
    { { "bias", "gelu" }, NULL },
  };
  g_autoptr (LsModel) model = ls_model_parse ("flatten, dense 8, relu, tanh, sigmoid, gelu, dense 3", NULL);
  g_autoptr (LsPlan) plan = ls_plan_new (model, (const gint64[]){ 1, 2, 2 }, 3, 5, LS_OPTIMIZER_SGD, NULL);
  guint n;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
      {
        guint followers[3], n_followers = 0;
        g_autofree char *macros = NULL;

        if (strcmp (kernels[k].op, "matmul") != 0 || !kernels[k].epilogue)
          continue;
        for (; n_followers < 3 && rows[i].ops[n_followers] != NULL; n_followers++)
          followers[n_followers] = op_of (plan, rows[i].ops[n_followers]);
        macros = ls_cl_kernel_epilogue (&kernels[k], plan, followers, n_followers);
        if (g_strcmp0 (macros, rows[i].macros) != 0)
          g_error ("the epilogue of row %u (%s, %s …) is “%s”, not “%s”", i, rows[i].ops[0],
                   rows[i].ops[1] != NULL ? rows[i].ops[1] : "nothing", macros, rows[i].macros);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/tiles", test_tiles);
  g_test_add_func ("/table/limits", test_limits);
  g_test_add_func ("/table/arguments", test_arguments);
  g_test_add_func ("/table/titles", test_titles);
  g_test_add_func ("/table/chunks", test_chunks);
  g_test_add_func ("/table/scratch", test_scratch);
  g_test_add_func ("/table/order", test_order);
  g_test_add_func ("/table/choices", test_choices);
  g_test_add_func ("/table/epilogues", test_epilogues);
  return g_test_run ();
}
