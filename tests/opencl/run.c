/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run.h"

#include <math.h>
#include <string.h>

#define FIRST 3 /* where the batch's positions begin */

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
    b->tensors[i] = rig_buffer_new (run->rig, c->values[i], ls_tensor_bytes (&plan->tensors[i]));
  b->scratch[0] = rig_buffer_new (run->rig, NULL, scratch0 * 4);
  b->scratch[1] = rig_buffer_new (run->rig, NULL, scratch1 * 4);
  if (c->set.samples != NULL)
    {
      gsize size = c->set.type == LS_SAMPLE_U8 ? 1 : 4;
      b->samples = rig_buffer_new (run->rig, c->set.samples, (gsize) (c->set.n * c->set.sample_size) * size);
      b->labels = rig_buffer_new (run->rig, c->set.labels, (gsize) c->set.n * 4);
      /* those of other batches lie before them */
      g_autofree guint32 *index = g_new0 (guint32, FIRST + c->batch.n);
      memcpy (index + FIRST, c->index, c->batch.n * sizeof *index);
      b->index = rig_buffer_new (run->rig, index, (FIRST + c->batch.n) * 4);
      b->byte_values = rig_buffer_new (run->rig, ls_dataset_byte_values (), 256 * 4);
    }
  if (run->probe)
    {
      gsize words = LS_CL_PROBE_HEADER + LS_CL_PROBE_WORDS * (gsize) n_groups;
      g_autofree guint32 *zero = g_new0 (guint32, words);
      b->probe = rig_buffer_new (run->rig, zero, words * 4);
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
  gboolean intact = rig_buffer_read (run->rig, &b->scratch[0], NULL)
                    && rig_buffer_read (run->rig, &b->scratch[1], NULL);

  for (guint i = 0; i < run->c->plan->n_tensors; i++)
    intact = rig_buffer_read (run->rig, &b->tensors[i], NULL) && intact;
  return intact;
}

static cl_mem
buffer_of (const Buffers *b, const Run *run, LsClArg arg)
{
  const LsPlan *plan = run->c->plan;
  const LsOp *op = &plan->ops[0], *last = &plan->ops[run->c->last_op];

  switch (arg)
    {
    case LS_CL_ARG_IN0:
    case LS_CL_ARG_IN1:
    case LS_CL_ARG_IN2:
    case LS_CL_ARG_IN3:
    case LS_CL_ARG_IN4:
      return b->tensors[op->in[arg - LS_CL_ARG_IN0]].mem;
    case LS_CL_ARG_OUT0:
      return b->tensors[last->out[0]].mem;
    case LS_CL_ARG_OUT1:
    case LS_CL_ARG_OUT2:
    case LS_CL_ARG_OUT3:
      return b->tensors[op->out[arg - LS_CL_ARG_OUT0]].mem;
    case LS_CL_ARG_SCRATCH0:
    case LS_CL_ARG_SCRATCH1:
      return b->scratch[arg - LS_CL_ARG_SCRATCH0].mem;
    case LS_CL_ARG_EPILOGUE:
      for (guint i = 1; i <= run->c->last_op; i++)
        if (plan->ops[i].n_in == 2)
          return b->tensors[plan->ops[i].in[1]].mem;
      return b->scratch[0].mem;
    case LS_CL_ARG_SAMPLES:
      return b->samples.mem;
    case LS_CL_ARG_SET_LABELS:
      return b->labels.mem;
    case LS_CL_ARG_INDEX:
      return b->index.mem;
    case LS_CL_ARG_BYTE_VALUES:
      return b->byte_values.mem;
    default:
      return NULL;
    }
}

