/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the recorded events of a picture's lanes say, by looking at all of them.
 */
#pragma once

#include "places.h"

/* NULL: nothing is recorded of it. */
const LsViewLane *ls_told_lane (const LsPicture *picture, guint side);

#define EACH_EVENT(lane, e)                                                                                  \
  const LsEvent *e = (const LsEvent *) (gconstpointer) (lane)->recorded->events->data,                       \
                *e##_end = e + (lane)->recorded->events->len;                                                \
  e < e##_end;                                                                                               \
  e++

guint ls_told_leader (const LsViewLane *lane, guint op);
/* Since the lane's start of the step, ns. */
double ls_told_since (const LsViewLane *lane, guint64 ns);
gboolean ls_told_is_work (const LsEvent *event);
/* From when to when the lane was at the op by itself; since the step's start. FALSE: never. */
gboolean ls_told_op (const LsViewLane *lane, guint op, double *start, double *end);
double ls_told_op_ns (const LsViewLane *lane, guint op);
double ls_told_step_ns (const LsViewLane *lane);
/* The number at *at, a time in ns with its unit, as what lies between these is printed; *at goes behind it.
 * FALSE: there is none, or it is only said to be less. */
gboolean ls_told_number (const char **at, gboolean time, double *low, double *high);
