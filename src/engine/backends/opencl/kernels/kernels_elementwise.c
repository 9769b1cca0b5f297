/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of the kernels that go once over all elements: kernels_cl/elementwise.cl, bias.cl,
 * gather.cl. The output counts as the matrix of ls_tiling_output_matrix().
 */
#include "backends/opencl/kernels/kernels.h"

#define GROUP_ROWS  8 /* of a naive group: elementwise.cl, bias.cl, softmax.cl, maxpool2d.cl */
#define GROUP_COLS  32
#define GATHER_ROWS 8
#define CHUNK       4096 /* elements of a packed work-item, about */
#define GATHER      256  /* gather.cl */

#define SHAPE_2 LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE
#define MAP1    LS_CL_ARG_IN0, LS_CL_ARG_OUT0
#define MAP2    LS_CL_ARG_IN0, LS_CL_ARG_IN1, LS_CL_ARG_OUT0
#define SGD     LS_CL_ARG_OUT0, LS_CL_ARG_IN1, LS_CL_ARG_OUT1, LS_CL_ARG_LR, LS_CL_ARG_MOMENTUM
#define ADAM                                                                                                 \
  LS_CL_ARG_OUT0, LS_CL_ARG_IN1, LS_CL_ARG_OUT1, LS_CL_ARG_OUT2, LS_CL_ARG_BETA1, LS_CL_ARG_BETA2,           \
    LS_CL_ARG_ONE_MINUS_BETA1, LS_CL_ARG_ONE_MINUS_BETA2, LS_CL_ARG_STEP_SIZE, LS_CL_ARG_CORRECTION2,        \
    LS_CL_ARG_EPSILON

#define DROPOUT                                                                                              \
  LS_CL_ARG_IN0, LS_CL_ARG_OUT0, LS_CL_ARG_OUT1, LS_CL_ARG_SEED_LOW, LS_CL_ARG_SEED_HIGH, LS_CL_ARG_STEP,    \
    SHAPE_2, LS_CL_ARG_SHAPE, SHAPE_2

