/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sweep as a picture: one plot for each size that grew, samples per second against it, both axes
 * logarithmic, both lanes in their colours, medians as dots on a line in the band of the middle half, the
 * names at the lines' ends; the conditions in the caption. Pure, like the views: the same sweep gives the
 * same scene.
 */
#pragma once

#include "lab/sweep.h"
#include "ui/paint/scene/axis.h"
#include "ui/paint/scene/metrics.h"
#include "ui/paint/scene/scene.h"

G_BEGIN_DECLS

/* The size that a picture of so many plots has. */
void ls_growth_size (const LsSweepRun *run, double *width, double *height);
/* (transfer full) */
LsScene *ls_growth_scene (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts);
/* Draws it into a file: .png, .svg or .pdf. Errors: those of ls_export_scene(). */
gboolean ls_growth_export (const LsSweepRun *run, const LsStyle *style, LsFonts *fonts, const char *path,
                           GError **error);

/* ---- growth_panel.c ---- */

typedef struct {
  LsScene *s;
  const LsMetrics *m;
  const LsSweep *sweep;
  double left, top, width, height;
} LsGrowthPanel;

void ls_growth_panel (const LsGrowthPanel *panel);

G_END_DECLS
