/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view is a row of a table, not a widget. Layout = data + question + size + style → two scenes: one that stays while the
 * clock runs, and a small one that moves. Both are pure: the same in, the same out. Painting, picking, the text dump and the
 * description for screen readers work on the scenes, so the window, `render`, exports and tests show the same picture.
 */
#pragma once

#include "ui/paint/metrics.h"
#include "ui/paint/paint.h"
#include "ui/paint/view_data.h"

G_BEGIN_DECLS

/* A piece of recorded work: an event of the lane on that side. */
typedef struct {
  gint side;                /* −1: nothing */
  guint32 event;
} LsPick;

#define LS_PICK_NONE ((LsPick){ -1, LS_NO_EVENT })

/* What is asked of a view. Shared by all of them, so that a thing picked in one is marked in all. */
typedef struct {
  guint op;                 /* the op that Partition shows */
  gint64 time_ns;           /* on the view's clock: Race since the step's start, Partition since the op's; LS_TIME_END */
  guint64 dial_ns;          /* machine time in a second on screen; 0: not playing */
  LsPick hover, picked;
  gint worker;              /* the others fade; −1 */
  gint evidence;            /* the others fade; −1 */
  gboolean seconds;         /* curves by seconds, not steps */
  gboolean chrome;          /* title, words in place of switches: for a picture without a window round it */
  gboolean key;             /* the evidence key at the foot */
} LsQuery;

#define LS_QUERY_INIT { .time_ns = LS_TIME_END, .hover = { -1, LS_NO_EVENT }, .picked = { -1, LS_NO_EVENT }, .worker = -1, .evidence = -1 }

/* Where the window may put widgets. */
typedef enum { LS_SLOT_CONTROLS, LS_SLOT_OPS, LS_SLOT_MESSAGE } LsSlotKind;

typedef struct {
  LsSlotKind kind;
  gint side;
  guint op;                 /* LS_SLOT_OPS: a click here asks for that op */
  double x, y, w, h;
} LsSlot;

typedef struct _LsView LsView;

typedef struct {
  const LsView *view;
  LsViewData *data;
  LsQuery query;
  LsStyle style;
  LsMetrics m;
  LsFonts *fonts;
  double width, height;
  LsScene *still, *moving;
  GArray *slots;            /* LsSlot */
  char *heading, *subheading; /* in the title of a projector's picture, in place of the view's name; may be NULL */
  gint64 span_ns;           /* the view's clock runs from 0 to here */
  gpointer own;             /* the view's geometry for the moving part */
  GDestroyNotify free_own;
} LsLayout;

struct _LsView {
  const char *name;         /* "partition": stable, for the command line */
  const char *title;        /* translatable */
  const char *question;     /* translatable: what it answers */
  gboolean needs_step;      /* draws a recorded step */
  gboolean by_op;           /* its clock counts from the op's start, not the step's */
  void (*layout)   (LsLayout *layout);
  void (*move)     (LsLayout *layout);                      /* fills layout->moving for query's time and pick */
  void (*describe) (const LsLayout *layout, GString *text); /* its state in a few sentences */
};

extern const LsView ls_view_race, ls_view_partition, ls_view_curves;

/* views.c */
const LsView *const *ls_views (guint *n);
const LsView *ls_view_find (const char *name);

/* layout.c */
LsLayout *ls_layout_new  (const LsView *view, LsViewData *data, const LsQuery *query, double width, double height,
                          const LsStyle *style, LsFonts *fonts);
void      ls_layout_free (LsLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLayout, ls_layout_free)
/* For another time, hover or pick of the same layout. */
void      ls_layout_move (LsLayout *layout, const LsQuery *query);
/* The background and what the clock only refills; then what moves. */
void      ls_layout_paint_still  (const LsLayout *layout, cairo_t *cr);
void      ls_layout_paint_moving (const LsLayout *layout, cairo_t *cr);
LsPick    ls_layout_pick (const LsLayout *layout, double x, double y);
/* The nearest mark from the picked one in a direction: dx, dy ∈ −1, 0, 1. */
LsPick    ls_layout_neighbour (const LsLayout *layout, LsPick from, int dx, int dy);
void      ls_layout_dump (const LsLayout *layout, FILE *stream);
char     *ls_layout_describe (const LsLayout *layout);
/* The event behind a pick, or NULL. */
const LsEvent *ls_layout_event (const LsLayout *layout, LsPick pick);
/* "rows 80–95, columns 224–255: worker 0 took it from worker 5, 111 → 125 µs": what the readout says. */
char     *ls_pick_words (const LsLayout *layout, LsPick pick);

/* stage.c: what every view has; each returns what is left of the picture. */
typedef struct {
  double x, y, w, h;
} LsArea;

LsArea ls_stage_begin  (LsLayout *layout);                        /* title above, key below */
LsArea ls_stage_lane   (const LsLayout *layout, LsArea area, guint side);
/* Both heads; returns their height, the same for both. */
double ls_stage_heads  (LsLayout *layout, LsArea area);
/* Loss and throughput at the foot of the area; returns the area above. */
LsArea ls_stage_strip  (LsLayout *layout, LsArea area);
/* A sentence in a lane's place. */
void   ls_stage_message (LsLayout *layout, LsArea area, guint side, const char *sentence, const char *hint);
void   ls_stage_slot   (LsLayout *layout, LsSlotKind kind, gint side, guint op, double x, double y, double w, double h);

/* chart_curve.c */
typedef enum { LS_CURVE_LOSS, LS_CURVE_RATE, LS_CURVE_DELTA } LsCurveKind;
void   ls_chart_curve  (LsLayout *layout, LsArea area, LsCurveKind kind);

/* ribbon.c: the ops of the step; returns its height. */
double ls_ribbon       (LsLayout *layout, LsArea area);

G_END_DECLS
