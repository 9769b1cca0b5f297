/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * matmul: C[m×n] = op(A)[m×k] · op(B)[k×n], where op may transpose. A dense layer (Z = X·Wᵀ, W being out×in
 * as in PyTorch) and both of its gradients are this op.
 *
 * A tensor of rank 4 counts as a matrix of shape[0] rows: that is all that `flatten` does, so it costs no op.
 * Where C is the gradient of such a tensor, attr.shape gives C its four dimensions.
 */
#include "ops/real.h"

/* The sum is kept in double in both precisions: what a comparison then shows is the other side's rounding. */
void
LS_REF (matmul) (const LsOpCall *call)
{
  const LsOpAttr *attr = &call->op->attr;
  const gint64 m = attr->m, n = attr->n, k = attr->k;
  const real *a = call->in[0], *b = call->in[1];
  real *c = call->out[0];

  for (gint64 i = 0; i < m; i++)
    for (gint64 j = 0; j < n; j++)
      {
        double sum = 0;
        for (gint64 p = 0; p < k; p++)
          {
            double a_ip = (double) (attr->ta ? a[p * m + i] : a[i * k + p]);
            double b_pj = (double) (attr->tb ? b[j * k + p] : b[p * n + j]);
            sum += a_ip * b_pj;
          }
        c[i * n + j] = (real) sum;
      }
}

#if !LS_REAL_64
#include "config.h"
#include <glib/gi18n-lib.h>
#include <string.h>
#include "core/error.h"
#include "ops/gradient.h"
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  gint64 a_rows = in[0]->shape[0], a_cols = ls_tensor_inner (in[0]);
  gint64 b_rows = in[1]->shape[0], b_cols = ls_tensor_inner (in[1]);
  gint64 m = attr->ta ? a_cols : a_rows, k = attr->ta ? a_rows : a_cols;
  gint64 n = attr->tb ? b_rows : b_cols;

  if (k != (attr->tb ? b_cols : b_rows))
    {
      g_autofree char *a_text = ls_tensor_shape_string (in[0]);
      g_autofree char *b_text = ls_tensor_shape_string (in[1]);
      g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("a matrix of %s%s can't be multiplied by one of %s%s"),
                   a_text, attr->ta ? "ᵀ" : "", b_text, attr->tb ? "ᵀ" : "");
      return FALSE;
    }
  if (!ls_shape_gemm (attr, m, n, k, error) || !ls_shape_set (out, 2, (gint64[]){ m, n }, error))
    return FALSE;
  if (attr->shape[0] == 0)
    return TRUE;

  guint rank = 1;
  while (rank < LS_MAX_RANK && attr->shape[rank] > 0)
    rank++;
  if (!ls_shape_set (out, rank, attr->shape, error))
    return FALSE;
  if (out->shape[0] == m && ls_tensor_inner (out) == n)
    return TRUE;

  g_autofree char *text = ls_tensor_shape_string (out);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("a product of %lld×%lld can't take the shape %s"),
               (long long) m, (long long) n, text);
  return FALSE;
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return 2 * attr->m * attr->n * attr->k;
}

/* One factor's gradient is dC times the other factor, transposed so that the sizes fit:
 *   dA = dC·op(B)ᵀ, or its transpose op(B)·dCᵀ if A was;  dB = op(A)ᵀ·dC, or dCᵀ·op(A) if B was. */
static gboolean
gradient (LsPlanBuilder *b, const LsOp *op, GError **error)
{
  for (guint j = 0; j < 2; j++)
    {
      gboolean transposed = j == 0 ? op->attr.ta : op->attr.tb;
      gboolean other_transposed = j == 0 ? op->attr.tb : op->attr.ta;
      gboolean delta_first = (j == 0) != transposed;
      guint other = op->in[1 - j], delta = ls_plan_builder_delta_of (b, op->out[0]);
      const LsTensor *of = ls_plan_builder_get (b, op->in[j]);
      LsOpAttr attr = { 0 };
      guint in[2] = { delta_first ? delta : other, delta_first ? other : delta };
      gboolean other_t = transposed ? other_transposed : !other_transposed;

      attr.ta = delta_first ? transposed : other_t;
      attr.tb = delta_first ? other_t : transposed;
      if (of->rank > 2)
        memcpy (attr.shape, of->shape, sizeof attr.shape);

      g_autofree char *right = g_strdup_printf ("%s%s·%s%s", ls_plan_builder_symbol (b, in[0]),
                                                attr.ta ? "ᵀ" : "", ls_plan_builder_symbol (b, in[1]),
                                                attr.tb ? "ᵀ" : "");
      if (!ls_plan_builder_delta (b, &ls_op_matmul, in, attr, op->in[j], right, error))
        return FALSE;
    }
  return TRUE;
}

/* Both factors transposed or not; 1, primes, one less and one more than tiles of 16, 32 and 64, slim and
 * flat. */
static const LsOpTest tests[] = {
  { .in = { { 1, 1 }, { 1, 1 } }, .attr = { .tb = TRUE } },
  { .in = { { 1, 7 }, { 5, 7 } }, .attr = { .tb = TRUE } },
  { .in = { { 7, 1 }, { 5, 1 } }, .attr = { .tb = TRUE } },
  { .in = { { 15, 16 }, { 17, 16 } }, .attr = { .tb = TRUE } },
  { .in = { { 16, 64 }, { 32, 64 } }, .attr = { .tb = TRUE } },
  { .in = { { 33, 31 }, { 65, 31 } }, .attr = { .tb = TRUE } },
  { .in = { { 63, 17 }, { 64, 17 } }, .attr = { .tb = TRUE } },
  { .in = { { 5, 3, 4, 7 }, { 11, 84 } }, .attr = { .tb = TRUE } },
  { .in = { { 2, 784 }, { 10, 784 } }, .attr = { .tb = TRUE } },
  { .in = { { 1, 1 }, { 1, 1 } } },
  { .in = { { 13, 17 }, { 17, 19 } } },
  { .in = { { 31, 33 }, { 33, 63 } } },
  { .in = { { 65, 15 }, { 15, 64 } } },
  { .in = { { 3, 10 }, { 10, 48 } }, .attr = { .shape = { 3, 3, 4, 4 } } },
  { .in = { { 1, 9 }, { 1, 5 } }, .attr = { .ta = TRUE } },
  { .in = { { 17, 13 }, { 17, 19 } }, .attr = { .ta = TRUE } },
  { .in = { { 64, 33 }, { 64, 31 } }, .attr = { .ta = TRUE } },
  { .in = { { 127, 10 }, { 127, 65 } }, .attr = { .ta = TRUE } },
  { .in = { { 5, 11 }, { 5, 3, 4, 7 } }, .attr = { .ta = TRUE } },
  { .in = { { 6, 5 }, { 7, 6 } }, .attr = { .ta = TRUE, .tb = TRUE } },
  { .in = { { 33, 17 }, { 65, 33 } }, .attr = { .ta = TRUE, .tb = TRUE } },
};

const LsOpClass ls_op_matmul = {
  .name = "matmul",
  .formula = "C = op(A)·op(B)",
  .n_in = 2,
  .n_out = 1,
  .in_place = LS_OUT_OF_PLACE,
  .shape = shape,
  .flops = flops,
  LS_REFS (matmul),
  .gradient = gradient,
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
