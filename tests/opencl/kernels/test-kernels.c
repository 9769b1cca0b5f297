/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every row of the kernel table on every test shape of its op, with its epilogues, parameters and probe,
 * against the reference in double precision. Outputs and scratch are poisoned first, guard zones are checked,
 * two runs must agree bit for bit, and a single work-group must write its tile and nothing else.
 *
 * LOCKSTEP_KERNEL_TEST=tiny keeps to what Oclgrind can do in a minute: see oclgrind.sh.
 */
#include "run.h"

#include "backends/opencl/kernels/kernels.h"
#include "../../model/shipped.h"

#define TINY_FLOPS 6000

static Rig rig;
static gboolean tiny;

/* ---- which runs ---- */

static const char *const chains[][CASE_MAX_CHAIN] = {
  { NULL },        { "bias", "relu" }, { "bias" },
  { "relu" },      { "bias", "tanh" }, { "bias", "sigmoid" },
  { "relu_grad" }, { "tanh_grad" },    { "sigmoid_grad" },
};
#define PROBED_CHAINS 2 /* the first ones also run with the probe */

static gboolean
wanted (const LsOpClass *klass, const LsOpTest *test)
{
  if (!tiny)
    return TRUE;
  g_autoptr (LsPlan) plan = ls_plan_new_single (klass, test, NULL);
  return plan->ops[0].flops <= TINY_FLOPS;
}

static void
defaults (const LsClKernel *kernel, int *values)
{
  for (guint i = 0; i < LS_CL_MAX_PARAMS; i++)
    {
      values[i] = kernel->params[i].value;
      if (g_strcmp0 (kernel->params[i].name, "VEC") == 0 && rig.limits.vector_width >= 4)
        values[i] = (int) MIN (rig.limits.vector_width, 16);
    }
}

static gboolean
fits (const Run *run)
{
  const LsClKernel *kernel = run->kernel;
  return kernel->fits == NULL || kernel->fits (&run->c->plan->ops[0], run->c->plan, run->values, &rig.limits);
}

/* All epilogues, the first two with and without the probe, at the default parameters. */
static void
check_chains (const LsClKernel *kernel, const LsOpClass *klass, const LsOpTest *test)
{
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++)
    for (guint type = LS_SAMPLE_U8; type <= (klass == &ls_op_gather ? LS_SAMPLE_F32 : LS_SAMPLE_U8); type++)
      {
        const char *chain[CASE_MAX_CHAIN + 1] = { chains[i][0], chains[i][1], chains[i][2], NULL };
        if (i > 0 && (!kernel->epilogue || (tiny && i != 1 && i != 6)))
          continue;
        Case *c = case_new (klass, test, chain, (LsSampleType) type);
        if (c == NULL)
          continue;

        Run run = { .rig = &rig, .kernel = kernel, .c = c, .f32_samples = type == LS_SAMPLE_F32 };
        g_autofree char *epilogue = ls_cl_kernel_epilogue (kernel, c->plan, c->followers, c->n_followers);
        g_assert_nonnull (epilogue);
        run.epilogue = epilogue;
        defaults (kernel, run.values);
        if (fits (&run))
          {
            run_check (&run, i == 0);
            run.probe = i < PROBED_CHAINS;
            run.ticks = rig.ticks;
            if (run.probe)
              run_check (&run, FALSE);
            run.ticks = 0;
            if (i == 0 && rig.ticks != 0)
              run_check (&run, FALSE);
          }
        case_free (c);
      }
}

/* The values that ls_cl_kernel_choose() takes for this shape; then each parameter's other choices on every
 * fourth shape. FALSE: the shape is for another row of that rung. */
static gboolean
check_values (const LsClKernel *kernel, const LsOpClass *klass, const LsOpTest *test, gboolean all_choices)
{
  Case *c = case_new (klass, test, NULL, LS_SAMPLE_U8);
  Run run = { .rig = &rig, .kernel = kernel, .c = c };
  const LsClKernel *chosen = ls_cl_kernel_choose (&c->plan->ops[0], c->plan, kernel->rung, &rig.limits,
                                                  run.values);

  g_assert_cmpstr (chosen->rung, ==, kernel->rung);
  if (chosen == kernel)
    {
      run_check (&run, FALSE);
      run_check_one_group (&run);
    }
  for (guint i = 0; all_choices && i < LS_CL_MAX_PARAMS && kernel->params[i].name != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (kernel->params[i].choices) && kernel->params[i].choices[j] != 0; j++)
      {
        defaults (kernel, run.values);
        run.values[i] = kernel->params[i].choices[j];
        if (fits (&run))
          run_check (&run, TRUE);
      }
  case_free (c);
  return chosen == kernel;
}

