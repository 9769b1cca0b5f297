/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * layernorm (Ba, Kiros, Hinton 2016; PyTorch's LayerNorm with eps = 1e-5). X counts as R rows of N values, as
 * many as γ and β have: a whole sample, or its last dimension. With each row's mean μ and variance σ²
 *
 *   X̂ = (X − μ) / √(σ² + ε),  Y = X̂ ⊙ γ + β
 *
 * Outputs: Y, and per row μ and 1/√(σ² + ε), which the way back needs. layernorm_grad makes dX:
 *
 *   G = dY ⊙ γ,  dX = (G − mean G − X̂ · mean (G ⊙ X̂)) / √(σ² + ε)
 *
 * and layernorm_dw dγ = Σ dY ⊙ X̂ and dβ = Σ dY over the rows, one after the other. Lanes add up a row in
 * LS_ROW_SUMS sums, element i in sum i modulo LS_ROW_SUMS, and those by halves.
 */
#include "ops/real.h"

#define EPSILON 1e-5

void
LS_REF (layernorm) (const LsOpCall *call)
{
  const gint64 n = ls_tensor_count (call->in_tensor[1]), rows = ls_tensor_count (call->out_tensor[1]);
  const real *x = call->in[0], *gamma = call->in[1], *beta = call->in[2];
  real *y = call->out[0], *means = call->out[1], *scales = call->out[2];

  for (gint64 row = 0; row < rows; row++, x += n, y += n)
    {
      double mean = 0, variance = 0, scale;

      for (gint64 i = 0; i < n; i++)
        mean += (double) x[i];
      mean /= (double) n;
      for (gint64 i = 0; i < n; i++)
        variance += ((double) x[i] - mean) * ((double) x[i] - mean);
      scale = 1 / sqrt (variance / (double) n + EPSILON);
      for (gint64 i = 0; i < n; i++)
        y[i] = (real) (((double) x[i] - mean) * scale * (double) gamma[i] + (double) beta[i]);
      means[row] = (real) mean;
      scales[row] = (real) scale;
    }
}

void
LS_REF (layernorm_grad) (const LsOpCall *call)
{
  const gint64 n = ls_tensor_count (call->in_tensor[2]), rows = ls_tensor_count (call->in_tensor[3]);
  const real *dy = call->in[0], *x = call->in[1], *gamma = call->in[2], *means = call->in[3],
             *scales = call->in[4];
  real *dx = call->out[0];

  for (gint64 row = 0; row < rows; row++, dy += n, x += n, dx += n)
    {
      const double mean = (double) means[row], scale = (double) scales[row];
      double sum = 0, along = 0;

      for (gint64 i = 0; i < n; i++)
        {
          const double g = (double) dy[i] * (double) gamma[i];
          sum += g;
          along += g * ((double) x[i] - mean) * scale;
        }
      for (gint64 i = 0; i < n; i++)
        dx[i] = (real) (((double) dy[i] * (double) gamma[i] - sum / (double) n
                         - ((double) x[i] - mean) * scale * along / (double) n)
                        * scale);
    }
}

void
LS_REF (layernorm_dw) (const LsOpCall *call)
{
  const gint64 n = ls_tensor_count (call->out_tensor[0]), rows = ls_tensor_count (call->in_tensor[2]);
  const real *dy = call->in[0], *x = call->in[1], *means = call->in[2], *scales = call->in[3];
  real *dgamma = call->out[0], *dbeta = call->out[1];

  for (gint64 i = 0; i < n; i++)
    {
      double sum = 0, along = 0;

      for (gint64 row = 0; row < rows; row++)
        {
          const gint64 at = row * n + i;
          sum += (double) dy[at];
          along += (double) dy[at] * ((double) x[at] - (double) means[row]) * (double) scales[row];
        }
      dgamma[i] = (real) along;
      dbeta[i] = (real) sum;
    }
}

#if !LS_REAL_64
#include "ops/gradient.h"
#include "ops/shape.h"

/* Of an element and of a row: mean 1, its difference, square and sum 3, X̂ 2, γ and β 2; two divisions, ε, the
 * root, its inverse. */
#define FLOPS_FORWARD 8
#define FLOPS_ROW     5
/* X̂ 2, G 1, two sums 3, dX 4; two divisions */
#define FLOPS_BACKWARD 10
/* X̂ 2, two sums 3 */
#define FLOPS_WEIGHTS 5

/* The rows of x that a vector of n is for. */
static gboolean
rows_of (const LsTensor *x, const LsTensor *gamma, LsTensor *rows, GError **error)
{
  const gint64 n = gamma->shape[0], inner = ls_tensor_inner (x);
  LsTensor expected = { .name = "weight", .rank = 1, .shape = { inner } };

  if (!ls_shape_rank (gamma, 1, error))
    return FALSE;
  if (n != inner && n != x->shape[x->rank - 1])
    return ls_shape_same (gamma, &expected, error);
  return ls_shape_set (rows, 1, (gint64[]){ ls_tensor_count (x) / n }, error);
}

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_same (in[1], in[2], error) && rows_of (in[0], in[1], &out[1], error)
         && ls_shape_copy (&out[2], &out[1]) && ls_shape_copy (&out[0], in[0]);
}

