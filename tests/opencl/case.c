/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "case.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "core/rng.h"
#include "ops/tolerance.h"

#define EPS     ((double) FLT_EPSILON)
#define SAMPLES 50

static double
random_normal (guint tensor, gint64 i)
{
  return ls_rng_normal (1, LS_STREAM_TEST, tensor, (guint64) i);
}

static gboolean
named (const LsOp *op, const char *name)
{
  return g_str_equal (op->klass->name, name);
}

/* ---- the plan ---- */

/* A follower's other input: a bias per channel, or the activation's output. */
static gint
add_operand (LsPlanBuilder *b, const LsOpClass *klass, guint of)
{
  const LsTensor like = *ls_plan_builder_get (b, of);
  gboolean bias = klass == &ls_op_bias;
  return ls_plan_builder_tensor (b, "operand", "operand", LS_F32, LS_ROLE_ACTIVATION, bias ? 1 : like.rank,
                                 bias ? &like.shape[1] : like.shape, NULL);
}

/* As ls_plan_new_single(), with the chain's ops after it. */
static LsPlan *
plan_with_chain (const LsOpClass *klass, const LsOpTest *test, const char *const *chain)
{
  g_autoptr (LsPlanBuilder) b = ls_plan_builder_new ();
  guint in[LS_OP_MAX_IN] = { 0 };

  for (guint j = 0; j < klass->n_in; j++)
    {
      guint rank = 0;
      while (rank < LS_MAX_RANK && test->in[j][rank] != 0)
        rank++;
      in[j] = (guint) ls_plan_builder_tensor (b, "in", "in", klass->in_dtype[j], LS_ROLE_ACTIVATION, rank,
                                              test->in[j], NULL);
    }
  gint at = ls_plan_builder_op (b, klass, in, test->attr, "out", "", LS_ROLE_ACTIVATION, NULL);
  g_assert_cmpint (at, >=, 0);

  for (; chain != NULL && *chain != NULL; chain++)
    {
      const LsOpClass *follower = ls_op_class_find (*chain);
      guint pair[2] = { (guint) at };
      if (follower->n_in == 2)
        pair[1] = (guint) add_operand (b, follower, (guint) at);
      at = ls_plan_builder_op (b, follower, pair, (LsOpAttr){ 0 }, "out", "", LS_ROLE_ACTIVATION, NULL);
      g_assert_cmpint (at, >=, 0);
    }
  b->phase = LS_PHASE_UPDATE;
  return ls_plan_builder_finish (b, NULL);
}

/* ---- inputs ---- */

static float
input_value (const LsOp *op, guint j, guint tensor, gint64 i)
{
  double x = random_normal (tensor, i);

  if (j == 1 && named (op, "relu_grad"))
    return i % 5 == 0 ? 0 : (float) x;
  if (j == 1 && named (op, "tanh_grad"))
    return (float) tanh (x);
  if (j == 1 && named (op, "sigmoid_grad"))
    return (float) (1 / (1 + exp (-x)));
  if (named (op, "maxpool2d"))
    return i == 20 ? NAN : (float) (floor (x * 2) / 2); /* ties, and a NaN */
  if (named (op, "softmax_xent_grad") || (j == 2 && named (op, "lstm_grad")))
    return (float) (1 / (1 + exp (-x)));
  if (j == 3 && named (op, "adam"))
    return (float) (x * x);
  if (named (op, "softmax_xent") || named (op, "tanh") || named (op, "sigmoid") || named (op, "gelu")
      || (j == 1 && named (op, "gelu_grad")))
    x *= i % 7 == 0 ? 20 : 3;
  return (float) x;
}

static gint32
input_label (const LsPlan *plan, const LsOp *op, guint tensor, gint64 i)
{
  gint64 classes = plan->tensors[op->in[0]].shape[1];
  return (gint32) (ls_rng_u32 (1, LS_STREAM_TEST, tensor, (guint64) i) % (guint64) classes);
}

/* Positions that maxpool2d would have found: dY's windows over an X of the third input's shape. */
static void
fill_index (const LsPlan *plan, const LsOp *op, gint32 *index)
{
  const gint64 *x = plan->tensors[op->in[2]].shape;
  LsOpTest test = { .attr = { .kernel = op->attr.kernel, .stride = op->attr.stride } };

  memcpy (test.in[0], x, sizeof test.in[0]);
  Case *forward = case_new (&ls_op_maxpool2d, &test, NULL, LS_SAMPLE_U8);
  const LsTensor *t = &forward->plan->tensors[forward->plan->ops[0].out[1]];
  memcpy (index, ls_arena_at (&forward->expected, t), ls_tensor_bytes (t));
  case_free (forward);
}

