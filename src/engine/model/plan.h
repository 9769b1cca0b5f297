/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPlan: one training step as a list of ops (input, forward, loss, backward, update) over declared tensors,
 * with shapes and costs. Built once from a model, a sample shape and a batch size; immutable and
 * reference-counted afterwards; every backend runs the same plan. How an op is cut into tiles is not here:
 * that is each backend's LsTiling.
 *
 * Order of the backward ops: of a layer first d(input), which reads the weights, then d(weights) and d(bias),
 * so an update may be fused into the op that makes the gradient.
 */
#pragma once

#include "core/options.h"
#include "core/tensor.h"
#include "core/tiling.h"
#include "model/spec.h"
#include "ops/gradient.h"

G_BEGIN_DECLS

#define LS_TENSOR_NONE    G_MAXUINT
#define LS_PLAN_MAX_ARENA ((gsize) 16 << 30) /* bytes; of the double-precision reference twice as many */
#define LS_PLAN_MAX_OPS   4096
/* A layer has two weights and two biases at most. */
#define LS_PLAN_MAX_PARAMS (4 * LS_MODEL_MAX_LAYERS)
#define LS_PLAN_MAX_STEPS  512 /* of a sequence */

typedef enum {
  LS_OPTIMIZER_SGD,
  LS_OPTIMIZER_ADAM,
} LsOptimizer;

typedef enum {
  LS_INIT_ZERO,
  LS_INIT_ONE,
  LS_INIT_HE,      /* normal, variance 2 / fan_in: before a ReLU (He et al. 2015, eq. 10) */
  LS_INIT_UNIFORM, /* between ±1/√fan_out, as PyTorch's LSTM */
  LS_INIT_XAVIER,  /* normal, variance 2 / (fan_in + fan_out): otherwise (Glorot, Bengio 2010, eq. 12) */
} LsInit;

/* A parameter and what belongs to it, as tensor ids. */
typedef struct {
  guint weight, gradient;
  guint n_state;
  guint state[2]; /* sgd: velocity; adam: first and second moment */
  LsInit init;
  gint64 fan_in, fan_out;
} LsParam;

typedef struct {
  gint ref_count;
  LsModel *model;
  LsOptimizer optimizer;
  LsPrecision precision;
  guint batch;
  gint64 in_shape[3]; /* one sample: channels, height, width */
  gint n_classes;

  guint n_tensors;
  LsTensor *tensors;
  gsize arena_bytes;
  guint n_ops;
  LsOp *ops;
  guint n_params;
  LsParam *params;

  /* Tensor ids; in a plan of one op LS_TENSOR_NONE where that op has no such tensor. */
  guint x, labels; /* the batch */
  guint logits, probs;
  guint losses, loss;                  /* per sample; their mean, one element */
  guint first_op[LS_PHASE_UPDATE + 2]; /* first_op[p] … first_op[p + 1] − 1 are phase p's ops */
  gint64 flops, bytes;                 /* of a whole step */
} LsPlan;

/* The names of tensors are those of a PyTorch nn.Sequential: "1.weight", "1.bias", "1.weight.grad", and
 * "1.weight.momentum_buffer" or "1.weight.exp_avg", "1.weight.exp_avg_sq"; "x", "labels"; layer i's output
 * "h<i>", before its bias "z<i>" (dense) or "c<i>" (conv); "h<i>.index"; "logits", "probs", "losses", "loss";
 * a delta is "d" and the name of what it is the gradient of (of a layer with bias: "dz<i>", as adding a bias
 * hands the gradient on unchanged). Errors, LS_ERROR_USAGE: a layer that doesn't fit its input (with layer
 * and column), a last layer that isn't `dense n_classes` wide, sizes that overflow. */
LsPlan *ls_plan_new (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch,
                     LsOptimizer optimizer, GError **error);
/* The same, however large: to reckon with, and for nobody to run. */
LsPlan *ls_plan_new_sketch (const LsModel *model, const gint64 in_shape[3], gint n_classes, guint batch,
                            LsOptimizer optimizer, GError **error);
/* The same step, op by op and tensor by tensor, stored in that precision: dtypes, places and bytes are
 * others, and weights that products read have a copy. */
LsPlan *ls_plan_with_precision (const LsPlan *plan, LsPrecision precision);
/* The shape of one sample after each layer (shapes: model->n_layers of channels, height, width; units, 0, 0
 * once it is flat), whatever the last layer is. Returns how many layers fit; if not all, error says why the
 * next doesn't. */
guint ls_plan_shapes (const LsModel *model, const gint64 in_shape[3], gint64 (*shapes)[3], GError **error);
/* A plan of one op on one of its test shapes: what the tests of ops and kernels run. Its in and out tensors
 * are ids 0 … n_in−1 and n_in … (an in-place output shares its input's id). gather's plan has x and labels
 * set. */
LsPlan *ls_plan_new_single (const LsOpClass *klass, const LsOpTest *test, GError **error);
LsPlan *ls_plan_ref (LsPlan *plan);
void ls_plan_unref (LsPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPlan, ls_plan_unref)

/* Fills call's pointers for op from an arena (not hyper and batch). */
void ls_plan_call (const LsPlan *plan, const LsArena *arena, guint op, LsOpCall *call);
/* Writes the initial value of params[i].weight: a pure function of seed, parameter and element. */
void ls_plan_init_param (const LsPlan *plan, guint param, guint64 seed, float *values);
/* The tensor of that name, or NULL. */
const LsTensor *ls_plan_find_tensor (const LsPlan *plan, const char *name);

/* ---- building (model/plan_builder.c): what gradient functions and the plans' makers use ---- */

