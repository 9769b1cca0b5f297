/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invented steps for the playhead's tests, and playing one to its end.
 */
#pragma once

#include "fixture.h"
#include "ui/app/session/playhead.h"

#define FRAME_S (1. / 60)

LsViewData *steps_fixture (LsKnown known, gboolean fused);
/* A step of n ops one after the other, on one lane: op i lasts ns[i]; a gap of gap_ns before each. All other
 * ops of the plan have left no event. */
LsViewData *steps_of (const gint64 *ns, guint n, gint64 gap_ns);
const LsPlayheadOp *steps_op (const LsPlayhead *p, guint at);
/* Plays until the step is done; returns the seconds on screen. Counts how often the op became another. */
double steps_play (LsPlayhead *p, double frame_s, guint *n_ops);
