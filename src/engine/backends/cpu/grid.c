/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids of tiles: see grid.h. The constants were measured on a 2-core AVX-512 machine; they only move the
 * point where another tile stops to pay.
 */
#include "config.h"
#include "backends/cpu/grid.h"

#include "model/ladder.h"

/* The smallest tile worth handing out: below it the hand-over (about 2 µs) costs more than a second worker
 * gains. A person who wishes tiles to look at may have smaller ones. */
#define GEMM_TILE_FLOPS           1e6 /* 5 … 10 µs of a core */
#define GEMM_TILE_FLOPS_REQUESTED 2e4
#define PLAIN_TILE_NS             3000.0
#define PLAIN_TILE_NS_REQUESTED   100.0
#define CACHE_BYTES_A_NS          30.0      /* that a core reads and writes in its caches */
#define CORE_HOLDS                (1 << 20) /* bytes of weights, beside as many of their velocities */
/* A tile of r rows and c columns packs (r + c)·k elements for r·c·k products: relative cost a/c + b/r. Fitted
 * to cblas_sgemm on 128…256 × 16…784 tiles. */
#define PACK_COLS 10.0
#define PACK_ROWS 14.0
/* OpenBLAS doesn't pack products of up to 10⁶ multiplications (AVX-512; not where B is transposed and k
 * long). */
#define UNPACKED_PRODUCTS 1000000
#define UNPACKED_SHARE    0.3
/* Chance of a core being late, as a share of one tile's time. */
#define LATENESS 0.25
/* OpenBLAS's inner kernels work on blocks of 16 columns and 4 rows. */
#define GEMM_COLS 16
#define GEMM_ROWS 4
#define LINE      16 /* floats of a cache line */
#define CONV_ROWS 16 /* channels, below which repeating the columns isn't worth it */
#define OWN_ROWS  32 /* of a core, below which turning all weights for them isn't worth it */

static gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* How many of the requested tiles an op of that many smallest tiles should have. */
static gint64
tiles_worth (double smallest_tiles, guint requested, gboolean automatic)
{
  gint64 workers = MAX (requested / LS_CPU_TILES_PER_WORKER, 1);
  gint64 n = smallest_tiles < (double) requested ? (gint64) smallest_tiles : (gint64) requested;

  if (n < 2)
    return 1;
  if (!automatic || n <= workers)
    return n;
  while (workers * 2 <= n)
    workers *= 2;
  return workers;
}

static gint64
gemm_tiles (const LsOp *op, guint requested, gboolean automatic)
{
  return tiles_worth ((double) op->flops / (automatic ? GEMM_TILE_FLOPS : GEMM_TILE_FLOPS_REQUESTED),
                      requested, automatic);
}

/* Backward multiplies with them once more, and there each of their columns goes to another tile. */
static gboolean
reads_back (const LsPlan *plan, guint weights)
{
  for (guint i = 0; i < plan->n_ops; i++)
    if (plan->ops[i].klass == &ls_op_matmul && plan->ops[i].in[1] == weights && !plan->ops[i].attr.tb)
      return TRUE;
  return FALSE;
}

/* Of few samples, where each weight is used so rarely that reading it takes longer than its products: a part
 * of the weights' rows for each worker, in whose caches they stay from forward to the update, and to the next
 * step. Weights that a core holds by itself stay there if backward's other product would take them to the
 * others. FALSE: it is no such op. */
static gboolean
share_weights (const LsOp *op, const LsPlan *plan, gint64 workers, LsTiling *tiling)
{
  const double worth = (double) op->bytes / CACHE_BYTES_A_NS / PLAIN_TILE_NS;
  const gint64 tiles = MIN (workers, (gint64) worth);
  const gint64 m = op->attr.m, n = op->attr.n;

  for (guint p = 0; p < plan->n_params && tiles > 1; p++)
    {
      const LsParam *param = &plan->params[p];
      const gboolean forward = param->weight == op->in[1] && op->attr.tb,
                     update = param->gradient == op->out[0];

      if (!forward && !update)
        continue;
      if (ls_tensor_bytes (&plan->tensors[param->weight]) <= CORE_HOLDS && reads_back (plan, param->weight))
        return FALSE;
      ls_tiling_set (tiling, m, n, update ? divide_up (divide_up (m, tiles), GEMM_ROWS) * GEMM_ROWS : m,
                     forward ? divide_up (divide_up (n, tiles), GEMM_COLS) * GEMM_COLS : n);
      return TRUE;
    }
  return FALSE;
}