/* What one reader of a tensor adds to its gradient: a tensor; or an op that isn't appended yet, since of a
 * weight that is used step by step one op may make the whole sum. */
typedef struct {
  guint of;
  gint tensor;  /* −1: not yet */
  gboolean own; /* made for this; otherwise it is some tensor's gradient, too */
  guint op;     /* own: that makes it */
  const LsOpClass *klass;
  guint in[LS_OP_MAX_IN];
  LsOpAttr attr;
  char right_side[96];
  gint layer;
} LsPlanPart;

struct _LsPlanBuilder {
  LsPlan *plan;
  GArray *tensors; /* LsTensor */
  GArray *ops;     /* LsOp */
  GArray *params;  /* LsParam */
  GArray *delta;   /* gint: tensor id → id of its gradient, or −1; as long as tensors */
  GArray *parts;   /* LsPlanPart, as they come: the last reader's first */
  GArray *wanted;  /* gboolean: tensor id → weight or made from one, so that its gradient is wanted */
  LsPhase phase;
  gint layer;
  gboolean any_size; /* nobody is to run it: the arena may be larger than any */
};

LsPlanBuilder *ls_plan_builder_new (void);
void ls_plan_builder_free (LsPlanBuilder *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPlanBuilder, ls_plan_builder_free)
/* Lays out the arena, adds up the costs and hands the plan over; the ops must be in the phases' order.
 * LS_ERROR_USAGE if the arena would be larger than LS_PLAN_MAX_ARENA, unless any_size, or than can be
 * counted.
 */
LsPlan *ls_plan_builder_finish (LsPlanBuilder *b, GError **error);

/* A tensor that no op makes: a parameter, a state, an op's test input. Its id, or −1 with LS_ERROR_USAGE if
 * its size overflows. */
gint ls_plan_builder_tensor (LsPlanBuilder *b, const char *name, const char *symbol, LsDtype dtype,
                             LsRole role, guint rank, const gint64 *shape, GError **error);
void ls_plan_builder_describe (LsPlanBuilder *b, guint tensor, LsRole role, const char *name,
                               const char *symbol);

/* A view of rows first … first + rows − 1 of a tensor, which may be a view itself. Its id, or −1 with
 * LS_ERROR_USAGE if they aren't there. */
gint ls_plan_builder_view (LsPlanBuilder *b, const char *name, const char *symbol, guint of, gint64 first,
                           gint64 rows, GError **error);
/* A view of elements first … of a tensor, in the shape of `like`; they must be there. */
guint ls_plan_builder_view_as (LsPlanBuilder *b, const char *name, const char *symbol, guint of, gint64 first,
                               const LsTensor *like);

/* Appends an op; makes its output tensors from the shape rule (in-place outputs excepted) and returns the
 * first output's id, or −1 with an error. The output is called `symbol` until ls_plan_builder_describe()
 * names it. */
gint ls_plan_builder_op (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr,
                         const char *symbol, const char *equation, LsRole out_role, GError **error);
/* The same; output j is the tensor into[j], which is there already and has its shape; −1: it is made. */
gint ls_plan_builder_op_into (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr,
                              const gint *into, const char *symbol, const char *equation, LsRole out_role,
                              GError **error);

/* ---- gradients of what several ops read (model/plan_gradients.c) ---- */

/* Once all readers of tensor `of` have said what they add to its gradient: makes the gradient of that. Of one
 * reader it is what that said; of more their sum, by ops `add`, in the order of the readers. Where a weight's
 * readers all worked on rows of the same tensors, one after the other, one op over all rows makes the sum. */
gboolean ls_plan_builder_settle (LsPlanBuilder *b, guint of, GError **error);

/* Appends a model's forward ops, starting from tensor x (plan_layers.c). The logits' id, or −1 with
 * LS_ERROR_USAGE. */
gint ls_plan_builder_layers (LsPlanBuilder *b, const LsModel *model, guint x, gint n_classes, GError **error);

/* ---- fusion (model/fusion.c) ---- */

/* leader[i] == i: op i runs by itself, or leads; leader[i] == j < i: op i is done in j's epilogue. A chain's
 * ops are consecutive in effect: no op between leader and follower touches what the follower writes, and only
 * the follower reads the intermediate. Bounds a chain at LS_FUSION_MAX followers. `can` says whether the
 * backend has that epilogue (position: how many followers the leader has already). */
#define LS_FUSION_MAX 4
typedef gboolean (*LsFusionFunc) (const LsPlan *plan, guint leader, guint follower, guint position,
                                  gpointer data);
void ls_plan_fuse (const LsPlan *plan, LsFusionFunc can, gpointer data, guint *leader);

/* Some of the tensor's values: a view's rows are its base's. */
gboolean ls_op_reads (const LsPlan *plan, const LsOp *op, guint tensor);
gboolean ls_op_writes (const LsPlan *plan, const LsOp *op, guint tensor);
/* place[i]: in which tensor's memory tensor i may lie, its own, its base's or another's as long (a view at
 * the same element as in its base), in a whole step after which only weights, states, logits,
 * probabilities and losses are read (model/places.c). leader: before which op each one is done at the
 * earliest: of its chain, or of the one that it is joined to. */
void ls_plan_places (const LsPlan *plan, const guint *leader, guint *place);

/* Beside ls_plan_fuse()'s chains: all of chain `other` (the ops with that leader) may be done where chain
 * `head` is, before it, once that has made its outputs. */
gboolean ls_plan_can_join (const LsPlan *plan, const guint *leader, guint head, guint other);
/* The op's output is never in memory where ops with one leader run together: the next of its chain takes it
 * over. leader: as the ops were run. */
gboolean ls_plan_hands_over (const LsPlan *plan, const LsTiling *tilings, guint op);

G_END_DECLS
