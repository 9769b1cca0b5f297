/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's session without a window, its signals counted, and waiting for what it does as the window
 * does: by the main loop.
 */
#pragma once

#include "ui/app/session/session_tune.h"

G_BEGIN_DECLS

typedef struct {
  LsSession *session;
  guint n_data, n_states, n_messages, n_kernels;
  char *message, *kernels; /* the newest */
} Watch;

void watch (Watch *w);
void watch_end (Watch *w);

/* A small net on a spiral: options of a run that begins at once. (transfer full) */
LsOptions *small (const char *backends);

typedef gboolean (*Come) (const Watch *w, guint64 what);

/* Ends the test where it doesn't come. */
void wait_for (const Watch *w, Come come, guint64 what, const char *words);
/* Every lane that can, has done so many steps. */
gboolean trained (const Watch *w, guint64 steps);
/* FALSE, and the test is skipped, where there is no OpenCL device. */
gboolean opencl_works (const Watch *w);

G_END_DECLS
