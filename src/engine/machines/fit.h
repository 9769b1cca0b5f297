/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a training step of any batch and optimizer would take in memory, and the largest batch that fits into
 * so many bytes. Estimated from the shapes, for an OpenCL device.
 */
#pragma once

#include "backends/backend.h"

G_BEGIN_DECLS

#define LS_FIT_MAX_BATCH 65536 /* as --batch takes it */

/* Nothing is owned. */
typedef struct {
  const LsModel *model;
  gint64 in_shape[3];
  gint n_classes;
  LsPrecision precision;
  gint64 data_bytes; /* of the training set and the test set, where they lie on the device */
} LsFit;

/* NULL: there can be no such plan here, as it is larger than any. (transfer full) */
LsPlan *ls_fit_plan (const LsFit *fit, guint batch, LsOptimizer optimizer);
/* FALSE: likewise. */
gboolean ls_fit_estimate (const LsFit *fit, guint batch, LsOptimizer optimizer, LsStepMemory *memory);
/* One that fits into limit bytes, and the next doesn't; 0: not even one does. any: that next one is none that
 * this program takes, so that any does. */
guint ls_fit_largest (const LsFit *fit, LsOptimizer optimizer, double limit, gboolean *any);

G_END_DECLS
