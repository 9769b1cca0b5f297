/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results on disk, in the user's data folder: of each experiment and list of lanes the last that was
 * finished, and one that was broken off. Those of another machine or version aren't used, nor are damaged
 * ones.
 */
#pragma once

#include "lab/result.h"

G_BEGIN_DECLS

/* The finished one, or the one that was broken off. NULL: there is none; *why is a sentence where a file is
 * there that can't be used, else NULL. Both (transfer full). */
LsLabResult *ls_lab_kept (const LsExperiment *experiment, const LsOptions *options, gboolean finished,
                          char **why);
/* All finished ones of these lanes, in the table's order; those that can't be used aren't spoken of.
 * (transfer full) */
GPtrArray *ls_lab_kept_all (const LsOptions *options);
/* The recording with those of its lanes in it, if it was made here and has none. (transfer full) */
LsRecording *ls_lab_kept_with (LsRecording *recording);
/* A finished one takes the place of the one that was broken off, too. What can't be used and is in its place
 * stays beside it, with “~” behind its name. LS_ERROR_FILE. */
gboolean ls_lab_keep (const LsLabResult *result, GError **error);

G_END_DECLS
