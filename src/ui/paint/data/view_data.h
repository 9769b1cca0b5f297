/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsViewData: what pictures are made from, whether it comes from a file or from a run that is going on: two
 * sides, each a lane or the reason why there is none, the curves, and one recorded step with its index.
 * Immutable, reference-counted.
 */
#pragma once

#include "claims/claims.h"
#include "lab/result.h"
#include "machines/converted/converted.h"
#include "machines/hardware.h"
#include "machines/kept/memo.h"
#include "train/fairness.h"
#include "train/snapshot.h"
#include "ui/paint/data/change.h"
#include "ui/paint/data/difference.h"
#include "ui/paint/data/op_times.h"
#include "ui/paint/data/pair.h"
#include "ui/paint/data/step_index.h"
#include "ui/paint/scene/style.h"

G_BEGIN_DECLS

/* Of what the largest difference between the lanes is. */
typedef enum {
  LS_DELTA_WEIGHTS, /* max |Δ|: of any element of the weights */
  LS_DELTA_LOSSES,  /* weights weren't compared since: two losses differ by this */
} LsDeltaOf;

/* How far the losses of all steps and the newest answers to the test set agree. */
typedef struct {
  guint64 compared;          /* steps; 0: nothing was */
  double loss_delta;         /* two losses of one step differ by so much at most */
  double tolerance;          /* losses that differ by no more agree: ls_agree_loss(); 0: LS_AGREE_LOSS */
  guint64 apart_step;        /* the first, from 1, whose losses differ by more; 0: none does */
  guint64 skip_step;         /* the first, from 1, that one lane in fp16 alone has skipped; 0: none was */
  gint64 answers, n_answers; /* so many of n differ; −1: not known for the same weights */
} LsAgreed;

typedef struct {
  gboolean there; /* FALSE: there is no such lane; message says why, `hint` what goes on */
  const char *id; /* as train/lane_spec.h has it, interned; NULL where there is no lane */
  LsBackendKind who;
  guint ink; /* LsStyle.stands */
  LsLaneState state;
  char *message;    /* why there is no picture, or none that moves: one sentence, or NULL */
  char *words;      /* the device's own, or NULL */
  char *hint;       /* what is shown instead, or NULL */
  double progress;  /* 0 … 1 of what is being built; NAN: nothing is */
  LsBuild *build;   /* while it comes: how far its kernels are; NULL: it has none, or they aren't known yet */
  gboolean waits;   /* it stands after `steps` until lanes that still come have caught up with it */
  gboolean overdue; /* it comes, and the others have gone on without it */
  guint64 joined;   /* it began with another lane's weights after so many steps; 0: with the first ones */
  guint64 stopped_at;    /* the step, from 1, at which the lane failed or hung; 0: it didn't */
  char *name;            /* "CPU", "OpenCL (tiled)", "OpenCL on the CPU" */
  char *brief;           /* the same without the device: "CPU", "OpenCL (tiled)", "Reference" */
  char *device;          /* "Laptop GPU, 24 compute units"; "" where the name says it */
  LsPrecision precision; /* that it stores numbers in */
  LsLossScale scale;     /* of a lane that trains now, in fp16; else all zero */
  char **conditions;     /* "8 threads", "OpenBLAS 0.3.21", "fp32" */
  char *recorded_on;     /* "recorded on …, 2025-11-07", or NULL while live */
  char *notice; /* of a lane that goes on: "Edited kernels aren't used: gemm_tiled.cl:45: …", or NULL */
  gboolean walk_coming; /* the kernel of the walk that was asked for is being built */
  gboolean shares_cpu;
  LsChange change; /* what the latest change of settings did: rates before and after, both measured */
  guint64 steps;   /* that the curves hold */
  double accuracy; /* NAN: not measured */
  LsFigure loss, rate, delta;
  LsDeltaOf delta_of;
  guint64 loss_step;        /* of the loss, from 1 */
  LsCounted counted;        /* the steps behind the rate, of the curve */
  LsStepIndex *index;       /* of the recorded step, or NULL */
  LsStepIndex *finer;       /* of the same step, cut finer for looking at; or NULL */
  guint lane;               /* in the recording */
  LsCurve *curve;           /* the run's or the recording's; NULL: no step */
  LsPair *pair;             /* of the left lane: its curve and the right one's; NULL: there are no two */
  GArray *accuracies;       /* LsAccuracy, or NULL */
  LsEvaluation *evaluation; /* what it said of the test set, or NULL */
  LsAnswer *answer;         /* to a question of the user's, or NULL */
  const LsRecordedLane *recorded; /* what is drawn of the lane, or NULL; of `held` or of the data's
                                     recording */
  LsRecording *held; /* a lane that stopped keeps its last complete step, whatever the others record; or
                        NULL */
} LsViewLane;

