/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsStepIndex: where to find things among the events of one recorded lane: the ops' spans, and for each op
 * its pieces of work (tiles of the CPU's pool, work-groups of a device) with what is known of them. Positions
 * only: the events stay where they are, and every mark that is drawn from here names its event.
 */
#pragma once

#include "files/recording.h"

G_BEGIN_DECLS

/* What is known of the pieces of an op. */
typedef enum {
  LS_KNOWN_UNITS,   /* (a) which compute unit, told by the device */
  LS_KNOWN_THREADS, /* (b) which thread */
  LS_KNOWN_ORDER,   /* (c) in which order they were done */
  LS_KNOWN_NOTHING, /* (d) */
} LsKnown;

typedef struct {
  gboolean ran;            /* has a span of its own; FALSE: fused into another op, or not recorded */
  gint64 start_ns, end_ns; /* since the lane's start of the step */
  guint first, n;          /* its pieces: positions in LsStepIndex.pieces */
  LsKnown known;
  gboolean timed; /* pieces carry times, not ranks */
  guint n_ranks;  /* the highest rank + 1 */
  guint n_rows;   /* workers, or units, that could have had a piece */
} LsOpTrace;

/* A stretch of the lane's step. */
typedef struct {
  LsEventKind kind; /* LS_EVENT_OP, or a copy */
  guint op;
  guint32 event;           /* the first one of it */
  gint64 start_ns, end_ns; /* since the lane's start of the step */
} LsSpan;

typedef struct {
  gint ref_count;
  const LsRecordedLane *lane; /* not owned: whoever holds the index holds the recording */
  guint n_ops;
  LsOpTrace *ops;
  guint32 *pieces; /* positions in the lane's events, by op, then tile */
  guint n_pieces;
  GArray *spans;              /* LsSpan, by start */
  gint64 length_ns;           /* of the step */
  struct _LsTimeIndex *times; /* made when it is first asked for: ls_time_index_of() */
  LsRecordedLane finer; /* what `lane` is where the step cut finer is indexed: the lane's, but for tilings,
                           events and times */
} LsStepIndex;

/* A sum of times, at most what can be said: a file's events may each last for centuries. */
static inline gint64
ls_ns_add (gint64 a, gint64 b)
{
  gint64 sum;

  return !__builtin_add_overflow (a, b, &sum) ? sum : b < 0 ? -G_MAXINT64 : G_MAXINT64;
}

/* Whole nanoseconds, the nearest that there are. */
static inline gint64
ls_ns_of (double ns)
{
  return (gint64) CLAMP (ns, -0x1.fffffffffffffp62, 0x1.fffffffffffffp62);
}

LsStepIndex *ls_step_index_new (const LsRecording *recording, guint lane);
/* The same of the step cut finer; NULL: it wasn't. */
LsStepIndex *ls_step_index_new_finer (const LsRecording *recording, guint lane);
LsStepIndex *ls_step_index_ref (LsStepIndex *index);
void ls_step_index_unref (LsStepIndex *index);
/* The op whose pieces computed op's output: itself, or the one it was fused into. */
guint ls_step_index_leader (const LsStepIndex *index, guint op);
const LsEvent *ls_step_index_piece (const LsStepIndex *index, const LsOpTrace *op, guint i);
/* The row of the bars that a piece belongs to: its worker or unit; −1 if unknown. */
gint ls_piece_row (const LsOpTrace *op, const LsEvent *event);
/* The elements of the output that a piece computed. FALSE: the event is no piece. */
gboolean ls_tile_elements (const LsTiling *tiling, guint32 tile, gint64 *row, gint64 *n_rows, gint64 *col,
                           gint64 *n_cols);

G_END_DECLS
