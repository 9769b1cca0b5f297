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
/* The id of tensor's gradient, which must be settled (plan.h): that of the output of the op at hand is. */
guint ls_plan_builder_delta_of (LsPlanBuilder *b, guint tensor);
/* Valid until the next tensor is added. */
const char *ls_plan_builder_symbol (LsPlanBuilder *b, guint tensor);

G_END_DECLS
