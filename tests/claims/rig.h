/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims that nobody ships, and figures that nobody measured.
 */
#pragma once

#include "claims/run.h"
#include "claims/tables.h"
#include "tempdir.h"

/* Of two training steps "a" (cpu) and "b" (opencl), and what is added as further members, such as
 * "\"true\": {\"from\": 2}, \"outcomes\": […]"; claimed: "\"value\": 2, \"unit\": \"×\"". */
LsClaim *rig_claim (const TempDir *dir, const char *name, const char *claimed, const char *more);
/* With nothing known of its ways. */
void rig_known (const LsClaim *claim, LsClaimKnown *known);
LsFigure rig_figure (double q1, double median, double q3);
/* The result that follows; (transfer full). */
LsClaimResult *rig_conclude (LsClaimKnown *known, gboolean stand_in, const char *why);
void rig_assert_text (char *text, const char *wanted);
