/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finished plan: its life, and the questions backends ask it. How it is made: plan_model.c, plan_single.c.
 */
#include <math.h>
#include <string.h>
#include "core/rng.h"
#include "model/plan.h"

LsPlan *
ls_plan_ref (LsPlan *plan)
{
  g_atomic_int_inc (&plan->ref_count);
  return plan;
}

void
ls_plan_unref (LsPlan *plan)
{
  if (plan == NULL || !g_atomic_int_dec_and_test (&plan->ref_count))
    return;
  g_clear_pointer (&plan->model, ls_model_free);
  g_free (plan->tensors);
  g_free (plan->ops);
  g_free (plan->params);
  g_free (plan);
}

void
ls_plan_call (const LsPlan *plan, const LsArena *arena, guint op, LsOpCall *call)
{
  memset (call, 0, sizeof *call);
  call->op = &plan->ops[op];
  for (guint j = 0; j < call->op->n_in; j++)
    {
      call->in_tensor[j] = &plan->tensors[call->op->in[j]];
      call->in[j] = ls_arena_at (arena, call->in_tensor[j]);
    }
  for (guint j = 0; j < call->op->n_out; j++)
    {
      call->out_tensor[j] = &plan->tensors[call->op->out[j]];
      call->out[j] = ls_arena_at (arena, call->out_tensor[j]);
    }
}

void
ls_plan_init_param (const LsPlan *plan, guint param, guint64 seed, float *values)
{
  const LsParam *p = &plan->params[param];
  const gint64 count = ls_tensor_count (&plan->tensors[p->weight]);
  const double bound = 1 / sqrt ((double) MAX (p->fan_out, 1));
  double deviation = 0;

  if (p->init == LS_INIT_HE)
    deviation = sqrt (2.0 / (double) p->fan_in);
  else if (p->init == LS_INIT_XAVIER)
    deviation = sqrt (2.0 / (double) (p->fan_in + p->fan_out));

  for (gint64 i = 0; i < count; i++)
    values[i] = p->init == LS_INIT_ZERO  ? 0.0f
                : p->init == LS_INIT_ONE ? 1.0f
                : p->init == LS_INIT_UNIFORM
                  ? (float) (bound * (2 * ls_rng_uniform (seed, LS_STREAM_WEIGHTS, param, (guint64) i) - 1))
                  : (float) (deviation * ls_rng_normal (seed, LS_STREAM_WEIGHTS, param, (guint64) i));
}

const LsTensor *
ls_plan_find_tensor (const LsPlan *plan, const char *name)
{
  for (guint i = 0; i < plan->n_tensors; i++)
    if (strcmp (plan->tensors[i].name, name) == 0)
      return &plan->tensors[i];
  return NULL;
}
