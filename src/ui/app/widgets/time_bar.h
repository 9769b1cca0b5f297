/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTimeBar: under the stage while the clock stands: the scrubber over the shown step or op, jumps by op,
 * where the step stands in the history, and its pin. LsDial: how fast machine time passes on screen, always
 * printed.
 */
#pragma once

#include <adwaita.h>

#include "ui/app/session/session.h"

G_BEGIN_DECLS

#define LS_TYPE_TIME_BAR (ls_time_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsTimeBar, ls_time_bar, LS, TIME_BAR, GtkWidget)

GtkWidget *ls_time_bar_new (LsSession *session);

#define LS_TYPE_DIAL (ls_dial_get_type ())
G_DECLARE_FINAL_TYPE (LsDial, ls_dial, LS, DIAL, GtkWidget)

GtkWidget *ls_dial_new (LsSession *session);
/* One position up (+1: faster) or down. */
void ls_dial_turn (LsDial *self, int direction);
/* A shorter slider, for narrow windows. */
void ls_dial_set_compact (LsDial *self, gboolean compact);

G_END_DECLS
