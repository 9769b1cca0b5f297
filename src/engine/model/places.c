/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a tensor may lie in a step whose values nobody looks at. By itself each has memory of its own, so
 * that a step can be recorded and compared. A recurrent layer then moves more memory than caches hold, most
 * of it only to hand something to the next op. Two rules:
 *
 *   over    an op says that it may write an output over an input (LsOpClass.over), and nobody else needs the
 *           input any more. A layer's gates so come to lie where Z was, and dZ where the gates were: whole
 *           tensors, as each of the ops writes its own rows.
 *   brief   a tensor that one op reads, and that isn't handed over in an epilogue, shares
 *           its memory with those of its size and layer that have been read before it is
 *           made: what h·Uᵀ gives each step's gates.
 */
#include "model/plan.h"

typedef struct {
  const LsPlan *plan;
  const guint *leader;
  guint *place;
} Places;

/* Of a tensor that isn't stored in 16 bits, what only ops read. */
static gboolean
is_between_ops (const LsPlan *plan, guint tensor)
{
  const LsTensor *t = &plan->tensors[tensor];

  return (t->role == LS_ROLE_ACTIVATION || t->role == LS_ROLE_DELTA) && t->dtype == LS_F32
         && tensor != plan->logits && tensor != plan->probs && tensor != plan->losses && tensor != plan->loss;
}

static gboolean
alike (const LsPlan *plan, guint a, guint b)
{
  return plan->tensors[a].is_view == plan->tensors[b].is_view
         && plan->tensors[a].first == plan->tensors[b].first
         && ls_tensor_count (&plan->tensors[a]) == ls_tensor_count (&plan->tensors[b]);
}

/* All but `but` have read and written what they will of the tensor before op `end` is done. */
static gboolean
is_done_with (const LsPlan *plan, guint tensor, guint but, guint end)
{
  for (guint i = end; i < plan->n_ops; i++)
    if (i != but && (ls_op_reads (plan, &plan->ops[i], tensor) || ls_op_writes (plan, &plan->ops[i], tensor)))
      return FALSE;
  return TRUE;
}

static gboolean
is_made_before (const LsPlan *plan, guint tensor, guint op)
{
  for (guint i = 0; i < op; i++)
    if (ls_op_writes (plan, &plan->ops[i], tensor))
      return TRUE;
  return FALSE;
}

/* The input over which op writes its output `out`; G_MAXUINT: there is none. */
static guint
written_over (const Places *p, guint op, guint out)
{
  const LsPlan *plan = p->plan;
  const LsOp *o = &plan->ops[op];

  for (guint i = 0; i < G_N_ELEMENTS (o->klass->over) && o->klass->over[i].is; i++)
    {
      const guint in = o->in[o->klass->over[i].in];
      if (o->klass->over[i].out == out && alike (plan, in, o->out[out])
          && is_between_ops (plan, ls_tensor_whole (plan->tensors, in))
          && alike (plan, ls_tensor_whole (plan->tensors, in), ls_tensor_whole (plan->tensors, o->out[out]))
          && is_made_before (plan, in, op) && is_done_with (plan, in, op, p->leader[op]))
        return in;
    }
  return G_MAXUINT;
}

/* Lays the tensor, which is no view, over another, if each op that writes some of it does so over that one's
 * same rows. */
static void
lay_over (Places *p, guint tensor)
{
  const LsPlan *plan = p->plan;
  guint whole = G_MAXUINT;

  for (guint i = 0; i < plan->n_ops; i++)
    for (guint j = 0; j < plan->ops[i].n_out; j++)
      {
        const guint out = plan->ops[i].out[j],
                    over = ls_tensor_whole (plan->tensors, out) == tensor ? written_over (p, i, j) : tensor;
        if (over == tensor)
          continue;
        if (over == G_MAXUINT || (whole != G_MAXUINT && ls_tensor_whole (plan->tensors, over) != whole))
          return;
        whole = ls_tensor_whole (plan->tensors, over);
      }
  if (whole != G_MAXUINT)
    p->place[tensor] = p->place[whole];
}

/* The one op that reads the tensor, or that writes it; n_ops: there isn't just one. */
static guint
only_op (const LsPlan *plan, guint tensor, gboolean writes)
{
  guint found = plan->n_ops;

  for (guint i = 0; i < plan->n_ops; i++)
    if (writes ? ls_op_writes (plan, &plan->ops[i], tensor) : ls_op_reads (plan, &plan->ops[i], tensor))
      {
        if (found < plan->n_ops)
          return plan->n_ops;
        found = i;
      }
  return found;
}

static void
share_brief (Places *p)
{
  const LsPlan *plan = p->plan;
  g_autofree gboolean *taken = g_new0 (gboolean, plan->n_tensors);
  g_autofree guint *free_from = g_new0 (guint, plan->n_tensors); /* of who was the first: the op after its
                                                                    last reader; 0: it isn't one */

  for (guint i = 0; i < plan->n_tensors; i++)
    if (p->place[i] != ls_tensor_whole (plan->tensors, i))
      taken[i] = taken[p->place[i]] = TRUE;
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const guint tensor = plan->ops[i].out[0];
      const LsTensor *t = &plan->tensors[tensor];
      const guint reader = only_op (plan, tensor, FALSE);

      if (taken[tensor] || t->is_view || t->layer < 0 || !is_between_ops (plan, tensor)
          || reader == plan->n_ops || only_op (plan, tensor, TRUE) != i || p->leader[reader] == p->leader[i])
        continue;
      for (guint first = 0; first < plan->n_tensors && p->place[tensor] == tensor; first++)
        if (free_from[first] > 0 && free_from[first] <= p->leader[i] && plan->tensors[first].layer == t->layer
            && alike (plan, first, tensor))
          p->place[tensor] = first;
      free_from[p->place[tensor]] = reader + 1;
    }
}

void
ls_plan_places (const LsPlan *plan, const guint *leader, guint *place)
{
  Places p = { plan, leader, place };

  for (guint i = 0; i < plan->n_tensors; i++)
    place[i] = ls_tensor_whole (plan->tensors, i);
  if (plan->precision != LS_PRECISION_FP32)
    return;
  for (guint i = 0; i < plan->n_tensors; i++)
    if (!plan->tensors[i].is_view && is_between_ops (plan, i))
      lay_over (&p, i);
  share_brief (&p);
  for (guint i = 0; i < plan->n_tensors; i++)
    if (plan->tensors[i].is_view)
      place[i] = place[plan->tensors[i].base];
}
