/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCanvas: the one custom widget: shows a view of the session's data, through a raster that repaints only
 * what changed, and puts real buttons where the view's layout leaves room for them. Pointer and keys become
 * hover and pick. It asks the session for data and never the engine.
 *
 * Signals: "pick" (hover or pick changed), "op" (guint: an op was clicked in the ribbon), "evidence"
 * (LsEvidenceHit *: an evidence mark was clicked), "chosen" (a click or key has changed what the view is
 * asked).
 */
#pragma once

#include <adwaita.h>

#include "ui/app/session/session.h"
#include "ui/paint/parts/evidence.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

#define LS_TYPE_CANVAS (ls_canvas_get_type ())
G_DECLARE_FINAL_TYPE (LsCanvas, ls_canvas, LS, CANVAS, GtkWidget)

/* first: it stands on the right of that one, with which it shares the views' states, and its clock follows
 * the session's, which the other one's view chooses. NULL: it stands alone, or on the left. */
GtkWidget *ls_canvas_new (LsSession *session, LsCanvas *first);
void ls_canvas_set_view (LsCanvas *self, const LsView *view);
const LsView *ls_canvas_view (LsCanvas *self);
void ls_canvas_set_strip (LsCanvas *self, LsStripPart strip); /* which curves are at the foot */
/* What is pointed at and picked in the other one is marked in this one. */
void ls_canvas_follow (LsCanvas *self, LsCanvas *other);
/* Where a view has room for it: a lane's switches, the button under a lane's sentence. Takes over the
 * floating reference. */
void ls_canvas_set_slot (LsCanvas *self, LsSlotKind kind, gint side, GtkWidget *widget);
/* What is to stand on the button there; NULL: the picture has no such slot, or says nothing. */
const char *ls_canvas_slot_words (LsCanvas *self, LsSlotKind kind);
/* What the view's button measures (LsExperiment); (transfer full). */
GPtrArray *ls_canvas_measures (LsCanvas *self);
/* The claims that it runs instead, by their names; (transfer full); NULL: it runs none. */
GPtrArray *ls_canvas_runs (LsCanvas *self);
/* Where the layout has room for that now; NULL: nowhere. Valid until the next layout. */
const LsSlot *ls_canvas_find_slot (LsCanvas *self, LsSlotKind kind);
/* The view's own switches, where it has room for them. Takes over the floating reference. */
void ls_canvas_set_switches (LsCanvas *self, const LsView *view, GtkWidget *widget);
/* One of the switches of the view that is shown is set to its i-th choice. */
void ls_canvas_switch (LsCanvas *self, const LsViewSwitch *row, guint i);
/* The view's own state. */
gconstpointer ls_canvas_state (LsCanvas *self, const LsView *view);
/* The evidence that isn't faded, −1: all of it. */
void ls_canvas_set_evidence (LsCanvas *self, gint evidence);
void ls_canvas_set_projector (LsCanvas *self, gboolean projector);
/* The key at the foot: where no sidebar shows it. */
void ls_canvas_set_key (LsCanvas *self, gboolean key);
void ls_canvas_set_seconds (LsCanvas *self, gboolean seconds); /* curves by seconds, not steps */
void ls_canvas_set_plot (LsCanvas *self, LsCurveKind plot);    /* which curve, where there is room for one */
gboolean ls_canvas_seconds (LsCanvas *self);

/* Enter: the mark under the pointer, or the first; Escape lets go (FALSE: there was nothing). */
void ls_canvas_pick (LsCanvas *self);
gboolean ls_canvas_let_go (LsCanvas *self);
gboolean ls_canvas_has_pick (LsCanvas *self);
void ls_canvas_move_pick (LsCanvas *self, int dx, int dy);

/* A key for a view that zooms; FALSE: it isn't one. */
gboolean ls_canvas_zoom_key (LsCanvas *self, guint key, GdkModifierType state);

/* A key for a view that has things to choose; FALSE: it means nothing there. */
gboolean ls_canvas_view_key (LsCanvas *self, guint key, GdkModifierType state);

/* The square that a pen draws on, px of the canvas; FALSE: its view has none. */
gboolean ls_canvas_pad (LsCanvas *self, double *x, double *y, double *size);

/* As if the next evidence mark had been clicked: for the keyboard. */
void ls_canvas_next_evidence (LsCanvas *self);

/* The picture as it is, for export: with title, key and conditions, at any size. (transfer full) or NULL
 * without data. */
LsLayout *ls_canvas_export_layout (LsCanvas *self, double width, double height, LsLook look);
LsLook ls_canvas_look (LsCanvas *self);
/* What is wrong with the places of texts and marks in the picture as it is shown, or NULL: for tests.
 * (transfer full) */
char *ls_canvas_fault (LsCanvas *self);
/* A frame of the window took so long. */
void ls_canvas_add_frame (LsCanvas *self, gint64 us);
/* Milliseconds that the last frames took to lay out and paint: median, 95th percentile, and how many frames a
 * second since the last call. FALSE: none. */
gboolean ls_canvas_frame_times (LsCanvas *self, double *p50_ms, double *p95_ms, double *fps, guint *n);

G_END_DECLS