static void
fill_inputs (Case *c)
{
  for (guint o = 0; o < c->plan->n_ops; o++)
    for (guint j = 0; j < c->plan->ops[o].n_in; j++)
      {
        const LsOp *op = &c->plan->ops[o];
        guint id = op->in[j];
        const LsTensor *t = &c->plan->tensors[id];
        gint64 n = ls_tensor_count (t);

        if (c->values[id] != NULL || (o > 0 && j == 0))
          continue;
        c->values[id] = g_new (float, (gsize) n);
        gint32 *integers = (gint32 *) c->values[id];
        if (t->dtype == LS_F32)
          for (gint64 i = 0; i < n; i++)
            c->values[id][i] = input_value (op, j, id, i);
        else if (named (op, "maxpool2d_grad"))
          fill_index (c->plan, op, integers);
        else
          for (gint64 i = 0; i < n; i++)
            integers[i] = input_label (c->plan, op, id, i);
      }
}

static void
fill_set (Case *c, LsSampleType type)
{
  const LsTensor *x = &c->plan->tensors[c->plan->ops[0].out[0]];
  LsDataset *set = &c->set;
  guint batch = (guint) x->shape[0];

  set->n = SAMPLES;
  set->type = type;
  set->sample_size = ls_tensor_inner (x);
  set->labels = g_new (gint32, SAMPLES);
  set->samples = g_malloc ((gsize) (SAMPLES * set->sample_size) * (type == LS_SAMPLE_U8 ? 1 : 4));
  for (gint64 i = 0; i < SAMPLES * set->sample_size; i++)
    if (type == LS_SAMPLE_U8)
      ((guint8 *) set->samples)[i] = (guint8) ls_rng_u32 (1, LS_STREAM_TEST, 0, (guint64) i);
    else
      ((float *) set->samples)[i] = (float) random_normal (0, i);
  for (guint i = 0; i < SAMPLES; i++)
    set->labels[i] = (gint32) (i * 7 % 10);
  c->index = g_new (guint32, batch);
  for (guint i = 0; i < batch; i++)
    c->index[i] = ls_rng_u32 (1, LS_STREAM_TEST, 1, i) % SAMPLES;
  c->batch = (LsBatch){ .set = set, .index = c->index, .n = batch };
}

/* ---- what must come out ---- */

static const double *
doubles (const Case *c, guint tensor)
{
  return ls_arena_at (&c->expected, &c->plan->tensors[tensor]);
}

/* Σ|x·y|: the same op on absolute values. Returns a new array like out[0]. */
static double *
absolute_sums (const Case *c, guint o)
{
  const LsOp *op = &c->plan->ops[o];
  LsArena arena;
  LsOpCall call;

  g_assert_true (ls_arena_init (&arena, c->plan->tensors, c->plan->n_tensors, TRUE, NULL));
  for (guint j = 0; j < op->n_in; j++)
    {
      const LsTensor *t = &c->plan->tensors[op->in[j]];
      double *to = ls_arena_at (&arena, t);
      if (t->dtype == LS_I32)
        memcpy (to, doubles (c, op->in[j]), ls_tensor_bytes (t));
      else
        for (gint64 i = 0; i < ls_tensor_count (t); i++)
          to[i] = fabs (doubles (c, op->in[j])[i]);
    }
  ls_plan_call (c->plan, &arena, o, &call);
  op->klass->ref_f64 (&call);
  double *sums = g_memdup2 (call.out[0], (gsize) ls_tensor_count (call.out_tensor[0]) * sizeof (double));
  ls_arena_clear (&arena);
  return sums;
}

/* Terms of the sums that op's outputs are, 0 for other ops. */
static double
sum_length (const Case *c, const LsOp *op)
{
  const LsTensor *in = &c->plan->tensors[op->in[0]];

  if (op->attr.k > 0)
    return (double) op->attr.k;
  if (named (op, "bias_grad"))
    return (double) (ls_tensor_count (in) / in->shape[1]);
  if (named (op, "mean"))
    return (double) ls_tensor_count (in);
  if (named (op, "maxpool2d_grad") || named (op, "avgpool2d"))
    return op->attr.kernel * op->attr.kernel;
  if (named (op, "avgpool2d_grad"))
    return 1;
  return 0;
}

/* Elementwise: error of out[0] at i, given that of in[0]. x, y: the inputs; ulp of OpenCL 1.2, section
 * 7.4. */
