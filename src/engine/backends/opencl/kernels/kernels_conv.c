/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ND-ranges and arguments of the packed convolutions: kernels_cl/conv_frame.cl, conv_packed.cl,
 * conv_packed_dw.cl, conv_channels_dw.cl, conv_dw_reduce.cl.
 */
#include "backends/opencl/kernels/kernels.h"
#include "model/ladder.h"

#define CONV_ROWS          8 /* channels per work-item: conv_packed.cl */
#define CONV_DW_COLS       9 /* conv_packed_dw.cl: TILE_COLS; its rows are a vector */
#define CHANNELS_ROWS      2 /* conv_channels_dw.cl: TILE_ROWS */
#define CHANNELS_WINDOW    3 /* WINDOW */
#define CHANNELS_COLS(vec) (CHANNELS_WINDOW * CHANNELS_WINDOW * (vec))
#define USUAL_VEC          8 /* of values, where no device has been asked */

#define SHAPE_5 LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE, LS_CL_ARG_SHAPE
#define SHAPE   SHAPE_5, SHAPE_5, SHAPE_5

const LsClArg ls_cl_args_conv_frame[] = { LS_CL_ARG_IN0, LS_CL_ARG_SCRATCH0, SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_conv_packed[] = { LS_CL_ARG_SCRATCH0, LS_CL_ARG_IN1, LS_CL_ARG_OUT0,
                                           LS_CL_ARG_EPILOGUE, SHAPE,         LS_CL_ARG_END };
const LsClArg ls_cl_args_conv_dw_frame[] = { LS_CL_ARG_IN1, LS_CL_ARG_SCRATCH0, SHAPE, LS_CL_ARG_END };
const LsClArg ls_cl_args_conv_dw[] = { LS_CL_ARG_IN0, LS_CL_ARG_SCRATCH0, LS_CL_ARG_OUT0, LS_CL_ARG_SCRATCH1,
                                       SHAPE,         LS_CL_ARG_END };
const LsClArg ls_cl_args_conv_dw_reduce[] = { LS_CL_ARG_SCRATCH1, LS_CL_ARG_OUT0, SHAPE, LS_CL_ARG_END };

/* What conv_frame.cl calls by the same names. */
typedef struct {
  gint64 m, channels, image_rows, image_cols, rows, cols, all_rows;
  gint64 window, stride, dilation, offset, frame_rows, pitch, tile_rows, splits;
  gint64 batch;
} ConvShape;

/* Rows of windows per work-item: whole rows, about eight vectors of results, more where the sum is short. */
static gint64
tile_rows_for (const ConvShape *s, int vec)
{
  gint64 products = s->channels * s->window * s->window;
  gint64 vectors = products < 64 ? 16 : 8;
  return CLAMP (vectors / ls_cl_ceil_div (s->cols, vec), 1, s->all_rows);
}

static void
conv_shape (const LsOp *op, const LsPlan *plan, int vec, ConvShape *s)
{
  const LsOpAttr *a = &op->attr;
  const gboolean dx = op->klass == &ls_op_conv2d_dx, dw = op->klass == &ls_op_conv2d_dw;
  const gint64 *image = plan->tensors[op->in[dw ? 1 : 0]].shape;
  const gint64 *grid = plan->tensors[dw ? op->in[0] : op->out[0]].shape;

  s->m = a->m;
  s->batch = image[0];
  s->channels = image[1];
  s->image_rows = image[2];
  s->image_cols = image[3];
  s->rows = grid[2];
  s->cols = grid[3];
  s->all_rows = grid[0] * grid[2];
  s->window = a->kernel;
  s->stride = dx ? 1 : a->stride;
  s->dilation = dx ? a->stride : 1;
  s->offset = dx ? a->kernel - 1 - a->pad : a->pad;
  s->frame_rows = (s->rows - 1) * s->stride + s->window;
  s->pitch = ls_cl_ceil_div (s->cols, vec) * vec + (s->window - 1) / s->stride;
  s->tile_rows = tile_rows_for (s, vec);
  s->splits = 1;
  if (dw)
    {
      const LsGemm gemm = { a->m, a->n, a->k };
      s->splits = ls_conv_dw_cut (&gemm, s->batch).parts;
    }
}

/* What conv_channels_dw.cl calls by the same names. */
static void
channels_shape (const LsOp *op, const LsPlan *plan, int vec, ConvShape *s)
{
  conv_shape (op, plan, vec, s);
  s->pitch = s->cols + s->window - 1;
}

static gsize
frame_floats (const ConvShape *s)
{
  return (gsize) (s->batch * s->channels * s->frame_rows * s->stride * s->pitch);
}

static guint
shape_arguments (const ConvShape *s, int shape[LS_CL_MAX_SHAPE])
{
  const gint64 list[] = { s->m,      s->channels,   s->image_rows, s->image_cols, s->rows,
                          s->cols,   s->all_rows,   s->window,     s->stride,     s->dilation,
                          s->offset, s->frame_rows, s->pitch,      s->tile_rows,  s->splits };
  G_STATIC_ASSERT (G_N_ELEMENTS (list) <= LS_CL_MAX_SHAPE);
  for (guint i = 0; i < G_N_ELEMENTS (list); i++)
    shape[i] = (int) list[i];
  return G_N_ELEMENTS (list);
}

LS_CL_SHAPE (conv_packed)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  return shape_arguments (&s, shape);
}