/* The convolutions share matmul's kernels but for the packed ones: once is enough, compiling takes its
 * time. */
static gboolean
tries_choices (const LsClKernel *kernel)
{
  return g_str_equal (kernel->rung, "packed") || g_str_equal (kernel->op, "matmul");
}

static void
test_row (gconstpointer data)
{
  const LsClKernel *kernel = data;
  const LsOpClass *klass = ls_op_class_find (kernel->op);
  guint n_chosen = 0;

  g_assert_nonnull (klass);
  for (guint i = 0; i < klass->n_tests; i++)
    if (wanted (klass, &klass->tests[i]))
      {
        check_chains (kernel, klass, &klass->tests[i]);
        n_chosen += check_values (kernel, klass, &klass->tests[i],
                                  !tiny && i % 4 == 3 && tries_choices (kernel));
      }
  g_assert_cmpuint (n_chosen, >, 0);
}

/* Long sums: parts in scratch, added up by a further pass. */
static void
test_splits (void)
{
  static const LsOpTest dw = { .in = { { 27, 5, 20, 17 }, { 27, 3, 20, 17 } },
                               .attr = { .kernel = 3, .stride = 1, .pad = 1 } };
  static const LsOpTest dw_channels = { .in = { { 9, 5, 20, 17 }, { 9, 16, 20, 17 } },
                                        .attr = { .kernel = 3, .stride = 1, .pad = 1 } };
  static const LsOpTest product = { .in = { { 5, 1100 }, { 9, 1100 } }, .attr = { .tb = TRUE } };
  const char *const names[] = { "conv2d_dw", "conv2d_dw", "matmul" };
  const LsOpTest *const tests[] = { &dw, &dw_channels, &product };
  guint n, n_split = 0;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++)
      if (g_str_equal (kernels[i].op, names[t]))
        {
          Case *c = case_new (ls_op_class_find (names[t]), tests[t], NULL, LS_SAMPLE_U8);
          Run run = { .rig = &rig, .kernel = &kernels[i], .c = c };
          LsTiling tiling;
          LsClRange tiles;
          gboolean guards;

          defaults (run.kernel, run.values);
          if (fits (&run))
            {
              run_check (&run, TRUE);
              g_free (run_kernel (&run, &tiling, &tiles, &guards, NULL));
              n_split += tiling.splits > 1 ? 1 : 0;
            }
          case_free (c);
        }
  g_assert_cmpuint (n_split, ==, 4 + 5 + 1); /* conv2d_dw's rows, matmul's register */
}

static const LsClKernel *
row (const char *op, const char *rung)
{
  guint n;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (kernels[i].op, op) && g_str_equal (kernels[i].rung, rung))
      return &kernels[i];
  g_assert_not_reached ();
}

/* A square of 64, on the teaching kernel: whole tiles, every barrier. */
static void
test_whole_tiles (void)
{
  static const LsOpTest square = { .in = { { 64, 64 }, { 64, 64 } } };
  Case *c = case_new (&ls_op_matmul, &square, NULL, LS_SAMPLE_U8);
  Run run = { .rig = &rig, .kernel = row ("matmul", "tiled"), .c = c };

  defaults (run.kernel, run.values);
  run_check (&run, TRUE);
  case_free (c);
}

/* C is one row: its own loop computes the very bits that the panel does, at edges of columns, blocks and
 * vectors, also with an epilogue. */
static void
test_one_row (void)
{
  static const gint64 ns[] = { 1, 7, 8, 9, 31, 32, 33, 70 }, ks[] = { 1, 3, 4, 5, 256, 259, 600 };
  static const char *const none[CASE_MAX_CHAIN + 1] = { NULL }, *const bias_relu[CASE_MAX_CHAIN + 1]
                                                                = { "bias", "relu" };
  const LsClKernel *kernel = row ("matmul", "packed");

  g_assert_true (kernel->one_row);
  for (guint i = 0; i < G_N_ELEMENTS (ns) * G_N_ELEMENTS (ks) * 2; i++)
    {
      const gint64 n = ns[i / 2 % G_N_ELEMENTS (ns)], k = ks[i / 2 / G_N_ELEMENTS (ns)];
      const gboolean tb = i % 2;
      const LsOpTest test = { .in = { { 1, k }, { tb ? n : k, tb ? k : n } }, .attr = { .tb = tb } };
      Case *c = case_new (&ls_op_matmul, &test, i % 3 == 0 ? bias_relu : none, LS_SAMPLE_U8);
      g_autofree char *epilogue = ls_cl_kernel_epilogue (kernel, c->plan, c->followers, c->n_followers);

      for (int vec = 4; vec <= 16; vec *= 2)
        {
          Run run = { .rig = &rig, .kernel = kernel, .c = c, .epilogue = epilogue };
          LsTiling tiling;
          LsClRange tiles;
          gboolean guards;

          defaults (kernel, run.values);
          run.values[LS_CL_PACKED_VEC] = vec;
          if (!fits (&run))
            continue;
          g_autofree guint8 *panel = run_kernel (&run, &tiling, &tiles, &guards, NULL);
          run.values[LS_CL_PACKED_ROWS] = 1;
          run_check (&run, FALSE);
          g_autofree guint8 *got = run_kernel (&run, &tiling, &tiles, &guards, NULL);
          g_assert_cmpint (tiling.tile_rows, ==, 1);
          if (memcmp (got, panel, n * sizeof (float)) != 0)
            g_error ("1×%" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                     " columns%s, vectors of %d: other bits than with a panel",
                     k, n, tb ? ", transposed" : "", vec);
        }
      case_free (c);
    }
}

