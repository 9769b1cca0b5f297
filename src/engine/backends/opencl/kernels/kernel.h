/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsClKernel: one rung of an op's ladder as data: source, function, parameters to tune, ND-range rule,
 * arguments. The runtime, the tuner and the tests share the rows of ls_cl_kernels(). A new kernel is one .cl
 * file (or a further function in one) and one row here.
 *
 * A program is the row's `sources` put together, without the kernels that it doesn't launch, built with -D
 * NAME=value for each parameter, for each epilogue, and -D LS_PROBE=1 -D LS_PROBE_TICKS=n for the variant
 * that records work-groups (kernels_cl/probe.clh: the layout of `probe` and what each n asks of the device).
 * gather is built with -D LS_SAMPLE_F32=1 for sets of floats. All programs take LS_CL_BUILD_OPTIONS. Shapes
 * are arguments, not macros, so the layers of a network share programs and a cold start compiles few.
 */
#pragma once

#include "backends/opencl/device/cl.h"
#include "backends/opencl/device/limits.h"
#include "core/tiling.h"
#include "model/plan.h"

G_BEGIN_DECLS

/* Where a kernel's argument comes from. */
typedef enum {
  LS_CL_ARG_END,
  LS_CL_ARG_IN0,
  LS_CL_ARG_IN1,
  LS_CL_ARG_IN2,
  LS_CL_ARG_IN3,
  LS_CL_ARG_IN4, /* __global const: op->in[i] */
  LS_CL_ARG_OUT0,
  LS_CL_ARG_OUT1,
  LS_CL_ARG_OUT2,
  LS_CL_ARG_OUT3, /* __global: of the last op fused into this one for OUT0 */
  LS_CL_ARG_SCRATCH0,
  LS_CL_ARG_SCRATCH1, /* __global float*: packed panels; partial sums. Never written by two ops at once;
                       * any valid buffer where the pass's range asks for no floats */
  LS_CL_ARG_EPILOGUE, /* __global const: the epilogue's other operand: the bias, or the activation whose mask
                       * is applied; any valid buffer when there is none */
  LS_CL_ARG_SAMPLES,  /* __global const uchar* or float*: the whole data set */
  LS_CL_ARG_SET_LABELS,  /* __global const int*: the whole set's labels */
  LS_CL_ARG_INDEX,       /* __global const uint*: the positions of the run's batches, one after the other */
  LS_CL_ARG_BYTE_VALUES, /* __global const float*: 256 × byte / 255 */
  LS_CL_ARG_SHAPE,       /* int; the row's shape function gives them, in order: the k-th SHAPE argument is
                            shape[k] */
  LS_CL_ARG_LR,
  LS_CL_ARG_MOMENTUM,
  LS_CL_ARG_BETA1,
  LS_CL_ARG_BETA2,
  LS_CL_ARG_EPSILON,     /* float */
  LS_CL_ARG_STEP_SIZE,   /* float: adam's lr / (1 − β₁ᵗ) */
  LS_CL_ARG_CORRECTION2, /* float: adam's 1 / sqrt (1 − β₂ᵗ) */
  LS_CL_ARG_STATE,       /* __global float*: the velocity of the sgd that is done in the epilogue */
  LS_CL_ARG_ONE_MINUS_BETA1,
  LS_CL_ARG_ONE_MINUS_BETA2, /* float, subtracted in double */
  LS_CL_ARG_FIRST,           /* int: where the step's positions begin in INDEX */
  LS_CL_ARG_JOIN0,
  LS_CL_ARG_JOIN1,      /* __global: the output of the chain that is joined to this one, by number */
  LS_CL_ARG_JOIN_STATE, /* __global float*: the velocity of the sgd that ends the first joined chain */
  LS_CL_ARG_LOSSES,
  LS_CL_ARG_SLOT, /* __global float*, int: a slot per step of the run, and this step's */
  LS_CL_ARG_SEED_LOW,
  LS_CL_ARG_SEED_HIGH,
  LS_CL_ARG_STEP,  /* uint: the seed's halves and the step, which random numbers depend on */
  LS_CL_ARG_COPY,  /* __global: of OUT0, a weight: its copy in 16 bits */
  LS_CL_ARG_SCALE, /* float: what the loss's gradient is multiplied by */
} LsClArg;
/* LS_PROBE=1 adds one last argument, __global uint *probe, to passes with `tiles`: see kernels_cl/probe.clh.
 * Its header's words must be zero before each launch. LS_WALK=1 beside it adds another, __global uint *walk:
 * kernels_cl/walk.clh. */

typedef struct {
  const char *name; /* macro: "TILE_M" */
  int value;        /* default */
  int choices[8];   /* for the tuner; 0 ends */
} LsClParam;
#define LS_CL_MAX_PARAMS  8
#define LS_CL_MAX_SHAPE   16
#define LS_CL_MAX_PASSES  5
#define LS_CL_MAX_JOINS   2
#define LS_CL_MAX_SOURCES 9 /* one of them NULL */
#define LS_CL_MAX_ARGS    26

/* Denormals cost 31 times on PoCL without the flag; no fast-relaxed-math: the lanes are compared. */
#define LS_CL_BUILD_OPTIONS "-cl-std=CL1.2 -cl-denorms-are-zero"
/* Of a GPU that can; processors do anyway, or say that they cannot. */
#define LS_CL_ROUND_OPTION " -cl-fp32-correctly-rounded-divide-sqrt"
/* Words of `probe`: a header, then so many per work-group, in the order of linear group number, dim 0
 * fastest. */
#define LS_CL_PROBE_HEADER 2
#define LS_CL_PROBE_WORDS  8

