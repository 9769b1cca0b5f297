/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the lane's thread may sleep before it waits for a step's end. Some drivers spin in
 * clWaitForEvents (NVIDIA's does), on a core that the other lane could use.
 *
 *   sleep_ns = ls_cl_pace_sleep (&pace, since_ns, now_ns);      nanosleep (), then:
 *   ls_cl_pace_ended (&pace, now_ns - since_ns, overslept);     the step had ended before the sleep did
 *
 * A step that had already ended tells only that it took less: the time until then is the sleep's own, and to
 * take it for the step's would keep the lane at that pace for ever. Then the next sleep is half as long.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double step_ns;   /* that a step takes, of late; 0: not known */
  guint n_launches; /* of which it is known */
} LsClPace;

#define LS_CL_PACE_SLICE_NS 5000000 /* the longest sleep without a look at whether the step has ended */

/* Before a run's steps: what is known of other work counts no more. */
void ls_cl_pace_begin (LsClPace *pace, guint n_launches);
/* ns to sleep from now on, of a step that began when the one before it ended; 0: it isn't worth it. */
guint64 ls_cl_pace_sleep (const LsClPace *pace, guint64 since_ns, guint64 now_ns);
void ls_cl_pace_ended (LsClPace *pace, guint64 took_ns, gboolean overslept);

G_END_DECLS
