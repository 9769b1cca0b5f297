/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lstm: one time step's gates and cell (Hochreiter, Schmidhuber 1997, with Gers' forget gate; torch.nn.LSTM's
 * order of gates). Z [B, 4N] is what the step's input gives all four gates, Q [B, 4N] what the output of the
 * step before gives them, both with their biases; C′ [B, N] the cell of the step before.
 *
 *   i, f, o = sigmoid (Z + Q),  g = tanh (Z + Q);  C = f ⊙ C′ + i ⊙ g;  H = o ⊙ tanh C
 *
 * Outputs: H, C, and the gates [B, 4N], which the way back needs. lstm_grad: from dH, dC to dZ, which is dQ,
 * too, and dC′; tanh C is made anew.
 */
#include "ops/real.h"

static inline real
LS_REF (sigmoid_of) (real x)
{
  return 1 / (1 + LS_REAL (exp) (-x));
}

void
LS_REF (lstm) (const LsOpCall *call)
{
  const gint64 batch = call->out_tensor[0]->shape[0], n = call->out_tensor[0]->shape[1];
  const real *z = call->in[0], *q = call->in[1], *before = call->in[2];
  real *h = call->out[0], *c = call->out[1], *gates = call->out[2];

  for (gint64 b = 0; b < batch; b++)
    for (gint64 j = 0; j < n; j++)
      {
        const gint64 at = b * n + j, gate = 4 * b * n + j;
        const real i = LS_REF (sigmoid_of) (z[gate] + q[gate]),
                   f = LS_REF (sigmoid_of) (z[gate + n] + q[gate + n]),
                   g = LS_REAL (tanh) (z[gate + 2 * n] + q[gate + 2 * n]),
                   o = LS_REF (sigmoid_of) (z[gate + 3 * n] + q[gate + 3 * n]);

        gates[gate] = i;
        gates[gate + n] = f;
        gates[gate + 2 * n] = g;
        gates[gate + 3 * n] = o;
        c[at] = f * before[at] + i * g;
        h[at] = o * LS_REAL (tanh) (c[at]);
      }
}

void
LS_REF (lstm_grad) (const LsOpCall *call)
{
  const gint64 batch = call->in_tensor[0]->shape[0], n = call->in_tensor[0]->shape[1];
  const real *dh = call->in[0], *dc = call->in[1], *gates = call->in[2], *before = call->in[3],
             *c = call->in[4];
  real *dz = call->out[0], *dbefore = call->out[1];

  for (gint64 b = 0; b < batch; b++)
    for (gint64 j = 0; j < n; j++)
      {
        const gint64 at = b * n + j, gate = 4 * b * n + j;
        const real i = gates[gate], f = gates[gate + n], g = gates[gate + 2 * n], o = gates[gate + 3 * n],
                   bent = LS_REAL (tanh) (c[at]), cell = dc[at] + dh[at] * o * (1 - bent * bent);

        dz[gate] = cell * g * i * (1 - i);
        dz[gate + n] = cell * before[at] * f * (1 - f);
        dz[gate + 2 * n] = cell * i * (1 - g * g);
        dz[gate + 3 * n] = dh[at] * bent * o * (1 - o);
        dbefore[at] = cell * f;
      }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

/* Of a unit, as the ops sigmoid and tanh count: three sigmoids, the four gates' sums, two tanh, c = f·c′ +
 * i·g, h = o·tanh c. */
#define FLOPS_FORWARD (3 * 4 + 4 + 2 + 3 + 1)
/* tanh c, dc, four gates of 4, dc′ */
#define FLOPS_BACKWARD (1 + 5 + 4 * 4 + 1)

/* A matrix of four times as many columns. */
static gboolean
four_times (const LsTensor *t, const LsTensor *of, GError **error)
{
  LsTensor expected = { .name = "gates" };

  return ls_shape_rank (of, 2, error)
         && ls_shape_set (&expected, 2, (gint64[]){ of->shape[0], 4 * of->shape[1] }, error)
         && ls_shape_same (t, &expected, error);
}

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return four_times (in[0], in[2], error) && four_times (in[1], in[2], error)
         && ls_shape_copy (&out[0], in[2]) && ls_shape_copy (&out[1], in[2])
         && ls_shape_copy (&out[2], in[0]);
}

