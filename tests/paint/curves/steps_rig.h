/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot's lines before they are drawn, of steps that are the test's own.
 */
#pragma once

#include <math.h>

#include "curves_rig.h"
#include "tests/paint/states.h"

typedef struct {
  LsViewData *data;
  LsFonts *fonts;
  LsLayout *layout;
  LsChart c;
} Rig;

/* A live run of two lanes without a step; what curves are to be had is the test's to add. */
static inline void
rig_start (Rig *r)
{
  const LsQuery query = LS_QUERY_INIT;

  *r = (Rig){ .data = ls_fixture_view (&ls_fixture_cores, LS_STATE_LIVE), .fonts = ls_fonts_new (NULL) };
  r->data->batch = 100;
  for (guint side = 0; side < LS_SIDES; side++)
    {
      LsViewLane *lane = &r->data->sides[side];
      g_clear_pointer (&lane->curve, ls_curve_unref);
      g_clear_pointer (&lane->accuracies, g_array_unref);
      g_clear_pointer (&lane->pair, ls_pair_unref);
      lane->curve = ls_curve_new ();
      lane->steps = 0;
      lane->rate = (LsFigure){ .unit = "samples/s" };
    }
  r->layout = draw_view_in (r->fonts, &ls_view_curves, r->data, &query, LS_LOOK_LIGHT, 1280, 800);
}

static inline void
add_step (LsViewLane *lane, double step_us, double loss, guint32 end_ms)
{
  g_assert_true (ls_curve_append (
    lane->curve, (LsPoint){ .end_ms = end_ms, .step_us = (float) step_us, .loss = (float) loss }));
  lane->steps++;
}

static inline void
add_accuracy (LsViewLane *lane, guint64 steps, double accuracy)
{
  const LsAccuracy a = { steps, accuracy };

  if (lane->accuracies == NULL)
    lane->accuracies = g_array_new (FALSE, FALSE, sizeof (LsAccuracy));
  g_array_append_val (lane->accuracies, a);
}

/* 600 × 200 px. */
static inline void
rig_open (Rig *r, LsCurveKind kind, LsChartParts parts, gboolean seconds)
{
  r->layout->query.curves.seconds = seconds;
  ls_chart_open (&r->c, r->layout, kind, parts);
  r->c.left = 100;
  r->c.right = 700;
  r->c.top = 50;
  r->c.bottom = 250;
  if (r->c.n_lines > 0)
    ls_chart_make_points (&r->c);
}

static inline void
rig_shut (Rig *r)
{
  for (guint i = 0; i < r->c.n_lines; i++)
    {
      g_array_unref (r->c.lines[i].points);
      g_array_unref (r->c.lines[i].dots);
    }
  g_clear_pointer (&r->c.lines, g_free);
}

static inline void
rig_end (Rig *r)
{
  ls_layout_free (r->layout);
  ls_view_data_unref (r->data);
  ls_fonts_unref (r->fonts);
}

/* Of a run before, which a test made itself. */
static inline void
free_lane (gpointer data)
{
  LsViewLane *lane = data;

  ls_curve_unref (lane->curve);
  g_free (lane->brief);
  g_free (lane);
}

static inline const LsChartPoint *
point (const Rig *r, guint line, guint i)
{
  g_assert_cmpuint (line, <, r->c.n_lines);
  g_assert_cmpuint (i, <, r->c.lines[line].points->len);
  return &g_array_index (r->c.lines[line].points, LsChartPoint, i);
}
