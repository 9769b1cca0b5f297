/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which convolutions pool what they make: see LsCpuPooled. What is found here holds for the fused stages,
 * once their tensors have places.
 */
#include "backends/cpu/cpu.h"

/* One op writes it, and nobody else's memory is there: it is whole from that op on, and may be written
 * earlier. */
static gboolean
has_own_place (const LsCpu *self, guint of)
{
  const LsPlan *plan = self->plan;
  const guint tensor = ls_tensor_whole (plan->tensors, of);
  guint writers = 0;

  for (guint i = 0; i < plan->n_tensors; i++)
    if (!plan->tensors[i].is_view && (self->place[i] == tensor) != (i == tensor))
      return FALSE;
  for (guint i = 0; i < plan->n_ops; i++)
    writers += ls_op_writes (plan, &plan->ops[i], tensor);
  return writers == 1;
}

/* A convolution's tiles can pool what no more than bias and relu, which don't ask what image an element is
 * of, were done to. */
static gboolean
can_pool (const LsCpu *self, guint conv)
{
  const LsCpuStage *stage = &self->fused[conv];

  if (self->plan->precision != LS_PRECISION_FP32 || self->leader[conv] != conv
      || stage->tile != ls_cpu_tile_direct)
    return FALSE;
  for (guint f = 0; f < stage->n_followers; f++)
    if (stage->followers[f].call.op->klass != &ls_op_bias
        && stage->followers[f].call.op->klass != &ls_op_relu)
      return FALSE;
  return TRUE;
}

/* The maxpool2d that alone reads what the convolution's chain makes, but for a relu_grad that follows the
 * pooling's gradient, which *gradient is then; each n_ops: there is none. */
static guint
pooling_behind (const LsCpu *self, guint conv, guint *gradient)
{
  const LsPlan *plan = self->plan;
  const guint none = plan->n_ops, made = plan->ops[self->last[conv]].out[0];
  guint pool = none;

  *gradient = none;
  if (!has_own_place (self, made))
    return none;
  for (guint i = conv; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i], *head = &plan->ops[self->leader[i]];

      if (!ls_op_reads (plan, op, made))
        continue;
      if (pool == none && op->klass == &ls_op_maxpool2d && ls_plan_can_join (plan, self->leader, conv, i)
          && has_own_place (self, plan->ops[self->last[i]].out[0]))
        pool = i;
      else if (pool < none && *gradient == none && op->klass == &ls_op_relu_grad
               && head->klass == &ls_op_maxpool2d_grad && head->in[1] == plan->ops[pool].out[1]
               && self->fused[self->leader[i]].n_followers == 1 && self->fused[pool].n_followers == 0)
        *gradient = self->leader[i];
      else
        return none;
    }
  return pool;
}

/* Who reads what the pooling's gradient makes; n_ops: none. */
typedef struct {
  guint dw, bias_grad;
  gboolean others;
} Readers;

static Readers
readers_of (const LsCpu *self, guint gradient)
{
  const LsPlan *plan = self->plan;
  const guint none = plan->n_ops, made = plan->ops[self->last[gradient]].out[0];
  Readers readers = { none, none, FALSE };

  for (guint i = gradient; i < none; i++)
    {
      const LsOp *op = &plan->ops[i];

      if (self->leader[i] == gradient || !ls_op_reads (plan, op, made))
        continue;
      if (op->klass == &ls_op_bias_grad && readers.bias_grad == none)
        readers.bias_grad = i;
      else if (self->fused[i].tile == ls_cpu_tile_direct_dw && readers.dw == none)
        readers.dw = i;
      else
        readers.others = TRUE;
    }
  return readers;
}

/* mask: what was pooled into; sums: memory that nobody else uses by then. */
static void
place_gradient (LsCpu *self, guint gradient, const float *mask, float *sums)
{
  const Readers readers = readers_of (self, gradient);
  const guint none = self->plan->n_ops;
  LsCpuStage *stages = self->fused;

  stages[gradient].pooled.mask = mask;
  if (readers.bias_grad < none)
    stages[gradient].pooled.sums = stages[readers.bias_grad].pooled.sums = sums;
  if (readers.others || readers.dw == none || readers.dw > readers.bias_grad
      || !has_own_place (self, self->plan->ops[gradient].in[0]))
    return;
  stages[gradient].pooled.by_other = TRUE;
  stages[readers.dw].pooled.by_this = &stages[gradient];
}

void
ls_cpu_pooled_place (LsCpu *self, gboolean reuse)
{
  const guint n_ops = self->plan->n_ops;
  LsCpuStage *stages = self->fused;

  for (guint i = 0; i < n_ops; i++)
    stages[i].pooled = (LsCpuPooled){ 0 };
  for (guint conv = 0; conv < n_ops && reuse; conv++)
    {
      guint gradient = n_ops, pool = can_pool (self, conv) ? pooling_behind (self, conv, &gradient) : n_ops;

      if (pool == n_ops)
        continue;
      stages[conv].pooled.by_this = &stages[pool];
      stages[pool].pooled.by_other = TRUE;
      if (gradient < n_ops)
        place_gradient (self, gradient, stages[pool].target, stages[conv].target);
    }
}
