/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the OpenCL runtime's tests share: a main() that is also the child in which drivers are tried, a set of
 * samples without files, and a lane that runs steps.
 */
#pragma once

#include <dlfcn.h>

#include "backends/backend.h"

G_BEGIN_DECLS

/* The library's function, in a test's own of that name. */
#define RIG_REAL(function) (__extension__(__typeof__ (function) *) dlsym (RTLD_NEXT, #function))

/* Returns if this process is an ordinary test; else acts as such a child and exits. Call first in main(). */
void rig_init (int *argc, char ***argv);
/* Before that, for what is tuned or built: a cache of its own, which is nobody else's; a child inherits it.
 */
void rig_own_cache (int argc, char **argv);

/* n training and n / 2 test samples of that shape, bytes (about half of them 0, as in MNIST), labels in 0 …
 * n_classes−1. */
LsData *rig_data (gint64 n, const gint64 shape[3], gint n_classes);

typedef struct {
  const LsBackend *backend;
  gpointer instance;
  LsOptions *options;
  LsPlan *plan;
  LsData *data;
  LsLossScale scale;
  gboolean reuse;       /* of rig_lane_run(): tensors may lie in each other's memory */
  gboolean skipped[16]; /* of the steps of the newest run, 16 at most */
} RigLane;

/* options: "kernel", "naive", "fusion", "off", … in pairs, NULL-terminated. Opens and prepares; initial
 * weights of seed 1. Every error ends the test. */
RigLane *rig_lane_new (const LsBackend *backend, LsPlan *plan, LsData *data, ...) G_GNUC_NULL_TERMINATED;
void rig_lane_free (RigLane *lane);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RigLane, rig_lane_free)

void rig_lane_set (RigLane *lane, const char *name, const char *value);
/* Steps `first` … first + n − 1, sequential batches; losses: n, or NULL. */
gboolean rig_lane_run (RigLane *lane, guint first, guint n, float *losses, GError **error);
/* One step with events; (transfer full). */
LsTrace *rig_lane_record (RigLane *lane, guint step, LsRunResult *result);
/* (transfer full) */
void *rig_lane_read (RigLane *lane, guint tensor);
/* Runs one op on what lies there and holds all that it writes against the reference in double, element by
 * element, within what rounding and storage allow; ends the test where it isn't. */
void rig_lane_check_op (RigLane *lane, guint op, const LsBatch *batch, const LsHyper *hyper);

LsPlan *rig_plan (const char *model, const gint64 shape[3], gint n_classes, guint batch,
                  LsOptimizer optimizer);

G_END_DECLS
