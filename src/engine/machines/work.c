/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See work.h.
 */
#include "config.h"
#include "machines/work.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
any (const LsPlan *plan, guint leader, guint follower, guint position, gpointer data)
{
  return TRUE;
}

void
ls_machine_work_leaders (const LsPlan *plan, guint *leader)
{
  ls_plan_fuse (plan, any, NULL, leader);
}

/* What an op of the chain hands to the next one is never in memory. */
static gboolean
is_handed_over (const LsPlan *plan, const guint *leader, guint op, guint tensor)
{
  for (guint i = op + 1; i < plan->n_ops; i++)
    {
      const LsOp *next = &plan->ops[i];
      if (leader[i] == leader[op] && next->klass->elementwise
          && next->in[next->klass->epilogue_input] == tensor && plan->ops[op].out[0] == tensor)
        return TRUE;
    }
  return FALSE;
}

static gboolean
was_handed_over (const LsPlan *plan, const guint *leader, guint op, guint input)
{
  const LsOp *of = &plan->ops[op];
  const guint tensor = of->in[input];

  if (!of->klass->elementwise || of->klass->epilogue_input != input)
    return FALSE;
  for (guint i = leader[op]; i < op; i++)
    if (leader[i] == leader[op] && plan->ops[i].out[0] == tensor)
      return TRUE;
  return FALSE;
}

void
ls_machine_work_visit (const LsPlan *plan, const guint *leader, guint op, LsMachineVisit visit, gpointer data)
{
  for (guint i = op; i < plan->n_ops; i++)
    {
      const LsOp *of = &plan->ops[i];
      if (leader[i] != op)
        continue;
      for (guint j = 0; j < of->n_in; j++)
        if ((of->klass->shape_only & (1u << j)) == 0 && !was_handed_over (plan, leader, i, j))
          visit (of->in[j], TRUE, FALSE, data);
      for (guint j = 0; j < of->n_out; j++)
        if (!is_handed_over (plan, leader, i, of->out[j]))
          visit (of->out[j], FALSE, TRUE, data);
    }
}

typedef struct {
  const LsPlan *plan;
  LsMachineWork *work;
} Counting;

static void
count (guint tensor, gboolean read, gboolean written, gpointer data)
{
  Counting *counting = (Counting *) data;
  const LsTensor *t = &counting->plan->tensors[tensor];
  const double bytes = (double) ls_tensor_bytes (t);

  if (written)
    counting->work->written += bytes;
  else
    {
      counting->work->read += bytes;
      if (t->role == LS_ROLE_WEIGHT)
        counting->work->weights += bytes;
    }
}

/* A convolution multiplies its kernels, which are its second input, by windows of the first; the gradient of
 * kernels multiplies deltas, the first one, by windows. */
static void
take_sides (const LsPlan *plan, LsMachineWork *work)
{
  const LsOp *op = work->head;
  const gboolean conv = op->attr.kernel > 0;
  const gboolean weights[] = { plan->tensors[op->in[0]].role == LS_ROLE_WEIGHT,
                               op->n_in > 1 && plan->tensors[op->in[1]].role == LS_ROLE_WEIGHT };

  work->a = work->b = LS_TENSOR_NONE;
  if (work->k == 0 || op->n_in < 2)
    return;
  work->a = conv && weights[1] ? op->in[1] : op->in[0];
  work->b = conv && weights[1] ? op->in[0] : op->in[1];
  if (weights[0] || weights[1])
    work->weights_in = plan->tensors[work->a].role == LS_ROLE_WEIGHT ? LS_WEIGHTS_A : LS_WEIGHTS_B;
}

GArray *
ls_machine_work (const LsPlan *plan, gboolean forward)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LsMachineWork));
  g_autofree guint *leader = g_new (guint, plan->n_ops);

  ls_machine_work_leaders (plan, leader);
  for (guint i = 0; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i];
      LsMachineWork work = { .op = i, .head = op, .m = op->attr.m, .n = op->attr.n, .k = op->attr.k };
      Counting counting = { plan, &work };

      if (leader[i] != i || (forward && op->phase != LS_PHASE_FORWARD))
        continue;
      take_sides (plan, &work);
      if (work.k > 0)
        work.product = 2. * (double) work.m * (double) work.n * (double) work.k;
      for (guint f = i; f < plan->n_ops; f++)
        if (leader[f] == i)
          work.others += (double) plan->ops[f].flops;
      work.others = MAX (work.others - work.product, 0);
      ls_machine_work_visit (plan, leader, i, count, &counting);
      g_array_append_val (list, work);
    }
  return list;
}

void
ls_machine_run_add (LsMachineRun *run, guint op, double seconds, LsHeldBy held_by, double used)
{
  const LsMachineOp row = { op, run->seconds, seconds, held_by, used, (double) NAN, (double) NAN };

  g_array_append_val (run->ops, row);
  run->seconds += seconds;
}

const char *
ls_machine_op_symbol (const LsPlan *plan, guint op)
{
  return op == LS_MACHINE_COPY ? _("copy") : op == LS_MACHINE_ALL ? _("all layers") : plan->ops[op].symbol;
}
