/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsProgress: what `train` says while it trains, and all commands while they read data. On a terminal one
 * line that is rewritten in place; in a pipe a plain line for each tenth of the way. In both a line of its
 * own when a lane becomes ready or is parked.
 */
#pragma once

#include "data/dataset.h"
#include "train/snapshot.h"

G_BEGIN_DECLS

typedef struct _LsProgress LsProgress;

LsProgress *ls_progress_new (void);
void ls_progress_free (LsProgress *self);
/* Call at most ten times a second. */
void ls_progress_update (LsProgress *self, const LsSnapshot *snapshot);
/* Takes the rewritten line away, so that others may print. */
void ls_progress_clear (LsProgress *self);
/* Of anything else: what is being done, and how far it is. On a terminal at most ten times a second, however
 * often it is called; in a pipe a line when the words are others. */
void ls_progress_part (LsProgress *self, const char *words, guint done, guint total);
/* Where these data take more than a second to be read, it says how far it is, likewise. */
void ls_progress_of_reading (LsDataRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsProgress, ls_progress_free)

G_END_DECLS
