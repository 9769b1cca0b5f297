/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results on disk, in the user's data folder: of each experiment, list of lanes and time the last that was
 * finished, and one that was broken off. Those of another machine or version aren't used, nor are damaged
 * ones.
 */
#pragma once

#include "lab/result.h"

G_BEGIN_DECLS

/* Where they are; `made`: it is made if it isn't there. LS_ERROR_FILE. (transfer full) */
char *ls_lab_folder (gboolean made, GError **error);

/* The newest that was finished, or that was broken off. NULL: there is none; *why is a sentence where the
 * newest file can't be used, else NULL. Both (transfer full). */
LsLabResult *ls_lab_kept (const LsExperiment *experiment, const LsOptions *options, gboolean finished,
                          char **why);
/* The newest that was finished on another machine or by another version: to be shown as such. NULL: the
 * newest isn't. (transfer full) */
LsLabResult *ls_lab_kept_foreign (const LsExperiment *experiment, const LsOptions *options);
/* The one of that time, to go on with: broken off unless it is `finished`. */
LsLabResult *ls_lab_kept_exactly (const LsExperiment *experiment, const LsOptions *options, gboolean finished,
                                  guint seconds, guint rounds, char **why);
/* All finished ones of these lanes, in the table's order; those that can't be used aren't spoken of.
 * (transfer full) */
GPtrArray *ls_lab_kept_all (const LsOptions *options);
/* The recording with those of its lanes in it, if it has none; it must have been made here. (transfer full)
 */
LsRecording *ls_lab_kept_with (LsRecording *recording);
/* A finished one takes the place of the one that was broken off, too. What can't be used and is in its place
 * stays beside it, with “~” behind its name. LS_ERROR_FILE. */
gboolean ls_lab_keep (const LsLabResult *result, GError **error);

/* So that no other program measures meanwhile: a descriptor to be closed afterwards; −1: one does. Where
 * there can be no file to lock, nobody is held off. */
int ls_lab_lock (void);

G_END_DECLS
