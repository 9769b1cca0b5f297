/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See proof.h.
 */
#include "config.h"
#include "machines/proof.h"

#include "core/half.h"
#include "machines/systolic.h"
#include "machines/tensor_core.h"

#include <math.h>
#include <string.h>

/* A matrix as it is multiplied, row by row; stored turned where the op transposes it. NULL: it wasn't
 * recorded. (transfer full) */
static float *
operand (const LsRecording *recording, const LsPlan *plan, const LsOp *op, guint input, gint64 rows,
         gint64 cols, gboolean turned)
{
  const float *values = ls_held_values (recording, plan, op->in[input]);
  float *out;

  if (values == NULL || ls_tensor_count (&plan->tensors[op->in[input]]) != rows * cols)
    return NULL;
  out = g_new (float, rows *cols);
  for (gint64 i = 0; i < rows; i++)
    for (gint64 j = 0; j < cols; j++)
      out[i * cols + j] = turned ? values[j * rows + i] : values[i * cols + j];
  return out;
}

static LsSystolic
array_of (const LsAssumed *assumed)
{
  return (LsSystolic){
    (guint) assumed->value[ls_machine_find_assumption (&ls_machine_systolic, "rows")],
    (guint) assumed->value[ls_machine_find_assumption (&ls_machine_systolic, "columns")],
  };
}

static LsTensorTile
tile_of (const LsAssumed *assumed)
{
  return (LsTensorTile){
    (guint) assumed->value[ls_machine_find_assumption (&ls_machine_tensor, "tile-m")],
    (guint) assumed->value[ls_machine_find_assumption (&ls_machine_tensor, "tile-n")],
    (guint) assumed->value[ls_machine_find_assumption (&ls_machine_tensor, "tile-k")],
  };
}

/* What it takes to try it; INFINITY: it is no product of matrices. */
static double
effort_of (const LsMachine *machine, const LsAssumed *assumed, const LsOp *op)
{
  const double m = (double) op->attr.m, n = (double) op->attr.n, k = (double) op->attr.k;

  if (strcmp (op->klass->name, "matmul") != 0)
    return (double) INFINITY;
  if (machine == &ls_machine_systolic)
    {
      const LsSystolic array = array_of (assumed);
      return (double) array.rows * array.cols * ls_systolic_beats (&array, m, n, k);
    }
  return machine == &ls_machine_tensor ? m * n * k : (double) INFINITY;
}

/* In the machine's order: sums of so many along k, one after the other, and then these. */
static void
multiply_plainly (const LsMachineProof *p, LsDtype dtype, gint64 block, const float *a, const float *b,
                  float *c)
{
  for (gint64 i = 0; i < p->m; i++)
    for (gint64 j = 0; j < p->n; j++)
      {
        float all = 0;
        for (gint64 from = 0; from < p->k; from += block)
          {
            float sum = 0;
            for (gint64 at = from; at < MIN (p->k, from + block); at++)
              sum += ls_half_round (dtype, a[i * p->k + at]) * ls_half_round (dtype, b[at * p->n + j]);
            all = from == 0 ? sum : all + sum;
          }
        c[i * p->n + j] = all;
      }
}

static double
farthest (const LsMachineProof *p, const float *a, const float *b, const float *c)
{
  double far = 0;

  for (gint64 i = 0; i < p->m; i++)
    for (gint64 j = 0; j < p->n; j++)
      {
        double sum = 0;
        for (gint64 at = 0; at < p->k; at++)
          sum += (double) a[i * p->k + at] * (double) b[at * p->n + j];
        far = MAX (far, fabs (sum - (double) c[i * p->n + j]));
      }
  return far;
}

gboolean
ls_machine_prove (const LsMachine *machine, const LsAssumed *assumed, const LsRecording *recording,
                  const LsPlan *plan, LsMachineProof *proof)
{
  g_autofree float *a = NULL, *b = NULL, *c = NULL, *plain = NULL;
  double most = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const double effort = effort_of (machine, assumed, op);
      g_autofree float *left = NULL, *right = NULL;

      if (effort > LS_PROOF_MOST || effort <= most)
        continue;
      left = operand (recording, plan, op, 0, op->attr.m, op->attr.k, op->attr.ta);
      right = operand (recording, plan, op, 1, op->attr.k, op->attr.n, op->attr.tb);
      if (left == NULL || right == NULL)
        continue;
      most = effort;
      *proof = (LsMachineProof){ .op = i, .m = op->attr.m, .n = op->attr.n, .k = op->attr.k };
      g_free (a);
      g_free (b);
      a = g_steal_pointer (&left);
      b = g_steal_pointer (&right);
    }
  if (a == NULL || b == NULL)
    return FALSE;
  c = g_new (float, proof->m * proof->n);
  plain = g_new (float, proof->m * proof->n);
  if (machine == &ls_machine_systolic)
    {
      const LsSystolic array = array_of (assumed);
      proof->turns = (double) ls_systolic_multiply (&array, (guint) proof->m, (guint) proof->n,
                                                    (guint) proof->k, a, b, c);
      multiply_plainly (proof, LS_BF16, array.rows, a, b, plain);
    }
  else
    {
      const LsTensorTile tile = tile_of (assumed);
      ls_tensor_core_multiply (&tile, (guint) proof->m, (guint) proof->n, (guint) proof->k, a, b, c);
      proof->turns = ls_tensor_core_instructions (&tile, (double) proof->m, (double) proof->n,
                                                  (double) proof->k);
      multiply_plainly (proof, LS_F16, proof->k, a, b, plain);
    }
  for (gint64 i = 0; i < proof->m * proof->n; i++)
    proof->different += memcmp (&c[i], &plain[i], sizeof c[i]) != 0;
  proof->far = farthest (proof, a, b, c);
  return TRUE;
}
