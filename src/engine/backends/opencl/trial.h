/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Edited kernels are tried before they are used: the program executes itself as `lockstep --opencl-probe kernels FILE`,
 * builds them there, and does a training step with them. A compiler that hangs is stopped with the process that it hangs in,
 * and an index outside an array ends that process, not the user's; what it says is what the user reads.
 *
 * Kernels of a walk are built there, too, beforehand: the order then says of which op and rung, and the walk is done instead of the
 * steps.
 *
 * FILE is the parent's order, JSON: options, the edited texts, the samples' shape, the device. The child writes lines
 * LS_TRIAL_PROGRESS "3/14", then its answer, one JSON object.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_TRIAL_COMMAND  "kernels"
#define LS_TRIAL_PROGRESS "@"

typedef struct {
  gboolean opened, works;  /* opened: the device and the order; what failed before that says nothing about kernels */
  int code;                /* LsError, with a message */
  char *message;
} LsTrialAnswer;

/* In the child. fd: where the parent listens. */
void ls_cl_trial_answer (const char *path, int fd, LsTrialAnswer *answer);

G_END_DECLS
