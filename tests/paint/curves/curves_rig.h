/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves laid out, and its plots.
 */
#pragma once

#include "tests/paint/draw.h"
#include "ui/paint/parts/chart.h"
#include "ui/paint/views.h"

static inline LsLayout *
lay_out (LsViewData *data, LsFonts *fonts, LsLook look, double w, double h)
{
  LsQuery query = LS_QUERY_INIT;

  query.chrome = query.key = TRUE;
  query.op = 1;
  return draw_view_in (fonts, &ls_view_curves, data, &query, look, w, h);
}

static inline const LsPlot *
plot_of (const LsLayout *layout, LsCurveKind kind)
{
  for (guint i = 0; i < layout->plots->len; i++)
    if (g_array_index (layout->plots, LsPlot, i).kind == kind)
      return &g_array_index (layout->plots, LsPlot, i);
  return NULL;
}

/* The text of that item of what moves, if it is one in the plot's rows; else NULL. */
static inline const char *
text_in (const LsLayout *layout, const LsPlot *plot, guint i)
{
  const LsItem *item = ls_scene_get (layout->moving, i);

  return item->kind == LS_ITEM_TEXT && (double) item->y >= plot->area.y
             && (double) item->y <= plot->area.y + plot->area.h
           ? item->text
           : NULL;
}
