/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every row of the kernel table on every test shape of its op, with its epilogues, parameters and probe, against the
 * reference in double precision. Outputs and scratch are poisoned first, guard zones are checked, two runs must agree
 * bit for bit, and a single work-group must write its tile and nothing else.
 *
 * LOCKSTEP_KERNEL_TEST=tiny keeps to what Oclgrind can do in a minute: see oclgrind.sh.
 */
#include <math.h>
#include <string.h>
#include <gio/gio.h>
#include "case.h"
#include "rig.h"

#define TINY_FLOPS 6000

static Rig rig;
static gboolean tiny;

typedef struct {
  const LsClKernel *kernel;
  const Case *c;
  int values[LS_CL_MAX_PARAMS];
  const char *epilogue;
  gboolean probe, f32_samples;
  gboolean one_group;            /* run only the first group of the tiles' pass, and nothing after it */
  const char *from, *to;         /* change the source: for the test of this test */
} Run;

/* ---- running a row ---- */

typedef struct {
  RigBuffer tensors[16], scratch[2], samples, labels, index, byte_values, probe;
} Buffers;

static void
buffers_init (Buffers *b, const Run *run, gsize scratch0, gsize scratch1, guint n_groups)
{
  const Case *c = run->c;
  const LsPlan *plan = c->plan;

  memset (b, 0, sizeof *b);
  g_assert_cmpuint (plan->n_tensors, <=, G_N_ELEMENTS (b->tensors));
  for (guint i = 0; i < plan->n_tensors; i++)
    b->tensors[i] = rig_buffer_new (&rig, c->values[i], ls_tensor_bytes (&plan->tensors[i]));
  b->scratch[0] = rig_buffer_new (&rig, NULL, scratch0 * 4);
  b->scratch[1] = rig_buffer_new (&rig, NULL, scratch1 * 4);
  if (c->set.samples != NULL)
    {
      gsize size = c->set.type == LS_SAMPLE_U8 ? 1 : 4;
      b->samples = rig_buffer_new (&rig, c->set.samples, (gsize) (c->set.n * c->set.sample_size) * size);
      b->labels = rig_buffer_new (&rig, c->set.labels, (gsize) c->set.n * 4);
      b->index = rig_buffer_new (&rig, c->index, c->batch.n * 4);
      b->byte_values = rig_buffer_new (&rig, ls_dataset_byte_values (), 256 * 4);
    }
  if (run->probe)
    {
      gsize words = LS_CL_PROBE_HEADER + LS_CL_PROBE_WORDS * (gsize) n_groups;
      g_autofree guint32 *zero = g_new0 (guint32, words);
      b->probe = rig_buffer_new (&rig, zero, words * 4);
    }
}

static void
buffers_clear (Buffers *b, const Run *run)
{
  for (guint i = 0; i < run->c->plan->n_tensors; i++)
    rig_buffer_free (&b->tensors[i]);
  rig_buffer_free (&b->scratch[0]);
  rig_buffer_free (&b->scratch[1]);
  rig_buffer_free (&b->samples);
  rig_buffer_free (&b->labels);
  rig_buffer_free (&b->index);
  rig_buffer_free (&b->byte_values);
  rig_buffer_free (&b->probe);
}

static gboolean
guards_intact (const Buffers *b, const Run *run)
{
  gboolean intact = rig_buffer_read (&rig, &b->scratch[0], NULL) && rig_buffer_read (&rig, &b->scratch[1], NULL);

  for (guint i = 0; i < run->c->plan->n_tensors; i++)
    intact = rig_buffer_read (&rig, &b->tensors[i], NULL) && intact;
  return intact;
}

