/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLaneControls: what can be switched on a lane while it runs, in a row that the canvas places above the
 * lane's picture: schedule and threads on the CPU's side, the kernel's rung on OpenCL's. As words side by
 * side, or as drop-downs where room is short. The words come from the option table.
 *
 * Signals: "changed" (const LsOption *, char *text).
 */
#pragma once

#include <adwaita.h>

#include "core/options.h"

G_BEGIN_DECLS

#define LS_TYPE_LANE_CONTROLS (ls_lane_controls_get_type ())
G_DECLARE_FINAL_TYPE (LsLaneControls, ls_lane_controls, LS, LANE_CONTROLS, GtkWidget)

/* names: rows of the option table, NULL-terminated; the first is the one that may be shown as words side by
 * side. */
GtkWidget *ls_lane_controls_new (const char *const *names);
/* One choice that is no setting of the run: it begins with the first, and keeps what is chosen. option:
 * static. */
GtkWidget *ls_lane_controls_new_own (const LsOption *option);
guint ls_lane_controls_chosen (LsLaneControls *self);
void ls_lane_controls_choose (LsLaneControls *self, guint i);
void ls_lane_controls_set_options (LsLaneControls *self, const LsOptions *options);
void ls_lane_controls_set_compact (LsLaneControls *self, gboolean compact);
/* Whole numbers that a row without choices offers: 0 (automatic) to most. */
void ls_lane_controls_set_most (LsLaneControls *self, guint most);

G_END_DECLS
