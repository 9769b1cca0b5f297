/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Timeline's files share: where its lanes, rows and cards stand, and from which time to which it shows.
 */
#pragma once

#include "ui/paint/timeline/timeline_cause.h"
#include "ui/paint/parts/folds.h"

G_BEGIN_DECLS

/* The view's own part of a query. */
typedef struct {
  LsFolds folds;
} LsTimelineState;

typedef struct {
  LsTimeRowKind kind;
  const LsTimeRow *row;   /* NULL: nothing happened in it */
  const LsTimeRow *waits; /* of a worker, or NULL */
  LsTimeIndex *times;     /* the row's: the lane's own, or the other recording's */
  gint number;
  guint merged;
  gboolean other; /* of the other recording */
  double y, h;
} LsTimelineRow;

typedef struct {
  LsLayout *layout;
  const LsViewLane *lane;
  LsTimeIndex *times; /* NULL: nothing is recorded */
  guint side;
  LsTimeScale scale;
  LsArea area;
  double name_y, foot_y;             /* baselines; foot_y 0: there is none */
  GArray *rows;                      /* LsTimelineRow, from the top */
  double queue_y, queue_h;           /* of the queue's depth; h 0: not drawn */
  double guide_y;                    /* the line that shows how long a command was queued; 0: none */
  double pieces_y, pieces_h;         /* of workers, threads or units, or of work-groups without times */
  const GArray *chains[2];           /* LsChain, of the recording, of the other one; NULL: there is none */
  guint n_drawn, n_folded, n_blocks; /* spans within the window: as themselves, in blocks; blocks */
  guint n_steps;                     /* spans in blocks of time steps */
} LsTimelineLane;

typedef struct {
  LsTimelineLane lanes[LS_SIDES];
  LsTimeScale scale, overview;
  LsArea clock;   /* from the ticks to the foot of the last lane that has a step */
  double clock_y; /* where its lines begin: a lane without a step has sentences in their place */
  LsArea overview_area;
  double title_y, ticks_y; /* baselines */
  double label_w;          /* of the rows' names */
  gboolean cards;
  LsArea card[LS_SIDES];
  GArray *chains[2]; /* as a lane's */
} LsTimeline;

/* timeline_state.c */
extern const LsTimelineState ls_timeline_first;
extern const LsViewOption ls_timeline_options[];
LsAct ls_timeline_point (const LsLayout *layout, double x, double y, LsQuery *query);
LsAct ls_timeline_key (const LsLayout *layout, LsViewKey key, LsQuery *query);

/* timeline_plan.c: rows for that much room. */
void ls_timeline_plan (LsTimeline *t, LsLayout *layout, LsArea area);
void ls_timeline_free (gpointer timeline);
/* timeline_clock.c: title, ticks, the overview with its bracket. */
void ls_timeline_clock (LsTimeline *t, LsLayout *layout);
/* timeline_steps.c: which spans of the row are time steps that are folded: LsTimeFold, `what` the chain; with
 * (transfer full). Of those that are open a line along the row's foot, which folds them again. */
GArray *ls_timeline_folds (const LsTimelineLane *lane, const LsTimelineRow *row);
void ls_timeline_open (LsTimelineLane *lane, const LsTimelineRow *row);
/* The height of a bar in the row, at that span: an open chain leaves room for its line. */
#define LS_TIMELINE_OPEN 6.0 /* px */
gboolean ls_timeline_is_open (const LsTimelineLane *lane, const LsTimelineRow *row, guint op);
/* timeline_lane.c */
void ls_timeline_lane (LsTimelineLane *lane);
/* timeline_names.c: left of the rows, and under them how many spans are drawn; (transfer full). */
void ls_timeline_names (const LsTimelineLane *lane);
void ls_timeline_draw_foot (const LsTimelineLane *lane);
char *ls_timeline_foot (const LsTimelineLane *lane);
/* timeline_idle.c: in rows without work, that there was none, and why; of an op, who had none of it,
 * (transfer full), or NULL. */
void ls_timeline_idle_rows (const LsTimelineLane *lane);
char *ls_timeline_idle_words (const LsTimelineLane *lane, guint op);
/* timeline_head.c: both heads, one above the other; returns the height. */
double ls_timeline_heads (LsLayout *layout, LsArea area);
/* timeline_move.c: frames, causes, readouts, playhead. */
void ls_timeline_move (LsLayout *layout);
/* What is pointed at, or picked. */
LsPick ls_timeline_pick (const LsLayout *layout);
/* The op that computes what that op's event is about; n_ops if none is known. */
guint ls_timeline_op (const LsTimelineLane *lane, guint op);
/* timeline_card.c */
void ls_timeline_cards (LsLayout *layout);

G_END_DECLS
