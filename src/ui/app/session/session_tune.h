/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's part in tuning the OpenCL device: see session_tune.c. For the dialog alone.
 */
#pragma once

#include "backends/opencl/tune/tune.h"
#include "ui/app/session/session.h"

G_BEGIN_DECLS

typedef struct {
  guint task, n_tasks; /* n_tasks 0: not begun yet */
  double seconds_left;
  char words[192]; /* what is being tried; "" at first */
} LsSessionTuning;

/* Pauses the run, tunes for its network and device, keeps what was found; refused while something is
 * measured. (transfer full): for progress(), and to be let go of when it is done. */
GTask *ls_session_tune (LsSession *self, GCancellable *cancel, GAsyncReadyCallback done, gpointer data);
gboolean ls_session_tune_progress (GTask *task, LsSessionTuning *progress);
/* The lanes take over what was found, and training goes on if it did before. Errors: ls_tune()'s and
 * ls_tuned_keep()'s; it goes on then, too. (transfer full) */
LsTuneResult *ls_session_tune_finish (LsSession *self, GAsyncResult *result, GError **error);

G_END_DECLS
