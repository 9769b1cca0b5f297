/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Partition's files share: one lane's part of the picture.
 */
#pragma once

#include "ui/paint/parts/view.h"

G_BEGIN_DECLS

/* The view's own part of a query. */
typedef struct {
  gboolean finer; /* the step cut finer, where that was recorded */
} LsPartitionState;

/* partition_state.c */
extern const LsPartitionState ls_part_first;
extern const LsViewSwitch ls_part_switches[];
extern const LsViewOption ls_part_options[];
/* That lane is drawn cut finer. */
gboolean ls_part_is_cut (const LsViewData *data, const LsQuery *query, guint side);

typedef struct {
  LsLayout *layout;
  guint side;
  const LsViewLane *lane;
  guint op;               /* whose pieces are drawn: the chosen op, or the one it was fused into */
  const LsOpTrace *trace; /* NULL: nothing to draw */
  const LsTiling *tiling;
  LsArea area; /* the lane's, below its head */
  LsArea matrix;
  gboolean lying;    /* the output's rows run to the right */
  gboolean to_scale; /* the picture has the output's shape */
  gboolean cut;      /* it is the step cut finer */
  gboolean shares; /* few workers, each with one stretch of the tiles: tiles carry their worker's own order */
  guint fold_rows, fold_cols; /* tiles in a drawn cell; 1 × 1: all are drawn */
  gboolean parts;             /* the parts of split sums are drawn, side by side */
  double heading_y, bars_y, row_h;
  guint n_rows, fold;                   /* rows drawn, workers in a row */
  double clock_x, clock_w;              /* of the bars */
  gint64 span_ns;                       /* that clock_w stands for */
  double readout_y, caption_y, story_y; /* baselines; 0: not there */
  double bottom;                        /* of what the lane may use */
  gboolean brief;                       /* words at rows' ends are short */
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

/* The time from and until which a piece runs: its own. Where only the order is known a piece is not seen to
 * begin, and that it was done is known when the op is. */
gint64 ls_part_begin (const LsPartLane *p, const LsEvent *e);
gint64 ls_part_end (const LsPartLane *p, const LsEvent *e);
/* Where it lies on the bars' axis, p->span_ns long: its time, or its rank. */
gint64 ls_part_from (const LsPartLane *p, const LsEvent *e);
gint64 ls_part_to (const LsPartLane *p, const LsEvent *e);

/* Of the piece: whose share it was from, taken or not; LS_WORKER_NONE. */
static inline guint8
ls_part_owner (const LsEvent *e)
{
  return e->from != LS_WORKER_NONE ? e->from : e->worker;
}

/* partition_story.c: what happened, in a bold sentence, and what came of it, in a quiet one; (transfer full),
 * both NULL: nothing is known. */
void ls_part_story (const LsPartLane *p, char **bold, char **quiet);

/* Shares lie beside each other, not below each other: their workers' numbers stand over them. */
static inline gboolean
ls_part_beside (const LsPartLane *p)
{
  return p->lying || p->tiling->grid_rows == 1;
}

/* partition_words.c: the lines and switches round the matrix. */
/* chosen: the op that was asked for. */
void ls_part_controls (const LsPartLane *p, guint chosen, double y);
void ls_part_caption (const LsPartLane *p);
void ls_part_shape (const LsPartLane *p);
/* How many tiles or work-groups, of which size, in the words of a sentence. (transfer full) */
char *ls_part_tiles_words (const LsPartLane *p);

/* part_readout.c: the line above the lane's picture. */
void ls_part_readout (const LsPartLane *p);                   /* the op as a whole */
void ls_part_readout_pick (const LsPartLane *p, LsPick pick); /* the piece that is pointed at */
void ls_part_readout_same (const LsPartLane *p, LsArea area); /* what holds the same numbers here */
void ls_part_readout_skipped (const LsPartLane *p);           /* "+2 ops" */

/* matrix.c */
void ls_matrix (LsPartLane *p);
/* The rectangle of these elements of the output. */
LsArea ls_matrix_cells (const LsPartLane *p, gint64 row, gint64 n_rows, gint64 col, gint64 n_cols);

/* bars.c */
double ls_bars_height (const LsPartLane *p, double most);
void ls_bars (LsPartLane *p);
gboolean ls_bars_have_rows (const LsPartLane *p);
/* Units are in slots, eight rows of them. */
gboolean ls_bars_in_slots (const LsPartLane *p);
double ls_bars_x (const LsPartLane *p, gint64 at);
/* bars_move.c: the clock over the bars, and at each row's end what its worker is at. */
void ls_bars_move (const LsPartLane *p);
/* What stands at a row's end at most; brief: in few words. */
double ls_bars_words_width (const LsPartLane *p, gboolean brief);

G_END_DECLS
