/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of the matrix product's rungs: kernels_cl/gemm_*.cl with operand_*.clh. matmul and
 * the three convolutions are the same kernels with other operands, so they share all of this but the shapes.
 */
#include "backends/opencl/kernels/kernels.h"

#include "model/ladder.h"

#define GEMM_GROUP 16 /* gemm_naive.cl */

/* As many as the longest shape list: a pass passes the first of shape[], and these kernels take all. */
#define MATMUL_SHAPE                                                                                         \
  LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE,      \
    LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE
#define CONV_SHAPE                                                                                           \
  MATMUL_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE,         \
    LS_CL_ARG_SHAPE

#define GEMM_BUFFERS LS_CL_ARG_IN0, LS_CL_ARG_IN1, LS_CL_ARG_OUT0, LS_CL_ARG_EPILOGUE, LS_CL_ARG_SCRATCH0

const LsClArg ls_cl_args_gemm[] = { GEMM_BUFFERS, MATMUL_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_gemm_conv[] = { GEMM_BUFFERS, CONV_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_gemm_packed[] = { LS_CL_ARG_IN0,      LS_CL_ARG_IN1, LS_CL_ARG_OUT0,
                                           LS_CL_ARG_EPILOGUE, MATMUL_SHAPE,  LS_CL_ARG_END };

/* ---- shapes ---- */

static LsConvDwCut
cut_of_dw (const LsOp *op, const LsPlan *plan)
{
  const LsGemm gemm = { op->attr.m, op->attr.n, op->attr.k };

  return op->klass == &ls_op_conv2d_dw ? ls_conv_dw_cut (&gemm, plan->tensors[op->in[0]].shape[0])
                                       : (LsConvDwCut){ 1, 1, op->attr.k };
}

/* Work-groups that share a tile's sum. */
static gint64
splits_of_dw (const LsOp *op, const LsPlan *plan)
{
  return cut_of_dw (op, plan).groups;
}

/* A product with few tiles leaves most of a GPU idle. */
static gint64
splits_of_register (const LsOp *op, const LsPlan *plan)
{
  const LsGemm gemm = { op->attr.m, op->attr.n, op->attr.k };

  return op->klass == &ls_op_matmul ? ls_rung_splits (LS_RUNG_REGISTER, &gemm) : splits_of_dw (op, plan);
}

gint64
ls_cl_first_products (const LsOp *op, const LsPlan *plan, gint64 splits)
{
  const LsConvDwCut cut = cut_of_dw (op, plan);
  const gint64 images = plan->tensors[op->in[0]].shape[0];

  if (op->klass != &ls_op_conv2d_dw)
    return ls_part_products (op->attr.k, splits);
  /* each work-item of the packed rung has a whole part */
  return splits == cut.groups ? cut.products : images / splits * (op->attr.k / images);
}

static guint
matmul_shape (const LsOp *op, gint64 splits, int *shape)
{
  const LsOpAttr *a = &op->attr;
  const int list[] = {
    (int) a->m,
    (int) a->n,
    (int) a->k,
    (int) splits,
    a->ta ? 1 : (int) a->k,
    a->ta ? (int) a->m : 1,
    a->tb ? 1 : (int) a->n,
    a->tb ? (int) a->k : 1,
  };
  memcpy (shape, list, sizeof list);
  return G_N_ELEMENTS (list);
}

LS_CL_SHAPE (matmul)
{
  return matmul_shape (op, 1, shape);
}

LS_CL_SHAPE (matmul_register)
{
  return matmul_shape (op, splits_of_register (op, plan), shape);
}

/* The convolution's image X and the windows' grid Y, whichever of them are in and out. */
LS_CL_SHAPE (conv)
{
  const LsTensor *t = plan->tensors;
  const gboolean forward = op->klass == &ls_op_conv2d;
  const gint64 *x = t[forward ? op->in[0] : op->klass == &ls_op_conv2d_dx ? op->out[0] : op->in[1]].shape;
  const gint64 *y = t[forward ? op->out[0] : op->in[0]].shape;
  const int list[] = {
    (int) op->attr.m, (int) op->attr.n,
    (int) op->attr.k, (int) splits_of_dw (op, plan),
    (int) x[1],       (int) x[2],
    (int) x[3],       (int) y[1],
    (int) y[2],       (int) y[3],
    op->attr.kernel,  op->attr.stride,
    op->attr.pad,     (int) cut_of_dw (op, plan).parts,
  };
  memcpy (shape, list, sizeof list);
  return G_N_ELEMENTS (list);
}

/* ---- ranges ---- */

/* Tiles of tile_m × tile_n; dimension 0 = columns, 1 = rows, 2 = parts of the sum. */
static gboolean
tiles_range (const LsOp *op, guint tile_m, guint tile_n, guint items_x, guint items_y, gint64 splits,
             LsClRange *range, LsTiling *tiling)
{
  const LsOpAttr *a = &op->attr;

  ls_cl_range_set (range, ls_cl_ceil_div (a->n, tile_n), ls_cl_ceil_div (a->m, tile_m), splits, items_x,
                   items_y);
  range->scratch_floats[0] = splits > 1 ? (gsize) (splits * a->m * a->n) : 0;
  tiling->splits = (guint) splits;
  ls_tiling_set (tiling, a->m, a->n, tile_m, tile_n);
  return TRUE;
}

LS_CL_RANGE (gemm_naive)
{
  return tiles_range (op, GEMM_GROUP, GEMM_GROUP, GEMM_GROUP, GEMM_GROUP, splits_of_dw (op, plan), range,
                      tiling);
}

LS_CL_RANGE (gemm_tiled)
{
  guint tile = (guint) values[LS_CL_TILED_TILE];
  return tiles_range (op, tile, tile, tile, tile, splits_of_dw (op, plan), range, tiling);
}

LS_CL_RANGE (gemm_register)
{
  guint tile_m = (guint) values[LS_CL_REGISTER_TILE_M], tile_n = (guint) values[LS_CL_REGISTER_TILE_N];
  guint items_x = tile_n / (guint) values[LS_CL_REGISTER_ITEM_N];
  guint items_y = tile_m / (guint) values[LS_CL_REGISTER_ITEM_M];
  return tiles_range (op, tile_m, tile_n, items_x, items_y, splits_of_register (op, plan), range, tiling);
}

static gboolean
reduce_range (const LsOp *op, gint64 splits, LsClRange *range)
{
  ls_cl_range_set (range, ls_cl_ceil_div (op->attr.n, 64), op->attr.m, 1, 64, 1);
  range->scratch_floats[0] = (gsize) (splits * op->attr.m * op->attr.n);
  return splits > 1;
}

LS_CL_RANGE (gemm_reduce)
{
  return reduce_range (op, splits_of_dw (op, plan), range);
}

LS_CL_RANGE (gemm_register_reduce)
{
  return reduce_range (op, splits_of_register (op, plan), range);
}

LS_CL_RANGE (gemm_packed)
{
  guint rows = (guint) values[LS_CL_PACKED_ROWS], cols = 2 * (guint) values[LS_CL_PACKED_VEC];

  ls_cl_range_set (range, ls_cl_ceil_div (op->attr.m, rows), ls_cl_ceil_div (op->attr.n, cols), 1, 1, 1);
  ls_tiling_set (tiling, op->attr.m, op->attr.n, rows, cols);
  return TRUE;
}

/* ---- limits ---- */

LS_CL_FITS (gemm_naive)
{
  return ls_cl_fits_group (limits, GEMM_GROUP, GEMM_GROUP, 0);
}

LS_CL_FITS (gemm_tiled)
{
  guint tile = (guint) values[LS_CL_TILED_TILE];
  return ls_cl_fits_group (limits, tile, tile, 2 * sizeof (float) * tile * tile);
}

LS_CL_FITS (gemm_register)
{
  const guint *v = (const guint *) values;
  guint tile_m = v[LS_CL_REGISTER_TILE_M], tile_n = v[LS_CL_REGISTER_TILE_N];
  guint item_m = v[LS_CL_REGISTER_ITEM_M], item_n = v[LS_CL_REGISTER_ITEM_N];

  return tile_m % item_m == 0 && tile_n % item_n == 0
         && ls_cl_fits_group (limits, tile_n / item_n, tile_m / item_m,
                              sizeof (float) * v[LS_CL_REGISTER_TILE_K] * (tile_m + 1 + tile_n + 1));
}

LS_CL_FITS (gemm_packed)
{
  gsize cols = 2 * (gsize) values[LS_CL_PACKED_VEC];
  return ls_cl_fits_group (limits, 1, 1,
                           sizeof (float) * cols * (LS_SUM_BLOCK + (gsize) values[LS_CL_PACKED_ROWS]));
}