static gboolean
gradient_shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  LsTensor rows = { .name = "rows" };

  return ls_shape_same (in[0], in[1], error) && rows_of (in[1], in[2], &rows, error)
         && ls_shape_same (in[3], &rows, error) && ls_shape_same (in[4], &rows, error)
         && ls_shape_copy (out, in[1]);
}

static gboolean
weights_shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  LsTensor rows = { .name = "rows" };

  if (!ls_shape_same (in[0], in[1], error) || !ls_shape_rank (in[2], 1, error)
      || !ls_shape_same (in[2], in[3], error)
      || !ls_shape_set (&out[0], 1, (gint64[]){ ls_tensor_count (in[1]) / in[2]->shape[0] }, error))
    return FALSE;
  return rows_of (in[1], &out[0], &rows, error) && ls_shape_same (in[2], &rows, error)
         && ls_shape_copy (&out[1], &out[0]);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return FLOPS_FORWARD * ls_tensor_count (&out[0]) + FLOPS_ROW * ls_tensor_count (&out[1]);
}

static gint64
gradient_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return FLOPS_BACKWARD * ls_tensor_count (out) + 2 * ls_tensor_count (in[3]);
}

static gint64
weights_flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return FLOPS_WEIGHTS * ls_tensor_count (in[0]);
}

static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  const guint x = op->in[0], gamma = op->in[1], beta = op->in[2],
              dy = ls_plan_builder_delta_of (b, op->out[0]);
  const char *symbol = ls_plan_builder_symbol (b, dy);
  g_autofree char *to_x = g_strdup_printf ("norm′(%s)", symbol),
                  *to_weights = g_strdup_printf ("Σ %s ⊙ norm(%s); d%s = Σ %s", symbol,
                                                 ls_plan_builder_symbol (b, x),
                                                 ls_plan_builder_symbol (b, beta), symbol);

  if (!ls_plan_builder_delta (b, &ls_op_layernorm_grad, (guint[]){ dy, x, gamma, op->out[1], op->out[2] },
                              (LsOpAttr){ 0 }, x, to_x, error)
      || !ls_plan_builder_delta (b, &ls_op_layernorm_dw, (guint[]){ dy, x, op->out[1], op->out[2] },
                                 (LsOpAttr){ 0 }, gamma, to_weights, error))
    return FALSE;
  ls_plan_builder_output_delta (b, beta, 1);
  return TRUE;
}

