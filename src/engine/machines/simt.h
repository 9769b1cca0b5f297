/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a GPU's unit is filled with work-groups, and how their warps take turns: what the SIMT model's times
 * come from, and its picture shows.
 */
#pragma once

#include "machines/work.h"

G_BEGIN_DECLS

/* Of one product: how it is cut, and what one unit does of it. */
typedef struct {
  guint edge;       /* of the square of C that a work-group makes */
  guint parts;      /* that k is cut into; their sums are added up afterwards */
  guint groups;     /* work-groups in all */
  guint a_unit;     /* of them that a unit gets, at most */
  guint at_once;    /* that it has room for */
  guint warps;      /* of those that are at work at once */
  guint last;       /* warps of the groups that are left for a last turn; 0: none are */
  double occupancy; /* share of the warps that a unit can hold */
  guint tiles;      /* along k, one after the other */
  double issue;     /* clocks in which a warp issues the instructions of one tile */
  double wait;      /* clocks for the next tile's loads */
  double clocks;    /* all of it */
  double useful;    /* share of what is computed that lies within C */
} LsSimtProduct;

/* The cut of least clocks, as a library would choose it. value: the machine's assumptions. */
void ls_simt_product (const double *value, gint64 m, gint64 n, gint64 k, LsSimtProduct *product);

typedef enum {
  LS_WARP_NONE, /* there is none */
  LS_WARP_RUNS,
  LS_WARP_READY, /* for another one's turn to end */
  LS_WARP_WAITS, /* for memory */
  LS_WARP_DONE,
} LsWarpState;

/* Clocks from a warp's tile to its next one, of so many that share a scheduler: max(W · issue, wait + issue).
 */
double ls_simt_turn (const LsSimtProduct *product, guint n_warps);
/* What a warp of one scheduler does at that clock of the product: at its beginning all of them have their
 * first loads under way. */
LsWarpState ls_simt_warp_at (const double *value, const LsSimtProduct *product, guint warp, double clock);
/* Warps that share one scheduler, of those at work at once. */
guint ls_simt_warps_a_scheduler (const double *value, const LsSimtProduct *product);

G_END_DECLS
