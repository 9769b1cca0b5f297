/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view is a row of a table, not a widget. Layout = data + question + size + style → two scenes: one that
 * stays while the clock runs, and a small one that moves. Both are pure: the same in, the same out. Painting,
 * picking, the text dump and the description for screen readers work on the scenes, so the window, `render`,
 * exports and tests show the same picture.
 */
#pragma once

#include "ui/paint/scene/axis.h"
#include "ui/paint/data/decimate.h"
#include "ui/paint/scene/metrics.h"
#include "ui/paint/scene/paint.h"
#include "ui/paint/data/view_data.h"
#include "ui/paint/data/wish.h"

G_BEGIN_DECLS

/* A piece of recorded work: an event of the lane on that side. */
typedef struct {
  gint side; /* −1: nothing */
  guint32 event;
} LsPick;

#define LS_PICK_NONE ((LsPick){ -1, LS_NO_EVENT })

/* Two pictures side by side share the curves out. */
typedef enum { LS_STRIP_ALONE, LS_STRIP_LEFT, LS_STRIP_RIGHT } LsStripPart;

/* The curves that are at the foot, or are the picture. */
typedef struct {
  gboolean seconds; /* by seconds, not steps */
  guint kind;       /* which one is drawn where there is room for one: LsCurveKind */
  gint64 cursor;    /* the step, from 1, whose values are read out; −1: none */
  LsStripPart part; /* which are at the foot */
} LsCurvesAsked;

/* What is drawn on a view's pad (LS_SLOT_PAD), by pointer or by keys. */
typedef struct {
  const LsStrokes *strokes; /* whoever asks keeps them as long as the layout; NULL: nobody draws */
  gboolean keys;            /* they move the pen */
  gboolean down;
  double x, y; /* on the pad, 0 … 1 */
} LsPen;

/* What is asked of a view. Shared by all of them, so that a thing picked in one is marked in all; but for the
 * view's own state, whose fields its own folder alone knows. */
typedef struct {
  guint op;        /* the op that is shown */
  gint64 time_ns;  /* on the view's clock: Race since the step's start, Partition since the op's;
                      LS_TIME_END */
  guint64 dial_ns; /* machine time in a second on screen, printed; 0: no clock */
  gboolean paused; /* the clock stands: every state may be looked at, however short it is at the dial's
                      pace */
  guint skipped;   /* ops that were too short to be shown before this one: "+2 ops" */
  LsPick hover, picked;
  gint worker;               /* the others fade; −1 */
  gint evidence;             /* the others fade; −1 */
  gint64 zoom0_ns, zoom1_ns; /* what is shown of the clock, where a view zooms; 0, 0: all */
  LsCurvesAsked curves;
  LsPen pen;
  gboolean chrome; /* title, words in place of switches: for a picture without a window round it */
  gboolean key;    /* the evidence key at the foot */
  double switch_w; /* how wide the view's switches would be; 0: as wide as they are at most in English */
  gpointer state;  /* the view's own, view->state_size bytes; NULL: as at first. A layout has a copy */
} LsQuery;

/* As it is at first; more may follow in the braces. */
#define LS_QUERY_FIELDS                                                                                      \
  .time_ns = LS_TIME_END, .hover = { -1, LS_NO_EVENT }, .picked = { -1, LS_NO_EVENT }, .worker = -1,         \
  .evidence = -1, .curves.cursor = -1, .pen = { .x = .5, .y = .5 }
#define LS_QUERY_INIT                                                                                        \
  {                                                                                                          \
    LS_QUERY_FIELDS                                                                                          \
  }

/* Machine time that passes in a second on screen. */
static inline guint64
ls_query_pace (const LsQuery *query)
{
  return query->paused ? 0 : query->dial_ns;
}

/* Where the window may put widgets. */
typedef enum {
  LS_SLOT_CONTROLS, /* a lane's switches */
  LS_SLOT_LANE,     /* which lane stands on the side, where there are more than two */
  LS_SLOT_OPS,      /* a click asks for the slot's op */
  LS_SLOT_MESSAGE,  /* a lane's buttons, under the sentence that says what is wrong */
  LS_SLOT_PLOTS,    /* which curve is shown: query.curves.kind */
  LS_SLOT_SWITCHES, /* the view's own */
  LS_SLOT_CLOCK,    /* no widget: its width stands for query's zoom0_ns … zoom1_ns */
  LS_SLOT_KEY,      /* no widget: a click fades all but the kind of evidence that the slot's `op` is */
  LS_SLOT_PAD,      /* no widget: a pen draws here: query.pen */
  LS_SLOT_ASIDE,    /* asks for the interrupted step that isn't shown */
  LS_SLOT_LAB,      /* the button that measures, or stops: `words` */
  LS_SLOT_FAIR,     /* between the heads: how fair their comparison is */
  LS_SLOT_SOURCE,   /* no widget: a click there is the view's, and opens an address */
  LS_SLOT_FOLD,     /* no widget: a click there is the view's, and opens or folds time steps */
  LS_SLOT_OVERVIEW, /* no widget: its width stands for the whole span_ns; a drag moves the zoom */
} LsSlotKind;

