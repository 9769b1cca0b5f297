/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsScene: a picture before it is painted: a list of marks and texts with their places, named colours, the
 * times at which they change and the recorded event that each stands for. Making one needs no toolkit and no
 * clock; it can be compared as text, searched by point, and painted on screen, PNG, SVG or PDF by the same
 * function (paint.h).
 */
#pragma once

#include <stdio.h>

#include "core/figure.h"
#include "ui/paint/scene/fonts.h"

G_BEGIN_DECLS

typedef enum {
  LS_ITEM_BOX,      /* filled; with radius */
  LS_ITEM_TILE,     /* a recorded piece of work, as a tile of a matrix */
  LS_ITEM_BAR,      /* the same on a clock: x … x + w is t0 … t1 */
  LS_ITEM_TEXT,     /* x, y: left end of the baseline; w: width */
  LS_ITEM_LINE,     /* points */
  LS_ITEM_AREA,     /* points, filled */
  LS_ITEM_DOTS,     /* points, each a dot of diameter w */
  LS_ITEM_EVIDENCE, /* the mark of evidence: value is LsEvidence */
  LS_ITEM_WAIT,     /* a wait: a line closed by a tick */
  LS_ITEM_DASH,     /* no such thing */
  LS_ITEM_RAMP,     /* the order of completion, first to last; with ink LS_INK_SIGN: signed values */
  LS_ITEM_FRAME,    /* picked or hovered */
  LS_ITEM_ZIGZAG,   /* the foot of a block of folded spans */
  LS_ITEM_WARNING,  /* a warning triangle */
  LS_ITEM_HOLLOW,   /* derived: a box with an edge of `size` px inside its bounds */
  LS_ITEM_HATCH,    /* modelled: 45° lines; alpha 0.5: to come */
  LS_ITEM_DOTTED,   /* published: an edge of dots */
  LS_ITEM_RINGS,    /* derived, in a plot: points, each a ring of diameter `size` */
  LS_ITEM_GUIDE,    /* points, a dashed line from one mark to another */
  LS_ITEM_IMAGE,    /* values of a matrix, each a rectangle of its ink: `image` of the scene's */
} LsItemKind;

typedef enum { LS_LEFT, LS_CENTER, LS_RIGHT } LsAlign;

/* When a text that belongs to a piece of work is shown. */
typedef enum {
  LS_WHEN_ALWAYS,
  LS_WHEN_DONE,    /* from t1 on */
  LS_WHEN_RUNNING, /* from t0 to t1 */
  LS_WHEN_BEGUN,   /* from t0 on */
  LS_WHEN_AHEAD,   /* before t0 */
} LsWhen;

/* Which number a text says, or an evidence mark belongs to; OP: the time of the op that is picked; WINNER and
 * AGREEMENT: which lane is faster and whether they agree, in words. */
typedef enum {
  LS_NUMBER_NONE,
  LS_NUMBER_RATE,
  LS_NUMBER_LOSS,
  LS_NUMBER_DELTA,
  LS_NUMBER_ACCURACY,
  LS_NUMBER_RATIO,
  LS_NUMBER_OP,
  LS_NUMBER_STEP_TIME,
  LS_NUMBER_WINNER,
  LS_NUMBER_AGREEMENT,
  LS_NUMBER_N,
} LsNumber;

#define LS_NO_EVENT G_MAXUINT32
#define LS_NO_VALUE 255

typedef struct {
  guint8 kind, ink, align, when;
  guint8 worker, owner; /* of a piece of work; 255: none. owner ≠ worker: taken from it */
  guint8 side;          /* of the lane it belongs to; 255: none */
  guint8 evidence;      /* LsEvidence of a mark of data; 255: none, chrome */
  guint8 number;        /* LsNumber of an evidence mark or a text */
  gboolean strong;      /* a text or line that overlaps others on purpose: a label on a mark */
  float x, y, w, h;
  float value; /* of the ink; LS_ITEM_EVIDENCE: which */
  float size;  /* radius of a box; width of a line; corner of a taken tile */
  float alpha;
  LsType type;
  const char *text; /* the scene's */
  guint points, n_points;
  guint image;   /* of LS_ITEM_IMAGE: position in the scene's images */
  guint32 event; /* position in its lane's events, or LS_NO_EVENT */
  gint64 t0, t1; /* ns on the view's clock */
} LsItem;

/* A matrix as it is painted: levels 0 … 255 of a ramp that the style turns into colours, so that the same
 * scene can be painted in every look. */
typedef struct {
  guint cols, rows;
  guint64 hash;    /* of the levels and their number */
  guint8 levels[]; /* row by row */
} LsSceneImage;

typedef struct {
  LsFonts *fonts;
  const LsStyle *style;
  GArray *items;  /* LsItem */
  GArray *points; /* pairs of float */
  GStringChunk *texts;
  GPtrArray *images; /* LsSceneImage */
} LsScene;

LsScene *ls_scene_new (LsFonts *fonts, const LsStyle *style);
void ls_scene_clear (LsScene *scene);
void ls_scene_free (LsScene *scene);

/* Each returns the new item, valid until the next. */
LsItem *ls_scene_box (LsScene *scene, double x, double y, double w, double h, LsInk ink, double value);
LsItem *ls_scene_text (LsScene *scene, double x, double y, LsType type, LsInk ink, LsAlign align,
                       const char *text);
LsItem *ls_scene_mark (LsScene *scene, LsItemKind kind, double x, double y, double w, double h, LsInk ink,
                       double value);
/* Of a number that a text says or a mark belongs to; side −1: of both lanes. */
void ls_item_number (LsItem *item, gint side, LsNumber number);
LsItem *ls_scene_evidence (LsScene *scene, double x, double y, double size, LsEvidence evidence, LsInk ink);
/* Begins a line, an area or dots; ls_scene_point() adds to the newest. */
LsItem *ls_scene_path (LsScene *scene, LsItemKind kind, LsInk ink, double value, double width);
void ls_scene_point (LsScene *scene, double x, double y);
LsItem *ls_scene_segment (LsScene *scene, double x0, double y0, double x1, double y1, LsInk ink,
                          double width);

/* values: rows × cols, row by row, of which 0 … top is drawn with an ink of amounts, −top … top with one of
 * signs; what is beyond is drawn as the end, what is no number as 0. top 0 or less: all are 0. */
LsItem *ls_scene_image (LsScene *scene, double x, double y, double w, double h, LsInk ink,
                        const float *values, guint cols, guint rows, double top);

/* levels: rows × cols, each a class, 0 … 7, times 32 and how sure, 0 … 31: pale colours of the workers. */
LsItem *ls_scene_classes (LsScene *scene, double x, double y, double w, double h, const guint8 *levels,
                          guint cols, guint rows);

double ls_scene_width (const LsScene *scene, LsType type, const char *text);
/* The right end of a text. */
static inline double
ls_item_right (const LsItem *item)
{
  return (double) item->x + (double) item->w;
}

/* The rectangle that the item covers; points of a path included. */
void ls_item_bounds (const LsScene *scene, const LsItem *item, double *x, double *y, double *w, double *h);
LsItem *ls_scene_get (const LsScene *scene, guint i);
/* The item with an event whose area, widened to at least 24 px, holds the point; nearest centre wins. NULL:
 * none. */
const LsItem *ls_scene_pick (const LsScene *scene, double x, double y);
/* One line per item, in the C locale, rounded to half pixels. */
void ls_scene_dump (const LsScene *scene, FILE *stream);

G_END_DECLS
