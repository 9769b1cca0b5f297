/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of experiments that nobody measured, and the reference as a worker.
 */
#pragma once

#include "lab/kept.h"
#include "lab/lane/worker_lane.h"

LsOptions *rig_options (const char *lanes);
void rig_add (LsLabResult *result, guint lane, double x, double rate, double plain);
/* Of the first lane alone, at three of 13 sizes, or of three where it is whole. */
LsLabResult *rig_sample (const LsExperiment *experiment, const char *lanes, gboolean whole);
void rig_assert_alike (const LsLabResult *a, const LsLabResult *b);
const LsLabWorker *rig_worker (void);
