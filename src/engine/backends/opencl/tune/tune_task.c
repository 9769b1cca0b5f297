/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See tune_task.h. A candidate runs as a lane would run it: same programs, same queue, same launches (run.c),
 * so what is timed is what training will have.
 */
#include "config.h"
#include "backends/opencl/tune/tune_task.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "ops/tolerance.h"

#define SAMPLES   512
#define POISON    0x7fc5a5a5u /* NaN as a float, no position as an integer */
#define MAX_STEPS 256

/* ---- tasks ---- */

static LsOpTest
test_of (const LsOp *op, const LsPlan *plan)
{
  LsOpTest test = { .attr = op->attr };

  for (guint j = 0; j < op->n_in; j++)
    {
      const LsTensor *t = &plan->tensors[op->in[j]];
      for (guint d = 0; d < t->rank; d++)
        test.in[j][d] = t->shape[d];
    }
  if (op->klass == &ls_op_gather)
    memcpy (test.attr.shape, plan->tensors[op->out[0]].shape, sizeof test.attr.shape);
  return test;
}

/* Random samples for gather. */
static LsData *
make_data (const LsTensor *x)
{
  LsData *data = g_new0 (LsData, 1);
  const gint64 size = ls_tensor_inner (x);

  data->ref_count = 1;
  data->name = g_strdup ("tune");
  data->n_classes = 10;
  for (guint s = 0; s < 2; s++)
    {
      LsDataset *set = s == 0 ? &data->train : &data->test;
      guint8 *bytes = g_malloc ((gsize) (SAMPLES * size));
      *set = (LsDataset){
        .n = SAMPLES, .shape = { size, 1, 1 }, .sample_size = size, .type = LS_SAMPLE_U8, .samples = bytes
      };
      set->labels = g_new (gint32, SAMPLES);
      for (gint64 i = 0; i < SAMPLES * size; i++)
        bytes[i] = (guint8) (i * 2654435761u >> 7);
      for (guint i = 0; i < SAMPLES; i++)
        set->labels[i] = (gint32) (i % 10);
    }
  return data;
}

void
ls_tune_task_add (GPtrArray *tasks, const LsPlan *plan)
{
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      g_autofree char *shape = ls_tuned_shape (op, plan);
      LsOpTest test = test_of (op, plan);
      LsTuneTask *task;
      gboolean known = FALSE;

      for (guint t = 0; t < tasks->len && !known; t++)
        {
          const LsTuneTask *other = tasks->pdata[t];
          known = other->plan->ops[0].klass == op->klass && strcmp (other->shape, shape) == 0;
        }
      if (known)
        continue;
      task = g_new0 (LsTuneTask, 1);
      task->plan = ls_plan_new_single (op->klass, &test, NULL);
      if (task->plan == NULL)
        {
          g_free (task);
          continue;
        }
      if (op->klass == &ls_op_gather)
        task->data = make_data (&task->plan->tensors[task->plan->ops[0].out[0]]);
      task->shape = g_steal_pointer (&shape);
      task->example = ls_tuned_example (op, plan);
      task->cost = (double) op->flops / 100 + (double) op->bytes / 10;
      g_ptr_array_add (tasks, task);
    }
}

void
ls_tune_task_free (LsTuneTask *task)
{
  ls_tune_task_stop (task);
  g_clear_pointer (&task->plan, ls_plan_unref);
  g_clear_pointer (&task->data, ls_data_unref);
  g_free (task->shape);
  g_free (task->example);
  g_free (task);
}

void
ls_tune_task_stop (LsTuneTask *task)
{
  for (guint j = 0; j < LS_OP_MAX_IN; j++)
    g_clear_pointer (&task->in[j], g_free);
  for (guint j = 0; j < LS_OP_MAX_OUT; j++)
    {
      g_clear_pointer (&task->expected[j], g_free);
      g_clear_pointer (&task->tolerance[j], g_free);
      g_clear_pointer (&task->bits[j], g_free);
    }
  g_free ((guint32 *) task->batch.index);
  task->batch = (LsBatch){ 0 };
}

/* ---- inputs and the reference ---- */

static const LsHyper hyper
  = { .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 1 };

