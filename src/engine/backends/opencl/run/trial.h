/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edited kernels are tried before they are used: the program executes itself as `lockstep --opencl-child
 * kernels FILE`, builds them there, and does a training step with them. A compiler that hangs is stopped with
 * the process that it hangs in, and an index outside an array ends that process, not the user's; what it says
 * is what the user reads.
 *
 * Kernels of a walk are built there, too, beforehand: the order then says of which op and rung, and the walk
 * is done instead of the steps. In the same way a lane on a processor has built what isn't in the caches yet
 * (aside.c): several children then take the numbers of launches from one pipe, their standard input, until it
 * is empty, and build those.
 *
 * FILE is the parent's order, JSON: options, the edited texts, the samples' shape, the device. The child
 * says {"built": 3, "of": 14}, or for launches {"begun": 3} and {"done": 3}, and then its answer: {"opened":
 * 1, "works": 1}. Opened are the device and the order: what failed before that says nothing about kernels.
 */
#pragma once

#include "backends/backend.h"
#include "child/child.h"
#include "backends/opencl/child/discovery.h"

G_BEGIN_DECLS

/* What the child does. */
typedef enum {
  LS_TRIAL_STEP,     /* a training step */
  LS_TRIAL_RECORDED, /* and a recorded one */
  LS_TRIAL_SINGLE,   /* a step without fusion, as it is done when lanes are compared op by op */
  LS_TRIAL_WALK,     /* none; a walk, and what measures the device's limits */
} LsTrialKind;

/* ---- in the parent ---- */

/* walk: of LS_TRIAL_WALK; NULL: only the limits. launches: the child builds those that it reads from its
 * standard input, and does no step. (transfer full) */
char *ls_trial_order (const LsOptions *options, const LsPlan *plan, const LsData *data,
                      const LsKernelFiles *edited, const char *device, guint chosen, guint ticks,
                      LsTrialKind kind, const LsWalkWish *walk, gboolean launches);
/* Of a line that tells how far the child is. FALSE: it is none, or NULL. */
gboolean ls_trial_progress (const json_t *line, guint *done, guint *total);
/* Has a child do what the order says, which reaches it in a temporary file that both unlink: whoever of them
 * is killed, none stays behind. input, patience_ms, heard and child as in ls_child_run(). LS_ERROR_FILE or
 * LS_ERROR_DEVICE. */
#define LS_TRIAL_FILE "lockstep-kernels-"
gboolean ls_trial_run (const char *order, int input, guint patience_ms, LsChildHeard heard, gpointer data,
                       LsChild *child, GError **error);
/* How it ended, or what it has answered: FALSE with its message if the kernels don't work. */
gboolean ls_trial_judge (const LsChild *child, GError **error);
/* As LsBackendEdit.try_kernels and LsBackendBuild.warm say. */
gboolean ls_cl_try_kernels (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                            LsKernelTrial *trial, GError **error);
void ls_cl_warm_walk (const LsOptions *options, LsPlan *plan, LsData *data, LsKernelFiles *edited,
                      const LsWalkWish *wish, LsKernelTrial *trial);

/* ---- builders.c ---- */
/* Has children build those of the first n_launches of a step's schedule that aren't in the caches, some
 * n_missing: one child per processor that may be used, at most four, fewer where memory is short. heard:
 * called from several threads at once, with the number of a launch that was begun, or is done; may be NULL.
 * cancelled: atomic, ends them; may be NULL. FALSE: one of them failed, or didn't start. Blocks. */
typedef void (*LsTrialHeard) (guint launch, gboolean done, gpointer data);
gboolean ls_trial_build (const char *order, guint n_launches, guint n_missing, guint patience_ms,
                         LsTrialHeard heard, gpointer data, const gint *cancelled);
/* How many children that would be. */
guint ls_trial_children (guint n_missing);
/* For one kernel, or the steps; and for what a walk or a recorded step needs. */
#define LS_TRIAL_PATIENCE_MS      30000
#define LS_TRIAL_PATIENCE_WALK_MS 180000

/* ---- in the child ---- */

/* fd: where the parent listens. FALSE: it doesn't any more. */
gboolean ls_cl_trial_answer (int fd, const char *path);

G_END_DECLS
