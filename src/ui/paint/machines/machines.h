/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines' inner parts: the measured lanes, and below a rule each model of another machine with the same
 * step on the same clock, what it assumes, and its error where there is a lane that it is a model of. One of
 * them may be opened.
 */
#pragma once

#include "machines/held.h"
#include "machines/kept/memo.h"
#include "machines/work.h"
#include "ui/paint/parts/view.h"
#include "ui/paint/scene/axis.h"

G_BEGIN_DECLS

#define LS_MACHINES_ONE(name) +1
enum { LS_MACHINES_N = 0 LS_MACHINES (LS_MACHINES_ONE) };
#undef LS_MACHINES_ONE

#define LS_MACHINES_NONE (-1)

/* The view's own part of a query. */
typedef struct {
  gint open;       /* the model that has all the room; LS_MACHINES_NONE */
  guint first;     /* the first one that is shown, where not all have room */
  gint row, field; /* the assumption that is picked, of which model; field LS_MACHINES_NONE: the row alone */
  guint device;    /* of the catalogue's that a model is there for, from 1; 0: none */
  gboolean said[LS_MACHINES_N][LS_MACHINE_MAX_ASSUMPTIONS]; /* another value than it has by itself: */
  double value[LS_MACHINES_N][LS_MACHINE_MAX_ASSUMPTIONS];
} LsMachinesState;

/* What is drawn as one box of a bar: an op, or several that are too short for boxes of their own. */
typedef struct {
  double start, end; /* seconds since the step's start */
  const char *name;  /* NULL: of several */
} LsMachinesPiece;

typedef struct {
  const LsMachine *machine;
  const LsHardware *device; /* whose published figures are assumed; NULL: no device's */
  LsAssumed assumed;
  LsModelled *modelled;    /* NULL: it can't do such a step; */
  const LsMachineRun *run; /* its own */
  gint side;               /* of the lane that it is a model of; −1: neither */
  double error;            /* to that lane's median step; NAN: not known */
  gint moves; /* the assumption that moves its end most, and by so many seconds at most; −1: none */
  double moves_s;
  GArray *pieces; /* LsMachinesPiece; NULL: it has no bar */
  LsArea area;    /* h 0: it isn't shown */
  LsArea bar;
} LsMachinesRow;

/* Where an assumption stands: a click changes it at its two ends, or picks it. */
typedef struct {
  guint row, which;
  LsArea area, up, down; /* of the latter w 0: there is none */
} LsMachinesField;

typedef struct {
  LsLayout *layout;
  const LsMachinesState *asked;
  LsPlan *plan;            /* the step, in 32 bits; NULL: not known yet */
  GArray *works;           /* LsMachineWork, of it; NULL likewise */
  double seconds;          /* of the recorded step, the longer lane's; 0: there is none */
  double end;              /* seconds at the axis's right end */
  gint64 median[LS_SIDES]; /* ns of a step; 0: it doesn't stand */
  LsMachinesRow rows[LS_MACHINES_N];
  LsArea name, clock, fields; /* columns: x and w */
  LsAxis axis;                /* in `unit` */
  const char *unit;
  double unit_ns, ticks_y;  /* baseline of the ticks */
  LsArea lanes[LS_SIDES];   /* rows of the measured ones; h 0: there is none */
  GArray *pieces[LS_SIDES]; /* LsMachinesPiece of theirs */
  double bar_h;
  guint shown, n_shown;          /* the first model that is, and how many */
  double more_above, more_below; /* baselines of the lines that tell how many aren't; 0: there is none */
  LsArea body;                   /* of the opened one, below its row; h 0: none is */
  LsArea own;                    /* in it: its bar on a clock of its own; w 0: there is none */
  LsArea picture;                /* how it works */
  LsArea slider;                 /* in it: how many warps, as a share; w 0: there is none */
  GArray *places;                /* LsMachinesField */
} LsMachines;

/* machines_state.c */
void ls_machines_open (LsMachines *p, LsLayout *layout);
void ls_machines_close (LsMachines *p);
/* The i-th device that there is a model for, from 1; NULL from the last one on. */
const LsHardware *ls_machines_device (const LsCatalogue *catalogue, guint i);
/* Says another value, within the range; TRUE: it is another one. */
gboolean ls_machines_say (LsMachinesState *state, guint row, guint which, double value);
/* The next larger or smaller of 1, 1.5, 2, 3, 4, 6, 8 … and their halves, within the range; of shares and
 * small counts likewise. */
double ls_machines_next (const LsAssumption *row, double value, gboolean up);

/* machines_place.c: columns, which rows are shown, and where. */
void ls_machines_place (LsMachines *p, LsArea area);

