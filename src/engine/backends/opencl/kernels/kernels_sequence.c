/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of the ops of a sequence: kernels_cl/sequence.cl, lstm.cl; and of bias.cl's
 * vectors. All go over whole rows of the output.
 */
#include "backends/opencl/kernels/kernels.h"

#define ITEMS 64   /* of a naive group of lstm.cl */
#define CHUNK 4096 /* elements of a packed work-item, about */

#define SHAPE_3 LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE

const LsClArg ls_cl_args_sequence[] = { LS_CL_ARG_IN0, LS_CL_ARG_OUT0,  SHAPE_3,
                                        SHAPE_3,       LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_sequence_packed[] = { LS_CL_ARG_IN0,   LS_CL_ARG_OUT0,  SHAPE_3,      SHAPE_3,
                                               LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_lstm[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,   LS_CL_ARG_IN2,
                                    LS_CL_ARG_OUT0,  LS_CL_ARG_OUT1,  LS_CL_ARG_OUT2,
                                    LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_lstm_packed[] = { LS_CL_ARG_IN0,  LS_CL_ARG_IN1,  LS_CL_ARG_IN2, LS_CL_ARG_OUT0,
                                           LS_CL_ARG_OUT1, LS_CL_ARG_OUT2, SHAPE_3,       LS_CL_ARG_END };
const LsClArg ls_cl_args_lstm_grad[] = { LS_CL_ARG_IN0,   LS_CL_ARG_IN1,  LS_CL_ARG_IN2,  LS_CL_ARG_IN3,
                                         LS_CL_ARG_IN4,   LS_CL_ARG_OUT0, LS_CL_ARG_OUT1, LS_CL_ARG_SHAPE,
                                         LS_CL_ARG_SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_lstm_grad_packed[] = { LS_CL_ARG_IN0,  LS_CL_ARG_IN1, LS_CL_ARG_IN2,
                                                LS_CL_ARG_IN3,  LS_CL_ARG_IN4, LS_CL_ARG_OUT0,
                                                LS_CL_ARG_OUT1, SHAPE_3,       LS_CL_ARG_END };

const LsClArg ls_cl_args_bias_packed[] = { LS_CL_ARG_IN0, LS_CL_ARG_IN1,   LS_CL_ARG_OUT0,
                                           SHAPE_3,       LS_CL_ARG_SHAPE, LS_CL_ARG_END };

static const LsTensor *
output (const LsOp *op, const LsPlan *plan)
{
  return &plan->tensors[op->out[0]];
}

/* About a chunk of rows; of a step's cells, of their gates. */
static gint64
tile_rows (const LsOp *op, const LsPlan *plan)
{
  const LsTensor *out = output (op, plan);
  const gint64 cols = ls_tensor_inner (out) * (op->klass == &ls_op_lstm ? 4 : 1);

  return CLAMP (CHUNK / cols, 1, out->shape[0]);
}

/* The planes are the input of sequence, the output of planes. */
LS_CL_SHAPE (sequence)
{
  const LsTensor *out = output (op, plan);
  const gint64 *x = plan->tensors[op->klass == &ls_op_planes ? op->out[0] : op->in[0]].shape;
  const int list[] = { (int) out->shape[0], (int) ls_tensor_inner (out), (int) x[0], (int) x[1], (int) x[2],
                       (int) x[3],          op->attr.by_columns };

  memcpy (shape, list, sizeof list);
  return G_N_ELEMENTS (list);
}

LS_CL_SHAPE (sequence_packed)
{
  guint n = ls_cl_shape_sequence (op, plan, values, shape);

  shape[n++] = (int) tile_rows (op, plan);
  return n;
}

LS_CL_SHAPE (bias_packed)
{
  guint n = ls_cl_shape_bias (op, plan, values, shape);

  shape[n++] = (int) tile_rows (op, plan);
  return n;
}

/* Rows are not divided: a few long ones would leave units idle. */
LS_CL_FITS (bias_packed)
{
  const LsTensor *out = output (op, plan);

  return out->shape[0] >= (gint64) limits->units || ls_tensor_inner (out) <= CHUNK;
}

/* The first three arguments: samples, units, and how many samples a packed work-item takes. */
LS_CL_SHAPE (lstm)
{
  const LsTensor *cell = &plan->tensors[op->out[1]];

  shape[0] = (int) cell->shape[0];
  shape[1] = (int) cell->shape[1];
  shape[2] = (int) tile_rows (op, plan);
  return 3;
}

LS_CL_RANGE (lstm)
{
  const LsTensor *out = output (op, plan);

  ls_cl_range_set (range, 1, out->shape[0], 1, ITEMS, 1);
  ls_tiling_set (tiling, out->shape[0], out->shape[1], 1, out->shape[1]);
  return TRUE;
}

LS_CL_RANGE (whole_rows)
{
  const LsTensor *out = output (op, plan);
  const gint64 rows = out->shape[0], cols = ls_tensor_inner (out), each = tile_rows (op, plan);

  ls_cl_range_set (range, 1, ls_cl_ceil_div (rows, each), 1, 1, 1);
  ls_tiling_set (tiling, rows, cols, each, cols);
  return TRUE;
}
