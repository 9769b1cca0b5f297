/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves: the strip, large: loss, throughput and the difference of the losses, on one axis of steps. What came out?
 */
#include "config.h"
#include "ui/paint/view.h"

#include <glib/gi18n-lib.h>

static void
layout_curves (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_begin (layout), loss, rate, delta;
  double heads;

  area.y += 2 * m->unit;
  area.h -= 4 * m->unit;
  heads = ls_stage_heads (layout, area) + 3 * m->unit;
  area.y += heads;
  area.h -= heads;
  loss = ls_stage_lane (layout, area, 0);
  rate = ls_stage_lane (layout, area, 1);
  rate.h = (area.h - 4 * m->unit) / 2;
  delta = (LsArea){ rate.x, rate.y + rate.h + 4 * m->unit, rate.w, rate.h };
  ls_chart_curve (layout, loss, LS_CURVE_LOSS);
  ls_chart_curve (layout, rate, LS_CURVE_RATE);
  ls_chart_curve (layout, delta, LS_CURVE_DELTA);
}

const LsView ls_view_curves = {
  .name = "curves",
  .title = N_("Curves"),
  .question = N_("What came out?"),
  .layout = layout_curves,
};