static double
element_error (const LsOp *op, double e, double x, double y, double out)
{
  if (named (op, "bias") || named (op, "add"))
    return e + EPS * (fabs (x) + fabs (y));
  if (named (op, "tanh"))
    return e + 5 * EPS * fabs (out);
  if (named (op, "sigmoid")) /* exp 3, + ½, / 2½ */
    return e / 4 + 8 * EPS * fabs (out);
  if (named (op, "relu_grad"))
    return y > 0 ? e : 0;
  if (named (op, "tanh_grad"))
    return e * (1 - y * y) + 4 * EPS * fabs (x) * (1 + y * y);
  if (named (op, "sigmoid_grad"))
    return e * y * (1 - y) + 4 * EPS * fabs (x) * (y + y * y);
  if (named (op, "relu"))
    return e;
  return e + 4 * EPS * fabs (out);
}

static void
softmax_errors (const Case *c, const LsOp *op)
{
  const gint64 rows = c->plan->tensors[op->in[0]].shape[0], cols = c->plan->tensors[op->in[0]].shape[1];
  const double *y = doubles (c, op->in[0]), *p = doubles (c, op->out[0]), *loss = doubles (c, op->out[1]);

  for (gint64 b = 0; b < rows; b++)
    {
      double max = y[b * cols], distance = 0, sum = 0;
      for (gint64 j = 0; j < cols; j++)
        max = fmax (max, y[b * cols + j]);
      for (gint64 j = 0; j < cols; j++)
        {
          distance = fmax (distance, max - y[b * cols + j]);
          sum += exp (y[b * cols + j] - max);
        }
      double sum_error = EPS * (4 + 4 * sqrt ((double) cols)); /* relative: exp 3 ulp, its argument's
                                                                  rounding, + */
      for (gint64 j = 0; j < cols; j++)
        c->error[op->out[0]][b * cols + j] = p[b * cols + j]
                                             * (sum_error + EPS * (6 + max - y[b * cols + j]));
      c->error[op->out[1]][b] = sum_error + EPS * (3 * log (sum) + fabs (loss[b]) + distance);
    }
}

static void
update_errors (const Case *c, const LsOp *op, double *const *before)
{
  const LsHyper *h = &c->hyper;
  const gint64 n = ls_tensor_count (&c->plan->tensors[op->in[0]]);

  for (gint64 i = 0; i < n; i++)
    {
      double w = fabs (before[0][i]), g = fabs (before[1][i]);
      if (named (op, "sgd"))
        {
          double v = fabs (h->momentum * before[2][i]) + g;
          c->error[op->out[1]][i] = 3 * EPS * v;
          c->error[op->out[0]][i] = EPS * (w + 5 * h->lr * v);
          continue;
        }
      double m = fabs (h->beta1 * before[2][i]) + (1 - h->beta1) * g;
      double v = h->beta2 * before[3][i] + (1 - h->beta2) * g * g;
      double step = h->lr / (1 - pow (h->beta1, (double) h->step));
      double root = sqrt (v) / sqrt (1 - pow (h->beta2, (double) h->step)) + h->epsilon;
      c->error[op->out[1]][i] = 3 * EPS * m;
      c->error[op->out[2]][i] = 4 * EPS * v;
      c->error[op->out[0]][i] = EPS * (w + 20 * step * m / root);
    }
}

static void
set_errors (const Case *c, guint o, double *const *before)
{
  const LsOp *op = &c->plan->ops[o];
  const gint64 n = ls_tensor_count (&c->plan->tensors[op->out[0]]);
  double *error = c->error[op->out[0]];

  if (named (op, "softmax_xent"))
    softmax_errors (c, op);
  else if (named (op, "lstm") || named (op, "lstm_grad") || named (op, "gelu") || named (op, "gelu_grad")
           || g_str_has_prefix (op->klass->name, "layernorm")
           || g_str_has_prefix (op->klass->name, "dropout"))
    {
      LsOpCall call;
      ls_plan_call (c->plan, &c->expected, o, &call);
      for (guint j = 0; j < op->n_out; j++)
        g_assert_true (ls_op_tolerance (&call, j, c->error[op->out[j]]));
    }
  else if (named (op, "sgd") || named (op, "adam"))
    update_errors (c, op, before);
  else if (named (op, "softmax_xent_grad"))
    for (gint64 i = 0; i < n; i++)
      error[i] = 4 * EPS * 2 / (double) c->plan->tensors[op->in[0]].shape[0];
  else if (op->n_in > 0 && sum_length (c, op) > 0)
    {
      g_autofree double *sums = absolute_sums (c, o);
      for (gint64 i = 0; i < n; i++)
        error[i] = 4 * sqrt (sum_length (c, op)) * EPS * sums[i];
    }
  else if (op->klass->elementwise)
    {
      const LsTensor *t = &c->plan->tensors[op->out[0]];
      gint64 plane = named (op, "bias") ? ls_tensor_inner (t) / t->shape[1] : 1;
      for (gint64 i = 0; i < n; i++)
        {
          gint64 k = named (op, "bias") ? i / plane % t->shape[1] : i;
          error[i] = element_error (op, c->error[op->in[0]][i], doubles (c, op->in[0])[i],
                                    op->n_in > 1 ? doubles (c, op->in[1])[k] : 0, doubles (c, op->out[0])[i]);
        }
    }
}

