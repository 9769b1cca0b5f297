/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans that between them have every op that the program ships with: a backend has a kernel of its own for
 * each.
 */
#pragma once

#include "model/plan.h"

#define SHIPPED_PLANS 2

static inline LsPlan *
shipped_plan (guint i)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse ("conv 4 3 pad 1, relu, conv 4 3, maxpool 2, lstm 8 all, "
                                              "avgpool 2, gelu, layernorm, dropout 0.5, flatten, dense 16, "
                                              "tanh, residual(dense 16, sigmoid), dense 10",
                                              &error);
  LsPlan *plan = ls_plan_new (model, (const gint64[]){ 1, 12, 12 }, 10, 8, (LsOptimizer) i, &error);

  g_assert_no_error (error);
  return plan;
}
