/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsKeeper: keeps one window's run on disk, in the user's data folder, so that it can go on after a crash.
 * Each window has a folder of its own there (runs/1, runs/2 …), whose lock it holds as long as it lives: one
 * that nobody holds is of a window that crashed. run.json is written last, and what it doesn't name any more
 * is removed after that: at whatever moment the program ends, what run.json names is there and belongs
 * together. Nothing hangs on the time of day. No toolkit.
 */
#pragma once

#include "ui/app/session/kept_run.h"

G_BEGIN_DECLS

typedef struct _LsKeeper LsKeeper; /* a g_atomic_rc_box */

/* Touches no file yet. */
LsKeeper *ls_keeper_new (void);
LsKeeper *ls_keeper_ref (LsKeeper *self);
void ls_keeper_unref (LsKeeper *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKeeper, ls_keeper_unref)

/* Keeps that instead of what it kept before; weights: of plan->params. Waits for the disk. LS_ERROR_FILE:
 * what was kept before still is, if the folder is still there. */
gboolean ls_keeper_save (LsKeeper *self, const LsOptions *options, const LsPlan *plan, guint64 step,
                         const float *const *weights, LsRecording *recording, GError **error);
/* The newest run of windows that crashed, which no other window finds from now on; NULL: there is none. Older
 * ones are removed, and so are damaged ones: then *why is a sentence, else NULL. Waits for the disk.
 * (transfer full) */
LsKeptRun *ls_keeper_find (LsKeeper *self, char **why);
/* The window ends in peace: what it kept is removed, and nothing is kept any more; what it found is removed,
 * too, if the user has decided about it: else the next window finds it. Where something is just being kept,
 * that is waited for, for a second. */
void ls_keeper_end (LsKeeper *self, gboolean decided);

G_END_DECLS
