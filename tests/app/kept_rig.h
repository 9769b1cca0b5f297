/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run to be kept, and windows that crash.
 */
#pragma once

#include "train/coordinator.h"
#include "ui/app/session/keeper.h"

G_BEGIN_DECLS

#define KEPT_STEP 20

/* A small one that was trained for KEPT_STEP steps on the reference; options as given: spiral, batch 64, seed
 * 5, 40 steps. Its snapshot has the weights and the recording of the last. (transfer full) */
LsSnapshot *kept_snapshot (void);
/* A window keeps it, and crashes. */
void kept_crash (const LsSnapshot *run);
/* …/runs; all that is in it, or in that folder of it, sorted, "1/lock 1/run.json". (transfer full) */
char *kept_runs (void);
char *kept_list (void);
void kept_assert_list (const char *expected);
char *kept_in_runs (const char *name); /* (transfer full) */
/* With the weights of that snapshot. */
gboolean kept_save (const LsSnapshot *run, LsKeeper *keeper, guint64 step, LsRecording *recording,
                    GError **error);

G_END_DECLS
