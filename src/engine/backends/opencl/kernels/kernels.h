/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows of the kernel table are made of: argument lists, ND-range rules and shapes, one group per
 * family of kernels_cl/.
 */
#pragma once

#include "backends/opencl/kernels/kernel.h"

G_BEGIN_DECLS

/* Positions in a row's params, so also in `values`. */
enum { LS_CL_TILED_TILE };
enum {
  LS_CL_REGISTER_TILE_M,
  LS_CL_REGISTER_TILE_N,
  LS_CL_REGISTER_TILE_K,
  LS_CL_REGISTER_ITEM_M,
  LS_CL_REGISTER_ITEM_N
};
enum { LS_CL_PACKED_VEC, LS_CL_PACKED_ROWS };
#define LS_CL_PACKED_BLOCK 8 /* rows that a packed work-item works on at a time */

#define LS_CL_RANGE(name)                                                                                    \
  gboolean ls_cl_range_##name (const LsOp *op, const LsPlan *plan, const int *values,                        \
                               const LsClLimits *limits, LsClRange *range, LsTiling *tiling)
#define LS_CL_SHAPE(name)                                                                                    \
  guint ls_cl_shape_##name (const LsOp *op, const LsPlan *plan, const int *values, int shape[LS_CL_MAX_SHAPE])
#define LS_CL_FITS(name)                                                                                     \
  gboolean ls_cl_fits_##name (const LsOp *op, const LsPlan *plan, const int *values, const LsClLimits *limits)
/* `other` is of the kind that `op` can do beside its own. */
#define LS_CL_JOINS(name) gboolean ls_cl_joins_##name (const LsOp *op, const LsOp *other, const LsPlan *plan)

/* kernels_gemm.c: the rungs of matmul; all but the packed one also of the convolutions */
extern const LsClArg ls_cl_args_gemm[], ls_cl_args_gemm_conv[], ls_cl_args_gemm_packed[];
/* Products of the first group, of so many that share a tile's sum. */
gint64 ls_cl_first_products (const LsOp *op, const LsPlan *plan, gint64 splits);
LS_CL_RANGE (gemm_naive);
LS_CL_RANGE (gemm_tiled);
LS_CL_RANGE (gemm_register);
LS_CL_RANGE (gemm_reduce);
LS_CL_RANGE (gemm_register_reduce);
LS_CL_RANGE (gemm_packed);
LS_CL_SHAPE (matmul);
LS_CL_SHAPE (matmul_register);
LS_CL_SHAPE (conv);
LS_CL_FITS (gemm_naive);
LS_CL_FITS (gemm_tiled);
LS_CL_FITS (gemm_register);
LS_CL_FITS (gemm_packed);

/* kernels_conv.c: the packed convolutions */
extern const LsClArg ls_cl_args_conv_frame[], ls_cl_args_conv_packed[];
extern const LsClArg ls_cl_args_conv_dw_frame[], ls_cl_args_conv_dw[], ls_cl_args_conv_dw_reduce[];
LS_CL_RANGE (conv_frame);
LS_CL_RANGE (conv_packed);
LS_CL_RANGE (conv_dw);
LS_CL_RANGE (conv_dw_reduce);
LS_CL_RANGE (conv_frame_channels);
LS_CL_RANGE (conv_channels_dw);
LS_CL_RANGE (conv_channels_dw_reduce);
LS_CL_SHAPE (conv_packed);
LS_CL_SHAPE (conv_channels);
LS_CL_FITS (conv_packed);
LS_CL_FITS (conv_channels);
/* The tile of dW that a work-item of one of conv2d_dw's packed rows makes. */
void ls_cl_conv_dw_tile (const LsClKernel *row, const int *values, guint *rows, guint *cols);

