/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of up to two lanes, which a test of the progress changes from one snapshot to the next.
 */
#pragma once

#include "ui/cli/progress.h"

typedef struct {
  LsOptions *options;
  LsSnapshot s;
  LsProgress *progress;
} Run;

Run *run_new (guint n_lanes, guint64 target);
void run_free (Run *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

void trains (LsLaneSnapshot *lane, guint64 steps, float loss);
void update (const Run *run);
/* Of three kernels, of which so many are done. */
LsBuild *build_of (guint done);
LsFigure rate_of (double value, guint64 n);
