/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsOpClass says what an op is: its shape rule, its cost, its naive reference loops and its gradient.
 * LsOp is one op of a plan: a class, the tensors it reads and writes, and a few attributes.
 *
 * The reference loops are oracle (all backends are compared with them), lesson (they are the plainest form of
 * the op) and fallback (a backend that lacks an op runs them). Each op_*.c is compiled twice, once with
 * `real` = float and once with double, so that gradients can be checked where rounding doesn't hide mistakes.
 * Backward ops are ops like any other. To add one: write op_NAME.c (an activation: a row of
 * op_activations.c), add its row to LS_OPS.
 */
#pragma once

#include "core/loss_scale.h"
#include "core/samples.h"
#include "core/tensor.h"

G_BEGIN_DECLS

#define LS_OP_MAX_IN  5
#define LS_OP_MAX_OUT 4

/* The table of ops, in the order in which lists show them. */
/* clang-format off */
#define LS_OPS(ROW)                                                                                 \
  ROW (gather) ROW (matmul) ROW (conv2d) ROW (conv2d_dx) ROW (conv2d_dw) ROW (bias) ROW (bias_grad) \
  ROW (add)                                                                                         \
  ROW (relu) ROW (relu_grad) ROW (tanh) ROW (tanh_grad) ROW (sigmoid) ROW (sigmoid_grad)            \
  ROW (gelu) ROW (gelu_grad) ROW (dropout) ROW (dropout_grad)                                       \
  ROW (layernorm) ROW (layernorm_grad) ROW (layernorm_dw)                                           \
  ROW (sequence) ROW (planes) ROW (lstm) ROW (lstm_grad)                                            \
  ROW (maxpool2d) ROW (maxpool2d_grad) ROW (avgpool2d) ROW (avgpool2d_grad)                         \
  ROW (softmax_xent) ROW (softmax_xent_grad) ROW (mean) ROW (sgd) ROW (adam)
/* clang-format on */

/* Float backends sum a matrix product's k this many at a time, in order, and add the blocks' sums in order.
 * On processors with fused multiply-add all lanes then round alike, and no ReLU flips on one lane alone: the
 * usual way for two correct programs to drift apart. SUM_BLOCK of kernels_cl/gemm.clh. k of conv2d and
 * conv2d_dx has the order of W's memory: (channel, u, v), (output, u, v); of conv2d_dw that of the windows,
 * image after image, in the parts of ls_conv_dw_cut(). */
#define LS_SUM_BLOCK 256
/* A row that is normalised they add up in so many sums side by side: op_layernorm.c. */
#define LS_ROW_SUMS 16

typedef enum {
  LS_PHASE_INPUT,
  LS_PHASE_FORWARD,
  LS_PHASE_LOSS,
  LS_PHASE_BACKWARD,
  LS_PHASE_UPDATE,
} LsPhase;

const char *ls_phase_name (LsPhase phase);

/* What shapes alone don't tell. matmul: C[m×n] = op(A)[m×k] · op(B)[k×n], op = transpose where ta/tb.
 * conv2d*, maxpool2d*, avgpool2d*: kernel K×K, stride, padding. For the convolutions m, n, k are the implicit
 * GEMM's:
 *   - conv2d     m = O, n = B·H'·W', k = I·K·K
 *   - conv2d_dx  m = I, n = B·H·W, k = O·K·K
 *   - conv2d_dw  m = O, n = I·K·K, k = B·H'·W'
 * All other ops have zeros there. */
typedef struct {
  gboolean ta, tb;
  gint64 m, n, k;
  gint32 kernel, stride, pad;
  gboolean by_columns;       /* sequence, planes: a step is a column, no row */
  double rate;               /* dropout: the share that is left out, below 1; */
  guint32 number;            /* which dropout of the plan it is; and of the share, by the shape rule: */
  guint32 threshold;         /* rate·2³²: random numbers from here on keep their element, */
  float scale;               /* 1/(1 − rate) times as large */
  gint64 shape[LS_MAX_RANK]; /* zero-terminated: out[0]'s shape where the inputs don't tell: gather's X;
                              * planes' X; a matmul that makes the gradient of a rank-4 tensor. All zero
                              * otherwise. */
} LsOpAttr;

/* clang-format off */
#define LS_OUT_OF_PLACE { -1, -1, -1, -1 }
/* clang-format on */

typedef struct _LsOpClass LsOpClass;

typedef struct {
  const LsOpClass *klass;
  LsPhase phase;
  gint layer; /* index in the nn.Sequential, -1 for none */
  guint n_in, n_out;
  guint in[LS_OP_MAX_IN]; /* tensor ids of the plan */
  guint out[LS_OP_MAX_OUT];
  LsOpAttr attr;
  gint64 flops;      /* one multiply-add = 2 */
  gint64 bytes;      /* every input read once, every output written once; gather: outputs only */
  char symbol[32];   /* of its output: "dW₁" */
  char equation[96]; /* "dW₁ = dZ₁ᵀ·X" */
} LsOp;

