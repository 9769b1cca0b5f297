/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shortest possible executor of plans: see loops.h.
 */
#include "loops.h"

#include <math.h>

#include "core/rng.h"

static void
make_set (LsLoops *loops)
{
  const LsTensor *x = &loops->plan->tensors[loops->plan->x];
  const gint64 size = ls_tensor_inner (x), n = 2 * x->shape[0];
  const gint classes = MAX (loops->plan->n_classes, 1);
  guint32 *index = g_new (guint32, x->shape[0]);
  float *samples = g_new (float, n *size);
  gint32 *labels = g_new (gint32, n);

  for (gint64 i = 0; i < n * size; i++)
    samples[i] = (float) (2 * ls_rng_uniform (1, LS_STREAM_TEST, 0, (guint64) i) - 1);
  for (gint64 i = 0; i < n; i++)
    labels[i] = (gint32) (i % classes);
  for (gint64 i = 0; i < x->shape[0]; i++)
    index[i] = (guint32) (n - 1 - 2 * i);
  loops->set
    = (LsDataset){ .n = n, .sample_size = size, .type = LS_SAMPLE_F32, .samples = samples, .labels = labels };
  loops->batch = (LsBatch){ .set = &loops->set, .index = index, .n = (guint) x->shape[0] };
}

void
ls_loops_init (LsLoops *loops, LsPlan *plan, gboolean wide)
{
  g_autoptr (GError) error = NULL;

  *loops = (LsLoops){ .plan = plan };
  loops->hyper
    = (LsHyper){ .lr = 0.1, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };
  ls_arena_init (&loops->arena, plan->tensors, plan->n_tensors, wide, &error);
  g_assert_no_error (error);
  if (plan->x != LS_TENSOR_NONE)
    make_set (loops);
}

void
ls_loops_clear (LsLoops *loops)
{
  g_assert_null (ls_arena_check (&loops->arena, loops->plan->tensors, loops->plan->n_tensors));
  ls_arena_clear (&loops->arena);
  g_free ((guint32 *) loops->batch.index);
  g_free (loops->set.samples);
  g_free (loops->set.labels);
  ls_plan_unref (loops->plan);
}

void
ls_loops_run_op (LsLoops *loops, guint op)
{
  LsOpCall call;

  ls_plan_call (loops->plan, &loops->arena, op, &call);
  call.hyper = &loops->hyper;
  call.batch = &loops->batch;
  if (loops->arena.wide)
    call.op->klass->ref_f64 (&call);
  else
    call.op->klass->ref_f32 (&call);
}

void
ls_loops_run (LsLoops *loops, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    ls_loops_run_op (loops, i);
}

double
ls_loops_get (const LsLoops *loops, guint tensor, gint64 i)
{
  const LsTensor *t = &loops->plan->tensors[tensor];
  const void *at = ls_arena_at (&loops->arena, t);

  if (t->dtype == LS_I32)
    return ((const gint32 *) at)[i];
  return loops->arena.wide ? ((const double *) at)[i] : (double) ((const float *) at)[i];
}

void
ls_loops_set (LsLoops *loops, guint tensor, gint64 i, double value)
{
  const LsTensor *t = &loops->plan->tensors[tensor];
  void *at = ls_arena_at (&loops->arena, t);

  if (t->dtype == LS_I32)
    ((gint32 *) at)[i] = (gint32) value;
  else if (loops->arena.wide)
    ((double *) at)[i] = value;
  else
    ((float *) at)[i] = (float) value;
}

/* Positions that a pooling could have given: one in each window, a different place from window to window. */
static void
fill_index (LsLoops *loops, guint tensor, guint64 seed)
{
  const LsOp *op = &loops->plan->ops[0];
  const LsTensor *t = &loops->plan->tensors[tensor];
  const gint64 width = loops->plan->tensors[op->in[2]].shape[3];

  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    {
      guint32 at = ls_rng_u32 (seed, LS_STREAM_TEST, tensor, (guint64) i)
                   % (guint32) (op->attr.kernel * op->attr.kernel);
      gint64 row = i / t->shape[3] % t->shape[2] * op->attr.stride + at / (guint32) op->attr.kernel;
      gint64 col = i % t->shape[3] * op->attr.stride + at % (guint32) op->attr.kernel;
      ls_loops_set (loops, tensor, i, (double) (row * width + col));
    }
}