/* Weights that one op after the other multiplies by, a recurrent layer's, stay in the caches of each core,
 * and so do its rows, if it has the same ones in each of these ops and in what lies between them. Measured on
 * the lstm at batch 128: 8 % less for these products and for the gates, which read them. FALSE: it is no such
 * op. */
static gboolean
keep_rows (const LsOp *op, const LsPlan *plan, gint64 tiles, gint64 workers, LsTiling *tiling)
{
  const gint64 m = op->attr.m, n = op->attr.n;
  guint uses = 0;

  if (workers < 2 || tiles < workers || m < workers * OWN_ROWS
      || ls_tensor_bytes (&plan->tensors[op->in[1]]) > CORE_HOLDS)
    return FALSE;
  for (guint i = 0; i < plan->n_ops; i++)
    uses += plan->ops[i].klass == op->klass && plan->ops[i].in[1] == op->in[1]
            && plan->ops[i].attr.tb == op->attr.tb;
  if (uses < 2)
    return FALSE;
  ls_tiling_set (tiling, m, n, divide_up (divide_up (m, workers), GEMM_ROWS) * GEMM_ROWS,
                 divide_up (divide_up (n, tiles / workers), GEMM_COLS) * GEMM_COLS);
  return TRUE;
}

/* 16 operations per nanosecond besides. */
static gint64
plain_tiles (const LsOp *op, guint requested, gboolean automatic)
{
  double ns = (double) op->bytes / CACHE_BYTES_A_NS + (double) op->flops / 16;
  return tiles_worth (ns / (automatic ? PLAIN_TILE_NS : PLAIN_TILE_NS_REQUESTED), requested, automatic);
}

/* What a grid costs, in units of the whole product on one worker: packing, rounded-up tiles, rounds of the
 * workers that aren't full, lateness. A person's wish comes before all that. */
static double
gemm_cost (const LsTiling *t, const LsOpAttr *attr, guint requested, gboolean automatic)
{
  gint64 count = (gint64) t->grid_rows * t->grid_cols, workers = MAX (requested / LS_CPU_TILES_PER_WORKER, 1);
  double area = (double) (t->tile_rows * t->tile_cols * count) / (double) (t->rows * t->cols);
  double pack = PACK_COLS / (double) t->tile_cols + PACK_ROWS / (double) t->tile_rows;
  gboolean unpacked = !attr->tb && t->tile_rows * t->tile_cols * attr->k <= UNPACKED_PRODUCTS;
  double cost = area * (1 + (unpacked ? UNPACKED_SHARE * pack : pack));

  if (!automatic)
    return cost - 1000 * (double) count;
  if (count == 1 && workers > 1)
    return G_MAXDOUBLE; /* worth splitting, as gemm_tiles() has found */
  cost *= (double) (divide_up (count, workers) * workers) / (double) count;
  return cost * (1 + LATENESS * (double) workers / (double) count);
}

void
ls_cpu_grid_matmul (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic, LsTiling *tiling)
{
  const gint64 m = op->attr.m, n = op->attr.n, tiles = gemm_tiles (op, requested, automatic),
               workers = requested / LS_CPU_TILES_PER_WORKER;
  double best = G_MAXDOUBLE;

  ls_tiling_set (tiling, m, n, m, n);
  if (automatic && tiles <= workers && share_weights (op, plan, workers, tiling))
    return;
  if (tiles == 1 || (automatic && keep_rows (op, plan, tiles, workers, tiling)))
    return;
  for (gint64 rows = 1; rows <= tiles; rows++)
    for (gint64 cols = 1; rows * cols <= tiles; cols++)
      {
        LsTiling t = *tiling;
        ls_tiling_set (&t, m, n, divide_up (divide_up (m, rows), GEMM_ROWS) * GEMM_ROWS,
                       divide_up (divide_up (n, cols), GEMM_COLS) * GEMM_COLS);
        double cost = gemm_cost (&t, &op->attr, requested, automatic);
        if (cost < best)
          {
            best = cost;
            *tiling = t;
          }
      }
}

