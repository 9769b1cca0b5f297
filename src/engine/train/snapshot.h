/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSnapshot: what may be shown of a run at one moment; immutable and reference-counted. The coordinator
 * publishes at most 60 a second; a reader takes the newest by exchanging it with NULL (ls_coordinator_take),
 * so nobody waits for anybody.
 */
#pragma once

#include "backends/backend.h"
#include "backends/build.h"
#include "core/figure.h"
#include "files/recording.h"
#include "trace/curve.h"
#include "train/lane/ask.h"
#include "train/lane/compare.h"
#include "train/lane/state.h"
#include "train/lane_spec.h"

G_BEGIN_DECLS

/* Steps at the start of a lane that don't count: caches, pages and clocks settle. */
#define LS_WARM_UP_STEPS 10

/* A lane's weights after so many steps, as they were read for a check; immutable, a g_atomic_rc_box. */
typedef struct {
  guint64 step;
  LsPlan *plan;
  float **values; /* of plan->params[i].weight */
} LsHeldWeights;

LsHeldWeights *ls_held_weights_ref (LsHeldWeights *weights);
void ls_held_weights_unref (LsHeldWeights *weights);

/* What else the lanes' rates depended on of late, while they trained. */
typedef struct {
  guint processors;               /* 0: nothing was looked at yet */
  double others;                  /* cores that other programs used; −1: not told, or not yet */
  double clock_mhz[LS_MAX_LANES]; /* of the processors, while that lane was at its steps; 0: not told */
} LsMachineLoad;

/* What changes rarely about a lane, shared by many snapshots. */
typedef struct {
  LsDeviceInfo *device;
  LsTiling *tilings; /* plan->n_ops, or NULL before it is ready */
} LsLaneFacts;       /* a g_atomic_rc_box */

LsLaneFacts *ls_lane_facts_ref (LsLaneFacts *facts);
void ls_lane_facts_unref (LsLaneFacts *facts);

typedef struct {
  LsLaneSpec *spec;
  LsLaneState state;
  char *message;      /* FAILED, HUNG: why, one sentence */
  guint64 retry_step; /* FAILED, HUNG: after so many steps would it go on now, if retried; 0: from the
                         beginning */
  guint build_done, build_total;
  LsBuild *build;     /* BUILDING, of a backend that has kernels: which there are and which are to come; else
                         NULL */
  double busy_s;      /* READY, but at one job for so long that the others go on without it; else 0 */
  gboolean builds;    /* that job: it builds kernels, build_done of build_total */
  gboolean waits;     /* READY, but stands after `steps` until lanes that are still coming have caught up with
                         it */
  gboolean overdue;   /* OPENING or BUILDING for so long that the others have gone on without it */
  guint64 joined;     /* it began with another lane's weights after so many steps; 0: with the first ones */
  LsLaneFacts *facts; /* NULL until it is ready for the first time */
  guint64 steps;      /* done, by it or, where it was retried, by the lane whose weights it took over */
  LsCurve *curve;     /* `steps` points may be read; another one, and a shorter, once a retry began further
                         back */
  float loss;         /* of the newest step; NAN before the first, also after a retry */
  LsLossScale scale;  /* after that step; all zero: nothing is scaled, and none of its steps was skipped */
  guint64 rate_from;  /* rate and step_us are of steps from here on: before, the lane computed in another
                         way */
  LsFigure rate;      /* samples/s: batch over the lane's own step time */
  LsFigure step_us;
  LsCounted counted;        /* the steps behind both */
  double accuracy;          /* on the test set, 0 … 1; NAN before the first evaluation */
  guint64 accuracy_step;    /* after so many steps */
  GArray *accuracies;       /* LsAccuracy, all of them by steps; shared and never changed; NULL: none */
  gboolean kernels_coming;  /* edited kernels are being tried beside the lane, build_done of build_total; it
                               goes on meanwhile */
  gboolean walk_coming;     /* the kernel of the walk that is wished for is being built beside the lane */
  guint kernels_serial;     /* sets of them that have come to an end: */
  double kernels_s;         /* after so long was the newest in use, or not, */
  char *kernels_message;    /* because of this: the compiler's message, of many lines; NULL: it is in use */
  LsEvaluation *evaluation; /* what the newest evaluation said of each test sample, or NULL */
  LsAnswer *answer;         /* to the newest question that it has answered, or NULL */
} LsLaneSnapshot;

/* Lanes whose losses are farther apart than this, times the loss where that is above 1, in the mean of some
 * 16 steps, do different work. Rounding alone moves single steps apart, too: lanes add in different orders,
 * and training multiplies the difference. Measured in 1,500 steps of the preset cnn: at most 0.03 in one
 * step, 0.005 in the mean, and weights 15 % apart, so weights tell nothing here. A wrong kernel keeps a loss
 * that begins at ln 10 apart by more than 0.1. */
