/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCpuKernel: a way in which the CPU lane computes one kind of op, tile by tile; a row in kernels.c.
 * LsCpuRung: what all its kernels compute with (--cpu-kernels); a row in rungs.c.
 * LsCpuStage: one op of a plan made ready to run: pointers resolved, grid fixed, followers attached.
 *
 * A tile function computes one tile of the output and nothing else, from inputs that no tile of the same op
 * writes. Tiles may therefore run in any order on any thread, and the value of each is the same whoever
 * computes it.
 *
 * A fused op ("follower") is done by its leader's tiles, on values that are still in the cache. Each
 * elementwise op is one function over a rectangle of its output; as a leader and as a follower the same
 * function runs, which is why fusion doesn't change a single bit.
 */
#pragma once

#include "backends/cpu/columns.h"
#include "backends/cpu/gemm.h"
#include "core/options.h"
#include "core/tiling.h"
#include "model/plan.h"

G_BEGIN_DECLS

/* Elements at + row·stride + col of a tensor, row < rows, col < cols. */
typedef struct {
  gint64 at, rows, cols, stride;
} LsCpuRect;

typedef struct _LsCpuStage LsCpuStage;

/* An elementwise op on a rectangle. from, to: element 0 of its input and output, which may be the same
 * memory. */
typedef void (*LsCpuRectFunc) (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect);
/* scratch: the worker's own, as long as the kernel's scratch() said. */
typedef void (*LsCpuTileFunc) (const LsCpuStage *stage, guint32 tile, float *scratch);

/* The plain loops: as vectorised as the compiler can, and never. */
typedef enum { LS_CPU_VECTOR_LOOPS, LS_CPU_SCALAR_LOOPS, LS_CPU_LOOPS_N } LsCpuLoops;

typedef struct {
  const char *title;  /* of its products, for LsTiling.kernel and for the device's facts: "scalar loops" */
  LsWay way;          /* … and for LsTiling.way */
  LsGemmFunc product; /* of a matrix product, and of a convolution by way of columns */
  gboolean updates;   /* its own products do an update that follows: ls_gemm_update() */
  gboolean blas;      /* its larger products are OpenBLAS's, where that can */
  gboolean direct;    /* convolutions without columns, where that is faster */
  LsCpuLoops loops;
  const LsColumnsLoops *columns;
} LsCpuRung;

extern const LsCpuRung ls_cpu_rungs[LS_CPU_KERNELS_N]; /* by LsCpuKernels */

typedef struct {
  const LsOpClass *klass;
  const char *title; /* for LsTiling.kernel; “sgemm” in it is what the rung has for it */
  LsWay way;
  /* The stage's products are the rung's own loops, whatever the title says; NULL: unless it has OpenBLAS. */
  gboolean (*own) (const LsCpuStage *stage);
  gboolean (*fits) (const LsOp *op, const LsPlan *plan); /* NULL: any shape */
  /* Cuts the op: see grid.h. */
  void (*grid) (const LsOp *op, const LsPlan *plan, guint requested, gboolean automatic, LsTiling *tiling);
  LsCpuTileFunc tile[LS_CPU_LOOPS_N];
  LsCpuRectFunc rect[LS_CPU_LOOPS_N];                    /* elementwise ops: may be a follower */
  gboolean epilogue;                                     /* its tiles do followers */
  gsize (*scratch) (const LsOp *op, const LsPlan *plan); /* floats per worker; NULL: none */
  /* Where the sum is split: the parts lie in stage->parts, one output after the other, and this adds up
   * elements first … first + count − 1, in the order of the splits. NULL: never split. */
  void (*join) (const LsCpuStage *stage, gint64 first, gint64 count);
  /* Where nothing is fused, the op is taken apart: so many passes over all tiles, one after the other; pass p
   * of tile t has number p·grid + t. 0: it isn't. */
  guint n_passes;
  LsCpuTileFunc apart[LS_CPU_LOOPS_N];
} LsCpuKernel;

#define LS_CPU_MAX_PASSES 5

typedef struct {
  LsCpuRectFunc rect;
  LsOpCall call;
} LsCpuFollower;

