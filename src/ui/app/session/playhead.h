/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPlayhead: a moment in machine time over one recorded step, and the dial that says how fast it passes on
 * screen. Slow motion, step, step back and rewind only move the playhead. Some views' clock is the step's,
 * others' the op's; the playhead knows both and keeps its place when they change. Plain arithmetic: no
 * toolkit, no clock of its own.
 */
#pragma once

#include "ui/paint/data/view_data.h"

G_BEGIN_DECLS

/* A finished op or step stays on screen at least so long: nothing blinks above 3 Hz. */
#define LS_PLAYHEAD_HOLD_S (1. / 3)

typedef struct {
  guint op;
  gint64 start_ns; /* since the step's start, on the lane that was at it first */
  gint64 end_ns;   /* since the step's start, on the lane that was done last */
  gint64 span_ns;  /* of the lane that took longest, each from its own start */
  gint64 sum_ns;   /* of both lanes' */
} LsPlayheadOp;

typedef enum {
  LS_ADVANCE_STAYS, /* nothing to repaint */
  LS_ADVANCE_MOVED, /* the time is another */
  LS_ADVANCE_OP,    /* the op is another */
  LS_ADVANCE_DONE,  /* at the step's end, and it was held long enough: show the next one */
} LsAdvance;

typedef struct {
  gboolean playing;
  guint64 dial_ns; /* machine time in a second on screen */
  gboolean by_op;  /* the view's clock counts from the op's start, not the step's */
  gboolean own; /* by_op, and the view has a clock of its own for the op, which runs to own_ns: it stays with
                   the op */
  gint64 own_ns;
  guint at;       /* position in ops */
  gint64 time_ns; /* on that clock, 0 … span */
  double rest_ns; /* what has passed of the next nanosecond: at 1 s = 10 ns a frame is a sixth of one */
  double held_s;  /* how long the end has been shown */
  guint skipped;  /* ops too short to be shown since the last one that was: "+2 ops" */
  GArray *ops;    /* LsPlayheadOp, those that ls_ribbon_has(), in the plan's order */
  gint64 step_ns; /* of the lane that took longest */
} LsPlayhead;

void ls_playhead_init (LsPlayhead *playhead);
void ls_playhead_clear (LsPlayhead *playhead);
/* Another step's record (or NULL: none); the op stays the same where it has it. start: the playhead goes to
 * its beginning, otherwise it keeps its place as far as there is one. */
void ls_playhead_set_data (LsPlayhead *playhead, const LsViewData *data, gboolean start);
/* The view changed: the same moment on the other clock. */
void ls_playhead_set_by_op (LsPlayhead *playhead, gboolean by_op);
/* own_ns < 0: the view has no clock of its own. */
void ls_playhead_set_own (LsPlayhead *playhead, gint64 own_ns);
gint64 ls_playhead_span (const LsPlayhead *playhead); /* of the view's clock; 0: no step */
guint ls_playhead_op (const LsPlayhead *playhead);    /* in the plan */
/* Seconds on screen have passed. A gap of more than a second (suspend, a stopped process) counts as none. */
LsAdvance ls_playhead_advance (LsPlayhead *playhead, double seconds);
/* Seconds on screen until it is done, holds included. */
double ls_playhead_left_s (const LsPlayhead *playhead);
/* On the view's clock, clamped. */
void ls_playhead_seek (LsPlayhead *playhead, gint64 time_ns);
void ls_playhead_seek_op (LsPlayhead *playhead, guint op); /* to its beginning, on both kinds of clock */
void ls_playhead_finish (LsPlayhead *playhead);            /* to the end of the op */
/* ±1 op: to the end of this one, then of the next; or to the end of the one before, and before the first
 * one's to its beginning. Ops that take under 1 % of the step are passed over, but with `all`. FALSE: there
 * is none. */
gboolean ls_playhead_jump (LsPlayhead *playhead, int direction, gboolean all);
/* To the end of the op on which both lanes together spent most. */
void ls_playhead_rest (LsPlayhead *playhead);
/* Forward to the step's end, back to its beginning. FALSE: it was there already. */
gboolean ls_playhead_to_edge (LsPlayhead *playhead, int direction);
gboolean ls_playhead_at_end (const LsPlayhead *playhead); /* of the step */

/* The dial's positions: 1, 2, 5, 10 … from 1 s = 10 ns to real time, 1 s = 1 s. */
guint ls_dial_n (void);
guint64 ls_dial_ns (guint position);
guint ls_dial_position (guint64 ns); /* the nearest */
/* The position at which a step of that length takes about ten seconds. */
guint ls_dial_for_step (gint64 step_ns);

G_END_DECLS