/* machines_bars.c: the axis, the measured pair's ops and the models'; and what the clock fills of them. */
void ls_machines_axis (LsMachines *p);
void ls_machines_lane (LsMachines *p, guint side);
void ls_machines_bar (LsMachines *p, guint row);
void ls_machines_move (LsMachines *p);
/* A model's bar as long as the area is wide, into the moving scene. */
void ls_machines_bar_alone (const LsMachines *p, guint row, LsArea area, double now);
/* x of so many seconds since the step's start. */
static inline double
ls_machines_x (const LsMachines *p, double seconds)
{
  return ls_axis_at (&p->axis, seconds * 1e9 / p->unit_ns);
}

/* machines_row.c: name, sentence. */
void ls_machines_row (LsMachines *p, guint row);
/* machines_fields.c: an assumption as a field; returns its right end, x where it has no room. */
double ls_machines_field (LsMachines *p, guint row, guint which, double x, double y, double w);
/* Those of a row. */
void ls_machines_fields (LsMachines *p, guint row);
/* All of the opened one's, each on a line. */
void ls_machines_list (LsMachines *p, guint row, LsArea area);
/* Whose word its value is, and within which limits; the longest first. (transfer full) */
char **ls_machines_told (const LsMachines *p, guint row, guint which);
/* The page of the published figure that is picked, https; NULL: none is. */
const char *ls_machines_address (const LsMachines *p, const LsMachinesState *state);
/* The one before or after it in the list; field LS_MACHINES_NONE: the first or last. */
gint ls_machines_beside (const LsMachinesRow *row, gint field, gint by);
/* "0.94 GHz", "24". (transfer full) */
char *ls_machines_value (const LsAssumption *row, double value);

/* machines_words.c; all (transfer full) */
char *ls_machines_time (double seconds);
/* "−6 %". */
char *ls_machines_error (double error);
/* What a model says below its bar, the longest first; NULL-terminated. */
char **ls_machines_sentences (const LsMachines *p, guint row);
/* What its bar says where it leaves the axis: "64 ms for one sample, 157 times this axis". */
char *ls_machines_beyond (const LsMachines *p, guint row);
/* Whether its weights have room on the chip, the longest first; none: it is of no account. NULL-terminated.
 */
char **ls_machines_weights (const LsMachinesRow *row);
/* The array at work with the recorded step's own numbers: that it was tried, and what came out; NULL: it is
 * no array, or there are no numbers, or too many cells. */
char *ls_machines_proof (const LsMachines *p, guint row);
/* What holds up most of its time. */
LsHeldBy ls_machines_held_by (const LsMachineRun *run);

/* There is little room: a picture's words are few. */
static inline gboolean
ls_machines_narrow (const LsMachines *p)
{
  return p->layout->m.size == LS_SIZE_SMALL || p->layout->m.projector;
}

/* machines_picture.c: how each machine works, into the moving scene. */
/* Of a row's, beside its bar; 0: there is no room for pictures. */
double ls_machines_picture_width (const LsMachines *p);
/* At the clock's moment; whole: as large as in the opened row, with words, which are (transfer full), or
 * NULL. now: seconds since the step's start; a moment that shows something where it is over. *area: as high
 * as it may be, then as it is. */
char *ls_machines_picture (const LsMachines *p, guint row, LsArea *area, double now, gboolean whole);

/* machines_converted.c */
/* LS_CONVERTED_N: the network isn't converted for it. */
LsConvertedKind ls_machines_kind (const LsMachine *machine);
/* What came out; NULL: nothing was measured. */
const LsConverted *ls_machines_result (const LsMachines *p, guint row);
/* With the numbers that are assumed; NULL: nothing was measured with these. */
const LsConvertedPoint *ls_machines_point_of (const LsMachines *p, guint row);
/* "measured: with 8 bits 96.2 % right, as floats 96.2 %". (transfer full); NULL: nothing was. */
char *ls_machines_right (const LsMachines *p, guint row);
/* In the opened row: the button, how far it is, and by bits or time steps; returns the height. */
double ls_machines_converted (LsMachines *p, guint row, LsArea area);

/* machines_opened.c: below its row picture, ops and assumptions. */
void ls_machines_opened (LsMachines *p);
/* Of a machine whose step is over long before the axis is, the large picture and the bar of its own are drawn
 * so many times slower than the clock: as long as the axis. 1: with the clock. */
double ls_machines_slow (const LsMachines *p, guint row);
/* Its picture and words to it, into the moving scene. */
void ls_machines_explain (LsMachines *p, double now);

/* machines_point.c */
LsAct ls_machines_point (const LsLayout *layout, double x, double y, LsQuery *query);
LsAct ls_machines_key (const LsLayout *layout, LsViewKey key, LsQuery *query);
char *ls_machines_ask (const LsLayout *layout, const LsQuery *query, char **now);
gboolean ls_machines_typed (const LsLayout *layout, LsQuery *query, const char *text);

G_END_DECLS
