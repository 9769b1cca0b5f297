/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row per op that isn't a plain sum of products: see tolerance.h.
 */
#include "ops/tolerance.h"

#include <math.h>
#include <string.h>

#define FLUSHED 0x1p-126 /* smaller results may become zero */

/* What is stored in 16 bits is rounded once more, by half a unit at most: of the result, or of the least
 * number. */
static void
add_storage (const LsOpCall *call, guint out, double *tolerance)
{
  const LsDtype dtype = call->out_tensor[out]->dtype;
  const double half_unit = ls_dtype_info (dtype)->epsilon / 2, least = dtype == LS_F16 ? 0x1p-25 : 0;

  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); ls_dtype_is_half (dtype) && i < n; i++)
    tolerance[i] += half_unit * (fabs (((const double *) call->out[out])[i]) + tolerance[i]) + least;
}

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

/* How many terms each output sums. Where a gradient gathers from windows, only every stride-th one, each way,
 * covers it. */
static gint64
terms (const LsOpCall *call)
{
  const LsOpAttr *a = &call->op->attr;
  const gint64 windows = a->stride > 0 ? (a->kernel + a->stride - 1) / a->stride : 1;

  if (call->op->klass == &ls_op_conv2d_dx)
    return call->in_tensor[0]->shape[1] * windows * windows;
  if (call->op->klass == &ls_op_maxpool2d_grad)
    return windows * windows;
  if (call->op->klass == &ls_op_bias)
    return 2;
  if (a->k > 0)
    return a->k;
  return MAX (1, ls_tensor_count (call->in_tensor[0]) / MAX (1, ls_tensor_count (call->out_tensor[0])));
}

/* Replaces what call reads by its absolute values, in memory of its own: copies[j], to be freed. */
static gboolean
make_absolute (LsOpCall *call, double **copies)
{
  for (guint j = 0; j < call->op->n_in; j++)
    if (call->op->klass->in_dtype[j] != LS_I32 && !(call->op->klass->shape_only & 1u << j))
      {
        gint64 count = ls_tensor_count (call->in_tensor[j]);
        copies[j] = g_try_new (double, MAX (count, 1));
        if (copies[j] == NULL)
          return FALSE;
        for (gint64 i = 0; i < count; i++)
          copies[j][i] = fabs (in_at (call, j, i));
        call->in[j] = copies[j];
      }
  return TRUE;
}

/* Runs the reference once more on the inputs' absolute values: that is Σ|x·y|. All ops that are sums have one
 * output. */
static gboolean
tolerance_sum (const LsOpCall *call, double *tolerance)
{
  LsOpCall absolute = *call;
  double *copies[LS_OP_MAX_IN] = { NULL };
  const gint64 n = ls_tensor_count (call->out_tensor[0]);
  const double factor = 4 * sqrt ((double) terms (call)) * LS_FLOAT_EPSILON;
  gboolean ok = make_absolute (&absolute, copies);

  absolute.out[0] = tolerance;
  if (ok)
    call->op->klass->ref_f64 (&absolute);
  for (gint64 i = 0; ok && i < n; i++)
    tolerance[i] *= factor;
  for (gsize j = 0; j < G_N_ELEMENTS (copies); j++)
    g_free (copies[j]);
  return ok;
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
    tolerance[i] = ulp * LS_FLOAT_EPSILON * fabs (out_at (call, out, i));
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

/* X + b is rounded once. */
static void
tolerance_one_sum (const LsOpCall *call, guint out, double *tolerance)
{
  tolerance_relative (call, out, tolerance, 1);
}

/* dY·(1 − Y²): Y², the difference and the product are rounded, ½ ulp each; twice that. */
static void
tolerance_tanh_grad (const LsOpCall *call, guint out, double *tolerance)
{
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      double square = in_at (call, 1, i) * in_at (call, 1, i);
      tolerance[i] = LS_FLOAT_EPSILON * fabs (in_at (call, 0, i)) * (square + 2 * fabs (1 - square));
    }
}

/* dY·Y·(1 − Y): three roundings, each relative to the result; twice that. */
static void
tolerance_sigmoid_grad (const LsOpCall *call, guint out, double *tolerance)
{
  tolerance_relative (call, out, tolerance, 3);
}

/* A density's rounded exponent x²/2 is an error of x²/4 ulp of Φ(−|x|), beside exp 3, a quotient 2.5 and the
 * polynomial's terms; then Φ and the product are rounded. */
static double
of_tail (double x)
{
  return erfc (fabs (x) * M_SQRT1_2) / 2 * (x * x / 2 + 12);
}

static void
tolerance_gelu (const LsOpCall *call, guint out, double *tolerance)
{
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      const double x = in_at (call, 0, i);
      /* Φ may be flushed before X makes it larger */
      tolerance[i] = LS_FLOAT_EPSILON * (fabs (x) * of_tail (x) + 2 * fabs (out_at (call, out, i)))
                     + FLUSHED * fabs (x);
    }
}

