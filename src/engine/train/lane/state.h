/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a lane is.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_LANE_OPENING,  /* looks for its device, loads its driver */
  LS_LANE_BUILDING, /* allocates and compiles: build_done of build_total */
  LS_LANE_READY,
  LS_LANE_FAILED, /* parked with its message; the others go on */
  LS_LANE_HUNG,   /* gave no answer in time and was abandoned */
} LsLaneState;

const char *ls_lane_state_name (LsLaneState state);

G_END_DECLS
