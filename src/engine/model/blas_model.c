/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/blas_model.h"

/* The first stands in for a core that isn't modelled. */
static const LsBlasModel models[] = {
  { "Haswell", 12, 8, 4, 16, 32, 12, LS_GEMM_BLAS, TRUE, TRUE },
  { "SkylakeX", 24, 16, 4, 32, 64, 24, LS_GEMM_BLAS, TRUE, TRUE },
  { "Cooperlake", 24, 16, 4, 32, 64, 24, LS_GEMM_BLAS, TRUE, TRUE },
  { "Sapphirerapids", 24, 16, 4, 32, 64, 24, LS_GEMM_BLAS, TRUE, TRUE },
  { "Zen", 12, 8, 4, 16, 32, 12, LS_GEMM_BLAS, TRUE, TRUE },
};

/* NULL: that core isn't modelled. */
static const LsBlasModel *
model_of (const char *core)
{
  for (gsize i = 0; core != NULL && i < G_N_ELEMENTS (models); i++)
    if (g_ascii_strcasecmp (core, models[i].core) == 0)
      return &models[i];
  return NULL;
}

/* gemm_loops.c: two vectors of B by as many rows as leave registers for it, in tiles as even as can be; a
 * panel of B is copied unless it lies as it is needed, for few rows or where all of it stays in the first
 * cache. */
static void
loops_model (guint floats, const LsGemmCall *call, LsBlasModel *model)
{
  const guint most_2 = floats == 16 ? 8 : 6, most_4 = floats == 16 ? 4 : 3;
  const gboolean by_rows = !call->tb && call->n * call->k <= 4096,
                 direct = by_rows || (!call->tb && call->m <= 4 * most_2);
  const guint vectors = call->n <= floats ? 1 : direct && call->m <= most_4 && call->n >= 4 * floats ? 4 : 2;
  const guint most = vectors == 1 ? 12 : vectors == 2 ? most_2 : most_4;
  const gint64 tiles = (call->m + most - 1) / most, rows = (call->m + tiles - 1) / tiles;

  *model = (LsBlasModel){ .rows = (guint) rows,
                          .cols = vectors * floats,
                          .sliver_rows = (guint) rows,
                          .registers = floats == 4 || floats == 8 ? 16 : 32,
                          .register_bytes = 4 * floats,
                          .used = (guint) rows * vectors,
                          .by = LS_GEMM_LOOPS,
                          .packs_b = !direct };
}

/* n in blocks as even as can be. */
static guint
block_of (gint64 n, gint64 most)
{
  const gint64 blocks = (n + most - 1) / most;
  return (guint) ((n + blocks - 1) / blocks);
}

/* direct_outputs.c: a vector of outputs by pixels of a row, or of two that are short. */
static void
outputs_model (guint floats, const LsGemmCall *call, LsBlasModel *model)
{
  const guint pixels = block_of (MAX (call->row, 1), floats == 16 ? 16 : 8), rows = call->row < 8 ? 2 : 1;

  model->rows = model->sliver_rows = (guint) MIN (floats, MAX (call->m, 1));
  model->cols = model->used = rows * pixels;
}

/* direct_loops.c: outputs by two vectors of pixels; direct_outputs.c, towards the weights: two vectors of
 * outputs by places. */
static void
direct_model (guint floats, const LsGemmCall *call, LsBlasModel *model)
{
  const gboolean weights = call->use == LS_GEMM_PIXELS;
  const gint64 of_row = call->n / MAX (call->window, 1), places = of_row < 6 ? call->n : of_row;
  const guint vectors = (weights ? call->m : call->n) > floats ? 2 : 1,
              each = weights ? block_of (places, floats == 16 ? 9 : 6)
                             : block_of (call->m, floats == 16 ? 8 : 6);

  loops_model (floats, call, model);
  model->rows = model->sliver_rows = weights ? (guint) MIN (vectors * floats, call->m) : each;
  model->cols = weights ? each : vectors * floats;
  model->used = vectors * each;
  model->packs_b = FALSE;
  if (call->use == LS_GEMM_BY_OUTPUTS)
    outputs_model (floats, call, model);
}

/* gemm_scalar.c: naive, one sum; scalar, rows × columns of them, with a copied panel of B. */
static void
scalar_model (gboolean naive, LsBlasModel *model)
{
  *model = (LsBlasModel){ .rows = naive ? 1 : 3,
                          .cols = naive ? 1 : 4,
                          .sliver_rows = naive ? 1 : 3,
                          .registers = 16,
                          .register_bytes = 4,
                          .used = naive ? 1 : 12,
                          .by = naive ? LS_GEMM_NAIVE : LS_GEMM_SCALAR,
                          .packs_b = !naive };
}

/* Of a row-major product; OpenBLAS's own names for the two are exchanged. */
static gboolean
is_small (const LsBlasModel *model, const LsGemmCall *call)
{
  if (model->register_bytes != 64 || call->m * call->n * call->k > LS_BLAS_SMALL)
    return FALSE;
  return !(call->tb && !call->ta && (call->m * call->n > 1200 || call->k < 32));
}

gboolean
ls_gemm_model (const LsGemmLane *lane, const LsGemmCall *call, LsBlasModel *model)
{
  const LsBlasModel *known = model_of (lane->core);
  const gboolean small = call->m * call->n * call->k <= LS_BLAS_SMALL;
  guint floats;

  *model = *(known != NULL ? known : &models[0]);
  if (lane->way == LS_WAY_NAIVE_LOOPS || lane->way == LS_WAY_SCALAR_LOOPS)
    {
      scalar_model (lane->way == LS_WAY_NAIVE_LOOPS, model);
      return TRUE;
    }
  floats = lane->floats > 0 ? lane->floats : model->register_bytes / 4;
  if (call->use == LS_GEMM_PICTURE || call->use == LS_GEMM_BY_OUTPUTS || call->use == LS_GEMM_PIXELS)
    direct_model (floats, call, model);
  else if (call->use == LS_GEMM_OWN || (call->use == LS_GEMM_COLUMNS && lane->way == LS_WAY_OWN_LOOPS)
           || (call->use == LS_GEMM_PLAIN && (!lane->large_blas || small)))
    loops_model (floats, call, model);
  if (model->by == LS_GEMM_LOOPS)
    return lane->floats > 0 || known != NULL;
  if (known != NULL && is_small (model, call))
    {
      const guint vectors = (guint) CLAMP (call->n / 16, 1, 4), rows = (guint) CLAMP (call->m, 1, 4);
      model->by = LS_GEMM_BLAS_SMALL;
      model->packs_a = model->packs_b = FALSE;
      model->rows = model->sliver_rows = rows;
      model->cols = 16 * (vectors == 3 ? 2 : vectors);
      model->used = rows * (model->cols / 16);
    }
  return known != NULL;
}

LsBlasTraffic
ls_blas_traffic (const LsBlasModel *model, gint64 rows, gint64 cols, gint64 k, gint64 sliver, gint64 groups,
                 gint64 step)
{
  const gint64 all_groups = (rows + model->rows - 1) / model->rows, tiles = sliver * all_groups + groups;
  const gint64 begun = sliver + (groups > 0 || step > 0);
  LsBlasTraffic t = { 0 };

  t.registers = 4 * (tiles * k + step) * (model->rows + model->cols);
  t.l1 = 4 * k * (begun * model->cols + (tiles + (step > 0)) * model->rows);
  t.l2 = 4 * k * (rows + cols);
  t.flops = 2 * (tiles * k + step) * model->rows * model->cols;
  return t;
}