/* kernels_elementwise.c: everything that goes over the elements once */
extern const LsClArg ls_cl_args_map1[], ls_cl_args_map2[], ls_cl_args_map1_packed[], ls_cl_args_map2_packed[];
extern const LsClArg ls_cl_args_sgd[], ls_cl_args_sgd_packed[], ls_cl_args_adam[], ls_cl_args_adam_packed[];
extern const LsClArg ls_cl_args_dropout[], ls_cl_args_dropout_packed[];
extern const LsClArg ls_cl_args_sgd_copy[], ls_cl_args_adam_copy[], ls_cl_args_sgd_copy_packed[],
  ls_cl_args_adam_copy_packed[];
extern const LsClArg ls_cl_args_bias[], ls_cl_args_gather[], ls_cl_args_gather_packed[];
LS_CL_RANGE (elements);
LS_CL_RANGE (elements_packed);
LS_CL_RANGE (gather);
LS_CL_RANGE (gather_packed);
LS_CL_SHAPE (elements);
LS_CL_SHAPE (dropout);
LS_CL_SHAPE (bias);
LS_CL_SHAPE (gather);
LS_CL_SHAPE (gather_packed);
LS_CL_FITS (items_256);

/* kernels_layers.c: pooling, the loss, sums over channels */
extern const LsClArg ls_cl_args_pool[], ls_cl_args_pool_grad[], ls_cl_args_avgpool[],
  ls_cl_args_avgpool_grad[];
extern const LsClArg ls_cl_args_softmax[], ls_cl_args_softmax_grad[], ls_cl_args_softmax_grad_scaled[],
  ls_cl_args_softmax_packed[], ls_cl_args_softmax_grad_packed[];
extern const LsClArg ls_cl_args_sum[];
LS_CL_RANGE (planes);
LS_CL_RANGE (rows);
LS_CL_RANGE (rows_packed);
LS_CL_RANGE (sum_naive);
LS_CL_RANGE (sum_tiled);
LS_CL_RANGE (sum_packed);
LS_CL_SHAPE (pool);
LS_CL_SHAPE (rows);
LS_CL_SHAPE (rows_packed);
LS_CL_SHAPE (sum);
LS_CL_JOINS (bias_grad);
LS_CL_JOINS (mean);
LS_CL_JOINS (softmax_grad);
LS_CL_FITS (items_64);
LS_CL_FITS (items_128);

/* kernels_sequence.c: steps and cells */
extern const LsClArg ls_cl_args_sequence[], ls_cl_args_sequence_packed[], ls_cl_args_lstm[],
  ls_cl_args_lstm_packed[], ls_cl_args_lstm_grad[], ls_cl_args_lstm_grad_packed[], ls_cl_args_bias_packed[];
LS_CL_RANGE (lstm);
LS_CL_RANGE (whole_rows);
LS_CL_SHAPE (sequence);
LS_CL_SHAPE (sequence_packed);
LS_CL_SHAPE (bias_packed);
LS_CL_FITS (bias_packed);
LS_CL_SHAPE (lstm);

/* kernels_layernorm.c */
extern const LsClArg ls_cl_args_layernorm[], ls_cl_args_layernorm_packed[], ls_cl_args_layernorm_grad[],
  ls_cl_args_layernorm_grad_packed[], ls_cl_args_layernorm_dw[];
LS_CL_RANGE (layernorm);
LS_CL_RANGE (layernorm_packed);
LS_CL_RANGE (layernorm_dw);
LS_CL_RANGE (layernorm_dw_packed);
LS_CL_SHAPE (layernorm);

/* Shared: sets a range of as many groups and items per group, in dimensions 0, 1, 2; no scratch. */
void ls_cl_range_set (LsClRange *range, gint64 groups0, gint64 groups1, gint64 groups2, guint local0,
                      guint local1);
/* The group's items, and bytes of local memory, are within the device's limits. */
gboolean ls_cl_fits_group (const LsClLimits *limits, guint local0, guint local1, gsize local_bytes);
gint64 ls_cl_ceil_div (gint64 a, gint64 b);

G_END_DECLS
