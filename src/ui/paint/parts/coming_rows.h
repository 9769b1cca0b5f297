/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of what a lane will do: ops, or several of one layer, each with its kernel and how far that is.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

typedef struct {
  guint op, count; /* the first of `count` ops that are one row */
  LsPhase phase;
  gint layer;
  LsOpBuild build; /* .kernel NULL where a row has several */
  gboolean known;  /* `build` is told, not only that the lane will do the op */
  gboolean next;
} LsComingRow;

/* LsComingRow, none where there is no plan. lane: NULL: nobody's. by_layer: what follows in the same layer
 * and phase is one row. */
GArray *ls_coming_rows (const LsViewData *data, const LsViewLane *lane, gboolean by_layer);
/* "H₁ = relu(Z₁)", if that is wider than `width` "H₁"; "Z₁ ×3". (transfer full) */
char *ls_coming_name (const LsLayout *layout, const LsComingRow *row, double width);
/* How far its kernel is. (transfer full), NULL: nothing is known of it. */
char *ls_coming_state (const LsComingRow *row);
/* "compiling, 0.30 s so far". (transfer full) */
char *ls_coming_compiling (const char *seconds);
/* A time that was measured stands in its state. */
gboolean ls_coming_measured (const LsComingRow *row);
/* Its own program is being built, not one that another row shows. */
gboolean ls_coming_runs (const LsComingRow *row);

G_END_DECLS
