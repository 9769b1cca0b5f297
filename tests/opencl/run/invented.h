/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane on a device that is invented, of which no driver is asked: as far as launches are concerned, a
 * processor with two units and vectors of eight.
 */
#pragma once

#include <string.h>

#include "backends/opencl/run/instance.h"

typedef struct {
  LsCl cl;
  LsClDevice device;
  LsPlan *plan;
  LsData data;
} Lane;

static inline LsPlan *
plan_of (const char *text, guint batch, LsOptimizer optimizer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModel) model = ls_model_parse (text, &error);
  LsPlan *plan = ls_plan_new (model, (const gint64[]){ 1, 12, 12 }, 10, batch, optimizer, &error);

  g_assert_no_error (error);
  return plan;
}

static inline void
lane_init (Lane *lane, const char *model, guint batch, LsOptimizer optimizer, const char *rung,
           gboolean fusion)
{
  memset (lane, 0, sizeof *lane);
  lane->device.limits = (LsClLimits){ .is_cpu = TRUE,
                                      .max_group = 4096,
                                      .max_item = { 4096, 4096, 4096 },
                                      .local_mem = 1 << 20,
                                      .vector_width = 8,
                                      .units = 2 };
  lane->plan = plan_of (model, batch, optimizer);
  lane->cl.device = &lane->device;
  lane->cl.plan = lane->plan;
  lane->cl.data = &lane->data;
  lane->cl.batch_from = LS_BATCH_FROM_DEVICE;
  lane->cl.rung = (char *) rung;
  lane->cl.fusion = fusion;
}

static inline void
lane_clear (Lane *lane)
{
  ls_cl_launches_clear (&lane->cl);
  ls_plan_unref (lane->plan);
}
