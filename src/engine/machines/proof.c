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

/* The first rows and columns of it, row by row. (transfer full) */
static float *
corner_of (const LsHeldMatrix *matrix, gint64 rows, gint64 cols)
{
  float *out = g_new (float, rows *cols);

  for (gint64 i = 0; i < rows; i++)
    for (gint64 j = 0; j < cols; j++)
      out[i * cols + j] = ls_held_at (matrix, i, j);
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

/* What it takes to try so much of it. */
static double
effort_of (const LsMachine *machine, const LsAssumed *assumed, double m, double n, double k)
{
  if (machine == &ls_machine_systolic)
    {
      const LsSystolic array = array_of (assumed);
      return (double) array.rows * array.cols * ls_systolic_beats (&array, m, n, k);
    }
  return m * n * k;
}

/* As much of it as may be done: half the rows, columns or terms, whichever are most, until it is. FALSE: not
 * even one sum may. */
static gboolean
cut_down (const LsMachine *machine, const LsAssumed *assumed, double most, LsMachineProof *p)
{
  while (effort_of (machine, assumed, (double) p->m, (double) p->n, (double) p->k) > most)
    {
      gint64 *longest = p->m >= p->n && p->m >= p->k ? &p->m : p->n >= p->k ? &p->n : &p->k;

      if (*longest == 1)
        return FALSE;
      *longest = (*longest + 1) / 2;
    }
  return TRUE;
}

static float *
rounded (LsDtype dtype, const float *values, gint64 n)
{
  float *out = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    out[i] = ls_half_round (dtype, values[i]);
  return out;
}

/* In the machine's order: sums of so many along k, one after the other, and then these. */
static void
multiply_plainly (const LsMachineProof *p, LsDtype dtype, gint64 block, const float *a, const float *b,
                  float *c)
{
  g_autofree float *left = rounded (dtype, a, p->m * p->k), *right = rounded (dtype, b, p->k * p->n);

  for (gint64 i = 0; i < p->m; i++)
    for (gint64 j = 0; j < p->n; j++)
      {
        float all = 0;
        for (gint64 from = 0; from < p->k; from += block)
          {
            float sum = 0;
            for (gint64 at = from; at < MIN (p->k, from + block); at++)
              sum += left[i * p->k + at] * right[at * p->n + j];
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

/* The largest product whose numbers there are. FALSE: there is none. */
static gboolean
find_product (const LsRecording *recording, const LsPlan *plan, LsMachineProof *proof, LsHeldMatrix *a,
              LsHeldMatrix *b)
{
  double most = 0;

  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      const LsMachineProof this = { .op = i,
                                    .m = op->attr.m,
                                    .n = op->attr.n,
                                    .k = op->attr.k,
                                    .whole_m = op->attr.m,
                                    .whole_n = op->attr.n,
                                    .whole_k = op->attr.k };
      const double size = (double) this.m * (double) this.n * (double) this.k;

      LsHeldMatrix left, right;

      if (size <= most || !ls_held_product (recording, plan, i, &left, &right))
        continue;
      most = size;
      *proof = this;
      *a = left;
      *b = right;
    }
  return most > 0;
}

gboolean
ls_machine_prove (const LsMachine *machine, const LsAssumed *assumed, const LsRecording *recording,
                  const LsPlan *plan, double most, LsMachineProof *proof)
{
  g_autofree float *a = NULL, *b = NULL, *c = NULL, *plain = NULL;
  LsHeldMatrix left, right;

  if ((machine != &ls_machine_systolic && machine != &ls_machine_tensor)
      || !find_product (recording, plan, proof, &left, &right) || !cut_down (machine, assumed, most, proof))
    return FALSE;
  a = corner_of (&left, proof->m, proof->k);
  b = corner_of (&right, proof->k, proof->n);
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
