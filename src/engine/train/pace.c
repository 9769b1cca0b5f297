/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsPacer: see pace.h.
 */
#include "train/pace.h"

#include <math.h>

/* what the first steps after a rest take that don't count: clocks and caches need that long, */
#define SETTLE_US  20000.0
#define SETTLE_MAX 22 /* or so many: under half of a burst of MNIST's */

void
ls_pacer_init (LsPacer *pacer, double steps_per_s)
{
  *pacer = (LsPacer){ .steps_per_s = MAX (steps_per_s, 1e-3), .pace = LS_PACE_FULL, .end = LS_PACE_NO_END };
}

/* After a rest: the lanes' next steps don't count. */
static void
settle (LsPacer *pacer, const LsPaceLook *look)
{
  const double n = look->step_us > 0 ? ceil (SETTLE_US / look->step_us) : 1;

  if (!pacer->cold)
    return;
  pacer->cold = FALSE;
  pacer->begin = look->furthest;
  pacer->settled = look->furthest + (guint64) CLAMP (n, 1, SETTLE_MAX);
}

static guint64
plan_ns (const LsPacer *pacer, double steps)
{
  return (guint64) (steps / pacer->steps_per_s * 1e9);
}

/* One that is asked for before its time is as short as can be, and the plan stays as it is. */
static void
begin_burst (LsPacer *pacer, const LsPaceLook *look, gboolean early)
{
  const double steps = early ? 1 : round (pacer->steps_per_s * LS_PACE_BURST_S);
  const gboolean late = pacer->next_ns + plan_ns (pacer, steps) < look->now_ns;

  settle (pacer, look);
  pacer->end = MAX (look->furthest + (guint64) MAX (steps, 1), MAX (pacer->settled, look->furthest) + 1);
  /* a lane that took longer than planned isn't hurried: the plan begins anew */
  pacer->next_ns = (late ? look->now_ns : pacer->next_ns)
                   + plan_ns (pacer, (double) (pacer->end - look->furthest));
  pacer->rests = FALSE;
}

/* Another pace: what has been begun is brought to its end first, so that all lanes stand at the same step. */
static void
change (LsPacer *pacer, const LsPaceLook *look)
{
  if (look->pace == LS_PACE_FULL)
    {
      settle (pacer, look);
      pacer->end = LS_PACE_NO_END;
      pacer->rests = FALSE;
    }
  else
    {
      pacer->end = look->furthest;
      pacer->next_ns = look->now_ns;
    }
  pacer->pace = look->pace;
}

void
ls_pacer_look (LsPacer *pacer, const LsPaceLook *look)
{
  const double ahead_ns = MAX (LS_PACE_BURST_S * 1e9, (double) plan_ns (pacer, 2));

  if (pacer->pace != look->pace)
    change (pacer, look);
  if (pacer->pace == LS_PACE_FULL)
    return;
  /* a lane that begins anew, alone, is further back */
  if (pacer->pace == LS_PACE_STEP || look->furthest < pacer->begin)
    {
      pacer->begin = pacer->settled = pacer->end = look->furthest;
      pacer->next_ns = pacer->pace == LS_PACE_STEP ? G_MAXUINT64 : look->now_ns;
    }
  pacer->rests = FALSE;
  if (look->least < pacer->end)
    return;
  if (look->now_ns >= pacer->next_ns)
    begin_burst (pacer, look, FALSE);
  /* not far ahead of the plan, or who asks without end would train at full speed */
  else if (pacer->pace == LS_PACE_WATCH && look->asked
           && (double) (pacer->next_ns - look->now_ns) <= ahead_ns)
    begin_burst (pacer, look, TRUE);
  else
    pacer->rests = pacer->cold = TRUE;
}

guint64
ls_pacer_limit (const LsPacer *pacer, guint64 steps)
{
  return ls_pacer_settles (pacer, steps) ? MIN (pacer->settled, pacer->end) : pacer->end;
}

gboolean
ls_pacer_settles (const LsPacer *pacer, guint64 step)
{
  return step >= pacer->begin && step < pacer->settled;
}

gboolean
ls_pacer_records (const LsPacer *pacer, guint64 step)
{
  return pacer->pace == LS_PACE_STEP || !(pacer->rests || ls_pacer_settles (pacer, step));
}
