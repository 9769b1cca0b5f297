/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crossover's inner parts: the map of who is faster at which spot, the line between, the guess that was drawn
 * over it, and what stands beside it.
 */
#pragma once

#include "lab/crossover.h"
#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

typedef enum { LS_CROSS_WIDTH, LS_CROSS_DEPTH, LS_CROSS_IMAGE, LS_CROSS_N_AXES } LsCrossAxes;

#define LS_NO_GUESS (-1)

/* The view's own part of a query. */
typedef struct {
  guint axes;        /* LsCrossAxes: what grows upwards */
  gboolean forward;  /* answers alone, where the axes are width and batch */
  gboolean guessing; /* a click or Enter draws the guess */
  gboolean picked;   /* a cell is, at: */
  guint col, row;
  /* By axes and row: so many cells from the left are guessed to be the left lane's, the others the right
   * one's; or LS_NO_GUESS. */
  gint8 guess[LS_CROSS_N_AXES][LS_LAB_MAX_SIZES];
} LsCrossState;

typedef struct {
  LsLayout *layout;
  const LsCrossState *asked;
  const LsExperiment *experiment;
  const LsLabResult *result;                                  /* NULL: nothing was measured */
  LsOptions *options;                                         /* of the run that is shown */
  LsLabSpot own;                                              /* x 0: the run's network is no spot of it */
  guint xs[LS_LAB_MAX_SIZES], ys[LS_LAB_MAX_SIZES], n_x, n_y; /* by growing size */
  gint at_left;   /* the side on which the result's first lane stands */
  double largest; /* times: the ramp's ends */
  /* the map's place: cells only */
  double left, top, cell_w, cell_h;
} LsCross;

static inline LsLabSpot
ls_cross_spot (const LsCross *c, guint col, guint row)
{
  return (LsLabSpot){ c->xs[col], c->ys[row] };
}

/* crossover_data.c */
const LsExperiment *ls_cross_experiment (const LsCrossState *state);
void ls_cross_open (LsCross *c, LsLayout *layout);
void ls_cross_close (LsCross *c);
/* The side whose lane is faster there; −1: neither, or unknown. times: how many times, where it is known. */
gint ls_cross_winner (const LsCross *c, LsLabSpot spot, LsLabWins *wins, double *times);
/* The name of the lane on that side, as the result has it. */
const char *ls_cross_name (const LsCross *c, guint side);
/* The result's lane on that side. */
guint ls_cross_lane (const LsCross *c, guint side);
/* Of the cells that were measured, have a guess and a winner: how many there are, and how many were guessed
 * right. */
void ls_cross_judge (const LsCross *c, guint *cells, guint *right);
/* crossover_map.c */
double ls_cross_map (LsCross *c, LsArea area); /* returns the lower end */
gboolean ls_cross_cell_at (const LsCross *c, double x, double y, guint *col, guint *row);

/* crossover_line.c: between measured cells, and the guess. */
void ls_cross_equal_line (const LsCross *c);
void ls_cross_guess_line (const LsCross *c);

/* crossover_beside.c */
void ls_cross_beside (const LsCross *c, LsArea area);

/* crossover_row.c: the rates of one row; FALSE: it has no room, or nothing to show. */
gboolean ls_cross_row (const LsCross *c, LsArea area);

G_END_DECLS
