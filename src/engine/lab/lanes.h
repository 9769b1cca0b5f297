/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLabLanes: the lanes of a list (--lanes) as children (child.h), which take turns at what is measured.
 */
#pragma once

#include "core/figure.h"
#include "lab/child.h"
#include "train/lane_spec.h"

G_BEGIN_DECLS

typedef struct {
  GPtrArray *specs; /* LsLaneSpec */
  GCancellable *cancel;
  LsLabChild *children[LS_MAX_LANES]; /* NULL: the lane isn't there, */
  char *why[LS_MAX_LANES];            /* a sentence then */
  double busy;                        /* cores that others used before; −1: not known */
} LsLabLanes;

/* cancel may be NULL. LS_ERROR_USAGE: the list is wrong; LS_ERROR_DEVICE: no lane works; LS_ERROR_CANCELLED.
 */
gboolean ls_lab_lanes_start (LsLabLanes *lanes, const LsOptions *options, GCancellable *cancel,
                             GError **error);
void ls_lab_lanes_clear (LsLabLanes *lanes);
/* "OpenCL lane", "OpenCL (tiled) lane", translated; (transfer full). */
char *ls_lab_lane_title (const LsLabLanes *lanes, guint lane);
/* What a command or a window says of them once they are started, or couldn't be: who takes part, who is
 * missing and why, and whether the machine is busy. problem: it is about something missing or wrong. */
typedef void (*LsLabTell) (gboolean problem, const char *sentence, gpointer data);
void ls_lab_lanes_tell (const LsLabLanes *lanes, LsLabTell tell, gpointer data);
/* One whose process ended is started once more, and again next time. FALSE: it wasn't there from the start,
 * or doesn't start: error is set then. */
gboolean ls_lab_lane_here (LsLabLanes *lanes, guint lane, GError **error);
/* The lane once more, with that many threads. NULL without an error: its device can't be told. */
LsLabChild *ls_lab_lane_with_threads (const LsLabLanes *lanes, guint lane, guint threads, GError **error);

/* Rounds in which each child that isn't NULL has a turn of seconds; fewer where steps are so long that these
 * take more than twice as long. Appends to times (double, µs), one array
 * a lane; one that fails has no further turn, and errors[lane] is set, which is NULL before. */
void ls_lab_take_turns (LsLabChild *const *children, guint n, double seconds, guint rounds, guint limit_s,
                        GArray *const *times, GError **errors);
/* amount per second, from a figure of µs: samples, FLOPs. */
LsFigure ls_figure_per_second (const LsFigure *us, double amount, const char *unit);

/* What a recorded step of the mlp with batch 128 costs on top of a plain one; n == 0: not measured. */
typedef struct {
  LsFigure percent, plain_us;
  guint events; /* in one */
} LsRecordingCost;

gboolean ls_lab_recording_cost (LsLabChild *child, double seconds, guint limit_s, LsRecordingCost *cost,
                                GError **error);

G_END_DECLS