static cl_mem
buffer_of (const Buffers *b, const Run *run, LsClArg arg)
{
  const LsPlan *plan = run->c->plan;
  const LsOp *op = &plan->ops[0], *last = &plan->ops[run->c->last_op];

  switch (arg)
    {
    case LS_CL_ARG_IN0: case LS_CL_ARG_IN1: case LS_CL_ARG_IN2: case LS_CL_ARG_IN3: case LS_CL_ARG_IN4:
      return b->tensors[op->in[arg - LS_CL_ARG_IN0]].mem;
    case LS_CL_ARG_OUT0:
      return b->tensors[last->out[0]].mem;
    case LS_CL_ARG_OUT1: case LS_CL_ARG_OUT2: case LS_CL_ARG_OUT3:
      return b->tensors[op->out[arg - LS_CL_ARG_OUT0]].mem;
    case LS_CL_ARG_SCRATCH0: case LS_CL_ARG_SCRATCH1:
      return b->scratch[arg - LS_CL_ARG_SCRATCH0].mem;
    case LS_CL_ARG_EPILOGUE:
      for (guint i = 1; i <= run->c->last_op; i++)
        if (plan->ops[i].n_in == 2)
          return b->tensors[plan->ops[i].in[1]].mem;
      return b->scratch[0].mem;
    case LS_CL_ARG_SAMPLES: return b->samples.mem;
    case LS_CL_ARG_SET_LABELS: return b->labels.mem;
    case LS_CL_ARG_INDEX: return b->index.mem;
    case LS_CL_ARG_BYTE_VALUES: return b->byte_values.mem;
    default: return NULL;
    }
}

static float
number_of (const LsHyper *h, LsClArg arg)
{
  switch (arg)
    {
    case LS_CL_ARG_LR: return (float) h->lr;
    case LS_CL_ARG_MOMENTUM: return (float) h->momentum;
    case LS_CL_ARG_BETA1: return (float) h->beta1;
    case LS_CL_ARG_BETA2: return (float) h->beta2;
    case LS_CL_ARG_EPSILON: return (float) h->epsilon;
    case LS_CL_ARG_STEP_SIZE: return (float) (h->lr / (1 - pow (h->beta1, (double) h->step)));
    case LS_CL_ARG_CORRECTION2: return (float) (1 / sqrt (1 - pow (h->beta2, (double) h->step)));
    case LS_CL_ARG_ONE_MINUS_BETA1: return (float) (1 - h->beta1);
    case LS_CL_ARG_ONE_MINUS_BETA2: return (float) (1 - h->beta2);
    default: g_assert_not_reached ();
    }
}

static void
set_arguments (cl_kernel kernel, const Run *run, const LsClPass *pass, const Buffers *b)
{
  int shape[LS_CL_MAX_SHAPE];
  guint n_shape = run->kernel->shape (&run->c->plan->ops[0], run->c->plan, run->values, shape);
  guint k = 0, i = 0;

  for (; pass->args[i] != LS_CL_ARG_END; i++)
    {
      LsClArg arg = pass->args[i];
      if (arg == LS_CL_ARG_SHAPE)
        {
          g_assert_cmpuint (k, <, n_shape);
          g_assert_cmpint (clSetKernelArg (kernel, i, sizeof (cl_int), &shape[k++]), ==, CL_SUCCESS);
        }
      else if (arg >= LS_CL_ARG_LR)
        {
          cl_float number = number_of (&run->c->hyper, arg);
          g_assert_cmpint (clSetKernelArg (kernel, i, sizeof number, &number), ==, CL_SUCCESS);
        }
      else
        {
          cl_mem mem = buffer_of (b, run, arg);
          g_assert_nonnull (mem);
          g_assert_cmpint (clSetKernelArg (kernel, i, sizeof mem, &mem), ==, CL_SUCCESS);
        }
    }
  if (run->probe && pass->tiles)
    g_assert_cmpint (clSetKernelArg (kernel, i++, sizeof (cl_mem), &b->probe.mem), ==, CL_SUCCESS);

  cl_uint n_args = 0;
  clGetKernelInfo (kernel, CL_KERNEL_NUM_ARGS, sizeof n_args, &n_args, NULL);
  g_assert_cmpuint (n_args, ==, i);
}

static guint
groups_in (const LsClRange *range)
{
  return (guint) (range->global[0] / range->local[0] * (range->global[1] / range->local[1])
                  * (range->global[2] / range->local[2]));
}