/* In a run that reuses memory, a convolution's tiles do the maxpool2d behind them, too, one image after the
 * other, all of which they make in the first one's place: what was pooled isn't kept. Where a relu lies
 * between, the pooling's gradient does relu_grad, and adds up each plane for bias_grad; and where nobody else
 * reads it, the tiles of the weights' gradient do it. */
typedef struct {
  const LsCpuStage *by_this; /* of conv2d: the pooling that its tiles do; of conv2d_dw: the pooling's
                                gradient */
  gboolean by_other;         /* of these two: they needn't run */
  const float *mask;         /* of the gradient: the pooling's output, by which relu_grad is done at once,
                                instead of following and reading the pooling's input */
  float *sums;               /* of the gradient: where the sum of each plane of dX goes; of the bias_grad that
                                adds up those planes: where they are */
} LsCpuPooled;

struct _LsCpuStage {
  const LsCpuKernel *kernel; /* NULL: runs on the reference */
  const LsCpuRung *rung;
  LsCpuTileFunc tile; /* the kernel's, with the rung's loops; of 16 bits: half.c's, which calls */
  LsCpuTileFunc inner;
  gsize own_scratch, half_scratch; /* floats: what the kernel wants; what half.c wants behind it */
  LsCpuRectFunc rect;
  guint op;
  LsOpCall call;
  LsTiling tiling;
  guint32 n_tiles; /* splits included: part s of tile t has number s·grid + t */
  guint32 n_joins; /* tiles of the second phase, which adds up the parts; 0: none */
  guint n_passes;  /* over all tiles: 1, or the kernel's */
  float *parts;
  /* Of conv2d_dw over some of a part's images: windows whose products the sums in scratch already hold, and
   * whether more of them follow. */
  gint64 sum_before;
  gboolean sum_goes_on;
  float *target; /* where the tiles write: out[0] of the op, or of the follower that ends the chain; of 16
                    bits each where out_dtype[0] is one of them */
  guint n_followers;
  LsCpuFollower followers[LS_FUSION_MAX];
  LsCpuPooled pooled;
};

/* The first row of the op's that fits and that the rung has; NULL: it has none. */
const LsCpuKernel *ls_cpu_kernel_find (const LsOp *op, const LsPlan *plan, const LsCpuRung *rung);

/* Rows first … first + n − 1, and so on, of a tile's place in its grid. */
typedef struct {
  gint64 row, rows, col, cols;
  guint split;
} LsCpuTile;

static inline LsCpuTile
ls_cpu_tile (const LsTiling *t, guint32 tile)
{
  guint32 grid = t->grid_rows * t->grid_cols, in_grid = tile % grid;
  LsCpuTile place = {
    .row = in_grid / t->grid_cols * t->tile_rows,
    .col = in_grid % t->grid_cols * t->tile_cols,
    .split = tile / grid,
  };
  place.rows = MIN (t->tile_rows, t->rows - place.row);
  place.cols = MIN (t->tile_cols, t->cols - place.col);
  return place;
}

/* Does the stage's followers on a rectangle that its tile has just written to stage->target. */
void ls_cpu_followers (const LsCpuStage *stage, LsCpuRect rect);

/* half.c: a stage whose op reads or writes tensors of 16 bits gets a tile function for that, and its scratch;
 * call, tile and tiling are set. FALSE: there is none. */
gboolean ls_cpu_half_init (LsCpuStage *stage);

/* ---- tile functions ---- */

void ls_cpu_tile_elementwise (const LsCpuStage *stage, guint32 tile, float *scratch);
void ls_cpu_tile_matmul (const LsCpuStage *stage, guint32 tile, float *scratch);
gboolean ls_cpu_own_matmul (const LsCpuStage *stage);
void ls_cpu_tile_conv2d (const LsCpuStage *stage, guint32 tile, float *scratch);
void ls_cpu_tile_conv2d_dx (const LsCpuStage *stage, guint32 tile, float *scratch);
void ls_cpu_tile_conv2d_dw (const LsCpuStage *stage, guint32 tile, float *scratch);
gsize ls_cpu_scratch_conv2d (const LsOp *op, const LsPlan *plan);
gsize ls_cpu_scratch_conv2d_dx (const LsOp *op, const LsPlan *plan);
gsize ls_cpu_scratch_conv2d_dw (const LsOp *op, const LsPlan *plan);
void ls_cpu_join_conv2d_dw (const LsCpuStage *stage, gint64 first, gint64 count);