typedef struct {
  LsSlotKind kind;
  gint side;
  guint op; /* LS_SLOT_OPS: a click here asks for that op */
  double x, y, w, h;
  const char *words; /* of a button, translated, for ever; NULL: it has its own */
} LsSlot;

typedef struct {
  double x, y, w, h;
} LsArea;

/* What is left of it below so much of its top. */
static inline void
ls_area_below (LsArea *area, double height)
{
  area->y += height;
  area->h -= height;
}

static inline gboolean
ls_area_has (LsArea area, double x, double y)
{
  return x >= area.x && y >= area.y && x < area.x + area.w && y < area.y + area.h;
}

static inline gboolean
ls_area_overlaps (const LsArea *a, const LsArea *b)
{
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* A curve's place, and what is where in it. */
typedef struct {
  LsCurveKind kind;
  LsArea area;
  LsAxis x, y;
  double scale; /* of its values */
  gboolean seconds, runs;
} LsPlot;

typedef struct _LsView LsView;

/* A switch above the picture: of the view's own state, */
typedef struct {
  const char *title;                       /* translatable */
  gboolean asks;                           /* it is a question, which stands before the choices */
  gboolean (*shown) (gconstpointer state); /* NULL: always */
  const char *(*choice) (guint i);         /* in words; NULL from the last one on */
  const char *(*offered) (const LsViewData *data, guint i); /* in its place where they depend on the data, */
  guint (*now) (gconstpointer state);                       /* with which one it is */
  void (*set) (LsQuery *query, guint i);                    /* at first it is the first one */
  /* or of a setting of the run's: a row of the option table; */
  const char *option;
  const char *const *values;          /* that are offered, NULL-terminated; NULL: its choices */
  char *(*words) (const char *value); /* (transfer full) */
  gboolean lays_over; /* the recorded step that is shown stays to be held against what comes of it */
} LsViewSwitch;

/* An option of `render` that sets something of a view's state. */
typedef struct {
  const char *name, *argument, *help; /* the latter two translatable */
  /* Sets what text names. (transfer full) NULL: done; else what would have been right. */
  char *(*read) (const LsViewData *data, const char *text, gpointer state);
} LsViewOption;

/* What a click or a key came to: it means nothing here; the query is another now; and what whoever asks is to
 * do beside. */
typedef enum { LS_ACT_NONE, LS_ACT_CHANGED, LS_ACT_UNDO, LS_ACT_CLEAR, LS_ACT_ASK, LS_ACT_OPEN } LsAct;

/* What a key means to a view that has things to choose. */
typedef enum {
  LS_KEY_LEFT,
  LS_KEY_RIGHT,
  LS_KEY_UP,
  LS_KEY_DOWN,
  LS_KEY_PICK,
  LS_KEY_LET_GO,
  LS_KEY_NEXT,
  LS_KEY_PREVIOUS,
  LS_KEY_NEXT_MISTAKE,
  LS_KEY_PREVIOUS_MISTAKE,
  LS_KEY_PAGE,
  LS_KEY_BATCH,
  LS_KEY_TEST,
  LS_KEY_DRAW,
  LS_KEY_SOURCE,
} LsViewKey;

typedef struct {
  const LsView *view;
  LsViewData *data;
  LsQuery query;
  LsStyle style;
  LsMetrics m;
  LsFonts *fonts;
  double width, height;
  LsScene *still, *moving;
  const LsViewLane *shown[LS_SIDES]; /* whose events the marks are: the data's, or the view's own with the
                                        step cut finer */
  GArray *slots;                     /* LsSlot */
  char *heading, *subheading; /* in the title of a projector's picture, in place of the view's name; may be
                                 NULL */
  gint64 span_ns;             /* the view's clock runs from 0 to here */
  GArray *plots;              /* LsPlot */
  gpointer own;               /* the view's geometry for the moving part */
  GDestroyNotify free_own;
} LsLayout;

struct _LsView {
  const char *name;         /* "partition": stable, for the command line */
  const char *letter;       /* the key that shows it; NULL: the digit of its place in the table */
  const char *title;        /* translatable */
  const char *question;     /* translatable: what it answers */
  gboolean needs_step;      /* draws a recorded step */
  gboolean by_op;           /* its clock counts from the op's start, not the step's */
  gboolean zooms;           /* it shows query's zoom0_ns … zoom1_ns */
  gboolean head_tells;      /* it has no place of a lane's own: why there is none stands in the lane's head */
  gsize state_size;         /* its own part of a query; 0: it has none, */
  gconstpointer state_init; /* as it is at first */
  const LsViewSwitch *switches; /* up to one without a title; NULL: it has none */
  gint switch_side;             /* of the lane whose slot is theirs; −1: of neither */
  gboolean edits_kernels;       /* the kernels' menu stands beside its switches */
  const LsViewOption *options;  /* up to one without a name; NULL: none */
  /* Of a view with a clock of its own: how far it runs for the op of the query, 0: not at all, −1: this
   * picture has none of its own; and in *still, which may be
   * NULL, the moment that a picture without a clock shows. NULL: the op's, or the step's. */
  gint64 (*span) (const LsViewData *data, const LsQuery *query, gint64 *still);
  /* What a click there asks for, in *query, which has a state. NULL: the view has only pieces of work to
   * pick. */
  LsAct (*point) (const LsLayout *layout, double x, double y, LsQuery *query);
  /* The same for a key. NULL: none means anything. */
  LsAct (*key) (const LsLayout *layout, LsViewKey key, LsQuery *query);
  /* LS_ACT_OPEN: the page to be opened by what *query, which has a state, asks for by now, https; NULL: there
   * is none. NULL itself: it has no pages. */
  const char *(*address) (const LsLayout *layout, const LsQuery *query);
  /* The pad has other strokes, which may be none. NULL: it has no pad. */
  void (*drawn) (LsQuery *query);
  /* LS_ACT_ASK: what is to be typed, and what stands there now; both (transfer full). NULL: it never asks. */
  char *(*asks) (const LsLayout *layout, const LsQuery *query, char **now);
  /* That was typed; FALSE: it is nothing of the kind. */
  gboolean (*typed) (const LsLayout *layout, LsQuery *query, const char *text);
  /* The element in which the lanes differ has been found: the state is such that it is shown. NULL: it isn't
   * shown. */
  void (*seek_difference) (const LsViewData *data, LsQuery *query);
  /* The experiments that the button in its LS_SLOT_LAB measures, one after the other: the i-th for this
   * query, NULL from the last one on. NULL: it has no such button. */
  const LsExperiment *(*measures) (const LsQuery *query, guint i);
  /* In place of that, the claims (claims/claims.h) that the button runs, one after the other: names,
   * (transfer full). NULL: it runs none. */
  GPtrArray *(*runs) (const LsViewData *data, const LsQuery *query);
  gboolean converts; /* they are no claims, but names of what the network is converted to (converted.h) */
  /* What else the picture needs: NULL: nothing. */
  void (*wish) (const LsViewData *data, const LsQuery *query, LsWish *wish);
  void (*layout) (LsLayout *layout);
  void (*move) (LsLayout *layout); /* fills layout->moving for query's time and pick */
  void (*describe) (const LsLayout *layout, GString *text); /* its state in a few sentences */
};

/* layout.c */
/* The view's state as it is at first, to be freed with g_free(); NULL: it has none. */
gpointer ls_view_state_new (const LsView *view);
LsLayout *ls_layout_new (const LsView *view, LsViewData *data, const LsQuery *query, double width,
                         double height, const LsStyle *style, LsFonts *fonts);
void ls_layout_free (LsLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLayout, ls_layout_free)
/* For another time, hover or pick of the same layout. */
void ls_layout_move (LsLayout *layout, const LsQuery *query);
/* The background and what the clock only refills; then what moves. */
void ls_layout_paint_still (const LsLayout *layout, cairo_t *cr);
void ls_layout_paint_moving (const LsLayout *layout, cairo_t *cr);
void ls_layout_paint_background (const LsLayout *layout, cairo_t *cr); /* of ls_layout_paint_still() alone */
LsMoment ls_layout_moment (const LsLayout *layout);
/* The last moment up to time_ns at which a mark begins or ends; time_ns itself if there is none. For those
 * who want no motion. */
gint64 ls_layout_event_before (const LsLayout *layout, gint64 time_ns);
LsPick ls_layout_pick (const LsLayout *layout, double x, double y);
/* The step, from 1, of the curves under the point, for query.curves.cursor; −1: there is no curve. */
gint64 ls_layout_step_at (const LsLayout *layout, double x, double y);
/* The nearest mark from the picked one in a direction: dx, dy ∈ −1, 0, 1. */
LsPick ls_layout_neighbour (const LsLayout *layout, LsPick from, int dx, int dy);
void ls_layout_dump (const LsLayout *layout, FILE *stream);
char *ls_layout_describe (const LsLayout *layout);
/* fault.c: the first mark or text that overlaps another, is outside or set too small, in words; NULL: none.
 * (transfer full) */
char *ls_layout_fault (const LsLayout *layout);
/* The event behind a pick, or NULL. */
const LsEvent *ls_layout_event (const LsLayout *layout, LsPick pick);
/* "rows 80–95, columns 224–255: worker 0 took it from worker 5, 111 → 125 µs": what the readout says. */
char *ls_pick_words (const LsLayout *layout, LsPick pick);

/* stage.c: what every view has; each returns what is left of the picture. */
LsArea ls_stage_begin (LsLayout *layout); /* title above, key below */
LsArea ls_stage_lane (const LsLayout *layout, LsArea area, guint side);
/* A line with the mark of what is measured, wrapped likewise; returns the baseline of its last line, or of
 * the last one of `longest`, which the words may become; NULL: they stay. */
double ls_stage_change (LsLayout *layout, double x, double y, double width, const char *words,
                        const char *longest);
/* A sentence in a lane's place, what more there is to say, and the slot for buttons; in an area with a height
 * the hint goes first, then the words, where it is too low. Returns the height. */
double ls_stage_message (LsLayout *layout, LsArea area, guint side, const char *sentence, const char *words,
                         const char *hint);
double ls_stage_message_height (const LsLayout *layout, double width, const char *sentence, const char *words,
                                const char *hint);
/* The same with what the lane itself has to say. */
double ls_stage_lane_message (LsLayout *layout, LsArea area, guint side);
/* What it would take: the most of both lanes that stopped but still have a picture. 0: neither did. */
double ls_stage_stopped_height (const LsLayout *layout, double width);
/* On a plate in the middle of the area, where nothing was recorded and no lane says why: what makes it
 * fill. */
void ls_stage_invite (LsLayout *layout, LsArea area);
/* Where the lanes began to compute different things, over both; returns the height, 0 where they agree. */
double ls_stage_disagreement (LsLayout *layout, LsArea area);
/* A step of that lane that was set aside: this mark stands on its sentence, and at its place in the rate's
 * plot. */
void ls_stage_zigzag (LsLayout *layout, double x, double bottom, double height, guint side);
/* A lane's name on that baseline, with the button that chooses another lane, where there are more than two;
 * how wide both are. */
void ls_stage_name (LsLayout *layout, guint side, double x, double base);
double ls_stage_name_width (const LsLayout *layout, guint side);
void ls_stage_slot (LsLayout *layout, LsSlotKind kind, gint side, guint op, double x, double y, double w,
                    double h);
/* The first slot of that kind that the point lies in, or NULL. */
const LsSlot *ls_stage_slot_at (const LsLayout *layout, LsSlotKind kind, double x, double y);

/* Between the lanes' rates, `size` wide and high: opens what makes their comparison fair. Nothing where there
 * are no two lanes, or where a text stands already. */
void ls_stage_fair (LsLayout *layout, double x, double y, double size);

/* head.c: both heads; returns their height, the same for both. */
double ls_stage_heads (LsLayout *layout, LsArea area);
/* strip.c: the curves at the foot of the area, as many as have room: two, in a wide picture three where there
 * are two columns above, in a small one query.curves.kind alone; returns the area above. */
LsArea ls_stage_strip (LsLayout *layout, LsArea area, gboolean three);
/* difference_frame.c: frames the element at that place of the moving picture; named: with words beside it,
 * within the area. */
void ls_stage_difference (LsLayout *layout, LsArea within, LsArea at, gboolean named);
/* That op of the lane, or one that was fused into it, made the element. */
gboolean ls_stage_differs (const LsLayout *layout, guint side, guint op);

/* chart_curve.c: a curve with its title and labels at its end. */
typedef enum {
  LS_CHART_PLAIN = 0,
  LS_CHART_RUNS = 1 << 0,     /* with the runs before */
  LS_CHART_UNTITLED = 1 << 1, /* its title stands elsewhere */
  LS_CHART_STACKED = 1 << 2,  /* of several on one axis of steps: the title, with the unit, stands left */
  LS_CHART_NO_STEPS = 1 << 3, /* another one below says which steps they are */
} LsChartParts;
void ls_chart_curve (LsLayout *layout, LsArea area, LsCurveKind kind, LsChartParts parts);
/* chart_axes.c: what a curve's title alone doesn't say: "thousand samples/s, median of 61 steps over single
 * ones"; all: also lanes that stand on no side are drawn; brief: without the median. */
const char *ls_chart_subtitle (const LsViewData *data, LsCurveKind kind, gboolean all, gboolean brief);
/* chart_stack.c: loss, accuracy and rate one above the other on one axis, each with its title left and its
 * values right, and at the foot what the strokes are. */
void ls_chart_stack (LsLayout *layout, LsArea area);
/* chart_cursor.c: the values at query.curves.cursor, in every plot. */
void ls_chart_move (LsLayout *layout);

/* ribbon.c: the ops of the step; returns its height. */
double ls_ribbon (LsLayout *layout, LsArea area);

G_END_DECLS
