/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tile of a matrix product, then the followers while the tile is in the cache.
 *
 *                 ┌──────┐ col
 *                 │ B    ┆
 *        row ┌────┼──────┤
 *            │ A ┄┼┄ C ┄┄│   C's tile needs A's rows and B's columns, all of them
 */
#include "config.h"
#include "backends/cpu/kernel.h"

/* The one op that follows, if it can be done with the sums: the update of weights in floats. */
static const LsOpCall *
update_of (const LsCpuStage *stage)
{
  const LsOpCall *call = &stage->followers[0].call;

  return stage->n_followers == 1 && call->op->klass == &ls_op_sgd && stage->rung->updates
             && ls_cpu_own_matmul (stage)
           ? call
           : NULL;
}

void
ls_cpu_tile_matmul (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const LsOpAttr *attr = &stage->call.op->attr;
  const gint64 lda = attr->ta ? attr->m : attr->k, ldb = attr->tb ? attr->k : attr->n;
  const float *a = (const float *) stage->call.in[0] + (attr->ta ? t.row : t.row * lda);
  const float *b = (const float *) stage->call.in[1] + (attr->tb ? t.col * ldb : t.col);
  const gint64 at = t.row * attr->n + t.col;
  const LsOpCall *sgd = update_of (stage);

  if (sgd != NULL)
    {
      const LsGemmUpdate update = { (float *) sgd->out[0] + at, (float *) sgd->out[1] + at,
                                    (float) sgd->hyper->lr, (float) sgd->hyper->momentum };
      ls_gemm_update (attr->ta, attr->tb, t.rows, t.cols, attr->k, a, lda, b, ldb, stage->target + at,
                      attr->n, &update);
      return;
    }
  stage->rung->product (attr->ta, attr->tb, t.rows, t.cols, attr->k, a, lda, b, ldb, FALSE,
                        stage->target + at, attr->n);
  ls_cpu_followers (stage, (LsCpuRect){ at, t.rows, t.cols, attr->n });
}

gboolean
ls_cpu_own_matmul (const LsCpuStage *stage)
{
  const LsTiling *t = &stage->tiling;

  return !stage->rung->blas || !ls_gemm_calls_blas (t->tile_rows, t->tile_cols, stage->call.op->attr.k);
}
