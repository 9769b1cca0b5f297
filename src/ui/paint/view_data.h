/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsViewData: what pictures are made from, whether it comes from a file or from a run that is going on: two sides, each a
 * lane or the reason why there is none, the curves, and one recorded step with its index. Immutable, reference-counted.
 */
#pragma once

#include "train/snapshot.h"
#include "ui/paint/step_index.h"
#include "ui/paint/style.h"

G_BEGIN_DECLS

typedef struct {
  gboolean there;            /* FALSE: message says why, `hint` what to do */
  LsLaneState state;
  char *message, *hint;      /* one sentence each, or NULL */
  char *name;                /* "CPU", "OpenCL", "OpenCL on the CPU" */
  char *device;              /* "Laptop GPU, 24 compute units"; "" where the name says it */
  char **conditions;         /* "8 threads", "OpenBLAS 0.3.21", "fp32" */
  char *recorded_on;         /* "recorded on …, 2025-11-07", or NULL while live */
  gboolean shares_cpu;
  guint64 steps;             /* that the curves hold */
  double accuracy;           /* NAN: not measured */
  LsFigure loss, rate, delta;
  const char *delta_of;      /* "loss", "weights": translated, static */
  guint warm_up;             /* steps left out */
  LsStepIndex *index;        /* of the recorded step, or NULL */
  guint lane;                /* in the recording */
  LsCurve *curve;            /* the run's or the recording's; NULL: no step */
  const LsRecordedLane *recorded;
} LsViewLane;

typedef struct {
  gint ref_count;
  LsRecording *recording;    /* NULL: nothing was recorded yet */
  LsViewLane sides[LS_SIDES];
  char *title;               /* "784-256-128-10 on mnist, batch 128" */
  char *when;                /* "step 1 240 of 4 690, played back" */
  char *program, *date;
  guint batch;
  gboolean live, turns;
} LsViewData;

LsViewData *ls_view_data_from_recording (LsRecording *recording);
/* previous: may be NULL; its index is used again where the recorded step is the same. */
LsViewData *ls_view_data_from_snapshot  (const LsSnapshot *snapshot, const LsViewData *previous);
/* "Saturn, 2025-11-07": both heads say that it was recorded there. Before anyone else sees the data. */
void        ls_view_data_set_origin (LsViewData *data, const char *origin);
LsViewData *ls_view_data_ref   (LsViewData *data);
void        ls_view_data_unref (LsViewData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsViewData, ls_view_data_unref)

/* Step i < lane->steps of the curves. */
LsPoint     ls_view_lane_point (const LsViewLane *lane, guint64 i);
/* Samples per second of that step, NAN if it took no time. */
double      ls_view_lane_rate  (const LsViewData *data, const LsViewLane *lane, guint64 i);

G_END_DECLS