/* rows × images: images first, since each block of channels makes the columns once more. */
static void
conv_grid (gint64 rows, gint64 images, gint64 plane, gint64 tiles, LsTiling *tiling)
{
  gint64 cols = MIN (tiles, images);
  gint64 blocks = CLAMP (tiles / cols, 1, MAX (rows / CONV_ROWS, 1));

  ls_tiling_set (tiling, rows, images * plane, divide_up (divide_up (rows, blocks), GEMM_ROWS) * GEMM_ROWS,
                 divide_up (images, cols) * plane);
}

void
ls_cpu_grid_conv2d (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic, LsTiling *tiling)
{
  gint64 images = plan->tensors[op->out[0]].shape[0];
  conv_grid (op->attr.m, images, op->attr.n / images, gemm_tiles (op, requested, automatic), tiling);
}

void
ls_cpu_grid_conv2d_dx (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,
                       LsTiling *tiling)
{
  ls_cpu_grid_conv2d (op, plan, requested, automatic, tiling);
}

void
ls_cpu_grid_conv2d_dw (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,
                       LsTiling *tiling)
{
  const gint64 m = op->attr.m, n = op->attr.n, images = plan->tensors[op->in[0]].shape[0];
  const LsGemm gemm = { m, n, op->attr.k };
  const gint64 tiles = gemm_tiles (op, requested, automatic), splits = ls_conv_dw_cut (&gemm, images).parts;
  const gint64 blocks = CLAMP (tiles / splits, 1, MAX (m / CONV_ROWS, 1));

  tiling->splits = (guint) splits;
  ls_tiling_set (tiling, m, n, divide_up (divide_up (m, blocks), GEMM_ROWS) * GEMM_ROWS, n);
}

/* rows × cols into about `tiles`, rows first; columns in multiples of unit. */
static void
plain_grid (gint64 rows, gint64 cols, gint64 unit, gint64 tiles, LsTiling *tiling)
{
  gint64 blocks = MIN (tiles, rows), tile_rows = divide_up (rows, blocks);

  ls_tiling_set (tiling, rows, cols, tile_rows,
                 divide_up (divide_up (cols, MAX (tiles / divide_up (rows, tile_rows), 1)), unit) * unit);
}

static void
output_matrix (const LsOp *op, const LsPlan *plan, gint64 *rows, gint64 *cols)
{
  const LsTensor *out = &plan->tensors[op->out[0]];
  ls_tiling_output_matrix (out->shape, out->rank, rows, cols);
}

void
ls_cpu_grid_elements (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,
                      LsTiling *tiling)
{
  gint64 rows, cols;
  output_matrix (op, plan, &rows, &cols);
  plain_grid (rows, cols, LINE, plain_tiles (op, requested, automatic), tiling);
}

void
ls_cpu_grid_samples (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,
                     LsTiling *tiling)
{
  gint64 rows, cols;
  output_matrix (op, plan, &rows, &cols);
  plain_grid (rows, cols, MAX (cols, 1), plain_tiles (op, requested, automatic), tiling);
}

void
ls_cpu_grid_planes (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic, LsTiling *tiling)
{
  const gint64 *shape = plan->tensors[op->out[0]].shape;
  gint64 rows, cols;
  output_matrix (op, plan, &rows, &cols);
  plain_grid (rows, cols, shape[2] * shape[3], plain_tiles (op, requested, automatic), tiling);
}

void
ls_cpu_grid_channels (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic,
                      LsTiling *tiling)
{
  const LsTensor *dy = &plan->tensors[op->in[0]];
  gint64 unit = dy->rank > 2 ? 1 : LINE; /* a channel of images is long, one of a matrix a column */
  plain_grid (1, dy->shape[1], unit, plain_tiles (op, requested, automatic), tiling);
}

void
ls_cpu_grid_one (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic, LsTiling *tiling)
{
  gint64 rows, cols;
  output_matrix (op, plan, &rows, &cols);
  ls_tiling_set (tiling, rows, cols, rows, cols);
}
