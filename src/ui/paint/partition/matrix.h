/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of Partition's matrix share: the cells that are drawn, each a tile or a block of tiles.
 */
#pragma once

#include "ui/paint/partition/partition.h"

G_BEGIN_DECLS

typedef struct {
  LsPartLane *p;
  guint rows, cols, parts; /* of drawn cells */
  guint32 *events;         /* of each drawn part; LS_NO_EVENT */
  double gap;
  guint32 *own;   /* of each event of the lane: the how manieth of its worker in this op; 0: none of its
                     pieces */
  gint64 long_ns; /* longer tiles print their time */
} LsMatrixGrid;

static inline const LsEvent *
ls_matrix_event (const LsMatrixGrid *g, guint32 event)
{
  return &g_array_index (g->p->lane->recorded->events, LsEvent, event);
}

/* The rectangle of a drawn part of a cell. */
LsArea ls_matrix_cell (const LsMatrixGrid *g, guint row, guint col, guint part);

/* matrix_labels.c */
/* In the cell of a piece, whose item is `tile`, the order-th of its worker's. */
void ls_matrix_label (const LsMatrixGrid *g, LsArea cell, const LsItem *tile, const LsEvent *e,
                      guint32 order);
/* Tiles too low for a number: the number of each run of equal tiles, in the margin. */
void ls_matrix_label_margin (const LsMatrixGrid *g);
/* How many rows the output has, or columns where it lies. */
void ls_matrix_label_size (const LsPartLane *p);

G_END_DECLS
