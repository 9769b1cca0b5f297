/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roofline's inner parts: the ops of a recorded step by their arithmetic intensity and rate, and one lane's
 * plot.
 *
 * Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore
 * architectures", CACM 52 (4), 2009.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* Which roof is lower at an op's intensity, and whether the op is under it. */
typedef enum {
  LS_BOUND_UNKNOWN, /* the roofs weren't measured */
  LS_BOUND_MEMORY,
  LS_BOUND_COMPUTE,
  LS_BOUND_CACHE, /* faster than memory would allow: what it reads lies in a cache */
  LS_BOUND_ABOVE, /* faster than the compute roof as measured: so that measurement isn't the most there is */
} LsBound;

/* What is published of a lane's device, beside what was measured; n == 0: nothing. */
typedef struct {
  const char *name;       /* the catalogue's; NULL: it doesn't know the device */
  LsFigure flops, memory; /* FLOP/s of floats, bytes/s */
} LsRoofsPublished;

/* An op of a lane's recorded step, with those that were fused into it. */
typedef struct {
  guint op;            /* the first of them */
  guint n;             /* how many they are */
  double flops, bytes; /* derived: each tensor read once and written once, but for what they hand on */
  gboolean counted;    /* the processor counted bytes, too: */
  double moved;        /* measured: those that came from beyond a cache (trace/misses.h) */
  gint64 ns;           /* measured */
  double intensity;    /* FLOP for each byte */
  double rate;         /* FLOP/s */
  double share;        /* of the step's length, 0 … 1 */
  LsBound bound;
  double of_roof; /* its rate over what the lower roof allows; 0 where that is unknown */
} LsRoofOp;

#define LS_ROOF_CACHES 3

/* A lane's limits; 0: not measured. */
typedef struct {
  double flops;                  /* FLOP/s */
  double memory;                 /* bytes/s */
  double caches[LS_ROOF_CACHES]; /* bytes/s from the CPU's first, second and third cache */
  double one;                    /* FLOP/s of one core alone */
  double launch_us;              /* for a launch that does nothing */
  double spread; /* how far the middle half of the peak's measurements lies below it, 0 … 1 */
  guint64 n;     /* measurements of each, of which the best counts */
} LsRoofs;

/* roofline_ops.c: ops of that lane that took time and compute; *without, which may be NULL: how many took
 * time and don't compute. (transfer full) */
GArray *ls_roofline_ops (const LsRecording *recording, const LsViewLane *lane, guint *without);
void ls_roofline_roofs (const LsViewLane *lane, LsRoofs *roofs);
/* Of a lane without measured roofs nothing: a picture of published ones alone would say nothing of it. */
void ls_roofline_published (const LsViewData *data, const LsViewLane *lane, LsRoofsPublished *published);
/* What the lower roof allows at that intensity, FLOP/s; 0: not measured. */
double ls_roofline_limit (const LsRoofs *roofs, double intensity);
/* The op that the query's is counted with; NULL: it isn't in the list. */
const LsRoofOp *ls_roofline_find (const GArray *ops, const LsViewLane *lane, guint op);

/* roofline_plot.c: one lane's. */
typedef struct {
  LsLayout *layout;
  guint side;
  const LsViewLane *lane;
  LsArea area;    /* with the words above and the axis below */
  GArray *ops;    /* LsRoofOp */
  GArray *before; /* the same of the recording that this one is held against; NULL: there is none */
  guint without;
  LsRoofs roofs;
  LsRoofsPublished published;
  gboolean lower; /* of either lane something is published: both plots leave room to say it */
  LsAxis x, y;    /* FLOP/byte, GFLOP/s */
  double left, right, top, bottom;
} LsRoofPlot;

/* x and y have their ends already: both lanes' plots have the same. */
void ls_roof_plot (LsRoofPlot *plot);
/* FALSE: it had no room. */
gboolean ls_roof_plot_drawn (const LsRoofPlot *plot);
void ls_roof_plot_move (const LsRoofPlot *plot);
/* The same op of the recording that this one is held against; NULL: it hasn't got it. */
const LsRoofOp *ls_roof_before (const LsRoofPlot *plot, const LsRoofOp *op);
/* The ring's diameter, px: its area is the op's share of the step. */
double ls_roof_ring (const LsRoofPlot *plot, const LsRoofOp *op);
/* Where it lies, with the frame that it has while it is the one of the clock. */
LsArea ls_roof_ring_area (const LsRoofPlot *plot, const LsRoofOp *op);
/* "Z₁ = X·W₁ᵀ: 402 GFLOP/s, 72 % of the compute roof". (transfer full) */
char *ls_roof_words (const LsRoofPlot *plot, const LsRoofOp *op, gboolean brief);

/* roofline_published.c: dotted lines; and in words, with the shares that were measured. */
void ls_roof_published_lines (const LsRoofPlot *plot);
void ls_roof_published_tell (const LsRoofPlot *plot, double y);
/* A sentence for those who hear the picture; something is published. (transfer full) */
char *ls_roof_published_words (const LsRoofPlot *plot);

/* roofline_counted.c: squares of counted bytes, with their places added to `taken` (LsArea); what the axis is
 * of, ending at x; and a sentence for those who hear the picture, NULL where it isn't known what is counted.
 * (transfer full) */
void ls_roof_counted (const LsRoofPlot *plot, GArray *taken);
void ls_roof_counted_caption (const LsRoofPlot *plot, double x, double y, double room);
char *ls_roof_counted_words (const LsRoofPlot *plot);

/* roofline_roofs.c */
void ls_roof_axes (const LsRoofPlot *plot);
void ls_roof_lines (const LsRoofPlot *plot);
void ls_roof_tell (const LsRoofPlot *plot, double y);

G_END_DECLS