static void
tolerance_gelu_grad (const LsOpCall *call, guint out, double *tolerance)
{
  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      const double x = in_at (call, 1, i), density = exp (-x * x / 2) / sqrt (2 * G_PI);
      tolerance[i] = fabs (in_at (call, 0, i))
                     * (LS_FLOAT_EPSILON
                          * (of_tail (x) + fabs (x) * density * (x * x / 2 + 6) + erfc (-x * M_SQRT1_2))
                        + FLUSHED * (1 + fabs (x)));
    }
}

/* Where windows overlap it is a sum, otherwise a copy. */
static gboolean
is_copy (const LsOpCall *call)
{
  return call->op->klass == &ls_op_maxpool2d_grad && terms (call) == 1;
}

/* The argument z − max is rounded (½ ulp of itself, and exp turns that into a relative error), then exp 3, a
 * sum of N, division 2.5; the loss has log 3 and three subtractions. */
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
        tolerance[b * classes + j] = LS_FLOAT_EPSILON * out_at (call, 0, b * classes + j)
                                     * (spread + 7 + 4 * sqrt ((double) classes));
      if (out == 1)
        tolerance[b] = LS_FLOAT_EPSILON
                       * (2 * fabs (max) + 2 * spread + 7 + 4 * sqrt ((double) classes)
                          + 3 * log ((double) classes + 1));
    }
}

/* (P − 1) / B or P / B: the difference ½ ulp, the division 2.5, each relative to the result. */
static void
tolerance_softmax_xent_grad (const LsOpCall *call, guint out, double *tolerance)
{
  tolerance_relative (call, out, tolerance, 3);
}

/* out 0: weights, 1: velocity. In-place: in[] must be the values from before. η and μ are rounded to float,
 * too: V takes 1.5 roundings of |μ·V| + |G|; W one of its own, and 2.5 of the update. */
static void
tolerance_sgd (const LsOpCall *call, guint out, double *tolerance)
{
  const LsHyper *h = call->hyper;

  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      double velocity = fabs (h->momentum * in_at (call, 2, i)) + fabs (in_at (call, 1, i));
      tolerance[i] = LS_FLOAT_EPSILON
                     * (out == 1 ? 2 * velocity : fabs (in_at (call, 0, i)) + 4 * fabs (h->lr) * velocity);
    }
}

/* out 0: weights, 1 and 2: moments. The update's relative error: M 1.5, √V 1 and sqrt 3, the constants' and
 * the other operations' ½ each, the division 2.5: below 12. */
static void
tolerance_adam (const LsOpCall *call, guint out, double *tolerance)
{
  const LsHyper *h = call->hyper;
  const double updates = ls_hyper_updates (h);
  const double step_size = h->lr / (1 - pow (h->beta1, updates));
  const double correction2 = 1 / sqrt (1 - pow (h->beta2, updates));

  for (gint64 i = 0, n = ls_tensor_count (call->out_tensor[out]); i < n; i++)
    {
      double g = in_at (call, 1, i);
      double m = h->beta1 * fabs (in_at (call, 2, i)) + (1 - h->beta1) * fabs (g);
      double v = h->beta2 * in_at (call, 3, i) + (1 - h->beta2) * g * g;
      double update = step_size * m / (sqrt (v) * correction2 + h->epsilon);
      tolerance[i] = LS_FLOAT_EPSILON
                     * (out == 1   ? 2 * m
                        : out == 2 ? 3 * v
                                   : fabs (in_at (call, 0, i)) + 12 * fabs (update));
    }
}

/* A step's gates, cell and output: each from what goes into it, times how steep the function is there.
 * Of a sum of two, rounded, through sigmoid or tanh: */
static double
of_gate (const LsOpCall *call, gint64 at, double y, double ulp, double steep)
{
  const double sum = fabs (in_at (call, 0, at)) + fabs (in_at (call, 1, at));
  return LS_FLOAT_EPSILON * (ulp * fabs (y) + sum * steep);
}

static void
tolerance_lstm (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 batch = call->out_tensor[0]->shape[0], n = call->out_tensor[0]->shape[1];

  for (gint64 row = 0; row < batch; row++)
    for (gint64 j = 0; j < n; j++)
      {
        const gint64 at = row * n + j, first = 4 * row * n + j;
        double y[4], t[4];

        for (gint64 k = 0; k < 4; k++)
          {
            y[k] = out_at (call, 2, first + k * n);
            t[k] = of_gate (call, first + k * n, y[k], k == 2 ? 5 : 7,
                            k == 2 ? 1 - y[k] * y[k] : y[k] * (1 - y[k]));
            if (out == 2)
              tolerance[first + k * n] = t[k];
          }
        const double before = fabs (in_at (call, 2, at)), bent = tanh (out_at (call, 1, at));
        const double of_c = t[1] * before + t[0] * fabs (y[2]) + t[2] * y[0]
                            + 2 * LS_FLOAT_EPSILON * (y[1] * before + y[0] * fabs (y[2]));
        if (out == 1)
          tolerance[at] = of_c;
        else if (out == 0)
          tolerance[at] = t[3] * fabs (bent)
                          + y[3] * (6 * LS_FLOAT_EPSILON * fabs (bent) + (1 - bent * bent) * of_c);
      }
}

