/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans of one product, m × k by k × n, whose factors are stored transposed where ta and tb say so.
 */
#pragma once

#include "model/plan.h"

/* (transfer full) */
static inline LsPlan *
product (gint64 m, gint64 n, gint64 k, gboolean ta, gboolean tb)
{
  const LsOpTest test = { .in = { { ta ? k : m, ta ? m : k }, { tb ? n : k, tb ? k : n } },
                          .attr = { .ta = ta, .tb = tb } };
  g_autoptr (GError) error = NULL;
  LsPlan *plan = ls_plan_new_single (&ls_op_matmul, &test, &error);

  g_assert_no_error (error);
  return plan;
}
