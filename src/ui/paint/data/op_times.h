/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsOpTimes: how long each op took in the newest recorded steps, for medians of single ops: a step tells of
 * itself alone. Immutable, reference-counted.
 */
#pragma once

#include "core/figure.h"
#include "files/recording.h"
#include "ui/paint/scene/style.h"

G_BEGIN_DECLS

#define LS_OP_TIMES_MOST   200 /* steps; the oldest are forgotten */
#define LS_OP_TIMES_MEDIAN 3   /* fewer have no median */

typedef struct _LsOpTimes LsOpTimes;

/* `before` and that step, (transfer full): the step alone where it was computed in another way, or `before`
 * is NULL; `before` itself where it is the newest already. */
LsOpTimes *ls_op_times_add (LsOpTimes *before, const LsRecording *recording);
LsOpTimes *ls_op_times_ref (LsOpTimes *times);
void ls_op_times_unref (LsOpTimes *times);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsOpTimes, ls_op_times_unref)
/* id: interned, as LsViewLane.id. How often a second that lane's op could be done, so that greater is faster,
 * as everywhere; of recorded steps that aren't among the lane's first ones nor beside a compiler. n is 0
 * where it wasn't done, or times is NULL. */
LsFigure ls_op_times_figure (const LsOpTimes *times, const char *id, guint op);
/* The median of those steps' whole lengths, ns; 0: there are too few, or times is NULL. */
double ls_op_times_step_ns (const LsOpTimes *times, const char *id);

G_END_DECLS
