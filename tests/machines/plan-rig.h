/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plan of a network on digits, for the tests of machines.
 */
#pragma once

#include "model/plan.h"

static inline LsPlan *
plan_of (const char *text, guint batch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  const gint64 shape[3] = { 1, 28, 28 };
  LsPlan *plan;

  g_assert_no_error (error);
  plan = ls_plan_new (model, shape, 10, batch, LS_OPTIMIZER_SGD, &error);
  g_assert_no_error (error);
  return plan;
}