/* Equally spaced from −1 to 1, but for the middle, in random order: no two alike, none near 0. */
static void
fill_distinct (LsLoops *loops, guint tensor, guint64 seed)
{
  const guint32 count = (guint32) ls_tensor_count (&loops->plan->tensors[tensor]);
  g_autofree guint32 *order = g_new (guint32, count);

  for (guint32 i = 0; i < count; i++)
    order[i] = i;
  ls_rng_shuffle (seed, LS_STREAM_TEST, tensor, order, count);
  for (guint32 i = 0; i < count; i++)
    {
      double u = 2 * (order[i] + 0.5) / count - 1;
      ls_loops_set (loops, tensor, i, u + (u < 0 ? -0.01 : 0.01));
    }
}

void
ls_loops_fill (LsLoops *loops, guint tensor, guint64 seed)
{
  const LsTensor *t = &loops->plan->tensors[tensor];
  const LsOp *op = &loops->plan->ops[0];

  if (t->role == LS_ROLE_ZERO)
    return;
  if (t->role == LS_ROLE_INDEX)
    fill_index (loops, tensor, seed);
  else if (t->role == LS_ROLE_LABEL)
    for (gint64 i = 0; i < ls_tensor_count (t); i++)
      ls_loops_set (loops, tensor, i,
                    ls_rng_u32 (seed, LS_STREAM_TEST, tensor, (guint64) i)
                      % (guint32) loops->plan->tensors[op->in[0]].shape[1]);
  else
    fill_distinct (loops, tensor, seed);

  if (t->role == LS_ROLE_STATE)
    for (gint64 i = 0; i < ls_tensor_count (t); i++)
      ls_loops_set (loops, tensor, i, fabs (ls_loops_get (loops, tensor, i)));
}

void
ls_loops_fill_inputs (LsLoops *loops, guint64 seed)
{
  g_autofree gboolean *made = g_new0 (gboolean, loops->plan->n_tensors);

  for (guint i = 0; i < loops->plan->n_ops; i++)
    {
      const LsOp *op = &loops->plan->ops[i];
      for (guint j = 0; j < op->n_in; j++)
        if (!made[op->in[j]])
          {
            ls_loops_fill (loops, op->in[j], seed);
            made[op->in[j]] = TRUE;
          }
      for (guint j = 0; j < op->n_out; j++)
        made[op->out[j]] = TRUE;
    }
}

LsPlan *
ls_loops_plan (const char *model, gint64 channels, gint64 height, gint64 width, gint n_classes, guint batch,
               LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) parsed = ls_model_parse (model, &error);

  g_assert_no_error (error);
  LsPlan *plan = ls_plan_new (parsed, (gint64[]){ channels, height, width }, n_classes, batch, optimizer,
                              &error);
  g_assert_no_error (error);
  return plan;
}

void
ls_loops_init_single (LsLoops *loops, const char *name, const LsOpTest *test, gboolean wide)
{
  g_autoptr (GError) error = NULL;
  LsPlan *plan = ls_plan_new_single (ls_op_class_find (name), test, &error);

  g_assert_no_error (error);
  ls_loops_init (loops, plan, wide);
  for (guint j = 0; j < plan->ops[0].n_in; j++)
    for (gint64 i = 0; i < ls_tensor_count (&plan->tensors[j]); i++)
      ls_loops_set (loops, j, i, sin ((double) i + 10 * j));
}

void
ls_loops_assert_values (const LsLoops *loops, guint out, const double *expected, guint n)
{
  const guint tensor = loops->plan->ops[0].out[out];

  if (ls_tensor_count (&loops->plan->tensors[tensor]) != n)
    g_error ("%s: output %u has %" G_GINT64_FORMAT " elements, not %u", loops->plan->ops[0].klass->name, out,
             ls_tensor_count (&loops->plan->tensors[tensor]), n);
  for (guint i = 0; i < n; i++)
    if (!(fabs (ls_loops_get (loops, tensor, i) - expected[i]) <= 1e-13 * MAX (1, fabs (expected[i]))))
      g_error ("%s: element %u of output %u is %.15g, not %.15g", loops->plan->ops[0].klass->name, i, out,
               ls_loops_get (loops, tensor, i), expected[i]);
}
