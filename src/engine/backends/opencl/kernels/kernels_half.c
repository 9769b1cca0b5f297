/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of kernels for tensors that are stored in 16 bits, beside kernels.c's: the products are its rungs
 * with operands that are converted as they are loaded; what goes once over all elements has one row each.
 */
#include "backends/opencl/kernels/kernels.h"

/* It splits long sums, for GPUs; processors are few. */
static LS_CL_FITS (gemm_register_on_gpu)
{
  return !limits->is_cpu && ls_cl_fits_gemm_register (op, plan, values, limits);
}

/* Alone the loss's gradient is scaled: what is made from it is, too. */
static LS_CL_FITS (scaled)
{
  return plan->precision == LS_PRECISION_FP16 && ls_cl_fits_items_256 (op, plan, values, limits);
}

/* A column is a channel. */
static LS_CL_FITS (matrix)
{
  return plan->tensors[op->in[0]].rank == 2;
}

/* clang-format off */
#define PASS(function_, args_, range_) \
  { .function = function_, .args = ls_cl_args_##args_, .range = ls_cl_range_##range_ }
#define TILES(function_, args_, range_) \
  { .function = function_, .args = ls_cl_args_##args_, .range = ls_cl_range_##range_, .tiles = TRUE }

#define PARAM_VEC { "VEC", 4, { 4, 8, 16 } }

#define GEMM_SOURCES(file_) \
  { "probe.clh", "walk.clh", "functions.clh", "epilogue.clh", "half.clh", "operand_matmul_half.clh", \
    "gemm.clh", file_ }

#define ELEMENTWISE(op_, defines_, args_, shape_) {                                               \
  .op = op_, .rung = "naive", .title = "16 bits, one element per work-item",                      \
  .sources = { "probe.clh", "functions.clh", "epilogue.clh", "half.clh", "elementwise_half.cl" }, \
  .defines = defines_,                                                                            \
  .passes = { TILES ("elementwise_half", args_, elements) },                                      \
  .shape = ls_cl_shape_##shape_, .fits = ls_cl_fits_items_256 }

#define CONV_SOURCES(file_) \
  { "probe.clh", "walk.clh", "functions.clh", "epilogue.clh", "half.clh", "operand_conv2d_half.clh", \
    "gemm.clh", file_ }

/* The rungs of a convolution, or of a gradient of one. */
#define CONV(op_, defines_, epilogue_)                                                                \
  { .op = op_, .rung = "naive", .title = "16 bits, naive, one output per work-item",                  \
    .sources = CONV_SOURCES ("gemm_naive.cl"), .defines = defines_,                                   \
    .passes = { TILES ("gemm_naive", gemm_conv, gemm_naive), PASS ("gemm_reduce", gemm_conv, gemm_reduce) }, \
    .shape = ls_cl_shape_conv, .fits = ls_cl_fits_gemm_naive, .epilogue = epilogue_ },                \
  { .op = op_, .rung = "tiled", .title = "16 bits, 16×16 tiled in local memory",                      \
    .sources = CONV_SOURCES ("gemm_tiled.cl"), .defines = defines_,                                   \
    .params = { [LS_CL_TILED_TILE] = { "TILE", 16, { 8, 16, 32 } } },                                 \
    .passes = { TILES ("gemm_tiled", gemm_conv, gemm_tiled), PASS ("gemm_reduce", gemm_conv, gemm_reduce) }, \
    .shape = ls_cl_shape_conv, .fits = ls_cl_fits_gemm_tiled, .epilogue = epilogue_ }

/* An ELEMENT that header has for both widths. */
#define ELEMENT_SOURCES(header_) \
  { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "half.clh", "half_typed.clh", \
    header_, "elements_half.cl" }
#define ELEMENTS_NAIVE(op_, header_, defines_, args_)                                               \
  { .op = op_, .rung = "naive", .title = "16 bits, one element per work-item",                      \
    .sources = ELEMENT_SOURCES (header_), .defines = defines_,                                      \
    .passes = { TILES ("elements_half_naive", args_, elements) },                                   \
    .shape = ls_cl_shape_elements, .fits = ls_cl_fits_items_256 }
#define ELEMENTS_PACKED(op_, header_, defines_, args_)                                              \
  { .op = op_, .rung = "packed", .title = "16 bits, vectors, about 4096 elements per work-item",    \
    .sources = ELEMENT_SOURCES (header_), .defines = defines_,                                      \
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                                                   \
    .passes = { TILES ("elements_half_packed", args_##_packed, elements_packed) },                  \
    .shape = ls_cl_shape_elements }

#define LAYERNORM(op_, title_, range_)                                                              \
  { .op = #op_, .rung = "naive", .title = title_,                                                   \
    .sources = { "probe.clh", "vector.clh", "layernorm.cl", "half.clh", "layernorm_half.cl" },      \
    .passes = { TILES (#op_ "_half_naive", op_, range_) },                                          \
    .shape = ls_cl_shape_layernorm, .fits = ls_cl_fits_items_64 }
#define LAYERNORM_ROWS(op_)                                                                         \
  LAYERNORM (op_, "16 bits, a row for each 16 of 64 work-items", layernorm),                        \
  { .op = #op_, .rung = "packed", .title = "16 bits, 16 sums side by side, about 4096 elements per work-item", \
    .sources = { "probe.clh", "vector.clh", "layernorm.cl", "half.clh", "layernorm_half.cl" },      \
    .passes = { TILES (#op_ "_half_packed", op_##_packed, layernorm_packed) },                      \
    .shape = ls_cl_shape_layernorm }

/* The text of the 32 bits' rungs: they move what lies there. */
#define SEQUENCE(op_, defines_)                                                                     \
  { .op = op_, .rung = "naive", .title = "16 bits, one element per work-item",                      \
    .sources = { "probe.clh", "sequence_half.clh", "sequence.cl" }, .defines = defines_,            \
    .passes = { TILES ("sequence_naive", sequence, elements) },                                     \
    .shape = ls_cl_shape_sequence, .fits = ls_cl_fits_items_256 },                                  \
  { .op = op_, .rung = "packed", .title = "16 bits, vectors, about 4096 elements per work-item",    \
    .sources = { "probe.clh", "sequence_half.clh", "sequence.cl" }, .defines = defines_,            \
    .passes = { TILES ("sequence_packed", sequence_packed, whole_rows) },                           \
    .shape = ls_cl_shape_sequence_packed }

#define LSTM_SOURCES \
  { "probe.clh", "vector.clh", "functions.clh", "lstm.cl", "half.clh", "half_typed.clh", "lstm_half.cl" }
#define LSTM(op_)                                                                                   \
  { .op = #op_, .rung = "naive", .title = "16 bits, one sample per group of 64 work-items",         \
    .sources = LSTM_SOURCES, .passes = { TILES (#op_ "_half_naive", op_, lstm) },                   \
    .shape = ls_cl_shape_lstm, .fits = ls_cl_fits_items_64 },                                       \
  { .op = #op_, .rung = "packed", .title = "16 bits, vectors, about 4096 elements per work-item",   \
    .sources = LSTM_SOURCES, .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                          \
    .passes = { TILES (#op_ "_half_packed", op_##_packed, whole_rows) },                            \
    .shape = ls_cl_shape_lstm }

static const LsClKernel kernels[] = {
  { .op = "gather", .rung = "naive", .title = "16 bits, one element per work-item",
    .sources = { "probe.clh", "half.clh", "gather_half.cl" },
    .passes = { TILES ("gather_half", gather, gather) }, .shape = ls_cl_shape_gather,
    .fits = ls_cl_fits_items_256 },

  { .op = "matmul", .rung = "naive", .title = "16 bits, naive, one output per work-item",
    .sources = GEMM_SOURCES ("gemm_naive.cl"),
    .passes = { TILES ("gemm_naive", gemm, gemm_naive), PASS ("gemm_reduce", gemm, gemm_reduce) },
    .shape = ls_cl_shape_matmul, .fits = ls_cl_fits_gemm_naive, .epilogue = TRUE },
  { .op = "matmul", .rung = "tiled", .title = "16 bits, 16×16 tiled in local memory",
    .sources = GEMM_SOURCES ("gemm_tiled.cl"),
    .params = { [LS_CL_TILED_TILE] = { "TILE", 16, { 8, 16, 32 } } },
    .passes = { TILES ("gemm_tiled", gemm, gemm_tiled), PASS ("gemm_reduce", gemm, gemm_reduce) },
    .shape = ls_cl_shape_matmul, .fits = ls_cl_fits_gemm_tiled, .epilogue = TRUE },
  { .op = "matmul", .rung = "register", .title = "16 bits, register-blocked, 4×4 outputs per work-item",
    .sources = GEMM_SOURCES ("gemm_register.cl"),
    .params = { [LS_CL_REGISTER_TILE_M] = { "TILE_M", 64, { 16, 32, 64, 128 } },
                [LS_CL_REGISTER_TILE_N] = { "TILE_N", 64, { 16, 32, 64, 128 } },
                [LS_CL_REGISTER_TILE_K] = { "TILE_K", 16, { 8, 16, 32 } },
                [LS_CL_REGISTER_ITEM_M] = { "ITEM_M", 4, { 2, 4, 8 } },
                [LS_CL_REGISTER_ITEM_N] = { "ITEM_N", 4, { 2, 4, 8 } } },
    .passes = { TILES ("gemm_register", gemm, gemm_register), PASS ("gemm_reduce", gemm, gemm_register_reduce) },
    .shape = ls_cl_shape_matmul_register, .fits = ls_cl_fits_gemm_register_on_gpu, .epilogue = TRUE },
  { .op = "matmul", .rung = "packed", .title = "16 bits, vectors over a panel of floats in local memory",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "half.clh",
                 "operand_matmul_half.clh", "gemm_packed_half.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC,
                [LS_CL_PACKED_ROWS] = { "GROUP_ROWS", 8, { 32, 64, 128 } } },
    .passes = { { .function = "gemm_packed_half", .args = ls_cl_args_gemm_packed, .range = ls_cl_range_gemm_packed,
                  .tiles = TRUE, .rows_first = TRUE } },
    .shape = ls_cl_shape_matmul, .fits = ls_cl_fits_gemm_packed, .epilogue = TRUE },

  CONV ("conv2d", "-D CONV_Y=1", TRUE),
  CONV ("conv2d_dx", "-D CONV_DX=1", TRUE),
  CONV ("conv2d_dw", "-D CONV_DW=1", FALSE),
  { .op = "maxpool2d", .rung = "naive", .title = "16 bits, one window per work-item",
    .sources = { "probe.clh", "functions.clh", "epilogue.clh", "half.clh", "maxpool2d_half.cl" },
    .passes = { TILES ("maxpool2d_half", pool, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256 },
  { .op = "maxpool2d_grad", .rung = "naive", .title = "16 bits, one element per work-item",
    .sources = { "probe.clh", "functions.clh", "epilogue.clh", "half.clh", "maxpool2d_half.cl" },
    .passes = { TILES ("maxpool2d_grad_half", pool_grad, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256, .epilogue = TRUE },
  { .op = "avgpool2d", .rung = "naive", .title = "16 bits, one window per work-item",
    .sources = { "probe.clh", "functions.clh", "epilogue.clh", "half.clh", "avgpool2d_half.cl" },
    .passes = { TILES ("avgpool2d_half", avgpool, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256 },
  { .op = "avgpool2d_grad", .rung = "naive", .title = "16 bits, one element per work-item",
    .sources = { "probe.clh", "functions.clh", "epilogue.clh", "half.clh", "avgpool2d_half.cl" },
    .passes = { TILES ("avgpool2d_grad_half", avgpool_grad, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256, .epilogue = TRUE },

  ELEMENTWISE ("bias", "-D OP_BIAS=1", bias, bias),
  { .op = "bias_grad", .rung = "tiled", .title = "16 bits, one channel per group, added up in local memory",
    .sources = { "probe.clh", "vector.clh", "half.clh", "sum.cl" },
    .passes = { TILES ("sum_tiled", sum, sum_tiled) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_items_128 },
  { .op = "bias_grad", .rung = "packed", .title = "16 bits, vectors, a few columns per work-item",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "half.clh", "half_typed.clh", "sum.cl",
                 "sum_columns_half.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("sum_columns_half", sum, sum_packed) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_matrix },
  ELEMENTWISE ("add", "-D OP_ADD=1", map2, elements),
  ELEMENTS_PACKED ("add", "add.clh", "-D IN1=ushort", map2),
  ELEMENTWISE ("relu", "-D OP_RELU=1", map1, elements),
  ELEMENTS_PACKED ("relu", "elementwise.clh", "-D OP_RELU=1", map1),
  ELEMENTWISE ("relu_grad", "-D OP_RELU_GRAD=1", map2, elements),
  ELEMENTS_PACKED ("relu_grad", "elementwise.clh", "-D OP_RELU_GRAD=1 -D IN1=ushort", map2),
  ELEMENTWISE ("tanh", "-D OP_TANH=1", map1, elements),
  ELEMENTS_PACKED ("tanh", "elementwise.clh", "-D OP_TANH=1", map1),
  ELEMENTWISE ("tanh_grad", "-D OP_TANH_GRAD=1", map2, elements),
  ELEMENTS_PACKED ("tanh_grad", "elementwise.clh", "-D OP_TANH_GRAD=1 -D IN1=ushort", map2),
  ELEMENTWISE ("sigmoid", "-D OP_SIGMOID=1", map1, elements),
  ELEMENTS_PACKED ("sigmoid", "elementwise.clh", "-D OP_SIGMOID=1", map1),
  ELEMENTWISE ("sigmoid_grad", "-D OP_SIGMOID_GRAD=1", map2, elements),
  ELEMENTS_PACKED ("sigmoid_grad", "elementwise.clh", "-D OP_SIGMOID_GRAD=1 -D IN1=ushort", map2),

  ELEMENTS_NAIVE ("gelu", "gelu.clh", NULL, map1),
  ELEMENTS_PACKED ("gelu", "gelu.clh", NULL, map1),
  ELEMENTS_NAIVE ("gelu_grad", "gelu.clh", "-D OP_GELU_GRAD=1 -D IN1=ushort", map2),
  ELEMENTS_PACKED ("gelu_grad", "gelu.clh", "-D OP_GELU_GRAD=1 -D IN1=ushort", map2),
  { .op = "dropout", .rung = "naive", .title = "16 bits, one element per work-item",
    .sources = { "probe.clh", "vector.clh", "dropout.cl", "half.clh", "dropout_half.cl" },
    .passes = { TILES ("dropout_half_naive", dropout, elements) },
    .shape = ls_cl_shape_dropout, .fits = ls_cl_fits_items_256 },
  { .op = "dropout", .rung = "packed", .title = "16 bits, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "dropout.cl", "half.clh", "dropout_half.cl" },
    .passes = { TILES ("dropout_half_packed", dropout_packed, elements_packed) },
    .shape = ls_cl_shape_dropout },
  ELEMENTS_NAIVE ("dropout_grad", "product.clh", "-D IN1=float", map2),
  ELEMENTS_PACKED ("dropout_grad", "product.clh", "-D IN1=float", map2),
  LAYERNORM_ROWS (layernorm),
  LAYERNORM_ROWS (layernorm_grad),
  LAYERNORM (layernorm_dw, "16 bits, one column per work-item", layernorm_dw),

  SEQUENCE ("sequence", NULL),
  SEQUENCE ("planes", "-D BACK=1"),
  LSTM (lstm),
  LSTM (lstm_grad),

  { .op = "softmax_xent", .rung = "naive", .title = "16 bits, one sample per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl", "half.clh", "softmax_half.cl" },
    .passes = { TILES ("softmax_xent_half", softmax, rows) },
    .shape = ls_cl_shape_rows, .fits = ls_cl_fits_items_64 },
  { .op = "softmax_xent_grad", .rung = "naive", .title = "16 bits, scaled, one element per work-item",
    .sources = { "probe.clh", "half.clh", "softmax_scaled.cl" },
    .passes = { TILES ("softmax_xent_grad_scaled", softmax_grad_scaled, elements) },
    .shape = ls_cl_shape_rows, .fits = ls_cl_fits_scaled },
  { .op = "softmax_xent_grad", .rung = "naive", .title = "16 bits, one element per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl", "half.clh", "softmax_half.cl" },
    .passes = { TILES ("softmax_xent_grad_half", softmax_grad, elements) },
    .shape = ls_cl_shape_rows, .fits = ls_cl_fits_items_256 },
  ELEMENTWISE ("sgd", "-D OP_SGD=1", sgd_copy, elements),
  ELEMENTS_PACKED ("sgd", "update.clh", "-D OP_SGD=1 -D IS_UPDATE=1", sgd_copy),
  ELEMENTWISE ("adam", "-D OP_ADAM=1", adam_copy, elements),
  ELEMENTS_PACKED ("adam", "update.clh", "-D OP_ADAM=1 -D IS_UPDATE=1", adam_copy),
};
/* clang-format on */

const LsClKernel *
ls_cl_half_kernels (guint *n)
{
  *n = G_N_ELEMENTS (kernels);
  return kernels;
}

gboolean
ls_cl_op_is_half (const LsOp *op, const LsPlan *plan)
{
  for (guint j = 0; j < op->n_in; j++)
    if (ls_dtype_is_half (plan->tensors[op->in[j]].dtype) || ls_op_reads_copy (op, &plan->tensors[op->in[j]]))
      return TRUE;
  return ls_dtype_is_half (plan->tensors[op->out[0]].dtype)
         || ls_tensor_has_copy (&plan->tensors[op->out[0]]);
}