LS_CL_SHAPE (conv_channels)
{
  ConvShape s;
  channels_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  return shape_arguments (&s, shape);
}

LS_CL_RANGE (conv_frame)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  ls_cl_range_set (range, s.batch * s.channels, 1, 1, 1, 1);
  range->scratch_floats[0] = frame_floats (&s);
  return TRUE;
}

LS_CL_RANGE (conv_packed)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  ls_cl_range_set (range, ls_cl_ceil_div (s.m, CONV_ROWS), ls_cl_ceil_div (s.all_rows, s.tile_rows), 1, 1, 1);
  range->scratch_floats[0] = frame_floats (&s);
  ls_tiling_set (tiling, op->attr.m, op->attr.n, CONV_ROWS, s.tile_rows * s.cols);
  return TRUE;
}

/* Of conv2d_dw's tiles, which are work-items. */
static void
dw_range (const LsOp *op, const ConvShape *s, gint64 rows, gint64 cols, LsClRange *range, LsTiling *tiling)
{
  ls_cl_range_set (range, ls_cl_ceil_div (op->attr.m, rows), ls_cl_ceil_div (op->attr.n, cols), s->splits, 1,
                   1);
  range->scratch_floats[0] = frame_floats (s);
  range->scratch_floats[1] = s->splits > 1 ? (gsize) (s->splits * op->attr.m * op->attr.n) : 0;
  tiling->splits = (guint) s->splits;
  ls_tiling_set (tiling, op->attr.m, op->attr.n, rows, cols);
}

static gboolean
dw_reduce_range (const LsOp *op, const ConvShape *s, LsClRange *range)
{
  ls_cl_range_set (range, ls_cl_ceil_div (op->attr.m * op->attr.n, 64), 1, 1, 64, 1);
  range->scratch_floats[1] = (gsize) (s->splits * op->attr.m * op->attr.n);
  return s->splits > 1;
}

LS_CL_RANGE (conv_dw)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  dw_range (op, &s, values[LS_CL_PACKED_VEC], CONV_DW_COLS, range, tiling);
  return TRUE;
}

LS_CL_RANGE (conv_dw_reduce)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  return dw_reduce_range (op, &s, range);
}

LS_CL_RANGE (conv_frame_channels)
{
  ConvShape s;
  channels_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  ls_cl_range_set (range, s.batch, 1, 1, 1, 1);
  range->scratch_floats[0] = frame_floats (&s);
  return TRUE;
}

LS_CL_RANGE (conv_channels_dw)
{
  ConvShape s;
  channels_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  dw_range (op, &s, CHANNELS_ROWS, CHANNELS_COLS (values[LS_CL_PACKED_VEC]), range, tiling);
  return TRUE;
}

LS_CL_RANGE (conv_channels_dw_reduce)
{
  ConvShape s;
  channels_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  return dw_reduce_range (op, &s, range);
}

LS_CL_FITS (conv_packed)
{
  ConvShape s;
  conv_shape (op, plan, values[LS_CL_PACKED_VEC], &s);
  return frame_floats (&s) <= G_MAXINT32;
}

static gboolean
channels_fit (const LsOp *op, const LsPlan *plan, int vec)
{
  ConvShape s;
  channels_shape (op, plan, vec, &s);
  return s.window == CHANNELS_WINDOW && s.stride == 1 && s.channels % vec == 0
         && frame_floats (&s) <= G_MAXINT32;
}

/* With vectors of a quarter of the registers' width conv_packed_dw.cl is faster, whose vectors may be
 * whole. */
LS_CL_FITS (conv_channels)
{
  const int vec = values[LS_CL_PACKED_VEC];
  return channels_fit (op, plan, vec) && 2 * vec >= (int) limits->vector_width;
}

void
ls_cl_conv_scratch (const LsOp *op, const LsPlan *plan, gsize floats[2])
{
  ConvShape s;

  floats[0] = floats[1] = 0;
  if (op->klass != &ls_op_conv2d && op->klass != &ls_op_conv2d_dx && op->klass != &ls_op_conv2d_dw)
    return;
  if (plan->precision != LS_PRECISION_FP32) /* no packed kernels */
    {
      const LsGemm gemm = { op->attr.m, op->attr.n, op->attr.k };
      const gint64 images = plan->tensors[op->in[0]].shape[0];
      const gint64 splits = op->klass == &ls_op_conv2d_dw ? ls_conv_dw_cut (&gemm, images).groups : 1;
      floats[0] = splits > 1 ? (gsize) (splits * op->attr.m * op->attr.n) : 0;
      return;
    }
  if (op->klass == &ls_op_conv2d_dw && channels_fit (op, plan, USUAL_VEC))
    channels_shape (op, plan, USUAL_VEC, &s);
  else
    conv_shape (op, plan, USUAL_VEC, &s);
  floats[0] = frame_floats (&s);
  floats[1] = s.splits > 1 ? (gsize) (s.splits * op->attr.m * op->attr.n) : 0;
}

void
ls_cl_conv_dw_tile (const LsClKernel *row, const int *values, guint *rows, guint *cols)
{
  const gboolean channels = row->shape == ls_cl_shape_conv_channels;

  *rows = channels ? CHANNELS_ROWS : (guint) values[LS_CL_PACKED_VEC];
  *cols = channels ? (guint) CHANNELS_COLS (values[LS_CL_PACKED_VEC]) : CONV_DW_COLS;
}
