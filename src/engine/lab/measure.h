/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One spot of an experiment, measured on all its lanes: the same way for every experiment.
 */
#pragma once

#include "lab/lanes.h"
#include "lab/result.h"

G_BEGIN_DECLS

/* For seconds in all, each lane in turn. points[i].rate.n == 0: the lane has no point there; errors[i] says
 * why, where there is something to say (both of LS_MAX_LANES, errors NULL before). Lanes whose size doesn't
 * change what they do, and that result has a point of already, aren't measured again. */
void ls_lab_measure (LsLabLanes *lanes, const LsLabResult *result, LsLabSpot spot, double seconds,
                     LsLabPoint *points, GError **errors);

G_END_DECLS