/* All passes. Returns the outputs, one after the other, 4 bytes each; *guards: no buffer was overrun. */
static guint8 *
run_kernel (const Run *run, LsTiling *tiling, LsClRange *tiles, gboolean *guards, guint32 **probe)
{
  const LsPlan *plan = run->c->plan;
  const LsOp *op = &plan->ops[0], *last = &plan->ops[run->c->last_op];
  LsClRange ranges[LS_CL_MAX_PASSES];
  gboolean needed[LS_CL_MAX_PASSES] = { FALSE };
  gsize scratch[2] = { 0, 0 };
  Buffers b;

  memset (tiling, 0, sizeof *tiling);
  for (guint i = 0; i < LS_CL_MAX_PASSES && run->kernel->passes[i].function != NULL; i++)
    {
      const LsClPass *pass = &run->kernel->passes[i];
      needed[i] = pass->range (op, plan, run->values, &rig.limits, &ranges[i], tiling);
      for (guint j = 0; needed[i] && j < 2; j++)
        scratch[j] = MAX (scratch[j], ranges[i].scratch_floats[j]);
      if (pass->tiles)
        *tiles = ranges[i];
    }
  buffers_init (&b, run, scratch[0], scratch[1], groups_in (tiles));

  cl_program program = rig_program (&rig, run->kernel, run->values, run->epilogue, run->probe, run->f32_samples,
                                    run->from, run->to);
  for (guint i = 0; i < LS_CL_MAX_PASSES && run->kernel->passes[i].function != NULL; i++)
    {
      const LsClPass *pass = &run->kernel->passes[i];
      cl_int status;
      if (!needed[i])
        continue;
      cl_kernel kernel = clCreateKernel (program, pass->function, &status);
      g_assert_cmpint (status, ==, CL_SUCCESS);
      set_arguments (kernel, run, pass, &b);
      if (pass->tiles && run->one_group)
        memcpy (ranges[i].global, ranges[i].local, sizeof ranges[i].global);
      rig_run (&rig, kernel, &ranges[i]);
      clReleaseKernel (kernel);
      if (pass->tiles && run->one_group)
        break;
    }

  GByteArray *out = g_byte_array_new ();
  for (guint j = 0; j < op->n_out; j++)
    {
      guint id = j == 0 ? last->out[0] : op->out[j];
      gsize bytes = ls_tensor_bytes (&plan->tensors[id]);
      g_byte_array_set_size (out, out->len + (guint) bytes);
      rig_buffer_read (&rig, &b.tensors[id], out->data + out->len - bytes);
    }
  *guards = guards_intact (&b, run);
  if (run->probe && probe != NULL)
    {
      *probe = g_malloc (b.probe.bytes);
      g_assert_true (rig_buffer_read (&rig, &b.probe, *probe));
    }
  buffers_clear (&b, run);
  return g_byte_array_free (out, FALSE);
}

/* ---- checks ---- */

static gboolean
outputs_agree (const Run *run, const guint8 *got, char **why)
{
  const LsPlan *plan = run->c->plan;
  const LsOp *op = &plan->ops[0], *last = &plan->ops[run->c->last_op];

  for (guint j = 0; j < op->n_out; j++)
    {
      guint id = j == 0 ? last->out[0] : op->out[j];
      if (!case_agrees (run->c, id, got, why))
        return FALSE;
      got += ls_tensor_bytes (&plan->tensors[id]);
    }
  return TRUE;
}

