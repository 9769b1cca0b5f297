/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The run that a recorded step is of, begun again: a recording keeps its network's text and its options.
 */
#pragma once

#include "core/options.h"
#include "files/recording.h"

G_BEGIN_DECLS

/* Network, data and how they are read, batch, optimizer and its rates, seed and order become the recording's,
 * as far as it knows them. over: also those that were given; otherwise these stay, and where other data are
 * given, how they are read. What lanes there are, and how they compute, stays. */
void ls_recorded_run_take (const LsRecording *recording, gboolean over, LsOptions *options);
/* The recording's data aren't there: options get own's, and how these are read. */
void ls_recorded_run_other_data (LsOptions *options, const LsOptions *own);
/* Its network can be trained on samples of that shape and so many classes. */
gboolean ls_recorded_run_fits (const LsRecording *recording, const gint64 shape[3], gint n_classes);
/* The data called lost aren't there: whether those called other, of that shape, or NULL where it isn't known,
 * will do. A sentence that says so, (transfer full); NULL: LS_ERROR_DATA. */
char *ls_recorded_run_instead (const LsRecording *recording, const char *lost, const char *other,
                               const gint64 shape[3], gint n_classes, GError **error);

G_END_DECLS
