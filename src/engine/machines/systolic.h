/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A weight-stationary systolic array (Kung, Leiserson 1979; Jouppi et al. 2017, "In-datacenter performance
 * analysis of a tensor processing unit"): each cell keeps one weight; rows of A enter from the left, each row
 * of cells a beat later than the one above; sums move down and leave below. The next tile's weights are
 * loaded, a row a beat, while a tile works.
 */
#pragma once

#include "machines/work.h"

G_BEGIN_DECLS

typedef struct {
  guint rows, cols; /* of cells: k runs over rows, n over columns */
} LsSystolic;

/* Beats for C[m×n] = A[m×k]·B[k×n], from the first weight's loading to the last sum's leaving. With
 * T = ⌈k/rows⌉·⌈n/cols⌉ tiles: rows + (T − 1)·max(m, rows) + m + rows + cols − 2. */
double ls_systolic_beats (const LsSystolic *array, double m, double n, double k);
/* Share of the cells' beats that multiply a weight of B with a number of A. */
double ls_systolic_used (const LsSystolic *array, double m, double n, double k);

/* The same beat by beat, cell by cell: A and B row by row, rounded to bfloat16; sums in floats, of a tile
 * from the first row of cells to the last one, and tile after tile along k. Returns the beats. */
guint64 ls_systolic_multiply (const LsSystolic *array, guint m, guint n, guint k, const float *a,
                              const float *b, float *c);
/* How several arrays do a product: it, or turned Cᵀ = Bᵀ·Aᵀ, whose tiles are dealt out to them. */
typedef struct {
  gboolean turned; /* A's numbers stay in the cells, and B's columns flow through; else B's and A's rows */
  double m, n, k;  /* of what is done */
  double tiles;    /* that the array with most of them does, one after the other */
  double flows;    /* rows that flow through each: fewer than m where several arrays share a tile */
  double beats;    /* of that array, from the first weight's loading on; the others have ended by then */
} LsSystolicCut;

/* That way in which weights stay in the cells, unless the other one takes a twentieth less; without weights
 * the product as it is. */
void ls_systolic_cut (const LsSystolic *array, guint arrays, const LsMachineWork *work, LsSystolicCut *cut);
/* The same on the machine that these assumptions of ls_machine_systolic are: what its times are of, and its
 * picture shows. */
void ls_systolic_machine (const double *value, const LsMachineWork *work, LsSystolic *array,
                          LsSystolicCut *cut);

G_END_DECLS