/* What differs from step to step: the optimizer's numbers; `step`, which counts from 1 and which Adam's bias
 * corrections and, with the seed, dropout's masks depend on. 0: no training, nothing is left out. */
typedef struct {
  double lr, momentum, beta1, beta2, epsilon;
  guint64 step;
  guint64 seed;
  LsLossScale scale; /* the loss's gradient's, and how many of the steps before were skipped */
} LsHyper;

/* What softmax_xent_grad multiplies by; hyper may be NULL. */
static inline double
ls_hyper_factor (const LsHyper *hyper)
{
  return hyper != NULL && hyper->scale.factor > 0 ? hyper->scale.factor : 1;
}

/* Updates with this one, for Adam's bias corrections: skipped steps made none. */
static inline double
ls_hyper_updates (const LsHyper *hyper)
{
  return (double) (gint64) (hyper->step - hyper->scale.skipped);
}

/* One execution of an op, pointers resolved. float or double according to which reference is called;
 * i32 tensors are gint32 in both. Only gather reads `batch`. A call of a plan whose tensors are stored in 16
 * bits has those there, as in_dtype and out_dtype say: ls_op_run() does it. */
typedef struct {
  const LsOp *op;
  const LsTensor *in_tensor[LS_OP_MAX_IN], *out_tensor[LS_OP_MAX_OUT];
  const void *in[LS_OP_MAX_IN];
  void *out[LS_OP_MAX_OUT];
  LsDtype in_dtype[LS_OP_MAX_IN], out_dtype[LS_OP_MAX_OUT]; /* as they lie there; in[j] may be a weight's copy
                                                             */
  guint16 *copy; /* of out[0], an updated weight, which is stored there as well, as out_tensor[0]->copy; NULL
                  */
  const LsHyper *hyper;
  const LsBatch *batch;
} LsOpCall;

/* A shape on which tests run the op: input shapes (rank 0 ends) and attributes. */
typedef struct {
  gint64 in[LS_OP_MAX_IN][LS_MAX_RANK]; /* zero-terminated dimensions */
  LsOpAttr attr;                        /* m, n, k are filled in by the shape rule; gather: shape */
} LsOpTest;

typedef struct _LsPlanBuilder LsPlanBuilder; /* ops/gradient.h */

struct _LsOpClass {
  const char *name;    /* "conv2d_dx" */
  const char *formula; /* "dX = Σ W·dZ" with its source where it isn't the definition */
  guint n_in, n_out;
  /* An op whose outputs' element i depends only on the inputs' element i (bias: in[1] at i's channel): it may
   * be done in the epilogue of the op that makes in[epilogue_input], which is 0, or 1 (the gradient) for the
   * optimizers. */
  gboolean elementwise;
  guint epilogue_input;
  /* Bit j: in[j] is there for its shape; its values are never read. */
  guint shape_only;
  /* Bit j: in[j], out[j] stays in floats where other activations are stored in 16 bits: plan_precision.c says
   * why. */
  guint wide_in, wide_out;
  /* in-place: out[j] is in[in_place[j]] (the optimizers' weights and states); -1: a tensor of its own. */
  gint in_place[LS_OP_MAX_OUT];
  /* May be in-place: whoever writes elements of `out` has read what it needs of `in` at the same places, and
   * nobody else needs those. `is`: the pair is one. */
  struct {
    guint8 is, out, in;
  } over[2];
  LsDtype in_dtype[LS_OP_MAX_IN], out_dtype[LS_OP_MAX_OUT];

  /* Checks in's shapes, completes attr, sets rank and shape of each out, in-place ones included. Error:
   * LS_ERROR_USAGE. No tensor has more than G_MAXINT32 elements, so backends may count in ints. */
  gboolean (*shape) (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error);
  gint64 (*flops) (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out);
  void (*ref_f32) (const LsOpCall *call);
  void (*ref_f64) (const LsOpCall *call);
  /* Appends the ops that turn d(out) into d(in); NULL where nothing flows back. op is a copy: the builder's
   * arrays grow meanwhile. */
  gboolean (*gradient) (LsPlanBuilder *builder, const LsOp *op, GError **error);
  const LsOpTest *tests;
  guint n_tests;
};

#define LS_OP_DECLARE(name) extern const LsOpClass ls_op_##name;
LS_OPS (LS_OP_DECLARE)
#undef LS_OP_DECLARE

/* Whether the op reads the copy of a weight that has one: all but the updates do. */
gboolean ls_op_reads_copy (const LsOp *op, const LsTensor *in);
/* Bytes of every input read once and every output written once, as they are stored. tensors: the plan's. */
gint64 ls_op_bytes (const LsOp *op, const LsTensor *tensors);
/* ref_f32, with what is stored in 16 bits converted before and afterwards. scratch: ls_op_scratch() floats.
 */
void ls_op_run (const LsOpCall *call, float *scratch);
gsize ls_op_scratch (const LsOpCall *call);

/* All rows of LS_OPS, in order. */
const LsOpClass *const *ls_op_classes (guint *n_classes);
const LsOpClass *ls_op_class_find (const char *name);

G_END_DECLS
