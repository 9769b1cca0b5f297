/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that fill LsViewData share: view_data.c from a recording, view_live.c from a run that goes
 * on.
 */
#pragma once

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

void ls_view_lane_clear (LsViewLane *lane);
/* An empty list of lanes. */
GPtrArray *ls_view_lanes_new (void);
/* Of LS_SIDES sides: makes the pair of curves, or adds to that of `previous`, which may be NULL. */
void ls_view_pair_lanes (LsViewLane *sides, const LsViewLane *previous);
/* Which lane stands where: those that were chosen (ids, or NULL), else the CPU's left, OpenCL's right,
 * whatever else there is in the place that is left; −1: none. */
void ls_view_choose_sides (const GArray *names, const char *const *stands, gint sides[LS_SIDES]);
/* Of all lanes, with their inks. spec, device: may be NULL. */
GArray *ls_view_names_new (void);
void ls_view_names_add (GArray *names, const char *id, LsLaneSpec *spec, LsBackendKind who,
                        const LsDeviceInfo *device);
void ls_view_names_ink (GArray *names);
GArray *ls_view_running_names (const LsSnapshot *snapshot);
void ls_view_lane_set_missing (LsViewLane *lane, guint side, gboolean live);
void ls_view_lane_set_device (LsViewLane *lane, const LsViewName *name, const LsDeviceInfo *device,
                              const LsTiling *heavy);
/* Of one that trains now; its conditions are there: beside what it stores numbers in, how many steps were
 * skipped for that. */
void ls_view_lane_set_scale (LsViewLane *lane, const LsLossScale *scale);
/* The picture of the lane: of the data's recording, or the one it had, if it stopped before that. previous:
 * may be NULL. */
void ls_view_set_picture (LsViewData *data, guint side, const LsViewData *previous);
/* data->agreed's answers, from both sides' evaluations. */
void ls_view_compare_answers (LsViewData *data);
/* While only one lane has answered what was asked last, both keep what they said before. previous: may be
 * NULL. */
void ls_view_settle_answers (LsViewData *data, const LsViewData *previous);
/* Of the op with the most arithmetic: what the lane's speed depends on most; or NULL. flops: every `stride`
 * bytes one. */
const LsTiling *ls_view_heavy_tiling (const LsTiling *tilings, const gint64 *flops, guint stride, guint n);
/* "784 · 256 · 128 · 10 on mnist, batch 128"; brief: "mlp on mnist, batch 128". (transfer full) */
char *ls_view_title (const char *model, const char *name, const gint64 in_shape[3], const char *data,
                     guint batch, gboolean brief);

/* How fair the comparison of both sides is; the pair is complete but for what the sides say themselves. */
void ls_view_judge (LsViewData *data, LsFairPair *pair);

/* All of it but what belongs to lanes. */
void ls_view_take_beside (LsViewData *data, const LsViewBeside *beside);
/* Lanes of the recording that is laid over stand where those of the same ids do. */
void ls_view_stand_alike (LsViewData *data);

G_END_DECLS