/* Each group started once and finished once, later than it started; counts, ranks and tiles are complete. */
static void
check_probe (const Run *run, const LsTiling *tiling, const LsClRange *tiles, const guint32 *probe)
{
  guint n = groups_in (tiles);
  g_autofree guint8 *seen = g_new0 (guint8, n);

  g_assert_cmpuint (probe[0], ==, n);
  g_assert_cmpuint (probe[1], ==, n);
  for (guint g = 0; g < n; g++)
    {
      const guint32 *words = probe + LS_CL_PROBE_HEADER + LS_CL_PROBE_WORDS * g;
      guint split;
      guint tile = ls_cl_kernel_tile (run->kernel, tiling, tiles, g, &split);

      g_assert_cmpuint (words[0], <, n);
      g_assert_cmpuint (words[1], <, n);
      g_assert_cmpuint (tile, <, tiling->grid_rows * tiling->grid_cols);
      g_assert_cmpuint (split, <, tiling->splits);
      seen[words[0]] |= 1;
      seen[words[1]] |= 2;
      seen[tile * tiling->splits + split] |= 4;
      if (rig.ticks != 0)
        g_assert_cmpuint ((guint64) words[5] << 32 | words[4], >, (guint64) words[3] << 32 | words[2]);
    }
  for (guint g = 0; g < n; g++)
    g_assert_cmpuint (seen[g], ==, 7);
}

static char *
describe (const Run *run)
{
  GString *text = g_string_new (NULL);
  const LsOp *op = &run->c->plan->ops[0];

  g_string_printf (text, "%s %s", run->kernel->op, run->kernel->rung);
  for (guint j = 0; j < op->n_in; j++)
    {
      g_autofree char *shape = ls_tensor_shape_string (&run->c->plan->tensors[op->in[j]]);
      g_string_append_printf (text, " %s", shape);
    }
  g_string_append_printf (text, " kernel %d stride %d pad %d%s%s", op->attr.kernel, op->attr.stride, op->attr.pad,
                          op->attr.ta ? " ta" : "", op->attr.tb ? " tb" : "");
  for (guint i = 0; i < LS_CL_MAX_PARAMS && run->kernel->params[i].name != NULL; i++)
    g_string_append_printf (text, " %s=%d", run->kernel->params[i].name, run->values[i]);
  g_string_append_printf (text, " %s%s", run->epilogue != NULL ? run->epilogue : "", run->probe ? " probe" : "");
  return g_string_free (text, FALSE);
}

/* twice: the second run must give the same bits. */
static void
check_run (const Run *run, gboolean twice)
{
  LsTiling tiling;
  LsClRange tiles;
  gboolean guards;
  g_autofree guint32 *probe = NULL;
  g_autofree char *what = describe (run), *why = NULL;
  g_autofree guint8 *got = run_kernel (run, &tiling, &tiles, &guards, &probe);

  if (!guards)
    g_error ("%s: wrote past the end of a buffer", what);
  if (!outputs_agree (run, got, &why))
    g_error ("%s: %s", what, why);
  g_assert_cmpuint (groups_in (&tiles), ==, tiling.grid_rows * tiling.grid_cols * tiling.splits);
  if (probe != NULL)
    check_probe (run, &tiling, &tiles, probe);
  if (twice)
    {
      g_autofree guint8 *again = run_kernel (run, &tiling, &tiles, &guards, NULL);
      gsize bytes = 0;
      for (guint j = 0; j < run->c->plan->ops[0].n_out; j++)
        bytes += ls_tensor_bytes (&run->c->plan->tensors[run->c->plan->ops[0].out[j]]);
      if (memcmp (got, again, bytes) != 0)
        g_error ("%s: a second run gave other bits", what);
    }
}

/* The first group alone writes as many elements as tile 0 has. */
static void
check_one_group (Run *run)
{
  const LsTensor *out = &run->c->plan->tensors[run->c->plan->ops[0].out[0]];
  LsTiling tiling;
  LsClRange tiles;
  gboolean guards;
  gint64 written = 0;

  if (run->c->plan->ops[0].klass->in_place[0] >= 0)
    return;
  run->one_group = TRUE;
  g_autofree guint8 *got = run_kernel (run, &tiling, &tiles, &guards, NULL);
  run->one_group = FALSE;
  for (gint64 i = 0; i < ls_tensor_count (out); i++)
    written += ((const guint32 *) (const void *) got)[i] != RIG_POISON ? 1 : 0;
  if (tiling.splits == 1 && written != MIN (tiling.tile_rows, tiling.rows) * MIN (tiling.tile_cols, tiling.cols))
    {
      g_autofree char *what = describe (run);
      g_error ("%s: group 0 wrote %" G_GINT64_FORMAT " elements, its tile is %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT, what,
               written, tiling.tile_rows, tiling.tile_cols);
    }
}

