/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row per op that isn't a plain sum of products: see tolerance.h.
 */
#include "ops/tolerance.h"

#include <math.h>
#include <string.h>

#define EPSILON 0x1p-23   /* of float: one ulp is at most this, relative */
#define FLUSHED 0x1p-126  /* smaller results may become zero */

static double
in_at (const LsOpCall *call, guint j, gint64 i)
{
  return ((const double *) call->in[j])[i];
}

static double
out_at (const LsOpCall *call, guint j, gint64 i)
{
  return ((const double *) call->out[j])[i];
}

/* How many terms each output sums. */
static gint64
terms (const LsOpCall *call)
{
  const LsOpAttr *a = &call->op->attr;
  if (a->k > 0)
    return a->k;
  if (a->kernel > 0)
    return (gint64) a->kernel * a->kernel;
  return MAX (1, ls_tensor_count (call->in_tensor[0]) / MAX (1, ls_tensor_count (call->out_tensor[0])));
}

/* Runs the reference once more on the inputs' absolute values: that is Σ|x·y|. */
static void
tolerance_sum (const LsOpCall *call, guint out, double *tolerance)
{
  LsOpCall absolute = *call;
  double *copies[LS_OP_MAX_IN + LS_OP_MAX_OUT] = { NULL };
  const gint64 n = ls_tensor_count (call->out_tensor[out]);
  const double factor = 4 * sqrt ((double) terms (call)) * EPSILON;

  for (guint j = 0; j < call->op->n_in; j++)
    if (call->op->klass->in_dtype[j] == LS_F32)
      {
        gint64 count = ls_tensor_count (call->in_tensor[j]);
        copies[j] = g_new (double, count);
        for (gint64 i = 0; i < count; i++)
          copies[j][i] = fabs (in_at (call, j, i));
        absolute.in[j] = copies[j];
      }
  for (guint j = 0; j < call->op->n_out; j++)
    absolute.out[j] = copies[LS_OP_MAX_IN + j] = g_new (double, ls_tensor_count (call->out_tensor[j]));
  call->op->klass->ref_f64 (&absolute);
  for (gint64 i = 0; i < n; i++)
    tolerance[i] = factor * ((const double *) absolute.out[out])[i];
  for (gsize j = 0; j < G_N_ELEMENTS (copies); j++)
    g_free (copies[j]);
}

static void
tolerance_exact (const LsOpCall *call, guint out, double *tolerance)
{
  memset (tolerance, 0, sizeof *tolerance * (gsize) ls_tensor_count (call->out_tensor[out]));
}

static void
tolerance_relative (const LsOpCall *call, guint out, double *tolerance, double ulp)
{
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    tolerance[i] = ulp * EPSILON * fabs (out_at (call, out, i));
}

static void
tolerance_tanh (const LsOpCall *call, guint out, double *tolerance)
{
  tolerance_relative (call, out, tolerance, 5);
}

/* 1 / (1 + e⁻ˣ): exp 3, sum ½, division 2.5, each relative to the result at most. */
static void
tolerance_sigmoid (const LsOpCall *call, guint out, double *tolerance)
{
  tolerance_relative (call, out, tolerance, 7);
}

/* dY·f′(Y) with f′ = 1 − Y² or Y·(1 − Y): a few roundings of terms no larger than |dY|·(1 + Y²). */
static void
tolerance_activation_grad (const LsOpCall *call, guint out, double *tolerance)
{
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    tolerance[i] = 4 * EPSILON * fabs (in_at (call, 0, i)) * (1 + in_at (call, 1, i) * in_at (call, 1, i));
}

/* The argument z − max is rounded (½ ulp of itself, and exp turns that into a relative error), then exp 3, a sum of N,
 * division 2.5; the loss has log 3 and three subtractions. */