/* One value, a vector's width and beside it, primes; a whole sample, and its last dimension. */
static const LsOpTest tests[] = {
  { .in = { { 1, 1 }, { 1 }, { 1 } } },           { .in = { { 3, 2 }, { 2 }, { 2 } } },
  { .in = { { 7, 13 }, { 13 }, { 13 } } },        { .in = { { 16, 64 }, { 64 }, { 64 } } },
  { .in = { { 33, 65 }, { 65 }, { 65 } } },       { .in = { { 5, 15 }, { 15 }, { 15 } } },
  { .in = { { 2, 3, 5, 7 }, { 105 }, { 105 } } }, { .in = { { 2, 1, 5, 17 }, { 17 }, { 17 } } },
  { .in = { { 1, 3, 4, 31 }, { 31 }, { 31 } } },
};

static const LsOpTest gradient_tests[] = {
  { .in = { { 1, 1 }, { 1, 1 }, { 1 }, { 1 }, { 1 } } },
  { .in = { { 3, 2 }, { 3, 2 }, { 2 }, { 3 }, { 3 } } },
  { .in = { { 7, 13 }, { 7, 13 }, { 13 }, { 7 }, { 7 } } },
  { .in = { { 16, 64 }, { 16, 64 }, { 64 }, { 16 }, { 16 } } },
  { .in = { { 33, 65 }, { 33, 65 }, { 65 }, { 33 }, { 33 } } },
  { .in = { { 5, 15 }, { 5, 15 }, { 15 }, { 5 }, { 5 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 }, { 105 }, { 2 }, { 2 } } },
  { .in = { { 2, 1, 5, 17 }, { 2, 1, 5, 17 }, { 17 }, { 10 }, { 10 } } },
  { .in = { { 1, 3, 4, 31 }, { 1, 3, 4, 31 }, { 31 }, { 12 }, { 12 } } },
};

static const LsOpTest weights_tests[] = {
  { .in = { { 1, 1 }, { 1, 1 }, { 1 }, { 1 } } },
  { .in = { { 3, 2 }, { 3, 2 }, { 3 }, { 3 } } },
  { .in = { { 7, 13 }, { 7, 13 }, { 7 }, { 7 } } },
  { .in = { { 16, 64 }, { 16, 64 }, { 16 }, { 16 } } },
  { .in = { { 33, 65 }, { 33, 65 }, { 33 }, { 33 } } },
  { .in = { { 5, 15 }, { 5, 15 }, { 5 }, { 5 } } },
  { .in = { { 2, 3, 5, 7 }, { 2, 3, 5, 7 }, { 2 }, { 2 } } },
  { .in = { { 2, 1, 5, 17 }, { 2, 1, 5, 17 }, { 10 }, { 10 } } },
  { .in = { { 1, 3, 4, 31 }, { 1, 3, 4, 31 }, { 12 }, { 12 } } },
};

const LsOpClass ls_op_layernorm = {
  .name = "layernorm",
  .formula = "Y = (X − μ)/√(σ² + ε) ⊙ γ + β, μ and σ² of each row",
  .n_in = 3,
  .n_out = 3,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (layernorm),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};

const LsOpClass ls_op_layernorm_grad = {
  .name = "layernorm_grad",
  .formula = "G = dY ⊙ γ; dX = (G − mean G − X̂·mean(G ⊙ X̂))/√(σ² + ε)",
  .n_in = 5,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = gradient_shape,
  .flops = gradient_flops,
  LS_REFS (layernorm_grad),
  .tests = gradient_tests,
  .n_tests = G_N_ELEMENTS (gradient_tests),
};

const LsOpClass ls_op_layernorm_dw = {
  .name = "layernorm_dw",
  .formula = "dγ = Σ dY ⊙ X̂; dβ = Σ dY, over the rows",
  .n_in = 4,
  .n_out = 2,
  .in_place = LS_OUT_OF_PLACE,
  .shape = weights_shape,
  .flops = weights_flops,
  LS_REFS (layernorm_dw),
  .tests = weights_tests,
  .n_tests = G_N_ELEMENTS (weights_tests),
};
#endif
