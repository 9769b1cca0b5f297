/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTuneTask: one op of one shape, alone in a plan, with inputs and with what must come out; and running a
 * candidate on it: a row of the kernel table with values for its parameters. Used by the tuner's child only.
 */
#pragma once

#include "backends/opencl/run/instance.h"

G_BEGIN_DECLS

typedef struct {
  LsPlan *plan;          /* of the op alone */
  LsData *data;          /* gather: a few samples; NULL otherwise */
  char *shape, *example; /* ls_tuned_shape(), ls_tuned_example() */
  double cost;           /* about how long a run takes: for order and shares of time */

  /* from ls_tune_task_start() on */
  LsBatch batch;
  void *in[LS_OP_MAX_IN];                                     /* floats or gint32 */
  double *expected[LS_OP_MAX_OUT], *tolerance[LS_OP_MAX_OUT]; /* gint32 in `expected` where the output is */
  void *bits[LS_OP_MAX_OUT]; /* what the shipped choice computed; NULL until then */
} LsTuneTask;

typedef struct {
  const LsClKernel *row;
  int values[LS_CL_MAX_PARAMS];
  char words[96]; /* "packed VEC=16" */
  double us;      /* median so far; 0: not measured */
} LsTuneCandidate;

/* The ops of a plan, appended to tasks (LsTuneTask) unless one of the same class is there. */
void ls_tune_task_add (GPtrArray *tasks, const LsPlan *plan);
void ls_tune_task_free (LsTuneTask *task);
/* Inputs, and the reference's outputs. The lane gets the task's plan. */
gboolean ls_tune_task_start (LsTuneTask *task, LsCl *cl, GError **error);
/* Lets go of what start() made. */
void ls_tune_task_stop (LsTuneTask *task);

/* Builds the candidate and makes it the lane's only kernel. */
gboolean ls_tune_install (LsCl *cl, const LsTuneCandidate *candidate, GError **error);
/* Runs the installed one once over outputs that were filled with NaN, and compares with the reference and
 * with the bits of the shipped one; the first candidate of a task is that one. LS_ERROR_DATA says where it
 * differs. */
gboolean ls_tune_verify (LsTuneTask *task, LsCl *cl, GError **error);
/* µs per run, of `n` runs in a row. Negative: it failed. */
double ls_tune_time (LsTuneTask *task, LsCl *cl, guint n, GError **error);

void ls_tune_words (LsTuneCandidate *candidate);

G_END_DECLS