static gboolean
gradient_shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return four_times (in[2], in[0], error) && ls_shape_same (in[1], in[0], error)
         && ls_shape_same (in[3], in[0], error) && ls_shape_same (in[4], in[0], error)
         && ls_shape_copy (&out[0], in[2]) && ls_shape_copy (&out[1], in[0]);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return FLOPS_FORWARD * ls_tensor_count (in[2]);
}

static gint64
gradient_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return FLOPS_BACKWARD * ls_tensor_count (in[0]);
}

/* Nobody reads the last step's cell, and nobody may read a step's output: what isn't there is 0. */
static gboolean
delta_or_zeros (LsPlanBuilder *b, guint tensor, guint *delta, GError **error)
{
  gint zeros;

  if (ls_plan_builder_has_delta (b, tensor))
    {
      *delta = ls_plan_builder_delta_of (b, tensor);
      return TRUE;
    }
  zeros = ls_plan_builder_zeros (b, ls_plan_builder_get (b, tensor), error);
  *delta = (guint) zeros;
  return zeros >= 0;
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  guint in[] = { 0, 0, op->out[2], op->in[2], op->out[1] };

  if (!delta_or_zeros (b, op->out[0], &in[0], error) || !delta_or_zeros (b, op->out[1], &in[1], error))
    return FALSE;
  g_autofree char *right = g_strdup_printf ("lstm′(%s, %s)", ls_plan_builder_symbol (b, in[0]),
                                            ls_plan_builder_symbol (b, in[1]));
  if (!ls_plan_builder_delta (b, &ls_op_lstm_grad, in, (LsOpAttr){ 0 }, op->in[0], right, error))
    return FALSE;
  ls_plan_builder_share_delta (b, op->in[1], ls_plan_builder_last_output (b, 0));
  ls_plan_builder_output_delta (b, op->in[2], 1);
  return TRUE;
}

static const LsOpTest tests[] = {
  { .in = { { 1, 4 }, { 1, 4 }, { 1, 1 } } },       { .in = { { 3, 20 }, { 3, 20 }, { 3, 5 } } },
  { .in = { { 16, 64 }, { 16, 64 }, { 16, 16 } } }, { .in = { { 33, 132 }, { 33, 132 }, { 33, 33 } } },
  { .in = { { 2, 508 }, { 2, 508 }, { 2, 127 } } },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1, 1 }, { 1, 1 }, { 1, 4 }, { 1, 1 }, { 1, 1 } } },
  { .in = { { 3, 5 }, { 3, 5 }, { 3, 20 }, { 3, 5 }, { 3, 5 } } },
  { .in = { { 16, 16 }, { 16, 16 }, { 16, 64 }, { 16, 16 }, { 16, 16 } } },
  { .in = { { 33, 33 }, { 33, 33 }, { 33, 132 }, { 33, 33 }, { 33, 33 } } },
  { .in = { { 2, 127 }, { 2, 127 }, { 2, 508 }, { 2, 127 }, { 2, 127 } } },
};

const LsOpClass ls_op_lstm = {
  .name = "lstm",
  .formula = "i, f, o = σ(Z + Q), g = tanh(Z + Q); C = f ⊙ C′ + i ⊙ g; H = o ⊙ tanh C",
  .n_in = 3,
  .n_out = 3,
  .wide_in = 1 << 2,
  .wide_out = 1 << 1,
  .in_place = LS_OUT_OF_PLACE,
  .over = { { TRUE, .out = 2, .in = 0 } },
  .shape = shape,
  .flops = flops,
  LS_REFS (lstm),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_lstm_grad = {
  .name = "lstm_grad",
  .formula = "dZ, dC′ from dH and dC, through tanh C, the gates and their sums",
  .n_in = 5,
  .n_out = 2,
  .wide_in = 1 << 1 | 1 << 3 | 1 << 4,
  .wide_out = 1 << 1,
  .in_place = LS_OUT_OF_PLACE,
  .over = { { TRUE, .out = 0, .in = 2 }, { TRUE, .out = 1, .in = 1 } },
  .shape = gradient_shape,
  .flops = gradient_flops,
  LS_REFS (lstm_grad),
  .tests = gradient_tests,
  .n_tests = G_N_ELEMENTS (gradient_tests),
};
#endif
