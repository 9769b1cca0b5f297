/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Partition's files share: one lane's part of the picture.
 */
#pragma once

#include "ui/paint/view.h"

G_BEGIN_DECLS

typedef struct {
  LsLayout *layout;
  guint side;
  const LsViewLane *lane;
  guint op;                   /* whose pieces are drawn: the chosen op, or the one it was fused into */
  const LsOpTrace *trace;     /* NULL: nothing to draw */
  const LsTiling *tiling;
  LsArea area;                /* the lane's, below its head */
  LsArea matrix;
  guint fold_rows, fold_cols; /* tiles in a drawn cell; 1 × 1: all are drawn */
  gboolean parts;             /* the parts of split sums are drawn, side by side */
  double heading_y, bars_y, row_h;
  guint n_rows, fold;         /* rows drawn, workers in a row */
  double clock_x, clock_w;    /* of the bars */
  gint64 span_ns;             /* that clock_w stands for */
  double readout_y;
} LsPartLane;

/* On the op's own clock. */
static inline gint64
ls_part_time (const LsPartLane *p, guint64 ns)
{
  return (gint64) (ns - p->lane->recorded->start_ns) - p->trace->start_ns;
}

static inline guint32
ls_part_event (const LsPartLane *p, guint i)
{
  return p->lane->index->pieces[p->trace->first + i];
}

/* The time from and until which a piece counts as begun and done: its own, or without times its rank as if it took 1 ns. */
gint64 ls_part_begin (const LsPartLane *p, const LsEvent *e);
gint64 ls_part_end   (const LsPartLane *p, const LsEvent *e);

/* matrix.c */
void   ls_matrix        (LsPartLane *p);
/* The rectangle of these elements of the output. */
LsArea ls_matrix_cells  (const LsPartLane *p, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols);
/* The elements that a piece computed. FALSE if the event is no piece. */
gboolean ls_tile_elements (const LsTiling *tiling, guint32 tile, gint64 *row, gint64 *n_rows, gint64 *col, gint64 *n_cols);

/* bars.c */
double ls_bars_height   (const LsPartLane *p, double most);
void   ls_bars          (LsPartLane *p);
void   ls_bars_move     (const LsPartLane *p);

G_END_DECLS