/* tanh C anew, 5 ulp, so 1 − tanh² may be off by twelve of tanh²; then products, each relative to itself. */
static void
tolerance_lstm_grad (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 batch = call->in_tensor[0]->shape[0], n = call->in_tensor[0]->shape[1];

  for (gint64 row = 0; row < batch; row++)
    for (gint64 j = 0; j < n; j++)
      {
        const gint64 at = row * n + j, first = 4 * row * n + j;
        const double i = in_at (call, 2, first), f = in_at (call, 2, first + n),
                     g = in_at (call, 2, first + 2 * n), o = in_at (call, 2, first + 3 * n),
                     dh = fabs (in_at (call, 0, at)), before = fabs (in_at (call, 3, at)),
                     bent = tanh (in_at (call, 4, at)), through = dh * fabs (o) * (1 - bent * bent),
                     cell = fabs (in_at (call, 1, at)) + through,
                     of_cell = LS_FLOAT_EPSILON * (2 * cell + 2 * through + 12 * dh * fabs (o) * bent * bent);
        /* |factor| and its own rounding: of 1 − g² as of tanh's gradient */
        const double to_i = fabs (g * i * (1 - i)), to_f = before * fabs (f * (1 - f)),
                     to_g = fabs (i * (1 - g * g));

        if (out == 1)
          {
            tolerance[at] = of_cell * fabs (f) + LS_FLOAT_EPSILON * cell * fabs (f);
            continue;
          }
        tolerance[first] = of_cell * to_i + 4 * LS_FLOAT_EPSILON * cell * to_i;
        tolerance[first + n] = of_cell * to_f + 4 * LS_FLOAT_EPSILON * cell * to_f;
        tolerance[first + 2 * n] = of_cell * to_g
                                   + LS_FLOAT_EPSILON * cell * fabs (i) * (g * g + 3 * fabs (1 - g * g));
        tolerance[first + 3 * n] = 10 * LS_FLOAT_EPSILON * dh * fabs (bent * o * (1 - o));
      }
}

static const struct {
  const char *op;
  void (*tolerance) (const LsOpCall *call, guint out, double *tolerance);
} rows[] = {
  { "gather", tolerance_exact },
  { "bias", tolerance_one_sum },
  { "add", tolerance_one_sum },
  { "relu", tolerance_exact },
  { "relu_grad", tolerance_exact },
  { "maxpool2d", tolerance_exact },
  { "tanh", tolerance_tanh },
  { "tanh_grad", tolerance_tanh_grad },
  { "sigmoid", tolerance_sigmoid },
  { "sigmoid_grad", tolerance_sigmoid_grad },
  { "gelu", tolerance_gelu },
  { "gelu_grad", tolerance_gelu_grad },
  { "layernorm", ls_tolerance_layernorm },
  { "layernorm_grad", ls_tolerance_layernorm_grad },
  { "layernorm_dw", ls_tolerance_layernorm_dw },
  { "dropout", tolerance_one_sum }, /* a product: rounded once, too, and 1/(1 − P) is */
  { "dropout_grad", tolerance_one_sum },
  { "sequence", tolerance_exact },
  { "planes", tolerance_exact },
  { "lstm", tolerance_lstm },
  { "lstm_grad", tolerance_lstm_grad },
  { "softmax_xent", tolerance_softmax_xent },
  { "softmax_xent_grad", tolerance_softmax_xent_grad },
  { "sgd", tolerance_sgd },
  { "adam", tolerance_adam },
};

gboolean
ls_op_tolerance (const LsOpCall *call, guint out, double *tolerance)
{
  const gint64 n = ls_tensor_count (call->out_tensor[out]);
  gsize row = 0;

  while (row < G_N_ELEMENTS (rows) && strcmp (rows[row].op, call->op->klass->name) != 0)
    row++;
  if (call->op->klass->out_dtype[out] == LS_I32 || is_copy (call)
      || (row < G_N_ELEMENTS (rows) && rows[row].tolerance == tolerance_exact))
    {
      tolerance_exact (call, out, tolerance);
      add_storage (call, out, tolerance);
      return TRUE;
    }
  if (row < G_N_ELEMENTS (rows))
    rows[row].tolerance (call, out, tolerance);
  else if (!tolerance_sum (call, tolerance))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    tolerance[i] += FLUSHED * (double) (terms (call) + 1);
  add_storage (call, out, tolerance);
  return TRUE;
}