typedef struct {
  cl_uint dims;
  size_t global[3], local[3];
  gsize scratch_floats[2]; /* that this pass needs in SCRATCH0, SCRATCH1 */
} LsClRange;

/* One launch. Most kernels have one pass; packed ones pack first, split sums add up last. */
typedef struct {
  const char *function;
  const LsClArg *args;
  /* values: the row's parameters. Sets range and, for the pass with `tiles`, the tiling (rows, cols, tile,
   * grid, splits). Returns FALSE if this pass is not needed for this op (an unsplit sum needs no adding up).
   */
  gboolean (*range) (const LsOp *op, const LsPlan *plan, const int *values, const LsClLimits *limits,
                     LsClRange *range, LsTiling *tiling);
  gboolean tiles; /* its work-groups are the op's tiles: group (x, y, z) is tile (row y, column x), split z */
  gboolean rows_first; /* of such a pass: group (x, y, z) is tile (row x, column y): neighbours share a panel
                          of B */
} LsClPass;

typedef struct _LsClKernel LsClKernel;
struct _LsClKernel {
  const char *op;                         /* the class's name */
  const char *rung;                       /* "naive", "tiled", "register", "packed" */
  const char *title;                      /* "16×16 tiled in local memory" */
  const char *sources[LS_CL_MAX_SOURCES]; /* files of kernels_cl/, put together in this order; NULL ends */
  const char *defines;                    /* fixed macros: "-D GEMM_CONV2D=1"; may be NULL */
  LsClParam params[LS_CL_MAX_PARAMS];
  LsClPass passes[LS_CL_MAX_PASSES]; /* function NULL ends */
  /* Writes the SHAPE arguments; returns how many. */
  guint (*shape) (const LsOp *op, const LsPlan *plan, const int *values, int shape[LS_CL_MAX_SHAPE]);
  /* The device can run it with these values (local memory, group size). NULL: always. */
  gboolean (*fits) (const LsOp *op, const LsPlan *plan, const int *values, const LsClLimits *limits);
  gboolean update;  /* has EPILOGUE_SGD (epilogue_update.clh): then each pass with OUT0, which is the weights,
                     * takes STATE, LR and MOMENTUM after its own arguments */
  gboolean joins;   /* does other ops beside its own, if kernels_fusion.c has a row for it: then the pass with
                     * the  tiles takes, after all else, each one's JOIN, and JOIN_STATE, or LOSSES and SLOT, if
                     * it needs  them */
  gboolean one_row; /* GROUP_ROWS may be 1: a loop of its own for products whose C is one row */
  gboolean epilogue; /* has the epilogue macros: EPILOGUE_BIAS, EPILOGUE_RELU/TANH/SIGMOID,
                        EPILOGUE_RELU_GRAD/… */
};

const LsClKernel *ls_cl_kernels (guint *n);
/* kernels_half.c: the rows for tensors that are stored in 16 bits; they are built with -D HALF_BF16 and
 * HALF_OUT (kernels_cl/half.clh) beside. The tuner doesn't know them. */
const LsClKernel *ls_cl_half_kernels (guint *n);
/* The row that does what that one does in one launch for each of its parts, for a lane that fuses nothing;
 * NULL: there is none. */
const LsClKernel *ls_cl_kernel_apart (const LsClKernel *row);
/* The op reads or writes such tensors, or updates a weight that has a copy. */
gboolean ls_cl_op_is_half (const LsOp *op, const LsPlan *plan);
/* The rung to use: the asked one, where the op has it and it fits; else the default by device type and size.
 * NULL if the op has no kernel at all, or none that fits the device. */
const LsClKernel *ls_cl_kernel_choose (const LsOp *op, const LsPlan *plan, const char *rung,
                                       const LsClLimits *limits, int values[LS_CL_MAX_PARAMS]);
/* One parameter of a row that was chosen. FALSE: the row has none of that name, or the device can't run it
 * with that value; then nothing is changed. */
gboolean ls_cl_kernel_set (const LsClKernel *kernel, const char *name, int value, const LsOp *op,
                           const LsPlan *plan, const LsClLimits *limits, int values[LS_CL_MAX_PARAMS]);
/* Which tile (number in the LsTiling) work-group `group` (linear, dim 0 fastest) computes, and which split of
 * the sum. */
guint ls_cl_kernel_tile (const LsClKernel *kernel, const LsTiling *tiling, const LsClRange *range,
                         guint group, guint *split);
/* The macros of a chain of followers ("-D EPILOGUE_BIAS=1 -D EPILOGUE_RELU=1"), or NULL if this kernel can't
 * do it. A chain has at most one operand (LS_CL_ARG_EPILOGUE): bias, or what a *_grad op masks with.
 * (transfer full) */
char *ls_cl_kernel_epilogue (const LsClKernel *kernel, const LsPlan *plan, const guint *followers, guint n);

/* Another op that the kernel can do beside its own, in the same launch: a small one, which takes less time
 * than a launch. */
typedef struct {
  const char *op, *other, *define;
  gboolean (*fits) (const LsOp *op, const LsOp *other, const LsPlan *plan);
  gboolean keeps_loss; /* takes LOSSES and SLOT and writes there, too */
} LsClJoin;

/* How `kernel` does `other` beside `op`, or NULL: it can't. */
const LsClJoin *ls_cl_kernel_join (const LsClKernel *kernel, const LsPlan *plan, const LsOp *op,
                                   const LsOp *other);

/* Floats of both scratch buffers that an op's kernels need at most, with vectors of 8 floats; 0: none. */
void ls_cl_conv_scratch (const LsOp *op, const LsPlan *plan, gsize floats[2]);

G_END_DECLS
