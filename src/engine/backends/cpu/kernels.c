/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the CPU lane's kernels, a row or more per op of LS_OPS, the first that fits is taken; an op
 * without a row runs on the reference. A new one is a tile function (or, if elementwise, a rectangle
 * function) and its row.
 */
#include "config.h"
#include "backends/cpu/grid.h"
#include "backends/cpu/kernel.h"
#include "core/half.h"

#define CHUNK 4096 /* elements: what a follower reads is still in the first-level cache */

/* clang-format off */
#define ELEMENTWISE(name, text)                                                                     \
  { .klass = &ls_op_##name, .title = text, .grid = ls_cpu_grid_elements,                        \
    .tile = { ls_cpu_tile_elementwise, ls_cpu_tile_elementwise },                               \
    .rect = { ls_cpu_rect_##name, ls_cpu_rect_##name##_scalar }, .epilogue = TRUE }
#define TILES(name, cut, text, ...)                                                             \
  { .klass = &ls_op_##name, .title = text, .grid = ls_cpu_grid_##cut,                           \
    .tile = { ls_cpu_tile_##name, ls_cpu_tile_##name##_scalar }, __VA_ARGS__ }
#define PRODUCT(name, text, ...)                                                                \
  { .klass = &ls_op_##name, .title = text, .grid = ls_cpu_grid_##name,                          \
    .tile = { ls_cpu_tile_##name, ls_cpu_tile_##name }, .epilogue = TRUE, __VA_ARGS__ }
#define DIRECT(name, how, ...)                                                                  \
  { .klass = &ls_op_##name, .title = "direct", .way = LS_WAY_DIRECT, .fits = ls_cpu_fits_##how, \
    DIRECT_TILES (name, how), __VA_ARGS__ }
#define BY_OUTPUTS(name, how)                                                                   \
  { .klass = &ls_op_##name, .title = "direct by outputs", .way = LS_WAY_BY_OUTPUTS,             \
    .fits = ls_cpu_fits_##how##_by_outputs, DIRECT_TILES (name, how) }
#define DIRECT_TILES(name, how)                                                                 \
    .grid = ls_cpu_grid_##name, .tile = { ls_cpu_tile_##how, ls_cpu_tile_##how },               \
    .scratch = ls_cpu_scratch_##how, .epilogue = TRUE

static const LsCpuKernel kernels[] = {
  TILES (gather, samples, "gather rows", .epilogue = FALSE),
  PRODUCT (matmul, "sgemm per tile", .own = ls_cpu_own_matmul),
  BY_OUTPUTS (conv2d, direct),
  BY_OUTPUTS (conv2d_dx, direct_dx),
  DIRECT (conv2d, direct, .join = NULL),
  DIRECT (conv2d_dx, direct_dx, .join = NULL),
  DIRECT (conv2d_dw, direct_dw, .join = ls_cpu_join_conv2d_dw),
  PRODUCT (conv2d, "columns + sgemm", .scratch = ls_cpu_scratch_conv2d),
  PRODUCT (conv2d_dx, "columns + sgemm", .scratch = ls_cpu_scratch_conv2d_dx),
  PRODUCT (conv2d_dw, "columns + sgemm", .scratch = ls_cpu_scratch_conv2d_dw, .join = ls_cpu_join_conv2d_dw),
  ELEMENTWISE (bias, "vector loop"),
  TILES (bias_grad, channels, "column sums", .epilogue = TRUE),
  ELEMENTWISE (add, "vector loop"),
  ELEMENTWISE (relu, "vector loop"),
  ELEMENTWISE (relu_grad, "vector loop"),
  ELEMENTWISE (tanh, "vector loop"),
  ELEMENTWISE (tanh_grad, "vector loop"),
  ELEMENTWISE (sigmoid, "vector loop"),
  ELEMENTWISE (sigmoid_grad, "vector loop"),
  ELEMENTWISE (gelu, "vector loop"),
  ELEMENTWISE (gelu_grad, "vector loop"),
  ELEMENTWISE (dropout, "vector loop"),
  ELEMENTWISE (dropout_grad, "vector loop"),
  TILES (layernorm, samples, "rows in 16 sums", .epilogue = TRUE),
  TILES (layernorm_grad, samples, "rows in 16 sums", .epilogue = TRUE),
  TILES (layernorm_dw, elements, "column sums", .epilogue = FALSE),
  TILES (sequence, samples, "copies", .epilogue = FALSE),
  TILES (planes, samples, "copies", .epilogue = FALSE),
  TILES (lstm, samples, "vector loop", .epilogue = FALSE, .n_passes = 5,
         .apart = { ls_cpu_tile_lstm_apart, ls_cpu_tile_lstm_apart_scalar }),
  TILES (lstm_grad, samples, "vector loop", .epilogue = FALSE),
  TILES (maxpool2d, planes, "rows of windows", .epilogue = TRUE),
  TILES (maxpool2d_grad, planes, "rows of windows", .epilogue = TRUE),
  TILES (avgpool2d, planes, "rows of windows", .epilogue = TRUE),
  TILES (avgpool2d_grad, planes, "rows of windows", .epilogue = TRUE),
  TILES (softmax_xent, samples, "vector loop", .epilogue = FALSE),
  TILES (softmax_xent_grad, samples, "vector loop", .epilogue = FALSE),
  TILES (mean, one, "loop", .epilogue = FALSE),
  ELEMENTWISE (sgd, "vector loop"),
  ELEMENTWISE (adam, "vector loop"),
};
/* clang-format on */

const LsCpuKernel *
ls_cpu_kernel_find (const LsOp *op, const LsPlan *plan, const LsCpuRung *rung)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (kernels[i].klass == op->klass && (rung->direct || !ls_way_is_direct (kernels[i].way))
        && (kernels[i].fits == NULL || kernels[i].fits (op, plan)))
      return &kernels[i];
  return NULL;
}

/* A weight that has a copy has just been updated there. */
static void
store_copy (const LsOpCall *call, const LsCpuRect *rect)
{
  for (gint64 row = 0; call->copy != NULL && row < rect->rows; row++)
    {
      const gint64 at = rect->at + row * rect->stride;
      ls_half_store (call->out_tensor[0]->copy, (const float *) call->out[0] + at, call->copy + at,
                     (gsize) rect->cols);
    }
}

void
ls_cpu_followers (const LsCpuStage *stage, LsCpuRect rect)
{
  for (guint i = 0; i < stage->n_followers; i++)
    {
      const LsCpuFollower *f = &stage->followers[i];
      f->rect (&f->call, stage->target, stage->target, &rect);
      store_copy (&f->call, &rect);
    }
}

/* Large tiles go through op and followers a piece at a time. */
void
ls_cpu_tile_elementwise (const LsCpuStage *stage, guint32 tile, float *scratch)
{
  const LsCpuTile t = ls_cpu_tile (&stage->tiling, tile);
  const float *from = stage->call.in[stage->call.op->klass->epilogue_input];
  const gint64 cols = MIN (t.cols, CHUNK), rows = MAX (CHUNK / cols, 1);

  for (gint64 row = 0; row < t.rows; row += rows)
    for (gint64 col = 0; col < t.cols; col += cols)
      {
        LsCpuRect rect = {
          .at = (t.row + row) * stage->tiling.cols + t.col + col,
          .rows = MIN (rows, t.rows - row),
          .cols = MIN (cols, t.cols - col),
          .stride = stage->tiling.cols,
        };
        stage->rect (&stage->call, from, stage->target, &rect);
        store_copy (&stage->call, &rect);
        ls_cpu_followers (stage, rect);
      }
}
