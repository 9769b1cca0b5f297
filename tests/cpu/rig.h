/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the CPU lane's tests share: a backend with a plan, weights and made-up data, ready to train.
 */
#pragma once

#include "backends/backend.h"
#include "data/dataset.h"

#define RIG_LANE 5 /* its number in events */

typedef struct {
  const LsBackend *backend;
  gpointer self;
  LsPlan *plan;
  LsDataset set;
  guint32 *index;
  guint64 step; /* done */
  LsLossScale scale;
  gboolean reuse; /* of runs without trace: tensors may lie in each other's memory */
} Rig;

/* Ends the test with a message if anything fails. model: preset or spec, for images 1×28×28 and ten
 * classes. */
Rig *rig_new (const LsBackend *backend, const LsOptions *options, const char *model, guint batch);
/* Its tensors stored in that precision. */
Rig *rig_new_stored (const LsBackend *backend, const LsOptions *options, const char *model, guint batch,
                     LsPrecision precision);
void rig_free (Rig *rig);
/* Writes all weights' initial values, and zero to the optimizer's states; the loss's scale begins. */
void rig_reset (Rig *rig);
void rig_run (Rig *rig, guint n_steps, gboolean fuse, LsTrace *trace, LsRunResult *result);
/* A step, recorded with as much room as its backend wants. (transfer full) */
LsTrace *rig_record (Rig *rig, gboolean fuse, LsRunResult *result);
/* FNV-1a over all tensors of a role. */
guint64 rig_hash (Rig *rig, LsRole role);
/* TRUE under Valgrind, which preloads a library of its own: it computes with denormals whatever the setting,
 * and fifty times as slowly. No header of Valgrind's is asked, which may be installed after the build was
 * configured. */
gboolean rig_under_valgrind (void);
