/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of pooling, the loss and the sums over channels: kernels_cl/maxpool2d.cl,
 * avgpool2d.cl, softmax.cl, sum.cl.
 */
#include "backends/opencl/kernels/kernels.h"

#define SOFTMAX_GROUP 64   /* softmax.cl */
#define SOFTMAX_CHUNK 4096 /* elements of a packed group */
#define SUM_ITEMS     64   /* sum.cl: naive and reduce */
#define SUM_GROUP     128  /* sum.cl: GROUP */

#define SHAPE_4 LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE

const LsClArg ls_cl_args_pool[] = { LS_CL_ARG_IN0, LS_CL_ARG_OUT0, LS_CL_ARG_OUT1,
                                    SHAPE_4,       SHAPE_4,        LS_CL_ARG_END };
const LsClArg ls_cl_args_pool_grad[] = { LS_CL_ARG_IN0, LS_CL_ARG_IN1, LS_CL_ARG_OUT0, LS_CL_ARG_EPILOGUE,
                                         SHAPE_4,       SHAPE_4,       LS_CL_ARG_END };
const LsClArg ls_cl_args_avgpool[] = { LS_CL_ARG_IN0, LS_CL_ARG_OUT0, SHAPE_4, SHAPE_4, LS_CL_ARG_END };
const LsClArg ls_cl_args_avgpool_grad[] = { LS_CL_ARG_IN0, LS_CL_ARG_OUT0, LS_CL_ARG_EPILOGUE,
                                            SHAPE_4,       SHAPE_4,        LS_CL_ARG_END };