static float
number_of (const LsHyper *h, LsClArg arg)
{
  switch (arg)
    {
    case LS_CL_ARG_LR:
      return (float) h->lr;
    case LS_CL_ARG_MOMENTUM:
      return (float) h->momentum;
    case LS_CL_ARG_BETA1:
      return (float) h->beta1;
    case LS_CL_ARG_BETA2:
      return (float) h->beta2;
    case LS_CL_ARG_EPSILON:
      return (float) h->epsilon;
    case LS_CL_ARG_STEP_SIZE:
      return (float) (h->lr / (1 - pow (h->beta1, (double) h->step)));
    case LS_CL_ARG_CORRECTION2:
      return (float) (1 / sqrt (1 - pow (h->beta2, (double) h->step)));
    case LS_CL_ARG_ONE_MINUS_BETA1:
      return (float) (1 - h->beta1);
    case LS_CL_ARG_ONE_MINUS_BETA2:
      return (float) (1 - h->beta2);
    default:
      g_assert_not_reached ();
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
      else if (arg == LS_CL_ARG_FIRST)
        {
          const cl_int first = FIRST;
          g_assert_cmpint (clSetKernelArg (kernel, i, sizeof first, &first), ==, CL_SUCCESS);
        }
      else if (arg >= LS_CL_ARG_SEED_LOW)
        {
          const LsHyper *h = &run->c->hyper;
          const cl_uint number = (cl_uint) (arg == LS_CL_ARG_STEP       ? h->step
                                            : arg == LS_CL_ARG_SEED_LOW ? h->seed
                                                                        : h->seed >> 32);
          g_assert_cmpint (clSetKernelArg (kernel, i, sizeof number, &number), ==, CL_SUCCESS);
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
guint8 *
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
      needed[i] = pass->range (op, plan, run->values, &run->rig->limits, &ranges[i], tiling);
      for (guint j = 0; needed[i] && j < 2; j++)
        scratch[j] = MAX (scratch[j], ranges[i].scratch_floats[j]);
      if (pass->tiles)
        *tiles = ranges[i];
    }
  buffers_init (&b, run, scratch[0], scratch[1], groups_in (tiles));

  cl_program program = rig_program (run->rig, run->kernel, run->values, run->epilogue,
                                    run->probe ? run->ticks : -1, run->f32_samples, run->from, run->to);
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
      rig_run (run->rig, kernel, &ranges[i]);
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
      rig_buffer_read (run->rig, &b.tensors[id], out->data + out->len - bytes);
    }
  *guards = guards_intact (&b, run);
  if (run->probe && probe != NULL)
    {
      *probe = g_malloc (b.probe.bytes);
      g_assert_true (rig_buffer_read (run->rig, &b.probe, *probe));
    }
  buffers_clear (&b, run);
  return g_byte_array_free (out, FALSE);
}

/* ---- checks ---- */

gboolean
run_agrees (const Run *run, const guint8 *got, char **why)
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
  gboolean ranked = run->ticks != RIG_TICKS_POCL; /* its ticks tell the order */
  g_autofree guint8 *seen = g_new0 (guint8, n);

  g_assert_cmpuint (probe[0], ==, ranked ? n : 0);
  g_assert_cmpuint (probe[1], ==, ranked ? n : 0);
  for (guint g = 0; g < n; g++)
    {
      const guint32 *words = probe + LS_CL_PROBE_HEADER + LS_CL_PROBE_WORDS * g;
      guint split;
      guint tile = ls_cl_kernel_tile (run->kernel, tiling, tiles, g, &split);

      if (ranked)
        {
          g_assert_cmpuint (words[0], <, n);
          g_assert_cmpuint (words[1], <, n);
          seen[words[0]] |= 1;
          seen[words[1]] |= 2;
        }
      g_assert_cmpuint (tile, <, tiling->grid_rows * tiling->grid_cols);
      g_assert_cmpuint (split, <, tiling->splits);
      seen[tile * tiling->splits + split] |= 4;
      if (run->ticks != 0)
        g_assert_cmpuint ((guint64) words[5] << 32 | words[4], >, (guint64) words[3] << 32 | words[2]);
    }
  for (guint g = 0; g < n; g++)
    g_assert_cmpuint (seen[g], ==, ranked ? 7 : 4);
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
  g_string_append_printf (text, " kernel %d stride %d pad %d%s%s", op->attr.kernel, op->attr.stride,
                          op->attr.pad, op->attr.ta ? " ta" : "", op->attr.tb ? " tb" : "");
  for (guint i = 0; i < LS_CL_MAX_PARAMS && run->kernel->params[i].name != NULL; i++)
    g_string_append_printf (text, " %s=%d", run->kernel->params[i].name, run->values[i]);
  g_string_append_printf (text, " %s%s", run->epilogue != NULL ? run->epilogue : "",
                          run->probe ? " probe" : "");
  return g_string_free (text, FALSE);
}

/* twice: the second run must give the same bits. */
void
run_check (const Run *run, gboolean twice)
{
  LsTiling tiling;
  LsClRange tiles;
  gboolean guards;
  g_autofree guint32 *probe = NULL;
  g_autofree char *what = describe (run), *why = NULL;
  g_autofree guint8 *got = run_kernel (run, &tiling, &tiles, &guards, &probe);

  if (!guards)
    g_error ("%s: wrote past the end of a buffer", what);
  if (!run_agrees (run, got, &why))
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
void
run_check_one_group (Run *run)
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
  if (tiling.splits == 1
      && written != MIN (tiling.tile_rows, tiling.rows) * MIN (tiling.tile_cols, tiling.cols))
    {
      g_autofree char *what = describe (run);
      g_error ("%s: group 0 wrote %" G_GINT64_FORMAT " elements, its tile is %" G_GINT64_FORMAT
               "×%" G_GINT64_FORMAT,
               what, written, tiling.tile_rows, tiling.tile_cols);
    }
}