/* A lane that may be chosen for a side. */
typedef struct {
  const char *id;     /* interned */
  char *name, *brief; /* as a lane's */
  guint ink;
  LsBackendKind who;
  LsLaneSpec *spec; /* NULL: a recording's that this program can't read */
} LsViewName;

/* Of a list of lanes (LsLaneSpec), with the inks that they have in a run. (transfer full) */
GArray *ls_view_names_of (const GPtrArray *specs);

/* An earlier run, for comparison: its curves, no picture. Immutable, reference-counted. */
typedef struct {
  gint ref_count;
  char *label; /* what was set: "batch 128, lr 0.05" */
  guint batch;
  LsViewLane sides[LS_SIDES];
} LsRunCurves;

LsRunCurves *ls_run_curves_new (const char *label, const LsSnapshot *snapshot);
LsRunCurves *ls_run_curves_ref (LsRunCurves *run);
void ls_run_curves_unref (LsRunCurves *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRunCurves, ls_run_curves_unref)

/* What the laboratory measures now. */
typedef struct {
  const LsExperiment *experiment; /* NULL: none, */
  const char *claim;      /* but this claim is run: interned; NULL: neither, which leaves `converting` */
  LsLabResult *result;    /* so far; NULL: no lane is known yet */
  LsLabSpot spot;         /* x 0: the lanes are being opened */
  guint done, n;          /* spots, or a claim's turns */
  double seconds_left;    /* at most, as far as one knows */
  const char *converting; /* the network is converted: what is being done, interned; NULL: it isn't */
} LsViewLab;

/* Something is measured, run or converted: a button that would begin so stops it. */
static inline gboolean
ls_view_lab_works (const LsViewLab *lab)
{
  return lab->experiment != NULL || lab->claim != NULL || lab->converting != NULL;
}

typedef struct _LsViewData {
  gint ref_count;
  LsRecording *recording; /* NULL: nothing was recorded yet */
  LsViewLane sides[LS_SIDES];
  GArray *names;     /* LsViewName: all lanes, in the order of --lanes */
  GPtrArray *others; /* LsViewLane: those that stand on no side, with their curves alone */
  LsPlan *plan;      /* the ops of a step, before there is a recorded one; NULL: played back */
  char *title;       /* "784-256-128-10 on mnist, batch 128" */
  char *brief;       /* "mlp on mnist, batch 128" */
  char *when;        /* "step 1 240 of 4 690, played back" */
  char *program, *date;
  guint batch;
  guint64 steps_per_epoch; /* 0: not known */
  guint64 step;            /* that training has come to; 0: none yet */
  LsAgreed agreed;
  LsFairness *fairness; /* of the lanes on both sides; NULL: there are no two */
  guint64 target;       /* G_MAXUINT64: without end; 0: not known */
  gboolean live, running, turns;
  gint64 tests;       /* samples of the test set that the lanes can be asked about; 0: nobody can be asked */
  gint64 sample_size; /* numbers in a sample, where they can; 0: not known */
  char *disagree[2];  /* the lanes compute different things: where, and both values; NULL: they don't */
  LsDifference difference; /* where, if it was found */
  char *aside;   /* an interrupted recorded step that isn't shown: which and why, a sentence's middle; NULL:
                    there is none */
  guint n_aside; /* how many of them there were; aside is the newest, */
  guint64 aside_step;  /* that step, from 1, */
  guint aside_side;    /* interrupted on this lane */
  LsOpTimes *op_times; /* of the recorded steps up to now; or NULL */
  GPtrArray *runs;     /* LsRunCurves, the oldest first, or NULL */
  GPtrArray *lab;      /* LsLabResult (lab/result.h): experiments with these lanes, here or where it was
                          recorded; or NULL */
  LsViewLab measuring;
  LsMachineMemo *modelled;                /* what models made of such steps: handed on from data to data */
  LsCatalogue *catalogue;                 /* what is published of devices; or NULL */
  LsClaims *claims;                       /* sentences, guesses and what came out here; or NULL */
  LsConverted *converted[LS_CONVERTED_N]; /* what became of this network in other numbers, here; each may be
                                             NULL */
  char *today;                            /* "2026-11-23": live; or the recording's day; NULL: not known */
  struct _LsViewData *other;              /* another recorded step to hold this one against, or NULL */
} LsViewData;

