/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gather: the batch's samples and labels, from the data set: X [B, C, H, W], labels [B]. It reads no tensor,
 * so its shape is an attribute; whether X is made on a device or copied there is the backend's choice.
 *
 * Bytes become byte / 255 in float, also in the double-precision reference: the quotient is rounded once, the
 * same on every machine.
 */
#include "ops/real.h"

void
LS_REF (gather) (const LsOpCall *call)
{
  const LsBatch *batch = call->batch;
  const gint64 size = batch->set->sample_size;
  const guint8 *bytes = batch->set->samples;
  const float *floats = batch->set->samples;
  real *x = call->out[0];
  gint32 *labels = call->out[1];

  for (guint b = 0; b < batch->n; b++)
    {
      gint64 from = batch->index[b];
      for (gint64 i = 0; i < size; i++)
        x[b * size + i] = batch->set->type == LS_SAMPLE_U8 ? (real) ((float) bytes[from * size + i] / 255.0f)
                                                           : (real) floats[from * size + i];
      labels[b] = batch->set->labels[from];
    }
}

#if !LS_REAL_64
#include "ops/shape.h"

static gboolean
shape (const LsTensor *const *in, LsOpAttr *attr, LsTensor *out, GError **error)
{
  return ls_shape_set (&out[0], 4, attr->shape, error) && ls_shape_set (&out[1], 1, attr->shape, error);
}

static gint64
flops (const LsTensor *const *in, const LsOpAttr *attr, const LsTensor *out)
{
  return ls_tensor_count (out);
}

static const LsOpTest tests[] = {
  { .attr = { .shape = { 1, 1, 1, 1 } } },
  { .attr = { .shape = { 1, 2, 1, 1 } } },
  { .attr = { .shape = { 7, 3, 5, 5 } } },
  { .attr = { .shape = { 33, 1, 28, 28 } } },
};

const LsOpClass ls_op_gather = {
  .name = "gather",
  .formula = "X[b] = sample[index[b]]",
  .n_in = 0,
  .n_out = 2,
  .in_place = LS_OUT_OF_PLACE,
  .out_dtype = { LS_F32, LS_I32 },
  .shape = shape,
  .flops = flops,
  LS_REFS (gather),
  .tests = tests,
  .n_tests = G_N_ELEMENTS (tests),
};
#endif
