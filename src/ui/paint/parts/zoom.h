/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of the clock a view shows: zooming at a point, panning, going to an op. Pure; the window and tests
 * share it.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_ZOOM_LEAST_NS 100 /* nothing narrower is shown */

/* What the query shows of 0 … span_ns; where that ends before it begins, its end, as wide. */
void ls_zoom_window (const LsQuery *query, gint64 span_ns, gint64 *from, gint64 *to);
/* by > 1: nearer; `at` (0 … 1, from the left) stays where it is. */
void ls_zoom_by (LsQuery *query, gint64 span_ns, double at, double by);
/* By that share of what is shown; positive: later. */
void ls_zoom_pan (LsQuery *query, gint64 span_ns, double by);
/* All of from … to, with a margin. */
void ls_zoom_to (LsQuery *query, gint64 span_ns, gint64 from, gint64 to);
/* Exactly that, within 0 … span_ns. */
void ls_zoom_set (LsQuery *query, gint64 span_ns, gint64 from, gint64 to);
void ls_zoom_all (LsQuery *query);
gboolean ls_zoom_is_all (const LsQuery *query);
/* What is picked, or the op of the query, filling most of the width. */
void ls_zoom_to_pick (LsQuery *query, const LsLayout *layout);

G_END_DECLS
