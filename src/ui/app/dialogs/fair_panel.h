/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsFairPanel: what makes the comparison of the two lanes fair, a line each, with a switch that makes it
 * unfair on purpose, so that a hall sees how a hundredfold is made; and buttons for a whole unfair fight and
 * back.
 */
#pragma once

#include <adwaita.h>

#include "ui/app/session/session.h"

G_BEGIN_DECLS

#define LS_TYPE_FAIR_PANEL (ls_fair_panel_get_type ())
G_DECLARE_FINAL_TYPE (LsFairPanel, ls_fair_panel, LS, FAIR_PANEL, GtkBox)

/* Follows the session's data. Signals: "switch" (side: uint, option: string, value: string): the lane on that
 * side gets it; "fight" (fair: boolean): all of them. */
GtkWidget *ls_fair_panel_new (LsSession *session);

G_END_DECLS
