/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsNetworkTime: the page of a layer that reads a sequence: its time steps side by side, and one of them
 * beside these. What both of its files share.
 */
#pragma once

#include "ui/paint/network/network.h"

G_BEGIN_DECLS

/* Rows of the page. */
enum {
  LS_TIME_INPUT,
  LS_TIME_SAYS,  /* h */
  LS_TIME_KEEPS, /* c */
  LS_TIME_FORWARD,
  LS_TIME_BACK,
  LS_TIME_CLOCK,
  LS_TIME_ROWS
};

struct _LsNetworkTime {
  LsNetwork *n;
  const LsChain *chain, *back; /* back: NULL where it wasn't recorded */
  const LsNetworkLayer *h, *c; /* NULL: their values weren't recorded */
  const float *inputs; /* the drawn lane's, of the shown sample: a time step's every `stride` floats; NULL */
  gint64 features, stride;
  gboolean by_columns;            /* a step reads a column of the sample */
  guint steps, step;              /* of the sequence; the picked one, from 0 */
  gint64 units, unit;             /* of the layer; the picked one */
  guint first, shown;             /* steps that have columns */
  gint64 first_unit, shown_units; /* rows of these columns */
  LsArea columns;                 /* of x, h and c; a click picks the time step */
  LsArea unit_rows[2];            /* h, c: and the unit */
  LsArea clock;                   /* of the recorded step; h 0: no room */
  LsArea lengths[LS_SIDES];       /* what each lane took, in words, on it; w 0: there are none */
  double column_w;
};

/* When the step of the sequence was computed on that side, or the way back through it. FALSE: it wasn't
 * recorded. */
gboolean ls_network_time_of (const LsNetworkTime *t, guint side, gboolean back, guint step, gint64 *start_ns,
                             gint64 *end_ns);
/* A sample's row of a step's values of that output, `count` of them; NULL. side: the drawn one or the other.
 */
const float *ls_network_time_values (const LsNetworkTime *t, gint side, guint output, guint step,
                                     gint64 count);
/* The left end of a step's column. */
static inline double
ls_network_time_x (const LsNetworkTime *t, guint step)
{
  return t->columns.x + (step - t->first) * t->column_w;
}

/* network_time_rows.c: the steps' numbers; x, h and c as columns, heights: of LS_TIME_ROWS rows; returns the
 * foot, with the gap; both lanes' times of each step, most_ns as high as the row. x: of the rows' names. */
void ls_network_time_numbers (const LsNetworkTime *t, double y);
double ls_network_time_rows (LsNetworkTime *t, double x, double y, double gap, const double *heights);
void ls_network_time_bars (const LsNetworkTime *t, double x, LsArea row, gboolean back, double most_ns);
/* network_time_clock.c */
void ls_network_time_clock (LsNetworkTime *t, double x, LsArea row);
/* network_time_card.c: the picked step in full. */
void ls_network_time_card (const LsNetworkTime *t, LsArea area);

G_END_DECLS