/* Positions as maxpool2d finds them, for its gradient: dY's windows over a random X. */
static gboolean
fill_positions (const LsPlan *plan, const LsOp *op, gint32 *index)
{
  const LsTensor *x = &plan->tensors[op->in[2]];
  LsOpTest test = { .attr = { .kernel = op->attr.kernel, .stride = op->attr.stride } };
  g_autoptr (LsPlan) forward = NULL;
  LsArena arena = { 0 };
  LsOpCall call;

  memcpy (test.in[0], x->shape, sizeof test.in[0]);
  forward = ls_plan_new_single (&ls_op_maxpool2d, &test, NULL);
  if (forward == NULL || !ls_arena_init (&arena, forward->tensors, forward->n_tensors, FALSE, NULL))
    return FALSE;
  ls_plan_call (forward, &arena, 0, &call);
  for (gint64 i = 0; i < ls_tensor_count (x); i++)
    ((float *) (gpointer) call.in[0])[i] = (float) ls_rng_normal (1, LS_STREAM_TEST, 99, (guint64) i);
  call.op->klass->ref_f32 (&call);
  memcpy (index, call.out[1], ls_tensor_bytes (call.out_tensor[1]));
  ls_arena_clear (&arena);
  return TRUE;
}

static gboolean
fill_input (const LsPlan *plan, guint j, void *values)
{
  const LsOp *op = &plan->ops[0];
  const LsTensor *t = &plan->tensors[op->in[j]];
  const gint64 n = ls_tensor_count (t);

  if (t->dtype == LS_F32)
    for (gint64 i = 0; i < n; i++)
      {
        float x = (float) ls_rng_normal (1, LS_STREAM_TEST, j, (guint64) i);
        /* adam's second moment is a mean of squares */
        ((float *) values)[i] = op->klass == &ls_op_adam && j == 3 ? x * x : x;
      }
  else if (op->klass == &ls_op_maxpool2d_grad)
    return fill_positions (plan, op, values);
  else
    for (gint64 i = 0; i < n; i++) /* labels */
      ((gint32 *) values)[i] = (gint32) (i * 7 % plan->tensors[op->in[0]].shape[1]);
  return TRUE;
}

static void *
widen (const LsTensor *t, const void *values)
{
  const gint64 n = ls_tensor_count (t);
  double *wide;

  if (t->dtype == LS_I32)
    return g_memdup2 (values, ls_tensor_bytes (t));
  wide = g_new (double, MAX (n, 1));
  for (gint64 i = 0; i < n; i++)
    wide[i] = (double) ((const float *) values)[i];
  return wide;
}

/* What must come out, in double precision, and how far off it may be. */
static gboolean
run_reference (LsTuneTask *task)
{
  const LsPlan *plan = task->plan;
  const LsOp *op = &plan->ops[0];
  LsOpCall call = { .op = op, .hyper = &hyper, .batch = &task->batch };
  gboolean ok = TRUE;

  for (guint j = 0; j < op->n_in; j++)
    {
      call.in_tensor[j] = &plan->tensors[op->in[j]];
      call.in[j] = widen (call.in_tensor[j], task->in[j]);
    }
  for (guint j = 0; j < op->n_out; j++)
    {
      const gint place = op->klass->in_place[j];
      const gsize bytes = (gsize) MAX (ls_tensor_count (&plan->tensors[op->out[j]]), 1) * sizeof (double);
      call.out_tensor[j] = &plan->tensors[op->out[j]];
      task->expected[j] = place >= 0 ? g_memdup2 (call.in[place], bytes) : g_malloc0 (bytes);
      call.out[j] = task->expected[j];
    }
  op->klass->ref_f64 (&call);
  for (guint j = 0; j < op->n_out && ok; j++)
    {
      task->tolerance[j] = g_new0 (double, MAX (ls_tensor_count (call.out_tensor[j]), 1));
      ok = ls_op_tolerance (&call, j, task->tolerance[j]);
    }
  for (guint j = 0; j < op->n_in; j++)
    g_free ((gpointer) call.in[j]);
  return ok;
}

gboolean
ls_tune_task_start (LsTuneTask *task, LsCl *cl, GError **error)
{
  const LsPlan *plan = task->plan;
  const LsOp *op = &plan->ops[0];
  gboolean ok = TRUE;

  if (task->data)
    {
      guint32 *index = g_new (guint32, plan->batch);
      for (guint i = 0; i < plan->batch; i++)
        index[i] = i * 37 % SAMPLES;
      task->batch = (LsBatch){ &task->data->train, index, plan->batch };
    }
  for (guint j = 0; j < op->n_in && ok; j++)
    {
      task->in[j] = g_malloc (MAX (ls_tensor_bytes (&plan->tensors[op->in[j]]), 4));
      ok = fill_input (plan, j, task->in[j]);
    }
  if (!ok || !run_reference (task))
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_MEMORY,
                           _("there is no memory for what the reference computes"));
      return FALSE;
    }
  cl->forced = NULL;
  if (!ls_backend_opencl_here.prepare (cl, task->plan, task->data, error))
    return FALSE;
  for (guint j = 0; j < op->n_in; j++)
    if (!(op->klass->shape_only & 1u << j)
        && !ls_backend_opencl_here.write (cl, op->in[j], task->in[j], error))
      return FALSE;
  return TRUE;
}