const LsClArg ls_cl_args_softmax[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_OUT0, LS_CL_ARG_OUT1,
                                       LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_softmax_grad[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_OUT0,
                                            LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_softmax_grad_scaled[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_OUT0,
                                                   LS_CL_ARG_SCALE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE,
                                                   LS_CL_ARG_END };
const LsClArg ls_cl_args_softmax_packed[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_OUT0,
                                              LS_CL_ARG_OUT1,  LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE,
                                              LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_softmax_grad_packed[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_OUT0,
                                                   LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE,
                                                   LS_CL_ARG_END };
const LsClArg ls_cl_args_sum[] = { LS_CL_ARG_IN0,   LS_CL_ARG_OUT0,  LS_CL_ARG_SHAPE,
                                   LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_END };

/* ---- pooling: Y of X; the gradients dX (like their last input) of dY ---- */

LS_CL_SHAPE (pool)
{
  const gboolean forward = op->klass == &ls_op_maxpool2d || op->klass == &ls_op_avgpool2d;
  const gint64 *x = plan->tensors[forward ? op->in[0] : op->out[0]].shape;
  const gint64 *y = plan->tensors[forward ? op->out[0] : op->in[0]].shape;
  const int list[] = { (int) x[0], (int) x[1], (int) x[2],      (int) x[3],
                       (int) y[2], (int) y[3], op->attr.kernel, op->attr.stride };
  memcpy (shape, list, sizeof list);
  return G_N_ELEMENTS (list);
}

/* One work-item per plane. */
LS_CL_RANGE (planes)
{
  const gint64 *out = plan->tensors[op->out[0]].shape;

  ls_cl_range_set (range, out[1], out[0], 1, 1, 1);
  ls_tiling_set (tiling, out[0], out[1] * out[2] * out[3], 1, out[2] * out[3]);
  return TRUE;
}

/* ---- the loss: one work-item per row, or per so many ---- */

LS_CL_SHAPE (rows)
{
  const LsTensor *out = &plan->tensors[op->out[0]];

  shape[0] = (int) out->shape[0];
  shape[1] = (int) ls_tensor_inner (out);
  return 2;
}

LS_CL_RANGE (rows)
{
  const LsTensor *out = &plan->tensors[op->out[0]];
  gint64 rows = out->shape[0], cols = ls_tensor_inner (out);

  ls_cl_range_set (range, ls_cl_ceil_div (rows, SOFTMAX_GROUP), 1, 1, SOFTMAX_GROUP, 1);
  ls_tiling_set (tiling, rows, cols, SOFTMAX_GROUP, cols);
  return TRUE;
}

static gint64
packed_rows (const LsTensor *out)
{
  return CLAMP (SOFTMAX_CHUNK / ls_tensor_inner (out), 1, out->shape[0]);
}

LS_CL_SHAPE (rows_packed)
{
  guint n = ls_cl_shape_rows (op, plan, values, shape);

  shape[n++] = (int) packed_rows (&plan->tensors[op->out[0]]);
  return n;
}

LS_CL_RANGE (rows_packed)
{
  const LsTensor *out = &plan->tensors[op->out[0]];
  gint64 rows = out->shape[0], cols = ls_tensor_inner (out), tile_rows = packed_rows (out);

  ls_cl_range_set (range, 1, ls_cl_ceil_div (rows, tile_rows), 1, 1, 1);
  ls_tiling_set (tiling, rows, cols, tile_rows, cols);
  return TRUE;
}

LS_CL_JOINS (softmax_grad)
{
  return other->in[0] == op->out[0] && other->in[1] == op->in[1];
}

/* Where one group has all rows. */
LS_CL_JOINS (mean)
{
  return other->in[0] == op->out[1]
         && packed_rows (&plan->tensors[op->out[0]]) == plan->tensors[op->out[0]].shape[0];
}

/* ---- sums over all but the channel ---- */

typedef struct {
  gint64 batch, channels, plane;
} SumShape;

static SumShape
sum_shape (const LsOp *op, const LsPlan *plan)
{
  const LsTensor *in = &plan->tensors[op->in[0]];

  if (op->klass == &ls_op_mean)
    return (SumShape){ 1, 1, ls_tensor_count (in) };
  return (SumShape){ in->shape[0], in->shape[1], ls_tensor_inner (in) / in->shape[1] };
}

LS_CL_SHAPE (sum)
{
  SumShape s = sum_shape (op, plan);

  shape[0] = (int) s.batch;
  shape[1] = (int) s.channels;
  shape[2] = (int) s.plane;
  return 3;
}

LS_CL_RANGE (sum_naive)
{
  SumShape s = sum_shape (op, plan);

  ls_cl_range_set (range, ls_cl_ceil_div (s.channels, SUM_ITEMS), 1, 1, SUM_ITEMS, 1);
  ls_tiling_set (tiling, 1, s.channels, 1, SUM_ITEMS);
  return TRUE;
}

LS_CL_RANGE (sum_tiled)
{
  SumShape s = sum_shape (op, plan);

  ls_cl_range_set (range, s.channels, 1, 1, SUM_GROUP, 1);
  ls_tiling_set (tiling, 1, s.channels, 1, 1);
  return TRUE;
}

LS_CL_RANGE (sum_packed)
{
  SumShape s = sum_shape (op, plan);
  const gint64 tile = s.plane == 1 ? values[LS_CL_PACKED_VEC] : 1;

  ls_cl_range_set (range, ls_cl_ceil_div (s.channels, tile), 1, 1, 1, 1);
  ls_tiling_set (tiling, 1, s.channels, 1, tile);
  return TRUE;
}

/* Of dW = dYᵀ·X, which reads the same dY, and whose rows, one per channel, lie side by side in it. */
LS_CL_JOINS (bias_grad)
{
  SumShape s = sum_shape (other, plan);

  return other->in[0] == op->in[0] && op->attr.ta && s.plane == 1;
}

LS_CL_FITS (items_64)
{
  return ls_cl_fits_group (limits, SUM_ITEMS, 1, 0);
}

LS_CL_FITS (items_128)
{
  return ls_cl_fits_group (limits, SUM_GROUP, 1, SUM_GROUP * sizeof (float));
}
