/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the canvas's files share: canvas.c (layout and frames), canvas_set.c (what the window sets),
 * canvas_pointing.c (pointer, keys, picks), canvas_choose.c (what a view has to choose), canvas_zoom.c
 * (zooming and panning), canvas_slots.c (widgets on the stage), canvas_style.c (the desktop's look),
 * canvas_beside.c (the second of two).
 */
#pragma once

#include "ui/app/canvas/canvas.h"
#include "ui/app/canvas/frame_meter.h"
#include "ui/paint/output/raster.h"

typedef struct {
  LsSlotKind kind;
  gint side;
  const LsView *view; /* that alone has it; NULL: all may */
  GtkWidget *widget;
} Placed;

/* What both of two canvases show: what is chosen or drawn in a view goes with it to the other side. */
typedef struct {
  GPtrArray *states;  /* the views' own, in their order */
  LsStrokes *strokes; /* drawn on the pad */
} Shared;             /* a g_rc_box */

#define PLACED(self, i) (&g_array_index ((self)->placed, Placed, i))

typedef struct {
  guint64 serial;
  GskRenderNode *node;
} Kept;

typedef enum { LS_DRAG_NOTHING, LS_DRAG_PICTURE, LS_DRAG_BRACKET, LS_DRAG_LEFT, LS_DRAG_RIGHT } LsDrag;

/* Of views that zoom: the pointer, and a drag or pinch that goes on. */
typedef struct {
  double x; /* of the pointer */
  LsDrag drag;
  gboolean moved;
  double w;                       /* px that the drag is measured by */
  gint64 from_ns, to_ns, span_ns; /* when it began */
  LsPick picked_before;           /* the press */
  gint64 now_ns;                  /* where the playhead was last seen */
} LsZooming;

struct _LsCanvas {
  GtkWidget parent;
  LsSession *session;
  const LsView *view;
  Shared *shared;
  LsQuery query; /* state: one of the shared ones */
  gboolean projector;
  gboolean beside; /* it stands on the right of two */

  LsStyle style;
  LsFonts *fonts;
  LsLayout *layout; /* NULL: to be made */
  gboolean moved;   /* layout's query is to be brought up to date */
  LsRaster *raster;
  GArray *kept;   /* Kept, by brick */
  GArray *placed; /* Placed */

  LsZooming zoom;
  int clicked_x, clicked_y; /* where something was chosen; 0: by a key */
  guint wished_op;          /* what the view wished for was told of that op */
  gboolean differs;         /* the element in which the lanes differ has been gone to */
  guint evidence_at;        /* whose popover the keyboard opened last */
  guint tick;
  gint64 tick_us; /* of the last frame, 0: the first */
  gint64 described_us;
  guint describe_later;
  LsFrameMeter meter;
};

/* Brings layout and its query up to date; FALSE: there is nothing to show yet. */
gboolean ls_canvas_ensure_layout (LsCanvas *self);
/* The query asks for another picture. */
void ls_canvas_relayout (LsCanvas *self);
/* What the view would have computed, as the query is now; anew: also if it is what it was. */
void ls_canvas_tell_wish (LsCanvas *self, gboolean anew);
void ls_canvas_take_view (LsCanvas *self, const LsView *view);
/* Which clock the view counts by, for the op that is shown. */
void ls_canvas_set_clock (LsCanvas *self);
/* Only the query changed. */
void ls_canvas_queue_move (LsCanvas *self);
/* For screen readers: at once, or soon. */
void ls_canvas_queue_describe (LsCanvas *self, gboolean now);
void ls_canvas_class_add_signals (LsCanvasClass *class);
void ls_canvas_add_pointing (LsCanvas *self);
/* canvas_beside.c: the session's playhead on the view's own clock. mine: a copy, whose ops stay the
 * session's. */
void ls_canvas_own_clock (LsCanvas *self, LsPlayhead *mine);
/* canvas_zoom.c */
void ls_canvas_add_zooming (LsCanvas *self);
gboolean ls_canvas_zoom_beside (LsCanvas *self, double x, double y);
/* Moves the window after the playhead: TRUE: the layout is of another part now. */
gboolean ls_canvas_zoom_follow (LsCanvas *self);
/* canvas_choose.c */
void ls_canvas_add_choosing (LsCanvas *self);
gboolean ls_canvas_in_pad (LsCanvas *self, double x, double y);
/* A click or a key has changed the query, or asks for something. */
void ls_canvas_act (LsCanvas *self, LsAct act);
void ls_canvas_seek_difference (LsCanvas *self);
/* canvas_style.c */
void ls_canvas_restyle (LsCanvas *self);
void ls_canvas_follow_desktop (LsCanvas *self);
/* canvas_slots.c */
/* The view's switches are of another width than the layout was made for; the query has it now. */
gboolean ls_canvas_slots_outgrown (LsCanvas *self);
void ls_canvas_place_slots (LsCanvas *self);
/* Do the widgets stand elsewhere in the other layout? */
gboolean ls_canvas_slots_differ (const LsLayout *a, const LsLayout *b);
