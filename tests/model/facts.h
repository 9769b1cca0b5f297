/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests say of plans: names, shapes, equations and costs of tensors and ops, and what is refused.
 */
#pragma once

#include "loops.h"

G_BEGIN_DECLS

const LsTensor *facts_find (const LsPlan *plan, const char *name);
/* The op that makes the tensor of that name (of an in-place one: the update). */
const LsOp *facts_maker (const LsPlan *plan, const char *name);
void facts_tensor (const LsPlan *plan, const char *name, const char *symbol, LsRole role, gint layer,
                   const char *shape);
void facts_op (const LsPlan *plan, const char *out, const char *klass, const char *equation, gint64 flops,
               gint64 bytes);
void facts_refused (const char *model, gint64 channels, gint64 height, gint64 width, gint n_classes,
                    guint batch, const char *message);

G_END_DECLS
