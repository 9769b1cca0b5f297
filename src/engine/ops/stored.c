/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops on tensors that are stored in 16 bits: what moves, and the reference loops between a conversion of what
 * they read and one of what they wrote. So every op's output is rounded to what it is stored as, whoever
 * computes it and whether or not the next op is done with it: that is the definition that other lanes are
 * held against.
 */
#include "config.h"

#include "core/half.h"
#include "ops/op.h"

gboolean
ls_op_reads_copy (const LsOp *op, const LsTensor *in)
{
  return op->phase != LS_PHASE_UPDATE && ls_tensor_has_copy (in);
}

gint64
ls_op_bytes (const LsOp *op, const LsTensor *tensors)
{
  gint64 bytes = 0;

  for (guint j = 0; j < op->n_in; j++)
    {
      const LsTensor *in = &tensors[op->in[j]];
      if ((op->klass->shape_only & (1u << j)) == 0)
        bytes += (gint64) (ls_op_reads_copy (op, in) ? ls_tensor_copy_bytes (in) : ls_tensor_bytes (in));
    }
  for (guint j = 0; j < op->n_out; j++)
    bytes += (gint64) (ls_tensor_bytes (&tensors[op->out[j]]) + ls_tensor_copy_bytes (&tensors[op->out[j]]));
  return bytes;
}

gsize
ls_op_scratch (const LsOpCall *call)
{
  gsize n = 0;

  for (guint j = 0; j < call->op->n_in; j++)
    if (ls_dtype_is_half (call->in_dtype[j]))
      n += (gsize) ls_tensor_count (call->in_tensor[j]);
  for (guint j = 0; j < call->op->n_out; j++)
    if (ls_dtype_is_half (call->out_dtype[j]))
      n += (gsize) ls_tensor_count (call->out_tensor[j]);
  return n;
}

void
ls_op_run (const LsOpCall *call, float *scratch)
{
  const LsOp *op = call->op;
  LsOpCall wide = *call;

  for (guint j = 0; j < op->n_in; j++)
    if (ls_dtype_is_half (call->in_dtype[j]))
      {
        const gsize n = (gsize) ls_tensor_count (call->in_tensor[j]);
        if ((op->klass->shape_only & (1u << j)) == 0)
          ls_half_load (call->in_dtype[j], call->in[j], scratch, n);
        wide.in[j] = scratch;
        scratch += n;
      }
  for (guint j = 0; j < op->n_out; j++)
    if (ls_dtype_is_half (call->out_dtype[j]))
      {
        wide.out[j] = scratch;
        scratch += ls_tensor_count (call->out_tensor[j]);
      }
  op->klass->ref_f32 (&wide);
  for (guint j = 0; j < op->n_out; j++)
    if (ls_dtype_is_half (call->out_dtype[j]))
      ls_half_store (call->out_dtype[j], wide.out[j], call->out[j],
                     (gsize) ls_tensor_count (call->out_tensor[j]));
  if (call->copy != NULL)
    ls_half_store (call->out_tensor[0]->copy, call->out[0], call->copy,
                   (gsize) ls_tensor_count (call->out_tensor[0]));
}
