/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsBenchLanes: both lanes as children (child.h) that take turns, by themselves, without other libraries.
 */
#pragma once

#include "core/figure.h"
#include "lab/sweep.h"
#include "ui/cli/bench/child.h"

G_BEGIN_DECLS

typedef struct {
  const LsOptions *options;
  LsBenchChild *children[LS_SWEEP_LANES]; /* NULL: the lane isn't there */
  double busy;                            /* cores that others used before; −1: not known */
} LsBenchLanes;

const char *ls_bench_lane_name (guint lane); /* "cpu": stable, used in files */
const char *ls_bench_lane_title (guint lane);

/* Says who takes part, and whether the machine is busy. LS_ERROR_DEVICE: no lane works. */
gboolean ls_bench_lanes_start (LsBenchLanes *lanes, const LsOptions *options, GError **error);
void ls_bench_lanes_clear (LsBenchLanes *lanes);

/* Rounds in which each child has a turn; a NULL has none. Appends to times (double, µs). Who fails is told on
 * the terminal, with `what` was measured, and has no further turn. */
void ls_bench_take_turns (LsBenchChild *const children[LS_SWEEP_LANES], const char *what, double seconds,
                          guint rounds, guint limit_s, GArray *const times[LS_SWEEP_LANES]);
void ls_bench_complain (guint lane, const char *what, const GError *error);
/* amount per second, from a figure of µs: samples, FLOPs. */
LsFigure ls_figure_per_second (const LsFigure *us, double amount, const char *unit);

/* What a recorded step costs on top of a plain one; n == 0: not measured. */
typedef struct {
  LsFigure percent, plain_us;
  guint events; /* in one */
} LsRecordingCost;

/* Of the mlp with batch 128. */
gboolean ls_bench_recording_cost (LsBenchChild *child, double seconds, guint limit_s, LsRecordingCost *cost,
                                  GError **error);
void ls_bench_print_recording (guint lane, const LsRecordingCost *cost);
/* Which variables of the environment are there, and no child has. */
void ls_bench_print_unset (void);

G_END_DECLS