static void
tolerance_softmax_xent (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 batch = call->in_tensor[0]->shape[0], classes = call->in_tensor[0]->shape[1];

  for (gint64 b = 0; b < batch; b++)
    {
      double max = in_at (call, 0, b * classes), spread = 0;
      for (gint64 j = 1; j < classes; j++)
        max = MAX (max, in_at (call, 0, b * classes + j));
      for (gint64 j = 0; j < classes; j++)
        spread = MAX (spread, max - in_at (call, 0, b * classes + j));
      for (gint64 j = 0; out == 0 && j < classes; j++)
        tolerance[b * classes + j] =
          EPSILON * out_at (call, 0, b * classes + j) * (spread + 7 + 4 * sqrt ((double) classes));
      if (out == 1)
        tolerance[b] = EPSILON * (2 * fabs (max) + 2 * spread + 7 + 4 * sqrt ((double) classes) + 3 * log ((double) classes + 1));
    }
}

static void
tolerance_softmax_xent_grad (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 batch = call->in_tensor[0]->shape[0], n = ls_tensor_count (call->out_tensor[out]);
  for (gint64 i = 0; i < n; i++)
    tolerance[i] = 4 * EPSILON * (fabs (in_at (call, 0, i)) + 1) / (double) batch;
}

/* out 0: weights, 1: velocity. In-place: in[] must be the values from before. */
static void
tolerance_sgd (const LsOpCall *call, guint out, double *tolerance)
{
  const LsHyper *h = call->hyper;
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      double velocity = fabs (h->momentum * in_at (call, 2, i)) + fabs (in_at (call, 1, i));
      tolerance[i] = 4 * EPSILON * (out == 1 ? velocity : fabs (in_at (call, 0, i)) + fabs (h->lr) * velocity);
    }
}

static void
tolerance_adam (const LsOpCall *call, guint out, double *tolerance)
{
  const LsHyper *h = call->hyper;
  const double step_size = h->lr / (1 - pow (h->beta1, (double) h->step));
  const double correction2 = 1 / sqrt (1 - pow (h->beta2, (double) h->step));

  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      double g = in_at (call, 1, i);
      double m = h->beta1 * fabs (in_at (call, 2, i)) + (1 - h->beta1) * fabs (g);
      double v = h->beta2 * in_at (call, 3, i) + (1 - h->beta2) * g * g;
      double update = step_size * m / (sqrt (v) * correction2 + h->epsilon);
      tolerance[i] = 4 * EPSILON * (out == 1 ? m : out == 2 ? v : fabs (in_at (call, 0, i)) + 4 * fabs (update));
    }
}

static const struct {
  const char *op;
  void (*tolerance) (const LsOpCall *call, guint out, double *tolerance);
} rows[] = {
  { "gather", tolerance_exact },
  { "relu", tolerance_exact },
  { "relu_grad", tolerance_exact },
  { "maxpool2d", tolerance_exact },
  { "tanh", tolerance_tanh },
  { "tanh_grad", tolerance_activation_grad },
  { "sigmoid", tolerance_sigmoid },
  { "sigmoid_grad", tolerance_activation_grad },
  { "softmax_xent", tolerance_softmax_xent },
  { "softmax_xent_grad", tolerance_softmax_xent_grad },
  { "sgd", tolerance_sgd },
  { "adam", tolerance_adam },
};

void
ls_op_tolerance (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 n = ls_tensor_count (call->out_tensor[out]);
  gsize row = 0;

  if (call->op->klass->out_dtype[out] == LS_I32)
    {
      tolerance_exact (call, out, tolerance);
      return;
    }
  while (row < G_N_ELEMENTS (rows) && strcmp (rows[row].op, call->op->klass->name) != 0)
    row++;
  (row < G_N_ELEMENTS (rows) ? rows[row].tolerance : tolerance_sum) (call, out, tolerance);
  if (row == G_N_ELEMENTS (rows) || rows[row].tolerance != tolerance_exact)
    for (gint64 i = 0; i < n; i++)
      tolerance[i] += FLUSHED * (double) terms (call);
}
