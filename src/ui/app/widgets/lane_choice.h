/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsLaneChoice: the button beside a lane's name that opens the list of all lanes, to choose the one that
 * stands on that side.
 *
 * Signals: "chosen" (guint side, char *id).
 */
#pragma once

#include <adwaita.h>

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

#define LS_TYPE_LANE_CHOICE (ls_lane_choice_get_type ())
G_DECLARE_FINAL_TYPE (LsLaneChoice, ls_lane_choice, LS, LANE_CHOICE, GtkWidget)

GtkWidget *ls_lane_choice_new (guint side);
/* The lanes that there are, and which of them stands there. data: may be NULL. */
void ls_lane_choice_show (LsLaneChoice *self, const LsViewData *data);

G_END_DECLS