/* Convolutions without columns: conv2d_direct.c. */
#define LS_CPU_DIRECT(way)                                                                                   \
  void ls_cpu_tile_##way (const LsCpuStage *stage, guint32 tile, float *scratch);                            \
  gboolean ls_cpu_fits_##way (const LsOp *op, const LsPlan *plan);                                           \
  gsize ls_cpu_scratch_##way (const LsOp *op, const LsPlan *plan);
LS_CPU_DIRECT (direct)
LS_CPU_DIRECT (direct_dx)
LS_CPU_DIRECT (direct_dw)
#undef LS_CPU_DIRECT
/* Those that fit, and that have outputs as lanes. */
gboolean ls_cpu_fits_direct_by_outputs (const LsOp *op, const LsPlan *plan);
gboolean ls_cpu_fits_direct_dx_by_outputs (const LsOp *op, const LsPlan *plan);

/* ---- plain loops, compiled for several vector widths, and without vectors: loops.h says how ---- */

#define LS_CPU_TILE(name)                                                                                    \
  void ls_cpu_tile_##name (const LsCpuStage *stage, guint32 tile, float *scratch);                           \
  void ls_cpu_tile_##name##_scalar (const LsCpuStage *stage, guint32 tile, float *scratch);
LS_CPU_TILE (gather)
LS_CPU_TILE (bias_grad)
/* n planes of a maxpool2d's input, or of its gradient's output, one after the other, of which the first is
 * plane `plane` of all; of the gradient without its followers. */
void ls_cpu_pool_planes (const LsCpuStage *stage, const float *from, gint64 plane, gint64 n);
void ls_cpu_pool_planes_scalar (const LsCpuStage *stage, const float *from, gint64 plane, gint64 n);
void ls_cpu_unpool_planes (const LsCpuStage *stage, gint64 plane, gint64 n, float *to);
void ls_cpu_unpool_planes_scalar (const LsCpuStage *stage, gint64 plane, gint64 n, float *to);
LS_CPU_TILE (maxpool2d)
LS_CPU_TILE (maxpool2d_grad)
LS_CPU_TILE (avgpool2d)
LS_CPU_TILE (avgpool2d_grad)
LS_CPU_TILE (softmax_xent)
LS_CPU_TILE (softmax_xent_grad)
LS_CPU_TILE (mean)
LS_CPU_TILE (sequence)
LS_CPU_TILE (planes)
LS_CPU_TILE (lstm)
LS_CPU_TILE (lstm_apart)
LS_CPU_TILE (lstm_grad)
LS_CPU_TILE (layernorm)
LS_CPU_TILE (layernorm_grad)
LS_CPU_TILE (layernorm_dw)
#undef LS_CPU_TILE

#define LS_CPU_RECT(name)                                                                                    \
  void ls_cpu_rect_##name (const LsOpCall *call, const float *from, float *to, const LsCpuRect *rect);       \
  void ls_cpu_rect_##name##_scalar (const LsOpCall *call, const float *from, float *to,                      \
                                    const LsCpuRect *rect);
LS_CPU_RECT (bias)
LS_CPU_RECT (add)
LS_CPU_RECT (relu)
LS_CPU_RECT (relu_grad)
LS_CPU_RECT (tanh)
LS_CPU_RECT (tanh_grad)
LS_CPU_RECT (sigmoid)
LS_CPU_RECT (sigmoid_grad)
LS_CPU_RECT (gelu)
LS_CPU_RECT (gelu_grad)
LS_CPU_RECT (dropout)
LS_CPU_RECT (dropout_grad)
/* Multiplies n numbers; TRUE: one of them wasn't finite. */
gboolean ls_cpu_unscale (float *gradient, gint64 n, float inverse);
gboolean ls_cpu_unscale_scalar (float *gradient, gint64 n, float inverse);
LS_CPU_RECT (sgd)
LS_CPU_RECT (adam)
#undef LS_CPU_RECT

G_END_DECLS
