/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a recorded step is like the others of its run: held against the medians of the lanes' rates, once
 * these stand. And of one that isn't, and of a long wait within a step, why, as far as that was recorded.
 */
#pragma once

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

/* A step that took longer than so many medians was interrupted: it is drawn only when asked for. */
#define LS_INTERRUPTED 2.

typedef enum {
  LS_STEP_UNKNOWN, /* no rate stands that it could be held against */
  LS_STEP_TYPICAL, /* in each lane within the middle half, or within a quarter of the median */
  LS_STEP_UNUSUAL,
  LS_STEP_INTERRUPTED, /* in a lane longer than LS_INTERRUPTED medians */
} LsStepKind;

/* The lane's median step, ns; 0: its rate doesn't stand. */
double ls_typical_median_ns (const LsViewData *data, guint side);
/* The same of its recorded steps, which times tells (NULL: none), where recording makes them much longer:
 * those of a small network. Then a recorded step is held against its like. 0: it doesn't, or isn't known. */
double ls_typical_recorded_ns (const LsViewData *data, const LsOpTimes *times, guint side);
/* The recorded step by the medians of data's lanes. *distance: of the lane that is farthest from its median,
 * how many times as long or as short, as a logarithm; 0 where that isn't known. */
LsStepKind ls_typical_judge (const LsViewData *data, const LsOpTimes *times, const LsRecording *recording,
                             double *distance);
/* The same of what is shown of one lane. */
LsStepKind ls_typical_lane (const LsViewData *data, guint side);
/* A wait longer than so much of its step says why. */
#define LS_WAIT_WORTH .1

/* Sets data->when: the step that training has come to, and which one is shown. */
void ls_typical_tell (LsViewData *data);
/* "step 1 204 took 27 ms on CPU, median 1.4 ms: worker 1 was held up 26 ms in a tile of dW₁". *on: the side
 * of that lane. (transfer full), NULL: it wasn't interrupted. */
char *ls_typical_interruption (const LsViewData *data, const LsOpTimes *times, const LsRecording *recording,
                               guint *on);
/* Why the shown step of that lane took so long: "worker 1 was held up 26 ms in a tile of dW₁; in its tiles of
 * this step it was off its core for at least 25 ms", or no more than that it was held up; "worker 0 was off
 * its core for at least 26 ms", "26 ms in the driver’s queue", "26 ms while the other lane ran", else "not
 * recorded why". (transfer full) */
char *ls_typical_why (const LsRecording *recording, const LsStepIndex *index);
/* The same of a stretch without an op, ns since the lane's start of the step, without its length: "in the
 * driver’s queue". */
const char *ls_typical_wait (const LsRecording *recording, const LsStepIndex *index, gint64 from, gint64 to);

G_END_DECLS
