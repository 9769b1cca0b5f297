/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an op's gradient asks of the plan that is being built: which tensors there are, and where its own ops
 * go. Plans are made of ops, so model/plan_builder.c defines it.
 */
#pragma once

#include "ops/op.h"

G_BEGIN_DECLS

/* Valid until the next tensor or op is added. */
LsTensor *ls_plan_builder_get (LsPlanBuilder *b, guint tensor);
/* Appends the op that makes what this reader adds to tensor `of`'s gradient, if that is wanted; of the only
 * reader it is the gradient. right_side: of the equation. */
gboolean ls_plan_builder_delta (LsPlanBuilder *b, const LsOpClass *klass, const guint *in, LsOpAttr attr,
                                guint of, const char *right_side, GError **error);
/* What this reader adds to tensor `of`'s gradient is that tensor, which is there already. */
void ls_plan_builder_share_delta (LsPlanBuilder *b, guint of, guint delta);
/* An output of the op that was appended last. */
guint ls_plan_builder_last_output (LsPlanBuilder *b, guint output);
/* That output, too, is what this reader adds to a tensor's gradient, here `of`'s. */
void ls_plan_builder_output_delta (LsPlanBuilder *b, guint of, guint output);
/* Some reader has said what it adds to the tensor's gradient. */
gboolean ls_plan_builder_has_delta (LsPlanBuilder *b, guint tensor);
/* Zeros of a tensor's shape, which nobody writes: one tensor for all who ask. −1 with an error. */
gint ls_plan_builder_zeros (LsPlanBuilder *b, const LsTensor *like, GError **error);
/* The id of tensor's gradient, which must be settled (plan.h): that of the output of the op at hand is. */
guint ls_plan_builder_delta_of (LsPlanBuilder *b, guint tensor);
/* Valid until the next tensor is added. */
const char *ls_plan_builder_symbol (LsPlanBuilder *b, guint tensor);

G_END_DECLS