/* ---- which runs ---- */

static const char *const chains[][CASE_MAX_CHAIN] = {
  { NULL },         { "bias", "relu" },    { "bias" },      { "relu" },         { "bias", "tanh" }, { "bias", "sigmoid" },
  { "relu_grad" },  { "tanh_grad" },       { "sigmoid_grad" },
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

        Run run = { .kernel = kernel, .c = c, .f32_samples = type == LS_SAMPLE_F32 };
        g_autofree char *epilogue = ls_cl_kernel_epilogue (kernel, c->plan, c->followers, c->n_followers);
        g_assert_nonnull (epilogue);
        run.epilogue = epilogue;
        defaults (kernel, run.values);
        if (fits (&run))
          {
            check_run (&run, i == 0);
            run.probe = i < PROBED_CHAINS;
            if (run.probe)
              check_run (&run, FALSE);
          }
        case_free (c);
      }
}

/* The values that ls_cl_kernel_choose() takes for this shape; then each parameter's other choices on every fourth shape. */
static void
check_values (const LsClKernel *kernel, const LsOpClass *klass, const LsOpTest *test, gboolean all_choices)
{
  Case *c = case_new (klass, test, NULL, LS_SAMPLE_U8);
  Run run = { .kernel = kernel, .c = c };

  const LsClKernel *chosen = ls_cl_kernel_choose (&c->plan->ops[0], c->plan, kernel->rung, &rig.limits, run.values);
  g_assert_true (chosen == kernel);
  check_run (&run, FALSE);
  check_one_group (&run);
  for (guint i = 0; all_choices && i < LS_CL_MAX_PARAMS && kernel->params[i].name != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (kernel->params[i].choices) && kernel->params[i].choices[j] != 0; j++)
      {
        defaults (kernel, run.values);
        run.values[i] = kernel->params[i].choices[j];
        if (fits (&run))
          check_run (&run, TRUE);
      }
  case_free (c);
}

static void
test_row (gconstpointer data)
{
  const LsClKernel *kernel = data;
  const LsOpClass *klass = ls_op_class_find (kernel->op);

  g_assert_nonnull (klass);
  for (guint i = 0; i < klass->n_tests; i++)
    if (wanted (klass, &klass->tests[i]))
      {
        check_chains (kernel, klass, &klass->tests[i]);
        check_values (kernel, klass, &klass->tests[i], !tiny && i % 4 == 3);
      }
}

/* Long sums: parts in scratch, added up by a further pass. */
static void
test_splits (void)
{
  static const LsOpTest dw = { .in = { { 9, 5, 20, 17 }, { 9, 3, 20, 17 } },
                               .attr = { .kernel = 3, .stride = 1, .pad = 1 } };
  static const LsOpTest product = { .in = { { 5, 1100 }, { 9, 1100 } }, .attr = { .tb = TRUE } };
  static const LsOpTest sum = { .in = { { 30, 3, 20, 30 } } };
  const char *const names[] = { "conv2d_dw", "matmul", "bias_grad" };
  const LsOpTest *const tests[] = { &dw, &product, &sum };
  guint n, n_split = 0;
  const LsClKernel *kernels = ls_cl_kernels (&n);

  for (guint i = 0; i < n; i++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++)
      if (g_str_equal (kernels[i].op, names[t]))
        {
          Case *c = case_new (ls_op_class_find (names[t]), tests[t], NULL, LS_SAMPLE_U8);
          Run run = { .kernel = &kernels[i], .c = c };
          LsTiling tiling;
          LsClRange tiles;
          gboolean guards;

          defaults (run.kernel, run.values);
          check_run (&run, TRUE);
          g_free (run_kernel (&run, &tiling, &tiles, &guards, NULL));
          n_split += tiling.splits > 1 ? 1 : 0;
          case_free (c);
        }
  g_assert_cmpuint (n_split, ==, 4 + 1 + 1); /* conv2d_dw's rungs, matmul's register, bias_grad's packed */
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
  Run run = { .kernel = row ("matmul", "tiled"), .c = c };

  defaults (run.kernel, run.values);
  check_run (&run, TRUE);
  case_free (c);
}

