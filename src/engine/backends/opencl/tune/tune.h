/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tuner: for each op of some plans, which rung of its ladder and which parameters are fastest on a
 * device. It runs on request only, with nothing else on the device, and keeps what it finds in the file of
 * tuned.h.
 *
 * The work is done in a child process (as in discovery.h, `--opencl-child tune JOB`): a candidate may hang or
 * crash the driver. Then the candidate is dropped with a sentence, and a new child goes on after it. Per op
 * and shape class:
 *
 *   1. The shipped choice runs and must agree with the reference in double precision (ops/tolerance.h); where
 * it doesn't, the op gets no entry. Its bits are kept.
 *   2. Candidates: each rung with its defaults, then, from the best on, each parameter's other choices. One
 * that doesn't build, differs from the reference or *from the shipped one's bits* is refused: tuning never
 * changes a number. Its first runs aren't counted; one that is three times slower than the best is not looked
 * at any further.
 *   3. The best three and the shipped one run in turns, A B C A B C …; the fastest wins, and only if it was
 * faster in most of the turns and by 3 % in the median. Else the shipped one is kept, and the entry says so.
 *
 * No OpenCL type in here: the command line and the window use it.
 */
#pragma once

#include <gio/gio.h>

#include "backends/opencl/kernels/tuned.h"

G_BEGIN_DECLS

#define LS_TUNE_MAX_PLANS 8

typedef struct {
  const char *model; /* as --model takes it */
  gint64 shape[3];   /* of a sample */
  gint n_classes;
  guint batch;
  LsOptimizer optimizer;
} LsTunePlan;

typedef struct {
  const char *device; /* as --device takes it */
  guint n_plans;
  LsTunePlan plans[LS_TUNE_MAX_PLANS];
  guint seconds; /* for all of it, 1 … 3600; starting the driver comes on top */
} LsTuneWish;

/* What is being done; texts are valid during the call. */
typedef struct {
  guint task, n_tasks;      /* ops of different shape, from 0; n_tasks 0: not known yet */
  const char *op, *example; /* NULL at first */
  const char *candidate;    /* "packed VEC=8" */
  double seconds_left;
} LsTuneProgress;

/* Called on ls_tune()'s thread. */
typedef void (*LsTuneFunc) (const LsTuneProgress *progress, gpointer data);

typedef struct {
  char *device;       /* its name */
  GPtrArray *entries; /* LsTunedEntry */
  GPtrArray *dropped; /* char *: a sentence for each candidate or op that was */
} LsTuneResult;

void ls_tune_result_free (LsTuneResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneResult, ls_tune_result_free)

/* Blocks for about wish->seconds. Keeps nothing: that is ls_tuned_keep()'s, for the caller to decide. What
 * was found before `cancel` is in *result, which is set in any case. Errors: LS_ERROR_USAGE (a model that
 * can't be), LS_ERROR_NO_DEVICE, LS_ERROR_DEVICE, LS_ERROR_HUNG, LS_ERROR_CANCELLED. */
gboolean ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
                  LsTuneResult **result, GError **error);

/* ---- the child ---- */

/* Says what it does on its way, so that the parent knows which candidate was at work should the child end or
 * hang. FALSE: nobody listens. */
/* clang-format off
 *   {"tasks": 23}
 *   {"task": 4, "op": "matmul", "example": "128×256×784 A·Bᵀ", "candidate": "packed VEC=8", "left": 41.5}
 *   {"dropped": "matmul 128×256×784 A·Bᵀ, packed VEC=8: …"}
 *   {"entry": {…}}
 *   {"end": ""}   or   {"error": "…"}
 * clang-format on */
gboolean ls_tune_child (int fd, const char *job);

G_END_DECLS
