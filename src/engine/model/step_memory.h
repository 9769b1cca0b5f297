/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsStepMemory: what a training step takes, by what it is for: counted by a lane where it allocates, or
 * estimated from the plan alone.
 */
#pragma once

#include "core/samples.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef enum {
  LS_MEMORY_WEIGHTS, /* with their copies in 16 bits */
  LS_MEMORY_GRADIENTS,
  LS_MEMORY_STATES,      /* the optimizer's */
  LS_MEMORY_ACTIVATIONS, /* with their gradients, the batch, losses, positions of maxima */
  LS_MEMORY_WORKSPACE,   /* what kernels and turns of steps need beside tensors */
  LS_MEMORY_DATA,        /* the training set and the test set */
  LS_MEMORY_N,
} LsMemoryPart;

typedef struct {
  gint64 bytes[LS_MEMORY_N];
} LsStepMemory;

extern const char *const ls_memory_part_names[LS_MEMORY_N]; /* "weights": in files */

gint64 ls_step_memory_sum (const LsStepMemory *memory);
/* What a tensor of that role counts as. */
LsMemoryPart ls_memory_part_of (LsRole role);
/* A set with its labels; 0 of one that is read from a file batch by batch. */
gint64 ls_dataset_bytes (const LsDataset *set);

/* Adds an arena's bytes, all of them: each tensor with what lies between it and the next. */
void ls_arena_allocated (const LsArena *arena, const LsPlan *plan, LsStepMemory *memory);

/* Each tensor once, without what allocators add. data: NULL: none. workspace: LsBackendMemory's. */
void ls_plan_memory (const LsPlan *plan, const LsData *data, gint64 workspace, LsStepMemory *memory);

G_END_DECLS