/* What these tests are worth: broken kernels must be found out. */
static void
test_finds_mistakes (void)
{
  static const LsOpTest test = { .in = { { 17, 33 }, { 18, 33 } }, .attr = { .tb = TRUE } };
  static const char *const mistakes[][3] = {
    { "tiled", "k + col < last_k", "k + col < last_k - 1" },                /* a term left out */
    { "tiled", "sum += a_tile[row][i] * b_tile[i][col];", "sum += 1.0001f * a_tile[row][i] * b_tile[i][col];" },
    { "naive", "if (m < M && n < N)", "if (m < M && n < N - 1)" },          /* an element not written */
    { "naive", "#define GROUP 16", "#define GROUP 16\n#define BROKEN out[M * N] = 0.0f;" }, /* not used: agrees */
    { "naive", "float sum = 0.0f;\n      // phase", "float sum = 0.0f; out[M * N + 3] = 1.0f;\n      // phase" },
  };
  Case *c = case_new (&ls_op_matmul, &test, NULL, LS_SAMPLE_U8);

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      Run run = { .kernel = row ("matmul", mistakes[i][0]), .c = c, .from = mistakes[i][1], .to = mistakes[i][2] };
      LsTiling tiling;
      LsClRange tiles;
      gboolean guards;
      g_autofree char *why = NULL;

      defaults (run.kernel, run.values);
      g_autofree guint8 *got = run_kernel (&run, &tiling, &tiles, &guards, NULL);
      g_assert_cmpint (guards && outputs_agree (&run, got, &why), ==, i == 3);
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
  g_autoptr (LsPlan) relu = ls_plan_new_single (&ls_op_relu, &ls_op_relu.tests[0], NULL);
  LsClLimits cpu = { .is_cpu = TRUE, .max_group = 4096, .max_item = { 4096, 4096, 4096 }, .local_mem = 1 << 20,
                     .vector_width = 8, .units = 2 };
  LsClLimits gpu = { .max_group = 256, .max_item = { 256, 256, 64 }, .local_mem = 32 << 10, .vector_width = 1,
                     .units = 60 };
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
  gpu.local_mem = 1024;
  g_assert_cmpstr (RUNG (plan, "auto", &gpu), ==, "packed");
#undef RUNG
}

static void
test_epilogue (void)
{
  static const char *const bad[][CASE_MAX_CHAIN + 1] = {
    { "relu", "bias" }, { "bias", "relu_grad" }, { "bias", "bias" }, { "relu", "tanh" },
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

/* Every op has a naive rung, and no op's rung has two rows. */
static void
test_table (void)
{
  guint n, n_classes;
  const LsClKernel *kernels = ls_cl_kernels (&n);
  const LsOpClass *const *classes = ls_op_classes (&n_classes);

  for (guint i = 0; i < n_classes; i++)
    g_assert_nonnull (row (classes[i]->name, "naive"));
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < i; j++)
      g_assert_false (g_str_equal (kernels[i].op, kernels[j].op) && g_str_equal (kernels[i].rung, kernels[j].rung));
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

  g_test_add_func ("/table/rows", test_table);
  g_test_add_func ("/table/choose", test_choose);
  g_test_add_func ("/table/epilogue", test_epilogue);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/kernels/%s/%s", kernels[i].op, kernels[i].rung);
      g_test_add_data_func (path, &kernels[i], test_row);
    }
  g_test_add_func ("/whole-tiles", test_whole_tiles);
  if (!tiny)
    {
      g_test_add_func ("/splits", test_splits);
      g_test_add_func ("/finds-mistakes", test_finds_mistakes);
    }
  int status = g_test_run ();
  rig_close (&rig);
  return status;
}
