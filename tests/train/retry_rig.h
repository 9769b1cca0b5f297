/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of retried lanes share: a lane that breaks when told to, and what is to be seen of lanes
 * that went on.
 */
#pragma once

#include "rig.h"

/* The reference, but for a run and reads that fail when told to. */
typedef struct {
  gint runs_left; /* atomic: so many run() succeed, the next one fails; below 0: never */
  gint fail_read; /* atomic: read() fails */
  gint slow_ms;   /* atomic: run() takes so long more */
} Fragile;

extern Fragile fragile;

/* Also sets `fragile` to one that does nothing wrong. */
const LsBackend *fragile_backend (void);
/* second, third: NULL for fewer lanes. */
LsCoordinator *start_lanes (LsOptions *options, const LsBackend *first, const LsBackend *second,
                            const LsBackend *third);
/* Snapshots until lane's state is that; the first such. */
LsSnapshot *await_state (LsCoordinator *c, guint lane, LsLaneState state);
LsSnapshot *run_to (LsCoordinator *c, guint64 steps);
/* The lanes have reached their target: those opened anew join the others there. */
void retry_at_rest (LsCoordinator *c);
guint64 count_missing (const LsLaneSnapshot *lane);
/* Lanes 0 and 1 have done `steps`, in step, and all points that both have are the same bits. */
void assert_agree (const LsSnapshot *s, guint64 steps);
