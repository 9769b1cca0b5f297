/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nobody runs away: a lane that is ready first does a few steps and then waits for those that still come, so
 * that the compiler has the machine, no rate is measured beside it, and all lanes have learnt as much. A lane
 * that takes too long is gone on without; once it is there it begins with the weights of the furthest lane
 * that works, as one that was opened anew does (retry.c).
 */
#include "train/private.h"

#define AHEAD_STEPS 10          /* that a lane does before it waits; */
#define AHEAD_MOST  LS_TURN_MAX /* with recorded ones: the lane that comes catches up, also at rest */
#define OVERDUE_MS  60000       /* a lane that comes is waited for so long */

static gboolean
awaits (const LsCoordinator *self)
{
  LANES (self, control)
    if (ls_control_awaited (control))
      return TRUE;
  return FALSE;
}

guint64
ls_coordinator_waits_after (const LsCoordinator *self)
{
  return awaits (self) ? self->begun + AHEAD_STEPS : G_MAXUINT64;
}

gboolean
ls_coordinator_may_record (const LsCoordinator *self, guint64 step)
{
  return !awaits (self) || step < self->begun + AHEAD_MOST;
}

gboolean
ls_control_waits (const LsCoordinator *self, const LsLaneControl *control)
{
  return ls_control_working (control) && self->running && control->steps < self->target
         && control->steps >= ls_coordinator_waits_after (self);
}

static guint64
overdue_ms (void)
{
  const char *text = g_getenv ("LOCKSTEP_OVERDUE_MS");
  guint64 ms;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &ms, NULL) ? ms : OVERDUE_MS;
}

void
ls_coordinator_look_overdue (LsCoordinator *self)
{
  const guint64 now_ns = self->looked_ns;
  gboolean any_working = FALSE;

  LANES (self, control)
    any_working |= ls_control_working (control);
  for (guint s = 0; s < self->n_lanes && any_working; s++)
    {
      LsLaneControl *control = &self->lanes[s];
      if (ls_control_awaited (control) && now_ns > control->watch.open_ns + overdue_ms () * 1000000)
        control->entry = LS_ENTRY_OVERDUE;
    }
}
