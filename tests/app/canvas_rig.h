/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests of a canvas share: one in a window, with a view of an invented step, and what a pointer does.
 */
#pragma once

#include "fixture.h"
#include "rig.h"
#include "ui/app/canvas/canvas_private.h"
#include "ui/app/session/session_private.h"
#include "ui/paint/views.h"

G_BEGIN_DECLS

LsCanvas *canvas_rig_show (const LsView *view, LsSession *session, GtkWidget **window);
/* To all of the canvas's controllers of that kind; fails if it has none. */
void canvas_rig_emit (LsCanvas *canvas, GType kind, const char *signal, double x, double y);

G_END_DECLS