/* What these tests are worth: broken kernels must be found out. */
static void
test_finds_mistakes (void)
{
  static const LsOpTest test = { .in = { { 17, 33 }, { 18, 33 } }, .attr = { .tb = TRUE } };
  static const char *const mistakes[][3] = {
    { "tiled", "k + col < last_k", "k + col < last_k - 1" }, /* a term left out */
    { "tiled", "sum += a_tile[row][i] * b_tile[i][col];",
      "sum += 1.0001f * a_tile[row][i] * b_tile[i][col];" },
    { "naive", "if (m < M && n < N)", "if (m < M && n < N - 1)" }, /* an element not written */
    { "naive", "#define GROUP 16", "#define GROUP 16\n#define BROKEN out[M * N] = 0.0f;" }, /* not used:
                                                                                               agrees */
    { "naive", "float total = 0.0f;", "float total = 0.0f; out[M * N + 3] = 1.0f;" },
  };
  Case *c = case_new (&ls_op_matmul, &test, NULL, LS_SAMPLE_U8);

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      Run run = { .rig = &rig,
                  .kernel = row ("matmul", mistakes[i][0]),
                  .c = c,
                  .from = mistakes[i][1],
                  .to = mistakes[i][2] };
      LsTiling tiling;
      LsClRange tiles;
      gboolean guards;
      g_autofree char *why = NULL;

      defaults (run.kernel, run.values);
      g_autofree guint8 *got = run_kernel (&run, &tiling, &tiles, &guards, NULL);
      g_assert_cmpint (guards && run_agrees (&run, got, &why), ==, i == 3);
    }
  case_free (c);
}

/* ---- the table ---- */

static void
test_choose (void)
{
  static const LsOpTest test = { .in = { { 128, 784 }, { 256, 784 } }, .attr = { .tb = TRUE } };
  g_autoptr (LsPlan) plan = ls_plan_new_single (&ls_op_matmul, &test, NULL);
  g_autoptr (LsPlan) small = ls_plan_new_single (&ls_op_matmul, &ls_op_matmul.tests[0], NULL);
  static const LsOpTest one_row = { .in = { { 1, 784 }, { 256, 784 } }, .attr = { .tb = TRUE } };
  g_autoptr (LsPlan) vector = ls_plan_new_single (&ls_op_matmul, &one_row, NULL);
  g_autoptr (LsPlan) relu = ls_plan_new_single (&ls_op_relu, &ls_op_relu.tests[0], NULL);
  LsClLimits cpu = { .is_cpu = TRUE,
                     .max_group = 4096,
                     .max_item = { 4096, 4096, 4096 },
                     .local_mem = 1 << 20,
                     .vector_width = 8,
                     .units = 2 };
  LsClLimits gpu = {
    .max_group = 256, .max_item = { 256, 256, 64 }, .local_mem = 32 << 10, .vector_width = 1, .units = 60
  };
  int values[LS_CL_MAX_PARAMS];

#define RUNG(plan, asked, limits) (ls_cl_kernel_choose (&(plan)->ops[0], plan, asked, limits, values)->rung)
  g_assert_cmpstr (RUNG (plan, "auto", &cpu), ==, "packed");
  g_assert_cmpint (values[0], ==, 8);
  g_assert_cmpstr (RUNG (plan, "auto", &gpu), ==, "register");
  g_assert_cmpint (values[0], ==, 32); /* 2 × 4 tiles of 64 would leave most of 60 units idle */
  g_assert_cmpstr (RUNG (small, NULL, &gpu), ==, "naive");
  g_assert_cmpstr (RUNG (plan, "tiled", &cpu), ==, "tiled");
  g_assert_cmpstr (RUNG (relu, "register", &cpu), ==, "naive");
  g_assert_cmpstr (RUNG (relu, "packed", &gpu), ==, "packed");
  g_assert_cmpint (values[0], ==, 4);
  gpu.max_group = 64; /* 16×16 items don't fit; the register-blocked rung's 8×8 do */
  g_assert_cmpstr (RUNG (plan, "naive", &gpu), ==, "register");
  gpu.local_mem = 1024; /* not even for a panel: the reference takes over */
  g_assert_null (ls_cl_kernel_choose (&plan->ops[0], plan, "auto", &gpu, values));
  cpu.vector_width = 16;
  cpu.local_mem = 32 << 10; /* 256 × 32 floats and the rows' sums are too much for it */
  g_assert_cmpstr (RUNG (plan, "auto", &cpu), ==, "packed");
  g_assert_cmpint (values[0], ==, 8);
  g_assert_cmpint (values[1], ==, 128);
  cpu.units = 8; /* and 8 panels: 32 groups */
  g_assert_cmpstr (RUNG (plan, "auto", &cpu), ==, "packed");
  g_assert_cmpint (values[1], ==, 32);
  g_assert_cmpstr (RUNG (vector, "auto", &cpu), ==, "packed");
  g_assert_cmpint (values[1], ==, 1);
#undef RUNG
}

