/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsKeptRun: a run as it lies in a folder after a crash: weights, a recorded step, and “run.json”, which has
 * the settings and names both. No toolkit.
 */
#pragma once

#include "core/options.h"
#include "files/recording.h"

G_BEGIN_DECLS

#define LS_KEPT_RUN_NAME "run.json"

/* A run as it was kept. Immutable, a g_atomic_rc_box. */
typedef struct {
  LsOptions *options;     /* all but the pace */
  guint64 step;           /* the weights are those after so many steps */
  char *weights;          /* path of a safetensors file with the model's parameters */
  LsRecording *recording; /* a recorded step, at most that one; or NULL */
} LsKeptRun;

LsKeptRun *ls_kept_run_ref (LsKeptRun *run);
void ls_kept_run_unref (LsKeptRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKeptRun, ls_kept_run_unref)

/* The files of those numbers, which count how often something was kept. (transfer full) */
char *ls_kept_run_weights (const char *folder, guint64 number);
char *ls_kept_run_recording (const char *folder, guint64 number);
/* What run.json says; recording: 0: there is none. (transfer full) */
char *ls_kept_run_describe (const LsOptions *options, const LsPlan *plan, guint64 step, guint64 weights,
                            guint64 recording);
/* All of it is read, so that what can't be used isn't offered. LS_ERROR_FILE, _DATA, _USAGE, _MEMORY. */
LsKeptRun *ls_kept_run_load (const char *folder, GError **error);

G_END_DECLS
