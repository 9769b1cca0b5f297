/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of the laboratory as a picture: one plot for each size that grew, samples per second against it,
 * both axes logarithmic, the lanes in their inks, medians as dots on a line in the band of the middle half,
 * the names at the lines' ends; the conditions in the caption. Pure, like the views: the same results give
 * the same scene.
 */
#pragma once

#include "lab/result.h"
#include "ui/paint/scene/axis.h"
#include "ui/paint/scene/metrics.h"
#include "ui/paint/scene/scene.h"

G_BEGIN_DECLS

/* results: LsLabResult, one or several of the same lanes on the same machine. */

/* The size that a picture of so many plots has. */
void ls_growth_size (const GPtrArray *results, double *width, double *height);
/* (transfer full) */
LsScene *ls_growth_scene (const GPtrArray *results, const LsStyle *style, LsFonts *fonts);
/* One result in a place of that size: text isn't smaller there; the lanes' devices are left out where there
 * is no room. (transfer full) */
LsScene *ls_growth_scene_sized (const LsLabResult *result, const LsStyle *style, LsFonts *fonts, double width,
                                double height);
/* The same in words, for who can't see it: each lane's first and last figure, and their conditions.
 * (transfer full) */
char *ls_growth_describe (const LsLabResult *result);
/* Draws it into a file: .png, .svg or .pdf. Errors: those of ls_export_scene(). */
gboolean ls_growth_export (const GPtrArray *results, const LsStyle *style, LsFonts *fonts, const char *path,
                           GError **error);

/* What the rates of an experiment are, translated: "samples per second", or the unit. */
const char *ls_growth_unit (const LsExperiment *experiment);
/* What every figure in it is, translated; brief: in few words. */
const char *ls_growth_caption (gboolean busy, gboolean brief);

/* ---- growth_panel.c ---- */

typedef struct {
  LsScene *s;
  const LsMetrics *m;
  const LsLabResult *result;
  const GArray *names; /* LsViewName */
  double left, top, width, height;
  const char *words; /* behind the title: the network, and what else depends on */
  gboolean tight;    /* the lanes' names take no more room than they need */
} LsGrowthPanel;

void ls_growth_panel (const LsGrowthPanel *panel);

G_END_DECLS
