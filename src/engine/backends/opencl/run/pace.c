/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See pace.h.
 */
#include "config.h"
#include "backends/opencl/run/pace.h"

#define SHARE    .8
#define LATE_NS  80000  /* Linux wakes a thread up to 50 µs late, and it must get its core again */
#define LEAST_NS 100000 /* a shorter sleep leaves the other lane nothing */
#define NEW      .25    /* weight of the newest step */

void
ls_cl_pace_begin (LsClPace *pace, guint n_launches)
{
  if (pace->n_launches != n_launches)
    *pace = (LsClPace){ .n_launches = n_launches };
}

guint64
ls_cl_pace_sleep (const LsClPace *pace, guint64 since_ns, guint64 now_ns)
{
  const double ns = SHARE * pace->step_ns - LATE_NS - (double) (now_ns - since_ns);

  return ns >= LEAST_NS ? (guint64) ns : 0;
}

void
ls_cl_pace_ended (LsClPace *pace, guint64 took_ns, gboolean overslept)
{
  if (overslept)
    pace->step_ns /= 2;
  else
    pace->step_ns += (pace->step_ns > 0 ? NEW : 1) * ((double) took_ns - pace->step_ns);
}
