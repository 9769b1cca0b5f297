/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See step_memory.h.
 */
#include "model/step_memory.h"

const char *const ls_memory_part_names[LS_MEMORY_N] = { "weights",     "gradients", "state",
                                                        "activations", "workspace", "data" };

gint64
ls_step_memory_sum (const LsStepMemory *memory)
{
  gint64 sum = 0;

  for (guint i = 0; i < LS_MEMORY_N; i++)
    sum += memory->bytes[i];
  return sum;
}

LsMemoryPart
ls_memory_part_of (LsRole role)
{
  return role == LS_ROLE_WEIGHT     ? LS_MEMORY_WEIGHTS
         : role == LS_ROLE_GRADIENT ? LS_MEMORY_GRADIENTS
         : role == LS_ROLE_STATE    ? LS_MEMORY_STATES
                                    : LS_MEMORY_ACTIVATIONS;
}

gint64
ls_dataset_bytes (const LsDataset *set)
{
  return set->stored != NULL
           ? 0
           : set->n
               * (set->sample_size * (gint64) ls_dataset_value_bytes (set) + (gint64) sizeof *set->labels);
}

void
ls_arena_allocated (const LsArena *arena, const LsPlan *plan, LsStepMemory *memory)
{
  gsize end = arena->bytes;

  for (guint i = plan->n_tensors; i-- > 0;)
    {
      const LsTensor *t = &plan->tensors[i];
      const gsize begin = i > 0 ? t->offset * arena->scale : 0;

      if (t->is_view)
        continue;
      memory->bytes[ls_memory_part_of (t->role)] += (gint64) (end - begin);
      end = begin;
    }
}

void
ls_plan_memory (const LsPlan *plan, const LsData *data, gint64 workspace, LsStepMemory *memory)
{
  *memory = (LsStepMemory){ 0 };
  for (guint i = 0; i < plan->n_tensors; i++)
    {
      const LsTensor *t = &plan->tensors[i];

      if (!t->is_view)
        memory->bytes[ls_memory_part_of (t->role)] += (gint64) ls_tensor_bytes (t)
                                                      + (gint64) ls_tensor_copy_bytes (t);
    }
  memory->bytes[LS_MEMORY_WORKSPACE] = workspace;
  if (data != NULL)
    memory->bytes[LS_MEMORY_DATA] = ls_dataset_bytes (&data->train) + ls_dataset_bytes (&data->test);
}