#define LS_DISAGREE_LOSS  0.05
#define LS_DISAGREE_STEPS 16

/* Losses agree that are no farther apart than this, times the loss where that is above 1. Farther, and the
 * lanes still do the same work, rounding differs: training has multiplied what sums in another order left.
 * Where both add in one order, or for some epochs of the mlp, nothing comes near it. */
#define LS_AGREE_LOSS 0.001

/* The same of lanes that store numbers so: in 16 bits one rounding to what is stored, half a unit in the last
 * place of the coarser of the two, comes on top. */
static inline double
ls_agree_loss (LsPrecision a, LsPrecision b)
{
  const gboolean bf16 = a == LS_PRECISION_BF16 || b == LS_PRECISION_BF16,
                 fp16 = a == LS_PRECISION_FP16 || b == LS_PRECISION_FP16;

  return bf16 || fp16 ? LS_AGREE_LOSS + ls_dtype_info (bf16 ? LS_BF16 : LS_F16)->epsilon / 2 : LS_AGREE_LOSS;
}

/* Losses are farther apart than that, or one alone is a number; two of which neither is are alike. */
gboolean ls_agree_apart (double first, double second, double tolerance);

/* How far lanes are from the first lane that works. */
typedef struct {
  guint64 losses_compared; /* pairs of them, */
  guint64 losses_steps;    /* of so many steps */
  guint64 losses_end;      /* all of them are before this one, from 0 */
  double loss_delta_max;   /* max |Δ| of the loss over all steps compared */
  guint64 loss_delta_step; /* from 0 */
  gboolean precisions; /* lanes that were compared store numbers in different precisions: they differ, rightly
                        */
  double tolerance;    /* ls_agree_loss() of the lanes that were compared, the most of any two; 0: none was */
  guint64 apart_step;  /* from 1: the first of them beyond that of its two lanes; 0: none was */
  guint64 skip_step;   /* from 1: the first that one lane in fp16 skipped, and another one didn't; 0: none */
  guint64 weights_compared;  /* times all weights were compared */
  guint64 weights_step;      /* after so many steps, last time */
  double weights_delta_max;  /* max |Δ| of any weight then */
  double weights_relative;   /* largest over tensors of ‖Δ‖ / ‖w‖ then */
  char *weights_tensor;      /* in which tensor */
  guint weights_kept;        /* of so many steps they are kept for lanes that are behind */
  gboolean disagree;         /* losses were beyond LS_DISAGREE_LOSS, or only one of them a finite number: */
  guint64 disagree_step;     /* the first such step, from 0, */
  guint disagree_lanes[2];   /* of these lanes, */
  double disagree_losses[2]; /* and its losses */
  gboolean examined;  /* both lanes have run a step op by op, as far as they work and have the memory; */
  gboolean found;     /* and an output is beyond its bound: */
  LsComparison first; /* the first such; its lane is a lane of the snapshot */
  guint64 first_step; /* in this step, from 0 */
} LsAgreement;

typedef struct {
  gint ref_count;
  guint64 serial;
  guint64 time_ns; /* CLOCK_MONOTONIC_RAW */
  LsPlan *plan;
  LsOptions *options;
  gboolean running;
  gboolean turns; /* the lanes take turns; otherwise they race */
  LsMachineLoad load;
  guint64 target; /* steps that are to be done; LS_CURVE_MAX where there is no end (LS_STEPS_ENDLESS) */
  char *message;  /* why no step follows although more were asked for, one sentence; or NULL */
  guint64 steps_per_epoch;
  guint64 begun; /* the run goes on after so many steps of an earlier one; 0: it began at the first */
  guint n_lanes;
  LsLaneSnapshot lanes[LS_MAX_LANES];
  LsAgreement agreement;
  LsRecording *recording;  /* the newest recorded step of all lanes, or NULL */
  char *recording_message; /* why the step recorded last isn't there, one sentence; or NULL */
  LsHeldWeights *weights;  /* those that were asked for last (ls_coordinator_hold_weights()), or NULL */
} LsSnapshot;

LsSnapshot *ls_snapshot_ref (LsSnapshot *snapshot);
void ls_snapshot_unref (LsSnapshot *snapshot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSnapshot, ls_snapshot_unref)
/* Every lane that works has done its steps and has been evaluated after them, and no other is expected. */
gboolean ls_snapshot_ended (const LsSnapshot *snapshot);

G_END_DECLS
