/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sources of a measured lane (worker_lane.c) share.
 */
#pragma once

#include "core/stored.h"
#include "lab/worker.h"

G_BEGIN_DECLS

#define LS_LAB_TURN 8 /* steps handed over at once: some milliseconds, as in `train` */

typedef struct {
  const LsBackend *backend;
  gpointer self;
  LsOptions *options;
  LsPlan *plan; /* NULL: nothing is prepared */
  LsData *data;
  LsBatcher *batcher; /* NULL: a single op */
  gboolean forward;   /* its steps end with the loss */
  guint64 step;       /* done */
  LsLossScale scale;
  gpointer flight; /* results under way: LsBackendFlight; NULL: none was asked for */
  guint in_flight; /* so many in each unit; 0: something else is prepared */
  gboolean loads;
  guint32 *index;  /* LS_LAB_TURN batches */
  LsBlock block;   /* these, where they are fetched from a file */
  gboolean copied; /* a single op, with what it reads copied to the device before, and back what it makes */
  float *room[LS_OP_MAX_IN + 1]; /* its inputs' and its output's values; NULL: it isn't copied */
} LsLabLane;

/* Runs n steps, at most LS_LAB_TURN; *us: what each took. trace: of a single one, or NULL. */
gboolean ls_lab_lane_turn (LsLabLane *lane, guint n, LsTrace *trace, double *us, GError **error);
/* Something is prepared. LS_ERROR_USAGE. */
gboolean ls_lab_lane_ready (const LsLabLane *lane, GError **error);

/* worker_copy.c. Room for a tensor's values; NULL: LS_ERROR_MEMORY, where GLib would end the process. */
float *ls_lab_room_for (const LsTensor *tensor, GError **error);
/* Host memory for a single op's inputs, with what they hold already, and for its output: from now on both are
 * copied each time. */
gboolean ls_lab_lane_make_room (LsLabLane *lane, GError **error);
void ls_lab_lane_forget_room (LsLabLane *lane);
gboolean ls_lab_lane_copy_in (LsLabLane *lane, GError **error);
gboolean ls_lab_lane_copy_out (LsLabLane *lane, GError **error);

/* worker_bound.c: LsLabWorker.bound */
gboolean ls_lab_lane_bound (gpointer self, double seconds, GArray *shares, GError **error);
/* worker_learn.c. The way forward, as it is when training is over, with the plan's batch of samples of a set
 * that lie in memory: then what the ops made can be read; all of them, unless they are fused. */
gboolean ls_lab_lane_answer (LsLabLane *lane, const LsDataset *set, const guint32 *index, gboolean fuse,
                             GError **error);
/* LsLabWorker.learn */
gboolean ls_lab_lane_learn (gpointer self, guint steps, guint seeds, GArray *right, GError **error);

G_END_DECLS