static void
test_epilogue (void)
{
  static const char *const bad[][CASE_MAX_CHAIN + 1] = {
    { "relu", "bias" },
    { "bias", "relu_grad" },
    { "bias", "bias" },
    { "relu", "tanh" },
  };
  static const LsOpTest test = { .in = { { 3, 4 }, { 4, 5 } } };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      Case *c = case_new (&ls_op_matmul, &test, bad[i], LS_SAMPLE_U8);
      g_assert_null (ls_cl_kernel_epilogue (row ("matmul", "naive"), c->plan, c->followers, c->n_followers));
      case_free (c);
    }

  const char *good[] = { "bias", "relu", NULL };
  Case *c = case_new (&ls_op_matmul, &test, good, LS_SAMPLE_U8);
  g_autofree char *macros = ls_cl_kernel_epilogue (row ("matmul", "naive"), c->plan, c->followers, 2);
  g_assert_cmpstr (macros, ==, "-D EPILOGUE_BIAS=1 -D EPILOGUE_RELU=1");
  g_assert_null (ls_cl_kernel_epilogue (row ("relu", "naive"), c->plan, c->followers, 1));
  case_free (c);
}

/* A ladder begins with a naive rung, and each op that the program ships with has one. Two rows of a rung go
 * by the shape, so the one that can't do all of them comes first; test_row() has a shape for each. */
static void
test_table (void)
{
  guint n;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    g_assert_nonnull (row (kernels[i].op, "naive"));
  for (guint p = 0; p < SHIPPED_PLANS; p++)
    {
      g_autoptr (LsPlan) plan = shipped_plan (p);
      for (guint i = 0; i < plan->n_ops; i++)
        if (row (plan->ops[i].klass->name, "naive") == NULL)
          g_test_fail_printf ("%s has no OpenCL kernel", plan->ops[i].klass->name);
    }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      if (g_str_equal (kernels[i].op, kernels[j].op) && g_str_equal (kernels[i].rung, kernels[j].rung))
        g_assert_true (kernels[j].fits != NULL && kernels[j].fits != kernels[i].fits);
}

int
main (int argc, char **argv)
{
  const char *reason;
  guint n;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  g_test_init (&argc, &argv, NULL);
  tiny = g_strcmp0 (g_getenv ("LOCKSTEP_KERNEL_TEST"), "tiny") == 0;
  if (!rig_open (&rig, !tiny, &reason))
    {
      g_print ("1..0 # SKIP %s\n", reason);
      return 0;
    }

  g_test_add_func ("/others/table/rows", test_table);
  g_test_add_func ("/others/table/choose", test_choose);
  g_test_add_func ("/others/table/epilogue", test_epilogue);
  for (guint i = 0; i < n; i++)
    {
      gboolean product = g_str_equal (kernels[i].op, "matmul") || g_str_has_prefix (kernels[i].op, "conv2d");
      gboolean again = i > 0 && g_str_equal (kernels[i].op, kernels[i - 1].op)
                       && g_str_equal (kernels[i].rung, kernels[i - 1].rung);
      g_autofree char *path = g_strdup_printf ("%s/%s/%s%s", product ? "" : "/others", kernels[i].op,
                                               kernels[i].rung, again ? "-2" : "");
      g_test_add_data_func (path, &kernels[i], test_row);
    }
  g_test_add_func ("/matmul/whole-tiles", test_whole_tiles);
  if (!tiny)
    {
      g_test_add_func ("/matmul/one-row", test_one_row);
      g_test_add_func ("/others/splits", test_splits);
      g_test_add_func ("/others/finds-mistakes", test_finds_mistakes);
    }
  int status = g_test_run ();
  rig_close (&rig);
  return status;
}
