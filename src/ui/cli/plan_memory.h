/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep plan --memory`: what a training step takes, by batch and optimizer, beside what a device has and
 * what lanes have really allocated.
 */
#pragma once

#include "backends/backend.h"
#include "ui/cli/command.h"

G_BEGIN_DECLS

/* A lane that is prepared for the plan. Nothing is owned. */
typedef struct {
  const char *id, *title;
  const LsBackend *backend;
  gpointer self;
  const LsPlan *plan;
} LsMemoryLane;

/* device: words for the catalogue; NULL or "": none. json: a file; NULL. LS_ERROR_USAGE: there is no such
 * device, or its memory isn't published. */
gboolean ls_plan_memory_print (const LsOptions *options, const char *device, const LsModel *model,
                               const LsData *data, const LsMemoryLane *lanes, guint n_lanes, const char *json,
                               GError **error);

G_END_DECLS