/* ---- candidates ---- */

void
ls_tune_words (LsTuneCandidate *candidate)
{
  g_autoptr (GString) s = g_string_new (candidate->row->rung);

  for (guint i = 0; i < LS_CL_MAX_PARAMS && candidate->row->params[i].name; i++)
    g_string_append_printf (s, " %s=%d", candidate->row->params[i].name, candidate->values[i]);
  g_strlcpy (candidate->words, s->str, sizeof candidate->words);
}

gboolean
ls_tune_install (LsCl *cl, const LsTuneCandidate *candidate, GError **error)
{
  cl->forced = candidate->row;
  memcpy (cl->forced_values, candidate->values, sizeof cl->forced_values);
  return ls_cl_set_up (cl, error);
}

/* Outputs hold nothing that an earlier run left; what is changed in place holds the inputs again. */
static gboolean
reset_outputs (LsTuneTask *task, LsCl *cl, GError **error)
{
  const LsOp *op = &task->plan->ops[0];

  for (guint j = 0; j < op->n_out; j++)
    {
      const gint place = op->klass->in_place[j];
      const gsize words = ls_tensor_bytes (&task->plan->tensors[op->out[j]]) / 4;
      g_autofree guint32 *poison = place < 0 ? g_new (guint32, MAX (words, 1)) : NULL;
      for (gsize i = 0; poison && i < words; i++)
        poison[i] = POISON;
      if (!ls_backend_opencl_here.write (cl, op->out[j], poison ? (gconstpointer) poison : task->in[place],
                                         error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_n (LsTuneTask *task, LsCl *cl, guint n, guint64 *ns, GError **error)
{
  LsBatch batches[MAX_STEPS];
  LsHyper hypers[MAX_STEPS];
  LsRun run = { .n_ops = 1, .n_steps = n, .batches = task->data ? batches : NULL, .hyper = hypers };
  LsRunResult result = { 0 };

  for (guint i = 0; i < n; i++)
    {
      batches[i] = task->batch;
      hypers[i] = hyper;
    }
  if (!ls_backend_opencl_here.run (cl, &run, &result, error))
    return FALSE;
  *ns = result.end_ns - result.start_ns;
  return TRUE;
}

double
ls_tune_time (LsTuneTask *task, LsCl *cl, guint n, GError **error)
{
  guint64 ns;

  n = CLAMP (n, 1, MAX_STEPS);
  return run_n (task, cl, n, &ns, error) ? (double) ns / 1e3 / n : -1;
}

static gboolean
agrees (const LsTuneTask *task, guint j, const void *got, GError **error)
{
  const LsTensor *t = &task->plan->tensors[task->plan->ops[0].out[j]];

  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    {
      double value = t->dtype == LS_I32 ? ((const gint32 *) got)[i] : (double) ((const float *) got)[i];
      double wanted = t->dtype == LS_I32 ? ((const gint32 *) (gconstpointer) task->expected[j])[i]
                                         : task->expected[j][i];
      if (!(fabs (value - wanted) <= task->tolerance[j][i]) && !(isnan (value) && isnan (wanted)))
        {
          g_set_error (error, LS_ERROR, LS_ERROR_DATA,
                       _("element %lld is %.9g, and the reference says %.9g ± %.2g"), (long long) i, value,
                       wanted, task->tolerance[j][i]);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
ls_tune_verify (LsTuneTask *task, LsCl *cl, GError **error)
{
  const LsOp *op = &task->plan->ops[0];
  guint64 ns;

  if (!reset_outputs (task, cl, error) || !run_n (task, cl, 1, &ns, error))
    return FALSE;
  for (guint j = 0; j < op->n_out; j++)
    {
      const gsize bytes = ls_tensor_bytes (&task->plan->tensors[op->out[j]]);
      g_autofree void *got = g_malloc (MAX (bytes, 4));

      if (!ls_backend_opencl_here.read (cl, op->out[j], got, error) || !agrees (task, j, got, error))
        return FALSE;
      if (task->bits[j] == NULL)
        task->bits[j] = g_steal_pointer (&got);
      else if (memcmp (task->bits[j], got, bytes) != 0)
        {
          g_set_error_literal (error, LS_ERROR, LS_ERROR_DATA,
                               _("it is right, but rounds differently from the shipped kernel"));
          return FALSE;
        }
    }
  return TRUE;
}
