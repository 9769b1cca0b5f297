/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of one curve's plot share: its lines as points, its axes and its place.
 */
#pragma once

#include "ui/paint/data/decimate.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

typedef struct {
  double x, low, middle, high; /* steps or seconds; values */
} LsChartPoint;

typedef struct {
  double x, value;
} LsChartDot;

typedef struct {
  guint side;             /* or LS_INK_OF its ink, of a lane that stands on none */
  const LsRunCurves *run; /* NULL: the run that is shown */
  const LsViewLane *lane;
  LsSeries series; /* but of accuracies */
  GArray *points;  /* LsChartPoint */
  GArray *dots; /* LsChartDot, of rates: single steps under the line; each, or of those of a column some, and
                   any that is far off */
  gboolean dense;          /* points stand for several steps: the band of all of them is drawn */
  double end_x, end_value; /* of the last step; NAN */
} LsChartLine;

typedef struct {
  LsLayout *layout;
  LsScene *s;
  LsCurveKind kind;
  LsChartParts parts;
  gboolean seconds;
  LsAxis x, y;
  double extent; /* of x: steps or seconds */
  double scale;  /* of the rate's unit: 1, 1e3, 1e6 */
  double left, right, top, bottom;
  double end; /* x that no label passes */
  LsChartLine *lines;
  guint n_lines;
} LsChart;

/* chart_curve.c: lines and extent; then, once left, right, top and bottom are set, all but the title; the
 * lines are gone then. */
void ls_chart_open (LsChart *chart, LsLayout *layout, LsCurveKind kind, LsChartParts parts);
void ls_chart_draw (LsChart *chart);
/* How wide the numbers left of a curve's axis may be. */
double ls_chart_ticks_width (const LsChart *chart);
/* pair: both lanes' lines are drawn. */
double ls_chart_line_width (const LsStyle *style, gboolean pair, guint side);

/* chart_axes.c */
void ls_chart_init_x (LsChart *chart);
void ls_chart_axes (const LsChart *chart);
void ls_chart_title (const LsChart *chart, LsArea area);
/* In the run's past: where the recorded step is whose picture is shown. */
void ls_chart_shown_step (const LsChart *chart);
/* "Loss", "Throughput": translated. */
const char *ls_chart_name (LsCurveKind kind);
/* The value that a number in a label shows: fraction to per cent, rate in its unit. (transfer full) */
char *ls_chart_value_text (LsCurveKind kind, double value);
/* Which number that is, of a lane. */
LsNumber ls_chart_number (LsCurveKind kind);

/* chart_points.c: the unit of rates, one for all of a picture; the lines that the data have; the length of
 * the x axis; the lines' points and the y axis. */
double ls_chart_rate_scale (const LsViewData *data);
void ls_chart_find_lines (LsChart *chart, gboolean runs);
void ls_chart_find_extent (LsChart *chart);
void ls_chart_make_points (LsChart *chart);

/* chart_labels.c: at the lines' ends. */
double ls_chart_labels_width (const LsChart *chart);
/* Both lanes' losses after the newest step that both have done. FALSE, and the losses stay as they
 * were: there is none, one lane is far behind, or a loss isn't a number. */
gboolean ls_chart_same_step (const LsViewData *data, guint64 *step, double losses[LS_SIDES]);
void ls_chart_labels (const LsChart *chart);

G_END_DECLS
