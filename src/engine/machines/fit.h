/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a training step of any batch and optimizer would take in memory, and the largest batch that fits into
 * so many bytes. Estimated from the shapes, for an OpenCL device.
 */
#pragma once

#include "backends/backend.h"
#include "machines/hardware.h"

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

/* Not to be run: it may be larger than what this machine could ever hold. NULL: there can be no such plan,
 * as its bytes are more than can be counted. (transfer full) */
LsPlan *ls_fit_plan (const LsFit *fit, guint batch, LsOptimizer optimizer);
/* FALSE: likewise. */
gboolean ls_fit_estimate (const LsFit *fit, guint batch, LsOptimizer optimizer, LsStepMemory *memory);
/* One that fits into limit bytes, and the next doesn't; 0: not even one does. any: that next one is none that
 * this program takes, so that any does. */
guint ls_fit_largest (const LsFit *fit, LsOptimizer optimizer, double limit, gboolean *any);

/* A published example, and what the same way of counting comes to. Nothing is owned. */
typedef struct {
  const char *what; /* translatable */
  double published, derived;
  const char *unit; /* "values", translatable, or "B" */
  const LsHardwareSource *source;
  const char *quote; /* the words that say it */
} LsFitCheck;

#define LS_FIT_N_CHECKS 2
/* fit_check.c: of plans that are made for it, in milliseconds. */
void ls_fit_check (LsFitCheck checks[LS_FIT_N_CHECKS]);

G_END_DECLS
