/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A curve of millions of steps for a few hundred columns of pixels: of each column the least, the greatest
 * and the median value, in time that depends on the columns and hardly on the steps. What is least and
 * greatest is exact, so no spike is lost; the median is of all steps where a column has at most 32 of them,
 * else of 32 evenly spaced ones. Rates are another matter: single steps are too spiky for a line, so what
 * stands for a column is the running median in its middle.
 */
#pragma once

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

typedef enum {
  LS_CURVE_LOSS,
  LS_CURVE_RATE,     /* samples per second; none of steps that don't count: warm-up, disturbed, recorded,
                        missing ones */
  LS_CURVE_DELTA,    /* |loss − the other lane's loss at the same step|; none where they are equal */
  LS_CURVE_ACCURACY, /* of the test set, asked between steps: as a series it has the losses' steps and
                        values */
  LS_CURVE_N
} LsCurveKind;

typedef struct {
  LsCurveKind kind;
  const LsViewLane *lane;
  const LsViewLane *against; /* LS_CURVE_DELTA: the other lane */
  guint batch;               /* LS_CURVE_RATE: samples in a step */
} LsSeries;

typedef struct {
  guint64 from, end;        /* its steps: from … end − 1; equal: none fall into it */
  double low, high, middle; /* of the finite values; NAN: there is none. Where samples have none, the middle
                               is the high. Of rates the middle is ls_series_smooth() of its middle step, or
                               of the one nearest to it that counts */
} LsColumn;

/* Steps that a running median is of: so many, and at most so far from its step. There is none where fewer
 * are, nor where none is near: at watch pace about twenty don't count between two bursts, which are bridged,
 * and more are a gap. */
#define LS_SMOOTH_STEPS 61
#define LS_SMOOTH_LEAST LS_FIGURE_STANDS_CALM /* no line where no rate could stand */
#define LS_SMOOTH_REACH 244
#define LS_SMOOTH_NEAR  24

/* How many steps it has. */
guint64 ls_series_length (const LsSeries *series);
/* Of step i < length, NAN where it has none. */
double ls_series_value (const LsSeries *series, guint64 i);
/* The running median at step i: of the LS_SMOOTH_STEPS steps with a value that are nearest, as many before it
 * as after it, fewer at the ends and beside gaps; those that took over LS_INTERRUPTED medians are set aside.
 * NAN: there are fewer than LS_SMOOTH_LEAST within LS_SMOOTH_REACH, or none within LS_SMOOTH_NEAR. */
double ls_series_smooth (const LsSeries *series, guint64 i);
/* Steps from … end − 1, at most those there are, in n columns of the same number of steps, give or take
 * one. */
void ls_decimate_steps (const LsSeries *series, guint64 from, guint64 end, guint n, LsColumn *columns);
/* Seconds since the run began, in n columns of the same time; a step belongs to the second at which it
 * ended. */
void ls_decimate_seconds (const LsSeries *series, double from_s, double end_s, guint n, LsColumn *columns);
/* The first step that ended at that second or later; the length if there is none. */
guint64 ls_series_step_at (const LsSeries *series, double second);
/* When step i < length ended, seconds since the run began; NAN if that isn't known. */
double ls_series_second (const LsSeries *series, guint64 i);

G_END_DECLS
