/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsCurve: what each step of a lane gave, append-only, in shared chunks that are never copied or moved. One
 * thread appends; a reader may read the first n points of which a snapshot told it, without a lock.
 * Reference-counted.
 */
#pragma once

#include "trace/ranges.h"

G_BEGIN_DECLS

typedef enum {
  LS_POINT_RECORDED = 1 << 0,  /* a recorded step: not in medians */
  LS_POINT_DISTURBED = 1 << 1, /* another lane was compiling on the same cores: not in medians */
  LS_POINT_WARM_UP = 1 << 2,   /* one of the lane's first steps: not in medians */
  LS_POINT_MISSING = 1 << 3,   /* the lane hasn't done this step, others have: loss NAN, step_us 0 */
  LS_POINT_RESTED = 1 << 4,    /* one of the first steps after a rest: not in medians */
  LS_POINT_SKIPPED = 1 << 5,   /* its gradients overflowed, so it has no update; it counts like others */
} LsPointFlags;

#define LS_CURVE_MAX ((guint64) 1 << 24) /* points: 256 MiB */

typedef struct {
  guint32 end_ms; /* since the run began */
  float step_us;  /* the lane's own time for the step: its turn's, over the steps in the turn */
  float loss;
  guint32 flags; /* LsPointFlags */
} LsPoint;

/* It belongs to its lane's rate: nothing spoils it, and it took a time that the clock can tell. */
static inline gboolean
ls_point_counts (LsPoint point)
{
  return (point.flags & ~(guint32) LS_POINT_SKIPPED) == 0 && point.step_us > 0;
}

/* What the test set gave, after so many steps. */
typedef struct {
  guint64 steps;
  double accuracy; /* 0 … 1 */
} LsAccuracy;

/* The steps behind a figure, and what was passed over between them. */
typedef struct {
  guint64 from, end; /* they are among the points from … end − 1, the first and last of which are counted; 0,
                        0: none */
  guint32 flags;     /* LsPointFlags that they have, all of them these and no other */
  guint64 warm_up, recorded, rested, disturbed; /* passed over from there on to the newest step; one that was
                                                   several is the first of these */
} LsCounted;

typedef struct _LsCurve LsCurve;

LsCurve *ls_curve_new (void);
LsCurve *ls_curve_ref (LsCurve *curve);
void ls_curve_unref (LsCurve *curve);
/* FALSE when the curve is full (LS_CURVE_MAX points) or memory is out: the point is not kept. */
gboolean ls_curve_append (LsCurve *curve, LsPoint point);
guint64 ls_curve_length (const LsCurve *curve); /* for the appending thread */
/* Point i < n, n from a snapshot. */
LsPoint ls_curve_get (const LsCurve *curve, guint64 i);
/* The least and greatest loss, or step_us of those that count, of points from … end − 1, end ≤ n from a
 * snapshot: in a time that hardly depends on how many they are. */
LsRange ls_curve_losses (const LsCurve *curve, guint64 from, guint64 end);
LsRange ls_curve_step_us (const LsCurve *curve, guint64 from, guint64 end);

/* The step times of the newest `most` of points from … end − 1 that have those flags and no other, the newest
 * first, in values with room for as many. Returns how many there are. */
gsize ls_curve_collect (const LsCurve *curve, guint64 from, guint64 end, guint64 most, guint32 flags,
                        double *values, LsCounted *counted);
/* Both were counted in the same turns: at least half of each one's stretch of steps is the other one's,
 * too. */
gboolean ls_counted_together (const LsCounted *a, const LsCounted *b);

G_END_DECLS
