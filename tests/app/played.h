/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A laboratory and a tuner that measure nothing: what is heard of them on their way, and how they end, is
 * said by the test, in its own time; and a user who has chosen a file already. For programs that are linked
 * with --wrap of ls_lab_run, ls_tune, ls_tuned_keep, ls_compat_choose_file, ls_toasts_add and
 * g_get_monotonic_time.
 */
#pragma once

#include "backends/opencl/tune/tune.h"
#include "lab/lab.h"

/* What was asked for last, as long as it goes on. */
typedef struct {
  LsLabWish lab;
  LsTuneWish tune;
  guint n_kept;        /* so often what the tuner found was kept */
  char *name, *toast;  /* of the file that is to be saved, as it was offered; what was told last */
  const char *save_to; /* the file's path; NULL: it isn't to be saved after all */
} Played;
extern Played played;

/* Until the laboratory, or the tuner, has been begun so many times. */
void played_wait_labs (guint n);
void played_wait_tunes (guint n);
/* Told by the one that is at work, and heard when this returns. */
void played_lab_news (const LsLabNews *news);
void played_tune_progress (const LsTuneProgress *progress);
/* It ends with that result, (transfer full), or with an error of that sentence. */
void played_lab_end (LsLabResult *result, const char *error);
void played_tune_end (LsTuneResult *result, const char *error);
/* It doesn't hear yet that it is to stop. */
void played_deaf (gboolean is);
/* The session's clock stands there; −1: it is the real one. */
void played_clock (gint64 us);
