/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which convolutions pool what they make: see LsCpuPooled.
 */
#include "backends/cpu/cpu.h"

/* Nobody else lies there, at any time of a step. */
static gboolean
has_own_place (const LsCpu *self, guint tensor)
{
  const LsPlan *plan = self->plan;
  guint n = 0;

  for (guint i = 0; i < plan->n_tensors; i++)
    n += !plan->tensors[i].is_view && self->place[i] == tensor;
  for (guint i = 0; i < plan->n_ops; i++)
    n += ls_op_writes (plan, &plan->ops[i], tensor);
  return n == 2;
}

/* A convolution's tiles can pool what no more than bias and relu, which don't ask what image an element is
 * of, were done to. */
static gboolean
can_pool (const LsCpu *self, guint conv)
{
  const LsCpuStage *stage = &self->fused[conv];

  if (self->plan->precision != LS_PRECISION_FP32 || self->leader[conv] != conv || stage->kernel == NULL
      || stage->tile != ls_cpu_tile_direct)
    return FALSE;
  for (guint f = 0; f < stage->n_followers; f++)
    if (stage->followers[f].call.op->klass != &ls_op_bias
        && stage->followers[f].call.op->klass != &ls_op_relu)
      return FALSE;
  return TRUE;
}

/* The maxpool2d that alone reads what the convolution's chain makes, but for a relu_grad that follows the
 * pooling's gradient; n_ops: there is none. */
static guint
pooling_behind (const LsCpu *self, guint conv, guint *gradient)
{
  const LsPlan *plan = self->plan;
  const guint none = plan->n_ops, made = plan->ops[self->last[conv]].out[0];
  guint pool = none;

  *gradient = none;
  for (guint i = conv; i < plan->n_ops; i++)
    {
      const LsOp *op = &plan->ops[i], *head = &plan->ops[self->leader[i]];

      if (head == &plan->ops[conv] || !ls_op_reads (plan, op, made))
        continue;
      if (pool == none && op->klass == &ls_op_maxpool2d && ls_plan_can_join (plan, self->leader, conv, i))
        pool = i;
      else if (pool < none && *gradient == none && op->klass == &ls_op_relu_grad
               && head->klass == &ls_op_maxpool2d_grad && head->in[1] == plan->ops[pool].out[1]
               && self->fused[self->leader[i]].n_followers == 1 && self->fused[pool].n_followers == 0
               && has_own_place (self, plan->ops[pool].out[0]))
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

/* sums: memory that nobody else uses by then. */
static void
place_gradient (LsCpu *self, guint gradient, const float *mask, float *sums)
{
  const Readers readers = readers_of (self, gradient);
  const guint none = self->plan->n_ops;
  LsCpuStage *stages = self->fused;

  stages[gradient].pooled.mask = mask;
  if (readers.bias_grad < none)
    stages[gradient].pooled.sums = stages[readers.bias_grad].pooled.sums = sums;
  if (readers.others || readers.dw > readers.bias_grad || readers.dw == none
      || !has_own_place (self, self->plan->ops[gradient].in[0]))
    return;
  stages[gradient].pooled.by_other = mask != NULL;
  stages[readers.dw].pooled.by_this = mask != NULL ? &stages[gradient] : NULL;
}

void
ls_cpu_pooled_place (LsCpu *self, gboolean reuse)
{
  for (guint conv = 0; conv < self->plan->n_ops; conv++)
    {
      guint gradient = self->plan->n_ops,
            pool = can_pool (self, conv) ? pooling_behind (self, conv, &gradient) : self->plan->n_ops;

      if (pool == self->plan->n_ops)
        continue;
      self->fused[conv].pooled.by_this = reuse ? &self->fused[pool] : NULL;
      self->fused[pool].pooled.by_other = reuse;
      if (gradient < self->plan->n_ops)
        place_gradient (self, gradient, reuse ? self->fused[pool].target : NULL,
                        reuse ? self->fused[conv].target : NULL);
    }
}
