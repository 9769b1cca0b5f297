/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of layer normalisation: kernels_cl/layernorm.cl. Rows are as many values as γ has.
 */
#include "backends/opencl/kernels/kernels.h"

#define GROUP_ROWS 4    /* of a naive group over rows */
#define ITEMS      64   /* of a naive group over columns */
#define CHUNK      4096 /* elements of a packed work-item over rows, about */

#define SHAPE_2 LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE
#define ROWS                                                                                                 \
  LS_CL_ARG_IN0, LS_CL_ARG_IN1, LS_CL_ARG_IN2, LS_CL_ARG_OUT0, LS_CL_ARG_OUT1, LS_CL_ARG_OUT2, SHAPE_2
#define ROWS_GRAD                                                                                            \
  LS_CL_ARG_IN0, LS_CL_ARG_IN1, LS_CL_ARG_IN2, LS_CL_ARG_IN3, LS_CL_ARG_IN4, LS_CL_ARG_OUT0, SHAPE_2

const LsClArg ls_cl_args_layernorm[] = { ROWS, LS_CL_ARG_END };
const LsClArg ls_cl_args_layernorm_packed[] = { ROWS, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_layernorm_grad[] = { ROWS_GRAD, LS_CL_ARG_END };
const LsClArg ls_cl_args_layernorm_grad_packed[] = { ROWS_GRAD, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_layernorm_dw[] = { LS_CL_ARG_IN0,  LS_CL_ARG_IN1,  LS_CL_ARG_IN2, LS_CL_ARG_IN3,
                                            LS_CL_ARG_OUT0, LS_CL_ARG_OUT1, SHAPE_2,       LS_CL_ARG_END };

/* The tensor with an element for each row: the means. */
static gint64
rows_of (const LsOp *op, const LsPlan *plan)
{
  const guint means = op->klass == &ls_op_layernorm        ? op->out[1]
                      : op->klass == &ls_op_layernorm_grad ? op->in[3]
                                                           : op->in[2];
  return ls_tensor_count (&plan->tensors[means]);
}

static gint64
tile_rows (gint64 rows, gint64 cols)
{
  return CLAMP (CHUNK / cols, 1, rows);
}

/* Rows, their length, and how many a packed work-item takes. */
LS_CL_SHAPE (layernorm)
{
  const gint64 rows = rows_of (op, plan), cols = ls_tensor_count (&plan->tensors[op->in[0]]) / rows;

  shape[0] = (int) rows;
  shape[1] = (int) cols;
  shape[2] = (int) tile_rows (rows, cols);
  return 3;
}

static void
shape_of (const LsOp *op, const LsPlan *plan, gint64 *rows, gint64 *cols)
{
  *rows = rows_of (op, plan);
  *cols = ls_tensor_count (&plan->tensors[op->in[0]]) / *rows;
}

LS_CL_RANGE (layernorm)
{
  gint64 rows, cols;

  shape_of (op, plan, &rows, &cols);
  ls_cl_range_set (range, 1, ls_cl_ceil_div (rows, GROUP_ROWS), 1, LS_ROW_SUMS, GROUP_ROWS);
  ls_tiling_set (tiling, rows, cols, GROUP_ROWS, cols);
  return TRUE;
}

LS_CL_RANGE (layernorm_packed)
{
  gint64 rows, cols;

  shape_of (op, plan, &rows, &cols);
  ls_cl_range_set (range, 1, ls_cl_ceil_div (rows, tile_rows (rows, cols)), 1, 1, 1);
  ls_tiling_set (tiling, rows, cols, tile_rows (rows, cols), cols);
  return TRUE;
}

LS_CL_RANGE (layernorm_dw)
{
  gint64 rows, cols;

  shape_of (op, plan, &rows, &cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, ITEMS), 1, 1, ITEMS, 1);
  ls_tiling_set (tiling, 1, cols, 1, ITEMS);
  return TRUE;
}

LS_CL_RANGE (layernorm_dw_packed)
{
  const gint64 vec = values[LS_CL_PACKED_VEC];
  gint64 rows, cols;

  shape_of (op, plan, &rows, &cols);
  ls_cl_range_set (range, ls_cl_ceil_div (cols, vec), 1, 1, 1, 1);
  ls_tiling_set (tiling, 1, cols, 1, vec);
  return TRUE;
}
