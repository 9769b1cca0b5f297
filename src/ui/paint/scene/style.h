/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsStyle: how pictures look: palette, sizes of type, widths of lines. Passed to whoever needs it; there is
 * no current style. Layouts name colours by LsInk only, so that the same layout can be painted light, dark or
 * for print.
 */
#pragma once

#include "ui/paint/scene/color.h"

G_BEGIN_DECLS

typedef enum {
  LS_LOOK_LIGHT,
  LS_LOOK_DARK,
  LS_LOOK_PRINT,
  LS_LOOK_PROJECTOR,
  LS_LOOK_N,
} LsLook;

#define LS_WORKER_COLORS 8
#define LS_SIDES         2 /* two lanes are on stage: CPU kinds stand left, unless others were chosen */
#define LS_LANE_INKS     8 /* the first CPU lane's, the first OpenCL lane's, and neutral ones */

typedef struct {
  LsColor mark, ink, soft;
} LsLaneColors;

typedef struct {
  LsColor window, view, header, sidebar, card;
  LsColor amber; /* of a sign with a word: something is to be minded */
  LsColor text, quiet, hairline, edge, track, chosen;
  LsLaneColors lanes[LS_LANE_INKS];
  LsColor workers[LS_WORKER_COLORS];
  LsColor order[3];  /* of completion: first, middle, last */
  LsColor sign[3];   /* −, 0, + */
  LsColor faster[5]; /* CPU … equal … OpenCL */
  LsColor amount[2];
} LsPalette;

/* What a mark or a text is coloured by. Those marked * take a value: a side, or LS_INK_OF (a lane's ink) of a
 * lane that stands on none, a worker's number, or a shade from 0 to 1. */
#define LS_INK_OF(ink) (LS_SIDES + (ink))

typedef enum {
  LS_INK_NONE,
  LS_INK_TEXT,
  LS_INK_QUIET,
  LS_INK_HAIRLINE,
  LS_INK_EDGE,
  LS_INK_TRACK,
  LS_INK_CHOSEN,
  LS_INK_WINDOW,
  LS_INK_VIEW,
  LS_INK_HEADER,
  LS_INK_SIDEBAR,
  LS_INK_CARD,
  LS_INK_MARK,      /* * side: the lane's */
  LS_INK_LANE,      /* * side: the lane's text */
  LS_INK_SOFT,      /* * side */
  LS_INK_WORKER,    /* * */
  LS_INK_ORDER,     /* * */
  LS_INK_SIGN,      /* * a signed value, −1 … 1 */
  LS_INK_ON_WORKER, /* * text on that fill */
  LS_INK_ON_ORDER,  /* * */
  LS_INK_ON_MARK,   /* * side: text on the lane's mark */
  LS_INK_ON_SOFT,   /* * side */
  LS_INK_ON_TEXT,   /* text on a fill of text colour */
  LS_INK_AMOUNT,    /* * an amount, 0 … 1 */
  LS_INK_ON_AMOUNT, /* * */
  LS_INK_ON_SIGN,   /* * */
  LS_INK_FASTER,    /* * who is faster: 0 the left lane, .5 equal, 1 the right one */
  LS_INK_ON_FASTER, /* * */
  LS_INK_AMBER,
  LS_INK_N,
} LsInk;

typedef struct {
  double px;
  int weight;    /* 400 normal, 700 bold, 800 heavy */
  gboolean code; /* all letters equally wide */
} LsType;

typedef struct {
  LsLook look;
  const LsPalette *palette;
  double text_scale;                             /* the desktop's text scaling, 1 … 3 */
  double hairline, edge, data, underlay, picked; /* widths of lines, px */
  gboolean dashed;                               /* OpenCL's lines are dashed: print */
  guint8 stands[LS_SIDES];                       /* whose ink each side has */
  gboolean contrast;                             /* nothing is quiet: the desktop asks for high contrast */
} LsStyle;

void ls_style_init (LsStyle *style, LsLook look, double text_scale);
/* Quiet text becomes text, hairlines edges, edges quiet ink and wider; lanes' colours move away from the
 * ground. */
void ls_style_set_contrast (LsStyle *style, gboolean contrast);
gboolean ls_style_equal (const LsStyle *a, const LsStyle *b);
const char *ls_look_name (LsLook look); /* "light" */
gboolean ls_look_find (const char *name, LsLook *look);
/* Which lane's ink a value means. */
guint ls_style_lane_ink (const LsStyle *style, double value);
LsColor ls_style_color (const LsStyle *style, LsInk ink, double value);
/* A light fill gets an edge of its own colour mixed with the text's; FALSE if it needs none. */
gboolean ls_style_edge (const LsStyle *style, LsColor fill, LsColor *edge);

G_END_DECLS
