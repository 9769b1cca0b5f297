/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of OpenCL kernels: every op's ladder, one row per rung; kernels_choose.c chooses a rung.
 *
 * A row names sources, macros, parameters and, per pass, a function with its ND-range rule and arguments; the
 * rules live in the files beside this one. An op without a row runs on the reference. Where a rung has two
 * rows, the first one that fits is taken.
 */
#include "backends/opencl/kernels/kernels.h"

/* clang-format off */
#define PASS(function_, args_, range_) \
  { .function = function_, .args = ls_cl_args_##args_, .range = ls_cl_range_##range_ }
#define TILES(function_, args_, range_) \
  { .function = function_, .args = ls_cl_args_##args_, .range = ls_cl_range_##range_, .tiles = TRUE }
/* Tiles with rows along dimension 0. */
#define ROW_TILES(function_, args_, range_)                                                          \
  { .function = function_, .args = ls_cl_args_##args_, .range = ls_cl_range_##range_, .tiles = TRUE, \
    .rows_first = TRUE }

#define PARAM_VEC { "VEC", 4, { 4, 8, 16 } }

/* The three rungs that all products share: operand is the header that tells the operands, shape the shapes'
 * function, args the arguments. */
#define GEMM_NAIVE(op_, operand_, shape_, args_, epilogue_) {                                                     \
  .op = op_, .rung = "naive", .title = "naive, one output per work-item",                                         \
  .sources = { "probe.clh", "walk.clh", "functions.clh", "epilogue.clh", operand_, "gemm.clh", "gemm_naive.cl" }, \
  .passes = { TILES ("gemm_naive", args_, gemm_naive), PASS ("gemm_reduce", args_, gemm_reduce) },                \
  .shape = ls_cl_shape_##shape_, .fits = ls_cl_fits_gemm_naive, .epilogue = epilogue_ }

#define GEMM_TILED(op_, operand_, shape_, args_, epilogue_) {                                                     \
  .op = op_, .rung = "tiled", .title = "16×16 tiled in local memory",                                             \
  .sources = { "probe.clh", "walk.clh", "functions.clh", "epilogue.clh", operand_, "gemm.clh", "gemm_tiled.cl" }, \
  .params = { [LS_CL_TILED_TILE] = { "TILE", 16, { 8, 16, 32 } } },                                               \
  .passes = { TILES ("gemm_tiled", args_, gemm_tiled), PASS ("gemm_reduce", args_, gemm_reduce) },                \
  .shape = ls_cl_shape_##shape_, .fits = ls_cl_fits_gemm_tiled, .epilogue = epilogue_ }

#define GEMM_REGISTER(op_, operand_, shape_, args_, epilogue_) {                               \
  .op = op_, .rung = "register", .title = "register-blocked, 4×4 outputs per work-item",       \
  .sources = { "probe.clh", "walk.clh", "functions.clh", "epilogue.clh", operand_, "gemm.clh", \
               "gemm_register.cl" },                                                           \
  .params = { [LS_CL_REGISTER_TILE_M] = { "TILE_M", 64, { 16, 32, 64, 128 } },                 \
              [LS_CL_REGISTER_TILE_N] = { "TILE_N", 64, { 16, 32, 64, 128 } },                 \
              [LS_CL_REGISTER_TILE_K] = { "TILE_K", 16, { 8, 16, 32 } },                       \
              [LS_CL_REGISTER_ITEM_M] = { "ITEM_M", 4, { 2, 4, 8 } },                          \
              [LS_CL_REGISTER_ITEM_N] = { "ITEM_N", 4, { 2, 4, 8 } } },                        \
  .passes = { TILES ("gemm_register", args_, gemm_register),                                   \
              PASS ("gemm_reduce", args_, gemm_register_reduce) },                             \
  .shape = ls_cl_shape_##shape_, .fits = ls_cl_fits_gemm_register, .epilogue = epilogue_ }

#define CONV_PACKED(op_, defines_) {                                                                        \
  .op = op_, .rung = "packed", .title = "vectors over framed images, 8 channels × 2 vectors per work-item", \
  .sources = { "probe.clh", "walk.clh", "vector.clh", "functions.clh", "epilogue.clh", "conv_frame.cl",     \
               "conv_packed.cl" },                                                                          \
  .defines = defines_,                                                                                      \
  .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                                                             \
  .passes = { PASS ("conv_frame", conv_frame, conv_frame),                                                  \
              ROW_TILES ("conv_packed", conv_packed, conv_packed) },                                        \
  .shape = ls_cl_shape_conv_packed, .fits = ls_cl_fits_conv_packed, .epilogue = TRUE }

/* Both rungs of an op of elementwise.cl; header defines ELEMENT, args the arguments before the shapes. */
#define ELEMENTWISE(op_, header_, defines_, args_)                                                        \
  { .op = op_, .rung = "naive", .title = "naive, one element per work-item",                              \
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", header_, "elementwise.cl" }, \
    .defines = defines_,                                                                                  \
    .passes = { TILES ("elementwise_naive", args_, elements) },                                           \
    .shape = ls_cl_shape_elements, .fits = ls_cl_fits_items_256 },                                        \
  { .op = op_, .rung = "packed", .title = "vectors, about 4096 elements per work-item",                   \
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", header_, "elementwise.cl" }, \
    .defines = defines_,                                                                                  \
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                                                         \
    .passes = { TILES ("elementwise_packed", args_##_packed, elements_packed) },                          \
    .shape = ls_cl_shape_elements }

/* Both rungs of sequence.cl's ops, and of lstm.cl's. */
#define SEQUENCE(op_, defines_)                                                                 \
  { .op = op_, .rung = "naive", .title = "naive, one element per work-item",                    \
    .sources = { "probe.clh", "vector.clh", "sequence.cl" }, .defines = defines_,               \
    .passes = { TILES ("sequence_naive", sequence, elements) },                                 \
    .shape = ls_cl_shape_sequence, .fits = ls_cl_fits_items_256 },                              \
  { .op = op_, .rung = "packed", .title = "vectors, about 4096 elements per work-item",         \
    .sources = { "probe.clh", "vector.clh", "sequence.cl" }, .defines = defines_,               \
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                                               \
    .passes = { TILES ("sequence_packed", sequence_packed, whole_rows) },                       \
    .shape = ls_cl_shape_sequence_packed }
#define LSTM(op_, args_)                                                                \
  { .op = op_, .rung = "naive", .title = "one sample per group of 64 work-items",       \
    .sources = { "probe.clh", "vector.clh", "functions.clh", "lstm.cl" },               \
    .passes = { TILES (op_ "_naive", args_, lstm) },                                    \
    .shape = ls_cl_shape_lstm, .fits = ls_cl_fits_items_64 },                           \
  { .op = op_, .rung = "packed", .title = "vectors, about 4096 elements per work-item", \
    .sources = { "probe.clh", "vector.clh", "functions.clh", "lstm.cl" },               \
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },                                       \
    .passes = { TILES (op_ "_packed", args_##_packed, whole_rows) },                    \
    .shape = ls_cl_shape_lstm }

/* Both rungs of layernorm.cl's ops over rows. */
#define LAYERNORM(op_, args_)                                                                   \
  { .op = op_, .rung = "naive", .title = "a row for each 16 of 64 work-items",                  \
    .sources = { "probe.clh", "vector.clh", "layernorm.cl" },                                   \
    .passes = { TILES (op_ "_naive", args_, layernorm) },                                       \
    .shape = ls_cl_shape_layernorm, .fits = ls_cl_fits_items_64 },                              \
  { .op = op_, .rung = "packed", .title = "16 sums side by side, about 4096 elements per work-item", \
    .sources = { "probe.clh", "vector.clh", "layernorm.cl" },                                   \
    .passes = { TILES (op_ "_packed", args_##_packed, layernorm_packed) },                      \
    .shape = ls_cl_shape_layernorm }

static const LsClKernel kernels[] = {
  { .op = "gather", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "gather.cl" },
    .passes = { TILES ("gather_naive", gather, gather) }, .shape = ls_cl_shape_gather,
    .fits = ls_cl_fits_items_256 },
  { .op = "gather", .rung = "packed", .title = "vectors, some samples per work-item",
    .sources = { "probe.clh", "vector.clh", "gather.cl" }, .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("gather_packed", gather_packed, gather_packed) }, .shape = ls_cl_shape_gather_packed },

  GEMM_NAIVE ("matmul", "operand_matmul.clh", matmul, gemm, TRUE),
  GEMM_TILED ("matmul", "operand_matmul.clh", matmul, gemm, TRUE),
  GEMM_REGISTER ("matmul", "operand_matmul.clh", matmul_register, gemm, TRUE),
  { .op = "matmul", .rung = "packed",
    .title = "vectors over a panel in local memory, 8 rows × 2 vectors at a time",
    .sources = { "probe.clh", "walk.clh", "vector.clh", "functions.clh", "epilogue.clh", "epilogue_update.clh",
                 "operand_matmul.clh", "gemm_packed.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC, [LS_CL_PACKED_ROWS] = { "GROUP_ROWS", 8, { 32, 64, 128 } } },
    .passes = { ROW_TILES ("gemm_packed", gemm_packed, gemm_packed) },
    .shape = ls_cl_shape_matmul, .fits = ls_cl_fits_gemm_packed, .epilogue = TRUE, .update = TRUE,
    .joins = TRUE, .one_row = TRUE },

  GEMM_NAIVE ("conv2d", "operand_conv2d.clh", conv, gemm_conv, TRUE),
  GEMM_TILED ("conv2d", "operand_conv2d.clh", conv, gemm_conv, TRUE),
  GEMM_REGISTER ("conv2d", "operand_conv2d.clh", conv, gemm_conv, TRUE),
  CONV_PACKED ("conv2d", NULL),

  GEMM_NAIVE ("conv2d_dx", "operand_conv2d_dx.clh", conv, gemm_conv, TRUE),
  GEMM_TILED ("conv2d_dx", "operand_conv2d_dx.clh", conv, gemm_conv, TRUE),
  GEMM_REGISTER ("conv2d_dx", "operand_conv2d_dx.clh", conv, gemm_conv, TRUE),
  CONV_PACKED ("conv2d_dx", "-D CONV_DX=1"),

  GEMM_NAIVE ("conv2d_dw", "operand_conv2d_dw.clh", conv, gemm_conv, FALSE),
  GEMM_TILED ("conv2d_dw", "operand_conv2d_dw.clh", conv, gemm_conv, FALSE),
  GEMM_REGISTER ("conv2d_dw", "operand_conv2d_dw.clh", conv, gemm_conv, FALSE),
  { .op = "conv2d_dw", .rung = "packed",
    .title = "vectors of channels over framed images, 2×9 vectors of dW per work-item",
    .sources = { "probe.clh", "walk.clh", "vector.clh", "conv_frame.cl", "conv_channels_dw.cl",
                 "conv_dw_reduce.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { PASS ("conv_frame_channels", conv_dw_frame, conv_frame_channels),
                ROW_TILES ("conv_channels_dw", conv_dw, conv_channels_dw),
                PASS ("conv_dw_reduce", conv_dw_reduce, conv_channels_dw_reduce) },
    .shape = ls_cl_shape_conv_channels, .fits = ls_cl_fits_conv_channels },
  { .op = "conv2d_dw", .rung = "packed",
    .title = "vectors of outputs over framed images, 9 vectors of dW per work-item",
    .sources = { "probe.clh", "walk.clh", "vector.clh", "conv_frame.cl", "conv_packed_dw.cl",
                 "conv_dw_reduce.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { PASS ("conv_frame", conv_dw_frame, conv_frame),
                ROW_TILES ("conv_packed_dw", conv_dw, conv_dw),
                PASS ("conv_dw_reduce", conv_dw_reduce, conv_dw_reduce) },
    .shape = ls_cl_shape_conv_packed, .fits = ls_cl_fits_conv_packed },

  { .op = "bias", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "bias.cl" },
    .passes = { TILES ("bias_naive", bias, elements) }, .shape = ls_cl_shape_bias,
    .fits = ls_cl_fits_items_256 },
  { .op = "bias", .rung = "packed", .title = "vectors, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "bias.cl" }, .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("bias_packed", bias_packed, whole_rows) }, .shape = ls_cl_shape_bias_packed,
    .fits = ls_cl_fits_bias_packed },
  { .op = "bias_grad", .rung = "naive", .title = "one channel per work-item",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "sum.cl" },
    .passes = { TILES ("sum_naive", sum, sum_naive) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_items_64 },
  { .op = "bias_grad", .rung = "tiled", .title = "one channel per group, added up in local memory",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "sum.cl" },
    .passes = { TILES ("sum_tiled", sum, sum_tiled) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_items_128 },
  { .op = "bias_grad", .rung = "packed", .title = "vectors, one channel per work-item",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "sum.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("sum_packed", sum, sum_packed) },
    .shape = ls_cl_shape_sum, .update = TRUE },

  ELEMENTWISE ("add", "add.clh", NULL, map2),
  ELEMENTWISE ("relu", "elementwise.clh", "-D OP_RELU=1", map1),
  ELEMENTWISE ("relu_grad", "elementwise.clh", "-D OP_RELU_GRAD=1", map2),
  ELEMENTWISE ("tanh", "elementwise.clh", "-D OP_TANH=1", map1),
  ELEMENTWISE ("tanh_grad", "elementwise.clh", "-D OP_TANH_GRAD=1", map2),
  ELEMENTWISE ("sigmoid", "elementwise.clh", "-D OP_SIGMOID=1", map1),
  ELEMENTWISE ("sigmoid_grad", "elementwise.clh", "-D OP_SIGMOID_GRAD=1", map2),

  ELEMENTWISE ("gelu", "gelu.clh", NULL, map1),
  ELEMENTWISE ("gelu_grad", "gelu.clh", "-D OP_GELU_GRAD=1", map2),

  { .op = "dropout", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "dropout.cl" },
    .passes = { TILES ("dropout_naive", dropout, elements) },
    .shape = ls_cl_shape_dropout, .fits = ls_cl_fits_items_256 },
  { .op = "dropout", .rung = "packed", .title = "vectors, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "dropout.cl" }, .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("dropout_packed", dropout_packed, elements_packed) },
    .shape = ls_cl_shape_dropout },
  ELEMENTWISE ("dropout_grad", "product.clh", NULL, map2),

  LAYERNORM ("layernorm", layernorm),
  LAYERNORM ("layernorm_grad", layernorm_grad),
  { .op = "layernorm_dw", .rung = "naive", .title = "one column per work-item",
    .sources = { "probe.clh", "vector.clh", "layernorm.cl" },
    .passes = { TILES ("layernorm_dw_naive", layernorm_dw, layernorm_dw) },
    .shape = ls_cl_shape_layernorm, .fits = ls_cl_fits_items_64 },
  { .op = "layernorm_dw", .rung = "packed", .title = "vectors, columns side by side",
    .sources = { "probe.clh", "vector.clh", "layernorm.cl" }, .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("layernorm_dw_packed", layernorm_dw, layernorm_dw_packed) },
    .shape = ls_cl_shape_layernorm },

  SEQUENCE ("sequence", NULL),
  SEQUENCE ("planes", "-D BACK=1"),
  LSTM ("lstm", lstm),
  LSTM ("lstm_grad", lstm_grad),

  { .op = "maxpool2d", .rung = "naive", .title = "one window per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "maxpool2d.cl" },
    .passes = { TILES ("maxpool2d_naive", pool, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256 },
  { .op = "maxpool2d", .rung = "packed", .title = "vectors, one plane per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "maxpool2d.cl" },
    .passes = { TILES ("maxpool2d_packed", pool, planes) },
    .shape = ls_cl_shape_pool },
  { .op = "maxpool2d_grad", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "maxpool2d.cl" },
    .passes = { TILES ("maxpool2d_grad_naive", pool_grad, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256, .epilogue = TRUE },
  { .op = "maxpool2d_grad", .rung = "packed", .title = "one plane per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "maxpool2d.cl" },
    .passes = { TILES ("maxpool2d_grad_packed", pool_grad, planes) }, .shape = ls_cl_shape_pool,
    .epilogue = TRUE },

  { .op = "avgpool2d", .rung = "naive", .title = "one window per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "avgpool2d.cl" },
    .passes = { TILES ("avgpool2d_naive", avgpool, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256 },
  { .op = "avgpool2d", .rung = "packed", .title = "vectors, one plane per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "avgpool2d.cl" },
    .passes = { TILES ("avgpool2d_packed", avgpool, planes) },
    .shape = ls_cl_shape_pool },
  { .op = "avgpool2d_grad", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "avgpool2d.cl" },
    .passes = { TILES ("avgpool2d_grad_naive", avgpool_grad, elements) },
    .shape = ls_cl_shape_pool, .fits = ls_cl_fits_items_256, .epilogue = TRUE },
  { .op = "avgpool2d_grad", .rung = "packed", .title = "vectors, one plane per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "epilogue.clh", "avgpool2d.cl" },
    .passes = { TILES ("avgpool2d_grad_packed", avgpool_grad, planes) }, .shape = ls_cl_shape_pool,
    .epilogue = TRUE },

  { .op = "softmax_xent", .rung = "naive", .title = "one sample per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl" },
    .passes = { TILES ("softmax_xent_naive", softmax, rows) },
    .shape = ls_cl_shape_rows, .fits = ls_cl_fits_items_64 },
  { .op = "softmax_xent", .rung = "packed",
    .title = "vectors, a sample in each lane, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("softmax_xent_packed", softmax_packed, rows_packed) },
    .shape = ls_cl_shape_rows_packed, .joins = TRUE },
  { .op = "softmax_xent_grad", .rung = "naive", .title = "one element per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl" },
    .passes = { TILES ("softmax_xent_grad_naive", softmax_grad, elements) },
    .shape = ls_cl_shape_rows, .fits = ls_cl_fits_items_256 },
  { .op = "softmax_xent_grad", .rung = "packed", .title = "vectors, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "softmax.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { TILES ("softmax_xent_grad_packed", softmax_grad_packed, rows_packed) },
    .shape = ls_cl_shape_rows_packed },
  { .op = "mean", .rung = "naive", .title = "one work-item adds all", .defines = "-D SUM_MEAN=1",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "sum.cl" },
    .passes = { TILES ("sum_naive", sum, sum_naive) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_items_64 },
  { .op = "mean", .rung = "tiled", .title = "one group, added up in local memory", .defines = "-D SUM_MEAN=1",
    .sources = { "probe.clh", "vector.clh", "epilogue_update.clh", "sum.cl" },
    .passes = { TILES ("sum_tiled", sum, sum_tiled) },
    .shape = ls_cl_shape_sum, .fits = ls_cl_fits_items_128 },

  ELEMENTWISE ("sgd", "update.clh", "-D OP_SGD=1", sgd),
  ELEMENTWISE ("adam", "update.clh", "-D OP_ADAM=1", adam),
};
/* clang-format on */

/* clang-format off */
#define GATES(rung_, args_, range_)                                                                       \
  PASS ("lstm_gate_i_" rung_, args_, range_), PASS ("lstm_gate_f_" rung_, args_, range_),                  \
  PASS ("lstm_gate_g_" rung_, args_, range_), PASS ("lstm_gate_o_" rung_, args_, range_),                  \
  TILES ("lstm_cell_" rung_, args_, range_)

static const LsClKernel apart[] = {
  { .op = "lstm", .rung = "naive", .title = "four gates and the cell, one sample per group of 64 work-items",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "lstm.cl" },
    .passes = { GATES ("naive", lstm, lstm) },
    .shape = ls_cl_shape_lstm, .fits = ls_cl_fits_items_64 },
  { .op = "lstm", .rung = "packed", .title = "four gates and the cell, vectors, about 4096 elements per work-item",
    .sources = { "probe.clh", "vector.clh", "functions.clh", "lstm.cl" },
    .params = { [LS_CL_PACKED_VEC] = PARAM_VEC },
    .passes = { GATES ("packed", lstm_packed, whole_rows) },
    .shape = ls_cl_shape_lstm },
};
/* clang-format on */

/* Of 16 bits there is none: the cell would be made of gates that were rounded meanwhile. */
const LsClKernel *
ls_cl_kernel_apart (const LsClKernel *row)
{
  const gboolean whole = row >= kernels && row < kernels + G_N_ELEMENTS (kernels);

  for (gsize i = 0; whole && i < G_N_ELEMENTS (apart); i++)
    if (strcmp (row->op, apart[i].op) == 0 && strcmp (row->rung, apart[i].rung) == 0)
      return &apart[i];
  return NULL;
}

const LsClKernel *
ls_cl_kernels (guint *n)
{
  *n = G_N_ELEMENTS (kernels);
  return kernels;
}

guint
ls_cl_kernel_tile (const LsClKernel *kernel, const LsTiling *tiling, const LsClRange *range, guint group,
                   guint *split)
{
  const LsClPass *pass = kernel->passes;
  guint groups0 = (guint) (range->global[0] / range->local[0]);
  guint groups1 = (guint) (range->global[1] / range->local[1]);
  guint x = group % groups0, y = group / groups0 % groups1;

  while (!pass->tiles)
    pass++;
  *split = group / groups0 / groups1;
  return pass->rows_first ? x * tiling->grid_cols + y : y * tiling->grid_cols + x;
}

/* ---- what the rules share ---- */

gint64
ls_cl_ceil_div (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

void
ls_cl_range_set (LsClRange *range, gint64 groups0, gint64 groups1, gint64 groups2, guint local0, guint local1)
{
  *range = (LsClRange){
    .dims = 3,
    .global = { (size_t) groups0 * local0, (size_t) groups1 * local1, (size_t) groups2 },
    .local = { local0, local1, 1 },
  };
}

gboolean
ls_cl_fits_group (const LsClLimits *limits, guint local0, guint local1, gsize local_bytes)
{
  return (gsize) local0 * local1 <= limits->max_group && local0 <= limits->max_item[0]
         && local1 <= limits->max_item[1] && local_bytes <= limits->local_mem;
}