static void
run_reference (Case *c)
{
  for (guint id = 0; id < c->plan->n_tensors; id++)
    {
      const LsTensor *t = &c->plan->tensors[id];
      double *to = ls_arena_at (&c->expected, t);
      c->error[id] = g_new0 (double, (gsize) ls_tensor_count (t));
      if (c->values[id] != NULL && t->dtype == LS_I32)
        memcpy (to, c->values[id], ls_tensor_bytes (t));
      else if (c->values[id] != NULL)
        for (gint64 i = 0; i < ls_tensor_count (t); i++)
          to[i] = (double) c->values[id][i];
    }
  for (guint o = 0; o < c->plan->n_ops; o++)
    {
      LsOpCall call;
      double *before[LS_OP_MAX_IN] = { NULL };

      ls_plan_call (c->plan, &c->expected, o, &call);
      call.hyper = &c->hyper;
      call.batch = &c->batch;
      for (guint j = 0; j < c->plan->ops[o].n_in; j++)
        if (call.in_tensor[j]->dtype == LS_F32)
          before[j] = g_memdup2 (call.in[j], (gsize) ls_tensor_count (call.in_tensor[j]) * sizeof (double));
      c->plan->ops[o].klass->ref_f64 (&call);
      set_errors (c, o, before);
      for (guint j = 0; j < LS_OP_MAX_IN; j++)
        g_free (before[j]);
    }
}

Case *
case_new (const LsOpClass *klass, const LsOpTest *test, const char *const *chain, LsSampleType samples)
{
  /* A bias needs a channel dimension, and its operand can't be told from a rank-4 product's. */
  if (chain != NULL && chain[0] != NULL && g_str_equal (chain[0], "bias") && test->attr.shape[0] != 0)
    return NULL;

  Case *c = g_new0 (Case, 1);
  c->plan = plan_with_chain (klass, test, chain);
  c->last_op = c->plan->n_ops - 1;
  c->n_followers = c->last_op;
  for (guint i = 0; i < c->n_followers; i++)
    c->followers[i] = i + 1;
  c->hyper = (LsHyper){
    .lr = 0.01, .momentum = 0.9, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .step = 3, .seed = 9
  };
  c->values = g_new0 (float *, c->plan->n_tensors);
  c->error = g_new0 (double *, c->plan->n_tensors);
  g_assert_true (ls_arena_init (&c->expected, c->plan->tensors, c->plan->n_tensors, TRUE, NULL));
  if (klass == &ls_op_gather)
    fill_set (c, samples);
  fill_inputs (c);
  run_reference (c);
  return c;
}

void
case_free (Case *c)
{
  for (guint i = 0; i < c->plan->n_tensors; i++)
    {
      g_free (c->values[i]);
      g_free (c->error[i]);
    }
  g_free (c->values);
  g_free (c->error);
  g_free (c->set.samples);
  g_free (c->set.labels);
  g_free (c->index);
  ls_arena_clear (&c->expected);
  ls_plan_unref (c->plan);
  g_free (c);
}

gboolean
case_agrees (const Case *c, guint tensor, const void *got, char **why)
{
  const LsTensor *t = &c->plan->tensors[tensor];
  const double *expected = doubles (c, tensor);
  const gint32 *integers = (const gint32 *) expected;
  double worst = 0;
  gint64 at = -1;

  for (gint64 i = 0; i < ls_tensor_count (t); i++)
    {
      double want = t->dtype == LS_I32 ? integers[i] : expected[i];
      double have = t->dtype == LS_I32 ? ((const gint32 *) got)[i] : (double) ((const float *) got)[i];
      double allowed = c->error[tensor][i] + (double) FLT_MIN; /* denormals are flushed */
      double off = isnan (want) && isnan (have) ? 0 : fabs (want - have) / allowed;
      if (!(off <= 1) && !(off <= worst))
        {
          worst = off;
          at = i;
        }
    }
  if (at < 0)
    return TRUE;
  *why = g_strdup_printf (
    "element %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " is %.9g, not %.9g ± %.3g", at, ls_tensor_count (t),
    t->dtype == LS_I32 ? ((const gint32 *) got)[at] : (double) ((const float *) got)[at],
    t->dtype == LS_I32 ? integers[at] : expected[at], c->error[tensor][at]);
  return FALSE;
}