/* What is told besides a recording or a snapshot; all of it may be NULL or 0. */
typedef struct {
  LsViewData *other;      /* another recorded step to hold this one against */
  const char *origin;     /* "Saturn, 2025-11-07": both heads say that it was recorded there */
  const LsViewData *held; /* losses and curves stay those of this earlier data of the same run: strokes are
                             what costs most in a picture */
  GPtrArray *runs;        /* LsRunCurves */
  GPtrArray *lab;         /* LsLabResult */
  LsCatalogue *catalogue;
  LsClaims *claims;
  LsConverted *converted[LS_CONVERTED_N];
  LsViewLab measuring;
  char *today; /* "2026-11-23" */
  LsOpTimes *op_times;
  const char *stands[LS_SIDES];   /* the ids of the lanes that were chosen for the sides; NULL: none was */
  LsChange changes[LS_MAX_LANES]; /* by the snapshot's lanes */
  const char *kernel_problem;     /* why edited kernels aren't used: in the heads of lanes that have some */
  struct {
    guint n;           /* recorded steps that were interrupted aren't shown; of the newest: */
    guint64 step;      /* from 1 */
    guint side;        /* on which it was, */
    const char *words; /* and ls_typical_interruption() */
  } aside;
  gint64 tests, sample_size;
} LsViewBeside;

/* beside: may be NULL. */
LsViewData *ls_view_data_from_recording (LsRecording *recording, const LsViewBeside *beside);
/* previous: may be NULL; its index is used again where the recorded step is the same. */
LsViewData *ls_view_data_from_snapshot (const LsSnapshot *snapshot, const LsViewData *previous,
                                        const LsViewBeside *beside);
/* Before there is a snapshot: lanes that are opening, and the ops that they will do. NULL where these aren't
 * known before the data are read, or the options are wrong. */
LsViewData *ls_view_data_before (const LsOptions *options);
/* The same run, its heads and curves as they are, with the picture of an earlier recorded step. previous:
 * likewise. */
LsViewData *ls_view_data_with_recording (const LsViewData *live, LsRecording *recording,
                                         const LsViewData *previous);
/* The same with what the lanes have answered meanwhile: nothing else is newer. NULL: they have answered
 * nothing new. */
LsViewData *ls_view_data_with_answers (const LsViewData *data, const LsSnapshot *snapshot);
LsViewData *ls_view_data_ref (LsViewData *data);
void ls_view_data_unref (LsViewData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsViewData, ls_view_data_unref)

/* What is there of that experiment: what is being measured, or was; NULL: nothing. */
const LsLabResult *ls_view_data_lab (const LsViewData *data, const LsExperiment *experiment);

/* What the catalogue has of the device that the lane's recorded step ran on; NULL: it isn't sure to know it.
 */
const LsHardware *ls_view_data_published (const LsViewData *data, const LsViewLane *lane);

/* The step, from 1, whose picture is shown of that lane; 0: none. */
guint64 ls_view_data_shown_step (const LsViewData *data, guint side);
/* "1 240 of 4 690": of a live run, of `step` of it. (transfer full) */
char *ls_view_data_step_words (const LsViewData *data, guint64 step);
/* The side on which a lane of that kind stands: CPU kinds are looked for left first, OpenCL right; that side
 * where there is none. */
static inline guint
ls_view_data_side_of (const LsViewData *data, LsBackendKind who)
{
  const guint first = who == LS_BACKEND_OPENCL;

  return data->sides[first].who != who && data->sides[1 - first].who == who ? 1 - first : first;
}

/* Workers of a pool share its tiles; otherwise a device computes work-groups. */
static inline gboolean
ls_lane_has_workers (const LsViewLane *lane)
{
  return lane->who != LS_BACKEND_OPENCL;
}

/* What the lanes on stage store numbers in: "fp32", or of each "fp32/bf16". (transfer full) */
char *ls_view_data_precision (const LsViewData *data);
/* The value of that option (core/options.h) with which the lane did the recorded step: its own, or the run's.
 * (transfer full); NULL: not told. */
char *ls_view_data_option (const LsViewData *data, guint side, const char *name);
/* Step i < lane->steps of the curves. */
LsPoint ls_view_lane_point (const LsViewLane *lane, guint64 i);

G_END_DECLS