const LsClArg ls_cl_args_dropout[] = { DROPOUT, LS_CL_ARG_END };
const LsClArg ls_cl_args_dropout_packed[] = { DROPOUT, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_map1[] = { MAP1, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_map2[] = { MAP2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_sgd[] = { SGD, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_adam[] = { ADAM, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_sgd_copy[] = { SGD, LS_CL_ARG_COPY, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_adam_copy[] = { ADAM, LS_CL_ARG_COPY, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_sgd_copy_packed[] = { SGD, LS_CL_ARG_COPY, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_adam_copy_packed[] = { ADAM, LS_CL_ARG_COPY, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_map1_packed[] = { MAP1, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_map2_packed[] = { MAP2, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_sgd_packed[] = { SGD, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_adam_packed[] = { ADAM, SHAPE_2, SHAPE_2, LS_CL_ARG_END };
const LsClArg ls_cl_args_bias[] = { MAP2, SHAPE_2, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_gather[] = { LS_CL_ARG_SAMPLES,     LS_CL_ARG_SET_LABELS, LS_CL_ARG_INDEX,
                                      LS_CL_ARG_BYTE_VALUES, LS_CL_ARG_OUT0,       LS_CL_ARG_OUT1,
                                      LS_CL_ARG_FIRST,       LS_CL_ARG_SHAPE,      LS_CL_ARG_END };
const LsClArg ls_cl_args_gather_packed[]
  = { LS_CL_ARG_SAMPLES, LS_CL_ARG_SET_LABELS, LS_CL_ARG_INDEX, LS_CL_ARG_OUT0,
      LS_CL_ARG_OUT1,    LS_CL_ARG_FIRST,      SHAPE_2,         SHAPE_2,
      LS_CL_ARG_END };

static void
output_matrix (const LsOp *op, const LsPlan *plan, gint64 *rows, gint64 *cols)
{
  const LsTensor *out = &plan->tensors[op->out[0]];
  ls_tiling_output_matrix (out->shape, out->rank, rows, cols);
}

/* Whole rows, as many as make a chunk; or pieces of one row. Either way a tile is consecutive in memory. */
static void
chunk_of (gint64 rows, gint64 cols, gint64 *tile_rows, gint64 *tile_cols)
{
  *tile_cols = MIN (cols, CHUNK);
  *tile_rows = cols > CHUNK ? 1 : CLAMP (CHUNK / cols, 1, rows);
}

LS_CL_SHAPE (elements)
{
  gint64 rows, cols, tile_rows, tile_cols;

  output_matrix (op, plan, &rows, &cols);
  chunk_of (rows, cols, &tile_rows, &tile_cols);
  shape[0] = (int) rows;
  shape[1] = (int) cols;
  shape[2] = (int) tile_rows;
  shape[3] = (int) tile_cols;
  return 4;
}

/* Which dropout, its threshold and the bits of its scale come first. */
LS_CL_SHAPE (dropout)
{
  int elements[LS_CL_MAX_SHAPE];
  const guint n = ls_cl_shape_elements (op, plan, values, elements);

  shape[0] = (int) op->attr.number;
  shape[1] = (int) op->attr.threshold;
  memcpy (&shape[2], &op->attr.scale, sizeof op->attr.scale);
  memcpy (&shape[3], elements, n * sizeof *elements);
  return 3 + n;
}

LS_CL_SHAPE (bias)
{
  const LsTensor *out = &plan->tensors[op->out[0]];

  ls_cl_shape_elements (op, plan, values, shape);
  shape[2] = (int) (ls_tensor_inner (out) / out->shape[1]);
  return 3;
}

LS_CL_SHAPE (gather)
{
  shape[0] = (int) ls_tensor_inner (&plan->tensors[op->out[0]]);
  return 1;
}

LS_CL_RANGE (elements)
{
  gint64 rows, cols;

  output_matrix (op, plan, &rows, &cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, GROUP_COLS), ls_cl_ceil_div (rows, GROUP_ROWS), 1, GROUP_COLS,
                   GROUP_ROWS);
  ls_tiling_set (tiling, rows, cols, GROUP_ROWS, GROUP_COLS);
  return TRUE;
}

LS_CL_RANGE (elements_packed)
{
  gint64 rows, cols, tile_rows, tile_cols;

  output_matrix (op, plan, &rows, &cols);
  chunk_of (rows, cols, &tile_rows, &tile_cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, tile_cols), ls_cl_ceil_div (rows, tile_rows), 1, 1, 1);
  ls_tiling_set (tiling, rows, cols, tile_rows, tile_cols);
  return TRUE;
}

LS_CL_RANGE (gather)
{
  gint64 rows, cols;

  output_matrix (op, plan, &rows, &cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, GATHER), rows, 1, GATHER, 1);
  ls_tiling_set (tiling, rows, cols, 1, GATHER);
  return TRUE;
}

/* A chunk, but at least so many samples that fetching them from memory overlaps. */
static void
gather_chunk (gint64 rows, gint64 cols, gint64 *tile_rows, gint64 *tile_cols)
{
  chunk_of (rows, cols, tile_rows, tile_cols);
  *tile_rows = MIN (MAX (*tile_rows, GATHER_ROWS), rows);
}

LS_CL_SHAPE (gather_packed)
{
  gint64 rows, cols, tile_rows, tile_cols;

  output_matrix (op, plan, &rows, &cols);
  gather_chunk (rows, cols, &tile_rows, &tile_cols);
  shape[0] = (int) rows;
  shape[1] = (int) cols;
  shape[2] = (int) tile_rows;
  shape[3] = (int) tile_cols;
  return 4;
}

LS_CL_RANGE (gather_packed)
{
  gint64 rows, cols, tile_rows, tile_cols;

  output_matrix (op, plan, &rows, &cols);
  gather_chunk (rows, cols, &tile_rows, &tile_cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, tile_cols), ls_cl_ceil_div (rows, tile_rows), 1, 1, 1);
  ls_tiling_set (tiling, rows, cols, tile_rows, tile_cols);
  return TRUE;
}

LS_CL_FITS (items_256)
{
  return ls_cl_fits_group (limits, GATHER, 1, 0);
}
