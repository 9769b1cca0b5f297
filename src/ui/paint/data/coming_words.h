/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes that come, that wait for them, and that joined late: which these are, and their sentences.
 */
#pragma once

#include "ui/paint/data/decimate.h"

G_BEGIN_DECLS

/* Looks for its device or builds its kernels, and has no picture meanwhile. */
gboolean ls_lane_coming (const LsViewLane *lane);
/* It works, but is not in the step that is shown. */
gboolean ls_lane_unrecorded (const LsViewLane *lane);
/* The sentence in its head holds the time that is left, which is derived from what has been compiled. */
gboolean ls_lane_left_told (const LsViewLane *lane);

/* A lane that began with another one's weights: from which step on, among what it ran with. */
void ls_coming_joined (LsViewLane *sides);
/* Of lanes that come: message, words, hint; of one that works but isn't in the record: message. */
void ls_coming_say (LsViewData *data);
/* "5 steps trained, now it waits." and what it waits for; (transfer full) both, NULL where it doesn't
 * wait. */
char *ls_coming_waits (const LsViewData *data, guint side, char **why);
/* "OpenCL joins at step 1, from the same weights": what stands in a curve's plot for a lane that has none
 * yet; (transfer full), NULL: there is no such lane. */
char *ls_coming_curve (const LsViewData *data, LsCurveKind kind);

/* "3 of 6 kernels built."; (transfer full), NULL: it doesn't come, or without. */
char *ls_coming_built (const LsViewLane *lane);

G_END_DECLS
