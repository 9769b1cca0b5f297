/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `lockstep plan --cost` prints, and writes as JSON: this computer, a line for each device, what to do,
 * and what that rests on.
 */
#pragma once

#include "machines/guide/guide.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"

G_BEGIN_DECLS

typedef struct {
  const LsArguments *arguments;
  LsGuide guide;
  LsCatalogue *catalogue;
  GPtrArray *devices; /* LsHardware: those that were asked for, or all */
  gboolean asked;
  gboolean field;
  LsFigure rate; /* samples/s here */
  double epochs;
} LsPlanCost;

/* The prices of the command line, over the published ones. plan_cost.c */
gboolean ls_plan_cost_prices (const LsPlanCost *c, LsPrices *prices, GError **error);

void ls_plan_cost_here (const LsPlanCost *c, const LsAdvice *advice);
void ls_plan_cost_field (const LsPlanCost *c);
void ls_plan_cost_devices (const LsPlanCost *c, json_t *rows);
void ls_plan_cost_advice (const LsPlanCost *c, const LsAdvice *advice, json_t *json);

G_END_DECLS
