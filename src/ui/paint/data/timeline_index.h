/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsTimeIndex: one recorded lane's events in rows of time: its ops, each worker, the host's calls, copies,
 * kernels, each unit or thread. A row is sorted and carries a pyramid of what its stretches hold, so that
 * drawing it at any zoom costs by the pixel, not by the event. Made once for each recorded step, and kept
 * with its LsStepIndex.
 */
#pragma once

#include "ui/paint/data/step_index.h"

G_BEGIN_DECLS

typedef enum {
  LS_ROW_OPS,    /* ops as the lane's own thread saw them */
  LS_ROW_WORKER, /* tiles of a worker of the pool */
  LS_ROW_WAITS,  /* that worker's waits at barriers */
  LS_ROW_HOST,   /* calls that put commands into the queue */
  LS_ROW_COPIES,
  LS_ROW_KERNELS,
  LS_ROW_GROUPS, /* work-groups of a unit or thread */
} LsTimeRowKind;

/* What 16 spans, or 16 nodes of the level below, have in common; ns. */
typedef struct {
  gint64 longest;
  gint64 gap;     /* the widest gap before any of them */
  gint64 overlap; /* the least that any of them begins before an earlier one ended; negative: a gap */
  guint16 op;     /* of the first of them */
  gboolean mixed; /* others of them belong to other ops */
} LsTimeNode;

#define LS_TIME_FAN    16
#define LS_TIME_LEVELS 6

/* Times are ns since the lane's start of the step. */
typedef struct {
  LsTimeRowKind kind;
  gint number;  /* worker, thread or unit; of merged rows the first */
  guint merged; /* rows that it stands for: 1 unless there are too many to draw */
  guint n;
  gint64 *start, *end;
  gint64 *reach; /* the latest end so far */
  gint64 *busy;  /* sum of the lengths before span i; n + 1 */
  guint32 *event;
  guint16 *op;
  guint n_levels;
  LsTimeNode *levels[LS_TIME_LEVELS]; /* level l: a node stands for 16^(l+1) spans */
} LsTimeRow;

/* A command of a device's queue: the host's call, its wait in the queue, its run; LS_NO_COMMAND where that
 * isn't recorded. */
typedef struct {
  guint32 call, queued, run;
} LsTimeCommand;

#define LS_NO_COMMAND G_MAXUINT32

/* The queue's depth from ns on. */
typedef struct {
  gint64 ns;
  guint depth;
} LsTimeDepth;

typedef struct _LsTimeIndex {
  const LsStepIndex *index; /* not owned: it owns this */
  GPtrArray *rows;          /* LsTimeRow, by kind, then number */
  GPtrArray *merged;        /* LsTimeRow: made when first asked for */
  GMutex lock;              /* of `merged` */
  GArray *commands;         /* LsTimeCommand, by start of their runs */
  GArray *depths;           /* LsTimeDepth */
  guint most_queued;
  guint n_pieces; /* tiles or work-groups, those without times too */
  guint n_untimed;
  guint n_waits;
  gint64 wait_ns; /* of all workers together */
} LsTimeIndex;

/* Of that step; the first call makes it. Any thread. */
LsTimeIndex *ls_time_index_of (LsStepIndex *index);
void ls_time_index_free (LsTimeIndex *self);
/* NULL: there is no such row, or nothing in it. */
const LsTimeRow *ls_time_index_row (const LsTimeIndex *self, LsTimeRowKind kind, gint number);
/* Rows of that kind, in the order of their numbers. */
guint ls_time_index_rows (const LsTimeIndex *self, LsTimeRowKind kind, const LsTimeRow *const **rows);
/* Rows number … number + n − 1 of that kind as one. */
const LsTimeRow *ls_time_index_merged (LsTimeIndex *self, LsTimeRowKind kind, gint number, guint n);
/* The command that the event belongs to, as call, wait or run; NULL. */
const LsTimeCommand *ls_time_index_command (const LsTimeIndex *self, guint32 event);

static inline const LsEvent *
ls_time_event (const LsTimeIndex *self, guint32 event)
{
  return &g_array_index (self->index->lane->events, LsEvent, event);
}

static inline gint64
ls_time_since (const LsTimeIndex *self, guint64 ns)
{
  return (gint64) (ns - self->index->lane->start_ns);
}

/* ---- timeline_walk.c: a row at a zoom ---- */

#define LS_TIME_THIN 3.0 /* px: narrower spans are folded */

typedef struct {
  gint64 from, to; /* ns shown */
  double x, w;     /* where */
} LsTimeScale;

/* Not beyond the scale's ends. */
static inline double
ls_time_x (const LsTimeScale *s, gint64 ns)
{
  const gint64 at = CLAMP (ns, s->from, s->to);

  return s->x + s->w * (double) (at - s->from) / (double) MAX (s->to - s->from, 1);
}

/* A span to draw, or a run of those of an op that are too thin to draw, or that lie over each other, with
 * their number. Ops that are too thin themselves share a run. */
typedef struct {
  guint first, n;
  double x, w; /* whole pixels, as the row is painted; w without the gap after it */
  gint fold;   /* which of those that were asked for it is; −1: none */
} LsTimeBlock;

/* Spans of a row that are one block whatever their width: first … first + n − 1. */
typedef struct {
  guint first, n, what;
} LsTimeFold;

typedef void (*LsTimeBlockFunc) (gpointer data, const LsTimeRow *row, const LsTimeBlock *block);

/* Every span of the row that is at least partly within the scale is in exactly one block. */
void ls_time_row_walk (const LsTimeRow *row, const LsTimeScale *scale, LsTimeBlockFunc func, gpointer data);
/* The same with those folds, in order, none over another; NULL: there are none. */
void ls_time_row_walk_folded (const LsTimeRow *row, const LsTimeScale *scale, const LsTimeFold *folds,
                              guint n_folds, LsTimeBlockFunc func, gpointer data);
/* The first span that ends after ns; n if none does. */
guint ls_time_row_after (const LsTimeRow *row, gint64 ns);
/* The last span that begins at or before ns; n if none does. */
guint ls_time_row_before (const LsTimeRow *row, gint64 ns);

G_END_DECLS
